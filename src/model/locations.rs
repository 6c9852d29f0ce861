//! The source locations of a profile, in columns.

use std::num::NonZeroU32;
use std::sync::Arc;

use super::{InternedNames, LocationId, RecordedLocation};

/// Source locations by number. Millions of lines share the names of a few files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Locations {
    files: InternedNames,
    /// The number of the file, and the line.
    rows: Vec<(u32, Option<NonZeroU32>)>,
}

impl Locations {
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// # Panics
    /// If no location has that number.
    pub fn file(&self, id: LocationId) -> &Arc<[u8]> {
        self.files.get(self.rows[id.index()].0)
    }

    /// # Panics
    /// If no location has that number.
    pub fn line(&self, id: LocationId) -> Option<NonZeroU32> {
        self.rows[id.index()].1
    }

    /// # Panics
    /// If no location has that number.
    pub fn get(&self, id: LocationId) -> RecordedLocation {
        RecordedLocation { file: Arc::clone(self.file(id)), line: self.line(id) }
    }

    pub fn push(&mut self, location: RecordedLocation) {
        let file = self.files.number(&location.file);
        self.rows.push((file, location.line));
    }

    pub fn iter(&self) -> impl ExactSizeIterator<Item = RecordedLocation> + Clone {
        let location =
            |&(file, line)| RecordedLocation { file: Arc::clone(self.files.get(file)), line };
        self.rows.iter().map(location)
    }

    /// The files of all locations in turn.
    pub fn files(&self) -> impl Iterator<Item = &Arc<[u8]>> + Clone {
        self.rows.iter().map(|&(file, _)| self.files.get(file))
    }
}

impl FromIterator<RecordedLocation> for Locations {
    fn from_iter<I: IntoIterator<Item = RecordedLocation>>(rows: I) -> Self {
        let mut locations = Self::default();
        rows.into_iter().for_each(|location| locations.push(location));
        locations
    }
}
