//! The behaviour on a terminal: the width, the pager, colour, and leaving early.

use std::io::{Read, Write};
use std::num::NonZero;
use std::path::Path;
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

use portable_pty::{CommandBuilder, ExitStatus, MasterPty, PtySize, native_pty_system};
use vt100::Color;

use crate::support::Scratch;

/// A limit for the time of each run.
const PATIENCE: Duration = Duration::from_secs(20);

/// A program that runs on a terminal.
pub(crate) struct Session {
    pub(crate) master: Box<dyn MasterPty>,
    /// Kept, since it ends a line when it is dropped.
    keys: Box<dyn Write + Send>,
    pub(crate) child: Box<dyn portable_pty::Child + Send + Sync>,
    output: Receiver<Vec<u8>>,
    pub(crate) screen: vt100::Parser,
    pub(crate) seen: Vec<u8>,
    /// The directory in which it runs.
    scratch: Scratch,
}

/// The final contents of the terminal.
pub(crate) struct Seen {
    /// All that was written, in lines.
    pub(crate) text: String,
    pub(crate) screen: vt100::Parser,
    pub(crate) status: ExitStatus,
}

/// The columns and lines of a terminal.
pub(crate) type Size = (u16, u16);

impl Session {
    /// Runs `profan` on a copy of a fixture. Its environment has only the variables that are
    /// needed to find programs.
    pub(crate) fn start(fixture: &str, line: &str, size: Size, env: &[(&str, &str)]) -> Self {
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_profan"));
        command.args(line.split(' ').filter(|word| !word.is_empty()));
        Self::run(command, copy_of(fixture), size, env)
    }

    /// Runs a command in a directory.
    pub(crate) fn run(
        mut command: CommandBuilder,
        scratch: Scratch,
        (cols, rows): Size,
        env: &[(&str, &str)],
    ) -> Self {
        let size = PtySize { rows, cols, ..PtySize::default() };
        let pair = native_pty_system().openpty(size).expect("there are terminals");
        command.cwd(scratch.path());
        command.env_clear();
        command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
        command.env("TERM", "xterm");
        for (name, value) in env {
            command.env(name, value);
        }
        let child = pair.slave.spawn_command(command).expect("the program runs");
        let mut reader = pair.master.try_clone_reader().expect("terminals can be read");
        let (sender, output) = mpsc::channel();
        thread::spawn(move || {
            let mut piece = [0; 4096];
            // The end of the program is an error of its terminal.
            while let Ok(length @ 1..) = reader.read(&mut piece) {
                if sender.send(piece[..length].to_vec()).is_err() {
                    break;
                }
            }
        });
        Self {
            keys: pair.master.take_writer().expect("keys can be pressed"),
            master: pair.master,
            child,
            output,
            screen: vt100::Parser::new(of_screen(rows), of_screen(cols.max(1)), 0),
            seen: Vec::new(),
            scratch,
        }
    }

    /// Looks until the screen shows this.
    pub(crate) fn wait_for(&mut self, text: &str) {
        let end = Instant::now() + PATIENCE;
        while !self.screen.screen().contents().contains(text) {
            let left = end.saturating_duration_since(Instant::now());
            let piece = self.output.recv_timeout(left);
            let Ok(piece) = piece else {
                panic!("`{text}` was not shown:\n{}", self.screen.screen().contents());
            };
            self.see(&piece);
        }
    }

    /// Looks until so many frames of a full screen were drawn, the last one of them whole.
    pub(crate) fn wait_for_frames(&mut self, n_frames: usize) {
        const END: &[u8] = b"\x1b[J";
        let end = Instant::now() + PATIENCE;
        let n_seen = |seen: &[u8]| seen.windows(END.len()).filter(|at| *at == END).count();
        while n_seen(&self.seen) < n_frames || !self.seen.ends_with(END) {
            let left = end.saturating_duration_since(Instant::now());
            let piece = self.output.recv_timeout(left);
            let piece = piece.unwrap_or_else(|_| {
                panic!("no further frame:\n{}", self.screen.screen().contents())
            });
            self.see(&piece);
        }
    }

