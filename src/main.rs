//! Parses the command line, runs it and exits.

use std::env;
use std::process;

use profan::cli;
use profan::memory::Counted;
use profan::run::{carry_out, limit_parsing, refuse};
use profan::threads::with_enough_stack;

#[global_allocator]
static ALLOCATOR: Counted = Counted;

fn main() {
    with_enough_stack(|| {
        let words: Vec<_> = env::args_os().collect();
        limit_parsing(&words);
        let mut parsed = cli::parse(words);
        let ended = match &mut parsed {
            Ok(command) => carry_out(command),
            Err(error) => refuse(error),
        };
        // The system frees the memory of a process faster than the process does.
        process::exit(ended.status.into())
    })
}
