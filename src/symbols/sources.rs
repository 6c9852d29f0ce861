//! Where symbols stand in the source.

use super::files::SourceFiles;
use super::lines::{DebugSections, LineIndex, Reading};
use super::table::{Candidate, SourceLine};

/// What was met on the way to source lines.
#[derive(Default)]
pub(super) struct Met {
    /// The source files, in the order in which they were first mentioned.
    pub(super) files: SourceFiles,
    /// What could not be used of the debugging information.
    pub(super) notes: Vec<String>,
}

/// Looks up the source line of every candidate, in their order.
pub(super) fn locate(
    candidates: &mut [Candidate],
    sections: &DebugSections<'_>,
    image: &object::File<'_>,
    reading: Reading,
) -> Met {
    let mut index = LineIndex::new(sections, image, reading);
    for candidate in candidates {
        let point = index.locate(candidate.address.0);
        candidate.source = point.map(|point| SourceLine {
            file: point.file,
            line: point.line,
        });
    }
    Met {
        files: SourceFiles::new(index.file_names().map(Into::into).collect()),
        notes: index.notes().iter().map(ToString::to_string).collect(),
    }
}
