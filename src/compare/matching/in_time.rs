//! Matches the functions of a history of builds: from a file on, a function may have another name
//! or source file.
//!
//! At each file with unknown functions, those before it are the old side, and those that it and
//! later files contain the new one. Only functions whose names agree with unknown ones, except for
//! parts that vary, are matched. Matched functions then count as one. So each file costs no more
//! than a comparison, and much less if it has no unknown functions.

use std::collections::{BTreeMap, BTreeSet};

use super::match_functions::match_functions;
use super::matched_function::{FunctionFacts, MatchedFunction};
use super::name_parts::NameSplitter;
use super::{FunctionMatcher, JoinRules, JoinedFunction, WhichSide};

/// The first and the last file with a function.
pub type FileSpan = (usize, usize);

impl FunctionMatcher {
    /// By number of a function, the number under which it counts: that of its latest name. `spans`
    /// are by number; functions without one match nothing.
    pub fn match_in_time(&self, spans: &[Option<FileSpan>]) -> Box<[u32]> {
        let mut spans = spans.to_vec();
        let mut same: Box<[u32]> = (0..).take(self.entries().len()).collect();
        let mut splitter = NameSplitter::default();
        let mut first_files: BTreeMap<usize, Vec<u32>> = BTreeMap::new();
        for (&number, span) in same.iter().zip(&spans) {
            if let Some((first, _)) = span {
                first_files.entry(*first).or_default().push(number);
            }
        }
        // The functions so far whose names agree, except for parts that vary.
        let mut alike: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        let mut of_objects: BTreeMap<_, u32> = BTreeMap::new();
        for (file, unknown) in first_files {
            let mut groups: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
            for number in unknown {
                let identity = &self.entries()[number as usize].identity;
                let plain = splitter.of(&identity.name).plain;
                groups.entry(plain).or_default().push(number);
                let last = |number: u32| spans[number as usize].map(|(_, last)| last);
                let of_object = of_objects.entry(identity.object.clone()).or_insert(number);
                if last(number) > last(*of_object) {
                    *of_object = number;
                }
            }
            // Objects match by those that both sides have.
            let others = of_objects.values().copied();
            let mut compared: BTreeSet<u32> = others.collect();
            let mut has_known = false;
            for (plain, unknown) in groups {
                let known = alike.entry(plain).or_default();
                if !known.is_empty() {
                    has_known = true;
                    compared.extend(known.iter().chain(&unknown));
                }
                known.extend(unknown);
            }
            if !has_known {
                continue;
            }
            let compared: Vec<u32> = compared.into_iter().collect();
            for (members, latest) in self.matched(&compared, &spans, file) {
                let ends = members.iter().filter_map(|&one| spans[one as usize]);
                let span = ends.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)));
                let plain = splitter.of(&self.entries()[latest as usize].identity.name).plain;
                let known = alike.entry(plain).or_default();
                known.retain(|one| *one == latest || !members.contains(one));
                let of_objects = of_objects.values_mut().filter(|one| members.contains(one));
                of_objects.for_each(|one| *one = latest);
                for one in members {
                    spans[one as usize] = span.filter(|_| one == latest);
                    same[one as usize] = latest;
                }
            }
        }
        // A latest name may have got a later one.
        for number in (0..same.len()).rev() {
            let mut latest = same[number];
            while same[latest as usize] != latest {
                latest = same[latest as usize];
            }
            same[number] = latest;
        }
        same
    }

    /// Functions that are the same before and from a file on, with the one that names them.
    fn matched(
        &self,
        compared: &[u32],
        spans: &[Option<FileSpan>],
        file: usize,
    ) -> Vec<(BTreeSet<u32>, u32)> {
        let entries = compared.iter().map(|&number| {
            let entry = &self.entries()[number as usize];
            let facts = || entry.facts.into_iter().flatten().next();
            let (first, last) = spans[number as usize].unwrap_or((usize::MAX, 0));
            let is_on = [first < file, last >= file];
            let facts: [Option<FunctionFacts>; 2] = is_on.map(|is_on| facts().filter(|_| is_on));
            MatchedFunction { identity: entry.identity.clone(), facts }
        });
        let entries: Vec<_> = entries.collect();
        let joined = match_functions(&entries, &JoinRules::default());
        let places: Vec<u32> = (0..).take(entries.len()).collect();
        let mut of_rows: BTreeMap<u32, BTreeSet<u32>> = BTreeMap::new();
        for side in [WhichSide::Old, WhichSide::New] {
            for (&row, &place) in joined.rows_of(&places, side).iter().zip(&places) {
                of_rows.entry(row).or_default().insert(place);
            }
        }
        let matched = joined.rows.iter().zip(0..).filter_map(|(row, number)| {
            let places: Vec<usize> =
                of_rows.get(&number)?.iter().map(|one| *one as usize).collect();
            let JoinedFunction { shown, rule: Some(_), .. } = row else {
                return None;
            };
            let identities: BTreeSet<_> =
                places.iter().map(|one| &entries[*one].identity).collect();
            // Several functions of one name are told apart.
            if identities.len() < places.len() {
                return None;
            }
            let is_shown = |place: &&usize| {
                let identity = &entries[**place].identity;
                (&identity.name, &identity.file) == (&shown.name, &shown.file)
            };
            let latest = compared[*places.iter().find(is_shown)?];
            Some((places.into_iter().map(|place| compared[place]).collect(), latest))
        });
        matched.collect()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;
    use std::sync::Arc;

    use super::*;
    use crate::compare::matching::FunctionName;

    /// Checks which functions of files, `name@path`, count as which.
    fn check(files: &[&str], expected: &[(&str, &str)]) {
        let mut matcher = FunctionMatcher::with_namesakes();
        let mut spans: Vec<Option<FileSpan>> = Vec::new();
        let mut words: HashMap<u32, &str> = HashMap::new();
        for (file, functions) in files.iter().enumerate() {
            let function = |word: &str| {
                let (name, path) = word.split_once('@').expect("it has a path");
                FunctionName {
                    name: name.as_bytes().into(),
                    file: Some(path.as_bytes().into()),
                    ..FunctionName::default()
                }
            };
            let names: Arc<[FunctionName]> = functions.split(' ').map(function).collect();
            let numbers = matcher.numbers(&names, WhichSide::New);
            spans.resize(matcher.n_functions(), None);
            for (&number, word) in numbers.iter().zip(functions.split(' ')) {
                let span = &mut spans[number as usize];
                *span = Some((span.map_or(file, |(first, _)| first), file));
                words.insert(number, word);
            }
        }
        let same = matcher.match_in_time(&spans);
        let found = (0..).zip(&same).filter(|(number, of)| number != *of);
        let found: Vec<_> = found.map(|(number, of)| (words[&number], words[of])).collect();
        assert_eq!(found, expected, "{files:?}");
    }

    #[test]
    fn functions_that_move_or_get_other_hashes_stay_the_same() {
        check(&["f@a.c g@a.c", "g@a.c", "f@b.c g@a.c"], &[("f@a.c", "f@b.c")]);
        check(
            &["f@x/a.c", "f@y/a.c", "f@z/a.c"],
            &[("f@x/a.c", "f@z/a.c"), ("f@y/a.c", "f@z/a.c")],
        );
        check(
            &["m::f::h0123456789abcdef@a.rs", "m::f::h0123456789abcde0@a.rs"],
            &[("m::f::h0123456789abcdef@a.rs", "m::f::h0123456789abcde0@a.rs")],
        );
        check(&["f@a.c", "f@a.c f.cold@a.c"], &[("f.cold@a.c", "f@a.c")]);
    }

    #[test]
    fn functions_that_exist_at_the_same_time_are_different() {
        check(&["f@a.c", "f@a.c f@b.c"], &[]);
        check(&["f@a.c", "f@b.c", "f@a.c"], &[]);
        check(&["f@a.c g@a.c", "h@a.c"], &[]);
    }
}
