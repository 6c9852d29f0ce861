//! The thread pool: by default one thread for each core.
//!
//! It starts when a stage first has enough work, since a small profile is reported before
//! threads would have started. The output does not depend on their number.

use std::cmp::Ordering;
use std::env;
use std::io;
use std::mem;
use std::num::NonZero;
use std::ops::Range;
use std::panic::resume_unwind;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc::{self, Sender};
use std::thread;

use rayon::prelude::*;
use rayon::{ThreadBuilder, ThreadPoolBuilder};

/// Maximum number of threads.
pub const MOST: usize = 512;

/// Size in bytes of an input worth another thread.
pub const WORTH_BYTES: u64 = 1 << 20;

/// Number of items, such as symbols or calls, worth another thread.
pub const WORTH_ITEMS: usize = 1 << 14;

/// The requested number; 0 for the number of cores.
static WANTED: AtomicUsize = AtomicUsize::new(0);

/// The number started.
static STARTED: OnceLock<usize> = OnceLock::new();

/// Parses a number from 1 to [`MOST`].
pub fn number(text: &str) -> Option<usize> {
    let number = text.parse().ok();
    number.filter(|number| (1..=MOST).contains(number))
}

/// The value of `PROFAN_THREADS`, if set and not empty.
///
/// # Errors
/// If it is not a number from 1 to [`MOST`].
pub fn of_environment() -> Result<Option<usize>, String> {
    let Some(said) = env::var_os("PROFAN_THREADS").filter(|said| !said.is_empty()) else {
        return Ok(None);
    };
    match said.to_str().and_then(number) {
        None => {
            Err(format!("PROFAN_THREADS is `{}`: write a number from 1 to {MOST}", said.display()))
        }
        number => Ok(number),
    }
}

/// Sets the number of threads, from 1 to [`MOST`]; no effect once the pool has started.
pub fn set(n_threads: usize) {
    WANTED.store(n_threads.clamp(1, MOST), Relaxed);
}

/// Starts the pool once, and returns its number of threads: fewer than requested if the
/// system refuses more, and 1 if it refuses all.
pub fn start() -> usize {
    *STARTED.get_or_init(|| {
        let wanted = match WANTED.load(Relaxed) {
            0 => thread::available_parallelism().map_or(1, NonZero::get),
            wanted => wanted,
        };
        let wanted = wanted.min(most_in_address_space());
        let mut workers = match wanted {
            1 => Vec::new(),
            wanted => waiting_threads(wanted),
        };
        let builder = ThreadPoolBuilder::new();
        // A test may have started the threads already; these stay.
        let _ = match workers.len() {
            0 => builder.num_threads(1).use_current_thread().build_global(),
            given => builder
                .num_threads(given)
                .spawn_handler(|worker| {
                    let idle = workers.pop().ok_or(io::ErrorKind::WouldBlock)?;
                    idle.send(worker).map_err(|_| io::ErrorKind::BrokenPipe.into())
                })
                .build_global(),
        };
        rayon::current_num_threads()
    })
}

/// Calls `work` on a stack of usual size: in another thread if `ulimit -s` leaves less than
/// parsing a command line needs.
pub fn with_enough_stack<T: Send + 'static>(work: fn() -> T) -> T {
    if !is_stack_small() {
        return work();
    }
    match thread::Builder::new().stack_size(USUAL_STACK).spawn(work) {
        Ok(other) => other.join().unwrap_or_else(|panic| resume_unwind(panic)),
        // If the system cannot start a thread, use this one.
        Err(_) => work(),
    }
}

/// Usual stack size of systems, in bytes.
const USUAL_STACK: usize = 8 << 20;

#[cfg(unix)]
fn is_stack_small() -> bool {
    let limit = rustix::process::getrlimit(rustix::process::Resource::Stack).current;
    limit.is_some_and(|bytes| bytes < 1 << 20)
}

#[cfg(not(unix))]
fn is_stack_small() -> bool {
    false
}

/// Calls two functions, in parallel if that is worth another thread: `there` in another one,
/// `here` in this one.
pub fn in_parallel<A: Send, B>(
    is_worth_it: bool,
    there: impl FnOnce() -> A + Send,
    here: impl FnOnce() -> B,
) -> (A, B) {
    if !is_worth_it {
        return (there(), here());
    }
    start();
    let mut made = None;
    let here = rayon::in_place_scope(|scope| {
        scope.spawn(|_| made = Some(there()));
        here()
    });
    (made.expect("the scope ends when it is made"), here)
}

/// Calls `of` for each number below `n`; results in order. In parallel for more than `piece`
/// numbers, in units of `piece`.
pub fn numbered<T: Send>(n: usize, piece: usize, of: impl Fn(usize) -> T + Send + Sync) -> Vec<T> {
    if n <= piece {
        return (0..n).map(of).collect();
    }
    start();
    let numbers = (0..n).into_par_iter().with_min_len(piece);
    numbers.map(of).collect()
}

/// Calls `of` for slices of `len` items, and the rest; results in order. In parallel for more
/// than one slice.
pub fn pieces<I: Sync, T: Send>(
    items: &[I],
    len: usize,
    of: impl Fn(&[I]) -> T + Send + Sync,
) -> Vec<T> {
    if items.len() <= len {
        return items.chunks(len).map(of).collect();
    }
    start();
    items.par_chunks(len).map(of).collect()
}

