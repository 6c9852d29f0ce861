//! Every code with what it stands for in general: what `profan explain` and
//! docs/diagnostics.md say of it. A new one is one more entry.

/// A code, and what it stands for.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// The code: `W` for what leaves the report as it is, `E` for what ends it.
    pub code: &'static str,
    /// What is odd, or wrong.
    pub title: &'static str,
    /// What it comes from.
    pub cause: &'static str,
    /// What to look at, to know for sure.
    pub evidence: &'static str,
    /// What to do about it.
    pub cure: &'static str,
    /// What else is said of a profile for this very reason, and is not said beside it.
    pub explains: &'static [&'static str],
}

/// The entry of a code, in letters of either case and with or without its zeros.
#[must_use]
pub fn entry(code: &str) -> Option<&'static Entry> {
    let number = code.get(1..)?.parse::<u16>().ok()?;
    let code = format!("{}{number:03}", code.get(..1)?);
    ENTRIES
        .iter()
        .find(|entry| entry.code.eq_ignore_ascii_case(&code))
}

const fn one(
    code: &'static str,
    title: &'static str,
    cause: &'static str,
    evidence: &'static str,
    cure: &'static str,
) -> Entry {
    Entry {
        code,
        title,
        cause,
        evidence,
        cure,
        explains: &[],
    }
}

impl Entry {
    /// The same, which is why others are so.
    const fn that_explains(self, explains: &'static [&'static str]) -> Self {
        Self { explains, ..self }
    }
}

