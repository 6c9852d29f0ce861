#!/usr/bin/env python3
"""Builds real programs, and checks the answers to the questions of their first day.

    tests/trials/first_day/run.py [--sources DIR] [--show] PROFAN [NAME...]

The sources of bzip2, xz, zstd, Lua and SQLite are those of Debian: unpacked below DIR, or from
`apt-get source`. For each program, the hottest function has to appear in the flat profile, the call
graph, what passes through it, annotated source, the browser and the page; notes have at most six
lines on a terminal of 80 columns. Programs that cannot be built here are named. The exit status is 1
if an answer is missing.
"""
import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parent.parent)]
from first_day.programs import PROGRAMS  # noqa: E402
sys.path[:0] = [str(Path(__file__).resolve().parent.parent / "first_hour")]
import run as first_hour  # noqa: E402

NEVER = [r"\binf\b", r"\bnan\b", r"\(not found\)", r"W00[234]\b", r"W020", r"W021", r"E0\d\d\b"]
MOST_NOTES = 6


def sources_of(package, directory):
    """The unpacked sources of a Debian package, or None."""
    found = sorted(directory.glob(f"{package}-[0-9]*/"))
    if not found:
        done = subprocess.run(["apt-get", "source", package], cwd=directory, capture_output=True)
        found = sorted(directory.glob(f"{package}-[0-9]*/")) if done.returncode == 0 else []
    return found[0] if found else None


def build(program, sources, folder):
    """Builds and runs a program in a folder; returns why that is impossible."""
    for tool in filter(None, [program["needs"], program.get("also")]):
        if shutil.which(tool) is None:
            return f"no {tool}"
    if not Path(program.get("header", "/")).exists():
        return f"no {program['header']}"
    if "package" in program:
        found = sources_of(program["package"], sources)
        if found is None:
            return f"no sources of {program['package']}"
        shutil.copytree(found, folder, dirs_exist_ok=True, symlinks=True)
    for name, text in program.get("files", {}).items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    for command in program["build"]:
        done = subprocess.run(command, shell=True, cwd=folder, capture_output=True, timeout=900)
        if done.returncode != 0:
            return f"`{command}` failed: {done.stderr.decode(errors='replace')[-300:]}"
    return None


def hottest(profan, files, folder, pattern):
    """The first function of the flat profile that matches, of the first three."""
    text = first_hour.from_pipe(profan, ["--format", "csv", "-p", "--top", "3", "--columns", "self",
                                         *files], folder)
    rows = [line.split(",", 2)[2] for line in text.splitlines() if line.startswith("entry,")]
    names = [row.split('"')[1] if row.startswith('"') else row.split(",")[0] for row in rows]
    return next((name for name in names if re.search(pattern, name)), None), names


def browsed(profan, files, folder):
    """The first screen of the browser."""
    return first_hour.from_terminal(profan, ["browse", *files], folder, 120, 40, keys=b"q")


def failures(profan, program, folder, shows):
    """What is missing, in a line each."""
    folder = folder / program.get("directory", ".")
    files = program["arguments"]
    screen = first_hour.from_terminal(profan, files, folder, 80, 24)
    if shows:
        print(screen[:1600])
    missing = [f"the screen has {never}" for never in NEVER if re.search(never, screen)]
    # Notes follow the inputs and the total; warnings precede them.
    notes = re.search(r"profiles?: .*\n.*\n((?:.+\n)*)", screen)
    n_notes = notes.group(1).count("\n") if notes else 0
    if n_notes > MOST_NOTES:
        missing.append(f"{n_notes} lines of notes")
    if "empty" in program:
        doctor = first_hour.from_pipe(profan, ["doctor", *files], folder)
        cause = first_hour.from_pipe(profan, ["-p", *files], folder)
        missing += [f"{what} does not name the cause" for what, text in
                    [("doctor", doctor), ("the report", cause)] if not re.search(program["empty"], text)]
        if not re.search(r"problem +profile", doctor):
            missing.append("doctor sees no problem")
        return missing
    name, names = hottest(profan, files, folder, program["hot"])
    if name is None:
        return missing + [f"the hottest functions are {names}"]
    page = folder / "page.html"
    asked = {
        "-p": ["-p", *files], "-q": [f"-q{name}", *files], "--focus": ["-p", "--focus", name, *files],
        "-A": ["-A", *files], "page": ["-o", "page.html", *files],
    }
    short = re.split(r"[(<\[]", name)[0].split("::")[-1][-20:] or name[:8]
    for what, arguments in asked.items():
        text = first_hour.from_pipe(profan, arguments, folder)
        text = page.read_text() if what == "page" else text
        # Sources of the compiler's run-time code are nowhere.
        if "absent" in program:
            text = re.sub(rf".*{program['absent']}.*(\(not found\)|source file not found)", "", text)
        wanted = program.get("shown", re.escape(short)) if what == "-A" else re.escape(short)
        if not re.search(wanted, text):
            missing.append(f"{what} lacks {wanted}")
        missing += [f"{what} has {never}" for never in NEVER[2:] if what != "page" and re.search(never, text)]
    if short not in browsed(profan, files, folder):
        missing.append("the browser lacks it")
    return missing


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--sources", type=Path)
    parser.add_argument("--show", action="store_true")
    parser.add_argument("profan")
    parser.add_argument("names", nargs="*")
    given = parser.parse_args()
    profan = str(Path(given.profan).resolve())
    n_missing = 0
    with tempfile.TemporaryDirectory() as scratch:
        sources = given.sources or Path(scratch)
        for number, (name, program) in enumerate(PROGRAMS.items()):
            if given.names and name not in given.names:
                continue
            folder = Path(scratch) / f"program{number}"
            folder.mkdir()
            why = build(program, sources.resolve(), folder)
            if why:
                print(f"{name}: left out: {why}")
                continue
            missing = failures(profan, program, folder, given.show)
            n_missing += len(missing)
            print(f"{name}: {'; '.join(missing) or 'all answers found'}", flush=True)
    sys.exit(1 if n_missing else 0)


if __name__ == "__main__":
    main()
