//! Allocation profiles of the mpatrol library 1.3 to 1.5.
//!
//! Everything except the letters at both ends and the names is words: bounds of size classes,
//! blocks by size, data records of sixteen sums, call sites, starts of symbols, names. A call
//! site is a return address with its callers; a data record may have its allocations. Source:
//! `src/profile.c` of mpatrol 1.5.1, and files of four machines.

use std::iter;

use super::super::cursor::Cursor;
use super::super::error::{ReadError, ReadErrorKind};
use super::super::sparse::Bytes;
use super::super::{Claim, Damage, Format, Hints, Layout, Loaded};
use super::fault::ProfileError;
use super::functions::{CallSiteNames, read_functions};
use super::site_errors::{SiteErrors, sites_in_use};
use super::table::{WordGrid, site};
use super::{PROFILE_MAGIC, VERSION_END, open, word};
use crate::model::{
    Address, Context, ContextId, Contexts, FileKind, Heap, Profile, Quantity, RecordedCosts,
    SampleKey, Samples, SizeBins, SizeBounds, SizeClass, ValueType, callers_first, heap_columns,
    heap_metrics,
};
use crate::threads;

/// Versions of the library with this layout.
const VERSIONS: std::ops::Range<u64> = 10300..VERSION_END;

/// Number of values in a data record, after its number.
const N_VALUES: usize = 16;

pub(in super::super) struct AllocationProfile;

impl Format for AllocationProfile {
    fn name(&self) -> &'static str {
        "mpatrol profile"
    }

    fn sniff(&self, data: Bytes<'_>, _hints: &Hints) -> Claim {
        Claim::certain_if(data.start().starts_with(PROFILE_MAGIC))
    }

    fn read(&self, data: Bytes<'_>, _hints: &Hints) -> Result<Loaded, ReadError> {
        let data = data.whole()?;
        let mut cursor = open(data)?;
        let version = read_version(&mut cursor)?;
        let mut profile = Profile::default();
        profile.kind = Some(FileKind::named("an allocation profile"));
        profile.costs.metrics = heap_metrics(&value_types());
        let heap = read_heap(&mut cursor)?;
        let has_sizes = !heap.is_empty();
        let n_left = cursor.remaining() as u64;
        let named = match read_costs(&mut cursor, &mut profile.costs) {
            // A truncated file may have only the sizes of blocks.
            Err(error) if has_sizes && is_cut_off(&error) => {
                Damage { error, n_lost: n_left }.into()
            }
            outcome => outcome?,
        };
        profile.heap = Some(Heap {
            other_names: named.other_names.into(),
            other_symbols: named.other_symbols.into(),
            ..heap
        });
        Ok(Loaded {
            encoding: Some(cursor.encoding()),
            version: Some(version),
            damage: named.damage,
            ..Loaded::of(Layout::named("mpatrol allocation profile"), profile)
        })
    }
}

/// Reads call sites with values, then names. Errors in names are returned as damage.
fn read_costs(
    cursor: &mut Cursor<'_>,
    costs: &mut RecordedCosts,
) -> Result<CallSiteNames, ReadError> {
    let records = WordGrid::read(cursor, "data records", 1 + N_VALUES)?;
    let sites = WordGrid::read(cursor, "call sites", site::N_COLUMNS)?;
    let (contexts, (samples, mut named)) = threads::in_parallel(
        sites.len() >= threads::WORTH_ITEMS,
        || contexts_of(&sites),
        || (samples_of(&sites, &records), read_functions(cursor, &sites)),
    );
    let (contexts, errors) = contexts?;
    // Names may end before the call sites do.
    let functions = std::mem::take(&mut named.of_sites).into_iter().chain(iter::repeat(None));
    let named_sites = contexts.iter().zip(functions);
    costs.contexts =
        named_sites.map(|(context, function)| Context { function, ..context }).collect();
    costs.samples = samples?;
    costs.functions = std::mem::take(&mut named.functions);
    let damage = errors.map(|error| Damage { error, n_lost: 0 });
    named.damage = named.damage.or(damage);
    Ok(named)
}

fn is_cut_off(error: &ReadError) -> bool {
    matches!(error.kind, ReadErrorKind::Short { .. } | ReadErrorKind::Count { .. })
}

fn read_version(cursor: &mut Cursor<'_>) -> Result<u32, ReadError> {
    let start = cursor.clone();
    let version = word(cursor, "version")?;
    match u32::try_from(version) {
        _ if version < VERSIONS.start => Err(start.error(ProfileError::TooOld { version })),
        Ok(small) if version < VERSIONS.end => Ok(small),
        _ => Err(start.error(ProfileError::TooNew { version })),
    }
}

