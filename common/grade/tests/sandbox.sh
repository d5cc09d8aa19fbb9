#!/bin/sh
# SPDX-License-Identifier: MIT
# shellcheck disable=SC2016 # the scripts are for the sandbox
#
# sandbox.sh LEVEL - what a program in the sandbox can do, tested with scripts that try it: bwrap,
# namespaces or limits. A line says so if this system does not have it. Needs GRADE_BUILD, the built
# grader, and COURSE. Last line: N passed, N failed.
cd "${COURSE:?}" || exit 1
. common/grade/tests/programs.sh
level=$1
box=$GRADE_BUILD/tests/box
export N=$$
group="$level: "

# How these scripts end: box.c.
box_ends() { # STATUSES ARGUMENT...
    expected=$1
    shift
    run "$box" "$level" "$@"
    seen=$(cat "$tmp/err")
    want "ended with '$seen', expected '$expected'" [ "$seen" = "$expected" ]
}

run "$box" "$level" 'exit 0'
if [ "$status" -eq 77 ] && [ "$level" != limits ]; then
    echo "skip $level: $(head -n 1 "$tmp/err")"
    exit
fi
if [ "$(cat "$tmp/err")" != 0 ] && [ "$level" = limits ]; then # as course_init() does
    echo 'skip a user of its own: root alone can read the course'
    export SAME_USER=1
fi

# ---- every level ----

sleeping='sleep 60'
box_ends 'timeout timeout timeout timeout' -t 0.2 "$sleeping" -o 'while :; do :; done' \
    -o "trap '' TERM HUP INT; kill -STOP \$\$" \
    -o "trap '' HUP INT TERM; setsid sh -c '$sleeping' & wait"
box_ends '0 timeout' '[ $(ulimit -t) -eq 10 ]' 'kill -XCPU $$' # time of a processor
box_ends '3 137' 'exit 3' 'kill -9 $$'
verdict 'a run box_ends in time'

# A part of its time is enough, and on the clock it takes many times as long: it shares one
# processor with others. Linux shares it between sessions first.
if [ "$level" = limits ] || [ -n "${FULL:-}" ]; then
    processor=$(taskset -cp $$ | sed 's/.*: //; s/[-,].*//')
    busy=''
    for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do
        taskset -c "$processor" setsid sh -c 'while :; do :; done' &
        busy="$busy $!"
    done
    run taskset -c "$processor" "$box" "$level" -t 0.1 \
        'i=0; while [ $i -lt 75000 ]; do i=$((i+1)); done'
    # shellcheck disable=SC2086 # a list
    kill -9 $busy
    wait
    want "it box_ends with $(cat "$tmp/err")" [ "$(cat "$tmp/err")" = 0 ]
    verdict 'a busy machine is no timeout'
fi

run "$box" "$level" -t 5 -b 5000 -w 'while :; do echo 0123456789; done'
want 'it wrote nothing, or too much' [ "$(($(wc -c <"$tmp/out") - 1))" -lt 5000 ]
want 'it wrote nothing' [ -s "$tmp/out" ]
verdict 'files are limited'

box_ends '0 0' '[ -c /dev/null ] && echo x >/dev/null && : <&0 && ! (: >&3) && ! (: >&5) &&
    ! (: >&6) && ! (: >&7) && ! (: >&8) && ! (: >&9)' '[ -z "$HOME$USER$LD_PRELOAD" ]'
verdict 'files are those given'

# One sandbox runs several programs: each has its own limits, and after each its processes are
# gone, its files closed and its memory free.
echo "61.$N" >"$tmp/word"
if [ "$level" != limits ] || "$box" --orphans; then orphans=yes; else orphans=''; fi
box_ends '0 0 0 0 timeout 126 0' \
    -w '(setsid sleep 61.$N &); umask 0; ulimit -n 20; cd /; X=1; export X' \
    -x "${orphans:+! grep -qalF -f '$tmp/word' /proc/[0-9]*/cmdline 2>/dev/null}" \
    '[ -z "$X" ] && [ $(umask) = 0077 ] && [ $(ulimit -n) -gt 20 ] && [ $(ulimit -t) = 10 ] &&
        [ "$(pwd)" != / ] && ! (: >&4)' \
    -t 3 -b 3584 '[ $(ulimit -t) = 3 ] && [ $(ulimit -f) = 7 ]' \
    -t 0.2 "$sleeping" 'exit 0' -o 'exit 0'
verdict 'nothing of a run reaches the next'

