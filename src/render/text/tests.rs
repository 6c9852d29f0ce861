//! The differences between two sides, on terminals of several widths.

use super::*;
use crate::render::testing::{difference_report, rendered};

fn shown(screen: Option<usize>, has_color: bool) -> String {
    let options = RenderOptions { screen, has_color, ..RenderOptions::default() };
    let text = rendered(&TEXT, &difference_report(), &options);
    String::from_utf8(text).expect("names are text")
}

/// Checks the lines of the section with that title, without the text around them.
#[track_caller]
fn check(title: &str, screen: Option<usize>, expected: &str) {
    let text = shown(screen, false);
    let start = text.find(title).expect("there is the section");
    let rows = text[start..].split("100 ticks\n").nth(1);
    let rows = rows.and_then(|rows| rows.split("\"said\"").next());
    assert_eq!(rows, expected.strip_prefix('\n'), "in {screen:?} columns");
}

const ALL: &str = "
    old      new   change  change  at least  at most           calls  calls   calls
seconds  seconds  seconds       %   seconds  seconds  verdict    old    new  change  name
   2.00     2.25    +0.25   +12.5     +0.12    +0.38  slower       3      5      +2  whole program
   1.00     1.50    +0.50   +50.0     +0.38    +0.62  slower       3      5      +2  ns::work(int)
   1.00     0.50    -0.50   -50.0     -0.62    -0.38  faster       3      5      +2  main
   0.00     0.25    +0.25             +0.12    +0.38  new          3      5      +2  helper
   0.00     0.00     0.00             -0.12    +0.12  unclear      3      5      +2  <unattributed>
";

#[test]
fn files_have_all_columns_and_wide_terminals_too() {
    check("What differs", None, ALL);
    let wide = "
   old     new   change  change  at least  at most           calls  calls   calls
  time    time     time       %      time     time  verdict    old    new  change  name
2.00 s  2.25 s  +250 ms   +12.5   +125 ms  +375 ms  slower       3      5      +2  whole program
1.00 s  1.50 s  +500 ms   +50.0   +375 ms  +625 ms  slower       3      5      +2  ns::work(int)
1.00 s  500 ms  -500 ms   -50.0   -625 ms  -375 ms  faster       3      5      +2  main
   0 s  250 ms  +250 ms           +125 ms  +375 ms  new          3      5      +2  helper
   0 s     0 s      0 s           -125 ms  +125 ms  unclear      3      5      +2  <unattributed>
";
    check("What differs", Some(120), wide);
}

#[test]
fn no_limit_stands_without_the_other() {
    for columns in 60..=100 {
        let text = shown(Some(columns), false);
        let heading = |word: &str| text.contains(word);
        assert_eq!(heading("at least"), heading("at most"), "in {columns}");
    }
    assert!(!shown(Some(84), false).contains("at least"));
}

#[test]
fn limits_and_calls_go_first_and_the_change_and_its_verdict_stay() {
    check(
        "What differs",
        Some(80),
        "
   old     new   change  change           calls  calls   calls
  time    time     time       %  verdict    old    new  change  name
2.00 s  2.25 s  +250 ms   +12.5  slower       3      5      +2  whole program
1.00 s  1.50 s  +500 ms   +50.0  slower       3      5      +2  ns::work(int)
1.00 s  500 ms  -500 ms   -50.0  faster       3      5      +2  main
   0 s  250 ms  +250 ms          new          3      5      +2  helper
   0 s     0 s      0 s          unclear      3      5      +2  <unattributed>
",
    );
    check(
        "What differs",
        Some(64),
        "
   old     new   change  change
  time    time     time       %  verdict  name
2.00 s  2.25 s  +250 ms   +12.5  slower   whole program
1.00 s  1.50 s  +500 ms   +50.0  slower   ns::work(int)
1.00 s  500 ms  -500 ms   -50.0  faster   main
   0 s  250 ms  +250 ms          new      helper
   0 s     0 s      0 s          unclear  <unattributed>
",
    );
    check(
        "What differs",
        Some(50),
        "
   new   change  change
  time     time       %  verdict  name
2.25 s  +250 ms   +12.5  slower   whole program
1.50 s  +500 ms   +50.0  slower   ns::work(int)
500 ms  -500 ms   -50.0  faster   main
250 ms  +250 ms          new      helper
   0 s      0 s          unclear  <unattributed>
",
    );
    check(
        "What differs",
        Some(32),
        "
 change
   time  verdict  name
+250 ms  slower   whole program
+500 ms  slower   ns::work(int)
-500 ms  faster   main
+250 ms  new      helper
    0 s  unclear  <unattributed>
",
    );
}

#[test]
fn calls_are_what_a_table_of_calls_is_about() {
    check(
        "Which calls differ",
        Some(40),
        "
 calls
change  verdict  caller  name
    +2  more     main    ns::work(int)
",
    );
}

#[test]
fn rows_of_a_difference_have_the_colour_of_their_verdict() {
    let text = shown(Some(80), true);
    let check = |color: &str, name: &str| {
        let mut lines = text.lines();
        let line = lines.find(|line| line.ends_with(&format!("  {name}\x1b[0m")));
        let line = line.expect("there is a row");
        assert!(line.starts_with(color), "{line:?}");
    };
    check("\x1b[1;31m", "whole program");
    check("\x1b[31m", "ns::work(int)");
    check("\x1b[32m", "main");
    check("\x1b[31m", "helper");
    check("\x1b[2m", "<unattributed>");
}
