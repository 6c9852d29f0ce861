#!/bin/sh
# Runs every target, or those that are named, for some seconds each, and prints the
# executions and the coverage of each. Corpora stay in fuzz/corpus, what is found in
# fuzz/artifacts; status 1 if anything is. See docs/dev/reliability.md.
#
#   fuzz/run.sh SECONDS [TARGET...]
#
# Needs stable Rust and a C++ compiler. LOGS is a folder for the whole of what each prints.
set -eu

seconds=${1:?usage: fuzz/run.sh SECONDS [TARGET...]}
shift
cd "$(dirname "$0")"
all=$(sed -n 's/^    ("\([a-z_]*\)", [a-z_]*),$/\1/p' src/targets/mod.rs)
: "${CARGO_TARGET_DIR:=$PWD/target}"
export CARGO_TARGET_DIR
host=$(rustc -vV | sed -n 's/^host: //p')
# The passes count the edges that run. There is no unsafe code that the address sanitizer
# would be for. Checks of overflow and debug assertions are on.
RUSTFLAGS="-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table" \
    cargo build --quiet --release --target "$host" --bin fuzzed
fuzzed=$CARGO_TARGET_DIR/$host/release/fuzzed

# Files of the targets are in memory, and gone afterwards.
memory=/dev/shm
[ -d "$memory" ] || memory=/tmp
TMPDIR=$(mktemp -d "$memory/profan-fuzz-XXXXXX")
export TMPDIR
trap 'rm -rf "$TMPDIR"' EXIT
trap 'exit 1' HUP INT TERM

n_found=0
printf '%-14s %12s %9s %9s %8s %6s\n' target executions edges features corpus found
for TARGET in ${*:-$all}; do
    export TARGET
    mkdir -p "corpus/$TARGET" "artifacts/$TARGET" "seeds/$TARGET"
    log=$TMPDIR/log
    ./start.sh "$TARGET" "corpus/$TARGET"
    # One process at a time; what it finds does not end the run.
    "$fuzzed" -fork=1 -ignore_crashes=1 -ignore_ooms=1 -ignore_timeouts=1 \
        -max_total_time="$seconds" -max_len=65536 -timeout=10 -rss_limit_mb=1024 \
        -artifact_prefix="artifacts/$TARGET/" "corpus/$TARGET" "seeds/$TARGET" \
        >"$log" 2>&1 </dev/null || true
    # Lines of -fork are like: #1234: cov: 56 ft: 78 corp: 9 exec/s ...
    last=$(grep -a '^#[0-9]*: cov:' "$log" | tail -n 1)
    number() { printf '%s' "$last" | sed -n "s/.*$1: \([0-9]*\).*/\1/p"; }
    executions=$(printf '%s' "$last" | sed -n 's/^#\([0-9]*\):.*/\1/p')
    found=$(find "artifacts/$TARGET" -type f | wc -l)
    n_found=$((n_found + found))
    printf '%-14s %12s %9s %9s %8s %6s\n' "$TARGET" "${executions:-0}" \
        "$(number cov)" "$(number ft)" "$(number corp)" "$found"
    grep -a 'panicked at' -A 1 "$log" | sort | uniq -c | sort -rn | head -n 10 >&2 || true
    if [ -n "${LOGS:-}" ]; then cp "$log" "$LOGS/$TARGET.log"; fi
done
[ "$n_found" -eq 0 ]
