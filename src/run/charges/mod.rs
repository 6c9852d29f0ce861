//! Reports of exact charges: heap profiles, traces and MLton's profiles.

mod desk;

use std::io::Write;

use anyhow::{Context, Result};

use super::{CANNOT_WRITE, Surface, lacks};
use crate::analyze::charges::{Kind, Ledger, TotalsFrom};
use crate::cli::{OutputStyle, Plan};
use crate::diagnose::{self, Warning};
use crate::model::Profile;
use crate::symbols::{Executable, Program};

use desk::Desk;

/// Prints the reports that were asked for, or those that the profile is good for.
pub(super) fn report(
    profile: &Profile,
    executable: Option<(&Executable, &Program)>,
    plan: &Plan,
    surface: Surface,
    out: &mut dyn Write,
) -> Result<Vec<Warning>> {
    let desk = Desk {
        profile,
        plan,
        surface,
    };
    let other_program = executable.and_then(|(executable, program)| {
        diagnose::check_program(&profile.charges, &program.table, executable.path())
    });
    let executable = executable.filter(|_| other_program.is_none());
    let program = executable.map(|(_, program)| program);
    let book = desk.book(program, plan.symbols.granularity);
    let mut warnings: Vec<_> = other_program.into_iter().collect();
    warnings.extend(diagnose::check_charges(
        profile,
        &book.ledger,
        &book.names,
        executable,
    ));
    let idle_specs = plan.filters.without_match(&book.names.table).into_iter();
    warnings.extend(idle_specs.map(|spec| Warning::NothingNamed {
        spec: spec.to_string(),
    }));
    warnings.extend(lacks::of_options(plan, &book.ledger, program.is_some()));
    let charges = &profile.charges;
    let is_nameless = charges.functions.is_empty() && charges.places.is_empty();
    if book.is_by_line && !book.names.table.has_sources() {
        let what = "functions stand for lines: no line of the source is known";
        warnings.push(lacks::of_lines(what, profile));
    } else if profile.course.is_some() && is_nameless && !charges.contexts.is_empty() {
        let what = "all is by <unknown>: the trace does not say where events happened";
        warnings.push(lacks::of_lines(what, profile));
    }
    warnings.extend(diagnose::check_trace(profile));
    // Names are made when they are first asked for, and serve every report.
    let names = desk.names(&book);
    let text = desk.text(&book, &names);
    let mut separator: &[u8] = b"";
    for style in styles(profile, &book.ledger, plan) {
        if let Some(lack) = lacks::of_charges(style, profile, &book.ledger) {
            warnings.push(lack);
            continue;
        }
        out.write_all(separator).context(CANNOT_WRITE)?;
        separator = b"\x0c\n";
        warnings.extend(desk.write(style, &book, &text, executable, out)?);
    }
    Ok(warnings)
}

/// The reports to print, in order: what was asked for, or what fits the profile.
fn styles(profile: &Profile, ledger: &Ledger, plan: &Plan) -> Vec<OutputStyle> {
    use OutputStyle as S;
    const ORDER: [OutputStyle; 10] = [
        S::Trace,
        S::Flat,
        S::Graph,
        S::Leaks,
        S::Bins,
        S::Coverage,
        S::ExecCounts,
        S::AnnotatedSource,
        S::FunctionOrder,
        S::FileOrder,
    ];
    let is_summary = ledger.kind == Kind::Heap && profile.course.is_none();
    let is_usual = |style| match style {
        S::Trace => profile.course.is_some(),
        S::Flat => ledger.kind != Kind::Nothing,
        S::Graph => ledger.totals_from != TotalsFrom::Nothing || ledger.kind == Kind::Nothing,
        // The report on a trace has both of its own.
        S::Leaks => is_summary,
        S::Bins => is_summary && profile.heap.as_ref().is_some_and(|heap| !heap.is_empty()),
        S::Coverage => ledger.kind == Kind::Entries,
        _ => false,
    };
    let is_printed = |&style: &OutputStyle| {
        plan.styles.wants(style) || plan.styles.is_open(style) && is_usual(style)
    };
    ORDER.into_iter().filter(is_printed).collect()
}
