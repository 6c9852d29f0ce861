use super::super::format::{Claim, Format, Hints};
use super::GprofText;
use super::lines::{ArcLine, EntryLine, FlatLine, sampling_period};

/// Rows as `name=self/total`, then calls as `caller>callee=count:cost`, then the damage.
fn text(data: &str) -> String {
    let reading = match GprofText.read(data.into(), &Hints::default()) {
        Ok(reading) => reading,
        Err(error) => return error.to_string(),
    };
    let costs = &reading.profile.costs;
    let name = |function: Option<crate::model::FunctionId>| {
        function.map_or("?".to_owned(), |id| {
            String::from_utf8_lossy(&costs.functions[id.index()].name).into_owned()
        })
    };
    let mut parts = Vec::new();
    for (key, values) in costs.samples.rows() {
        match key {
            crate::model::SampleKey::Function(_) => parts.push(format!("/{}", values[1])),
            key => {
                let context = costs.contexts.get(key.context().expect("it is one"));
                parts.push(format!(" {}={}", name(context.function), values[0]));
            }
        }
    }
    for (call, values) in costs.calls.iter() {
        let caller = name(costs.contexts.get(call.site).function);
        let callee = name(Some(call.callee));
        parts.push(format!(" {caller}>{callee}={}:{}", call.count, values[0]));
    }
    let damage = reading.damage.map(|damage| format!(" {}", damage.error));
    parts.extend(damage);
    parts.concat().trim_start().to_owned()
}

const FLAT: &str = "Flat profile:\n\nEach sample counts as 0.01 seconds.\n  \
    %   cumulative   self              self     total           \n \
    time   seconds   seconds    calls  ms/call  ms/call  name    \n \
    75.00      0.30     0.30        2   150.00   200.00  f(int, char)\n \
    25.00      0.40     0.10                             main\n\n\
    cumulative   a running sum of the number of seconds accounted\n";

const GRAPH: &str = "index % time    self  children    called     name\n\
                                                 <spontaneous>\n\
[1]    100.0    0.10    0.30                 main [1]\n\
                0.30    0.00       2/3           f(int, char) [2]\n\
-----------------------------------------------\n\
                0.30    0.00       2/3           main [1]\n\
[2]     75.0    0.30    0.00       3+4       f(int, char) [2]\n\
-----------------------------------------------\n\n \
 This table describes the call tree of the program\n\nIndex by function name\n\n   [1] main\n";

#[test]
fn a_flat_profile_alone_has_calls_without_callers() {
    assert_eq!(text(FLAT), "f(int, char)=30 main=10 ?>f(int, char)=2:0");
}

#[test]
fn the_call_graph_has_totals_and_calls() {
    let expected = "main=10/40 f(int, char)=30/30 main>f(int, char)=2:30 \
        f(int, char)>f(int, char)=4:0 ?>f(int, char)=1:0";
    let sorted = |text: &str| {
        let mut words: Vec<_> = text.split(' ').map(str::to_owned).collect();
        words.sort();
        words
    };
    assert_eq!(sorted(&text(GRAPH)), sorted(expected));
    // Functions of both tables occur once.
    assert_eq!(text(&[FLAT, GRAPH].concat()), text(GRAPH));
    assert_eq!(text(&[GRAPH, FLAT].concat()), text(GRAPH));
}

#[test]
fn cycles_have_no_cost_of_their_own() {
    let cycle = "index % time    self  children    called     name\n\
        [3]     91.71    1.77     0.00    1+5    <cycle 1 as a whole> [3]\n\
        1.02     0.00    3          b <cycle 1> [4]\n\
        ----------------------------------------\n\
        \t\t3          a <cycle 1> (5)\n\
        [4]     52.85    1.02     0.00    3      b <cycle 1> [4]\n\
        ----------------------------------------\n";
    assert_eq!(text(cycle), "b=102/102 a=0/0 a>b=3:0");
    let with_tab = cycle.replace("as a whole> [3]", "as a whole>\t[3]");
    assert_eq!(text(&with_tab), text(cycle));
}

#[test]
fn a_second_report_ends_the_reading() {
    let twice = [FLAT, FLAT].concat();
    assert_eq!(
        text(&twice),
        "f(int, char)=30 main=10 ?>f(int, char)=2:0 line 13: a second report starts here"
    );
    let cut = &GRAPH[..GRAPH.find("---").expect("it is there")];
    assert!(text(cut).ends_with("line 4: the file ends inside an entry of the call graph"));
    let second = &GRAPH[GRAPH.find("---").expect("it is there")..];
    let second = second.find('\n').expect("it is a line") + GRAPH.len() - second.len() + 1;
    let ends = "line 5: the file ends before the entry of `f(int, char)` in the call graph";
    assert!(text(&GRAPH[..second]).ends_with(ends));
    // Without brackets, gprof omitted the entry.
    let omitted = GRAPH[..second].replace("f(int, char) [2]", "f(int, char) (2)");
    assert!(!text(&omitted).contains("line"));
    // The index follows the last entry, and main has neither calls nor time.
    let whole = [&GRAPH[..second], "\nIndex by function name\n"].concat();
    assert!(!text(&whole).contains("line"));
    let no_time = GRAPH[..second].replace("0.30    0.00       2/3 ", "0.00    0.00       0/3 ");
    assert!(!text(&no_time).contains("line"));
    let empty = "  %   cumulative   self\n time  seconds  seconds  name\n";
    assert_eq!(text(empty), "line 2: the file contains no function");
}

