use profan::load::{Hints, load_hexdump};

use super::super::made::text::{HEXDUMP, text_of};
use super::check;

/// Any bytes, and words of those languages, as a text that shows a profile.
pub fn hexdump(data: &[u8]) {
    let hints = Hints::default();
    for text in [data, &text_of(data, HEXDUMP)] {
        if let Some(input) = check::input(text) {
            check::reading_by(text.len(), &hints, || load_hexdump(&input, &hints));
        }
    }
}
