//! Profiles as text: memory printed by a serial console, a debugger or a programmer, mixed
//! with other console output.
//!
//! Lines of a dump look alike (see [`LineShape`]), but a log may have similar lines, such as a
//! command with an address. So all lines are parsed first. The shape with the most bytes belongs
//! to the dump, and other lines are ignored. Addresses then give the position of bytes. Parses
//! the text twice.

mod assemble;
mod lines;
mod profile;
mod records;
#[cfg(test)]
mod tests;

use std::cmp::{Ordering, Reverse};

use self::assemble::{Assembled, ByteGroups, DumpLine, DumpLineKind};
use self::lines::{AddressMark, Clean, address_alone, block_address, is_star, text_line};
use self::records::{Record, RecordStyle, record};

use super::error::FormatFault;
use crate::memory::Limits;

pub(super) use self::lines::is_dump_line;
pub use self::profile::load_hexdump;

/// The shape of a line.
///
/// | shape | written by |
/// |---|---|
/// | `:10000000676D…3E` | Intel HEX: objcopy, GDB, programmers |
/// | `S1130000676D…3A` | Motorola S-records: the same |
/// | `00000000: 676d 6f6e …  gmon…` | xxd, U-Boot, OpenOCD, kernels, GDB |
/// | `0000: 67 6d 6f 6e … gmon…`, from 0 after each `FILE at 00000400:` | NuttX |
/// | `0000-0010: 67 6D 6F 6E …  gmon…` | RT-Thread |
/// | `20000000 = 67 6D 6F 6E … gmon…` | J-Link |
/// | `0000000 6d67 6e6f …` | hexdump, od |
/// | `676d6f6e…`, `0x67, 0x6d, …` | xxd -p, xxd -i, od -A n |
/// | `67 6d 6f 6e …  \|gmon… …` | logs of Zephyr |
///
/// Sources: NuttX, `Documentation/debugging/gprof.rst` and `nshlib/nsh_dbgcmds.c`; Zephyr,
/// `subsys/logging/log_output.c` and `subsys/shell/shell.c`; OP-TEE, `lib/libutils/ext/trace.c`;
/// RT-Thread, `components/utilities/ulog/ulog.c`; pyOCD, `pyocd/utility/hex.py`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum LineShape {
    Record(RecordStyle),
    Text {
        /// The mark of the address, if any.
        mark: AddressMark,
        /// Digits of a group; `None` if the whole line is one.
        digits: Option<u8>,
    },
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HexdumpFault {
    #[error("the bytes from {start:#x} to {end:#x} are missing before this line")]
    Gap { start: u64, end: u64 },
    #[error("the byte at {address:#x} contradicts an earlier line")]
    Contradiction { address: u64 },
    #[error("wrong checksum")]
    Checksum,
    #[error("with the omitted lines before this one, the dump is too large for its text")]
    TooLong,
    #[error("no line contains bytes in hexadecimal")]
    Nothing,
}

impl FormatFault for HexdumpFault {
    fn advice(&self) -> Option<&'static str> {
        Some(match self {
            Self::Nothing => "omit --from-hexdump if the file is a profile already",
            Self::TooLong => "allow more with --limit-memory, or dump all of the memory again",
            Self::Contradiction { .. } => "leave the dump of one run in the file",
            _ => "dump all of the memory again",
        })
    }
}

/// The byte order within a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum GroupOrder {
    /// As in memory.
    AsTheyLie,
    /// As a little-endian number.
    LittleEndian,
}

/// A dump within a text.
pub(super) struct Hexdump {
    shape: LineShape,
    entries: Vec<DumpLine>,
    /// Bytes of all lines in order; as in memory, if groups have that order.
    bytes: Vec<u8>,
    evidence: OrderEvidence,
    /// Maximum size including repeated lines.
    max_len: u64,
}

/// Number of characters that confirm each order of groups.
#[derive(Clone, Copy, Debug, Default)]
struct OrderEvidence {
    as_they_lie: u64,
    little_endian: u64,
}

impl Hexdump {
    /// Finds the dump in a text; `None` if no line has bytes.
    pub(super) fn find(text: &[u8]) -> Option<Self> {
        let shape = main_shape(text)?;
        let mut dump = Self {
            shape,
            entries: Vec::new(),
            bytes: Vec::new(),
            evidence: OrderEvidence::default(),
            max_len: Limits::of(text.len() as u64).bytes,
        };
        let mut clean = Clean::default();
        let mut upper = 0;
        for (line, raw) in (1..).zip(text.split(|&byte| byte == b'\n')) {
            let cleaned = clean.line(raw);
            match shape {
                LineShape::Record(style) => match record(cleaned).filter(|r| r.style == style) {
                    Some(record) if record.is_end() => break,
                    Some(record) => dump.add_record(line, &record, &mut upper),
                    None => {}
                },
                LineShape::Text { .. } => dump.add_text(line, cleaned),
            }
        }
        if let LineShape::Text { mark: AddressMark::None, .. } = shape {
            assemble::keep_run(&mut dump.entries);
        }
        Some(dump)
    }

