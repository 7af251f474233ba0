// Every allocation of adopting and releasing C objects fails once. Nothing is left, what the
// program keeps is not freed, and the next run works.
#include <cstddef>
#include <span>
#include <string>
#include <utility>

#include "allocations.hpp"
#include "by_hand.hpp"

namespace support::allocations { namespace {

using namespace qnnpp;

class allocations_of_adopting : public AllocationTest {
 protected:
  /// C objects, which the program frees in the end.
  struct Objects : ByHand {
    explicit Objects(std::span<const std::byte> binary) : ByHand(provider_of(QNNPP_RECORDER)) {
      must(create());
      must(restore(binary));
    }
    Objects(Objects&& other) noexcept : ByHand(std::exchange<ByHand>(other, ByHand(nullptr))) {}
    Objects& operator=(Objects&&) = delete;
    ~Objects() {
      if (provider != nullptr) free();
    }
  };
  Objects objects() const { return Objects(bytes()); }

  static Result<Backend<Htp>> adopted(const Objects& from, Ownership ownership) {
    return Backend<Htp>::adopt(from.provider, from.handles, ownership,
                               {.system_library = QNNPP_RECORDER});
  }
  Result<Context<Finalized>> adopted(const Backend<Htp>& backend, const Objects& from,
                                     Ownership ownership) const {
    return Context<Finalized>::adopt(
        backend, from.context, ownership,
        {.name = "a name that is longer than any small buffer", .binary = bytes()});
  }
};

TEST_F(allocations_of_adopting, fail_while_a_backend_is_adopted_and_released) {
  each(
      "Backend::adopt, borrowed", [&] { return objects(); },
      [](const Objects& from) { return adopted(from, Ownership::borrowed); });
  each(
      "Backend::adopt, owned, and release", [&] { return objects(); },
      [](const Objects& from) {
        return adopted(from, Ownership::owned).and_then([](Backend<Htp> backend) {
          return std::move(backend).release();
        });
      });
  each(
      "Backend::adopt, a handle that is taken", [&] { return objects(); },
      [](const Objects& from) {
        const auto first = adopted(from, Ownership::borrowed);
        return first ? adopted(from, Ownership::owned).error().message() : std::string();
      });
  each(
      "Backend::adopt, a null handle", [&] { return objects(); },
      [](const Objects& from) {
        return Backend<Htp>::adopt(from.provider, {}, Ownership::owned).error().message();
      });
}

TEST_F(allocations_of_adopting, fail_while_a_context_is_adopted_and_released) {
  each(
      "Context::adopt and release", [&] { return objects(); },
      [&](const Objects& from) {
        return adopted(from, Ownership::borrowed)
            .and_then([&](const Backend<Htp>& backend) {
              return adopted(backend, from, Ownership::owned);
            })
            .and_then([](Context<Finalized> context) { return std::move(context).release(); });
      });
  each(
      "Context::adopt, and a release while a graph lives", [&] { return objects(); },
      [&](const Objects& from) {
        return adopted(from, Ownership::borrowed)
            .and_then([&](const Backend<Htp>& backend) {
              return adopted(backend, from, Ownership::borrowed);
            })
            .and_then([](Context<Finalized> context) -> Result<std::string> {
              const auto graph = Graph<Retrieved>::retrieve(context, context.graphs()[0].name);
              if (!graph) return fail(graph.error());
              return std::move(context).release().error().message();
            });
      });
}

}}  // namespace support::allocations
