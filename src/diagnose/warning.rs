//! Warnings about a profile: every code with its meaning, and its messages with their fields and
//! advice.

use std::fmt;

use super::inputs::N_NAMED_FILES;
use super::notes::{CountedCalls, in_words};
use super::outside::include_libraries;
use super::problems::problems;
use super::{OutsideCalls, Unavailable};
use crate::analyze::CountingCost;
use crate::compare::comparison::FailedSide;
use crate::load::{Damage, ReadErrorKind, SkippedLines};
use crate::model::{Address, Encoding, NameCut};
use crate::report::number::{counted, counted_in_groups, fixed};
use crate::report::{Diagnostic, LONGEST_NAME, SHORT_NAME};
use crate::symbols::{Linkage, System};

problems! {
    /// A problem that does not stop the report.
    #[derive(Clone, PartialEq)]
    pub enum Warning
    of other codes {
        #[error("{why}")]
        Unavailable { why: Unavailable } => why.code, why.advice;
        /// The executable does not match `profile` and `n_more` others among `n_all` profiles.
        #[error(
            "{profile}: {found}{}",
            match n_more {
                0 => String::new(),
                _ => format!("; nor does it match {n_more} more of {n_all} profiles"),
            }
        )]
        Mismatch { profile: String, n_more: usize, n_all: usize, found: Box<Warning> } =>
            found.code(),
            match &**found {
                Self::LoadedElsewhere { base, .. } => format!(
                    "report it alone, with --base {base}: each run has another load address, \
                     unless the program is linked with -no-pie"
                ),
                _ => "omit it, or report it alone with the executable that wrote it"
                    .to_owned(),
            };
        /// A warning of a saved report.
        #[error("{}", diagnostic.message)]
        Recorded { diagnostic: Diagnostic } => &diagnostic.code, &diagnostic.advice;
    }

    NO_PROGRAM "W001"
        title "no executable or library was given"
        cause "A profile contains addresses, not names. The default executable is a.out."
        cure "Pass it: `profan gmon.out ./PROGRAM`, or `profan libm.so.6.profile /lib/libm.so.6`."
    {
        #[error("no executable was given and there is no a.out here: functions are shown as \
            addresses")]
        NoExecutable => "profan gmon.out ./PROGRAM";
        #[error("{library} was not given: its functions are shown as addresses")]
        NoLibrary { library: String } =>
            format!("pass the library too: `profan {library}.profile PATH/{library}`");
    }

    OTHER_MACHINE "W002"
        title "the profile and the executable are for different machines"
        cause "They differ in word size or byte order."
        cure "Pass the executable of the target machine."
        explains OTHER_ADDRESSES, OTHER_BUILD, OUTSIDE_FUNCTIONS, LOST_CALLS, DOUBTFUL_BUILD
    {
        #[error("{executable} is {program}, but a {profile} program wrote the profile")]
        OtherMachine { executable: String, profile: Encoding, program: Encoding } =>
            "pass the executable that wrote the profile";
    }

    OTHER_ADDRESSES "W003"
        title "the program was loaded at another address, or did not write the profile"
        cause "Position-independent executables (PIE) are loaded at varying addresses. If \
            everything fits at one, the message contains it; otherwise another program wrote the \
            profile."
        cure "Pass `--base ADDRESS` or that program. To avoid this, link with -no-pie."
        explains OTHER_BUILD, OUTSIDE_FUNCTIONS, LOST_CALLS
    {
        /// The address range of the profile, and the range of the executable's code.
        #[error(
            "no sample or call is in the code of {executable} ({} to {}): the profile covers {} to {}",
            code.0, code.1, profile.0, profile.1
        )]
        OutsideCode {
            executable: String,
            profile: (Address, Address),
            code: (Address, Address),
        } => "pass the executable that wrote the profile; this one does not match at any load address";
        /// Loaded at `base`, everything fits.
        #[error("{executable} matches the profile, but was loaded at {base}")]
        LoadedElsewhere { executable: String, base: Address } => format!("add --base {base}");
    }

    OTHER_BUILD "W004"
        title "the executable does not match the profile"
        cause "It was rebuilt after the run, or is another program."
        evidence "`profan -i gmon.out ./PROGRAM` lists the evidence (see docs/accuracy.md)."
        cure "Pass the executable that wrote the profile, or run this one again."
        explains OUTSIDE_FUNCTIONS, LOST_CALLS
    {
        #[error("{executable} does not match the profile: {}", evidence.join("; "))]
        OtherBuild { executable: String, evidence: Vec<String> } => AS_IT_RAN;
    }

    NOT_FOR_PROFILING "W005"
        title "the executable was not built with -pg"
        cause "It never calls mcount, the function that counts calls."
        cure "Compile and link with -pg, run it, and pass it."
        explains NO_TICKS, NO_CALLS
    {
        #[error("{executable} was not built with -pg: nothing in it counts calls")]
        NotBuiltForProfiling { executable: String } =>
            "compile and link with -pg, run the program, and pass that executable";
    }

    NO_TICKS "W006"
        title "the profile has no samples, so no times"
        cause "The program ran for less than one sampling interval (usually 10 ms), or its time \
            is not sampled: waiting, the kernel, shared libraries, child processes."
        evidence "`profan --wall TIME` shows the sampled share of the user time."
        cure "Run it for longer, or link with -static."
    {
        #[error("no samples: {}", where_time_went(linkage))]
        NoTicks { linkage: Linkage } => run_longer(linkage);
        /// The program calls `fork` or `daemon`.
        #[error("no samples: the program calls fork() or daemon(), and its child processes are \
            not sampled")]
        NoTicksOfChild => "run it in the foreground, or call moncontrol(1) in the child process, and \
            end that by exit(), not _exit(); with GMON_OUT_PREFIX=PREFIX each process writes its \
            own PREFIX.PID";
        #[error("the profile is empty: it has no samples and no calls")]
        NoRecords => "copy the file again, or run the program to its normal end: the file may be \
            truncated after its header";
    }

    NO_CALLS "W007"
        title "no calls were recorded, so no call graph"
        cause "Only files compiled with -pg count calls; LD_PROFILE counts those resolved at run \
            time, simulators and debug probes none."
        evidence "`profan doctor PROGRAM` shows how many functions count calls."
        cure "Compile every file with -pg. For LD_PROFILE, link callers with -z lazy, and unset \
            LD_BIND_NOW."
    {
        /// `counted_by` is the executable, if it counts calls.
        #[error(
            "no calls were recorded{}, so there is no call graph",
            counted_by.as_ref().map_or(String::new(), |path| format!(", although {path} counts them"))
        )]
        NoCalls { counted_by: Option<String> } => match counted_by {
            None => "compile every file with -pg, not only the link step; simulators and debug \
                probes (JTAG) do not count calls",
            Some(_) => "the functions that ran may be inlined (try --inlines or -fno-inline) or \
                compiled without -pg, or the file is truncated after the histogram (copy it again)",
        };
        #[error("no calls were recorded in {library}, so it has no call graph")]
        NoLibraryCalls { library: String } => "link its callers with -z lazy, and unset \
            LD_BIND_NOW: LD_PROFILE counts calls that are resolved at run time";
    }

    OUTSIDE_FUNCTIONS "W008"
        title "samples are in code without a name"
        cause "No symbol covers PLT stubs, stripped objects, boot loaders or JIT code."
        cure "Do not strip the program, or pass a symbol table with -S."
    {
        /// Ticks of the first clock, as in all warnings.
        #[error("{n_ticks:.0} samples ({percent:.1} %) are in code without a name")]
        OutsideFunctions { n_ticks: f64, percent: f64 } => "look for PLT stubs (calls into shared \
            libraries), stripped objects, boot loaders and JIT code; -S FILE supplies names";
    }

    LOST_CALLS "W009"
        title "called addresses are in no known function"
        cause "No symbol covers them."
        cure "Pass the executable that wrote the profile, with its symbols."
    {
        #[error(
            "{} to no known function and {} omitted",
            counted(*n_calls, "call leads", "calls lead"),
            if *n_calls == 1 { "is" } else { "are" }
        )]
        LostCalls { n_calls: u64 } => "pass the executable that wrote the profile, with its symbols";
    }

    STRIPPED "W010"
        title "the executable is stripped, without a debug file"
        cause "At most the names for dynamic linking remain."
        cure "Pass the unstripped executable, or its debug file's directory with --debug-dir."
        explains OUTSIDE_FUNCTIONS, LOST_CALLS, UNNAMED
    {
        #[error(
            "{executable} is stripped: {}",
            if *has_dynamic_names {
                "it has only the names for dynamic linking"
            } else {
                "it has no symbol table"
            }
        )]
        Stripped { executable: String, has_dynamic_names: bool } => "pass the executable from before \
            it was stripped, or the directory of its debug file: --debug-dir DIR";
    }

    DAMAGED "W011"
        title "a file is truncated or damaged: only its intact part is used"
        cause "The program was killed while writing, the disk was full, or a transfer changed \
            bytes."
        cure "Copy the file again, or run the program to its normal end."
        explains NOT_FOR_PROFILING, NO_TICKS, NO_CALLS, FEW_SAMPLES
    {
        #[error(
            "{path}: {}{}",
            damage.error,
            lost_part(damage, *lacks_calls)
                .map_or_else(String::new, |lost| format!("; {lost} not in this report"))
        )]
        Damaged { path: String, damage: Damage, lacks_calls: bool } => match damage.counter_bits() {
            Some(bits) => format!("add --counter-bits {bits}"),
            None => "copy the file again, or run the program to its normal end; --strict refuses \
                damaged files"
                .to_owned(),
        };
    }

    SATURATED "W012"
        title "histogram counters have overflowed"
        cause "Sample counters usually have 16 bits (655.36 s at 100 samples per second), call \
            counters 32."
        evidence "`(at least)` marks functions with full counters."
        cure "Pass several shorter runs at once, or set the true --counter-bits."
    {
        #[error(
            "{path}: {} the maximum of {most} samples: more may have been lost",
            counted(*n_bins, "bin has reached", "bins have reached")
        )]
        Saturated { path: String, n_bins: u64, most: u64 } => SHORTER_RUNS;
        /// The processor time without samples is a multiple of a counter's range.
        #[error(
            "{unsampled:.2} s of CPU time have no samples, about {n_wraps} x the {period:.2} s \
             that a counter holds: some bins {} wrapped around",
            if *is_certain { "have" } else { "may have" }
        )]
        Wrapped { unsampled: f64, n_wraps: f64, period: f64, is_certain: bool } => SHORTER_RUNS;
        /// The first block of a function ran more often than the function was called.
        #[error(
            "{n_calls} calls of the function at {function} are recorded, but it started {n_starts} \
             times: the counter of calls wrapped around"
        )]
        WrappedCalls { function: Address, n_calls: u64, n_starts: u64 } => SHORTER_RUNS;
    }

    COARSE_BINS "W013"
        title "histogram bins span several functions"
        cause "profan divides a bin's samples by instructions and, between functions, by calls."
        cure "Profile with smaller bins, or add the times of neighbouring functions."
    {
        /// The share of ticks in bins with several functions.
        #[error("{percent:.0} % of the samples are in bins of {bytes_per_bin} bytes that span \
            several functions, and are divided by instructions and calls")]
        CoarseBins { bytes_per_bin: u64, percent: f64 } =>
            "profile with smaller bins, or add the times of neighbouring functions";
    }

    NO_RATE "W014"
        title "the sampling rate of the profile is 0 or erased"
        cause "The program did not record it, or its flash memory was erased."
        cure "Set the samples per second with --rate, or use the percentages."
    {
        #[error("{path}: the sampling rate is erased (0xffffffff), so times are in ticks")]
        ErasedRate { path: String } => SET_RATE;
        #[error("the profile has no sampling rate, so times are in ticks")]
        NoRate => SET_RATE;
    }

    ASSUMED_RATE "W015"
        title "the layout has no sampling rate, so one is assumed"
        cause "profan assumes the usual rate of such systems."
        cure "If it is wrong, set --rate."
    {
        /// The rate is in ticks a second.
        #[error("{path}: this old layout has no sampling rate; assuming {rate} samples per second")]
        AssumedRate { path: String, rate: u32 } =>
            "set the rate if it was different, as in --rate 50";
    }

    MIXED_RATES "W016"
        title "the files have different sampling rates"
        cause "profan converts all samples to the highest rate."
        evidence "`profan -i FILE…` shows the rate of each."
        cure "Report them one by one, or set one --rate, unless you mean to add them."
    {
        #[error("the profiles have different sampling rates; samples are converted to the highest \
            rate, which also applies to files without one")]
        MixedRates => "if this is not intended, set one rate for all with --rate";
    }

    PROFILER_TIME "W017"
        title "counting calls took 1 % or more of the samples"
        cause "The profiler also samples mcount, the function that counts calls."
        cure "Do nothing: without -pg, frequently called functions run faster."
    {
        #[error("{n_ticks:.0} samples ({percent:.1} %) are the cost of counting calls (mcount)")]
        ProfilerTime { n_ticks: f64, percent: f64 } =>
            "nothing to do; functions that are called often run faster without -pg";
    }

    DEBUG_FILE_REFUSED "W018"
        title "a debug file does not match the executable"
        cause "Its build ID or checksum differs."
        evidence "`readelf -n FILE` shows the build ID."
        cure "Install the matching file, or pass its directory with --debug-dir."
    {
        /// The usual reason is a different build ID.
        #[error("{path}: not used for names: {reason}")]
        DebugFileRefused { path: String, reason: String } =>
            "install the debug file of this build, or pass its directory: --debug-dir DIR";
    }

    BLOCKS_NEED_LINES "W019"
        title "basic-block counts are not shown"
        cause "They are by line, not by function."
        cure "Add -l."
    {
        #[error("basic-block counts are not shown: they are by line, and this report is by function")]
        BlocksNeedLines => "add -l";
    }

    DEBUG_INFO_DAMAGED "W020"
        title "part of the debug information is not readable"
        cause "It is damaged or unsupported; profan uses the rest."
        cure "Rebuild the program, if necessary with -gdwarf-4."
    {
        /// The file is the executable, or its debug file.
        #[error(
            "{file}: {note}{}",
            match n_notes - 1 {
                0 => String::new(),
                1 => "; 1 more part is not readable".to_owned(),
                n_more => format!("; {n_more} more parts are not readable"),
            }
        )]
        DebugInfoDamaged { file: String, note: String, n_notes: usize } =>
            "file names and lines may be missing; rebuild, if necessary with -gdwarf-4";
    }

    SOURCE_MISSING "W021"
        title "a source file was not found"
        cause "It is neither at its recorded path nor in the current directory."
        cure "Add -I DIR, or map the source tree with --path-map OLD=NEW."
    {
        #[error("{name}: source file not found")]
        SourceMissing { name: String } => FIND_SOURCE;
    }

    SOURCE_NEWER "W022"
        title "a source file is newer than the executable"
        cause "Counts may be next to the wrong lines."
        cure "Restore the source of that build, or rebuild and run again."
    {
        #[error("{path} is newer than {executable}: counts may be next to the wrong lines")]
        SourceNewer { path: String, executable: String } =>
            "restore the source file of that build, or rebuild and run again";
    }

    SOURCE_UNWRITTEN "W023"
        title "an annotated file could not be written"
        cause "-y writes NAME-ann to the current directory."
        cure "Use -y in a writable directory."
    {
        #[error("{name}: {reason}")]
        SourceUnwritten { name: String, reason: String } =>
            "use -y in a directory that you may write to";
    }

    NO_STATIC_CALLS "W024"
        title "-c does not support this machine"
        cause "-c supports only x86, x86-64 and AArch64."
        cure "Omit -c."
    {
        /// Usually, the search does not support the machine.
        #[error("{reason}; ignoring -c")]
        NoStaticCalls { reason: String } => "omit -c; recorded calls are shown without it";
    }

    UNNAMED "W025"
        title "many call sites have no name"
        cause "The heap profile names few functions, or the program does not cover their \
            addresses."
        cure "Pass the unstripped executable that wrote the profile, or --base ADDRESS."
    {
        /// `executable` does not have the names.
        #[error(
            "{n_unnamed} of {n_contexts} call sites {}",
            match executable {
                None => "have no name in the profile".to_owned(),
                Some(path) => format!("are in no function of {path}"),
            }
        )]
        Unnamed { n_unnamed: usize, n_contexts: usize, executable: Option<String> } => match executable {
            None => "pass the program too: `profan mpatrol.out ./PROGRAM`",
            Some(_) => "pass the executable that wrote the profile, with its symbols, or its load \
                address: --base ADDRESS",
        };
    }

    FREED_TWICE "W026"
        title "more blocks were freed than allocated"
        cause "The profile is damaged, or profiling started late."
        cure "Start profiling before the first allocation."
    {
        #[error(
            "{} freed than allocated: the profile is damaged, or profiling started late",
            counted(*n_blocks, "block more was", "blocks more were")
        )]
        FreedTwice { n_blocks: i128 } => "start profiling before the first allocation";
    }

    GUESSED_BASE "W027"
        title "the load address of a position-independent executable is a guess"
        cause "Few addresses of the profile confirm it."
        cure "Pass it with --base, or link with -no-pie."
    {
        #[error("{executable} was probably loaded at {base}, but few addresses confirm it")]
        GuessedBase { base: Address, executable: String } =>
            "pass the load address with --base, or link with -no-pie";
    }

    ALREADY_FREED "W028"
        title "a trace frees a block twice"
        cause "The program freed or reallocated a free block."
        cure "Look for a use after free; `mptrace -v -s` lists all events."
    {
        #[error(
            "{} a block that is already free, first {first}: ignored",
            counted(first.count, "event frees or reallocates", "events free or reallocate")
        )]
        AlreadyFreed { first: FirstOf } => "look there for a double free or a use after free; \
            mptrace -v -s lists all events";
    }

    UNKNOWN_BLOCKS "W029"
        title "a trace frees blocks that were never allocated"
        cause "The pointer is not from malloc, or the block is older than the trace."
        cure "Look for such a pointer; `mptrace -v -s` lists all events."
    {
        #[error(
            "{} a block that was never allocated, first {first}: ignored",
            counted(first.count, "event frees or reallocates", "events free or reallocate")
        )]
        UnknownBlocks { first: FirstOf } => "look for a pointer that does not come from malloc, or \
            for a block from before the start of the trace";
    }

    ALLOCATED_TWICE "W030"
        title "a trace allocates a block that is in use"
        cause "The file is damaged."
        cure "Copy the file again."
    {
        #[error(
            "{} a block that is in use, first {first}: the earlier block counts as never freed",
            counted(first.count, "event allocates", "events allocate")
        )]
        AllocatedTwice { first: FirstOf } => "copy the file again: it is damaged";
    }

    OTHER_PROGRAM "W031"
        title "the executable does not match the heap profile"
        cause "Functions start elsewhere in it, or return addresses do not follow calls. profan \
            ignores its names."
        evidence "`profan -i mpatrol.out ./PROGRAM` lists the evidence."
        cure "Pass the executable that wrote the profile, or --base ADDRESS."
        explains UNNAMED, GUESSED_BASE
    {
        #[error(
            "{executable} does not match the profile and is not used: {}",
            evidence.join("; ")
        )]
        OtherProgram { executable: String, evidence: Vec<String> } =>
            "pass the executable that wrote the profile";
    }

    DOUBTFUL_BUILD "W032"
        title "a few recorded addresses do not match the executable"
        cause "It may be a similar build, or change its code while it runs."
        cure "Pass the executable that wrote the profile, or do not rely on those addresses."
    {
        #[error("{executable} may not match the profile: {}", evidence.join("; "))]
        DoubtfulBuild { executable: String, evidence: Vec<String> } => AS_IT_RAN;
    }

    CALLS_OUTSIDE "W033"
        title "calls lead to or come from shared libraries outside the profile"
        cause "Libraries built with -pg count calls, but a gmon.out samples only the program."
        cure "Link them statically, or profile one at a time with LD_PROFILE."
    {
        #[error("{}", calls.cause())]
        CallsOutside { calls: OutsideCalls } => calls.advice();
    }

    FEW_SAMPLES "W034"
        title "samples cover less than the run"
        cause "More than 10 % of the CPU time is missing: shared libraries, the kernel, child \
            processes, or samples lost where programs often ask for their CPU time. If that is \
            unknown, waiting counts too."
        cure "Link statically, or profile a library with LD_PROFILE. If samples are lost evenly, \
            pass --wall the output of `time`, and --scale-to-cpu."
        explains NO_TICKS, MOSTLY_COUNTING
    {
        /// Most of the processor time has no samples. Counting calls may be a notable part of it.
        /// Times are in seconds, here and below.
        #[error(
            "{unsampled:.2} of {processor:.2} s of CPU time were not sampled{}{}",
            match &*linkage.libraries {
                [] => String::new(),
                names => format!(": gmon.out does not cover shared libraries ({})", names.join(", ")),
            },
            counting.as_ref().map_or(String::new(), |cost| {
                let CountedCalls { calls, time } = in_words(cost);
                format!(", which also counted {calls} ({time})")
            })
        )]
        WithoutSamples {
            unsampled: f64,
            processor: f64,
            linkage: Linkage,
            counting: Option<CountingCost>,
        } => match counting {
            None => how_to_sample(linkage),
            Some(_) => COUNT_FEWER.to_owned(),
        };
        /// For a run whose processor time is unknown.
        #[error("samples cover {sampled:.2} of {wall:.2} s; the rest is waiting, or code outside the \
            program")]
        LittleOfRun { sampled: f64, wall: f64 } => "measure the run and pass --wall the output, \
            which separates CPU time from waiting: `time -p ./PROGRAM 2> time.txt`";
    }

    MOSTLY_IDLE "W035"
        title "the program spent most of the run waiting"
        cause "Waiting for files, the network, other processes, locks or a busy machine is not \
            sampled."
        cure "Check the machine's load; `strace -c -w ./PROGRAM` or ktrace shows the waiting."
    {
        #[error("the program waited for {idle:.2} of {wall:.2} s; waiting is not sampled")]
        MostlyIdle { idle: f64, wall: f64 } => "check whether the machine was busy; strace -c -w \
            ./PROGRAM (or ktrace) shows what it waits for";
    }

    MORE_THAN_RUN "W036"
        title "samples cover more time than the run took"
        cause "They exceed the CPU time by more than 10 %: they include other runs, threads ran \
            in parallel, the clock had another rate, or a busy machine took 5 to 20 % too many."
        cure "Pass --wall the total time of all runs, set the true --rate, or use \
            --scale-to-cpu."
    {
        #[error("samples cover {sampled:.2} s, more than the {processor:.2} s of CPU time of the \
            run")]
        MoreThanRun { sampled: f64, processor: f64 } => "pass --wall the total time of all profiled \
            runs, and check the sampling rate (profan -i FILE…); if the machine was busy, add \
            --scale-to-cpu";
        /// For a run whose elapsed time alone is known.
        #[error("samples cover {sampled:.2} s, more than the {wall:.2} s of elapsed time: threads \
            or processes ran in parallel, or --wall or the sampling rate is wrong")]
        MoreThanWall { sampled: f64, wall: f64 } => "measure all profiled runs and pass --wall the \
            output, which has the CPU time: `time -p ./PROGRAM 2> time.txt`";
    }

    NO_LIBRARY_TICKS "W037"
        title "a profile of a library has calls, but no samples"
        cause "It ran too briefly, or the program was linked with -pg and used the only \
            profiling clock."
        cure "Link the program without -pg, and run it for longer."
    {
        /// `is_instrumented`: the program is known to have been built for profiling.
        #[error(
            "{library} has calls, but no samples: it ran for less than one sampling interval, or \
             the program was linked with -pg{} and used the profiling clock itself",
            if *is_instrumented { ", as this one was," } else { "" }
        )]
        NoLibraryTicks { library: String, is_instrumented: bool } => "link the program without -pg, and run \
            it again with LD_PROFILE, for longer";
    }

    OTHER_LIBRARY_NAME "W038"
        title "the name of a profile is not that of its library"
        cause "The only given library that fits has another name."
        cure "Pass the library of that name, or rename the profile to SONAME.profile."
    {
        #[error("{profile} is named after {named}, but is used for {library}")]
        OtherLibraryName { profile: String, named: String, library: String } =>
            "pass the library of that name, or rename the profile";
    }

    OTHER_LIBRARY_BUILD "W039"
        title "a library does not match its profile"
        cause "It was rebuilt after the run: functions have moved."
        cure "Pass the library as it was, or run again."
        explains OUTSIDE_FUNCTIONS, LOST_CALLS
    {
        #[error("{library} does not match the profile: {reason}")]
        OtherLibraryBuild { library: String, reason: String } =>
            "use the library as it was during the run, or run the program again";
    }

    OTHER_RUNS "W040"
        title "the program and its libraries have different numbers of runs"
        cause "LD_PROFILE adds runs to existing files; a gmon.out covers the last run."
        cure "Compare times within one only, or remove the files and run again."
    {
        /// Objects, each with the number of its runs.
        #[error(
            "the profiles cover different numbers of runs: {}",
            n_runs
                .iter()
                .map(|(object, n_runs)| format!("{object} {}", counted(*n_runs, "run", "runs")))
                .collect::<Vec<_>>()
                .join(", ")
        )]
        OtherRuns { n_runs: Vec<(String, u64)> } => "compare times only within one program or library, \
            or remove the *.profile files, which LD_PROFILE adds to, and run again";
    }

    NO_LINES "W041"
        title "source lines are not known"
        cause "No executable was given, or it was built without -g or stripped."
        cure "Pass an unstripped executable compiled with -g -pg, or use -p or -q."
    {
        #[error(
            "no annotated source: {}",
            match executable {
                None => "source lines need an executable".to_owned(),
                Some(path) => format!("{path} has no line information"),
            }
        )]
        NoLines { executable: Option<String> } => match executable {
            None => "pass the program too, built with -g; -p and -q work without lines",
            Some(_) => "compile with -g -pg, and do not strip the program; -p and -q work without lines",
        };
    }

    NOTHING_KEPT "W042"
        title "the filters select nothing"
        cause "No function meets --keep, or no cost passes through --focus and outside of \
            --ignore."
        cure "Remove filters one by one; see `profan help keep`."
    {
        #[error("no function matches the expression of --keep")]
        NothingKept => "relax it: the parts of an (and …) may have no function in common, or a \
            share may be too large";
        #[error("--focus and --ignore leave no cost")]
        NothingInFocus => "remove one of them";
    }

    UNUSED_GATE "W043"
        title "--fail-on names a verdict that cannot occur"
        cause "Times can be slower, faster or unclear, counts more or less. `calls` needs \
            counted calls, `leaks` a heap profile. A check that cannot fail has exit status 2."
        cure "Name other verdicts."
    {
        #[error("{reasons} has no effect: {} profiles have no such verdict",
            if *is_sampled { "sampled" } else { "counted" })]
        UnusedGate { reasons: String, is_sampled: bool, is_whole: bool } => if *is_sampled {
            "use slower, faster, unclear, new or gone"
        } else {
            "use more, less, new or gone"
        };
    }

    UNUSED_RENAME "W044"
        title "--rename matches no function of the old side"
        cause "OLD in OLD=NEW is a regular expression."
        cure "Put a backslash before literal dots, brackets and asterisks."
    {
        #[error("--rename {rename}: no function of the old side matches")]
        UnusedRename { rename: String } =>
            "write the old name before the `=`, as a regular expression";
    }

    NAMES_GIVEN_UP "W045"
        title "demangling some names would take too long"
        cause "A few bytes of a name can expand to gigabytes; no compiler writes such names."
        cure "Check the program's origin; `--demangle=none` shows the names."
    {
        #[error(
            "{} not demangled: that would take too long",
            counted(*n_names as u64, "name is", "names are")
        )]
        NamesGivenUp { n_names: usize } =>
            "compilers do not write such names; --demangle=none shows all names mangled";
    }

    NAMES_CUT "W046"
        title "long names are shortened"
        cause "If many symbols or rows share a name, formats other than JSON show the first \
            4,096 bytes of a function and the last 1,000 of a file or library."
        cure "Check the file's origin: linkers store a long name for few functions."
    {
        #[error(
            "{file}: {} shortened to {} bytes: too many functions share them",
            counted(cut.n_names as u64, "name is", "names are"),
            cut.n_bytes
        )]
        NamesCut { file: String, cut: NameCut } =>
            "compilers do not write such names; check where the file comes from";
        #[error(
            "{} shortened in this report: functions to {LONGEST_NAME} bytes, files to {SHORT_NAME}",
            counted(*n_names as u64, "name is", "names are")
        )]
        NamesShortened { n_names: usize } =>
            "save the report with --format json to keep the whole names";
    }

    DEBUG_INFO_TOO_LARGE "W047"
        title "debug information needs too much memory"
        cause "Sections or their tables exceed what the file justifies or memory holds. profan \
            reads code with samples first, and skips the rest."
        cure "Rebuild the program. If you trust it, raise --limit-memory."
    {
        #[error(
            "{file}: debug information {}: it needs too much memory for its size",
            match percent {
                None => "is skipped in part or whole".to_owned(),
                Some(0) => "of code without samples is skipped".to_owned(),
                Some(percent) => format!("of {percent} % of the samples is skipped"),
            }
        )]
        DebugInfoTooLarge { file: String, percent: Option<u64> } => "if you trust the file, raise the limit: \
            --limit-memory 16G; functions and their times need no lines";
    }

    SOURCE_PASSED_OVER "W048"
        title "a source file is not read"
        cause "It is not a regular file, exceeds 64 MiB, or is outside the current directory and \
            those of the executable, its sources, -I and --path-map."
        cure "Use --path-map OLD=NEW, or, if you trust the program, --any-source."
    {
        #[error("{path} is not read as source: {reason}")]
        SourcePassedOver { path: String, reason: String } => "map the path to the real source with \
            --path-map OLD=NEW, and do not trust a program that names such a file";
        #[error("{path} is not read as source: it is outside the current directory, the source tree \
            of the executable, and the directories of -I and --path-map")]
        SourceOutside { path: String, option: Option<String> } => match option {
            Some(option) => format!("add {option}, or --any-source if you trust the executable"),
            None => "do not trust a program that names such a file; --any-source prints it".into(),
        };
    }

    THREAD_BASE "W070"
        title "an empty file is beside callgrind's files of threads"
        cause "--separate-threads=yes writes threads to FILE-01 and so on, and leaves FILE \
            empty."
        cure "Pass only FILE-*. Nothing is missing."
    {
        #[error("{path}: empty; the costs are in the files of its threads")]
        ThreadBase { path: String } => "pass only the files of threads, as in \
            callgrind.out.PID-*";
    }

    UNNAMED_NUMBER "W068"
        title "a name is missing: the report shows its number"
        cause "Callgrind profiles contain each name once, then its number."
        cure "For the names, write the profile again. All costs count."
    {
        #[error("{path}: no line names the number {number}, which is shown as ({number})")]
        UnnamedNumber { path: String, number: u64 } => "all costs count; for the names, write the \
            profile again";
    }

    TOO_LARGE "W071"
        title "a cost is greater than the numbers of a format"
        cause "pprof's numbers have 63 bits, callgrind's and TAU's 64."
        cure "Use --format json, speedscope or firefox, or report fewer files at once."
    {
        #[error("costs beyond {greatest} are written as that number: {format} has no greater one")]
        TooLarge { format: &'static str, greatest: i128 } => "use --format json, speedscope or \
            firefox";
    }

    COUNTER_WIDTH "W072"
        title "the counters seem to have another width"
        cause "BSD layouts do not state it: usually 16 bits, in some ports 8 or 32."
        cure "Set --counter-bits."
        explains OTHER_BUILD, COARSE_BINS
    {
        /// `contradicts` is whether the executable does not match with 16 bits.
        #[error("{path}: the counters seem to have {bits} bits, and were read with 16")]
        CounterWidth { path: String, bits: u64, contradicts: bool } =>
            format!("add --counter-bits {bits}");
    }

    FOREIGN_BYTES "W073"
        title "a file contains more than the profile"
        cause "Memory dumps have other bytes around it: 0xff in erased flash, 0 in unused \
            buffers."
        cure "Do nothing: profan ignores them."
    {
        #[error(
            "{path}: {} after the profile, all {fill:#04x} as in unused memory, {} ignored",
            counted(*n_bytes, "byte", "bytes"),
            if *n_bytes == 1 { "is" } else { "are" }
        )]
        ErasedTail { path: String, n_bytes: u64, fill: u8 } => READS_PROFILE_ONLY;

        #[error(
            "{path}: the profile is at byte {n_before:#x} of other memory: {} before it and {} \
             after it are ignored",
            counted(*n_before, "byte", "bytes"),
            counted(*n_after, "byte", "bytes")
        )]
        WithinMemory { path: String, n_before: u64, n_after: u64 } => READS_PROFILE_ONLY;
    }

    PATHS_CUT "W074"
        title "long call paths are shortened"
        cause "TAU writes all callers in each line. profan shortens the longest paths beyond 64 \
            MiB; their costs count for the last written caller."
        cure "Use --format speedscope, or select a part with --focus."
    {
        #[error(
            "{} longer than {} bytes; the costs count for their callers",
            counted(*n_paths as u64, "call path is", "call paths are"),
            n_bytes
        )]
        PathsCut { n_paths: usize, n_bytes: u32 } => "use --format speedscope, firefox or pprof, or --focus";
    }

    RANKS_TAKEN "W075"
        title "several files have the same rank"
        cause "TAU names files after ranks. Further files of a rank get other numbers."
        cure "Export each run to its own directory."
    {
        #[error(
            "{} another number, because an earlier file has the same rank",
            counted(*n_files as u64, "file gets", "files get")
        )]
        RanksTaken { n_files: usize } => "export the files of each run to a directory of its own";
    }

    COARSE_SITES "W076"
        title "call sites are too coarse to tell callers apart"
        cause "An entry of the profiler's table covers many bytes of code. If it has several \
            possible callers, calls count for the first."
        cure "Build the profiler with a lower HASHFRACTION (in gmon.h)."
    {
        #[error(
            "{n_undecided} of {n_all} arcs may have another caller: call sites are rounded to \
             {step} bytes"
        )]
        CoarseSites { step: u64, n_undecided: usize, n_all: usize } =>
            "build the profiler with a lower HASHFRACTION (in gmon.h), if memory allows";
    }

    SHARED_ADDRESSES "W077"
        title "functions share addresses"
        cause "Overlays share memory in turn. Calls and samples count for one of their \
            functions."
        cure "Link the sections to different addresses, or profile runs that load only one."
    {
        #[error(
            "{} ({}) and {} ({}) share addresses from {start}{}: calls and samples may belong to \
             either",
            functions[0],
            sections[0],
            functions[1],
            sections[1],
            if *n_more == 0 { String::new() } else { format!(", and {n_more} more pairs do") }
        )]
        SharedAddresses {
            functions: [String; 2],
            sections: [String; 2],
            start: Address,
            n_more: usize,
        } => "profile runs that load only one of these sections";
    }

    FAILED_SIDE "W078"
        title "one side did next to nothing: its program may have failed"
        cause "It has no samples, or less than 1 % of the other's costs and calls."
        cure "Check its exit status, arguments and input, and record the runs again. Until then \
            `--fail-on` refuses the comparison."
    {
        #[error(
            "the {} have {}{} of the {}: did the program fail?",
            if side.is_new { "new runs" } else { "old runs" },
            match side.costs {
                0.0 if side.is_sampled => "no samples".to_owned(),
                costs => format!("{} % of the costs", fixed(100.0 * costs, 1)),
            },
            side.calls.map_or_else(String::new, |calls| {
                format!(" and {} % of the calls", fixed(100.0 * calls, 1))
            }),
            if side.is_new { "old ones" } else { "new ones" }
        )]
        FailedSide { side: FailedSide } => "check the exit status of the program, and record its \
            runs again; --update does not save them";
    }

    SPLIT_DEBUG_MISSING "W079"
        title "files of split debug information are missing"
        cause "profan searches the executable's directory, those below it, and --debug-dir for \
            .dwo files (-gsplit-dwarf) or their package."
        evidence "`readelf --debug-dump=info PROGRAM` lists them as DW_AT_dwo_name."
        cure "Keep them, or PROGRAM.dwp (`dwp -e PROGRAM`), beside the executable, or use \
            --debug-dir."
    {
        #[error("{executable}: inlined functions are unknown in {n_missing} of {n_units} units: \
            {file} is missing")]
        SplitDebugMissing { executable: String, n_missing: usize, n_units: usize, file: String } =>
            "pass the directory of the .dwo files or of the package: --debug-dir DIR";
    }

    MOSTLY_COUNTING "W080"
        title "counting calls took longer than all samples cover"
        cause "In a shared C library, mcount, which counts calls, is not sampled. profan \
            estimates its time."
        cure "Compile with -O2, which inlines small functions, or their files without -pg."
    {
        /// Time in seconds.
        #[error(
            "counting calls took {}, more than all samples cover ({sampled:.2} s)",
            in_words(counting).time
        )]
        MostlyCounting { sampled: f64, counting: CountingCost } => COUNT_FEWER;
    }

    FILES_SKIPPED "W081"
        title "some profiles cannot be used, and are omitted"
        cause "They are empty (the process was killed), missing, damaged from their start, or of \
            another kind. A comparison also omits runs without samples beside runs with many."
        evidence "--list-skipped FILE lists all with their reasons."
        cure "Copy them again, or run the processes to their normal end."
    {
        #[error("{}", skipped_message(files, *n_all))]
        Skipped { files: Vec<SkippedFile>, n_all: usize } =>
            "copy the files again or omit them; --list-skipped FILE lists them, --strict refuses them";
    }

    LINES_SKIPPED "W069"
        title "some lines of a profile are not part of its format"
        cause "They are messages of another program, manual changes, or lines of a newer tool. \
            Other lines count."
        cure "If samples are missing, write only the tool's output to the file."
    {
        #[error(
            "{path}: {} not part of the format and ignored, first line {}",
            counted(skipped.n_lines, "line is", "lines are"),
            skipped.first
        )]
        LinesSkipped { path: String, skipped: SkippedLines } =>
            "check these lines; all others are in the report";
    }
}

