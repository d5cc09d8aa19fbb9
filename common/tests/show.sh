#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Suite: show - the pages of `make show`, read in a browser by show.js, which presses the keys. What
# they show is compared with what the emulator counts in a separate run, without a trace.
# FULL=1: the pages of all lessons.
# Where: cpu
cd "$(dirname "$0")/../.." || exit 1
. common/tests/check.sh
group='show: '
show=$BUILD/pages/show/show

# page NAME PROGRAM OPTIONS...: $tmp/NAME.html; and NAME.csv, NAME.source, NAME.err: what the
# emulator says. A program without a folder is one of $BUILD.
page() {
    name=$1
    case $2 in /*) program=$2 ;; *) program=$BUILD/$2 ;; esac
    shift 2
    set -- --once "$@"
    run sh common/pages/trace/record.sh "$tmp/$name.trace" "$program" "$@"
    if [ "$status" = 0 ]; then
        run sh common/pages/show/show.sh "$show" "$tmp" "$tmp/$name.trace"
    fi
    want "exit $status, expected 0" [ "$status" -eq 0 ]
    want 'it does not print its name' holds out "/$name\.html\$"
    want 'it takes more than 1 MB' [ "$(wc -c <"$tmp/$name.html")" -le 1000000 ]
    want 'it asks for another file' \
        [ -z "$(grep -E '(src|href)=|@import|url\([^#]' "$tmp/$name.html")" ]
    verdict "page of $name"
    SIMT_COUNTERS=$tmp/$name.csv SIMT_REPORT=source "$program" "$@" >"$tmp/$name.source" \
        2>"$tmp/$name.err"
    echo "$name" >>"$tmp/pages"
}

# Where keys lead from the first step, and what must be there: the letter of the lanes that act,
# how many they are, how many others of the block wait at a barrier, the banks or sectors (or lanes
# whose value is not used), the rows of words (in shared memory the wavefronts), and a part of the
# source line.
#   01, 02 at stride s: 256 / (2 s) sums. In 01 warp 0 has 32 / (2 s) of them, a bank each. In 02
#   its lanes, up to 32, ask for words 2 s apart: 32 / (2 s) banks. The lanes without a sum wait.
#   05: a shuffle down by d is of use to lanes 0 to d - 1.
#   04, 05, 07: 32 lanes load 16 bytes each, 16 sectors.
cat >"$tmp/places" <<'END'
01_naive Home L 32 0 4 1 d_in[i]
01_naive r,+ArrowLeft L 16 16 16 1 op(s_data[tid]
01_naive r L 8 24 8 1 op(s_data[tid]
01_naive r,r L 4 28 4 1 op(s_data[tid]
01_naive b - 0 0 0 0 __syncthreads
02_no_divergence Home L 32 0 4 1 d_in[i]
02_no_divergence b,ArrowLeft B 32 224 0 0 __syncthreads
02_no_divergence c L 32 0 16 2 op(s_data[left]
02_no_divergence w L 32 0 4 8 op(s_data[left]
02_no_divergence b,b,+b - 0 0 0 0 __syncthreads
02_no_divergence c,c,+c L 32 0 16 2 op(s_data[left]
02_no_divergence r L 32 0 8 4 op(s_data[left]
02_no_divergence r,r L 32 0 4 8 op(s_data[left]
02_no_divergence r,r,r L 16 16 2 8 op(s_data[left]
02_no_divergence r,r,+ArrowLeft L 32 0 8 4 op(s_data[left]
02_no_divergence c,ArrowDown,ArrowDown,ArrowUp L 32 32 16 2 op(s_data[left]
03_no_bank_conflict Home L 32 0 4 1 d_in[i]
03_no_bank_conflict r L 32 0 32 1 op(s_data[tid]
03_no_bank_conflict r,r,r,r L 8 24 8 1 op(s_data[tid]
03_no_bank_conflict r,r,r,r,r,r,r L 1 31 1 1 op(s_data[tid]
03_no_bank_conflict b,b - 0 0 0 0 __syncthreads
04_vectorized Home L 32 0 16 1 d_packs[p]
04_vectorized ArrowRight S 32 0 32 1 s_data[tid] = value
04_vectorized r L 32 0 32 1 op(s_data[tid]
04_vectorized r,r,r,r L 8 24 8 1 op(s_data[tid]
04_vectorized b - 0 0 0 0 __syncthreads
05_warp_shuffle Home L 32 0 16 1 d_packs[p]
05_warp_shuffle ArrowRight X 32 0 16 0 __shfl_down_sync
05_warp_shuffle r,r,r X 32 0 30 0 __shfl_down_sync
05_warp_shuffle b - 0 0 0 0 __syncthreads
05_warp_shuffle b,ArrowRight L 8 0 8 1 s_warp[lane]
06_cub Home L 32 0 4 1 
06_cub ArrowRight X 32 0 16 0 
06_cub b - 0 0 0 0 
06_cub r X 32 0 24 0 
06_cub r,r X 32 0 28 0 
07_elementwise Home L 32 0 16 1 in[j] = 
07_elementwise ArrowRight S 32 0 16 1 = out;
07_elementwise ArrowRight,ArrowRight E 32 0 0 0 
07_elementwise ArrowDown L 32 0 16 1 in[j] = 
07_elementwise End E 32 0 0 0 
barrier_missing_tree f - 0 0 0 0 s_data[tid] +=
barrier_missing_tree End,+f - 0 0 0 0 s_data[tid] +=
barrier_missing_tree f,button1 S 32 0 32 1 s_data[tid] +=
barrier_missing_tree f,button2 L 32 0 32 1 s_data[tid] +=
found f - 0 0 0 0 t.in[threadIdx.x]
barrier_in_branch f - 0 128 0 0 __syncthreads
END
# clang compiles kernels without optimisation: they take more steps.
clang=''
if "${CXX:-g++}" --version | grep -q clang; then
    clang=yes
    grep -v '^0' "$tmp/places" >"$tmp/found" && mv "$tmp/found" "$tmp/places"
fi

lessons='02_no_divergence 05_warp_shuffle'
if [ -n "${FULL:-}" ]; then
    lessons='01_naive 02_no_divergence 03_no_bank_conflict 04_vectorized 05_warp_shuffle 06_cub
        07_elementwise'
fi
for lesson in $lessons; do
    case $lesson in
    0[1236]*) page "$lesson" "$lesson" -n 256 -t f32 -o sum ;;
    07*) page "$lesson" "$lesson" -n 1024 -t f32 -o gelu ;;
    *) page "$lesson" "$lesson" -n 1024 -t f32 -o sum ;;
    esac
done
# 02 and 03 side by side.
run sh common/pages/trace/record.sh "$tmp/03.trace" "$BUILD/03_no_bank_conflict" --once -n 256 \
    -t f32 -o sum
SIMT_COUNTERS=$tmp/03.csv "$BUILD/03_no_bank_conflict" --once -n 256 -t f32 -o sum >"$tmp/out"
run sh common/pages/show/show.sh "$show" "$tmp" "$tmp/02_no_divergence.trace" "$tmp/03.trace"
mv "$tmp/02_no_divergence-03.html" "$tmp/two.html" 2>"$tmp/err"
verdict 'page of two'

# One as `make watch` writes it, and what it shows.
for end in trace trace.what; do cp "$tmp/02_no_divergence.$end" "$tmp/watched.$end"; done
run env WATCH=1.1 sh common/pages/show/show.sh "$show" "$tmp" "$tmp/watched.trace"
printf '%s\n' 'watched({"page": "1.1", "state": "wrong", "said": "wrong", "text": "simt: race"});' \
    >"$tmp/watched.html.js"
verdict 'page that is watched'

FAULT=barrier_missing_tree page barrier_missing_tree faults/barriers -n 256 -t f32 -o sum
FAULT=read_past page found faults/found -n 5 -t f32 -o sum # at its first access
FAULT=barrier_in_branch page barrier_in_branch faults/barriers -n 256 -t f32 -o sum

# The page of another type is another file.
for options in .f64:TYPE=f64 .f64.max:TYPE=f64:OP=max .n1K:N=1K .block_64:BLOCK=64; do
    # shellcheck disable=SC2046 # a word each
    run env -u MAKEFLAGS -u MAKELEVEL BUILD_DIR="${BUILD%/*}" DEVICE=cpu "${MAKE:-make}" -n \
        -f common/pages/show/show.mk record STEP=02 $(echo "${options#*:}" | tr : ' ')
    want 'it has another name' holds out "record.sh.*/02_no_divergence${options%%:*}\.trace'"
    verdict "page with ${options#*:}"
done

# Cells with other values: wide ones, and special ones from a file, 10.5 -20.75 -0 1e-20 1e30 nan
# inf -inf 0.5 -10.3433 16777216 -0.0549 and 0 100 99999 -99999 2147483647 -2147483648.
printf '%b' '\0000\0000\0050\0101' '\0000\0000\0246\0301' '\0000\0000\0000\0200' \
    '\0010\0345\0074\0036' '\0312\0362\0111\0161' '\0000\0000\0300\0177' \
    '\0000\0000\0200\0177' '\0000\0000\0200\0377' '\0000\0000\0000\0077' \
    '\0046\0176\0045\0301' '\0000\0000\0200\0113' '\0355\0336\0140\0275' >"$tmp/f32"
printf '%b' '\0000\0000\0000\0000' '\0144\0000\0000\0000' '\0237\0206\0001\0000' \
    '\0141\0171\0376\0377' '\0377\0377\0377\0177' '\0000\0000\0000\0200' >"$tmp/i32"
# In 02 with a block of 64, which takes a quarter of the steps.
sed 's/^#define BLOCK_SIZE .*/#define BLOCK_SIZE 64/' 02_no_divergence/kernel.cu >"$tmp/small.cu"
check 'a block of 64 compiles' env SIMT_BUILD="$BUILD/simt" CC="${CC:-cc}" CXX="${CXX:-c++}" \
    common/simt/simtcc -std=c++20 -Icommon "$tmp/small.cu" "$BUILD/libharness.a" \
    -o "$tmp/small"
page special_f32 "$tmp/small" --input "$tmp/f32" -t f32 -o sum
page special_i32 "$tmp/small" --input "$tmp/i32" -t i32 -o max
page f64 "$tmp/small" -n 64 -t f64 -o sum
page i32 05_warp_shuffle -n 1024 -t i32 -o min
if [ -n "${FULL:-}" ]; then
    # A tree, shuffles, packs.
    for lesson in 03_no_bank_conflict 05_warp_shuffle 07_elementwise; do
        for type in f64 i32 f16; do
            "$BUILD/$lesson" --list | grep -q "^$type " || continue
            op=$("$BUILD/$lesson" --list | sed -n "s/^$type //p" | head -n 1)
            page "$type.${lesson%%_*}" "$lesson" -n 256 -t "$type" -o "$op"
        done
    done
fi

# ---- in the browser ----

# All pages in one start of the browser; a line for each observation, see show.js.
observe() {
    {
        echo '<!DOCTYPE html><meta charset="utf-8"><pre></pre><script>const PAGES = {'
        while read -r name; do
            awk -v name="$name" 'BEGIN { printf "\"%s\": [", name }
                $1 == name { printf "\"%s\",", $2 }
                END { print "]," }' "$tmp/places"
        done <"$tmp/pages"
        echo '"watched": [], "two": ["b,ArrowRight", "b,ArrowRight,r"]};</script><script>'
        cat common/tests/show.js
        echo '</script>'
    } >"$tmp/observe.html"
    in_browser --allow-file-access-from-files --disable-ipc-flooding-protection \
        --virtual-time-budget=100000 --dump-dom "file://$tmp/observe.html" |
        sed 's/.*<pre>//; /^end$/q; s/&lt;/</g; s/&gt;/>/g; s/&amp;/\&/g' >"$tmp/seen"
}

# The requests and costs of each source line: as the page gives them step by step, and as
# SIMT_REPORT=source has them.
costs_seen() { # NAME
    awk -v name="$1" '
        $1 == name && $2 == "step" && $6 ~ /[LSA]/ {
            kind = $6 == "L" ? "load" : $6 == "S" ? "store" : "atomic"
            space = / sectors?[: ]/ ? "global" : "shared"
            if ((space == "shared" ? $10 : $9) != $11) print "drawing and sentence differ:", $0
            requests[$5 " " space " " kind]++
            cost[$5 " " space " " kind] += $11
        }
        END { for (at in cost) print at, requests[at], cost[at] }' "$tmp/seen" | sort
}
costs_counted() { # NAME
    awk '/^ *[0-9]+  / { line = $1 }
        /^ *(shared|global) (load|store|atomic)/ {
            at = line " " $1 " " $2
            sub(/,$/, "", at)
            requests[at] += $(NF - 4)
            cost[at] += $(NF - 3)
        }
        END { for (at in cost) print at, requests[at], cost[at] }' "$tmp/$1.source" | sort
}

counters_seen() { # NAME
    awk -v name="$1" '$1 == name && $2 == "counter" { value[$3] = $4 }
        END {
            n = value["memory_requests"]
            lanes = sprintf("%.3f", n ? value["memory_lanes"] / n : 0)
            value["active_lanes_per_memory_instruction"] = lanes
            delete value["memory_requests"]
            delete value["memory_lanes"]
            for (counter in value) print counter, value[counter]
        }' "$tmp/seen" | sort
}
counters_counted() { # NAME
    awk -F, '$1 == 1 && $5 != "divergent_branches" { print $5, $6 }' "$tmp/$1.csv" | sort
}

# Lanes of a warp may come to a barrier in several steps, those that skip an `if` first. The round
# in each of them, and in the step in which it opens, counts how often it opens, not how often lanes
# have come; and a line has met it once for each warp. Prints how often each barrier of the source
# has opened, and what is otherwise.
barriers_seen() { # NAME
    awk -v name="$1" '
        $1 != name { next }
        $2 == "step" && ($6 == "B" || /[|] All have come/) {
            round = match($0, /, round [0-9]+/) ? substr($0, RSTART + 8, RLENGTH - 8) : 1
            if (round != opened[$5] + 1) print "step " $3 ": round " round " of line " $5
            if ($6 != "B") order[opened[$5]++ ? 0 : ++lines] = $5
        }
        $2 == "counter" && $3 == "barriers" { passed = $4 }
        $2 == "met" && ($3 in opened) { met += $4 }
        END {
            for (i = 1; i <= lines; i++) printf "%s ", opened[order[i]]
            if (met != passed) print "met " met " times, passed " passed
        }' "$tmp/seen"
}

# Cells that do not read as the value of the trace; and where nothing was compared, or of a lesson
# that adds digits too many values are left out. Others may have values that no cell has room for.
cells_seen() { # NAME
    grep "^$1 unlike " "$tmp/seen" | head -n 5
    awk -v name="$1" '$1 == name && $2 == "cells" {
            if ($3 == 0 && name != "found") print "no cells"
            if ($4 > 0.1 * $3 && name ~ /^(0[1-6]|i32|f16)/)
                print $4 " of " $3 " cells have no text"
            seen++
        }
        END { if (!seen) print "no count of cells" }' "$tmp/seen"
}

