# SPDX-License-Identifier: MIT
"""Draws the charts of the course: plot.py common/results/<gpu> [FOLDER]. Plotting only.

They go to that folder of results, and with the default GPU those of the lessons to the lessons and
the one of all GPUs to common/results; or below FOLDER, where the tests compare them. Each function
draws one chart, and says at its head what it shows."""
import csv
import glob
import math
import os
import re
import sys

import chart
from chart import FORMS, LIGHT, frame, powers, say

DEFAULT = "common/results/h200"
RESULTS = (sys.argv[1:] or [DEFAULT])[0]
TARGET = (sys.argv[2:] or ["."])[0]
BIG = 2**28
NUMBERS = ("n", "median_us", "gbps", "peak_share", "cols", "sm", "end_ns", "bytes", "cycles")
MICROSECONDS = {1: "1 us", 10: "10 us", 100: "100 us", 1000: "1 ms", 10000: "10 ms"}


def read(name, folder=RESULTS):
    """The comment head of a file of results as a dict, the rows as dicts with numbers."""
    head, lines = {}, []
    with open(f"{folder}/{name}.csv", encoding="utf-8") as file:
        for line in file:
            if line.startswith("#"):
                key, _, value = line[1:].partition(":")
                head[key.strip().lower()] = value.strip()
            else:
                lines.append(line)
    rows = list(csv.DictReader(lines))
    for row in rows:
        for key in NUMBERS:
            row[key] = float(row.get(key) or 0)
    return head, rows


def has(*names):
    """A folder of results may lack a file: then its charts are left out."""
    for name in names:
        if not os.path.exists(f"{RESULTS}/{name}.csv"):
            print(f"skip the charts of {RESULTS}/{name}.csv, which is not there")
            return False
    return True


def pick(rows, step, op, variant="kernel", dtype="f32", key="n"):
    """The rows of one step, in order of a column."""
    found = [r for r in rows
             if (r["step"], r["op"], r["variant"], r["type"]) == (step, op, variant, dtype)]
    return sorted(found, key=lambda r: r[key])


def op_of(rows, step):
    """What a lesson is about comes first among its rows."""
    return next((r["op"] for r in rows if (r["step"], r["variant"]) == (step, "kernel")), None)


def step_of(rows, end):
    return next((r["step"] for r in rows if r["step"].endswith(end)), None)


def peak_of(head):
    return float(head["memory"].split()[0])


def l2_of(head):
    return int(re.search(r"L2: (\d+)", head["memory"])[1])


def percent(row, peak):
    """Of the memory's peak, as peak_part() of columns.awk."""
    share = row["peak_share"]
    return f"{100 * min(max(row['gbps'] / peak, share - 0.00005), share + 0.00005):.0f} %"


def name_of(step):
    return "06, CUB" if step.endswith("_cub") else step.replace("_", " ")


def measured(head):
    return f"{head['gpu']}, {head['date'][:10]}"


def save(fig, path, title, says):
    chart.save(fig, os.path.normpath(os.path.join(TARGET, path)), title, says)


# ---- the lessons ----


def draw_ladder(head, rows, steps):
    """A bar for each step: bandwidth at n = 2^28, beside the peak."""
    peak = peak_of(head)
    found = [(s, op_of(rows, s), at[0]) for s in steps
             for at in [[r for r in pick(rows, s, op_of(rows, s)) if r["n"] == BIG]] if at]
    high = 32 * len(found)
    fig, ax = chart.figure(high + 66, (196, 28, 684, 32 + high))
    bars = ax.barh([f"{name_of(step)} ({op})" for step, op, _ in found],
                   [row["gbps"] for _, _, row in found],
                   0.75, color=[LIGHT["lib" if s.endswith("_cub") else "act"] for s, _, _ in found])
    for bar, (_, _, row) in zip(bars, found):
        inside = row["gbps"] > 0.5 * peak
        say(ax, "on end" if inside else "", row["gbps"], bar.get_y() + 0.375,
            f"{row['gbps']:.0f} GB/s, {percent(row, peak)}", -8 if inside else 8, -5)
    ax.axvline(peak, **FORMS["limit"])
    ax.set(xlim=(0, peak), ylim=(len(found) - 0.5, -0.6), xticks=[])
    ax.grid(False)
    ax.spines.bottom.set_visible(False)
    say(ax, "soft end", 1, 1, f"peak of the memory: {peak:.0f} GB/s", 0, 8, "axes fraction")
    say(ax, "soft end", 1, 0, f"f32, n = 2^28, {measured(head)}", 0, -22, "axes fraction")
    save(fig, f"{RESULTS}/ladder.svg", "Bandwidth of each lesson",
         f"Bars, one a lesson, up to the peak of {peak:.0f} GB/s: "
         + ", ".join(f"{s} {percent(row, peak)}" for s, _, row in found) + ".")


