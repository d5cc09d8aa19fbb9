/* SPDX-License-Identifier: MIT */
/*
 * Group: unit
 * Suite: options - the command line of a step, parsed
 * Run: $BUILD/unit/test_options
 */
#include "options.h"
#include "size.h"
#include "steps.h"
#include "test.h"

static options_t options;
static char message[OPTIONS_MESSAGE];

/* Parse a command line given as words between spaces. */
static bool parse_for(const step_t *lesson, const char *line)
{
    static char copy[200];
    char *argv[20] = {"step"};
    int argc = 1;
    problem_t lead;

    snprintf(copy, sizeof copy, "%s", line);
    for (char *word = strtok(copy, " "); word != NULL; word = strtok(NULL, " "))
        argv[argc++] = word;
    message[0] = '\0';
    return problem_open(&lead, lesson) == NULL &&
           options_parse(&options, argc, argv, &lead, message) &&
           options_offered(&options, &lead, message);
}

static bool parse(const char *line)
{
    return parse_for(&steps_reduce, line);
}

/* Refused, with a message that has all of these. */
static bool refuses(const char *line, const char *option, const char *value, const char *accepted)
{
    return !parse(line) && strstr(message, option) == message && strstr(message, value) != NULL &&
           strstr(message, accepted) != NULL && strchr(message, '\n') == NULL;
}

static size_t size_of(const char *text)
{
    size_t size;
    return size_read(text, strlen(text), &size) == NULL ? size : 987654321;
}

TEST(sizes)
{
    CHECK(size_of("0") == 0 && size_of("1000003") == 1000003);
    CHECK(size_of("4K") == 4096 && size_of("1M") == 1048576 && size_of("1G") == 1073741824);
    CHECK(size_of("3k") == 3072 && size_of("2m") == 2097152);
    CHECK(size_of("2^20") == 1048576 && size_of("2^31+3") == 2147483651u &&
          size_of("10^3") == 1000);
    CHECK(size_of("2^10-1") == 1023 && size_of("2^0") == 1 && size_of("0^5") == 0);
    CHECK(size_of("18446744073709551615") == SIZE_MAX);
}

/* How many texts there are between the bars, if each is refused and the message begins so; or 0. */
static size_t refused(const char *texts, const char *why)
{
    size_t count = 0, length, size;

    for (const char *at = texts;; at += length + 1) {
        length = strcspn(at, "|");
        const char *wrong = size_read(at, length, &size);
        if (wrong == NULL || strstr(wrong, why) != wrong)
            return 0;
        count++;
        if (at[length] == '\0')
            return count;
    }
}

TEST(bad_sizes)
{
    CHECK(refused("|abc|-5|+5|1.5|4KK|4Q|K|2^|^3|2^3+|1e6|0x10| 5|5 |2^3-9|4K+1|nan|2^3K|2^3+1+1|"
                  "--5|2^63+2^63",
                  "is not a size") == 22);
    CHECK(refused("2^64|3^41|18446744073709551616|184467440737095516150|99999999999G|"
                  "2^63+9223372036854775808|2^0+18446744073709551615|2^3+18446744073709551616",
                  "is too large") == 8);
    CHECK(size_of("2^63+9223372036854775807") == SIZE_MAX);
    CHECK(size_of("1^99999999999999") == 1);
}

TEST(defaults)
{
    CHECK(parse("") && options.seed == 1 && options.reps >= 20 && options.shape_count == 0);
    CHECK(options.types == 0 && options.ops == 0 && options.input == NULL && !options.check);
    CHECK(options.format == FORMAT_TEXT && !options.quick && !options.list && !options.help);
    CHECK(!options.offset_given && options.offset == 0 && !options.warm);
}

