//! What stops a report, each with a code and an advice.

use std::io;

use crate::analyze::NoColumn;
use crate::compare::Unlike;
use crate::compare::costs::NotComparable;
use crate::load::{HexdumpFault, LoadError, MltonFault, ProfileError, ReadErrorKind};
use crate::model::{BuildId, MergeError};
use crate::report::number::{counted, size};
use crate::symbols::ExecutableError;

/// What can be wrong with the files of a command line as a whole.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// A file cannot be read at all.
    #[error("{path}: {source}")]
    Unreadable {
        /// The file.
        path: String,
        /// What the system said.
        #[source]
        source: io::Error,
        /// What was meant, where that can be told.
        advice: Option<String>,
    },
    /// The file of an option cannot be used.
    #[error("{path}, the file of {option}: {reason}")]
    UnusableArgument {
        /// The code: it cannot be read, or not be used.
        code: &'static str,
        /// The option.
        option: &'static str,
        /// The file.
        path: String,
        /// What is wrong with it.
        reason: String,
        /// What the option takes.
        advice: &'static str,
    },
    /// No profile was named, and the usual one is not there.
    #[error("no profile was given, and there is no gmon.out, mpatrol.out or mpatrol.trace here")]
    NoProfile,
    /// A file is not there, and it is known what to do about it.
    #[error("{cause}")]
    Missing {
        /// What is not there.
        cause: String,
        /// The code of that.
        code: &'static str,
        /// What to do, by what is there.
        advice: String,
    },
    /// There is one executable too many.
    #[error("{first} and {second} are both executables")]
    TwoExecutables {
        /// The one given first.
        first: String,
        /// The one given second.
        second: String,
    },
    /// There are only profiles of MLton's, which are numbers without names.
    #[error("the profile of build {build} has no names: its program's table was not given")]
    NoTable {
        /// The build that the profile is of.
        build: BuildId,
    },
    /// A report that was kept as JSON was given beside other files.
    #[error("{path} is a report, and stands for its profile and program by itself")]
    ReportBesideFiles {
        /// The report.
        path: String,
    },
    /// A report that was kept as JSON cannot be read.
    #[error("{path}: malformed report: {reason}")]
    MalformedReport {
        /// The report.
        path: String,
        /// What is wrong, and where.
        reason: String,
    },
    /// A report has not what was asked for.
    #[error("the report has nothing of that; it has {}", had.join(", "))]
    NoSection {
        /// The sections that it has.
        had: Vec<&'static str>,
    },
    /// What was asked for by name is not there.
    #[error("{what}{}", proposed(nearest))]
    NothingNamed {
        /// What is not there, in a sentence.
        what: String,
        /// What is called nearly so.
        nearest: Vec<String>,
        /// What to do if it is none of these.
        advice: String,
    },
    /// What was asked for by a part of its name could be several functions.
    #[error("`{word}` could be {}{}", either(candidates), more(*n_more))]
    Ambiguous {
        /// The part of the name.
        word: String,
        /// Some of them.
        candidates: Vec<String>,
        /// How many more there are.
        n_more: usize,
    },
    /// Nothing of what was asked for can be made of what was recorded.
    #[error("{}", lacks.iter().map(|lack| &*lack.what).collect::<Vec<_>>().join("; "))]
    NothingToReport {
        /// What cannot be made, one at least.
        lacks: Vec<Lack>,
    },
    /// There is no metric of that name.
    #[error("the profile has no metric `{asked}`; it has {}{}", has.join(", "), proposed(nearest))]
    NoMetric {
        /// The name.
        asked: String,
        /// The metrics that there are.
        has: Vec<String>,
        /// Those that are called nearly so.
        nearest: Vec<String>,
    },
    /// There is no column of that name.
    #[error("{missing}{}", if *is_file { IS_FILE.to_owned() } else { proposed(nearest) })]
    NoColumn {
        /// The name, and those that there are.
        missing: NoColumn,
        /// The columns that are called nearly so.
        nearest: Vec<String>,
        /// A file is called so: the option took it for its value.
        is_file: bool,
    },
    /// A trace ends before an event that was named.
    #[error("there is no event {event}: the trace has {n_events}")]
    NoEvent {
        /// The number of the event.
        event: u64,
        /// How many events there are.
        n_events: u64,
    },
    /// What runs through a function cannot be told.
    #[error("what runs through a function of --focus or --ignore is not known: {what}")]
    NoPaths {
        /// Why.
        what: &'static str,
        /// What would tell.
        advice: &'static str,
    },
    /// The format cannot show the report.
    #[error("{reason}")]
    NotShown {
        /// What is missing.
        reason: String,
        /// What is known to have it.
        advice: Option<String>,
    },
    /// An executable is not the one that ran, and nothing doubtful was wanted.
    #[error("{cause}")]
    OtherBuild {
        /// What does not fit.
        cause: String,
        /// The code of the warning that it is otherwise.
        code: &'static str,
        /// What to do.
        advice: String,
    },
    /// A report was to be written over what it is made from.
    #[error("{path} is what the report is made from, and {option} would write over it")]
    OverInput {
        /// The file.
        path: String,
        /// The option that names it as what to write.
        option: &'static str,
    },
    /// The file of a report cannot be made.
    #[error("{path}, the file of -o: {source}")]
    Unwritable {
        /// The file.
        path: String,
        /// What the system said.
        #[source]
        source: io::Error,
    },
    /// One side of a comparison has no profile.
    #[error("the {what} side has no profile")]
    NoSide {
        /// Which side.
        what: &'static str,
    },
    /// It is not said which files are of which side.
    #[error("{}, and nothing says which are old and which new", counted(*n_profiles as u64, "profile was given", "profiles were given"))]
    WhichSide {
        /// How many profiles there are.
        n_profiles: usize,
    },
    /// Both a baseline and an old side were given.
    #[error("there are a baseline and an old side")]
    BaselineBesideSides,
    /// Two sides cannot be compared.
    #[error(
        "the two sides cannot be compared: the old one measures {}, the new one {}",
        .0.first, .0.found
    )]
    UnlikeSides(Unlike),
    /// A run cannot be added to those before it.
    #[error(
        "{path} cannot stand beside the profiles before it: it measures {}, the others {}",
        unlike.found, unlike.first
    )]
    UnlikeRun { path: String, unlike: Unlike },
    /// A report that was kept does not say what each function costs.
    #[error("{path} cannot be compared: {source}")]
    NotComparable {
        /// The report.
        path: String,
        /// What is missing.
        source: NotComparable,
    },
    /// A sum was to be written that no layout has room for.
    #[error("the sum of these profiles cannot be written: the first is {kind}")]
    NoSum {
        /// What the first is.
        kind: String,
    },
    /// A profile is of something else than those that it is to stand beside.
    #[error("{path}: {} cannot stand beside {}", unlike.found, unlike.first)]
    NotBeside { path: String, unlike: Unlike },
    /// A profile can be of several libraries.
    #[error("{profile} can be of {}", libraries.join(" or of "))]
    UnclearLibrary {
        /// The profile.
        profile: String,
        /// The libraries.
        libraries: Vec<String>,
    },
    /// A profile of a library has only a program beside it.
    #[error("the profile is of the library {library}, but {executable} is a program")]
    ProgramOfLibrary {
        /// The library.
        library: String,
        /// The program.
        executable: String,
    },
    /// What was recorded in one object cannot stand beside what was in others.
    #[error("the profile of {object} cannot be added to those before it: {source}")]
    UnlikeObject {
        /// The object.
        object: String,
        /// What differs.
        source: MergeError,
    },
    /// The addresses of several objects are too many.
    #[error("the profiles cover so many addresses that they cannot stand beside each other")]
    NoRoom,
}

