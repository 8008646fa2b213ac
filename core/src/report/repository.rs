//! The repository that a report is about, as far as GitHub has to find its way in it.

use std::collections::HashMap;

use crate::line_hash::LineHashes;
use crate::location::Location;

/// What a report asks of a repository. Only someone who may read files can answer.
pub trait Repository {
    /// A file by its path in a report: its path from the top of the repository, with forward slashes and
    /// links followed. Nothing where there is no such file in the repository.
    fn path(&self, reported: &str) -> Option<String>;

    /// The path of a file that stands for those that are not in the repository.
    fn stand_in(&self) -> String;

    /// The text of a file, by its path from the top.
    fn text(&self, path: &str) -> Option<String>;
}

/// Where a finding is for GitHub.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// Path from the top of the repository.
    pub(super) path: String,
    /// Lines and columns; nothing where another file had to stand in.
    pub(super) region: Option<Region>,
}

/// A range that holds something, in lines and columns from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Region {
    pub(super) start_line: u32,
    pub(super) end_line: u32,
    /// First column and the one behind the last; nothing for whole lines.
    pub(super) columns: Option<(u32, u32)>,
}

impl Region {
    fn of(location: &Location) -> Self {
        let start_line = location.start_line.max(1);
        let end_line = location.end_line.max(start_line);
        let columns = (location.start_column, location.end_column);
        let is_range = columns.0 >= 1 && columns.1 >= 1 && (end_line > start_line || columns.1 > columns.0);
        Self { start_line, end_line, columns: is_range.then_some(columns) }
    }
}

/// Looks places up: each file is asked for, read and hashed once.
pub(super) struct Places<'r> {
    repository: &'r dyn Repository,
    paths: HashMap<String, Option<String>>,
    hashes: HashMap<String, Option<LineHashes>>,
}

impl<'r> Places<'r> {
    pub(super) fn new(repository: &'r dyn Repository) -> Self {
        Self { repository, paths: HashMap::new(), hashes: HashMap::new() }
    }

    /// The place of a finding: never none, since one result without a place makes GitHub refuse all others.
    pub(super) fn of(&mut self, location: &Location) -> Place {
        self.known(location).unwrap_or_else(|| Place { path: self.repository.stand_in(), region: None })
    }

    /// The same, where the file is in the repository.
    pub(super) fn known(&mut self, location: &Location) -> Option<Place> {
        let reported = location.path.as_str();
        if !self.paths.contains_key(reported) {
            self.paths.insert(reported.to_owned(), self.repository.path(reported));
        }
        let path = self.paths.get(reported)?.clone()?;
        Some(Place { path, region: Some(Region::of(location)) })
    }

    /// GitHub's hash of the line that a place starts at.
    pub(super) fn line_hash(&mut self, place: &Place) -> Option<String> {
        let line = place.region.map_or(1, |region| region.start_line);
        if !self.hashes.contains_key(&place.path) {
            let hashes = self.repository.text(&place.path).map(|text| LineHashes::of(&text));
            self.hashes.insert(place.path.clone(), hashes);
        }
        self.hashes.get(&place.path)?.as_ref()?.line(line)
    }
}
