//! What can be odd about a profile, each with a code, a cause and an advice.
//!
//! Codes are stable: a number is never given to another oddity.

use std::fmt;

use super::{OutsideCalls, RunTimeOddity};
use crate::load::Damage;
use crate::model::{Address, CutNames, Encoding};
use crate::report::Diagnostic;
use crate::report::number::counted;
use crate::symbols::{Linkage, System};

/// The code of [`Warning::NotRecorded`].
pub const NOT_RECORDED: &str = "W028";

/// An oddity that does not stop the report.
#[derive(Clone, Debug, PartialEq)]
pub enum Warning {
    /// Call sites have no name.
    Unnamed {
        /// Call sites without one.
        n_unnamed: usize,
        /// Of how many.
        n_contexts: usize,
        /// The executable that was asked for names in vain.
        executable: Option<String>,
    },
    /// The executable is not the one that wrote the profile, and is not used.
    OtherProgram {
        /// The executable.
        executable: String,
        /// What does not fit, and how much.
        evidence: Vec<String>,
    },
    /// More blocks were freed than allocated.
    FreedTwice {
        /// Frees beyond allocations.
        n_blocks: i128,
    },
    /// Where the program was loaded is a guess.
    GuessedBase {
        /// The lowest address of its image in memory.
        base: Address,
        /// The executable.
        executable: String,
    },
    /// A report needs what this kind of profile does not record.
    NotRecorded {
        /// Which report, and what it needs.
        what: &'static str,
        /// What would have it.
        advice: &'static str,
    },
    /// No line of any source is known, of which the source was to be shown.
    NoLines {
        /// The executable, if there is one.
        executable: Option<String>,
    },
    /// There is no executable to take names from.
    NoExecutable,
    /// The profile is of another kind of machine than the executable.
    OtherMachine {
        /// The executable.
        executable: String,
        /// How the profile stores words.
        profile: Encoding,
        /// How the executable does.
        program: Encoding,
    },
    /// The addresses of the profile lie outside the code of the executable.
    OutsideCode {
        /// The executable.
        executable: String,
        /// The range of the profile's addresses.
        profile: (Address, Address),
        /// The range of the executable's code.
        code: (Address, Address),
    },
    /// The program ran at other addresses.
    LoadedElsewhere {
        /// The executable.
        executable: String,
        /// Where the program must have been loaded for everything to fit.
        base: Address,
    },
    /// What was recorded cannot be of this executable.
    OtherBuild {
        /// The executable.
        executable: String,
        /// What does not fit, and how much.
        evidence: Vec<String>,
    },
    /// Of several profiles some are not of this executable.
    Foreign {
        /// The first of them.
        profile: String,
        /// How many there are besides.
        n_more: usize,
        /// How many profiles there are in all.
        n_all: usize,
        /// What the first has to say of the executable.
        found: Box<Warning>,
    },
    /// A little of what was recorded cannot be of this executable.
    DoubtfulBuild {
        /// The executable.
        executable: String,
        /// What does not fit, and how much.
        evidence: Vec<String>,
    },
    /// Nothing in the executable counts calls.
    NotBuiltForProfiling {
        /// The executable.
        executable: String,
    },
    /// There is not one tick of a program that is linked so.
    NoTicks(Linkage),
    /// Calls lead out of the program, to code whose time is not in the profile.
    CallsOutside(OutsideCalls),
    /// Samples do not fit how long the run took.
    RunTime(RunTimeOddity),
    /// There is not one call count.
    NoCalls {
        /// The executable, if it is one that counts calls.
        counted_by: Option<String>,
    },
    /// There is nothing in the profile.
    NoRecords,
    /// Some ticks are in no function.
    OutsideFunctions {
        /// Ticks, by the first clock.
        n_ticks: f64,
        /// Their share of all ticks.
        percent: f64,
    },
    /// Some calls lead to no function.
    LostCalls {
        /// Calls, by the sum of their counts.
        n_calls: u64,
    },
    /// The executable has no symbol table.
    Stripped {
        /// The executable.
        executable: String,
        /// It has the names of dynamic linking still.
        has_dynamic_names: bool,
    },
    /// A file is damaged, and was used up to there.
    Damaged {
        /// The file.
        path: String,
        /// What is wrong, and how much is lost.
        damage: Damage,
    },
    /// Bins hold the most that they can.
    Saturated {
        /// The file.
        path: String,
        /// How many bins.
        n_bins: u64,
        /// What they hold.
        most: u64,
    },
    /// Bins are larger than functions.
    CoarseBins {
        /// Bytes of code in a bin.
        bytes_per_bin: u64,
        /// Share of ticks that fell in bins with several functions.
        percent: f64,
    },
    /// The file does not say how long a tick is.
    NoRate,
    /// The file has no place for a rate.
    AssumedRate {
        /// The file.
        path: String,
        /// Ticks a second that are assumed.
        rate: u32,
    },
    /// Files were sampled at different rates.
    MixedRates,
    /// Ticks of the profiler's own functions.
    ProfilerTime {
        /// Ticks, by the first clock.
        n_ticks: f64,
        /// Their share of all ticks.
        percent: f64,
    },
    /// Parts of the debugging information cannot be read.
    DebugInfoDamaged {
        /// The executable, or its debug file.
        file: String,
        /// The first of them.
        note: String,
        /// How many there are.
        n_notes: usize,
    },
    /// Debugging information takes more memory than its size can justify.
    DebugInfoTooLarge {
        /// The executable, or its debug file.
        file: String,
    },
    /// A source cannot be found.
    SourceMissing {
        /// Its name, as recorded.
        name: String,
    },
    /// What has the name of a source is none.
    SourcePassedOver {
        /// Where it is.
        path: String,
        /// What it is.
        reason: String,
    },
    /// A source was changed after the executable was made.
    SourceNewer {
        /// Where it is.
        path: String,
        /// The executable.
        executable: String,
    },
    /// Annotated source cannot be written.
    SourceUnwritten {
        /// The name of its file.
        name: String,
        /// What the system said.
        reason: String,
    },
    /// Names stayed as the linker knows them, for spelling them takes too much.
    NamesGivenUp {
        /// How many.
        n_names: usize,
    },
    /// Names are not whole, for too many share what is stored of long ones.
    NamesCut {
        /// The file that has them.
        file: String,
        /// How they were cut.
        cut: CutNames,
    },
    /// No function is in an expression, though each name in it is there.
    NothingKept,
    /// No function of the old side is called what one was called before it was renamed.
    IdleRename {
        /// As it was written.
        rename: String,
    },
    /// Reasons to refuse a comparison that it can never give.
    IdleGate {
        /// Which ones.
        reasons: String,
        /// What was compared is sampled time.
        is_sampled: bool,
    },
    /// Basic-block counts are of use by source line only.
    BlocksNeedLines,
    /// Calls in the machine code cannot be looked for.
    NoStaticCalls {
        /// What the search lacks: as a rule, knowledge of the machine.
        reason: String,
    },
    /// A separate debug file does not belong to the executable.
    DebugFileRefused {
        /// The file.
        path: String,
        /// What differs from the executable: as a rule, the build-id.
        reason: String,
    },
    /// A trace frees or reallocates blocks that had been freed.
    AlreadyFreed(FirstOf),
    /// A trace frees or reallocates blocks that were never allocated.
    UnknownBlocks(FirstOf),
    /// A trace allocates blocks that are in use.
    AllocatedTwice(FirstOf),
    /// The library of a profile was not given.
    NoLibrary {
        /// What it is called.
        library: String,
    },
    /// Calls of a library's functions were counted, and no time.
    NoLibraryTicks {
        /// What it is called.
        library: String,
        /// The program is known to have been built for profiling.
        has_hook: bool,
    },
    /// No calls of a library's functions were counted.
    NoLibraryCalls {
        /// What it is called.
        library: String,
    },
    /// A profile has the name of another library.
    OtherLibraryName {
        /// The profile.
        profile: String,
        /// The name that it has.
        named: String,
        /// The library whose profile it is taken for.
        library: String,
    },
    /// A library is not the one that was profiled.
    OtherLibraryBuild {
        /// The library.
        library: String,
        /// What does not fit.
        reason: String,
    },
    /// Profiles of several objects are of different numbers of runs.
    OtherRuns {
        /// Objects, each with the number of its runs.
        n_runs: Vec<(String, u64)>,
    },
    /// What was odd when a report was made that is shown again.
    Recorded(Diagnostic),
}

