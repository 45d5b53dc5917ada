#!/usr/bin/env bash
# Whether two binaries give the same answers, byte for byte: text, JSON and reports, with exit codes and what stands on standard error.
#
#   tests/same_answers.sh OLD NEW            of the examples
#   tests/same_answers.sh OLD NEW FILE …     of these sites (.toml with people), networks (other .toml) and server logs (any other ending)
#
# Prints the answers that differ, the first lines of each difference, and ends with 1 if there are any.
set -euo pipefail
[ $# -ge 2 ] || { sed -n '2,8s/^# \{0,1\}//p' "$0"; exit 2; }
root=$(cd "$(dirname "$0")/.." && pwd)
old=$(realpath "$1")
new=$(realpath "$2")
shift 2
[ $# -gt 0 ] || set -- "$root"/assets/examples/*.toml "$root"/assets/examples/networks/*.toml "$root"/assets/examples/logs/*
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
report=$work/report

# What a binary answers, and the report if it writes one.
answer() {
    rm -f "$report".*
    local code=0
    "$@" </dev/null 2>&1 || code=$?
    echo "exit code $code"
    cat "$report".* 2>/dev/null || true
}

answers=0
differing=0
# Compares what both answer to one command.
same() {
    answer "$old" "$@" >"$work/old"
    answer "$new" "$@" >"$work/new"
    answers=$((answers + 1))
    cmp -s "$work/old" "$work/new" && return
    differing=$((differing + 1))
    echo "── plimsoll $*"
    diff "$work/old" "$work/new" | sed -n 1,20p || true
}

same models --format json
for file in "$@"; do
    if [[ $file != *.toml ]]; then
        same workload "$file"
        same workload "$file" --full
        same workload "$file" --format json
    elif ! grep -q '^\[people\]' "$file"; then
        same solve "$file"
        same solve "$file" --format json
    else
        same advise "$file"
        same advise "$file" --full
        same advise "$file" --format json
        same advise "$file" --from-today
        same advise "$file" --from-today --format json
        same predict "$file" --layout local-all
        same predict "$file" --compare local-all,split --format json
        same simulate "$file" --layout local-all --events 50000 --format json
        for ending in md html json; do
            same report "$file" --no-confirm --output "$report.$ending"
        done
    fi
done
echo "$answers answers, $differing differ"
[ "$differing" -eq 0 ]
