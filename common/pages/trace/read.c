/* SPDX-License-Identifier: MIT */
/*
 * read.c - the reader of traces: common/simt/include/simt/trace_format.h describes the lines. The
 * file is read as a whole; its lines are counted, and then parsed one by one.
 */
#include "trace.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "simt/include/simt/trace_format.h"

#define TEXT(name, text) text,
static const char *const kind_names[] = {TRACE_KIND_LIST(TEXT)};
static const char *const space_names[] = {TRACE_SPACE_LIST(TEXT)};
static const char *const type_names[] = {TRACE_TYPE_LIST(TEXT)};
#undef TEXT
_Static_assert(sizeof kind_names / sizeof *kind_names == TRACE_KINDS, "kinds of the format");
_Static_assert(sizeof space_names / sizeof *space_names == TRACE_SPACES, "spaces of the format");
_Static_assert(sizeof type_names / sizeof *type_names == TRACE_TYPES, "types of the format");

/* What the pointers of a trace point into. */
typedef struct {
    char *file, *texts;
    trace_lane_t *lanes;
} memory_t;

typedef struct {
    trace_t *trace;
    const char *path;
    char *message;
    char *next; /* the rest of the file */
    char *at;   /* the rest of the line */
    size_t line;
    bool wrong; /* a field is invalid */
    size_t lane_count;
    bool ended;
    const char *asked; /* the blocks, or the launch that never happened */
    long long never;   /* the number of launches; -1: it happened */
    char *texts;       /* where the next line of a finding's message goes */
} reader_t;

static bool refuse(const reader_t *r, const char *what)
{
    snprintf(r->message, TRACE_MESSAGE, "trace '%.200s': %.380s", r->path, what);
    return false;
}

/* ---- fields ---- */

/* The next word of the line, "" at its end. */
static char *word(reader_t *r)
{
    char *start = r->at;
    r->at += strcspn(r->at, " ");
    if (*r->at)
        *r->at++ = '\0';
    return start;
}

static char *rest(reader_t *r)
{
    char *start = r->at;
    r->at += strlen(r->at);
    return start;
}

static long long number_in(reader_t *r, long long low, long long high)
{
    const char *text = word(r);
    char *end;
    errno = 0;
    const long long value = strtoll(text, &end, 10);
    if (end == text || *end || errno || value < low || value > high) {
        r->wrong = true;
        return low;
    }
    return value;
}

static unsigned number(reader_t *r)
{
    return (unsigned)number_in(r, 0, UINT_MAX);
}

/* An index below `count`, or TRACE_NONE for `-`. */
static int index_or_none(reader_t *r, size_t count)
{
    if (r->at[0] == '-' && (r->at[1] == ' ' || r->at[1] == '\0')) {
        word(r);
        return TRACE_NONE;
    }
    return count == 0 ? (r->wrong = true, TRACE_NONE) : (int)number_in(r, 0, (int)count - 1);
}

static uint32_t mask(reader_t *r)
{
    const char *text = word(r);
    char *end;
    const unsigned long value = strtoul(text, &end, 16);
    r->wrong |= strlen(text) != 8 || *end;
    return (uint32_t)value;
}

/* Hexadecimal digits, the highest byte first. */
static void value(reader_t *r, uint8_t out[TRACE_VALUE])
{
    const char *text = word(r);
    const size_t bytes = strlen(text) / 2;
    if (bytes > TRACE_VALUE || strspn(text, "0123456789abcdef") != 2 * bytes) {
        r->wrong = true;
        return;
    }
    for (size_t i = 0; i < bytes; i++) {
        const char digits[3] = {text[2 * i], text[2 * i + 1], '\0'};
        out[bytes - 1 - i] = (uint8_t)strtoul(digits, NULL, 16);
    }
}

static int one_of(reader_t *r, const char *const *names, int count)
{
    const char *text = word(r);
    for (int i = 0; i < count; i++)
        if (strcmp(names[i], text) == 0)
            return i;
    r->wrong = true;
    return 0;
}

/* ---- lines ---- */

static trace_step_t *last_step(const reader_t *r)
{
    return r->trace->step_count > 0 ? &r->trace->steps[r->trace->step_count - 1] : NULL;
}

