//! Modules of functions and their colours, the same in pages and pictures: a module is a
//! library, else a package, else a source file.

use std::collections::{HashMap, HashSet};
use std::io;

use foldhash::fast::RandomState;

use super::name_form::CLONE_MARKS;
use super::visible;
use crate::report::{Cell, NameTable, Report, Role, RowKind, SectionId, last_component};

/// Number of different hues.
const N_HUES: u32 = 18;

/// Functions whose modules have different hues, as far as there are any.
const N_COLOURED: usize = 5000;

/// The lightness of colours on a light and on a dark ground, as in the style of pages.
pub(super) const LIGHTNESS: [f64; 2] = [0.86, 0.4];

/// The parts of a function's name and origin that tell its module.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct FunctionOrigin<'n> {
    pub(super) name: &'n [u8],
    pub(super) file: &'n [u8],
    pub(super) object: &'n [u8],
}

impl<'n> FunctionOrigin<'n> {
    /// The origin of the function that a cell names.
    pub(super) fn of(name: &'n Cell, names: &'n dyn NameTable) -> Self {
        match name {
            Cell::Name(id) => Self {
                name: names.name(*id),
                file: names.location(*id).map_or(b"", |location| location.file),
                object: names.object(*id).unwrap_or_default(),
            },
            text => Self { name: text.bytes(names), file: b"", object: b"" },
        }
    }
}

/// How functions are told apart.
#[derive(Clone, Copy, Debug)]
enum Way {
    /// By library; functions of the program itself by package.
    Object,
    /// By package, or by source file without one.
    Package,
    /// By source file.
    File,
}

/// The modules of a report.
#[derive(Debug, Default)]
pub(super) struct Modules {
    /// `None` if no way tells functions apart.
    way: Option<Way>,
    /// The program itself, if most functions are its own.
    program: Option<Vec<u8>>,
    hues: HashMap<Vec<u8>, u32, RandomState>,
}

impl Modules {
    /// The modules of the functions of a report. The hottest functions come first, so that their
    /// modules have different hues.
    pub(super) fn of(report: &Report) -> Self {
        let cells = functions_of(report);
        let origins: Vec<_> =
            cells.iter().map(|cell| FunctionOrigin::of(cell, &*report.names)).collect();
        let mut counts: HashMap<&[u8], usize, RandomState> = HashMap::default();
        for origin in &origins {
            *counts.entry(origin.object).or_insert(0) += 1;
        }
        let program =
            counts.into_iter().find(|&(name, n)| !name.is_empty() && n * 2 > origins.len());
        let program = program.map(|(name, _)| name.to_vec());
        let n_different = |modules: &mut dyn Iterator<Item = &[u8]>| {
            modules.filter(|module| !module.is_empty()).collect::<HashSet<_, RandomState>>().len()
        };
        let packages = &mut origins.iter().map(|origin| package_of(origin.name));
        let by_name = if n_different(packages) > 1 { Way::Package } else { Way::File };
        let mut modules = Self { way: None, program, hues: HashMap::default() };
        for way in [Way::Object, by_name] {
            modules.way = Some(way);
            let of_all = &mut origins.iter().map(|origin| modules.module_of(origin));
            if n_different(of_all) > 1 {
                modules.give_hues(&origins);
                return modules;
            }
        }
        modules.way = None;
        modules
    }

    /// The noun that colours stand for.
    pub(super) fn noun(&self) -> &'static str {
        if self.way.is_some() { "module" } else { "function" }
    }

    /// The module of a function; empty if unknown, or if it tells nothing.
    pub(super) fn module_of<'n>(&self, origin: &FunctionOrigin<'n>) -> &'n [u8] {
        let package_or = |other| match package_of(origin.name) {
            b"" => other,
            package => package,
        };
        match self.way {
            None => b"",
            Some(Way::File) => origin.file,
            Some(Way::Package) => package_or(origin.file),
            Some(Way::Object) if self.program.as_deref() == Some(origin.object) => {
                package_or(origin.object)
            }
            Some(Way::Object) => origin.object,
        }
    }

    /// The hue of a function: that of its module, or its own if modules tell nothing.
    pub(super) fn hue_of(&self, origin: &FunctionOrigin<'_>) -> Option<u32> {
        let module = match self.way {
            Some(_) => self.module_of(origin),
            None => origin.name,
        };
        if module.is_empty() {
            return None;
        }
        Some(self.hues.get(module).copied().unwrap_or_else(|| hash_of(module) % N_HUES))
    }

    /// Gives each module the hue of its name, or the next free one.
    fn give_hues(&mut self, origins: &[FunctionOrigin<'_>]) {
        let mut taken = HashSet::<u32, RandomState>::default();
        for origin in origins {
            let module = self.module_of(origin);
            if module.is_empty() || self.hues.contains_key(module) {
                continue;
            }
            let mut hue = hash_of(module) % N_HUES;
            if taken.len() < N_HUES as usize {
                // The step has no divisor in common with the number of hues.
                while !taken.insert(hue) {
                    hue = (hue + 7) % N_HUES;
                }
            }
            self.hues.insert(module.to_vec(), hue);
        }
    }
}

