//! Prints types, in two halves around the declared name.

use std::collections::hash_map::Entry;

use super::super::node::{Modifier, Node, NodeId, SequencePart, Signature};
use super::{NameSyntax, Printer, TemplateContext};

impl<'a> Printer<'_, 'a> {
    pub(super) fn type_left(&mut self, id: NodeId) -> Option<()> {
        match &self.nodes[id] {
            Node::Builtin(builtin) => self.text(match self.syntax {
                NameSyntax::Cxx => builtin.name,
                NameSyntax::Java => builtin.java(),
            }),
            Node::Modified(modifier, inner) => {
                let (modifier, inner, context) = self.collapsed(id, *modifier, *inner)?;
                self.within(context, |printer| printer.left(inner))?;
                if self.needs_parentheses(modifier, inner, context)? {
                    self.open(inner, context)?;
                }
                self.modifier(modifier)
            }
            Node::FunctionType(signature) => self.left(signature.result?),
            Node::Array(_, element) => self.left(*element),
            Node::Vector(size, element) => {
                self.left(*element)?;
                self.text(" __vector(");
                self.print(*size)?;
                self.text(")")
            }
            Node::MemberPointer(class, member) => {
                self.left(*member)?;
                if self.is_declared_around(*member, self.context)? {
                    self.open(*member, self.context)?;
                } else {
                    self.text(" ");
                }
                self.print(*class)?;
                self.text("::*")
            }
            Node::TemplateParameter(index) => {
                let (resolved, context) = self.resolve(id, self.context)?;
                if resolved == id {
                    return self
                        .parts(&[SequencePart::Text("auto:"), SequencePart::Number(index + 1)]);
                }
                self.within(context, |printer| printer.left(resolved))
            }
            Node::Expansion(pattern) => self.expansion(*pattern),
            _ => None,
        }
    }

    pub(super) fn type_right(&mut self, id: NodeId) -> Option<()> {
        match &self.nodes[id] {
            Node::Modified(modifier, inner) => {
                let (modifier, inner, context) = self.collapsed(id, *modifier, *inner)?;
                let is_wrapped = self.needs_parentheses(modifier, inner, context)?;
                self.within(context, |printer| {
                    if is_wrapped { printer.close(inner) } else { printer.right(inner) }
                })
            }
            Node::FunctionType(signature) => {
                self.space_unless_declarator(signature.result?)?;
                self.after_function(signature)
            }
            Node::Array(size, element) => self.after_array(*size, *element),
            Node::Vector(_, element) => self.right(*element),
            Node::MemberPointer(_, member) => {
                if self.is_declared_around(*member, self.context)? {
                    self.close(*member)
                } else {
                    self.right(*member)
                }
            }
            Node::TemplateParameter(_) => {
                let (resolved, context) = self.resolve(id, self.context)?;
                if resolved == id {
                    Some(())
                } else {
                    self.within(context, |printer| printer.right(resolved))
                }
            }
            _ => Some(()),
        }
    }

    /// A modifier and its type. A reference to a reference is one reference, `&&` only if both
    /// are; `const` twice is `const`.
    fn collapsed(
        &mut self,
        id: NodeId,
        modifier: Modifier<'a>,
        inner: NodeId,
    ) -> Option<(Modifier<'a>, NodeId, TemplateContext)> {
        use Modifier::{LvalueReference, RvalueReference};
        let mut modifier = modifier;
        let mut found = (inner, self.context);
        if modifier == Modifier::Pointer {
            return Some((modifier, found.0, found.1));
        }
        if matches!(modifier, LvalueReference | RvalueReference) {
            found.1 = self.first_context(id, inner);
        }
        loop {
            let (resolved, context) = self.resolve(found.0, found.1)?;
            let Node::Modified(next, inner) = self.nodes[resolved] else {
                return Some((modifier, found.0, found.1));
            };
            modifier = match (modifier, next) {
                (LvalueReference | RvalueReference, LvalueReference) => LvalueReference,
                (LvalueReference | RvalueReference, RvalueReference) => modifier,
                (Modifier::Word(_), _) if next == modifier => modifier,
                _ => return Some((modifier, found.0, found.1)),
            };
            found = (inner, context);
        }
    }

    /// Where a template parameter that is referred to was first printed. A
    /// substitution may bring the reference to where its parameter means
    /// something else, and libiberty remembers.
    fn first_context(&mut self, reference: NodeId, inner: NodeId) -> TemplateContext {
        if self.is_in_lambda || !matches!(self.nodes[inner], Node::TemplateParameter(_)) {
            return self.context;
        }
        let is_within = self.n_printing[reference] > 1 || self.n_printing[inner] > 0;
        match self.first_contexts.entry(inner) {
            Entry::Vacant(entry) => *entry.insert(self.context),
            Entry::Occupied(_) if is_within => self.context,
            Entry::Occupied(entry) => *entry.get(),
        }
    }

    fn modifier(&mut self, modifier: Modifier<'_>) -> Option<()> {
        match (modifier, self.syntax) {
            (Modifier::Pointer, NameSyntax::Cxx) => self.text("*"),
            (Modifier::Pointer, NameSyntax::Java) => Some(()),
            (Modifier::LvalueReference, _) => self.text("&"),
            (Modifier::RvalueReference, _) => self.text("&&"),
            (Modifier::Word(word), _) => {
                self.text(" ");
                self.text(word)
            }
            (Modifier::Vendor(word), _) => {
                self.text(" ");
                self.bytes(word)
            }
        }
    }

    fn needs_parentheses(
        &mut self,
        modifier: Modifier<'_>,
        inner: NodeId,
        context: TemplateContext,
    ) -> Option<bool> {
        Some(!matches!(modifier, Modifier::Word(_)) && self.is_declared_around(inner, context)?)
    }

    /// Whether a pointer to this needs parentheses: functions and arrays do.
    fn is_declared_around(&mut self, id: NodeId, context: TemplateContext) -> Option<bool> {
        let (resolved, context) = self.resolve(id, context)?;
        match self.nodes[resolved] {
            Node::FunctionType(_) | Node::Array(..) => Some(true),
            Node::Modified(Modifier::Word(_), inner) => self.is_declared_around(inner, context),
            _ => Some(false),
        }
    }

    /// Whether the type has a right half.
    fn has_right(&mut self, id: NodeId, context: TemplateContext) -> Option<bool> {
        let (resolved, context) = self.resolve(id, context)?;
        match self.nodes[resolved] {
            Node::FunctionType(_) | Node::Array(..) => Some(true),
            Node::Modified(_, inner) | Node::MemberPointer(_, inner) => {
                self.has_right(inner, context)
            }
            _ => Some(false),
        }
    }

    /// A space between a result and what follows, unless the result ends in
    /// an open declarator: `int f()`, but `int (*f())()`.
    pub(super) fn space_unless_declarator(&mut self, result: NodeId) -> Option<()> {
        if !self.has_right(result, self.context)? {
            self.text(" ");
        }
        Some(())
    }

    /// Opens the parentheses around a declarator, as in `int (*`.
    fn open(&mut self, inner: NodeId, context: TemplateContext) -> Option<()> {
        let (resolved, context) = self.resolve(inner, context)?;
        let is_nested = match &self.nodes[resolved] {
            Node::FunctionType(signature) => self.has_right(signature.result?, context)?,
            _ => false,
        };
        self.text(if is_nested { "(" } else { " (" })
    }

    fn close(&mut self, inner: NodeId) -> Option<()> {
        self.text(")");
        let (resolved, context) = self.resolve(inner, self.context)?;
        self.within(context, |printer| match &printer.nodes[resolved] {
            Node::FunctionType(signature) => printer.after_function(signature),
            _ => printer.right(resolved),
        })
    }

    fn after_function(&mut self, signature: &Signature) -> Option<()> {
        self.in_parentheses(|printer| printer.list(&signature.parameters))?;
        if let Some((word, operands)) = &signature.qualifiers.computed {
            self.words(&[word])?;
            self.in_parentheses(|printer| printer.list(operands))?;
        }
        self.words(&signature.qualifiers.words)?;
        self.right(signature.result?)
    }

    fn after_array(&mut self, size: Option<NodeId>, element: NodeId) -> Option<()> {
        if self.out.last() != Some(&b']') {
            self.text(" ");
        }
        self.text("[");
        if let Some(size) = size {
            self.print(size)?;
        }
        self.text("]");
        self.right(element)
    }
}
