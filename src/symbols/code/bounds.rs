//! Where the code starts and ends for start-up code, and where the profiler's hook is.

use std::collections::BTreeSet;

use object::read::{Object, ObjectSection, ObjectSegment, RelocationTarget};
use object::{Architecture, BinaryFormat};

use crate::model::Address;
use crate::symbols::executable::{hook_name, hook_rank, is_code, link_base};
use crate::symbols::symbol_refs::{dynamic_symbol_refs, symbol_refs};

/// By what names start-up code knows the first address that it wants profiled. Sources:
/// the profiling start-up of GNU, FreeBSD, NetBSD, OpenBSD and MinGW.
const STARTS: [&[u8]; 8] = [
    b"__executable_start",
    b"eprol",
    b"_eprol",
    b"__eprol",
    b"__start",
    b"_start",
    b"start",
    b"_stext",
];

/// Longer than what linkers call stubs of the profiler's hook.
const MAX_STUB_NAME: usize = 256;

/// By what names linkers know the end of the code, with the underscore of Windows.
const ENDS: [&[u8]; 4] = [b"etext", b"_etext", b"__etext", b"___etext"];

/// Places of a program that start-up code and the linker know by name.
#[derive(Clone, Debug, Default)]
pub struct CodeBounds {
    /// Where profiling of it starts in one start-up code or another, in order.
    pub starts: Box<[Address]>,
    /// Where its code ends, in order: as the linker named it, or else where any of it does.
    pub ends: Box<[Address]>,
    /// The first name of the profiler's hook that the program mentions.
    pub hook_name: Option<String>,
    /// Functions in the instruction set of half words of ARM.
    pub(super) thumb: BTreeSet<Address>,
    /// Where the profiler's hook starts.
    pub(super) hooks: BTreeSet<Address>,
    /// The words that the dynamic linker fills with the address of the hook.
    pub(super) hook_slots: BTreeSet<Address>,
    /// The table of such words, to which `ebx` points in position-independent code of i386.
    slots_start: Option<Address>,
}

impl CodeBounds {
    pub(super) fn of(object: &object::File<'_>) -> Self {
        let mut starts = BTreeSet::from([link_base(object), Address(object.entry())]);
        let text = object.section_by_name(".text");
        starts.extend(text.map(|text| Address(text.address())));
        let mut ends = BTreeSet::new();
        let mut hooks = BTreeSet::new();
        let mut names = BTreeSet::new();
        let mut thumb = BTreeSet::new();
        let is_arm = object.architecture() == Architecture::Arm;
        for symbol in symbol_refs(object) {
            let name = symbol.name;
            let hook = hook_name(called_by_stub(name));
            names.extend(hook.map(|hook| (hook_rank(hook), hook)));
            if symbol.is_undefined {
                continue;
            }
            // The lowest bit says in which instruction set of ARM the code is.
            let address = Address(symbol.address & !u64::from(is_arm));
            if address.0 != symbol.address {
                thumb.insert(address);
            }
            if STARTS.contains(&name) {
                starts.insert(address);
            }
            if ENDS.contains(&name) {
                ends.insert(address);
            }
            if hook.is_some() {
                hooks.insert(address);
            }
        }
        // Elsewhere more than code lies in its section.
        if ends.is_empty() && object.format() == BinaryFormat::Elf {
            ends = ends_of_code(object);
        }
        Self {
            starts: starts.into_iter().collect(),
            ends: ends.into_iter().collect(),
            hook_name: names
                .first()
                .map(|(_, name)| String::from_utf8_lossy(name).into_owned()),
            thumb,
            hooks,
            hook_slots: hook_slots(object),
            slots_start: [".got.plt", ".got"].iter().find_map(|name| {
                let section = object.section_by_name(name)?;
                Some(Address(section.address()))
            }),
        }
    }

    /// Whether the dynamic linker puts the address of the profiler's hook into a word of the
    /// table of i386. Addresses of that machine wrap around at
    /// 32 bits.
    pub(super) fn is_hook_slot_at(&self, distance: i64) -> bool {
        self.slots_start.is_some_and(|start| {
            let slot = start.0.wrapping_add_signed(distance) & u64::from(u32::MAX);
            self.hook_slots.contains(&Address(slot))
        })
    }
}

/// The name of what a stub of the linker's calls, if it is one that has a name of its
/// own; else the name itself.
fn called_by_stub(name: &[u8]) -> &[u8] {
    // Thousands of symbols may share a name that takes long to look through.
    if name.len() > MAX_STUB_NAME {
        return name;
    }
    if let Some(called) = called_by_powerpc_stub(name) {
        return called;
    }
    // ARM and AArch64: __NAME_veneer
    const ENDINGS: [&[u8]; 3] = [b"_veneer", b"_from_arm", b"_from_thumb"];
    let called = name.strip_prefix(b"__").and_then(|rest| {
        let mut endings = ENDINGS.iter();
        endings.find_map(|&ending| rest.strip_suffix(ending))
    });
    called.unwrap_or(name)
}

/// The function that a stub of the linker for PowerPC calls, with its version:
/// `0000001b.plt_call.NAME`, `00008000.got2.plt_pic32.NAME`.
pub(in crate::symbols) fn called_by_powerpc_stub(name: &[u8]) -> Option<&[u8]> {
    let name = name.get(..name.len().min(MAX_STUB_NAME))?;
    let start = name.windows(5).position(|word| word == b".plt_")?;
    let kind = &name[start + 1..];
    let end = kind.iter().position(|&byte| byte == b'.')?;
    Some(&kind[end + 1..])
}

/// The ends of sections of code, and of segments that have any.
fn ends_of_code(object: &object::File<'_>) -> BTreeSet<Address> {
    let sections = object.sections().filter(is_code);
    let ends = sections.map(|section| section.address().saturating_add(section.size()));
    let mut ends: BTreeSet<_> = ends.map(Address).collect();
    let segments = object.segments().map(|segment| {
        let start = segment.address();
        start..start.saturating_add(segment.size())
    });
    let with_code = segments.filter(|segment| {
        ends.iter()
            .any(|end| segment.contains(&(end.0.saturating_sub(1))))
    });
    let of_segments: Vec<_> = with_code.map(|segment| Address(segment.end)).collect();
    ends.extend(of_segments);
    ends
}

/// The words that the dynamic linker fills with the address of the profiler's hook.
fn hook_slots(object: &object::File<'_>) -> BTreeSet<Address> {
    let relocations = object.dynamic_relocations().into_iter().flatten();
    // Only ELF files have dynamic relocations.
    let symbols = (1..).zip(dynamic_symbol_refs(object));
    let hooks = symbols.filter(|(_, symbol)| hook_name(symbol.name).is_some());
    let hooks: BTreeSet<usize> = hooks.map(|(index, _)| index).collect();
    let of_hooks = relocations.filter(|(_, relocation)| {
        matches!(relocation.target(), RelocationTarget::Symbol(index) if hooks.contains(&index.0))
    });
    of_hooks.map(|(place, _)| Address(place)).collect()
}
