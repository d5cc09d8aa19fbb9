# SPDX-License-Identifier: MIT
#
# source.awk - checks the text of a submission against accepted.txt, before it is compiled:
# directives and words.
#
#   awk -f listed.awk -f source.awk accepted.txt my.cu
#
# The text is split as the compiler does it: byte order mark, joined lines, comments, strings, raw
# strings, digraphs such as `<:` and `%:`. If compilers might see another text than we do, the place
# is refused. So a word here is a word for the compiler too, and macros make no new ones, because
# they may not join words. Prints a line for each place, `my.cu:12: error: ...`, and exits with 1 if
# there is one.
BEGIN {
    name = ARGV[2]
    blank = "[ \t\v\f\r]"
    signs = " -#%-/:-@[-^`{-~\001-\037\177" # all ASCII characters that are not part of a word
    in_word = "[^" signs "]"
    a_word = "^[^0-9" signs "]" in_word "*"
    # 0x1.8p-3f, 1'000: a sign after an exponent, a quote before a digit
    a_number = "^[0-9]('?[eEpP][-+]|'" in_word "|[.]|" in_word ")*"
    a_string["\""] = "^\"([^\"\\\\]|\\\\.)*\""
    a_string["'"] = "^'([^'\\\\]|\\\\.)*'"
    two["<:"] = "["
    two[":>"] = "]"
    two["<%"] = "{"
    two["%>"] = "}"
    two["%:"] = "#"
    depth_of["("] = depth_of["["] = depth_of["{"] = 1
    depth_of[")"] = depth_of["]"] = depth_of["}"] = -1
}

{ text[FNR] = $0 }

function refuse(what) {
    print name ":" began ": error: " what
    refused = 1
}

# ---- lines: one that ends with a backslash continues ----

# Takes a line and those that it joins, as `rest`.
function take_line(number,   line) {
    first = last = number
    rest = ""
    for (joints = 0; match(line = text[last], "\\\\" blank "*$") && last <= FNR; last++) {
        rest = rest substr(line, 1, RSTART - 1)
        joint[++joints] = length(rest)
    }
    rest = rest line
    whole = length(rest)
}

# How many lines were joined up to this place.
function joints_before(place,   k) {
    for (k = joints; k > 0 && joint[k] > place; k--)
        ;
    return k
}

function drop(letters) { rest = substr(rest, letters + 1) }

# ---- tokens ----

function skip_comment(   n) {
    for (drop(2); !(n = index(rest, "*/")); take_line(last + 1))
        if (last >= FNR) {
            rest = ""
            return
        }
    drop(n + 1)
}

