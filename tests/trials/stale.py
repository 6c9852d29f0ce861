#!/usr/bin/env python3
"""Old profiles with new executables: which are told, and what is told of the right ones.

Builds five programs in eight ways each, changes each of them in five ways, and asks profan
about each profile with each build of its program. A pair is *harmful* if some function with
samples is not where it was, so that its samples would get another name. Each profile is asked
once as it is and once without its calls, when only samples and the end of the code decide.
Takes five minutes.

    tests/trials/stale.py PROFAN DIRECTORY
"""
import json
import pathlib
import struct
import subprocess
import sys

HEAD = """
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define NOINLINE __attribute__((noinline))
static volatile unsigned sink;
static volatile unsigned rounds = ROUNDS;
"""
BODIES = {
    "hash": """
NOINLINE unsigned mix(unsigned h, unsigned c) { CHANGE_A h ^= c; h *= 16777619u; return h ^ h >> 13; }
NOINLINE unsigned hash(const char *s, unsigned n) { unsigned h = 7; for (unsigned i = 0; i < n; i++) h = mix(h, s[i % 13]); CHANGE_B return h; }
NOINLINE unsigned search(unsigned key) { unsigned low = 0, high = 1u << 20; while (low < high) { unsigned mid = (low + high) / 2; if (mid * 3u < key) low = mid + 1; else high = mid; } return low; }
int main(void) { for (unsigned r = 0; r < rounds * 400; r++) { sink += hash("abcdefghijklm", 300); for (int i = 0; i < 40; i++) sink += search(r * 77 + i); } CHANGE_C return 0; }
""",
    "matrix": """
static double a[60][60], b[60][60], c[60][60];
NOINLINE void fill(void) { CHANGE_A for (int i = 0; i < 60; i++) for (int j = 0; j < 60; j++) { a[i][j] = i * 0.5 + j; b[i][j] = i - j * 0.25; } }
NOINLINE void multiply(void) { for (int i = 0; i < 60; i++) for (int j = 0; j < 60; j++) { double s = 0; for (int k = 0; k < 60; k++) s += a[i][k] * b[k][j]; c[i][j] = s; } CHANGE_B }
NOINLINE double trace(void) { double s = 0; for (int r = 0; r < 300; r++) for (int i = 0; i < 60; i++) s += c[i][i] / (1 + r); return s; }
int main(void) { for (unsigned r = 0; r < rounds * 5; r++) { fill(); multiply(); sink += trace() > 3; } CHANGE_C return 0; }
""",
    "sort": """
static int numbers[20000];
NOINLINE static int compare(const void *x, const void *y) { CHANGE_A return (*(const int *)x > *(const int *)y) - (*(const int *)x < *(const int *)y); }
NOINLINE void shuffle(unsigned seed) { for (int i = 0; i < 20000; i++) { seed = seed * 1103515245u + 12345u; numbers[i] = (int)(seed >> 8); } CHANGE_B }
NOINLINE void heap_sort(int *v, int n) { for (int s = n / 2, e = n; e > 1;) { if (s > 0) s--; else { e--; int t = v[e]; v[e] = v[0]; v[0] = t; } int r = s; for (;;) { int k = 2 * r + 1; if (k >= e) break; if (k + 1 < e && v[k] < v[k + 1]) k++; if (v[r] >= v[k]) break; int t = v[r]; v[r] = v[k]; v[k] = t; r = k; } } }
int main(void) { for (unsigned r = 0; r < rounds / 4 + 1; r++) { shuffle(r); qsort(numbers, 10000, sizeof *numbers, compare); heap_sort(numbers, 20000); } CHANGE_C return 0; }
""",
    "text": """
static char text[40000];
NOINLINE int is_word(int c) { CHANGE_A return (c >= 'a' && c <= 'z') || c == '_'; }
NOINLINE unsigned words(void) { unsigned n = 0; for (int i = 1; i < 40000; i++) n += is_word(text[i]) && !is_word(text[i - 1]); CHANGE_B return n; }
NOINLINE unsigned lines(void) { unsigned n = 0; for (int i = 0; i < 40000; i++) n += text[i] == '\\n'; return n; }
NOINLINE void make(unsigned seed) { for (int i = 0; i < 40000; i++) { seed = seed * 69069u + 1; text[i] = "abc d_e\\nfgh ij"[(seed >> 16) % 14]; } }
int main(void) { for (unsigned r = 0; r < rounds * 6; r++) { if (r % 8 == 0) make(r); sink += words() + lines(); } CHANGE_C return 0; }
""",
    "tree": """
struct node { unsigned key; struct node *left, *right; };
static struct node nodes[4000]; static int n_nodes;
NOINLINE struct node *insert(struct node *t, unsigned key) { CHANGE_A if (!t) { t = &nodes[n_nodes++]; t->key = key; t->left = t->right = 0; return t; } if (key < t->key) t->left = insert(t->left, key); else t->right = insert(t->right, key); return t; }
NOINLINE unsigned sum(const struct node *t) { return t ? sum(t->left) + t->key % 7 + sum(t->right) : 0; }
NOINLINE unsigned depth(const struct node *t) { CHANGE_B if (!t) return 0; unsigned l = depth(t->left), r = depth(t->right); return 1 + (l > r ? l : r); }
int main(void) { for (unsigned r = 0; r < rounds; r++) { struct node *t = 0; n_nodes = 0; unsigned k = r; for (int i = 0; i < 4000; i++) { k = k * 1664525u + 1013904223u; t = insert(t, k >> 7); } for (int i = 0; i < 3; i++) sink += sum(t) + depth(t); } CHANGE_C return 0; }
""",
}
STATEMENT = "sink += 3; if (sink == 12345) sink = 1;"
CHANGES = {
    "same": {},
    "first": {"CHANGE_A": STATEMENT},
    "middle": {"CHANGE_B": STATEMENT},
    "last": {"CHANGE_C": STATEMENT},
    "level": {},
    "tuned": {},
}
WAYS = [(level, pie) for level in ("-O0", "-O1", "-O2", "-O3") for pie in ("-no-pie", "-static")]


