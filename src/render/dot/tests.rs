//! Pictures by example.

use super::*;
use crate::render::testing::{hostile_report, rendered, report, sample_report};

fn picture(report: &Report) -> String {
    let text = rendered(&DOT, report, &RenderOptions::default());
    String::from_utf8(text).expect("what is not text is spelled out")
}

#[test]
fn a_picture_has_boxes_frames_arrows_and_what_is_left_out() {
    let expected = r##"n1 [label="main\ntotal 0.40 s (100.0%)\nself 0.10 s (25.0%)", tooltip="main: total 0.40 s (100.0%), self 0.10 s (25.0%)", fontsize=17, fillcolor="#c5cbff", fontcolor="#000000"];
n2 [label="ns::work(int)\ntotal 75.0%\nself 30 ticks\n3×", tooltip="ns::work(int): total 75.0%, self 30 ticks, 3×", fontsize=9, fillcolor="#8ce5d3", fontcolor="#000000"];
n2 -> n2 [label="7×", style=dotted];
subgraph cluster_3 { label="cycle 1\ntotal 0.30 s (75.0%)\nself 0.30 s"; style=dashed; fontsize=10; n2; }
n1 -> n2 [label="75.0%\n3×", tooltip="main → ns::work(int): 75.0%, 3×", labeltooltip="main → ns::work(int): 75.0%, 3×", penwidth=5, color="#c62828"];
legend [label="A title\lprog\ltime in seconds\l100 ticks\lcolour: function; font: self cost; arrow: cost along calls\lnot shown: 1 function and 1 arc below 0.5 %\l", tooltip="legend", fillcolor="#ffffff", fontcolor="#000000"];
}
"##;
    let text = picture(&sample_report());
    assert_eq!(text.strip_prefix(HEAD), Some(expected));
}

#[test]
fn names_cannot_leave_their_quotes() {
    let text = picture(&hostile_report());
    for line in text.lines().filter(|line| line.starts_with('n')) {
        let mut in_quotes = false;
        let mut characters = line.chars();
        while let Some(character) = characters.next() {
            match character {
                '\\' => drop(characters.next()),
                '"' => in_quotes = !in_quotes,
                ']' if !in_quotes => assert_eq!(characters.as_str(), ";", "in {line}"),
                _ => assert!(!character.is_control(), "in {line}"),
            }
        }
        assert!(!in_quotes, "in {line}");
    }
}

#[test]
fn a_report_without_calls_is_for_other_formats() {
    let report = report(Vec::new(), Vec::new());
    let mut out = Vec::new();
    let shown = DOT.render(&report, &RenderOptions::default(), &mut out);
    let expected = "`dot` cannot show any section of the report";
    assert_eq!(shown.expect_err("it is empty").to_string(), expected);
}
