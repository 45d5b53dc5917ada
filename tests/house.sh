#!/usr/bin/env bash
# How large the house is: lines of code by room and by crate, the largest files, and how often finished text is looked into.
#
#   tests/house.sh            of this tree
#   tests/house.sh FOLDER     of another checkout
#
# A line counts where it is neither blank nor a comment; tests that stand beside the code count with it.
set -euo pipefail
cd "${1:-$(dirname "$0")/..}"

# Lines of code below the folders that are named.
lines() {
    find "$@" -name '*.rs' -print0 2>/dev/null | xargs -0 -r cat | grep -vcE '^[[:space:]]*(//.*)?$' || true
}

row() {
    printf '%-28s %8d\n' "$1" "$2"
}

echo "Lines of code"
row "product and crates" "$(lines src crates)"
row "product (src)" "$(lines src)"
for crate in crates/*/; do
    row "$crate" "$(lines "$crate")"
done
row "tests" "$(lines tests)"

echo
echo "Rooms of the product"
for room in src/*/; do
    printf '%8d  %s\n' "$(lines "$room")" "$room"
done | sort -rn

echo
echo "Largest files"
find src crates -name '*.rs' -print0 | xargs -0 wc -l | grep -v ' total$' | sort -rn | sed -n 1,8p

echo
echo "Told and looked into"
count() {
    grep -rEn --include='*.rs' "$1" "${@:2}" | grep -cvE '^[^:]*:[0-9]+:[[:space:]]*//' || true
}
row "json! by hand" "$(count 'json!\(' src crates)"
row "text cut or known by a part" "$(count '\.(starts_with|ends_with|strip_prefix|strip_suffix|split_once|replacen)\(' $(ls -d src/advisor src/system crates/model/src/system src/report src/emit crates/page/src 2>/dev/null))"
