#!/bin/sh
# SPDX-License-Identifier: MIT
#
# lint.sh - style that a program can check: format, shell, licence lines, line lengths, links.
# Last line: N passed, N failed. A tool that is missing is named and its check skipped.
set -u
cd "$(dirname "$0")/../.." || exit 1
. common/tests/check.sh
group='lint: '

code() { git ls-files -co --exclude-standard '*.c' '*.h' '*.cu' '*.cuh' '*.hpp'; }
scripts() { git ls-files -co --exclude-standard '*.sh' .ci/run common/simt/simtcc; }

if [ -z "$(code 2>/dev/null)" ]; then
    echo 'make lint: git lists no files here; this needs a git clone' >&2
    exit 2
fi
# Another version breaks some lines in other places.
formatter=$(command -v clang-format-14 || command -v clang-format)
case $("${formatter:-false}" --version) in
*' version 14.'*) empty format "$(code | xargs "$formatter" --dry-run 2>&1 | head -n 20)" ;;
*) echo 'skip lint: format: clang-format 14 was not found' ;;
esac
if command -v shellcheck >/dev/null; then
    empty shell "$(scripts | xargs shellcheck -x 2>&1 | head -n 40)"
else
    echo 'skip lint: shell: shellcheck was not found'
fi

# Each awk has its own idea of the language; all must accept the scripts.
for awk in mawk gawk original-awk; do
    if ! command -v $awk >/dev/null; then
        echo "skip lint: $awk was not found"
        continue
    fi
    empty "scripts of awk, by $awk" "$(git ls-files -co --exclude-standard '*.awk' |
        while IFS= read -r script; do
            (cd "$tmp" && $awk -f "$OLDPWD/$script") </dev/null 2>&1 >/dev/null |
                sed -n "s,.*\(syntax error\|illegal\|built-in\|fatal\),$script: &,p" | head -n 3
        done)"
done
empty licence "$({ code; scripts; git ls-files -co --exclude-standard '*.mk' '*.py' '*.awk'; } |
    xargs grep -L 'SPDX-License-Identifier: MIT')"
empty 'lines of 100 columns' "$({ code; scripts; } | xargs grep -nE '^.{101,}')"
empty 'no unfinished marks' "$(code | xargs grep -nE '\b(TODO|FIXME|XXX|HACK)\b')"

empty 'arrows that are planted' "$(sh common/tests/arrows.sh --planted 2>&1)"
for readme in common/*/README.md; do
    grep -q '^ *part: parts it may use' "$readme" || continue
    tree=${readme%/README.md}
    empty "arrows of $tree" "$(sh common/tests/arrows.sh "$tree" 2>&1)"
done

# What results.sh does not find is neither a variant nor a program.
empty 'variants that are not found' "$(. common/measure/results.sh
    variant_sources '[0-9][0-9]_*' | sort >"$tmp/variants"
    for folder in $variant_folders; do grep -l step_t [0-9][0-9]_*/"$folder"/*.cu; done |
        sort | comm -23 - "$tmp/variants")"

empty 'prose that is planted' "$(sh common/tests/prose.sh --planted 2>&1)"
empty 'prose: numbers and words' "$(sh common/tests/prose.sh 2>&1)"
empty 'questions that need a second page, and do not say so' "$(awk '
    FNR == 1 || /^## / { asked = /^## Questions/; item = "" }
    asked && /^[0-9]+\. / { item = $1 }
    asked && /^[0-9]+\. \(Deeper\) / { item = "" }
    item != "" && /DEEPER\.md|\(faster\// { print FILENAME ": question " item }
    ' [0-9]*_*/README.md)"

empty 'Chinese sections whose English has changed: common/pages/zh.sh' \
    "$(sh common/pages/zh.sh stale 2>&1)"

empty 'environments that no page names' "$(sh common/tests/environments.sh --list |
    while IFS= read -r name; do
        grep -q "\`$name\`" common/tests/README.md || echo "$name"
    done)"

# The anchors of the headings of a page.
headings() { # PAGE
    sed -n 's/^##* //p' "$1" | sed 's/，//g; s/：//g; s/？//g; s/、//g; s/（//g; s/）//g' |
        LC_ALL=C tr 'A-Z ' 'a-z-' | LC_ALL=C tr -d '!-,./:-@[-^`{-~'
}

empty 'links of the pages' "$(git ls-files -co --exclude-standard '*.md' |
    while IFS= read -r page; do
        grep -oE '\]\([^) ]+\)' "$page" | sed 's/^](//; s/)$//' | grep -v '^https*:' |
            while IFS= read -r link; do
                target=$(dirname "$page")/${link%%#*}
                case $link in '#'*) target=$page ;; esac
                [ -e "$target" ] || { echo "$page: there is no '$link'" && continue; }
                case $link in *'#'*)
                    headings "$target" | grep -qx -e "${link#*#}" ||
                        echo "$page: no heading for '$link'" ;;
                esac
            done
    done)"

finish
