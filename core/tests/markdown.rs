//! The Markdown report, read as a browser would show it: nothing that a stranger wrote acts.

mod hostile;

use hostile::{HOSTILE, report};
use mcp_lint_core::finding::Finding;
use mcp_lint_core::report::markdown::{escape, render, within};
use pulldown_cmark::{Event, Options, Parser, Tag};

/// Elements of HTML that we write ourselves; every other is a stranger's.
const OURS: &[&str] = &["<br>", "<code>", "</code>", "<wbr>"];

/// What acts on a page: links, images, HTML, and tables whose rows differ in their number of cells.
fn active(page: &str) -> Vec<String> {
    let mut found = Vec::new();
    let all = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_FOOTNOTES | Options::ENABLE_MATH;
    for event in Parser::new_ext(page, all) {
        match event {
            Event::Start(
                tag @ (Tag::Link { .. }
                | Tag::Image { .. }
                | Tag::Strikethrough
                | Tag::Emphasis
                | Tag::BlockQuote(_)
                | Tag::CodeBlock(_)
                | Tag::HtmlBlock),
            ) => found.push(format!("{tag:?}")),
            Event::Html(html) | Event::InlineHtml(html) if !OURS.contains(&html.trim()) => found.push(html.to_string()),
            Event::Code(code) => found.push(code.to_string()),
            Event::InlineMath(math) | Event::DisplayMath(math) => found.push(math.to_string()),
            Event::Rule | Event::FootnoteReference(_) => found.push("rule or footnote".to_owned()),
            Event::Text(text) => found.extend(recognised(&text)),
            _ => {}
        }
    }
    found
}

/// What GitHub makes a link or a picture of in a finished page, within one piece of text.
fn recognised(text: &str) -> Option<String> {
    let follows = |sign: char| {
        text.split(sign)
            .skip(1)
            .any(|rest| rest.starts_with(|next: char| next.is_alphanumeric() || "/+".contains(next)))
    };
    let acts = follows('@') || follows('#') || follows(':') || text.to_lowercase().contains("www.e");
    (acts || text.chars().any(mcp_lint_core::text::is_hidden) && text != "\n").then(|| text.to_owned())
}

#[test]
fn what_acts_is_seen() {
    for live in [
        "[a](b)",
        "![a](b)",
        "<b>x</b>",
        "`x`",
        "> x",
        "@octocat",
        "see #12",
        "a:rocket:",
        "https://x.y",
        "www.example",
    ] {
        assert!(!active(live).is_empty(), "{live}");
    }
    assert_eq!(active("| a | b |\n| --- | --- |\n| <code>x</code> | y<br>z |\n\n- **a**: b\n"), Vec::<String>::new());
}

#[test]
fn hostile_names_stay_text() {
    for name in HOSTILE {
        assert_eq!(active(&escape(name)), Vec::<String>::new(), "{name:?}");
        let page = render(&report(&[name]));
        assert_eq!(active(&page), Vec::<String>::new(), "{name:?}\n{page}");
    }
    let page = render(&report(HOSTILE));
    assert_eq!(active(&page), Vec::<String>::new(), "{page}");
}

#[test]
fn every_row_of_a_table_has_the_cells_of_its_head() {
    let page = render(&report(HOSTILE));
    let mut columns = 0;
    for line in page.lines() {
        if line.starts_with('|') {
            let cells = line.replace("\\\\", "").replace("\\|", "").matches('|').count();
            assert!(columns == 0 || cells == columns, "{line}");
            columns = cells;
        } else {
            columns = 0;
        }
    }
}

#[test]
fn what_is_shown_is_what_was_written() {
    for name in HOSTILE {
        let shown: String = Parser::new(&escape(name))
            .filter_map(|event| match event {
                Event::Text(text) => Some(text.to_string()),
                _ => None,
            })
            .collect();
        assert_eq!(shown, mcp_lint_core::text::visible(name).trim_start(), "{name:?}");
    }
}

#[test]
fn a_page_keeps_to_its_bytes_and_lists_the_worst() {
    let names: Vec<String> = (0..400).map(|nth| format!("tool {nth}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let report = report(&names);
    let whole = within(&report, usize::MAX);
    assert!(whole.len() > 65_535, "{}", whole.len());
    for most in [65_535, 30_000] {
        let page = within(&report, most);
        assert!(page.len() <= most && page.len() > most / 2, "{} of {most}", page.len());
        assert!(page.contains("\nAnd ") && page.contains("findings more, none worse than these"), "{page}");
        let listed = |level: &str| page.matches(level).count();
        let all = |level: &str| whole.matches(level).count();
        assert!(listed("🔵 note") == 0 || listed("🔴 error") == all("🔴 error"));
    }
    for most in [0, 100, 500, 3_000] {
        assert!(within(&report, most).len() <= most.max(100), "{most}");
    }
}

#[test]
fn findings_that_belong_to_no_server_are_listed_too() {
    let mut report = report(&["find parcel"]);
    let lost = Finding { server: Some("of another report".to_owned()), ..report.findings[0].clone() };
    report.findings = vec![lost, Finding { server: None, ..report.findings[0].clone() }];
    let page = render(&report);
    assert!(page.contains("## of another report") && page.contains("## Configuration"), "{page}");
}
