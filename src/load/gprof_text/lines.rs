//! Lines of gprof's tables. Columns vary in width, and some are empty, so a line is read by
//! the form of its words.

/// Returns whether a line is in the heading of a flat profile.
pub(super) fn is_flat_header(line: &[u8]) -> bool {
    has_word(line, b"cumulative") && has_word(line, b"self")
}

/// Returns whether a line is in the heading of the flat profile of verilator_profcfunc.
pub(super) fn is_verilator_header(line: &[u8]) -> bool {
    has_word(line, b"design") && has_word(line, b"type") && has_word(line, b"filename")
}

/// Returns whether a line is in the heading of a call graph.
pub(super) fn is_graph_header(line: &[u8]) -> bool {
    let has = |word: &[u8]| has_word(line, word);
    has(b"index") && has(b"self") && has(b"name") && (has(b"children") || has(b"descendents"))
}

pub(super) fn has_word(line: &[u8], word: &[u8]) -> bool {
    line.split(u8::is_ascii_whitespace).any(|one| one == word)
}

/// A row of a flat profile.
#[derive(Debug, PartialEq)]
pub(super) struct FlatLine<'a> {
    /// In hundredths.
    pub(super) self_cost: u64,
    pub(super) n_calls: Option<u64>,
    pub(super) name: EntryName<'a>,
    pub(super) object: Option<&'a [u8]>,
}

impl<'a> FlatLine<'a> {
    pub(super) fn parse(line: &'a [u8]) -> Option<Self> {
        let (_, rest) = percent(line)?;
        let (_, rest) = hundredths(rest)?;
        let (self_cost, rest) = hundredths(rest)?;
        let calls = whole(rest).and_then(|(n_calls, rest)| {
            let (_, rest) = hundredths(rest)?;
            let (_, rest) = hundredths(rest)?;
            Some((n_calls, rest))
        });
        let (n_calls, rest) = calls.map_or((None, rest), |(n_calls, rest)| (Some(n_calls), rest));
        let name = EntryName::parse(rest)?;
        Some(Self { self_cost, n_calls, name, object: None })
    }

    /// Parses a row of verilator_profcfunc: the times, then the number of calls, the design, the
    /// kind of code, and a place in the design or a function.
    pub(super) fn parse_verilator(line: &'a [u8]) -> Option<Self> {
        let (_, rest) = percent(line)?;
        let (_, rest) = hundredths(rest)?;
        let (self_cost, rest) = hundredths(rest)?;
        let (n_calls, rest) = whole(rest)?;
        let (design, rest) = word(rest)?;
        let (_kind, rest) = word(rest)?;
        let name = EntryName::parse(rest)?;
        let object = Some(design).filter(|design| *design != b"-");
        Some(Self { self_cost, n_calls: Some(n_calls), name, object })
    }
}

/// The share of a run, in hundredths of a percent, that verilator_profcfunc gives to no row.
pub(super) fn unaccounted(line: &[u8]) -> Option<u64> {
    let (share, rest) = hundredths(line)?;
    (rest.trim_ascii() == UNACCOUNTED && share < 10_000).then_some(share)
}

/// The name of the time that belongs to no row.
pub(super) const UNACCOUNTED: &[u8] = b"Unaccounted for/rounding error";

/// The line of a function, between its callers and its callees.
#[derive(Debug, PartialEq)]
pub(super) struct EntryLine<'a> {
    pub(super) index: u32,
    /// Costs in hundredths.
    pub(super) self_cost: u64,
    pub(super) children: u64,
    /// Calls by others, and by itself.
    pub(super) calls: Option<(u64, u64)>,
    pub(super) name: EntryName<'a>,
}

impl<'a> EntryLine<'a> {
    pub(super) fn parse(line: &'a [u8]) -> Option<Self> {
        let line = line.strip_prefix(b"[")?;
        let end = line.iter().position(|&byte| byte == b']')?;
        let index = number(&line[..end]).and_then(|index| u32::try_from(index).ok())?;
        let (_, rest) = percent(&line[end + 1..])?;
        let (self_cost, rest) = hundredths(rest)?;
        let (children, rest) = hundredths(rest)?;
        let (word, after) = word(rest)?;
        let calls = calls(word, b'+').filter(|_| !after.trim_ascii().is_empty());
        let name = EntryName::parse(if calls.is_some() { after } else { rest })?;
        Some(Self { index, self_cost, children, calls, name })
    }
}

/// The line of a caller or callee.
#[derive(Debug, PartialEq)]
pub(super) struct ArcLine<'a> {
    /// Cost of the callee and its callees in hundredths; 0 within a cycle.
    pub(super) cost: u64,
    pub(super) count: u64,
    pub(super) name: EntryName<'a>,
    pub(super) index: u32,
}