def draw_time(path, title, lines, what, peak, low=10, high=30, early="0"):
    """Time over n, both by factors, and the floor: an empty launch, or all bytes at the peak,
    whichever takes longer.

    Lines are (class, words, rows). With `early` "1" the launches of the fastest line overlap."""
    most = max((r for _, _, rows in lines for r in rows), key=lambda r: r["n"])
    bytes_each = most["bytes"] / most["n"]
    launch = 0
    if has("floor"):
        launch = min(float(r["empty_us"]) for r in read("floor")[1] if r["early"] == early)
    top = 1.5 * max(r["median_us"] for _, _, rows in lines for r in rows)
    fig, ax = chart.figure(380, (66, 40, 676, 316))
    frame(ax, what, "time", ("log", (2**low, 2**high), powers(low, high)),
          ("log", (0.3, top), {us: words for us, words in MICROSECONDS.items() if us <= top}))
    for kind, words, rows in lines:
        ax.plot([r["n"] for r in rows], [r["median_us"] for r in rows], label=words, **FORMS[kind])
    level = launch or 0.3
    floor = [(2**low, launch)] * (launch > 0) + [
        (1000 * us * peak / bytes_each, us) for us in (level, bytes_each * 2**high / peak / 1000)]
    ax.plot(*zip(*floor), label=f"floor: the longer of a launch and bytes at {peak:.0f} GB/s",
            **FORMS["limit"])
    ax.legend(loc="upper left")
    save(fig, path, title, f"Time over n from 2^{low} to 2^{high}: "
         + ", ".join(words for _, words, _ in lines)
         + ". All are flat while n is small, where a launch takes the time, and rise with "
         "the floor, which is the bytes at the peak of the memory, where n is large.")


def draw_lessons(head, rows, steps):
    """Of each lesson: its time, that of the lesson before, and that of CUB."""
    peak, cub = peak_of(head), step_of(rows, "_cub")
    for before, step in zip([None, *steps], steps):
        op = op_of(rows, step)
        lines = []
        if before and op_of(rows, before) == op:
            lines.append(("past", name_of(before), pick(rows, before, op)))
        if step != cub:
            lines.append(("act", name_of(step), pick(rows, step, op)))
        if op_of(rows, cub) == op:
            lines.append(("lib", name_of(cub), pick(rows, cub, op)))
        elif has("peers"):
            lines.append(("lib", "cub::DeviceTransform",
                          pick(read("peers")[1], cub, op, "transform")))
        draw_time(f"{step}/figure.svg", f"Time of lesson {step[:2]} over n", lines,
                  f"n, f32 {op}, {measured(head)}", peak)


# Rows of ablate.csv of 04: blocks of 256 on an SM, the bytes that a lane has asked for, and words.
IN_FLIGHT = [
    ("1 block an SM", 1, 16, "1 block on each SM, 16 bytes a lane"),
    ("2 blocks an SM", 2, 16, "2 blocks, 16 bytes"),
    ("scalar: coarsening alone", 8, 4, "scalar: 8 blocks, 4 bytes"),
    ("4 blocks an SM", 4, 16, "4 blocks, 16 bytes"),
    ("packed; 2 elements off", 8, 8, "packed: 8 blocks, 8 bytes"),
    ("kernel", 8, 16, "the kernel"),
    ("2 loads in flight", 8, 32, "2 loads"),
    ("4 loads in flight", 8, 64, "4 loads"),
]


def in_flight(label, blocks, lane_bytes, _):
    """A point: megabytes in flight on the whole GPU, and GB/s."""
    sms = int(read("cub_inside")[0]["sms"])
    row = next(r for r in read("ablate")[1]
               if (r["lesson"], r["label"]) == ("04_vectorized", label))
    return sms * blocks * 256 * lane_bytes / 1e6, float(row["large_gbps"])


def load_us():
    """The time of a load by Little's law, at most: where least is in flight."""
    megabytes, gbps = in_flight(*IN_FLIGHT[0])
    return 1000 * megabytes / gbps


