use super::*;
use crate::model::{ContextId, RecordedCosts};
use crate::progress::Progress;

/// The parsed file, in one line: costs by function and place, then calls.
fn shown(text: &str) -> String {
    let read = match reader::read(text.as_bytes(), Progress::default()) {
        Ok(read) => read,
        Err(error) => return error.to_string(),
    };
    let costs = &read.costs;
    let rows = costs.samples.rows().filter_map(|(row_key, values)| {
        let is_zero_cost = values.iter().all(|&value| value == 0);
        let context = site(costs, row_key.context()?);
        (!is_zero_cost).then(|| format!("{context}={}", numbers(values)))
    });
    let calls = costs.calls.iter().map(|(call, values)| {
        let (site, callee) = (site(costs, call.site), function(costs, call.callee));
        format!("{site}>{callee}*{}={}", call.count, numbers(values))
    });
    let mut words: Vec<_> = rows.chain(calls).collect();
    if let Some(totals) = &costs.event_totals {
        words.push(format!("total={}", numbers(totals)));
    }
    if let Some(damage) = read.damage {
        words.push(format!("; {}, lost {}", damage.error, damage.n_lost));
    }
    words.join(" ")
}

fn function(costs: &RecordedCosts, id: crate::model::FunctionId) -> String {
    let function = &costs.functions[id.index()];
    let object = function.object.as_deref().unwrap_or_default();
    let file = function.location.map_or(&b"-"[..], |id| costs.locations.file(id));
    let object = String::from_utf8_lossy(object);
    let (file, name) = (String::from_utf8_lossy(file), String::from_utf8_lossy(&function.name));
    if object.is_empty() { format!("{file}:{name}") } else { format!("{object}/{file}:{name}") }
}

fn site(costs: &RecordedCosts, id: ContextId) -> String {
    let context = costs.contexts.get(id);
    let name = context.function.map_or("?".to_owned(), |id| function(costs, id));
    let location = context.location.map_or(String::new(), |id| {
        let location = costs.locations.get(id);
        let line = location.line.map_or(0, |line| line.get());
        format!("@{}:{line}", String::from_utf8_lossy(&location.file))
    });
    format!("{name}{location}")
}

fn numbers(values: &[u64]) -> String {
    let values: Vec<_> = values.iter().map(u64::to_string).collect();
    values.join(",")
}

fn check(text: &str, expected: &str) {
    assert_eq!(shown(text), expected, "for {text:?}");
}

/// Checks the body of a file with two events.
fn check_body(body: &str, expected: &str) {
    check(&format!("events: Ir Dr\n{body}"), expected);
}

#[test]
fn costs_are_summed_by_function_and_line() {
    check_body("fl=a.c\nfn=f\n1 10 1\n2 5\n1 7\n", "a.c:f@a.c:1=17,1 a.c:f@a.c:2=5,0");
    check_body("fn=f\n1 10 1\n2 5\n", "-:f=15,1");
    check_body("fl=???\nfn=f\n1 10 1\n2 5\n", "-:f=15,1");
    check_body("fl=a.c\n1 2\n", "?@a.c:1=2,0");
    check_body("fl=a.c\nfn=f\n0 2\n", "a.c:f@a.c:0=2,0");
}

#[test]
fn minor_versions_are_compatible() {
    for version in ["0.9.6", "1", "1.0", "0"] {
        check(&format!("version: {version}\nevents: Ir\nfn=f\n1 2\n"), "-:f=2");
    }
    let newer = "version: 2.1\nevents: Ir\nfn=f\n1 2\n";
    check(newer, "line 1: unknown format version 2");
    check(
        "version: new\n",
        "line 1: expected the version of the format: a number of at most 64 bits",
    );
}

#[test]
fn appended_runs_are_parts_with_names_of_their_own() {
    let first = "version: 1\ncmd: a\nevents: Time\nfl=(1) a\nfn=(1) f\n1 2\nsummary: 5\n";
    let second = "\n==== NEW PROFILING FILE ====\nversion: 1\ncmd: a\nevents: Time\n\
        fl=(1) a\nfn=(1) g\n1 3\nfn=(2) f\n1 4\nsummary: 8\n";
    check(&[first, second].concat(), "a:f@a:1=6 a:g@a:1=3 total=13");
}

#[test]
fn lines_of_other_files_stay_in_the_function() {
    check_body(
        "fl=a.c\nfn=f\n1 1\nfi=a.h\n9 2\nfe=a.c\n2 3\nfn=g\n3 4\n",
        "a.c:f@a.c:1=1,0 a.c:f@a.h:9=2,0 a.c:f@a.c:2=3,0 a.c:g@a.c:3=4,0",
    );
}

