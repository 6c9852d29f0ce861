#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| profan_fuzz::targets::any_profile(data));