static trace_finding_t *last_finding(const reader_t *r)
{
    return r->trace->finding_count > 0 ? &r->trace->findings[r->trace->finding_count - 1] : NULL;
}

static void read_launch(reader_t *r)
{
    trace_t *t = r->trace;
    t->launch = number(r);
    for (int i = 0; i < 3; i++)
        t->grid[i] = number(r);
    for (int i = 0; i < 3; i++)
        t->block_dim[i] = (unsigned)number_in(r, 1, 1024);
    t->threads = t->block_dim[0] * t->block_dim[1] * t->block_dim[2];
    t->warps = (t->threads + TRACE_LANES - 1) / TRACE_LANES;
}

static void read_array(reader_t *r)
{
    trace_array_t *a = &r->trace->arrays[r->trace->array_count++];
    a->space = (trace_space_t)one_of(r, space_names, TRACE_SPACES);
    a->type = (trace_type_t)one_of(r, type_names, TRACE_TYPES);
    a->element_bytes = number(r);
    a->columns = number(r);
    a->bytes = (size_t)number_in(r, 0, LLONG_MAX);
    a->phase = (unsigned)number_in(r, 0, 127);
    a->name = rest(r);
}

static void read_block(reader_t *r)
{
    trace_block_t *b = &r->trace->blocks[r->trace->block_count++];
    b->number = number(r);
    b->x = number(r);
    b->y = number(r);
    b->z = number(r);
    b->first_step = r->trace->step_count;
}

static void read_step(reader_t *r)
{
    trace_t *t = r->trace;
    trace_step_t *s = &t->steps[t->step_count++];
    s->kind = (trace_kind_t)one_of(r, kind_names, TRACE_KINDS);
    s->warp = (unsigned)number_in(r, 0, 31);
    s->file = index_or_none(r, t->file_count);
    s->line = number(r);
    s->instruction = number(r);
    s->round = number(r);
    s->act = mask(r);
    s->idle = mask(r);
    s->wait = mask(r);
    s->left = mask(r);
    s->bytes = number(r);
    s->requests = number(r);
    s->wavefronts = number(r);
    s->wavefronts_ideal = number(r);
    const char *name = rest(r);
    s->name = strcmp(name, "-") != 0    ? name
              : s->kind == TRACE_ARRIVE ? "__syncthreads"
              : s->kind == TRACE_LEAVE  ? "__syncthreads"
                                        : kind_names[s->kind];
    s->finding = TRACE_NONE;
    s->lanes = ((memory_t *)t->memory)->lanes + r->lane_count;
    if (t->block_count == 0) {
        r->wrong = s->kind != TRACE_FINDING;
        return;
    }
    s->block = (unsigned)t->block_count - 1;
    t->blocks[s->block].step_count++;
}

static void read_lane_of_memory(reader_t *r, trace_step_t *s, trace_lane_t *l)
{
    l->array = index_or_none(r, r->trace->array_count);
    if (l->array == TRACE_NONE)
        return;
    trace_array_t *a = &r->trace->arrays[l->array];
    if (a->element_bytes == 0)
        a->element_bytes = s->bytes > 0 ? s->bytes : 1;
    l->offset = number_in(r, LLONG_MIN, LLONG_MAX);
    value(r, l->before);
    if (strcmp(r->at, "=") == 0 || strncmp(r->at, "= ", 2) == 0) {
        word(r);
        memcpy(l->after, l->before, sizeof l->after);
    } else {
        value(r, l->after);
    }
    l->wavefront = index_or_none(r, TRACE_LANES);
    s->space = a->space;
}

static void read_lane(reader_t *r)
{
    trace_step_t *s = last_step(r);
    if (!s) {
        r->wrong = true;
        return;
    }
    trace_lane_t *l = &s->lanes[s->lane_count++];
    r->lane_count++;
    *l = (trace_lane_t){.array = TRACE_NONE, .wavefront = TRACE_NONE, .source = TRACE_NONE};
    l->lane = (uint8_t)number_in(r, 0, TRACE_LANES - 1);
    l->bytes = s->bytes;
    if (s->kind <= TRACE_ATOMIC) {
        read_lane_of_memory(r, s, l);
        return;
    }
    value(r, l->before);
    value(r, l->after);
    l->out_of_range = strcmp(r->at, "!") == 0;
    if (s->kind == TRACE_SHUFFLE)
        l->source = l->out_of_range ? (word(r), l->lane) : (int)number_in(r, 0, TRACE_LANES - 1);
}

