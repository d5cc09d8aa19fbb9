/* SPDX-License-Identifier: MIT */
/*
 * sides.c - does device code call a function of the host, or refer to one of its constants? Is a
 * kernel given a type that is private, or local to a function? translate/calls.c goes by names, and
 * is silent about operators, members, lambdas and what a template is given. g++ knows. The dump of
 * its first pass has each function, with an attribute from translate/sides.c, and each call in it:
 *
 *   ;; Function S::operator+ (_ZNK1SplERKS_, funcdef_no=6, decl_uid=2128, ...)
 *
 *   __attribute__((no_profile_instrument_function))
 *   floatD.41 S::operator+D.2128 (const struct SD.2115 * const thisD.2129, ...)
 *   {
 *     [my.cu:10:45] _3 = S::operator+D.2128 ([my.cu:10:45] &sD.2541, ...);
 *
 * A constructor is called by another number, that of its next declaration.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inside.h"

static const char head[] = "\n;; Function ";

enum side { EITHER, DEVICE, HOST, LIBRARY };

struct function {
    const char *name, *body;
    size_t length; /* of the name */
    unsigned long number;
    enum side side;
    bool kernel, seen;
};

static struct {
    struct function *all;
    size_t count;
    bool relaxed;
    const char *preprocessed, *mistakes;
} functions;

/* These functions of std are for the device too; so are copies and destructors that the compiler
 * makes. */
static const char on_both[] =
    "move forward abs acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh div erf "
    "erfc exp exp2 expm1 fabs fdim floor fma fmax fmin fmod fpclassify frexp hypot ilogb isfinite "
    "isgreater isgreaterequal isinf isless islessequal islessgreater isnan isnormal isunordered "
    "ldexp lgamma llrint llround log log10 log1p log2 logb lrint lround modf nan nearbyint "
    "nextafter pow remainder remquo rint round scalbln scalbn signbit sin sinh sqrt tan tanh "
    "tgamma "
    "trunc";

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static bool is_own(const char *place)
{
    return !strstr(place, "/simt/include/") && !strstr(place, "\"/usr/") && !begins(place, "/usr/");
}

static bool is_library(const char *symbol)
{
    const char *part[PARTS];
    if (match("^_ZSt([0-9]+)(.*)", symbol, part))
        return !listed(on_both, text("%.*s", atoi(part[1]), part[2]));
    return match("^_ZNK?St[0-9]", symbol, NULL) &&
           !match("^_ZNK?St16initializer_list|(C[12]|aS)E(RK|O)S[0-9A-Z]*_$|D[0-2]Ev$", symbol,
                  NULL);
}

static void read_function(struct function *f, const char *at)
{
    const char *part[PARTS], *line = until(at, "\n");
    match("^(.*) \\(([^ (),]*), funcdef_no=[0-9]+, decl_uid=([0-9]+)", line, part);
    const char *start = next_line(next_line(at)), *next = strstr(start, head);
    f->name = part[1];
    f->length = strlen(part[1]);
    f->number = strtoul(part[3], NULL, 10);
    f->body = next ? text("%.*s", (int)(next - start), start) : start;
    const char *marks = begins(f->body, "__attribute__") ? until(f->body, "\n") : "";
    const bool device = strstr(marks, "no_instrument_function") != NULL;
    const bool host = strstr(marks, "no_profile_instrument_function") != NULL;
    f->side = device == host ? EITHER : device ? DEVICE : HOST;
    f->kernel = device && strstr(marks, "no_icf") != NULL;
    if (!device && !host && is_library(part[2]))
        f->side = LIBRARY;
}

static int by_number(const void *a, const void *b)
{
    const unsigned long x = ((const struct function *)a)->number;
    const unsigned long y = ((const struct function *)b)->number;
    return (x > y) - (x < y);
}

/* The function with that number; or of the next one if `call` comes after its name: a constructor
 * or destructor. */
