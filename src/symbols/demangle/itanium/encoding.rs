//! The productions that make a whole symbol: `<encoding>` and
//! `<special-name>`.

use super::node::{FunctionQualifiers, Node, NodeId, Signature};
use super::parser::Parser;

impl<'a> Parser<'a> {
    /// `<encoding>`: a function with its type, an object, or something the
    /// compiler made for one.
    pub(super) fn encoding(&mut self) -> Option<NodeId> {
        self.nested(|parser| {
            if matches!(parser.peek()?, b'G' | b'T') {
                return parser.special_name();
            }
            let name = parser.name()?;
            if matches!(parser.peek(), None | Some(b'E')) {
                return Some(name);
            }
            let result = if parser.has_result(name) {
                Some(parser.type_()?)
            } else {
                None
            };
            let parameters = parser.parameters()?;
            let qualifiers = FunctionQualifiers::default();
            let signature = Signature {
                result,
                parameters,
                qualifiers,
            };
            Some(parser.add(Node::Function(name, signature)))
        })
    }

    /// Only templates encode what they return, and not those whose name says it.
    fn has_result(&self, mut name: NodeId) -> bool {
        let mut is_template = false;
        loop {
            name = match *self.node(name) {
                Node::Qualified(name, _) | Node::Local(_, name) if !is_template => name,
                Node::Template(name, _) if !is_template => {
                    is_template = true;
                    name
                }
                Node::Scoped(_, name) => name,
                Node::Tagged(name, _) if is_template => name,
                Node::Structor(..) | Node::Conversion(_) => return false,
                _ => return is_template,
            };
        }
    }

    /// `<special-name>`
    fn special_name(&mut self) -> Option<NodeId> {
        let (words, node) = match (self.next()?, self.next()?) {
            (b'T', b'V') => ("vtable for ", self.type_()?),
            (b'T', b'T') => ("VTT for ", self.type_()?),
            (b'T', b'I') => ("typeinfo for ", self.type_()?),
            (b'T', b'S') => ("typeinfo name for ", self.type_()?),
            (b'T', b'F') => ("typeinfo fn for ", self.type_()?),
            (b'T', b'J') => ("java Class for ", self.type_()?),
            (b'T', b'H') => ("TLS init function for ", self.name()?),
            (b'T', b'W') => ("TLS wrapper function for ", self.name()?),
            (b'T', b'A') => ("template parameter object for ", self.template_argument()?),
            (b'T', b'C') => return self.construction_vtable(),
            (b'T', b'h') => {
                self.nonvirtual_offset()?;
                ("non-virtual thunk to ", self.encoding()?)
            }
            (b'T', b'v') => {
                self.virtual_offset()?;
                ("virtual thunk to ", self.encoding()?)
            }
            (b'T', b'c') => {
                self.call_offset()?;
                self.call_offset()?;
                ("covariant return thunk to ", self.encoding()?)
            }
            (b'G', b'V') => ("guard variable for ", self.name()?),
            (b'G', b'R') => return self.reference_temporary(),
            (b'G', b'A') => ("hidden alias for ", self.encoding()?),
            (b'G', b'T') => match self.next()? {
                b'n' => ("non-transaction clone for ", self.encoding()?),
                _ => ("transaction clone for ", self.encoding()?),
            },
            _ => return None,
        };
        Some(self.add(Node::Special(words, node)))
    }

    /// `TC <derived> <number> _ <base>`
    fn construction_vtable(&mut self) -> Option<NodeId> {
        let derived = self.type_()?;
        self.number()?;
        self.expect(b"_")?;
        let base = self.type_()?;
        Some(self.add(Node::ConstructionVtable(base, derived)))
    }

    /// `GR <name> [<number>]`
    fn reference_temporary(&mut self) -> Option<NodeId> {
        let name = self.name()?;
        let number = self.number().unwrap_or(0);
        Some(self.add(Node::ReferenceTemporary(number, name)))
    }

    fn call_offset(&mut self) -> Option<()> {
        match self.next()? {
            b'h' => self.nonvirtual_offset(),
            b'v' => self.virtual_offset(),
            _ => None,
        }
    }

    fn nonvirtual_offset(&mut self) -> Option<()> {
        self.eat(b"n");
        self.number()?;
        self.expect(b"_")
    }

    fn virtual_offset(&mut self) -> Option<()> {
        self.nonvirtual_offset()?;
        self.nonvirtual_offset()
    }
}
