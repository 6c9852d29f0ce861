//! Words with `*`, which stands for any bytes or none.

/// Whether a pattern fits a whole text. Costs their product at worst.
pub(super) fn fits(pattern: &[u8], text: &[u8]) -> bool {
    let (mut at, mut place) = (0, 0);
    // The last star, and where what it stands for ends.
    let mut star: Option<(usize, usize)> = None;
    while place < text.len() {
        match pattern.get(at) {
            Some(b'*') => {
                star = Some((at, place));
                at += 1;
            }
            Some(&byte) if byte == text[place] => {
                at += 1;
                place += 1;
            }
            // Let the last star stand for one more byte.
            _ => match &mut star {
                None => return false,
                Some((star, end)) => {
                    *end += 1;
                    (at, place) = (*star + 1, *end);
                }
            },
        }
    }
    pattern[at..].iter().all(|&byte| byte == b'*')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(pattern: &str, words: &str, expected: &str) {
        let fitting = words
            .split(',')
            .filter(|word| fits(pattern.as_bytes(), word.as_bytes()));
        let fitting: Vec<_> = fitting.collect();
        assert_eq!(fitting.join(","), expected, "for {pattern}");
    }

    #[test]
    fn a_star_stands_for_anything() {
        check("kv_*", "kv_get,kv_,xkv_get,kv", "kv_get,kv_");
        check("*get", "kv_get,get,gets", "kv_get,get");
        check("a*b*c", "abc,axxbyyc,ac,abcb", "abc,axxbyyc");
        check("*", "a,", "a,");
        check("**a", "a,ba,b", "a,ba");
        check("f", "f,ff", "f");
    }
}
