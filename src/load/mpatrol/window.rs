//! A stretch of a trace that is in memory, in which an event is read without asking
//! for each byte whether it is there. This is a hot path.

/// Bytes of a window. An event without names takes less: a letter, five numbers of up to
/// [`NUMBER`] bytes, and two references to names.
pub(super) const WINDOW: usize = 48;

/// The most bytes of a number that is read here. Longer ones are of 57 bits or more.
const NUMBER: usize = 8;

/// Bytes of a window from the place on that was reached.
#[derive(Clone, Debug)]
pub(super) struct Window<'a> {
    bytes: &'a [u8; WINDOW],
    next: usize,
}

impl<'a> Window<'a> {
    pub(super) fn new(bytes: &'a [u8; WINDOW]) -> Self {
        Self { bytes, next: 0 }
    }

    #[inline(always)]
    pub(super) fn n_read(&self) -> usize {
        self.next
    }

    /// The next byte; `None` at the end.
    #[inline(always)]
    pub(super) fn byte(&mut self) -> Option<u8> {
        let byte = *self.bytes.get(self.next)?;
        self.next += 1;
        Some(byte)
    }

    /// The next number; `None` where it is longer than a window has room for.
    #[inline(always)]
    pub(super) fn number(&mut self) -> Option<u64> {
        let bytes = self.bytes.get(self.next..)?.first_chunk::<NUMBER>()?;
        let word = u64::from_le_bytes(*bytes);
        // The first byte without bit 7 is the last.
        let ends = !word & 0x8080_8080_8080_8080;
        if ends == 0 {
            return None;
        }
        let n_bits = ends.trailing_zeros() + 1;
        self.next += n_bits as usize / 8;
        Some(joined(word & (u64::MAX >> (64 - n_bits))))
    }
}

/// The groups of seven bits that eight bytes hold, side by side. First every two become
/// one of 14 bits, then every two of these one of 28.
#[inline(always)]
fn joined(word: u64) -> u64 {
    let sevens = word & 0x7f7f_7f7f_7f7f_7f7f;
    let of_14 = (sevens & 0x007f_007f_007f_007f) | ((sevens & 0x7f00_7f00_7f00_7f00) >> 1);
    let of_28 = (of_14 & 0x0000_3fff_0000_3fff) | ((of_14 & 0x3fff_0000_3fff_0000) >> 2);
    (of_28 & 0x0fff_ffff) | ((of_28 & 0x0fff_ffff_0000_0000) >> 4)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The number as it is defined: seven bits after seven bits.
    fn spelled(number: u64, n_bytes: usize) -> [u8; WINDOW] {
        let mut bytes = [0xff; WINDOW];
        for (group, byte) in bytes[..n_bytes].iter_mut().enumerate() {
            let bits = (number >> (7 * group) & 0x7f).to_le_bytes()[0];
            *byte = bits | if group + 1 < n_bytes { 0x80 } else { 0 };
        }
        bytes
    }

    fn check(number: u64, n_bytes: usize) {
        let bytes = spelled(number, n_bytes);
        let mut window = Window::new(&bytes);
        assert_eq!(window.number(), Some(number), "{number:#x} in {n_bytes}");
        assert_eq!(window.n_read(), n_bytes, "{number:#x} in {n_bytes}");
    }

    #[test]
    fn numbers_of_every_length_are_joined_from_their_groups() {
        for n_bytes in 1..=NUMBER {
            let n_bits = 7 * n_bytes;
            let largest = u64::MAX >> (64 - n_bits);
            for bit in 0..n_bits {
                check(1 << bit, n_bytes);
                check(largest ^ (1 << bit), n_bytes);
            }
            for number in [0, largest, 0x0123_4567_89ab_cdef & largest] {
                check(number, n_bytes);
            }
        }
    }

    #[test]
    fn longer_numbers_and_the_end_are_left_to_others() {
        assert_eq!(Window::new(&[0xff; WINDOW]).number(), None);
        let zeros = [0; WINDOW];
        let mut window = Window::new(&zeros);
        while window.number().is_some() {}
        assert_eq!(window.n_read(), WINDOW - NUMBER + 1);
        while window.byte().is_some() {}
        assert_eq!(window.n_read(), WINDOW);
    }
}
