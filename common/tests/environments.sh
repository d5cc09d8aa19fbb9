#!/bin/sh
# SPDX-License-Identifier: MIT
#
# environments.sh - `make run`, `make test` and a grade in fresh copies of the course, each in a
# different environment: what readers have and this machine's root does not. A row that this machine
# cannot provide is skipped, and says why.
#
#   environments.sh             root, and a user under /home with gawk; of ROOTS these alone
#   environments.sh all         each row of the table in README.md, beside this file
#   environments.sh NAME...     these
#   environments.sh --list      the names
#
# ROOTS='/srv/trixie' adds roots of other systems (debootstrap makes them): each is a row.
# FULL=1 is for make test. Most rows need root. Prints a row each; last line: N passed, N failed.
cd "$(dirname "$0")/../.." || exit 1
. common/tests/check.sh
group='environment '
names='root user hidden tmp srv sign original-awk bash german chinese umask one sixteen thirty-two
    nameless bare read-only memory no-tools second'

chmod 755 "$tmp"

# ---- what a row changes ----

# Each sets `user`, who runs the commands; `path`, where programs are found; `set`, arguments of
# env; `before`, shell words before the commands; `jobs` and `options` of make. `lacks` says what
# this machine does not have.

lacks() { why_not="$*"; }
has() { command -v "$1" >/dev/null || lacks "no $1"; }
named() { # NAME PROGRAM: in this row NAME is PROGRAM
    has "$2" && ln -sf "$(command -v "$2")" "$bin/$1"
}

row_root() { parent=/srv && named awk mawk; }
row_hidden() { parent=$tmp/hidden && mkdir -m 700 "$parent"; }
row_user() { user=student parent=/home && named awk gawk; }
row_tmp() { user=student parent=/tmp; }
row_srv() { user=student parent=/srv; }
row_sign() { parent=/srv/kurs+ü; }
row_original_awk() { named awk original-awk; }
row_bash() {
    has bash
    isolated="mount --bind $(command -v bash) $(readlink -f /bin/sh) &&"
}
locale() { # NAME: made here, if the system has what it needs
    mkdir -p "$bin/locale"
    localedef -i "$1" -f UTF-8 "$bin/locale/$1.UTF-8" >/dev/null 2>&1
    [ -d "$bin/locale/$1.UTF-8" ] || lacks 'no localedef, or no /usr/share/i18n (package locales)'
    set="LOCPATH=$bin/locale LANG=$1.UTF-8 LC_ALL=$1.UTF-8"
}
row_german() { locale de_DE; }
row_chinese() { locale zh_CN; }
row_umask() { user=student before='umask 077;'; }
row_one() { jobs=-j1; }
row_sixteen() { jobs=-j16; }
row_thirty_two() { jobs=-j32; }
row_nameless() { user=54321 parent=/tmp set='-u USER HOME=/'; }
row_bare() { set='-u HOME -u TERM -u LANG -u USER'; }
row_read_only() {
    user=student
    options="BUILD_DIR=$place/build"
    isolated='mount --bind . . && mount -o remount,bind,ro . && cd . &&'
}
row_memory() {
    group_of_memory=$(find /sys/fs/cgroup/memory -maxdepth 0 2>/dev/null)/course.$$
    mkdir "$group_of_memory" 2>/dev/null || lacks 'no cgroup of memory that can be made'
    echo 2G >"$group_of_memory/memory.limit_in_bytes" 2>/dev/null || lacks 'no limit of memory'
    before="echo \$\$ >$group_of_memory/cgroup.procs;"
}
# Only what make and a compiler need of all that is installed here.
row_no_tools() {
    find -L /usr/local/bin /usr/bin /bin /usr/sbin /sbin -maxdepth 1 -perm -1 -type f \
        ! -name 'git*' ! -name 'python*' ! -name 'perl*' ! -name 'chrom*' ! -name 'node*' \
        2>/dev/null |
        while IFS= read -r program; do ln -s "$program" "$bin/" 2>/dev/null; done
    path=$bin
}
row_second() { neighbour=1; }

# ---- a row ----

copy() { # FOLDER: all that git would clone, and what is not committed yet
    mkdir -p "$1" && git ls-files -co --exclude-standard | tar cf - -T - | tar xf - -C "$1"
}

commands="make run \$M && make test \$M && make grade TASK=03 \$M \
SUBMISSION=03_no_bank_conflict/exercise/solution.cu | tee -a /dev/stderr | grep '^100 of 100'"

