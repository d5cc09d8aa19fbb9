#!/bin/sh
# SPDX-License-Identifier: MIT
#
# arrows.sh - do includes and calls between the parts of a folder go only the way that its README
# allows?
#
#   arrows.sh TREE         common/simt; silent when all is well, else a line for each wrong arrow
#   arrows.sh --planted    the same on small trees with a planted arrow that must be found
#
# A part is a folder of the tree, or a file with its header. TREE/README.md has a line for each,
# from this one to the next empty one (what follows a # is a comment):
#
#     part: parts it may use
#
# Of another part only its interface may be included: PART/PART.h, if there is one. The arrows
# between files must not form a cycle either. The tests/ folder may use anything.
set -eu

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM

# What the sources say, a row each: `include FILE FILE`, `defines FILE NAME`, `uses FILE NAME`.
rows() { # TREE
    find "$1" -name tests -prune -o -type f -name '*.[ch]' -print -o -name '*.hpp' -print |
        sort >"$work/files"
    xargs grep -H '^ *# *include *"' <"$work/files" | awk -v files="$work/files" '
        BEGIN { while ((getline file <files) > 0) there[file] = 1 }
        function plain(path) { # a/b/../c is a/c
            while (match(path, /[^\/]+\/\.\.\//))
                path = substr(path, 1, RSTART - 1) substr(path, RSTART + RLENGTH)
            return path
        }
        {
            file = $0; sub(/:.*/, "", file)
            name = $0; sub(/^[^"]*"/, "", name); sub(/".*/, "", name)
            folder = file; sub(/[^\/]*$/, "", folder)
            if (!((to = plain(folder name)) in there)) to = plain("common/" name)
            if (to in there) print "include", file, to
        }'
    while read -r file; do
        case $file in *.c) ;; *) continue ;; esac
        "${CC:-cc}" -std=c11 -w -DSIMT=1 -Icommon -Icommon/simt/include -c "$file" -o "$work/o" ||
            { echo "does not compile: $file"; continue; }
        nm -P -g "$work/o" | awk -v file="$file" '$1 != "main" {
            print $2 ~ /^[Uwv]$/ ? "uses" : "defines", file, $1 }'
    done <"$work/files"
}

# Of two arrows for one reason the first is reported.
check() { # TREE
    rows "$1" >"$work/rows"
    awk '/^ *part: parts it may use/ { on = 1; next }
        on && /^ *(```)?$/ { exit }
        on { sub(/#.*/, ""); sub(/(\.c)?:/, ""); print "part", $0 }' "$1/README.md" >"$work/table"
    : >"$work/pairs"
    awk -v tree="$1/" -v pairs="$work/pairs" '
        function part(file) {
            file = substr(file, length(tree) + 1)
            sub(/[\/.].*/, "", file)
            return file
        }
        function stem(file) { # a source and its header are one; an interface is its part
            if (file != tree part(file) "/" part(file) ".h") sub(/\.[a-z]*$/, "", file)
            return file
        }
        function arrow(from, to, why,    a, b) {
            a = part(from); b = part(to)
            if (a != b && !((a, b) in may) && !seen[a, b, why]++)
                print from ": " why ", but " a " may not use " b
            if (stem(from) != stem(to)) print stem(from), stem(to) >pairs
        }
        $1 == "part" { known[$2]; for (i = 3; i <= NF; i++) { may[$2, $i]; print $2, $i >pairs } }
        $1 == "does" { print }
        $1 == "include" || $1 == "defines" {
            if (!(part($2) in known) && !seen[part($2)]++) print $2 ": no line for " part($2)
        }
        $1 == "include" {
            arrow($2, $3, "includes " $3)
            interface = tree part($3) "/" part($3) ".h"
            if (part($2) != part($3) && $3 != interface && (getline line <interface) >= 0)
                print $2 ": includes " $3 ", not the interface " interface
            close(interface)
        }
        $1 == "defines" { owner[$3] = $2 }
        $1 == "uses" { user[++uses] = $2; used[uses] = $3 }
        END {
            for (i = 1; i <= uses; i++)
                if (used[i] in owner) arrow(user[i], owner[used[i]], "uses " used[i])
        }' "$work/table" "$work/rows"
    tsort "$work/pairs" 2>&1 >/dev/null | sed 's/.*contains a loop:/a cycle:/' | awk '!seen[$0]++'
}

# ---- small trees ----

plant() { # MAKES A TREE OF TWO PARTS: high may use low
    rm -rf "$work/tree"
    mkdir -p "$work/tree/high" "$work/tree/low"
    cd "$work/tree"
    printf '# a tree\n\n    part: parts it may use\n    high: low  # above\n    low:\n' >README.md
    echo 'void high_run(void);' >high/high.h
    echo 'void low_run(void);' >low/low.h
    echo 'void low_help(void);' >low/inside.h
    printf '#include "../low/low.h"\n#include "high.h"\nvoid high_run(void) { low_run(); }\n' \
        >high/run.c
    printf '#include "inside.h"\n#include "low.h"\nvoid low_run(void) { low_help(); }\n' >low/run.c
    printf '#include "inside.h"\nvoid low_help(void) {}\n' >low/help.c
    cd "$OLDPWD"
}

failed=0
expect() { # WORDS: the tree is reported with these words; nothing if there are none
    check "$work/tree" >"$work/report" 2>&1
    if [ -n "$1" ]; then grep -q "$1" "$work/report"; else [ ! -s "$work/report" ]; fi && return
    echo "planted: expected '$1', and it said:"
    sed 's/^/    /' "$work/report"
    failed=1
}

planted() {
    plant
    expect ''
    echo '#include "../high/high.h"' >>"$work/tree/low/help.c"
    expect 'low/help.c: includes .*high/high.h, but low may not use high'
    plant
    echo 'void high_run(void); void low_up(void) { high_run(); }' >>"$work/tree/low/help.c"
    expect 'low/help.c: uses high_run, but low may not use high'
    plant
    echo '#include "../low/inside.h"' >>"$work/tree/high/run.c"
    expect 'high/run.c: includes .*low/inside.h, not the interface'
    plant
    echo 'void low_run(void); void low_back(void) { low_run(); }' >>"$work/tree/low/help.c"
    expect 'a cycle'
    plant
    echo '    low: high' >>"$work/tree/README.md"
    expect 'a cycle'
    plant
    mkdir "$work/tree/loft"
    echo 'int loft;' >"$work/tree/loft/loft.c"
    expect 'no line for loft'
}

case ${1:-} in
--planted) planted ;;
'' | -*) echo 'usage: arrows.sh TREE | --planted' >&2; exit 2 ;;
*)
    check "${1%/}" >"$work/all" 2>&1
    cat "$work/all"
    [ ! -s "$work/all" ] || failed=1
    ;;
esac
exit $failed
