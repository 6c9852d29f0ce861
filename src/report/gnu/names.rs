//! Names of functions as they are printed.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::fmt::Write as _;

use crate::symbols::{Style, Symbol, SymbolId, SymbolTable, demangle};

/// How names are printed.
#[derive(Clone, Copy, Debug)]
pub struct NameOptions {
    /// How to demangle.
    pub demangle: Style,
    /// Escape control characters, as for a terminal.
    pub escapes_controls: bool,
    /// Whole file names instead of their last component.
    pub shows_paths: bool,
}

/// The names of a table, made when they are first asked for.
#[derive(Debug)]
pub struct Names<'a> {
    table: &'a SymbolTable,
    options: NameOptions,
    made: Box<[OnceCell<Box<[u8]>>]>,
}

impl<'a> Names<'a> {
    /// Names of `table`.
    #[must_use]
    pub fn new(table: &'a SymbolTable, options: NameOptions) -> Self {
        Self {
            table,
            options,
            made: vec![OnceCell::new(); table.symbols().len()].into(),
        }
    }

    /// The name that is printed in normal style.
    #[must_use]
    pub fn name(&self, id: SymbolId) -> &[u8] {
        self.made[id.index()].get_or_init(|| {
            let raw = &self.table.get(id).name;
            match demangle(raw, self.options.demangle) {
                Some(name) => self.printable(&name).into(),
                None => self.printable(raw).into(),
            }
        })
    }

    /// The name in the executable.
    #[must_use]
    pub fn raw(&self, id: SymbolId) -> Cow<'_, [u8]> {
        self.printable(&self.table.get(id).name)
    }

    /// The file of a static function, when it is known.
    #[must_use]
    pub fn file_of_static(&self, id: SymbolId) -> Option<Cow<'_, [u8]>> {
        let Symbol {
            is_static, source, ..
        } = self.table.get(id);
        let source = source.filter(|_| *is_static)?;
        let files = self.table.files();
        let name = if self.options.shows_paths {
            files.name(source.file)
        } else {
            files.last_component(source.file)
        };
        Some(self.printable(name))
    }

    pub(super) fn printable<'n>(&self, name: &'n [u8]) -> Cow<'n, [u8]> {
        if self.options.escapes_controls {
            escape_controls(name)
        } else {
            Cow::Borrowed(name)
        }
    }
}

/// Writes control characters as `\x1b`, so that a name cannot drive a terminal.
/// Bytes that are not UTF-8 go the same way; they may be controls of their own.
#[must_use]
pub fn escape_controls(name: &[u8]) -> Cow<'_, [u8]> {
    let is_clean = |chunk: std::str::Utf8Chunk<'_>| {
        chunk.invalid().is_empty() && !chunk.valid().contains(char::is_control)
    };
    if name.utf8_chunks().all(is_clean) {
        return Cow::Borrowed(name);
    }
    let mut escaped = String::with_capacity(name.len());
    for chunk in name.utf8_chunks() {
        for character in chunk.valid().chars() {
            if character.is_control() {
                // Writing to a string cannot fail.
                let _ = write!(escaped, "\\x{:02x}", u32::from(character));
            } else {
                escaped.push(character);
            }
        }
        for byte in chunk.invalid() {
            let _ = write!(escaped, "\\x{byte:02x}");
        }
    }
    Cow::Owned(escaped.into_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_escaped() {
        let check = |name: &[u8], expected: &str| {
            assert_eq!(escape_controls(name), expected.as_bytes());
        };
        check(b"main", "main");
        check("größe".as_bytes(), "größe");
        check(b"a\x1b[31mred", "a\\x1b[31mred");
        check(b"tab\there", "tab\\x09here");
        check(b"\xff\xfe", "\\xff\\xfe");
        check("\u{9b}31m".as_bytes(), "\\x9b31m");
    }
}
