# SPDX-License-Identifier: MIT
#
# formats.awk - shows the records of marks in FORMAT: text, csv, gradescope, prairielearn, github,
# or as the rows of a class. records.c writes them, a line each, separated by tabs:
#
#   mark points of seed seconds exercise title file refused sandbox why score
#   test points of result cause name shape expected seen place code sizes hint    of the last mark
#   student name                                                   whose this mark is, in a class
#   other file                                                     one that was not accepted
#   row points of seed seconds student exercise file note          what has no tests, in a class
#   remark text
#
# In a text control characters are escaped as in C, and the rest is UTF-8. The locale is C, so that
# a character is a byte, and non-ASCII is printed as it is.

BEGIN {
    FS = "\t"
    format = ENVIRON["FORMAT"]
    visibility = ENVIRON["VISIBILITY"]
}
$1 == "mark" {
    m = ++marks
    points[m] = $2
    of[m] = $3
    seed[m] = $4
    exercise[m] = $6
    title[m] = $7
    file[m] = $8
    refused[m] = $9
    sandbox[m] = $10
    why[m] = $11
    score[m] = $12
    all_points += $2
    all_of += $3
    seconds += seconds_of[m] = $5
}
$1 == "test" {
    tests[m]++
    i = m SUBSEP tests[m]
    test_points[i] = $2
    test_of[i] = $3
    result[i] = $4
    cause[i] = $5
    name[i] = $6
    shape[i] = $7
    expected[i] = $8
    seen[i] = $9
    place[i] = $10
    code[i] = $11
    sizes[i] = $12
    hint[i] = $13
}
$1 == "remark" { remark = $2 }
$1 == "student" { student[m] = $2 }
$1 == "other" { others[m] = others[m] "; not taken: " substr($2, 1, 200) }
$1 == "row" {
    rows[marks + 0] = rows[marks + 0] quote($6) "," $7 "," $2 "," $3 "," $5 "," quote($8) "," \
        quote(plain($9)) "," $4 ",\n"
}
END {
    if (format == "text") show_text()
    if (format == "rows") show_rows()
    if (format == "csv") show_csv()
    if (format == "github") show_github()
    if (format == "gradescope") show_gradescope()
    if (format == "prairielearn") show_prairielearn()
}

# ---- texts ----

# The replacements of escapes, in text and in JSON. Invalid UTF-8 becomes U+FFFD there.
function sign_of(escape, json) {
    if (json && length(escape) == 2) return escape
    if (json) return escape ~ /^.x[0-7]/ ? "\\u00" substr(escape, 3) : "\357\277\275"
    if (escape == "\\n") return "\n"
    if (escape == "\\\\") return "\\"
    return escape == "\\x09" ? " " : escape
}
function unescape(text, json,    n, escape, done) {
    while ((n = index(text, "\\")) > 0) {
        escape = substr(text, n, substr(text, n + 1, 1) == "x" ? 4 : 2)
        done = done substr(text, 1, n - 1) sign_of(escape, json)
        text = substr(text, n + length(escape))
    }
    return done text
}
function plain(text) {
    return unescape(text, 0)
}
function string(text) {
    text = unescape(text, 1)
    gsub(/"/, "\\\"", text)
    return "\"" text "\""
}

# ---- text for a terminal of 80 columns ----

# In GitHub's summary lines are indented by four spaces, so that they are shown as they are.
function say(line) {
    if (report != "") print line > report
    else print (format == "github" ? "    " : "") line
}

function columns(text) {
    gsub(/[\200-\277]/, "", text)
    return length(text)
}

# "label text", broken between words.
function wrap(label, text,    line, lines, word, words, n, k, used, out) {
    out = sprintf("         %-11s", label)
    lines = split(plain(text), line, "\n")
    for (n = 1; n <= lines; n++) {
        if (n == lines && n > 1 && line[n] == "") break
        if (n > 1) {
            say(out)
            out = sprintf("%20s", "")
        }
        used = 20
        words = split(line[n], word, / /)
        for (k = 1; k <= words; k++) {
            if (used > 20 && used + 1 + columns(word[k]) > 80) {
                say(out)
                out = sprintf("%20s", "")
                used = 20
            }
            out = out (used > 20 ? " " : "") word[k]
            used += columns(word[k]) + (used > 20)
        }
    }
    say(out)
}

