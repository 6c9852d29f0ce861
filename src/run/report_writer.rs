//! Assembles a report and writes it.

use std::io;
use std::path::Path;

use anyhow::Result;

use super::unavailable::UnavailableReports;
use super::{Alert, Terminal, choosing, recorded};
use crate::analyze::{Material, SectionOptions, SymbolNames, overview_section};
use crate::cli::{OutputStyle, Plan};
use crate::diagnose::{RunError, Verdict, Warning, is_unavailable, keep_root_causes, messages};
use crate::model::RunPart;
use crate::output::{Output, Sink, unless_closed};
use crate::render::{NameForm, RenderError, RenderOptions, warnings_above};
use crate::report::width::bounded;
use crate::report::{
    Metric, MetricIndex, NameTable, NoNames, Report, ReportInput, Section, ShortNames,
};
use crate::symbols::{Executable, Style};

/// A report without its inputs.
pub(super) struct ReportParts<'a> {
    pub(super) metrics: Vec<Metric>,
    pub(super) primary: MetricIndex,
    pub(super) names: Box<dyn NameTable + 'a>,
    pub(super) sections: Vec<Section<'a>>,
}

impl ReportParts<'_> {
    /// A report on files only, without names.
    pub(super) fn of_files() -> Self {
        Self { metrics: Vec::new(), primary: 0, names: Box::new(NoNames), sections: Vec::new() }
    }
}

/// Completes reports and writes them.
pub(super) struct ReportWriter<'a> {
    pub(super) plan: &'a Plan,
    pub(super) terminal: Terminal,
    pub(super) inputs: Vec<ReportInput>,
    /// Sections with the contents of each file, if requested.
    pub(super) files: Vec<Section<'static>>,
    /// The total of the report in a sentence.
    pub(super) total: Option<String>,
    /// Notes before the report.
    pub(super) notes: Vec<String>,
    /// For each function, whether the keep expression selects it.
    pub(super) kept: Option<Box<[bool]>>,
    pub(super) out: &'a mut dyn Sink,
    /// Reports urgent problems before the report.
    pub(super) alert: &'a mut dyn FnMut(Alert<'_>),
}

impl<'a> ReportWriter<'a> {
    /// A writer for a plan, without inputs yet.
    pub(super) fn new(
        plan: &'a Plan,
        terminal: Terminal,
        out: &'a mut dyn Sink,
        alert: &'a mut dyn FnMut(Alert<'_>),
    ) -> Self {
        Self {
            plan,
            terminal,
            inputs: Vec::new(),
            files: Vec::new(),
            total: None,
            notes: Vec::new(),
            kept: None,
            out,
            alert,
        }
    }
}