# What the memory holds at the end: no unwritten element; and the sum of what the block has
# loaded: element 0, or in 05 and 06 the sum of all elements. It adds digits, so all sums are exact.
check_memory() { # LESSON
    awk -v name="$1" '$1 == name && $2 == "input" { input = $3 }
        $1 == name && $2 == "memory" {
            if (/never written/) never++
            sum += $NF
            if ($3 ~ /\[0\]$/) first = $NF
        }
        END {
            if (name ~ /^0[56]/) first = sum
            if (input == 0 || never || first != input)
                print never + 0 " never written; " first ", expected " input
        }' "$tmp/seen" >"$tmp/wrong"
    empty "$1: memory" "$(cat "$tmp/wrong")"
}

# What else a reader sees and does on a page.
cat >"$tmp/looks" <<'END'
all title .*, step by step$
all text readable$
all unnamed 0$
all alike 0$
all captions 0$
all unexplained $
all forced true$
all print true$
all help true$
all closed button true$
all closed tap true$
all narrow false true true$
all zoomed true 0$
all lanes 981 0$
all lanes 1000 0$
all lanes 1280 0$
all request true$
02_no_divergence left 0 0 0$
all panel true
02_no_divergence scrolls true [0-9]+$
02_no_divergence title 02_no_divergence, step by step$
two title 02_no_divergence and 03, step by step$
02_no_divergence found nothing$
02_no_divergence dearest Line 35 costs most: 141 wavefronts where 36 would do\.$
02_no_divergence heights 3$
02_no_divergence none There is no finding\.$
barrier_missing_tree none There is no finding after this step\.$
barrier_missing_tree other There is no other finding\.$
02_no_divergence no-room false$
special_f32 no-room true$
02_no_divergence cut 0$
02_no_divergence again 1$
02_no_divergence worst 6[0-9] .* 8 wavefronts where 1 would do
02_no_divergence said The worst, 1 of [0-9]* that cost as much\.$
02_no_divergence worse [0-9]+ .* 8 wavefronts where 1 would do
02_no_divergence back [0-9]+ .* [248] wavefronts where 1 would do
02_no_divergence pointed 3 1 0 Lane 3 loads the input\[3\]: -?[0-9]+; sector 0$
02_no_divergence focused 3 1 0$
02_no_divergence followed 3$
02_no_divergence next 4$
05_warp_shuffle wires 4$
05_warp_shuffle said No request costs more than its ideal\.$
barrier_missing_tree found race on s_data\[[0-9]+\]
END
looks_seen() { # NAME
    while read -r page what wanted; do
        case $page in all | "$1") ;; *) continue ;; esac
        sed -n "s/^$1 look $what *//p" "$tmp/seen" >"$tmp/looked"
        grep -qE -e "^$wanted" "$tmp/looked" ||
            echo "$what: '$(cat "$tmp/looked")', expected '$wanted'"
    done <"$tmp/looks"
}

