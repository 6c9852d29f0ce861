//! The options that take a symspec. What they mean depends on their order: the last
//! of `-p` and `-P` decides on the flat profile. Specs of one kind add up.

use std::ffi::OsStr;

use clap::builder::{OsStringValueParser, TypedValueParser};
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};

use super::super::plan::{OutputStyle, Styles};
use super::spelling::as_getopt;
use super::values::ValueError;
use crate::filter::{FilterSpecs, SymSpec};

/// The heading of options that ask for reports.
pub(super) const REPORTS: &str = "Reports (all that the profile has, if none is named)";
/// The heading of options that say what counts.
pub(super) const FILTERS: &str = "What counts";

/// What was selected, in the order of the command line.
#[derive(Debug)]
pub(super) struct Selections(Vec<(Selection, Option<SymSpec>)>);

/// What an option does, with its spec or without.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Selection {
    Flat,
    NoFlat,
    Graph,
    NoGraph,
    OnlyGraph,
    Counts,
    NoCounts,
    Source,
    NoSource,
    Coverage,
    IncludeTime,
    ExcludeTime,
    IncludeGraph,
    ExcludeGraph,
    IncludeGraphAndTime,
    ExcludeGraphAndTime,
    ExcludeArcs,
}

/// Whether an option takes a spec.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TakesSpec {
    No,
    Maybe,
    Yes,
}

/// An option and its help.
struct Entry {
    selection: Selection,
    short: Option<char>,
    /// Its name, and what it is called among clap's arguments.
    name: &'static str,
    takes: TakesSpec,
    heading: &'static str,
    help: &'static str,
}

/// An option that asks for a report, only of its spec if it has one.
const fn report(
    selection: Selection,
    short: Option<char>,
    name: &'static str,
    help: &'static str,
) -> Entry {
    Entry {
        selection,
        short,
        name,
        takes: TakesSpec::Maybe,
        heading: REPORTS,
        help,
    }
}

/// An option that says what counts.
const fn filter(
    selection: Selection,
    short: char,
    name: &'static str,
    help: &'static str,
) -> Entry {
    Entry {
        selection,
        short: Some(short),
        name,
        takes: TakesSpec::Yes,
        heading: FILTERS,
        help,
    }
}

/// The options of the help, in its order.
const LISTED: &[Entry] = &[
    report(
        Selection::Flat,
        Some('p'),
        "flat-profile",
        "Print the flat profile [only SPEC]",
    ),
    report(
        Selection::NoFlat,
        Some('P'),
        "no-flat-profile",
        "Print no flat profile [print it without SPEC]",
    ),
    report(
        Selection::Graph,
        Some('q'),
        "graph",
        "Print the call graph and the index [only SPEC]",
    ),
    report(
        Selection::NoGraph,
        Some('Q'),
        "no-graph",
        "Print no call graph [print it without SPEC]",
    ),
    report(
        Selection::Counts,
        Some('C'),
        "exec-counts",
        "Print how often functions and basic blocks were executed [only SPEC]",
    ),
    report(
        Selection::NoCounts,
        Some('Z'),
        "no-exec-counts",
        "Print no execution counts [print them without SPEC]",
    ),
    report(
        Selection::Source,
        Some('A'),
        "annotated-source",
        "Print the source with time and counts beside it [only SPEC]",
    ),
    report(
        Selection::NoSource,
        Some('J'),
        "no-annotated-source",
        "Print no annotated source [print it without SPEC]",
    ),
    report(
        Selection::Coverage,
        None,
        "coverage",
        "Print which functions and branches were never entered [only SPEC]",
    ),
    filter(
        Selection::IncludeTime,
        'n',
        "time",
        "Let only the time of SPEC flow up the call graph",
    ),
    filter(
        Selection::ExcludeTime,
        'N',
        "no-time",
        "Let the time of SPEC not flow up the call graph",
    ),
    filter(
        Selection::ExcludeArcs,
        'k',
        "no-arcs",
        "Leave calls from FROM to TO out of the call graph",
    ),
];

/// What gprof has and the help does not list. These have no long name.
const SILENT: &[Entry] = &[
    filter(Selection::ExcludeGraph, 'e', "e", ""),
    filter(Selection::ExcludeGraphAndTime, 'E', "E", ""),
    filter(Selection::IncludeGraph, 'f', "f", ""),
    filter(Selection::IncludeGraphAndTime, 'F', "F", ""),
    Entry {
        takes: TakesSpec::No,
        ..filter(Selection::OnlyGraph, 'B', "B", "")
    },
];

/// The command line with what gprof has besides.
pub(super) fn with_silent(command: Command) -> Command {
    // gprof prints what it does, if it was built for that; it is not, as a rule.
    let debug = Arg::new("debug").short('d').long("debug").num_args(0..=1);
    let silent = SILENT.iter().map(arg_of).chain([debug]);
    command.args(silent.map(|arg| as_getopt(arg.hide(true))))
}

