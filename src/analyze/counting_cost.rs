//! The time that it took to count calls, estimated from the calls.
//!
//! mcount keeps a table with an entry for a few bytes of code. Each entry has a list of the
//! functions that this code called. A function that is called moves to the front of its list, so
//! a call costs one step for each function that the same code has called since. A recorded call
//! site is the start of an entry, so arcs of one call site are a list. Sources: `gmon/mcount.c` in
//! glibc, `lib/libc/gmon/mcount.c` in the BSDs, `mingw-w64-crt/profile/mcount.c`, and
//! `mcount_internal` in NuttX.
//!
//! The order of calls is not recorded. Of two functions that are called *a* and *b* times, *a*
//! the fewer, calls in random order take 2*ab* / (*a* + *b*) steps: at least *a*, and at most 2*a*.
//! If both take turns, it is 2*a*. Long runs of one function take fewer, and are rare.

use crate::model::CallArc;

/// Nanoseconds of a call of the function at the front, and of a step, on a fast and a slow x86-64
/// machine with glibc (docs/time.md).
const CALL: [f64; 2] = [4.0, 15.0];
const STEP: [f64; 2] = [1.5, 3.3];

/// The estimated time to count calls, in seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CountingCost {
    pub n_calls: u64,
    pub low: f64,
    /// `None` for machines and C libraries that were not measured.
    pub high: Option<f64>,
}

impl CountingCost {
    /// Estimates the cost of calls, whose arcs are grouped by call site.
    pub fn new(arcs: &[CallArc], is_measured: bool) -> Self {
        let n_calls = arcs.iter().fold(0, |sum: u64, arc| sum.saturating_add(arc.count));
        let lists = arcs.chunk_by(|one, next| one.call_site == next.call_site);
        let n_steps: f64 = lists.map(fewest_steps).sum();
        let cost = |[call, step]: [f64; 2]| 1e-9 * (call * n_calls as f64 + step * n_steps);
        let low = cost([CALL[0], STEP[0]]);
        let high = cost([CALL[1], 2.0 * STEP[1]]);
        Self { n_calls, low, high: is_measured.then_some(high) }
    }
}

/// The sum of the fewer calls of each pair of functions in a list.
fn fewest_steps(list: &[CallArc]) -> f64 {
    if list.len() == 1 {
        return 0.0;
    }
    let mut counts: Vec<u64> = list.iter().map(|arc| arc.count).collect();
    counts.sort_unstable_by(|one, other| other.cmp(one));
    let steps =
        counts.iter().enumerate().map(|(n_more_often, &count)| n_more_often as f64 * count as f64);
    steps.sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Address;

    fn cost(lists: &[&[u64]]) -> CountingCost {
        let arcs = lists.iter().enumerate().flat_map(|(site, counts)| {
            let arc = move |(callee, &count): (usize, &u64)| CallArc {
                call_site: Address(16 * site as u64),
                callee: Address(0x1000 + 16 * callee as u64),
                count,
            };
            counts.iter().enumerate().map(arc)
        });
        CountingCost::new(&arcs.collect::<Vec<_>>(), true)
    }

    /// The low estimate in nanoseconds a call.
    fn check(lists: &[&[u64]], expected: f64) {
        let CountingCost { n_calls, low, high } = cost(lists);
        let found = 1e9 * low / n_calls as f64;
        assert!((found - expected).abs() < 1e-6, "{found} for {lists:?}");
        assert!(high.is_some_and(|high| high > low));
    }

    #[test]
    fn only_functions_called_by_the_same_code_cost_steps() {
        check(&[&[8_000_000]], 4.0);
        check(&[&[1_000_000][..]; 8], 4.0);
        check(&[&[1_000_000; 8]], 4.0 + 1.5 * 3.5);
        check(&[&[1_000_000; 64]], 4.0 + 1.5 * 31.5);
        // A function called once among a million calls of another takes a step at most.
        check(&[&[1, 999_999]], 4.0 + 1.5e-6);
        check(&[&[3, 5, 2], &[10]], 4.0 + 1.5 * (3.0 + 4.0) / 20.0);
    }

    #[test]
    fn unmeasured_machines_have_no_upper_estimate() {
        assert_eq!(CountingCost::new(&[], false).high, None);
        assert_eq!(CountingCost::new(&[], true).high, Some(0.0));
    }
}
