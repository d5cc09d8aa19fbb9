/* SPDX-License-Identifier: MIT */
/*
 * refuse.c - refuses what is outside the subset but would compile all the same, with its name and
 * line. Names that our headers lack are found by the compiler; see driver/messages.c.
 */
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inside.h"

static bool any;

bool refused_any(void)
{
    return any;
}

/* The line of token i, from the last line marker and the line ends since. */
unsigned long line_of(const struct scope *scope, const struct source *s, size_t i)
{
    const struct token *marker = &s->tokens[scope->marker];
    unsigned long line = strtoul(marker->text + 1, NULL, 10);
    for (const char *p = marker->text + marker->length + 1; p < s->tokens[i].text; p++)
        line += *p == '\n';
    return line;
}

/* Writes "file:line: " of token i. */
static void print_place(const struct scope *scope, const struct source *s, size_t i)
{
    const struct token *marker = &s->tokens[scope->marker];
    if (marker->kind != TOKEN_DIRECTIVE)
        return;
    const char *name = strchr(marker->text, '"');
    int length = 1;
    while (name[length] != '"')
        length += name[length] == '\\' ? 2 : 1;
    fprintf(stderr, "%.*s:%lu: ", length - 1, name + 1, line_of(scope, s, i));
}

/* What is not CUDA either: nvcc rejects it as well. */
void mistake(const struct scope *scope, const struct source *s, size_t i, const char *format, ...)
{
    va_list arguments;
    any = true;
    print_place(scope, s, i);
    fprintf(stderr, "simtcc: ");
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
}

void refuse(const struct scope *scope, const struct source *s, size_t i, const char *what)
{
    mistake(scope, s, i, "%s is outside the subset (see common/simt/README.md)", what);
}

static bool is_assembly(const struct source *s, size_t i)
{
    return is(s, i, "asm") || is(s, i, "__asm__") || is(s, i, "__asm");
}

/* The device heap, and static variables of a device function, are not supported. */
static void refuse_in_device(const struct scope *scope, const struct source *s, size_t i)
{
    const size_t next = skip_blank(s, i + 1), last = skip_back(s, i);
    const bool call = is(s, next, "(") && !is(s, last, ".") && !is(s, last, ">");
    if (call && is(s, i, "malloc"))
        refuse(scope, s, i, "malloc in device code");
    else if (call && is(s, i, "free"))
        refuse(scope, s, i, "free in device code");
    else if (is(s, i, "new") && !is(s, next, "(") && !is(s, last, "operator"))
        refuse(scope, s, i, "new in device code");
    else if (is(s, i, "delete") && !is(s, last, "=") && !is(s, last, "operator"))
        refuse(scope, s, i, "delete in device code");
    else if (is(s, i, "static") && is_variable(s, i) && !is_const(s, i) &&
             find_specifier(s, i, "__shared__") == s->count)
        refuse(scope, s, i, "a static variable in device code");
}

/* Graphs are supported by capture only, without nodes. */
static bool is_graph_call(const struct source *s, size_t i)
{
    const char *text = s->tokens[i].text;
    return is(s, skip_blank(s, i + 1), "(") &&
           !is_any(s, i,
                   "cudaGraphInstantiate cudaGraphInstantiateWithFlags cudaGraphLaunch "
                   "cudaGraphDestroy cudaGraphExecDestroy") &&
           strncmp(text, "cudaGraph", strlen("cudaGraph")) == 0 &&
           isupper((unsigned char)text[strlen("cudaGraph")]);
}

/* `texture<float> t;` of CUDA before 12, unless the program has a class of that name. */
static bool is_texture(const struct scope *scope, const struct source *s, size_t i)
{
    if (scope->depth > 0 || !is(s, i, "texture") || !is(s, skip_blank(s, i + 1), "<"))
        return false;
    for (size_t k = i; k > 0; k--)
        if (same_text(s, k, i) && is_any(s, skip_back(s, k), "struct class using"))
            return false;
    return true;
}

void refuse_words(const struct scope *scope, const struct source *s, size_t i)
{
    if (!scope->user)
        return;
    if (is_assembly(s, i) &&
        !(i < scope->device_end && assembly_translate(s, i, line_of(scope, s, i))))
        mistake(scope, s, i,
                "asm is outside the subset, but for some PTX in device code: write it in C++ "
                "(see common/simt/README.md)");
    else if (is_graph_call(s, i))
        mistake(scope, s, i, "%.*s is outside the subset (see common/simt/README.md)", NAME(s, i));
    else if (is_texture(scope, s, i)) {
        refuse(scope, s, i, "texture");
        name_add(s, skip_blank(s, skip_angles(s, skip_blank(s, i + 1))), NAME_OTHER);
    } else if (i < scope->device_end && scope->device_only)
        refuse_in_device(scope, s, i);
}