/// All codes, in their order. A code is never given to another oddity.
pub static ENTRIES: &[Entry] = &[
    one(
        "W001",
        "there is no executable, or no library for its profile: functions are shown by address",
        "A gmon.out, or a profile of LD_PROFILE, has addresses and no names. No executable was \
         given and there is no a.out in this folder, or the library that was profiled was not \
         given.",
        "`profan -i gmon.out` shows which addresses the profile covers. The name of a profile \
         of LD_PROFILE is that of the library, with .profile behind it.",
        "Give what wrote the profile: `profan gmon.out ./PROGRAM`, or `profan libm.so.6.profile \
         /lib/libm.so.6`. `profan doctor PROGRAM` says which profiles may be its.",
    ),
    one(
        "W002",
        "the profile is of another kind of machine than the executable",
        "The words of the profile have another size or byte order than those of the \
         executable, so they cannot be of one program.",
        "`profan -i gmon.out` says how the profile stores words, and `file PROGRAM` for \
         what machine the executable is.",
        "Give the executable that ran: that of the target, not one built for this machine.",
    )
    .that_explains(&["W003", "W004", "W008", "W009", "W034"]),
    one(
        "W003",
        "the program was loaded elsewhere, or no address of the profile lies in its code",
        "Position-independent programs are loaded elsewhere than they were linked for. Where \
         one load address makes everything fit, callees, calls and the end of the histogram, \
         the advice has it; where none does, it is another program. This is said before the \
         report, all of which may be wrong.",
        "`profan -i gmon.out ./PROGRAM` says what was compared, and what fits. The range of the \
         profile and the addresses of `nm PROGRAM` differ by whole pages if it was loaded \
         elsewhere.",
        "Say with `--base ADDRESS` where it was loaded, or give the executable that wrote the \
         profile. Linking with -no-pie makes both the same. --strict refuses a program no \
         address of which fits.",
    )
    .that_explains(&["W004", "W008", "W009"]),
    one(
        "W004",
        "the executable is not the build that was profiled",
        "What was recorded cannot be of its machine code: the executable was built again since \
         the profile was written, so functions have moved, or it is another program. This is \
         said before the report, all of which may be wrong.",
        "`profan -i gmon.out ./PROGRAM` lists all that was compared: where recorded functions \
         count their calls, where calls come from, where the histogram ends, ticks where no \
         code runs. docs/verdict.md says how that is weighed. Of several profiles, the message \
         names the one that does not fit.",
        "Give the executable as it was when it ran, or run the new one. --strict refuses \
         another build.",
    )
    .that_explains(&["W008", "W009"]),
    one(
        "W005",
        "the executable was not built with -pg",
        "Nothing in the executable calls the hook that counts calls.",
        "`nm PROGRAM | grep mcount` finds nothing; `profan doctor PROGRAM` says what of it was \
         built how.",
        "Compile and link with -pg, run, and give that executable.",
    )
    .that_explains(&["W006", "W007"]),
    one(
        "W006",
        "there are no ticks, so there are no times",
        "The program ran for less than a tick, as a rule a hundredth of a second, or spent its \
         time where the profiler does not sample: waiting, in the kernel, in shared libraries \
         and, on some systems, in other threads. Where there are no calls either, the file may \
         have been cut off behind its header.",
        "`profan -i gmon.out` counts ticks; `time ./PROGRAM` says how much user time there was, \
         and `profan --wall TIME` how much of it is covered.",
        "Let the program run longer, or link it with -static so that libraries count.",
    ),
    one(
        "W007",
        "there are no calls, so there is no call graph",
        "Only files that are compiled with -pg count calls; linking with it is enough for \
         ticks. What samples from outside never counts calls. LD_PROFILE counts them where they \
         are bound when first made. Where the executable counts calls, the file may have been \
         cut off behind the times.",
        "`profan -i gmon.out` lists no arcs; `profan doctor PROGRAM` says how much of the code \
         counts calls.",
        "Compile every file with -pg. For LD_PROFILE, link with -z lazy what calls the library, \
         and leave LD_BIND_NOW unset.",
    ),
    one(
        "W008",
        "ticks are in no function",
        "Some of the time went by in code that no symbol covers: stripped parts, boot \
         loaders, code that was made while running.",
        "`profan -p --format json` has these ticks in its totals; `nm -n PROGRAM` shows where \
         names are missing.",
        "Keep the symbols of all parts, or give a table of them with -S.",
    ),
    one(
        "W009",
        "calls lead to no function",
        "Functions were called whose addresses no symbol of the executable covers.",
        "`profan -i gmon.out` counts all calls; the report has fewer.",
        "Give the executable that wrote the profile, with its symbols.",
    ),
    one(
        "W010",
        "the executable is stripped, and no debug file was found",
        "Its symbol table was taken out, at most the names for dynamic linking are left.",
        "`nm PROGRAM` says that there are no symbols.",
        "Give the executable before it was stripped, or say with --debug-dir where its \
         debug file is.",
    )
    .that_explains(&["W008", "W009", "W026"]),
    one(
        "W011",
        "a file is cut off or damaged, and is used up to there",
        "The program was killed while it wrote, the disk was full, a transfer ended early or \
         changed bytes, or a serial line lost some of a hexdump.",
        "The message has the byte, or the line, at which the file stops making sense; compare \
         with the size of the file.",
        "Fetch the file again, or let the program run to its end. --strict refuses such files.",
    )
    .that_explains(&["W005", "W006", "W007", "W039"]),
    one(
        "W012",
        "bins hold the most ticks that fits",
        "Ticks are counted in 16 bits, as a rule, so that 65535 is the most. What came after \
         the last that fits is lost, or was counted from 0 again.",
        "The functions in question are marked `(at least)`. `profan -i gmon.out` says how wide \
         the counters are.",
        "Profile several shorter runs, and give all their files at once: they are added up \
         without that limit. Where the counters are wider than the layout implies, say so with \
         --counter-bits.",
    ),
    one(
        "W013",
        "bins are larger than functions",
        "The profile was taken with few bins for much code, so that one bin has ticks of \
         several functions. They are shared out by size.",
        "`profan -i gmon.out` says how many bytes a bin has.",
        "Profile with finer bins where the system lets you choose, or read the times of \
         neighbours together.",
    ),
    one(
        "W014",
        "the rate of the profile is 0",
        "Whoever wrote the file left out how many ticks a second has. Times are in ticks.",
        "`profan -i gmon.out` shows the rate.",
        "Say with --rate how many ticks a second has, or compare shares, which are right, and \
         not times.",
    ),
    one(
        "W015",
        "the rate is assumed, for the layout has none",
        "The oldest layout of BSD has no place for the rate; that of its time is taken.",
        "`profan -i gmon.out` names the layout.",
        "Say with --rate how many ticks a second the machine's clock had, if it was another \
         number.",
    ),
    one(
        "W016",
        "the rate differs between files",
        "Profiles of machines or settings with different clocks are added up. Ticks are \
         converted to the highest rate, which also stands for files that have none.",
        "`profan -i FILE…` shows the rate of each.",
        "Nothing needs doing if that is what you wanted; --rate gives all the same rate, or \
         report them one by one.",
    ),
    one(
        "W017",
        "1 % or more of the ticks, those of the profiler's own functions, were left out",
        "Counting calls takes time, which is sampled too. It is not the program's. Where it is \
         less, it is counted below the report and no warning.",
        "The message says how much it is.",
        "Nothing needs doing. Where it is much, functions that are called often are slower here \
         than without -pg.",
    ),
    one(
        "W018",
        "a debug file was found and is not of this build",
        "Its build-id or checksum differs from what the executable says.",
        "`readelf -n` shows the build-ids of both.",
        "Install the debug file of this very build, or say with --debug-dir where it is.",
    ),
    one(
        "W019",
        "counts of basic blocks were left out",
        "The profile counts basic blocks, which are parts of lines, and this report is by \
         function.",
        "`profan -i gmon.out` says how many blocks there are.",
        "Add -l to use them.",
    ),
    one(
        "W020",
        "a part of the debugging information cannot be read",
        "It is damaged, or in a form that is not known here. What can be read is used.",
        "`readelf --debug-dump=info PROGRAM` complains too, as a rule.",
        "File names and lines may be missing: build again, or with another version of DWARF \
         (-gdwarf-4).",
    ),
    one(
        "W021",
        "a source cannot be found",
        "It is not where it was when the program was built, nor in this folder.",
        "The message has the name as it was recorded.",
        "Say with -I DIR in which folder it is, or with --path-map OLD=NEW where the whole \
         tree is.",
    ),
    one(
        "W022",
        "a source is newer than the executable",
        "It was changed after the program was built, so that counts may stand beside the \
         wrong lines.",
        "Compare the times of the two files.",
        "Fetch the source as it was, or build and run again.",
    ),
    one(
        "W023",
        "an annotated file cannot be written",
        "-y writes files NAME-ann into this folder, and the system refused one.",
        "The message has what the system said.",
        "Use -y in a folder where these files can be written.",
    ),
    one(
        "W024",
        "calls in the code of this kind of machine cannot be told",
        "-c looks for calls in machine code, and knows that of x86, x86-64 and AArch64.",
        "`file PROGRAM` says for what machine it is.",
        "Leave -c out: calls that were recorded are shown.",
    ),
    one(
        "W025",
        "a symspec fits nothing in the program (in reports kept from earlier versions)",
        "Reports that were kept as JSON may say so; a report that is made today ends with \
         E024 instead.",
        "The message has the symspec.",
        "Make the report anew with a name that is there.",
    ),
    one(
        "W026",
        "many call sites of an allocation profile have no name",
        "The profile names few of the functions that its addresses lie in, or the program \
         that was given does not cover them.",
        "`profan -q` shows 0x… where names should be.",
        "Give the program that wrote the profile, with its symbols, or say with --base \
         where it was loaded.",
    ),
    one(
        "W027",
        "more blocks were freed than allocated",
        "The profile is damaged, or was started after the first blocks were allocated.",
        "The columns of allocated and of unfreed blocks contradict each other.",
        "Let profiling start before the first allocation.",
    ),
    one(
        "W028",
        "a report or an option needs what this kind of profile does not record",
        "Not every kind of profile has everything. What can be reported is; where that is \
         nothing at all, it is E026.",
        "`profan -i FILE` says what is in a file, and `profan help formats` what each kind \
         has.",
        "Leave the option out for this file, or record what it needs.",
    ),
    one(
        "W029",
        "where a position-independent program was loaded is a guess",
        "Each run is loaded elsewhere, and few of the recorded addresses tell where this \
         one was.",
        "`profan -l` shows lines that make no sense if the guess is wrong.",
        "Say with --base where it was loaded, or link with -no-pie.",
    ),
    one(
        "W030",
        "a trace frees a block twice",
        "The program freed or reallocated a block that it had freed.",
        "`mptrace -v -s` lists every event; the message has the first.",
        "Look at the place that is named for a block that is freed twice, or used after it \
         was freed.",
    ),
    one(
        "W031",
        "a trace frees what was never allocated",
        "The program freed something that malloc did not give it, or blocks from before \
         the trace began.",
        "`mptrace -v -s` lists every event; the message has the first.",
        "Look for a pointer that never came from malloc.",
    ),
    one(
        "W032",
        "a trace allocates what is in use",
        "No library writes this: the file is damaged.",
        "`mptrace -v -s` lists every event; the message has the first.",
        "Fetch the file again.",
    ),
    one(
        "W033",
        "functions and calls of the profile are not where those of the executable are",
        "The executable is another build than the one that ran: names that the profile has \
         start elsewhere in it, or return addresses are behind no call. It is not used, since \
         it would give wrong names. This is said before the report.",
        "`profan -i mpatrol.out ./PROGRAM` lists what was compared; docs/verdict.md says how \
         that is weighed.",
        "Give the executable that wrote the profile, or say with --base where it was loaded. \
         --strict refuses another build.",
    )
    .that_explains(&["W026", "W029"]),
    one(
        "W034",
        "a little of what was recorded cannot be of this executable",
        "A single function or call does not fit, of many that do: perhaps it is another build, \
         in which little has moved, or code was changed while it ran.",
        "`profan -i gmon.out ./PROGRAM` lists what fits and what does not.",
        "Give the executable as it was when it ran. If it is that one, read what was said not \
         to fit with care.",
    ),
    one(
        "W038",
        "calls lead out of the program or come from there",
        "The hook that counts calls serves every shared object of the process that was built \
         with -pg, but the ticks of a gmon.out are those of the program alone: the time of that \
         code is missing.",
        "The message has the addresses, which are where the loader put shared objects. `ldd \
         PROGRAM` lists them.",
        "Link these objects into the program itself (-static, or as .a files), or profile one \
         library at a time with LD_PROFILE.",
    ),
    one(
        "W039",
        "samples cover less than half of the run",
        "Code of shared libraries and of the system has no samples, nor have processes that the \
         program started; counting calls takes time there too. Without a processor time, what \
         the program waited counts as missing.",
        "The section about the run says how the time of --wall is split. `ldd PROGRAM` lists \
         shared libraries.",
        "Link statically, or profile a library with LD_PROFILE. Give --wall what `time` \
         printed, which tells work from waiting.",
    )
    .that_explains(&["W006"]),
    one(
        "W040",
        "no processor worked on the program for most of its time",
        "It waited: for files, the network, other processes, locks or a busy machine. A profile \
         has no samples of that.",
        "The section about the run says how the time of --wall is split.",
        "See whether the machine was busy. A tracer of system calls, such as `strace -c -w` or \
         ktrace, says what it waits for.",
    ),
    one(
        "W041",
        "samples cover more than the run",
        "The profiles are of more than that run, threads or processes ran at the same time, or \
         the clock does not tick as fast as the header says.",
        "`profan -i FILE…` counts ticks and shows the rate of each file.",
        "Give --wall the time of all runs whose profiles are given, as `time` printed it. If \
         the clock was another, say so with --rate.",
    ),
    one(
        "W045",
        "a profile of a library has calls and no time",
        "The library took less than a tick, or the program was linked with -pg: it then took \
         the profiling clock, of which there is one, for itself.",
        "`profan doctor PROGRAM` says whether the program was linked with -pg.",
        "Link the program without -pg, and run it with LD_PROFILE once more, for long enough.",
    ),
    one(
        "W046",
        "a profile has the name of another library than the one it is taken for",
        "LD_PROFILE names a profile after its library. There is only one library that this one \
         can be of, and it is called otherwise.",
        "The message has both names.",
        "Give the library of that name, or call the profile SONAME.profile if it is of this \
         one.",
    ),
    one(
        "W047",
        "a library is not the build that was profiled",
        "Its code lies elsewhere than the profile says, or recorded calls do not lead to starts \
         of functions: it was updated or built again since. This is said before the report.",
        "Compare the times of the two files. `readelf -lW LIBRARY` shows where its code lies, \
         and `profan -i FILE` what the profile covers.",
        "Give the library as it was when it ran, or run the program again. --strict refuses \
         another build.",
    )
    .that_explains(&["W008", "W009"]),
    one(
        "W048",
        "profiles of several objects are of different numbers of runs",
        "LD_PROFILE goes on in a file that is there, so that it is of all runs since; a \
         gmon.out is of the last one only.",
        "The message has the number of runs of each.",
        "Compare times within one object only, or remove the files and run as often for each.",
    ),
    one(
        "W056",
        "no line of the source is known, so there is no annotated source",
        "The executable was built without -g or was stripped and says of no code which line it \
         is from, or there is no executable.",
        "`readelf -S PROGRAM | grep debug_line` finds nothing.",
        "Compile with -g beside -pg, and do not strip the program; -p and -q need no lines.",
    ),
    one(
        "W059",
        "no function is in the expression of --keep",
        "Each name in it is there, but taken together it has nothing: the parts of an \
         (and …) have nothing in common, or no function has so large a share.",
        "Leave parts out, one by one.",
        "Ask for less; `profan help keep` explains the language.",
    ),
    one(
        "W060",
        "--fail-on names what is never said of these profiles",
        "Of sampled time it is said that it is slower, faster or unclear, for chance has a part \
         in it; of what was counted that it is more or less. Calls have to be counted for \
         `calls`, and only heaps have `leaks`. A gate that can refuse nothing looks like one \
         that found nothing.",
        "The message names the reasons that cannot be given.",
        "Name those that can: slower for time; more, calls or leaks for what is counted.",
    ),
    one(
        "W061",
        "--rename fits no function of the old side",
        "OLD of OLD=NEW is a regular expression that is looked for in the names that functions \
         have on the old side; none has it, so that nothing was renamed.",
        "`profan -p -z` lists the functions of a program.",
        "Correct the expression: dots, brackets and asterisks have a meaning, unless there is a \
         backslash before them.",
    ),
    one(
        "W062",
        "names stay in the spelling of the linker, since demangling takes too much",
        "A mangled name can repeat parts of itself, and parts of these: few bytes stand for \
         gigabytes. Names that nest too deeply or need more than 262,144 steps stay raw, and so \
         do those that need more than 8 steps for each of their bytes once others have taken \
         33,554,432 beyond 32 for each; a name that many functions share counts for each of \
         them. It is known when all is shown, so that no report has it in itself.",
        "`profan --demangle=none` shows names as they are in the file.",
        "Look at how the program was made: no compiler writes such names.",
    ),
    one(
        "W063",
        "long names are cut, since too many share them",
        "String tables let many symbols share a name, or the end of it. Where names of more than \
         1,000 bytes would take 16 MiB more than four times what is stored of them, the longest \
         are cut to what there is room for, in all that is shown of them.",
        "The message has the number of names and their length.",
        "Look at how the file was made: linkers store long names for a few functions each.",
    ),
    one(
        "W064",
        "debugging information would take more memory than its size can justify",
        "What is packed in the program unpacks to far more than any compiler writes, or its \
         tables of lines, files and functions are far larger than the file. What would be too \
         large is passed over: lines and names of files may be missing.",
        "`readelf -SW PROGRAM` lists the sections, those that are packed with a C.",
        "Build again, or ask where the program is from; --limit-memory raises what is held.",
    ),
    one(
        "W065",
        "what has the name of a source is none",
        "The debugging information, or --path-map, leads to a folder, a pipe, a socket, a \
         device, a file of the kernel or one of more than 64 MiB. It was not opened: reading \
         such a thing may never end, or take from it what others wait for.",
        "The message has the path, and what is there.",
        "Say with --path-map OLD=NEW where the source is, and do not trust a program that \
         names such a file.",
    ),
    one(
        "E001",
        "a file cannot be read",
        "It is not there, may not be read, or is a folder.",
        "The message has what the system said.",
        "Look at the spelling, the folder and the permissions. A SPEC is attached to its \
         option: `-pmain`. `profan doctor PROGRAM` looks for profiles.",
    ),
    one(
        "E002",
        "a file is empty",
        "A program that is built with -pg opens its gmon.out where it ends and writes it \
         at once: this one did not come so far, or the disk was full.",
        "`ls -l` says 0 bytes.",
        "Let the program return from main or call exit(), and look for space on the disk.",
    ),
    one(
        "E003",
        "a file is no profile",
        "The message says what it is instead, as far as its first bytes tell.",
        "`file FILE` says what it is.",
        "Give the profile that the program wrote, and the program. A file in a layout of its \
         own may be read with -O; what shows the bytes of a profile, as a serial log or a \
         hexdump does, with --from-hexdump.",
    ),
    one(
        "E004",
        "a profile is malformed",
        "It starts as a profile does, and then contradicts itself, or --strict refuses what is \
         left of it.",
        "The message has the byte, and what should be there.",
        "Fetch the file again, or let the program run again to its end.",
    ),
    one(
        "E005",
        "a file is no executable that can be used",
        "It is cut off or damaged, of a kind that is not read here, or a table without any \
         function.",
        "`readelf -h` and `nm` say what they make of it.",
        "Give the linked program as it was run, with its symbols.",
    ),
    one(
        "E006",
        "a profile cannot be added to those before it",
        "Only profiles of one program and of one kind have a sum; those of a program and of its \
         libraries can stand beside each other.",
        "`profan -i FILE…` shows what each has.",
        "Report them one by one.",
    ),
    one(
        "E007",
        "there is no profile",
        "None was given, and none of the usual names is in this folder.",
        "`ls` shows no gmon.out, mpatrol.out or mpatrol.trace. `profan doctor PROGRAM` says \
         where the program writes one, and which profiles lie about.",
        "Build with -pg and run the program to its end: it writes gmon.out into the folder in \
         which it then is.",
    ),
    one(
        "E008",
        "there are two executables, and the second is no library that a profile is of",
        "A gmon.out is of one program. Libraries stand beside it if there are profiles of \
         theirs.",
        "The message has both names.",
        "Give one executable, and the profiles that it wrote.",
    ),
    one(
        "E009",
        "the table of an MLton program is missing",
        "mlmon.out has numbers only; the program prints what they are of.",
        "The first line of the profile has the build, and so has that of the table.",
        "Give the table too: `./a.out @MLton show-sources > show-prof.txt`.",
    ),
    one(
        "E010",
        "`-s` is for gmon.out only",
        "Other kinds of profiles, and those of LD_PROFILE, have no form in which a sum could be \
         written.",
        "`profan -i FILE` says what kind it is.",
        "Give all profiles at once to any report, which adds them up; or keep the report with \
         -o report.json.",
    ),
    one(
        "E011",
        "a kept report stands beside other files",
        "A report stands for its profile and its program by itself.",
        "The message has its name.",
        "Give it alone.",
    ),
    one(
        "E012",
        "a kept report is malformed",
        "It was cut off, or changed by something else.",
        "The message has the place; `jq . FILE` may say more.",
        "Make it anew with --format json.",
    ),
    one(
        "E013",
        "a kept report has not what was asked for",
        "A report has the parts that it was made with.",
        "The message lists them.",
        "Make it anew from the profile, with the option for this.",
    ),
    one(
        "E014",
        "the profile has no value of that name",
        "--value names what the rows are sorted by, and profiles have different ones.",
        "The message lists them; `profan -i FILE` does too.",
        "Name one of those, or leave --value out.",
    ),
    one(
        "E015",
        "the format can show nothing of the report",
        "csv and tsv show one table; lcov, dot and junit show one kind each; markdown shows no sources.",
        "The message says which formats can.",
        "Choose one report, such as -p or -q, or another --format.",
    ),
    one(
        "E016",
        "it is not clear which library a profile is of",
        "Several of the libraries that were given can be that of a profile of LD_PROFILE, by \
         name and by addresses; or only a program was given, which is none.",
        "The message has the names; `profan -i FILE` shows what the profile covers.",
        "Call the profile SONAME.profile, as LD_PROFILE does, or give only the library that it \
         is of. A program goes with a gmon.out.",
    ),
    one(
        "E017",
        "the file of --wall has no times",
        "--wall takes seconds, or a file with what `time` printed.",
        "The message says how far the file was understood.",
        "Write one with `time -p ./PROGRAM 2> time.txt`, or give the seconds: `--wall 12.5`.",
    ),
    one(
        "E019",
        "a file of --from-hexdump shows no bytes, or two different ones at one address",
        "It is no dump of memory, a profile as it is, or a log with the dumps of several runs.",
        "The message has the line, and the address where two dumps differ.",
        "Leave --from-hexdump out for files that are profiles as they are; leave one dump in \
         the file, or dump the memory again.",
    ),
    one(
        "E023",
        "a trace has not as many events as were asked for",
        "The point of --between is behind the end of the trace.",
        "The message has the number of events; `profan -i FILE` does too.",
        "Name an event that is there, or start, peak or end.",
    ),
    one(
        "E024",
        "nothing is called what was asked for",
        "A symspec, or a \"REGEXP\" of --keep, fits no function, file, library or line of the \
         program.",
        "`profan -p -z` lists all functions, and --no-demangle their names for the linker.",
        "Take one of the nearest names in the message. `profan help symspec` says how names are \
         written.",
    ),
    one(
        "E025",
        "a name could be one of several functions",
        "Without its namespaces it fits functions of different names, and more than one of \
         them took part in the run.",
        "The message lists them.",
        "Write the namespaces too, or a `*` for all of them, as in `-p'*::run'`.",
    ),
    one(
        "E026",
        "nothing of what was asked for can be reported",
        "This kind of profile does not record what the reports need. No file is written.",
        "`profan -i FILE` says what is in the file, and `profan help formats` what each kind \
         has.",
        "Ask for another report, or record what it needs.",
    ),
    one(
        "E027",
        "what runs through a function is not known",
        "--focus and --ignore need stacks, or calls: neither was recorded, or the function is \
         inlined code only, to which no call leads.",
        "`profan -i FILE` says whether the file has calls or call stacks.",
        "Record them as the message says, or choose functions by -p and --keep.",
    ),
    one(
        "E028",
        "no section of the report has a column of that name",
        "--sort or --columns names something that this kind of profile does not have, or \
         that is spelled in another way. Columns are called as in CSV and JSON; `self` and \
         `total` will do for `self_seconds` and `total_seconds`.",
        "The message lists the columns that there are.",
        "Take one of those.",
    ),
    one(
        "E029",
        "a report cannot be written to the file of -o",
        "The folder is not there or may not be written to, or the file is one that the report \
         is made from: the next word behind -o is always what is written.",
        "The message has the file, and what the system says of it.",
        "Give -o the name of a file that is not there yet, in a folder that is; only the sum of \
         -s may take the place of one of its parts.",
    ),
    one(
        "E030",
        "it is not clear which files are the old side and which the new",
        "Without `--` there have to be two profiles, the old one first, and one executable for \
         both or two in their order; with it at least one profile or kept report on each side. A \
         baseline is the old side.",
        "The message says how many profiles there are, or which side has none.",
        "Put `--` between the sides: profan diff OLD... -- NEW....",
    ),
    one(
        "E031",
        "profiles that are to be compared measure different things",
        "Both sides, and all runs of a side, have to be of one kind and count the same: time \
         with time, the same events of callgrind in the same order.",
        "The message says what is measured on either side; `profan -i FILE` says it of a file.",
        "Record both sides in the same way.",
    ),
    one(
        "E032",
        "a kept report does not say what each function costs",
        "The report was made without its flat profile, or has only some of its functions, as \
         with --top or --focus; what is missing would look as if it were gone.",
        "The message says which of these it is.",
        "Keep the whole report: `profan -o FILE.json ...`, or `profan diff --baseline FILE.json \
         --update ...`.",
    ),
    one(
        "E033",
        "more memory is needed than there may be in use",
        "A file asks for more than an ordinary machine has, or many files do together. What was \
         written to a file before is as it was.",
        "The message has the limit. docs/reliability.md says how much a file of some size takes.",
        "Where the files are trusted, raise the limit: --limit-memory 8G. Else give fewer files \
         at once, or leave out what asks for lines, -l, -A and --inlines.",
    ),
    one(
        "E034",
        "a compressed file unpacks to far more than its size can justify",
        "A few bytes can be made to unpack to gigabytes. A profile may unpack to 32 times its \
         size and 4 MiB (a 1024th of what --limit-memory lets be in use); zeros of histograms \
         do not count, since much of a large program never runs.",
        "The message has the place, in bytes of what it unpacks to.",
        "Where the file is trusted, unpack it first, or raise the limit: --limit-memory 16G.",
    ),
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_code_that_is_said_has_one_entry() {
        let sources = [
            include_str!("warning.rs"),
            include_str!("failure.rs"),
            include_str!("run_time.rs"),
        ];
        let quoted = sources.iter().flat_map(|source| source.split('"'));
        let is_code = |text: &&str| {
            let digits = text.strip_prefix(['W', 'E']);
            digits.is_some_and(|d| d.len() == 3 && d.bytes().all(|byte| byte.is_ascii_digit()))
        };
        let said: BTreeSet<_> = quoted.filter(is_code).collect();
        assert!(said.len() > 40, "{said:?}");
        let listed: Vec<_> = ENTRIES.iter().map(|entry| entry.code).collect();
        for code in &said {
            let n_entries = listed.iter().filter(|listed| *listed == code).count();
            assert_eq!(n_entries, 1, "{code}");
        }
        let retired = ["W025"];
        for code in listed {
            assert!(said.contains(code) || retired.contains(&code), "{code}");
        }
    }

    #[test]
    fn entries_are_sentences_in_the_order_of_their_codes() {
        let rank = |entry: &Entry| (entry.code.starts_with('E'), entry.code);
        assert!(ENTRIES.is_sorted_by_key(rank));
        for one in ENTRIES {
            for text in [one.cause, one.evidence, one.cure] {
                assert!(text.ends_with('.'), "{}: {text}", one.code);
            }
            for explained in one.explains {
                assert!(entry(explained).is_some(), "{}: {explained}", one.code);
            }
        }
        assert_eq!(entry("w3").map(|entry| entry.code), Some("W003"));
        assert!(entry("W").is_none() && entry("äW").is_none() && entry("W+03x").is_none());
    }
}
