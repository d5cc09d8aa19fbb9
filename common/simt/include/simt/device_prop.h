/* SPDX-License-Identifier: MIT */
/*
 * device_prop.h - the properties of a device, for C11 and C++. The numbers of the attributes are
 * those of CUDA 13.
 */
#ifndef SIMT_DEVICE_PROP_H
#define SIMT_DEVICE_PROP_H

#include <stddef.h>

/* Each attribute of a device: its name, its number, and the property that it is the value of. */
#define SIMT_DEVICE_ATTRIBUTES(X)                                                                  \
    X(MaxThreadsPerBlock, 1, maxThreadsPerBlock)                                                   \
    X(MaxBlockDimX, 2, maxThreadsDim[0])                                                           \
    X(MaxBlockDimY, 3, maxThreadsDim[1])                                                           \
    X(MaxBlockDimZ, 4, maxThreadsDim[2])                                                           \
    X(MaxGridDimX, 5, maxGridSize[0])                                                              \
    X(MaxGridDimY, 6, maxGridSize[1])                                                              \
    X(MaxGridDimZ, 7, maxGridSize[2])                                                              \
    X(MaxSharedMemoryPerBlock, 8, sharedMemPerBlock)                                               \
    X(TotalConstantMemory, 9, totalConstMem)                                                       \
    X(WarpSize, 10, warpSize)                                                                      \
    X(MaxPitch, 11, memPitch)                                                                      \
    X(MaxRegistersPerBlock, 12, regsPerBlock)                                                      \
    X(ClockRate, 13, clockRate)                                                                    \
    X(TextureAlignment, 14, textureAlignment)                                                      \
    X(GpuOverlap, 15, deviceOverlap)                                                               \
    X(MultiProcessorCount, 16, multiProcessorCount)                                                \
    X(KernelExecTimeout, 17, kernelExecTimeoutEnabled)                                             \
    X(Integrated, 18, integrated)                                                                  \
    X(CanMapHostMemory, 19, canMapHostMemory)                                                      \
    X(ComputeMode, 20, computeMode)                                                                \
    X(ConcurrentKernels, 31, concurrentKernels)                                                    \
    X(EccEnabled, 32, ECCEnabled)                                                                  \
    X(PciBusId, 33, pciBusID)                                                                      \
    X(PciDeviceId, 34, pciDeviceID)                                                                \
    X(TccDriver, 35, tccDriver)                                                                    \
    X(MemoryClockRate, 36, memoryClockRate)                                                        \
    X(GlobalMemoryBusWidth, 37, memoryBusWidth)                                                    \
    X(L2CacheSize, 38, l2CacheSize)                                                                \
    X(MaxThreadsPerMultiProcessor, 39, maxThreadsPerMultiProcessor)                                \
    X(AsyncEngineCount, 40, asyncEngineCount)                                                      \
    X(UnifiedAddressing, 41, unifiedAddressing)                                                    \
    X(PciDomainId, 50, pciDomainID)                                                                \
    X(ComputeCapabilityMajor, 75, major)                                                           \
    X(ComputeCapabilityMinor, 76, minor)                                                           \
    X(StreamPrioritiesSupported, 78, streamPrioritiesSupported)                                    \
    X(GlobalL1CacheSupported, 79, globalL1CacheSupported)                                          \
    X(LocalL1CacheSupported, 80, localL1CacheSupported)                                            \
    X(MaxSharedMemoryPerMultiprocessor, 81, sharedMemPerMultiprocessor)                            \
    X(MaxRegistersPerMultiprocessor, 82, regsPerMultiprocessor)                                    \
    X(ManagedMemory, 83, managedMemory)                                                            \
    X(IsMultiGpuBoard, 84, isMultiGpuBoard)                                                        \
    X(MultiGpuBoardGroupID, 85, multiGpuBoardGroupID)                                              \
    X(HostNativeAtomicSupported, 86, hostNativeAtomicSupported)                                    \
    X(SingleToDoublePrecisionPerfRatio, 87, singleToDoublePrecisionPerfRatio)                      \
    X(PageableMemoryAccess, 88, pageableMemoryAccess)                                              \
    X(ConcurrentManagedAccess, 89, concurrentManagedAccess)                                        \
    X(ComputePreemptionSupported, 90, computePreemptionSupported)                                  \
    X(CanUseHostPointerForRegisteredMem, 91, canUseHostPointerForRegisteredMem)                    \
    X(CooperativeLaunch, 95, cooperativeLaunch)                                                    \
    X(MaxSharedMemoryPerBlockOptin, 97, sharedMemPerBlockOptin)                                    \
    X(HostRegisterSupported, 99, hostRegisterSupported)                                            \
    X(PageableMemoryAccessUsesHostPageTables, 100, pageableMemoryAccessUsesHostPageTables)         \
    X(DirectManagedMemAccessFromHost, 101, directManagedMemAccessFromHost)                         \
    X(MaxBlocksPerMultiprocessor, 106, maxBlocksPerMultiProcessor)                                 \
    X(MaxPersistingL2CacheSize, 108, persistingL2CacheMaxSize)                                     \
    X(MaxAccessPolicyWindowSize, 109, accessPolicyMaxWindowSize)                                   \
    X(ReservedSharedMemoryPerBlock, 111, reservedSharedMemPerBlock)                                \
    X(MemoryPoolsSupported, 115, memoryPoolsSupported)                                             \
    X(ClusterLaunch, 120, clusterLaunch)

