//! Finds the load address of a program from recorded addresses.
//!
//! A position-independent program is linked at 0 and loaded anywhere, and profiles do not
//! record where. But its file is available: its symbol table has the functions that the
//! profile names; a return address follows a call; a callee is near the start of a function.
//! The load offset is a multiple of the page size, so the last bits of an address are those
//! in the file, and few places of the file can match a recorded address. Each of them votes
//! for an offset: the correct one gets a vote from every address of the program, others get
//! few.

#[cfg(test)]
mod tests;

use std::cmp::Reverse;
use std::collections::HashMap;

use foldhash::fast::RandomState;
use object::{Object, ObjectKind};

use super::code::{Code, PROLOGUE_SIZE};
use super::executable::{Executable, ExecutableError};
use super::table::SymbolTable;
use crate::model::Address;

/// Smallest page size in bytes.
const PAGE: u64 = 1 << 12;

/// Maximum number of votes. Of more addresses, every second, third and so on votes.
const MAX_VOTES: usize = 1 << 20;

/// Number of offsets with the most votes to check in detail.
const N_CANDIDATES: usize = 8;

/// Number of callees that vote.
const N_VOTERS: usize = 16;

/// The addresses that a profile recorded.
#[derive(Clone, Copy, Debug)]
pub struct RecordedAddresses<'a> {
    /// Return addresses in the program and in shared libraries, in any order.
    pub returns: &'a [Address],
    /// Functions with their start addresses.
    pub entries: &'a [(&'a [u8], Address)],
}

/// The load offset of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LoadOffset {
    /// Added to all addresses, wrapping.
    pub distance: u64,
    pub evidence: LoadEvidence,
}

/// Evidence for an offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoadEvidence {
    /// The program can only run at its linked address.
    Fixed,
    /// Functions named in both profile and program, and those at the same address.
    Names { n_for: usize, n_all: usize },
    /// Return addresses in the code, and those after calls.
    Calls { n_for: usize, n_all: usize },
    /// Return addresses in the code, if calls of the machine are not recognised.
    Code { n_for: usize },
}

impl LoadEvidence {
    /// Returns whether chance is unlikely.
    pub fn is_strong(&self) -> bool {
        match *self {
            Self::Fixed => true,
            Self::Names { n_for, n_all } => 2 * n_for > n_all,
            Self::Calls { n_for, n_all } => n_for >= 3 && 4 * n_for >= 3 * n_all,
            Self::Code { .. } => false,
        }
    }
}

/// The load offset of a program. `None` if the evidence is missing or ambiguous.
///
/// # Errors
/// If the executable is damaged.
pub fn find_load_offset(
    recorded: &RecordedAddresses<'_>,
    executable: &Executable,
    table: &SymbolTable,
) -> Result<Option<LoadOffset>, ExecutableError> {
    if executable.parse()?.kind() == ObjectKind::Executable {
        return Ok(Some(LoadOffset { distance: 0, evidence: LoadEvidence::Fixed }));
    }
    let symbols = table.symbols().iter();
    let symbols = symbols.map(|symbol| (&*symbol.name, symbol.range.start));
    let by_name = by_names(recorded.entries, symbols);
    if by_name.is_some_and(|offset| offset.evidence.is_strong()) {
        return Ok(by_name);
    }
    let code = Code::new(executable)?;
    Ok(by_returns(recorded.returns, &code).or(by_name))
}

/// The offset of most functions named on both sides.
fn by_names<'a>(
    entries: &[(&[u8], Address)],
    symbols: impl Iterator<Item = (&'a [u8], Address)>,
) -> Option<LoadOffset> {
    let mut recorded: HashMap<&[u8], Vec<Address>, RandomState> = HashMap::default();
    for &(name, address) in entries {
        recorded.entry(name).or_default().push(address);
    }
    let mut votes = Votes::default();
    let mut n_all = 0;
    for (name, linked) in symbols {
        // A name that occurs more than once is ambiguous.
        let Some([address]) = recorded.get(name).map(Vec::as_slice) else {
            continue;
        };
        let distance = address.0.wrapping_sub(linked.0);
        n_all += 1;
        if distance.is_multiple_of(PAGE) {
            votes.add(distance);
        }
    }
    let most = votes.most(2);
    let &(distance, n_for) = most.first()?;
    let is_clear = most.get(1).is_none_or(|&(_, n_next)| n_for > n_next);
    is_clear.then_some(LoadOffset { distance, evidence: LoadEvidence::Names { n_for, n_all } })
}

/// The offset that puts the most return addresses after calls of the program or, if these are
/// not recognised, into its code.
fn by_returns(returns: &[Address], code: &Code<'_>) -> Option<LoadOffset> {
    let mut returns = returns.to_vec();
    returns.sort_unstable();
    returns.dedup();
    let places = ReturnSites::of(code);
    let step = (returns.len() * places.n_votes() / MAX_VOTES).max(1);
    let mut votes = Votes::default();
    for address in returns.iter().step_by(step) {
        let place = address.0 % PAGE;
        places.each_page(place, code, |page| {
            votes.add((address.0 - place).wrapping_sub(page));
        });
    }
    // The number of addresses after calls, and of all addresses in the code.
    let fit = |distance: u64| {
        let linked = returns.iter().map(|a| Address(a.0.wrapping_sub(distance)));
        let inside = linked.filter(|&linked| code.contains(linked));
        inside.fold((0, 0), |(n_for, n_all), linked| {
            let fits = !code.reads_calls() || code.call_returning_to(linked).is_some();
            (n_for + usize::from(fits), n_all + 1)
        })
    };
    let candidates = votes.most(N_CANDIDATES).into_iter();
    let mut candidates: Vec<_> = candidates.map(|(d, _)| (fit(d), d)).collect();
    // The one that puts fewer addresses elsewhere into the code is better.
    candidates.sort_by_key(|&((n_for, n_all), distance)| (Reverse(n_for), n_all, distance));
    let &((n_for, n_all), distance) = candidates.first()?;
    let n_next = candidates.get(1).map_or(0, |&((n_for, _), _)| n_for);
    (n_for > n_next).then_some(LoadOffset {
        distance,
        evidence: if code.reads_calls() {
            LoadEvidence::Calls { n_for, n_all }
        } else {
            LoadEvidence::Code { n_for }
        },
    })
}

