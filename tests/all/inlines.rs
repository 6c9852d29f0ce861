//! The table by inlined functions, of whole programs.

use std::sync::Arc;

use profan::symbols::{
    Executable, Granularity, SourceLine, SymbolId, SymbolOptions, SymbolTable, read_program,
};

fn table_of(path: &str, granularity: Granularity) -> SymbolTable {
    let executable = Executable::open(path.as_ref()).expect("the fixture can be read");
    let options = SymbolOptions { granularity, ..SymbolOptions::default() };
    let program = read_program(&executable, &options).expect("the fixture can be read");
    Arc::unwrap_or_clone(program.table)
}

fn place(table: &SymbolTable, line: Option<SourceLine>) -> String {
    line.map_or("-".to_owned(), |line| {
        let file = String::from_utf8_lossy(table.files().last_component(line.file));
        format!("{file}:{}", line.line)
    })
}

/// `START-END NAME FILE:LINE of WHOLE`, then the functions inlined there with their call sites.
fn describe(table: &SymbolTable, id: SymbolId) -> String {
    let inlines = table.inlines().expect("it is asked for");
    let symbol = table.get(id);
    let name = String::from_utf8_lossy(&symbol.name);
    let mut text = format!(
        "{:x}-{:x} {name} {} of {:x}",
        symbol.range.start.0,
        symbol.ticks_end.0,
        place(table, symbol.source),
        table.get(inlines.whole(id)).range.start.0,
    );
    for inlined in inlines.stack(id) {
        let inlined = inlines.get(inlined);
        let name = String::from_utf8_lossy(&inlined.name);
        text += &format!(", {name} from {}", place(table, inlined.call));
    }
    text
}

#[test]
fn functions_and_their_inlined_code_are_disjoint() {
    let table = table_of("fixtures/gprof/inline-o2/prog", Granularity::Inlines);
    let rows = table.iter().map(|(id, _)| describe(&table, id));
    let rows: Vec<_> = rows.filter(|row| row.contains("inl.c")).collect();
    // `llvm-symbolizer --inlines` prints these locations.
    let expected = [
        "1080-10d0 main inl.c:28 of 1080",
        "1220-1238 round_one inl.c:12 of 1220",
        "1238-123a twist inl.c:7 of 1238, twist from inl.c:15",
        "123a-123f round_one inl.c:15 of 1220",
        "123f-1252 twist inl.c:7 of 1238, twist from inl.c:15",
        "1252-1280 round_one inl.c:15 of 1220",
        "1280-12a7 round_two inl.c:21 of 1280",
        "12a7-12bc twist inl.c:7 of 12a7, twist from inl.c:24",
        "12bc-12f0 round_two inl.c:24 of 1280",
    ];
    assert_eq!(rows, expected);
}

#[test]
fn stacks_of_lines_equal_stacks_of_inlined_functions() {
    let lines = table_of("fixtures/gprof/cxx-o2/prog", Granularity::Lines);
    let functions = table_of("fixtures/gprof/cxx-o2/prog", Granularity::Inlines);
    let stack = |table: &SymbolTable, id: SymbolId| {
        let inlines = table.inlines().expect("it is asked for");
        let stack = inlines.stack(id).into_iter();
        let names = stack.map(|inlined| inlines.get(inlined).name.clone());
        names.collect::<Vec<_>>()
    };
    let mut n_inlined = 0;
    for (id, line) in lines.iter() {
        let enclosing = lines.inlines().map(|inlines| inlines.enclosing_function(id));
        // By line a function owns the first of its lines, inlined or not.
        if enclosing == Some(id) {
            continue;
        }
        let function = functions.containing(line.range.start);
        let function = function.expect("what has a line is in a function");
        let expected = stack(&functions, function);
        // Look-ups of code that is inlined at a function's very start find the function.
        if functions.get(function).is_function && expected.is_empty() {
            continue;
        }
        assert_eq!(stack(&lines, id), expected, "at {}", line.range.start);
        n_inlined += usize::from(!expected.is_empty());
    }
    assert!(n_inlined > 100, "only {n_inlined} lines are inlined");
}

#[test]
fn symbols_by_function_never_need_debugging_information() {
    let table = table_of("fixtures/gprof/inline-o2/prog", Granularity::Functions);
    assert!(table.inlines().is_none());
    assert!(!table.has_sources());
}
