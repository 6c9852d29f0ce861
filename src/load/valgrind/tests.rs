//! Files written by hand.

use std::num::NonZeroU32;

use super::super::frame_parts::FrameParts;
use super::*;
use crate::model::RecordedCosts;

fn check_frame(text: &str, expected: (&str, Option<&str>, Option<u32>, Option<&str>)) {
    let text_of = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let parts = FrameParts::of(text.as_bytes());
    let (name, file, line, object) = expected;
    assert_eq!(text_of(parts.name), name, "{text}");
    assert_eq!(parts.file.map(text_of).as_deref(), file, "{text}");
    assert_eq!(parts.line.map(NonZeroU32::get), line, "{text}");
    assert_eq!(parts.object.map(text_of).as_deref(), object, "{text}");
}

#[test]
fn frames_have_names_lines_and_objects() {
    check_frame("0x10919A: grab (t.c:4)", ("grab", Some("t.c"), Some(4), None));
    check_frame("0x1: f(int, char) (a b.cc:12)", ("f(int, char)", Some("a b.cc"), Some(12), None));
    check_frame(
        "0x4: malloc (in /usr/lib/x (1).so)",
        ("malloc (in /usr/lib/x", Some("1).so"), None, None),
    );
    check_frame("0x4: malloc (in /usr/lib/x.so)", ("malloc", None, None, Some("x.so")));
    check_frame("0x1: ???", ("", None, None, None));
    check_frame("0x1: ??? (in /bin/a)", ("", None, None, Some("a")));
    check_frame("0x1: a::b (src/lib.rs:87:9)", ("a::b", Some("src/lib.rs"), Some(87), None));
    check_frame("operator new (0x1: y)", ("operator new", Some("0x1: y"), None, None));
    check_frame("[root]", ("[root]", None, None, None));
    check_frame("0x: x", ("0x: x", None, None, None));
    check_frame("", ("", None, None, None));
}

/// Rows as `function<caller<…=values`, and the damage.
fn text(reading: Result<Loaded, ReadError>) -> String {
    let reading = match reading {
        Ok(reading) => reading,
        Err(error) => return error.to_string(),
    };
    let mut rows = rows(&reading.profile.costs);
    rows.extend(reading.damage.map(|damage| damage.error.to_string()));
    rows.join(" ")
}

fn rows(costs: &RecordedCosts) -> Vec<String> {
    let rows = costs.samples.rows().map(|(key, values)| {
        let mut names = Vec::new();
        let mut next = key.context();
        while let Some(id) = next {
            let context = costs.contexts.get(id);
            let name = context.function.map(|id| costs.functions[id.index()].name.clone());
            let name = name.unwrap_or_else(|| b"?".as_slice().into());
            names.push(String::from_utf8_lossy(&name).into_owned());
            next = context.caller;
        }
        format!("{}={values:?}", names.join("<"))
    });
    rows.collect()
}

fn dhat(head: &str, points: &str, frames: &str) -> String {
    format!(r#"{{"dhatFileVersion":2,{head},"te":1,"pps":[{points}],"ftbl":[{frames}]}}"#)
}

fn check_dhat(head: &str, points: &str, expected: &str) {
    let file = dhat(
        head,
        points,
        r#""[root]","0x1: malloc (in /x/vgpreload_dhat.so)","0x2: f (a.c:1)","0x3: main (a.c:9)","0x2: f (a.c:1)""#,
    );
    assert_eq!(text(Dhat.read(file.as_bytes().into(), &Hints::default())), expected, "{file}");
}

const PLAIN: &str = r#""mode":"copy","verb":"Copied","bklt":false,"bkacc":false"#;
const HEAP: &str = r#""mode":"heap","verb":"Allocated","bklt":true,"bkacc":true"#;

#[test]
fn blocks_belong_to_the_caller_of_the_allocator() {
    check_dhat(PLAIN, r#"{"tb":5,"tbk":2,"fs":[0,1,2,3]}"#, "f<main=[2, 5]");
    // Repeated frames are one function.
    let two = r#"{"tb":5,"tbk":2,"fs":[1,2,3]},{"tb":1,"tbk":1,"fs":[1,4,3]}"#;
    check_dhat(PLAIN, two, "f<main=[3, 6]");
    // If nothing else is known, the allocator is named.
    check_dhat(PLAIN, r#"{"tb":5,"tbk":2,"fs":[0,1]}"#, "malloc=[2, 5]");
}

#[test]
fn lifetimes_and_accesses_are_optional() {
    let point = r#"{"tb":9,"tbk":3,"tl":7,"mb":8,"mbk":2,"gb":6,"gbk":2,"eb":5,"ebk":1,"rb":4,"wb":11,"acc":[1,-2,3],"fs":[2]}"#;
    check_dhat(HEAP, point, "f=[3, 9, 2, 4, 2, 6, 4, 11, 7]");
    check_dhat(PLAIN, point, "f=[3, 9]");
    check_dhat(
        &HEAP.replace("true}", "true"),
        r#"{"tb":9,"tbk":3,"fs":[2]}"#,
        "f=[3, 9, 3, 9, 0, 0, 0, 0, 0]",
    );
}

#[test]
fn the_first_version_has_blocks_of_the_heap() {
    let file = r#"{"dhatFileVersion":1,"cmd":"a","pid":1,"mi":9,"ei":12,"aps":[{"tb":9,"tbk":3,
        "tli":7,"mb":8,"mbk":2,"gb":6,"gbk":2,"fb":5,"fbk":1,"rb":4,"wb":11,"fs":[1]}],
        "ftbl":["[root]","0x2: f (a.c:1)"]}"#;
    let read = text(Dhat.read(file.as_bytes().into(), &Hints::default()));
    assert_eq!(read, "f=[3, 9, 2, 4, 2, 6, 4, 11, 7]");
}

