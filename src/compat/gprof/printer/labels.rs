//! The names of functions as lines of a report end in them: spelled, with the place in
//! the source, the cycle and the number of the entry, each put together once.
//!
//! They stand behind each other in memory, since lines ask for them in no order. Long ones
//! are put together anew for each line, so that all take a multiple of the symbols.

use std::sync::Arc;

use rayon::iter::ParallelIterator;
use rayon::slice::ParallelSlice;

use super::names::Names;
use super::shown::Shown;
use super::{Flavor, brackets};
use crate::compat::gprof::numbers::{GraphReport, Reference};
use crate::report::Text;
use crate::symbols::{SymbolId, TakesMore};
use crate::threads;

/// Labels of more bytes are not kept.
const LONG: usize = 256;

/// How many are put together at once.
const CHUNK: usize = 1 << 12;

/// From so many on, several threads are worth waking.
const MANY: usize = 4 * CHUNK;

/// A name as it is spelled; `None` for one that is printed raw.
type Spelled = Option<Arc<[u8]>>;

/// The labels of all that is shown.
pub(super) struct Labels<'a> {
    names: &'a Names<'a>,
    graph: &'a GraphReport,
    flavor: Flavor,
    /// For each symbol one more than its place among those that are shown; 0 for others.
    places: Box<[u32]>,
    chunks: Vec<Chunk>,
}

#[derive(Default)]
struct Chunk {
    labels: Vec<Label>,
    kept: Text,
    /// How long names are spelled.
    long: Vec<Spelled>,
}

#[derive(Clone, Copy)]
enum Label {
    Kept { start: u32, name: u16, whole: u16 },
    Long(u32),
}

impl<'a> Labels<'a> {
    /// The labels of what is shown.
    pub(super) fn new(
        names: &'a Names<'a>,
        graph: &'a GraphReport,
        flavor: Flavor,
        shown: &Shown<'_>,
    ) -> Self {
        let symbols = shown.symbols();
        let mut places = vec![0; names.n_symbols()].into_boxed_slice();
        for (place, symbol) in (1..).zip(&symbols) {
            places[symbol.index()] = place;
        }
        let mut labels = Self {
            names,
            graph,
            flavor,
            places,
            chunks: Vec::new(),
        };
        labels.chunks = match labels.spelled_alone(&symbols) {
            Ok(chunks) => chunks,
            Err(TakesMore) => labels.spelled_in_turn(&symbols, &shown.in_turn()),
        };
        labels
    }

    /// Puts them together side by side, unless some name takes more than its share: then it
    /// hangs on those before it whether it is spelled.
    fn spelled_alone(&self, symbols: &[SymbolId]) -> Result<Vec<Chunk>, TakesMore> {
        let spell = |symbol| match self.flavor {
            Flavor::Gnu => Ok(self.names.spell_alone(symbol)?.map(Arc::from)),
            Flavor::Bsd => Ok(None),
        };
        let chunk = |symbols: &[SymbolId]| self.chunk(symbols, spell);
        if symbols.len() < MANY {
            symbols.chunks(CHUNK).map(chunk).collect()
        } else {
            threads::start();
            symbols.par_chunks(CHUNK).map(chunk).collect()
        }
    }

    /// The same one after the other, in the order in which they are printed.
    fn spelled_in_turn(&self, symbols: &[SymbolId], in_turn: &[SymbolId]) -> Vec<Chunk> {
        let demangler = self.names.demangler();
        let mut spelled: Vec<Option<Spelled>> = vec![None; symbols.len() + 1];
        for &symbol in in_turn {
            let spelled = &mut spelled[self.places[symbol.index()] as usize];
            spelled.get_or_insert_with(|| self.names.spell(symbol, &demangler));
        }
        let mut spell = |symbol: SymbolId| {
            let spelled = &mut spelled[self.places[symbol.index()] as usize];
            Ok::<_, TakesMore>(spelled.take().flatten())
        };
        let chunks = symbols.chunks(CHUNK);
        let chunks = chunks.map(|symbols| self.chunk(symbols, &mut spell));
        chunks.flatten().collect()
    }

    fn chunk(
        &self,
        symbols: &[SymbolId],
        mut spell: impl FnMut(SymbolId) -> Result<Spelled, TakesMore>,
    ) -> Result<Chunk, TakesMore> {
        let mut chunk = Chunk::default();
        for &symbol in symbols {
            let spelled = spell(symbol)?;
            let start = chunk.kept.len();
            let name = self.names.push(&mut chunk.kept, symbol, spelled.as_deref());
            push_end(&mut chunk.kept, &self.graph.reference(symbol));
            let whole = chunk.kept.len() - start;
            let label = if whole <= LONG {
                let small = |len| u16::try_from(len).expect("it is not long");
                let start = u32::try_from(start).expect("a chunk has few labels");
                Label::Kept {
                    start,
                    name: small(name),
                    whole: small(whole),
                }
            } else {
                chunk.kept.cut(start);
                chunk.long.push(spelled);
                let n_long = u32::try_from(chunk.long.len()).expect("a chunk has few labels");
                Label::Long(n_long - 1)
            };
            chunk.labels.push(label);
        }
        Ok(chunk)
    }

    fn of(&self, symbol: SymbolId) -> (&Chunk, Label) {
        let place = self.places[symbol.index()].checked_sub(1);
        let place = place.expect("it is shown") as usize;
        let chunk = &self.chunks[place / CHUNK];
        (chunk, chunk.labels[place % CHUNK])
    }

    /// Adds the name with its place in the source. Returns how many bytes these are.
    pub(super) fn push_name(&self, text: &mut Text, symbol: SymbolId) -> usize {
        match self.of(symbol) {
            (chunk, Label::Kept { start, name, .. }) => {
                let (start, len) = (start as usize, usize::from(name));
                text.word(&chunk.kept.as_bytes()[start..start + len]);
                len
            }
            (chunk, Label::Long(place)) => {
                let spelled = chunk.long[place as usize].as_deref();
                self.names.push(text, symbol, spelled)
            }
        }
    }

    /// Adds the name, the cycle and the number of the entry, as in `f <cycle 1> [12]`, and
    /// ends the line.
    pub(super) fn push_reference(&self, text: &mut Text, symbol: SymbolId) {
        match self.of(symbol) {
            (chunk, Label::Kept { start, whole, .. }) => {
                let (start, len) = (start as usize, usize::from(whole));
                text.word(&chunk.kept.as_bytes()[start..start + len]);
            }
            (chunk, Label::Long(place)) => {
                let spelled = chunk.long[place as usize].as_deref();
                self.names.push(text, symbol, spelled);
                push_end(text, &self.graph.reference(symbol));
            }
        }
    }
}

/// What follows the name of a function.
fn push_end(text: &mut Text, reference: &Reference) {
    if let Some(cycle) = reference.cycle {
        text.word(" <cycle ");
        text.count(cycle.0.into(), 0);
        text.word(">");
    }
    text.word(" ");
    push_number(text, reference);
    text.word("\n");
}

/// The number of an entry: in brackets, or in parentheses when it is not shown.
pub(super) fn push_number(text: &mut Text, reference: &Reference) {
    let (open, close) = brackets(reference);
    text.word([open]);
    text.count(reference.number as u64, 0);
    text.word([close]);
}
