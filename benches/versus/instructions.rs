//! How many instructions a run of profan takes: the same on a busy machine and an idle one.

use std::env;
use std::fs;
use std::io::{self, Error};
use std::path::Path;
use std::process::{self, Command};

use serde_json::Value;

/// The instructions of a run with one thread, as valgrind counts and profan reads them.
///
/// # Errors
/// Without valgrind, or if one of the programs fails.
pub(crate) fn instructions(profan: &Path, directory: &Path, words: &str) -> io::Result<i64> {
    let counted = env::temp_dir().join(format!("versus-{}.callgrind", process::id()));
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--quiet"])
        .arg(format!("--callgrind-out-file={}", counted.display()))
        .arg(profan)
        .args(words.split_whitespace())
        .current_dir(directory)
        .env("PROFAN_THREADS", "1")
        .env("PROFAN_PAGER", "")
        .output()?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        let status = output.status;
        return Err(Error::other(format!("`profan {words}`: {status}: {said}")));
    }
    let read = Command::new(profan)
        .args(["-p", "--format", "json", "--top", "1"])
        .arg(&counted)
        .output()?;
    fs::remove_file(&counted)?;
    let report: Value = serde_json::from_slice(&read.stdout)?;
    let total = sum_of_self(&report);
    total.ok_or_else(|| Error::other(format!("`profan {words}`: nothing was counted")))
}

/// The self costs in all rows of the flat profile, including omitted ones.
fn sum_of_self(report: &Value) -> Option<i64> {
    let rows = report["sections"][0]["rows"].as_array()?;
    rows.iter().map(|row| row["self"].as_i64()).sum()
}
