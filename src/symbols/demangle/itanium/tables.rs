//! The fixed vocabulary of the Itanium C++ ABI: operators, builtin types,
//! standard abbreviations.
//!
//! Codes are those of <https://itanium-cxx-abi.github.io/cxx-abi/abi.html>,
//! section 5.1; spellings are what `c++filt` prints.

/// An operator: its code, its spelling and how many operands it takes.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Operator {
    pub(super) code: [u8; 2],
    pub(super) text: &'static str,
    pub(super) arity: u8,
}

/// The operator with this code.
pub(super) fn operator(code: [u8; 2]) -> Option<&'static Operator> {
    OPERATORS.iter().find(|operator| operator.code == code)
}

const fn op(code: [u8; 2], text: &'static str, arity: u8) -> Operator {
    Operator { code, text, arity }
}

static OPERATORS: [Operator; 69] = [
    op(*b"aN", "&=", 2),
    op(*b"aS", "=", 2),
    op(*b"aa", "&&", 2),
    op(*b"ad", "&", 1),
    op(*b"an", "&", 2),
    op(*b"at", "alignof ", 1),
    op(*b"aw", "co_await ", 1),
    op(*b"az", "alignof ", 1),
    op(*b"cc", "const_cast", 2),
    op(*b"cl", "()", 2),
    op(*b"cm", ",", 2),
    op(*b"co", "~", 1),
    op(*b"dV", "/=", 2),
    op(*b"dX", "[...]=", 3),
    op(*b"da", "delete[] ", 1),
    op(*b"dc", "dynamic_cast", 2),
    op(*b"de", "*", 1),
    op(*b"di", "=", 2),
    op(*b"dl", "delete ", 1),
    op(*b"ds", ".*", 2),
    op(*b"dt", ".", 2),
    op(*b"dv", "/", 2),
    op(*b"dx", "]=", 2),
    op(*b"eO", "^=", 2),
    op(*b"eo", "^", 2),
    op(*b"eq", "==", 2),
    op(*b"ge", ">=", 2),
    op(*b"gs", "::", 1),
    op(*b"gt", ">", 2),
    op(*b"ix", "[]", 2),
    op(*b"lS", "<<=", 2),
    op(*b"le", "<=", 2),
    op(*b"ls", "<<", 2),
    op(*b"lt", "<", 2),
    op(*b"mI", "-=", 2),
    op(*b"mL", "*=", 2),
    op(*b"mi", "-", 2),
    op(*b"ml", "*", 2),
    op(*b"mm", "--", 1),
    op(*b"na", "new[]", 3),
    op(*b"ne", "!=", 2),
    op(*b"ng", "-", 1),
    op(*b"nt", "!", 1),
    op(*b"nw", "new", 3),
    op(*b"nx", "noexcept", 1),
    op(*b"oR", "|=", 2),
    op(*b"oo", "||", 2),
    op(*b"or", "|", 2),
    op(*b"pL", "+=", 2),
    op(*b"pl", "+", 2),
    op(*b"pm", "->*", 2),
    op(*b"pp", "++", 1),
    op(*b"ps", "+", 1),
    op(*b"pt", "->", 2),
    op(*b"qu", "?", 3),
    op(*b"rM", "%=", 2),
    op(*b"rS", ">>=", 2),
    op(*b"rc", "reinterpret_cast", 2),
    op(*b"rm", "%", 2),
    op(*b"rs", ">>", 2),
    op(*b"sc", "static_cast", 2),
    op(*b"ss", "<=>", 2),
    op(*b"st", "sizeof ", 1),
    op(*b"sz", "sizeof ", 1),
    op(*b"te", "typeid ", 1),
    op(*b"ti", "typeid ", 1),
    op(*b"tr", "throw", 0),
    op(*b"tw", "throw ", 1),
    op(*b"sP", "sizeof...", 1),
];

/// How a literal of a builtin type is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LiteralForm {
    /// `(char)65`
    Cast,
    /// `5ul`: the number and a suffix.
    Suffix(&'static str),
    /// `true`
    Boolean,
    /// `(float)[3f800000]`
    Float,
}

/// A builtin type: its code, its C++ and Java names, how literals look.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Builtin {
    pub(super) code: u8,
    pub(super) name: &'static str,
    pub(super) java: &'static str,
    pub(super) literal: LiteralForm,
}

/// The builtin type with a one-letter code.
pub(super) fn builtin(code: u8) -> Option<&'static Builtin> {
    BUILTINS.iter().find(|builtin| builtin.code == code)
}

