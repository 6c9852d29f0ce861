//! The names of functions as lines of a report end in them: spelled, with the place in
//! the source, the cycle and the number of the entry, each put together once.
//!
//! They stand behind each other in memory, since lines ask for them in no order. Long ones
//! are put together anew for each line, so that all take a multiple of the symbols.

use std::borrow::Cow;
use std::hint::black_box;
use std::sync::Arc;

use rayon::iter::{IndexedParallelIterator, ParallelIterator};
use rayon::slice::ParallelSlice;

use super::names::Names;
use super::{Contents, Flavor, Section, brackets};
use crate::compat::gprof::numbers::{GraphNode, GraphReport, Reference};
use crate::report::Text;
use crate::symbols::SymbolId;
use crate::threads;

/// Labels of more bytes are not kept.
const LONG: usize = 256;

/// How many are put together at once.
const CHUNK: usize = 1 << 12;

/// From so many on, several threads are worth waking.
const MANY: usize = 4 * CHUNK;

const NOT_SHOWN: &str = "only what is shown is asked for";

/// A name as it is spelled; `None` for one that is printed raw.
type Spelled = Option<Arc<[u8]>>;

pub(super) struct Labels<'a> {
    names: &'a Names<'a>,
    graph: &'a GraphReport,
    flavor: Flavor,
    /// For each symbol where its label is. Lines ask for them in no order, so each is found
    /// with one look.
    labels: Box<[Label]>,
    chunks: Vec<Chunk>,
}

#[derive(Default)]
struct Chunk {
    labels: Vec<(SymbolId, Label)>,
    kept: Text,
    long: Vec<Spelled>,
}

#[derive(Clone, Copy)]
enum Label {
    NotShown,
    Kept {
        chunk: u32,
        start: u32,
        name: u16,
        whole: u16,
        /// It is the name of a static function whose file is known.
        has_file: bool,
    },
    Long {
        chunk: u32,
        place: u32,
    },
}

impl<'a> Labels<'a> {
    pub(super) fn new(
        names: &'a Names<'a>,
        graph: &'a GraphReport,
        flavor: Flavor,
        shown: &Shown<'_>,
    ) -> Self {
        let symbols = shown.symbols();
        let mut labels = Self {
            names,
            graph,
            flavor,
            labels: vec![Label::NotShown; names.n_symbols()].into(),
            chunks: Vec::new(),
        };
        let chunk = |(number, symbols): (usize, &[SymbolId])| labels.chunk(number, symbols);
        labels.chunks = if symbols.len() < MANY {
            symbols.chunks(CHUNK).enumerate().map(chunk).collect()
        } else {
            threads::start();
            let chunks = symbols.par_chunks(CHUNK).enumerate();
            chunks.map(chunk).collect()
        };
        for chunk in &mut labels.chunks {
            for (symbol, label) in std::mem::take(&mut chunk.labels) {
                labels.labels[symbol.index()] = label;
            }
        }
        labels
    }

    /// The labels of some symbols, of which each takes what it takes whatever others took.
    fn chunk(&self, number: usize, symbols: &[SymbolId]) -> Chunk {
        let small = |number| u32::try_from(number).expect("a chunk has few labels");
        let number = small(number);
        let mut chunk = Chunk::default();
        for &symbol in symbols {
            let spelled = match self.flavor {
                Flavor::Gnu => self.names.demangled(symbol),
                Flavor::Bsd => None,
            };
            let start = chunk.kept.len();
            let name = self.names.push(&mut chunk.kept, symbol, spelled.as_deref());
            push_end(&mut chunk.kept, &self.graph.reference(symbol));
            let whole = chunk.kept.len() - start;
            let label = if whole <= LONG {
                let short = |len| u16::try_from(len).expect("it is not long");
                Label::Kept {
                    chunk: number,
                    start: small(start),
                    name: short(name),
                    whole: short(whole),
                    has_file: self.names.file_of_static(symbol).is_some(),
                }
            } else {
                chunk.kept.cut(start);
                chunk.long.push(spelled);
                Label::Long {
                    chunk: number,
                    place: small(chunk.long.len() - 1),
                }
            };
            chunk.labels.push((symbol, label));
        }
        chunk
    }

    /// Adds the name with its place in the source. Returns how many bytes these are.
    pub(super) fn push_name(&self, text: &mut Text, symbol: SymbolId) -> usize {
        match self.labels[symbol.index()] {
            Label::Kept {
                chunk, start, name, ..
            } => {
                let len = usize::from(name);
                text.start_of(self.kept_from(chunk, start), len);
                len
            }
            Label::Long { chunk, place } => {
                let spelled = self.spelled(chunk, place);
                self.names.push(text, symbol, spelled)
            }
            Label::NotShown => unreachable!("{NOT_SHOWN}"),
        }
    }

