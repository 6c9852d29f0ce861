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
//!
//! [`Inlines::promote`] turns inlined functions that a user named into functions of the table:
//! one for each caller, whose symbol is the first of its code there.

use std::collections::HashMap;
use std::sync::Arc;

use foldhash::fast::RandomState;

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

/// An inlined function that counts as a function: all its copies in one caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InlinedCall {
    pub callee: SymbolId,
    /// The function that contains the copies, or an inlined function that counts as one too.
    pub caller: SymbolId,
    pub n_copies: u32,
}

/// The inlined functions of a table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Inlines {
    functions: Vec<InlinedFunction>,
    /// For each symbol the innermost inlined function.
    of_symbols: Vec<Option<InlineId>>,
    /// For each symbol the function that contains it, or itself.
    enclosing_functions: Vec<SymbolId>,
    /// Inlined functions that count as functions, by callee.
    calls: Vec<InlinedCall>,
    /// The others are parts of functions that nobody asked for.
    has_no_parts: bool,
}

impl Inlines {
    /// `of_symbols` and `enclosing_functions` have one item for each symbol.
    pub(super) fn new(
        functions: Vec<InlinedFunction>,
        of_symbols: Vec<Option<InlineId>>,
        enclosing_functions: Vec<SymbolId>,
    ) -> Self {
        debug_assert_eq!(of_symbols.len(), enclosing_functions.len());
        Self { functions, of_symbols, enclosing_functions, ..Self::default() }
    }

    /// Makes functions of the inlined functions with a name that `is_function` selects. Without
    /// `keeps_parts`, all others become code of the function that contains them. Linear in
    /// inlined functions and symbols, times the depth of selected ones.
    pub(super) fn promote(&mut self, is_function: impl Fn(&[u8]) -> bool, keeps_parts: bool) {
        let mut calls: HashMap<SymbolId, (InlinedCall, Arc<[u8]>), RandomState> =
            HashMap::default();
        let mut known: HashMap<(SymbolId, Arc<[u8]>), SymbolId, RandomState> = HashMap::default();
        // The function of each, and its number among the parts that remain.
        let mut promoted: Vec<(SymbolId, Option<InlineId>)> = Vec::new();
        let mut parts = Vec::new();
        for one in &self.functions {
            let (caller, outer) = match one.outer {
                Some(outer) => promoted[outer.index()],
                None => (one.enclosing, None),
            };
            if !is_function(&one.name) {
                let id = InlineId(u32::try_from(parts.len()).unwrap_or(u32::MAX));
                parts.push(InlinedFunction { enclosing: caller, outer, ..one.clone() });
                promoted.push((caller, Some(id)));
                continue;
            }
            // Recursion may be inlined too.
            let mut same = Some(caller);
            while let Some((call, name)) = same.and_then(|id| calls.get(&id))
                && *name != one.name
            {
                same = Some(call.caller);
            }
            let callee = match same.filter(|id| calls.contains_key(id)) {
                Some(same) => same,
                None => {
                    let key = (caller, Arc::clone(&one.name));
                    let callee = *known.entry(key).or_insert(one.symbol);
                    let call = InlinedCall { callee, caller, n_copies: 0 };
                    let call = calls.entry(callee).or_insert((call, Arc::clone(&one.name)));
                    call.0.n_copies += 1;
                    callee
                }
            };
            promoted.push((callee, None));
        }
        for (of, enclosing) in self.of_symbols.iter_mut().zip(&mut self.enclosing_functions) {
            if let Some(id) = *of {
                let part;
                (*enclosing, part) = promoted[id.index()];
                *of = part.filter(|_| keeps_parts);
            }
        }
        self.functions = if keeps_parts { parts } else { Vec::new() };
        self.has_no_parts = !keeps_parts;
        self.calls = calls.into_values().map(|(call, _)| call).collect();
        self.calls.sort_unstable_by_key(|call| call.callee);
    }

    /// Returns whether inlined functions are parts of the functions that contain them.
    pub fn has_parts(&self) -> bool {
        !self.has_no_parts
    }

    /// Inlined functions that count as functions.
    pub fn calls(&self) -> &[InlinedCall] {
        &self.calls
    }

    /// The call of an inlined function that counts as a function.
    pub fn call_of(&self, callee: SymbolId) -> Option<&InlinedCall> {
        let index = self.calls.binary_search_by_key(&callee, |call| call.callee).ok()?;
        Some(&self.calls[index])
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
        self.has_no_parts |= added.has_no_parts;
        self.calls.extend(added.calls.iter().map(|call| InlinedCall {
            callee: symbol(call.callee),
            caller: symbol(call.caller),
            ..*call
        }));
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
        for call in &mut self.calls {
            call.callee = moved[call.callee.index()];
            call.caller = moved[call.caller.index()];
        }
        self.calls.sort_unstable_by_key(|call| call.callee);
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
