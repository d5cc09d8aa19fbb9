# SPDX-License-Identifier: MIT
"""Draws the figures of the course from common/results/h200/ladder.csv. Plotting only."""
import csv
import glob
import os

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

RESULTS = "common/results/h200"
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
        for name in ("n", "median_us", "gbps", "peak_share"):
            row[name] = float(row[name])
    return head, rows


def pick(rows, step, op, variant="kernel", dtype="f32"):
    """The rows of one step over n, in order."""
    found = [
        r
        for r in rows
        if (r["step"], r["op"], r["variant"], r["type"]) == (step, op, variant, dtype)
    ]
    return sorted(found, key=lambda r: r["n"])


def op_of(step):
    return "gelu" if step.startswith("07") else "sum"


def save(figure, path):
    figure.savefig(path, metadata={"Date": None}, bbox_inches="tight")
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
        at = [r for r in pick(rows, step, op_of(step)) if r["n"] == BIG]
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
    axes.set_yticks(range(len(steps)), [f"{s} ({op_of(s)})" for s in steps])
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
        points = pick(rows, step, op_of(step))
        if not points or (op_of(step) != op_of(shown[-1])):
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
    axes.set_xlabel(f"n, f32 {op_of(shown[-1])}, {head['gpu']}, {head['date'][:10]}")
    axes.grid(axis="y", color="#eeeeee")
    save(figure, path)


def main():
    head, rows = read(f"{RESULTS}/ladder.csv")
    steps = sorted(os.path.dirname(p) for p in glob.glob("[0-9][0-9]_*/kernel.cu"))
    reductions = [s for s in steps if op_of(s) == "sum"]
    draw_ladder(head, rows, steps)
    draw_over_n(head, rows, steps, reductions, f"{RESULTS}/bandwidth.svg")
    for i, step in enumerate(steps):
        shown = [step] if i == 0 or op_of(step) != "sum" else [steps[i - 1], step]
        draw_over_n(head, rows, steps, shown, f"{step}/figure.svg")


if __name__ == "__main__":
    main()
