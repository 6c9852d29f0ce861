#!/usr/bin/env python3
"""Makes saved reports of many nights of one program, of which a function is slower for good.

    make_nights.py PROFAN FOLDER N [NIGHT PERCENT]

writes FOLDER/night-1.json to FOLDER/night-N.json. Each of 60 functions has as many samples as
chance gives, and all functions of a night are up to some 6 % slower or faster; from NIGHT on,
`function_5` takes PERCENT more. The same numbers come out every time.
"""

import random
import subprocess
import sys
import tempfile
from pathlib import Path

N_FUNCTIONS = 60
CHANGED = 5


def write_folded(path: Path, night: int, percent: float) -> None:
    chance = random.Random(night)
    speed = chance.gauss(1, 0.03)
    lines = []
    for function in range(1, N_FUNCTIONS + 1):
        mean = 20_000 / function * speed
        if function == CHANGED:
            mean *= 1 + percent / 100
        n_samples = max(0, round(chance.gauss(mean, mean**0.5)))
        lines.append(f"main;work;function_{function} {n_samples}\n")
    path.write_text("".join(lines))


def write(profan: str, to: Path, n_nights: int, first_changed: int, percent: float) -> None:
    to.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        folded = Path(folder, "night.folded")
        for night in range(1, n_nights + 1):
            write_folded(folded, night, percent if night >= first_changed else 0)
            command = [profan, "-o", to / f"night-{night}.json", folded]
            subprocess.run(command, check=True)


if __name__ == "__main__":
    change = sys.argv[4:]
    first_changed, percent = (int(change[0]), float(change[1])) if change else (sys.maxsize, 0)
    write(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]), first_changed, percent)
