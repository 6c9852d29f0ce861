//! Reads the samples of a file: stacks, values and labels.

use super::super::error::ReadError;
use super::PprofFault;
use super::metrics::{column, in_order, metrics};
use super::stacks::StackBuilder;
use super::tables::{StringNumber, Tables, field};
use super::wire::{FieldValue, Message};
use crate::model::{
    Interner, Label, LabelSet, LabelSetId, RecordedCosts, SampleKey, Samples, ValueMetric,
};
use crate::progress::Progress;

/// Reads all samples.
pub(super) fn read(
    file: Message<'_>,
    tables: &Tables<'_>,
    progress: Progress,
) -> Result<RecordedCosts, ReadError> {
    // A difference has negative values, and is read again with columns for them.
    match read_with(file, tables, false, progress)? {
        Some(costs) => Ok(costs),
        None => {
            let costs = read_with(file, tables, true, Progress::default())?;
            Ok(costs.expect("it has columns for negative values"))
        }
    }
}

/// Reads all samples. `None` at the first negative value if no column is for these.
fn read_with(
    file: Message<'_>,
    tables: &Tables<'_>,
    has_negatives: bool,
    progress: Progress,
) -> Result<Option<RecordedCosts>, ReadError> {
    let in_file = |fault| file.error(fault);
    let order = in_order(tables).map_err(in_file)?;
    let columns = order.iter().map(|&index| column(tables.types[index], tables));
    let mut columns = columns.collect::<Result<Vec<_>, _>>().map_err(in_file)?;
    if has_negatives {
        columns.extend_from_within(..);
    }
    let mut rows = Rows {
        row: vec![0; columns.len()],
        samples: Samples::new(columns),
        order,
        stacks: StackBuilder::new(tables, file.bytes.len()).map_err(in_file)?,
        numbers: Interner::default(),
        label_sets: Vec::new(),
        label_ids: Interner::default(),
        sample: SampleRecord::default(),
    };
    let mut fields = file.fields();
    while let Some((number, value)) = fields.next()? {
        if let (field::SAMPLE, FieldValue::Bytes(message)) = (number, value) {
            rows.sample.read(message)?;
            let is_negative = rows.sample.values.iter().any(|&value| value < 0);
            if is_negative && !has_negatives {
                return Ok(None);
            }
            rows.add(message)?;
            progress.advance(message.bytes.len() as u64);
        }
    }
    let found = metrics(tables, &rows.order, &rows.samples, has_negatives).map_err(in_file)?;
    Ok(Some(rows.finish(found)))
}

/// A sample as it is in the file.
#[derive(Debug, Default)]
struct SampleRecord<'a> {
    /// Numbers of locations, innermost first.
    stack: Vec<u64>,
    values: Vec<i64>,
    labels: Vec<Message<'a>>,
}

impl<'a> SampleRecord<'a> {
    fn read(&mut self, message: Message<'a>) -> Result<(), ReadError> {
        self.stack.clear();
        self.values.clear();
        self.labels.clear();
        message.each(|number, value| match number {
            1 => value.numbers(|id| self.stack.push(id)),
            2 => value.numbers(|value| self.values.push(value.cast_signed())),
            3 => {
                self.labels.push(value.message()?);
                Ok(())
            }
            _ => Ok(()),
        })
    }
}

/// The value of a label, as it is in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum LabelValue {
    Text(StringNumber),
    Number(i64),
}

type LabelRecord = (StringNumber, LabelValue);

struct Rows<'t, 'a> {
    samples: Samples,
    /// The sample type of each column.
    order: Vec<usize>,
    row: Vec<u64>,
    stacks: StackBuilder<'t, 'a>,
    /// The row of each key.
    numbers: Interner<SampleKey>,
    label_sets: Vec<LabelSet>,
    label_ids: Interner<Box<[LabelRecord]>>,
    sample: SampleRecord<'a>,
}

impl<'a> Rows<'_, 'a> {
    /// Adds the sample that was read from `message`.
    fn add(&mut self, message: Message<'a>) -> Result<(), ReadError> {
        let in_sample = |fault| message.error(fault);
        let (n_values, n_types) = (self.sample.values.len(), self.order.len());
        if n_values != n_types {
            return Err(in_sample(PprofFault::Values { n_values, n_types }));
        }
        let context = self.stacks.context(&self.sample.stack, message)?;
        let key = if self.sample.labels.is_empty() {
            SampleKey::Context(context)
        } else {
            SampleKey::LabelledContext(context, self.label_set()?)
        };
        self.row.fill(0);
        for (column, &index) in self.order.iter().enumerate() {
            let value = self.sample.values[index];
            let column = if value < 0 { n_types + column } else { column };
            self.row[column] = value.unsigned_abs();
        }
        let number = self.numbers.number(key) as usize;
        if number == self.samples.len() {
            self.samples.push(key, &self.row);
            return Ok(());
        }
        let sum = self.samples.add_to(number, &self.row);
        sum.ok_or_else(|| in_sample(PprofFault::Overflow))
    }

    /// The set of the labels of the sample.
    fn label_set(&mut self) -> Result<LabelSetId, ReadError> {
        let mut records = Vec::new();
        for label in &self.sample.labels {
            let (mut key, mut text, mut count) = (0, 0, 0);
            label.each(|number, value| {
                match number {
                    1 => key = value.number()?,
                    2 => text = value.number()?,
                    3 => count = value.number()?.cast_signed(),
                    _ => {}
                }
                Ok(())
            })?;
            records.push(match text {
                0 => (key, LabelValue::Number(count)),
                text => (key, LabelValue::Text(text)),
            });
        }
        records.sort_unstable();
        let id = self.label_ids.number(records.clone().into());
        if id as usize == self.label_sets.len() {
            let labels = records.into_iter().map(|(key, value)| {
                let value = match value {
                    LabelValue::Text(text) => self.stacks.string(text)?,
                    LabelValue::Number(number) => number.to_string().into_bytes().into(),
                };
                let key = self.stacks.string(key)?;
                Ok(Label { key, value })
            });
            let labels = labels.collect::<Result<Vec<_>, PprofFault>>();
            let message = self.sample.labels[0];
            let mut labels = labels.map_err(|fault| message.error(fault))?;
            labels.sort_unstable();
            self.label_sets.push(labels.into());
        }
        Ok(LabelSetId(id))
    }

    fn finish(self, metrics: Vec<ValueMetric>) -> RecordedCosts {
        let mut costs = RecordedCosts {
            samples: self.samples,
            label_sets: self.label_sets,
            metrics,
            ..RecordedCosts::default()
        };
        self.stacks.finish(&mut costs);
        costs
    }
}
