#!/bin/sh
# SPDX-License-Identifier: MIT
#
# handout.sh - what students get: the course without solutions, answers and the grader's own tests.
#
#   handout.sh FOLDER              writes FOLDER/cuda_course.tar.gz
#   handout.sh FOLDER gradescope   writes FOLDER/gradescope.zip, which grades; TASK='03 04':
#                                  these exercises; VISIBILITY: see grade --help
#
# It packs only the files that git tracks, as they are here: no submissions that happen to be in the
# clone.
set -eu
cd "$(dirname "$0")/../../.."

die() {
    echo "handout: $*" >&2
    exit 1
}

[ $# -ge 1 ] || die 'usage: handout.sh FOLDER [gradescope]'
ls [0-9][0-9]_*/*/solution.cu >/dev/null 2>&1 ||
    die 'this is a handout already; make one from the course that has the solutions'
[ "$(git rev-parse --show-cdup 2>/dev/null || echo no)" = '' ] ||
    die 'this folder is not a git clone of the course'
sh common/grade/tasks/make_exercise.sh --check ||
    die 'run common/grade/tasks/make_exercise.sh first'

out=$1
mkdir -p "$out"
out=$(cd "$out" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM HUP

# Copies the course to $1. A file that git still lists but that is deleted is left out.
pack_course() { # TO
    mkdir -p "$1/.github/workflows"
    git ls-files -- . ':!*/solution.cu' ':!common/grade/ANSWERS.md' ':!common/grade/tests' \
        ':!.ci' ':!.github' |
        while IFS= read -r file; do if [ -f "$file" ]; then printf '%s\n' "$file"; fi; done |
        tar -cf - -T - | tar -xf - -C "$1"
    cp common/grade/platforms/github.yml "$1/.github/workflows/grade.yml"
    cp common/grade/platforms/tutor.md "$1/AGENTS.md"
}

case ${2:-course} in
course)
    pack_course "$work/cuda_course"
    tar -czf "$out/cuda_course.tar.gz" -C "$work" cuda_course
    echo "$out/cuda_course.tar.gz"
    ;;
gradescope)
    pack_course "$work/zip/cuda_course"
    cp common/grade/platforms/gradescope_setup.sh "$work/zip/setup.sh"
    cp common/grade/platforms/gradescope_run.sh "$work/zip/run_autograder"
    chmod +x "$work/zip/setup.sh" "$work/zip/run_autograder"
    printf '%s\n' "${TASK:-}" >"$work/zip/task"
    printf '%s\n' "${VISIBILITY:-}" >"$work/zip/visibility"
    rm -f "$out/gradescope.zip"
    if command -v zip >/dev/null; then
        (cd "$work/zip" && zip -qr "$out/gradescope.zip" .)
    elif command -v python3 >/dev/null; then
        (cd "$work/zip" && python3 -m zipfile -c "$out/gradescope.zip" ./*)
    else
        die "neither 'zip' nor 'python3' was found; one of them is needed to make the archive"
    fi
    echo "$out/gradescope.zip"
    ;;
*) die "'$2' is not a kind of handout; accepted is gradescope, or nothing" ;;
esac
