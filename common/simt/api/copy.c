/* SPDX-License-Identifier: MIT */
/*
 * copy.c - cudaMemcpy and its family: bytes, rows of pitched memory, device variables.
 */
#include <stdio.h>
#include <string.h>

#include "inside.h"

/* ---- who may use these bytes? ---- */

enum side { SIDE_HOST, SIDE_DEVICE, SIDE_BOTH, SIDE_BAD };

static enum side side_of(const void *ptr, size_t bytes)
{
    const struct region *r = memory_find((uintptr_t)ptr);
    if (!r || r->space == SPACE_SHARED)
        return ptr && !pool_holds((uintptr_t)ptr) ? SIDE_HOST : SIDE_BAD;
    if (r->bytes - ((uintptr_t)ptr - r->low) < bytes)
        return SIDE_BAD;
    return r->space == SPACE_GLOBAL ? SIDE_DEVICE : SIDE_BOTH;
}

static bool fits(enum side side, bool device)
{
    return side == SIDE_BOTH || side == (device ? SIDE_DEVICE : SIDE_HOST);
}

/* "400 bytes"; a negative size arrives as a huge one, and is printed as it was. */
static const char *size_text(size_t bytes, char out[64])
{
    if (bytes > SIZE_MAX / 2)
        snprintf(out, 64, "-%zu bytes", 0 - bytes);
    else
        snprintf(out, 64, "%zu bytes", bytes);
    return out;
}

/* Why a range is SIDE_BAD. `name` is its role in the call. */
static cudaError_t bad_range(struct call at, const char *name, const void *ptr, size_t bytes)
{
    char size[64];
    const uintptr_t address = (uintptr_t)ptr;
    const struct region *r = memory_find(address), *was = memory_freed(address);
    size_text(bytes, size);
    if (!ptr)
        return call_wrong(at, cudaErrorInvalidValue, "%s is a null pointer", name);
    if (!r && was)
        return call_wrong(at, cudaErrorInvalidValue,
                          "%s is in a %zu-byte allocation that was freed", name, was->bytes);
    if (!r)
        return call_wrong(at, cudaErrorInvalidValue, "%s is not in device memory", name);
    if (address == r->low)
        return call_wrong(at, cudaErrorInvalidValue, "%s: %s, but the allocation has %zu bytes",
                          name, size, r->bytes);
    return call_wrong(at, cudaErrorInvalidValue,
                      "%s: %s from byte %zu on, but the allocation has %zu bytes", name, size,
                      (size_t)(address - r->low), r->bytes);
}

enum role { DESTINATION, SOURCE };
static const char *const roles[] = {"the destination", "the source"};

/* Does the host's array end before the copy does? A kernel may read the host's constants too. */
static cudaError_t host_side(struct call at, enum role role, const void *ptr, size_t bytes)
{
    const char *what;
    const struct region *r = memory_find((uintptr_t)ptr);
    if (bytes == 0 || (r && (r->space != SPACE_MODULE || symbols_is_device((uintptr_t)ptr))))
        return cudaSuccess;
    size_t room = host_room(ptr, &what);
    if (at.room && at.room[role] < room && strcmp(what, "the host's block") != 0)
        room = at.room[role], what = "the variable";
    return bytes <= room
               ? cudaSuccess
               : call_wrong(at, cudaErrorInvalidValue, "%s: %zu bytes, but %s ends after %zu bytes",
                            roles[role], bytes, what, room);
}

/* ---- bytes ---- */

static cudaError_t read_only(struct call at)
{
    return call_wrong(at, cudaErrorInvalidValue, "the destination is an input, which is read-only");
}

static const char *const kinds[] = {"cudaMemcpyHostToHost", "cudaMemcpyHostToDevice",
                                    "cudaMemcpyDeviceToHost", "cudaMemcpyDeviceToDevice"};

static cudaError_t wrong_direction(struct call at, enum cudaMemcpyKind kind, enum side to,
                                   enum side from)
{
    const bool to_device = to == SIDE_DEVICE, from_device = from == SIDE_DEVICE;
    return call_wrong(at, cudaErrorInvalidValue,
                      "%s, but this goes from %s to %s memory\n    write %s, or cudaMemcpyDefault",
                      kinds[kind], from_device ? "device" : "host", to_device ? "device" : "host",
                      kinds[2 * from_device + to_device]);
}