enum cudaDeviceAttr {
#define SIMT_ATTRIBUTE(name, number, property) cudaDevAttr##name = (number),
    SIMT_DEVICE_ATTRIBUTES(SIMT_ATTRIBUTE)
#undef SIMT_ATTRIBUTE
};

/* Between two devices; there is one. */
enum cudaDeviceP2PAttr {
    cudaDevP2PAttrPerformanceRank = 1,
    cudaDevP2PAttrAccessSupported = 2,
    cudaDevP2PAttrNativeAtomicSupported = 3,
    cudaDevP2PAttrCudaArrayAccessSupported = 4
};

typedef struct CUuuid_st {
    char bytes[16];
} CUuuid;
typedef CUuuid cudaUUID_t;

/* With the members that CUDA 13 has dropped, such as clockRate. */
struct cudaDeviceProp {
    char name[256];
    cudaUUID_t uuid;
    char luid[8];
    unsigned int luidDeviceNodeMask;
    size_t totalGlobalMem;
    size_t sharedMemPerBlock;
    int regsPerBlock;
    int warpSize;
    size_t memPitch;
    int maxThreadsPerBlock;
    int maxThreadsDim[3];
    int maxGridSize[3];
    size_t totalConstMem;
    int clockRate; /* kHz */
    int major;
    int minor;
    size_t textureAlignment;
    size_t texturePitchAlignment;
    int deviceOverlap;
    int multiProcessorCount;
    int kernelExecTimeoutEnabled;
    int integrated;
    int canMapHostMemory;
    int computeMode;
    int maxTexture1D;
    int maxTexture2D[2];
    int maxTexture3D[3];
    int maxTexture1DLayered[2];
    int maxTexture2DLayered[3];
    size_t surfaceAlignment;
    int concurrentKernels;
    int ECCEnabled;
    int pciBusID;
    int pciDeviceID;
    int pciDomainID;
    int tccDriver;
    int asyncEngineCount;
    int unifiedAddressing;
    int memoryClockRate;
    int memoryBusWidth;
    int l2CacheSize;
    int persistingL2CacheMaxSize;
    int maxThreadsPerMultiProcessor;
    int streamPrioritiesSupported;
    int globalL1CacheSupported;
    int localL1CacheSupported;
    size_t sharedMemPerMultiprocessor;
    int regsPerMultiprocessor;
    int managedMemory;
    int isMultiGpuBoard;
    int multiGpuBoardGroupID;
    int hostNativeAtomicSupported;
    int singleToDoublePrecisionPerfRatio;
    int pageableMemoryAccess;
    int concurrentManagedAccess;
    int computePreemptionSupported;
    int canUseHostPointerForRegisteredMem;
    int cooperativeLaunch;
    int cooperativeMultiDeviceLaunch;
    size_t sharedMemPerBlockOptin;
    int pageableMemoryAccessUsesHostPageTables;
    int directManagedMemAccessFromHost;
    int maxBlocksPerMultiProcessor;
    int accessPolicyMaxWindowSize;
    size_t reservedSharedMemPerBlock;
    int hostRegisterSupported;
    int memoryPoolsSupported;
    int ipcEventSupported;
    int clusterLaunch;
    int unifiedFunctionPointers;
};

#endif
