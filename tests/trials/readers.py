#!/usr/bin/env python3
"""Compares files for other viewers with what these viewers read out of them.

Writes each fixture that can answer in every format, lets the reader of that format add up its
functions, and compares the self and total cost of each function with the flat profile of
profan: to 1/1000 of the whole. Functions with the same name are added up on both sides, since
most readers do not tell them apart.

    tests/trials/readers.py [--profan target/release/profan] [--record] [FILTER]

Readers, each left out with a message if it is not installed:

    go                  go tool pprof            (Debian: golang-go)
    callgrind_annotate  callgrind                (valgrind)
    dot                 the call graph           (graphviz)
    flamegraph.pl       widths of the picture    (libdevel-nytprof-perl)
    gprof2dot           folded and callgrind     (PyPI: gprof2dot; also for this Python)
    hatchet             TAU                      (PyPI: llnl-hatchet, for this Python)
    profiler            Mozilla's profiler-cli   (npm install @firefox-devtools/profiler-cli
                                                 node@24; --npm is the directory)
    speedscope's schema                          (npm install speedscope in the same directory;
                                                 PyPI: jsonschema)

`.speedscope.json`, `.cpuprofile` and `.heapprofile` are read here, as their viewers' sources
do it: these viewers have no command line. `--record` also writes what some readers print of the
files of the tour to `fixtures/tour/expected`.
"""

import argparse
import functools
import html
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unicodedata
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TOLERANCE = 1e-3
IS_PROFILE = re.compile(
    r".*\.(gmon|folded|callgrind|perf|pb\.gz)|(gmon|callgrind|mpatrol|mlmon|massif)\.out|dhat\.json"
)
PROGRAMS = ("prog", "primes", "a.out", "plain", "show-prof.txt")
PROFILER_CLI = "node_modules/@firefox-devtools/profiler-cli/dist/profiler-cli.js"
FLAMEGRAPH = "/usr/share/perl5/Devel/NYTProf/flamegraph.pl"


def profan(args, directory, options=()):
    command = [options.profan, *args]
    return subprocess.run(command, cwd=directory, capture_output=True)


def files_of(profile):
    """A profile with its program or table, as a user would give them."""
    files = [profile.name]
    is_ours = profile.suffix in (".gmon", ".out") and not profile.name.startswith(("call", "mas"))
    files += [one for one in PROGRAMS if is_ours and (profile.parent / one).exists()]
    return files


class Sums:
    """Self and total cost of functions by name, and the sum of all."""

    def __init__(self):
        self.own = defaultdict(float)
        self.total = defaultdict(float)
        self.whole = 0.0
        self.n_rows = 0
        # Functions that call themselves, be it through others.
        self.recursive = set()
        # Functions whose total the reader defines in another way.
        self.unknown = set()
        # Rows for what is in no function.
        self.unattributed = set()
        # Names of several functions.
        self.repeated = set()
        # The sum of the percentages: not 100 if the totals of the file are of other numbers.
        self.percent = 0.0

    def add(self, stack, weight):
        """Adds a stack, outermost frame first."""
        self.own[stack[-1]] += weight
        for name in set(stack):
            self.total[name] += weight
        self.whole += weight


def flat_profile(files, directory, options):
    """What profan says of each function, and which functions have totals that add up."""
    arguments = ["--format", "json", "-p", "-q", "-z", "--any-source", *files]
    ran = profan(arguments, directory, options)
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
        name = text_of(row["name"])
        if name in names:
            in_cycle.add(name)
            flat.repeated.add(name)
        names.add(name)
        flat.n_rows += 1
        flat.percent += row.get("percent") or 0
        if row.get("kind") == "unattributed":
            flat.unattributed.add(name)
        flat.own[name] += row.get("self") or 0
        flat.total[name] += row.get("total") or 0
        flat.whole += row.get("self") or 0
    has_calls, callees_of = False, defaultdict(set)
    for row in sections.get("graph", {"rows": []})["rows"]:
        if row.get("cycle") is not None and row.get("kind") is None or row.get("recursive"):
            in_cycle.add(text_of(row["name"]))
        if row.get("self_calls"):
            flat.recursive.add(text_of(row["name"]))
        callees = row.get("callees", ())
        callees_of[text_of(row["name"])].update(text_of(one["name"]) for one in callees)
        has_calls |= any((one.get("total"), one.get("calls")) != (None, None) for one in callees)
    flat.recursive |= {name for name in callees_of if reaches_itself(name, callees_of)}
    return flat, in_cycle, has_calls


