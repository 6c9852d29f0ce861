//! Demangling of many names, each of them once, in a bounded number of steps.

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::HashMap;
use std::sync::Arc;

use foldhash::fast::RandomState;

use super::budget::Budget;
use super::{Style, demangle_within};

/// Steps that every name may take, however short it is. See [`Budget`].
const BASE: usize = 1 << 10;

/// Steps that a name may take for each of its bytes. Those of real programs hardly ever
/// take as many.
const FACTOR: usize = 32;

/// The same once names have taken all that there is beside. What such names go on to take is
/// mostly in vain.
const FACTOR_WITHOUT_ROOM: usize = 8;

/// Steps beyond these that all names may take together.
const ROOM: usize = 32 << 20;

/// A name as its source has it; `None` for one that is printed raw.
type Spelled = Option<Arc<[u8]>>;

/// Spells names as their language does.
///
/// A short name can stand for one of gigabytes, and thousands of symbols for one name. What
/// takes more than its share, or more than one name may take, stays as it is in its file.
#[derive(Debug)]
pub struct Demangler {
    style: Style,
    room: Cell<usize>,
    /// The names that took more than [`BASE`] steps.
    made: RefCell<HashMap<Arc<[u8]>, Spelled, RandomState>>,
    /// How many have each name, where that was asked.
    uses: OnceCell<HashMap<Arc<[u8]>, usize, RandomState>>,
    n_given_up: Cell<usize>,
}

impl Demangler {
    /// Nothing is demangled yet.
    #[must_use]
    pub fn new(style: Style) -> Self {
        Self {
            style,
            room: Cell::new(ROOM),
            made: RefCell::default(),
            uses: OnceCell::new(),
            n_given_up: Cell::new(0),
        }
    }

    /// The name as its source has it, or `None` if it is to be printed raw. `all` are the
    /// names of everything that may be shown, of which some are looked at.
    pub fn spell<'n, A>(&self, raw: &Arc<[u8]>, all: impl FnOnce() -> A) -> Spelled
    where
        A: Iterator<Item = &'n Arc<[u8]>>,
    {
        if self.style == Style::None {
            return None;
        }
        if let Some(known) = self.made.borrow().get(raw) {
            return known.clone();
        }
        let n_uses = || {
            let uses = self.uses.get_or_init(|| {
                let mut uses = HashMap::default();
                for name in all() {
                    *uses.entry(Arc::clone(name)).or_default() += 1;
                }
                uses
            });
            uses.get(raw).copied().unwrap_or(1)
        };
        let (spelled, n_used) = self.spell_anew(raw, n_uses);
        let spelled = spelled.map(Arc::from);
        if n_used > BASE {
            let mut made = self.made.borrow_mut();
            made.insert(Arc::clone(raw), spelled.clone());
        }
        spelled
    }

    /// The same for a name that is asked for once, and is shown once at most.
    #[must_use]
    pub fn spell_once(&self, raw: &[u8]) -> Option<Vec<u8>> {
        self.spell_anew(raw, || 1).0
    }

    /// The same for a name that takes no more than its share, whatever others took, so that
    /// names can be asked for in any order and side by side.
    ///
    /// # Errors
    /// When it may take more: then it must be spelled in turn.
    pub fn spell_alone(raw: &[u8], style: Style) -> Result<Option<Vec<u8>>, TakesMore> {
        if style == Style::None {
            return Ok(None);
        }
        let share = raw.len().saturating_mul(FACTOR_WITHOUT_ROOM).max(BASE);
        let mut budget = Budget::new(share);
        let spelled = demangle_within(raw, style, &mut budget);
        let n_printed = spelled.as_ref().map_or(0, Vec::len);
        if budget.is_exceeded() || budget.n_used() > share || n_printed > share {
            return Err(TakesMore);
        }
        Ok(spelled)
    }

    /// How many names stayed raw since they take too much.
    #[must_use]
    pub fn n_given_up(&self) -> usize {
        self.n_given_up.get()
    }

