//! Frames as valgrind writes them: `0x10919A: grab (t.c:4)`, `0x4848899: malloc (in
//! /usr/libexec/valgrind/vgpreload_dhat-amd64-linux.so)`, `0x1: ???`. Source: `VG_(describe_IP)`
//! in `coregrind/m_debuginfo/debuginfo.c`, and dhat-rs, which adds columns to lines.

use std::num::NonZeroU32;
use std::sync::Arc;

use crate::model::{
    Context, ContextId, Function, FunctionId, InternedNames, Interner, LocationId, RecordedCosts,
    RecordedLocation,
};

/// A frame in parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) struct FrameParts<'a> {
    /// With its `0x`.
    pub(in super::super) address: Option<&'a [u8]>,
    /// Empty for an unknown function.
    pub(in super::super) name: &'a [u8],
    pub(in super::super) file: Option<&'a [u8]>,
    pub(in super::super) line: Option<NonZeroU32>,
    /// The file name of the library or program, without directory.
    pub(in super::super) object: Option<&'a [u8]>,
}

impl<'a> FrameParts<'a> {
    pub(super) fn of(text: &'a [u8]) -> Self {
        let (address, rest) = address_of(text);
        let (name, place) = match rest.strip_suffix(b")").and_then(split_at_bracket) {
            Some((name, place)) => (name, Some(place)),
            None => (rest, None),
        };
        let object = place.and_then(|place| place.strip_prefix(b"in ")).map(base);
        let place = place.filter(|_| object.is_none());
        let (file, line) = place.map_or((None, None), |place| {
            let (file, line) = lines_of(place);
            (Some(file), line)
        });
        Self {
            address,
            name: if name == b"???" { b"" } else { name },
            file: file.filter(|file| !file.is_empty()),
            line,
            object: object.filter(|object| !object.is_empty()),
        }
    }

    /// Returns whether it is one of the functions with which valgrind replaces those of the
    /// program.
    pub(super) fn is_of_valgrind(&self) -> bool {
        self.object
            .is_some_and(|object| object.starts_with(b"vgpreload_"))
    }

    /// The name, or the address and object of an unknown function.
    fn shown_name(&self) -> Vec<u8> {
        let address = self.address.unwrap_or_default();
        match (self.name, self.object) {
            (b"", Some(object)) => [address, b" [", object, b"]"].concat(),
            (b"", None) => address.to_vec(),
            (name, _) => name.to_vec(),
        }
    }
}

/// The address at the start, and the text after it.
fn address_of(text: &[u8]) -> (Option<&[u8]>, &[u8]) {
    let digits = text.strip_prefix(b"0x").unwrap_or_default();
    let n_digits = digits
        .iter()
        .take_while(|byte| byte.is_ascii_hexdigit())
        .count();
    let (address, rest) = text.split_at(if n_digits == 0 { 0 } else { 2 + n_digits });
    match rest.strip_prefix(b": ") {
        Some(rest) if n_digits > 0 => (Some(address), rest),
        _ => (None, text),
    }
}

/// Name and place, at the last bracket after a blank.
fn split_at_bracket(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let found = text.windows(2).rposition(|pair| pair == b" (")?;
    Some((&text[..found], &text[found + 2..]))
}

/// The file and line of `file:line` or `file:line:column`.
fn lines_of(place: &[u8]) -> (&[u8], Option<NonZeroU32>) {
    let Some((rest, last)) = number_behind(place) else {
        return (place, None);
    };
    match number_behind(rest) {
        Some((file, line)) => (file, NonZeroU32::new(line)),
        None => (rest, NonZeroU32::new(last)),
    }
}

/// The number behind the last colon, and the text before.
fn number_behind(text: &[u8]) -> Option<(&[u8], u32)> {
    let colon = text.iter().rposition(|&byte| byte == b':')?;
    let number = std::str::from_utf8(&text[colon + 1..]).ok()?;
    Some((&text[..colon], number.parse().ok()?))
}

fn base(path: &[u8]) -> &[u8] {
    path.rsplit(|&byte| byte == b'/').next().unwrap_or(path)
}

/// A function and a line in it.
pub(in super::super) type Frame = (FunctionId, Option<LocationId>);

type FunctionKey = (u32, Option<u32>, Option<u32>);

/// Functions, places and contexts of frames.
#[derive(Debug, Default)]
pub(in super::super) struct FrameTables {
    names: InternedNames,
    functions: Vec<Function>,
    function_ids: Interner<FunctionKey>,
    places: Vec<RecordedLocation>,
    place_ids: Interner<(u32, Option<NonZeroU32>)>,
    contexts: Vec<Context>,
    context_ids: Interner<(Option<ContextId>, Option<Frame>)>,
}

impl FrameTables {
    pub(in super::super) fn frame(&mut self, parts: &FrameParts<'_>) -> Frame {
        let name = self.names.number(&parts.shown_name());
        let mut number = |text: Option<&[u8]>| text.map(|text| self.names.number(text));
        let (file, object) = (number(parts.file), number(parts.object));
        let function = self.function_ids.number((name, file, object));
        if function as usize == self.functions.len() {
            let location = self.place(file, None);
            let text = |number| Arc::clone(self.names.get(number));
            self.functions.push(Function {
                object: object.map(text),
                location,
                ..Function::named(text(name))
            });
        }
        (FunctionId(function), self.place(file, parts.line))
    }

    fn place(&mut self, file: Option<u32>, line: Option<NonZeroU32>) -> Option<LocationId> {
        let file = file?;
        let name = Arc::clone(self.names.get(file));
        let place = || RecordedLocation { file: name, line };
        let id = self.place_ids.find((file, line), &mut self.places, place);
        Some(LocationId(id))
    }

    /// The context of a stack, outermost frame first.
    pub(super) fn context(&mut self, stack: impl Iterator<Item = Frame>) -> ContextId {
        let mut innermost = None;
        for frame in stack {
            innermost = Some(self.child(innermost, Some(frame)));
        }
        innermost.unwrap_or_else(|| self.child(None, None))
    }

    /// The context of a frame with this caller.
    pub(in super::super) fn child(
        &mut self,
        caller: Option<ContextId>,
        frame: Option<Frame>,
    ) -> ContextId {
        let context = || Context {
            caller,
            function: frame.map(|(function, _)| function),
            location: frame.and_then(|(_, place)| place),
            address: None,
        };
        let key = (caller, frame);
        ContextId(self.context_ids.find(key, &mut self.contexts, context))
    }

    /// Moves functions, places and contexts to the costs of a profile.
    pub(in super::super) fn finish(self, costs: &mut RecordedCosts) {
        costs.functions = self.functions;
        costs.locations = self.places;
        costs.contexts = self.contexts;
        costs.knows_files = true;
    }
}
