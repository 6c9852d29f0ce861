#!/usr/bin/env python3
"""Checks on random files that the rows of a flat profile add up to the samples of the file.

    tests/trials/sums.py PROFAN N SEED

Writes N gmon.out files of the GNU and BSD layouts with ranges that are rarely a whole number
of bytes per bin, some functions of the profiler among the symbols, and reports each with
random filters and limits as JSON or CSV. Prints what differs by more than 1e-9 of the whole,
and ends with status 1 if anything does.
"""
import csv
import io
import json
import os
import random
import struct
import subprocess
import sys
import tempfile

NAMES = ["main", "alpha", "beta", "gamma", "delta", "mcount", "_mcount", "__mcount_internal"]


def histogram(rng):
    """The low address, the bytes of the range, and the counters."""
    n_bins = rng.randint(1, 400)
    width = rng.choice([2, 4, 4, 4, 8, 3, 5, 16, rng.uniform(1.5, 9)])
    size = max(1, int(n_bins * width) + rng.choice([0, 0, -1, 1, 3, -3, 7]))
    bins = [rng.choice([0, 0, 0, rng.randint(1, 50), rng.randint(1, 60000)])
            for _ in range(n_bins)]
    return rng.choice([0x1000, 0x400000, 0x8000]), size, bins


def gmon(rng, low, size, bins):
    """A file of either layout, with a few calls."""
    counters = struct.pack(f"<{len(bins)}H", *bins)
    is_gnu = rng.random() < 0.5
    if is_gnu:
        head = b"gmon" + struct.pack("<I", 1) + bytes(13)
        head += struct.pack("<QQII15sc", low, low + size, len(bins), 100, b"seconds", b"s")
    else:
        head = struct.pack("<QQiii", low, low + size, len(counters) + 40, 0x51879, 100).ljust(40, b"\0")
    arc = "<cQQI" if is_gnu else "<QQQ"
    mark = (b"\1",) if is_gnu else ()
    calls = [struct.pack(arc, *mark, low + rng.randrange(size), low + rng.randrange(size),
                         rng.randint(1, 9)) for _ in range(rng.randint(0, 8))]
    return head + counters + b"".join(calls)


def options(rng, names):
    name = lambda: rng.choice(names)
    return rng.choice([
        [], ["-p" + name()], ["-P" + name()], ["-n" + name()], ["-N" + name()], ["-E" + name()],
        ["--focus", name()], ["--ignore", name()], ["--top", str(rng.randint(1, 4))],
        ["--min-percent", str(rng.randint(1, 40))], ["-p" + name(), "-p" + name()],
        ["-P" + name(), "-E" + name()], ["-z"], ["--sort", "name"],
        ["--focus", name(), "-P" + name()], ["--top", "2", "-N" + name()]])


def sum_of(text, format):
    """What all rows of the flat profile have of their own, or nothing without one."""
    if format == "csv":
        return sum(float(row["self"]) for row in csv.DictReader(io.StringIO(text)) if row["self"])
    sections = json.loads(text)["sections"]
    return sum(row["self"] for section in sections if section["id"] == "flat"
               for row in section["rows"])


def main():
    profan, n, seed = os.path.abspath(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    rng = random.Random(seed)
    n_checked, n_refused, n_wrong = 0, 0, 0
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for index in range(n):
            low, size, bins = histogram(rng)
            with open("gmon.out", "wb") as file:
                file.write(gmon(rng, low, size, bins))
            starts = sorted(rng.sample(range(low, low + size + 40), len(NAMES)))
            with open("symbols", "w") as file:
                file.writelines(f"{start:016x} T {name}\n"
                                for start, name in zip(starts, rng.sample(NAMES, len(NAMES))))
            words, format = options(rng, NAMES), rng.choice(["json", "csv"])
            done = subprocess.run([profan, "-p", "--format", format, *words, "-S", "symbols",
                                   "gmon.out"], capture_output=True, text=True, timeout=60)
            # Calls through a function are not known where none were counted.
            if "error[E023]" in done.stderr:
                n_refused += 1
                continue
            n_checked += 1
            found = sum_of(done.stdout, format) if done.returncode == 0 else None
            if found is None or abs(found - sum(bins)) > 1e-9 * max(sum(bins), 1):
                n_wrong += 1
                print(f"{index}: {words}: {found} of {sum(bins)}: {done.stderr[:200]}")
        os.chdir("/")
    print(f"{n_checked} checked, {n_refused} refused, {n_wrong} wrong")
    sys.exit(1 if n_wrong else 0)


main()
