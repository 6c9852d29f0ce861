#!/usr/bin/env python3
"""Compares runs of real programs with each other, and with runs of changed builds.

    tests/trials/real_difference/run.py [--sources DIR] PROFAN [NAME...]

Sources are those of Debian: unpacked below DIR, or from `apt-get source`. Twenty runs of one build
are split twenty times into five and five. Of 200 such comparisons, at most five may report a change.
Then a hot function takes 10 % longer, a function is inlined, another is renamed, and runs end at
their start. A table has the results, and the exit status is 1 if one is wrong.
"""
import argparse
import csv
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parent.parent)]
from first_day.run import build  # noqa: E402
from real_difference.programs import PROGRAMS  # noqa: E402

N_RUNS, N_CHANGED, N_SIDE, N_SPLITS = 20, 10, 5, 20
MOST_ALARMS = 5 / 200
GATE = "slower,faster,new,gone,calls"
PERCENT = 10
OTHER_NAME = "other_name"
SPIN = "for (volatile unsigned turn_ = 0; turn_ < {turns}u; turn_++);"


class Wrong(Exception):
    """A command that failed."""


def run(command, folder, may_fail=False, **variables):
    done = subprocess.run(command, shell=True, cwd=folder, capture_output=True, timeout=900,
                          env={**os.environ, **variables})
    if done.returncode != 0 and not may_fail:
        raise Wrong(f"`{command}` failed: {done.stderr.decode(errors='replace')[-300:]}")


def definition(name):
    """The pattern of a function's name in its definition, and of all up to its body."""
    return re.compile(rf"(^[\w \t(]*\b)({name}\)?\s*\([^;{{}}]*\)\s*(?:/\*[^;{{}}]*?\*/\s*|\w[^;{{}}()]*;[^\n]*\n\s*)*\{{)", re.M)


def replaced(pattern, text, what):
    after, n_found = pattern.subn(what, text, count=1)
    if n_found == 0:
        raise Wrong(f"no definition {pattern.pattern}")
    return after


class Builds:
    """The builds of a program, each with its runs, which are made in turn."""

    def __init__(self, program, top):
        self.program, self.top = program, top
        self.folder = top / program.get("directory", ".")
        self.source = top / program.get("file", ".")
        run(program["inputs"], self.folder)

    def add(self, name):
        """Keeps the executable as that of a build."""
        (self.folder / f"side-{name}").mkdir()
        shutil.copy(self.folder / self.program["binary"], self.folder / f"side-{name}" / "program")

    def change(self, name, edit):
        """Builds with an edited source, and restores that."""
        before = self.source.read_text(errors="surrogateescape")
        try:
            self.rebuild(edit(before))
            self.add(name)
        finally:
            self.source.write_text(before, errors="surrogateescape")

    def rebuild(self, text):
        # Tools that compare times to the second have to see the change.
        time.sleep(1.1)
        self.source.write_text(text, errors="surrogateescape")
        run(f"rm -f {self.program['binary']}", self.folder)
        run(self.program["rebuild"], self.top)

    def run(self, name, number, command=None):
        """Makes a run, and returns its profile. Another command may fail."""
        prefix = f"side-{name}/run{number:02}"
        text = (command or self.program["run"]).replace("./program", f"side-{name}/program")
        run(f"{text} > /dev/null", self.folder, may_fail=command is not None, GMON_OUT_PREFIX=prefix)
        made = list(self.folder.glob(f"{prefix}.*"))
        if len(made) != 1:
            raise Wrong(f"{name}: {len(made)} profiles of a run")
        return str(made[0].relative_to(self.folder))


class Verdicts:
    """What `profan diff` says of two sides."""

    def __init__(self, profan, folder, old, new, *options):
        (old_name, old_runs), (new_name, new_runs) = old, new
        done = subprocess.run(
            [profan, "diff", "--fail-on", GATE, "--format", "csv", *options, *old_runs, f"side-{old_name}/program",
             "--", *new_runs, f"side-{new_name}/program"], cwd=folder, text=True, capture_output=True)
        if done.returncode not in (0, 1):
            raise Wrong(f"profan: {done.stderr[-300:]}")
        self.refused, self.reasons = done.returncode == 1, done.stderr
        self.rows = list(csv.DictReader(done.stdout.splitlines()))

    def of(self, name):
        """The rows of a function."""
        return [row for row in self.rows if re.match(rf"{name}(\.|$)", row["name"])]


