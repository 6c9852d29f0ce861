//! Reads the profile in a hex dump.

use crate::sorting::ColdSort;

use super::super::error::{LoadError, ReadError};
use super::super::input::Input;
use super::super::{Damage, Hints, Loaded, load, load_within};
use super::{Assembled, GroupOrder, Hexdump, HexdumpFault};

/// Name of the format in messages.
const FORMAT: &str = "hexdump";

/// Reads one profile from a text with a hex dump, or from a binary dump of memory.
///
/// Reads up to missing or invalid lines, which are returned with the profile.
///
/// # Errors
/// If the text has no bytes, is inconsistent, or contains no profile.
pub fn load_hexdump(input: &Input, hints: &Hints) -> Result<Loaded, LoadError> {
    if input.bytes().is_empty() {
        let path = input.path().to_owned();
        return Err(LoadError::Empty { path });
    }
    load_text(input, hints).or_else(|error| load_within(input, hints).ok_or(error))
}

fn load_text(input: &Input, hints: &Hints) -> Result<Loaded, LoadError> {
    let Some(dump) = Hexdump::find(input.bytes()) else {
        return Err(refused(input, ReadError::at_line(1, HexdumpFault::Nothing)));
    };
    let orders = dump.orders().into_iter();
    let mut readings: Vec<_> = orders.map(|order| load_as(order, &dump, input, hints)).collect();
    // Words the wrong way round may make a profile of another machine.
    let fits = |loaded: &Loaded| hints.encoding.is_none() || loaded.encoding == hints.encoding;
    let rank = |reading: &Result<Loaded, LoadError>| match reading {
        Ok(loaded) if fits(loaded) => 0,
        Ok(_) => 1,
        Err(_) => 2,
    };
    readings.cold_sort_by_key(rank);
    readings.swap_remove(0)
}

fn load_as(
    order: GroupOrder,
    dump: &Hexdump,
    input: &Input,
    hints: &Hints,
) -> Result<Loaded, LoadError> {
    let Assembled { bytes, fault } = dump.assemble(order);
    let loaded = load(&input.with_bytes(bytes), hints);
    let Some((line, fault)) = fault else {
        return loaded;
    };
    let is_contradiction = matches!(fault, HexdumpFault::Contradiction { .. });
    let error = ReadError::at_line(line, fault);
    match loaded {
        Ok(mut loaded) if !is_contradiction => {
            loaded.format = FORMAT;
            loaded.damage = Some(Damage { error, n_lost: 0 });
            Ok(loaded)
        }
        _ => Err(refused(input, error)),
    }
}

fn refused(input: &Input, source: ReadError) -> LoadError {
    LoadError::Malformed { path: input.path().to_owned(), format: FORMAT, source }
}
