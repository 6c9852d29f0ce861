//! Sums of profiles, written to a file.

use std::path::Path;

use anyhow::{Context, Result};

use crate::cli::Plan;
use crate::load::{Overflow, Records, Requested, WriteOptions, write_profile};
use crate::model::{Encoding, Profile};
use crate::output::Output;

/// Writes the sum as it was recorded, with words as wide as those of any of the files.
pub(super) fn write(
    path: &Path,
    profile: &Profile,
    encodings: &[Encoding],
    plan: &Plan,
) -> Result<()> {
    let widest = encodings
        .iter()
        .max_by_key(|one| (one.address_size, one.endian));
    let encoding = widest.copied().unwrap_or(Encoding::ALL[0]);
    let records = Records {
        histograms: profile.histograms(),
        arcs: profile.arcs(),
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
    let mut out = Output::open(Some(path)).with_context(cannot)?;
    write_profile(&mut out, records, &options).with_context(cannot)?;
    out.finish().with_context(cannot)
}
