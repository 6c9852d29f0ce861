//! Functions, places and contexts of frames that a file describes by names.

use std::num::NonZeroU32;
use std::sync::Arc;

use crate::model::{
    Context, ContextId, Function, FunctionId, InternedNames, Interner, LocationId, RecordedCosts,
    RecordedLocation,
};

/// A frame in parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FrameParts<'a> {
    /// With its `0x`.
    pub(super) address: Option<&'a [u8]>,
    /// Empty for an unknown function.
    pub(super) name: &'a [u8],
    pub(super) file: Option<&'a [u8]>,
    pub(super) line: Option<NonZeroU32>,
    /// The file name of the library or program, without directory.
    pub(super) object: Option<&'a [u8]>,
}

impl FrameParts<'_> {
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

/// A function and a line in it.
pub(super) type Frame = (FunctionId, Option<LocationId>);

type FunctionKey = (u32, Option<u32>, Option<u32>);

/// Functions, places and contexts of frames.
#[derive(Debug, Default)]
pub(super) struct FrameTables {
    names: InternedNames,
    functions: Vec<Function>,
    function_ids: Interner<FunctionKey>,
    places: Vec<RecordedLocation>,
    place_ids: Interner<(u32, Option<NonZeroU32>)>,
    contexts: Vec<Context>,
    context_ids: Interner<(Option<ContextId>, Option<Frame>)>,
}

impl FrameTables {
    pub(super) fn frame(&mut self, parts: &FrameParts<'_>) -> Frame {
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
    pub(super) fn child(&mut self, caller: Option<ContextId>, frame: Option<Frame>) -> ContextId {
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
    pub(super) fn finish(self, costs: &mut RecordedCosts) {
        costs.functions = self.functions;
        costs.locations = self.places;
        costs.contexts = self.contexts;
        costs.knows_files = true;
    }
}
