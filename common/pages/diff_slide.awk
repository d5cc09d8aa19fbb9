# SPDX-License-Identifier: MIT
#
# diff_slide.awk - a diff with all lines (diff -U 100000, without comments) as a slide: at most ROWS
# rows of COLUMNS columns, each changed line once, with its words marked: [-old-]{+new+}, or in
# colour with COLOR=1. What does not fit is counted: long runs, those of host functions first.

BEGIN {
    ROWS = ROWS ? ROWS : 40
    COLUMNS = COLUMNS ? COLUMNS : 90
    escape = "\033["
}

/^(---|\+\+\+) / && !body { next }
/^@@ / { body = 1; next }
/^\\/ { next }
{
    line = substr($0, 2)
    if (line ~ /^extern "C" const step_t step/) exit # a table, and a summary
    lines++
    sign[lines] = substr($0, 1, 1)
    text[lines] = line
    if (sign[lines] != "+") place("-", line)
    if (sign[lines] != "-") place("+", line)
}

# The function of a line of one of the two files. `rank`: host 1, device 2, kernel 3.
function place(side, line,    head, i) {
    if (line ~ /^template/) {
        name[side] = ""
        template[side] = lines # belongs to what follows
    } else if (line ~ /^[A-Za-z_]/) {
        head = line
        rank_of[side] = head ~ /__global__/ ? 3 : head ~ /^static / && head !~ /__device__/ ? 1 : 2
        gsub(/(__launch_bounds__|alignas)\([^()]*(\([^()]*\))?[^()]*\)/, "", head)
        sub(/ *(\(|= |\{|\[|;).*/, "", head)
        sub(/.*[^A-Za-z_0-9]/, "", head)
        name[side] = head
        i = template[side]
        if (i && (sign[i] == side || sign[i] == " ")) {
            part[i] = head
            rank[i] = rank_of[side]
        }
        template[side] = 0
    } else if (line ~ /^#/) {
        name[side] = ""
        rank_of[side] = line ~ /^#include/ ? 1 : 2
    }
    part[lines] = name[side]
    rank[lines] = rank_of[side]
    if (line ~ /^\}/) name[side] = ""
}

# ---- words ----

function words(line, out,    n) {
    while (line != "") {
        if (!match(line, /^([A-Za-z_0-9]+|[ \t]+)/)) RLENGTH = 1
        out[++n] = substr(line, 1, RLENGTH)
        line = substr(line, RLENGTH + 1)
    }
    return n
}

# How similar two lines are, 0 to 1; `merged` becomes the line of both, with marks: \1old\2 and
# \3new\4.
function merge(a, b,    n, m, i, j, k, x, y, best, same, most, state, old, new, kept) {
    n = words(a, x)
    m = words(b, y)
    for (i = n; i >= 1; i--) for (j = m; j >= 1; j--) {
        best[i, j] = best[i + 1, j] > best[i, j + 1] ? best[i + 1, j] : best[i, j + 1]
        if (x[i] == y[j] && best[i + 1, j + 1] + 1 > best[i, j]) best[i, j] = best[i + 1, j + 1] + 1
    }
    for (k = 1; k <= n; k++) most += x[k] ~ /[A-Za-z_0-9]/
    for (k = j = 0; k++ < m;) j += y[k] ~ /[A-Za-z_0-9]/
    most = j > most ? j : most
    merged = ""
    for (i = j = 1; i <= n || j <= m;) {
        if (i <= n && j <= m && x[i] == y[j] && best[i, j] == best[i + 1, j + 1] + 1) {
            kept = kept x[i]
            same += x[i] ~ /[A-Za-z_0-9]/
            i++
            j++
            continue
        }
        # Between two changes, punctuation alone does not end the marking.
        if (kept != "" && (kept ~ /[A-Za-z_0-9]/ || old new == "")) {
            flush_words(old, new)
            merged = merged kept
            old = new = ""
        } else {
            old = old kept
            new = new kept
        }
        kept = ""
        if (i <= n && (j > m || best[i + 1, j] >= best[i, j + 1])) old = old x[i++]
        else new = new y[j++]
    }
    flush_words(old, new)
    merged = merged kept
    return most ? same / most : 0
}
function flush_words(old, new) {
    if (old != "") merged = merged "\001" old "\002"
    if (new != "") merged = merged "\003" new "\004"
}

# Adjacent removed and added lines: similar ones become one.
function pair(first, middle, last,    i, j, next_new, best, at, score) {
    next_new = middle
    for (i = first; i < middle; i++) {
        best = 0.4
        at = 0
        for (j = next_new; j < last; j++) if (part[i] == part[j] && (score = merge(text[i], text[j])) > best) {
            best = score
            at = j
        }
        if (at) {
            for (j = next_new; j < at; j++) put("+", text[j], j)
            merge(text[i], text[at])
            put("~", merged, at)
            next_new = at + 1
        } else
            put("-", text[i], i)
    }
    for (j = next_new; j < last; j++) put("+", text[j], j)
}
function put(how, what, from) {
    items++
    item_sign[items] = how
    item[items] = what
    item_part[items] = part[from]
    item_rank[items] = rank[from]
}

# ---- rows ----

function row(what,    cut, plain, marks, begin) {
    tell_left_out()
    begin = substr(what, 1, 2)
    do {
        plain = what
        marks = gsub(/[\001-\004]/, "&&", plain) # two columns each
        cut = length(what)
        if (length(plain) > COLUMNS) {
            for (cut = COLUMNS - marks; cut > 20 && substr(what, cut, 1) != " "; cut--);
            if (cut <= 20) cut = COLUMNS - marks
        }
        out[++rows] = substr(what, 1, cut)
        sub(/ +$/, "", out[rows])
        what = substr(what, cut + 1)
        if (what != "") what = begin "            " what
    } while (what != "")
}

# A row for lines that are left out; consecutive runs of the same sign share it.
function leave_out(how, count, name, more) {
    if (left_out && left_sign != how) tell_left_out()
    left_sign = how
    left_out += count
    left_more = more
    if (name != "" && name != left_last) left_names = left_names (left_names == "" ? "" : ", ") name
    left_last = name
}
function tell_left_out(    what) {
    if (!left_out) return
    what = left_sign " ... " left_out (left_more ? " more" : "") \
        (left_out == 1 ? " line" : " lines") (left_names == "" ? "" : " of " left_names) ": " \
        (left_sign == "-" ? "gone" : left_sign == "+" ? "new" : "changed")
    left_out = 0
    left_names = left_last = ""
    row(what)
}

# The slide with that much context around a change and no longer runs than these: of removed lines,
# and in host functions (longest[1]), device functions and constants (2) and kernels (3).
function fill(around, gone, longest,    i, k, near, run, most, skipped, before) {
    rows = left_out = 0
    row(title)
    skipped = 1
    before = "none"
    for (i = 1; i <= items; i++) {
        near = item_sign[i] != " "
        for (k = i - around; k <= i + around && !near; k++)
            near = k >= 1 && k <= items && item_sign[k] != " "
        if (near && skipped && item_part[i] != before)
            row(item_part[i] == "" ? "..." : "... " item_part[i])
        else if (near && skipped && !left_out) row("...")
        skipped = !near
        if (!near) continue
        before = item_part[i]
        if (item_sign[i] == " ") {
            row("  " item[i])
            continue
        }
        most = longest[item_rank[i]] + 0
        if (item_sign[i] == "-" && gone < most) most = gone
        # A run of changes in one function, of one sign. A single line is no longer than its
        # summary.
        for (run = i; run < items && item_sign[run + 1] == item_sign[i] && \
             item_part[run + 1] == item_part[i]; run++);
        for (k = i; k <= run && (k - i < most || (run == k && !left_out)); k++)
            row(item_sign[k] " " item[k])
        if (k <= run) leave_out(item_sign[i], run - k + 1, item_part[i], k > i)
        i = run
    }
    tell_left_out()
    return rows <= ROWS
}

END {
    for (i = 1; i <= lines; i++) {
        if (sign[i] == " ") { put(" ", text[i], i); continue }
        for (first = i; sign[i] == "-"; i++);
        for (middle = i; sign[i] == "+"; i++);
        pair(first, middle, i)
        i--
    }
    title = OLD " -> " NEW
    n = split("3 99 99 99 99,1 99 99 99 99,0 99 99 99 99,0 4 99 99 99,0 4 6 99 99,0 3 3 99 99," \
        "0 2 2 99 99,0 2 2 3 99,0 2 2 1 99,0 1 1 1 99,0 1 0 0 99,0 0 0 0 99,0 0 0 0 16,0 0 0 0 8," \
        "0 0 0 0 4,0 0 0 0 0", setting, ",")
    for (s = 1; s <= n; s++) {
        split(setting[s], value, " ")
        for (k = 1; k <= 3; k++) longest[k] = value[k + 2]
        if (fill(value[1] + 0, value[2] + 0, longest)) break
    }
    if (rows > ROWS) {
        out[ROWS] = "... and more: make diff without SLIDE=1"
        rows = ROWS
    }
    for (i = 1; i <= rows; i++) {
        line = out[i]
        if (COLOR) {
            if (line ~ /^- /) line = escape "31m" line escape "m"
            if (line ~ /^\+ /) line = escape "32m" line escape "m"
            gsub(/\001/, escape "31;7m", line)
            gsub(/\003/, escape "32;7m", line)
            gsub(/[\002\004]/, escape "m", line)
        } else {
            gsub(/\001/, "[-", line)
            gsub(/\002/, "-]", line)
            gsub(/\003/, "{+", line)
            gsub(/\004/, "+}", line)
        }
        print line
    }
}
