//! Prints expressions.

use super::super::node::{Node, NodeId};
use super::super::tables::{LiteralForm, Operator};
use super::{Context, Printer};

impl Printer<'_, '_> {
    pub(super) fn expression(&mut self, id: NodeId) -> Option<()> {
        match &self.nodes[id] {
            Node::Number(digits) => self.bytes(digits),
            Node::Value(type_, value) => self.value(*type_, value)?,
            Node::FunctionParameter(0) => self.text("this"),
            Node::FunctionParameter(index) => {
                self.text("{parm#");
                self.number(*index);
                self.text("}");
            }
            Node::Unary(operator, operand) => self.unary(operator, *operand)?,
            Node::Postfix(operator, operand) => {
                self.operand(*operand)?;
                self.text(operator.text);
            }
            Node::Binary(operator, left, right) => self.binary(operator, *left, *right)?,
            Node::Conditional(condition, then, otherwise) => {
                self.operand(*condition)?;
                self.text("?");
                self.operand(*then)?;
                self.text(" : ");
                self.operand(*otherwise)?;
            }
            Node::Cast(type_, operand) => {
                self.in_parentheses(|printer| printer.print(*type_))?;
                self.operand(*operand)?;
            }
            Node::NamedCast(operator, type_, operand) => {
                self.text(operator.text);
                self.text("<");
                self.print(*type_)?;
                self.text(">");
                self.in_parentheses(|printer| printer.print(*operand))?;
            }
            Node::Call(function, arguments) => self.call(*function, *arguments)?,
            Node::New(operator, placement, type_, initializer) => {
                // Arrays too are made by plain `new`.
                self.text(operator.text.trim_end_matches("[]"));
                self.text(" ");
                if matches!(&self.nodes[*placement], Node::List(items) if !items.is_empty()) {
                    self.operand(*placement)?;
                    self.text(" ");
                }
                self.print(*type_)?;
                if let Some(initializer) = initializer {
                    self.operand(*initializer)?;
                }
            }
            Node::List(items) => self.list(items)?,
            Node::Braced(type_, items) => {
                if let Some(type_) = type_ {
                    self.print(*type_)?;
                }
                self.text("{");
                self.print(*items)?;
                self.text("}");
            }
            Node::Fold(direction, operator, first, second) => {
                self.fold(*direction, operator, *first, *second)?;
            }
            Node::SizeofPack(pack) => self.pack_size(*pack)?,
            _ => return None,
        }
        Some(())
    }

    /// An operand, in parentheses unless it is a plain name.
    pub(super) fn operand(&mut self, id: NodeId) -> Option<()> {
        match self.nodes[id] {
            Node::Identifier(_)
            | Node::Fixed(_)
            | Node::Scoped(..)
            | Node::Braced(..)
            | Node::FunctionParameter(_) => self.print(id),
            _ => self.in_parentheses(|printer| printer.print(id)),
        }
    }

    fn unary(&mut self, operator: &Operator, operand: NodeId) -> Option<()> {
        self.text(operator.text);
        match &self.nodes[operand] {
            // The address of a plain member function needs no parameters.
            Node::Function(name, _)
                if operator.code == *b"ad" && matches!(self.nodes[*name], Node::Scoped(..)) =>
            {
                self.print(*name)
            }
            _ if matches!(&operator.code, b"st" | b"at") => {
                self.in_parentheses(|printer| printer.print(operand))
            }
            _ => self.operand(operand),
        }
    }

    fn binary(&mut self, operator: &Operator, left: NodeId, right: NodeId) -> Option<()> {
        if operator.code == *b"ix" {
            self.operand(left)?;
            self.text("[");
            self.print(right)?;
            self.text("]");
            return Some(());
        }
        // A bare `>` would close the template arguments around it.
        let is_greater = operator.code == *b"gt";
        if is_greater {
            self.text("(");
        }
        self.operand(left)?;
        self.text(operator.text);
        self.operand(right)?;
        if is_greater {
            self.text(")");
        }
        Some(())
    }

    fn call(&mut self, function: NodeId, arguments: NodeId) -> Option<()> {
        match self.nodes[function] {
            Node::Function(name, _) => self.print(name)?,
            _ => self.operand(function)?,
        }
        self.operand(arguments)
    }

    fn fold(
        &mut self,
        direction: u8,
        operator: &Operator,
        first: NodeId,
        second: Option<NodeId>,
    ) -> Option<()> {
        self.text("(");
        match (direction, second) {
            (b'l', _) => {
                self.text("...");
                self.text(operator.text);
                self.operand(first)?;
            }
            (_, None) => {
                self.operand(first)?;
                self.text(operator.text);
                self.text("...");
            }
            (_, Some(second)) => {
                self.operand(first)?;
                self.text(operator.text);
                self.text("...");
                self.text(operator.text);
                self.operand(second)?;
            }
        }
        self.text(")");
        Some(())
    }

    /// `sizeof...`, which is known by now.
    fn pack_size(&mut self, pack: NodeId) -> Option<()> {
        let whole = Context {
            element: None,
            ..self.context
        };
        let (resolved, _) = self.resolve(pack, whole)?;
        let length = match &self.nodes[resolved] {
            Node::Pack(elements) => elements.len(),
            _ => 0,
        };
        self.number(length);
        Some(())
    }

    /// A literal, spelled as its type asks for.
    fn value(&mut self, type_: NodeId, value: &[u8]) -> Option<()> {
        let form = match self.nodes[type_] {
            Node::Builtin(builtin) => builtin.literal,
            _ => LiteralForm::Cast,
        };
        let (sign, digits) = match value.strip_prefix(b"n") {
            Some(digits) => ("-", digits),
            None => ("", value),
        };
        match (form, value) {
            (LiteralForm::Boolean, b"0") => self.text("false"),
            (LiteralForm::Boolean, b"1") => self.text("true"),
            (LiteralForm::Suffix(suffix), _) => {
                self.text(sign);
                self.bytes(digits);
                self.text(suffix);
            }
            _ => {
                self.in_parentheses(|printer| printer.print(type_))?;
                self.text(sign);
                let is_float = form == LiteralForm::Float;
                self.text(if is_float { "[" } else { "" });
                self.bytes(digits);
                self.text(if is_float { "]" } else { "" });
            }
        }
        Some(())
    }
}
