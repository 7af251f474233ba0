// The whole job of creating and destroying contexts, by qnnpp and by the plain C twin: libraries,
// deferred contexts with separate weights buffers and one spill-fill buffer, and one graph of each.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "qnnpp/qnnpp.hpp"
#include "qnnpp/throw.hpp"

#include "baseline/qnn_c.h"

namespace bench {

/// Paths of the three libraries, the binaries, and the name of the one graph of each.
struct Job {
  std::string backend;
  std::string system;
  std::string rpcmem;
  std::vector<std::string> binaries;
  std::vector<std::string> graphs;
};

/// Creates and queries a context of each binary. Throws on failure.
inline std::vector<qnnpp::Context<qnnpp::Queried>> query(const qnnpp::Backend<qnnpp::Htp>& backend,
                                                         const std::vector<std::string>& binaries) {
  using namespace qnnpp;
  std::vector<Context<Queried>> queried;
  queried.reserve(binaries.size());
  for (const std::string& path : binaries)
    queried.push_back(value_or_throw(ContextBinary::map(path)
                                         .and_then([&](ContextBinary binary) {
                                           return Context<Deferred>::create(backend,
                                                                            std::move(binary));
                                         })
                                         .and_then(transition::query)));
  return queried;
}

/// Does the job by qnnpp. Throws on failure.
inline void run_job(const Job& job) {
  using namespace qnnpp;
  const auto backend =
      value_or_throw(Backend<Htp>::load({.library = job.backend, .system_library = job.system}));
  const auto rpcmem = value_or_throw(RpcmemAllocator::load(job.rpcmem));
  std::vector<Context<Queried>> queried = query(backend, job.binaries);
  const auto spill_fill = value_or_throw(SharedSpillFill::allocate(rpcmem, queried));
  std::vector<Context<Finalized>> contexts;
  contexts.reserve(queried.size());
  for (Context<Queried>& context : queried) {
    auto weights = value_or_throw(MemRegion<Weights>::allocate(rpcmem, context.requirements()));
    contexts.push_back(value_or_throw(
        std::move(context)
            .register_buffers({.weights = std::move(weights), .spill_fill = spill_fill})
            .and_then(transition::finalize)));
  }
  std::vector<Graph<Retrieved>> graphs;
  graphs.reserve(contexts.size());
  for (std::size_t i = 0; i < contexts.size(); ++i)
    graphs.push_back(value_or_throw(Graph<Retrieved>::retrieve(contexts[i], job.graphs[i])));
}

/// Does the job by the C twin. Returns 0 or the code of the failed call.
[[nodiscard]] inline int run_job_c(const Job& job) {
  std::vector<const char*> paths;
  for (const std::string& path : job.binaries) paths.push_back(path.c_str());
  std::vector<c_graph> graphs(paths.size());
  c_device device;
  c_model model;
  if (const int code =
          c_device_open(&device, job.backend.c_str(), job.system.c_str(), job.rpcmem.c_str());
      code != 0)
    return code;
  int code = c_model_load(&model, &device, paths.data(), paths.size());
  if (code == 0) {
    for (std::size_t i = 0; i < paths.size() && code == 0; ++i)
      code = c_graph_retrieve(&graphs[i], &model, i, job.graphs[i].c_str());
    c_model_free(&model);
  }
  c_device_close(&device);
  return code;
}

}  // namespace bench