function show_test(i) {
    say(sprintf("%-8s %3s of %3s  %s", result[i] == "failed" ? "FAILED" : result[i],
        test_points[i], test_of[i], plain(name[i])))
    if (result[i] == "passed") return
    if (shape[i] != "") wrap("with", shape[i])
    wrap("expected", expected[i])
    wrap("seen", seen[i])
    if (code[i] place[i] != "") wrap("line", code[i] == "" ? place[i] : code[i])
    if (hint[i] != "") wrap("hint", hint[i])
}

# The page that steps through the first failed run whose line is known.
function show_page(m,    t, i, n, parts, part, path) {
    if (file[m] ~ /\\/) return # this name cannot be typed
    parts = split(file[m], part, "'")
    for (n = 1; n <= parts; n++) path = path (n > 1 ? "'\\''" : "") part[n]
    for (t = 1; t <= tests[m]; t++) {
        i = m SUBSEP t
        if (result[i] != "failed" || place[i] == "" || cause[i] == "endless") continue
        say("to step through \"" plain(name[i]) "\"" \
            (cause[i] == "finding" ? ", where f goes to what was found" : "") ":")
        say("  make show TASK=" exercise[m] " SUBMISSION='" path "'" \
            (sizes[i] == "" ? "" : " N=" sizes[i]))
        return
    }
}

function show_mark(m,    t) {
    say("exercise " exercise[m] ": " title[m])
    say(file[m])
    if (refused[m] != "") {
        say("refused")
        wrap("why", refused[m])
    } else {
        for (t = 1; t <= tests[m]; t++) show_test(m SUBSEP t)
    }
    if (why[m] != "") wrap("why", why[m])
    if (score[m] != "") say("score on the board: " score[m] "; less is better")
    say(points[m] " of " of[m] " points; to run this again: SEED=" seed[m])
    if (refused[m] != "") return
    show_page(m)
    say(sandbox[m])
}

function show_text(    m) {
    for (m = 1; m <= marks; m++) {
        if (m > 1) say("")
        show_mark(m)
    }
    if (marks > 1) {
        say("")
        say("all exercises: " all_points " of " all_of " points")
    }
    if (remark != "") wrap("remark", remark)
}

# ---- a class: a row for each mark, and in the folder REPORTS a report, student.03.txt ----

# Why points are missing, on one line, and the files that were not accepted.
function note_of(m,    t, i, note) {
    if (refused[m] != "") note = (is_missing(m) ? "" : "refused: ") refused[m]
    for (t = 1; t <= tests[m] && note == ""; t++) {
        i = m SUBSEP t
        if (result[i] != "passed") note = name[i] ": " seen[i]
    }
    note = plain(note)
    sub(/\n.*/, "", note)
    if (refused[m] == "" && why[m] != "")
        note = note (note == "" ? "" : "; ") "why: " plain(why[m] ~ /^nothing yet/ ? "not said" : why[m])
    return substr(note others[m], note == "" ? 3 : 1)
}
function is_missing(m) {
    return file[m] == "no file"
}

function show_rows(    m) {
    for (m = 1; m <= marks; m++) {
        if (ENVIRON["REPORTS"] == "") break
        report = ENVIRON["REPORTS"] "/" substr(student[m], 1, 200) \
            (length(student[m]) > 200 ? "~" m : "") "." exercise[m] ".txt"
        printf "" > report
        show_mark(m)
        if (close(report) != 0) exit 2
    }
    for (m = 0; m <= marks; m++) {
        if (m > 0) {
            printf "%s,%s,%s,", quote(student[m]), exercise[m], points[m]
            printf "%s,%.1f,%s,", of[m], seconds_of[m], is_missing(m) ? "" : quote(file[m])
            print quote(note_of(m)) "," seed[m] "," score[m]
        }
        printf "%s", rows[m]
    }
}

# ---- GitHub: the summary of a job, a table and the text ----