const READS_PROFILE_ONLY: &str = "nothing has to be done: profan reads the profile only";
const SET_RATE: &str = "set the samples per second, as in --rate 100, or use the percentages";
const SHORTER_RUNS: &str = "profile several shorter runs, and pass all their files at once";

const COUNT_FEWER: &str = "let the compiler inline small functions (-O2), or omit their counts with \
    __attribute__((no_instrument_function)); link statically to see the cost of counting";
const AS_IT_RAN: &str = "use the executable that wrote the profile, or run this one again";
const FIND_SOURCE: &str = "add its directory with -I DIR, or map the whole source tree with \
    --path-map OLD=NEW";

/// Codes of warnings that make the whole report doubtful.
const URGENT: [&str; 4] =
    [codes::OTHER_ADDRESSES, codes::OTHER_BUILD, codes::OTHER_PROGRAM, codes::OTHER_LIBRARY_BUILD];

/// Codes of problems that counters read with a wrong width can cause.
pub(super) const MISREAD: [&str; 4] =
    [codes::OUTSIDE_FUNCTIONS, codes::LOST_CALLS, codes::COARSE_BINS, codes::PROFILER_TIME];

impl From<Unavailable> for Warning {
    fn from(why: Unavailable) -> Self {
        Self::Unavailable { why }
    }
}

