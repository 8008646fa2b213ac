//! libFuzzer on the target `escape`.
#![no_main]

mcp_lint_fuzz::drive!(escape);
