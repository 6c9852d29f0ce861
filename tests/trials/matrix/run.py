#!/usr/bin/env python3
"""Asks `profan -i` about programs that were built anew or loaded elsewhere since a run.

    tests/trials/matrix/run.py [--keep DIR] PROFAN [NAME...]

Each program is built and run once; its profile is then given with the program itself,
and with that after a change of each kind. Programs for other machines run under
qemu-user. What is not installed is left out, and said. The exit status is 1 if any
verdict is wrong.

What is right: `same` where no symbol of the code has moved, `other` where one has,
and `moved` where the whole has. A program linked for fixed addresses cannot be loaded a
little away from them: `other`. Where only bytes differ at the same addresses, nothing need
tell, and `other` is as right as `same`.
"""
import argparse
import re
import shutil
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

from programs import source

# Name, language, prefix of the tools, emulator, flags.
X86 = ("", "")
PROGRAMS = [
    ("c-O0-nopie", "c", X86, "-O0 -no-pie"),
    ("c-O1-pie", "c", X86, "-O1 -pie -fPIE"),
    ("c-O2-nopie", "c", X86, "-O2 -no-pie"),
    ("c-O2-pie", "c", X86, "-O2 -pie -fPIE"),
    ("c-O3-pie", "c", X86, "-O3 -pie -fPIE"),
    ("c-O2-static", "c", X86, "-O2 -static"),
    ("c-O2-staticpie", "c", X86, "-O2 -static-pie -fPIE"),
    ("c-O2-lto", "c", X86, "-O2 -no-pie -flto"),
    ("c-O2-fentry", "c", X86, "-O2 -pie -fPIE -mfentry -fcf-protection"),
    ("c-O2-plt", "c", X86, "-O2 -pie -fPIE -fplt -Wl,-z,lazy"),
    ("cxx-O0-pie", "c++", X86, "-O0 -pie -fPIE"),
    ("cxx-O2-nopie", "c++", X86, "-O2 -no-pie"),
    ("cxx-O2-static", "c++", X86, "-O2 -static"),
    ("fortran-O1-pie", "fortran", X86, "-O1 -pie -fPIE"),
    ("fortran-O2-nopie", "fortran", X86, "-O2 -no-pie"),
    ("i386-O1-nopie", "c", ("i686-linux-gnu", "i386"), "-O1 -no-pie"),
    ("i386-O2-pie", "c", ("i686-linux-gnu", "i386"), "-O2 -pie -fPIE"),
    ("aarch64-O1-nopie", "c", ("aarch64-linux-gnu", "aarch64"), "-O1 -no-pie"),
    ("aarch64-O2-pie", "c", ("aarch64-linux-gnu", "aarch64"), "-O2 -pie -fPIE"),
    ("aarch64-cxx", "c++", ("aarch64-linux-gnu", "aarch64"), "-O1 -pie -fPIE"),
    ("arm-O2-thumb", "c", ("arm-linux-gnueabihf", "arm"), "-O2 -no-pie -mthumb"),
    ("arm-O1-arm", "c", ("arm-linux-gnueabihf", "arm"), "-O1 -pie -fPIE -marm"),
    ("arm-static", "c", ("arm-linux-gnueabihf", "arm"), "-O2 -static -mthumb"),
    ("riscv64-O2-nopie", "c", ("riscv64-linux-gnu", "riscv64"), "-O2 -no-pie"),
    ("riscv64-O1-pie", "c", ("riscv64-linux-gnu", "riscv64"), "-O1 -pie -fPIE"),
    ("powerpc-O2-nopie", "c", ("powerpc-linux-gnu", "ppc"), "-O2 -no-pie"),
    ("powerpc-O1-pie", "c", ("powerpc-linux-gnu", "ppc"), "-O1 -pie -fPIE"),
    ("powerpc64-static", "c", ("powerpc64-linux-gnu", "ppc64"), "-O2 -static"),
    ("powerpc64le-O2-pie", "c", ("powerpc64le-linux-gnu", "ppc64le"), "-O2 -pie -fPIE"),
    ("mips-O1-nopie", "c", ("mips-linux-gnu", "mips"), "-O1 -no-pie"),
    ("mips-O2-pie", "c", ("mips-linux-gnu", "mips"), "-O2 -pie -fPIE"),
    ("s390x-O2-pie", "c", ("s390x-linux-gnu", "s390x"), "-O2 -pie -fPIE"),
    ("s390x-static", "c", ("s390x-linux-gnu", "s390x"), "-O1 -static"),
    ("sparc64-O1-nopie", "c", ("sparc64-linux-gnu", "sparc64"), "-O1 -no-pie"),
    ("sparc64-O2-pie", "c", ("sparc64-linux-gnu", "sparc64"), "-O2 -pie -fPIE"),
]