    /// Looks until these bytes were written.
    pub(crate) fn wait_for_bytes(&mut self, bytes: &[u8]) {
        let end = Instant::now() + PATIENCE;
        while !self.seen.windows(bytes.len()).any(|at| at == bytes) {
            let left = end.saturating_duration_since(Instant::now());
            let piece = self.output.recv_timeout(left).expect("it is written");
            self.see(&piece);
        }
    }

    /// Closes the terminal, and leaves the program, which answers Enter.
    pub(crate) fn hang_up(self) -> Box<dyn portable_pty::Child + Send + Sync> {
        // The reading thread holds the terminal too. It ends at the first bytes without a
        // receiver: the answer to the line that `keys` ends.
        drop(self.output);
        drop(self.keys);
        self.child
    }

    /// The directory in which the program runs.
    pub(crate) fn scratch(&self) -> &Path {
        self.scratch.path()
    }

    fn see(&mut self, piece: &[u8]) {
        self.screen.process(piece);
        self.seen.extend_from_slice(piece);
    }

    pub(crate) fn press(&mut self, keys: &str) {
        let pressed = self.keys.write_all(keys.as_bytes());
        pressed.and_then(|()| self.keys.flush()).expect("keys can be pressed");
    }

    /// Looks to the end.
    pub(crate) fn finish(mut self) -> Seen {
        let end = Instant::now() + PATIENCE;
        let status = loop {
            if let Some(status) = self.child.try_wait().expect("the program was started") {
                break status;
            }
            assert!(Instant::now() < end, "the program does not end");
            if let Ok(piece) = self.output.recv_timeout(Duration::from_millis(10)) {
                self.see(&piece);
            }
        };
        while let Ok(piece) = self.output.recv_timeout(Duration::from_millis(100)) {
            self.see(&piece);
        }
        let text = String::from_utf8_lossy(&self.seen).replace("\r\n", "\n");
        Seen { text, screen: self.screen, status }
    }
}

/// A copy of a fixture.
pub(crate) fn copy_of(fixture: &str) -> Scratch {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    Scratch::copy_of(&fixtures.join(fixture))
}

fn of_screen(size: u16) -> NonZero<u16> {
    NonZero::new(size).expect("screens have a size")
}

/// The output of `profan` on a terminal of that size, in a copy of a fixture.
pub(crate) fn run(fixture: &str, line: &str, size: Size, env: &[(&str, &str)]) -> Seen {
    Session::start(fixture, line, size, env).finish()
}

/// A pager that shows all, between two marks.
const MARKING: (&str, &str) = ("PROFAN_PAGER", "sh -c 'echo \"<<<\"; cat; echo \">>>\"'");

/// The end of the tour's report.
const LAST_ENTRY: &str = "  divides [9]";

/// A line without colours.
fn plain(line: &str) -> String {
    let mut parts = line.split('\x1b');
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        plain.push_str(part.split_once('m').map_or("", |(_, rest)| rest));
    }
    plain
}

/// The report alone, without messages on standard error.
pub(crate) fn report_of(seen: &Seen) -> Vec<String> {
    let mut is_said = false;
    let lines = seen.text.lines().map(plain);
    lines
        .filter(|line| {
            is_said = line.starts_with("profan: ") || is_said && line.starts_with("  ");
            !is_said
        })
        .collect()
}

/// Profiles of every kind, and the function that is hottest.
const KINDS: &[(&str, &str, &str)] = &[
    ("tour", "gmon.out primes", "is_odd"),
    ("gprof/cxx-o2", "dense.gmon prog", "geo::visible"),
    ("gprof/fortran", "gmon.out prog", "smooth"),
    ("tour", "mpatrol.out basic", "grow"),
    ("tour", "-p mpatrol.trace basic", "grow"),
    ("tour", "time.txt time.out", "Vm.run.step"),
    ("tour", "callgrind.out", "insertion_sort"),
    ("callgrind/shapes", "callgrind.out", "main"),
];

