// SPDX-License-Identifier: Apache-2.0
// A client for clusters in the guest of tools/rdma_guest.sh, which has no Python.
//
//   guest_client train TARGET STEPS      trains the demo's network on a ps and two workers, in its
//                                        synchronous form; prints each loss, exact, and the
//                                        median time of a step
//   guest_client transports TARGET...    prints the transport of each ordered pair of tasks

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <random>
#include <string>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "client/session.h"
#include "client/transports.h"

namespace sluice {
namespace {

using client::Output;

constexpr char kPs[] = "/job:ps/task:0";
constexpr int64_t kBatch = 16, kSide = 8, kClasses = 10, kHidden = 64;
constexpr int64_t kChannels1 = 16, kChannels2 = 32, kFlat = 4 * 4 * kChannels2;
constexpr int64_t kStepTimeoutMs = 240'000;  // the emulated processor is slow

// The graph under construction. The first error stays in status().
class Network {
 public:
  explicit Network(client::Graph* graph) : graph_(*graph) {}
  const absl::Status& status() const { return status_; }
  void On(std::string device) { device_ = std::move(device); }

  Output Add(absl::string_view op, const std::vector<Output>& inputs, AttrMap attrs = {}) {
    if (!status_.ok()) return {};
    auto node = graph_.AddNode(op, inputs, std::move(attrs), {"", device_, {}});
    if (node.ok()) return {*node, 0};
    status_ = node.status();
    return {};
  }
  Output Constant(const Tensor& value) {
    return Add("Const", {}, {{"dtype", value.dtype()}, {"value", value}});
  }
  // A variable on the ps, with its initial value.
  Output Variable(const Shape& shape, float scale) {
    On(kPs);
    Tensor initial(kFloat, shape);
    std::normal_distribution<float> normal(0, scale);
    for (int64_t i = 0; i < shape.num_elements(); ++i)
      initial.mutable_data<float>()[i] = normal(random_);
    const Output variable =
        Add("VariableV2", {}, {{"dtype", kFloat}, {"shape", PartialShape(shape)}});
    initializers.push_back(Add("Assign", {variable, Constant(initial)}));
    variables.push_back(variable);
    return variable;
  }
  // The mean loss of a batch that this worker draws.
  Output Loss() {
    Tensor images(kFloat, Shape{kBatch, kSide, kSide, 1}), labels(kInt64, Shape{kBatch});
    std::uniform_real_distribution<float> pixel(0, 1);
    for (int64_t i = 0; i < images.num_elements(); ++i)
      images.mutable_data<float>()[i] = pixel(random_);
    for (int64_t i = 0; i < kBatch; ++i)
      labels.mutable_data<int64_t>()[i] = static_cast<int64_t>(random_() % kClasses);
    Output x = Convolved(Constant(images), variables[0], variables[1]);
    x = Convolved(x, variables[2], variables[3]);
    const std::vector<int64_t> two = {1, 2, 2, 1};
    x = Add("MaxPool", {x}, {{"ksize", two}, {"strides", two}, {"padding", "VALID"}});
    x = Add("Reshape", {x, Constant(Tensor::Vector<int32_t>({-1, static_cast<int32_t>(kFlat)}))});
    x = Add("Relu", {Dense(x, variables[4], variables[5])});
    const Output losses = Add("SparseSoftmaxCrossEntropyWithLogits",
                              {Dense(x, variables[6], variables[7]), Constant(labels)});
    return Add("Mean", {losses, Constant(Tensor::Vector<int32_t>({0}))});
  }

  std::vector<Output> variables, initializers;

 private:
  Output Convolved(Output x, Output filter, Output bias) {
    const std::vector<int64_t> one = {1, 1, 1, 1};
    x = Add("Conv2D", {x, filter}, {{"strides", one}, {"padding", "SAME"}});
    return Add("Relu", {Add("BiasAdd", {x, bias})});
  }
  Output Dense(Output x, Output weights, Output bias) {
    return Add("BiasAdd", {Add("MatMul", {x, weights}), bias});
  }

