// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CPU_TRAINING_TRAINING_H_
#define SLUICE_KERNELS_CPU_TRAINING_TRAINING_H_

#include <cstdint>
#include <vector>

#include "core/runtime/kernel_context.h"

namespace sluice::kernels {

// Attributes of training ops that change the arithmetic.
struct OptimizerOptions {
  bool use_nesterov = false;
  bool update_slots = true;
  bool multiply_linear_by_lr = false;
  bool sparse = false;  // the gradient has rows and indices
};

// The arithmetic of one optimizer, written once. The ops' kernels handle references and resources,
// dense gradients, and gradients with rows and indices.
struct Optimizer {
  // Changes n consecutive elements of the variables. `scalars` are in the order of the names below.
  using Span = void (*)(const OptimizerOptions& options, const double* scalars, int64_t n,
                        void* const* variables, const void* gradient);
  // INVALID_ARGUMENT for scalars out of their domain; may be null.
  using Check = absl::Status (*)(const OptimizerOptions& options, const double* scalars);

  absl::string_view name;  // "Momentum": the ops are [Resource][Sparse]ApplyMomentum
  std::vector<absl::string_view> variables;  // input names: the variable, then its slots
  std::vector<absl::string_view> scalars;    // input names
  absl::string_view gradient = "grad";       // of the dense ops; the sparse ones say "grad"
  bool has_sparse = true;
  bool has_reference = true;
  Check check = nullptr;
  Span for_float = nullptr, for_double = nullptr, for_half = nullptr, for_bfloat16 = nullptr;

  Span For(DType dtype) const;  // null if there is none
};

inline constexpr int kMaxTrainingVariables = 4;
inline constexpr int kMaxTrainingScalars = 6;

const std::vector<Optimizer>& Optimizers();
// The optimizer of a training op, by the op's name; null if there is none.
const Optimizer* FindOptimizer(absl::string_view op);

// The variables that a training op changes, held exclusively from Lock to the destruction of the
// object.
//
// References are written in place. A resource variable whose buffer is also read elsewhere gets a
// new one first.
class LockedVariables {
 public:
  LockedVariables() = default;
  LockedVariables(const LockedVariables&) = delete;
  LockedVariables& operator=(const LockedVariables&) = delete;
  ~LockedVariables();

  // Locks the first `names.size()` inputs, each mutex once and in address order. Checks that they
  // are initialised, of `dtype`, and of one shape. FAILED_PRECONDITION for a reference without a
  // value, INTERNAL for a resource.
  absl::Status Lock(KernelContext& ctx, absl::Span<const absl::string_view> names, DType dtype);
  // Makes the values writable. Call it after all other checks.
  absl::Status PrepareToWrite();

  const Shape& shape() const { return entries_[0].value->shape(); }
  void* data(int i) const { return entries_[i].value->raw(); }

 private:
  struct Entry {
    RefPtr<Resource> owner;  // keeps a resource variable alive
    absl::Mutex* mu = nullptr;
    Tensor* value = nullptr;
    bool reference = false;
  };
  absl::Status Find(KernelContext& ctx, int i);

  absl::InlinedVector<Entry, kMaxTrainingVariables> entries_;
  absl::InlinedVector<absl::Mutex*, kMaxTrainingVariables> held_;
};

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_CPU_TRAINING_TRAINING_H_
