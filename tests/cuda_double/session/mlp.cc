// SPDX-License-Identifier: Apache-2.0
#include "tests/cuda_double/session/mlp.h"

#include <cstdio>
#include <cstdlib>

#include "client/ops/array.h"
#include "client/ops/math.h"
#include "client/ops/nn.h"
#include "client/ops/state.h"
#include "client/ops/training.h"

namespace sluice::cuda_double {
namespace {

namespace ops = client::ops;
using client::Constant;
using client::Output;
using client::Scope;

constexpr int64_t kRows = 8, kFeatures = 6, kHidden = 5, kClasses = 3, kSide = 20'000;

client::RunOptions Deadline() {
  client::RunOptions options;
  options.timeout_ms = 60'000;
  return options;
}

// Numbers between -1 and 1 without a pattern.
Tensor Numbers(const Shape& shape, uint32_t seed) {
  Tensor tensor(kFloat, shape);
  uint32_t state = seed;
  for (float& value : tensor.mutable_flat<float>()) {
    state = state * 1664525u + 1013904223u;
    value = static_cast<float>(state >> 8) / static_cast<float>(1 << 23) - 1;
  }
  return tensor;
}

Tensor Labels() {
  Tensor labels(kInt32, Shape{kRows});
  for (int32_t i = 0; i < kRows; ++i) labels.mutable_data<int32_t>()[i] = i % kClasses;
  return labels;
}

// A graph that cannot be made is an error of this file.
void Require(const absl::Status& status) {
  if (status.ok()) return;
  std::fprintf(stderr, "%s\n", status.ToString().c_str());
  std::abort();
}

}  // namespace

Output Mlp::Variable(const Scope& scope, const std::string& name, Tensor first) {
  const Output handle = ops::VarHandleOp(
      scope.Named(name),
      {.dtype = kFloat, .shape = PartialShape(first.shape()), .shared_name = name});
  const auto* assign = ops::AssignVariableOp(scope, handle, Constant(scope, first));
  Require(scope.status());
  init_.push_back(assign->name());
  return handle;
}

Mlp::Mlp() {
  const Scope scope = Scope(&graph_).On(kGpu);
  const Output x = ops::Placeholder(scope.Named("x"), {.dtype = kFloat});
  const Output labels = ops::Placeholder(scope.Named("labels"), {.dtype = kInt32});
  const Output side = ops::Placeholder(scope.Named("side"), {.dtype = kFloat});

  const std::vector<Output> variables = {
      Variable(scope, "w1", Numbers(Shape{kFeatures, kHidden}, 1)),
      Variable(scope, "w2", Numbers(Shape{kHidden, kClasses}, 2))};
  const auto read = [&](const Output& handle) {
    return ops::ReadVariableOp(scope, handle, {.dtype = kFloat});
  };
  const std::vector<Output> weights = {read(variables[0]), read(variables[1])};
  const Output hidden = ops::Relu(scope, ops::MatMul(scope.Named("layer1"), x, weights[0]));
  const Output logits = ops::MatMul(scope.Named("layer2"), hidden, weights[1]);
  const auto cross = ops::SparseSoftmaxCrossEntropyWithLogits(scope, logits, labels);
  const Output loss = ops::Mean(scope.Named("loss"), cross.loss, Constant(scope, 0));
  const Output negated = ops::Neg(scope.Named("negated"), side);
  Require(scope.status());
  loss_ = loss.name();
  side_ = negated.name();

  const auto gradients = graph_.Gradients({loss}, weights);
  Require(gradients.status());
  for (size_t i = 0; i < variables.size(); ++i) {
    Tensor zeros(kFloat, i == 0 ? Shape{kFeatures, kHidden} : Shape{kHidden, kClasses});
    for (float& value : zeros.mutable_flat<float>()) value = 0;
    const Output momentum = Variable(scope, Cat("momentum", i), zeros);
    const auto* apply =
        ops::ResourceApplyMomentum(scope, variables[i], momentum, Constant(scope, 0.1f),
                                   (*gradients)[i]->values, Constant(scope, 0.9f));
    Require(scope.status());
    train_.push_back(apply->name());
  }
}

absl::Status Mlp::Init(client::Session& session) const {
  return session.Run({}, {}, init_, Deadline()).status();
}

absl::StatusOr<float> Mlp::Step(client::Session& session) const {
  static const Tensor& x = *new Tensor(Numbers(Shape{kRows, kFeatures}, 3));
  static const Tensor& labels = *new Tensor(Labels());
  static const Tensor& side = *new Tensor(Numbers(Shape{kSide}, 4));
  SLUICE_ASSIGN(const std::vector<Tensor> values,
                session.Run({{"x:0", x}, {"labels:0", labels}, {"side:0", side}}, {loss_, side_},
                            train_, Deadline()));
  for (int64_t i = 0; i < kSide; ++i) {
    if (values[1].data<float>()[i] != -side.data<float>()[i])
      return DataLoss("element ", i, " of the copied tensor is wrong");
  }
  return values[0].scalar<float>();
}

absl::StatusOr<std::vector<float>> Mlp::Losses(client::Session& session, int steps) const {
  SLUICE_RETURN_IF_ERROR(Init(session));
  std::vector<float> losses;
  for (int i = 0; i < steps; ++i) {
    SLUICE_ASSIGN(const float loss, Step(session));
    losses.push_back(loss);
  }
  return losses;
}

}  // namespace sluice::cuda_double