def seconds_of_turn(folder):
    """How long a turn of the added loop takes."""
    (folder / "turns.c").write_text("int main(void) { " + SPIN.format(turns=300000000) + " }")
    run("gcc -O2 -o turns turns.c", folder)
    start = time.monotonic()
    run("./turns", folder)
    return (time.monotonic() - start) / 300000000


def flat(profan, folder, profile):
    """The rows of a flat profile."""
    done = subprocess.run([profan, "-p", "--format", "csv", profile, "side-trial/program"], cwd=folder, text=True,
                          capture_output=True)
    return list(csv.DictReader(done.stdout.splitlines()))


def slow_down(builds, profan, turn):
    """Builds with a hot function that takes 10 % longer than in three runs of the old build."""
    program = builds.program
    name = program.get("row", program["slower"])
    seconds = calls = 0
    for number in range(3):
        for row in flat(profan, builds.folder, builds.run("trial", number)):
            if re.match(rf"{name}(\.|$)", row["name"]):
                seconds += float(row["self_seconds"])
                calls += int(float(row["calls"] or 0))
    if not calls:
        raise Wrong(f"no calls of {name}")
    turns = max(1, round(PERCENT / 100 * seconds / calls / turn))
    pattern = definition(program["slower"])
    builds.change("slower", lambda text: replaced(pattern, text, rf"\1\2 {SPIN.format(turns=turns)}"))


