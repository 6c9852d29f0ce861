//! Problems of a profile and its program, in output order.

use std::sync::Arc;

use anyhow::Result;

use super::objects::build::{self, ProgramFit};
use super::objects::joining::join;
use super::objects::{Object, is_sampled};
use super::subject::{Subject, SubjectOptions, SubjectSymbols, put_at_base};
use super::unavailable;
use crate::cli::Plan;
use crate::diagnose::{self, Request, SubjectFacts, Warning};
use crate::filter::FilterSpecs;
use crate::model::Profile;
use crate::symbols::{NamedContexts, SymbolTable};

/// Adds the warnings of a subject's report. A program without calls is fine if the code that it
/// would have called `is_inlined`.
///
/// # Errors
/// If one is refused.
pub(super) fn add_warnings(
    subject: &Subject<'_>,
    fit: ProgramFit,
    is_inlined: bool,
    facts: SubjectFacts,
    plan: &Plan,
    warnings: &mut Vec<Warning>,
) -> Result<()> {
    let Subject { profile, selection, objects, .. } = subject;
    let nothing_kept = || {
        let focus = selection.costs.leaves_nothing().then_some(Warning::NothingInFocus);
        selection.keeps_nothing().then_some(Warning::NothingKept).or(focus)
    };
    if let SubjectSymbols::Contexts(names) = &subject.symbols {
        warnings.extend(of_recorded(subject, names));
        warnings.extend(nothing_kept());
        warnings.extend(unavailable::of_options(plan, facts));
        warnings.extend(unavailable_lines(profile, names, plan.is_by_line()));
        warnings.extend(diagnose::check_trace(profile));
        return Ok(());
    }
    warnings.extend(nothing_kept());
    warnings.extend(unavailable::of_options(plan, facts));
    warnings.extend(subject.no_static_calls.clone());
    warnings.extend(subject.coarse_callers.clone());
    if objects.has_libraries {
        for warning in subject.warnings.clone() {
            build::warn(warning, &plan.reading, warnings)?;
        }
        let are_all_given = objects.are_all_given;
        let joined = diagnose::check_joined(profile, &selection.costs, are_all_given);
        warnings.extend(joined);
    } else {
        let mut found = of_sampled(subject, fit);
        found.retain(|warning| !is_inlined || !is_explained_by_inlining(warning));
        warnings.extend(found);
    }
    if let Some((paths, program)) = &subject.program {
        build::check_each((paths, *program), &plan.reading, warnings)?;
    }
    warnings.extend(diagnose::check_blocks(profile, subject.table()));
    Ok(())
}

/// Adds the warnings of objects that are one run of many. Returns whether their program may
/// match.
///
/// # Errors
/// If a problem is refused, or the objects cannot be combined.
pub(super) fn inspect(
    mut objects: Vec<Object<'_>>,
    external: Option<&Arc<SymbolTable>>,
    plan: &Plan,
    warnings: &mut Vec<Warning>,
) -> Result<bool> {
    put_at_base(&mut objects, plan.reading.base);
    let fit = build::check(&mut objects, &mut [], &plan.reading, warnings)?;
    if fit == ProgramFit::LeftOut {
        return Ok(false);
    }
    if objects.iter().any(|object| object.is_library)
        && objects.iter().all(|object| is_sampled(&object.profile))
    {
        // The warnings about libraries are complete without their costs.
        warnings.extend(join(objects, external)?.warnings);
        return Ok(true);
    }
    let options = SubjectOptions {
        // The requested functions may be in other runs.
        filters: &FilterSpecs::default(),
        keep: None,
        group_by: None,
        static_calls: false,
        ..SubjectOptions::of(plan)
    };
    let subject = Subject::new(objects, external, &options)?;
    match &subject.symbols {
        SubjectSymbols::Contexts(names) => {
            warnings.extend(of_recorded(&subject, names));
            warnings.extend(diagnose::check_trace(&subject.profile));
        }
        SubjectSymbols::Program(_) => warnings.extend(of_sampled(&subject, fit)),
    }
    Ok(true)
}

fn of_recorded(subject: &Subject<'_>, names: &NamedContexts) -> Vec<Warning> {
    let costs = &subject.selection.costs;
    diagnose::check_recorded(&subject.profile, costs, names, subject.executable())
}

/// Warnings about a profile of one program.
fn of_sampled(subject: &Subject<'_>, fit: ProgramFit) -> Vec<Warning> {
    let Subject { profile, encoding, .. } = subject;
    let costs = &subject.selection.costs;
    let program = subject.executable();
    let program = program
        .map(|(executable, program)| diagnose::ProgramRef { path: executable.path(), program });
    let may_be_program = fit == ProgramFit::Fits;
    let mut found = diagnose::check(profile, *encoding, program, costs, may_be_program);
    let executable = subject.executable().filter(|_| may_be_program);
    found.extend(executable.and_then(|(one, _)| diagnose::check_overlays(profile, one)));
    if subject.objects.has_external {
        // The contexts still have names.
        found.retain(|warning| *warning != Warning::NoExecutable);
        found.extend(diagnose::check_attribution(profile, costs, 0));
    }
    found
}

/// Whether a program that counts calls has none because they were inlined.
fn is_explained_by_inlining(warning: &Warning) -> bool {
    matches!(warning, Warning::NoCalls { counted_by: Some(_) })
}

/// The warning that sources lack line information.
fn unavailable_lines(
    profile: &Profile,
    names: &NamedContexts,
    is_by_line: bool,
) -> Option<Warning> {
    let recorded = &profile.costs;
    let is_nameless = recorded.functions.is_empty() && recorded.locations.is_empty();
    if is_by_line && !names.table.has_sources() {
        unavailable::of_lines(Request::Lines, profile)
    } else if profile.history.is_some() && is_nameless && !recorded.contexts.is_empty() {
        unavailable::of_lines(Request::Names, profile)
    } else {
        None
    }
}
