//! Reports and options that a subject does not support: their requirements, and the reason and
//! advice if a requirement is missing. A cause has a code; a reason is written once.

use std::fmt;

use super::problems::CatalogueEntry;
use crate::report::SectionId;

/// An unavailable report, or an option without effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unavailable {
    pub request: Request,
    /// The code of the cause.
    pub code: &'static str,
    pub reason: &'static str,
    pub advice: &'static str,
}

impl fmt::Display for Unavailable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.request.effect(), self.reason)
    }
}

impl Unavailable {
    /// Why a request is unavailable for a subject, if it is.
    pub fn find(request: Request, facts: SubjectFacts) -> Option<Self> {
        let applies = |row: &&Requirement| {
            row.requests.contains(&request)
                && !facts.has(row.needs)
                && row.of.iter().all(|&fact| facts.has(fact))
        };
        let row = ROWS.iter().find(applies)?;
        Some(Self { request, code: row.code, reason: row.reason, advice: row.advice })
    }

    /// The reason if only one fact is missing.
    pub fn without(fact: Fact, request: Request) -> Option<Self> {
        Self::find(request, SubjectFacts(!(1 << fact as u64)))
    }
}

/// Returns whether a code means an unavailable report or an option without effect.
pub fn is_unavailable(code: &str) -> bool {
    ENTRIES.iter().any(|entry| entry.code == code)
}

/// The facts about a subject, one bit each.
#[derive(Clone, Copy, Debug)]
pub struct SubjectFacts(u64);

impl SubjectFacts {
    /// The facts that are true.
    pub fn of(facts: &[(Fact, bool)]) -> Self {
        let bits = facts.iter().filter(|(_, is_so)| *is_so);
        Self(bits.fold(0, |all, (fact, _)| all | 1 << *fact as u64))
    }

    /// Returns whether a fact is true.
    pub fn has(self, fact: Fact) -> bool {
        self.0 & 1 << fact as u64 != 0
    }
}

/// A property of a subject.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fact {
    Addresses,
    /// The values describe blocks of memory.
    Heap,
    /// mpatrol wrote the heap profile.
    Mpatrol,
    /// Some values are bytes in use at one time.
    MemoryInUse,
    BlockSizes,
    /// All sizes are by stack, and a subset of the stacks is selected, or none.
    BlockSizesByStack,
    /// Events in their order.
    History,
    /// The size of the heap at several times.
    HeapOverTime,
    /// The blocks in use when the heap was largest.
    AtPeak,
    /// Stacks, or the caller of each call.
    Callers,
    /// Stacks were recorded, or costs flow along calls.
    Stacks,
    /// Stacks were recorded, or costs are by function, not by line.
    CostsAlongCalls,
    /// Calls are few enough to list.
    ListedCalls,
    /// Calls are few enough to ask for the callers of a function.
    KnownCallers,
    CallCounts,
    Entries,
    /// Entries, events or blocks.
    Executions,
    /// Values other than calls that no one made.
    Numbers,
    /// Events of a processor, as callgrind counts them.
    Events,
    /// Ticks by address.
    Samples,
    /// The time of a sample.
    SampleTime,
    /// Values that were sampled.
    SampledValues,
    /// Numbers without a unit, such as those of folded stacks.
    NumbersWithoutUnit,
    /// Sampled or counted, so that one run shows how far values may be off.
    KnownVariation,
    /// Samples belong to whole functions.
    WholeFunctions,
    /// A section has uncertainties of its values.
    Uncertainty,
    SourceLines,
    Program,
    /// A program, or a heap whose call sites have addresses.
    SymbolsByAddress,
    /// One program or library.
    OneObject,
    /// The object files that code comes from.
    ObjectFiles,
    /// A map of the object files was given.
    FileMap,
    /// Addresses that depend on where the program was loaded.
    LoadedAddresses,
    /// Counters of unrecorded width.
    UnknownCounterWidth,
    StandardMl,
    /// Functions that can share a name.
    SharedNames,
    /// A profile, not a saved report.
    Profile,
    RankedRows,
    /// A report about a sum of files, not about each of them.
    Sum,
    /// A report other than about files.
    Times,
}

struct Requirement {
    code: &'static str,
    requests: &'static [Request],
    needs: Fact,
    /// Other facts of the subjects for which the reason holds.
    of: &'static [Fact],
    reason: &'static str,
    advice: &'static str,
}

