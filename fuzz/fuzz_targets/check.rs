//! libFuzzer on the target `check`.
#![no_main]

mcp_lint_fuzz::drive!(check);
