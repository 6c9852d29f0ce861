use std::path::Path;

use profan::model::Address;
use profan::symbols::{
    Code, Executable, Granularity, Instruments, Program, SymbolOptions, library_of, read_program,
    static_calls,
};

/// Any bytes as an executable: its symbols, lines and inlined functions, the calls in its code,
/// its linkage.
pub fn program(data: &[u8]) {
    let Ok(executable) = Executable::from_bytes(Path::new("/fuzz"), data.to_vec()) else {
        return;
    };
    for options in ways() {
        let Ok(program) = read_program(&executable, &options) else {
            continue;
        };
        check(&program);
        let _ = static_calls(&executable, &program.table);
        check_code(&executable, &program);
    }
    drop((executable.build_id(), executable.machine()));
    drop((library_of(&executable), Instruments::of(&executable).is_ok()));
}

fn ways() -> impl Iterator<Item = SymbolOptions> {
    let granularities = [Granularity::Functions, Granularity::Lines, Granularity::Inlines];
    granularities.into_iter().map(|granularity| SymbolOptions {
        wants_sources: true,
        wants_lines: true,
        granularity,
        skips_static: granularity == Granularity::Lines,
        ..SymbolOptions::default()
    })
}

/// Symbols are in order, and each is found by an address in it.
fn check(program: &Program) {
    let table = &program.table;
    let symbols = table.symbols();
    assert!(symbols.is_sorted_by_key(|symbol| symbol.range.start));
    for (id, symbol) in table.iter() {
        let _ = table.enclosing_function(id);
        let _ = table.function_at_or_before(id);
        if let Some(found) = table.containing(symbol.range.start) {
            assert_eq!(table.get(found).range.start, symbol.range.start);
        }
    }
    let lines = &program.lines;
    assert!(lines.is_sorted_by_key(|line| line.addresses.start));
    assert!(program.code.is_sorted_by_key(|range| range.start));
}

fn check_code(executable: &Executable, program: &Program) {
    let Ok(code) = Code::new(executable) else {
        return;
    };
    let _ = code.instrumented_functions(&program.table);
    for symbol in program.table.symbols().iter().take(64) {
        let body = symbol.range.clone();
        let _ = code.may_jump_away(&body);
        let _ = code.function_code(&body);
        for step in 0..8 {
            let address = Address(body.start.0.saturating_add(step));
            if let Some(target) = code.call_returning_to(address) {
                let _ = code.is_mcount(target);
            }
        }
    }
}
