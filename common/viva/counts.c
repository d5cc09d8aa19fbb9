/* SPDX-License-Identifier: MIT */
/*
 * counts.c - kinds of questions about steps and what they cost. A kind draws a place of the trace,
 * and asks about it only if all that the words fit has the same answer: if all the loads of line 41
 * by warp 0 in its second round, for instance, take as many sectors.
 */
#include "viva.h"

#include <ctype.h>
#include <string.h>

enum { MOST_LANES_TYPED = 8, BANKS = 32 };

/* ---- steps ---- */

static bool fits(const trace_step_t *s, unsigned wanted)
{
    const bool memory = s->kind <= TRACE_ATOMIC && s->requests == 1;
    const unsigned is = s->kind == TRACE_SHUFFLE ? SHUFFLED : memory ? 1u << s->space : 0;
    return s->line > 0 && (is & wanted) && (!(wanted & LOAD) || s->kind == TRACE_LOAD) &&
           (!(wanted & WORD) || s->bytes == 4);
}

static const trace_step_t *pick(const trace_t *t, rng_t *rng, unsigned wanted)
{
    size_t count = 0;
    for (size_t i = 0; i < t->step_count; i++)
        count += fits(&t->steps[i], wanted);
    size_t left = count > 0 ? rng_below(rng, count) + 1 : 0;
    for (const trace_step_t *s = t->steps; left > 0; s++)
        if (fits(s, wanted) && --left == 0)
            return s;
    return NULL;
}

bool is_like(const trace_step_t *a, const trace_step_t *b)
{
    return a->line == b->line && a->kind == b->kind &&
           (a->kind == TRACE_SHUFFLE || a->space == b->space);
}

static bool is_same(const trace_step_t *a, const trace_step_t *b)
{
    return is_like(a, b) && a->warp == b->warp && a->round == b->round;
}

/* In s[i] + s[j] a line has two loads: what fits both is asked about each of them. */
static bool has_twin(const trace_t *t, const trace_step_t *s)
{
    for (size_t i = 0; i < t->step_count; i++)
        if (is_same(&t->steps[i], s) && t->steps[i].instruction != s->instruction)
            return true;
    return false;
}

const trace_lane_t *lane_of(const trace_step_t *s, unsigned lane)
{
    for (unsigned k = 0; k < s->lane_count; k++)
        if (s->lanes[k].lane == lane)
            return &s->lanes[k];
    return NULL;
}

unsigned openings(const trace_t *t)
{
    unsigned count = 0;
    for (size_t i = 0; i < t->step_count; i++)
        count += t->steps[i].kind == TRACE_LEAVE && t->steps[i].warp == 0;
    return count;
}

/* ---- names ---- */

/* "load from shared memory in line 4"; "loads" if the line has several of them. */
static const char *name_of(const trace_t *t, const trace_step_t *s)
{
    static const char *const words[][2] = {{"load", "from"}, {"store", "to"}, {"atomic", "on"}};
    const char *const plural = has_twin(t, s) ? "s" : "";
    if (s->kind == TRACE_SHUFFLE)
        return text("shuffle%s in line %u", plural, s->line);
    return text("%s%s %s %s memory in line %u", words[s->kind][0], plural, words[s->kind][1],
                s->space == TRACE_GLOBAL ? "global" : "shared", s->line);
}

/* "warp 3 (threadIdx.y = 3)" */
static const char *warp_name(const trace_t *t, unsigned warp)
{
    const bool is_row =
        t->block_dim[0] == TRACE_LANES && t->block_dim[1] > 1 && t->block_dim[2] == 1;
    return text(is_row ? "warp %u (threadIdx.y = %u)" : "warp %u", warp, warp);
}

/* "3rd" */
static const char *nth(unsigned n)
{
    static const char *const endings[] = {"th", "st", "nd", "rd"};
    const bool regular = n / 10 % 10 == 1 || n % 10 > 3;
    return text("%u%s", n, endings[regular ? 0 : n % 10]);
}

/* In a loop each turn is one. */
const char *name_opening(const trace_t *t, unsigned opening)
{
    unsigned first = 0;
    for (size_t i = t->step_count; i-- > 0;)
        if (t->steps[i].kind == TRACE_LEAVE && t->steps[i].epoch == 0)
            first = t->steps[i].line;
    if (first == 0)
        return NULL;
    return text("%s __syncthreads() (%s line %u)", nth(opening),
                opening == 1 ? "in" : "the 1st is in", first);
}

