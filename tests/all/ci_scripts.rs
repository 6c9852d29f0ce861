//! The shell scripts of `docs/compare.md` run, if a C compiler exists. Scripts in the place of `git`
//! and `valgrind` do nothing and write a small profile.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output};

const PROGRAM: &str = "
#include <time.h>
static volatile unsigned sink;
__attribute__((noinline)) void work(void) { for (unsigned i = 0; i < 100000; i++) sink += i; }
int main(void) { do work(); while (clock() < CLOCKS_PER_SEC / 30); return 0; }
";

const VALGRIND: &str = "#!/bin/sh
printf 'version: 1\\ncreator: callgrind\\nevents: Ir D1mr\\nfn=main\\n1 1000 10\\n' > callgrind.out
";

/// The scripts of the page, in order.
fn scripts() -> Vec<String> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/compare.md");
    let page = fs::read_to_string(page).expect("pages are text");
    let blocks = page.split("\n```sh\n").skip(1);
    blocks.map(|block| block.split("```").next().unwrap_or_default().to_owned()).collect()
}

/// Runs a script with profan and the replaced commands.
fn run(script: &str, directory: &Path) -> Output {
    let profan = Path::new(env!("CARGO_BIN_EXE_profan")).parent().expect("it is in a directory");
    let path = std::env::var("PATH").unwrap_or_default();
    let path = format!("{}:{}:{path}", directory.join("bin").display(), profan.display());
    let mut command = Command::new("sh");
    command.args(["-c", script]).current_dir(directory).env("PATH", path);
    command.env_remove("GITHUB_ACTIONS").output().expect("a shell exists")
}

fn write(path: &Path, text: &str) {
    fs::write(path, text).expect("it can be written");
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("it is ours");
}

#[test]
fn the_scripts_compare_what_they_build() {
    let scripts = scripts();
    assert_eq!(scripts.len(), 4);
    for script in scripts {
        let scratch = tempfile::tempdir().expect("a directory can be made");
        let directory = scratch.path();
        for name in ["bin", "old", "new"] {
            fs::create_dir(directory.join(name)).expect("directories can be made");
            fs::write(directory.join(name).join("program.c"), PROGRAM).expect("it can be written");
        }
        fs::write(directory.join("program.c"), PROGRAM).expect("it can be written");
        write(&directory.join("bin/git"), "#!/bin/sh\n");
        write(&directory.join("bin/valgrind"), VALGRIND);
        let build = "for i in old new; do (cd $i && gcc -pg -o program program.c) || exit; done";
        if run("command -v gcc", directory).status.code() != Some(0) {
            return;
        }
        assert!(run(build, directory).status.success(), "the programs can be built");
        let check = |has_baseline: bool| {
            let output = run(&script, directory);
            let printed = String::from_utf8_lossy(&output.stdout).into_owned();
            let is_compared = printed.contains("Difference:");
            assert!(output.status.success() && is_compared, "{script}{output:?}");
            let has_report = directory.join("diff.md").exists();
            assert_eq!(has_report, has_baseline, "{script}{output:?}");
        };
        check(false);
        if script.starts_with("#!") {
            check(true);
        }
    }
}
