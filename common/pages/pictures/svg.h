/* SPDX-License-Identifier: MIT */
/*
 * svg.h - the drawing that all pictures share, on stdout: a page of 700 units, 32 lanes as 32
 * columns, time downwards. Colours are Okabe and Ito's, those of the page of `make show`; a letter,
 * a pattern or a form always says the same as a colour. Light and dark follow the reader's screen.
 *
 * Classes of style.css, which the charts of plot.py share: act what works; idle what does not; vain
 * what moves or waits for nothing (hatched); room a memory; frame a box; edge, cut lines; way and
 * lost arrows; w0 to w7 the wavefronts of a request. For text: small, bold, soft; end and middle,
 * where x is; on and on-w upon act and w0.
 */
#ifndef SVG_H
#define SVG_H

enum { SVG_WIDTH = 700, SVG_LEFT = 112, SVG_LANE = 18, SVG_LANES = 32 };

/* The left edge of a lane's or a bank's column. */
int svg_column(int lane);

/* Begins the picture. `says` is its alt text: what it shows, in a sentence. */
void svg_open(int height, const char *title, const char *says);
void svg_close(void);

void svg_rect(const char *classes, double x, double y, double w, double h);
void svg_line(const char *classes, double x1, double y1, double x2, double y2);
void svg_text(const char *classes, double x, double y, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* An empty box in each of the 32 columns. */
void svg_boxes(double y, double h);

/* The numbers 0 to 31 over their columns. */
void svg_numbers(const char *of, double y);

#endif
