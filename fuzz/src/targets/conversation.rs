use mcp_lint_core::fixture;
use mcp_lint_core::judge::{Subject, definitions_text, judge};
use mcp_lint_core::policy::Policy;
use mcp_lint_core::snapshot::Snapshot;

use super::{are_sound, policies, text};
use crate::growth::is_linear;

/// Requests of one launch.
const MOST_REQUESTS: usize = 200;

/// A conversation under every rule, as `core/src/fixture.rs` writes it, or as the JSON of a snapshot.
pub fn conversation(data: &[u8]) {
    let Some(snapshot) = snapshot(data) else { return };
    if let Ok(written) = serde_json::to_string(&snapshot) {
        let read: Snapshot = serde_json::from_str(&written).unwrap_or_else(|error| panic!("{error}: {written}"));
        assert_eq!(serde_json::to_string(&read).ok(), Some(written), "a snapshot does not come back");
    }
    let subject = Subject::Live(Box::new(snapshot));
    for policy in policies() {
        let Ok(verdict) = judge("parcels", None, &subject, &policy) else { continue };
        are_sound(&verdict.findings);
        let _ = definitions_text(&subject);
    }
    is_linear(data, |data| {
        if let Some(snapshot) = self::snapshot(data) {
            let _ = judge("parcels", None, &Subject::Live(Box::new(snapshot)), &Policy::default());
        }
    });
}

fn snapshot(data: &[u8]) -> Option<Snapshot> {
    let read = serde_json::from_slice(data).ok();
    let snapshot: Snapshot = read.or_else(|| fixture::snapshot(&text(data)).ok())?;
    // How much we ask is ours to bound.
    (snapshot.main.exchanges.len() <= MOST_REQUESTS).then_some(snapshot)
}
