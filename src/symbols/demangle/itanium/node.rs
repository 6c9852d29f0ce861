//! The tree a mangled C++ name describes.
//!
//! Nodes live in one arena and refer to each other by index, because a
//! substitution (`S_`) lets one subtree appear in many places.

use super::tables::Builtin;

/// The position of a node in the arena.
pub(super) type NodeId = usize;

/// A type written after the type it modifies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Modifier<'a> {
    Pointer,
    LvalueReference,
    RvalueReference,
    /// A word after the type: `const`, `_Complex`.
    Word(&'static str),
    /// A word a vendor invented, such as `block_pointer`.
    Vendor(&'a [u8]),
}

/// Qualifiers of a function, as opposed to qualifiers of its type's parts.
///
/// They follow the parameters: ` const`, ` &&`, ` noexcept`.
#[derive(Debug, Default)]
pub(super) struct FunctionQualifiers {
    pub(super) words: Vec<&'static str>,
    /// The operand of `noexcept(…)` or the types of `throw(…)`.
    pub(super) computed: Option<(&'static str, Box<[NodeId]>)>,
}

/// Result and parameters of a function.
#[derive(Debug)]
pub(super) struct Signature {
    /// Absent where the mangling leaves it out: plain functions, constructors.
    pub(super) result: Option<NodeId>,
    pub(super) parameters: Box<[NodeId]>,
    pub(super) qualifiers: FunctionQualifiers,
}

/// A part of a [`Node::Sequence`].
#[derive(Clone, Copy, Debug)]
pub(super) enum SequencePart<'a> {
    Text(&'static str),
    Bytes(&'a [u8]),
    Number(usize),
    Print(NodeId),
    /// In parentheses unless it is a plain name.
    Operand(NodeId),
}

/// The role of a sequence of parts in other nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SequenceRole {
    /// An operand in parentheses.
    Compound,
    /// An operand without them.
    Closed,
    /// A constructor or destructor, which returns nothing.
    Resultless,
}

/// One node of the tree.
#[derive(Debug)]
pub(super) enum Node<'a> {
    /// Nodes printed part by part: expressions, and compiler-generated names.
    Sequence(SequenceRole, Vec<SequencePart<'a>>),

    // Names.
    Identifier(&'a [u8]),
    /// Fixed words: `std`, `string literal`.
    Fixed(&'static str),
    Scoped(NodeId, NodeId),
    Tagged(NodeId, &'a [u8]),
    Template(NodeId, Box<[NodeId]>),
    Lambda(Box<[NodeId]>, usize),
    /// A name inside a function: the function, then the name.
    Local(NodeId, NodeId),
    /// A name inside a default argument, and that argument's number.
    DefaultArgument(usize, NodeId),
    /// A conversion operator to a type.
    Conversion(NodeId),
    /// A member function name with qualifiers of its `this`.
    Qualified(NodeId, Vec<&'static str>),
    Function(NodeId, Signature),

    // Types.
    Builtin(&'static Builtin),
    Modified(Modifier<'a>, NodeId),
    FunctionType(Signature),
    Array(Option<NodeId>, NodeId),
    Vector(NodeId, NodeId),
    MemberPointer(NodeId, NodeId),
    TemplateParameter(usize),
    Pack(Box<[NodeId]>),
    Expansion(NodeId),

    // Expressions.
    /// Several expressions, comma separated.
    List(Box<[NodeId]>),
    /// A fold expression, which shows packs as a whole.
    Fold(Vec<SequencePart<'a>>),
    SizeofPack(NodeId),
    /// `sizeof...` of arguments, some of which are packs.
    SizeofArguments(Box<[NodeId]>),
}

impl Node<'_> {
    /// The nodes below this one that an expansion around it repeats, in the order in which
    /// libiberty looks for a pack.
    pub(super) fn expanded_parts(&self) -> Vec<NodeId> {
        let of_signature = |signature: &Signature| {
            let result = signature.result.into_iter();
            result.chain(signature.parameters.iter().copied()).collect::<Vec<_>>()
        };
        match self {
            Self::Sequence(_, parts) | Self::Fold(parts) => {
                let nodes = parts.iter().filter_map(|part| match part {
                    SequencePart::Print(id) | SequencePart::Operand(id) => Some(*id),
                    _ => None,
                });
                nodes.collect()
            }
            Self::Scoped(first, second)
            | Self::Local(first, second)
            | Self::Vector(first, second)
            | Self::MemberPointer(first, second) => vec![*first, *second],
            Self::Template(first, others) => [&[*first], &others[..]].concat(),
            Self::Function(name, signature) => [vec![*name], of_signature(signature)].concat(),
            Self::FunctionType(signature) => of_signature(signature),
            Self::Array(size, element) => size.iter().chain([element]).copied().collect(),
            Self::Pack(items) | Self::List(items) | Self::SizeofArguments(items) => items.to_vec(),
            Self::Conversion(inner)
            | Self::Qualified(inner, _)
            | Self::Modified(_, inner)
            | Self::SizeofPack(inner) => vec![*inner],
            Self::Identifier(_)
            | Self::Fixed(_)
            | Self::Tagged(..)
            | Self::Lambda(..)
            | Self::DefaultArgument(..)
            | Self::Builtin(_)
            | Self::TemplateParameter(_)
            | Self::Expansion(_) => Vec::new(),
        }
    }
}
