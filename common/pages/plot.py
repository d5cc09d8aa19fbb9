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

from chart import FORMS, WIDE, Axis, Picture, powers

DEFAULT = "common/results/h200"
RESULTS = (sys.argv[1:] or [DEFAULT])[0]
TARGET = (sys.argv[2:] or ["."])[0]
BIG = 2**28
NUMBERS = ("n", "median_us", "gbps", "peak_share", "cols", "sm", "end_ns", "bytes", "cycles")
MICROSECONDS = [(1, "1 us"), (10, "10 us"), (100, "100 us"), (1000, "1 ms"), (10000, "10 ms")]


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


def peak_of(rows):
    row = max(rows, key=lambda r: r["gbps"])
    return row["gbps"] / row["peak_share"]


def name_of(step):
    return "06, CUB" if step.endswith("_cub") else step.replace("_", " ")


def measured(head):
    return f"{head['gpu']}, {head['date'][:10]}"


def save(picture, path):
    path = os.path.normpath(os.path.join(TARGET, path))
    os.makedirs(os.path.dirname(path), exist_ok=True)
    picture.save(path)


# ---- the lessons ----


def draw_ladder(head, rows, steps):
    """A bar for each step: bandwidth at n = 2^28, beside the peak."""
    peak = peak_of(rows)
    found = [(s, op_of(rows, s), at[0]["gbps"]) for s in steps
             for at in [[r for r in pick(rows, s, op_of(rows, s)) if r["n"] == BIG]] if at]
    high, left = 32, 196
    p = Picture(high * len(found) + 66, "Bandwidth of each lesson",
                f"Bars, one a lesson, up to the peak of {peak:.0f} GB/s: "
                + ", ".join(f"{s} {100 * g / peak:.0f} %" for s, _, g in found) + ".")
    x = Axis(0, peak, left, WIDE - 16)
    for i, (step, op, gbps) in enumerate(found):
        y = 36 + high * i
        p.rect("lib" if step.endswith("_cub") else "act", left, y, x(gbps) - left, high - 8)
        p.text("end", left - 8, y + 17, f"{name_of(step)} ({op})")
        inside = gbps > 0.5 * peak
        p.text("on end" if inside else "", x(gbps) + (-8 if inside else 8), y + 17,
               f"{gbps:.0f} GB/s, {100 * gbps / peak:.0f} %")
    p.line("limit", [(x(peak), 28), (x(peak), 32 + high * len(found))])
    p.text("soft end", x(peak), 20, f"peak of the memory: {peak:.0f} GB/s")
    p.text("soft end", x(peak), 54 + high * len(found), f"f32, n = 2^28, {measured(head)}")
    save(p, f"{RESULTS}/ladder.svg")


def draw_time(path, title, lines, what, peak, bytes_each, low=10, high=30):
    """Time over n, both by factors, and the floor: an empty launch, or all bytes at the peak.

    Lines are (class, words, rows)."""
    launch = 0
    if has("floor"):
        launch = min(float(r["empty_us"]) for r in read("floor")[1] if r["early"] == "0")
    p = Picture(380, title, f"Time over n from 2^{low} to 2^{high}: "
                + ", ".join(words for _, words, _ in lines)
                + ". All are flat while n is small, where a launch takes the time, and rise with "
                "the floor, which is the bytes at the peak of the memory, where n is large.")
    x = Axis(2**low, 2**high, 66, WIDE - 24, log=True)
    most = max(r["median_us"] for _, _, rows in lines for r in rows)
    top = 1.5 * most
    y = Axis(0.3, top, 316, 40, log=True)
    p.axes(x, y, powers(low, high), [t for t in MICROSECONDS if t[0] <= top], what, "time")
    floor = [(n, max(launch, bytes_each * n / peak / 1000)) for n in
             (2 ** (k / 8) for k in range(8 * low, 8 * high + 1))]
    p.line("limit", [(x(n), y(us)) for n, us in floor if us >= 0.3])
    for kind, _, rows in lines:
        p.curve(kind, [(x(r["n"]), y(r["median_us"])) for r in rows])
    p.legend(x.first + 18, y.last + 24, [(kind, words) for kind, words, _ in lines]
             + [("limit", f"floor: an empty launch, then bytes at {peak:.0f} GB/s")])
    save(p, path)


