//! Looks up single addresses, and all code at once.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::iter::repeat;
use std::num::NonZeroU32;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use addr2line::fallible_iterator::FallibleIterator;
use addr2line::{Context, Location, LookupContinuation, LookupResult};
use foldhash::fast::RandomState;
use gimli::SectionId;

use super::budgeted::{BudgetedBytes, Roots, SectionBudget, Zero};
use super::edges::{self, CodeEdges};
use super::notes::{DebugDamage, DebugPart, Note, Notes};
use super::sections::{DebugBytes, DebugSections};
use super::split::{MissingSplit, SplitFiles, SplitReader};
use super::units::{self, Dwarf, ReadingOrder, SearchedRanges};
use crate::limits;
use crate::memory::{Budget, Limits};
use crate::model::Address;
use crate::progress::{Progress, Stage};
use crate::symbols::files::{InternedFiles, SourceFiles};
use crate::symbols::line_pieces::LineRun;
use crate::symbols::sampled::SampledCode;
use crate::symbols::symbol::SourceLine;
use crate::threads;

/// Number of indices that look up many addresses together.
const N_READERS: u32 = 4;

/// Debug information of a program, with the remaining budget for reading it.
pub(in crate::symbols) struct Source<'d> {
    sections: &'d DebugSections<'d>,
    budget: SectionBudget,
    split: SplitReader<'d>,
    /// A copy of `.debug_info` with broken units blanked.
    repaired: OnceCell<Vec<u8>>,
    /// The sections where 0 is an address; until known, all.
    roots: OnceCell<Roots>,
    has_code_at_zero: bool,
}

impl<'d> Source<'d> {
    pub(in crate::symbols) fn new(
        sections: &'d DebugSections<'d>,
        split: &'d SplitFiles<'d>,
        code: &[Range<Address>],
    ) -> Self {
        let has_code_at_zero = code.iter().any(|piece| piece.contains(&Address(0)));
        Self::shared(sections, split, has_code_at_zero, 1)
    }

    /// For one of several readers.
    fn shared(
        sections: &'d DebugSections<'d>,
        split: &'d SplitFiles<'d>,
        has_code_at_zero: bool,
        n_readers: u32,
    ) -> Self {
        Self {
            sections,
            budget: SectionBudget::shared(sections, n_readers),
            split: SplitReader::new(split, sections.n_file_bytes()),
            repaired: OnceCell::new(),
            roots: OnceCell::new(),
            has_code_at_zero,
        }
    }

    fn dwarf(&self) -> Dwarf<'_> {
        self.sections
            .dwarf_of(|id, _| BudgetedBytes::new(self.bytes(id), &self.budget, self.zero(id)))
    }

    fn bytes(&self, id: SectionId) -> DebugBytes<'_> {
        let repaired = self.repaired.get().filter(|_| id == SectionId::DebugInfo);
        let bytes = repaired.map_or(self.sections.bytes(id), |repaired| repaired);
        self.sections.reader(bytes)
    }

    /// The meaning of address 0 in a section.
    fn zero(&self, id: SectionId) -> Zero<'_> {
        match (id, self.roots.get()) {
            _ if self.has_code_at_zero => Zero::Address,
            (SectionId::DebugInfo, Some(roots)) => Zero::NowhereButIn(roots),
            (SectionId::DebugAddr | SectionId::DebugLine | SectionId::DebugRngLists, Some(_)) => {
                Zero::Nowhere
            }
            // Two zeros end a list of `.debug_ranges`, so linkers mark discarded code there by
            // other numbers.
            _ => Zero::Address,
        }
    }
}

/// An inlined function and its enclosing one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(in crate::symbols) struct Inlined {
    pub(in crate::symbols) name: Arc<[u8]>,
    pub(in crate::symbols) call: Option<SourceLine>,
    /// The inlined function that contains it, if any.
    pub(in crate::symbols) outer: Option<InlinedId>,
}

/// The number of an inlined function in its stack of inlining.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::symbols) struct InlinedId(pub(in crate::symbols) u32);

/// Consecutive code of one line of one function, inlined or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::symbols) struct CodeRange {
    /// Not empty.
    pub(in crate::symbols) addresses: Range<Address>,
    pub(in crate::symbols) source: Option<SourceLine>,
    /// The function that contains it, as named by the debug information.
    pub(in crate::symbols) function: Option<Arc<[u8]>>,
    /// The innermost inlined function.
    pub(in crate::symbols) inlined: Option<InlinedId>,
}

