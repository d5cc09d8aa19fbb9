/* SPDX-License-Identifier: MIT */
/*
 * names.c - what the names of a program mean: functions of the host or of the device, kernels,
 * classes, variables. All declarations outside function bodies are read before the translation.
 *
 * It knows names, not types. If two things share a name, the bits of both are set: `f` is a host
 * function only if every f of the program is one. So the rules are silent in doubt.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inside.h"

/* ---- the table: open addressing; at least half of it is free ---- */

struct name {
    const char *text;
    size_t length;
    unsigned bits;
};
static struct name *table;
static size_t table_size, name_count; /* the size is a power of 2 */

static struct name *find(const char *text, size_t length)
{
    size_t at = 5381;
    for (size_t k = 0; k < length; k++)
        at = at * 33 + (unsigned char)text[k];
    for (;; at++) {
        struct name *n = &table[at & (table_size - 1)];
        if (!n->text || (n->length == length && memcmp(n->text, text, length) == 0))
            return n;
    }
}

static void enlarge(size_t size)
{
    struct name *const old = table, *const end = old + table_size;
    table_size = size;
    table = calloc(size, sizeof *table);
    if (!table) {
        fprintf(stderr, "translate: out of memory\n");
        exit(1);
    }
    for (const struct name *n = old; n < end; n++)
        if (n->text)
            *find(n->text, n->length) = *n;
    free(old);
}

unsigned name_bits(const struct source *s, size_t i)
{
    const struct token *t = &s->tokens[i];
    return t->kind == TOKEN_WORD ? find(t->text, t->length)->bits : 0;
}

void name_add(const struct source *s, size_t i, unsigned bits)
{
    const struct token *t = &s->tokens[i];
    struct name *n = find(t->text, t->length);
    bits |= n->bits;
    name_count += !n->text;
    *n = (struct name){t->text, t->length, bits};
    if (2 * name_count > table_size)
        enlarge(2 * table_size);
}

bool same_text(const struct source *s, size_t i, size_t k)
{
    const struct token *a = &s->tokens[i], *b = &s->tokens[k];
    return a->length == b->length && memcmp(a->text, b->text, a->length) == 0;
}

/* ---- reading declarations ---- */

struct reader {
    const struct source *s;
    struct scope scope;
    bool is_template;   /* the declaration begins with `template <...>` */
    size_t classes[64]; /* for each open brace the name of its class, 0 for a namespace */
    size_t depth;
};

static const char type_words[] = "void bool char short int long float double signed unsigned auto "
                                 "const volatile static inline extern friend virtual explicit "
                                 "constexpr consteval constinit thread_local mutable register "
                                 "typename __inline __inline__ __extension__ __forceinline__ "
                                 "__restrict__ __restrict";
static const char bracket_words[] = "__attribute__ __attribute alignas decltype noexcept explicit "
                                    "__asm__ asm requires typeof __typeof__ __declspec throw";

static void open_brace(struct reader *r, size_t class_name)
{
    if (r->depth < sizeof r->classes / sizeof *r->classes)
        r->classes[r->depth] = class_name;
    r->depth++;
}

static size_t class_name(const struct reader *r)
{
    return r->depth > 0 && r->depth <= 64 ? r->classes[r->depth - 1] : 0;
}

/* To the token after the next `;`, or to the `}` that closes the enclosing scope. */
static size_t after_semicolon(const struct source *s, size_t i)
{
    while (i < s->count && !is(s, i, ";") && !is(s, i, "}"))
        i = skip_part(s, i);
    return i + is(s, i, ";");
}

static bool has_friend(const struct source *s, size_t from, size_t end)
{
    while (from < end && !is(s, from, "friend"))
        from++;
    return from < end;
}

