#!/usr/bin/env python3
"""Runs profan with several threads and too little memory, and looks at how it ends.

    tests/trials/out_of_memory.py PROFAN [RUNS [SEED]]

Each run writes a file over an old one, by other options, threads and a random limit of
address space each time (RLIMIT_AS). It has to end with the new file and status 0, or with
the old one, status 2 and a message that names memory: no signal, no wait for ever, and no
file in the making left behind. PROFAN itself is the program of the profiles.
"""

import os
import random
import resource
import struct
import subprocess
import sys
import tempfile

MIB = 1 << 20
SECONDS = 120


def text_of(path):
    """The address and size of `.text`."""
    with open(path, "rb") as file:
        data = file.read()
    (sections,) = struct.unpack_from("<Q", data, 40)
    size, n_sections, names = struct.unpack_from("<HHH", data, 58)
    header = lambda index: struct.unpack_from("<IIQQQQ", data, sections + index * size)
    strings = header(names)[4]
    for index in range(n_sections):
        name, _, _, address, _, length = header(index)
        if data[strings + name:].startswith(b".text\0"):
            return address, length
    sys.exit(f"{path} has no .text")


def gmon(chance, address, length):
    n_bins = length // 16
    bins = [chance.randrange(9) if chance.random() < 0.2 else 0 for _ in range(n_bins)]
    head = b"gmon" + struct.pack("<I", 1) + bytes(12)
    histogram = struct.pack("<QQII", address, address + n_bins * 16, n_bins, 100)
    data = head + b"\0" + histogram + b"seconds".ljust(15, b"\0") + b"s"
    data += struct.pack(f"<{n_bins}H", *bins)
    for _ in range(20_000):
        places = [address + chance.randrange(length) for _ in range(2)]
        data += b"\1" + struct.pack("<QQI", *places, 1 + chance.randrange(99))
    return data


def callgrind(chance):
    lines = ["# callgrind format", "events: Ir", ""]
    for number in range(3000):
        callee = chance.randrange(3000)
        lines += [f"fl=f{number % 50}.c", f"fn=function_{number}", f"{number} {chance.randrange(999)}"]
        lines += [f"cfl=f{callee % 50}.c", f"cfn=function_{callee}", f"calls=2 {callee}", f"{number} 7"]
    return "\n".join(lines).encode() + b"\n"


def make(folder, profan, chance):
    place = text_of(profan)
    for number in range(12):
        for name, data in [("gmon", gmon(chance, *place)), ("callgrind", callgrind(chance))]:
            with open(os.path.join(folder, f"{name}.{number}"), "wb") as file:
                file.write(data)
    gmons, callgrinds = ([f"{name}.{n}" for n in range(12)] for name in ("gmon", "callgrind"))
    out = ["-o", "out"]
    return [
        [*out, "-p", "-q", *gmons, profan],
        [*out, "-p", "-l", "gmon.0", profan],
        [*out, "--format", "json", "gmon.0", profan],
        [*out, "-p", "-q", *callgrinds],
        [*out, "--format", "json", *callgrinds],
        [*out, "--by-file", *gmons, profan],
        [*out, "-s", *gmons],
        ["diff", *out, *callgrinds[:6], "--", *callgrinds[6:]],
    ]


def ran(profan, arguments, folder, n_threads, limit):
    def limited():
        if limit:
            resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    done = subprocess.run(
        [profan, *arguments],
        cwd=folder,
        env={**os.environ, "PROFAN_THREADS": str(n_threads)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        timeout=SECONDS,
        preexec_fn=limited,
    )
    return done.returncode, done.stderr.decode(errors="replace")


def contents(path):
    with open(path, "rb") as file:
        return file.read()


def main():
    profan = os.path.abspath(sys.argv[1])
    n_runs = int(sys.argv[2]) if len(sys.argv) > 2 else 200
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 13
    chance = random.Random(seed)
    n_done = n_over = 0
    faults = []
    with tempfile.TemporaryDirectory() as folder:
        # With less than this, the system cannot load the program itself.
        least = MIB
        while ran(profan, ["--version"], folder, 1, least)[0] != 0:
            least += MIB
        out = os.path.join(folder, "out")
        writers = []
        for arguments in make(folder, profan, chance):
            status, said = ran(profan, arguments, folder, 1, None)
            if status != 0:
                sys.exit(f"{' '.join(arguments)} ends with {status}: {said}")
            enough = least
            while ran(profan, arguments, folder, 1, enough)[0] != 0:
                enough = enough * 5 // 4
            writers.append((arguments, enough, contents(out)))
        before = sorted(os.listdir(folder))
        for run in range(n_runs):
            arguments, enough, new = chance.choice(writers)
            n_threads = chance.choice([2, 3, 4, 8])
            limit = chance.randint(least, enough * 3 // 2)
            with open(out, "wb") as file:
                file.write(b"old\n")
            what = f"run {run}: {' '.join(arguments)}, {n_threads} threads, {limit} bytes"
            try:
                status, said = ran(profan, arguments, folder, n_threads, limit)
            except subprocess.TimeoutExpired:
                faults.append(f"{what}: still runs after {SECONDS} s")
                continue
            found = contents(out)
            n_done += status == 0
            n_over += status == 2
            if status not in (0, 2) or (status == 2 and "memory" not in said):
                faults.append(f"{what}: status {status}: {said.strip()[-300:]}")
            if found != (new if status == 0 else b"old\n"):
                faults.append(f"{what}: status {status}, and the file is another")
            left = sorted(set(os.listdir(folder)) - set(before))
            if left:
                faults.append(f"{what}: {left} was left behind")
            for name in left:
                os.remove(os.path.join(folder, name))
    print(f"{n_runs} runs with seed {seed}: {n_done} had enough, {n_over} had not, "
          f"{len(faults)} faults")
    print("\n".join(faults), end="\n" if faults else "")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
