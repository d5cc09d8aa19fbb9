# SPDX-License-Identifier: MIT
"""Draws the figures of the course: plot.py common/results/<gpu>. Plotting only.

They go to that folder; those of the lessons are drawn for the default GPU alone."""
import csv
import glob
import os
import sys

import matplotlib

matplotlib.use("Agg")
matplotlib.rcParams.update(
    {
        "svg.hashsalt": "course",  # the same data gives the same file
        "svg.fonttype": "none",
        "font.size": 11,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.edgecolor": "#888888",
        "figure.facecolor": "white",
    }
)
import matplotlib.pyplot as plt

DEFAULT = "common/results/h200"
RESULTS = (sys.argv[1:] or [DEFAULT])[0]
BIG = 2**28
GREY = "#b0b0b0"
COLOURS = ["#cc79a7", "#e69f00", "#a08000", "#009e73", "#0072b2", "#444444", "#d55e00"]


def read(path):
    """The comment head as a dict, the rows as dicts with numbers."""
    head, lines = {}, []
    with open(path, encoding="utf-8") as file:
        for line in file:
            if line.startswith("#"):
                name, _, value = line[1:].partition(":")
                head[name.strip().lower()] = value.strip()
            else:
                lines.append(line)
    rows = list(csv.DictReader(lines))
    for row in rows:
        for name in ("n", "median_us", "gbps", "peak_share", "cols", "sm", "end_ns"):
            row[name] = float(row.get(name) or 0)
    return head, rows


def pick(rows, step, op, variant="kernel", dtype="f32"):
    """The rows of one step over n, in order."""
    found = [
        r
        for r in rows
        if (r["step"], r["op"], r["variant"], r["type"]) == (step, op, variant, dtype)
    ]
    return sorted(found, key=lambda r: r["n"])


def op_of(rows, step):
    """What a lesson is about comes first among its rows."""
    return next((r["op"] for r in rows if (r["step"], r["variant"]) == (step, "kernel")), None)


def cub_of(rows):
    return next((r["step"] for r in rows if r["step"].endswith("_cub")), None)


def save(figure, path):
    source = {"Date": None, "Source": "common/pages/plot.py"}
    figure.savefig(path, metadata=source, bbox_inches="tight")
    plt.close(figure)
    print("wrote", path)


def peak_of(rows):
    row = max(rows, key=lambda r: r["gbps"])
    return row["gbps"] / row["peak_share"]


def draw_ladder(head, rows, steps):
    """One bar a step: bandwidth at n = 2^28."""
    figure, axes = plt.subplots(figsize=(8, 3.6))
    peak = peak_of(rows)
    for i, step in enumerate(steps):
        at = [r for r in pick(rows, step, op_of(rows, step)) if r["n"] == BIG]
        if not at:
            continue
        gbps = at[0]["gbps"]
        axes.barh(i, gbps, color=COLOURS[i % len(COLOURS)], height=0.7)
        inside = gbps > 0.6 * peak
        axes.annotate(f"{gbps:.0f} GB/s, {100 * gbps / peak:.0f} %", (gbps, i), va="center",
                      xytext=(-6 if inside else 6, 0), textcoords="offset points",
                      ha="right" if inside else "left", color="white" if inside else "black")
    axes.axvline(peak, color="#888888", linestyle="--", linewidth=1)
    axes.text(peak, -0.75, f"peak {peak:.0f}", ha="center", color="#666666")
    axes.set_yticks(range(len(steps)), [f"{s} ({op_of(rows, s)})" for s in steps])
    axes.invert_yaxis()
    axes.set_xlim(0, peak * 1.03)
    axes.set_xlabel(f"GB/s, f32, n = 2^28, {head['gpu']}, {head['date'][:10]}")
    save(figure, f"{RESULTS}/ladder.svg")