/// Files, lines and functions of a program, by address.
pub(in crate::symbols) struct CodeIndex<'s, 'd> {
    /// `None` if the debug information is unusable.
    context: Option<Context<BudgetedBytes<'s>>>,
    dwarf: Dwarf<'s>,
    source: &'s Source<'d>,
    searched: SearchedRanges,
    samples: &'s SampledCode,
    order: ReadingOrder,
    /// Samples in code ranges that were left out.
    n_samples_left_out: u64,
    /// Remaining comparisons in searches for addresses.
    comparisons: Budget,
    /// Number of searches, and of those left out.
    n_searches: u64,
    n_left_out: u64,
    files: InternedFiles,
    /// Function names, each once.
    names: HashMap<&'s [u8], Arc<[u8]>, RandomState>,
    /// Function names by storage and length: comparing long shared names is slow.
    places: HashMap<(usize, usize), Arc<[u8]>, RandomState>,
    /// Remaining bytes for long names.
    long_names: Budget,
    inlined: Vec<Inlined>,
    inlined_ids: HashMap<Inlined, InlinedId, RandomState>,
    notes: Notes<DebugDamage>,
    progress: Progress,
}

/// Files, inlined functions and notes collected during the look-ups.
pub(in crate::symbols) struct Collected {
    /// In order of first appearance.
    pub(in crate::symbols) files: SourceFiles,
    /// By number.
    pub(in crate::symbols) inlined: Vec<Inlined>,
    /// Notes on unusable debug information.
    pub(in crate::symbols) notes: Vec<String>,
    /// Some was skipped because its tables would be too large.
    pub(in crate::symbols) is_too_large: bool,
    /// The share of the samples in code that was skipped for that, if known.
    pub(in crate::symbols) percent_skipped: Option<u64>,
    /// Functions of these units were needed, and are in files that are missing.
    pub(in crate::symbols) missing_split: Option<MissingSplit>,
}

impl<'s, 'd> CodeIndex<'s, 'd> {
    /// Reads the first entry of each unit; the rest on demand.
    pub(in crate::symbols) fn new(
        source: &'s Source<'d>,
        samples: &'s SampledCode,
        progress: Progress,
    ) -> Self {
        let mut notes = Notes::default();
        let mut survey = units::survey(&source.dwarf(), &source.budget, samples);
        let is_too_large = source.budget.is_too_large();
        if !survey.broken.is_empty() && !is_too_large {
            let dwarf = source.dwarf();
            let broken = std::mem::take(&mut survey.broken);
            let repaired = || units::without_broken(&dwarf, broken, &mut notes);
            source.repaired.get_or_init(repaired);
        }
        source.split.set_units(std::mem::take(&mut survey.split));
        let roots = std::mem::take(&mut survey.roots);
        let start = source.bytes(SectionId::DebugInfo);
        source.roots.get_or_init(|| Roots::new(start, roots));
        let limits = Limits::of(source.sections.n_bytes() as u64);
        let context = (!is_too_large).then(|| Context::from_dwarf(source.dwarf()));
        let context = context
            .and_then(|context| notes.value(DebugPart::Whole, context.map_err(DebugDamage::from)));
        let dwarf = source.dwarf();
        Self {
            context,
            searched: survey.searched_ranges(&dwarf),
            order: survey.reading_order(),
            samples,
            n_samples_left_out: 0,
            comparisons: Budget::of(limits.steps),
            n_searches: 0,
            n_left_out: 0,
            dwarf,
            source,
            files: InternedFiles::default(),
            names: HashMap::default(),
            places: HashMap::default(),
            long_names: Budget::of(limits.names),
            inlined: Vec::new(),
            inlined_ids: HashMap::default(),
            notes,
            progress,
        }
    }

    /// Code in the order in which to read it: parts, each ascending.
    pub(in crate::symbols) fn parts(
        &self,
        code: &[Range<Address>],
    ) -> impl Iterator<Item = Vec<Range<Address>>> + use<> {
        self.order.parts(code).into_iter()
    }

    /// The part of code at an address.
    pub(in crate::symbols) fn part_of(&self, address: Address) -> usize {
        self.order.part_of(address)
    }

