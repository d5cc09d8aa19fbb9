/* SPDX-License-Identifier: MIT */
/*
 * zh.c - what zh.sh asks about Chinese pages, X.zh.md, and the English ones, X.md:
 *
 *   zh stale PAGE           a line `SECTION HASH-OF-THE-STAMP HEADING` for each section whose
 *                           English text is not the one that was translated
 *   zh english PAGE WHICH   the English text of a section, by its number or its hash
 *   zh stamp PAGE...        writes the stamps of today's English, and the links
 *   zh links PAGE...        links lead to a Chinese page, or （英文） follows them
 *   zh linked PAGE          the same for a text of that page, from stdin to stdout
 *   zh compare PAGE...      a line for each difference between the pages
 *   zh terms PAGE...        a line for each word that common/docs/WORDS.zh.md has another one for
 */
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "simt/driver/inside.h"

enum { MOST_LINES = 4000, MOST_SECTIONS = 200 };

typedef struct {
    const char *text;
    bool code, made; /* in a block of code; in a table that a script writes */
    size_t section;
} line_t;

/* A heading and what follows. What a script writes, stamps and the line that leads to the other
 * language are no part of the body. What is before the first heading is section 0. */
typedef struct {
    const char *heading, *body, *stamp;
} section_t;

typedef struct {
    const char *path;
    line_t line[MOST_LINES];
    size_t lines, sections; /* section 0 does not count */
    section_t section[MOST_SECTIONS + 1];
} page_t;

static bool reported;

/* ---- texts ---- */

/* With another text in place of each match of a pattern. */
static const char *replaced(const char *from, const char *pattern, const char *with)
{
    const char *part[PARTS], *at, *all = "";
    for (; (at = match(pattern, from, part)) != NULL; from = at + strlen(part[0]))
        all = text("%s%.*s%s", all, (int)(at - from), from, with);
    return text("%s%s", all, from);
}

static struct list split_at(const char *from, const char *separator)
{
    struct list list = {0};
    for (const char *at; (at = strstr(from, separator)) != NULL; from = at + strlen(separator))
        ADD(&list, text("%.*s", (int)(at - from), from));
    ADD(&list, from);
    return list;
}

static const char *english_of(const char *path)
{
    return ends(path, ".zh.md") ? text("%.*s.md", (int)strlen(path) - 6, path) : path;
}

static const char *name_of(const char *path)
{
    return after(path, "/");
}

/* ---- pages ---- */

static bool is_fence(const char *line)
{
    return begins(line + strspn(line, " "), "```");
}

static bool is_switch(const char *line)
{
    return match("^\\[(English|中文)\\]\\([A-Za-z_.]*\\)$", line, NULL) != NULL;
}

static bool is_stamp(const char *line)
{
    return match("^<!-- en: [0-9a-f]+ -->$", line, NULL) != NULL;
}

static bool is_heading(const char *line)
{
    return *line == '#' && line[strspn(line, "#")] == ' ';
}

static const page_t *parse(const char *path, const char *all)
{
    page_t *page = memory(sizeof *page);
    bool code = false, made = false;
    memset(page, 0, sizeof *page);
    page->path = path;
    page->section[0] = (section_t){"", "", ""};
    for (; all && *all; all = next_line(all)) {
        const char *line = until(all, "\n");
        if (page->lines == MOST_LINES || page->sections == MOST_SECTIONS) {
            fprintf(stderr, "zh: %s has %d lines or %d sections\n", path, MOST_LINES,
                    MOST_SECTIONS);
            exit(1);
        }
        code ^= is_fence(line);
        made &= !begins(line, "<!-- /table");
        if (!code && is_heading(line))
            page->section[++page->sections] = (section_t){line, "", ""};
        section_t *section = &page->section[page->sections];
        page->line[page->lines++] = (line_t){line, code, made, page->sections};
        if (!code && is_stamp(line))
            section->stamp = text("%.8s", line + strlen("<!-- en: "));
        else if (!made && (code || !is_switch(line)))
            section->body = text("%s%s\n", section->body, line);
        made |= begins(line, "<!-- table");
    }
    return page;
}

static const page_t *read_page(const char *path)
{
    static struct known {
        const page_t *page;
        struct known *next;
    } * known;
    for (const struct known *k = known; k; k = k->next)
        if (same(k->page->path, path))
            return k->page;
    struct known *k = memory(sizeof *k);
    *k = (struct known){parse(path, file_read(path)), known};
    return (known = k)->page;
}

