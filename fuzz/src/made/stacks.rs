//! Call stacks with counts, as folded stacks.

use arbitrary::{Result, Unstructured};

use super::chance::{one_in, several};

/// Names of functions: plain, demangled, of other builds, awkward for some format.
pub const NAMES: &[&str] = &[
    "main",
    "f",
    "g",
    "a::b<int>::c(int) const",
    "a::b<long>::c(int) const",
    "operator/(x const&, y)",
    "(anonymous namespace)::h()",
    "main::{lambda(int)#1}::operator()(int) const",
    "f [clone .isra.0]",
    "<T as u>::v",
    "=1+2",
    "\"quoted\", <b>&amp",
    "-->",
    "caf\u{e9} \u{1f980}",
    "path/to/pkg.(*T).M",
    "fn=(1) x",
];

/// Stacks, each of indices of names with its count.
#[derive(Clone, Debug)]
pub struct Stacks(Vec<(Vec<usize>, u64)>);

impl Stacks {
    /// Any stacks, often with recursion. Their counts fit a double.
    ///
    /// # Errors
    /// When there are too few bytes.
    pub fn any(bytes: &mut Unstructured<'_>) -> Result<Self> {
        let stack = |bytes: &mut Unstructured<'_>| {
            let mut frames = vec![bytes.choose_index(NAMES.len())?];
            frames.extend(several(bytes, 6, |bytes| bytes.choose_index(NAMES.len()))?);
            let most = if one_in(bytes, 8)? { 1 << 40 } else { 500 };
            Ok((frames, bytes.int_in_range(1..=most)?))
        };
        Ok(Self(several(bytes, 12, stack)?))
    }

    /// The sum of all counts.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.0.iter().map(|(_, count)| count).sum()
    }

    /// The name of one of the functions.
    #[must_use]
    pub fn function(&self, index: usize) -> &'static str {
        let frames = self.0.iter().flat_map(|(frames, _)| frames);
        let frames: Vec<_> = frames.collect();
        let chosen = index.checked_rem(frames.len());
        chosen.map_or("main", |index| NAMES[*frames[index]])
    }

    /// A folded file.
    #[must_use]
    pub fn folded(&self) -> Vec<u8> {
        let line = |(frames, count): &(Vec<usize>, u64)| {
            let frames: Vec<_> = frames.iter().map(|&frame| NAMES[frame]).collect();
            format!("{} {count}\n", frames.join(";"))
        };
        self.0.iter().map(line).collect::<String>().into_bytes()
    }
}