#[test]
fn wrong_dhat_files_are_refused() {
    check_dhat(
        PLAIN,
        r#"{"tb":5,"tbk":2,"fs":[7]}"#,
        "line 1: a stack has the frame 7, but the file has 5",
    );
    check_dhat(PLAIN, r#"{"tb":5,"fs":[7]}"#, "line 1: missing field `tbk`");
    check_dhat(
        HEAP,
        r#"{"tb":5,"tbk":2,"eb":6,"fs":[2]}"#,
        "line 1: a stack has more memory at the end than it allocated",
    );
    let file = dhat(PLAIN, "", "").replace(":2,", ":3,");
    let error = text(Dhat.read(file.as_bytes().into(), &Hints::default()));
    assert_eq!(error, "line 1: file version 3; profan reads versions 1 and 2");
    let cut = &file.as_bytes()[..file.len() - 3];
    let error = Dhat.read(cut.into(), &Hints::default()).expect_err("it is cut");
    assert!(error.is_cut_off());
}

const SNAPSHOT: &str = "time=1\nmem_heap_B=10\nmem_heap_extra_B=2\nmem_stacks_B=0\n";

fn massif(body: &str) -> String {
    let file = format!("desc: x\ncmd: ./a\ntime_unit: i\n{}", body.replace("S\n", SNAPSHOT));
    text(Massif.read(file.as_bytes().into(), &Hints::default()))
}

#[test]
fn callers_are_children_in_the_trees_of_massif() {
    let peak = "snapshot=0\nS\nheap_tree=peak\n\
        n2: 10 (heap allocation functions) malloc\n \
        n2: 7 0x1: f (a.c:1)\n  \
        n0: 4 0x2: main (a.c:2)\n  \
        n0: 1 0x3: other (a.c:3)\n \
        n0: 2 0x4: g (a.c:4)\n";
    // Two bytes of `f` have no caller, and one has no function.
    assert_eq!(massif(peak), "f<main=[4] f<other=[1] f=[2] g=[2] ?=[1]");
    let few = "snapshot=0\nS\nheap_tree=peak\n\
        n2: 10 (heap allocation functions) malloc\n \
        n1: 7 0x1: f (a.c:1)\n  \
        n0: 7 in 3 places, all below massif's threshold (1.00%)\n \
        n0: 3 in 1 place, below massif's threshold (1.00%)\n";
    assert_eq!(massif(few), "f=[7] (below massif's threshold)=[3]");
}

#[test]
fn the_peak_is_the_first_metric() {
    let tree = "n1: 10 malloc\n n0: 10 0x1: f (a.c:1)\n";
    let body = format!(
        "snapshot=0\nS\nheap_tree=detailed\n{tree}#---\nsnapshot=1\nS\nheap_tree=empty\n\
         snapshot=2\nS\nheap_tree=peak\n{}",
        tree.replace("0x1: f", "0x1: g")
    );
    assert_eq!(massif(&body), "g=[10, 0] f=[0, 10]");
    let without = "snapshot=0\nS\nheap_tree=empty\n";
    assert_eq!(massif(without), "?=[10]");
}

#[test]
fn damaged_snapshots_are_left_out() {
    let whole = "snapshot=0\nS\nheap_tree=empty\n";
    let check = |rest: &str, expected: &str| {
        assert_eq!(massif(&format!("{whole}{rest}")), expected, "{rest}");
    };
    check("snapshot=1\n", "?=[10] line 10: the file ends inside a snapshot");
    check("snapshot=1\nS\nheap_tree=peak\n", "?=[10] line 15: the file ends inside a snapshot");
    check(
        "snapshot=1\nS\nheap_tree=peak\nn1: 10 malloc\n",
        "?=[10] line 16: a function has another number of callers than it states",
    );
    check(
        "snapshot=1\nS\nheap_tree=peak\nn1: 10 malloc\n  n0: 10 f\n",
        "?=[10] line 17: this line is indented more than one beyond its callee",
    );
    check(
        "snapshot=1\nS\nheap_tree=peak\nn1: 10 malloc\n n0: 11 f\n",
        "?=[10] line 17: callers have more bytes than their callee",
    );
    check("snapshot=x\n", "?=[10] line 10: expected a number of at most 64 bits");
    check("words\n", "?=[10] line 10: unknown kind of line");
    assert_eq!(massif("snapshot=0\n"), "line 4: the file ends inside a snapshot");
}

#[test]
fn heap_profiles_of_valgrind_are_recognised() {
    let hints = Hints::default();
    let check = |data: &[u8], is_dhat: bool, is_massif: bool| {
        let claims = [Dhat.sniff(data.into(), &hints), Massif.sniff(data.into(), &hints)];
        assert_eq!(claims, [is_dhat, is_massif].map(Claim::certain_if), "{data:?}");
    };
    check(b"{\"dhatFileVersion\":2\n,", true, false);
    check(b"\n{ \"cmd\":\"a\", \"dhatFileVersion\" : 2}", true, false);
    check(b"[\"dhatFileVersion\"]", false, false);
    check(b"{\"version\":2}", false, false);
    check(b"desc: x\ncmd: a\ntime_unit: i\n", false, true);
    check(b"desc: x\ncmd: a\nevents: i\n", false, false);
    check(b"", false, false);
}
