#!/usr/bin/env python3
"""Samples in the wrong function or line, against the address of each sample.

Builds ten programs at -O0 to -O3, dynamic and static in turn. recorder.c keeps the address of
every sample before the C library counts it in a bin. objdump says where instructions start,
nm and addr2line to which function and line they belong. A sample is misplaced if its
function or line has fewer in profan's report than it should have. Needs gcc, g++ and binutils
for x86-64. Takes five minutes.

    tests/trials/misplaced.py PROFAN DIRECTORY
"""
import collections
import json
import pathlib
import re
import struct
import subprocess
import sys

from stale import BODIES, HEAD

MORE = {
    "queens.c": HEAD + """
static int column[16];
static inline int attacks(int a, int b) { int d = column[a] - column[b]; return d == 0 || d == a - b || d == b - a; }
NOINLINE int is_safe(int row) { for (int r = 0; r < row; r++) if (attacks(r, row)) return 0; return 1; }
NOINLINE int place(int row, int n) { if (row == n) return 1; int found = 0; for (int c = 0; c < n; c++) { column[row] = c; if (is_safe(row)) found += place(row + 1, n); } return found; }
int main(void) { for (unsigned r = 0; r < rounds / 60 + 1; r++) sink += place(0, 8); return 0; }
""",
    "machine.c": HEAD + """
enum { PUSH, ADD, MUL, DUP, DROP, LOOP };
static unsigned char code[] = { PUSH, 7, PUSH, 9, ADD, DUP, MUL, DROP, PUSH, 3, PUSH, 4, MUL, DROP, LOOP };
NOINLINE void push(unsigned *stack, int *top, unsigned v) { stack[(*top)++ & 15] = v; }
NOINLINE unsigned pop(unsigned *stack, int *top) { return stack[--*top & 15]; }
NOINLINE unsigned execute(unsigned n) {
    unsigned stack[16] = {0}, a, b; int top = 0, at = 0;
    while (n) {
        switch (code[at++]) {
        case PUSH: push(stack, &top, code[at++]); break;
        case ADD: a = pop(stack, &top); b = pop(stack, &top); push(stack, &top, a + b); break;
        case MUL: a = pop(stack, &top); b = pop(stack, &top); push(stack, &top, a * b); break;
        case DUP: a = pop(stack, &top); push(stack, &top, a); push(stack, &top, a); break;
        case DROP: a = pop(stack, &top); sink += a; break;
        case LOOP: at = 0; n--; break;
        }
    }
    return stack[0];
}
int main(void) { for (unsigned r = 0; r < rounds; r++) sink += execute(2000); return 0; }
""",
    "sums.c": HEAD + """
static float x[4096], y[4096];
NOINLINE void scale(float k) { for (int i = 0; i < 4096; i++) x[i] = x[i] * k + 1; }
NOINLINE float dot(void) { float s = 0; for (int i = 0; i < 4096; i++) s += x[i] * y[i]; return s; }
NOINLINE void smooth(void) { for (int i = 1; i < 4095; i++) y[i] = (y[i - 1] + y[i + 1] + x[i]) / 3; }
NOINLINE int tiny(int a) { return a + 1; }
NOINLINE int tinier(int a) { return a - 1; }
int main(void) { for (unsigned r = 0; r < rounds * 14; r++) { scale(0.5f); smooth(); sink += dot() > 1; for (int i = 0; i < 300; i++) sink += tiny(i) + tinier(i); } return 0; }
""",
    "shapes.cc": """
#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <vector>
static volatile unsigned sink;
static volatile unsigned rounds = ROUNDS;
struct Shape { virtual ~Shape() {} virtual double area() const = 0; virtual double edge() const { return std::sqrt(area()); } };
struct Square : Shape { double a; explicit Square(double a) : a(a) {} double area() const override { return a * a; } };
struct Circle : Shape { double r; explicit Circle(double r) : r(r) {} double area() const override { return 3.14159 * r * r; } double edge() const override { return 6.28318 * r; } };
template <typename T> struct Sum { T total{}; void add(const T &t) { total += t; } };
static bool by_area(const std::unique_ptr<Shape> &a, const std::unique_ptr<Shape> &b) { return a->area() < b->area(); }
int main() {
    for (unsigned r = 0; r < rounds / 2 + 1; r++) {
        std::vector<std::unique_ptr<Shape>> shapes;
        for (int i = 0; i < 1500; i++) {
            if ((i * 7919 + r) % 3) shapes.emplace_back(new Square((i * 7919) % 1009));
            else shapes.emplace_back(new Circle((i * 104729) % 997));
        }
        std::sort(shapes.begin(), shapes.end(), by_area);
        Sum<double> sum;
        for (auto &shape : shapes) sum.add(shape->edge());
        std::map<int, double> buckets;
        for (auto &shape : shapes) buckets[int(shape->area()) % 97] += shape->edge();
        sink = sink + unsigned(sum.total) + buckets.size();
    }
}
""",
    "words.cc": """
#include <sstream>
#include <string>
#include <unordered_map>
#include <vector>
static volatile unsigned sink;
static volatile unsigned rounds = ROUNDS;
class Counter {
    std::unordered_map<std::string, int> counts;
public:
    void add(const std::string &word) { ++counts[word]; }
    int most() const { int m = 0; for (const auto &one : counts) m = one.second > m ? one.second : m; return m; }
};
static std::vector<std::string> split(const std::string &text) {
    std::vector<std::string> words; std::string word;
    for (char c : text) { if (c == ' ') { if (!word.empty()) words.push_back(word); word.clear(); } else word += c; }
    if (!word.empty()) words.push_back(word);
    return words;
}
int main() {
    std::string text;
    for (int i = 0; i < 3000; i++) { text += char('a' + i * 7 % 26); if (i % (3 + i % 4) == 0) text += ' '; }
    for (unsigned r = 0; r < rounds * 3; r++) { Counter counter; for (auto &word : split(text)) counter.add(word); sink = sink + counter.most(); }
}
""",
}


