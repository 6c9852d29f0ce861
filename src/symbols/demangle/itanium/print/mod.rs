//! Prints the tree of a C++ name as libiberty does.
//!
//! A type is printed in two halves, around the declared name: `void (*` and `)(int)`. Names
//! and expressions are left halves.

mod types;

use std::collections::HashMap;

use super::super::demangler::DemangleBudget;
use super::node::{Node, NodeId, SequencePart, SequenceRole, Signature};
use crate::limits::DEEPEST;

/// Syntax of printed names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in super::super) enum NameSyntax {
    #[default]
    Cxx,
    /// Dots for `::`, no pointers, results after parameters, Java type names.
    Java,
}

/// Prints the node and all nodes that it refers to, or nothing if that has no end.
///
/// The number of steps in the budget limits the visited nodes and the printed bytes.
pub(super) fn print(
    nodes: &[Node<'_>],
    root: NodeId,
    syntax: NameSyntax,
    budget: &mut DemangleBudget,
) -> Option<Vec<u8>> {
    let mut printer = Printer {
        nodes,
        syntax,
        pack_index: Some(0),
        n_printing: vec![0; nodes.len()],
        limit: budget.limit,
        ..Printer::default()
    };
    let printed = printer.print(root);
    budget.took(printer.n_visits.max(printer.out.len()));
    budget.is_exceeded |= printed.is_none() && printer.is_hostile;
    printed.map(|()| printer.out)
}

/// The innermost function template around the current position, as an index into `templates`.
type TemplateContext = Option<usize>;

/// A function template whose arguments are known.
#[derive(Clone, Copy, Debug)]
struct Template<'t> {
    arguments: &'t [NodeId],
    /// The context of the arguments themselves.
    outer: TemplateContext,
}

#[derive(Default)]
struct Printer<'t, 'a> {
    nodes: &'t [Node<'a>],
    syntax: NameSyntax,
    out: Vec<u8>,
    /// The byte written last, even if it was taken back: after an empty pack
    /// libiberty prints `A<B<C>>`, elsewhere `A<B<C> >`.
    last: u8,
    templates: Vec<Template<'t>>,
    context: TemplateContext,
    /// Parameters of a generic lambda print as themselves.
    is_in_lambda: bool,
    /// The arguments of the template being printed, which the type of a conversion operator
    /// can refer to.
    converted: Option<&'t [NodeId]>,
    /// The contexts in which references to template parameters were first printed.
    first_contexts: HashMap<NodeId, TemplateContext>,
    /// The current element of a pack; `None` for all of them. As in libiberty, it is not reset
    /// after an expansion.
    pack_index: Option<usize>,
    depth: usize,
    /// How often each node is being printed.
    n_printing: Vec<u8>,
    n_visits: usize,
    /// Maximum number of nodes visited, and of bytes printed.
    limit: usize,
    /// A limit was exceeded.
    is_hostile: bool,
}

