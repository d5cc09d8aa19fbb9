/* SPDX-License-Identifier: MIT */
/* cufft.h - types of cuFFT; a call of it is refused by name. */
#ifndef SIMT_CUFFT_H
#define SIMT_CUFFT_H

#include "cuComplex.h"
#include "simt/library.h"

typedef int cufftHandle;
typedef float cufftReal;
typedef double cufftDoubleReal;
typedef cuComplex cufftComplex;
typedef cuDoubleComplex cufftDoubleComplex;
typedef enum cufftResult_t { CUFFT_SUCCESS = 0 } cufftResult;

#endif