def draw_in_flight(peak):
    """Bytes in flight against bandwidth: Little's law up to the peak, and where we are."""
    us, sms = load_us(), int(read("cub_inside")[0]["sms"])
    head, tuned = read("tune")
    fig, ax = chart.figure(420, (66, 40, 676, 350))
    frame(ax, f"MB in flight on the whole GPU, f32 sum, {head['gpu']}", "GB/s",
          ("log", (0.25, 40), {2.0**k: f"{2.0**k:g}" for k in range(-2, 6)}),
          ("log", (500, 1.25 * peak), {k: str(k) for k in (500, 1000, 2000, 4000)}))
    ridge = peak * us / 1000
    ax.plot([0.25, ridge, 40], [250 / us, peak, peak], **FORMS["limit"])
    say(ax, "soft end", ridge, peak, f"peak {peak:.0f}", 0, 8)
    say(ax, "soft end", ridge, peak, f"bytes / {us:.2f} us", -40, -12)
    points = [in_flight(*row) for row in IN_FLIGHT]
    ax.plot(*zip(*points), **FORMS["act"] | {"ls": "", "ms": 11},
            label="04 and its variants, n = 2^28")
    # Of 8 loads nvcc starts only 4 before it adds: how many are in flight then is not known.
    variants = [(map(int, r["variant"].split("_")), r["gbps"]) for r in tuned
                if r["n"] == 2**26 and "_8_" not in r["variant"]]
    ax.plot(*zip(*[(sms * min(threads * blocks, 2048) * loads * 16 / 1e6, gbps)
                   for (threads, loads, blocks), gbps in variants]),
            **FORMS["past"] | {"ls": "", "marker": "o", "ms": 6}, zorder=1.5,
            label="best with up to 4 loads, n = 2^26")
    first = {}  # of a place: where its words begin, and how many rows there are
    for (megabytes, gbps), row in zip(points, IN_FLIGHT):
        if gbps > 0.9 * peak:
            say(ax, "middle", megabytes, peak, row[3], 0, 8)
            continue
        level, count = first.get(megabytes, (gbps, 1))
        first[megabytes] = level, count + 1
        say(ax, "", megabytes, level, row[3], 12, -18 * count)
    ax.legend(loc="lower right")
    save(fig, f"{RESULTS}/in_flight.svg", "Bytes in flight and bandwidth",
         f"Bandwidth over the bytes in flight, both by factors. The slope is Little's law "
         f"with {us:.2f} us for a load. Up to 1 MB kernels of all kinds lie near it; then they "
         f"bend, and from 4 MB on they are level just below the peak.")


def idle_load_us():
    """The measured time of a load from an idle memory."""
    cycles = next(r["cycles"] for r in read("memory")[1] if r["level"] == "memory")
    return cycles / 1000 / float(re.search(r"([0-9.]+) GHz", read("intensity")[0]["peak"])[1])


def round_of(listing):
    """Of the first loop of a listing by `make sass`: instructions, and loads."""
    with open(listing, encoding="utf-8") as file:
        text = file.read()
    code = text[text.index("a round"):].split("\n\n")[0].splitlines()[1:]
    return len(code), sum("LDG" in line for line in code)


def draw_stairs(path, title, says, ticks, key, halves):
    """Two halves with four columns each, time downwards. A half is a name, a note, a list of
    columns with parts of (class, from, to), and the words below; the key has (class, words)."""
    parts = [(12 + 310 * side + 66 * i, *part) for side, half in enumerate(halves)
             for i, column in enumerate(half[2]) for part in column]
    fig, ax = chart.figure(400, (72, 84, 688, 332))
    for kind, words in key:
        left, start, end = zip(*[(x, *ends) for x, other, *ends in parts if other == kind])
        bars = ax.bar(left, [e - s for s, e in zip(start, end)], 60, start, align="edge",
                      color=LIGHT[kind], label=words)
        if kind == "act":
            ax.bar_label(bars, [1, 2, 3, 4] * 2, label_type="center", color=LIGHT["on"])
    for side, (name, note, columns, below) in enumerate(halves):
        x = 12 + 310 * side
        say(ax, "bold", x, 0, name, 0, 62)
        say(ax, "small soft", x, 0, note, 0, 42)
        say(ax, "bold end", x + 258, max(part[2] for c in columns for part in c), below, 0, -20)
    ax.set(xlim=(0, 616), ylim=(max(part[3] for part in parts), 0), xticks=[], yticks=ticks,
           yticklabels=[f"{tick:g} us" if tick else "0" for tick in ticks])
    ax.spines.bottom.set_visible(False)
    say(ax, "soft end", 0, 0, "time", -8, 16)
    ax.legend(loc="upper left", bbox_to_anchor=(0, -0.13), ncols=2)
    save(fig, path, title, says)


