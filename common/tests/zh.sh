#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Suite: zh - the Chinese pages are true to the English ones: same code, numbers, links and
# pictures, block by block, and one word for one thing. What would break that is planted in a copy
# of two pages. Last line: N passed, N failed.
# Where: cpu
set -u
cd "$(dirname "$0")/../.." || exit 1
. common/tests/check.sh
group='zh: '

check 'blocks, numbers, code, links' sh common/pages/zh.sh compare
check 'one word for one thing' sh common/pages/zh.sh terms

# A copy in which pages may be changed; links of the other pages lead nowhere there.
copy=$tmp/copy
mkdir "$copy"
{ git ls-files -co --exclude-standard '*.md' && ls common/pages/zh.sh common/measure/results.sh; } |
    while IFS= read -r file; do
        mkdir -p "$copy/$(dirname "$file")"
        cp "$file" "$copy/$file"
    done
(cd "$copy" && git init -q && git add . && git -c user.name=a -c user.email=a commit -qm a)
page=01_naive/start/README
zh() { run sh "$copy/common/pages/zh.sh" "$@"; }

zh stale
want 'a section is stale' silent
zh links
want 'links write something' [ -z "$(cd "$copy" && git status --short)" ]
verdict 'a copy is as it should be'

# NAME PATTERN EDIT: an edit of the Chinese page, and what compare or terms report
planted() { # NAME SUBCOMMAND PATTERN EDIT
    sed "$4" "$page.zh.md" >"$copy/$page.zh.md"
    want 'the edit changes nothing' test "$(cksum <"$copy/$page.zh.md")" != \
        "$(cksum <"$page.zh.md")"
    zh "$2" "$page.zh.md"
    want "exit $status, expected 1" [ "$status" -eq 1 ]
    want "not reported: $3" holds out "^$page.zh.md:[0-9]*: $3"
    cp "$page.zh.md" "$copy/$page.zh.md"
    verdict "planted: $1"
}
planted 'a wrong number' compare 'numbers: .*257' '/<!-- en/!s/ 256 / 257 /'
planted 'a number in a table' compare 'numbers: ' '/^|/s/|$/7 |/'
planted 'two numbers the other way round' compare 'numbers: ' 's/768\(.*\)232/232\1768/'
planted 'another GPU' compare 'GPUs: ' 's/H100/H200/'
planted 'another command' compare 'codes: ' 's/^\$ make start/$ make run/'
planted 'another message' compare 'codes: ' 's/^1000 elements, 4 blocks/1000 elements, 5 blocks/'
# shellcheck disable=SC2016 # a mark of Markdown
planted 'another name in a sentence' compare 'codes: ' 's/`cudaMalloc`/`malloc`/'
planted 'another GPU' compare 'codes: .*H200' 's/在 H100 上/在 H200 上/'
planted 'another picture' compare 'links: ' 's/places\.svg/warps.svg/'
planted 'a link to the English page' compare 'links: ' 's,docs/WORDS.zh.md,docs/WORDS.md,'
planted 'a paragraph less' compare '.* blocks in ' '/^> /d'
planted 'no way to the English page' compare 'the first line' '/^\[English\]/d'
planted 'another word' terms "'归约'" '/^> /s/$/归约。/'
planted 'an English word' terms "'warp' outside" '/^> /s/$/一个 warp 里。/'

# A change of two English sentences: their sections are stale, and the diffs are shown.
sed 's/Two processors/Three processors/; s/Make one change/Make two changes/' "$page.md" \
    >"$copy/$page.md"
zh stale
want "exit $status, expected 1" [ "$status" -eq 1 ]
want 'the section is not named' holds out "^$page.zh.md: stale: ## What a program for the GPU does"
want 'the older text is not shown' holds out '^    -Two processors'
want 'the newer text is not shown' holds out '^    \+Three processors'
want 'the second section is not named' holds out "^$page.zh.md: stale: ## Change it"
want 'its older text is not shown' holds out '^    -Make one change'
want 'other sections are named' [ "$(grep -c ': stale: ' "$tmp/out")" -eq 2 ]
zh stamp "$page.zh.md"
zh stale
want 'still stale after it was translated' silent
verdict 'planted: a change of two English sentences'

finish
