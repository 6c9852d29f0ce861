//! What is odd, above a report whose end is out of sight.

use super::prose::push_prose;
use crate::render::RenderOptions;
use crate::report::escape::escape_controls;
use crate::report::{Report, Text};

/// All diagnostics of a report, each with its advice, and an empty line behind them.
/// Nothing where there are none.
#[must_use]
pub fn warnings_above(report: &Report<'_>, options: &RenderOptions) -> Vec<u8> {
    let mut text = Text::default();
    let [yellow, plain] = if options.has_color {
        ["\x1b[33m", "\x1b[0m"]
    } else {
        [""; 2]
    };
    for one in &report.diagnostics {
        let message = escape_controls(one.message.as_bytes());
        let advice = escape_controls(one.advice.as_bytes());
        let start = format!("{yellow}warning[{}]{plain}: ", one.code);
        push_prose(
            &mut text,
            &[start.as_bytes(), &*message].concat(),
            options.screen,
        );
        push_prose(&mut text, &[b"  try: ", &*advice].concat(), options.screen);
    }
    if !text.is_empty() {
        text.word("\n");
    }
    text.as_bytes().to_vec()
}
