"""Ten real programs: how they are built, run for about a second, and changed."""
from first_day.programs import FLAGS, PROGRAMS as FIRST_DAY

AWK = """{ for (i = 1; i <= NF; i++) { words[$i]++; if ($i ~ /^[a-z]+_[a-z]+$/) n++ } }
END { for (word in words) sum += words[word] * length(word); print n, sum }
"""


def known(name, rebuild, **others):
    """A program of the first day, and which of its commands compiles it."""
    program = FIRST_DAY[name]
    return {**program, "rebuild": program["build"][rebuild], "binary": program["arguments"][1], **others}


def compiled(package, sources, flags, **others):
    """A program of C sources that need no configuration."""
    command = f"gcc {FLAGS} {flags} -o program {sources} -lm"
    return dict(package=package, needs="gcc", rebuild=command, binary="program",
                build=["cat $(find . -name '*.c') > data", command], **others)


def repeated(times):
    return f"for i in $(seq {times}); do cat data; done > small"


# Beside the keys of the first day: the commands that compile again, make the input and run; the file
# of the functions, the one to make slower, its name in profiles, and the one to inline and rename.
# bzip2 takes 17 % longer if that one is inlined, without profiling too, so its refusal is right.
PROGRAMS = {
    "bzip2": known(
        "bzip2", 1, inputs="head -c 4000000 ../data > small", run="./program -k -c small",
        file="blocksort.c", slower="mainSort", inlined="mainGtU", is_slower_inlined=True),
    "xz": known(
        "xz", 2, inputs="head -c 2500000 more > small", run="./program -T1 -k -c -6 small",
        file="src/liblzma/lz/lz_encoder_mf.c", slower="bt_skip_func", inlined="bt_skip_func"),
    "zstd": known(
        "zstd", 0, inputs="head -c 2000000 data > small", run="./program --single-thread -16 -k -c small",
        file="lib/compress/zstd_opt.c", slower="ZSTD_insertBt1", inlined="ZSTD_insertBt1"),
    "Lua": known(
        "lua", 2, inputs="sed 's/200000/150000/; s/32/30/' ../fib.lua > small", run="./program small",
        file="src/lvm.c", slower="luaV_execute", inlined="l_strcmp"),
    "SQLite": known(
        "sqlite", 2, inputs="sed 's/400000/600000/' ../items.sql > small", run="./program < small",
        file="build/sqlite3.c", slower="sqlite3VdbeExec", inlined="moveToRoot"),
    "zlib": compiled(
        "zlib", "test/minigzip.c *.c", "-I. -DHAVE_UNISTD_H", inputs=repeated(6), run="./program -9 < small",
        file="deflate.c", slower="longest_match", inlined="longest_match"),
    "LZ4": compiled(
        "lz4", "programs/*.c lib/*.c", "-Ilib", inputs=repeated(20), run="./program -9 -c small",
        file="lib/lz4hc.c", slower="LZ4HC_compress_hashChain", inlined="LZ4HC_countPattern",
        row="LZ4HC_compress_generic_noDictCtx"),
    "Brotli": compiled(
        "brotli", "c/*/*.c", "-Ic/include", inputs=repeated(12), run="./program -q 7 -c small",
        file="c/enc/backward_references_inc.h", slower="CreateBackwardReferences",
        row="CreateBackwardReferencesNH6"),
    "mawk": dict(
        package="mawk", needs="make", files={"words.awk": AWK}, binary="mawk", rebuild="make",
        build=[f'./configure CFLAGS="{FLAGS}"', "make", "cat *.c > data"],
        inputs=repeated(12), run="./program -f words.awk small", file="execute.c", slower="execute",
        inlined="compare"),
    "C++ and JSON": known("C++ and JSON", 1, inputs="true", run="./program"),
}
