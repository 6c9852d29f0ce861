use profan::load::{Hints, Sum, load};
use profan::symbols::{ContextKeys, NamedContexts};

use super::super::made::text::{FOLDED, text_of};
use super::check;

/// Any bytes after a line of folded stacks, and generated stacks; added to themselves.
pub fn folded(data: &[u8]) {
    for body in [data, &text_of(data, FOLDED)] {
        let bytes = [b"a;b 1\n", body].concat();
        let hints = Hints::default();
        check::reading(&bytes, &hints);
        let Some(input) = check::input(&bytes) else {
            continue;
        };
        let mut sum = Sum::new(hints.policy);
        for _ in 0..2 {
            // Sums may be too large, and the text may be no stacks.
            if let Ok(loaded) = load(&input, &hints) {
                let _ = sum.add(loaded);
            }
        }
        let costs = sum.into_profile().costs;
        let _ = NamedContexts::new(&costs, None, ContextKeys::Functions);
    }
}
