//! Prints names and functions.

use super::super::node::{Node, NodeId, Signature, Structor};
use super::{Context, Printer, Spelling, Template};

impl Printer<'_, '_> {
    pub(super) fn name(&mut self, id: NodeId) -> Option<()> {
        match &self.nodes[id] {
            Node::Identifier(name) => self.bytes(name),
            Node::Fixed(words) => self.text(words),
            Node::Scoped(scope, name) => self.scoped(*scope, *name)?,
            Node::Tagged(name, tag) => {
                self.print(*name)?;
                self.text("[abi:");
                self.bytes(tag);
                self.text("]");
            }
            Node::Template(name, arguments) => self.template(*name, arguments)?,
            Node::Structor(structor, class) => {
                if *structor == Structor::Destructor {
                    self.text("~");
                }
                self.print(*class)?;
            }
            Node::Operator(operator) => {
                let text = operator.text.trim_end();
                let is_word = text.starts_with(|first: char| first.is_ascii_lowercase());
                self.text(if is_word { "operator " } else { "operator" });
                self.text(text);
            }
            Node::VendorOperator(name) => {
                self.text("operator ");
                self.bytes(name);
            }
            Node::Literal(suffix) => {
                self.text("operator\"\" ");
                self.bytes(suffix);
            }
            Node::Conversion(type_) => {
                self.text("operator ");
                self.print(*type_)?;
            }
            Node::Lambda(parameters, index) => self.lambda(parameters, *index)?,
            Node::Unnamed(index) => self.numbered("{unnamed type#", *index),
            Node::DefaultArgument(index) => self.numbered("{default arg#", *index),
            Node::Binding(names) => {
                self.text("[");
                self.list(names)?;
                self.text("]");
            }
            Node::Local(function, entity) => {
                self.without_result(*function)?;
                self.separator();
                self.print(*entity)?;
            }
            Node::Qualified(name, _) => self.print(*name)?,
            Node::Function(name, signature) => self.function(*name, signature, true)?,
            Node::Special(words, node) => {
                self.text(words);
                self.print(*node)?;
            }
            Node::ReferenceTemporary(number, name) => {
                self.text("reference temporary #");
                self.number(*number);
                self.text(" for ");
                self.print(*name)?;
            }
            Node::ConstructionVtable(base, derived) => {
                self.text("construction vtable for ");
                self.print(*base)?;
                self.text("-in-");
                self.print(*derived)?;
            }
            _ => return None,
        }
        Some(())
    }

    fn numbered(&mut self, words: &str, index: usize) {
        self.text(words);
        self.number(index);
        self.text("}");
    }

    fn separator(&mut self) {
        self.text(match self.spelling {
            Spelling::Cxx => "::",
            Spelling::Java => ".",
        });
    }

    fn scoped(&mut self, scope: NodeId, name: NodeId) -> Option<()> {
        self.print(scope)?;
        self.separator();
        self.print(name)
    }

    fn template(&mut self, name: NodeId, arguments: &[NodeId]) -> Option<()> {
        let is_java_array = self.spelling == Spelling::Java
            && matches!(self.nodes[name], Node::Identifier(b"JArray"));
        if is_java_array {
            self.list(arguments)?;
            self.text("[]");
            return Some(());
        }
        self.print(name)?;
        self.apart_from(b'<', "<");
        self.list(arguments)?;
        self.apart_from(b'>', ">");
        Some(())
    }

    fn lambda(&mut self, parameters: &[NodeId], index: usize) -> Option<()> {
        self.text("{lambda(");
        let context = Context {
            is_lambda: true,
            ..self.context
        };
        self.within(context, |printer| printer.list(parameters))?;
        self.numbered(")#", index);
        Some(())
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
            context = Context {
                template: Some(self.templates.len() - 1),
                ..Context::default()
            };
        }
        let result = signature.result.filter(|_| has_result);
        self.within(context, |printer| match (result, printer.spelling) {
            (Some(result), Spelling::Cxx) => {
                printer.left(result)?;
                printer.space_unless_declarator(result)?;
                printer.declarator(name, signature)?;
                printer.right(result)
            }
            (Some(result), Spelling::Java) => {
                printer.declarator(name, signature)?;
                printer.print(result)
            }
            (None, _) => printer.declarator(name, signature),
        })
    }

    fn declarator(&mut self, name: NodeId, signature: &Signature) -> Option<()> {
        self.print(name)?;
        self.in_parentheses(|printer| printer.list(&signature.parameters))?;
        for word in self.this_words(name) {
            self.text(" ");
            self.text(word);
        }
        Some(())
    }

    /// Qualifiers of a member function's `this`, which are part of its name.
    fn this_words(&self, mut name: NodeId) -> Vec<&'static str> {
        loop {
            name = match &self.nodes[name] {
                Node::Qualified(_, words) => return words.clone(),
                Node::Local(_, name) | Node::Scoped(_, name) => *name,
                _ => return Vec::new(),
            };
        }
    }
}
