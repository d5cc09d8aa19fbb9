/* SPDX-License-Identifier: MIT */
/* trace_file.c - writes a trace: include/simt/trace_format.h. */
#include "trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const kind_names[] = {TRACE_KIND_LIST(TRACE_TEXT)};
static const char *const space_names[] = {TRACE_SPACE_LIST(TRACE_TEXT)};

static FILE *file; /* open from the start of the process until the trace is written */
static bool to_stdout;
enum { MOST_ADDRESS = 64 };

/* ---- findings ---- */

/* The step of an access: the last one before it was found. */
static long step_of(const struct found *f, const struct found_access *a)
{
    const int block = trace_block_index(a->block);
    for (size_t i = trace.step_count; i-- > 0;) {
        const struct step *s = &trace.steps[i];
        if ((int)s->block != block || (trace_block_index(f->block) == block && s->when > f->when) ||
            s->warp != a->thread / WARP_SIZE || s->pc != a->pc || f->stopped)
            continue;
        for (size_t k = s->first_lane; k < s->first_lane + s->lane_count; k++)
            if (trace.lanes[k].lane == a->thread % WARP_SIZE && trace.lanes[k].array >= 0 &&
                trace.lanes[k].address < a->address + a->bytes &&
                a->address < trace.lanes[k].address + trace.lanes[k].bytes)
                return (long)i;
    }
    return NO_STEP;
}

/* The step after which a finding comes: the later one of its accesses, else the last one. */
static long place_of(const struct found *f)
{
    long place = NO_STEP;
    for (int i = 0; i < f->accesses; i++) {
        const long step = step_of(f, &f->access[i]);
        place = step > place ? step : place;
    }
    return place == NO_STEP ? (long)trace.step_count - 1 : place;
}

/* ---- places ---- */

static struct place *places;  /* each code address of the trace once, sorted */
static unsigned *instruction; /* of places[i]: its number, in the order of the steps */
static size_t place_count;
static const char **files;
static size_t files_count;

static int compare_pcs(const void *a, const void *b)
{
    const uintptr_t pa = ((const struct place *)a)->pc, pb = ((const struct place *)b)->pc;
    return (pa > pb) - (pa < pb);
}

static size_t index_of(uintptr_t pc)
{
    const struct place wanted = {.pc = pc};
    const struct place *p = bsearch(&wanted, places, place_count, sizeof *places, compare_pcs);
    return p ? (size_t)(p - places) : SIZE_MAX;
}

static int file_of(size_t place)
{
    if (place == SIZE_MAX || !places[place].file)
        return -1;
    const char *path = places_relative(places[place].file);
    for (size_t i = 0; i < files_count; i++)
        if (strcmp(files[i], path) == 0)
            return (int)i;
    files[files_count] = path;
    return (int)files_count++;
}

static unsigned line_of(size_t place, int otherwise)
{
    return place != SIZE_MAX && places[place].file ? places[place].line : (unsigned)otherwise;
}

/* A program in a sandbox cannot start addr2line. Then the file of a place is its address, and who
 * reads stdout finds the line. */
static void name_places(void)
{
    for (size_t i = 0; i < place_count; i++)
        if (!places[i].file && (places[i].file = malloc(MOST_ADDRESS)) != NULL)
            place_print(&(struct place){.pc = places[i].pc}, places[i].file, MOST_ADDRESS);
}

static void lines_find(void)
{
    const size_t capacity = trace.step_count + 3 * trace.found_count + trace.array_count + 1;
    size_t n = 0;
    places = calloc(capacity, sizeof *places);
    files = calloc(capacity, sizeof *files);
    instruction = calloc(capacity, sizeof *instruction);
    if (!places || !files || !instruction)
        abort();
    for (size_t i = 0; i < trace.step_count; i++)
        places[n++].pc = trace.steps[i].pc;
    for (size_t i = 0; i < trace.found_count; i++) {
        places[n++].pc = trace.founds[i].pc;
        for (int k = 0; k < trace.founds[i].accesses; k++)
            places[n++].pc = trace.founds[i].access[k].pc;
    }
    for (size_t i = 0; i < trace.array_count; i++)
        places[n++].pc = trace.arrays[i].made_at;
    qsort(places, n, sizeof *places, compare_pcs);
    for (size_t i = 0; i < n; i++)
        if (places[i].pc && (place_count == 0 || places[place_count - 1].pc != places[i].pc))
            places[place_count++] = places[i];
    places_find(places, place_count);
    if (to_stdout)
        name_places();
    unsigned numbers = 0;
    for (size_t i = 0; i < trace.step_count; i++) {
        const size_t place = index_of(trace.steps[i].pc);
        if (place != SIZE_MAX && instruction[place] == 0)
            instruction[place] = ++numbers;
    }
    for (size_t i = 0; i < place_count; i++)
        file_of(i);
}

/* ---- the file ---- */

