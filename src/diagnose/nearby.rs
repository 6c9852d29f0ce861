//! Finds profiles near a program, by name and by first bytes.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::files::{MOST_ENTRIES, peek_plain};
use crate::load::{FilePart, HEAD_SIZE, OpenFile, part_of, without_ending};
use crate::sorting::ColdSort;
use crate::symbols::Executable;

/// Environment variables that determine the location of profiles.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Environment {
    /// glibc writes `PREFIX.PID` instead of gmon.out.
    pub gmon_out_prefix: Option<OsString>,
    /// NetBSD and others write `PID.PROGRAM` into this directory.
    pub profdir: Option<OsString>,
    /// mpatrol's options, with its output files.
    pub mpatrol_options: Option<OsString>,
    /// Directory of profiles of shared libraries.
    pub ld_profile_output: Option<OsString>,
}

/// A possible profile of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Nearby {
    pub path: PathBuf,
    /// Modification time, if known.
    pub modified: Option<SystemTime>,
    /// The profile of a shared library, by `LD_PROFILE`.
    pub is_of_library: bool,
    /// The name identifies the program, or the user named the file.
    pub is_named: bool,
}

/// Maximum number of files to open.
const MAX_OPENED: usize = 256;

/// Finds profiles in the current directory, the program's directory, and the ones in the
/// environment. Files that the environment names come first, then the latest, then by name.
pub fn find_nearby(program: &Path, environment: &Environment) -> Vec<Nearby> {
    let name = program.file_name().unwrap_or_default();
    let names = ProfileNames {
        program: name.to_string_lossy().into_owned(),
        prefix: prefix_of(environment),
        of_mpatrol: names_of_mpatrol(environment),
    };
    let mut found = Vec::new();
    let mut n_opened = 0;
    for directory in directories(program, environment) {
        for entry in entries_of(&directory) {
            let path = directory.join(&entry);
            let path = path.strip_prefix(".").unwrap_or(&path).to_owned();
            let Some(wanted) = names.wants(&entry.to_string_lossy()) else {
                continue;
            };
            if n_opened == MAX_OPENED {
                break;
            }
            n_opened += 1;
            found.extend(look_at(path, wanted).ok().flatten());
        }
    }
    let is_asked_for = |file: &Nearby| names.has_prefix(&file.path);
    found.cold_sort_by(|a, b| {
        let by_prefix = is_asked_for(b).cmp(&is_asked_for(a));
        let by_time = || b.modified.cmp(&a.modified);
        by_prefix.then_with(by_time).then_with(|| a.path.cmp(&b.path))
    });
    found
}

/// Programs in the current directory and the directories of some files, by name.
pub fn find_programs<'p>(files: impl Iterator<Item = &'p Path>) -> Vec<PathBuf> {
    let of_files = files.filter_map(|file| file.parent().map(Path::to_owned));
    let directories: BTreeSet<_> = of_files.chain([PathBuf::new()]).collect();
    let mut found = Vec::new();
    for directory in directories {
        let is_here = directory.as_os_str().is_empty();
        let listed = if is_here { Path::new(".") } else { &directory };
        let entries = entries_of(listed).into_iter();
        let paths = entries.map(|entry| directory.join(entry));
        found.extend(paths.filter(|path| is_program(path)).take(MAX_PROGRAMS));
    }
    found
}

/// Maximum number of programs to inspect in a directory.
const MAX_PROGRAMS: usize = 32;

fn is_program(path: &Path) -> bool {
    start_of(path, HEAD_SIZE as u64).is_ok_and(|start| Executable::is_one(&start))
}

/// How reliable a file name is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    /// Always a profile.
    ByName,
    /// A profile only if the file starts like one.
    ByStart,
    /// The profile of a shared library.
    OfLibrary,
}

struct ProfileNames {
    program: String,
    /// The base name in `GMON_OUT_PREFIX`.
    prefix: Option<String>,
    of_mpatrol: Vec<String>,
}

impl ProfileNames {
    fn has_prefix(&self, path: &Path) -> bool {
        let stem = path.file_stem().map(|stem| stem.to_string_lossy());
        self.prefix.is_some() && stem.as_deref() == self.prefix.as_deref()
    }

