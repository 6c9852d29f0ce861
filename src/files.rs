//! Opens and reads only regular files, for paths that the user did not type.
//!
//! Programs contain the paths of sources and debug information, which may be anything.
//! Opening a pipe blocks, and reading a device may never end or take data from others. So the
//! kind of file is checked first.

use std::collections::BTreeSet;
use std::fs::{self, File, FileType, Metadata, OpenOptions};
use std::io::{self, Read};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// Maximum number of entries to read of a directory that the user did not name.
pub const MOST_ENTRIES: usize = 4096;

/// Maximum size in bytes of an input that is read as a whole, such as a list of symbols.
pub const MOST_BYTES: u64 = 1 << 30;

/// Maximum size in bytes of a file that the user did not name.
pub const MOST_UNASKED: u64 = 64 << 20;

/// The files of [`open_plain`], so that no output replaces them.
static INPUTS: Mutex<BTreeSet<FileIdentity>> = Mutex::new(BTreeSet::new());

/// Opens a regular file as an input of a report: no output replaces it.
///
/// # Errors
/// If it does not exist, is not readable, or is not a regular file.
pub fn open_plain(path: &Path) -> io::Result<File> {
    let file = peek_plain(path)?;
    let mut inputs = INPUTS.lock().unwrap_or_else(PoisonError::into_inner);
    inputs.extend(identity(path));
    Ok(file)
}

/// Returns whether a file was opened with [`open_plain`], under any name.
pub fn is_input(path: &Path) -> bool {
    let inputs = INPUTS.lock().unwrap_or_else(PoisonError::into_inner);
    identity(path).is_some_and(|file| inputs.contains(&file))
}

/// Opens a regular file to identify it.
///
/// # Errors
/// If it does not exist, is not readable, or is not a regular file.
pub fn peek_plain(path: &Path) -> io::Result<File> {
    check_kind(&fs::metadata(path)?)?;
    check_is_stored(path)?;
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        // Something else may have its name by now.
        options.custom_flags(libc::O_NONBLOCK | libc::O_NOCTTY);
    }
    let file = options.open(path)?;
    check_kind(&file.metadata()?)?;
    Ok(file)
}

/// Reads a regular file of at most `most` bytes.
///
/// # Errors
/// If it does not exist, is not readable, not a regular file, or larger.
pub fn read_plain(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    read_up_to(open_up_to(path, most)?, most)
}

/// Opens a regular file of at most `most` bytes.
///
/// # Errors
/// If it does not exist, is not readable, not a regular file, or larger.
pub fn open_up_to(path: &Path, most: u64) -> io::Result<File> {
    let file = open_plain(path)?;
    match file.metadata()?.len() {
        size if size > most => Err(TooLarge { size, most }.into()),
        _ => Ok(file),
    }
}

/// Reads a stream to its end.
///
/// # Errors
/// If it has more than `most` bytes, or cannot be read.
pub fn read_up_to(file: impl Read, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.take(most + 1).read_to_end(&mut bytes)?;
    match bytes.len() as u64 {
        size if size > most => Err(TooLarge { size, most }.into()),
        _ => Ok(bytes),
    }
}

/// Reads a file that the user named: a regular file, or an open pipe as in a shell's `<(…)`.
/// Refuses devices except `/dev/null`.
///
/// # Errors
/// If it is not readable, of another kind, or has more than `most` bytes.
pub fn read_named(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    if path == Path::new("/dev/null") {
        return Ok(Vec::new());
    }
    if !is_open_pipe(path, fs::metadata(path)?.file_type()) {
        return read_plain(path, most);
    }
    read_up_to(File::open(path)?, most)
}

/// Refuses what an option cannot take for a file: anything but a regular file, or an open pipe as
/// in a shell's `<(…)`. Opening another pipe could block.
///
/// # Errors
/// If the path is such a file, or does not exist.
pub fn check_named(path: &Path) -> io::Result<()> {
    let metadata = fs::metadata(path)?;
    if is_open_pipe(path, metadata.file_type()) { Ok(()) } else { check_kind(&metadata) }
}

/// Refuses devices, which may be endless.
///
/// # Errors
/// If the path is one.
pub fn refuse_device(path: &Path) -> io::Result<()> {
    let kind = fs::metadata(path)?.file_type();
    match kind_of(kind) {
        DEVICE if !kind.is_file() && !kind.is_dir() => Err(NotPlain(DEVICE).into()),
        _ => Ok(()),
    }
}

/// The path of an input that can be opened again. That of standard input (`-`) is `/dev/stdin` if
/// it is a regular file at its start, and `None` otherwise.
pub fn readable(input: &Path) -> Option<&Path> {
    if input == Path::new("-") { regular_stdin() } else { Some(input) }
}

