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

/// The self costs of all functions, and with them the total, of each data set that mlprof printed
/// raw values of. Values of files that were made to overflow are not whole numbers in JSON.
#[test]
fn flat_profiles_have_the_values_of_mlprof() {
    const DIGITS: usize = 15;
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let (mut n_sets, mut n_rows) = (0, 0);
    for recorded in cases_below(&fixtures) {
        let words = words_of(recorded.line.trim_end());
        let stdout = recorded.stdout.unwrap_or_default();
        let text = String::from_utf8_lossy(&stdout);
        let Some(files) = files_with_raw_values(&words).filter(|_| recorded.status == 0) else {
            continue;
        };
        // Negative values wrap.
        if text.contains('~') {
            continue;
        }
        // The raw value of the first column, such as `(1,024)` or `(0.37s)`.
        let raw = |line: &str| {
            let (_, value) = line.split_once("% ")?.1.trim_start().split_once('(')?;
            let value = value.split_once(')')?.0.trim_end_matches('s').replace(',', "");
            (value.len() <= DIGITS).then_some(value)
        };
        let is_zero = |value: &String| value.bytes().all(|byte| byte == b'0' || byte == b'.');
        let mut theirs: Vec<_> = text.lines().skip(3).filter_map(raw).collect();
        theirs.retain(|value| !is_zero(value));
        let scratch = Scratch::copy_of(&recorded.directory);
        let line = format!("profan -p --format json {}", files.join(" "));
        let outcome = run_line(&line, b"", scratch.path());
        // profan refuses some tables that mlprof reads.
        if outcome.status != 0 {
            continue;
        }
        let report: serde_json::Value = serde_json::from_slice(&outcome.stdout).expect("JSON");
        let rows = report["sections"][0]["rows"].as_array().expect("it has rows");
        let own = rows.iter().filter_map(|row| match row["self_seconds"].as_f64() {
            Some(seconds) => Some(format!("{seconds:.2}")),
            None => row["self"].as_i64().map(|count| count.to_string()),
        });
        let mut ours: Vec<_> = own.filter(|value| !is_zero(value)).collect();
        if ours.iter().any(|value| value.len() > DIGITS) {
            continue;
        }
        theirs.sort_unstable();
        ours.sort_unstable();
        assert_eq!(ours, theirs, "{}: {line}", recorded.path.display());
        n_sets += 1;
        n_rows += ours.len();
    }
    assert!(n_sets >= 30 && n_rows >= 200, "{n_sets} data sets, {n_rows} rows");
}

/// The files of a command of mlprof that prints the raw values of all functions.
fn files_with_raw_values(words: &[String]) -> Option<Vec<&str>> {
    const OTHERS: [&str; 2] = ["-show-line", "-call-graph"];
    let (program, mut rest) = words.split_first()?;
    let (mut is_raw, mut files) = (false, Vec::new());
    while let Some((word, more)) = rest.split_first() {
        rest = more;
        if !word.starts_with('-') {
            files.push(&**word);
            continue;
        }
        let value;
        (value, rest) = rest.split_first()?;
        match &**word {
            "-raw" => is_raw = value == "true",
            other if OTHERS.contains(&other) => {}
            _ => return None,
        }
    }
    (program == "mlprof" && is_raw).then_some(files)
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
