//! Finds the separate debug file of an image.
//!
//! Two notes of an image identify it: a build ID, which names a file below a debug directory, and
//! a debug link with a file name and a checksum. The search order is the one of GDB. Source: GDB
//! manual, "Debugging Information in Separate Files".

use std::env;
use std::io;
use std::path::{Path, PathBuf};

use object::Object;

use crate::files::TooLarge;

/// Where distributions install debug files.
const GLOBAL_DIRECTORY: &str = "/usr/lib/debug";

/// Maximum size in bytes of a debug file whose checksum is computed, which takes five seconds:
/// sparse files of any size are easy to make. A build ID is checked in files of any size.
const MAX_CHECKED: u64 = 4 << 30;

/// A debug file that belongs to the image.
#[derive(Debug)]
pub(super) struct DebugFile<B> {
    pub path: PathBuf,
    pub bytes: B,
}

/// The result of a search.
#[derive(Debug)]
pub(super) struct DebugFileSearch<B> {
    pub found: Option<DebugFile<B>>,
    /// Files at a searched path that belong to another image.
    pub refused: Vec<Refusal>,
}

/// A rejected file.
#[derive(Debug, thiserror::Error)]
#[error("`{}` not used as debug file: {reason}", path.display())]
pub struct Refusal {
    pub path: PathBuf,
    pub reason: Mismatch,
}

/// Why a file is not the debug file of an image.
#[derive(Debug, thiserror::Error)]
pub enum Mismatch {
    #[error("{0}")]
    Unreadable(io::Error),
    #[error("{0}")]
    NotAnObject(object::Error),
    /// The build ID differs or is missing.
    #[error("its build ID differs from that of the executable")]
    BuildId,
    /// The checksum of the debug link differs.
    #[error("its checksum is {found:#010x}, but the executable names {wanted:#010x}")]
    Checksum { found: u32, wanted: u32 },
}

/// The identity that a candidate must match.
#[derive(Clone, Copy)]
enum DebugFileMatch<'a> {
    BuildId(&'a [u8]),
    Checksum(u32),
}

/// Finds the debug file of an image.
///
/// `directories` are searched like the global debug directory and before it. `read` must
/// return [`io::ErrorKind::NotFound`] for missing files, and open only regular files, since
/// the names come from the image.
pub(super) fn find<B: AsRef<[u8]>>(
    image: &Path,
    object: &object::File<'_>,
    directories: &[PathBuf],
    mut read: impl FnMut(&Path) -> io::Result<B>,
) -> DebugFileSearch<B> {
    let mut refused = Vec::new();
    for (path, mark) in candidates(image, object, directories) {
        let reason = match read(&path) {
            Ok(bytes) => match check(bytes.as_ref(), mark) {
                Err(mismatch) => mismatch,
                Ok(()) => {
                    let found = Some(DebugFile { path, bytes });
                    return DebugFileSearch { found, refused };
                }
            },
            Err(error) if is_absence(&error) => continue,
            Err(error) => Mismatch::Unreadable(error),
        };
        refused.push(Refusal { path, reason });
    }
    DebugFileSearch { found: None, refused }
}

fn is_absence(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

/// All candidate paths, with the identity that each must match.
fn candidates<'a>(
    image: &Path,
    object: &object::File<'a>,
    directories: &[PathBuf],
) -> Vec<(PathBuf, DebugFileMatch<'a>)> {
    let mut roots: Vec<&Path> = directories.iter().map(PathBuf::as_path).collect();
    roots.push(Path::new(GLOBAL_DIRECTORY));
    let mut places = Vec::new();
    if let Ok(Some(id)) = object.build_id()
        && let Some(name) = build_id_path(id)
    {
        let mark = DebugFileMatch::BuildId(id);
        places.extend(roots.iter().map(|root| (root.join(&name), mark)));
        let cache = debuginfod_cache();
        let caches = directories.iter().chain(&cache);
        places.extend(caches.map(|root| (root.join(hex(id)).join("debuginfo"), mark)));
    }
    if let Ok(Some((name, checksum))) = object.gnu_debuglink()
        && let Some(name) = plain_file_name(name)
    {
        let mark = DebugFileMatch::Checksum(checksum);
        let linked = link_paths(image, name, &roots);
        places.extend(linked.into_iter().map(|path| (path, mark)));
    }
    places
}

/// The files that debuginfod downloaded for other tools, each as `BUILD-ID/debuginfo`. Source:
/// debuginfod_find_debuginfo(3), "Cache".
fn debuginfod_cache() -> Option<PathBuf> {
    let set = |name| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let below = |cache: PathBuf| cache.join("debuginfod_client");
    set("DEBUGINFOD_CACHE_PATH")
        .or_else(|| set("XDG_CACHE_HOME").map(below))
        .or_else(|| env::home_dir().map(|home| below(home.join(".cache"))))
}

pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// `.build-id/ab/cdef….debug`
fn build_id_path(id: &[u8]) -> Option<PathBuf> {
    let (first, rest) = id.split_first()?;
    let name = format!(".build-id/{}/{}.debug", hex(&[*first]), hex(rest));
    (!rest.is_empty()).then(|| PathBuf::from(name))
}

/// The file name of a link, without directories.
fn plain_file_name(name: &[u8]) -> Option<&str> {
    let name = std::str::from_utf8(name).ok()?;
    let is_plain = Path::new(name).file_name() == Some(name.as_ref());
    is_plain.then_some(name)
}

fn link_paths(image: &Path, name: &str, roots: &[&Path]) -> Vec<PathBuf> {
    let beside = image.parent().unwrap_or(Path::new(""));
    let mut paths = vec![beside.join(name), beside.join(".debug").join(name)];
    // Below a debug directory, the image's own directory is repeated, with symbolic links
    // resolved.
    let real = image.canonicalize().unwrap_or_else(|_| image.to_path_buf());
    let place: PathBuf = real
        .parent()
        .into_iter()
        .flat_map(Path::components)
        .filter(|part| matches!(part, std::path::Component::Normal(_)))
        .collect();
    for root in roots {
        paths.push(root.join(&place).join(name));
    }
    // Directories that the user names may also hold the file itself.
    let named_by_user = &roots[..roots.len().saturating_sub(1)];
    paths.extend(named_by_user.iter().map(|root| root.join(name)));
    paths
}

fn check(bytes: &[u8], mark: DebugFileMatch<'_>) -> Result<(), Mismatch> {
    if let DebugFileMatch::Checksum(wanted) = mark {
        let (size, most) = (bytes.len() as u64, MAX_CHECKED);
        if size > most {
            return Err(Mismatch::Unreadable(TooLarge { size, most }.into()));
        }
        let found = crc32fast::hash(bytes);
        if found != wanted {
            return Err(Mismatch::Checksum { found, wanted });
        }
    }
    let object = object::File::parse(bytes).map_err(Mismatch::NotAnObject)?;
    match mark {
        DebugFileMatch::BuildId(wanted)
            if object.build_id().map_err(Mismatch::NotAnObject)? != Some(wanted) =>
        {
            Err(Mismatch::BuildId)
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests;
