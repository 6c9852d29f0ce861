//! One copy of a directory of fixtures, which all of its cases share by hard links.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::SystemTime;

use super::case::Case;
use super::{Scratch, files_below, words_of};

/// The directories of cases.
#[derive(Default)]
pub(crate) struct StagedFixtures(HashMap<PathBuf, Arc<Staged>>);

impl StagedFixtures {
    pub(crate) fn of(&mut self, case: &Case) -> Arc<Staged> {
        let staged = || Arc::new(Staged::new(case.directory.clone()));
        Arc::clone(self.0.entry(case.directory.clone()).or_insert_with(staged))
    }
}

/// Copied for its first case and removed after its last one. The fixtures themselves have no
/// links, so that no case can change them.
pub(crate) struct Staged {
    original: PathBuf,
    copy: OnceLock<Copy>,
}

struct Copy {
    scratch: Scratch,
    files: Vec<(PathBuf, State)>,
}

/// Differs after a write.
type State = (u64, Option<SystemTime>);

impl Staged {
    fn new(original: PathBuf) -> Self {
        Self { original, copy: OnceLock::new() }
    }

    /// A directory for one case: links to the copy, and its own files for further inputs and for
    /// outputs, which are in `NAME.files` or follow `-o`.
    pub(crate) fn scratch_of(&self, case: &Case) -> Scratch {
        let copy = self.copy.get_or_init(|| Copy::of(&self.original));
        let scratch = Scratch::empty();
        let written = case.path.with_extension("files");
        let words = words_of(case.line.trim_end());
        let outputs = words.windows(2).filter(|pair| pair[0] == "-o");
        let outputs: Vec<_> = outputs.map(|pair| pair[1].trim_start_matches("./")).collect();
        for (path, _) in &copy.files {
            let name = copy.name_of(path);
            let target = scratch.path().join(name);
            let directory = target.parent().expect("it is in the scratch directory");
            fs::create_dir_all(directory).expect("a directory can be made");
            let is_output = outputs.iter().any(|output| name == Path::new(output));
            if is_output || written.join(name).exists() || fs::hard_link(path, &target).is_err() {
                Scratch::copy_file(&self.original.join(name), &target);
            }
        }
        if let Ok(inputs) = fs::read_dir(case.path.with_extension("inputs")) {
            for input in inputs {
                let input = input.expect("the directory is readable");
                let target = scratch.path().join(input.file_name());
                let _ = fs::remove_file(&target);
                fs::copy(input.path(), target).expect("a copy can be made");
            }
        }
        scratch
    }

    /// The first file that a case has written through its link.
    pub(crate) fn changed(&self) -> Option<&Path> {
        let copy = self.copy.get()?;
        let changed = copy.files.iter().find(|(path, state)| state_of(path) != *state);
        changed.map(|(path, _)| copy.name_of(path))
    }
}

impl Copy {
    fn of(original: &Path) -> Self {
        let scratch = Scratch::copy_of(original);
        let files = files_below(scratch.path()).into_iter().map(|path| {
            let mut permissions = fs::metadata(&path).expect("it was copied").permissions();
            permissions.set_readonly(true);
            fs::set_permissions(&path, permissions).expect("a copy can be made read-only");
            let state = state_of(&path);
            (path, state)
        });
        Self { files: files.collect(), scratch }
    }

    fn name_of<'p>(&self, path: &'p Path) -> &'p Path {
        path.strip_prefix(self.scratch.path()).expect("it is in the copy")
    }
}

fn state_of(path: &Path) -> State {
    let metadata = fs::metadata(path).expect("cases remove links only");
    (metadata.len(), metadata.modified().ok())
}
