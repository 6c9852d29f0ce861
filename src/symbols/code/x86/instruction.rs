//! The sizes of x86 instructions, and their effects on control flow. Source: Intel 64 and IA-32
//! Architectures Software Developer's Manual, volume 2, chapter 2 and appendix A.

use super::super::{Address, CallTarget, Chunk, CodeFlow};

/// Maximum size in bytes.
const INSTRUCTION_SIZE: usize = 15;

/// Numbers of registers.
const BX: u8 = 3;
const SP: u8 = 4;

/// An instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) struct Instruction {
    pub(in super::super) start: u64,
    /// Address after it.
    pub(in super::super) end: u64,
    pub(in super::super) effect: Effect,
}

/// What an instruction does, as far as it matters here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Effect {
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
    pub(in super::super) fn flow(&self) -> CodeFlow {
        match self.effect {
            Effect::Call(target) => CodeFlow::Call(target),
            Effect::Jump { target: Some(target), .. } => CodeFlow::Jump(target),
            Effect::Jump { .. } => CodeFlow::Away,
            _ => CodeFlow::On,
        }
    }
}

/// The instructions of code, as if one started with it.
pub(in super::super) fn instructions<'a>(
    code: &Chunk<'a>,
    bits: u32,
) -> impl Iterator<Item = Instruction> + use<'a> {
    let (mut rest, mut start) = (code.bytes, code.start.0);
    std::iter::from_fn(move || {
        let bytes = &rest[..rest.len().min(INSTRUCTION_SIZE)];
        if bytes.is_empty() {
            return None;
        }
        let mut decoder = Decoder { bytes, start, is_64: bits == 64, ..Decoder::default() };
        let effect = decoder.effect();
        // Incomplete instructions have all bytes that one can have.
        let is_complete = decoder.n_read <= bytes.len();
        let size = decoder.n_read.min(bytes.len());
        rest = &rest[size..];
        let end = start.wrapping_add(size as u64);
        let effect = effect.filter(|_| is_complete).unwrap_or(Effect::Invalid);
        Some(Instruction { start: std::mem::replace(&mut start, end), end, effect })
    })
}

/// The number after the operands of an instruction.
#[derive(Clone, Copy)]
enum Immediate {
    Bytes(u8),
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

/// What follows an opcode of one byte.
#[derive(Clone, Copy)]
struct Shape {
    has_operand: bool,
    immediate: Immediate,
    /// Undefined in 64-bit code.
    is_of_32: bool,
    /// Has no effect on control flow, whatever follows it.
    is_plain: bool,
}

/// The shapes of opcodes, since most instructions need nothing else: a hot path.
static SHAPES: [Shape; 256] = {
    let mut shapes = [shape(0); 256];
    let mut opcode = 0;
    while opcode < 256 {
        shapes[opcode] = shape(opcode);
        opcode += 1;
    }
    shapes
};

const fn shape(opcode: usize) -> Shape {
    use Immediate as I;
    let (has_operand, immediate) = match opcode {
        0x00..=0x3f => match opcode & 7 {
            0..=3 => (true, I::Bytes(0)),
            4 => (false, I::Bytes(1)),
            5 => (false, I::Operand),
            _ => (false, I::Bytes(0)),
        },
        0x62 | 0x63 | 0x84..=0x8f | 0xc4 | 0xc5 | 0xd0..=0xd3 | 0xd8..=0xdf => (true, I::Bytes(0)),
        0xf6 | 0xf7 | 0xfe | 0xff => (true, I::Bytes(0)),
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
        _ => (false, I::Bytes(0)),
    };
    let is_of_32 = matches!(
        opcode,
        0x06 | 0x07
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
            | 0xd4..=0xd6 | 0xea
    );
    let is_plain = matches!(opcode, 0x01..=0x05 | 0x08..=0x0d | 0x10..=0x15 | 0x18..=0x1d | 0x20..=0x4f | 0x58..=0x67 | 0x69 | 0x6b..=0x6f | 0x80..=0x87 | 0x8a | 0x8b | 0x91..=0x99 | 0x9b..=0xc1 | 0xcd..=0xdf | 0xe4..=0xe7);
    Shape { has_operand, immediate, is_of_32, is_plain }
}

/// The operand in memory or a register that the byte after the opcode describes.
#[derive(Clone, Copy, Default)]
struct Operand {
    byte: u8,
    /// The byte for a base and an index.
    index: Option<u8>,
    /// Place and size of the displacement.
    displaced_at: usize,
    n_displaced: u8,
}

impl Operand {
    /// The other register, or a part of the opcode.
    fn register(self) -> u8 {
        self.byte >> 3 & 7
    }

