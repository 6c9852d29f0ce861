//! Reports that were kept as JSON, shown again without the profile and the program.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

use crate::cli::{OutputStyle, Plan};
use crate::diagnose::{RunError, Warning};
use crate::load::Input;
use crate::render::json;
use crate::report::{Report, Section, SectionId, Sureness};
use crate::symbols::Granularity;

/// The report that is the only file of a command line; `None` where there are profiles.
///
/// # Errors
/// When a report stands beside other files, or is damaged.
pub(super) fn open(paths: &[PathBuf]) -> Result<Option<Report<'static>>> {
    for path in paths.iter().filter(|path| **path != *Path::new("-")) {
        // Whoever reads profiles says what is wrong with a file that cannot be read.
        if !json::is_report(&head_of(path).unwrap_or_default()) {
            continue;
        }
        let name = path.display().to_string();
        if paths.len() > 1 {
            bail!(RunError::ReportBesideFiles { path: name });
        }
        let input = Input::open(path)?;
        let report = json::read(input.bytes());
        return match report {
            Ok(report) => Ok(Some(report)),
            Err(error) => bail!(RunError::MalformedReport {
                path: name,
                reason: error.to_string(),
            }),
        };
    }
    Ok(None)
}

/// Bytes at the start of a file that tell whether it is a report.
const HEAD_SIZE: u64 = 4096;

fn head_of(path: &Path) -> io::Result<Vec<u8>> {
    let mut head = Vec::new();
    File::open(path)?.take(HEAD_SIZE).read_to_end(&mut head)?;
    Ok(head)
}

/// Leaves of a report what was asked for, and returns what was odd about its profile
/// and is about this request.
///
/// # Errors
/// When nothing is left.
pub(super) fn select(report: &mut Report<'static>, plan: &Plan) -> Result<Vec<Warning>> {
    let recorded = std::mem::take(&mut report.diagnostics);
    let mut warnings: Vec<_> = recorded.into_iter().map(Warning::Recorded).collect();
    let had: Vec<_> = report
        .sections
        .iter()
        .map(|section| section.id.id())
        .collect();
    report.sections.retain(|section| {
        let style = style_of(section.id);
        plan.styles.wants(style) || plan.styles.is_open(style)
    });
    if report.sections.is_empty() {
        bail!(RunError::NoSection { had });
    }
    let asks_for_other_rows = !plan.filters.is_empty()
        || plan.keep.is_some()
        || plan.value.is_some()
        || plan.symbols.granularity != Granularity::Functions;
    if asks_for_other_rows {
        warnings.push(Warning::NotRecorded {
            what: "specs, --keep, --value, --line and --inlines change nothing: a report is as \
                it was made",
            advice: "make it anew from the profile to choose other functions or values",
        });
    }
    let says_how_sure = |section: &Section<'_>| section.sureness != Sureness::default();
    if plan.text.shows_error && !report.sections.iter().any(says_how_sure) {
        warnings.push(Warning::NotRecorded {
            what: "--error adds nothing: the report does not say how sure its numbers are",
            advice: "make it anew from the profile, if time was sampled",
        });
    }
    Ok(warnings)
}

/// What a section was asked for by.
pub(super) fn style_of(section: SectionId) -> OutputStyle {
    use SectionId as S;
    match section {
        S::Files => OutputStyle::FileInfo,
        S::Overview | S::Flat => OutputStyle::Flat,
        S::Graph | S::Index => OutputStyle::Graph,
        S::Leaks => OutputStyle::Leaks,
        S::Sizes => OutputStyle::Bins,
        S::HeapPeak => OutputStyle::Peak,
        S::HeapTemporary => OutputStyle::Temporary,
        S::HeapGrowth => OutputStyle::Growth,
        S::Counts => OutputStyle::ExecCounts,
        S::Source | S::SourceTop | S::SourceSummary | S::SourceFiles => {
            OutputStyle::AnnotatedSource
        }
        S::Order => OutputStyle::FunctionOrder,
        S::Coverage
        | S::CoverageMissed
        | S::CoverageFunctions
        | S::CoverageBranches
        | S::CoverageLines => OutputStyle::Coverage,
        _ => OutputStyle::Trace,
    }
}
