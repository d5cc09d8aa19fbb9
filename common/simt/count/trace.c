/* SPDX-License-Identifier: MIT */
/*
 * trace.c - SIMT_TRACE=file: every warp instruction of selected blocks of one launch, for a program
 * that draws it. include/simt/trace_format.h describes the file and how blocks are selected.
 *
 * Steps are kept in memory until the launch ends, because only then lines and findings are known.
 * This includes a kernel that was stopped, and one that ends the process by `exit`.
 */
#include "inside.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../include/simt/trace_format.h"

#define KIND(name, text) KIND_##name,
enum kind { TRACE_KIND_LIST(KIND) };
#undef KIND
#define TEXT(name, text) text,
static const char *const kind_names[] = {TRACE_KIND_LIST(TEXT)};
static const char *const space_names[] = {TRACE_SPACE_LIST(TEXT)};
static const char *const type_names[] = {TRACE_TYPE_LIST(TEXT)};
#undef TEXT

enum { MOST_VALUE = 16, MOST_FOUND = 64, NO_STEP = -1, NO_WAVEFRONT = 255 };

/* A shared array, a named buffer in an allocation or all of it, or the variables of a module. */
struct array {
    uintptr_t low;
    size_t bytes;
    enum space space;
    char *name;
    uintptr_t made_at; /* if the name is derived from it */
    const char *type;
    size_t element_bytes;
    unsigned columns;
};

/* What a lane did. A shuffle has neither array nor address. */
struct lane {
    uint8_t lane, wavefront;
    int array;
    uintptr_t address;
    uint32_t bytes;
    unsigned source;
    uint8_t before[MOST_VALUE], after[MOST_VALUE];
};

struct step {
    enum kind kind;
    unsigned block; /* an index of `blocks` */
    size_t number;
    unsigned warp;
    uintptr_t pc; /* 0: not known */
    uint64_t path, when;
    int line; /* if the pc has none */
    unsigned round;
    uint32_t act, idle, wait, left;
    uint32_t bytes;
    struct cost cost;
    const char *name; /* of a function, or NULL */
    size_t first_lane, lane_count;
    long before; /* the previous step of this warp, or NO_STEP */
    int found;   /* of a finding: an index of `founds` */
};

/* A block of the trace: its position; the last step of each warp, and the lanes that are known to
 * wait or to have exited. */
struct traced {
    unsigned number;
    uint3 at;
    long last_step[MAX_WARPS];
    uint32_t known_wait[MAX_WARPS], known_left[MAX_WARPS];
};

bool trace_on;

static FILE *file; /* open from the start of the process until the trace is written */
static uint64_t launches, chosen_launch;
static const char *chosen_blocks;
static bool is_chosen, full; /* this launch is traced; no memory for another step */

static struct array *arrays;
static size_t array_count, array_room;
static struct lane *lanes;
static size_t lane_count, lane_room;
static struct step *steps;
static size_t step_count, step_room;
static struct traced *blocks;
static size_t block_count, block_room, running; /* the running one of these */
static struct found founds[MOST_FOUND];
static size_t found_count;

static bool pending; /* the last step's lanes have yet to store */

/* ---- what is selected ---- */

/* Is this number in a list such as 0,3? */
static bool is_listed(const char *list, uint64_t number)
{
    char *end;
    for (const char *p = list; *p; p = *end ? end + 1 : end) {
        if (strtoull(p, &end, 10) == number && end != p)
            return true;
        if (end == p)
            break;
    }
    return false;
}

void trace_launch(uint64_t number)
{
    launches = number;
    is_chosen = file && number == chosen_launch;
}

/* ---- arrays that grow ---- */

/* Space for one more element. Without memory the process ends, because a trace was requested. */
static void *grow(void *elements, size_t count, size_t *capacity, size_t bytes)
{
    if (count < *capacity)
        return elements;
    *capacity = *capacity ? 2 * *capacity : 256;
    void *moved = realloc(elements, *capacity * bytes);
    if (!moved) {
        fprintf(stderr, "simt: SIMT_TRACE: out of host memory\n");
        abort();
    }
    return moved;
}

