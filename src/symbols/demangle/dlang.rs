//! D names. Source: <https://dlang.org/spec/abi.html>, "Name Mangling"; printed as `c++filt`
//! does.

use super::demangler::DemangleBudget;
use crate::limits::DEEPEST;

/// One-letter types, from `a` to `w`.
const BASIC_TYPES: &str = "char bool creal double real float byte ubyte int ireal uint long \
    ulong typeof(null) ifloat idouble cfloat cdouble short ushort wchar void dchar";

/// Names of symbols that the compiler makes, with their length.
const MADE: [(&str, &str); 5] = [
    ("6__initZ", "initializer for "),
    ("6__vtblZ", "vtable for "),
    ("7__ClassZ", "ClassInfo for "),
    ("11__InterfaceZ", "Interface for "),
    ("12__ModuleInfoZ", "ModuleInfo for "),
];

/// Attributes of functions.
const ATTRIBUTES: &[(&str, &str)] = &[
    ("Na", " pure"),
    ("Nb", " nothrow"),
    ("Nc", " ref"),
    ("Nd", " @property"),
    ("Ne", " @trusted"),
    ("Nf", " @safe"),
    ("Ni", " @nogc"),
    ("Nj", " return"),
    ("Nl", " scope"),
    ("Nm", " @live"),
];

/// Demangles `_D…`.
pub(super) fn demangle(name: &str) -> Option<String> {
    if name == "_Dmain" {
        return Some("D main".to_owned());
    }
    name.strip_prefix("_D")?;
    let limit = DemangleBudget::of(name.as_bytes()).limit;
    let mut reader = DlangReader { text: name, at: 2, depth: 0, n_steps: 0, limit };
    let out = reader.mangled_name()?;
    reader.rest().is_empty().then_some(out)
}

#[derive(Clone, Copy)]
struct DlangReader<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
    /// Names, types and values, and every 64 bytes of names: back references can repeat them.
    n_steps: usize,
    limit: usize,
}

