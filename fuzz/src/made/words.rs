//! Words of a machine, in a file that is being made.

use profan::model::{AddressSize, Encoding};

/// A file in the making.
#[derive(Debug)]
pub struct Words {
    /// How words are stored.
    pub encoding: Encoding,
    /// The bytes so far.
    pub bytes: Vec<u8>,
}

impl Words {
    /// An empty file.
    #[must_use]
    pub fn new(encoding: Encoding) -> Self {
        Self { encoding, bytes: Vec::new() }
    }

    /// Adds the lower `size` bytes of a number.
    pub fn number(&mut self, value: u64, size: usize) {
        let mut bytes = [0; 8];
        let lower = value & (u64::MAX >> (64 - 8 * size));
        self.encoding.endian.write_uint(&mut bytes[..size], lower);
        self.bytes.extend_from_slice(&bytes[..size]);
    }

    /// Adds a word as wide as an address.
    pub fn word(&mut self, value: u64) {
        self.number(value, self.encoding.address_size.bytes());
    }

    /// A number as a word holds it.
    #[must_use]
    pub fn fitted(&self, value: u64) -> u64 {
        match self.encoding.address_size {
            AddressSize::Four => value & 0xffff_ffff,
            AddressSize::Eight => value,
        }
    }

    /// Adds a number in groups of seven bits.
    pub fn leb128(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.bytes.push(value.to_le_bytes()[0] | 0x80);
            value >>= 7;
        }
        self.bytes.push(value.to_le_bytes()[0]);
    }
}
