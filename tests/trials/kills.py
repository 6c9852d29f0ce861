#!/usr/bin/env python3
"""Kills profan at random moments while it writes files, and looks at what is left.

    tests/trials/kills.py PROFAN [RUNS [SEED]]

Each run writes one file, by another option or face each time, over an old one, and gets a
signal at a random moment of its life. The file has to be the old one or the new one,
whole. After a signal that can be caught, nothing else may be in the folder; after SIGKILL,
which cannot, a file in the making may. Every third run writes onto a file with a second
hard link, which has to stay as it is under both names.
"""

import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

FIXTURES = os.path.join(os.path.dirname(__file__), "..", "..", "fixtures")

# The case, the arguments, and the file that they write.
WRITERS = [
    ("oddities", ["-o", "out", "sound.gmon", "work"], "out"),
    ("oddities", ["-o", "out", "--format", "json", "sound.gmon", "work"], "out"),
    ("tour", ["-o", "out", "--format", "dot", "gmon.out", "primes"], "out"),
    ("tour", ["-o", "out", "--format", "lcov", "--coverage", "show-prof.txt", "mlmon.out"], "out"),
    ("oddities", ["diff", "-o", "out", "--format", "junit", "sound.gmon", "slow.gmon", "work"], "out"),
    ("oddities", ["-s", "-o", "out", "sound.gmon", "slow.gmon"], "out"),
    ("oddities", ["-A", "-y", "sound.gmon", "work"], "work.c-ann"),
    ("oddities", ["diff", "--baseline", "out", "--update", "sound.gmon", "work"], "out"),
    ("oddities", ["gprof", "-s", "work", "sound.gmon"], "gmon.sum"),
    ("oddities", ["gprof", "-A", "-y", "work", "sound.gmon"], "work.c-ann"),
    ("tour", ["mprof", "-g", "out", "mpatrol.out"], "out"),
    ("tour", ["mptrace", "-H", "out", "mpatrol.trace"], "out"),
    ("tour", ["mptrace", "-S", "out", "mpatrol.trace"], "out"),
    ("tour", ["mlprof", "-call-graph", "out", "interp.table", "time.out"], "out"),
]

CAUGHT = [signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT, signal.SIGUSR1]


def start(profan, arguments, folder):
    return subprocess.Popen(
        [profan] + arguments,
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        # This may have been started with some ignored.
        preexec_fn=lambda: [signal.signal(caught, signal.SIG_DFL) for caught in CAUGHT],
    )


def read(path):
    with open(path, "rb") as file:
        return file.read()


def main():
    profan = os.path.abspath(sys.argv[1])
    n_runs = int(sys.argv[2]) if len(sys.argv) > 2 else 200
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 13
    chance = random.Random(seed)
    n_ended = n_new = n_left = 0
    faults = []
    with tempfile.TemporaryDirectory() as root:
        writers = []
        for number, (case, arguments, name) in enumerate(WRITERS):
            folder = os.path.join(root, str(number))
            shutil.copytree(os.path.join(FIXTURES, case), folder)
            path = os.path.join(folder, name)
            # The baseline has to be one: the first run keeps it, and the second one
            # says what is new by then.
            span = 0.0
            for _ in range(2):
                begin = time.monotonic()
                start(profan, arguments, folder).wait()
                span = time.monotonic() - begin
            writers.append((folder, arguments, path, span, read(path)))
        for run in range(n_runs):
            folder, arguments, path, span, new = chance.choice(writers)
            old = new + b"\n" if "--baseline" in arguments else b"old\n"
            with open(path, "wb") as file:
                file.write(old)
            os.chmod(path, 0o640)
            links = [path, os.path.join(root, "alias")] if run % 3 == 0 else [path]
            for link in links[1:]:
                os.link(path, link)
            before = sorted(os.listdir(folder))
            number = chance.choice(CAUGHT + [signal.SIGKILL])
            child = start(profan, arguments, folder)
            time.sleep(chance.random() * span)
            child.send_signal(number)
            status = child.wait()
            what = f"run {run}: {' '.join(arguments)}, {number.name}, status {status}"
            found = read(path)
            for link in links[1:]:
                if found != old or read(link) != old:
                    faults.append(f"{what}: a file with two hard links changed")
                os.remove(link)
            if found not in (old, new):
                faults.append(f"{what}: the file is neither the old one nor the new one")
            if os.stat(path).st_mode & 0o777 != 0o640:
                faults.append(f"{what}: the file has another mode")
            left = sorted(set(os.listdir(folder)) - set(before))
            if left and number != signal.SIGKILL:
                faults.append(f"{what}: {left} was left behind")
            for name in left:
                os.remove(os.path.join(folder, name))
            n_ended += status < 0
            n_new += found == new
            n_left += len(left)
    print(f"{n_runs} runs with seed {seed}: {n_ended} ended by their signal, {n_new} wrote "
          f"the file before, {n_left} left one in the making after SIGKILL, "
          f"{len(faults)} faults")
    print("\n".join(faults), end="\n" if faults else "")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
