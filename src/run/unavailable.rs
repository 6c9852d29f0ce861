//! Reports that cannot be made of what was recorded: one sentence says why, and what
//! would have it.

use crate::analyze::{AnnotationOptions, CostGraph, TotalsFrom, metric_named};
use crate::cli::{OutputStyle, Plan};
use crate::diagnose::{Lack, RunError, Warning};
use crate::filter::Nearest;
use crate::model::{Heap, Profile, is_heap_metric};
use crate::report::{Basis, Section, Sureness};
use crate::symbols::SymbolTable;

/// Refuses a metric that no profile has, or one of another kind.
pub(super) fn check_metric(plan: &Plan, costs: &CostGraph) -> Result<(), RunError> {
    let has = |id: &str| metric_named(&costs.metrics, id).is_some();
    match &plan.value {
        // Those of heaps change nothing elsewhere, which is said and no more.
        Some(asked) if !has(asked) && (costs.has_choice_of_metrics() || !is_of_heap(plan)) => {
            let has: Vec<_> = costs.metrics.iter().map(|m| m.id.to_string()).collect();
            let nearest = Nearest::among(asked, &has).into_near_names();
            Err(RunError::NoMetric {
                asked: asked.clone(),
                has,
                nearest,
            })
        }
        _ => Ok(()),
    }
}

/// Refuses a point behind the end of a trace.
pub(super) fn check_points(plan: &Plan, profile: &Profile) -> Result<(), RunError> {
    let n_events = match &profile.history {
        Some(history) => history.n_events,
        None => return Ok(()),
    };
    let mut asked = plan.exact.heap_events().into_iter().flatten();
    match asked.find(|&event| event > n_events) {
        Some(event) => Err(RunError::NoEvent { event, n_events }),
        None => Ok(()),
    }
}

/// Why a report cannot be made of what was recorded, if that is so.
pub(super) fn of_exact(
    style: OutputStyle,
    profile: &Profile,
    costs: &CostGraph,
) -> Option<Warning> {
    use OutputStyle as S;
    let is_heap = costs.is_heap;
    let has_stacks = costs.totals_from == TotalsFrom::Stacks;
    let has_calls = has_stacks || !profile.costs.possible_calls.is_empty();
    let is_trace = profile.history.is_some();
    let counts_entries = costs.counts_entries || costs.call_counts.is_some();
    let lack = |what, advice| Some(Warning::NotRecorded { what, advice });
    match style {
        S::Flat if costs.measures_nothing() => lack(
            "no flat profile: a table of sources has no numbers",
            "give the mlmon.out of a run too",
        ),
        S::Graph if costs.has_too_many_calls() => lack(
            "no call graph: more than a million calls are possible",
            "use mlprof's -call-graph with -keep for a part of it",
        ),
        S::Graph if is_trace => lack(
            "no call graph: a trace names who asked for memory, and not who called",
            "let mpatrol write a profile too (its option PROF), which has call stacks",
        ),
        S::Graph if is_heap && !has_calls => lack(
            "no call graph: this profile has no call stacks",
            "build the program so that mpatrol can follow its stack: -fno-omit-frame-pointer",
        ),
        S::Leaks if !is_heap => lack(
            "no leaks: this is no heap profile",
            "give an allocation profile or trace of mpatrol",
        ),
        S::Bins if !is_heap => lack(
            "no sizes of blocks: this is no heap profile",
            "give an allocation profile or trace of mpatrol",
        ),
        S::Bins if profile.heap.as_ref().is_none_or(Heap::is_empty) => lack(
            "no sizes of blocks: they were not counted",
            "use a library that was built to count them, as it is by default",
        ),
        S::Trace if is_heap && !is_trace => lack(
            "no trace: an allocation profile has sums and no events",
            "give the mpatrol.trace that mpatrol writes with its option TRACE",
        ),
        S::Peak | S::Temporary | S::Growth if is_heap && !is_trace => lack(
            "what was in use at any time is unknown: an allocation profile has sums and no events",
            "record a trace: give the mpatrol.trace that mpatrol writes with its option TRACE",
        ),
        S::Peak | S::Temporary | S::Growth if !is_trace => lack(
            "what was in use at any time is unknown: this profile has no events of a heap",
            "leave --peak, --temporary and --between out; they are for traces of mpatrol",
        ),
        S::Trace if !is_trace => lack(
            "no trace: this profile has sums and no events",
            "leave --trace out; it is for traces of mpatrol",
        ),
        S::ExecCounts if !is_heap && !counts_entries => lack(
            "no execution counts: the profile does not count entries of functions",
            "compile with mlton -profile count",
        ),
        S::Coverage if !costs.counts_entries => lack(
            "no coverage: the profile does not count entries of functions",
            "compile with mlton -profile count",
        ),
        S::FunctionOrder if costs.call_counts.is_some() => None,
        S::FunctionOrder | S::FileOrder => lack(
            "no order for the linker: it is made from the calls that a gmon.out counts",
            "build with -pg for that",
        ),
        _ => None,
    }
}