def draw_over_n(head, rows, steps, shown, path):
    """Bandwidth over n; the steps in `shown` in colour, the others in grey."""
    figure, axes = plt.subplots(figsize=(8, 4.2))
    peak = peak_of(rows)
    ends = []
    for i, step in enumerate(steps):
        points = pick(rows, step, op_of(rows, step))
        if not points or (op_of(rows, step) != op_of(rows, shown[-1])):
            continue
        bright = step in shown
        colour = COLOURS[i % len(COLOURS)] if bright else GREY
        xs, ys = [r["n"] for r in points], [r["gbps"] for r in points]
        axes.plot(xs, ys, marker="o", markersize=4, linewidth=2 if bright else 1, color=colour,
                  zorder=3 if bright else 1)
        ends.append([ys[-1], step, colour])
    # labels at the right end, pushed apart where the lines end close together
    high = 2 * peak
    for y, step, colour in sorted(ends, reverse=True):
        high = min(y, high - 0.055 * peak)
        axes.annotate(step, (BIG * 4, high), xytext=(8, -4), textcoords="offset points",
                      color=colour if colour != GREY else "#888888", annotation_clip=False)
    axes.axhline(peak, color="#888888", linestyle="--", linewidth=1)
    axes.text(2**10, peak * 1.01, f"theoretical peak, {peak:.0f} GB/s", color="#666666")
    axes.set_xscale("log", base=2)
    axes.set_xticks([2**k for k in range(10, 31, 2)])
    axes.set_ylim(0, peak * 1.08)
    axes.set_ylabel("GB/s")
    axes.set_xlabel(f"n, f32 {op_of(rows, shown[-1])}, {head['gpu']}, {head['date'][:10]}")
    axes.grid(axis="y", color="#eeeeee")
    save(figure, path)


def by_n(points):
    return {r["n"]: r for r in points}


def draw_sums(head, rows):
    """Left: microseconds over n. Right: how many times as fast as CUB."""
    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4.2), width_ratios=[3, 2])
    cub = by_n(pick(rows, cub_of(rows), "sum"))
    lines = [
        ("CUB", cub_of(rows), "kernel", "#444444"),
        ("best", "05_warp_shuffle", "best", "#d55e00"),
        ("cuBLAS asum", cub_of(rows), "cublas_asum", "#009e73"),
    ]
    for label, step, variant, colour in lines:
        points = pick(rows, step, "sum", variant)
        if not points:
            continue
        xs = [r["n"] for r in points]
        left.plot(xs, [r["median_us"] for r in points], marker="o", markersize=4, color=colour,
                  label=label)
        if label == "best":
            both = [n for n in xs if n in cub]
            best = by_n(points)
            right.plot(both, [cub[n]["median_us"] / best[n]["median_us"] for n in both],
                       marker="o", markersize=4, color=colour)
    for axes in (left, right):
        axes.set_xscale("log", base=2)
        axes.set_xticks([2**k for k in range(10, 34, 4)])
        axes.grid(axis="y", color="#eeeeee")
    left.set_yscale("log")
    left.set_ylabel("us")
    left.legend(frameon=False)
    left.set_xlabel(f"n, f32 sum, {head['gpu']}, {head['date'][:10]}")
    right.axhline(1, color="#444444", linewidth=1)
    right.set_ylim(0.9)
    right.set_ylabel("times as fast as CUB")
    right.set_xlabel("n")
    figure.tight_layout()
    save(figure, f"{RESULTS}/sums.svg")


def draw_pairs(head, cold, warm):
    """How many times as fast as CUB: each type and operator over n, cold and warm."""
    figure, both = plt.subplots(1, 2, figsize=(10, 4.2), sharey=True)
    for axes, rows, title in zip(both, (cold, warm), ("from memory", "from L2")):
        for i, dtype in enumerate(("f32", "f64", "i32")):
            for op, mark in (("sum", "o"), ("max", "^"), ("min", "v")):
                cub = by_n(pick(rows, cub_of(rows), op, dtype=dtype))
                best = pick(rows, "05_warp_shuffle", op, "best", dtype)
                best = [r for r in best if r["n"] in cub and r["n"] <= 2**30]
                axes.plot([r["n"] for r in best],
                          [cub[r["n"]]["median_us"] / r["median_us"] for r in best], marker=mark,
                          markersize=4, linewidth=1, color=COLOURS[3 * i % 7],
                          label=f"{dtype} {op}")
        axes.axhline(1, color="#444444", linewidth=1)
        axes.set_xscale("log", base=2)
        axes.set_xticks([2**k for k in range(10, 31, 4)])
        axes.set_xlabel(f"n, {title}, {head['gpu']}, {head['date'][:10]}")
        axes.grid(axis="y", color="#eeeeee")
    both[0].set_ylim(0.9)
    both[0].set_ylabel("times as fast as CUB")
    both[1].legend(frameon=False, loc="upper right", fontsize=9)
    figure.tight_layout()
    save(figure, f"{RESULTS}/pairs.svg")


