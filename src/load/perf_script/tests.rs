use super::super::format::{Claim, Format, Hints};
use super::PerfScript;
use super::lines::{FrameLine, FrameObject, SampleHeader, Task, behind_address, source_line};

fn header(line: &str, expected: &str) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let shown = SampleHeader::parse(line.as_bytes()).map(|header| {
        let period = header.period.map_or("-".to_owned(), |n| n.to_string());
        let frame = header.inline_frame.map(text).unwrap_or_default();
        format!("{} {period} {frame}", text(header.event))
    });
    assert_eq!(
        shown.as_deref().map(str::trim_end),
        Some(expected).filter(|e| !e.is_empty()),
        "{line}"
    );
}

#[test]
fn the_event_and_period_of_a_sample_are_found_whatever_fields_it_has() {
    header("t prog 20078  1222.327478:     500000   cpu-clock: ", "cpu-clock 500000");
    header("V8 Worker 7/20078 [001] 1222.327478: 1 cycles:u: ", "cycles:u 1");
    header("noploop 21796 [001] 1410597.984841: instructions: ", "instructions -");
    header("node-v011 31912 cpu-clock: ", "cpu-clock -");
    header("node 31912 250000 cpu-clock:ppp: ", "cpu-clock:ppp 250000");
    header("t page-faults: ", "page-faults -");
    header("simpleperf\t123\t[003] 12.000001:\t250000 cpu-clock:", "cpu-clock 250000");
    header(
        "  dd 1 2.000001: 500000 cpu-clock:  7f9b f+0x1 (/a b)",
        "cpu-clock 500000  f+0x1 (/a b)",
    );
    header("t 12/13 [001] 250000 cycles: ", "cycles 250000");
    header("t 12 U 1.5: cycles:u: 1000 f (/a)", "cycles:u -  f (/a)");
    header("t 12 1.5: branches:   hw int    1000 f (/a)", "branches -  f (/a)");
    header("t 12 1.5: branches:    0     55f29b325141 f (/a)", "branches -  f (/a)");
    header("t 12 1.5: cycles: 1000 add (/a)", "cycles -  add (/a)");
    header("an app: 7: 12 1.5: 10 cycles:", "cycles 10");
    header("Thread\t25 [007] 115539.9:\t\t1000000 task-clock:u:", "task-clock:u 1000000");
    header("swapper 0 [000] 1.5: sched:sched_switch: prev_comm=a", "sched:sched_switch -");
    header("int main() { return 0; }", "");
    header("sum: 12", "");
    header("a b 12:", "");
    header("", "");
}

#[test]
fn a_sample_has_a_command_a_process_and_a_thread() {
    let check = |line: &str, expected: [&str; 3]| {
        let header = SampleHeader::parse(line.as_bytes()).expect("it is one");
        let Task { command, process, thread } = Task::parse(header.task);
        let found = [command, process, thread];
        let found = found.map(|part| String::from_utf8_lossy(part.unwrap_or_default()));
        assert_eq!(found, expected, "{line}");
    };
    check("t prog 20078  1222.327478: 5 cycles: ", ["t prog", "", "20078"]);
    check("V8 Worker 7/78 [001] 12.3: 1 cycles:u: ", ["V8 Worker", "7", "78"]);
    check("a 1 2/2 1.5: cycles:", ["a 1", "2", "2"]);
    check(":-1 -1/-1 [000] 1.5: cycles:", [":-1", "-1", "-1"]);
    check("node 31912 cpu-clock: ", ["node", "", "31912"]);
    check("x/y 1.5: cycles:", ["x/y", "", ""]);
    check("sim\t12\t[003] 12.01:\t250 cpu-clock:", ["sim", "", "12"]);
    check("[x] 7 1.5: cycles:", ["[x]", "", "7"]);
    check("t 12/13 [001] U 1.5: cycles:", ["t", "12", "13"]);
    check("t 12 K 1.5: cycles:", ["t", "", "12"]);
    check("vitamin K 1.5: cycles:", ["vitamin K", "", ""]);
    check("nginx: master 7 1.5: 2 cycles:", ["nginx: master", "", "7"]);
}

fn frame(line: &str, name: &str, object: FrameObject<'_>) {
    let parsed = FrameLine::parse(behind_address(line.as_bytes()).expect("it is a frame"));
    assert_eq!(
        (String::from_utf8_lossy(parsed.name), parsed.object),
        (name.into(), object),
        "{line}"
    );
}

