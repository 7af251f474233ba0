// The code of docs/profiling.md.
#include <fmt/format.h>

#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

#include "qnnpp/backend/profile.hpp"
#include "qnnpp/format.hpp"
#include "qnnpp/model/load.hpp"
#include "qnnpp/qnnpp.hpp"
#include "qnnpp/report/profile_file.hpp"
#include "qnnpp/report/trace.hpp"
#include "qnnpp/throw.hpp"

#include "../model/model_fixture.hpp"
#include "../report/trace_format.hpp"
#include "temporary_folder.hpp"

namespace support { namespace {

using namespace qnnpp;

class the_document_on_profiling : public ModelTest {};

TEST_F(the_document_on_profiling, shows_a_table_a_trace_and_a_file) {
  add_network({.name = "net"});
  const TemporaryFolder folder;
  const std::string trace_path = folder.file("run.json"), file_path = folder.file("run.bin");
  const std::string object_path = folder.file("op_trace.bin");
  const std::vector<float> pixels = Network{.name = "net"}.input();
  const Backend<Htp>& backend = this->backend();
  const RpcmemAllocator& rpcmem = allocator();
  const std::vector<model::BinarySource>& binaries = sources;

  auto profile = value_or_throw(Profile::create(backend, ProfileLevel::detailed));
  model::Trace trace;
  auto net = value_or_throw(model::load(backend, rpcmem, binaries,
                                        {.progress = trace.on_progress(), .profile = &profile}));
  auto graph = value_or_throw(net.graph("net"));
  auto bound = value_or_throw(std::move(graph).bind(rpcmem));

  value_or_throw(write_elements(bound.input<float>("x"), pixels));
  value_or_throw(bound.execute(&profile));

  fmt::print("{}", profile);

  for (const ProfileRecord& record : profile.records())
    for (const ProfileEvent& event : record.events)
      if (event.unit == c_api::profile_event_unit::object)
        std::ofstream(object_path, std::ios::binary)
            .write(reinterpret_cast<const char*>(event.object.data()),
                   static_cast<std::streamsize>(event.object.size()));

  trace.add(profile);
  trace.add_memory(net.report());
  value_or_throw(trace.write(trace_path));

  auto file = value_or_throw(ProfileFile::create(backend, file_path, "app"));
  value_or_throw(file.write(profile));
  value_or_throw(std::move(file).close());

  profile.clear();

  EXPECT_TRUE(profile.records().empty());
  EXPECT_TRUE(faults_of_trace(trace.text()).empty());
  std::FILE* const written = std::fopen(file_path.c_str(), "rb");
  ASSERT_NE(written, nullptr);
  std::fclose(written);
}

}}  // namespace support