    /// Adds the name, the cycle and the number of the entry, as in `f <cycle 1> [12]`, and
    /// ends the line.
    pub(super) fn push_reference(&self, text: &mut Text, symbol: SymbolId) {
        match self.labels[symbol.index()] {
            Label::Kept {
                chunk,
                start,
                whole,
                ..
            } => text.start_of(self.kept_from(chunk, start), usize::from(whole)),
            Label::Long { chunk, place } => {
                let spelled = self.spelled(chunk, place);
                self.names.push(text, symbol, spelled);
                push_end(text, &self.graph.reference(symbol));
            }
            Label::NotShown => unreachable!("{NOT_SHOWN}"),
        }
    }

    /// The file of a static function, when it is known and not said with the name.
    pub(super) fn file_of_static(&self, symbol: SymbolId) -> Option<Cow<'_, [u8]>> {
        match self.labels[symbol.index()] {
            // Most have none, and are not looked up for it.
            Label::Kept {
                has_file: false, ..
            } => None,
            _ => self.names.file_of_static(symbol),
        }
    }

    /// Has the labels of some symbols brought from memory, where they are in no order: asked
    /// for together they take little longer than one.
    pub(super) fn bring(&self, symbols: impl Iterator<Item = SymbolId>) {
        let mut bytes = 0;
        for symbol in symbols {
            if let Label::Kept {
                chunk,
                start,
                whole,
                ..
            } = self.labels[symbol.index()]
            {
                let label = &self.kept_from(chunk, start)[..usize::from(whole)];
                // Many reach into a second line of the processor's cache.
                let ends = label.first().zip(label.last());
                bytes ^= ends.map_or(0, |(first, last)| first ^ last);
            }
        }
        black_box(bytes);
    }

    fn kept_from(&self, chunk: u32, start: u32) -> &[u8] {
        &self.chunks[chunk as usize].kept.as_bytes()[start as usize..]
    }

    fn spelled(&self, chunk: u32, place: u32) -> Option<&[u8]> {
        self.chunks[chunk as usize].long[place as usize].as_deref()
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

/// What is named in sections where names are spelled.
pub(super) struct Shown<'a> {
    sections: &'a [Section],
    contents: &'a Contents<'a>,
    subjects: &'a [GraphNode],
}

impl<'a> Shown<'a> {
    /// Of these sections.
    pub(super) fn new(
        sections: &'a [Section],
        contents: &'a Contents<'a>,
        subjects: &'a [GraphNode],
    ) -> Self {
        Self {
            sections,
            contents,
            subjects,
        }
    }

    fn graph(&self) -> &'a GraphReport {
        &self.contents.analysis.graph
    }

    /// Each once, in the order of their addresses. Costs symbols and arcs.
    pub(super) fn symbols(&self) -> Vec<SymbolId> {
        let graph = self.graph();
        let mut is_shown = vec![false; graph.functions().len()];
        let mut show = |symbol: SymbolId| is_shown[symbol.index()] = true;
        for section in self.sections {
            match section {
                Section::Flat => self.flat().for_each(&mut show),
                Section::Index => self.index().for_each(&mut show),
                Section::Graph => self.show_entries(&mut show),
                Section::ExecCounts | Section::AnnotatedSource | Section::Order => {}
            }
        }
        let all = (0..).map(SymbolId).zip(is_shown);
        all.filter_map(|(symbol, is_shown)| is_shown.then_some(symbol))
            .collect()
    }

    fn flat(&self) -> impl Iterator<Item = SymbolId> {
        self.contents
            .analysis
            .flat
            .rows
            .iter()
            .map(|row| row.symbol)
    }

    fn index(&self) -> impl Iterator<Item = SymbolId> {
        let entries = self.contents.analysis.index.iter();
        entries.filter_map(|entry| match *entry {
            GraphNode::Function(symbol) => Some(symbol),
            GraphNode::Cycle(_) => None,
        })
    }

    /// What entries name. Arcs are looked at in their own order, which is that of memory.
    fn show_entries(&self, mut show: impl FnMut(SymbolId)) {
        let graph = self.graph();
        let mut is_subject = vec![false; graph.functions().len()];
        for &subject in self.subjects {
            match subject {
                GraphNode::Function(symbol) => {
                    is_subject[symbol.index()] = true;
                    show(symbol);
                }
                GraphNode::Cycle(cycle) => graph.members(cycle).iter().copied().for_each(&mut show),
            }
        }
        for arc in graph.graph().arcs() {
            if is_subject[arc.caller.index()] || is_subject[arc.callee.index()] {
                show(arc.caller);
                show(arc.callee);
            }
        }
    }
}