/// A report that cannot be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lack {
    /// Which one, and why.
    pub what: String,
    /// What would have it.
    pub advice: String,
}

/// The names that somebody may have meant.
fn proposed(nearest: &[String]) -> String {
    match nearest {
        [] => String::new(),
        _ => format!("; did you mean {}?", either(nearest)),
    }
}

/// Names, as in a question.
fn either(names: &[String]) -> String {
    let quoted: Vec<_> = names.iter().map(|name| format!("`{name}`")).collect();
    match quoted.split_last() {
        None => String::new(),
        Some((last, [])) => last.clone(),
        Some((last, first)) => format!("{} or {last}", first.join(", ")),
    }
}

fn more(n_more: usize) -> String {
    match n_more {
        0 => String::new(),
        _ => format!(", or one of {n_more} more"),
    }
}

const IS_FILE: &str = ", which is a file here";

const WHEN_WRITTEN: &str = "a program built with -pg writes it where it ends, when it returns from \
    main or calls exit(); one that is killed, crashes or calls _exit() writes none";

/// The code of an error and what to do about it, for the errors that have one.
#[must_use]
pub fn advise(error: &anyhow::Error) -> Option<(&'static str, String)> {
    if let Some(error) = error.downcast_ref::<LoadError>() {
        return Some(advise_load(error));
    }
    if let Some(error) = error.downcast_ref::<ExecutableError>() {
        return Some(advise_executable(error));
    }
    let (code, advice) = match error.downcast_ref::<RunError>()? {
        RunError::NotShown { advice, .. } => {
            let usual = || "choose one report, such as -p or -q, or another --format".to_owned();
            return Some(("E015", advice.clone().unwrap_or_else(usual)));
        }
        RunError::Unreadable { source, advice, .. } => {
            let (code, usual) = advise_io(source);
            return Some((code, advice.clone().unwrap_or(usual)));
        }
        RunError::UnusableArgument { code, advice, .. } => (*code, *advice),
        RunError::NothingNamed { advice, .. } => return Some(("E024", advice.clone())),
        RunError::Ambiguous { candidates, .. } => {
            let one = candidates.first().map_or("", |name| name);
            let advice = format!("name it with its namespaces, as in `{one}`, or several with `*`");
            return Some(("E025", advice));
        }
        RunError::NothingToReport { lacks } => {
            let mut advice: Vec<_> = lacks.iter().map(|lack| &*lack.advice).collect();
            advice.dedup();
            return Some(("E026", advice.join("; ")));
        }
        RunError::Missing { code, advice, .. } => return Some((code, advice.clone())),
        RunError::OtherBuild { code, advice, .. } => return Some((code, advice.clone())),
        RunError::NoProfile => ("E007", WHEN_WRITTEN),
        RunError::TwoExecutables { .. } => (
            "E008",
            "give one executable, and the profiles that it wrote",
        ),
        RunError::NoSum { .. } => (
            "E010",
            "-s is for gmon.out; give all profiles at once to any report, which adds them up",
        ),
        RunError::UnclearLibrary { .. } => (
            "E016",
            "call the profile SONAME.profile, as LD_PROFILE does, or give one of them only",
        ),
        RunError::ProgramOfLibrary { .. } => (
            "E016",
            "give the library, and with the program a gmon.out of it",
        ),
        RunError::UnlikeObject { .. } | RunError::NotBeside { .. } | RunError::NoRoom => {
            ("E006", "report them one by one")
        }
        RunError::ReportBesideFiles { .. } => ("E011", "give it alone"),
        RunError::MalformedReport { .. } => ("E012", "make it anew with --format json"),
        RunError::NoSection { .. } => (
            "E013",
            "make the report anew from the profile, with the option for this",
        ),
        RunError::NoMetric { .. } => ("E014", "name one of those, or leave --value out"),
        RunError::NoColumn {
            missing, is_file, ..
        } => {
            let asked = match is_file {
                true => "--sort and --columns take the next word, so give them one of these",
                false => "name one of those that there are",
            };
            return Some(("E028", format!("{asked}: {}", missing.has.join(", "))));
        }
        RunError::OverInput { option, .. } => (
            "E029",
            match *option {
                "--baseline" => "give --baseline another name",
                _ => "give -o another name",
            },
        ),
        RunError::Unwritable { source, .. } if source.kind() == io::ErrorKind::PermissionDenied => {
            ("E029", "give -o another name, or let the file be written")
        }
        RunError::Unwritable { .. } => (
            "E029",
            "write to a folder that is there, and in which you may make files",
        ),
        RunError::NoSide { .. } | RunError::WhichSide { .. } => (
            "E030",
            "put `--` between the sides: profan diff OLD... -- NEW...; or give two profiles",
        ),
        RunError::BaselineBesideSides => (
            "E030",
            "give the files to compare with the baseline, without `--`",
        ),
        RunError::UnlikeSides(_) | RunError::UnlikeRun { .. } => {
            ("E031", "compare profiles of one kind, of the same events")
        }
        RunError::NotComparable { source, .. } => (
            "E032",
            match source {
                NotComparable::Unfiltered => "leave the names out, or give the profiles themselves",
                NotComparable::OtherRows => {
                    "keep it with -l and compare it with -l, or both without"
                }
                NotComparable::NoFlat | NotComparable::Partial => {
                    "keep it anew with --format json, all rows of it; or with --baseline and \
                     --update"
                }
            },
        ),
        RunError::NoEvent { .. } => ("E023", "name an event that is there, or start, peak or end"),
        RunError::NoPaths { advice, .. } => ("E027", *advice),
        RunError::NoTable { .. } => (
            "E009",
            "give the table too: ./a.out @MLton show-sources > show-prof.txt (programs built by a \
             MLton before 2007: show-prof)",
        ),
    };
    Some((code, advice.to_owned()))
}

