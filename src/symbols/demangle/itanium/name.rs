//! Productions for names: `<name>`, `<nested-name>`, `<unqualified-name>`.

use super::node::{Node, NodeId, Structor};
use super::parser::Parser;
use super::tables;

impl<'a> Parser<'a> {
    /// `<name>`
    pub(super) fn name(&mut self) -> Option<NodeId> {
        self.nested(|parser| match (parser.peek()?, parser.peek_second()) {
            (b'N', _) => parser.nested_name(),
            (b'Z', _) => parser.local_name(),
            (b'S', Some(second)) if second != b't' => {
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

    fn template(&mut self, name: NodeId) -> Option<NodeId> {
        let arguments = self.template_arguments()?;
        Some(self.add(Node::Template(name, arguments)))
    }

    /// `<nested-name> ::= N [<qualifiers>] [<ref-qualifier>] <prefix> E`
    fn nested_name(&mut self) -> Option<NodeId> {
        self.expect(b"N")?;
        let mut qualifiers = self.qualifiers();
        match self.peek()? {
            b'R' => qualifiers.push("&"),
            b'O' => qualifiers.push("&&"),
            _ => {}
        }
        if matches!(self.peek(), Some(b'R' | b'O')) {
            self.skip(1);
        }
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
            let (component, is_new) = match (self.peek()?, self.peek_second()) {
                (b'E', _) => return scope,
                (b'S', _) => {
                    self.in_prefix = true;
                    let component = self.substitution_reference();
                    self.in_prefix = false;
                    (component?, false)
                }
                (b'I', _) => (self.template(scope.take()?)?, true),
                (b'T', _) => (self.template_parameter()?, true),
                (b'D', Some(b't' | b'T')) => (self.type_()?, false),
                (b'M', _) => {
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
        let name = match (self.peek()?, self.peek_second()) {
            (b'0'..=b'9', _) => self.source_name()?,
            (b'L', _) => {
                self.skip(1);
                let name = self.source_name()?;
                self.discriminator();
                name
            }
            (b'U', Some(b'l')) => self.lambda()?,
            (b'U', Some(b't')) => {
                self.skip(2);
                let index = self.compact_number()?;
                self.add(Node::Unnamed(index.checked_add(1)?))
            }
            (b'D', Some(b'C')) => {
                self.skip(2);
                let names = self.until_end(Self::source_name)?;
                self.add(Node::Binding(names))
            }
            (b'C' | b'D', _) => self.structor()?,
            (b'a'..=b'z', _) => self.operator_name()?,
            _ => return None,
        };
        self.abi_tags(name)
    }

    pub(super) fn abi_tags(&mut self, mut name: NodeId) -> Option<NodeId> {
        let class_name = self.class_name;
        while self.eat(b"B") {
            let n_bytes = self.number()?;
            let tag = self.take(n_bytes)?;
            name = self.add(Node::Tagged(name, tag));
        }
        self.class_name = class_name;
        Some(name)
    }

    /// `<source-name> ::= <number> <identifier>`
    pub(super) fn source_name(&mut self) -> Option<NodeId> {
        let n_bytes = self.number()?;
        if n_bytes == 0 {
            return None;
        }
        let text = self.take(n_bytes)?;
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
        let structor = match (self.next()?, self.next()?) {
            (b'C', b'I') => {
                matches!(self.next()?, b'1'..=b'5').then_some(())?;
                self.type_()?;
                let inherited = self.class_name?;
                return Some(self.add(Node::Structor(Structor::Constructor, inherited)));
            }
            (b'C', b'1'..=b'5') => Structor::Constructor,
            (b'D', b'0'..=b'5') => Structor::Destructor,
            _ => return None,
        };
        Some(self.add(Node::Structor(structor, class?)))
    }

    fn operator_name(&mut self) -> Option<NodeId> {
        let code = [self.next()?, self.next()?];
        match code {
            [b'c', b'v'] => {
                let before = std::mem::replace(&mut self.in_conversion, !self.in_expression);
                let type_ = self.type_();
                self.in_conversion = before;
                Some(self.add(Node::Conversion(type_?)))
            }
            [b'l', b'i'] => {
                let n_bytes = self.number()?;
                let suffix = self.take(n_bytes)?;
                Some(self.add(Node::Literal(suffix)))
            }
            [b'v', b'0'..=b'9'] => {
                let n_bytes = self.number()?;
                let name = self.take(n_bytes)?;
                Some(self.add(Node::VendorOperator(name)))
            }
            _ => Some(self.add(Node::Operator(tables::operator(code)?))),
        }
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
                let argument = self.add(Node::DefaultArgument(index));
                self.add(Node::Scoped(argument, name))
            }
            _ => {
                let name = self.name()?;
                self.discriminator();
                name
            }
        };
        Some(self.add(Node::Local(function, entity)))
    }

    /// `_ [<digit>]` or `__ <number> _`, which tell equal names apart and are
    /// not printed.
    fn discriminator(&mut self) {
        match self.rest() {
            [b'_', b'_', ..] => {
                self.skip(2);
                self.take_while(|byte| byte.is_ascii_digit());
                self.eat(b"_");
            }
            [b'_', ..] => {
                self.skip(1);
                self.take_while(|byte| byte.is_ascii_digit());
            }
            _ => {}
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
            return self.substitution(index);
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
            return Some(self.add(Node::Fixed(abbreviation.full)));
        }
        let name = self.add(Node::Fixed(abbreviation.name));
        let tagged = self.abi_tags(name)?;
        Some(if tagged == name {
            name
        } else {
            self.remember(tagged)
        })
    }
}