if [ -n "$orphans" ]; then
    box_ends 0 "trap '' TERM HUP INT; sleep 61.\$N &
        setsid sh -c 'setsid sleep 61.\$N & setsid sleep 61.\$N &' &
        (setsid sleep 61.\$N &); exit 0"
    want 'a process is left' [ "$(running "$tmp/word")" -eq 0 ]
    box_ends timeout -t 0.2 '(setsid sleep 61.$N &); sleep 61.$N'
    want 'a process is left after a timeout' [ "$(running "$tmp/word")" -eq 0 ]
    verdict 'nothing is left of a run'

    # If the grader is killed, everything that it started ends.
    # shellcheck disable=SC2317 # soon calls them
    begun() { [ "$(running "$tmp/word")" -eq 2 ]; }
    # shellcheck disable=SC2317
    ended() { [ "$(running "$tmp/word")" -eq 0 ] && [ ! -e "$folder" ]; }
    for signal in KILL TERM INT; do
        "$box" "$level" -t 60 -x "echo \"\$FOLDER\" >'$tmp/folder'" \
            '(setsid sleep 61.$N &); sleep 61.$N' 2>"$tmp/err" &
        process=$!
        soon begun || why="$signal: nothing runs"
        folder=$(cat "$tmp/folder")
        want "$signal: no folder" [ -d "$folder" ]
        kill -$signal $process
        wait $process 2>/dev/null
        soon ended || why="$signal: left: $(running "$tmp/word") processes, $(ls -d "$folder")"
    done
    verdict 'a killed grader leaves nothing'
else
    echo 'skip what is left of a run: this system has no PR_SET_CHILD_SUBREAPER'
fi

if [ "$(id -u)" -eq 0 ] && [ -z "${SAME_USER:-}" ]; then
    box_ends 0 '[ $(id -u) -ne 0 ] && ! [ -w /etc ] && ! [ -r /etc/shadow ]'
    verdict 'another user runs it'
fi

# ---- namespaces ----

if [ "$level" != limits ]; then
    box_ends 0 '! kill -0 $OUTSIDE && ! kill -0 $N && ! [ -e /proc/self/stat ] && [ $$ -lt 10 ]'
    verdict 'it sees no other process'

    # Of /home only the path to the course, if the course is there.
    neighbour=$(mktemp -d /tmp/grade.XXXXXX)
    box_ends '0 0 0 0 0' "! ls '$neighbour' && ! cat /etc/passwd && ! cat /etc/hostname" \
        'way=${BOX%/*}; for top in /home /root /var /sys; do
            case $way/ in
            $top/*) while [ $top != $way ]; do
                next=${way#$top/}; next=${next%%/*}
                [ "$(ls -A $top)" = $next ] || exit 1; top=$top/$next
            done ;;
            *) [ ! -e $top ] || exit 1 ;;
            esac
        done' \
        '[ "$(ls -d /tmp/grade.*)" = "$(pwd)" ] && [ "$(pwd)" = "$FOLDER" ]' \
        '! echo x >/usr/forged && ! echo x >/forged && ! mkdir /tmp/forged && [ -r "$BOX" ] &&
            ! echo x >"$BOX.forged"' \
        'echo x >kept && [ -s kept ]'
    rmdir "$neighbour"
    verdict 'it sees its own files only'

    # A script has no /bin/sh there; enter needs no file, and reports missing arguments.
    box_ends '0 126 0 127' -x 'cd $FOLDER && echo "#!/bin/sh" >program && chmod 755 program' -p \
        -x 'cd $FOLDER && cp "${BOX%/*}/../enter" program' -p
    verdict 'a program has its folder alone'

    box_ends '0 1' -x '"$BOX" --connect $PORT' 'exec "$BOX" --connect $PORT'
    verdict 'it has no network'
fi

# ---- the filter ----

for when in start solve; do
    run "$box" --filter $when
    [ "$status" -ne 100 ] || echo "skip the filter of system calls: this system has none"
    want "$when: $status calls are allowed" [ "$status" -eq 0 -o "$status" -eq 100 ]
done
filter=$status
verdict 'a filtered process can do nothing'

# What one run would leave in a file does not reach the next.
if [ "$level" != limits ] || [ "$filter" -ne 100 ]; then
    printf '%s\n' '#include <fcntl.h>' '#include <unistd.h>' 'int main(void) {' \
        'return open("left", O_WRONLY | O_CREAT, 0600) >= 0 || unlink("program") == 0; }' \
        >"$tmp/leaves.c"
    run "${CC:-cc}" -static "$tmp/leaves.c" -o "$tmp/leaves"
    box_ends '0 0 0' -x "cp '$tmp/leaves' \$FOLDER/program && chmod 755 \$FOLDER/program" -p \
        '[ ! -e left ] && [ -e program ]'
    verdict 'a program leaves no file'
fi

# ---- the whole grader ----

if [ -n "${FULL:-}" ]; then
    export SANDBOX="$level"
    run grader 03=03_no_bank_conflict/exercise/solution.cu
    case $level in bwrap) said=bubblewrap ;; limits) said='NONE, limits only' ;; *) said=$level ;;
    esac
    want 'it does not get its points' names out '100 of 100 points'
    want 'the last line has not the level' \
        [ -z "$(tail -n 1 "$tmp/out" | grep -v "^sandbox: $said")" ]
    verdict 'a solution'
fi
finish