def run(*command, **options):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          **options).stdout


def build(directory, source, level, way):
    program = directory / f"{source.stem}{level}{way}"
    compiler = "g++" if source.suffix == ".cc" else "gcc"
    empty = [f"-DCHANGE_{which}=" for which in "ABC"]
    recorder = directory / "recorder.o"
    run(compiler, "-g", "-pg", level, way, "-DROUNDS=1500", *empty, "-o", str(program),
        str(source), str(recorder))
    return program


class Bins:
    """The histogram of a gmon.out, and which addresses each bin counts (sysdeps/posix/profil.c)."""

    def __init__(self, profile):
        self.data = bytearray(profile.read_bytes())
        self.low, self.high, self.n = struct.unpack_from("<QQi", self.data, 21)
        self.scale = self.n * 131072 // (self.high - self.low)

    def of(self, address):
        return (address - self.low) // 2 * self.scale // 65536

    def without(self, bins, to):
        data = bytearray(self.data)
        for one in bins:
            struct.pack_into("<H", data, 61 + 2 * one, 0)
        to.write_bytes(data)

    def hit(self):
        counts = struct.unpack_from(f"<{self.n}H", self.data, 61)
        return {index: count for index, count in enumerate(counts) if count}


def functions(program):
    """Start and end of functions; of aliases any, since only starts are compared."""
    ends = {}
    for line in run("nm", "-S", str(program), text=True).splitlines():
        fields = line.split()
        if len(fields) == 4 and fields[2] in "tTwWiu":
            start = int(fields[0], 16)
            ends[start] = max(ends.get(start, 0), start + int(fields[1], 16))
    return sorted(ends.items())


def function_at(table, address):
    import bisect
    at = bisect.bisect_right(table, (address, 1 << 63)) - 1
    return hex(table[at][0]) if at >= 0 and address < table[at][1] else "outside"


def lines_at(program, addresses):
    addresses = sorted(addresses)
    given = "\n".join(map(hex, addresses))
    found = run("addr2line", "-e", str(program), input=given, text=True).splitlines()
    def place(line):
        file, _, number = line.split(" (")[0].rpartition(":")
        return (pathlib.Path(file).name, number) if number not in ("?", "0") else "no line"
    return dict(zip(addresses, map(place, found)))