impl Warning {
    /// The problem, in one sentence.
    pub fn cause(&self) -> String {
        self.to_string()
    }

    /// The same as a report shows it.
    pub fn diagnostic(&self) -> Diagnostic {
        Diagnostic {
            code: self.code().to_owned().into(),
            message: self.cause(),
            advice: self.advice(),
        }
    }

    /// Whether to print it before the report, all of which may be wrong.
    pub fn is_urgent(&self) -> bool {
        let is_other_width = matches!(self, Self::CounterWidth { contradicts: true, .. });
        is_other_width || URGENT.contains(&self.code())
    }

    /// Whether the executable, or a library, is known not to be the one that ran.
    pub fn is_other_build(&self) -> bool {
        match self {
            Self::Mismatch { found, .. } => found.is_other_build(),
            Self::OtherBuild { .. }
            | Self::OutsideCode { .. }
            | Self::OtherProgram { .. }
            | Self::OtherLibraryBuild { .. }
            | Self::CounterWidth { contradicts: true, .. } => true,
            _ => false,
        }
    }

    /// Whether a file was read with counters of a wrong width.
    pub fn is_misread(&self) -> bool {
        match self {
            Self::Damaged { damage, .. } => damage.counter_bits().is_some(),
            Self::CounterWidth { .. } => true,
            _ => false,
        }
    }

