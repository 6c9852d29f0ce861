#!/usr/bin/env python3
"""Reads what profan writes for other tools with those tools, and compares self and total.

    tests/readers/graphs.py PROFAN [FIXTURES]

Writes each profile below FIXTURES as callgrind and svg, reads it with callgrind_annotate, gprof2dot
and profan, compares the picture with that of inferno-flamegraph, and compares the costs of each function with the flat
profile that profan prints as JSON. Prints what differs by more than 1/1000 of the whole, and
ends with status 1 if anything does. A reader that is not installed is named and left out.
"""
import html
import importlib.util
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter

PROFILES = """
callgrind/recursion/callgrind.out
callgrind/ring/callgrind.out
callgrind/shapes/callgrind.out
callgrind/threads/callgrind.out
folded/stacks/stacks.folded
gprof/basic/gmon.out gprof/basic/prog
gprof/cxx-o2/gmon.out gprof/cxx-o2/prog
gprof/cycles/dense.gmon gprof/cycles/prog
gprof/cycles/gmon.out gprof/cycles/prog
gprof/graph-04/gmon.out gprof/graph-04/prog
gprof/graph-12/gmon.out gprof/graph-12/prog
gprof/no-time/gmon.out gprof/no-time/prog
gprof/samename/gmon.out gprof/samename/prog
gprof-cross/s390x/gmon.out gprof-cross/s390x/prog
mlton/evenodd/mlmon.out mlton/evenodd/a.out
mlton/functors/mlmon.out mlton/functors/a.out
mpatrol/basic/basic.out
mpatrol/cppshapes/cppshapes.out
oddities/no-rate.gmon oddities/plain
tour/callgrind.out
tour/gmon.out tour/primes
tour/mpatrol.out
tour/rounds.gmon tour/rounds
"""


class Profile:
    """The costs of a profile, by the names that other tools print."""

    def __init__(self, profan, files):
        self.files = files
        self.report = json.loads(profan(*files, "--format", "json", "-p", "-q", "--any-source"))
        sections = {section["id"]: section for section in self.report["sections"]}
        self.self_costs, self.totals, self.calls = Counter(), Counter(), Counter()
        names = Counter()
        for row in sections["flat"]["rows"]:
            if row.get("kind", "entry") not in ("entry", "unattributed"):
                continue
            name = row["name"] if isinstance(row["name"], str) else row["name"]["text"]
            names[name] += 1
            self.self_costs[name] += row.get("self") or 0
            self.totals[name] += row.get("total") or 0
        self.in_cycle = {name for name in names if names[name] > 1}
        self.has_calls = False
        for row in sections.get("graph", {"rows": []})["rows"]:
            name = row["name"] if isinstance(row["name"], str) else row["name"]["text"]
            if "cycle" in row or row.get("recursive"):
                self.in_cycle.add(name)
            for callee in row.get("callees", []):
                costs = callee.get("total"), callee.get("calls")
                self.has_calls |= any(cost is not None for cost in costs)
        self.has_stacks = "graph" in sections and self.has_calls
        self.whole = sum(self.self_costs.values())


def callgrind_annotate(path, profile):
    """Self and inclusive costs of functions, in the first event."""
    costs = []
    for inclusive in ("no", "yes"):
        command = ["callgrind_annotate", "--threshold=100", "--show-percs=no", "--auto=no",
                   f"--inclusive={inclusive}", path]
        text = subprocess.run(command, capture_output=True, text=True, check=True)
        assert not text.stderr, text.stderr
        found = Counter()
        rows = text.stdout.split("file:function")[-1]
        for line in rows.splitlines():
            row = re.match(r"\s*([\d,]+)((?:\s+[\d,.]+)*)\s+(\S.*?:)(.*?)(?: \[[^\[]*\])?$", line)
            if row:
                place = row[3] + row[4]
                name = next((n for n in profile.self_costs if place.endswith(":" + n)), row[4])
                found[name] += int(row[1].replace(",", ""))
        costs.append(found)
    return costs


def gprof2dot(path, profile):
    import gprof2dot as reader
    with open(path, encoding="utf-8") as file:
        read = reader.CallgrindParser(file).parse()
    self_costs, totals = Counter(), Counter()
    for function in read.functions.values():
        self_costs[function.name] += function[reader.SAMPLES]
        ratio = function[reader.TOTAL_TIME_RATIO]
        totals[function.name] += ratio * read[reader.SAMPLES]
        if function.cycle:
            # Functions of one name are one here, which may close a circle.
            profile.in_cycle.add(function.name)
    return self_costs, totals