/// How often something is odd in a trace, and where first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FirstOf {
    /// Events of this kind.
    pub count: u64,
    /// The first event of them.
    pub event: u64,
    /// The block that it is about.
    pub index: u64,
    /// Where in the source it happened, if that is known.
    pub location: Option<String>,
}

impl fmt::Display for FirstOf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "event {}, block {}", self.event, self.index)?;
        match &self.location {
            Some(location) => write!(f, ", in {location}"),
            None => Ok(()),
        }
    }
}

impl Warning {
    /// Whether it is that the samples of a run are few for its time.
    #[must_use]
    pub fn is_lack_of_samples(&self) -> bool {
        use RunTimeOddity as R;
        let lacks = |oddity: &R| matches!(oddity, R::WithoutSamples { .. } | R::LittleOfRun { .. });
        matches!(self, Self::RunTime(oddity) if lacks(oddity))
    }

    /// The stable code.
    #[must_use]
    pub fn code(&self) -> &str {
        match self {
            Self::NoExecutable | Self::NoLibrary { .. } => "W001",
            Self::OtherMachine { .. } => "W002",
            Self::OutsideCode { .. } | Self::LoadedElsewhere { .. } => "W003",
            Self::OtherBuild { .. } => "W004",
            Self::Foreign { found, .. } => found.code(),
            Self::NotBuiltForProfiling { .. } => "W005",
            Self::NoTicks(_) | Self::NoRecords => "W006",
            Self::NoCalls { .. } | Self::NoLibraryCalls { .. } => "W007",
            Self::OutsideFunctions { .. } => "W008",
            Self::LostCalls { .. } => "W009",
            Self::Stripped { .. } => "W010",
            Self::Damaged { .. } => "W011",
            Self::Saturated { .. } => "W012",
            Self::CoarseBins { .. } => "W013",
            Self::NoRate => "W014",
            Self::AssumedRate { .. } => "W015",
            Self::MixedRates => "W016",
            Self::ProfilerTime { .. } => "W017",
            Self::DebugFileRefused { .. } => "W018",
            Self::BlocksNeedLines => "W019",
            Self::DebugInfoDamaged { .. } => "W020",
            Self::DebugInfoTooLarge { .. } => "W064",
            Self::SourceMissing { .. } => "W021",
            Self::SourcePassedOver { .. } => "W065",
            Self::SourceNewer { .. } => "W022",
            Self::SourceUnwritten { .. } => "W023",
            Self::NoStaticCalls { .. } => "W024",
            Self::Unnamed { .. } => "W026",
            Self::FreedTwice { .. } => "W027",
            Self::NotRecorded { .. } => NOT_RECORDED,
            Self::GuessedBase { .. } => "W029",
            Self::AlreadyFreed(_) => "W030",
            Self::UnknownBlocks(_) => "W031",
            Self::AllocatedTwice(_) => "W032",
            Self::OtherProgram { .. } => "W033",
            Self::DoubtfulBuild { .. } => "W034",
            Self::NoLines { .. } => "W056",
            Self::CallsOutside(_) => "W038",
            Self::RunTime(oddity) => oddity.code(),
            Self::NoLibraryTicks { .. } => "W045",
            Self::OtherLibraryName { .. } => "W046",
            Self::OtherLibraryBuild { .. } => "W047",
            Self::OtherRuns { .. } => "W048",
            Self::NothingKept => "W059",
            Self::IdleGate { .. } => "W060",
            Self::IdleRename { .. } => "W061",
            Self::NamesGivenUp { .. } => "W062",
            Self::NamesCut { .. } => "W063",
            Self::Recorded(diagnostic) => &diagnostic.code,
        }
    }

