//! libFuzzer on the target `sse`.
#![no_main]

mcp_lint_fuzz::drive!(sse);
