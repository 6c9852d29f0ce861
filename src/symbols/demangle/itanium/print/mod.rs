//! Prints the tree of a C++ name as libiberty does.
//!
//! A type is printed in two halves, around the declared name: `void (*` and `)(int)`. Names
//! and expressions are left halves.

mod types;

use std::collections::HashMap;

use super::super::demangler::DemangleBudget;
use super::node::{Node, NodeId, SequencePart, SequenceRole, Signature};

/// Maximum depth of printing; deeper names are hostile.
const MAX_DEPTH: usize = 400;

/// Syntax of printed names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum NameSyntax {
    Cxx,
    /// Dots for `::`, no pointers, results after parameters, Java type names.
    Java,
}

/// Prints the node and what it refers to, or nothing if that has no end.
///
/// As many nodes may be visited, and as many bytes printed, as the budget has steps.
pub(super) fn print(
    nodes: &[Node<'_>],
    root: NodeId,
    syntax: NameSyntax,
    budget: &mut DemangleBudget,
) -> Option<Vec<u8>> {
    let mut printer = Printer {
        nodes,
        syntax,
        out: Vec::new(),
        last: 0,
        templates: Vec::new(),
        context: TemplateContext::default(),
        first_contexts: HashMap::new(),
        pack_length: None,
        depth: 0,
        n_visits: 0,
        limit: budget.limit,
        is_hostile: false,
    };
    let printed = printer.print(root);
    budget.took(printer.n_visits.max(printer.out.len()));
    budget.is_exceeded |= printed.is_none() && printer.is_hostile;
    printed.map(|()| printer.out)
}

/// The values of template parameters at the current position.
#[derive(Clone, Copy, Debug, Default)]
struct TemplateContext {
    /// The innermost template, as an index into `templates`.
    template: Option<usize>,
    /// Which element of its packs is being printed.
    element: Option<usize>,
    /// Parameters of a generic lambda stand for themselves.
    is_lambda: bool,
}

/// A function template whose arguments are known.
#[derive(Clone, Copy, Debug)]
struct Template<'t> {
    arguments: &'t [NodeId],
    /// Where the arguments themselves are to be understood.
    outer: TemplateContext,
}

