//! Which files may be printed as sources.

use std::env;
use std::fs;
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};

use crate::files::{check_kind, peek_plain};

/// Directories whose files may be printed as sources: the directories of the executable, the
/// process and the command line, and the source tree around the executable. A hostile executable
/// can name any other file.
#[derive(Clone, Debug, Default)]
pub struct TrustedDirs {
    dirs: Vec<PathBuf>,
    trees: Vec<PathBuf>,
}

/// A file is outside of all trusted directories.
#[derive(Debug, thiserror::Error)]
#[error("it is outside the trusted directories")]
pub(super) struct Outside;

impl TrustedDirs {
    /// Adds an existing directory or file.
    pub fn add(&mut self, path: &Path) {
        self.dirs.extend(fs::canonicalize(path));
    }

    /// Adds the directory of an executable, and its source tree.
    pub fn with_dir_of(mut self, executable: &Path) -> Self {
        let dir = executable.parent().filter(|dir| !dir.as_os_str().is_empty());
        if let Ok(dir) = fs::canonicalize(dir.unwrap_or(Path::new("."))) {
            self.trees.extend(source_tree(&dir).map(Path::to_owned));
            self.dirs.push(dir);
        }
        self
    }

    /// The real path of a file that may be read.
    ///
    /// # Errors
    /// If the path does not exist, or is outside; the latter has an [`Outside`].
    pub(super) fn real_path(&self, path: &Path) -> io::Result<PathBuf> {
        let real = fs::canonicalize(path)?;
        let is_within = self.dirs.iter().any(|dir| real.starts_with(dir))
            || is_source(&real) && self.trees.iter().any(|tree| is_in_tree(&real, tree));
        if is_within {
            return Ok(real);
        }
        // A file that is not a regular one has an error of its own.
        check_kind(&fs::metadata(&real)?)?;
        Err(io::Error::other(Outside))
    }
}

/// The option that makes the directory of a file trusted, as in `-I ../src`: relative if the
/// directory is near the current one. `None` unless the file has the extension of a source.
#[must_use]
pub fn trust_option(file: &Path) -> Option<String> {
    let real = fs::canonicalize(file).ok().filter(|real| is_source(real))?;
    let dir = real.parent()?;
    let here = env::current_dir().and_then(fs::canonicalize).unwrap_or_default();
    let above = here.ancestors().take(N_LEVELS + 1).filter(|above| above.parent().is_some());
    let near = above.zip(0..).find_map(|(above, n_up)| {
        let below = dir.strip_prefix(above).ok()?;
        let up = std::iter::repeat_n(Component::ParentDir, n_up);
        Some(up.chain(below.components()).collect::<PathBuf>())
    });
    let dir = near.as_deref().unwrap_or(dir).display().to_string();
    Some(format!("-I {}", shlex::try_quote(&dir).ok()?))
}

/// The most directories between that of an executable and the top of its source tree.
const N_LEVELS: usize = 3;

/// Files in the top directory of a source tree.
const TOPS: &[&str] = &[".git", "CMakeLists.txt", "meson.build", "configure"];

/// The nearest directory above the real directory of an executable that is the top of a source
/// tree. Never a home directory, the root or a directory there.
fn source_tree(dir: &Path) -> Option<&Path> {
    let above = dir.ancestors().skip(1).take(N_LEVELS);
    let mut above = above.take_while(|dir| !is_shared(dir));
    above.find(|dir| {
        let has = |name: &&str| dir.join(name).exists();
        TOPS.iter().any(has) || is_handwritten(&dir.join("Makefile"))
    })
}

/// Whether a makefile exists that does not say that a tool generated it, as those of CMake, automake
/// and qmake do in their first lines.
fn is_handwritten(makefile: &Path) -> bool {
    let mut start = Vec::new();
    let read = peek_plain(makefile).and_then(|file| file.take(512).read_to_end(&mut start));
    read.is_ok() && memchr::memmem::find(&start, b"enerated").is_none()
}

/// Whether a directory holds more than one project: the root, a directory there, or a home.
fn is_shared(dir: &Path) -> bool {
    let n_names = dir.components().filter(|one| matches!(one, Component::Normal(_))).count();
    let parent = dir.parent().and_then(Path::file_name).unwrap_or_default();
    let is_users = n_names == 2 && ["home", "Users"].iter().any(|homes| parent == *homes);
    let home = env::home_dir().and_then(|home| fs::canonicalize(home).ok());
    n_names < 2 || is_users || home.is_some_and(|home| home.starts_with(dir))
}

/// Whether a real path is in a tree, and in no hidden directory there.
fn is_in_tree(real: &Path, tree: &Path) -> bool {
    let is_hidden = |one: Component<'_>| one.as_os_str().as_encoded_bytes().starts_with(b".");
    real.strip_prefix(tree).is_ok_and(|below| !below.components().any(is_hidden))
}