    /// A register, not memory.
    fn is_register(self) -> bool {
        self.byte >= 0xc0
    }

    /// Only a displacement: relative to the end of the instruction in 64-bit code, unless there
    /// is a byte for the index.
    fn has_no_base(self) -> bool {
        self.byte >> 6 == 0 && self.index.unwrap_or(self.byte) & 7 == 5
    }
}

#[derive(Default)]
struct Decoder<'a> {
    bytes: &'a [u8],
    /// More than the number of bytes, if some are missing.
    n_read: usize,
    start: u64,
    is_64: bool,
    /// Prefixes: operands of 16 bits, addresses of half the usual size, a repetition, and the
    /// one that extends registers.
    has_short_operand: bool,
    has_short_address: bool,
    repeats: Option<u8>,
    extension: u8,
}

impl Decoder<'_> {
    fn byte(&mut self) -> u8 {
        let byte = self.next();
        self.n_read += 1;
        byte
    }

    /// The next byte; 0 for a missing one.
    fn next(&self) -> u8 {
        self.bytes.get(self.n_read).copied().unwrap_or(0)
    }

    /// A number of 0, 1, 2 or 4 bytes; 0 if some are missing.
    fn number(&self, at: usize, size: usize) -> i64 {
        match *self.bytes.get(at..at + size).unwrap_or_default() {
            [byte] => byte.cast_signed().into(),
            [low, high] => i16::from_le_bytes([low, high]).into(),
            [a, b, c, d] => i32::from_le_bytes([a, b, c, d]).into(),
            _ => 0,
        }
    }

    /// The effect of the instruction; `None` if it is invalid.
    fn effect(&mut self) -> Option<Effect> {
        let opcode = self.opcode();
        match opcode {
            0x0f => self.two_bytes(),
            0x62 | 0xc4 | 0xc5 if self.is_64 || self.next() >= 0xc0 => self.vector(opcode),
            // XOP of AMD, where the map is no register of `pop`.
            0x8f if self.next() & 0x1f >= 8 => self.vector(opcode),
            _ => self.one_byte(opcode),
        }
    }

    /// Reads prefixes.
    fn opcode(&mut self) -> u8 {
        loop {
            let byte = self.byte();
            match byte {
                0x40..=0x4f if self.is_64 => {
                    self.extension = byte;
                    continue;
                }
                0x26 | 0x2e | 0x36 | 0x3e | 0x64 | 0x65 | 0xf0 => {}
                0x66 => self.has_short_operand = true,
                0x67 => self.has_short_address = true,
                0xf2 | 0xf3 => self.repeats = Some(byte),
                _ => return byte,
            }
            // It extends only the opcode after it.
            self.extension = 0;
        }
    }

    fn one_byte(&mut self, opcode: u8) -> Option<Effect> {
        let Shape { has_operand, mut immediate, is_of_32, is_plain } = SHAPES[usize::from(opcode)];
        if is_of_32 && self.is_64 {
            return None;
        }
        let operand = if has_operand { self.operand() } else { Operand::default() };
        let register = operand.register();
        match opcode {
            0xf6 if register < 2 => immediate = Immediate::Bytes(1),
            0xf7 if register < 2 => immediate = Immediate::Operand,
            _ => {}
        }
        let n_before = self.n_read;
        self.n_read += self.size_of(immediate);
        if is_plain {
            return Some(Effect::Other);
        }
        let jump =
            |is_conditional| Effect::Jump { target: Some(self.target(n_before)), is_conditional };
        Some(match opcode {
            0x00 if self.n_read == 2 => Effect::Filler,
            0x90 if self.repeats != Some(0xf3) && self.extension & 1 == 0 => Effect::Filler,
            0xcc => Effect::Filler,
            0x8d if operand.is_register() => return None,
            // The padding of assemblers for i386.
            0x8d if self.is_same(operand) => Effect::Filler,
            0xe8 => Effect::Call(CallTarget::At(Address(self.target(n_before)))),
            0xe9 | 0xeb => jump(false),
            0x70..=0x7f | 0xe0..=0xe3 => jump(true),
            0xea => Effect::Jump { target: None, is_conditional: false },
            0x9a => Effect::Call(CallTarget::Register),
            0xff => match register {
                0 | 1 => Effect::Other,
                3 | 5 if operand.is_register() => return None,
                2 | 3 => Effect::Call(self.word_of(operand).unwrap_or(CallTarget::Register)),
                4 | 5 => Effect::Jump { target: None, is_conditional: false },
                6 => Effect::Push,
                _ => return None,
            },
            // Parts of opcodes, and segments, that do not exist.
            0xfe if register > 1 => return None,
            0x8c | 0x8e if register > 5 => return None,
            0x8f if register > 0 => return None,
            0xc6 | 0xc7 if (1..7).contains(&register) => return None,
            0xc2 | 0xc3 | 0xca | 0xcb => Effect::Return,
            0xf4 => Effect::Stop,
            0x06 | 0x0e | 0x16 | 0x1e | 0x50..=0x57 | 0x68 | 0x6a => Effect::Push,
            0x88 | 0x89 | 0x8c if self.is_top(operand) => Effect::Push,
            0xc6 | 0xc7 if register == 0 && self.is_top(operand) => Effect::Push,
            _ => Effect::Other,
        })
    }

    fn two_bytes(&mut self) -> Option<Effect> {
        let opcode = self.byte();
        let n_bytes = match opcode {
            0x04 | 0x0a | 0x0c | 0x24..=0x27 | 0x36 | 0x39 | 0x3b..=0x3f => return None,
            0x0b => return Some(Effect::Stop),
            0x05..=0x09 | 0x0e | 0x30..=0x37 | 0x77 | 0xa1 | 0xa2 | 0xa9 | 0xaa | 0xc8..=0xcf => {
                return Some(Effect::Other);
            }
            0xa0 | 0xa8 => return Some(Effect::Push),
            0x80..=0x8f => {
                let n_before = self.n_read;
                self.n_read += self.size_of(Immediate::Distance);
                let target = Some(self.target(n_before));
                return Some(Effect::Jump { target, is_conditional: true });
            }
            0x1f if self.operand().register() == 0 => return Some(Effect::Filler),
            0x1f => return Some(Effect::Other),
            // Control registers, whatever else the byte says.
            0x20..=0x23 => {
                self.byte();
                return Some(Effect::Other);
            }
            0x38 | 0x3a => {
                self.byte();
                usize::from(opcode == 0x3a)
            }
            0x78 if self.has_short_operand || self.repeats == Some(0xf2) => 2,
            0x0f | 0x70..=0x73 | 0xa4 | 0xac | 0xba | 0xc2 | 0xc4..=0xc6 => 1,
            _ => 0,
        };
        self.other_with(n_bytes)
    }

    /// Instructions with the prefixes VEX, EVEX and XOP, which contain the opcode's map.
    fn vector(&mut self, prefix: u8) -> Option<Effect> {
        let map = match prefix {
            0xc5 => 1,
            0x62 => self.byte() & 7,
            _ => self.byte() & 0x1f,
        };
        self.n_read += if prefix == 0x62 { 2 } else { 1 };
        match (map, self.byte()) {
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
        self.operand();
        self.n_read += n_bytes;
        Some(Effect::Other)
    }

    fn operand(&mut self) -> Operand {
        let mut operand = Operand { byte: self.byte(), ..Operand::default() };
        let (mode, base) = (operand.byte >> 6, operand.byte & 7);
        operand.n_displaced = match mode {
            3 => return operand,
            mode if self.has_short_address && !self.is_64 => match (mode, base) {
                (0, 6) | (2, _) => 2,
                _ => mode,
            },
            mode => {
                if base == 4 {
                    operand.index = Some(self.byte());
                }
                match mode {
                    0 if operand.has_no_base() => 4,
                    2 => 4,
                    _ => mode,
                }
            }
        };
        operand.displaced_at = self.n_read;
        self.n_read += usize::from(operand.n_displaced);
        operand
    }

    fn displacement(&self, operand: Operand) -> i64 {
        self.number(operand.displaced_at, operand.n_displaced.into())
    }

    /// The register that an operand in memory adds a displacement to, if nothing else.
    fn base(&self, operand: Operand) -> Option<u8> {
        let is_pair = self.has_short_address && !self.is_64;
        let base = operand.index.unwrap_or(operand.byte) & 7 | (self.extension & 1) << 3;
        (!is_pair && !self.has_index(operand) && !operand.has_no_base()).then_some(base)
    }

    fn has_index(&self, operand: Operand) -> bool {
        operand.index.is_some_and(|byte| byte >> 3 & 7 != SP || self.extension & 2 != 0)
    }

    /// Whether `lea` of an operand does nothing, in 32-bit code.
    fn is_same(&self, operand: Operand) -> bool {
        let is_whole = !self.is_64 && !self.has_short_operand;
        let has_base = self.base(operand) == Some(operand.register());
        is_whole && has_base && self.displacement(operand) == 0
    }

    /// Whether an operand is the top of the stack.
    fn is_top(&self, operand: Operand) -> bool {
        let is_memory = !operand.is_register();
        is_memory && self.base(operand) == Some(SP) && self.displacement(operand) == 0
    }

    fn size_of(&self, immediate: Immediate) -> usize {
        let is_wide = self.extension & 8 != 0;
        let of_operand = if self.has_short_operand && !is_wide { 2 } else { 4 };
        match immediate {
            Immediate::Bytes(size) => size.into(),
            Immediate::WideOperand if is_wide => 8,
            Immediate::Operand | Immediate::WideOperand => of_operand,
            Immediate::Offset => match (self.is_64, self.has_short_address) {
                (true, false) => 8,
                (false, true) => 2,
                _ => 4,
            },
            Immediate::Distance if self.is_64 => 4,
            Immediate::Distance => of_operand,
            Immediate::Far => of_operand + 2,
        }
    }

    /// The address after the instruction.
    fn end(&self) -> u64 {
        self.start.wrapping_add(self.n_read as u64)
    }

    /// The end and the distance from a place to there.
    fn target(&self, distance_at: usize) -> u64 {
        let distance = self.number(distance_at, self.n_read - distance_at);
        let target = self.end().wrapping_add_signed(distance);
        match (self.is_64, self.has_short_operand) {
            (true, _) => target,
            (false, false) => target & u64::from(u32::MAX),
            (false, true) => target & u64::from(u16::MAX),
        }
    }

    /// The fixed word that an instruction reads its target from.
    fn word_of(&self, operand: Operand) -> Option<CallTarget> {
        let is_pair = self.has_short_address && !self.is_64;
        if operand.is_register() || self.has_index(operand) || is_pair {
            return None;
        }
        let place = self.displacement(operand);
        match self.base(operand) {
            None if self.is_64 && operand.index.is_none() => {
                Some(CallTarget::Slot(Address(self.end().wrapping_add_signed(place))))
            }
            None if self.is_64 => Some(CallTarget::Slot(Address(place.cast_unsigned()))),
            None => Some(CallTarget::Slot(Address(place.cast_unsigned() & u64::from(u32::MAX)))),
            // The table of the linker's that %ebx points to.
            Some(BX) if !self.is_64 => Some(CallTarget::Relative(place)),
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
