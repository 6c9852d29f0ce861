#!/usr/bin/env python3
"""Makes 1,000 ranks, and compares what profan says of them with what DuckDB and Spark make
of its rows.

    python3 -m venv venv && venv/bin/pip install duckdb pyspark   # pyspark needs a Java 17
    venv/bin/python tests/trials/many_runs/check.py target/release/profan [N_RANKS]

Says what was compared, and ends with status 1 where anything differs.
"""

import csv
import io
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
TOUR = HERE.parents[2] / "fixtures/tour"
PATTERN = r"gmon\.out\.(\d+)"


def printed(*command) -> str:
    start = time.monotonic()
    done = subprocess.run(list(map(str, command)), stdout=subprocess.PIPE, text=True)
    if done.returncode != 0:
        sys.exit(f"{command[0]} ends with status {done.returncode}")
    print(f"  {time.monotonic() - start:6.1f} s  {Path(command[0]).name} {command[1]}")
    return done.stdout


def table(text: str) -> list[dict]:
    return list(csv.DictReader(io.StringIO(text)))


def by_name(rows: list[dict]) -> dict[str, dict]:
    return {row["name"]: row for row in rows}


class Comparison:
    def __init__(self) -> None:
        self.n_same = self.n_other = 0

    def near(self, what: str, found, expected, within: float = 1e-9) -> None:
        found, expected = float(found), float(expected)
        is_same = abs(found - expected) <= within * max(1.0, abs(expected))
        self.n_same += is_same
        self.n_other += not is_same
        if not is_same:
            print(f"{what}: {found}, but profan has {expected}")


def main(profan: str, n_ranks: str = "1000") -> None:
    with tempfile.TemporaryDirectory() as folder:
        check(Path(profan).resolve(), int(n_ranks), Path(folder))


def check(profan: Path, n_ranks: int, folder: Path) -> None:
    python = sys.executable
    printed(python, HERE / "make_ranks.py", TOUR / "gmon.out", folder, n_ranks)
    files = sorted(folder.glob("gmon.out.*"))
    rows = folder / "rows.jsonl"
    asked = ["--rank-pattern", PATTERN, TOUR / "primes", *files]
    rows.write_text(printed(profan, "--by-file=rows", "--format", "jsonl", *asked))
    spread = by_name(table(printed(profan, "--by-file=spread", "--format", "csv", *asked)))
    lines = table(printed(profan, "--by-file=files", "--format", "csv", *asked))
    same = Comparison()

    duckdb = [python, HERE / "duckdb_spread.py", rows]
    found = table(printed(*duckdb, "spread"))
    for row in found:
        ours = spread[row["name"]]
        for theirs, our in [
            ("files", "files"),
            ("max", "max_seconds"),
            ("rank_of_max", "file_of_max"),
            ("mean", "mean_seconds"),
            ("imbalance", "imbalance"),
        ]:
            same.near(f"DuckDB: {theirs} of {row['name']}", row[theirs], ours[our])
    outlying = table(printed(*duckdb, "outlying"))
    ours = {line["rank"]: line for line in lines if line["outlying"]}
    if {row["rank"] for row in outlying} != ours.keys():
        sys.exit(f"DuckDB has other outlying ranks than profan, which has {list(ours)}")
    for row in outlying:
        # Medians of more than 128 files are rounded to 0.2 %.
        what, line = f"DuckDB: distance of {row['rank']}", ours[row["rank"]]
        same.near(what, row["distance"], line["distance_seconds"], 0.01)

    sums = table(printed(python, HERE / "spark_sums.py", profan, TOUR / "primes", *files))
    for row in sums:
        ours = spread[row["name"]]
        for theirs, our in [
            (row["self_seconds"], n_ranks * float(ours["mean_seconds"])),
            (row["max"], ours["max_seconds"]),
            (row["calls"], n_ranks * float(ours["calls_mean"])),
            (row["files"], ours["files"]),
        ]:
            same.near(f"Spark: {row['name']}", theirs, our)
    if {row["name"] for row in sums} != spread.keys() - {"<all>"}:
        same.n_other += 1
        print("Spark has other functions")
    print(f"{same.n_same} numbers are the same, {same.n_other} are not:")
    print(f"{len(found)} functions by DuckDB, {len(outlying)} outlying ranks, {len(sums)} functions by Spark")
    sys.exit(min(same.n_other, 1))


if __name__ == "__main__":
    main(*sys.argv[1:])
