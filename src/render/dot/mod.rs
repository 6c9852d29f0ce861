//! The call graph as a picture that graphviz draws.
//!
//! Functions are boxes, the hotter the redder, and calls are arrows, the costlier the
//! wider. What costs less than half a percent is left out, and the picture says so.
//! Members of a cycle stand in a frame.

mod label;
mod shorten;
mod style;
#[cfg(test)]
mod tests;

use std::collections::HashSet;
use std::io::{self, Write};

use self::label::label;
use self::shorten::{cut, shorten};
use self::style::style_of;
use super::{RenderError, RenderOptions, Renderer};
use crate::report::{Cell, Report, Row, RowKind, Section, SectionId};

/// What costs less than so many percent is left out.
const LEAST_PERCENT: f64 = 0.5;

/// What is the same in all pictures.
const HEAD: &str = "\
digraph calls {
graph [fontname=\"Helvetica\", fontsize=12, labelloc=t, labeljust=l, nodesep=0.2, ranksep=0.4];
node [shape=box, style=filled, color=\"#666666\", fontname=\"Helvetica\", fontsize=10, margin=\"0.1,0.06\"];
edge [fontname=\"Helvetica\", fontsize=9, arrowsize=0.7];
";

/// The call graph for graphviz.
pub(super) struct Dot;

impl Renderer for Dot {
    fn name(&self) -> &'static str {
        "dot"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["dot", "gv"]
    }

    fn accepts(&self, section: SectionId) -> bool {
        section == SectionId::Graph
    }

    fn render(
        &self,
        report: &Report<'_>,
        _options: &RenderOptions,
        out: &mut dyn Write,
    ) -> Result<(), RenderError> {
        let mut sections = report.sections.iter();
        let Some(section) = sections.find(|section| section.id == SectionId::Graph) else {
            return Err(RenderError::cannot_show(self.name(), report));
        };
        let mut picture = Picture::default();
        out.write_all(HEAD.as_bytes())?;
        let visit_rows = |visit: &mut dyn FnMut(GraphRow<'_>) -> io::Result<()>| {
            section.rows.for_each(&mut |row| {
                visit(GraphRow {
                    row,
                    section,
                    report,
                })
            })
        };
        visit_rows(&mut |row| picture.write_function(out, &row))?;
        picture.write_cycles(out)?;
        visit_rows(&mut |row| picture.write_call(out, &row))?;
        picture.write_title(out, report, section)?;
        out.write_all(b"}\n")?;
        Ok(())
    }
}

/// What is known of a picture while it is written.
#[derive(Default)]
struct Picture {
    /// The indices of the functions that are shown.
    shown: HashSet<i128>,
    cycles: Vec<Cycle>,
    /// The function whose calls come next.
    caller: Option<i128>,
    n_hidden_functions: usize,
    n_hidden_calls: usize,
    /// What was left out before, in words.
    rest: Option<String>,
}

/// A cycle with the indices of its members.
struct Cycle {
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
            RowKind::Entry if !row.is_shown() => self.n_hidden_functions += 1,
            RowKind::Entry => {
                self.shown.insert(index);
                write_box(out, index, row)?;
            }
            RowKind::Cycle => self.cycles.push(Cycle {
                index,
                label: cycle_label(row),
                members: Vec::new(),
            }),
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
                let Cycle { index, label, .. } = cycle;
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
            RowKind::Entry => self.caller = row.integer("index"),
            RowKind::Cycle => self.caller = None,
            RowKind::Callee => {
                let ends = self.caller.zip(row.integer("index"));
                // The box has an arrow for what a function calls itself.
                if ends.is_some_and(|(caller, callee)| caller == callee) {
                    return Ok(());
                }
                let are_shown = ends.is_some_and(|(caller, callee)| {
                    self.shown.contains(&caller) && self.shown.contains(&callee)
                });
                match ends.filter(|_| are_shown && row.is_shown()) {
                    Some((caller, callee)) => write_arrow(out, caller, callee, row)?,
                    None => self.n_hidden_calls += 1,
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn write_title(
        &self,
        out: &mut dyn Write,
        report: &Report<'_>,
        section: &Section<'_>,
    ) -> io::Result<()> {
        let mut lines = vec![section.title.clone().into_owned()];
        if let Some(metric) = report.metrics.get(report.primary) {
            let unit = match section.column("total_seconds") {
                Some(_) => "seconds",
                None => &metric.unit,
            };
            lines.push(match &*metric.quantity {
                quantity if quantity == unit => unit.to_owned(),
                quantity => format!("{quantity} in {unit}"),
            });
        }
        let hidden = [
            counted(self.n_hidden_functions, "function"),
            counted(self.n_hidden_calls, "arc"),
        ];
        let hidden: Vec<_> = hidden.into_iter().flatten().collect();
        if !hidden.is_empty() {
            let hidden = hidden.join(" and ");
            let reason = match self.rest {
                Some(_) => "left out, or",
                None => "",
            };
            let line = format!("not shown: {hidden} {reason} below {LEAST_PERCENT} %");
            lines.push(line.replace("  ", " "));
        }
        lines.extend(self.rest.clone());
        writeln!(out, "label={};", label(&lines, "\\l"))
    }
}

/// `None` where there are none.
fn counted(n: usize, word: &str) -> Option<String> {
    match n {
        0 => None,
        1 => Some(format!("1 {word}")),
        _ => Some(format!("{n} {word}s")),
    }
}

fn write_box(out: &mut dyn Write, index: i128, row: &GraphRow<'_>) -> io::Result<()> {
    let name = row.name();
    let mut lines = vec![shorten(name).into_owned()];
    lines.extend(row.object().map(<[u8]>::to_vec));
    lines.extend(row.costs().into_iter().map(String::into_bytes));
    let calls = row.integer("calls").and_then(times);
    lines.extend(calls.map(String::into_bytes));
    let style = style_of(row.percent());
    writeln!(
        out,
        "n{index} [label={}, tooltip={}, fillcolor=\"{}\", fontcolor=\"{}\"];",
        label(&lines, "\\n"),
        label(&[cut(name, shorten::MAX_TOOLTIP)], "\\n"),
        style.fill,
        style.font,
    )?;
    match row.integer("self_calls").and_then(times) {
        None => Ok(()),
        Some(times) => {
            let label = label(&[times], "\\n");
            writeln!(out, "n{index} -> n{index} [label={label}, style=dotted];")
        }
    }
}

fn write_arrow(
    out: &mut dyn Write,
    caller: i128,
    callee: i128,
    row: &GraphRow<'_>,
) -> io::Result<()> {
    let percent = row.percent();
    let share = percent.map(|percent| format!("{percent:.1}%"));
    let calls = row.integer("calls").and_then(times);
    let lines: Vec<_> = share.into_iter().chain(calls).collect();
    let style = style_of(percent);
    writeln!(
        out,
        "n{caller} -> n{callee} [label={}, penwidth={}, color=\"{}\"];",
        label(&lines, "\\n"),
        style.arrow_width,
        style.arrow,
    )
}

fn cycle_label(row: &GraphRow<'_>) -> String {
    let name = match row.integer("cycle") {
        Some(number) => format!("cycle {number}"),
        None => "cycle".to_owned(),
    };
    let lines: Vec<_> = [name].into_iter().chain(row.costs()).collect();
    label(&lines, "\\n")
}

/// A number of calls; `None` where there were none.
fn times(calls: i128) -> Option<String> {
    (calls > 0).then(|| format!("{calls}×"))
}

/// A row whose cells are told by the ids of their columns.
struct GraphRow<'r> {
    row: Row<'r>,
    section: &'r Section<'r>,
    report: &'r Report<'r>,
}

impl<'r> GraphRow<'r> {
    fn integer(&self, id: &str) -> Option<i128> {
        self.section.cell(self.row, id).as_integer()
    }

    fn real(&self, id: &str) -> Option<f64> {
        self.section.cell(self.row, id).as_real()
    }

    /// The share of the whole with what is called.
    fn percent(&self) -> Option<f64> {
        self.real("percent")
    }

    /// Whether it costs enough. Where costs are not known, everything does.
    fn is_shown(&self) -> bool {
        self.percent()
            .is_none_or(|percent| percent >= LEAST_PERCENT)
    }

    fn name(&self) -> &'r [u8] {
        self.section
            .cell(self.row, "name")
            .bytes(&*self.report.names)
    }

    /// The program or library that it is of, where there are several.
    fn object(&self) -> Option<&'r [u8]> {
        match self.section.cell(self.row, "name") {
            Cell::Name(id) => self.report.names.object(*id),
            _ => None,
        }
    }

    /// What it costs, with what it calls and without, a line each.
    fn costs(&self) -> Vec<String> {
        let lines = [
            ("total", "total_seconds", "percent"),
            ("self", "self_seconds", "self_percent"),
        ];
        let lines = lines.into_iter().filter_map(|(word, seconds, percent)| {
            let value = self.real(seconds).map(|value| format!("{value:.2} s"));
            let value = value.or_else(|| self.value(word));
            let percent = self.real(percent).map(|percent| format!("{percent:.1}%"));
            match (value, percent) {
                (Some(value), Some(percent)) => Some(format!("{word} {value} ({percent})")),
                (Some(one), None) | (None, Some(one)) => Some(format!("{word} {one}")),
                (None, None) => None,
            }
        });
        lines.collect()
    }

    /// A number with its unit.
    fn value(&self, id: &str) -> Option<String> {
        let unit = self.report.metrics.get(self.report.primary);
        let unit = unit.map_or("", |metric| &metric.unit);
        match self.section.cell(self.row, id) {
            Cell::Integer(number) => Some(format!("{number} {unit}")),
            Cell::Real(number) => Some(format!("{number:.2} {unit}")),
            _ => None,
        }
    }
}
