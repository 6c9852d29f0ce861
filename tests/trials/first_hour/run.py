#!/usr/bin/env python3
"""Builds ordinary programs, runs them, and checks what profan shows of them first.

    tests/trials/first_hour/run.py [--keep DIR] [--show] PROFAN [NAME...]

Each program is built and run as its users would. Its report is then read on terminals of
80x24 and 120x40 and from a pipe, and must say what the program's author knows to be true.
Programs whose compiler is not installed are left out, and named. The exit status is 1 if
any statement is missing.
"""
import argparse
import fcntl
import os
import pty
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import termios
import time
from pathlib import Path

import programs

ESCAPE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[()][A-Z0-9]|\r")


def run(command, folder, **options):
    """What a command wrote; any failure ends the trial."""
    done = subprocess.run(command, shell=True, cwd=folder, text=True, capture_output=True,
                          timeout=120, **options)
    if done.returncode != 0:
        raise RuntimeError(f"{command}: status {done.returncode}\n{done.stderr}")
    return done.stdout


def from_pipe(profan, arguments, folder):
    done = subprocess.run([profan, *arguments], cwd=folder, text=True, capture_output=True,
                          timeout=60, stdin=subprocess.DEVNULL)
    return done.stdout + done.stderr


def from_terminal(profan, arguments, folder, columns, lines, keys=b""):
    """All that profan writes to a terminal of that size, without its pager. `keys` are typed after
    the first output."""
    main, other = pty.openpty()
    fcntl.ioctl(other, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
    environment = {**os.environ, "PAGER": "cat", "TERM": "xterm"}
    child = subprocess.Popen([profan, *arguments], cwd=folder, stdin=other, stdout=other,
                             stderr=other, env=environment, start_new_session=True,
                             preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))
    os.close(other)
    text = b""
    while True:
        try:
            part = os.read(main, 65536)
        except OSError:
            break
        if not part:
            break
        text += part
        if keys:
            time.sleep(1)
            os.write(main, keys)
            keys = b""
    child.wait(timeout=60)
    os.close(main)
    return ESCAPE.sub("", text.decode(errors="replace"))


class Trial:
    """A program: files, commands that build and run it, arguments of profan, and what has
    to be and must not be in every view, in terminals, in the pipe."""

    def __init__(self, files, build, needs="gcc", arguments=("gmon.out", "program"), all=(),
                 never=(), screen=(), pipe=()):
        self.files, self.build, self.needs = files, build, needs
        self.arguments, self.all, self.never = arguments, all, never
        self.screen, self.pipe = screen, pipe

    def failures(self, profan, folder, shows):
        for name, text in self.files.items():
            (folder / name).write_text(text)
        for command in self.build:
            run(command, folder)
        views = {"pipe": from_pipe(profan, self.arguments, folder)}
        for columns, lines in [(80, 24), (120, 40)]:
            text = from_terminal(profan, self.arguments, folder, columns, lines)
            views[f"{columns}x{lines}"] = text
            for line in text.splitlines():
                if len(line) > columns:
                    yield f"{columns}x{lines}: a line of {len(line)} columns: {line[:60]}..."
        for view, text in views.items():
            if shows:
                print(f"----- {view}\n{text}")
            flat = " ".join(text.split())
            wanted = [*self.all, *(self.pipe if view == "pipe" else self.screen)]
            for pattern in wanted:
                if not re.search(pattern, flat):
                    yield f"{view}: lacks /{pattern}/"
            for pattern in self.never:
                if re.search(pattern, flat):
                    yield f"{view}: has /{pattern}/"


