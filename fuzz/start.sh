#!/bin/sh
# Fills the corpus of a target with what is in the fixtures for it.
#
#   fuzz/start.sh TARGET FOLDER
set -eu
target=$1
folder=$(cd "$2" && pwd)
cd "$(dirname "$0")/../fixtures"

# Copies files of the standard input under numbers.
copy() {
    n=0
    while read -r file; do
        n=$((n + 1))
        cp "$file" "$folder/fixture-$n"
    done
}

# Files that are no expectations, and not larger than what is fuzzed.
small() { find . -type f -size -40k ! -path '*/expected/*' "$@" | sort; }

# A byte of this value.
byte() { printf "\\$(printf %03o "$1")"; }

# Pairs of a program, or another first file, and a second, behind the number of a line.
pairs() {
    n=0
    while read -r first second; do
        size=$(($(wc -c <"$first")))
        [ "$size" -lt 65000 ] || continue
        n=$((n + 1))
        { byte $((n % 45)); byte $((size % 256)); byte $((size / 256)); cat "$first" "$second"; } \
            >"$folder/fixture-$n"
    done
}

case $target in
any_profile | packed) small | copy ;;
program) small | while read -r file; do
    case $(head -c 4 "$file" | od -An -tx1 | tr -d ' ') in
    7f454c46 | 4d5a* | cffaedfe | feedface | 01df* | 01f7*) echo "$file" ;;
    esac
done | copy ;;
callgrind) small -name '*callgrind*' | copy ;;
folded) small -name '*.folded' | copy ;;
gprof_text) small -path '*/gprof-text/*.txt' | copy ;;
pprof) small -name '*.pb*' | while read -r file; do
    gzip -dcf "$file" >"$folder/$(basename "$file" .gz)"
done ;;
perf_script) small -name '*.perf' | copy ;;
dhat) small -path "*/valgrind/*.json" | copy ;;
massif) small -name "*massif*" | copy ;;
mlton) small \( -name 'mlmon*' -o -name 'show-prof*' -o -name '*.mlmon' \) | copy ;;
hexdump) small \( -path '*dumps*' -o -name 'serial.log' \) | copy ;;
kept_report) grep -rl '^{"' --include='*' . | while read -r file; do
    [ "$(wc -c <"$file")" -lt 65000 ] && echo "$file"
done | sort | copy ;;
side_files) small \( -name '*.txt' -o -name '*.nm' -o -name 'ranks' \) | copy ;;
report)
    {
        for profile in oddities/*.gmon; do echo "oddities/work $profile"; done
        for profile in oddities/*.profile; do echo "oddities/libone.so $profile"; done
        for old in oddities/*.callgrind compare/*.callgrind; do echo "$old $old"; done
        small -name '*.out' | while read -r file; do echo "$file $file"; done
        small -name 'mlmon.out' | while read -r file; do
            [ -f "${file%mlmon.out}show-prof.txt" ] && echo "${file%mlmon.out}show-prof.txt $file"
        done
        small -name '*.trace' | while read -r file; do echo "$file $file"; done
    } | pairs ;;
# What makes things of bytes wants many, of any kind.
differential | diff | elf | invariants | made_report | verdict)
    n=0
    small -size +6k | while read -r file; do
        n=$((n + 1))
        gzip -nc "$file" | tail -c +21 | head -c 4000 >"$folder/fixture-$n"
    done ;;
esac
