//! Joins the bytes of lines by their addresses.

use super::HexdumpFault;

/// The kinds of lines in a dump.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DumpLineKind {
    Data,
    /// The checksum does not match.
    Garbled,
    /// Repeats the line before.
    Repeat,
    /// The address after the last byte.
    End,
    /// The address of the next byte, if its line counts from 0.
    BlockStart,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct DumpLine {
    pub(super) kind: DumpLineKind,
    /// From 1.
    pub(super) line: u64,
    /// Its digits, read as hexadecimal.
    pub(super) address: u64,
    /// Offset of its bytes among those of all lines.
    pub(super) start: usize,
    pub(super) len: usize,
    /// The line shows its bytes as characters too.
    pub(super) has_characters: bool,
}

/// The bytes of a dump, up to the first damage.
#[derive(Debug, Default)]
pub(super) struct Assembled {
    pub(super) bytes: Vec<u8>,
    /// The damage and its line.
    pub(super) fault: Option<(u64, HexdumpFault)>,
}

/// Among lines without addresses, keeps the ones with the usual length, the one after the last of
/// these, and lines with characters. Any word of digits in a log looks like such a line.
pub(super) fn keep_run(entries: &mut Vec<DumpLine>) {
    let full = usual_len(entries);
    let mut last_full = None;
    let mut address = 0;
    entries.retain_mut(|entry| {
        let is_tail = entry.len < full && last_full == entry.line.checked_sub(1);
        let is_certain = entry.len == full || is_tail || entry.has_characters;
        let is_kept = entry.kind == DumpLineKind::Data && is_certain;
        if is_kept {
            last_full = (entry.len == full).then_some(entry.line);
            entry.address = address;
            address += entry.len as u64;
        }
        is_kept
    });
}

/// The layout of bytes within lines.
pub(super) struct ByteGroups {
    /// Bytes of a line that counts anywhere in the text.
    pub(super) least: usize,
    /// Bytes of a group. The last group may be padded.
    pub(super) group: usize,
    /// Bytes of a word stored in reverse order.
    pub(super) word: usize,
}

/// Joins lines, up to `max_len` bytes including repeated lines.
pub(super) fn assemble(
    entries: &[DumpLine],
    bytes: &[u8],
    groups: &ByteGroups,
    max_len: u64,
) -> Assembled {
    let entries = at_their_addresses(entries, bytes);
    let is_full = |entry: &&DumpLine| entry.kind == DumpLineKind::Data && entry.len >= groups.least;
    let Some(first) = entries.iter().find(is_full) else {
        return Assembled::default();
    };
    let mut run = ByteRun {
        base: first.address,
        full: groups.least,
        max_len,
        bytes: Vec::new(),
        last_len: 0,
        is_repeated: false,
    };
    for entry in entries {
        let mut data = bytes[entry.start..entry.start + entry.len].to_vec();
        data.chunks_mut(groups.word).for_each(<[u8]>::reverse);
        let outcome = match entry.kind {
            DumpLineKind::Data => run.add(entry.address, &data),
            DumpLineKind::Garbled => Err(HexdumpFault::Checksum),
            DumpLineKind::Repeat => {
                run.is_repeated = !run.bytes.is_empty();
                Ok(())
            }
            DumpLineKind::End => run.end(entry.address, groups.group),
            DumpLineKind::BlockStart => Ok(()),
        };
        if let Err(fault) = outcome {
            return Assembled { bytes: run.bytes, fault: Some((entry.line, fault)) };
        }
    }
    Assembled { bytes: run.bytes, fault: None }
}

/// The lines with their addresses in the radix of the dump. Where these start again at 0, they
/// count from the address of their block, or from the end of the block before.
fn at_their_addresses(entries: &[DumpLine], bytes: &[u8]) -> Vec<DumpLine> {
    let radix = radix_of(entries);
    let are_consecutive = are_consecutive_blocks(entries, bytes, radix);
    let (mut block, mut next_block) = (0, 0);
    let place = |entry: &DumpLine| {
        let address = radix.value(entry.address);
        match entry.kind {
            DumpLineKind::BlockStart => next_block = address,
            DumpLineKind::Data if address == 0 => block = std::mem::take(&mut next_block),
            _ => {}
        }
        let entry = DumpLine { address: address.wrapping_add(block), ..*entry };
        if are_consecutive && entry.kind == DumpLineKind::Data {
            next_block = entry.address.wrapping_add(entry.len as u64);
        }
        entry
    };
    entries.iter().map(place).collect()
}

