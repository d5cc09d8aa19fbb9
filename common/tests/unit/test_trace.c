/* SPDX-License-Identifier: MIT */
/*
 * Group: unit
 * Suite: trace - the reader of traces accepts no trace blindly: any truncation, and any changed
 * byte.
 * Run: $BUILD/unit/test_trace
 */
#define _POSIX_C_SOURCE 200809L /* mkstemp */
#include "pages/trace/read.c"

#include "test.h"

static const char whole[] =
    "simt-trace 1\n"
    "kernel tree\n"
    "launch 1 1 1 1 64 1 1\n"
    "asked 0\n"
    "file tree.cu\n"
    "array global f32 4 1 256 0 the input\n"
    "array shared f32 4 1 256 0 s_data\n"
    "block 0 0 0 0\n"
    "step load 0 0 5 1 1 00000003 00000000 00000000 fffffffc 4 1 1 1 -\n"
    "lane 0 0 0 3f800000 = -\n"
    "lane 1 0 4 40000000 = -\n"
    "step store 0 0 6 2 1 00000003 00000000 00000000 fffffffc 4 1 2 1 -\n"
    "lane 0 1 0 ffffffff 3f800000 0\n"
    "lane 1 1 128 ffffffff 40000000 1\n"
    "step arrive 0 0 7 3 1 00000003 00000000 00000003 fffffffc 0 0 0 0 -\n"
    "step leave 0 0 7 3 1 00000003 00000000 00000000 fffffffc 0 0 0 0 -\n"
    "step shuffle 0 0 8 4 1 00000003 00000000 00000000 fffffffc 4 0 0 0 __shfl_down_sync\n"
    "lane 0 3f800000 40000000 1\n"
    "lane 1 40000000 40000000 !\n"
    "step store 0 0 9 5 1 00000001 00000002 00000000 fffffffc 4 1 1 1 -\n"
    "lane 0 0 0 3f800000 40400000 -\n"
    "step finding 0 0 9 0 1 00000001 00000002 00000000 fffffffc 0 0 0 0 -\n"
    "finding 0 2 2\n"
    "access load 0 0 0 0 5 0 0 4\n"
    "access store 0 0 5 0 9 0 0 4\n"
    "text race on the input\n"
    "text     written by thread 0\n"
    "counter barriers 1\n"
    "end\n";

static trace_t trace;
static char message[TRACE_MESSAGE];

static bool read_text_of(const char *text, size_t bytes)
{
    char path[] = "/tmp/test_trace_XXXXXX";
    const int fd = mkstemp(path);
    FILE *file = fd >= 0 ? fdopen(fd, "wb") : NULL;
    if (!file)
        return false;
    fwrite(text, 1, bytes, file);
    fclose(file);
    message[0] = '\0';
    const bool fine = trace_read(&trace, path, message);
    remove(path);
    return fine;
}

TEST(whole_trace)
{
    char text[TRACE_TEXT];
    CHECK(read_text_of(whole, strlen(whole)));
    CHECK(trace.step_count == 7 && trace.block_count == 1 && trace.array_count == 2);
    CHECK(trace.threads == 64 && trace.warps == 2 && trace.counters[0].value == 1);
    const trace_step_t *s = trace.steps;
    CHECK(s[0].sectors == 1 && s[0].bytes_used == 8 && s[0].lanes[1].index == 1);
    CHECK(s[1].wavefronts == 2 && s[1].wavefronts_ideal == 1 && s[1].lanes[1].wavefront == 1);
    CHECK(s[1].lanes[0].unwritten && !s[0].lanes[0].unwritten);
    CHECK(s[2].epoch == 0 && s[4].epoch == 1);
    CHECK(s[4].lanes[0].source == 1 && s[4].lanes[0].used);
    CHECK(s[4].lanes[1].out_of_range && !s[4].lanes[1].used); /* lane 0 alone stores */
    CHECK(strcmp(s[4].name, "__shfl_down_sync") == 0 && strcmp(s[3].name, "__syncthreads") == 0);
    CHECK(s[6].finding == 0 && trace.findings[0].access[1].step == 5);
    CHECK(strcmp(trace.findings[0].text, "race on the input\n    written by thread 0") == 0);
    CHECK(strcmp(trace.findings[0].title, "race on the input") == 0);
    CHECK(strcmp(trace_value(TRACE_F32, s[5].lanes[0].after, 4, text), "3") == 0);
    CHECK(strcmp(trace_element(&trace, 1, 32, text), "s_data[32]") == 0);
    trace_free(&trace);
}

TEST(values_as_text)
{
    char text[TRACE_TEXT];
    const uint8_t minus_two[16] = {0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
    const uint8_t floats[16] = {0, 0, 0x80, 0x3f, 0, 0, 0, 0x40, 0, 0, 0xc0, 0x7f, 0, 0, 0, 0xc0};
    const uint8_t half[16] = {0x00, 0x3e}, infinite[16] = {0x00, 0xfc};
    CHECK(strcmp(trace_value(TRACE_I32, minus_two, 4, text), "-2") == 0);
    CHECK(strcmp(trace_value(TRACE_I64, minus_two, 8, text), "-2") == 0);
    CHECK(strcmp(trace_value(TRACE_U8, minus_two, 1, text), "254") == 0);
    CHECK(strcmp(trace_value(TRACE_F32, floats, 16, text), "1 2 nan -2") == 0);
    CHECK(strcmp(trace_value(TRACE_F16, half, 2, text), "1.5") == 0);
    CHECK(strcmp(trace_value(TRACE_F16, infinite, 2, text), "-inf") == 0);
    CHECK(strcmp(trace_value(TRACE_UNKNOWN, half, 2, text), "0x3e00") == 0);
}

/* No line but the last ends a trace. */
TEST(every_cut)
{
    size_t taken = 0;
    for (size_t bytes = 0; bytes < strlen(whole); bytes++) {
        taken += read_text_of(whole, bytes);
        CHECK(message[0] != '\0');
        trace_free(&trace);
    }
    CHECK(taken == 0);
}

TEST(lanes_are_complete)
{
    char copy[sizeof whole];
    memcpy(copy, whole, sizeof whole);
    memcpy(strstr(copy, "00000003"), "00000007", 8);
    CHECK(!read_text_of(copy, strlen(copy)));
    CHECK(strstr(message, "step 0 does not have a line for each of its lanes") != NULL);
    trace_free(&trace);
}

/* Each byte in turn is changed: the sanitizers watch, and every refusal has its message. */
TEST(every_byte)
{
    static const char others[] = {'-', '9', ' ', '\n', 'x', '\0'};
    char copy[sizeof whole];
    size_t refused = 0;
    for (size_t i = 0; i < strlen(whole); i++)
        for (size_t k = 0; k < sizeof others; k++) {
            memcpy(copy, whole, sizeof whole);
            copy[i] = others[k];
            const bool fine = read_text_of(copy, strlen(whole));
            CHECK(fine == (message[0] == '\0'));
            refused += !fine;
            trace_free(&trace);
        }
    CHECK(refused > strlen(whole));
}

int main(void)
{
    return test_all();
}
