# SPDX-License-Identifier: MIT
#
# symbols.awk - checks the compiled file of a submission against accepted.txt: what it calls, what
# it keeps, what it defines.
#
#   awk -f listed.awk -f symbols.awk accepted.txt my.cu symbols     of nm --format=sysv
#
# Prints one line, `my.cu:12: error: ...`, and exits with 1 if something is refused. Else the file
# `renames` has new names for functions with C names, extern "C" kernels, so that none of them is
# mistaken for one of ours.
BEGIN { FS = "|" }

# The text, to find a line number.
FILENAME == ARGV[2] {
    sub(/\/\/.*/, "")
    text[FNR] = $0
    next
}

# The name in the source: kept for _ZL4kept and for _ZZ5solveE4kept, new for _Znwm.
function plain(name,   rest, digits) {
    if (name ~ /^_Z[nd]/) return name ~ /^_Zn/ ? "new" : "delete"
    if (name !~ /^_Z/) return name
    for (rest = name; match(rest, /[0-9]+/); rest = substr(rest, RSTART + RLENGTH)) {
        digits = substr(rest, RSTART, RLENGTH) + 0
        if (digits == length(rest) - RSTART - RLENGTH + 1)
            return substr(rest, RSTART + RLENGTH)
    }
    return name
}

function line_of(word,   i, at, rest) {
    for (i = 1; i in text; i++)
        for (rest = " " text[i]; (at = index(rest, word)) > 0; rest = substr(rest, at + 1))
            if (substr(rest, at - 1, 1) !~ /[A-Za-z0-9_]/ &&
                substr(rest, at + length(word), 1) !~ /[A-Za-z0-9_]/)
                return i
    return 0
}

# The first message stays, unless it has no line and this one has.
function refuse(name, what,   line) {
    line = line_of(plain(name))
    if (message == "" || (line && !has_line))
        message = ARGV[2] ":" (line ? line ":" : "") " error: " what
    has_line = has_line || line
}

{ gsub(/ /, "") }
$2 $3 == "" || $1 == "Name" { next }

# A name that is called but not defined.
$3 == "U" {
    if (is_listed("host calls", $1)) {
        host_calls[++hosts] = $1
        next
    }
    if (!is_listed("calls", $1) && !is_listed("calls", substr($1, 1, length($1) - ($1 ~ /.f$/))))
        refuse($1, "it calls '" plain($1) "': " what_instead($1))
    next
}

$3 == "i" { refuse($1, "'" plain($1) "' is chosen at load time (ifunc), which is not accepted") }

$4 == "FUNC" {
    solves = solves || $1 == "solve"
    runs = runs || $1 == "run"
    # Names with a dot, and these two, are the compiler's.
    if ($1 == "solve" || $1 == "run" || $1 ~ /^_Z|^_GLOBAL__|^_sub_|[.]/)
        next
    if ($1 ~ /^_|^simt|^cuda/ || is_listed("calls", $1))
        refuse($1, "it defines '" $1 "' as a C name: this name already has a meaning: choose another one")
    print $1, "_Z" length($1) $1 "v" >"renames"
}

# Memory that keeps state from one call to the next. <iostream> has such a variable.
$4 == "OBJECT" && $7 !~ /^[.]rodata|^[.]data[.]rel[.]ro|^simt_device|^simt_constant/ &&
    $1 != "_ZStL8__ioinit" {
    refuse($1, "it has the host variable '" plain($1) "'; a launcher may have local variables only")
}

END {
    printf "" >"renames"
    for (i = 1; i <= hosts && !runs; i++)
        refuse(host_calls[i], "it calls '" host_calls[i] "': " what_instead(host_calls[i]))
    if (message == "" && !solves)
        message = ARGV[2] ": error: it does not define extern \"C\" cudaError_t solve(...)"
    if (message != "") {
        print message
        exit 1
    }
}
