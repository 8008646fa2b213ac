use mcp_lint_core::document::{Dialect, Document};
use mcp_lint_core::judge::{Subject, definitions_text, judge};
use mcp_lint_core::policy::Policy;

use super::{are_sound, is_span, policies, text};
use crate::growth::is_linear;

/// A saved listing under every rule: no rule breaks, and every finding is at a place of the file.
pub fn check(data: &[u8]) {
    let text = text(data);
    for policy in policies() {
        let Some(subject) = subject(&text) else { return };
        let Ok(verdict) = judge("parcels", None, &subject, &policy) else { return };
        are_sound(&verdict.findings);
        let Subject::File { document, .. } = &subject else { return };
        let end = document.position(u32::try_from(text.len()).unwrap_or(u32::MAX));
        for finding in &verdict.findings {
            let place = &finding.location;
            assert!((place.end_line, place.end_column) <= (end.line, end.column), "behind the end: {finding:?}");
        }
        is_span(document, document.root().span());
        let again = judge("parcels", None, &subject, &policy).map(|verdict| verdict.findings).unwrap_or_default();
        assert_eq!(format!("{again:?}"), format!("{:?}", verdict.findings), "not the same twice");
        let _ = definitions_text(&subject);
    }
    is_linear(data, |data| {
        if let Some(subject) = subject(&super::text(data)) {
            let _ = judge("parcels", None, &subject, &Policy::default());
        }
    });
}

fn subject(text: &str) -> Option<Subject> {
    let document = Document::parse(text, Dialect::STRICT).ok()?;
    Some(Subject::File { path: "tools.json".to_owned(), document })
}