    /// Whether it is to be said before a report, all of which may be wrong.
    #[must_use]
    pub fn is_urgent(&self) -> bool {
        matches!(self.code(), "W003" | "W004" | "W033" | "W047")
    }

    /// Whether a file was read with counters of a wrong width.
    #[must_use]
    pub fn is_misread(&self) -> bool {
        matches!(self, Self::Damaged { damage, .. } if damage.counter_bits().is_some())
    }

    /// What is odd, in one sentence.
    #[must_use]
    pub fn cause(&self) -> String {
        match self {
            Self::Recorded(diagnostic) => diagnostic.message.clone(),
            Self::NoExecutable => "no executable was given and there is no a.out, \
                so functions are shown by the addresses at which they were entered"
                .into(),
            Self::OtherMachine {
                executable,
                profile,
                program,
            } => format!(
                "the profile was written by a {profile} program, but {executable} is {program}"
            ),
            Self::OutsideCode {
                executable,
                profile: (low, high),
                code: (start, end),
            } => format!(
                "no tick or call lies in the code of {executable}, at {start} to {end}: the \
                 profile covers {low} to {high}"
            ),
            Self::LoadedElsewhere { executable, base } => {
                format!("{executable} is the program that ran, but was loaded at {base}")
            }
            Self::OtherBuild {
                executable,
                evidence,
            } => format!(
                "{executable} is not the build that was profiled: {}",
                evidence.join("; ")
            ),
            Self::Foreign {
                profile,
                n_more,
                n_all,
                found,
            } => {
                let others = match n_more {
                    0 => String::new(),
                    _ => format!("; nor does it fit {n_more} more of {n_all} profiles"),
                };
                format!("{profile}: {}{others}", found.cause())
            }
            Self::DoubtfulBuild {
                executable,
                evidence,
            } => format!(
                "{executable} may not be the build that was profiled: {}",
                evidence.join("; ")
            ),
            Self::NotBuiltForProfiling { executable } => {
                format!("{executable} was not built with -pg: nothing in it counts calls")
            }
            Self::NoTicks(_) => "not one tick was recorded, so there are no times".into(),
            Self::NoCalls { counted_by: None } => {
                "no calls were recorded, so there is no call graph".into()
            }
            Self::NoCalls {
                counted_by: Some(executable),
            } => format!(
                "no calls were recorded, though {executable} counts them, so there is no call graph"
            ),
            Self::NoRecords => "there is nothing in the profile, neither times nor calls".into(),
            Self::CallsOutside(calls) => calls.cause(),
            Self::RunTime(oddity) => oddity.cause(),
            Self::OutsideFunctions { n_ticks, percent } => {
                format!("{n_ticks:.0} ticks ({percent:.1} %) lie in no known function")
            }
            Self::LostCalls { n_calls } => {
                let calls = counted(*n_calls, "call leads", "calls lead");
                format!("{calls} to no known function: left out of the report")
            }
            Self::Stripped {
                executable,
                has_dynamic_names,
            } => format!(
                "{executable} is stripped: {}",
                if *has_dynamic_names {
                    "only names for dynamic linking are left"
                } else {
                    "it has no names at all"
                }
            ),
            Self::Damaged { path, damage } => format!(
                "{path}: {}; {} not part of this report",
                damage.error,
                match damage.n_lost {
                    0 => "what follows is".to_owned(),
                    n_lost => counted(n_lost, "byte of it is", "bytes of it are"),
                }
            ),
            Self::Saturated { path, n_bins, most } => format!(
                "{path}: {} {most} ticks, the most that fits: more may have been lost",
                counted(*n_bins, "bin holds", "bins hold")
            ),
            Self::CoarseBins {
                bytes_per_bin,
                percent,
            } => format!(
                "bins of {bytes_per_bin} bytes are larger than functions: {percent:.0} % of the \
                 ticks are shared among neighbours by size"
            ),
            Self::NoRate => {
                "the profile does not say how long a tick is, so times are in ticks".into()
            }
            Self::AssumedRate { path, rate } => format!(
                "{path}: this old layout has no place for the rate; {rate} ticks a second are assumed"
            ),
            Self::MixedRates => "the profiles were sampled at different rates; ticks are \
                converted to the highest rate, which also stands for those that have none"
                .into(),
            Self::ProfilerTime { n_ticks, percent } => format!(
                "{n_ticks:.0} ticks ({percent:.1} %) fell in the profiler's own functions and are left out"
            ),
            Self::DebugInfoDamaged {
                file,
                note,
                n_notes,
            } => match n_notes - 1 {
                0 => format!("{file}: {note}"),
                n_more => format!("{file}: {note}, and {n_more} more such parts"),
            },
            Self::DebugInfoTooLarge { file } => format!(
                "{file}: debugging information is passed over, all or some of it: it takes more \
                 memory than its size can justify"
            ),
            Self::NoLines { executable: None } => {
                "no annotated source: without an executable no line of any source is known".into()
            }
            Self::NoLines {
                executable: Some(path),
            } => format!("no annotated source: {path} does not say which line its code is from"),
            Self::SourceMissing { name } => format!("{name}: this source cannot be found"),
            Self::SourcePassedOver { path, reason } => {
                format!("{path} is not read as a source: {reason}")
            }
            Self::SourceNewer { path, executable } => format!(
                "{path} was changed after {executable} was made, so counts may stand beside \
                 the wrong lines"
            ),
            Self::SourceUnwritten { name, reason } => format!("{name}: {reason}"),
            Self::Unnamed {
                n_unnamed,
                n_contexts,
                executable: None,
            } => format!("{n_unnamed} of {n_contexts} call sites have no name in the profile"),
            Self::Unnamed {
                n_unnamed,
                n_contexts,
                executable: Some(path),
            } => format!("{n_unnamed} of {n_contexts} call sites lie in no function of {path}"),
            Self::OtherProgram {
                executable,
                evidence,
            } => format!(
                "{executable} is not the build that was profiled, and is not used: {}",
                evidence.join("; ")
            ),
            Self::FreedTwice { n_blocks } => format!(
                "{} freed than allocated: the profile is damaged or was started late",
                counted(*n_blocks, "block more was", "blocks more were")
            ),
            Self::NotRecorded { what, .. } => (*what).into(),
            Self::GuessedBase { base, executable } => format!(
                "{executable} is taken to have been loaded at {base}, which the addresses of the \
                 profile hardly show"
            ),
            Self::NothingKept => "no function is in the expression of --keep".into(),
            Self::NamesGivenUp { n_names } => format!(
                "{} in the spelling of the linker, for demangling takes too much",
                counted(*n_names as u64, "name stays", "names stay")
            ),
            Self::NamesCut { file, cut } => format!(
                "{file}: {} cut to {} bytes: so many share long ones that they would take a \
                 multiple of the file",
                counted(cut.n_names as u64, "name is", "names are"),
                cut.n_bytes,
            ),
            Self::IdleRename { rename } => {
                format!("no function of the old side fits --rename {rename}")
            }
            Self::IdleGate { reasons, .. } => {
                format!("--fail-on {reasons} refuses nothing: that is never said of these profiles")
            }
            Self::BlocksNeedLines => {
                "counts of basic blocks are left out: they are shown by line only".into()
            }
            Self::NoStaticCalls { reason } => format!("{reason}; `-c` is left out"),
            Self::DebugFileRefused { path, reason } => {
                format!("{path}: not used for names: {reason}")
            }
            Self::AlreadyFreed(first) => format!(
                "{} a block that had been freed, first {first}: left out",
                counted(
                    first.count,
                    "event frees or reallocates",
                    "events free or reallocate"
                )
            ),
            Self::UnknownBlocks(first) => format!(
                "{} a block that was never allocated, first {first}: left out",
                counted(
                    first.count,
                    "event frees or reallocates",
                    "events free or reallocate"
                )
            ),
            Self::AllocatedTwice(first) => format!(
                "{} a block that is in use, first {first}: the one before it counts as never freed",
                counted(first.count, "event allocates", "events allocate")
            ),
            Self::NoLibrary { library } => format!(
                "{library} was not given, so its functions are shown by the addresses at which \
                 they were entered"
            ),
            Self::NoLibraryTicks {
                library,
                has_hook: true,
            } => format!(
                "calls were counted in {library}, but no time: it took less than a tick, or the \
                 program was linked with -pg, as this one is, and took the profiling clock for itself"
            ),
            Self::NoLibraryTicks { library, .. } => format!(
                "calls were counted in {library}, but no time: it took less than a tick, or the \
                 program was linked with -pg and took the profiling clock for itself"
            ),
            Self::NoLibraryCalls { library } => {
                format!("no calls were counted in {library}, so it has no call graph")
            }
            Self::OtherLibraryName {
                profile,
                named,
                library,
            } => format!("{profile} is by its name of {named}, and is taken for that of {library}"),
            Self::OtherLibraryBuild { library, reason } => {
                format!("{library} is not the build that was profiled: {reason}")
            }
            Self::OtherRuns { n_runs } => {
                let each = |(object, n_runs): &(String, u64)| {
                    format!("{object} {}", counted(*n_runs, "run", "runs"))
                };
                let each: Vec<_> = n_runs.iter().map(each).collect();
                format!(
                    "the profiles are of different numbers of runs: {}",
                    each.join(", ")
                )
            }
        }
    }

