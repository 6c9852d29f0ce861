//! Single questions about the machine code of a program: what is called just before an
//! address, can a function end in a jump elsewhere, is this code that never runs.
//!
//! Nothing is disassembled as a whole. A call is recognised from its end, where a
//! profiler says that it returned to: on machines with instructions of one size by a
//! mask, on x86 by its bytes. Where chance could make other bytes look like a call, an
//! answer is of use for many addresses together only.

mod arm;
mod jumps;
mod landmarks;
mod riscv;
mod words;
pub(super) mod x86;

use std::ops::Range;

use object::{Architecture, Object};

use super::executable::{Executable, ExecutableError, is_code};
use super::static_calls::{Piece, bytes_of, pieces};
use crate::model::{Address, Endian};
pub use landmarks::Landmarks;
pub(super) use landmarks::hook_slots;

/// How much code one question about a function looks at.
const MAX_BODY: u64 = 1 << 16;

/// What a call leads to, as far as it stands in the call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Target {
    /// The code at an address.
    At(Address),
    /// What the word at an address names.
    Slot(Address),
    /// What the word at this distance from some register names.
    Relative(i64),
    /// What a register names.
    Register,
}

/// The machine code of a program.
#[derive(Debug)]
pub struct Code<'a> {
    pieces: Vec<Piece<'a>>,
    machine: Option<Machine>,
    /// Where its code starts and ends, and where the profiler's hook is.
    pub landmarks: Landmarks,
}

/// Whose calls can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Machine {
    X86 { bits: u32 },
    AArch64,
    Arm,
    RiscV { has_short_call: bool },
    PowerPc(Endian),
    Mips(Endian),
    Sparc,
    S390x,
}

impl Machine {
    fn of(object: &object::File<'_>) -> Option<Self> {
        let endian = match object.is_little_endian() {
            true => Endian::Little,
            false => Endian::Big,
        };
        Some(match object.architecture() {
            Architecture::X86_64 | Architecture::X86_64_X32 => Self::X86 { bits: 64 },
            Architecture::I386 => Self::X86 { bits: 32 },
            Architecture::Aarch64 | Architecture::Aarch64_Ilp32 => Self::AArch64,
            Architecture::Arm if endian == Endian::Little => Self::Arm,
            Architecture::Riscv32 => Self::RiscV {
                has_short_call: true,
            },
            Architecture::Riscv64 => Self::RiscV {
                has_short_call: false,
            },
            Architecture::PowerPc | Architecture::PowerPc64 => Self::PowerPc(endian),
            Architecture::Mips | Architecture::Mips64 => Self::Mips(endian),
            Architecture::Sparc | Architecture::Sparc32Plus | Architecture::Sparc64 => Self::Sparc,
            Architecture::S390x => Self::S390x,
            _ => return None,
        })
    }
}

impl<'a> Code<'a> {
    /// The code of an executable.
    ///
    /// # Errors
    /// When it is damaged.
    pub fn new(executable: &'a Executable) -> Result<Self, ExecutableError> {
        let object = executable.parse()?;
        Ok(Self {
            pieces: pieces(&object, |section| is_code(section)),
            machine: Machine::of(&object),
            landmarks: Landmarks::of(&object),
        })
    }

    /// Whether calls of this machine can be read.
    #[must_use]
    pub fn reads_calls(&self) -> bool {
        self.machine.is_some()
    }

    /// Whether an address is in code whose bytes are there.
    #[must_use]
    pub fn contains(&self, address: Address) -> bool {
        self.at(address).is_some()
    }

    /// What the call leads to that recorded an address as where it returns to; `None`
    /// where no call did.
    #[must_use]
    pub fn call_returning_to(&self, address: Address) -> Option<Target> {
        let (piece, offset) = self.at(address)?;
        let (before, after) = piece.bytes.split_at(offset);
        let is_code = |target| self.contains(target);
        match self.machine? {
            Machine::X86 { bits } => x86::call_before(before, address, bits, is_code),
            Machine::AArch64 => words::aarch64(before, address),
            Machine::Arm => arm::call_before(before, address, is_code),
            Machine::RiscV { has_short_call } => riscv::call(before, address, has_short_call),
            Machine::PowerPc(endian) => words::powerpc(before, address, endian),
            Machine::Mips(endian) => words::mips(before, address, endian),
            // The register has the address of the call, and the profiler takes it as it
            // is, or the address behind the delay slot.
            Machine::Sparc => words::sparc(after, address)
                .or_else(|| words::sparc(before.get(offset.checked_sub(8)?..)?, back(address, 8))),
            Machine::S390x => words::s390x(before, address),
        }
    }