GCC = "gcc -pg -g -O2 -fno-ipa-icf -o program program.c"
SHARED = r"not included: .*lib{0}\.so"
TRIALS = {
    "inlined": Trial({"program.c": programs.INLINED}, ["gcc -pg -g -O2 -o program program.c",
                                                        "./program"],
                     all=[r"distance", r"inline"], never=["W007", "damaged"]),
    "unoptimised": Trial({"program.c": programs.CALLS}, ["gcc -pg -g -O0 -o program program.c",
                                                          "./program"],
                         all=[r"leaf", r"twice", r"main"], never=["W007"]),
    "calls": Trial({"program.c": programs.CALLS}, [GCC, "./program"],
                   all=[r"leaf", r"twice", r"not included: .*libc\.so\.6"], never=["W007"]),
    "few-samples": Trial({"program.c": programs.SHORT}, [GCC, "./program"],
                         all=[r"\d+ samples: the largest share is (at least )?\d+ %"]),
    "tail-calls": Trial({"program.c": programs.TAIL}, [GCC, "./program"],
                        all=["leaf", "wrap_a", "wrap_b"], pipe=["tail call"]),
    "library": Trial({"program.c": programs.USES_LIBRARY, "burn.c": programs.LIBRARY},
                     ["gcc -g -O2 -shared -fPIC -o libburn.so burn.c",
                      GCC + " -L. -lburn -Wl,-rpath,'$ORIGIN'", "./program"],
                     all=[SHARED.format("burn")]),
    "static": Trial({"program.c": programs.CALLS}, [GCC + " -static", "./program"],
                    all=["leaf"], never=["not included"]),
    "stubs": Trial({"program.c": programs.STUBS, "tiny.c": programs.TINY},
                   ["gcc -O2 -shared -fPIC -o libtiny.so tiny.c",
                    GCC + " -L. -ltiny -Wl,-rpath,'$ORIGIN' -Wl,-z,lazy", "./program"],
                   all=[r"tiny@plt"], never=["<no function>"]),
    "stripped-object": Trial({"program.c": programs.USES_STRIPPED,
                              "part.c": programs.STRIPPED_PART},
                             ["gcc -pg -O2 -c part.c", "strip --strip-unneeded part.o",
                              "gcc -pg -g -O2 -o program program.c part.o", "./program"],
                             all=[r"0x[0-9a-f]+"],
                             never=[r"9\d\.\d\S* .{0,40}(frame_dummy|deregister_tm_clones)"]),
    "stripped": Trial({"program.c": programs.CALLS}, [GCC, "./program", "strip program"],
                      all=[r"stripped|symbols"]),
    "fork": Trial({"program.c": programs.FORK}, [GCC, "./program"], all=["fork"]),
    "daemon": Trial({"program.c": programs.DAEMON},
                    [GCC, "timeout --preserve-status -s TERM 1 ./program || true"],
                    all=["SIGTERM", "_mcleanup"]),
    "cxx-O0": Trial({"program.cc": programs.CXX},
                    ["g++ -pg -g -O0 -o program program.cc", "./program"], needs="g++",
                    all=[r"Square::area"], screen=["std::string"]),
    "cxx-O2": Trial({"program.cc": programs.CXX},
                    ["g++ -pg -g -O2 -o program program.cc", "./program"], needs="g++",
                    all=[r"not included: (.*libstdc\+\+|. system libraries)"]),
    "fortran": Trial({"program.f90": programs.FORTRAN},
                     ["gfortran -pg -g -O1 -fno-inline -o program program.f90", "./program"],
                     needs="gfortran", all=["relax"]),
    "alone": Trial({"program.c": programs.CALLS}, [GCC, "./program"], arguments=("gmon.out",),
                   all=["leaf", "program"]),
    "nothing-named": Trial({"program.c": programs.CALLS}, [GCC, "./program"], arguments=(),
                           all=["leaf", "program"]),
}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--keep", type=Path, help="build in this directory, and leave it")
    parser.add_argument("--show", action="store_true", help="print every view")
    parser.add_argument("profan")
    parser.add_argument("names", nargs="*", metavar="NAME")
    options = parser.parse_args()
    profan = str(Path(options.profan).resolve())
    unknown = [name for name in options.names if name not in TRIALS]
    if unknown:
        parser.error(f"unknown trials: {', '.join(unknown)}")
    wrong = 0
    for name in options.names or TRIALS:
        trial = TRIALS[name]
        if shutil.which(trial.needs) is None:
            print(f"{name}: left out, since {trial.needs} is not installed")
            continue
        folder = options.keep / name if options.keep else Path(tempfile.mkdtemp())
        folder.mkdir(parents=True, exist_ok=True)
        try:
            failures = list(trial.failures(profan, folder, options.show))
        finally:
            if not options.keep:
                shutil.rmtree(folder)
        print(f"{name}: {'as it is' if not failures else 'wrong'}")
        for failure in failures:
            print(f"    {failure}")
        wrong += bool(failures)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
