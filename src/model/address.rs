//! Code addresses, and the word size and byte order of the profiled machine.

use std::fmt;

use byteorder::{BigEndian, ByteOrder, LittleEndian};

/// A code address in the link-time address space of the profiled program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Address(pub u64);

impl Address {
    /// The address minus one. Panics in debug builds at address 0.
    pub fn before(self) -> Self {
        Self(self.0.saturating_sub(1))
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#x}", self.0)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Endian {
    Little,
    Big,
}

impl Endian {
    /// Reads an unsigned number of one to eight bytes.
    ///
    /// # Panics
    /// If `bytes` is empty or longer than eight bytes.
    pub fn read_uint(self, bytes: &[u8]) -> u64 {
        match self {
            Self::Little => LittleEndian::read_uint(bytes, bytes.len()),
            Self::Big => BigEndian::read_uint(bytes, bytes.len()),
        }
    }

    /// Writes `value` to one to eight bytes.
    ///
    /// # Panics
    /// If `bytes` is empty, longer than eight bytes, or too short for `value`.
    pub fn write_uint(self, bytes: &mut [u8], value: u64) {
        let size = bytes.len();
        match self {
            Self::Little => LittleEndian::write_uint(bytes, value, size),
            Self::Big => BigEndian::write_uint(bytes, value, size),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum AddressSize {
    Four = 4,
    Eight = 8,
}

impl AddressSize {
    pub fn bytes(self) -> usize {
        self as usize
    }
}

/// Word size and byte order of the profiled machine. A gmon.out does not record them: they
/// come from the executable, or from trying each of [`Encoding::ALL`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Encoding {
    pub endian: Endian,
    /// Size of an address and of a C `long`, in bytes.
    pub address_size: AddressSize,
}

impl Encoding {
    /// Every encoding, the most common first.
    pub const ALL: [Self; 4] = [
        Self::new(Endian::Little, AddressSize::Eight),
        Self::new(Endian::Little, AddressSize::Four),
        Self::new(Endian::Big, AddressSize::Four),
        Self::new(Endian::Big, AddressSize::Eight),
    ];

    pub const fn new(endian: Endian, address_size: AddressSize) -> Self {
        Self { endian, address_size }
    }

    /// The word at the start of `bytes`. A hot path: with a constant size it is one load,
    /// otherwise ten times slower.
    ///
    /// # Panics
    /// If `bytes` is shorter than a word.
    #[inline]
    pub fn read_word(self, bytes: &[u8]) -> u64 {
        match (self.address_size, self.endian) {
            (AddressSize::Four, Endian::Little) => LittleEndian::read_u32(bytes).into(),
            (AddressSize::Four, Endian::Big) => BigEndian::read_u32(bytes).into(),
            (AddressSize::Eight, Endian::Little) => LittleEndian::read_u64(bytes),
            (AddressSize::Eight, Endian::Big) => BigEndian::read_u64(bytes),
        }
    }
}

impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bits = self.address_size.bytes() * 8;
        let order = match self.endian {
            Endian::Little => "little",
            Endian::Big => "big",
        };
        write!(f, "{bits}-bit {order}-endian")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(bytes: &[u8], little: u64, big: u64) {
        for (endian, expected) in [(Endian::Little, little), (Endian::Big, big)] {
            assert_eq!(endian.read_uint(bytes), expected, "for {bytes:?}");
            let mut written = vec![0xff; bytes.len()];
            endian.write_uint(&mut written, expected);
            assert_eq!(written, bytes);
        }
    }

    #[test]
    fn numbers_of_any_width_are_read_and_written_in_either_order() {
        check(&[7], 7, 7);
        check(&[1, 2], 0x201, 0x102);
        check(&[1, 2, 3], 0x0003_0201, 0x0001_0203);
        check(&[0, 0, 0, 0x80], 0x8000_0000, 0x80);
        check(&[0xff; 8], u64::MAX, u64::MAX);
    }

    #[test]
    fn a_word_is_as_wide_as_the_encoding_says() {
        let bytes = [1, 2, 3, 4, 5, 6, 7, 8, 9];
        let words = Encoding::ALL.map(|encoding| encoding.read_word(&bytes));
        let expected = [0x0807_0605_0403_0201, 0x0403_0201, 0x0102_0304, 0x0102_0304_0506_0708];
        assert_eq!(words, expected);
    }
}