#[test]
fn no_line_is_wider_than_the_terminal_and_the_hottest_function_comes_first() {
    for columns in [40, 60, 80, 120] {
        for (fixture, files, hottest) in KINDS {
            let line = format!("--pager never --all --explain {files}");
            let seen = run(fixture, &line, (columns, 24), &[]);
            assert!(seen.status.success(), "for {fixture} {files}");
            let lines = report_of(&seen);
            let first = &lines[..lines.len().min(24)];
            let is_there = first.iter().any(|line| line.contains(hottest));
            assert!(is_there, "`{hottest}` is not in the first screen of {files}: {first:#?}");
            for line in &lines {
                let width = line.chars().count();
                assert!(width <= usize::from(columns), "{width} columns: {line}");
            }
        }
    }
}

#[test]
fn messages_fit_the_terminal_and_keep_names_and_commands_whole() {
    let lines = |line: &str| {
        let seen = run("tour", line, (60, 24), &[]);
        seen.text.lines().map(plain).collect::<Vec<_>>()
    };
    let expected = [
        "profan: error[E023]: the calls through a function of --focus",
        "  or --ignore are not known: a trace records which function",
    ];
    assert_eq!(lines("-q --focus grow mpatrol.trace basic")[..2], expected);
    let expected = [
        "profan: error[E020]: no function named `main/divides`",
        "  help: write one function, or a file without its directory;",
        "        only -q, -Q and -k take FROM/TO",
    ];
    assert_eq!(lines("--focus main/divides gmon.out"), expected);
    let expected = [
        "profan: error: invalid value 'src' for",
        "  '--path-map <OLD=NEW>': write the old and the new start of",
        "  a path as OLD=NEW",
        "  help: profan --help",
    ];
    assert_eq!(lines("--path-map src gmon.out"), expected);
}

#[test]
fn rows_of_other_reports_fit_too() {
    let lines = [
        ("tour", "-A gmon.out primes"),
        ("tour", "-l -p gmon.out primes"),
        ("tour", "-C gmon.out primes"),
        ("tour", "-T gmon.out primes"),
        ("tour", "mpatrol.trace basic"),
        ("tour", "--coverage show-prof.txt mlmon.out"),
        ("gprof/cxx-o2", "-T dense.gmon prog"),
        ("gprof/cxx-o2", "-C dense.gmon prog"),
        ("gprof/inline-o2", "--inlines -p gmon.out prog"),
    ];
    for (fixture, line) in lines {
        let seen = run(fixture, &format!("--pager never {line}"), (80, 24), &[]);
        let lines = report_of(&seen);
        assert!(lines.len() > 3, "for {line}: {lines:?}");
        for line in lines {
            let width = line.chars().count();
            assert!(width <= 80, "{width} columns: {line}");
            assert!(!line.contains("\\x1b["), "{line}");
        }
    }
}

/// The lines of a report on a terminal of so many columns.
fn lines_of(fixture: &str, line: &str, columns: u16) -> Vec<String> {
    let seen = run(fixture, &format!("--pager never {line}"), (columns, 24), &[]);
    assert!(seen.status.success(), "for {line}: {}", seen.text);
    report_of(&seen)
}

fn assert_has(lines: &[String], expected: &[&str]) {
    for expected in expected {
        let is_there = lines.iter().any(|line| line.trim_end() == *expected);
        assert!(is_there, "`{expected}` is not there: {lines:#?}");
    }
}

#[test]
fn names_have_room_in_narrow_terminals() {
    let graph = lines_of("tour", "-q gmon.out primes", 44);
    let rows = [
        "index      %     self  name",
        "[3]     31.7  70.0 ms  count_by_sieve [3]",
        "               330 ms      strike_out [5]",
    ];
    assert_has(&graph, &rows);
    let heap = lines_of("tour", "-p mpatrol.out basic", 40);
    assert_has(&heap, &["14.4   2.5 KiB   14.4  make_record"]);
    let source = lines_of("tour", "-A gmon.out primes", 40);
    assert_has(&source, &["80.0 ms   6.35     14     for (int d ..."]);
}

/// Calls of all callers are in the entry of the callee too.
#[test]
fn all_calls_of_a_callee_make_room_for_long_names() {
    let has_slashes = |columns: u16| {
        let lines = lines_of("tour", "-q gmon.out primes", columns);
        let mut rows = lines.iter().filter(|line| line.contains("strike_out"));
        rows.any(|line| line.contains("287,520/287,520"))
    };
    assert!(has_slashes(90));
    assert!(!has_slashes(60));
}

