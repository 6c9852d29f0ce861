//! Two sides of profiles, compared: `profan diff`.

mod baseline;
mod kept;
mod sides;
mod summing;

use std::path::Path;

use anyhow::Result;

use super::press::{Draft, Press};
use super::tallies::RunReader;
use super::{Terminal, check_output, inputs, missing, symbol_files};
use crate::analyze::comparison::{
    Compared, DifferenceMaterial, Failure, compare_sides, difference_calls_section,
    difference_section, failures,
};
use crate::analyze::roster::{Joined, ShownNames};
use crate::cli::{ComparisonPlan, OutputStyle, Plan};
use crate::diagnose::{RunError, Warning};
use crate::output::Sink;
use crate::report::number::counted;
use crate::report::{Input, Layout, NameId, NameTable, RowTable, Section, SectionId};
use crate::symbols::{Executable, Style};
use sides::{SideFiles, sides};
use summing::{Summed, sum_up};
use symbol_files::Symbols;

/// What came of a comparison.
#[derive(Debug, Default)]
pub struct Outcome {
    /// What is odd about the profiles.
    pub warnings: Vec<Warning>,
    /// Why the new side is refused, if it is, one reason each.
    pub refusals: Vec<String>,
}

impl Outcome {
    /// What came of a report of one side, which refuses nothing.
    #[must_use]
    pub fn of(warnings: Vec<Warning>) -> Self {
        Self {
            warnings,
            refusals: Vec::new(),
        }
    }
}

/// Reports what differs between two sides. What of the oddities is to be known before the
/// report is told to `alert` when it is found.
///
/// # Errors
/// When an input cannot be used, sides cannot be compared, or the report cannot be written.
pub fn compare(
    plan: &Plan,
    comparison: &ComparisonPlan,
    terminal: Terminal,
    out: &mut dyn Sink,
    alert: &mut dyn FnMut(&Warning),
) -> Result<Outcome> {
    let outcome = report(plan, comparison, terminal, out, alert);
    outcome.map_err(|error| missing::with_advice(error, plan))
}

fn report(
    plan: &Plan,
    comparison: &ComparisonPlan,
    terminal: Terminal,
    out: &mut dyn Sink,
    alert: &mut dyn FnMut(&Warning),
) -> Result<Outcome> {
    let new = comparison.new.iter().flatten();
    let given = plan.files.iter().chain(new).chain(&comparison.baseline);
    check_output(plan, given.map(|path| path as &Path))?;
    let mut sides = sides(plan, comparison)?;
    let programs = Programs::of(&mut sides, plan)?;
    let readers = [0, 1].map(|side| programs.reader(side, plan));
    let mut press = Press {
        plan,
        terminal,
        inputs: Vec::new(),
        files: Vec::new(),
        kept: None,
        out,
        alert,
    };
    let mut warnings = Vec::new();
    let is_first = sides[0].is_empty();
    let Summed {
        joined,
        sums,
        inputs,
        new_runs,
    } = sum_up(sides, readers, comparison, &mut press, &mut warnings)?;
    let keep = |path| baseline::write(path, &new_runs, inputs[1].clone());
    press.inputs = programs.inputs();
    let of_sides = ["old", "new"].into_iter().zip(&inputs);
    let of_sides =
        of_sides.flat_map(|(side, inputs)| inputs.iter().map(move |one| of_side(side, one)));
    press.inputs.splice(0..0, of_sides);
    let kept_in = comparison
        .baseline
        .as_deref()
        .filter(|_| comparison.updates);
    if let Some(path) = kept_in.filter(|_| is_first) {
        keep(path)?;
        let draft = Draft {
            sections: vec![no_old_side(path, new_runs.len())],
            ..Draft::of_files()
        };
        press.print(draft, &mut warnings)?;
        return Ok(Outcome::of(warnings));
    }
    let [old, new] = &sums;
    let compared = compare_sides(old, new, &comparison.options);
    let compared = compared.map_err(|source| RunError::UnlikeSides { source })?;
    warnings.extend(idle_reasons(&compared, comparison));
    let failures = failures(&compared, &comparison.fail_on, comparison.order);
    let style = plan.text.demangle;
    let decodes = terminal.is_for_people(plan) && style == Style::Auto;
    let names = ShownNames::new(joined.shown(), style, decodes);
    let material = DifferenceMaterial {
        compared: &compared,
        joined: &joined,
        order: comparison.order,
        failures: &failures,
        names: &names,
    };
    let sections = sections(plan, &material);
    let refusals = failures
        .iter()
        .map(|failure| refusal(failure, &joined, &names));
    let refusals: Vec<_> = refusals.collect();
    let (metrics, primary) = compared.metrics();
    let draft = Draft {
        metrics,
        primary,
        names: Box::new(names),
        sections,
    };
    press.print(draft, &mut warnings)?;
    // What is refused is nothing to compare with.
    let is_refused = !refusals.is_empty() || plan.deny.covers_any(&warnings);
    if let Some(path) = kept_in.filter(|_| !is_refused) {
        keep(path)?;
    }
    Ok(Outcome { warnings, refusals })
}