def reaches_itself(name, callees_of):
    seen, open_names = set(), [name]
    while open_names:
        for callee in callees_of.get(open_names.pop(), ()):
            if callee == name:
                return True
            if callee not in seen:
                seen.add(callee)
                open_names.append(callee)
    return False


def text_of(name):
    """A name as files for other tools have it: what cannot be seen is escaped. One that is not
    UTF-8 is an object."""
    if not isinstance(name, str):
        return name["text"]
    escape = lambda code: f"\\x{code:02x}" if code < 0x100 else f"\\u{{{code:x}}}"
    unseen = ("Cc", "Cf", "Zl", "Zp")
    return "".join(escape(ord(c)) if unicodedata.category(c) in unseen else c for c in name)


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


def of_callgrind_annotate(path, options):
    """The first event: self costs, and inclusive ones outside of cycles."""
    sums = Sums()
    for inclusive, known in (("no", sums.own), ("yes", sums.total)):
        command = ["callgrind_annotate", "--threshold=100", "--show-percs=no", "--auto=no"]
        command += [f"--inclusive={inclusive}", path]
        text = subprocess.run(command, capture_output=True, text=True, check=True)
        assert not text.stderr, text.stderr
        for line in text.stdout.split("file:function")[-1].splitlines():
            row = re.match(r"\s*([\d,]+)(?:\s+[\d,.]+)*\s+(\S.*?):(.*?)(?: \[[^\[]*\])?$", line)
            if row:
                name = options.name_at_end_of(row[2] + ":" + row[3]) or row[3]
                known[name] += int(row[1].replace(",", ""))
    sums.whole = sum(sums.own.values())
    # It adds calls of a function by itself.
    sums.unknown |= options.recursive
    return sums


def of_gprof2dot_callgrind(path, options):
    import gprof2dot

    with open(path, encoding="utf-8") as file:
        read = gprof2dot.CallgrindParser(file).parse()
    sums = Sums()
    sums.whole = read[gprof2dot.SAMPLES]
    for function in read.functions.values():
        sums.own[function.name] += function[gprof2dot.SAMPLES]
        sums.total[function.name] += function[gprof2dot.TOTAL_TIME_RATIO] * sums.whole
        # It computes totals itself. Functions of one name are one here, which may close a circle.
        # What was never called costs its callers all that it costs.
        is_odd = any(not call[gprof2dot.CALLS] for call in function.calls.values())
        if function.cycle or is_odd or options.n_functions != options.n_names:
            sums.unknown.add(function.name)
    sums.unknown |= options.recursive
    return sums


def of_profan(path, options):
    """Costs and calls come back, and a second pass changes nothing but the order."""
    sums, sums.unknown, _ = flat_profile([path], ROOT, options)
    # A name that is an address gets its object, if it had none.
    bare = lambda name: re.sub(r"^(0x[0-9a-f]+) \[.*\]$", r"\1", name)
    for costs in (sums.own, sums.total):
        for name in [one for one in costs if one not in options.names]:
            costs[bare(name)] += costs.pop(name)
    again = f"{path}.again.callgrind"
    assert profan(["-z", "-o", again, path], ROOT, options).returncode == 0
    lines = [
        sorted(line for line in Path(one).read_text().splitlines() if re.match("[0-9].* 0*[1-9]|calls=", line))
        for one in (path, again)
    ]
    if len(set(sums.own)) == options.n_functions:
        assert lines[0] == lines[1], "the second pass has other costs or calls"
    return sums


def of_dot(path, options):
    """Percentages in the boxes that graphviz draws, to a tenth of a percent. They are of what is
    in functions, as in the call graph."""
    ran = subprocess.run(["dot", "-Tjson", path], capture_output=True, text=True)
    assert ran.returncode == 0 and not ran.stderr, ran.stderr
    sums = Sums()
    if not options.share_in_functions or abs(options.percent - 100) > 0.1:
        return None
    sums.whole = 100.0 / options.share_in_functions
    for node in json.loads(ran.stdout).get("objects", []):
        about = html.unescape(node.get("tooltip", "")).replace("\\\\", "\\")
        found = re.fullmatch(r"(.*): total .*?\(([0-9.]+)%\)(?:, self .*?\(([0-9.]+)%\))?.*", about, re.S)
        if found:
            sums.total[found[1]] += float(found[2])
            sums.own[found[1]] += float(found[3] or 0)
    subprocess.run(["dot", "-Tsvg", "-o", os.devnull, path], check=True)
    return sums