#[test]
fn short_names_leave_room_for_limits_and_calls() {
    let lines = lines_of("tour", "-q --error unequal.gmon unequal", 80);
    let row = "[3]     99.0      0 s    2.14 s       1       0 s   2.46 s  ~  light [3]";
    assert_has(&lines, &[row]);
}

#[test]
fn sentences_in_tables_break_between_words() {
    let doctor = report_of(&run("tour", "doctor primes", (60, 24), &[]));
    let text = doctor.join(" ");
    let words: Vec<_> = text.split_whitespace().collect();
    let sentence = "126 samples and 681379906 calls; matches this build";
    assert!(words.join(" ").contains(sentence), "{doctor:#?}");
    let run = lines_of("tour", "-p --wall 2.5 gmon.out primes", 60);
    let rows = ["1.24 s  49.6  not sampled: waiting, or code outside the", "              program"];
    assert_has(&run, &rows);
}

#[test]
fn omitted_rows_are_summed_up() {
    let lines = lines_of("gprof/fortran", "-p gmon.out prog", 40);
    let rows = ["... 2 more functions, 0.00 seconds,", "    1170075 calls; --all shows them"];
    assert_has(&lines, &rows);
}

/// It is a sentence, and no name that could be shortened.
#[test]
fn omitted_lines_of_a_call_graph_continue_on_the_next_line() {
    let lines = lines_of("tour", "-q --top 2 gmon.out primes", 40);
    let first = lines.iter().position(|line| line.starts_with("... 7 more"));
    let first = first.expect("there is what is left out");
    let said = lines[first..first + 2].join(" ");
    assert!(said.starts_with("... 7 more functions, 1.26 seconds, 681379906 calls"), "{said}");
}

#[test]
fn bars_are_as_long_as_there_is_room() {
    let longest = |columns: u16| {
        let lines = lines_of("tour", "--bins mpatrol.out basic", columns);
        let bars = lines.iter().filter(|line| line.ends_with('#'));
        let lengths = bars.map(|bar| bar.chars().filter(|&sign| sign == '#').count());
        assert!(!lines.iter().any(|line| line.contains("...")), "{lines:#?}");
        lengths.max().unwrap_or(0)
    };
    assert_eq!(longest(100), 20);
    assert!((10..20).contains(&longest(80)));
}

#[test]
fn a_bar_ends_where_the_share_does() {
    let lines = lines_of("tour", "-p callgrind.out", 90);
    let rows = [
        "52.6  ##########  759,443   91.9  1,326,139       1  insertion_sort",
        " 4.4  #            64,166    6.9     99,242     335  partition",
        " 0.7               10,006    0.7     10,006       2  fill",
    ];
    assert_has(&lines, &rows);
}

#[test]
fn bars_are_shortened_before_they_are_left_out() {
    let lines = lines_of("tour", "-p gmon.out primes", 67);
    let row = "30.2  #####   380 ms   30.2   380 ms   100,000,000  is_odd";
    assert_has(&lines, &[row]);
}

#[test]
fn counts_are_in_a_column_before_names() {
    let lines = lines_of("tour", "-C gmon.out primes", 80);
    let rows = [
        " executions  name",
        "477,082,325  divides (primes.c:10)",
        "         60  count_by_sieve (primes.c:35)",
    ];
    assert_has(&lines, &rows);
    let blocks = lines_of("gprof/syn-bb", "-C -l prog eleven.gmon", 80);
    assert_has(&blocks, &["         1  step (blocks.c:3, 0x401000)"]);
}

#[test]
fn sentences_about_files_have_units() {
    let lines = lines_of("tour", "--by-file ranks/gmon.out.0 ranks/gmon.out.1 primes", 100);
    let all = lines.join(" ");
    assert!(all.contains("2 files with 10.1 s in total: 4.85 s to 5.28 s per file"), "{all}");
}

/// The layout shows demangled names, since half a mangled name would be unreadable.
#[test]
fn the_layout_of_bsd_has_names_of_the_language() {
    let lines = lines_of("gprof/cxx-o2", "-T dense.gmon prog", 80);
    let is_there = |text: &str| lines.iter().any(|line| line.contains(text));
    assert!(is_there("  geo::visible(int) [1]"), "{lines:#?}");
    assert!(!is_there("_ZN3geo"), "{lines:#?}");
}