    /// Whether it is that the samples of a run are few for its time.
    pub fn is_lack_of_samples(&self) -> bool {
        matches!(self, Self::WithoutSamples { .. } | Self::LittleOfRun { .. })
    }
}

/// The part of a file that is missing or not used, with its verb.
fn lost_part(damage: &Damage, lacks_calls: bool) -> Option<String> {
    Some(match (&damage.error.kind, damage.n_lost) {
        (kind, _) if kind.keeps_values() => return None,
        (&ReadErrorKind::Short { what: "histogram", size, remaining }, n_lost) => {
            // The last bytes may be half a counter.
            let n_missing = size.saturating_sub(remaining).saturating_add(n_lost);
            let bytes = counted_in_groups(n_missing.into(), "byte", "bytes");
            let rest = match (lacks_calls, n_missing) {
                (true, _) => " and all calls are",
                (false, 1) => " is",
                (false, _) => " are",
            };
            format!("{bytes} of it{rest}")
        }
        (ReadErrorKind::Short { what: "call arc", .. }, _) => {
            "this call and all after it are".to_owned()
        }
        (_, 0) => "the rest is".to_owned(),
        (_, n_lost) => counted(n_lost, "byte is", "bytes are"),
    })
}

/// A file that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkippedFile {
    pub path: String,
    pub reason: String,
}

