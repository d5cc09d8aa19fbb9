#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Suite: make - black-box tests of make: what it refuses, and what it runs; what it rebuilds:
# rebuilt.sh.
cd "$(dirname "$0")/../.." || exit 1
. common/tests/check.sh
group='make: '
root=$PWD
bad="common/tests/faults/arithmetic.cu FAULT=absolute_sum"

# make refuses: it adds its own lines, which begin with `make`.
make_refuses() { # NAME 'TEXT | TEXT' ARGUMENTS_OF_MAKE...
    name=$1 texts=$2
    shift 2
    ends 2 mk "$@"
    want 'stdout is not empty' lines out 0
    says err "$texts"
    verdict "$name"
}

# These two need not be set.
ends 0 sh -c 'unset CUDA_HOME NVCC; exec "$@"' sh "${MAKE:-make}" help
want 'more than 80 columns' lacks out '^.{81}'
want 'the groups' [ "$(sed -n 's/^\([A-Z][A-Za-z ]*\)$/\1/p' "$tmp/out" | tr '\n' ',')" = \
    'Learning,In class,On a GPU,For maintainers,' ]
want 'the texts of a group begin at different columns' [ -z "$(awk '/^[A-Z]/ { column = 0 }
    match($0, /[^ ]  +[^ ]/) {
        if (column && RSTART + RLENGTH != column) print
        column = RSTART + RLENGTH
    }' "$tmp/out")" ]
verdict 'without CUDA_HOME and NVCC'

# Nor does a locale: with a decimal comma, some awks read 2561.1 as 2561.
ends 0 env LC_ALL=de_DE.UTF-8 "${MAKE:-make}" --eval='locale: ; @printenv LC_ALL' locale
want 'the scripts do not run in the C locale' holds out '^C$'
verdict 'numbers have a point in every locale'

mkdir "$tmp/a b"
ln -s "$root/Makefile" "$root/common" "$tmp/a b/"
make_refuses 'a folder with a space in its path' "a b' | no space" -C "$tmp/a b" run

make_refuses 'a step that is not there' 'run-99 | : 01 02 03 ' run-99
make_refuses 'make diff of such a step' "'99' | 02_no_divergence" diff A=99 B=01
make_refuses 'make diff of such a variant' "'05.nope' | one_pass" diff A=01 B=05.nope
make_refuses 'a variant that is not there' "'nope' | unrolled" \
    -C 03_no_bank_conflict run VARIANT=nope
make_refuses 'a variant without a lesson' 'VARIANT=xor | run-NN' run VARIANT=xor
make_refuses 'DEVICE=banana' "'banana' | cpu and gpu" run-01 DEVICE=banana
make_refuses 'a KERNEL that is not there' "'no/such.cu' | a .cu file" run KERNEL=no/such.cu

# The rows of `make ablate`: an error is reported with file and line. $tmp/rows is such a file.
ablate_copy() { # LESSON...
    env BUILD="$tmp" ABLATE="$tmp/ablate" NEEDING='' sh common/measure/ablate.sh copy "$@"
}
while IFS='~' read -r name value accepted row; do
    printf '# a comment\n%s\n' "$row" >"$tmp/rows"
    ABLATIONS=$tmp/rows run ablate_copy 05_warp_shuffle
    want "exit $status, expected 2" [ "$status" -eq 2 ]
    want "stderr does not name $value" names err "$tmp/rows:2: $value"
    want "stderr does not say what is accepted: $accepted" names err "$accepted"
    verdict "ablate, $name"
done <<'END'
a row of two fields~'kernel | 05~LABEL | PROGRAM~kernel | 05_warp_shuffle
no label~''~1 to 26 characters~ | 05_warp_shuffle | |
a label with a comma~'a, b'~no ','~a, b | 05_warp_shuffle | |
an unknown program~'05_shuffle'~03_no_bank_conflict.unrolled~kernel | 05_shuffle | |
an unknown variant~'05_warp_shuffle.nope'~03_no_bank_conflict.unrolled~x | 05_warp_shuffle.nope | |
an unknown define~'BLOCK'~BLOCK_SIZE~kernel | 05_warp_shuffle | BLOCK=128 |
a define without value~'BLOCK_SIZE'~NAME=VALUE~kernel | 05_warp_shuffle | BLOCK_SIZE |
a define of two words~'BLOCK_SIZE=1;2'~letters, digits~kernel | 05_warp_shuffle | BLOCK_SIZE=1;2 |
a size~'-n'~--offset~kernel | 05_warp_shuffle | | -n 5
two types~'-t f32,i32'~one type~kernel | 05_warp_shuffle | | -t f32,i32
half a column~'--cols 0.5'~whole number~kernel | 05_warp_shuffle | | --cols 0.5
END
printf 'casts | 07_elementwise.functors | |\n' >"$tmp/rows"
check 'ablate, a program that has neither a sum nor a GELU' \
    mk DEVICE=cpu ablate-07 ABLATIONS="$tmp/rows" ABLATE="$tmp/ablate"
make_refuses 'ablate, no such file' "'$tmp/none' | common/measure/ablate.sh" \
    ablate-05 ABLATIONS="$tmp/none"
make_refuses 'ablate, one list for all lessons' 'ABLATIONS | ablate-04' ablate ABLATIONS="$tmp/rows"
printf 'one | 05_warp_shuffle | |\none | 05_warp_shuffle.xor | |\n' >"$tmp/rows"
make_refuses 'ablate, a label twice' "$tmp/rows:2: the label 'one' | in line 1" \
    ablate-05 ABLATIONS="$tmp/rows"
: >"$tmp/rows"
make_refuses 'ablate, no rows' "$tmp/rows: | no rows" ablate-05 ABLATIONS="$tmp/rows"

make_refuses 'no compiler' "'/no/cc' | sudo apt install" run-01 DEVICE=cpu CC=/no/cc \
    BUILD_DIR="$tmp/build"
make_refuses 'DEVICE=gpu without nvcc' "'/no/nvcc' | Error 77" run DEVICE=gpu NVCC=/no/nvcc \
    BUILD_DIR="$tmp/build"
echo 'not a folder' >"$tmp/file"
make_refuses 'BUILD_DIR below a file' "$tmp/file | Not a directory" run-01 \
    BUILD_DIR="$tmp/file/build"

# nvcc can compile without a GPU; the program then says so. It takes half a minute: FULL=1.
if [ -n "${FULL:-}" ] && [ "$DEVICE" = cpu ] && command -v "${NVCC:-nvcc}" >/dev/null &&
    ! nvidia-smi -L 2>/dev/null | grep -q GPU; then
    run mk run-01 DEVICE=gpu
    want 'not exit 77' names err 'Error 77'
    want 'stderr does not say why, and what to do' holds err 'no usable GPU: .*DEVICE=cpu'
    verdict 'DEVICE=gpu without a GPU'
fi

# A kernel that does not compile leaves no program that could be run.
echo 'int x = ;' >"$tmp/broken_$$.cu"
run mk run KERNEL="$tmp/broken_$$.cu"
want 'exit 0' [ "$status" -ne 0 ]
want 'the compiler names neither file nor line' holds err "broken_$$.cu[:(]1[:)]"
want 'an object or a program is left' \
    [ -z "$(find "$BUILD/kernel" -name "broken_$$" -o -name "broken_$$.o")" ]
rm -f "$BUILD"/kernel/*/"broken_$$".*
verdict 'a kernel that does not compile'

# A wrong kernel: make fails as well.
# shellcheck disable=SC2086 # two words
run mk run KERNEL=$bad N=1000
want 'exit 0' [ "$status" -ne 0 ]
want 'stderr does not show the mismatch' holds err '^wrong: '
want 'the page to step through is not named' holds err "^step through it: make show KERNEL=$bad\$"
verdict 'run KERNEL= with a wrong kernel'

for path in '-C 05_warp_shuffle run KERNEL=../common' 'run-05 KERNEL=common'; do
    # shellcheck disable=SC2086 # words
    ends 0 mk $path/tests/faults/elements.cu N=1000
    want 'no result' holds out '^f32 sum +n 1000 +result .* ok$'
    verdict "$path..., a path from there"
done

# make diff: a few lines in the whole kernel, many lines after a summary.
ends 0 mk diff A=1 B=01.bitmask
says out '--- 01_naive/kernel.cu |  extern "C" const step_t step'
want 'a line that changes is not there' holds out '^\+.*&'
verdict 'diff with a variant, a few lines'

ends 0 mk diff A=05 B=05_warp_shuffle.best
says out '05_warp_shuffle/kernel.cu to 05_warp_shuffle/faster/best.cu:'
want 'there is no summary first' holds out '^[0-9]+ of [0-9]+ lines go, [0-9]+ come$'
want 'the kernel is not among what changes' holds out '^in .*reduce_kernel.*launch'
want 'no diff follows' holds out '^\+\+\+ 05_warp_shuffle/faster/best.cu'
verdict 'diff with a variant, many lines'

# A slide: each lesson beside the previous one, and a variant, on a screen of 90 columns and 40
# rows.
before=01_naive
for pair in 02 03 04 05 06 07 '05 05.best' '05 05.softmax' '07 07.best'; do
    new=${pair#* } old=${pair% *}
    case $pair in *' '*) ;; *) old=${before%%_*} before=$(echo "$pair"_*) ;; esac
    ends 0 env SLIDE=1 sh common/pages/diff.sh "$old" "$new"
    want "too many rows: $(wc -l <"$tmp/out")" [ "$(wc -l <"$tmp/out")" -le 40 ]
    want 'too few rows' [ "$(wc -l <"$tmp/out")" -ge 8 ]
    want 'a row of more than 90 columns' lacks out '^.{91}'
    want 'a summary' lacks out 'lines go|summary'
    want 'nothing goes or comes' holds out '^[-+~] '
    verdict "diff as a slide, $old to $new"
done
run mk diff A=02 B=03 SLIDE=1
says out 'stride = [-1-]{+blockDim.x / 2+}; stride [-<  | ... reduce_kernel'
says out '-         const unsigned left = 2 * stride * tid;'
verdict 'diff as a slide, words'
diff -U 100000 02_no_divergence/kernel.cu 03_no_bank_conflict/kernel.cu |
    "$BUILD/pages/slide" 02 03 color >"$tmp/out"
want 'no colour' holds out "$(printf '\033')\[32;7mblockDim.x / 2$(printf '\033')\[m"
want 'marks beside the colour' lacks out '\{\+'
verdict 'diff as a slide, in colour'

ends 0 mk -C 03_no_bank_conflict diff
want 'it is not from 02 to 03' holds out '^--- 02_no_divergence/kernel.cu'
verdict 'diff in a lesson'

# A terminal has colours, unless NO_COLOR is set.
if script --version >"$tmp/out" 2>&1 && diff --color=auto /dev/null /dev/null 2>"$tmp/err"; then
    on_terminal() { # NO_COLOR
        run env NO_COLOR="$1" SLIDE="$slide" SHELL=/bin/sh \
            script -qec 'sh common/pages/diff.sh 02 03' /dev/null
    }
    escape=$(printf '\033')
    for slide in 0 1; do
        on_terminal ''
        want 'no colour on a terminal' names out "${escape}["
        on_terminal 1
        want 'it prints nothing' names out 02_no_divergence/kernel.cu
        want 'a colour with NO_COLOR' lacks out "$escape"
        verdict "diff with NO_COLOR, SLIDE=$slide"
    done
else
    echo 'skip make: diff with NO_COLOR: script, or a diff that has colours, was not found'
fi

# Options of make reach the program; results are on stdout, the device on stderr.
ends 0 mk -C 05_warp_shuffle run N=1K,2K TYPE=i32 OP=min SEED=3
want 'no result' holds out '^i32 min +n 2048 +result .* ok$'
want 'stderr does not name the device' names err "device $DEVICE: "
want 'stdout speaks of the device as well' lacks out '^device '
verdict 'run in a lesson, with N, TYPE, OP and SEED'

printf '\000\000\200\077\000\000\000\100\000\000\100\100' >"$tmp/f32.raw" # 1, 2, 3
ends 0 mk run-04 INPUT="$tmp/f32.raw" TYPE=f32 OP=sum
want 'no result' holds out '^f32 sum +n 3 +result 6 '
verdict 'run-04 with INPUT'

# Every row of `make ablate` names a program and constants that exist.
# shellcheck disable=SC2046 # a list of folders
check 'the rows of all lessons' ablate_copy $(dirname [0-9]*/ablations.txt)

