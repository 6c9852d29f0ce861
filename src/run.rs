//! The pipeline. The only file that knows every room.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::analyze::{Analysis, analyze};
use crate::cli::{Face, Plan};
use crate::filter::Filters;
use crate::load::{Hints, Input, Sum, load};
use crate::model::Profile;
use crate::report::gnu::{NameOptions, Names, Section, TextOptions, write_report};
use crate::symbols::{Executable, Program, read_program};

/// Makes the report of a plan.
///
/// # Errors
/// When an input cannot be used, or the report cannot be written.
pub fn run(plan: &Plan, out: &mut dyn Write) -> Result<()> {
    match plan.face {
        Face::Gprof => run_gprof(plan, out),
        Face::Profan => todo!(),
    }
}

fn run_gprof(plan: &Plan, out: &mut dyn Write) -> Result<()> {
    let default = (PathBuf::from("a.out"), vec![PathBuf::from("gmon.out")]);
    let (image, profiles) = match plan.files.split_first() {
        None => default,
        Some((image, [])) => (image.clone(), default.1),
        Some((image, profiles)) => (image.clone(), profiles.to_vec()),
    };
    let executable = Executable::open(&image)?;
    let program = read_program(&executable, &plan.symbols)?;
    let profile = sum_profiles(&profiles, plan, &program)?;
    let records = profile.records();
    if records.has_blocks {
        eprintln!("blocks");
    }
    let sections = plan.styles.sections(&records, plan.text.flavor);
    let file = profiles[0].display();
    if sections.contains(&Section::Flat) && !records.has_histogram {
        anyhow::bail!("{file}: has no histogram, so there is no flat profile");
    }
    if sections.contains(&Section::Graph) && !records.has_arcs {
        anyhow::bail!("{file}: has no call arcs, so there is no call graph");
    }
    let analysis = analysis_of(&profile, &program, plan);
    print(out, &sections, &analysis, &program, plan, records.has_arcs)
}

fn sum_profiles(paths: &[PathBuf], plan: &Plan, program: &Program) -> Result<Profile> {
    let hints = Hints {
        encoding: Some(program.encoding),
        layout: plan.layout,
        manner: plan.manner(),
        has_short_long: false,
    };
    let mut sum = Sum::new(plan.manner());
    for path in paths {
        let loaded = load(&Input::open(Path::new(path))?, &hints)?;
        if loaded.damage().is_some() {
            return Err(loaded.into_error().expect("there is damage").into());
        }
        sum.add(loaded)?;
    }
    Ok(sum.into_profile())
}

fn analysis_of(profile: &Profile, program: &Program, plan: &Plan) -> Analysis {
    let filters = Filters::resolve(&plan.filters, &program.table);
    analyze(profile, &program.table, &filters, &plan.analyze_options())
}

fn print(
    out: &mut dyn Write,
    sections: &[Section],
    analysis: &Analysis,
    program: &Program,
    plan: &Plan,
    has_arcs: bool,
) -> Result<()> {
    let names = Names::new(
        &program.table,
        NameOptions {
            demangle: plan.text.demangle,
            escapes_controls: false,
            shows_paths: plan.text.shows_paths,
        },
    );
    let options = TextOptions {
        flavor: plan.text.flavor,
        explains: plan.text.explains,
        width: plan.text.width,
        always_seconds: plan.face == Face::Gprof,
        has_arcs,
    };
    write_report(out, sections, analysis, &names, &options)?;
    out.flush()?;
    Ok(())
}