function show_github(    m, t, i) {
    print "| exercise | result | points | of | test |"
    print "| --- | --- | ---: | ---: | --- |"
    for (m = 1; m <= marks; m++) {
        if (refused[m] != "") print "| " exercise[m] " | refused | 0 | | |"
        for (t = 1; t <= tests[m] && refused[m] == ""; t++) {
            i = m SUBSEP t
            print "| " exercise[m] " | " (result[i] == "failed" ? "FAILED" : result[i]) " | " \
                test_points[i] " | " test_of[i] " | " name[i] " |"
        }
        print "| " exercise[m] " | all | " points[m] " | " of[m] " | |"
    }
    print ""
    show_text()
}

# ---- CSV: a row for each test ----

function show_csv(    m, t, i) {
    print "file,exercise,test,result,points,of,seed,seen"
    for (m = 1; m <= marks; m++) for (t = 1; t <= tests[m]; t++) {
        i = m SUBSEP t
        printf "%s,%s,", quote(plain(file[m])), exercise[m]
        printf "%s,%s,", quote(plain(name[i])), (refused[m] == "" ? result[i] : "refused")
        printf "%s,%s,%s,", test_points[i], test_of[i], seed[m]
        print quote(plain(refused[m] == "" ? seen[i] : refused[m]))
    }
}

# ---- JSON; the fields are those of the platforms' documents ----

# What a student reads about one test.
function about_test(m, i) {
    if (refused[m] != "") return "not run"
    if (result[i] == "passed") return "passed"
    return "with " (shape[i] == "" ? "-" : shape[i]) "\\nexpected: " expected[i] "\\nseen: " \
        seen[i] (place[i] == "" ? "" : "\\nline: " place[i]) (code[i] == "" ? "" : "\\n" code[i]) \
        (hint[i] == "" ? "" : "\\nhint: " hint[i])
}

# What a student reads about all: why a file was refused, once and in full; the seeds.
function about_all(    m, text) {
    for (m = 1; m <= marks; m++)
        text = text (m > 1 ? "\\n" : "") "exercise " exercise[m] ": " points[m] " of " of[m] \
            " points" (refused[m] == "" ? "" : "; refused:\\n" refused[m]) \
            "; to run this again: SEED=" seed[m] (why[m] == "" ? "" : "\\nwhy: " why[m]) \
            (score[m] == "" ? "" : "\\nscore on the board: " score[m])
    return text (text != "" && remark != "" ? "\\n" : "") remark
}

function gradescope_test(m, t, i) {
    return ", \"score\": " test_points[i] ", \"max_score\": " test_of[i] ", \"status\": \"" \
        (result[i] == "passed" ? "passed" : "failed") "\", \"visibility\": \"" \
        (t > 1 && visibility != "" ? visibility : "visible") "\""
}
function prairielearn_test(i) {
    return ", \"points\": " test_points[i] ", \"max_points\": " test_of[i] ", \"message\": " \
        string(hint[i])
}

# An object for each test; with several exercises it is called `03: whole tiles`.
function show_tests(    m, t, i, between) {
    printf "  \"tests\": ["
    for (m = 1; m <= marks; m++) for (t = 1; t <= tests[m]; t++) {
        i = m SUBSEP t
        printf "%s\n    {\"name\": %s, ", between,
            string((marks > 1 ? exercise[m] ": " : "") name[i])
        printf "\"output\": %s", string(about_test(m, i))
        printf "%s}", (format == "gradescope" ? gradescope_test(m, t, i) : prairielearn_test(i))
        between = ","
    }
    print "\n  ]\n}"
}

# gradescope-autograders.readthedocs.io/en/latest/specs/
function show_gradescope() {
    printf "{\n  \"score\": %s,\n  \"execution_time\": %.1f,\n", all_points + 0, seconds
    print "  \"visibility\": \"visible\",\n  \"stdout_visibility\": \"hidden\","
    print "  \"output_format\": \"text\",\n  \"test_output_format\": \"text\","
    print "  \"test_name_format\": \"text\",\n  \"output\": " string(about_all()) ","
    show_tests()
}

# docs.prairielearn.com/externalGrading, "Grading results": a score from 0 to 1. A refused file is
# an attempt with 0 points.
function show_prairielearn() {
    print "{\n  \"gradable\": true,\n  \"score\": " (all_of > 0 ? all_points / all_of : 0) ","
    print "  \"message\": " string(about_all()) ","
    show_tests()
}
