//! Folded call stacks for flame graphs: a line `a;b;c N` for each.
//!
//! Frames start with the outermost caller, and `N` is the self cost of the last one: nanoseconds,
//! thousandths of ticks of unknown length, or units of the metric. Read by `flamegraph.pl`,
//! `inferno`, speedscope and `gprof2dot -f collapse`. The format has no place for the unit.
//! Differences have two numbers, like the output of `difffolded.pl`: `a;b;c OLD NEW`.
//!
//! Where functions of several files or objects share a name, these follow it: `main (a.c)`,
//! `malloc [libc.so.6]`.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::io::{self, Write};

use foldhash::fast::RandomState;

use super::stacks::Stacks;
use super::{RenderOptions, RenderResult, Renderer, name_id};
use crate::report::escape::line_start;
use crate::report::{Cell, NameId, Report, SectionId, escape_controls, last_component};

/// Call stacks, folded.
pub(super) static FOLDED: Renderer = Renderer {
    accepts: |section| matches!(section, SectionId::Tree | SectionId::TreeDifference),
    default_sections: &[SectionId::Tree],
    ..Renderer::new("folded", &["folded"], "call stacks, for flame graphs: `a;b;c N`", render)
};

fn render(report: &Report, options: &RenderOptions, out: &mut dyn Write) -> RenderResult {
    let stacks = Stacks::of(&FOLDED, report, options)?;
    let shared = shared_names(&stacks)?;
    let mut stack = Stack::default();
    stacks.for_each(&mut |row| {
        let mut name = stacks.name_of(row.name);
        if let Some(&Shared { by_object, by_file }) = shared.get(&name) {
            let (object, file) = place_of(&stacks, row.name);
            if let Some(file) = file.filter(|_| by_file) {
                name.extend([b" (", &*escape_controls(file), b")"].concat());
            }
            if let Some(object) = object.filter(|_| by_object) {
                let object = last_component(object);
                // The kernel has brackets already.
                let bare = object.strip_prefix(b"[").and_then(|inner| inner.strip_suffix(b"]"));
                let object = escape_controls(bare.unwrap_or(object));
                name.extend([b" [", &*object, b"]"].concat());
            }
        }
        let name = frame(name);
        stack.push(row.depth, &if row.depth == 0 { line_start(&name) } else { (&*name).into() });
        let metric = &stacks.metrics[0];
        // Readers accept only whole numbers that are not negative.
        if let Some(sides) = row.sides(metric) {
            let [old, new] = sides.map(|weight| weight.max(0));
            if [old, new] == [0, 0] {
                return Ok(());
            }
            out.write_all(&stack.frames)?;
            return writeln!(out, " {old} {new}");
        }
        let weight = row.weight(metric);
        if weight <= 0 {
            return Ok(());
        }
        out.write_all(&stack.frames)?;
        writeln!(out, " {weight}")
    })?;
    Ok(())
}

/// What tells functions of one name apart.
#[derive(Clone, Copy, Default)]
struct Shared {
    by_object: bool,
    by_file: bool,
}

/// The names of functions in several objects or files. Looks up the places of names that appear
/// twice only, since the table of names counts the paths that it shortens.
fn shared_names(stacks: &Stacks<'_>) -> io::Result<HashMap<Vec<u8>, Shared, RandomState>> {
    let mut seen = HashSet::<NameId, RandomState>::default();
    let mut first = HashMap::<Vec<u8>, Cell, RandomState>::default();
    let mut shared = HashMap::<Vec<u8>, Shared, RandomState>::default();
    stacks.for_each(&mut |row| {
        if let Cell::Name(id) = row.name
            && seen.insert(*id)
        {
            match first.entry(stacks.name_of(row.name)) {
                Entry::Vacant(free) => drop(free.insert(row.name.clone())),
                Entry::Occupied(one) => {
                    let [known, new] = [one.get(), row.name].map(|name| place_of(stacks, name));
                    let (by_object, by_file) = (known.0 != new.0, known.1 != new.1);
                    if by_object || by_file {
                        let shared = shared.entry(one.key().clone()).or_default();
                        shared.by_object |= by_object;
                        shared.by_file |= by_file;
                    }
                }
            }
        }
        Ok(())
    })?;
    Ok(shared)
}