static struct function *find(unsigned long number, const char *call, const char *body)
{
    size_t low = 0, high = functions.count;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (functions.all[middle].number < number)
            low = middle + 1;
        else
            high = middle;
    }
    struct function *f = &functions.all[low], *const last = &functions.all[functions.count];
    while (call && f < last && f->number != number &&
           (call - body <= (ptrdiff_t)f->length ||
            !isspace((unsigned char)call[-(ptrdiff_t)f->length - 1]) ||
            memcmp(call - f->length, f->name, f->length) != 0))
        f++;
    return f < last && (call || f->number == number) ? f : NULL;
}

/* Is there `S::S` or `~S` before this place of a body? */
static bool is_after_member(const char *at, const char *body)
{
    while (at > body && is_word(at[-1]))
        at--;
    return at > body && (at[-1] == ':' || at[-1] == '~');
}

/* "my.cu:10", the last line of the program itself in a body, or before `at`; else the caller's. */
static const char *place_in(const struct function *f, const char *at, const char *caller)
{
    const char *part[PARTS], *place = caller, *p = f->body;
    while ((p = match("\\[([^][]+:[0-9]+):[0-9]+\\] ", p, part)) != NULL && (!at || p < at)) {
        if (is_own(part[1]))
            place = part[1];
        p += strlen(part[0]);
    }
    return place;
}

/* The declaration up to a name: `static const float `. The file is that of the last line marker. */
static const char *declaration(const char *at)
{
    const char *from = at, *marker = at;
    while (from > functions.preprocessed && !strchr(";{}", from[-1]))
        from--;
    while (marker > functions.preprocessed && !begins(marker, "\n# "))
        marker--;
    return is_own(until(marker + 1, "\n")) ? text("%.*s", (int)(at - from), from) : "";
}

/* Is a name of the program that of a constant of the host, and of nothing on the device? */
static bool is_host_constant(const char *name)
{
    bool found = false;
    const char *part[PARTS];
    for (const char *at = functions.preprocessed; (at = strstr(at, name)); at++) {
        if (at == functions.preprocessed || is_word(at[-1]) || is_word(at[strlen(name)]) ||
            !match("^ *(\\[[^]]*\\] *)*(=[^=]|\\{)", at + strlen(name), part))
            continue;
        const char *before = declaration(at);
        if (match("__(device|constant|shared|managed)__", before, NULL))
            return false;
        found |= match("(^|[^_a-zA-Z0-9])const(expr)?[^(]* $", before, NULL) != NULL;
    }
    return found;
}

/* Does a function declare this number itself? A parameter is before the body's brace; a variable
 * has a line without operators: `  const floatD.41 xD.123;`. */
static bool declares(const struct function *f, unsigned long number)
{
    const char *word = text("D.%lu", number), *open = strstr(f->body, "\n{");
    for (const char *at = f->body; (at = strstr(at, word)); at++) {
        const char *line = at;
        if (isdigit((unsigned char)at[strlen(word)]))
            continue;
        while (line > f->body && line[-1] != '\n' && !strchr("=([&", line[-1]))
            line--;
        if (at < open || (line > f->body && line[-1] == '\n'))
            return true;
    }
    return false;
}

/* nvcc knows the value of `const float half = 0.5f;` in device code, but has no such variable: no
 * reference, no address. `at` is a number in the function's body, after its name. */
static void check_constant(const struct function *f, const char *at, unsigned long number,
                           const char *end, const char *caller)
{
    const char *from = at;
    while (from > f->body && is_word(from[-1]))
        from--;
    const char *name = text("%.*s", (int)(at - from), from);
    const bool element = *end == '[' && !strchr(".>", from[-1]);
    if (!*name || (from[-1] != '&' && !element) || declares(f, number) || !is_host_constant(name))
        return;
    const char *place = place_in(f, at, caller);
    functions.mistakes =
        text("%s%s: simtcc: %s is a constant of the host; device code has its value, and no "
             "reference or address\n    write __constant__ or __device__ before it, or copy it\n",
             functions.mistakes, place, name);
}

/* Is a declaration in the private or protected part of a class? Back to the last label of its own
 * level, or to the brace of the class. */
