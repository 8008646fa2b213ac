//! libFuzzer on the target `wire`.
#![no_main]

mcp_lint_fuzz::drive!(wire);