def run(*command, **options):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          **options).stdout


def build(directory, name, level, pie, change):
    if change == "level":
        level = {"-O0": "-O1", "-O1": "-O2", "-O2": "-O3", "-O3": "-O2"}[level]
    tuned = ["-march=haswell"] if change == "tuned" else []
    defines = [f"-D{key}={CHANGES[change].get(key, '')}" for key in ("CHANGE_A", "CHANGE_B", "CHANGE_C")]
    program = directory / f"{name}{level}{pie}-{change}"
    source = directory / f"{name}.c"
    source.write_text(HEAD + BODIES[name])
    run("gcc", "-g", "-pg", level, pie, "-DROUNDS=1200", *defines, *tuned, "-o", str(program), str(source))
    return program


def functions(program):
    lines = run("nm", "-S", str(program), text=True).splitlines()
    fields = [line.split() for line in lines]
    return {f[3]: (int(f[0], 16), int(f[1], 16)) for f in fields if len(f) == 4 and f[2] in "tTwW"}


def without_calls(profile, to):
    data = profile.read_bytes()
    low, high, n_bins = struct.unpack_from("<QQi", data, 21)
    end = 20 + 1 + 16 + 4 + 4 + 15 + 1 + 2 * n_bins
    to.write_bytes(data[:end])


def sampled(profile):
    data = profile.read_bytes()
    low, high, n_bins = struct.unpack_from("<QQi", data, 21)
    bins = struct.unpack_from(f"<{n_bins}H", data, 61)
    return [(low + i * (high - low) // n_bins, n) for i, n in enumerate(bins) if n]


def names_of(hits, table):
    ranges = sorted((start, start + size, name) for name, (start, size) in table.items())
    found = {}
    for address, n in hits:
        inside = [name for start, end, name in ranges if start <= address < end]
        if inside:
            found[inside[0]] = found.get(inside[0], 0) + n
    return found


def asked(profan, profile, program):
    text = run(profan, "-p", "--format", "json", str(profile), str(program))
    inputs = json.loads(text)["inputs"]
    verdict = [one["verdict"] for one in inputs if "verdict" in one][0]
    words = [one["message"] for one in verdict["evidence"] if one["side"] == "against"]
    return verdict["judgement"], any("no instruction starts" in word for word in words)


def main():
    profan, directory = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
    directory.mkdir(parents=True, exist_ok=True)
    table = {}
    for name in BODIES:
        for level, pie in WAYS:
            builds = {change: build(directory, name, level, pie, change) for change in CHANGES}
            old = builds["same"]
            run(str(old.resolve()), cwd=directory)
            profile = directory / f"{old.name}.gmon"
            (directory / "gmon.out").replace(profile)
            bare = directory / f"{old.name}.bare"
            without_calls(profile, bare)
            hits = sampled(profile)
            truth = names_of(hits, functions(old))
            for change, program in builds.items():
                wrong = names_of(hits, functions(program))
                moved = sum(abs(truth.get(n, 0) - wrong.get(n, 0)) for n in {*truth, *wrong})
                kind = "right" if change == "same" else "harmful" if moved > 0.02 * sum(truth.values()) else "harmless"
                for calls, file in (("with calls", profile), ("samples only", bare)):
                    judgement, is_by_starts = asked(profan, file, program)
                    row = table.setdefault((kind, calls), [0, 0, 0])
                    row[0] += 1
                    row[1] += judgement == "other-build"
                    row[2] += is_by_starts
    print(f"{'pairs':10}{'evidence':>14}{'all':>6}{'told':>6}{'by starts':>11}")
    for (kind, calls), (n, told, by_starts) in sorted(table.items()):
        print(f"{kind:10}{calls:>14}{n:6}{told:6}{by_starts:11}")
    sys.exit(any(row[1] for (kind, _), row in table.items() if kind == "right"))


if __name__ == "__main__":
    main()
