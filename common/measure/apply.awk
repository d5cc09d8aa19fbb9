# SPDX-License-Identifier: MIT
#
# apply.awk - prints FILE with the changes of DIFF, which is as `diff -u` writes it, each line with
# a number and a colon in front. Every line must fit; else NUMBER:MESSAGE on stderr, and status 1.
#
#   awk -f common/measure/apply.awk DIFF FILE

function fail(what) {
    print at[d] ":" what >"/dev/stderr"
    failed = 1
    exit 1
}
function copy(end) {
    if (end < place || end > olds + 1) fail("this line of the kernel is not below the last one")
    while (place < end) print old[place++]
}

NR == FNR { at[++lines] = $0 + 0; sub(/^[0-9]*:/, ""); text[lines] = $0; next }
{ old[++olds] = $0 }
END {
    if (failed) exit 1
    place = 1
    for (d = 1; d <= lines; d++) {
        sign = substr(text[d] " ", 1, 1)
        line = substr(text[d], 2)
        if (text[d] ~ /^@@ -[0-9]+(,[0-9]+)? [+][0-9]+(,[0-9]+)? @@/) {
            split(text[d], number, /[-, ]+/)
            copy(number[2] + (text[d] ~ /^@@ -[0-9]+,0 /))
            begun = 1
        } else if (begun && sign == "+") {
            print line
        } else if (begun && (sign == " " || sign == "-")) {
            if (place > olds || old[place] != line)
                fail("'" text[d] "' does not fit line " place " of the kernel, '" old[place] "'")
            if (sign == " ") print line
            place++
        } else if (begun && sign != "\\") {
            fail("a line of a diff begins with a space, - or +")
        }
    }
    if (!begun) {
        d = 1
        fail("a diff has a line such as @@ -12,7 +12,7 @@")
    }
    copy(olds + 1)
}
