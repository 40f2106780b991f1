// SPDX-License-Identifier: Apache-2.0
#include "kernels/common/tensor_rows.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "core/tensor/allocator.h"

namespace sluice::kernels {
namespace {

constexpr char kText[] = "a text that no string keeps within itself";

Tensor Strings(Shape shape, const std::string& value) {
  Tensor made = *Tensor::Allocate(CpuAllocator(), kString, shape);
  for (std::string& text : made.mutable_flat<std::string>()) text = value;
  return made;
}

TEST(MoveIntoRowTest, MovesWhatNobodyElseRefersTo) {
  const Tensor batch = Strings(Shape({3, 2}), "");
  Tensor row = Strings(Shape({2}), kText);
  const char* const bytes = row.flat<std::string>()[1].data();
  MoveIntoRow(std::move(row), 1, batch);
  EXPECT_EQ(batch.flat<std::string>()[3].data(), bytes);
  EXPECT_EQ(batch.flat<std::string>()[3], kText);
  EXPECT_EQ(batch.flat<std::string>()[1], "");
}

TEST(MoveIntoRowTest, CopiesWhatOthersReferTo) {
  const Tensor batch = Strings(Shape({2, 2}), ""), row = Strings(Shape({2}), kText);
  MoveIntoRow(row, 0, batch);
  EXPECT_EQ(batch.flat<std::string>()[0], kText);
  EXPECT_EQ(row.flat<std::string>()[0], kText);
}

TEST(MoveIntoRowTest, CopiesIntoALargerRow) {
  const Tensor batch = Strings(Shape({2, 3}), "");
  MoveIntoRow(Strings(Shape({2}), kText), 1, batch);
  EXPECT_EQ(batch.flat<std::string>()[4], kText);
  EXPECT_EQ(batch.flat<std::string>()[5], "");
}

}  // namespace
}  // namespace sluice::kernels
