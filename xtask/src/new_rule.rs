//! Lays the two files of a new rule; the word in the list is the author's to place.

use anyhow::{Result, bail};

/// Writes a rule's file and page with the parts every rule has.
pub(crate) fn lay(id: &str) -> Result<()> {
    let is_id =
        !id.is_empty() && id.chars().all(|letter| letter.is_ascii_lowercase() || matches!(letter, '-' | '0'..='9'));
    if !is_id {
        bail!("an id is kebab-case: {id:?}");
    }
    let module = id.replace('-', "_");
    let folder = crate::root().join("core/src/rules");
    let (code, page) = (folder.join(format!("{module}.rs")), folder.join(format!("{module}.md")));
    if code.exists() || page.exists() {
        bail!("there is a rule {id} already");
    }
    std::fs::write(&code, code_text(id, &module))?;
    std::fs::write(&page, page_text(id))?;
    let mut out = std::io::stdout().lock();
    std::io::Write::write_all(&mut out, format!("Now add `{module}` to the list in core/src/rules.rs.\n").as_bytes())?;
    Ok(())
}

fn code_text(id: &str, module: &str) -> String {
    format!(
        r#"//! What is wrong, in a phrase.

use super::prelude::*;

pub static RULE: Rule = Rule {{
    id: "{id}",
    summary: "what is wrong, as a phrase",
    level: Level::Warning,
    basis: Basis::General,
    since: "{version}",
    page: include_str!("{module}.md"),
    check: Check::Tool(check),
}};

fn check(tool: &Tool<'_>, out: &mut Out<'_>) {{
    if tool.description().is_none() {{
        out.report(tool.site(), "What is wrong, as a sentence.");
    }}
}}
"#,
        version = env!("CARGO_PKG_VERSION"),
    )
}

fn page_text(id: &str) -> String {
    format!(
        "# {id}\n\n## What\n\nWhat makes it fire.\n\n## Why\n\nWho is hurt, and how.\n\n## Fix\n\nWhat to do.\n\n\
         ## Bad\n\n```json TOOL /pointer\n{{}}\n```\n\n## Good\n\n```json\n{{}}\n```\n\n## Sources\n\n- Where this is known from.\n"
    )
}
