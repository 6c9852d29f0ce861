use profan::load::{Hints, Sum, load};
use profan::symbols::{ContextKeys, NamedContexts};

use super::super::made::text::{CALLGRIND, text_of};
use super::check;

/// Any bytes after the header of a profile of callgrind, and as words of its language; added to
/// itself.
pub fn callgrind(data: &[u8]) {
    let words = text_of(data, CALLGRIND);
    let long_name = format!("events: Ir\nfn=(1) {}\n1 1\n", "f".repeat(20_000));
    for header in [
        "events: Ir\n",
        "positions: instr line\nevents: Ir Dr\n",
        "events: Ir Dr Dw I1mr D1mr D1mw ILmr DLmr DLmw Bc Bcm Bi Bim\n",
        // The text calls and enters this name by number.
        &long_name,
    ] {
        for body in [data, &words] {
            let bytes = [header.as_bytes(), body].concat();
            let hints = Hints::default();
            check::reading(&bytes, &hints);
            let Some(input) = check::input(&bytes) else {
                continue;
            };
            let mut sum = Sum::new(hints.policy);
            for _ in 0..2 {
                let loaded = load(&input, &hints).expect("its header is whole");
                // Sums may be too large.
                let _ = sum.add(loaded);
            }
            let costs = sum.into_profile().costs;
            let _ = NamedContexts::new(&costs, None, ContextKeys::Functions);
        }
    }
}
