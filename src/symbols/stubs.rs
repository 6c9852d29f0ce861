//! Names of linker stubs: `tick@plt`, from the word that a stub jumps through and its
//! relocation.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use object::read::{Object, ObjectSection, RelocationTarget};

use super::code::{CallTarget, Chunk, CodeMachine, called_by_powerpc_stub, chunks};
use super::executable::is_code;
use super::symbol_refs::dynamic_symbol_refs;
use super::table::SymbolCandidate;
use crate::model::Address;

/// Names of stub sections: `.plt`, `.plt.sec`, `.plt.got`, `.iplt`.
const SECTIONS: [&[u8]; 2] = [b".plt", b".iplt"];

/// `bti c`, the first instruction of some AArch64 stubs.
const AARCH64_MARK: [u8; 4] = [0x5f, 0x24, 0x03, 0xd5];

/// Stubs, and the sections of stubs, ascending and disjoint.
#[derive(Default)]
pub(super) struct Stubs {
    sections: Vec<Range<Address>>,
    pub(super) candidates: Vec<SymbolCandidate>,
}

impl Stubs {
    pub(super) fn contain(&self, address: Address) -> bool {
        let sections = &self.sections;
        let n_before = sections.partition_point(|section| section.start <= address);
        n_before > 0 && sections[n_before - 1].contains(&address)
    }
}