def of_flamegraph(path, options):
    """The widths of frames, beside those of flamegraph.pl for the same stacks."""
    folded = profan(["--format", "folded", "--names", "full", *options.files], options.at, options)
    if not folded.stdout:
        return None
    ran = subprocess.run([FLAMEGRAPH, "--minwidth", "0"], input=folded.stdout, capture_output=True)
    assert ran.returncode == 0, ran.stderr
    title = r"<title>(.*) \([\d,]+ samples, ([\d.]+)%\)</title>"
    expected, found = defaultdict(float), defaultdict(float)
    def name_of(text):
        """As flamegraph.pl shows it."""
        return html.unescape(text).translate(str.maketrans("<>", "()", '"'))

    repeated = {name_of(name) for name in options.repeated}
    for name, percent in re.findall(title, ran.stdout.decode()):
        name = name_of(name)
        expected[name] = max(expected[name], float(percent))
    for name, percent in re.findall(r"<title>(.*)\n([\d.]+) %", Path(path).read_text()):
        # Names are written as folded stacks have them: no semicolon, no blank before a number.
        name = re.sub(r" ([\d.]+)$", r"_\1", name_of(name).replace(";", ":"))
        found[name] = max(found[name], float(percent))
    for name, percent in expected.items():
        # It draws functions of one name as one.
        if percent > 0.2 and len(name) < 100 and name not in repeated:
            assert abs(found[name] - percent) < 0.1, f"width of {name}: {percent} {found[name]}"
    return None


def of_hatchet(path, options):
    import hatchet

    frame = hatchet.GraphFrame.from_tau(path)
    metric = frame.exc_metrics[0]
    rows = frame.dataframe.reset_index().set_index("node")
    costs, sums = rows[metric].to_dict(), Sums()
    open_nodes = [(root, ()) for root in frame.graph.roots]
    while open_nodes:
        node, stack = open_nodes.pop()
        stack = (*stack, node.frame.get("name"))
        # The root is the program.
        if len(stack) > 1:
            sums.add([name for name in stack[1:]], costs.get(node, 0.0))
        open_nodes += [(child, stack) for child in node.children]
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
        name = re.sub(r"\\(.)", r"\1", found[1]) if found[1] else found[2]
        # A number after a blank would be a cost.
        blank = re.sub(r"_([\d.]+)$", r" \1", name)
        name = blank if blank in options.names else name
        sums.total[name] += float(found[3]) / 100 * sums.whole
        sums.own[name] += float(found[4]) / 100 * sums.whole
        n_nodes += 1
    assert n_nodes or not sums.whole, ran.stdout[:500]
    return sums


def of_profiler(path, options):
    """Mozilla's profiler-cli: `thread functions`."""
    modules = Path(options.npm) / "node_modules"
    tool = [modules / ".bin/node", Path(options.npm) / PROFILER_CLI]
    environment = {**os.environ, "HOME": options.home}
    def call(*args):
        ran = subprocess.run([*tool, *args], capture_output=True, text=True, env=environment)
        assert ran.returncode == 0, (args, ran.stderr, ran.stdout)
        return ran.stdout
    call("load", path)
    call("thread", "select", "t-0")
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
    """As its schema says, and what that does not check: indices, lengths and sums."""
    file = json.loads(Path(path).read_text())
    validate = speedscope_schema(options)
    if validate:
        validate(file)
    frames = file["shared"]["frames"]
    for frame in frames:
        assert frame["name"] and set(frame) in ({"name"}, {"name", "file", "line"}), frame
    units = {"none", "nanoseconds", "microseconds", "milliseconds", "seconds", "bytes"}
    for profile in file["profiles"]:
        assert profile["unit"] in units, profile["unit"]
        assert len(profile["samples"]) == len(profile["weights"]), profile["name"]
        assert all(0 <= one < len(frames) for stack in profile["samples"] for one in stack)
        assert all(weight > 0 for weight in profile["weights"]), profile["name"]
        assert sum(profile["weights"]) == profile["endValue"] - profile["startValue"]
    profile = file["profiles"][file["activeProfileIndex"]]
    sums = Sums()
    for stack, weight in zip(profile["samples"], profile["weights"], strict=True):
        sums.add([frames[one]["name"] for one in stack], weight)
    return sums


