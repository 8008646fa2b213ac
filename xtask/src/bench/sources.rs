//! A repository of a size that hardly any has: where a search for declarations has to stay quick.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anyhow::Result;

const FILES: usize = 200;
const LINES: usize = 10_000;
const TOOLS: usize = 400;

/// Writes 200 source files of 10,000 lines that declare 400 tools, and an empty folder; gives a listing of
/// the tools, each with a finding.
pub(super) fn lay(root: &Path) -> Result<PathBuf> {
    std::fs::create_dir_all(root.join("src"))?;
    std::fs::create_dir_all(root.join("empty"))?;
    for file in 0..FILES {
        std::fs::write(root.join(format!("src/module_{file}.ts")), text(file))?;
    }
    let tools: Vec<String> =
        (0..TOOLS).map(|tool| format!(r#"{{"name":"{}","inputSchema":{{}}}}"#, name(tool))).collect();
    let listing = root.join("tools.json");
    std::fs::write(&listing, format!(r#"{{"tools":[{}]}}"#, tools.join(",")))?;
    Ok(listing)
}

fn name(tool: usize) -> String {
    format!("orders_action_{tool}")
}

/// Two declarations a file, and a mention of another tool every hundred lines.
fn text(file: usize) -> String {
    let mut text = String::new();
    for line in 0..LINES {
        let _ = match line {
            3_000 => writeln!(
                text,
                "server.registerTool(\"{}\", {{ inputSchema: {{ id: z.string() }} }}, run);",
                name(file * 2)
            ),
            7_000 => writeln!(text, "server.tool(\"{}\", {{ id: z.string() }}, run);", name(file * 2 + 1)),
            _ if line % 100 == 0 => writeln!(text, "  if (call === \"{}\") return run();", name((file + line) % TOOLS)),
            _ => writeln!(text, "  const value{line} = compute(\"text\", {line});"),
        };
    }
    text
}