static unsigned function_bits(const struct reader *r, size_t from, size_t name, size_t end)
{
    const struct source *s = r->s;
    const struct token *t = &s->tokens[name];
    bool host = false, device = false, constant = false;
    for (size_t i = from; i < name; i++) {
        if (is(s, i, "__global__"))
            return NAME_KERNEL | (r->is_template ? NAME_TEMPLATE : 0) |
                   (class_name(r) && !has_friend(s, from, i) ? NAME_MEMBER : 0);
        host |= is(s, i, "__host__");
        device |= is(s, i, "__device__");
        constant |= is(s, i, "constexpr") || is(s, i, "consteval");
    }
    if (r->scope.ours && strncmp(t->text, "cuda", 4) == 0)
        return NAME_HOST | NAME_LIBRARY;
    if (r->scope.ours)
        return file_is(&r->scope, s, "/narrow") || !file_is(&r->scope, s, "/simt/include/simt/")
                   ? NAME_OTHER
               : strncmp(t->text, "__", 2) == 0 || strncmp(t->text, "atomic", 6) == 0
                   ? NAME_DEVICE | NAME_LIBRARY
                   : NAME_OTHER;
    if (!r->scope.user) /* a GPU has the functions of math.h */
        return file_is(&r->scope, s, "math") ? NAME_OTHER : NAME_HOST | NAME_LIBRARY;
    const size_t last = skip_back(s, end);
    if ((host && device) || is(s, last, "default") || is(s, last, "delete"))
        return NAME_OTHER;
    return device ? NAME_DEVICE : constant ? NAME_HOST | NAME_CONSTEXPR : NAME_HOST;
}

static void add_variables(const struct reader *r, size_t from, size_t name)
{
    const struct source *s = r->s;
    const bool constant = is_const(s, from);
    bool other = r->is_template || class_name(r) || !r->scope.user, device = false;
    if (r->scope.ours && class_name(r) && file_is(&r->scope, s, "/simt/include/simt/"))
        return; /* a program cannot mean the members of our own classes */
    for (size_t i = from; i < name; i++) {
        device |= is_any(s, i, "__device__ __constant__");
        other |= is_any(s, i, "__managed__ __shared__");
    }
    while (s->tokens[name].kind == TOKEN_WORD) {
        size_t i = skip_blank(s, name + 1);
        const bool array = is(s, i, "[");
        name_add(s, name,
                 other || (constant && (device || !array)) ? NAME_OTHER
                 : device   ? NAME_DEVICE_VARIABLE | (array ? NAME_TABLE : 0)
                 : constant ? NAME_TABLE
                            : NAME_VARIABLE);
        while (i < s->count && !is_any(s, i, ", ; < }"))
            i = skip_part(s, i);
        if (!is(s, i, ","))
            return;
        for (name = i + 1; is_blank(s, name) || is_any(s, name, "* & const");)
            name++;
    }
}

/* Reads a function or variables, from the first token. Returns the start of the next
 * declaration. */
static size_t read_declarators(struct reader *r, size_t from)
{
    const struct source *s = r->s;
    size_t name = 0, words = 0;
    bool body_of_type = false;
    for (size_t i = from; i < s->count;) {
        const size_t next = skip_blank(s, i + 1);
        if (is_any(s, i, bracket_words) && is(s, next, "(")) {
            i = skip_blank(s, skip_brackets(s, next));
        } else if (is(s, i, "operator") || is(s, i, "~")) {
            const size_t end = function_end(s, from);
            if ((r->scope.user || r->scope.ours) && end > from)
                sides_function(s, from, i, end, r->scope.user);
            return end > from ? end : after_semicolon(s, i);
        } else if (s->tokens[i].kind == TOKEN_WORD) {
            body_of_type |= is_any(s, i, "struct class union");
            name = is_any(s, i, type_words) ? 0 : i;
            words++;
            i = is(s, next, "<") ? skip_blank(s, skip_angles(s, next)) : next;
        } else if (is(s, i, "(") && name && !is_any(s, next, "* &")) {
            const size_t end = function_end(s, from);
            if ((r->scope.user || r->scope.ours) && end > from)
                sides_function(s, from, i, end, r->scope.user);
            if (words > 1 || (class_name(r) && same_text(s, name, class_name(r))))
                name_add(s, name, function_bits(r, from, name, end));
            return end > from ? end : after_semicolon(s, i);
        } else if (is(s, i, "{") && body_of_type) {
            i = skip_blank(s, skip_braces(s, i));
            name = 0;
        } else if (is(s, i, "[") && is(s, i + 1, "[")) {
            i = skip_blank(s, skip_brackets(s, i));
        } else if (is_any(s, i, "= ; , [ { } (") || (is(s, i, ":") && !is(s, i + 1, ":"))) {
            if (name && words > 1 && !is(s, i, "("))
                add_variables(r, from, name);
            return is(s, i, "}") ? i : after_semicolon(s, i);
        } else if (is(s, i, ":")) {
            i = skip_blank(s, i + 2);
        } else {
            i = next;
        }
    }
    return s->count;
}

