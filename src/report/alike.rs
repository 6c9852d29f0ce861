//! Names that several functions share.

use std::collections::HashMap;
use std::hash::Hash;

use foldhash::fast::RandomState;

use super::name::{Beside, NameId, SourceLocation};

/// A name, with what may tell it from equal ones.
#[derive(Clone, Copy, Debug)]
pub struct PlacedName<'n> {
    pub name: &'n [u8],
    pub object: Option<&'n [u8]>,
    pub location: Option<SourceLocation<'n>>,
}

/// For each name what tells it from equal ones: the object, or else the source location.
#[derive(Debug)]
pub struct AlikeNames(Box<[Beside]>);

impl AlikeNames {
    pub fn of<'n>(names: impl Iterator<Item = PlacedName<'n>> + Clone) -> Self {
        let by_name = Differences::of(names.clone().map(|one| (one.name, one.object)));
        let in_object = |one: PlacedName<'n>| (one.name, one.object);
        let by_object = Differences::of(names.clone().map(|one| (in_object(one), one.location)));
        let beside = names.map(|one| Beside {
            object: one.object.is_some() && by_name.differ(one.name),
            location: one.location.is_some() && by_object.differ(in_object(one)),
        });
        Self(beside.collect())
    }

    pub fn get(&self, id: NameId) -> Beside {
        self.0[id.index()]
    }
}

/// For each key its first value, and whether another one differs.
struct Differences<K, V>(HashMap<K, (V, bool), RandomState>);

impl<K: Hash + Eq, V: Copy + PartialEq> Differences<K, V> {
    fn of(pairs: impl Iterator<Item = (K, V)>) -> Self {
        let mut found = HashMap::<K, (V, bool), RandomState>::default();
        for (key, value) in pairs {
            let (first, differ) = found.entry(key).or_insert((value, false));
            *differ |= *first != value;
        }
        Self(found)
    }

    fn differ(&self, key: K) -> bool {
        self.0.get(&key).is_some_and(|(_, differ)| *differ)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_names_are_told_apart_by_object_or_else_by_location() {
        let name = |name: &'static str, object: Option<&'static str>, file: &'static str| {
            let location = SourceLocation { file: file.as_bytes(), line: 1 };
            PlacedName {
                name: name.as_bytes(),
                object: object.map(str::as_bytes),
                location: Some(location).filter(|_| !file.is_empty()),
            }
        };
        let names = [
            name("main", Some("app"), "a.c"),
            name("malloc", Some("libc.so"), ""),
            name("malloc", Some("app"), "own.c"),
            name("init", Some("app"), "a.c"),
            name("init", Some("app"), "b.c"),
            name("init", None, ""),
        ];
        let alike = AlikeNames::of(names.into_iter());
        let beside = (0..6).map(|id| alike.get(NameId(id))).map(|one| (one.object, one.location));
        let [none, object, both] = [(false, false), (true, false), (true, true)];
        assert!(beside.eq([none, object, object, both, both, none]));
    }
}