def draw_lessons(head, rows, steps):
    """Of each lesson: its time, that of the lesson before, and that of CUB."""
    peak, cub = peak_of(rows), step_of(rows, "_cub")
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
                  f"n, f32 {op}, {measured(head)}", peak, 4 if op == "sum" else 8)


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
    """The time of a load while nothing queues, by Little's law: where least is in flight."""
    megabytes, gbps = in_flight(*IN_FLIGHT[0])
    return 1000 * megabytes / gbps


def draw_in_flight(peak):
    """Bytes in flight against bandwidth: Little's law up to the peak, and where we are."""
    us, sms = load_us(), int(read("cub_inside")[0]["sms"])
    head, tuned = read("tune")
    p = Picture(420, "Bytes in flight and bandwidth",
                f"Bandwidth over the bytes in flight, both by factors. The slope is Little's law "
                f"with {us:.2f} us for a load. Up to 1 MB kernels of all kinds lie on it; then they "
                f"bend, and from 4 MB on they are level just below the peak.")
    x, y = Axis(0.25, 40, 66, WIDE - 24, log=True), Axis(500, 1.25 * peak, 350, 40, log=True)
    p.axes(x, y, [(2.0**k, f"{2.0**k:g}") for k in range(-2, 6)],
           [(k, str(k)) for k in (500, 1000, 2000, 4000)],
           f"MB in flight on the whole GPU, f32 sum, {head['gpu']}", "GB/s")
    ridge = peak * us / 1000
    p.line("limit", [(x(0.25), y(250 / us)), (x(ridge), y(peak)), (x(40), y(peak))])
    p.text("soft end", x(40), y(peak) - 8, f"peak {peak:.0f}")
    p.text("soft end", x(ridge) - 40, y(peak) + 12, f"bytes / {us:.2f} us")
    for row in tuned:
        if row["n"] == 2**26:
            threads, loads, blocks = map(int, row["variant"].split("_"))
            p.dot("past", x(sms * min(threads * blocks, 2048) * loads * 16 / 1e6), y(row["gbps"]), r=3)
    lines = {}  # of the label below a place
    for row in IN_FLIGHT:
        megabytes, gbps = in_flight(*row)
        p.dot("act", x(megabytes), y(gbps), r=5.5)
        level = lines[megabytes] = lines.get(megabytes, y(gbps)) + 18
        if gbps > 0.9 * peak:
            p.text("middle", x(megabytes), y(peak) - 8, row[3])
        else:
            p.text("", x(megabytes) + 12, level, row[3])
    for i, (kind, words) in enumerate((("act", "04 and its variants, n = 2^28"),
                                       ("past", "best, as make tune sets it, n = 2^26"))):
        p.dot(kind, 410, 294 + 22 * i, r=5.5 if i == 0 else 3)
        p.text("", 424, 299 + 22 * i, words)
    save(p, f"{RESULTS}/in_flight.svg")


def round_of(listing):
    """Of the first loop of a listing by `make sass`: instructions, and loads."""
    with open(listing, encoding="utf-8") as file:
        text = file.read()
    code = text[text.index("a round"):].split("\n\n")[0].splitlines()[1:]
    return len(code), sum("LDG" in line for line in code)


