//! Profiles of other programs: any bytes alone, and after the start of a file.

use profan::load::{Hints, Sum, load};
use profan::symbols::{ContextKeys, NamedContexts};

use super::super::made::text::{GPROF_TEXT, text_of};
use super::check;

/// A pprof profile, added to itself.
pub fn pprof(data: &[u8]) {
    read(data);
}

/// A DHAT profile, added to itself.
pub fn dhat(data: &[u8]) {
    read(data);
    read(&[b"{\"dhatFileVersion\":2,", data].concat());
}

/// A massif profile.
pub fn massif(data: &[u8]) {
    read(data);
    read(&[b"desc: x\ncmd: x\ntime_unit: i\nsnapshot=0\n", data].concat());
}

/// A text of gprof, and tables made of the words of one.
pub fn gprof_text(data: &[u8]) {
    read(data);
    const HEADINGS: [&[u8]; 2] =
        [b"  %   cumulative   self\n", b"index % time    self  children    called     name\n"];
    for heading in HEADINGS {
        read(&[heading, &text_of(data, GPROF_TEXT)].concat());
    }
}

fn read(data: &[u8]) {
    let hints = Hints::default();
    check::reading(data, &hints);
    let Some(input) = check::input(data) else {
        return;
    };
    let mut sum = Sum::new(hints.policy);
    for _ in 0..2 {
        // Sums may be too large.
        if let Ok(loaded) = load(&input, &hints) {
            let _ = sum.add(loaded);
        }
    }
    let costs = sum.into_profile().costs;
    let _ = NamedContexts::new(&costs, None, ContextKeys::Functions);
}
