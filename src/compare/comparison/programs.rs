//! Several programs of a job: each is compared by itself, and a section shows all of them.

use super::change::Change;
use super::columns::{OfChange, cost_columns};
use super::compared::{Compared, compare_sides};
use super::material::DifferenceMaterial;
use super::notes::chance_of_alarm;
use super::side_sums::SideSums;
use crate::analyze::Amount;
use crate::compare::Unlike;
use crate::compare::difference::{ChangeVerdict, DifferenceOptions, OtherTests, Presence};
use crate::report::number::{counted, listed};
use crate::report::{Cell, Column, Layout, Role, RowKind, RowTable, Section, SectionId};
use crate::sorting::ColdSort;

/// How often findings may leave their part of the false-positive rate to other programs.
const N_ROUNDS: usize = 4;

/// Compares the sides of each program. All together have the false-positive rate of one
/// comparison: programs share it in proportion to their samples, as functions do, and found changes
/// leave their part to the other tests of all programs (Holm 1979).
///
/// # Errors
/// If the metrics differ.
pub fn compare_programs(
    programs: &[&[SideSums; 2]],
    options: &DifferenceOptions,
) -> Result<Vec<Compared>, Unlike> {
    let ticks_of = |[old, new]: &[SideSums; 2]| old.self_ticks.ticks() + new.self_ticks.ticks();
    let ticks: Vec<f64> = programs.iter().map(|sides| ticks_of(sides)).collect();
    let compare_all = |left: &[f64]| {
        let sum: f64 = ticks.iter().sum();
        let sum_left: f64 = ticks.iter().zip(left).map(|(ticks, left)| ticks * left).sum();
        let compared = programs.iter().zip(&ticks).zip(left).map(|(([old, new], ticks), left)| {
            let of_others = |sum: f64| if *ticks > 0.0 { (sum / ticks).max(0.0) } else { 0.0 };
            let others = OtherTests {
                all: of_others(sum - ticks),
                left: of_others(sum_left - ticks * left),
            };
            compare_sides(old, new, &DifferenceOptions { others, ..*options })
        });
        compared.collect::<Result<Vec<_>, _>>()
    };
    let mut left = vec![1.0; programs.len()];
    let mut compared = compare_all(&left)?;
    for _ in 1..N_ROUNDS.min(programs.len() + 1) {
        let next: Vec<f64> = compared.iter().map(Compared::share_left).collect();
        if programs.len() < 2 || next == left {
            break;
        }
        left = next;
        compared = compare_all(&left)?;
    }
    for other in compared.iter().skip(1) {
        compared[0].measure.factor_of(&other.measure)?;
    }
    Ok(compared)
}

/// The positions of programs with these names, the largest change first.
pub fn by_change(programs: &[Compared], names: &[String]) -> Vec<usize> {
    let size = |place: usize| programs[place].total.primary().size();
    let mut order: Vec<usize> = (0..programs.len()).collect();
    order.cold_sort_by(|&a, &b| size(b).total_cmp(&size(a)).then_with(|| names[a].cmp(&names[b])));
    order
}

