//! Labels of samples: properties that a program or profiler gave them, such as a thread or
//! a request.

use std::ops::Deref;
use std::sync::Arc;

/// The number of a set of labels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LabelSetId(pub u32);

impl LabelSetId {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A key and its value, as text. Numbers are decimal.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Label {
    pub key: Arc<[u8]>,
    pub value: Arc<[u8]>,
}

/// The labels of a sample, and the slice of time that it fell in, if known.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LabelSet {
    /// Sorted. A key may have several values.
    pub labels: Box<[Label]>,
    pub slice: Option<u8>,
}

impl Deref for LabelSet {
    type Target = [Label];

    fn deref(&self) -> &[Label] {
        &self.labels
    }
}

/// The value of a key in a set: several are one, with commas. `None` without the key.
pub(super) fn value_of(set: &[Label], key: &[u8]) -> Option<Arc<[u8]>> {
    let values: Vec<&[u8]> = values_of(set, key).map(|value| &**value).collect();
    (!values.is_empty()).then(|| Arc::from(values.join(&b","[..])))
}

/// The values of a key in a set, in order.
pub fn values_of<'s>(set: &'s [Label], key: &'s [u8]) -> impl Iterator<Item = &'s Arc<[u8]>> {
    let labels = set.iter().filter(move |label| *label.key == *key);
    labels.map(|label| &label.value)
}
