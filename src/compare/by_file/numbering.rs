//! Numbers of functions that are the same in all files.

use std::collections::HashMap;
use std::sync::Arc;

use crate::compare::matching::FunctionName;

/// Gives functions numbers, in the order in which they are met: functions are the same if
/// they have the same name, file and object. Those of one program that share all of that
/// stay apart, by their order.
#[derive(Debug, Default)]
pub struct Numbering {
    numbers: HashMap<(FunctionName, u32), u32>,
    names: Vec<FunctionName>,
    /// The names that were asked for last, and their numbers: profiles of one program
    /// share them.
    last: Option<Numbered>,
}

/// Names and their numbers.
type Numbered = (Arc<[FunctionName]>, Arc<[u32]>);

impl Numbering {
    /// The number of each of these names. Costs nothing where they are those of before.
    pub fn numbers_of(&mut self, names: &Arc<[FunctionName]>) -> Arc<[u32]> {
        if let Some((last, numbers)) = &self.last
            && Arc::ptr_eq(last, names)
        {
            return Arc::clone(numbers);
        }
        let mut n_met: HashMap<FunctionName, u32> = HashMap::new();
        let numbers: Arc<[u32]> = names
            .iter()
            .map(|name| {
                let same = what_is_same(name);
                let n_before = n_met.entry(same.clone()).or_default();
                let key = (same, *n_before);
                *n_before += 1;
                self.number(key, name)
            })
            .collect();
        self.last = Some((Arc::clone(names), Arc::clone(&numbers)));
        numbers
    }

    fn number(&mut self, key: (FunctionName, u32), name: &FunctionName) -> u32 {
        *self.numbers.entry(key).or_insert_with(|| {
            self.names.push(name.clone());
            u32::try_from(self.names.len() - 1).expect("names take more than a byte each")
        })
    }

    /// The names by their numbers.
    #[must_use]
    pub fn names(&self) -> &[FunctionName] {
        &self.names
    }
}

/// What a name has in all files: functions may start on other lines.
fn what_is_same(name: &FunctionName) -> FunctionName {
    FunctionName {
        line: name.line.filter(|_| name.is_line),
        is_global: false,
        ..name.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(name: &str, file: &str, line: u32) -> FunctionName {
        FunctionName {
            name: name.as_bytes().into(),
            file: Some(file.as_bytes().into()),
            line: Some(line),
            ..FunctionName::default()
        }
    }

    #[test]
    fn functions_are_the_same_wherever_they_start() {
        let mut numbering = Numbering::default();
        let old: Arc<[_]> = [name("f", "a.c", 1), name("g", "a.c", 9)].into();
        let new: Arc<[_]> = [
            name("g", "a.c", 7),
            name("g", "b.c", 7),
            name("f", "a.c", 3),
        ]
        .into();
        assert_eq!(*numbering.numbers_of(&old), [0, 1]);
        assert_eq!(*numbering.numbers_of(&old), [0, 1]);
        assert_eq!(*numbering.numbers_of(&new), [1, 2, 0]);
        assert_eq!(numbering.names().len(), 3);
    }

    #[test]
    fn functions_of_one_program_stay_apart() {
        let mut numbering = Numbering::default();
        let names: Arc<[_]> = [name("init", "a.c", 1), name("init", "a.c", 5)].into();
        assert_eq!(*numbering.numbers_of(&names), [0, 1]);
        let again: Arc<[_]> = [name("init", "a.c", 2), name("init", "a.c", 6)].into();
        assert_eq!(*numbering.numbers_of(&again), [0, 1]);
    }
}
