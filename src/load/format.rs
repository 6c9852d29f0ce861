//! The interface of readers.

use std::fmt;
use std::io::Read;

use super::compressed::without_ending;
use super::error::{Position, ReadError, ReadErrorKind};
use super::policy::{CounterBits, ReadPolicy};
use super::sparse::Bytes;
use crate::model::{Encoding, FileKind, NameCut, Profile, RecordedCosts};
use crate::progress::Progress;

/// Whether a file has the format of a reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Claim {
    No,
    /// Possibly.
    Plausible,
    /// Certainly.
    Certain,
}

impl Claim {
    /// For a format that no other resembles.
    pub(super) fn certain_if(is_mine: bool) -> Self {
        if is_mine { Self::Certain } else { Self::No }
    }
}

/// A file format that can be read.
pub(super) trait Format: Sync {
    fn name(&self) -> &'static str;
    fn sniff(&self, data: Bytes<'_>, hints: &Hints) -> Claim;
    /// Returns whether a longer file of this format can start with these bytes.
    fn may_start(&self, head: &[u8], hints: &Hints) -> bool {
        self.sniff(head.into(), hints) != Claim::No
    }
    fn read(&self, data: Bytes<'_>, hints: &Hints) -> Result<Loaded, ReadError>;
    /// A reader that does not need the whole file in memory. Such a format is recognised by
    /// the start of a file alone.
    fn stream(&self) -> Option<StreamReader> {
        None
    }
    /// Returns whether the layout or the policy of the hints asks for this format, whatever is
    /// in the file.
    fn is_requested(&self, _data: Bytes<'_>, _hints: &Hints) -> bool {
        false
    }
    /// The part of a run that a file of this format contains.
    fn part(&self) -> FilePart {
        FilePart::Whole
    }
    /// Returns whether costs have addresses, which the executable gives names.
    fn is_by_address(&self) -> bool {
        false
    }
}

impl fmt::Debug for dyn Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The part of a run that a file contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FilePart {
    /// The complete run, or the table of counters.
    Whole,
    /// The time in one library.
    Library,
    /// Counters by number, which need the table of their program.
    Numbers,
}

/// Reads a profile as a stream.
pub(super) type StreamReader = fn(&mut dyn Read, &Hints) -> Result<Loaded, ReadError>;

/// A layout requested with `--file-format`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequestedLayout {
    Gnu,
    /// Either BSD layout.
    Bsd,
    /// 4.4BSD, with a version word.
    Bsd44,
    /// Folded stacks, even if every stack has one frame.
    Folded,
}

/// Facts that the bytes alone do not show.
#[derive(Clone, Copy, Debug, Default)]
pub struct Hints {
    /// The encoding of the executable, if known.
    pub encoding: Option<Encoding>,
    pub layout: Option<RequestedLayout>,
    /// How to treat damage and ambiguities.
    pub policy: ReadPolicy,
    /// C's `long` has four bytes although addresses have eight, as on Windows.
    pub has_short_long: bool,
    /// The name of the file ends like those of folded stacks. `load` sets it.
    pub has_folded_suffix: bool,
    /// Slow readers add the bytes read.
    pub progress: Progress,
}

impl Hints {
    /// The same, with what the name of the file shows.
    pub(super) fn named(&self, path: &str) -> Self {
        let path = without_ending(path);
        let has_folded_suffix = path.ends_with(".folded") || path.ends_with(".collapsed");
        Self { has_folded_suffix, ..*self }
    }
}

/// The layout of a file, as reported by its reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    pub name: &'static str,
    /// One histogram and no tags; the header may lack fields, as in BSD.
    pub is_bsd: bool,
    /// Histograms without a sampling rate.
    pub lacks_rate: bool,
    /// The profile of a shared object, a part of a run.
    pub is_of_library: bool,
}

impl Layout {
    /// A layout with no other property.
    pub(super) const fn named(name: &'static str) -> Self {
        Self { name, is_bsd: false, lacks_rate: false, is_of_library: false }
    }
}

impl fmt::Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// Where the reading of a file stopped.
#[derive(Clone, Debug, PartialEq)]
pub struct Damage {
    pub error: ReadError,
    /// Bytes after that position, which were not used.
    pub n_lost: u64,
}

impl Damage {
    /// The counter width that would explain the damage.
    pub fn counter_bits(&self) -> Option<u64> {
        match self.error.kind {
            ReadErrorKind::CounterBits { bits } => Some(bits),
            _ => None,
        }
    }
}

/// Lines of a text that its reader does not know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SkippedLines {
    pub n_lines: u64,
    /// The number of the first one, from 1.
    pub first: u64,
}

impl SkippedLines {
    /// Adds the line with this number.
    pub(super) fn add(skipped: &mut Option<Self>, line: u64) {
        let first = Self { n_lines: 0, first: line };
        skipped.get_or_insert(first).n_lines += 1;
    }
}

/// The properties of a file other than its profile.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Beside {
    /// Numbers of bytes before and after the profile, if it was found among others.
    pub around: Option<(u64, u64)>,
    /// Bytes after the profile, all with one value: 0xff as erased flash memory, or 0.
    pub tail: Option<(u64, u8)>,
    /// The sampling rate was 0xffffffff, as in erased flash memory.
    pub has_erased_rate: bool,
    /// The width that the values of the counters suggest, if their layout does not state it:
    /// certain for 8 bits, otherwise possible.
    pub likely_width: Option<CounterBits>,
}

/// A profile file after reading.
#[derive(Debug)]
pub struct Loaded {
    /// Empty until the file is known.
    pub path: String,
    pub(super) format: &'static str,
    pub profile: Profile,
    pub layout: Layout,
    /// `None` for text.
    pub encoding: Option<Encoding>,
    /// Version of the layout, if it has one.
    pub version: Option<u32>,
    /// Where reading stopped early, if it did.
    pub damage: Option<Damage>,
    /// Lines that are not part of the format.
    pub skipped: Option<SkippedLines>,
    pub beside: Beside,
    pub cut_names: Option<NameCut>,
}

impl Loaded {
    /// A complete text.
    pub(super) fn of_text(layout: &'static str, kind: FileKind, costs: RecordedCosts) -> Self {
        Self::of(Layout::named(layout), Profile::of_costs(kind, costs))
    }

    pub(super) fn of(layout: Layout, profile: Profile) -> Self {
        Self {
            path: String::new(),
            format: "",
            profile,
            layout,
            cut_names: None,
            encoding: None,
            version: None,
            damage: None,
            skipped: None,
            beside: Beside::default(),
        }
    }

    pub(super) fn n_lost(&self) -> u64 {
        self.damage.as_ref().map_or(0, |damage| damage.n_lost)
    }

    /// Position of a nonzero value in an omitted run of zeros, which is impossible.
    pub(super) fn gap(&self) -> Option<Position> {
        let error = &self.damage.as_ref()?.error;
        matches!(error.kind, ReadErrorKind::TooLarge { .. }).then_some(error.position)
    }

    /// Returns whether the bytes fit the layout, even if the end is missing.
    pub(super) fn is_whole_or_cut_off(&self) -> bool {
        self.damage
            .as_ref()
            .is_none_or(|damage| matches!(damage.error.kind, ReadErrorKind::Short { .. }))
    }
}
