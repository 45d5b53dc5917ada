#!/usr/bin/env bash
# A sizing session in the real window: an answer typed into the questionnaire, its advice, a what-if, every panel in both
# looks, export, a crash and what is recovered. Driven by keys alone under Xvfb; needs xvfb, xauth, xdotool, imagemagick
# and libgl1 (see .ci/run).
#
#   tests/session.sh PLIMSOLL [FOLDER]
#
# Screenshots and what was exported go to FOLDER (a fresh one if none is given). Fails if the window does not come, if a
# panel looks like the one before, if an answer does not arrive in the file, if a slider changes nothing, if the export is
# not the command line's answer, if the process uses the processor while nothing happens, or if unsaved work is lost.
set -euo pipefail

binary=$(realpath "$1")
folder=$(realpath -m "${2:-$(mktemp -d)}")
mkdir -p "$folder"
site="$folder/site.toml"
cp "$(dirname "$0")/../assets/examples/netapp-lab-2013.toml" "$site"
# Preferences and unsaved work of the person who runs this stay untouched.
export HOME="$folder/home" XDG_CONFIG_HOME="$folder/home/config" XDG_STATE_HOME="$folder/home/state"
mkdir -p "$HOME"

if [ -z "${PLIMSOLL_SESSION:-}" ]; then
    # -noreset: Xvfb starts anew when its last client leaves, and xdotool comes and goes.
    PLIMSOLL_SESSION=1 exec xvfb-run -a -s "-screen 0 1920x1080x24 -noreset" "$0" "$binary" "$folder"
fi

fail() {
    echo "session: $*" >&2
    exit 1
}

process=
trap '[ -z "$process" ] || kill "$process" 2>/dev/null || true' EXIT

# Opens the window; from now on it is the one that is driven.
open_window() {
    local started
    started=$(date +%s%N)
    "$binary" desktop "$site" 2>>"$folder/stderr.txt" &
    process=$!
    window=
    for _ in $(seq 600); do
        window=$(xdotool search --onlyvisible --pid "$process" --name Plimsoll 2>/dev/null | head -1 || true)
        [ -n "$window" ] && break
        kill -0 "$process" 2>/dev/null || fail "the window did not open: $(cat "$folder/stderr.txt")"
        sleep 0.05
    done
    [ -n "$window" ] || fail "no window within 30 s"
    echo "window after $((($(date +%s%N) - started) / 1000000)) ms"
    xdotool windowmove "$window" 0 0 windowsize "$window" 1280 800 windowfocus "$window"
}

: >"$folder/stderr.txt"
open_window

# Processor ticks of the process so far.
ticks() {
    awk '{ print $14 + $15 }' "/proc/$process/stat"
}

# Waits until the process has had nothing to do for half a second.
rest() {
    local before after
    for _ in $(seq 240); do
        before=$(ticks)
        sleep 0.5
        after=$(ticks)
        [ $((after - before)) -le 1 ] && return
    done
    fail "the window never comes to rest"
}

shot() {
    import -window "$window" "$folder/$1.png"
}

key() {
    xdotool key --window "$window" "$1"
    sleep 0.3
}

write() {
    xdotool type --window "$window" --delay 40 "$1"
    sleep 0.3
}

# Goes to a question, a control or a panel by its name.
go_to() {
    key ctrl+k
    write "$1"
    key Return
    rest
}

# Waits up to 20 s until a command succeeds; else fails with the words that follow.
await() {
    local words=$1
    shift
    for _ in $(seq 200); do
        "$@" && return
        sleep 0.1
    done
    fail "$words"
}

# The results of What if as they are painted: what stands right of the controls.
results() {
    convert "$folder/$1.png" -crop 520x560+740+150 +repage rgb:- | md5sum
}

is_gone() {
    ! kill -0 "$process" 2>/dev/null
}

# Waits until the window is closed.
closed() {
    await "the window does not close" is_gone
    process=
}

rest
previous=
for look in light dark; do
    key ctrl+t
    for panel in 1-questions 2-recommendation 3-what-if 4-compare 5-growth 6-simulate 7-evidence 8-report 9-today l-server-log r-rehearsal; do
        key "ctrl+${panel%%-*}"
        rest
        shot "$panel-$look"
        current=$(md5sum <"$folder/$panel-$look.png")
        [ "$current" != "$previous" ] || fail "$panel looks like the panel before"
        previous=$current
    done
done

# Larger, as on a projector.
xdotool windowsize "$window" 1920 1080
key ctrl+2
rest
shot 2-recommendation-large
xdotool windowsize "$window" 1280 800

# An answer: found by the palette, typed, saved.
key ctrl+k
write "people.developers"
shot palette
key Return
rest
key ctrl+a
write "425"
# It becomes the answer when it is saved, without Enter.
rest
shot answered
key ctrl+s
await "the answer is not in the file" grep -q '^developers = 425' "$site"

# What if: a slider by the arrow keys; what it does is painted beside it.
go_to "what if commands"
shot slider-before
for _ in 1 2 3 4 5 6 7 8; do key Right; done
rest
shot slider-after
[ "$(results slider-before)" != "$(results slider-after)" ] || fail "a slider changes nothing"
# It is no answer of the site.
key ctrl+z
rest

# Idle: no processor.
before=$(ticks)
sleep 5
idle=$(($(ticks) - before))
echo "idle: $idle ticks of 10 ms in 5 s"
[ "$idle" -le 5 ] || fail "the idle window used $idle ticks in 5 s"

# Export: the same as the command line, byte for byte.
key ctrl+e
sleep 0.5
shot export
key ctrl+a
write "answer.json"
key Return
await "nothing was exported" test -s "$folder/answer.json"
"$binary" report "$site" -o "$folder/command-line.json" --quiet >/dev/null || true
cmp "$folder/answer.json" "$folder/command-line.json" || fail "the window answers other than the command line"

# Nothing is unsaved: it closes at once.
key ctrl+q
closed

# A crash: the answer that was typed is kept, is offered at the next start, and is asked for before it is lost.
open_window
rest
go_to "people.developers"
key ctrl+a
write "450"
key Tab
kept() {
    grep -qs 'developers = 450' "$XDG_STATE_HOME"/plimsoll/unsaved-*.toml
}
await "unsaved work is not kept" kept
kill -9 "$process"
wait "$process" 2>/dev/null || true
open_window
rest
shot recover
key Return
rest
key ctrl+q
shot unsaved
key Return
# The file may have changed since the lost work began: the window says so, and writes after a second confirmation.
rest
shot insisted
key Return
await "the recovered answer was not saved" grep -q '^developers = 450' "$site"
closed
[ -z "$(ls "$XDG_STATE_HOME/plimsoll")" ] || fail "something is left: $(ls "$XDG_STATE_HOME/plimsoll")"
[ ! -s "$folder/stderr.txt" ] || fail "something was said on stderr: $(cat "$folder/stderr.txt")"
echo "session done: $folder"
