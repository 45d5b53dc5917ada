#!/bin/sh
# What a Perforce server says of itself, in one text file: for `plimsoll init --from FILE`.
#
# Read it before you run it. It runs on the server as a user who may run p4 there; root is not needed. It only reads: it
# starts the commands that stand in "What is gathered" below, each with the lowest priority, for a limited time and with a
# limited output, and writes one new file in the current folder. It sends nothing anywhere. Look through the file before
# you pass it on. Passwords, tickets, tokens and keys are left out; with --anonymise every word that is not on the list of
# what passes, below, is replaced by a pseudonym.
#
# p4 is used as the environment sets it up (P4PORT, P4USER, a ticket of `p4 login`). What it may not do is left out.
set -u
umask 077
LC_ALL=C
export LC_ALL
CDPATH=''

usage() {
    cat <<'END'
usage: sh collect.sh [options]
  --anonymise        replace names and addresses, all words that are not on a list, by pseudonyms (user1)
  --no-log           leave out the last lines of the server's log
  --no-sizes         leave out `p4 sizes`, which reads much on a large server
  --out FILE         write this file, which must not exist (else plimsoll-DATE.txt)
  --p4 PROGRAM       the p4 to run (else p4 of the path)
  --root DIR         the server's root, where p4 cannot say it
  --log FILE         the server's log, where p4 cannot say it
  --step-seconds N   at most so long for a step (else 20)
  --seconds N        no step begins after so long (else 300)
END
}

fail() {
    printf '%s\n' "collect.sh: $1" >&2
    exit 2
}

p4=p4 out='' root='' log='' step_seconds=20 seconds=300
anonymise=no with_log=yes with_sizes=yes
while [ "$#" -gt 0 ]; do
    case $1 in
        --anonymise | --anonymize) anonymise=yes ;;
        --no-log) with_log=no ;;
        --no-sizes) with_sizes=no ;;
        --out | --p4 | --root | --log | --step-seconds | --seconds)
            [ "$#" -gt 1 ] || fail "$1 needs a value"
            case $1 in
                --out) out=$2 ;;
                --p4) p4=$2 ;;
                --root) root=$2 ;;
                --log) log=$2 ;;
                --step-seconds) step_seconds=$2 ;;
                --seconds) seconds=$2 ;;
            esac
            shift
            ;;
        -h | --help)
            usage
            exit 0
            ;;
        *)
            usage >&2
            exit 2
            ;;
    esac
    shift
done
for number in "$step_seconds" "$seconds"; do
    case $number in
        '' | 0* | *[!0-9]* | ??????*) fail "a number of seconds is 1 to 99999, not \"$number\"" ;;
    esac
done

