/* SPDX-License-Identifier: MIT */
/*
 * nvToolsExt.h - markers for a profiler. There is none here, so they do nothing.
 */
#ifndef SIMT_NVTOOLSEXT_H
#define SIMT_NVTOOLSEXT_H

#include <stdint.h>

#define NVTX_VERSION 3
#define NVTX_EVENT_ATTRIB_STRUCT_SIZE ((uint16_t)sizeof(nvtxEventAttributes_t))

typedef uint64_t nvtxRangeId_t;
typedef struct nvtxDomainRegistration_st *nvtxDomainHandle_t;

typedef enum nvtxColorType_t { NVTX_COLOR_UNKNOWN = 0, NVTX_COLOR_ARGB = 1 } nvtxColorType_t;
typedef enum nvtxMessageType_t {
    NVTX_MESSAGE_UNKNOWN = 0,
    NVTX_MESSAGE_TYPE_ASCII = 1
} nvtxMessageType_t;

typedef union nvtxMessageValue_t {
    const char *ascii;
} nvtxMessageValue_t;

typedef struct nvtxEventAttributes_t {
    uint16_t version, size;
    uint32_t category;
    int32_t colorType;
    uint32_t color;
    int32_t payloadType, reserved0;
    union {
        uint64_t ullValue;
        double dValue;
    } payload;
    int32_t messageType;
    nvtxMessageValue_t message;
} nvtxEventAttributes_t;

#define SIMT_MARK static inline __attribute__((unused))

SIMT_MARK int nvtxRangePushA(const char *name)
{
    (void)name;
    return 0;
}
SIMT_MARK int nvtxRangePushEx(const nvtxEventAttributes_t *attributes)
{
    (void)attributes;
    return 0;
}
SIMT_MARK int nvtxRangePop(void)
{
    return 0;
}
SIMT_MARK nvtxRangeId_t nvtxRangeStartA(const char *name)
{
    (void)name;
    return 0;
}
SIMT_MARK void nvtxRangeEnd(nvtxRangeId_t range)
{
    (void)range;
}
SIMT_MARK void nvtxMarkA(const char *name)
{
    (void)name;
}
SIMT_MARK void nvtxNameOsThreadA(uint32_t thread, const char *name)
{
    (void)thread, (void)name;
}

#undef SIMT_MARK

#define nvtxRangePush nvtxRangePushA
#define nvtxRangeStart nvtxRangeStartA
#define nvtxMark nvtxMarkA

#endif