/// The stubs of a program, given its `known` functions. Other code in stub sections is named
/// after the section.
pub(super) fn find(object: &object::File<'_>, known: &[SymbolCandidate]) -> Stubs {
    let is_of_stubs = |section: &object::Section<'_, '_>| {
        let name = section.name_bytes().unwrap_or_default();
        is_code(section) && SECTIONS.iter().any(|start| name.starts_with(start))
    };
    let sections = object.sections().filter(is_of_stubs);
    let names: HashMap<_, _> = sections
        .map(|section| (section.address(), section.name_bytes().unwrap_or_default()))
        .collect();
    let machine = CodeMachine::of(object);
    let mut found: Vec<(Chunk<'_>, Vec<Stub>)> = Vec::new();
    for chunk in chunks(object, is_of_stubs) {
        let is_apart = found.last().is_none_or(|(last, _)| last.range().end <= chunk.start.0);
        if is_apart {
            let stubs = machine.map_or_else(Vec::new, |machine| in_chunk(&chunk, machine, object));
            found.push((chunk, stubs));
        }
    }
    let called = called_by(object, found.iter().flat_map(|(_, stubs)| stubs), known);
    let mut all = Stubs::default();
    for (chunk, stubs) in found {
        let section = Address(chunk.range().start)..Address(chunk.range().end);
        let named = stubs.iter();
        let named = named.filter_map(|stub| Some((stub.start, called.get(&stub.slot)?.clone())));
        let mut named: Vec<_> = named.collect();
        if named.first().is_none_or(|(start, _)| *start != section.start) {
            let name = names.get(&section.start.0).copied().unwrap_or(SECTIONS[0]);
            named.insert(0, (section.start, name.to_vec()));
        }
        let ends = named.iter().skip(1).map(|(start, _)| *start);
        let ends: Vec<_> = ends.chain([section.end]).collect();
        let candidates = named.into_iter().zip(ends);
        let candidates = candidates.map(|((start, name), end)| candidate(start..end, &name));
        all.candidates.extend(candidates);
        all.sections.push(section);
    }
    all
}

/// Start of a stub, and the word that it jumps through.
struct Stub {
    start: Address,
    slot: Address,
}

/// PowerPC stubs lie among functions, and linkers name them after their target:
/// `0000001b.plt_call.tick@@LIB_1.0`.
pub(super) fn rename(candidates: &mut [SymbolCandidate]) {
    for candidate in candidates {
        if candidate.is_static
            && !candidate.is_function
            && let Some(called) = called_by_powerpc_stub(&candidate.name)
        {
            let name = called.split(|&byte| byte == b'@').next().unwrap_or(called);
            candidate.name = at_plt(name).into();
        }
    }
}

fn candidate(range: Range<Address>, name: &[u8]) -> SymbolCandidate {
    SymbolCandidate {
        address: range.start,
        size: range.end.0.saturating_sub(range.start.0),
        name: name.into(),
        is_function: false,
        is_static: false,
        source: None,
    }
}

fn at_plt(name: &[u8]) -> Vec<u8> {
    [name, b"@plt"].concat()
}

fn in_chunk(chunk: &Chunk<'_>, machine: CodeMachine, object: &object::File<'_>) -> Vec<Stub> {
    // Stubs of x86 have 8 or 16 bytes. Elsewhere instructions have 4, and a stub may start
    // with one that marks it as the target of a jump.
    let step = match machine {
        CodeMachine::X86 { .. } => 8,
        _ => 4,
    };
    let mut tables = [".got.plt", ".got"].iter();
    let table = tables.find_map(|name| object.section_by_name(name));
    let table = table.map(|table| table.address());
    let mut found: Vec<Stub> = Vec::new();
    for offset in (0..chunk.bytes.len()).step_by(step) {
        let start = chunk.at(offset);
        let bytes = &chunk.bytes[offset..];
        let slot = match (machine.stub_slot(&Chunk { start, bytes }), table) {
            (Some(CallTarget::Slot(slot)), _) => slot,
            // In position-independent code of i386 a register points to the table.
            (Some(CallTarget::Relative(distance)), Some(table)) => {
                Address(table.wrapping_add_signed(distance) & u64::from(u32::MAX))
            }
            _ => continue,
        };
        // The look at a stub of AArch64 passes over a word in front, which may be a mark.
        let is_early = |last: &Stub| last.slot == slot && last.start.0.wrapping_add(4) == start.0;
        match found.last_mut() {
            Some(last) if is_early(last) => {
                let before = &chunk.bytes[offset - 4..];
                if !before.starts_with(&AARCH64_MARK) {
                    last.start = start;
                }
            }
            _ => found.push(Stub { start, slot }),
        }
    }
    found
}

/// Names of stubs by their words. In a static program, ifuncs are known only by address.
fn called_by<'s>(
    object: &object::File<'_>,
    stubs: impl Iterator<Item = &'s Stub>,
    known: &[SymbolCandidate],
) -> HashMap<Address, Vec<u8>> {
    let wanted: HashSet<Address> = stubs.map(|stub| stub.slot).collect();
    let mut names = HashMap::new();
    if wanted.is_empty() {
        return names;
    }
    let symbols = dynamic_symbol_refs(object);
    let functions = known.iter().filter(|candidate| candidate.is_function);
    let functions: HashMap<_, _> = functions.map(|one| (one.address, &one.name)).collect();
    let relocations = object.dynamic_relocations().into_iter().flatten();
    for (slot, relocation) in relocations {
        if !wanted.contains(&Address(slot)) {
            continue;
        }
        let name: Option<&[u8]> = match relocation.target() {
            // The first symbol of ELF files has the index 1 here.
            RelocationTarget::Symbol(index) => {
                let symbol = index.0.checked_sub(1).and_then(|index| symbols.get(index));
                symbol.map(|symbol| symbol.name)
            }
            _ => {
                let address = Address(relocation.addend().cast_unsigned());
                functions.get(&address).map(|name| &***name)
            }
        };
        let name = name.filter(|name| !name.is_empty());
        names.extend(name.map(|name| (Address(slot), at_plt(name))));
    }
    names
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use crate::symbols::{Executable, SymbolOptions, read_program};

    fn first_stubs(fixture: &str) -> String {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
        let executable = Executable::open(&path.join(fixture)).expect("the fixture can be read");
        let program = read_program(&executable, &SymbolOptions::default());
        let table = program.expect("the fixture can be read").table;
        let stubs = table.symbols().iter().filter_map(|symbol| {
            let name = String::from_utf8_lossy(&symbol.name);
            let name = name.strip_suffix("@plt")?;
            let n_bytes = symbol.range.end.0 - symbol.range.start.0;
            Some(format!("{} {name} {n_bytes}", symbol.range.start))
        });
        stubs.take(2).collect::<Vec<_>>().join(", ")
    }

    /// The names that disassemblers print.
    #[test]
    fn stubs_have_the_names_of_their_targets() {
        let machines = ["i386", "aarch64", "riscv64", "ppc32", "ppc64"];
        let programs = machines.map(|machine| format!("gprof-cross/{machine}/prog"));
        let found = programs.map(|program| first_stubs(&program));
        let expected = [
            "0x8049030 __libc_start_main 16, 0x8049040 printf 16",
            "0x720 __libc_start_main 16, 0x730 __cxa_finalize 16",
            "0x720 __libc_start_main 16, 0x730 __stack_chk_fail 16",
            "0xb60 __libc_start_main 16, 0xb70 printf 16",
            "0x9c0 __libc_start_main 32, 0x9e0 __cxa_atexit 32",
        ];
        assert_eq!(found, expected);
        let expected = "0x1030 free 16, 0x1040 __stack_chk_fail 16";
        assert_eq!(first_stubs("tour/primes"), expected);
    }
}
