//! libFuzzer on the target `config`.
#![no_main]

mcp_lint_fuzz::drive!(config);