def differences(profile, costs, scale):
    """The functions whose self or total is another, with both numbers."""
    for kind, expected, found in zip(("self", "total"), (profile.self_costs, profile.totals), costs):
        for name in sorted(expected):
            if kind == "total" and (name in profile.in_cycle or not profile.has_calls):
                continue
            off = abs(expected[name] * scale - found[name])
            if off > profile.whole * scale / 1000:
                yield f"{kind} of {name}: {expected[name] * scale} became {found[name]}"


def scale_of(report):
    """What profan writes for one unit of the JSON."""
    metric = next(metric for metric in report["metrics"] if metric.get("primary"))
    if metric["unit"] == "ticks":
        return 1e9 / metric["rate"] if "rate" in metric else 1e3
    return 1


def check_callgrind(profan, profile, directory, readers):
    path = f"{directory}/out.callgrind"
    again = f"{directory}/again.callgrind"
    profan(*profile.files, "-o", path)
    scale = scale_of(profile.report)
    for name, reader in (("callgrind_annotate", callgrind_annotate), ("gprof2dot", gprof2dot)):
        if name in readers:
            for line in differences(profile, reader(path, profile), scale):
                yield f"{name}: {line}"
    read = Profile(profan, [path])
    for line in differences(profile, (read.self_costs, read.totals), scale):
        yield f"profan: {line}"
    # A second pass changes nothing but the order of the sections, where functions are one.
    profan(path, "-z", "-o", again)
    with open(path, "rb") as one, open(again, "rb") as other:
        lines = [sorted(line for line in file if re.match(rb"\d.* 0*[1-9]|calls=", line))
                 for file in (one, other)]
    if lines[0] != lines[1] and not any(count > 1 for count in names_of(profile).values()):
        yield "profan: the costs or calls of the second pass are others"


def check_svg(profan, profile, directory, readers):
    """Frames as wide as those that another tool draws of the same call stacks."""
    if "inferno-flamegraph" not in readers or not profile.has_stacks:
        return
    folded = profan(*profile.files, "--format", "folded", "--names", "full")
    if not folded:
        return
    drawn = subprocess.run(["inferno-flamegraph"], input=folded, capture_output=True, check=True)
    pattern = rb"<title>(.*) \([\d,]+ samples, ([\d.]+)%\)</title>"
    expected = Counter()
    for name, percent in re.findall(pattern, drawn.stdout):
        name = html.unescape(name.decode()).replace(":", ";")
        expected[name] = max(expected[name], float(percent))
    text = profan(*profile.files, "--format", "svg").decode()
    found = Counter()
    for name, percent in re.findall(r"<title>(.*)\n([\d.]+) %", text):
        # Names are written as folded stacks have them: no semicolon, no blank before a number.
        name = re.sub(r" (\d+)$", r"_\1", html.unescape(name).replace(":", ";"))
        found[name] = max(found[name], float(percent))
    for name in expected:
        if expected[name] > 0.2 and len(name) < 100 and abs(found[name] - expected[name]) > 0.1:
            yield f"inferno-flamegraph: width of {name}: {expected[name]} became {found[name]}"


def names_of(profile):
    rows = next(s for s in profile.report["sections"] if s["id"] == "flat")["rows"]
    return Counter((json.dumps(row["name"]), row.get("file"), row.get("line")) for row in rows)


def main():
    program = str(pathlib.Path(sys.argv[1]).resolve())
    root = pathlib.Path(__file__).resolve().parent.parent.parent / "fixtures"
    root = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else root

    def profan(*arguments):
        run = subprocess.run([program, *arguments], capture_output=True, cwd=root)
        assert run.returncode == 0, (arguments, run.stderr)
        return run.stdout

    readers = [name for name in PROGRAMS if shutil.which(name)]
    readers += [name for name in ("gprof2dot", "hatchet") if importlib.util.find_spec(name)]
    for name in (*PROGRAMS, "gprof2dot", "hatchet"):
        if name not in readers:
            print(f"{name} is not installed and was left out")
    n_wrong = n_profiles = 0
    for line in PROFILES.split("\n"):
        if not line:
            continue
        profile = Profile(profan, line.split())
        n_profiles += 1
        for check in CHECKS:
            with tempfile.TemporaryDirectory() as directory:
                for difference in check(profan, profile, directory, readers):
                    n_wrong += 1
                    print(f"{line}: {difference}")
    print(f"{n_profiles} profiles, {n_wrong} differences")
    sys.exit(n_wrong > 0)


PROGRAMS = ("callgrind_annotate", "dot", "inferno-flamegraph")

CHECKS = [check_callgrind, check_svg]

if __name__ == "__main__":
    main()
