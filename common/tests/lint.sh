#!/bin/sh
# SPDX-License-Identifier: MIT
#
# lint.sh - style that a program can check: format, shell, licence lines, line lengths, links.
# Last line: N passed, N failed. A tool that is missing is named and its check skipped.
cd "$(dirname "$0")/../.." || exit 1
. common/tests/check.sh
group='lint: '

code() { git ls-files -co --exclude-standard '*.c' '*.h' '*.cu' '*.cuh' '*.hpp'; }
scripts() { git ls-files -co --exclude-standard '*.sh' .ci/run common/simt/simtcc; }

if [ -z "$(code 2>/dev/null)" ]; then
    echo 'make lint: git lists no files here; this needs a git clone' >&2
    exit 2
fi

# COMMAND with the files of the input, on every core.
on_files() { xargs -P "$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)" -n 8 "$@" 2>&1; }

# The arrows compile beside the checks before theirs.
trees=$(grep -l '^ *part: parts it may use' common/*/README.md | sed 's,/README.md,,')
for tree in --planted $trees; do
    sh common/tests/arrows.sh "$tree" >"$tmp/arrows.${tree##*/}" 2>&1 &
done

# Another version breaks some lines in other places.
formatter=$(command -v clang-format-14 || command -v clang-format)
case $("${formatter:-false}" --version) in
*' version 14.'*) empty format "$(code | on_files "$formatter" --dry-run | head -n 20)" ;;
*) echo 'skip lint: format: clang-format 14 was not found' ;;
esac
if command -v shellcheck >/dev/null; then
    empty shell "$(scripts | on_files shellcheck -x | head -n 40)"
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

wait
empty 'arrows that are planted' "$(cat "$tmp/arrows.--planted")"
for tree in $trees; do
    empty "arrows of $tree" "$(cat "$tmp/arrows.${tree##*/}")"
done

# What results.sh does not find is neither a variant nor a program.
empty 'variants that are not found' "$(. common/measure/results.sh
    variant_sources '[0-9][0-9]_*' | sort >"$tmp/variants"
    for folder in $variant_folders; do grep -l step_t [0-9][0-9]_*/"$folder"/*.cu; done |
        sort | comm -23 - "$tmp/variants")"

# What no case names would not be run.
empty 'planted faults without a case' "$(
    {
        grep -oE '^    \{"[a-z0-9_]+|plants\("[a-z0-9_]+' common/tests/faults/*.cu
        grep -oE '^KERNEL [a-z0-9_]+' common/simt/tests/*.cu
    } | sed 's/:.*[ ("]/ /' | sort -u >"$tmp/faults"
    grep -oE '^// Case: [a-z0-9_]+' common/tests/faults/*.cu common/simt/tests/*.cu |
        sed 's/:.* / /' | sort | comm -23 "$tmp/faults" -)"

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

# CHANGELOG.md may begin with what the next release will bring.
empty 'versions that differ' "$({
    sed -n 's/^## \([0-9].*\), \(20.*\)/\1 \2/p' CHANGELOG.md | head -n 1
    sed -n 's/^version: "\(.*\)"/\1/p; s/^date-released://p' CITATION.cff | paste -s -d '\0' -
    sed -n "s/^#define VERSION \"\([^\"]*\).*/\1 $(sed -n 's/^date-released: //p' CITATION.cff)/p" \
        common/simt/driver/inside.h
} | sort -u | sed 1d)"

empty 'environments that no page names' "$(sh common/tests/environments.sh --list |
    while IFS= read -r name; do
        grep -q "\`$name\`" common/tests/README.md || echo "$name"
    done)"

# The headings of the pages, as PAGE#ANCHOR.
git ls-files -co --exclude-standard '*.md' >"$tmp/pages"
xargs awk '/^#+ / {
    sub(/^#+ /, ""); gsub(/，|：|？|、|（|）|[!-,.\/:-@[-^`{-~]/, ""); gsub(/ /, "-")
    print FILENAME "#" tolower($0) }' <"$tmp/pages" >"$tmp/headings"

empty 'links of the pages' "$(xargs grep -HoE '\]\([^) ]+\)' <"$tmp/pages" |
    awk '!/:\]\(https?:/ { # PAGE:](LINK)
        at = index($0, ":](")
        page = folder = substr($0, 1, at - 1)
        link = substr($0, at + 3, length($0) - at - 3)
        sub(/[^\/]*$/, "", folder)
        path = (link ~ /^#/ ? page : folder) link
        while (sub(/[^\/]+\/\.\.\//, "", path)) ;
        print page, link, path }' |
    while read -r page link path; do
        [ -e "${path%%#*}" ] || { echo "$page: there is no '$link'" && continue; }
        case $path in *'#'*)
            grep -qxF -e "$path" "$tmp/headings" || echo "$page: no heading for '$link'" ;;
        esac
    done)"

finish
