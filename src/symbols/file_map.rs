//! The object file of each function: the map for `-R`.
//!
//! A line is `FILE:… FUNCTION`, as printed by `nm -A`. The first function of each file represents
//! the whole file, and the others have no symbol. As in gprof, the reader skips blank lines and
//! leading blanks after the first line, and refuses any other line.
//!
//! If several files have a function of the same name, all of these count as the one that a
//! binary search in the sorted lines finds.

use std::cmp::Ordering;
use std::collections::{BTreeSet, HashSet};
use std::path::Path;
use std::sync::Arc;

use super::executable::ExecutableError;
use super::table::{SymbolCandidate, SymbolTable};
use crate::files::{MOST_BYTES, read_named};
use crate::sorting::ColdSort;

/// The message of `nm` about a file without symbols.
const NOTE: &[u8] = b"No symbols in ";

/// Functions by object file.
#[derive(Debug, Default)]
pub struct FileMap {
    files: BTreeSet<Box<[u8]>>,
    /// By name; functions of the same name in line order.
    functions: Vec<FunctionOrigin>,
}

/// The file of a function.
#[derive(Debug)]
struct FunctionOrigin {
    function: Box<[u8]>,
    file: Arc<[u8]>,
    /// The first function of its file, which represents it.
    is_first: bool,
}

impl FileMap {
    /// Reads a map.
    ///
    /// # Errors
    /// If the file cannot be read, or has a malformed line.
    pub fn open(path: &Path) -> Result<Self, ExecutableError> {
        let bytes = read_named(path, MOST_BYTES);
        let bytes = bytes.map_err(|source| ExecutableError::io(path, source))?;
        Self::parse(&bytes)
            .map_err(|line| ExecutableError::FileMap { path: path.display().to_string(), line })
    }

    /// The error is the number of the first malformed line.
    fn parse(bytes: &[u8]) -> Result<Self, usize> {
        let mut map = Self::default();
        let mut last_file: &[u8] = b"";
        for (index, line) in bytes.split(|&byte| byte == b'\n').enumerate() {
            let line = if index == 0 { line } else { line.trim_ascii_start() };
            if line.is_empty() && (index > 0 || bytes.is_empty()) {
                continue;
            }
            let colon = line.iter().position(|&byte| byte == b':');
            let (file, of_function) = line.split_at(colon.unwrap_or(line.len()));
            let is_note = file.starts_with(NOTE);
            if is_note && of_function.is_empty() {
                continue;
            }
            let blank = of_function.iter().rposition(|&byte| byte == b' ');
            let Some(blank) = blank.filter(|_| !is_note && !file.is_empty()) else {
                return Err(index + 1);
            };
            let function = &of_function[blank + 1..];
            let is_first = file != last_file;
            last_file = file;
            map.files.insert(file.into());
            map.functions.push(FunctionOrigin {
                function: function.into(),
                file: file.into(),
                is_first,
            });
        }
        map.functions.cold_sort_by(|left, right| left.function.cmp(&right.function));
        Ok(map)
    }

    /// A line of that function. Which one of several depends on the steps of C's `bsearch`.
    fn origin(&self, function: &[u8]) -> Option<&FunctionOrigin> {
        let (mut low, mut high) = (0, self.functions.len());
        while low < high {
            let middle = usize::midpoint(low, high);
            let origin = &self.functions[middle];
            match function.cmp(&origin.function) {
                Ordering::Equal => return Some(origin),
                Ordering::Less => high = middle,
                Ordering::Greater => low = middle + 1,
            }
        }
        None
    }

    /// Returns whether the map contains a file.
    pub fn has_file(&self, name: &[u8]) -> bool {
        self.files.contains(name)
    }

    /// The files without a symbol, by name.
    pub fn files_without_symbol(&self, table: &SymbolTable) -> impl Iterator<Item = &[u8]> {
        let names = table.symbols().iter().map(|symbol| &*symbol.name);
        let known: HashSet<Vec<u8>> =
            names.filter(|name| self.has_file(name)).map(<[u8]>::to_vec).collect();
        let files = self.files.iter().map(|name| &**name);
        files.filter(move |name| !known.contains(*name))
    }

    /// Names the first function of each file after it, and removes the others.
    pub(crate) fn fold(&self, candidates: &mut Vec<SymbolCandidate>) {
        candidates.retain_mut(|candidate| match self.origin(&candidate.name) {
            None => true,
            Some(FunctionOrigin { file, is_first, .. }) => {
                candidate.name.clone_from(file);
                *is_first
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Address;

    /// The remaining functions and their names.
    fn check(map: &[u8], functions: &[&str], expected: &[&str]) {
        let candidate = |name: &&str| SymbolCandidate {
            address: Address(0),
            size: 0,
            name: name.as_bytes().into(),
            is_function: true,
            is_static: false,
            source: None,
        };
        let mut candidates: Vec<_> = functions.iter().map(candidate).collect();
        let map = FileMap::parse(map).expect("the map is well formed");
        map.fold(&mut candidates);
        let names: Vec<_> = candidates
            .iter()
            .map(|candidate| String::from_utf8_lossy(&candidate.name).into_owned())
            .collect();
        assert_eq!(names, expected);
    }

    #[test]
    fn the_first_function_of_a_file_represents_it() {
        let map = b"No symbols in x.o\na.o: 0 T f\na.o: 8 t g\n\nb.o:0 T h\n";
        check(map, &["g", "main", "h", "f"], &["main", "b.o", "a.o"]);
    }

    #[test]
    fn any_line_of_another_form_is_malformed() {
        let malformed = |map: &[u8]| FileMap::parse(map).err();
        assert_eq!(malformed(b" a.o:0 T f\n\n\t b.o:0 T g\nNo symbols in c.o"), None);
        assert_eq!(malformed(b"a.o:0 T f\n\ngarbage\n"), Some(3));
        assert_eq!(malformed(b"\na.o:0 T f\n"), Some(1));
        assert_eq!(malformed(b"a.o:0 T f\n:0 T g\n"), Some(2));
        assert_eq!(malformed(b"No symbols in a.o:b\n"), Some(1));
        assert_eq!(malformed(b"a.o:f\n"), Some(1));
    }

    #[test]
    fn functions_of_one_name_are_all_of_the_line_that_halving_the_list_finds() {
        let functions = ["same", "f", "g", "same"];
        // In order of names: f, g, same of a.o, same of b.o.
        let map = b"a.o: 0 t same\na.o: 8 T f\nb.o: 16 T g\nb.o: 24 t same\n";
        check(map, &functions, &["a.o", "b.o", "a.o"]);
        // In order of names: f, same of a.o, same of b.o, u.
        let map = b"a.o: 0 t same\na.o: 8 T f\nb.o: 16 T u\nb.o: 24 t same\n";
        check(map, &functions, &["g"]);
    }
}