    /// The bytes by which places behind calls lie apart, at least.
    #[must_use]
    pub fn return_step(&self) -> u64 {
        match self.machine {
            Some(Machine::X86 { .. }) | None => 1,
            Some(Machine::Arm | Machine::RiscV { .. } | Machine::S390x) => 2,
            Some(_) => 4,
        }
    }

    /// Whether a call to an address ends up in the profiler's hook, perhaps by way of a
    /// stub of the linker's. Of stubs those of x86 are understood.
    #[must_use]
    pub fn is_hook(&self, target: Target) -> bool {
        let landmarks = &self.landmarks;
        match target {
            Target::Slot(slot) => landmarks.is_hook_slot(slot),
            Target::At(address) => {
                landmarks.is_hook(address)
                    || self
                        .stub_slot(address)
                        .is_some_and(|slot| landmarks.is_hook_slot(slot))
            }
            Target::Relative(_) | Target::Register => false,
        }
    }

    fn stub_slot(&self, address: Address) -> Option<Address> {
        let Some(Machine::X86 { bits }) = self.machine else {
            return None;
        };
        let (piece, offset) = self.at(address)?;
        x86::slot_of_stub(&piece.bytes[offset..], address, bits)
    }

    /// Whether the code of a range may go on elsewhere without a call: jump out of it,
    /// or to where a register says, or run over its end. So it may where that cannot be
    /// told.
    #[must_use]
    pub fn may_jump_away(&self, body: &Range<Address>) -> bool {
        if body.end.0.saturating_sub(body.start.0) > MAX_BODY {
            return true;
        }
        let Some(code) = bytes_of(&self.pieces, body) else {
            return true;
        };
        match self.machine {
            Some(Machine::X86 { bits }) => x86::may_jump_away(&code, bits),
            Some(Machine::AArch64) => jumps::aarch64(&code),
            Some(Machine::RiscV { .. }) => riscv::may_jump_away(&code),
            Some(Machine::PowerPc(endian)) => jumps::powerpc(&code, endian),
            Some(Machine::Mips(endian)) => jumps::mips(&code, endian),
            Some(Machine::Sparc) => jumps::sparc(&code),
            Some(Machine::Arm) if self.landmarks.is_thumb(body.start) => jumps::thumb(&code),
            Some(Machine::Arm) => jumps::arm(&code),
            Some(Machine::S390x) | None => true,
        }
    }

    /// Where the padding behind a function begins, which never runs; its end if there is
    /// none or that cannot be told.
    #[must_use]
    pub fn padding_of(&self, body: &Range<Address>) -> Address {
        let is_long = body.end.0.saturating_sub(body.start.0) > MAX_BODY;
        let code = bytes_of(&self.pieces, body).filter(|_| !is_long);
        match (self.machine, code) {
            (Some(Machine::X86 { bits }), Some(code)) => x86::padding_of(&code, bits),
            (Some(Machine::AArch64), Some(code)) => words::padding_of(&code, words::NOPS_AARCH64),
            _ => body.end,
        }
    }

    fn at(&self, address: Address) -> Option<(&Piece<'a>, usize)> {
        let n_before = self.pieces.partition_point(|piece| piece.start <= address);
        let piece = &self.pieces[n_before.checked_sub(1)?];
        let offset = usize::try_from(address.0 - piece.start.0).ok()?;
        (offset < piece.bytes.len()).then_some((piece, offset))
    }
}

/// The address this many bytes before another.
fn back(address: Address, n_bytes: u64) -> Address {
    Address(address.0.wrapping_sub(n_bytes))
}

/// The address at a signed distance from another.
fn away(address: Address, distance: i64) -> Address {
    Address(address.0.wrapping_add_signed(distance))
}