def draw_stairs(path, title, says, ticks, key, halves):
    """Two halves with four columns each, time downwards. A half is a name, a note, a list of columns
    with parts of (class, from, to), and what stands below; the key has (class, words)."""
    ends = [max(part[2] for column in columns for part in column) for _, _, columns, _ in halves]
    y = Axis(0, max(ends), 84, 332)
    p = Picture(400, title, says)
    p.text("soft end", 64, y.first - 16, "time")
    for tick in ticks:
        p.line("grid", [(72, y(tick)), (WIDE - 12, y(tick))])
        p.text("end", 64, y(tick) + 5, f"{tick:g} us" if tick else "0")
    for side, (name, note, columns, below) in enumerate(halves):
        x = 84 + 310 * side
        p.text("bold", x, 22, name)
        p.text("small soft", x, 42, note)
        for i, column in enumerate(columns):
            for kind, start, end in column:
                p.rect(kind, x + 66 * i, y(start), 60, y(end) - y(start))
                if kind == "act":
                    p.text("on middle", x + 66 * i + 30, y((start + end) / 2) + 5, f"{i + 1}")
        p.text("bold end", x + 258, y(ends[side]) + 20, below)
    for i, (kind, words) in enumerate(key):
        p.rect(kind, 84 + 310 * i, y.last + 44, 20, 12)
        p.text("", 114 + 310 * i, y.last + 55, words)
    save(p, path)


def draw_loads(lesson, cub):
    """Four loads of a warp: one after the other, or all at once."""
    us, thin = load_us(), 0.03
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
                f"Four loads of a warp, each of which takes {us:.2f} us, time downwards. On the left "
                "each is asked for when the one before has come and was added; on the right all four "
                "are asked for at once, and are there in a quarter of the time.",
                (0, 0.5, 1, 1.5), [("act", "a load: asked for, and not there yet"),
                                   ("w1", "its additions: next to no time")], halves)


def draw_overlap(head, rows):
    """Four launches of a sum of 2^10 floats: one after the other, and each beginning early."""
    found = {r["early"]: {k: float(r[k]) for k in ("empty_us", "best_us")}
             for r in rows if (r["n"], r["warm"]) == (2**10, "0")}
    empty, alone, early = found["0"]["empty_us"], found["0"]["best_us"], found["1"]["best_us"]
    halves = []
    for name, period in (("One after the other", alone), ("Each begins early", early)):
        halves.append((name, f"a launch every {period:.2f} us",
                       [[("idle", period * i, period * i + empty),
                         ("act", period * i + empty, period * i + alone)] for i in range(4)],
                       f"four sums in {3 * period + alone:.2f} us"))
    draw_stairs(f"{RESULTS}/overlap.svg", "Launches that overlap",
                f"Four launches of best for 2^10 floats, time downwards. Each takes {alone:.2f} us. On "
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
              f"n, f32 sum, {measured(head)}", peak_of(rows), 4, 10, 33)


def draw_pairs(head, cold, warm):
    """A map of how many times as fast as CUB: type and operator down, n across."""
    pairs = [(t, op) for t in ("f32", "f64", "i32") for op in ("sum", "max", "min")]
    wide, high, left = 52, 24, 108
    ratios = {}
    for where, rows in (("from memory", cold), ("from L2", warm)):
        for dtype, op in pairs:
            cub = {r["n"]: r["median_us"] for r in pick(rows, step_of(rows, "_cub"), op, dtype=dtype)}
            for r in pick(rows, "05_warp_shuffle", op, "best", dtype):
                if r["n"] in cub and r["n"] <= 2**30:
                    ratios[where, dtype, op, r["n"]] = cub[r["n"]] / r["median_us"]
    most = max(ratios.values())
    p = Picture(74 + 2 * (high * len(pairs) + 44), "How many times as fast as CUB",
                "Two maps, with the input in memory and in L2: types and operators down, n across. "
                f"Small n is the darkest, up to {most:.1f} times as fast as CUB; towards 2^30 all "
                "come near 1.")
    p.text("soft end", WIDE - 20, 18, "time of CUB / time of best")
    y = 32
    for where in ("from memory", "from L2"):
        ns = sorted({key[3] for key in ratios if key[0] == where})
        p.text("bold end", left - 8, y + 14, where)
        for i, n in enumerate(ns):
            p.text("soft middle", left + wide * (i + 0.5), y + 14, f"2^{math.log2(n):.0f}")
        y += 22
        for dtype, op in pairs:
            p.text("end", left - 8, y + 17, f"{dtype} {op}")
            for i, n in enumerate(ns):
                times = ratios.get((where, dtype, op, n))
                if times is None:
                    continue
                shade = (times - 1) / (most - 1) / 2  # half of the colour: text stays readable
                p.rect("best", left + wide * i, y, wide - 1, high - 1,
                       f' fill-opacity="{shade:.2f}"')
                p.text("middle", left + wide * (i + 0.5), y + 17, f"{times:.2f}")
            y += high
        y += 22
    p.text("soft end", WIDE - 20, y + 8, f"n across, {measured(head)}")
    save(p, f"{RESULTS}/pairs.svg")


