//! Options of gprof that ask about a program.

use arbitrary::{Result, Unstructured};

use super::chance::{one_in, several};
use super::elf::Elf;
use super::program::NAMES;

/// Options that print to the standard output and read no other file.
pub(super) fn any_options(bytes: &mut Unstructured<'_>, program: &Elf) -> Result<Vec<String>> {
    // The explanations are worded anew.
    let mut options = vec!["-b".to_owned()];
    const PLAIN: &[&str] = &[
        "-p",
        "-q",
        "-z",
        "-a",
        "-c",
        "-l",
        "-T",
        "-C",
        "-r",
        "-L",
        "-D",
        "-i",
        "-P",
        "-Q",
        "-Z",
        "-B",
        "--no-demangle",
        "--demangle",
        "--demangle=gnu-v3",
        "--inline-file-names",
        "-w60",
        "-m2",
        "-t3",
        "-x",
    ];
    const WITH_SPEC: &[&str] =
        &["-p", "-q", "-P", "-Q", "-C", "-Z", "-e", "-E", "-f", "-F", "-n", "-N", "-k"];
    options.extend(several(bytes, 4, |bytes| {
        Ok(if one_in(bytes, 3)? {
            format!("{}{}", bytes.choose(WITH_SPEC)?, any_spec(bytes, program)?)
        } else {
            (*bytes.choose(PLAIN)?).to_owned()
        })
    })?);
    Ok(options)
}

fn any_spec(bytes: &mut Unstructured<'_>, program: &Elf) -> Result<String> {
    let name = |bytes: &mut Unstructured<'_>| -> Result<String> {
        if program.symbols.is_empty() || one_in(bytes, 6)? {
            return Ok((*bytes.choose(NAMES)?).to_owned());
        }
        let symbol = bytes.choose(&program.symbols)?;
        Ok(String::from_utf8_lossy(&symbol.name).into_owned())
    };
    Ok(match bytes.int_in_range(0..=7)? {
        0 | 1 => format!("{}/{}", name(bytes)?, name(bytes)?),
        2 => format!("a.c:{}", name(bytes)?),
        _ => name(bytes)?,
    })
}
