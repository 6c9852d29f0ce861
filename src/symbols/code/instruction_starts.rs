//! The starts of instructions in sampled code.

use std::iter::Peekable;
use std::ops::Range;

use super::bin_weights::StartsInBins;
use super::{Chunk, Code, CodeMachine, FunctionCode, code_of, halves, words, x86};
use crate::model::{Address, Histogram};
use crate::symbols::SymbolTable;
use crate::threads;

/// Bins wider than this contain many instructions: the number of a function's instructions in
/// such a bin tells little more than the number of its bytes.
const FINE_BIN: u64 = 8;

impl<'a> Code<'a> {
    /// Where instructions start in the bins with ticks, for bins within symbols. Decodes code
    /// from the start of each such symbol to its last bin. Costs bins plus symbols plus that
    /// code.
    pub fn starts_in_bins(&self, table: &SymbolTable, histogram: &Histogram) -> StartsInBins {
        let mut found = StartsInBins::default();
        if histogram.bytes_per_bin() > FINE_BIN {
            return found;
        }
        let edges = histogram.edges();
        let mut first = 0;
        let bins = histogram.bins.hit().map(|(bin, _)| {
            let bin = edges.of_bin(bin);
            table.skip_before(&mut first, bin.start);
            (first, bin)
        });
        let starts_in = |bins: &[_]| self.starts_in(bins, table, histogram.low);
        threads::batches(bins, starts_in, |more| found.add(more));
        found
    }

    /// The same for some bins, each with the first symbol that it may span.
    fn starts_in(
        &self,
        bins: &[(usize, Range<Address>)],
        table: &SymbolTable,
        low: Address,
    ) -> StartsInBins {
        let mut found = StartsInBins::default();
        let mut decoding = None;
        for (first, bin) in bins {
            let near = table.iter_from(*first);
            for (id, symbol) in near.take_while(|(_, symbol)| symbol.range.start < bin.end) {
                let body = symbol.range.start..symbol.ticks_end;
                let starts = match &mut decoding {
                    Some((decoded, starts)) if *decoded == id => starts,
                    other => {
                        let starts = self.instructions(&body).peekable();
                        &mut other.insert((id, starts)).1
                    }
                };
                let distances = within(starts, bin).map(|start| start - low.0);
                let distances = distances.map_while(|distance| u32::try_from(distance).ok());
                found.add_part(id, distances);
            }
            found.end_bin(table);
        }
        found
    }

    /// Where a function can run. Decodes it once.
    pub fn function_code(&self, body: &Range<Address>) -> FunctionCode {
        let (machine, code) = match (self.machine, self.body(body)) {
            (Some(machine), Some(code)) => (machine, code),
            _ => return FunctionCode { padding: body.end, starts: None },
        };
        let padding = match machine {
            CodeMachine::X86 { bits } => return x86::function_code(&code, bits),
            CodeMachine::AArch64 => words::aarch64_padding(&code),
            _ => body.end,
        };
        let starts: Box<[u64]> = self.instructions(body).collect();
        FunctionCode { padding, starts: Some(starts).filter(|starts| !starts.is_empty()) }
    }

    /// The addresses of the instructions in a range, as if one started with it; empty if the
    /// machine is unknown.
    fn instructions(&self, body: &Range<Address>) -> Box<dyn Iterator<Item = u64> + 'a> {
        let (Some(code), Some(machine)) = (code_of(&self.chunks, body), self.machine) else {
            return Box::new(std::iter::empty());
        };
        match machine {
            CodeMachine::X86 { bits } => {
                Box::new(x86::instructions(&code, bits).map(|instruction| instruction.start))
            }
            CodeMachine::Arm if self.bounds.thumb.contains(&body.start) => {
                Box::new(by_size(code, |code, at| Some(halves::thumb(code, at)?.1)))
            }
            CodeMachine::RiscV { has_short_call } => Box::new(by_size(code, move |code, at| {
                Some(halves::riscv(code, at, has_short_call)?.1)
            })),
            machine if machine.words().is_some() => {
                Box::new((code.start.0.next_multiple_of(4)..code.range().end).step_by(4))
            }
            _ => Box::new(std::iter::empty()),
        }
    }
}

/// The ascending addresses that are in a range; skips lower ones.
fn within<'i, I: Iterator<Item = u64>>(
    starts: &'i mut Peekable<I>,
    range: &Range<Address>,
) -> impl Iterator<Item = u64> + use<'i, I> {
    while starts.next_if(|&start| start < range.start.0).is_some() {}
    let end = range.end.0;
    std::iter::from_fn(move || starts.next_if(|&start| start < end))
}

/// The addresses of instructions whose size the code determines.
fn by_size<'a>(
    code: Chunk<'a>,
    size: impl Fn(&Chunk<'_>, usize) -> Option<usize> + 'a,
) -> impl Iterator<Item = u64> + 'a {
    let mut offset = 0;
    std::iter::from_fn(move || {
        let start = code.at(offset).0;
        offset += size(&code, offset)?;
        Some(start)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Clock, InstructionStart, InstructionStarts};

    fn check(machine: CodeMachine, bytes: &[u8], expected: &[u64]) {
        let code = Code::of_bytes(machine, Address(0x2000), bytes);
        let starts = code.instructions(&(Address(0x2000)..Address(0x3000)));
        assert_eq!(starts.collect::<Vec<_>>(), expected, "{machine:?}");
    }

    #[test]
    fn instructions_start_where_a_disassembler_shows_them() {
        // push %rbp; mov %rsp,%rbp; nop; ret
        let bytes = [0x55, 0x48, 0x89, 0xe5, 0x66, 0x90, 0xc3];
        check(CodeMachine::X86 { bits: 64 }, &bytes, &[0x2000, 0x2001, 0x2004, 0x2006]);
        check(CodeMachine::AArch64, &[0; 12], &[0x2000, 0x2004, 0x2008]);
        // c.nop; addi a0,a0,1; c.nop
        let bytes = [0x01, 0x00, 0x13, 0x05, 0x15, 0x00, 0x01, 0x00];
        let machine = CodeMachine::RiscV { has_short_call: false };
        check(machine, &bytes, &[0x2000, 0x2002, 0x2006]);
        check(CodeMachine::S390x, &bytes, &[]);
    }

    #[test]
    fn only_bins_with_ticks_count() {
        let bytes = [0x55, 0x48, 0x89, 0xe5, 0x66, 0x90, 0xc3, 0x90];
        let code = Code::of_bytes(CodeMachine::X86 { bits: 64 }, Address(0x2000), &bytes);
        let table = SymbolTable::of_entries([Address(0x2000)].into_iter());
        let histogram = Histogram {
            low: Address(0x1ffc),
            high: Address(0x2008),
            n_bins: 3,
            bins: [1, 0, 2][..].into(),
            full_bins: Vec::new(),
            clock: Clock::seconds(100),
            instructions: InstructionStarts::default(),
        };
        let starts = code.starts_in_bins(&table, &histogram).into_starts();
        let expected = [8, 10, 11].map(|distance| InstructionStart { distance, weight: 1 });
        assert_eq!(starts, expected.into_iter().collect());
    }
}