# 1,024 elements are one block of 256: 5 shuffles for each of 8 warps and 5 for their partials, 45.
# Or two blocks of 128: 2 x (4 x 5 + 5) = 50. And a softmax moves 1,024 floats three times: 384
# sectors, and half of that in f16, which comes second in its list.
if [ "$DEVICE" = cpu ]; then
    printf '%s\n' 'kernel | 05_warp_shuffle | |' \
        'half a block|05_warp_shuffle|BLOCK_SIZE=128 blocks_per_sm=16|-t i32' \
        'the first type|05_warp_shuffle.softmax||' >"$tmp/rows"
    cp 05_warp_shuffle/kernel.cu "$tmp/kernel.cu"
    ends 0 mk ablate-05 ABLATIONS="$tmp/rows"
    want 'not 45 shuffles for 1,024 elements' holds out '^kernel .* 45\.0$'
    want 'not 50 shuffles in blocks of 128' holds out '^half a block .* 50\.0$'
    want 'the softmax is not that of f32' holds out '^the first type +[0-9.]+ +384\.0 '
    want 'a line is longer than 80 columns' lacks out '.{81}'
    want 'the lesson was changed' cmp -s 05_warp_shuffle/kernel.cu "$tmp/kernel.cu"
    verdict 'ablate'
