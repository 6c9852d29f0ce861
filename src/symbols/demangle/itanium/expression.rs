//! Productions for expressions, as found in template arguments and
//! `decltype`.

use super::node::{Node, NodeId};
use super::parser::Parser;
use super::tables;

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
        match (self.peek()?, self.peek_second()) {
            (b'L', _) => self.literal(),
            (b'T', _) => self.template_parameter(),
            (b's', Some(b'r')) => self.scope_resolution(),
            (b's', Some(b'p')) => {
                self.skip(2);
                let pattern = self.expression()?;
                Some(self.add(Node::Expansion(pattern)))
            }
            (b'f', Some(b'p')) => self.function_parameter(),
            (b'f', Some(b'L' | b'l' | b'R' | b'r')) if self.is_fold() => self.fold(),
            (b'0'..=b'9', _) => self.simple_name(),
            (b'o', Some(b'n')) => {
                self.skip(2);
                self.simple_name()
            }
            (b'i', Some(b'l')) => {
                self.skip(2);
                let items = self.list()?;
                Some(self.add(Node::Braced(None, items)))
            }
            (b't', Some(b'l')) => {
                self.skip(2);
                let type_ = self.type_()?;
                let items = self.list()?;
                Some(self.add(Node::Braced(Some(type_), items)))
            }
            (b'c', Some(b'v')) => self.cast(),
            _ => self.operation(),
        }
    }

    /// A name with its template arguments.
    fn simple_name(&mut self) -> Option<NodeId> {
        let name = self.unscoped_name()?;
        match self.peek() {
            Some(b'I') => {
                let arguments = self.template_arguments()?;
                Some(self.add(Node::Template(name, arguments)))
            }
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
        match *self.node(name) {
            Node::Template(name, ref arguments) => {
                let arguments = arguments.clone();
                let scoped = self.add(Node::Scoped(scope, name));
                Some(self.add(Node::Template(scoped, arguments)))
            }
            _ => Some(self.add(Node::Scoped(scope, name))),
        }
    }

    /// `<simple-id>+ E <name>`, as Clang and the ABI write a scope of plain
    /// names, which then are no substitutions.
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
        let index = if self.eat(b"T") {
            0
        } else {
            self.compact_number()?.checked_add(1)?
        };
        Some(self.add(Node::FunctionParameter(index)))
    }

    /// Whether `fl` and its like are followed by an operator.
    fn is_fold(&self) -> bool {
        match *self.rest() {
            [_, _, first, second, ..] => tables::operator([first, second]).is_some(),
            _ => false,
        }
    }

    fn fold(&mut self) -> Option<NodeId> {
        self.skip(1);
        let direction = self.next()?;
        let operator = tables::operator([self.next()?, self.next()?])?;
        let first = self.expression()?;
        let second = if direction.is_ascii_uppercase() {
            Some(self.expression()?)
        } else {
            None
        };
        Some(self.add(Node::Fold(direction, operator, first, second)))
    }

    /// Expressions up to `E`.
    fn list(&mut self) -> Option<NodeId> {
        let items = self.until_end(Self::expression)?;
        Some(self.add(Node::List(items)))
    }

    /// `cv <type> <expression>` or `cv <type> _ <expression>* E`
    fn cast(&mut self) -> Option<NodeId> {
        self.skip(2);
        let type_ = self.type_()?;
        let operand = if self.eat(b"_") {
            self.list()?
        } else {
            self.expression()?
        };
        Some(self.add(Node::Cast(type_, operand)))
    }

    /// An operator and its operands.
    fn operation(&mut self) -> Option<NodeId> {
        let code = [self.next()?, self.next()?];
        if code == *b"sZ" {
            let pack = self.expression()?;
            return Some(self.add(Node::SizeofPack(pack)));
        }
        let operator = tables::operator(code)?;
        match (&code, operator.arity) {
            (_, 0) => Some(self.add(Node::Operator(operator))),
            (b"st" | b"at", _) => {
                let type_ = self.type_()?;
                Some(self.add(Node::Unary(operator, type_)))
            }
            (b"pp" | b"mm", _) => {
                let is_prefix = self.eat(b"_");
                let operand = self.expression()?;
                Some(self.add(if is_prefix {
                    Node::Unary(operator, operand)
                } else {
                    Node::Postfix(operator, operand)
                }))
            }
            (_, 1) => {
                let operand = self.expression()?;
                Some(self.add(Node::Unary(operator, operand)))
            }
            (b"cl", _) => {
                let function = self.expression()?;
                let arguments = self.list()?;
                Some(self.add(Node::Call(function, arguments)))
            }
            (b"sc" | b"cc" | b"dc" | b"rc", _) => {
                let type_ = self.type_()?;
                let operand = self.expression()?;
                Some(self.add(Node::NamedCast(operator, type_, operand)))
            }
            (b"nw" | b"na", _) => self.new_expression(operator),
            (b"dt" | b"pt", _) => {
                let object = self.expression()?;
                let member = match self.peek()? {
                    b'0'..=b'9' | b'S' => self.simple_name()?,
                    _ => self.expression()?,
                };
                Some(self.add(Node::Binary(operator, object, member)))
            }
            (_, 2) => {
                let left = self.expression()?;
                let right = self.expression()?;
                Some(self.add(Node::Binary(operator, left, right)))
            }
            _ => {
                let condition = self.expression()?;
                let then = self.expression()?;
                let otherwise = self.expression()?;
                Some(self.add(Node::Conditional(condition, then, otherwise)))
            }
        }
    }

    /// `nw <placement>* _ <type> (E | pi <expression>* E | il …)`
    fn new_expression(&mut self, operator: &'static tables::Operator) -> Option<NodeId> {
        let mut placement = Vec::new();
        while !self.eat(b"_") {
            placement.push(self.expression()?);
        }
        let placement = self.add(Node::List(placement.into()));
        let type_ = self.type_()?;
        let initializer = match self.rest() {
            [b'E', ..] => {
                self.skip(1);
                None
            }
            [b'p', b'i', ..] => {
                self.skip(2);
                Some(self.list()?)
            }
            _ => Some(self.expression()?),
        };
        Some(self.add(Node::New(operator, placement, type_, initializer)))
    }

    /// `<expr-primary> ::= L <type> <value> E` or `L <mangled-name> E`
    pub(super) fn literal(&mut self) -> Option<NodeId> {
        self.expect(b"L")?;
        if self.peek() == Some(b'_') || self.peek() == Some(b'Z') {
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
        Some(self.add(Node::Value(type_, value)))
    }
}