def draw_rows(head, rows):
    """Bandwidth over the length of a row, 2^28 elements in all."""
    figure, axes = plt.subplots(figsize=(8, 3.8))
    for label, step, variant, colour in [
        ("row_best", "05_warp_shuffle", "row_best", "#d55e00"),
        ("cub::DeviceSegmentedReduce", cub_of(rows), "segmented", "#444444"),
    ]:
        points = sorted(pick(rows, step, "sum", variant), key=lambda r: r["cols"])
        axes.plot([r["cols"] for r in points], [r["gbps"] for r in points], marker="o",
                  markersize=4, color=colour, label=label)
    peak = peak_of(rows)
    axes.axhline(peak, color="#888888", linestyle="--", linewidth=1)
    axes.text(2**5, peak * 1.01, f"theoretical peak, {peak:.0f} GB/s", color="#666666")
    axes.set_xscale("log", base=2)
    axes.set_ylim(0, peak * 1.08)
    axes.set_ylabel("GB/s")
    axes.set_xlabel(f"columns of a row, 2^28 elements, f32 sum, {head['gpu']}")
    axes.legend(frameon=False, loc="lower center")
    axes.grid(axis="y", color="#eeeeee")
    save(figure, f"{RESULTS}/rows.svg")


def draw_elementwise(head, rows, ladder):
    """GELU over n, f32 and f16: the lesson, the best, CUB."""
    figure, both = plt.subplots(1, 2, figsize=(10, 3.8), sharey=True)
    peak = peak_of(rows)
    lesson = next(r["step"] for r in ladder if r["op"] == "gelu")
    for axes, dtype in zip(both, ("f32", "f16")):
        for label, data, step, variant, colour in [
            (f"{lesson[:2]} kernel", ladder, lesson, "kernel", "#0072b2"),
            ("best", rows, lesson, "best", "#d55e00"),
            ("cub::DeviceTransform", rows, cub_of(rows), "transform", "#444444"),
        ]:
            points = [r for r in pick(data, step, "gelu", variant, dtype) if r["n"] >= 2**20]
            axes.plot([r["n"] for r in points], [r["gbps"] for r in points], marker="o",
                      markersize=4, color=colour, label=label)
        axes.axhline(peak, color="#888888", linestyle="--", linewidth=1)
        axes.set_xscale("log", base=2)
        axes.set_xticks([2**k for k in range(20, 31, 2)])
        axes.set_ylim(0, peak * 1.05)
        axes.set_xlabel(f"n, {dtype} gelu, {head['gpu']}")
        axes.grid(axis="y", color="#eeeeee")
    both[0].set_ylabel("GB/s, read and written")
    both[0].legend(frameon=False, loc="lower right")
    figure.tight_layout()
    save(figure, f"{RESULTS}/elementwise.svg")


def draw_finish(head, rows):
    """A dot for each SM: when it is done with its part of 2^30 elements."""
    figure, axes = plt.subplots(figsize=(8, 3.2))
    rows = [r for r in rows if r["n"] == 2**30]
    axes.plot([r["sm"] for r in rows], [r["end_ns"] / 1000 for r in rows], "o", markersize=4,
              color="#0072b2")
    axes.set_ylabel("done after, us")
    axes.set_xlabel(f"number of the SM; equal parts of 2^30 floats, {head['gpu']}")
    axes.grid(axis="y", color="#eeeeee")
    save(figure, f"{RESULTS}/finish.svg")


def draw_roofline(ladder):
    """Arithmetic intensity: what the memory allows, what the lanes allow, and where we are."""
    head, points = read(f"{RESULTS}/intensity.csv")
    peak = peak_of(ladder)
    top = float(head["peak_gflops"])
    gbps = {f"{r['step']} {r['type']} {r['op']}": r["gbps"] for r in ladder
            if r["variant"] == "kernel" and r["n"] == BIG}
    for row in csv.DictReader(l for l in open(f"{RESULTS}/ablate.csv", encoding="utf-8")
                              if not l.startswith("#")):
        gbps[row["label"]] = float(row["large_gbps"] or 0)
    figure, axes = plt.subplots(figsize=(8, 4.2))
    ridge = top / peak
    axes.plot([0.1, ridge, 2000], [0.1 * peak, top, top], color="#888888", linewidth=1.5)
    axes.annotate(f"memory: {peak:.0f} GB/s", (0.9, 1.5 * peak), color="#666666", ha="right")
    axes.annotate(f"f32 lanes: {top / 1000:.1f} TFLOP/s", (2000, 1.25 * top), color="#666666",
                  ha="right")
    for i, row in enumerate(points):
        x = float(row["operations"]) / float(row["bytes"])
        y = x * gbps.get(row["row"], 0) or top
        measured = row["row"] in gbps
        colour = COLOURS[i + 1]
        axes.plot(x, y, marker="o", markersize=7, color=colour,
                  fillstyle="full" if measured else "none")
        text = row["what"] if measured else row["what"] + " (not measured)"
        axes.annotate(text, (x, y), xytext=(8, -14), textcoords="offset points", color=colour,
                      ha="left" if measured else "right")
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_ylim(300, 3 * top)
    axes.set_xlabel("operations a byte")
    axes.set_ylabel("GFLOP/s")
    save(figure, f"{RESULTS}/roofline.svg")