def reported(profan, profile, program, *options):
    text = run(profan, "-p", "--format", "json", "--strict", *options, str(profile), str(program))
    return next(s for s in json.loads(text)["sections"] if s["id"] == "flat")["rows"]


def misplaced(truth, rows):
    return sum(max(0, n - rows.get(key, 0)) for key, n in truth.items())


def by_function(rows):
    sums = collections.Counter()
    for row in rows:
        sums[row.get("address", "outside")] += row.get("self", 0)
    return sums


def by_line(rows):
    sums = collections.Counter()
    for row in rows:
        key = "no line"
        if row.get("line"):
            key = (pathlib.Path(row["file"]).name, str(row["line"]))
        sums[key] += row.get("self", 0)
    return sums


def main():
    here = pathlib.Path(__file__).resolve().parent
    profan, directory = str(pathlib.Path(sys.argv[1]).resolve()), pathlib.Path(sys.argv[2]).resolve()
    directory.mkdir(parents=True, exist_ok=True)
    sources = {f"{name}.c": HEAD + body for name, body in BODIES.items()} | MORE
    run("gcc", "-O2", "-c", "-o", str(directory / "recorder.o"), str(here / "recorder.c"))
    print(f"{'program':24}{'samples':>9}{'function %':>12}{'line %':>9}{'one-line bins':>15}{'line %':>9}")
    sums = collections.Counter()
    for index, (name, text) in enumerate(sources.items()):
        source = directory / name
        source.write_text(text)
        for turn, level in enumerate(("-O0", "-O1", "-O2", "-O3")):
            way = ("-no-pie", "-static")[(index + turn) % 2]
            program = build(directory, source, level, way)
            run(str(program), cwd=directory)
            profile = directory / "gmon.out"
            bins = Bins(profile)
            data = (directory / "truth.bin").read_bytes()
            truth = [pc for (pc,) in struct.iter_unpack("<Q", data) if bins.low <= pc < bins.high]
            hit = bins.hit()
            recorded = collections.Counter(map(bins.of, truth))
            assert recorded == hit, f"{program}: the bins are not those of the rule"
            starts = [int(one, 16) for one in re.findall(r"^ +([0-9a-f]+):\t", run(
                "objdump", "-d", "--no-show-raw-insn", str(program), text=True), re.MULTILINE)]
            starts = [one for one in starts if bins.low <= one < bins.high and bins.of(one) in hit]
            lines = lines_at(program, {*starts, *truth})
            lines_of_bin = collections.defaultdict(set)
            for start in starts:
                lines_of_bin[bins.of(start)].add(lines[start])
            mixed = {one for one in hit if len(lines_of_bin[one]) > 1}
            pure = directory / "pure.gmon"
            bins.without(mixed, pure)
            table = functions(program)
            found = {
                "samples": len(truth),
                "function": misplaced(collections.Counter(function_at(table, pc) for pc in truth),
                                      by_function(reported(profan, profile, program))),
                "line": misplaced(collections.Counter(lines[pc] for pc in truth),
                                  by_line(reported(profan, profile, program, "-l"))),
                "pure": sum(bins.of(pc) not in mixed for pc in truth),
                "pure line": misplaced(
                    collections.Counter(lines[pc] for pc in truth if bins.of(pc) not in mixed),
                    by_line(reported(profan, pure, program, "-l"))),
            }
            show(program.name, found)
            sums.update(found)
    show("all", sums)
    sys.exit(sums["function"] > 0.01 * sums["samples"] or sums["pure line"] > 0.02 * sums["pure"])


def show(name, found):
    percent = lambda part, whole: f"{100 * found[part] / max(1, found[whole]):.2f}"
    print(f"{name:24}{found['samples']:9}{percent('function', 'samples'):>12}"
          f"{percent('line', 'samples'):>9}{found['pure']:15}{percent('pure line', 'pure'):>9}",
          flush=True)


main()
