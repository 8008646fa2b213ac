use mcp_lint_core::document::{Dialect, Document};
use mcp_lint_core::finding::Finding;
use mcp_lint_core::judge::{Subject, judge};
use mcp_lint_core::policy::Policy;
use mcp_lint_core::report::{FailOn, Report, html, markdown};
use mcp_lint_core::text::{bounded, excerpt, is_hidden, list, visible};
use serde_json::json;

use super::report::renders;
use super::text;
use crate::growth::is_linear;

/// A text of a stranger in every format: nothing in it acts.
pub fn escape(data: &[u8]) {
    let text = text(data);
    is_seen(&text);
    markdown_is_text(&text);
    html_is_text(&text);
    // A report holds the text dozens of times.
    if data.len() <= 512 && !text.trim().is_empty() {
        let hostile = report(&text);
        renders(&hostile);
        has_the_form_of(&hostile, &report("plain"));
    }
    is_linear(data, |data| {
        let text = super::text(data);
        let _ = (visible(&text), excerpt(&text, 100), bounded(&text), list(&[&text], 3));
        let _ = (markdown::escape(&text), html::escape(&text));
    });
}

fn is_seen(text: &str) {
    let shown = visible(text);
    assert!(!shown.contains(is_hidden), "{shown:?}");
    assert!(!shown.contains("##"), "a command of a runner: {shown:?}");
    assert!(!shown.split_whitespace().any(|word| word.starts_with("::")), "a command of a runner: {shown:?}");
    assert!(text.contains(is_hidden) || shown.len() >= text.len());
    assert_eq!(visible(&shown), shown, "what is visible stays as it is");
    assert!(excerpt(text, 50).chars().count() <= 51);
    assert!(bounded(text).len() <= 1_000);
    assert!(!list(&[text, text, text], 2).contains(is_hidden));
}

/// Everything that acts in Markdown, as far as a parser sees it.
fn markdown_is_text(text: &str) {
    use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
    let options =
        Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_FOOTNOTES | Options::ENABLE_MATH;
    // As it stands in a cell of a table, where it always does but for headings and lists.
    let page = format!("| a | b |\n| --- | --- |\n| {} | {} |\n", markdown::escape(text), markdown::escape(text));
    let (mut cells, mut shown) = (0, String::new());
    for event in Parser::new_ext(&page, options) {
        match event {
            Event::Start(Tag::Table(_) | Tag::TableHead | Tag::TableRow) => {}
            Event::Start(Tag::TableCell) => cells += 1,
            Event::End(TagEnd::TableCell) if cells == 3 => {
                assert_eq!(shown.trim(), visible(text).trim(), "what is shown is what was written");
            }
            Event::Text(piece) => {
                if cells == 3 {
                    shown.push_str(&piece);
                }
            }
            Event::InlineHtml(html) => assert_eq!(&*html, "<wbr>", "{page}"),
            Event::End(_) => {}
            other => panic!("{other:?} in {page}"),
        }
    }
    assert_eq!(cells, 4, "{page}");
}

fn html_is_text(text: &str) {
    let escaped = html::escape(text);
    assert!(!escaped.contains(['<', '>', '"', '\'']), "{escaped}");
    let known = ["&amp;", "&lt;", "&gt;", "&quot;", "&#39;"];
    assert!(escaped.match_indices('&').all(|(at, _)| known.iter().any(|code| escaped[at..].starts_with(code))));
}

/// A report in which everything that a stranger may name is named so.
fn report(name: &str) -> Report {
    let tools = json!([{ "name": name, "description": name, "inputSchema": { "type": "object", "required": [name] } }]);
    let document = Document::parse(tools.to_string(), Dialect::STRICT).unwrap_or_else(|error| panic!("{error}"));
    let subject = Subject::File { path: "tools.json".to_owned(), document };
    let verdict = judge("parcels", None, &subject, &Policy::default()).unwrap_or_else(|error| panic!("{error}"));
    let mut report = Report::new(".".to_owned(), vec![verdict.server], verdict.findings, FailOn::Never);
    report.servers[0].name = name.to_owned();
    report.servers[0].reason = Some(name.to_owned());
    // Which rules fire depends on the name; that each way of writing is tried does not.
    report.findings.truncate(1);
    for finding in &mut report.findings {
        *finding = Finding {
            server: Some(name.to_owned()),
            rule: "name-invalid".into(),
            entity: name.to_owned(),
            pointer: format!("/{name}"),
            path: name.to_owned(),
            message: format!("It is `{name}`."),
            clients: Vec::new(),
            hint: Some(name.to_owned()),
            ..finding.clone()
        };
        finding.location.path = name.to_owned();
    }
    report.servers[0].losses.clear();
    report
}

/// The tags of a page are those of the same page about something harmless.
fn has_the_form_of(hostile: &Report, plain: &Report) {
    if hostile.findings.is_empty() != plain.findings.is_empty() {
        return;
    }
    let tags = |report: &Report| -> Vec<String> {
        let page = html::render(report);
        let tags = page.split('<').skip(1).filter_map(|tag| tag.split([' ', '>', '\n']).next());
        // Code is set apart where backticks pair up.
        tags.filter(|tag| !tag.ends_with("code")).map(str::to_owned).collect()
    };
    if hostile.findings.iter().zip(&plain.findings).all(|(one, other)| one.level == other.level) {
        assert_eq!(tags(hostile), tags(plain), "{:?}", hostile.servers[0].name);
    }
}
