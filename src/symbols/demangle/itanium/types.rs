//! Productions for types and template arguments.

use super::node::SequencePart::{Bytes, Print, Text};
use super::node::{FunctionQualifiers, Modifier, Node, NodeId, Signature};
use super::parser::Parser;
use super::tables;

impl<'a> Parser<'a> {
    /// `<type>`
    pub(super) fn type_(&mut self) -> Option<NodeId> {
        self.nested(|parser| {
            if let Some((builtin, length)) = tables::builtin(parser.rest) {
                parser.skip(length);
                return Some(parser.add(Node::Builtin(builtin)));
            }
            match *parser.rest {
                [b'S', second, ..] if second != b't' => parser.substituted_type(),
                [b'D', b'F', ..] => parser.float(),
                [b'u', ..] => {
                    parser.skip(1);
                    parser.source_name()
                }
                _ => {
                    let made = parser.compound_type()?;
                    Some(parser.remember(made))
                }
            }
        })
    }

    /// A substitution, possibly a template whose arguments follow.
    fn substituted_type(&mut self) -> Option<NodeId> {
        let name = self.substitution_reference()?;
        if self.peek() != Some(b'I') {
            return Some(name);
        }
        let template = self.template(name)?;
        Some(self.remember(template))
    }

    /// The types a later substitution may refer to.
    fn compound_type(&mut self) -> Option<NodeId> {
        match self.peek()? {
            b'r' | b'V' | b'K' => self.qualified_type(),
            b'P' => self.modified(Modifier::Pointer),
            b'R' => self.modified(Modifier::LvalueReference),
            b'O' => self.modified(Modifier::RvalueReference),
            b'C' => self.modified(Modifier::Word("_Complex")),
            b'G' => self.modified(Modifier::Word("_Imaginary")),
            b'U' => {
                self.skip(1);
                let word = self.counted()?;
                let type_ = self.type_()?;
                Some(self.add(Node::Modified(Modifier::Vendor(word), type_)))
            }
            b'D' => self.d_type(),
            b'F' => self.function_type(FunctionQualifiers::default()),
            b'A' => self.array(),
            b'M' => {
                self.skip(1);
                let class = self.type_()?;
                let member = self.type_()?;
                Some(self.add(Node::MemberPointer(class, member)))
            }
            b'T' => {
                let parameter = self.template_parameter()?;
                self.template_template(parameter)
            }
            _ => self.name(),
        }
    }

    fn modified(&mut self, modifier: Modifier<'a>) -> Option<NodeId> {
        self.skip(1);
        let type_ = self.type_()?;
        Some(self.add(Node::Modified(modifier, type_)))
    }

    /// Template arguments of a template template parameter. After `cv`, they are the arguments of
    /// the conversion operator instead.
    fn template_template(&mut self, parameter: NodeId) -> Option<NodeId> {
        if self.peek() != Some(b'I') || self.in_conversion {
            return Some(parameter);
        }
        self.remember(parameter);
        self.template(parameter)
    }

