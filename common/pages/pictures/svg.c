/* SPDX-License-Identifier: MIT */
/* svg.c - writes SVG; see svg.h. */
#include "svg.h"

#include <stdarg.h>
#include <stdio.h>

static const char *const STYLE =
#include "style.h" // style.css, a string for each line: pictures.mk makes it
    ;

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
