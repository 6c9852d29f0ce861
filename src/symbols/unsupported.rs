//! Formats of executables that profan names, but does not read.

use crate::model::Endian;

/// Machines of COFF executables. Source: `include/coff` in binutils.
const COFF_MACHINES: [u64; 14] = [
    0x14c, 0x150, 0x151, 0x160, 0x162, 0x166, 0x183, 0x500, 0x550, 0xa00, 0x8000, 0x8300, 0xc1,
    0xc2,
];

/// Versions 1 and 2 of Texas Instruments' COFF, with a machine at the end of the header. Source:
/// "Common Object File Format", SPRAAO8.
const TI_VERSIONS: [u64; 2] = [0xc1, 0xc2];

/// 32 bits, 64 bits, and 64 bits of AIX 4.3. Source: `include/coff/rs6000.h` and `rs6k64.h` in
/// binutils.
const XCOFF_MAGICS: [u64; 3] = [0x1df, 0x1f7, 0x1ef];

/// The start of an a.out header, and of the optional header of COFF: impure, pure, and aligned
/// to pages. Source: `include/aout/aout64.h` in binutils.
const KINDS_OF_CODE: [u64; 3] = [0o407, 0o410, 0o413];

/// Machines in a.out headers: unknown, 68010, 68020 and SPARC of Sun, i386 of Linux; i386, m68k
/// with pages of 8 and 4 KiB, and SPARC of NetBSD. Source: `enum machine_type` in `bfd/libaout.h`
/// in binutils.
const AOUT_MACHINES: [u64; 9] = [0, 1, 2, 3, 100, 134, 135, 136, 138];

/// The format of an executable with this start, if profan does not read it.
pub(super) fn unsupported_format(start: &[u8]) -> Option<&'static str> {
    let coff = |start: &[u8], machines: &[u64]| {
        [Endian::Little, Endian::Big].iter().any(|&order| is_coff(start, order, machines))
    };
    if is_coff(start, Endian::Big, &XCOFF_MAGICS) {
        return Some("an XCOFF executable");
    }
    if coff(start, &COFF_MACHINES) {
        return Some("a COFF executable");
    }
    if behind_dos_stub(start).is_some_and(|behind| coff(behind, &COFF_MACHINES)) {
        return Some("a COFF executable with a DOS stub (DJGPP)");
    }
    let is_aout = [Endian::Little, Endian::Big].iter().any(|&order| is_aout(start, order));
    is_aout.then_some("an a.out executable")
}

/// A file header with at least one section, the size of an optional header and the flag of
/// executables; the optional header begins with the kind of code. Sources: `struct
/// external_filehdr` in `include/coff/external.h`, `F_EXEC` in `include/coff/internal.h`.
fn is_coff(start: &[u8], order: Endian, magics: &[u64]) -> bool {
    let half = |at: usize| Some(order.read_uint(start.get(at..at + 2)?));
    let is_one = || {
        let kind_at = match half(0)? {
            0x1f7 | 0x1ef => 24,
            version if TI_VERSIONS.contains(&version) => 22,
            _ => 20,
        };
        let has_code = half(2)? > 0 && half(16)? >= 28 && half(18)? & 2 != 0;
        let is_kind = KINDS_OF_CODE.contains(&half(kind_at)?);
        Some(magics.contains(&half(0)?) && has_code && is_kind)
    };
    is_one().unwrap_or(false)
}

/// The bytes after a DOS program. Source: the number of 512-byte pages and of bytes in the last
/// one, in `struct external_DOS_hdr`, `include/coff/pe.h` in binutils.
fn behind_dos_stub(start: &[u8]) -> Option<&[u8]> {
    let half = |at: usize| {
        let bytes = start.get(at..at + 2)?;
        Some(usize::from(u16::from_le_bytes([bytes[0], bytes[1]])))
    };
    if !start.starts_with(b"MZ") {
        return None;
    }
    let (n_in_last, n_pages) = (half(2)?, half(4)?);
    let n_missing = if n_in_last == 0 { 0 } else { 512usize.checked_sub(n_in_last)? };
    start.get((512 * n_pages).checked_sub(n_missing)?..)
}