# The commands in the folder, in this row's environment.
inside() { # FOLDER
    words="cd '$1' && M='$jobs $options'; $commands"
    # shellcheck disable=SC2086 # lists of words
    set -- env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS -u BUILD -u DEVICE -u BUILD_DIR $set \
        PATH="$path" sh -c "$before $words"
    if [ -n "$user" ]; then
        set -- setpriv --reuid "$user" --regid "$user" --clear-groups \
            env HOME="$(getent passwd "$user" | cut -d : -f 6)" USER="$user" "$@"
    fi
    if [ -n "$isolated" ]; then
        set -- unshare --mount sh -c "cd '$place/course' && $isolated exec \"\$@\"" sh "$@"
    fi
    "$@"
}

# NAME: prints the row, with the count of make test and the points, or with what failed.
row() {
    count=$(grep -hE '^[0-9]+ passed, [0-9]+ failed$' "$tmp/out" | tail -n 1)
    points=$(grep -hoE '^[0-9]+ of 100 points' "$tmp/out" "$tmp/err" | tail -n 1)
    { grep '^FAIL' -A 6 "$tmp/out"; tail -n 5 "$tmp/err"; } | head -n 40 >"$tmp/failed"
    mv "$tmp/failed" "$tmp/out"
    : >"$tmp/err"
    want "exit $status, expected 0" [ "$status" -eq 0 ]
    verdict "$1: ${count:-no count}, ${points:-no grade}, $seconds s"
}

try() { # NAME
    user='' parent=$tmp set='' before='' jobs='' options='' why_not='' isolated='' neighbour=''
    group_of_memory=''
    bin=$tmp/bin.$1
    path=$bin:$PATH
    mkdir -p "$bin"
    place=$parent/course.$$.$1
    "row_$(echo "$1" | tr - _)"
    [ -z "$user$isolated" ] || [ "$(id -u)" -eq 0 ] || lacks 'it needs root'
    if [ -n "$why_not" ]; then
        echo "skip $group$1: $why_not"
        return
    fi
    place=$parent/course.$$.$1
    work=$place/course
    copy "$work"
    if [ -n "$user" ]; then
        [ "$1" = nameless ] || id "$user" >/dev/null 2>&1 || useradd -m "$user"
        chown -R "$user" "$place"
    fi
    if [ -n "$neighbour" ]; then
        copy "$place/neighbour"
        inside "$place/neighbour" >"$tmp/neighbour" 2>&1 &
    fi
    start=$(date +%s)
    run inside "$work"
    seconds=$(($(date +%s) - start))
    wait
    if [ -n "$neighbour" ]; then
        want "the neighbour fails: $(grep '^FAIL' "$tmp/neighbour" | head -n 3)" \
            grep -q '^100 of 100' "$tmp/neighbour"
    fi
    row "$1"
    rm -rf "$place"
    rmdir "$group_of_memory" 2>/dev/null
}

# A root of another system, with its own compiler and tools.
try_root() { # FOLDER
    if [ "$(id -u)" -ne 0 ] || [ ! -x "$1/bin/sh" ]; then
        echo "skip $group$1: it needs root, and a system in that folder"
        return
    fi
    copy "$1/course.$$"
    mount -t proc proc "$1/proc" 2>/dev/null && mounted=1 || mounted=''
    mount --bind /dev "$1/dev" 2>/dev/null
    start=$(date +%s)
    run chroot "$1" env -u CC -u CXX sh -c "cd /course.$$ && M=; $commands"
    seconds=$(($(date +%s) - start))
    row "$1"
    umount "$1/dev" 2>/dev/null
    [ -z "$mounted" ] || umount "$1/proc"
    rm -rf "$1/course.$$"
}

case ${1:-} in
--list)
    # shellcheck disable=SC2086 # a list of names
    printf '%s\n' $names
    exit 0
    ;;
'') [ -n "${ROOTS:-}" ] || set -- root user ;;
all)
    # shellcheck disable=SC2086 # a list of names
    set -- $names
    ;;
esac
for name; do
    if ! sh common/tests/environments.sh --list | grep -qxF -e "$name"; then
        echo "environments.sh: there is no '$name'; --list names those that there are" >&2
        exit 2
    fi
    try "$name"
done
for root in ${ROOTS:-}; do try_root "$root"; done
finish
