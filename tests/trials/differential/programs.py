"""Small programs, and the many ways in which they are built."""

from dataclasses import dataclass
from pathlib import Path
import subprocess

MAIN = r"""
#include <stdio.h>
#include "shared.h"
int even(int n), odd(int n), ping(int n), pong(int n), twice(int n);
static int local(int n) { return n + counter++; }
int self(int n) { return n < 1 ? 1 : self(n - 1) + local(n); }
static int same(int n) { return local(n) * 2; }
int main(int argc, char **argv)
{
    int sum = self(argc) + even(argc) + ping(argc);
    sum += same(argc) + twice(argc) + clamp(sum);
    printf("%d %s\n", sum, argv[0]);
    return 0;
}
"""

SHARED = r"""
#define NOINLINE __attribute__((noinline))
extern int counter;
static inline int clamp(int n)
{
    if (n > 100)
        return 100;
    return n < 0 ? 0 : n;
}
"""

RINGS = r"""
#include "shared.h"
int counter;
int odd(int n);
int twice(int n);
NOINLINE int even(int n) { return n == 0 ? clamp(n) : odd(n - 1) + 1; }
NOINLINE int odd(int n) { return n == 0 ? 0 : even(n - 1) + 2; }
static NOINLINE int same(int n) { counter += n; return clamp(n); }
int (*through)(int) = twice;
NOINLINE int pong(int n);
NOINLINE int ping(int n) { return n < 1 ? same(n) : pong(n - 1) + through(n); }
NOINLINE int pong(int n)
{
    int i, sum = 0;
    for (i = 0; i < n; i++)
        sum += ping(n - 1);
    return sum;
}
"""

LEAF = r"""
#include "../shared.h"
__attribute__((weak)) int weak_data = 3;
__attribute__((weak)) int weak_place(int n) { return n + weak_data; }
int plain(int n) { return n * 3; }
int alias(int n) __attribute__((alias("plain")));
static NOINLINE int step(int n) { return clamp(n) + weak_place(n); }
int twice(int n)
{
    switch (n) {
    case 0: return plain(1);
    case 1: return step(2);
    case 2: return alias(n) + step(n);
    default: return step(n) + step(n - 1);
    }
}
"""

LABELS = r"""
    .text
    .globl labelled
    .type labelled, %function
labelled:
    .byte 0, 0, 0, 0, 0, 0, 0, 0
untyped_local:
    .byte 0, 0, 0, 0, 0, 0, 0, 0
    .globl untyped_global
untyped_global:
    .byte 0, 0, 0, 0, 0, 0, 0, 0
_below:
above:
    .byte 0, 0, 0, 0, 0, 0, 0, 0
    .size labelled, . - labelled
    .type "odd$name", %function
"odd$name":
    .byte 0, 0, 0, 0
    .type odd.12, %function
odd.12:
    .byte 0, 0, 0, 0, 0, 0, 0, 0
    .weak weak_label
weak_label:
    .byte 0, 0, 0, 0
    .section .behind, "ax", %progbits
    .globl far_away
    .type far_away, %function
far_away:
    .byte 0, 0, 0, 0, 0, 0, 0, 0
far_label:
    .byte 0, 0, 0, 0, 0, 0, 0, 0
    .section .note.GNU-stack, "", %progbits
"""

CXX = r"""
#include <cstdio>
#include "shared.h"
int counter;
namespace ns {
template <class T> struct Pair {
    T a, b;
    NOINLINE T sum() const { return a + b; }
    NOINLINE ~Pair() { counter++; }
};
namespace { NOINLINE int hidden(int n) { Pair<long> p{n, n}; return (int)p.sum(); } }
NOINLINE int shown(int n) { auto f = [n](int m) { return hidden(n + m); }; return f(clamp(n)) + f(2); }
}
struct Base { virtual int turn(int n) = 0; };
struct Ring : Base {
    NOINLINE int back(int n) { return n < 1 ? 1 : turn(n - 1); }
    int turn(int n) override { return n < 1 ? ns::shown(n) : back(n - 1); }
};
int main(int argc, char **argv)
{
    Ring ring;
    ns::Pair<int> pair{argc, 2};
    std::printf("%d\n", ring.turn(argc) + pair.sum());
}
"""