/* Some elements had no thread, or the kernel has not run. */
static void note_blank(struct call at, const void *from, size_t bytes)
{
    size_t first = 0;
    const size_t blank = shadow_blank(from, bytes, &first);
    if (blank)
        call_noted(at,
                   "copies memory that was never written\n"
                   "    %zu of %zu bytes, from byte %zu of the %zu-byte allocation",
                   blank, bytes, first, memory_find((uintptr_t)from)->bytes);
}

/* A copy has written it. A copy to host memory that is not pinned always waits, whatever its
 * name. */
static void written(const void *to, size_t bytes, struct call at)
{
    const struct region *r = memory_find((uintptr_t)to);
    if (r)
        queued_touch(r, (uintptr_t)to, bytes, true, at.pc);
    else
        queued_is_done();
}

static void move(void *to, const void *from, size_t bytes)
{
    pool_open();
    memmove(to, from, bytes);
    pool_shut();
}

/* `to_reach`, `from_reach`: how far this and the copies that follow it go; 0: it follows one. */
static cudaError_t copy_piece(struct call at, void *to, size_t to_reach, const void *from,
                              size_t from_reach, size_t bytes, enum cudaMemcpyKind kind)
{
    if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault)
        return call_wrong(at, cudaErrorInvalidMemcpyDirection,
                          "the kind is %d; it must be 0 to 4, such as cudaMemcpyDefault",
                          (int)kind);
    if (bytes == 0)
        return call_done();
    const enum side to_side = side_of(to, bytes), from_side = side_of(from, bytes);
    if (to_side == SIDE_BAD)
        return bad_range(at, roles[DESTINATION], to, bytes);
    if (from_side == SIDE_BAD)
        return bad_range(at, roles[SOURCE], from, bytes);
    const bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
    const bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
    if (memory_find((uintptr_t)to) && memory_find((uintptr_t)to)->read_only)
        return read_only(at);
    if (kind != cudaMemcpyDefault && !(fits(to_side, to_device) && fits(from_side, from_device)))
        return wrong_direction(at, kind, to_side, from_side);
    if (bytes > SIZE_MAX / 2) {
        char size[64];
        return call_wrong(at, cudaErrorInvalidValue, "it copies %s", size_text(bytes, size));
    }
    cudaError_t error = host_side(at, DESTINATION, to, to_reach);
    error = error ? error : host_side(at, SOURCE, from, from_reach);
    if (error)
        return error;
    move(to, from, bytes);
    shadow_copied(to, from, bytes);
    written(to, bytes, at);
    queued_touch(memory_find((uintptr_t)from), (uintptr_t)from, bytes, false, at.pc);
    if (to_side != SIDE_DEVICE)
        note_blank(at, from, bytes);
    return call_done();
}

static cudaError_t copy(struct call at, void *to, const void *from, size_t bytes,
                        enum cudaMemcpyKind kind)
{
    return copy_piece(at, to, bytes, from, bytes, bytes, kind);
}

/* For a call that returns when all earlier work is done. */
static cudaError_t waited(cudaError_t result)
{
    queued_is_done();
    return result;
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind)
{
    probe_refuses(HERE);
    return waited(copy(HERE, to, from, bytes, kind));
}

cudaError_t simt_copy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                      size_t to_room, size_t from_room)
{
    const size_t room[] = {[DESTINATION] = to_room, [SOURCE] = from_room};
    const struct call at = {"cudaMemcpy", HERE.pc, room};
    probe_refuses(at);
    return waited(copy(at, to, from, bytes, kind));
}

/* There is device 0. */
static cudaError_t copy_peer(struct call at, void *to, int to_device, const void *from,
                             int from_device, size_t bytes)
{
    const int other = to_device != 0 ? to_device : from_device;
    return other != 0 ? no_device(at, other) : copy(at, to, from, bytes, cudaMemcpyDeviceToDevice);
}

cudaError_t cudaMemcpyPeer(void *to, int to_device, const void *from, int from_device, size_t bytes)
{
    probe_refuses(HERE);
    return copy_peer(HERE, to, to_device, from, from_device, bytes);
}

