//! The options that take a symspec. Their meaning depends on their order: the last of `-p` and
//! `-P` decides on the flat profile. Specs of one kind add up.

use std::ffi::OsStr;

use clap::builder::{OsStringValueParser, TypedValueParser};
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};

use super::getopt_habits::as_getopt;
use crate::cli::requested::RequestedSections;
use crate::filter::{FilterSpecs, Specs, SymSpec};
use crate::report::SectionId;
use crate::sorting::ColdSort;

/// The heading of options that ask for reports.
pub(super) const REPORTS: &str = "Reports (by default, all that the profile supports)";
/// The heading of options that filter costs.
pub(super) const FILTERS: &str = "Filters";

/// What the selecting options request.
#[derive(Clone, Debug, Default)]
pub(crate) struct Selections {
    pub(in crate::cli) sections: RequestedSections,
    pub(in crate::cli) filters: FilterSpecs,
}

/// What an option is about, with or without a spec.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Subject {
    Flat,
    Graph,
    Counts,
    Source,
    Coverage,
    Time,
    GraphEntries,
    GraphEntriesAndTime,
    Arcs,
}

/// Whether an option adds its report or spec, or takes it away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Effect {
    Include,
    Exclude,
}

/// Whether an option takes a spec.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TakesSpec {
    No,
    Maybe,
    Yes,
}

/// An option and its help.
struct SelectionOption {
    subject: Subject,
    effect: Effect,
    short: Option<char>,
    /// Its name, and its id among clap's arguments.
    name: &'static str,
    takes: TakesSpec,
    heading: &'static str,
    help: &'static str,
}

macro_rules! options {
    ($heading:ident: $(
        $effect:ident $subject:ident $takes:ident $short:expr, $name:literal $help:literal;
    )*) => {
        &[$(SelectionOption {
            subject: Subject::$subject,
            effect: Effect::$effect,
            short: $short,
            name: $name,
            takes: TakesSpec::$takes,
            heading: $heading,
            help: $help,
        }),*]
    };
}

/// Options that ask for a report, only of their spec if they have one, in the order of
/// the help.
const LISTED_REPORTS: &[SelectionOption] = options! { REPORTS:
    Include Flat Maybe Some('p'), "flat-profile" "Print the flat profile [only SPEC]";
    Exclude Flat Maybe Some('P'), "no-flat-profile" "Omit the flat profile [omit only SPEC]";
    Include Graph Maybe Some('q'), "graph" "Print the call graph and the index [only SPEC]";
    Exclude Graph Maybe Some('Q'), "no-graph" "Omit the call graph [omit only SPEC]";
    Include Counts Maybe Some('C'), "exec-counts"
        "Print execution counts of functions and blocks [only SPEC]";
    Exclude Counts Maybe Some('Z'), "no-exec-counts"
        "Omit execution counts [omit only SPEC]";
    Include Source Maybe Some('A'), "annotated-source"
        "Print source files with times and counts [only SPEC]";
    Exclude Source Maybe Some('J'), "no-annotated-source"
        "Omit annotated source [omit only SPEC]";
    Include Coverage Maybe None, "coverage"
        "Print functions and branches that never ran [only SPEC]";
};

/// Options that filter costs.
const LISTED_FILTERS: &[SelectionOption] = options! { FILTERS:
    Include Time Yes Some('n'), "time" "Propagate only the time of SPEC to its callers";
    Exclude Time Yes Some('N'), "no-time" "Do not propagate the time of SPEC to its callers";
    Exclude Arcs Yes Some('k'), "no-arcs" "Omit calls from FROM to TO from the call graph";
};

/// Options of gprof that the help does not list. They have no long name.
const SILENT: &[SelectionOption] = options! { FILTERS:
    Exclude GraphEntries Yes Some('e'), "e" "";
    Exclude GraphEntriesAndTime Yes Some('E'), "E" "";
    Include GraphEntries Yes Some('f'), "f" "";
    Include GraphEntriesAndTime Yes Some('F'), "F" "";
    Include Graph No Some('B'), "B" "";
};

/// The options of the help, in its order.
fn listed() -> impl Iterator<Item = &'static SelectionOption> {
    LISTED_REPORTS.iter().chain(LISTED_FILTERS)
}

