//! Errors of inputs, with positions.

use std::error::Error;
use std::fmt;
use std::io;
use std::sync::Arc;

use crate::model::MergeError;

/// The position of an error in the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Position {
    /// Offset in bytes.
    Byte(u64),
    /// Line number, from 1.
    Line(u64),
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Byte(byte) => write!(f, "byte {byte} ({byte:#x})"),
            Self::Line(line) => write!(f, "line {line}"),
        }
    }
}

/// An error of a reader, at the position of its cursor.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{position}: {kind}")]
pub struct ReadError {
    pub position: Position,
    pub kind: ReadErrorKind,
}

impl ReadError {
    pub(super) fn at_line(line: u64, kind: impl Into<ReadErrorKind>) -> Self {
        Self { position: Position::Line(line), kind: kind.into() }
    }

    /// Returns whether the file is merely truncated, according to its format.
    pub fn is_cut_off(&self) -> bool {
        matches!(&self.kind, ReadErrorKind::Format(OfFormat(fault)) if fault.is_cut_off())
    }
}

/// Kinds of damage.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ReadErrorKind {
    #[error("{what} needs {size} bytes, but {remaining} remain")]
    Short { what: &'static str, size: u64, remaining: u64 },
    #[error("no `gmon` cookie at the start")]
    NoCookie,
    #[error("no 4.4BSD version word (0x51879) in the header")]
    NotBsd44,
    #[error("unknown layout version {version:#x}")]
    Version { version: u32 },
    #[error("unknown record tag {tag}")]
    Tag { tag: u8 },
    #[error(
        "the header states {size} bytes for header and bins, but is {header} bytes long itself"
    )]
    HeaderSize { size: u32, header: u32 },
    #[error("the compressed file is truncated or damaged here")]
    Compression,
    #[error("{what} of zeros only, in a file that decompresses to far more than its size")]
    TooLarge { what: &'static str },
    #[error("{count} {what} cannot be in the {remaining} bytes that remain")]
    Count { what: &'static str, count: u64, remaining: u64 },
    #[error("the byte order marker is not 1")]
    NoByteOrder,
    #[error(transparent)]
    Format(OfFormat),
    #[error("the counters seem to have {bits} bits: `--counter-bits {bits}` reads the whole file")]
    CounterBits { bits: u64 },
    #[error(transparent)]
    Merge(#[from] MergeError),
}

impl ReadErrorKind {
    /// Returns whether all values are present, and the error affects none of them.
    pub fn keeps_values(&self) -> bool {
        matches!(self, Self::Format(OfFormat(fault)) if fault.keeps_values())
    }
}

/// An error specific to a format, in the words of its reader.
pub trait FormatFault: Error + Send + Sync + 'static {
    /// The suggestion, if it is not to fetch the file or run the program again.
    fn advice(&self) -> Option<&'static str> {
        None
    }
    /// Returns whether the file is merely truncated.
    fn is_cut_off(&self) -> bool {
        false
    }
    /// Returns whether all values are present, and the error affects none of them.
    fn keeps_values(&self) -> bool {
        false
    }
}

/// An error of a specific format.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{0}")]
pub struct OfFormat(pub Arc<dyn FormatFault>);

impl OfFormat {
    /// The error, if the reader of `F` reported it.
    pub fn downcast<F: FormatFault>(&self) -> Option<&F> {
        let fault: &(dyn Error + 'static) = &*self.0;
        fault.downcast_ref()
    }
}

impl PartialEq for OfFormat {
    fn eq(&self, other: &Self) -> bool {
        self.0.to_string() == other.0.to_string()
    }
}

impl<F: FormatFault> From<F> for ReadErrorKind {
    fn from(fault: F) -> Self {
        Self::Format(OfFormat(Arc::new(fault)))
    }
}

/// Why a file cannot be read. `load` adds the path.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    #[error("{path}: {source}")]
    Io {
        path: String,
        #[source]
        source: io::Error,
    },
    #[error(
        "{path}: decompresses to more than {most} bytes, the limit for a compressed size of \
         {n_compressed} (zeros in histograms not counted): {position}"
    )]
    TooLarge { path: String, position: Position, n_compressed: u64, most: u64 },
    #[error("{path}: empty file (0 bytes)")]
    Empty { path: String },
    #[error("{path}, the file of --wall: {source}")]
    TimesIo {
        path: String,
        #[source]
        source: io::Error,
    },
    #[error("{path}, the file of --wall: contains no times of a run")]
    NoTimes { path: String },
    #[error("{path}: not a profile, but {what}")]
    NotAProfile { path: String, what: &'static str, advice: &'static str },
    #[error("{path}: {what}, which profan does not read")]
    NotRead { path: String, what: &'static str, advice: &'static str },
    #[error("{path}: cannot be added to the preceding profiles: {source}")]
    Unlike { path: String, source: MergeError },
    #[error("{path}: malformed {format} file: {source}")]
    Malformed { path: String, format: &'static str, source: ReadError },
}
