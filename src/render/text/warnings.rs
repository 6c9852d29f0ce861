//! Warnings above a report in a pager.

use crate::render::RenderOptions;
use crate::report::escape::escape_controls;
use crate::report::prose::{push_advice, push_message};
use crate::report::{Diagnostic, Text};

/// Diagnostics with their advice, followed by an empty line; empty without diagnostics.
pub fn warnings_above(
    diagnostics: &[Diagnostic],
    is_error: &dyn Fn(&str) -> bool,
    options: &RenderOptions,
) -> Vec<u8> {
    let mut text = Text::default();
    for one in diagnostics {
        let (kind, color) = if is_error(&one.code) {
            (&b"error"[..], "\x1b[1;31m")
        } else {
            (&b"warning"[..], "\x1b[33m")
        };
        let [color, plain] = if options.has_color { [color, "\x1b[0m"] } else { [""; 2] };
        let message = escape_controls(one.message.as_bytes());
        let advice = escape_controls(one.advice.as_bytes());
        // A saved report may have any code.
        let code = escape_controls(one.code.as_bytes());
        let label = [color.as_bytes(), kind, b"[", &*code, b"]", plain.as_bytes(), b": "];
        push_message(&mut text, &label.concat(), &message, options.screen, 2);
        push_advice(&mut text, &advice, options.screen);
    }
    if !text.is_empty() {
        text.word("\n");
    }
    text.as_bytes().to_vec()
}