function skip_string(quote) {
    if (!match(rest, a_string[quote])) {
        rest = ""
        return
    }
    drop(RLENGTH)
    if (rest ~ /^(u8R?|[LuU]R?|R)["']/)
        refuse("these letters directly after a string are not accepted: write a space between")
}

# At the opening quote. A raw string extends, without escapes, to `)delimiter"`.
function skip_raw_string(   place, k, line, close_mark, n, wrong) {
    place = whole - length(rest)
    k = joints_before(place)
    line = substr(text[first + k], place - (k ? joint[k] : 0) + 2)
    n = index(line, "(")
    close_mark = ")" substr(line, 1, n - 1) "\""
    wrong = n == 0 || n > 17
    for (k += first; !wrong && !(n = index(line, close_mark)); line = text[++k])
        wrong = k >= FNR || directive || text[k + 1] ~ "^" blank "*[#%]"
    if (wrong)
        refuse("a raw string that is in a directive, has a line that begins with # or has " \
            "no end is not accepted: write a plain string")
    if (wrong) {
        last = FNR
        return rest = ""
    }
    text[k] = substr(line, n + length(close_mark))
    take_line(k)
}

# Sets `kind`: WORD, NUMBER, STRING, MARK, LINE_END, END; `word`, its letters; `began`, its line.
function next_token(   letter) {
    for (;;) {
        sub("^" blank "+", "", rest)
        began = first + joints_before(whole - length(rest))
        if (rest == "" && last >= FNR)
            return kind = "END"
        if (rest == "") {
            take_line(last + 1)
            return kind = "LINE_END"
        }
        if (rest ~ /^\/\//)
            rest = ""
        else if (rest ~ /^\/[*]/)
            skip_comment()
        else
            break
    }
    letter = word = substr(rest, 1, 1)
    if (match(rest, a_word)) {
        word = substr(rest, 1, RLENGTH)
        drop(RLENGTH)
        if (rest !~ /^"/ || word !~ /^(u8|[LuU])?R$/)
            return kind = "WORD"
        skip_raw_string()
        return kind = "STRING"
    }
    if (match(rest, a_number)) {
        drop(RLENGTH)
        return kind = "NUMBER"
    }
    if (letter in a_string) {
        skip_string(letter)
        return kind = "STRING"
    }
    return take_mark()
}

# `[` for `<:`, but not in `<::x`; and so on.
function take_mark(   pair) {
    pair = substr(rest, 1, 2)
    if (pair in two && (rest !~ /^<::/ || rest ~ /^<::[:>]/)) {
        word = two[pair]
        drop(1)
    } else if (word ~ /[\\\001-\037\177]/) {
        refuse("this character is not accepted outside a string: a backslash or one that " \
            "controls a terminal")
    }
    drop(1)
    return kind = "MARK"
}

function is_mark(letter) { return kind == "MARK" && word == letter }

function is_end() { return kind == "LINE_END" || kind == "END" }

# ---- words ----

# `using namespace std;` and `namespace cg = cooperative_groups;` may be between #include lines.
function names_space() {
    if (word !~ /^(using|namespace)$/ ||
        !match(rest, /^ +(namespace +[a-z]+(_[a-z]+)?|[a-z]+ *= *[a-z]+(_[a-z]+)?) *;/))
        return 0
    for (; !is_mark(";"); next_token())
        if (kind == "WORD")
            check_word()
    return 1
}

function is_reserved(name) { return name ~ /__|^_[A-Z]/ }

function check_word() {
    if (word ~ /simt|SIMT|[$]/ || is_listed("refused", word) ||
        (is_reserved(word) && !is_listed("names", word)))
        refuse("'" word "' is not accepted in a graded file: " what_instead(word))
}

# After `[[`.
function check_attribute() {
    while (next_token() != "END" && !is_mark("]"))
        if (kind == "WORD" && !is_listed("attributes", word))
            refuse("the attribute '" word "' is not accepted; write CUDA's")
}

# ---- directives ----

# The words up to the end of the line. Unbalanced brackets would reach out of a macro.
function check_rest(macro,   depth, hash, open) {
    for (next_token(); !is_end(); next_token()) {
        if (kind == "WORD")
            check_word()
        if (macro && hash && is_mark("#"))
            refuse("## is not accepted: write the name in full")
        hash = is_mark("#")
        if (kind == "MARK")
            depth += depth_of[word]
        open = open || depth < 0
    }
    if (macro && (open || depth != 0))
        refuse("a macro with unbalanced brackets is not accepted")
}

function check_include(   header, closed) {
    sub(/^[ \t]+/, "", rest)
    closed = match(rest, /^(<[^>]*>|"[^"]*")/)
    header = closed ? substr(rest, 2, RLENGTH - 2) : ""
    if (closed)
        drop(RLENGTH)
    if (!closed || !is_listed("headers", header) || header ~ /[.][.]/)
        refuse("#include of '" header "' is not accepted; accepted are the headers of CUDA, C " \
            "and C++ that common/grade/protect/accepted.txt lists")
    else if (code)
        refuse("#include <" header "> comes after code: move it to the top of the file")
    else if (next_token() != "END" && kind != "LINE_END")
        refuse("there is text after #include <" header ">")
}

# A constant in capitals may come before an #include; anything else might change the header.
function check_macro(define) {
    if (next_token() != "WORD")
        return
    if (is_listed("kept", word) || is_listed("calls", word) || is_reserved(word))
        refuse("#define '" word "': this name already has a meaning: choose another one")
    code = code || (define && word ~ /[a-z]/)
    check_word()
    check_rest(define)
}

function check_pragma() {
    if (next_token() == "WORD" && is_listed("pragmas", word))
        check_rest(0)
    else
        refuse("this #pragma is not accepted; accepted are #pragma unroll and once")
}

function check_directive() {
    directive = 1
    next_token()
    if (kind == "WORD" && word == "include")
        check_include()
    else if (kind == "WORD" && word ~ /^(define|undef)$/)
        check_macro(word == "define")
    else if (kind == "WORD" && word ~ /^(if|ifdef|ifndef|elif|else|endif|error|warning)$/)
        check_rest(0)
    else if (kind == "WORD" && word == "pragma")
        check_pragma()
    else if (!is_end())
        refuse("this directive is not accepted; accepted are #include, #define, #undef, #if and " \
            "its family, and #pragma unroll")
    while (!is_end())
        next_token()
    directive = 0
}

# ---- the whole text ----

END {
    sub(/^\357\273\277/, "", text[1]) # the byte order mark
    for (began = 1; began <= FNR; began++)
        if (text[began] ~ /\r./)
            refuse("a carriage return that does not end a line is not accepted")
    if (refused)
        exit 1
    take_line(1)
    for (line_begins = 1; next_token() != "END"; code = code || !(line_begins || space)) {
        space = line_begins && kind == "WORD" && names_space()
        if (line_begins && is_mark("#"))
            check_directive()
        else if (kind == "WORD")
            check_word()
        else if (bracket && is_mark("["))
            check_attribute()
        line_begins = kind == "LINE_END"
        bracket = is_mark("[") || (bracket && line_begins)
    }
    exit refused
}
