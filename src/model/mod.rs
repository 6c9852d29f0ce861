//! Facts as recorded: integers, addresses, names. Imports no other module.
//!
//! A [`Profile`] has exactly the contents of a profile file. Other modules compute fractions,
//! percentages and names of functions.

mod address;
mod arc;
mod bins;
mod by_label;
mod coarse_sites;
mod context;
mod contexts;
mod grouped;
mod heap;
mod histogram;
mod kind;
mod labels;
mod locations;
mod merge;
mod merge_costs;
mod merge_metrics;
mod metric;
mod mlmon_counts;
mod name_limit;
mod possible_calls;
mod profile;
mod recorded_costs;
mod records;
mod run_time;
mod sample;
mod shown_frames;
mod source;
mod time_slices;
mod trace;
mod unnamed_code;

pub(crate) use crate::interner::{InternedNames, Interner};
pub use address::{Address, AddressSize, Encoding, Endian};
pub use arc::{ArcIndex, BasicBlockCount, CallArc};
pub use bins::{Bins, Counters};
pub use by_label::LabelPart;
pub use coarse_sites::CoarseSites;
pub use context::{Context, ContextId, Function, FunctionId, LocationId, RecordedLocation};
pub use contexts::{Contexts, callers_first};
pub use heap::{
    BlockLife, BlockTotal, Heap, HeapHistory, HeapPoint, HeapSeries, HeapSnapshot, InvalidEvent,
    InvalidEvents, LiveHeapSeries, Peak, PlaceHistory, ReallocationChain, SiteName, SizeBins,
    SizeBounds, SnapshotTotal, ThreadHistory,
};
pub use histogram::{BinEdges, Clock, Histogram, InstructionStart, InstructionStarts};
pub use kind::{FileKind, MlmonStyle};
pub use labels::{Label, LabelSet, LabelSetId, values_of};
pub use locations::Locations;
pub use merge::{MergeError, MergePolicy};
pub use metric::{LIFETIME, MetricName, RunPart, ValueMetric, heap_columns, heap_metrics};
pub use mlmon_counts::{MlmonCounts, MlmonRows};
pub use name_limit::NameCut;
pub(crate) use name_limit::name_limit;
pub use possible_calls::{CalleeListId, PossibleCall, PossibleCalls};
pub use profile::Profile;
pub use recorded_costs::{BuildId, RecordedCall, RecordedCalls, RecordedCosts, Totals};
pub use records::{RecordCounts, RecordKind};
pub use run_time::{ProcessorTime, RunTime};
pub(crate) use sample::add_all;
pub use sample::{Extent, Quantity, SampleKey, Samples, SizeClass, Unit, ValueType};
pub use source::{SquareColumn, ValueSource};
pub use time_slices::{TimeRange, TimeSlices, nanoseconds};
pub use trace::{AllocationIndex, EventLocation, IndexMap, IndexSet, Region, TraceEvent};
pub use unnamed_code::{MappedFile, UnnamedCode, UnnamedFunction};