fn sections(plan: &Plan, material: &DifferenceMaterial<'_>) -> Vec<Section<'static>> {
    let has = |style| plan.styles.wants(style);
    let mut sections = Vec::new();
    if has(OutputStyle::Flat) || !has(OutputStyle::Graph) {
        sections.push(difference_section(material));
    }
    if has(OutputStyle::Graph) {
        sections.push(difference_calls_section(material));
    }
    sections
}

/// An input, said to be of a side.
fn of_side(side: &str, input: &Input) -> Input {
    Input {
        kind: format!("{side} {}", input.kind).into(),
        ..input.clone()
    }
}

/// What is shown where nothing was kept yet to compare with.
fn no_old_side(path: &Path, n_runs: usize) -> Section<'static> {
    let said = format!(
        "There was nothing to compare with: {} keeps {} now.",
        path.display(),
        counted(n_runs as u64, "run", "runs")
    );
    let rows = RowTable::default();
    let mut section = Section::new(SectionId::Overview, "Difference:", Layout::Table, [], rows);
    section.summary = vec![said];
    section
}

/// A reason to refuse, with the name of what it is about.
fn refusal(failure: &Failure, joined: &Joined, names: &dyn NameTable) -> String {
    let what = match joined.rows.len() {
        n_rows if failure.row < n_rows => {
            let id = u32::try_from(failure.row).unwrap_or(u32::MAX);
            let name = names.name(NameId(id));
            format!("`{}`", String::from_utf8_lossy(name))
        }
        n_rows if failure.row == n_rows => "what is in no function".to_owned(),
        _ => "the whole program".to_owned(),
    };
    format!("{what}: {}", failure.reason)
}

/// Reasons that what was compared can never give.
fn idle_reasons(compared: &Compared, comparison: &ComparisonPlan) -> Vec<Warning> {
    let idle = comparison
        .fail_on
        .iter()
        .filter(|on| !on.can_be_found(compared));
    let idle: Vec<_> = idle.map(|on| on.id()).collect();
    match idle.is_empty() {
        true => Vec::new(),
        false => vec![Warning::IdleGate {
            reasons: idle.join(","),
            is_sampled: compared.is_by_chance(),
        }],
    }
}

/// Programs of both sides, those of a side or those that serve both.
struct Programs {
    sets: Vec<ProgramSet>,
    /// Which of them each side has.
    of_side: [usize; 2],
}

/// Executables with their symbols.
struct ProgramSet {
    executables: Vec<Executable>,
    symbols: Symbols,
    is_usual: bool,
}

impl Programs {
    fn of(sides: &mut [SideFiles; 2], plan: &Plan) -> Result<Self> {
        let mut sets = Vec::new();
        let mut given = Vec::new();
        for side in sides.iter_mut() {
            let files = std::mem::take(&mut side.executables);
            given.push(!files.is_empty());
            if given[given.len() - 1] {
                sets.push(ProgramSet::of(files, plan)?);
            }
        }
        if sets.is_empty() {
            sets.push(ProgramSet::of(Vec::new(), plan)?);
        }
        let last = sets.len() - 1;
        Ok(Self {
            sets,
            of_side: [0, last],
        })
    }

    /// The executables, each once.
    fn inputs(&self) -> Vec<Input> {
        let of_set = |set: &ProgramSet| {
            let programs = set.executables.iter().zip(&set.symbols.programs);
            let described = programs.map(|(one, program)| inputs::of_executable(one, program));
            described.collect::<Vec<_>>()
        };
        self.sets.iter().flat_map(of_set).collect()
    }

    fn reader(&self, side: usize, plan: &Plan) -> RunReader<'_> {
        let ProgramSet {
            executables,
            symbols,
            is_usual,
        } = &self.sets[self.of_side[side]];
        let executables = executables.iter().zip(&symbols.programs).collect();
        RunReader::new(plan, executables, *is_usual, symbols.external.as_ref())
    }
}

impl ProgramSet {
    fn of(files: Vec<crate::load::OpenFile>, plan: &Plan) -> Result<Self> {
        let (executables, is_usual) = inputs::open_executables(files, plan)?;
        let symbols = symbol_files::read(&executables, plan)?;
        Ok(Self {
            executables,
            symbols,
            is_usual,
        })
    }
}
