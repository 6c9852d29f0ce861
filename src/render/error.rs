//! Why a report could not be shown.

use std::io;

use super::RENDERERS;
use crate::report::{Report, SectionId, number};

/// The result of rendering.
pub type RenderResult<T = ()> = Result<T, RenderError>;

#[derive(Debug, thiserror::Error)]
pub enum RenderError {
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error("`{format}` cannot show `{}`; {} can", section.id(), listed(can))]
    CannotShow { format: &'static str, section: SectionId, can: Vec<&'static str> },
    #[error("`{format}` shows one section; choose {}", listed(sections))]
    ManySections { format: &'static str, sections: Vec<&'static str> },
    #[error("no section `{}` in the report; it contains {}", section.id(), listed(sections))]
    NoSuchSection { section: SectionId, sections: Vec<&'static str> },
    #[error("`{format}` is a binary format, which a terminal cannot show")]
    Binary { format: &'static str },
    #[error("`{format}` writes a directory with a file for each profile")]
    Directory { format: &'static str },
    #[error("`{format}` needs sizes in bytes, which the profile does not have")]
    NoBytes { format: &'static str },
    #[error("the saved report has no weights of stacks for `{format}`")]
    NoWeights { format: &'static str },
    #[error("`{format}` cannot show any section of the report")]
    Nothing { format: &'static str },
}

impl RenderError {
    /// The error that a format does not support any of the sections.
    pub(super) fn cannot_show(format: &'static str, report: &Report) -> Self {
        let Some(section) = report.sections.first().map(|section| section.id) else {
            return Self::Nothing { format };
        };
        Self::CannotShow { format, section, can: formats_for(section) }
    }
}

fn formats_for(section: SectionId) -> Vec<&'static str> {
    let accept = RENDERERS.iter().filter(|one| (one.accepts)(section));
    accept.map(|one| one.name).collect()
}

pub(super) fn section_ids(report: &Report) -> Vec<&'static str> {
    let sections = report.sections.iter();
    sections.map(|section| section.id.id()).collect()
}

fn listed(names: &[&str]) -> String {
    let quoted: Vec<_> = names.iter().map(|name| format!("`{name}`")).collect();
    if quoted.is_empty() { "nothing".to_owned() } else { number::listed(&quoted, "and") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_shown_is_one_sentence() {
        let error = RenderError::CannotShow {
            format: "lcov",
            section: SectionId::Flat,
            can: vec!["text", "json", "csv"],
        };
        let expected = "`lcov` cannot show `flat`; `text`, `json` and `csv` can";
        assert_eq!(error.to_string(), expected);
    }
}