/// What comes of it that no line of any source is known, and why that is so.
pub(super) fn of_lines(what: &'static str, profile: &Profile) -> Warning {
    let advice = match (&profile.heap, &profile.history) {
        (_, Some(_)) => {
            "let mpatrol trace with its option USEDEBUG, or compile with its macros (mpatrol.h)"
        }
        (Some(_), None) => "give the program too, built with -g: profan mpatrol.out ./PROGRAM",
        _ => "give the mlmon.out of a run too, and the table of a program compiled with -profile",
    };
    Warning::NotRecorded { what, advice }
}

/// What comes of it that nobody knows how long a sample lasts.
pub(super) fn of_rate() -> Warning {
    Warning::NotRecorded {
        what: "--wall changes nothing: the profile does not say how long a sample lasts",
        advice: "leave the option out for this file",
    }
}

/// Options that change nothing for exact costs.
pub(super) fn of_options(
    plan: &Plan,
    profile: &Profile,
    costs: &CostGraph,
    has_program: bool,
) -> Vec<Warning> {
    let is_heap = costs.is_heap;
    let is_of_mlton = profile.kind.is_some_and(|kind| kind.is_standard_ml);
    let has_addresses = || profile.costs.contexts.iter().any(|c| c.address.is_some());
    let exact = &plan.exact;
    let symbols = &plan.symbols;
    let lacks = [
        (
            plan.source.marks != AnnotationOptions::default(),
            "-x, -m and -t change nothing: every line has its own numbers here",
        ),
        (
            plan.text.is_bsd,
            "-T changes nothing: the layout of BSD is for gmon.out only",
        ),
        (
            plan.text.shows_error && costs.metrics[costs.primary].basis == Basis::Recorded,
            "--error adds nothing: the numbers are exact, for all was counted",
        ),
        (
            plan.reading.rate.is_some() || plan.reading.counter_bits.is_some(),
            "--rate and --counter-bits change nothing: they are for gmon.out only",
        ),
        (
            plan.static_calls,
            "-c changes nothing: calls in machine code are added for gmon.out only",
        ),
        (
            lacks_program_for_symbols(plan, has_program),
            WITHOUT_SYMBOLS,
        ),
        (lacks_program_for_debug(plan, has_program), WITHOUT_DEBUG),
        (
            symbols.external.is_some() && !is_heap && !has_program,
            "-S changes nothing: this profile has names, and no addresses",
        ),
        (
            plan.base.is_some() && !has_addresses(),
            "--base changes nothing: this profile has no addresses",
        ),
        (
            plan.shows_inlines,
            "--inlines changes nothing: it tells apart the time of a gmon.out",
        ),
        (
            plan.keep.is_some() && costs.lacks_calls,
            "--keep knows no callers here: more than four million calls are possible",
        ),
        (
            plan.run_time.is_some(),
            "--wall changes nothing: it is for the samples of a gmon.out",
        ),
        (
            !is_heap && is_of_heap(plan),
            "--value changes nothing: this profile has one kind of number",
        ),
        (
            is_heap && (exact.merges_names || exact.hides_library),
            "--merge-names and --no-library change nothing: they are for Standard ML",
        ),
        (
            !is_heap && !is_of_mlton && exact.hides_library,
            "--no-library changes nothing: it is for Standard ML",
        ),
    ];
    idle(lacks).collect()
}

const WITHOUT_SYMBOLS: &str =
    "-a and -D change nothing: they go with the executable, which was not given";

fn lacks_program_for_symbols(plan: &Plan, has_program: bool) -> bool {
    (plan.symbols.skips_static || plan.symbols.skips_untyped) && !has_program
}

const WITHOUT_DEBUG: &str =
    "--debug-dir changes nothing: it goes with the executable, which was not given";

fn lacks_program_for_debug(plan: &Plan, has_program: bool) -> bool {
    !plan.symbols.debug_dirs.is_empty() && !has_program
}

