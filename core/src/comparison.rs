//! Two listings that should say the same.

use std::collections::{HashMap, HashSet};

use crate::text::list;
use crate::view::Tool;

/// How many tools of a kind are named.
const MOST_NAMES: usize = 3;

/// How two listings differ, in words: which tools are only in one, and which are not the same in both. `places`
/// says where each was listed, as in "only in the first".
#[must_use]
pub fn difference(
    first: &[Tool<'_>],
    second: &[Tool<'_>],
    places: [&str; 2],
    is_same: impl Fn(&Tool<'_>, &Tool<'_>) -> bool,
) -> Option<String> {
    let twins: HashMap<&str, &Tool<'_>> = second.iter().map(|tool| (tool.label.as_ref(), tool)).collect();
    let firsts: HashSet<&str> = first.iter().map(|tool| tool.label.as_ref()).collect();
    let (mut gone, mut changed) = (Vec::new(), Vec::new());
    for tool in first {
        match twins.get(tool.label.as_ref()) {
            None => gone.push(tool.label.as_ref()),
            Some(twin) if !is_same(tool, twin) => changed.push(tool.label.as_ref()),
            Some(_) => {}
        }
    }
    let new = second.iter().map(|tool| tool.label.as_ref()).filter(|label| !firsts.contains(label)).collect();
    let only = places.map(|place| format!("only {place}"));
    let parts = [(only[0].as_str(), gone), (only[1].as_str(), new), ("changed", changed)];
    let parts = parts.iter().filter(|(_, names)| !names.is_empty());
    let parts: Vec<String> = parts
        .map(|(what, names)| {
            format!("{} {} {what}", list(names, MOST_NAMES), if names.len() == 1 { "is" } else { "are" })
        })
        .collect();
    (!parts.is_empty()).then(|| parts.join("; "))
}