KINDS = ["true", "first", "last", "grown", "shrunk", "level", "reordered", "constant", "another",
         "slid", "relinked", "stripped", "debug", "lto", "march", "first-stripped", "slid-first"]

COMPILERS = {"c": "gcc", "c++": "g++", "fortran": "gfortran"}
ENDINGS = {"c": ".c", "c++": ".cc", "fortran": ".f90"}
MARCH = {"": "-march=haswell", "i686-linux-gnu": "-march=pentium4 -mtune=pentium4",
         "aarch64-linux-gnu": "-march=armv8.2-a -mtune=cortex-a76",
         "arm-linux-gnueabihf": "-march=armv7ve+simd", "riscv64-linux-gnu": "-march=rv64imafd",
         "powerpc-linux-gnu": "-mcpu=603", "powerpc64-linux-gnu": "-mcpu=power8",
         "s390x-linux-gnu": "-march=z14", "powerpc64le-linux-gnu": "-mcpu=power9",
         "mips-linux-gnu": "-march=mips32r5", "sparc64-linux-gnu": "-mcpu=niagara4"}
SLIDE = 0x4a2000
# What the names of functions of the sources have in them.
OWN = ["leaf", "twice", "sorted", "fibonacci", "even", "odd", "main", "MAIN__", "area", "total",
       "words", "numbers", "countdown", "smooth"]


class Program:
    def __init__(self, entry, scratch):
        self.name, self.language, (self.prefix, self.emulator), self.flags = entry
        self.scratch = scratch / self.name
        self.scratch.mkdir(parents=True, exist_ok=True)

    def tool(self, name):
        return f"{self.prefix}-{name}" if self.prefix else name

    @property
    def compiler(self):
        return self.tool(COMPILERS[self.language])

    def is_possible(self):
        emulator = not self.emulator or shutil.which(f"qemu-{self.emulator}")
        return shutil.which(self.compiler) and emulator

    def build(self, kind, flags="", change=None):
        """The program after a change; `None` where the tools cannot make it."""
        rounds = 40 if self.emulator else 400
        text = source(self.language, rounds, change)
        language = self.language
        if text is None:
            text, language = source("c", rounds, change), "c"
        # The name of the source must not change, for it may be in the program.
        path = self.scratch / ("matrix" + ENDINGS[language])
        path.write_text(text)
        made = self.scratch / kind
        compiler = self.compiler if language == self.language else self.tool("gcc")
        line = [compiler, "-pg", *self.flags.split(), *flags.split(), path.name, "-o", made.name]
        done = subprocess.run(line, cwd=self.scratch, capture_output=True, text=True)
        return made if done.returncode == 0 else None

    def run(self, made):
        """The profile of a run; `None` where none was written."""
        written = self.scratch / "gmon.out"
        written.unlink(missing_ok=True)
        line = [str(made)]
        if self.emulator:
            line = [f"qemu-{self.emulator}", "-L", f"/usr/{self.prefix}", str(made)]
        subprocess.run(line, cwd=self.scratch, capture_output=True, timeout=120)
        profile = self.scratch / "run.gmon"
        if written.exists():
            written.rename(profile)
        return profile if profile.exists() else None

    def layout(self, made):
        """The addresses of the functions of the sources, and of the end of the code."""
        out = subprocess.run([self.tool("nm"), made], capture_output=True, text=True).stdout
        lines = [line.split() for line in out.splitlines()]
        return {name: int(address, 16) for address, sort, name in (w for w in lines if len(w) == 3)
                if name == "etext" or sort in "tTwW" and any(own in name for own in OWN)}

    def variant(self, kind, base):
        """The program to ask about, and whether its code lies where that of the run did."""
        if kind in ("true", "slid"):
            return base
        if kind in ("stripped", "first-stripped"):
            made = base if kind == "stripped" else self.build("first", change="first")
            bare = self.scratch / kind
            subprocess.run([self.tool("strip"), "-o", bare, made], check=True)
            return bare
        if kind == "relinked":
            if "nopie" not in self.name:
                return None
            at = 0x20000000 if "powerpc" in self.name else 0x8000000 + 0x4a0000
            return self.build(kind, f"-Wl,-Ttext-segment={at:#x}")
        if kind == "level":
            level = "-O1" if "-O2" in self.flags or "-O0" in self.flags else "-O2"
            return self.build(kind, level)
        flags = {"debug": "-g", "lto": "-fno-lto" if "-flto" in self.flags else "-flto",
                 "march": MARCH[self.prefix]}
        if kind in flags:
            return self.build(kind, flags[kind])
        change = "first" if kind == "slid-first" else kind
        return self.build(kind, change=change)


