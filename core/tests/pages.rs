//! Every rule's page is a test: its bad blocks fire the rule once, at the stated site; its good blocks
//! give nothing at error or warning level from any rule.

#![allow(clippy::disallowed_methods, reason = "the tests read the folder of sources")]

use mcp_lint_core::example;
use mcp_lint_core::finding::{Finding, Level};
use mcp_lint_core::page::{Block, Page};
use mcp_lint_core::rules;

fn findings(block: &Block) -> Vec<Finding> {
    example::report(block, None).expect("the block can be judged").findings
}

/// The stated site, `entity /pointer`, and the rules that may fire beside.
fn stated(block: &Block) -> (Option<&str>, Option<&str>, Vec<&str>) {
    let is_config = block.info.starts_with("config");
    let words: Vec<&str> = block.info.split(' ').skip(if is_config { 2 } else { 1 }).collect();
    let also = words.iter().find_map(|word| word.strip_prefix("also=")).map(|list| list.split(',').collect());
    let mut site = words.into_iter().filter(|word| !word.contains('='));
    (site.next(), site.next(), also.unwrap_or_default())
}

#[test]
fn bad_blocks_fire_their_rule_once_at_the_stated_site() {
    for rule in rules::ALL {
        let page = Page::parse(rule.page);
        let blocks = page.blocks("Bad");
        assert!(!blocks.is_empty(), "{}: a page needs a bad block", rule.id);
        for block in blocks {
            let (entity, pointer, also) = stated(&block);
            let all = findings(&block);
            let own: Vec<&Finding> = all.iter().filter(|finding| finding.rule == rule.id).collect();
            assert_eq!(own.len(), 1, "{}: one finding expected in\n{}\ngot {all:#?}", rule.id, block.text);
            assert_eq!(
                entity.unwrap_or_default(),
                own[0].entity.replace(' ', "·"),
                "{}: entity of\n{}",
                rule.id,
                block.text
            );
            assert_eq!(pointer.unwrap_or_default(), own[0].pointer, "{}: pointer of\n{}", rule.id, block.text);
            let other = all.iter().find(|finding| {
                finding.rule != rule.id && finding.level > Level::Note && !also.contains(&finding.rule.as_ref())
            });
            assert!(other.is_none(), "{}: another rule fires in\n{}\n{other:#?}", rule.id, block.text);
        }
    }
}

#[test]
fn good_blocks_are_silent() {
    for rule in rules::ALL {
        let page = Page::parse(rule.page);
        let blocks = page.blocks("Good");
        assert!(!blocks.is_empty(), "{}: a page needs a good block", rule.id);
        for block in blocks {
            let loud: Vec<Finding> = findings(&block)
                .into_iter()
                .filter(|finding| finding.level > Level::Note || finding.rule == rule.id)
                .collect();
            assert!(loud.is_empty(), "{}: fires in the good block\n{}\n{loud:#?}", rule.id, block.text);
        }
    }
}

#[test]
fn pages_are_whole() {
    for rule in rules::ALL {
        let page = Page::parse(rule.page);
        assert_eq!(page.id, rule.id, "a page's title is the rule's id");
        for heading in ["What", "Why", "Fix", "Bad", "Good", "Sources"] {
            assert!(!page.section(heading).is_empty(), "{}: the page lacks {heading}", rule.id);
        }
        for text in [page.why(), page.fix()] {
            assert!(
                text.ends_with('.') && !text.contains('\n'),
                "{}: one sentence or more, on one line: {text}",
                rule.id
            );
        }
        assert!(!rule.summary.ends_with('.') && !rule.summary.is_empty(), "{}: the summary is a phrase", rule.id);
    }
}

#[test]
fn the_list_of_rules_is_the_folder() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/rules");
    let names = |extension: &str| {
        let files = std::fs::read_dir(&folder).expect("the folder of rules").map(|file| file.expect("a file").path());
        let mut names: Vec<String> = files
            .filter(|file| file.extension().is_some_and(|found| found == extension))
            .filter_map(|file| Some(file.file_stem()?.to_str()?.replace('_', "-")))
            .collect();
        names.sort();
        names
    };
    let mut listed: Vec<String> = rules::ALL.iter().map(|rule| rule.id.to_owned()).collect();
    listed.sort();
    assert_eq!(listed, names("rs"));
    assert_eq!(listed, names("md"));
}
