//! A small trace, reported whole.

use profan::analyze::{TraceOptions, trace_sections};
use profan::model::{
    AllocationIndex, BlockLife, BlockTotal, Context, ContextId, Function, FunctionId, Heap,
    HeapHistory, InvalidEvent, LiveHeapSeries, LocationId, Peak, Profile, Quantity,
    ReallocationChain, RecordedLocation, SampleKey, Samples, ThreadHistory, heap_columns,
    heap_metrics,
};
use profan::render::{self, RenderOptions};
use profan::report::{NoNames, Report};
use profan::symbols::{Style, demangle};

fn tally(count: u64, bytes: u64) -> BlockTotal {
    BlockTotal { count, bytes }
}

/// `f` allocates 10 and 30 bytes, `f` again makes 40 of the 10, `g` frees those 40.
fn profile() -> Profile {
    let mut profile = Profile::default();
    let function = |name: &[u8]| Function::named(name);
    let context = |function, location| Context {
        address: None,
        function: Some(FunctionId(function)),
        location,
        caller: None,
    };
    let charges = &mut profile.costs;
    charges.functions = vec![function(b"_Z1fv"), function(b"g\x1b")];
    charges.locations =
        [RecordedLocation { file: b"a.c".as_slice().into(), line: 7.try_into().ok() }]
            .into_iter()
            .collect();
    charges.contexts = [context(0, Some(LocationId(0))), context(1, None)].into_iter().collect();
    let types = heap_columns(&[Quantity::ALLOCATED, Quantity::FREED], &[None]);
    charges.metrics = heap_metrics(&types);
    charges.samples = Samples::new(types);
    let in_f = |thread| SampleKey::ThreadContext(ContextId(0), thread);
    charges.samples.push(in_f(1), &[2, 50, 1, 10]);
    charges.samples.push(in_f(2), &[1, 30, 1, 40]);
    let mut heap = Heap::default();
    heap.allocated.counts = (1..=64).map(|n| u64::from([10, 30, 40].contains(&n))).collect();
    heap.freed.counts = (1..=64).map(|n| u64::from([10, 40].contains(&n))).collect();
    profile.heap = Some(heap);
    profile.history = Some(course());
    profile
}

fn course() -> HeapHistory {
    let points = [tally(1, 10), tally(2, 40), tally(2, 70), tally(1, 30)];
    let life = BlockLife {
        index: AllocationIndex(1),
        size: 40,
        allocated: 1,
        context: ContextId(0),
        freed: Some((4, ContextId(1))),
    };
    let mut course = HeapHistory {
        n_events: 4,
        allocations: tally(2, 40),
        reallocations: tally(1, 40),
        frees: tally(1, 40),
        live: tally(1, 30),
        peak_blocks: Peak { event: 2, live: tally(2, 40) },
        peak_bytes: Peak { event: 3, live: tally(2, 70) },
        series: LiveHeapSeries { n_events_per_point: 1, points: points.into() },
        longest_lived: [life].into(),
        largest_unfreed: [BlockLife { freed: None, size: 30, ..life }].into(),
        n_chains: 3,
        chains: [ReallocationChain {
            index: AllocationIndex(1),
            n_reallocations: 1,
            allocated: 1,
            first_size: 10,
            last_size: 40,
            first_context: ContextId(0),
            last_context: ContextId(1),
        }]
        .into(),
        threads: [1, 2]
            .map(|thread| ThreadHistory {
                thread,
                n_events: 2,
                allocated: tally(1, 40),
                freed: tally(0, 0),
            })
            .into(),
        ..HeapHistory::default()
    };
    course.unknown_blocks.add(InvalidEvent {
        event: 4,
        index: AllocationIndex(8),
        context: ContextId(1),
    });
    course
}

const EXPECTED: &str = r"Allocation trace:

blocks  bytes  what
     2     40  allocated
     1     40  reallocated
     1     40  freed
     1     30  never freed
     0      0  freed at once
     0      0  reserved for the heap
     0      0  reserved for the library


