//! Functions as TAU writes them: a name, and possibly its place.

use std::collections::HashMap;
use std::io::{self, Write};

use crate::interner::{InternedNames, Interner};
use crate::render::{name_id, visible};
use crate::report::{Cell, NameId, NameTable, escape_controls};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct FrameId(u32);

/// Functions in order of appearance. Each name and each file is stored once, since every line of
/// a report may have the same.
#[derive(Default)]
pub(super) struct TauFrames {
    texts: InternedNames,
    frames: Vec<Frame>,
    numbers: Interner<Frame>,
    of_names: HashMap<NameId, FrameId>,
}

/// A name, and a file with a line.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Frame {
    name: u32,
    place: Option<(u32, u32)>,
}

impl TauFrames {
    /// The number of a function. Quotes, arrows and the start of places would end a name.
    pub(super) fn number(&mut self, cell: &Cell, names: &dyn NameTable) -> FrameId {
        let id = name_id(cell);
        if let Some(known) = id.and_then(|id| self.of_names.get(&id)) {
            return *known;
        }
        let name = visible(cell.bytes(names));
        let name = name.trim().replace('"', "'").replace("=>", "= >");
        let name = match name.replace("[{", "[ {") {
            name if name.is_empty() => "<unnamed>".to_owned(),
            name => name,
        };
        let place = id.and_then(|id| names.location(id));
        let file = place.map(|place| escape_controls(place.file));
        let is_plain = |file: &[u8]| !file.iter().any(|byte| b" \"{}=".contains(byte));
        // Hatchet looks for the place behind the first brace, which may be that of `{lambda()#1}`.
        let file = file.filter(|file| is_plain(file) && !name.contains('{'));
        let file = file.map(|file| self.texts.number(&file));
        let place = file.zip(place.map(|place| place.line));
        let frame = Frame { name: self.texts.number(name.as_bytes()), place };
        let number = FrameId(self.numbers.find(frame, &mut self.frames, || frame));
        if let Some(id) = id {
            self.of_names.insert(id, number);
        }
        number
    }

    /// Writes a function, with its place if that is known.
    pub(super) fn write(&self, FrameId(id): FrameId, out: &mut dyn Write) -> io::Result<()> {
        let Frame { name, place } = self.frames[id as usize];
        out.write_all(self.texts.get(name))?;
        let Some((file, line)) = place else {
            return Ok(());
        };
        out.write_all(b" [{")?;
        out.write_all(self.texts.get(file))?;
        write!(out, "}} {{{line},0}}]")
    }

    /// About how many bytes a function takes.
    pub(super) fn length(&self, FrameId(id): FrameId) -> usize {
        let Frame { name, place } = self.frames[id as usize];
        let place = place.map_or(0, |(file, _)| self.texts.get(file).len() + " [{} {1,0}]".len());
        self.texts.get(name).len() + place
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::testing::{TestName, report};

    #[test]
    fn names_end_neither_quotes_nor_paths() {
        let check = |name: &str, expected: &str| {
            let name = TestName { name: name.into(), ..TestName::default() };
            let report = report(vec![name], Vec::new());
            let mut frames = TauFrames::default();
            let frame = frames.number(&Cell::Name(NameId(0)), &*report.names);
            let mut text = Vec::new();
            frames.write(frame, &mut text).expect("memory is writable");
            assert_eq!(String::from_utf8_lossy(&text), expected);
        };
        check("a\" 1 2 => b", "a' 1 2 = > b");
        check("f [{x} {1}]", "f [ {x} {1}]");
        check("a\nb", "a\\x0ab");
        check("", "<unnamed>");
    }
}
