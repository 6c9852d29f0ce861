//! Shows places of reports, and follows the keys from one to another.

use std::collections::HashMap;

use anyhow::{Error, Result};

use super::Loaded;
use super::place::Place;
use super::request::{Choice, Part, Request, SourceOf, ViewChoice};
use super::shown::Shown;
use super::view::View;
use crate::diagnose::browsing::{self, HINTS, KEYS, WARNINGS, warnings_and_notes};
use crate::output::{Event, FullScreen, Key, ScreenLine};
use crate::render::{NameForm, RenderOptions, ScreenText};
use crate::report::{Cell, Report, RowKind, Section, SectionId};

/// Lines outside of rows: the title and the status.
const N_BARS: usize = 2;

/// Lines above the first line of a function.
const LINES_ABOVE: usize = 3;

/// Lines of a step of the mouse wheel.
const WHEEL: usize = 3;

/// The state of the screen.
pub(super) struct Explorer {
    screen: FullScreen,
    has_color: bool,
    shows_error: bool,
    /// Reports, the newest last; each belongs to at least one place.
    loaded: Vec<Loaded>,
    /// Places, the present one last.
    places: Vec<Place>,
    /// The text that was searched last.
    pattern: String,
    /// About the last key.
    message: String,
    /// Requested commands.
    commands: Vec<String>,
}

/// A view whose keys are followed.
struct Walk<'a> {
    place: &'a mut Place,
    shown: &'a Shown,
    /// The lines in their order on the screen.
    arranged: Vec<usize>,
    loaded: &'a Loaded,
}

impl Walk<'_> {
    /// The selected line.
    fn line(&self) -> Option<usize> {
        self.arranged.get(self.place.cursor).copied()
    }

    /// A click selects a line; on the selected one it is Enter.
    fn clicked(&mut self, key: Key) -> Key {
        let Key::Click(line) = key else { return key };
        let first = 1 + self.shown.lines.heads.len();
        let row = line.checked_sub(first).map(|row| self.place.top + row);
        match row.filter(|&row| row < self.arranged.len()) {
            Some(row) if row == self.place.cursor => Key::Enter,
            Some(row) => {
                self.place.cursor = row;
                key
            }
            None => key,
        }
    }
}

impl Explorer {
    pub(super) fn new(screen: FullScreen, loaded: Loaded, has_color: bool) -> Self {
        let n_warnings = loaded.report.diagnostics.len();
        let place = Place::new(View::Section(first_table(&loaded.report)), 0);
        Self {
            screen,
            has_color,
            shows_error: false,
            loaded: vec![loaded],
            places: vec![place],
            pattern: String::new(),
            message: browsing::warnings(n_warnings),
            commands: Vec::new(),
        }
    }

    /// Follows keys until the user leaves. Returns the requested commands.
    ///
    /// # Errors
    /// If the terminal fails.
    pub(super) fn explore(mut self) -> Result<Vec<String>> {
        loop {
            match self.show()? {
                Then::Leave => return Ok(self.commands),
                Then::Load(request) => self.load(request)?,
                _ => {
                    let last = self.places.last().map_or(0, |place| place.report);
                    self.loaded.truncate(last + 1);
                }
            }
        }
    }

    fn load(&mut self, request: Request) -> Result<()> {
        let bar = ScreenLine { text: b"reading...", is_reversed: true };
        self.screen.draw(&[bar])?;
        let part = request.part.clone();
        let made = Loaded::new(request);
        let made = made.and_then(|made| match table_of(&made.report, &part) {
            Some(section) => Ok((made, section)),
            None => Err(Error::msg(browsing::NO_PART)),
        });
        match made {
            Ok((made, section)) => {
                let line = line_of(&made.report, section, &part);
                self.loaded.push(made);
                let report = self.loaded.len() - 1;
                let mut place = Place::new(View::Section(section), report);
                place.line = line;
                self.places.push(place);
            }
            Err(error) => self.message = format!("{error:#}"),
        }
        Ok(())
    }

    fn tell(&mut self, message: &str) {
        self.message = message.to_owned();
    }

    fn options(&self, request: &Request) -> RenderOptions {
        // Frames of trees have a sign before them.
        let margin = if matches!(request.part, Part::Tree | Part::CallersTree) { 2 } else { 0 };
        let columns = self.screen.size().columns.saturating_sub(margin);
        RenderOptions {
            escapes_controls: true,
            has_color: self.has_color,
            width: columns,
            screen: Some(columns),
            names: NameForm::Fitting,
            shows_error: self.shows_error,
            ..RenderOptions::default()
        }
    }

