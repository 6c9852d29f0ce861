//! Reads files in parallel: enough to use all processors, and few enough that thousands of
//! files need little more memory than one.

use std::fs;
use std::path::Path;

use rayon::prelude::*;

use crate::files::readable;
use crate::threads;

/// Maximum total size of files in a batch, in bytes.
const BATCH_BYTES: u64 = 32 << 20;

/// Maximum number of files in a batch: compressed ones are larger than their size.
const BATCH_FILES: usize = 64;

/// Minimum number of small files worth starting threads.
const FILES_WORTH_THREADS: usize = 16;

/// Applies `read` to `files` in parallel, and passes the results to `visit` in order, in batches.
/// `size` returns the size of a file, or `None` for a stream, which is read after all files
/// before it were passed on.
///
/// # Errors
/// The first error of `visit`; no later file is read.
pub fn in_parallel<F: Send, T: Send, E>(
    files: impl IntoIterator<Item = F>,
    size: impl Fn(&F) -> Option<u64>,
    read: impl Fn(F) -> T + Sync,
    visit: &mut dyn FnMut(Vec<T>) -> Result<(), E>,
) -> Result<(), E> {
    let mut files = files.into_iter().map(|file| (size(&file), file)).peekable();
    while let Some((first_size, first)) = files.next() {
        let mut batch = vec![first];
        let mut n_bytes = first_size.unwrap_or(BATCH_BYTES);
        let mut fits = |next: Option<u64>, n_files: usize| {
            let sum = next.and_then(|size| size.checked_add(n_bytes));
            let sum = sum.filter(|&sum| sum <= BATCH_BYTES && n_files < BATCH_FILES);
            n_bytes = sum.unwrap_or(n_bytes);
            sum.is_some()
        };
        while let Some((_, file)) = files.next_if(|(size, _)| fits(*size, batch.len())) {
            batch.push(file);
        }
        let is_long = n_bytes >= threads::WORTH_BYTES || batch.len() >= FILES_WORTH_THREADS;
        visit(if is_long && batch.len() > 1 {
            threads::start();
            batch.into_par_iter().map(&read).collect()
        } else {
            batch.into_iter().map(&read).collect()
        })?;
    }
    Ok(())
}

/// The size of a regular file, which may be read at any time.
pub fn plain_size(path: &Path) -> Option<u64> {
    let metadata = fs::metadata(readable(path)?).ok()?;
    metadata.is_file().then_some(metadata.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Batches of files, by their sizes.
    fn batches(sizes: &[Option<u64>]) -> Vec<Vec<usize>> {
        let mut batches = Vec::new();
        let files = 0..sizes.len();
        let mut visit = |batch| {
            batches.push(batch);
            Ok::<_, ()>(())
        };
        in_parallel(files, |&file| sizes[file], |file| file, &mut visit).expect("none fails");
        batches
    }

    #[test]
    fn files_are_told_of_in_their_order_few_at_a_time() {
        let half = BATCH_BYTES / 2;
        let sizes = [half + 7, half - 7, 1, 2 * BATCH_BYTES, 2, 3].map(Some);
        assert_eq!(batches(&sizes), [&[0, 1][..], &[2], &[3], &[4, 5]]);
        let short = vec![Some(1); 2 * BATCH_FILES + 1];
        let lengths: Vec<_> = batches(&short).iter().map(Vec::len).collect();
        assert_eq!(lengths, [BATCH_FILES, BATCH_FILES, 1]);
        assert_eq!(batches(&short).concat(), Vec::from_iter(0..short.len()));
    }

    #[test]
    fn what_is_no_plain_file_is_read_when_its_turn_has_come() {
        let sizes = [Some(1), None, None, Some(1), Some(u64::MAX), Some(2)];
        assert_eq!(batches(&sizes), [&[0][..], &[1], &[2], &[3], &[4], &[5]]);
        assert_eq!(plain_size(Path::new("-")), None);
        assert_eq!(plain_size(Path::new("src")), None);
    }

    #[test]
    fn nothing_is_read_behind_an_error() {
        let mut n_visited = 0;
        let mut visit = |_| {
            n_visited += 1;
            Err(())
        };
        assert!(in_parallel(0..3, |_| None, |file| file, &mut visit).is_err());
        assert_eq!(n_visited, 1);
    }
}
