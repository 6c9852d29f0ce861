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


def flat(profan, folder, run_of):
    done = subprocess.run([profan, "-p", "--format", "csv", run_of, "side-trial/program"], cwd=folder, text=True,
                          capture_output=True)
    return list(csv.DictReader(done.stdout.splitlines()))


def slow_down(builds, profan, percent, turn):
    """Builds with a hot function that takes so much longer, by the first runs of the old build."""
    program = builds.program
    shown = program.get("row", program["slower"])
    seconds = calls = 0
    for number in range(3):
        for row in flat(profan, builds.folder, builds.run("trial", number)):
            if re.match(rf"{shown}(\.|$)", row["name"]):
                seconds += float(row["self_seconds"])
                calls += int(float(row["calls"] or 0))
    if not calls:
        raise Wrong(f"no calls of {shown}")
    turns = max(1, round(percent / 100 * seconds / calls / turn))
    pattern = definition(program["slower"])
    builds.change("slower", lambda text: replaced(pattern, text, rf"\1\2 {SPIN.format(turns=turns)}"))


def tried(profan, program, top, turn):
    """The results of a program by name, and what is wrong."""
    builds = Builds(program, top)
    builds.add("old")
    builds.add("trial")
    builds.add("crashed")
    names = []
    if "slower" in program:
        slow_down(builds, profan, 10, turn)
        names.append("slower")
    if "inlined" in program:
        name = program["inlined"]
        inline = r"\1inline __attribute__((always_inline)) \2"
        builds.change("inlined", lambda text: replaced(definition(name), text, inline))
        builds.change("renamed", lambda text: re.sub(rf"\b{name}\b", "other_name", text))
        names += ["inlined", "renamed"]
    runs = {name: [] for name in ["old", *names]}
    start = time.monotonic()
    for number in range(N_RUNS):
        runs["old"].append(builds.run("old", number))
        for name in names:
            n_runs = N_CHANGED if name == "slower" else N_SIDE
            if number % (N_RUNS // n_runs) == 0:
                runs[name].append(builds.run(name, number))
    seconds = (time.monotonic() - start) / sum(map(len, runs.values()))
    dice = random.Random(7)

    def compared(old, new_name, new, *options):
        return Verdicts(profan, builds.folder, ("old", old), (new_name, new), *options)

    def spread(all_runs, n_side):
        return [all_runs[i] for i in range(0, len(all_runs), len(all_runs) // n_side)][:n_side]

    wrong, alarms = [], []
    for _ in range(N_SPLITS):
        chosen = dice.sample(runs["old"], 2 * N_SIDE)
        verdicts = compared(chosen[:N_SIDE], "old", chosen[N_SIDE:])
        if verdicts.refused:
            alarms.append(verdicts.reasons.splitlines()[-1])
    row = {"s a run": f"{seconds:.1f}", "alarms": str(len(alarms))}
    if "slower" in runs:
        shown, found = program.get("row", program["slower"]), 0
        for _ in range(N_SPLITS):
            sides = dice.sample(runs["old"], N_SIDE), dice.sample(runs["slower"], N_SIDE)
            of_function = compared(sides[0], "slower", sides[1]).of(shown)
            found += any(one["verdict"] == "slower" for one in of_function)
            wrong += ["a slower function is faster"] * any(one["verdict"] == "faster" for one in of_function)
        whole = compared(runs["old"], "slower", runs["slower"]).of(shown)
        row["change"] = f"{float(whole[0]['change_percent']):+.0f} %" if whole else "none"
        row["found"] = str(found)
    if "inlined" in runs:
        name = program["inlined"]
        old = spread(runs["old"], N_SIDE)
        inlined = compared(old, "inlined", runs["inlined"])
        verdict = [one["verdict"] for one in inlined.of(name)]
        row["inlined"] = ", ".join(verdict) or "not shown"
        if inlined.refused:
            wrong.append(f"inlined: {inlined.reasons.strip()}")
        renamed = compared(old, "renamed", runs["renamed"], "--sort", "calls_change")
        with_option = compared(old, "renamed", runs["renamed"], "--rename", f"{name}=other_name")
        verdict = [one["verdict"] for one in [*renamed.of(name), *renamed.of("other_name")]]
        row["renamed"] = ", ".join(verdict) or "not shown"
        if not renamed.of("other_name"):
            wrong.append("a renamed function is not named")
        if with_option.refused:
            wrong.append(f"renamed with --rename: {with_option.reasons.strip()}")
    if "small" in program["run"]:
        at_once = program["run"].replace("small", "/dev/null")
        ended = [builds.run("crashed", number, at_once) for number in range(N_SIDE)]
        one = compared(runs["old"][:N_SIDE], "old", [*runs["old"][N_SIDE:2 * N_SIDE - 1], ended[0]])
        every = compared(runs["old"][:N_SIDE], "crashed", ended)
        faster = [sum(one["verdict"] == "faster" for one in side.rows) for side in (one, every)]
        row["ended at once"] = " and ".join(map(str, faster)) + " faster"
        if any(faster):
            wrong.append("runs that ended at once are faster")
        if not every.refused:
            wrong.append("a side that ended at once is accepted")
    return row, alarms, wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--sources", type=Path)
    parser.add_argument("profan")
    parser.add_argument("names", nargs="*")
    given = parser.parse_args()
    profan = str(Path(given.profan).resolve())
    columns = ["s a run", "alarms", "change", "found", "inlined", "renamed", "ended at once"]
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
