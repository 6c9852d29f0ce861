//! Programs that were loaded somewhere, made here, and a real one.

use std::path::Path;

use super::super::code::CodeMachine;
use super::*;

/// An address among shared libraries, outside of the program.
const LIBRARY: u64 = 0x7fff_f7dc_a24a;

/// Code of `n_pages` pages from an address, with calls that end at these offsets.
fn code(n_pages: usize, call: &[u8], calls: &[usize]) -> Vec<u8> {
    let mut bytes = vec![0x90; n_pages * 0x1000];
    for &end in calls {
        bytes[end - call.len()..end].copy_from_slice(call);
    }
    bytes
}

fn offset(
    machine: Option<CodeMachine>,
    bytes: &[u8],
    returns: &[u64],
) -> Option<(u64, LoadEvidence)> {
    let code = Code::of_bytes(machine, Address(0x1000), bytes);
    let returns: Vec<_> = returns.iter().copied().map(Address).collect();
    by_returns(&returns, &code).map(|offset| (offset.distance, offset.evidence))
}

fn check_calls(returns: &[u64], expected: Option<(u64, usize, usize)>) {
    // To the next instruction.
    let bytes = code(3, &[0xe8, 0, 0, 0, 0], &[0x123, 0x456, 0x1123, 0x1789, 0x2456]);
    let found = offset(Some(CodeMachine::X86 { bits: 64 }), &bytes, returns);
    let expected =
        expected.map(|(distance, n_for, n_all)| (distance, LoadEvidence::Calls { n_for, n_all }));
    assert_eq!(found, expected, "{returns:x?}");
}

#[test]
fn return_addresses_tell_the_distance_by_the_calls_before_them() {
    const BASE: u64 = 0x5555_5555_4000;
    let at = |offset: u64| BASE + 0x1000 + offset;
    check_calls(&[at(0x123), at(0x456), at(0x1789), LIBRARY], Some((BASE, 3, 3)));
    // One address twice is not two addresses.
    check_calls(&[at(0x1789), at(0x1789), LIBRARY], Some((BASE, 1, 1)));
    // An address in the code that does not follow a call.
    check_calls(&[at(0x123), at(0x1789), at(0x222)], Some((BASE, 2, 3)));
}

#[test]
fn ambiguous_evidence_gives_no_offset() {
    check_calls(&[], None);
    check_calls(&[LIBRARY], None);
    // It may be the first of these calls or the third.
    check_calls(&[0x5555_5555_5123], None);
}

#[test]
fn the_program_may_be_below_where_it_was_linked() {
    check_calls(&[0x123, 0x456, 0x1789], Some((0u64.wrapping_sub(0x1000), 3, 3)));
}

#[test]
fn calls_of_other_machines_tell_the_distance_too() {
    const BASE: u64 = 0xaaaa_aaaa_0000;
    let check = |machine, call: &[u8]| {
        let bytes = code(3, call, &[0x124, 0x458, 0x1124, 0x178c, 0x2458]);
        let returns = [0x124, 0x458, 0x178c].map(|offset| BASE + 0x1000 + offset);
        let found = offset(Some(machine), &bytes, &[&returns[..], &[LIBRARY]].concat());
        let evidence = LoadEvidence::Calls { n_for: 3, n_all: 3 };
        assert_eq!(found, Some((BASE, evidence)), "{machine:?}");
        assert!(evidence.is_strong());
    };
    check(CodeMachine::AArch64, &0x9400_0010_u32.to_le_bytes()); // bl .+0x40
    check(CodeMachine::AArch64, &0xd63f_0100_u32.to_le_bytes()); // blr x8
    let riscv = CodeMachine::RiscV { has_short_call: false };
    check(riscv, &0x0400_00ef_u32.to_le_bytes()); // jal .+0x40
}

#[test]
fn code_that_cannot_be_read_tells_by_its_size() {
    let bytes = code(2, &[], &[]);
    let found = |returns: &[u64]| offset(None, &bytes, returns);
    let expected = LoadEvidence::Code { n_for: 2 };
    assert_eq!(found(&[0x7010, 0x8ff0, LIBRARY]), Some((0x6000, expected)));
    // They may be on its first page or on its second.
    assert_eq!(found(&[0x7010, 0x7020, LIBRARY]), None);
}

fn check_names(entries: &[(&str, u64)], expected: Option<(u64, usize, usize)>) {
    let symbols: [(&[u8], _); 3] =
        [(b"main", Address(0x1100)), (b"leaf", Address(0x1200)), (b"odd", Address(0x1300))];
    let entries: Vec<_> =
        entries.iter().map(|&(name, address)| (name.as_bytes(), Address(address))).collect();
    let found = by_names(&entries, symbols.into_iter());
    let expected = expected.map(|(distance, n_for, n_all)| LoadOffset {
        distance,
        evidence: LoadEvidence::Names { n_for, n_all },
    });
    assert_eq!(found, expected, "{entries:?}");
}

#[test]
fn functions_of_one_name_tell_the_distance() {
    check_names(&[("main", 0x8100), ("leaf", 0x8200)], Some((0x7000, 2, 2)));
    check_names(&[("main", 0x8100), ("leaf", 0x8200), ("odd", 0x9300)], Some((0x7000, 2, 3)));
    check_names(&[("main", 0x8100), ("leaf", 0x9200)], None);
    check_names(&[("main", 0x8101), ("other", 0x8200)], None);
    check_names(&[("main", 0x8100), ("main", 0x9100)], None);
}

#[test]
fn a_real_program_is_found_where_it_was_loaded() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/mpatrol/pie");
    let executable = Executable::open(&directory.join("pie.elf")).unwrap();
    // The return addresses in its profile, in ascending order.
    let returns = [
        0x5555_5555_516b,
        0x5555_5555_5186,
        0x5555_5555_51a4,
        0x5555_5555_5217,
        0x5555_5555_522e,
        0x5555_5555_5269,
        0x5555_5555_5286,
        0x5555_5555_529d,
        0x5555_5555_52b4,
        0x5555_5555_52ee,
        0x5555_5555_52fc,
        0x5555_5555_530a,
        0x5555_5555_5318,
        0x5555_5555_5326,
        LIBRARY,
    ]
    .map(Address);
    let recorded = RecordedAddresses { returns: &returns, entries: &[] };
    let offset = find_load_offset(&recorded, &executable, &SymbolTable::default()).unwrap();
    let evidence = LoadEvidence::Calls { n_for: 14, n_all: 14 };
    assert_eq!(offset, Some(LoadOffset { distance: 0x5555_5555_4000, evidence }));
    assert!(evidence.is_strong());
}