/// Adds the unlisted options of gprof to a command line.
pub(super) fn with_silent(command: Command) -> Command {
    // In gprof, `-d` has an effect only in a debug build.
    let debug = Arg::new("debug").short('d').long("debug").num_args(0..=1);
    let silent = SILENT.iter().map(arg_of).chain([debug]);
    command.args(silent.map(|arg| as_getopt(arg.hide(true))))
}

impl Args for Selections {
    fn augment_args(command: Command) -> Command {
        let args = listed().map(|entry| arg_of(entry).long(entry.name));
        let command = command.args(args);
        command.mut_arg("no-annotated-source", |arg| arg.visible_alias("no-source"))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

fn arg_of(entry: &SelectionOption) -> Arg {
    let SelectionOption { subject, takes, .. } = *entry;
    let spec = OsStringValueParser::new().try_map(move |word| spec_of(&word, subject, takes));
    let arg = Arg::new(entry.name)
        .short(entry.short)
        .value_name(if subject == Subject::Arcs { "FROM/TO" } else { "SPEC" })
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

/// The spec of an option's argument; `None` for an omitted optional one.
fn spec_of(
    word: &OsStr,
    subject: Subject,
    takes: TakesSpec,
) -> Result<Option<SymSpec>, &'static str> {
    const NO_CALLS: &str = "write FROM/TO, the caller and the callee";
    let word = word.to_string_lossy();
    if word.is_empty() {
        return match (takes, subject) {
            (TakesSpec::Yes, Subject::Arcs) => Err(NO_CALLS),
            (TakesSpec::Yes, _) => Err("write FUNCTION, FILE:FUNCTION, FILE:LINE, FILE or LINE"),
            _ => Ok(None),
        };
    }
    let spec = match subject {
        Subject::Arcs => SymSpec::of_arc(&word),
        Subject::Graph => SymSpec::of_name_or_arc(&word),
        _ => SymSpec::of_name(&word),
    };
    match (subject, &spec.right) {
        (Subject::Arcs, None) => Err(NO_CALLS),
        _ => Ok(Some(spec)),
    }
}

impl FromArgMatches for Selections {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut given = Vec::new();
        for entry in listed().chain(SILENT) {
            let id = entry.name;
            if matches.value_source(id) != Some(ValueSource::CommandLine) {
                continue;
            }
            let places = matches.indices_of(id).into_iter().flatten();
            let specs = matches.get_many::<Option<SymSpec>>(id);
            let specs = specs.into_iter().flatten().cloned();
            given.extend(places.zip(specs.map(|spec| (entry, spec))));
        }
        given.cold_sort_by_key(|&(place, _)| place);
        let mut selections = Self::default();
        given.into_iter().for_each(|(_, (entry, spec))| selections.add(entry, spec));
        Ok(selections)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Selections {
    /// Adds an option: requests its report, and puts its spec where it belongs.
    fn add(&mut self, option: &SelectionOption, spec: Option<SymSpec>) {
        let filters = &mut self.filters;
        let excludes = option.effect == Effect::Exclude;
        let section = match option.subject {
            Subject::Flat => Some(SectionId::Flat),
            Subject::Graph => Some(SectionId::Graph),
            Subject::Counts => Some(SectionId::Counts),
            Subject::Source => Some(SectionId::Source),
            Subject::Coverage => Some(SectionId::Coverage),
            _ => None,
        };
        if let Some(section) = section {
            self.sections.set(section, !excludes || spec.is_some());
        }
        let Some(spec) = spec else {
            return;
        };
        if option.subject == Subject::GraphEntriesAndTime {
            add(spec.clone(), &mut filters.time, excludes);
        }
        let specs = match option.subject {
            Subject::Flat => &mut filters.flat,
            Subject::Graph => filters.of_graph_or_arcs(Some(&spec)),
            Subject::Counts | Subject::Coverage => &mut filters.exec_counts,
            Subject::Source => &mut filters.annotation,
            Subject::Time => &mut filters.time,
            Subject::GraphEntries | Subject::GraphEntriesAndTime => &mut filters.graph,
            Subject::Arcs => &mut filters.arcs,
        };
        add(spec, specs, excludes);
    }
}

fn add(spec: SymSpec, specs: &mut Specs, excludes: bool) {
    let list = if excludes { &mut specs.exclude } else { &mut specs.include };
    list.push(spec);
}
