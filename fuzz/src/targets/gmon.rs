use arbitrary::Unstructured;
use profan::compat::gprof;
use profan::load::{
    CounterOverflow, GmonRecords, Hints, Loaded, ReadPolicy, RequestedLayout, WriteOptions, load,
    write_profile,
};

use super::super::made::gmon::{Gmon, Layout, Record};
use super::check;

/// A generated gmon.out: reading gives its contents, reading a part of it gives no more, and
/// writing and reading it again gives the same.
pub fn gmon(data: &[u8]) {
    let mut bytes = Unstructured::new(data);
    let Ok(made) = Gmon::any(&mut bytes) else {
        return;
    };
    let file = made.bytes();
    let end = bytes.int_in_range(0..=file.len()).unwrap_or(0);
    for policy in [ReadPolicy::CAREFUL, gprof::READ_POLICY] {
        let hints = Hints {
            encoding: Some(made.encoding),
            layout: Some(match made.layout {
                Layout::Gnu(_) => RequestedLayout::Gnu,
                Layout::OldBsd | Layout::Bsd44 => RequestedLayout::Bsd,
            }),
            policy: ReadPolicy { trusts_executable: true, ..policy },
            ..Hints::default()
        };
        check::reading(&file, &hints);
        check::reading(&file[..end], &hints);
        check::reading(&file, &Hints { policy, ..Hints::default() });
        let Some(whole) = read(&file, &hints) else {
            continue;
        };
        if whole.damage.is_none() {
            check_counts(&whole, &made);
            check_written(&whole, &hints);
        }
        let cut = read(&file[..end], &hints);
        // The bytes in place of a version may be cut off.
        if let Some(cut) = cut.filter(|cut| cut.layout == whole.layout) {
            let (cut, whole) = (&cut.profile, &whole.profile);
            assert!(cut.n_ticks() <= whole.n_ticks());
            assert!(cut.arcs().len() <= whole.arcs().len());
        }
    }
}

fn read(bytes: &[u8], hints: &Hints) -> Option<Loaded> {
    load(&check::input(bytes)?, hints).ok()
}

fn check_counts(loaded: &Loaded, made: &Gmon) {
    let is_gnu = matches!(made.layout, Layout::Gnu(_));
    let ticks_of = |record: &Record| match record {
        Record::Histogram(bins) => bins.ticks.iter().copied().map(u64::from).sum(),
        _ => 0,
    };
    let n_ticks = if is_gnu {
        made.records.iter().map(ticks_of).sum()
    } else {
        made.histogram().map_or(0, |bins| bins.ticks.iter().copied().map(u64::from).sum())
    };
    let is_arc = |record: &&Record| matches!(record, Record::Arc(..));
    assert_eq!(loaded.profile.n_ticks(), n_ticks);
    // Arcs of zeros at the end look like erased memory.
    let n_arcs = made.records.iter().filter(is_arc).count();
    let n_read = loaded.profile.arcs().len();
    assert!(n_read == n_arcs || loaded.beside.tail.is_some() && n_read < n_arcs);
}

/// The written file contains everything that was read.
fn check_written(loaded: &Loaded, hints: &Hints) {
    let profile = &loaded.profile;
    let blocks = profile.blocks();
    let records = GmonRecords {
        histograms: profile.histograms(),
        arcs: &[profile.arcs()],
        blocks: (!blocks.is_empty()).then_some(blocks),
    };
    let options = WriteOptions {
        encoding: hints.encoding.expect("it was given"),
        layout: RequestedLayout::Gnu,
        overflow: CounterOverflow::Spill,
    };
    let mut written = Vec::new();
    if write_profile(&mut written, &records, &options).is_err() {
        return;
    }
    let hints = Hints { layout: Some(RequestedLayout::Gnu), ..*hints };
    let again = read(&written, &hints).expect("what is written can be read");
    assert_eq!(again.damage, None);
    assert_eq!(again.profile.n_ticks(), profile.n_ticks());
    assert_eq!(again.profile.blocks().len(), blocks.len());
}