/// The number of omitted files, and the first ones.
fn skipped_message(files: &[SkippedFile], n_all: usize) -> String {
    let first = files.iter().take(N_NAMED_FILES);
    let first = first.map(|file| format!("{}: {}", file.path, file.reason));
    let mut names: Vec<_> = first.collect();
    let n_more = files.len() - names.len();
    names.extend((n_more > 0).then(|| format!("{n_more} more")));
    let skipped = if files.len() == 1 { "is" } else { "are" };
    format!("{} of {n_all} profiles {skipped} omitted: {}", files.len(), names.join("; "))
}

/// How often a problem occurs in a trace, and where first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FirstOf {
    /// Events of this kind.
    pub count: u64,
    /// The first event of them.
    pub event: u64,
    /// The block that it is about.
    pub index: u64,
    /// The source location, if known.
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

/// Why a program without samples has none.
fn where_time_went(linkage: &Linkage) -> String {
    match &*linkage.project_libraries() {
        [] if linkage.loads_plugins => {
            "the time was spent in libraries that the program loads with \
            dlopen(), or it ran too briefly"
                .to_owned()
        }
        [] => "the program spent almost no time in its own code".to_owned(),
        libraries => format!(
            "the time was spent in shared libraries ({}), or the program ran too briefly",
            libraries.join(", ")
        ),
    }
}

