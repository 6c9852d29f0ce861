#!/usr/bin/env python3
"""Compares files for other viewers with what these viewers read out of them.

Writes each fixture that has call stacks in every format of stacks, lets the reader of that
format add up its functions, and compares the self and total cost of each function with the
flat profile of profan: to 1/1000 of the whole. Functions with the same name are added up on
both sides, since most readers do not tell them apart.

    tests/readers/run.py [--profan target/release/profan] [FILTER]

Readers, each left out with a message if it is not installed:

    go          go tool pprof          (package golang-go)
    gprof2dot   folded stacks          (pip install gprof2dot)
    profiler    Mozilla's profiler-cli (npm install @firefox-devtools/profiler-cli node@24);
                --npm names the directory with its node_modules

`.speedscope.json`, `.cpuprofile` and `.heapprofile` are read here, as their viewers' sources
do it: these viewers have no command line.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TOLERANCE = 1e-3
IS_PROFILE = re.compile(r".*\.gmon$|(gmon|callgrind|mpatrol|mlmon)\.out|.*\.folded$|.*\.callgrind$")


def profan(args, directory, options=()):
    command = [options.profan, *args]
    return subprocess.run(command, cwd=directory, capture_output=True)


def files_of(profile):
    """A profile with its program or table, as a user would give them."""
    files = [profile.name]
    for other in ("prog", "show-prof.txt"):
        if (profile.parent / other).exists():
            files.append(other)
    return files


class Sums:
    """Self and total cost of functions by name, and the sum of all."""

    def __init__(self):
        self.own = defaultdict(float)
        self.total = defaultdict(float)
        self.whole = 0.0
        # Functions whose total the reader defines in another way.
        self.unknown = set()

    def add(self, stack, weight):
        """Adds a stack, outermost frame first."""
        self.own[stack[-1]] += weight
        for name in set(stack):
            self.total[name] += weight
        self.whole += weight


def flat_profile(files, directory, options):
    """What profan says of each function, and which functions have totals that add up."""
    ran = profan(["--format", "json", "-p", "-q", "-z", *files], directory, options)
    if ran.returncode != 0:
        return None
    report = json.loads(ran.stdout)
    sections = {section["id"]: section for section in report["sections"]}
    if "flat" not in sections:
        return None
    flat, in_cycle, names = Sums(), set(), set()
    for row in sections["flat"]["rows"]:
        if row.get("kind", "entry") in ("rest", "total"):
            continue
        # In a stack of two functions of one name, the cost of the inner one is in both totals.
        if row["name"] in names:
            in_cycle.add(row["name"])
        names.add(row["name"])
        flat.own[row["name"]] += row.get("self") or 0
        flat.total[row["name"]] += row.get("total") or 0
        flat.whole += row.get("self") or 0
    for row in sections.get("graph", {"rows": []})["rows"]:
        if row.get("cycle") is not None and row.get("kind") is None:
            in_cycle.add(row["name"])
    return flat, in_cycle


def of_go(path, options):
    """The default sample type, as `go tool pprof -raw` lists stacks; and again as -top."""
    raw = subprocess.run(["go", "tool", "pprof", "-raw", path], capture_output=True, text=True)
    assert raw.returncode == 0, raw.stderr
    lines = iter(raw.stdout.splitlines())
    sums, names, samples, column = Sums(), {}, [], 0
    for line in lines:
        if line == "Samples:":
            types = next(lines).split()
            column = next(i for i, kind in enumerate(types) if "[dflt]" in kind)
            break
    for line in lines:
        if line == "Locations":
            break
        if "label" in line and ":" not in line.split("label")[0]:
            continue
        values, _, stack = line.partition(":")
        samples.append((int(values.split()[column]), stack.split()))
    for line in lines:
        if line == "Mappings":
            break
        found = re.match(r"\s*(\d+): 0x[0-9a-f]+ M=\d+ (.*) \S*:\d+ s=\d+\(", line)
        assert found, line
        names[found[1]] = re.sub(r" \S*$", "", found[2] + " ").strip()
    for weight, stack in samples:
        sums.add([names[one] for one in reversed(stack)], weight)
    top = subprocess.run(
        ["go", "tool", "pprof", "-top", "-nodecount=0", "-nodefraction=0", "-edgefraction=0", path],
        capture_output=True,
        text=True,
    )
    assert top.returncode == 0, top.stderr
    assert not top.stderr, top.stderr
    for line in top.stdout.splitlines():
        found = re.match(r"\s*\S+\s+([0-9.]+)%\s+[0-9.]+%\s+\S+\s+([0-9.]+)%\s+(.*)", line)
        if not found or not sums.whole:
            continue
        name = found[3].removesuffix(" (inline)")
        for share, known in ((found[1], sums.own), (found[2], sums.total)):
            is_near = abs(float(share) / 100 - known[name] / sums.whole) < 1e-3
            assert is_near, f"-top and -raw of {name}: {line} {known[name] / sums.whole}"
    return sums


def of_gprof2dot(path, options):
    ran = subprocess.run(
        ["gprof2dot", "-f", "collapse", "-n0", "-e0", path],
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0, ran.stderr
    sums = Sums()
    for line in Path(path).read_text().splitlines():
        stack, weight = line.rsplit(" ", 1)
        sums.whole += int(weight)
        # It follows calls by name, and what calls itself again is a cycle there.
        stack = stack.split(";")
        for index, name in enumerate(stack):
            if name in stack[:index]:
                sums.unknown.update(stack[stack.index(name) : index + 1])
    node = re.compile(
        r'^\t(?:"(.*)"|(\S+)) \[color=.*label=".*\\n([0-9.]+)%\\n\(([0-9.]+)%\)', re.M
    )
    n_nodes = 0
    for found in node.finditer(ran.stdout):
        name = (found[1] or found[2]).replace('\\"', '"')
        sums.total[name] += float(found[3]) / 100 * sums.whole
        sums.own[name] += float(found[4]) / 100 * sums.whole
        n_nodes += 1
    assert n_nodes or not sums.whole, ran.stdout[:500]
    return sums


def of_profiler(path, options):
    """Mozilla's profiler-cli: `thread functions`."""
    modules = Path(options.npm) / "node_modules"
    tool = [modules / ".bin/node", modules / "@firefox-devtools/profiler-cli/dist/profiler-cli.js"]
    environment = {**os.environ, "HOME": options.home}
    def call(*args):
        ran = subprocess.run([*tool, *args], capture_output=True, text=True, env=environment)
        assert ran.returncode == 0, (args, ran.stderr, ran.stdout)
        return ran.stdout
    call("load", path)
    try:
        found = json.loads(call("thread", "functions", "--json", "--limit", "100000"))
    finally:
        call("stop", "--all")
    sums = Sums()
    for function in found["functions"]:
        sums.own[function["name"]] += function["selfSamples"]
        sums.total[function["name"]] += function["totalSamples"]
        sums.whole += function["selfSamples"]
    return sums


