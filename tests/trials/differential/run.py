#!/usr/bin/env python3
"""Compares `profan gprof` with the gprof that is installed, over made-up profiles and
options of programs that are built for it.

    tests/trials/differential/run.py target/release/profan [N_CASES [SEED]]
        --built FOLDER   keeps the programs there for the next time
        --keep FOLDER    keeps what differs, one folder for each case
        --program TEXT   only programs with this in their name
        --host           only programs of this machine
        --files          -S, -R or -s in half of all command lines

Output, status, and the files written must be the same, and both say something on standard
error or neither does. Where gprof answers as profan does once other things are in memory
that it never wrote, or gprof crashes or takes more than it may, there is nothing to
compare; such cases are counted.
Ends with status 1 where anything differs.
"""

import argparse
import collections
import os
import random
import resource
import shlex
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).parent))

import programs
from elf import Elf
from options import Chooser
from profiles import Maker

# What a child may take. There are cases in which gprof prints for ever, or takes all memory.
MEMORY = 2 << 30
OUTPUT = 16 << 20
SECONDS = 10


@dataclass
class Outcome:
    status: int
    stdout: bytes
    says: bool
    files: dict


@dataclass
class Case:
    """A command line in its folder, without the program it is given to."""

    program: programs.Built
    folder: Path
    options: list[str]
    profiles: list[str]

    def words(self) -> list[str]:
        return [*self.options, str(self.program.path), *self.profiles]


def clean_memory(folder: Path) -> Path:
    library, source = folder / "clean_memory.so", Path(__file__).parent / "clean_memory.c"
    if not library.exists():
        subprocess.run(["gcc", "-shared", "-fPIC", "-O1", source, "-o", library], check=True)
    return library


def limit() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_FSIZE, (OUTPUT, OUTPUT))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def ran(command: list[str], case: Case, words: list[str], memory: dict = {}) -> Outcome:
    with tempfile.TemporaryDirectory() as folder:
        for given in case.folder.iterdir():
            os.symlink(given, Path(folder) / given.name)
        environment = {**os.environ, "LC_ALL": "C", **memory}
        try:
            with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as errors:
                done = subprocess.run(
                    [*command, *words], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                    stdout=out, stderr=errors, timeout=SECONDS, preexec_fn=limit,
                )
                out.seek(0)
                stdout, says = out.read(), os.fstat(errors.fileno()).st_size > 0
        except subprocess.TimeoutExpired:
            return Outcome(-99, b"", True, {})
        written = {p.name: contents(p) for p in Path(folder).iterdir() if not p.is_symlink()}
        return Outcome(done.returncode, stdout, says, written)


def contents(path: Path) -> bytes:
    data = path.read_bytes()
    # gprof never writes the spare bytes of the header.
    return data[:8] + data[20:] if path.name == "gmon.sum" else data


def make(dice: random.Random, program: programs.Built, folder: Path, files: bool) -> Case:
    elf = Elf(program.path)
    maker = Maker(dice, elf)
    names = []
    for index in range(dice.choice([1, 1, 1, 1, 1, 2, 2, 3])):
        names.append(f"gmon.{index}")
        (folder / names[-1]).write_bytes(maker.profile())
    chooser = Chooser(dice, elf, folder, program.sources, files)
    return Case(program, folder, chooser.options(), names)


class Comparison:
    def __init__(self, profan: Path, clean_memory: Path, keep: Path | None):
        self.profan, self.clean_memory, self.keep = profan, clean_memory, keep
        self.counts = collections.Counter()

    def differs(self, case: Case, words: list[str]) -> str | None:
        """What differs, if anything does and it is gprof's to say."""
        theirs = ran([case.program.gprof], case, words)
        if theirs.status not in (0, 1):
            return None
        ours = ran([str(self.profan), "gprof"], case, words)
        what = [f for f in ("status", "stdout", "says", "files") if getattr(ours, f) != getattr(theirs, f)]
        if not what:
            return None
        for fill in ("0", "85", "255"):
            memory = {"LD_PRELOAD": str(self.clean_memory), "FILL": fill}
            if ran([case.program.gprof], case, words, memory) == ours:
                self.counts["what gprof never wrote"] += 1
                return None
        return " ".join(what)

    def check(self, name: str, case: Case) -> None:
        theirs = ran([case.program.gprof], case, case.words())
        if theirs.status not in (0, 1):
            self.counts["gprof crashed"] += 1
            ours = ran([str(self.profan), "gprof"], case, case.words())
            if ours.status not in (0, 1, 2):
                self.report(name, case, "profan crashed")
            return
        self.counts[f"status {theirs.status}"] += 1
        what = self.differs(case, case.words())
        if what is not None:
            self.report(name, self.smaller(case), what)

    def report(self, name: str, case: Case, what: str) -> None:
        self.counts["differ"] += 1
        print(f"{name}: {what}: {case.program.name}: {shlex.join([*case.options, *case.profiles])}", flush=True)
        if self.keep:
            kept = self.keep / name
            shutil.copytree(case.folder, kept, dirs_exist_ok=True)
            words = shlex.join(case.words())
            (kept / "cmd").write_text(f"{case.program.gprof} {words}\n")

    def smaller(self, case: Case) -> Case:
        """The case without the words that make no difference."""
        for part in ("profiles", "options"):
            for word in list(getattr(case, part)):
                if word == "-b":
                    continue
                fewer = [w for w in getattr(case, part) if w is not word]
                changed = Case(case.program, case.folder, case.options, case.profiles)
                setattr(changed, part, fewer)
                if (fewer or part == "options") and self.differs(changed, changed.words()):
                    case = changed
        return case


def main() -> int:
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("profan", type=Path)
    parser.add_argument("n_cases", type=int, nargs="?", default=1000)
    parser.add_argument("seed", type=int, nargs="?", default=1)
    parser.add_argument("--built", type=Path)
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--program", default="")
    parser.add_argument("--host", action="store_true")
    parser.add_argument("--files", action="store_true")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        built = (asked.built or Path(scratch) / "built").resolve()
        built.mkdir(parents=True, exist_ok=True)
        all_programs = programs.build(built, not asked.host)
        chosen = [p for p in all_programs if asked.program in p.name and shutil.which(p.gprof)]
        print(f"{len(chosen)} programs", flush=True)
        comparison = Comparison(asked.profan.resolve(), clean_memory(built), asked.keep and asked.keep.resolve())
        for number in range(asked.seed, asked.seed + asked.n_cases):
            dice = random.Random(number)
            folder = Path(scratch) / f"{number}"
            folder.mkdir()
            comparison.check(f"{number}", make(dice, dice.choice(chosen), folder, asked.files))
            shutil.rmtree(folder)
        print(", ".join(f"{what} {n}" for what, n in sorted(comparison.counts.items())))
    return 1 if comparison.counts["differ"] else 0


if __name__ == "__main__":
    sys.exit(main())
