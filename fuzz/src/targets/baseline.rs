use mcp_lint_core::baseline::Baseline;

use super::text;
use crate::growth::is_linear;

/// Baselines: what is read and written is the same when it is read and written again, in whatever order its
/// lines stand.
pub fn baseline(data: &[u8]) {
    let text = text(data);
    is_linear(data, |data| drop(Baseline::parse(&super::text(data)).map(|read| read.render())));
    let Ok(baseline) = Baseline::parse(&text) else { return };
    let written = baseline.render();
    let read = Baseline::parse(&written).unwrap_or_else(|error| panic!("{error}: {written}"));
    assert_eq!(read, baseline);
    assert_eq!(read.render(), written);
    assert_eq!(written.lines().count(), baseline.entries().len() + 1, "one line an entry");
    let twice = Baseline::parse(&format!("{written}{written}")).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(twice, baseline, "both sides of a merge");
    let backwards: Vec<&str> = written.lines().rev().collect();
    assert_eq!(Baseline::parse(&backwards.join("\r\n")), Ok(baseline), "in another order");
}
