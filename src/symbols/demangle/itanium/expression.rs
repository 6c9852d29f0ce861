//! Productions for expressions, as found in template arguments and
//! `decltype`.

use super::node::SequencePart::{self, Bytes, Number, Operand, Print, Text};
use super::node::{Node, NodeId, SequenceRole};
use super::parser::Parser;
use super::tables::{self, LiteralForm};

impl<'a> Parser<'a> {
    /// `<expression>`
    pub(super) fn expression(&mut self) -> Option<NodeId> {
        self.nested(|parser| {
            let before = std::mem::replace(&mut parser.in_expression, true);
            let expression = parser.expression_inner();
            parser.in_expression = before;
            expression
        })
    }

    fn expression_inner(&mut self) -> Option<NodeId> {
        match self.rest {
            [b'L', ..] => self.literal(),
            [b'T', ..] => self.template_parameter(),
            [b's', b'r', ..] => self.scope_resolution(),
            [b's', b'p', ..] => {
                self.skip(2);
                let pattern = self.expression()?;
                Some(self.add(Node::Expansion(pattern)))
            }
            [b'f', b'p', ..] => self.function_parameter(),
            [b'f', b'L' | b'l' | b'R' | b'r', first, second, ..]
                if tables::operator([*first, *second]).is_some() =>
            {
                self.fold()
            }
            [b'0'..=b'9', ..] => self.simple_name(),
            [b'o', b'n', ..] => {
                self.skip(2);
                self.simple_name()
            }
            [b'i', b'l', ..] => {
                self.skip(2);
                self.braced(vec![])
            }
            [b't', b'l', ..] => {
                self.skip(2);
                let type_ = Print(self.type_()?);
                self.braced(vec![type_])
            }
            [b'c', b'v', ..] => self.cast(),
            _ => self.operation(),
        }
    }

    /// A name with its template arguments.
    fn simple_name(&mut self) -> Option<NodeId> {
        let name = self.unscoped_name()?;
        match self.peek() {
            Some(b'I') => self.template(name),
            _ => Some(name),
        }
    }

    /// `sr <type> <name>`
    fn scope_resolution(&mut self) -> Option<NodeId> {
        self.skip(2);
        let (scope, name) = match self.attempt(Self::plain_scope) {
            Some(found) => found,
            None => {
                let scope = self.type_()?;
                self.eat(b"on");
                (scope, self.simple_name()?)
            }
        };
        match self.nodes[name] {
            Node::Template(name, ref arguments) => {
                let arguments = arguments.clone();
                let scoped = self.add(Node::Scoped(scope, name));
                Some(self.add(Node::Template(scoped, arguments)))
            }
            _ => Some(self.add(Node::Scoped(scope, name))),
        }
    }

    /// `<simple-id>+ E <name>`, as Clang and the ABI write a scope of plain names, which then are
    /// not substitutions.
    fn plain_scope(&mut self) -> Option<(NodeId, NodeId)> {
        let mut scope = None;
        while !self.eat(b"E") {
            self.peek()?.is_ascii_digit().then_some(())?;
            let name = self.simple_name()?;
            scope = Some(match scope {
                Some(scope) => self.add(Node::Scoped(scope, name)),
                None => name,
            });
        }
        self.eat(b"on");
        Some((scope?, self.simple_name()?))
    }

    /// `fpT`, `fp_`, `fp0_`
    fn function_parameter(&mut self) -> Option<NodeId> {
        self.skip(2);
        if self.eat(b"T") {
            return Some(self.add(Node::Fixed("this")));
        }
        let index = Number(self.compact_number()?.checked_add(1)?);
        let parts = vec![Text("{parm#"), index, Text("}")];
        Some(self.add(Node::Sequence(SequenceRole::Closed, parts)))
    }

    /// `f (l | r) <operator> <expression>`, or `f (L | R)` with two of them.
    fn fold(&mut self) -> Option<NodeId> {
        self.skip(1);
        let direction = self.next()?;
        let operator = Text(tables::operator([self.next()?, self.next()?])?.text);
        let first = Operand(self.expression()?);
        let (open, dots, close) = (Text("("), Text("..."), Text(")"));
        let parts = match direction {
            b'l' => vec![open, dots, operator, first, close],
            b'r' => vec![open, first, operator, dots, close],
            _ => {
                let second = Operand(self.expression()?);
                vec![open, first, operator, dots, operator, second, close]
            }
        };
        Some(self.add(Node::Fold(parts)))
    }

    /// Expressions up to `E`.
    fn list(&mut self) -> Option<NodeId> {
        let items = self.until_end(Self::expression)?;
        Some(self.add(Node::List(items)))
    }

    fn braced(&mut self, mut parts: Vec<SequencePart<'a>>) -> Option<NodeId> {
        parts.extend([Text("{"), Print(self.list()?), Text("}")]);
        Some(self.add(Node::Sequence(SequenceRole::Closed, parts)))
    }

    /// `cv <type> <expression>` or `cv <type> _ <expression>* E`
    fn cast(&mut self) -> Option<NodeId> {
        self.skip(2);
        let type_ = Print(self.type_()?);
        let operand = if self.eat(b"_") { self.list()? } else { self.expression()? };
        Some(self.sequence([Text("("), type_, Text(")"), Operand(operand)]))
    }