/* Eight digits; blanks and line breaks do not count, nor what is not ASCII. */
static const char *hash(const char *body)
{
    static const char blanks[] = " \t\n";
    unsigned long long h = 0;
    for (const char *p = body; *p; p++) {
        const bool blank = strchr(blanks, *p) != NULL;
        p += blank ? strspn(p, blanks) - 1 : 0;
        if (!(*p & 0x80) && !(blank && !p[1]))
            h = (h * 257 + (blank ? ' ' : (unsigned long long)*p)) % 2147483629;
    }
    return text("%08llx", h);
}

/* ---- links ---- */

/* The anchor that GitHub and the site give to a heading. */
static const char *anchor(const char *heading)
{
    const char *rest = heading + strspn(heading, "#") + 1;
    rest = replaced(rest, "，|。|：|；|？|！|、|（|）|《|》|“|”|「|」|…", "");
    rest = replaced(rest, "[!-,./:-@^`{-~]|\\[|\\]|\\\\", "");
    char *result = text("%s", rest);
    for (char *p = result; *p; p++)
        *p = *p == ' ' ? '-' : (char)tolower((unsigned char)*p);
    return result;
}

/* A path without `x/..`, `.` and `//`. */
static const char *normal(const char *path)
{
    const struct list parts = list_split(path, "/", false);
    struct list kept = {0};
    for (size_t i = 0; i < parts.count; i++)
        if (same(parts.words[i], "..") && kept.count > 0 && !same(kept.words[kept.count - 1], ".."))
            kept.count--;
        else if (!same(parts.words[i], "."))
            ADD(&kept, parts.words[i]);
    return list_text(&kept, "/");
}

static bool exists(const char *path)
{
    return access(path, R_OK) == 0;
}

/* The page of Markdown that a link leads to, or "". */
static const char *page_of(const char *page, const char *target)
{
    target = until(target, "#");
    if (!*target || match("^[a-z]+:", target, NULL))
        return *target ? "" : page;
    target = normal(text("%.*s%s", (int)(name_of(page) - page), page, target));
    if (ends(target, ".md"))
        return target;
    target = text("%s%sREADME.md", target, *target ? "/" : "");
    return exists(target) ? target : "";
}

/* Where a link of the English page leads from the Chinese one; an anchor of its own as well. */
static const char *chinese_link(const char *page, const char *target)
{
    if (*target == '#')
        return strchr(chinese_link(page, text("%s%s", name_of(english_of(page)), target)), '#');
    const char *there = page_of(page, target), *mark = strchr(target, '#');
    const char *mine = text("%.*s.zh.md", (int)strlen(there) - 3, there);
    if (!*there || ends(there, ".zh.md") || !exists(mine))
        return target;
    if (mark) {
        const page_t *english = read_page(there), *chinese = read_page(mine);
        size_t i = english->sections;
        while (i > 0 && !same(anchor(english->section[i].heading), mark + 1))
            i--;
        if (i > 0 && i <= chinese->sections)
            mark = text("#%s", anchor(chinese->section[i].heading));
    }
    target = until(target, "#");
    if (ends(target, ".md"))
        target = text("%.*s.zh.md", (int)strlen(target) - 3, target);
    else
        target = text("%s%sREADME.zh.md", target, ends(target, "/") ? "" : "/");
    return text("%s%s", target, mark ? mark : "");
}

/* A line with its links leading to Chinese pages; （英文） follows a link to an English one. */
static const char *linked_line(const char *page, const char *line)
{
    const char *part[PARTS], *at, *all = "";
    while ((at = match("\\]\\(([^() ]+)\\)(（英文）)*", line, part)) != NULL) {
        const char *link = chinese_link(page, part[1]);
        const bool english =
            *link != '#' && ends(page_of(page, link), ".md") && !strstr(link, ".zh.md");
        const char *note = english ? "（英文）" : "";
        all = text("%s%.*s](%s)%s", all, (int)(at - line), line, link, note);
        line = at + strlen(part[0]);
    }
    return text("%s%s", all, line);
}

/* With `stamps`, the stamps of today's English are below the headings. */
static const char *linked(const page_t *page, bool stamps)
{
    const page_t *english = read_page(english_of(page->path));
    const char *all = "";
    for (size_t i = 0, section = 0; i < page->lines; section = page->line[i++].section) {
        const line_t *line = &page->line[i];
        const bool plain =
            line->code || is_switch(line->text) || match("^ *!\\[", line->text, NULL);
        if (!stamps || !is_stamp(line->text))
            all = text("%s%s\n", all, plain ? line->text : linked_line(page->path, line->text));
        if (stamps && line->section > section && line->section <= english->sections)
            all = text("%s<!-- en: %s -->\n", all, hash(english->section[line->section].body));
    }
    return all;
}

