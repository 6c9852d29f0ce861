#!/usr/bin/env python3
"""Measures reports of up to 20,000 files, and of 3,650 nights, and prints them as a table.

    costs.py PROFAN [LARGEST]

Ends with status 1 if a planted change is not found, a bad file is not counted, or the time for a
file grows by more than half from the smallest to the largest number of files.
Memory below some 30 MB is that of this script, which the system counts for its children.
"""

import json
import os
import random
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

import make_nights
import make_ranks

TOUR = Path(__file__).resolve().parents[3] / "fixtures/tour"
SIZES = [1250, 5000, 20_000]
NIGHTS = [365, 3650]
N_BAD = 1000


def measured(command: list, folder: Path) -> tuple[float, float, str, str]:
    """Seconds of processor time, MB, output and messages of a command."""
    out, err = folder / "out", folder / "err"
    with out.open("wb") as stdout, err.open("wb") as stderr:
        child = subprocess.Popen(list(map(str, command)), stdout=stdout, stderr=stderr)
        _, status, usage = os.wait4(child.pid, 0)
    seconds = usage.ru_utime + usage.ru_stime
    if status != 0:
        sys.exit(f"{command[:3]} ends with status {status}: {err.read_text()[:500]}")
    return seconds, usage.ru_maxrss / 1000, out.read_text(), err.read_text()


def moved(profile: Path) -> bytes:
    """The profile with its ticks one bin further, where often no instruction starts."""
    whole = profile.read_bytes()
    (n_bins,) = struct.unpack_from("<I", whole, make_ranks.HEAD + 17)
    start = make_ranks.HEAD + make_ranks.HISTOGRAM
    end = start + 2 * n_bins
    return whole[:start] + whole[end - 2 : end] + whole[start : end - 2] + whole[end:]


def spoil(ranks: list[Path]) -> None:
    """Makes some profiles empty, cut off in their first 20 bytes, or another kind of file."""
    for place, rank in enumerate(random.Random(1).sample(ranks, N_BAD)):
        rank.write_bytes([b"", rank.read_bytes()[:12], b"not a profile\n"][place % 3])


class Table:
    def __init__(self, profan: Path, folder: Path) -> None:
        self.profan, self.folder = profan, folder
        self.first: dict[str, float] = {}
        self.problems: list[str] = []
        print("| files | report | processor time | memory | time for a file |")
        print("|---|---|---|---|---|")

    def row(
        self, what: str, n_files: int, report: str, options: list, files: Path, n_bad: int = 0
    ) -> tuple[str, str]:
        names = self.folder / "names"
        names.write_text("\n".join(map(str, sorted(files.iterdir()))))
        command = [self.profan, *options, f"@{names}"]
        seconds, megabytes, out, err = measured(command, self.folder)
        key = f"{what}, {report}"
        each = seconds / (n_files - n_bad)
        growth = each / self.first.setdefault(key, each)
        if growth > 1.5:
            self.problems.append(f"{key}: {n_files} files take {growth:.1f} times as long each")
        print(
            f"| {n_files:,} {what} | {report} | {seconds:.1f} s | {megabytes:.0f} MB "
            f"| {1000 * each:.2f} ms |",
            flush=True,
        )
        return out, err

    def ranks(self, what: str, profile: Path, n_files: int, programs: list, change=None) -> None:
        ranks = self.folder / f"ranks-{what.replace(' ', '-')}-{n_files}"
        make_ranks.main(str(profile), str(ranks), str(n_files))
        if change:
            change(sorted(ranks.iterdir()))
        for report, options in [("sum", ["-p"]), ("--by-file", ["--by-file", "--all"])]:
            n_bad = N_BAD if change is spoil else 0
            _, err = self.row(what, n_files, report, [*options, *programs], ranks, n_bad)
            if change is spoil and f"{N_BAD} of {n_files}" not in err.replace(",", ""):
                self.problems.append(f"{report}: bad files are not counted: {err[:200]}")
        for rank in ranks.iterdir():
            rank.unlink()

    def nights(self, n_nights: int) -> None:
        nights = self.folder / f"nights-{n_nights}"
        changed = 200 * n_nights // 365
        make_nights.write(str(self.profan), nights, n_nights, changed, 15)
        options = ["--trend", "--format", "jsonl"]
        out, _ = self.row("saved nights", n_nights, "--trend", options, nights)
        rows = [row for row in map(json.loads, out.splitlines()) if row.get("section") == "trend"]
        found = [(row["name"], row["file_number"]) for row in rows if row.get("kind", "entry") == "entry"]
        print(f"found with {n_nights} nights: {found}", file=sys.stderr)
        name = f"function_{make_nights.CHANGED}"
        if [one for one, _ in found] != [name] or abs(found[0][1] - changed) > 1:
            self.problems.append(f"{n_nights} nights: {name} in night {changed}, found {found}")


def main(profan: str, largest: str = "20000") -> None:
    with tempfile.TemporaryDirectory() as folder:
        table = Table(Path(profan).resolve(), Path(folder))
        primes = TOUR / "primes"
        sizes = [size for size in SIZES if size <= int(largest)]
        between = Path(folder) / "between.gmon"
        between.write_bytes(moved(TOUR / "gmon.out"))
        for size in sizes:
            table.ranks("ranks", TOUR / "gmon.out", size, [primes])
        for size in sizes:
            table.ranks("ranks between instructions", between, size, [primes])
        for size in sizes:
            table.ranks("ranks, 1,000 of them bad", TOUR / "gmon.out", size, [primes], spoil)

        def second_program(ranks: list[Path]) -> None:
            other = (TOUR / "rounds.gmon").read_bytes()
            for rank in ranks[::2]:
                rank.write_bytes(other)

        for size in sizes:
            programs = [primes, TOUR / "rounds"]
            table.ranks("ranks of two programs", TOUR / "gmon.out", size, programs, second_program)
        for n_nights in NIGHTS:
            table.nights(n_nights)
    for problem in table.problems:
        print(problem, file=sys.stderr)
    sys.exit(bool(table.problems))


if __name__ == "__main__":
    main(*sys.argv[1:])
