#!/usr/bin/env python3
"""Heap profiles of real programs: profan beside the tools that wrote them.

    tests/trials/heap.py PROFAN

Runs four programs of the system under DHAT and massif, and the benchmarks of four packages of Go.
Compares the sums of DHAT's values with those of its JSON and with the totals that DHAT printed,
massif's snapshots and the functions of its peak with ms_print, and every function of Go's heaps,
by each value, with `go tool pprof -sample_index=VALUE`. Takes two minutes. Ends with status 1 if
anything differs.
"""
import collections
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

# The first four that are installed.
PROGRAMS = {
    "perl": ["perl", "-e", 'my %h; $h{$_ % 97} .= "x" x ($_ % 13) for 1..4000; print join "", %h'],
    "sqlite": ["sqlite3", ":memory:", "create table t(a, b); with recursive n(i) as (select 1 union "
               "all select i + 1 from n where i < 900) insert into t select i, hex(i * 7919) from n; "
               "select count(*), max(b) from t where b like '%3%' group by a % 17;"],
    "jq": ["jq", "-n", "[range(900) | {key: tostring, value: [., . * 2]}] | from_entries | length"],
    "m4": ["m4", "numbers.m4"],
    "tcl": ["tclsh", "list.tcl"],
    "xz": ["xz", "-kc0", "numbers.m4"],
}
FILES = {
    "numbers.m4": "define(`n', `$1 ifelse($1, 0, , `n(decr($1))')')\nn(300)\n" * 3,
    "list.tcl": "for {set i 0} {$i < 900} {incr i} {lappend l [string repeat x $i]}\nputs [llength $l]\n",
}
N_PROGRAMS = 4
PACKAGES = ["encoding/csv", "encoding/xml", "text/template", "html/template"]
# The value of profan, and DHAT's key.
DHAT = {"bytes": "tb", "count": "tbk", "peak-bytes": "gb", "peak-count": "gbk", "read-bytes": "rb",
        "written-bytes": "wb", "lifetime": "tl", "unfreed-bytes": "eb", "unfreed-count": "ebk"}
GO_VALUES = {"alloc_space": "B", "alloc_objects": "count", "inuse_space": "B", "inuse_objects": "count"}


class Trial:
    def __init__(self, profan):
        self.profan, self.n_checked, self.wrong = profan, 0, []

    def compare(self, what, found, expected):
        self.n_checked += 1
        if found != expected:
            self.wrong.append(f"{what}: profan has {found}, expected {expected}")

    def section(self, name, *words):
        done = run(self.profan, "--format", "json", *words)
        sections = [one for one in json.loads(done.stdout)["sections"] if one["id"] == name]
        return sections[0]["rows"] if sections else []


def run(*words):
    return subprocess.run([str(word) for word in words], check=True, capture_output=True, text=True)


def number(text):
    return int(text.replace(",", ""))


def check_dhat(trial, name, command):
    file = f"{name}.dhat"
    printed = run("valgrind", "--tool=dhat", f"--dhat-out-file={file}", *command).stderr
    points = json.loads(pathlib.Path(file).read_text())["pps"]
    sums = {value: sum(point[key] for point in points) for value, key in DHAT.items()}
    for value, expected in sums.items():
        rows = trial.section("flat", "-p", "--value", value, file)
        trial.compare(f"{file} {value}", sum(row["self"] for row in rows), expected)
    lines = {"Total": ("bytes", "count"), "At t-gmax": ("peak-bytes", "peak-count"),
             "At t-end": ("unfreed-bytes", "unfreed-count"), "Reads": ("read-bytes",),
             "Writes": ("written-bytes",)}
    for title, values in lines.items():
        numbers = re.search(rf"== {title}:\s+([\d,]+) bytes(?: in ([\d,]+) blocks)?", printed)
        for value, text in zip(values, numbers.groups()):
            trial.compare(f"{file} {title}", sums[value], number(text))
    peak = trial.section("heap-peak", "--peak=0", file)
    trial.compare(f"{file} --peak", sum(row["peak-bytes"] for row in peak if "peak-bytes" in row),
                  sums["peak-bytes"])


