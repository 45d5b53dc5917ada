#!/usr/bin/env bash
# The fifty slowest tests, with the seconds that each takes alone.
#
#   tests/slowest.sh [FILTER]   of all tests, or of those whose name has FILTER in it
#
# RUSTC_BOOTSTRAP reaches the tests' binaries alone, whose times are an unstable option: nothing is compiled anew for it.
set -euo pipefail
cd "$(dirname "$0")/.."

cargo --config 'target."cfg(all())".runner = ["env", "RUSTC_BOOTSTRAP=1"]' \
    test --locked --no-fail-fast --lib --bins --tests -- -Z unstable-options --report-time --test-threads=1 "$@" |
    sed -nE 's/^test (.*) \.\.\. ([a-zA-Z]+) <([0-9.]+)s>.*$/\3 s  \1  \2/p' |
    sort -rn | head -n 50 | sed 's/  ok$//'