impl ReportWriter<'_> {
    /// Adds a verdict to the executable among the inputs.
    pub(super) fn record(&mut self, verdict: &Verdict, executable: &Executable) {
        let path = executable.path().display().to_string();
        let is_it = |input: &&mut ReportInput| input.kind == "executable" && input.path == path;
        if let Some(input) = self.inputs.iter_mut().find(is_it) {
            input.verdict = Some(verdict.for_report());
        }
    }

    /// How to select and lay out rows.
    pub(super) fn section_options(&self) -> SectionOptions {
        SectionOptions {
            shows_zero_cost: self.plan.shows_zero_cost,
            is_bsd: self.plan.text.is_bsd,
            has_error: self.plan.text.shows_error || self.plan.renderer().shows_error,
            n_runs: self.n_profiles(),
            is_for_screen: self.terminal.is_for_people(self.plan),
            has_all_columns: self.plan.choice.names_columns(),
        }
    }

    /// Number of profiles added up, one for each run as far as known.
    pub(super) fn n_profiles(&self) -> u32 {
        let n_profiles = self.inputs.iter().filter(|input| input.kind == "profile").count();
        u32::try_from(n_profiles).unwrap_or(u32::MAX)
    }

    /// The first lines of a report on a terminal.
    pub(super) fn overview(
        &self,
        material: &Material<'_>,
        parts: &[RunPart],
    ) -> Option<Section<'static>> {
        // An order is for the linker.
        let styles = self.plan.styles;
        let is_order = styles.want_only(OutputStyle::FunctionOrder)
            || styles.want_only(OutputStyle::FileOrder);
        (material.options.is_for_screen && !is_order)
            .then(|| overview_section(material, choosing::what_it_is(&self.inputs, parts)))
    }

    /// Demangled for people, unchanged for programs.
    pub(super) fn names<'n>(&self, names: SymbolNames<'n>) -> SymbolNames<'n> {
        let form = self.plan.text.names;
        let is_for_people = self.terminal.is_for_people(self.plan)
            || matches!(form, Some(NameForm::Short | NameForm::Base));
        if is_for_people && self.plan.text.demangle == Style::Auto {
            names.with_languages()
        } else {
            names
        }
    }

    /// Default width of the report, in columns.
    pub(super) fn width(&self) -> usize {
        usual_width(self.plan, self.terminal)
    }

    /// The available reports, including those on files and the sum.
    pub(super) fn requested(&self) -> UnavailableReports {
        let mut requested = UnavailableReports::default();
        self.files.iter().for_each(|_| requested.add_available());
        self.plan.sum.iter().for_each(|_| requested.add_available());
        requested
    }

    /// Assembles the report and writes it in the requested format. Omits warnings that follow
    /// from others.
    pub(super) fn print(
        &mut self,
        report_parts: ReportParts<'_>,
        warnings: &mut Vec<Warning>,
    ) -> Result<()> {
        keep_root_causes(warnings);
        let mut sections: Vec<Section<'_>> = std::mem::take(&mut self.files);
        sections.extend(report_parts.sections);
        let mut report = Report {
            inputs: std::mem::take(&mut self.inputs),
            metrics: report_parts.metrics,
            primary: report_parts.primary,
            names: report_parts.names,
            sections,
            diagnostics: Vec::new(),
            notes: self.total.iter().chain(&self.notes).cloned().collect(),
            command: Vec::new(),
            has_chosen_rows: false,
        };
        let kept = self.kept.take();
        let zero_cost = choosing::choose_rows(&mut report, self.plan, self.terminal, kept)?;
        warnings.extend(zero_cost);
        // A page has them itself.
        let notes = self.notes.drain(..);
        for note in notes.filter(|_| !self.plan.renderer().is_page) {
            (self.alert)(Alert::Note(&note));
        }
        report.diagnostics = warnings.iter().map(Warning::diagnostic).collect();
        if self.terminal.screen(self.plan).is_some() {
            choosing::leave_out_index(&mut report, self.plan);
        }
        show(&mut report, warnings, self.plan, self.terminal, self.out)
    }
}

/// Default width in columns.
const USUAL_WIDTH: usize = 80;

fn usual_width(plan: &Plan, terminal: Terminal) -> usize {
    let screen = || terminal.screen(plan);
    bounded(plan.text.width.or_else(screen).unwrap_or(USUAL_WIDTH))
}