    /// An operator and its operands.
    fn operation(&mut self) -> Option<NodeId> {
        let code = [self.next()?, self.next()?];
        if code == *b"sZ" {
            let pack = self.expression()?;
            return Some(self.add(Node::SizeofPack(pack)));
        }
        if code == *b"sP" {
            let arguments = self.until_end(Self::template_argument)?;
            return Some(self.add(Node::SizeofArguments(arguments)));
        }
        let operator = tables::operator(code)?;
        let text = Text(operator.text);
        let parts = match (&code, operator.arity) {
            (_, 0) => vec![text],
            (b"st", _) => vec![text, Text("("), Print(self.type_()?), Text(")")],
            (b"gs", _) => vec![text, Print(self.expression()?)],
            (b"pp" | b"mm", _) => {
                let is_prefix = self.eat(b"_");
                let operand = Operand(self.expression()?);
                if is_prefix { vec![text, operand] } else { vec![operand, text] }
            }
            (b"ad", _) => {
                let operand = self.expression()?;
                vec![text, self.addressed(operand)]
            }
            (_, 1) => vec![text, Operand(self.expression()?)],
            (b"cl", _) => {
                let function = self.expression()?;
                let function = match self.nodes[function] {
                    Node::Function(name, _) => name,
                    _ => function,
                };
                vec![Operand(function), Operand(self.list()?)]
            }
            (b"sc" | b"cc" | b"dc" | b"rc", _) => {
                let (type_, operand) = (Print(self.type_()?), Print(self.expression()?));
                vec![text, Text("<"), type_, Text(">("), operand, Text(")")]
            }
            (b"nw" | b"na", _) => self.new_expression(operator.text)?,
            (b"dt" | b"pt", _) => {
                let object = Operand(self.expression()?);
                let member = match self.peek()? {
                    b'0'..=b'9' | b'S' => self.simple_name()?,
                    _ => self.expression()?,
                };
                vec![object, text, Operand(member)]
            }
            (_, 2) => {
                let (left, right) = (self.expression()?, self.expression()?);
                match &code {
                    b"ix" => vec![Operand(left), Text("["), Print(right), Text("]")],
                    // A bare `>` would close the template arguments around it.
                    b"gt" => vec![Text("("), Operand(left), text, Operand(right), Text(")")],
                    _ => vec![Operand(left), text, Operand(right)],
                }
            }
            _ => {
                let (condition, then) = (Operand(self.expression()?), Operand(self.expression()?));
                let otherwise = Operand(self.expression()?);
                vec![condition, Text("?"), then, Text(" : "), otherwise]
            }
        };
        Some(self.sequence(parts))
    }

    /// The operand of an address: a plain member function needs no parameters.
    fn addressed(&self, operand: NodeId) -> SequencePart<'a> {
        match self.nodes[operand] {
            Node::Function(name, _) if matches!(self.nodes[name], Node::Scoped(..)) => Print(name),
            _ => Operand(operand),
        }
    }

    /// `nw <placement>* _ <type> (E | pi <expression>* E | il …)`
    fn new_expression(&mut self, text: &'static str) -> Option<Vec<SequencePart<'a>>> {
        let mut placement = Vec::new();
        while !self.eat(b"_") {
            placement.push(self.expression()?);
        }
        // Arrays too are made by plain `new`.
        let mut parts = vec![Text(text.trim_end_matches("[]")), Text(" ")];
        if !placement.is_empty() {
            let placement = self.add(Node::List(placement.into()));
            parts.extend([Operand(placement), Text(" ")]);
        }
        parts.push(Print(self.type_()?));
        if self.eat(b"pi") {
            parts.push(Operand(self.list()?));
        } else if !self.eat(b"E") {
            parts.push(Operand(self.expression()?));
        }
        Some(parts)
    }

    /// `<expr-primary> ::= L <type> <value> E` or `L <mangled-name> E`
    pub(super) fn literal(&mut self) -> Option<NodeId> {
        self.expect(b"L")?;
        if matches!(self.peek(), Some(b'_' | b'Z')) {
            self.eat(b"_");
            self.expect(b"Z")?;
            let name = self.encoding()?;
            self.expect(b"E")?;
            return Some(name);
        }
        let type_ = self.type_()?;
        let value = self.take_while(|byte| byte != b'E');
        self.expect(b"E")?;
        if value.is_empty() {
            return Some(type_);
        }
        let form = match self.nodes[type_] {
            Node::Builtin(builtin) => builtin.literal,
            _ => LiteralForm::Cast,
        };
        let (sign, digits) = match value.strip_prefix(b"n") {
            Some(digits) => (Text("-"), Bytes(digits)),
            None => (Text(""), Bytes(value)),
        };
        let (open, type_, close) = (Text("("), Print(type_), Text(")"));
        Some(match (form, value) {
            (LiteralForm::Boolean, b"0") => self.sequence([Text("false")]),
            (LiteralForm::Boolean, b"1") => self.sequence([Text("true")]),
            (LiteralForm::Suffix(suffix), _) => self.sequence([sign, digits, Text(suffix)]),
            (LiteralForm::Float, _) => {
                self.sequence([open, type_, close, sign, Text("["), digits, Text("]")])
            }
            _ => self.sequence([open, type_, close, sign, digits]),
        })
    }
}
