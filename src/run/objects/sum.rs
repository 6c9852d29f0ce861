//! Writes sums of profiles.

use std::path::Path;

use anyhow::{Context, Result};

use super::Object;
use crate::diagnose::{self, RunError};
use crate::load::{
    CounterOverflow, GmonRecords, RequestedLayout, WriteError, WriteOptions, write_profile,
};
use crate::model::Encoding;
use crate::output::{Output, unless_closed};
use crate::run::destination::{open_output, unwritable};

/// A sum in a temporary file.
pub(in crate::run) struct UnfinishedSum<'a>(&'a Path, Output);

impl UnfinishedSum<'_> {
    /// Renames the sum to its final path.
    ///
    /// # Errors
    /// If writing or renaming fails.
    pub(in crate::run) fn finish(self) -> Result<()> {
        let Self(path, out) = self;
        let finished = out.finish().or_else(unless_closed);
        finished.with_context(|| diagnose::cannot_write_sum(path))
    }
}

/// Writes the sum.
///
/// # Errors
/// If no format can store it, or writing fails.
pub(in crate::run) fn begin<'a>(
    path: &'a Path,
    objects: &[Object<'_>],
    layout: Option<RequestedLayout>,
) -> Result<Option<UnfinishedSum<'a>>> {
    for object in objects {
        let kind = match object.profile.kind {
            Some(kind) if !kind.is_by_address => kind.to_string(),
            _ if object.is_library => diagnose::OF_LD_PROFILE.to_owned(),
            _ => continue,
        };
        return Err(RunError::NoSum { kind }.into());
    }
    let Some(Object { profile, encodings, .. }) = objects.first() else {
        return Ok(None);
    };
    // The widest words in any of the files.
    let widest = encodings.iter().max_by_key(|one| (one.address_size, one.endian));
    let encoding = widest.copied().unwrap_or(Encoding::ALL[0]);
    let records = GmonRecords {
        histograms: profile.histograms(),
        arcs: &[profile.arcs()],
        blocks: Some(profile.blocks()).filter(|blocks| !blocks.is_empty()),
    };
    let options = WriteOptions {
        encoding,
        layout: layout.unwrap_or(RequestedLayout::Gnu),
        overflow: CounterOverflow::Spill,
    };
    let mut out = open_output(Some(path))?;
    match write_profile(&mut out, &records, &options) {
        Err(WriteError::Io(error)) => {
            unless_closed(error).map_err(|source| unwritable(Some(path), source))?;
        }
        written => written.with_context(|| diagnose::cannot_write_sum(path))?,
    }
    Ok(Some(UnfinishedSum(path, out)))
}
