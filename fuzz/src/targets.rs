//! The targets: each reads its input as the program would, and holds what comes of it to what must be true.

mod baseline;
mod check;
mod config;
mod conversation;
mod document;
mod escape;
mod locate;
mod report;
mod settings;
mod sse;
mod wire;

pub use baseline::baseline;
pub use check::check;
pub use config::config;
pub use conversation::conversation;
pub use document::document;
pub use escape::escape;
pub use locate::locate;
pub use report::report;
pub use settings::settings;
pub use sse::sse;
pub use wire::wire;

use std::collections::HashSet;

use mcp_lint_core::document::{Document, Span};
use mcp_lint_core::finding::Finding;
use mcp_lint_core::policy::{Policy, Preset};

/// The input as text; what is no UTF-8 is replaced.
fn text(data: &[u8]) -> std::borrow::Cow<'_, str> {
    String::from_utf8_lossy(data)
}

/// The first line, and what is below it.
fn head(text: &str) -> (&str, &str) {
    text.split_once('\n').unwrap_or((text, ""))
}

/// Every preset there is: together they let every rule run.
fn policies() -> [Policy; 3] {
    [Preset::Recommended, Preset::EveryAgent, Preset::Spec].map(Policy::preset)
}

/// What holds of all findings: no rule broke, each is found once, and says something.
fn are_sound(findings: &[Finding]) {
    let mut seen = HashSet::new();
    for finding in findings {
        assert_ne!(finding.rule, "internal-error", "{}", finding.message);
        assert!(!finding.message.is_empty() && !finding.why.is_empty(), "{finding:?}");
        assert_eq!(finding.fingerprint, finding.identity().fingerprint(), "{finding:?}");
        assert!(seen.insert(&finding.fingerprint), "found twice: {finding:?}");
        let place = &finding.location;
        let (start, end) = ((place.start_line, place.start_column), (place.end_line, place.end_column));
        assert!(start <= end && start >= (1, 1) && place.start_column >= 1, "{finding:?}");
    }
}

/// A span lies within the text, between characters.
fn is_span(document: &Document, span: Span) {
    let text = document.text();
    assert!(span.start <= span.end, "{span:?}");
    assert!(text.get(span.start as usize..span.end as usize).is_some(), "{span:?} in {} bytes", text.len());
}
