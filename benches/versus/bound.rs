//! The bound from below of a job: reading the bytes that it reads and writing as many as it
//! writes, by the simplest loop.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Error, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::measured::{self, Taken};

/// The word that makes this program write a number of bytes and read files, which follow it.
pub(crate) const READ_AND_WRITE: &str = "--read-and-write";

/// Bytes that are read or written at once.
const PIECE: usize = 1 << 16;

/// The costs of the loop over the bytes of a job.
pub(crate) struct Bound {
    /// Bytes of all files that it names.
    pub(crate) n_read: u64,
    /// Bytes that profan prints.
    pub(crate) n_written: u64,
    words: String,
}

impl Bound {
    /// The bytes of a job.
    ///
    /// # Errors
    /// When profan or a file cannot be read.
    pub(crate) fn of(directory: &Path, profan: &Path, words: &str) -> io::Result<Self> {
        let mut files = Vec::new();
        for word in words.split_whitespace() {
            match word.strip_prefix('@') {
                Some(list) => {
                    let list = fs::read_to_string(directory.join(list))?;
                    files.extend(list.lines().map(str::to_owned));
                }
                None if directory.join(word).is_file() => files.push(word.to_owned()),
                None => {}
            }
        }
        let sizes: io::Result<Vec<u64>> =
            files.iter().map(|file| Ok(fs::metadata(directory.join(file))?.len())).collect();
        let n_written = n_printed(directory, profan, words)?;
        let list = directory.join("read");
        fs::write(&list, files.join("\n"))?;
        Ok(Self {
            n_read: sizes?.iter().sum(),
            n_written,
            words: format!("{READ_AND_WRITE} {n_written} {}", list.display()),
        })
    }

    /// Runs the loop once.
    ///
    /// # Errors
    /// When it cannot be run.
    pub(crate) fn run(&self, directory: &Path) -> io::Result<Taken> {
        measured::run(directory, &std::env::current_exe()?, &self.words)
    }
}

/// How much a command prints.
fn n_printed(directory: &Path, profan: &Path, words: &str) -> io::Result<u64> {
    let mut child = Command::new(profan)
        .args(words.split_whitespace())
        .current_dir(directory)
        .env("PROFAN_PAGER", "")
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    let mut printed = child.stdout.take().ok_or_else(|| Error::other("no pipe"))?;
    let n_bytes = io::copy(&mut printed, &mut io::sink())?;
    child.wait()?;
    Ok(n_bytes)
}

/// The loop: reads the files of a list, and then writes so many bytes.
///
/// # Errors
/// When a file cannot be read, or the bytes not be written.
pub(crate) fn read_and_write(mut words: impl Iterator<Item = OsString>) -> io::Result<()> {
    let mut word = || words.next().unwrap_or_default();
    let n_written = word().to_str().and_then(|number| number.parse().ok());
    let mut n_left: usize = n_written.ok_or_else(|| Error::other("how many bytes?"))?;
    let mut piece = vec![0; PIECE];
    for file in fs::read_to_string(PathBuf::from(word()))?.lines() {
        let mut file = File::open(file)?;
        while file.read(&mut piece)? > 0 {}
    }
    let mut out = io::stdout().lock();
    let text = piece.clone();
    while n_left > 0 {
        let n_now = n_left.min(PIECE);
        piece[..n_now].copy_from_slice(&text[..n_now]);
        out.write_all(&piece[..n_now])?;
        n_left -= n_now;
    }
    out.flush()
}
