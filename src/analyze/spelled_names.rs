//! Names as their languages write them, made when they are first asked for, also by several
//! threads.

use std::sync::{Arc, OnceLock};

use crate::symbols::{Demangler, Languages, Style};

/// Demangled names by number. Each question brings what they are demangled from.
#[derive(Debug)]
pub(crate) struct SpelledNames {
    demangler: Demangler,
    /// Those of the program, where their names are decoded beside those of a style.
    pub(crate) languages: Option<Languages>,
    made: Box<[OnceLock<Arc<[u8]>>]>,
}

impl SpelledNames {
    /// So many names, none of which was made yet.
    pub(crate) fn new(n_names: usize, style: Style) -> Self {
        Self {
            demangler: Demangler::new(style),
            languages: None,
            made: vec![OnceLock::new(); n_names].into(),
        }
    }

    /// The name of a number that stands for `raw`.
    pub(crate) fn get(&self, index: usize, raw: &Arc<[u8]>) -> &[u8] {
        self.made[index].get_or_init(|| {
            let decoded = || self.languages?.spell(raw).map(Arc::from);
            let demangled = self.demangler.demangle(raw).or_else(decoded);
            // A name that is none in its language is shared, not copied.
            demangled.unwrap_or_else(|| Arc::clone(raw))
        })
    }

    /// How many names stayed as they are since they take too much.
    pub(crate) fn n_given_up(&self) -> usize {
        self.demangler.n_given_up()
    }
}
