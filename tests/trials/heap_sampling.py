#!/usr/bin/env python3
"""Compares the variance of heap profiles of Go with the one that profan's limits state.

heap_sampling.py PROGRAM [RUNS]: runs a program with known allocations so many times [1000], and
prints for each function the mean of its estimates relative to the truth, their variance relative to
the stated one, and how often the limits contain the truth (95 % is stated). Needs go. Ends with
status 1 if the variance is a fifth above the stated one, or the limits miss more than 7 %.
"""

import csv
import io
import pathlib
import statistics
import subprocess
import sys
import tempfile

BLOCKS = {
    "small": (4000, 16384),
    "middle": (600, 65536),
    "large": (20, 1 << 20),
    "tiny": (40000, 512),
}

HEAD = """package main

import ("os"; "runtime"; "runtime/pprof")

var kept = make([][]byte, 0, 50000)

func main() {
"""

TAIL = """	runtime.GC()
	file, _ := os.Create(os.Args[1])
	pprof.Lookup("allocs").WriteTo(file, 0)
	file.Close()
}
"""

FUNCTION = """
func {0}() {{ for i := 0; i < {1}; i++ {{ kept = append(kept, make([]byte, {2})) }} }}
"""


def main(program, n_runs):
    with tempfile.TemporaryDirectory() as directory:
        source = pathlib.Path(directory, "main.go")
        calls = "".join(f"\t{name}()\n" for name in BLOCKS)
        functions = "".join(FUNCTION.format(name, *of) for name, of in BLOCKS.items())
        source.write_text(HEAD + calls + TAIL + functions)
        command = ["go", "build", "-o", "allocates", "main.go"]
        subprocess.run(command, cwd=directory, check=True)
        runs = [rows_of(program, directory) for _ in range(n_runs)]
    checks = [report(name, n_blocks * size, [rows[f"main.{name}"] for rows in runs])
              for name, (n_blocks, size) in BLOCKS.items()]
    return 0 if all(checks) else 1


def rows_of(program, directory):
    """The estimate and both limits of each function, of one run."""
    subprocess.run(["./allocates", "a.pb"], cwd=directory, check=True)
    command = [program, "-p", "--value", "alloc_space", "--format", "csv", "a.pb"]
    text = subprocess.run(command, cwd=directory, check=True, capture_output=True, text=True).stdout
    columns = ["self", "self_low_bytes", "self_high_bytes"]
    rows = csv.DictReader(io.StringIO(text))
    return {row["name"]: [float(row[column] or 0) for column in columns] for row in rows}


def report(name, truth, rows):
    """Prints the figures of a function, and returns whether they are as stated."""
    estimates = [estimate for estimate, _, _ in rows]
    stated = statistics.mean(((high - low) / 3.92) ** 2 for _, low, high in rows)
    variance = statistics.variance(estimates) / stated
    within = sum(low <= truth <= high for _, low, high in rows) / len(rows)
    print(f"{name}: mean {statistics.mean(estimates) / truth:.4f} of the truth, variance "
          f"{variance:.3f} of the stated one, limits contain the truth in {100 * within:.1f} %")
    return variance < 1.2 and within > 0.93


if __name__ == "__main__":
    n_runs = int(sys.argv[2]) if len(sys.argv) > 2 else 1000
    sys.exit(main(str(pathlib.Path(sys.argv[1]).resolve()), n_runs))