#[test]
fn only_shown_columns_are_explained() {
    let lines = lines_of("tour", "-p --explain gmon.out primes", 67);
    let rows = [
        " self time   the cost of the function itself, without its callees",
        " name        the function; ties are sorted by name",
    ];
    assert_has(&lines, &rows);
    let is_there = |text: &str| lines.iter().any(|line| line.contains(text));
    assert!(is_there("compares it with"), "{lines:#?}");
    assert!(!is_there("/call"), "{lines:#?}");
    let lines = lines_of("tour", "-p --explain mpatrol.out basic", 60);
    let is_there = |text: &str| lines.iter().any(|line| line.contains(text));
    assert!(!is_there("bar compares it"), "{lines:#?}");
}

#[test]
fn explanations_are_broken_where_the_terminal_ends() {
    let lines = lines_of("tour", "-q --explain gmon.out primes", 80);
    let paragraph = [
        "Each entry of the call graph, between two dashed lines, describes one function,",
        "whose line starts with a number in brackets. The lines above it are its callers,",
        "the lines below it its callees. A number in brackets behind a name refers to the",
    ];
    assert_has(&lines, &paragraph);
}

#[test]
fn columns_that_were_asked_for_stay() {
    let line = "-p --columns percent,self,calls,total,name gmon.out primes";
    let lines = lines_of("tour", line, 48);
    let heads = lines.iter().find(|line| line.ends_with("name"));
    let heads = heads.map(|line| line.split_whitespace().count());
    assert_eq!(heads, Some(5), "{lines:#?}");
    let is_there = |line: &String| line.contains("100,000,000");
    assert!(lines.iter().any(is_there), "{lines:#?}");
}

#[test]
fn inlined_functions_have_room_for_their_place() {
    let lines = lines_of("gprof/inline-o2", "--inlines -p gmon.out prog", 80);
    let inlined = lines.iter().filter(|line| line.contains("inlined"));
    let mut places = inlined.map(|line| line.ends_with(')') && line.contains(" at "));
    assert!(places.next().is_some(), "{lines:#?}");
    assert!(places.all(|is_whole| is_whole), "{lines:#?}");
}

/// A location is not a name, so it has no parameters to omit.
#[test]
fn places_keep_their_ends() {
    let files = lines_of("tour", "-A --inlines rounds.gmon rounds", 40);
    assert_has(&files, &["100.00  830 ms      4  /src/gp... found)"]);
    let places = lines_of("tour", "--names short --peak mpatrol.trace", 80);
    let row = "68.36     4.5 KiB  4.5 KiB       1  grow (./basic.c:27)";
    assert_has(&places, &[row]);
}

#[test]
fn a_requested_index_is_at_the_end() {
    let has_index = |options: &str| {
        let lines = lines_of("tour", &format!("{options} gmon.out primes"), 80);
        lines.iter().any(|line| line == "Index by function name")
    };
    assert!(!has_index(""));
    assert!(has_index("-q"));
    assert!(has_index("--all"));
}

#[test]
fn tables_without_rows_have_no_heads() {
    let lines = lines_of("tour", "-p cut.out primes", 80);
    assert_has(&lines, &[" no time accumulated"]);
    assert!(!lines.iter().any(|line| line == "name"), "{lines:#?}");
}

#[test]
fn a_profile_names_its_program_if_none_is_given() {
    let lines = lines_of("tour", "-p callgrind.out", 80);
    assert_has(&lines, &["./sorts, 1 profile: callgrind.out"]);
}

#[test]
fn a_terminal_that_does_not_say_its_size_has_the_usual_one() {
    let lines = lines_of("gprof/cxx-o2", "-p dense.gmon prog", 0);
    let widest = lines.iter().map(|line| line.chars().count()).max();
    assert!((60..=80).contains(&widest.unwrap_or(0)), "{lines:#?}");
}

#[test]
fn the_first_lines_name_the_report() {
    let seen = run("tour", "--pager never -p gmon.out primes", (80, 24), &[]);
    let lines: Vec<_> = seen.text.lines().take(2).collect();
    let expected = [
        "primes, 1 profile: gmon.out",
        "1.26 s, 126 samples at 100 Hz; 0 s (0.0 %) in no function",
    ];
    assert_eq!(lines, expected);
}

