/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "report.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "simt/driver/inside.h"

enum { MOST_DEPTH = 32, HEAD_BYTES = 4096, MOST_TASKS = 256 };

/* ---- one file ---- */

static int open_folder(int folder, const char *name)
{
    return openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

int find_open(const struct finding *f, const char *path, const char **name)
{
    int folder = open_folder(f->folder, ".");
    for (const char *slash; (slash = strchr(path, '/')) != NULL; path = slash + 1) {
        const int next = open_folder(folder, until(path, "/"));
        close(folder);
        folder = next;
    }
    *name = path;
    return folder;
}

static const char *base_of(const char *path)
{
    return strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
}

static mode_t type_of(int folder, const char *name)
{
    struct stat st;
    return fstatat(folder, name, &st, AT_SYMLINK_NOFOLLOW) == 0 ? st.st_mode & S_IFMT : 0;
}

static bool ends_with(const char *name, const char *ends)
{
    const char *dot = strrchr(name, '.');
    return strcasestr(ends, text("%s ", dot ? dot : "?")) != NULL;
}

/* The text of a student's file, to be freed. NULL, and what it is instead. */
static char *read_source(int folder, const char *name, const char **why)
{
    if (type_of(folder, name) != S_IFREG || (name[0] != '.' && ends_with(name, ".cu ")))
        return source_read(folder, name, why);
    *why = ends_with(name, ".zip .tar .gz .tgz .bz2 .xz .7z .rar ")
               ? "is an archive: unpack it first"
           : ends_with(name, ".cu ") ? "is a hidden file: its name begins with a dot"
                                     : "is not a .cu file";
    return NULL;
}

static bool is_quiz(const char *name)
{
    return strcasestr(name, "quiz") && ends_with(name, ".csv ");
}

/* The answers of a quiz: "", to be freed. The program of the quiz reads them. */
static char *read_quiz(int folder, const char *name, const char **why)
{
    const mode_t type = type_of(folder, name);
    *why = type == S_IFLNK ? "is a link: hand in the file itself" : "is not a plain file";
    return type == S_IFREG ? strdup("") : NULL;
}

/* ---- folders ---- */

/* Leftovers of systems and archives are not submissions. */
static int is_seen(const struct dirent *entry)
{
    return !strstr("/./../.git/.DS_Store/__MACOSX/", text("/%s/", entry->d_name)) &&
           !begins(entry->d_name, "._");
}

static char *lower(const char *from)
{
    char *const low = text("%s", from);
    for (char *p = low; *p; p++)
        *p = (char)tolower((unsigned char)*p);
    return low;
}

/* A file, or a folder, whose path ends with a slash. */
static void add_path(struct finding *f, const char *path, const char *why, const char *source)
{
    char head[HEAD_BYTES];
    snprintf(head, sizeof head, "%s", source);
    f->file = longer(f->file, f->files, sizeof *f->file);
    f->file[f->files++] = (struct file){.path = path,
                                        .shown = text_shown(path),
                                        .why = why,
                                        .head = lower(text_shown(head)),
                                        .solve = strstr(source, "solve") != NULL};
}

static void add_inode(struct file *file, int folder, const char *name)
{
    struct stat st;
    if (fstatat(folder, name, &st, AT_SYMLINK_NOFOLLOW) == 0 && st.st_nlink > 1) {
        file->device = (uint64_t)st.st_dev;
        file->inode = (uint64_t)st.st_ino;
    }
}

/* One file with names of two students, by a hard link. It counts for both: nobody can say whose it
 * is, and who made the link must not harm the other one. */
static bool is_shared(const struct finding *f, const struct file *a)
{
    for (const struct file *b = f->file; a->inode && b < f->file + f->files; b++)
        if (b->inode == a->inode && b->device == a->device && b->student != a->student)
            return true;
    return false;
}

/* Adds what is in the folder `path`, which ends with a slash or is empty. */
static void walk(struct finding *f, const char *path, int depth)
{
    struct dirent **entries = NULL;
    const char *name, *why;
    const int folder = find_open(f, path, &name);
    const int n = depth > 0 && folder >= 0 && strlen(path) + NAME_BYTES < PATH_BYTES
                      ? scandirat(folder, ".", &entries, is_seen, alphasort)
                      : -1;
    if (*path && !f->quiz)
        add_path(f, path, n < 0 ? "is a folder that cannot be read, or is nested too deeply" : "",
                 "");
    for (int i = 0; i < n; i++) {
        name = entries[i]->d_name;
        const bool is_folder = type_of(folder, name) == S_IFDIR;
        const char *inner = text("%s%s%s", path, name, is_folder ? "/" : "");
        if (is_folder && (!*path || name[0] != '.'))
            walk(f, inner, depth - 1);
        if (!is_folder && (!f->quiz || is_quiz(name))) {
            char *source = (f->quiz ? read_quiz : read_source)(folder, name, &why);
            add_path(f, inner, source ? "" : why, source ? source : "");
            add_inode(&f->file[f->files - 1], folder, name);
            free(source);
        }
    }
    free(entries);
    close(folder);
}

/* ---- for which exercise a file is ---- */

/* Is the exercise one of those that are requested? */
static bool is_asked(const struct finding *f, int task)
{
    return has_word(f->asked, f->task[task]->name);
}

/* Where the name of an exercise may be in a text: after it no digit, before it what the place asks.
 */
enum place {
    NAMED,     /* "03" in ex03_final, not in 2003; "capstone" also in capstone2 */
    IN_HEAD,   /* // Exercise 03: */
    NUMBERED,  /* the first number: 3 in ex3 final.cu */
    IN_FOLDER, /* the same, of a folder of a path */
    PLACES
};

/* How much of the text goes up to the last such place, or 0. */
static size_t up_to(const struct finding *f, const char *in, enum place place, int task)
{
    static const char *const patterns[] = {[NAMED] = "^(.*[^0-9])?%s([^0-9]|$)",
                                           [IN_HEAD] = "^.*// (exercise )?%s:",
                                           [NUMBERED] = "^[^0-9]*%s([^0-9]|$)",
                                           [IN_FOLDER] = "^(.*/)?[^0-9/]*%s([^0-9]|$)"};
    static const char *made[PLACES][MOST_TASKS + 1]; /* the last: of the quiz */
    const char *found[PARTS], **pattern = &made[place][f->quiz ? MOST_TASKS : task],
                              *name = f->task[task]->name;
    name += (place == NUMBERED || place == IN_FOLDER) && *name == '0';
    if (!strstr(in, name))
        return 0;
    if (!*pattern)
        *pattern = text(patterns[place], name);
    return match(*pattern, in, found) ? strlen(found[0]) : 0;
}

/* The exercise that the text names: of several one that is requested, then the last one; or -1. */
static int said(const struct finding *f, const char *in, enum place place)
{
    int found = -1;
    size_t best = 1;
    for (int i = 0; i < f->tasks; i++) {
        const char *name = f->task[i]->name;
        if (strstr(in, text("bug-%s", name))) /* the bugs of a lesson are not its exercise */
            continue;
        /* host.cu and my_host.cu are of `host`; host_stack.cu has another name that begins so. */
        if (strcmp(name, "host") == 0 && place != IN_HEAD &&
            !match("(^|[^a-z])host([^a-z]*[.]cu)?[^a-z]*$", in, NULL))
            continue;
        size_t rank = up_to(f, in, place, i);
        if (rank > 0)
            rank += is_asked(f, i) ? 10000 : 1;
        else if (place == NAMED && strcmp(name, "capstone") == 0 && strstr(in, name))
            rank = 1;
        if (rank < best)
            continue;
        best = rank;
        found = i;
    }
    return found;
}

/* In lower case, without escaped characters. Bug_03a is bug-03a, and Open_Scan is open-scan. */
static char *clean(const char *name)
{
    char *const clean = lower(name), *to = clean;
    for (const char *p = clean; *p; p++) {
        const bool escape = *p == '\\' && p[1];
        *to++ = escape ? ' ' : *p;
        p += escape ? (p[1] == 'x' && strlen(p) > 3 ? 3 : 1) : 0;
    }
    *to = '\0';
    for (char *p = clean; (p = strstr(p, "open")) != NULL; p++)
        if (p[4] == '_' || p[4] == ' ')
            p[4] = '-';
    const char *found[PARTS], *const bug = match("bug[_ ]?([0-9][0-9][a-z].*)", clean, found);
    return bug ? text("%.*sbug-%s", (int)(bug - clean), clean, found[1]) : clean;
}

/* `label` is the part of a file's name that may name the exercise, `inner` its path below the
 * student. The head of the handed-out file says it best, because people number files in their own
 * ways: 2024-11-05.cu, v02.cu. */
static void recognise(const struct finding *f, struct file *file, const char *label_text,
                      const char *inner)
{
    const char *label = clean(label_text);
    char *folders = clean(inner), *const slash = strrchr(folders, '/');
    *(slash ? slash + 1 : folders) = '\0';
    const int by_head = said(f, file->head, IN_HEAD), by_name = said(f, label, NAMED);
    const int guess[] = {by_head, said(f, label, NUMBERED), said(f, folders, NAMED),
                         said(f, folders, IN_FOLDER), f->only};
    file->sure = 16;
    file->task = by_name;
    if (by_name >= 0 && (by_head < 0 || by_head == by_name))
        return;
    for (int i = 0; i < 5; i++)
        if (guess[i] >= 0) {
            file->task = guess[i];
            file->sure = 5 - i + (file->solve ? 8 : 0);
            return;
        }
    if (!*file->why)
        file->why = "does not say which exercise it is: call it 03.cu";
}

/* ---- whose a file is ---- */

/* How many names at the top of the folder begin with these bytes, up to the numbers of Canvas. Two
 * that do have a date there: hw_2025_11_carl, hw_2025_11_dora. */
static size_t files_with(const struct finding *f, const char *begin, size_t n)
{
    size_t count = 0;
    const char *last = "";
    for (size_t i = 0; i < f->files && count < 2; i++) {
        const char *name = f->file[i].shown;
        const size_t length = strcspn(name, "/");
        if (strncmp(name, begin, n) == 0 &&
            (strlen(last) < length || strncmp(last, name, length) != 0 ||
             strcspn(last, "/") != length))
            count++, last = name;
    }
    return count;
}

/* What the first part of a path says: the student, how that is known, and the text in which the
 * exercise may be named. */
struct owner {
    const char *name, *label, *maker;
};

static void take_apart(const struct finding *f, const char *name, bool is_folder, struct owner *o)
{
    const char *found[PARTS];
    static const char mark[] = "_assignsubmission_";
    const char *moodle = *name ? strstr(name + 1, mark) : NULL, *next;
    *o = (struct owner){name, "", is_folder ? text("folder %s", name) : "file"};
    if (moodle) { /* Alice Smith_123_assignsubmission_file_03.cu, or a folder */
        o->maker = "Moodle";
        /* Her own name may have it too, and so may that of her file, which then says nothing. */
        for (; (next = strstr(moodle + 1, mark)) != NULL; moodle = next)
            if (!is_folder)
                return;
        const char *rest = moodle + strlen(mark);
        rest += strcspn(rest, "_");
        o->name = text("%.*s", (int)(moodle - name), name);
        o->label = rest + (*rest == '_');
        return;
    }
    /* smithalice_LATE_123_456_03.cu: the second number is that of the file; small ones in the name
     * of a folder may be a date. */
    const char *at = match(is_folder ? "(_LATE)?_([0-9][0-9][0-9]+)_[0-9][0-9][0-9]+_."
                                     : "(_LATE)?_([0-9]+)_[0-9]+_.",
                           name, found);
    const size_t from = at ? (size_t)(at - name) : 0, to = from + strlen(found[0]);
    if (from > 0 && files_with(f, name, to - 1) < 2) {
        o->name = text("%.*s_%s", (int)from, name, found[2]);
        o->label = name + to - 1;
        o->maker = is_folder ? o->maker : "Canvas";
        return;
    }
    if (is_folder)
        return;
    /* smith_03.cu for a requested exercise, smith.cu: smith */
    const char *const dot = strrchr(name, '.');
    if (dot && dot > name)
        o->name = text("%.*s", (int)(dot - name), name);
    const char *const low = lower(o->name);
    at = match(".[-_ ]([0-9][0-9]|capstone|host|quiz|bug[-_ ]?[0-9][0-9][a-z]|open[-_][a-z]+)$",
               low, NULL);
    if (!at)
        return;
    const char *const end = o->name + (at - low) + 1;
    const int task = said(f, clean(end), NAMED);
    if (task >= 0 && (!*f->asked || is_asked(f, task))) {
        o->label = end;
        o->name = text("%.*s", (int)(end - o->name), o->name);
    }
}

static size_t student_of(struct finding *f, const char *name, const char *maker)
{
    size_t i = 0;
    while (i < f->students && strcmp(f->student[i].name, name) != 0)
        i++;
    if (i < f->students)
        return i;
    f->student = longer(f->student, i, sizeof *f->student);
    f->student[f->students++] = (struct student){name, maker};
    return i;
}

/* Finds out whose a file is, and for which exercise. */
static void look_at(struct finding *f, struct file *file)
{
    struct owner o = {"", "", ""};
    const char *path = file->shown, *const slash = strchr(path, '/'), *inner = path;
    const bool is_folder = path[strlen(path) - 1] == '/';
    const bool other = strcmp(file->why, "is not a .cu file") == 0;
    file->student = SIZE_MAX;
    if (f->class) {
        const char *first = until(path, "/");
        take_apart(f, first, slash != NULL, &o);
        /* Beside the students there may be marks, a list, a note, a hidden folder. */
        if ((!slash && strcmp(o.maker, "file") == 0 && other) ||
            (o.name[0] == '.' && (is_folder || other)))
            return;
        const size_t known = student_of(f, o.name, o.maker);
        /* bob.cu does not belong to the student of the folder bob. */
        if (strcmp(f->student[known].maker, o.maker) != 0)
            o.name = first;
        inner = slash ? slash + 1 : "";
    }
    const size_t student = student_of(f, o.name, o.maker);
    if (is_folder && !*file->why)
        return;
    file->student = student;
    recognise(f, file, slash || !f->class ? base_of(path) : o.label, inner);
}

/* ---- what is graded ---- */

/* A file's name without its ending, and without zeros at the beginning of a number. */
static const char *order_key(const char *path)
{
    const char *name = base_of(path);
    const char *const dot = strrchr(name, '.'), *const end = dot ? dot : name + strlen(name);
    char *const key = text("%s", name), *to = key;
    for (; name < end; name++)
        if (*name != '0' || !isdigit((unsigned char)name[1]) ||
            (to > key && isdigit((unsigned char)to[-1])))
            *to++ = *name;
    *to = '\0';
    return key;
}

/* 03-2.cu comes after 03.cu, and 03-10.cu after 03-2.cu. */
static int by_name(const void *a, const void *b)
{
    const char *const p = ((const struct file *const *)a)[0]->shown;
    const char *const q = ((const struct file *const *)b)[0]->shown;
    const int order = strverscmp(order_key(p), order_key(q));
    return order != 0 ? order : strcmp(p, q);
}

/* The student's files for an exercise: those identified most reliably, the last 8 by name. */
static void choose_files(const struct finding *f, size_t student, int task, struct row *row)
{
    const struct file **list = memory((f->files + 1) * sizeof *list);
    size_t count = 0;
    int best = 0;
    for (int pass = 0; pass < 2; pass++)
        for (const struct file *file = f->file; file < f->file + f->files; file++) {
            if (file->student != student || file->task != task || *file->why)
                continue;
            best = pass == 0 && file->sure > best ? file->sure : best;
            if (pass == 1 && file->sure == best)
                list[count++] = file;
        }
    qsort(list, count, sizeof *list, by_name);
    for (size_t i = count > MOST_TRIED ? count - MOST_TRIED : 0; i < count; i++) {
        row->file[row->files++] = list[i]->path;
        if (is_shared(f, list[i]))
            row->remark = "a file has names of two students, by a hard link: it counts for both";
    }
    free(list);
}

/* What the student has handed in for this exercise, or for any (-1), that cannot be graded. */
static const char *instead_of(const struct finding *f, size_t student, int task)
{
    const char *instead = "";
    int shown = 0;
    for (const struct file *file = f->file; file < f->file + f->files && shown < 4; file++) {
        const char *name = base_of(file->shown);
        const bool is_other =
            !f->quiz && (is_quiz(name) || (strcasestr(name, "report") && ends_with(name, ".md ")));
        if (file->student != student || !*file->why || is_other ||
            (task >= 0 && file->task >= 0 && file->task != task))
            continue;
        instead = text("%s%s%s", instead, shown > 0 ? "; " : "",
                       shown == 3 ? "and more" : text("%.200s %s", file->shown, file->why));
        shown++;
    }
    return instead;
}

static bool is_there(const struct finding *f, int task)
{
    for (const struct file *file = f->file; file < f->file + f->files; file++)
        if (file->task == task && !*file->why && file->student != SIZE_MAX)
            return true;
    return false;
}

/* For one student: what else was handed in. */
static const char *remark_of(const struct finding *f)
{
    const char *remark = instead_of(f, 0, -1);
    for (int i = 0; *f->asked && i < f->tasks; i++) {
        if (is_asked(f, i) || !is_there(f, i))
            continue;
        remark = text("%s%sexercise %s was handed in but is not accepted; accepted here:", remark,
                      *remark ? "; " : "", f->task[i]->name);
        for (int k = 0; k < f->tasks; k++)
            if (is_asked(f, k))
                remark = text("%s %s", remark, f->task[k]->name);
    }
    return !*remark && f->rows == 0 ? "there is no .cu file here" : remark;
}

static void add_rows(struct finding *f, const struct class_options *o)
{
    const char *shown = text_shown(o->student);
    bool there[MOST_TASKS], some = false;
    for (int i = 0; i < f->tasks; i++)
        there[i] = *f->asked ? is_asked(f, i) : is_there(f, i);
    for (size_t s = 0; s < f->students; s++)
        for (int i = 0; i < f->tasks; i++) {
            const char *name = f->student[s].name;
            struct row row = {.student = name, .task = f->task[i], .remark = ""};
            some = some || there[i];
            if (!there[i] ||
                (*o->student && strcmp(name, o->student) != 0 && strcmp(name, shown) != 0))
                continue;
            choose_files(f, s, i, &row);
            row.instead = instead_of(f, s, i);
            f->row = longer(f->row, f->rows, sizeof *f->row);
            f->row[f->rows++] = row;
        }
    if (!f->class || f->rows > 0 || f->quiz)
        return;
    if (some)
        fprintf(stderr, "grade: there is no student '%s' in '%s'\n", o->student, o->folder);
    else
        fprintf(stderr,
                "grade: no submission in '%s'; accepted are FOLDER/student/03.cu, "
                "FOLDER/student.cu when the exercise is named, and what Moodle and Canvas give\n",
                o->folder);
}

bool find_rows(struct finding *f, const struct class_options *o, bool class, bool quiz)
{
    static const struct task of_quiz = {.name = "quiz"}, *const quizzes[] = {&of_quiz};
    *f = (struct finding){.folder = open(o->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC),
                          .class = class,
                          .quiz = quiz,
                          .task = quiz ? quizzes : tasks,
                          .tasks = quiz ? 1 : (int)task_count,
                          .asked = quiz ? "quiz" : o->asked,
                          .only = -1};
    if (f->folder < 0)
        stop("'%s': %s; accepted: a folder", o->folder, strerror(errno));
    int asked = 0;
    for (int i = 0; i < f->tasks; i++)
        if (is_asked(f, i) && ++asked)
            f->only = i;
    f->only = asked == 1 ? f->only : -1;
    walk(f, "", MOST_DEPTH);
    if (!class)
        student_of(f, "", "");
    for (size_t i = 0; i < f->files; i++) {
        f->file[i].task = -1;
        look_at(f, &f->file[i]);
    }
    add_rows(f, o);
    f->remark = class ? "" : remark_of(f);
    return !class || f->rows > 0;
}