/* A number, or `-` for one below 0. */
static void print_or_none(long number)
{
    if (number < 0)
        fprintf(file, " -");
    else
        fprintf(file, " %ld", number);
}

static void print_value(const uint8_t value[MOST_VALUE], uint32_t bytes)
{
    fprintf(file, " ");
    for (uint32_t i = bytes < MOST_VALUE ? bytes : MOST_VALUE; i-- > 0;)
        fprintf(file, "%02x", value[i]);
}

/* Shared memory begins in bank 0: so does the first array of it in the trace. */
static unsigned phase_of(const struct array *a)
{
    uintptr_t begin = a->low;
    for (size_t i = 0; i < trace.array_count && a->space == SPACE_SHARED; i++)
        if (trace.arrays[i].space == SPACE_SHARED && trace.arrays[i].low < begin)
            begin = trace.arrays[i].low;
    return (unsigned)(a->space == SPACE_SHARED ? (a->low - begin / 16 * 16) % 128 : a->low % 128);
}

static void print_arrays(void)
{
    for (size_t i = 0; i < trace.array_count; i++) {
        const struct array *a = &trace.arrays[i];
        const char *space = space_names[a->space == SPACE_SHARED     ? 0
                                        : a->space == SPACE_CONSTANT ? 2
                                                                     : 1];
        char place[4096];
        fprintf(file, "array %s %s %zu %u %zu %u %s", space, a->type, a->element_bytes, a->columns,
                a->bytes, phase_of(a), a->name ? a->name : "?");
        const size_t at = index_of(a->made_at);
        if (a->made_at && at != SIZE_MAX)
            fprintf(file, " at %s", place_print(&places[at], place, sizeof place));
        fprintf(file, "\n");
    }
}

static void print_lane(const struct step *s, const struct lane *l)
{
    fprintf(file, "lane %u", l->lane);
    if (l->array >= 0)
        fprintf(file, " %d %lld", l->array, (long long)(l->address - trace.arrays[l->array].low));
    print_value(l->before, l->bytes);
    if (s->kind <= KIND_ATOMIC && memcmp(l->before, l->after, sizeof l->after) == 0)
        fprintf(file, " =");
    else
        print_value(l->after, l->bytes);
    if (s->kind <= KIND_ATOMIC)
        print_or_none(l->wavefront == NO_WAVEFRONT ? -1 : l->wavefront);
    else if (s->kind == KIND_SHUFFLE && l->source == WARP_SIZE)
        fprintf(file, " !");
    else if (s->kind == KIND_SHUFFLE)
        fprintf(file, " %u", l->source);
    fprintf(file, "\n");
}

static void print_step(const struct step *s)
{
    const size_t place = index_of(s->pc);
    fprintf(file, "step %s %u", kind_names[s->kind], s->warp);
    print_or_none(file_of(place));
    fprintf(file, " %u %u %u %08x %08x %08x %08x %u %u %u %u %s\n", line_of(place, s->line),
            place == SIZE_MAX ? 0 : instruction[place], s->round, s->act, s->idle, s->wait, s->left,
            s->bytes, (unsigned)s->cost.requests, (unsigned)s->cost.cost, (unsigned)s->cost.ideal,
            s->name ? s->name : "-");
    for (size_t i = 0; i < s->lane_count; i++)
        print_lane(s, &trace.lanes[s->first_lane + i]);
}

/* `printed[i]` findings come before step i in the file. */
static void print_access(const struct found *f, const struct found_access *a, const size_t *printed)
{
    static const enum kind kinds[] = {KIND_LOAD, KIND_STORE, KIND_ATOMIC};
    const size_t place = index_of(a->pc);
    const long step = step_of(f, a);
    const int array = trace_array(a->region, a->address);
    fprintf(file, "access %s %u %u", kind_names[kinds[a->why]], a->block, a->thread);
    print_or_none(step == NO_STEP ? -1 : step + (long)printed[step]);
    print_or_none(file_of(place));
    fprintf(file, " %u", line_of(place, 0));
    print_or_none(array);
    fprintf(file, " %lld %u\n", array < 0 ? 0 : (long long)(a->address - trace.arrays[array].low),
            a->bytes);
}

static void print_finding(const struct found *f, const size_t *printed)
{
    const int block = trace_block_index(f->block);
    const unsigned warp = f->thread / WARP_SIZE;
    const size_t place = index_of(f->pc);
    uint32_t wait = 0, left = 0;
    unsigned lines = 1;
    for (size_t i = 0; i < trace.step_count; i++) /* as they are at that time */
        if ((int)trace.steps[i].block == block && trace.steps[i].warp == warp &&
            trace.steps[i].when <= f->when)
            wait = trace.steps[i].wait, left = trace.steps[i].left;
    const uint32_t act = 1u << f->thread % WARP_SIZE;
    for (const char *p = f->text; p && *p; p++)
        lines += *p == '\n';
    fprintf(file, "step finding %u", warp);
    print_or_none(file_of(place));
    fprintf(file, " %u 0 1 %08x %08x %08x %08x 0 0 0 0 -\n", line_of(place, 0), act,
            ~(act | wait | left), wait, left);
    fprintf(file, "finding %d %d %u\n", f->stopped, f->accesses, lines);
    for (int i = 0; i < f->accesses; i++)
        print_access(f, &f->access[i], printed);
    for (const char *p = f->text ? f->text : ""; lines-- > 0; p += strcspn(p, "\n") + 1)
        fprintf(file, "text %.*s\n", (int)strcspn(p, "\n"), p);
}

