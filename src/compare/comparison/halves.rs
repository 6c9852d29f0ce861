//! Compares halves of the runs of one program: how often noise looks like a change, and which
//! changes that many runs show.

use super::columns::name_cell;
use super::run_remarks::{percent, remarks};
use super::side_sums::{KeptRun, SideSums};
use crate::compare::difference::{Comparison, DifferenceOptions, Presence, Side, compare};
use crate::report::number::{counted, general};
use crate::report::{
    Cell, Column, Layout, Metric, MetricIndex, Print, Role, RowKind, RowTable, Section, SectionId,
};
use crate::threads;

/// Fewer runs have hardly any halves.
pub const LEAST_RUNS: usize = 4;

/// Maximum number of runs to compare in all halves; above it, some halves at random.
const FEW_RUNS: usize = 10;

/// Number of random halves, fewer for very many functions.
const N_RANDOM: usize = 200;

/// Maximum number of functions times random halves, which limits the time.
const N_TESTS: usize = 4_000_000;

/// Whether each run belongs to the first half.
type RunSplit = Box<[bool]>;

/// The results of comparing all halves.
struct HalvesFound {
    n_splits: usize,
    /// Splits with any change.
    n_alarms: usize,
    /// By row, the program last: splits with a change of it.
    n_of_row: Box<[usize]>,
    /// The rows with a share of the program, the program first, and the median of their least
    /// visible changes, as a share.
    visible: Vec<(usize, Option<f64>)>,
}

/// The report on halves of the stored runs, with its only metric. `None` for fewer than
/// [`LEAST_RUNS`], or counted numbers that agree.
pub fn halves_section(sums: &SideSums, options: &DifferenceOptions) -> Option<(Metric, Section)> {
    let measure = sums.measure.as_ref()?;
    let is_counted = measure.source().is_counted() && !sums.varies;
    let runs: Vec<_> = sums.kept.iter().flatten().collect();
    if is_counted || runs.len() < LEAST_RUNS {
        return None;
    }
    let found = compare_halves(&runs, sums, options);
    let n_rows = sums.rows.len();
    let seconds = |row: usize| {
        let ticks = if row < n_rows {
            sums.self_cost(row, measure.primary)
        } else {
            sums.all[measure.primary]
        };
        measure.shown(ticks.as_f64()) / sums.n_runs.max(1) as f64
    };
    let share = |count: usize| 100.0 * count as f64 / found.n_splits as f64;
    let mut rows = RowTable::default();
    for &(row, visible) in &found.visible {
        let (kind, name) = match row {
            row if row == n_rows => (RowKind::Total, Cell::text("<all>")),
            row if row + 1 == n_rows => (RowKind::Unattributed, Cell::text("<no function>")),
            row => (RowKind::Entry, name_cell(row)),
        };
        let visible = visible.filter(|share| share.is_finite());
        let visible = visible.map_or(Cell::Absent, |share| Cell::Real(100.0 * share));
        let alarms = Cell::Real(share(found.n_of_row[row]));
        rows.push(kind, [Cell::Real(seconds(row)), visible, alarms, name]);
    }
    let of_primary = |column: Column| column.of(PRIMARY);
    let one_decimal = Print::new(0, 1);
    let column = |id, head: [&'static str; 2]| Column {
        print: Some(one_decimal),
        ..of_primary(Column::shown(id, Role::Other, head))
    };
    let columns = [
        measure.column("self", Role::SelfValue, "self"),
        column("visible_percent", ["visible", "change %"]),
        column("alarms_percent", ["false", "alarms %"]),
        Column::shown("name", Role::Name, ["", "name"]),
    ];
    let title = "Comparison of halves:";
    let mut section = Section::new(SectionId::Difference, title, Layout::Table, columns, rows);
    section.summary = summary(&found, runs.len(), options);
    section.notes = remarks("program", sums);
    // Ticks are seconds here.
    let metric = Metric { rate: None, ..measure.metric().clone() };
    Some((metric, section))
}

/// The only metric of the report.
const PRIMARY: MetricIndex = 0;

fn summary(found: &HalvesFound, n_runs: usize, options: &DifferenceOptions) -> Vec<String> {
    let (half, n_splits) = (n_runs / 2, found.n_splits);
    let other = n_runs - half;
    let alarms = match found.n_alarms {
        0 => "None is reported as a change".to_owned(),
        n_alarms => {
            let share = percent(n_alarms as f64 / n_splits as f64);
            let are = if n_alarms == 1 { "is" } else { "are" };
            format!("{n_alarms} of them ({share}) {are} reported as a change")
        }
    };
    let allowed = general(100.0 * options.alpha);
    let mut summary = vec![
        format!("{n_runs} runs, split into {half} and {other} in {n_splits} ways."),
        format!("{alarms}; at most {allowed} % may be."),
    ];
    let (_, visible) = found.visible[0];
    if let Some(visible) = visible.filter(|share| share.is_finite()) {
        let runs = counted(half as i128, "run", "runs");
        let share = percent(visible);
        summary.push(format!(
            "Seen four out of five times with {runs} per side: changes of the program above {share}."
        ));
    }
    summary
}

