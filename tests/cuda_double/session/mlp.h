// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TESTS_CUDA_DOUBLE_SESSION_MLP_H_
#define SLUICE_TESTS_CUDA_DOUBLE_SESSION_MLP_H_

#include <string>
#include <vector>

#include "client/scope.h"
#include "client/session.h"

namespace sluice::cuda_double {

inline constexpr char kGpu[] = "/device:GPU:0";

// A small network with two layers, and its training with momentum. All of it is on GPU:0; a step is
// fed from the host, and its loss is fetched. Each step also feeds and fetches 80,000 bytes, which
// are copied outside of the compute stream.
//
// Shapes: 8 rows of 6 features, 5 hidden units, 3 classes. float32.
class Mlp {
 public:
  Mlp();

  const client::Graph& graph() const { return graph_; }

  // Sets all variables to their first values.
  absl::Status Init(client::Session& session) const;
  // A training step. Returns the loss before it.
  absl::StatusOr<float> Step(client::Session& session) const;
  // The losses of the first steps after Init, as a double computes them without faults.
  absl::StatusOr<std::vector<float>> Losses(client::Session& session, int steps) const;

 private:
  client::Output Variable(const client::Scope& scope, const std::string& name, Tensor first);

  client::Graph graph_;
  std::vector<std::string> init_, train_;
  std::string loss_, side_;
};

}  // namespace sluice::cuda_double

#endif  // SLUICE_TESTS_CUDA_DOUBLE_SESSION_MLP_H_
