//! Analyses machine code: calls before an address or in a function, calls of mcount, jumps
//! out of a function, padding after it.
//!
//! Forward, instructions are decoded from the start of a function. Backward, a call is
//! recognised by its last bytes before a recorded return address. On x86 other bytes may look
//! like a call by chance, so such answers are useful only for many addresses together.

mod bin_weights;
mod bounds;
mod chunk;
mod halves;
mod instruction_starts;
mod micromips;
mod words;
mod x86;

use std::borrow::Cow;
use std::ops::Range;

use object::{Architecture, FileFlags, Object};

use super::counters::mcount_name;
use super::executable::{Executable, ExecutableError, is_code};
use super::table::SymbolTable;
use crate::model::{Address, CallArc, Endian, Profile};
pub use bounds::CodeBounds;
pub(super) use bounds::{called_by_powerpc_stub, set_bits};
pub(crate) use chunk::{Chunk, chunks, code_of};
pub(crate) use words::aarch64;

/// Maximum size in bytes of the code of a function. Damaged files may contain the same bytes many
/// times.
const MAX_BODY: u64 = 1 << 16;

/// Maximum distance in bytes of the call of mcount from the start of a function.
pub const PROLOGUE_SIZE: u64 = 256;

/// The target of a call, as far as the instruction shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CallTarget {
    /// An address.
    At(Address),
    /// The contents of the word at an address.
    Slot(Address),
    /// The contents of the word at this distance from a register.
    Relative(i64),
    /// The contents of a register.
    Register,
}

/// The control flow after an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CodeFlow {
    /// The next instruction, possibly after a call.
    On,
    Call(CallTarget),
    /// A jump to an address, possibly conditional.
    Jump(u64),
    /// Unknown.
    Away,
}

impl CodeFlow {
    fn call(target: u64) -> Self {
        Self::Call(CallTarget::At(Address(target)))
    }

    fn away_if(is_away: bool) -> Self {
        if is_away { Self::Away } else { Self::On }
    }

    fn called(self) -> Option<CallTarget> {
        match self {
            Self::Call(target) => Some(target),
            _ => None,
        }
    }

    /// Returns whether the instruction may leave the function without a call.
    fn leaves(self, body: &Range<u64>) -> bool {
        match self {
            Self::On | Self::Call(_) => false,
            Self::Jump(target) => !body.contains(&target),
            Self::Away => true,
        }
    }
}

/// Flags of ELF files with code for microMIPS and MIPS16e. Source: `include/elf/mips.h` of
/// binutils.
const EF_MIPS_MICROMIPS: u32 = 0x0200_0000;
const EF_MIPS_ARCH_ASE_M16: u32 = 0x0400_0000;

fn has_flag(object: &object::File<'_>, flag: u32) -> bool {
    matches!(object.flags(), FileFlags::Elf { e_flags, .. } if e_flags.0 & flag != 0)
}

/// Supported processors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CodeMachine {
    X86 {
        bits: u32,
    },
    AArch64,
    Arm,
    RiscV {
        has_short_call: bool,
    },
    PowerPc(Endian),
    Mips(Endian),
    /// Code of microMIPS, and possibly of MIPS.
    MicroMips(Endian),
    Sparc,
    S390x,
    /// Only for the call search of `gprof`.
    Alpha,
}

impl CodeMachine {
    pub(crate) fn of(object: &object::File<'_>) -> Option<Self> {
        use Architecture as A;
        let endian = if object.is_little_endian() { Endian::Little } else { Endian::Big };
        Some(match object.architecture() {
            A::X86_64 | A::X86_64_X32 => Self::X86 { bits: 64 },
            A::I386 => Self::X86 { bits: 32 },
            A::Aarch64 | A::Aarch64_Ilp32 => Self::AArch64,
            A::Arm if endian == Endian::Little => Self::Arm,
            machine @ (A::Riscv32 | A::Riscv64) => {
                Self::RiscV { has_short_call: machine == A::Riscv32 }
            }
            A::PowerPc | A::PowerPc64 => Self::PowerPc(endian),
            A::Mips | A::Mips64 | A::Mips64_N32 if has_flag(object, EF_MIPS_MICROMIPS) => {
                Self::MicroMips(endian)
            }
            A::Mips | A::Mips64 | A::Mips64_N32 => Self::Mips(endian),
            A::Sparc | A::Sparc32Plus | A::Sparc64 => Self::Sparc,
            A::S390x => Self::S390x,
            A::Alpha => Self::Alpha,
            _ => return None,
        })
    }

