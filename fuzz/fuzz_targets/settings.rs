//! libFuzzer on the target `settings`.
#![no_main]

mcp_lint_fuzz::drive!(settings);
