/* SPDX-License-Identifier: MIT */
#include "tasks.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "harness/fnv.h"
#include "simt/driver/inside.h"
#include "simt/translate/inside.h"

enum { LINE_BYTES = 100, MOST_LINES = 1 << 13, MOST_WHY = 1023 };

/* A text as its lines: a hash of each, and how much it counts. */
struct lines {
    uint64_t hash[MOST_LINES], open; /* of the line that has not ended */
    size_t weight[MOST_LINES], count, length;
    size_t beyond; /* if there are too many lines to compare */
};

static void add_token(struct lines *l, const struct token *t)
{
    for (size_t i = 0; i < t->length; i++)
        if (!isspace((unsigned char)t->text[i])) {
            l->open = fnv_add(l->open, &t->text[i], 1);
            l->length++;
        }
}

static void end_line(struct lines *l)
{
    const size_t weight = (l->length + LINE_BYTES - 1) / LINE_BYTES;
    if (l->length > 0 && l->count < MOST_LINES) {
        l->hash[l->count] = l->open;
        l->weight[l->count++] = weight;
    } else {
        l->beyond += weight;
    }
    l->open = l->length = 0;
}

/* A copy in which lines that end with a backslash are joined with the next ones, as the compiler
 * does first of all. */
static char *joined(const char *from)
{
    char *const copy = memory(strlen(from) + 1), *to = copy;
    for (; *from; from++) {
        const char *const end = from + 1 + strspn(from + 1, " \t\r");
        if (*from == '\\' && *end == '\n')
            from = end;
        else
            *to++ = *from;
    }
    *to = '\0';
    return copy;
}

static struct lines *lines_of(const char *text)
{
    struct lines *l = memset(memory(sizeof *l), 0, sizeof *l);
    struct source s = tokens_cut_directives(joined(text));
    for (size_t i = 0; i < s.count; i++) {
        const struct token *t = &s.tokens[i];
        if (t->kind != TOKEN_BLANK)
            add_token(l, t);
        else if (t->length == 0) /* the end of a directive */
            end_line(l);
        if (is_any(&s, i, "; { }"))
            end_line(l);
    }
    end_line(l);
    free(s.tokens);
    return l;
}

/* The table of the fewest changes between the first i and the first k lines, row by row. */
size_t changed_lines(const char *before, const char *after)
{
    const struct lines *const a = lines_of(before), *const b = lines_of(after);
    size_t *const row = memory((MOST_LINES + 1) * sizeof *row);
    row[0] = 0;
    for (size_t k = 0; k < b->count; k++)
        row[k + 1] = row[k] + b->weight[k];
    for (size_t i = 0; i < a->count; i++) {
        size_t diagonal = row[0];
        row[0] += a->weight[i];
        for (size_t k = 0; k < b->count; k++) {
            const size_t without_a = row[k + 1] + a->weight[i], without_b = row[k] + b->weight[k];
            const size_t fewest = without_a < without_b ? without_a : without_b;
            const bool same = a->hash[i] == b->hash[k];
            const size_t next = same && diagonal < fewest ? diagonal : fewest;
            diagonal = row[k + 1];
            row[k + 1] = next;
        }
    }
    return row[b->count] + a->beyond + b->beyond;
}

/* A text, and after a blank the rest of a line, trimmed. */
static const char *with_rest(const char *before, const char *rest)
{
    rest += strspn(rest, " \t");
    size_t n = strcspn(rest, "\n");
    while (n > 0 && isspace((unsigned char)rest[n - 1]))
        n--;
    return n > 0 ? text("%s%s%.*s", before, *before ? " " : "", (int)n, rest) : before;
}

const char *why_of(const char *all)
{
    static const char mark[] = "// Why:";
    const char *p = begins(all, mark) ? all : strstr(all, "\n// Why:"), *why = "";
    if (!p)
        return why;
    p = strstr(p, mark) + strlen(mark);
    why = with_rest(why, p);
    while (begins(p = next_line(p), "// "))
        why = with_rest(why, p + 3);
    return text("%.*s", MOST_WHY, why);
}
