/* SPDX-License-Identifier: MIT */
/*
 * slide.c - slide OLD NEW [color] <DIFF: a diff with all lines (diff -U 100000, without comments)
 * as a slide of at most 40 rows of 90 columns: each changed line once, with its words marked,
 * [-old-]{+new+}, or in colour. What does not fit is counted: long runs, those of host functions
 * first.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "simt/driver/inside.h"

enum { ROWS = 40, COLUMNS = 90, MOST = 4000, MOST_WORDS = 200 };

enum rank { NONE, HOST, DEVICE, KERNEL, RANKS };

typedef struct {
    char sign;               /* of the diff; ~ for a line of both, with marks */
    const char *text, *part; /* the function or the like that it is in */
    enum rank rank;
} line_t;

typedef struct {
    line_t line[MOST];
    size_t count;
} lines_t;

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static void add(lines_t *lines, char sign, const char *text, const line_t *from)
{
    if (lines->count < MOST)
        lines->line[lines->count++] = (line_t){sign, text, from->part, from->rank};
}

/* ---- the lines, and the function of each ---- */

/* Where one of the two files is. */
typedef struct {
    char sign;
    const char *name;
    enum rank rank;
    line_t *template; /* it belongs to what follows */
} side_t;

static const char *declared(const char *head)
{
    const char *part[PARTS], *at;
    while ((at = match("(__launch_bounds__|alignas)\\([^()]*(\\([^()]*\\))?[^()]*\\)", head, part)))
        head = text("%.*s%s", (int)(at - head), head, at + strlen(part[0]));
    at = match(" *(\\(|= |\\{|\\[|;)", head, part);
    head = at ? text("%.*s", (int)(at - head), head) : head;
    size_t n = strlen(head);
    while (n > 0 && is_word(head[n - 1]))
        n--;
    return head + n;
}

static void place(side_t *side, line_t *line)
{
    const char *words = line->text;
    if (begins(words, "template")) {
        side->name = "";
        side->template = line;
    } else if (is_word(*words) && !isdigit((unsigned char)*words)) {
        side->rank = strstr(words, "__global__")                                ? KERNEL
                     : begins(words, "static ") && !strstr(words, "__device__") ? HOST
                                                                                : DEVICE;
        side->name = declared(words);
        if (side->template && (side->template->sign == side->sign || side->template->sign == ' ')) {
            side->template->part = side->name;
            side->template->rank = side->rank;
        }
        side->template = NULL;
    } else if (*words == '#') {
        side->name = "";
        side->rank = begins(words, "#include") ? HOST : DEVICE;
    }
    line->part = side->name;
    line->rank = side->rank;
    if (*words == '}')
        side->name = "";
}

static void read_diff(lines_t *lines)
{
    char row[4096];
    bool body = false;
    side_t old = {'-', "", NONE, NULL}, new = {'+', "", NONE, NULL};
    while (fgets(row, sizeof row, stdin) && lines->count < MOST) {
        if (begins(row, "@@ ")) {
            body = true;
            continue;
        }
        if (*row == '\\' || (!body && (begins(row, "--- ") || begins(row, "+++ "))))
            continue;
        line_t *line = &lines->line[lines->count];
        *line = (line_t){*row, until(row + 1, "\n"), "", NONE};
        if (begins(line->text, "extern \"C\" const step_t step"))
            return; /* a table, and a summary */
        lines->count++;
        if (line->sign != '+')
            place(&old, line);
        if (line->sign != '-')
            place(&new, line);
    }
}

/* ---- words ---- */

static size_t split(const char *line, const char *word[MOST_WORDS])
{
    size_t n = 0, length;
    for (; *line && n < MOST_WORDS - 1; line += length) {
        for (length = 0; is_word(line[length]);)
            length++;
        length = length > 0 ? length : strspn(line, " \t");
        length = length > 0 ? length : 1;
        word[n++] = text("%.*s", (int)length, line);
    }
    return n;
}

static size_t names_in(const char *const *word, size_t n)
{
    size_t names = 0;
    for (size_t i = 0; i < n; i++)
        names += is_word(*word[i]);
    return names;
}

/* What is in the one and in the other line, with marks: \1old\2 and \3new\4. */
static const char *marked(const char *old, const char *new)
{
    return text("%s%s%s%s%s%s", *old ? "\1" : "", old, *old ? "\2" : "", *new ? "\3" : "", new,
                *new ? "\4" : "");
}