#[test]
fn objects_files_and_functions_have_numbers_of_their_own() {
    check_body(
        "ob=(1) x\nfl=(1) a.c\nfn=(1) f\n1 1\ncob=(2) y\ncfi=(2) b.c\ncfn=(2) g\n\
         calls=3 7\n2 9\nob=(2)\nfl=(2)\nfn=(2)\n7 9\n",
        "x/a.c:f@a.c:1=1,0 y/b.c:g@b.c:7=9,0 x/a.c:f@a.c:2>y/b.c:g*3=9,0",
    );
    check_body("fn=(below main)\n1 1\n", "-:(below main)=1,0");
    check_body("fn=(1) f\n1 1\nfn=(1) g\nfn=(1)\n1 2\n", "-:f=1,0 -:g=2,0");
    check_body("fn=(0x1) f\nfn=(1)\n1 2\n", "-:f=2,0");
    check_body("jfi=(1) a.h\njfn=(1) f\nfl=(1)\nfn=(1)\n1 2\n", "a.h:f@a.h:1=2,0");
}

#[test]
fn functions_of_one_name_are_told_apart_by_file_and_object() {
    check_body(
        "fl=a.c\nfn=f\n1 1\nfl=b.c\nfn=f\n1 2\nob=x\nfn=f\n1 4\n",
        "a.c:f@a.c:1=1,0 b.c:f@b.c:1=2,0 x/b.c:f@b.c:1=4,0",
    );
}

#[test]
fn callees_are_where_the_caller_is_unless_they_say_otherwise() {
    check_body(
        "ob=x\nfl=a.c\nfn=f\ncfl=b.c\ncfn=g\ncalls=1 1\n1 2\ncfn=g\ncalls=1 1\n2 3\n",
        "x/a.c:f@a.c:1>x/b.c:g*1=2,0 x/a.c:f@a.c:2>x/a.c:g*1=3,0",
    );
    check_body(
        "fl=a.c\nfn=f\ncfn=g\ncfi=b.c\ncalls=1 1\n1 2\ncalls=2 1\n1 3\n",
        "a.c:f@a.c:1>b.c:g*3=5,0",
    );
    // Xdebug writes two positions after a count, whatever the header specifies.
    check_body("fl=a\nfn=f\ncfn=g\ncalls=1 0 0\n5 2 3\n", "a:f@a:5>a:g*1=2,3");
}

#[test]
fn positions_may_be_relative_to_the_last_costs() {
    check_body(
        "fl=a\nfn=f\n10 1\n+3 2\ncfn=g\ncalls=1 99\n* 4\n-2 8\nfn=h\n+0x1 16\n",
        "a:f@a:10=1,0 a:f@a:13=2,0 a:f@a:11=8,0 a:h@a:12=16,0 a:f@a:13>a:g*1=4,0",
    );
    check(
        "positions: instr line\nevents: Ir\nfl=a\nfn=f\n0x8000 5 1\n+3 * 2\njcnd=1/2 +9 +9\n\
         * +1\n+1 * 4\n",
        "a:f@a:5=3 a:f@a:6=4",
    );
    check("positions: instr\nevents: Ir\nfl=a\nfn=f\n0xffffffffffffffff 1\n-1 2\n", "a:f@a:0=3");
}

#[test]
fn parts_are_summed_with_their_totals() {
    check(
        "creator: callgrind-3.19.0\npid: 7\npart: 1\nthread: 1\nevents: Ir\nsummary: 3\n\
         fl=(1) a\nfn=(1) f\n1 3\ntotals: 3\npart: 1\nthread: 2\nevents: Ir\n\
         fl=(1)\nfn=(1)\n1 4\n\ntotals: 4\n",
        "a:f@a:1=7 total=7",
    );
    // If a part lacks totals, so does the whole.
    check(
        "part: 1\nevents: Ir\nfn=f\n1 3\ntotals: 3\npart: 2\nfn=f\n1 4\npart: 3\n1 1\ntotals: 1\n",
        "-:f=8",
    );
    // Xdebug has its summary among the costs.
    check("events: A B\nfn=f\n1 3\nsummary: 5\nfn=g\n1 2\n", "-:f=3,0 -:g=2,0 total=5,0");
    check("summary: 5 6 7\nevents: A\nfn=f\n1 3\n", "-:f=3");
}

#[test]
fn parts_have_processes_threads_and_numbers() {
    let text = "pid: 7\ncmd: ./f x\npart: 1\nthread: 1\nevents: Ir\n1 3\ntotals: 3\n\
                part: 2\nthread: 2\n\ntotals: 0\n";
    let costs = reader::read(text.as_bytes(), Progress::default()).expect("it is whole").costs;
    let parts = costs.parts.iter();
    let parts: Vec<_> = parts.map(|part| (part.process, part.number, part.thread)).collect();
    assert_eq!(parts, [(Some(7), Some(1), Some(1)), (Some(7), Some(2), Some(2))]);
    let command = costs.parts[1].command.as_deref();
    assert_eq!(command, Some(&b"./f x"[..]));
}