static void read_finding(reader_t *r)
{
    trace_t *t = r->trace;
    trace_step_t *s = last_step(r);
    if (!s || s->kind != TRACE_FINDING) {
        r->wrong = true;
        return;
    }
    s->finding = (int)t->finding_count;
    trace_finding_t *f = &t->findings[t->finding_count++];
    f->stopped = number_in(r, 0, 1) != 0;
    number_in(r, 0, 2);
    number(r);
    f->title = f->text = "";
}

static void read_access(reader_t *r)
{
    trace_t *t = r->trace;
    trace_finding_t *f = last_finding(r);
    if (!f || f->access_count == 2) {
        r->wrong = true;
        return;
    }
    trace_access_t *a = &f->access[f->access_count++];
    a->kind = (trace_kind_t)one_of(r, kind_names, TRACE_ATOMIC + 1);
    a->block_number = number(r);
    a->thread = (unsigned)number_in(r, 0, 1023);
    a->lane = a->thread % TRACE_LANES;
    a->step = index_or_none(r, INT_MAX);
    a->file = index_or_none(r, t->file_count);
    a->line = number(r);
    a->array = index_or_none(r, t->array_count);
    a->offset = number_in(r, LLONG_MIN, LLONG_MAX);
    a->bytes = number(r);
}

/* The lines of a message become one text, and its first line a title. */
static void read_text(reader_t *r)
{
    trace_finding_t *f = last_finding(r);
    const char *line = rest(r);
    if (!f) {
        r->wrong = true;
        return;
    }
    if (f->text[0] == '\0') {
        f->title = line;
        f->text = ++r->texts;
    } else {
        *r->texts++ = '\n';
    }
    r->texts = strcpy(r->texts, line) + strlen(line);
}

static void read_counter(reader_t *r)
{
    trace_counter_t *c = &r->trace->counters[r->trace->counter_count++];
    c->name = word(r);
    c->value = (unsigned long long)number_in(r, 0, LLONG_MAX);
}

static void read_kernel(reader_t *r)
{
    r->trace->kernel = rest(r);
}

static void read_asked(reader_t *r)
{
    r->asked = rest(r);
}

static void read_never(reader_t *r)
{
    r->never = number_in(r, 0, LLONG_MAX);
}

static void read_file(reader_t *r)
{
    r->trace->files[r->trace->file_count++] = rest(r);
}

static void read_full(reader_t *r)
{
    r->trace->full = true;
}

static void read_end(reader_t *r)
{
    r->ended = true;
}

static const struct {
    const char *word;
    void (*read)(reader_t *r);
} LINES[] = {{"lane", read_lane},     {"step", read_step},   {"finding", read_finding},
             {"access", read_access}, {"text", read_text},   {"kernel", read_kernel},
             {"launch", read_launch}, {"asked", read_asked}, {"file", read_file},
             {"array", read_array},   {"block", read_block}, {"counter", read_counter},
             {"never", read_never},   {"full", read_full},   {"end", read_end}};
enum { LINE_KINDS = sizeof LINES / sizeof *LINES };

/* ---- what follows from the lines ---- */

/* The sector of a byte, counted from that of the array's first byte. It may be before it. */
static long long sector_of(const trace_array_t *a, long long offset)
{
    const long long byte = a->phase % 32 + offset;
    return byte >= 0 ? byte / 32 : (byte - 31) / 32;
}

static long long element_of(const trace_array_t *a, long long offset)
{
    const long long each = a->element_bytes > 0 ? a->element_bytes : 1;
    return offset >= 0 ? offset / each : (offset - each + 1) / each;
}

