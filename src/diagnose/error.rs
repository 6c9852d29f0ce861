//! What stops a report: every code with its meaning, and the errors of a command line with
//! their fields, message and advice.

use std::io;

use super::Unavailable;
use super::catalogue::problems;
use crate::analyze::NoColumn;
use crate::compare::Unlike;
use crate::compare::costs::NotComparable;
use crate::load::{HexdumpFault, LoadError, ReadErrorKind};
use crate::model::{BuildId, MergeError};
use crate::report::Diagnostic;
use crate::report::number::{counted, size};
use crate::symbols::ExecutableError;

problems! {
    /// What can be wrong with the files of a command line as a whole.
    pub enum RunError
    of other codes {
        /// The file of an option cannot be read, or not be used.
        #[error("{path}, the file of {option}: {reason}")]
        UnusableArgument {
            code: &'static str,
            option: &'static str,
            path: String,
            reason: String,
            /// What the option takes.
            advice: &'static str,
        } => code, *advice;
        /// A file is not there, and it is known what to do about it, by what is there.
        #[error("{cause}")]
        Missing { cause: String, code: &'static str, advice: String } => code, advice;
        /// An executable is not the one that ran, and nothing doubtful was wanted.
        #[error("{cause}")]
        OtherBuild {
            cause: String,
            /// That of the warning that it is otherwise.
            code: String,
            advice: String,
        } => code, advice;
    }

    UNREADABLE "E001"
        title "a file cannot be read"
        cause "It is not there, may not be read, or is a folder."
        evidence "The message has what the system said."
        cure "Look at the spelling, the folder and the permissions. A SPEC is attached to its \
            option: `-pmain`. `profan doctor PROGRAM` looks for profiles."
    {
        #[error("{path}: {source}")]
        Unreadable {
            path: String,
            #[source]
            source: io::Error,
            /// What was meant, where that can be told.
            advice: Option<String>,
        } => advice.clone().unwrap_or_else(|| advise_io(source).1.to_owned());
    }

    EMPTY "E002"
        title "a file is empty"
        cause "A program that is built with -pg opens its gmon.out where it ends and writes it at \
            once: this one did not come so far, or the disk was full."
        evidence "`ls -l` says 0 bytes."
        cure "Let the program return from main or call exit(), and look for space on the disk."
    {}

    NOT_A_PROFILE "E003"
        title "a file is no profile"
        cause "The message says what it is instead, as far as its first bytes tell."
        evidence "`file FILE` says what it is."
        cure "Give the profile that the program wrote, and the program. A file in a layout of its \
            own may be read with -O; what shows the bytes of a profile, as a serial log or a \
            hexdump does, with --from-hexdump."
    {}

    MALFORMED "E004"
        title "a profile is malformed"
        cause "It starts as a profile does, and then contradicts itself, or --strict refuses what \
            is left of it."
        evidence "The message has the byte, and what should be there."
        cure "Fetch the file again, or let the program run again to its end."
    {}

    NOT_AN_EXECUTABLE "E005"
        title "a file is no executable that can be used"
        cause "It is cut off or damaged, of a kind that is not read here, or a table without any \
            function."
        evidence "`readelf -h` and `nm` say what they make of it."
        cure "Give the linked program as it was run, with its symbols."
    {}

    UNLIKE "E006"
        title "a profile cannot be added to those before it"
        cause "Only profiles of one program and of one kind have a sum; those of a program and of \
            its libraries can stand beside each other."
        evidence "`profan -i FILE…` shows what each has."
        cure "Report them one by one."
    {
        /// Profiles of a kind that the others are not.
        #[error("{path}: {} cannot stand beside {}", unlike.found, unlike.first)]
        NotBeside { path: String, unlike: Unlike } => ONE_BY_ONE;
        #[error("the profile of {object} cannot be added to those before it: {source}")]
        UnlikeObject { object: String, source: MergeError } => ONE_BY_ONE;
        #[error("the profiles cover so many addresses that they cannot stand beside each other")]
        NoRoom => ONE_BY_ONE;
    }

    NO_PROFILE "E007"
        title "there is no profile"
        cause "None was given, and none of the usual names is in this folder."
        evidence "`ls` shows no gmon.out, mpatrol.out or mpatrol.trace. `profan doctor PROGRAM` \
            says where the program writes one, and which profiles lie about."
        cure "Build with -pg and run the program to its end: it writes gmon.out into the folder in \
            which it then is. A process that a signal ends writes nothing: let the handler of \
            SIGTERM call exit(), or write the profile of a running process with `gdb -p PID \
            -batch -ex 'call (void)_mcleanup()'`. With GMON_OUT_PREFIX=/tmp/gmon each process \
            writes /tmp/gmon.PID, in whatever directory it is. Run a daemon in the foreground: \
            child processes of fork() take no samples on Linux, unless they call moncontrol(1)."
    {
        #[error("no profile was given, and there is no gmon.out, mpatrol.out or mpatrol.trace \
            here")]
        NoProfile => WHEN_WRITTEN;
    }

    TWO_EXECUTABLES "E008"
        title "several executables could be the program"
        cause "A gmon.out comes from one program. Several were given, or none was given and \
            several beside the profile fit it. Libraries of the program may be given too."
        evidence "The message lists the executables."
        cure "Give one executable, and the profiles that it wrote."
    {
        #[error("{first} and {second} are both executables")]
        TwoExecutables { first: String, second: String } =>
            "give one executable, and the profiles that it wrote";
        /// Two or more.
        #[error("{profile} fits several executables: {}", programs.join(", "))]
        SeveralPrograms { profile: String, programs: Vec<String> } => {
            let program = programs.first().map_or("PROGRAM", |program| program);
            format!("name the one that wrote it: profan {profile} {program}")
        };
    }

    NO_TABLE "E009"
        title "the table of an MLton program is missing"
        cause "mlmon.out has numbers only; the program prints what they are of."
        evidence "The first line of the profile has the build, and so has that of the table."
        cure "Give the table too: `./a.out @MLton show-sources > show-prof.txt`."
    {
        #[error("the profile of build {build} has no names: its program's table was not given")]
        NoTable { build: BuildId } => "give the table too: ./a.out @MLton show-sources > show-prof.txt \
            (programs built by a MLton before 2007: show-prof)";
    }

    NO_SUM "E010"
        title "`-s` is for gmon.out only"
        cause "Other kinds of profiles, and those of LD_PROFILE, have no form in which a sum could \
            be written."
        evidence "`profan -i FILE` says what kind it is."
        cure "Give all profiles at once to any report, which adds them up; or keep the report with \
            -o report.json."
    {
        #[error("the sum of these profiles cannot be written: the first is {kind}")]
        NoSum { kind: String } =>
            "-s is for gmon.out; give all profiles at once to any report, which adds them up";
    }

    REPORT_BESIDE_FILES "E011"
        title "a kept report stands beside other files"
        cause "A report stands for its profile and its program by itself."
        evidence "The message has its name."
        cure "Give it alone."
    {
        #[error("{path} is a report, and stands for its profile and program by itself")]
        ReportBesideFiles { path: String } => "give it alone";
    }

    MALFORMED_REPORT "E012"
        title "a kept report is malformed"
        cause "It was cut off, or changed by something else."
        evidence "The message has the place; `jq . FILE` may say more."
        cure "Make it anew with --format json."
    {
        #[error("{path}: malformed report: {reason}")]
        MalformedReport { path: String, reason: String } => "make it anew with --format json";
    }

    NO_SECTION "E013"
        title "a kept report has not what was asked for"
        cause "A report has the parts that it was made with."
        evidence "The message lists them."
        cure "Make it anew from the profile, with the option for this."
    {
        #[error("the report has nothing of that; it has {}", had.join(", "))]
        NoSection { had: Vec<&'static str> } =>
            "make the report anew from the profile, with the option for this";
    }

    NO_METRIC "E014"
        title "the profile has no value of that name"
        cause "--value names what the rows are sorted by, and profiles have different ones."
        evidence "The message lists them; `profan -i FILE` does too."
        cure "Name one of those, or leave --value out."
    {
        #[error("the profile has no metric `{asked}`; it has {}{}", has.join(", "), proposed(nearest))]
        NoMetric { asked: String, has: Vec<String>, nearest: Vec<String> } =>
            "name one of those, or leave --value out";
    }

    NOT_SHOWN "E015"
        title "the format can show nothing of the report"
        cause "csv and tsv show one table; lcov, dot and junit show one kind each; markdown shows \
            no sources."
        evidence "The message says which formats can."
        cure "Choose one report, such as -p or -q, or another --format."
    {
        #[error("{reason}")]
        NotShown {
            reason: String,
            /// What is known to have it.
            advice: Option<String>,
        } => advice
            .as_deref()
            .unwrap_or("choose one report, such as -p or -q, or another --format");
    }

    UNCLEAR_LIBRARY "E016"
        title "it is not clear which library a profile is of"
        cause "Several of the libraries that were given can be that of a profile of LD_PROFILE, by \
            name and by addresses; or only a program was given, which is none."
        evidence "The message has the names; `profan -i FILE` shows what the profile covers."
        cure "Call the profile SONAME.profile, as LD_PROFILE does, or give only the library that \
            it is of. A program goes with a gmon.out."
    {
        #[error("{profile} can be of {}", libraries.join(" or of "))]
        UnclearLibrary { profile: String, libraries: Vec<String> } =>
            "call the profile SONAME.profile, as LD_PROFILE does, or give one of them only";
        #[error("the profile is of the library {library}, but {executable} is a program")]
        ProgramOfLibrary { library: String, executable: String } =>
            "give the library, and with the program a gmon.out of it";
    }

    NO_TIMES "E017"
        title "the file of --wall has no times"
        cause "--wall takes seconds, or a file with what `time` printed."
        evidence "The message says how far the file was understood."
        cure "Write one with `time -p ./PROGRAM 2> time.txt`, or give the seconds: `--wall 12.5`."
    {}

    NOT_A_HEXDUMP "E018"
        title "a file of --from-hexdump shows no bytes, or two different ones at one address"
        cause "It is no dump of memory, a profile as it is, or a log with the dumps of several \
            runs."
        evidence "The message has the line, and the address where two dumps differ."
        cure "Leave --from-hexdump out for files that are profiles as they are; leave one dump in \
            the file, or dump the memory again."
    {}

    NO_EVENT "E019"
        title "a trace has not as many events as were asked for"
        cause "The point of --between is behind the end of the trace."
        evidence "The message has the number of events; `profan -i FILE` does too."
        cure "Name an event that is there, or start, peak or end."
    {
        #[error("there is no event {event}: the trace has {n_events}")]
        NoEvent { event: u64, n_events: u64 } => "name an event that is there, or start, peak or end";
    }

    NOTHING_NAMED "E020"
        title "nothing is called what was asked for"
        cause "A symspec, or a \"REGEXP\" of --keep, fits no function, file, library or line of \
            the program."
        evidence "`profan -p -z` lists all functions, and --no-demangle their names for the linker."
        cure "Take one of the nearest names in the message. `profan help symspec` says how names \
            are written."
    {
        #[error("{what}{}", proposed(nearest))]
        NothingNamed {
            /// A sentence.
            what: String,
            nearest: Vec<String>,
            /// What to do if none of the nearest is meant.
            advice: String,
        } => advice;
    }

    AMBIGUOUS "E021"
        title "a name could be one of several functions"
        cause "Without its namespaces it fits functions of different names, and more than one of \
            them took part in the run."
        evidence "The message lists them."
        cure "Write the namespaces too, or a `*` for all of them, as in `-p'*::run'`."
    {
        /// Some of the functions that can be meant, and how many more there are.
        #[error("`{word}` could be {}{}", either(candidates), more(*n_more))]
        Ambiguous { word: String, candidates: Vec<String>, n_more: usize } => {
            let one = candidates.first().map_or("", |name| name);
            format!("name it with its namespaces, as in `{one}`, or several with `*`")
        };
    }

    NOTHING_TO_REPORT "E022"
        title "nothing of what was asked for can be reported"
        cause "This kind of profile does not record what the reports need. No file is written."
        evidence "`profan -i FILE` says what is in the file, and `profan help formats` what each \
            kind has."
        cure "Ask for another report, or record what it needs."
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
    }

    NO_PATHS "E023"
        title "what runs through a function is not known"
        cause "--focus and --ignore need stacks, or calls: neither was recorded, or the function \
            is inlined code only, to which no call leads."
        evidence "`profan -i FILE` says whether the file has calls or call stacks."
        cure "Record them as the message says, or choose functions by -p and --keep."
    {
        #[error("what runs through a function of --focus or --ignore is not known: {}", why.reason)]
        NoPaths { why: Unavailable } => why.advice;
    }

    NO_COLUMN "E024"
        title "no section of the report has a column of that name"
        cause "--sort or --columns names something that this kind of profile does not have, or \
            that is spelled in another way. Columns are called as in CSV and JSON; `self` and \
            `total` will do for `self_seconds` and `total_seconds`."
        evidence "The message lists the columns that there are."
        cure "Take one of those."
    {
        #[error("{missing}{}", if *is_file { IS_FILE.to_owned() } else { proposed(nearest) })]
        NoColumn {
            missing: NoColumn,
            nearest: Vec<String>,
            /// A file is called so: the option took it for its value.
            is_file: bool,
        } => {
            let asked = if *is_file {
                "--sort and --columns take the next word, so give them one of these"
            } else {
                "name one of those that there are"
            };
            format!("{asked}: {}", missing.has.join(", "))
        };
    }

    UNWRITABLE "E025"
        title "a report cannot be written to the file of -o"
        cause "The folder is not there or may not be written to, the file has several hard \
            links, or it is one that the report is made from: the next word behind -o is always \
            what is written."
        evidence "The message has the file, and what the system says of it."
        cure "Give -o the name of a file that is not there yet, in a folder that is; only the sum \
            of -s may take the place of one of its parts."
    {
        #[error("{path} is what the report is made from, and {option} would write over it")]
        OverInput { path: String, option: &'static str } => match *option {
            "--baseline" => "give --baseline another name",
            _ => "give -o another name",
        };
        #[error("{path}, the file of -o: {source}")]
        Unwritable {
            path: String,
            #[source]
            source: io::Error,
        } => match source.kind() {
            io::ErrorKind::PermissionDenied => "give -o another name, or let the file be written",
            io::ErrorKind::StorageFull => "make room on that disk, or write to another",
            io::ErrorKind::InvalidInput => "give -o another name",
            io::ErrorKind::TooManyLinks => {
                "give -o another name; or leave -o out and add `> FILE`, which writes in place"
            }
            _ => "write to a folder that is there, and in which you may make files",
        };
    }

    UNCLEAR_SIDES "E026"
        title "it is not clear which files are the old side and which the new"
        cause "Without `--` there have to be two profiles, the old one first, and one executable \
            for both or two in their order; with it at least one profile or kept report on each \
            side. A baseline is the old side."
        evidence "The message says how many profiles there are, or which side has none."
        cure "Put `--` between the sides: profan diff OLD... -- NEW...."
    {
        #[error("the {what} side has no profile")]
        NoSide { what: &'static str } => WITH_DASHES;
        #[error(
            "{}, and nothing says which are old and which new",
            counted(*n_profiles as u64, "profile was given", "profiles were given")
        )]
        WhichSide { n_profiles: usize } => WITH_DASHES;
        #[error("there are a baseline and an old side")]
        BaselineBesideSides => "give the files to compare with the baseline, without `--`";
    }

    UNLIKE_SIDES "E027"
        title "profiles that are to be compared measure different things"
        cause "Both sides, and all runs of a side, have to be of one kind and count the same: time \
            with time, the same events of callgrind in the same order."
        evidence "The message says what is measured on either side; `profan -i FILE` says it of a \
            file."
        cure "Record both sides in the same way."
    {
        #[error(
            "the two sides cannot be compared: the old one measures {}, the new one {}",
            unlike.first, unlike.found
        )]
        UnlikeSides { unlike: Unlike } => ONE_KIND;
        #[error(
            "{path} cannot stand beside the profiles before it: it measures {}, the others {}",
            unlike.found, unlike.first
        )]
        UnlikeRun { path: String, unlike: Unlike } => ONE_KIND;
    }

    NOT_COMPARABLE "E028"
        title "a kept report does not say what each function costs"
        cause "The report was made without its flat profile, or has only some of its functions, as \
            with --top or --focus; what is missing would look as if it were gone."
        evidence "The message says which of these it is."
        cure "Keep the whole report: `profan -o FILE.json ...`, or `profan diff --baseline \
            FILE.json --update ...`."
    {
        #[error("{path} cannot be compared: {source}")]
        NotComparable { path: String, source: NotComparable } => match source {
            NotComparable::Unfiltered => "leave the names out, or give the profiles themselves",
            NotComparable::OtherRows => "keep it with -l and compare it with -l, or both without",
            NotComparable::NoFlat | NotComparable::Partial =>
                "keep it anew with --format json, all rows of it; or with --baseline and --update",
        };
    }

    OUT_OF_MEMORY "E029"
        title "more memory is needed than there may be in use"
        cause "A file asks for more than an ordinary machine has, or many files do together. What \
            was written to a file before is as it was."
        evidence "The message has the limit. docs/reliability.md says how much a file of some size \
            takes."
        cure "Where the files are trusted, raise the limit: --limit-memory 8G. Else give fewer \
            files at once, or leave out what asks for lines, -l, -A and --inlines."
    {}

    TOO_LARGE "E030"
        title "a compressed file unpacks to far more than its size can justify"
        cause "A few bytes can be made to unpack to gigabytes. A profile may unpack to 32 times \
            its size and 4 MiB (a 1024th of what --limit-memory lets be in use); zeros of \
            histograms do not count, since much of a large program never runs."
        evidence "The message has the place, in bytes of what it unpacks to."
        cure "Where the file is trusted, unpack it first, or raise the limit: --limit-memory 16G."
    {}
}

