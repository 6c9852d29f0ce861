use std::borrow::Cow;

use profan::filter::keep::{CostShare, Graph, Keep, MatchPosition};

use super::super::made::text::{KEEP, text_of};

/// Eight functions, each of which calls the next.
struct Ring;

const N_NODES: usize = 8;

impl Graph for Ring {
    fn n_nodes(&self) -> usize {
        N_NODES
    }

    fn n_labels(&self) -> usize {
        N_NODES
    }

    fn label_of(&self, node: usize) -> usize {
        node
    }

    fn label(&self, label: usize) -> Cow<'_, [u8]> {
        Cow::Owned(format!("f{label}  a.sml: {label}").into_bytes())
    }

    fn percentage(&self, node: usize, _of: CostShare) -> f64 {
        node as f64
    }

    fn n_lists(&self) -> usize {
        N_NODES
    }

    fn list_of(&self, node: usize) -> Option<usize> {
        Some(node)
    }

    fn callees(&self, list: usize) -> impl Iterator<Item = usize> {
        std::iter::once((list + 1) % N_NODES)
    }
}

/// Any bytes, and words of the language, as a keep expression, which is worked out on a
/// small ring of calls.
pub fn keep(data: &[u8]) {
    for text in [data, &text_of(data, KEEP)] {
        if let Ok(keep) = Keep::parse(text, MatchPosition::Start) {
            let _ = keep.select(&Ring);
        }
    }
}
