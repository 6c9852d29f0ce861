//! The Heap Allocation Trace Format: a line for each event of a block.

use crate::compat::mptrace::numbers::{BlockStep, BlockStepKind};
use crate::model::Address;
use crate::report::Text;

/// What stands above the events. The trace is called what its file is.
pub fn hatf_header(text: &mut Text, trace: &[u8]) {
    text.word("## Tracename: ");
    text.word(trace);
    text.word("\n## Author: Unknown\n## Date: Unknown\n## DTDURL: hatf.dtd\n");
    text.word("## Description: Converted to HATF by mptrace 1.4.\n\n");
}

/// The line of one event.
pub fn hatf_line(text: &mut Text, step: &BlockStep) {
    match step.kind {
        BlockStepKind::Allocated => {
            text.word("1 ");
            text.count(step.region.size, 0);
        }
        BlockStepKind::Reallocated { from, .. } => {
            text.word("4 ");
            text.count(step.region.size, 0);
            address(text, from);
        }
        BlockStepKind::Freed { .. } => text.word("2"),
    }
    address(text, step.region.address);
    text.word("\n");
}

fn address(text: &mut Text, Address(address): Address) {
    text.word(format!(" {address:#x}"));
}