#define ADD(elements)                                                                              \
    (elements##s = grow(elements##s, elements##_count, &elements##_room, sizeof *elements##s),     \
     &elements##s[elements##_count++])

/* ---- arrays of the kernel ---- */

static char *copy_of(const char *text)
{
    char *copy = malloc(strlen(text) + 1);
    return copy ? strcpy(copy, text) : NULL;
}

static void shared_type(struct array *a)
{
    unsigned type, columns;
    symbols_shared_type(a->low, &type, &columns);
    if (type > 1 && type <= sizeof type_names / sizeof *type_names) {
        static const unsigned char bytes[] = {0, 4, 8, 2, 2, 1, 2, 4, 8, 1, 2, 4, 8};
        a->type = type_names[type - 1];
        a->element_bytes = bytes[type - 1];
        a->columns = columns;
    }
}

static struct array describe(const struct region *r, const struct buffer *buffer)
{
    struct array a = {
        .low = r->low, .bytes = r->bytes, .space = r->space, .type = "?", .columns = 1};
    char name[64];
    if (buffer) {
        a.low = buffer->low;
        a.bytes = buffer->bytes;
        a.name = copy_of(buffer->name);
        a.type = buffer->element ? buffer->element : a.type;
        a.element_bytes = buffer->element_bytes;
    } else if (r->name) {
        a.name = copy_of(r->name);
    } else if (r->space == SPACE_MODULE || r->space == SPACE_CONSTANT) {
        a.name = copy_of(r->space == SPACE_MODULE ? "__device__ variables" : "__constant__ memory");
    } else {
        snprintf(name, sizeof name, "allocation of %zu bytes", r->bytes);
        a.name = copy_of(name);
        a.made_at = r->made_at;
    }
    if (r->space == SPACE_SHARED)
        shared_type(&a);
    return a;
}

/* The array of an address in or near this region, added if it is new. -1: there is no region. */
static int array_of(const struct region *r, uintptr_t address)
{
    if (!r)
        return -1;
    const struct buffer *buffer = buffer_near(r, address);
    const uintptr_t low = buffer ? buffer->low : r->low;
    const size_t bytes = buffer ? buffer->bytes : r->bytes;
    for (size_t i = 0; i < array_count; i++)
        if (arrays[i].low == low && arrays[i].bytes == bytes)
            return (int)i;
    *ADD(array) = describe(r, buffer);
    return (int)array_count - 1;
}

/* ---- recording ---- */

static void read_value(uint8_t value[MOST_VALUE], uintptr_t address, uint32_t bytes)
{
    memcpy(value, (const void *)address, bytes < MOST_VALUE ? bytes : MOST_VALUE);
}

/* What the lanes of the last step have stored, once all of them have. */
static void settle(void)
{
    if (!pending)
        return;
    const struct step *s = &steps[step_count - 1];
    for (size_t i = s->first_lane; i < s->first_lane + s->lane_count; i++)
        read_value(lanes[i].after, lanes[i].address, lanes[i].bytes);
    pending = false;
}

/*
 * How often a warp has executed what it does in this step. Its lanes may reach a barrier one group
 * after the other, if some of them skip an `if` before it: all that wait for the same opening are
 * in one round. They may leave the kernel in groups too, and a warp leaves it once.
 */
static unsigned round_of(const struct step *s)
{
    bool opened = s->kind != KIND_ARRIVE;
    for (long i = s->before; i != NO_STEP && s->kind != KIND_EXIT; i = steps[i].before) {
        if (steps[i].pc == s->pc && steps[i].path == s->path && steps[i].kind == s->kind)
            return steps[i].round + opened;
        opened |= steps[i].kind == KIND_LEAVE;
    }
    return 1;
}

/* Adds a step. `wait` and `left` of the warp are those known so far. NULL if memory is exhausted:
 * from then on this launch continues untraced. */
static struct step *add_step(const struct warp *w, enum kind kind, uint32_t act)
{
    settle();
    const unsigned warp = w->first / WARP_SIZE;
    if (step_count == TRACE_STEPS_MAX) {
        full = true;
        trace_on = is_chosen = false;
        return NULL;
    }
    const int lane = __builtin_ctz(act);
    struct step *s = ADD(step);
    *s = (struct step){.kind = kind,
                       .block = (unsigned)running,
                       .number = step_count,
                       .warp = warp,
                       .pc = kind == KIND_EXIT ? 0 : w->pc[lane],
                       .path = w->path[lane],
                       .when = steps_made(),
                       .act = act,
                       .wait = blocks[running].known_wait[warp],
                       .left = blocks[running].known_left[warp],
                       .first_lane = lane_count,
                       .before = blocks[running].last_step[warp]};
    s->idle = ~(act | s->wait | s->left);
    s->round = round_of(s);
    blocks[running].last_step[warp] = (long)step_count - 1;
    return s;
}

static struct lane *add_lane(struct step *s, unsigned number)
{
    struct lane *l = ADD(lane);
    *l = (struct lane){.lane = (uint8_t)number, .array = -1, .wavefront = NO_WAVEFRONT};
    s->lane_count++;
    return l;
}

void trace_block(void)
{
    settle();
    trace_on = is_chosen && is_listed(chosen_blocks, block_number());
    if (!trace_on)
        return;
    *ADD(block) = (struct traced){.number = block_number(), .at = sim.block_idx};
    running = block_count - 1;
    struct traced *b = &blocks[running];
    const unsigned threads = volume(sim.block);
    for (unsigned k = 0; k < MAX_WARPS; k++) {
        const unsigned first = k * WARP_SIZE, count = threads > first ? threads - first : 0;
        b->known_left[k] = count >= WARP_SIZE ? 0 : ~0u << count;
        b->known_wait[k] = 0;
        b->last_step[k] = NO_STEP;
    }
}

static int block_index(unsigned number);

void trace_turn(void)
{
    if (!is_chosen || sim.team_size == 1)
        return;
    settle();
    const int index = block_index(block_number());
    trace_on = index >= 0;
    running = trace_on ? (size_t)index : running;
}

void trace_memory(const struct warp *w, uint32_t group, enum stop why, enum space space,
                  struct cost cost)
{
    static const enum kind kinds[STOP_KINDS] = {
        [STOP_READ] = KIND_LOAD, [STOP_WRITE] = KIND_STORE, [STOP_ATOMIC] = KIND_ATOMIC};
    const unsigned first = (unsigned)__builtin_ctz(group);
    const struct request request = {w->address, w->bytes[first], group};
    uint8_t served[WARP_SIZE];
    struct step *s = add_step(w, kinds[why], group);
    if (!s)
        return;
    s->bytes = request.bytes;
    s->cost = cost;
    const bool in_wavefronts = space == SPACE_SHARED && is_width(request.bytes);
    if (in_wavefronts)
        wavefronts_of_lanes(&request, why == STOP_READ, served);
    for (uint32_t rest = group; rest != 0; rest &= rest - 1) {
        const unsigned number = (unsigned)__builtin_ctz(rest);
        struct lane *l = add_lane(s, number);
        l->array = array_of(memory_find(w->address[number]), w->address[number]);
        l->address = w->address[number];
        l->bytes = request.bytes;
        if (in_wavefronts)
            l->wavefront = served[number];
        read_value(l->before, l->address, l->bytes);
        memcpy(l->after, l->before, sizeof l->after);
    }
    pending = why != STOP_READ;
}

void trace_warp_op(const struct warp *w, uint32_t group)
{
    const struct warp_call *first = &w->call[__builtin_ctz(group)];
    const enum kind kind = first->op <= SIMT_SHFL_XOR   ? KIND_SHUFFLE
                           : first->op == SIMT_SYNCWARP ? KIND_SYNCWARP
                                                        : KIND_VOTE;
    struct step *s = group ? add_step(w, kind, group) : NULL;
    if (!s)
        return;
    s->line = first->line;
    s->name = warp_call_name(first->op);
    s->bytes = first->bytes ? first->bytes : kind == KIND_VOTE ? 4 : 0;
    for (uint32_t rest = group; rest != 0 && kind != KIND_SYNCWARP; rest &= rest - 1) {
        const unsigned number = (unsigned)__builtin_ctz(rest);
        const struct warp_call *c = &w->call[number];
        struct lane *l = add_lane(s, number);
        l->bytes = s->bytes;
        memcpy(l->before, &c->value, sizeof c->value);
        memcpy(l->after, &c->result, sizeof c->result);
        const bool own = kind == KIND_SHUFFLE && c->op != SIMT_SHFL_IDX && c->source == number;
        l->source = own && c->arg != 0 ? WARP_SIZE : c->source;
    }
}

/* The waiting lanes of a warp pass the barrier. */
void trace_barrier(const struct warp *w)
{
    const unsigned warp = w->first / WARP_SIZE;
    blocks[running].known_wait[warp] = 0;
    struct step *s = add_step(w, KIND_LEAVE, w->waiting);
    if (s)
        s->line = w->barrier_line[__builtin_ctz(w->waiting)];
}

/* All lanes have reached their next stops, some of them a barrier or the kernel's end. */
void trace_stops(const struct warp *w)
{
    const unsigned warp = w->first / WARP_SIZE;
    settle();
    const uint32_t left = w->exists & ~w->live & ~blocks[running].known_left[warp];
    blocks[running].known_left[warp] |= left;
    if (left)
        add_step(w, KIND_EXIT, left);
    for (uint32_t rest = w->waiting & ~blocks[running].known_wait[warp], group;
         rest != 0 && trace_on; rest &= ~group) {
        const int lane = __builtin_ctz(rest);
        group = 0;
        for (uint32_t others = rest; others != 0; others &= others - 1) {
            const int other = __builtin_ctz(others);
            group |= (uint32_t)same_place(w, lane, other) << other;
        }
        blocks[running].known_wait[warp] |= group;
        struct step *s = add_step(w, KIND_ARRIVE, group);
        if (s)
            s->line = w->barrier_line[lane];
    }
}

/* ---- findings ---- */

void trace_found(const struct found *f)
{
    if (!file || launches != chosen_launch || found_count == MOST_FOUND)
        return;
    struct found *kept = &founds[found_count++];
    *kept = *f;
    kept->text = copy_of(f->text);
    for (int i = 0; i < f->accesses; i++) { /* a region may be freed before the trace is written */
        const struct found_access *a = &f->access[i];
        array_of(a->region, a->address);
    }
}

static int block_index(unsigned number)
{
    for (size_t i = 0; i < block_count; i++)
        if (blocks[i].number == number)
            return (int)i;
    return -1;
}

/* The step of an access: the last one before it was found. */
static long step_of(const struct found *f, const struct found_access *a)
{
    const int block = block_index(a->block);
    for (size_t i = step_count; i-- > 0;) {
        const struct step *s = &steps[i];
        if ((int)s->block != block || (block_index(f->block) == block && s->when > f->when) ||
            s->warp != a->thread / WARP_SIZE || s->pc != a->pc || f->stopped)
            continue;
        for (size_t k = s->first_lane; k < s->first_lane + s->lane_count; k++)
            if (lanes[k].lane == a->thread % WARP_SIZE && lanes[k].array >= 0 &&
                lanes[k].address < a->address + a->bytes &&
                a->address < lanes[k].address + lanes[k].bytes)
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
    return place == NO_STEP ? (long)step_count - 1 : place;
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

static void lines_find(void)
{
    const size_t capacity = step_count + 3 * found_count + array_count + 1;
    size_t n = 0;
    places = calloc(capacity, sizeof *places);
    files = calloc(capacity, sizeof *files);
    instruction = calloc(capacity, sizeof *instruction);
    if (!places || !files || !instruction)
        abort();
    for (size_t i = 0; i < step_count; i++)
        places[n++].pc = steps[i].pc;
    for (size_t i = 0; i < found_count; i++) {
        places[n++].pc = founds[i].pc;
        for (int k = 0; k < founds[i].accesses; k++)
            places[n++].pc = founds[i].access[k].pc;
    }
    for (size_t i = 0; i < array_count; i++)
        places[n++].pc = arrays[i].made_at;
    qsort(places, n, sizeof *places, compare_pcs);
    for (size_t i = 0; i < n; i++)
        if (places[i].pc && (place_count == 0 || places[place_count - 1].pc != places[i].pc))
            places[place_count++] = places[i];
    places_find(places, place_count);
    unsigned numbers = 0;
    for (size_t i = 0; i < step_count; i++) {
        const size_t place = index_of(steps[i].pc);
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
    for (size_t i = 0; i < array_count && a->space == SPACE_SHARED; i++)
        if (arrays[i].space == SPACE_SHARED && arrays[i].low < begin)
            begin = arrays[i].low;
    return (unsigned)(a->space == SPACE_SHARED ? (a->low - begin / 16 * 16) % 128 : a->low % 128);
}

static void print_arrays(void)
{
    for (size_t i = 0; i < array_count; i++) {
        const struct array *a = &arrays[i];
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
        fprintf(file, " %d %lld", l->array, (long long)(l->address - arrays[l->array].low));
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
        print_lane(s, &lanes[s->first_lane + i]);
}

/* `printed[i]` findings come before step i in the file. */
static void print_access(const struct found *f, const struct found_access *a, const size_t *printed)
{
    static const enum kind kinds[] = {KIND_LOAD, KIND_STORE, KIND_ATOMIC};
    const size_t place = index_of(a->pc);
    const long step = step_of(f, a);
    const int array = array_of(a->region, a->address);
    fprintf(file, "access %s %u %u", kind_names[kinds[a->why]], a->block, a->thread);
    print_or_none(step == NO_STEP ? -1 : step + (long)printed[step]);
    print_or_none(file_of(place));
    fprintf(file, " %u", line_of(place, 0));
    print_or_none(array);
    fprintf(file, " %lld %u\n", array < 0 ? 0 : (long long)(a->address - arrays[array].low),
            a->bytes);
}

static void print_finding(const struct found *f, const size_t *printed)
{
    const int block = block_index(f->block);
    const unsigned warp = f->thread / WARP_SIZE;
    const size_t place = index_of(f->pc);
    uint32_t wait = 0, left = 0;
    unsigned lines = 1;
    for (size_t i = 0; i < step_count; i++) /* as they are at that time */
        if ((int)steps[i].block == block && steps[i].warp == warp && steps[i].when <= f->when)
            wait = steps[i].wait, left = steps[i].left;
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
        fprintf(file, "block %u %u %u %u\n", blocks[next].number, blocks[next].at.x,
                blocks[next].at.y, blocks[next].at.z);
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
    size_t *printed = calloc(step_count + 1, sizeof *printed);
    size_t before[MOST_FOUND]; /* the step before which each finding comes */
    int block = 0;
    if (!printed)
        abort();
    if (step_count > 0)
        qsort(steps, step_count, sizeof *steps, compare_steps);
    for (size_t i = 0; i < found_count; i++) {
        before[i] = (size_t)(place_of(&founds[i]) + 1);
        for (size_t k = before[i]; k < step_count; k++)
            printed[k]++;
    }
    for (size_t i = 0; i <= step_count; i++) {
        for (size_t k = 0; k < found_count; k++)
            if (before[k] == i) {
                block = print_blocks(block, block_index(founds[k].block));
                print_finding(&founds[k], printed);
            }
        block = print_blocks(block, i < step_count ? (int)steps[i].block : (int)block_count - 1);
        if (i < step_count)
            print_step(&steps[i]);
    }
    free(printed);
}

static void print_head(void)
{
    const uint3 g = sim.grid, b = sim.block;
    fprintf(file, "kernel %s\nlaunch %llu %u %u %u %u %u %u\nasked %s\n", sim.kernel->name,
            (unsigned long long)chosen_launch, g.x, g.y, g.z, b.x, b.y, b.z, chosen_blocks);
    for (size_t i = 0; i < files_count; i++)
        fprintf(file, "file %s\n", files[i]);
}

/* `launch` is NULL if the process ends in the middle of it. */
static void trace_write(const struct launch *launch)
{
    trace_on = false;
    settle();
    lines_find();
    print_head();
    print_arrays();
    print_steps();
    for (int i = 0; launch && i < COUNTERS; i++)
        fprintf(file, "counter %s %llu\n", counter_names[i], (unsigned long long)launch->count[i]);
    if (full)
        fprintf(file, "full\n");
    fprintf(file, "end\n");
    fclose(file);
    file = NULL;
}

void trace_launch_end(const struct launch *launch)
{
    if (file && launches == chosen_launch)
        trace_write(launch);
}

/* At exit: the process ended in the middle of the launch, or there was none. */
static void trace_close(void)
{
    if (file && chosen_launch > 0 && launches >= chosen_launch) {
        trace_write(NULL);
    } else if (file) {
        fprintf(file, "never %llu\nasked %llu\nend\n", (unsigned long long)launches,
                (unsigned long long)chosen_launch);
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
    file = fopen(path, "w");
    if (!file) {
        fprintf(stderr, "simt: SIMT_TRACE: cannot write '%s'\n", path);
        return;
    }
    chosen_launch = strtoull(setting("SIMT_TRACE_LAUNCH", "1"), NULL, 10);
    chosen_blocks = setting("SIMT_TRACE_BLOCK", "0");
    fprintf(file, "%s %d\n", TRACE_FORMAT, TRACE_VERSION);
    fflush(file);
    atexit(trace_close);
}
