//! Help other than options: the summary, topics, and diagnostic codes.

use clap::builder::{PossibleValuesParser, TypedValueParser};

use super::super::manual::{self, ManualSection, SectionForm};
use super::{comparison, help_of_original, originals};
use crate::diagnose::catalogue::{CatalogueEntry, entries};
use crate::load;
use crate::render::{RENDERERS, Renderer};

/// The summary, on one screen of 24 lines.
pub(super) const SHORT: &str = include_str!("help/short.txt");

/// The summary of `profan diff`, also a topic.
pub(super) const DIFF: &str = include_str!("help/diff.txt");

/// Topics besides the originals, with their descriptions.
const TOPICS: [(&str, &str); 9] = [
    ("diff", DIFF),
    ("symspec", include_str!("help/symspec.txt")),
    ("keep", include_str!("help/keep.txt")),
    ("rows", include_str!("help/rows.txt")),
    ("formats", include_str!("help/formats.txt")),
    ("doctor", include_str!("help/doctor.txt")),
    ("diagnostics", include_str!("help/diagnostics.txt")),
    ("glossary", include_str!("../../../docs/glossary.md")),
    ("environment", include_str!("help/environment.txt")),
];

const WIDTH: usize = 80;

/// The names of all topics.
pub(super) fn topics() -> impl Iterator<Item = &'static str> {
    TOPICS.iter().map(|(name, _)| *name).chain(originals())
}

/// The name of a topic of the help.
pub(super) fn topic() -> impl TypedValueParser<Value = String> {
    PossibleValuesParser::new(topics())
}

/// The text of a topic, or the list of topics.
pub(super) fn of(topic: Option<&str>) -> String {
    let Some(topic) = topic else {
        let names: Vec<_> = topics().collect();
        let more = format!("Topics of `profan help TOPIC`: {}", names.join(", "));
        return format!("{SHORT}\n{}", wrapped(&more, ""));
    };
    if let Some(help) = help_of_original(topic) {
        return help;
    }
    let known = TOPICS.iter().find(|(name, _)| *name == topic);
    let (_, text) = known.expect("clap lets no other topic through");
    match topic {
        "diagnostics" => format!("{text}\n{}", list()),
        "glossary" => plain(text),
        "formats" => text.to_string() + &output_formats() + &unread_profiles(),
        _ => (*text).to_owned(),
    }
}

/// A page of the documentation without the marks of headings and emphasis.
fn plain(page: &str) -> String {
    let line = |line: &str| match line.trim_start_matches('#') {
        heading if heading.len() < line.len() => heading.trim_start().to_owned() + "\n",
        text => text.replace('*', "") + "\n",
    };
    page.lines().map(line).collect()
}

/// Each output format with its contents and file extensions.
fn output_formats() -> String {
    let line = |renderer: &&Renderer| {
        let mut about = renderer.about.to_owned();
        if !renderer.extensions.is_empty() {
            about += &format!(" (.{})", renderer.extensions.join(", ."));
        }
        wrapped(&about, &format!("  {:<11} ", renderer.name))
    };
    RENDERERS.iter().map(line).collect()
}

/// Each kind of profile that is named but not read, with advice.
fn unread_profiles() -> String {
    let entry = |(what, advice)| wrapped(&format!("{what}: {advice}"), "  ");
    let entries: String = load::unread_profiles().map(entry).collect();
    let about = "Of these, profan reads json, callgrind, pprof and folded. It names the others, and \
                 these files of other profilers:";
    format!("\n{}\n{entries}", wrapped(about, ""))
}

/// The sections of the manual page besides options.
pub(super) fn sections() -> Vec<ManualSection> {
    let section = |title, form, text: &str| ManualSection { title, text: text.to_owned(), form };
    let lines = |title, asked| section(title, SectionForm::Lines, &of(Some(asked)));
    vec![
        lines("SYMSPECS", "symspec"),
        lines("KEEP EXPRESSIONS", "keep"),
        lines("CHOOSING ROWS AND COLUMNS", "rows"),
        lines("FORMATS", "formats"),
        lines("PROFAN DIFF", "diff"),
        section(
            "OPTIONS OF PROFAN DIFF",
            SectionForm::Made,
            &manual::options(&super::compared(), comparison::HEADING),
        ),
        lines("PROFAN DOCTOR", "doctor"),
        section("EXAMPLES", SectionForm::Terms, include_str!("help/examples.txt")),
        section("ENVIRONMENT", SectionForm::Terms, include_str!("help/environment.txt")),
        section("EXIT STATUS", SectionForm::Terms, include_str!("help/exit-status.txt")),
        section("FILES", SectionForm::Terms, include_str!("help/files.txt")),
        section("DIAGNOSTICS", SectionForm::Terms, &diagnostics()),
        section(
            "SEE ALSO",
            SectionForm::Lines,
            "gprof(1), valgrind(1), callgrind_annotate(1), perf(1)",
        ),
    ]
}

