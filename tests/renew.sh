#!/usr/bin/env bash
# Renews output that is kept beside the code and compared by tests, in the order in which one follows from another.
#
#   tests/renew.sh             after a change of words or of the model: pages and snapshots
#   tests/renew.sh fit         after a measurement or a free parameter: the fit first
#   tests/renew.sh simulated   after a change of the model's times: simulations first, in release
#   tests/renew.sh pages       only the pages and tables of README.md, docs/ and models/, and of JSON answers
#   tests/renew.sh snapshots   only the snapshots
#   tests/renew.sh all         fit, simulated, pages and snapshots
#
# Review the result with `git diff` before you commit it. CONTRIBUTING.md says how long each takes.
set -euo pipefail
cd "$(dirname "$0")/.."

say() {
    echo "── $*" >&2
}

# Tests that make a page or a part of one (tests/it/kept.rs). The slow ones come last.
pages=(
    catalog::the_page_lists_what_is_there
    rules::the_page_of_rules_is_the_programs_own
    site_fields::the_page_on_the_site_file_is_the_programs_own
    json_answers::the_page_on_json
    readme::
    network::gallery::the_gallery_is_right_by_every_method
    network::features::every_feature_is_as_exact_as_the_answer_and_the_page_say
    queueing::published::
    field_effects::every_field_moves_the_advice
    agreement::errors_are_bounded_and_as_the_page_says
)

renew_fit() {
    say "the fit and its accuracy (slow: some minutes, optimised): calibration/fitted.toml, calibration/accuracy.toml"
    cargo run --release --no-default-features -- calibrate --write calibration
}

renew_simulated() {
    say "the simulations that docs/agreement.md compares with (slow: ten minutes, optimised): tests/it/agreement/kept.toml"
    UPDATE=1 cargo test --release --no-default-features --test it agreement::all_cases_are_simulated_anew -- --ignored
}

renew_pages() {
    say "pages of README.md, docs/ and models/ (some minutes)"
    UPDATE=1 cargo test --test it -- "${pages[@]}"
}

renew_snapshots() {
    say "snapshots below tests/it (some minutes): the tests of each module that keeps some"
    local modules
    modules=$(grep -rl --include='*.rs' 'assert_snapshot!' tests/it | sed 's|^tests/it/||; s|\.rs$||; s|/mod$||; s|/|::|g; s|$|::|')
    # shellcheck disable=SC2086 # one argument a module
    INSTA_UPDATE=always cargo test --test it -- $modules
}

case "${1:-}" in
"") renew_pages && renew_snapshots ;;
fit) renew_fit && renew_pages && renew_snapshots ;;
simulated) renew_simulated && renew_pages ;;
pages) renew_pages ;;
snapshots) renew_snapshots ;;
all) renew_fit && renew_simulated && renew_pages && renew_snapshots ;;
*)
    sed -n '2,11s/^# \{0,1\}//p' "$0" >&2
    exit 2
    ;;
esac