if ! has_browser; then
    echo 'skip show: chromium was not found (Debian: sudo apt install chromium)'
else
    observe
    cp "$tmp/seen" "$tmp/out"
    want 'the browser did not come to the end' [ "$(tail -n 1 "$tmp/seen")" = end ]
    want 'an error of the script' lacks seen '^[^ ]* error '
    verdict 'all pages are read'
    while read -r name; do
        equal "$name: counters" "$(counters_seen "$name")" "$(counters_counted "$name")"
        equal "$name: costs of the lines" "$(costs_seen "$name")" "$(costs_counted "$name")"
        equal "$name: back" "$(sed -n "s/^$name back //p" "$tmp/seen")" 0
        empty "$name: what the cells say" "$(cells_seen "$name")"
    done <"$tmp/pages"
    { cat "$tmp/pages"; echo two; } >"$tmp/looked_at"
    while read -r name; do
        empty "$name: looks" "$(looks_seen "$name")"
    done <"$tmp/looked_at"
    empty 'short values' "$(grep '^[^ ]* short [0-9]' "$tmp/seen" | head -n 5)"
    for lesson in $lessons; do
        # A block of 256: the barrier before the tree, and that of its 8 rounds. In 05 a single one.
        case $lesson in
        0[1-4]*) equal "$lesson: rounds of barriers" "$(barriers_seen "$lesson")" '1 8 ' ;;
        05*) equal "$lesson: rounds of barriers" "$(barriers_seen "$lesson")" '1 ' ;;
        esac
        case $lesson in
        0[1-6]*) check_memory "$lesson" ;;
        *) equal "$lesson: memory" "$(grep -c "^$lesson memory .*never" "$tmp/seen")" 0 ;;
        esac
    done
    equal 'the step of the address' \
        "$(sed -n 's/^02_no_divergence opened \([0-9]*\) .*/\1/p' "$tmp/seen")" 7
    first() { # PAGE REGEX: what it opens with
        grep "^$1 first " "$tmp/seen" >"$tmp/out"
        want "not $2" holds out "$2"
        verdict "$1: the first step in sight"
    }
    first 02_no_divergence '^[^|]* L 32 0 16 2 2 .* 2 wavefronts where 1 would do'
    first 05_warp_shuffle ' first 1 '
    first barrier_missing_tree 'Found: race on .*Thread [0-9]+ [a-z]+ s_data.* and nothing makes'
    equal 'watched: what is said' "$(sed -n 's/^watched look said //p' "$tmp/seen" | head -n 1)" \
        'wrong, simt: race'
    equal 'watched: loaded again' "$(sed -n 's/^watched look reloaded //p' "$tmp/seen")" \
        'at 40, wrong: watched, step by step'
    # With two pages, the sums of what is between them; the positions go from barrier to barrier
    # together.
    for trace in 02_no_divergence 03; do
        awk -F, '$1 == 1 && $5 == "shared_wavefronts" { print $6 }' "$tmp/$trace.csv"
    done >"$tmp/wanted"
    equal 'two: wavefronts' "$(awk '$2 == "versus" && $3 ~ /^[0-9]/ { a += $4; b += $5 }
        END { print a; print b }' "$tmp/seen")" "$(cat "$tmp/wanted")"
    grep '^two keys' "$tmp/seen" >"$tmp/out"
    want 'not the first round of both' \
        holds out ' b,ArrowRight 26 .*Warp 0, line 35: .*Warp 0, line 34: '
    want 'not the second round of both' \
        holds out ',r 47 .*Warp 0, line 35, round 2: .*Warp 0, line 34, round 2: '
    if [ -z "$clang" ]; then verdict 'two: rounds'; else why=''; fi
    while read -r name keys letter lanes waiting boxes rows text; do
        grep -qx "$name" "$tmp/pages" || continue
        seen=$(sed -n "s/^$name keys $keys [0-9]* //p" "$tmp/seen")
        echo "$seen" >"$tmp/out"
        # shellcheck disable=SC2086 # words: FILE LINE LETTER LANES WAITING BOXES ROWS COST | ...
        set -- $seen
        want "expected $letter $lanes $waiting $boxes $rows" \
            [ "$3 $4 $5 $6 $7" = "$letter $lanes $waiting $boxes $rows" ]
        if [ -n "$text" ]; then
            sed -n "$2p" "$1" >"$tmp/err"
            want "not the line of '$text'" names err "$text"
        fi
        verdict "$name $keys"
    done <"$tmp/places"
    for name in barrier_missing_tree found barrier_in_branch; do
        title=$(sed -n 's/^simt: //p' "$tmp/$name.err" | head -n 1)
        finding=$(sed -n "s/^$name keys f .*| //p" "$tmp/seen")
        equal "$name: the finding" "$(echo "${finding%%. T*}" | sed "s,[.]$,,")" "Found: $title"
    done
