//! Inlined functions in a symbol table.
//!
//! ```text
//! code       f f g g h h g f f i      g is inlined into f, h into that g; and i
//! symbols    [ f         | f |i]      at the end of f
//!            0   1   2   3 4   5
//! ```
//!
//! With [`Granularity::Inlines`](super::Granularity::Inlines) each code range of one function,
//! inlined or not, is a symbol. They are disjoint and by address, so ticks are assigned as to
//! other symbols. The first of several ranges of an inlined function represents all:
//! [`Inlines::whole`] returns it for the others, and the function for its own code after inlined
//! code (4 in the drawing). An inlined function without remaining code has an empty symbol, so
//! that each has a symbol.

use std::sync::Arc;

use super::symbol::{SourceLine, SymbolId, id_of};

/// The number of an inlined function in its table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct InlineId(pub u32);

impl InlineId {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// An inlined function at one call site: all its code from there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InlinedFunction {
    /// The name that it would have as a symbol.
    pub name: Arc<[u8]>,
    /// The symbol of the function that contains its code.
    pub enclosing: SymbolId,
    /// The inlined function that contains it; `None` if `enclosing` does.
    pub outer: Option<InlineId>,
    pub call: Option<SourceLine>,
    /// The first symbol of its code, which represents all of it in tables by inlined function.
    pub symbol: SymbolId,
}

/// The inlined functions of a table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Inlines {
    functions: Vec<InlinedFunction>,
    /// For each symbol the innermost inlined function.
    of_symbols: Vec<Option<InlineId>>,
    /// For each symbol the function that contains it, or itself.
    enclosing_functions: Vec<SymbolId>,
}

impl Inlines {
    /// `of_symbols` and `enclosing_functions` have one item for each symbol.
    pub(super) fn new(
        functions: Vec<InlinedFunction>,
        of_symbols: Vec<Option<InlineId>>,
        enclosing_functions: Vec<SymbolId>,
    ) -> Self {
        debug_assert_eq!(of_symbols.len(), enclosing_functions.len());
        Self { functions, of_symbols, enclosing_functions }
    }

    /// Appends the inlined functions of a following table. `joined` converts its lines to lines
    /// of the whole table.
    pub(super) fn append(
        &mut self,
        added: Option<&Self>,
        n_symbols: usize,
        joined: &mut impl FnMut(SourceLine) -> SourceLine,
    ) {
        let first = self.enclosing_functions.len();
        let symbol = |id: SymbolId| id_of(first + id.index());
        let n_functions = u32::try_from(self.functions.len()).unwrap_or(u32::MAX);
        let inline = |id: InlineId| InlineId(n_functions + id.0);
        let Some(added) = added else {
            self.of_symbols.resize(first + n_symbols, None);
            self.enclosing_functions.extend((first..first + n_symbols).map(id_of));
            return;
        };
        let functions = added.functions.iter().map(|function| InlinedFunction {
            name: Arc::clone(&function.name),
            enclosing: symbol(function.enclosing),
            outer: function.outer.map(inline),
            call: function.call.map(&mut *joined),
            symbol: symbol(function.symbol),
        });
        self.functions.extend(functions);
        let of_symbols = added.of_symbols.iter().map(|id| id.map(inline));
        self.of_symbols.extend(of_symbols);
        self.enclosing_functions.extend(added.enclosing_functions.iter().copied().map(symbol));
    }

    /// Moves symbols: `order` has their previous positions.
    pub(super) fn reorder(&mut self, order: &[usize]) {
        let mut moved = vec![SymbolId(0); order.len()];
        for (new, &old) in order.iter().enumerate() {
            moved[old] = id_of(new);
        }
        for function in &mut self.functions {
            function.enclosing = moved[function.enclosing.index()];
            function.symbol = moved[function.symbol.index()];
        }
        self.of_symbols = order.iter().map(|&old| self.of_symbols[old]).collect();
        let enclosing = order.iter().map(|&old| moved[self.enclosing_functions[old].index()]);
        self.enclosing_functions = enclosing.collect();
    }

    /// All of them, each after the one that contains it.
    pub fn iter(&self) -> impl Iterator<Item = (InlineId, &InlinedFunction)> {
        (0..).map(InlineId).zip(&self.functions)
    }

    pub fn get(&self, id: InlineId) -> &InlinedFunction {
        &self.functions[id.index()]
    }

    /// The innermost inlined function of a symbol.
    pub fn of(&self, symbol: SymbolId) -> Option<InlineId> {
        self.of_symbols[symbol.index()]
    }

    /// All inlined functions at a symbol, outermost first.
    pub fn stack(&self, symbol: SymbolId) -> Vec<InlineId> {
        let mut next = self.of(symbol);
        let mut stack = Vec::new();
        while let Some(id) = next {
            stack.push(id);
            next = self.get(id).outer;
        }
        stack.reverse();
        stack
    }

    /// The function that contains a symbol, or the symbol itself.
    pub fn enclosing_function(&self, symbol: SymbolId) -> SymbolId {
        self.enclosing_functions[symbol.index()]
    }

    /// The symbol that represents all code of the same function, inlined at the same place or not
    /// inlined. For tables by inlined function; in tables by line, each line represents itself.
    pub fn whole(&self, symbol: SymbolId) -> SymbolId {
        match self.of(symbol) {
            Some(id) => self.get(id).symbol,
            None => self.enclosing_function(symbol),
        }
    }
}