    /// Shows the last place, and others of its report, until something else is needed.
    fn show(&mut self) -> Result<Then> {
        // The text of a report borrows it, and keys change the list of reports.
        let report = self.places.last().map_or(0, |place| place.report);
        let loaded = self.loaded.remove(report);
        let next = self.show_report(&loaded, report);
        self.loaded.insert(report, loaded);
        next
    }

    fn show_report(&mut self, loaded: &Loaded, report: usize) -> Result<Then> {
        let options = self.options(&loaded.request);
        let columns = options.width;
        let text = ScreenText::new(&loaded.report, options);
        // The lines of the places before this one, by their position.
        let mut laid_out = HashMap::new();
        while let Some(mut place) = self.places.pop() {
            if place.report != report {
                self.places.push(place);
                return Ok(Then::LayOut);
            }
            let position = self.places.len();
            let shown = match laid_out.remove(&position) {
                Some(shown) => shown,
                None => Shown::of(&place.view, &loaded.report, &loaded.calls, &text, columns)?,
            };
            let then = self.walk(&mut place, &shown, loaded);
            self.places.push(place);
            match then? {
                then @ (Then::Leave | Then::LayOut | Then::Load(_)) => return Ok(then),
                Then::Back if self.places.len() > 1 => drop(self.places.pop()),
                Then::Back => {
                    laid_out.insert(position, shown);
                    self.tell(browsing::FIRST_VIEW);
                }
                Then::To(view) => {
                    laid_out.insert(position, shown);
                    self.places.push(Place::new(view, report));
                }
                Then::Undo => {
                    while self.places.len() > 1
                        && self.places.last().is_some_and(|place| place.report == report)
                    {
                        self.places.pop();
                    }
                }
            }
        }
        Ok(Then::Leave)
    }

    /// Follows keys within a view.
    fn walk(&mut self, place: &mut Place, shown: &Shown, loaded: &Loaded) -> Result<Then> {
        let mut at = Walk { arranged: place.arranged(shown), place, shown, loaded };
        if at.place.cursor == 0 && matches!(at.place.view, View::Function(_)) {
            let is_entry = |&line: &usize| shown.lines.rows[line].kind == RowKind::Entry;
            at.place.cursor = at.arranged.iter().position(is_entry).unwrap_or(0);
        }
        if let Some(row) = at.place.line.take().and_then(|line| shown.line_of_source(line)) {
            // The lines above tell what the function is about.
            (at.place.cursor, at.place.top) = (row, row.saturating_sub(LINES_ABOVE));
        }
        loop {
            self.draw(&mut at)?;
            let key = match self.screen.next_event()? {
                Event::Closed => return Ok(Then::Leave),
                Event::Redraw => return Ok(Then::LayOut),
                Event::Key(key) => at.clicked(key),
            };
            self.message.clear();
            let page = self.n_rows(shown);
            let last = at.arranged.len().saturating_sub(1);
            let line = at.line();
            match key {
                Key::Up | Key::Char('k') => at.place.cursor = at.place.cursor.saturating_sub(1),
                Key::Down | Key::Char('j') => at.place.cursor = (at.place.cursor + 1).min(last),
                Key::PageUp => at.place.cursor = at.place.cursor.saturating_sub(page),
                Key::WheelUp => at.place.cursor = at.place.cursor.saturating_sub(WHEEL),
                Key::WheelDown => at.place.cursor = (at.place.cursor + WHEEL).min(last),
                Key::PageDown | Key::Char(' ') => {
                    at.place.cursor = (at.place.cursor + page).min(last)
                }
                Key::Home | Key::Char('g') => at.place.cursor = 0,
                Key::End | Key::Char('G') => at.place.cursor = last,
                Key::Char('/') => self.search(&mut at)?,
                Key::Char('n') => self.find_next(&mut at, false),
                Key::Char('N') => self.find_next(&mut at, true),
                Key::Char('s' | 'r') => {
                    self.sort(at.place, shown, key);
                    at.arranged = at.place.arranged(shown);
                }
                Key::Left | Key::Right if shown.is_tree => {
                    let is_closed = line.is_some_and(|line| at.place.is_closed(&shown.lines, line));
                    if let Some(line) = line.filter(|_| is_closed == (key == Key::Right)) {
                        at.place.toggle(line);
                        at.arranged = at.place.arranged(shown);
                    }
                }
                Key::Char('o') => self.write(&mut at)?,
                Key::Char('L') => {
                    if let Some(typed) = self.ask(&mut at, browsing::label)? {
                        let request = loaded.request.choosing(Choice::of_label(&typed));
                        return Ok(Then::Load(request));
                    }
                }
                Key::Char('y') => {
                    let choice = choice_of(at.place, loaded, self.shows_error);
                    let command = loaded.request.shown_command(&choice);
                    self.message.clone_from(&command);
                    self.commands.push(command);
                }
                key => {
                    if let Some(then) = self.leave_view(key, &at) {
                        return Ok(then);
                    }
                }
            }
        }
    }

