/* SPDX-License-Identifier: MIT */
/*
 * warp.c - how a warp executes.
 *
 * Each lane runs alone until it is about to access memory or synchronize with other lanes; there it
 * stops. When all lanes have stopped, one group of them is chosen, its access is executed as ONE
 * warp instruction, and only its lanes run on to their next stops. The others wait.
 *
 *     lanes 0-15 stop at line 12 (a load), lanes 16-31 at line 15 (another arm of an if)
 *     -> line 12 is executed for lanes 0-15; they run on and stop at line 17, after the if
 *     -> line 15 is executed for lanes 16-31; they stop at line 17 too
 *     -> line 17 is executed for all 32 lanes: the warp has reconverged
 *
 * The rule for reconvergence: choose the lanes that are furthest behind in the program. The code of
 * an if or a loop comes before what follows it, so lanes that are ahead wait at the join. Lanes
 * form one group if place, call path, kind and width are all equal.
 *
 * A lane that begins another iteration of a loop goes back in the program, but is ahead of lanes
 * that are still in this iteration. So it counts as waiting at the loop's end, until no lane is
 * behind that.
 */
#include "../count/count.h"
#include "../find/find.h"
#include "inside.h"

/* After so many instructions the next warp gets its turn: this one may be waiting for it. */
enum { SLICE_STEPS = 1 << 16, SHORT_SLICE_STEPS = 1 << 10 };

/* simtcc inserts a call at the end of a loop. Of several loops that end before the lane's next stop
 * the last one counts, in the outermost function. */
unsigned simt_iterate(unsigned number)
{
    struct warp *w = sim.warp;
    const unsigned lane = sim.lane;
    if (!in_kernel() || sim.quiet)
        return number;
    const bool ahead = w->ahead >> lane & 1;
    if (ahead && (w->depth[lane] > w->loop_depth[lane] || CALLER < w->loop_end[lane]))
        return number;
    w->iterations[lane] = ahead && CALLER == w->loop_end[lane] ? w->iterations[lane] + 1 : 1;
    w->loop_end[lane] = CALLER;
    w->loop_depth[lane] = w->depth[lane];
    w->ahead |= 1u << lane;
    return number;
}

/* Where a lane has stopped, or the end of the loop where it waits for others. */
struct position {
    uintptr_t pc;
    uint64_t path;
    int depth;
};

static struct position position_of(const struct warp *w, int lane)
{
    const int depth = w->loop_depth[lane];
    if (!(w->ahead >> lane & 1))
        return (struct position){w->pc[lane], w->path[lane], w->depth[lane]};
    const uint64_t path = depth == w->depth[lane] ? w->path[lane] : w->frame[depth][lane].path;
    return (struct position){w->loop_end[lane], path, depth};
}

/*
 * Is lane a of warp w behind lane b of warp v? Code addresses are compared from the outermost call
 * inwards: the place in the kernel itself counts first. So a lane in a function called from a loop
 * is still in the loop, and a lane in a function called after the loop is past it.
 */
bool is_behind(const struct warp *w, int a, const struct warp *v, int b)
{
    const struct position p = position_of(w, a), q = position_of(v, b);
    if (p.path == q.path)
        return p.pc < q.pc;
    for (int d = 0;; d++) {
        const uintptr_t at_p = d < p.depth ? w->frame[d][a].call_pc : p.pc;
        const uintptr_t at_q = d < q.depth ? v->frame[d][b].call_pc : q.pc;
        if (at_p != at_q || d >= p.depth || d >= q.depth)
            return at_p < at_q;
    }
}

/* A lane has left the loop if it is past its end. */
static void loop_leave(struct warp *w, unsigned lane)
{
    const int depth = w->loop_depth[lane];
    const uintptr_t at = depth < w->depth[lane] ? w->frame[depth][lane].call_pc : w->pc[lane];
    if (w->loop_end[lane] < at)
        w->ahead &= ~(1u << lane);
}

/* The lanes at this loop's end have waited for all others. Those that have skipped more iterations
 * than others wait there again. */
