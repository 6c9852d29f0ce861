//! Runs a target on files, without libFuzzer: `replay TARGET FILE...`.

use std::process::ExitCode;

use profan_fuzz::targets::TARGETS;

fn main() -> ExitCode {
    let mut words = std::env::args().skip(1);
    let name = words.next().unwrap_or_default();
    let Some((_, target)) = TARGETS.iter().find(|(known, _)| *known == name) else {
        let names: Vec<_> = TARGETS.iter().map(|(name, _)| *name).collect();
        eprintln!("usage: replay TARGET FILE...\ntargets: {}", names.join(" "));
        return ExitCode::from(2);
    };
    for path in words {
        println!("{path}");
        target(&std::fs::read(&path).expect("the file can be read"));
    }
    ExitCode::SUCCESS
}
