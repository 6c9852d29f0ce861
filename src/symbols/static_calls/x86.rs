//! Calls of x86 and x86-64, by a decoder.

use iced_x86::{Decoder, DecoderOptions, Mnemonic, OpKind};

use super::Piece;

/// Where calls and jumps lead, other than jumps inside the piece. A jump to the
/// start of a function is a call in its caller's place.
pub(super) fn targets(code: &Piece<'_>, bits: u32) -> Vec<u64> {
    let options = DecoderOptions::NONE;
    let start = code.start.0;
    let end = start.wrapping_add(code.bytes.len() as u64);
    let decoder = Decoder::with_ip(bits, code.bytes, start, options);
    let mut targets = Vec::new();
    for instruction in decoder {
        let target = instruction.near_branch_target();
        let is_near = matches!(
            instruction.op0_kind(),
            OpKind::NearBranch16 | OpKind::NearBranch32 | OpKind::NearBranch64
        );
        let is_call = instruction.mnemonic() == Mnemonic::Call;
        if is_near && (is_call || !(start..end).contains(&target)) {
            targets.push(target);
        }
    }
    targets
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Address;

    #[test]
    fn calls_lead_forward_and_backward_and_jumps_out_of_the_piece() {
        let bytes = [
            0xe8, 0xfb, 0x0f, 0x00, 0x00, // call 0x3000
            0xe8, 0xf6, 0xef, 0xff, 0xff, // call 0x1000
            0xb8, 0xe8, 0x00, 0x00, 0x00, // mov eax, 0xe8
            0xeb, 0xfe, // jmp 0x200f
            0xe9, 0xea, 0x1f, 0x00, 0x00, // jmp 0x4000
        ];
        let code = Piece {
            start: Address(0x2000),
            bytes: &bytes,
        };
        assert_eq!(targets(&code, 64), [0x3000, 0x1000, 0x4000]);
        assert_eq!(targets(&code, 32), [0x3000, 0x1000, 0x4000]);
    }
}