    /// The lines of addresses.
    pub(in crate::symbols) fn locate(
        &mut self,
        addresses: impl Iterator<Item = Address>,
    ) -> Vec<Option<SourceLine>> {
        let addresses: Vec<_> = addresses.collect();
        self.progress.begin(Stage::Symbols, Some(addresses.len() as u64));
        let located = self.locate_in_threads(&addresses);
        located.unwrap_or_else(|| addresses.iter().map(|&one| self.line_at(one)).collect())
    }

    /// The same for many addresses, each part with an index and a share of the limits of its own.
    /// `None` if something is amiss in one: this index finds what it is.
    fn locate_in_threads(&mut self, addresses: &[Address]) -> Option<Vec<Option<SourceLine>>> {
        let source = self.source;
        if addresses.len() <= threads::WORTH_ITEMS || !source.split.is_empty() {
            return None;
        }
        let (sections, samples, progress) = (source.sections, self.samples, self.progress);
        let has_code_at_zero = source.has_code_at_zero;
        // Each reads the units of its addresses.
        let mut places: Vec<_> = (0..addresses.len()).collect();
        places.sort_unstable_by_key(|&place| addresses[place]);
        let len = addresses.len().div_ceil(N_READERS as usize);
        let found = threads::pieces(&places, len, |places| {
            let split = SplitFiles::new(Path::new(""), &[]);
            let source = Source::shared(sections, &split, has_code_at_zero, N_READERS);
            let mut index = CodeIndex::new(&source, samples, progress);
            let lines = places.iter().map(|&place| index.line_at(addresses[place]));
            let lines: Vec<_> = lines.collect();
            let met = index.finish();
            (met.notes.is_empty() && !met.is_too_large).then_some((lines, met.files))
        });
        let found: Vec<_> = found.into_iter().collect::<Option<_>>()?;
        let mut lines = vec![None; addresses.len()];
        let of_parts = found.iter().flat_map(|(lines, files)| lines.iter().zip(repeat(files)));
        for (&place, (line, files)) in places.iter().zip(of_parts) {
            lines[place] = line.map(|line| (line, files));
        }
        let lines = lines.into_iter().map(|line| {
            let (line, files) = line?;
            Some(SourceLine { file: self.files.mention(files.name(line.file)), ..line })
        });
        Some(lines.collect())
    }

    /// All code ranges with these lines, by address. One search between any two edges.
    pub(in crate::symbols) fn code_ranges(
        &mut self,
        code: &[Range<Address>],
        lines: &[LineRun],
    ) -> Vec<CodeRange> {
        self.progress.begin(Stage::Lines, Some(size_of(code)));
        let edges = if self.source.budget.has_room() {
            edges::read(&self.dwarf, &self.source.split, code, &mut self.notes)
        } else {
            CodeEdges::default()
        };
        let asks = !edges.is_too_deep && !self.source.budget.is_too_large();
        let mut code_ranges: Vec<CodeRange> = Vec::new();
        let (mut lines, mut edges) = (lines.iter().peekable(), edges.addresses.iter().peekable());
        for piece in code {
            let mut start = piece.start;
            while start < piece.end {
                while lines.next_if(|line| line.addresses.end <= start).is_some() {}
                while edges.next_if(|&&edge| edge <= start.0).is_some() {}
                let next_line = lines.peek().copied();
                let line = next_line.filter(|line| line.addresses.start <= start);
                let line_edge = match (line, next_line) {
                    (Some(line), _) => line.addresses.end,
                    (None, next) => next.map_or(piece.end, |next| next.addresses.start),
                };
                let edge = edges.peek().map_or(piece.end, |&&edge| Address(edge));
                let end = line_edge.min(edge).min(piece.end);
                let is_read = asks && self.can_search(start);
                let (function, inlined) =
                    if is_read { self.functions_at(start) } else { (None, None) };
                self.progress.advance(end.0 - start.0);
                let source = line.map(|line| line.source);
                let is_known = source.is_some() || inlined.is_some();
                if is_known && self.source.budget.has_room() {
                    join(
                        &mut code_ranges,
                        CodeRange { addresses: start..end, source, function, inlined },
                    );
                }
                if !is_read || !self.source.budget.has_room() {
                    self.n_samples_left_out += self.samples.within(&(start..end));
                }
                start = end;
            }
        }
        code_ranges
    }

