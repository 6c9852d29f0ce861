#!/usr/bin/env python3
"""Makes profiles of many ranks of one program out of one profile of it.

    make_ranks.py gmon.out FOLDER N

writes FOLDER/gmon.out.0 to FOLDER/gmon.out.N-1. Each rank has the calls of the profile it
is made from, and in each bin about four times its ticks, more or less by chance; every
fiftieth rank spends half as much again in the busiest bin, and one rank in 400 does so
three times over. The same numbers come out every time.
"""

import random
import struct
import sys
from pathlib import Path

HEAD = 20  # "gmon", the version, and three spare words
HISTOGRAM = 1 + 8 + 8 + 4 + 4 + 16  # tag, addresses, bins, rate, dimension


def main(profile: str, folder: str, n_ranks: str) -> None:
    whole = Path(profile).read_bytes()
    assert whole[:4] == b"gmon" and whole[HEAD] == 0, "a gmon.out starts with its histogram"
    (n_bins,) = struct.unpack_from("<I", whole, HEAD + 17)
    start = HEAD + HISTOGRAM
    bins = struct.unpack_from(f"<{n_bins}H", whole, start)
    end = start + 2 * n_bins
    busiest = bins.index(max(bins))
    to = Path(folder)
    to.mkdir(parents=True, exist_ok=True)
    for rank in range(int(n_ranks)):
        chance = random.Random(rank)
        ticks = [round(each * chance.uniform(3.5, 4.5)) for each in bins]
        if rank % 50 == 7:
            ticks[busiest] += ticks[busiest] // 2
        if rank % 400 == 211:
            ticks[busiest] *= 3
        new = struct.pack(f"<{n_bins}H", *(min(each, 65535) for each in ticks))
        (to / f"gmon.out.{rank}").write_bytes(whole[:start] + new + whole[end:])


if __name__ == "__main__":
    main(*sys.argv[1:])
