//! Where a program was loaded, found out from addresses that it recorded.
//!
//! A position-independent program is linked at 0 and loaded anywhere. mpatrol records
//! the addresses as they were, and not where that was. But the program itself is
//! here: if the profile names a function, so does its symbol table; and a return
//! address lies behind a call. The distance is a multiple of the page size, so the
//! last bits of an address are the same as in the file, and only few calls of the
//! file can be the one before a recorded address. Each of these votes for a distance,
//! the true one gets a vote from every address of the program, and others few.

mod calls;
#[cfg(test)]
mod tests;

use std::collections::HashMap;

use foldhash::fast::RandomState;
use object::{Object, ObjectKind};

use super::executable::{Executable, ExecutableError, is_code};
use super::static_calls::pieces;
use super::table::SymbolTable;
use crate::model::Address;
use calls::Code;

/// Programs are loaded at multiples of this, at least.
const PAGE: u64 = 1 << 12;

/// How many votes are counted at most. Of more addresses every second, third and so
/// on votes.
const MAX_VOTES: usize = 1 << 20;

/// How many distances with the most votes are looked at closely.
const N_CANDIDATES: usize = 8;

/// What a profile recorded of where a program was.
#[derive(Clone, Copy, Debug)]
pub struct Recorded<'a> {
    /// Return addresses, in any order, of the program and of shared libraries.
    pub returns: &'a [Address],
    /// Functions and where they started.
    pub entries: &'a [(&'a [u8], Address)],
}

/// How far from where it was linked a program was loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slide {
    /// What was added to all addresses, wrapping.
    pub distance: u64,
    /// Why that is thought.
    pub evidence: Evidence,
}

/// What speaks for a distance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// The program can only run where it was linked.
    Fixed,
    /// Functions that have a name in the profile and in the program.
    Names {
        /// How many speak for it.
        n_for: usize,
        /// How many there are.
        n_all: usize,
    },
    /// Return addresses behind calls of the program.
    Calls {
        /// How many speak for it.
        n_for: usize,
        /// How many would be in the code of the program.
        n_all: usize,
    },
    /// Return addresses in the code of the program, whose calls cannot be read.
    Code {
        /// How many there are.
        n_for: usize,
    },
}

impl Evidence {
    /// Whether it can hardly be chance.
    #[must_use]
    pub fn is_strong(&self) -> bool {
        match *self {
            Self::Fixed => true,
            Self::Names { n_for, n_all } => 2 * n_for > n_all,
            Self::Calls { n_for, n_all } => n_for >= 3 && 4 * n_for >= 3 * n_all,
            Self::Code { .. } => false,
        }
    }
}

/// Finds out where a program was loaded. `None` when nothing tells, or not clearly.
///
/// # Errors
/// When the executable is damaged.
pub fn find_slide(
    recorded: &Recorded<'_>,
    executable: &Executable,
    table: &SymbolTable,
) -> Result<Option<Slide>, ExecutableError> {
    let object = executable.parse()?;
    if object.kind() == ObjectKind::Executable {
        return Ok(Some(Slide {
            distance: 0,
            evidence: Evidence::Fixed,
        }));
    }
    let symbols = table.symbols().iter();
    let symbols = symbols.map(|symbol| (&*symbol.name, symbol.range.start));
    let by_name = slide_of_names(recorded.entries, symbols);
    if by_name.is_some_and(|slide| slide.evidence.is_strong()) {
        return Ok(by_name);
    }
    let code = Code::new(
        pieces(&object, |section| is_code(section)),
        object.architecture(),
    );
    Ok(slide_of_code(recorded.returns, &code).or(by_name))
}

/// The distance that most of the functions named on both sides have.
fn slide_of_names<'a>(
    entries: &[(&[u8], Address)],
    symbols: impl Iterator<Item = (&'a [u8], Address)>,
) -> Option<Slide> {
    let mut recorded: HashMap<&[u8], Vec<Address>, RandomState> = HashMap::default();
    for &(name, address) in entries {
        recorded.entry(name).or_default().push(address);
    }
    let mut votes = Votes::default();
    let mut n_all = 0;
    for (name, linked) in symbols {
        // A name that is there more than once tells nothing.
        let Some([address]) = recorded.get(name).map(Vec::as_slice) else {
            continue;
        };
        let distance = address.0.wrapping_sub(linked.0);
        n_all += 1;
        if distance.is_multiple_of(PAGE) {
            votes.add(distance);
        }
    }
    let [(distance, n_for), next] = votes.most::<2>();
    (n_for > next.1).then_some(Slide {
        distance,
        evidence: Evidence::Names { n_for, n_all },
    })
}

/// The distance that puts the most return addresses behind calls of the program or,
/// where calls cannot be read, into its code.
fn slide_of_code(returns: &[Address], code: &Code<'_>) -> Option<Slide> {
    let mut returns = returns.to_vec();
    returns.sort_unstable();
    returns.dedup();
    let step = (returns.len() * code.votes_per_address() / MAX_VOTES).max(1);
    let mut votes = Votes::default();
    for address in returns.iter().step_by(step) {
        for page in code.pages_with(address.0 % PAGE) {
            votes.add((address.0 - address.0 % PAGE).wrapping_sub(page));
        }
    }
    let mut candidates = votes.most::<N_CANDIDATES>().map(|(distance, n_votes)| {
        let fit = (n_votes > 0).then(|| code.fit(&returns, distance));
        (fit.unwrap_or_default(), distance)
    });
    // The one that puts fewer addresses elsewhere into the code is better.
    candidates
        .sort_by_key(|&((n_for, n_all), distance)| (std::cmp::Reverse(n_for), n_all, distance));
    let [((n_for, n_all), distance), (next, _), ..] = candidates;
    (n_for > next.0).then_some(Slide {
        distance,
        evidence: if code.has_calls() {
            Evidence::Calls { n_for, n_all }
        } else {
            Evidence::Code { n_for }
        },
    })
}

/// How often each distance was named.
#[derive(Default)]
struct Votes(HashMap<u64, usize, RandomState>);

impl Votes {
    fn add(&mut self, distance: u64) {
        *self.0.entry(distance).or_default() += 1;
    }

    /// Those with the most votes, and no votes for 0 where there are fewer.
    fn most<const N: usize>(&self) -> [(u64, usize); N] {
        let mut most = [(0, 0); N];
        for (&distance, &n_votes) in &self.0 {
            // Of equal ones the lower distance counts, whatever the order here is.
            let rank = |&(distance, n_votes): &(u64, usize)| (std::cmp::Reverse(n_votes), distance);
            let place = most.partition_point(|other| rank(other) < rank(&(distance, n_votes)));
            if place < N {
                most[place..].rotate_right(1);
                most[place] = (distance, n_votes);
            }
        }
        most
    }
}