/// Compares halves of runs.
fn compare_halves(runs: &[&KeptRun], sums: &SideSums, options: &DifferenceOptions) -> HalvesFound {
    let n_rows = sums.rows.len();
    let presence = if sums.has_all_names { Presence::Both } else { Presence::Unknown };
    let presence = vec![presence; n_rows];
    let compared = |split: &RunSplit| {
        let mut sides = [Side::default(), Side::default()];
        for (run, &is_first) in runs.iter().zip(split) {
            let side = &mut sides[usize::from(!is_first)];
            side.add_run(run.run, run.ticks.iter().copied());
        }
        let [first, second] = sides;
        compare(&first, &second, &presence, options)
    };
    let shown = shown_rows(sums, options);
    let seen = |split: &RunSplit| {
        let comparison = compared(split);
        let visible = |&row: &usize| comparison.least_visible_share(row);
        (changed_rows(&comparison), shown.iter().map(visible).collect())
    };
    let splits = splits(runs.len(), n_rows);
    let seen: Vec<(Vec<usize>, Vec<Option<f64>>)> =
        threads::pieces(&splits, 4, |splits| splits.iter().map(seen).collect::<Vec<_>>()).concat();
    let mut n_of_row = vec![0; n_rows + 1];
    for row in seen.iter().flat_map(|(changed, _)| changed) {
        n_of_row[*row] += 1;
    }
    let median = |place: usize| {
        let all = seen.iter().map(|(_, visible)| visible[place]);
        let mut all = all.collect::<Option<Vec<f64>>>()?;
        all.sort_by(f64::total_cmp);
        Some(all[all.len() / 2])
    };
    let visible = shown.iter().enumerate();
    let visible = visible.map(|(place, &row)| (row, median(place))).collect();
    HalvesFound {
        n_splits: splits.len(),
        n_alarms: seen.iter().filter(|(changed, _)| !changed.is_empty()).count(),
        visible,
        n_of_row: n_of_row.into(),
    }
}

/// The rows with a change, the program last.
fn changed_rows(comparison: &Comparison) -> Vec<usize> {
    let all = comparison.functions.iter().chain([&comparison.total]);
    let changed = (0..).zip(all).filter(|(_, row)| row.verdict.is_change());
    changed.map(|(row, _)| row).collect()
}

/// The program, and the rows with a share of it, largest first.
fn shown_rows(sums: &SideSums, options: &DifferenceOptions) -> Vec<usize> {
    let primary = sums.measure.as_ref().map_or(0, |measure| measure.primary);
    let all = sums.all[primary].as_f64();
    let ticks = |row: usize| sums.self_cost(row, primary).as_f64();
    let n_rows = sums.rows.len();
    let has_share = |row: &usize| ticks(*row) > 0.0 && ticks(*row) >= options.min_share * all;
    let mut rows: Vec<usize> = (0..n_rows).filter(has_share).collect();
    rows.sort_by(|&a, &b| ticks(b).total_cmp(&ticks(a)).then(a.cmp(&b)));
    rows.insert(0, n_rows);
    rows
}

/// All ways to split runs into halves, or random ones if there are too many. With an odd
/// number, the second half has one more.
fn splits(n_runs: usize, n_rows: usize) -> Vec<RunSplit> {
    let half = n_runs / 2;
    if n_runs <= FEW_RUNS {
        let of_bits = |bits: u32| (0..n_runs).map(|run| bits >> run & 1 == 1).collect::<RunSplit>();
        // The other way round is the same split.
        let is_one = |bits: &u32| {
            let has_half = bits.count_ones() as usize == half;
            has_half && (n_runs % 2 == 1 || bits & 1 == 1)
        };
        return (0..1u32 << n_runs).filter(is_one).map(of_bits).collect();
    }
    let n_splits = (N_TESTS / n_rows.max(1)).clamp(N_RANDOM / 10, N_RANDOM);
    let mut random = SplitMix(1);
    let split = |_| {
        let mut runs: Vec<usize> = (0..n_runs).collect();
        let mut split = vec![false; n_runs];
        for place in 0..half {
            let left = (n_runs - place) as u64;
            let step = usize::try_from(random.next() % left).expect("it is below a length");
            runs.swap(place, place + step);
            split[runs[place]] = true;
        }
        split.into()
    };
    (0..n_splits).map(split).collect()
}

/// Pseudo-random numbers, always the same (Steele, Lea and Flood 2014).
struct SplitMix(u64);

impl SplitMix {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        word ^ (word >> 31)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_runs_are_split_in_every_way_and_many_at_random() {
        for (n_runs, expected) in [(4, 3), (5, 10), (6, 10), (10, 126), (11, 200), (40, 200)] {
            let splits = splits(n_runs, 100);
            assert_eq!(splits.len(), expected, "{n_runs}");
            for split in &splits {
                let n_first = split.iter().filter(|is_first| **is_first).count();
                assert_eq!((split.len(), n_first), (n_runs, n_runs / 2));
            }
        }
        assert_eq!(splits(12, 10_000_000).len(), 20);
    }
}