static void rewrite(const char *path, bool stamps)
{
    const char *before = file_read(path), *now = linked(parse(path, before), stamps);
    if (!same(before, now))
        file_write(path, now);
}

static void stamp(const char *path)
{
    rewrite(path, true);
}

static void link_page(const char *path)
{
    rewrite(path, false);
}

static void link_input(const char *path)
{
    fputs(linked(parse(path, file_read("/dev/stdin")), false), stdout);
}

/* ---- stamps ---- */

static void stale(const char *path)
{
    const page_t *page = read_page(path), *english = read_page(english_of(path));
    if (page->sections != english->sections)
        printf("0 none the page: %zu sections, %zu in English\n", page->sections,
               english->sections);
    for (size_t i = 1; i <= english->sections; i++) {
        const char *stamp = i <= page->sections ? page->section[i].stamp : "";
        if (!same(stamp, hash(english->section[i].body)))
            printf("%zu %s %s\n", i, *stamp ? stamp : "none", english->section[i].heading);
    }
}

static void print_english(const char *path, const char *which)
{
    const page_t *english = read_page(english_of(path));
    for (size_t i = 1; i <= english->sections; i++)
        if (same(which, text("%zu", i)) || same(which, hash(english->section[i].body)))
            fputs(english->section[i].body, stdout);
}

/* ---- terms: an entry begins with `**词**（English；又称 甲、乙）` ---- */

/* 甲 and 乙 are not used, and English only in brackets （）, unless 词 has it too. */
typedef struct {
    const char *name, *say;
    bool english;
} term_t;

static term_t term[1000];
static size_t terms;

static void add_term(const char *name, const char *say, bool english)
{
    if (terms < sizeof term / sizeof *term)
        term[terms++] = (term_t){name, say, english};
}

static void read_entries(const char *line)
{
    const char *part[PARTS], *at;
    for (; (at = match("\\*\\*([^*]+)\\*\\*", line, part)) != NULL;) {
        const char *say = part[1];
        line = at + strlen(part[0]);
        const char *end = strstr(line, "）");
        if (!begins(line, "（") || !end)
            continue;
        const size_t bracket = strlen("（");
        const struct list inside =
            split_at(text("%.*s", (int)(end - line - (long)bracket), line + bracket), "；");
        for (size_t i = 0; i < inside.count; i++) {
            const bool other = begins(inside.words[i], "又称 ");
            const struct list names = other ? split_at(after(inside.words[i], "又称 "), "、")
                                            : split_at(inside.words[i], "，");
            for (size_t k = 0; k < names.count; k++)
                if (other || (match("^[a-z][a-z -]*$", names.words[k], NULL) &&
                              !strstr(say, names.words[k])))
                    add_term(names.words[k], say, !other);
        }
    }
}

static const char *without_brackets(const char *line)
{
    const char *from, *to;
    while ((from = strstr(line, "（")) != NULL && (to = strstr(from, "）")) != NULL)
        line = text("%.*s %s", (int)(from - line), line, to + strlen("）"));
    return line;
}

