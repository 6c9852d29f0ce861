//! The pipeline of profan's own face. The only file, with those below it, that knows
//! every room.

mod build;
mod doctor;
mod exact;
mod inputs;
mod joining;
mod libraries;
mod missing;
mod objects;
mod placing;
mod recorded;
mod run_time;
mod sampled;
mod screen;
mod sources;
mod sum;
mod unavailable;

pub use doctor::examine;

use std::borrow::Cow;
use std::io;

use anyhow::Result;

use crate::analyze::{Material, SectionOptions, SymbolNames, overview_section};
use crate::cli::{OutputStyle, Plan};
use crate::diagnose::{NOT_RECORDED, RunError, Warning};
use crate::model::{Kind, MergeError, Profile, RunPart};
use crate::output::Sink;
use crate::render::{NameForm, RenderError, RenderOptions, warnings_above};
use crate::report::{Diagnostic, Input, Metric, MetricIndex, NameTable, NoNames, Report, Section};
use crate::symbols::{
    Executable, Style, SymbolId, SymbolOptions, SymbolTable, demangle, library_of,
    read_external_table, read_program,
};
use objects::Object;

const CANNOT_WRITE: &str = "cannot write the report";

/// What the terminal, if there is one, makes of the report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Terminal {
    /// Control characters in names must not reach it.
    pub escapes_controls: bool,
    /// It shows colour.
    pub has_color: bool,
    /// Its columns, if there is one.
    pub columns: Option<usize>,
    /// People read it, who would rather not count the digits of sizes.
    pub spells_sizes: bool,
}

impl Terminal {
    /// The columns that a report is laid out for, if it is for a terminal.
    fn screen(&self, plan: &Plan) -> Option<usize> {
        self.columns.filter(|_| plan.renderer().fits_terminals())
    }
}

/// Makes the report of a plan, and returns what is odd about the profile. What is to be
/// known before the report is told to `alert` when it is found.
///
/// # Errors
/// When an input cannot be used, or the report cannot be written.
pub fn run(
    plan: &Plan,
    terminal: Terminal,
    out: &mut dyn Sink,
    alert: &mut dyn FnMut(&Warning),
) -> Result<Vec<Warning>> {
    let reported = report(plan, terminal, out, alert);
    let mut warnings = reported.map_err(|error| missing::with_advice(error, plan))?;
    warnings.retain(|warning| !warning.is_urgent());
    Ok(warnings)
}

fn report(
    plan: &Plan,
    terminal: Terminal,
    out: &mut dyn Sink,
    alert: &mut dyn FnMut(&Warning),
) -> Result<Vec<Warning>> {
    let files = inputs::open_all(&plan.files, plan)?;
    if let Some(at) = recorded::position(&files) {
        let mut report = recorded::read(files, at)?;
        let warnings = recorded::select(&mut report, plan)?;
        let urgent = warnings.iter().filter(|warning| warning.is_urgent());
        urgent.for_each(&mut *alert);
        if terminal.screen(plan).is_some() {
            screen::leave_out(&mut report, plan);
            screen::introduce(&mut report);
        }
        show(&report, plan, terminal, out)?;
        return Ok(warnings);
    }
    let given = inputs::sort_out(files, plan)?;
    let programs = given
        .executables
        .iter()
        .map(|executable| read_program(executable, &symbol_options(executable, &given, plan)))
        .collect::<Result<Vec<_>, _>>()?;
    let external = match programs.first() {
        Some(_) => None,
        None => read_external_table(&plan.symbols)?,
    };
    let executables: Vec<_> = given.executables.iter().zip(&programs).collect();
    let inputs::Read {
        objects,
        mut warnings,
        files,
        inputs,
    } = inputs::read_profiles(given.profiles, plan, &executables, given.is_usual)?;
    let profiles = objects.iter().map(|object| &object.profile);
    let other_kind = profiles
        .filter_map(Profile::kind)
        .find(|&kind| kind != Kind::Sampled);
    if let Some(path) = &plan.sum {
        sum::write(path, &objects, plan)?;
    }
    let mut press = Press {
        plan,
        terminal,
        inputs,
        files,
        out,
        alert,
    };
    if plan.styles.need_no_symbols() {
        press.print(Draft::of_files(), &warnings)?;
        return Ok(warnings);
    }
    match other_kind {
        Some(_) => exact::report(
            &only(objects)?,
            external.as_ref(),
            &mut press,
            &mut warnings,
        )?,
        None => sampled::report(objects, external.as_ref(), &mut press, &mut warnings)?,
    }
    Ok(warnings)
}

