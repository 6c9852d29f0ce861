//! Every profile of the fixtures, reported as text, JSON, CSV and a picture.

use std::collections::HashSet;
use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use profan::cli::{self, Command, Plan, Task};
use profan::diagnose::Warning;
use profan::output::ColorWhen;
use profan::render::RenderOptions;
use profan::report::SectionId;
use profan::run::{Alert, Terminal, run};

use crate::support::case::{Case as Recorded, cases_below};
use crate::support::staged::{Staged, StagedFixtures};
use crate::support::{Outcome, Scratch, files_below, run_line, words_of};

/// A command line of profan's native mode, and its output in each format.
pub(super) struct Shown {
    /// Directory and command line.
    pub(super) name: String,
    pub(super) plan: Plan,
    pub(super) text: Outcome,
    pub(super) json: Outcome,
    /// Set if it makes sense, and for all recorded command lines.
    pub(super) csv: Option<Outcome>,
    pub(super) dot: Option<Outcome>,
    /// The text that the program prints for the JSON, with the same options.
    pub(super) text_of_json: Option<Outcome>,
}

impl Shown {
    /// Whether the text leaves out rows that files have, which a renderer alone does not.
    pub(super) fn is_cut(&self) -> bool {
        let text = String::from_utf8_lossy(&self.text.stdout);
        // Text shows the hot lines of sources, after the table of files.
        text.contains("; --all shows them") || text.contains("by source file:")
    }

    /// How the text was shown.
    pub(super) fn options(&self, section: Option<SectionId>) -> RenderOptions {
        let look = &self.plan.look;
        RenderOptions {
            has_color: look.color == ColorWhen::Always,
            width: look.width.unwrap_or(80),
            names: look.names.unwrap_or_default(),
            explains: look.explain,
            shows_paths: look.print_path,
            shows_locations: look.inline_file_names,
            shows_error: look.error,
            is_csv_safe: look.csv_safe,
            section,
            ..RenderOptions::default()
        }
    }
}

/// All of them, made once.
pub(super) fn all() -> &'static [Shown] {
    static ALL: OnceLock<Vec<Shown>> = OnceLock::new();
    ALL.get_or_init(|| {
        let cases = cases();
        let mut fixtures = StagedFixtures::default();
        let staged = cases.iter().map(|case| Some(fixtures.of(case.recorded.as_ref()?)));
        let cases: Vec<_> = cases.iter().zip(staged).collect();
        let next = AtomicUsize::new(0);
        let work = || {
            let mut made = Vec::new();
            while let Some((case, staged)) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
                made.push(show(case, staged.as_deref()));
            }
            made
        };
        let n_threads = thread::available_parallelism().map_or(1, |n| n.get());
        thread::scope(|scope| {
            let threads: Vec<_> = (0..n_threads).map(|_| scope.spawn(work)).collect();
            let made = threads.into_iter().map(|thread| thread.join());
            made.flat_map(|made| made.expect("reports can be made")).collect()
        })
    })
}

/// Command lines that print a report.
pub(super) fn reports() -> impl Iterator<Item = &'static Shown> {
    all().iter().filter(|shown| shown.text.status == 0)
}

/// A command line.
struct Case {
    line: String,
    plan: Plan,
    /// Its recording, if any.
    recorded: Option<Recorded>,
}

/// Recorded command lines, and the files of all others with native options.
fn cases() -> Vec<Case> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let mut cases = Vec::new();
    let mut seen = HashSet::new();
    for recorded in cases_below(&root) {
        let line = recorded.line.trim_end().to_owned();
        let directory = recorded.directory.clone();
        let files = files_of(&line, &directory);
        if words_of(&line)[0] == "profan" {
            cases.extend(Case::new(line, Some(recorded)));
        } else if seen.insert((directory.clone(), files.clone())) {
            // Lines take long to find.
            let is_by_line = seen.len() % 5 == 1;
            cases.extend(cases_of(&directory, &files, line.starts_with("mp"), is_by_line));
        }
    }
    for file in files_below(&root.join("callgrind")) {
        let name = file.file_name().expect("it has a name").to_string_lossy();
        if name.contains("grind.out") {
            let directory = file.parent().expect("it is in a folder");
            cases.extend(cases_of(directory, &[name.into_owned()], false, true));
        }
    }
    cases
}

/// Reports on some files. They write no files, so they need no copy.
fn cases_of(directory: &Path, files: &[String], is_heap: bool, is_by_line: bool) -> Vec<Case> {
    let mut all = vec!["-i -p", "-q -C -A -z --leaks --bins --trace --coverage"];
    all.extend(is_heap.then_some("-i -p --value=unfreed-bytes"));
    if is_by_line {
        all.extend(["-l -p -q -T", "-p -A --inlines"]);
    }
    let paths = files.iter().map(|file| directory.join(file));
    let paths: Vec<_> = paths.map(|path| path.display().to_string()).collect();
    let case = |options| {
        let search = directory.display();
        let line = format!("profan {options} -I {search} {}", paths.join(" "));
        Case::new(line, None)
    };
    all.into_iter().filter_map(case).collect()
}

