// SPDX-License-Identifier: Apache-2.0
#include "core/tensor/copy_bytes.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>

namespace sluice {
namespace {

// Sizes near the limit for bypassing the caches, at every offset within a cache line.
TEST(CopyBytesTest, CopiesExactlyTheGivenBytes) {
  constexpr size_t kLarge = 8 << 20;
  std::string from(kLarge + 256, '\0');
  for (size_t i = 0; i < from.size(); ++i) from[i] = static_cast<char>(i * 131 >> 3);
  for (const size_t bytes : {size_t{0}, size_t{1}, size_t{4097}, kLarge - 1, kLarge, kLarge + 77}) {
    for (const size_t shift : {0, 1, 17, 63}) {
      std::string to(bytes + 128, '!');
      CopyBytes(to.data() + shift, from.data() + 63 - shift, bytes);
      EXPECT_EQ(std::memcmp(to.data() + shift, from.data() + 63 - shift, bytes), 0) << bytes;
      EXPECT_EQ(to.substr(0, shift) + to.substr(shift + bytes), std::string(128, '!')) << bytes;
    }
  }
}

}  // namespace
}  // namespace sluice