/// A linked program with symbols of 12 bytes: its relocations have no size. NetBSD writes the
/// first word in big-endian order on all machines. Source: `struct external_exec` in
/// `include/aout/aout64.h`.
fn is_aout(start: &[u8], order: Endian) -> bool {
    /// In a BSD profile, the version of its layout.
    const GMON_VERSION: u64 = 0x51879;
    let Some(header) = start.get(..32) else {
        return false;
    };
    let words: Vec<_> = header.chunks_exact(4).map(|word| order.read_uint(word)).collect();
    let [_, text, _, bss, symbols, _, text_relocations, data_relocations] = words[..] else {
        return false;
    };
    let is_kind = [order, Endian::Big].iter().any(|first| {
        let word = first.read_uint(&header[..4]);
        let machine = word >> 16 & 0x3ff;
        KINDS_OF_CODE.contains(&(word & 0xffff)) && AOUT_MACHINES.contains(&machine)
    });
    let is_linked = text > 0 && text_relocations == 0 && data_relocations == 0;
    is_kind && is_linked && symbols > 0 && symbols.is_multiple_of(12) && bss != GMON_VERSION
}

#[cfg(test)]
mod tests {
    use super::*;

    fn halves(halves: &[u16], order: Endian) -> Vec<u8> {
        let bytes = |half: &u16| match order {
            Endian::Little => half.to_le_bytes(),
            Endian::Big => half.to_be_bytes(),
        };
        halves.iter().flat_map(bytes).collect()
    }

    fn check(start: &[u8], expected: Option<&str>) {
        assert_eq!(unsupported_format(start), expected, "{start:x?}");
    }

    #[test]
    fn executables_are_named_by_their_headers() {
        use Endian::{Big, Little};
        let coff = |machine, flags| [machine, 1, 0, 0, 184, 0, 3, 0, 28, flags, 0x10b, 0];
        check(&halves(&coff(0x14c, 0x10f), Little), Some("a COFF executable"));
        check(&halves(&coff(0x150, 0x10f), Big), Some("a COFF executable"));
        check(&halves(&coff(0x1df, 0x10f), Big), Some("an XCOFF executable"));
        let wide = [0x1f7, 2, 0, 0, 0, 0, 0, 184, 120, 2, 0, 3, 0x10b, 0];
        check(&halves(&wide, Big), Some("an XCOFF executable"));
        let ti = [0xc2, 5, 0, 0, 184, 0, 3, 0, 28, 0x102, 0x99, 0x108, 0];
        check(&halves(&ti, Little), Some("a COFF executable"));
        check(&halves(&ti, Big), Some("a COFF executable"));
        // Object files are not linked.
        check(&halves(&coff(0x14c, 0x104), Little), None);
        let mut dos = b"MZ\x40\x00\x01\x00".to_vec();
        dos.resize(64, 0);
        check(&dos, None);
        dos.extend(halves(&coff(0x14c, 0x10f), Little));
        check(&dos, Some("a COFF executable with a DOS stub (DJGPP)"));
        check(b"MZ\x01\x00\x00\x00", None);
        let aout = |first: [u16; 2], bss, symbols| {
            let rest = [96, 0, 0, 0, bss, 5, symbols, 0, 0, 0, 0, 0, 0, 0];
            [&first[..], &rest].concat()
        };
        check(&halves(&aout([0x107, 100], 0, 36), Little), Some("an a.out executable"));
        let net = [[0, 134, 1, 0x0b].to_vec(), halves(&aout([0, 0], 0, 36), Little)[4..].to_vec()];
        check(&net.concat(), Some("an a.out executable"));
        // The header of a BSD profile that starts at 0x640108, with 60 samples per second.
        check(
            &halves(&[0x108, 0x64, 0, 0x65, 512, 0, 0x1879, 5, 60, 0, 0, 0, 0, 0, 0, 0], Little),
            None,
        );
        check(&halves(&aout([0x107, 100], 0, 0), Little), None);
    }
}