impl Args for Selections {
    fn augment_args(command: Command) -> Command {
        let args = LISTED.iter().map(|entry| arg_of(entry).long(entry.name));
        command.args(args)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

fn arg_of(entry: &Entry) -> Arg {
    let Entry {
        selection, takes, ..
    } = *entry;
    let spec = OsStringValueParser::new().try_map(move |word| spec_of(&word, selection, takes));
    let arg = Arg::new(entry.name)
        .short(entry.short)
        .value_name(match selection {
            Selection::ExcludeArcs => "FROM/TO",
            _ => "SPEC",
        })
        .help(entry.help)
        .help_heading(entry.heading)
        .action(ArgAction::Append)
        .value_parser(spec);
    match takes {
        TakesSpec::Yes => arg,
        TakesSpec::Maybe => arg.num_args(0..=1).default_missing_value(""),
        TakesSpec::No => arg.num_args(0).default_missing_value(""),
    }
}

/// The spec of a word; none where it may be left out and was.
fn spec_of(
    word: &OsStr,
    selection: Selection,
    takes: TakesSpec,
) -> Result<Option<SymSpec>, ValueError> {
    let word = word.to_string_lossy();
    if word.is_empty() {
        return match (takes, selection) {
            (TakesSpec::Yes, Selection::ExcludeArcs) => Err(ValueError::NoCalls),
            (TakesSpec::Yes, _) => Err(ValueError::NoSpec),
            _ => Ok(None),
        };
    }
    let spec = SymSpec::of_names(&word);
    match (selection, &spec.right) {
        (Selection::ExcludeArcs, None) => Err(ValueError::NoCalls),
        (Selection::ExcludeArcs | Selection::Graph | Selection::NoGraph, _) => Ok(Some(spec)),
        (_, Some(_)) => Err(ValueError::Calls),
        (_, None) => Ok(Some(spec)),
    }
}

impl FromArgMatches for Selections {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut given = Vec::new();
        for entry in LISTED.iter().chain(SILENT) {
            let id = entry.name;
            if matches.value_source(id) != Some(ValueSource::CommandLine) {
                continue;
            }
            let places = matches.indices_of(id).into_iter().flatten();
            let specs = matches.get_many::<Option<SymSpec>>(id);
            let specs = specs.into_iter().flatten().cloned();
            given.extend(places.zip(specs.map(|spec| (entry.selection, spec))));
        }
        given.sort_by_key(|&(place, _)| place);
        Ok(Self(
            given.into_iter().map(|(_, selected)| selected).collect(),
        ))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Selections {
    /// Asks for reports, and puts the specs where they belong.
    pub(super) fn apply(self, styles: &mut Styles, filters: &mut FilterSpecs) {
        use OutputStyle as Style;
        use Selection as S;
        for (selection, spec) in self.0 {
            let asked_for = match selection {
                S::Flat => Some((Style::Flat, true)),
                S::NoFlat => Some((Style::Flat, spec.is_some())),
                S::Graph | S::OnlyGraph => Some((Style::Graph, true)),
                S::NoGraph => Some((Style::Graph, spec.is_some())),
                S::Counts => Some((Style::ExecCounts, true)),
                S::NoCounts => Some((Style::ExecCounts, spec.is_some())),
                S::Source => Some((Style::AnnotatedSource, true)),
                S::NoSource => Some((Style::AnnotatedSource, spec.is_some())),
                S::Coverage => Some((Style::Coverage, true)),
                _ => None,
            };
            if let Some((style, is_wanted)) = asked_for {
                styles.set(style, is_wanted);
            }
            let Some(spec) = spec else {
                continue;
            };
            match selection {
                S::Flat => filters.flat.include.push(spec),
                S::NoFlat => filters.flat.exclude.push(spec),
                S::Graph => filters.of_graph_or_arcs(Some(&spec)).include.push(spec),
                S::NoGraph => filters.of_graph_or_arcs(Some(&spec)).exclude.push(spec),
                S::OnlyGraph => {}
                S::Counts | S::Coverage => filters.exec_counts.include.push(spec),
                S::NoCounts => filters.exec_counts.exclude.push(spec),
                S::Source => filters.annotation.include.push(spec),
                S::NoSource => filters.annotation.exclude.push(spec),
                S::IncludeTime => filters.time.include.push(spec),
                S::ExcludeTime => filters.time.exclude.push(spec),
                S::IncludeGraph => filters.graph.include.push(spec),
                S::ExcludeGraph => filters.graph.exclude.push(spec),
                S::IncludeGraphAndTime => {
                    filters.time.include.push(spec.clone());
                    filters.graph.include.push(spec);
                }
                S::ExcludeGraphAndTime => {
                    filters.time.exclude.push(spec.clone());
                    filters.graph.exclude.push(spec);
                }
                S::ExcludeArcs => filters.arcs.exclude.push(spec),
            }
        }
    }
}
