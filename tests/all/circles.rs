//! Modules that use each other, read off the sources.
//!
//! An arrow leads from a module to its sibling if code in or below the first names an item that
//! is defined in or below the second, also through re-exports. A circle is a largest set of
//! siblings each of which leads to all others. A module and those below it are no siblings.

use std::collections::{BTreeMap, BTreeSet};

use regex::Regex;

use crate::sources::{directory_of, untested_sources};

#[test]
fn no_modules_use_each_other() {
    let sources = untested_sources().into_iter().filter(|(name, _)| name != "main.rs");
    let sources = sources.map(|(name, code)| (directory_of(&name), code));
    let sources: Vec<_> = sources.collect();
    let circles = Modules::of(&sources).circles();
    let listed = circles.iter().map(|(above, circle)| format!("  {above}: {}", circle.join(", ")));
    let listed: Vec<_> = listed.collect();
    assert!(
        listed.is_empty(),
        "these modules use each other:\n{}\nMove what they share into a file of its own.",
        listed.join("\n")
    );
}

#[test]
fn a_circle_is_found_through_exports_and_below() {
    let circles = |uses: [&str; 3]| {
        let [a, b, c] = uses.map(str::to_owned);
        let sources = [("", "mod a; mod b;\nuse b::B;"), ("a/", &a), ("b/", &b), ("b/c/", &c)];
        let sources = sources.map(|(name, code)| (name.to_owned(), code.to_owned()));
        Modules::of(&sources).circles()
    };
    let both = vec![(String::new(), vec!["a".to_owned(), "b".to_owned()])];
    assert_eq!(circles(["use super::B;", "struct B;", "crate::a::A"]), both);
    assert_eq!(
        circles(["use super::{\n  b::{self, *}, };", "", "\n    use super::super::a;"]),
        both
    );
    assert_eq!(circles(["", "mod c;\nuse self::c::C;", "struct C; super::super::a::A"]), []);
}

/// The names of a module and of those above it.
type Path<'c> = Vec<&'c str>;

/// Sources by their modules.
struct Modules<'c>(BTreeMap<Path<'c>, Module<'c>>);

#[derive(Default)]
struct Module<'c> {
    code: &'c str,
    /// The paths behind the names that it imports; those of `*` have none.
    imports: Vec<(Option<&'c str>, Path<'c>)>,
    /// All paths that it names.
    uses: Vec<Path<'c>>,
}

impl<'c> Modules<'c> {
    /// The sources by the directories of the modules below them.
    fn of(sources: &'c [(String, String)]) -> Self {
        let path = |name: &'c String| name.split('/').filter(|part| !part.is_empty()).collect();
        let module = |code: &'c String| Module { code, ..Module::default() };
        let modules = sources.iter().map(|(name, code)| (path(name), module(code)));
        let mut modules = Self(modules.collect());
        let paths: Vec<Path<'_>> = modules.0.keys().cloned().collect();
        for path in paths {
            let (imports, uses) = modules.names_in(&path);
            let module = modules.0.get_mut(&path).expect("it is a module");
            (module.imports, module.uses) = (imports, uses);
        }
        modules
    }

    /// What a module imports, and all paths that it names.
    fn names_in(&self, module: &Path<'c>) -> (Vec<(Option<&'c str>, Path<'c>)>, Vec<Path<'c>>) {
        let code = self.0[module].code;
        let statement =
            Regex::new(r"(?m)^ *(?:pub(?:\([a-z: ]*\))? +)?use ([^;]*);").expect("sound");
        let named = Regex::new(r"(?:[a-z_][a-z0-9_]*::)+[A-Za-z0-9_]+").expect("sound");
        let mut imports = Vec::new();
        let mut uses = Vec::new();
        for found in statement.captures_iter(code) {
            let tree = found.get(1).expect("it has a tree").as_str();
            for (name, path) in leaves(tree, &[]) {
                if let Some(path) = self.absolute(&path, module) {
                    uses.push(path.clone());
                    imports.push((name, path));
                }
            }
        }
        for found in named.find_iter(code) {
            let path: Path<'_> = found.as_str().split("::").collect();
            let import = imports.iter().find(|(name, _)| *name == Some(path[0]));
            let imported = import.map(|(_, import)| [&import[..], &path[1..]].concat());
            uses.extend(imported.or_else(|| self.absolute(&path, module)));
        }
        (imports, uses)
    }

    /// A path from the root, unless it leads to another crate.
    fn absolute(&self, path: &[&'c str], module: &Path<'c>) -> Option<Path<'c>> {
        let n_up = path.iter().take_while(|name| **name == "super").count();
        let rest = &path[n_up..];
        let above = &module[..module.len().checked_sub(n_up)?];
        match *rest.first()? {
            "crate" => Some(rest[1..].to_vec()),
            "self" => Some([above, &rest[1..]].concat()),
            first if n_up > 0 || self.0.contains_key(&[above, &[first]].concat()) => {
                Some([above, rest].concat())
            }
            _ => None,
        }
    }