def draw_many(head, rows):
    """Two figures: n elements over all GPUs, and n elements on each, beside one GPU."""
    rows = [r for r in rows if (r["work"], r["type"], r["op"]) == ("sum", "f32", "sum")]
    gpus = max(int(r["gpus"]) for r in rows)
    time = {(r["way"], r["n"]): r["median_us"] for r in rows}
    one = sorted(n for way, n in time if way == "one")
    for name, each, label in [("strong", 1, "n of all GPUs together"),
                              ("weak", gpus, "n of each GPU")]:
        figure, axes = plt.subplots(figsize=(8, 3.6))
        for way, text, colour, mark in [("peer", "peer access", "#d55e00", "o"),
                                        ("nccl", "ncclAllReduce", "#0072b2", "s")]:
            xs = [n for n in one if (way, each * n) in time]
            ys = [each * time["one", n] / time[way, each * n] for n in xs]
            axes.plot(xs, ys, marker=mark, markersize=4, color=colour, label=text)
        for y, text in [(1, "as fast as one GPU"), (gpus, f"{gpus} times one GPU")]:
            axes.axhline(y, color="#888888", linestyle="--", linewidth=1)
            axes.text(xs[0], y + 0.02 * gpus, text, color="#666666")
        axes.set_xscale("log", base=2)
        axes.set_xticks([2**k for k in range(16, 34, 2) if 2**k >= xs[0]])
        axes.set_ylim(0, gpus * 1.12)
        axes.set_ylabel("times one GPU")
        axes.set_xlabel(f"{label}, f32 sum, {gpus} x {head['gpu']}, {head['date'][:10]}")
        axes.grid(axis="y", color="#eeeeee")
        axes.legend(frameon=False, loc="lower right")
        save(figure, f"{RESULTS}/many_{name}.svg")


def has(name):
    """A folder of results may lack a file: then its figures are left out."""
    if os.path.exists(f"{RESULTS}/{name}.csv"):
        return True
    print(f"skip the figures of {RESULTS}/{name}.csv, which is not there")
    return False


def draw_lessons(head, rows, steps):
    reductions = [s for s in steps if op_of(rows, s) == "sum"]
    draw_ladder(head, rows, steps)
    draw_over_n(head, rows, steps, reductions, f"{RESULTS}/bandwidth.svg")
    if RESULTS != DEFAULT:
        return
    for i, step in enumerate(steps):
        shown = [step] if i == 0 or step not in reductions else [steps[i - 1], step]
        draw_over_n(head, rows, steps, shown, f"{step}/figure.svg")


def main():
    steps = sorted(os.path.dirname(p) for p in glob.glob("[0-9][0-9]_*/kernel.cu"))
    rows = []
    if has("ladder"):
        head, rows = read(f"{RESULTS}/ladder.csv")
        draw_lessons(head, rows, steps)
    if has("peers"):
        peers_head, peers = read(f"{RESULTS}/peers.csv")
        draw_sums(peers_head, peers)
        draw_rows(peers_head, peers)
        if has("warm"):
            draw_pairs(peers_head, peers, read(f"{RESULTS}/warm.csv")[1])
        if rows:
            draw_elementwise(peers_head, peers, rows)
    if rows and has("intensity"):
        draw_roofline(rows)
    if has("sm_finish"):
        draw_finish(*read(f"{RESULTS}/sm_finish.csv"))
    if has("many_gpus"):
        draw_many(*read(f"{RESULTS}/many_gpus.csv"))


if __name__ == "__main__":
    main()