/// Files with symbols and maps are those of the program where there are libraries too.
fn symbol_options<'p>(
    executable: &Executable,
    given: &inputs::Files,
    plan: &'p Plan,
) -> Cow<'p, SymbolOptions> {
    let is_beside_program = given.executables.len() > 1 && library_of(executable).is_some();
    if !is_beside_program {
        return Cow::Borrowed(&plan.symbols);
    }
    Cow::Owned(SymbolOptions {
        external: None,
        file_map: None,
        ..plan.symbols.clone()
    })
}

/// The object of profiles that can only be of one.
fn only(mut objects: Vec<Object<'_>>) -> Result<Object<'_>> {
    let first = objects.remove(0);
    let kinds = first.profile.kind().zip(objects.first());
    match kinds {
        None => Ok(first),
        Some((kind, library)) => Err(RunError::UnlikeObject {
            object: library.name.clone(),
            source: MergeError::Kind {
                first: kind,
                found: Kind::Sampled,
            },
        }
        .into()),
    }
}

/// A report without what it was made from.
struct Draft<'a> {
    metrics: Vec<Metric>,
    primary: MetricIndex,
    names: Box<dyn NameTable + 'a>,
    sections: Vec<Section<'a>>,
}

impl Draft<'_> {
    /// Only what files hold, which needs no names.
    fn of_files() -> Self {
        Self {
            metrics: Vec::new(),
            primary: 0,
            names: Box::new(NoNames),
            sections: Vec::new(),
        }
    }
}

/// Finishes reports and shows them.
struct Press<'a> {
    plan: &'a Plan,
    terminal: Terminal,
    inputs: Vec<Input>,
    /// What is in each file, where that was asked for.
    files: Vec<Section<'static>>,
    out: &'a mut dyn Sink,
    /// Says what is to be known before the report.
    alert: &'a mut dyn FnMut(&Warning),
}

impl Press<'_> {
    /// How rows are chosen and laid out.
    fn section_options(&self) -> SectionOptions {
        SectionOptions {
            shows_idle: self.plan.shows_idle,
            is_bsd: self.plan.text.is_bsd,
            has_error: self.plan.text.shows_error || self.plan.renderer().shows_error(),
            n_runs: self.n_profiles(),
            is_for_screen: self.terminal.screen(self.plan).is_some(),
        }
    }

    /// How many profiles were added up, each of a run as far as is known.
    fn n_profiles(&self) -> u32 {
        let n_profiles = self
            .inputs
            .iter()
            .filter(|input| input.kind == "profile")
            .count();
        u32::try_from(n_profiles).unwrap_or(u32::MAX)
    }

    /// The first lines, where the report is for a terminal.
    fn overview(&self, material: &Material<'_>, parts: &[RunPart]) -> Option<Section<'static>> {
        // An order is for the linker.
        let styles = self.plan.styles;
        let is_order = styles.want_only(OutputStyle::FunctionOrder)
            || styles.want_only(OutputStyle::FileOrder);
        let is_for_screen = material.options.is_for_screen && !is_order;
        is_for_screen.then(|| overview_section(material, screen::what_it_is(&self.inputs, parts)))
    }

    /// The names, as people like to read them where they are not for programs.
    fn names<'n>(&self, names: SymbolNames<'n>) -> SymbolNames<'n> {
        let form = self.plan.text.names;
        let is_for_people = self.terminal.screen(self.plan).is_some()
            || matches!(form, Some(NameForm::Short | NameForm::Base));
        if is_for_people && self.plan.text.demangle == Style::Auto {
            names.with_languages()
        } else {
            names
        }
    }

    /// The columns that the report takes as a rule.
    fn width(&self) -> usize {
        usual_width(self.plan, self.terminal)
    }

    /// Puts a report together and shows it in the format that was asked for.
    fn print(&mut self, draft: Draft<'_>, warnings: &[Warning]) -> Result<()> {
        let mut sections: Vec<Section<'_>> = Vec::new();
        sections.extend(std::mem::take(&mut self.files));
        sections.extend(draft.sections);
        let mut report = Report {
            inputs: std::mem::take(&mut self.inputs),
            metrics: draft.metrics,
            primary: draft.primary,
            names: draft.names,
            sections,
            diagnostics: warnings.iter().map(diagnostic).collect(),
        };
        if self.terminal.screen(self.plan).is_some() {
            screen::leave_out(&mut report, self.plan);
        }
        show(&report, self.plan, self.terminal, self.out)
    }
}

