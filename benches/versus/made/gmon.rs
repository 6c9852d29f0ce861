//! Profiles of calls between functions.

use std::ops::Range;

use super::random::Random;

/// A GNU file in this machine's format: ticks in a quarter of the bins, and five calls from each
/// function, mostly to later ones. `back` of 1000 calls go to earlier functions, which makes
/// cycles.
pub(super) fn calls(functions: &[Range<u64>], seed: u64, back: u64) -> Vec<u8> {
    let mut random = Random::new(seed);
    let low = functions.first().map_or(0, |first| first.start) & !15;
    let high = (functions.last().map_or(4, |last| last.end) + 15) & !15;
    let n_bins = (high - low) / 4;
    let mut bytes = b"gmon".to_vec();
    bytes.extend(1u32.to_ne_bytes());
    bytes.extend([0; 12]);
    bytes.push(0);
    for end in [low, high] {
        bytes.extend(end.to_ne_bytes());
    }
    let n_bins_written = u32::try_from(n_bins).expect("a program has fewer");
    bytes.extend(n_bins_written.to_ne_bytes());
    bytes.extend(100u32.to_ne_bytes());
    bytes.extend(b"seconds\0\0\0\0\0\0\0\0s");
    for _ in 0..n_bins {
        let ticks = if random.permille(250) { 1 + random.below(400) } else { 0 };
        bytes.extend(u16::try_from(ticks).expect("it is below 401").to_ne_bytes());
    }
    let n_functions = functions.len() as u64;
    for (index, caller) in (0..n_functions).zip(functions) {
        for _ in 0..5 {
            let callee = if random.permille(back) {
                index.saturating_sub(random.below(20))
            } else if random.permille(900) {
                (index + 1 + random.small(200)).min(n_functions - 1)
            } else {
                index + random.below(n_functions - index)
            };
            let callee = &functions[usize::try_from(callee).expect("it is an index")];
            let site = caller.start + random.below(caller.end - caller.start);
            let count = u32::try_from(1 + random.below(1_000_000)).expect("it is small");
            bytes.push(1);
            bytes.extend(site.to_ne_bytes());
            bytes.extend(callee.start.to_ne_bytes());
            bytes.extend(count.to_ne_bytes());
        }
    }
    bytes
}