/* As in the source: all files of the course call the input d_in. */
const char *element_name(const trace_t *t, int array, long long index)
{
    static const char input[] = "the input";
    char name[TRACE_TEXT];
    trace_element(t, array, index, name);
    return begins(name, input) ? text("d_in%s", name + strlen(input)) : text("%s", name);
}

/* "d_in[873]", "lane 19's value" */
static const char *used(const trace_t *t, const trace_lane_t *l)
{
    return l->array == TRACE_NONE ? text("lane %d's value", l->source)
                                  : element_name(t, l->array, l->index);
}

/* ---- answers ---- */

/* The question says where an array begins. */
const char *sectors_of(const trace_t *t, const trace_step_t *s, unsigned lane)
{
    (void)lane;
    for (unsigned k = 0; k < s->lane_count; k++)
        if (s->lanes[k].array == TRACE_NONE || t->arrays[s->lanes[k].array].phase != 0)
            return NULL;
    return s->requests == 1 ? text("%u", s->sectors) : NULL;
}

const char *wavefronts_of(const trace_t *t, const trace_step_t *s, unsigned lane)
{
    (void)t, (void)lane;
    return s->requests == 1 ? text("%u", s->wavefronts) : NULL;
}

const char *lanes_of(const trace_t *t, const trace_step_t *s, unsigned lane)
{
    (void)t, (void)lane;
    return text("%u", s->lane_count);
}

const char *meets_of(const trace_t *t, const trace_step_t *s, unsigned lane)
{
    const trace_lane_t *own = lane_of(s, lane);
    const char *list = "";
    unsigned count = 0;
    if (!own || s->bytes != 4 || s->requests != 1 || own->array == TRACE_NONE)
        return NULL;
    const long long phase = t->arrays[own->array].phase, word = (phase + own->offset) / 4;
    for (unsigned k = 0; k < s->lane_count; k++) {
        const long long other = (phase + s->lanes[k].offset) / 4;
        if (s->lanes[k].array != own->array)
            return NULL;
        if (other != word && (other - word) % BANKS == 0 && ++count)
            list = text("%s%s%u", list, *list ? " " : "", s->lanes[k].lane);
    }
    return count > MOST_LANES_TYPED ? NULL : count > 0 ? list : "none";
}

const char *source_of(const trace_t *t, const trace_step_t *s, unsigned lane)
{
    const trace_lane_t *l = lane_of(s, lane);
    (void)t;
    return l && l->source >= 0 ? text("%d", l->source) : NULL;
}

/* The common answer of all steps that are the same as this one. */
static bool agreed(const trace_t *t, const trace_step_t *wanted, unsigned lane, question_t *q)
{
    q->answer = "";
    for (size_t i = 0; i < t->step_count; i++) {
        if (!is_same(&t->steps[i], wanted))
            continue;
        const char *const answer = q->kind->of(t, &t->steps[i], lane);
        if (!answer || (*answer && *q->answer && strcmp(answer, q->answer) != 0))
            return false;
        if (*answer && !*q->answer) {
            q->step = (int)i;
            q->answer = answer;
        }
    }
    q->line = wanted->line;
    return *q->answer != '\0';
}

/* ---- questions about a step ---- */

/* " Sectors of the array: 657 to 661." */
static const char *sectors_named(const trace_step_t *s)
{
    long long first = s->lanes[0].offset / 32, last = first;
    for (unsigned k = 0; k < s->lane_count; k++) {
        const long long from = s->lanes[k].offset / 32;
        const long long to = (s->lanes[k].offset + s->bytes - 1) / 32;
        first = from < first ? from : first;
        last = to > last ? to : last;
    }
    return text(" Sectors of the array: %s%lld to %lld.",
                last - first >= s->sectors ? "some of " : "", first, last);
}

static const char *explain(const trace_t *t, const trace_step_t *s, const trace_lane_t *l)
{
    const trace_lane_t *const last = &s->lanes[s->lane_count - 1];
    return text(l == last ? "Lane %u uses %s." : "Lane %u uses %s; the last one, lane %u, uses %s.",
                l->lane, used(t, l), last->lane, used(t, last));
}