    /// The word that a linker stub jumps through, on machines whose stubs are known.
    pub(in crate::symbols) fn stub_slot(self, stub: &Chunk<'_>) -> Option<CallTarget> {
        match self {
            Self::X86 { bits } => x86::slot_of_stub(stub, bits),
            Self::AArch64 => words::aarch64_slot(stub).map(CallTarget::Slot),
            Self::RiscV { .. } => words::riscv_slot(stub).map(CallTarget::Slot),
            _ => None,
        }
    }

    /// Byte order and decoder, for machines whose instructions are words.
    fn words(self) -> Option<(Endian, WordFlow)> {
        match self {
            Self::AArch64 => Some((Endian::Little, words::aarch64)),
            Self::Arm => Some((Endian::Little, words::arm)),
            Self::PowerPc(endian) => Some((endian, words::powerpc)),
            Self::Mips(endian) => Some((endian, words::mips)),
            Self::Sparc => Some((Endian::Big, words::sparc)),
            _ => None,
        }
    }
}

/// The control flow of an instruction, from its word, its address and the next word.
type WordFlow = fn(u32, u64, u32) -> CodeFlow;

/// The machine code of a program.
#[derive(Debug)]
pub struct Code<'a> {
    chunks: Vec<Chunk<'a>>,
    machine: Option<CodeMachine>,
    /// Bits of a recorded address that are no part of it.
    set_bits: u64,
    /// Start and end of the code, and the address of mcount.
    pub bounds: CodeBounds,
}

/// The code of a function.
pub struct FunctionCode {
    /// Start of the padding after it, which never runs; its end without padding, or if it is
    /// unknown.
    pub padding: Address,
    /// The addresses of its instructions, in order; `None` if it is too long, contains data, or
    /// the machine is unknown.
    pub starts: Option<Box<[u64]>>,
}

impl<'a> Code<'a> {
    /// The code of an executable.
    ///
    /// # Errors
    /// If it is damaged.
    pub fn new(executable: &'a Executable) -> Result<Self, ExecutableError> {
        Self::with_bounds(executable, CodeBounds::of)
    }

    fn with_bounds(
        executable: &'a Executable,
        bounds: impl Fn(&object::File<'_>) -> CodeBounds,
    ) -> Result<Self, ExecutableError> {
        let of_image = |image: &'a Executable| {
            let object = image.parse()?;
            Ok(Self {
                chunks: chunks(&object, |section| is_code(section)),
                machine: machine_of(&object),
                set_bits: bounds::set_bits(&object),
                bounds: bounds(&object),
            })
        };
        let (first, others) = executable.images().split_first().expect("there is one image");
        let mut code = of_image(first)?;
        for image in others {
            let other = of_image(image)?;
            code.chunks.extend(other.chunks);
            code.bounds.add(other.bounds);
        }
        code.chunks.sort_by_key(|chunk| chunk.start);
        Ok(code)
    }

    /// The code for decoding functions, without searching all symbols for mcount and the ends
    /// of the code.
    ///
    /// # Errors
    /// If it is damaged.
    pub fn to_decode(executable: &'a Executable) -> Result<Self, ExecutableError> {
        Self::with_bounds(executable, |object| match machine_of(object) {
            Some(CodeMachine::Arm) => CodeBounds::of(object),
            _ => CodeBounds::default(),
        })
    }

    /// Returns whether calls of this machine are recognised.
    pub fn reads_calls(&self) -> bool {
        self.machine.is_some()
    }

