//! The call tree as a flame graph that needs no other file: an icicle, callers above callees,
//! each frame as wide as its share.
//!
//! Positions are percentages of the width, so that the picture fits any window without its
//! script, and an editor or a printer shows it too. The script adds zoom, search and keys.

mod frames;

use std::io::Write;

use self::frames::{ALL, FrameShapes, ROW_HEIGHT};
use super::junit::escaped;
use super::stacks::Stacks;
use super::{RenderOptions, RenderResult, Renderer, name_form, visible};
use crate::report::number::counted;
use crate::report::{Cell, Report, Role, RowKind, Section, SectionId};

/// The call tree as a picture.
pub(super) static SVG: Renderer = Renderer {
    accepts: |section| matches!(section, SectionId::Tree | SectionId::TreeDifference),
    shows_sources: true,
    shows_guesses: true,
    default_sections: &[SectionId::Flat, SectionId::Tree],
    ..Renderer::new("svg", &["svg"], "call stacks as a flame graph", render)
};

const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = concat!(include_str!("../html/page/fitted.js"), include_str!("script.js"));

/// Maximum length of a line of words, which fits a screen of 360 pixels.
const LINE_LENGTH: usize = 56;

/// Height of the tools of the script: buttons, and a line about a frame.
const TOOLS: usize = 46;

/// The title of a picture of two sides, whose files may be many.
const DIFFERENCE: &str = "Flame graph of a difference";

const ABOUT_HATCH: &str =
    "Hatched frames may be less than half as long: the costs of single calls are not known.";

/// The strokes of hatched frames.
const STROKES: &str = "<defs><pattern id=\"strokes\" width=\"6\" height=\"6\" \
    patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\"><path d=\"M0 0V6\"/></pattern></defs>\n";

/// Number of functions that the description names.
const N_HOTTEST: usize = 5;

fn render(report: &Report, options: &RenderOptions, out: &mut dyn Write) -> RenderResult {
    let section = SVG.accepted(report)?[0];
    let stacks = Stacks::of(&SVG, report, options)?;
    let frames = FrameShapes::new(report, section, &stacks)?;

    let is_difference = section.id == SectionId::TreeDifference;
    let (title, about) = if is_difference {
        let about = "Widths show both sides together, and colours the change of totals.";
        (DIFFERENCE.to_owned(), Some(about.to_owned()))
    } else {
        let title = format!("Flame graph of {}", inputs(report));
        (title, about_widths(report, section))
    };
    let mut words: Vec<String> = about.into_iter().collect();
    words.extend(section.summary.iter().map(visible));
    if frames.n_left_out > 0 {
        let n_left_out = counted(frames.n_left_out, "frame", "frames");
        words.push(format!("{n_left_out} below 0.1 % left out."));
    }
    if frames.has_guesses {
        words.push(ABOUT_HATCH.to_owned());
    }
    let description: Vec<String> = words.iter().cloned().chain(hottest(report)).collect();
    let lines: Vec<String> = words.iter().flat_map(|words| broken(words)).collect();
    let top = 30 + 16 * lines.len();
    let legend_top = top + TOOLS + ROW_HEIGHT * frames.n_rows + 18;
    let height = legend_top + 18 * frames.legend.len() + 8;

    write!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" id=\"profan\" role=\"img\" \
         aria-labelledby=\"title desc\" width=\"100%\" height=\"{height}\">\n\
         <title id=\"title\">{}</title>\n<desc id=\"desc\">{}</desc>\n\
         <style>\n{STYLE}{}</style>\n{}<rect class=\"page\" width=\"100%\" height=\"100%\"/>\n\
         <text class=\"head\" x=\"8\" y=\"20\">{}</text>\n",
        escaped(&title),
        escaped(&description.join(" ")),
        frames.style,
        if frames.has_guesses { STROKES } else { "" },
        escaped(&title),
    )?;
    for (index, line) in lines.iter().enumerate() {
        let y = 38 + 16 * index;
        writeln!(out, "<text x=\"8\" y=\"{y}\">{}</text>", escaped(line))?;
    }
    writeln!(
        out,
        "<text class=\"unscripted\" x=\"8\" y=\"{}\">Point at a frame to see its numbers.</text>\n\
         <foreignObject x=\"8\" y=\"{top}\" width=\"98%\" height=\"{TOOLS}\"/>\n\
         <g class=\"frames\" data-row=\"{ROW_HEIGHT}\"{} transform=\"translate(0,{})\">",
        top + TOOLS / 2,
        if is_difference { " data-changes=\"\"" } else { "" },
        top + TOOLS,
    )?;
    out.write_all(&frames.body)?;
    out.write_all(b"</g>\n")?;
    for (index, group) in frames.legend.iter().enumerate() {
        let y = legend_top + 18 * index;
        if let Some(class) = &group.class {
            let top = y - 10;
            write!(
                out,
                "<rect class=\"{class}\" x=\"8\" y=\"{top}\" width=\"14\" height=\"12\"/>"
            )?;
        }
        writeln!(out, "<text x=\"28\" y=\"{y}\">{}</text>", escaped(&group.words))?;
    }
    writeln!(
        out,
        "<script><![CDATA[\n{SCRIPT}flameGraph(document.getElementById(\"profan\"));\n]]></script>\n</svg>"
    )?;
    Ok(())
}

