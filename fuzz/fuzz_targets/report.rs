//! libFuzzer on the target `report`.
#![no_main]

mcp_lint_fuzz::drive!(report);
