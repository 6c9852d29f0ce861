"""Eight real programs: where their sources come from, how they are built and run, and what is known
of their profiles."""

LUA = """local function fib(n) if n < 2 then return n end return fib(n - 1) + fib(n - 2) end
local names = {}
for i = 1, 200000 do names[i] = tostring((i * 7919) % 100003) end
table.sort(names)
print(fib(32), #names)
"""

SQL = """CREATE TABLE item(id INTEGER PRIMARY KEY, name TEXT, price REAL);
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 400000)
INSERT INTO item SELECT i, 'item ' || (i * 7919 % 100003), i % 97 FROM n;
SELECT name, sum(price) FROM item GROUP BY name ORDER BY 2 DESC LIMIT 3;
SELECT count(*) FROM item a JOIN item b ON a.id = b.id + 1 WHERE a.name < b.name;
"""

JSON = """#include <nlohmann/json.hpp>
#include <iostream>
int main()
{
    nlohmann::json all = nlohmann::json::array();
    for (int i = 0; i < 40000; i++)
        all.push_back({{"id", i}, {"name", "item " + std::to_string(i)}, {"tags", {"a", "b"}}});
    std::string text = all.dump();
    size_t size = 0;
    for (int i = 0; i < 4; i++)
        size += nlohmann::json::parse(text).size();
    std::cout << size << "\\n";
}
"""

CMAKE = """cmake_minimum_required(VERSION 3.10)
project(items CXX)
add_executable(items src/main.cpp)
"""

VERILOG = """module top(input clk, input [31:0] seed, output reg [31:0] sum);
  reg [31:0] state [0:63];
  integer i;
  always @(posedge clk) begin
    for (i = 0; i < 64; i = i + 1) state[i] <= state[i] * 32'd1664525 + seed + i;
    sum <= sum ^ state[seed[5:0]];
  end
endmodule
"""

SIMULATION = """#include "Vtop.h"
#include <cstdio>
int main()
{
    Vtop top;
    for (unsigned i = 0; i < 2000000; i++) {
        top.seed = i;
        top.clk = i & 1;
        top.eval();
    }
    std::printf("%u\\n", top.sum);
}
"""

WINDOWS = """#include <stdio.h>
static unsigned long long state = 1;
__attribute__((noinline)) unsigned next(void) { return (state = state * 6364136223846793005u + 1) >> 33; }
__attribute__((noinline)) unsigned sum(int n) { unsigned s = 0; while (n--) s ^= next(); return s; }
int main(void)
{
    unsigned total = 0;
    for (int i = 0; i < 400; i++) total += sum(1000000);
    printf("%u\\n", total);
    return 0;
}
"""

FLAGS = "-pg -g -O2"

