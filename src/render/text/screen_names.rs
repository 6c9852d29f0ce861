//! Shortens names so that they differ.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};

use foldhash::fast::RandomState;

use crate::render::{NameForm, RenderOptions, name_form};
use crate::report::escape::printable;
use crate::report::width::display_width;
use crate::report::{Beside, Cell, NameId, NameTable, Report, Role, RowKind, last_component};

type Map<K, V> = HashMap<K, V, RandomState>;

/// The names of a report on a terminal, or short ones of any length.
///
/// Only names with the same last component can look alike, unless there is very little room.
/// Such a group is shortened on the first use of one of its names in a given width.
pub(super) struct ScreenNames {
    names: Map<NameId, GroupedName>,
    /// The folded names, and the names of each group.
    folded: Vec<Vec<u8>>,
    /// Widths of their last components.
    widths: Vec<usize>,
    groups: Vec<Vec<usize>>,
    fitted: Mutex<FittedByWidth>,
    /// The requested short names, with what differs if they would be equal, by full name.
    requested: Map<Vec<u8>, Vec<u8>>,
}

/// Shortened names of a group (or of all, with little room), by width.
type FittedByWidth = Map<(Option<usize>, usize), Arc<Map<usize, Vec<u8>>>>;

struct GroupedName {
    index: usize,
    group: usize,
}

impl ScreenNames {
    /// The names of a report, if it is for a terminal and names are shortened to fit. Names
    /// of lines have locations.
    pub(super) fn of(report: &Report, options: &RenderOptions) -> Option<Self> {
        let table = &*report.names;
        let form = match options.names {
            NameForm::Short => Some(name_form::short as fn(&[u8]) -> Vec<u8>),
            NameForm::Base => Some(name_form::base as fn(&[u8]) -> Vec<u8>),
            NameForm::Fitting if options.screen.is_some() => None,
            _ => return None,
        };
        if table.are_lines() {
            return None;
        }
        let (mut ids, mut inlined) = (Vec::new(), Vec::new());
        // Names without a place are text in saved reports.
        let mut texts: Vec<Arc<[u8]>> = Vec::new();
        let mut known = HashSet::<NameId, RandomState>::default();
        for section in &report.sections {
            let is_name = |place: usize| section.columns[place].role == Role::Name;
            // The callback never fails.
            let _ = section.rows.for_each(&mut |row| {
                for (place, cell) in row.cells.iter().enumerate() {
                    match cell {
                        Cell::Name(id) if known.insert(*id) => match row.kind {
                            RowKind::Inline => inlined.push(*id),
                            _ => ids.push(*id),
                        },
                        Cell::Text(text) if form.is_some() && is_name(place) => {
                            texts.push(Arc::clone(text));
                        }
                        _ => {}
                    }
                }
                Ok(())
            });
        }
        let mut short = Self {
            names: Map::default(),
            folded: Vec::with_capacity(ids.len()),
            widths: Vec::new(),
            groups: Vec::new(),
            fitted: Mutex::default(),
            requested: Map::default(),
        };
        if let Some(form) = form {
            ids.extend(inlined);
            let names = ids.iter().map(|&id| table.uncut_name(id));
            let names = names.chain(texts.iter().map(|text| &**text));
            short.requested =
                requested(names.map(|name| printable(name, options.escapes_controls)), form);
            return Some(short);
        }
        let mut groups: Map<Vec<u8>, usize> = Map::default();
        let mut indices: Map<Vec<u8>, usize> = Map::default();
        let n_apart = ids.len();
        ids.extend(inlined);
        for (place, id) in ids.into_iter().enumerate() {
            let name = printable(table.uncut_name(id), options.escapes_controls);
            let name = name_form::folded(&name).into_owned();
            let base = name_form::base(&name);
            let width = display_width(&base);
            let n_groups = groups.len();
            let group = *groups.entry(base).or_insert(n_groups);
            if group == n_groups {
                short.groups.push(Vec::new());
            }
            let n_names = short.folded.len();
            // The call site of inlined functions follows their names.
            let name =
                if place < n_apart { with_location(name, id, table, &indices) } else { name };
            let index = *indices.entry(name.clone()).or_insert(n_names);
            if index == n_names {
                short.groups[group].push(index);
                short.folded.push(name);
                short.widths.push(width);
            }
            short.names.insert(id, GroupedName { index, group });
        }
        Some(short)
    }

    /// The short name, if short names were requested.
    pub(super) fn requested(&self, name: &[u8]) -> Option<&[u8]> {
        self.requested.get(name).map(Vec::as_slice)
    }

    /// The name in `columns`, if it needs to be shortened.
    pub(super) fn fitting(&self, id: NameId, columns: usize) -> Option<Cow<'_, [u8]>> {
        let GroupedName { index, group } = self.names.get(&id)?;
        let has_room = self.widths[*index] <= columns;
        if has_room && self.groups[*group].len() == 1 {
            return Some(name_form::fitting(&self.folded[*index], columns));
        }
        let key = (has_room.then_some(*group), columns);
        let known = {
            let fitted = self.fitted.lock().unwrap_or_else(PoisonError::into_inner);
            fitted.get(&key).map(Arc::clone)
        };
        let shown = known.unwrap_or_else(|| {
            let shown = Arc::new(self.fit(key));
            let mut fitted = self.fitted.lock().unwrap_or_else(PoisonError::into_inner);
            fitted.insert(key, Arc::clone(&shown));
            shown
        });
        Some(Cow::Owned(shown.get(index)?.clone()))
    }

    fn fit(&self, (group, columns): (Option<usize>, usize)) -> Map<usize, Vec<u8>> {
        let members = match group {
            Some(group) => self.groups[group].clone(),
            None => {
                let all = 0..self.folded.len();
                all.filter(|&index| self.widths[index] > columns).collect()
            }
        };
        let names: Vec<_> = members.iter().map(|&member| &*self.folded[member]).collect();
        let shown = name_form::distinct(&names, columns);
        members.into_iter().zip(shown).collect()
    }
}

/// Short names by full name. Equal names remain equal, as functions of different files have them.
fn requested<'n>(
    names: impl Iterator<Item = Cow<'n, [u8]>>,
    form: fn(&[u8]) -> Vec<u8>,
) -> Map<Vec<u8>, Vec<u8>> {
    let mut known = HashSet::<Cow<'n, [u8]>, RandomState>::default();
    let mut different = Vec::new();
    for name in names {
        if known.insert(name.clone()) {
            different.push(name);
        }
    }
    let names: Vec<&[u8]> = different.iter().map(|name| &**name).collect();
    let shown =
        name_form::told_apart(&names, names.iter().map(|name| form(name)).collect(), usize::MAX);
    names.into_iter().map(<[u8]>::to_vec).zip(shown).collect()
}

/// A name that is not unique, with its file (for a static function) or address.
fn with_location(
    name: Vec<u8>,
    id: NameId,
    table: &dyn NameTable,
    known: &Map<Vec<u8>, usize>,
) -> Vec<u8> {
    if !known.contains_key(&name) || table.beside(id) != Beside::default() {
        return name;
    }
    let with = |place: String| [&*name, place.as_bytes()].concat();
    let placed = table.location(id).map(|location| {
        let file = String::from_utf8_lossy(last_component(location.file));
        let place = format!("{file}:{}", location.line);
        with(format!(" ({})", String::from_utf8_lossy(&printable(place.as_bytes(), true))))
    });
    match placed.filter(|placed| !known.contains_key(placed)) {
        Some(placed) => placed,
        None => match table.address(id) {
            Some(address) => with(format!(" (0x{address:x})")),
            None => name,
        },
    }
}
