use mcp_lint_core::locate::{Home, Question, Ranking, Search, Thing, settle};
use mcp_lint_core::site::Kind;

use super::{head, text};
use crate::growth::is_linear;

/// Things that the seeds declare, and one that everything holds.
const NAMES: &[&str] = &["find_order", "findOrder", "get_weather", "echo", "greet", "add", "name", "track_parcel", "e"];

/// Source files: the first line is the path, the rest is the text. What is found stands where it is said to.
pub fn locate(data: &[u8]) {
    let text = text(data);
    let (path, source) = head(&text);
    find(path, source);
    is_linear(data, |data| {
        let text = super::text(data);
        let (path, source) = head(&text);
        find(path, source);
    });
}

fn find(path: &str, source: &str) {
    let things = NAMES.iter().map(|name| Thing { server: 0, kind: Kind::Tool, name: (*name).to_owned() });
    let Some(search) = Search::new(things.collect(), vec![Home::Folders(vec![String::new()])]) else { return };
    let candidates = search.find(path, source);
    let pointers = vec!["", "/inputSchema/properties/id/type", "/inputSchema/properties/a/properties/b"];
    let questions: Vec<Question<'_>> =
        candidates.iter().map(|candidate| Question { candidate, pointers: pointers.clone() }).collect();
    let places = settle(&search, path, source, &questions);
    assert!(places.len() == candidates.len() || candidates.is_empty());
    let lines = source.matches('\n').count() + 1;
    for place in places.iter().flatten().flatten() {
        assert!((place.start_line, place.start_column) <= (place.end_line, place.end_column), "{place:?}");
        assert!(place.start_line >= 1 && place.end_line as usize <= lines, "{place:?} in {lines} lines");
        assert_eq!(place.path, path);
    }
    let mut ranking = Ranking::default();
    ranking.add(candidates);
    assert!(ranking.choose(&search).len() <= NAMES.len());
}
