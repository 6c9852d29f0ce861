//! The head of a report and its sections in JSON.

use std::borrow::Cow;

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;

use super::value::push;
use crate::report::{
    Column, Diagnostic, Layout, Metric, Print, Report, ReportInput, Role, Section, SectionId,
    Uncertainty,
};

pub(super) const SCHEMA_NAME: &str = "profan-report";

/// The written version, and the highest that can be read.
pub(super) const VERSION: u64 = 1;

/// Value of `format` for one row per line.
pub(super) const LINES: &str = "jsonl";

/// Value of `names` for names of source lines.
const NAMES_OF_LINES: &str = "lines";

#[derive(Serialize, Deserialize)]
pub(super) struct ReportHead<'t> {
    schema: Cow<'t, str>,
    version: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    format: Option<Cow<'t, str>>,
    #[serde(default)]
    names: Cow<'t, str>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) has_chosen_rows: bool,
    #[serde(default)]
    pub(super) inputs: Cow<'t, [ReportInput]>,
    #[serde(default)]
    pub(super) metrics: Vec<MetricHead<'t>>,
    #[serde(default)]
    pub(super) diagnostics: Cow<'t, [Diagnostic]>,
    #[serde(default, skip_serializing_if = "<[String]>::is_empty")]
    pub(super) notes: Cow<'t, [String]>,
    #[serde(borrow, default, skip_serializing)]
    pub(super) sections: Vec<&'t RawValue>,
}

#[derive(Serialize, Deserialize)]
pub(super) struct MetricHead<'t> {
    #[serde(flatten)]
    pub(super) metric: Cow<'t, Metric>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) primary: bool,
}

#[derive(Serialize, Deserialize)]
pub(super) struct SectionHead<'t> {
    pub(super) id: SectionId,
    pub(super) title: Cow<'t, str>,
    #[serde(default = "table", deserialize_with = "layout")]
    pub(super) layout: Layout,
    #[serde(default)]
    pub(super) summary: Cow<'t, [String]>,
    #[serde(default)]
    pub(super) notes: Cow<'t, [String]>,
    #[serde(alias = "sureness", default, skip_serializing_if = "is_nothing")]
    pub(super) uncertainty: Cow<'t, Uncertainty>,
    pub(super) columns: Vec<ColumnHead<'t>>,
    #[serde(borrow, skip_serializing)]
    pub(super) rows: &'t RawValue,
}

/// A column, with the id of its metric.
#[derive(Serialize, Deserialize)]
pub(super) struct ColumnHead<'t> {
    id: Cow<'t, str>,
    metric: Option<Cow<'t, str>>,
    #[serde(deserialize_with = "role")]
    role: Role,
    #[serde(default)]
    head: [Cow<'t, str>; 2],
    #[serde(default)]
    print: Option<Print>,
}

fn table() -> Layout {
    Layout::Table
}

fn layout<'de, D: Deserializer<'de>>(from: D) -> Result<Layout, D::Error> {
    let word = Cow::<str>::deserialize(from)?;
    Ok(Layout::named(&word).unwrap_or(Layout::Table))
}

/// Ignores unknown roles.
fn role<'de, D: Deserializer<'de>>(from: D) -> Result<Role, D::Error> {
    let word = Cow::<str>::deserialize(from)?;
    Ok(Role::named(&word).unwrap_or(Role::Other))
}

fn is_nothing(uncertainty: &Uncertainty) -> bool {
    uncertainty.is_empty()
}

/// Adds an object without its closing brace.
pub(super) fn push_open(text: &mut Vec<u8>, object: &impl Serialize) {
    push(text, object);
    let end = text.pop();
    debug_assert_eq!(end, Some(b'}'));
}

impl<'t> ReportHead<'t> {
    /// The head of a report; `has_lines` for one row per line.
    pub(super) fn of(report: &'t Report, has_lines: bool) -> Self {
        let metrics = report.metrics.iter().enumerate();
        let metrics = metrics.map(|(index, metric)| MetricHead {
            metric: Cow::Borrowed(metric),
            primary: index == report.primary,
        });
        let are_lines = report.names.are_lines();
        Self {
            schema: SCHEMA_NAME.into(),
            version: VERSION,
            format: has_lines.then(|| LINES.into()),
            names: if are_lines { NAMES_OF_LINES } else { "functions" }.into(),
            has_chosen_rows: report.has_chosen_rows,
            inputs: (&*report.inputs).into(),
            metrics: metrics.collect(),
            diagnostics: (&*report.diagnostics).into(),
            notes: (&*report.notes).into(),
            sections: Vec::new(),
        }
    }

    pub(super) fn are_lines(&self) -> bool {
        self.names == NAMES_OF_LINES
    }
}

impl<'t> SectionHead<'t> {
    pub(super) fn of(section: &'t Section, metrics: &'t [Metric]) -> Self {
        let columns = section.columns.iter();
        Self {
            id: section.id,
            title: (&*section.title).into(),
            layout: section.layout,
            summary: (&*section.summary).into(),
            notes: (&*section.notes).into(),
            uncertainty: Cow::Borrowed(&section.uncertainty),
            columns: columns.map(|one| ColumnHead::of(one, metrics)).collect(),
            rows: RawValue::NULL,
        }
    }
}

impl<'t> ColumnHead<'t> {
    fn of(column: &'t Column, metrics: &'t [Metric]) -> Self {
        let metric = column.metric.and_then(|index| metrics.get(index));
        Self {
            id: (&*column.id).into(),
            metric: metric.map(|metric| (&*metric.id).into()),
            role: column.role,
            head: column.head.each_ref().map(|line| (&**line).into()),
            print: column.print,
        }
    }

    /// The column.
    ///
    /// # Errors
    /// If its metric does not exist.
    pub(super) fn into_column(self, metrics: &[Metric]) -> Result<Column, String> {
        let index_of = |id: Cow<'_, str>| {
            let index = metrics.iter().position(|metric| metric.id == id);
            index.ok_or_else(|| id.into_owned())
        };
        Ok(Column {
            id: owned(self.id),
            metric: self.metric.map(index_of).transpose()?,
            role: self.role,
            head: self.head.map(owned),
            print: self.print.map(Print::bounded),
        })
    }
}

pub(super) fn owned(text: Cow<'_, str>) -> Cow<'static, str> {
    Cow::Owned(text.into_owned())
}
