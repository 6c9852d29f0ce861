//! The fixed vocabulary of the Itanium C++ ABI: operators, builtin types, standard
//! abbreviations.
//!
//! Codes: <https://itanium-cxx-abi.github.io/cxx-abi/abi.html>, section 5.1. Text: as printed
//! by `c++filt`.

/// An operator: its text and its number of operands.
#[derive(Clone, Copy)]
pub(super) struct Operator {
    pub(super) text: &'static str,
    pub(super) arity: u8,
}

/// The operator with this code.
pub(super) fn operator(code: [u8; 2]) -> Option<Operator> {
    OPERATORS.iter().find_map(|&(arity, operators)| {
        let found = operators.iter().find(|row| row.as_bytes()[..2] == code)?;
        let text = &found[3..];
        Some(Operator { text, arity })
    })
}

/// Operators by number of operands: code, blank, text.
static OPERATORS: [(u8, &[&str]); 7] = [
    (0, &["tr throw"]),
    (1, &["ad &", "co ~", "de *", "gs ::", "mm --", "ng -", "nt !", "pp ++", "ps +"]),
    (
        1,
        &[
            "at alignof ",
            "aw co_await ",
            "az alignof ",
            "da delete[] ",
            "dl delete ",
            "st sizeof ",
            "sz sizeof ",
            "tw throw ",
        ],
    ),
    (
        2,
        &[
            "aN &=", "aS =", "aa &&", "an &", "cl ()", "cm ,", "dV /=", "di =", "ds .*", "dt .",
            "dv /", "dx ]=", "eO ^=", "eo ^", "eq ==", "ge >=", "gt >", "ix []", "lS <<=", "le <=",
            "ls <<", "lt <", "mI -=", "mL *=", "mi -", "ml *", "ne !=", "oR |=", "oo ||", "or |",
            "pL +=", "pl +", "pm ->*", "pt ->", "rM %=", "rS >>=", "rm %", "rs >>", "ss <=>",
        ],
    ),
    (2, &["cc const_cast", "dc dynamic_cast", "rc reinterpret_cast", "sc static_cast"]),
    (3, &["na new[]", "nw new", "qu ?"]),
    (3, &["dX [...]="]),
];

use LiteralForm::{Boolean, Cast, Float, Suffix};

/// Form of a literal of a builtin type.
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

/// A builtin type: the last letter of its code, its name, the form of literals.
#[derive(Debug)]
pub(super) struct Builtin {
    pub(super) code: u8,
    pub(super) name: &'static str,
    pub(super) literal: LiteralForm,
}

impl Builtin {
    /// Its name in Java.
    pub(super) fn java(&self) -> &'static str {
        let differing = JAVA_NAMES.iter().find(|(cxx, _)| *cxx == self.name);
        differing.map_or(self.name, |(_, java)| java)
    }
}

/// The builtin type that a name starts with, and the length of its code: a letter, or `D`
/// and one.
pub(super) fn builtin(name: &[u8]) -> Option<(&'static Builtin, usize)> {
    let (builtins, code, length) = match *name {
        [b'D', code, ..] => (&D_BUILTINS[..], code, 2),
        [code, ..] => (&BUILTINS[..], code, 1),
        [] => return None,
    };
    let found = builtins.iter().find(|builtin| builtin.code == code)?;
    Some((found, length))
}

const fn ty(code: u8, name: &'static str, literal: LiteralForm) -> Builtin {
    Builtin { code, name, literal }
}

static BUILTINS: [Builtin; 21] = [
    ty(b'a', "signed char", Cast),
    ty(b'b', "bool", Boolean),
    ty(b'c', "char", Cast),
    ty(b'd', "double", Float),
    ty(b'e', "long double", Float),
    ty(b'f', "float", Float),
    ty(b'g', "__float128", Float),
    ty(b'h', "unsigned char", Cast),
    ty(b'i', "int", Suffix("")),
    ty(b'j', "unsigned int", Suffix("u")),
    ty(b'l', "long", Suffix("l")),
    ty(b'm', "unsigned long", Suffix("ul")),
    ty(b'n', "__int128", Cast),
    ty(b'o', "unsigned __int128", Cast),
    ty(b's', "short", Cast),
    ty(b't', "unsigned short", Cast),
    ty(b'v', "void", Cast),
    ty(b'w', "wchar_t", Cast),
    ty(b'x', "long long", Suffix("ll")),
    ty(b'y', "unsigned long long", Suffix("ull")),
    ty(b'z', "...", Cast),
];

static D_BUILTINS: [Builtin; 10] = [
    ty(b'a', "auto", Cast),
    ty(b'c', "decltype(auto)", Cast),
    ty(b'd', "decimal64", Cast),
    ty(b'e', "decimal128", Cast),
    ty(b'f', "decimal32", Cast),
    ty(b'h', "half", Float),
    ty(b'i', "char32_t", Cast),
    ty(b'n', "decltype(nullptr)", Cast),
    ty(b's', "char16_t", Cast),
    ty(b'u', "char8_t", Cast),
];

/// Types with another name in Java.
static JAVA_NAMES: [(&str, &str); 5] = [
    ("bool", "boolean"),
    ("char", "byte"),
    ("unsigned int", "unsigned"),
    ("wchar_t", "char"),
    ("long long", "long"),
];

/// An abbreviation of a name in namespace `std`: `Ss` is `std::string`, with
/// `::` even where other names have dots.
pub(super) struct Abbreviation {
    code: u8,
    pub(super) name: &'static str,
    /// The name of its constructors and destructors.
    pub(super) class: &'static str,
    /// Written between the class and these names.
    pub(super) arguments: &'static str,
}

/// The abbreviation `S` and this letter.
pub(super) fn abbreviation(code: u8) -> Option<&'static Abbreviation> {
    let mut all = ABBREVIATIONS.iter();
    all.find(|abbreviation| abbreviation.code == code)
}

const fn abbr(
    code: u8,
    name: &'static str,
    class: &'static str,
    arguments: &'static str,
) -> Abbreviation {
    Abbreviation { code, name, class, arguments }
}

const OF_STRING: &str = "<char, std::char_traits<char>, std::allocator<char> >";
const OF_STREAM: &str = "<char, std::char_traits<char> >";

static ABBREVIATIONS: [Abbreviation; 6] = [
    abbr(b'a', "std::allocator", "allocator", ""),
    abbr(b'b', "std::basic_string", "basic_string", ""),
    abbr(b's', "std::string", "basic_string", OF_STRING),
    abbr(b'i', "std::istream", "basic_istream", OF_STREAM),
    abbr(b'o', "std::ostream", "basic_ostream", OF_STREAM),
    abbr(b'd', "std::iostream", "basic_iostream", OF_STREAM),
];
