//! Parses, runs, and chooses the exit status.
#![allow(missing_docs, clippy::print_stderr, clippy::print_stdout)]
use profan::cli::{self, Command};
use std::process::ExitCode;
fn main() -> ExitCode {
    let command = match cli::parse(std::env::args_os()) {
        Ok(c) => c,
        Err(e) => { eprintln!("gprof: {e}"); return ExitCode::from(1); }
    };
    match command {
        Command::Show(t) => { print!("{t}"); ExitCode::SUCCESS }
        Command::Report(plan) => {
            let mut out = std::io::BufWriter::new(std::io::stdout().lock());
            match profan::run::run(&plan, &mut out) {
                Ok(()) => ExitCode::SUCCESS,
                Err(e) => { eprintln!("gprof: {e:#}"); ExitCode::from(1) }
            }
        }
    }
}
