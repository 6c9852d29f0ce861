//! What a reader is, and what it is told.

use std::fmt;

use super::error::{Position, ReadError, ReadErrorKind};
use super::policy::ReadPolicy;
use super::sparse::Bytes;
use crate::model::{Encoding, FileKind, Profile, RecordedCosts};
use crate::progress::Progress;

/// How sure a reader is that a file is its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Claim {
    No,
    /// Nothing speaks against it.
    Plausible,
    /// It says so itself.
    Certain,
}

impl Claim {
    /// Of a format that nothing else looks like.
    pub(super) fn certain_if(is_mine: bool) -> Self {
        if is_mine { Self::Certain } else { Self::No }
    }
}

/// A file format that can be read.
pub(super) trait Format: Sync {
    fn name(&self) -> &'static str;
    fn sniff(&self, data: Bytes<'_>, hints: &Hints) -> Claim;
    /// Whether a file of this format can start with these bytes, and be longer.
    fn may_start(&self, head: &[u8], hints: &Hints) -> bool {
        self.sniff(head.into(), hints) != Claim::No
    }
    fn read(&self, data: Bytes<'_>, hints: &Hints) -> Result<Reading, ReadError>;
}

/// A layout asked for with `--file-format`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequestedLayout {
    Gnu,
    /// A BSD layout, old or new.
    Bsd,
    /// The 4.4BSD layout, with a version word.
    Bsd44,
}

/// What the bytes alone do not say.
#[derive(Clone, Copy, Debug, Default)]
pub struct Hints {
    /// The encoding of the executable, if there is one.
    pub encoding: Option<Encoding>,
    pub layout: Option<RequestedLayout>,
    /// How far to go.
    pub policy: ReadPolicy,
    /// The target's `long` has four bytes though its addresses have eight, as on Windows.
    pub has_short_long: bool,
    /// Where readers that take long tell how many bytes they have read.
    pub progress: Progress,
}

/// The layout of a file, as its reader says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    pub name: &'static str,
    /// It has one histogram and no tags, and may lack what others have, as BSD's.
    pub is_bsd: bool,
    /// It has no place for the sampling rate, though it has histograms.
    pub lacks_rate: bool,
    /// It is of a shared object, a part of a run.
    pub is_of_library: bool,
}

impl Layout {
    /// A layout about which there is nothing more to say.
    pub(super) const fn named(name: &'static str) -> Self {
        Self {
            name,
            is_bsd: false,
            lacks_rate: false,
            is_of_library: false,
        }
    }
}

impl fmt::Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// What stopped the reading of a file before its end.
#[derive(Clone, Debug, PartialEq)]
pub struct Damage {
    pub error: ReadError,
    /// The bytes from there on, which were not used.
    pub n_lost: u64,
}

impl Damage {
    /// How wide counters have to be for there to be no damage.
    pub fn counter_bits(&self) -> Option<u64> {
        match self.error.kind {
            ReadErrorKind::CounterBits { bits } => Some(bits),
            _ => None,
        }
    }
}

#[derive(Debug)]
pub(super) struct Reading {
    pub(super) profile: Profile,
    pub(super) layout: Layout,
    /// How words are stored; `None` for text.
    pub(super) encoding: Option<Encoding>,
    /// The version of the layout, where it has one.
    pub(super) version: Option<u32>,
    pub(super) damage: Option<Damage>,
}

impl Reading {
    /// Of a text, all of which could be read.
    pub(super) fn of_text(layout: &'static str, kind: FileKind, costs: RecordedCosts) -> Self {
        Self {
            profile: Profile::of_costs(kind, costs),
            layout: Layout::named(layout),
            encoding: None,
            version: None,
            damage: None,
        }
    }

    pub(super) fn n_lost(&self) -> u64 {
        self.damage.as_ref().map_or(0, |damage| damage.n_lost)
    }

    /// Where something was in a gap that cannot be.
    pub(super) fn gap(&self) -> Option<Position> {
        let error = &self.damage.as_ref()?.error;
        matches!(error.kind, ReadErrorKind::TooLarge { .. }).then_some(error.position)
    }

    /// Whether the bytes fit the layout up to the point where they ran out.
    pub(super) fn is_whole_or_cut_off(&self) -> bool {
        self.damage
            .as_ref()
            .is_none_or(|damage| matches!(damage.error.kind, ReadErrorKind::Short { .. }))
    }
}
