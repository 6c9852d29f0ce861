//! Sentences about a comparison.

use super::change::{Change, in_percent};
use super::compared::{DifferenceOrder, Judgement, RowChange, SideSize};
use super::heap_totals::about_heap;
use super::looks::{Look, SHARE_OF_ALPHA};
use super::material::DifferenceMaterial;
use super::moved::Moved;
use super::run_remarks::percent;
use crate::compare::difference::{ChangeVerdict, Comparison, PowerEstimate};
use crate::compare::matching::{FunctionName, JoinRule, JoinedFunction};
use crate::report::number::{counted, fixed, general};
use crate::report::{NameId, NameTable, SourceLocation, last_component};
use crate::sorting::ColdSort;
use crate::symbols::{Style, demangle};

/// Maximum number of functions named in a sentence.
const N_NAMED: usize = 3;

/// The lines above the rows.
pub(super) fn summary(material: &DifferenceMaterial<'_>) -> Vec<String> {
    let compared = material.compared;
    let [old, new] = compared.sides;
    let mut summary = vec![format!("Old: {}. New: {}.", size_of(old), size_of(new))];
    if compared.is_normalized {
        summary.push("Numbers are percentages of the total of each side.".to_owned());
    } else if old.n_runs > 1 || new.n_runs > 1 {
        summary.push("Numbers are averages per run.".to_owned());
    }
    summary.extend(about_heap(compared));
    if let Some(own) = &compared.sampled {
        if material.program.is_none() {
            let (what, share) = match material.look {
                Some(_) => ("all planned comparisons", SHARE_OF_ALPHA),
                None => ("this table", 1.0),
            };
            summary.extend(chance_of_alarm([own].into_iter(), what, share));
        }
        summary.extend(seen(own, material));
    }
    summary.extend(material.look.map(Look::said));
    if compared.is_same() {
        summary.push("The sides do not differ.".to_owned());
    }
    summary
}

/// The false-positive rate of some comparisons, each of which has this share of it.
pub(super) fn chance_of_alarm<'c>(
    mut comparisons: impl Iterator<Item = &'c Comparison> + Clone,
    what: &str,
    share: f64,
) -> Option<String> {
    let is_assumed = |own: &Comparison| !own.shows_variation() || own.has_few_runs();
    let condition =
        if comparisons.clone().any(is_assumed) { ", if runs vary as assumed" } else { "" };
    let chance = general(100.0 * comparisons.next()?.options().alpha / share);
    Some(format!("Chance of a false alarm in {what}: at most {chance} %{condition}."))
}

fn size_of(side: SideSize) -> String {
    let runs = counted(i128::from(side.n_runs), "run", "runs");
    if side.n_profiles == side.n_runs {
        runs
    } else {
        let profiles = counted(i128::from(side.n_profiles), "profile", "profiles");
        format!("{runs} in {profiles}")
    }
}

/// The lines below the rows.
pub(super) fn notes(material: &DifferenceMaterial<'_>) -> Vec<String> {
    let compared = material.compared;
    let mut notes = Vec::new();
    if !compared.is_same() {
        notes.extend(about_runs(material));
        let is_of_one = |row: &RowChange| {
            let finding = row.primary().verdict;
            matches!(finding, ChangeVerdict::New | ChangeVerdict::Gone)
        };
        if material.are_lines() && compared.rows.iter().any(is_of_one) {
            notes.push(MOVED_LINES.to_owned());
        }
        notes.extend(compared.has_least_calls.then(|| LEAST_CALLS.to_owned()));
        notes.extend(changed_calls(material));
        notes.extend(varying_calls(material));
        notes.extend(moved_code(material));
        notes.extend(too_short(material));
        let own = compared.sampled.as_ref();
        let correlation = own.and_then(Comparison::correlation_of_pairs);
        notes.extend(may_be_of_machine(material, correlation.is_some()));
        notes.extend(correlation.map(in_pairs));
    }
    notes.extend(compared.remarks.iter().cloned());
    notes.extend(one_sided(material));
    notes.extend(about_joined(material));
    notes
}

/// That only one side has runs of the program.
fn one_sided(material: &DifferenceMaterial<'_>) -> Option<String> {
    let (side, is_it) = match material.compared.sides.map(|side| side.n_profiles) {
        [0, n] if n > 0 => ("new", "new"),
        [n, 0] if n > 0 => ("old", "gone"),
        _ => return None,
    };
    Some(format!("Only the {side} side has profiles of this program, so all of it is {is_it}."))
}

