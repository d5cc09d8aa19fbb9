# SPDX-License-Identifier: MIT
"""chart.py - draws charts as SVG, in the look of the pictures of traces (pictures/style.css).

A picture is 700 units wide and follows light and dark screens. Its classes say what is meant, and
svg.h lists them; of the charts' own, act is the kernel of a lesson, best our fastest one, past the
lesson before, lib a library of NVIDIA, limit what nothing can pass. A form goes with each colour."""
import math
from pathlib import Path
from xml.sax.saxutils import escape

WIDE = 700
STYLE = (Path(__file__).parent / "pictures/style.css").read_text(encoding="utf-8").split("\n", 1)[1]
FORMS = {"act": "o", "best": "^", "past": "s", "lib": "d"}


class Axis:
    """Where a value lies: `low` to `high` from `first` to `last` units, evenly or by factors."""

    def __init__(self, low, high, first, last, log=False):
        self.first, self.last, self.high = first, last, high
        self.map = math.log2 if log else float
        self.low = self.map(low)
        self.unit = (last - first) / (self.map(high) - self.low)

    def __call__(self, value):
        return self.first + (self.map(value) - self.low) * self.unit


class Picture:
    def __init__(self, high, title, says):
        self.rows = [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDE}" height="{high}" '
            f'viewBox="0 0 {WIDE} {high}" role="img" aria-labelledby="title says">',
            f'<title id="title">{escape(title)}</title>',
            f'<desc id="says">{escape(says)}</desc>',
            f"<style>\n{STYLE}</style>",
            '<defs><pattern id="hatch" width="4" height="4" patternUnits="userSpaceOnUse">'
            '<path class="ink" d="M0 4L4 0"/></pattern></defs>',
        ]
        self.rect("back", 0, 0, WIDE, high)

    def rect(self, kind, x, y, wide, high, more=""):
        self.rows.append(f'<rect class="{kind}" x="{x:.5g}" y="{y:.5g}" width="{wide:.5g}" '
                         f'height="{high:.5g}"{more}/>')

    def line(self, kind, points):
        way = "L".join(f"{x:.5g} {y:.5g}" for x, y in points)
        self.rows.append(f'<path class="{kind}" d="M{way}"/>')

    def text(self, kind, x, y, words):
        self.rows.append(f'<text class="{kind}" x="{x:.5g}" y="{y:.5g}">{escape(words)}</text>')

    def dot(self, kind, x, y, form="o", r=4.5):
        if form == "o":
            self.rows.append(f'<circle class="{kind}" cx="{x:.5g}" cy="{y:.5g}" r="{r}"/>')
            return
        corners = {"s": [(-1, -1), (1, -1), (1, 1), (-1, 1)], "^": [(0, -1.3), (1.3, 1), (-1.3, 1)],
                   "d": [(0, -1.3), (1.3, 0), (0, 1.3), (-1.3, 0)]}[form]
        way = "L".join(f"{x + r * dx:.5g} {y + r * dy:.5g}" for dx, dy in corners)
        self.rows.append(f'<path class="{kind}" d="M{way}z"/>')

    def curve(self, kind, points):
        """A line through points, each of which is marked."""
        self.line(f"{kind} line", points)
        for x, y in points:
            self.dot(kind, x, y, FORMS[kind])

    def axes(self, x, y, xticks, yticks, xname, yname):
        """Ticks are pairs of a value and its words."""
        for value, words in yticks:
            self.line("grid", [(x.first, y(value)), (x.last, y(value))])
            self.text("end", x.first - 8, y(value) + 5, words)
        for value, words in xticks:
            self.text("middle", x(value), y.first + 20, words)
        self.line("edge", [(x.first, y.first), (x.last, y.first)])
        self.text("soft middle", (x.first + x.last) / 2, y.first + 42, xname)
        self.text("soft", x.first - 48, y.last - 14, yname)

    def legend(self, x, y, entries):
        """Entries are pairs of a class and words; a limit is dashed."""
        for kind, words in entries:
            self.line(kind if kind == "limit" else f"{kind} line", [(x, y - 5), (x + 30, y - 5)])
            if kind in FORMS:
                self.dot(kind, x + 15, y - 5, FORMS[kind])
            self.text("", x + 40, y, words)
            y += 20

    def save(self, path):
        Path(path).write_text("\n".join(self.rows) + "\n</svg>\n", encoding="utf-8")
        print("wrote", path)


def powers(low, high, step=2):
    """Ticks at powers of two, as the pages write them."""
    return [(2.0**k, f"2^{k}") for k in range(low, high + 1, step)]