def check_massif(trial, name, command):
    file = f"{name}.massif"
    run("valgrind", "--tool=massif", f"--massif-out-file={file}", *command)
    text = run("ms_print", file).stdout
    table = re.findall(r"^ *(\d+) +([\d,]+) +([\d,]+) +([\d,]+) +([\d,]+) +([\d,]+)$", text, re.MULTILINE)
    snapshots = [tuple(map(number, row)) for row in table]
    columns = ("snapshot", "time", "total_bytes", "heap_bytes", "extra_bytes", "stack_bytes")
    found = [tuple(row[column] for column in columns)
             for row in trial.section("heap-snapshots", "--trace", file)]
    trial.compare(f"{file} snapshots", found, snapshots)
    peak = int(re.search(r"(\d+) \(peak\)", text)[1])
    tree = text[re.search(rf"^ +{peak} ", text, re.MULTILINE).start():].split("\n\n")[0]
    callers = collections.Counter()
    for size, function in re.findall(r"^->[\d.]+% \(([\d,]+)B\) 0x[0-9A-F]+: (.*) \(", tree, re.MULTILINE):
        # profan has the address of code without a name.
        if function != "???":
            callers[function] += number(size)
    found = {row["name"]: row["self"] for row in trial.section("flat", "-p", file)}
    for function, expected in callers.items():
        trial.compare(f"{file} peak {function}", found.get(function), expected)
    whole = {row[0]: row[3] for row in snapshots}[peak]
    trial.compare(f"{file} peak", sum(found.values()), whole)


def check_go(trial, go, package):
    name = package.replace("/", "-")
    run(go, "test", "-vet=off", "-run", "XXX", "-bench", ".", "-benchtime", "1x", "-memprofilerate",
        "4096", "-o", f"{name}.test", "-memprofile", os.path.abspath(f"{name}.pb.gz"), package)
    for value, unit in GO_VALUES.items():
        text = run(go, "tool", "pprof", "-top", "-nodecount=0", "-nodefraction=0", f"-unit={unit}",
                   f"-sample_index={value}", f"{name}.pb.gz").stdout
        expected = {}
        for flat, total, function in re.findall(
                r"^ *(-?\d+)\w* +\S+ +\S+ +(-?\d+)\w* +\S+ +(\S.*)$", text, re.MULTILINE):
            function = re.sub(r" \((partial-)?inline\)$", "", function)
            expected[function] = (int(flat), int(total))
        rows = trial.section("flat", "-p", "--value", value, f"{name}.pb.gz")
        found = {row["name"]: (row["self"], row["total"]) for row in rows}
        for function, numbers in expected.items():
            trial.compare(f"{name} {value} {function}", found.get(function), numbers)


def main():
    trial = Trial(os.path.abspath(sys.argv[1]))
    go = shutil.which("go")
    missing = [tool for tool in ("valgrind", "ms_print", "go") if not shutil.which(tool)]
    programs = [name for name, command in PROGRAMS.items() if shutil.which(command[0])]
    print("not installed:", ", ".join(missing) or "nothing", "- programs:", *programs[:N_PROGRAMS])
    with tempfile.TemporaryDirectory() as directory:
        os.chdir(directory)
        for name, text in FILES.items():
            pathlib.Path(name).write_text(text)
        for name in programs[:N_PROGRAMS]:
            if "valgrind" not in missing:
                check_dhat(trial, name, PROGRAMS[name])
            if not {"valgrind", "ms_print"} & set(missing):
                check_massif(trial, name, PROGRAMS[name])
        for package in PACKAGES if go else []:
            check_go(trial, go, package)
        os.chdir("/")
    for line in trial.wrong[:40]:
        print(line)
    print(f"{trial.n_checked} values were compared, {len(trial.wrong)} differ")
    sys.exit(1 if trial.wrong or not trial.n_checked else 0)


main()