GBPS = [(k, str(k)) for k in range(0, 5000, 1000)]


def draw_bandwidth(p, x, y, peak, xticks, xname, lines, yname="GB/s"):
    """Axes of GB/s with the peak, and lines of (class, words, points)."""
    p.axes(x, y, xticks, [(k, words if yname else "") for k, words in GBPS if k < peak], xname, yname)
    p.line("limit", [(x.first, y(peak)), (x.last, y(peak))])
    p.text("soft end", x.last, y(peak) - 6, f"peak {peak:.0f}")
    for kind, _, points in lines:
        p.curve(kind, [(x(at), y(gbps)) for at, gbps in points])


def draw_rows(head, rows):
    """Bandwidth over the length of a row, 2^28 elements in all."""
    peak = peak_of(rows)
    lines = [(kind, words, [(r["cols"], r["gbps"])
                            for r in pick(rows, step, "sum", variant, key="cols")])
             for kind, words, step, variant in [
                 ("best", "row_best", "05_warp_shuffle", "row_best"),
                 ("lib", "cub::DeviceSegmentedReduce", step_of(rows, "_cub"), "segmented")]]
    p = Picture(360, "Bandwidth over the length of a row",
                "Bandwidth of row sums over the columns of a row: row_best is level near the peak, "
                "CUB's segmented reduction reaches it in the middle alone.")
    ends = [at for at, _ in lines[0][2]]
    low, high = math.log2(ends[0]), math.log2(ends[-1])
    x, y = Axis(ends[0], ends[-1], 66, WIDE - 24, log=True), Axis(0, peak, 296, 44)
    draw_bandwidth(p, x, y, peak, powers(round(low) + round(low) % 2, round(high), 4),
                   f"columns of a row, 2^28 elements, f32 sum, {measured(head)}", lines)
    p.legend(x.first + 210, y.first - 38, [(kind, words) for kind, words, _ in lines])
    save(p, f"{RESULTS}/rows.svg")


def draw_elementwise(head, rows, ladder):
    """GELU over n, f32 and f16: the lesson, the best, CUB."""
    peak, lesson = peak_of(rows), step_of(ladder, "_elementwise")
    p = Picture(400, "GELU over n",
                "Bandwidth of GELU over n, f32 on the left, f16 on the right. The best kernel leads; "
                "the lesson's is near it in f32 and behind it in f16, and CUB's transform is last.")
    for side, dtype in enumerate(("f32", "f16")):
        lines = [(kind, words, [(r["n"], r["gbps"]) for r in
                                pick(data, step, "gelu", variant, dtype) if r["n"] >= 2**20])
                 for kind, words, data, step, variant in [
                     ("best", "best", rows, lesson, "best"),
                     ("act", name_of(lesson), ladder, lesson, "kernel"),
                     ("lib", "cub::DeviceTransform", rows, step_of(rows, "_cub"), "transform")]]
        x = Axis(2**20, 2**30, 62 + 320 * side, 352 + 320 * side, log=True)
        y = Axis(0, peak, 268, 44)
        draw_bandwidth(p, x, y, peak, powers(20, 30, 4), f"n, {dtype} gelu", lines,
                       "GB/s, read and written" if side == 0 else "")
    p.legend(62, 340, [(kind, words) for kind, words, _ in lines])
    p.text("soft end", WIDE - 22, 380, measured(head))
    save(p, f"{RESULTS}/elementwise.svg")


# ---- beside other GPUs ----


