/* SPDX-License-Identifier: MIT */
/*
 * show.c - writes the page of `make show`: one HTML file that needs nothing else.
 *
 *     show OUT.html NAME WHAT TRACE [NAME WHAT TRACE]
 *
 * NAME "03_no_bank_conflict" and WHAT "f32 sum, n = 256" are shown above the trace's panels; of two
 * traces each gets half of the page. Run it from the root of the course, where the sources are.
 * show.html has a line for each part of the page: a file of its folder, or the traces as JSON.
 * Exit: 0, or 1 where something can't be read, written or drawn; 2 for the command line.
 */
#include "../trace/trace.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FOLDER "common/pages/show/"

enum {
    PAGE_BYTES_MAX = 1000000,
    LINES_BEFORE = 18, /* of the source, above the first line that was met */
    LINES_AFTER = 6
};

__attribute__((format(printf, 1, 2), noreturn)) static void fail(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs("show: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    exit(1);
}

/* ---- JSON: a comma stands before each member but the first ---- */

/* A string of JSON that may also stand inside of HTML. */
static void put_string(FILE *out, const char *text)
{
    fputc('"', out);
    for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
        if (*c < 0x20 || *c == '"' || *c == '\\' || *c == '<')
            fprintf(out, "\\u%04x", *c);
        else
            fputc(*c, out);
    }
    fputc('"', out);
}

static void put_text(FILE *out, const char *name, const char *text)
{
    fprintf(out, ",\"%s\":", name);
    put_string(out, text);
}

static void put_number(FILE *out, const char *name, long long value)
{
    fprintf(out, ",\"%s\":%lld", name, value);
}

/* ---- the source ---- */

/* The lines of a file from the first that the trace has met to the last, and some around them. */
static void put_file(FILE *out, const trace_t *t, int file)
{
    unsigned low = ~0u, high = 0, number = 0;
    for (size_t i = 0; i < t->step_count; i++) {
        const trace_step_t *s = &t->steps[i];
        if (s->file != file || s->line == 0)
            continue;
        low = s->line < low ? s->line : low;
        high = s->line > high ? s->line : high;
    }
    low = low > LINES_BEFORE ? low - LINES_BEFORE : 1;
    fprintf(out, "%s{\"first\":%u", file ? "," : "", low);
    put_text(out, "name", t->files[file]);
    fprintf(out, ",\"lines\":[");
    FILE *in = fopen(t->files[file], "r");
    char line[1000];
    while (in && number < high + LINES_AFTER && fgets(line, sizeof line, in)) {
        if (++number < low)
            continue;
        line[strcspn(line, "\r\n")] = '\0';
        if (number > low)
            fputc(',', out);
        put_string(out, line);
    }
    if (in)
        fclose(in);
    fprintf(out, "]}\n");
}

/* ---- the arrays ---- */

/* All of a shared array; of global memory the elements that the block has touched. */
static void put_array(FILE *out, const trace_t *t, int array)
{
    const trace_array_t *a = &t->arrays[array];
    long long low = a->length ? (long long)a->length - 1 : 0, high = 0;
    for (size_t i = 0; i < t->step_count; i++) {
        for (unsigned k = 0; k < t->steps[i].lane_count; k++) {
            const trace_lane_t *l = &t->steps[i].lanes[k];
            const long long past = (l->offset + l->bytes + a->element_bytes - 1) / a->element_bytes;
            if (l->array != array)
                continue;
            low = l->index < low ? l->index : low;
            high = past > high ? past : high;
        }
    }
    fprintf(out, "%s{\"element\":%u", array ? "," : "", a->element_bytes);
    put_text(out, "name", a->name);
    put_text(out, "space", a->space == TRACE_SHARED ? "shared" : "global");
    put_number(out, "columns", a->columns);
    put_number(out, "phase", a->phase);
    put_number(out, "low", a->space == TRACE_SHARED ? 0 : low);
    put_number(out, "high", a->space == TRACE_SHARED ? (long long)a->length : high);
    fprintf(out, "}\n");
}

/* ---- the steps ---- */

/* A number for each lane. */
#define PUT_LANES(name, member)                                                                    \
    do {                                                                                           \
        fprintf(out, ",\"%s\":[", name);                                                           \
        for (unsigned k = 0; k < s->lane_count; k++)                                               \
            fprintf(out, "%s%lld", k ? "," : "", (long long)s->lanes[k].member);                   \
        fputc(']', out);                                                                           \
    } while (0)

/* A bit for each lane. */
#define PUT_MASK(name, condition)                                                                  \
    do {                                                                                           \
        uint32_t mask = 0;                                                                         \
        for (unsigned k = 0; k < s->lane_count; k++)                                               \
            mask |= (uint32_t)(condition) << s->lanes[k].lane;                                     \
        if (mask)                                                                                  \
            put_number(out, name, mask);                                                           \
    } while (0)

