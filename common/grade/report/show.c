/* SPDX-License-Identifier: MIT */
/*
 * show.c - marks as text for a terminal of 80 columns, as CSV, and as Markdown.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "report.h"

const char *const result_names[] = {
    [RESULT_NOT_RUN] = "not run", [RESULT_FAILED] = "FAILED", [RESULT_PASSED] = "passed"};

const char *why_of_mark(const struct mark *m)
{
    return m->task->file && !*m->why
               ? "nothing yet: write a sentence after \"// Why:\" at the head of the file"
               : m->why;
}

struct sums marks_sum(const struct marks *all)
{
    struct sums sum = {0, 0, 0};
    for (size_t i = 0; i < all->count; i++) {
        sum.points += all->mark[i].points;
        sum.of += all->mark[i].tests->points;
        sum.seconds += all->mark[i].seconds;
    }
    return sum;
}

/* ---- text ---- */

/* Where lines go, and what they begin with: in GitHub's summary four spaces, so that they are shown
 * as they are. */
struct page {
    FILE *out;
    const char *indent;
};

static size_t columns(const char *text, size_t bytes)
{
    size_t n = 0;
    for (size_t i = 0; i < bytes; i++)
        n += ((unsigned char)text[i] & 0xc0) != 0x80;
    return n;
}

/* "label text", broken between words. */
static void wrap(const struct page *p, const char *label, const char *text)
{
    size_t used = 20;
    const char *word = text_plain(text);
    fprintf(p->out, "%s         %-11s", p->indent, label);
    for (;;) {
        const size_t n = strcspn(word, " \n"), width = columns(word, n);
        if (used > 20 && used + 1 + width > 80) {
            fprintf(p->out, "\n%s%20s", p->indent, "");
            used = 20;
        }
        fprintf(p->out, "%s%.*s", used > 20 ? " " : "", (int)n, word);
        used += width + (used > 20);
        word += n;
        if (!*word || (*word == '\n' && !word[1]))
            break;
        if (*word++ == '\n') {
            fprintf(p->out, "\n%s%20s", p->indent, "");
            used = 20;
        }
    }
    fputc('\n', p->out);
}

static void wrap_if(const struct page *p, const char *label, const char *text)
{
    if (*text)
        wrap(p, label, text);
}

/* A hint is given once. */
static const char *hint_of(const struct mark *m, size_t i)
{
    size_t k = 0;
    while (k < i && strcmp(m->verdict[k].hint, m->verdict[i].hint) != 0)
        k++;
    return k == i || !*m->verdict[i].hint ? m->verdict[i].hint : "as above";
}

static void show_test(const struct page *p, const struct mark *m, size_t i)
{
    const struct test *t = &m->tests->test[i];
    const struct verdict *v = &m->verdict[i];
    char points[32], of[32];
    snprintf(points, sizeof points, "%g", v->points);
    snprintf(of, sizeof of, "%g", t->points);
    fprintf(p->out, "%s%-8s %3s of %3s  %s\n", p->indent, result_names[v->result], points, of,
            text_plain(t->name));
    if (v->result == RESULT_PASSED)
        return;
    wrap_if(p, "with", v->shape);
    wrap(p, "expected", v->expected);
    wrap(p, "seen", v->seen);
    wrap_if(p, "line", *v->code ? v->code : v->place);
    wrap_if(p, "hint", hint_of(m, i));
}

/* The page that steps through the first failed run whose line or sizes are known. */
static void show_page(const struct page *p, const struct mark *m)
{
    if (strchr(text_shown(m->file), '\\')) /* this name cannot be typed */
        return;
    for (size_t i = 0; i < m->tests->count; i++) {
        const struct verdict *v = &m->verdict[i];
        const bool wrong = v->cause == CAUSE_RESULT || v->cause == CAUSE_UNTOUCHED;
        if (v->result != RESULT_FAILED || v->cause == CAUSE_ENDLESS || (!*v->place && !*v->sizes))
            continue;
        fprintf(p->out, "%sto step through \"%s\"%s:\n%s  make show TASK=%s SUBMISSION=%s%s%s\n",
                p->indent, text_plain(m->tests->test[i].name),
                v->cause == CAUSE_FINDING ? ", where f goes to what was found"
                : wrong                   ? " with such sizes and other numbers"
                                          : "",
                p->indent, m->task->name, text_quoted(m->file), *v->sizes ? " N=" : "", v->sizes);
        return;
    }
}

static void show_mark(const struct page *p, const struct mark *m)
{
    fprintf(p->out, "%sexercise %s: %s\n", p->indent, m->task->name, m->task->title);
    fprintf(p->out, "%s%s\n", p->indent, text_shown(m->file));
    if (*m->refused) {
        fprintf(p->out, "%srefused\n", p->indent);
        wrap(p, "why", m->refused);
    }
    for (size_t i = 0; !*m->refused && i < m->tests->count; i++)
        show_test(p, m, i);
    if (m->prints && m->points < m->tests->points)
        wrap(p, "note", "the grader drops what a file prints; make show steps through a run");
    wrap_if(p, "why", why_of_mark(m));
    if (m->score > 0)
        fprintf(p->out, "%sscore on the board: %.10g; less is better\n", p->indent, m->score);
    fprintf(p->out, "%s%g of %g points; to run this again: SEED=%llu\n", p->indent, m->points,
            m->tests->points, (unsigned long long)m->seed);
    if (*m->refused)
        return;
    show_page(p, m);
    fprintf(p->out, "%s%s\n", p->indent, protections_text(m->protections));
}

void show_text(const struct marks *all, FILE *out, const char *indent)
{
    const struct page page = {out, indent};
    const struct sums sum = marks_sum(all);
    for (size_t i = 0; i < all->count; i++) {
        if (i > 0)
            fprintf(out, "%s\n", indent);
        show_mark(&page, &all->mark[i]);
    }
    if (all->count > 1)
        fprintf(out, "%s\n%sall exercises: %g of %g points\n", indent, indent, sum.points, sum.of);
    wrap_if(&page, "remark", all->remark);
}

/* ---- CSV: a row for each test ---- */

void show_csv(const struct marks *all, FILE *out)
{
    fprintf(out, "file,exercise,test,result,points,of,seed,seen\n");
    for (const struct mark *m = all->mark; m < all->mark + all->count; m++)
        for (size_t i = 0; i < m->tests->count; i++) {
            const struct verdict *v = &m->verdict[i];
            fprintf(out, "%s,%s,", csv_quote(text_shown(m->file)), m->task->name);
            fprintf(out, "%s,%s,%g,%g,%llu,%s\n", csv_quote(text_plain(m->tests->test[i].name)),
                    *m->refused                  ? "refused"
                    : v->result == RESULT_FAILED ? "failed"
                                                 : result_names[v->result],
                    v->points, m->tests->test[i].points, (unsigned long long)m->seed,
                    csv_quote(text_plain(*m->refused ? m->refused : v->seen)));
        }
}

/* ---- the summary of a job of GitHub Actions: a table and the text ---- */

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