/// The object and the file of a function, as far as known.
fn place_of<'r>(stacks: &Stacks<'r>, name: &Cell) -> (Option<&'r [u8]>, Option<&'r [u8]>) {
    let id = name_id(name);
    let file = id.and_then(|id| stacks.names.location(id)).map(|place| place.file);
    (id.and_then(|id| stacks.names.object(id)), file)
}

/// The stack of a row.
#[derive(Default)]
struct Stack {
    frames: Vec<u8>,
    /// The end of each frame.
    ends: Vec<usize>,
}

impl Stack {
    /// Replaces the frame at a depth and those below it.
    fn push(&mut self, depth: usize, frame: &[u8]) {
        self.ends.truncate(depth);
        self.frames.truncate(self.ends.last().copied().unwrap_or(0));
        if !self.ends.is_empty() {
            self.frames.push(b';');
        }
        self.frames.extend_from_slice(frame);
        self.ends.push(self.frames.len());
    }
}

/// The name of a frame, without separators of frames, lines and counts: two numbers at the
/// end of a line would mean two profiles.
fn frame(mut name: Vec<u8>) -> Vec<u8> {
    for byte in name.iter_mut().filter(|byte| **byte == b';') {
        *byte = b':';
    }
    let is_of_number = |byte: &&u8| byte.is_ascii_digit() || **byte == b'.';
    let n_digits = name.iter().rev().take_while(is_of_number).count();
    if let Some(blank) = name.iter_mut().rev().nth(n_digits)
        && *blank == b' '
        && n_digits > 0
    {
        *blank = b'_';
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::SHORT_NAME;
    use crate::render::testing::{TestName, rendered, report, section};
    use crate::report::{Column, NoNames, Role, RowKind, RowTable, ShortNames};

    #[test]
    fn only_paths_that_are_printed_are_shortened() {
        let check = |names: [&str; 2], n_shortened: usize| {
            let name = |(name, end): (&str, u8)| TestName {
                name: name.into(),
                location: Some((vec![end; SHORT_NAME + 1], 1)),
                ..TestName::default()
            };
            let columns = [
                Column::hidden("name", Role::Name),
                Column::hidden("depth", Role::Other),
                Column::hidden("weight", Role::Count).of(1),
            ];
            let mut rows = RowTable::default();
            for id in 0..2 {
                let name = Cell::Name(NameId(id));
                rows.push(RowKind::Entry, [name, Cell::Integer(id.into()), Cell::Integer(5)]);
            }
            let names = names.into_iter().zip(*b"ab").map(name).collect();
            let mut report = report(names, vec![section(SectionId::Tree, columns, rows)]);
            let whole = std::mem::replace(&mut report.names, Box::new(NoNames));
            report.names = Box::new(ShortNames::new(whole));
            let text = rendered(&FOLDED, &report, &RenderOptions::default());
            let n_lines = text.iter().filter(|&&byte| byte == b'\n').count();
            assert_eq!((n_lines, report.names.n_shortened()), (2, n_shortened));
        };
        check(["main", "work"], 0);
        check(["work", "work"], 2);
    }

    #[test]
    fn names_end_no_frame_no_line_and_in_no_number() {
        let check = |name: &str, expected: &str| {
            let found = frame(name.as_bytes().to_vec());
            assert_eq!(String::from_utf8_lossy(&found), expected);
        };
        check("operator new(unsigned long)", "operator new(unsigned long)");
        check("a;b", "a:b");
        check("cycle 1", "cycle_1");
        check("1.5", "1.5");
        check("f 1.5", "f_1.5");
    }
}
