//! Files in which thousands of functions share data stored once.

#[path = "../support/shared_names.rs"]
mod made;

use made::{callgrind, doubled_names, elf, gmon, heap, rust_name, table_of, with_directory};

/// A kind of file.
pub(crate) struct Kind {
    pub(crate) name: &'static str,
    /// Lines to run, with `FILE`, and `GMON` for a profile with a tick in each function.
    pub(crate) lines: &'static [&'static str],
    /// The message of the first of them.
    pub(crate) said: &'static str,
    /// How many functions it has.
    pub(crate) n_functions: usize,
    /// A file with so many functions.
    pub(crate) make: fn(usize) -> Vec<u8>,
}

/// All kinds.
pub(crate) const KINDS: &[Kind] = &[
    Kind {
        name: "symbols of one long name",
        lines: PROGRAM,
        said: "W046",
        n_functions: 20_000,
        make: |n| elf((0..n).map(|_| 1), &table_of(&"a".repeat(500_000)), &[]),
    },
    Kind {
        name: "symbols of parts of a long name",
        lines: PROGRAM,
        said: "W046",
        n_functions: 20_000,
        make: |n| elf(1..=n, &table_of(&"a".repeat(500_000)), &[]),
    },
    Kind {
        name: "symbols of one name of nested back references",
        lines: PROGRAM,
        said: "W045",
        n_functions: 20_000,
        make: |n| elf((0..n).map(|_| 1), &table_of(&rust_name(7)), &[]),
    },
    Kind {
        name: "names of twelve doublings",
        lines: PROGRAM,
        said: "W045",
        n_functions: 30_000,
        make: |n| doubled_names(n, 12),
    },
    Kind {
        name: "call sites of one long name",
        lines: &[
            "profan -p FILE",
            "profan FILE",
            "profan -p --format json FILE",
            "profan -i FILE",
            "profan diff FILE FILE",
            "profan mprof FILE",
        ],
        said: "W046",
        n_functions: 9000,
        make: |n| heap(u32::try_from(n).expect("there are few"), &"a".repeat(400_000)),
    },
    Kind {
        name: "functions of callgrind of one long name",
        lines: &[
            "profan -p FILE",
            "profan FILE",
            "profan --format json FILE",
            "profan -p --format csv FILE",
            "profan -p --format markdown FILE",
            "profan -q --format dot FILE",
            "profan diff FILE FILE",
        ],
        said: "W046",
        n_functions: 20_000,
        make: |n| callgrind(n, &"a".repeat(400_000)),
    },
    Kind {
        name: "files of one long folder",
        lines: &[
            "profan -p -l GMON FILE",
            "profan -l --format json GMON FILE",
            "profan --format lcov GMON FILE",
            "profan gprof -p -l FILE GMON",
            "profan gprof -p -l -L FILE GMON",
        ],
        said: "W020",
        n_functions: 40_000,
        make: |n| with_directory(n, &format!("/{}", "d".repeat(400_000))),
    },
];

const PROGRAM: &[&str] = &[
    "profan -p GMON FILE",
    "profan -i GMON FILE",
    "profan -q --sort name GMON FILE",
    "profan --format json GMON FILE",
    "profan -p --format csv GMON FILE",
    "profan --format dot GMON FILE",
    "profan diff GMON GMON FILE",
    "profan doctor FILE GMON",
    "profan gprof FILE GMON",
    "profan gprof -b -p -A FILE GMON",
];

/// A profile with a tick in each of so many functions.
pub(crate) fn profile(n_functions: usize) -> Vec<u8> {
    gmon(u32::try_from(n_functions).expect("there are few"))
}