def of_speedscope(path, options):
    file = json.loads(Path(path).read_text())
    frames = file["shared"]["frames"]
    profile = file["profiles"][file["activeProfileIndex"]]
    sums = Sums()
    for stack, weight in zip(profile["samples"], profile["weights"], strict=True):
        sums.add([frames[one]["name"] for one in stack], weight)
    assert sums.whole == profile["endValue"] - profile["startValue"]
    return sums


def of_cpuprofile(path, options):
    """As the model of Visual Studio Code computes it: a delta is the time before its sample."""
    file = json.loads(Path(path).read_text())
    nodes = {node["id"]: node for node in file["nodes"]}
    caller = {child: node["id"] for node in file["nodes"] for child in node.get("children", ())}
    deltas = file["timeDeltas"]
    rest = file["endTime"] - file["startTime"] - sum(deltas)
    sums = Sums()
    for node, time in zip(file["samples"], [*deltas[1:], rest], strict=True):
        stack = []
        while node != 1:
            stack.append(nodes[node]["callFrame"]["functionName"])
            node = caller[node]
        sums.add(stack[::-1], time)
    return sums


def of_heapprofile(path, options):
    file = json.loads(Path(path).read_text())
    sums = Sums()
    open_nodes = [(file["head"], [])]
    while open_nodes:
        node, stack = open_nodes.pop()
        if node["selfSize"]:
            sums.add(stack, node["selfSize"])
        for child in node["children"]:
            open_nodes.append((child, [*stack, child["callFrame"]["functionName"]]))
    return sums


READERS = [
    ("pprof", "pb.gz", of_go, lambda options: shutil.which("go")),
    ("folded", "folded", of_gprof2dot, lambda options: shutil.which("gprof2dot")),
    ("speedscope", "speedscope.json", of_speedscope, lambda options: True),
    ("firefox", "firefox.json", of_profiler, lambda options: options.npm),
    ("cpuprofile", "cpuprofile", of_cpuprofile, lambda options: True),
    ("heapprofile", "heapprofile", of_heapprofile, lambda options: True),
]


def compare(found, flat, in_cycle, is_total_known):
    """The largest difference, as a share of the whole."""
    worst = (0.0, "")
    for name, expected in flat.own.items():
        other = found.own.get(name, 0.0) / found.whole
        worst = max(worst, (abs(other - expected / flat.whole), f"self of {name}"))
        if is_total_known and name not in in_cycle | found.unknown:
            other = found.total.get(name, 0.0) / found.whole
            worst = max(worst, (abs(other - flat.total[name] / flat.whole), f"total of {name}"))
    return worst


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--profan", default=str(ROOT / "target/debug/profan"))
    parser.add_argument("--npm", default="")
    parser.add_argument("--only", default="")
    parser.add_argument("filter", nargs="?", default="")
    options = parser.parse_args()
    options.profan = str(Path(options.profan).resolve())
    readers = []
    for reader in READERS:
        if options.only and reader[0] not in options.only.split(","):
            continue
        if reader[3](options):
            readers.append(reader)
        else:
            print(f"{reader[0]}: its reader is not installed")
    n_compared, n_failed, figures = defaultdict(int), 0, defaultdict(float)
    with tempfile.TemporaryDirectory() as directory:
        options.home = directory
        for profile in sorted((ROOT / "fixtures").rglob("*")):
            if not IS_PROFILE.fullmatch(profile.name) or options.filter not in str(profile):
                continue
            files = files_of(profile)
            known = flat_profile(files, profile.parent, options)
            if not known or not known[0].whole:
                continue
            for name, ending, reader, _ in readers:
                for single in ([], ["--no-inferred-stacks"]):
                    path = str(Path(directory) / f"out.{ending}")
                    args = ["--format", name, "-o", path, *single, *files]
                    ran = profan(args, profile.parent, options)
                    if ran.returncode != 0:
                        continue
                    where = f"{name} of {profile.relative_to(ROOT)} {' '.join(single)}"
                    try:
                        found = reader(path, options)
                        error, what = compare(found, *known, not single)
                    except Exception as problem:
                        error, what = 1.0, repr(problem)[:300]
                    n_compared[name] += 1
                    figures[name] = max(figures[name], error if error < 1 else 0)
                    if error > TOLERANCE:
                        n_failed += 1
                        print(f"{where}: {what}: {error:.5f}")
    for name, n in n_compared.items():
        print(f"{name}: {n} files, largest difference {figures[name]:.6f} of the whole")
    return 1 if n_failed or not n_compared else 0


if __name__ == "__main__":
    sys.exit(main())
