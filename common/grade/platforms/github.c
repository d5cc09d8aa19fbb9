/* SPDX-License-Identifier: MIT */
/*
 * github.c - the summary of a job of GitHub Actions: a table and the text.
 */
#include "grade/platforms/platforms.h"

void show_github(const struct marks *all, FILE *out)
{
    fprintf(out, "| exercise | result | points | of | test |\n"
                 "| --- | --- | ---: | ---: | --- |\n");
    for (const struct mark *m = all->mark; m < all->mark + all->count; m++) {
        if (*m->refused)
            fprintf(out, "| %s | refused | 0 | | |\n", m->task->name);
        for (size_t i = 0; !*m->refused && i < m->tests->count; i++)
            fprintf(out, "| %s | %s | %g | %g | %s |\n", m->task->name,
                    result_names[m->verdict[i].result], m->verdict[i].points,
                    m->tests->test[i].points, m->tests->test[i].name);
        fprintf(out, "| %s | all | %g | %g | |\n", m->task->name, m->points, m->tests->points);
    }
    fprintf(out, "\n");
    show_text(all, out, "    ");
}
