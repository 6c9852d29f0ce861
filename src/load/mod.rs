//! Reads profiles: recognises formats, reads them, adds up files.
//!
//! Only this module contains file formats, and it does not read executables: facts that a
//! file does not contain come as [`Hints`].

mod callgrind;
mod compressed;
mod cost_builder;
mod cursor;
mod error;
mod folded;
mod format;
mod frame_parts;
mod gmon;
mod gprof_text;
mod hexdump;
mod in_parallel;
mod input;
mod ld_profile;
mod likely;
mod long_names;
mod mlton;
mod mpatrol;
mod opened;
mod perf_script;
mod policy;
mod pprof;
mod recognise;
mod run_time;
mod seen_stacks;
mod sparse;
mod sum;
mod text_lines;
mod utf16;
mod valgrind;
mod whole_file;

pub use compressed::Compressions;
pub use error::{FormatFault, LoadError, OfFormat, Position, ReadError, ReadErrorKind};
pub use format::{Beside, Damage, Hints, Layout, RequestedLayout, SkippedLines};
pub use gmon::{CounterOverflow, GmonRecords, WriteError, WriteOptions, write_profile};
pub use hexdump::{HexdumpFault, load_hexdump};
pub use in_parallel::{in_parallel, plain_size};
pub use input::Input;
pub use likely::{is_of_library, is_values_by_number, may_be_profile};
pub use mlton::{MltonFault, MltonPolicy, read_mlmon, read_mlton_table};
pub use mpatrol::{MpatrolFault, TraceReader};
pub use opened::{OpenFile, RewindableTrace, TraceInput, is_within, open_trace};
pub use policy::{CounterBits, ReadPolicy};
pub use run_time::read_run_time;
pub use sum::{Loaded, Sum};

use format::{Claim, Format, Reading};
use mpatrol::{TRACE_FORMAT, fold_trace};

/// All readable formats. Of several equally certain ones, the last reads the file.
static FORMATS: &[&dyn Format] = &[
    &gmon::Gnu,
    // One version of a file with the cookie of the GNU layout.
    &ld_profile::LdProfile,
    &gmon::Bsd,
    &mpatrol::AllocationProfile,
    &mpatrol::Trace,
    &mlton::Table,
    &mlton::Mlmon,
    &callgrind::Callgrind,
    &perf_script::PerfScript,
    &folded::Folded,
    &pprof::Pprof,
    &valgrind::Dhat,
    &valgrind::Massif,
    &gprof_text::GprofText,
];

/// Reads a profile.
///
/// Reads a damaged file up to the damage, which is returned with the profile.
///
/// # Errors
/// If the file is not a profile, or no part of it is usable.
pub fn load(input: &Input, hints: &Hints) -> Result<Loaded, LoadError> {
    let format = choose(input, hints)?;
    let mut reading =
        format.read(input.sparse_bytes(), hints).map_err(|source| match source.kind {
            ReadErrorKind::TooLarge { .. } => input.too_large(source.position),
            _ => LoadError::Malformed {
                path: input.path().to_owned(),
                format: format.name(),
                source,
            },
        })?;
    if let Some(position) = reading.gap() {
        return Err(input.too_large(position));
    }
    if input.is_cut_off() && reading.damage.is_none() {
        reading.damage = Some(Damage {
            error: ReadError {
                position: Position::Byte(input.sparse_bytes().len() as u64),
                kind: ReadErrorKind::Compression,
            },
            n_lost: 0,
        });
    }
    Ok(Loaded::new(input.path(), format.name(), reading))
}

/// Reads a profile, as a stream if its format allows.
///
/// # Errors
/// If it cannot be read, is not a profile, or no part of it is usable.
pub fn load_file(file: OpenFile, hints: &Hints) -> Result<Loaded, LoadError> {
    // Only a reader chosen by the file's contents can read traces.
    let recognises = hints.layout.is_none() && hints.policy.recognises_formats;
    if recognises && file.is_trace() {
        return load_trace(file.into_trace(Compressions::All), &hints.policy);
    }
    if recognises && let Some(format) = streamed_format(&file.decompressed_head()) {
        return load_stream(file, format, hints);
    }
    let size = file.size().unwrap_or(0);
    let input = Input::from_file(file)?;
    // Compressed data is longer than its file.
    let n_more = (input.sparse_bytes().len() as u64).saturating_sub(size);
    hints.progress.expect_more(n_more);
    load(&input, hints)
}

/// The format of a file with this start, if it can be read as a stream.
fn streamed_format(head: &[u8]) -> Option<&'static dyn Format> {
    let is_certain =
        |format: &&dyn Format| format.sniff(head.into(), &Hints::default()) == Claim::Certain;
    let mut formats = FORMATS.iter().copied();
    formats.find(|format| format.stream().is_some() && is_certain(format))
}

fn load_stream(file: OpenFile, format: &dyn Format, hints: &Hints) -> Result<Loaded, LoadError> {
    let path = file.path();
    let mut stream = file.into_decompressed()?;
    let read = format.stream().expect("the format is read as a stream");
    let reading = read(&mut stream, hints).map_err(|source| LoadError::Malformed {
        path: path.clone(),
        format: format.name(),
        source,
    })?;
    Ok(Loaded::new(&path, format.name(), reading))
}

/// Returns whether a longer profile can start with these bytes.
fn may_start_profile(head: &[u8], hints: &Hints) -> bool {
    let head = &*utf16::without_mark(head.to_vec());
    let mut formats = FORMATS.iter();
    hints.layout.is_some() || formats.any(|format| format.may_start(head, hints))
}

/// Reads a trace, in constant memory.
///
/// Reads a damaged file up to the damage, which is returned with the profile.
///
/// # Errors
/// If it is not a trace.
pub fn load_trace(input: TraceInput, policy: &ReadPolicy) -> Result<Loaded, LoadError> {
    let path = input.path();
    let reading = fold_trace(input.into_reader()?, policy.heap_events);
    Ok(Loaded::new(&path, TRACE_FORMAT, reading))
}

fn choose(input: &Input, hints: &Hints) -> Result<&'static dyn Format, LoadError> {
    let data = input.sparse_bytes();
    match hints.layout {
        Some(RequestedLayout::Gnu) => return Ok(&gmon::Gnu),
        Some(RequestedLayout::Bsd | RequestedLayout::Bsd44) => return Ok(&gmon::Bsd),
        None => {}
    }
    if !hints.policy.recognises_formats {
        let is_gnu = gmon::Gnu.sniff(data, hints) == Claim::Certain;
        return Ok(if is_gnu { &gmon::Gnu } else { &gmon::Bsd });
    }
    if data.len() == 0 {
        let path = input.path().to_owned();
        return Err(LoadError::Empty { path });
    }
    let claims = FORMATS.iter().map(|&format| (format.sniff(data, hints), format));
    claims
        .filter(|(claim, _)| *claim != Claim::No)
        .max_by_key(|(claim, _)| *claim)
        .map(|(_, format)| format)
        .ok_or_else(|| recognise::not_a_profile(input.path(), input.bytes()))
}
