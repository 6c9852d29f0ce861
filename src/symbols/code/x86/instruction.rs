//! The sizes of x86 instructions, and their effects on control flow. Source: Intel 64 and IA-32
//! Architectures Software Developer's Manual, volume 2, chapter 2 and appendix A.

use super::super::{Address, CallTarget, Chunk, CodeFlow};

/// Maximum size in bytes.
const MAX_SIZE: usize = 15;

/// Numbers of registers.
const BX: u8 = 3;
const SP: u8 = 4;

/// An instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::symbols::code) struct Instruction {
    pub(in crate::symbols::code) start: u64,
    /// Address after it.
    pub(in crate::symbols::code) end: u64,
    pub(in crate::symbols::code) effect: Effect,
}

/// What an instruction does, as far as it matters here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::symbols::code) enum Effect {
    /// Undefined or incomplete: data.
    Invalid,
    /// Padding: nothing, a trap, or zeros.
    Filler,
    Call(CallTarget),
    /// A jump, to an address if it is known.
    Jump {
        target: Option<u64>,
        is_conditional: bool,
    },
    Return,
    /// The next instruction does not run.
    Stop,
    /// Writes to the top of the stack.
    Push,
    Other,
}

impl Instruction {
    pub(in crate::symbols::code) fn flow(&self) -> CodeFlow {
        match self.effect {
            Effect::Call(target) => CodeFlow::Call(target),
            Effect::Jump { target: Some(target), .. } => CodeFlow::Jump(target),
            Effect::Jump { .. } => CodeFlow::Away,
            _ => CodeFlow::On,
        }
    }
}

/// The instructions of code, as if one started with it.
pub(in crate::symbols::code) fn instructions<'a>(
    code: &Chunk<'a>,
    bits: u32,
) -> impl Iterator<Item = Instruction> + use<'a> {
    let (mut rest, mut start) = (code.bytes, code.start.0);
    std::iter::from_fn(move || {
        let bytes = &rest[..rest.len().min(MAX_SIZE)];
        let mut decoder = Decoder { bytes, n_read: 0, start, bits, ..Decoder::default() };
        let effect = if bytes.is_empty() { None } else { Some(decoder.effect()) }?;
        // Incomplete instructions have all bytes that one can have.
        let size = if effect.is_some() || !decoder.is_short { decoder.n_read } else { bytes.len() };
        rest = &rest[size..];
        let end = start.wrapping_add(size as u64);
        let effect = effect.unwrap_or(Effect::Invalid);
        Some(Instruction { start: std::mem::replace(&mut start, end), end, effect })
    })
}

/// The number after the operands of an instruction.
#[derive(Clone, Copy)]
enum Immediate {
    None,
    Bytes(usize),
    /// As large as the operands, at most 4 bytes.
    Operand,
    /// As large as the operands.
    WideOperand,
    /// As large as an address.
    Offset,
    /// A distance as large as the operands of 32-bit code.
    Distance,
    /// A segment and an operand.
    Far,
}

/// The operand in memory or a register that the byte after the opcode describes.
#[derive(Clone, Copy)]
struct Operand {
    /// The other register, or a part of the opcode.
    register: u8,
    /// A register, not memory.
    is_register: bool,
    base: Option<u8>,
    has_index: bool,
    /// Relative to the end of the instruction.
    is_relative: bool,
    displacement: i64,
}

#[derive(Default)]
struct Decoder<'a> {
    bytes: &'a [u8],
    n_read: usize,
    /// Some byte was missing.
    is_short: bool,
    start: u64,
    bits: u32,
    /// Prefixes: operands of 16 bits, addresses of half the usual size, a repetition, and the
    /// one that extends registers.
    has_short_operand: bool,
    has_short_address: bool,
    repeats: Option<u8>,
    extension: u8,
}