struct peer_copy {
    void *to;
    const void *from;
    int to_device, from_device;
    size_t bytes;
};
static cudaError_t do_peer_copy(struct call at, cudaStream_t stream, const void *args)
{
    const struct peer_copy *p = args;
    (void)stream;
    return copy_peer(at, p->to, p->to_device, p->from, p->from_device, p->bytes);
}

cudaError_t cudaMemcpyPeerAsync(void *to, int to_device, const void *from, int from_device,
                                size_t bytes, cudaStream_t stream)
{
    const struct peer_copy p = {to, from, to_device, from_device, bytes};
    return queue_work(HERE, stream, do_peer_copy, &p, sizeof p);
}

static cudaError_t set(struct call at, void *d_ptr, int value, size_t bytes)
{
    if (bytes == 0)
        return call_done();
    const enum side side = side_of(d_ptr, bytes);
    if (side == SIDE_BAD)
        return bad_range(at, "the destination", d_ptr, bytes);
    if (memory_find((uintptr_t)d_ptr) && memory_find((uintptr_t)d_ptr)->read_only)
        return read_only(at);
    if (!fits(side, true))
        return call_wrong(at, cudaErrorInvalidValue,
                          "the destination is host memory\n    use memset() for that");
    pool_open();
    memset(d_ptr, value, bytes);
    pool_shut();
    shadow_host_wrote(d_ptr, bytes);
    return call_done();
}

/* ---- rows ---- */

static cudaError_t wrong_pitch(struct call at, size_t width, size_t pitch)
{
    return call_wrong(at, cudaErrorInvalidPitchValue,
                      "rows of %zu bytes, %zu bytes apart: they would overlap", width, pitch);
}

static cudaError_t copy_rows(struct call at, void *to, size_t to_pitch, const void *from,
                             size_t from_pitch, size_t width, size_t height,
                             enum cudaMemcpyKind kind)
{
    if (width > to_pitch || width > from_pitch)
        return wrong_pitch(at, width, to_pitch < from_pitch ? to_pitch : from_pitch);
    cudaError_t error = call_done();
    pool_open(); /* once for all rows */
    for (size_t row = 0; row < height && error == cudaSuccess; row++)
        error =
            copy_piece(at, (char *)to + row * to_pitch, row ? 0 : (height - 1) * to_pitch + width,
                       (const char *)from + row * from_pitch,
                       row ? 0 : (height - 1) * from_pitch + width, width, kind);
    pool_shut();
    return error;
}

cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                         size_t width, size_t height, enum cudaMemcpyKind kind)
{
    probe_refuses(HERE);
    return waited(copy_rows(HERE, to, to_pitch, from, from_pitch, width, height, kind));
}

static cudaError_t set_rows(struct call at, void *d_ptr, size_t pitch, int value, size_t width,
                            size_t height)
{
    if (width > pitch)
        return wrong_pitch(at, width, pitch);
    cudaError_t error = call_done();
    pool_open();
    for (size_t row = 0; row < height && error == cudaSuccess; row++)
        error = set(at, (char *)d_ptr + row * pitch, value, width);
    pool_shut();
    return error;
}

/* ---- boxes: layers of rows, without CUDA arrays ---- */

static char *first_byte(struct cudaPitchedPtr p, struct cudaPos at)
{
    return (char *)p.ptr + (at.z * p.ysize + at.y) * p.pitch + at.x;
}

/* Layers of rows of bytes: one layer of one row is a range of bytes. */
struct box {
    void *to;
    const void *from;
    size_t to_pitch, to_layer, from_pitch, from_layer; /* from one row to the next, ... layer */
    size_t width, height, depth;
    int value; /* the value of a fill; the kind of a copy */
};

static cudaError_t copy_box(struct call at, const struct box *b)
{
    cudaError_t error = call_done();
    for (size_t z = 0; z < b->depth && error == cudaSuccess; z++)
        error = copy_rows(at, (char *)b->to + z * b->to_layer, b->to_pitch,
                          (const char *)b->from + z * b->from_layer, b->from_pitch, b->width,
                          b->height, (enum cudaMemcpyKind)b->value);
    return error;
}

static cudaError_t do_copy(struct call at, cudaStream_t stream, const void *args)
{
    (void)stream;
    return copy_box(at, args);
}

static cudaError_t do_fill(struct call at, cudaStream_t stream, const void *args)
{
    const struct box *b = args;
    cudaError_t error = call_done();
    (void)stream;
    for (size_t z = 0; z < b->depth && error == cudaSuccess; z++)
        error = set_rows(at, (char *)b->to + z * b->to_layer, b->to_pitch, b->value, b->width,
                         b->height);
    return error;
}

