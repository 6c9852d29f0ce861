//! Sums of profiles, written to a file.

use std::path::Path;

use anyhow::{Context, Result};

use super::Object;
use crate::cli::Plan;
use crate::diagnose::RunError;
use crate::load::{Overflow, Records, Requested, WriteOptions, write_profile};
use crate::model::Encoding;
use crate::output::Output;

/// Writes the sum as it was recorded.
///
/// # Errors
/// When it is of a kind that no layout has room for, or cannot be written.
pub(in crate::run) fn write(path: &Path, objects: &[Object<'_>], plan: &Plan) -> Result<()> {
    let no_sum = |kind: String| RunError::NoSum { kind };
    let mut first = None;
    for object in objects {
        let kind = object.profile.kind.filter(|kind| !kind.is_by_address);
        if let Some(kind) = kind {
            return Err(no_sum(kind.to_string()).into());
        }
        if object.is_library {
            return Err(no_sum("a profile of LD_PROFILE".to_owned()).into());
        }
        first = first.or(Some(object));
    }
    let Some(Object {
        profile, encodings, ..
    }) = first
    else {
        return Ok(());
    };
    // Words as wide as those of any of the files.
    let widest = encodings
        .iter()
        .max_by_key(|one| (one.address_size, one.endian));
    let encoding = widest.copied().unwrap_or(Encoding::ALL[0]);
    let records = Records {
        histograms: profile.histograms(),
        arcs: &[profile.arcs()],
        blocks: Some(profile.blocks()).filter(|blocks| !blocks.is_empty()),
    };
    write_records(path, &records, encoding, plan)
}

fn write_records(
    path: &Path,
    records: &Records<'_>,
    encoding: Encoding,
    plan: &Plan,
) -> Result<()> {
    let options = WriteOptions {
        encoding,
        layout: plan.layout.unwrap_or(Requested::Gnu),
        overflow: Overflow::Spill,
    };
    let cannot = || format!("cannot write the sum to `{}`", path.display());
    let mut out = Output::open(Some(path)).map_err(|source| RunError::Unwritable {
        path: path.display().to_string(),
        source,
    })?;
    write_profile(&mut out, records, &options).with_context(cannot)?;
    out.finish().with_context(cannot)
}