    pub(in crate::symbols) fn finish(mut self) -> Collected {
        let n_left_out = self.n_samples_left_out.saturating_mul(100);
        let percent_of_samples =
            (self.samples.total() > 0).then(|| n_left_out.div_ceil(self.samples.total()));
        if self.n_left_out > 0 {
            let percent = self.n_left_out.saturating_mul(100).div_ceil(self.n_searches);
            let part = match percent_of_samples {
                Some(percent) => DebugPart::Samples { percent },
                None => DebugPart::Addresses { percent },
            };
            self.notes.add_once(part, DebugDamage::TooMuchWork);
        }
        let is_too_large = self.source.budget.is_too_large() || self.source.split.is_too_large();
        // Oversized debug information does not count as damaged.
        let is_damage =
            |note: &&Note<DebugDamage>| !is_too_large || note.damage != DebugDamage::TooMuchWork;
        let notes = self.notes.as_slice().iter().filter(is_damage);
        Collected {
            files: self.files.into_source_files(),
            inlined: self.inlined,
            notes: notes.map(Note::to_string).collect(),
            is_too_large,
            percent_skipped: percent_of_samples.filter(|_| is_too_large),
            missing_split: self.source.split.missing(),
        }
    }

    /// Takes the comparisons of a search from the rest; `false` if it has too few.
    fn can_search(&mut self, address: Address) -> bool {
        let n_compared = 1 + self.searched.n_compared(address.0) as u64;
        let can_search = self.comparisons.spend(n_compared);
        self.n_searches += 1;
        self.n_left_out += u64::from(!can_search);
        can_search
    }

    fn line_at(&mut self, address: Address) -> Option<SourceLine> {
        self.progress.advance(1);
        if !self.can_search(address) {
            return None;
        }
        let found = self.context.as_ref()?.find_location(probe(address)?);
        let found = found.unwrap_or_else(|error| {
            self.notes.add_once(DebugPart::CodeAt(address.0), error.into());
            None
        });
        source_line(&found?, &mut self.files)
    }

    /// The lines of code, disjoint and by address. If units overlap, the one that starts
    /// first counts. Sorts.
    pub(in crate::symbols) fn lines(&mut self, code: &[Range<Address>]) -> Vec<LineRun> {
        self.progress.begin(Stage::Lines, Some(size_of(code)));
        let code: Vec<_> = code.iter().filter(|piece| self.can_search(piece.start)).collect();
        let Some(context) = &self.context else {
            return Vec::new();
        };
        let mut runs: Vec<LineRun> = Vec::new();
        for piece in code {
            let mut found = match context.find_location_range(piece.start.0, piece.end.0) {
                Ok(found) => found,
                Err(error) => {
                    let part = DebugPart::CodeAt(piece.start.0);
                    self.notes.add_once(part, error.into());
                    continue;
                }
            };
            while self.source.budget.has_room() {
                match FallibleIterator::next(&mut found) {
                    Ok(None) => break,
                    Ok(Some((start, size, location))) => {
                        let end = Address(start.wrapping_add(size)).min(piece.end);
                        let start = Address(start).max(piece.start);
                        let source = source_line(&location, &mut self.files);
                        if let Some(source) = source.filter(|_| start < end) {
                            self.progress.advance(end.0 - start.0);
                            runs.push(LineRun { addresses: start..end, source });
                        }
                    }
                    // The next unit may be better.
                    Err(error) => {
                        let after = runs.last().map_or(piece.start, |run| run.addresses.end);
                        self.notes.add_once(DebugPart::CodeAt(after.0), error.into());
                    }
                }
            }
        }
        runs.sort_by_key(|run| run.addresses.start);
        let mut reach = Address(0);
        runs.retain_mut(|run| {
            run.addresses.start = run.addresses.start.max(reach);
            reach = reach.max(run.addresses.end);
            !run.addresses.is_empty()
        });
        runs
    }

    /// The function at an address, and the innermost inlined one.
    fn functions_at(&mut self, address: Address) -> FunctionsAt {
        self.frames_at(address).unwrap_or_else(|error| {
            self.notes.add_once(DebugPart::CodeAt(address.0), error.into());
            (None, None)
        })
    }

