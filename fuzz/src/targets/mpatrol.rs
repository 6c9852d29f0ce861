use arbitrary::Unstructured;
use profan::load::Hints;

use super::super::made::mpatrol;
use super::super::pipeline::{NO_SCREEN, file, run_line};
use super::check;

/// Allocation profiles made of tables, which profan and mprof report.
pub fn mpatrol(data: &[u8]) {
    let Ok(made) = mpatrol::profile(&mut Unstructured::new(data)) else {
        return;
    };
    check::reading(&made, &Hints::default());
    let files = [file("mpatrol.out", &made)];
    for line in ["-p -q --leaks --bins=all", "mprof -v -n 0 -l -g stdout"] {
        let ran = run_line(line, &files, NO_SCREEN);
        assert!(ran == run_line(line, &files, NO_SCREEN), "{line} changes");
    }
}

/// Traces made of events, which profan and mptrace report.
pub fn trace(data: &[u8]) {
    let Ok(made) = mpatrol::trace(&mut Unstructured::new(data)) else {
        return;
    };
    check::reading(&made, &Hints::default());
    let files = [file("mpatrol.trace", &made)];
    for line in ["--trace --peak --temporary --between start,end", "mptrace -v -s -H stdout"] {
        let ran = run_line(line, &files, NO_SCREEN);
        assert!(ran == run_line(line, &files, NO_SCREEN), "{line} changes");
    }
}
