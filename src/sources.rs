//! Finds and reads source files.

mod trusted;

pub use trusted::{TrustedDirs, trust_option};

use std::borrow::Cow;
use std::collections::HashMap;
use std::env;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Weak};
use std::time::SystemTime;

use crate::files::{MOST_UNASKED, open_up_to, read_plain, why_passed_over};

/// Where to search sources.
#[derive(Clone, Debug, Default)]
pub struct SourceSearch {
    dirs: Vec<PathBuf>,
    maps: Vec<PathMap>,
}

/// Sources whose recorded path starts with `old` are at `new`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathMap {
    /// Leading components of recorded paths.
    pub old: Vec<u8>,
    /// Their replacement.
    pub new: Vec<u8>,
}

/// The result of a search for a source.
#[derive(Clone, Debug, Default)]
pub struct Lookup<S = SourceText> {
    /// The source, if found.
    pub source: Option<S>,
    /// Files with its name that are not regular files, or too large.
    pub passed_over: Vec<PassedOver>,
    /// Files with its name outside of the trusted directories, which were not opened.
    pub outside: Vec<PathBuf>,
}

/// A file with the name of a source that is not a usable one: a directory, a pipe, a device,
/// or too large.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PassedOver {
    /// Where it is.
    pub path: PathBuf,
    /// The kind of file.
    pub reason: String,
}

/// Sources in use, by real path: one file may have any number of names.
#[derive(Debug, Default)]
pub struct ReadSources(HashMap<PathBuf, Weak<Vec<u8>>>);

impl ReadSources {
    fn read(&mut self, path: &Path) -> io::Result<SourceText> {
        let real = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let text = match self.0.get(&real).and_then(Weak::upgrade) {
            Some(text) => text,
            None => {
                let text = Arc::new(read_plain(path, MOST_UNASKED)?);
                self.0.insert(real, Arc::downgrade(&text));
                text
            }
        };
        Ok(SourceText {
            text,
            modified: fs::metadata(path)?.modified().ok(),
            path: path.to_owned(),
        })
    }
}

/// A source file with its text.
#[derive(Clone, Debug)]
pub struct SourceText {
    /// The contents.
    pub text: Arc<Vec<u8>>,
    /// Where it was found.
    pub path: PathBuf,
    /// Modification time, if known.
    pub modified: Option<SystemTime>,
}

impl SourceText {
    /// Number of lines; the last one may lack its end.
    pub fn n_lines(&self) -> usize {
        let ends = self.text.iter().filter(|&&byte| byte == b'\n').count();
        let is_open = self.text.last().is_some_and(|&byte| byte != b'\n');
        ends + usize::from(is_open)
    }
}

impl SourceSearch {
    /// Adds directories after the present ones, separated as in `PATH`.
    pub fn add_dirs(&mut self, list: &OsStr) {
        if !list.is_empty() {
            self.dirs.extend(env::split_paths(list));
        }
    }

    /// Adds a mapping of paths. The first that matches a path applies.
    pub fn add_map(&mut self, map: PathMap) {
        self.maps.push(map);
    }

    /// Finds a source by its recorded path.
    ///
    /// Tries that path first; then, if it is relative, in each directory; then its base name
    /// in each directory. Skips anything but regular files without opening it.
    pub fn find(&self, recorded: &[u8], known: &mut ReadSources) -> Lookup {
        self.find_with(recorded, |path| known.read(path))
    }

    /// The same within trusted directories. Resolves links before comparing paths.
    pub fn find_within(
        &self,
        recorded: &[u8],
        trusted: &TrustedDirs,
        known: &mut ReadSources,
    ) -> Lookup {
        self.find_with(recorded, |path| {
            let source = known.read(&trusted.real_path(path)?)?;
            Ok(SourceText { path: path.to_owned(), ..source })
        })
    }

    /// The same without reading it: many names can lead to one large file.
    #[must_use]
    pub fn locate_within(&self, recorded: &[u8], trusted: &TrustedDirs) -> Lookup<()> {
        self.find_with(recorded, |path| {
            open_up_to(&trusted.real_path(path)?, MOST_UNASKED).map(|_| ())
        })
    }

    /// The source directories of the command line, and the current one.
    pub fn trusted_dirs(&self) -> TrustedDirs {
        let mut trusted = TrustedDirs::default();
        trusted.add(Path::new("."));
        for dir in &self.dirs {
            trusted.add(dir);
        }
        for map in &self.maps {
            trusted.add(&path_of(&map.new));
        }
        trusted
    }

    fn find_with<S>(
        &self,
        recorded: &[u8],
        mut read: impl FnMut(&Path) -> io::Result<S>,
    ) -> Lookup<S> {
        let name = self.mapped(recorded);
        let mut lookup = Lookup { source: None, passed_over: Vec::new(), outside: Vec::new() };
        for path in self.candidates(&name) {
            match read(&path) {
                Ok(source) => {
                    lookup.source = Some(source);
                    break;
                }
                Err(error)
                    if error.get_ref().is_some_and(|inner| inner.is::<trusted::Outside>()) =>
                {
                    lookup.outside.push(path);
                }
                Err(error) => lookup
                    .passed_over
                    .extend(why_passed_over(&error).map(|reason| PassedOver { path, reason })),
            }
        }
        lookup
    }