const ONE_BY_ONE: &str = "report them one by one";
const WITH_DASHES: &str =
    "put `--` between the sides: profan diff OLD... -- NEW...; or give two profiles";
const ONE_KIND: &str = "compare profiles of one kind, of the same events";

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
    main or calls exit(); one that is killed, crashes or calls _exit() writes none: see `profan \
    explain E007`";

/// The code of an error and what to do about it, for the errors that have one.
pub fn advise(error: &anyhow::Error) -> Option<(&str, String)> {
    if let Some(error) = error.downcast_ref::<RunError>() {
        return Some((error.code(), error.advice()));
    }
    let load = error.downcast_ref::<LoadError>().map(advise_load);
    let of_executable = || Some(advise_executable(error.downcast_ref()?));
    let (code, advice) = load.or_else(of_executable)?;
    Some((code, advice.to_owned()))
}

/// What is said where there is no memory left for what was begun: the code, what is wrong,
/// and what to do.
pub fn over_memory(limit: u64) -> (&'static str, String, &'static str) {
    (
        codes::OUT_OF_MEMORY,
        format!("this needs more than {} of memory", size(limit.into())),
        "--limit-memory SIZE, as in 8G, where the files are trusted; else fewer of them at once, \
         or without -l and -A",
    )
}

/// The same where it is the system that has no more.
pub fn out_of_memory() -> (&'static str, String, &'static str) {
    (
        codes::OUT_OF_MEMORY,
        "this needs more memory than the system has".to_owned(),
        "give fewer files at once, or leave out -l and -A",
    )
}