fi

# The front page shows commands, `$ make start`, and lines of what they print.
if [ "$DEVICE" = cpu ]; then
    awk '/^```/ { inside = /^```text$/ } inside && !/^`/' README.md >"$tmp/shown"
    sed -n 's/^\$ make //p' "$tmp/shown" | while read -r goal; do mk "$goal"; done \
        >"$tmp/out" 2>"$tmp/err"
    if "${CXX:-c++}" --version | grep -q clang; then # its counts, which come last, differ
        sed '/ barriers shuffles$/q' "$tmp/shown" >"$tmp/first" && mv "$tmp/first" "$tmp/shown"
    fi
    sed '/^\$ make /d' "$tmp/shown" | grep -vxF -f "$tmp/out" >"$tmp/never"
    want 'it shows no command' grep -q '^\$ make run$' "$tmp/shown"
    want "never printed: $(cat "$tmp/never")" [ ! -s "$tmp/never" ]
    want 'a line is longer than 80 columns' lacks out '.{81}'
    verdict 'what the front page shows'
fi

# Files that need a newer toolkit than the installed one: build skips them and says so. 12.10 is
# newer than 12.8.
old_nvcc() { # RELEASE
    printf '#!/bin/sh\necho "Cuda compilation tools, release %s, V%s.1"\n' "$1" "$1" >"$tmp/nvcc"
    chmod +x "$tmp/nvcc"
    run mk -n build DEVICE=gpu NVCC="$tmp/nvcc"
}
old_nvcc 12.4
want "exit $status, expected 0" [ "$status" -eq 0 ]
says out '06_cub.transform: it needs | CUDA 12.8; nvcc is 12.4 | 05_warp_shuffle/faster/best.cu'
want 'transform is built' lacks out 'transform\.cu'
verdict 'what needs a newer toolkit is left out'
old_nvcc 12.10
want 'something is left out' lacks out '^echo "skip'
want 'transform is not built' names out '06_cub/variants/transform.cu'
verdict 'a newer toolkit leaves nothing out'

