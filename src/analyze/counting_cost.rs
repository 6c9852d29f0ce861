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
//!
//! A call took 4 to 15 ns, and a step 1.9 to 3.2 ns, on x86-64 machines with glibc, idle and busy;
//! `perf record -e cpu-clock` measured on one of them:
//!
//! | program | functions in a list | ns a call, estimated | measured |
//! |---|---|---|---|
//! | calls of one function from 8 places | 1 | 4 to 15 | 5.3 |
//! | the same from 64 places | 1 | 4 to 15 | 5.4 |
//! | calls through a pointer to 8 functions in turn | 8 | 9.3 to 38 | 19.0 |
//! | the same to 64 functions | 64 | 51 to 223 | 126 |
//! | C++: one virtual call, 8 classes in random order | 8 | 9.1 to 38 | 17.9 |
//! | bzip2 | 1 | 4 to 15 | 8.0 |
//! | Lua, `-O2` | 1 to 25 | 4.2 to 16 | 6.0 |
//! | Lua, `-O0` | 1 to 25 | 4 to 15 | 5.6 |
//! | a simulation of Verilator | 1 to 3 | 4.2 to 16 | 5.8 |

use crate::model::CallArc;

/// Nanoseconds of a call of the function at the front, and of a step, on a fast and a slow x86-64
/// machine with glibc.
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