    /// Keys that lead to another view.
    fn leave_view(&mut self, key: Key, at: &Walk<'_>) -> Option<Then> {
        let Walk { place, shown, loaded, .. } = at;
        let report = &loaded.report;
        let row = at.line().and_then(|line| shown.lines.rows.get(line));
        let is_inlined = row.is_some_and(|row| row.kind == RowKind::Inline);
        let name = row.map(|row| row.name.clone());
        let function = name.as_ref().and_then(|name| function_of(name, report));
        let load = |part| Then::Load(loaded.request.with_part(part));
        let then = match key {
            Key::Char('q') => Then::Leave,
            Key::Backspace | Key::Escape => Then::Back,
            Key::Char('u') if place.report > 0 => Then::Undo,
            Key::Char('u') => return self.refuse(browsing::NOTHING_TO_UNDO),
            Key::Char('e') => {
                self.shows_error = !self.shows_error;
                Then::LayOut
            }
            Key::Char('?') => Then::To(View::Text("Keys", KEYS.map(str::to_owned).to_vec())),
            Key::Char('w') => Then::To(View::Text(WARNINGS, warnings_and_notes(report))),
            Key::Enter => match (name, function.filter(|_| is_inlined)) {
                (Some(name), _) if loaded.calls.entry(report, &name).is_some() => {
                    match &place.view {
                        View::Function(shown) if *shown == name => return None,
                        _ => Then::To(View::Function(name)),
                    }
                }
                (_, Some(function)) => load(Part::Calls(function)),
                (_, None) => return self.refuse(browsing::NO_CALLS),
            },
            Key::Tab => match next_table(report, &place.view) {
                Some(next) => Then::To(View::Section(next)),
                None => return self.refuse(browsing::ONE_TABLE),
            },
            Key::Char('t' | 'b') => match section_named(report, SectionId::Tree) {
                Some(tree) if key == Key::Char('t') => Then::To(View::Section(tree)),
                _ if loaded.request.is_diff() => {
                    return self.refuse(browsing::NO_TREE_OF_DIFFERENCE);
                }
                _ => load(if key == Key::Char('t') { Part::Tree } else { Part::CallersTree }),
            },
            Key::Char('m') => Then::Load(loaded.request.switching_objects()),
            Key::Char('v') if report.metrics.len() > 1 => {
                let next = &report.metrics[(report.primary + 1) % report.metrics.len()];
                Then::Load(loaded.request.choosing(Choice::Value(next.id.to_string())))
            }
            Key::Char('v') => return self.refuse(browsing::ONE_VALUE),
            Key::Char('d') => match section_named(report, SectionId::Difference) {
                Some(difference) => Then::To(View::Section(difference)),
                None => return self.refuse(browsing::ONE_SIDE),
            },
            Key::Char('a') if loaded.request.is_diff() => {
                return self.refuse(browsing::NO_SOURCE_OF_DIFFERENCE);
            }
            Key::Char('a' | 'f' | 'i') => {
                let Some(function) = function else {
                    return self.refuse(browsing::NO_FUNCTION);
                };
                match key {
                    Key::Char('a') => {
                        let place = name.as_ref().and_then(|name| place_of(name, report));
                        load(Part::Source(SourceOf { function, place }))
                    }
                    Key::Char('f') => Then::Load(loaded.request.choosing(Choice::Focus(function))),
                    _ => Then::Load(loaded.request.choosing(Choice::Ignore(function))),
                }
            }
            Key::Click(_) => return None,
            _ => return self.refuse(HINTS),
        };
        Some(then)
    }

    /// Says why a key leads to no other view.
    fn refuse(&mut self, message: &str) -> Option<Then> {
        self.tell(message);
        None
    }