/// A sentence on the metric and its unit.
fn about_widths(report: &Report, section: &Section) -> Option<String> {
    let quantity = visible(&*report.metrics.get(report.primary)?.quantity);
    let total = section.shown_column(Role::Total)?;
    let unit = visible(&*section.columns[total].head[1]);
    Some(if unit == quantity {
        format!("Widths show {quantity}.")
    } else {
        format!("Widths show {quantity} in {unit}.")
    })
}

/// The program and its profiles, without directories.
fn inputs(report: &Report) -> String {
    const N_NAMED: usize = 3;
    let paths = report.inputs.iter().map(|input| {
        let name = input.path.rsplit(['/', '\\']).next();
        visible(name.unwrap_or_default())
    });
    let mut paths: Vec<String> = paths.collect();
    if paths.len() > N_NAMED {
        return counted(paths.len() as u64, "file", "files");
    }
    paths.reverse();
    if paths.is_empty() { ALL.to_owned() } else { paths.join(", ") }
}

/// A sentence on the functions with the most self cost, the first ones of the flat profile.
fn hottest(report: &Report) -> Option<String> {
    let mut sections = report.sections.iter();
    let flat = sections.find(|section| section.id == SectionId::Flat)?;
    let share = flat.columns.iter().position(|one| one.role == Role::Share)?;
    let mut hottest = Vec::new();
    let visited = flat.rows.for_each(&mut |row| {
        if let (RowKind::Entry, Cell::Real(percent)) = (row.kind, &row.cells[share]) {
            let name = flat.cell(row, "name").bytes(&*report.names);
            let name = visible(&*name_form::fitting(name, 60));
            hottest.push(format!("{name} {percent:.1} %"));
        }
        if hottest.len() < N_HOTTEST {
            return Ok(());
        }
        Err(std::io::Error::other("found"))
    });
    debug_assert_eq!(visited.is_err(), hottest.len() == N_HOTTEST);
    (!hottest.is_empty()).then(|| format!("Most self cost: {}.", hottest.join(", ")))
}

