// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "absl/strings/match.h"
#include "graph/all_ops.h"
#include "graph/import.h"
#include "graph/shape_inference.h"
#include "tests/graph/graph_text.h"
#include "tests/graph/tf_programs.h"

namespace sluice::graph {
namespace {

using testing::HasSubstr;

// The shape of the output called `name` ("n" or "n:1") of a graph in text.
std::string ShapeIn(const std::string& text, absl::string_view name) {
  auto graph = FromText(text);
  auto shapes = InferShapes(*graph);
  if (!shapes.ok()) return std::string(shapes.status().message());
  auto tensor = ParseTensorName(name).value();
  return (*shapes)[graph->Find(tensor.node)->id()][tensor.output].ToString();
}

// The shape of `statement`'s first output; x is [?, 4], y [3, 4], z [2, 3, 4], u of unknown rank, v
// a vector of unknown size.
std::string ShapeOf(const std::string& statement) {
  return ShapeIn(R"(
      x = Placeholder[dtype=float, shape=[?, 4]] ; y = Placeholder[dtype=float, shape=[3, 4]]
      z = Placeholder[dtype=float, shape=[2, 3, 4]] ; u = Placeholder[dtype=float] ; v = Placeholder[dtype=float, shape=[?]]
      zero = Const(0) ; one = Const(1) ; minus = Const(-1) ; n = Placeholder[dtype=int32, shape=[]]
      result = )" + statement,
                 "result");
}

TEST(ShapesTest, FollowTheOp) {
  const std::pair<const char*, const char*> cases[] = {
      {"Neg(x)", "[?,4]"},
      {"Add(x, y)", "[3,4]"},
      {"Add(x, z)", "[2,3,4]"},
      {"Add(u, y)", "<unknown>"},
      {"Add(v, y)", "[3,4]"},
      {"MatMul[transpose_b=true](x, y)", "[?,3]"},
      {"Svd(z)", "[2,3]"},
      {"Svd(x)", "[?]"},
      {"Qr(z)", "[2,3,3]"},
      {"Betainc(x, y, y)", "[3,4]"},
      {"Sum(z, one)", "[2,4]"},
      {"Sum[keep_dims=true](z, minus)", "[2,3,1]"},
      {"Sum(z, n)", "<unknown>"},
      {"ArgMax(z, one)", "[2,4]"},
      {"ExpandDims(x, minus)", "[?,4,1]"},
      {"ExpandDims(x, n)", "[?,?,?]"},
      {"ConcatV2(x, y, zero)", "[?,4]"},
      {"ConcatV2(z, z, one)", "[2,6,4]"},
      {"Pack[axis=-1](y, y)", "[3,4,2]"},
      {"GatherV2(y, n, one)", "[3]"},
      {"Where(z)", "[?,3]"},
      {"Shape(z)", "[3]"},
      {"Shape(u)", "[?]"},
      {"OneHot[T=float](n, n, u, u)", "[?]"},
  };
  for (auto [statement, shape] : cases) {
    EXPECT_EQ(ShapeOf(statement), shape) << statement;
  }
}

// Errors that only the kernel reports: TensorFlow's client builds these graphs.
TEST(ShapesTest, CheckNoMoreThanTensorFlowDoes) {
  const std::pair<const char*, const char*> cases[] = {
      {"StridedSlice[ellipsis_mask=3](u, w, w, w) ; w = Placeholder[dtype=int32, shape=[2]]",
       "<unknown>"},
      {"ExtractImagePatches[ksizes=[1, 0, 1, 1], strides=[1, 1, 1, 1], rates=[1, 1, 1, 1], "
       "padding=\"SAME\"](u)",
       "[?,?,?,0]"},
      {"SplitV[num_split=3](y, w, zero) ; w = Placeholder[dtype=int32, shape=[2]]", "[?,4]"},
      {"SqrtGrad(y, e) ; e = Placeholder[dtype=float, shape=[0, 4]]", "[3,4]"},
  };
  for (auto [statement, shape] : cases) {
    EXPECT_EQ(ShapeOf(statement), shape) << statement;
  }
}

TEST(ShapesTest, SayWhatDoesNotFitAndWhere) {
  const std::pair<const char*, const char*> cases[] = {
      {"MatMul(y, y)", "Matrix size-incompatible"},
      {"Add(y, p) ; p = Placeholder[dtype=float, shape=[5]]", "Incompatible shapes: [3,4] vs. [5]"},
      {"Sum(y, p) ; p = Const(7)", "Invalid reduction dimension 7"},
      {"Reshape(y, p) ; p = Const([5, -1])", "12 elements"},
      {"Squeeze[squeeze_dims=[0]](y)", "Can not squeeze"},
      {"ConcatV2(y, z, zero)", "different ranks"},
      {"Pack(y, z)", ""},
  };
  for (auto [statement, text] : cases) {
    const std::string shape = ShapeOf(statement);
    EXPECT_THAT(shape, HasSubstr(text)) << statement;
    EXPECT_THAT(shape, HasSubstr("node \"result\"")) << statement;
  }
}

TEST(ShapesTest, FollowShapeArithmetic) {
  const char text[] = R"(
      x = Placeholder[dtype=float, shape=[?, 4, 6]]
      s = Shape(x) ; i0 = Const([0]) ; i1 = Const([1]) ; i3 = Const([3]) ; one = Const(1) ; zero = Const(0) ; two = Const(2)
      n = StridedSlice[shrink_axis_mask=1](s, i0, i1, i1)
      tail = StridedSlice(s, i1, i3, i1)
      twice = Mul(n, two)
      p = Pack(n, c24) ; c24 = Const(24) ; flat = Reshape(x, p)
      all = Prod(tail, zero) ; q = Pack(minus, all) ; minus = Const(-1) ; rows = Reshape(x, q)
      joined = ConcatV2(tail, i3, zero) ; ones = Fill(joined, one)
      r = Range(zero, three, one) ; three = Const(3)
      size = Size(y) ; y = Const([1, 2, 3, 4, 5]) ; five = Range(zero, size, one)
      odd = Pack(twice, one) ; unknown = Fill(odd, one))";
  EXPECT_EQ(ShapeIn(text, "flat"), "[?,24]");
  EXPECT_EQ(ShapeIn(text, "rows"), "[?,24]");
  EXPECT_EQ(ShapeIn(text, "ones"), "[4,6,3]");
  EXPECT_EQ(ShapeIn(text, "r"), "[3]");
  EXPECT_EQ(ShapeIn(text, "five"), "[5]");
  EXPECT_EQ(ShapeIn(text, "unknown"), "[?,1]");
}

