//! Which object file each function comes from: the map that `-R` reads.
//!
//! A line is `FILE:…FUNCTION`, as `nm -A` prints it. By gprof's rule the first
//! function of each file stands for the whole of it, and the others have no symbol.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::fs;
use std::path::Path;
use std::sync::Arc;

use super::executable::ExecutableError;
use super::table::{Candidate, SymbolTable};

/// What `nm` says about a file without symbols.
const NOTE: &[u8] = b"No symbols in ";

/// Functions by object file.
#[derive(Debug, Default)]
pub struct FileMap {
    files: BTreeSet<Box<[u8]>>,
    /// The file of a function, and whether the function stands for it.
    functions: HashMap<Box<[u8]>, (Arc<[u8]>, bool)>,
}

impl FileMap {
    /// Reads a map.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn open(path: &Path) -> Result<Self, ExecutableError> {
        let bytes = fs::read(path).map_err(|source| ExecutableError::Io {
            path: path.display().to_string(),
            source,
        })?;
        Ok(Self::parse(&bytes))
    }

    fn parse(bytes: &[u8]) -> Self {
        let mut map = Self::default();
        let mut last_file: &[u8] = b"";
        for line in bytes.split(|&byte| byte == b'\n') {
            let colon = line.iter().position(|&byte| byte == b':');
            let Some(colon) = colon.filter(|_| !line.starts_with(NOTE)) else {
                continue;
            };
            let file = &line[..colon];
            let Some(function) = line.rsplit(|&byte| byte == b' ').next() else {
                continue;
            };
            let is_first = file != last_file;
            last_file = file;
            map.files.insert(file.into());
            map.functions
                .entry(function.into())
                .or_insert_with(|| (file.into(), is_first));
        }
        map
    }

    /// Whether functions of such a file are in the map.
    #[must_use]
    pub fn has_file(&self, name: &[u8]) -> bool {
        self.files.contains(name)
    }

    /// The files for which no symbol stands, by name.
    pub fn files_without_symbol(&self, table: &SymbolTable) -> impl Iterator<Item = &[u8]> {
        let names = table.symbols().iter().map(|symbol| &*symbol.name);
        let known: HashSet<Vec<u8>> = names
            .filter(|name| self.has_file(name))
            .map(<[u8]>::to_vec)
            .collect();
        let files = self.files.iter().map(|name| &**name);
        files.filter(move |name| !known.contains(*name))
    }

    /// Names the first function of each file after it, and drops the others.
    pub(super) fn fold(&self, candidates: &mut Vec<Candidate>) {
        candidates.retain_mut(|candidate| match self.functions.get(&*candidate.name) {
            None => true,
            Some((file, stands_for_it)) => {
                candidate.name.clone_from(file);
                *stands_for_it
            }
        });
    }
}