/// The functions of a report, the hottest first, in the first tables that have any.
fn functions_of(report: &Report) -> Vec<Cell> {
    use SectionId as S;
    let mut functions = Vec::new();
    for ids in [
        &[S::Flat, S::Difference, S::Spread][..],
        &[S::Graph, S::GraphDifference],
        &[S::ByFile],
        &[S::Tree],
    ] {
        for section in report.sections.iter().filter(|section| ids.contains(&section.id)) {
            let is_name = |column: &crate::report::Column| column.role == Role::Name;
            let Some(name) = section.columns.iter().rposition(is_name) else { continue };
            // The end of visits is no failure.
            let _ = section.rows.for_each(&mut |row| {
                if row.kind == RowKind::Entry {
                    functions.push(row.cells[name].clone());
                }
                if functions.len() < N_COLOURED { Ok(()) } else { Err(io::Error::other("enough")) }
            });
        }
        if !functions.is_empty() {
            break;
        }
    }
    functions
}

/// The package of a Go function, or the first namespace of a name; empty for a plain name.
fn package_of(name: &[u8]) -> &[u8] {
    const UNNAMED: &[u8] = b"(anonymous namespace)::";
    let is_letter = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let blank = name.iter().take_while(|byte| is_letter(byte) || **byte == b' ').count();
    let bare = name[blank..].strip_prefix(UNNAMED).unwrap_or(name);
    let end = bare.iter().position(|byte| b"<([{".contains(byte)).unwrap_or(bare.len());
    let bare = &bare[..end];
    if let Some(end) = bare.windows(2).position(|pair| pair == b"::") {
        // Names of templates begin with the type of their result.
        return bare[..end].rsplit(|byte| *byte == b' ').next().unwrap_or_default();
    }
    let is_path = |byte: &u8| is_letter(byte) || b".-/".contains(byte);
    let path = bare.iter().take_while(|byte| is_path(byte)).count();
    let start = bare[..path].iter().rposition(|byte| *byte == b'/').map_or(0, |at| at + 1);
    match bare[start..path].iter().position(|byte| *byte == b'.') {
        Some(length) if length > 0 && !is_clone(&bare[start + length + 1..]) => {
            &bare[..start + length]
        }
        _ => b"",
    }
}

/// Returns whether the text after a full stop is a number or a mark of a compiler.
fn is_clone(rest: &[u8]) -> bool {
    let word = rest.split(|byte| *byte == b'.').next().unwrap_or_default();
    let is_number = !word.is_empty() && word.iter().all(u8::is_ascii_digit);
    is_number || CLONE_MARKS.iter().any(|mark| mark.as_bytes() == word)
}

/// The last component of a module that is a path, also of Windows.
pub(super) fn base_of(module: &[u8]) -> &[u8] {
    module.rsplit(|byte| b"/\\".contains(byte)).next().unwrap_or(module)
}

/// The same number for the last component of the same path everywhere.
fn hash_of(module: &[u8]) -> u32 {
    let step = |hash: u32, letter: char| hash.wrapping_mul(31).wrapping_add(u32::from(letter));
    visible(base_of(module)).chars().fold(7, step)
}

/// What is told by shade, not by hue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Shade {
    Plain,
    /// The runtime of a language.
    Runtime,
    Kernel,
    /// Inlined code.
    Inlined,
}

impl Shade {
    /// The shade of a function: inlined code is told by its calls.
    pub(super) fn of(origin: &FunctionOrigin<'_>) -> Self {
        let object = last_component(origin.object);
        let bare = object.strip_prefix(b"[").unwrap_or(object);
        let is_kernel = [&b"kernel"[..], b"guest.kernel", b"vmlinux"]
            .iter()
            .any(|start| bare.starts_with(start));
        if is_kernel || bare.ends_with(b".ko") || bare.ends_with(b".ko]") {
            return Self::Kernel;
        }
        let starts = [&b"runtime."[..], b"std::rt::", b"__libc_start"];
        let is_runtime = starts.iter().any(|start| origin.name.starts_with(start));
        if is_runtime || origin.name == b"_start" { Self::Runtime } else { Self::Plain }
    }

