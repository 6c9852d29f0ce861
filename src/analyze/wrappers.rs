//! Wrappers of allocators.
//!
//! Programs have functions such as `xmalloc` between the function that needs memory and the
//! allocator, which nearly all memory passes through. They are recognised by name, since profiles
//! contain neither arguments nor results.

use super::call_tree::{CallTree, FrameOf, TreeFrame};
use super::regrown_tree::RegrownTree;
use crate::model::{ContextId, Contexts, callers_first};
use crate::symbols::{NamedContexts, SymbolId, SymbolTable};

/// For each context, the first function on its stack, from the innermost one, that is not a
/// wrapper of an allocator; else the outermost one. Functions without a name below a wrapper,
/// as in stripped libraries, belong to it.
pub(super) fn starts(contexts: &Contexts, names: &NamedContexts) -> Vec<ContextId> {
    let kinds = WrapperKinds::of(&names.table);
    let mut starts: Vec<ContextId> = (0..).map(ContextId).take(contexts.len()).collect();
    let order = callers_first(contexts).expect("readers refuse contexts that call themselves");
    for id in order {
        if let Some(caller) = contexts.get(id).caller {
            let start = starts[caller.index()];
            if kinds.passes_on(names.of(id), start != caller) {
                starts[id.index()] = start;
            }
        }
    }
    starts
}

impl CallTree {
    /// The tree of recorded stacks without wrappers of allocators at their ends, whose callers get
    /// their cost, and these wrappers. Linear in frames, plus sorting.
    #[must_use]
    pub fn without_wrappers(self, table: &SymbolTable) -> (Self, Vec<SymbolId>) {
        let kinds = WrapperKinds::of(table);
        let n_frames = self.frames.len();
        let mut starts: Vec<usize> = (0..n_frames).collect();
        for (index, frame) in self.frames.iter().enumerate() {
            if let (Some(caller), FrameOf::Function(id)) = (frame.caller, frame.of) {
                let start = starts[caller as usize];
                if kinds.passes_on(id, start != caller as usize) {
                    starts[index] = start;
                }
            }
        }
        let mut tree = RegrownTree::of(&self);
        let costly: Vec<usize> = (0..n_frames).filter(|&index| tree.has_cost(index)).collect();
        let mut is_needed = vec![false; n_frames];
        costly.iter().for_each(|&index| is_needed[starts[index]] = true);
        for (index, frame) in self.frames.iter().enumerate().rev() {
            if let (Some(caller), true) = (frame.caller, is_needed[index]) {
                is_needed[caller as usize] = true;
            }
        }
        let mut moved: Vec<Option<u32>> = Vec::with_capacity(n_frames);
        for (index, frame) in self.frames.iter().enumerate() {
            let caller = frame.caller.and_then(|caller| moved[caller as usize]);
            let find = || tree.find(TreeFrame { caller, ..*frame });
            moved.push(is_needed[index].then(find));
        }
        let mut wrappers = Vec::new();
        for index in costly {
            let start = starts[index];
            moved[start].into_iter().for_each(|new| tree.add_costs(new, index));
            if let (FrameOf::Function(id), true) = (self.frames[index].of, start != index) {
                wrappers.push(id);
            }
        }
        wrappers.sort_unstable();
        wrappers.dedup();
        (tree.finish(), wrappers)
    }
}

/// What the names of functions say: whether each is a wrapper, and whether it has no name.
struct WrapperKinds(Vec<(bool, bool)>);

impl WrapperKinds {
    fn of(table: &SymbolTable) -> Self {
        let symbols = table.symbols().iter();
        let kinds = symbols.map(|one| (is_wrapper(&one.name), one.name.starts_with(b"0x")));
        Self(kinds.collect())
    }

    /// Returns whether a function passes on memory; `caller_does` tells it of its caller.
    fn passes_on(&self, id: SymbolId, caller_does: bool) -> bool {
        let (is_wrapper, is_nameless) = self.0[id.index()];
        is_wrapper || is_nameless && caller_does
    }
}

/// Returns whether a function passes on memory of an allocator, by its name: `xmalloc`,
/// `sqlite3DbReallocOrFree`, `g_strdup`, `operator new`.
fn is_wrapper(name: &[u8]) -> bool {
    let name = name.to_ascii_lowercase();
    let has = |part: &[u8]| name.windows(part.len()).any(|window| window == part);
    let is_new = |name: &[u8]| {
        [&b"_znw"[..], b"_zna", b"operator new"].iter().any(|new| name.starts_with(new))
    };
    has(b"alloc") || has(b"strdup") || has(b"strndup") || is_new(&name)
}
