//! Properties of every readable file, whatever its contents.

use std::path::Path;

use profan::load::{Hints, Input, LoadError, Loaded, Sum, load};
use profan::model::Profile;

/// Bytes under a name that no file has; `None` if they cannot be decompressed.
pub(super) fn input(bytes: &[u8]) -> Option<Input> {
    Input::from_bytes(Path::new("fuzz"), bytes.to_vec()).ok()
}

/// Reads bytes twice, which must give the same, and adds both up, which must give twice as much.
/// Skips profiles that cannot be added up.
pub(super) fn reading(bytes: &[u8], hints: &Hints) {
    if let Some(input) = input(bytes) {
        reading_by(bytes.len(), hints, || load(&input, hints));
    }
}

/// The same with another reading function. `size` is the size of the file.
pub(super) fn reading_by(size: usize, hints: &Hints, read: impl Fn() -> Result<Loaded, LoadError>) {
    let (first, second) = match (read(), read()) {
        (Ok(first), Ok(second)) => (first, second),
        (Err(first), Err(second)) => {
            assert_eq!(first.to_string(), second.to_string());
            return;
        }
        _ => panic!("the same bytes are read once and refused once"),
    };
    assert_eq!(first.layout, second.layout);
    assert_eq!(first.damage, second.damage);
    if let Some(damage) = &first.damage {
        drop(damage.error.to_string());
        // Compressed data is longer than its file.
        assert!(damage.n_lost <= (size as u64).max(1 << 30));
    }
    let one = Counts::of(&first.profile);
    assert_eq!(one, Counts::of(&second.profile));
    let mut sum = Sum::new(hints.policy);
    if sum.add(first).and_then(|()| sum.add(second)).is_ok() {
        let two = Counts::of(&sum.into_profile());
        assert_eq!(one.doubled(), two.limited(&one));
    }
}

/// The values that add up.
#[derive(Debug, PartialEq, Eq)]
struct Counts {
    /// `None` on overflow.
    n_ticks: Option<u64>,
    n_calls: u64,
    n_blocks: usize,
}

impl Counts {
    fn of(profile: &Profile) -> Self {
        let n_ticks = profile.n_ticks();
        let counts = profile.arcs().iter().map(|arc| arc.count);
        Self {
            n_ticks: (n_ticks < u64::MAX).then_some(n_ticks),
            n_calls: counts.fold(0, u64::wrapping_add),
            n_blocks: profile.blocks().len(),
        }
    }

    fn doubled(&self) -> Self {
        Self {
            n_ticks: self.n_ticks.and_then(|n_ticks| n_ticks.checked_mul(2)),
            n_calls: self.n_calls.wrapping_mul(2),
            n_blocks: 2 * self.n_blocks,
        }
    }

    /// The same without ticks where twice `one` is too much for a number.
    fn limited(self, one: &Self) -> Self {
        let n_ticks = self.n_ticks.filter(|_| one.doubled().n_ticks.is_some());
        Self { n_ticks, ..self }
    }
}