/// Extensions of source files that compilers write to debug information, in lower case.
const EXTENSIONS: &[&str] = &[
    "adb", "ads", "asm", "c", "c++", "cc", "cp", "cpp", "cppm", "cu", "cuh", "cxx", "d", "di", "f",
    "f03", "f08", "f77", "f90", "f95", "for", "fpp", "ftn", "fun", "go", "h", "h++", "hh", "hpp",
    "hxx", "inc", "inl", "ipp", "ixx", "java", "l", "ll", "lpp", "m", "ml", "mli", "mm", "nim",
    "p", "pas", "pp", "rs", "s", "sig", "sml", "sv", "svh", "swift", "sx", "tcc", "tpp", "txx",
    "v", "vala", "vh", "vhd", "y", "ypp", "yy", "zig",
];

fn is_source(path: &Path) -> bool {
    let extension = path.extension().and_then(|one| one.to_str()).unwrap_or_default();
    EXTENSIONS.binary_search(&&*extension.to_ascii_lowercase()).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Makes empty files below a directory, and returns whether an executable in `build` of the
    /// first may read the last.
    fn reads(files: &[&str]) -> bool {
        let scratch = tempfile::tempdir().expect("a temporary directory can be made");
        for file in files {
            let path = scratch.path().join(file);
            let dir = path.parent().expect("it has one");
            fs::create_dir_all(dir).expect("a directory can be made");
            fs::write(path, "").expect("a file can be written");
        }
        let path = |name: &str| scratch.path().join(name);
        let trusted = TrustedDirs::default().with_dir_of(&path(files[0]));
        trusted.real_path(&path(files[files.len() - 1])).is_ok()
    }

    #[test]
    fn extensions_are_sorted() {
        assert!(EXTENSIONS.is_sorted());
    }

    #[test]
    fn sources_of_the_tree_around_an_executable_may_be_read() {
        for top in ["CMakeLists.txt", "meson.build", "configure", "Makefile", ".git/HEAD"] {
            let top = format!("project/{top}");
            assert!(reads(&["project/build/prog", &top, "project/src/main.c"]), "{top}");
            assert!(reads(&["project/build/a/prog", &top, "project/src/main.c"]), "{top}");
            assert!(!reads(&["project/1/2/3/4/prog", &top, "project/src/main.c"]), "{top}");
            assert!(!reads(&["project/build/prog", &top, "other/main.c"]), "{top}");
        }
        assert!(!reads(&["project/build/prog", "project/src/main.c"]));
    }

    #[test]
    fn generated_makefiles_are_not_the_top() {
        for (text, is_top) in [("# CMAKE generated file: DO NOT EDIT!", false), ("all: prog", true)]
        {
            let scratch = tempfile::tempdir().expect("a temporary directory can be made");
            fs::create_dir_all(scratch.path().join("p/build/src"))
                .expect("directories can be made");
            fs::write(scratch.path().join("p/configure"), "").expect("a file can be written");
            let build = scratch.path().join("p/build");
            fs::write(build.join("Makefile"), text).expect("a file can be written");
            let top = if is_top { &*build } else { &*scratch.path().join("p") };
            assert_eq!(source_tree(&build.join("src")), Some(top), "{text}");
        }
    }

    #[test]
    fn other_files_and_hidden_directories_of_the_tree_are_not_read() {
        for file in ["key.pem", ".ssh/key.c", "src/.env.c", "secret", "src/.git/config"] {
            let file = format!("project/{file}");
            assert!(!reads(&["project/build/prog", "project/Makefile", &file]), "{file}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_link_that_leads_out_of_the_tree_is_not_read() {
        let scratch = tempfile::tempdir().expect("a temporary directory can be made");
        let path = |name: &str| scratch.path().join(name);
        fs::create_dir_all(path("project/build")).expect("a directory can be made");
        fs::write(path("project/Makefile"), "").expect("a file can be written");
        fs::write(path("main.c"), "").expect("a file can be written");
        std::os::unix::fs::symlink("../main.c", path("project/link.c")).expect("a link");
        let trusted = TrustedDirs::default().with_dir_of(&path("project/build/prog"));
        let error = trusted.real_path(&path("project/link.c")).expect_err("it leads out");
        assert!(error.get_ref().is_some_and(|inner| inner.is::<Outside>()));
    }

    #[test]
    fn directories_of_several_projects_are_not_trees() {
        for dir in ["/", "/tmp", "/home/ann", "/Users/ann", "/home"] {
            assert!(is_shared(Path::new(dir)), "{dir}");
        }
        assert!(!is_shared(Path::new("/srv/project")));
        let home = env::home_dir().and_then(|home| fs::canonicalize(home).ok());
        assert!(home.is_none_or(|home| is_shared(&home)));
    }
}
