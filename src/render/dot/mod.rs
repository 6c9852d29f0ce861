//! The call graph as a picture for graphviz.
//!
//! Functions are boxes, redder with more cost, and calls are arrows, wider with more cost.
//! Functions below half a percent are omitted, with a note. Members of a cycle share a frame.

mod label;
mod shorten;
#[cfg(test)]
mod tests;

use std::collections::HashSet;
use std::io::{self, Write};

use self::label::label;
use self::shorten::{MAX_TOOLTIP, cut, shorten};
use super::{RenderError, RenderOptions, Renderer};
use crate::report::number::counted;
use crate::report::{Cell, Report, Row, RowKind, Section, SectionId};

/// Minimum percentage of a function.
const LEAST_PERCENT: f64 = 0.5;

/// The common start of all pictures.
const HEAD: &str = "\
digraph calls {
graph [fontname=\"Helvetica\", fontsize=12, labelloc=t, labeljust=l, nodesep=0.2, ranksep=0.4];
node [shape=box, style=filled, color=\"#666666\", fontname=\"Helvetica\", fontsize=10, margin=\"0.1,0.06\"];
edge [fontname=\"Helvetica\", fontsize=9, arrowsize=0.7];
";

/// The call graph for graphviz.
pub(super) static DOT: Renderer = Renderer {
    accepts: |section| section == SectionId::Graph,
    ..Renderer::new("dot", &["dot", "gv"], render)
};

fn render(
    report: &Report<'_>,
    _options: &RenderOptions,
    out: &mut dyn Write,
) -> Result<(), RenderError> {
    let section = DOT.accepted(report)?[0];
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

/// The state of a picture while it is written.
#[derive(Default)]
struct Picture {
    /// Index numbers of shown functions.
    shown: HashSet<i128>,
    cycles: Vec<CycleMembers>,
    /// The function whose calls follow.
    caller: Option<i128>,
    n_hidden_functions: u64,
    n_hidden_calls: u64,
    /// A sentence on rows omitted earlier.
    rest: Option<String>,
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
            RowKind::Entry if !row.is_shown() => self.n_hidden_functions += 1,
            RowKind::Entry => {
                self.shown.insert(index);
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
            RowKind::Entry => self.caller = row.integer("index"),
            RowKind::Cycle => self.caller = None,
            RowKind::Callee => match self.caller.zip(row.integer("index")) {
                // The box has an arrow for what a function calls itself.
                Some((caller, callee)) if caller == callee => {}
                Some((caller, callee))
                    if row.is_shown()
                        && self.shown.contains(&caller)
                        && self.shown.contains(&callee) =>
                {
                    write_arrow(out, [caller, callee], row)?;
                }
                _ => self.n_hidden_calls += 1,
            },
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
        let mut hidden = Vec::new();
        if self.n_hidden_functions > 0 {
            hidden.push(counted(self.n_hidden_functions, "function", "functions"));
        }
        if self.n_hidden_calls > 0 {
            hidden.push(counted(self.n_hidden_calls, "arc", "arcs"));
        }
        if !hidden.is_empty() {
            let hidden = hidden.join(" and ");
            let reason = self.rest.as_ref().map_or("", |_| "left out, or ");
            lines.push(format!(
                "not shown: {hidden} {reason}below {LEAST_PERCENT} %"
            ));
        }
        lines.extend(self.rest.clone());
        writeln!(out, "label={};", label(&lines, "\\l"))
    }
}

fn write_box(out: &mut dyn Write, index: i128, row: &GraphRow<'_>) -> io::Result<()> {
    let name = row.name();
    let mut lines = vec![shorten(name).into_owned()];
    lines.extend(row.object().map(<[u8]>::to_vec));
    lines.extend(row.costs().into_iter().map(String::into_bytes));
    let calls = row.integer("calls").and_then(times);
    lines.extend(calls.map(String::into_bytes));
    let [fill, font, _, _] = style_of(row.percent());
    writeln!(
        out,
        "n{index} [label={}, tooltip={}, fillcolor=\"{fill}\", fontcolor=\"{font}\"];",
        label(&lines, "\\n"),
        label(&[cut(name, MAX_TOOLTIP)], "\\n"),
    )?;
    let Some(times) = row.integer("self_calls").and_then(times) else {
        return Ok(());
    };
    let label = label(&[times], "\\n");
    writeln!(out, "n{index} -> n{index} [label={label}, style=dotted];")
}

fn write_arrow(
    out: &mut dyn Write,
    [caller, callee]: [i128; 2],
    row: &GraphRow<'_>,
) -> io::Result<()> {
    let percent = row.percent();
    let share = percent.map(|percent| format!("{percent:.1}%"));
    let calls = row.integer("calls").and_then(times);
    let lines: Vec<_> = share.into_iter().chain(calls).collect();
    let label = label(&lines, "\\n");
    let [_, _, width, color] = style_of(percent);
    writeln!(
        out,
        "n{caller} -> n{callee} [label={label}, penwidth={width}, color=\"{color}\"];"
    )
}

/// Colours of a box and its text, and width and colour of arrows, from a percentage on.
static STYLES: [(f64, [&str; 4]); 5] = [
    (50.0, ["#c62828", "#ffffff", "5", "#c62828"]),
    (25.0, ["#e2553d", "#ffffff", "3.5", "#e2553d"]),
    (10.0, ["#f48c5c", "#000000", "2.5", "#ea7540"]),
    (5.0, ["#fabb80", "#000000", "1.8", "#cc8844"]),
    (2.0, ["#fde0ac", "#000000", "1.3", "#a08860"]),
];

/// The coldest style for unknown percentages.
fn style_of(percent: Option<f64>) -> [&'static str; 4] {
    let percent = percent.unwrap_or(0.0);
    let found = STYLES.iter().find(|(least, _)| percent >= *least);
    found.map_or(["#f0f2f5", "#000000", "0.9", "#808080"], |(_, style)| {
        *style
    })
}

/// A number of calls; `None` for 0.
fn times(calls: i128) -> Option<String> {
    (calls > 0).then(|| format!("{calls}×"))
}

/// A row with its cells by column id.
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

    /// Percentage of the total cost.
    fn percent(&self) -> Option<f64> {
        self.real("percent")
    }

    /// Returns whether it costs enough. All functions are shown if costs are unknown.
    fn is_shown(&self) -> bool {
        self.percent().is_none_or(|share| share >= LEAST_PERCENT)
    }

    fn name(&self) -> &'r [u8] {
        let name = self.section.cell(self.row, "name");
        name.bytes(&*self.report.names)
    }

    /// The program or library, if there are several.
    fn object(&self) -> Option<&'r [u8]> {
        match self.section.cell(self.row, "name") {
            Cell::Name(id) => self.report.names.object(*id),
            _ => None,
        }
    }

    /// Total and self cost, a line each.
    fn costs(&self) -> Vec<String> {
        let lines = [
            ("total", "total_seconds", "percent"),
            ("self", "self_seconds", "self_percent"),
        ];
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
        let unit = unit.map_or("", |metric| &metric.unit);
        match self.section.cell(self.row, id) {
            Cell::Integer(number) => Some(format!("{number} {unit}")),
            Cell::Real(number) => Some(format!("{number:.2} {unit}")),
            _ => None,
        }
    }
}
