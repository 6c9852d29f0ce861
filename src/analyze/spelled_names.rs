//! Names as their languages spell them, made when they are first asked for, also by several
//! threads.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use crate::symbols::{Demangler, Languages, Style, TakesMore};

/// Spelled names by number. What they are spelled from is told with each question.
///
/// Long names share a number of steps, so that what becomes of one may depend on those
/// that were asked for before it. Such names are made while a single thread asks, and all
/// others by anybody.
#[derive(Debug)]
pub(crate) struct SpelledNames {
    style: Style,
    demangler: Mutex<Demangler>,
    /// Those of the program, where their names are decoded beside those of `style`.
    pub(crate) languages: Option<Languages>,
    made: Box<[OnceLock<Arc<[u8]>>]>,
    /// Several threads ask.
    are_many: AtomicBool,
    /// They asked for a name that was not made.
    has_missed: AtomicBool,
}

impl SpelledNames {
    /// So many names, none of which was made yet.
    pub(crate) fn new(n_names: usize, style: Style) -> Self {
        Self {
            style,
            demangler: Mutex::new(Demangler::new(style)),
            languages: None,
            made: vec![OnceLock::new(); n_names].into(),
            are_many: AtomicBool::new(false),
            has_missed: AtomicBool::new(false),
        }
    }

    /// The name of a number that stands for `raw`. `all` are the raw names of all numbers.
    pub(crate) fn get<'s, 'n, A>(
        &'s self,
        index: usize,
        raw: &'s Arc<[u8]>,
        all: impl FnOnce() -> A,
    ) -> &'s [u8]
    where
        A: Iterator<Item = &'n Arc<[u8]>>,
    {
        let cell = &self.made[index];
        if let Some(made) = cell.get() {
            return made;
        }
        if !self.are_many.load(Relaxed) {
            let demangler = self.demangler.lock();
            let demangler = demangler.unwrap_or_else(PoisonError::into_inner);
            let demangled = demangler.spell(raw, all);
            return cell.get_or_init(|| self.finished(raw, demangled));
        }
        match Demangler::spell_alone(raw, self.style) {
            Ok(demangled) => cell.get_or_init(|| self.finished(raw, demangled.map(Arc::from))),
            Err(TakesMore) => {
                self.has_missed.store(true, Relaxed);
                raw
            }
        }
    }

    fn finished(&self, raw: &Arc<[u8]>, demangled: Option<Arc<[u8]>>) -> Arc<[u8]> {
        let spelled = || self.languages?.spell(raw).map(Arc::from);
        // A name that is none in its language is shared, not copied.
        demangled
            .or_else(spelled)
            .unwrap_or_else(|| Arc::clone(raw))
    }

    /// Does some work in which several threads ask for names, and returns whether all of
    /// them were made.
    pub(crate) fn side_by_side(&self, work: &mut dyn FnMut()) -> bool {
        self.are_many.store(true, Relaxed);
        work();
        self.are_many.store(false, Relaxed);
        !self.has_missed.swap(false, Relaxed)
    }

    /// How many names stayed as they are since they take too much.
    pub(crate) fn n_given_up(&self) -> usize {
        let demangler = self.demangler.lock();
        demangler
            .unwrap_or_else(PoisonError::into_inner)
            .n_given_up()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A function whose parameter has so many pairs in pairs.
    fn doubled(n_doublings: u32) -> Arc<[u8]> {
        let mut name = "_Z1f1A1PIS_S_E".to_owned();
        for index in 1..=n_doublings {
            let part = char::from_digit(index, 36).map(|digit| digit.to_ascii_uppercase());
            let part = part.expect("there are few");
            name += &format!("S0_IS{part}_S{part}_E");
        }
        name.into_bytes().into()
    }

    #[test]
    fn names_that_take_long_are_made_by_one_thread_alone() {
        let names: [Arc<[u8]>; 3] = [
            b"_ZN2ns4workEi".as_slice().into(),
            doubled(11),
            b"main".as_slice().into(),
        ];
        let spelled = SpelledNames::new(names.len(), Style::Auto);
        let get = |index: usize| spelled.get(index, &names[index], || names.iter()).to_vec();
        let are_made = |indices: &[usize]| {
            spelled.side_by_side(&mut || indices.iter().for_each(|&index| drop(get(index))))
        };
        assert!(are_made(&[0, 2]));
        assert!(!are_made(&[0, 1, 2]));
        assert_eq!(get(0), b"ns::work(int)");
        assert!(get(1).len() > 40_000);
        assert_eq!(get(2), b"main");
        assert!(are_made(&[0, 1, 2]));
    }
}
