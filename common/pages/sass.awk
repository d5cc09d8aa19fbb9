# SPDX-License-Identifier: MIT
#
# sass.awk - machine code beside its source lines: reads what `nvdisasm -g -c` prints, and writes
# the kernels whose name in the object matches `wanted`, each in parts: the code before its loops,
# each innermost loop, the code after. `source` is the file that was compiled. A condition, @P1 or
# @!P1, has its own column; a branch says `to 1` if it goes back, and `ahead` if it does not.
#
#   awk -v wanted=REGEX -v source=FILE.cu -f sass.awk

/^\.text\./ {
    end_kernel()
    inside = $0 ~ wanted
    if (inside) print "\nkernel " substr($0, 7, length($0) - 7)
    next
}
/^\/\/-----/ { end_kernel() }
!inside { next }
/^\.L_x_/ { sub(/:.*/, ""); at[$0] = n + 1 }
/## File "/ {
    split($0, part, "\"")
    file = part[2]
    sub(/.* line /, "")
    line = $0 + 0
}
/^ *\/\*[0-9a-f]+\*\// {
    sub(/^ *\/\*[0-9a-f]+\*\/ */, "")
    sub(/ *;.*/, "")
    code[++n] = $0
    from[n] = file
    number[n] = line
    if (match($0, /\.L_x_[0-9]+/)) target[n] = substr($0, RSTART, RLENGTH)
}
END { end_kernel() }

# A line of a source file, without leading spaces, comment and brace, cut to a width.
function text_of(file, line, width,    words) {
    if (!(file in lines)) while ((getline text[file, ++lines[file]] <file) > 0);
    words = text[file, line]
    sub(/^ +/, "", words)
    sub(/^__host__ __device__ /, "", words)
    sub(/ *\/\/.*/, "", words)
    sub(/ \{$/, "", words)
    return length(words) > width ? substr(words, 1, width - 3) "..." : words
}

# Rows of 80 columns, unless the code alone takes nearly as many.
function put(title, first, last,    i, width, room, where, old, words, condition) {
    if (first > last) return
    printf "\n%s: %d instruction%s\n", title, last - first + 1, (first < last ? "s" : "")
    for (i = first; i <= last; i++) {
        where[i] = number[i]
        if (substr(from[i], length(from[i]) - length(source) + 1) != source) {
            where[i] = from[i] ":" number[i]
            sub(/.*\//, "", where[i])
        }
        condition[i] = match(code[i], /^@!?U?P[0-9T]+ /) ? substr(code[i], 1, RLENGTH) : ""
        code[i] = substr(code[i], length(condition[i]) + 1)
        if (length(code[i]) > width) width = length(code[i])
    }
    for (i = first; i <= last; i++) {
        room = 80 - (10 + width + 3 + length(where[i]) + 2)
        room = room < 16 ? 16 : room > 48 ? 48 : room
        words = where[i] == old ? "" : "  " text_of(from[i], number[i], room)
        old = where[i]
        printf "%3d %5s %-" width "s | %s%s\n", i - first + 1, condition[i], code[i], where[i],
               words
    }
}

function end_kernel(    i, j, end, loops, first, last) {
    if (!inside || !n) return
    inside = 0
    for (end = 1; end < n && code[end] !~ /^EXIT/; end++); # the path of whole warps ends here
    for (i = 1; i <= n; i++) {
        if (target[i] == "") continue
        j = at[target[i]]
        if (j == i) break # a trap after the code
        sub(/`\(\.L_x_[0-9]+\)/, j && j < i ? "to 1" : "ahead", code[i])
        if (!j || j > i || i > end || (loops && first[loops] >= j)) continue
        first[++loops] = j # from here to i, and no loop inside
        last[loops] = i
    }
    n = i - 1
    last[0] = 0
    for (j = 1; j <= loops; j++) {
        put(j == 1 ? "before the loop" : "between the loops", last[j - 1] + 1, first[j] - 1)
        put("a round of the loop in line " number[last[j]], first[j], last[j])
    }
    if (loops) {
        for (i = last[loops] + 1; i < end && code[i] !~ /EXIT/; i++);
        put("after the loop", last[loops] + 1, i)
        put("for the result", i + 1, end)
    } else {
        put("the kernel, which has no loop", 1, end)
    }
    put("aside, for warps that are not whole", end + 1, n)
    n = 0
    split("", at)
    split("", target)
}