/*
 * The values of all lanes, with blanks between. Of a wide element whose type is unknown, such as a
 * float4, its words, with commas between.
 */
static void put_values(FILE *out, const char *name, const trace_t *t, const trace_step_t *s,
                       bool before)
{
    char text[TRACE_TEXT];
    fprintf(out, ",\"%s\":\"", name);
    for (unsigned k = 0; k < s->lane_count; k++) {
        const trace_lane_t *l = &s->lanes[k];
        const trace_array_t *a = l->array == TRACE_NONE ? NULL : &t->arrays[l->array];
        const bool wide = a && a->type == TRACE_UNKNOWN && a->element_bytes > 4;
        const trace_type_t type =
            a && a->type != TRACE_UNKNOWN ? a->type : trace_guess(t, wide ? 4 : s->bytes);
        const unsigned bytes = s->bytes < TRACE_VALUE ? s->bytes : TRACE_VALUE;
        trace_value(type, before ? l->before : l->after, bytes, text);
        for (char *c = text; wide && *c; c++)
            if (*c == ' ')
                *c = ',';
        fprintf(out, "%s%s", k ? " " : "", text);
    }
    fputc('"', out);
}

static void put_memory(FILE *out, const trace_t *t, const trace_step_t *s)
{
    put_text(out, "space",
             s->space == TRACE_SHARED   ? "shared"
             : s->space == TRACE_GLOBAL ? "global"
                                        : "constant");
    PUT_LANES("array", array);
    PUT_LANES("offset", offset);
    if (s->kind != TRACE_LOAD)
        put_values(out, "before", t, s, true);
    put_values(out, "after", t, s, false);
    PUT_MASK("unwritten", s->lanes[k].unwritten);
    put_number(out, "requests", s->requests);
    if (s->space == TRACE_SHARED) {
        PUT_LANES("part", wavefront);
        put_number(out, "wavefronts", s->wavefronts);
        put_number(out, "ideal", s->wavefronts_ideal);
    } else {
        put_number(out, "sectors", s->sectors);
        put_number(out, "ideal_sectors", s->sectors_ideal);
        put_number(out, "used", s->bytes_used);
    }
}

static void put_shuffle(FILE *out, const trace_t *t, const trace_step_t *s)
{
    PUT_LANES("source", source);
    PUT_MASK("outside", s->lanes[k].out_of_range);
    PUT_MASK("unused", !s->lanes[k].used);
    put_values(out, "before", t, s, true);
    put_values(out, "after", t, s, false);
}

static void put_step(FILE *out, const trace_t *t, const trace_step_t *s)
{
    fprintf(out, "{\"warp\":%u", s->warp);
    put_text(out, "kind", trace_kind_name(s->kind));
    put_text(out, "name", s->name ? s->name : "");
    put_number(out, "file", s->file);
    put_number(out, "line", s->line);
    put_number(out, "pc", s->instruction);
    put_number(out, "round", s->round);
    put_number(out, "act", s->act);
    put_number(out, "idle", s->idle);
    put_number(out, "wait", s->wait);
    put_number(out, "left", s->left);
    put_number(out, "bytes", s->bytes);
    if (s->kind == TRACE_LOAD || s->kind == TRACE_STORE || s->kind == TRACE_ATOMIC)
        put_memory(out, t, s);
    if (s->kind == TRACE_SHUFFLE)
        put_shuffle(out, t, s);
    if (s->kind == TRACE_FINDING)
        put_number(out, "finding", s->finding);
    fprintf(out, "}\n");
}

static void put_finding(FILE *out, const trace_t *t, const trace_finding_t *f, const int *places)
{
    fprintf(out, "{\"stopped\":%d", f->stopped);
    put_text(out, "title", f->title);
    put_text(out, "text", f->text);
    fprintf(out, ",\"accesses\":[");
    for (unsigned i = 0; i < f->access_count; i++) {
        const trace_access_t *a = &f->access[i];
        char text[TRACE_TEXT];
        fprintf(out, "%s{\"thread\":%u", i ? "," : "", a->thread);
        put_text(out, "kind", trace_kind_name(a->kind));
        put_text(out, "element", trace_element(t, a->array, a->index, text));
        put_number(out, "block", a->block_number);
        put_number(out, "line", a->line);
        put_number(out, "array", a->array);
        put_number(out, "index", a->index);
        put_number(out, "step", a->step == TRACE_NONE ? -1 : places[a->step]);
        fputc('}', out);
    }
    fprintf(out, "]}\n");
}

/* ---- a trace ---- */