/// The change of the job, and that of each of its programs, in order.
pub fn programs_section(
    programs: &[DifferenceMaterial<'_>],
    options: &DifferenceOptions,
) -> Section {
    let n_runs = runs_of_job(programs);
    let job = job_change(programs, &n_runs, options);
    let sampled = programs.iter().find(|one| one.compared.sampled.is_some());
    let columns = sampled
        .or(programs.first())
        .map_or_else(Vec::new, |one| cost_columns("", one.compared, true));
    let mut rows = RowTable::default();
    let mut push = |kind, change: &Change, failure: Option<String>, name: &str| {
        let cells = columns.iter().map(|(_, part): &OfChange| part(change));
        let failure = failure.map_or(Cell::Absent, Cell::text);
        rows.push(kind, cells.chain([failure, Cell::text(name)]).collect::<Vec<_>>());
    };
    let differs = |one: &DifferenceMaterial<'_>| one.rows_are_tests || !one.compared.is_same();
    let shown = if programs.iter().any(differs) { programs } else { &[] };
    if !shown.is_empty() {
        push(RowKind::Total, &job, None, "<all>");
    }
    for one in shown {
        let total = &one.compared.total;
        let reasons = one.failures.iter().filter(|failure| failure.row == total.row);
        let reasons: Vec<_> = reasons.map(|failure| &*failure.reason).collect();
        let failure = (!reasons.is_empty()).then(|| reasons.join("; "));
        push(RowKind::Entry, total.primary(), failure, name_of(one));
    }
    let heads = columns.iter().map(|(column, _)| column.clone());
    let heads: Vec<_> = heads
        .chain([
            Column::hidden("failure", Role::Failure),
            Column::shown("name", Role::Name, ["", "program"]),
        ])
        .collect();
    let runs = programs.iter().zip(&n_runs);
    let runs = runs.map(|(one, n)| format!("{} of `{}`", counted(*n, "run", "runs"), name_of(one)));
    let mut summary = vec![format!(
        "{} programs. The job has {} on both sides.",
        programs.len(),
        listed(&runs.collect::<Vec<_>>(), "and")
    )];
    let assumed = programs.iter().filter_map(|one| one.compared.sampled.as_ref());
    summary.extend(chance_of_alarm(assumed, "all tables", 1.0));
    summary.extend(shown.is_empty().then(|| "The sides do not differ.".to_owned()));
    let title = "Difference by program:";
    let id = SectionId::ProgramDifference;
    Section { summary, ..Section::new(id, title, Layout::Table, heads, rows) }
}

fn name_of<'m>(material: &DifferenceMaterial<'m>) -> &'m str {
    material.program.unwrap_or_default()
}

/// How many runs of each program the job has: those of the side with more, in the smallest numbers
/// with the same proportions.
fn runs_of_job(programs: &[DifferenceMaterial<'_>]) -> Vec<u64> {
    let n_runs = |one: &DifferenceMaterial<'_>| {
        let n_runs = one.compared.sides.iter().map(|side| side.n_runs);
        n_runs.max().unwrap_or_default().max(1)
    };
    let n_runs: Vec<u64> = programs.iter().map(n_runs).collect();
    let common = n_runs.iter().copied().fold(0, greatest_divisor).max(1);
    n_runs.into_iter().map(|n| n / common).collect()
}

fn greatest_divisor(mut a: u64, mut b: u64) -> u64 {
    while b > 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// The change of all programs together, each with so many runs.
///
/// Programs of a job vary together, since they share machines. So its limits are the sums of the
/// limits of programs, and it changed only if one of them did.
fn job_change(
    programs: &[DifferenceMaterial<'_>],
    n_runs: &[u64],
    options: &DifferenceOptions,
) -> Change {
    let changes = || programs.iter().map(|one| one.compared.total.primary()).zip(n_runs);
    let sum = |part: fn(&Change) -> Amount| {
        let parts = changes().map(|(change, &n)| part(change).times(n));
        parts.reduce(Amount::plus).unwrap_or(Amount::Exact(0))
    };
    let (old, new) = (sum(|change| change.old), sum(|change| change.new));
    let least = old.as_f64().abs().min(new.as_f64().abs())
        * options.min_change_of_program.min(options.min_change_of_function);
    let exact = Change::exact(old, new, Presence::Both, least);
    let is_certain = |change: &Change| change.verdict != ChangeVerdict::Unclear;
    if !changes().all(|(change, _)| change.interval.is_some() || is_certain(change)) {
        return exact.without_verdict();
    }
    if changes().all(|(change, _)| change.interval.is_none()) {
        return exact;
    }
    let limits = changes().map(|(change, &n)| {
        let certain = change.change.as_f64();
        let (low, high) = change.interval.unwrap_or((certain, certain));
        (low * n as f64, high * n as f64)
    });
    let (low, high) = limits.fold((0.0, 0.0), |(a, b), (low, high)| (a + low, b + high));
    let has = |verdicts: [ChangeVerdict; 3]| {
        changes().any(|(change, _)| verdicts.contains(&change.verdict))
    };
    use ChangeVerdict as V;
    let are_amounts = programs.iter().all(|one| one.compared.is_of_amounts());
    let verdict = match () {
        () if low > 0.0 && exact.size() >= least && has([V::Slower, V::More, V::New]) => V::Slower,
        () if high < 0.0 && exact.size() >= least && has([V::Faster, V::Less, V::Gone]) => {
            V::Faster
        }
        () if -least < low && high < least => V::Same,
        () => V::Unclear,
    };
    let verdict = if are_amounts { verdict.of_amounts() } else { verdict };
    Change { interval: Some((low, high)), verdict, ..exact }
}
