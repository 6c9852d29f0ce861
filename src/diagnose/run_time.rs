//! Problems that the duration of a run reveals.

use super::Warning;
use crate::analyze::RunShare;
use crate::symbols::{Linkage, System};

/// Percentage of a run below which samples cover too little.
const LOW_PERCENT: f64 = 50.0;

/// Shorter times, in ticks, may be due to chance.
const FEW_TICKS: f64 = 10.0;

/// Minimum cost of counting a call in seconds: about ten instructions and ten memory
/// accesses.
const COST_OF_CALL: f64 = 3e-9;

/// Minimum share of time worth a message.
const NOTABLE_SHARE: f64 = 0.05;

/// Warns if the samples cover too little of a run, or more than its duration.
pub fn check_run(share: &RunShare, linkage: &Linkage) -> Vec<Warning> {
    let run_warnings = run_warnings(share, linkage).into_iter();
    run_warnings.flatten().collect()
}

fn run_warnings(share: &RunShare, linkage: &Linkage) -> [Option<Warning>; 2] {
    let &RunShare { sampled, wall, .. } = share;
    let is_low = |percent: Option<f64>| percent.is_some_and(|percent| percent < LOW_PERCENT);
    let is_long = |seconds: f64| seconds > FEW_TICKS * share.tick;
    let measured = (share.processor, share.unsampled(), share.idle());
    let (Some(processor), Some(unsampled), Some(idle)) = measured else {
        if share.exceeds_run() {
            return [Some(Warning::MoreThanWall { sampled, wall }), None];
        }
        let is_little = is_low(share.of_wall(sampled)) && is_long(share.uncovered());
        return [
            is_little.then_some(Warning::LittleOfRun { sampled, wall }),
            None,
        ];
    };
    if share.exceeds_run() {
        return [Some(Warning::MoreThanRun { sampled, processor }), None];
    }
    let lacks_samples = is_low(share.of_processor(sampled)) && is_long(unsampled);
    let is_zero_cost = is_low(share.of_wall(processor)) && is_long(idle);
    [
        lacks_samples.then(|| Warning::WithoutSamples {
            unsampled,
            processor,
            linkage: linkage.clone(),
            n_calls: Some(share.n_calls).filter(|&n_calls| {
                let is_in_library = linkage.is_dynamic() && linkage.system == Some(System::Linux);
                is_in_library && n_calls as f64 * COST_OF_CALL > NOTABLE_SHARE * unsampled
            }),
        }),
        is_zero_cost.then_some(Warning::MostlyIdle { idle, wall }),
    ]
}