/* The different bytes that the lanes of a step touch. */
static unsigned bytes_used(const trace_step_t *s)
{
    unsigned sum = 0;
    for (unsigned i = 0; i < s->lane_count; i++) {
        const trace_lane_t *l = &s->lanes[i];
        for (unsigned b = 0; b < l->bytes; b++) {
            bool counted = false;
            for (unsigned k = 0; k < i && !counted; k++)
                counted = s->lanes[k].array == l->array &&
                          l->offset + b - s->lanes[k].offset < (long long)s->lanes[k].bytes &&
                          l->offset + b >= s->lanes[k].offset;
            sum += !counted;
        }
    }
    return sum;
}

static void finish_memory(const trace_t *t, trace_step_t *s)
{
    for (unsigned i = 0; i < s->lane_count; i++) {
        trace_lane_t *l = &s->lanes[i];
        if (l->array == TRACE_NONE)
            continue;
        const trace_array_t *a = &t->arrays[l->array];
        l->index = element_of(a, l->offset);
        l->sector = sector_of(a, l->offset);
    }
    if (s->space != TRACE_SHARED) {
        s->sectors = s->wavefronts;
        s->sectors_ideal = s->wavefronts_ideal;
        s->wavefronts = s->wavefronts_ideal = 0;
    }
    s->bytes_used = bytes_used(s);
}

/* Marks the accesses to shared memory that was not written earlier in the block. */
static void mark_unwritten(const trace_t *t, const trace_block_t *block)
{
    for (size_t a = 0; a < t->array_count; a++) {
        uint8_t *written =
            t->arrays[a].space == TRACE_SHARED ? calloc(t->arrays[a].bytes + 1, 1) : NULL;
        for (size_t i = block->first_step; written && i < block->first_step + block->step_count;
             i++) {
            const trace_step_t *s = &t->steps[i];
            for (unsigned k = 0; k < s->lane_count && s->kind <= TRACE_ATOMIC; k++) {
                trace_lane_t *l = &s->lanes[k];
                if (l->array != (int)a || l->offset < 0 ||
                    (size_t)l->offset + l->bytes > t->arrays[a].bytes)
                    continue;
                l->unwritten = written[l->offset] == 0;
                if (s->kind == TRACE_STORE)
                    memset(written + l->offset, 1, l->bytes);
            }
        }
        free(written);
    }
}

/*
 * Which lanes of a shuffle get a value that is needed? Backwards through consecutive shuffles of a
 * warp: for the last one, the lanes that take part in what comes next; for each earlier one, the
 * lanes that are needed in the next one, and those that they read from. Lanes that reach a barrier
 * or the end do not need a value, and may get there before the others store theirs.
 */
static void mark_used(const trace_t *t, const trace_block_t *block, unsigned warp)
{
    uint32_t needed = ~0u;
    for (size_t i = block->first_step + block->step_count; i-- > block->first_step;) {
        const trace_step_t *s = &t->steps[i];
        if (s->warp != warp || s->kind == TRACE_FINDING || s->kind == TRACE_EXIT ||
            s->kind == TRACE_ARRIVE || s->kind == TRACE_LEAVE)
            continue;
        if (s->kind != TRACE_SHUFFLE) {
            needed = s->kind <= TRACE_ATOMIC || s->kind == TRACE_VOTE ? s->act : ~0u;
            continue;
        }
        uint32_t before = needed;
        for (unsigned k = 0; k < s->lane_count; k++) {
            trace_lane_t *l = &s->lanes[k];
            l->used = needed >> l->lane & 1;
            if (l->used)
                before |= 1u << l->source;
        }
        needed = before;
    }
}

/* The barriers that each warp has passed. */
static void count_epochs(const trace_t *t, const trace_block_t *block)
{
    unsigned epoch[TRACE_LANES] = {0};
    for (size_t i = block->first_step; i < block->first_step + block->step_count; i++) {
        trace_step_t *s = &t->steps[i];
        s->epoch = epoch[s->warp];
        epoch[s->warp] += s->kind == TRACE_LEAVE;
    }
}

