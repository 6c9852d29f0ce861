"""Names the recorded commands that ask only for flat profile, call graph and index."""
import os
import shlex
import sys

PLAIN = set("bpqPQzaTD")


def is_basic(line):
    words = iter(shlex.split(line)[1:])
    for word in words:
        if word == "-w":
            next(words, None)
        elif word.startswith("--"):
            if word.split("=")[0] not in ("--demangle", "--no-demangle"):
                return False
        elif word.startswith("-") and word != "-" and not set(word[1:]) <= PLAIN:
            return False
    return True


def main(suite):
    for root, _dirs, files in sorted(os.walk(suite)):
        for name in sorted(files):
            path = os.path.join(root, name)
            if name.endswith(".cmd") and is_basic(open(path, errors="surrogateescape").read()):
                print(os.path.relpath(path[:-4], suite))


if __name__ == "__main__":
    main(sys.argv[1])
