//! The line in which an original reports an error. profan's own message follows it.

use std::error::Error;
use std::path::Path;
use std::{fmt, io};

use crate::load::{LoadError, MpatrolFault, ReadError, ReadErrorKind};

/// An error, and the line in which the original reports it.
#[derive(Debug)]
pub struct WithFirstLine {
    pub line: String,
    pub error: anyhow::Error,
}

impl WithFirstLine {
    /// Adds a line to an error, if there is one.
    pub(super) fn add(line: Option<String>, error: anyhow::Error) -> anyhow::Error {
        match line {
            Some(line) => Self { line, error }.into(),
            None => error,
        }
    }

    /// The line of an error, if it has one, and the error without it.
    pub(super) fn split(error: anyhow::Error) -> (Option<String>, anyhow::Error) {
        match error.downcast() {
            Ok(Self { line, error }) => (Some(line), error),
            Err(error) => (None, error),
        }
    }
}

impl fmt::Display for WithFirstLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)
    }
}

impl Error for WithFirstLine {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.error.source()
    }
}

/// The smallest array in bytes that no machine of the original could allocate.
const TOO_LARGE: u64 = 1 << 40;

/// The size in bytes of a counted element, in most arrays of mprof.
const ELEMENT_SIZE: u64 = 8;

/// The line of mprof or mptrace for a file that it cannot read; `None` if the original does
/// not notice the error. `kind` is its word for the file.
pub(super) fn of_mpatrol(error: &anyhow::Error, path: &Path, kind: &str) -> Option<String> {
    Some(match error.downcast_ref()? {
        LoadError::Io { source, .. } => match source.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::PermissionDenied => cannot_open(path),
            _ => UNREADABLE.to_owned(),
        },
        LoadError::Malformed { source: ReadError { kind: fault, .. }, format, .. }
            if format.starts_with("mpatrol") =>
        {
            of_fault(fault, kind)?
        }
        LoadError::TooLarge { .. } => return None,
        _ => of_stranger(path).to_owned(),
    })
}

pub(super) fn cannot_open(path: &Path) -> String {
    format!("Cannot open file `{}'", path.display())
}

/// The line for a file in another format.
pub(super) fn of_stranger(path: &Path) -> &'static str {
    const MAGIC_SIZE: u64 = 4;
    let is_short = path.metadata().is_ok_and(|file| file.is_file() && file.len() < MAGIC_SIZE);
    if is_short { UNREADABLE } else { INVALID }
}

const UNREADABLE: &str = "Error reading file";
const INVALID: &str = "Invalid file format";

fn of_fault(fault: &ReadErrorKind, kind: &str) -> Option<String> {
    let of_size = |size| if size < TOO_LARGE { UNREADABLE } else { "Out of memory" };
    let text = match fault {
        ReadErrorKind::Short { size, .. } => of_size(*size),
        ReadErrorKind::Count { count, .. } => of_size(count.wrapping_mul(ELEMENT_SIZE)),
        ReadErrorKind::Compression => UNREADABLE,
        ReadErrorKind::NoByteOrder => return Some(format!("{kind} file version too new")),
        ReadErrorKind::Format(fault) => match MpatrolFault::of(fault)? {
            MpatrolFault::TooOld => return Some(format!("{kind} file version too old")),
            MpatrolFault::TooNew => return Some(format!("{kind} file version too new")),
            MpatrolFault::Invalid => INVALID,
            MpatrolFault::Unreadable => UNREADABLE,
        },
        _ => return None,
    };
    Some(text.to_owned())
}