TEST(ShapesTest, ReadWhatAHandleHolds) {
  const char text[] = R"(
      h = VarHandleOp[shape=[2, 3], dtype=float] ; i = Identity(h) ; r = ReadVariableOp[dtype=float](i)
      ids = Const([1, 1, 0]) ; g = ResourceGather[dtype=float](h, ids) ; s = VariableShape(h) ; ones = Fill(s, one) ; one = Const(1.))";
  EXPECT_EQ(ShapeIn(text, "r"), "[2,3]");
  EXPECT_EQ(ShapeIn(text, "g"), "[3,3]");
  EXPECT_EQ(ShapeIn(text, "ones"), "[2,3]");
}

TEST(ShapesTest, OfUpdatesFitTheVariable) {
  const std::string text = R"(
      h = VarHandleOp[shape=[2, 3], dtype=float] ; m = VarHandleOp[shape=[2, 3], dtype=float]
      other = VarHandleOp[shape=[4, 3], dtype=float] ; rate = Const(0.1) ; ids = Const([1, 0, 1])
      whole = Placeholder[dtype=float, shape=[2, 3]] ; rows = Placeholder[dtype=float, shape=[3, 3]]
      wide = Placeholder[dtype=float, shape=[3, 5]] ; probe = Const(1.) ; u = )";
  for (const char* fits : {
           "ResourceApplyMomentum(h, m, rate, whole, rate)",
           "ResourceApplyGradientDescent(h, rate, whole)",
           "ResourceSparseApplyAdagrad(h, m, rate, rows, ids)",
           "ResourceScatterAdd[dtype=float](h, ids, rows)",
           "ResourceScatterAdd[dtype=float](h, ids, rate)",
       }) {
    EXPECT_EQ(ShapeIn(text + fits, "probe"), "[]") << fits;
  }
  for (const char* wrong : {
           "ResourceApplyMomentum(h, other, rate, whole, rate)",
           "ResourceApplyGradientDescent(h, rate, rows)",
           "ResourceSparseApplyAdagrad(h, m, rate, wide, ids)",
           "ResourceSparseApplyAdagrad(h, m, rate, whole, ids)",
           "ResourceScatterAdd[dtype=float](h, ids, wide)",
       }) {
    EXPECT_THAT(ShapeIn(text + wrong, "probe"), HasSubstr("node \"u\"")) << wrong;
  }
}

