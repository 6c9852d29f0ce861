//! What can be odd about a profile: every code with its meaning, and its warnings with their
//! fields, sentence and advice.

use std::fmt;

use super::catalogue::problems;
use super::{OutsideCalls, Unavailable};
use crate::load::Damage;
use crate::model::{Address, CutNames, Encoding};
use crate::report::number::counted;
use crate::report::{Diagnostic, LONGEST_FILE, LONGEST_NAME};
use crate::symbols::{Linkage, System};

problems! {
    /// An oddity that does not stop the report.
    #[derive(Clone, PartialEq)]
    pub enum Warning
    of other codes {
        #[error("{why}")]
        Unavailable { why: Unavailable } => why.code, why.advice;
        /// Of several profiles `n_all`, `profile` and `n_more` have it to say of the executable
        /// that it is not theirs.
        #[error(
            "{profile}: {found}{}",
            match n_more {
                0 => String::new(),
                _ => format!("; nor does it fit {n_more} more of {n_all} profiles"),
            }
        )]
        Foreign { profile: String, n_more: usize, n_all: usize, found: Box<Warning> } =>
            found.code(),
            match &**found {
                Self::LoadedElsewhere { base, .. } => format!(
                    "report it by itself, with --base {base}: each run is loaded elsewhere, \
                     unless it is linked with -no-pie"
                ),
                _ => "leave it out, or report it by itself with the executable that wrote it"
                    .to_owned(),
            };
        /// What was odd when a report was made that is shown again.
        #[error("{}", diagnostic.message)]
        Recorded { diagnostic: Diagnostic } => &diagnostic.code, &diagnostic.advice;
    }

    NO_PROGRAM "W001"
        title "there is no executable, or no library for its profile: functions are shown by \
            address"
        cause "A gmon.out, or a profile of LD_PROFILE, has addresses and no names. No executable \
            was given and there is no a.out in this folder, or the library that was profiled was \
            not given."
        evidence "`profan -i gmon.out` shows which addresses the profile covers. The name of a \
            profile of LD_PROFILE is that of the library, with .profile behind it."
        cure "Give what wrote the profile: `profan gmon.out ./PROGRAM`, or `profan \
            libm.so.6.profile /lib/libm.so.6`. `profan doctor PROGRAM` says which profiles may be \
            its."
    {
        #[error("no executable was given and there is no a.out, so functions are shown by the \
            addresses at which they were entered")]
        NoExecutable => "profan gmon.out ./PROGRAM";
        #[error("{library} was not given, so its functions are shown by the addresses at which \
            they were entered")]
        NoLibrary { library: String } =>
            format!("give the library too: profan {library}.profile PATH/{library}");
    }

    OTHER_MACHINE "W002"
        title "the profile is of another kind of machine than the executable"
        cause "The words of the profile have another size or byte order than those of the \
            executable, so they cannot be of one program."
        evidence "`profan -i gmon.out` says how the profile stores words, and `file PROGRAM` for \
            what machine the executable is."
        cure "Give the executable that ran: that of the target, not one built for this machine."
        explains OTHER_ADDRESSES, OTHER_BUILD, OUTSIDE_FUNCTIONS, LOST_CALLS, DOUBTFUL_BUILD
    {
        #[error("the profile was written by a {profile} program, but {executable} is {program}")]
        OtherMachine { executable: String, profile: Encoding, program: Encoding } =>
            "give the executable that wrote the profile";
    }

    OTHER_ADDRESSES "W003"
        title "the program was loaded elsewhere, or no address of the profile lies in its code"
        cause "Position-independent programs are loaded elsewhere than they were linked for. Where \
            one load address makes everything fit, callees, calls and the end of the histogram, \
            the advice has it; where none does, it is another program. This is said before the \
            report, all of which may be wrong."
        evidence "`profan -i gmon.out ./PROGRAM` says what was compared, and what fits. The range \
            of the profile and the addresses of `nm PROGRAM` differ by whole pages if it was \
            loaded elsewhere."
        cure "Say with `--base ADDRESS` where it was loaded, or give the executable that wrote the \
            profile. Linking with -no-pie makes both the same. --strict refuses a program no \
            address of which fits."
        explains OTHER_BUILD, OUTSIDE_FUNCTIONS, LOST_CALLS
    {
        /// The ranges are of the addresses in the profile, and of the code of the executable.
        #[error(
            "no tick or call lies in the code of {executable}, at {} to {}: the profile covers {} to {}",
            code.0, code.1, profile.0, profile.1
        )]
        OutsideCode {
            executable: String,
            profile: (Address, Address),
            code: (Address, Address),
        } => "give the executable that wrote the profile: no load address makes it fit this one";
        /// Loaded at `base`, everything fits.
        #[error("{executable} is the program that ran, but was loaded at {base}")]
        LoadedElsewhere { executable: String, base: Address } => format!("add --base {base}");
    }

    OTHER_BUILD "W004"
        title "the executable is not the build that was profiled"
        cause "What was recorded cannot be of its machine code: the executable was built again \
            since the profile was written, so functions have moved, or it is another program. This \
            is said before the report, all of which may be wrong."
        evidence "`profan -i gmon.out ./PROGRAM` lists all that was compared: where recorded \
            functions count their calls, where calls come from, where the histogram ends, ticks \
            where no code runs. docs/verdict.md says how that is weighed. Of several profiles, the \
            message names the one that does not fit."
        cure "Give the executable as it was when it ran, or run the new one. --strict refuses \
            another build."
        explains OUTSIDE_FUNCTIONS, LOST_CALLS
    {
        #[error("{executable} is not the build that was profiled: {}", evidence.join("; "))]
        OtherBuild { executable: String, evidence: Vec<String> } => AS_IT_RAN;
    }

    NOT_FOR_PROFILING "W005"
        title "the executable was not built with -pg"
        cause "Nothing in the executable calls the hook that counts calls."
        evidence "`nm PROGRAM | grep mcount` finds nothing; `profan doctor PROGRAM` says what of \
            it was built how."
        cure "Compile and link with -pg, run, and give that executable."
        explains NO_TICKS, NO_CALLS
    {
        #[error("{executable} was not built with -pg: nothing in it counts calls")]
        NotBuiltForProfiling { executable: String } =>
            "compile and link with -pg, and give that executable";
    }

    NO_TICKS "W006"
        title "there are no ticks, so there are no times"
        cause "The program ran for less than a tick, as a rule a hundredth of a second, or spent \
            its time where the profiler does not sample: waiting, in the kernel, in shared \
            libraries and, on some systems, in other threads. Where there are no calls either, the \
            file may have been cut off behind its header."
        evidence "`profan -i gmon.out` counts ticks; `time ./PROGRAM` says how much user time \
            there was, and `profan --wall TIME` how much of it is covered."
        cure "Let the program run longer, or link it with -static so that libraries count."
    {
        #[error("not one tick was recorded, so there are no times")]
        NoTicks { linkage: Linkage } => run_longer(linkage);
        /// The program calls `fork` or `daemon`.
        #[error("calls but not one tick were recorded: the program calls fork() or daemon(), and \
            its child processes take no samples")]
        NoTicksOfChild => "run it in the foreground, or call moncontrol(1) in the child process; \
            with GMON_OUT_PREFIX=PREFIX each process writes its own PREFIX.PID";
        #[error("there is nothing in the profile, neither times nor calls")]
        NoRecords => "fetch the file again, or let the program run to its end: it may have been cut off \
            behind its header";
    }

    NO_CALLS "W007"
        title "there are no calls, so there is no call graph"
        cause "Only files that are compiled with -pg count calls; linking with it is enough for \
            ticks. What samples from outside never counts calls. LD_PROFILE counts them where they \
            are bound when first made. Where the executable counts calls, the compiler may have \
            inlined all functions that main calls, as it does with -O2, or the file may have been \
            cut off behind the times."
        evidence "`profan -i gmon.out` lists no arcs; `profan doctor PROGRAM` says how much of the \
            code counts calls."
        cure "Compile every file with -pg. For LD_PROFILE, link with -z lazy what calls the \
            library, and leave LD_BIND_NOW unset."
    {
        /// `counted_by` is the executable, if it counts calls.
        #[error(
            "no calls were recorded{}, so there is no call graph",
            counted_by.as_ref().map_or(String::new(), |path| format!(", though {path} counts them"))
        )]
        NoCalls { counted_by: Option<String> } => match counted_by {
            None => "compile every file with -pg, not only the link; what samples from outside (JTAG, \
                simulators) never counts calls",
            Some(_) => "see with --inlines whether the compiler inlined what main calls, as it does with \
                -O2; where it did not, compile every file with -pg, or fetch the profile again if it may \
                have been cut off",
        };
        #[error("no calls were counted in {library}, so it has no call graph")]
        NoLibraryCalls { library: String } => "link with -z lazy what calls it, and leave LD_BIND_NOW \
            unset: calls are counted where they are bound when first made";
    }

    OUTSIDE_FUNCTIONS "W008"
        title "ticks are in no function"
        cause "Some of the time went by in code that no symbol covers: stripped parts, boot \
            loaders, code that was made while running."
        evidence "`profan -p --format json` has these ticks in its totals; `nm -n PROGRAM` shows \
            where names are missing."
        cure "Keep the symbols of all parts, or give a table of them with -S."
    {
        /// Ticks are those of the first clock, here and elsewhere.
        #[error("{n_ticks:.0} ticks ({percent:.1} %) lie in no known function")]
        OutsideFunctions { n_ticks: f64, percent: f64 } => "look for code without symbols: stripped \
            parts, boot loaders, code that was made while running";
    }

    LOST_CALLS "W009"
        title "calls lead to no function"
        cause "Functions were called whose addresses no symbol of the executable covers."
        evidence "`profan -i gmon.out` counts all calls; the report has fewer."
        cure "Give the executable that wrote the profile, with its symbols."
    {
        #[error(
            "{} to no known function: left out of the report",
            counted(*n_calls, "call leads", "calls lead")
        )]
        LostCalls { n_calls: u64 } => "give the executable that wrote the profile, with its symbols";
    }

    STRIPPED "W010"
        title "the executable is stripped, and no debug file was found"
        cause "Its symbol table was taken out, at most the names for dynamic linking are left."
        evidence "`nm PROGRAM` says that there are no symbols."
        cure "Give the executable before it was stripped, or say with --debug-dir where its debug \
            file is."
        explains OUTSIDE_FUNCTIONS, LOST_CALLS, UNNAMED
    {
        #[error(
            "{executable} is stripped: {}",
            if *has_dynamic_names {
                "only names for dynamic linking are left"
            } else {
                "it has no names at all"
            }
        )]
        Stripped { executable: String, has_dynamic_names: bool } => "give the executable before it was \
            stripped, or say with --debug-dir where its debug file is";
    }

    DAMAGED "W011"
        title "a file is cut off or damaged, and is used up to there"
        cause "The program was killed while it wrote, the disk was full, a transfer ended early or \
            changed bytes, or a serial line lost some of a hexdump."
        evidence "The message has the byte, or the line, at which the file stops making sense; \
            compare with the size of the file."
        cure "Fetch the file again, or let the program run to its end. --strict refuses such files."
        explains NOT_FOR_PROFILING, NO_TICKS, NO_CALLS, FEW_SAMPLES
    {
        #[error(
            "{path}: {}; {} not part of this report",
            damage.error,
            match damage.n_lost {
                0 => "what follows is".to_owned(),
                n_lost => counted(n_lost, "byte of it is", "bytes of it are"),
            }
        )]
        Damaged { path: String, damage: Damage } => match damage.counter_bits() {
            Some(bits) => format!("add --counter-bits {bits}"),
            None => "fetch the file again or let the program run to its end; --strict refuses such files"
                .to_owned(),
        };
    }

    SATURATED "W012"
        title "bins hold the most ticks that fits"
        cause "Ticks are counted in 16 bits, as a rule, so that 65535 is the most. What came after \
            the last that fits is lost, or was counted from 0 again."
        evidence "The functions in question are marked `(at least)`. `profan -i gmon.out` says how \
            wide the counters are."
        cure "Profile several shorter runs, and give all their files at once: they are added up \
            without that limit. Where the counters are wider than the layout implies, say so with \
            --counter-bits."
    {
        #[error(
            "{path}: {} {most} ticks, the most that fits: more may have been lost",
            counted(*n_bins, "bin holds", "bins hold")
        )]
        Saturated { path: String, n_bins: u64, most: u64 } =>
            "profile several shorter runs and give all their files at once";
    }

    COARSE_BINS "W013"
        title "bins are larger than functions"
        cause "The profile was taken with few bins for much code, so that one bin has ticks of \
            several functions. They are shared out by size."
        evidence "`profan -i gmon.out` says how many bytes a bin has."
        cure "Profile with finer bins where the system lets you choose, or read the times of \
            neighbours together."
    {
        /// The share is of ticks in bins with several functions.
        #[error("bins of {bytes_per_bin} bytes are larger than functions: {percent:.0} % of the \
            ticks are shared among neighbours by size")]
        CoarseBins { bytes_per_bin: u64, percent: f64 } =>
            "profile with finer bins, or read the times of neighbours together";
    }

    NO_RATE "W014"
        title "the rate of the profile is 0"
        cause "Whoever wrote the file left out how many ticks a second has. Times are in ticks."
        evidence "`profan -i gmon.out` shows the rate."
        cure "Say with --rate how many ticks a second has, or compare shares, which are right, and \
            not times."
    {
        #[error("the profile does not say how long a tick is, so times are in ticks")]
        NoRate => "say with --rate how many ticks a second has, or compare shares, not times";
    }

    ASSUMED_RATE "W015"
        title "the rate is assumed, for the layout has none"
        cause "The oldest layout of BSD has no place for the rate; that of its time is taken."
        evidence "`profan -i gmon.out` names the layout."
        cure "Say with --rate how many ticks a second the machine's clock had, if it was another \
            number."
    {
        /// The rate is in ticks a second.
        #[error("{path}: this old layout has no place for the rate; {rate} ticks a second are \
            assumed")]
        AssumedRate { path: String, rate: u32 } => "say with --rate how many ticks a second the \
            machine's clock had, if it was another number";
    }

    MIXED_RATES "W016"
        title "the rate differs between files"
        cause "Profiles of machines or settings with different clocks are added up. Ticks are \
            converted to the highest rate, which also stands for files that have none."
        evidence "`profan -i FILE…` shows the rate of each."
        cure "Nothing needs doing if that is what you wanted; --rate gives all the same rate, or \
            report them one by one."
    {
        #[error("the profiles were sampled at different rates; ticks are converted to the highest \
            rate, which also stands for those that have none")]
        MixedRates => "nothing needs doing if that is what you wanted; --rate gives all the same rate";
    }

    PROFILER_TIME "W017"
        title "1 % or more of the ticks, those of the profiler's own functions, were left out"
        cause "Counting calls takes time, which is sampled too. It is not the program's. Where it \
            is less, it is counted below the report and no warning."
        evidence "The message says how much it is."
        cure "Nothing needs doing. Where it is much, functions that are called often are slower \
            here than without -pg."
    {
        #[error("{n_ticks:.0} ticks ({percent:.1} %) fell in the profiler's own functions and are \
            left out")]
        ProfilerTime { n_ticks: f64, percent: f64 } =>
            "nothing needs doing: it is the cost of counting calls";
    }

    DEBUG_FILE_REFUSED "W018"
        title "a debug file was found and is not of this build"
        cause "Its build-id or checksum differs from what the executable says."
        evidence "`readelf -n` shows the build-ids of both."
        cure "Install the debug file of this very build, or say with --debug-dir where it is."
    {
        /// The reason is as a rule that the build-id differs.
        #[error("{path}: not used for names: {reason}")]
        DebugFileRefused { path: String, reason: String } => "install the debug file of this very build";
    }

    BLOCKS_NEED_LINES "W019"
        title "counts of basic blocks were left out"
        cause "The profile counts basic blocks, which are parts of lines, and this report is by \
            function."
        evidence "`profan -i gmon.out` says how many blocks there are."
        cure "Add -l to use them."
    {
        #[error("counts of basic blocks are left out: they are shown by line only")]
        BlocksNeedLines => "add -l to use them";
    }

    DEBUG_INFO_DAMAGED "W020"
        title "a part of the debugging information cannot be read"
        cause "It is damaged, or in a form that is not known here. What can be read is used."
        evidence "`readelf --debug-dump=info PROGRAM` complains too, as a rule."
        cure "File names and lines may be missing: build again, or with another version of DWARF \
            (-gdwarf-4)."
    {
        /// The file is the executable, or its debug file.
        #[error(
            "{file}: {note}{}",
            match n_notes - 1 {
                0 => String::new(),
                n_more => format!(", and {n_more} more such parts"),
            }
        )]
        DebugInfoDamaged { file: String, note: String, n_notes: usize } =>
            "file names may be missing; build again, or with another version of DWARF";
    }

    SOURCE_MISSING "W021"
        title "a source cannot be found"
        cause "It is not where it was when the program was built, nor in this folder."
        evidence "The message has the name as it was recorded."
        cure "Say with -I DIR in which folder it is, or with --path-map OLD=NEW where the whole \
            tree is."
    {
        #[error("{name}: this source cannot be found")]
        SourceMissing { name: String } => FIND_SOURCE;
    }

    SOURCE_NEWER "W022"
        title "a source is newer than the executable"
        cause "It was changed after the program was built, so that counts may stand beside the \
            wrong lines."
        evidence "Compare the times of the two files."
        cure "Fetch the source as it was, or build and run again."
    {
        #[error("{path} was changed after {executable} was made, so counts may stand beside the \
            wrong lines")]
        SourceNewer { path: String, executable: String } =>
            "fetch the source as it was, or build and run again";
    }

    SOURCE_UNWRITTEN "W023"
        title "an annotated file cannot be written"
        cause "-y writes files NAME-ann into this folder, and the system refused one."
        evidence "The message has what the system said."
        cure "Use -y in a folder where these files can be written."
    {
        #[error("{name}: {reason}")]
        SourceUnwritten { name: String, reason: String } =>
            "use -y in a folder where this file can be written";
    }

    NO_STATIC_CALLS "W024"
        title "calls in the code of this kind of machine cannot be told"
        cause "-c looks for calls in machine code, and knows that of x86, x86-64 and AArch64."
        evidence "`file PROGRAM` says for what machine it is."
        cure "Leave -c out: calls that were recorded are shown."
    {
        /// The search lacks, as a rule, knowledge of the machine.
        #[error("{reason}; `-c` is left out")]
        NoStaticCalls { reason: String } => "leave -c out";
    }

    UNNAMED "W025"
        title "many call sites of an allocation profile have no name"
        cause "The profile names few of the functions that its addresses lie in, or the program \
            that was given does not cover them."
        evidence "`profan -q` shows 0x… where names should be."
        cure "Give the program that wrote the profile, with its symbols, or say with --base where \
            it was loaded."
    {
        /// `executable` was asked for the names in vain.
        #[error(
            "{n_unnamed} of {n_contexts} call sites {}",
            match executable {
                None => "have no name in the profile".to_owned(),
                Some(path) => format!("lie in no function of {path}"),
            }
        )]
        Unnamed { n_unnamed: usize, n_contexts: usize, executable: Option<String> } => match executable {
            None => "give the program too: profan mpatrol.out ./PROGRAM",
            Some(_) => "give the executable that wrote the profile, with its symbols, or say with --base \
                where it was loaded",
        };
    }

    FREED_TWICE "W026"
        title "more blocks were freed than allocated"
        cause "The profile is damaged, or was started after the first blocks were allocated."
        evidence "The columns of allocated and of unfreed blocks contradict each other."
        cure "Let profiling start before the first allocation."
    {
        #[error(
            "{} freed than allocated: the profile is damaged or was started late",
            counted(*n_blocks, "block more was", "blocks more were")
        )]
        FreedTwice { n_blocks: i128 } => "let profiling start before the first allocation";
    }

    GUESSED_BASE "W027"
        title "where a position-independent program was loaded is a guess"
        cause "Each run is loaded elsewhere, and few of the recorded addresses tell where this one \
            was."
        evidence "`profan -l` shows lines that make no sense if the guess is wrong."
        cure "Say with --base where it was loaded, or link with -no-pie."
    {
        #[error("{executable} is taken to have been loaded at {base}, which the addresses of the \
            profile hardly show")]
        GuessedBase { base: Address, executable: String } =>
            "say with --base where it was loaded, or link it with -no-pie";
    }

    ALREADY_FREED "W028"
        title "a trace frees a block twice"
        cause "The program freed or reallocated a block that it had freed."
        evidence "`mptrace -v -s` lists every event; the message has the first."
        cure "Look at the place that is named for a block that is freed twice, or used after it \
            was freed."
    {
        #[error(
            "{} a block that had been freed, first {first}: left out",
            counted(first.count, "event frees or reallocates", "events free or reallocate")
        )]
        AlreadyFreed { first: FirstOf } => "look for a block that is freed twice there, or used after \
            it was freed; mptrace -v -s lists every event";
    }

    UNKNOWN_BLOCKS "W029"
        title "a trace frees what was never allocated"
        cause "The program freed something that malloc did not give it, or blocks from before the \
            trace began."
        evidence "`mptrace -v -s` lists every event; the message has the first."
        cure "Look for a pointer that never came from malloc."
    {
        #[error(
            "{} a block that was never allocated, first {first}: left out",
            counted(first.count, "event frees or reallocates", "events free or reallocate")
        )]
        UnknownBlocks { first: FirstOf } => "look for a pointer that never came from malloc; blocks \
            from before the trace began look the same";
    }

    ALLOCATED_TWICE "W030"
        title "a trace allocates what is in use"
        cause "No library writes this: the file is damaged."
        evidence "`mptrace -v -s` lists every event; the message has the first."
        cure "Fetch the file again."
    {
        #[error(
            "{} a block that is in use, first {first}: the one before it counts as never freed",
            counted(first.count, "event allocates", "events allocate")
        )]
        AllocatedTwice { first: FirstOf } => "fetch the file again: no library writes this";
    }

    OTHER_PROGRAM "W031"
        title "functions and calls of the profile are not where those of the executable are"
        cause "The executable is another build than the one that ran: names that the profile has \
            start elsewhere in it, or return addresses are behind no call. It is not used, since \
            it would give wrong names. This is said before the report."
        evidence "`profan -i mpatrol.out ./PROGRAM` lists what was compared; docs/verdict.md says \
            how that is weighed."
        cure "Give the executable that wrote the profile, or say with --base where it was loaded. \
            --strict refuses another build."
        explains UNNAMED, GUESSED_BASE
    {
        #[error(
            "{executable} is not the build that was profiled, and is not used: {}",
            evidence.join("; ")
        )]
        OtherProgram { executable: String, evidence: Vec<String> } =>
            "give the executable that wrote the profile";
    }

    DOUBTFUL_BUILD "W032"
        title "a little of what was recorded cannot be of this executable"
        cause "A single function or call does not fit, of many that do: perhaps it is another \
            build, in which little has moved, or code was changed while it ran."
        evidence "`profan -i gmon.out ./PROGRAM` lists what fits and what does not."
        cure "Give the executable as it was when it ran. If it is that one, read what was said not \
            to fit with care."
    {
        #[error("{executable} may not be the build that was profiled: {}", evidence.join("; "))]
        DoubtfulBuild { executable: String, evidence: Vec<String> } => AS_IT_RAN;
    }

    CALLS_OUTSIDE "W033"
        title "calls lead out of the program or come from there"
        cause "The hook that counts calls serves every shared object of the process that was built \
            with -pg, but the ticks of a gmon.out are those of the program alone: the time of that \
            code is missing."
        evidence "The message has the addresses, which are where the loader put shared objects. \
            `ldd PROGRAM` lists them."
        cure "Link these objects into the program itself (-static, or as .a files), or profile one \
            library at a time with LD_PROFILE."
    {
        #[error("{}", calls.cause())]
        CallsOutside { calls: OutsideCalls } => calls.advice();
    }

    FEW_SAMPLES "W034"
        title "samples cover less than half of the run"
        cause "Code of shared libraries and of the system has no samples, nor have processes that \
            the program started; counting calls takes time there too. Without a processor time, \
            what the program waited counts as missing."
        evidence "The section about the run says how the time of --wall is split. `ldd PROGRAM` \
            lists shared libraries."
        cure "Link statically, or profile a library with LD_PROFILE. Give --wall what `time` \
            printed, which tells work from waiting."
        explains NO_TICKS
    {
        /// Most of the processor time has no samples. `n_calls` were counted, if counting them can be
        /// a notable part of it. Times are in seconds, here and below.
        #[error(
            "{unsampled:.2} of {processor:.2} s of processor time have no samples{}{}",
            match &*linkage.libraries {
                [] => String::new(),
                names => format!(": code of shared libraries has none ({})", names.join(", ")),
            },
            // The hook of glibc is in its shared library, where there is one.
            n_calls.map_or(String::new(), |n| format!(", and counting {n} calls is done there"))
        )]
        WithoutSamples { unsampled: f64, processor: f64, linkage: Linkage, n_calls: Option<u64> } =>
            match n_calls {
                None => how_to_sample(linkage),
                Some(_) => "compile with optimisation, so that small functions are inlined and not \
                    counted; link statically to see what counting costs"
                    .to_owned(),
            };
        /// Of a run whose processor time is not known.
        #[error("samples cover {sampled:.2} of {wall:.2} s: the rest is waiting, or code that is \
            not the program's own")]
        LittleOfRun { sampled: f64, wall: f64 } => "let `time` measure the run, and give its output to \
            --wall: it tells work from waiting";
    }

    MOSTLY_IDLE "W035"
        title "no processor worked on the program for most of its time"
        cause "It waited: for files, the network, other processes, locks or a busy machine. A \
            profile has no samples of that."
        evidence "The section about the run says how the time of --wall is split."
        cure "See whether the machine was busy. A tracer of system calls, such as `strace -c -w` \
            or ktrace, says what it waits for."
    {
        #[error("no processor worked on the program for {idle:.2} of {wall:.2} s: it waited, of \
            which there are no samples")]
        MostlyIdle { idle: f64, wall: f64 } => "see whether the machine was busy; what it waits for \
            says a tracer of system calls, such as strace -c -w or ktrace";
    }

    MORE_THAN_RUN "W036"
        title "samples cover more than the run"
        cause "The profiles are of more than that run, threads or processes ran at the same time, \
            or the clock does not tick as fast as the header says."
        evidence "`profan -i FILE…` counts ticks and shows the rate of each file."
        cure "Give --wall the time of all runs whose profiles are given, as `time` printed it. If \
            the clock was another, say so with --rate."
    {
        #[error("samples cover {sampled:.2} s, which is more than the {processor:.2} s of \
            processor time of the run")]
        MoreThanRun { sampled: f64, processor: f64 } => "give the time of all runs whose profiles are \
            given, and look whether their clock ticks as fast as its header says";
        /// Of a run of which only the time from start to end is known.
        #[error("samples cover {sampled:.2} s, which is more than the {wall:.2} s from start to \
            end: threads or processes ran at the same time, or the time or the clock is not that \
            of this run")]
        MoreThanWall { sampled: f64, wall: f64 } => "let `time` measure all runs whose profiles are \
            given, and give its output to --wall: it has the time of all processors";
    }

    NO_LIBRARY_TICKS "W037"
        title "a profile of a library has calls and no time"
        cause "The library took less than a tick, or the program was linked with -pg: it then took \
            the profiling clock, of which there is one, for itself."
        evidence "`profan doctor PROGRAM` says whether the program was linked with -pg."
        cure "Link the program without -pg, and run it with LD_PROFILE once more, for long enough."
    {
        /// `has_hook`: the program is known to have been built for profiling.
        #[error(
            "calls were counted in {library}, but no time: it took less than a tick, or the program was \
             linked with -pg{} and took the profiling clock for itself",
            if *has_hook { ", as this one is," } else { "" }
        )]
        NoLibraryTicks { library: String, has_hook: bool } => "run it with LD_PROFILE once more, linked \
            without -pg for that, and for long enough";
    }

    OTHER_LIBRARY_NAME "W038"
        title "a profile has the name of another library than the one it is taken for"
        cause "LD_PROFILE names a profile after its library. There is only one library that this \
            one can be of, and it is called otherwise."
        evidence "The message has both names."
        cure "Give the library of that name, or call the profile SONAME.profile if it is of this \
            one."
    {
        #[error("{profile} is by its name of {named}, and is taken for that of {library}")]
        OtherLibraryName { profile: String, named: String, library: String } =>
            "give the library of that name";
    }

    OTHER_LIBRARY_BUILD "W039"
        title "a library is not the build that was profiled"
        cause "Its code lies elsewhere than the profile says, or recorded calls do not lead to \
            starts of functions: it was updated or built again since. This is said before the \
            report."
        evidence "Compare the times of the two files. `readelf -lW LIBRARY` shows where its code \
            lies, and `profan -i FILE` what the profile covers."
        cure "Give the library as it was when it ran, or run the program again. --strict refuses \
            another build."
        explains OUTSIDE_FUNCTIONS, LOST_CALLS
    {
        #[error("{library} is not the build that was profiled: {reason}")]
        OtherLibraryBuild { library: String, reason: String } =>
            "give the library as it was when it ran, or run the program again";
    }

    OTHER_RUNS "W040"
        title "profiles of several objects are of different numbers of runs"
        cause "LD_PROFILE goes on in a file that is there, so that it is of all runs since; a \
            gmon.out is of the last one only."
        evidence "The message has the number of runs of each."
        cure "Compare times within one object only, or remove the files and run as often for each."
    {
        /// Objects, each with the number of its runs.
        #[error(
            "the profiles are of different numbers of runs: {}",
            n_runs
                .iter()
                .map(|(object, n_runs)| format!("{object} {}", counted(*n_runs, "run", "runs")))
                .collect::<Vec<_>>()
                .join(", ")
        )]
        OtherRuns { n_runs: Vec<(String, u64)> } => "compare times within one object only, or run as \
            often for each; LD_PROFILE goes on in a file that is there: remove it before";
    }

    NO_LINES "W041"
        title "no line of the source is known, so there is no annotated source"
        cause "The executable was built without -g or was stripped and says of no code which line \
            it is from, or there is no executable."
        evidence "`readelf -S PROGRAM | grep debug_line` finds nothing."
        cure "Compile with -g beside -pg, and do not strip the program; -p and -q need no lines."
    {
        #[error(
            "no annotated source: {}",
            match executable {
                None => "without an executable no line of any source is known".to_owned(),
                Some(path) => format!("{path} does not say which line its code is from"),
            }
        )]
        NoLines { executable: Option<String> } => match executable {
            None => "give the program too, built with -g; -p and -q need no lines",
            Some(_) => "compile with -g beside -pg, and do not strip the program; -p and -q need no lines",
        };
    }

    NOTHING_KEPT "W042"
        title "no function is in the expression of --keep"
        cause "Each name in it is there, but taken together it has nothing: the parts of an (and \
            …) have nothing in common, or no function has so large a share."
        evidence "Leave parts out, one by one."
        cure "Ask for less; `profan help keep` explains the language."
    {
        #[error("no function is in the expression of --keep")]
        NothingKept => "ask for less: the parts of an (and …) may have nothing in common, and no share \
            be that large";
    }

    IDLE_GATE "W043"
        title "--fail-on names what is never said of these profiles"
        cause "Of sampled time it is said that it is slower, faster or unclear, for chance has a \
            part in it; of what was counted that it is more or less. Calls have to be counted for \
            `calls`, and only heaps have `leaks`. A gate that can refuse nothing looks like one \
            that found nothing."
        evidence "The message names the reasons that cannot be given."
        cure "Name those that can: slower for time; more, calls or leaks for what is counted."
    {
        #[error("--fail-on {reasons} refuses nothing: that is never said of these profiles")]
        IdleGate { reasons: String, is_sampled: bool } => if *is_sampled {
            "of sampled time it is said that it is slower, faster, unclear, new or gone"
        } else {
            "of what was counted it is said that it is more, less, new or gone"
        };
    }

    IDLE_RENAME "W044"
        title "--rename fits no function of the old side"
        cause "OLD of OLD=NEW is a regular expression that is looked for in the names that \
            functions have on the old side; none has it, so that nothing was renamed."
        evidence "`profan -p -z` lists the functions of a program."
        cure "Correct the expression: dots, brackets and asterisks have a meaning, unless there is \
            a backslash before them."
    {
        #[error("no function of the old side fits --rename {rename}")]
        IdleRename { rename: String } =>
            "write the old name in front of the `=`, as a regular expression";
    }

    NAMES_GIVEN_UP "W045"
        title "names stay in the spelling of the linker, since demangling takes too much"
        cause "A mangled name can repeat parts of itself, and parts of these: few bytes stand for \
            gigabytes. Names that nest too deeply or need more than 262,144 steps stay raw, and so \
            do those that need more than 8 steps for each of their bytes once others have taken \
            33,554,432 beyond 32 for each; a name that many functions share counts for each of \
            them. It is known when all is shown, so that no report has it in itself."
        evidence "`profan --demangle=none` shows names as they are in the file."
        cure "Look at how the program was made: no compiler writes such names."
    {
        #[error(
            "{} in the spelling of the linker, for demangling takes too much",
            counted(*n_names as u64, "name stays", "names stay")
        )]
        NamesGivenUp { n_names: usize } =>
            "no compiler writes such names; --demangle=none shows all as the linker does";
    }

    NAMES_CUT "W046"
        title "long names are shortened"
        cause "String tables let many symbols share a name, or the end of it. Where names of more \
            than 1,000 bytes would take 16 MiB more than four times what is stored of them, the \
            longest are cut to what there is room for, in all that is shown of them. One name can \
            also be in every row: every format but JSON shows the first 4,096 bytes of a function \
            and the last 1,000 of a file or library."
        evidence "The message has the number of names and their length."
        cure "Look at how the file was made: linkers store long names for a few functions each."
    {
        #[error(
            "{file}: {} cut to {} bytes: so many share long ones that they would take a multiple of the \
             file",
            counted(cut.n_names as u64, "name is", "names are"),
            cut.n_bytes
        )]
        NamesCut { file: String, cut: CutNames } =>
            "no compiler writes such names; trust the file no more than where it is from";
        #[error(
            "{} shortened in this report: functions to {LONGEST_NAME} bytes, files to {LONGEST_FILE}",
            counted(*n_names as u64, "name is", "names are")
        )]
        NamesShortened { n_names: usize } =>
            "save the report with --format json to keep the whole names";
    }

    DEBUG_INFO_TOO_LARGE "W047"
        title "debugging information would take more memory than its size can justify"
        cause "What is packed in the program unpacks to far more than any compiler writes, or its \
            tables of lines, files and functions are far larger than the file. What would be too \
            large is passed over: lines and names of files may be missing."
        evidence "`readelf -SW PROGRAM` lists the sections, those that are packed with a C."
        cure "Build again, or ask where the program is from; --limit-memory raises what is held."
    {
        #[error("{file}: debugging information is passed over, all or some of it: it takes more \
            memory than its size can justify")]
        DebugInfoTooLarge { file: String } => "where the file is trusted, raise the limit: \
            --limit-memory 16G; functions and their time need no lines";
    }

    SOURCE_PASSED_OVER "W048"
        title "a file with the name of a source is not read"
        cause "The debugging information, or --path-map, leads to a folder, a pipe, a socket, a \
            device, a file of the kernel or one of more than 64 MiB. It was not opened: reading \
            such a thing may never end, or take from it what others wait for. Or the file is \
            outside the directory of the executable, the current one, and those of -I and \
            --path-map: a hostile executable can name any file that you may read."
        evidence "The message has the path, and what is there."
        cure "Say with --path-map OLD=NEW where the source is, and do not trust a program that \
            names such a file. If you trust it, --any-source prints files from anywhere."
    {
        #[error("{path} is not read as a source: {reason}")]
        SourcePassedOver { path: String, reason: String } => "say with --path-map OLD=NEW where the \
            source is, and do not trust a program that names such a file";
        #[error("{path} is not read as a source: it is outside the directories of the executable, \
            of -I and --path-map, and the current one")]
        SourceOutside { path: String } => "add its directory with -I DIR, or --any-source if you \
            trust the executable";
    }

    UNNAMED_NUMBER "W068"
        title "a number stands for a name that the profile does not have"
        cause "Profiles of callgrind write each name once, with a number, and the number alone from \
            then on. The line with the name is missing: a part of the file was cut out, or the \
            program that wrote it leaves names out."
        evidence "The message has the first such number. `grep '(NUMBER)' FILE` shows its lines."
        cure "All costs count; what has no name is shown by its number. Write the profile again \
            to get the names."
    {
        #[error("{path}: no line names the number {number}, which is shown as ({number})")]
        UnnamedNumber { path: String, number: u64 } => "all costs count; for the names, write the \
            profile again";
    }
}

