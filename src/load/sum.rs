//! Adds up profiles of one program.

use std::num::NonZeroU32;

use super::error::LoadError;
use super::format::{Damage, Layout, Loaded};
use super::long_names;
use super::policy::ReadPolicy;
use crate::model::{Histogram, MergeError, Profile};

impl Loaded {
    /// Names the file; cuts names that would take a multiple of its size.
    pub(super) fn named(mut self, path: &str, format: &'static str) -> Self {
        let cut_names = long_names::cut(&mut self.profile.costs);
        Self { path: path.to_owned(), format, cut_names, ..self }
    }

    /// Refuses a damaged file.
    ///
    /// # Errors
    /// If it is damaged.
    pub fn undamaged(self) -> Result<Self, LoadError> {
        match &self.damage {
            None => Ok(self),
            Some(damage) => Err(self.refused(damage)),
        }
    }

    /// The error of a reader that accepts no damage.
    pub fn refused(&self, damage: &Damage) -> LoadError {
        LoadError::Malformed {
            path: self.path.clone(),
            format: self.format,
            source: damage.error.clone(),
        }
    }
}

/// The sum of profiles of one program, in their order.
#[derive(Debug)]
pub struct Sum {
    profile: Profile,
    n_files: usize,
    policy: ReadPolicy,
}

impl Sum {
    pub fn new(policy: ReadPolicy) -> Self {
        Self { profile: Profile::default(), n_files: 0, policy }
    }

    /// Checks that a file is of the same kind as those before it.
    ///
    /// # Errors
    /// If it is of another kind.
    pub fn check_kind(&self, loaded: &Loaded) -> Result<(), LoadError> {
        let unlike = |source| LoadError::Unlike { path: loaded.path.clone(), source };
        self.profile.check_kind(&loaded.profile).map_err(unlike)
    }

    /// Adds a file.
    ///
    /// # Errors
    /// If its histograms do not fit the histograms of earlier files.
    pub fn add(&mut self, loaded: Loaded) -> Result<(), LoadError> {
        let Loaded { mut profile, layout, path, .. } = loaded;
        let refused = |source: MergeError| LoadError::Unlike { path: path.clone(), source };
        if layout.is_bsd {
            let first = self.profile.histograms().first();
            match (first, self.policy.missing_bsd_rate) {
                (Some(first), _) if self.policy.requires_equal_bsd_headers => {
                    check_bsd_headers(first, &profile.histograms()[0], layout).map_err(refused)?;
                    // The file does not record its dimension, and it does not matter.
                    profile.clocks_mut().for_each(|clock| clock.clone_from(&first.clock));
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
            self.profile.merge(profile, self.policy.merge).map_err(refused)?;
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

/// Checks that a later BSD file has the range, bins and rate of earlier ones. The old layout
/// has no rate and fits any.
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
        return Err(MergeError::Rate { first: text(first), found: text(found) });
    }
    Ok(())
}