impl<'t> Printer<'t, '_> {
    fn print(&mut self, id: NodeId) -> Option<()> {
        self.left(id)?;
        self.right(id)
    }

    /// Prints the part before the declared name; for anything but a type, all of it.
    fn left(&mut self, id: NodeId) -> Option<()> {
        self.visit(id, |printer| match &printer.nodes[id] {
            Node::Sequence(_, parts) => printer.parts(parts),
            Node::Identifier(name) => printer.bytes(name),
            Node::Fixed(words) => printer.text(words),
            Node::Scoped(scope, name) => {
                printer.print(*scope)?;
                printer.separator();
                printer.print(*name)
            }
            Node::Tagged(name, tag) => {
                printer.print(*name)?;
                printer.text("[abi:")?;
                printer.bytes(tag)?;
                printer.text("]")
            }
            Node::Template(name, arguments) => printer.template(*name, arguments),
            Node::Lambda(parameters, index) => printer.lambda(parameters, *index),
            Node::Local(function, entity) => {
                printer.without_result(*function)?;
                printer.separator();
                printer.print(*entity)
            }
            Node::DefaultArgument(index, name) => {
                printer.default_argument(*index)?;
                printer.print(*name)
            }
            Node::Qualified(name, words) => {
                printer.print(*name)?;
                printer.words(words)
            }
            Node::Conversion(type_) => printer.conversion(*type_),
            Node::Function(name, signature) => printer.function(*name, signature, true),
            Node::List(items) | Node::Pack(items) => printer.list(items),
            Node::SizeofPack(pack) => {
                let length = printer.pack_length(*pack)?.unwrap_or(0);
                printer.text(&length.to_string())
            }
            Node::Fold(parts) => {
                let index = printer.pack_index.take();
                printer.parts(parts)?;
                printer.pack_index = index;
                Some(())
            }
            Node::SizeofArguments(arguments) => printer.arguments_size(arguments),
            _ => printer.type_left(id),
        })
    }

    /// Prints the part after the declared name.
    fn right(&mut self, id: NodeId) -> Option<()> {
        self.visit(id, |printer| printer.type_right(id))
    }

    /// Prints a node or its right half; libiberty prints none within itself a third time.
    fn visit(&mut self, id: NodeId, print: impl FnOnce(&mut Self) -> Option<()>) -> Option<()> {
        if self.n_printing[id] > 1 {
            return None;
        }
        self.n_printing[id] += 1;
        let result = self.descend(print);
        self.n_printing[id] -= 1;
        result
    }

    /// Goes one level down, within the limits.
    fn descend<T>(&mut self, visit: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        self.n_visits += 1;
        let is_hostile =
            self.depth == 2 * DEEPEST || self.n_visits >= self.limit || self.out.len() > self.limit;
        if is_hostile {
            self.is_hostile = true;
            return None;
        }
        self.depth += 1;
        let result = visit(self);
        self.depth -= 1;
        result
    }

    fn within<T>(
        &mut self,
        context: TemplateContext,
        print: impl FnOnce(&mut Self) -> Option<T>,
    ) -> Option<T> {
        let before = std::mem::replace(&mut self.context, context);
        let result = print(self);
        self.context = before;
        result
    }

    /// The node behind a node, and the context to print it in: template parameters are followed
    /// to their arguments.
    fn resolve(
        &self,
        mut id: NodeId,
        mut context: TemplateContext,
    ) -> Option<(NodeId, TemplateContext)> {
        while let Node::TemplateParameter(index) = self.nodes[id]
            && !self.is_in_lambda
        {
            (id, context) = self.argument(index, context?)?;
        }
        Some((id, context))
    }

    /// The argument of a template parameter, and the context to print it in.
    fn argument(&self, index: usize, template: usize) -> Option<(NodeId, TemplateContext)> {
        let template = self.templates[template];
        let argument = *template.arguments.get(index)?;
        let element = match (&self.nodes[argument], self.pack_index) {
            (Node::Pack(elements), Some(index)) => *elements.get(index)?,
            _ => argument,
        };
        Some((element, template.outer))
    }

    /// Prints items with commas between them, but none before items that print as nothing at
    /// the end.
    fn list(&mut self, items: &[NodeId]) -> Option<()> {
        let mut end = self.out.len();
        for (index, &item) in items.iter().enumerate() {
            if index > 0 {
                self.text(", ");
            }
            let before = self.out.len();
            self.print(item)?;
            if index == 0 || self.out.len() > before {
                end = self.out.len();
            }
        }
        self.out.truncate(end);
        Some(())
    }

    /// Prints a pattern once for each element of the first pack in it.
    fn expansion(&mut self, pattern: NodeId) -> Option<()> {
        let length = if self.is_in_lambda { None } else { self.pack_length(pattern)? };
        let Some(length) = length else {
            // Without elements to repeat, the pattern represents all of them.
            self.operand(pattern)?;
            return self.text("...");
        };
        for index in 0..length {
            if index > 0 {
                self.text(", ");
            }
            self.pack_index = Some(index);
            self.print(pattern)?;
        }
        Some(())
    }

    /// The length of the first pack that a node refers to, if any.
    #[expect(clippy::option_option, reason = "the outer one is that of all visits")]
    fn pack_length(&mut self, id: NodeId) -> Option<Option<usize>> {
        if let Node::TemplateParameter(index) = self.nodes[id] {
            let argument = self.templates[self.context?].arguments.get(index);
            return Some(argument.and_then(|&argument| match &self.nodes[argument] {
                Node::Pack(elements) => Some(elements.len()),
                _ => None,
            }));
        }
        self.descend(|printer| {
            for part in printer.nodes[id].expanded_parts() {
                let length = printer.pack_length(part)?;
                if length.is_some() {
                    return Some(length);
                }
            }
            Some(None)
        })
    }

    fn parts(&mut self, parts: &[SequencePart<'_>]) -> Option<()> {
        for part in parts {
            match *part {
                SequencePart::Text(text) => self.text(text),
                SequencePart::Bytes(bytes) => self.bytes(bytes),
                SequencePart::Number(number) => self.text(&number.to_string()),
                SequencePart::Print(id) => self.print(id),
                SequencePart::Operand(id) => self.operand(id),
            }?;
        }
        Some(())
    }

    /// An operand, in parentheses unless it is a plain name.
    fn operand(&mut self, id: NodeId) -> Option<()> {
        match self.nodes[id] {
            Node::Identifier(_)
            | Node::Fixed(_)
            | Node::Scoped(..)
            | Node::Sequence(SequenceRole::Closed, _) => self.print(id),
            _ => self.in_parentheses(|printer| printer.print(id)),
        }
    }

    fn separator(&mut self) {
        self.text(match self.syntax {
            NameSyntax::Cxx => "::",
            NameSyntax::Java => ".",
        });
    }

    fn text(&mut self, text: &str) -> Option<()> {
        self.bytes(text.as_bytes())
    }

    /// Prints bytes. It never fails, but comes as the last step of many that may.
    fn bytes(&mut self, bytes: &[u8]) -> Option<()> {
        self.out.extend_from_slice(bytes);
        self.last = bytes.last().copied().unwrap_or(self.last);
        Some(())
    }

    fn in_parentheses(&mut self, print: impl FnOnce(&mut Self) -> Option<()>) -> Option<()> {
        self.text("(");
        print(self)?;
        self.text(")")
    }

    /// Prints `text`, after a space if it would merge with the previous text.
    fn apart_from(&mut self, last: u8, text: &str) -> Option<()> {
        if self.last == last {
            self.text(" ");
        }
        self.text(text)
    }

    /// The template arguments of a function's name.
    fn arguments_of(&self, mut name: NodeId) -> Option<&'t [NodeId]> {
        loop {
            name = match &self.nodes[name] {
                Node::Template(_, arguments) => return Some(arguments),
                Node::Qualified(name, _)
                | Node::Local(_, name)
                | Node::DefaultArgument(_, name) => *name,
                _ => return None,
            };
        }
    }

    fn template(&mut self, name: NodeId, arguments: &'t [NodeId]) -> Option<()> {
        let is_java_array = self.syntax == NameSyntax::Java
            && matches!(self.nodes[name], Node::Identifier(b"JArray"));
        if is_java_array {
            self.list(arguments)?;
            return self.text("[]");
        }
        let around = self.converted.replace(arguments);
        self.print(name)?;
        self.arguments(arguments)?;
        self.converted = around;
        Some(())
    }

    fn arguments(&mut self, arguments: &[NodeId]) -> Option<()> {
        self.apart_from(b'<', "<");
        self.list(arguments)?;
        self.apart_from(b'>', ">")
    }

    /// A conversion operator. Its type can refer to the arguments that follow it, but the
    /// arguments of that type refer to the enclosing ones.
    fn conversion(&mut self, type_: NodeId) -> Option<()> {
        self.text("operator ");
        let mut context = self.context;
        if let Some(arguments) = self.converted {
            self.templates.push(Template { arguments, outer: context });
            context = Some(self.templates.len() - 1);
        }
        match &self.nodes[type_] {
            Node::Template(name, arguments) => {
                self.within(context, |printer| printer.print(*name))?;
                self.arguments(arguments)
            }
            _ => self.within(context, |printer| printer.print(type_)),
        }
    }

    fn lambda(&mut self, parameters: &[NodeId], index: usize) -> Option<()> {
        self.text("{lambda(");
        let is_in_lambda = std::mem::replace(&mut self.is_in_lambda, true);
        self.list(parameters)?;
        self.is_in_lambda = is_in_lambda;
        self.parts(&[
            SequencePart::Text(")#"),
            SequencePart::Number(index),
            SequencePart::Text("}"),
        ])
    }

    /// `sizeof...` of arguments, which is known by now.
    fn arguments_size(&mut self, arguments: &[NodeId]) -> Option<()> {
        let mut size = 0;
        for &argument in arguments {
            size += match self.nodes[argument] {
                Node::Expansion(pattern) => self.pack_length(pattern)?.unwrap_or(0),
                _ => 1,
            };
        }
        self.text(&size.to_string())
    }

    /// A function that only gives its local name a place.
    fn without_result(&mut self, id: NodeId) -> Option<()> {
        match &self.nodes[id] {
            Node::Function(name, signature) => self.function(*name, signature, false),
            _ => self.print(id),
        }
    }

    /// A function: its result, its name, its parameters and the qualifiers of its `this`.
    fn function(&mut self, name: NodeId, signature: &Signature, has_result: bool) -> Option<()> {
        let outer = self.context;
        let mut context = outer;
        if let Some(arguments) = self.arguments_of(name) {
            self.templates.push(Template { arguments, outer });
            context = Some(self.templates.len() - 1);
        }
        let result = signature.result.filter(|_| has_result);
        self.within(context, |printer| match (result, printer.syntax) {
            (Some(result), NameSyntax::Cxx) => {
                printer.left(result)?;
                printer.space_unless_declarator(result)?;
                printer.declarator(name, outer, signature)?;
                printer.right(result)
            }
            (Some(result), NameSyntax::Java) => {
                printer.declarator(name, outer, signature)?;
                printer.print(result)
            }
            (None, _) => printer.declarator(name, outer, signature),
        })
    }

    /// The name, which does not refer to its own arguments, and the parameters.
    fn declarator(
        &mut self,
        name: NodeId,
        outer: TemplateContext,
        signature: &Signature,
    ) -> Option<()> {
        self.within(outer, |printer| printer.without_words(name))?;
        self.in_parentheses(|printer| printer.list(&signature.parameters))?;
        self.words(self.this_words(name))
    }

    /// A function's name without the qualifiers of its `this`.
    fn without_words(&mut self, name: NodeId) -> Option<()> {
        match self.nodes[name] {
            Node::Qualified(name, _) => self.print(name),
            Node::Local(function, name) => {
                self.without_result(function)?;
                self.separator();
                self.without_words(name)
            }
            Node::DefaultArgument(index, name) => {
                self.default_argument(index)?;
                self.without_words(name)
            }
            _ => self.print(name),
        }
    }

    /// Qualifiers of a member function's `this`, which are part of its name.
    fn this_words(&self, mut name: NodeId) -> &'t [&'static str] {
        loop {
            name = match &self.nodes[name] {
                Node::Qualified(_, words) => return words,
                Node::Local(_, name) | Node::DefaultArgument(_, name) => *name,
                _ => return &[],
            };
        }
    }

    fn default_argument(&mut self, index: usize) -> Option<()> {
        self.parts(&[
            SequencePart::Text("{default arg#"),
            SequencePart::Number(index),
            SequencePart::Text("}"),
        ])?;
        self.separator();
        Some(())
    }

    fn words(&mut self, words: &[&str]) -> Option<()> {
        for word in words {
            self.text(" ");
            self.text(word);
        }
        Some(())
    }
}