static void loop_continue(struct warp *w, int first)
{
    const struct position end = position_of(w, first);
    uint64_t fewest = UINT64_MAX;
    uint32_t lanes = 0;
    for (uint32_t rest = w->ready; rest != 0; rest &= rest - 1) {
        const int lane = __builtin_ctz(rest);
        const struct position p = position_of(w, lane);
        if (p.pc != end.pc || p.path != end.path)
            continue;
        lanes |= 1u << lane;
        if (w->iterations[lane] < fewest)
            fewest = w->iterations[lane];
    }
    for (; lanes != 0; lanes &= lanes - 1) {
        const int lane = __builtin_ctz(lanes);
        w->iterations[lane] -= fewest;
        if (w->iterations[lane] == 0)
            w->ahead &= ~(1u << lane);
    }
}

/* All lanes that have stopped for the same instruction as this one. */
static uint32_t group_of(const struct warp *w, int lane)
{
    uint32_t group = 0;
    for (uint32_t rest = w->ready; rest != 0; rest &= rest - 1) {
        const int i = __builtin_ctz(rest);
        const bool same = same_place(w, i, lane) & (w->bytes[i] == w->bytes[lane]) &
                          (w->why[i] == w->why[lane]) &
                          (!(w->ahead >> i & 1) | (w->loop_end[i] == w->loop_end[lane]));
        group |= (uint32_t)same << i;
    }
    return group;
}

/* The lanes that are furthest behind, or 0 if no lane is ready. Some may wait at a loop's end. */
static uint32_t rearmost(const struct warp *w)
{
    uint32_t first = 0, group;
    for (uint32_t rest = turn_of(w); rest != 0; rest &= ~group) {
        const int lane = __builtin_ctz(rest);
        group = group_of(w, lane);
        if (first == 0 || is_behind(w, lane, w, __builtin_ctz(first)))
            first = group;
    }
    return first;
}

/* The lanes that execute next, or 0 if no lane can be chosen. */
static uint32_t first_group(struct warp *w)
{
    uint32_t group = rearmost(w);
    while (group & w->ahead) {
        loop_continue(w, __builtin_ctz(group));
        group = rearmost(w);
    }
    return group;
}

/* Where the last block has the first turn, blocks of odd numbers stop after each atomic, but for
 * the last one. So one that takes a ticket is overtaken before it uses it, and block 0, which
 * begins last, may end before others. */
static bool stops_at_atomics(void)
{
    return sim.last_first && sim.running % 2 == 1 && sim.running < sim.team_size - 1;
}

/*
 * One load, store or atomic of a warp: the lanes in `group`, an address each, one width. This is
 * the only place that sees a whole request, and it runs before a single byte has moved. So it is
 * the place to check, to count, and to refuse: false means a violation, and nothing lands.
 */
static bool warp_execute_memory(struct warp *w, uint32_t group)
{
    const struct region *region = access_check(w, group);
    if (!region)
        return false;
    if (w->ready & ~group)
        turn_watch(w, group);
    const int lane = __builtin_ctz(group);
    enum stop why = (enum stop)w->why[lane];
    if (counted_stop(&why, w->copy[lane].bulk) &&
        (sim.team_size == 1 || !memory_is_far(region->low)))
        counters_memory(w, group, why, region->space);
    if (why == STOP_ARRIVE)
        counters_arrive(w, group);
    race_memory(w, group);
    if (stops_at_atomics() && plain_stop(why) == STOP_ATOMIC && region->space != SPACE_SHARED)
        sim.slice_left = 0;
    return true;
}

/* Lets the lanes of a group run on. They come back through lane_stop(), or not at all. */
static void warp_release(struct warp *w, uint32_t group)
{
    w->ready &= ~group;
    sim.to_run = group;
    counters_move_on(group);
}

/* Takes one step from the block's budget. False, and a violation, if nothing is left of it, or if
 * the block has run for too long. */