static bool is_in_private_part(const char *at)
{
    const char *part[PARTS];
    int depth = 0;
    while (--at > functions.preprocessed) {
        depth += *at == '}';
        if (*at == '{' && depth-- == 0)
            return match("(^|[^a-z_])class[^a-z_]", declaration(at), NULL) &&
                   !match("[^a-z_](struct|enum|union)[^a-z_]", declaration(at), NULL);
        if (depth == 0 && *at == 'p' && !is_word(at[-1]) &&
            match("^(public|protected|private) *:[^:]", at, part))
            return !begins(part[1], "public");
    }
    return false;
}

static bool is_private(const char *name)
{
    for (const char *at = functions.preprocessed; (at = strstr(at, name)); at++)
        if (!is_word(at[-1]) && !is_word(at[strlen(name)]) &&
            match("(struct|class|enum|union|using) *$", declaration(at), NULL) &&
            is_in_private_part(at))
            return true;
    return false;
}

/* nvcc writes a function of its own that starts a kernel; it must be able to name all types. */
static void check_types(const struct function *f)
{
    const char *part[PARTS], *types = strchr(f->name, '<');
    bool hidden = false;
    if (!f->kernel || !types)
        return;
    for (const char *p = types; (p = match("::([A-Za-z_0-9]+)", p, part)); p += 2)
        hidden |= is_private(part[1]);
    const char *what = hidden ? "private"
                       : match("\\)( const| volatile| &+)*::[^<]", types, NULL)
                           ? "local to a function"
                           : NULL;
    if (what)
        functions.mistakes = text("%s%s: simtcc: a kernel cannot be given a type that is %s: %s\n"
                                  "    define the type outside\n",
                                  functions.mistakes, place_in(f, NULL, ""), what, f->name);
}

static void mistake(struct function *f, const char *place)
{
    if (!*place && f->side == HOST) /* a header calls it */
        place = place_in(f, NULL, "");
    if (!*place)
        return;
    f->seen = true;
    functions.mistakes =
        text("%s%s: simtcc: %s%s runs on the host; device code cannot call it\n    %s\n",
             functions.mistakes, place, strstr(f->name, "<lambda(") ? "a lambda" : f->name,
             strstr(f->name, "<lambda(") ? "" : "()",
             f->side == LIBRARY ? "give --expt-relaxed-constexpr, or write it out"
                                : "write __device__, or __host__ __device__, before it");
}

/* What a function calls, or takes the address of, and what these do. */
static void follow(struct function *f, const char *caller)
{
    f->seen = true;
    for (const char *at = f->body; (at = strstr(at, "D.")) != NULL; at += 2) {
        char *end;
        const unsigned long number = strtoul(at + 2, &end, 10);
        const bool member = begins(end, " (") && is_after_member(at, f->body);
        struct function *g = end > at + 2 ? find(number, member ? at : NULL, f->body) : NULL;
        if (!g && end > at + 2)
            check_constant(f, at, number, end, caller);
        if (!g || g->seen)
            continue;
        const char *place = place_in(f, at, caller);
        const bool wrong =
            g->side == HOST || (g->side == LIBRARY && f->side == DEVICE && !functions.relaxed);
        if (!wrong)
            follow(g, place);
        else
            mistake(g, place);
    }
}

const char *sides_mixed(const char *dump, const char *preprocessed, bool relaxed)
{
    size_t count = 0;
    for (const char *p = dump; (p = strstr(p, head)); p++)
        count++;
    functions.all = memory((count + 1) * sizeof *functions.all);
    functions.count = 0; /* one call of simtcc may have several files */
    functions.relaxed = relaxed;
    functions.preprocessed = preprocessed;
    functions.mistakes = "";
    memset(functions.all, 0, (count + 1) * sizeof *functions.all);
    for (const char *p = dump; (p = strstr(p, head)); p++)
        read_function(&functions.all[functions.count++], p + strlen(head));
    qsort(functions.all, count, sizeof *functions.all, by_number);
    for (size_t i = 0; i < count; i++)
        check_types(&functions.all[i]);
    for (size_t i = 0; i < count; i++)
        if (functions.all[i].side == DEVICE && !functions.all[i].seen)
            follow(&functions.all[i], "");
    return functions.mistakes;
}
