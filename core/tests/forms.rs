//! The forms in which tools are saved: told apart, with pointers true to the document.

use mcp_lint_core::document::{Dialect, Document};
use mcp_lint_core::finding::Level;
use mcp_lint_core::judge::{Subject, judge};
use mcp_lint_core::listing::{self, Form};
use mcp_lint_core::policy::Policy;

const SCHEMA: &str =
    r#"{"type":"object","properties":{"town":{"type":"string","description":"Town by name."}},"required":["town"]}"#;

fn form(text: &str) -> (Form, Vec<String>) {
    let document = Document::parse(text, Dialect::STRICT).expect("JSON");
    let listing = listing::read(document.root()).expect("a listing");
    (listing.form, listing.tools.into_iter().map(|(place, _)| place).collect())
}

fn rules(text: &str) -> Vec<(String, Level, String)> {
    let document = Document::parse(text, Dialect::STRICT).expect("JSON");
    let subject = Subject::File { path: "tools.json".to_owned(), document };
    let findings = judge("forecasts", None, &subject, &Policy::default()).expect("a listing").findings;
    let loud = findings.into_iter().filter(|finding| finding.level > Level::Note);
    loud.map(|finding| (finding.rule.into_owned(), finding.level, finding.pointer)).collect()
}

#[test]
fn every_form_is_told_apart() {
    let mcp = format!(r#"{{"name":"forecast","description":"Tells the weather of tomorrow.","inputSchema":{SCHEMA}}}"#);
    let chat = format!(r#"{{"type":"function","function":{{"name":"forecast","parameters":{SCHEMA}}}}}"#);
    let responses = format!(r#"{{"type":"function","name":"forecast","parameters":{SCHEMA}}}"#);
    let legacy = format!(r#"{{"name":"forecast","parameters":{SCHEMA}}}"#);
    let anthropic = format!(r#"{{"name":"forecast","input_schema":{SCHEMA}}}"#);
    for (text, expected, place) in [
        (format!(r#"{{"jsonrpc":"2.0","id":1,"result":{{"tools":[{mcp}]}}}}"#), Form::Response, "/result/tools/0"),
        (format!(r#"{{"tools":[{mcp}]}}"#), Form::ListResult, "/tools/0"),
        (format!("[{mcp}]"), Form::Array, "/0"),
        (mcp.clone(), Form::Tool, ""),
        (format!(r#"{{"model":"m","messages":[],"tools":[{chat}]}}"#), Form::OpenAiChat, "/tools/0/function"),
        (format!("[{chat}]"), Form::OpenAiChat, "/0/function"),
        (chat.clone(), Form::OpenAiChat, "/function"),
        (
            format!(r#"{{"model":"m","input":"","tools":[{{"type":"web_search"}},{responses}]}}"#),
            Form::OpenAiResponses,
            "/tools/1",
        ),
        (format!(r#"{{"model":"m","functions":[{legacy}]}}"#), Form::OpenAiFunctions, "/functions/0"),
        (format!("[{legacy}]"), Form::OpenAiFunctions, "/0"),
        (
            format!(r#"{{"model":"m","max_tokens":9,"tools":[{anthropic},{{"type":"bash_20250124","name":"bash"}}]}}"#),
            Form::Anthropic,
            "/tools/0",
        ),
        (anthropic.clone(), Form::Anthropic, ""),
    ] {
        assert_eq!(form(&text), (expected, vec![place.to_owned()]), "{text}");
        assert!(!expected.words().is_empty());
    }
}

#[test]
fn a_schema_under_another_name_over_the_wire_is_a_mistake() {
    let text = format!(
        r#"{{"jsonrpc":"2.0","id":1,"result":{{"tools":[{{"name":"forecast","description":"Tells the weather of tomorrow.","input_schema":{SCHEMA}}}]}}}}"#
    );
    assert_eq!(rules(&text), [("schema-missing".to_owned(), Level::Error, String::new())]);
}

#[test]
fn a_providers_own_name_rules_apply_to_its_form() {
    let chat = format!(
        r#"[{{"type":"function","function":{{"name":"weather.forecast","description":"Tells the weather of tomorrow.","parameters":{SCHEMA}}}}}]"#
    );
    assert_eq!(rules(&chat), [("name-not-portable".to_owned(), Level::Error, "/name".to_owned())]);
    let mcp = format!(
        r#"[{{"name":"weather.forecast","description":"Tells the weather of tomorrow.","inputSchema":{SCHEMA}}}]"#
    );
    assert_eq!(rules(&mcp), [("name-not-portable".to_owned(), Level::Warning, "/name".to_owned())]);
}

#[test]
fn the_schema_is_walked_under_its_own_name() {
    let text = r#"[{"name":"forecast","description":"Tells the weather of tomorrow.","input_schema":{"type":"object","properties":{"town":{"type":"str","description":"Town by name."}}}}]"#;
    assert_eq!(
        rules(text),
        [("schema-invalid".to_owned(), Level::Error, "/input_schema/properties/town/type".to_owned())]
    );
}

#[test]
fn a_function_of_openai_needs_no_parameters() {
    let text = r#"[{"type":"function","name":"ping_depot","description":"Says whether the depot answers."}]"#;
    assert_eq!(rules(text), []);
}
