#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| profan_fuzz::differential::differential(data));