impl Case {
    /// `None` for a command line that does not request a report.
    fn new(line: String, recorded: Option<Recorded>) -> Option<Self> {
        let words = words_of(&line);
        let words = words.iter().take_while(|word| *word != "<");
        let Ok(Command::Report(plan)) = cli::parse(words.map(OsString::from)) else {
            return None;
        };
        matches!(plan.task, Task::Profiles).then(|| Self { line, plan: *plan, recorded })
    }
}

/// The files that an original reads, in their order.
fn files_of(line: &str, directory: &Path) -> Vec<String> {
    let mut words = words_of(line).into_iter();
    let tool = words.next().expect("there is a first word");
    let mut files: Vec<_> = words.filter(|word| directory.join(word).is_file()).collect();
    if files.is_empty() {
        let usual: &[&str] = match &*tool {
            "gprof" => &["a.out", "gmon.out"],
            "mlprof" => &["a.out", "mlmon.out"],
            "mptrace" => &["mpatrol.trace"],
            _ => &["mpatrol.out"],
        };
        files.extend(usual.iter().map(ToString::to_string));
    }
    files
}

fn show(case: &Case, staged: Option<&Staged>) -> Shown {
    let name = match &case.recorded {
        Some(recorded) => format!("{}: {}", recorded.path.display(), case.line),
        None => case.line.clone(),
    };
    let is_own = case.recorded.is_some();
    let wants = |style| case.plan.sections.wants(style);
    // The files that a case makes do not disturb its other formats.
    let scratch = staged.zip(case.recorded.as_ref());
    let scratch = scratch.map(|(staged, recorded)| staged.scratch_of(recorded));
    let scratch = scratch.as_ref().map(Scratch::path);
    let run_as = |format| run_case(case, format, None, scratch);
    let json = run_as("json");
    let text_of_json =
        (is_own && json.status == 0).then(|| run_case(case, "text", Some(&json.stdout), scratch));
    let shown = Shown {
        text: run_as("text"),
        csv: (is_own || !wants(SectionId::Graph)).then(|| run_as("csv")),
        dot: (is_own || wants(SectionId::Graph)).then(|| run_as("dot")),
        json,
        text_of_json,
        name,
        plan: case.plan.clone(),
    };
    assert_eq!(staged.and_then(Staged::changed), None, "a case has written to an input");
    shown
}

/// Runs a command line in another format, with a report in the place of its files where
/// there is one.
fn run_case(
    case: &Case,
    format: &'static str,
    report: Option<&[u8]>,
    scratch: Option<&Path>,
) -> Outcome {
    let (mut line, redirection) = match case.line.split_once(" < ") {
        Some((line, file)) => (line.to_owned(), format!(" < {file}")),
        None => (case.line.clone(), String::new()),
    };
    let (Some(recorded), Some(scratch)) = (&case.recorded, scratch) else {
        let mut plan = case.plan.clone();
        plan.look.format = Some(format);
        return run_here(&plan);
    };
    let stdin = recorded.stdin.as_deref().unwrap_or_default();
    // The report is wanted on standard output.
    if let Some((start, rest)) = line.split_once(" -o ") {
        let (_, rest) = rest.split_once(' ').unwrap_or((rest, ""));
        line = format!("{start} {rest}");
    }
    if let Some(report) = report {
        let kept = "kept.json";
        fs::write(scratch.join(kept), report).expect("the folder is writable");
        for file in &case.plan.files {
            let file = format!(" {}", file.display());
            if let Some(place) = line.rfind(&file) {
                line.replace_range(place..place + file.len(), "");
            }
        }
        // Files were listed on standard input.
        line = format!("{} {kept}", line.replacen(" @-", "", 1));
    }
    let line = format!("{} --format {format}{redirection}", line.trim_end());
    run_line(&line, stdin, scratch)
}

/// Makes a report on files with whole paths, in this process.
fn run_here(plan: &Plan) -> Outcome {
    let terminal = Terminal::default();
    let mut stdout = Vec::new();
    let mut said = Vec::new();
    let mut alert = |alert: Alert<'_>| match alert {
        Alert::Warning(warning) => said.push(warning.cause()),
        Alert::Note(note) => said.push(note.to_owned()),
    };
    let (status, said) = match run(plan, terminal, &mut stdout, &mut alert) {
        Ok(outcome) => {
            said.extend(outcome.warnings.iter().map(Warning::cause));
            (0, said.join("\n"))
        }
        Err(error) => (2, format!("{error:#}")),
    };
    Outcome { stdout, stderr: said.into_bytes(), status }
}
