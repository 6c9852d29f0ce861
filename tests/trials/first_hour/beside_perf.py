#!/usr/bin/env python3
"""Runs the programs of the trials under perf, and compares the largest shares.

    tests/trials/first_hour/beside_perf.py [--keep DIR] PROFAN [NAME...]

One run of each program writes gmon.out while perf samples it. gmon.out has the time of the
program's own code only, so that perf's shares are of the program's object, and a second
table has the other objects, which profan can only name. Prints Markdown.
"""
import argparse
import json
import subprocess
import tempfile
from collections import Counter
from pathlib import Path

from run import TRIALS, run

LARGEST = 4


def of_perf(folder):
    """Samples of each object, and of each symbol of the program, as perf counted them."""
    text = run("perf report -i perf.data --no-demangle --stdio -q -t ';' -F sample,dso,symbol "
               "--sort dso,symbol", folder)
    objects, symbols = Counter(), Counter()
    for line in text.splitlines():
        fields = [field.strip() for field in line.split(";")]
        if len(fields) < 3 or not fields[0].isdigit():
            continue
        samples, shared_object = int(fields[0]), fields[1]
        symbol = fields[2].removeprefix("[.] ").removeprefix("[k] ").split(" ")[0]
        objects[shared_object] += samples
        if shared_object == "program":
            symbols[symbol] += samples
    return objects, symbols


def of_profan(profan, arguments, folder):
    """Samples and names of each linkage name, and the notes."""
    done = subprocess.run([profan, *arguments, "-p", "--format", "json"], cwd=folder, text=True,
                          capture_output=True, timeout=60)
    samples, names = Counter(), {}
    for section in json.loads(done.stdout)["sections"]:
        for row in section["rows"]:
            symbol = row.get("linkage_name", row["name"])
            symbol = symbol.removesuffix("()")
            samples[symbol] += row["self"]
            names[symbol] = row["name"].split("(")[0].split("<")[0] or row["name"]
    notes = [line for line in done.stderr.splitlines() if "not included" in line]
    return samples, names, notes


def compared(name, profan, folder):
    trial = TRIALS[name]
    for file, text in trial.files.items():
        (folder / file).write_text(text)
    for command in trial.build:
        run(command.replace("./program", "perf record -q -F 2000 -o perf.data ./program"), folder)
    objects, theirs = of_perf(folder)
    ours, names, notes = of_profan(profan, trial.arguments, folder)
    their_sum, our_sum = sum(theirs.values()) or 1, sum(ours.values()) or 1
    differences = [abs(ours[symbol] / our_sum - theirs[symbol] / their_sum)
                   for symbol in {*ours, *theirs}]
    either = Counter({symbol: max(ours[symbol] / our_sum, theirs[symbol] / their_sum)
                      for symbol in {*ours, *theirs}})
    largest = [symbol for symbol, share in either.most_common(LARGEST) if share >= 0.001]
    for symbol in largest:
        yield (name, names.get(symbol, symbol), f"{100 * ours[symbol] / our_sum:.1f}",
               f"{100 * theirs[symbol] / their_sum:.1f}", f"{our_sum:.0f}",
               f"{100 * max(differences):.1f}")
    everything = sum(objects.values()) or 1
    elsewhere = ", ".join(f"{shared_object} {100 * samples / everything:.0f} %"
                          for shared_object, samples in objects.most_common()
                          if shared_object != "program" and samples * 100 >= everything)
    yield (name, elsewhere, notes[0].partition("not included: ")[2] if notes else "")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--keep", type=Path, help="build in this directory, and leave it")
    parser.add_argument("profan")
    parser.add_argument("names", nargs="*", metavar="NAME")
    options = parser.parse_args()
    profan = str(Path(options.profan).resolve())
    functions, elsewhere = [], []
    with tempfile.TemporaryDirectory() as scratch:
        for name in options.names or TRIALS:
            folder = (options.keep or Path(scratch)) / name
            folder.mkdir(parents=True, exist_ok=True)
            *rows, last = compared(name, profan, folder)
            functions += rows
            elsewhere.append(last)
    print("| program | function | profan, % | perf, % | samples | largest difference |")
    print("|---|---|--:|--:|--:|--:|")
    for row in functions:
        print("| " + " | ".join(row) + " |")
    print("\n| program | in other objects, by perf | profan's note |\n|---|---|---|")
    for row in elsewhere:
        print("| " + " | ".join(row) + " |")


main()