TEST(values)
{
    CHECK(parse("-n 1K,7 -t f32,i32 -o max --seed 9 --reps 50 --csv"));
    CHECK(options.shape_count == 2 && options.shapes[0].cols == 1024 &&
          options.shapes[1].cols == 7);
    CHECK(options.shapes[0].rows == 1 && options.types == 5 && options.ops == 2);
    CHECK(options.seed == 9 && options.reps == 50 && options.format == FORMAT_CSV);
    CHECK(parse("--size=4K --type=all --op all --json") && options.shapes[0].cols == 4096);
    CHECK(options.types == 5 && options.ops == 3 && options.format == FORMAT_JSON);
    CHECK(parse("-n4K") && options.shapes[0].cols == 4096);
    CHECK(parse("--check --quick") && options.check && options.quick);
    CHECK(parse("--list") && options.list);
    CHECK(parse("-h --nonsense") && options.help);
    CHECK(parse("--offset 3 --warm") && options.offset_given && options.offset == 3);
    CHECK(options.warm && parse("-n 5 --check --offset=64") && options.offset == 64);
    CHECK(parse("--offset 0") && options.offset_given && options.offset == 0);
    CHECK(parse("--input x.npy -t f32") && strcmp(options.input, "x.npy") == 0);
}

TEST(bad_values)
{
    CHECK(refuses("-n abc", "-n:", "'abc'", "whole number"));
    CHECK(refuses("-n -5", "-n:", "'-5'", "whole number"));
    CHECK(refuses("--size 4K,x", "--size:", "'x'", "1000003"));
    CHECK(refuses("-n 1,,2", "-n:", "''", "whole number"));
    CHECK(refuses("-n 2^63", "-n:", "'2^63'", "too large"));
    CHECK(refuses("-n 2^64", "-n:", "'2^64'", "too large"));
    CHECK(refuses("-t f99", "-t:", "'f99'", "f32 i32"));
    CHECK(refuses("--type=", "--type:", "''", "f32 i32"));
    CHECK(refuses("-t f32,f64", "-t:", "'f64'", "f32 i32"));
    CHECK(refuses("-t f3", "-t:", "'f3'", "f32 i32"));
    CHECK(refuses("-o prod", "-o:", "'prod'", "sum max"));
    CHECK(refuses("-o min", "-o:", "'min'", "sum max"));
    CHECK(refuses("--op relu", "--op:", "'relu'", "sum max"));
    CHECK(refuses("--reps 19", "--reps:", "'19'", "20"));
    CHECK(refuses("--reps x", "--reps:", "'x'", "20"));
    CHECK(refuses("--offset 65", "--offset:", "'65'", "0 to 64"));
    CHECK(refuses("--offset -1", "--offset:", "'-1'", "0 to 64"));
    CHECK(refuses("--offset x", "--offset:", "'x'", "0 to 64"));
    CHECK(refuses("--warm=1", "--warm:", "'1'", "no value"));
    CHECK(refuses("--seed -1", "--seed:", "'-1'", "whole number"));
    CHECK(refuses("--check=1", "--check:", "'1'", "no value"));
    CHECK(refuses("--input=", "--input:", "empty", ".npy or a raw file"));
    CHECK(refuses("--frobnicate", "'--frobnicate'", "not an option", "--help"));
    CHECK(refuses("--no-check", "'--no-check'", "not an option", "--help"));
    CHECK(refuses("12", "'12'", "not an option", "--help"));
}

