//! The productions that make a whole symbol: `<encoding>` and
//! `<special-name>`.

use super::node::SequencePart::{Number, Print, Text};
use super::node::{FunctionQualifiers, Node, NodeId, SequenceRole, Signature};
use super::parser::Parser;

impl Parser<'_> {
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
            let result = if parser.has_result(name) { Some(parser.type_()?) } else { None };
            let signature = Signature {
                result,
                parameters: parser.parameters()?,
                qualifiers: FunctionQualifiers::default(),
            };
            Some(parser.add(Node::Function(name, signature)))
        })
    }

    /// Only templates encode their result, unless their name implies it.
    fn has_result(&self, mut name: NodeId) -> bool {
        let mut is_template = false;
        loop {
            name = match self.nodes[name] {
                Node::Qualified(name, _) | Node::Local(_, name) if !is_template => name,
                Node::Template(name, _) if !is_template => {
                    is_template = true;
                    name
                }
                Node::Scoped(_, name) => name,
                Node::Conversion(_) | Node::Sequence(SequenceRole::Resultless, _) => return false,
                _ => return is_template,
            };
        }
    }

    /// `<special-name>`
    fn special_name(&mut self) -> Option<NodeId> {
        let (words, node) = match &[self.next()?, self.next()?] {
            b"TV" => ("vtable for ", self.type_()?),
            b"TT" => ("VTT for ", self.type_()?),
            b"TI" => ("typeinfo for ", self.type_()?),
            b"TS" => ("typeinfo name for ", self.type_()?),
            b"TF" => ("typeinfo fn for ", self.type_()?),
            b"TJ" => ("java Class for ", self.type_()?),
            b"TH" => ("TLS init function for ", self.name()?),
            b"TW" => ("TLS wrapper function for ", self.name()?),
            b"TA" => ("template parameter object for ", self.template_argument()?),
            b"TC" => return self.construction_vtable(),
            b"Th" => {
                self.nonvirtual_offset()?;
                ("non-virtual thunk to ", self.encoding()?)
            }
            b"Tv" => {
                self.virtual_offset()?;
                ("virtual thunk to ", self.encoding()?)
            }
            b"Tc" => {
                self.call_offset()?;
                self.call_offset()?;
                ("covariant return thunk to ", self.encoding()?)
            }
            b"GV" => ("guard variable for ", self.name()?),
            b"GR" => return self.reference_temporary(),
            b"GA" => ("hidden alias for ", self.encoding()?),
            b"GT" => match self.next()? {
                b'n' => ("non-transaction clone for ", self.encoding()?),
                _ => ("transaction clone for ", self.encoding()?),
            },
            _ => return None,
        };
        Some(self.sequence([Text(words), Print(node)]))
    }

    /// `TC <derived> <number> _ <base>`
    fn construction_vtable(&mut self) -> Option<NodeId> {
        let derived = Print(self.type_()?);
        self.number()?;
        self.expect(b"_")?;
        let base = Print(self.type_()?);
        Some(self.sequence([Text("construction vtable for "), base, Text("-in-"), derived]))
    }

    /// `GR <name> [<number>]`
    fn reference_temporary(&mut self) -> Option<NodeId> {
        let name = Print(self.name()?);
        let number = Number(self.number().unwrap_or(0));
        Some(self.sequence([Text("reference temporary #"), number, Text(" for "), name]))
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