ROOM = r"""
#include "shared.h"
int ring(int n);
static NOINLINE int inner(int n) { return clamp(n) + 3; }
NOINLINE int room(int n) { return n > 5 ? ring(n) : inner(n); }
NOINLINE int hall(int n) { return room(n) + room(n - 1) + inner(n); }
"""

BARE = r"""
#include "shared.h"
int counter;
int ring(int n);
static NOINLINE int leaf(int n) { return clamp(n) + counter; }
NOINLINE int ring_back(int n) { return n ? ring(n - 1) : leaf(n); }
NOINLINE int ring(int n) { return n ? ring_back(n - 1) : leaf(n + 1); }
NOINLINE int top(int n) { return ring(n) + leaf(n); }
void _start(void) { for (;;) counter += top(counter); }
"""

# Code before and behind `.text`, and `.text` not the first code.
SCRIPT = r"""
SECTIONS
{
    . = 0x8000;
    .before : { *room.o(.text) }
    . = ALIGN(16);
    .text : { *(.text*) }
    . = ALIGN(16);
    .behind : { *(.behind) }
    .data : { *(.data*) *(.rodata*) *(.sdata*) *(.got*) }
    .bss : { *(.bss*) *(.sbss*) }
    /DISCARD/ : { *(.comment) *(.note*) *(.eh_frame*) *(.ARM*) *(.MIPS*) *(.reginfo) *(.gnu*) *(.pdr) }
}
"""

FILES = {
    "main.c": MAIN,
    "shared.h": SHARED,
    "rings.c": RINGS,
    "deep/leaf.c": LEAF,
    "labels.s": LABELS,
    "names.cc": CXX,
    "bare.c": BARE,
    "room.c": ROOM,
    "rooms.ld": SCRIPT,
    **{name: (Path(__file__).parent / name).read_text() for name in ("variants.cc", "ranges.cc")},
}

C = ["main.c", "rings.c", "deep/leaf.c"]
WITH_LABELS = [*C, "labels.s"]
BARE_METAL = ["bare.c"]
ROOMS = ["bare.c", "room.c", "labels.s"]
FREE = ["-nostdlib", "-ffreestanding", "-static"]