class Sides:
    """The runs of all builds of a program, and comparisons of them."""

    def __init__(self, profan, builds, names):
        self.profan, self.folder = profan, builds.folder
        self.runs = {name: [] for name in ["old", *names]}
        self.dice = random.Random(7)
        start = time.monotonic()
        for number in range(N_RUNS):
            self.runs["old"].append(builds.run("old", number))
            for name in names:
                if number % (N_RUNS // (N_CHANGED if name == "slower" else N_SIDE)) == 0:
                    self.runs[name].append(builds.run(name, number))
        self.seconds = (time.monotonic() - start) / sum(map(len, self.runs.values()))

    def compared(self, old, name, new, *options):
        return Verdicts(self.profan, self.folder, ("old", old), (name, new), *options)

    def beside_old(self, name, *options):
        """A build beside old runs that were made with its own."""
        return self.compared(self.runs["old"][::N_RUNS // N_SIDE], name, self.runs[name], *options)

    def alarms(self):
        """The last reason of each split of the old runs that is refused."""
        splits = [self.dice.sample(self.runs["old"], 2 * N_SIDE) for _ in range(N_SPLITS)]
        verdicts = [self.compared(runs[:N_SIDE], "old", runs[N_SIDE:]) for runs in splits]
        return [one.reasons.splitlines()[-1] for one in verdicts if one.refused]

    def of_slower(self, name):
        """The rows of a slower function, by five runs a side."""
        for _ in range(N_SPLITS):
            old, new = (self.dice.sample(self.runs[side], N_SIDE) for side in ("old", "slower"))
            yield from self.compared(old, "slower", new).of(name)[:1]


def tried(profan, program, top, turn):
    """The results of a program by column, its alarms, and what is wrong."""
    builds = Builds(program, top)
    for name in ("old", "trial", "crashed"):
        builds.add(name)
    name = program.get("inlined")
    if name:
        slow_down(builds, profan, turn)
        inline = r"\1inline __attribute__((always_inline)) \2"
        builds.change("inlined", lambda text: replaced(definition(name), text, inline))
        builds.change("renamed", lambda text: re.sub(rf"\b{name}\b", OTHER_NAME, text))
    sides = Sides(profan, builds, ["slower", "inlined", "renamed"] if name else [])
    alarms, wrong = sides.alarms(), []
    row = {"s a run": f"{sides.seconds:.1f}", "alarms": str(len(alarms))}
    if name:
        try_changes(program, sides, row, wrong)
    if "small" in program["run"]:
        try_crashes(builds, sides, row, wrong)
    return row, alarms, wrong


def try_changes(program, sides, row, wrong):
    """Compares builds with a slower, an inlined and a renamed function."""
    slower, name = program.get("row", program["slower"]), program["inlined"]
    whole = sides.compared(sides.runs["old"], "slower", sides.runs["slower"]).of(slower)
    row["change"] = f"{float(whole[0]['change_percent']):+.0f} %" if whole else "none"
    rows = list(sides.of_slower(slower))
    verdicts = [one["verdict"] for one in rows]
    row["found"] = str(verdicts.count("slower"))
    visible = sorted(float(one["visible_percent"] or "inf") for one in rows)
    row["visible"] = f"{visible[len(visible) // 2]:.0f} %" if rows else "none"
    if "faster" in verdicts:
        wrong.append("a slower function is faster")
    inlined = sides.beside_old("inlined")
    row["inlined"] = verdicts_of(inlined.of(name))
    if inlined.refused and not program.get("is_slower_inlined"):
        wrong.append(f"inlined: {inlined.reasons.strip()}")
    renamed = sides.beside_old("renamed", "--sort", "calls_change")
    row["renamed"] = verdicts_of([*renamed.of(name), *renamed.of(OTHER_NAME)])
    if not renamed.of(OTHER_NAME):
        wrong.append("a renamed function is not named")
    told = sides.beside_old("renamed", "--rename", f"{name}={OTHER_NAME}")
    if told.refused:
        wrong.append(f"renamed with --rename: {told.reasons.strip()}")


def try_crashes(builds, sides, row, wrong):
    """Compares sides of which one run, or every run, ended at its start."""
    at_once = builds.program["run"].replace("small", "/dev/null")
    ended = [builds.run("crashed", number, at_once) for number in range(N_SIDE)]
    old, others = sides.runs["old"][:N_SIDE], sides.runs["old"][N_SIDE:2 * N_SIDE]
    one = sides.compared(old, "old", [ended[0], *others[1:]])
    every = sides.compared(old, "crashed", ended)
    faster = [sum(row["verdict"] == "faster" for row in side.rows) for side in (one, every)]
    row["one, all ended"] = ", ".join(f"{n} faster" for n in faster)
    if any(faster):
        wrong.append("runs that ended at once are faster")
    if not every.refused:
        wrong.append("a side that ended at once is accepted")


def verdicts_of(rows):
    return ", ".join(row["verdict"] for row in rows) or "not shown"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--sources", type=Path)
    parser.add_argument("profan")
    parser.add_argument("names", nargs="*")
    given = parser.parse_args()
    profan = str(Path(given.profan).resolve())
    columns = ["s a run", "alarms", "change", "found", "visible", "inlined", "renamed", "one, all ended"]
    print("| program | " + " | ".join(columns) + " |", "|---|" + "---|" * len(columns), sep="\n", flush=True)
    n_alarms = n_splits = n_wrong = 0
    remarks = []
    with tempfile.TemporaryDirectory() as scratch:
        turn = seconds_of_turn(Path(scratch))
        sources = (given.sources or Path(scratch)).resolve()
        for number, (name, program) in enumerate(PROGRAMS.items()):
            if given.names and name not in given.names:
                continue
            folder = Path(scratch) / f"program{number}"
            folder.mkdir()
            try:
                why = build(program, sources, folder)
                if why:
                    raise Wrong(why)
                row, alarms, wrong = tried(profan, program, folder, turn)
            except Wrong as why:
                print(f"{name}: left out: {why}", flush=True)
                continue
            print(f"| {name} | " + " | ".join(row.get(column, "") for column in columns) + " |", flush=True)
            n_alarms, n_splits, n_wrong = n_alarms + len(alarms), n_splits + N_SPLITS, n_wrong + len(wrong)
            remarks += [f"{name}: alarm: {alarm}" for alarm in alarms] + [f"{name}: {one}" for one in wrong]
            shutil.rmtree(folder)
    print(f"{n_alarms} of {n_splits} comparisons of one build report a change.", *remarks, sep="\n")
    sys.exit(1 if n_wrong or n_alarms > MOST_ALARMS * n_splits else 0)


if __name__ == "__main__":
    main()
