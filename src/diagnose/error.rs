//! The errors that stop a report: every code with its meaning, and the errors of a command line
//! with their fields, message and advice.

use std::io;

use super::problems::problems;
use super::{NotShown, Unavailable, UnknownName};
use crate::analyze::NoColumn;
use crate::compare::Unlike;
use crate::compare::costs::NotComparable;
use crate::load::{HexdumpFault, LoadError, ReadErrorKind};
use crate::model::{Address, BuildId, MergeError};
use crate::report::Diagnostic;
use crate::report::number::size;
use crate::symbols::ExecutableError;

/// The result of a stage that may refuse a command line.
pub type RunResult<T = ()> = Result<T, RunError>;

problems! {
    /// A problem with the files of a command line as a whole.
    pub enum RunError
    of other codes {
        /// The file of an option cannot be read, or not be used.
        #[error("{path}, the file of {option}: {reason}")]
        UnusableArgument {
            code: &'static str,
            option: &'static str,
            path: String,
            reason: String,
            /// The argument that the option takes.
            advice: &'static str,
        } => code, *advice;
        /// A file does not exist, and the existing files suggest a cure.
        #[error("{cause}")]
        Missing { cause: String, code: &'static str, advice: String } => code, advice;
        /// The executable is from another build, and the user excluded doubtful results.
        #[error("{cause}")]
        OtherBuild {
            cause: String,
            /// The code of the warning about the other build.
            code: String,
            advice: String,
        } => code, advice;
    }

    UNREADABLE "E001"
        title "a file cannot be read"
        cause "It does not exist, is not readable, or is a directory."
        cure "Check its name and permissions. Attach a SPEC to its option, as in `-pmain`. \
            `profan doctor PROGRAM` finds profiles."
    {
        #[error("{path}: {source}")]
        Unreadable {
            path: String,
            #[source]
            source: io::Error,
            /// The likely intended name, if any.
            advice: Option<String>,
        } => advice.clone().unwrap_or_else(|| advise_io(source).1.to_owned());
    }

    EMPTY "E002"
        title "a file is empty"
        cause "The program was stopped before its exit, or the disk was full."
        cure "Check the disk, and run the program to its normal end."
    {}

    NOT_A_PROFILE "E003"
        title "a file is not a profile that profan reads"
        cause "The message names its kind, if known."
        cure "Pass the profile and its program. Use -O for another layout, --from-hexdump for a \
            hexdump or serial log."
    {}

    MALFORMED "E004"
        title "a profile is malformed"
        cause "It contradicts itself, or --strict refuses a damaged file."
        cure "Copy the file again, or run the program to its normal end."
    {}

    NOT_AN_EXECUTABLE "E005"
        title "a file is not a usable executable"
        cause "It is truncated or damaged, in an unsupported format, or without functions."
        cure "Pass the linked program that ran, with its symbols."
    {}

    UNLIKE "E006"
        title "a profile cannot be added to those before it"
        cause "profan adds profiles of one program and kind, or of a program and its libraries."
        cure "Report the files one by one."
    {
        /// Profiles of a kind that the others are not.
        #[error("{path}: cannot combine {} with {}", unlike.found, unlike.first)]
        NotBeside { path: String, unlike: Unlike } => ONE_BY_ONE;
        #[error("the profile of {object} cannot be added to those before it: {source}")]
        UnlikeObject { object: String, source: MergeError } => ONE_BY_ONE;
        #[error("the profiles cover too many addresses to be combined")]
        NoRoom => ONE_BY_ONE;
    }

    NO_PROFILE "E007"
        title "no profile"
        cause "A program writes its profile when main returns or it calls exit(), not when it is \
            killed, crashes or calls _exit()."
        evidence "`profan doctor PROGRAM` shows where the program writes its profile."
        cure "Build with -pg and run to the normal end, a daemon in the foreground (Linux does \
            not sample child processes of fork()). Call exit() on SIGTERM, or use `gdb -p PID \
            -batch -ex 'call (void)_mcleanup()'`. With GMON_OUT_PREFIX=/tmp/gmon each process \
            writes /tmp/gmon.PID. Without another build, use `valgrind --tool=callgrind \
            ./PROGRAM`."
    {
        #[error("no profile was given, and this directory has no gmon.out, mpatrol.out, \
            mpatrol.trace or mlmon.out")]
        NoProfile => WHEN_WRITTEN;
    }

    TWO_EXECUTABLES "E008"
        title "several executables could have written the profile"
        cause "A gmon.out covers one program, or images at different addresses. Each program \
            needs its own."
        cure "Pass one executable and its profiles."
    {
        #[error("{first} and {second} are both executables, and no profile belongs to {second}")]
        TwoExecutables { first: String, second: String } =>
            "pass one executable and its profiles; profile a library with `LD_PROFILE=SONAME`";
        #[error("{first} and {second} both have code at {address}")]
        SharedMemory { first: String, second: String, address: Address } =>
            "pass the executable that wrote the profile, without the other";
        #[error("{profile}: does not match any of the executables")]
        OfNoProgram { profile: String } => "pass the executable that wrote it, too";
        /// Two or more.
        #[error("{profile} matches several executables: {}", programs.join(", "))]
        SeveralPrograms { profile: String, programs: Vec<String> } => {
            let program = programs.first().map_or("PROGRAM", |program| program);
            format!("name the one that wrote it: `profan {profile} {program}`")
        };
    }

    NO_TABLE "E009"
        title "the table of sources of an MLton program is missing"
        cause "mlmon.out contains only numbers; the program prints their names."
        cure "Pass the table too: `./a.out @MLton show-sources > show-prof.txt`."
    {
        #[error("the profile of build {build} has no names, and the table of its program was not \
            given")]
        NoTable { build: BuildId } => "pass the table too: `./a.out @MLton show-sources > show-prof.txt` \
            (before MLton 2007: show-prof)";
    }

    NO_SUM "E010"
        title "`-s` is for gmon.out only"
        cause "profan cannot write sums of other profiles."
        cure "Pass all profiles to any report, which adds them."
    {
        #[error("the sum of these profiles cannot be written: the first is {kind}")]
        NoSum { kind: String } =>
            "use -s for gmon.out only; any report adds all profiles that you pass it";
    }

    REPORT_BESIDE_FILES "E011"
        title "a saved report was given with other files"
        cause "It replaces its profile and program."
        cure "Pass the report alone, or with --by-file other reports, or profiles of one program."
    {
        #[error("{path} is a saved report, which replaces its profile and program")]
        ReportBesideFiles { path: String } => "pass it alone";
    }

    MALFORMED_REPORT "E012"
        title "a saved report is malformed"
        cause "It is truncated, or another program changed it."
        cure "Make the report again with --format json."
    {
        #[error("{path}: malformed report: {reason}")]
        MalformedReport { path: String, reason: String } => "make it again with --format json";
    }

    NO_SECTION "E013"
        title "the saved report does not contain the requested section"
        cause "The message lists its sections."
        cure "Make it again from the profile, with the section's option."
    {
        #[error("the report does not contain the requested section; it contains {}", had.join(", "))]
        NoSection { had: Vec<&'static str> } =>
            "make the report again from the profile, with the option for this section";
    }

    NO_METRIC "E014"
        title "the profile has no value of that name"
        cause "--value selects the value to sort by, --ratio two to divide. The message lists \
            all."
        cure "Use one of these, or omit the option."
    {
        #[error("no value `{asked}`{}", proposed(nearest))]
        NoMetric { option: &'static str, asked: String, has: Vec<String>, nearest: Vec<String> } =>
            format!("use {option} with one of these: {}", has.join(", "));
    }

    NOT_SHOWN "E015"
        title "the format cannot show this report"
        cause "csv and tsv show one table; lcov, dot, junit and github one kind of report; \
            markdown no sources."
        cure "Select one report, such as -p, or another --format."
    {
        #[error("{why}")]
        NotShown { why: NotShown } => why.advice();
    }

    UNCLEAR_LIBRARY "E016"
        title "profan cannot tell which library a profile belongs to"
        cause "Several libraries match it, or only a program was given."
        cure "Name the profile SONAME.profile, or pass only its library. A program needs a \
            gmon.out."
    {
        #[error("{profile} may belong to {}", libraries.join(" or "))]
        UnclearLibrary { profile: String, libraries: Vec<String> } =>
            "name the profile SONAME.profile, as LD_PROFILE does, or pass only one of them";
        #[error("the profile belongs to the library {library}, but {executable} is a program")]
        ProgramOfLibrary { library: String, executable: String } =>
            "pass the library; if you pass the program too, add its gmon.out";
    }

    NO_TIMES "E017"
        title "--wall does not contain the needed times"
        cause "It takes seconds or a file with the output of `time`, whose CPU time \
            --scale-to-cpu needs."
        cure "Write one with `time -p ./PROGRAM 2> time.txt`, or pass seconds: `--wall 12.5`."
    {
        #[error("--scale-to-cpu needs samples and the CPU time of the run")]
        NoProcessorTime => "pass --wall the output of `time`, which has the CPU time: \
            `time -p ./PROGRAM 2> time.txt`";
    }

    NOT_A_HEXDUMP "E018"
        title "a hexdump contains no bytes, or different bytes at one address"
        cause "It is not a memory dump, is already a profile, or contains several dumps."
        cure "Omit --from-hexdump for a profile. Otherwise leave one dump in the file."
    {}

    NO_EVENT "E019"
        title "the trace has fewer events than requested"
        cause "--between names an event after its end."
        cure "Name an event of the trace, or start, peak or end."
    {
        #[error("no event {event}: the trace has {n_events}")]
        NoEvent { event: u64, n_events: u64 } => "name an event of the trace, or start, peak or end";
    }

    NOTHING_NAMED "E020"
        title "no function, file or line matches"
        cause "A symspec, or a \"REGEXP\" of --keep, matches nothing in the program."
        evidence "`profan -p -z` lists all functions; add --no-demangle for their mangled names."
        cure "Use one of the names in the message; see `profan help symspec`."
    {
        #[error("{unknown}{}", proposed(nearest))]
        NothingNamed { unknown: UnknownName, nearest: Vec<String> } => unknown.advice();
        /// A label of `--label` or `--by-label`.
        #[error("{path}: no sample has the label `{label}`{}", listed(known))]
        NoLabel {
            path: String,
            label: String,
            /// The keys, or the labels with this key.
            known: Vec<String>,
        } => "`profan -i FILE` lists the labels of a profile; those of perf script are comm, pid \
            and tid";
        #[error("{path}: no sample is in the time of --seconds; the last one is at {last} s")]
        NoSampleInTime { path: String, last: f64 } => "request an earlier or longer time";
    }

    AMBIGUOUS "E021"
        title "a name matches several functions"
        cause "Without namespaces, it matches several functions that ran."
        cure "Write the namespaces, or a `*` for all of them, as in `-p'*::run'`."
    {
        /// Some of the matching functions, and the number of others.
        #[error("`{word}` could be {}{}", either(candidates), more(*n_more))]
        Ambiguous { word: String, candidates: Vec<String>, n_more: usize } => {
            let one = candidates.first().map_or("", |name| name);
            format!("write its namespaces, as in `{one}`, or select several with `*`")
        };
    }

    NOTHING_TO_REPORT "E022"
        title "the profile cannot produce the requested reports"
        cause "It does not record their values. profan writes no file."
        evidence "`profan help formats` lists the contents of each kind."
        cure "Request another report, or record the missing values."
    {
        #[error("{}", causes.iter().map(|why| &*why.message).collect::<Vec<_>>().join("; "))]
        NothingToReport {
            /// One at least.
            causes: Vec<Diagnostic>,
        } => {
            let mut advice: Vec<_> = causes.iter().map(|why| &*why.advice).collect();
            advice.dedup();
            advice.join("; ")
        };
        #[error("{path}: --group-by needs {what}, which the profile does not record")]
        NoGroups { path: String, what: &'static str } =>
            "for source files, compile with -g and pass the executable; or report by function";
        #[error("{path}: --seconds needs the times of samples, which the profile does not record")]
        NoTimes { path: String } =>
            "omit it, or pass the output of `perf script` with the field time";
    }

    NO_PATHS "E023"
        title "the calls through a function are not known"
        cause "--focus and --ignore need recorded calls or call stacks, --hide and --from call \
            stacks."
        cure "Record them as the message says, or select functions with -p or --keep."
    {
        #[error("the calls through a function of --focus or --ignore are not known: {}", why.reason)]
        NoPaths { why: Unavailable } => why.advice;
        #[error("--hide and --from need recorded call stacks: {}", why.reason)]
        NoStacks { why: Unavailable } => why.advice;
    }

    NO_COLUMN "E024"
        title "unknown column"
        cause "Columns have the names of CSV and JSON; `self` and `total` stand for \
            `self_seconds` and `total_seconds`."
        cure "Use one that the message lists."
    {
        #[error("{missing}{}", if *is_file { IS_FILE.to_owned() } else { proposed(nearest) })]
        NoColumn {
            missing: NoColumn,
            nearest: Vec<String>,
            /// A file is called so: the option took it for its value.
            is_file: bool,
        } => {
            let asked = if *is_file {
                "put one of these after --sort or --columns"
            } else {
                "use one of these"
            };
            format!("{asked}: {}", missing.has.join(", "))
        };
    }

    UNWRITABLE "E025"
        title "the output file cannot be written"
        cause "Its directory is missing or not writable, or it has several hard links or is an \
            input."
        cure "Pass -o a new name in an existing directory. Only -s may replace an input."
    {
        #[error("{path} is an input of the report, and {option} would overwrite it")]
        OverInput { path: String, option: &'static str } => match *option {
            "--baseline" => "pass --baseline another name",
            _ => "pass -o another name",
        };
        #[error("{path}: cannot write the output: {source}")]
        Unwritable {
            path: String,
            #[source]
            source: io::Error,
        } => match source.kind() {
            io::ErrorKind::PermissionDenied => "pass -o another name, or make the file writable",
            io::ErrorKind::StorageFull => "free disk space, or write to another disk",
            io::ErrorKind::InvalidInput => "pass -o another name",
            io::ErrorKind::TooManyLinks => {
                "pass -o another name; or replace -o FILE by > FILE, which overwrites in place"
            }
            _ => "pass -o a file in an existing directory that you may write to",
        };
    }

    UNCLEAR_SIDES "E026"
        title "profan cannot tell the old files from the new"
        cause "Without `--`, diff takes an old and a new profile, and one executable for both or \
            each. With `--`, each side needs a profile or a saved report."
        cure "Put `--` between the sides: `profan diff OLD… -- NEW…`."
    {
        #[error("the {what} side has no profile")]
        NoSide { what: &'static str } => WITH_DASHES;
        #[error(
            "{}",
            match n_profiles {
                0 => "no profiles given".to_owned(),
                1 => "only one profile given".to_owned(),
                n => format!("{n} profiles given: which are old, and which new?"),
            }
        )]
        WhichSide { n_profiles: usize } => WITH_DASHES;
        #[error("--baseline cannot be combined with an old side")]
        BaselineBesideSides => "pass only the new files, without `--`";
    }

    UNLIKE_SIDES "E027"
        title "the profiles to compare measure different things"
        cause "All must be of one kind and measure the same, callgrind's events in the same \
            order."
        cure "Record both sides alike, or select a common --value."
    {
        #[error(
            "the sides cannot be compared: the old one measures {}, the new one {}",
            unlike.first, unlike.found
        )]
        UnlikeSides { unlike: Unlike } => ONE_KIND;
        #[error(
            "{path} cannot be combined with the profiles before it: it measures {}, they measure {}",
            unlike.found, unlike.first
        )]
        UnlikeRun { path: String, unlike: Unlike } => ONE_KIND;
    }

    NOT_COMPARABLE "E028"
        title "a saved report does not contain all functions"
        cause "It has no flat profile, or only part of it (--top, --focus)."
        cure "Save the whole report: `profan -o FILE.json …`, or `profan diff --baseline \
            FILE.json --update …`."
    {
        #[error("{path} cannot be compared: {source}")]
        NotComparable { path: String, source: NotComparable } => match source {
            NotComparable::Unfiltered => "omit the names, or pass the profiles instead",
            NotComparable::OtherRows => "use -l both to save and to compare it, or for neither",
            NotComparable::NoFlat | NotComparable::Partial =>
                "save all rows again with --format json, or with --baseline FILE --update",
        };
    }

    OUT_OF_MEMORY "E029"
        title "profan needs more memory than it may use"
        cause "The limit is --limit-memory (4 GiB by default), or the system's memory. Existing \
            output files stay."
        cure "If you trust the files, pass `--limit-memory 8G`. Otherwise pass fewer at once, or \
            omit -l, -A and --inlines."
    {}

    TOO_LARGE "E030"
        title "a compressed file decompresses to too much"
        cause "It may decompress to 32 times its size plus 4 MiB (a 1024th of --limit-memory), \
            without zeros in histograms."
        cure "If you trust it, decompress it, or pass `--limit-memory 16G`."
    {}

    NO_SCREEN "E031"
        title "a report cannot be browsed here"
        cause "Standard output is not a terminal that can move its cursor, or TERM is `dumb` or \
            not set."
        cure "Run it in a terminal, or omit `browse`."
    {
        #[error("the report cannot be browsed: {reason}")]
        NoScreen { reason: String } => "run it in a terminal, or omit `browse`";
    }
}