/// What comes of it that errors of times were asked for, and no section has any.
pub(super) fn of_error(plan: &Plan, sections: &[Section<'_>]) -> Option<Warning> {
    let says_how_sure = |section: &Section<'_>| section.sureness != Sureness::default();
    // Of parts of functions that is said already.
    let is_idle = plan.text.shows_error
        && plan.filters.focus.is_empty()
        && !sections.iter().any(says_how_sure);
    is_idle.then_some(Warning::NotRecorded {
        what: "--error adds nothing: none of these reports can say how sure its times are",
        advice: "add -p or -q, or leave the option out",
    })
}

/// The options that change nothing where only files are looked at or added up.
pub(super) fn of_files(plan: &Plan) -> impl Iterator<Item = Warning> {
    let only_looks = plan.styles.want_only(OutputStyle::FileInfo);
    let lacks = [
        (
            plan.text.shows_error,
            "--error adds nothing: -i and -s have no sampled times",
        ),
        (
            plan.run_time.is_some(),
            "--wall changes nothing: -i and -s have no sampled times",
        ),
        (
            plan.reading.rate.is_some() && only_looks,
            "--rate changes nothing: -i says what is in the file",
        ),
    ];
    let idle = lacks.into_iter().filter(|(is_idle, _)| *is_idle);
    idle.map(|(_, what)| Warning::NotRecorded {
        what,
        advice: "add -p or -q, or leave the option out",
    })
}

/// Whether a metric of heaps was asked for.
fn is_of_heap(plan: &Plan) -> bool {
    let asked = plan.value.as_deref();
    asked.is_some_and(is_heap_metric)
}

/// Warnings of the options that change nothing.
fn idle(lacks: impl IntoIterator<Item = (bool, &'static str)>) -> impl Iterator<Item = Warning> {
    let idle = lacks.into_iter().filter(|(is_idle, _)| *is_idle);
    idle.map(|(_, what)| Warning::NotRecorded {
        what,
        advice: "leave the option out for this file",
    })
}

/// Which of the reports that were asked for, or are usual, cannot be made.
#[derive(Debug, Default)]
pub(super) struct Lacks {
    lacks: Vec<Lack>,
    n_given: usize,
}

impl Lacks {
    /// One more report can be made.
    pub(super) fn give(&mut self) {
        self.n_given += 1;
    }

    /// One more report cannot be made, which is worth a warning where others can. Several
    /// reports may lack the same.
    pub(super) fn miss(&mut self, why: Warning, warnings: &mut Vec<Warning>) {
        if warnings.contains(&why) {
            return;
        }
        self.lacks.push(Lack {
            what: why.cause(),
            advice: why.advice(),
        });
        warnings.push(why);
    }

    /// Annotated source cannot be made, for no source is there. Where other reports can,
    /// each source has its warning.
    pub(super) fn miss_sources(&mut self, missing: &[String]) {
        let which = match missing {
            [] => return,
            [only] => only.clone(),
            [first, more @ ..] => format!("neither {first} nor {} more sources", more.len()),
        };
        let verb = if missing.len() == 1 { "cannot" } else { "can" };
        self.lacks.push(Lack {
            what: format!("no annotated source: {which} {verb} be found"),
            advice: "say with -I DIR in which folder it is, or with --path-map OLD=NEW where \
                the whole tree is"
                .to_owned(),
        });
    }

    /// Refuses a command line of which nothing can be reported.
    ///
    /// # Errors
    /// When there are reports that cannot be made, and no other.
    pub(super) fn check(self) -> Result<(), RunError> {
        let lacks = self.lacks;
        match self.n_given == 0 && !lacks.is_empty() {
            true => Err(RunError::NothingToReport { lacks }),
            false => Ok(()),
        }
    }
}

/// Why a report cannot be made of a gmon.out, or of those of several programs and
/// libraries, if that is so.
pub(super) fn of_sampled(style: OutputStyle, table: &SymbolTable) -> Option<Warning> {
    use OutputStyle as S;
    let lack = |what, advice| Some(Warning::NotRecorded { what, advice });
    let leave_out = "leave the option out for this file";
    match style {
        S::Leaks => lack("no leaks: gmon.out records no memory", leave_out),
        S::Bins => lack("no sizes of blocks: gmon.out records no memory", leave_out),
        S::Trace => lack("no trace: gmon.out records no events", leave_out),
        S::Peak | S::Temporary | S::Growth => {
            lack("nothing of the heap: gmon.out records no memory", leave_out)
        }
        S::FunctionOrder | S::FileOrder if !table.objects().is_empty() => lack(
            "no order for the linker: it links one program or library at a time",
            "give one program or library, and its profile",
        ),
        S::Coverage => lack(
            "no coverage: gmon.out counts calls, which -C and -A show",
            leave_out,
        ),
        _ => None,
    }
}

/// The options that change nothing for a gmon.out, or for profiles that are all of
/// libraries.
pub(super) fn of_gmon(
    plan: &Plan,
    has_program: bool,
    are_libraries: bool,
) -> impl Iterator<Item = Warning> {
    let exact = &plan.exact;
    idle([
        (
            plan.static_calls && !has_program,
            "-c changes nothing: it goes with the executable, which was not given",
        ),
        (
            lacks_program_for_symbols(plan, has_program),
            WITHOUT_SYMBOLS,
        ),
        (lacks_program_for_debug(plan, has_program), WITHOUT_DEBUG),
        (
            plan.shows_inlines && !has_program,
            "--inlines changes nothing: it goes with the executable, which was not given",
        ),
        (
            plan.base.is_some() && are_libraries,
            "--base changes nothing: LD_PROFILE records addresses as they were linked",
        ),
        (
            plan.reading.counter_bits.is_some() && are_libraries,
            "--counter-bits changes nothing: those of LD_PROFILE have 16 bits",
        ),
        (
            is_of_heap(plan),
            "--value changes nothing: gmon.out has time and calls only",
        ),
        (
            exact.merges_names || exact.hides_library,
            "--merge-names and --no-library change nothing: they are for Standard ML",
        ),
        (
            plan.text.shows_error && !plan.filters.focus.is_empty(),
            "--error adds nothing: of parts of functions nobody knows which samples they are",
        ),
    ])
}