bool step_spend(const struct warp *w, unsigned lane)
{
    if (sim.steps_left-- > 0)
        return !sim.late || clock_goes_on(w, lane, w->pc[lane]);
    violation(w, lane, cudaErrorLaunchTimeout, w->pc[lane],
              "step budget used up\n    the loop does not end, or one block does too much "
              "(SIMT_STEPS=N sets the budget)");
    return false;
}

/* Executes what a group has stopped for, and lets it run on. False if it cannot: some lanes have
 * yet to reach a warp operation, or it is a violation. */
static bool warp_execute(struct warp *w, uint32_t group)
{
    const unsigned lane = (unsigned)__builtin_ctz(group);
    const uint32_t local = sim.local_arrays ? local_execute(w, group) : 0;
    if (local != 0) {
        group = local;
    } else if (w->why[lane] == STOP_WARP_OP) {
        group = warp_op_execute(w, lane);
    } else if (w->why[lane] == STOP_ACTIVE_MASK) {
        counters_active_mask(w, group);
        for (uint32_t rest = group; rest != 0; rest &= rest - 1)
            w->call[__builtin_ctz(rest)].result = group;
    } else if (w->why[lane] == STOP_WAIT) {
        group = wait_execute(w, group);
    } else if (!warp_execute_memory(w, group)) {
        return false;
    } else if (w->why[lane] == STOP_COPY) {
        copy_start(w, group);
    }
    if (group != 0)
        warp_release(w, group);
    return group != 0;
}

/*
 * Executes the next instruction of a warp and leaves its lanes in sim.to_run. False if no lane can
 * run: all wait or have exited, or the time slice is over, or a violation has ended the launch.
 */
static bool warp_step(struct warp *w)
{
    counters_paths(w);
    for (;;) {
        const uint32_t group = first_group(w);
        if (group == 0 && w->calling && !w->parked && !sim.error) {
            warp_release(w, warp_op_last_call(w));
            return !sim.error;
        }
        if (group == 0 || sim.error || sim.slice_left-- == 0)
            return false;
        if (step_spend(w, (unsigned)__builtin_ctz(group)) && warp_execute(w, group))
            return true;
    }
}

/* Takes the next lane out of sim.to_run. */
static unsigned take_lane(void)
{
    const unsigned lane = (unsigned)__builtin_ctz(sim.to_run);
    sim.to_run &= sim.to_run - 1;
    return lane;
}

/*
 * Gives the processor to the next lane of the group, or starts the next instruction if this was
 * the last one. There is no scheduler in between: a lane switches straight to the next lane.
 */
void lane_yield(void)
{
    if (sim.conflicting >> sim.lane & 1)
        race_stored();
    if (sim.to_run == 0 && !warp_step(sim.warp)) {
        fiber_leave();
        return;
    }
    const unsigned next = take_lane();
    if (sim.to_run != 0) /* the stack after the next one: fetch it while the next lane runs */
        __builtin_prefetch(sim.warp->sp[__builtin_ctz(sim.to_run)]);
    fiber_next(next);
}

/* The running lane stops here, and returns when its access has been executed. */
void lane_stop(enum stop why, uintptr_t address, uint32_t bytes, uintptr_t pc)
{
    struct warp *w = sim.warp;
    const unsigned lane = sim.lane;
    if (!in_kernel()) {
        access_by_host(why, address, bytes, pc);
        return;
    }
    w->address[lane] = address;
    w->bytes[lane] = bytes;
    w->why[lane] = (uint8_t)why;
    w->pc[lane] = pc;
    w->ready |= 1u << lane;
    if (w->ahead >> lane & 1)
        loop_leave(w, lane);
    if (pool_holds(address))
        race_expect(address, why != STOP_READ);
    lane_yield();
}

/* Runs a warp until all its lanes wait at the block's barrier or have exited, or its slice ends. */
void warp_run(struct warp *w)
{
    sim.warp = w;
    sim.slice_left = sim.last_first ? SHORT_SLICE_STEPS : SLICE_STEPS;
    sim.to_run = w->resume;
    w->resume = 0;
    counters_move_on(sim.to_run);
    if (sim.to_run != 0 || warp_step(w))
        fiber_enter(take_lane());
}