/// What the numbers are worth, by their source and the number of runs.
fn about_runs(material: &DifferenceMaterial<'_>) -> Option<String> {
    let compared = material.compared;
    let source = compared.source;
    if compared.failed.is_some() {
        return None;
    }
    match compared.judgement {
        Judgement::Shown => Some(format!(
            "The values are {}. One run per side does not show how far, so no change is certain. \
             Pass several runs per side.",
            source.words()
        )),
        Judgement::Tested if source.is_counted() => Some(DIFFERENT_RUNS.to_owned()),
        Judgement::Tested => {
            let own = compared.sampled.as_ref()?;
            if own.shows_variation() { several_runs(own) } else { Some(one_run(own)) }
        }
        Judgement::Counted => None,
    }
}

/// Functions that are inlined on one side only, with the change of all together.
fn moved_code(material: &DifferenceMaterial<'_>) -> Vec<String> {
    let compared = material.compared;
    let named = |rows: &[usize]| {
        let names = rows.iter().take(N_NAMED).map(|&row| format!("`{}`", name_of(row, material)));
        let n_more = rows.len().saturating_sub(N_NAMED);
        let more = (n_more > 0).then(|| format!("{n_more} more"));
        names.chain(more).collect::<Vec<_>>().join(", ")
    };
    let said = |moved: &Moved| {
        let sign = if moved.change > 0.0 { "+" } else { "" };
        let change = fixed(moved.change, compared.decimals().into());
        format!(
            "One side inlines {} into {}: together {sign}{change} {}{}.",
            named(&moved.functions),
            named(&moved.into),
            compared.unit(compared.measure.primary),
            in_percent(moved.percent)
        )
    };
    let shown = material.moved.iter().take(N_NAMED).map(said);
    let n_more = material.moved.len().saturating_sub(N_NAMED);
    let more = (n_more > 0).then(|| format!("{n_more} more groups of functions moved likewise."));
    shown.chain(more).collect()
}

/// How many functions were called more or less often, where verdicts are on times.
fn changed_calls(material: &DifferenceMaterial<'_>) -> Option<String> {
    let compared = material.compared;
    let calls = compared.rows.iter().filter_map(|row| row.calls);
    let verdicts: Vec<_> = calls.map(|calls| calls.verdict).collect();
    let n_of = |verdict| verdicts.iter().filter(|&&one| one == verdict).count();
    let (n_more, n_fewer) = (n_of(ChangeVerdict::More), n_of(ChangeVerdict::Less));
    let is_of_times = compared.judgement == Judgement::Tested;
    (is_of_times && n_more + n_fewer > 0).then(|| {
        format!(
            "Call counts are exact: {n_more} rose and {n_fewer} fell; `--sort calls_change` lists \
             them."
        )
    })
}

/// How many functions have calls that depend on the run.
fn varying_calls(material: &DifferenceMaterial<'_>) -> Option<String> {
    let compared = material.compared;
    if compared.has_least_calls || compared.failed.is_some() {
        return None;
    }
    let calls = compared.rows.iter().filter_map(|row| row.calls);
    let is_unclear = |calls: &Change| calls.verdict == ChangeVerdict::Unclear;
    let n_functions = calls.filter(is_unclear).count() as u64;
    let functions = counted(n_functions, "function", "functions");
    (n_functions > 0).then(|| {
        format!(
            "Calls of {functions} differ among the runs of a side, so their changes have no \
             verdict."
        )
    })
}

const DIFFERENT_RUNS: &str = "The runs of a side have different counts, so changes are compared \
    with that variation.";

const LEAST_CALLS: &str = "Calls are lower bounds, so their changes have no verdict.";

const MOVED_LINES: &str = "Lines are matched by their distance from the first line of their \
    function. Where lines were inserted or removed above them, other lines are compared.";

fn is_one_profile_each(material: &DifferenceMaterial<'_>) -> bool {
    let mut sides = material.compared.sides.iter();
    sides.all(|side| side.n_profiles == 1)
}

/// The reasons why changes may come from the machine: no test distinguishes these from changes of
/// the program.
fn may_be_of_machine(
    material: &DifferenceMaterial<'_>,
    are_in_turn: bool,
) -> impl Iterator<Item = String> {
    let compared = material.compared;
    let is_changed = |row: &RowChange| row.primary().verdict.is_change();
    let is_found = compared.judgement == Judgement::Tested
        && !is_one_profile_each(material)
        && (is_changed(&compared.total) || compared.rows.iter().any(is_changed));
    let are_few = compared.sides.iter().any(|side| side.n_profiles < ENOUGH_RUNS);
    let one_first = (is_found && !are_in_turn).then_some(ONE_SIDE_FIRST);
    let two_kinds = (is_found && are_few).then_some(TWO_KINDS);
    let reasons = one_first.into_iter().chain(two_kinds);
    reasons.map(str::to_owned)
}

