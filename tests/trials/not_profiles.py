#!/usr/bin/env python3
"""Checks that profan takes no source, log or table for a profile.

    tests/trials/not_profiles.py PROFAN [DIRECTORY...] [--seed N]

Without directories, gives profan 500 generated files: sources of several languages, logs, lists
that tools print, and tables of numbers. With directories, gives it every regular file below them
of up to a megabyte. Prints each file that profan reads as a profile, with the format, and ends
with status 1 if there is one. Files that are profiles have to be elsewhere.
"""
import argparse
import json
import os
import random
import subprocess
import sys
import tempfile

MOST_BYTES = 1 << 20
WORDS = """main work parse read write list item count value buffer node tree index error server
client request time total sum size start stop open close cache lock queue thread user root""".split()


def word(rng):
    return rng.choice(WORDS)


def line_makers(rng):
    """A function for each kind of text, which gives a line of it."""
    w, n = lambda: word(rng), lambda most=9999: rng.randint(0, most)
    clock = lambda: f"{n(23):02}:{n(59):02}:{n(59):02}"
    hexes = lambda digits: f"{rng.getrandbits(4 * digits):0{digits}x}"
    path = lambda: "/".join(["", "usr", w(), w()])
    return {
        "a.c": lambda: rng.choice([f"int {w()}(int a) {{ return a + {n()}; }}",
                                   f"    for (int i = 0; i < {n()}; i++) {w()}[i] = {n()};",
                                   f"#define {w().upper()} {n()}", f"\t{w()}({w()}, {n()});", ""]),
        "a.py": lambda: rng.choice([f"def {w()}({w()}):", f"    {w()} = {w()}({n()})  # {w()} {n()}",
                                    f"    return {n()}", ""]),
        "a.rs": lambda: rng.choice([f"fn {w()}() -> u32 {{ {n()} }}", f"    let {w()} = {n()};",
                                    f"use {w()}::{w()};", f"    {w()}::{w()}({n()})"]),
        "a.s": lambda: f"  {hexes(6)}:\t{hexes(2)} {hexes(2)}\t{w()} ${n()},%eax",
        "a.js": lambda: f"const {w()} = {{ {w()}: {n()}, {w()}: [{n()}, {n()}] }};",
        "a.sh": lambda: f"{w()} --{w()} {n()} | sort -n; echo ${w()} {n()}",
        "Makefile": lambda: rng.choice([f"{w()}: {w()}.c", f"\tcc -o {w()} {w()}.c -D{w()}={n()}"]),
        "a.yaml": lambda: "  " * n(2) + f"{w()}: {n()}",
        "a.json": lambda: f'{{"{w()}": {n()}, "{w()}": "{w()}"}},',
        "a.xml": lambda: f"<{w()} id=\"{n()}\">{w()}</{w()}>",
        "a.ini": lambda: rng.choice([f"[{w()}]", f"{w()}={n()}"]),
        "syslog": lambda: f"Nov {n(28)} {clock()} host {w()}[{n()}]: {w()} {w()}: {n()}",
        "access.log": lambda: f"10.0.0.{n(255)} - - [{clock()}] \"GET /{w()} HTTP/1.1\" 200 {n()}",
        "dmesg": lambda: rng.choice([f"[{n():5}.{n(999999):06}] {w()}: {w()} {n()}",
                                     f"[{n():5}.{n(999999):06}]  {w()}+0x{hexes(2)}/0x{hexes(3)}"]),
        "app.log": lambda: f"2026-11-27T{clock()}.{n(999):03}Z INFO {w()}: {w()} took {n()} ms",
        "trace.log": lambda: rng.choice([f"{n()} {n()}.{n(999999):06}: {w()}: {w()}={n()}",
                                         f"    at {w()}.{w()}({w()}.java:{n()})"]),
        "backtrace": lambda: f"#{n(30)}  0x{hexes(16)} in {w()} (a={n()}) at {w()}.c:{n()}",
        "maps": lambda: f"{hexes(12)}-{hexes(12)} r-xp {hexes(8)} 08:01 {n():<8} {path()}",
        "nm": lambda: f"{hexes(16)} T {w()}",
        "strace": lambda: f"{n()} {w()}({n()}, \"{w()}\", {n()}) = {n()}",
        "ls": lambda: f"-rw-r--r-- 1 root root {n():8} Nov {n(28):2} 12:00 {w()}.{w()}",
        "du": lambda: f"{n()}\t{path()}",
        "wc": lambda: f"{n():7} {w()}.c",
        "uniq-c": lambda: f"{n():7} {w()} {w()}",
        "counts": lambda: f"{w()} {w()} {n()}",
        "ps": lambda: f"root {n():6} {n(99)}.{n(9)} {n(99)}.{n(9)} {n():7} ? S {clock()} {w()} {n()}",
        "stat": lambda: f" {w()}.rs | {n(99):3} {'+' * n(20)}{'-' * n(20)}",
        "metrics": lambda: f"{w()}_{w()}_total{{{w()}=\"{w()}\"}} {n()}",
        "test.log": lambda: f"test {w()}::{w()} ... ok ({n()} ms)",
        "a.csv": lambda: ",".join(str(n()) for _ in range(4)),
        "names.csv": lambda: f"{w()},{w()},{n()},{n()}.{n(99)}",
        "quoted.csv": lambda: f'"{w()} {w()}";"{w()}";{n()}',
        "semicolons.csv": lambda: f"{w()};{w()};{n()};{n()}.{n(9)}",
        "a.tsv": lambda: f"{w()}\t{n()}\t{n()}",
        "prose": lambda: " ".join(w() for _ in range(12)) + rng.choice([".", ";", f" {n()}."]),
    }


def generated(rng, directory, n_files):
    """The paths of new files, each of one kind."""
    for number in range(n_files):
        kinds = line_makers(rng)
        kind = list(kinds)[number % len(kinds)]
        path = os.path.join(directory, f"{number}-{kind}")
        n_lines = rng.choice([1, 3, 12, 100, 1000])
        with open(path, "w") as file:
            file.writelines(kinds[kind]() + "\n" for _ in range(n_lines))
        yield path


def walked(directories):
    for directory in directories:
        for parent, _, names in os.walk(directory):
            for name in sorted(names):
                path = os.path.join(parent, name)
                if os.path.isfile(path) and os.path.getsize(path) <= MOST_BYTES:
                    yield path


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("profan")
    parser.add_argument("directories", nargs="*")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    n_files, taken = 0, 0
    with tempfile.TemporaryDirectory() as directory:
        files = generated(random.Random(given.seed), directory, 500)
        for path in walked(given.directories) if given.directories else files:
            n_files += 1
            run = subprocess.run([given.profan, "-p", "--format", "json", "--", path],
                                 capture_output=True, timeout=60)
            if run.returncode == 0:
                inputs = json.loads(run.stdout).get("inputs", [{}])
                print(f"{path}: read as {inputs[0].get('layout', inputs[0].get('kind'))}")
                taken += 1
            elif run.returncode != 2:
                print(f"{path}: status {run.returncode}")
                taken += 1
    print(f"{n_files} files, {taken} taken for profiles")
    return 1 if taken else 0


if __name__ == "__main__":
    sys.exit(main())
