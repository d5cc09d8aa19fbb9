/* SPDX-License-Identifier: MIT */
/* svg.c - writes SVG; see svg.h. */
#include "svg.h"

#include <stdarg.h>
#include <stdio.h>

static const char *const STYLE =
    "svg { background: #fff; font: 12px sans-serif; } rect { shape-rendering: crispEdges; }\n"
    "text { fill: #1a1a1a; }\n"
    ".small { font-size: 10px; } .bold { font-weight: bold; } .soft { fill: #595959; }\n"
    ".code { font-family: monospace; }\n"
    ".end { text-anchor: end; } .middle { text-anchor: middle; }\n"
    ".back { fill: #fff; } .act { fill: #0072b2; } .idle { fill: #c8c8c8; }\n"
    ".on { fill: #fff; } .on-w { fill: #000; }\n"
    ".frame { fill: none; stroke: #767676; } .edge { stroke: #767676; fill: none; }\n"
    ".way { stroke: #0072b2; stroke-width: 1.5; marker-end: url(#head); }\n"
    ".lost { stroke: #b8b8b8; fill: none; stroke-dasharray: 2 2; }\n"
    ".hair { stroke: #767676; stroke-width: 0.5; } .cut { stroke: #fff; stroke-width: 1.5; }\n"
    ".room { fill: #fdf3c4; stroke: #767676; }\n"
    ".vain { fill: url(#hatch); stroke: #a0a0a0; } .ink { stroke: #a0a0a0; }\n"
    ".w0 { fill: #56b4e9; } .w1 { fill: #e69f00; } .w2 { fill: #009e73; } .w3 { fill: #f0e442; }\n"
    ".w4 { fill: #3b8ec4; } .w5 { fill: #d55e00; } .w6 { fill: #cc79a7; } .w7 { fill: #999; }\n"
    "@media (prefers-color-scheme: dark) {\n"
    "svg { background: #16181b; } .back { fill: #16181b; } text { fill: #e8e8e8; }\n"
    ".soft { fill: #a8a8a8; } .act { fill: #56b4e9; } .idle { fill: #4a4d52; } .on { fill: #000; "
    "}\n"
    ".on-w { fill: #000; } .way { stroke: #56b4e9; } .lost { stroke: #5a5d62; }\n"
    ".frame, .edge, .hair { stroke: #8a8d92; } .cut { stroke: #16181b; }\n"
    ".room { fill: #40391a; stroke: #8a8d92; } .vain, .ink { stroke: #6a6d72; }\n"
    "}\n";

int svg_column(int lane)
{
    return SVG_LEFT + SVG_LANE * lane;
}

/* Text of a program may have signs that mean something in XML. */
static void put_text(const char *text)
{
    for (; *text != '\0'; text++) {
        if (*text == '<')
            fputs("&lt;", stdout);
        else if (*text == '&')
            fputs("&amp;", stdout);
        else
            putchar(*text);
    }
}

void svg_open(int height, const char *title, const char *says)
{
    printf("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
           "viewBox=\"0 0 %d %d\" role=\"img\" aria-labelledby=\"title says\">\n"
           "<title id=\"title\">",
           SVG_WIDTH, height, SVG_WIDTH, height);
    put_text(title);
    printf("</title>\n<desc id=\"says\">");
    put_text(says);
    printf("</desc>\n<style>\n%s</style>\n"
           "<defs><pattern id=\"hatch\" width=\"4\" height=\"4\" patternUnits=\"userSpaceOnUse\">"
           "<path class=\"ink\" d=\"M0 4L4 0\"/></pattern>"
           "<marker id=\"head\" orient=\"auto\" markerWidth=\"5\" markerHeight=\"4\" refX=\"4\" "
           "refY=\"2\"><path class=\"act\" d=\"M0 0L5 2L0 4z\"/></marker></defs>\n",
           STYLE);
    svg_rect("back", 0, 0, SVG_WIDTH, height);
}

void svg_close(void)
{
    printf("</svg>\n");
}

void svg_rect(const char *classes, double x, double y, double w, double h)
{
    printf("<rect class=\"%s\" x=\"%g\" y=\"%g\" width=\"%g\" height=\"%g\"/>\n", classes, x, y, w,
           h);
}

void svg_line(const char *classes, double x1, double y1, double x2, double y2)
{
    printf("<path class=\"%s\" d=\"M%g %gL%g %g\"/>\n", classes, x1, y1, x2, y2);
}

void svg_text(const char *classes, double x, double y, const char *format, ...)
{
    char text[300];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    printf("<text class=\"%s\" x=\"%g\" y=\"%g\">", classes, x, y);
    put_text(text);
    printf("</text>\n");
}

void svg_boxes(double y, double h)
{
    printf("<path class=\"frame\" d=\"M%d %gh%dv%gh-%dz", SVG_LEFT, y, SVG_LANE * SVG_LANES, h,
           SVG_LANE * SVG_LANES);
    for (int i = 1; i < SVG_LANES; i++)
        printf("M%d %gv%g", svg_column(i), y, h);
    printf("\"/>\n");
}

void svg_numbers(const char *of, double y)
{
    svg_text("small soft end", SVG_LEFT - 8, y, "%s", of);
    for (int i = 0; i < SVG_LANES; i++)
        svg_text("small soft middle", svg_column(i) + SVG_LANE / 2.0, y, "%d", i);
}
