//! A hint promises less than it did.

use super::prelude::*;

pub static RULE: Rule = Rule {
    id: "annotation-weakened",
    summary: "a hint promises less than the contract says",
    level: Level::Warning,
    basis: Basis::General,
    since: "0.1.0",
    page: include_str!("annotation_weakened.md"),
    check: Check::Change(|change, out| out.change(What::AnnotationWeakened, change)),
};