/* In the first round the writer often has the number of the lane and of the warp swapped. */
static const trace_step_t *pick_place(const trace_t *t, rng_t *rng, const kind_t *kind,
                                      unsigned *lane)
{
    const trace_step_t *s = NULL;
    for (int i = 0; i < TRIES; i++) {
        s = pick(t, rng, kind->wanted);
        *lane = s ? s->lanes[rng_below(rng, s->lane_count)].lane : 0;
        if (kind->of != writer_of || !s || (*lane >= 8 && s->round > 1))
            break;
    }
    return s;
}

bool ask_place(const run_t *run, rng_t *rng, question_t *q)
{
    const trace_t *const t = &run->trace;
    const bool writer = q->kind->of == writer_of;
    unsigned lane = 0;
    const trace_step_t *s = pick_place(t, rng, q->kind, &lane);
    if (!s || !agreed(t, s, lane, q) || (writer && t->block_dim[2] > 1))
        return false;
    const bool several = has_twin(t, s);
    char *const asked =
        text(q->kind->asked, lane,
             t->block_dim[1] > 1 ? text(" + %u * threadIdx.y", t->block_dim[0]) : "");
    if (!several)
        *asked = (char)toupper((unsigned char)*asked);
    q->text = text("%s executes the %s for the %s time (passes in which no lane takes part don't "
                   "count). %s%s",
                   warp_name(t, s->warp), name_of(t, s), nth(s->round),
                   !several ? ""
                   : writer ? "One of them reads what another thread has written: "
                            : "For each of them: ",
                   asked);
    s = &t->steps[q->step];
    const trace_lane_t *const own = q->kind->of_lane ? lane_of(s, lane) : s->lanes;
    if (writer)
        explain_store(t, own, q);
    else
        q->why =
            text("%s%s", explain(t, s, own), q->kind->of == sectors_of ? sectors_named(s) : "");
    return true;
}

/* ---- questions about several ---- */

bool ask_times(const run_t *run, rng_t *rng, question_t *q)
{
    const trace_t *t = &run->trace;
    const trace_step_t *wanted = pick(t, rng, COUNTED), *s = t->steps;
    const char *list = ""; /* what the first lane accesses each time */
    unsigned times = 0;
    for (; wanted && s < t->steps + t->step_count; s++) {
        if (!is_like(s, wanted) || s->warp != wanted->warp)
            continue;
        if (s->round != times && times < MOST_LANES_TYPED)
            list = text("%s%s%s", list, *list ? ", " : "", used(t, &s->lanes[0]));
        times = s->round;
        q->step = (int)(s - t->steps);
    }
    if (!wanted)
        return false;
    q->answer = text("%u", times);
    q->text = text("how often does %s execute the %s (passes in which no lane takes part don't "
                   "count)?",
                   warp_name(t, wanted->warp), name_of(t, wanted));
    q->why = times > MOST_LANES_TYPED ? "" : text("The first lane that takes part uses %s.", list);
    q->line = wanted->line;
    return true;
}

bool ask_warps(const run_t *run, rng_t *rng, question_t *q)
{
    const trace_t *t = &run->trace;
    const trace_step_t *s = pick(t, rng, COUNTED);
    bool has[TRACE_LANES * TRACE_LANES] = {false};
    const char *passed = s && s->epoch > 0 ? name_opening(t, s->epoch) : NULL, *list = "";
    unsigned warps = 0;
    if (!s || t->warps < 2 || !passed)
        return false;
    for (size_t i = 0; i < t->step_count; i++)
        if (is_like(&t->steps[i], s) && t->steps[i].epoch == s->epoch)
            has[t->steps[i].warp] = true;
    for (unsigned warp = 0; warp < t->warps; warp++)
        if (has[warp] && ++warps)
            list = text("%s %u", list, warp);
    q->answer = text("%u", warps);
    q->text =
        text("between the block's %s and %s, how many warps execute the %s?", passed,
             s->epoch < openings(t) ? "the next one" : "the end of the kernel", name_of(t, s));
    q->why = text("The warps:%s.", list);
    q->line = s->line;
    q->step = (int)(s - t->steps);
    return true;
}