/// Every code as a term, with its description.
fn diagnostics() -> String {
    let paragraph = |entry: &CatalogueEntry| {
        let CatalogueEntry { code, title, cause, cure, .. } = entry;
        format!("{code}: {title}\n  {cause} {cure}\n")
    };
    entries().map(paragraph).collect()
}

/// Every code with its title.
fn list() -> String {
    let lines = entries().map(|entry| wrapped(entry.title, &format!("  {}  ", entry.code)));
    lines.collect()
}

/// The meaning of codes; without codes, the list of them.
pub(super) fn explain(entries: &[&'static CatalogueEntry]) -> String {
    if entries.is_empty() {
        return list();
    }
    let explained: Vec<_> = entries.iter().copied().map(explained).collect();
    explained.join("\n")
}

fn explained(entry: &CatalogueEntry) -> String {
    let title = wrapped(entry.title, &format!("{}: ", entry.code));
    let parts = [("Cause", entry.cause), ("Check", entry.evidence), ("Help", entry.cure)];
    let parts = parts.iter().filter(|(_, text)| !text.is_empty());
    let parts = parts.map(|(heading, text)| format!("\n{heading}:\n{}", wrapped(text, "  ")));
    title + &parts.collect::<String>()
}

/// A text wrapped to the terminal, with `start` before its first line.
fn wrapped(text: &str, start: &str) -> String {
    let margin = start.chars().count();
    let mut lines = lines_of(text, WIDTH - margin).into_iter();
    let mut all = format!("{start}{}\n", lines.next().unwrap_or_default());
    for line in lines {
        all.push_str(&format!("{:margin$}{line}\n", ""));
    }
    all
}

/// A text in lines of at most `width`, as far as its words allow.
fn lines_of(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let line = lines.last_mut().expect("there is a line at least");
        let length = line.chars().count() + 1 + word.chars().count();
        if line.is_empty() {
            line.push_str(word);
        } else if length <= width {
            line.push(' ');
            line.push_str(word);
        } else {
            lines.push(word.to_owned());
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_summary_fits_on_a_screen_and_names_real_options() {
        assert!(SHORT.lines().count() < 24, "{}", SHORT.lines().count());
        assert_eq!(SHORT.matches("\n  profan ").count(), 3, "examples");
        check_options(SHORT, &super::super::documented());
    }

    #[test]
    fn the_summary_of_diff_names_its_options() {
        check_options(DIFF, &super::super::compared());
    }

    /// Checks that each option in a text exists and is documented.
    fn check_options(text: &str, command: &clap::Command) {
        let is_end = |c: char| !c.is_ascii_alphanumeric() && c != '-';
        let options = text.split(is_end).filter_map(|word| word.strip_prefix("--"));
        // `--` separates the two sides.
        for option in options.filter(|option| !option.is_empty()) {
            let mut shown = command.get_arguments().filter(|arg| !arg.is_hide_set());
            assert!(shown.any(|arg| arg.get_long() == Some(option)), "{option}");
        }
    }

    #[test]
    fn no_line_of_any_help_is_wider_than_a_terminal() {
        let all: Vec<_> = entries().collect();
        let mut texts: Vec<_> = topics().map(|name| of(Some(name))).collect();
        texts.extend([of(None), explain(&all), explain(&[])]);
        for line in texts.iter().flat_map(|text| text.lines()) {
            assert!(line.chars().count() <= WIDTH, "{line}");
        }
    }

    #[test]
    fn the_glossary_has_no_markdown() {
        let glossary = of(Some("glossary"));
        assert!(glossary.starts_with("Glossary\n") && !glossary.contains('*'));
        assert!(!glossary.lines().any(|line| line.starts_with('#')));
    }

    /// An option that gprof and the native mode share has one description; the shorter may end
    /// earlier.
    #[test]
    fn gprof_describes_its_options_as_the_native_mode_does() {
        let native = super::super::documented();
        let help = of(Some("gprof"));
        let mut n_shared = 0;
        for line in help.lines().filter_map(|line| line.strip_prefix("  -")) {
            let short = line.chars().next().filter(|&short| short != '-');
            let arg =
                native.get_arguments().find(|arg| arg.get_short() == short && short.is_some());
            let Some(own) = arg.and_then(clap::Arg::get_help).map(ToString::to_string) else {
                continue;
            };
            let text = line.rsplit("  ").next().unwrap_or_default();
            // gprof's annotated source has no times, and its -h is --help.
            let is_other = matches!(short, Some('A' | 'h'));
            assert!(is_other || own.starts_with(text) || text.starts_with(&own), "{text}: {own}");
            n_shared += 1;
        }
        assert!(n_shared > 30, "{n_shared}");
    }

    #[test]
    fn each_original_has_its_help() {
        for original in originals() {
            let text = of(Some(original));
            assert!(text.contains(original), "{text}");
            assert!(text.lines().count() > 5, "{text}");
        }
    }
}
