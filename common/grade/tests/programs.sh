# SPDX-License-Identifier: MIT
# shellcheck shell=sh disable=SC2034 # the variables are for its readers
#
# programs.sh - what tests of the grader share: what they hand in, what grades it, and what runs.
# `.` reads it, in the folder of the course.
#
# How many processes have a word of FILE in their command line; a command that succeeds within
# five seconds.
running() { # FILE
    grep -alF -f "$1" /proc/[0-9]*/cmdline 2>/dev/null | wc -l
}
soon() { # COMMAND...
    tries=0
    until "$@" || [ "$tries" -eq 50 ]; do sleep 0.1 && tries=$((tries + 1)); done
    [ "$tries" -lt 50 ]
}

[ -n "${tmp:-}" ] || . common/tests/check.sh
# The grader, in $course.
course=${COURSE:-$PWD}
grader() { "$GRADE_BUILD/grade" --course "$course" --build "${GRADE_BUILD%/grade}" "$@"; }
cores=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)

# The small programs of hostile.txt and right.txt.
#
#   programs LIST FOLDER    writes FOLDER/EXERCISE_NAME.cu of each block of the list, and prints
#                           `EXERCISE NAME EXPECTED` of each
#
# A block begins with `=== EXERCISE NAME: EXPECTED`, or `=== EXERCISE NAME MACHINE: EXPECTED` if it
# is for that kind of processor only: SAFETY.md. A comment says what the program does. After a
# line `---` comes the body of solve; after `--- BYTES` what solve does when it has that much
# scratch. There n, above, in, out, index and count are what a kernel gets, as typed below. Before
# the blocks a line may be a program: `EXERCISE NAME: EXPECTED | what solve does without scratch`,
# or with what comes in front of solve as the second part of three.
programs() { # LIST FOLDER
    awk -v folder="$2" -v machine="$(uname -m)" '
        BEGIN {
            first = "#include <cuda_runtime.h>\n#include <math.h>\n#include <stdio.h>\n" \
                "#include <stdlib.h>\n#include <string.h>"
            head = "extern \"C\" cudaError_t solve(const void *const *d_in, void *const *d_out,\n" \
                "const size_t *size, void *d_work, size_t *work_bytes, cudaStream_t stream)\n{"
            sizes = "[[maybe_unused]] const size_t n = size[0];\n" \
                "[[maybe_unused]] const float above = (float)size[1];\n"
            arrays = "if (d_work == NULL) return cudaSuccess;\n" \
                "[[maybe_unused]] const float *const in = (const float *)d_in[0];\n" \
                "[[maybe_unused]] float *const out = (float *)d_out[0];\n" \
                "[[maybe_unused]] int *const index = (int *)d_out[0];\n" \
                "[[maybe_unused]] unsigned long long *const count = " \
                "(unsigned long long *)d_out[0];"
        }
        function begin(line,    word, words) {
            finish()
            expected = line
            sub(/^[^:]*:/, "", expected)
            sub(/:.*/, "", line)
            words = split(line, word, " ")
            if (words == 3 && word[3] != machine) return
            file = folder "/" word[1] "_" word[2] ".cu"
            print word[1], word[2] expected
            open = 1
        }
        function text(line) {
            if (file == "") return
            if (open && line !~ /^\/\//) {
                print first >file
                open = 0
            }
            print line >file
        }
        function solve(bytes) {
            text(head)
            if (bytes != "") text(sizes "*work_bytes = " bytes ";\n" arrays)
            in_solve = 1
        }
        function finish() {
            if (in_solve) text("return cudaGetLastError();\n}")
            if (file != "") close(file)
            file = in_solve = ""
        }
        /^=== / {
            blocks = 1
            begin(substr($0, 5))
            next
        }
        !blocks && /^[^#].* [|]/ {
            parts = split($0, part, / [|] ?/)
            begin(part[1])
            if (parts == 3) text(part[2])
            solve(0)
            text(part[parts])
            finish()
            next
        }
        /^---/ {
            solve(substr($0, 5))
            next
        }
        { text($0) }
        END { finish() }' "$1"
}
