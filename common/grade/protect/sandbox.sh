#!/bin/sh
# SPDX-License-Identifier: MIT
#
# sandbox.sh - starts a command that sees no files but those listed here, and no other processes:
# with bubblewrap, or with the namespaces of util-linux. sandbox.c starts it.
#
#   sandbox.sh LEVEL ENTER KIND USER FOLDER SHARED COMMAND...
#
# LEVEL is bwrap, namespaces or limits; ENTER is the built enter.c, which starts the command at the
# end. KIND: a `tool` writes FOLDER, and reads the lines of SHARED and the system's programs; a
# `program` reads FOLDER.
set -euf

# Assembles the new root on top of /sys, which every system has. When process 1 of the last
# namespace ends, the system ends all others.
place() { # OPTION SOURCE PATH, as bwrap takes them
    mkdir -p "/sys${3%/*}"
    if [ "$1" = --symlink ]; then
        ln -s "$2" "/sys$3"
    else
        if [ -d "$2" ]; then mkdir -p "/sys$3"; else : >"/sys$3"; fi
        mount --rbind "$2" "/sys$3"
    fi
}
if [ "$1" = inside ]; then
    shift
    umask 022
    mount -t tmpfs -o nosuid,mode=755,size=1m tmpfs /sys
    while [ "$1" != -- ]; do
        place "$1" "$2" "$3"
        shift 3
    done
    shift
    # shellcheck disable=SC2016 # the other sh expands it
    exec unshare --pid --fork --kill-child sh -c '"$@"; exit $?' sh "$@"
fi

level=$1 enter=$2 kind=$3 user=$4 folder=$5 shared=$6
shift 6
case $level in
limits) exec "$enter" "$kind" "$user" "$folder" / "$@" ;;
namespaces) set -- -- "$enter" "$kind" "$user" "$folder" /sys "$@" ;;
bwrap) set -- --remount-ro / -- /enter "$kind" "$user" "$folder" / "$@" ;;
esac

# What it sees: no /proc, no /home, no /tmp except the folder. The emulator reads its own program by
# the name that Linux gives it.
if [ "$kind" = program ]; then
    set -- --symlink "$folder/program" /proc/self/exe --ro-bind "$folder" "$folder" "$@"
else
    set -- --dev-bind /dev/null /dev/null --bind "$folder" "$folder" "$@"
    IFS='
'
    for path in $shared; do set -- --ro-bind "$path" "$path" "$@"; done
    IFS=' '
    for path in /usr /bin /sbin /lib /lib32 /lib64 /libx32 /opt /nix /gnu/store \
        /etc/alternatives /etc/ld.so.cache; do
        if [ -h "$path" ]; then
            set -- --symlink "$(readlink "$path")" "$path" "$@"
        elif [ -e "$path" ]; then
            set -- --ro-bind "$path" "$path" "$@"
        fi
    done
fi

if [ "$level" = bwrap ]; then
    exec bwrap --unshare-all --die-with-parent --new-session \
        --ro-bind "$enter" /enter "$@"
fi
rights='--user --map-root-user'
[ "$(id -u)" -ne 0 ] || rights=''
IFS=' '
# shellcheck disable=SC2086 # a list of options
exec unshare $rights --mount --net --ipc --uts sh "$0" inside "$@"