/// With so many runs per side, two kinds of runs are rarely taken for a change.
const ENOUGH_RUNS: u64 = 10;

const ONE_SIDE_FIRST: &str = "If one side ran first, a change of the machine looks like one of \
    the program: run both sides in turn.";

const TWO_KINDS: &str = "With fewer than ten runs per side, two kinds of runs, such as by the \
    alignment of memory, can look like a change.";

fn in_pairs(correlation: f64) -> String {
    format!(
        "The totals of runs are compared in pairs, by name: runs of both sides vary together \
         (correlation {}).",
        fixed(correlation, 2)
    )
}

/// The assumptions of a comparison of one run a side.
fn one_run(own: &Comparison) -> String {
    let assumed = match own.rest_change() {
        Some(change) => format!(
            "Functions are compared with those that did not change, {}; they are assumed to vary \
             by {} (--variation), and the program by 4 %.",
            longer_by(change),
            percent(own.options().variation)
        ),
        None if own.options().normalize => "Shares are assumed to vary by sampling.".to_owned(),
        None => "Runs are assumed to vary by 4 %, and shares of them by sampling.".to_owned(),
    };
    format!(
        "One profile per side does not show how much runs vary. {assumed} Pass several profiles \
         per side."
    )
}

/// The assumptions of a comparison of several runs.
fn several_runs(own: &Comparison) -> Option<String> {
    let by_shares = own.rest_change().map(|change| {
        format!(
            "All functions vary together, so they are compared with those that did not change, {}.",
            longer_by(change)
        )
    });
    let by_earlier = own.earlier_variation().map(|variation| {
        let variation = percent(variation);
        format!("Earlier runs show how functions vary, and that the program varies by {variation}.")
    });
    let few = own.has_few_runs().then(|| FEW_RUNS.to_owned());
    let notes: Vec<String> = by_shares.into_iter().chain(by_earlier).chain(few).collect();
    (!notes.is_empty()).then(|| notes.join(" "))
}

const FEW_RUNS: &str = "One side has one or two runs, and the other has more, so the program is \
    assumed to vary by 4 % or more. Pass at least three profiles per side.";

fn longer_by(change: f64) -> String {
    let word = if change < 0.0 { "less" } else { "more" };
    format!("which took {} {word} on the new side", percent(change.abs()))
}

/// The changes of the program and of its largest function that these runs show.
fn seen(own: &Comparison, material: &DifferenceMaterial<'_>) -> Option<String> {
    if material.order == DifferenceOrder::Total {
        return None;
    }
    let compared = material.compared;
    let program = own.least_visible_share(compared.total.row);
    let program = program.map(|share| (share, "the program".to_owned()));
    let all = compared.rows.iter().chain(&compared.unchanged);
    let largest = largest(all, material).and_then(|row| {
        let share = own.least_visible_share(row.row)?;
        Some((share, format!("`{}`", name_of(row.row, material))))
    });
    let said: Vec<_> = [program, largest]
        .into_iter()
        .flatten()
        .filter(|(share, _)| *share < EVIDENT)
        .map(|(share, what)| format!("of {what} above {}", percent(share)))
        .collect();
    (!said.is_empty()).then(|| format!("Seen four out of five times: changes {}.", said.join(", ")))
}

/// A larger change needs no statistics.
const EVIDENT: f64 = 100.0;

/// The function that takes longest on either side. For others, only larger changes can be seen.
fn largest<'r>(
    rows: impl Iterator<Item = &'r RowChange>,
    material: &DifferenceMaterial<'_>,
) -> Option<&'r RowChange> {
    let time = |row: &RowChange| row.primary().old.as_f64().max(row.primary().new.as_f64());
    let functions = rows.filter(|row| row.row < material.joined.rows.len());
    functions.min_by(|a, b| {
        let by_time = time(b).total_cmp(&time(a));
        by_time.then_with(|| a.row.cmp(&b.row))
    })
}

/// The runs that would show the changes of the program and of its largest function.
fn too_short(material: &DifferenceMaterial<'_>) -> Vec<String> {
    let compared = material.compared;
    let is_by_total = material.order == DifferenceOrder::Total;
    let Some(own) = compared.sampled.as_ref().filter(|_| !is_by_total) else {
        return Vec::new();
    };
    let mut notes = Vec::new();
    let whole = compared.total.primary();
    if whole.verdict == ChangeVerdict::Unclear {
        let estimate = PowerEstimate::of_program(own);
        notes.extend(more_runs("the program", whole, &estimate));
    }
    let is_unclear = |row: &&RowChange| {
        let change = row.primary();
        change.verdict == ChangeVerdict::Unclear && !change.is_minor
    };
    let named = largest(compared.rows.iter().filter(is_unclear), material);
    notes.extend(named.and_then(|row| {
        let name = format!("`{}`", name_of(row.row, material));
        let estimate = PowerEstimate::of_function(own, row.row);
        more_runs(&name, row.primary(), &estimate)
    }));
    notes
}

