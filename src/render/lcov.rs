//! Coverage as a tracefile of lcov, which genhtml and many services read.
//!
//! A record for each file: `SF` names it; `FN` and `FNDA` are functions, `BRDA` branches,
//! `DA` lines; `FNF`, `BRF` and `LF` count them, `FNH`, `BRH` and `LH` those entered. Source:
//! manual page geninfo(1), "FILES".

use std::collections::HashMap;
use std::io::{self, Write};
use std::slice;

use super::{RenderError, RenderOptions, RenderResult, Renderer};
use crate::report::{NameTable, Report, RowKind, Section, SectionId};

pub(super) static LCOV: Renderer = Renderer {
    accepts: |section| {
        use SectionId::{Coverage, CoverageBranches, CoverageFunctions, CoverageLines};
        matches!(section, Coverage | CoverageFunctions | CoverageBranches | CoverageLines)
    },
    default_sections: &[SectionId::Coverage],
    ..Renderer::new("lcov", &["info"], "coverage, for genhtml", render)
};

fn render(report: &Report, _options: &RenderOptions, out: &mut dyn Write) -> RenderResult {
    let with_id = |id| report.sections.iter().find(|section| section.id == id);
    let Some(files) = with_id(SectionId::Coverage) else {
        return Err(RenderError::cannot_show(LCOV.name, report));
    };
    let records_of = |id, push: PushRecords| match with_id(id) {
        Some(section) => records(section, &*report.names, push),
        None => Ok(RecordsByFile::default()),
    };
    let functions = records_of(SectionId::CoverageFunctions, push_functions)?;
    let branches = records_of(SectionId::CoverageBranches, push_branches)?;
    let lines = records_of(SectionId::CoverageLines, push_lines)?;
    files.rows.for_each(&mut |row| {
        // The section may have a row for all files.
        if row.kind != RowKind::Entry {
            return Ok(());
        }
        let count = |id| files.cell(row, id).as_integer().unwrap_or(0);
        let file = files.cell(row, "file").bytes(&*report.names);
        let of_file = |records| of_file(records, file);
        out.write_all(b"TN:\nSF:")?;
        out.write_all(&one_line(file))?;
        out.write_all(b"\n")?;
        out.write_all(of_file(&functions))?;
        let [n, n_entered] = ["functions", "functions_entered"].map(count);
        writeln!(out, "FNF:{n}\nFNH:{n_entered}")?;
        out.write_all(of_file(&branches))?;
        let [n, n_entered] = ["branches", "branches_entered"].map(count);
        writeln!(out, "BRF:{n}\nBRH:{n_entered}")?;
        match of_file(&lines) {
            b"" => out.write_all(b"LF:0\nLH:0\n")?,
            lines => out.write_all(lines)?,
        }
        out.write_all(b"end_of_record\n")
    })?;
    Ok(())
}

/// Output by file name.
type RecordsByFile = HashMap<Vec<u8>, Vec<u8>>;

fn of_file<'r>(records: &'r RecordsByFile, file: &[u8]) -> &'r [u8] {
    records.get(file).map_or(b"", |record| record)
}

type PushRecords = fn(&mut Vec<u8>, &[LcovFunction]);

#[derive(Default)]
struct LcovFunction {
    line: i128,
    name: Vec<u8>,
    entries: i128,
    group: i128,
    index: i128,
    was_reached: bool,
}

/// Collects the rows of each file.
fn records(
    section: &Section,
    names: &dyn NameTable,
    push: PushRecords,
) -> io::Result<RecordsByFile> {
    let mut items: HashMap<Vec<u8>, Vec<LcovFunction>> = HashMap::new();
    section.rows.for_each(&mut |row| {
        let bytes = |id| section.cell(row, id).bytes(names);
        let count = |id| section.cell(row, id).as_integer().unwrap_or(0);
        let of_file = items.entry(bytes("file").to_vec()).or_default();
        of_file.push(LcovFunction {
            line: count("line"),
            name: one_line(bytes("name")),
            entries: count("entries"),
            group: count("group"),
            index: count("index"),
            was_reached: count("reached") != 0,
        });
        Ok(())
    })?;
    let written = items.into_iter().map(|(file, items)| {
        let mut text = Vec::new();
        push(&mut text, &items);
        (file, text)
    });
    Ok(written.collect())
}

