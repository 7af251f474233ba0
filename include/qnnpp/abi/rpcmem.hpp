// rpcmem and FastRPC: the functions of libcdsprpc by which memory is shared with the DSP.
//
// The library exports them under the names in the comments; a vendor's build may lack any of them
// but rpcmem_alloc, rpcmem_free and rpcmem_to_fd, so each is looked up before it is used.
#pragma once

#include "qnnpp/platform.hpp"

#include <cstddef>
#include <cstdint>

namespace qnnpp::c_api {

/// Name of the library, in /vendor/lib64 on Android.
inline constexpr const char* rpcmem_library = "libcdsprpc.so";
/// Name of the library on Windows, in the DriverStore folder of the NPU's driver.
inline constexpr const char* rpcmem_library_windows = "libcdsprpc.dll";

// Heaps. Linux has one heap and takes any of them for it. C: RPCMEM_HEAP_ID_...
inline constexpr int rpcmem_heap_id_secure = 9;   ///< Memory of secure process domains.
inline constexpr int rpcmem_heap_id_contig = 22;  ///< Contiguous physical memory.
inline constexpr int rpcmem_heap_id_system = 25;  ///< The usual one.

// Flags. C: RPCMEM_...
inline constexpr std::uint32_t rpcmem_flag_uncached = 0;  ///< Not cached by the CPU.
inline constexpr std::uint32_t rpcmem_flag_cached = 1;    ///< Cached by the CPU.
inline constexpr std::uint32_t rpcmem_default_flags = 1;  ///< Cached.
/// Maps into the DSP at once, where that can be done.
inline constexpr std::uint32_t rpcmem_try_map_static = 0x04000000;

/// Prepares rpcmem; not thread-safe. Not needed when the library is loaded, which does it itself.
/// C: rpcmem_init.
using RpcmemInitFn = void (*)();

/// Undoes rpcmem_init. C: rpcmem_deinit.
using RpcmemDeinitFn = void (*)();

/// Allocates less than 2 GiB. A failure is NULL or, from some libraries, (void*)-1 (ALC-02). Free
/// with rpcmem_free. C: rpcmem_alloc.
using RpcmemAllocFn = void* (*)(int heap_id, std::uint32_t flags, int size_bytes);

/// Allocates; 64-bit sizes (ALC-01). Missing in older libraries. C: rpcmem_alloc2.
using RpcmemAlloc2Fn = void* (*)(int heap_id, std::uint32_t flags, std::size_t size_bytes);

/// Frees what was allocated, after it was deregistered everywhere; other addresses are ignored.
/// C: rpcmem_free.
using RpcmemFreeFn = void (*)(void* start);

/// The fd of an allocation, which stays rpcmem's; -1 if start is not the start of one (ALC-02).
/// C: rpcmem_to_fd.
using RpcmemToFdFn = int (*)(void* start);

/// Makes memory known to FastRPC, under 2 GiB; an fd of -1 takes it back, with the same size.
/// C: remote_register_buf.
using RemoteRegisterBufFn = void (*)(void* start, int size_bytes, int fd);

/// remote_register_buf with attributes: an or of RemoteBufAttribute. C: remote_register_buf_attr.
using RemoteRegisterBufAttrFn = void (*)(void* start, int size_bytes, int fd, int attributes);

/// remote_register_buf_attr with 64-bit sizes. C: remote_register_buf_attr2.
using RemoteRegisterBufAttr2Fn = void (*)(void* start, std::size_t size_bytes, int fd,
                                          int attributes);

/// Maps an fd and makes it known; (void*)-1 is a failure. C: remote_register_fd.
using RemoteRegisterFdFn = void* (*)(int fd, int size_bytes);

/// remote_register_fd with 64-bit sizes. C: remote_register_fd2.
using RemoteRegisterFd2Fn = void* (*)(int fd, std::size_t size_bytes);

/// Makes a DMA handle known; 0 is success. C: remote_register_dma_handle.
using RemoteRegisterDmaHandleFn = int (*)(int fd, std::uint32_t size_bytes);

/// remote_register_dma_handle with attributes. C: remote_register_dma_handle_attr.
using RemoteRegisterDmaHandleAttrFn = int (*)(int fd, std::uint32_t size_bytes,
                                              std::uint32_t attributes);

/// Attributes of registered memory, to be or-ed. C: FASTRPC_ATTR_...
enum class RemoteBufAttribute : std::uint32_t {
  none = 0,
  non_coherent = 2,         ///< Not kept coherent with the DSP.
  coherent = 4,             ///< Kept coherent with the DSP.
  keep_map = 8,             ///< Stays mapped between calls.
  nomap = 16,               ///< Is not mapped into the DSP.
  force_noflush = 32,       ///< Is not flushed before a call.
  force_noinvalidate = 64,  ///< Is not invalidated after a call.
  try_map_static = 128,     ///< Is mapped at once, where that can be done.
};

/// How fastrpc_mmap maps. C: enum fastrpc_map_flags, FASTRPC_MAP_...
enum class FastrpcMapFlags : std::uint32_t {
  static_ = 0,  ///< At once; unmapped when the session ends.
  reserved = 1,
  fd = 2,          ///< At once; unmapped by fastrpc_munmap.
  fd_delayed = 3,  ///< At the first use; unmapped by fastrpc_munmap.
  fd_nomap = 16,   ///< Known, but not mapped.
};

/// The DSPs of a chip. C: ..._DOMAIN_ID.
enum class RemoteDomain : std::uint32_t {
  adsp = 0,   ///< Audio.
  mdsp = 1,   ///< Modem.
  sdsp = 2,   ///< Sensors.
  cdsp = 3,   ///< Compute: the HTP.
  cdsp1 = 4,  ///< A second one.
};

/// Maps an fd into a DSP; offset is 0. 0 is success. Not for memory that QNN gets as weights or
/// spill-fill (BUF-04). C: fastrpc_mmap.
using FastrpcMmapFn = int (*)(RemoteDomain domain, int fd, void* start, int offset,
                              std::size_t size_bytes, FastrpcMapFlags flags);

/// Unmaps, before the fd is closed. 0 is success. C: fastrpc_munmap.
using FastrpcMunmapFn = int (*)(RemoteDomain domain, int fd, void* start, std::size_t size_bytes);

}  // namespace qnnpp::c_api
