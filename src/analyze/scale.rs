//! Converts ticks to units.

use crate::model::Clock;

#[derive(Clone, Debug, PartialEq)]
pub struct Scale {
    pub rate: f64,
    /// Usually `seconds`.
    pub dimension: Box<[u8]>,
    /// One letter; 0 for none.
    pub abbreviation: u8,
}

impl Scale {
    /// The scale of a clock. Without a clock or its rate, the unit is ticks.
    pub fn new(clock: Option<&Clock>) -> Self {
        let named = |rate, dimension: &[u8], abbreviation| Self {
            rate,
            dimension: dimension.into(),
            abbreviation,
        };
        match clock.map(|clock| (clock, clock.rate)) {
            Some((clock, Some(rate))) => {
                named(f64::from(rate.get()), &clock.dimension, clock.abbreviation)
            }
            Some((_, None)) => named(1.0, b"ticks", b't'),
            None => named(1.0, b"seconds", b's'),
        }
    }

    pub fn units_per_tick(&self) -> f64 {
        1.0 / self.rate
    }
}

/// A prefix of a unit: `m` in `ms`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UnitPrefix {
    /// A letter; a blank for the plain unit.
    pub letter: u8,
    /// Number of prefixed units in a plain one.
    pub factor: f64,
}

impl UnitPrefix {
    pub const MILLI: Self = Self { letter: b'm', factor: 1e3 };

    pub const NONE: Self = Self { letter: b' ', factor: 1.0 };

    /// 10^12, the largest.
    pub const TERA: Self = Self { letter: b'T', factor: 1e-12 };

    /// From large to small.
    const ALL: [Self; 11] = {
        const fn prefix(letter: u8, factor: f64) -> UnitPrefix {
            UnitPrefix { letter, factor }
        }
        [
            Self::TERA,
            prefix(b'G', 1e-9),
            prefix(b'M', 1e-6),
            prefix(b'K', 1e-3),
            Self::NONE,
            Self::MILLI,
            prefix(b'u', 1e6),
            prefix(b'n', 1e9),
            prefix(b'p', 1e12),
            prefix(b'f', 1e15),
            prefix(b'a', 1e18),
        ]
    };

    /// The unit of costs per call: `ms/call`. Without an abbreviation, only the prefix.
    pub fn per_call(&self, scale: &Scale) -> Box<[u8]> {
        match scale.abbreviation {
            0 => Box::new([self.letter]),
            abbreviation => [&[self.letter, abbreviation], b"/call".as_slice()].concat().into(),
        }
    }

    /// The prefix that brings the largest value into [1, 1000).
    pub fn for_greatest(value: f64, unfit: &UnfitPrefixes) -> Self {
        let fits = |prefix: &Self| (1.0..1000.0).contains(&(prefix.factor * value));
        let found = Self::ALL.into_iter().find(fits);
        found.unwrap_or(if value > 0.0 { unfit.beyond } else { unfit.idle })
    }
}

/// Prefixes for values outside of the range of all prefixes.
#[derive(Clone, Copy, Debug)]
pub struct UnfitPrefixes {
    /// For zero.
    pub idle: UnitPrefix,
    /// For other values.
    pub beyond: UnitPrefix,
}
