#!/usr/bin/env python3
"""Adds up profiles in Spark: batches of files are mapped to what profan says of each of
them, and the sums of functions are reduced.

    spark_sums.py PROFAN EXECUTABLE FILE... > SUMS.csv

Sums are associative, so it does not matter which machine has which files. What is not a
sum, as a percentile, is asked of the rows themselves: they are a table as they are.
"""

import csv
import json
import subprocess
import sys

from pyspark.sql import SparkSession

BATCH = 100


def rows_of(profan: str, executable: str, files: list[str]) -> list[tuple]:
    """What profan says of each function in each of these files."""
    command = [profan, "--by-file=rows", "--format", "jsonl", executable, *files]
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    rows = (json.loads(line) for line in printed.splitlines())
    return [
        (row["name"], (row["self_seconds"], row.get("calls", 0), row["self_seconds"], 1))
        for row in rows
        if row.get("section") == "by-file"
    ]


def plus(a: tuple, b: tuple) -> tuple:
    return a[0] + b[0], a[1] + b[1], max(a[2], b[2]), a[3] + b[3]


def main(profan: str, executable: str, *files: str) -> None:
    spark = SparkSession.builder.master("local[2]").appName("profan").getOrCreate()
    batches = [list(files[at : at + BATCH]) for at in range(0, len(files), BATCH)]
    sums = (
        spark.sparkContext.parallelize(batches, len(batches))
        .flatMap(lambda batch: rows_of(profan, executable, batch))
        .reduceByKey(plus)
        .collect()
    )
    spark.stop()
    table = csv.writer(sys.stdout)
    table.writerow(["name", "self_seconds", "calls", "max", "files"])
    table.writerows([name, *sum] for name, sum in sorted(sums))


if __name__ == "__main__":
    main(*sys.argv[1:])