/// How to get samples of a program without any. Code of shared libraries, if the program uses
/// some, is never sampled.
fn run_longer(linkage: &Linkage) -> String {
    let time = match linkage.system {
        Some(System::Linux) => "CPU time of its threads",
        Some(System::Bsd) => "CPU time",
        Some(System::Windows) if linkage.is_for_cygwin() => "time of its threads",
        Some(System::Windows) => "time of its first thread",
        None => "time",
    };
    let libraries = match &*linkage.libraries {
        [] => String::new(),
        libraries => format!(", not shared libraries ({})", libraries.join(", ")),
    };
    let longer =
        format!("run the program for longer; samples cover the {time} in its own code{libraries}");
    let has_some = linkage.loads_plugins || !linkage.project_libraries().is_empty();
    if has_some { format!("{}; or {longer}", include_libraries(linkage)) } else { longer }
}

/// How to get samples of code without any. The time of the run includes child processes that the
/// program waited for.
fn how_to_sample(linkage: &Linkage) -> String {
    let started = "child processes write profiles of their own (set GMON_OUT_PREFIX)";
    match (&*linkage.libraries, linkage.system) {
        ([], _) => format!("build all of it with -pg; {started}"),
        (_, Some(System::Linux)) => {
            format!("link statically, or profile one library with `LD_PROFILE=SONAME`; {started}")
        }
        _ => format!("link statically; {started}"),
    }
}
