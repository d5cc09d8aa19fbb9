// SPDX-License-Identifier: MIT
//
// shuffles.cu - what the four shuffles do, in the first 8 lanes of a warp, and a use of each.
// DEEPER.md shows what it prints; common/tests/errata.sh compares the two. Run it with
//
//   common/simt/simtcc 05_warp_shuffle/shuffles.cu -o shuffles && ./shuffles      (or nvcc)
#include <cuda_runtime.h>
#include <stdio.h>

#define WARP_SIZE 32 // NVIDIA's. AMD's GPUs have warps of 32 or of 64 lanes
#define SHOWN 8
#define ALL 0xffffffff // all 32 lanes call, so the mask names them all

// Columns of d_out, one element a lane. A value is the number of the lane that it came from.
enum { SHFL, SHFL_4, UP, UP_4, DOWN, DOWN_4, XOR, XOR_4, BROADCAST, PREFIX, TREE, BUTTERFLY, ROWS };

static const char *const names[ROWS] = {
    "__shfl_sync, lane 5", "             width 4", "__shfl_up_sync, 2",  "             width 4",
    "__shfl_down_sync, 2", "             width 4", "__shfl_xor_sync, 4", "             width 4",
    "broadcast of lane 0", "prefix sum by up",     "tree by down",       "butterfly by xor"};

// Launch: one warp.
__global__ void shuffles_kernel(int (*d_out)[WARP_SIZE])
{
    const int lane = threadIdx.x;
    d_out[SHFL][lane] = __shfl_sync(ALL, lane, 5);
    d_out[SHFL_4][lane] = __shfl_sync(ALL, lane, 5, 4);
    d_out[UP][lane] = __shfl_up_sync(ALL, lane, 2);
    d_out[UP_4][lane] = __shfl_up_sync(ALL, lane, 2, 4);
    d_out[DOWN][lane] = __shfl_down_sync(ALL, lane, 2);
    d_out[DOWN_4][lane] = __shfl_down_sync(ALL, lane, 2, 4);
    d_out[XOR][lane] = __shfl_xor_sync(ALL, lane, 4);
    d_out[XOR_4][lane] = __shfl_xor_sync(ALL, lane, 4, 4);

    // The uses, in groups of 8 lanes. Lane l starts with l + 1.
    int prefix = lane + 1, tree = lane + 1, butterfly = lane + 1;
    for (int offset = 1; offset < SHOWN; offset *= 2) {
        const int below = __shfl_up_sync(ALL, prefix, offset, SHOWN);
        prefix += lane % SHOWN >= offset ? below : 0;
    }
    for (int offset = SHOWN / 2; offset > 0; offset /= 2) {
        tree += __shfl_down_sync(ALL, tree, offset, SHOWN);
        butterfly += __shfl_xor_sync(ALL, butterfly, offset, SHOWN);
    }
    d_out[BROADCAST][lane] = __shfl_sync(ALL, lane + 1, 0, SHOWN);
    d_out[PREFIX][lane] = prefix;
    d_out[TREE][lane] = tree;
    d_out[BUTTERFLY][lane] = butterfly;
}

// Lanes 0 to 7 are a to h in the first part; the second part has numbers.
static void print_row(const char *name, const int *row, int letters)
{
    printf("%-20s", name);
    for (int lane = 0; lane < SHOWN; lane++) {
        letters ? printf("%4c", 'a' + row[lane]) : printf("%4d", row[lane]);
    }
    printf("\n");
}

int main()
{
    static int h_out[ROWS][WARP_SIZE];
    const int lanes[SHOWN] = {0, 1, 2, 3, 4, 5, 6, 7};
    void *d_out = NULL;
    cudaMalloc(&d_out, sizeof(h_out));
    shuffles_kernel<<<1, WARP_SIZE>>>((int(*)[WARP_SIZE])d_out);
    if (cudaMemcpy(h_out, d_out, sizeof(h_out), cudaMemcpyDeviceToHost) != cudaSuccess) {
        fprintf(stderr, "shuffles: %s\n", cudaGetErrorString(cudaGetLastError()));
        return 1;
    }
    print_row("lane", lanes, 0);
    print_row("value", lanes, 1);
    for (int row = 0; row < ROWS; row++) {
        print_row(names[row], h_out[row], row < BROADCAST);
    }
    cudaFree(d_out);
    return 0;
}
