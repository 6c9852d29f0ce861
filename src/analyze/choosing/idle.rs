//! Rows that say little: what cost nothing itself, changes that were not shown, and files
//! like the others.

use super::unit::real;
use crate::report::{Cell, Role, Row, Section, SectionId};

/// How to tell the rows of a section that say little.
pub(super) enum Idle {
    /// Nothing stands in any of these columns.
    Free(Box<[usize]>),
    /// Nothing changed that was counted, and of the rest nothing was shown.
    Quiet {
        verdict: usize,
        /// Why a change is refused, which nobody may miss.
        failure: Option<usize>,
        /// Changes that were counted.
        counted: Box<[usize]>,
    },
    /// Nothing is said of the file in this column.
    Unremarkable(usize),
}

impl Idle {
    /// What has something to be sorted by is looked for.
    pub(super) fn of(section: &Section<'_>, sort: Option<usize>) -> Self {
        let columns = || section.columns.iter().enumerate();
        let verdict = columns().find(|(_, column)| {
            column.role == Role::Verdict && (column.print.is_some() || is_of_calls(section))
        });
        if let Some((verdict, _)) = verdict {
            return Self::Quiet {
                verdict,
                failure: section.column("failure"),
                counted: counted(section),
            };
        }
        if let (SectionId::SpreadFiles, Some(remarks)) = (section.id, section.column("what")) {
            return Self::Unremarkable(remarks);
        }
        let own = columns().filter(|(_, column)| column.role == Role::SelfValue);
        let own = own.filter(|(_, column)| column.print.is_some());
        Self::Free(own.map(|(place, _)| place).chain(sort).collect())
    }

    pub(super) fn has(&self, row: &Row<'_>) -> bool {
        let is_nothing = |&place: &usize| real(&row.cells[place]).is_none_or(|cost| cost == 0.0);
        match self {
            Self::Free(own) => own.iter().all(is_nothing),
            Self::Quiet {
                verdict,
                failure,
                counted,
            } => {
                let verdict = &row.cells[*verdict];
                let is_shown = matches!(verdict, Cell::Text(word) if !is_quiet(word));
                let is_refused = failure.is_some_and(|failure| !row.cells[failure].is_absent());
                !is_shown && !is_refused && counted.iter().all(is_nothing)
            }
            Self::Unremarkable(remarks) => row.cells[*remarks].is_absent(),
        }
    }
}

/// Whether a verdict says that nothing was shown to have changed.
fn is_quiet(verdict: &[u8]) -> bool {
    matches!(verdict, b"same" | b"unclear")
}

fn is_of_calls(section: &Section<'_>) -> bool {
    section.id == SectionId::DifferenceCalls
}

/// The columns of changes that were counted, are not judged by the verdict, and can be
/// seen. Those of totals count where totals are what is shown.
fn counted(section: &Section<'_>) -> Box<[usize]> {
    let is_sampled = section
        .columns
        .iter()
        .any(|column| column.role == Role::Limit);
    let shows_totals = section
        .column("total_change")
        .is_some_and(|total| section.columns[total].print.is_some());
    let columns = section.columns.iter().enumerate();
    let changes = columns.filter(|(_, column)| column.role == Role::Change);
    let counted = changes.filter(|(_, column)| match &*column.id {
        _ if is_of_calls(section) => column.id == "calls_change",
        "change" => !is_sampled && !shows_totals,
        "total_change" => !is_sampled && shows_totals,
        "calls_change" => true,
        _ => column.print.is_some(),
    });
    counted.map(|(place, _)| place).collect()
}
