#!/usr/bin/env bash
# A sizing session in the real window: questionnaire, advice, what-if, every panel in both looks, export. Driven by keys
# and the pointer under Xvfb; needs xvfb, xauth, xdotool, imagemagick and libgl1 (see .ci/run).
#
#   tests/session.sh PLIMSOLL [FOLDER]
#
# Screenshots and what was exported go to FOLDER (a fresh one if none is given). Fails if the window does not come, if a
# panel looks like the one before, if the export is not the command line's answer, or if the process uses the processor
# while nothing happens.
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

started=$(date +%s%N)
"$binary" desktop "$site" 2>"$folder/stderr.txt" &
process=$!
trap 'kill $process 2>/dev/null || true' EXIT
window=
for _ in $(seq 300); do
    window=$(xdotool search --onlyvisible --pid $process --name Plimsoll 2>/dev/null | head -1 || true)
    [ -n "$window" ] && break
    kill -0 $process 2>/dev/null || fail "the window did not open: $(cat "$folder/stderr.txt")"
    sleep 0.05
done
[ -n "$window" ] || fail "no window within 15 s"
echo "window after $((($(date +%s%N) - started) / 1000000)) ms"
xdotool windowmove "$window" 0 0 windowsize "$window" 1280 800 windowfocus "$window"

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

rest
previous=
for look in light dark; do
    key ctrl+t
    for panel in 1-questions 2-recommendation 3-what-if 4-compare 5-growth 6-simulate 7-evidence 8-report; do
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

# By the palette to the questions, and back.
key ctrl+k
xdotool type --window "$window" --delay 30 "questions"
sleep 0.3
shot palette
key Return
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
xdotool key --window "$window" ctrl+a
xdotool type --window "$window" --delay 30 "answer.json"
key Return
for _ in $(seq 50); do
    [ -s "$folder/answer.json" ] && break
    sleep 0.1
done
[ -s "$folder/answer.json" ] || fail "nothing was exported"
"$binary" advise "$site" --format json >"$folder/command-line.json" || true
cmp "$folder/answer.json" "$folder/command-line.json" || fail "the window answers other than the command line"

# Nothing is unsaved: it closes at once.
key ctrl+q
for _ in $(seq 50); do
    kill -0 $process 2>/dev/null || break
    sleep 0.1
done
kill -0 $process 2>/dev/null && fail "the window does not close"
[ ! -s "$folder/stderr.txt" ] || fail "something was said on stderr: $(cat "$folder/stderr.txt")"
echo "session done: $folder"