const AS_IT_RAN: &str = "give the executable as it was when it ran, or run it again";
const FIND_SOURCE: &str = "say with -I DIR in which folder it is, or with --path-map OLD=NEW where \
    the whole tree is";

/// Codes of what makes all of a report doubtful.
const URGENT: [&str; 4] = [
    codes::OTHER_ADDRESSES,
    codes::OTHER_BUILD,
    codes::OTHER_PROGRAM,
    codes::OTHER_LIBRARY_BUILD,
];

/// What may be so only because a file was read with counters of a wrong width.
pub(super) const MISREAD: [&str; 4] = [
    codes::OUTSIDE_FUNCTIONS,
    codes::LOST_CALLS,
    codes::COARSE_BINS,
    codes::PROFILER_TIME,
];

impl From<Unavailable> for Warning {
    fn from(why: Unavailable) -> Self {
        Self::Unavailable { why }
    }
}

impl Warning {
    /// What is odd, in one sentence.
    pub fn cause(&self) -> String {
        self.to_string()
    }

    /// What is said of it beside a report.
    pub fn diagnostic(&self) -> Diagnostic {
        Diagnostic {
            code: self.code().to_owned().into(),
            message: self.cause(),
            advice: self.advice(),
        }
    }

    /// Whether it is to be said before a report, all of which may be wrong.
    pub fn is_urgent(&self) -> bool {
        URGENT.contains(&self.code())
    }

