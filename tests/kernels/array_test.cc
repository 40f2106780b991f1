// SPDX-License-Identifier: Apache-2.0
// Tests of array ops that a comparison with TensorFlow (tests/interop/cases/ops_cases.py) cannot
// do: sharing of memory, sizes that overflow, and large moves in several threads.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <numeric>
#include <string>
#include <utility>

#include "kernels/common/tensor_rows.h"
#include "tests/kernels/kernel_runner.h"

namespace sluice::kernels {
namespace {

using ::testing::HasSubstr;

Tensor Counting(const Shape& shape) {
  Tensor t(kFloat, shape);
  std::iota(t.mutable_data<float>(), t.mutable_data<float>() + t.num_elements(), 0.0f);
  return t;
}
template <typename T>
Tensor Vec(std::vector<T> values) {
  return Tensor::Vector<T>(values);
}

TEST(ReshapeTest, SharesTheBytes) {
  const Tensor x = Counting({4, 6});
  const std::vector<std::pair<const char*, Tensor>> rows = {
      {"Reshape", Vec<int32_t>({3, -1})}, {"ExpandDims", Tensor::Scalar<int32_t>(0)}};
  for (const auto& [op, argument] : rows) {
    auto out = RunOp(op, {}, {x, argument});
    ASSERT_TRUE(out.ok()) << out.status();
    EXPECT_EQ((*out)[0].raw(), x.raw()) << op;
  }
}

TEST(SplitTest, SharesAlignedRowsOnly) {
  const Tensor x = Counting({4, 16});
  auto out = RunOp("Split", {{"num_split", int64_t{4}}}, {Tensor::Scalar<int32_t>(0), x});
  ASSERT_TRUE(out.ok()) << out.status();
  EXPECT_EQ((*out)[2].raw(), x.data<float>() + 32);
  const Tensor odd = Counting({4, 3});
  auto copied = RunOp("Split", {{"num_split", int64_t{4}}}, {Tensor::Scalar<int32_t>(0), odd});
  ASSERT_TRUE(copied.ok());
  EXPECT_NE((*copied)[1].raw(), odd.data<float>() + 3);
  EXPECT_EQ((*copied)[1].data<float>()[0], 3);
}

TEST(SliceTest, CopiesMemoryThatAVariableMayStillWrite) {
  RefPtr<RefVariable> variable = MakeRefCounted<RefVariable>(kFloat, "v");
  Tensor value(kFloat, Shape{2, 16});
  std::fill_n(value.mutable_data<float>(), 32, 1.0f);
  value.buffer()->set_guard(variable->guard);
  const void* memory = value.raw();
  auto out = RunOp("Slice", {}, {value, Vec<int32_t>({0, 0}), Vec<int32_t>({1, 16})});
  ASSERT_TRUE(out.ok());
  EXPECT_NE((*out)[0].raw(), memory);
}

TEST(TransposeTest, MovesLargeMatricesWithEveryWidth) {
  for (DType dtype : {kUint8, kHalf, kFloat, kDouble, kComplex128}) {
    auto x = RunOp("Cast", {{"DstT", dtype}}, {Counting({257, 131})});
    ASSERT_TRUE(x.ok()) << x.status();
    auto once = RunOp("Transpose", {}, {(*x)[0], Vec<int32_t>({1, 0})});
    ASSERT_TRUE(once.ok());
    EXPECT_EQ((*once)[0].shape(), (Shape{131, 257}));
    auto twice = RunOp("Transpose", {}, {(*once)[0], Vec<int32_t>({1, 0})});
    ASSERT_TRUE(twice.ok());
    EXPECT_EQ(SameTensor((*twice)[0], (*x)[0]), absl::OkStatus()) << Name(dtype);
  }
}

// Copies of more elements are made in pieces, of which the last may be shorter.
TEST(TransposeTest, MovesLongDimensions) {
  for (const Shape& shape :
       {Shape{3, 140'001}, Shape{140'001, 3}, Shape{2, 70'003, 17}, Shape{331, 40'003}}) {
    const Tensor x = Counting(shape);
    const int rank = shape.rank();
    std::vector<int32_t> perm(rank);
    std::iota(perm.begin(), perm.end(), 0);
    std::swap(perm[rank - 1], perm[rank - 2]);
    auto out = RunOp("Transpose", {}, {x, Vec<int32_t>(perm)});
    ASSERT_TRUE(out.ok()) << out.status();
    const int64_t rows = shape.dim(rank - 2), columns = shape.dim(rank - 1);
    int64_t wrong = 0;
    for (int64_t i = 0; i < x.num_elements(); ++i) {
      const int64_t matrix = i / (rows * columns), row = i / columns % rows, column = i % columns;
      const int64_t to = (matrix * columns + column) * rows + row;
      wrong += (*out)[0].data<float>()[to] != x.data<float>()[i];
    }
    EXPECT_EQ(wrong, 0) << shape.ToString();
  }
}

TEST(ReverseTest, MovesLongDimensions) {
  const Tensor x = Counting({2, 140'001});
  auto out = RunOp("ReverseV2", {}, {x, Vec<int32_t>({1})});
  ASSERT_TRUE(out.ok()) << out.status();
  int64_t wrong = 0;
  for (int64_t i = 0; i < 2; ++i) {
    for (int64_t j = 0; j < 140'001; ++j) {
      const float* row = (*out)[0].data<float>() + i * 140'001;
      wrong += row[j] != x.data<float>()[i * 140'001 + 140'000 - j];
    }
  }
  EXPECT_EQ(wrong, 0);
}

TEST(DeepCopyTest, CopiesManyStrings) {
  Tensor x(kString, Shape{10'007});
  for (int64_t i = 0; i < 10'007; ++i) x.mutable_data<std::string>()[i] = std::to_string(i);
  auto out = RunOp("DeepCopy", {}, {x});
  ASSERT_TRUE(out.ok()) << out.status();
  EXPECT_NE((*out)[0].raw(), x.raw());
  EXPECT_EQ(SameTensor((*out)[0], x), absl::OkStatus());
}

TEST(TransposeTest, HasNoGreatestRank) {
  Shape shape;
  std::vector<int32_t> perm;
  for (int d = 0; d < 12; ++d) {
    shape.AddDim(d % 3 == 0 ? 2 : 1);
    perm.push_back(11 - d);
  }
  const Tensor x = Counting(shape);
  auto once = RunOp("Transpose", {}, {x, Vec<int32_t>(perm)});
  ASSERT_TRUE(once.ok()) << once.status();
  auto twice = RunOp("Transpose", {}, {(*once)[0], Vec<int32_t>(perm)});
  ASSERT_TRUE(twice.ok());
  EXPECT_EQ(SameTensor((*twice)[0], x), absl::OkStatus());
}

TEST(GatherTest, ReportsTheFirstBadIndexWhicheverThreadFindsIt) {
  Tensor indices(kInt32, Shape{100'000});
  std::fill_n(indices.mutable_data<int32_t>(), 100'000, 1);
  indices.mutable_data<int32_t>()[70'000] = 9;
  indices.mutable_data<int32_t>()[70'001] = -1;
  indices.mutable_data<int32_t>()[99'999] = 7;
  auto out = RunOp("GatherV2", {}, {Counting({2, 8}), indices, Tensor::Scalar<int32_t>(0)});
  EXPECT_THAT(out.status().message(), HasSubstr("indices[70000] = 9 is not in [0, 2)"));
}

TEST(GatherNdTest, MayIgnoreBadIndices) {
  const Tensor indices = *Vec<int32_t>({0, 5}).Reshaped(Shape{2, 1});
  auto out = RunOp("GatherNd", {{"bad_indices_policy", "IGNORE"}}, {Vec<float>({3, 4}), indices});
  ASSERT_TRUE(out.ok()) << out.status();
  EXPECT_EQ(SameTensor((*out)[0], Vec<float>({3, 0})), absl::OkStatus());
}

struct Hostile {
  const char* op;
  AttrMap attrs;
  std::vector<Tensor> inputs;
};

// Sizes whose product, or sum, does not fit: an error, never a small allocation.
TEST(ArrayTest, SizesThatOverflowAreErrors) {
  constexpr int64_t kHuge = int64_t{1} << 40, kMost = std::numeric_limits<int64_t>::max();
  const Tensor one = Tensor::Scalar(1.0f), x = Counting({2});
  const auto pairs = [](int64_t a, int64_t b) {
    return *Vec<int64_t>({a, b}).Reshaped(Shape{1, 2});
  };
  const std::vector<Hostile> rows = {
      {"Fill", {}, {Vec<int64_t>({kHuge, kHuge}), one}},
      {"Fill", {}, {Vec<int64_t>({-1}), one}},
      {"Reshape", {}, {x, Vec<int64_t>({kHuge, kHuge})}},
      {"BroadcastTo", {}, {one, Vec<int64_t>({kHuge, kHuge})}},
      {"Tile", {}, {x, Vec<int64_t>({kMost})}},
      {"Pad", {}, {x, pairs(kMost, kMost)}},
      {"Pad", {}, {x, pairs(kMost, 0)}},
      {"MirrorPad", {{"mode", "REFLECT"}}, {x, pairs(kMost, kMost)}},
      {"MirrorPadGrad", {{"mode", "REFLECT"}}, {x, pairs(kMost, kMost)}},
      {"ScatterNd",
       {},
       {*Vec<int64_t>({0}).Reshaped(Shape{1, 1}), Counting({1}), Vec<int64_t>({kHuge, kHuge})}},
      {"OneHot", {}, {Vec<int64_t>({1}), Tensor::Scalar<int32_t>(-5), one, one}},
      {"UnsortedSegmentSum", {}, {x, Vec<int32_t>({0, 1}), Tensor::Scalar<int64_t>(-1)}},
      {"SparseToDense", {}, {Vec<int64_t>({0}), Vec<int64_t>({-4}), one, one}},
      {"StridedSliceGrad",
       {},
       {Vec<int64_t>({kHuge, kHuge}), Vec<int64_t>({0}), Vec<int64_t>({1}), Vec<int64_t>({1}), x}},
      {"SpaceToBatchND", {}, {*x.Reshaped(Shape{1, 2}), Vec<int64_t>({kMost}), pairs(0, 0)}},
      {"SpaceToBatchND", {}, {*x.Reshaped(Shape{1, 2}), Vec<int64_t>({2}), pairs(kMost, kMost)}},
      {"BatchToSpaceND", {}, {*x.Reshaped(Shape{1, 2}), Vec<int64_t>({kMost}), pairs(0, 0)}},
      {"DepthToSpace", {{"block_size", kHuge}}, {Tensor(kFloat, Shape{1, 2, 2, 0})}},
      {"SpaceToDepth", {{"block_size", kHuge}}, {Tensor(kFloat, Shape{1, 0, 0, 4})}},
      {"Range",
       {},
       {Tensor::Scalar<int64_t>(std::numeric_limits<int64_t>::min()), Tensor::Scalar(kMost),
        Tensor::Scalar<int64_t>(1)}},
      {"SegmentSum", {}, {x, Vec<int64_t>({0, kMost})}},
      {"DynamicStitch", {{"N", int64_t{1}}}, {Vec<int32_t>({-2147483647}), Counting({1})}},
  };
  for (const Hostile& row : rows) {
    auto out = RunOp(row.op, row.attrs, row.inputs);
    const bool refused = out.status().code() == absl::StatusCode::kInvalidArgument ||
                         out.status().code() == absl::StatusCode::kResourceExhausted;
    EXPECT_TRUE(refused) << row.op << ": " << out.status();
  }
}

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
  MoveIntoRow(row, 1, batch);
  EXPECT_EQ(batch.flat<std::string>()[3].data(), bytes);
  EXPECT_EQ(batch.flat<std::string>()[3], kText);
  EXPECT_EQ(batch.flat<std::string>()[1], "");
}

TEST(MoveIntoRowTest, CopiesWhatOthersReferTo) {
  const Tensor batch = Strings(Shape({2, 2}), ""), row = Strings(Shape({2}), kText);
  Tensor same = row, part = Strings(Shape({3}), kText).Rows(1, 3);
  MoveIntoRow(same, 0, batch);
  MoveIntoRow(part, 1, batch);
  for (const std::string& text : batch.flat<std::string>()) EXPECT_EQ(text, kText);
  EXPECT_EQ(row.flat<std::string>()[0], kText);
  EXPECT_EQ(part.flat<std::string>()[0], kText);
}

TEST(MoveIntoRowTest, CopiesIntoALargerRow) {
  const Tensor batch = Strings(Shape({2, 3}), "");
  Tensor row = Strings(Shape({2}), kText);
  MoveIntoRow(row, 1, batch);
  EXPECT_EQ(batch.flat<std::string>()[4], kText);
  EXPECT_EQ(batch.flat<std::string>()[5], "");
}

TEST(WithRowsTest, KeepsTheFirstRows) {
  const Tensor more = *WithRows(Strings(Shape({2, 2}), kText), 3);
  EXPECT_EQ(more.shape(), Shape({3, 2}));
  EXPECT_EQ(more.flat<std::string>()[3], kText);
  EXPECT_EQ(more.flat<std::string>()[4], "");
  const Tensor fewer = *WithRows(Tensor::Vector<int64_t>({5, 6, 7}), 2);
  EXPECT_EQ(fewer.shape(), Shape({2}));
  EXPECT_EQ(fewer.flat<int64_t>()[1], 6);
}

}  // namespace
}  // namespace sluice::kernels
