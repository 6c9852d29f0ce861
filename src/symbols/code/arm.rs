//! Calls of 32-bit ARM in both of its instruction sets, seen from where they return to.
//! Which set it is does not matter: what leads into the code is a call. Source: the
//! architecture's manual.

use super::{Address, Target, away};

pub(super) fn call_before(
    before: &[u8],
    address: Address,
    is_code: impl Fn(Address) -> bool,
) -> Option<Target> {
    let targets = [thumb(before, address), arm(before, address)];
    let mut targets = targets.into_iter().flatten();
    targets.find(|target| match *target {
        Target::At(target) => is_code(target),
        _ => true,
    })
}

fn thumb(before: &[u8], address: Address) -> Option<Target> {
    let half = |bytes: &[u8]| u32::from(u16::from_le_bytes([bytes[0], bytes[1]]));
    if let Some(bytes) = before.last_chunk::<4>() {
        let (first, second) = (half(&bytes[..2]), half(&bytes[2..]));
        if first & 0xf800 == 0xf000 && second & 0xc000 == 0xc000 {
            let target = away(address, thumb_distance(first, second));
            let switches = second & 0x1000 == 0;
            let aligned = Address(target.0 & !3);
            return Some(Target::At(if switches { aligned } else { target }));
        }
    }
    let last = half(before.last_chunk::<2>()?);
    (last & 0xff87 == 0x4780).then_some(Target::Register)
}

/// 25 bits in five pieces, of which two are stored mixed with the sign.
pub(super) fn thumb_distance(first: u32, second: u32) -> i64 {
    let sign = first >> 10 & 1;
    let bit_23 = !(second >> 13 ^ sign) & 1;
    let bit_22 = !(second >> 11 ^ sign) & 1;
    let bits =
        sign << 24 | bit_23 << 23 | bit_22 << 22 | (first & 0x3ff) << 12 | (second & 0x7ff) << 1;
    i64::from((bits << 7).cast_signed() >> 7)
}

fn arm(before: &[u8], address: Address) -> Option<Target> {
    if !address.0.is_multiple_of(4) {
        return None;
    }
    let word = u32::from_le_bytes(*before.last_chunk()?);
    // The program counter is two instructions ahead, of which one is behind the call.
    let distance = i64::from((word << 8).cast_signed() >> 6) + 4;
    if word & 0xfe00_0000 == 0xfa00_0000 {
        let half = i64::from(word >> 24 & 1) * 2;
        return Some(Target::At(away(address, distance + half)));
    }
    if word & 0x0f00_0000 == 0x0b00_0000 {
        return Some(Target::At(away(address, distance)));
    }
    // blx; and what there was before it: mov lr, pc and any load of the program counter
    let is_old = || {
        let before = before.get(..before.len() - 4);
        before.and_then(<[u8]>::last_chunk).copied() == Some(0xe1a0_e00f_u32.to_le_bytes())
    };
    let is_register = word & 0x0fff_fff0 == 0x012f_ff30 || is_old();
    is_register.then_some(Target::Register)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(bytes: &[u8], address: u64, target: u64) {
        let found = call_before(bytes, Address(address), |_| true);
        assert_eq!(found, Some(Target::At(Address(target))), "{bytes:02x?}");
    }

    /// As objdump shows them.
    #[test]
    fn calls_of_both_sets_are_read() {
        check(&back_to_front([0xf7ff, 0xffdc]), 0x6bc, 0x674); // 6b8: bl 674
        check(&back_to_front([0xf7ff, 0xef2c]), 0x6b6, 0x50c); // 6b2: blx 50c
        check(&0xebff_fffe_u32.to_le_bytes(), 0x1004, 0x1000); // 1000: bl 1000
    }

    fn back_to_front(halves: [u16; 2]) -> Vec<u8> {
        halves.iter().flat_map(|half| half.to_le_bytes()).collect()
    }
}
