//! Tables and profiles of MLton.

use std::fmt::Write as _;

use super::random::Random;

const STRUCTURES: [&str; 8] =
    ["Main", "List", "Vector", "Lexer", "Parser", "Backend", "Table", "Pat"];
const WORDS: [&str; 8] = ["fold", "eval", "step", "scan", "try", "remove", "lookup", "check"];

/// A table of that many functions, each split once or twice, and a profile by time with
/// stacks.
pub(super) fn table_and_profile(n_names: usize) -> (String, String) {
    let mut random = Random::new(1);
    let mut names = vec!["<unknown>".to_owned(), "<gc>".to_owned(), "<main>".to_owned()];
    for number in 0..n_names {
        let mut name = random.one_of(&STRUCTURES).to_string();
        for _ in 0..random.below(4) {
            let _ = write!(name, ".{}{}", random.one_of(&WORDS), random.below(20));
        }
        let _ = write!(name, ".{}{number}\tsrc/", random.one_of(&WORDS));
        let _ =
            write!(name, "{}{}.sml: {}", random.one_of(&WORDS), random.below(40), 1 + number / 40);
        names.push(name);
    }
    let mut sources: Vec<usize> = (0..3).collect();
    for name in 3..names.len() {
        sources.extend(vec![name; if random.permille(300) { 2 } else { 1 }]);
    }
    let n_sources = sources.len() as u64;
    let mut table = format!("0x5eed0042\n{}\n", names.len());
    for name in &names {
        let _ = writeln!(table, "{name}");
    }
    let _ = writeln!(table, "{n_sources}");
    for (index, source) in sources.iter().enumerate() {
        let _ = writeln!(table, "{source} {index}");
    }
    let _ = writeln!(table, "{n_sources}");
    for index in 0..n_sources {
        let callees: Vec<_> = (0..random.below(8))
            .map(|_| {
                if random.permille(20) {
                    random.below(n_sources)
                } else {
                    (index + 1 + random.below(400)).min(n_sources - 1)
                }
            })
            .collect();
        for callee in callees {
            let _ = write!(table, "{callee} ");
        }
        table += "\n";
    }
    (table, profile(&sources, names.len(), &mut random))
}

fn profile(sources: &[usize], n_names: usize, random: &mut Random) -> String {
    let mut of_names = vec![(0, 0); n_names];
    let of_sources: Vec<(u64, u64)> = sources
        .iter()
        .map(|&name| {
            let current = if random.permille(200) { random.small(100) } else { 0 };
            let on_stack = current + random.small(20);
            let sum: &mut (u64, u64) = &mut of_names[name];
            *sum = (sum.0 + current, sum.1.max(on_stack));
            (current, on_stack)
        })
        .collect();
    let total: u64 = of_sources.iter().map(|(current, _)| current).sum();
    let mut text = format!("MLton prof\ntime\nstack\n0x5eed0042\n{total} 0\n");
    for counts in [&of_sources, &of_names] {
        let _ = writeln!(text, "{}", counts.len());
        for (current, on_stack) in counts {
            let _ = writeln!(text, "{current} {on_stack} 0");
        }
    }
    text
}