static void finish(trace_t *t)
{
    for (size_t i = 0; i < t->array_count; i++) {
        trace_array_t *a = &t->arrays[i];
        a->element_bytes = a->element_bytes > 0 ? a->element_bytes : 1;
        a->length = a->bytes / a->element_bytes;
    }
    for (size_t i = 0; i < t->step_count; i++)
        finish_memory(t, &t->steps[i]);
    for (size_t i = 0; i < t->finding_count; i++)
        for (unsigned k = 0; k < t->findings[i].access_count; k++) {
            trace_access_t *a = &t->findings[i].access[k];
            if (a->array != TRACE_NONE)
                a->index = element_of(&t->arrays[a->array], a->offset);
        }
    for (size_t i = 0; i < t->block_count; i++) {
        count_epochs(t, &t->blocks[i]);
        mark_unwritten(t, &t->blocks[i]);
        for (unsigned warp = 0; warp < TRACE_LANES; warp++)
            mark_used(t, &t->blocks[i], warp);
    }
}

/* ---- the file ---- */

/* All of it as text. NULL if it cannot be read. The caller frees it. */
static char *read_whole(const char *path, size_t *bytes)
{
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    size_t capacity = 0, used = 0, got = 0;
    while (file) {
        if (used + 1 >= capacity) {
            capacity = capacity ? 2 * capacity : 1 << 16;
            char *moved = realloc(text, capacity);
            if (!moved)
                break;
            text = moved;
        }
        got = fread(text + used, 1, capacity - 1 - used, file);
        used += got;
        if (got == 0)
            break;
    }
    const bool fine = file && text && !ferror(file);
    if (file)
        fclose(file);
    if (!fine) {
        free(text);
        return NULL;
    }
    text[used] = '\0';
    *bytes = used;
    return text;
}

/* How many lines begin with this word. */
static size_t count_lines(const char *text, const char *what)
{
    const size_t length = strlen(what);
    size_t count = 0;
    for (const char *p = text; p; p = strchr(p, '\n')) {
        p += *p == '\n';
        count += strncmp(p, what, length) == 0 && p[length] == ' ';
    }
    return count;
}

/* Allocates space for all lines of a kind. */
static void *room_for(const char *text, const char *what, size_t bytes)
{
    return calloc(count_lines(text, what) + 1, bytes);
}

static bool make_room(trace_t *t, memory_t *m, size_t bytes)
{
    t->files = room_for(m->file, "file", sizeof *t->files);
    t->arrays = room_for(m->file, "array", sizeof *t->arrays);
    t->blocks = room_for(m->file, "block", sizeof *t->blocks);
    t->steps = room_for(m->file, "step", sizeof *t->steps);
    t->findings = room_for(m->file, "finding", sizeof *t->findings);
    t->counters = room_for(m->file, "counter", sizeof *t->counters);
    m->lanes = room_for(m->file, "lane", sizeof *m->lanes);
    m->texts = calloc(bytes + 2, 1);
    return t->files && t->arrays && t->blocks && t->steps && t->findings && t->counters &&
           m->lanes && m->texts;
}

static bool take_line(reader_t *r)
{
    char *end = strchr(r->next, '\n');
    if (!end)
        return refuse(r, "it is cut off: its last line is not `end`");
    *end = '\0';
    r->at = r->next;
    r->next = end + 1;
    r->line++;
    const char *what = word(r);
    for (int i = 0; i < LINE_KINDS; i++)
        if (strcmp(LINES[i].word, what) == 0) {
            LINES[i].read(r);
            if (!r->wrong)
                return true;
            break;
        }
    char text[200];
    snprintf(text, sizeof text, "line %zu, '%.60s', does not belong in a trace", r->line, what);
    return refuse(r, text);
}

/* The first line: the format, and its version. */
static bool take_version(reader_t *r)
{
    char first[64], text[200];
    snprintf(first, sizeof first, "%s %d\n", TRACE_FORMAT, TRACE_VERSION);
    if (strncmp(r->next, first, strlen(first)) == 0) {
        r->next += strlen(first);
        r->line = 1;
        return true;
    }
    if (strncmp(r->next, TRACE_FORMAT " ", strlen(TRACE_FORMAT) + 1) == 0 && strchr(r->next, '\n'))
        snprintf(text, sizeof text, "it has version %.*s; this program reads version %d",
                 (int)strcspn(r->next + strlen(TRACE_FORMAT) + 1, "\n") % 32,
                 r->next + strlen(TRACE_FORMAT) + 1, TRACE_VERSION);
    else
        snprintf(text, sizeof text, "it is not a trace: its first line is not `%s %d`",
                 TRACE_FORMAT, TRACE_VERSION);
    return refuse(r, text);
}

