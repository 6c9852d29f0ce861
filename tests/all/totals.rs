//! profan's own reports add up to the totals of the original tools: for each of their recorded
//! commands that prints totals, these are compared with the totals of profan's flat profile of
//! the same file.

use std::path::{Path, PathBuf};

use crate::support::case::cases_below;
use crate::support::{Scratch, run_line, words_of};

/// Blocks and bytes allocated, then the blocks and bytes never freed.
type Totals = [i128; 4];

#[test]
fn flat_profiles_add_up_to_the_totals_of_mprof() {
    let n_checked = check_all("mprof", |stdout| {
        let start = stdout.find("ALLOCATION BINS")?;
        let mut lines = stdout[start..].lines();
        let total = lines.find(|line| line.starts_with("   total"))?;
        let numbers: Vec<i128> = numbers_of(total);
        <Totals>::try_from(numbers).ok()
    });
    assert!(n_checked >= 10, "{n_checked} profiles were checked");
}

#[test]
fn flat_profiles_add_up_to_the_totals_of_mptrace() {
    let n_checked = check_all("mptrace", |stdout| {
        let line = |start: &str| stdout.lines().find(|line| line.starts_with(start));
        let allocated = numbers_of(line("allocated:")?);
        let unfreed = numbers_of(line("unfreed:")?);
        let all: Vec<i128> = allocated.into_iter().chain(unfreed).collect();
        <Totals>::try_from(all).ok()
    });
    assert!(n_checked >= 10, "{n_checked} traces were checked");
}

/// Every number in a line, in order.
fn numbers_of(line: &str) -> Vec<i128> {
    line.split(|c: char| !c.is_ascii_digit()).filter_map(|word| word.parse().ok()).collect()
}

/// Compares all fixtures that `tool` was run on. Returns how many.
fn check_all(tool: &str, totals_in: impl Fn(&str) -> Option<Totals>) -> usize {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let mut checked: Vec<PathBuf> = Vec::new();
    for recorded in cases_below(&fixtures) {
        let words = words_of(recorded.line.trim_end());
        if words[0] != tool || recorded.status != 0 {
            continue;
        }
        let Some(stdout) = recorded.stdout else {
            continue;
        };
        let Some(theirs) = totals_in(&String::from_utf8_lossy(&stdout)) else {
            continue;
        };
        let case = &*recorded.directory;
        let file = words.last().expect("there is a first word");
        let input = case.join(file);
        if !is_real(case) || !input.is_file() || checked.contains(&input) {
            continue;
        }
        let scratch = Scratch::copy_of(case);
        let outcome = run_line(&format!("profan -p {file}"), b"", scratch.path());
        let stdout = String::from_utf8_lossy(&outcome.stdout).into_owned();
        let stderr = String::from_utf8_lossy(&outcome.stderr).into_owned();
        assert_eq!(outcome.status, 0, "{}: {stderr}", input.display());
        assert_eq!(ours(&stdout), Some(theirs), "{}: {stdout}", input.display());
        checked.push(input);
    }
    checked.len()
}

/// Whether a program wrote the files of a case. Those made by hand have counts that
/// contradict each other or wrap.
fn is_real(case: &Path) -> bool {
    let name = case.file_name().expect("a case has a name").to_string_lossy();
    !["handmade", "hostile", "corrupt", "opts"].iter().any(|made| name.contains(made))
}

/// The totals of a flat profile: its first sentence, whose bytes have to be the sum of
/// its rows.
fn ours(report: &str) -> Option<Totals> {
    // A long one takes two lines.
    let (sentence, _) = report.split_once("never freed.")?;
    let [bytes, blocks, unfreed_bytes, unfreed_blocks] = numbers_of(sentence).try_into().ok()?;
    let cumulative = report.lines().last()?.split_whitespace().nth(1)?;
    let sum: i128 = cumulative.parse().unwrap_or(0);
    assert_eq!(sum, bytes, "the rows add up to {sum}: {report}");
    Some([blocks, bytes, unfreed_blocks, unfreed_bytes])
}
