//! How a program is linked: its format, and the libraries it loads.

use object::read::elf::{ElfFile, FileHeader};
use object::read::{Object, ObjectSection, ReadRef};
use object::{Architecture, ObjectKind, elf};

use super::counters::mcount_name;
use super::symbol_refs::{dynamic_symbol_refs, own_symbol_refs};

/// How a program is linked, and for which system.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Linkage {
    /// The libraries that it names, in its order.
    pub libraries: Box<[String]>,
    /// Can be loaded at any address.
    pub is_position_independent: bool,
    /// A library, which cannot be started.
    pub is_library: bool,
    /// An object file before linking.
    pub is_unlinked: bool,
    /// Binds some calls lazily: `LD_PROFILE` profiles no other library. Source:
    /// `elf_machine_runtime_setup` in glibc, which needs a `DT_JMPREL`.
    pub has_lazy_stubs: bool,
    /// Refers to a function that starts a process with the same code.
    pub forks: bool,
    /// Refers to a function that starts a thread.
    pub starts_threads: bool,
    /// Imports a function that loads a library at run time.
    pub loads_plugins: bool,
    /// Imports a function that ends the process without the work of `exit`.
    pub exits_early: bool,
    /// Imports a function that changes the directory, to which a profile is written.
    pub changes_directory: bool,
    /// The library that counts its calls, if one does. Its time is not in the profile.
    pub counted_by: Option<CountingLibrary>,
    /// The system, if the file states it.
    pub system: Option<System>,
}

impl Linkage {
    /// Returns whether the process runs code of other files.
    pub fn is_dynamic(&self) -> bool {
        !self.libraries.is_empty()
    }

    /// Returns whether it is for Cygwin, whose profiler differs from MinGW's.
    pub fn is_for_cygwin(&self) -> bool {
        self.libraries.iter().any(|name| name == "cygwin1.dll")
    }

    /// Libraries that do not belong to the system. Those exist everywhere and are rarely
    /// built for profiling.
    pub fn project_libraries(&self) -> Vec<&str> {
        let names = self.libraries.iter().map(String::as_str);
        names.filter(|name| !is_of_system(name)).collect()
    }
}

/// Returns whether a library belongs to the system or the compiler, by its name.
fn is_of_system(name: &str) -> bool {
    const STEMS: [&str; 12] = [
        "libc",
        "libm",
        "libdl",
        "librt",
        "libpthread",
        "libutil",
        "libstdc++",
        "libgcc_s",
        "libgfortran",
        "libquadmath",
        "libc++",
        "libresolv",
    ];
    let stem = name.split(".so").next().unwrap_or(name);
    STEMS.contains(&stem) || name.starts_with("ld-linux") || name.starts_with("ld64.so")
}

/// C libraries that contain mcount.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CountingLibrary {
    /// glibc on x86-64, where the cost of counting was measured.
    Measured,
    Other,
}

/// Systems with different profilers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum System {
    /// A timer of the process samples the running thread.
    Linux,
    /// The kernel samples the process in user mode.
    Bsd,
    /// A thread of the program samples the first thread by wall-clock time; in Cygwin, all
    /// threads.
    Windows,
}

pub(super) fn of(object: &object::File<'_>) -> Linkage {
    let mut linkage = of_file(object);
    let symbols =
        if linkage.is_dynamic() { dynamic_symbol_refs(object) } else { own_symbol_refs(object) };
    let refers_to = |names: &[&[u8]]| symbols.iter().any(|one| names.contains(&one.name));
    linkage.forks = refers_to(&FORKS);
    // A static program has these functions anyway.
    let imports = |names| linkage.is_dynamic() && refers_to(names);
    let (loads_plugins, exits_early) = (imports(&LOADS), imports(&EXITS));
    let changes_directory = imports(&CHANGES_DIRECTORY);
    linkage = Linkage { loads_plugins, exits_early, changes_directory, ..linkage };
    linkage.starts_threads =
        symbols.iter().any(|symbol| STARTS_THREAD.iter().any(|name| symbol.name.starts_with(name)));
    let imports_mcount =
        symbols.iter().any(|symbol| symbol.is_undefined && mcount_name(symbol.name).is_some());
    linkage.counted_by = (linkage.is_dynamic() && imports_mcount).then(|| {
        let is_glibc = linkage.libraries.iter().any(|name| name == "libc.so.6");
        let is_measured = is_glibc && object.architecture() == Architecture::X86_64;
        if is_measured { CountingLibrary::Measured } else { CountingLibrary::Other }
    });
    linkage
}

const FORKS: [&[u8]; 3] = [b"fork", b"daemon", b"forkpty"];
const LOADS: [&[u8]; 2] = [b"dlopen", b"dlmopen"];
const EXITS: [&[u8]; 3] = [b"_exit", b"_Exit", b"quick_exit"];
const CHANGES_DIRECTORY: [&[u8]; 3] = [b"chdir", b"fchdir", b"daemon"];

