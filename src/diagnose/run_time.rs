//! Problems that the duration of a run reveals.

use super::Warning;
use super::notes::counting_time;
use crate::analyze::{CountingCost, RunShare};
use crate::symbols::{Linkage, System};

/// Percentage of a run below which samples cover too little.
const LOW_PERCENT: f64 = 50.0;

/// Shorter times to count calls, in seconds, are not worth a warning.
const LONG_COUNTING: f64 = 0.1;

/// Shorter times, in ticks, may be due to chance.
const FEW_TICKS: f64 = 10.0;

/// Warns if counting calls took longer than everything that was sampled.
pub fn check_counting(counting: &CountingCost, sampled: f64) -> Option<Warning> {
    let exceeds = counting.low > sampled && counting.low >= LONG_COUNTING;
    exceeds.then_some(Warning::MostlyCounting { sampled, counting: *counting })
}

/// Warns if the samples cover too little of a run, or more than its duration. `counting` is the
/// time to count calls, where the profile excludes it.
pub fn check_run(
    share: &RunShare,
    linkage: &Linkage,
    counting: Option<&CountingCost>,
) -> Vec<Warning> {
    let run_warnings = run_warnings(share, linkage, counting).into_iter();
    run_warnings.flatten().collect()
}

fn run_warnings(
    share: &RunShare,
    linkage: &Linkage,
    counting: Option<&CountingCost>,
) -> [Option<Warning>; 3] {
    let &RunShare { sampled, wall, .. } = share;
    let is_low = |percent: Option<f64>| percent.is_some_and(|percent| percent < LOW_PERCENT);
    let is_long = |seconds: f64| seconds > FEW_TICKS * share.tick;
    let measured = (share.processor, share.unsampled(), share.idle());
    let (Some(processor), Some(unsampled), Some(idle)) = measured else {
        if share.exceeds_run() {
            return [Some(Warning::MoreThanWall { sampled, wall }), None, None];
        }
        let is_little = is_low(share.of_wall(sampled)) && is_long(share.uncovered());
        return [is_little.then_some(Warning::LittleOfRun { sampled, wall }), None, None];
    };
    if share.exceeds_run() {
        return [Some(Warning::MoreThanRun { sampled, processor }), None, None];
    }
    let is_zero_cost = is_low(share.of_wall(processor)) && is_long(idle);
    let wrapped = wrapped(share, linkage, unsampled);
    // Without shared libraries in the process, counters explain all of it.
    let is_explained = wrapped.is_some() && !linkage.is_dynamic();
    [
        (share.lacks_samples() && !is_explained).then(|| Warning::WithoutSamples {
            unsampled,
            processor,
            linkage: linkage.clone(),
            counting: counting.filter(|cost| counting_time(cost, unsampled).is_some()).copied(),
        }),
        wrapped,
        is_zero_cost.then_some(Warning::MostlyIdle { idle, wall }),
    ]
}

/// Warns if the time without samples is a multiple of the range of glibc's counters.
fn wrapped(share: &RunShare, linkage: &Linkage, unsampled: f64) -> Option<Warning> {
    let n_wraps = share.n_wraps().filter(|_| linkage.system == Some(System::Linux))?;
    Some(Warning::Wrapped {
        unsampled,
        n_wraps,
        period: share.seconds_per_counter(),
        is_certain: !linkage.is_dynamic(),
    })
}
