//! Start and end of the code as start-up code uses them, and the address of mcount.

use std::collections::BTreeSet;

use object::read::{Object, ObjectSection, ObjectSegment, RelocationTarget};
use object::{Architecture, BinaryFormat};

use crate::limits::KNOWN_NAME;
use crate::model::Address;
use crate::symbols::counters::{mcount_name, mcount_rank};
use crate::symbols::descriptors::FunctionDescriptors;
use crate::symbols::executable::{is_code, link_base};
use crate::symbols::symbol_refs::{dynamic_symbol_refs, symbol_refs};

/// Returns whether a symbol may be the first profiled address. Sources: `csu/gmon-start.c` in
/// glibc, `csu` of FreeBSD, NetBSD and OpenBSD, `profile/gcrt0.c` in mingw-w64.
fn is_start(name: &[u8]) -> bool {
    matches!(
        name,
        b"__executable_start"
            | b"eprol"
            | b"_eprol"
            | b"__eprol"
            | b"__start"
            | b"_start"
            | b"start"
            | b"_stext"
    )
}

/// Returns whether a symbol is at the end of the code; on Windows it has another underscore.
fn is_end(name: &[u8]) -> bool {
    matches!(name, b"etext" | b"_etext" | b"__etext" | b"___etext")
}

/// Addresses that start-up code and the linker name.
#[derive(Clone, Debug, Default)]
pub struct CodeBounds {
    /// Possible starts of the profiled range, ascending.
    pub starts: Box<[Address]>,
    /// Ends of the code, ascending: symbols, or else ends of sections.
    pub ends: Box<[Address]>,
    /// Global symbols without a type, ascending: a program may profile up to one of its linker
    /// script's.
    pub labels: Box<[Address]>,
    /// The first name of mcount in the program.
    pub mcount_name: Option<String>,
    /// Functions in ARM's Thumb instruction set.
    pub(super) thumb: BTreeSet<Address>,
    /// Addresses of mcount.
    pub(super) mcount_starts: BTreeSet<Address>,
    /// Words that the dynamic linker sets to the address of mcount.
    pub(super) mcount_slots: BTreeSet<Address>,
    /// The table of such words, to which `ebx` points in position-independent i386 code.
    slots_start: Option<Address>,
}

impl CodeBounds {
    pub(super) fn of(object: &object::File<'_>) -> Self {
        let descriptors = FunctionDescriptors::of(object);
        let set_bits = set_bits(object);
        let code_of = |address: u64| {
            let code = descriptors.as_ref().and_then(|all| all.code_address(address));
            code.unwrap_or(address) & !set_bits
        };
        let mut starts = BTreeSet::from([link_base(object), Address(code_of(object.entry()))]);
        let text = object.section_by_name(".text");
        starts.extend(text.map(|text| Address(text.address())));
        let mut ends = BTreeSet::new();
        let mut mcount_starts = BTreeSet::new();
        let mut names = BTreeSet::new();
        let mut thumb = BTreeSet::new();
        let mut labels = BTreeSet::new();
        for symbol in symbol_refs(object) {
            let name = symbol.name;
            let mcount = mcount_name(called_by_stub(name));
            names.extend(mcount.map(|mcount| (mcount_rank(mcount), mcount)));
            if symbol.is_undefined {
                continue;
            }
            let address = Address(code_of(symbol.address));
            if symbol.is_label {
                labels.insert(address);
            }
            if descriptors.is_none() && address.0 != symbol.address {
                thumb.insert(address);
            }
            if is_start(name) {
                starts.insert(address);
            }
            if is_end(name) {
                ends.insert(address);
            }
            if mcount.is_some() {
                mcount_starts.insert(address);
            }
        }
        // Elsewhere more than code lies in its section.
        if ends.is_empty() && object.format() == BinaryFormat::Elf {
            ends = ends_of_code(object);
        }
        Self {
            starts: starts.into_iter().collect(),
            ends: ends.into_iter().collect(),
            labels: labels.into_iter().collect(),
            mcount_name: names.first().map(|(_, name)| String::from_utf8_lossy(name).into_owned()),
            thumb,
            mcount_starts,
            mcount_slots: mcount_slots(object),
            slots_start: [".got.plt", ".got"].iter().find_map(|name| {
                let section = object.section_by_name(name)?;
                Some(Address(section.address()))
            }),
        }
    }

