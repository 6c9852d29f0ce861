//! D names without templates. Source: <https://dlang.org/spec/abi.html>, "Name Mangling".

/// Maximum depth of types.
const MAX_DEPTH: usize = 64;

/// One-letter types, from `a` to `w`.
const BASIC_TYPES: &str = "char bool creal double real float byte ubyte int ireal uint long \
    ulong typeof(null) ifloat idouble cfloat cdouble short ushort wchar void dchar";

/// Demangles `_D…`, except for templates and back references.
pub(super) fn demangle(name: &str) -> Option<String> {
    if name == "_Dmain" {
        return Some("D main".to_owned());
    }
    let mut reader = DlangReader { rest: name.strip_prefix("_D")? };
    let mut out = reader.qualified_name()?;
    if reader.rest == "Z" {
        return special(&out);
    }
    let is_member = reader.eat("M");
    let qualifier = match reader.rest.as_bytes().first()? {
        b'x' if is_member => " const",
        b'y' if is_member => " immutable",
        _ => "",
    };
    reader.rest = &reader.rest[usize::from(!qualifier.is_empty())..];
    match reader.parameters() {
        Some(parameters) => {
            out = format!("{out}({parameters}){qualifier}");
            reader.type_(0)?;
        }
        None if is_member => return None,
        None => {
            reader.type_(0)?;
        }
    }
    reader.rest.is_empty().then_some(out)
}

/// Names made by the compiler: `test.C.__vtbl`.
fn special(name: &str) -> Option<String> {
    let (owner, made) = name.rsplit_once('.')?;
    let words = match made {
        "__init" => "initializer for",
        "__vtbl" => "vtable for",
        "__Class" => "ClassInfo for",
        "__Interface" => "Interface for",
        "__ModuleInfo" => "ModuleInfo for",
        _ => return None,
    };
    Some(format!("{words} {owner}"))
}

struct DlangReader<'a> {
    rest: &'a str,
}

impl DlangReader<'_> {
    fn eat(&mut self, prefix: &str) -> bool {
        let rest = self.rest.strip_prefix(prefix);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn next(&mut self) -> Option<u8> {
        let first = *self.rest.as_bytes().first()?;
        self.rest = self.rest.get(1..)?;
        Some(first)
    }

    fn number(&mut self) -> Option<usize> {
        let end = self.rest.find(|digit: char| !digit.is_ascii_digit())?;
        let (digits, rest) = self.rest.split_at(end);
        self.rest = rest;
        digits.parse().ok()
    }

    /// `4test1C` is `test.C`.
    fn qualified_name(&mut self) -> Option<String> {
        let mut parts = Vec::new();
        while self.rest.starts_with(|digit: char| digit.is_ascii_digit()) {
            let n_bytes = self.number()?;
            let (part, rest) = self.rest.split_at_checked(n_bytes)?;
            self.rest = rest;
            parts.push(match part {
                "__ctor" => "this",
                "__dtor" => "~this",
                "" => return None,
                _ if part.starts_with("__T") || part.starts_with("__U") => return None,
                _ => part,
            });
        }
        (!parts.is_empty()).then(|| parts.join("."))
    }

    /// The parameters of a function type, if one comes next.
    fn parameters(&mut self) -> Option<String> {
        matches!(self.rest.as_bytes().first()?, b'F' | b'U').then_some(())?;
        self.next();
        self.attributes();
        let mut out: Vec<String> = Vec::new();
        loop {
            let last = self.rest.as_bytes().first()?;
            if matches!(last, b'X' | b'Y' | b'Z') {
                let text = match (last, out.is_empty()) {
                    (b'X', _) => out.join(", ") + "...",
                    (b'Y', false) => out.join(", ") + ", ...",
                    (b'Y', true) => "...".to_owned(),
                    _ => out.join(", "),
                };
                self.next();
                return Some(text);
            }
            let storage = match last {
                b'J' => "out ",
                b'K' => "ref ",
                b'L' => "lazy ",
                _ => "",
            };
            self.rest = &self.rest[usize::from(!storage.is_empty())..];
            out.push(storage.to_owned() + &self.type_(0)?);
        }
    }

    /// `pure`, `nothrow` and similar, which are not printed. `Ng` and later codes belong to a
    /// type.
    fn attributes(&mut self) {
        while let [b'N', b'a'..=b'f' | b'i' | b'j' | b'l' | b'm', ..] = self.rest.as_bytes() {
            self.rest = &self.rest[2..];
        }
    }

    fn type_(&mut self, depth: usize) -> Option<String> {
        if depth == MAX_DEPTH {
            return None;
        }
        let code = self.next()?;
        let basic = |letter: u8| BASIC_TYPES.split(' ').nth(letter.into());
        if let Some(name) = code.checked_sub(b'a').and_then(basic) {
            return Some(name.to_owned());
        }
        let depth = depth + 1;
        match code {
            b'A' => Some(self.type_(depth)? + "[]"),
            b'P' => Some(self.type_(depth)? + "*"),
            b'G' => {
                let length = self.number()?;
                Some(format!("{}[{length}]", self.type_(depth)?))
            }
            b'H' => {
                let key = self.type_(depth)?;
                Some(format!("{}[{key}]", self.type_(depth)?))
            }
            b'x' => Some(format!("const({})", self.type_(depth)?)),
            b'y' => Some(format!("immutable({})", self.type_(depth)?)),
            b'O' => Some(format!("shared({})", self.type_(depth)?)),
            b'N' if self.eat("g") => Some(format!("inout({})", self.type_(depth)?)),
            b'C' | b'S' | b'E' | b'I' | b'T' => self.qualified_name(),
            _ => None,
        }
    }
}
