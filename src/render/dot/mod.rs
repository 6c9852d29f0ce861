//! The call graph as a picture for graphviz.
//!
//! Functions are boxes in the colours of their modules, their names larger with more self cost,
//! and calls are arrows, wider and redder with more cost; guesses are dashed. Members of a cycle
//! share a frame. Functions below
//! half a percent are omitted, unless rows were requested; the legend counts them. Of a
//! difference, colours show the change.

mod label;
mod shorten;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::collections::HashSet;
use std::io::{self, Write};

use self::label::label;
use self::shorten::{TOOLTIP_LENGTH, shorten};
use super::change::Change;
use super::flame_graph::broken;
use super::modules::{FunctionOrigin, LIGHTNESS, Modules, Shade, color_of};
use super::name_form::right_end;
use super::{RenderOptions, RenderResult, Renderer};
use crate::report::number::counted;
use crate::report::{Basis, Cell, Report, Row, RowKind, Section, SectionId, last_component};

/// Minimum percentage of a function, unless rows were requested.
const LEAST_PERCENT: f64 = 0.5;

/// The common start of all pictures.
const HEAD: &str = "\
digraph calls {
graph [fontname=\"Helvetica\", nodesep=0.2, ranksep=0.4];
node [shape=box, style=filled, color=\"#666666\", fontname=\"Helvetica\", fontsize=10, margin=\"0.1,0.06\"];
edge [fontname=\"Helvetica\", fontsize=9, arrowsize=0.7];
";

/// The call graph for graphviz.
pub(super) static DOT: Renderer = Renderer {
    accepts: |section| matches!(section, SectionId::Graph | SectionId::GraphDifference),
    // The flat profile has the hottest functions, whose modules have different colours.
    default_sections: &[SectionId::Flat, SectionId::Graph],
    shows_guesses: true,
    ..Renderer::new("dot", &["dot", "gv"], "the call graph, for graphviz", render)
};

fn render(report: &Report, _options: &RenderOptions, out: &mut dyn Write) -> RenderResult {
    let section = DOT.accepted(report)?[0];
    let mut picture = Picture {
        least_percent: if report.has_chosen_rows { 0.0 } else { LEAST_PERCENT },
        ..Picture::default()
    };
    let modules = Modules::of(report);
    out.write_all(HEAD.as_bytes())?;
    let visit_rows = |visit: &mut dyn FnMut(GraphRow<'_>) -> io::Result<()>| {
        section
            .rows
            .for_each(&mut |row| visit(GraphRow { row, section, report, modules: &modules }))
    };
    visit_rows(&mut |row| picture.write_function(out, &row))?;
    picture.write_cycles(out)?;
    visit_rows(&mut |row| picture.write_call(out, &row))?;
    picture.write_legend(out, report, section, modules.noun())?;
    out.write_all(b"}\n")?;
    Ok(())
}

/// The state of a picture while it is written.
#[derive(Default)]
struct Picture {
    /// Minimum percentage of functions and calls.
    least_percent: f64,
    /// Index numbers of shown functions.
    shown: HashSet<i128>,
    cycles: Vec<CycleMembers>,
    /// The function whose calls follow.
    caller: Option<Caller>,
    has_guesses: bool,
    n_hidden_functions: u64,
    n_hidden_calls: u64,
    /// A sentence on rows omitted earlier.
    rest: Option<String>,
}

/// The function whose calls follow.
struct Caller {
    index: i128,
    name: String,
}

/// A cycle with the index numbers of its members.
struct CycleMembers {
    index: i128,
    label: String,
    members: Vec<i128>,
}

impl Picture {
    fn write_function(&mut self, out: &mut dyn Write, row: &GraphRow<'_>) -> io::Result<()> {
        if row.row.kind == RowKind::Rest {
            self.rest = Some(String::from_utf8_lossy(row.name()).into_owned());
        }
        let Some(index) = row.integer("index") else {
            return Ok(());
        };
        match row.row.kind {
            RowKind::Entry if !self.shows(row) => self.n_hidden_functions += 1,
            RowKind::Entry => {
                self.shown.insert(index);
                self.has_guesses |= row.is_guess();
                write_box(out, index, row)?;
            }
            RowKind::Cycle => {
                let number = row.integer("cycle");
                let name = number.map_or("cycle".to_owned(), |number| format!("cycle {number}"));
                let lines: Vec<_> = [name].into_iter().chain(row.costs()).collect();
                self.cycles.push(CycleMembers {
                    index,
                    label: label(&lines, "\\n"),
                    members: Vec::new(),
                });
            }
            RowKind::Member => {
                if let Some(cycle) = self.cycles.last_mut() {
                    cycle.members.push(index);
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn write_cycles(&self, out: &mut dyn Write) -> io::Result<()> {
        for cycle in &self.cycles {
            let shown = cycle.members.iter().filter(|one| self.shown.contains(one));
            let members: String = shown.map(|index| format!(" n{index};")).collect();
            if !members.is_empty() {
                let CycleMembers { index, label, .. } = cycle;
                writeln!(
                    out,
                    "subgraph cluster_{index} {{ label={label}; style=dashed; fontsize=10;{members} }}"
                )?;
            }
        }
        Ok(())
    }

    fn write_call(&mut self, out: &mut dyn Write, row: &GraphRow<'_>) -> io::Result<()> {
        match row.row.kind {
            RowKind::Entry => {
                self.caller =
                    row.integer("index").map(|index| Caller { index, name: row.tooltip() });
            }
            RowKind::Cycle => self.caller = None,
            RowKind::Callee => match self.caller.as_ref().zip(row.integer("index")) {
                // The box of a function has an arrow for calls of itself.
                Some((caller, callee)) if caller.index == callee && !row.is_difference() => {}
                Some((caller, callee))
                    if self.shows(row)
                        && self.shown.contains(&caller.index)
                        && self.shown.contains(&callee) =>
                {
                    self.has_guesses |= row.is_guess();
                    write_arrow(out, caller, callee, row)?;
                }
                _ => self.n_hidden_calls += 1,
            },
            _ => {}
        }
        Ok(())
    }

    /// Returns whether a row costs enough. All functions are shown if costs are unknown.
    fn shows(&self, row: &GraphRow<'_>) -> bool {
        let percent = row.real("percent");
        percent.is_none_or(|percent| percent >= self.least_percent)
    }

    /// A box with the subject, the meaning of colours and sizes, and the omitted parts.
    fn write_legend(
        &self,
        out: &mut dyn Write,
        report: &Report,
        section: &Section,
        colored: &str,
    ) -> io::Result<()> {
        let mut lines = vec![section.title.trim_end_matches(':').to_owned()];
        let program = report.inputs.iter().find(|one| one.kind == "executable");
        lines.extend(program.map(|program| program.path.clone()));
        let seconds = ["total_seconds", "total_new"].map(|id| section.column(id));
        let metric = report.metrics.get(report.primary);
        if let Some(metric) = metric {
            let unit = match seconds {
                [Some(_), _] => "seconds",
                [_, Some(column)] => match &*section.columns[column].head[1] {
                    "s" => "seconds",
                    unit => unit,
                },
                _ => &metric.unit,
            };
            lines.push(match &*metric.quantity {
                quantity if quantity == unit => unit.to_owned(),
                quantity => format!("{quantity} in {unit}"),
            });
        }
        let is_difference = section.id == SectionId::GraphDifference;
        // The first note of a sampled profile is about time outside of functions. The summary
        // explains the percentages. Other summaries do not fit here.
        let is_sampled = metric.is_some_and(|one| one.total_basis == Some(Basis::Propagated));
        let total = report.notes.first().filter(|_| is_sampled);
        let of_section = section.summary.iter();
        let of_section = of_section.filter(|_| is_difference || is_sampled);
        let about = total.into_iter().chain(of_section);
        lines.extend(about.flat_map(|line| broken(line)));
        if is_difference {
            lines
                .push("colour: change of the total; width and font: cost of both sides".to_owned());
            let steps = Change::ALL.iter().filter(|one| **one != Change::Same);
            let steps = steps.map(|one| format!("{}: {}", change_style(*one).word, one.meaning()));
            lines.extend(steps);
        } else {
            lines.push(format!("colour: {colored}; font: self cost; arrow: cost along calls"));
            if self.has_guesses {
                lines.push("dashed: the costs of single calls are not known".to_owned());
            }
        }
        let mut hidden = Vec::new();
        if self.n_hidden_functions > 0 {
            hidden.push(counted(self.n_hidden_functions, "function", "functions"));
        }
        if self.n_hidden_calls > 0 {
            hidden.push(counted(self.n_hidden_calls, "arc", "arcs"));
        }
        if !hidden.is_empty() {
            let hidden = hidden.join(" and ");
            lines.push(match (&self.rest, self.least_percent > 0.0) {
                (Some(_), true) => {
                    format!("not shown: {hidden} left out, or below {LEAST_PERCENT} %")
                }
                (None, true) => format!("not shown: {hidden} below {LEAST_PERCENT} %"),
                (_, false) => format!("not shown: {hidden}"),
            });
        }
        lines.extend(self.rest.clone());
        writeln!(
            out,
            "legend [label={}, tooltip=\"legend\", fillcolor=\"#ffffff\", fontcolor=\"#000000\"];",
            label(&lines, "\\l")
        )
    }
}

fn write_box(out: &mut dyn Write, index: i128, row: &GraphRow<'_>) -> io::Result<()> {
    let name = row.name();
    let mut lines = vec![shorten(name)];
    lines.extend(row.object().map(<[u8]>::to_vec));
    let mut about = row.costs();
    about.extend(row.integer("calls").and_then(times));
    let limits = row.limits();
    lines.extend(about.iter().map(|line| line.clone().into_bytes()));
    about.extend(limits);
    about.extend(row.module());
    let tooltip = format!("{}: {}", row.tooltip(), about.join(", "));
    let style = row.style();
    let (fill, font) = (style.fill, style.font);
    let dashed = if row.is_guess() { ", style=\"filled,dashed\"" } else { "" };
    writeln!(
        out,
        "n{index} [label={}, tooltip={}, fontsize={}, fillcolor=\"{fill}\", fontcolor=\"{font}\"{dashed}];",
        label(&lines, "\\n"),
        label(&[tooltip], "\\n"),
        font_size(row.real("self_percent")),
    )?;
    let Some(times) = row.integer("self_calls").and_then(times) else {
        return Ok(());
    };
    let label = label(&[times], "\\n");
    writeln!(out, "n{index} -> n{index} [label={label}, style=dotted];")
}

fn write_arrow(
    out: &mut dyn Write,
    caller: &Caller,
    callee: i128,
    row: &GraphRow<'_>,
) -> io::Result<()> {
    let total = row.costs().into_iter().next();
    let total = total.map(|total| total.trim_start_matches("total ").to_owned());
    let calls = row.integer("calls").and_then(times);
    let lines: Vec<_> = total.into_iter().chain(calls).collect();
    let costs: Vec<String> = lines.iter().cloned().chain(row.limits()).collect();
    let about = match costs.join(", ") {
        nothing if nothing.is_empty() => nothing,
        costs => format!(": {costs}"),
    };
    let tooltip = format!("{} → {}{about}", caller.name, row.tooltip());
    let tooltip = label(&[tooltip], "\\n");
    let label = label(&lines, "\\n");
    let style = row.style();
    writeln!(
        out,
        "n{} -> n{callee} [label={label}, tooltip={tooltip}, labeltooltip={tooltip}, \
         penwidth={}, color=\"{}\"{}];",
        caller.index,
        row.pen_width(),
        style.line,
        if row.is_guess() { ", style=dashed" } else { "" },
    )
}

/// The font size for a share of self cost in percent: from 9 to 25, and its area as the share.
fn font_size(self_percent: Option<f64>) -> f64 {
    let share = self_percent.unwrap_or(0.0).clamp(0.0, 100.0) / 100.0;
    (9.0 + 16.0 * share.sqrt()).round()
}

/// Colours of a box, its text and an arrow.
struct BoxColors {
    fill: Cow<'static, str>,
    font: &'static str,
    line: &'static str,
    /// The colour in a word, for the legend.
    word: &'static str,
}

const fn style(fill: &'static str, font: &'static str, line: &'static str) -> BoxColors {
    BoxColors { fill: Cow::Borrowed(fill), font, line, word: "" }
}

/// Colours of a change. Red and blue differ for colour-blind people too.
fn change_style(change: Change) -> BoxColors {
    let (colors, word) = match change {
        Change::MuchMore => (style("#c62828", "#ffffff", "#c62828"), "red"),
        Change::More => (style("#f6c3b5", "#000000", "#d98a78"), "light red"),
        Change::Same => (style("#f0f2f5", "#000000", "#808080"), "grey"),
        Change::Less => (style("#c5dcf0", "#000000", "#7aa3c8"), "light blue"),
        Change::MuchLess => (style("#1f5fa8", "#ffffff", "#1f5fa8"), "blue"),
    };
    BoxColors { word, ..colors }
}

/// Colours and widths of arrows, from a percentage on.
const ARROWS: [(f64, &str, &str); 5] = [
    (50.0, "#c62828", "5"),
    (25.0, "#e2553d", "3.5"),
    (10.0, "#ea7540", "2.5"),
    (5.0, "#cc8844", "1.8"),
    (2.0, "#a08860", "1.3"),
];

/// The same for less, and for unknown percentages.
const COLD: (f64, &str, &str) = (0.0, "#808080", "0.9");

/// A number of calls; `None` for 0.
fn times(calls: i128) -> Option<String> {
    (calls > 0).then(|| format!("{calls}×"))
}

/// A row with its cells by column id.
struct GraphRow<'r> {
    row: Row<'r>,
    section: &'r Section,
    report: &'r Report,
    modules: &'r Modules,
}

impl<'r> GraphRow<'r> {
    fn integer(&self, id: &str) -> Option<i128> {
        self.section.cell(self.row, id).as_integer()
    }

    fn real(&self, id: &str) -> Option<f64> {
        self.section.cell(self.row, id).as_real()
    }

    /// Returns whether equal costs of calls decide the total.
    fn is_guess(&self) -> bool {
        !self.section.cell(self.row, "guess").is_absent()
    }

    /// The limits of a guess in words.
    fn limits(&self) -> Option<String> {
        let [low, high] = ["total_low_seconds", "total_high_seconds"].map(|id| self.real(id));
        self.is_guess().then_some(())?;
        Some(format!("may be {:.2} to {:.2} s", low?, high?))
    }

    /// Returns whether it has the costs of two sides.
    fn is_difference(&self) -> bool {
        self.section.id == SectionId::GraphDifference
    }

    /// The arrow for the percentage of the total cost.
    fn arrow(&self) -> (f64, &'static str, &'static str) {
        let percent = self.real("percent").unwrap_or(0.0);
        ARROWS.into_iter().find(|(least, ..)| percent >= *least).unwrap_or(COLD)
    }

    fn pen_width(&self) -> &'static str {
        self.arrow().2
    }

    fn style(&self) -> BoxColors {
        if self.is_difference() {
            return change_style(Change::of(self.section, self.row).0);
        }
        let origin = self.origin();
        let hue = self.modules.hue_of(&origin);
        let fill = hue.map(|hue| color_of(hue, Shade::of(&origin), LIGHTNESS[0]));
        let plain = style("#f0f2f5", "#000000", self.arrow().1);
        BoxColors { fill: fill.map_or(plain.fill, Cow::Owned), ..plain }
    }

    fn origin(&self) -> FunctionOrigin<'r> {
        FunctionOrigin::of(self.section.cell(self.row, "name"), &*self.report.names)
    }

    /// The module without directories, if modules tell functions apart.
    fn module(&self) -> Option<String> {
        let module = self.modules.module_of(&self.origin());
        let base = last_component(module);
        (!base.is_empty()).then(|| String::from_utf8_lossy(base).into_owned())
    }

    /// The name as far as a tooltip has room for it.
    fn tooltip(&self) -> String {
        right_end(&String::from_utf8_lossy(self.name()), TOOLTIP_LENGTH).into_owned()
    }

    fn name(&self) -> &'r [u8] {
        let name = self.section.cell(self.row, "name");
        name.bytes(&*self.report.names)
    }

    /// The program or library, if it tells the name from equal ones.
    fn object(&self) -> Option<&'r [u8]> {
        let names = &self.report.names;
        match self.section.cell(self.row, "name") {
            Cell::Name(id) if names.beside(*id).object => names.object(*id).map(last_component),
            _ => None,
        }
    }

    /// Total and self cost, a line each; of a difference, both sides.
    fn costs(&self) -> Vec<String> {
        if self.is_difference() {
            let (_, change) = Change::of(self.section, self.row);
            let sides = |word: &str, [old, new]: [&str; 2]| {
                Some(format!("{word} {} → {}", self.value(old)?, self.value(new)?))
            };
            let total = sides("total", ["total_old", "total_new"]);
            let total = total.map(|total| format!("{total} ({change})"));
            let self_cost = sides("self", ["self_old", "self_new"]);
            return total.into_iter().chain(self_cost).collect();
        }
        let lines =
            [("total", "total_seconds", "percent"), ("self", "self_seconds", "self_percent")];
        let lines = lines.into_iter().filter_map(|(word, seconds, percent)| {
            let value = self.real(seconds).map(|value| format!("{value:.2} s"));
            let value = value.or_else(|| self.value(word));
            match (value, self.real(percent)) {
                (Some(value), Some(percent)) => Some(format!("{word} {value} ({percent:.1}%)")),
                (Some(value), None) => Some(format!("{word} {value}")),
                (None, Some(percent)) => Some(format!("{word} {percent:.1}%")),
                (None, None) => None,
            }
        });
        lines.collect()
    }

    /// A number with its unit.
    fn value(&self, id: &str) -> Option<String> {
        let unit = self.report.metrics.get(self.report.primary);
        let mut unit = unit.map_or("", |metric| &metric.unit);
        if self.is_difference() {
            let column = self.section.column("total_old")?;
            unit = &self.section.columns[column].head[1];
        }
        match self.section.cell(self.row, id) {
            Cell::Integer(number) => Some(format!("{number} {unit}")),
            Cell::Real(number) => Some(format!("{number:.2} {unit}")),
            _ => None,
        }
    }
}
