// Numbers of rpcmem.hpp, as the C API has them.
#pragma once

#include "qnnpp/abi/rpcmem.hpp"

#include "qnnpp/abi/check.hpp"

namespace qnnpp::c_api {

static_assert([] {
  using enum RemoteBufAttribute;
  using detail::is;
  return is(none, 0) && is(non_coherent, 2) && is(coherent, 4) && is(keep_map, 8) &&
         is(nomap, 16) && is(force_noflush, 32) && is(force_noinvalidate, 64) &&
         is(try_map_static, 128);
}());

static_assert([] {
  using enum FastrpcMapFlags;
  using detail::is;
  return is(static_, 0) && is(reserved, 1) && is(fd, 2) && is(fd_delayed, 3) && is(fd_nomap, 16);
}());

static_assert([] {
  using enum RemoteDomain;
  using detail::is;
  return is(adsp, 0) && is(mdsp, 1) && is(sdsp, 2) && is(cdsp, 3) && is(cdsp1, 4);
}());

}  // namespace qnnpp::c_api
