// SPDX-License-Identifier: Apache-2.0
// The order in which gradients are used, and their devices.
#include <gtest/gtest.h>

#include "graph/all_ops.h"
#include "graph/gradients/gradients.h"
#include "tests/graph/graph_text.h"

namespace sluice::graph {
namespace {

using Groups = std::vector<std::string>;

constexpr char kProduct[] =
    "a = Placeholder[dtype=float]; b = Placeholder[dtype=float]\n"
    "y = MatMul(a, b)\n";

class GradientOrderTest : public testing::Test {
 protected:
  // d y / d (a, b).
  std::vector<Node*> Differentiate(const std::string& text, const GradientOptions& options) {
    graph_ = FromText(text);
    const std::vector<Output> ys = {{graph_->Find("y"), 0}};
    const std::vector<Output> xs = {{graph_->Find("a"), 0}, {graph_->Find("b"), 0}};
    auto gradients = AddGradients(*graph_, ys, xs, {}, options);
    EXPECT_TRUE(gradients.ok()) << gradients.status();
    std::vector<Node*> nodes;
    for (const auto& gradient : *gradients) nodes.push_back(gradient->values.node);
    return nodes;
  }

  static bool ComesAfter(const Node* later, const Node* earlier) {
    for (const Edge* edge : later->in_edges()) {
      if (edge->src == earlier || ComesAfter(edge->src, earlier)) return true;
    }
    return false;
  }
  static Groups GroupsOf(const Node* node) { return GetAttrOr<Groups>(node->attrs, "_class", {}); }

  std::unique_ptr<Graph> graph_;
};

TEST_F(GradientOrderTest, GatedGradientsWaitForEachOther) {
  const auto gated = Differentiate(kProduct, {.gate = true});
  const Node* da = gated[0]->input(0)->src;
  const Node* db = gated[1]->input(0)->src;
  EXPECT_EQ(da->op(), "MatMul");
  EXPECT_EQ(db->op(), "MatMul");
  for (const Node* gradient : gated) {
    EXPECT_TRUE(ComesAfter(gradient, da)) << gradient->name();
    EXPECT_TRUE(ComesAfter(gradient, db)) << gradient->name();
  }
}

TEST_F(GradientOrderTest, OtherGradientsDoNot) {
  const auto free = Differentiate(kProduct, {});
  EXPECT_FALSE(ComesAfter(free[0], free[1]) || ComesAfter(free[1], free[0]));
}

TEST_F(GradientOrderTest, ASingleGradientNeedsNoGate) {
  const std::string text = "a = Placeholder[dtype=float]; b = Neg(a); y = Neg(b)";
  Differentiate(text, {.gate = true});
  for (const Node* node : graph_->nodes()) EXPECT_NE(node->op(), "NoOp");
}

TEST_F(GradientOrderTest, ColocatedGradientsStandBesideTheirNode) {
  const auto gradients = Differentiate(kProduct, {.colocate = true});
  for (const Node* gradient : gradients) EXPECT_EQ(GroupsOf(gradient), Groups{"loc:@y"});
}

TEST_F(GradientOrderTest, ColocatedGradientsJoinTheGroupsOfTheirNode) {
  const std::string text = absl::StrCat(kProduct, "z = NoOp()");
  graph_ = FromText(text);
  graph_->Find("y")->attrs["_class"] = Groups{"loc:@a"};
  graph_->Find("y")->requested_device = "/cpu:1";
  const std::vector<Output> ys = {{graph_->Find("y"), 0}}, xs = {{graph_->Find("a"), 0}};
  auto gradients = AddGradients(*graph_, ys, xs, {}, {.colocate = true});
  ASSERT_TRUE(gradients.ok()) << gradients.status();
  EXPECT_EQ(GroupsOf((*gradients)[0]->values.node), Groups{"loc:@a"});
  EXPECT_EQ((*gradients)[0]->values.node->requested_device, "/cpu:1");
}

TEST_F(GradientOrderTest, SumsStandBesideTheirFirstTerm) {
  const auto gradients = Differentiate(
      "a = Placeholder[dtype=float]; b = Placeholder[dtype=float]\n"
      "c = MatMul(a, b); d = MatMul(a, b); y = Add(c, d)\n",
      {});
  ASSERT_EQ(gradients[0]->op(), "AddN");
  EXPECT_EQ(GroupsOf(gradients[0]), Groups{"loc:@" + gradients[0]->input(0)->src->name()});
}

}  // namespace
}  // namespace sluice::graph
