//! Matches the programs and libraries of both sides.

use std::collections::HashMap;
use std::sync::Arc;

use foldhash::fast::RandomState;

use super::matched_function::MatchedFunction;
use super::{WhichSide, paths};
use crate::model::Interner;

/// The programs and libraries of functions.
pub(super) struct Objects {
    numbers: HashMap<Arc<[u8]>, u32, RandomState>,
    /// By number; matched objects have the same label.
    labels: Vec<u32>,
}

/// An object, and whether each side has it.
type ObjectOnSides = (Arc<[u8]>, [bool; 2]);

impl Objects {
    /// The objects of functions. Objects match if their base names agree without versions;
    /// with versions, if a side has several of them. A single remaining object on each side
    /// matches too, since the name of a program may contain its build.
    pub(super) fn of(entries: &[MatchedFunction]) -> Self {
        let objects = sorted_objects(entries);
        let mut labels = labels_by_name(&objects);
        join_the_last(&objects, &mut labels);
        let names = objects.into_iter().map(|(name, _)| name);
        Self { numbers: names.zip(0..).collect(), labels }
    }

    /// The number of an object.
    pub(super) fn number(&self, object: Option<&Arc<[u8]>>) -> Option<u32> {
        object.map(|object| self.numbers[object])
    }

    /// The label of an object.
    pub(super) fn label(&self, number: Option<u32>) -> Option<u32> {
        number.map(|number| self.labels[number as usize])
    }
}

fn sorted_objects(entries: &[MatchedFunction]) -> Vec<ObjectOnSides> {
    let mut found: HashMap<Arc<[u8]>, [bool; 2], RandomState> = HashMap::default();
    for entry in entries {
        if let Some(object) = &entry.identity.object {
            let sides = found.entry(Arc::clone(object)).or_default();
            sides[0] |= entry.is_on(WhichSide::Old);
            sides[1] |= entry.is_on(WhichSide::New);
        }
    }
    let mut objects: Vec<_> = found.into_iter().collect();
    objects.sort_unstable();
    objects
}

/// Labels by the shortest form of names that is unique on each side.
fn labels_by_name(objects: &[ObjectOnSides]) -> Vec<u32> {
    type ObjectForm = fn(&[u8]) -> Vec<u8>;
    const FORMS: [ObjectForm; 3] = [
        |path| without_versions(paths::base(path)),
        |path| paths::base(path).to_vec(),
        |path| path.to_vec(),
    ];
    let mut labels = vec![0; objects.len()];
    let mut interner = Interner::default();
    let mut rest: Vec<usize> = (0..objects.len()).collect();
    for (index, form) in FORMS.iter().enumerate() {
        let mut by_form: HashMap<Vec<u8>, Vec<usize>, RandomState> = HashMap::default();
        for object in rest.drain(..) {
            by_form.entry(form(&objects[object].0)).or_default().push(object);
        }
        for (name, same) in by_form {
            let n_on = |side: usize| same.iter().filter(|&&one| objects[one].1[side]).count();
            let is_last = index + 1 == FORMS.len();
            if is_last || n_on(0).max(n_on(1)) <= 1 {
                let label = interner.number((index, name));
                same.iter().for_each(|&object| labels[object] = label);
            } else {
                rest.extend(same);
            }
        }
    }
    labels
}

/// Gives the only unmatched object of each side the same label.
fn join_the_last(objects: &[ObjectOnSides], labels: &mut [u32]) {
    let mut sides = vec![[false; 2]; labels.len()];
    for ((_, on), &label) in objects.iter().zip(&*labels) {
        let of_label = &mut sides[label as usize];
        *of_label = [of_label[0] | on[0], of_label[1] | on[1]];
    }
    let alone = |on: [bool; 2]| {
        let mut labels = sides.iter().zip(0_u32..).filter(|(sides, _)| **sides == on);
        let first = labels.next().map(|(_, label)| label);
        first.filter(|_| labels.next().is_none())
    };
    if let (Some(old), Some(new)) = (alone([true, false]), alone([false, true])) {
        let of_old = labels.iter_mut().filter(|label| **label == old);
        of_old.for_each(|label| *label = new);
    }
}

/// `libz.so` for `libz.so.1.2.13`, `prog` for `prog-2.1`.
fn without_versions(base: &[u8]) -> Vec<u8> {
    const ENDS: [&[u8]; 4] = [b".so", b".dll", b".dylib", b".exe"];
    let base = without_version(base);
    let end = ENDS.iter().find(|end| base.ends_with(end)).map_or(0, |end| end.len());
    let (stem, end) = base.split_at(base.len() - end);
    [without_version(stem), end].concat()
}

/// A name without trailing numbers after `.`, `-` or `_`.
fn without_version(name: &[u8]) -> &[u8] {
    let mut rest = name;
    loop {
        let n_digits = rest.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
        let stem = &rest[..rest.len() - n_digits];
        match stem {
            [before @ .., b'.' | b'-' | b'_'] if n_digits > 0 && !before.is_empty() => {
                rest = before;
            }
            _ => return rest,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(base: &str, expected: &str) {
        let found = without_versions(base.as_bytes());
        assert_eq!(String::from_utf8_lossy(&found), expected, "for {base}");
    }

    #[test]
    fn versions_go() {
        check("libz.so.1.2.13", "libz.so");
        check("libglib-2.0.so.0", "libglib.so");
        check("libc-2.31.so", "libc.so");
        check("libz.1.dylib", "libz.dylib");
        check("zlib1.dll", "zlib1.dll");
        check("prog-2.1", "prog");
        check("prog", "prog");
        check("7", "7");
        check(".7", ".7");
        check("", "");
        check("-1-2", "-1");
    }

    /// Objects with the sides that have them (`o`, `n` or `on`), and the matching ones.
    fn check_labels(objects: &[(&str, &str)], expected: &str) {
        let objects = objects.iter().map(|(name, sides)| {
            let sides = [sides.contains('o'), sides.contains('n')];
            (Arc::from(name.as_bytes()), sides)
        });
        let objects: Vec<ObjectOnSides> = objects.collect();
        let mut labels = labels_by_name(&objects);
        join_the_last(&objects, &mut labels);
        let first = |label| labels.iter().position(|&other| other == label);
        let firsts: Vec<_> = labels.iter().map(|&label| first(label)).collect();
        let firsts = firsts.into_iter().map(|first| first.map_or("?".into(), |it| it.to_string()));
        assert_eq!(firsts.collect::<Vec<_>>().join(" "), expected);
    }

    #[test]
    fn objects_are_one_by_as_little_of_their_names_as_tells_them_apart() {
        check_labels(&[("/a/libz.so.1", "o"), ("/b/libz.so.2", "n")], "0 0");
        let two = [("libz.so.1", "on"), ("libz.so.2", "o"), ("/x/libz.so.2", "n")];
        check_labels(&two, "0 1 1");
        let three = [("/a/z", "on"), ("/b/z", "o"), ("/c/z", "n"), ("/d/z", "n")];
        check_labels(&three, "0 1 2 3");
    }

    #[test]
    fn a_single_object_that_differs_has_another_name() {
        check_labels(&[("before", "o"), ("after", "n"), ("libc.so", "on")], "0 0 2");
        check_labels(&[("before", "o"), ("after", "n"), ("more", "n")], "0 1 2");
    }
}
