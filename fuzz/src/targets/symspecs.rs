use std::cell::LazyCell;
use std::path::Path;
use std::sync::Arc;

use object::elf;
use profan::filter::{FilterSets, FilterSpecs, Finder, Matcher, SymSpec};
use profan::symbols::{Executable, Style, SymbolOptions, SymbolTable, read_program};

use super::super::made::elf::{Elf, Home, Section, Symbol};
use super::super::made::text::{SPECS, text_of};

/// The names of the functions in the table.
const NAMES: &[&str] = &[
    "main",
    "f",
    "g",
    "foo",
    "_ZN2ns3fooEi",
    "_ZN2ns3fooEd",
    "_ZN5other3fooEv",
    "_ZlsRSoRK1a",
    "_ZN1aIiE1bEv",
    "_RNvC4test4main",
    "_ZN4core3fmt5write17h0123456789abcdefE",
    "mcount",
    "a.c",
    "bar.part.0",
];

thread_local! {
    static TABLE: LazyCell<SymbolTable> = const { LazyCell::new(table) };
}

/// Any bytes, and words of the language, as a symspec in either mode, looked up in a table of
/// names in several languages. A spec contains the parts that it was made of.
pub fn symspecs(data: &[u8]) {
    for text in [data, &text_of(data, SPECS)] {
        let word = String::from_utf8_lossy(text);
        let Ok(spec) = word.parse::<SymSpec>();
        let named = [SymSpec::of_names, SymSpec::of_name_or_arc, SymSpec::of_arc];
        for spec in named.map(|of| of(&word)).into_iter().chain([spec]) {
            let again: SymSpec = spec.clone();
            assert_eq!(spec.to_string(), again.to_string());
            TABLE.with(|table| look_up(spec, table));
        }
    }
}

fn look_up(spec: SymSpec, table: &SymbolTable) {
    for half in [Some(&spec.left), spec.right.as_ref()].into_iter().flatten() {
        let matcher = Matcher::new(half, table);
        let exact = table.symbols().iter().filter(|symbol| matcher.matches(symbol));
        let n_exact = exact.count();
        // Exact names take precedence over similar ones.
        let found = Finder::new(table, Style::Auto).find(half);
        let n_found = found.map_or(0, |found| found.iter().filter(|is| **is).count());
        assert!(n_exact == 0 || n_found == n_exact);
    }
    let mut specs = FilterSpecs::default();
    specs.of_graph_or_arcs(Some(&spec)).include.push(spec.clone());
    specs.flat.exclude.push(spec.clone());
    specs.focus.include.push(spec);
    let sets = FilterSets::find(&specs, &Finder::new(table, Style::Auto));
    for unknown in sets.unknown {
        drop((unknown.spec.to_string(), unknown.half.to_string()));
    }
    let _ = FilterSets::resolve(&specs, table);
}

fn table() -> SymbolTable {
    let symbol = |(place, name): (u64, &&str)| Symbol {
        name: name.as_bytes().to_vec(),
        value: 0x1000 + 16 * place,
        size: 16,
        binding: elf::STB_GLOBAL.0,
        kind: elf::STT_FUNC.0,
        home: Home::Section(0),
    };
    let made = Elf {
        is_64: true,
        is_big: false,
        machine: elf::EM_X86_64.0,
        kind: elf::ET_EXEC.0,
        sections: vec![Section {
            name: b".text".to_vec(),
            kind: elf::SHT_PROGBITS.0,
            flags: elf::SHF_ALLOC.0 | elf::SHF_EXECINSTR.0,
            address: 0x1000,
            bytes: vec![0x90; 16 * NAMES.len()],
            link: None,
        }],
        symbols: (0..).zip(NAMES).map(symbol).collect(),
    };
    let executable = Executable::from_bytes(Path::new("/fuzz"), made.bytes());
    let executable = executable.expect("it is well formed");
    let program = read_program(&executable, &SymbolOptions::default());
    Arc::unwrap_or_clone(program.expect("it is well formed").table)
}