/* How similar two lines are, 0 to 1; *merged becomes the line of both. */
static double merge(const char *a, const char *b, const char **merged)
{
    static unsigned best[MOST_WORDS + 1][MOST_WORDS + 1]; /* words in common from here on */
    const char *x[MOST_WORDS], *y[MOST_WORDS];
    const size_t n = split(a, x), m = split(b, y);
    memset(best, 0, sizeof best);
    for (size_t i = n; i-- > 0;)
        for (size_t j = m; j-- > 0;) {
            best[i][j] = best[i + 1][j] > best[i][j + 1] ? best[i + 1][j] : best[i][j + 1];
            if (same(x[i], y[j]) && best[i + 1][j + 1] + 1 > best[i][j])
                best[i][j] = best[i + 1][j + 1] + 1;
        }
    const char *old = "", *new = "", *kept = "";
    size_t common = 0;
    *merged = "";
    for (size_t i = 0, j = 0; i < n || j < m;) {
        if (i < n && j < m && same(x[i], y[j]) && best[i][j] == best[i + 1][j + 1] + 1) {
            kept = text("%s%s", kept, x[i]);
            common += is_word(*x[i]);
            i++, j++;
            continue;
        }
        /* Between two changes, punctuation alone does not end the marking. */
        if (*kept && (match("[A-Za-z_0-9]", kept, NULL) || !(*old || *new))) {
            *merged = text("%s%s%s", *merged, marked(old, new), kept);
            old = new = "";
        } else {
            old = text("%s%s", old, kept);
            new = text("%s%s", new, kept);
        }
        kept = "";
        if (i < n && (j >= m || best[i + 1][j] >= best[i][j + 1]))
            old = text("%s%s", old, x[i++]);
        else
            new = text("%s%s", new, y[j++]);
    }
    *merged = text("%s%s%s", *merged, marked(old, new), kept);
    const size_t p = names_in(x, n), q = names_in(y, m), most = p > q ? p : q;
    return most > 0 ? (double)common / (double)most : 0;
}

/* Adjacent removed and added lines: similar ones become one. */
static void pair(lines_t *items, const line_t *first, const line_t *middle, const line_t *last)
{
    const line_t *next = middle;
    for (const line_t *i = first; i < middle; i++) {
        double best = 0.4;
        const line_t *at = NULL;
        const char *merged, *kept = NULL;
        for (const line_t *j = next; j < last; j++) {
            const double score = same(i->part, j->part) ? merge(i->text, j->text, &merged) : 0;
            if (score > best) {
                best = score;
                at = j;
                kept = merged;
            }
        }
        if (!at) {
            add(items, '-', i->text, i);
            continue;
        }
        for (; next < at; next++)
            add(items, '+', next->text, next);
        add(items, '~', kept, at);
        next = at + 1;
    }
    for (; next < last; next++)
        add(items, '+', next->text, next);
}

/* ---- rows ---- */

typedef struct {
    const char *row[MOST];
    size_t rows, left_out; /* lines of one sign, which a row is for */
    char sign;
    bool more;
    const char *names, *last;
} slide_t;

static void tell_left_out(slide_t *s);

static void put_row(slide_t *s, const char *what)
{
    tell_left_out(s);
    const char *begin = text("%.2s            ", what);
    while (*what) {
        size_t length = strlen(what), marks = 0;
        for (const char *p = what; *p; p++)
            marks += *p >= 1 && *p <= 4; /* two columns each */
        size_t cut = length;
        if (length + marks > COLUMNS) {
            for (cut = COLUMNS - marks; cut > 20 && what[cut - 1] != ' ';)
                cut--;
            cut = cut <= 20 ? COLUMNS - marks : cut;
        }
        for (length = cut; length > 0 && what[length - 1] == ' ';)
            length--;
        if (s->rows < MOST)
            s->row[s->rows++] = text("%.*s", (int)length, what);
        what = what[cut] ? text("%s%s", begin, what + cut) : "";
    }
}

static void tell_left_out(slide_t *s)
{
    const size_t count = s->left_out;
    s->left_out = 0;
    if (count > 0)
        put_row(s, text("%c ... %zu%s line%s%s%s: %s", s->sign, count, s->more ? " more" : "",
                        count == 1 ? "" : "s", *s->names ? " of " : "", s->names,
                        s->sign == '-'   ? "gone"
                        : s->sign == '+' ? "new"
                                         : "changed"));
    s->names = s->last = "";
}

/* A row for lines that are left out; consecutive runs of the same sign share it. */
static void leave_out(slide_t *s, const line_t *line, size_t count, bool more)
{
    if (s->left_out > 0 && s->sign != line->sign)
        tell_left_out(s);
    s->sign = line->sign;
    s->left_out += count;
    s->more = more;
    if (*line->part && !same(line->part, s->last))
        s->names = text("%s%s%s", s->names, *s->names ? ", " : "", line->part);
    s->last = line->part;
}

