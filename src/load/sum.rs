//! Summing profiles of one program.

use std::num::NonZeroU32;

use super::error::LoadError;
use super::format::{Damage, Layout, Manner, Reading};
use crate::model::{Encoding, Histogram, MergeError, Profile};

/// The rate that gprof takes for a BSD file which states none: the clock of its host.
const GPROF_HOST_RATE: NonZeroU32 = NonZeroU32::new(100).expect("100 is not 0");

/// One profile file, read.
#[derive(Debug)]
pub struct Loaded {
    pub(super) path: String,
    pub(super) format: &'static str,
    pub(super) reading: Reading,
}

impl Loaded {
    /// The file.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// What it recorded.
    #[must_use]
    pub fn profile(&self) -> &Profile {
        &self.reading.profile
    }

    /// The same, to move its addresses.
    pub fn profile_mut(&mut self) -> &mut Profile {
        &mut self.reading.profile
    }

    /// The layout it has.
    #[must_use]
    pub fn layout(&self) -> Layout {
        self.reading.layout
    }

    /// How its words are stored; `None` for text.
    #[must_use]
    pub fn encoding(&self) -> Option<Encoding> {
        self.reading.encoding
    }

    /// The version of the layout; the BSD layouts have none.
    #[must_use]
    pub fn version(&self) -> Option<u32> {
        self.reading.version
    }

    /// What stopped the reading before its end.
    #[must_use]
    pub fn damage(&self) -> Option<&Damage> {
        self.reading.damage.as_ref()
    }

    /// The error that the damage is, for those who do not want half a file.
    #[must_use]
    pub fn into_error(self) -> Option<LoadError> {
        self.reading.damage.map(|damage| LoadError::Malformed {
            path: self.path,
            format: self.format,
            source: damage.error,
        })
    }
}

/// Profiles of one program, added up in the order in which they come.
#[derive(Debug)]
pub struct Sum {
    profile: Profile,
    n_files: usize,
    manner: Manner,
}

impl Sum {
    /// The sum of nothing.
    #[must_use]
    pub fn new(manner: Manner) -> Self {
        Self {
            profile: Profile::default(),
            n_files: 0,
            manner,
        }
    }

    /// Adds one file.
    ///
    /// # Errors
    /// When its histograms cannot stand beside those of the files before it.
    pub fn add(&mut self, loaded: Loaded) -> Result<(), LoadError> {
        let Reading {
            mut profile,
            layout,
            ..
        } = loaded.reading;
        let refused = |source: MergeError| LoadError::Unlike {
            path: loaded.path.clone(),
            source,
        };
        if self.manner == Manner::Gprof && layout != Layout::Gnu {
            match self.profile.histograms().first() {
                Some(first) => {
                    gprof_check(first, &profile.histograms()[0], layout).map_err(refused)?
                }
                None => profile.set_missing_rate(GPROF_HOST_RATE),
            }
        }
        if self.n_files == 0 {
            self.profile = profile;
        } else {
            self.profile
                .merge(profile, self.manner.merge_rule())
                .map_err(refused)?;
        }
        self.n_files += 1;
        Ok(())
    }

    /// The sum.
    #[must_use]
    pub fn into_profile(mut self) -> Profile {
        self.profile.join_tallies();
        if self.n_files > 1 {
            self.profile.sort_instrumented();
        }
        self.profile
    }
}

/// To gprof a later BSD file has to be of the very shape of what came before it.
fn gprof_check(first: &Histogram, found: &Histogram, layout: Layout) -> Result<(), MergeError> {
    let (low, high) = (found.low, found.high);
    let same_range = (first.low, first.high, first.n_bins) == (low, high, found.n_bins);
    if !same_range {
        return Err(MergeError::Overlap { low, high });
    }
    if layout != Layout::OldBsd && first.clock.rate != found.clock.rate {
        let text = |h: &Histogram| h.clock.rate.map_or(0, NonZeroU32::get);
        return Err(MergeError::Rate {
            first: text(first),
            found: text(found),
        });
    }
    Ok(())
}