@functools.cache
def schema_check(path):
    import jsonschema

    return jsonschema.Draft7Validator(json.loads(Path(path).read_text())).validate


def speedscope_schema(options):
    """The check of speedscope's own schema, if it is installed."""
    path = Path(options.npm) / "node_modules/speedscope/dist/release/file-format-schema.json"
    is_there = options.npm and path.exists() and importlib.util.find_spec("jsonschema")
    return schema_check(str(path)) if is_there else None


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


def written_in_tau(flat):
    """Names as the format can have them, between quotes and without arrows."""
    written = Sums()
    written.whole = flat.whole
    for own, known in ((written.own, flat.own), (written.total, flat.total)):
        for name, cost in known.items():
            own[name.replace('"', "'").replace("=>", "= >").replace("[{", "[ {")] += cost
    return written


def has_module(name):
    return lambda options: importlib.util.find_spec(name)


def has_program(name):
    return lambda options: shutil.which(name)


# Format, ending, reader, the name of the reader, and whether it is installed.
READERS = [
    ("pprof", "pb.gz", of_go, "go tool pprof", has_program("go")),
    ("folded", "folded", of_gprof2dot, "gprof2dot", has_program("gprof2dot")),
    ("speedscope", "speedscope.json", of_speedscope, "this script", lambda options: True),
    (
        "firefox",
        "firefox.json",
        of_profiler,
        "profiler-cli",
        lambda options: options.npm and (Path(options.npm) / PROFILER_CLI).exists(),
    ),
    ("cpuprofile", "cpuprofile", of_cpuprofile, "this script", lambda options: True),
    ("heapprofile", "heapprofile", of_heapprofile, "this script", lambda options: True),
    ("callgrind", "callgrind", of_profan, "profan", lambda options: True),
    (
        "callgrind",
        "callgrind",
        of_callgrind_annotate,
        "callgrind_annotate",
        has_program("callgrind_annotate"),
    ),
    ("callgrind", "callgrind", of_gprof2dot_callgrind, "gprof2dot", has_module("gprof2dot")),
    ("dot", "dot", of_dot, "dot", has_program("dot")),
    ("svg", "svg", of_flamegraph, "flamegraph.pl", lambda options: os.path.exists(FLAMEGRAPH)),
    ("tau", "tau", of_hatchet, "hatchet", has_module("hatchet")),
]
# Without stacks these have costs of calls, which the option does not change, or say less.
ONLY_WITH_STACKS = ("callgrind", "dot", "svg")

# What readers print of a file: name of the reader, format, ending, command.
PPROF = "-nodecount=0 -nodefraction=0 -edgefraction=0"
RECORDED_FILES = ("gmon.out primes", "callgrind.out", "mpatrol.out")
RECORDED = [
    ("pprof", "pprof", "pb.gz", f"go tool pprof -top {PPROF} FILE"),
    ("pprof-peek", "pprof", "pb.gz", f"go tool pprof -peek . {PPROF} FILE"),
    ("callgrind_annotate", "callgrind", "callgrind", "callgrind_annotate --threshold=100 FILE"),
    ("gprof2dot", "callgrind", "callgrind", "gprof2dot -f callgrind -n0 -e0 FILE"),
]


def record(options):
    """Writes what readers print of the files of the tour."""
    tour = ROOT / "fixtures/tour"
    for reader, name, ending, command in RECORDED:
        if not shutil.which(command.split()[0]):
            print(f"{reader}: {command.split()[0]} is not installed and was not recorded")
            continue
        for files in RECORDED_FILES:
            path = Path(options.home) / f"recorded.{ending}"
            arguments = ["--format", name, "-o", str(path), *files.split()]
            assert profan(arguments, tour, options).returncode == 0, arguments
            words = [str(path) if word == "FILE" else word for word in command.split()]
            ran = subprocess.run(words, capture_output=True, text=True, check=True)
            recording = tour / f"expected/{reader}/{files.split()[0]}.txt"
            recording.parent.mkdir(exist_ok=True)
            recording.write_text(ran.stdout.replace(str(path), path.name))