/// Names, or the starts of names, of functions that start threads: POSIX, C11, `std::thread` of
/// libstdc++, and OpenMP as compiled by GCC (`libgomp.h`) and LLVM (`kmp.h`).
const STARTS_THREAD: [&[u8]; 5] = [
    b"pthread_create",
    b"thrd_create",
    b"_ZNSt6thread15_M_start_thread",
    b"GOMP_parallel",
    b"__kmpc_fork_call",
];

fn of_file(object: &object::File<'_>) -> Linkage {
    match object {
        object::File::Elf32(elf) => of_elf(elf),
        object::File::Elf64(elf) => of_elf(elf),
        other => {
            let imports = other.imports().into_iter().flatten().flatten();
            let imported = imports.map(|import| import.library());
            let is_windows = super::executable::is_windows(other);
            Linkage {
                libraries: distinct(imported),
                system: is_windows.then_some(System::Windows),
                ..Linkage::default()
            }
        }
    }
}

fn of_elf<'data, Elf, R>(file: &ElfFile<'data, Elf, R>) -> Linkage
where
    Elf: FileHeader,
    R: ReadRef<'data>,
{
    let dynamic = file.elf_dynamic_table().ok();
    let entries = dynamic.iter().flat_map(|table| {
        let needed = table.iter().filter(|entry| entry.tag == elf::DT_NEEDED);
        needed.filter_map(|entry| table.string(entry).ok())
    });
    let is_program = dynamic.iter().flat_map(|table| table.iter()).any(|entry| {
        let flags = elf::DynamicFlags1(entry.val);
        entry.tag == elf::DT_FLAGS_1 && flags & elf::DF_1_PIE != elf::DynamicFlags1(0)
    });
    let mut all = dynamic.iter().flat_map(|table| table.iter());
    let has_lazy_stubs = all.any(|entry| entry.tag == elf::DT_JMPREL);
    let is_position_independent = file.kind() == ObjectKind::Dynamic;
    let is_program = is_program || file.section_by_name(".interp").is_some();
    Linkage {
        libraries: distinct(entries),
        is_position_independent,
        is_library: is_position_independent && !is_program,
        is_unlinked: file.kind() == ObjectKind::Relocatable,
        has_lazy_stubs,
        system: system_of(file),
        ..Linkage::default()
    }
}

/// The distinct names, in order of first appearance.
fn distinct<'n>(names: impl Iterator<Item = &'n [u8]>) -> Box<[String]> {
    let mut known = std::collections::HashSet::new();
    let names = names.filter(|&name| !name.is_empty() && known.insert(name));
    names.map(|name| String::from_utf8_lossy(name).into_owned()).collect()
}

/// The system by the ELF header, or else by the note of start-up files: name `GNU`, first
/// word 0 for Linux (Linux Standard Base, "ABI note tag").
fn system_of<'data, Elf, R>(file: &ElfFile<'data, Elf, R>) -> Option<System>
where
    Elf: FileHeader,
    R: ReadRef<'data>,
{
    const BSD_NOTES: [&str; 3] = [".note.openbsd.ident", ".note.netbsd.ident", ".note.tag"];
    match file.elf_header().e_ident().os_abi {
        elf::ELFOSABI_FREEBSD | elf::ELFOSABI_NETBSD | elf::ELFOSABI_OPENBSD => {
            return Some(System::Bsd);
        }
        elf::ELFOSABI_GNU => return Some(System::Linux),
        _ => {}
    }
    if BSD_NOTES.iter().any(|note| file.section_by_name(note).is_some()) {
        return Some(System::Bsd);
    }
    let note = file.section_by_name(".note.ABI-tag")?.data().ok()?;
    let (name, words) = note.get(12..)?.split_at_checked(4)?;
    (name == b"GNU\0" && words.starts_with(&[0; 4])).then_some(System::Linux)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::symbols::Executable;

    fn check(path: &str, libraries: &[&str], is_position_independent: bool) -> Linkage {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(path);
        let executable = Executable::open(&path).expect("the fixture can be read");
        let linkage = of(&executable.parse().expect("the fixture can be parsed"));
        assert_eq!(&*linkage.libraries, libraries, "{}", path.display());
        assert_eq!(linkage.is_position_independent, is_position_independent);
        linkage
    }

    #[test]
    fn libraries_and_system_equal_readelf() {
        let linkage = check("oddities/work", &["libc.so.6"], false);
        assert!(!linkage.is_library && linkage.is_dynamic());
        assert_eq!(linkage.system, Some(System::Linux));
        assert_eq!(linkage.counted_by, Some(CountingLibrary::Measured));
        assert_eq!(check("oddities/plain", &["libc.so.6"], false).counted_by, None);
        assert!(!check("tour/primes", &["libc.so.6"], true).is_library);
        assert!(check("oddities/exports.so", &["libc.so.6"], true).is_library);
        let linkage = check("tour/basic", &["libmpatrol.so", "libc.so.6"], false);
        assert_eq!(linkage.project_libraries(), ["libmpatrol.so"]);
    }
}
