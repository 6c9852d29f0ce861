#![no_main]

use profan_fuzz::held::hold;

libfuzzer_sys::fuzz_target!(|data: &[u8]| hold(profan_fuzz::targets::dhat, data));
