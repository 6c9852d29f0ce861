//! What a report and its sections say before their rows, as it stands in JSON.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::report::{Column, Diagnostic, Input, Metric, Print, Report, Section, Sureness};

/// What the key `schema` says.
pub(super) const SCHEMA_NAME: &str = "profan-report";

/// The version that is written, and the last that is read.
pub(super) const VERSION: u64 = 1;

/// What the key `format` says where rows are on lines of their own.
pub(super) const LINES: &str = "jsonl";

/// What the key `names` says.
const NAMES_OF_LINES: &str = "lines";
const NAMES_OF_FUNCTIONS: &str = "functions";

/// A report but for its sections.
#[derive(Serialize, Deserialize)]
pub(super) struct ReportHead<'t> {
    schema: Cow<'t, str>,
    version: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    format: Option<Cow<'t, str>>,
    #[serde(default)]
    names: Cow<'t, str>,
    #[serde(default)]
    pub(super) inputs: Vec<InputText<'t>>,
    #[serde(default)]
    pub(super) metrics: Vec<MetricText<'t>>,
    #[serde(default)]
    pub(super) diagnostics: Vec<DiagnosticText<'t>>,
    #[serde(borrow, default, skip_serializing)]
    pub(super) sections: Vec<&'t RawValue>,
}

#[derive(Serialize, Deserialize)]
pub(super) struct InputText<'t> {
    path: Cow<'t, str>,
    kind: Cow<'t, str>,
    layout: Cow<'t, str>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    build_id: Option<Cow<'t, str>>,
}

#[derive(Serialize, Deserialize)]
pub(super) struct MetricText<'t> {
    pub(super) id: Cow<'t, str>,
    pub(super) quantity: Cow<'t, str>,
    pub(super) unit: Cow<'t, str>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) rate: Option<u32>,
    pub(super) basis: Cow<'t, str>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) total_basis: Option<Cow<'t, str>>,
    #[serde(default, skip_serializing_if = "is_false")]
    pub(super) primary: bool,
}

#[derive(Serialize, Deserialize)]
pub(super) struct DiagnosticText<'t> {
    code: Cow<'t, str>,
    message: Cow<'t, str>,
    advice: Cow<'t, str>,
}

/// A section but for its rows.
#[derive(Serialize, Deserialize)]
pub(super) struct SectionHead<'t> {
    pub(super) id: Cow<'t, str>,
    pub(super) title: Cow<'t, str>,
    #[serde(default)]
    pub(super) layout: Cow<'t, str>,
    #[serde(default)]
    pub(super) summary: Vec<Cow<'t, str>>,
    #[serde(default)]
    pub(super) notes: Vec<Cow<'t, str>>,
    #[serde(default, skip_serializing_if = "SurenessText::is_empty")]
    pub(super) sureness: SurenessText<'t>,
    pub(super) columns: Vec<ColumnText<'t>>,
    #[serde(borrow, skip_serializing)]
    pub(super) rows: &'t RawValue,
}

#[derive(Default, Serialize, Deserialize)]
pub(super) struct SurenessText<'t> {
    #[serde(default)]
    summary: Vec<Cow<'t, str>>,
    #[serde(default)]
    legend: Vec<Cow<'t, str>>,
}

#[derive(Serialize, Deserialize)]
pub(super) struct ColumnText<'t> {
    pub(super) id: Cow<'t, str>,
    pub(super) metric: Option<Cow<'t, str>>,
    pub(super) role: Cow<'t, str>,
    #[serde(default)]
    pub(super) head: [Cow<'t, str>; 2],
    #[serde(default)]
    pub(super) print: Option<PrintText>,
}

#[derive(Serialize, Deserialize)]
pub(super) struct PrintText {
    width: u8,
    decimals: u8,
    #[serde(default, skip_serializing_if = "is_false")]
    signed: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_false(value: &bool) -> bool {
    !value
}

/// Adds an object whose end is left open.
pub(super) fn push_open(text: &mut Vec<u8>, object: &impl Serialize) {
    serde_json::to_writer(&mut *text, object).expect("its keys are text, and a vector takes it");
    let end = text.pop();
    debug_assert_eq!(end, Some(b'}'));
}

impl<'t> ReportHead<'t> {
    /// That of a report.
    pub(super) fn of(report: &'t Report<'_>) -> Self {
        let are_lines = report.names.are_lines();
        let metrics = report.metrics.iter().enumerate();
        Self {
            schema: SCHEMA_NAME.into(),
            version: VERSION,
            format: None,
            names: if are_lines {
                NAMES_OF_LINES
            } else {
                NAMES_OF_FUNCTIONS
            }
            .into(),
            inputs: report.inputs.iter().map(InputText::of).collect(),
            metrics: metrics
                .map(|(index, metric)| MetricText::of(metric, index == report.primary))
                .collect(),
            diagnostics: report.diagnostics.iter().map(DiagnosticText::of).collect(),
            sections: Vec::new(),
        }
    }

