// SPDX-License-Identifier: Apache-2.0
// Gradient descent with typed ops: fits y = w x to y = 3 x.

#include <iostream>

#include "client/ops/math.h"
#include "client/ops/state.h"
#include "client/ops/training.h"
#include "client/session.h"

namespace {

absl::Status Run() {
  using namespace sluice::client;  // NOLINT: an example
  using sluice::Tensor;

  Graph graph;
  const Scope scope(&graph);
  const Output x = Constant(scope, Tensor::Vector<float>({1, 2, 3}));
  const Output wanted = Constant(scope, Tensor::Vector<float>({3, 6, 9}));

  SLUICE_ASSIGN(auto scalar, sluice::PartialShape::Create({}));
  const Output w = ops::VariableV2(scope.Named("w"), {.shape = scalar, .dtype = sluice::kFloat});
  const Output start = ops::Assign(scope, w, Constant(scope, 0.0f));
  const Output error = ops::SquaredDifference(scope, ops::Mul(scope, w, x), wanted);
  const Output loss = ops::Mean(scope, error, Constant(scope, 0));
  SLUICE_RETURN_IF_ERROR(scope.status());

  SLUICE_ASSIGN(auto gradients, graph.Gradients({loss}, {w}));
  const Output step =
      ops::ApplyGradientDescent(scope, w, Constant(scope, 0.1f), gradients[0]->values);
  SLUICE_RETURN_IF_ERROR(scope.status());

  SLUICE_ASSIGN(auto session, Session::Create(&graph, {}));
  SLUICE_RETURN_IF_ERROR(session->Run({}, {}, {start.node->name()}).status());
  for (int i = 0; i < 20; ++i) {
    SLUICE_RETURN_IF_ERROR(session->Run({}, {}, {step.node->name()}).status());
  }
  SLUICE_ASSIGN(auto values, session->Run({}, {"w:0", loss.name()}, {}));
  std::cout << "w = " << values[0].scalar<float>() << ", loss " << values[1].scalar<float>()
            << "\n";
  const bool fitted = std::abs(values[0].scalar<float>() - 3) < 1e-3f;
  SLUICE_RETURN_IF_ERROR(session->Close());
  return fitted ? absl::OkStatus() : sluice::Internal("w should be 3");
}

}  // namespace

int main() {
  const absl::Status status = Run();
  if (!status.ok()) std::cerr << status << "\n";
  return status.ok() ? 0 : 1;
}