/// Returns whether lines count from 0 in each of several blocks without addresses: all but the
/// last have one length. A block that begins like the first one belongs to another dump.
fn are_consecutive_blocks(entries: &[DumpLine], bytes: &[u8], radix: Radix) -> bool {
    let mut first = None;
    let (mut len, mut next) = (None, 0);
    for entry in entries {
        let address = radix.value(entry.address);
        let data = &bytes[entry.start..entry.start + entry.len];
        let is_start = entry.kind == DumpLineKind::Data && address == 0;
        let is_expected = match (entry.kind, first) {
            (DumpLineKind::Data, None) => is_start,
            (DumpLineKind::Data, Some(first)) if is_start => {
                let len = *len.get_or_insert(next);
                next == len && data != first
            }
            (DumpLineKind::Data, _) => address == next && len.is_none_or(|len| next < len),
            (DumpLineKind::End, Some(_)) => address == next,
            _ => false,
        };
        if !is_expected {
            return false;
        }
        first = first.or(Some(data));
        next = address.saturating_add(entry.len as u64);
    }
    len.is_some()
}

/// The line length that covers most bytes.
pub(super) fn usual_len(entries: &[DumpLine]) -> usize {
    let data = entries.iter().filter(|entry| entry.kind == DumpLineKind::Data);
    let mut lens: Vec<usize> = data.map(|entry| entry.len).collect();
    lens.sort_unstable();
    let runs = lens.chunk_by(|a, b| a == b);
    let most = runs.max_by_key(|run| (run.len() * run[0], run[0]));
    most.map_or(0, |run| run[0])
}

/// The radix of addresses.
#[derive(Clone, Copy)]
struct Radix(u64);

impl Radix {
    /// The value of digits that were read as hexadecimal.
    fn value(self, hexadecimal: u64) -> u64 {
        let digits = (0..16).rev().map(|place| hexadecimal >> (4 * place) & 0xf);
        digits.fold(0, |number, digit| number.wrapping_mul(self.0).wrapping_add(digit))
    }
}

/// The radix in which most lines are consecutive; od uses octal by default.
fn radix_of(entries: &[DumpLine]) -> Radix {
    let n_steps = |radix: &Radix| {
        let follows = |pair: &&[DumpLine]| {
            let next = radix.value(pair[0].address).wrapping_add(pair[0].len as u64);
            let are_data = pair.iter().all(|entry| entry.kind == DumpLineKind::Data);
            are_data && next == radix.value(pair[1].address)
        };
        entries.windows(2).filter(follows).count()
    };
    let radices = [Radix(8), Radix(10), Radix(16)];
    let best = radices.into_iter().max_by_key(n_steps);
    best.unwrap_or(Radix(16))
}

/// Consecutive bytes from an address.
struct ByteRun {
    base: u64,
    /// Bytes of a usual line. A shorter line without address belongs to something else.
    full: usize,
    max_len: u64,
    bytes: Vec<u8>,
    last_len: usize,
    is_repeated: bool,
}

impl ByteRun {
    fn add(&mut self, address: u64, data: &[u8]) -> Result<(), HexdumpFault> {
        let is_full = data.len() >= self.full;
        let Some(place) = self.place_of(address) else {
            return Ok(());
        };
        if place > self.bytes.len() as u64 {
            if !self.is_repeated && !is_full {
                return Ok(());
            }
            self.fill(address, place)?;
        }
        self.is_repeated = false;
        let place = usize::try_from(place).expect("so many bytes are there");
        let known = &self.bytes[place..self.bytes.len().min(place + data.len())];
        let differs = known.iter().zip(data).position(|(known, new)| known != new);
        match differs {
            Some(at) if is_full => {
                Err(HexdumpFault::Contradiction { address: address.wrapping_add(at as u64) })
            }
            Some(_) => Ok(()),
            None => {
                let n_known = known.len();
                self.bytes.extend_from_slice(&data[n_known..]);
                self.last_len = data.len();
                Ok(())
            }
        }
    }

    /// Sets the address after the last byte, which removes the padding of the last group.
    fn end(&mut self, address: u64, group: usize) -> Result<(), HexdumpFault> {
        let Some(place) = self.place_of(address) else {
            return Ok(());
        };
        let len = self.bytes.len() as u64;
        if place > len && self.is_repeated {
            self.fill(address, place)?;
        } else if len.saturating_sub(place) < group as u64 {
            self.bytes.truncate(usize::try_from(place).expect("it is in the bytes"));
        }
        self.is_repeated = false;
        Ok(())
    }

    /// The offset of an address; `None` before the first byte.
    fn place_of(&self, address: u64) -> Option<u64> {
        address.checked_sub(self.base)
    }

    /// Repeats the last line up to an offset.
    fn fill(&mut self, address: u64, place: u64) -> Result<(), HexdumpFault> {
        let n_missing = place - self.bytes.len() as u64;
        let is_whole = self.last_len > 0 && n_missing.is_multiple_of(self.last_len as u64);
        if !self.is_repeated || !is_whole {
            return Err(HexdumpFault::Gap {
                start: self.base.wrapping_add(self.bytes.len() as u64),
                end: address,
            });
        }
        if place > self.max_len {
            return Err(HexdumpFault::TooLong);
        }
        let line = self.bytes[self.bytes.len() - self.last_len..].to_vec();
        let n_lines = usize::try_from(n_missing).expect("it is bounded") / self.last_len;
        (0..n_lines).for_each(|_| self.bytes.extend_from_slice(&line));
        Ok(())
    }
}
