//! Split DWARF: functions and inlined code in `.dwo` files, or in a package of them (`.dwp`).
//!
//! The executable keeps a skeleton of each unit: its lines, the number of the unit (DWO ID), and
//! the name of its file. Source: DWARF 5, sections 3.1.2 and 7.3.5; GCC's `-gsplit-dwarf`.
//!
//! A name in an executable may be anybody's. So a file is only taken from the directory of the
//! executable, from below it, or from a directory that the user named, and must have the number
//! of the unit.

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

use gimli::{DwarfPackage, DwoId, SectionId};

use super::budgeted::{BudgetedBytes, SectionBudget, Zero};
use super::sections::{DebugSections, Decompression};
use super::units::{Dwarf, DwarfUnit, SplitUnit};
use crate::files::{open_plain, read_plain};
use crate::memory;
use crate::signals::Mapped;

/// Files of split debug information, opened when an address needs them.
pub(in crate::symbols) struct SplitFiles<'p> {
    image: &'p Path,
    directories: &'p [PathBuf],
    package: OnceCell<Option<Mapped>>,
    /// By number.
    units: OnceCell<Box<[(SplitUnit, FileBytes)]>>,
    /// Remaining bytes that files may take.
    left: Cell<u64>,
}

/// The bytes of the file of a unit, if it was found, after the first look-up.
type FileBytes = OnceCell<Option<Vec<u8>>>;

/// Units without their file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissingSplit {
    pub n_missing: usize,
    pub n_units: usize,
    /// The name of one of the files.
    pub file: PathBuf,
}

impl<'p> SplitFiles<'p> {
    pub(in crate::symbols) fn new(image: &'p Path, directories: &'p [PathBuf]) -> Self {
        Self {
            image,
            directories,
            package: OnceCell::new(),
            units: OnceCell::new(),
            left: Cell::new(memory::limit() / 4),
        }
    }

    pub(super) fn set_units(&self, mut units: Vec<SplitUnit>) {
        units.sort_by_key(|unit| unit.id);
        units.dedup_by_key(|unit| unit.id);
        let units = units.into_iter().map(|unit| (unit, FileBytes::new()));
        self.units.get_or_init(|| units.collect());
    }

    fn units(&self) -> &[(SplitUnit, FileBytes)] {
        self.units.get().map_or(&[], |units| units)
    }

    fn directory(&self) -> &Path {
        self.image.parent().unwrap_or(Path::new(""))
    }

    /// The package beside the executable, as `dwp` names it, or in a named directory.
    fn package(&self) -> Option<&[u8]> {
        let package = self.package.get_or_init(|| {
            let mut name = self.image.file_name()?.to_owned();
            name.push(".dwp");
            let named = self.directories.iter().map(PathBuf::as_path);
            let mut paths = [self.directory()].into_iter().chain(named).map(|dir| dir.join(&name));
            paths.find_map(|path| Mapped::new(open_plain(&path).ok()?, &path).ok())
        });
        package.as_deref()
    }

    /// The bytes of the first file that is that of a unit.
    fn file(&self, unit: &SplitUnit, is_right: impl Fn(&[u8]) -> bool) -> Option<Vec<u8>> {
        self.paths(unit).into_iter().find_map(|path| {
            let bytes = read_plain(&path, self.left.get()).ok()?;
            // Many units may name a large file that belongs to none of them.
            self.left.set(self.left.get().saturating_sub(bytes.len() as u64));
            is_right(&bytes).then_some(bytes)
        })
    }

    /// Beside the executable, where the compiler wrote it if that is below the executable's
    /// directory, and in named directories.
    fn paths(&self, unit: &SplitUnit) -> Vec<PathBuf> {
        let here = self.directory();
        let is_plain =
            |part: Component<'_>| matches!(part, Component::Normal(_) | Component::CurDir);
        let below = Some(&unit.name).filter(|name| name.components().all(is_plain));
        let file = unit.name.file_name().map(PathBuf::from);
        let file = file.filter(|file| below != Some(file));
        let names = || below.into_iter().chain(&file);
        let is_below = |path: &PathBuf| {
            let real = |path: &Path| path.canonicalize().ok();
            let directory = if here == Path::new("") { Path::new(".") } else { here };
            real(path).zip(real(directory)).is_some_and(|(path, here)| path.starts_with(here))
        };
        let mut paths: Vec<_> = names().map(|name| here.join(name)).collect();
        paths.push(unit.built_in.join(&unit.name));
        paths.retain(is_below);
        paths.extend(
            self.directories.iter().flat_map(|dir| names().map(move |name| dir.join(name))),
        );
        paths
    }
}

/// The sections of a file, with the budget for reading them.
struct SplitSections<'d> {
    sections: DebugSections<'d>,
    budget: SectionBudget,
}

impl<'d> SplitSections<'d> {
    fn of(bytes: &'d [u8], decompression: &Decompression) -> Option<Self> {
        let object = object::File::parse(bytes).ok()?;
        let sections = DebugSections::load_split(&object, bytes.len() as u64, decompression);
        Some(Self { budget: SectionBudget::shared(&sections, 1), sections })
    }

