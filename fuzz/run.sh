#!/bin/sh
# Runs every target, or those that are named, for some minutes each, and prints the
# executions and the coverage of each. Corpora stay in fuzz/corpus, what is found in
# fuzz/artifacts. See docs/reliability.md.
#
#   fuzz/run.sh MINUTES [TARGET...]
#
# BUILT is a folder with targets that are built already, LOGS one for the whole of what
# each prints.
set -eu

minutes=${1:?usage: fuzz/run.sh MINUTES [TARGET...]}
shift
cd "$(dirname "$0")"
all=$(sed -n 's/^name = "\([a-z_]*\)"$/\1/p' Cargo.toml)
: "${CARGO_TARGET_DIR:=$PWD/target}"
export CARGO_TARGET_DIR
# There is no unsafe code that the address sanitizer would be for. Checks of overflow and
# debug assertions are on.
if [ -z "${BUILT:-}" ]; then
    cargo +nightly fuzz build --sanitizer none
    BUILT=$CARGO_TARGET_DIR/$(rustc +nightly -vV | sed -n 's/^host: //p')/release
fi

# Files of the targets are in memory, and gone afterwards.
memory=/dev/shm
[ -d "$memory" ] || memory=/tmp
TMPDIR=$(mktemp -d "$memory/profan-fuzz-XXXXXX")
export TMPDIR
trap 'rm -rf "$TMPDIR"' EXIT
trap 'exit 1' HUP INT TERM

printf '%-14s %12s %9s %9s %8s %6s\n' target executions edges features corpus found
for target in ${*:-$all}; do
    mkdir -p "corpus/$target" "artifacts/$target" "seeds/$target"
    log=$TMPDIR/log
    ./start.sh "$target" "corpus/$target"
    # One process at a time; what it finds does not end the run.
    "$BUILT/$target" -fork=1 -ignore_crashes=1 -ignore_ooms=1 -ignore_timeouts=1 \
        -max_total_time=$((minutes * 60)) -max_len=65536 -timeout=10 -rss_limit_mb=1024 \
        -artifact_prefix="artifacts/$target/" "corpus/$target" "seeds/$target" \
        >"$log" 2>&1 </dev/null || true
    # Lines of -fork are like: #1234: cov: 56 ft: 78 corp: 9 exec/s ...
    last=$(grep -a '^#[0-9]*: cov:' "$log" | tail -n 1)
    number() { printf '%s' "$last" | sed -n "s/.*$1: \([0-9]*\).*/\1/p"; }
    executions=$(printf '%s' "$last" | sed -n 's/^#\([0-9]*\):.*/\1/p')
    found=$(find "artifacts/$target" -type f | wc -l)
    printf '%-14s %12s %9s %9s %8s %6s\n' "$target" "${executions:-0}" \
        "$(number cov)" "$(number ft)" "$(number corp)" "$found"
    grep -a 'panicked at' -A 1 "$log" | sort | uniq -c | sort -rn | head -n 10 >&2 || true
    if [ -n "${LOGS:-}" ]; then cp "$log" "$LOGS/$target.log"; fi
done
