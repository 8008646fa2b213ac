//! What a stranger may call things, to hold every format against.

use mcp_lint_core::document::{Dialect, Document};
use mcp_lint_core::finding::Level;
use mcp_lint_core::judge::{Subject, judge};
use mcp_lint_core::policy::Policy;
use mcp_lint_core::report::{FailOn, Report};
use serde_json::json;

/// Names that try to be more than text.
pub(crate) const HOSTILE: &[&str] = &[
    "a | b || c",
    "`code` ``x``",
    "<img src=x onerror=alert(1)><script>alert(1)</script></code></td>",
    "x](https://evil.example) [y](javascript:z) ![i](http://evil.example/i.png)",
    "@octocat and a@evil.example",
    "#123 and GH-1 and org/repo#5",
    "first\n\n# second\n| a |\n| --- |\n",
    "\u{202e}reversed\u{2066} \u{200b}\u{feff}",
    "\u{1b}[31mred\u{7}",
    "https://evil.example/x www.evil.example WWW.evil.example",
    ":rocket: :+1:",
    "&lt;b&gt; &amp; &#35;",
    "*a* _b_ ~~c~~ **d** $x$ \\| \\`",
    "- item\n1. item\n> quote\n---\n    code",
    "::error::x ##[error]y ##vso[task.complete]",
    "<!-- hidden",
    "<details><summary>x",
    "\" onmouseover=\"alert(1)\" x=\"' onclick='alert(1)",
    "]]>&apos;&#x1b;\u{0}\u{fffe}\u{ffff}",
];

/// A report in which everything that a stranger may name is named so.
pub(crate) fn report(names: &[&str]) -> Report {
    let tools: Vec<_> = names
        .iter()
        .map(|name| json!({ "name": name, "description": name, "inputSchema": { "type": "object", "required": [name] } }))
        .collect();
    let document = Document::parse(json!(tools).to_string(), Dialect::STRICT).expect("JSON");
    let subject = Subject::File { path: "tools.json".to_owned(), document };
    let verdict = judge("parcels", None, &subject, &Policy::default()).expect("a listing");
    let mut report = Report::new(".".to_owned(), vec![verdict.server], verdict.findings, FailOn::Level(Level::Error));
    let all = names.join(" ");
    report.servers[0].name.clone_from(&all);
    report.servers[0].reason = Some(all.clone());
    for finding in &mut report.findings {
        finding.server = Some(all.clone());
        finding.location.path.clone_from(&all);
    }
    report
}