    /// The profile, without the bits of instruction sets that some profilers record in
    /// addresses of calls.
    pub fn without_set_bits<'p>(&self, profile: &'p Profile) -> Cow<'p, Profile> {
        let bits = self.set_bits;
        let has_any = |arc: &CallArc| {
            let ends = [arc.call_site, arc.callee];
            ends.iter().any(|end| end.0 & bits != 0 && *end != CallArc::OUTSIDE)
        };
        if !profile.arcs().iter().any(has_any) {
            return Cow::Borrowed(profile);
        }
        let mut profile = profile.clone();
        profile.map_arcs(|arc| {
            let without = |end: Address| match end {
                CallArc::OUTSIDE => end,
                end => Address(end.0 & !bits),
            };
            CallArc { call_site: without(arc.call_site), callee: without(arc.callee), ..arc }
        });
        Cow::Owned(profile)
    }

    /// Takes the address of mcount from the functions of a debug file or of a table, if the
    /// executable does not name it.
    pub fn find_mcount(&mut self, functions: &SymbolTable) {
        if self.bounds.mcount_name.is_some() {
            return;
        }
        for symbol in functions.symbols() {
            if let Some(name) = mcount_name(&symbol.name) {
                self.bounds.mcount_starts.insert(symbol.range.start);
                let name = String::from_utf8_lossy(name).into_owned();
                self.bounds.mcount_name.get_or_insert(name);
            }
        }
    }

    /// How much less than a return address some profilers record: a call, on machines where
    /// all of these have one size, or are taken to. Source: `adjust_pc` in `mcount_a64.S` and
    /// `mcount_adj_pc` in `mcount_a32.S` of OP-TEE.
    pub fn call_size(&self) -> Option<u64> {
        matches!(self.machine, Some(CodeMachine::Arm | CodeMachine::AArch64)).then_some(4)
    }

    /// Returns whether an address is in available code.
    pub fn contains(&self, address: Address) -> bool {
        self.at(address).is_some()
    }

    pub(super) fn chunks(&self) -> &[Chunk<'a>] {
        &self.chunks
    }

    /// The target of the call before a return address; `None` if there is no call.
    pub fn call_returning_to(&self, address: Address) -> Option<CallTarget> {
        let (chunk, offset) = self.at(address)?;
        self.call_before(chunk, offset)
    }

    /// The same for an offset in a chunk.
    pub(super) fn call_before(&self, chunk: &Chunk<'_>, offset: usize) -> Option<CallTarget> {
        let address = chunk.at(offset);
        let before = chunk.bytes.get(..offset)?;
        let is_code = |target| self.contains(target);
        let machine = self.machine?;
        let word = |n_back: usize| {
            let (endian, flow) = machine.words()?;
            let offset = offset.checked_sub(n_back)?;
            flow(chunk.word(offset, endian)?, chunk.at(offset).0, 0).called()
        };
        match machine {
            CodeMachine::X86 { bits } => x86::call_before(before, address, bits, is_code),
            CodeMachine::AArch64 | CodeMachine::PowerPc(_) => word(4),
            CodeMachine::Arm => halves::arm_call_before(chunk, offset, is_code),
            CodeMachine::RiscV { has_short_call } => {
                let flow = |code: &Chunk<'_>, at| halves::riscv(code, at, has_short_call);
                halves::call_before(chunk, offset, flow)
            }
            CodeMachine::Mips(endian) => words::mips_call_before(chunk, offset, endian),
            CodeMachine::MicroMips(endian) => {
                let short = micromips::call_before(chunk, offset, endian, is_code);
                short.or_else(|| words::mips_call_before(chunk, offset, endian))
            }
            // The register has the address of the call. The profiler records this address, or the
            // address after the delay slot.
            CodeMachine::Sparc => word(0).or_else(|| word(8)),
            CodeMachine::S390x => words::s390x_call_before(before, address),
            CodeMachine::Alpha => None,
        }
    }

    /// Minimum distance of return addresses in bytes.
    pub fn return_step(&self) -> u64 {
        match self.machine {
            Some(CodeMachine::X86 { .. }) | None => 1,
            Some(
                CodeMachine::Arm
                | CodeMachine::RiscV { .. }
                | CodeMachine::MicroMips(_)
                | CodeMachine::S390x,
            ) => 2,
            Some(_) => 4,
        }
    }

    /// Returns whether a call to `target` reaches mcount, possibly through a linker stub.
    pub fn is_mcount(&self, target: CallTarget) -> bool {
        let CallTarget::At(address) = target else {
            return self.is_mcount_slot(target);
        };
        let slot = || self.stub_slot(address);
        self.bounds.mcount_starts.contains(&address)
            || slot().is_some_and(|slot| self.is_mcount_slot(slot))
    }

    fn is_mcount_slot(&self, slot: CallTarget) -> bool {
        match slot {
            CallTarget::Slot(slot) => self.bounds.mcount_slots.contains(&slot),
            CallTarget::Relative(distance)
                if self.machine == Some(CodeMachine::X86 { bits: 32 }) =>
            {
                self.bounds.is_mcount_slot_at(distance)
            }
            _ => false,
        }
    }

    fn stub_slot(&self, address: Address) -> Option<CallTarget> {
        let stub = code_of(&self.chunks, &(address..Address(u64::MAX)))?;
        self.machine?.stub_slot(&stub)
    }

    /// For each function, whether it calls mcount. `None` if calls of the machine are not
    /// recognised, or only in stubs that are not.
    pub fn instrumented_functions(&self, table: &SymbolTable) -> Option<Box<[bool]>> {
        let symbols = table.symbols().iter();
        if self.decodes_functions() {
            return Some(symbols.map(|s| self.counts_calls(&s.range)).collect());
        }
        let is_mcount = |target| self.is_mcount(target);
        let found: Box<[bool]> =
            symbols.map(|s| self.returns_near_start(&s.range, is_mcount)).collect();
        found.contains(&true).then_some(found)
    }

    /// Returns whether some call near the start of a function has a target.
    pub fn returns_near_start(
        &self,
        function: &Range<Address>,
        is_target: impl Fn(CallTarget) -> bool,
    ) -> bool {
        let Range { start, end } = *function;
        let prologue = start.0.saturating_add(1)..=end.0.min(start.0.saturating_add(PROLOGUE_SIZE));
        let step = self.return_step();
        let first = self.at(start);
        // Places are searched for in the code once, not each.
        let near = |place: u64| {
            let (chunk, offset) = first?;
            let offset = offset + usize::try_from(place - start.0).ok()?;
            (offset < chunk.bytes.len()).then_some((chunk, offset))
        };
        let mut places = prologue.filter(|place| place.is_multiple_of(step));
        places.any(|place| {
            let code = near(place).or_else(|| self.at(Address(place)));
            let target = code.and_then(|(chunk, offset)| self.call_before(chunk, offset));
            target.is_some_and(&is_target)
        })
    }

    /// Returns whether a function is known to call mcount when it starts.
    pub fn counts_calls(&self, body: &Range<Address>) -> bool {
        let end = Address(body.start.0.saturating_add(PROLOGUE_SIZE));
        let mut flows = self.flows(&(body.start..body.end.min(end)));
        flows.any(|flow| flow.called().is_some_and(|target| self.is_mcount(target)))
    }

    /// Returns whether functions can be decoded completely.
    pub(super) fn decodes_functions(&self) -> bool {
        matches!(self.machine, Some(CodeMachine::X86 { .. } | CodeMachine::AArch64))
    }

    /// Targets of calls in a range, and of jumps out of it: a jump to the start of a function
    /// is a tail call.
    pub(super) fn targets(&self, body: &Range<Address>) -> impl Iterator<Item = Address> {
        let code = code_of(&self.chunks, body);
        let body = code.map_or(0..0, |code| code.range());
        let flows = self.flows(&(Address(body.start)..Address(body.end)));
        flows.filter_map(move |flow| match flow {
            CodeFlow::Call(CallTarget::At(target)) => Some(target),
            CodeFlow::Jump(target) if !body.contains(&target) => Some(Address(target)),
            _ => None,
        })
    }

    /// The targets of the jumps that leave a function, if it is not too long to decode.
    pub(super) fn jumps_out_of(&self, body: &Range<Address>) -> impl Iterator<Item = Address> {
        let body = self.body(body).map_or(0..0, |code| code.range());
        let flows = self.flows(&(Address(body.start)..Address(body.end)));
        flows.filter_map(move |flow| match flow {
            CodeFlow::Jump(target) if !body.contains(&target) => Some(Address(target)),
            _ => None,
        })
    }

    /// Whether an address is in a stub made by the linker.
    pub(super) fn is_stub(&self, address: Address) -> bool {
        self.stub_slot(address).is_some()
    }

    /// The control flow of the instructions in a range.
    fn flows(&self, body: &Range<Address>) -> Box<dyn Iterator<Item = CodeFlow> + 'a> {
        let Some(code) = code_of(&self.chunks, body) else {
            return Box::new(std::iter::empty());
        };
        let unknown = || Box::new(std::iter::once(CodeFlow::Away));
        let Some(machine) = self.machine else {
            return unknown();
        };
        match (machine, machine.words()) {
            (CodeMachine::X86 { bits }, _) => {
                Box::new(x86::instructions(&code, bits).map(|instruction| instruction.flow()))
            }
            (CodeMachine::Arm, _) if self.bounds.thumb.contains(&body.start) => {
                halves::flows(code, halves::thumb)
            }
            (_, Some((endian, flow))) => words::flows(code, endian, flow),
            (CodeMachine::RiscV { has_short_call }, _) => {
                halves::flows(code, move |code, at| halves::riscv(code, at, has_short_call))
            }
            _ => unknown(),
        }
    }

    /// Returns whether the code of a range may continue elsewhere without a call: by a jump,
    /// an indirect jump, or at its end. True if unknown.
    pub fn may_jump_away(&self, body: &Range<Address>) -> bool {
        let Some(code) = self.body(body) else {
            return true;
        };
        if let Some(CodeMachine::X86 { bits }) = self.machine {
            return x86::may_jump_away(&code, bits);
        }
        self.flows(body).any(|flow| flow.leaves(&code.range()))
    }

    /// The code of a range, if it is not too long.
    fn body(&self, body: &Range<Address>) -> Option<Chunk<'a>> {
        let is_long = body.end.0.saturating_sub(body.start.0) > MAX_BODY;
        code_of(&self.chunks, body).filter(|_| !is_long)
    }

    fn at(&self, address: Address) -> Option<(&Chunk<'a>, usize)> {
        let n_before = self.chunks.partition_point(|chunk| chunk.start <= address);
        let chunk = &self.chunks[n_before.checked_sub(1)?];
        let offset = usize::try_from(address.0 - chunk.start.0).ok()?;
        (offset < chunk.bytes.len()).then_some((chunk, offset))
    }
}