def draw_gpus(steps):
    """Bandwidth of each lesson at n = 2^28, a bar for each GPU that was measured, and its peak."""
    folders = sorted(glob.glob("common/results/*/ladder.csv"), key=lambda f: (DEFAULT not in f, f))
    gpus = []
    for kind, folder in zip(("act", "past", "lib", "best") * len(folders), folders):
        head, rows = read("ladder", os.path.dirname(folder))
        gbps = {s: r["gbps"] for s in steps for r in pick(rows, s, op_of(rows, s)) if r["n"] == BIG}
        name = re.sub(r"^NVIDIA |[ -]\d+GB.*", "", head["gpu"])
        gpus.append((kind, name, peak_of(rows), gbps))
    steps = [s for s in steps if any(s in gbps for *_, gbps in gpus)]
    bar, left, high = 20, 196, 20 * len(gpus) + 12
    p = Picture(high * len(steps) + 24 * len(gpus) + 30, "The lessons on each GPU",
                "Bars, one for each lesson and GPU: " + "; ".join(
                    f"{name}, peak {peak:.0f} GB/s: "
                    + ", ".join(f"{s[:2]} {gbps[s]:.0f}" for s in steps if s in gbps)
                    for _, name, peak, gbps in gpus) + ".")
    x = Axis(0, max(peak for _, _, peak, _ in gpus), left, WIDE - 16)
    for i, step in enumerate(steps):
        p.text("end", left - 8, 12 + high * i + 10 * len(gpus) + 5, name_of(step))
        for j, (kind, _, peak, gbps) in enumerate(gpus):
            if step in gbps:
                y, end = 12 + high * i + bar * j, x(gbps[step])
                inside = gbps[step] > 0.4 * x.high
                p.rect(kind, left, y, end - left, bar - 2)
                p.line("limit", [(x(peak), y), (x(peak), y + bar - 2)])
                p.text("on end" if inside else "", end + (-8 if inside else 8), y + 14,
                       f"{gbps[step]:.0f} GB/s, {100 * gbps[step] / peak:.0f} %")
    for j, (kind, name, peak, _) in enumerate(gpus):
        y = high * len(steps) + 24 * j + 18
        p.rect(kind, left, y, 20, 14)
        p.text("", left + 28, y + 12, f"{name}; the dashed line: its peak, {peak:.0f} GB/s")
    save(p, "common/results/gpus.svg")


# ---- one idea each ----


def draw_memory(head, rows):
    """A row for each level of memory: its size, the cycles of a load, GB/s, as far as measured."""
    high, left, wide = 46, 128, 180
    columns = [("bytes", "size, all SMs together"), ("cycles", "cycles of a load"),
               ("gbps", "GB/s, all SMs together")]
    p = Picture(56 + high * len(rows) + 22, "The levels of memory",
                "A row for each level, from registers to memory: each further one is larger, answers "
                "later, and has less bandwidth. " + ". ".join(
                    f"{r['level']}: " + ", ".join(f"{r[key]:.0f} {key}" for key, _ in columns if r[key])
                    for r in rows) + ".")
    for i, (key, words) in enumerate(columns):
        found = [float(r[key]) for r in rows if r[key]]
        start = left + (wide + 8) * i
        x = Axis(min(found) / 4, max(found), start, start + wide, log=True)
        p.text("soft", start, 26, words)
        for k, r in enumerate(rows):
            y = 44 + high * k
            if i == 0:
                p.text("bold end", left - 12, y + 16, r["level"])
            if not r[key]:
                continue
            value = float(r[key])
            size = next(f"{value / 2**unit:.3g} {name}iB" for unit, name in ((30, "G"), (20, "M"))
                        if value >= 2**unit) if key == "bytes" else f"{value:,.0f}"
            p.rect("room" if key == "bytes" else "act", start, y + 22, x(value) - start, 10)
            p.text("", start, y + 16, size)
    p.text("soft end", WIDE - 12, 68 + high * len(rows), measured(head))
    save(p, f"{RESULTS}/memory.svg")


