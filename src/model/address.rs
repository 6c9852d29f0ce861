//! Addresses of code, and how the program that was profiled stores them.

use std::fmt;

/// A code address in the link-time address space of the profiled program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Address(pub u64);

impl Address {
    /// The byte before this one.
    #[must_use]
    pub fn before(self) -> Self {
        Self(self.0.saturating_sub(1))
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#x}", self.0)
    }
}

/// The order of the bytes of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Endian {
    /// Least significant byte first.
    Little,
    /// Most significant byte first.
    Big,
}

/// The size of an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum AddressSize {
    /// Four bytes.
    Four,
    /// Eight bytes.
    Eight,
}

impl AddressSize {
    /// The size in bytes.
    #[must_use]
    pub fn bytes(self) -> usize {
        match self {
            Self::Four => 4,
            Self::Eight => 8,
        }
    }
}

/// How words and addresses are stored. A gmon.out does not say it: it is the
/// profiled machine's, taken from the executable or found by trying.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Encoding {
    /// Byte order.
    pub endian: Endian,
    /// Size of an address, and of a C `long`.
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

    /// An encoding of its two parts.
    #[must_use]
    pub const fn new(endian: Endian, address_size: AddressSize) -> Self {
        Self {
            endian,
            address_size,
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
