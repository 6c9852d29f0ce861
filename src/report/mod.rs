//! A report as a value: finished sections of rows.
//!
//! The analysis has sorted, filtered and added up everything; a renderer decides only the
//! appearance. Renderers share the helpers here: escaping, number formats, text columns.

/// An enum whose variants have names in files, and its value for unknown names.
macro_rules! closed_set {
    (
        $(#[$doc:meta])*
        $what:literal, $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $id:literal,)* }
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum $name {
            $($(#[$variant_doc])* $variant,)*
        }

        impl $name {
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            pub fn id(self) -> &'static str {
                match self {
                    $(Self::$variant => $id,)*
                }
            }

            pub fn named(id: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|one| one.id() == id)
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                to.serialize_str(self.id())
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                use serde::de::Error;
                let word = std::borrow::Cow::<str>::deserialize(from)?;
                let unknown = || D::Error::custom(format_args!("{} `{word}` is not known", $what));
                Self::named(&word).ok_or_else(unknown)
            }
        }
    };
}

mod alike;
mod audience;
mod column;
pub mod decimal;
pub mod escape;
pub mod explanation;
pub mod gprof_layout;
pub mod in_blocks;
mod metric;
mod name;
pub mod number;
pub mod prose;
mod row;
mod section;
mod stacks;
mod text;
pub mod width;

pub use crate::limits::{LONGEST_NAME, SHORT_NAME};
pub use alike::{AlikeNames, PlacedName};
pub use audience::Audience;
pub use column::{
    Column, FittingUnit, IN_CYCLE, LOWER_BOUND, MAX_FOLDED_FRAMES, Print, Role, TAIL_CALL,
};
pub use escape::escape_controls;
pub use metric::{Basis, Metric, MetricIndex, Source, decimals_at};
pub use name::{
    Beside, NameId, NameTable, NoNames, ShortNames, SourceLocation, last_component, start_of,
};
pub use row::{Cell, EntryStarts, Row, RowKind, RowTable, RowVisitor, Rows};
pub use section::{Layout, RunLabel, Section, SectionId, Uncertainty};
pub use stacks::{CallStacks, FrameName, MetricValues, StackBasis, StackFrame, value_column};
pub use text::{Text, write_repeated};

use std::borrow::Cow;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// The contents of a report.
pub struct Report {
    pub inputs: Vec<ReportInput>,
    /// The metrics, which columns refer to by index.
    pub metrics: Vec<Metric>,
    pub primary: MetricIndex,
    pub names: Box<dyn NameTable>,
    pub sections: Vec<Section>,
    pub diagnostics: Vec<Diagnostic>,
    /// Sentences on the whole: the sampled total, and costs that the numbers exclude.
    pub notes: Vec<String>,
    /// Words of the command line that made it, without those for its output; empty if unknown.
    pub command: Vec<String>,
    /// Rows were requested by number or share, so pictures leave out no others.
    pub has_chosen_rows: bool,
}

impl Default for Report {
    fn default() -> Self {
        Self {
            inputs: Vec::new(),
            metrics: Vec::new(),
            primary: 0,
            names: Box::new(NoNames),
            sections: Vec::new(),
            diagnostics: Vec::new(),
            notes: Vec::new(),
            command: Vec::new(),
            has_chosen_rows: false,
        }
    }
}

impl Report {
    /// Makes everything except names and rows lines, or words within lines: titles, headings,
    /// sentences and units may come from a file, and begin lines. Escapes other control
    /// characters too if `escapes_controls`.
    pub fn escape_words(&mut self, escapes_controls: bool) {
        let clean = |words: &mut String| {
            if let Cow::Owned(escaped) = escape::line(words, escapes_controls) {
                *words = escaped;
            }
        };
        let clean_word = |word: &mut Cow<'static, str>| {
            if let Cow::Owned(escaped) = escape::line(word, escapes_controls) {
                *word = Cow::Owned(escaped);
            }
        };
        for section in &mut self.sections {
            clean_word(&mut section.title);
            if let Some(run) = &mut section.run {
                [&mut run.key, &mut run.value].into_iter().for_each(clean);
            }
            for column in &mut section.columns {
                column.head.iter_mut().for_each(clean_word);
            }
            if let Some(stacks) = &mut section.stacks {
                // A tree that others share is copied only for a unit that changes.
                let is_clean =
                    |unit| matches!(escape::line(unit, escapes_controls), Cow::Borrowed(_));
                if !stacks.values.iter().all(|values| is_clean(&values.unit)) {
                    let values = &mut Arc::make_mut(stacks).values;
                    values.iter_mut().for_each(|values| clean_word(&mut values.unit));
                }
            }
            let uncertainty = &mut section.uncertainty;
            let lines = [&mut section.summary, &mut section.notes]
                .into_iter()
                .chain([&mut uncertainty.summary, &mut uncertainty.legend]);
            lines.flatten().for_each(clean);
        }
        self.notes.iter_mut().for_each(clean);
        for metric in &mut self.metrics {
            for word in [&mut metric.id, &mut metric.quantity, &mut metric.unit] {
                clean_word(word);
            }
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReportInput {
    pub path: String,
    /// `profile` or `executable`.
    pub kind: Cow<'static, str>,
    pub layout: String,
    /// Build ID, in hexadecimal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub build_id: Option<String>,
    /// Whether the executable wrote the profiles, if that was examined.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verdict: Option<InputVerdict>,
}

/// Whether an executable wrote the profiles of a report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InputVerdict {
    /// `same-build`, `loaded-elsewhere`, `other-build` or `unknown`.
    pub judgement: Cow<'static, str>,
    /// The judgement as a sentence.
    pub message: String,
    #[serde(default)]
    pub evidence: Vec<InputEvidence>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InputEvidence {
    /// `for`, `against` or `neither`.
    pub side: Cow<'static, str>,
    pub message: String,
}

impl ReportInput {
    /// Returns whether the input only names functions and is not the profile of a run.
    pub fn has_only_names(&self) -> bool {
        self.layout.ends_with(" table")
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Diagnostic {
    pub code: Cow<'static, str>,
    pub message: String,
    pub advice: String,
}