/* In a complete trace, what is missing because it never happened. */
static bool has_happened(const reader_t *r)
{
    const trace_t *t = r->trace;
    char text[300];
    if (r->never == 0)
        return refuse(r, "the program launched no kernel");
    if (r->never > 0)
        snprintf(text, sizeof text,
                 "launch %.20s never happened: SIMT_TRACE_LAUNCH may be 1 to %lld in this program",
                 r->asked, r->never);
    else if (t->block_count == 0 && t->finding_count == 0)
        snprintf(text, sizeof text,
                 "block %.60s never ran: SIMT_TRACE_BLOCK may be 0 to %lld in this launch",
                 r->asked, (long long)t->grid[0] * t->grid[1] * t->grid[2] - 1);
    else
        return true;
    return refuse(r, text);
}

/* Each step that lists its lanes has all of them; and findings name existing steps. */
static bool fits_together(const reader_t *r)
{
    const trace_t *t = r->trace;
    char text[100];
    for (size_t i = 0; i < t->step_count; i++) {
        const trace_step_t *s = &t->steps[i];
        const bool known =
            s->kind <= TRACE_ATOMIC || s->kind == TRACE_SHUFFLE || s->kind == TRACE_VOTE;
        uint32_t lanes = 0;
        for (unsigned k = 0; k < s->lane_count; k++)
            lanes |= 1u << s->lanes[k].lane;
        if (s->act != 0 && lanes == (known ? s->act : 0) &&
            (!known || s->lane_count == (unsigned)__builtin_popcount(s->act)))
            continue;
        snprintf(text, sizeof text, "step %zu does not have a line for each of its lanes", i);
        return refuse(r, text);
    }
    for (size_t i = 0; i < t->finding_count; i++)
        for (unsigned k = 0; k < t->findings[i].access_count; k++)
            if (t->findings[i].access[k].step >= (int)t->step_count)
                return refuse(r, "a finding names a step that does not exist");
    return true;
}

bool trace_read(trace_t *trace, const char *path, char *message)
{
    reader_t r = {.trace = trace, .path = path, .message = message, .asked = "", .never = -1};
    size_t bytes = 0;
    *trace = (trace_t){.kernel = ""};
    memory_t *m = trace->memory = calloc(1, sizeof *m);
    r.next = m ? m->file = read_whole(path, &bytes) : NULL;
    if (!r.next)
        return refuse(&r, errno ? strerror(errno) : "out of memory");
    if (!make_room(trace, m, bytes))
        return refuse(&r, "out of memory");
    r.texts = m->texts;
    if (!take_version(&r))
        return false;
    while (!r.ended)
        if (!take_line(&r))
            return false;
    if (!has_happened(&r) || !fits_together(&r))
        return false;
    finish(trace);
    return true;
}

void trace_free(trace_t *trace)
{
    memory_t *m = trace->memory;
    if (m) {
        free(m->file);
        free(m->texts);
        free(m->lanes);
    }
    free(m);
    free(trace->files);
    free(trace->arrays);
    free(trace->blocks);
    free(trace->steps);
    free(trace->findings);
    free(trace->counters);
    *trace = (trace_t){0};
}

/* ---- names and values ---- */

const char *trace_kind_name(trace_kind_t kind)
{
    return kind_names[kind];
}

const char *trace_type_name(trace_type_t type)
{
    return type_names[type];
}

static const unsigned char type_bytes[TRACE_TYPES] = {0, 4, 8, 2, 2, 1, 2, 4, 8, 1, 2, 4, 8};

/* A half, or the upper half of a float, as a float. */
static double half_value(uint16_t bits, bool bfloat)
{
    const int exponent_bits = bfloat ? 8 : 5, fraction_bits = 15 - exponent_bits;
    const int exponent = bits >> fraction_bits & ((1 << exponent_bits) - 1);
    const int bias = (1 << (exponent_bits - 1)) - 1;
    const double fraction = bits & ((1 << fraction_bits) - 1);
    const double sign = bits >> 15 ? -1 : 1, one = (double)(1 << fraction_bits);
    if (exponent == (1 << exponent_bits) - 1)
        return fraction != 0 ? (double)NAN : sign * (double)INFINITY;
    return sign * (exponent == 0 ? ldexp(fraction / one, 1 - bias)
                                 : ldexp(1 + fraction / one, exponent - bias));
}

