//! Where symbols stand in the source.

use super::files::SourceFiles;
use super::lines::{DebugSections, LineIndex, Reading};
use super::table::{Candidate, SourceLine};

/// Looks up the source line of every candidate, in their order, and returns the
/// files that were met.
pub(super) fn locate(
    candidates: &mut [Candidate],
    sections: &DebugSections<'_>,
    image: &object::File<'_>,
    reading: Reading,
) -> SourceFiles {
    let mut index = LineIndex::new(sections, image, reading);
    for candidate in candidates {
        let point = index.locate(candidate.address.0);
        candidate.source = point.map(|point| SourceLine {
            file: point.file,
            line: point.line,
        });
    }
    SourceFiles::new(index.file_names().map(Into::into).collect())
}