# ARCH=native differs on another GPU: then everything is rebuilt.
tools_with() { # NAME UUID OPTION...: the value goes to $tmp/NAME.UUID; a second make leaves it
    printf '#!/bin/sh\necho "GPU 0: NVIDIA %s (UUID: GPU-%s)"\n' "$1" "$2" >"$tmp/bin/nvidia-smi"
    chmod +x "$tmp/bin/nvidia-smi"
    name=$1.$2
    shift 2
    tools=$tmp/gpus/gpu/tools
    set -- "$tools" DEVICE=gpu NVCC="$tmp/nvcc" BUILD_DIR="$tmp/gpus" "$@"
    (PATH=$tmp/bin:$PATH && mk "$@" && touch -t 200001010000 "$tools" && mk "$@") \
        >"$tmp/log" 2>&1 && [ -z "$(find "$tools" -newer Makefile)" ] && cp "$tools" "$tmp/$name"
}
mkdir "$tmp/bin"
tools_with H200 1 && tools_with H200 2 && tools_with A100 3 && tools_with A100 4 ARCH=sm_90 &&
    tools_with H200 5 ARCH=sm_90
want 'one H200 is built for as another' cmp -s "$tmp/H200.1" "$tmp/H200.2"
want 'an A100 is built for as an H200' [ "$(cmp -s "$tmp/H200.1" "$tmp/A100.3"; echo $?)" = 1 ]
want 'ARCH=sm_90 depends on the GPU' cmp -s "$tmp/A100.4" "$tmp/H200.5"
verdict 'ARCH=native on another GPU builds anew'

finish
