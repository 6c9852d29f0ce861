//! Sums of profiles, written to a file.

use std::path::Path;

use anyhow::{Context, Result};

use crate::analyze::{summed_arcs, summed_blocks};
use crate::cli::{Face, Plan};
use crate::filter::Filters;
use crate::load::{Overflow, Records, Requested, WriteOptions, write_profile};
use crate::model::{Encoding, Profile};
use crate::output::Output;
use crate::symbols::Program;

/// Writes the sum as it was recorded.
pub(super) fn write(
    path: &Path,
    profile: &Profile,
    encoding: Option<Encoding>,
    plan: &Plan,
) -> Result<()> {
    let encoding = encoding.unwrap_or(Encoding::ALL[0]);
    let records = Records {
        histograms: profile.histograms(),
        arcs: profile.arcs(),
        blocks: Some(profile.blocks()).filter(|blocks| !blocks.is_empty()),
    };
    write_records(path, &records, encoding, plan)
}

/// Writes what gprof makes of profiles: arcs and blocks are those of symbols.
pub(super) fn write_as_gprof(
    path: &Path,
    profile: &Profile,
    program: &Program,
    plan: &Plan,
) -> Result<()> {
    let table = &program.table;
    let filters = Filters::resolve(&plan.filters, table);
    let blocks = summed_blocks(profile.blocks(), table);
    let records = Records {
        histograms: profile.histograms(),
        arcs: &summed_arcs(profile, table, &filters, &plan.analyze_options()),
        blocks: profile.records().has_blocks.then_some(&*blocks),
    };
    write_records(path, &records, program.encoding, plan)
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
        overflow: match plan.face {
            Face::Gprof => Overflow::Wrap,
            _ => Overflow::Spill,
        },
    };
    let cannot = || format!("cannot write the sum to `{}`", path.display());
    let mut out = Output::open(Some(path)).with_context(cannot)?;
    write_profile(&mut out, records, &options).with_context(cannot)?;
    out.finish().with_context(cannot)
}