static uint64_t bits_of(const uint8_t *value, unsigned bytes)
{
    uint64_t bits = 0;
    for (unsigned i = bytes; i-- > 0;)
        bits = bits << 8 | value[i];
    return bits;
}

/* The sign of a NaN is meaningless. */
static int print_float(double x, int digits, char *out, size_t capacity)
{
    return x != x ? snprintf(out, capacity, "nan") : snprintf(out, capacity, "%.*g", digits, x);
}

static int print_element(trace_type_t type, uint64_t bits, char *out, size_t capacity)
{
    const unsigned unused = 64 - 8u * type_bytes[type];
    const uint32_t low = (uint32_t)bits;
    float f32;
    double f64;
    memcpy(&f32, &low, sizeof f32);
    memcpy(&f64, &bits, sizeof f64);
    switch (type) {
    case TRACE_F32:
        return print_float(f32, 6, out, capacity);
    case TRACE_F64:
        return print_float(f64, 6, out, capacity);
    case TRACE_F16:
    case TRACE_BF16:
        return print_float(half_value((uint16_t)bits, type == TRACE_BF16), 4, out, capacity);
    case TRACE_I8:
    case TRACE_I16:
    case TRACE_I32:
    case TRACE_I64:
        return snprintf(out, capacity, "%lld", (long long)(int64_t)(bits << unused) >> unused);
    default:
        return snprintf(out, capacity, "%llu", (unsigned long long)bits);
    }
}

const char *trace_value(trace_type_t type, const uint8_t *value, unsigned bytes, char *out)
{
    const unsigned shown = bytes < TRACE_VALUE ? bytes : TRACE_VALUE, each = type_bytes[type];
    int used = 0;
    out[0] = '\0';
    if (each == 0 || shown % each != 0) {
        used = snprintf(out, TRACE_TEXT, "0x");
        for (unsigned i = shown; i-- > 0;)
            used += snprintf(out + used, TRACE_TEXT - (size_t)used, "%02x", value[i]);
        return out;
    }
    for (unsigned i = 0; i < shown; i += each) {
        used += snprintf(out + used, TRACE_TEXT - (size_t)used, "%s", i > 0 ? " " : "");
        used +=
            print_element(type, bits_of(value + i, each), out + used, TRACE_TEXT - (size_t)used);
    }
    return out;
}

const char *trace_element(const trace_t *trace, int array, long long index, char *out)
{
    if (array == TRACE_NONE) {
        snprintf(out, TRACE_TEXT, "no array");
        return out;
    }
    const trace_array_t *a = &trace->arrays[array];
    if (a->columns > 1 && index >= 0)
        snprintf(out, TRACE_TEXT, "%.100s[%lld][%lld]", a->name, index / a->columns,
                 index % a->columns);
    else if (a->length == 1 && index == 0)
        snprintf(out, TRACE_TEXT, "%.100s", a->name);
    else
        snprintf(out, TRACE_TEXT, "%.100s[%lld]", a->name, index);
    return out;
}

trace_type_t trace_guess(const trace_t *trace, unsigned bytes)
{
    for (size_t i = 0; i < trace->array_count; i++)
        if (trace->arrays[i].type != TRACE_UNKNOWN && trace->arrays[i].element_bytes == bytes)
            return trace->arrays[i].type;
    return TRACE_UNKNOWN;
}

void trace_places(const trace_t *t, int *places)
{
    int place = -1;
    unsigned opened = 0;
    for (size_t i = 0; i < t->step_count; i++) {
        const trace_step_t *s = &t->steps[i];
        const bool again = s->kind == TRACE_LEAVE && s->epoch < opened;
        if (s->kind == TRACE_LEAVE && !again)
            opened = s->epoch + 1;
        place += again ? 0 : 1;
        places[i] = place;
    }
}
