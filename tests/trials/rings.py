#!/usr/bin/env python3
"""Totals in recursion against what callgrind counts while a function is active.

Builds an interpreter of Lua from the static library of the distribution (liblua5.4-dev),
runs it under callgrind with one and with several levels of recursion, and for each function
once more with --toggle-collect, which counts exactly what profan calls the total. Takes
a minute.

    tests/trials/rings.py PROFAN DIRECTORY
"""
import json
import pathlib
import re
import subprocess
import sys

MAIN = r"""
#include <lua5.4/lua.h>
#include <lua5.4/lauxlib.h>
#include <lua5.4/lualib.h>
int main(int count, char **arguments)
{
    lua_State *lua = luaL_newstate();
    luaL_openlibs(lua);
    return luaL_dofile(lua, arguments[1]);
}
"""
PROGRAM = r"""
local function fib(n) if n < 2 then return n end return fib(n - 1) + fib(n - 2) end
local t = {}
for i = 1, 300 do t[i] = (i * 7919) % 1009 end
table.sort(t, function(a, b) return a < b end)
local s = string.gsub(string.rep("hello ", 50), "%w+", function(w) return w:upper() end)
local ok = pcall(function() return fib(14) end)
print(fib(15), #s, t[1], ok)
"""
FUNCTIONS = ["luaV_execute", "luaD_callnoyield", "luaD_pcall", "luaD_rawrunprotected",
             "luaD_precall", "lua_pcallk", "lua_callk", "auxsort", "sort_comp", "str_gsub",
             "statement", "main"]


def run(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          text=True).stdout


def counted(directory, *options):
    out = directory / "callgrind.out"
    # Without randomised addresses, or tables of pointers differ between runs.
    run("setarch", "-R", "valgrind", "-q", "--tool=callgrind", f"--callgrind-out-file={out}",
        *options, str(directory / "lua"), str(directory / "program.lua"))
    return out


def totals(profan, profile):
    rows = json.loads(run(profan, "-p", "--format", "json", str(profile)))["sections"][0]["rows"]
    return {row["name"]: (row["total"], bool(row.get("is_lower_bound"))) for row in rows}


def main():
    profan, directory = sys.argv[1], pathlib.Path(sys.argv[2])
    directory.mkdir(parents=True, exist_ok=True)
    (directory / "main.c").write_text(MAIN)
    (directory / "program.lua").write_text(PROGRAM)
    library = next(pathlib.Path("/usr/lib").glob("*/liblua5.4.a"))
    run("gcc", "-O1", str(directory / "main.c"), "-o", str(directory / "lua"), str(library),
        "-lm", "-ldl")
    found = {levels: totals(profan, counted(directory, f"--separate-recs={levels}"))
             for levels in (1, 2, 5)}
    print(f"{'function':22}{'truth':>10}{'2 levels':>10}{'5 levels':>10}{'1 level':>10}")
    n_wrong = 0
    for name in FUNCTIONS:
        text = counted(directory, f"--toggle-collect={name}").read_text()
        truth = int(re.search(r"^totals: (\d+)", text, re.MULTILINE)[1])
        (one, is_least), (two, _), (five, _) = (found[levels][name] for levels in (1, 2, 5))
        # Lua seeds its tables with the time, so that runs differ a little.
        margin = 0.005 * truth + 2000
        is_right = all(abs(total - truth) <= margin for total in (two, five))
        is_right &= one <= truth + margin and (is_least or abs(one - truth) <= margin)
        n_wrong += not is_right
        sign = ">=" if is_least else ""
        print(f"{name:22}{truth:10}{two:10}{five:10}{sign + str(one):>10}"
              f"{'' if is_right else '  wrong'}")
    sys.exit(n_wrong > 0)


main()