    fn reader(&self, id: SectionId) -> BudgetedBytes<'_> {
        let bytes = self.sections.reader(self.sections.bytes(id));
        BudgetedBytes::new(bytes, &self.budget, Zero::Address)
    }

    fn dwarf(&self) -> Dwarf<'_> {
        self.sections.dwarf_of(|id, _| self.reader(id))
    }

    /// The unit with a number in a package.
    fn packed<'s>(&'s self, id: DwoId, parent: &Dwarf<'s>) -> Option<Dwarf<'s>> {
        let empty = self.sections.reader(&[]);
        let empty = BudgetedBytes::new(empty, &self.budget, Zero::Address);
        let load = |id| Ok::<_, gimli::Error>(self.reader(id));
        DwarfPackage::load(load, empty).ok()?.find_cu(id, parent).ok()?
    }
}

/// Reads split debug information.
pub(super) struct SplitReader<'d> {
    files: &'d SplitFiles<'d>,
    decompression: Decompression,
    package: OnceCell<Option<SplitSections<'d>>>,
    units: OnceCell<Box<[OnceCell<Option<SplitSections<'d>>>]>>,
    missing: RefCell<BTreeSet<u64>>,
}

impl<'d> SplitReader<'d> {
    pub(super) fn new(files: &'d SplitFiles<'d>, n_bytes: u64) -> Self {
        Self {
            files,
            decompression: Decompression::of_file(n_bytes),
            package: OnceCell::new(),
            units: OnceCell::new(),
            missing: RefCell::default(),
        }
    }

    pub(super) fn set_units(&self, units: Vec<SplitUnit>) {
        self.files.set_units(units);
    }

    /// Returns whether no unit has a file of its own.
    pub(super) fn is_empty(&self) -> bool {
        self.files.units().is_empty()
    }

    /// The debug information of a unit. `parent` is that of its skeleton.
    pub(super) fn dwarf<'s>(&'s self, id: DwoId, parent: &Dwarf<'s>) -> Option<Dwarf<'s>> {
        let found = self.in_package(id, parent).or_else(|| self.in_file(id, parent));
        if found.is_none() {
            self.missing.borrow_mut().insert(id.0);
        }
        found
    }

    fn in_package<'s>(&'s self, id: DwoId, parent: &Dwarf<'s>) -> Option<Dwarf<'s>> {
        let load = || SplitSections::of(self.files.package()?, &self.decompression);
        self.package.get_or_init(load).as_ref()?.packed(id, parent)
    }

    fn in_file<'s>(&'s self, id: DwoId, parent: &Dwarf<'s>) -> Option<Dwarf<'s>> {
        let units = self.files.units();
        let index = units.binary_search_by_key(&id.0, |(unit, _)| unit.id).ok()?;
        let sections = self.units.get_or_init(|| units.iter().map(|_| OnceCell::new()).collect());
        let sections = sections[index].get_or_init(|| {
            let (unit, bytes) = &units[index];
            let bytes = bytes.get_or_init(|| {
                self.files.file(unit, |bytes| {
                    let sections = SplitSections::of(bytes, &self.decompression);
                    sections.is_some_and(|sections| id_of(&sections.dwarf()) == Some(id))
                })
            });
            SplitSections::of(bytes.as_ref()?, &self.decompression)
        });
        let mut dwarf = sections.as_ref()?.dwarf();
        dwarf.make_dwo(parent);
        Some(dwarf)
    }

    fn all(&self) -> impl Iterator<Item = &SplitSections<'d>> {
        let units = self.units.get().into_iter().flatten();
        [&self.package].into_iter().chain(units).filter_map(|cell| cell.get()?.as_ref())
    }

    /// Returns whether something was skipped because it would exceed the memory limit.
    pub(super) fn is_too_large(&self) -> bool {
        self.all().any(|one| one.budget.is_too_large() || one.sections.are_too_large())
    }

    /// The units that were needed and are missing.
    pub(super) fn missing(&self) -> Option<MissingSplit> {
        let missing = self.missing.borrow();
        let first = missing.first()?;
        let units = self.files.units();
        let (unit, _) = units.iter().find(|(unit, _)| unit.id == *first)?;
        let (n_missing, n_units) = (missing.len(), units.len());
        Some(MissingSplit { n_missing, n_units, file: unit.name.clone() })
    }
}

/// The number of the first unit.
fn id_of(dwarf: &Dwarf<'_>) -> Option<DwoId> {
    let header = dwarf.units().next().ok()??;
    dwarf.unit(header).ok()?.dwo_id
}

/// The first unit of a file, with the addresses of its skeleton.
pub(super) fn unit_of<'s>(
    dwarf: &Dwarf<'s>,
    skeleton: &DwarfUnit<'s>,
) -> Result<Option<DwarfUnit<'s>>, gimli::Error> {
    let Some(header) = dwarf.units().next()? else {
        return Ok(None);
    };
    let mut unit = dwarf.unit(header)?;
    unit.copy_relocated_attributes(skeleton);
    Ok(Some(unit))
}