def draw_parts(head, rows):
    """A bar for each n, from the launch to the end of a sum: what takes how long."""
    peak = float(head["memory"].split()[0])
    rows = [r for r in rows if (r["warm"], r["early"]) == ("0", "0")]
    parts = [("idle", "an empty launch"), ("act", f"the bytes, at {peak:.0f} GB/s"),
             ("vain", "waiting for memory: the first answers, the last blocks"),
             ("w1", "adding, and the meeting of the blocks")]
    high, left = 34, 62
    p = Picture(118 + high * len(rows) + 56, "Where the time of a sum goes",
                "Bars of four parts for sums of 2^10 to 2^22 floats. Launch and waiting for the first "
                "answers fill those of small sums, the meeting of blocks joins at 2^16, and only at "
                "2^22 the bytes take more than half.")
    for i, (kind, words) in enumerate(parts):
        p.rect(kind, left, 14 + 22 * i, 22, 13)
        p.text("", left + 32, 26 + 22 * i, words)
    x = Axis(0, max(float(r["best_us"]) for r in rows), left, WIDE - 76)
    for tick in range(int(x.high) + 1):
        p.line("grid", [(x(tick), 112), (x(tick), 118 + high * len(rows))])
        p.text("middle", x(tick), 136 + high * len(rows), f"{tick} us" if tick else "0")
    for i, r in enumerate(rows):
        y, at = 118 + high * i, 0
        empty, loads, best = (float(r[k]) for k in ("empty_us", "loads_us", "best_us"))
        bytes_us = 4 * r["n"] / peak / 1000
        p.text("end", left - 8, y + 17, f"2^{math.log2(r['n']):.0f}")
        for (kind, _), us in zip(parts, (empty, bytes_us, loads - empty - bytes_us, best - loads)):
            p.rect(kind, x(at), y, x(us) - x(0), high - 10)
            at += us
        p.text("", x(best) + 8, y + 17, f"{best:.2f} us")
    p.text("soft end", WIDE - 20, 158 + high * len(rows),
           f"n floats out of memory, by best, no early start, {measured(head)}")
    save(p, f"{RESULTS}/parts.svg")


def draw_finish(head, rows):
    """A dot for each SM: when it is done with its part of 2^30 elements."""
    rows = [r for r in rows if r["n"] == 2**30]
    ends = sorted(r["end_ns"] / 1000 for r in rows)
    p = Picture(320, "When each SM is done",
                f"A dot for each of {len(rows)} SMs over its number: most are done close together "
                f"at about {ends[len(ends) // 2]:.0f} us, some groups of neighbours before "
                f"{ends[len(ends) // 4]:.0f} us.")
    x = Axis(0, len(rows), 66, WIDE - 24)
    y = Axis(10 * math.floor(ends[0] / 10), 10 * math.ceil(ends[-1] / 10), 256, 40)
    lows = range(10 * math.floor(ends[0] / 10), int(ends[-1]) + 10, 20)
    p.axes(x, y, [(k, str(k)) for k in range(0, len(rows) + 1, 20)],
           [(k, f"{k} us") for k in lows],
           f"number of the SM; equal parts of 2^30 floats, {measured(head)}", "done after")
    for r in rows:
        p.dot("act", x(r["sm"]), y(r["end_ns"] / 1000), r=3.5)
    save(p, f"{RESULTS}/finish.svg")