def slid(path, program):
    """The same profile as a run would have written that was loaded elsewhere."""
    head = Path(program).read_bytes()[:6]
    word, order = ("Q" if head[4] == 2 else "I"), ("<" if head[5] == 1 else ">")
    data = bytearray(path.read_bytes())
    at, size = 20, struct.calcsize(word)
    while at < len(data):
        low, high = struct.unpack_from(order + 2 * word, data, at + 1)
        struct.pack_into(order + 2 * word, data, at + 1, low + SLIDE, high + SLIDE)
        if data[at] == 0:
            n_bins = struct.unpack_from(order + "I", data, at + 1 + 2 * size)[0]
            at += 1 + 2 * size + 24 + 2 * n_bins
        else:
            at += 1 + 2 * size + 4
    moved = path.with_suffix(".slid")
    moved.write_bytes(data)
    return moved


def ask(profan, profile, made):
    """The verdict, and the status of a strict report."""
    out = subprocess.run([profan, "-i", profile, made], capture_output=True, text=True).stdout
    line = next((line for line in out.splitlines() if line.startswith("  program ")), "")
    strict = subprocess.run([profan, "--strict", "-p", profile, made], capture_output=True)
    if "loaded at" in line:
        verdict = "moved " + re.search(r"loaded at (0x[0-9a-f]+)", line)[1]
    elif "does not match" in line:
        verdict = "other"
    elif "may match" in line:
        verdict = "?"
    else:
        verdict = "same" if "matches" in line else "nothing"
    return verdict, strict.returncode


def base_of(program, made):
    """The lowest address that a program is linked at."""
    out = subprocess.run([program.tool("readelf"), "-lW", made], capture_output=True, text=True)
    loads = re.findall(r"^  LOAD +0x[0-9a-f]+ (0x[0-9a-f]+)", out.stdout, re.M)
    return min(int(address, 16) for address in loads)


def moved(program, base):
    """The verdict on a profile whose addresses are all higher by SLIDE."""
    head = subprocess.run([program.tool("readelf"), "-h", base], capture_output=True, text=True)
    is_fixed = re.search(r"Type: +EXEC", head.stdout)
    return "other" if is_fixed else f"moved {base_of(program, base) + SLIDE:#x}"


def right(kind, program, base, made):
    """The verdicts that are right."""
    was = program.layout(base)
    if kind == "slid":
        return {moved(program, base)}
    if kind == "stripped":
        return {"same"}
    if kind == "relinked":
        now = program.layout(made)
        distances = {was[name] - now[name] for name in was if name in now}
        if len(distances) == 1:
            return {f"moved {base_of(program, made) + distances.pop():#x}"}
        return {"other"}
    first = kind in ("first-stripped", "slid-first")
    now = program.layout(program.scratch / "first" if first else made)
    if now != was:
        return {"other"}
    if kind == "slid-first":
        return {moved(program, base)}
    return {"same"} if kind in ("true", "debug", "constant") else {"same", "other"}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--keep", type=Path, help="build in this folder and leave it")
    parser.add_argument("profan", type=Path)
    parser.add_argument("names", nargs="*", help="only programs of these names")
    arguments = parser.parse_args()
    profan = arguments.profan.resolve()
    with tempfile.TemporaryDirectory() as scratch:
        scratch = (arguments.keep or Path(scratch)).resolve()
        n_wrong = n_asked = n_programs = 0
        print("program".ljust(20), *(kind[:9].ljust(9) for kind in KINDS))
        for entry in PROGRAMS:
            program = Program(entry, scratch)
            if arguments.names and program.name not in arguments.names:
                continue
            if not program.is_possible():
                print(program.name.ljust(20), f"left out: no {program.compiler}, or no emulator")
                continue
            base = program.build("true")
            profile = base and program.run(base)
            if not profile:
                print(program.name.ljust(20), "left out: it cannot be built, or wrote no profile")
                continue
            n_programs += 1
            cells = []
            for kind in KINDS:
                made = program.variant(kind, base)
                if not made:
                    cells.append("-")
                    continue
                given = slid(profile, base) if kind.startswith("slid") else profile
                verdict, status = ask(profan, given, made)
                fits = verdict in right(kind, program, base, made)
                fits = fits and status == (2 if verdict == "other" else 0)
                n_asked += 1
                n_wrong += not fits
                cells.append(verdict.split()[0] + ("" if fits else "!"))
            print(program.name.ljust(20), *(cell.ljust(9) for cell in cells), flush=True)
    print(f"{n_programs} programs, {n_asked} verdicts, {n_wrong} wrong")
    return 1 if n_wrong else 0


if __name__ == "__main__":
    sys.exit(main())
