// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "client/ops/array.h"
#include "client/ops/control_flow.h"
#include "client/ops/math.h"
#include "client/ops/nn.h"
#include "client/ops/state.h"
#include "client/session.h"

namespace sluice::client {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// The values of outputs as text.
std::vector<std::string> Values(const Scope& scope, const std::vector<Output>& outputs) {
  EXPECT_TRUE(scope.status().ok()) << scope.status();
  if (!scope.status().ok()) return {};
  auto session = Session::Create(&scope.graph(), {});
  EXPECT_TRUE(session.ok()) << session.status();
  std::vector<std::string> names, values;
  for (const Output& output : outputs) names.push_back(output.name());
  auto tensors = (*session)->Run({}, names, {});
  EXPECT_TRUE(tensors.ok()) << tensors.status();
  if (!tensors.ok()) return {};
  for (const Tensor& tensor : *tensors) values.push_back(tensor.ToString());
  return values;
}

Output Matrix(const Scope& scope) {
  const Output flat = Constant(scope, Tensor::Vector<float>({1, 2, 3, 4}));
  return ops::Reshape(scope, flat, Constant(scope, Tensor::Vector<int32_t>({2, 2})));
}

TEST(TypedOpsTest, AttributesHaveDefaultsAndNames) {
  Graph graph;
  const Scope scope(&graph);
  const Output m = Matrix(scope);
  EXPECT_THAT(
      Values(scope, {ops::MatMul(scope, m, m), ops::MatMul(scope, m, m, {.transpose_b = true})}),
      ElementsAre("float [2,2] {7, 10, 15, 22}", "float [2,2] {5, 11, 11, 25}"));
}

TEST(TypedOpsTest, SeveralOutputsHaveNames) {
  Graph graph;
  const Scope scope(&graph);
  const auto top = ops::TopKV2(scope, Matrix(scope), Constant(scope, 1));
  const auto parts = ops::Split(scope, Constant(scope, 0), Matrix(scope), {.num_split = 2});
  ASSERT_EQ(parts.size(), 2);
  EXPECT_THAT(Values(scope, {top.indices, parts[1], ops::AddN(scope, parts)}),
              ElementsAre("int32 [2,1] {1, 1}", "float [1,2] {3, 4}", "float [1,2] {4, 6}"));
}

TEST(TypedOpsTest, ScopesNamePlaceAndOrderNodes) {
  Graph graph;
  const Scope scope(&graph);
  const Scope layer = scope.In("net").In("layer");
  const Output x = Constant(layer.Named("x"), 2.0f);
  EXPECT_EQ(x.name(), "net/layer/x:0");
  EXPECT_EQ(ops::Neg(layer, x).name(), "net/layer/Neg:0");
  EXPECT_EQ(ops::Neg(layer, x).name(), "net/layer/Neg_1:0");
  const Output placed = ops::Square(scope.On("/cpu:0"), x);
  EXPECT_EQ(placed.node->requested_device, "/cpu:0");
  graph::Node* after = ops::NoOp(scope.After({placed.node}));
  ASSERT_NE(after, nullptr);
  ASSERT_EQ(after->in_edges().size(), 1);
  EXPECT_TRUE(after->in_edges()[0]->control());
}

TEST(TypedOpsTest, TheFirstErrorStays) {
  Graph graph;
  const Scope scope(&graph);
  const Output wrong = ops::MatMul(scope.In("bad"), Matrix(scope), Constant(scope, 1.0f));
  EXPECT_FALSE(wrong);
  EXPECT_EQ(scope.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(scope.status().message(), HasSubstr("bad/MatMul"));
  const std::string first(scope.status().message());
  EXPECT_FALSE(ops::Neg(scope, wrong));
  EXPECT_FALSE(ops::Neg(scope, Constant(scope, 1.0f)));
  EXPECT_TRUE(ops::Unpack(scope, wrong, {.num = 2}).empty());
  EXPECT_EQ(scope.status().message(), first);
}

TEST(TypedOpsTest, AnInputWithoutATensorIsAnError) {
  Graph graph;
  const Scope scope(&graph);
  EXPECT_FALSE(ops::Neg(scope, Output{}));
  EXPECT_THAT(scope.status().message(), HasSubstr("op Neg"));
}

TEST(TypedOpsTest, RequiredAttributesAreChecked) {
  Graph graph;
  const Scope scope(&graph);
  ops::VariableV2(scope, {.shape = PartialShape(), .dtype = kInvalid});
  EXPECT_FALSE(scope.status().ok());
}

}  // namespace
}  // namespace sluice::client
