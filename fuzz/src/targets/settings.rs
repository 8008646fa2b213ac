use mcp_lint_core::document::{Dialect, Document};
use mcp_lint_core::judge::{Subject, judge};
use mcp_lint_core::policy::Policy;
use mcp_lint_core::settings::Settings;

use super::{are_sound, text};
use crate::growth::is_linear;

/// Faults of several sorts, so that settings have something to change.
const TOOLS: &str = r#"[{ "name": "find parcel", "description": "Finds.", "inputSchema": { "required": ["id"] } }]"#;

/// Settings files: what is read can be written and read again, and changes levels and nothing else.
pub fn settings(data: &[u8]) {
    let text = text(data);
    is_linear(data, |data| drop(Settings::parse(&super::text(data))));
    let settings = match Settings::parse(&text) {
        Ok(settings) => settings,
        Err(said) => {
            assert!(!said.is_empty() && !said.contains('\n'), "{said:?}");
            return;
        }
    };
    // A timeout may have been written in a way that only a parser of ours takes.
    let written = toml::to_string(&settings).unwrap_or_else(|error| panic!("{settings:?}: {error}"));
    let again = Settings::parse(&written).unwrap_or_else(|error| panic!("{written}: {error}"));
    assert_eq!(format!("{again:?}"), format!("{settings:?}"));
    let mut policy = Policy::default();
    settings.apply(&mut policy);
    let name = settings.servers.keys().next().map_or("parcels", String::as_str);
    let own = settings.policy_for(name, &policy);
    let Ok(document) = Document::parse(TOOLS, Dialect::STRICT) else { return };
    let subject = Subject::File { path: "tools.json".to_owned(), document };
    let findings = judge(name, None, &subject, &own).map(|verdict| verdict.findings).unwrap_or_default();
    are_sound(&findings);
    for finding in &findings {
        assert_ne!(own.levels.get(&*finding.rule), Some(&None), "{} is off", finding.rule);
        if let Some(nth) = settings.ignored_by(finding) {
            assert!(settings.ignore[nth].words().starts_with(&*finding.rule));
        }
    }
}
