//! Summing profiles of one program.

use std::num::NonZeroU32;

use super::error::LoadError;
use super::format::{Damage, Layout, Reading};
use super::policy::ReadPolicy;
use crate::model::{CutNames, Encoding, Histogram, MergeError, Profile};

/// One profile file, read.
#[derive(Debug)]
pub struct Loaded {
    pub(super) path: String,
    pub(super) format: &'static str,
    pub(super) reading: Reading,
    pub(super) cut_names: Option<CutNames>,
}

impl Loaded {
    pub fn path(&self) -> &str {
        &self.path
    }

    pub fn profile(&self) -> &Profile {
        &self.reading.profile
    }

    /// The same, to move its addresses or set its rate.
    pub fn profile_mut(&mut self) -> &mut Profile {
        &mut self.reading.profile
    }

    pub fn layout(&self) -> Layout {
        self.reading.layout
    }

    /// How its words are stored; `None` for text.
    pub fn encoding(&self) -> Option<Encoding> {
        self.reading.encoding
    }

    /// The version of the layout; the BSD layouts have none.
    pub fn version(&self) -> Option<u32> {
        self.reading.version
    }

    /// What stopped the reading before its end.
    pub fn damage(&self) -> Option<&Damage> {
        self.reading.damage.as_ref()
    }

    /// Names that are not whole.
    pub fn cut_names(&self) -> Option<CutNames> {
        self.cut_names
    }

    /// The same, for those who do not want half a file.
    ///
    /// # Errors
    /// When it is damaged: the error that the damage is.
    pub fn undamaged(mut self) -> Result<Self, LoadError> {
        match self.reading.damage.take() {
            None => Ok(self),
            Some(damage) => Err(LoadError::Malformed {
                path: self.path,
                format: self.format,
                source: damage.error,
            }),
        }
    }
}

/// Profiles of one program, added up in the order in which they come.
#[derive(Debug)]
pub struct Sum {
    profile: Profile,
    n_files: usize,
    policy: ReadPolicy,
}

impl Sum {
    pub fn new(policy: ReadPolicy) -> Self {
        Self {
            profile: Profile::default(),
            n_files: 0,
            policy,
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
        if layout.is_bsd {
            let first = self.profile.histograms().first();
            match (first, self.policy.missing_bsd_rate) {
                (Some(first), _) if self.policy.requires_equal_bsd_headers => {
                    check_bsd_headers(first, &profile.histograms()[0], layout).map_err(refused)?;
                    // It says nothing of what it counts, and nobody asks.
                    profile
                        .clocks_mut()
                        .for_each(|clock| clock.clone_from(&first.clock));
                }
                (None, Some(rate)) => profile.clocks_mut().for_each(|clock| {
                    clock.rate.get_or_insert(rate);
                }),
                _ => {}
            }
        }
        if self.n_files == 0 {
            self.profile = profile;
        } else {
            self.profile
                .merge(profile, self.policy.merge)
                .map_err(refused)?;
        }
        self.n_files += 1;
        Ok(())
    }

    pub fn into_profile(mut self) -> Profile {
        self.profile.join_mlmon_counts();
        if self.n_files > 1 {
            self.profile.sort_instrumented();
        }
        self.profile
    }
}

/// Checks that a later BSD file is of the very shape of what came before it. The old
/// layout has no rate, and any fits.
fn check_bsd_headers(
    first: &Histogram,
    found: &Histogram,
    layout: Layout,
) -> Result<(), MergeError> {
    let (low, high) = (found.low, found.high);
    let same_range = (first.low, first.high, first.n_bins) == (low, high, found.n_bins);
    if !same_range {
        return Err(MergeError::Overlap { low, high });
    }
    if !layout.lacks_rate && first.clock.rate != found.clock.rate {
        let text = |h: &Histogram| h.clock.rate.map_or(0, NonZeroU32::get);
        return Err(MergeError::Rate {
            first: text(first),
            found: text(found),
        });
    }
    Ok(())
}