def draw_loads(lesson, cub):
    """Four loads of a warp: one after the other, or all at once."""
    us, thin = idle_load_us(), 0.03
    halves = []
    for name, listing in (("05: load, add, load, add ...", lesson),
                          ("CUB: four loads, then the additions", cub)):
        count, loads = round_of(listing)
        turns = 4 // loads
        columns = [[("act", us * (i // loads), us * (i // loads + 1) - thin),
                    ("w1", us * (i // loads + 1) - thin, us * (i // loads + 1))] for i in range(4)]
        halves.append((name, f"{turns} turn{'s' * (turns > 1)} of {count} instructions", columns,
                       f"all added after {us * turns:.2f} us"))
    draw_stairs("06_cub/loads.svg", "Loads under way",
                f"Four loads of a warp from an idle memory, {us:.2f} us each, time downwards. On the left "
                "each is asked for when the one before has come and was added; on the right all four "
                "are asked for at once, and are there in a quarter of the time.",
                (0, 0.5, 1), [("act", "a load: asked for, and not there yet"),
                                   ("w1", "its additions: next to no time")], halves)


def draw_overlap(head, rows):
    """Four launches of a sum of 2^10 floats: one after the other, and each beginning early."""
    found = {r["early"]: {k: float(r[k]) for k in ("empty_us", "best_us")}
             for r in rows if (r["n"], r["warm"]) == (2**10, "1")}
    empty, alone, early = found["0"]["empty_us"], found["0"]["best_us"], found["1"]["best_us"]
    halves = []
    for name, period in (("One after the other", alone), ("Each begins early", early)):
        halves.append((name, f"a launch every {period:.2f} us",
                       [[("idle", period * i, period * i + empty),
                         ("act", period * i + empty, period * i + alone)] for i in range(4)],
                       f"four sums in {3 * period + alone:.2f} us"))
    draw_stairs(f"{RESULTS}/overlap.svg", "Launches that overlap",
                f"Four launches of best for 2^10 floats in L2, time downwards. Each takes {alone:.2f} us. On "
                f"the left one begins when the one before has ended; on the right it begins "
                f"{alone - early:.2f} us earlier, so that its launch runs beside the other's work.",
                (0, 1, 2, 3, 4), [("idle", "launch: as long as of an empty kernel"),
                                  ("act", "work: loads and additions")], halves)


# ---- beside CUB ----


def draw_sums(head, rows):
    """Time of a sum over n: best, CUB, cuBLAS."""
    cub = step_of(rows, "_cub")
    draw_time(f"{RESULTS}/sums.svg", "Time of a sum over n",
              [("best", "best", pick(rows, "05_warp_shuffle", "sum", "best")),
               ("lib", "CUB", pick(rows, cub, "sum")),
               ("past", "cuBLAS asum", pick(rows, cub, "sum", "cublas_asum"))],
              f"n, f32 sum, {measured(head)}", peak_of(head), 10, 33, "1")


def draw_pairs(head, cold, warm):
    """A map of how many times as fast as CUB: type and operator down, n across."""
    pairs = [(t, op) for t in ("f32", "f64", "i32") for op in ("sum", "max", "min")]
    ratios = {}
    for where, rows in (("from memory", cold), ("from L2", warm)):
        for dtype, op in pairs:
            cub = {r["n"]: r["median_us"] for r in pick(rows, step_of(rows, "_cub"), op, dtype=dtype)}
            for r in pick(rows, "05_warp_shuffle", op, "best", dtype):
                if r["n"] in cub and r["n"] <= 2**30:
                    ratios[where, dtype, op, r["n"]] = cub[r["n"]] / r["median_us"]
    most, down = max(ratios.values()), len(pairs)
    fig, *maps = chart.figure(162 + 48 * down, (108, 54, 680, 54 + 24 * down),
                              (108, 98 + 24 * down, 680, 98 + 48 * down))
    for ax, where in zip(maps, ("from memory", "from L2")):
        ns = sorted({key[3] for key in ratios if key[0] == where})
        times = [[ratios.get((where, *pair, n), math.nan) for n in ns] for pair in pairs]
        ax.pcolormesh(times, cmap=chart.FADE, vmin=1, vmax=most, edgecolors=LIGHT["back"], lw=1)
        for down_at, row in enumerate(times):
            for across, value in enumerate(row):
                if not math.isnan(value):
                    say(ax, "middle", across + 0.5, down_at + 0.5, f"{value:.2f}", 0, -5)
        ax.grid(False)
        ax.spines.bottom.set_visible(False)
        ax.xaxis.tick_top()
        ax.set(xlim=(0, 11), ylim=(down, 0),
               xticks=[i + 0.5 for i in range(len(ns))], yticks=[i + 0.5 for i in range(down)],
               xticklabels=[f"2^{math.log2(n):.0f}" for n in ns], yticklabels=map(" ".join, pairs))
        ax.tick_params("x", labelcolor=LIGHT["soft"])
        say(ax, "end", 0, 0, where, -8, 8)
    say(maps[0], "soft end", 11, 0, "time of CUB / time of best", 0, 36)
    say(maps[1], "soft end", 11, down, f"n across, {measured(head)}", 0, -30)
    save(fig, f"{RESULTS}/pairs.svg", "How many times as fast as CUB",
         "Two maps, with the input in memory and in L2: types and operators down, n across. "
         f"Small n is the darkest, up to {most:.1f} times as fast as CUB, in f64 at 2^12; towards "
         "2^30 all come near 1.")


def draw_bandwidth(ax, peak, x, xname, lines, yname="GB/s"):
    """Axes of GB/s with the peak, and lines of (class, words, rows) over a column of the rows."""
    column, ticks = x
    ends = [lines[0][2][i][column] for i in (0, -1)]
    frame(ax, xname, yname, ("log", ends, ticks),
          ("linear", (0, peak), {k: str(k) if yname else "" for k in range(0, int(peak), 1000)}))
    ax.axhline(peak, **FORMS["limit"])
    say(ax, "soft end", ends[1], peak, f"peak {peak:.0f}", 0, 6)
    for kind, words, rows in lines:
        ax.plot([r[column] for r in rows], [r["gbps"] for r in rows], label=words, **FORMS[kind])


def draw_rows(head, rows):
    """Bandwidth over the length of a row, 2^28 elements in all."""
    lines = [(kind, words, pick(rows, step, "sum", variant, key="cols"))
             for kind, words, step, variant in [
                 ("best", "row_best", "05_warp_shuffle", "row_best"),
                 ("past", "CUB, segments of one size", step_of(rows, "_cub"),
                  "segments_of_one_size"),
                 ("lib", "CUB, segments by offsets", step_of(rows, "_cub"), "segmented")]]
    fig, ax = chart.figure(360, (66, 44, 676, 296))
    draw_bandwidth(ax, peak_of(head), ("cols", powers(6, 26, 4)),
                   f"columns of a row, 2^28 elements, f32 sum, {measured(head)}", lines)
    ax.legend(loc="lower center")
    save(fig, f"{RESULTS}/rows.svg", "Bandwidth over the length of a row",
         "Bandwidth of row sums over the columns of a row: row_best is level near the peak, "
         "CUB's DeviceSegmentedReduce mostly where rows are long, and by offsets falls again to "
         "almost nothing at a single row.")


def draw_elementwise(head, rows, ladder):
    """GELU over n, f32 and f16: the lesson, the best, CUB."""
    peak, lesson = peak_of(head), step_of(ladder, "_elementwise")
    fig, *sides = chart.figure(400, (62, 44, 352, 268), (382, 44, 672, 268))
    for ax, dtype, yname in zip(sides, ("f32", "f16"), ("GB/s, read and written", "")):
        lines = [(kind, words, [r for r in pick(data, step, "gelu", variant, dtype)
                                if r["n"] >= 2**20])
                 for kind, words, data, step, variant in [
                     ("best", "best", rows, lesson, "best"),
                     ("act", name_of(lesson), ladder, lesson, "kernel"),
                     ("lib", "cub::DeviceTransform", rows, step_of(rows, "_cub"), "transform")]]
        draw_bandwidth(ax, peak, ("n", powers(20, 30, 4)), f"n, {dtype} gelu", lines, yname)
    sides[0].legend(loc="upper left", bbox_to_anchor=(-0.03, -0.24))
    say(sides[1], "soft end", 1, 0, measured(head), 0, -112, "axes fraction")
    save(fig, f"{RESULTS}/elementwise.svg", "GELU over n",
         "Bandwidth of GELU over n, f32 on the left, f16 on the right. In f32 best leads for small n, "
         "and all three come together; in f16 it leads, and CUB's transform is last.")


# ---- beside other GPUs ----


def draw_gpus(steps):
    """Bandwidth of each lesson at n = 2^28, a bar for each GPU that was measured, and its peak."""
    folders = sorted(glob.glob("common/results/*/ladder.csv"), key=lambda f: (DEFAULT not in f, f))
    gpus = []
    for kind, folder in zip(("act", "past", "lib", "best") * len(folders), folders):
        head, rows = read("ladder", os.path.dirname(folder))
        at_big = {s: r for s in steps for r in pick(rows, s, op_of(rows, s)) if r["n"] == BIG}
        name = re.sub(r"^NVIDIA |[ -]\d+GB.*", "", head["gpu"])
        gpus.append((kind, name, peak_of(head), at_big))
    steps = [s for s in steps if any(s in at_big for *_, at_big in gpus)]
    most, high = max(peak for _, _, peak, _ in gpus), (20 * len(gpus) + 12) * len(steps)
    below = 24 * len(gpus) + 12
    fig, ax = chart.figure(high + below, (196, 6, 684, high))
    wide = 0.8 / len(gpus)
    for j, (kind, name, peak, at_big) in enumerate(gpus):
        at = [(i - 0.4 + wide * j, at_big[s]) for i, s in enumerate(steps) if s in at_big]
        ax.barh([y for y, _ in at], [row["gbps"] for _, row in at], 0.9 * wide, align="edge",
                color=LIGHT[kind], label=f"{name}; dashed: its peak, {peak:.0f} GB/s")
        for y, row in at:
            inside = row["gbps"] > 0.4 * most
            say(ax, "on end" if inside else "", row["gbps"], y + 0.45 * wide,
                f"{row['gbps']:.0f} GB/s, {percent(row, peak)}", -8 if inside else 8, -5)
        ax.vlines([peak] * len(at), [y for y, _ in at], [y + 0.9 * wide for y, _ in at],
                  color=LIGHT["limit"], ls=FORMS["limit"]["ls"], lw=1, clip_on=False)
    ax.set(xlim=(0, most), ylim=(len(steps) - 0.5, -0.5), xticks=[], yticks=range(len(steps)),
           yticklabels=[name_of(step) for step in steps])
    ax.grid(False)
    ax.spines.bottom.set_visible(False)
    ax.legend(loc="upper left", bbox_to_anchor=(0, 0), borderaxespad=0)
    save(fig, "common/results/gpus.svg", "The lessons on each GPU",
         "Bars, one for each lesson and GPU: " + "; ".join(
             f"{name}, peak {peak:.0f} GB/s: "
             + ", ".join(f"{s[:2]} {at_big[s]['gbps']:.0f}" for s in steps if s in at_big)
             for _, name, peak, at_big in gpus) + ".")


# ---- one idea each ----


def draw_memory(head, rows):
    """A row for each level of memory: its size, the cycles of a load, GB/s, as far as measured."""
    high = 46 * len(rows)
    columns = [("bytes", "size, all SMs together"), ("cycles", "cycles of a load"),
               ("gbps", "GB/s, all SMs together")]
    fig, *maps = chart.figure(high + 78, *((128 + 188 * i, 44, 308 + 188 * i, 44 + high)
                                           for i in range(3)))
    for ax, (key, words) in zip(maps, columns):
        found = [(k, r[key]) for k, r in enumerate(rows) if r[key]]
        low = min(value for _, value in found) / 4
        ax.barh([k + 0.59 for k, _ in found], [value - low for _, value in found], 0.22, low,
                color=LIGHT["room" if key == "bytes" else "act"], edgecolor=LIGHT["edge"],
                lw=int(key == "bytes"), clip_on=False)
        for k, value in found:
            size = next(f"{value / 2**unit:.3g} {name}iB" for unit, name in ((30, "G"), (20, "M"))
                        if value >= 2**unit) if key == "bytes" else f"{value:,.0f}"
            say(ax, "", 0, k, size, 0, -16, ax.get_yaxis_transform())
        ax.set(xscale="log", ylim=(len(rows), 0), xlim=(low, max(value for _, value in found)))
        ax.set_axis_off()
        say(ax, "soft", 0, 1, words, 0, 18, "axes fraction")
    for k, row in enumerate(rows):
        say(maps[0], "end", 0, k, row["level"], -12, -16, maps[0].get_yaxis_transform())
    say(maps[0], "soft", 0, 0, "bars on a log scale, another one in each column", 0, -24, "axes fraction")
    say(maps[2], "soft end", 1, 0, measured(head), 0, -24, "axes fraction")
    save(fig, f"{RESULTS}/memory.svg", "The levels of memory",
         "A row for each level, from registers to memory, as far as measured: from shared memory "
         "on each answers later, from L1 on each has less bandwidth. " + ". ".join(
             f"{r['level']}: " + ", ".join(f"{r[key]:.0f} {key}" for key, _ in columns if r[key])
             for r in rows) + ".")


def draw_parts(head, rows):
    """A bar for each n, from the launch to the end of a sum: what takes how long."""
    peak = peak_of(head)
    rows = [r for r in rows if (r["warm"], r["early"]) == ("0", "0")]
    empty, loads, best = ([float(r[k]) for r in rows] for k in ("empty_us", "loads_us", "best_us"))
    data = [e + 4 * r["n"] / peak / 1000 for e, r in zip(empty, rows)]
    high = 34 * len(rows)
    fig, ax = chart.figure(194 + high, (62, 113, 624, 113 + high))
    start = [0] * len(rows)
    for kind, end, words in [
            ("idle", empty, "an empty launch"), ("act", data, f"the bytes, at {peak:.0f} GB/s"),
            ("vain", loads, "the rest of the loads: first answers, last blocks, we think"),
            ("w1", best, "adding, and the meeting of the blocks")]:
        look = ({"color": "none", "hatch": "//////", "edgecolor": LIGHT["vain"]} if kind == "vain"
                else {"color": LIGHT[kind]})
        ax.barh(range(len(rows)), [e - s for s, e in zip(start, end)], 0.7, start, label=words,
                **look)
        start = end
    for row, us in enumerate(best):
        say(ax, "", us, row, f"{us:.2f} us", 8, -5)
    ticks = range(int(max(best)) + 1)
    ax.set(xlim=(0, max(best)), ylim=(len(rows) - 0.5, -0.6), yticks=range(len(rows)), xticks=ticks,
           yticklabels=[f"2^{math.log2(r['n']):.0f}" for r in rows],
           xticklabels=[f"{tick} us" if tick else "0" for tick in ticks])
    ax.grid(False)
    ax.grid(True, axis="x")
    ax.spines.bottom.set_visible(False)
    fit = max(r["n"] for r in rows if 256 * 4 * r["n"] <= l2_of(head))  # the 256 inputs of floor.cu
    say(ax, "soft end", 1, 0, f"n floats: in L2 up to 2^{math.log2(fit):.0f}, then from memory; "
        f"by best, no early start", 56, -44, "axes fraction")
    say(ax, "soft end", 1, 0, measured(head), 56, -64, "axes fraction")
    ax.legend(loc="lower left", bbox_to_anchor=(-0.01, 1))
    save(fig, f"{RESULTS}/parts.svg", "Where the time of a sum goes",
         "Bars of four parts for sums of 2^10 to 2^22 floats. Launch and the rest of the loads "
         "fill those of small sums, the meeting of blocks joins at 2^16, and only at "
         "2^22 the bytes take more than half.")


def draw_finish(head, rows):
    """A dot for each SM: when it is done with its part of 2^30 elements."""
    rows = [r for r in rows if r["n"] == 2**30]
    ends = sorted(r["end_ns"] / 1000 for r in rows)
    low, high = 10 * math.floor(ends[0] / 10), 10 * math.ceil(ends[-1] / 10)
    fig, ax = chart.figure(320, (66, 40, 676, 256))
    frame(ax, f"number of the SM; equal parts of 2^30 floats, {measured(head)}", "done after",
          ("linear", (0, len(rows)), {k: k for k in range(0, len(rows) + 1, 20)}),
          ("linear", (low, high), {k: f"{k} us" for k in range(low, high + 1, 20)}))
    ax.plot([r["sm"] for r in rows], [r["end_ns"] / 1000 for r in rows],
            **FORMS["act"] | {"ls": "", "ms": 7})
    save(fig, f"{RESULTS}/finish.svg", "When each SM is done",
         f"A dot for each of {len(rows)} SMs over its number: most are done close together "
         f"at about {ends[len(ends) // 2]:.0f} us, some groups of neighbours before "
         f"{ends[len(ends) // 4]:.0f} us.")


def draw_roofline(ladder, steps):
    """Operations a second over operations a byte: the lessons, and what memory and lanes allow."""
    head, points = read("intensity")
    peak, top = peak_of(read("ladder")[0]), float(head["peak_gflops"])
    gbps = {f"{r['step']} {r['type']} {r['op']}": r["gbps"] for r in ladder
            if r["variant"] == "kernel" and r["n"] == BIG}
    gbps.update((r["label"], float(r["large_gbps"] or 0)) for r in read("ablate")[1])
    intensity = {r["what"]: float(r["operations"]) / float(r["bytes"]) for r in points}
    ridge = top / peak
    fig, ax = chart.figure(440, (84, 44, 676, 376))
    frame(ax, f"operations a byte, n = 2^28, {measured(head)}", "GFLOP/s",
          ("log", (0.08, 2500), {k: f"{k:g}" for k in (0.1, 1, 10, 100, 1000)}),
          ("log", (70, 1.6 * top), {k: f"{k:,}" for k in (100, 1000, 10000)}))
    ax.plot([0.08, ridge, 2500], [0.08 * peak, top, top], **FORMS["limit"])
    say(ax, "soft end", ridge / 4, peak * ridge / 4, f"memory: {peak:.0f} GB/s", -10)
    say(ax, "soft end", 2500, top, f"f32 lanes: {top:,.0f} GFLOP/s", 0, 10)
    for row in points:
        at, there = intensity[row["what"]], row["row"] in gbps
        if row["what"] in ("sum", "gelu"):
            continue  # a lesson's
        speed = at * gbps[row["row"]] if there else top
        ax.plot(at, speed, **FORMS["past"], mew=1, mfc=LIGHT["past" if there else "back"])
        say(ax, "" if there else "end", at, speed, row["what"] + ("" if there else ", on paper"),
            12, -18)
    labels = []  # (operations a byte, GFLOP/s, lessons there): those that are level share a label
    for step in steps:
        op = op_of(ladder, step)
        at, speed = intensity[op], intensity[op] * gbps[f"{step} f32 {op}"]
        kind, name = ("lib", "CUB") if step.endswith("_cub") else ("act", step[:2])
        ax.plot(at, speed, **FORMS[kind])
        if labels and labels[-1][0] == at and speed < 1.15 * labels[-1][1]:
            labels[-1][2].append(name)
        else:
            labels.append((at, speed, [name]))
    for before, (at, speed, names) in zip([(0, 0), *labels], labels):
        near = before[0] == at and speed < 1.4 * before[1]
        say(ax, "bold end" if near else "bold", at, speed, ", ".join(names),
            -12 if near else 12, -5)
    save(fig, f"{RESULTS}/roofline.svg", "Roofline of the seven lessons",
         f"Operations a second over operations a byte, both by factors. The sums of 01 to 06 "
         f"stand above {intensity['sum']:g} operations a byte and climb to the slope of the "
         f"memory; GELU of 07 is near it too. The slope meets the flat roof of the lanes at "
         f"{ridge:.1f}; a matrix product would lie there.")


def draw_many(head, rows):
    """Two charts: n elements over all GPUs, and n elements on each, beside one GPU."""
    rows = [r for r in rows if (r["work"], r["type"], r["op"]) == ("sum", "f32", "sum")]
    gpus = max(int(r["gpus"]) for r in rows)
    time = {(r["way"], r["n"]): r["median_us"] for r in rows}
    one = sorted(n for way, n in time if way == "one")
    for name, each, what in [("strong", 1, "n of all GPUs together"), ("weak", gpus, "n of each GPU")]:
        fig, ax = chart.figure(340, (66, 44, 676, 276))
        for kind, way, words in [("act", "peer", "peer access"), ("lib", "nccl", "ncclAllReduce")]:
            ns = [n for n in one if (way, each * n) in time]
            ax.plot(ns, [each * time["one", n] / time[way, each * n] for n in ns], label=words,
                    **FORMS[kind])
        low, high = (round(math.log2(ns[i])) for i in (0, -1))
        frame(ax, f"{what}, f32 sum, {gpus} x {measured(head)}", "times one GPU",
              ("log", (2**low, 2**high), powers(low, high)),
              ("linear", (0, gpus), {k / 2: f"{k / 2:g}" for k in range(2 * gpus)}))
        for level in (1, gpus):
            ax.axhline(level, **FORMS["limit"], zorder=1)
        say(ax, "soft", 2**low, gpus, f"{gpus} times one GPU", 6, -17)
        say(ax, "soft end", 2**high, 1, "as fast as one GPU", 0, -17)
        ax.legend(loc="lower right")
        save(fig, f"{RESULTS}/many_{name}.svg", f"{gpus} GPUs and one",
             f"How many times one GPU over {what}: peer access rises first and NCCL later, "
             f"and both come near {gpus}.")


def main():
    steps = sorted(os.path.dirname(p) for p in glob.glob("[0-9][0-9]_*/kernel.cu"))
    rows = []
    if has("ladder"):
        head, rows = read("ladder")
        draw_ladder(head, rows, steps)
        if RESULTS == DEFAULT:
            draw_lessons(head, rows, steps)
            draw_gpus(steps)
            draw_loads("05_warp_shuffle/loop.sass", "06_cub/loop.sass")
    if has("peers"):
        peers_head, peers = read("peers")
        draw_sums(peers_head, peers)
        draw_rows(peers_head, peers)
        if has("warm"):
            draw_pairs(peers_head, peers, read("warm")[1])
        if rows:
            draw_elementwise(peers_head, peers, rows)
    if rows and has("intensity", "ablate"):
        draw_roofline(rows, steps)
    if rows and has("tune", "ablate", "cub_inside"):
        draw_in_flight(peak_of(head))
    if has("floor"):
        draw_parts(*read("floor"))
        draw_overlap(*read("floor"))
    if has("memory"):
        draw_memory(*read("memory"))
    if has("sm_finish"):
        draw_finish(*read("sm_finish"))
    if has("many_gpus"):
        draw_many(*read("many_gpus"))


if __name__ == "__main__":
    main()
