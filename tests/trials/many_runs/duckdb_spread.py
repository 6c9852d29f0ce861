#!/usr/bin/env python3
"""Asks DuckDB what functions cost in many ranks, and which ranks are outlying, from the
rows that profan printed.

    duckdb_spread.py ROWS.jsonl spread|outlying > TABLE.csv
"""

import csv
import sys

import duckdb

SPREAD = """
    WITH rows AS (
        SELECT * FROM read_json_auto($rows) WHERE section = 'by-file'
    ),
    all_ranks AS (SELECT count(DISTINCT rank) AS n FROM rows)
    SELECT name,
           count(*) AS files,
           max(self_seconds) AS max,
           arg_max(rank, (self_seconds, -rank)) AS rank_of_max,
           sum(self_seconds) / any_value(n) AS mean,
           max(self_seconds) / (sum(self_seconds) / any_value(n)) AS imbalance,
           quantile_cont(self_seconds, 0.9) AS p90
    FROM rows, all_ranks
    GROUP BY name
    HAVING sum(self_seconds) > 0
    ORDER BY max - mean DESC, name
"""

# All ranks have all functions here, so that no row stands for nothing.
OUTLYING = """
    WITH rows AS (
        SELECT * FROM read_json_auto($rows) WHERE section = 'by-file'
    ),
    typical AS (
        SELECT name, median(self_seconds) AS usual FROM rows GROUP BY name
    ),
    distances AS (
        SELECT rank, sum(abs(self_seconds - usual)) AS distance
        FROM rows JOIN typical USING (name)
        GROUP BY rank
    ),
    fence AS (
        SELECT quantile_cont(distance, 0.75) + 3
               * (quantile_cont(distance, 0.75) - quantile_cont(distance, 0.25)) AS high
        FROM distances
    )
    SELECT rank, distance FROM distances, fence WHERE distance > high ORDER BY distance DESC
"""


def main(rows: str, what: str) -> None:
    found = duckdb.sql({"spread": SPREAD, "outlying": OUTLYING}[what], params={"rows": rows})
    table = csv.writer(sys.stdout)
    table.writerow(found.columns)
    table.writerows(found.fetchall())


if __name__ == "__main__":
    main(*sys.argv[1:])