/// Calls `of` for pieces of items that are made as needed, as in [`pieces`], and `add` for each
/// result in order. Few items are in memory at a time.
pub fn batches<I: Sync, T: Send>(
    mut items: impl Iterator<Item = I>,
    of: impl Fn(&[I]) -> T + Send + Sync,
    mut add: impl FnMut(T),
) {
    let mut batch: Vec<I> = Vec::new();
    loop {
        batch.extend(items.by_ref().take(BATCH));
        if batch.is_empty() {
            return;
        }
        pieces(&batch, BATCH / 8, &of).into_iter().for_each(&mut add);
        batch.clear();
    }
}

/// Maximum number of items in memory.
const BATCH: usize = 1 << 16;

/// Ranges of numbers below `n`, each with about the same number of lines, for [`ordered`].
pub fn blocks(n: usize, n_lines: usize, n_lines_of: impl Fn(usize) -> usize) -> Vec<Range<usize>> {
    let (mut blocks, mut start, mut n_found) = (Vec::new(), 0, 0);
    for number in 0..n {
        n_found += n_lines_of(number);
        if n_found >= n_lines || number + 1 == n {
            blocks.push(start..number + 1);
            (start, n_found) = (number + 1, 0);
        }
    }
    blocks
}

/// Makes blocks of items in several threads and writes them in order, while the next ones are
/// made, so that few are in memory at a time. `make` replaces a block that was written. A
/// single block needs no other thread.
///
/// # Errors
/// The first error of `write`; no later block is written.
pub fn ordered<I: Sync, B: Default + Send, E>(
    items: &[I],
    make: impl Fn(&I, &mut B) + Sync,
    mut write: impl FnMut(&mut B) -> Result<(), E>,
) -> Result<(), E> {
    if let [item] = items {
        let mut block = B::default();
        make(item, &mut block);
        return write(&mut block);
    }
    let mut batches = items.chunks(BLOCKS * start());
    let mut make_batch = |blocks: &mut Vec<B>| {
        let batch = batches.next().unwrap_or_default();
        blocks.resize_with(batch.len(), B::default);
        let pairs = batch.par_iter().zip(blocks.par_iter_mut());
        pairs.for_each(|(item, block)| make(item, block));
    };
    let (mut made, mut next) = (Vec::new(), Vec::new());
    make_batch(&mut made);
    while !made.is_empty() {
        rayon::in_place_scope(|scope| {
            scope.spawn(|_| make_batch(&mut next));
            made.iter_mut().try_for_each(&mut write)
        })?;
        mem::swap(&mut made, &mut next);
    }
    Ok(())
}

/// Blocks made by each thread before the first of them is written.
const BLOCKS: usize = 8;

/// Sorts stably, in parallel if there are many items.
pub fn sort_by<T: Send>(items: &mut [T], compare: impl Fn(&T, &T) -> Ordering + Sync) {
    if items.len() <= WORTH_ITEMS {
        return items.sort_by(compare);
    }
    start();
    items.par_sort_by(compare);
}

/// Sorts distinct items, faster.
pub fn sort<T: Ord + Send>(items: &mut [T]) {
    if items.len() <= WORTH_ITEMS {
        return items.sort_unstable();
    }
    start();
    items.par_sort_unstable();
}

/// Number of threads that leave address space for the work (`ulimit -v`); at least one.
#[cfg(unix)]
fn most_in_address_space() -> usize {
    let limit = rustix::process::getrlimit(rustix::process::Resource::As);
    let most = limit.current.map_or(MOST as u64, |bytes| bytes / ADDRESSES);
    usize::try_from(most).unwrap_or(MOST).clamp(1, MOST)
}

#[cfg(not(unix))]
fn most_in_address_space() -> usize {
    MOST
}

/// Address space for each thread in bytes. glibc reserves 128 MiB for its heap and 2 MiB for
/// its stack, and the work needs more than that.
#[cfg(unix)]
const ADDRESSES: u64 = 512 << 20;

/// Waiting threads, up to the first that the system refuses: a pool is not created at all if
/// one of its threads is refused.
fn waiting_threads(wanted: usize) -> Vec<Sender<ThreadBuilder>> {
    let idle = |_| {
        let (sender, receiver) = mpsc::channel::<ThreadBuilder>();
        let wait = move || receiver.into_iter().for_each(ThreadBuilder::run);
        thread::Builder::new().spawn(wait).ok().map(|_| sender)
    };
    (0..wanted).map_while(idle).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parallel_results_are_in_order() {
        for n in [0, 1, 100, 2 * WORTH_ITEMS + 1] {
            let squares: Vec<_> = (0..n).map(|number| number * number).collect();
            assert_eq!(numbered(n, 16, |number| number * number), squares);
            assert_eq!(pieces(&squares, 16, <[usize]>::to_vec).concat(), squares);
            let mut pairs: Vec<_> = (0..n).map(|number| (number % 5, number)).collect();
            sort_by(&mut pairs, |(a, _), (b, _)| b.cmp(a));
            let is_before = |a: &(usize, usize), b: &(usize, usize)| (b.0, a.1) < (a.0, b.1);
            assert!(pairs.is_sorted_by(is_before), "of {n}");
        }
    }
}
