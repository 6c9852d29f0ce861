//! The text that gprof prints: flat profile and call graph, of GNU, BSD, macOS, AIX and
//! bare-metal tools, with explanations or without. Source: `cg_print.c` and `hist.c` in gprof
//! of binutils, `printgprof.c` and `printlist.c` of 4.3BSD.
//!
//! The text has two decimals, so the unit of times is a hundredth of a second. If the sampling
//! period is at most that, the interval of a sampled cost includes the rounding. Costs of calls
//! and totals are the ones that gprof propagated.

mod lines;
mod reader;
#[cfg(test)]
mod tests;

use super::error::{FormatFault, ReadError};
use super::sparse::Bytes;
use super::{Claim, Format, Hints, Loaded};
use lines::{is_flat_header, is_graph_header};

const NAME: &str = "gprof text";

pub(super) struct GprofText;

impl Format for GprofText {
    fn name(&self) -> &'static str {
        NAME
    }

    fn sniff(&self, data: Bytes<'_>, _hints: &Hints) -> Claim {
        let head = data.head();
        // Every binary file comes by here.
        let is_text = memchr::memchr(0, head).is_none();
        let mut lines = head.split(|&byte| byte == b'\n');
        let is_heading = |line| is_flat_header(line) || is_graph_header(line);
        Claim::certain_if(is_text && lines.any(is_heading))
    }

    fn may_start(&self, head: &[u8], hints: &Hints) -> bool {
        let title = head.trim_ascii_start();
        let titles: [&[u8]; 3] = [b"Flat profile:", b"Call graph", b"call graph profile:"];
        titles.iter().any(|start| title.starts_with(start))
            || self.sniff(head.into(), hints) != Claim::No
    }

    fn read(&self, data: Bytes<'_>, hints: &Hints) -> Result<Loaded, ReadError> {
        reader::read(data.whole()?, hints.progress)
    }
}

#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub(super) enum GprofTextFault {
    #[error("the file contains no function")]
    NoFunction,
    #[error("a second report starts here")]
    SecondReport,
    #[error("the file ends inside an entry of the call graph")]
    End,
    #[error("the file ends before the entry of `{name}` in the call graph")]
    NoEntry { name: String },
    #[error("the sum of costs exceeds 64 bits")]
    Overflow,
}

impl FormatFault for GprofTextFault {
    fn advice(&self) -> Option<&'static str> {
        match self {
            Self::NoFunction => Some("print it again with `gprof PROGRAM gmon.out`"),
            Self::SecondReport => Some("pass each report as a file of its own"),
            Self::End | Self::NoEntry { .. } | Self::Overflow => None,
        }
    }

    fn is_cut_off(&self) -> bool {
        matches!(self, Self::End | Self::NoEntry { .. })
    }
}