TEST(ShapesTest, OfALoopAreWhatAllIterationsShare) {
  const std::string text = R"(
      x = Placeholder[dtype=float, shape=[1, 3]] ; zero = Const(0)
      e = Enter[frame_name="f"](x) ; m = Merge(e, n) ; t = Cast[DstT=bool](m) ; c = LoopCond(t) ; s = Switch(m, c)
      z = Identity(zero0) ; zero0 = Const(0, ^s) ; next = )";
  EXPECT_EQ(ShapeIn(text + "Neg(s:1) ; n = NextIteration(next) ; o = Exit(s)", "o"), "[1,3]");
  EXPECT_EQ(ShapeIn(text + "ConcatV2(s:1, s:1, z) ; n = NextIteration(next) ; o = Exit(s)", "o"),
            "[?,3]");
  EXPECT_EQ(ShapeIn(text + "ExpandDims(s:1, z) ; n = NextIteration(next) ; o = Exit(s)", "o"),
            "<unknown>");
}

// ---- TensorFlow's own programs, and the shapes it infers for them.

class TensorFlowShapesTest : public testing::TestWithParam<const char*> {};

TEST_P(TensorFlowShapesTest, AreTensorFlows) {
  const auto& programs = TensorFlowPrograms(GetParam());
  if (programs.empty()) GTEST_SKIP() << GetParam() << " names no interpreter";
  int outputs = 0;
  for (const auto& [name, def] : programs) {
    SCOPED_TRACE(name);
    Graph graph(&AllOps());
    const absl::Status status = Import(def, {}, graph);
    ASSERT_TRUE(status.ok()) << status;
    auto shapes = InferShapes(graph);
    ASSERT_TRUE(shapes.ok()) << shapes.status();
    std::map<int, std::vector<PartialShape>> theirs;  // by node id
    for (const Node* node : graph.nodes()) {
      EXPECT_NE(node->op_def(), nullptr) << node->op();
      theirs[node->id()] = GetAttrOr<std::vector<PartialShape>>(node->attrs, "_output_shapes", {});
      theirs[node->id()].resize(node->num_outputs());
    }
    auto knows_all = [&](const Node& node, int i) {
      auto merged = (*shapes)[node.id()][i].MergeWith(theirs[node.id()][i]);
      return merged.ok() && *merged == (*shapes)[node.id()][i];
    };
    for (const Node* node : graph.nodes()) {
      // TensorFlow's Python code knows more about a TensorArray, a stack, a queue and a full sum
      // than the graph does. We do not compute these.
      bool inputs_known = FindShapeFunction(node->op()) != nullptr &&
                          node->op() != "TensorArrayReadV3" && node->op() != "Max" &&
                          node->op() != "StackPopV2" &&
                          !absl::StartsWith(node->op(), "QueueDequeue") &&
                          !absl::StartsWith(node->name(), "linspace/");
      for (const Edge* edge : node->in_edges()) {
        inputs_known = inputs_known && (edge->control() || knows_all(*edge->src, edge->src_output));
      }
      for (int i = 0; i < node->num_outputs(); ++i) {
        const PartialShape &ours = (*shapes)[node->id()][i], &other = theirs[node->id()][i];
        ++outputs;
        if (!ours.CompatibleWith(other) || (inputs_known && !knows_all(*node, i))) {
          ADD_FAILURE() << node->Label() << ":" << i << " is " << other.ToString()
                        << ", but we say " << ours.ToString();
        }
      }
    }
  }
  EXPECT_GE(programs.size(), 10u);
  EXPECT_GE(outputs, 2000);
}

INSTANTIATE_TEST_SUITE_P(Clients, TensorFlowShapesTest,
                         testing::Values("SLUICE_TF1_PYTHON", "SLUICE_TF2_PYTHON"),
                         [](const auto& info) { return std::string(info.param).substr(7, 3); });

}  // namespace
}  // namespace sluice::graph