struct Printer<'t, 'a> {
    nodes: &'t [Node<'a>],
    syntax: NameSyntax,
    out: Vec<u8>,
    /// The byte written last, even if it was taken back: after an empty pack
    /// libiberty prints `A<B<C>>`, elsewhere `A<B<C> >`.
    last: u8,
    templates: Vec<Template<'t>>,
    context: TemplateContext,
    /// The contexts in which references to template parameters were first printed.
    first_contexts: HashMap<NodeId, TemplateContext>,
    /// Length of a pack, since it was last cleared.
    pack_length: Option<usize>,
    depth: usize,
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

    /// Prints what comes before the declared name; for anything but a type,
    /// all of it.
    fn left(&mut self, id: NodeId) -> Option<()> {
        self.visit(|printer| match &printer.nodes[id] {
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
            Node::Qualified(name, _) => printer.print(*name),
            Node::Function(name, signature) => printer.function(*name, signature, true),
            Node::List(items) | Node::Pack(items) => printer.list(items),
            Node::SizeofPack(pack) => printer.pack_size(*pack),
            _ => printer.type_left(id),
        })
    }

    /// Prints what comes after the declared name.
    fn right(&mut self, id: NodeId) -> Option<()> {
        self.visit(|printer| printer.type_right(id))
    }

    fn visit(&mut self, print: impl FnOnce(&mut Self) -> Option<()>) -> Option<()> {
        self.n_visits += 1;
        let is_hostile =
            self.depth == MAX_DEPTH || self.n_visits >= self.limit || self.out.len() > self.limit;
        if is_hostile {
            self.is_hostile = true;
            return None;
        }
        self.depth += 1;
        let result = print(self);
        self.depth -= 1;
        result
    }

    fn within(
        &mut self,
        context: TemplateContext,
        print: impl FnOnce(&mut Self) -> Option<()>,
    ) -> Option<()> {
        let before = std::mem::replace(&mut self.context, context);
        let result = print(self);
        self.context = before;
        result
    }

    /// What a node stands for, and where to print it: template parameters are
    /// followed to their arguments.
    fn resolve(
        &mut self,
        mut id: NodeId,
        mut context: TemplateContext,
    ) -> Option<(NodeId, TemplateContext)> {
        while let Node::TemplateParameter(index) = self.nodes[id] {
            if context.is_lambda {
                break;
            }
            let template = self.templates[context.template?];
            id = *template.arguments.get(index)?;
            if let Node::Pack(elements) = &self.nodes[id] {
                self.pack_length = Some(elements.len());
                match context.element {
                    Some(element) => id = *elements.get(element)?,
                    None => return Some((id, template.outer)),
                }
            }
            context = template.outer;
        }
        Some((id, context))
    }

    /// Prints items with commas between those that print as anything.
    fn list(&mut self, items: &[NodeId]) -> Option<()> {
        let start = self.out.len();
        for &item in items {
            let before = self.out.len();
            if before > start {
                self.text(", ");
            }
            let printed = self.out.len();
            self.print(item)?;
            if self.out.len() == printed {
                self.out.truncate(before);
            }
        }
        Some(())
    }

    /// Prints a pattern once for each element of the packs in it.
    fn expansion(&mut self, pattern: NodeId) -> Option<()> {
        let length_before = self.pack_length.take();
        let start = self.out.len();
        let mut element = 0;
        loop {
            let before = self.out.len();
            if before > start {
                self.text(", ");
            }
            let context = TemplateContext { element: Some(element), ..self.context };
            let printed = self.within(context, |printer| printer.print(pattern));
            let length = std::mem::replace(&mut self.pack_length, length_before);
            match length {
                Some(0) => self.out.truncate(start),
                Some(length) if element + 1 < length => {
                    printed?;
                    element += 1;
                    continue;
                }
                Some(_) => printed?,
                None => {
                    printed?;
                    // Nothing to repeat: the pattern stands for all elements.
                    self.out.truncate(start);
                    self.operand(pattern)?;
                    self.text("...");
                }
            }
            return Some(());
        }
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

    /// Prints `text`, after a space if it would merge with what is there.
    fn apart_from(&mut self, last: u8, text: &str) -> Option<()> {
        if self.last == last {
            self.text(" ");
        }
        self.text(text)
    }

    /// The template arguments of a function's name.
    fn arguments(&self, mut name: NodeId) -> Option<&'t [NodeId]> {
        loop {
            name = match &self.nodes[name] {
                Node::Template(_, arguments) => return Some(arguments),
                Node::Qualified(name, _) | Node::Local(_, name) | Node::Scoped(_, name) => *name,
                _ => return None,
            };
        }
    }

    fn template(&mut self, name: NodeId, arguments: &[NodeId]) -> Option<()> {
        let is_java_array = self.syntax == NameSyntax::Java
            && matches!(self.nodes[name], Node::Identifier(b"JArray"));
        if is_java_array {
            self.list(arguments)?;
            return self.text("[]");
        }
        self.print(name)?;
        self.apart_from(b'<', "<");
        self.list(arguments)?;
        self.apart_from(b'>', ">")
    }

    fn lambda(&mut self, parameters: &[NodeId], index: usize) -> Option<()> {
        self.text("{lambda(");
        let context = TemplateContext { is_lambda: true, ..self.context };
        self.within(context, |printer| printer.list(parameters))?;
        self.parts(&[
            SequencePart::Text(")#"),
            SequencePart::Number(index),
            SequencePart::Text("}"),
        ])
    }

    /// `sizeof...`, which is known by now.
    fn pack_size(&mut self, pack: NodeId) -> Option<()> {
        let whole = TemplateContext { element: None, ..self.context };
        let (resolved, _) = self.resolve(pack, whole)?;
        let length = match &self.nodes[resolved] {
            Node::Pack(elements) => elements.len(),
            _ => 0,
        };
        self.text(&length.to_string())
    }

    /// A function that only gives its local name a place.
    fn without_result(&mut self, id: NodeId) -> Option<()> {
        match &self.nodes[id] {
            Node::Function(name, signature) => self.function(*name, signature, false),
            _ => self.print(id),
        }
    }

    /// A function: what it returns, its name, its parameters and the
    /// qualifiers of its `this`.
    fn function(&mut self, name: NodeId, signature: &Signature, has_result: bool) -> Option<()> {
        let mut context = self.context;
        if let Some(arguments) = self.arguments(name) {
            let outer = self.context;
            self.templates.push(Template { arguments, outer });
            context = TemplateContext {
                template: Some(self.templates.len() - 1),
                ..TemplateContext::default()
            };
        }
        let result = signature.result.filter(|_| has_result);
        self.within(context, |printer| match (result, printer.syntax) {
            (Some(result), NameSyntax::Cxx) => {
                printer.left(result)?;
                printer.space_unless_declarator(result)?;
                printer.declarator(name, signature)?;
                printer.right(result)
            }
            (Some(result), NameSyntax::Java) => {
                printer.declarator(name, signature)?;
                printer.print(result)
            }
            (None, _) => printer.declarator(name, signature),
        })
    }

    fn declarator(&mut self, name: NodeId, signature: &Signature) -> Option<()> {
        self.print(name)?;
        self.in_parentheses(|printer| printer.list(&signature.parameters))?;
        self.words(self.this_words(name))
    }

    /// Qualifiers of a member function's `this`, which are part of its name.
    fn this_words(&self, mut name: NodeId) -> &'t [&'static str] {
        loop {
            name = match &self.nodes[name] {
                Node::Qualified(_, words) => return words,
                Node::Local(_, name) | Node::Scoped(_, name) => *name,
                _ => return &[],
            };
        }
    }

    fn words(&mut self, words: &[&str]) -> Option<()> {
        for word in words {
            self.text(" ");
            self.text(word);
        }
        Some(())
    }
}