#[test]
fn only_reports_longer_than_the_screen_are_paged() {
    let is_paged = |line: &str, size: Size| {
        let seen = run("tour", line, size, &[MARKING]);
        assert!(seen.status.success(), "for {line}");
        seen.text.contains("<<<\n") && seen.text.contains(">>>\n")
    };
    assert!(!is_paged("-p gmon.out primes", (80, 24)));
    assert!(is_paged("-p gmon.out primes", (80, 10)));
    assert!(is_paged("gmon.out primes", (80, 24)));
    assert!(!is_paged("gmon.out primes", (80, 200)));
    assert!(is_paged("--pager always -p gmon.out primes", (80, 24)));
    assert!(!is_paged("--pager never gmon.out primes", (80, 24)));
}

/// Thirteen lines and the prompt after them are fourteen. With a slow clock, no warning follows.
#[test]
fn the_line_of_the_prompt_counts() {
    let lines = run("tour", "--pager never -p --rate 10 gmon.out primes", (80, 24), &[]);
    let n_lines = u16::try_from(lines.text.lines().count()).expect("there are few lines");
    let is_paged = |n_lines: u16| {
        let seen = run("tour", "-p --rate 10 gmon.out primes", (80, n_lines), &[MARKING]);
        seen.text.contains("<<<")
    };
    assert!(is_paged(n_lines));
    assert!(!is_paged(n_lines + 1));
}

#[test]
fn an_empty_variable_means_no_pager() {
    for env in
        [&[("PROFAN_PAGER", ""), ("PAGER", "echo paged")][..], &[("PAGER", "")], &[("PAGER", " ")]]
    {
        let seen = run("tour", "gmon.out primes", (80, 24), env);
        assert!(seen.status.success());
        assert!(seen.text.contains(LAST_ENTRY), "{}", seen.text);
        assert!(!seen.text.contains("paged"), "{}", seen.text);
    }
}

#[test]
fn the_variable_of_this_program_goes_before_that_of_all() {
    let env = [("PROFAN_PAGER", "echo mine"), ("PAGER", "echo ours")];
    let seen = run("tour", "gmon.out primes", (80, 24), &env);
    assert!(seen.text.starts_with("mine\n"), "{}", seen.text);
    let seen = run("tour", "gmon.out primes", (80, 24), &env[1..]);
    assert!(seen.text.starts_with("ours\n"), "{}", seen.text);
}

#[test]
fn no_shell_looks_at_the_pager() {
    let env = [("PAGER", "echo $TERM; `echo` 'two words' a\\ b")];
    let seen = run("tour", "gmon.out primes", (80, 24), &env);
    assert!(seen.text.starts_with("$TERM; `echo` two words a b\n"), "{}", seen.text);
}

#[test]
fn a_missing_pager_is_reported_and_skipped() {
    let env = [("PAGER", "nosuchpager -R")];
    let seen = run("tour", "gmon.out primes", (80, 24), &env);
    assert!(seen.status.success());
    assert!(seen.text.contains(LAST_ENTRY), "{}", seen.text);
    let said = "\nprofan: cannot run the pager `nosuchpager`:\n  No such file";
    assert!(seen.text.contains(said), "{}", seen.text);
}

#[test]
fn the_pager_shows_colours_unless_configured_otherwise() {
    let pager = ("PAGER", "sh -c 'echo $LESS'");
    let seen = run("tour", "gmon.out primes", (80, 24), &[pager]);
    assert!(seen.text.starts_with("FRX\n"), "{}", seen.text);
    let seen = run("tour", "gmon.out primes", (80, 24), &[pager, ("LESS", "M")]);
    assert!(seen.text.starts_with("M\n"), "{}", seen.text);
}

