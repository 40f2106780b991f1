// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_TRAINING_OPTIMIZERS_H_
#define SLUICE_KERNELS_COMMON_TRAINING_OPTIMIZERS_H_

#include <vector>

#include "core/status.h"
#include "kernels/common/training/optimizer_rule.h"

namespace sluice::kernels {

// One optimizer: its rule, and the names of its ops' arguments. The arithmetic is in
// training_rules.h.
struct Optimizer {
  // INVALID_ARGUMENT for scalars out of their domain; may be null. Scalars in a GPU's memory are
  // not checked.
  using Check = absl::Status (*)(const OptimizerOptions& options, const double* scalars);

  OptimizerRule rule;
  absl::string_view name;  // "Momentum": the ops are [Resource][Sparse]ApplyMomentum
  std::vector<absl::string_view> variables;  // input names: the variable, then its slots
  std::vector<absl::string_view> scalars;    // input names
  absl::string_view gradient = "grad";       // of the dense ops; the sparse ones say "grad"
  bool has_sparse = true;
  bool has_reference = true;
  Check check = nullptr;
};

const std::vector<Optimizer>& Optimizers();
// The optimizer of a training op, by the op's name; null if there is none.
const Optimizer* FindOptimizer(absl::string_view op);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_TRAINING_OPTIMIZERS_H_
