//! Reads any bytes as what follows the header of a profile of callgrind, and adds it
//! to itself.
#![no_main]

use std::path::Path;

use libfuzzer_sys::fuzz_target;
use profan::load::{Hints, Input, Sum, load};
use profan::symbols::{ContextNames, NamedContexts};

fuzz_target!(|data: &[u8]| {
    let hints = Hints::default();
    for header in ["events: Ir\n", "positions: instr line\nevents: Ir Dr\n"] {
        let bytes = [header.as_bytes(), data].concat();
        let input = Input::from_bytes(Path::new("fuzz"), bytes).expect("it is not compressed");
        let mut sum = Sum::new(hints.policy);
        for _ in 0..2 {
            let loaded = load(&input, &hints).expect("its header is whole");
            // Sums may be too large.
            let _ = sum.add(loaded);
        }
        let costs = sum.into_profile().costs;
        let _ = NamedContexts::new(&costs, None, ContextNames::Functions);
    }
});