macro_rules! requests {
    ($($(#[$meta:meta])* $name:ident $effect:literal)*) => {
        /// A report or an option.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Request {
            /// The report with this first section.
            Report(SectionId),
            $($(#[$meta])* $name),*
        }

        impl Request {
            /// The effect of its absence.
            fn effect(self) -> &'static str {
                match self {
                    Self::Report(section) => without_report(section),
                    $(Self::$name => $effect),*
                }
            }
        }
    };
}

fn without_report(section: SectionId) -> &'static str {
    match section {
        SectionId::Flat => "no flat profile",
        SectionId::Graph => "no call graph",
        SectionId::Tree => "no call tree",
        SectionId::Leaks => "no leaks",
        SectionId::Sizes => "no block sizes",
        SectionId::Trace => "no trace",
        SectionId::Counts => "no execution counts",
        SectionId::Coverage => "no coverage",
        SectionId::Order => "no link order",
        _ => "no report",
    }
}

requests! {
    /// Annotated source. Its lines are known later than other facts.
    Source "no annotated source"
    /// Lines instead of functions.
    Lines "showing functions instead of lines"
    /// The functions of a trace.
    Names "all events are in <unknown>"
    /// Block sizes of selected stacks.
    BinsOfPart "block sizes cover the whole program"
    /// The memory in use at a point.
    HeapInUse "memory in use is not known"
    /// The same, without a heap.
    HeapReport "no heap report"
    OtherThanByFile "no other report with --by-file"
    /// Calls that pass through a function: an error, with words of its own.
    Focus ""
    /// The frames of stacks: an error, too.
    Frames ""
    Keep "--keep does not know the callers"
    Error "--error has no effect"
    Ratio "--ratio has no effect"
    Wall "--wall has no effect"
    Base "--base has no effect"
    Rate "--rate has no effect"
    CounterBits "--counter-bits has no effect"
    UnitOrPeriod "--unit and --period have no effect"
    RateOrCounterBits "--rate and --counter-bits have no effect"
    Reading "--rate, --counter-bits and --from-hexdump have no effect"
    Marks "-x, -m and -t have no effect"
    BsdLayout "-T has no effect"
    StaticCalls "-c has no effect"
    Inlines "--inlines has no effect"
    SymbolKinds "-a and -D have no effect"
    ExternalSymbols "-S has no effect"
    DebugDirs "--debug-dir has no effect"
    NamesOfMl "--merge-names and --no-library have no effect"
    LibraryOfMl "--no-library has no effect"
    Ranking "--top, --min-percent, --sort, --reverse, --columns, --relative and --stable have no effect"
    Selection "specs, --keep, --focus, --ignore, --hide, --from, --tree=callers, --group-by, --value, --ratio, --label, --seconds, --between, --line, --inlines and --wall have no effect"
}

macro_rules! causes {
    ($(
        $constant:ident $code:literal
            title $title:literal
            cause $cause:literal
            $(evidence $evidence:literal)?
            cure $cure:literal
        {
            $($($request:ident $(($section:ident))?)|+ needs $needs:ident $(of $($of:ident)&+)? =>
                $reason:literal, $advice:expr;)+
        }
    )*) => {
        mod codes { $(pub(super) const $constant: &str = $code;)* }

        pub(super) static ENTRIES: &[CatalogueEntry] = &[$(CatalogueEntry {
            code: codes::$constant,
            title: $title,
            cause: $cause,
            evidence: concat!($($evidence)?),
            cure: $cure,
            explains: &[],
        }),*];

        /// The first row that applies gives the reason.
        static ROWS: &[Requirement] = &[$($(Requirement {
            code: codes::$constant,
            requests: &[$(Request::$request $((SectionId::$section))?),+],
            needs: Fact::$needs,
            of: &[$($(Fact::$of),+)?],
            reason: $reason,
            advice: $advice,
        }),+),*];
    };
}

const LEAVE_OUT: &str = "omit the option for this file";
const ASK_FOR_TIMES: &str = "add -p or -q, or omit the option";
const GIVE_HEAP: &str =
    "pass a heap profile: mpatrol.out, or the file of `valgrind --tool=dhat ./PROGRAM`";
const RECORD_TRACE: &str =
    "record a trace and pass mpatrol.trace: `MPATROL_OPTIONS=TRACE ./PROGRAM`";
const LINK_FOR_TRACE: &str =
    "link the program with mpatrol, and record a trace: `MPATROL_OPTIONS=TRACE ./PROGRAM`";
const LINK_FOR_SIZES: &str =
    "link the program with mpatrol, which counts them, and pass mpatrol.out";
const RUN_MASSIF: &str = "record the heap over time: `valgrind --tool=massif ./PROGRAM`";
const SHOW_IN_USE: &str = "show the memory in use: -p, with one of the values that -i lists";

causes! {
    NO_NUMBERS "W049"
        title "the files contain no measurements"
        cause "A table of MLton sources contains only names."
        cure "Add the profile of a run: `profan mlmon.out show-prof.txt`."
    {
        Report(Flat) needs Numbers =>
            "a table of sources has no numbers", "add the profile of a run: profan mlmon.out show-prof.txt";
    }

    NO_CALLERS "W050"
        title "the callers of functions are not known"
        cause "Traces of mpatrol have no callers, profiles only if mpatrol could follow the \
            stack. MLton programs can have more possible calls than profan shows (a million) or \
            searches (four million)."
        cure "Pass a profile of mpatrol, and build with -fno-omit-frame-pointer. For MLton, use \
            `profan mlprof -call-graph FILE -keep EXPRESSION`."
    {
        Report(Graph) needs ListedCalls =>
            "more than a million calls are possible",
            "select a part: `profan mlprof -call-graph FILE -keep EXPRESSION`";
        Keep needs KnownCallers => "more than four million calls are possible", LEAVE_OUT;
        Report(Graph) | Focus | Frames needs Callers of History =>
            "a trace records which function requested memory, but not its callers",
            "record a profile, which has call stacks: `MPATROL_OPTIONS=PROF ./PROGRAM`";
        Report(Graph) | Focus | Frames needs Callers of Heap =>
            "this profile has no call stacks",
            "build the program with -fno-omit-frame-pointer, so that mpatrol can follow its stack";
        Report(Tree) needs Stacks of History =>
            "a trace records which function requested memory, but not its callers",
            "record a profile, which has call stacks: `MPATROL_OPTIONS=PROF ./PROGRAM`";
        Report(Tree) needs Stacks of Heap =>
            "this profile has no call stacks",
            "build the program with -fno-omit-frame-pointer, so that mpatrol can follow its stack";
        Report(Tree) needs Stacks of Samples =>
            "no calls were counted",
            "compile with -pg, or pass --no-inferred-stacks for stacks of one function";
        Report(Tree) needs Stacks =>
            "the profile has neither call stacks nor the costs of calls",
            "pass --no-inferred-stacks for stacks of one function";
        Report(Tree) needs CostsAlongCalls =>
            "calls have no costs by line",
            "omit -l, or pass --no-inferred-stacks for stacks of one line";
        Focus needs CallCounts of Samples =>
            "no calls were counted",
            "compile with -pg; -p and --keep select functions without calls";
        Focus needs Callers of Events =>
            "no calls were recorded", "record them: valgrind --tool=callgrind ./PROGRAM";
        Focus needs Callers =>
            "the profile has totals of functions, but not by caller",
            "--keep '(from \"NAME\")' selects the functions that NAME may call";
        Frames needs Stacks of Callers =>
            "the profile has calls, but no call stacks",
            "record stacks, as perf record -g does, or use --keep or --focus";
        Frames needs Stacks =>
            "the profile has totals of functions, but no call stacks", "use --keep";
    }

    NO_HEAP "W051"
        title "a report or an option needs a heap profile"
        cause "Only mpatrol and DHAT record freed memory, and only mpatrol counts blocks by \
            size."
        cure "Omit the option, link with mpatrol, or run `valgrind --tool=dhat ./PROGRAM`."
    {
        Report(Leaks) | Report(Sizes) | HeapReport needs Heap of Samples =>
            "gmon.out does not record memory", LEAVE_OUT;
        Report(Leaks) needs Heap of HeapOverTime =>
            "massif records the memory in use, but not what was never freed",
            "record it with DHAT: `valgrind --tool=dhat ./PROGRAM`";
        Report(Leaks) needs Heap of MemoryInUse =>
            "this heap profile has the memory in use at one time, but not what was never freed",
            SHOW_IN_USE;
        Report(Sizes) needs Heap of MemoryInUse =>
            "this heap profile does not count blocks by size", LINK_FOR_SIZES;
        Report(Leaks) | Report(Sizes) needs Heap => "this is not a heap profile", GIVE_HEAP;
    }

    NO_BLOCK_SIZES "W052"
        title "block sizes were not counted as needed"
        cause "mpatrol counts them for the whole program, not for each call stack, and can be \
            built without these counters."
        cure "Use a build that counts them, and omit --focus and --ignore."
    {
        Report(Sizes) needs Mpatrol =>
            "this heap profile does not count blocks by size", LINK_FOR_SIZES;
        Report(Sizes) needs BlockSizes =>
            "they were not counted",
            "use a build of mpatrol that counts them, which is the default";
        BinsOfPart needs BlockSizesByStack =>
            "they were not counted by call stack", "omit --bins, or --focus, --ignore and --keep";
    }

    NO_HISTORY "W053"
        title "the profile has totals, but no events"
        cause "Only traces of mpatrol record each allocation."
        cure "Record mpatrol.trace with mpatrol's option TRACE. For the heap over time, \
            `valgrind --tool=massif` suffices."
    {
        Report(Trace) | HeapInUse needs HeapOverTime of Heap & Mpatrol =>
            "a heap profile has totals, but no events", RECORD_TRACE;
        Report(Trace) needs HeapOverTime of Heap =>
            "a heap profile has totals, but no events", RUN_MASSIF;
        Report(Trace) needs HeapOverTime of MemoryInUse =>
            "a heap profile is of one time", RUN_MASSIF;
        HeapInUse needs History of Heap =>
            "a heap profile has totals, but no events", LINK_FOR_TRACE;
        HeapInUse needs History of HeapOverTime =>
            "massif records snapshots of the heap, but no events", LINK_FOR_TRACE;
        HeapInUse needs History of MemoryInUse =>
            "this heap profile is of one time", SHOW_IN_USE;
        HeapInUse needs History =>
            "this profile has no heap events",
            "omit --peak, --temporary and --between; they apply to traces of mpatrol";
        Report(Trace) needs HeapOverTime of Samples => "gmon.out does not record events", LEAVE_OUT;
        Report(Trace) needs HeapOverTime =>
            "this profile has totals, but no events",
            "omit --trace; it applies to traces of mpatrol";
    }

    NO_ENTRIES "W054"
        title "the profile has no execution counts"
        cause "Execution counts and coverage need a counter in every function; a gmon.out counts \
            calls."
        cure "Compile with `mlton -profile count`. For a gmon.out, use -C and -A."
    {
        Report(Coverage) needs Entries of Samples =>
            "gmon.out counts calls instead", "use -C or -A, which show calls";
        Report(Coverage) needs Entries =>
            "the profile does not count how often functions ran",
            "compile with `mlton -profile count`";
        Report(Counts) needs Executions =>
            "the profile does not count how often functions ran",
            "compile with `mlton -profile count`";
    }

    NO_LINK_ORDER "W055"
        title "profan cannot propose a link order"
        cause "It needs the call counts of one program or library."
        cure "Compile with -pg, and pass one with its profile."
    {
        Report(Order) needs ObjectFiles of FileMap =>
            "it needs the call counts of a gmon.out", "compile with -pg";
        Report(Order) needs CallCounts =>
            "it needs the call counts of a gmon.out", "compile with -pg";
        Report(Order) needs OneObject =>
            "a link order covers one program or library",
            "pass one program or library, with its profile";
    }

    NO_SOURCE_LINES "W056"
        title "the profile does not contain source lines"
        cause "Heap profiles and traces have them only if mpatrol read the debug information."
        cure "Compile with -g, and pass the executable. For traces, use mpatrol's option \
            USEDEBUG; for MLton, pass the table of sources."
    {
        Source | Lines needs SourceLines of History => "no source line is known", TRACE_LINES;
        Names needs SourceLines of History =>
            "the trace does not record where events occurred", TRACE_LINES;
        Source | Lines needs SourceLines of Heap =>
            "no source line is known",
            "pass the program too, built with -g: `profan mpatrol.out ./PROGRAM`";
        Source | Lines needs SourceLines =>
            "no source line is known",
            "pass the mlmon.out of a run and the table of a program that was compiled with -profile";
    }

    NOT_SAMPLED "W057"
        title "an option applies to gmon.out only"
        cause "It adjusts samples by address."
        cure "Omit it."
    {
        Marks needs Samples => "this profile has its own numbers for every line", LEAVE_OUT;
        BsdLayout needs Samples => "the BSD layout applies to gmon.out only", LEAVE_OUT;
        UnitOrPeriod needs NumbersWithoutUnit => "they apply to folded stacks only", LEAVE_OUT;
        RateOrCounterBits needs Samples => "they apply to gmon.out only", LEAVE_OUT;
        StaticCalls needs Samples => "it adds calls to gmon.out only", LEAVE_OUT;
        Inlines needs Samples => "it splits the time of a gmon.out only", LEAVE_OUT;
        Wall needs Samples => "it applies to the samples of a gmon.out only", LEAVE_OUT;
    }

    NO_UNCERTAINTY "W058"
        title "--error adds nothing to the report"
        cause "Counted values have no sampling error, measured ones only between runs. Some \
            reports show no times."
        cure "Add -p or -q to a sampled profile, or omit it."
    {
        Error needs KnownVariation =>
            "the values were measured by a clock, or added up from samples of unknown weight, and \
             one run does not show how far they vary",
            "compare several runs, with --by-file or `profan diff`";
        Error needs SampledValues => "the numbers are exact: they were counted, not sampled", LEAVE_OUT;
        Error needs WholeFunctions =>
            "the samples of a part of a line are not known", LEAVE_OUT;
        Error needs Uncertainty =>
            "none of these reports shows the uncertainty of times", ASK_FOR_TIMES;
        Error needs Times => "-i and -s show no times", ASK_FOR_TIMES;
        Error needs Profile =>
            "the saved report does not contain the uncertainty of its numbers",
            "make it again from the profile, if times were sampled";
    }

    NO_SAMPLE_TIME "W059"
        title "--wall needs the sampling rate of the profile"
        cause "--wall compares the run time with the time of all samples."
        cure "Set --rate, or omit --wall."
    {
        Wall needs SampleTime =>
            "the profile has no sampling rate", "set the rate, as in --rate 100, or omit the option";
    }

    NO_PROGRAM_FOR_OPTION "W060"
        title "an option needs the executable"
        cause "It selects symbols, debug information or machine code."
        cure "Pass it too: `profan gmon.out ./PROGRAM`."
    {
        StaticCalls | Inlines | DebugDirs needs Program =>
            "no executable was given", "pass the executable, or omit the option";
        SymbolKinds needs Program =>
            "no executable was given", "pass the executable, or omit the options";
    }

    NO_ADDRESSES "W061"
        title "an option needs addresses, and the profile has none"
        cause "--base and -S turn addresses into names."
        cure "Omit it."
    {
        ExternalSymbols needs SymbolsByAddress =>
            "this profile has names, but no addresses", LEAVE_OUT;
        Base needs Addresses => "this profile has no addresses", LEAVE_OUT;
    }

    FIXED_BY_LD_PROFILE "W062"
        title "LD_PROFILE has no use for an option"
        cause "It records relative addresses and 16-bit counters: --base and --counter-bits have \
            no effect."
        cure "Omit it."
    {
        Base needs LoadedAddresses =>
            "LD_PROFILE records addresses relative to the library", LEAVE_OUT;
        CounterBits needs UnknownCounterWidth =>
            "LD_PROFILE always uses counters of 16 bits", LEAVE_OUT;
    }

    NOT_STANDARD_ML "W063"
        title "an option applies to Standard ML only"
        cause "--merge-names and --no-library select functions that MLton compiled."
        cure "Omit it."
    {
        NamesOfMl needs SharedNames => "they apply to Standard ML only", LEAVE_OUT;
        LibraryOfMl needs StandardMl of SharedNames => "it applies to Standard ML only", LEAVE_OUT;
    }

    NO_TIMES "W064"
        title "-i and -s do not show times"
        cause "Neither uses --wall, and -i does not use --rate."
        cure "Add -p, or omit the option."
    {
        Wall needs Times => "-i and -s show no times", ASK_FOR_TIMES;
        Rate needs Times => "-i shows the contents of the file", ASK_FOR_TIMES;
    }

    AS_SAVED "W065"
        title "an option does not change a saved report"
        cause "profan can only format and sort its rows."
        cure "Make it again from the profile, with the option."
    {
        Selection needs Profile =>
            "a saved report does not change",
            "make it again from the profile to select other functions or values";
        Reading needs Profile =>
            "a saved report does not change", "make it again from the profile, with this option";
    }

    NO_RANKING "W066"
        title "the report has no rows to rank"
        cause "--top, --sort and similar options rank functions, files or lines."
        cure "Add -p, or omit them."
    {
        Ranking needs RankedRows =>
            "this report has no rows to rank", "omit them, or add the flat profile: -p";
    }

    BY_FILE_ALONE "W067"
        title "--by-file omits all other reports"
        cause "It compares one value of each profile. Other reports show sums, and --ratio two \
            values."
        cure "Run again without --by-file."
    {
        OtherThanByFile needs Sum =>
            "others show the sum of the profiles", "run profan again without --by-file";
        Ratio needs Sum =>
            "--by-file shows one value of each file", "choose it with --value, or omit --by-file";
    }
}

const TRACE_LINES: &str =
    "record source lines with `MPATROL_OPTIONS='TRACE USEDEBUG'`, or compile with mpatrol.h";