impl Decoder<'_> {
    fn number(&mut self, size: usize) -> Option<i64> {
        let Some(bytes) = self.bytes.get(self.n_read..self.n_read + size) else {
            self.is_short = true;
            return None;
        };
        self.n_read += size;
        Some(match *bytes {
            [] => 0,
            [byte] => byte.cast_signed().into(),
            [low, high] => i16::from_le_bytes([low, high]).into(),
            [a, b, c, d] => i32::from_le_bytes([a, b, c, d]).into(),
            _ => 0,
        })
    }

    fn byte(&mut self) -> Option<u8> {
        Some(self.number(1)?.to_le_bytes()[0])
    }

    fn next(&mut self) -> Option<u8> {
        let byte = self.byte()?;
        self.n_read -= 1;
        Some(byte)
    }

    fn is_64(&self) -> bool {
        self.bits == 64
    }

    /// The effect of the instruction; `None` if it is invalid.
    fn effect(&mut self) -> Option<Effect> {
        let opcode = self.opcode()?;
        match opcode {
            0x0f => self.two_bytes(),
            0x62 | 0xc4 | 0xc5 if self.is_64() || self.next()? >= 0xc0 => self.vector(opcode),
            // XOP of AMD, where the map is no register of `pop`.
            0x8f if self.next()? & 0x1f >= 8 => self.vector(opcode),
            _ => self.one_byte(opcode),
        }
    }

    /// Reads prefixes.
    fn opcode(&mut self) -> Option<u8> {
        loop {
            let byte = self.byte()?;
            match byte {
                0x40..=0x4f if self.is_64() => {
                    self.extension = byte;
                    continue;
                }
                0x26 | 0x2e | 0x36 | 0x3e | 0x64 | 0x65 | 0xf0 => {}
                0x66 => self.has_short_operand = true,
                0x67 => self.has_short_address = true,
                0xf2 | 0xf3 => self.repeats = Some(byte),
                _ => return Some(byte),
            }
            // It extends only the opcode after it.
            self.extension = 0;
        }
    }

    fn one_byte(&mut self, opcode: u8) -> Option<Effect> {
        use Immediate as I;
        let (has_operand, immediate) = match opcode {
            // Undefined in 64-bit code.
            0x06
            | 0x07
            | 0x0e
            | 0x16
            | 0x17
            | 0x1e
            | 0x1f
            | 0x27
            | 0x2f
            | 0x37
            | 0x3f
            | 0x60
            | 0x61
            | 0x82
            | 0x9a
            | 0xce
            | 0xd4..=0xd6
            | 0xea
                if self.is_64() =>
            {
                return None;
            }
            0x00..=0x3f => match opcode & 7 {
                0..=3 => (true, I::None),
                4 => (false, I::Bytes(1)),
                5 => (false, I::Operand),
                _ => (false, I::None),
            },
            0x62 | 0x63 | 0x84..=0x8f | 0xc4 | 0xc5 | 0xd0..=0xd3 | 0xd8..=0xdf | 0xf6 | 0xf7 => {
                (true, I::None)
            }
            0xfe | 0xff => (true, I::None),
            0x6b | 0x80 | 0x82 | 0x83 | 0xc0 | 0xc1 | 0xc6 => (true, I::Bytes(1)),
            0x69 | 0x81 | 0xc7 => (true, I::Operand),
            0x6a | 0x70..=0x7f | 0xa8 | 0xb0..=0xb7 | 0xcd | 0xd4 | 0xd5 | 0xe0..=0xe7 | 0xeb => {
                (false, I::Bytes(1))
            }
            0x68 | 0xa9 => (false, I::Operand),
            0xb8..=0xbf => (false, I::WideOperand),
            0xa0..=0xa3 => (false, I::Offset),
            0xc2 | 0xca => (false, I::Bytes(2)),
            0xc8 => (false, I::Bytes(3)),
            0xe8 | 0xe9 => (false, I::Distance),
            0x9a | 0xea => (false, I::Far),
            _ => (false, I::None),
        };
        let operand = if has_operand { Some(self.operand()?) } else { None };
        let register = operand.map_or(0, |operand| operand.register);
        let immediate = match opcode {
            0xf6 if register < 2 => I::Bytes(1),
            0xf7 if register < 2 => I::Operand,
            _ => immediate,
        };
        let distance = self.immediate(immediate)?;
        let is_zero = |operand: Operand| operand.displacement == 0 && !operand.is_register;
        let is_top =
            |operand: Operand| is_zero(operand) && operand.base == Some(SP) && !operand.has_index;
        Some(match (opcode, operand) {
            (0x00, _) if self.n_read == 2 => Effect::Filler,
            (0x90, _) if self.repeats != Some(0xf3) && self.extension & 1 == 0 => Effect::Filler,
            (0xcc, _) => Effect::Filler,
            // The padding of assemblers for i386.
            (0x8d, Some(operand)) if operand.is_register => return None,
            (0x8d, Some(operand)) if !self.has_short_operand && self.extension & 8 == 0 => {
                let is_same = operand.base == Some(operand.register) && !self.is_64();
                if is_same && is_zero(operand) { Effect::Filler } else { Effect::Other }
            }
            (0xe8, _) => Effect::Call(CallTarget::At(Address(self.target(distance)))),
            (0xe9 | 0xeb, _) => {
                Effect::Jump { target: Some(self.target(distance)), is_conditional: false }
            }
            (0x70..=0x7f | 0xe0..=0xe3, _) => {
                Effect::Jump { target: Some(self.target(distance)), is_conditional: true }
            }
            (0xea, _) => Effect::Jump { target: None, is_conditional: false },
            (0x9a, _) => Effect::Call(CallTarget::Register),
            (0xff, Some(operand)) => match register {
                0 | 1 => Effect::Other,
                3 | 5 if operand.is_register => return None,
                2 | 3 => Effect::Call(self.word_of(operand).unwrap_or(CallTarget::Register)),
                4 | 5 => Effect::Jump { target: None, is_conditional: false },
                6 => Effect::Push,
                _ => return None,
            },
            // Parts of opcodes, and segments, that do not exist.
            (0xfe, _) if register > 1 => return None,
            (0x8c | 0x8e, _) if register > 5 => return None,
            (0x8f, _) if register > 0 => return None,
            (0xc6 | 0xc7, _) if (1..7).contains(&register) => return None,
            (0xc2 | 0xc3 | 0xca | 0xcb, _) => Effect::Return,
            (0xf4, _) => Effect::Stop,
            (0x06 | 0x0e | 0x16 | 0x1e | 0x50..=0x57 | 0x68 | 0x6a, _) => Effect::Push,
            (0x88 | 0x89 | 0x8c, Some(operand)) if is_top(operand) => Effect::Push,
            (0xc6 | 0xc7, Some(operand)) if register == 0 && is_top(operand) => Effect::Push,
            _ => Effect::Other,
        })
    }

    fn two_bytes(&mut self) -> Option<Effect> {
        let opcode = self.byte()?;
        match opcode {
            0x04 | 0x0a | 0x0c | 0x24..=0x27 | 0x36 | 0x39 | 0x3b..=0x3f => None,
            0x0b => Some(Effect::Stop),
            0x05..=0x09 | 0x0e | 0x30..=0x37 | 0x77 | 0xa1 | 0xa2 | 0xa9 | 0xaa | 0xc8..=0xcf => {
                Some(Effect::Other)
            }
            0xa0 | 0xa8 => Some(Effect::Push),
            0x80..=0x8f => {
                let distance = self.immediate(Immediate::Distance)?;
                Some(Effect::Jump { target: Some(self.target(distance)), is_conditional: true })
            }
            0x38 => {
                self.byte()?;
                self.other_with(0)
            }
            0x3a => {
                self.byte()?;
                self.other_with(1)
            }
            0x1f => match self.operand()?.register {
                0 => Some(Effect::Filler),
                _ => Some(Effect::Other),
            },
            // Control registers, whatever else the byte says.
            0x20..=0x23 => self.other_of_bytes(1),
            0x78 if self.has_short_operand || self.repeats == Some(0xf2) => self.other_with(2),
            0x0f | 0x70..=0x73 | 0xa4 | 0xac | 0xba | 0xc2 | 0xc4..=0xc6 => self.other_with(1),
            _ => self.other_with(0),
        }
    }

    /// Instructions with the prefixes VEX, EVEX and XOP, which contain the opcode's map.
    fn vector(&mut self, prefix: u8) -> Option<Effect> {
        let map = match prefix {
            0xc5 => 1,
            0x62 => self.byte()? & 7,
            _ => self.byte()? & 0x1f,
        };
        self.number(if prefix == 0x62 { 2 } else { 1 })?;
        let opcode = self.byte()?;
        match (map, opcode) {
            // Without operands.
            (1, 0x77) if prefix != 0x62 => Some(Effect::Other),
            (1, 0x70..=0x73 | 0xc2 | 0xc4..=0xc6) | (3 | 8, _) => self.other_with(1),
            (1 | 2 | 9, _) => self.other_with(0),
            (5 | 6, _) if prefix == 0x62 => self.other_with(0),
            (10, _) => self.other_with(4),
            _ => None,
        }
    }

    /// An instruction with an operand and so many further bytes.
    fn other_with(&mut self, n_bytes: usize) -> Option<Effect> {
        self.operand()?;
        self.other_of_bytes(n_bytes)
    }

    fn other_of_bytes(&mut self, n_bytes: usize) -> Option<Effect> {
        self.number(n_bytes).map(|_| Effect::Other)
    }

    fn operand(&mut self) -> Option<Operand> {
        let byte = self.byte()?;
        let (mode, register, mut base) = (byte >> 6, byte >> 3 & 7, byte & 7);
        let mut operand = Operand {
            register,
            is_register: mode == 3,
            base: None,
            has_index: false,
            is_relative: false,
            displacement: 0,
        };
        if mode == 3 {
            return Some(operand);
        }
        if self.has_short_address && !self.is_64() {
            let size = match (mode, base) {
                (0, 6) | (2, _) => 2,
                (mode, _) => mode.into(),
            };
            operand.displacement = self.number(size)?;
            // Pairs of registers, which nothing asks about.
            operand.has_index = true;
            return Some(operand);
        }
        let has_index_byte = base == 4;
        if has_index_byte {
            let byte = self.byte()?;
            operand.has_index = byte >> 3 & 7 != 4 || self.extension & 2 != 0;
            base = byte & 7;
        }
        let is_absolute = mode == 0 && base == 5;
        operand.is_relative = is_absolute && !has_index_byte && self.is_64();
        operand.displacement = self.number(match mode {
            0 if is_absolute => 4,
            0 => 0,
            1 => 1,
            _ => 4,
        })?;
        operand.base = (!is_absolute).then_some(base | (self.extension & 1) << 3);
        Some(operand)
    }

    fn immediate(&mut self, immediate: Immediate) -> Option<i64> {
        let is_wide = self.extension & 8 != 0;
        let of_operand = if self.has_short_operand && !is_wide { 2 } else { 4 };
        let size = match immediate {
            Immediate::None => 0,
            Immediate::Bytes(size) => size,
            Immediate::WideOperand if is_wide => 8,
            Immediate::Operand | Immediate::WideOperand => of_operand,
            Immediate::Offset => match (self.is_64(), self.has_short_address) {
                (true, false) => 8,
                (false, true) => 2,
                _ => 4,
            },
            Immediate::Distance if self.is_64() => 4,
            Immediate::Distance => of_operand,
            Immediate::Far => of_operand + 2,
        };
        self.number(size)
    }

    /// The address after the bytes that were read.
    fn end(&self) -> u64 {
        self.start.wrapping_add(self.n_read as u64)
    }

    fn target(&self, distance: i64) -> u64 {
        let target = self.end().wrapping_add_signed(distance);
        match (self.is_64(), self.has_short_operand) {
            (true, _) => target,
            (false, false) => target & u64::from(u32::MAX),
            (false, true) => target & u64::from(u16::MAX),
        }
    }

    /// The fixed word that an instruction reads its target from.
    fn word_of(&self, operand: Operand) -> Option<CallTarget> {
        let place = operand.displacement;
        if operand.is_register || operand.has_index {
            return None;
        }
        match operand.base {
            None if operand.is_relative => {
                Some(CallTarget::Slot(Address(self.end().wrapping_add_signed(place))))
            }
            None if self.is_64() => Some(CallTarget::Slot(Address(place.cast_unsigned()))),
            None => Some(CallTarget::Slot(Address(place.cast_unsigned() & u64::from(u32::MAX)))),
            // The table of the linker's that %ebx points to.
            Some(BX) if !self.is_64() => Some(CallTarget::Relative(place)),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(bits: u32, bytes: &[u8], size: usize, effect: Effect) {
        let padded: Vec<u8> = bytes.iter().copied().chain([0x90; 15]).collect();
        let code = Chunk { start: Address(0x1000), bytes: &padded };
        let expected = Instruction { start: 0x1000, end: 0x1000 + size as u64, effect };
        assert_eq!(instructions(&code, bits).next(), Some(expected), "{bytes:02x?}");
    }

    #[test]
    fn sizes_are_those_of_a_disassembler() {
        let other = |bytes: &[u8]| check(64, bytes, bytes.len(), Effect::Other);
        other(&[0x48, 0x89, 0xe5]); // mov %rsp,%rbp
        other(&[0x48, 0xb8, 1, 2, 3, 4, 5, 6, 7, 8]); // movabs $n,%rax
        other(&[0x66, 0xb8, 1, 2]); // mov $n,%ax
        other(&[0x48, 0x8b, 0x04, 0xc5, 1, 2, 3, 4]); // mov n(,%rax,8),%rax
        other(&[0xf7, 0x05, 1, 2, 3, 4, 5, 6, 7, 8]); // testl $n,n(%rip)
        other(&[0xf7, 0xd8]); // neg %eax
        other(&[0x0f, 0xa4, 0xc2, 0x05]); // shld $5,%eax,%edx
        other(&[0x66, 0x0f, 0x3a, 0x0f, 0xc1, 0x08]); // palignr $8,%xmm1,%xmm0
        other(&[0xc5, 0xf8, 0x77]); // vzeroupper
        other(&[0xc4, 0xe3, 0x7d, 0x39, 0xc1, 0x01]); // vextracti128 $1,%ymm0,%xmm1
        other(&[0x62, 0xf1, 0xfe, 0x48, 0x6f, 0x06]); // vmovdqu64 (%rsi),%zmm0
        other(&[0x62, 0xf3, 0x75, 0x48, 0x25, 0xc0, 0xff]); // vpternlogd $255,...
        check(32, &[0xa1, 1, 2, 3, 4], 5, Effect::Other); // mov n,%eax
        check(32, &[0x62, 0x01], 2, Effect::Other); // bound %eax,(%ecx)
        check(32, &[0x67, 0x8b, 0x46, 0x08], 4, Effect::Other); // mov 8(%bp),%eax
        check(32, &[0x41], 1, Effect::Other); // inc %ecx
    }

    #[test]
    fn effects_on_control_flow_have_their_targets() {
        let jump = |target, is_conditional| Effect::Jump { target, is_conditional };
        check(64, &[0x0f, 0x84, 0, 1, 0, 0], 6, jump(Some(0x1106), true)); // je
        check(64, &[0xe9, 0, 1, 0, 0], 5, jump(Some(0x1105), false)); // jmp
        check(32, &[0x66, 0xe9, 0, 0xf0], 4, jump(Some(4), false)); // jmpw
        check(64, &[0x3e, 0xff, 0xe0], 3, jump(None, false)); // notrack jmp *%rax
        let slot = |place| Effect::Call(CallTarget::Slot(Address(place)));
        check(64, &[0xff, 0x15, 0, 1, 0, 0], 6, slot(0x1106)); // call *n(%rip)
        check(32, &[0xff, 0x15, 0, 1, 0, 0], 6, slot(0x100)); // call *n
        check(64, &[0xff, 0x14, 0x25, 0, 1, 0, 0], 7, slot(0x100)); // call *n
        let relative = Effect::Call(CallTarget::Relative(-8));
        check(32, &[0xff, 0x53, 0xf8], 3, relative); // call *-8(%ebx)
        check(64, &[0xff, 0x53, 0xf8], 3, Effect::Call(CallTarget::Register));
        check(64, &[0xf3, 0xc3], 2, Effect::Return); // rep ret
        check(64, &[0x48, 0x89, 0x04, 0x24], 4, Effect::Push); // mov %rax,(%rsp)
        check(64, &[0x48, 0x89, 0x44, 0x24, 0x08], 5, Effect::Other); // mov %rax,8(%rsp)
    }

    #[test]
    fn padding_and_data_are_neither_code() {
        check(64, &[0x66, 0x2e, 0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0], 10, Effect::Filler); // nopw
        check(32, &[0x8d, 0xb4, 0x26, 0, 0, 0, 0], 7, Effect::Filler); // lea 0(%esi),%esi
        check(64, &[0xf3, 0x90], 2, Effect::Other); // pause
        check(64, &[0x06], 1, Effect::Invalid);
        check(64, &[0x66; 20], 15, Effect::Invalid);
        let code = Chunk { start: Address(0x1000), bytes: &[0xe8, 0, 0] };
        let ends: Vec<_> = instructions(&code, 64).map(|instruction| instruction.end).collect();
        assert_eq!(ends, [0x1003]);
    }
}