# The file: new, whatever its name begins with. Beside it a folder for what is under way, removed at the end.
[ -n "$out" ] || out=plimsoll-$(date +%Y%m%d-%H%M%S).txt
case $out in
    /* | ./*) ;;
    *) out=./$out ;;
esac
(
    set -C
    : >"$out"
) 2>/dev/null || fail "cannot write $out: it exists, or the folder takes no file"
work=$out.tmp
if ! mkdir "$work" 2>/dev/null; then
    rm -f "$out"
    fail "cannot make the folder $work"
fi
: >"$work/all"

runner=''
# Stops the step that runs.
stop() {
    [ -n "$runner" ] || return 0
    pid=$(cat "$work/pid" 2>/dev/null)
    case $pid in
        '' | *[!0-9]*) pid='' ;;
    esac
    children=''
    if [ -n "$pid" ]; then
        children=$(ps -A -o pid= -o ppid= 2>/dev/null | awk -v of="$pid" '$2 == of { print $1 }')
        kill "$pid" 2>/dev/null
        for child in $children; do kill "$child" 2>/dev/null; done
        sleep 1
        kill -9 "$pid" 2>/dev/null
        for child in $children; do kill -9 "$child" 2>/dev/null; done
    fi
    kill "$runner" 2>/dev/null
    runner=''
}

clean_up() {
    stop
    rm -f "$work/all" "$work/clear" "$work/passes" "$work/raw" "$work/rc" "$work/pid" "$work/info" "$work/configure" "$work/names"
    rmdir "$work" 2>/dev/null
    [ -s "$out" ] || rm -f "$out"
}
trap clean_up EXIT
trap 'printf "%s\n" "collect.sh: interrupted, nothing is written" >&2; exit 130' INT HUP TERM

has() {
    command -v "$1" >/dev/null 2>&1
}

# Seconds of the clock; 0 where there is none.
now() {
    time=$(date +%s 2>/dev/null)
    case $time in
        '' | *[!0-9]*) printf '0\n' ;;
        *) printf '%s\n' "$time" ;;
    esac
}

remark() {
    printf '%s%s\n' '--- plimsoll: ' "$1" >>"$work/all"
}

has_timeout=no
if has timeout && timeout -k 1 5 true >/dev/null 2>&1; then has_timeout=yes; fi
has_nice=no
if has nice && nice -n 19 true >/dev/null 2>&1; then has_nice=yes; fi
tick=1 per_second=1
if sleep 0.1 2>/dev/null; then tick=0.1 per_second=10; fi
begun=$(now)
escape=$(printf '\033')
bell=$(printf '\007')

# Runs a command without input, with the lowest priority, for so many seconds, into $work/raw. Says in $state how it ended.
# What hangs in the system so that nothing stops it is left behind: it is looked at, not waited for.
execute() {
    limit=$1
    shift
    [ "$has_timeout" = no ] || set -- timeout -k 2 "$limit" "$@"
    [ "$has_nice" = no ] || set -- nice -n 19 "$@"
    : >"$work/raw"
    rm -f "$work/rc" "$work/pid"
    (
        ulimit -f "$blocks"
        "$@" </dev/null >"$work/raw" 2>&1 &
        printf '%s\n' "$!" >"$work/pid"
        wait "$!"
        printf '%s\n' "$?" >"$work/rc"
    ) </dev/null >/dev/null 2>&1 &
    runner=$!
    ticks=$(((limit + 4) * per_second))
    until [ -s "$work/rc" ] || [ "$ticks" -le 0 ]; do
        sleep "$tick"
        ticks=$((ticks - 1))
    done
    if [ -s "$work/rc" ]; then
        wait "$runner" 2>/dev/null
        runner=''
        case $(cat "$work/rc") in
            0) state='' ;;
            124 | 137 | 143) state=", stopped after $limit s" ;;
            153) state=', cut: there is more' ;;
            *) state=", ended with $(cat "$work/rc")" ;;
        esac
    else
        stop
        state=", stopped after $limit s"
    fi
}

# An output as ASCII without what a terminal would obey; a line that looks like a mark of this file is moved.
clean() {
    sed -e "s/$escape\\[[0-9;?]*[A-Za-z]//g" -e "s/$escape\\][^$bell]*$bell//g" "$work/raw" |
        tr -d '\000-\010\013-\037\177' |
        tr -c '\011\012\040-\176' '?' |
        awk '/^(=== |--- plimsoll: )/ { print " " $0; next } { print }'
}

# step NAME SECONDS TOOL COMMAND [ARGUMENT ...]: one section; without the tool it says so.
blocks=2048
keep=''
step() {
    name=$1 limit=$2 tool=$3
    shift 3
    printf '\n=== plimsoll collect: %s ===\n' "$name" >>"$work/all"
    at=$(now)
    if [ "$((at - begun))" -ge "$seconds" ]; then
        remark "passed over: $seconds s are used up"
        return 0
    fi
    if ! has "$tool"; then
        remark 'passed over: there is no such command'
        return 0
    fi
    execute "$limit" "$@"
    clean >>"$work/all"
    [ -z "$keep" ] || clean >"$work/$keep"
    remark "$(($(now) - at)) s$state"
}

# The value of a setting in `p4 configure show`, without where it comes from.
setting() {
    awk -v name="$1" '
        index($0, name "=") == 1 || index($0, name " = ") == 1 {
            value = substr($0, index($0, "=") + 1)
            sub(/^ /, "", value)
            sub(/ \([^()]*\) *$/, "", value)
            print value
            exit
        }' "$work/configure" 2>/dev/null
}

# A path of the server: one that is not absolute is below its root.
below_root() {
    case $1 in
        '') ;;
        /*) printf '%s\n' "$1" ;;
        *) [ -z "$root" ] || printf '%s\n' "$root/$1" ;;
    esac
}

remark 'outputs of a Perforce server, gathered by the script of plimsoll collect'
remark "begun $(date -u '+%Y-%m-%d %H:%M:%S') UTC"

# ---- What is gathered: p4 ----
keep=info
step 'p4 info' "$step_seconds" "$p4" "$p4" info
keep=configure
step 'p4 configure show' "$step_seconds" "$p4" "$p4" configure show
keep=''
step 'p4 configure show allservers' "$step_seconds" "$p4" "$p4" configure show allservers
step 'p4 counters' "$step_seconds" "$p4" "$p4" counters
step 'p4 diskspace' "$step_seconds" "$p4" "$p4" diskspace
step 'p4 depots' "$step_seconds" "$p4" "$p4" depots
step 'p4 license -u' "$step_seconds" "$p4" "$p4" license -u
# Their number, not their names.
# shellcheck disable=SC2016 # the inner shell expands them
step 'p4 users | wc -l' "$step_seconds" "$p4" sh -c '"$1" users | wc -l' sh "$p4"
# shellcheck disable=SC2016
step 'p4 clients | wc -l' "$step_seconds" "$p4" sh -c '"$1" clients | wc -l' sh "$p4"
step 'p4 monitor show' "$step_seconds" "$p4" "$p4" monitor show
step 'p4 pull -ls' "$step_seconds" "$p4" "$p4" pull -ls
step 'p4 pull -lj' "$step_seconds" "$p4" "$p4" pull -lj

# ---- What is gathered: the machine ----
step 'mount' "$step_seconds" mount mount
step 'df -PT' "$step_seconds" df sh -c 'df -PT 2>/dev/null || df -P'
step 'df -Pi' "$step_seconds" df df -Pi
step 'lsblk -J' "$step_seconds" lsblk sh -c '
    lsblk -J -b -o NAME,TYPE,SIZE,ROTA,TRAN,MODEL,MOUNTPOINT 2>/dev/null || lsblk -J 2>/dev/null || lsblk'
step 'cat /proc/mdstat' "$step_seconds" cat cat /proc/mdstat
step 'lscpu' "$step_seconds" lscpu lscpu
step 'cat /proc/meminfo' "$step_seconds" cat cat /proc/meminfo
# shellcheck disable=SC2016
step 'network ports' "$step_seconds" cat sh -c '
    for file in /sys/class/net/*/speed; do
        speed=$(cat "$file" 2>/dev/null) || continue
        case $speed in
            "" | *[!0-9]*) ;;
            *) printf "%s:%s\n" "$file" "$speed" ;;
        esac
    done
    printf "net.ipv4.tcp_wmem = "
    cat /proc/sys/net/ipv4/tcp_wmem'
