# SPDX-License-Identifier: MIT
"""chart.py - the look of the charts, for matplotlib: that of the pictures of traces.

A chart is 700 units wide and follows light and dark screens. It is drawn in the light colours of
pictures/style.css, by the names of its classes; saved, they are CSS variables, which a dark screen
sets anew. Of the charts' own, act is the kernel of a lesson, best our fastest one, past the lesson
before, lib a library of NVIDIA, limit what nothing can pass. A form goes with each colour."""
import io
import re
from pathlib import Path
from xml.sax.saxutils import escape

import matplotlib
from matplotlib.colors import LinearSegmentedColormap, to_hex, to_rgba
from matplotlib.figure import Figure

WIDE = 700
LIGHT, DARK = ({name: to_hex(colour)
                for names, colour in re.findall(r"([^{}]+)\{[^{}]*?: (#\w+)", rules)
                for name in re.findall(r"[\w-]+", names)} for rules in
               (Path(__file__).parent / "pictures/style.css").read_text().split("@media"))
NAMES = {LIGHT[name]: name for name in
         "back text soft grid idle room vain w1 act best past lib".split()}
FORMS = {name: {"color": LIGHT[name], "marker": marker, "ms": size, "clip_on": False}
         for name, marker, size in
         (("act", "o", 9), ("best", "^", 10.5), ("past", "s", 8), ("lib", "D", 8))}
FORMS["limit"] = {"color": LIGHT["limit"], "ls": (0, (6, 4)), "lw": 1, "clip_on": False}
FADE = LinearSegmentedColormap.from_list("fade", [to_rgba(LIGHT["best"], a) for a in (0, 0.5)])
WORDS = {"soft": {"color": LIGHT["soft"]}, "on": {"color": LIGHT["on"]}, "small": {"size": 12},
         "bold": {"weight": "bold"}, "end": {"ha": "right"}, "middle": {"ha": "center"}}
matplotlib.rcParams.update({
    "svg.fonttype": "none", "svg.hashsalt": "chart", "font.family": "DejaVu Sans", "font.size": 14,
    "figure.facecolor": LIGHT["back"], "axes.facecolor": "none", "axes.edgecolor": LIGHT["edge"],
    "text.color": LIGHT["text"], "xtick.labelcolor": LIGHT["text"], "ytick.labelcolor": LIGHT["text"],
    "axes.labelcolor": LIGHT["soft"], "axes.spines.left": False, "axes.spines.right": False,
    "axes.spines.top": False, "axes.grid": True, "axes.grid.axis": "y", "axes.axisbelow": True,
    "grid.color": LIGHT["grid"], "grid.linewidth": 1, "xtick.major.size": 0, "ytick.major.size": 0,
    "xtick.major.pad": 7, "ytick.major.pad": 8, "axes.labelpad": 8, "lines.linewidth": 2.5,
    "lines.markeredgewidth": 0, "hatch.linewidth": 1, "legend.facecolor": LIGHT["back"],
    "legend.edgecolor": "none", "legend.framealpha": 1, "legend.fancybox": False,
    "legend.labelspacing": 0.4, "legend.handlelength": 2.1, "legend.borderaxespad": 0.5,
    "legend.borderpad": 0.2})


def figure(high, *boxes):
    """A figure and its axes, each in a box of left, top, right, bottom: units from the top left."""
    fig = Figure((WIDE / 72, high / 72))
    return fig, *(fig.add_axes((left / WIDE, 1 - bottom / high, (right - left) / WIDE,
                                (bottom - top) / high)) for left, top, right, bottom in boxes)


def say(ax, look, x, y, words, dx=0, dy=0, on="data"):
    """Words at a point, moved by units; on is how the point is told."""
    ax.annotate(words, (x, y), (dx, dy), xycoords=on, textcoords="offset points",
                **{key: value for name in look.split() for key, value in WORDS[name].items()})


def powers(low, high, step=2):
    """Ticks at powers of two, as the pages write them."""
    return {2.0**k: f"2^{k}" for k in range(low, high + 1, step)}


def frame(ax, xname, yname, x, y):
    """Axes: x and y are a scale, the ends, and ticks, which are values with their words."""
    for name, (scale, ends, ticks) in (("x", x), ("y", y)):
        ax.set(**{f"{name}scale": scale, f"{name}ticks": list(ticks),
                  f"{name}ticklabels": ticks.values(), f"{name}lim": ends})
    ax.minorticks_off()
    ax.set_xlabel(xname)
    say(ax, "soft", 0, 1, yname, -48, 14, "axes fraction")


def save(fig, path, title, says):
    """Writes a figure as SVG, with a title and a text for those who cannot see it."""
    file = io.StringIO()
    fig.savefig(file, format="svg", metadata=dict.fromkeys(("Creator", "Date", "Format", "Type")))
    tag, svg = re.search(r"(<svg[^>]*)>(.*)", file.getvalue(), re.DOTALL).groups()
    svg = re.sub("#[0-9a-f]{6}", lambda at: f"var(--{NAMES[at[0]]})", svg)
    svg = re.sub(r' id="[\w.]+_\d+"| transform="rotate\(-0 [^"]*"|\n(?=[A-Zz"])', "", svg)
    light, dark = (" ".join(f"--{name}: {colour};" for name, colour in colours.items()
                            if f"var(--{name})" in svg) for colours in (LIGHT, DARK))
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_text(
        tag.replace('pt"', '"') + ' role="img" aria-labelledby="title says">\n'
        f'<title id="title">{escape(title)}</title>\n<desc id="says">{escape(says)}</desc>\n'
        f"<style>\nsvg {{ {light} }}\n@media (prefers-color-scheme: dark) {{ svg {{ {dark} }} }}\n"
        "</style>" + svg.replace("'DejaVu Sans'", "Arial, Helvetica, sans-serif"), encoding="utf-8")
    print("wrote", path)