/// The runs needed to show the change seen, or one at the threshold if that is larger.
fn more_runs(what: &str, change: &Change, estimate: &PowerEstimate) -> Option<String> {
    let old = change.old.as_f64();
    if old <= 0.0 {
        return None;
    }
    let (least, which) = if change.size() > change.least_change {
        (change.size(), "as seen")
    } else {
        (change.least_change, "the threshold")
    };
    let least = percent(least / old);
    let runs = match estimate.more_runs {
        Some(0) => return None,
        Some(n_more) => counted(i128::from(n_more), "more run", "more runs"),
        None => "Not even 1000 more runs".to_owned(),
    };
    Some(format!("{runs} per side would show a change of {what} by {least} ({which})."))
}

/// Which functions were matched despite different names.
fn about_joined(material: &DifferenceMaterial<'_>) -> Vec<String> {
    let rows = (0..).zip(material.joined.rows.iter());
    let mut by_rule: Vec<(JoinRule, usize, &JoinedFunction)> =
        rows.filter_map(|(row, function)| Some((function.rule?, row, function))).collect();
    by_rule.cold_sort_by_key(|&(rule, row, _)| (rule, row));
    let are_lines = material.are_lines();
    let mut notes = Vec::new();
    for group in by_rule.chunk_by(|(a, ..), (b, ..)| a == b) {
        let (rule, ..) = group[0];
        let n_functions = group.len() as u64;
        let functions = if are_lines {
            counted(n_functions, "line was", "lines were")
        } else {
            counted(n_functions, "function was", "functions were")
        };
        let their = if group.len() == 1 { "its" } else { "their" };
        let examples = group.iter().take(N_NAMED);
        let examples: Vec<_> =
            examples.map(|&(_, row, function)| example(row, function, material.names)).collect();
        let more = if group.len() > N_NAMED { ", ..." } else { "" };
        let examples = match rule {
            // If the sides were built in different directories, nearly all paths differ.
            JoinRule::Paths => String::new(),
            _ => format!(": {}{more}", examples.join(", ")),
        };
        notes.push(match rule {
            JoinRule::Renamed => {
                format!("{functions} renamed by --rename{examples}.")
            }
            rule => format!(
                "{functions} matched although {their} sides differ in {}{examples}; \
                 --exact-names turns this off.",
                rule.words(),
            ),
        });
    }
    notes
}

/// Both names of a row, demangled if its name is and that shows how they differ.
fn example(row: usize, function: &JoinedFunction, names: &dyn NameTable) -> String {
    let id = row_id(row);
    let style = if names.name(id) == names.linkage_name(id) { Style::None } else { Style::Auto };
    let sides = |style| [&function.old, &function.new].map(|side| named(side, style));
    let [old, new] = match sides(style) {
        [old, new] if old == new => sides(Style::None),
        demangled => demangled,
    };
    format!("`{old}` = `{new}`")
}

/// Functions of one side, with their files.
fn named(functions: &[FunctionName], style: Style) -> String {
    let name = |one: &FunctionName| {
        let name = demangle(&one.name, style);
        let name = String::from_utf8_lossy(name.as_deref().unwrap_or(&one.name)).into_owned();
        let file = one.file.as_deref().map(String::from_utf8_lossy);
        match (file, one.line.filter(|_| one.is_line)) {
            (Some(file), Some(line)) => format!("{name} ({file}:{line})"),
            (Some(file), None) => format!("{name} ({file})"),
            (None, _) => name,
        }
    };
    functions.iter().map(name).collect::<Vec<_>>().join(" + ")
}

fn row_id(row: usize) -> NameId {
    NameId(u32::try_from(row).unwrap_or(u32::MAX))
}

/// The name of a row, with its line if it is about one.
fn name_of(row: usize, material: &DifferenceMaterial<'_>) -> String {
    let id = row_id(row);
    let name = String::from_utf8_lossy(material.names.name(id)).into_owned();
    let line = material.names.are_lines().then(|| material.names.location(id));
    match line.flatten() {
        Some(SourceLocation { file, line }) => {
            let base = last_component(file);
            format!("{name} ({}:{line})", String::from_utf8_lossy(base))
        }
        None => name,
    }
}
