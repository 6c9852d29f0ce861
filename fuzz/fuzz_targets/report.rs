//! The whole pipeline on an executable and a profile: the first two bytes say how
//! many of those behind them are the executable.
#![no_main]

use std::ffi::OsString;
use std::fs;

use libfuzzer_sys::fuzz_target;
use profan::cli::{self, Command};
use profan::run::{Terminal, examine, run};

fuzz_target!(|data: &[u8]| {
    let Some((size, rest)) = data.split_first_chunk::<2>() else {
        return;
    };
    let size = usize::from(u16::from_le_bytes(*size)).min(rest.len());
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let file = |name: &str| folder.path().join(name);
    fs::write(file("program"), &rest[..size]).expect("the folder is writable");
    fs::write(file("profile"), &rest[size..]).expect("the folder is writable");
    for face in [&["profan"][..], &["profan", "gprof", "-b"]] {
        let words = face.iter().map(OsString::from);
        let files = [file("program"), file("profile")];
        let words = words.chain(files.map(OsString::from));
        let terminal = Terminal {
            escapes_controls: true,
            has_color: true,
            columns: Some(40),
            spells_sizes: false,
        };
        match cli::parse(words) {
            Ok(Command::Report(plan)) => drop(run(&plan, terminal, &mut Vec::new(), &mut |_| {})),
            Ok(Command::Original(_, command)) => {
                drop(command.run(&mut Vec::new(), &mut Vec::new()));
            }
            Ok(Command::Examine(plan)) => drop(examine(&plan, terminal, &mut Vec::new())),
            Ok(Command::Show(_) | Command::CompleteFiles(_)) | Err(_) => {}
        }
    }
});