def draw_roofline(ladder, steps):
    """Operations a second over operations a byte: the lessons, and what memory and lanes allow."""
    head, points = read("intensity")
    peak, top = peak_of(ladder), float(head["peak_gflops"])
    gbps = {f"{r['step']} {r['type']} {r['op']}": r["gbps"] for r in ladder
            if r["variant"] == "kernel" and r["n"] == BIG}
    gbps.update((r["label"], float(r["large_gbps"] or 0)) for r in read("ablate")[1])
    intensity = {r["what"]: float(r["operations"]) / float(r["bytes"]) for r in points}
    ridge = top / peak
    p = Picture(440, "Roofline of the seven lessons",
                f"Operations a second over operations a byte, both by factors. The sums of 01 to 06 "
                f"stand above {intensity['sum']:g} operations a byte and climb to the slope of the "
                f"memory; GELU of 07 is near it too. The slope meets the flat roof of the lanes at "
                f"{ridge:.1f}; a matrix product would lie there.")
    x, y = Axis(0.08, 2500, 84, WIDE - 24, log=True), Axis(70, 1.6 * top, 376, 44, log=True)
    p.axes(x, y, [(k, f"{k:g}") for k in (0.1, 1, 10, 100, 1000)],
           [(k, f"{k:,}") for k in (100, 1000, 10000)],
           f"operations a byte, n = 2^28, {measured(head)}", "GFLOP/s")
    p.line("limit", [(x(0.08), y(0.08 * peak)), (x(ridge), y(top)), (x(2500), y(top))])
    p.text("soft end", x(ridge / 4) - 10, y(peak * ridge / 4), f"memory: {peak:.0f} GB/s")
    p.text("soft end", x(2500), y(top) - 10, f"f32 lanes: {top:,.0f} GFLOP/s")
    for row in points:
        at = intensity[row["what"]]
        speed = at * gbps[row["row"]] if row["row"] in gbps else top
        if row["what"] in ("sum", "gelu"):
            continue  # a lesson's
        p.dot("past" if row["row"] else "edge", x(at), y(speed), "s")
        p.text("" if row["row"] else "end", x(at) + 12, y(speed) + 18,
               row["what"] + ("" if row["row"] else ", on paper"))
    labels = []  # (place, lessons there): lessons that are level share a label
    for step in steps:
        op = op_of(ladder, step)
        at = intensity[op]
        place = x(at), y(at * gbps[f"{step} f32 {op}"])
        kind, name = ("lib", "CUB") if step.endswith("_cub") else ("act", step[:2])
        p.dot(kind, *place, FORMS[kind])
        if labels and math.dist(labels[-1][0], place) < 7:
            labels[-1][1].append(name)
        else:
            labels.append((place, [name]))
    for i, ((left, level), names) in enumerate(labels):
        near = i > 0 and math.dist(labels[i - 1][0], (left, level)) < 17
        p.text("bold end" if near else "bold", left + (-12 if near else 12), level + 5,
               ", ".join(names))
    save(p, f"{RESULTS}/roofline.svg")


def draw_many(head, rows):
    """Two charts: n elements over all GPUs, and n elements on each, beside one GPU."""
    rows = [r for r in rows if (r["work"], r["type"], r["op"]) == ("sum", "f32", "sum")]
    gpus = max(int(r["gpus"]) for r in rows)
    time = {(r["way"], r["n"]): r["median_us"] for r in rows}
    one = sorted(n for way, n in time if way == "one")
    for name, each, what in [("strong", 1, "n of all GPUs together"), ("weak", gpus, "n of each GPU")]:
        lines = []
        for kind, way, words in [("act", "peer", "peer access"), ("lib", "nccl", "ncclAllReduce")]:
            ns = [n for n in one if (way, each * n) in time]
            lines.append((kind, words, [(n, each * time["one", n] / time[way, each * n])
                                        for n in ns]))
        low, high = (round(math.log2(lines[0][2][i][0])) for i in (0, -1))
        p = Picture(340, f"{gpus} GPUs and one",
                    f"How many times one GPU over {what}: peer access rises first and NCCL later, "
                    f"and both come near {gpus}.")
        x, y = Axis(2**low, 2**high, 66, WIDE - 24, log=True), Axis(0, gpus, 276, 44)
        p.axes(x, y, powers(low, high), [(k / 2, f"{k / 2:g}") for k in range(2 * gpus)],
               f"{what}, f32 sum, {gpus} x {measured(head)}", "times one GPU")
        for level in (1, gpus):
            p.line("limit", [(x.first, y(level)), (x.last, y(level))])
        p.text("soft", x.first + 6, y(gpus) + 17, f"{gpus} times one GPU")
        p.text("soft end", x.last, y(1) + 17, "as fast as one GPU")
        for kind, _, found in lines:
            p.curve(kind, [(x(n), y(times)) for n, times in found])
        p.legend(x.last - 170, y.first - 42, [(kind, words) for kind, words, _ in lines])
        save(p, f"{RESULTS}/many_{name}.svg")


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
        draw_in_flight(peak_of(rows))
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
