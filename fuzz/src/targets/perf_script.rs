use profan::load::{Hints, Sum, load};
use profan::symbols::{ContextKeys, NamedContexts};

use super::super::made::text::{PERF_SCRIPT, text_of};
use super::check;

/// Any bytes after a sample of perf script, and generated samples; added to themselves.
pub fn perf_script(data: &[u8]) {
    for body in [data, &text_of(data, PERF_SCRIPT)] {
        let bytes = [b"t 1 2.5: 10 cpu-clock: \n\t1 f (/a)\n", body].concat();
        let hints = Hints::default();
        check::reading(&bytes, &hints);
        let Some(input) = check::input(&bytes) else {
            continue;
        };
        let mut sum = Sum::new(hints.policy);
        for _ in 0..2 {
            // Sums may be too large.
            if let Ok(loaded) = load(&input, &hints) {
                let _ = sum.add(loaded);
            }
        }
        let costs = sum.into_profile().costs;
        let _ = NamedContexts::new(&costs, None, ContextKeys::Functions);
    }
}
