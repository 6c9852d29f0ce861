#!/bin/sh
# Real comparisons of program.c: as it is with itself, with `walk` made slower by 5, 10 and
# 15 %, in turn and one side after the other, and by callgrind with one instruction more.
# Needs gcc, valgrind and two hours of a quiet machine with the usual 40 runs of 6 seconds
# each; what it finds is in docs/dev/validation.md.
#
#     tests/trials/comparisons/run.sh PROFAN FOLDER [RUNS [ROUNDS]]
set -eu
profan=$(realpath "$1")
source=$(realpath "$(dirname "$0")")/program.c
folder=$2 runs=${3:-40} rounds=${4:-7200}
mkdir -p "$folder"
cd "$folder"

# WALK is 200 as it is.
walks="200 210 220 230"
for walk in $walks; do
	gcc -g -O2 -pg -no-pie -DWALK="$walk" -DROUNDS="$rounds" -o "walk$walk" "$source"
done
# In turn: a machine that gets slower makes all of them slower.
for run in $(seq "$runs"); do
	half=$((run % 2))
	for walk in $walks; do
		mkdir -p "$walk-$half"
		"./walk$walk"
		mv gmon.out "$walk-$half/$run.gmon"
	done
done

for walk in $walks; do
	echo "== walk$walk, one half of its runs with the other"
	"$profan" diff --all "$walk"-0/*.gmon "walk$walk" -- "$walk"-1/*.gmon
	"$profan" diff --all --sort total "$walk"-0/*.gmon "walk$walk" -- "$walk"-1/*.gmon
done
for walk in 210 220 230; do
	echo "== walk200 with walk$walk"
	for options in "" "--sort total" "--normalize"; do
		"$profan" diff --all $options 200-*/*.gmon walk200 -- "$walk"-*/*.gmon "walk$walk"
	done
done

# One side after the other: a machine that gets slower makes the later one slower.
for side in first-200 second-200 third-230; do
	mkdir -p "$side"
	for run in $(seq "$runs"); do
		"./walk${side#*-}"
		mv gmon.out "$side/$run.gmon"
	done
done
echo "== one side after the other, walk200 with itself and with walk230"
"$profan" diff --all first-200/*.gmon walk200 -- second-200/*.gmon
"$profan" diff --all first-200/*.gmon walk200 -- third-230/*.gmon walk230

for name in as-it-is extra; do
	extra=$([ "$name" = extra ] && echo -DEXTRA || true)
	gcc -g -O2 $extra -DROUNDS=3 -o "$name" "$source"
	valgrind -q --tool=callgrind --toggle-collect=main --callgrind-out-file="$name.callgrind" "./$name"
done
echo "== one instruction more"
"$profan" diff as-it-is.callgrind as-it-is.callgrind
"$profan" diff as-it-is.callgrind extra.callgrind
"$profan" diff --sort total as-it-is.callgrind extra.callgrind