    fn sort(&mut self, place: &mut Place, shown: &Shown, key: Key) {
        if !shown.can_sort || shown.lines.rows.is_empty() {
            return self.tell(browsing::ONE_ORDER);
        }
        let columns = &shown.lines.columns;
        let orders = columns.iter().filter(|column| column.is_order);
        let orders: Vec<_> = orders.map(|column| &*column.id).chain(["name"]).collect();
        let now = place.sort.as_deref().unwrap_or(orders[0]);
        if key == Key::Char('r') {
            place.is_reversed = !place.is_reversed;
            place.sort = Some(now.to_owned());
        } else {
            let now = orders.iter().position(|id| *id == now).unwrap_or(0);
            place.sort = Some(orders[(now + 1) % orders.len()].to_owned());
            place.is_reversed = false;
        }
        place.cursor = 0;
        let column = columns.iter().find(|one| Some(&one.id) == place.sort.as_ref());
        let column = column.map_or("name", |column| &column.words);
        self.message = browsing::order(column, place.is_reversed);
    }

    /// Searches while the user types.
    fn search(&mut self, at: &mut Walk<'_>) -> Result<()> {
        let start = at.place.cursor;
        let typed = self.type_text(at, &mut |pattern, at| {
            let found = at.shown.find(pattern, &at.arranged, start, false);
            let found = found.filter(|_| !pattern.is_empty());
            at.place.cursor = found.unwrap_or(start);
            let n_found =
                if pattern.is_empty() { 0 } else { at.shown.n_found(pattern, &at.arranged) };
            format!("/{pattern}   ({n_found} of {})", at.arranged.len())
        })?;
        match typed {
            Some(pattern) => self.pattern = pattern,
            None => at.place.cursor = start,
        }
        Ok(())
    }

    fn find_next(&mut self, at: &mut Walk<'_>, is_backward: bool) {
        let n_lines = at.arranged.len();
        if self.pattern.is_empty() || n_lines == 0 {
            return self.tell(browsing::NO_PATTERN);
        }
        let start = if is_backward {
            (at.place.cursor + n_lines - 1) % n_lines
        } else {
            (at.place.cursor + 1) % n_lines
        };
        match at.shown.find(&self.pattern, &at.arranged, start, is_backward) {
            Some(found) => {
                at.place.cursor = found;
                self.message = format!("/{}", self.pattern);
            }
            None => self.message = format!("no match of `{}`", self.pattern),
        }
    }

    /// Asks for a file, and writes the view to it.
    fn write(&mut self, at: &mut Walk<'_>) -> Result<()> {
        let Some(path) = self.ask(at, browsing::file)? else {
            return Ok(());
        };
        let choice = choice_of(at.place, at.loaded, self.shows_error);
        self.message = match at.loaded.request.write(&path, &choice) {
            Ok(()) => format!("written to {path}"),
            Err(error) => format!("{error:#}"),
        };
        Ok(())
    }

    /// Asks for a text with a message that shows it as it is typed; `None` after Escape.
    fn ask(&mut self, at: &mut Walk<'_>, message: fn(&str) -> String) -> Result<Option<String>> {
        self.type_text(at, &mut |typed, _| message(typed))
    }

