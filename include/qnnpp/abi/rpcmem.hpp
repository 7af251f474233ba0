// rpcmem and FastRPC: the functions of libcdsprpc that share memory with the DSP.
//
// The library exports the functions under the C names in the comments. Every build has
// rpcmem_alloc, rpcmem_free and rpcmem_to_fd; a vendor's build may lack any of the others, so look
// each of them up before use.
#pragma once

#include "qnnpp/platform.hpp"

#include <cstddef>
#include <cstdint>

namespace qnnpp::c_api {

/// Name of the library, in /vendor/lib64 on Android.
inline constexpr const char* rpcmem_library = "libcdsprpc.so";
/// Name of the library on Windows, in the DriverStore folder of the NPU's driver.
inline constexpr const char* rpcmem_library_windows = "libcdsprpc.dll";

// Heaps. Linux has one heap, and all ids select it. C: RPCMEM_HEAP_ID_...
inline constexpr int rpcmem_heap_id_secure = 9;   ///< Memory for secure process domains.
inline constexpr int rpcmem_heap_id_contig = 22;  ///< Contiguous physical memory.
inline constexpr int rpcmem_heap_id_system = 25;  ///< The usual heap.

// Flags. C: RPCMEM_...
inline constexpr std::uint32_t rpcmem_flag_uncached = 0;  ///< Not cached by the CPU.
inline constexpr std::uint32_t rpcmem_flag_cached = 1;    ///< Cached by the CPU.
inline constexpr std::uint32_t rpcmem_default_flags = 1;  ///< Cached.
/// Maps the memory into the DSP at allocation, if possible.
inline constexpr std::uint32_t rpcmem_try_map_static = 0x04000000;

/// Initializes rpcmem; not thread-safe. Usually not needed: the library calls it when it is loaded.
/// C: rpcmem_init.
using RpcmemInitFn = void (*)();

/// Reverts rpcmem_init. C: rpcmem_deinit.
using RpcmemDeinitFn = void (*)();

/// Allocates less than 2 GiB. Returns NULL on failure; some libraries return (void*)-1 (ALC-02).
/// Free the memory with rpcmem_free. C: rpcmem_alloc.
using RpcmemAllocFn = void* (*)(int heap_id, std::uint32_t flags, int size_bytes);

/// Allocates memory with a 64-bit size (ALC-01). Older libraries lack this function.
/// C: rpcmem_alloc2.
using RpcmemAlloc2Fn = void* (*)(int heap_id, std::uint32_t flags, std::size_t size_bytes);

/// Frees an allocation. Deregister it from all contexts first. Ignores other addresses.
/// C: rpcmem_free.
using RpcmemFreeFn = void (*)(void* start);

/// Returns the fd of an allocation, which rpcmem owns; -1 if `start` is not the start of an
/// allocation (ALC-02). C: rpcmem_to_fd.
using RpcmemToFdFn = int (*)(void* start);

/// Registers memory of less than 2 GiB with FastRPC. An fd of -1 with the same size deregisters it.
/// C: remote_register_buf.
using RemoteRegisterBufFn = void (*)(void* start, int size_bytes, int fd);

/// Registers memory, as remote_register_buf does, with attributes: RemoteBufAttribute values
/// combined by or. C: remote_register_buf_attr.
using RemoteRegisterBufAttrFn = void (*)(void* start, int size_bytes, int fd, int attributes);

/// Registers memory, as remote_register_buf_attr does, with a 64-bit size.
/// C: remote_register_buf_attr2.
using RemoteRegisterBufAttr2Fn = void (*)(void* start, std::size_t size_bytes, int fd,
                                          int attributes);

/// Maps an fd and registers it with FastRPC. Returns (void*)-1 on failure. C: remote_register_fd.
using RemoteRegisterFdFn = void* (*)(int fd, int size_bytes);

/// Maps and registers an fd, as remote_register_fd does, with a 64-bit size.
/// C: remote_register_fd2.
using RemoteRegisterFd2Fn = void* (*)(int fd, std::size_t size_bytes);

/// Registers a DMA handle with FastRPC. Returns 0 on success. C: remote_register_dma_handle.
using RemoteRegisterDmaHandleFn = int (*)(int fd, std::uint32_t size_bytes);

/// Registers a DMA handle, as remote_register_dma_handle does, with attributes.
/// C: remote_register_dma_handle_attr.
using RemoteRegisterDmaHandleAttrFn = int (*)(int fd, std::uint32_t size_bytes,
                                              std::uint32_t attributes);

/// Attributes of registered memory, combined by or. C: FASTRPC_ATTR_...
enum class RemoteBufAttribute : std::uint32_t {
  none = 0,                 ///< No attributes.
  non_coherent = 2,         ///< Not kept coherent with the DSP.
  coherent = 4,             ///< Kept coherent with the DSP.
  keep_map = 8,             ///< Stays mapped between calls.
  nomap = 16,               ///< Is not mapped into the DSP.
  force_noflush = 32,       ///< Is not flushed before a call.
  force_noinvalidate = 64,  ///< Is not invalidated after a call.
  try_map_static = 128,     ///< Is mapped at registration, if possible.
};

/// Mapping mode of fastrpc_mmap. C: enum fastrpc_map_flags, FASTRPC_MAP_...
enum class FastrpcMapFlags : std::uint32_t {
  static_ = 0,     ///< Maps at once; unmapped when the session ends.
  reserved = 1,    ///< Not used.
  fd = 2,          ///< Maps at once; unmapped by fastrpc_munmap.
  fd_delayed = 3,  ///< Maps at the first use; unmapped by fastrpc_munmap.
  fd_nomap = 16,   ///< Registers without mapping.
};

/// DSPs of a chip. C: ..._DOMAIN_ID.
enum class RemoteDomain : std::uint32_t {
  adsp = 0,   ///< Audio.
  mdsp = 1,   ///< Modem.
  sdsp = 2,   ///< Sensors.
  cdsp = 3,   ///< Compute: the HTP.
  cdsp1 = 4,  ///< Second compute DSP.
};

/// Maps an fd into a DSP; offset is 0. Returns 0 on success. Do not map memory that is registered
/// with QNN as weights or spill-fill (BUF-04). C: fastrpc_mmap.
using FastrpcMmapFn = int (*)(RemoteDomain domain, int fd, void* start, int offset,
                              std::size_t size_bytes, FastrpcMapFlags flags);

/// Unmaps memory; call it before the fd is closed. Returns 0 on success. C: fastrpc_munmap.
using FastrpcMunmapFn = int (*)(RemoteDomain domain, int fd, void* start, std::size_t size_bytes);

}  // namespace qnnpp::c_api