    /// Chroma, and the difference in lightness, as in the style of pages.
    fn tone(self) -> (f64, f64) {
        match self {
            Self::Plain => (0.09, 0.0),
            Self::Runtime => (0.045, 0.0),
            Self::Kernel => (0.03, -0.05),
            Self::Inlined => (0.09, 0.05),
        }
    }

    /// A line of a legend.
    pub(super) fn meaning(self) -> &'static str {
        match self {
            Self::Plain => "",
            Self::Runtime => "greyer: runtime of the language",
            Self::Kernel => "greyer and darker: kernel",
            Self::Inlined => "lighter: inlined",
        }
    }
}

/// A colour as `#rrggbb`. Source: Björn Ottosson, "A perceptual color space for image
/// processing" (bottosson.github.io/posts/oklab).
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "parts are from 0 to 1"
)]
pub(super) fn color_of(hue: u32, shade: Shade, lightness: f64) -> String {
    let angle = f64::from(hue) * std::f64::consts::TAU / f64::from(N_HUES);
    let (chroma, shift) = shade.tone();
    let [light, a, b] = [lightness + shift, chroma * angle.cos(), chroma * angle.sin()];
    let l = light + 0.396_337_777_4 * a + 0.215_803_757_3 * b;
    let m = light - 0.105_561_345_8 * a - 0.063_854_172_8 * b;
    let s = light - 0.089_484_177_5 * a - 1.291_485_548_0 * b;
    let [l, m, s] = [l, m, s].map(|cone| cone * cone * cone);
    let linear = [
        4.076_741_662_1 * l - 3.307_711_591_3 * m + 0.230_969_929_2 * s,
        -1.268_438_004_6 * l + 2.609_757_401_1 * m - 0.341_319_396_5 * s,
        -0.004_196_086_3 * l - 0.703_418_614_7 * m + 1.707_614_701_0 * s,
    ];
    let byte_of = |part: f64| {
        let part = part.clamp(0.0, 1.0);
        let part =
            if part <= 0.003_130_8 { 12.92 * part } else { 1.055 * part.powf(1.0 / 2.4) - 0.055 };
        format!("{:02x}", (part * 255.0).round() as u8)
    };
    linear.map(byte_of).into_iter().fold("#".to_owned(), |color, part| color + &part)
}

/// The angle of a hue in degrees.
pub(super) fn degrees_of(hue: u32) -> u32 {
    hue * 360 / N_HUES
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(name: &str, expected: &str) {
        let package = package_of(name.as_bytes());
        assert_eq!(String::from_utf8_lossy(package), expected, "for {name}");
    }

    #[test]
    fn packages_are_before_the_last_full_stop_or_the_first_colons() {
        check("encoding/json.(*decodeState).value", "encoding/json");
        check("example.com/x/words.main", "example.com/x/words");
        check("runtime.mallocgc", "runtime");
        check("void geo::visible<int>(int)", "geo");
        check("int (anonymous namespace)::sort::step(int)", "sort");
        check("std::map<a::b, c>::find(int)", "std");
    }

    #[test]
    fn plain_names_and_clones_have_no_package() {
        for name in ["main", "sort.constprop.0", "f.part.1", "fold.12", "", ".text", "a b.c"] {
            check(name, "");
        }
    }

    #[test]
    fn colours_are_those_of_browsers() {
        // oklch(.86 .09 0), oklch(.4 .09 240) and oklch(.81 .03 120) in Chromium.
        assert_eq!(color_of(0, Shade::Plain, LIGHTNESS[0]), "#ffb9ce");
        assert_eq!(color_of(12, Shade::Plain, LIGHTNESS[1]), "#034d73");
        assert_eq!(color_of(6, Shade::Kernel, LIGHTNESS[0]), "#bec4af");
    }

    #[test]
    fn pages_have_the_same_tones() {
        let style = include_str!("html/page/page.css");
        let [light, dark] = LIGHTNESS;
        for lightness in [light, dark] {
            let text = format!("--light:{lightness}").replace("0.", ".");
            assert!(style.contains(&text), "{text}");
        }
        for shade in [Shade::Plain, Shade::Runtime, Shade::Kernel, Shade::Inlined] {
            let (chroma, shift) = shade.tone();
            let text = format!("{chroma}").replace("0.", ".");
            assert!(style.contains(&text), "{text}");
            let text = format!("--shift:{shift}").replace("0.", ".");
            assert!(shift == 0.0 || style.contains(&text), "{text}");
        }
    }
}
