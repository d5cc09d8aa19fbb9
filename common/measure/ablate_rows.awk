# SPDX-License-Identifier: MIT
#
# ablate_rows.awk - reads an ablations.txt, which ablate.sh describes. Prints
#
#   lesson|label|program|defines|options|executable
#
# for each row, or one line on stderr that says what is wrong and where, and exits with 2. A row
# whose program needs more than this machine has is skipped, with a line on stderr.
#   -v file=NAME -v lesson=03_no_bank_conflict -v build=FOLDER
#   -v needing='06_cub.cublas ...'  programs that cannot be built here
#   -v folders='variants ...'  where a lesson keeps its variants

BEGIN {
    FS = "|"
    words = "-t --type -o --op --offset --cols --seed"
    split(folders, places, " ")
}

function trim(text) {
    gsub(/^[ \t]+|[ \t\r]+$/, "", text)
    gsub(/[ \t]+/, " ", text)
    return text
}

function refuse(what) {
    print file ":" FNR ": " what >"/dev/stderr"
    failed = 1
    exit 2
}

# Reads the source of a program: its constants, as " A B ", and what it needs. False: no such file.
function read_source(program,   source, line, part, i) {
    source = program "/kernel.cu"
    if (split(program, part, ".") == 2)
        for (i in places) {
            source = part[1] "/" places[i] "/" part[2] ".cu"
            if ((getline line <source) > 0) break
        }
    close(source)
    defined = " "
    needs = ""
    if (program !~ /^[0-9][0-9]_[a-z0-9_]+(\.[a-z0-9_]+)?$/) return 0
    while ((getline line <source) > 0) {
        if (line ~ /^#define [A-Za-z_0-9]+ /) {
            split(line, part, " ")
            defined = defined part[2] " "
        }
        if (line ~ /^ *const int [a-z_0-9]+ = /) {
            split(line, part, " ")
            defined = defined part[3] " "
        }
        if (sub(/^\/\/ Needs: */, "", line)) needs = needs (needs == "" ? "" : ", ") line
    }
    return close(source) == 0
}

function check_defines(program, list,   n, i, pair) {
    n = split(list, pair, " ")
    for (i = 1; i <= n; i++) {
        if (pair[i] !~ /^[A-Za-z_][A-Za-z_0-9]*=[A-Za-z0-9_.-]+$/)
            refuse("'" pair[i] "' is not NAME=VALUE; VALUE holds letters, digits, '_', '.', '-'")
        sub(/=.*/, "", pair[i])
        if (index(defined, " " pair[i] " ") == 0)
            refuse("'" pair[i] "' is not a #define or const int of " program "; it has:" \
                (defined == " " ? " none" : substr(defined, 1, length(defined) - 1)))
    }
}

function check_options(list,   n, i, word) {
    if (list ~ /,/) refuse("'" list "' holds a list; a row has one type and one operator")
    if (list ~ /--cols/ && list !~ /--cols[ =][1-9][0-9]*( |$)/)
        refuse("'" list "': --cols takes a whole number in digits, 1 or more")
    n = split(list, word, " ")
    for (i = 1; i <= n; i++) {
        sub(/=.*/, "", word[i])
        if (word[i] ~ /^-/ && index(" " words " ", " " word[i] " ") == 0)
            refuse("'" word[i] "' is not an option of a row; accepted are " words)
    }
}

/^[ \t\r]*(#|$)/ { next }
{
    if (NF != 4)
        refuse("'" $0 "' has " NF " fields; a row is LABEL | PROGRAM | NAME=VALUE ... | OPTIONS")
    for (i = 1; i <= 4; i++) $i = trim($i)
    if ($1 == "" || length($1) > 26 || $1 ~ /[",]/)
        refuse("'" $1 "' is not a label; one has 1 to 26 characters and no ',' or '\"'")
    if ($1 in labels) refuse("the label '" $1 "' is there already, in line " labels[$1])
    labels[$1] = FNR
    if (!read_source($2))
        refuse("'" $2 "' is not a step or a variant, as 03_no_bank_conflict.unrolled is")
    check_defines($2, $3)
    check_options($4)
    rows++
    if (index(" " needing " ", " " $2 " ")) {
        print "skip " lesson ": " $1 ": " $2 " needs " needs >"/dev/stderr"
        next
    }
    folder = $3
    gsub(/=/, "-", folder)
    gsub(/ /, "_", folder)
    print lesson "|" $1 "|" $2 "|" $3 "|" $4 "|" build "/" \
        (folder == "" ? "" : "copies/" folder "/") $2
}

END { if (!failed && rows == 0) refuse("it has no rows") }
