//! The target that needs the originals.

use arbitrary::Unstructured;

use super::made::program::Case;
use super::original::{Outcome, compare};

/// A program that is made, its profiles and options: the installed gprof and `profan gprof`
/// print the same.
///
/// # Panics
/// When they do not.
pub fn differential(data: &[u8]) {
    let Ok((case, machine)) = Case::any(&mut Unstructured::new(data), false) else {
        return;
    };
    let outcome = compare(&case, machine);
    let is_different = matches!(outcome, Outcome::Different { .. } | Outcome::Panic);
    assert!(
        !is_different,
        "{} with {:?} differs",
        machine.gprof, case.options
    );
}