#[test]
fn a_frame_has_a_name_and_an_object() {
    use FrameObject::{Inlined, Path, Unknown};
    frame("\t  11ca work+0x41 (/tmp/t prog)", "work", Path(b"/tmp/t prog"));
    frame("\t11ca mix(int, char (*)(int))+0x41 (inlined)", "mix(int, char (*)(int))", Inlined);
    frame("\t11ca f (/tmp/a (deleted))", "f", Path(b"/tmp/a (deleted)"));
    frame("\t11ca operator+ ([k])", "operator+", Path(b"[k]"));
    frame("\t6ce2 [unknown] ([unknown])", "[unknown]", Unknown);
    frame("\t6ce2 f(int)", "f(int)", Unknown);
    frame("\t6ce2 (/a)", "[unknown]", Path(b"/a"));
    frame("\t6ce2", "[unknown]", Unknown);
}

#[test]
fn source_lines_are_read_where_they_are_known() {
    let check = |line: &str, expected: Option<(&str, u32)>| {
        let found = source_line(line.as_bytes());
        let found = found.map(|(file, line)| (String::from_utf8_lossy(file), line.get()));
        assert_eq!(found, expected.map(|(file, line)| (file.into(), line)), "{line}");
    };
    check("  cpu-features.c:251", Some(("cpu-features.c", 251)));
    check("  a b.c:7 (inlined)", Some(("a b.c", 7)));
    check("  ??:0", None);
    check("  [kernel.kallsyms][ffffffff815ffc68]", None);
    check("  t.c:0", None);
}

/// Stacks, innermost frame first, with their values.
fn stacks(text: &str) -> Vec<String> {
    let reading = match PerfScript.read(text.into(), &Hints::default()) {
        Ok(reading) => reading,
        Err(error) => return vec![error.to_string()],
    };
    let costs = &reading.profile.costs;
    let rows = costs.samples.rows().map(|(key, values)| {
        let mut names = Vec::new();
        let mut next = key.context();
        while let Some(id) = next {
            let context = costs.contexts.get(id);
            let function = context.function.map(|id| &costs.functions[id.index()]);
            let name = function.map_or("?".into(), |f| String::from_utf8_lossy(&f.name));
            let object = function.and_then(|f| f.object.as_deref());
            let object = object.map(|object| format!("@{}", String::from_utf8_lossy(object)));
            names.push(format!("{name}{}", object.unwrap_or_default()));
            next = context.caller;
        }
        format!("{} {values:?}", names.join("<"))
    });
    let mut lines: Vec<_> = rows.collect();
    lines.extend(reading.skipped.map(|s| format!("{} skipped from {}", s.n_lines, s.first)));
    lines.extend(reading.damage.map(|damage| damage.error.to_string()));
    lines
}

#[test]
fn samples_of_one_stack_are_added_up() {
    let one = "t 1 2.5: 10 cpu-clock: \n\t1 g (/a)\n\t2 f+0x1 (/a)\n\n";
    assert_eq!(stacks(&one.repeat(2)), ["g@/a<f@/a [2, 20]"]);
    // The last one may lack an empty line after it.
    assert_eq!(stacks(one.trim_end()), ["g@/a<f@/a [1, 10]"]);
    let other = "t 1 2.6: 5 cpu-clock: \n\t3 h (/b)\n\t2 f (/a)\n\n";
    assert_eq!(
        stacks(&format!("{one}{other}")),
        ["g@/a<f@/a [1, 10, 100]", "h@/b<f@/a [1, 5, 25]"]
    );
}

#[test]
fn samples_that_are_known_are_read_as_others() {
    // Windows line ends are read line by line.
    let check = |text: &str| assert_eq!(stacks(text), stacks(&text.replace('\n', "\r\n")));
    let leaves = [
        "\t1 h (inlined)\n",
        "\t1 a->b (/tmp/perf-7.map)\n",
        "\t1 f (/a)\n  f.c:4\n",
        "\t1 f (/a)\n",
        "\t7 f (/a)\n",
        "    1 g (/a)\n",
        "an odd line\n",
        "u 2 2.5: 10 cycles: 7 f (/a)\n",
        "\n\n",
        "",
    ];
    let callers = ["\t2 g (inlined)\n\t2 m (/b)\n", "\t2 m (/b)\n  m.c:5\n\t3 n (/b)\n", ""];
    let headers =
        ["t 1 2.5: 10 cycles:", "t 1 2.6: 11 cycles:", "u 2 2.5: 10 task-clock:", "# note"];
    let mut text = String::new();
    for header in headers {
        for callers in callers {
            for leaf in leaves {
                text += &format!("{header} \n{leaf}{callers}\n");
            }
        }
    }
    check(&text);
    check(&text.repeat(2));
    // Several threads search this.
    check(&text.repeat((3 << 20) / text.len()));
    check(&format!("{text}t 1 2.7: 18446744073709551615 cycles: \n\t1 f (/a)\n\n").repeat(2));
}

