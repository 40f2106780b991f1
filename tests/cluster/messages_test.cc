// SPDX-License-Identifier: Apache-2.0
// Small tensors that become ready one after the other share messages.
#include <gtest/gtest.h>

#include <algorithm>

#include "client/session.h"
#include "tests/cluster/two_tasks.h"
#include "transport/protocol/out_queue.h"

namespace sluice {
namespace {

constexpr int kTensors = 1000, kSteps = 11;
constexpr int kSum = kTensors * (kTensors - 1) / 2;  // of their factors

// sum = x * 0 + x * 1 + ... on the worker; the products are computed on the ps, one by one.
std::unique_ptr<client::Graph> Crossing() {
  auto graph = std::make_unique<client::Graph>();
  const auto add = [&](absl::string_view op, const std::vector<client::Output>& inputs,
                       AttrMap attrs, const client::Graph::NodeOptions& options) {
    auto node = graph->AddNode(op, inputs, std::move(attrs), options);
    EXPECT_TRUE(node.ok()) << node.status();
    return client::Output{*node, 0};
  };
  const AttrMap scalar = {{"dtype", kFloat}, {"shape", PartialShape(Shape())}};
  const client::Output x = add("Placeholder", {}, scalar, {"x"});
  std::vector<client::Output> products;
  for (int i = 0; i < kTensors; ++i) {
    const client::Output factor =
        add("Const", {}, {{"dtype", kFloat}, {"value", Tensor::Scalar<float>(i)}},
            {absl::StrCat("c", i), "/job:ps/task:0"});
    products.push_back(add("Mul", {x, factor}, {}, {absl::StrCat("p", i), "/job:ps/task:0"}));
  }
  add("AddN", products, {}, {"sum", "/job:worker/task:0"});
  return graph;
}

class MessagesTest : public testing::TestWithParam<const char*> {};

TEST_P(MessagesTest, AThousandSmallTensorsAStepShareAtMostSixteen) {
  TwoTasks tasks({}, GetParam());
  const auto graph = Crossing();
  client::SessionOptions options;
  options.target = tasks.target();
  auto session = client::Session::Create(graph.get(), options);
  ASSERT_TRUE(session.ok()) << session.status();
  std::vector<int64_t> messages;
  for (int step = -30; step < kSteps; ++step) {  // the first steps measure the kernels' costs
    const int64_t before = transport::MessagesGiven();
    const auto result = (*session)->Run({{"x:0", Tensor::Scalar<float>(2)}}, {"sum:0"}, {});
    ASSERT_TRUE(result.ok()) << result.status();
    EXPECT_EQ((*result)[0].scalar<float>(), 2.0f * kSum);
    if (step >= 0)
      // one message carried x in the other direction
      messages.push_back(transport::MessagesGiven() - before - 1);
  }
  std::sort(messages.begin(), messages.end());
  std::cout << GetParam() << ": messages a step " << messages.front() << " to " << messages.back()
            << ", median " << messages[kSteps / 2] << "\n";
  EXPECT_GE(messages.front(), 1);
  EXPECT_LE(messages[kSteps / 2], 16);
}

INSTANTIATE_TEST_SUITE_P(Transports, MessagesTest, testing::Values("grpc", "tcp", "shm"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace sluice