  client::Graph& graph_;
  absl::Status status_;
  std::string device_;
  std::mt19937 random_{7};
};

struct Training {
  std::vector<std::string> initializers, losses, steps;
};

// Each worker computes the gradients of its batch; the ps applies their mean.
absl::StatusOr<Training> Build(client::Graph* graph) {
  Network network(graph);
  network.Variable({3, 3, 1, kChannels1}, 0.5f);
  network.Variable({kChannels1}, 0);
  network.Variable({3, 3, kChannels1, kChannels2}, 0.1f);
  network.Variable({kChannels2}, 0);
  network.Variable({kFlat, kHidden}, 0.06f);
  network.Variable({kHidden}, 0);
  network.Variable({kHidden, kClasses}, 0.2f);
  network.Variable({kClasses}, 0);
  Training training;
  std::vector<std::vector<Output>> gradients;
  for (int worker = 0; worker < 2; ++worker) {
    network.On(absl::StrCat("/job:worker/task:", worker));
    const Output loss = network.Loss();
    SLUICE_RETURN_IF_ERROR(network.status());
    SLUICE_ASSIGN(const auto made,
                  graph->Gradients({loss}, network.variables, {}, {.colocate = true}));
    training.losses.push_back(loss.name());
    gradients.emplace_back();
    for (const auto& one : made) gradients.back().push_back(one->values);
  }
  network.On(kPs);
  const Output half = network.Constant(Tensor::Scalar<float>(0.5f));
  const Output rate = network.Constant(Tensor::Scalar<float>(0.05f));
  for (size_t i = 0; i < network.variables.size(); ++i) {
    const Output sum = network.Add("AddN", {gradients[0][i], gradients[1][i]}, {{"N", int64_t{2}}});
    const Output mean = network.Add("Mul", {sum, half});
    const Output step = network.Add("ApplyGradientDescent", {network.variables[i], rate, mean}, {});
    SLUICE_RETURN_IF_ERROR(network.status());
    training.steps.push_back(step.node->name());
  }
  for (const Output& one : network.initializers) training.initializers.push_back(one.node->name());
  return training;
}

absl::Status Train(const std::string& target, int steps) {
  client::Graph graph;
  SLUICE_ASSIGN(const Training training, Build(&graph));
  client::SessionOptions at;
  at.target = "grpc://" + target;
  SLUICE_ASSIGN(auto session, client::Session::Create(&graph, at));
  client::RunOptions options;
  options.timeout_ms = kStepTimeoutMs;
  SLUICE_RETURN_IF_ERROR(session->Run({}, {}, training.initializers, options).status());
  std::vector<double> milliseconds;
  for (int i = 0; i < steps; ++i) {
    const absl::Time begun = absl::Now();
    SLUICE_ASSIGN(const auto losses, session->Run({}, training.losses, training.steps, options));
    milliseconds.push_back(absl::ToDoubleMilliseconds(absl::Now() - begun));
    std::printf("step %d: losses %a %a\n", i, static_cast<double>(losses[0].scalar<float>()),
                static_cast<double>(losses[1].scalar<float>()));
    std::fflush(stdout);
  }
  std::sort(milliseconds.begin(), milliseconds.end());
  if (steps > 0) std::printf("median of %d steps: %.1f ms\n", steps, milliseconds[steps / 2]);
  return session->Close();
}

absl::Status ShowTransports(const std::string& target) {
  SLUICE_ASSIGN(const auto tasks, client::ListTransports(target, absl::Seconds(30)));
  for (const auto& choice : tasks.choices) {
    std::cout << tasks.task << " to " << choice.peer << ": "
              << (choice.transport.empty() ? "none" : choice.transport) << "\n";
    for (const auto& one : choice.passed_over)
      if (!one.rare) std::cout << "    not " << one.transport << ": " << one.why << "\n";
  }
  return absl::OkStatus();
}

absl::Status Main(const std::vector<std::string>& arguments) {
  int steps = 0;
  if (arguments.size() == 3 && arguments[0] == "train" && absl::SimpleAtoi(arguments[2], &steps))
    return Train(arguments[1], steps);
  if (arguments.size() < 2 || arguments[0] != "transports")
    return InvalidArgument("usage: guest_client train TARGET STEPS | transports TARGET...");
  for (size_t i = 1; i < arguments.size(); ++i)
    SLUICE_RETURN_IF_ERROR(ShowTransports(arguments[i]));
  return absl::OkStatus();
}

}  // namespace
}  // namespace sluice

int main(int argc, char** argv) {
  const absl::Status status = sluice::Main(std::vector<std::string>(argv + 1, argv + argc));
  if (!status.ok()) std::cerr << status << std::endl;
  return status.ok() ? 0 : 1;
}