    /// `<CV-qualifiers>` in the order they are printed: the last one written
    /// is nearest to the type.
    pub(super) fn qualifiers(&mut self) -> Vec<&'static str> {
        let mut words = Vec::new();
        while let Some(word) = match self.peek() {
            Some(b'r') => Some("restrict"),
            Some(b'V') => Some("volatile"),
            Some(b'K') => Some("const"),
            _ => None,
        } {
            self.skip(1);
            words.push(word);
        }
        words.reverse();
        words
    }

    /// Qualifiers before a type. Before a function type they qualify its `this` and belong to it.
    fn qualified_type(&mut self) -> Option<NodeId> {
        let words = self.qualifiers();
        let is_function = matches!(self.rest, [b'F', ..] | [b'D', b'x' | b'o' | b'O' | b'w', ..]);
        if is_function {
            return self.function_type(FunctionQualifiers { words, computed: None });
        }
        let mut type_ = self.type_()?;
        for word in words {
            type_ = self.add(Node::Modified(Modifier::Word(word), type_));
        }
        Some(type_)
    }

    /// `[Do | DO <expression> E | Dw <type>+ E] [Dx] F [Y] <types> [R | O] E`
    fn function_type(&mut self, mut qualifiers: FunctionQualifiers) -> Option<NodeId> {
        if self.eat(b"Do") {
            qualifiers.words.insert(0, "noexcept");
        } else if self.eat(b"DO") {
            let operand = self.expression()?;
            self.expect(b"E")?;
            qualifiers.computed = Some(("noexcept", [operand].into()));
        } else if self.eat(b"Dw") {
            qualifiers.computed = Some(("throw", self.until_end(Self::type_)?));
        }
        if self.eat(b"Dx") {
            qualifiers.words.insert(0, "transaction_safe");
        }
        self.expect(b"F")?;
        self.eat(b"Y");
        let result = Some(self.type_()?);
        let parameters = self.parameters()?;
        qualifiers.words.extend(self.reference_qualifier());
        self.expect(b"E")?;
        Some(self.add(Node::FunctionType(Signature { result, parameters, qualifiers })))
    }

    /// `R | O`, if there is one.
    pub(super) fn reference_qualifier(&mut self) -> Option<&'static str> {
        let found = [(b"R", "&"), (b"O", "&&")];
        let found = found.into_iter().find(|(code, _)| self.eat(*code));
        found.map(|(_, word)| word)
    }

    /// The types of parameters, up to the end of the enclosing part.
    pub(super) fn parameters(&mut self) -> Option<Box<[NodeId]>> {
        let mut types = Vec::new();
        loop {
            match self.rest {
                [] | [b'E' | b'.', ..] | [b'R' | b'O', b'E', ..] => break,
                _ => types.push(self.type_()?),
            }
        }
        match types[..] {
            [] => None,
            [only] if matches!(self.nodes[only], Node::Builtin(void) if void.code == b'v') => {
                Some(Box::default())
            }
            _ => Some(types.into()),
        }
    }

    /// `A [<number> | <expression>] _ <type>`
    fn array(&mut self) -> Option<NodeId> {
        self.expect(b"A")?;
        let size = match self.peek()? {
            b'_' => None,
            b'0'..=b'9' => {
                let digits = self.take_while(|byte| byte.is_ascii_digit());
                Some(self.sequence([Bytes(digits)]))
            }
            _ => Some(self.expression()?),
        };
        self.expect(b"_")?;
        let element = self.type_()?;
        Some(self.add(Node::Array(size, element)))
    }

    /// Types whose code begins with `D`.
    fn d_type(&mut self) -> Option<NodeId> {
        match self.rest.get(1)? {
            b't' | b'T' => {
                self.skip(2);
                let expression = Print(self.expression()?);
                self.expect(b"E")?;
                Some(self.sequence([Text("decltype ("), expression, Text(")")]))
            }
            b'p' => {
                self.skip(2);
                let pattern = self.type_()?;
                Some(self.add(Node::Expansion(pattern)))
            }
            b'v' => self.vector(),
            _ => self.function_type(FunctionQualifiers::default()),
        }
    }

    /// `DF <bits> _`, `DF <bits> x` or `DF16b`
    fn float(&mut self) -> Option<NodeId> {
        self.skip(2);
        let bits = self.take_while(|byte| byte.is_ascii_digit());
        let suffix = match self.next()? {
            b'_' => "",
            b'x' => "x",
            b'b' if bits == b"16" => return Some(self.add(Node::Fixed("std::bfloat16_t"))),
            _ => return None,
        };
        Some(self.sequence([Text("_Float"), Bytes(bits), Text(suffix)]))
    }

    /// `Dv <number> _ <type>` or `Dv _ <expression> _ <type>`
    fn vector(&mut self) -> Option<NodeId> {
        self.skip(2);
        let size = if self.eat(b"_") {
            self.expression()?
        } else {
            let digits = self.take_while(|byte| byte.is_ascii_digit());
            self.sequence([Bytes(digits)])
        };
        self.expect(b"_")?;
        let element = self.type_()?;
        Some(self.add(Node::Vector(size, element)))
    }

    /// `T_`, `T0_`, …
    pub(super) fn template_parameter(&mut self) -> Option<NodeId> {
        self.expect(b"T")?;
        let index = self.compact_number()?;
        Some(self.add(Node::TemplateParameter(index)))
    }

    /// `I <template-arg>* E`. Names in it are not the class being named.
    pub(super) fn template_arguments(&mut self) -> Option<Box<[NodeId]>> {
        self.nested(|parser| {
            let class_name = parser.class_name;
            let in_conversion = std::mem::take(&mut parser.in_conversion);
            matches!(parser.next()?, b'I' | b'J').then_some(())?;
            let arguments = parser.until_end(Self::template_argument)?;
            parser.class_name = class_name;
            parser.in_conversion = in_conversion;
            Some(arguments)
        })
    }

    /// `<template-arg>`: a type, an expression, a literal or a pack.
    pub(super) fn template_argument(&mut self) -> Option<NodeId> {
        match self.peek()? {
            b'X' => {
                self.skip(1);
                let expression = self.expression()?;
                self.expect(b"E")?;
                Some(expression)
            }
            b'L' => self.literal(),
            b'I' | b'J' => {
                let pack = self.template_arguments()?;
                Some(self.add(Node::Pack(pack)))
            }
            _ => self.type_(),
        }
    }
}