# Of each build: a name, the sources, and what the compiler is told.
BUILDS = [
    ("plain", C, ["-O0"]),
    ("no-pie", C, ["-O0", "-no-pie"]),
    ("lines", C, ["-O0", "-g"]),
    ("lines-no-pie", C, ["-O0", "-g", "-no-pie"]),
    ("lines-fast", C, ["-O2", "-g", "-no-pie"]),
    ("fast", C, ["-O2"]),
    ("small", C, ["-Os", "-g", "-no-pie"]),
    ("mcount", C, ["-O0", "-g", "-pg"]),
    ("mcount-fast", C, ["-O2", "-g", "-pg", "-no-pie"]),
    ("sections", C, ["-O1", "-g", "-ffunction-sections", "-no-pie"]),
    ("dwarf4", C, ["-O1", "-gdwarf-4", "-no-pie"]),
    ("packed", C, ["-O1", "-g", "-gz", "-no-pie"]),
    ("labels", WITH_LABELS, ["-O0", "-no-pie"]),
    ("labels-lines", WITH_LABELS, ["-O0", "-g", "-no-pie"]),
    ("labels-first", ["labels.s", *C], ["-O1", "-g"]),
    ("static", C, ["-O1", "-static"]),
    ("static-lines", WITH_LABELS, ["-O0", "-g", "-static"]),
    ("half-lines", ["main.c", "rings.c", "no-lines/deep/leaf.c"], ["-O0", "-g", "-no-pie"]),
    ("bare", BARE_METAL, ["-O1", *FREE]),
    ("bare-lines", BARE_METAL, ["-O1", "-g", *FREE]),
    ("rooms", ROOMS, ["-O1", *FREE, "-Wl,-T,rooms.ld"]),
    ("rooms-lines", ROOMS, ["-O0", "-g", *FREE, "-Wl,-T,rooms.ld"]),
    ("names", ["names.cc"], ["-O0", "-g", "-no-pie"]),
    ("names-fast", ["names.cc"], ["-O2"]),
    *[
        (f"{name}-{standard}-O{level}", [f"{name}.cc"], [f"-std=c++{standard}", f"-O{level}"])
        for name, standards in [("variants", (17, 20, 23)), ("ranges", (20, 23))]
        for standard in standards
        for level in range(4)
    ],
]
# Builds that are made again without some symbols.
STRIPPED = [
    ("plain", "no-locals", ["--discard-all"]),
    ("lines-no-pie", "no-even", ["-N", "even", "-N", "main"]),
    ("lines-fast", "debug-gone", ["--strip-debug"]),
    ("labels", "only-weak-labels", ["-N", "labelled", "-N", "_fini", "-N", "_init"]),
    ("no-pie", "weak", ["-W", "self", "-W", "ping", "-W", "counter"]),
    ("lines", "local", ["-L", "self", "-L", "ping", "-L", "_start"]),
]
MACHINES = [
    "i686", "aarch64", "arm-gnueabihf", "mips", "powerpc", "powerpc64le", "riscv64", "sparc64",
]
OF_OTHER_MACHINES = ["no-pie", "lines-no-pie", "lines-fast", "labels-lines", "bare-lines", "static", "rooms"]


@dataclass
class Built:
    """A program, and the gprof that reads it."""

    name: str
    path: Path
    gprof: str
    sources: Path


def prefix(machine: str | None) -> str:
    if machine is None:
        return ""
    cpu, _, abi = machine.partition("-")
    return f"{cpu}-linux-{abi or 'gnu'}-"


def build(folder: Path, foreign: bool) -> list[Built]:
    """Builds what there are compilers for. Says what cannot be built."""
    for name, text in FILES.items():
        place = folder / "src" / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
    built = []
    for machine in [None, *(MACHINES if foreign else [])]:
        for name, sources, flags in BUILDS:
            if machine is None or name in OF_OTHER_MACHINES:
                built += of_machine(folder, machine, name, sources, flags)
    return built


def of_machine(folder, machine, name, sources, flags) -> list[Built]:
    tools = prefix(machine)
    path = folder / f"{machine or 'host'}-{name}"
    made = Built(path.name, path, f"{tools}gprof", folder / "src")
    if not path.exists() and not link(made, tools, sources, flags):
        return []
    all_made = [made]
    for of, suffix, how in STRIPPED:
        if of == name and machine is None:
            path = folder / f"{made.name}-{suffix}"
            if path.exists() or done([f"{tools}objcopy", *how, made.path, path], folder):
                all_made.append(Built(path.name, path, made.gprof, made.sources))
    return all_made


def link(made: Built, tools: str, sources, flags) -> bool:
    objects = []
    for source in sources:
        bare = source.removeprefix("no-lines/")
        own = [f for f in flags if f != "-g"] if bare != source else flags
        compiler = f"{tools}g++" if bare.endswith(".cc") else f"{tools}gcc"
        object_name = f"../{made.name}-{Path(bare).stem}.o"
        objects.append(object_name)
        if not done([compiler, *own, "-c", bare, "-o", object_name], made.sources):
            return False
    return done([compiler, *flags, *objects, "-o", made.path], made.sources)


def done(command, folder: Path) -> bool:
    try:
        ran = subprocess.run(list(map(str, command)), cwd=folder, capture_output=True, text=True)
    except FileNotFoundError:
        print(f"  not here: {command[0]}")
        return False
    if ran.returncode != 0:
        print(f"  failed: {' '.join(map(str, command))}: {ran.stderr.strip().splitlines()[:2]}")
    return ran.returncode == 0