/// The builtin type whose code is `D` and this letter.
pub(super) fn builtin_after_d(code: u8) -> Option<&'static Builtin> {
    D_BUILTINS.iter().find(|builtin| builtin.code == code)
}

const fn ty(code: u8, name: &'static str, java: &'static str, literal: LiteralForm) -> Builtin {
    Builtin {
        code,
        name,
        java,
        literal,
    }
}

/// A type whose literals are casts and which Java calls the same.
const fn plain(code: u8, name: &'static str) -> Builtin {
    ty(code, name, name, LiteralForm::Cast)
}

static BUILTINS: [Builtin; 21] = [
    ty(b'a', "signed char", "signed char", LiteralForm::Cast),
    ty(b'b', "bool", "boolean", LiteralForm::Boolean),
    ty(b'c', "char", "byte", LiteralForm::Cast),
    ty(b'd', "double", "double", LiteralForm::Float),
    ty(b'e', "long double", "long double", LiteralForm::Float),
    ty(b'f', "float", "float", LiteralForm::Float),
    ty(b'g', "__float128", "__float128", LiteralForm::Float),
    ty(b'h', "unsigned char", "unsigned char", LiteralForm::Cast),
    ty(b'i', "int", "int", LiteralForm::Suffix("")),
    ty(b'j', "unsigned int", "unsigned", LiteralForm::Suffix("u")),
    ty(b'l', "long", "long", LiteralForm::Suffix("l")),
    ty(
        b'm',
        "unsigned long",
        "unsigned long",
        LiteralForm::Suffix("ul"),
    ),
    plain(b'n', "__int128"),
    plain(b'o', "unsigned __int128"),
    plain(b's', "short"),
    plain(b't', "unsigned short"),
    plain(b'v', "void"),
    ty(b'w', "wchar_t", "char", LiteralForm::Cast),
    ty(b'x', "long long", "long", LiteralForm::Suffix("ll")),
    ty(
        b'y',
        "unsigned long long",
        "unsigned long long",
        LiteralForm::Suffix("ull"),
    ),
    plain(b'z', "..."),
];

static D_BUILTINS: [Builtin; 9] = [
    plain(b'a', "auto"),
    plain(b'c', "decltype(auto)"),
    ty(b'd', "decimal64", "decimal64", LiteralForm::Cast),
    ty(b'e', "decimal128", "decimal128", LiteralForm::Cast),
    ty(b'f', "decimal32", "decimal32", LiteralForm::Cast),
    ty(b'h', "half", "half", LiteralForm::Float),
    plain(b'i', "char32_t"),
    plain(b'n', "decltype(nullptr)"),
    plain(b's', "char16_t"),
];

/// The builtin type `char8_t`, the one `D` code left out of the table above.
pub(super) static CHAR8: Builtin = plain(b'u', "char8_t");

/// An abbreviation of a name in namespace `std`: `Ss` is `std::string`, with
/// `::` even where other names have dots.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Abbreviation {
    pub(super) code: u8,
    pub(super) name: &'static str,
    /// The spelling before a constructor or destructor, whose name is `class`.
    pub(super) full: &'static str,
    pub(super) class: &'static str,
}

/// The abbreviation `S` and this letter.
pub(super) fn abbreviation(code: u8) -> Option<&'static Abbreviation> {
    ABBREVIATIONS
        .iter()
        .find(|abbreviation| abbreviation.code == code)
}

static ABBREVIATIONS: [Abbreviation; 6] = [
    Abbreviation {
        code: b'a',
        name: "std::allocator",
        full: "std::allocator",
        class: "allocator",
    },
    Abbreviation {
        code: b'b',
        name: "std::basic_string",
        full: "std::basic_string",
        class: "basic_string",
    },
    Abbreviation {
        code: b's',
        name: "std::string",
        full: "std::basic_string<char, std::char_traits<char>, std::allocator<char> >",
        class: "basic_string",
    },
    Abbreviation {
        code: b'i',
        name: "std::istream",
        full: "std::basic_istream<char, std::char_traits<char> >",
        class: "basic_istream",
    },
    Abbreviation {
        code: b'o',
        name: "std::ostream",
        full: "std::basic_ostream<char, std::char_traits<char> >",
        class: "basic_ostream",
    },
    Abbreviation {
        code: b'd',
        name: "std::iostream",
        full: "std::basic_iostream<char, std::char_traits<char> >",
        class: "basic_iostream",
    },
];