    /// The name, and how many steps it took.
    fn spell_anew(&self, raw: &[u8], n_uses: impl FnOnce() -> usize) -> (Option<Vec<u8>>, usize) {
        let room = self.room.get();
        let factor = match room {
            0 => FACTOR_WITHOUT_ROOM,
            _ => FACTOR,
        };
        let share = raw.len().saturating_mul(factor).max(BASE);
        let mut budget = Budget::new(share.saturating_add(room));
        let spelled = demangle_within(raw, self.style, &mut budget);
        let mut n_more = budget.n_used().saturating_sub(share);
        let mut is_given_up = spelled.is_none() && budget.is_exceeded();
        if let Some(spelled) = &spelled
            && spelled.len() > share
        {
            let n_shown = (spelled.len() - share).saturating_mul(n_uses());
            is_given_up = n_shown > room;
            if !is_given_up {
                n_more = n_more.max(n_shown);
            }
        }
        self.room.set(room.saturating_sub(n_more));
        self.n_given_up
            .set(self.n_given_up.get() + usize::from(is_given_up));
        (spelled.filter(|_| !is_given_up), budget.n_used())
    }
}

/// What is said of a name that takes more than its share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TakesMore;

#[cfg(test)]
mod tests {
    use std::iter;

    use super::*;

    /// A function whose parameter has so many pairs in pairs.
    fn doubled(function: &str, n_doublings: u32) -> Arc<[u8]> {
        let mut name = format!("_Z{}{function}1A1PIS_S_E", function.len());
        for index in 1..=n_doublings {
            let part = char::from_digit(index, 36).map(|digit| digit.to_ascii_uppercase());
            let part = part.expect("there are few");
            name += &format!("S0_IS{part}_S{part}_E");
        }
        name.into_bytes().into()
    }

    fn spell(demangler: &Demangler, name: &Arc<[u8]>, n_uses: usize) -> Option<usize> {
        let all = || iter::repeat_n(name, n_uses);
        demangler.spell(name, all).map(|spelled| spelled.len())
    }

    #[test]
    fn a_name_that_stands_for_gigabytes_is_given_up() {
        let demangler = Demangler::new(Style::Auto);
        let name = doubled("f", 30);
        assert_eq!(spell(&demangler, &name, 1), None);
        assert_eq!(spell(&demangler, &name, 1), None);
        assert_eq!(demangler.n_given_up(), 1);
    }

    #[test]
    fn what_takes_no_more_than_its_share_is_the_same_alone() {
        let names = ["main", "_ZN2ns4workIiEEvT_", "_Z", "_RNvC1a1b"];
        let names = names.map(|name| Arc::from(name.as_bytes()));
        let longer = [doubled("f", 3), doubled("f", 4), doubled("f", 5)];
        let demangler = Demangler::new(Style::Auto);
        for name in names.iter().chain(&longer) {
            let alone = Demangler::spell_alone(name, Style::Auto).expect("few steps");
            let in_turn = demangler.spell(name, iter::empty);
            assert_eq!(alone.as_deref(), in_turn.as_deref());
        }
        for n_doublings in [11, 30] {
            let alone = Demangler::spell_alone(&doubled("f", n_doublings), Style::Auto);
            assert_eq!(alone, Err(TakesMore));
        }
    }

    #[test]
    fn a_long_name_is_spelled_for_few_functions_and_not_for_many() {
        let name = doubled("f", 11);
        let few = Demangler::new(Style::Auto);
        assert!(spell(&few, &name, 100) > Some(40_000));
        assert_eq!(few.n_given_up(), 0);
        let many = Demangler::new(Style::Auto);
        assert_eq!(spell(&many, &name, 10_000), None);
        assert_eq!(many.n_given_up(), 1);
    }

    #[test]
    fn all_long_names_together_have_an_end_and_short_ones_have_none() {
        let demangler = Demangler::new(Style::Auto);
        let long = (0..2000).filter(|number| {
            let name = doubled(&format!("f{number}"), 11);
            spell(&demangler, &name, 1).is_some()
        });
        let n_long = long.count();
        assert!((500..1500).contains(&n_long), "{n_long} were spelled");
        assert_eq!(demangler.n_given_up(), 2000 - n_long);
        let short: Arc<[u8]> = b"_ZN2ns4workIiEEvT_".as_slice().into();
        assert_eq!(
            spell(&demangler, &short, 1),
            Some("void ns::work<int>(int)".len())
        );
    }
}