#[test]
fn events_are_metrics_of_their_own() {
    let text = "t 1 2.5: 1 page-faults: \n\t1 f (/a)\n\nt 1 2.5: 7 cycles:u: \n\t1 f (/a)\n\n";
    assert_eq!(stacks(text), ["f@/a [1, 7, 1, 1]"]);
    let reading = PerfScript.read(text.into(), &Hints::default()).expect("it is read");
    let metrics = reading.profile.costs.metrics.iter();
    let ids: Vec<_> = metrics.map(|m| String::from_utf8_lossy(&m.name.id)).collect();
    assert_eq!(ids, ["cycles-samples", "cycles", "page-faults-samples", "page-faults"]);
}

#[test]
fn inlined_functions_are_frames_of_the_object_around_them() {
    let text = "t 1 2.5: cycles: \n\t1 h (inlined)\n\t1 g (inlined)\n\t1 f (/a)\n\t2 m (/b)\n\n";
    assert_eq!(stacks(text), ["h@/a<g@/a<f@/a<m@/b [1]"]);
    let stub = "t 1 2.5: cycles: \n\t1 Stub:Add(X:Y->Z)->b (/tmp/perf-7.map)\n\n";
    assert_eq!(stacks(stub), ["b@/tmp/perf-7.map<Stub:Add(X:Y->Z)@/tmp/perf-7.map [1]"]);
    let jit = "t 1 2.5: cycles: \n\t1 a->b->c (/tmp/perf-7.map)\n\t2 x->y (/b)\n\n";
    assert_eq!(stacks(jit), ["c@/tmp/perf-7.map<b@/tmp/perf-7.map<a@/tmp/perf-7.map<x->y@/b [1]"]);
}

#[test]
fn other_lines_are_skipped_and_counted() {
    let text = "t 1 2.5: cycles: \n\t1 f (/a)\nwhat is this\n\nLost 5 events!\n\n";
    assert_eq!(stacks(text), ["f@/a [1]", "2 skipped from 3"]);
    let blank = "t 1 2.5: cycles: \n\t1 f (/a)\n\n\nLost 5 events!\n";
    assert_eq!(stacks(blank), ["f@/a [1]", "1 skipped from 5"]);
    assert_eq!(stacks("# a comment\n\n"), ["line 2: the file contains no sample"]);
}

#[test]
fn instructions_are_not_part_of_names() {
    let inline = "t 12 1.5: 10 cycles: 1136 f+0x1 (/a) ilen: 6 insn: 89 05\n";
    assert_eq!(stacks(&inline.repeat(2)), ["f@/a [2, 20]"]);
    let stack = "t 12 1.5: cycles: \n\t1136 f (/a)\n\t1137 m (/a)\n ilen: 5\n";
    assert_eq!(stacks(&stack.repeat(3)), ["f@/a<m@/a [3]"]);
    let named = "t 12 1.5: cycles: 1136 f ilen: x (/a)\n";
    assert_eq!(stacks(named), ["f ilen: x@/a [1]"]);
}

#[test]
fn samples_may_lack_their_event() {
    let stack = "t 12 \n\t1000 g (/a)\n\t2000 f (/a)\n\nt 12 \n\t2000 f (/a)\n\n";
    assert_eq!(stacks(stack), ["g@/a<f@/a [1]", "f@/a [1]"]);
    let period = "a note\nt 12/13 [001] 1.5:   7 \n\t1000 g (/a)\n\n";
    assert_eq!(stacks(period), ["g@/a [1, 7]", "1 skipped from 1"]);
    let inline = "t 12 1.5:     55f29b325141 f (/a)\nt 12 1.6:     55f29b325142 f (/a)\n";
    assert_eq!(stacks(inline), ["f@/a [2]"]);
    let untimed = "  t 12      55f29b325141 f (/a)\n  f.c:3\n".repeat(2);
    assert_eq!(stacks(&untimed), ["f@/a [2]"]);
    let untimed = "t 12    2000000     55f29b325141 f (/a)\n  f.c:3\n".repeat(2);
    assert_eq!(stacks(&untimed), ["f@/a [2]"]);
    let without_object = "12 1.5: \n\t            1000 g\n\t            2000 f\n\n".repeat(2);
    assert_eq!(stacks(&without_object), ["g<f [2]"]);
    // The length of an instruction is behind the stack.
    let lengths = "1/2 1.5: \n\t            1000 g (/a)\n ilen: 2\n".repeat(2);
    assert_eq!(stacks(&lengths), ["g@/a [2]"]);
    let flags = "1/2 1.5:  7                         55f29b325141 f ilen: 2\n".repeat(2);
    assert_eq!(stacks(&flags), ["f [2, 14]"]);
    // Where one sample has an event, all have.
    let mixed = "t 1 2.5: cycles: \n\t1000 f (/a)\n\nt 1 \n\t1000 f (/a)\n\n";
    assert_eq!(stacks(mixed), ["f@/a [1]", "2 skipped from 4"]);
}

