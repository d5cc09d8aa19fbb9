/* SPDX-License-Identifier: MIT */
/*
 * qualifiers.h - for a .c or .cpp file that shares headers with .cu files: CUDA's qualifiers expand
 * to nothing there.
 */
#ifndef SIMT_QUALIFIERS_H
#define SIMT_QUALIFIERS_H

#ifndef __CUDACC__
#define __global__
#define __host__
#define __device__
#define __constant__
#define __shared__
#define __managed__
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(...)
#define __cluster_dims__(...)
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __grid_constant__
#endif

#endif
