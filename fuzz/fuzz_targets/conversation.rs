//! libFuzzer on the target `conversation`.
#![no_main]

mcp_lint_fuzz::drive!(conversation);
