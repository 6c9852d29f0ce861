//! Demangles the names of a program, in a limited number of steps for each.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

use foldhash::fast::RandomState;

use super::native::Languages;
use super::{Style, demangle_within};

/// Steps allowed for every name.
const MIN_STEPS: usize = 1 << 10;

/// Steps for each byte of a longer name. Of 78,000 names of LLVM and rustc, one takes 28, and
/// ten more than 10.
const STEPS_PER_BYTE: usize = 64;

/// Maximum number of steps. Back references, substitutions and template arguments can repeat
/// each other exponentially.
const MAX_STEPS: usize = 1 << 18;

/// Length of the longest C++ name that libiberty demangles.
const LIBIBERTY_CXX_LENGTH: usize = 1024;

/// Steps for demangling a name: the maximum of nodes made, nodes visited, and bytes printed.
#[derive(Debug)]
pub(super) struct DemangleBudget {
    pub(super) limit: usize,
    n_used: usize,
    /// Length of the longest C++ name that is demangled.
    pub(super) max_cxx_length: usize,
    /// The name was given up because it takes too many steps or nests too deeply.
    pub(super) is_exceeded: bool,
}

impl DemangleBudget {
    /// The steps allowed for a name.
    pub(super) fn of(raw: &[u8]) -> Self {
        let limit = raw.len().saturating_mul(STEPS_PER_BYTE);
        Self {
            limit: limit.clamp(MIN_STEPS, MAX_STEPS),
            n_used: 0,
            max_cxx_length: usize::MAX,
            is_exceeded: false,
        }
    }

    /// Records `n_steps` of one kind.
    pub(super) fn took(&mut self, n_steps: usize) {
        self.n_used = self.n_used.max(n_steps);
    }
}

/// A demangled name; `None` if it stays mangled.
type Demangled = Option<Arc<[u8]>>;

/// Demangles names, from any thread.
///
/// A short name can expand to gigabytes, and thousands of symbols can share a name. A name that
/// exceeds its [`DemangleBudget`] stays mangled, and slow results are stored for all symbols that
/// share them.
#[derive(Debug)]
pub struct Demangler {
    style: Style,
    languages: Languages,
    max_cxx_length: usize,
    long: Mutex<HashMap<Arc<[u8]>, Demangled, RandomState>>,
    n_given_up: AtomicUsize,
}

impl Demangler {
    pub fn new(style: Style) -> Self {
        Self {
            style,
            languages: Languages::default(),
            max_cxx_length: usize::MAX,
            long: Mutex::default(),
            n_given_up: AtomicUsize::new(0),
        }
    }

    /// For a program with these functions, whose languages may be Fortran and Ada.
    pub fn of_program<'n>(style: Style, names: impl IntoIterator<Item = &'n [u8]>) -> Self {
        let is_auto = style == Style::Auto;
        let languages = if is_auto { Languages::of(names) } else { Languages::default() };
        Self { languages, ..Self::new(style) }
    }

    /// Leaves longer C++ names mangled, as libiberty does.
    pub fn like_libiberty(style: Style) -> Self {
        Self { max_cxx_length: LIBIBERTY_CXX_LENGTH, ..Self::new(style) }
    }

    /// The demangled name; `None` if it stays mangled.
    pub fn demangle(&self, raw: &Arc<[u8]>) -> Option<Arc<[u8]>> {
        let long = || self.long.lock().unwrap_or_else(PoisonError::into_inner);
        let mut budget = DemangleBudget::of(raw);
        budget.max_cxx_length = self.max_cxx_length;
        let may_be_long = budget.limit > MIN_STEPS;
        if may_be_long && let Some(known) = long().get(raw) {
            return known.clone();
        }
        let in_language = || (self.style == Style::Auto).then(|| self.languages.demangle(raw))?;
        let demangled = demangle_within(raw, self.style, &mut budget).or_else(in_language);
        let demangled = demangled.map(Arc::from);
        let is_given_up = demangled.is_none() && budget.is_exceeded;
        let is_long = may_be_long && budget.n_used > MIN_STEPS;
        let is_new = !is_long || long().insert(Arc::clone(raw), demangled.clone()).is_none();
        if is_given_up && is_new {
            self.n_given_up.fetch_add(1, Relaxed);
        }
        demangled
    }

    /// The name as shown.
    pub fn shown(&self, raw: &[u8]) -> Vec<u8> {
        self.demangle(&raw.into()).map_or_else(|| raw.to_vec(), |name| name.to_vec())
    }

    /// Number of names that exceeded their budget.
    pub fn n_given_up(&self) -> usize {
        self.n_given_up.load(Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A function whose parameter is `n_doublings` levels of pairs.
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
    fn a_name_of_gigabytes_stays_mangled_and_counts_once() {
        let demangler = Demangler::new(Style::Auto);
        let name = doubled(30);
        assert_eq!(demangler.demangle(&name), None);
        assert_eq!(demangler.demangle(&name), None);
        assert_eq!(demangler.n_given_up(), 1);
    }

    #[test]
    fn the_result_for_a_name_does_not_depend_on_others() {
        let demangler = Demangler::new(Style::Auto);
        for n_doublings in [3, 30, 5, 20, 4] {
            let name = doubled(n_doublings);
            let alone = Demangler::new(Style::Auto).demangle(&name);
            assert_eq!(demangler.demangle(&name), alone);
            assert_eq!(alone.is_some(), n_doublings <= 5);
        }
        assert_eq!(demangler.n_given_up(), 2);
    }

    #[test]
    fn libiberty_leaves_long_names_mangled() {
        for (length, is_long) in [(1024, false), (1025, true)] {
            let name: Arc<[u8]> = format!("{:i<length$}", "_Z1f").into_bytes().into();
            let theirs = Demangler::like_libiberty(Style::Auto);
            assert_eq!(theirs.demangle(&name).is_none(), is_long);
            assert!(Demangler::new(Style::Auto).demangle(&name).is_some());
        }
    }

    #[test]
    fn symbols_of_one_name_share_its_long_form() {
        let demangler = Demangler::new(Style::Auto);
        let [one, other] = [doubled(6), doubled(6)].map(|name| demangler.demangle(&name));
        assert!(Arc::ptr_eq(&one.unwrap(), &other.unwrap()));
    }
}
