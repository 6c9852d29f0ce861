//! Functions of one side, in the form in which they are compared.

use std::sync::Arc;

use super::gathering::Entry;
use super::objects::Objects;
use super::spelling::{self, Spelling, Spellings};
use super::{JoinRules, WhichSide, paths};
use crate::model::Interner;
use crate::threads;

/// A function of one side. All that tells it from others is a number.
#[derive(Clone, Copy, Debug)]
pub(super) struct Member {
    pub(super) side: WhichSide,
    /// Its number in the roster.
    pub(super) number: u32,
    /// Where it stands among all functions by name.
    pub(super) rank: u32,
    pub(super) spelling: Spelling,
    pub(super) file: Option<u32>,
    pub(super) object: Option<u32>,
    /// What is the same for objects that are one.
    pub(super) object_label: Option<u32>,
    pub(super) is_line: bool,
    pub(super) line: Option<u32>,
    pub(super) is_global: bool,
    pub(super) is_renamed: bool,
    /// The part of its group in which it is.
    pub(super) part: u32,
}

/// The source files of functions, by number.
#[derive(Default)]
pub(super) struct Files {
    numbers: Interner<Arc<[u8]>>,
    paths: Vec<Arc<[u8]>>,
    base_numbers: Interner<Arc<[u8]>>,
    bases: Vec<u32>,
}

impl Files {
    /// A file as it is named.
    pub(super) fn path(&self, file: u32) -> &[u8] {
        &self.paths[file as usize]
    }

    /// What is the same for files of one base name.
    pub(super) fn base(&self, file: u32) -> u32 {
        self.bases[file as usize]
    }

    fn number(&mut self, path: &Arc<[u8]>) -> u32 {
        let number = self.numbers.number(Arc::clone(path));
        if number as usize == self.paths.len() {
            let base = self.base_numbers.number(paths::base(path).into());
            self.bases.push(base);
            self.paths.push(Arc::clone(path));
        }
        number
    }
}

/// The functions of both sides, in the order of their names, with their files.
pub(super) fn members(entries: &[Entry], rules: &JoinRules) -> (Vec<Member>, Files) {
    let objects = Objects::of(entries);
    let (mut files, mut spellings) = (Files::default(), Spellings::default());
    let mut order: Vec<u32> = (0..).take(entries.len()).collect();
    let identity = |number: u32| &entries[number as usize].identity;
    threads::sort_by(&mut order, |&a, &b| identity(a).cmp(identity(b)));
    let mut members = Vec::with_capacity(entries.len());
    for (rank, number) in (0..).zip(order) {
        let entry = &entries[number as usize];
        let identity = &entry.identity;
        let object = objects.number(identity.object.as_ref());
        let file = identity.file.as_ref().map(|file| files.number(file));
        for side in [WhichSide::Old, WhichSide::New] {
            if !entry.is_on(side) {
                continue;
            }
            let new_name = match side {
                WhichSide::Old => spelling::renamed(&identity.name, &rules.renames),
                WhichSide::New => None,
            };
            members.push(Member {
                side,
                number,
                rank,
                spelling: spellings.of(new_name.as_ref().unwrap_or(&identity.name)),
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
    (members, files)
}