    /// Whether the executable, or a library, is known not to be the one that ran.
    pub fn is_other_build(&self) -> bool {
        match self {
            Self::Foreign { found, .. } => found.is_other_build(),
            Self::OtherBuild { .. }
            | Self::OutsideCode { .. }
            | Self::OtherProgram { .. }
            | Self::OtherLibraryBuild { .. } => true,
            _ => false,
        }
    }

    /// Whether a file was read with counters of a wrong width.
    pub fn is_misread(&self) -> bool {
        matches!(self, Self::Damaged { damage, .. } if damage.counter_bits().is_some())
    }

    /// Whether it is that the samples of a run are few for its time.
    pub fn is_lack_of_samples(&self) -> bool {
        matches!(self, Self::WithoutSamples { .. } | Self::LittleOfRun { .. })
    }
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

/// How a program without a tick gets some. Code of shared libraries has none, where a program
/// is known to have them.
fn run_longer(linkage: &Linkage) -> String {
    let tick = match linkage.system {
        Some(System::Linux) => "processor time that any of its threads spends",
        Some(System::Bsd) => "processor time that is spent",
        Some(System::Windows) if linkage.is_for_cygwin() => "time that any of its threads spends",
        Some(System::Windows) => "time that its first thread spends",
        None => "time that is spent",
    };
    let libraries = match &*linkage.libraries {
        [] => String::new(),
        libraries => format!(", not in that of {}", libraries.join(", ")),
    };
    format!("let the program run longer: a tick is {tick} in its own code{libraries}")
}

/// How to get samples of what has none. Processes that were started and waited for
/// count in the time of the run.
fn how_to_sample(linkage: &Linkage) -> String {
    let started = "processes that it started have profiles of their own (GMON_OUT_PREFIX)";
    match (&*linkage.libraries, linkage.system) {
        ([], _) => format!("build all of it with -pg; {started}"),
        (_, Some(System::Linux)) => {
            format!("link statically, or run it with LD_PROFILE=SONAME for one library; {started}")
        }
        _ => format!("link statically; {started}"),
    }
}