static struct box box_of(const struct cudaMemcpy3DParms *p)
{
    return (struct box){.to = first_byte(p->dstPtr, p->dstPos),
                        .from = first_byte(p->srcPtr, p->srcPos),
                        .to_pitch = p->dstPtr.pitch,
                        .to_layer = p->dstPtr.pitch * p->dstPtr.ysize,
                        .from_pitch = p->srcPtr.pitch,
                        .from_layer = p->srcPtr.pitch * p->srcPtr.ysize,
                        .width = p->extent.width,
                        .height = p->extent.height,
                        .depth = p->extent.depth,
                        .value = (int)p->kind};
}

/* ---- copies and fills that are queued ---- */

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                            cudaStream_t stream)
{
    const struct box b = {to, from, bytes, 0, bytes, 0, bytes, 1, 1, (int)kind};
    const bool waits = to && !memory_find((uintptr_t)to); /* of the host, and not pinned */
    if (waits && !capture_has(stream))
        probe_refuses(HERE);
    return queue_work(HERE, stream, do_copy, &b, sizeof b);
}

cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                              size_t width, size_t height, enum cudaMemcpyKind kind,
                              cudaStream_t stream)
{
    const struct box b = {to, from, to_pitch, 0, from_pitch, 0, width, height, 1, (int)kind};
    return queue_work(HERE, stream, do_copy, &b, sizeof b);
}

cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *parms)
{
    const struct box b = box_of(parms);
    probe_refuses(HERE);
    return waited(copy_box(HERE, &b));
}

cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *parms, cudaStream_t stream)
{
    const struct box b = box_of(parms);
    return queue_work(HERE, stream, do_copy, &b, sizeof b);
}

cudaError_t cudaMemsetAsync(void *d_ptr, int value, size_t bytes, cudaStream_t stream)
{
    const struct box b = {d_ptr, NULL, bytes, 0, 0, 0, bytes, 1, 1, value};
    return queue_work(HERE, stream, do_fill, &b, sizeof b);
}

cudaError_t cudaMemset(void *d_ptr, int value, size_t bytes)
{
    const struct box b = {d_ptr, NULL, bytes, 0, 0, 0, bytes, 1, 1, value};
    return queue_work(HERE, NULL, do_fill, &b, sizeof b);
}

cudaError_t cudaMemset2DAsync(void *d_ptr, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream)
{
    const struct box b = {d_ptr, NULL, pitch, 0, 0, 0, width, height, 1, value};
    return queue_work(HERE, stream, do_fill, &b, sizeof b);
}

cudaError_t cudaMemset2D(void *d_ptr, size_t pitch, int value, size_t width, size_t height)
{
    const struct box b = {d_ptr, NULL, pitch, 0, 0, 0, width, height, 1, value};
    return queue_work(HERE, NULL, do_fill, &b, sizeof b);
}

static struct box box_at(struct cudaPitchedPtr d_ptr, int value, struct cudaExtent extent)
{
    return (struct box){.to = d_ptr.ptr,
                        .to_pitch = d_ptr.pitch,
                        .to_layer = d_ptr.pitch * d_ptr.ysize,
                        .width = extent.width,
                        .height = extent.height,
                        .depth = extent.depth,
                        .value = value};
}

cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr d_ptr, int value, struct cudaExtent extent,
                              cudaStream_t stream)
{
    const struct box b = box_at(d_ptr, value, extent);
    return queue_work(HERE, stream, do_fill, &b, sizeof b);
}

cudaError_t cudaMemset3D(struct cudaPitchedPtr d_ptr, int value, struct cudaExtent extent)
{
    const struct box b = box_at(d_ptr, value, extent);
    return queue_work(HERE, NULL, do_fill, &b, sizeof b);
}

/* ---- device variables ---- */

/* A __device__ or __constant__ variable is a variable of the program; NULL for anything else. */
static const struct region *find_symbol(const void *symbol)
{
    machine_init();
    const struct region *r = memory_find((uintptr_t)symbol);
    return r && r->space >= SPACE_MODULE ? r : NULL;
}