    fn wants(&self, name: &str) -> Option<Wanted> {
        let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        let program = &self.program;
        // FreeBSD, and OpenBSD since 7.8.
        let is_of_bsd = name.strip_suffix(".gmon") == Some(program)
            || name
                .strip_prefix("gmon.")
                .and_then(|rest| rest.strip_prefix(program.as_str()))
                .is_some_and(|rest| rest.ends_with(".out"));
        if ["gmon.out", "mlmon.out"].contains(&name)
            || is_of_bsd
            || self.of_mpatrol.iter().any(|known| known == name)
        {
            return Some(Wanted::ByName);
        }
        if library_of(name).is_some() {
            return Some(Wanted::OfLibrary);
        }
        let (before, after) = name.split_once('.')?;
        if is_number(before) && after == program {
            return Some(Wanted::ByName);
        }
        let (before, after) = name.rsplit_once('.')?;
        let is_ours = self.prefix.as_deref() == Some(before);
        is_number(after).then_some(if is_ours { Wanted::ByName } else { Wanted::ByStart })
    }
}

fn prefix_of(environment: &Environment) -> Option<String> {
    let prefix = environment.gmon_out_prefix.as_ref()?;
    let name = Path::new(prefix).file_name()?;
    Some(name.to_string_lossy().into_owned())
}

/// Default names, and those in mpatrol's options.
fn names_of_mpatrol(environment: &Environment) -> Vec<String> {
    let options = environment.mpatrol_options.clone().unwrap_or_default();
    let options = options.to_string_lossy().into_owned();
    let words = options.split_ascii_whitespace();
    let files = words.filter_map(|word| {
        let (option, file) = word.split_once('=')?;
        let is_file = ["PROFFILE", "TRACEFILE"].contains(&option.to_ascii_uppercase().as_str());
        is_file.then(|| file.to_owned())
    });
    let usual = ["mpatrol.out", "mpatrol.trace"].map(str::to_owned);
    usual.into_iter().chain(files).collect()
}

/// Possible directories of profiles, without duplicates.
fn directories(program: &Path, environment: &Environment) -> Vec<PathBuf> {
    let parent = |path: &Path| path.parent().map(Path::to_owned);
    let prefix = environment.gmon_out_prefix.as_ref();
    let all = [
        Some(PathBuf::from(".")),
        parent(program),
        prefix.and_then(|prefix| parent(Path::new(prefix))),
        environment.profdir.as_ref().map(PathBuf::from),
        environment.ld_profile_output.as_ref().map(PathBuf::from),
    ];
    let mut known = BTreeSet::new();
    let all = all.into_iter().flatten();
    let named = all.filter(|directory| !directory.as_os_str().is_empty());
    named
        .filter(|directory| known.insert(fs::canonicalize(directory).unwrap_or(directory.clone())))
        .collect()
}

/// Names in a directory, sorted; empty if unreadable.
fn entries_of(directory: &Path) -> BTreeSet<OsString> {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    entries.take(MOST_ENTRIES).map(|entry| entry.file_name()).collect()
}

/// The file, if it starts like a profile.
fn look_at(path: PathBuf, wanted: Wanted) -> io::Result<Option<Nearby>> {
    let start = decompressed_start_of(&path)?;
    let is_gmon = start.starts_with(b"gmon");
    let is_library = part_of(&start) == FilePart::Library;
    let is_wanted = match wanted {
        Wanted::ByName => true,
        Wanted::ByStart => is_gmon && !is_library,
        Wanted::OfLibrary => is_library,
    };
    let modified = fs::metadata(&path)?.modified().ok();
    Ok(is_wanted.then_some(Nearby {
        path,
        modified,
        is_of_library: is_library,
        is_named: wanted == Wanted::ByName,
    }))
}

/// The library of a profile, from its name with or without compression suffix.
pub(super) fn library_of(name: &str) -> Option<&str> {
    without_ending(name).strip_suffix(".profile")
}

/// Returns whether a file is the profile of a shared library, regardless of its name.
pub fn holds_library_profile(path: &Path) -> bool {
    decompressed_start_of(path).is_ok_and(|start| part_of(&start) == FilePart::Library)
}

/// The first bytes of a regular file, decompressed.
fn decompressed_start_of(path: &Path) -> io::Result<Vec<u8>> {
    start_of(path, 0)?;
    OpenFile::decompressed_start(path).map_err(io::Error::other)
}

/// The first bytes of a regular file. Other files are not opened: a pipe would block.
fn start_of(path: &Path, n_bytes: u64) -> io::Result<Vec<u8>> {
    let mut start = Vec::new();
    peek_plain(path)?.take(n_bytes).read_to_end(&mut start)?;
    Ok(start)
}