static bool has_word(const char *line, const char *word)
{
    static const char others[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./-";
    for (const char *p = line; (p = strstr(p, word)) != NULL; p++)
        if (!strchr(others, p[-1]) && !strchr(others, p[strlen(word)]))
            return true;
    return false;
}

static void look(const char *path, size_t number, const char *line)
{
    if (same(path, "common/docs/WORDS.zh.md"))
        line = without_brackets(line);
    line = replaced(line, "`[^`]*`", " ");
    line = replaced(line, "\\]\\([^()]*\\)", "] ");
    line = replaced(line, "<[^>]*>", " ");
    line = replaced(line, "https?:[^ )]*", " ");
    const char *plain = text(" %s ", without_brackets(line));
    plain = replaced(plain, "[A-Za-z0-9_]*_[A-Za-z0-9_]*", " ");
    for (size_t i = 0; i < terms; i++) {
        if (term[i].english ? !has_word(plain, term[i].name) : !strstr(line, term[i].name))
            continue;
        printf("%s:%zu: '%s'%s; say %s\n", path, number, term[i].name,
               term[i].english ? " outside of brackets" : "", term[i].say);
        reported = true;
    }
}

static void look_for_terms(const char *path)
{
    const page_t *words = read_page("common/docs/WORDS.zh.md"), *page = read_page(path);
    for (size_t i = terms > 0 ? words->lines : 0; i < words->lines; i++)
        read_entries(words->line[i].text);
    for (size_t i = 0; i < page->lines; i++)
        if (!page->line[i].code && !page->line[i].made && !is_switch(page->line[i].text))
            look(path, i + 1, page->line[i].text);
}

/* ---- compare: blocks are paragraphs, items of a list, rows of a table, headings and code ---- */

typedef struct {
    const char *kind, *text, *heading;
    size_t line;
} block_t;

__attribute__((format(printf, 3, 4))) static void differ(const char *page, size_t line,
                                                         const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    printf("%s:%zu: ", page, line);
    vprintf(format, arguments);
    puts("");
    va_end(arguments);
    reported = true;
}

/* The block that a line begins, if the last one does not go on. */
static const char *kind_of(const char *line)
{
    return is_fence(line)                                        ? text("code %s", line)
           : is_heading(line)                                    ? "heading"
           : *line == '|'                                        ? "row"
           : match("^ *([0-9]+\\.|[-*]) ", line, NULL)           ? "item"
           : *line == '<' && !match("^<[a-z]+>[^<]", line, NULL) ? "mark"
                                                                 : "paragraph";
}

static void add_line(block_t *block, const char *line)
{
    block->text = block->text ? text("%s\n%s", block->text, line) : line;
}

/* The last one is the end of the page. */
static const block_t *blocks_of(const page_t *page)
{
    block_t *blocks = memory((page->lines + 1) * sizeof *blocks), *next = blocks;
    bool open = false; /* the last block goes on */
    for (size_t i = 0; i < page->lines; i++) {
        const char *line = page->line[i].text, *kind = kind_of(line);
        if (page->line[i].code && !is_fence(line)) {
            add_line(&next[-1], line);
            continue;
        }
        if (page->line[i].made || is_stamp(line) || is_switch(line) ||
            begins(line, "<!-- predict "))
            continue;
        const bool text_only =
            same(kind, "paragraph") || !*line || (is_fence(line) && !page->line[i].code);
        if (!text_only || (*line && !is_fence(line) && !open))
            *next++ = (block_t){kind, NULL, page->section[page->line[i].section].heading, i + 1};
        if (*line && !is_fence(line))
            add_line(&next[-1], line);
        open = *line && (same(kind, "paragraph") || same(kind, "item"));
    }
    *next = (block_t){"the end", "", "", page->lines};
    return blocks;
}

/* What two blocks must share. */
enum { NUMBER, GPU, CODE, LINK, MARK, SORTS };
static const char *const sort_names[] = {"number", "GPU", "code", "link", "mark"};

typedef struct {
    struct list list[SORTS];
    bool any_order;
} shared_t;

/* H200 is a name, and what is no name may be a number. */
static void take_numbers(shared_t *taken, const char *from)
{
    const char *part[PARTS], *at;
    for (; (at = match("[A-Za-z_][A-Za-z0-9_]*|[0-9]([0-9.,]*[0-9])?", from, part)) != NULL;
         from = at + strlen(part[0]))
        if (isdigit((unsigned char)*at))
            ADD(&taken->list[NUMBER], part[0]);
        else if (match("^[A-Z][0-9]+$", part[0], NULL))
            ADD(&taken->list[CODE], part[0]);
}

/* Adds what fits a pattern, and returns the text without it. */
static const char *take(struct list *list, const char *from, const char *pattern)
{
    const char *part[PARTS];
    for (const char *rest = from; (rest = match(pattern, rest, part)) != NULL;
         rest += strlen(part[0]))
        ADD(list, part[0]);
    return replaced(from, pattern, " ");
}

static void take_code(shared_t *taken, const block_t *block)
{
    const struct list rows = split_at(block->text ? block->text : "", "\n");
    for (size_t i = 0; i < rows.count; i++) {
        const char *row = rows.words[i];
        const char *comment = ends(block->kind, "sh") ? match("(^| )# ", row, NULL) : NULL;
        if (comment) {
            take_numbers(taken, comment);
            row = replaced(text("%.*s", (int)(comment - row), row), " +$", "");
        }
        ADD(&taken->list[CODE], row);
    }
}

/* The links of an English page are those that the Chinese one should have. */
static shared_t shared_of(const block_t *block, const char *page, bool english)
{
    shared_t taken = {0};
    if (begins(block->kind, "code")) {
        take_code(&taken, block);
        return taken;
    }
    if (same(block->kind, "mark") && !begins(block->text, "<summary")) {
        ADD(&taken.list[MARK], block->text);
        return taken;
    }
    const char *words = replaced(block->text, "\n", " "), *part[PARTS], *at;
    taken.any_order = strstr(words, "<!-- order -->") != NULL;
    words = replaced(words, "<!--([^-]|-[^-])*-->", "");
    words = take(&taken.list[CODE], words, "`[^`]*`");
    while ((at = match("\\]\\(([^() ]+)\\)|\\]: (http[^ ]+)", words, part)) != NULL) {
        const char *target = *part[1] ? part[1] : part[2];
        if (english)
            target = chinese_link(page, target);
        ADD(&taken.list[LINK], target);
        words = text("%.*s] %s", (int)(at - words), words, at + strlen(part[0]));
    }
    take_numbers(&taken, words);
    take(&taken.list[GPU], words, "[ABHPTV][0-9]+");
    return taken;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* As text; sorted unless the order counts; a name that is repeated once. */
static const char *listed_as(struct list list, bool ordered, bool once)
{
    if (!ordered && list.count > 1)
        qsort(list.words, list.count, sizeof *list.words, by_text);
    struct list kept = {0};
    for (size_t i = 0; i < list.count; i++)
        if (ordered ||
            (*list.words[i] && !(once && i > 0 && same(list.words[i], list.words[i - 1]))))
            ADD(&kept, list.words[i]);
    return kept.count > 0 ? list_text(&kept, " | ") : "none";
}

static void compare_blocks(const char *page, const block_t *mine, const block_t *theirs)
{
    const shared_t a = shared_of(mine, page, false), b = shared_of(theirs, page, true);
    for (int sort = 0; sort < SORTS; sort++) {
        const bool ordered = begins(mine->kind, "code") || (sort == NUMBER && !a.any_order);
        const bool once = sort == CODE || sort == GPU;
        const char *here = listed_as(a.list[sort], ordered, once);
        const char *there = listed_as(b.list[sort], ordered, once);
        if (!same(here, there))
            differ(page, mine->line, "%ss: %s; the English page has %s (line %zu)",
                   sort_names[sort], here, there, theirs->line);
    }
}

static void check_way(const char *path, const page_t *page, const char *label, const char *to)
{
    const char *wanted = text("[%s](%s)", label, name_of(to));
    size_t i = 1;
    while (i < page->lines && (!*page->line[i].text || is_stamp(page->line[i].text)))
        i++;
    if (i >= page->lines || !same(page->line[i].text, wanted))
        differ(path, 3, "the first line below the title of %s is not %s", page->path, wanted);
}

static const block_t *next_heading(const block_t *block)
{
    do
        block++;
    while (!same(block->kind, "heading") && !same(block->kind, "the end"));
    return block;
}

static void compare(const char *path)
{
    const page_t *page = read_page(path), *english = read_page(english_of(path));
    if (english->lines == 0)
        differ(path, 0, "there is no %s", english->path);
    check_way(path, page, "English", english->path);
    check_way(path, english, "中文", path);
    if (page->sections != english->sections)
        differ(path, 0, "%zu headings; the English page has %zu", page->sections,
               english->sections);
    const block_t *a = blocks_of(page), *b = blocks_of(english);
    while (!same(a->kind, "the end") && !same(b->kind, "the end")) {
        const bool alike = same(a->kind, b->kind);
        if (alike)
            compare_blocks(path, a, b);
        else
            differ(path, a->line, "other blocks in '%s': %s; the English page has %s (line %zu)",
                   a->heading, a->kind, b->kind, b->line);
        a = alike ? a + 1 : same(a->kind, "heading") ? a : next_heading(a);
        b = alike ? b + 1 : same(b->kind, "heading") ? b : next_heading(b);
    }
    if (!same(a->kind, b->kind))
        differ(path, a->line, "other blocks at the end: %s; the English page has %s (line %zu)",
               a->kind, b->kind, b->line);
}

static const struct {
    const char *name;
    void (*run)(const char *page);
} commands[] = {{"stale", stale},       {"stamp", stamp},     {"links", link_page},
                {"linked", link_input}, {"compare", compare}, {"terms", look_for_terms}};

int main(int count, char **argv)
{
    if (count == 4 && same(argv[1], "english"))
        print_english(argv[2], argv[3]);
    for (size_t k = 0; k < sizeof commands / sizeof *commands; k++)
        for (int i = 2; i < count && same(argv[1], commands[k].name); i++)
            commands[k].run(argv[i]);
    return reported;
}