impl<'a> DlangReader<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<u8> {
        self.rest().bytes().next()
    }

    fn eat(&mut self, prefix: &str) -> bool {
        let is_next = self.rest().starts_with(prefix);
        self.at += if is_next { prefix.len() } else { 0 };
        is_next
    }

    /// Skips the first of these codes that follows, and returns its words; empty without one.
    fn words_of(&mut self, codes: &[(&str, &'static str)]) -> &'static str {
        let found = codes.iter().find(|(code, _)| self.eat(code));
        found.map_or("", |(_, words)| words)
    }

    fn next(&mut self) -> Option<u8> {
        let first = self.peek().filter(u8::is_ascii)?;
        self.at += 1;
        Some(first)
    }

    fn digits(&mut self) -> &'a str {
        let rest = self.rest();
        let digits = &rest[..rest.bytes().take_while(u8::is_ascii_digit).count()];
        self.at += digits.len();
        digits
    }

    fn number(&mut self) -> Option<usize> {
        self.digits().parse().ok()
    }

    /// Reads something that contains others, unless they are too deep or too many.
    fn within<T>(&mut self, read: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        self.n_steps += 1;
        if self.depth == DEEPEST || self.n_steps > self.limit {
            return None;
        }
        self.depth += 1;
        let found = read(self);
        self.depth -= 1;
        found
    }

    /// Reads, and returns to the start if that fails.
    fn attempt<T>(&mut self, read: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        let start = self.at;
        let found = read(self);
        if found.is_none() {
            self.at = start;
        }
        found
    }

    /// The name after `_D`, with its type, which is not printed.
    fn mangled_name(&mut self) -> Option<String> {
        let name = self.qualified_name(true)?;
        if !self.eat("Z") {
            self.type_()?;
        }
        Some(name)
    }

    /// `4test1C` is `test.C`. Functions within have parameters, and the last one if `is_whole`.
    fn qualified_name(&mut self, is_whole: bool) -> Option<String> {
        self.within(|reader| {
            let mut out = String::new();
            loop {
                if reader.eat("0") {
                    while reader.eat("0") {}
                    if !reader.is_at_name() {
                        return Some(out).filter(|out| !out.is_empty());
                    }
                    continue;
                }
                if let Some((made, words)) =
                    MADE.iter().find(|(made, _)| !out.is_empty() && reader.rest().starts_with(made))
                {
                    // The `Z` ends the whole name.
                    reader.at += made.len() - 1;
                    return Some(format!("{words}{out}"));
                }
                let part = reader.symbol_name()?;
                if !out.is_empty() {
                    out.push('.');
                }
                out.push_str(&part);
                let parameters = reader.attempt(|reader| {
                    let parameters = reader.member_parameters(is_whole)?;
                    (is_whole || reader.is_at_name()).then_some(parameters)
                });
                out.push_str(parameters.as_deref().unwrap_or_default());
                if !reader.is_at_name() {
                    return Some(out);
                }
            }
        })
    }

    /// Whether a part of a qualified name follows.
    fn is_at_name(&self) -> bool {
        match self.peek() {
            Some(b'0'..=b'9') => true,
            Some(b'_') => self.rest().starts_with("__T") || self.rest().starts_with("__U"),
            Some(b'Q') => {
                let mut reader = *self;
                let target = reader.back_reference();
                target.is_some_and(|at| self.text.as_bytes()[at].is_ascii_digit())
            }
            _ => false,
        }
    }

    /// The position that `Q` and a number to base 26 refer to.
    fn back_reference(&mut self) -> Option<usize> {
        let start = self.at;
        self.eat("Q").then_some(())?;
        let mut distance = 0_usize;
        loop {
            let digit = self.next()?;
            let (value, is_last) = match digit {
                b'A'..=b'Z' => (digit - b'A', false),
                b'a'..=b'z' => (digit - b'a', true),
                _ => return None,
            };
            distance = distance.checked_mul(26)?.checked_add(value.into())?;
            if is_last {
                return start.checked_sub(distance).filter(|&at| at < start);
            }
        }
    }

    /// Reads at the target of a back reference.
    fn referred<T>(&mut self, read: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        let target = self.back_reference()?;
        let behind = std::mem::replace(&mut self.at, target);
        let found = self.within(read);
        self.at = behind;
        found
    }

    fn symbol_name(&mut self) -> Option<String> {
        if self.peek() == Some(b'Q') {
            return self.referred(Self::symbol_name);
        }
        if self.rest().starts_with("__T") || self.rest().starts_with("__U") {
            return self.template();
        }
        let n_bytes = self.number()?;
        let name = self.rest().get(..n_bytes).filter(|name| !name.is_empty())?;
        let end = self.at + n_bytes;
        if name.starts_with("__T") || name.starts_with("__U") {
            return self.attempt(|reader| reader.template().filter(|_| reader.at == end));
        }
        self.at = end;
        self.n_steps += n_bytes / 64;
        Some(
            match name {
                "__ctor" => "this",
                "__dtor" => "~this",
                "__postblit" if self.eat("MFZ") => "this(this)",
                _ => name,
            }
            .to_owned(),
        )
    }

    /// `__T1bTiZ` is `b!(int)`.
    fn template(&mut self) -> Option<String> {
        self.at += "__T".len();
        let name = self.within(Self::symbol_name)?;
        let mut arguments = Vec::new();
        while !self.eat("Z") {
            self.eat("H");
            let argument = match self.next()? {
                b'T' => self.type_()?,
                b'S' => self.symbol_argument()?,
                b'V' => self.value_argument()?,
                b'X' => {
                    let n_bytes = self.number()?;
                    let text = self.rest().get(..n_bytes)?;
                    self.at += n_bytes;
                    self.n_steps += n_bytes / 64;
                    text.to_owned()
                }
                _ => return None,
            };
            arguments.push(argument);
        }
        Some(format!("{name}!({})", arguments.join(", ")))
    }

    fn symbol_argument(&mut self) -> Option<String> {
        if self.eat("_D") {
            return self.within(Self::mangled_name);
        }
        self.qualified_name(false)
    }

    fn value_argument(&mut self) -> Option<String> {
        let mut kind = *self;
        while kind.peek() == Some(b'Q') {
            kind.at = kind.back_reference()?;
            kind.n_steps += 1;
            (kind.n_steps < self.limit).then_some(())?;
        }
        self.n_steps = kind.n_steps;
        let code = kind.peek()?;
        let name = self.type_()?;
        self.value(code, &name)
    }

    /// A value of the type that begins with `kind`.
    fn value(&mut self, kind: u8, type_name: &str) -> Option<String> {
        self.within(|reader| match reader.next()? {
            b'n' => Some("null".to_owned()),
            b'N' => Some(format!("-{}", reader.integer(kind)?)),
            b'i' => reader.integer(kind),
            b'0'..=b'9' => {
                reader.at -= 1;
                reader.integer(kind)
            }
            b'e' => reader.real(),
            b'c' => {
                let real = reader.real()?;
                reader.eat("c").then_some(())?;
                Some(format!("{real}+{}i", reader.real()?))
            }
            code @ (b'a' | b'w' | b'd') => reader.string(code),
            b'A' => {
                let items = reader.items(|reader| {
                    let item = reader.value(0, "")?;
                    Some(match kind {
                        b'H' => format!("{item}:{}", reader.value(0, "")?),
                        _ => item,
                    })
                });
                Some(format!("[{}]", items?))
            }
            b'S' => Some(format!("{type_name}({})", reader.items(|reader| reader.value(0, ""))?)),
            b'f' => {
                reader.eat("_D").then_some(())?;
                reader.mangled_name()
            }
            _ => None,
        })
    }

    /// A number, and so many items.
    fn items(&mut self, read: impl Fn(&mut Self) -> Option<String>) -> Option<String> {
        let n_items = self.number()?;
        let items: Option<Vec<_>> = (0..n_items).map(|_| read(self)).collect();
        Some(items?.join(", "))
    }

    fn integer(&mut self, kind: u8) -> Option<String> {
        let digits = self.digits();
        if digits.is_empty() {
            return None;
        }
        let suffix = match kind {
            b'b' => {
                return Some((if digits == "0" { "false" } else { "true" }).to_owned());
            }
            b'a' | b'u' | b'w' => return character(kind, digits.parse().ok()?),
            b'h' | b't' | b'k' => "u",
            b'l' => "L",
            b'm' => "uL",
            _ => "",
        };
        Some(format!("{digits}{suffix}"))
    }

    /// A hexadecimal number with exponent.
    fn real(&mut self) -> Option<String> {
        for (code, name) in [("NAN", "NaN"), ("INF", "Inf"), ("NINF", "-Inf")] {
            if self.eat(code) {
                return Some(name.to_owned());
            }
        }
        let sign = if self.eat("N") { "-" } else { "" };
        let rest = self.rest();
        let end = rest.find(|digit: char| !digit.is_ascii_hexdigit())?;
        let (first, others) = rest[..end].split_at_checked(1)?;
        self.at += end;
        self.eat("P").then_some(())?;
        let minus = if self.eat("N") { "-" } else { "" };
        Some(format!("{sign}0x{first}.{others}p{minus}{}", self.digits()))
    }

    fn string(&mut self, code: u8) -> Option<String> {
        let n_bytes = self.number()?;
        self.n_steps = self.n_steps.saturating_add(n_bytes / 64);
        self.eat("_").then_some(())?;
        let mut out = String::from("\"");
        for _ in 0..n_bytes {
            let digits = self.rest().get(..2)?;
            let byte = u8::from_str_radix(digits, 16).ok()?;
            self.at += 2;
            match byte {
                b'\t' => out.push_str("\\t"),
                b'\n' => out.push_str("\\n"),
                b'\r' => out.push_str("\\r"),
                0x0b => out.push_str("\\v"),
                0x0c => out.push_str("\\f"),
                b' '..=b'~' => out.push(byte.into()),
                _ => out.push_str(&format!("\\x{digits}")),
            }
        }
        out.push('"');
        if code != b'a' {
            out.push(code.into());
        }
        Some(out)
    }

    /// The parameters of a function, after `M` and qualifiers if it has `this`. Names of types
    /// omit these.
    fn member_parameters(&mut self, has_qualifiers: bool) -> Option<String> {
        let qualifiers = if self.eat("M") { self.qualifiers() } else { String::new() };
        self.convention()?;
        self.attributes();
        let parameters = self.parameters()?;
        let qualifiers = if has_qualifiers { &*qualifiers } else { "" };
        Some(format!("({parameters}){qualifiers}"))
    }

    /// ` const`, ` shared inout` and similar.
    fn qualifiers(&mut self) -> String {
        let shared = self.words_of(&[("O", " shared")]);
        let inout = self.words_of(&[("Ng", " inout")]);
        let last = self.words_of(&[("x", " const"), ("y", " immutable")]);
        format!("{shared}{inout}{last}")
    }

    /// The calling convention, which starts a function type.
    fn convention(&mut self) -> Option<&'static str> {
        Some(match self.next()? {
            b'F' => "",
            b'U' => "extern(C) ",
            b'W' => "extern(Windows) ",
            b'V' => "extern(Pascal) ",
            b'R' => "extern(C++) ",
            b'Y' => "extern(Objective-C) ",
            _ => return None,
        })
    }

    fn is_at_function(&self) -> bool {
        let mut reader = *self;
        reader.convention().is_some()
    }

    /// `pure`, `nothrow` and similar. `Ng`, `Nh`, `Nk` and `Nn` belong to parameters.
    fn attributes(&mut self) -> String {
        let mut out = String::new();
        loop {
            match self.words_of(ATTRIBUTES) {
                "" => return out,
                word => out.push_str(word),
            }
        }
    }

    fn parameters(&mut self) -> Option<String> {
        let mut out: Vec<String> = Vec::new();
        loop {
            let end = self.peek()?;
            if matches!(end, b'X' | b'Y' | b'Z') {
                self.at += 1;
                return Some(match (end, out.is_empty()) {
                    (b'X', _) => out.join(", ") + "...",
                    (b'Y', false) => out.join(", ") + ", ...",
                    (b'Y', true) => "...".to_owned(),
                    _ => out.join(", "),
                });
            }
            let mut parameter = String::new();
            for storage in [
                &[("M", "scope ")][..],
                &[("Nk", "return ")],
                &[("IK", "in ref "), ("I", "in "), ("J", "out "), ("K", "ref "), ("L", "lazy ")],
            ] {
                parameter.push_str(self.words_of(storage));
            }
            out.push(parameter + &self.type_()?);
        }
    }

    fn type_(&mut self) -> Option<String> {
        self.within(Self::type_within)
    }

    fn type_within(&mut self) -> Option<String> {
        let code = self.peek()?;
        if code == b'Q' {
            return self.referred(Self::type_);
        }
        if self.is_at_function() {
            return Some(self.function()? + " function");
        }
        self.at += 1;
        let basic = |letter: u8| BASIC_TYPES.split(' ').nth(letter.into());
        if let Some(name) = code.checked_sub(b'a').and_then(basic) {
            return Some(name.to_owned());
        }
        match code {
            b'A' => Some(self.type_()? + "[]"),
            b'P' if self.is_at_function() => self.type_(),
            b'P' => Some(self.type_()? + "*"),
            b'D' => {
                let qualifiers = self.qualifiers();
                let function = match self.peek()? {
                    b'Q' => self.referred(Self::function)?,
                    _ => self.function()?,
                };
                Some(format!("{function} delegate{qualifiers}"))
            }
            b'G' => {
                let length = self.digits();
                Some(format!("{}[{length}]", self.type_()?))
            }
            b'H' => {
                let key = self.type_()?;
                Some(format!("{}[{key}]", self.type_()?))
            }
            b'B' => Some(format!("Tuple!({})", self.items(Self::type_)?)),
            b'x' => Some(format!("const({})", self.type_()?)),
            b'y' => Some(format!("immutable({})", self.type_()?)),
            b'O' => Some(format!("shared({})", self.type_()?)),
            b'z' if self.eat("i") => Some("cent".to_owned()),
            b'z' if self.eat("k") => Some("ucent".to_owned()),
            b'N' if self.eat("g") => Some(format!("inout({})", self.type_()?)),
            b'N' if self.eat("h") => Some(format!("__vector({})", self.type_()?)),
            b'N' if self.eat("n") => Some("typeof(*null)".to_owned()),
            b'C' | b'S' | b'E' | b'I' | b'T' => self.qualified_name(false),
            _ => None,
        }
    }

    /// `FNaiZv` is `void(int) pure`.
    fn function(&mut self) -> Option<String> {
        let convention = self.convention()?;
        let attributes = self.attributes();
        let parameters = self.parameters()?;
        Some(format!("{convention}{}({parameters}){attributes}", self.type_()?))
    }
}

/// A character of the type `char`, `wchar` or `dchar`.
fn character(kind: u8, code: u32) -> Option<String> {
    Some(match (kind, code) {
        (b'a', 0x20..0x7f) => format!("'{}'", char::from_u32(code)?),
        (b'a', _) => format!("'\\x{code:02x}'"),
        (b'u', _) => format!("'\\u{code:04x}'"),
        _ => format!("'\\U{code:08x}'"),
    })
}
