// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "graph/import.h"
#include "graph/shape_inference.h"
#include "tests/graph/graph_text.h"

namespace sluice::graph {
namespace {

// The shape of output `output` of `statement`. a and b are sparse tensors of 5 and 4 values and
// rank 2, x is [3, 4], p [?, 7, 6, 3].
std::string ShapeOf(const std::string& statement, int output = 0) {
  auto graph = FromText(R"(
      ai = Placeholder[dtype=int64, shape=[5, 2]] ; av = Placeholder[dtype=float, shape=[5]]
      as = Placeholder[dtype=int64, shape=[2]]
      bi = Placeholder[dtype=int64, shape=[4, 2]] ; bv = Placeholder[dtype=float, shape=[4]]
      bs = Placeholder[dtype=int64, shape=[2]] ; zero = Placeholder[dtype=float, shape=[]]
      x = Placeholder[dtype=float, shape=[3, 4]] ; p = Placeholder[dtype=float, shape=[?, 7, 6, 3]]
      ids = Placeholder[dtype=int64, shape=[?, 2]] ; one = Const(1)
      at = Placeholder[dtype=int32, shape=[?, 2]] ; rows = Placeholder[dtype=int32, shape=[]] ; six = Const(6) ; ni = Pack(rows, six)
      result = )" + statement);
  auto shapes = InferShapes(*graph);
  if (!shapes.ok()) return std::string(shapes.status().message());
  return (*shapes)[graph->Find("result")->id()][output].ToString();
}

TEST(SparseShapesTest, FollowTheOp) {
  EXPECT_EQ(ShapeOf("SparseReorder(ai, av, as)"), "[5,2]");
  EXPECT_EQ(ShapeOf("SparseAdd(ai, av, as, bi, bv, bs, zero)"), "[?,2]");
  EXPECT_EQ(ShapeOf("SparseAdd(ai, av, as, bi, bv, bs, zero)", 1), "[?]");
  EXPECT_EQ(ShapeOf("SparseDenseCwiseMul(ai, av, as, x)"), "[5]");
  EXPECT_EQ(ShapeOf("SparseTensorDenseMatMul(ai, av, as, x)"), "[?,4]");
  EXPECT_EQ(ShapeOf("SparseTensorDenseMatMul[adjoint_b=true](ai, av, as, x)"), "[?,3]");
  EXPECT_EQ(ShapeOf("SparseFillEmptyRows(ai, av, as, zero)"), "[?,2]");
  EXPECT_EQ(ShapeOf("SparseFillEmptyRows(ai, av, as, zero)", 3), "[5]");
  EXPECT_EQ(ShapeOf("SerializeSparse(ai, av, as)"), "[3]");
  EXPECT_EQ(ShapeOf("SparseToDense(at, ni, zero, zero)"), "[?,6]");
  EXPECT_THAT(ShapeOf("SparseReorder(ai, x, as)"), testing::HasSubstr("rank 1"));
}

TEST(SparseShapesTest, FollowTheAttributes) {
  const std::string sampler =
      "UniformCandidateSampler[num_true=2, num_sampled=9, unique=true, range_max=50](ids)";
  EXPECT_EQ(ShapeOf(sampler), "[9]");
  EXPECT_EQ(ShapeOf(sampler, 1), "[?,2]");
  EXPECT_EQ(ShapeOf("ExtractImagePatches[ksizes=[1, 3, 2, 1], strides=[1, 2, 1, 1], "
                    "rates=[1, 1, 2, 1], padding=\"VALID\"](p)"),
            "[?,3,4,18]");
  EXPECT_EQ(ShapeOf("ExtractImagePatches[ksizes=[1, 3, 2, 1], strides=[1, 2, 5, 1], "
                    "rates=[1, 1, 2, 1], padding=\"SAME\"](p)"),
            "[?,4,2,18]");
  EXPECT_EQ(ShapeOf("ExtractImagePatches[ksizes=[1, 9, 7, 1], strides=[1, 2, 1, 1], "
                    "rates=[1, 1, 1, 1], padding=\"VALID\"](p)"),
            "[?,0,0,189]");
  EXPECT_EQ(ShapeOf("Roll(x, one, one)"), "[3,4]");
}

}  // namespace
}  // namespace sluice::graph
