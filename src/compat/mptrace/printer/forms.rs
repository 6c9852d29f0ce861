//! The Heap Allocation Trace Format: a line for each event of a block.

use crate::compat::mptrace::numbers::{BlockStep, BlockStepKind};
use crate::model::Address;
use crate::report::Text;

/// The lines above the events; the trace is named after its file.
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

/// The lines above the rows; the trace is named after its file.
pub fn program_start(text: &mut Text, trace: &[u8]) {
    text.word("/*\n * The calls of malloc, realloc and free that are recorded in\n * ");
    // A comment must not end inside the name.
    let is_plain = |byte: &u8| byte.is_ascii_graphic() && !matches!(byte, b'*' | b'\\' | b'?');
    let name = trace.iter().map(|byte| if is_plain(byte) { *byte } else { b'_' });
    text.word(name.collect::<Vec<u8>>());
    text.word(
        "\n */\n\n#include <stdio.h>\n#include <stdlib.h>\n\n\
         /* What to do with which block. */\n\
         struct call\n{\n    unsigned long slot;\n    unsigned long size;\n    int resizes;\n};\n\n\
         static const struct call calls[] =\n{\n",
    );
}

/// The row of an event of the block in `slot`.
pub fn program_line(text: &mut Text, slot: usize, step: &BlockStep) {
    let (size, kind) = match step.kind {
        BlockStepKind::Allocated => (step.region.size, "0"),
        BlockStepKind::Reallocated { .. } => (step.region.size, "1"),
        BlockStepKind::Freed { .. } => (0, "0"),
    };
    text.word("    {");
    text.count(slot as u64, 0);
    text.word(", ");
    text.count(size, 0);
    text.word(", ");
    text.word(kind);
    text.word("},\n");
}

/// The lines below the rows of `n_slots` blocks.
pub fn program_end(text: &mut Text, n_slots: usize) {
    text.word("    {0, 0, 0}\n};\n\n/* The blocks. Slot 0 stays empty. */\n");
    text.word(format!("static void *blocks[{}];\n", n_slots + 1));
    text.word(format!("static char is_used[{}];\n", n_slots + 1));
    text.word(REPLAY);
}

const REPLAY: &str = "
/* Makes one call; returns 0 when there is not enough memory for it. */
static int make(const struct call *call)
{
    void **block = &blocks[call->slot];
    char *used = &is_used[call->slot];

    if (call->resizes)
    {
        void *resized = realloc(*block, call->size);

        if (resized == NULL && call->size != 0)
            return 0;
        *block = resized;
        return 1;
    }
    if (call->size == 0 && *used)
    {
        free(*block);
        *block = NULL;
        *used = 0;
        return 1;
    }
    *block = malloc(call->size);
    *used = 1;
    return *block != NULL || call->size == 0;
}

int main(void)
{
    const struct call *call;

    for (call = calls; call->slot != 0; call++)
        if (!make(call))
        {
            fprintf(stderr, \"no memory for %lu bytes\\n\", call->size);
            return EXIT_FAILURE;
        }
    return EXIT_SUCCESS;
}
";