/// Writes a report in the requested format, with the warnings above it in a pager. Then adds
/// warnings about names, which are known after all names were printed.
pub(super) fn show(
    report: &mut Report<'_>,
    warnings: &mut Vec<Warning>,
    plan: &Plan,
    terminal: Terminal,
    out: &mut dyn Sink,
) -> Result<()> {
    if terminal.escapes_controls {
        report.escape_words();
    }
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
        is_terminal: terminal.escapes_controls,
        has_color: terminal.has_color,
        width: usual_width(plan, terminal),
        screen,
        keeps_columns: plan.choice.columns.is_some(),
        names: text.names.unwrap_or(usual_names),
        abbreviates_sizes: terminal.abbreviates_sizes,
        explains: text.explains,
        shows_paths: text.shows_paths,
        shows_locations: text.shows_locations,
        shows_error: text.shows_error,
        is_csv_safe: text.is_csv_safe,
        section: asked.find(|&id| plan.styles.want_only(recorded::style_of(id))),
        ..RenderOptions::default()
    };
    let is_error = |code: &str| plan.deny.covers(code);
    let said = messages(warnings, plan.is_verbose);
    out.preface(&warnings_above(&said, &is_error, &options));
    if !plan.renderer().keeps_names {
        let whole = std::mem::replace(&mut report.names, Box::new(NoNames));
        report.names = Box::new(ShortNames::new(whole));
    }
    report.command.clone_from(&plan.command);
    report.has_chosen_rows |= plan.choice.top.is_some() || plan.choice.min_percent.is_some();
    if out.take(report)? {
        return Ok(());
    }
    let renderer = plan.renderer();
    let format = renderer.name;
    let too_large = renderer.saturates(report);
    warnings.extend(too_large.map(|greatest| Warning::TooLarge { format, greatest }));
    let rendered = if plan.output.is_some() && renderer.writes_files() {
        let mut write_file = |name: &str, bytes: &[u8]| out.write_file(name, bytes);
        renderer.render_files(report, &options, &mut write_file)
    } else {
        renderer.render(report, &options, out)
    };
    let shown = match rendered {
        Ok(()) => Ok(()),
        Err(RenderError::Io(error)) => written(Err(error), plan),
        Err(error) => Err(not_shown(&error, report).into()),
    };
    let [given_up, shortened] = [report.names.n_given_up(), report.names.n_shortened()];
    let about_names = [
        (given_up > 0).then_some(Warning::NamesGivenUp { n_names: given_up }),
        (shortened > 0).then_some(Warning::NamesShortened { n_names: shortened }),
    ];
    warnings.extend(about_names.into_iter().flatten());
    shown
}

/// Ignores a closed pipe, and adds the name of the file to other errors.
///
/// # Errors
/// If writing failed.
pub(super) fn written(result: io::Result<()>, plan: &Plan) -> Result<()> {
    let Err(source) = result.or_else(unless_closed) else {
        return Ok(());
    };
    let path = plan.output.as_deref();
    Err(match path.filter(|path| *path != Path::new("-")) {
        None => anyhow::Error::from(source).context("cannot write the report to standard output"),
        Some(path) => unwritable(path, source).into(),
    })
}

/// Opens the output file, or standard output.
///
/// # Errors
/// If it is not writable.
pub(super) fn open_output(path: Option<&Path>) -> Result<Output, RunError> {
    Output::open(path).map_err(|source| unwritable(path.unwrap_or(Path::new("-")), source))
}

/// Opens the output directory of a format that writes several files.
///
/// # Errors
/// If it has files, or is not writable.
pub(super) fn open_directory(path: &Path) -> Result<Output, RunError> {
    Output::directory(path).map_err(|source| unwritable(path, source))
}

fn unwritable(path: &Path, source: io::Error) -> RunError {
    RunError::Unwritable { path: path.display().to_string(), source }
}

/// Returns whether rendering may still find a problem that the plan refuses.
pub(super) fn may_refuse_late(plan: &Plan) -> bool {
    plan.deny.covers_any(&[
        Warning::NamesGivenUp { n_names: 1 },
        Warning::NamesShortened { n_names: 1 },
        Warning::TooLarge { format: plan.renderer().name, greatest: 0 },
    ])
}

/// Explains why a format has nothing to show, with the reason for the missing section if
/// known.
fn not_shown(error: &RenderError, report: &Report<'_>) -> RunError {
    let mut reason = error.to_string();
    let lack = report.diagnostics.iter().find(|one| is_unavailable(&one.code));
    if let Some(lack) = lack {
        reason = format!("{reason}: {}", lack.message);
    }
    let advice = match error {
        RenderError::Binary { .. } => Some("write it to a file: -o FILE".to_owned()),
        RenderError::Directory { .. } => Some("write it to a directory: -o DIRECTORY".to_owned()),
        RenderError::NoBytes { .. } => Some("use --format cpuprofile".to_owned()),
        RenderError::NoWeights { .. } => {
            Some("save the report again: profan --tree --format json".to_owned())
        }
        _ => lack.map(|lack| lack.advice.clone()),
    };
    RunError::NotShown { reason, advice }
}