    /// Possible orders of groups, most likely first.
    fn orders(&self) -> Vec<GroupOrder> {
        use GroupOrder as O;
        let LineShape::Text { mark, digits: Some(4..) } = self.shape else {
            return vec![O::AsTheyLie];
        };
        let OrderEvidence { as_they_lie, little_endian } = self.evidence;
        let is_little = match as_they_lie.cmp(&little_endian) {
            Ordering::Less => true,
            Ordering::Greater => false,
            // Among tools that print no characters, only the ones without addresses show bytes in
            // memory order: most machines are little-endian.
            Ordering::Equal => mark != AddressMark::None,
        };
        if is_little {
            vec![O::LittleEndian, O::AsTheyLie]
        } else {
            vec![O::AsTheyLie, O::LittleEndian]
        }
    }

    /// Joins the bytes by address.
    fn assemble(&self, order: GroupOrder) -> Assembled {
        let group = self.shape.digits().map_or(1, |digits| usize::from(digits) / 2);
        let word = match order {
            GroupOrder::AsTheyLie => 1,
            GroupOrder::LittleEndian => group,
        };
        // A record is one however short it is.
        let least = match self.shape {
            LineShape::Record(_) => 1,
            LineShape::Text { .. } => assemble::usual_len(&self.entries),
        };
        let groups = ByteGroups { least, group, word };
        assemble::assemble(&self.entries, &self.bytes, &groups, self.max_len)
    }

    /// Returns whether the text is almost only a dump.
    pub(super) fn is_clear(&self) -> bool {
        let n_lines = self.entries.iter().filter(|entry| entry.kind == DumpLineKind::Data).count();
        n_lines >= 2 && self.bytes.len() >= 4 * n_lines.max(8)
    }

    fn add_record(&mut self, line: u64, record: &Record, upper: &mut u64) {
        if !record.is_sound {
            return self.push(DumpLineKind::Garbled, line, 0, &[]);
        }
        if let Some(base) = record.upper_address() {
            *upper = base;
        }
        if let Some((address, data)) = record.data() {
            self.push(DumpLineKind::Data, line, upper.wrapping_add(address), data);
        }
    }

    fn add_text(&mut self, line: u64, cleaned: &[u8]) {
        if is_star(cleaned) {
            return self.push(DumpLineKind::Repeat, line, 0, &[]);
        }
        if self.shape.mark() == AddressMark::Bare
            && let Some(address) = address_alone(cleaned)
        {
            return self.push(DumpLineKind::End, line, address, &[]);
        }
        let Some(found) = text_line(cleaned) else {
            if let Some(address) = block_address(cleaned) {
                self.push(DumpLineKind::BlockStart, line, address, &[]);
            }
            return;
        };
        let Some(data) = found.bytes_as(self.shape) else {
            return;
        };
        self.evidence.add(found.characters, &data, self.shape);
        self.push(DumpLineKind::Data, line, found.address, &data);
        let pushed = self.entries.last_mut().expect("it was just added");
        pushed.has_characters = !found.characters.is_empty();
    }

    fn push(&mut self, kind: DumpLineKind, line: u64, address: u64, data: &[u8]) {
        self.entries.push(DumpLine {
            kind,
            line,
            address,
            start: self.bytes.len(),
            len: data.len(),
            has_characters: false,
        });
        self.bytes.extend_from_slice(data);
    }
}

impl LineShape {
    fn digits(self) -> Option<u8> {
        match self {
            Self::Record(_) => None,
            Self::Text { digits, .. } => digits,
        }
    }

    fn mark(self) -> AddressMark {
        match self {
            Self::Record(_) => AddressMark::None,
            Self::Text { mark, .. } => mark,
        }
    }
}

impl OrderEvidence {
    /// Compares the character column of a line with its bytes, if the lengths agree.
    fn add(&mut self, characters: &[u8], data: &[u8], shape: LineShape) {
        let Some(digits @ 4..) = shape.digits().filter(|_| characters.len() == data.len()) else {
            return;
        };
        let is_conclusive = |byte: &u8| byte.is_ascii_graphic() && *byte != b'.';
        let groups = data.chunks(usize::from(digits) / 2);
        let swapped = groups.flat_map(|group| group.iter().rev());
        for ((&shown, &plain), &swapped) in characters.iter().zip(data).zip(swapped) {
            if is_conclusive(&shown) {
                self.as_they_lie += u64::from(shown == plain);
                self.little_endian += u64::from(shown == swapped);
            }
        }
    }
}

/// The shape with the most bytes.
fn main_shape(text: &[u8]) -> Option<LineShape> {
    let mut totals: Vec<(LineShape, usize)> = Vec::new();
    let mut clean = Clean::default();
    for raw in text.split(|&byte| byte == b'\n') {
        let cleaned = clean.line(raw);
        let found = match record(cleaned) {
            Some(record) => Some((LineShape::Record(record.style), record.len())),
            None => text_line(cleaned).and_then(|line| line.shape_and_len()),
        };
        let Some((shape, len)) = found else {
            continue;
        };
        match totals.iter_mut().find(|(known, _)| *known == shape) {
            Some((_, total)) => *total += len,
            None => totals.push((shape, len)),
        }
    }
    // For equal totals the first shape in their order, independent of the text.
    totals.sort_by_key(|&(shape, total)| (Reverse(total), shape));
    totals.first().filter(|(_, total)| *total > 0).map(|(shape, _)| *shape)
}
