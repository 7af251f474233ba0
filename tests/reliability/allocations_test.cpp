// Every allocation of every public operation fails once: what is left is nothing, and the next run
// works.
#include <string>
#include <utility>
#include <vector>

#include "allocation_faults.hpp"
#include "networks.hpp"
#include "qnnpp/qnnpp.hpp"

namespace support {
namespace allocations {

using namespace qnnpp;

class allocations : public AllocationFaultsTest {
 protected:
  static BackendOptions recorded() {
    return {.library = QNNPP_RECORDER, .system_library = QNNPP_RECORDER};
  }
};

TEST_F(allocations, of_loading_a_backend) {
  fail_each_allocation(
      "Backend::load", [] { return recorded(); },
      [](BackendOptions& options) { return Backend<Htp>::load(options); });
}

}  // namespace allocations
}  // namespace support