#[test]
fn warnings_are_above_the_report_and_after_the_pager() {
    let seen = run("tour", "cut.out primes", (80, 6), &[MARKING]);
    assert!(seen.status.success());
    let text: Vec<_> = seen.text.lines().map(plain).collect();
    let all = text.join("\n");
    let (paged, behind) = all.split_once(">>>").expect("it was paged");
    assert!(paged.starts_with("<<<\nwarning[W011]: cut.out: "), "{paged}");
    assert!(behind.contains("profan: warning[W011]: cut.out: "), "{behind}");
    // A message about the whole report appears once.
    let seen = run("tour", "-p cut.out primes", (80, 60), &[MARKING]);
    assert_eq!(seen.text.matches("W011").count(), 1, "{}", seen.text);
}

#[test]
fn many_warnings_of_a_kind_are_one_above_the_report_too() {
    let program = "menu.gmon menu libtext.so.profile.gz libtext.so libnum.so.profile.gz libnum.so";
    let above = |options: &str| {
        let line = format!("--pager always -A {options} {program}");
        let seen = run("tour", &line, (80, 24), &[MARKING]);
        let (paged, _) = seen.text.split_once(">>>").expect("it was paged");
        paged.matches("[W021]").count()
    };
    assert_eq!(above(""), 1);
    assert_eq!(above("--verbose"), 3);
    let seen = run("tour", "--deny W011 cut.out primes", (80, 6), &[MARKING]);
    assert!(seen.text.contains("error[W011]"), "{}", seen.text);
    assert!(!plain(&seen.text).contains("warning[W011]"), "{}", seen.text);
}

#[test]
fn leaving_the_pager_early_still_prints_warnings() {
    let env = [("PAGER", "head -n 1")];
    // More than a pipe holds.
    let line = "--names full --all -z dense.gmon prog";
    let started = Instant::now();
    let seen = run("gprof/cxx-o2", line, (80, 12), &env);
    assert!(seen.status.success(), "{}", seen.text);
    assert!(started.elapsed() < PATIENCE / 2);
    let first = seen.text.lines().next().unwrap_or_default();
    assert!(first.contains("W0") || first.contains("prog, 1 profile"), "{first}");
    let seen = run("tour", "cut.out primes", (80, 6), &env);
    assert!(seen.status.success(), "{}", seen.text);
    assert!(seen.text.contains("profan: "), "{}", seen.text);
}

/// `less` usually exists; without it, the report is shown directly.
#[test]
fn less_shows_the_first_screen_and_leaves_at_once() {
    let has_less = std::process::Command::new("less").arg("--version").output();
    let mut session = Session::start("tour", "gmon.out primes", (80, 24), &[]);
    if has_less.is_err() {
        assert!(session.finish().text.contains(LAST_ENTRY));
        return;
    }
    session.wait_for("Flat profile:");
    session.wait_for("is_odd");
    assert!(!session.screen.screen().contents().contains(LAST_ENTRY));
    session.press("q");
    let started = Instant::now();
    let seen = session.finish();
    assert!(started.elapsed() < Duration::from_secs(2));
    assert!(seen.status.success());
}

#[test]
fn the_hottest_row_is_bold_and_the_smallest_are_faint() {
    let color_of = |text: &str, env: &[(&str, &str)]| {
        let seen = run("gprof/cxx-o2", "--pager never -p dense.gmon prog", (100, 50), env);
        let screen = seen.screen.screen();
        let contents = screen.contents();
        let row = contents.lines().position(|line| line.contains(text));
        let row = row.unwrap_or_else(|| panic!("`{text}` is not there:\n{contents}"));
        let row = u16::try_from(row).expect("there are few rows");
        let cell = screen.cell(row, 2).expect("the row is on the screen");
        (cell.fgcolor(), cell.bold(), cell.dim())
    };
    assert_eq!(color_of("geo::visible", &[]), (Color::Idx(1), true, false));
    assert_eq!(color_of("over(int)", &[]), (Color::Default, false, false));
    assert_eq!(color_of("_init", &[]), (Color::Default, false, true));
    let none = (Color::Default, false, false);
    assert_eq!(color_of("geo::visible", &[("NO_COLOR", "1")]), none);
    assert_eq!(color_of("geo::visible", &[("TERM", "dumb")]), none);
}

