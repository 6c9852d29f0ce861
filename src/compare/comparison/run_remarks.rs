//! Remarks on the runs of a side that vary in an unusual way.

use super::side_sums::SideSums;
use crate::compare::difference::{SideRun, UnusualRuns, unusual_runs};
use crate::report::number::fixed;

/// Remarks on the runs of a side, in the order of their paths; `whose` names the side.
pub(super) fn remarks(whose: &str, sums: &SideSums) -> Vec<String> {
    let runs = sums.runs_by_path().into_iter();
    let runs = runs.map(|run| (&*sums.paths[run], sums.self_ticks.runs()[run]));
    said(whose, runs.collect())
}

fn said(whose: &str, runs: Vec<(&str, SideRun)>) -> Vec<String> {
    let (paths, runs): (Vec<_>, Vec<_>) = runs.into_iter().unzip();
    let said = |unusual| match unusual {
        UnusualRuns::Single { run, change } => {
            let (path, longer) = (paths[run], longer(change, "the others"));
            // A baseline has several runs.
            let is_shared = paths.iter().filter(|other| **other == path).count() > 1;
            let start = if is_shared { "A run in " } else { "" };
            format!("{start}`{path}` of the {whose} was {longer}.")
        }
        UnusualRuns::Drift { n_later, change } => {
            let longer = longer(change, "the earlier ones");
            format!(
                "The later {n_later} runs of the {whose}, by name, were {longer}: the machine \
                 changed. Run both sides in turn."
            )
        }
        UnusualRuns::Groups { n_short, n_long, change } => {
            let longer = longer(change, &format!("the other {n_short}"));
            format!(
                "The {whose} has two kinds of runs: {n_long} were {longer}. Make ten or more \
                 runs per side."
            )
        }
    };
    unusual_runs(&runs).into_iter().map(said).collect()
}

fn longer(change: f64, than: &str) -> String {
    let word = if change > 0.0 { "longer" } else { "shorter" };
    format!("{} {word} than {than}", percent(change.abs()))
}

/// A percentage with as many digits as necessary.
pub(super) fn percent(share: f64) -> String {
    let percent = 100.0 * share;
    let decimals = match percent {
        10.0.. => 0,
        1.0.. => 1,
        _ => 2,
    };
    format!("{} %", fixed(percent, decimals))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(times: &[f64]) -> Vec<String> {
        let run = |&ticks: &f64| SideRun { seconds_per_tick: 0.01, ticks, n_runs: 1 };
        let paths: Vec<_> = (1..=times.len()).map(|n| format!("run{n}")).collect();
        let runs: Vec<_> =
            paths.iter().zip(times).map(|(path, ticks)| (path.as_str(), run(ticks))).collect();
        super::said("old side", runs)
    }

    #[test]
    fn usual_runs_are_not_remarked_on() {
        assert!(of(&[200.0, 203.0, 199.0, 201.0, 198.0, 204.0, 200.0, 202.0]).is_empty());
        assert!(of(&[200.0; 10]).is_empty());
        assert!(of(&[100.0, 100.0, 100.0, 900.0]).is_empty());
        assert!(of(&[0.0; 10]).is_empty());
        // A tick more may be due to rounding.
        assert!(of(&[10.0, 10.0, 10.0, 10.0, 11.0]).is_empty());
    }

    #[test]
    fn a_single_run_unlike_the_others_is_named() {
        let runs = [200.0, 203.0, 199.0, 201.0, 300.0, 198.0, 204.0, 200.0];
        assert_eq!(of(&runs), ["`run5` of the old side was 49 % longer than the others."]);
    }

    #[test]
    fn later_runs_that_took_longer_are_a_drift() {
        let runs = [100.0, 101.0, 100.0, 102.0, 110.0, 111.0, 109.0, 111.0];
        let found = of(&runs);
        assert!(
            found[0].starts_with("The later 4 runs of the old side, by name, were 9.4 % longer")
        );
    }

    #[test]
    fn two_kinds_of_runs_are_distinguished() {
        let runs = [100.0, 121.0, 101.0, 120.0, 121.0, 100.0, 101.0, 120.0, 121.0, 100.0];
        assert_eq!(
            of(&runs),
            ["The old side has two kinds of runs: 5 were 20 % longer than the other 5. Make ten \
              or more runs per side."]
        );
    }
}
