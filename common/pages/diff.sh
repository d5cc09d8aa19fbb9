#!/bin/sh
# SPDX-License-Identifier: MIT
#
# diff.sh A B [HERE] - `make diff`: what kernel B changes in kernel A. Each is a lesson (1, 01 or
# 01_naive) or a variant of one (01.bitmask, 05_warp_shuffle.best). The head comments are left out.
# A small change is shown in the whole file; a larger one begins with a list of what it touches.
# HERE: the lesson in whose folder make was called. It is B; its lesson, or the previous one, is A.
# SLIDE=1 in the environment: 40 rows of 90 columns for a screen, without comments, words marked.
# NO_COLOR=1: no colours.
set -eu
cd "$(dirname "$0")/../.."
. common/measure/results.sh
whole=12 # from so many changed lines on it is a larger one

lesson_of() { # NAME: 2, 02, 02_no_divergence or a variant's
    case $1 in [0-9] | [0-9].*) set -- "0$1" ;; esac
    for file in "${1%%.*}"_*/kernel.cu "${1%%.*}/kernel.cu"; do
        case $file in [0-9][0-9]_*) if [ -f "$file" ]; then echo "${file%/*}"; fi ;; esac
    done
}

variants_of() { # LESSON
    variant_sources "$1" | sed 's,.*/,,; s,\.cu$,,' | tr '\n' ' '
}

kernel_of() { # NAME
    lesson=$(lesson_of "$1")
    if [ -z "$lesson" ]; then
        # shellcheck disable=SC2046 # one name a step
        {
            echo "make diff: ${1:+"'$1' is not a step; "}name A and B by number or by name, of"
            printf '    %s\n' $(echo [0-9][0-9]_*) 'and their variants: A=01 B=01.bitmask'
        } >&2
        exit 2
    fi
    case $1 in
    *.*) program=$lesson.${1#*.} ;;
    *) program=$lesson ;;
    esac
    file=$(source_of "$program")
    if [ -z "$file" ]; then
        echo "make diff: '$1': $lesson has no variant '${1#*.}'; it has" \
            "$(variants_of "$lesson")" >&2
        exit 2
    fi
    echo "$file"
}

a=${1:-} b=${2:-} here=${3:-}
if [ -z "$b" ]; then b=$here; fi
case $here:$a:$b in
:* | *:?*:*) ;;
*:*.*) a=${b%%.*} ;;
*)
    for step in [0-9][0-9]_*/kernel.cu; do
        if [ "${step%/*}" = "$(lesson_of "$b")" ]; then break; fi
        a=${step%/*}
    done
    ;;
esac
old=$(kernel_of "$a")
new=$(kernel_of "$b")
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
mkdir "$dir/a" "$dir/b"
sed -n '/^#/,$p' "$old" >"$dir/a/kernel.cu"
sed -n '/^#/,$p' "$new" >"$dir/b/kernel.cu"
if cmp -s "$dir/a/kernel.cu" "$dir/b/kernel.cu"; then
    echo "$old and $new: no line differs"
    exit
fi
if [ "${SLIDE:-}" = 1 ]; then
    sed -i.all -e 's, *//.*$,,; /^ *$/d' "$dir/a/kernel.cu" "$dir/b/kernel.cu"
    color=
    if [ -t 1 ] && [ -z "${NO_COLOR:-}" ]; then color=1; fi
    diff -U 100000 "$dir/a/kernel.cu" "$dir/b/kernel.cu" |
        "$(page_tool slide)" "$old" "$new" "$color"
    exit
fi
# diff exits with 1 if the files differ, which is the point.
diff "$dir/a/kernel.cu" "$dir/b/kernel.cu" >"$dir/plain" || true
removed=$(grep -c '^<' "$dir/plain" || true)
added=$(grep -c '^>' "$dir/plain" || true)

context=10000
if [ $((removed + added)) -ge "$whole" ]; then
    context=3
    echo "$old to $new:"
    echo "$removed of $(wc -l <"$dir/a/kernel.cu") lines go, $added come"
    # The functions, structs and tables in whose lines something changes.
    awk '
        FNR == 1 { file++ }
        file < 3 {
            if (/^[A-Za-z_]/ && !/^(template|typedef|namespace|using)/) { name = ""; open = 1 }
            line = $0
            gsub(/(__launch_bounds__|alignas)\([^()]*(\([^()]*\))?[^()]*\)/, "", line)
            if (open && match(line, /[A-Za-z_0-9]+(\(| \{| = \{|\[)/)) {
                name = substr(line, RSTART, RLENGTH)
                sub(/[^A-Za-z_0-9].*/, "", name)
                open = 0
            }
            in_name[file, FNR] = name
            if (/^\}/) name = ""
            next
        }
        /^[0-9]/ {
            split($0, side, /[acd]/)
            for (file = 1; file <= 2; file++) {
                n = split(side[file], range, ",")
                for (i = range[1]; i <= range[n] + 0; i++) {
                    name = in_name[file, i]
                    if (name == "" || name in seen) continue
                    seen[name] = 1
                    list = list (list == "" ? "" : ", ") name
                }
            }
            file = 3
        }
        END { print "in " list "\n" }
    ' "$dir/a/kernel.cu" "$dir/b/kernel.cu" "$dir/plain"
fi
color=
if [ -z "${NO_COLOR:-}" ] && diff --color=auto /dev/null /dev/null 2>/dev/null; then
    color=--color=auto
fi
diff -U "$context" $color -L "$old" -L "$new" "$dir/a/kernel.cu" "$dir/b/kernel.cu" || true
