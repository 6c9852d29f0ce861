//! The pipeline of profan's own face. The only file, with those below it, that knows
//! every room.

mod absent;
mod build;
mod candidates;
mod choosing;
mod doctor;
mod exact;
mod focus;
mod foreign;
mod inputs;
mod joining;
mod libraries;
mod missing;
mod names;
mod objects;
mod placing;
mod recorded;
mod run_time;
mod sampled;
mod screen;
mod sources;
mod sum;
mod symbol_files;
mod unavailable;

pub use candidates::files_to_complete;
pub use doctor::examine;

use std::fs;
use std::io;
use std::path::Path;

use anyhow::Result;

use crate::analyze::{Material, SectionOptions, SymbolNames, overview_section};
use crate::cli::{OutputStyle, Plan};
use crate::diagnose::{Message, NOT_RECORDED, RunError, Warning, keep_root_causes, messages};
use crate::model::{Kind, MergeError, Profile, RunPart};
use crate::output::Sink;
use crate::progress::Stage;
use crate::render::{NameForm, RenderError, RenderOptions, warnings_above};
use crate::report::{Diagnostic, Input, Metric, MetricIndex, NameTable, NoNames, Report, Section};
use crate::symbols::{Style, SymbolId, SymbolTable, demangle};
use objects::Object;
use unavailable::Lacks;

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

    /// Whether a report has what people look at on a terminal, in the place of what files
    /// have. What is made for comparing texts is the same everywhere.
    fn is_for_people(&self, plan: &Plan) -> bool {
        self.screen(plan).is_some() && !plan.choice.is_stable
    }
}

/// Makes the report of a plan, and returns what is odd about the profile. What of it is to
/// be known before the report is told to `alert` when it is found.
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
    reported.map_err(|error| missing::with_advice(error, plan))
}

fn report(
    plan: &Plan,
    terminal: Terminal,
    out: &mut dyn Sink,
    alert: &mut dyn FnMut(&Warning),
) -> Result<Vec<Warning>> {
    check_output(plan, plan.files.iter().map(|path| &**path))?;
    let opened = inputs::open_all(&plan.files, plan);
    let files = opened.map_err(|error| absent::explained(error, plan))?;
    if let Some(at) = recorded::position(&files) {
        let mut report = recorded::read(files, at)?;
        let mut warnings = recorded::select(&mut report, plan)?;
        let urgent = warnings.iter().filter(|warning| warning.is_urgent());
        urgent.for_each(&mut *alert);
        warnings.extend(choosing::choose_rows(&mut report, plan, terminal, None)?);
        if terminal.screen(plan).is_some() {
            screen::leave_out_index(&mut report, plan);
            screen::introduce(&mut report);
        }
        show(&report, &report.diagnostics, plan, terminal, out)?;
        return Ok(warnings);
    }
    let given = inputs::sort_out(files, plan)?;
    check_output(plan, given.profiles.iter().map(|file| file.given_path()))?;
    let symbol_files::Symbols { programs, external } = symbol_files::read(&given, plan)?;
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
        // What is to fail leaves no sum behind.
        if !plan.deny.covers_any(&warnings) {
            sum::write(path, &objects, plan)?;
        }
    }
    let mut press = Press {
        plan,
        terminal,
        inputs,
        files,
        kept: None,
        out,
        alert,
    };
    if plan.styles.need_no_symbols() {
        warnings.extend(unavailable::of_files(plan));
        press.print(Draft::of_files(), &mut warnings)?;
        return Ok(warnings);
    }
    plan.progress.begin(Stage::Adding, None);
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

/// Refuses to write a report over what it is made from.
fn check_output<'a>(plan: &Plan, mut inputs: impl Iterator<Item = &'a Path>) -> Result<()> {
    let Some(output) = &plan.output else {
        return Ok(());
    };
    let real = |path: &Path| fs::canonicalize(path).ok();
    let written = real(output);
    if written.is_some() && inputs.any(|input| input.is_file() && real(input) == written) {
        let path = output.display().to_string();
        return Err(RunError::OverInput { path }.into());
    }
    Ok(())
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
    /// Which functions an expression keeps, by number.
    kept: Option<Box<[bool]>>,
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
            is_for_screen: self.terminal.is_for_people(self.plan),
            has_all_columns: self.plan.choice.names_columns(),
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
        let is_for_people = self.terminal.is_for_people(self.plan)
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

    /// The reports that can be made, of which there are those on files, and the sum.
    fn lacks(&self) -> Lacks {
        let mut lacks = Lacks::default();
        self.files.iter().for_each(|_| lacks.give());
        self.plan.sum.iter().for_each(|_| lacks.give());
        lacks
    }

    /// Puts a report together and shows it in the format that was asked for.
    /// Warnings that follow from others are left out from here on.
    fn print(&mut self, draft: Draft<'_>, warnings: &mut Vec<Warning>) -> Result<()> {
        keep_root_causes(warnings);
        let mut sections: Vec<Section<'_>> = Vec::new();
        sections.extend(std::mem::take(&mut self.files));
        sections.extend(draft.sections);
        let mut report = Report {
            inputs: std::mem::take(&mut self.inputs),
            metrics: draft.metrics,
            primary: draft.primary,
            names: draft.names,
            sections,
            diagnostics: Vec::new(),
        };
        let kept = self.kept.take();
        let idle = choosing::choose_rows(&mut report, self.plan, self.terminal, kept)?;
        warnings.extend(idle);
        report.diagnostics = warnings.iter().map(diagnostic).collect();
        if self.terminal.screen(self.plan).is_some() {
            screen::leave_out_index(&mut report, self.plan);
        }
        let said = messages(warnings, self.plan.is_verbose).into_iter();
        let said: Vec<_> = said.map(as_diagnostic).collect();
        show(&report, &said, self.plan, self.terminal, self.out)
    }
}

/// The columns that text takes where nothing else decides.
const USUAL_WIDTH: usize = 80;

fn usual_width(plan: &Plan, terminal: Terminal) -> usize {
    let screen = || terminal.screen(plan);
    plan.text.width.or_else(screen).unwrap_or(USUAL_WIDTH)
}

/// Shows a report in the format that was asked for, and in a pager above it what is said
/// of it.
fn show(
    report: &Report<'_>,
    said: &[Diagnostic],
    plan: &Plan,
    terminal: Terminal,
    out: &mut dyn Sink,
) -> Result<()> {
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
    let is_error = |code: &str| plan.deny.covers(code);
    out.preface(&warnings_above(said, &is_error, &options));
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

fn as_diagnostic(message: Message) -> Diagnostic {
    Diagnostic {
        code: message.code.into(),
        message: message.cause,
        advice: message.advice,
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