#[test]
fn a_report_without_samples_and_calls_is_empty() {
    let flat = " no time accumulated\n\n  %   cumulative   self\n time  seconds  seconds  name\n";
    assert_eq!(text(flat), "");
    let graph = "granularity: each sample hit covers 4 byte(s) no time propagated\n\n\
        index % time    self  children    called     name\n\n This table counts cycles\n";
    assert_eq!(text(graph), "");
    let reading = GprofText.read(graph.into(), &Hints::default()).expect("it is whole");
    assert_eq!(&*reading.profile.costs.metrics[0].name.id, b"time");
}

#[test]
fn other_lines_in_a_flat_profile_are_skipped() {
    let odd = FLAT.replace("f(int, char)\n", "f(int, char)\nan odd line\n");
    assert_eq!(text(&odd), text(FLAT));
    let reading = GprofText.read((&*odd).into(), &Hints::default()).expect("it is read");
    assert_eq!(reading.skipped.map(|skipped| skipped.first), Some(7));
}

#[test]
fn a_profile_of_a_simulation_has_its_designs_and_the_rest_of_the_run() {
    let report = "Overall summary by type:\n  % time  type\n   75.00  VLib\n   \
        25.00  Unaccounted for/rounding error\n\nVerilog code profile:\n\n  \
        %   cumulative   self\n time   seconds   seconds      calls   design   type      \
        filename and line number\n 50.00      0.50     0.50        200   top      VBlock    \
        top:31\n 25.00      0.75     0.25          7   -        VLib      f(int, int)\n";
    let expected = "top:31=50 f(int, int)=25 Unaccounted for/rounding error=25 \
        ?>top:31=200:0 ?>f(int, int)=7:0";
    assert_eq!(text(report), expected);
}

#[test]
fn cycles_of_a_processor_may_be_in_thousands() {
    let text_of = text(
        "     cumulative       self             cycles     cycles\n  \
         %      cycles     cycles    calls     /call      /call  name\n           \
         (K)        (K)                (K)        (K)\n\
         24.38  15200.01   15200.01   100000      0.15       0.40  __sfvwrite_r\n",
    );
    assert_eq!(text_of, "__sfvwrite_r=15200010 ?>__sfvwrite_r=100000:0");
}

#[test]
fn lines_are_read_by_the_form_of_their_words() {
    let flat =
        |line: &str| FlatLine::parse(line.as_bytes()).map(|row| (row.self_cost, row.n_calls));
    assert_eq!(flat(" 31.4 0.38 0.38   _moncount (5191)"), Some((38, None)));
    assert_eq!(flat("  nan 0.00 0.00 3 0.00 0.00 f"), Some((0, Some(3))));
    assert_eq!(flat(" 31.4 0.38 0.38 "), None);
    assert_eq!(flat(" time seconds seconds calls name"), None);
    let row = FlatLine::parse(b" 31.4 0.38 0.38   _moncount (5191)").expect("it is a row");
    assert_eq!((row.name.text, row.name.index), (&b"_moncount"[..], Some(5191)));
    let entry = |line: &str| {
        let entry = EntryLine::parse(line.as_bytes())?;
        Some((entry.index, entry.self_cost, entry.children, entry.calls))
    };
    assert_eq!(
        entry("[1]    100.0    0.04 62353.83       unpackdone [1]"),
        Some((1, 4, 6_235_383, None))
    );
    assert_eq!(entry("[1] 10.0 0.04 7 main [1]"), None);
    let arc = |line: &str| ArcLine::parse(line.as_bytes()).map(|arc| (arc.cost, arc.count));
    assert_eq!(arc("  0.01   0.04   3/6   c [6]"), Some((5, 3)));
    assert_eq!(arc("  3   a <cycle 1> [5]"), Some((0, 3)));
    assert_eq!(arc("  99999999999999999999/1   a [5]"), None);
    assert_eq!(arc("       <spontaneous>"), None);
}

#[test]
fn sampling_periods_are_found() {
    let period = |line: &str| sampling_period(line.as_bytes());
    assert_eq!(period("Each sample counts as 0.01 seconds."), Some(0.01));
    let share = "granularity: each sample hit covers 4 byte(s) for 3.03% of 0.33 seconds";
    assert!(period(share).is_some_and(|period| (period - 0.01).abs() < 1e-4));
    assert_eq!(period("each sample hit covers"), None);
    assert_eq!(period("no time accumulated"), None);
}

#[test]
fn reports_are_recognised_by_their_headings() {
    let claim = |data: &str| GprofText.sniff(data.into(), &Hints::default());
    assert_eq!(claim(FLAT), Claim::Certain);
    assert_eq!(claim(GRAPH), Claim::Certain);
    assert_eq!(claim("Flat profile:\n"), Claim::No);
    assert_eq!(claim("a;b 1\n"), Claim::No);
    assert!(GprofText.may_start(b"\n\n\ncall graph profile:\n", &Hints::default()));
}
