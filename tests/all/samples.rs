//! Files of other profilers, which are not part of the repository.

use std::path::{Path, PathBuf};

/// The directory of files of a format, if it is next to the repository.
pub(crate) fn samples(format: &str) -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let directory = root.join("../shared/samples").join(format);
    directory.is_dir().then_some(directory)
}
