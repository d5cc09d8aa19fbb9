#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Suite: pictures - the pictures of the course are what the kernels do today, and what was measured:
# all are redrawn, from new traces and from common/results/h200, and compared; each is on a page,
# with a text for those who cannot see it. Without matplotlib, which common/pages/python.sh sets up,
# charts are skipped.
# Where: cpu
cd "$(dirname "$0")/../.." || exit 1
. common/tests/check.sh
group='pictures: '
mkdir "$tmp/drawn" "$tmp/changed"

check 'all are drawn from traces' sh common/pages/pictures/pictures.sh "$tmp/drawn"
charts=no
export BUILD_DIR="${BUILD%/*}"
if sh common/pages/python.sh plot --there >/dev/null; then
    check 'all are drawn from results' sh common/pages/plot.sh "$tmp/drawn"
    charts=yes
else
    echo 'skip pictures: charts: no matplotlib; set it up: sh common/pages/python.sh plot'
fi
there() { find ./[0-9]* common/results -name '*.svg' | sort; }
find . -path ./build -prune -o -name '*.md' -print | while read -r page; do
    grep -oE '\]\([^) ]+\.svg\)' "$page" | sed 's/^](//; s/)$//' | while read -r link; do
        (cd "$(dirname "$page")/$(dirname "$link")" && echo "$PWD/${link##*/}")
    done
done >"$tmp/shown"
for picture in $(cd "$tmp/drawn" && there); do
    run cmp "$tmp/drawn/$picture" "$picture"
    want 'it is not what is drawn today; draw it by make plot' [ "$status" -eq 0 ]
    want 'no page shows it' grep -qxF "$PWD/${picture#./}" "$tmp/shown"
    want 'it has no alt text' grep -q '<desc id="says">[^<]' "$picture"
    want 'it is wider than 700' grep -q '<svg [^>]*viewBox="0 0 700 ' "$picture"
    want 'it is not for dark screens' grep -q 'prefers-color-scheme: dark' "$picture"
    verdict "${picture#./}"
done
if [ "$charts" = yes ]; then
    equal 'each is drawn by a script' "$(there)" "$(cd "$tmp/drawn" && there)"

    # A chart follows its data: a copy of the course has another time of 01.
    mkdir -p "$tmp/course/common"
    cp -R common/pages common/measure common/results "$tmp/course/common"
    for file in [0-9]*/kernel.cu [0-9]*/loop.sass; do
        mkdir -p "$tmp/course/${file%/*}"
        cp "$file" "$tmp/course/$file"
    done
    row='^\(.*,01_naive,kernel,f32,sum,268435456,[0-9]*\),[0-9.]*'
    ladder=common/results/h200/ladder.csv
    sed "s/$row/\1,1000.0/" $ladder >"$tmp/course/$ladder"
    run sh "$tmp/course/common/pages/plot.sh" "$tmp/changed"
    equal 'another time of 01 changes its charts' \
        "$(cd "$tmp/changed" && there | while read -r picture; do
            cmp -s "$picture" "$OLDPWD/$picture" || echo "$picture"
        done)" "$(printf '%s\n' ./01_naive/figure.svg ./02_no_divergence/figure.svg)"

    # Another GPU has some files, and the charts of these.
    few=$tmp/course/common/results/few
    mkdir "$few"
    cp common/results/h200/ladder.csv common/results/h200/sm_finish.csv "$few"
    ends 0 env GPU=few sh "$tmp/course/common/pages/plot.sh" "$tmp/few"
    want 'it does not say what is missing' holds out 'skip the charts of .*/few/peers.csv'
    equal 'a GPU with two files has their charts' "$(cd "$tmp/few/common/results/few" && echo *)" \
        'finish.svg ladder.svg'
fi

# No text lies upon another or leaves the picture, in the wide font of a system without Arial.
# collisions PICTURE...: a line for each.
collisions() {
    {
        echo '<!DOCTYPE html><meta charset="utf-8">'
        for picture in "$@"; do
            echo "<div id='$picture'>"
            sed -e 's/Arial, Helvetica/DejaVu Sans, Verdana/' -e 's/ id="[a-z]*"//' "$picture"
            echo '</div>'
        done
        cat <<'END'
<pre></pre><script>
let found = '';
for (const div of document.querySelectorAll('div')) {
    const page = div.querySelector('svg').getBoundingClientRect();
    const texts = [...div.querySelectorAll('text')].map(
        text => [text.textContent, text.getBoundingClientRect()]);
    texts.forEach(([a, at], i) => {
        if (at.right > page.right + 1 || at.left < page.left - 1)
            found += `${div.id}: outside: ${a}\n`;
        for (const [b, other] of texts.slice(i + 1)) {
            const across = Math.min(at.right, other.right) - Math.max(at.left, other.left);
            const down = Math.min(at.bottom, other.bottom) - Math.max(at.top, other.top);
            if (across > 0.5 && down > 4) found += `${div.id}: '${a}' and '${b}'\n`;
        }
    });
}
document.querySelector('pre').textContent = found + 'end';
</script>
END
    } >"$tmp/all.html"
    in_browser --dump-dom "file://$tmp/all.html" |
        sed -n '/^<pre>/,$p' | sed 's/<pre>//; s/^end.*/end/; /^end/q'
}
if has_browser; then
    # shellcheck disable=SC2046 # names without a space
    equal 'no text lies upon another' "$(collisions $(there))" end
    sed 's/>02 no divergence</>02 no divergence, at the worst of its strides</' \
        02_no_divergence/banks.svg >"$tmp/long.svg"
    collisions "$tmp/long.svg" >"$tmp/out"
    want 'not found' holds out "long.svg: '02 no divergence, at .*' and 'left operand"
    verdict 'a title upon a caption is found'
else
    echo 'skip pictures: text upon text: chromium was not found'
fi

# A picture follows its trace: another kernel gives another picture, under the same name.
for kernel in 01_naive 02_no_divergence; do
    SIMT_TRACE=$tmp/$kernel "$BUILD/$kernel" -t f32 -o sum --once -n 256 >/dev/null
    "$BUILD/pages/pictures" warps "a kernel=$tmp/$kernel" >"$tmp/$kernel.svg"
done
want 'two kernels have one picture' sh -c "! cmp -s '$tmp/01_naive.svg' '$tmp/02_no_divergence.svg'"
verdict 'another kernel has another picture'

# What cannot be drawn is refused with a sentence.
picture() { "$BUILD/pages/pictures" "$@"; }
head -n 100 "$tmp/01_naive" >"$tmp/cut"
refuses 'a trace that is cut off' 1 "$tmp/cut" picture warps "a kernel=$tmp/cut"
refuses 'a trace that is not there' 1 "$tmp/none" picture banks "a kernel=$tmp/none"
refuses 'a trace without shuffles' 1 'nothing that a picture of shuffles shows' \
    picture shuffles "a kernel=$tmp/01_naive"
refuses 'a trace without a race' 1 'nothing that a picture of race shows' \
    picture race "a kernel=$tmp/01_naive" "another=$tmp/01_naive"
ends 2 picture rounds "a kernel=$tmp/01_naive"
want 'it does not name the kinds' holds err 'KIND is one of warps banks '
verdict 'a kind that is not there is refused'
finish
