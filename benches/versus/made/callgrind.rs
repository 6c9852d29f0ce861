//! Profiles of calls: callgrind's, Xdebug's, and the text of gprof.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use super::random::Random;

/// Functions in a source file.
const OF_FILE: usize = 50;

/// A profile of callgrind of that many functions, each with self costs on some lines and some
/// calls.
pub(super) fn callgrind(file: &Path, n_functions: usize) -> io::Result<()> {
    let mut random = Random::new(1);
    // As in callgrind, in order of first appearance; 0 for none.
    let (mut numbers, mut n_named) = (vec![0; n_functions], 0);
    let mut out = BufWriter::new(File::create(file)?);
    let mut total = 0;
    writeln!(
        out,
        "# callgrind format\nversion: 1\ncreator: callgrind-3.19.0\npid: 7000\ncmd:  ./server\n\
         part: 1\n\n\ndesc: I1 cache: \n\npositions: line\nevents: Ir\n\n\nob=(1) /usr/bin/server"
    )?;
    let mut name = |out: &mut dyn Write, key: &str, function: usize| {
        let number = &mut numbers[function];
        if *number > 0 {
            writeln!(out, "{key}=({number})")
        } else {
            n_named += 1;
            *number = n_named;
            writeln!(out, "{key}=({number}) engine::Shard::method_{function}(unsigned long)")
        }
    };
    for function in 0..n_functions {
        let source = function / OF_FILE + 1;
        match function % OF_FILE {
            0 => writeln!(out, "\nfl=({source}) src/engine_{source}.cc")?,
            _ => writeln!(out, "\nfl=({source})")?,
        }
        name(&mut out, "fn", function)?;
        writeln!(out, "{} 5", function % OF_FILE * 40 + 1)?;
        total += 5;
        for _ in 0..6 + random.below(4) {
            let cost = 1 + random.small(100_000);
            let step = 1 + random.below(4);
            writeln!(out, "+{step} {cost}")?;
            total += cost;
        }
        for _ in 0..random.below(4) {
            // A callee has a larger number, so that no calls recurse.
            let further = usize::try_from(1 + random.small(100_000)).expect("it is small");
            let callee = function + further;
            if callee < n_functions {
                name(&mut out, "cfn", callee)?;
                let (count, cost) = (1 + random.small(1000), 1 + random.small(1_000_000));
                writeln!(out, "calls={count} {}\n* {cost}", callee % OF_FILE * 40 + 1)?;
            }
        }
    }
    writeln!(out, "\ntotals: {total}")?;
    out.flush()
}

/// A profile of Xdebug with that many calls of 3000 functions, one entry a call.
pub(super) fn xdebug(file: &Path, n_calls: usize) -> io::Result<()> {
    const N_FUNCTIONS: u64 = 3000;
    let mut random = Random::new(1);
    let mut named = [false; 3000];
    let mut out = BufWriter::new(File::create(file)?);
    writeln!(
        out,
        "version: 1\ncreator: xdebug 3.2.0 (PHP 8.2.0)\ncmd: /srv/page.php\npart: 1\n\
         positions: line\n\nevents: Time_(10ns) Memory_(bytes)"
    )?;
    let source = |function: u64| function / 30 + 1;
    for _ in 0..n_calls {
        let function = random.below(N_FUNCTIONS);
        let (file, number) = (source(function), function + 1);
        let index = usize::try_from(function).expect("there are 3000");
        if std::mem::replace(&mut named[index], true) {
            writeln!(out, "\nfl=({file})\nfn=({number})")?;
        } else {
            let name = format!("Page->get{function}");
            writeln!(out, "\nfl=({file}) /srv/module_{file}.php\nfn=({number}) {name}")?;
        }
        writeln!(
            out,
            "{} {} {}",
            function % 30 * 20 + 1,
            random.small(90_000),
            random.small(9000)
        )?;
        let callee = random.below(N_FUNCTIONS);
        let index = usize::try_from(callee).expect("there are 3000");
        if named[index] {
            let (line, cost) = (function % 30 * 20 + 3, random.small(900_000));
            writeln!(
                out,
                "cfl=({})\ncfn=({})\ncalls=1 0 0\n{line} {cost} {}",
                source(callee),
                callee + 1,
                random.small(9000)
            )?;
        }
    }
    out.flush()
}

/// The text of gprof for that many functions, each called by two others.
pub(super) fn gprof_text(file: &Path, n_functions: usize) -> io::Result<()> {
    let mut random = Random::new(1);
    let mut out = BufWriter::new(File::create(file)?);
    let name = |function: usize| format!("engine_method_{function}");
    let times: Vec<u64> = (0..n_functions).map(|_| random.small(200)).collect();
    let sum: u64 = times.iter().sum();
    let seconds = |hundredths: u64| hundredths as f64 / 100.0;
    writeln!(
        out,
        "Flat profile:\n\nEach sample counts as 0.01 seconds.\n\
         \x20 %   cumulative   self              self     total           \n \
         time   seconds   seconds    calls   s/call   s/call  name    "
    )?;
    let mut so_far = 0;
    for (function, &time) in times.iter().enumerate() {
        so_far += time;
        let share = 100.0 * time as f64 / sum.max(1) as f64;
        writeln!(
            out,
            "{share:6.2} {:10.2} {:8.2} {:8} {:8.2} {:8.2}  {}",
            seconds(so_far),
            seconds(time),
            20,
            seconds(time) / 20.0,
            seconds(time) / 20.0,
            name(function)
        )?;
    }
    writeln!(
        out,
        "\n\t\t\tCall graph\n\n\ngranularity: each sample hit covers 2 byte(s) for 0.01% of {:.2} \
         seconds\n\nindex % time    self  children    called     name",
        seconds(sum)
    )?;
    for (function, &time) in times.iter().enumerate() {
        let indexed = |function: usize| format!("{} [{}]", name(function), function + 1);
        for distance in [1, 7] {
            let caller = (function + distance) % n_functions;
            writeln!(
                out,
                "{:21.2} {:7.2} {:7}/{:<11} {}",
                seconds(time / 2),
                0.0,
                10,
                20,
                indexed(caller)
            )?;
        }
        let index = format!("[{}]", function + 1);
        let share = 100.0 * time as f64 / sum.max(1) as f64;
        writeln!(
            out,
            "{index:6} {share:5.1} {:7.2} {:7.2} {:7}         {}",
            seconds(time),
            0.0,
            20,
            indexed(function)
        )?;
        for distance in [1, 7] {
            let callee = (function + n_functions - distance % n_functions) % n_functions;
            writeln!(
                out,
                "{:21.2} {:7.2} {:7}/{:<11} {}",
                seconds(times[callee] / 2),
                0.0,
                10,
                20,
                indexed(callee)
            )?;
        }
        writeln!(out, "-----------------------------------------------")?;
    }
    writeln!(out)?;
    out.flush()
}