Peaks:

       blocks   bytes
event  in use  in use  what
    3       2      70  most bytes
    2       2      40  most blocks


Bytes in use over time:

  70 |  #
  46 | ###
  23 |####
   0 +----
        ^ peak
      1  4  events


Sizes:

     %     blocks  never
blocks  allocated  freed  bytes
 33.33          1      0  8-15
 33.33          1      1  16-31
 33.33          1      0  32-63


Never freed, by place of allocation:

     %  cumulative   self          of blocks
 bytes       bytes  bytes  blocks  allocated  where
100.00          30     30       1          3  f() (a.c:7)


Largest blocks never freed:

events
in use  bytes  allocated  freed  where
     3     30          1      -  f() (a.c:7)


Longest-lived freed blocks:

events
in use  bytes  allocated  freed  where
     3     40          1      4  f() (a.c:7), freed in g\x1b


Blocks reallocated most often:

       first   last
times  bytes  bytes  index  where
    1     10     40      1  f() (a.c:7), last in g\x1b
and 2 more blocks


Threads:

     %             blocks      bytes  blocks  bytes
events  events  allocated  allocated   freed  freed  thread
 50.00       2          1         40       0      0  0x1
 50.00       2          1         40       0      0  0x2


Invalid events:

event  index        block was  where
    4      8  never allocated  g\x1b
";

/// The whole report on a trace, as text for a pipe.
fn reported(profile: &Profile, options: &TraceOptions) -> String {
    let for_pipe = RenderOptions { escapes_controls: true, ..RenderOptions::default() };
    shown(profile, options, &for_pipe)
}

/// The whole report on a trace, as text.
fn shown(profile: &Profile, options: &TraceOptions, how: &RenderOptions) -> String {
    let spell = |raw: &[u8]| demangle(raw, Style::Auto).unwrap_or_else(|| raw.to_vec());
    let sections = trace_sections(profile, options, &spell);
    assert!(!sections.is_empty(), "there is a course");
    let report = Report {
        inputs: Vec::new(),
        metrics: Vec::new(),
        primary: 0,
        names: Box::new(NoNames),
        sections,
        diagnostics: Vec::new(),
        command: Vec::new(),
        notes: Vec::new(),
        has_chosen_rows: false,
    };
    let mut out = Vec::new();
    let outcome = render::default_renderer().render(&report, how, &mut out);
    outcome.expect("memory can be written");
    String::from_utf8(out).expect("controls are escaped")
}

#[test]
fn a_report_shows_the_largest_values() {
    let options = TraceOptions { chart_height: 3, ..TraceOptions::default() };
    assert_eq!(reported(&profile(), &options), EXPECTED);
}

#[test]
fn sizes_and_counts_are_written_for_people() {
    let mut profile = profile();
    let history = profile.history.as_mut().expect("it is a trace");
    history.peak_bytes.live.bytes = 6755;
    history.allocations = tally(1500, 1500);
    let for_people =
        RenderOptions { escapes_controls: true, screen: Some(80), ..RenderOptions::default() };
    let text = shown(&profile, &TraceOptions::default(), &for_people);
    let has = |words: &[&str]| {
        let mut lines = text.lines();
        lines.any(|line| line.split_whitespace().collect::<Vec<_>>() == words)
    };
    assert!(has(&["1,500", "1.5", "KiB", "allocated"]), "{text}");
    assert!(has(&["3", "2", "6.6", "KiB", "most", "bytes"]), "{text}");
    let longest = text.lines().map(str::len).max();
    assert!(longest <= Some(80), "{text}");
}

#[test]
fn a_trace_of_nothing_is_short() {
    let mut profile = Profile::default();
    profile.history = Some(HeapHistory::default());
    let text = reported(&profile, &TraceOptions::default());
    assert!(text.starts_with("Allocation trace:\n") && text.lines().count() < 20, "{text}");
}