    /// Adds those of another image.
    pub(super) fn add(&mut self, other: Self) {
        let union = |own: &mut Box<[Address]>, other: Box<[Address]>| {
            let all: BTreeSet<_> = own.iter().copied().chain(other).collect();
            *own = all.into_iter().collect();
        };
        union(&mut self.starts, other.starts);
        union(&mut self.ends, other.ends);
        union(&mut self.labels, other.labels);
        self.mcount_name = self.mcount_name.take().or(other.mcount_name);
        self.thumb.extend(other.thumb);
        self.mcount_starts.extend(other.mcount_starts);
        self.mcount_slots.extend(other.mcount_slots);
    }

    /// Returns whether the address of mcount, or a word with it, is known.
    pub(in crate::symbols) fn knows_mcount(&self) -> bool {
        !self.mcount_starts.is_empty() || !self.mcount_slots.is_empty()
    }

    /// Returns whether a word of the i386 table contains the address of mcount. Addresses
    /// wrap at 32 bits.
    pub(super) fn is_mcount_slot_at(&self, distance: i64) -> bool {
        self.slots_start.is_some_and(|start| {
            let slot = start.0.wrapping_add_signed(distance) & u64::from(u32::MAX);
            self.mcount_slots.contains(&Address(slot))
        })
    }
}

/// The bits of an address that say in which instruction set its code is, and are no part of
/// it: the lowest one of ARM (Thumb) and MIPS (MIPS16e, microMIPS).
pub(in crate::symbols) fn set_bits(object: &object::File<'_>) -> u64 {
    use Architecture::{Arm, Mips, Mips64, Mips64_N32};
    u64::from(matches!(object.architecture(), Arm | Mips | Mips64 | Mips64_N32))
}

/// The function called by a linker stub, if its name contains it; otherwise the name.
fn called_by_stub(name: &[u8]) -> &[u8] {
    // Thousands of symbols may share a name that takes long to look through.
    if name.len() > KNOWN_NAME {
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

/// The function, with its version, that a PowerPC linker stub calls:
/// `0000001b.plt_call.NAME`, `00008000.got2.plt_pic32.NAME`.
pub(in crate::symbols) fn called_by_powerpc_stub(name: &[u8]) -> Option<&[u8]> {
    let name = name.get(..name.len().min(KNOWN_NAME))?;
    let start = name.windows(5).position(|word| word == b".plt_")?;
    let kind = &name[start + 1..];
    let end = kind.iter().position(|&byte| byte == b'.')?;
    Some(&kind[end + 1..])
}

/// Ends of code sections, and of segments with code.
fn ends_of_code(object: &object::File<'_>) -> BTreeSet<Address> {
    let sections = object.sections().filter(is_code);
    let ends = sections.map(|section| section.address().saturating_add(section.size()));
    let mut ends: BTreeSet<_> = ends.map(Address).collect();
    let segments = object.segments().map(|segment| {
        let start = segment.address();
        start..start.saturating_add(segment.size())
    });
    let with_code = segments
        .filter(|segment| ends.iter().any(|end| segment.contains(&(end.0.saturating_sub(1)))));
    let of_segments: Vec<_> = with_code.map(|segment| Address(segment.end)).collect();
    ends.extend(of_segments);
    ends
}

/// Words that the dynamic linker sets to the address of mcount.
fn mcount_slots(object: &object::File<'_>) -> BTreeSet<Address> {
    let relocations = object.dynamic_relocations().into_iter().flatten();
    // Only ELF files have dynamic relocations.
    let symbols = (1..).zip(dynamic_symbol_refs(object));
    let mcount_starts = symbols.filter(|(_, symbol)| mcount_name(symbol.name).is_some());
    let mcount_starts: BTreeSet<usize> = mcount_starts.map(|(index, _)| index).collect();
    let of_mcount = relocations.filter(|(_, relocation)| {
        matches!(relocation.target(), RelocationTarget::Symbol(index) if mcount_starts.contains(&index.0))
    });
    of_mcount.map(|(place, _)| Address(place)).collect()
}
