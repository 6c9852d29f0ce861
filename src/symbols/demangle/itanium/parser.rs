//! The state of the parser: the rest of the name, the nodes so far, and the substitutions for
//! a later `S_`.

use super::node::{Node, NodeId, SequencePart, SequenceRole};
use crate::limits::DEEPEST;

/// Reads one mangled name. Productions are spread over the sibling files.
///
/// Every method consumes the input that it recognises and returns `None` if the name is not
/// valid; a failed input is never read again.
#[derive(Default)]
pub(super) struct Parser<'a> {
    /// The unread rest.
    pub(super) rest: &'a [u8],
    pub(super) nodes: Vec<Node<'a>>,
    pub(super) substitutions: Vec<NodeId>,
    depth: usize,
    max_nodes: usize,
    /// Productions nest too deeply or are too many.
    pub(super) is_hostile: bool,
    /// The last class name, for the names of constructors.
    pub(super) class_name: Option<NodeId>,
    /// The type of a conversion operator is being read; template arguments belong to the
    /// operator.
    pub(super) in_conversion: bool,
    /// A member follows.
    pub(super) in_prefix: bool,
    /// Within an expression, where a name is not a function.
    pub(super) in_expression: bool,
}

impl<'a> Parser<'a> {
    /// A parser with at most `max_nodes` nodes: an ambiguous `sr` is read twice, and a
    /// hostile name nests it.
    pub(super) fn new(name: &'a [u8], max_nodes: usize) -> Self {
        Self { rest: name, max_nodes, ..Self::default() }
    }

    pub(super) fn add(&mut self, node: Node<'a>) -> NodeId {
        self.nodes.push(node);
        self.nodes.len() - 1
    }

    /// Adds parts that are printed one after the other.
    pub(super) fn sequence(&mut self, parts: impl Into<Vec<SequencePart<'a>>>) -> NodeId {
        self.add(Node::Sequence(SequenceRole::Compound, parts.into()))
    }

    /// Lets a later `S_` refer to this node.
    pub(super) fn remember(&mut self, id: NodeId) -> NodeId {
        self.substitutions.push(id);
        id
    }

    /// Runs a production that may contain itself.
    pub(super) fn nested<T>(
        &mut self,
        production: impl FnOnce(&mut Self) -> Option<T>,
    ) -> Option<T> {
        if self.depth == DEEPEST || self.nodes.len() > self.max_nodes {
            self.is_hostile = true;
            return None;
        }
        self.depth += 1;
        let result = production(self);
        self.depth -= 1;
        result
    }

    /// Runs a production that may turn out to be the wrong one.
    pub(super) fn attempt<T>(
        &mut self,
        production: impl FnOnce(&mut Self) -> Option<T>,
    ) -> Option<T> {
        let (rest, depth, n_substitutions) = (self.rest, self.depth, self.substitutions.len());
        let (class_name, in_conversion, in_expression) =
            (self.class_name, self.in_conversion, self.in_expression);
        let result = self.nested(production);
        if result.is_none() {
            self.rest = rest;
            self.depth = depth;
            self.substitutions.truncate(n_substitutions);
            self.class_name = class_name;
            self.in_conversion = in_conversion;
            self.in_expression = in_expression;
        }
        result
    }

    pub(super) fn peek(&self) -> Option<u8> {
        self.rest.first().copied()
    }

    pub(super) fn skip(&mut self, n_bytes: usize) {
        self.rest = self.rest.get(n_bytes..).unwrap_or_default();
    }

    pub(super) fn next(&mut self) -> Option<u8> {
        let (&first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(first)
    }

    /// Consumes `prefix` if it comes next.
    pub(super) fn eat(&mut self, prefix: &[u8]) -> bool {
        let rest = self.rest.strip_prefix(prefix);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    pub(super) fn expect(&mut self, prefix: &[u8]) -> Option<()> {
        self.eat(prefix).then_some(())
    }

    pub(super) fn take_while(&mut self, accept: impl Fn(u8) -> bool) -> &'a [u8] {
        let end = self.rest.iter().position(|&byte| !accept(byte));
        let (taken, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        self.rest = rest;
        taken
    }

    /// A decimal number without sign.
    pub(super) fn number(&mut self) -> Option<usize> {
        let digits = self.take_while(|byte| byte.is_ascii_digit());
        std::str::from_utf8(digits).ok()?.parse().ok()
    }

    /// Bytes after their number.
    pub(super) fn counted(&mut self) -> Option<&'a [u8]> {
        let n_bytes = self.number()?;
        let (taken, rest) = self.rest.split_at_checked(n_bytes)?;
        self.rest = rest;
        Some(taken)
    }

    /// `_` is 0, `0_` is 1, and so on, as in template parameters.
    pub(super) fn compact_number(&mut self) -> Option<usize> {
        if self.eat(b"_") {
            return Some(0);
        }
        let number = self.number()?;
        self.expect(b"_")?;
        number.checked_add(1)
    }

    /// Repeats a production up to the closing `E`.
    pub(super) fn until_end<T>(
        &mut self,
        mut production: impl FnMut(&mut Self) -> Option<T>,
    ) -> Option<Box<[T]>> {
        let mut found = Vec::new();
        while !self.eat(b"E") {
            found.push(production(self)?);
        }
        Some(found.into())
    }
}