/// What is said where there is no memory left for what was begun: the code, what is wrong,
/// and what to do.
#[must_use]
pub fn over_memory(limit: u64) -> (&'static str, String, &'static str) {
    (
        "E033",
        format!("this needs more than {} of memory", size(limit.into())),
        "--limit-memory SIZE, as in 8G, where the files are trusted; else fewer of them at once, \
         or without -l and -A",
    )
}

/// The same where it is the system that has no more.
#[must_use]
pub fn out_of_memory() -> (&'static str, String, &'static str) {
    (
        "E033",
        "this needs more memory than the system has".to_owned(),
        "give fewer files at once, or leave out -l and -A",
    )
}

fn advise_load(error: &LoadError) -> (&'static str, String) {
    match error {
        LoadError::Io { source, .. } => advise_io(source),
        LoadError::TooLarge { .. } => (
            "E034",
            "unpack it, where it is trusted; or raise --limit-memory, as in 16G".to_owned(),
        ),
        LoadError::Empty { .. } => ("E002", WHEN_WRITTEN.to_owned()),
        LoadError::NotAProfile { advice, .. } => ("E003", (*advice).to_owned()),
        LoadError::Unlike { .. } => (
            "E006",
            "report them one by one, or give only profiles of one program and kind".to_owned(),
        ),
        LoadError::TimesIo { .. } => (
            "E001",
            "--wall takes the seconds of the run, as in 90.5, or a file with what `time` printed"
                .to_owned(),
        ),
        LoadError::NoTimes { .. } => (
            "E017",
            "give what `time` printed, or seconds: time -p ./PROGRAM 2> time.txt".to_owned(),
        ),
        LoadError::Malformed { source, .. } => {
            let advice = match &source.kind {
                ReadErrorKind::Mlton(MltonFault::NotProfiled) => {
                    "compile the program with mlton -profile time, alloc or count, and let it run"
                }
                ReadErrorKind::AllocationProfile(ProfileError::TooOld { .. }) => {
                    "link the program with a later mpatrol, and let it run again"
                }
                ReadErrorKind::Hexdump(fault) => return advise_hexdump(fault),
                _ => "fetch the file again, or let the program run again to its end",
            };
            ("E004", advice.to_owned())
        }
    }
}

fn advise_hexdump(fault: &HexdumpFault) -> (&'static str, String) {
    let advice = match fault {
        HexdumpFault::Nothing => "leave --from-hexdump out for files that are profiles as they are",
        HexdumpFault::Contradiction { .. } => "leave one dump in the file, that of one run",
        _ => "dump the memory again, all of it",
    };
    ("E019", advice.to_owned())
}

fn advise_executable(error: &ExecutableError) -> (&'static str, String) {
    match error {
        ExecutableError::Io { source, .. } => advise_io(source),
        ExecutableError::Format { .. } => (
            "E005",
            "give the linked program as it was run, with its symbols".to_owned(),
        ),
        ExecutableError::NoSymbols { .. } => (
            "E005",
            "give the linked program with its symbols; for -S what nm prints of it".to_owned(),
        ),
    }
}

fn advise_io(error: &io::Error) -> (&'static str, String) {
    let advice = match error.kind() {
        io::ErrorKind::NotFound => "look at the spelling and the folder; profan gmon.out ./PROGRAM",
        io::ErrorKind::PermissionDenied => "ask its owner to let you read it",
        io::ErrorKind::IsADirectory => "give the files in it, not the folder",
        _ => "see what the system says about it",
    };
    ("E001", advice.to_owned())
}
