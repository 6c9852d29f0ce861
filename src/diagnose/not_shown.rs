//! Reports that a format, or a command, cannot show.

use crate::render::RenderError;
use crate::report::Diagnostic;

/// Why a report cannot be shown.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotShown {
    /// The format has no room for it.
    #[error("{reason}")]
    Format { reason: String, advice: Option<String> },
    /// `--self` with options that judge a side.
    #[error("--self compares halves of one side, and judges none")]
    JudgedHalves,
    /// `--self` with fewer than so many sampled runs.
    #[error("--self compares {least_runs} or more sampled runs of one program")]
    FewHalves { least_runs: usize },
    /// An option, or saved reports, that concern one program, with several.
    #[error("{what} concerns one program, and several were given")]
    OneProgram { what: &'static str },
    /// Call stacks of this format, with options that judge a side.
    #[error("`{format}` shows call stacks, which no gate judges")]
    JudgedStacks { format: &'static str },
    /// Call stacks of saved reports.
    #[error("`{format}` cannot compare the call stacks of saved reports")]
    SavedStacks { format: &'static str },
    /// Call stacks in different units.
    #[error("`{format}` cannot compare call stacks in different units")]
    UnlikeStacks { format: &'static str },
    /// A file with other metrics than those before it.
    #[error("{path} has other metrics than the files before it")]
    OtherMetrics { path: String },
}

impl NotShown {
    /// Explains an error of a format, with the reason for the missing section if known.
    pub fn of(error: &RenderError, lack: Option<&Diagnostic>) -> Self {
        let cause = lack.map(|Diagnostic { message, .. }| format!(": {message}"));
        let advice = match error {
            RenderError::Binary { .. } => Some("write it to a file: -o FILE"),
            RenderError::Directory { .. } => Some("write it to a directory: -o DIRECTORY"),
            RenderError::NoBytes { .. } => Some("use --format cpuprofile"),
            RenderError::NoWeights { .. } => {
                Some("save the report again: profan --tree --format json")
            }
            _ => lack.map(|lack| &*lack.advice),
        };
        Self::Format {
            reason: format!("{error}{}", cause.unwrap_or_default()),
            advice: advice.map(str::to_owned),
        }
    }

    pub(super) fn advice(&self) -> &str {
        match self {
            Self::Format { advice, .. } => advice
                .as_deref()
                .unwrap_or("select one report, such as -p or -q, or another --format"),
            Self::JudgedHalves => {
                "omit `--`, --fail-on and --until-sure; pass --baseline with --update"
            }
            Self::FewHalves { .. } => "profan diff --self RUN... PROGRAM",
            Self::OneProgram { .. } => {
                "pass the profiles and the executable of one program at a time"
            }
            Self::JudgedStacks { .. } => {
                "omit --fail-on, --until-sure, --self and --baseline, or write the text and this \
                 format separately"
            }
            Self::SavedStacks { .. } => "pass the profiles instead of saved reports",
            Self::UnlikeStacks { .. } => "compare profiles of one kind, with the same --value",
            Self::OtherMetrics { .. } => "report files of one kind together",
        }
    }
}