    /// The module that defines what a path names.
    fn definer(&self, path: &[&'c str], depth: usize) -> Path<'c> {
        let is_module = |n: &usize| self.0.contains_key(&path[..*n]);
        let n = (0..=path.len()).rev().find(is_module).expect("the root is a module");
        let (module, rest) = path.split_at(n);
        let Some(name) = rest.first().filter(|_| depth < 20) else {
            return module.to_vec();
        };
        let imports = || self.0[module].imports.iter();
        let by_name = imports().find(|(known, import)| *known == Some(name) && import != path);
        if let Some((_, import)) = by_name {
            return self.definer(&[import, &rest[1..]].concat(), depth + 1);
        }
        let globs = imports().filter(|(known, _)| known.is_none());
        let found = globs.map(|(_, import)| self.definer(&[import, rest].concat(), depth + 1));
        let mut found = found.filter(|_| !self.defines(module, name));
        found.find(|found| self.defines(found, name)).unwrap_or_else(|| module.to_vec())
    }

    fn defines(&self, module: &[&str], name: &str) -> bool {
        let kinds = ["fn", "struct", "enum", "trait", "type", "const", "static", "macro_rules!"];
        let code = self.0[module].code;
        let mut places = code.match_indices(name).map(|(place, _)| place);
        places.any(|place| {
            let before = code[..place].trim_end();
            kinds.iter().any(|kind| before.ends_with(kind)) && code[..place].ends_with(' ')
        })
    }

    /// The modules of each circle, with the module above them.
    fn circles(&self) -> Vec<(String, Vec<String>)> {
        let mut arrows = BTreeMap::<Path<'c>, BTreeMap<&'c str, BTreeSet<&'c str>>>::new();
        for (path, module) in &self.0 {
            for used in &module.uses {
                let used = self.definer(used, 0);
                let alike = path.iter().zip(&used).take_while(|(one, other)| one == other);
                let n = alike.count();
                if let (Some(from), Some(to)) = (path.get(n), used.get(n)) {
                    let siblings = arrows.entry(path[..n].to_vec()).or_default();
                    siblings.entry(from).or_default().insert(to);
                }
            }
        }
        let mut circles = Vec::new();
        for (above, arrows) in arrows {
            let reached = |from: &'c str| {
                let mut reached = BTreeSet::new();
                let mut left = vec![from];
                while let Some(next) = left.pop() {
                    let to = arrows.get(next).into_iter().flatten();
                    left.extend(to.filter(|to| reached.insert(**to)));
                }
                reached
            };
            let reached: BTreeMap<_, _> =
                arrows.keys().map(|from| (*from, reached(from))).collect();
            let circle = |from: &&str| {
                let back = reached[from]
                    .iter()
                    .filter(|to| reached.get(*to).is_some_and(|reached| reached.contains(from)));
                back.map(|to| (*to).to_owned()).collect::<Vec<_>>()
            };
            let found: BTreeSet<_> = reached.keys().map(circle).collect();
            let found = found.into_iter().filter(|circle| circle.len() > 1);
            circles.extend(found.map(|circle| (above.join("/"), circle)));
        }
        circles
    }
}

/// The paths of a tree of imports, and the names by which code knows them.
fn leaves<'c>(tree: &'c str, above: &[&'c str]) -> Vec<(Option<&'c str>, Path<'c>)> {
    let mut depth = 0;
    let branches = tree.split(move |character| {
        depth += i32::from(character == '{') - i32::from(character == '}');
        character == ',' && depth == 0
    });
    let branches = branches.map(str::trim).filter(|branch| !branch.is_empty());
    let found = branches.flat_map(|branch| {
        let (path, below) = branch.split_once('{').map_or((branch, None), |(path, below)| {
            (path, Some(below.trim_end().trim_end_matches('}')))
        });
        let (path, alias) = path.split_once(" as ").unwrap_or((path, ""));
        let mut path = [above, &path.split("::").map(str::trim).collect::<Vec<_>>()].concat();
        path.retain(|name| !name.is_empty());
        if let Some(below) = below {
            return leaves(below, &path);
        }
        if path.last() == Some(&"self") && path.len() > 1 {
            path.pop();
        }
        let name = if alias.is_empty() { path.last().copied() } else { Some(alias.trim()) };
        let name = name.filter(|name| *name != "*");
        path.retain(|name| *name != "*");
        vec![(name, path)]
    });
    found.collect()
}
