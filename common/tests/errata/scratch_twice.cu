// SPDX-License-Identifier: MIT
// For docs/ERRATA.md: a variable with the name of a member is another variable.
#include <cstdio>

struct scratch_t {
    static size_t bytes;
    static void need(size_t n);
};
size_t scratch_t::bytes = 0;

static size_t bytes; // declared a second time

void scratch_t::need(size_t n)
{
    if (n > bytes) { // the member
        bytes = n;
    }
}

int main()
{
    scratch_t::need(21503);
    printf("scratch_t::bytes %zu, bytes %zu\n", scratch_t::bytes, bytes);
    return 0;
}
