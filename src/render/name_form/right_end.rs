//! The right end of a name, as the scripts of pages and pictures shorten it in `fitted.js`.

use std::borrow::Cow;

/// Marks of compilers after a full stop.
pub(in crate::render) const CLONE_MARKS: [&str; 7] =
    ["constprop", "isra", "part", "cold", "lto_priv", "llvm", "clone"];

/// More components are never looked at.
const MOST_COMPONENTS: usize = 1000;

/// A name in so many letters: as many of its last components as fit, or the start of the last
/// one. Empty if there is hardly any room.
pub(in crate::render) fn right_end(name: &str, letters: usize) -> Cow<'_, str> {
    if name.chars().nth(letters).is_none() {
        return name.into();
    }
    let bare: Vec<char> = without_clones(name).chars().collect();
    let starts = starts_of(&bare);
    let fits = |start: usize| bare.len() - start <= letters;
    let text = |part: &[char]| part.iter().collect::<String>();
    let start = match starts.iter().position(|start| fits(*start)) {
        Some(0) => starts[0],
        // A short component tells less than the start of the one before it.
        Some(first) if (bare.len() - starts[first]) * 3 < letters => starts[first - 1],
        Some(first) => starts[first],
        None => starts[starts.len() - 1],
    };
    if fits(start) {
        return text(&bare[start..]).into();
    }
    if letters < 3 {
        Cow::Borrowed("")
    } else {
        (text(&bare[start..][..letters - 1]) + "…").into()
    }
}

/// Starts of components outside of brackets, the first one at 0.
fn starts_of(bare: &[char]) -> Vec<usize> {
    let last_slash = bare.iter().rposition(|letter| *letter == '/').unwrap_or(0);
    let (mut starts, mut depth) = (vec![0], 0_usize);
    for at in 0..bare.len() {
        if starts.len() == MOST_COMPONENTS {
            break;
        }
        let start = match bare[at] {
            '<' | '(' | '[' | '{' => {
                depth += 1;
                continue;
            }
            '>' | ')' | ']' | '}' => {
                depth = depth.saturating_sub(1);
                continue;
            }
            '.' | '/' | ' ' => at + 1,
            ':' if bare.get(at + 1) == Some(&':') => at + 2,
            _ => continue,
        };
        let is_start = |letter: &char| !letter.is_whitespace() && !":./".contains(*letter);
        // A full stop before a slash, as in example.com/words.main, and a number name nothing.
        let is_of_host = bare[start - 1] == '.' && start < last_slash;
        let is_name = !is_of_host && !is_number(&bare[start..]);
        if depth == 0 && bare.get(start).is_some_and(is_start) && is_name {
            starts.push(start);
        }
    }
    starts
}

/// Returns whether a component is a number, such as `func1.2`.
fn is_number(component: &[char]) -> bool {
    if component.len() > 12 {
        return false;
    }
    let text: String = component.iter().collect();
    let digits = text.strip_prefix("func").unwrap_or(&text);
    let is_part = |letter: char| letter.is_ascii_digit() || letter == '.';
    digits.starts_with(|letter: char| letter.is_ascii_digit()) && digits.chars().all(is_part)
}

/// A name without ` [clone .isra.0]` and `.constprop.0`.
fn without_clones(name: &str) -> &str {
    let mut bare = name;
    while let Some(at) = bare.strip_suffix(']').and_then(|start| start.rfind(" [clone ")) {
        if bare[at..bare.len() - 1].contains(']') {
            break;
        }
        bare = &bare[..at];
    }
    while let Some(at) = bare.rfind('.') {
        let is_number =
            !bare[at + 1..].is_empty() && bare[at + 1..].bytes().all(|byte| byte.is_ascii_digit());
        let start = if is_number { bare[..at].rfind('.') } else { Some(at) };
        let end = if is_number { at } else { bare.len() };
        match start.filter(|start| CLONE_MARKS.contains(&&bare[start + 1..end])) {
            Some(start) => bare = &bare[..start],
            None => break,
        }
    }
    bare
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(name: &str, letters: usize, expected: &str) {
        assert_eq!(right_end(name, letters), expected, "{name} in {letters}");
    }

    #[test]
    fn last_components_stay_as_far_as_they_fit() {
        check("encoding/json.(*decodeState).value", 40, "encoding/json.(*decodeState).value");
        check("encoding/json.(*decodeState).value", 30, "json.(*decodeState).value");
        check("encoding/json.(*decodeState).value", 18, "(*decodeState).va…");
        check("example.com/x/words.main", 11, "words.main");
        check("geo::mesh::visible", 15, "mesh::visible");
        check("geo::mesh::visible", 6, "visib…");
        check("main", 2, "");
    }

    #[test]
    fn numbers_and_marks_of_compilers_name_nothing() {
        check("main.work.func1.2", 12, "work.func1.2");
        check("insertion_sort.constprop.0", 16, "insertion_sort");
        check("insertion_sort.part.0.isra.1", 16, "insertion_sort");
        check("fold [clone .isra.0] [clone .part.2]", 8, "fold");
        check("ööööö", 4, "ööö…");
    }
}