# Of the processes the command lines of p4d alone.
# shellcheck disable=SC2016
step 'ps of p4d' "$step_seconds" ps sh -c '
    ps -A -o args= | awk "{ name = \$1; sub(\".*/\", \"\", name) } name ~ /^p4d/" | sort -u'
step 'iostat -x 5 2' "$((step_seconds + 10))" iostat iostat -x 5 2

# ---- What is gathered: the folders of the server ----
[ -n "$root" ] || root=$(setting P4ROOT)
[ -n "$root" ] || root=$(sed -n 's/^Server root: //p' "$work/info" 2>/dev/null | sed -n 1p)
case $root in
    /*) ;;
    *) root='' ;;
esac
journal=$(below_root "$(setting P4JOURNAL)")
[ -n "$log" ] || log=$(below_root "$(setting P4LOG)")
depots=$(below_root "$(setting server.depot.root)")
checkpoints=$(below_root "$(setting journalPrefix)")
# Where they lie without links.
# shellcheck disable=SC2016
step 'paths' "$step_seconds" sh sh -c '
    while [ "$#" -gt 1 ]; do
        name=$1 given=$2
        shift 2
        [ -n "$given" ] || continue
        real=$(readlink -f -- "$given" 2>/dev/null)
        [ -n "$real" ] || real=$(cd -P -- "$given" 2>/dev/null && pwd)
        [ -z "$real" ] || printf "path %s %s -> %s\n" "$name" "$given" "$real"
    done' sh P4ROOT "$root" P4JOURNAL "$journal" P4LOG "$log" server.depot.root "$depots" journalPrefix "$checkpoints"
if [ -n "$root" ]; then
    # shellcheck disable=SC2016
    step 'ls -ln db' "$step_seconds" ls sh -c 'ls -lnd -- "$1"/db.*' sh "$root"
fi
if [ "$with_sizes" = yes ]; then
    step 'p4 sizes -s //...' "$((3 * step_seconds))" "$p4" "$p4" sizes -s //...
    step 'p4 sizes -a -s //...' "$((3 * step_seconds))" "$p4" "$p4" sizes -a -s //...
fi
if [ "$with_log" = yes ] && [ -n "$log" ]; then
    # The last 5 MB; the limit of the output is above it.
    blocks=12288
    step 'log tail' "$step_seconds" tail tail -c 5000000 -- "$log"
    blocks=2048
fi
printf '\n=== plimsoll collect: end ===\n' >>"$work/all"
remark "ended after $(($(now) - begun)) s"

# What an anonymised file keeps, and names of secrets: one list for this script and for that in PowerShell.
cat >"$work/passes" <<'END'
@PASSES@
END

# Without passwords, tickets, tokens and keys: values by the names before them, and what looks like one.
awk '
    FNR == NR {
        if ($1 == "secret") for (i = 2; i <= NF; i++) secrets = secrets (secrets == "" ? "" : "|") $i
        next
    }
    # The end of a value that begins the text.
    function length_of_value(text) {
        if (section ~ /: p4 (configure|counters)/) {
            if (match(text, / \([^()]*\) *$/)) return RSTART - 1
            return length(text)
        }
        if (section ~ /: mount /) match(text, /^[^,)]*/)
        else match(text, /^[^ ,)"\047]*/)
        return RLENGTH
    }
    function by_name(line,   done, key) {
        done = ""
        while (match(line, /[A-Za-z0-9_.-]+"?( ?[=:] ?| )"?/)) {
            key = substr(line, RSTART, RLENGTH)
            done = done substr(line, 1, RSTART + RLENGTH - 1)
            line = substr(line, RSTART + RLENGTH)
            if (tolower(key) !~ secrets || key !~ /[=:]|^--/) continue
            done = done (length_of_value(line) > 0 ? "*" : "")
            line = substr(line, length_of_value(line) + 1)
        }
        return done line
    }
    BEGIN {
        hex = "[0-9A-Fa-f]"
        for (i = 0; i < 5; i++) hex = hex hex
    }
    /^=== plimsoll collect: / { section = $0; inside = 0 }
    /-----BEGIN / { if (!inside) print "--- plimsoll: left out: a key or a certificate"; inside = 1 }
    inside { if ($0 ~ /-----END /) inside = 0; next }
    {
        line = $0
        if (tolower(line) ~ secrets) line = by_name(line)
        if (section ~ /: ps / || line ~ /user-(passwd|login)/) gsub(/ -[PO] ?[^ \047]+/, " -P *", line)
        if (section !~ /: (mount|df|lsblk|paths|iostat|p4 diskspace)/) gsub(hex "[0-9A-Fa-f]*", "*", line)
        gsub(/eyJ[A-Za-z0-9_-]+[.][A-Za-z0-9_.-]+/, "*", line)
        gsub(/:\/\/[^ \/@]+@/, "://*@", line)
        print line
    }
