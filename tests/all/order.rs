//! Reports do not depend on the order in which files are given.

use std::fs;
use std::path::{Path, PathBuf};

use proptest::prelude::*;
use serde_json::Value;

use profan::cli::{self, Command};
use profan::diagnose::{RunError, Warning};
use profan::load::{CounterOverflow, GmonRecords, RequestedLayout, WriteOptions, write_profile};
use profan::model::{
    Address, BasicBlockCount, CallArc, Clock, Encoding, Histogram, InstructionStarts,
};
use profan::run::{Terminal, run};

/// The code of the program of `fixtures/oddities` that has functions.
const CODE: u64 = 0x40_11a0;
const CODE_SIZE: u64 = 0x6e0;

/// The contents of one file, in a layout.
#[derive(Clone, Debug)]
struct File {
    layout: RequestedLayout,
    histograms: Vec<Histogram>,
    arcs: Vec<CallArc>,
    blocks: Vec<BasicBlockCount>,
}

/// Ranges that are equal, overlap or are apart; some without bins, some without a rate.
fn histogram() -> impl Strategy<Value = Histogram> {
    let bins = prop_oneof![
        4 => prop::collection::vec(prop_oneof![Just(0u64), 0..40u64, Just(65535)], 1..120),
        1 => Just(Vec::new()),
    ];
    let rate = prop_oneof![Just(0u32), Just(60), Just(100), Just(100), Just(1000)];
    let width = prop_oneof![Just(2u64), Just(4), Just(4), Just(32), Just(257)];
    (bins, rate, width, 0..4u64).prop_map(|(bins, rate, width, start)| {
        let low = CODE + start * CODE_SIZE / 4;
        Histogram {
            low: Address(low),
            high: Address(low + width * bins.len() as u64),
            n_bins: bins.len() as u64,
            bins: bins.into(),
            full_bins: Vec::new(),
            instructions: InstructionStarts::default(),
            clock: Clock::seconds(rate),
        }
    })
}

fn file() -> impl Strategy<Value = File> {
    let address = || (0..CODE_SIZE).prop_map(|offset| Address(CODE + offset));
    let arc = (address(), address(), 0..9u64).prop_map(|(call_site, callee, count)| CallArc {
        call_site,
        callee,
        count,
    });
    let block =
        (address(), 0..9u64).prop_map(|(address, count)| BasicBlockCount { address, count });
    let is_bsd = prop::bool::weighted(0.2);
    let histograms = prop::collection::vec(histogram(), 0..3);
    let arcs = prop::collection::vec(arc, 0..12);
    let blocks = prop::collection::vec(block, 0..4);
    (is_bsd, histograms, arcs, blocks).prop_map(|(is_bsd, mut histograms, arcs, mut blocks)| {
        let is_bsd = is_bsd && histograms.first().is_some_and(|h| h.n_bins > 0);
        if is_bsd {
            histograms.truncate(1);
            blocks.clear();
        }
        File {
            layout: if is_bsd { RequestedLayout::Bsd44 } else { RequestedLayout::Gnu },
            histograms,
            arcs,
            blocks,
        }
    })
}

fn write(file: &File, path: &Path) {
    let records = GmonRecords {
        histograms: &file.histograms,
        arcs: &[&file.arcs],
        blocks: (!file.blocks.is_empty()).then_some(&*file.blocks),
    };
    let options = WriteOptions {
        encoding: Encoding::ALL[0],
        layout: file.layout,
        overflow: CounterOverflow::Spill,
    };
    let mut bytes = Vec::new();
    write_profile(&mut bytes, &records, &options).expect("a vector takes everything");
    fs::write(path, bytes).expect("the folder is writable");
}

/// The output and the warnings of a command, in any order; or its error.
fn report(words: &[&str], files: &[PathBuf]) -> (Vec<u8>, Vec<String>) {
    let words = ["profan"].iter().chain(words).map(|word| (*word).into());
    let files = files.iter().map(|path| path.clone().into_os_string());
    let Ok(Command::Report(plan)) = cli::parse(words.chain(files)) else {
        panic!("it is a command line");
    };
    let terminal = Terminal::default();
    let mut out = Vec::new();
    let mut said: Vec<String> = match run(&plan, terminal, &mut out, &mut |_| {}) {
        Ok(outcome) => outcome.warnings.iter().map(Warning::cause).collect(),
        Err(error) => {
            // Without samples, sources have no numbers next to them.
            let is_lack = error.downcast_ref::<RunError>();
            assert!(matches!(is_lack, Some(RunError::NothingToReport { .. })), "{error}");
            vec![error.to_string()]
        }
    };
    said.sort();
    (out, said)
}

/// A report without the list of files in the given order.
fn sections_of(json: &[u8]) -> Value {
    let mut report: Value = serde_json::from_slice(json).expect("it is JSON");
    let report = report.as_object_mut().expect("it is an object");
    report.remove("inputs");
    report.remove("diagnostics");
    report.clone().into()
}

const REPORTS: [&[&str]; 10] = [
    &["-p"],
    &["-q"],
    &["-T"],
    &["-p", "-q", "-C"],
    &["-l", "-p", "-C"],
    &["-A", "-z"],
    &["-r"],
    &["--inlines", "-p"],
    &["--format", "csv", "-p", "-z"],
    &["--format", "dot"],
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn no_report_depends_on_the_order_of_the_files(
        (files, shuffled) in prop::collection::vec(file(), 2..5).prop_flat_map(|files| {
            let order: Vec<usize> = (0..files.len()).collect();
            (Just(files), Just(order).prop_shuffle())
        })
    ) {
        let problems = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/oddities");
        let directory = tempfile::tempdir().expect("a folder can be made");
        let path = |index: usize| directory.path().join(format!("{index}.gmon"));
        for (index, file) in files.iter().enumerate() {
            write(file, &path(index));
        }
        let inputs = |order: &mut dyn Iterator<Item = usize>| -> Vec<PathBuf> {
            order.map(path).chain([problems.join("work")]).collect()
        };
        let first = inputs(&mut (0..files.len()));
        let second = inputs(&mut shuffled.iter().copied());
        for words in REPORTS {
            let (text, said) = report(words, &first);
            let (other_text, other_said) = report(words, &second);
            let (text, other_text) = (String::from_utf8_lossy(&text), String::from_utf8_lossy(&other_text));
            prop_assert_eq!(text, other_text, "{:?}", words);
            prop_assert_eq!(said, other_said, "{:?}", words);
        }
        let json = |files: &[PathBuf]| sections_of(&report(&["--format", "json"], files).0);
        prop_assert_eq!(json(&first), json(&second));
        let sum = |files: &[PathBuf]| {
            let sum = directory.path().join("sum.gmon");
            let to = format!("-o{}", sum.display());
            report(&["-s", &to], files);
            fs::read(sum).expect("it was written")
        };
        prop_assert_eq!(sum(&first), sum(&second));
    }
}
