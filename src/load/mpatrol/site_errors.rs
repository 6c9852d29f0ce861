//! Errors of call sites. Values belong to call sites with a data record and to their callers; an
//! error elsewhere does not affect values.

use super::super::error::ReadError;
use super::fault::ProfileError;
use super::table::{WordGrid, site};

/// The first error of call sites with values, or else of any.
#[derive(Default)]
pub(super) struct SiteErrors {
    is_used: Option<Vec<bool>>,
    first: Option<ReadError>,
}

impl SiteErrors {
    /// Adds the error of a row, in ascending order.
    pub(super) fn add(&mut self, sites: &WordGrid<'_>, row: u32, error: ProfileError) {
        let is_final = |known: &ReadError| !known.kind.keeps_values();
        if self.first.as_ref().is_some_and(is_final) {
            return;
        }
        let is_used = self.is_used.get_or_insert_with(|| sites_in_use(sites));
        let error = match error {
            ProfileError::TwoNames { .. } | ProfileError::Symbol { .. } => error,
            _ if is_used.get(row as usize) == Some(&true) => error,
            _ => ProfileError::Unused(Box::new(error)),
        };
        let error = sites.error(row, error);
        if self.first.is_none() || is_final(&error) {
            self.first = Some(error);
        }
    }

    pub(super) fn first(self) -> Option<ReadError> {
        self.first
    }
}

/// For each call site whether it has values: a data record, or a call to a site with values.
pub(super) fn sites_in_use(sites: &WordGrid<'_>) -> Vec<bool> {
    let rows = sites.rows_by_number("call site").unwrap_or_default();
    let mut is_used = vec![false; sites.len()];
    for (row, site) in sites.rows() {
        let mut next = (site.word(site::RECORD) != 0).then_some(row as usize);
        while let Some(row) = next.filter(|&row| !is_used[row]) {
            is_used[row] = true;
            let caller = sites.row(row).map_or(0, |site| site.word(site::CALLER));
            let caller = usize::try_from(caller.wrapping_sub(1)).ok();
            next = caller.and_then(|caller| Some(*rows.get(caller)? as usize));
        }
    }
    is_used
}
