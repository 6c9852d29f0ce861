//! Productions for names: `<name>`, `<nested-name>`, `<unqualified-name>`.

use super::node::SequencePart::{Bytes, Number, Print, Text};
use super::node::{Node, NodeId, SequenceRole};
use super::parser::Parser;
use super::tables::{self, Operator};

impl Parser<'_> {
    /// `<name>`
    pub(super) fn name(&mut self) -> Option<NodeId> {
        self.nested(|parser| match *parser.rest {
            [b'N', ..] => parser.nested_name(),
            [b'Z', ..] => parser.local_name(),
            [b'S', second, ..] if second != b't' => {
                let name = parser.substitution_reference()?;
                parser.optional_template(name, false)
            }
            _ => {
                let name = parser.unscoped_name()?;
                parser.optional_template(name, true)
            }
        })
    }

    /// `<unscoped-name> ::= [St] <unqualified-name>`
    pub(super) fn unscoped_name(&mut self) -> Option<NodeId> {
        if !self.eat(b"St") {
            return self.unqualified_name();
        }
        let std = self.add(Node::Fixed("std"));
        let name = self.unqualified_name()?;
        Some(self.add(Node::Scoped(std, name)))
    }

    /// Template arguments after a name, if there are any.
    fn optional_template(&mut self, name: NodeId, is_new: bool) -> Option<NodeId> {
        if self.peek() != Some(b'I') {
            return Some(name);
        }
        if is_new {
            self.remember(name);
        }
        self.template(name)
    }

    pub(super) fn template(&mut self, name: NodeId) -> Option<NodeId> {
        let arguments = self.template_arguments()?;
        Some(self.add(Node::Template(name, arguments)))
    }

    /// `<nested-name> ::= N [<qualifiers>] [<ref-qualifier>] <prefix> E`
    fn nested_name(&mut self) -> Option<NodeId> {
        self.expect(b"N")?;
        let mut qualifiers = self.qualifiers();
        qualifiers.extend(self.reference_qualifier());
        let name = self.prefix()?;
        self.expect(b"E")?;
        if qualifiers.is_empty() {
            return Some(name);
        }
        Some(self.add(Node::Qualified(name, qualifiers)))
    }

    /// `<prefix>`: components up to the `E`, each a substitution but the last.
    fn prefix(&mut self) -> Option<NodeId> {
        let mut scope = None;
        loop {
            let (component, is_new) = match self.rest {
                [b'E', ..] => return scope,
                [b'S', ..] => {
                    self.in_prefix = true;
                    let component = self.substitution_reference();
                    self.in_prefix = false;
                    // A nested name has further components.
                    (self.peek() != Some(b'E')).then_some(())?;
                    (component?, false)
                }
                [b'I', ..] => (self.template(scope.take()?)?, true),
                [b'T', ..] => (self.template_parameter()?, true),
                [b'D', b't' | b'T', ..] => (self.type_()?, false),
                [b'M', ..] => {
                    // The scope so far is a variable whose initialiser comes next.
                    self.skip(1);
                    continue;
                }
                _ => (self.unqualified_name()?, true),
            };
            let joined = match scope {
                Some(scope) => self.add(Node::Scoped(scope, component)),
                None => component,
            };
            if is_new && self.peek() != Some(b'E') {
                self.remember(joined);
            }
            scope = Some(joined);
        }
    }

    /// `<unqualified-name>` with its ABI tags.
    fn unqualified_name(&mut self) -> Option<NodeId> {
        let name = match self.rest {
            [b'0'..=b'9', ..] => self.source_name()?,
            [b'L', ..] => {
                self.skip(1);
                let name = self.source_name()?;
                self.discriminator();
                name
            }
            [b'U', b'l', ..] => self.lambda()?,
            [b'U', b't', ..] => {
                self.skip(2);
                let index = Number(self.compact_number()?.checked_add(1)?);
                let unnamed = self.sequence([Text("{unnamed type#"), index, Text("}")]);
                // As in libiberty, it is a substitution without its scope too.
                self.remember(unnamed)
            }
            [b'D', b'C', ..] => {
                self.skip(2);
                let names = self.until_end(Self::source_name)?;
                let names = Print(self.add(Node::List(names)));
                self.sequence([Text("["), names, Text("]")])
            }
            [b'C' | b'D', ..] => self.structor()?,
            [b'a'..=b'z', ..] => self.operator_name()?,
            _ => return None,
        };
        self.abi_tags(name)
    }

    pub(super) fn abi_tags(&mut self, mut name: NodeId) -> Option<NodeId> {
        let class_name = self.class_name;
        while self.eat(b"B") {
            let tag = self.counted()?;
            name = self.add(Node::Tagged(name, tag));
        }
        self.class_name = class_name;
        Some(name)
    }

    /// `<source-name> ::= <number> <identifier>`
    pub(super) fn source_name(&mut self) -> Option<NodeId> {
        let text = self.counted().filter(|text| !text.is_empty())?;
        // GCC's name for the anonymous namespace, with the separator the
        // assembler allowed.
        let node = match text.strip_prefix(b"_GLOBAL_") {
            Some([b'_' | b'.' | b'$', b'N', ..]) => Node::Fixed("(anonymous namespace)"),
            _ => Node::Identifier(text),
        };
        let name = self.add(node);
        self.class_name = Some(name);
        Some(name)
    }

    fn structor(&mut self) -> Option<NodeId> {
        let class = self.class_name;
        let parts = match (self.next()?, self.next()?) {
            (b'C', b'I') => {
                matches!(self.next()?, b'1'..=b'5').then_some(())?;
                self.type_()?;
                vec![Print(self.class_name?)]
            }
            (b'C', b'1'..=b'5') => vec![Print(class?)],
            (b'D', b'0'..=b'5') => vec![Text("~"), Print(class?)],
            _ => return None,
        };
        Some(self.add(Node::Sequence(SequenceRole::Resultless, parts)))
    }

    fn operator_name(&mut self) -> Option<NodeId> {
        let code = [self.next()?, self.next()?];
        Some(match code {
            [b'c', b'v'] => {
                let before = std::mem::replace(&mut self.in_conversion, !self.in_expression);
                let type_ = self.type_();
                self.in_conversion = before;
                if self.in_expression {
                    self.sequence([Text("operator "), Print(type_?)])
                } else {
                    self.add(Node::Conversion(type_?))
                }
            }
            [b'l', b'i'] => {
                let suffix = Bytes(self.counted()?);
                self.sequence([Text("operator\"\" "), suffix])
            }
            // An operator that a vendor invented: `v1foo`.
            [b'v', b'0'..=b'9'] => {
                let name = Bytes(self.counted()?);
                self.sequence([Text("operator "), name])
            }
            _ => self.operator(tables::operator(code)?),
        })
    }

    /// The name of an operator function.
    pub(super) fn operator(&mut self, operator: Operator) -> NodeId {
        let text = operator.text.trim_end();
        let is_word = text.starts_with(|first: char| first.is_ascii_lowercase());
        let word = if is_word { "operator " } else { "operator" };
        self.sequence([Text(word), Text(text)])
    }

    /// `Ul <parameters> E [<number>] _`
    fn lambda(&mut self) -> Option<NodeId> {
        self.skip(2);
        let class_name = self.class_name;
        let parameters = self.parameters()?;
        self.class_name = class_name;
        self.expect(b"E")?;
        let index = self.compact_number()?;
        Some(self.add(Node::Lambda(parameters, index.checked_add(1)?)))
    }

    /// `<local-name> ::= Z <encoding> E <entity>`
    fn local_name(&mut self) -> Option<NodeId> {
        self.expect(b"Z")?;
        let function = self.encoding()?;
        self.expect(b"E")?;
        let entity = match self.peek()? {
            b's' => {
                self.skip(1);
                self.discriminator();
                self.add(Node::Fixed("string literal"))
            }
            b'd' => {
                self.skip(1);
                let index = self.compact_number()?.checked_add(1)?;
                let name = self.name()?;
                self.add(Node::DefaultArgument(index, name))
            }
            _ => {
                let name = self.name()?;
                self.discriminator();
                name
            }
        };
        Some(self.add(Node::Local(function, entity)))
    }

    /// `_ [<digit>]` or `__ <number> _`, which distinguish equal names and are not printed.
    fn discriminator(&mut self) {
        let is_long = self.eat(b"__");
        if is_long || self.eat(b"_") {
            self.take_while(|byte| byte.is_ascii_digit());
        }
        if is_long {
            self.eat(b"_");
        }
    }

    /// `S <seq-id> _` or one of the abbreviations for names in `std`.
    pub(super) fn substitution_reference(&mut self) -> Option<NodeId> {
        self.expect(b"S")?;
        let digits = self.take_while(|byte| byte.is_ascii_digit() || byte.is_ascii_uppercase());
        if self.eat(b"_") {
            let index = match digits {
                [] => 0,
                _ => usize::from_str_radix(std::str::from_utf8(digits).ok()?, 36)
                    .ok()?
                    .checked_add(1)?,
            };
            return self.substitutions.get(index).copied();
        }
        if !digits.is_empty() {
            return None;
        }
        let code = self.next()?;
        if code == b't' {
            return Some(self.add(Node::Fixed("std")));
        }
        let abbreviation = tables::abbreviation(code)?;
        self.class_name = Some(self.add(Node::Fixed(abbreviation.class)));
        if self.in_prefix && matches!(self.peek(), Some(b'C' | b'D')) {
            let (class, arguments) = (Text(abbreviation.class), Text(abbreviation.arguments));
            return Some(self.sequence([Text("std::"), class, arguments]));
        }
        let name = self.add(Node::Fixed(abbreviation.name));
        let tagged = self.abi_tags(name)?;
        Some(if tagged == name { name } else { self.remember(tagged) })
    }
}
