/* SPDX-License-Identifier: MIT */
/*
 * trace.c - SIMT_TRACE=file: every warp instruction of selected blocks of one launch, for a program
 * that draws it. include/simt/trace_format.h describes the file and how blocks are selected.
 */
#include "trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const type_names[] = {TRACE_TYPE_LIST(TRACE_TEXT)};

struct trace trace;
bool trace_on;

static bool is_chosen; /* this launch is traced */
static size_t array_room, lane_room, step_room, block_room;
static size_t running; /* the running one of the blocks */
static bool pending;   /* the last step's lanes have yet to store */

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
    trace.launches = number;
    is_chosen = number == trace.chosen;
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

#define ADD(element)                                                                               \
    (trace.element##s =                                                                            \
         grow(trace.element##s, trace.element##_count, &element##_room, sizeof *trace.element##s), \
     &trace.element##s[trace.element##_count++])

/* ---- arrays of the kernel ---- */

static char *copy_of(const char *text)
{
    char *copy = malloc(strlen(text) + 1);
    return copy ? strcpy(copy, text) : NULL;
}

static void shared_type(struct array *a)
{
    const struct shared_type type = symbols_shared_type(a->low);
    if (type.number > 1) { /* 1: it is none of the list */
        a->type = type_names[type.number - 1];
        a->element_bytes = type.bytes;
        a->columns = type.columns;
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
int trace_array(const struct region *r, uintptr_t address)
{
    if (!r)
        return -1;
    const struct buffer *buffer = buffer_near(r, address);
    const uintptr_t low = buffer ? buffer->low : r->low;
    const size_t bytes = buffer ? buffer->bytes : r->bytes;
    for (size_t i = 0; i < trace.array_count; i++)
        if (trace.arrays[i].low == low && trace.arrays[i].bytes == bytes)
            return (int)i;
    *ADD(array) = describe(r, buffer);
    return (int)trace.array_count - 1;
}

/* ---- recording ---- */

static void read_value(uint8_t value[MOST_VALUE], uintptr_t address, uint32_t bytes)
{
    memcpy(value, (const void *)address, bytes < MOST_VALUE ? bytes : MOST_VALUE);
}

/* What the lanes of the last step have stored, once all of them have. */
void trace_settle(void)
{
    if (!pending)
        return;
    const struct step *s = &trace.steps[trace.step_count - 1];
    for (size_t i = s->first_lane; i < s->first_lane + s->lane_count; i++)
        read_value(trace.lanes[i].after, trace.lanes[i].address, trace.lanes[i].bytes);
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
    for (long i = s->before; i != NO_STEP && s->kind != KIND_EXIT; i = trace.steps[i].before) {
        if (trace.steps[i].pc == s->pc && trace.steps[i].path == s->path &&
            trace.steps[i].kind == s->kind)
            return trace.steps[i].round + opened;
        opened |= trace.steps[i].kind == KIND_LEAVE;
    }
    return 1;
}

/* Adds a step. `wait` and `left` of the warp are those known so far. NULL if memory is exhausted:
 * from then on this launch continues untraced. */
static struct step *add_step(const struct warp *w, enum kind kind, uint32_t act)
{
    trace_settle();
    const unsigned warp = w->first / WARP_SIZE;
    if (trace.step_count == TRACE_STEPS_MAX) {
        trace.full = true;
        trace_on = is_chosen = false;
        return NULL;
    }
    const int lane = __builtin_ctz(act);
    struct step *s = ADD(step);
    *s = (struct step){.kind = kind,
                       .block = (unsigned)running,
                       .number = trace.step_count,
                       .warp = warp,
                       .pc = kind == KIND_EXIT ? 0 : w->pc[lane],
                       .path = w->path[lane],
                       .when = steps_made(),
                       .act = act,
                       .wait = trace.blocks[running].known_wait[warp],
                       .left = trace.blocks[running].known_left[warp],
                       .first_lane = trace.lane_count,
                       .before = trace.blocks[running].last_step[warp]};
    s->idle = ~(act | s->wait | s->left);
    s->round = round_of(s);
    trace.blocks[running].last_step[warp] = (long)trace.step_count - 1;
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
    trace_settle();
    trace_on = is_chosen && (strcmp(trace.chosen_blocks, "last") == 0
                                 ? block_number() + 1 == volume(sim.grid)
                                 : is_listed(trace.chosen_blocks, block_number()));
    if (!trace_on)
        return;
    *ADD(block) = (struct traced){.number = block_number(), .at = sim.block_idx};
    running = trace.block_count - 1;
    struct traced *b = &trace.blocks[running];
    const unsigned threads = volume(sim.block);
    for (unsigned k = 0; k < MAX_WARPS; k++) {
        const unsigned first = k * WARP_SIZE, count = threads > first ? threads - first : 0;
        b->known_left[k] = count >= WARP_SIZE ? 0 : ~0u << count;
        b->known_wait[k] = 0;
        b->last_step[k] = NO_STEP;
    }
}

void trace_turn(void)
{
    if (!is_chosen || sim.team_size == 1)
        return;
    trace_settle();
    const int index = trace_block_index(block_number());
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
        l->array = trace_array(memory_find(w->address[number]), w->address[number]);
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
    trace.blocks[running].known_wait[warp] = 0;
    struct step *s = add_step(w, KIND_LEAVE, w->waiting);
    if (s)
        s->line = w->barrier_line[__builtin_ctz(w->waiting)];
}

/* All lanes have reached their next stops, some of them a barrier or the kernel's end. */
void trace_stops(const struct warp *w)
{
    const unsigned warp = w->first / WARP_SIZE;
    trace_settle();
    const uint32_t left = w->exists & ~w->live & ~trace.blocks[running].known_left[warp];
    trace.blocks[running].known_left[warp] |= left;
    if (left)
        add_step(w, KIND_EXIT, left);
    for (uint32_t rest = w->waiting & ~trace.blocks[running].known_wait[warp], group;
         rest != 0 && trace_on; rest &= ~group) {
        const int lane = __builtin_ctz(rest);
        group = 0;
        for (uint32_t others = rest; others != 0; others &= others - 1) {
            const int other = __builtin_ctz(others);
            group |= (uint32_t)same_place(w, lane, other) << other;
        }
        trace.blocks[running].known_wait[warp] |= group;
        struct step *s = add_step(w, KIND_ARRIVE, group);
        if (s)
            s->line = w->barrier_line[lane];
    }
}

int trace_block_index(unsigned number)
{
    for (size_t i = 0; i < trace.block_count; i++)
        if (trace.blocks[i].number == number)
            return (int)i;
    return -1;
}

/* ---- findings ---- */

void trace_found(const struct found *f)
{
    if (trace.chosen == 0 || trace.launches != trace.chosen || trace.found_count == MOST_FOUND)
        return;
    struct found *kept = &trace.founds[trace.found_count++];
    *kept = *f;
    kept->text = copy_of(f->text);
    for (int i = 0; i < f->accesses; i++) { /* a region may be freed before the trace is written */
        const struct found_access *a = &f->access[i];
        trace_array(a->region, a->address);
    }
}