    fn frames_at(&mut self, address: Address) -> Result<FunctionsAt, gimli::Error> {
        let (Some(context), Some(address)) = (&self.context, probe(address)) else {
            return Ok((None, None));
        };
        let mut found = frames_of(context.find_frames(address), &self.source.split)?;
        let mut frames = Vec::new();
        while let Some(frame) = found.next()? {
            // The location of a frame is its call of the previous one.
            let place = frame.location.as_ref();
            let place = place.and_then(|place| source_line(place, &mut self.files));
            let name = frame.function.map(|function| function.name.slice());
            frames.push((name, place));
        }
        let (function, _) = frames.last().copied().unwrap_or_default();
        let function = function.map(|name| self.shared(name));
        let mut outer = None;
        for pair in frames.windows(2).rev() {
            let [(name, _), (_, call)] = pair else {
                continue;
            };
            if let Some(name) = name {
                outer = Some(self.number(name, *call, outer));
            }
        }
        Ok((function, outer))
    }

    fn number(
        &mut self,
        name: &'s [u8],
        call: Option<SourceLine>,
        outer: Option<InlinedId>,
    ) -> InlinedId {
        let inlined = Inlined { name: self.shared(name), call, outer };
        if let Some(&id) = self.inlined_ids.get(&inlined) {
            return id;
        }
        // Each takes bytes in the file, whose size limits their number.
        let id = InlinedId(u32::try_from(self.inlined.len()).unwrap_or(u32::MAX));
        self.inlined.push(inlined.clone());
        self.inlined_ids.insert(inlined, id);
        id
    }

    /// The shared copy of a name, cut if long names exceed their budget.
    fn shared(&mut self, name: &'s [u8]) -> Arc<[u8]> {
        let place = (name.as_ptr().addr(), name.len());
        if let Some(known) = self.places.get(&place) {
            return Arc::clone(known);
        }
        let mut kept = name;
        if name.len() > limits::SHORT_NAME && !self.long_names.spend(name.len() as u64) {
            self.notes.add_once(DebugPart::Whole, DebugDamage::LongNames);
            kept = &name[..limits::SHORT_NAME];
        }
        let kept = self.names.entry(kept).or_insert_with(|| kept.into());
        let kept = Arc::clone(kept);
        self.places.insert(place, Arc::clone(&kept));
        kept
    }
}

/// The result of a look-up, which may need other files.
fn frames_of<'s, L>(mut next: LookupResult<L>, split: &'s SplitReader<'_>) -> L::Output
where
    L: LookupContinuation<Buf = BudgetedBytes<'s>>,
{
    loop {
        next = match next {
            LookupResult::Output(found) => return found,
            LookupResult::Load { load, continuation } => {
                let own = split.dwarf(load.dwo_id, &load.parent);
                continuation.resume(own.map(Arc::new))
            }
        };
    }
}

/// Total size of disjoint ranges.
fn size_of(code: &[Range<Address>]) -> u64 {
    let sizes = code.iter().map(|piece| piece.end.0.saturating_sub(piece.start.0));
    sizes.fold(0, u64::saturating_add)
}

/// The function at an address, and the innermost one inlined there.
type FunctionsAt = (Option<Arc<[u8]>>, Option<InlinedId>);

/// The address, if it can be looked up: `addr2line` also needs the next one.
fn probe(address: Address) -> Option<u64> {
    (address.0 < u64::MAX).then_some(address.0)
}

fn source_line(location: &Location<'_>, files: &mut InternedFiles) -> Option<SourceLine> {
    let file = location.file.filter(|file| !file.is_empty())?;
    Some(SourceLine {
        line: NonZeroU32::new(location.line?)?,
        file: files.mention(file.as_bytes()),
    })
}

/// Adds a range, or extends the last one.
fn join(code_ranges: &mut Vec<CodeRange>, next: CodeRange) {
    // Padding after a function belongs to the function's last line, but to no function.
    let is_padding = next.function.is_none() && next.inlined.is_none();
    match code_ranges.last_mut() {
        Some(last)
            if last.addresses.end == next.addresses.start
                && last.source == next.source
                && (is_padding
                    || last.inlined == next.inlined && last.function == next.function) =>
        {
            last.addresses.end = next.addresses.end;
        }
        _ => code_ranges.push(next),
    }
}
