//! The manual page: options from clap, and further sections.

use clap::{Arg, Command};

/// A section after the options.
pub(super) struct ManualSection {
    pub(super) title: &'static str,
    pub(super) text: String,
    pub(super) form: SectionForm,
}

/// The form of a section's text.
#[derive(Clone, Copy)]
pub(super) enum SectionForm {
    /// Lines that are not filled.
    Lines,
    /// Terms with indented descriptions.
    Terms,
    /// roff source, as written by [`options`].
    Made,
}

/// The section on uncertainty, which help does not contain.
const UNCERTAINTY: &str = include_str!("uncertainty.roff");

/// The manual page in roff, for `man -l -` or a manual directory.
pub(super) fn page(command: Command, sections: &[ManualSection]) -> String {
    let manual = clap_mangen::Man::new(command).section("1");
    let mut page = Vec::new();
    manual.render(&mut page).expect("a vector takes everything");
    let mut page = String::from_utf8(page).expect("the help is UTF-8");
    // clap puts the version last, but the first line already contains it.
    if let Some(version) = page.rfind(".SH VERSION") {
        page.truncate(version);
    }
    page.push_str(UNCERTAINTY);
    for ManualSection { title, text, form } in sections {
        page.push_str(&format!(".SH \"{title}\"\n"));
        match form {
            SectionForm::Lines => push_lines(text, &mut page),
            SectionForm::Terms => push_terms(text, &mut page),
            SectionForm::Made => page.push_str(text),
        }
    }
    page
}

/// The options below a heading of the help, as a section.
pub(super) fn options(command: &Command, heading: &str) -> String {
    let is_below = |arg: &&Arg| arg.get_help_heading() == Some(heading);
    let args = command.get_arguments().filter(is_below).cloned();
    let args = args.map(|arg| arg.help_heading(None));
    let command = Command::new("options").disable_help_flag(true).args(args);
    let manual = clap_mangen::Man::new(command);
    let mut made = Vec::new();
    manual.render_options_section(&mut made).expect("a vector takes everything");
    let made = String::from_utf8(made).expect("the help is UTF-8");
    // The section has its title already.
    let options = made.split_once(".SH OPTIONS\n");
    options.map_or_else(String::new, |(_, options)| options.to_owned())
}

fn push_lines(text: &str, page: &mut String) {
    page.push_str(".nf\n");
    text.lines().for_each(|line| push_line(line, page));
    page.push_str(".fi\n");
}

fn push_terms(text: &str, page: &mut String) {
    for line in text.lines() {
        if line.starts_with(' ') {
            push_line(line.trim_start(), page);
        } else if !line.is_empty() {
            page.push_str(".TP\n\\fB");
            page.push_str(&escaped(line));
            page.push_str("\\fR\n");
        }
    }
}

fn push_line(line: &str, page: &mut String) {
    // At the start of a line these are for the formatter.
    if line.starts_with(['.', '\'']) {
        page.push_str("\\&");
    }
    page.push_str(&escaped(line));
    page.push('\n');
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\e").replace('-', "\\-").replace('\'', "\\(aq")
}