    /// Lets the user type a text, with a message about each of its states; `None` after Escape.
    fn type_text(
        &mut self,
        at: &mut Walk<'_>,
        message: &mut dyn FnMut(&str, &mut Walk<'_>) -> String,
    ) -> Result<Option<String>> {
        let mut text = String::new();
        loop {
            self.message = message(&text, at);
            self.draw(at)?;
            match self.screen.next_event()? {
                Event::Key(Key::Enter) => return Ok(Some(text)),
                Event::Key(Key::Escape) | Event::Closed => {
                    self.message.clear();
                    return Ok(None);
                }
                Event::Key(Key::Backspace) => drop(text.pop()),
                Event::Key(Key::Char(character)) => text.push(character),
                Event::Key(_) | Event::Redraw => {}
            }
        }
    }

    /// Number of lines for rows.
    fn n_rows(&self, shown: &Shown) -> usize {
        let around = N_BARS + shown.lines.heads.len();
        self.screen.size().lines.saturating_sub(around).max(1)
    }

    fn draw(&mut self, at: &mut Walk<'_>) -> Result<()> {
        let Walk { place, shown, arranged, loaded } = at;
        let n_rows = self.n_rows(shown);
        place.cursor = place.cursor.min(arranged.len().saturating_sub(1));
        place.top = place.top.clamp((place.cursor + 1).saturating_sub(n_rows), place.cursor);
        let n_lines = arranged.len();
        let number = (place.cursor + 1).min(n_lines);
        let Loaded { request, origin, total, .. } = loaded;
        let title = format!(
            "{}{}{total} | {number} of {n_lines} | {origin}",
            shown.title,
            request.options()
        );
        let plain = |text| ScreenLine { text, is_reversed: false };
        let mut lines = vec![ScreenLine { text: title.as_bytes(), is_reversed: true }];
        let margin = if shown.is_tree { "  " } else { "" };
        let heads = shown.lines.heads.iter().map(|head| (margin, head, false));
        let rows = arranged.iter().enumerate().skip(place.top).take(n_rows);
        let rows = rows.map(|(index, &line)| {
            let margin = if shown.is_tree { place.frame_sign(&shown.lines, line) } else { "" };
            (margin, &shown.lines.lines[line], index == place.cursor)
        });
        let texts: Vec<_> = heads
            .chain(rows)
            .map(|(margin, text, is_reversed)| ([margin.as_bytes(), text].concat(), is_reversed))
            .collect();
        let drawn = texts.iter();
        lines.extend(drawn.map(|&(ref text, is_reversed)| ScreenLine { text, is_reversed }));
        let height = self.screen.size().lines;
        lines.resize(height.saturating_sub(1).max(1), plain(b""));
        let status = if self.message.is_empty() { HINTS } else { &self.message };
        lines.push(plain(status.as_bytes()));
        Ok(self.screen.draw(&lines)?)
    }
}

/// The next step after a view.
enum Then {
    Leave,
    /// The size or the columns changed.
    LayOut,
    Back,
    To(View),
    Undo,
    Load(Request),
}

/// The source file of a function, and its first line.
fn place_of(name: &Cell, report: &Report) -> Option<(String, u32)> {
    let Cell::Name(id) = name else { return None };
    let location = report.names.location(*id)?;
    Some((String::from_utf8_lossy(location.file).into_owned(), location.line))
}

/// The name of a function.
fn function_of(name: &Cell, report: &Report) -> Option<String> {
    match name {
        Cell::Name(id) => Some(String::from_utf8_lossy(report.names.name(*id)).into_owned()),
        _ => None,
    }
}

/// The choices of a view, in addition to those of its report.
fn choice_of(place: &Place, loaded: &Loaded, shows_error: bool) -> ViewChoice {
    let report = &loaded.report;
    let choice = ViewChoice { shows_error, ..ViewChoice::default() };
    match &place.view {
        View::Section(section) => ViewChoice {
            is_flat: report.sections[*section].id == SectionId::Flat,
            sort: place.sort.clone(),
            is_reversed: place.is_reversed,
            ..choice
        },
        View::Function(name) => ViewChoice { calls_of: Some(function_of(name, report)), ..choice },
        View::Text(..) => choice,
    }
}

fn section_named(report: &Report, id: SectionId) -> Option<usize> {
    report.sections.iter().position(|section| section.id == id)
}

/// Returns whether a section is a view of its own.
fn is_table(id: SectionId) -> bool {
    !matches!(id, SectionId::Overview | SectionId::Graph | SectionId::Index)
}

/// The section to begin with.
fn first_table(report: &Report) -> usize {
    let mut sections = report.sections.iter();
    sections.position(|section| is_table(section.id)).unwrap_or(0)
}

/// The section to show first of a part.
fn table_of(report: &Report, part: &Part) -> Option<usize> {
    match part {
        Part::Usual => (!report.sections.is_empty()).then(|| first_table(report)),
        Part::Tree | Part::CallersTree => section_named(report, SectionId::Tree),
        Part::Calls(_) => section_named(report, SectionId::Graph),
        Part::Source(source) => {
            let is_its_own = |section: &Section| is_of_file(section, source);
            let own = report.sections.iter().position(is_its_own);
            let any = || section_named(report, SectionId::Source);
            own.or_else(any).or_else(|| section_named(report, SectionId::SourceSummary))
        }
    }
}

/// Returns whether a section is the source file of a function.
fn is_of_file(section: &Section, source: &SourceOf) -> bool {
    let file = source.place.as_ref().map(|(file, _)| file);
    let title = section.title.trim_end_matches(':');
    section.id == SectionId::Source && file.is_some_and(|file| title.ends_with(&**file))
}

/// The line to begin with in a source: the first one of the function.
fn line_of(report: &Report, section: usize, part: &Part) -> Option<u32> {
    let Part::Source(source) = part else { return None };
    let (_, line) = source.place.as_ref()?;
    is_of_file(&report.sections[section], source).then_some(*line)
}

/// The table after a view, or the first one.
fn next_table(report: &Report, view: &View) -> Option<usize> {
    let here = match view {
        View::Section(index) => *index,
        _ => 0,
    };
    let n_sections = report.sections.len();
    let others = (1..n_sections).map(|step| (here + step) % n_sections);
    let mut others = others.filter(|&index| is_table(report.sections[index].id));
    others.next()
}
