//! The exceptions with which mlprof ends. Source: recorded commands of mlprof.

use std::io;
use std::path::Path;

use crate::load::{MltonFault, Position, ReadError, ReadErrorKind};
use crate::model::MergeError;
use crate::standard_ml::{number, words};

/// The exception of an error in a table of these bytes, printed by `program`.
pub(super) fn of_table(error: &ReadError, text: &[u8], program: &Path) -> Option<String> {
    Some(match fault_of(error)? {
        MltonFault::End { .. } => "Fail: unexpected end of show-sources data".to_owned(),
        MltonFault::NoBuild => "Fail: expected magic".to_owned(),
        MltonFault::Number { what, .. } => of_number(what, line_of(error, text)).to_owned(),
        MltonFault::Words { .. } => "Fail: AFile.new".to_owned(),
        MltonFault::Name => "Fail: strange source".to_owned(),
        MltonFault::NotProfiled => of_program(program, "is not compiled for profiling"),
        MltonFault::Rest { .. } => "Fail: expected end of file".to_owned(),
        MltonFault::Choice { .. } => return None,
    })
}

pub(super) fn of_program(program: &Path, problem: &str) -> String {
    format!("Fail: Error: executable '{}' {problem}.", program.display())
}

/// The exception of an error in a profile of these bytes.
pub(super) fn of_profile(error: &anyhow::Error, text: &[u8], path: &Path) -> Option<String> {
    if let Some(error) = error.downcast_ref() {
        return of_unopened(path, error);
    }
    let exception = if let Some(error) = error.downcast_ref() {
        of_clash(error)?
    } else {
        let error = error.downcast_ref()?;
        match fault_of(error)? {
            MltonFault::End { .. } => "unexpected end of mlmon file".to_owned(),
            MltonFault::Choice { what: "the header", .. } => "bad header".to_owned(),
            MltonFault::Choice { what: "the counting style", .. } => {
                "invalid profile style".to_owned()
            }
            MltonFault::Choice { .. } => "invalid profile kind".to_owned(),
            MltonFault::NoBuild => "invalid magic".to_owned(),
            MltonFault::Words { expected: 2, .. } => "invalid totals".to_owned(),
            MltonFault::Number { what, .. } if what.starts_with("the number of") => {
                "invalid count".to_owned()
            }
            // The last byte is lost: a whole line has its end there.
            MltonFault::Words { .. } => {
                let line = line_of(error, text);
                let shown = &line[..line.len().saturating_sub(1)];
                format!("strange line: {}", String::from_utf8_lossy(shown))
            }
            _ => return None,
        }
    };
    Some(format!("Fail: {exception}"))
}

/// The exception of a file that does not open.
pub(super) fn of_unopened(path: &Path, error: &io::Error) -> Option<String> {
    let problem = match error.kind() {
        io::ErrorKind::NotFound => "No such file or directory [noent]",
        io::ErrorKind::PermissionDenied => "Permission denied [acces]",
        _ => return None,
    };
    Some(format!("Io: openIn \"{}\" failed with SysErr: {problem}", path.display()))
}

fn of_clash(error: &MergeError) -> Option<String> {
    Some(match error {
        MergeError::Build { .. } => "wrong magic number".to_owned(),
        MergeError::Quantity { .. } => "Kind.merge".to_owned(),
        MergeError::Style { .. } => CLASH_OF_STYLES.to_owned(),
        _ => return None,
    })
}

/// In this order, whichever comes first.
const CLASH_OF_STYLES: &str = "cannot merge -profile-stack false with -profile-stack true";

/// The exception of a number in a line of a table.
fn of_number(what: &str, line: &[u8]) -> &'static str {
    let is_index = what.starts_with("the number of a ");
    let mut numbers = words(line).map(number).take(if is_index { usize::MAX } else { 1 });
    let is_small = |number: Option<i128>| number.is_none_or(|n| i32::try_from(n).is_ok());
    match (numbers.clone().next().flatten(), numbers.all(is_small)) {
        (_, false) => "Overflow",
        (None, _) => "Option",
        _ if is_index => "Subscript",
        _ => "Size",
    }
}

fn fault_of(error: &ReadError) -> Option<&MltonFault> {
    match &error.kind {
        ReadErrorKind::Format(fault) => fault.downcast(),
        _ => None,
    }
}

/// The line of an error.
fn line_of<'a>(error: &ReadError, text: &'a [u8]) -> &'a [u8] {
    let Position::Line(line) = error.position else {
        return &[];
    };
    let index = usize::try_from(line).unwrap_or(usize::MAX).saturating_sub(1);
    text.split(|&byte| byte == b'\n').nth(index).unwrap_or_default()
}
