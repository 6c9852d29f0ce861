//! The sources of profan, as the tests of their order and weight read them.

use std::fs;
use std::ops::Range;
use std::path::Path;

use crate::support::files_below;

/// The code of the whole without what only tests use, by the names of the files.
pub(crate) fn untested_sources() -> Vec<(String, String)> {
    let sources = sources_of("");
    let tests: Vec<_> = sources.iter().flat_map(|(name, code)| test_modules(name, code)).collect();
    let is_test =
        |name: &str| tests.iter().any(|(file, below)| name == file || name.starts_with(below));
    let code = sources.iter().filter(|(name, _)| !is_test(name));
    code.map(|(name, code)| (name.clone(), without_tests(code))).collect()
}

/// The files of the modules that a file declares for tests only: each with its directory.
fn test_modules(name: &str, code: &str) -> Vec<(String, String)> {
    let directory = directory_of(name);
    let items = test_items(code).into_iter().map(|item| &code[item]);
    let names = items.filter_map(|item| item.strip_suffix(';')?.split("mod ").nth(1));
    names.map(|name| (format!("{directory}{name}.rs"), format!("{directory}{name}/"))).collect()
}

/// Where the modules below a file are, with a slash at the end.
pub(crate) fn directory_of(name: &str) -> String {
    let parent = ["mod.rs", "main.rs", "lib.rs"].iter().find_map(|last| name.strip_suffix(last));
    parent.map_or_else(|| name.replace(".rs", "/"), str::to_owned)
}

fn without_tests(code: &str) -> String {
    let mut kept = String::new();
    let mut end = 0;
    for item in test_items(code) {
        kept.push_str(&code[end..item.start]);
        end = item.end;
    }
    kept.push_str(&code[end..]);
    kept
}

/// Where the items for tests are, their attributes included.
fn test_items(code: &str) -> Vec<Range<usize>> {
    let mut items = Vec::new();
    let mut from = 0;
    while let Some(start) = code[from..].find("#[cfg(test)]").map(|place| from + place) {
        let mut depth = 0;
        let ends = |(_, byte): &(usize, u8)| {
            depth += i32::from(b"{[(".contains(byte)) - i32::from(b"}])".contains(byte));
            depth == 0 && b"};".contains(byte)
        };
        let mut bytes = code.bytes().enumerate().skip(start);
        let (last, _) = bytes.find(ends).expect("an item ends");
        from = last + 1;
        items.push(start..from);
    }
    items
}

/// The code of all sources of a room by their names. That of the empty name is all of
/// it.
pub(crate) fn sources_of(room: &str) -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let (file, directory) = (root.join(room).with_extension("rs"), root.join(room));
    let mut paths = if directory.is_dir() { files_below(&directory) } else { Vec::new() };
    paths.extend(Some(file).filter(|file| file.is_file()));
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "rs"));
    let named = paths.into_iter().map(|path| {
        let name = path.strip_prefix(&root).expect("it is below the root");
        let name = name.display().to_string().replace('\\', "/");
        let text = fs::read_to_string(&path).expect("sources are text");
        (name, code_of(&text))
    });
    named.collect()
}

/// The code of a source: nothing of its comments and strings.
fn code_of(source: &str) -> String {
    let mut code = String::with_capacity(source.len());
    let mut rest = source;
    while let Some(next) = rest.chars().next() {
        let length = match next {
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '"' => length_of_string(rest),
            'r' if rest.starts_with("r\"") => 2 + rest[2..].find('"').map_or(0, |end| end + 1),
            'r' if rest.starts_with("r#\"") => 3 + rest[3..].find("\"#").map_or(0, |end| end + 2),
            '\'' if rest.starts_with("'\\") => 3 + rest[3..].find('\'').map_or(0, |end| end + 1),
            '\'' if rest.chars().nth(2) == Some('\'') => {
                2 + rest.chars().take(2).last().map_or(0, char::len_utf8)
            }
            _ => 0,
        };
        match length {
            0 => code.push(next),
            _ if next == '/' => {}
            // What was a literal still stands between operators, on as many lines.
            _ => {
                code.push('_');
                code.extend(rest[..length].chars().filter(|&character| character == '\n'));
            }
        }
        rest = &rest[length.max(next.len_utf8())..];
    }
    code
}

/// The bytes of the string at the start, its quotes among them.
fn length_of_string(text: &str) -> usize {
    let mut is_escaped = false;
    for (place, character) in text.char_indices().skip(1) {
        match character {
            '"' if !is_escaped => return place + 1,
            _ => is_escaped = character == '\\' && !is_escaped,
        }
    }
    text.len()
}

/// The words that follow `before`, where that is not the end of a longer word.
pub(crate) fn words_behind<'c>(code: &'c str, before: &'c str) -> impl Iterator<Item = &'c str> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    let places = code.match_indices(before);
    let whole = places.filter(move |(place, _)| !code[..*place].ends_with(is_part));
    whole.map(move |(place, _)| {
        let behind = &code[place + before.len()..];
        let end = behind.find(|c: char| !c.is_alphanumeric() && c != '_');
        &behind[..end.unwrap_or(behind.len())]
    })
}

#[test]
fn code_is_told_from_what_is_not() {
    let check = |source: &str, expected: &str| assert_eq!(code_of(source), expected);
    check("a / b // c / d\ne", "a / b \ne");
    check(r#"x(" / \" * ", 'y') + 'a'"#, "x(_, _) + _");
    check(r"f::<'a>(b'\'', '\\')", "f::<'a>(b_, _)");
    check("r\"a\\\" + r#\"b \" c\"#", "_ + _");
}

#[test]
fn items_for_tests_are_told_from_the_others() {
    let check = |code: &str, expected: &str| assert_eq!(without_tests(code), expected);
    check("a;\n#[cfg(test)]\nmod tests;\nb;", "a;\n\nb;");
    check("a;\n#[cfg(test)]\n#[path(_)]\nmod tests { fn a() {} }\nb;", "a;\n\nb;");
    check("#[cfg(test)]\nfn a([b]: [u8; 1]) { c(); } fn d() {}", " fn d() {}");
}