fn advise_load(error: &LoadError) -> (&'static str, &'static str) {
    match error {
        LoadError::Io { source, .. } => advise_io(source),
        LoadError::TooLarge { .. } => (
            codes::TOO_LARGE,
            "unpack it, where it is trusted; or raise --limit-memory, as in 16G",
        ),
        LoadError::Empty { .. } => (codes::EMPTY, WHEN_WRITTEN),
        LoadError::NotAProfile { advice, .. } => (codes::NOT_A_PROFILE, advice),
        LoadError::Unlike { .. } => (
            codes::UNLIKE,
            "report them one by one, or give only profiles of one program and kind",
        ),
        LoadError::TimesIo { .. } => (
            codes::UNREADABLE,
            "--wall takes the seconds of the run, as in 90.5, or a file with what `time` printed",
        ),
        LoadError::NoTimes { .. } => (
            codes::NO_TIMES,
            "give what `time` printed, or seconds: time -p ./PROGRAM 2> time.txt",
        ),
        LoadError::Malformed { source, .. } => {
            let advice = match &source.kind {
                ReadErrorKind::Format(fault) => fault.0.advice(),
                ReadErrorKind::Hexdump(fault) => return advise_hexdump(fault),
                _ => None,
            };
            let again = "fetch the file again, or let the program run again to its end";
            let advice = advice.unwrap_or(again);
            (codes::MALFORMED, advice)
        }
    }
}

