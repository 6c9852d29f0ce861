//! Reports that have many profiles side by side instead of their sum.

mod names;
mod reader;

use std::sync::Arc;

use anyhow::Result;

use self::names::Named;
use self::reader::CostsReader;
use super::press::{Draft, Press};
use super::tallies::{RunFiles, RunReader};
use crate::analyze::many::{
    ByFile, CostsOfFiles, FileLabel, FileLine, FilesShown, Measure, NumberedNames, Spreads,
    Typical, by_file_section, files_section, spread_section,
};
use crate::cli::{ByFilePart, ByFilePlan, OutputStyle, Plan};
use crate::diagnose::{RunError, Warning};
use crate::load::OpenFile;
use crate::report::{Input, Section};

/// The report of profiles that are read by `reader`, one after another and more than once.
///
/// # Errors
/// When a profile cannot be used, or the report cannot be written.
pub(super) fn report(
    profiles: Vec<OpenFile>,
    reader: &RunReader<'_>,
    asked: &ByFilePlan,
    executables: Vec<Input>,
    press: &mut Press<'_>,
) -> Result<Vec<Warning>> {
    let plan = press.plan;
    let Named {
        runs,
        labels,
        about,
    } = names::named(RunFiles::of(profiles), &asked.naming);
    let costs = CostsReader::new(reader, runs)?;
    let mut warnings: Vec<_> = asks_for_more(plan).into_iter().collect();
    let mut spreads = Spreads::default();
    costs.read(
        &mut |of_run| {
            warnings.extend(of_run.warnings);
            press.inputs.extend(of_run.inputs);
        },
        &mut |_, costs| {
            spreads.add(costs);
            Ok(())
        },
    )?;
    press.inputs.extend(executables);
    let Some(measure) = costs.measure() else {
        return Err(RunError::NoProfile.into());
    };
    let names = NumberedNames::new(&costs.names(), plan.text.demangle);
    let has = |part| has_part(asked.part, part, plan);
    let mut sections: Vec<Section<'_>> = Vec::new();
    if has(ByFilePart::Rows) {
        let by_file = ByFile {
            files: &costs,
            labels: Arc::clone(&labels),
            measure: measure.clone(),
        };
        sections.push(by_file_section(by_file, &spreads));
    }
    if has(ByFilePart::Spread) {
        sections.push(spread_section(&spreads, &labels, measure, &names));
    }
    if has(ByFilePart::Files) {
        sections.push(files(&costs, &spreads, &labels, measure, plan)?);
    }
    if let (Some(first), Some(about)) = (sections.first_mut(), about) {
        first.notes.push(about);
    }
    let draft = Draft {
        metrics: vec![measure.metric.clone()],
        primary: 0,
        names: Box::new(names),
        sections,
    };
    press.print(draft, &mut warnings)?;
    Ok(warnings)
}

/// Whether a part is shown. A row for each file and function is for programs.
fn has_part(asked: ByFilePart, part: ByFilePart, plan: &Plan) -> bool {
    let is_for_people = plan.renderer().fits_terminals();
    match asked {
        ByFilePart::All => !(is_for_people && part == ByFilePart::Rows),
        asked => asked == part,
    }
}

/// What there is to say of each file, for which all are read again.
fn files(
    costs: &CostsReader<'_>,
    spreads: &Spreads,
    labels: &[FileLabel],
    measure: &Measure,
    plan: &Plan,
) -> Result<Section<'static>> {
    let typical = Typical::of(spreads);
    let mut lines = Vec::new();
    CostsOfFiles::for_each(&costs, &mut |_, costs| {
        lines.push(FileLine {
            all: costs.all,
            distance: typical.distance(costs),
        });
        Ok(())
    })?;
    let is_short = plan.renderer().fits_terminals() && plan.choice.is_empty();
    let shown = match is_short {
        true => FilesShown::Few,
        false => FilesShown::All,
    };
    Ok(files_section(labels, &lines, measure, shown))
}

/// Reports that were asked for and are of one profile, or of the sum of several.
fn asks_for_more(plan: &Plan) -> Option<Warning> {
    let asks = !plan.styles.want_only(OutputStyle::ByFile);
    asks.then_some(Warning::NotRecorded {
        what: "no other report beside --by-file: others are of the sum of the profiles",
        advice: "ask for them without --by-file",
    })
}
