//! libFuzzer on the target `baseline`.
#![no_main]

mcp_lint_fuzz::drive!(baseline);
