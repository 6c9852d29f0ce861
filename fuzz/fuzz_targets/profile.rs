//! Reads any bytes as a profile, in both manners.
#![no_main]

use std::path::Path;

use libfuzzer_sys::fuzz_target;
use profan::load::{Hints, Input, Manner, load};
use profan::model::Encoding;

fuzz_target!(|data: &[u8]| {
    let Ok(input) = Input::from_bytes(Path::new("fuzz"), data.to_vec()) else {
        return;
    };
    for manner in [Manner::Careful, Manner::Gprof] {
        for encoding in Encoding::ALL {
            let hints = Hints {
                encoding: Some(encoding),
                layout: None,
                manner,
                has_short_long: false,
            };
            let _ = load(&input, &hints);
        }
    }
});
