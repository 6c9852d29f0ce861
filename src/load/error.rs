//! What can be wrong with an input, and where.

use std::error::Error;
use std::fmt;
use std::io;
use std::sync::Arc;

use super::hexdump::HexdumpFault;
use crate::model::MergeError;

/// Where in the input something is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Position {
    /// Bytes from the start.
    Byte(u64),
    /// Lines of text, counted from 1.
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

/// What a reader found wrong. The cursor gives the position.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{position}: {kind}")]
pub struct ReadError {
    /// Where it is.
    pub position: Position,
    /// What it is.
    pub kind: ReadErrorKind,
}

/// The kinds of damage.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ReadErrorKind {
    /// The input ends inside something.
    #[error("{what} needs {size} bytes, but {remaining} remain")]
    Short {
        /// What was being read.
        what: &'static str,
        /// Its size in bytes.
        size: u64,
        /// The bytes that are left.
        remaining: u64,
    },
    /// The file does not start as its layout demands.
    #[error("no `gmon` cookie at the start")]
    NoCookie,
    /// The header lacks the version word of 4.4BSD.
    #[error("no 4.4BSD version word (0x51879) in the header")]
    NotBsd44,
    /// The version of the layout is not known.
    #[error("version {version:#x} of this layout is not known")]
    Version {
        /// The version word.
        version: u32,
    },
    /// A record starts with an unknown tag.
    #[error("a record starts with tag {tag}, which does not exist")]
    Tag {
        /// The tag byte.
        tag: u8,
    },
    /// The header counts fewer bytes than it has itself.
    #[error("the header counts {size} bytes of header and bins, but is {header} bytes long itself")]
    HeaderSize {
        /// The size that the header states.
        size: u32,
        /// The size of the header.
        header: u32,
    },
    /// What follows cannot be unpacked.
    #[error("the compressed file is cut off or damaged here")]
    Compression,
    /// It is in a stretch of zeros that is not kept, since the file unpacks to too much.
    #[error("{what} of zeros only, in a file that unpacks to far more than its size")]
    TooLarge {
        /// What was being read.
        what: &'static str,
    },
    /// A count needs more than there is.
    #[error("{count} {what} cannot be in the {remaining} bytes that remain")]
    Count {
        /// What is counted.
        what: &'static str,
        /// How many there should be.
        count: u64,
        /// The bytes that are left.
        remaining: u64,
    },
    /// The word that tells the order of bytes is not 1 in any.
    #[error("the word for the order of bytes is not 1")]
    NoByteOrder,
    /// Something that only files of one format can have.
    #[error(transparent)]
    Format(OfFormat),
    /// The counters of bins are not as wide as the layout has them.
    #[error("with counters of {bits} bits all of it can be read: `--counter-bits {bits}`")]
    CounterBits {
        /// How wide they are.
        bits: u64,
    },
    /// A text does not show all bytes of a profile.
    #[error(transparent)]
    Hexdump(#[from] HexdumpFault),
    /// A histogram does not fit those before it.
    #[error(transparent)]
    Merge(#[from] MergeError),
}

/// What is wrong with a file, in the words of its reader.
pub trait FormatFault: Error + Send + Sync + 'static {
    /// What to do about it, where it is not to fetch the file or to run the program again.
    fn advice(&self) -> Option<&'static str> {
        None
    }
    /// Whether the file just ends too early.
    fn is_cut_off(&self) -> bool {
        false
    }
}

/// The fault of one format.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{0}")]
pub struct OfFormat(pub Arc<dyn FormatFault>);

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

/// Why a file gives no profile. The door of this room adds the path.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// It cannot be read at all.
    #[error("{path}: {source}")]
    Io {
        /// The file.
        path: String,
        /// What the system said.
        #[source]
        source: io::Error,
    },
    /// It unpacks to more than its size can justify.
    #[error(
        "{path}: {position} of what it unpacks to: that is {n_packed} bytes, and may unpack to \
         {most} at most, beside what is zero in histograms"
    )]
    TooLarge {
        /// The file.
        path: String,
        /// How far it was unpacked, or used.
        position: Position,
        /// Its size in bytes.
        n_packed: u64,
        /// What it may unpack to.
        most: u64,
    },
    /// It holds nothing.
    #[error("{path}: empty file (0 bytes)")]
    Empty {
        /// The file.
        path: String,
    },
    /// It was to say how long a run took, and cannot be read.
    #[error("{path}, the file of --wall: {source}")]
    TimesIo {
        /// The file.
        path: String,
        /// What the system said.
        #[source]
        source: io::Error,
    },
    /// It was to say how long a run took, and does not.
    #[error("{path}, the file of --wall: no times of a run")]
    NoTimes {
        /// The file.
        path: String,
    },
    /// No reader takes it for its own.
    #[error("{path}: not a profile, but {what}")]
    NotAProfile {
        /// The file.
        path: String,
        /// What it looks like instead.
        what: &'static str,
        /// What to do about it.
        advice: &'static str,
    },
    /// It is no profile of the same program and kind as those before it.
    #[error("{path}: cannot be added to the profiles before it: {source}")]
    Unlike {
        /// The file.
        path: String,
        /// What differs.
        source: MergeError,
    },
    /// A reader claimed it, and it is damaged.
    #[error("{path}: malformed {format} file: {source}")]
    Malformed {
        /// The file.
        path: String,
        /// The format that it was read as.
        format: &'static str,
        /// What is wrong.
        source: ReadError,
    },
}