fi

# ---- what has no page ----

trace=$tmp/02_no_divergence.trace
head -n 300 "$trace" >"$tmp/cut_off"
sed '1s/ 1$/ 2/' "$trace" >"$tmp/other_version"
SIMT_TRACE=$tmp/never SIMT_TRACE_LAUNCH=9 "$BUILD/02_no_divergence" --once -n 256 -t f32 -o sum \
    >"$tmp/out"
SIMT_TRACE=$tmp/no_block SIMT_TRACE_BLOCK=7 "$BUILD/02_no_divergence" --once -n 256 -t f32 -o sum \
    >"$tmp/out"
awk '/^(step|lane)/ { steps = steps $0 "\n" }
    /^counter/ && steps { for (i = 0; i < 30; i++) printf "%s", steps; steps = "" }
    { print }' "$tmp/05_warp_shuffle.trace" >"$tmp/large"
while read -r name text; do
    refuses "refused: $name" 1 "$text" "$show" "$tmp/refused.html" name what "$tmp/$name"
done <<'END'
cut_off cut off
other_version version
never launch 9
no_block block 7
large the limit is 1000000; ask for a smaller N=
END
check 'they leave no page' [ ! -f "$tmp/refused.html" ]
refuses 'refused: one argument' 2 'one or two times NAME WHAT TRACE' "$show" one
finish
