// SPDX-License-Identifier: Apache-2.0
// The same as 01_add.py in C++.

#include <iostream>

#include "client/graph.h"
#include "client/session.h"

namespace {

absl::Status Run() {
  using sluice::Tensor;
  using sluice::client::Graph;
  using sluice::client::Output;
  using sluice::client::Session;

  Graph graph;
  SLUICE_ASSIGN(auto* a,
                graph.AddNode("Placeholder", {}, {{"dtype", sluice::kFloat}}, {.name = "a"}));
  SLUICE_ASSIGN(auto* b,
                graph.AddNode("Placeholder", {}, {{"dtype", sluice::kFloat}}, {.name = "b"}));
  SLUICE_ASSIGN(auto* sum,
                graph.AddNode("AddV2", {Output{a, 0}, Output{b, 0}}, {}, {.name = "sum"}));
  (void)sum;

  SLUICE_ASSIGN(auto session, Session::Create(&graph, {}));
  SLUICE_ASSIGN(
      auto values,
      session->Run({{"a:0", Tensor::Scalar(3.0f)}, {"b:0", Tensor::Scalar(4.0f)}}, {"sum:0"}, {}));
  std::cout << "3 + 4 = " << values[0].scalar<float>() << "\n";
  return session->Close();
}

}  // namespace

int main() {
  const absl::Status status = Run();
  if (!status.ok()) std::cerr << status << "\n";
  return status.ok() ? 0 : 1;
}
