/* SPDX-License-Identifier: MIT */
/*
 * text.c - text of a student in reports, in JSON and in CSV.
 */
#define _GNU_SOURCE
#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "report.h"
#include "simt/driver/inside.h"

void stop(const char *format, ...)
{
    va_list values;
    va_start(values, format);
    fputs("grade: ", stderr);
    vfprintf(stderr, format, values);
    fputc('\n', stderr);
    exit(2);
}

void *longer(void *list, size_t count, size_t bytes)
{
    void *memory = realloc(list, (count + 1) * bytes);
    if (!memory)
        stop("no memory for a list");
    return memory;
}

size_t text_character(const char *text)
{
    const unsigned char *p = (const unsigned char *)text;
    const size_t n = p[0] < 0x80 ? 1 : p[0] < 0xc2 ? 0 : p[0] < 0xe0 ? 2 : p[0] < 0xf0 ? 3 : 4;
    unsigned code = n > 1 ? p[0] & (0x7fu >> n) : p[0];
    for (size_t i = 1; i < n; i++) {
        if ((p[i] & 0xc0) != 0x80)
            return 0;
        code = code << 6 | (p[i] & 0x3f);
    }
    const bool valid = (n < 3 || code >= 0x800) &&
                       (n < 4 || (code >= 0x10000 && code < 0x110000)) &&
                       (code < 0xd800 || code > 0xdfff);
    const bool control = code < 0x20 || (code >= 0x7f && code < 0xa0) ||
                         (code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
    return valid && !control ? n : 0;
}

enum how { AS_C, AS_JSON, AS_LINES };

/* Writes a text, in which each of the `escaped` characters gets a backslash. What is no printable
 * character becomes its number. Returns the end. */
static char *write_text(char *to, const char *text, const char *escaped, enum how how)
{
    for (size_t n; *text; text += n > 0 ? n : 1) {
        n = text_character(text);
        if (strchr(escaped, *text))
            to += sprintf(to, "\\%c", *text == '\n' ? 'n' : *text);
        else if (n > 0)
            to = (char *)memcpy(to, text, n) + n;
        else if (how == AS_LINES && strchr("\n\t", *text))
            *to++ = *text == '\n' ? '\n' : ' ';
        else if (how != AS_JSON)
            to += sprintf(to, "\\x%02x", (unsigned char)*text);
        else if (*text & 0x80)
            to += sprintf(to, "\xef\xbf\xbd"); /* U+FFFD */
        else
            to += sprintf(to, "\\u%04x", (unsigned char)*text);
    }
    *to = '\0';
    return to;
}

const char *text_shown(const char *text)
{
    char *shown = memory(4 * strlen(text) + 1);
    write_text(shown, text, "\n\\", AS_C);
    return shown;
}

const char *text_plain(const char *text)
{
    char *plain = memory(4 * strlen(text) + 1);
    write_text(plain, text, "", AS_LINES);
    return plain;
}

const char *text_json(const char *text)
{
    char *json = memory(6 * strlen(text) + 3);
    *json = '"';
    strcpy(write_text(json + 1, text, "\n\\\"", AS_JSON), "\"");
    return json;
}

const char *text_quoted(const char *word)
{
    const char *all = "'", *rest = word;
    for (const char *quote; (quote = strchr(rest, '\'')) != NULL; rest = quote + 1)
        all = text("%s%.*s'\\''", all, (int)(quote - rest), rest);
    return text("%s%s'", all, rest);
}

/* ---- words ---- */

bool has_word(const char *words, const char *word)
{
    const size_t n = strlen(word);
    for (const char *p = words; (p = strstr(p, word)) != NULL; p++)
        if ((p == words || strchr(" ,", p[-1])) && strchr(" ,", p[n]))
            return true;
    return false;
}

/* ---- CSV, so that no spreadsheet mistakes a text for a formula ---- */

/* Its first character may be a full-width one, as Chinese or Japanese keyboards write it: U+FF1D,
 * U+FF0B, U+FF0D, U+FF20. */
static bool is_formula(const char *text)
{
    return (*text && strchr("-=+@'", *text)) ||
           (strncmp(text, "\xef\xbc", 2) == 0 && text[2] && strchr("\x9d\x8b\x8d\xa0", text[2]));
}

const char *csv_quote(const char *text)
{
    const bool quoted = strpbrk(text, "\",;\n") != NULL;
    char *csv = memory(2 * strlen(text) + 4), *to = csv;
    if (quoted)
        *to++ = '"';
    if (is_formula(text))
        *to++ = '\'';
    for (; *text; text++) {
        if (*text == '"')
            *to++ = '"';
        *to++ = *text;
    }
    if (quoted)
        *to++ = '"';
    *to = '\0';
    return csv;
}

size_t csv_split(char *line, char **field, size_t most)
{
    size_t n = 0;
    bool quoted = false;
    line[strcspn(line, "\r\n")] = '\0';
    char *to = line, *from = line;
    for (field[n] = to;; from++) {
        if (*from == '"' && quoted && from[1] == '"')
            *to++ = *++from;
        else if (*from == '"')
            quoted = !quoted;
        else if (*from && (*from != ',' || quoted))
            *to++ = *from;
        else {
            const bool last = !*from;
            *to++ = '\0';
            field[n] += *field[n] == '\'' && is_formula(field[n] + 1);
            n++;
            if (last || n == most)
                return n;
            field[n] = to;
        }
    }
}