/// Maximum size of code to search in bytes. Damaged files may contain the same bytes many
/// times.
const MAX_BYTES: usize = 1 << 28;

/// Possible return addresses in the code.
enum ReturnSites {
    /// After calls: offset within the page, and page, ascending.
    Returns(Vec<(u64, u64)>),
    /// Anywhere on these pages.
    Pages(Vec<u64>),
}

impl ReturnSites {
    fn of(code: &Code<'_>) -> Self {
        let mut n_bytes = 0usize;
        let chunks = code.chunks().iter().filter(|chunk| {
            n_bytes = n_bytes.saturating_add(chunk.bytes.len());
            n_bytes <= MAX_BYTES
        });
        if !code.reads_calls() {
            let pages = chunks.flat_map(|chunk| {
                let end = chunk.start.0.saturating_add(chunk.bytes.len() as u64);
                (chunk.start.0 / PAGE..=end / PAGE).map(|page| page * PAGE)
            });
            return Self::Pages(pages.collect());
        }
        let step = usize::try_from(code.return_step()).unwrap_or(1);
        let mut returns = Vec::new();
        for chunk in chunks {
            let ends = (0..=chunk.bytes.len()).step_by(step);
            let ends = ends.filter(|&end| code.call_before(chunk, end).is_some());
            returns.extend(ends.map(|end| chunk.at(end).0).map(|a| (a % PAGE, a - a % PAGE)));
        }
        returns.sort_unstable();
        Self::Returns(returns)
    }

    /// Approximate number of votes of an address.
    fn n_votes(&self) -> usize {
        match self {
            Self::Returns(returns) => returns.len() >> PAGE.ilog2(),
            Self::Pages(pages) => pages.len(),
        }
        .saturating_add(1)
    }

    /// Visits the pages where an address with this offset within its page may be.
    fn each_page(&self, place: u64, code: &Code<'_>, visit: impl FnMut(u64)) {
        match self {
            Self::Returns(returns) => {
                let start = returns.partition_point(|&(other, _)| other < place);
                let same = returns[start..].iter().take_while(|(other, _)| *other == place);
                same.map(|&(_, page)| page).for_each(visit);
            }
            Self::Pages(pages) => {
                let pages = pages.iter().copied();
                let inside = pages.filter(|page| code.contains(Address(page + place)));
                inside.for_each(visit);
            }
        }
    }
}

/// Possible load offsets of a gmon.out other than 0, most likely first: offsets that put the
/// start of a histogram at a known start, then offsets with most votes of callees. The caller
/// checks them all.
pub fn load_offsets(
    histogram_starts: &[Address],
    callees: &[Address],
    code: &Code<'_>,
    table: Option<&SymbolTable>,
) -> Vec<u64> {
    let by_start = histogram_starts.iter().flat_map(|low| {
        // The start was rounded down by a few bytes.
        let starts = code.bounds.starts.iter();
        starts.map(|start| low.0.wrapping_sub(start.0).wrapping_add(PAGE / 2) & !(PAGE - 1))
    });
    let by_callee = table.map(|table| by_callees(callees, table));
    let mut distances = Vec::new();
    for distance in by_start.take(N_CANDIDATES).chain(by_callee.into_iter().flatten()) {
        if distance != 0 && !distances.contains(&distance) {
            distances.push(distance);
        }
    }
    distances
}

/// Lets some callees vote for every page-aligned offset that puts them near the start of a
/// function.
fn by_callees(callees: &[Address], table: &SymbolTable) -> Vec<u64> {
    let mut votes = Votes::default();
    let step = (callees.len() / N_VOTERS).max(1);
    for callee in callees.iter().step_by(step).take(N_VOTERS) {
        for symbol in table.symbols() {
            let distance = callee.0.wrapping_sub(symbol.range.start.0);
            if distance % PAGE < PROLOGUE_SIZE {
                votes.add(distance - distance % PAGE);
            }
        }
    }
    let most = votes.most(N_CANDIDATES).into_iter();
    most.map(|(distance, _)| distance).collect()
}

/// Number of votes of each offset.
#[derive(Default)]
struct Votes(HashMap<u64, usize, RandomState>);

impl Votes {
    fn add(&mut self, distance: u64) {
        *self.0.entry(distance).or_default() += 1;
    }

    /// The offsets with the most votes; of equal ones, the lower first.
    fn most(self, n: usize) -> Vec<(u64, usize)> {
        let mut ranked: Vec<_> = self.0.into_iter().collect();
        ranked.sort_unstable_by_key(|&(distance, n_votes)| (Reverse(n_votes), distance));
        ranked.truncate(n);
        ranked
    }
}