' "$work/passes" "$work/all" >"$work/clear" || fail 'awk failed: nothing is written'

# Replaces every word that is not on the list. Users, clients, servers and hosts are known by their places, in `p4 info`,
# `p4 monitor show`, addresses, exports and the log; any other word is a "name". The same word has the same pseudonym.
pseudonyms() {
    awk '
        # Whether a word is on the list.
        function passes(word) {
            if (!(word in known)) known[word] = (tolower(word) in words) || (length(word) <= 20 && word ~ forms)
            return known[word]
        }
        function learn(kind, word) {
            if (word == "" || word in name) return
            count[kind]++
            name[word] = kind count[kind]
        }
        # The pseudonym of a name that stands in its place.
        function of(kind, word) {
            if (word == "" || word == "unknown" || word == "none" || word == "background" || word == "*") return word
            learn(kind, word)
            return name[word]
        }
        # Host of "ssl:host:1666", "host:/export", "10.0.0.1:1666".
        function learn_address(text,   parts, n, i) {
            n = split(text, parts, ":")
            for (i = 1; i <= n; i++)
                if (parts[i] !~ /^(ssl|tcp|tcp4|tcp6|tcp46|ssl4|ssl6|ssl46|rsh|[0-9]+)$/ && parts[i] !~ /^\//) {
                    learn("host", parts[i])
                    return
                }
        }
        function learn_pair(text,   at) {
            at = index(text, "@")
            if (at > 1 && substr(text, 1, at - 1) != "unknown") learn("user", substr(text, 1, at - 1))
            if (at && substr(text, at + 1) != "unknown") learn("client", substr(text, at + 1))
        }
        function value_of(line) {
            return substr(line, index(line, ": ") + 2)
        }
        # A word without the points and dashes around it.
        function shown(word,   head, tail) {
            if (passes(word)) return word
            if (word in name) return name[word]
            head = tail = ""
            if (match(word, /^[._-]+/)) { head = substr(word, 1, RLENGTH); word = substr(word, RLENGTH + 1) }
            if (match(word, /[._-]+$/)) { tail = substr(word, RSTART); word = substr(word, 1, RSTART - 1) }
            if (word != "" && !passes(word)) {
                if (word in name) word = name[word]
                else if (word ~ /^[0-9]+[.][0-9]+[.][0-9]+[.][0-9]+$/) word = of("address", word)
                else word = word ~ /^db[.]/ ? "db." of("table", word) : of("name", word)
            }
            return head word tail
        }
        function text_of(line,   done, word) {
            line = without_v6(line)
            done = ""
            while (match(line, /[A-Za-z0-9_.-]+/)) {
                word = substr(line, RSTART, RLENGTH)
                done = done substr(line, 1, RSTART - 1)
                line = substr(line, RSTART + RLENGTH)
                done = done shown(word)
            }
            return done line
        }
        # Addresses of version 6 and of network cards: two colons in a row, or five of them.
        function without_v6(line,   done, word, copy) {
            if (line !~ /:.*:/) return line
            done = ""
            while (match(line, /[0-9A-Fa-f:]*:[0-9A-Fa-f:]*:[0-9A-Fa-f:.]*/)) {
                word = substr(line, RSTART, RLENGTH)
                copy = word
                done = done substr(line, 1, RSTART - 1)
                line = substr(line, RSTART + RLENGTH)
                if (word ~ /[0-9A-Fa-f]/ && (word ~ /::/ || gsub(/:/, ":", copy) >= 5)) word = of("address", word)
                done = done word
            }
            return done line
        }
        # "any: db.peeking = 2 (configure)": a setting that is not on the list keeps nothing.
        function setting_line(line,   at, left, scope, key, value, origin) {
            at = index(line, "=")
            left = substr(line, 1, at - 1)
            value = substr(line, at + 1)
            sub(/^ /, "", value)
            scope = origin = ""
            if ((at = index(left, ":"))) {
                scope = substr(left, 1, at - 1)
                scope = (scope == "any" ? scope : of("server", scope)) ": "
                left = substr(left, at + 1)
            }
            key = left
            gsub(/ /, "", key)
            if (match(value, / \([^()]*\) *$/)) { origin = substr(value, RSTART); value = substr(value, 1, RSTART - 1) }
            if (key in settings) return scope key (left ~ / $/ ? " = " : "=") text_of(value) text_of(origin)
            return scope of("setting.", key) "=*" text_of(origin)
        }
        function mount_line(line,   at, options_of, n, parts, i, key, value, done, has_other) {
            if (!match(line, / \([^()]*\)[^()]*$/)) return text_of(line)
            at = RSTART
            options_of = substr(line, at + 2)
            sub(/\).*$/, "", options_of)
            n = split(options_of, parts, ",")
            done = ""
            has_other = 0
            for (i = 1; i <= n; i++) {
                key = value = parts[i]
                sub(/=.*/, "", key)
                if (!(key in options)) { has_other = 1; continue }
                value = substr(value, length(key) + 2)
                if (value != "") key = key "=" (passes(value) ? value : "*")
                done = done (done == "" ? "" : ",") key
            }
            return text_of(substr(line, 1, at)) "(" done (has_other ? (done == "" ? "" : ",") "*" : "") ")"
        }
        # Of the command line of p4d: root, journal, log and port, and options of a single letter.
        function process_line(line,   n, parts, i, done, key) {
            n = split(line, parts, " ")
            done = "p4d"
            for (i = 2; i <= n; i++) {
                key = substr(parts[i], 1, 2)
                if (key ~ /^-[rJLp]$/) {
                    if (length(parts[i]) == 2) i++
                    else parts[i] = substr(parts[i], 3)
                    done = done " " key " " text_of(parts[i])
                } else done = done " " (parts[i] ~ /^-[A-Za-z]$/ ? parts[i] : "*")
            }
            return done
        }
        function decoded(text,   done, code) {
            done = ""
            while (match(text, /%[0-9A-Fa-f][0-9A-Fa-f]/)) {
                code = toupper(substr(text, RSTART + 1, 2))
                code = 16 * (index("0123456789ABCDEF", substr(code, 1, 1)) - 1) + index("0123456789ABCDEF", substr(code, 2, 1)) - 1
                done = done substr(text, 1, RSTART - 1) sprintf("%c", code)
                text = substr(text, RSTART + RLENGTH)
            }
            return done text
        }
        # "a/b" through a proxy.
        function addresses(text,   parts, n, i, done) {
            n = split(text, parts, "/")
            done = ""
            for (i = 1; i <= n; i++) done = done (i > 1 ? "/" : "") of("address", parts[i])
            return done
        }
        # Products, platforms and releases stay; any other program may be called after anybody.
        function program_of(text,   parts, n, i, done) {
            n = split(text, parts, "/")
            if (!(parts[1] in programs)) return of("program", text)
            done = parts[1]
            for (i = 2; i <= n; i++)
                if (parts[i] ~ /^v?[0-9.]+( [(]brokered[)])?$/ || parts[i] ~ /^(LINUX|NTX|MACOSX|DARWIN|FREEBSD|SOLARIS)[0-9]*(X|ARM|AARCH)?[0-9_]*$/)
                    done = done "/" parts[i]
            return done
        }
        # Options stay by their letter with a number behind it, long ones by their name, depots get pseudonyms, the rest goes.
        function argument(word,   depot) {
            if (word ~ /^--[a-z-]+(=.*)?$/) { sub(/=.*/, "", word); return word ~ /^--(parallel|from|force|use-stream-change)$/ ? word : "--*" }
            if (word ~ /^-[A-Za-z][0-9]*$/ || word == "-Olhp" || word ~ /^[0-9]+$/) return word
            if (word ~ /^-[A-Za-z]/) return substr(word, 1, 2) "*"
            if (word !~ /^\/\/./) return "*"
            depot = substr(word, 3)
            sub(/[\/@#*].*/, "", depot)
            sub(/[.][.][.].*/, "", depot)
            return "//" (depot == "" ? "" : (passes(depot) ? depot : of("depot", depot)) "/") "..."
        }
        function function_of(word) {
            if ((word in command) || word ~ /^((dm|rmt|client)-[A-Za-z0-9]+|pull|IDLE|Init[(][)])$/) return word
            return of("command", word)
        }
        # A line of the log by its form: what has none that is known is left out, since it may name anything.
        function log_line(line,   at, head, text, class, mode, parts, n, i, tail, call) {
            if (line ~ /^[ \t]*$/ || line ~ /^\t?Perforce [A-Za-z]+ (info|error):$/) print line
            else if (line ~ /^---/) {
                match(line, /^--- */)
                head = substr(line, 1, RLENGTH)
                text = substr(line, RLENGTH + 1)
                if (text ~ /^rpc [(]/) {
                    text = substr(text, 6)
                    at = index(text, ")")
                    n = split(substr(text, 1, at - 1), parts, ":")
                    print head "rpc (" of("host", parts[n > 1 ? n - 1 : 1]) (n > 1 && parts[n] ~ /^[0-9]+$/ ? ":" parts[n] : "") text_of(substr(text, at))
                } else if (text ~ /^killed by/) print head "killed by"
                else if (text ~ /^[rp]?db[.][A-Za-z.]+([(][RW][)])?$/ || text ~ /^(lapse|paused|usage|memory|rpc|filetotals|proxytotals|proxy faults|pages|locks?|total|max|peek|lbr|opens|reads|digests|exited on fatal server error|failed authentication check)[ +]?[-A-Za-z0-9+\/.,() ]*$/)
                    print text_of(line)
                else if ((at = index(text, "/")) > 1) {
                    class = substr(text, 1, at - 1)
                    text = substr(text, at + 1)
                    mode = ""
                    if (text ~ /[(][RW][)]$/) { mode = substr(text, length(text) - 2); text = substr(text, 1, length(text) - 3) }
                    if (class == "clients" || class == "clientEntity") text = of("client", decoded(text))
                    else if (class == "label" || class == "stream") text = of(class, decoded(text))
                    else if (class "/" text !~ /^(meta\/(db|commit)|replica\/pull|storageup\/storage(up|masterup|upmaster)|change\/[0-9]+)$/) { text = of("lock", class "/" text); class = "lock" }
                    print head class "/" text mode
                }
            } else if (line ~ /^\t?[0-9]+\/[0-9]+\/[0-9]+ [0-9]+:[0-9]+:[0-9]+ pid [0-9]+ /) {
                n = split(line, parts, " ")
                if (parts[5] == "completed" || (parts[5] == "compute" && parts[6] == "end")) {
                    print text_of(line)
                    return
                }
                at = index(parts[5], "@")
                tail = index(line, "] \047")
                if (n < 7 || at < 2 || !tail) return
                head = (line ~ /^\t/ ? "\t" : "") parts[1] " " parts[2] " " parts[3] " " parts[4] " "
                head = head of("user", substr(parts[5], 1, at - 1)) "@" of("client", substr(parts[5], at + 1)) " " addresses(parts[6])
                text = substr(line, 1, tail - 1)
                text = substr(text, index(text, "[") + 1)
                head = head " [" program_of(text) "] \047"
                text = substr(line, tail + 3)
                # To the last quote; behind it stand a trigger or the end of the command.
                tail = ""
                for (i = length(text); i > 0; i--) if (substr(text, i, 1) == "\047") break
                if (i > 0) { tail = substr(text, i + 1); text = substr(text, 1, i - 1) }
                n = split(text, parts, " ")
                call = function_of(parts[1])
                for (i = 2; i <= n && i < 40; i++) call = call " " argument(parts[i])
                if (tail ~ /^ trigger /) tail = " trigger " of("trigger", substr(tail, 10))
                else if (tail !~ /^( exited unexpectedly, removed from monitor table[.])?$/) tail = ""
                print head call "\047" tail
            } else if (line ~ /^\tOperation: /) print "\tOperation: " function_of(substr(line, 13))
            else if (line ~ /^[0-9\/]+ [0-9:]+ [0-9]+ pid [0-9]+: Server (is now using|now has|under|is under|no longer under|not under|resource)[A-Za-z0-9 ,.:\/()-]*$/ ||
                line ~ /^\t?Server network estimates: [A-Za-z\/=0-9, ]*$/ || line ~ /^lapse [0-9.]+s$/ ||
                line ~ /^\t(Date [0-9\/]+ [0-9:]+:|Pid [0-9]+)$/ ||
                line ~ /^Perforce [A-Za-z]+ starting [0-9\/]+ [0-9:]+ pid [0-9]+ P4[A-Z]\/[A-Z0-9_]+\/[0-9.]+\/[0-9]+/) {
                if (line ~ / starting /) { split(line, parts, " "); sub(/ P4[A-Z]\/.*/, "", line); line = line " " parts[8] }
                print text_of(line)
            }
        }
        FILENAME == ARGV[1] {
            for (i = 2; i <= NF; i++) {
                if ($1 == "word") words[tolower($i)] = 1
                else if ($1 == "form") forms = forms (forms == "" ? "^(" : "|") $i
                else if ($1 == "option") options[$i] = 1
                else if ($1 == "setting") settings[$i] = 1
                else if ($1 == "counter") counters[$i] = 1
                else if ($1 == "command") command["user-" $i] = 1
                else if ($1 == "program") programs[$i] = 1
            }
            next
        }
        FNR == 1 && ++pass == 1 { forms = forms ")$" }
        /^=== plimsoll collect: / { section = $0 }
        pass == 1 {
            if ($0 ~ /^User name: /) learn("user", value_of($0))
            else if ($0 ~ /^Client name: /) learn("client", value_of($0))
            else if ($0 ~ /^(Client host|ServerID): /) learn("host", value_of($0))
            else if ($0 ~ /^(Server|Client|Peer|Proxy|Broker) address: / || $0 ~ /^(Server license-ip|Replica of|Changelist server|Authorization Server): /)
                learn_address(value_of($0))
            else if (section ~ /: p4 monitor show / && $0 ~ /^ *[0-9]+ /) {
                for (i = 2; i <= NF; i++) if ($i ~ /^[0-9]+:[0-9][0-9]:[0-9][0-9]$/) { learn("user", $(i - 1)); break }
            }
            else if (section ~ /: mount / && $1 ~ /:\//) learn_address($1)
            else if (section ~ /: p4 configure show/ && $0 ~ /(P4PORT|P4TARGET|[.]host) *=/) {
                value = substr($0, index($0, "=") + 1)
                sub(/^ /, "", value)
                sub(/ .*/, "", value)
                learn_address(value)
            }
            else if (section ~ /: p4 configure show/ && $0 ~ /serviceUser *=/) {
                value = substr($0, index($0, "=") + 1)
                sub(/^ /, "", value)
                sub(/ .*/, "", value)
                learn("user", value)
            }
            else if (section ~ /: p4 depots / && $1 == "Depot" && !passes($2)) learn("depot", $2)
            else if (section ~ /: log tail /)
                for (i = 1; i <= NF && i < 12; i++) if ($i ~ /^[^ @]+@[^ @]+$/) { learn_pair($i); break }
            next
        }
        /^(=== |--- plimsoll: )/ { print; next }
        /^User name: / { print "User name: " of("user", value_of($0)); next }
        /^Client name: / { print "Client name: " of("client", value_of($0)); next }
        /^(Client root|Current directory|Client stream): / { print substr($0, 1, index($0, ": ")) " left out"; next }
        /^(Client host|ServerID): / { print substr($0, 1, index($0, ": ")) " " of("host", value_of($0)); next }
        /^Server license: / {
            if (match($0, /[0-9]+ users/)) print "Server license: left out " substr($0, RSTART, RLENGTH)
            else print "Server license: left out"
            next
        }
        section ~ /: p4 counters / && $2 == "=" && !($1 in counters) { next }
        section ~ /: p4 configure show/ && /^[A-Za-z0-9_.:\/# -]+=/ { print setting_line($0); next }
        section ~ /: p4 monitor show / && /^ *[0-9]+ / {
            for (i = 2; i <= NF; i++) if ($i ~ /^[0-9]+:[0-9][0-9]:[0-9][0-9]$/) break
            if (i > 3 && i < NF) {
                word = ("user-" $(i + 1)) in command ? $(i + 1) : text_of($(i + 1))
                print " " $1, substr($(i - 2), 1, 1), of("user", $(i - 1)), $i, word
                next
            }
        }
        section ~ /: p4 depots / { sub(/ \047.*/, "") }
        section ~ /: mount / { print mount_line($0); next }
        section ~ /: ps of p4d / && NF { print process_line($0); next }
        section ~ /: lsblk / { gsub(/\\\\/, "\001"); gsub(/\\./, "?"); gsub("\001", "\\\\\\\\") }
        section ~ /: (lscpu|cat .proc.meminfo) / && /:/ && !/^ *(CPU|Core|Thread|Socket|NUMA node.s|Model|BIOS|Vendor|Arch|Hyper|Virt|Step|L[123]|Mem|Swap|Huge)/ { next }
        section ~ /: log tail / { log_line($0); next }
        { print text_of($0) }
    ' "$work/passes" "$work/clear" "$work/clear"
}

if [ "$anonymise" = yes ]; then
    pseudonyms >>"$out" || fail 'awk failed: nothing is written'
else
    cat "$work/clear" >>"$out"
fi
printf '%s\n' "Written to $out. Look through it; then: plimsoll init --from $out"