/* The context around a change, and the longest runs: of removed lines, and by rank. */
typedef struct {
    size_t around, gone, longest[RANKS];
} setting_t;

static bool is_near(const lines_t *items, size_t i, size_t around)
{
    for (size_t k = i > around ? i - around : 0; k <= i + around && k < items->count; k++)
        if (items->line[k].sign != ' ')
            return true;
    return false;
}

static bool fill(slide_t *s, const lines_t *items, const char *title, const setting_t *set)
{
    const line_t *const line = items->line;
    const char *before = NULL;
    bool skipped = true;
    *s = (slide_t){.names = "", .last = ""};
    put_row(s, title);
    for (size_t i = 0; i < items->count; i++) {
        if (!is_near(items, i, set->around)) {
            skipped = true;
            continue;
        }
        if (skipped && (!before || !same(line[i].part, before)))
            put_row(s, text("...%s%s", *line[i].part ? " " : "", line[i].part));
        else if (skipped && s->left_out == 0)
            put_row(s, "...");
        skipped = false;
        before = line[i].part;
        if (line[i].sign == ' ') {
            put_row(s, text("  %s", line[i].text));
            continue;
        }
        size_t most = set->longest[line[i].rank], run = i, k = i;
        most = line[i].sign == '-' && set->gone < most ? set->gone : most;
        /* A run of changes in one function, of one sign. A single line is no longer than its
         * summary. */
        while (run + 1 < items->count && line[run + 1].sign == line[i].sign &&
               same(line[run + 1].part, line[i].part))
            run++;
        for (; k <= run && (k - i < most || (run == k && s->left_out == 0)); k++)
            put_row(s, text("%c %s", line[k].sign, line[k].text));
        if (k <= run)
            leave_out(s, &line[i], run - k + 1, k > i);
        i = run;
    }
    tell_left_out(s);
    return s->rows <= ROWS;
}

static void print_row(const char *row, bool color)
{
    static const char *const marks[2][4] = {{"[-", "-]", "{+", "+}"},
                                            {"\033[31;7m", "\033[m", "\033[32;7m", "\033[m"}};
    const bool whole = color && strchr("-+", *row) && row[1] == ' ';
    fputs(!whole ? "" : *row == '-' ? "\033[31m" : "\033[32m", stdout);
    for (const char *p = row; *p; p++)
        if (*p >= 1 && *p <= 4)
            fputs(marks[color][*p - 1], stdout);
        else
            putchar(*p);
    puts(whole ? "\033[m" : "");
}

int main(int count, char **argv)
{
    static const setting_t settings[] = {
        {3, 99, {0, 99, 99, 99}}, {1, 99, {0, 99, 99, 99}}, {0, 99, {0, 99, 99, 99}},
        {0, 4, {0, 99, 99, 99}},  {0, 4, {0, 6, 99, 99}},   {0, 3, {0, 3, 99, 99}},
        {0, 2, {0, 2, 99, 99}},   {0, 2, {0, 2, 3, 99}},    {0, 2, {0, 2, 1, 99}},
        {0, 1, {0, 1, 1, 99}},    {0, 1, {0, 0, 0, 99}},    {0, 0, {0, 0, 0, 99}},
        {0, 0, {0, 0, 0, 16}},    {0, 0, {0, 0, 0, 8}},     {0, 0, {0, 0, 0, 4}},
        {0, 0, {0, 0, 0, 0}}};
    static lines_t lines, items;
    static slide_t slide;
    const bool color = count > 3 && *argv[3];
    read_diff(&lines);
    const line_t *const end = lines.line + lines.count;
    for (const line_t *line = lines.line; line < end;) {
        const line_t *first = line, *middle;
        if (line->sign == ' ') {
            add(&items, ' ', line->text, line);
            line++;
            continue;
        }
        while (line < end && line->sign == '-')
            line++;
        for (middle = line; line < end && line->sign == '+';)
            line++;
        pair(&items, first, middle, line);
    }
    const char *title = text("%s -> %s", argv[1], argv[2]);
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        if (fill(&slide, &items, title, &settings[i]))
            break;
    if (slide.rows > ROWS) {
        slide.row[ROWS - 1] = "... and more: make diff without SLIDE=1";
        slide.rows = ROWS;
    }
    for (size_t i = 0; i < slide.rows; i++)
        print_row(slide.row[i], color);
    return 0;
}