TEST(missing_values)
{
    static const char *const names[] = {"-n",     "-t",      "-o",     "--rows",  "--cols",
                                        "--seed", "--input", "--reps", "--offset"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        CHECK(refuses(names[i], names[i], "missing", "--help"));
}

TEST(combinations)
{
    CHECK(refuses("--quick", "--quick:", "--check", "both"));
    CHECK(refuses("--csv --json", "--json:", "--csv", "not both"));
    CHECK(refuses("--rows 3 --cols 4", "--rows", "no rows", "-n"));
    CHECK(refuses("--input x -n 3", "--input:", "-n", "leave out"));
    CHECK(refuses("--input x --check", "--input:", "--check", "leave out"));
    CHECK(refuses("--warm --check", "--warm:", "--check", "leave out"));
    CHECK(refuses("--warm --input x", "--warm:", "--input", "leave out"));
    CHECK(refuses("--offset 1 --check", "--offset:", "--check", "-n"));
    CHECK(parse("-n 5 --once -t f32 -o sum --seed 2 --offset 1") && options.once);
    CHECK(parse("--once --input x.npy") && parse_for(&steps_rows, "--once --rows 2 --cols 3"));
    CHECK(refuses("--once", "--once:", "-n", "--input") &&
          refuses("--once=1", "--once:", "'1'", "no"));
    CHECK(refuses("-n 5 --once --check", "--once:", "--check", "accepted are -n, -t"));
    CHECK(refuses("-n 5 --once --reps 20", "--once:", "--reps", "accepted are -n, -t"));
    CHECK(refuses("-n 5 --csv --once", "--once:", "--csv", "accepted are -n, -t"));
    CHECK(refuses("-n 5 --json --once", "--once:", "--json", "accepted are -n, -t"));
    CHECK(refuses("-n 5 --warm --once", "--once:", "--warm", "accepted are -n, -t"));
    CHECK(parse_for(&steps_rows, "--check --rows 2 --cols 3 --offset 1"));
    CHECK(!parse_for(&steps_rows, "-n 5") && strstr(message, "--rows R --cols C") != NULL);
    CHECK(!parse_for(&steps_rows, "--rows 5") && strstr(message, "--cols") != NULL);
    CHECK(!parse_for(&steps_rows, "--rows 4G --cols 4G") && strstr(message, "too large") != NULL);
    CHECK(parse_for(&steps_rows, "--rows 2K --cols 3") && options.shape_count == 1);
    CHECK(options.shapes[0].rows == 2048 && options.shapes[0].cols == 3);
    CHECK(parse_for(&steps_softmax, "--rows 2K --cols 3 -o softmax") && options.shape_count == 1);
    CHECK(!parse_for(&steps_softmax, "-n 5") && strstr(message, "--rows R --cols C") != NULL);
}

TEST(pairs_not_offered)
{
    CHECK(!parse_for(&steps_map, "-t f32 -o relu") && strstr(message, "f32") != NULL);
    CHECK(strstr(message, "gelu mul fma add") != NULL);
    CHECK(parse_for(&steps_map, "-t all -o relu"));
    CHECK(parse_for(&steps_map, "-t f16 -o relu"));
}

/* The pair that a run without --check takes, as type * 10 + op, or -1 if it is not one. */
static int asked(const step_t *lesson, const char *line)
{
    problem_t p;
    int found = -1, count = 0;

    if (!parse_for(lesson, line) || problem_open(&p, lesson) != NULL)
        return -1;
    for (int type = 0; type < DTYPE_COUNT; type++) {
        p.type = (dtype_t)type;
        for (p.op = 0; p.op < problem_op_count(p.kind); p.op++) {
            if (!options_ask(&options, &p, false))
                continue;
            found = type * 10 + p.op;
            count++;
        }
    }
    return count == 1 ? found : -1;
}

TEST(pairs_chosen)
{
    CHECK(asked(&steps_reduce, "-n 5") == DTYPE_F32 * 10 + OP_SUM);
    CHECK(asked(&steps_reduce, "-o max") == DTYPE_F32 * 10 + OP_MAX);
    CHECK(asked(&steps_reduce, "-t i32") == DTYPE_I32 * 10 + OP_SUM);
    CHECK(asked(&steps_map, "-o relu") == DTYPE_F16 * 10 + MAP_RELU);
    CHECK(asked(&steps_map, "-t f32") == DTYPE_F32 * 10 + MAP_GELU);
    CHECK(asked(&steps_reduce, "-t f32,i32 -o sum") == -1);
}

int main(void)
{
    return test_all();
}