#[test]
fn warnings_are_yellow_and_errors_red() {
    let color_of = |line: &str, text: &str| {
        let seen = run("tour", line, (200, 60), &[]);
        let screen = seen.screen.screen();
        let contents = screen.contents();
        let row = contents.lines().position(|line| line.contains(text));
        let row = row.expect("the line is there");
        let line = contents.lines().nth(row).expect("the line is there");
        let place = |at: usize| u16::try_from(at).expect("screens are small");
        let column = place(line.find(text).expect("it is in the line"));
        screen.cell(place(row), column).expect("it is on the screen").fgcolor()
    };
    assert_eq!(color_of("-p cut.out primes", "warning[W011]"), Color::Idx(3));
    assert_eq!(color_of("primes.c primes", "error[E003]"), Color::Idx(1));
    assert_eq!(color_of("--nosuch gmon.out", "error: "), Color::Idx(1));
    let line = "--color never primes.c primes";
    assert_eq!(color_of(line, "error[E003]"), Color::Default);
}

#[test]
fn rows_without_self_cost_become_one() {
    let rows = |options: &str| {
        let line = format!("--pager never -p {options} gmon.out prog");
        let seen = run("gprof/fortran", &line, (80, 24), &[]);
        let rows = seen.text.lines().skip_while(|line| !line.ends_with("name"));
        rows.skip(1).map(plain).collect::<Vec<_>>()
    };
    let folded = rows("");
    assert!(folded[0].contains("smooth"), "{folded:?}");
    // All of the time is spent below these.
    assert!(folded[1].ends_with("main program"), "{folded:?}");
    assert!(folded[2].ends_with("main"), "{folded:?}");
    let rest = "... 2 more functions, 0.00 seconds, 1170075 calls; --all shows them";
    assert_eq!(folded[3..4], [rest], "{folded:?}");
    for options in ["--all", "-z"] {
        let all = rows(options);
        assert!(all.iter().any(|row| row.ends_with("tally::fibo")), "{all:?}");
        assert!(!all.iter().any(|row| row.contains("more functions")), "{all:?}");
    }
    // The requested functions are shown.
    let asked = rows("-p__tally_MOD_add -pMAIN__");
    assert!(asked.iter().any(|row| row.ends_with("tally::add")), "{asked:?}");
}

#[test]
fn the_environment_decides_the_size_where_it_says_one() {
    let env = [("COLUMNS", "50"), ("LINES", "5"), MARKING];
    let seen = run("gprof/cxx-o2", "-p dense.gmon prog", (120, 200), &env);
    let (_, paged) = seen.text.split_once("<<<").expect("it was paged");
    let (paged, _) = paged.split_once(">>>").expect("it was paged");
    let widths = paged.lines().map(|line| plain(line).chars().count());
    let lines = widths.filter(|&width| width > 0);
    assert!((40..=50).contains(&lines.max().unwrap_or(0)), "{}", seen.text);
}

#[test]
fn names_are_as_long_as_they_are_asked_for() {
    let last_word = |options: &str, name: &str| {
        let line = format!("--pager never -p {options} dense.gmon prog");
        let seen = run("gprof/cxx-o2", &line, (80, 24), &[]);
        let lines = seen.text.lines().map(plain);
        let mut found = lines.filter(|line| line.contains(name));
        found.next().expect("the function is there")
    };
    assert!(last_word("", "__introsort_loop").len() <= 80);
    assert!(last_word("--names short", "sort_loop").ends_with(" std::__introsort_loop<...>"));
    assert!(last_word("--names base", "sort_loop").ends_with(" __introsort_loop"));
    assert!(last_word("--names full", "sort_loop").len() > 300);
    assert!(last_word("--names linkage", "sort_loop").contains(" _ZSt16__introsort_loop"));
}

#[test]
fn files_and_other_formats_are_the_same_as_in_a_pipe() {
    let scratch = Scratch::copy_of(&Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/tour"));
    for format in ["json", "csv", "dot"] {
        let line = format!("--format {format} gmon.out primes");
        let seen = run("tour", &format!("--pager never {line}"), (80, 24), &[]);
        let piped = crate::support::run_line(&format!("profan {line}"), b"", scratch.path());
        let report = report_of(&seen);
        let piped = String::from_utf8_lossy(&piped.stdout);
        assert_eq!(report, piped.lines().collect::<Vec<_>>(), "for {format}");
    }
}