    /// The same where rows are on lines of their own.
    pub(super) fn of_lines(report: &'t Report<'_>) -> Self {
        Self {
            format: Some(LINES.into()),
            ..Self::of(report)
        }
    }

    /// Whether names stand for lines of the source.
    pub(super) fn are_lines(&self) -> bool {
        self.names == NAMES_OF_LINES
    }
}

impl<'t> InputText<'t> {
    fn of(input: &'t Input) -> Self {
        Self {
            path: (&*input.path).into(),
            kind: (&*input.kind).into(),
            layout: (&*input.layout).into(),
            build_id: input.build_id.as_deref().map(Cow::from),
        }
    }

    pub(super) fn into_input(self) -> Input {
        Input {
            path: self.path.into_owned(),
            kind: owned(self.kind),
            layout: self.layout.into_owned(),
            build_id: self.build_id.map(Cow::into_owned),
        }
    }
}

impl<'t> MetricText<'t> {
    fn of(metric: &'t Metric, is_primary: bool) -> Self {
        Self {
            id: (&*metric.id).into(),
            quantity: (&*metric.quantity).into(),
            unit: (&*metric.unit).into(),
            rate: metric.rate,
            basis: metric.basis.id().into(),
            total_basis: metric.total_basis.map(|basis| basis.id().into()),
            primary: is_primary,
        }
    }
}

impl<'t> DiagnosticText<'t> {
    fn of(diagnostic: &'t Diagnostic) -> Self {
        Self {
            code: (&*diagnostic.code).into(),
            message: (&*diagnostic.message).into(),
            advice: (&*diagnostic.advice).into(),
        }
    }

    pub(super) fn into_diagnostic(self) -> Diagnostic {
        Diagnostic {
            code: owned(self.code),
            message: self.message.into_owned(),
            advice: self.advice.into_owned(),
        }
    }
}

impl<'t> SectionHead<'t> {
    /// That of a section.
    pub(super) fn of(section: &'t Section<'_>, metrics: &'t [Metric]) -> Self {
        let columns = section.columns.iter();
        Self {
            id: section.id.id().into(),
            title: (&*section.title).into(),
            layout: section.layout.id().into(),
            summary: section.summary.iter().map(Cow::from).collect(),
            notes: section.notes.iter().map(Cow::from).collect(),
            sureness: SurenessText::of(&section.sureness),
            columns: columns.map(|one| ColumnText::of(one, metrics)).collect(),
            rows: RawValue::NULL,
        }
    }
}

impl<'t> SurenessText<'t> {
    fn of(sureness: &'t Sureness) -> Self {
        Self {
            summary: sureness.summary.iter().map(Cow::from).collect(),
            legend: sureness.legend.iter().map(Cow::from).collect(),
        }
    }

    fn is_empty(&self) -> bool {
        self.summary.is_empty() && self.legend.is_empty()
    }

    pub(super) fn into_sureness(self) -> Sureness {
        let owned = |lines: Vec<Cow<'_, str>>| lines.into_iter().map(Cow::into_owned).collect();
        Sureness {
            summary: owned(self.summary),
            legend: owned(self.legend),
        }
    }
}

impl<'t> ColumnText<'t> {
    fn of(column: &'t Column, metrics: &'t [Metric]) -> Self {
        let metric = column.metric.and_then(|index| metrics.get(index));
        Self {
            id: (&*column.id).into(),
            metric: metric.map(|metric| (&*metric.id).into()),
            role: column.role.id().into(),
            head: column.head.each_ref().map(|line| (&**line).into()),
            print: column.print.map(PrintText::of),
        }
    }
}

impl PrintText {
    fn of(print: Print) -> Self {
        Self {
            width: print.width,
            decimals: print.decimals,
            signed: print.is_signed,
        }
    }

    pub(super) fn into_print(self) -> Print {
        Print {
            is_signed: self.signed,
            ..Print::new(self.width, self.decimals)
        }
    }
}

/// Text that outlives what it was read from.
pub(super) fn owned(text: Cow<'_, str>) -> Cow<'static, str> {
    Cow::Owned(text.into_owned())
}
