//! Reads any bytes as a profile, by either policy.
#![no_main]

use std::path::Path;

use libfuzzer_sys::fuzz_target;
use profan::compat::gprof;
use profan::load::{Hints, Input, ReadPolicy, load};
use profan::model::Encoding;

fuzz_target!(|data: &[u8]| {
    let Ok(input) = Input::from_bytes(Path::new("fuzz"), data.to_vec()) else {
        return;
    };
    for policy in [ReadPolicy::CAREFUL, gprof::READ_POLICY] {
        for encoding in Encoding::ALL {
            let hints = Hints {
                encoding: Some(encoding),
                policy,
                ..Hints::default()
            };
            let _ = load(&input, &hints);
        }
    }
});
