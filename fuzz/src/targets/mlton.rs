use profan::load::{Hints, MltonPolicy, read_mlmon, read_mlton_table};

use super::super::made::text::{MLTON, text_of};
use super::check;

/// mlprof's policy.
const MLPROF: MltonPolicy = MltonPolicy {
    knows_first_release: false,
    ignores_blank_ends: false,
    joins_tabs: true,
    keeps_unknown_positions: true,
    takes_any_value: true,
};

/// Any bytes, and words of these files, as a profile of MLton and as the table of its program.
pub fn mlton(data: &[u8]) {
    let words = text_of(data, MLTON);
    for text in [data, &words] {
        let as_profile = [b"MLton prof\ntime\ncurrent\n0x1234abcd\n", text].concat();
        let as_table = [b"0x1234abcd\n", text].concat();
        for text in [text, &as_profile, &as_table] {
            check::reading(text, &Hints::default());
            let _ = read_mlmon(text, MltonPolicy::CAREFUL);
            let _ = read_mlton_table(text, MltonPolicy::CAREFUL);
            let _ = read_mlmon(text, MLPROF);
            let _ = read_mlton_table(text, MLPROF);
        }
    }
}