/// Lines of at most [`LINE_LENGTH`] bytes, unless a word is longer.
pub(super) fn broken(words: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in words.split(' ') {
        match lines.last_mut() {
            Some(line) if line.len() + 1 + word.len() <= LINE_LENGTH => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use roxmltree::{Document, Node};

    use super::*;
    use crate::render::testing::{TestName, rendered, report, section};
    use crate::report::{Column, NameId, RowTable};

    /// A call tree of frames with a depth, a percentage and a name.
    fn tree(frames: &[(i128, f64, &str)]) -> Report {
        let columns = [
            Column::hidden("percent", Role::Share).of(1),
            Column::shown("total", Role::Total, ["total", "ticks"]).of(1),
            Column::shown("name", Role::Name, ["", "name"]),
            Column::hidden("depth", Role::Other),
            Column::hidden("weight", Role::Count).of(1),
        ];
        let mut rows = RowTable::default();
        let mut names = Vec::new();
        for (id, &(depth, percent, name)) in (0..).zip(frames) {
            let name_cell = Cell::Name(NameId(id));
            let cells = [Cell::Real(percent), Cell::Real(percent), name_cell];
            let depth = [Cell::Integer(depth), Cell::Integer(0)];
            rows.push(RowKind::Entry, cells.into_iter().chain(depth));
            names.push(TestName {
                name: name.into(),
                location: Some((format!("{}.c", id % 12).into_bytes(), 1)),
                ..TestName::default()
            });
        }
        report(names, vec![section(SectionId::Tree, columns, rows)])
    }

    fn svg(report: &Report) -> String {
        let text = rendered(&SVG, report, &RenderOptions::default());
        String::from_utf8(text).expect("other bytes are escaped")
    }

    fn frames<'d>(document: &'d Document<'_>) -> Vec<(&'d str, Vec<&'d str>)> {
        let mut groups = document.descendants();
        let group = groups.find(|node| node.attribute("class") == Some("frames"));
        let elements = group.into_iter().flat_map(|group| group.children());
        let place = |node: Node<'d, '_>| {
            let title = node.children().find(|node| node.has_tag_name("title"));
            let title = title.and_then(|title| title.text()).unwrap_or_default();
            let places = ["x", "y", "width"].iter();
            let places = places.filter_map(|key| node.attribute(*key));
            (title, places.collect())
        };
        elements.filter(Node::is_element).map(place).collect()
    }

    #[test]
    fn frames_are_beside_each_other_below_their_caller() {
        let text = svg(&tree(&[
            (0, 60.0, "main"),
            (1, 40.0, "a"),
            (2, 0.05, "small"),
            (3, 0.05, "smaller"),
            (1, 20.0, "b"),
            (2, 5.0, "c"),
            (0, 30.0, "thread"),
        ]));
        let document = Document::parse(&text).expect("it is XML");
        let expected = [
            ("all\n100.00 %", vec!["0%", "0", "100%"]),
            ("main\n60.00 %, 60.00 ticks", vec!["0%", "18", "60%"]),
            ("a\n40.00 %, 40.00 ticks", vec!["0%", "36", "40%"]),
            ("b\n20.00 %, 20.00 ticks", vec!["40%", "36", "20%"]),
            ("c\n5.00 %, 5.00 ticks", vec!["40%", "54", "5%"]),
            ("thread\n30.00 %, 30.00 ticks", vec!["60%", "18", "30%"]),
        ];
        assert_eq!(frames(&document), expected);
        assert!(text.contains("2 frames below 0.1 % left out."));
    }

    #[test]
    fn a_difference_is_in_the_labels_and_colours_of_frames() {
        let columns = [
            Column::hidden("percent", Role::Share).of(1),
            Column::on_request("total_old", Role::Old, ["total", "s"]).of(1),
            Column::on_request("total_new", Role::New, ["total", "s"]).of(1),
            Column::hidden("change_percent", Role::Other),
            Column::hidden("name", Role::Name),
            Column::hidden("depth", Role::Other),
            Column::hidden("weight_old", Role::Old).of(1),
            Column::hidden("weight_new", Role::New).of(1),
            Column::hidden("weight_change", Role::Change).of(1),
        ];
        let mut rows = RowTable::default();
        for (id, (depth, [old, new], change)) in
            [(0, [1.0, 1.0], Some(0.0)), (1, [1.0, 0.5], Some(-50.0)), (1, [0.0, 0.5], None)]
                .into_iter()
                .enumerate()
        {
            let percent = Cell::Real(50.0 * (old + new));
            let [old, new] = [old, new].map(Cell::Real);
            let cells = [percent, old, new, change.into(), format!("f{id}").into()];
            let weights = [depth, 1, 1, 0].map(Cell::Integer);
            rows.push(RowKind::Entry, cells.into_iter().chain(weights));
        }
        let difference = section(SectionId::TreeDifference, columns, rows);
        let text = svg(&report(Vec::new(), vec![difference]));
        let document = Document::parse(&text).expect("it is XML");
        let expected = [
            ("all\n100.00 %", vec!["0%", "0", "100%"]),
            ("f0\n+0.0 %, from 1.00 s to 1.00 s", vec!["0%", "18", "100%"]),
            ("f1\n-50.0 %, from 1.00 s to 0.50 s", vec!["0%", "36", "75%"]),
            ("f2\nnew, from 0.00 s to 0.50 s", vec!["75%", "36", "25%"]),
        ];
        assert_eq!(frames(&document), expected);
        assert!(text.contains("class=\"L\" x=\"0%\"") && text.contains(">f2 new</text>"));
    }

    #[test]
    fn names_are_neither_markup_nor_ends_of_lines() {
        let hostile = ["</title><script>", "]]>", "a\nb", "\u{1}\u{fffe}", "\"&amp;", ""];
        let rows: Vec<_> = hostile.iter().map(|name| (0, 10.0, *name)).collect();
        let text = svg(&tree(&rows));
        let document = Document::parse(&text).expect("it is XML");
        let frames = frames(&document);
        assert_eq!(frames.len(), 1 + hostile.len());
        assert!(frames.iter().all(|(title, _)| title.lines().count() == 2));
        assert_eq!(text.matches("<script>").count(), 1);
    }

    #[test]
    fn modules_and_shades_are_in_the_legend() {
        let rows = [(0, 5.0, "runtime.f"); 15];
        let text = svg(&tree(&rows));
        let legend = text.split("</g>").nth(1).expect("it is behind the frames");
        let words = ["0.c", "11.c", "greyer: runtime of the language"];
        assert_eq!(legend.matches("<rect").count(), 12 + 1);
        assert!(words.iter().all(|words| legend.contains(&format!(">{words}<"))), "{legend}");
    }

    #[test]
    fn the_script_stays_in_its_element() {
        assert!(!SCRIPT.contains("]]>"));
        assert!(!STYLE.contains(['<', '&']));
    }
}