static void put_trace(FILE *out, const char *name, const char *what, const char *path)
{
    trace_t t;
    char message[TRACE_MESSAGE], launch[300];
    if (!trace_read(&t, path, message))
        fail("%s: %s", name, message);
    if (t.full)
        fail("%s: block %u takes more than the %zu steps that a trace holds; ask for a smaller N=",
             name, t.blocks[0].number, t.step_count);
    int *places = calloc(t.step_count + 1, sizeof *places);
    if (!places)
        fail("out of memory");
    trace_places(&t, places);
    snprintf(launch, sizeof launch, "%s: %s<<<%u, %u>>>, block %u of %u", what, t.kernel,
             t.grid[0] * t.grid[1] * t.grid[2], t.threads, t.blocks[0].number,
             t.grid[0] * t.grid[1] * t.grid[2]);
    fprintf(out, "{\"warps\":%u", t.warps);
    put_number(out, "threads", t.threads);
    put_text(out, "title", name);
    put_text(out, "what", launch);
    fprintf(out, ",\"files\":[");
    for (size_t i = 0; i < t.file_count; i++)
        put_file(out, &t, (int)i);
    fprintf(out, "],\"arrays\":[");
    for (size_t i = 0; i < t.array_count; i++)
        put_array(out, &t, (int)i);
    fprintf(out, "],\"steps\":[\n");
    for (size_t i = 0; i < t.step_count; i++) {
        if (i > 0 && places[i] == places[i - 1])
            continue;
        if (i > 0)
            fputc(',', out);
        put_step(out, &t, &t.steps[i]);
    }
    fprintf(out, "],\"findings\":[");
    for (size_t i = 0; i < t.finding_count; i++) {
        if (i > 0)
            fputc(',', out);
        put_finding(out, &t, &t.findings[i], places);
    }
    fprintf(out, "],\"counters\":{");
    for (size_t i = 0; i < t.counter_count; i++)
        fprintf(out, "%s\"%s\":%llu", i > 0 ? "," : "", t.counters[i].name, t.counters[i].value);
    fprintf(out, "}}\n");
    free(places);
    trace_free(&t);
}

/* ---- the page ---- */

static void copy_file(FILE *out, const char *path)
{
    FILE *in = fopen(path, "r");
    char text[4096];
    if (!in)
        fail("cannot read '%s'; run it from the root of the course", path);
    for (size_t n; (n = fread(text, 1, sizeof text, in)) > 0;)
        fwrite(text, 1, n, out);
    fclose(in);
}

/* What a tab and a bookmark are called: "02_no_divergence, step by step". */
static void put_title(FILE *out, int traces, char **argv)
{
    fputs("<title>", out);
    for (int i = 0; i < traces; i++) {
        if (i > 0)
            fputs(" and ", out);
        for (const char *c = argv[3 * i]; *c; c++)
            fprintf(out, strchr("<&", *c) ? "&#%d;" : "%c", *c);
    }
    fputs(", step by step</title>\n", out);
}

static void put_page(FILE *out, int traces, char **argv)
{
    FILE *page = fopen(FOLDER "show.html", "r");
    char line[1000];
    if (!page)
        fail("cannot read '" FOLDER "show.html'; run it from the root of the course");
    while (fgets(line, sizeof line, page)) {
        char name[80], path[120];
        if (strcmp(line, "/*** traces ***/\n") == 0) {
            for (int i = 0; i < traces; i++) {
                fputc(i ? ',' : '[', out);
                put_trace(out, argv[3 * i], argv[3 * i + 1], argv[3 * i + 2]);
            }
            fputs("]\n", out);
        } else if (strcmp(line, "<title></title>\n") == 0) {
            put_title(out, traces, argv);
        } else if (sscanf(line, "/*** %79s ***/", name) == 1) {
            snprintf(path, sizeof path, FOLDER "%s", name);
            copy_file(out, path);
        } else {
            fputs(line, out);
        }
    }
    fclose(page);
}

int main(int argc, char **argv)
{
    if (argc != 5 && argc != 8) {
        fprintf(stderr,
                "show: %d arguments; accepted are OUT.html and one or two times NAME WHAT "
                "TRACE\n",
                argc - 1);
        return 2;
    }
    FILE *out = tmpfile();
    if (!out)
        fail("cannot make a temporary file");
    put_page(out, (argc - 2) / 3, argv + 2);
    const long bytes = ftell(out);
    if (bytes > PAGE_BYTES_MAX)
        fail("%s, %s: its page takes %ld bytes, and the limit is %d; ask for a smaller N=", argv[2],
             argv[3], bytes, PAGE_BYTES_MAX);
    rewind(out);
    FILE *file = fopen(argv[1], "w");
    if (!file)
        fail("cannot write '%s'", argv[1]);
    char text[4096];
    for (size_t n; (n = fread(text, 1, sizeof text, out)) > 0;)
        fwrite(text, 1, n, file);
    if (fclose(file) != 0)
        fail("cannot write '%s'", argv[1]);
    return 0;
}