fn push_functions(text: &mut Vec<u8>, functions: &[LcovFunction]) {
    let mut uses: HashMap<&[u8], usize> = HashMap::new();
    for function in functions {
        *uses.entry(&function.name).or_default() += 1;
    }
    // A tracefile identifies functions by name only; a common name such as `fn` gets its line.
    let mut push = |key: &str, number: i128, function: &LcovFunction| {
        text.extend_from_slice(format!("{key}:{number},").as_bytes());
        text.extend_from_slice(&function.name);
        if uses[&*function.name] > 1 {
            text.extend_from_slice(format!(":{}", function.line).as_bytes());
        }
        text.push(b'\n');
    };
    for function in functions {
        push("FN", function.line, function);
    }
    for function in functions {
        push("FNDA", function.entries, function);
    }
}

fn push_branches(text: &mut Vec<u8>, branches: &[LcovFunction]) {
    for branch in branches {
        let LcovFunction { line, group, index, .. } = branch;
        let entries = if branch.was_reached { branch.entries.to_string() } else { "-".to_owned() };
        text.extend_from_slice(format!("BRDA:{line},{group},{index},{entries}\n").as_bytes());
    }
}

fn push_lines(text: &mut Vec<u8>, lines: &[LcovFunction]) {
    for LcovFunction { line, entries, .. } in lines {
        text.extend_from_slice(format!("DA:{line},{entries}\n").as_bytes());
    }
    let n_entered = lines.iter().filter(|line| line.entries > 0).count();
    text.extend_from_slice(format!("LF:{}\nLH:{n_entered}\n", lines.len()).as_bytes());
}

/// Text with line ends escaped.
fn one_line(text: &[u8]) -> Vec<u8> {
    let shown = text.iter().flat_map(|byte| match byte {
        b'\n' => &b"\\x0a"[..],
        b'\r' => b"\\x0d",
        byte => slice::from_ref(byte),
    });
    shown.copied().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::testing::{coverage_report, rendered, sample_report};

    #[test]
    fn a_tracefile_has_functions_branches_and_lines() {
        let text = rendered(&LCOV, &coverage_report(), &RenderOptions::default());
        let expected = "\
TN:\nSF:$(SML_LIB)/list.sml\nFN:1,List.map\nFNDA:7,List.map\nFNF:1\nFNH:1\nBRF:0\nBRH:0\nDA:1,7\n\
LF:1\nLH:1\nend_of_record\n\
TN:\nSF:a.sml\nFN:3,f\nFN:6,f.fn:6\nFN:7,f.fn:7\nFN:9,never\\x0aSF:x\n\
FNDA:6,f\nFNDA:3,f.fn:6\nFNDA:2,f.fn:7\nFNDA:0,never\\x0aSF:x\nFNF:4\nFNH:3\n\
BRDA:4,0,0,5\nBRDA:4,0,1,0\nBRDA:9,0,0,-\nBRF:3\nBRH:1\n\
DA:3,6\nDA:4,5\nDA:6,3\nDA:7,2\nDA:9,0\nLF:5\nLH:4\nend_of_record\n";
        assert_eq!(String::from_utf8_lossy(&text), expected);
    }

    #[test]
    fn a_report_without_coverage_is_for_other_formats() {
        let mut out = Vec::new();
        let shown = LCOV.render(&sample_report(), &RenderOptions::default(), &mut out);
        let error = shown.expect_err("it has no coverage").to_string();
        assert!(error.starts_with("`lcov` cannot show `flat`; "), "{error}");
        assert!(
            error.contains(
                "`json`, `jsonl`, `csv`, `tsv`, `markdown`, `callgrind`, `html` and `tau` can"
            ),
            "{error}"
        );
    }
}