/// The columns that text takes where nothing else decides.
const USUAL_WIDTH: usize = 80;

fn usual_width(plan: &Plan, terminal: Terminal) -> usize {
    let screen = || terminal.screen(plan);
    plan.text.width.or_else(screen).unwrap_or(USUAL_WIDTH)
}

/// Shows a report in the format that was asked for.
fn show(report: &Report<'_>, plan: &Plan, terminal: Terminal, out: &mut dyn Sink) -> Result<()> {
    let text = &plan.text;
    let screen = terminal.screen(plan);
    let usual_names = match screen {
        Some(_) => NameForm::Fitting,
        None => NameForm::Full,
    };
    // A format of one section shows the one that was asked for.
    let mut asked = report.sections.iter().map(|section| section.id);
    let options = RenderOptions {
        escapes_controls: terminal.escapes_controls,
        has_color: terminal.has_color,
        width: usual_width(plan, terminal),
        screen,
        names: text.names.unwrap_or(usual_names),
        spells_sizes: terminal.spells_sizes,
        explains: text.explains,
        shows_paths: text.shows_paths,
        shows_locations: text.shows_locations,
        shows_error: text.shows_error,
        section: asked.find(|&id| plan.styles.want_only(recorded::style_of(id))),
        ..RenderOptions::default()
    };
    out.preface(&warnings_above(report, &options));
    let shown = plan.renderer().render(report, &options, out);
    shown
        .or_else(unless_left(terminal))
        .map_err(|error| match error {
            RenderError::Io(error) => anyhow::Error::from(error).context(CANNOT_WRITE),
            error => not_shown(&error, report).into(),
        })
}

/// Who leaves the pager before the end has seen enough, and still hears what is odd.
fn unless_left(terminal: Terminal) -> impl Fn(RenderError) -> Result<(), RenderError> {
    move |error| match error {
        RenderError::Io(error)
            if terminal.columns.is_some() && error.kind() == io::ErrorKind::BrokenPipe =>
        {
            Ok(())
        }
        error => Err(error),
    }
}

/// Says why a format can show nothing of a report, where it is known with the reason
/// why the report has nothing.
fn not_shown(error: &RenderError, report: &Report<'_>) -> RunError {
    let mut reason = error.to_string();
    let lack = report
        .diagnostics
        .iter()
        .find(|one| one.code == NOT_RECORDED);
    if let Some(lack) = lack {
        reason = format!("{reason}: {}", lack.message);
    }
    RunError::NotShown {
        reason,
        advice: lack.map(|lack| lack.advice.clone()),
    }
}

fn diagnostic(warning: &Warning) -> Diagnostic {
    Diagnostic {
        code: warning.code().to_owned().into(),
        message: warning.cause(),
        advice: warning.advice(),
    }
}

/// The reports to print, in order: what was asked for, or what the profile is good for.
fn styles(plan: &Plan, is_usual: impl Fn(OutputStyle) -> bool) -> Vec<OutputStyle> {
    use OutputStyle as S;
    const ORDER: [OutputStyle; 13] = [
        S::Trace,
        S::Peak,
        S::Temporary,
        S::Growth,
        S::Flat,
        S::Graph,
        S::Leaks,
        S::Bins,
        S::Coverage,
        S::ExecCounts,
        S::AnnotatedSource,
        S::FunctionOrder,
        S::FileOrder,
    ];
    let is_printed = |&style: &OutputStyle| {
        plan.styles.wants(style) || plan.styles.is_open(style) && is_usual(style)
    };
    ORDER.into_iter().filter(is_printed).collect()
}

/// The name that keep expressions look at.
fn spelled(table: &SymbolTable, id: SymbolId, style: Style) -> Vec<u8> {
    let raw = &table.get(id).name;
    demangle(raw, style).unwrap_or_else(|| raw.to_vec())
}

/// A warning for each spec that fits nothing.
fn idle_specs(plan: &Plan, table: &SymbolTable) -> Vec<Warning> {
    let specs = plan.filters.without_match(table).into_iter();
    let warning = |spec: &crate::filter::SymSpec| Warning::NothingNamed {
        spec: spec.to_string(),
    };
    specs.map(warning).collect()
}
