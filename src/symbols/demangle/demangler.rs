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

/// Steps beyond these that all names may take together.
const ROOM: usize = 32 << 20;

/// Spells names as their language does.
///
/// A short name can stand for one of gigabytes, and thousands of symbols for one name. What
/// takes more than its share, or more than one name may take, stays as it is in its file.
#[derive(Debug)]
pub struct Demangler {
    style: Style,
    room: Cell<usize>,
    made: RefCell<HashMap<Arc<[u8]>, Option<Arc<[u8]>>, RandomState>>,
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
    pub fn spell<'n, A>(&self, raw: &Arc<[u8]>, all: impl FnOnce() -> A) -> Option<Arc<[u8]>>
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
        let spelled = self.spell_anew(raw, n_uses).map(Arc::from);
        self.made
            .borrow_mut()
            .insert(Arc::clone(raw), spelled.clone());
        spelled
    }

    /// The same for a name that is asked for once, and is shown once at most.
    #[must_use]
    pub fn spell_once(&self, raw: &[u8]) -> Option<Vec<u8>> {
        self.spell_anew(raw, || 1)
    }

    /// How many names stayed raw since they take too much.
    #[must_use]
    pub fn n_given_up(&self) -> usize {
        self.n_given_up.get()
    }

    fn spell_anew(&self, raw: &[u8], n_uses: impl FnOnce() -> usize) -> Option<Vec<u8>> {
        let share = raw.len().saturating_mul(FACTOR).max(BASE);
        let room = self.room.get();
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
        spelled.filter(|_| !is_given_up)
    }
}