/// Linux opens the file itself by this name; other systems open the descriptor, with its position.
#[cfg(target_os = "linux")]
fn regular_stdin() -> Option<&'static Path> {
    use std::io::Seek;
    use std::os::fd::AsFd;

    let path = Path::new("/dev/stdin");
    let mut stdin = File::from(io::stdin().as_fd().try_clone_to_owned().ok()?);
    let is_at_start = stdin.metadata().ok()?.is_file() && stdin.stream_position().ok()? == 0;
    (is_at_start && File::open(path).is_ok()).then_some(path)
}

#[cfg(not(target_os = "linux"))]
fn regular_stdin() -> Option<&'static Path> {
    None
}

/// Returns whether an input (standard input for `-`) is the same file, after resolving links.
pub fn are_same(input: &Path, other: &Path) -> bool {
    let input = if input == Path::new("-") { Path::new("/dev/stdin") } else { input };
    let found = identity(input);
    found.is_some() && found == identity(other)
}

/// Equal for all names of a file.
#[cfg(unix)]
type FileIdentity = (u64, u64);

#[cfg(not(unix))]
type FileIdentity = std::path::PathBuf;

#[cfg(unix)]
fn identity(path: &Path) -> Option<FileIdentity> {
    use std::os::unix::fs::MetadataExt;
    let metadata = fs::metadata(path).ok()?;
    metadata.is_file().then(|| (metadata.dev(), metadata.ino()))
}

#[cfg(not(unix))]
fn identity(path: &Path) -> Option<FileIdentity> {
    fs::canonicalize(path).ok().filter(|path| path.is_file())
}

/// The file is not regular, or too large. Other errors mean that it does not exist or is not
/// readable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("it is {0}")]
pub struct NotPlain(pub &'static str);

impl From<NotPlain> for io::Error {
    fn from(error: NotPlain) -> Self {
        Self::other(error)
    }
}

/// The file exceeds a size limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("it has {size} bytes, more than the limit of {most}")]
pub struct TooLarge {
    /// Its size in bytes.
    pub size: u64,
    /// The limit in bytes.
    pub most: u64,
}

impl From<TooLarge> for io::Error {
    fn from(error: TooLarge) -> Self {
        Self::new(io::ErrorKind::FileTooLarge, error)
    }
}

/// Why an existing file was skipped: it is not regular, or too large. `None` for errors of
/// the system.
pub fn why_passed_over(error: &io::Error) -> Option<String> {
    if error.kind() == io::ErrorKind::IsADirectory {
        return Some("it is a directory".to_owned());
    }
    let inner = error.get_ref()?;
    let is_ours = inner.is::<NotPlain>() || inner.is::<TooLarge>();
    is_ours.then(|| inner.to_string())
}

const DEVICE: &str = "a device";

/// Refuses anything but regular files.
///
/// # Errors
/// If it is a directory, a pipe or a device.
pub fn check_kind(metadata: &Metadata) -> io::Result<()> {
    if metadata.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    if metadata.is_file() { Ok(()) } else { Err(NotPlain(kind_of(metadata.file_type())).into()) }
}

#[cfg(unix)]
fn kind_of(kind: FileType) -> &'static str {
    use std::os::unix::fs::FileTypeExt;
    match kind {
        _ if kind.is_fifo() => "a pipe",
        _ if kind.is_socket() => "a socket",
        _ => DEVICE,
    }
}

#[cfg(not(unix))]
fn kind_of(_kind: FileType) -> &'static str {
    "not a regular file"
}

/// Refuses files of kernel file systems: some look regular, but reading them blocks or takes
/// data from other readers.
#[cfg(target_os = "linux")]
fn check_is_stored(path: &Path) -> io::Result<()> {
    // <linux/magic.h>: those of processes, devices, and two for looking into the kernel.
    const OF_KERNEL: [i64; 4] = [0x9fa0, 0x6265_6572, 0x6462_6720, 0x7472_6163];
    let system = rustix::fs::statfs(path)?;
    #[allow(clippy::unnecessary_cast, reason = "its type is another on some machines")]
    let magic = system.f_type as i64;
    if OF_KERNEL.contains(&magic) { Err(NotPlain("a file of the kernel").into()) } else { Ok(()) }
}

#[cfg(not(target_os = "linux"))]
fn check_is_stored(_path: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(unix)]
fn is_open_pipe(path: &Path, kind: FileType) -> bool {
    use std::os::unix::fs::FileTypeExt;
    let directories = ["/dev/fd", "/proc/self/fd"].map(Path::new);
    let is_descriptor = path.parent().is_some_and(|directory| directories.contains(&directory));
    kind.is_fifo() && (is_descriptor || path == Path::new("/dev/stdin"))
}

#[cfg(not(unix))]
fn is_open_pipe(_path: &Path, _kind: FileType) -> bool {
    false
}