impl<'a> ArcLine<'a> {
    pub(super) fn parse(line: &'a [u8]) -> Option<Self> {
        let costs = hundredths(line).and_then(|(self_cost, rest)| {
            let (children, rest) = hundredths(rest)?;
            Some((self_cost.saturating_add(children), rest))
        });
        let (cost, rest) = costs.unwrap_or((0, line));
        let (word, rest) = word(rest)?;
        let (count, _) = calls(word, b'/').or_else(|| calls(word, b'+'))?;
        let name = EntryName::parse(rest)?;
        let index = name.index?;
        Some(Self { cost, count, name, index })
    }
}

/// A name, and the index of its entry in the call graph: `eval <cycle 2> [4]`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct EntryName<'a> {
    pub(super) text: &'a [u8],
    /// Absent in flat profiles of GNU.
    pub(super) index: Option<u32>,
    /// The index is in brackets: a complete call graph has the entry, unless the function has
    /// neither calls nor time.
    pub(super) has_entry: bool,
}

impl<'a> EntryName<'a> {
    fn parse(text: &'a [u8]) -> Option<Self> {
        let text = text.trim_ascii();
        let has_entry = text.ends_with(b"]");
        let (text, index) = match indexed(text) {
            Some((name, index)) => (name, Some(index)),
            None => (text, None),
        };
        let cycle = text.strip_suffix(b">").and_then(|text| {
            let start = memchr::memmem::rfind(text, b" <cycle ")?;
            number(&text[start + b" <cycle ".len()..]).map(|_| &text[..start])
        });
        let text = cycle.unwrap_or(text).trim_ascii_end();
        (!text.is_empty()).then_some(Self { text, index, has_entry })
    }

    /// Returns whether it names a whole cycle.
    pub(super) fn is_cycle(&self) -> bool {
        self.text.starts_with(b"<cycle ") && self.text.ends_with(b" as a whole>")
    }
}

/// The name before an index in brackets, or in parentheses if that has no entry.
fn indexed(text: &[u8]) -> Option<(&[u8], u32)> {
    let (open, rest) = match text.split_last()? {
        (b']', rest) => (b'[', rest),
        (b')', rest) => (b'(', rest),
        _ => return None,
    };
    let start = rest.iter().rposition(|&byte| byte == open)?;
    let index = number(&rest[start + 1..]).and_then(|index| u32::try_from(index).ok())?;
    // Old releases put a tab after a cycle.
    let name = rest[..start].trim_ascii_end();
    (name.len() < start).then_some((name, index))
}

/// The number of calls, and the number after a sign: `3`, `3+1`, `3/6`.
fn calls(word: &[u8], sign: u8) -> Option<(u64, u64)> {
    match word.iter().position(|&byte| byte == sign) {
        Some(at) => Some((number(&word[..at])?, number(&word[at + 1..])?)),
        None => Some((number(word)?, 0)),
    }
}

/// The first word, and the text after it.
fn word(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let text = text.trim_ascii_start();
    let end = text.iter().position(u8::is_ascii_whitespace);
    let (word, rest) = text.split_at(end.unwrap_or(text.len()));
    (!word.is_empty()).then_some((word, rest))
}

fn whole(text: &[u8]) -> Option<(u64, &[u8])> {
    let (word, rest) = word(text)?;
    Some((number(word)?, rest))
}

fn percent(text: &[u8]) -> Option<(u64, &[u8])> {
    // Without any time the share is not a number.
    let (found, rest) = word(text)?;
    let is_nan = found.strip_prefix(b"-").unwrap_or(found) == b"nan";
    if is_nan { Some((0, rest)) } else { hundredths(text) }
}

/// A number with a point and at most two decimals, in hundredths.
fn hundredths(text: &[u8]) -> Option<(u64, &[u8])> {
    let (word, rest) = word(text)?;
    let point = word.iter().position(|&byte| byte == b'.')?;
    let (units, decimals) = (&word[..point], &word[point + 1..]);
    let factor = match decimals.len() {
        1 => 10,
        2 => 1,
        _ => return None,
    };
    let units = if units.is_empty() { 0 } else { number(units)? };
    let decimals = number(decimals)? * factor;
    let value = units.checked_mul(100)?.checked_add(decimals)?;
    Some((value, rest))
}

fn number(digits: &[u8]) -> Option<u64> {
    let is_number = !digits.is_empty() && digits.iter().all(u8::is_ascii_digit);
    let digits = std::str::from_utf8(digits).ok()?;
    digits.parse().ok().filter(|_| is_number)
}

/// The sampling period in seconds: `Each sample counts as 0.01 seconds.`, or `each sample hit
/// covers 4 byte(s) for 3.03% of 0.33 seconds`.
pub(super) fn sampling_period(line: &[u8]) -> Option<f64> {
    let line = std::str::from_utf8(line).ok()?;
    let before = |text: &str, end: &str| {
        let start = text.split(end).next()?;
        start.split_whitespace().next_back()?.parse::<f64>().ok()
    };
    if let Some((_, rest)) = line.split_once("ach sample counts as ") {
        return before(rest, " seconds");
    }
    let (_, rest) = line.split_once("ach sample hit covers ")?;
    let (_, rest) = rest.split_once(" for ")?;
    Some(before(rest, "% of ")? / 100.0 * before(rest, " seconds")?)
}
