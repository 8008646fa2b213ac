//! libFuzzer on the target `document`.
#![no_main]

mcp_lint_fuzz::drive!(document);