# name: tools that must be there, Debian source package or files, commands in the source directory,
# directory and arguments of profan there, pattern of the hottest functions, pattern of annotated
# source, sources that are nowhere, and the cause of an empty profile.
PROGRAMS = {
    "bzip2": dict(
        package="bzip2", needs="gcc",
        build=["mkdir build && touch Makefile",
               f"cd build && gcc {FLAGS} -D_FILE_OFFSET_BITS=64 -o bzip2 $(ls ../*.c | grep -Ev 'dlltest|recover|spewG|unzcrash|mk251')",
               "cat *.c *.h | head -c 60000 > text", "for i in $(seq 120); do cat text; echo $i; done > data",
               "cd build && ./bzip2 -k -c ../data > /dev/null"],
        directory="build", arguments=["gmon.out", "bzip2"],
        hot=r"mainGtU|mainSort|BZ2_|generateMTF|fallback|add_pair", shown=r"\*\*\* File .*blocksort\.c"),
    "bzip2 with its library shared": dict(
        package="bzip2", needs="make",
        build=[f'make CC=gcc CFLAGS="{FLAGS} -D_FILE_OFFSET_BITS=64" LDFLAGS=-pg bzip2',
               "ln -s libbz2.so libbz2.so.1.0 2> /dev/null || true", "cat *.c > data",
               "LD_LIBRARY_PATH=. ./bzip2 -k -c data > /dev/null"],
        arguments=["gmon.out", "bzip2"], empty=r"libbz2\.so\.1\.0"),
    "xz": dict(
        package="xz-utils", needs="make",
        build=["mkdir build", f'cd build && ../configure --disable-shared --disable-nls --disable-doc CFLAGS="{FLAGS}"',
               "cd build && make -j2", "cd build && cat ../src/liblzma/*/*.c > data",
               "cd build && for i in 1 2 3 4; do cat data; done > more && src/xz/xz -T1 -k -c -9e more > /dev/null"],
        directory="build", arguments=["gmon.out", "src/xz/xz"],
        hot=r"bt_find_func|lzma_mf_bt4|lzma_lzma_optimum|lzma_memcmplen|helper2|calculate|encode",
        shown=r"\*\*\* File .*lz_encoder_mf\.c"),
    "xz with its library shared": dict(
        package="xz-utils", needs="make",
        build=["mkdir build", f'cd build && ../configure --disable-static --disable-nls --disable-doc CFLAGS="{FLAGS}"',
               "cd build && make -j2", "cd build && cat ../src/liblzma/*/*.c > data",
               "cd build && src/xz/xz -T1 -k -c data > /dev/null"],
        directory="build", arguments=["gmon.out", "src/xz/xz"], empty=r"liblzma\.so\.5"),
    "zstd": dict(
        package="libzstd", needs="make",
        build=[f'make -C programs zstd CFLAGS="{FLAGS}" LDFLAGS=-pg HAVE_LZMA=0 HAVE_LZ4=0',
               "cat lib/*/*.c > data", "programs/zstd --single-thread -19 -k -c data > /dev/null"],
        arguments=["gmon.out", "programs/zstd"], hot=r"ZSTD_|HUF_|FSE_", shown=r"\*\*\* File .*zstd_opt\.c"),
    "lua": dict(
        package="lua5.4", needs="gcc", files={"fib.lua": LUA},
        build=["mkdir build", "printf '#define DEB_HOST_MULTIARCH \"\"\\n' > src/lua5.4-deb-multiarch.h",
               f'cd build && gcc {FLAGS} -DLUA_USE_POSIX -o lua $(ls ../src/*.c | grep -v luac.c) -lm',
               "cd build && ./lua ../fib.lua"],
        directory="build", arguments=["gmon.out", "lua"], hot=r"luaV_execute|luaD_|luaH_|l_strcmp|auxsort",
        shown=r"\*\*\* File .*lvm\.c"),
    "sqlite": dict(
        package="sqlite3", needs="tclsh", files={"items.sql": SQL},
        build=["mkdir build", "cd build && ../configure --disable-readline && make sqlite3.c shell.c",
               f"cd build && gcc {FLAGS} -DSQLITE_OMIT_LOAD_EXTENSION -DSQLITE_THREADSAFE=0 -o shell shell.c sqlite3.c -lm",
               "cd build && ./shell < ../items.sql"],
        directory="build", arguments=["gmon.out", "shell"], hot=r"sqlite3|vdbe|balance|getCell|moveTo|cellSize",
        shown=r"\*\*\* File .*sqlite3\.c"),
    "C++ and JSON": dict(
        needs="cmake", header="/usr/include/nlohmann/json.hpp",
        files={"CMakeLists.txt": CMAKE, "src/main.cpp": JSON},
        build=[f'cmake -B build -DCMAKE_CXX_FLAGS="{FLAGS}"', "cmake --build build", "cd build && ./items"],
        directory="build", arguments=["gmon.out", "items"], hot=r"nlohmann|std::|main", shown=r"json\.hpp \(not read: outside; add -I /usr/include"),
    "Verilator": dict(
        needs="verilator", files={"top.v": VERILOG, "main.cpp": SIMULATION},
        build=[f'verilator --cc --exe --build -CFLAGS "{FLAGS}" -LDFLAGS -pg top.v main.cpp', "obj_dir/Vtop"],
        arguments=["gmon.out", "obj_dir/Vtop"], hot=r"Vtop", shown=r"\*\*\* File .*Vtop"),
    "MinGW under Wine": dict(
        needs="x86_64-w64-mingw32-gcc", also="wine", files={"main.c": WINDOWS},
        build=["x86_64-w64-mingw32-gcc -pg -g -O2 -o program.exe main.c",
               "WINEDEBUG=-all WINEPREFIX=$PWD/.wine wine program.exe"],
        arguments=["gmon.out", "program.exe"], hot=r"^next$|^sum$|mcount", shown=r"\*\*\* File .*main\.c", absent="mcount"),
}