fn advise_hexdump(fault: &HexdumpFault) -> (&'static str, &'static str) {
    let advice = match fault {
        HexdumpFault::Nothing => "leave --from-hexdump out for files that are profiles as they are",
        HexdumpFault::Contradiction { .. } => "leave one dump in the file, that of one run",
        _ => "dump the memory again, all of it",
    };
    (codes::NOT_A_HEXDUMP, advice)
}

fn advise_executable(error: &ExecutableError) -> (&'static str, &'static str) {
    match error {
        ExecutableError::Io { source, .. } => advise_io(source),
        ExecutableError::Format { .. } => (
            codes::NOT_AN_EXECUTABLE,
            "give the linked program as it was run, with its symbols",
        ),
        ExecutableError::NoSymbols { .. } => (
            codes::NOT_AN_EXECUTABLE,
            "give the linked program with its symbols; for -S what nm prints of it",
        ),
        ExecutableError::FileMap { .. } => (
            codes::NOT_AN_EXECUTABLE,
            "pass -R the output of `nm -A *.o`",
        ),
    }
}

fn advise_io(error: &io::Error) -> (&'static str, &'static str) {
    let advice = match error.kind() {
        io::ErrorKind::NotFound => "look at the spelling and the folder; profan gmon.out ./PROGRAM",
        io::ErrorKind::PermissionDenied => "ask its owner to let you read it",
        io::ErrorKind::IsADirectory => "give the files in it, not the folder",
        _ => "see what the system says about it",
    };
    (codes::UNREADABLE, advice)
}
