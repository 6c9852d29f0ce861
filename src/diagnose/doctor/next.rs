//! The next command.

use std::path::Path;

use super::Inspected;
use crate::diagnose::Environment;
use crate::model::Address;
use crate::symbols::System;

const USUAL_FILE: &str = "gmon.out";

/// The next step, given the first usable profile and the load address of the program, if it
/// differs from the linked one.
pub fn next_step(inspected: &Inspected<'_>, usable: Option<(&Path, Option<Address>)>) -> String {
    let program = inspected.name();
    let instruments = inspected.instruments;
    let linkage = &inspected.program.linkage;
    if inspected.is_of_mlton() {
        let profile = usable.map(|(profile, _)| profile);
        return of_mlton(&run(&program), profile.and_then(Path::to_str));
    }
    if let Some((profile, base)) = usable {
        let images = inspected.executable.images().iter();
        let names: Vec<_> = images.map(|image| image.path().display().to_string()).collect();
        let names = names.join(" ");
        return match base {
            Some(base) => format!("profan --base {base} {} {names}", profile.display()),
            None => report_of(profile, Path::new(&names)),
        };
    }
    if linkage.is_unlinked && inspected.counts_calls() != Some(false) {
        return "link it with -pg (gcc -pg, g++ -pg, gfortran -pg), and run the program".to_owned();
    }
    if linkage.is_library && !linkage.has_lazy_stubs {
        return "link it into a program that is built with -pg, as .o or .a files: LD_PROFILE \
            profiles only libraries that call functions of others through lazy stubs"
            .to_owned();
    }
    if linkage.is_library {
        return format!(
            "profile a program that loads it; with glibc, profile only the library, however it was \
             built: LD_PROFILE={} ./PROGRAM",
            Path::new(&program).file_name().unwrap_or_default().display()
        );
    }
    match inspected.counts_calls() {
        Some(false) if instruments.has_mpatrol => {
            format!("MPATROL_OPTIONS=PROF {}; profan mpatrol.out {program}", run(&program))
        }
        Some(false) => {
            "compile and link it with -pg (gcc -pg, g++ -pg, gfortran -pg), and run it".to_owned()
        }
        Some(true) if !instruments.has_start_up => "link it with -pg too, and run it".to_owned(),
        _ if linkage.system == Some(System::Windows) => format!(
            "run {} to a normal end (return from main or exit(), not TerminateProcess or a closed \
             window): it writes {}",
            run(&program),
            where_written(inspected.environment)
        ),
        _ => format!(
            "run {} to a normal end (return from main or exit()): it writes {}; for a server, \
             let a SIGTERM handler call exit(), or use `gdb -p PID -batch -ex 'call \
             (void)_mcleanup()'` (`profan explain E007`)",
            run(&program),
            where_written(inspected.environment)
        ),
    }
}

/// The next step for a program that MLton compiled.
fn of_mlton(run: &str, profile: Option<&str>) -> String {
    let run_it = match profile {
        Some(_) => String::new(),
        None => format!("compile it with `mlton -profile time` (or alloc, count), and run {run}; "),
    };
    let profile = profile.unwrap_or("mlmon.out");
    format!("{run_it}{run} @MLton show-sources > show-prof.txt; profan {profile} show-prof.txt")
}

/// The report command for a profile and a program.
pub(super) fn report_of(profile: &Path, program: &Path) -> String {
    let (profile, program) = (profile.display(), program.display());
    format!("profan {profile} {program}")
}

/// The program as a shell command.
fn run(program: &str) -> String {
    if program.contains('/') { program.to_owned() } else { format!("./{program}") }
}

/// The name of the profile that a run will write.
pub(super) fn where_written(environment: &Environment) -> String {
    let prefix = environment.gmon_out_prefix.as_ref();
    match prefix.map(|prefix| prefix.to_string_lossy()) {
        Some(prefix) => format!("{prefix}.PID (GMON_OUT_PREFIX)"),
        None => format!("{USUAL_FILE} to its current directory"),
    }
}

/// Short advice if a profile is missing, for a program and the profiles nearby. `None`
/// without either.
pub fn short_advice(
    inspected: Option<&Inspected<'_>>,
    nearby: Option<&Path>,
    environment: &Environment,
) -> Option<String> {
    if let Some(inspected) = inspected.filter(|inspected| inspected.is_of_mlton()) {
        return Some(next_step(inspected, nearby.map(|profile| (profile, None))));
    }
    let program = inspected.map(|inspected| inspected.executable.path());
    match (program, nearby) {
        (Some(program), Some(profile)) => return Some(report_of(profile, program)),
        (None, Some(profile)) => return Some(format!("profan {} ./PROGRAM", profile.display())),
        _ => {}
    }
    if let Some(inspected) = inspected {
        let step = next_step(inspected, None);
        return Some(match inspected.counts_calls() {
            Some(false) => format!("{} does not count calls: {step}", inspected.name()),
            _ => match inspected.ending() {
                Some(ending) => format!("{ending}; {step}"),
                None => step,
            },
        });
    }
    environment.gmon_out_prefix.as_ref()?;
    Some(format!("look for {}", where_written(environment)))
}