    /// Possible paths of a source, best first.
    fn candidates(&self, name: &[u8]) -> impl Iterator<Item = PathBuf> {
        let is_relative = !name.starts_with(b"/");
        let last = name.rsplit(|&byte| byte == b'/').next();
        let whole = is_relative.then_some(name);
        let last = last.filter(|last| last.len() < name.len());
        let parts = [whole, last].into_iter().flatten();
        let below = parts.flat_map(|part| self.dirs.iter().map(move |dir| below(dir, part)));
        [path_of(name)].into_iter().chain(below)
    }

    fn mapped<'n>(&self, name: &'n [u8]) -> Cow<'n, [u8]> {
        let moved = |map: &PathMap| {
            let rest = name.strip_prefix(&*map.old)?;
            let is_whole = rest.is_empty() || rest.starts_with(b"/") || map.old.ends_with(b"/");
            is_whole.then(|| Cow::Owned([&*map.new, rest].concat()))
        };
        let moved = self.maps.iter().find_map(moved);
        moved.unwrap_or(Cow::Borrowed(name))
    }
}

fn below(dir: &Path, name: &[u8]) -> PathBuf {
    let dir = dir.as_os_str().as_encoded_bytes();
    path_of(&[dir, b"/", name].concat())
}

/// A path of these bytes; on systems with Unicode paths, decoded.
#[cfg(unix)]
pub fn path_of(bytes: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt;
    PathBuf::from(OsStr::from_bytes(bytes))
}

/// A path of these bytes; on systems with Unicode paths, decoded.
#[cfg(not(unix))]
pub fn path_of(bytes: &[u8]) -> PathBuf {
    PathBuf::from(String::from_utf8_lossy(bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(old: &str, name: &str, expected: &str) {
        let mut search = SourceSearch::default();
        search.add_map(PathMap { old: old.into(), new: b"/new".into() });
        let mapped = search.mapped(name.as_bytes());
        assert_eq!(&*mapped, expected.as_bytes(), "for {old} and {name}");
    }

    #[test]
    fn whole_components_at_the_start_of_a_name_are_mapped() {
        check("/build", "/build/a.c", "/new/a.c");
        check("/build", "/builder/a.c", "/builder/a.c");
        check("/build", "/x/build/a.c", "/x/build/a.c");
        check("/build/a.c", "/build/a.c", "/new");
    }

    #[test]
    fn the_name_comes_first_then_directories_then_its_last_component() {
        let directory = tempfile::tempdir().expect("a temporary folder can be made");
        fs::create_dir(directory.path().join("sub")).expect("a folder can be made");
        let write = |name: &str| fs::write(directory.path().join(name), name);
        write("a.c").expect("a file can be written");
        let mut search = SourceSearch::default();
        search.add_dirs(directory.path().as_os_str());
        let found = |name: &str| {
            let known = &mut ReadSources::default();
            let source = search.find(name.as_bytes(), known).source;
            source.map(|source| source.text.to_vec())
        };
        assert_eq!(found("sub/a.c"), Some(b"a.c".to_vec()));
        assert_eq!(found("/gone/a.c"), Some(b"a.c".to_vec()));
        write("sub/a.c").expect("a file can be written");
        assert_eq!(found("sub/a.c"), Some(b"sub/a.c".to_vec()));
        assert_eq!(found("sub"), None);
    }

    #[test]
    fn a_file_with_several_names_is_read_once() {
        let directory = tempfile::tempdir().expect("a temporary folder can be made");
        fs::write(directory.path().join("a.c"), "text").expect("a file can be written");
        let known = &mut ReadSources::default();
        let mut text = |name: &str| {
            let path = directory.path().join(name);
            known.read(&path).expect("it is there").text
        };
        let first = text("a.c");
        assert!(Arc::ptr_eq(&first, &text(".//./a.c")));
    }

    #[test]
    fn a_source_is_there_without_being_read() {
        let directory = tempfile::tempdir().expect("a temporary folder can be made");
        let large = fs::File::create(directory.path().join("large.c"));
        let large = large.expect("a file can be made");
        large.set_len(MOST_UNASKED).expect("it can be long");
        let mut search = SourceSearch::default();
        search.add_dirs(directory.path().as_os_str());
        let trusted = search.trusted_dirs();
        let is_there = |name: &str| {
            let lookup = search.locate_within(name.as_bytes(), &trusted);
            lookup.source.is_some()
        };
        let start = std::time::Instant::now();
        for n in 0..1000 {
            let name = ["./".repeat(n), "large.c".into()].concat();
            assert!(is_there(&name));
        }
        assert!(start.elapsed() < std::time::Duration::from_secs(10));
        large.set_len(MOST_UNASKED + 1).expect("it can be longer");
        assert!(!is_there("large.c"));
    }
}
