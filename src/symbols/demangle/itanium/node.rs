//! The tree a mangled C++ name describes.
//!
//! Nodes live in one arena and refer to each other by index, because a
//! substitution (`S_`) lets one subtree appear in many places.

use super::tables::{Builtin, Operator};

/// The position of a node in the arena.
pub(super) type NodeId = usize;

/// How a constructor or destructor is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Structor {
    Constructor,
    Destructor,
}

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

/// Qualifiers of a function, as opposed to those of its type's parts.
///
/// They follow the parameters: ` const`, ` &&`, ` noexcept`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct FunctionQualifiers {
    pub(super) words: Vec<&'static str>,
    /// The operand of `noexcept(…)` or the types of `throw(…)`.
    pub(super) computed: Option<(&'static str, Box<[NodeId]>)>,
}

/// Result and parameters of a function.
#[derive(Clone, Debug)]
pub(super) struct Signature {
    /// Absent where the mangling leaves it out: plain functions, constructors.
    pub(super) result: Option<NodeId>,
    pub(super) parameters: Box<[NodeId]>,
    pub(super) qualifiers: FunctionQualifiers,
}

/// One node of the tree.
#[derive(Clone, Debug)]
pub(super) enum Node<'a> {
    // Names.
    Identifier(&'a [u8]),
    /// Fixed words: `std`, `string literal`.
    Fixed(&'static str),
    Scoped(NodeId, NodeId),
    Tagged(NodeId, &'a [u8]),
    Template(NodeId, Box<[NodeId]>),
    Structor(Structor, NodeId),
    Operator(&'static Operator),
    /// `v1foo`, an operator a vendor invented.
    VendorOperator(&'a [u8]),
    Literal(&'a [u8]),
    Conversion(NodeId),
    Lambda(Box<[NodeId]>, usize),
    Unnamed(usize),
    DefaultArgument(usize),
    Binding(Box<[NodeId]>),
    /// A name inside a function: the function, then the name.
    Local(NodeId, NodeId),
    /// A member function name with qualifiers of its `this`.
    Qualified(NodeId, Vec<&'static str>),
    Function(NodeId, Signature),
    /// Words before a name: `vtable for `.
    Special(&'static str, NodeId),
    ReferenceTemporary(usize, NodeId),
    ConstructionVtable(NodeId, NodeId),

    // Types.
    Builtin(&'static Builtin),
    /// `_Float32`, with what follows the number.
    Float(&'a [u8], &'static str),
    Modified(Modifier<'a>, NodeId),
    FunctionType(Signature),
    Array(Option<NodeId>, NodeId),
    Vector(NodeId, NodeId),
    MemberPointer(NodeId, NodeId),
    TemplateParameter(usize),
    Decltype(NodeId),
    Pack(Box<[NodeId]>),
    Expansion(NodeId),

    // Expressions.
    Number(&'a [u8]),
    Value(NodeId, &'a [u8]),
    /// `{parm#1}`; 0 is `this`.
    FunctionParameter(usize),
    Unary(&'static Operator, NodeId),
    Postfix(&'static Operator, NodeId),
    Binary(&'static Operator, NodeId, NodeId),
    Conditional(NodeId, NodeId, NodeId),
    Cast(NodeId, NodeId),
    /// `static_cast<int>(x)` and its like.
    NamedCast(&'static Operator, NodeId, NodeId),
    Call(NodeId, NodeId),
    New(&'static Operator, NodeId, NodeId, Option<NodeId>),
    /// Several expressions, comma separated.
    List(Box<[NodeId]>),
    Braced(Option<NodeId>, NodeId),
    Fold(u8, &'static Operator, NodeId, Option<NodeId>),
    SizeofPack(NodeId),
}