/// The machine of an object, if its calls are recognised: those of MIPS16e are not.
fn machine_of(object: &object::File<'_>) -> Option<CodeMachine> {
    let machine = CodeMachine::of(object)?;
    let is_mips = matches!(machine, CodeMachine::Mips(_) | CodeMachine::MicroMips(_));
    let has_others = is_mips && has_flag(object, EF_MIPS_ARCH_ASE_M16);
    (machine != CodeMachine::Alpha && !has_others).then_some(machine)
}

/// The address at a signed distance.
fn away(address: Address, distance: i64) -> Address {
    Address(address.0.wrapping_add_signed(distance))
}

#[cfg(test)]
impl<'a> Code<'a> {
    /// A single chunk of code.
    pub(super) fn of_bytes(
        machine: impl Into<Option<CodeMachine>>,
        start: Address,
        bytes: &'a [u8],
    ) -> Self {
        Self {
            chunks: vec![Chunk { start, bytes }],
            machine: machine.into(),
            set_bits: 0,
            bounds: CodeBounds::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::symbols::{SymbolOptions, read_program};

    /// The functions of a fixture that call mcount.
    fn check(path: &str, expected: &[&str]) {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(path);
        let executable = Executable::open(&path).expect("the fixture can be read");
        let program = read_program(&executable, &SymbolOptions::default());
        let program = program.expect("the fixture can be read");
        let code = Code::new(&executable).expect("it is not damaged");
        let instrumented = code.instrumented_functions(&program.table);
        let instrumented = instrumented.expect("calls of this machine can be read");
        let symbols = program.table.symbols().iter().zip(&instrumented);
        let mut names: Vec<_> = symbols
            .filter(|(_, is_instrumented)| **is_instrumented)
            .map(|(symbol, _)| String::from_utf8_lossy(&symbol.name).into_owned())
            .collect();
        names.sort();
        assert_eq!(names, expected, "{}", path.display());
    }

    #[test]
    fn functions_with_the_hook_are_those_that_a_disassembler_shows_with_it() {
        check("oddities/work", &["filler", "inner", "main", "middle", "outer"]);
        check("oddities/plain", &[]);
        let all = ["countdown", "heavy", "light", "main", "mix", "never_called", "spin"];
        check("gprof/basic-pie/prog", &all);
        check("gprof-cross/i386/prog", &all);
        check("gprof-cross/aarch64/prog", &all);
    }

    fn check_targets(machine: CodeMachine, bytes: &[u8]) {
        let code = Code::of_bytes(machine, Address(0x2000), bytes);
        let targets: Vec<_> = code.targets(&(Address(0x2000)..Address(0x3000))).collect();
        assert_eq!(targets, [0x3000, 0x1000, 0x4000].map(Address));
    }

    #[test]
    fn calls_lead_forward_and_backward_and_jumps_out_of_the_function() {
        let bytes = [
            0xe8, 0xfb, 0x0f, 0x00, 0x00, // call 0x3000
            0xe8, 0xf6, 0xef, 0xff, 0xff, // call 0x1000
            0xb8, 0xe8, 0x00, 0x00, 0x00, // mov eax, 0xe8
            0xeb, 0xfe, // jmp 0x200f
            0xe9, 0xea, 0x1f, 0x00, 0x00, // jmp 0x4000
        ];
        check_targets(CodeMachine::X86 { bits: 64 }, &bytes);
        check_targets(CodeMachine::X86 { bits: 32 }, &bytes);
        let words: [u32; 4] = [
            0x9400_0400, // bl +0x1000
            0x97ff_fbff, // bl -0x1004
            0x1400_0000, // b .
            0x1400_07fd, // b +0x1ff4
        ];
        check_targets(CodeMachine::AArch64, &words.map(u32::to_le_bytes).concat());
    }
}