const ONE_BY_ONE: &str = "report the files one by one";
const WITH_DASHES: &str =
    "pass two profiles, or put `--` between the sides: `profan diff OLD... -- NEW...`";
const ONE_KIND: &str =
    "compare profiles of one kind and of the same events, or a value that both record: --value";

/// The proposal of similar names.
fn proposed(nearest: &[String]) -> String {
    match nearest {
        [] => String::new(),
        _ => format!("; did you mean {}?", either(nearest)),
    }
}

/// The list of valid labels, or of the values of one.
fn listed(known: &[String]) -> String {
    const SHOWN: usize = 8;
    let shown = known[..known.len().min(SHOWN)].join(", ");
    match known.len() {
        0 => ", or any other".to_owned(),
        1..=SHOWN => format!("; it has {shown}"),
        n => format!("; it has {shown}, and {} more", n - SHOWN),
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

const IS_FILE: &str = "; this is a file";

const WHEN_WRITTEN: &str = "build with -pg and run the program to its normal end (return from main \
    or exit()): it writes gmon.out to its current directory, but not when it is killed, crashes or \
    calls _exit(); for a server, let a SIGTERM handler call exit(), or use `gdb -p PID -batch -ex 'call \
    (void)_mcleanup()'` (`profan explain E007`)";

/// The code and advice of an error that has a code.
pub fn advise(error: &anyhow::Error) -> Option<(&str, String)> {
    if let Some(error) = error.downcast_ref::<RunError>() {
        return Some((error.code(), error.advice()));
    }
    let load = error.downcast_ref::<LoadError>().map(advise_load);
    let of_executable = || Some(advise_executable(error.downcast_ref()?));
    let (code, advice) = load.or_else(of_executable)?;
    Some((code, advice.to_owned()))
}

/// The message of a program for reaching the memory limit. Originals print no code.
pub fn over_memory(limit: u64, program: &str, is_original: bool) -> String {
    let cause = format!("this needs more than {} of memory", size(limit.into()));
    let advice = "if you trust the files, raise the limit, as in --limit-memory 8G; otherwise pass \
        fewer or smaller files, or omit -l and -A";
    memory_message(program, is_original, &cause, advice)
}

/// The same if the system has no more memory.
pub fn out_of_memory(program: &str, is_original: bool) -> String {
    let cause = "this needs more memory than the system has";
    memory_message(program, is_original, cause, "pass fewer or smaller files, or omit -l and -A")
}

fn memory_message(program: &str, is_original: bool, cause: &str, advice: &str) -> String {
    if is_original {
        format!("{program}: {cause}\n")
    } else {
        let code = codes::OUT_OF_MEMORY;
        format!("{program}: error[{code}]: {cause}\n  help: {advice}\n")
    }
}

fn advise_load(error: &LoadError) -> (&'static str, &'static str) {
    match error {
        LoadError::Io { source, .. } => advise_io(source),
        LoadError::TooLarge { .. } => (
            codes::TOO_LARGE,
            "if you trust the file, decompress it first, or raise the limit: --limit-memory 16G",
        ),
        LoadError::Empty { .. } => (codes::EMPTY, WHEN_WRITTEN),
        LoadError::NotAProfile { advice, .. } | LoadError::NotRead { advice, .. } => {
            (codes::NOT_A_PROFILE, advice)
        }
        LoadError::Unlike { .. } => {
            (codes::UNLIKE, "report the files one by one, or pass profiles of one program and kind")
        }
        LoadError::TimesIo { .. } => (
            codes::UNREADABLE,
            "pass --wall the seconds of the run, as in 90.5, or a file with the output of `time`",
        ),
        LoadError::NoTimes { .. } => {
            (codes::NO_TIMES, "write the file with `time -p ./PROGRAM 2> time.txt`")
        }
        LoadError::Malformed { source, .. } => {
            let again = "copy the file again, or run the program again to its normal end";
            let ReadErrorKind::Format(fault) = &source.kind else {
                return (codes::MALFORMED, again);
            };
            let is_of_dump = fault.downcast::<HexdumpFault>().is_some();
            let code = if is_of_dump { codes::NOT_A_HEXDUMP } else { codes::MALFORMED };
            (code, fault.0.advice().unwrap_or(again))
        }
    }
}

fn advise_executable(error: &ExecutableError) -> (&'static str, &'static str) {
    match error {
        ExecutableError::Io { source, .. } => advise_io(source),
        ExecutableError::Format { .. } => {
            (codes::NOT_AN_EXECUTABLE, "pass the linked program that ran, with its symbols")
        }
        ExecutableError::Unsupported { .. } => (
            codes::NOT_AN_EXECUTABLE,
            "pass its symbols in its place: `nm PROGRAM > out.nm; profan -S out.nm gmon.out`",
        ),
        ExecutableError::NoSymbols { .. } => (
            codes::NOT_AN_EXECUTABLE,
            "pass the linked program with its symbols, or pass -S the output of nm",
        ),
        ExecutableError::FileMap { .. } => {
            (codes::NOT_AN_EXECUTABLE, "pass -R the output of `nm -A *.o`")
        }
    }
}

fn advise_io(error: &io::Error) -> (&'static str, &'static str) {
    let advice = match error.kind() {
        io::ErrorKind::NotFound => {
            "check the name and the directory; usage: `profan gmon.out ./PROGRAM`"
        }
        io::ErrorKind::PermissionDenied => "ask the owner of the file for read permission",
        io::ErrorKind::IsADirectory => {
            "pass the files in the directory, or add --files-like PATTERN"
        }
        _ => "check the file and its disk",
    };
    (codes::UNREADABLE, advice)
}
