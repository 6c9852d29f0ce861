//! Notes before the numbers of a sampled profile: the time that it excludes, and the
//! precision of few samples.

use std::borrow::Cow;
use std::iter;

use crate::analyze::{CountingCost, LargestShare};
use crate::report::Metric;
use crate::report::number::approximate;
use crate::symbols::Linkage;

/// Maximum number of libraries with names in a note.
const N_NAMED: usize = 8;

/// Maximum number of system libraries with names in a note.
const N_OF_SYSTEM: usize = 2;

/// Number of samples from which the largest shares are precise to a few percent.
const ENOUGH_SAMPLES: f64 = 200.0;

/// Minimum share of time worth a message.
const NOTABLE_SHARE: f64 = 0.05;

/// The time to count calls, if it is notable among other seconds.
pub fn counting_time(cost: &CountingCost, seconds: f64) -> Option<String> {
    let is_notable = cost.low >= 0.01 && cost.low > NOTABLE_SHARE * seconds;
    is_notable.then(|| {
        let CountedCalls { calls, time } = in_words(cost);
        format!("counting {calls} took {time} that are not in the profile")
    })
}

/// A number of calls, and the time to count them.
pub(super) struct CountedCalls {
    pub(super) calls: String,
    pub(super) time: String,
}

pub(super) fn in_words(cost: &CountingCost) -> CountedCalls {
    let seconds = |seconds: f64| match seconds {
        ..0.995 => format!("{seconds:.2}"),
        ..9.95 => format!("{seconds:.1}"),
        _ => format!("{seconds:.0}"),
    };
    CountedCalls {
        calls: format!("{} calls", approximate(cost.n_calls)),
        time: match cost.high {
            Some(high) => format!("about {} to {} s", seconds(cost.low), seconds(high)),
            None => format!("at least {} s", seconds(cost.low)),
        },
    }
}

/// The time of a run that the profile excludes; `None` for static programs, and if profiles
/// of all libraries were given. `has_counted` marks the library that took a little time to count
/// calls.
pub fn not_included(
    linkage: &Linkage,
    profiled_libraries: &[&str],
    has_counted: bool,
) -> Option<String> {
    let own = linkage.project_libraries();
    let all = linkage.libraries.iter().map(String::as_str);
    let (mut named, mut system): (Vec<_>, Vec<_>) = all.partition(|name| own.contains(name));
    named.retain(|name| !profiled_libraries.contains(name));
    if !profiled_libraries.is_empty() {
        system.clear();
    }
    let counts_calls = if has_counted { " (counts calls)" } else { "" };
    let mut others = None;
    match system.len() {
        ..=N_OF_SYSTEM => named.extend(system),
        n_others => others = Some(format!("{n_others} system libraries{counts_calls}")),
    }
    if named.is_empty() && others.is_none() {
        return None;
    }
    let described = |name: &str| {
        let is_counter = name.starts_with("libc.so");
        format!("{name}{}", if is_counter { counts_calls } else { "" })
    };
    let libraries: Vec<_> = match named.len() {
        ..=N_NAMED => named.into_iter().map(described).chain(others).collect(),
        n_named => iter::once(format!("{n_named} shared libraries")).chain(others).collect(),
    };
    let libraries = libraries.join(", ");
    Some(format!("not included: {libraries}, waiting, child processes (see --wall)"))
}

/// Says that numbers of calls are lower bounds, if they are.
pub fn least_calls(metric: &Metric) -> Option<String> {
    let sentence = "calls are lower bounds: threads lose some, or a counter is full";
    metric.has_least_calls().then(|| sentence.to_owned())
}

/// The uncertainty of the largest share, and a cure; `None` with enough samples.
pub fn few_samples(largest: &LargestShare) -> Option<String> {
    let &LargestShare { n_samples, percent, error } = largest;
    let samples = match n_samples.round() {
        1.0 => "1 sample".to_owned(),
        n_samples => format!("{n_samples} samples"),
    };
    let share = if percent + error > 100.0 {
        format!("at least {:.0} %", percent - error)
    } else {
        format!("{percent:.0} % +/- {error:.0}")
    };
    (n_samples < ENOUGH_SAMPLES).then(|| {
        format!("{samples}: the largest share is {share}; run longer, or pass several runs")
    })
}

/// Where a requested function is inlined. `callers` have the number of copies in each.
pub fn inlined_function(name: &str, callers: &[(String, u32)], has_samples: bool) -> String {
    let place = |n_copies| if n_copies == 1 { "place" } else { "places" };
    let named = callers.iter().take(super::inputs::N_NAMED_FILES);
    let named = named.map(|(name, n)| format!("`{name}` ({n} {})", place(*n)));
    let mut into: Vec<_> = named.collect();
    match callers.len().saturating_sub(super::inputs::N_NAMED_FILES) {
        0 => {}
        n_more => into.push(format!("{n_more} more")),
    }
    let samples = if has_samples { "; calls are not counted" } else { ", no samples of its own" };
    format!("`{name}` is inlined into {}{samples}", into.join(", "))
}

/// A function that is mostly inlined code.
#[derive(Debug)]
pub struct InlinedCode<'a> {
    pub function: String,
    /// The percentage of its own time that this code took.
    pub percent: f64,
    /// The inlined function that took most, and its time, where the report does not show it.
    pub largest: Option<(String, f64)>,
    /// The unit of that time.
    pub unit: Cow<'a, str>,
    /// The profile has calls.
    pub has_calls: bool,
}

/// Names inlined code that the report does not show, or the calls that it replaced.
pub fn inlined_code(code: &InlinedCode<'_>) -> Option<String> {
    let InlinedCode { function, percent, .. } = code;
    let fact = format!("{percent:.0} % of {function} is inlined code");
    let fact = match &code.largest {
        Some((name, time)) => {
            format!("{fact}: {name} {time:.2} {}; --inlines shows it", code.unit)
        }
        None if code.has_calls => return None,
        None => fact,
    };
    Some(if code.has_calls { fact } else { format!("no call graph, because {fact}") })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_to_count_calls_is_told_where_it_is_notable() {
        let check = |cost: CountingCost, seconds, expected: Option<&str>| {
            assert_eq!(counting_time(&cost, seconds).as_deref(), expected);
        };
        let cost = CountingCost { n_calls: 681_082_388, low: 2.72, high: Some(10.2) };
        let told = "counting 681 million calls took about 2.7 to 10 s that are not in the profile";
        check(cost, 1.26, Some(told));
        check(cost, 55.0, None);
        let unmeasured = CountingCost { n_calls: 5_000_000, low: 0.02, high: None };
        let told = "counting 5.0 million calls took at least 0.02 s that are not in the profile";
        check(unmeasured, 0.1, Some(told));
        check(CountingCost { low: 0.009, ..unmeasured }, 0.0, None);
    }

    #[test]
    fn many_libraries_are_a_number_and_few_are_named() {
        let linkage = |n_libraries: usize| Linkage {
            libraries: (0..n_libraries).map(|number| format!("lib{number}.so")).collect(),
            ..Linkage::default()
        };
        let note = |n| not_included(&linkage(n), &[], false).unwrap_or_default();
        assert!(note(4).contains("included: lib0.so, lib1.so, lib2.so, lib3.so, waiting"));
        assert!(note(9).contains("included: 9 shared libraries, waiting"));
        assert_eq!(note(0), "");
    }
}
