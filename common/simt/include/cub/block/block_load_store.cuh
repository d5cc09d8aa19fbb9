// SPDX-License-Identifier: MIT
//
// block_load_store.cuh - BlockLoad and BlockStore: thread t has the items t * Items and on, or with
// a striped algorithm t, t + BlockThreads and on. With a transposing one the block, or each warp,
// loads and stores in stripes, and exchanges the items in the storage; the others need none. The
// results are those of CUB, the counts are not.
#ifndef SIMT_CUB_BLOCK_LOAD_STORE_CUH
#define SIMT_CUB_BLOCK_LOAD_STORE_CUH

#include "../simt_ops.cuh"

namespace cub
{

enum BlockLoadAlgorithm {
    BLOCK_LOAD_DIRECT,
    BLOCK_LOAD_STRIPED,
    BLOCK_LOAD_VECTORIZE,
    BLOCK_LOAD_TRANSPOSE,
    BLOCK_LOAD_WARP_TRANSPOSE,
    BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED
};
enum BlockStoreAlgorithm {
    BLOCK_STORE_DIRECT,
    BLOCK_STORE_STRIPED,
    BLOCK_STORE_VECTORIZE,
    BLOCK_STORE_TRANSPOSE,
    BLOCK_STORE_WARP_TRANSPOSE,
    BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED
};

namespace simt_detail
{

// GROUP threads, the block or a warp, share Items items each.
template <typename T, int X, int Y, int Z, int Items, bool STRIPED, bool TRANSPOSES, bool BY_WARP>
struct exchange {
    using shape = block_shape<X, Y, Z>;
    static constexpr int GROUP = BY_WARP && shape::BlockThreads > 32 ? 32 : shape::BlockThreads;
    struct TempStorage {
        slots<T, TRANSPOSES ? shape::BlockThreads * Items : 1> slot;
    };

    // The position of item i of a thread, in the thread's order or in memory's stripes.
    __device__ __forceinline__ static int place(int i, bool striped)
    {
        const int in_group = shape::thread() % GROUP, first = shape::thread() - in_group;
        return first * Items + (striped ? in_group + i * GROUP : in_group * Items + i);
    }
    __device__ __forceinline__ static int in_memory(int i)
    {
        return place(i, STRIPED || TRANSPOSES);
    }
    __device__ __forceinline__ static void swap(TempStorage &storage, T (&items)[Items], bool load)
    {
        shape::check();
        if constexpr (TRANSPOSES) {
            for (int i = 0; i < Items; i++)
                storage.slot[place(i, load)] = items[i];
            if constexpr (BY_WARP)
                __syncwarp();
            else
                __syncthreads();
            for (int i = 0; i < Items; i++)
                items[i] = storage.slot[place(i, !load)];
        }
    }
};

} // namespace simt_detail

template <typename T, int X, int Items, BlockLoadAlgorithm ALGORITHM = BLOCK_LOAD_DIRECT, int Y = 1,
          int Z = 1>
struct BlockLoad {
    using exchange = simt_detail::exchange<T, X, Y, Z, Items, ALGORITHM == BLOCK_LOAD_STRIPED,
                                           (ALGORITHM >= BLOCK_LOAD_TRANSPOSE),
                                           (ALGORITHM > BLOCK_LOAD_TRANSPOSE)>;
    using TempStorage = typename exchange::TempStorage;
    TempStorage &storage;
    __device__ __forceinline__ explicit BlockLoad(TempStorage &s) : storage(s) {}

    template <typename Iterator>
    __device__ __forceinline__ void Load(Iterator from, T (&items)[Items])
    {
        Load(from, items, X * Y * Z * Items);
    }
    template <typename Iterator>
    __device__ __forceinline__ void Load(Iterator from, T (&items)[Items], int count)
    {
        for (int i = 0; i < Items; i++)
            if (exchange::in_memory(i) < count)
                items[i] = from[exchange::in_memory(i)];
        exchange::swap(storage, items, true);
    }
    template <typename Iterator, typename Other>
    __device__ __forceinline__ void Load(Iterator from, T (&items)[Items], int count, Other other)
    {
        for (int i = 0; i < Items; i++)
            items[i] = other;
        Load(from, items, count);
    }
};

template <typename T, int X, int Items, BlockStoreAlgorithm ALGORITHM = BLOCK_STORE_DIRECT,
          int Y = 1, int Z = 1>
struct BlockStore {
    using exchange = simt_detail::exchange<T, X, Y, Z, Items, ALGORITHM == BLOCK_STORE_STRIPED,
                                           (ALGORITHM >= BLOCK_STORE_TRANSPOSE),
                                           (ALGORITHM > BLOCK_STORE_TRANSPOSE)>;
    using TempStorage = typename exchange::TempStorage;
    TempStorage &storage;
    __device__ __forceinline__ explicit BlockStore(TempStorage &s) : storage(s) {}

    template <typename Iterator>
    __device__ __forceinline__ void Store(Iterator to, T (&items)[Items])
    {
        Store(to, items, X * Y * Z * Items);
    }
    template <typename Iterator>
    __device__ __forceinline__ void Store(Iterator to, T (&items)[Items], int count)
    {
        T own[Items];
        for (int i = 0; i < Items; i++)
            own[i] = items[i];
        exchange::swap(storage, own, false);
        for (int i = 0; i < Items; i++)
            if (exchange::in_memory(i) < count)
                to[exchange::in_memory(i)] = own[i];
    }
};

} // namespace cub

#endif
