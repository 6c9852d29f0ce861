//! Parses the command line, carries it out and exits.

use std::env;
use std::process;

use profan::cli;
use profan::memory::Counted;
use profan::run::{carry_out, refuse};

#[global_allocator]
static ALLOCATOR: Counted = Counted;

fn main() {
    // What is left of it goes with the process.
    let ended = match cli::parse(env::args_os()) {
        Ok(command) => carry_out(command),
        Err(error) => refuse(&error),
    };
    process::exit(ended.status.into());
}