fn read_heap(cursor: &mut Cursor<'_>) -> Result<Heap, ReadError> {
    let bounds = SizeBounds {
        small: word(cursor, "bound of small blocks")?,
        medium: word(cursor, "bound of medium blocks")?,
        large: word(cursor, "bound of large blocks")?,
    };
    let start = cursor.clone();
    let n_bins = word(cursor, "number of bins")?;
    if n_bins == 0 {
        return Ok(Heap { bounds, ..Heap::default() });
    }
    let remaining = cursor.remaining() as u64;
    let word_size = cursor.encoding().address_size.bytes() as u64;
    if n_bins > remaining / word_size {
        return Err(start.error(ReadErrorKind::Count { what: "bins", count: n_bins, remaining }));
    }
    Ok(Heap {
        bounds,
        allocated: read_bins(cursor, n_bins)?,
        freed: read_bins(cursor, n_bins)?,
        ..Heap::default()
    })
}

fn read_bins(cursor: &mut Cursor<'_>, n_bins: u64) -> Result<SizeBins, ReadError> {
    let size = n_bins * cursor.encoding().address_size.bytes() as u64;
    let mut bins = Cursor::new(cursor.take("bins", size)?, cursor.encoding());
    let counts: Result<_, _> = (0..n_bins).map(|_| word(&mut bins, "bin")).collect();
    Ok(SizeBins { counts: counts?, last_bytes: word(cursor, "bytes of the last bin")?, n_empty: 0 })
}

/// Call sites in file order, without functions. Call sites without allocations may have invalid
/// callers; the first such error is returned as well.
fn contexts_of(sites: &WordGrid<'_>) -> Result<(Contexts, Option<ReadError>), ReadError> {
    let rows_by_number = sites.rows_by_number("call site")?;
    let mut contexts = Contexts::default();
    let mut may_have_rings = false;
    let mut errors = SiteErrors::default();
    for (row, site) in sites.rows() {
        let (number, caller) = (site.word(site::NUMBER), site.word(site::CALLER));
        may_have_rings |= caller >= number;
        let caller = match caller {
            0 => None,
            caller => match lookup(&rows_by_number, "caller", caller) {
                Ok(caller) => Some(caller),
                Err(error) => {
                    errors.add(sites, row, error);
                    None
                }
            },
        };
        contexts.push(Context {
            address: Some(Address(site.word(site::ADDRESS))),
            function: None,
            location: None,
            caller: caller.map(ContextId),
        });
    }
    // The library numbers callers before callees, so this is rarely needed.
    if may_have_rings && callers_first(&contexts).is_none() {
        let is_used = sites_in_use(sites);
        let kept = contexts.iter().zip(&is_used);
        let kept = kept.map(|(context, &is_used)| Context {
            caller: context.caller.filter(|_| is_used),
            ..context
        });
        contexts = kept.collect();
        if callers_first(&contexts).is_none() {
            return Err(sites.error(0, ProfileError::Ring));
        }
        let unused = (0..).zip(&is_used).find(|(_, used)| !**used);
        let unused = unused.map_or(0, |(row, _)| row);
        errors.add(sites, unused, ProfileError::Ring);
    }
    match errors.first() {
        Some(error) if !error.kind.keeps_values() => Err(error),
        error => Ok((contexts, error)),
    }
}

/// Values of call sites, in their order.
fn samples_of(sites: &WordGrid<'_>, records: &WordGrid<'_>) -> Result<Samples, ReadError> {
    let rows_by_number = records.rows_by_number("data record")?;
    let mut samples = Samples::new(value_types());
    for (row, site) in sites.rows() {
        let number = site.word(site::RECORD);
        if number == 0 {
            continue;
        }
        let index = lookup(&rows_by_number, "data record of a call site", number)
            .map_err(|e| sites.error(row, e))?;
        let record = records.row(index as usize).expect("the row was numbered");
        let values: [u64; N_VALUES] = std::array::from_fn(|column| record.word(1 + column));
        samples.push(SampleKey::Context(ContextId(row)), &values);
    }
    Ok(samples)
}

/// Meaning of the values of a data record.
fn value_types() -> Vec<ValueType> {
    let quantities = [Quantity::ALLOCATED, Quantity::FREED];
    heap_columns(&quantities, &SizeClass::ALL.map(Some))
}

/// The row with a nonzero number.
fn lookup(rows: &[u32], what: &'static str, number: u64) -> Result<u32, ProfileError> {
    let index = usize::try_from(number - 1).ok();
    let row = index.and_then(|index| rows.get(index)).copied();
    row.ok_or(ProfileError::Number { what, number, count: rows.len() })
}
