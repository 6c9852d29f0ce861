//! Names code that a profile records by address with the symbols of the executable.

use std::collections::HashMap;
use std::sync::Arc;

use super::libraries::file_name;
use crate::model::{
    Address, LocationId, MappedFile, RecordedCosts, RecordedLocation, UnnamedCode, UnnamedFunction,
};
use crate::run::inputs::ProgramFile;

/// Names the functions of mapped files that are the executable: those with its build ID, or, if
/// one has none, with its file name. Others keep the name of their file, and the record of unnamed
/// code stays if none has a name. Linear, plus a search for each function.
pub(super) fn name_code(costs: &mut RecordedCosts, (executable, program): ProgramFile<'_>) {
    let build_id = executable.build_id().map(String::into_bytes);
    let name = file_name(executable.path());
    let is_program = |file: &MappedFile| match &build_id {
        Some(id) if !file.build_id.is_empty() => file.build_id.eq_ignore_ascii_case(id),
        _ => file.path.rsplit(|&byte| byte == b'/').next() == Some(name),
    };
    let UnnamedCode { files, functions } = &costs.unnamed_code;
    let is_program: Vec<bool> = files.iter().map(is_program).collect();
    if !is_program.contains(&true) {
        return;
    }
    let segments = executable.file_segments();
    let table = &program.table;
    let mut places: HashMap<_, LocationId> = HashMap::new();
    let mut is_used = false;
    for &UnnamedFunction { function, address, file } in functions {
        let file = file as usize;
        let linked = || match &files[file] {
            _ if !is_program[file] => None,
            // Without its place in the file, code is where the linker put it.
            MappedFile { start: 0, .. } => Some(address),
            &MappedFile { start, offset, .. } => {
                let in_file = address.0.checked_sub(start)?.checked_add(offset)?;
                let (range, linked) =
                    segments.iter().find(|(range, _)| range.contains(&in_file))?;
                Some(Address(linked.0.wrapping_add(in_file - range.start)))
            }
        };
        let Some(symbol) = linked().and_then(|address| table.containing(address)) else {
            continue;
        };
        let symbol = table.get(table.compiled_function(symbol));
        let location = symbol.source.map(|source| {
            *places.entry((source.file, source.line)).or_insert_with(|| {
                let number = u32::try_from(costs.locations.len());
                let file = table.files().shared_name(source.file);
                costs.locations.push(RecordedLocation { file, line: Some(source.line) });
                LocationId(number.expect("memory holds fewer locations"))
            })
        });
        let function = &mut costs.functions[function.index()];
        function.name = Arc::clone(&symbol.name);
        function.location = location;
        is_used = true;
    }
    if is_used {
        costs.unnamed_code = UnnamedCode::default();
    }
}