    /// What to do about it, in one sentence.
    #[must_use]
    pub fn advice(&self) -> String {
        match self {
            Self::Recorded(diagnostic) => diagnostic.advice.clone(),
            Self::NoExecutable => "profan gmon.out ./PROGRAM".into(),
            Self::OtherMachine { .. } => "give the executable that wrote the profile".into(),
            Self::LoadedElsewhere { base, .. } => format!("add --base {base}"),
            Self::OutsideCode { .. } => {
                "give the executable that wrote the profile: no load address makes it fit this one"
                    .into()
            }
            Self::OtherBuild { .. } | Self::DoubtfulBuild { .. } => {
                "give the executable as it was when it ran, or run it again".into()
            }
            Self::Foreign { found, .. } => match &**found {
                Self::LoadedElsewhere { base, .. } => format!(
                    "report it by itself, with --base {base}: each run is loaded elsewhere, \
                     unless it is linked with -no-pie"
                ),
                _ => {
                    "leave it out, or report it by itself with the executable that wrote it".into()
                }
            },
            Self::NotBuiltForProfiling { .. } => {
                "compile and link with -pg, and give that executable".into()
            }
            Self::NoTicks(linkage) => {
                let tick = match linkage.system {
                    Some(System::Linux) => "processor time that any of its threads spends",
                    Some(System::Bsd) => "processor time that is spent",
                    Some(System::Windows) if linkage.is_for_cygwin() => {
                        "time that any of its threads spends"
                    }
                    Some(System::Windows) => "time that its first thread spends",
                    None => "time that is spent",
                };
                let libraries = not_in(linkage);
                format!("let the program run longer: a tick is {tick} in its own code{libraries}")
            }
            Self::CallsOutside(calls) => calls.advice(),
            Self::RunTime(oddity) => oddity.advice(),
            Self::NoCalls { counted_by: None } => {
                "compile every file with -pg, not only the link; what samples from outside (JTAG, \
                simulators) never counts calls"
                    .into()
            }
            Self::NoCalls {
                counted_by: Some(_),
            } => "fetch the file again: it may have been cut off behind the times; where not all \
                files are compiled with -pg, the others may be all that ran"
                .into(),
            Self::NoRecords => "fetch the file again, or let the program run to its end: it may \
                have been cut off behind its header"
                .into(),
            Self::OutsideFunctions { .. } => "look for code without symbols: stripped parts, \
                boot loaders, code that was made while running"
                .into(),
            Self::LostCalls { .. } => {
                "give the executable that wrote the profile, with its symbols".into()
            }
            Self::Stripped { .. } => "give the executable before it was stripped, or say with \
                --debug-dir where its debug file is"
                .into(),
            Self::Damaged { damage, .. } if let Some(bits) = damage.counter_bits() => {
                format!("add --counter-bits {bits}")
            }
            Self::Damaged { .. } => "fetch the file again or let the program run to its end; \
                --strict refuses such files"
                .into(),
            Self::Saturated { .. } => {
                "profile several shorter runs and give all their files at once".into()
            }
            Self::CoarseBins { .. } => {
                "profile with finer bins, or read the times of neighbours together".into()
            }
            Self::NoRate => {
                "say with --rate how many ticks a second has, or compare shares, not times".into()
            }
            Self::AssumedRate { .. } => "say with --rate how many ticks a second the machine's \
                clock had, if it was another number"
                .into(),
            Self::MixedRates => "nothing needs doing if that is what you wanted; --rate gives all \
                the same rate"
                .into(),
            Self::ProfilerTime { .. } => {
                "nothing needs doing: it is the cost of counting calls".into()
            }
            Self::DebugInfoDamaged { .. } => {
                "file names may be missing; build again, or with another version of DWARF".into()
            }
            Self::DebugInfoTooLarge { .. } => "where the file is trusted, raise the limit: \
                --limit-memory 16G; functions and their time need no lines"
                .into(),
            Self::NoLines { executable: None } => {
                "give the program too, built with -g; -p and -q need no lines".into()
            }
            Self::NoLines { .. } => "compile with -g beside -pg, and do not strip the program; \
                -p and -q need no lines"
                .into(),
            Self::SourceMissing { .. } => "say with -I DIR in which folder it is, or with \
                --path-map OLD=NEW where the whole tree is"
                .into(),
            Self::SourcePassedOver { .. } => "say with --path-map OLD=NEW where the source is, \
                and do not trust a program that names such a file"
                .into(),
            Self::SourceNewer { .. } => "fetch the source as it was, or build and run again".into(),
            Self::SourceUnwritten { .. } => {
                "use -y in a folder where this file can be written".into()
            }
            Self::NoStaticCalls { .. } => "leave -c out".into(),
            Self::Unnamed { executable, .. } => match executable {
                None => "give the program too: profan mpatrol.out ./PROGRAM".into(),
                Some(_) => "give the executable that wrote the profile, with its symbols, or \
                    say with --base where it was loaded"
                    .into(),
            },
            Self::OtherProgram { .. } => "give the executable that wrote the profile".into(),
            Self::FreedTwice { .. } => "let profiling start before the first allocation".into(),
            Self::NotRecorded { advice, .. } => (*advice).into(),
            Self::GuessedBase { .. } => {
                "say with --base where it was loaded, or link it with -no-pie".into()
            }
            Self::NamesGivenUp { .. } => {
                "no compiler writes such names; --demangle=none shows all as the linker does".into()
            }
            Self::NamesCut { .. } => {
                "no compiler writes such names; trust the file no more than where it is from".into()
            }
            Self::IdleRename { .. } => {
                "write the old name in front of the `=`, as a regular expression".into()
            }
            Self::IdleGate { is_sampled, .. } => match is_sampled {
                true => {
                    "of sampled time it is said that it is slower, faster, unclear, new or gone"
                }
                false => "of what was counted it is said that it is more, less, new or gone",
            }
            .into(),
            Self::NothingKept => "ask for less: the parts of an (and …) may have nothing in \
                common, and no share be that large"
                .into(),
            Self::BlocksNeedLines => "add -l to use them".into(),
            Self::DebugFileRefused { .. } => "install the debug file of this very build".into(),
            Self::AlreadyFreed(_) => "look for a block that is freed twice there, or used after \
                it was freed; mptrace -v -s lists every event"
                .into(),
            Self::UnknownBlocks(_) => "look for a pointer that never came from malloc; blocks \
                from before the trace began look the same"
                .into(),
            Self::AllocatedTwice(_) => "fetch the file again: no library writes this".into(),
            Self::NoLibrary { library } => {
                format!("give the library too: profan {library}.profile PATH/{library}")
            }
            Self::NoLibraryTicks { .. } => "run it with LD_PROFILE once more, linked without -pg \
                for that, and for long enough"
                .into(),
            Self::NoLibraryCalls { .. } => "link with -z lazy what calls it, and leave \
                LD_BIND_NOW unset: calls are counted where they are bound when first made"
                .into(),
            Self::OtherLibraryName { .. } => "give the library of that name".into(),
            Self::OtherLibraryBuild { .. } => {
                "give the library as it was when it ran, or run the program again".into()
            }
            Self::OtherRuns { .. } => "compare times within one object only, or run as often for \
                each; LD_PROFILE goes on in a file that is there: remove it before"
                .into(),
        }
    }
}

/// That code of shared libraries has no ticks, where a program is known to have some.
fn not_in(linkage: &Linkage) -> String {
    match &*linkage.libraries {
        [] => String::new(),
        libraries => format!(", not in that of {}", libraries.join(", ")),
    }
}
