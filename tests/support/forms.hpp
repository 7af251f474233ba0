// Forms of tensor memory, for tests that run with each of them.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <type_traits>

#include "qnnpp/core/states.hpp"

namespace support {

/// Arguments of TYPED_TEST_SUITE(suite, Forms, FormNames).
using Forms = testing::Types<qnnpp::PerTensor, qnnpp::DmaBuf, qnnpp::MultiTensor>;
struct FormNames {
  template <class Form>
  static std::string GetName(int) {
    return std::is_same_v<Form, qnnpp::PerTensor> ? "per_tensor"
           : std::is_same_v<Form, qnnpp::DmaBuf>  ? "dma_buf"
                                                  : "multi_tensor";
  }
};

}  // namespace support