/* NULL, and an error, if the bytes are not in the device variables. */
static char *symbol_range(struct call at, const void *symbol, size_t bytes, size_t offset,
                          cudaError_t *error)
{
    const struct region *r = find_symbol(symbol);
    char size[64];
    if (!r) {
        *error = call_wrong(at, cudaErrorInvalidSymbol,
                            "this is not a __device__ or __constant__ variable");
        return NULL;
    }
    const size_t first = (uintptr_t)symbol - r->low, capacity = r->bytes - first;
    const size_t own = symbols_size((uintptr_t)symbol); /* 0: not known */
    const size_t most = own && own < capacity ? own : capacity;
    if (offset <= most && bytes <= most - offset)
        return (char *)(uintptr_t)symbol + offset;
    *error = call_wrong(at, cudaErrorInvalidValue, "%s from byte %zu on, but the variable has %zu",
                        size_text(bytes, size), offset, most);
    return NULL;
}

static cudaError_t copy_to_symbol(struct call at, const void *symbol, const void *from,
                                  size_t bytes, size_t offset)
{
    cudaError_t error = cudaSuccess;
    char *to = symbol_range(at, symbol, bytes, offset, &error);
    if (!to)
        return error;
    if (bytes != 0 && side_of(from, bytes) == SIDE_BAD)
        return bad_range(at, "the source", from, bytes);
    error = host_side(at, SOURCE, from, bytes);
    if (error)
        return error;
    move(to, from, bytes);
    shadow_host_wrote(to, bytes);
    return call_done();
}

static cudaError_t copy_from_symbol(struct call at, void *to, const void *symbol, size_t bytes,
                                    size_t offset)
{
    cudaError_t error = cudaSuccess;
    const char *from = symbol_range(at, symbol, bytes, offset, &error);
    if (!from)
        return error;
    if (bytes != 0 && side_of(to, bytes) == SIDE_BAD)
        return bad_range(at, roles[DESTINATION], to, bytes);
    error = host_side(at, DESTINATION, to, bytes);
    if (error)
        return error;
    move(to, from, bytes);
    shadow_host_wrote(to, bytes);
    written(to, bytes, at);
    return call_done();
}

struct symbol_copy {
    const void *symbol, *from;
    void *to;
    size_t bytes, offset;
};
static cudaError_t do_copy_to_symbol(struct call at, cudaStream_t stream, const void *args)
{
    const struct symbol_copy *c = args;
    (void)stream;
    return copy_to_symbol(at, c->symbol, c->from, c->bytes, c->offset);
}
static cudaError_t do_copy_from_symbol(struct call at, cudaStream_t stream, const void *args)
{
    const struct symbol_copy *c = args;
    (void)stream;
    return copy_from_symbol(at, c->to, c->symbol, c->bytes, c->offset);
}

cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *from, size_t bytes,
                                    size_t offset, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    const struct symbol_copy c = {symbol, from, NULL, bytes, offset};
    (void)kind;
    return queue_work(HERE, stream, do_copy_to_symbol, &c, sizeof c);
}

cudaError_t cudaMemcpyFromSymbolAsync(void *to, const void *symbol, size_t bytes, size_t offset,
                                      enum cudaMemcpyKind kind, cudaStream_t stream)
{
    const struct symbol_copy c = {symbol, NULL, to, bytes, offset};
    (void)kind;
    return queue_work(HERE, stream, do_copy_from_symbol, &c, sizeof c);
}

cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *from, size_t bytes, size_t offset,
                               enum cudaMemcpyKind kind)
{
    const struct symbol_copy c = {symbol, from, NULL, bytes, offset};
    (void)kind;
    return waited(queue_work(HERE, NULL, do_copy_to_symbol, &c, sizeof c));
}

cudaError_t cudaMemcpyFromSymbol(void *to, const void *symbol, size_t bytes, size_t offset,
                                 enum cudaMemcpyKind kind)
{
    const struct symbol_copy c = {symbol, NULL, to, bytes, offset};
    (void)kind;
    return waited(queue_work(HERE, NULL, do_copy_from_symbol, &c, sizeof c));
}

cudaError_t cudaGetSymbolAddress(void **d_ptr, const void *symbol)
{
    cudaError_t error = cudaSuccess;
    *d_ptr = symbol_range(HERE, symbol, 0, 0, &error);
    return *d_ptr ? call_done() : error;
}
