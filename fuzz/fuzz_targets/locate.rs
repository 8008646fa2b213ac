//! libFuzzer on the target `locate`.
#![no_main]

mcp_lint_fuzz::drive!(locate);
