//! libFuzzer around the target that the environment variable `TARGET` names.

#![no_main]

use std::env;
use std::sync::LazyLock;

use profan_fuzz::differential::differential;
use profan_fuzz::held::hold;
use profan_fuzz::targets::{TARGETS, Target};

static TARGET: LazyLock<fn(&[u8])> = LazyLock::new(|| {
    // It needs the original, which is not everywhere.
    let differential: Target = ("differential", differential);
    let name = env::var("TARGET").expect("TARGET names what is fuzzed");
    let mut targets = TARGETS.iter().chain([&differential]);
    let (_, target) = targets
        .find(|(known, _)| *known == name)
        .expect("TARGET is one of the targets");
    *target
});

libfuzzer_sys::fuzz_target!(|data: &[u8]| hold(*TARGET, data));