/* The lines of the blocks from `next` to this one. Returns the next one. */
static int print_blocks(int next, int block)
{
    for (; next <= block; next++)
        fprintf(file, "block %u %u %u %u\n", trace.blocks[next].number, trace.blocks[next].at.x,
                trace.blocks[next].at.y, trace.blocks[next].at.z);
    return next;
}

/* Blocks that took turns come one after another. */
static int compare_steps(const void *a, const void *b)
{
    const struct step *p = a, *q = b;
    return p->block != q->block ? (p->block > q->block) - (p->block < q->block)
                                : (p->number > q->number) - (p->number < q->number);
}

static void print_steps(void)
{
    size_t *printed = calloc(trace.step_count + 1, sizeof *printed);
    size_t before[MOST_FOUND]; /* the step before which each finding comes */
    int block = 0;
    if (!printed)
        abort();
    if (trace.step_count > 0)
        qsort(trace.steps, trace.step_count, sizeof *trace.steps, compare_steps);
    for (size_t i = 0; i < trace.found_count; i++) {
        before[i] = (size_t)(place_of(&trace.founds[i]) + 1);
        for (size_t k = before[i]; k < trace.step_count; k++)
            printed[k]++;
    }
    for (size_t i = 0; i <= trace.step_count; i++) {
        for (size_t k = 0; k < trace.found_count; k++)
            if (before[k] == i) {
                block = print_blocks(block, trace_block_index(trace.founds[k].block));
                print_finding(&trace.founds[k], printed);
            }
        block = print_blocks(block, i < trace.step_count ? (int)trace.steps[i].block
                                                         : (int)trace.block_count - 1);
        if (i < trace.step_count)
            print_step(&trace.steps[i]);
    }
    free(printed);
}

static void print_head(void)
{
    const uint3 g = sim.grid, b = sim.block;
    fprintf(file, "kernel %s\nlaunch %llu %u %u %u %u %u %u\nasked %s\n", sim.kernel->name,
            (unsigned long long)trace.chosen, g.x, g.y, g.z, b.x, b.y, b.z, trace.chosen_blocks);
    for (size_t i = 0; i < files_count; i++)
        fprintf(file, "file %s\n", files[i]);
}

/* `launch` is NULL if the process ends in the middle of it. */
static void trace_write(const struct launch *launch)
{
    trace_on = false;
    trace_settle();
    lines_find();
    print_head();
    print_arrays();
    print_steps();
    for (int i = 0; launch && i < COUNTERS; i++)
        fprintf(file, "counter %s %llu\n", counter_names[i], (unsigned long long)launch->count[i]);
    if (trace.full)
        fprintf(file, "full\n");
    fprintf(file, "end\n");
    fclose(file);
    file = NULL;
}

void trace_launch_end(const struct launch *launch)
{
    if (file && trace.launches == trace.chosen)
        trace_write(launch);
}

/* At exit: the process ended in the middle of the launch, or there was none. */
static void trace_close(void)
{
    if (file && trace.chosen > 0 && trace.launches >= trace.chosen) {
        trace_write(NULL);
    } else if (file) {
        fprintf(file, "never %llu\nasked %llu\nend\n", (unsigned long long)trace.launches,
                (unsigned long long)trace.chosen);
        fclose(file);
    }
}

static const char *setting(const char *name, const char *otherwise)
{
    const char *text = getenv(name);
    return text && *text ? text : otherwise;
}

/* Before main, so that an old file of that name is gone even if no kernel ever runs. */
__attribute__((constructor)) static void trace_open(void)
{
    const char *path = setting("SIMT_TRACE", NULL);
    if (!path)
        return;
    to_stdout = strcmp(path, "-") == 0;
    file = to_stdout ? stdout : fopen(path, "w");
    if (!file) {
        fprintf(stderr, "simt: SIMT_TRACE: cannot write '%s'\n", path);
        return;
    }
    trace.chosen = strtoull(setting("SIMT_TRACE_LAUNCH", "1"), NULL, 10);
    trace.chosen_blocks = setting("SIMT_TRACE_BLOCK", "0");
    fprintf(file, "%s %d\n", TRACE_FORMAT, TRACE_VERSION);
    fflush(file);
    atexit(trace_close);
}