/* `struct name final : base {`: to its first member. Else i: this is not a class body. */
static size_t read_class(struct reader *r, size_t i)
{
    const struct source *s = r->s;
    size_t name = i, j = skip_blank(s, i + 1);
    while (j < s->count && !is(s, j, "{")) {
        const bool word = s->tokens[j].kind == TOKEN_WORD;
        if (is(s, j, ";"))
            return j + 1;
        if (is_any(s, j, "__attribute__ alignas"))
            j = skip_brackets(s, skip_blank(s, j + 1));
        else if (is(s, j, "[") && is(s, j + 1, "["))
            j = skip_brackets(s, j);
        else if (is(s, j, ":"))
            while (j < s->count && !is_any(s, j, "{ ;"))
                j++;
        else if (is(s, j, "<"))
            j = skip_angles(s, j);
        else if (word && (name == i || is(s, j, "final")))
            name = is(s, j, "final") ? name : j, j++;
        else
            return i;
        j = skip_blank(s, j);
    }
    name_add(s, name, NAME_CLASS);
    if (!r->scope.user && !r->scope.ours)
        return after_semicolon(s, j);
    open_brace(r, name);
    return j + 1;
}

static size_t read_namespace(struct reader *r, size_t i, bool inside)
{
    const struct source *s = r->s;
    while (i < s->count && !is_any(s, i, "{ ; ="))
        i++;
    if (!is(s, i, "{"))
        return after_semicolon(s, i);
    if (!inside)
        return skip_braces(s, i);
    open_brace(r, 0);
    return i + 1;
}

/* Of the library only the C part is read: its templates have names that a program does not use. */
static size_t read_declaration(struct reader *r, size_t i)
{
    const struct source *s = r->s;
    const size_t next = skip_blank(s, i + 1);
    const bool was_template = r->is_template, ours = r->scope.user || r->scope.ours;
    r->is_template = is(s, i, "template");
    if (is(s, i, "}")) {
        r->depth -= r->depth > 0;
        return i + 1;
    }
    if (r->is_template)
        return is(s, next, "<") ? skip_angles(s, next) : after_semicolon(s, i);
    if (is(s, i, ";") || is(s, i, "__extension__"))
        return i + 1;
    if (is_any(s, i, "public private protected"))
        return next + 1;
    if (is_any(s, i, "using typedef enum static_assert asm __asm__"))
        return after_semicolon(s, i);
    if (is(s, i, "namespace") || (is(s, i, "inline") && is(s, next, "namespace")))
        return read_namespace(r, i, ours);
    if (is(s, i, "extern") && s->tokens[next].kind == TOKEN_STRING &&
        is(s, skip_blank(s, next + 1), "{"))
        return read_namespace(r, i, ours || s->tokens[next].length == 3);
    const size_t body = is_any(s, i, "class struct union") ? read_class(r, i) : i;
    if (body != i)
        return body;
    r->is_template = was_template;
    const size_t end = read_declarators(r, i);
    r->is_template = false;
    return end > i ? end : i + 1;
}

/* In a function body: `struct { __device__ int get() ...`. Such a name may mean anything. */
static void add_local(const struct source *s, size_t i)
{
    while (i < s->count && !is_any(s, i, "( ; {"))
        i++;
    if (is(s, i, "(") && s->tokens[skip_back(s, i)].kind == TOKEN_WORD)
        name_add(s, skip_back(s, i), NAME_OTHER);
}

void names_read(const struct source *s)
{
    struct reader r = {.s = s};
    size_t declaration = 0;
    enlarge(1 << 12);
    int body = 0; /* braces inside of the declaration */
    for (size_t i = 0; i < s->count; i++) {
        if (s->tokens[i].kind == TOKEN_DIRECTIVE) {
            scope_file(&r.scope, s, i);
        } else if (!is_blank(s, i) && i >= declaration) {
            declaration = read_declaration(&r, i);
            body = 0;
        }
        body += is(s, i, "{") - is(s, i, "}");
        const bool library = !r.scope.user && !r.scope.ours;
        if (library && s->tokens[i].kind == TOKEN_WORD && is(s, skip_blank(s, i + 1), "("))
            name_add(s, i, NAME_LIBRARY);
        else if (r.scope.user && i < declaration && body > 0 && is(s, i, "__device__"))
            add_local(s, i);
    }
}
