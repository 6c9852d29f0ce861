//! Files that shell completion proposes, by their contents.

use std::ffi::{OsStr, OsString};
use std::fs::{self, DirEntry};
use std::io::Read;
use std::path::Path;

use crate::files::{MOST_ENTRIES, peek_plain};
use crate::load::{HEAD_SIZE, OpenFile, may_be_profile};
use crate::render::json;
use crate::report::escape::is_clean;
use crate::symbols::Executable;

/// Profiles, programs, saved reports and directories whose names have this prefix, in order.
pub fn files_to_complete(start: &OsStr) -> Vec<OsString> {
    let bytes = start.as_encoded_bytes();
    let n_directory = bytes.iter().rposition(|&byte| byte == b'/');
    let (directory, prefix) = bytes.split_at(n_directory.map_or(0, |place| place + 1));
    let directory_name = crate::sources::path_of(directory);
    let read_from = match directory {
        b"" => Path::new("."),
        _ => &directory_name,
    };
    let Ok(entries) = fs::read_dir(read_from) else {
        return Vec::new();
    };
    // A shell would show controls in a name to the terminal.
    let starts_so = |entry: &DirEntry| {
        let name = entry.file_name();
        let name = name.as_encoded_bytes();
        let is_hidden = name.starts_with(b".") && !prefix.starts_with(b".");
        name.starts_with(prefix) && !is_hidden && is_clean(name)
    };
    let entries = entries.filter_map(Result::ok).filter(starts_so);
    let shown = entries.take(MOST_ENTRIES).filter_map(|entry| {
        let mut name = directory_name.clone().into_os_string();
        name.push(entry.file_name());
        // A link counts as its target.
        let metadata = fs::metadata(entry.path()).ok()?;
        if metadata.is_dir() {
            name.push("/");
            return Some(name);
        }
        (metadata.is_file() && can_be_given(&entry.path())).then_some(name)
    });
    let mut shown: Vec<_> = shown.collect();
    shown.sort();
    shown
}

fn can_be_given(path: &Path) -> bool {
    let mut head = Vec::new();
    let read = peek_plain(path).and_then(|file| file.take(HEAD_SIZE as u64).read_to_end(&mut head));
    let is_report =
        || OpenFile::decompressed_start(path).is_ok_and(|start| json::is_report(&start));
    let is_other = || Executable::is_one(&head) || is_report();
    read.is_ok() && (is_other() || may_be_profile(path))
}
