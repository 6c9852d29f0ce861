//! Functions of one side, as numbers for fast comparison.

use std::sync::Arc;

use super::matched_function::MatchedFunction;
use super::name_parts::{NameParts, NameSplitter, renamed};
use super::objects::Objects;
use super::{JoinRules, WhichSide, paths};
use crate::model::Interner;

/// A function of one side, with numbers for its properties.
#[derive(Clone, Copy, Debug)]
pub(super) struct MatchCandidate {
    pub(super) side: WhichSide,
    /// Number in the matcher.
    pub(super) number: u32,
    /// Rank among all functions by name.
    pub(super) rank: u32,
    pub(super) parts: NameParts,
    pub(super) file: Option<u32>,
    pub(super) object: Option<u32>,
    /// The same for matched objects.
    pub(super) object_label: Option<u32>,
    pub(super) is_line: bool,
    pub(super) line: Option<u32>,
    pub(super) is_global: bool,
    pub(super) is_renamed: bool,
    /// The part of its group.
    pub(super) part: u32,
}

/// Source files of functions: path, and number of the base name.
pub(super) type CandidateFiles = Vec<(Arc<[u8]>, u32)>;

/// The functions of both sides by name, and their files.
pub(super) fn candidates(
    entries: &[MatchedFunction],
    rules: &JoinRules,
) -> (Vec<MatchCandidate>, CandidateFiles) {
    let objects = Objects::of(entries);
    let mut splitter = NameSplitter::default();
    let (mut files, mut numbers, mut bases) =
        (CandidateFiles::new(), Interner::default(), Interner::default());
    let mut order: Vec<u32> = (0..).take(entries.len()).collect();
    let identity = |number: u32| &entries[number as usize].identity;
    order.sort_unstable_by(|&a, &b| identity(a).cmp(identity(b)));
    let mut candidates = Vec::with_capacity(entries.len());
    for (rank, number) in (0..).zip(order) {
        let entry = &entries[number as usize];
        let identity = &entry.identity;
        let object = objects.number(identity.object.as_ref());
        let file = identity.file.as_ref().map(|path| {
            numbers.find(Arc::clone(path), &mut files, || {
                (Arc::clone(path), bases.number(paths::base(path).to_vec()))
            })
        });
        for side in [WhichSide::Old, WhichSide::New] {
            if !entry.is_on(side) {
                continue;
            }
            let new_name = match side {
                WhichSide::Old => renamed(&identity.name, &rules.renames),
                WhichSide::New => None,
            };
            candidates.push(MatchCandidate {
                side,
                number,
                rank,
                parts: splitter.of(new_name.as_ref().unwrap_or(&identity.name)),
                file,
                object,
                object_label: objects.label(object),
                is_line: identity.is_line,
                line: identity.line,
                is_global: entry.is_global(side),
                is_renamed: new_name.is_some(),
                part: 0,
            });
        }
    }
    (candidates, files)
}
