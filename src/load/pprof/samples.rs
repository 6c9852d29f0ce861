//! Reads the samples of a file: stacks, values and labels.

use std::collections::HashMap;

use foldhash::fast::RandomState;

use super::super::error::ReadError;
use super::PprofFault;
use super::metrics::{add_metrics, column, in_order};
use super::stacks::StackBuilder;
use super::tables::{PprofRecords, StringNumber, field};
use super::wire::{FieldValue, Message};
use crate::model::{LabelSetId, RecordedCosts, SampleKey};
use crate::progress::Progress;

/// Reads all samples.
pub(super) fn read(
    file: Message<'_>,
    tables: &PprofRecords<'_>,
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

/// Reads all samples. `None` at the first negative value without columns for these.
fn read_with(
    file: Message<'_>,
    tables: &PprofRecords<'_>,
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
    let mut rows = SampleReader {
        row: vec![0; columns.len()],
        order,
        stacks: StackBuilder::new(tables, columns, file.bytes.len()).map_err(in_file)?,
        label_ids: HashMap::default(),
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
    let mut costs = rows.stacks.costs.finish(Vec::new());
    costs.unnamed_code = rows.stacks.unnamed;
    add_metrics(&mut costs, tables, &rows.order, has_negatives).map_err(in_file)?;
    Ok(Some(costs))
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

struct SampleReader<'t, 'a> {
    /// The sample type of each column.
    order: Vec<usize>,
    row: Vec<u64>,
    stacks: StackBuilder<'t, 'a>,
    label_ids: HashMap<Box<[LabelRecord]>, LabelSetId, RandomState>,
    sample: SampleRecord<'a>,
}

impl<'a> SampleReader<'_, 'a> {
    /// Adds the sample that was read from `message`.
    fn add(&mut self, message: Message<'a>) -> Result<(), ReadError> {
        let in_sample = |fault| message.error(fault);
        let (n_values, n_types) = (self.sample.values.len(), self.order.len());
        if n_values != n_types {
            return Err(in_sample(PprofFault::Values { n_values, n_types }));
        }
        let context = self.stacks.context(&self.sample.stack, message)?;
        let is_labelled = !self.sample.labels.is_empty();
        let labels = is_labelled.then(|| self.label_set()).transpose()?;
        self.row.fill(0);
        for (column, &index) in self.order.iter().enumerate() {
            let value = self.sample.values[index];
            let column = if value < 0 { n_types + column } else { column };
            self.row[column] = value.unsigned_abs();
        }
        let sum = self.stacks.costs.add(SampleKey::labelled(context, labels), &self.row);
        sum.ok_or_else(|| in_sample(PprofFault::Overflow))
    }

    /// The set of the labels of the sample.
    fn label_set(&mut self) -> Result<LabelSetId, ReadError> {
        let mut records = Vec::new();
        for label in &self.sample.labels {
            let [key, text, count] = label.numbers([1, 2, 3])?;
            records.push(match text {
                0 => (key, LabelValue::Number(count.cast_signed())),
                text => (key, LabelValue::Text(text)),
            });
        }
        records.sort_unstable();
        if let Some(&known) = self.label_ids.get(&*records) {
            return Ok(known);
        }
        let labels = records.iter().map(|&(key, value)| {
            let value = match value {
                LabelValue::Text(text) => self.stacks.name(text)?,
                LabelValue::Number(number) => self.stacks.costs.name(number.to_string().as_bytes()),
            };
            Ok((self.stacks.name(key)?, value))
        });
        let labels = labels.collect::<Result<Vec<_>, PprofFault>>();
        let labels = labels.map_err(|fault| self.sample.labels[0].error(fault))?;
        let id = self.stacks.costs.label_set(labels, None);
        self.label_ids.insert(records.into(), id);
        Ok(id)
    }
}
