//! Reads profiles: recognises formats, reads them, adds up files.
//!
//! Only this module contains file formats, and it does not read executables: facts that a
//! file does not contain come as [`Hints`].

mod callgrind;
mod compressed;
mod contexts;
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
mod long_names;
mod mlton;
mod mpatrol;
mod numbered_set;
mod opened;
mod other_files;
mod pair_numbers;
mod perf_script;
mod policy;
mod pprof;
mod recognise;
mod run_time;
mod seen_stacks;
mod sparse;
mod stack_numbers;
mod sum;
mod text_lines;
mod time_unit;
mod utf16;
mod valgrind;

pub use compressed::{Compressions, without_ending};
pub use error::{FormatFault, LoadError, OfFormat, Position, ReadError, ReadErrorKind};
pub use format::{Beside, Damage, FilePart, Hints, Layout, Loaded, RequestedLayout, SkippedLines};
pub use gmon::{CounterOverflow, GmonRecords, WriteError, WriteOptions, write_profile};
pub use hexdump::{HexdumpFault, load_hexdump};
pub use in_parallel::{in_parallel, plain_size};
pub use input::Input;
pub use mlton::{MltonFault, MltonPolicy, read_mlmon, read_mlton_table};
pub use mpatrol::{MpatrolFault, RewindableTrace, TraceInput, TraceReader, open_trace};
pub use opened::{OpenFile, is_within};
pub use other_files::unread_profiles;
pub use policy::{CounterBits, ReadPolicy};
pub use recognise::part_of;
pub use run_time::read_run_time;
pub use stack_numbers::{StackNumbers, StackUnit};
pub use sum::Sum;

use format::{Claim, Format, StreamReader};
use recognise::choose;

/// Bytes at the start of a file that identify it.
pub const HEAD_SIZE: usize = 4096;

/// Bytes to read or write at once.
const BUFFER_SIZE: usize = 1 << 16;

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
    match choose(input, hints) {
        Ok(format) => load_as(format, input, hints),
        Err(error @ LoadError::NotAProfile { .. }) => load_within(input, hints).ok_or(error),
        Err(error) => Err(error),
    }
}

fn load_as(format: &dyn Format, input: &Input, hints: &Hints) -> Result<Loaded, LoadError> {
    let mut reading =
        format.read(input.sparse_bytes(), hints).map_err(|source| match source.kind {
            ReadErrorKind::TooLarge { .. } => input.too_large(source.position),
            _ => malformed(input.path(), format, source),
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
    Ok(reading.named(input.path(), format.name()))
}

/// Reads a profile among other bytes of a memory, if there is one.
fn load_within(input: &Input, hints: &Hints) -> Option<Loaded> {
    let bytes = input.sparse_bytes().whole().ok()?;
    let found = gmon::find_within(bytes, hints).filter(|found| found.start > 0)?;
    let (n_before, n_after) = (found.start as u64, (bytes.len() - found.end) as u64);
    let mut loaded = load(&input.with_bytes(bytes[found].to_vec()), hints).ok()?;
    loaded.beside.around = Some((n_before, n_after));
    if let Some(Damage { error: ReadError { position: Position::Byte(byte), .. }, .. }) =
        &mut loaded.damage
    {
        *byte += n_before;
    }
    Some(loaded)
}

/// Reads a profile, as a stream if its format allows.
///
/// # Errors
/// If it cannot be read, is not a profile, or no part of it is usable.
pub fn load_file(file: OpenFile, hints: &Hints) -> Result<Loaded, LoadError> {
    // A file that is read as a requested format is not recognised.
    let recognises = hints.layout.is_none() && hints.policy.recognises_formats;
    let known = file.format().filter(|_| recognises);
    // A file that was read may be decoded, from UTF-16.
    if let Some(format) = known.filter(|_| !file.is_read())
        && let Some(read) = format.stream()
    {
        return load_stream(file, format, read, hints);
    }
    let size = file.size().unwrap_or(0);
    let input = file.into_input(Compressions::All)?;
    // Compressed data is longer than its file.
    hints.progress.expect_more(input.size().saturating_sub(size));
    // The executable, which these hints may come from, decides among formats by address.
    match known.filter(|format| !format.is_by_address()) {
        Some(format) => load_as(format, &input, hints),
        None => load(&input, hints),
    }
}

fn load_stream(
    file: OpenFile,
    format: &dyn Format,
    read: StreamReader,
    hints: &Hints,
) -> Result<Loaded, LoadError> {
    let path = file.path();
    let mut stream = file.into_decompressed()?;
    let reading = read(&mut stream, hints).map_err(|source| malformed(&path, format, source))?;
    Ok(reading.named(&path, format.name()))
}

fn malformed(path: &str, format: &dyn Format, source: ReadError) -> LoadError {
    LoadError::Malformed { path: path.to_owned(), format: format.name(), source }
}