def compare(found, flat, in_cycle, is_total_known, is_complete):
    """The largest difference, as a share of the whole."""
    worst = (0.0, "")
    for name, expected in flat.own.items():
        if not is_complete and name in flat.unattributed | flat.repeated:
            continue
        if not is_complete and name not in found.own:
            # The picture leaves out what is below half a percent.
            shown = 0.005 if flat.total[name] / flat.whole >= 0.005 else 0.0
            worst = max(worst, (shown, f"{name} is missing"))
            continue
        other = found.own.get(name, 0.0) / found.whole
        worst = max(worst, (abs(other - expected / flat.whole), f"self of {name}"))
        if is_total_known and name not in in_cycle | found.unknown:
            other = found.total.get(name, 0.0) / found.whole
            worst = max(worst, (abs(other - flat.total[name] / flat.whole), f"total of {name}"))
    return worst


def check(profile, readers, options):
    """What each reader finds in one profile: reader, where, largest difference, of what."""
    found = []
    with tempfile.TemporaryDirectory() as directory:
        options = argparse.Namespace(**vars(options), home=directory)
        options.files, options.at = files_of(profile), profile.parent
        known = flat_profile(options.files, options.at, options)
        if not known or not known[0].whole:
            return found
        options.n_functions = known[0].n_rows
        elsewhere = sum(known[0].own[name] for name in known[0].unattributed)
        options.share_in_functions = 1 - elsewhere / known[0].whole
        options.names = set(known[0].own)
        options.percent = known[0].percent
        options.repeated = known[0].repeated
        options.n_names, options.recursive = len(known[0].own), known[0].recursive
        names = sorted(known[0].own, key=len, reverse=True)
        options.name_at_end_of = lambda place: next(
            (name for name in names if place.endswith(":" + name)), None
        )
        for number in readers:
            for single in ([], ["--no-inferred-stacks"]):
                name = READERS[number][0]
                if not single or name not in ONLY_WITH_STACKS:
                    result = read_back(profile, number, single, known, options)
                    found += [(number, *result)] if result else []
    return found


def read_back(profile, number, single, known, options):
    """Writes a profile in one format and compares what its reader finds."""
    name, ending, reader, tool, _ = READERS[number]
    path = str(Path(options.home) / f"out.{ending}")
    if name == "tau":
        path = tempfile.mkdtemp(dir=options.home)
    args = ["--format", name, "-o", path, *single, *options.files]
    written = profan(args, options.at, options)
    # Numbers that are too large for the format have a warning.
    if written.returncode != 0 or b"W071" in written.stderr:
        return None
    where = f"{name} of {profile.relative_to(ROOT)} {' '.join(single)} by {tool}"
    error, what = 0.0, ""
    try:
        found = reader(path, options)
        if name == "tau":
            known = (written_in_tau(known[0]), *known[1:])
        if found:
            is_total_known = not single and known[2]
            error, what = compare(found, *known[:2], is_total_known, name != "dot")
    except Exception as problem:
        error, what = 1.0, repr(problem)[:300]
    return where, error, what


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--profan", default=str(ROOT / "target/debug/profan"))
    parser.add_argument("--npm", default="")
    parser.add_argument("--only", default="")
    parser.add_argument("--record", action="store_true")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("filter", nargs="?", default="")
    options = parser.parse_args()
    options.profan = str(Path(options.profan).resolve())
    readers = []
    for number, (name, _, _, tool, is_installed) in enumerate(READERS):
        if options.only and name not in options.only.split(","):
            continue
        if is_installed(options):
            readers.append(number)
        else:
            print(f"{name}: {tool} is not installed and was left out")
    if options.record:
        with tempfile.TemporaryDirectory() as directory:
            record(argparse.Namespace(**vars(options), home=directory))
    fixtures = sorted((ROOT / "fixtures").rglob("*"))
    fixtures = [one for one in fixtures if IS_PROFILE.fullmatch(one.name)]
    fixtures = [one for one in fixtures if options.filter in str(one)]
    n_compared, n_failed, figures = defaultdict(int), 0, defaultdict(float)
    # Most of the time is that of readers, which are processes of their own.
    with ThreadPoolExecutor(options.jobs) as pool:
        for found in pool.map(lambda one: check(one, readers, options), fixtures):
            for number, where, error, what in found:
                n_compared[number] += 1
                figures[number] = max(figures[number], error if error < 1 else 0)
                if error > TOLERANCE:
                    n_failed += 1
                    print(f"{where}: {what}: {error:.5f}", flush=True)
    for number, n in sorted(n_compared.items()):
        name, tool = READERS[number][0], READERS[number][3]
        print(f"{name} by {tool}: {n} files, largest difference {figures[number]:.6f} of the whole")
    return 1 if n_failed or not n_compared else 0


if __name__ == "__main__":
    sys.exit(main())