#[test]
fn a_frame_on_the_line_of_its_sample_has_a_source_line() {
    let text = "t 1 2.5: cycles: 1000 f (/a)\n  f.c:4\ndd 1 2.6: cycles: 1000 f (/a)\n  f.c:5\n";
    assert_eq!(stacks(text), ["f@/a [1]", "f@/a [1]"]);
    let without_time = "dd 1 cycles: 1000 f (/a)\n".repeat(2);
    assert_eq!(stacks(&without_time), ["f@/a [2]"]);
}

#[test]
fn a_period_before_an_event_is_no_frame() {
    let text = "  2000000 cycles:u: \n\t            1000 f (/a)\n\n".repeat(2);
    assert_eq!(stacks(&text), ["f@/a [2]"]);
}

#[test]
fn samples_without_frames_count() {
    let text = "t 1 2.5: cycles: \n\nt 1 2.6: cycles: \nt 1 2.7: cycles: \n\t1 f (/a)\n";
    assert_eq!(stacks(text), ["? [2]", "f@/a [1]"]);
}

#[test]
fn sums_and_kinds_of_events_are_limited() {
    let most = format!("t 1 2.5: {} cycles: \n\t1 f (/a)\n\n", u64::MAX);
    let twice = stacks(&most.repeat(2));
    assert!(twice[1].contains("exceeds 64 bits"), "{twice:?}");
    let many: String = (0..20).map(|n| format!("t 1 2.5: e{n}: 1 f (/a)\n")).collect();
    let many = stacks(&many);
    assert_eq!(many[1], "line 17: more than 16 kinds of events");
}

#[test]
fn the_format_is_recognised() {
    let check = |text: &str, is_mine: bool| {
        let claim = PerfScript.sniff(text.into(), &Hints::default());
        assert_eq!(claim, Claim::certain_if(is_mine), "{text}");
    };
    check("# ========\n# captured on: Mon", true);
    check("# a\n\nt 1 2.5: cycles: \n\t1 f (/a)\n", true);
    check("t 1 2.5: cycles: 1 f (/a)\n", true);
    check("t page-faults: \n\t1 f\n", true);
    check("main;work 12\n", false);
    check("events: Ir\nfn=f\n1 2\n", false);
    check("a note: \nb\n", false);
    // Cachegrind describes caches like an event and an address.
    check("desc: I1 cache: 32768 B, 64 B, 8-way associative\n", false);
    check("t cycles: 1 f (/a)\n", true);
    // Warnings of perf come first.
    check("no symbols for a\nt 1 2.5: cycles: \n\t1000 f (/a)\n", true);
    check("no symbols for a\nt 1 2.5: cycles: 1000 f (/a)\nt 1 2.5: cycles: 1000 f (/a)\n", true);
    check("no symbols\nnone\nnone\nt 1 2.5: cycles: \n\t1000 f (/a)\n", false);
    check("class Infinity:\n    def f(self) -> str:\n", false);
    check("12 2.5: open: a=1\n", false);
    check("12 2.5: open: a=1\n13 2.6: read: a=2\n", false);
    check("def f(x):\n    if x: a (1)\n    else: b (2)\n    if y: add (3)\n", false);
    // perf 3 did not indent frames.
    check("t 12 [001] cycles: \n7f10aa f (/a)\n", true);
    check("t 12 \n\t1000 f (/a)\n", true);
    check("all:\n\tcc -o a a.c\n", false);
    // Fields may be absent, but addresses have 16 columns.
    check("     55f29b325141 f (/a)\n     55f29b325141 g (/a)\n", true);
    check("  55f29b325141 f\n  55f29b325141 g\n", false);
    check("12 U     cycles:                     55f29b325141 f\n", true);
    check("see Merge: 54a4f0239f2e f\n", false);
    check(
        "a                         2000000000000 f\nb                         2000000000001 f\n",
        false,
    );
    check("t 12      55f29b325141 f\nt 12      55f29b325141 g\n", true);
    check("t 12      55f29b325141 f (/a)\n  f.c:3\nt 12      55f29b325141 g (/a)\n  f.c:4\n", true);
    check("12 \n\t            1000 f\n\t            2000 main\n\n", true);
    check("12 \n\t        1000 f\n\t        2000 main\n\n", false);
    check("  2000000 cycles:u: \n  2000000 cycles:u: \n", false);
    check("t 12     55f29b325141 f (/a)\nt 12     55f29b325141 g (/a)\n", true);
    // The log of a board, with a dump below a message.
    check("[00:00:01.100,000] <inf> gmon: gmon.out\n  00 00 00 08 e8 00 00 08 |........\n", false);
    check("", false);
}