#[test]
fn events_have_titles_and_formulas() {
    let text = "event: Sum = Ir + 2 Dr + 3*Dw: Some of all\nevent: Ir : Instruction Fetch\n\
                events: Ir Dr Dw\nevent: Odd = Ir + No\nevent: Ir : Instruction Fetch\n";
    let costs = reader::read(text.as_bytes(), Progress::default()).expect("it is whole").costs;
    let title = |metric: &crate::model::ValueMetric| {
        let title = metric.name.title.as_deref().unwrap_or(b"-");
        format!("{} {}", String::from_utf8_lossy(&metric.name.id), String::from_utf8_lossy(title))
    };
    let titles: Vec<_> = costs.metrics.iter().map(title).collect();
    let all = ["Ir Instruction Fetch", "Dr -", "Dw -", "Sum Some of all"];
    assert_eq!(titles, all);
    let terms = vec![(1, 0), (2, 1), (3, 2)];
    assert_eq!(*costs.metrics[3].terms, *terms);
}

#[test]
fn what_is_odd_about_files_of_the_wild_does_not_count() {
    check_body("fl=a\r\nfn=f\r\n1 2 3\r\n", "a:f@a:1=2,3");
    check_body("# a word\n\nfn=f\n# another\n\t1  2\t3 \n", "-:f=2,3");
    check_body("rate: 5\nfn= f\n1 2", "-:f=2,0");
    check_body("", "");
}

#[test]
fn a_wrong_line_ends_the_reading() {
    let good = "fn=f\n1 2\n";
    for (bad, error) in [
        ("fm=g", "unknown kind of line"),
        ("1 x", "expected a cost: a number of at most 64 bits"),
        ("1 18446744073709551616", "expected a cost: a number of at most 64 bits"),
        ("1 2 3 4", "more costs on this line than the 2 events"),
        ("1 18446744073709551615", "the sum of costs exceeds 64 bits"),
        ("-2 1", "expected a position: a line, `+` or `-` and a valid distance, or `*`"),
        ("4294967296 1", "expected a position: a line, `+` or `-` and a valid distance, or `*`"),
        ("calls=1 1", "no `cfn=` line before these calls"),
        ("events: Ir", "the events differ from those of the preceding part"),
        ("positions: line instr", "unknown positions; valid are `line`, `instr` and `instr line`"),
        ("version: 2", "unknown format version 2"),
        ("pid: x", "expected the number of a process: a number of at most 64 bits"),
    ] {
        check_body(
            &format!("{good}{bad}\n7 7\n"),
            &format!("-:f=2,0 ; line 4: {error}, lost {}", bad.len() + 5),
        );
    }
    check_body(
        "fn=f\n1 2\ncfn=g\ncalls=1 1\nfn=h\n",
        "-:f=2,0 ; line 6: expected the costs of the calls on the preceding line, lost 5",
    );
    check_body(
        "fn=f\ncfn=g\ncalls=x 1\n",
        "; line 4: expected a number of calls: a number of at most 64 bits, lost 10",
    );
}

#[test]
fn a_file_that_counts_nothing_is_an_error() {
    check("version: 1\nfn=f\n1 2\n", "line 3: no `events:` line before this one");
    check("# callgrind format\nversion: 1\n", "line 3: the file ends before a line `events:`");
    check("version: 2\nevents: Ir\n", "line 1: unknown format version 2");
    check("events:\n", "line 1: the file ends before the name of an event");
    let events = "e ".repeat(33);
    check(&format!("events: {events}\n"), "line 1: more than 32 events");
}

#[test]
fn a_file_that_is_cut_off_keeps_what_is_whole() {
    let whole = "creator: callgrind-3.19.0\nevents: Ir\nfn=f\n1 23\n2 45\ntotals: 68\n";
    check(whole, "-:f=68 total=68");
    let cut = |n_bytes| &whole[..whole.len() - n_bytes];
    check(cut(1), "-:f=68 ; line 6: the file ends before the rest of this line, lost 10");
    check(cut(11), "-:f=68 ; line 6: the file ends before a line `totals:`, lost 0");
    check(cut(13), "-:f=23 ; line 5: the file ends before the rest of this line, lost 3");
    check_body(
        "fn=f\n1 2\ncfn=g\ncalls=1 1\n",
        "-:f=2,0 ; line 6: the file ends before the costs of calls, lost 0",
    );
}

fn check_sniff(text: &str, expected: bool) {
    assert_eq!(
        FIRST_LINE == text.as_bytes() || has_header(text.as_bytes()),
        expected,
        "for {text:?}"
    );
}

#[test]
fn files_are_known_by_their_header() {
    check_sniff("# callgrind format", true);
    check_sniff("events: Ir\n", true);
    check_sniff("version: 1\ncreator: xdebug 3.1\n\npositions: line\nevents: Time\n", true);
    check_sniff("desc: I1 cache: x\ncmd: ./a\nevents: Ir\nfl=a\n", true);
    check_sniff("desc: --time-unit=i\ncmd: ./a\ntime_unit: i\n#--\nevents: Ir\n", false);
    check_sniff("version: 1\n", false);
    check_sniff("Dear reader,\nevents: Ir\n", false);
    check_sniff("", false);
}
