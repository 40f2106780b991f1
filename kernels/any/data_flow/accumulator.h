// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_ANY_DATA_FLOW_ACCUMULATOR_H_
#define SLUICE_KERNELS_ANY_DATA_FLOW_ACCUMULATOR_H_

#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "kernels/common/waitable_resource.h"

namespace sluice::kernels {

// An Accumulator adds up gradients until a kernel takes their sum or mean. Synchronous training
// uses it to wait for enough workers. A gradient whose local step is behind the accumulator's
// global step is stale and dropped. Each take increments the global step.
//
// Owner:    its store, and its waiters.
// Threads:  any.
// Errors:   INVALID_ARGUMENT for gradients of another shape.
class Accumulator : public WaitableResource {
 public:
  static constexpr absl::string_view kTypeName = "N10tensorflow26ConditionalAccumulatorBaseE";
  struct Options {
    DType dtype = kInvalid;
    PartialShape shape;
    bool mean = true;  // if false, the sum
  };
  Accumulator(std::string name, Options options)
      : WaitableResource(1), name_(std::move(name)), options_(std::move(options)) {}

  std::string ToString() const override { return Cat("accumulator '", name_, "'"); }
  absl::string_view type_name() const override { return kTypeName; }
  DType dtype() const { return options_.dtype; }

  void SetGlobalStep(int64_t step);
  int64_t count() const;  // gradients since the last take
  // Waits for `required` gradients, then sets the kernel's outputs.
  void Take(KernelContext& ctx, int64_t required, Done done);

 protected:
  // Runs `add` unless the gradient is stale; an OK counts.
  absl::Status Apply(int64_t local_step, absl::FunctionRef<absl::Status()> add);
  // Sets the kernel's outputs to the mean or sum of `count_` gradients.
  virtual absl::Status Emit(KernelContext& ctx) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) = 0;

  const std::string name_;
  const Options options_;
  int64_t count_ ABSL_GUARDED_BY(mu_) = 0;

 private:
  int64_t global_step_ ABSL_GUARDED_BY(mu_) = 0;
};

class DenseAccumulator final : public Accumulator {
 public:
  using Accumulator::Accumulator;
  // `gradient` is not written any more.
  absl::Status ApplyGradient(int64_t local_step, Tensor gradient);

 private:
  absl::Status Add(Tensor gradient) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  absl::Status Emit(KernelContext& ctx) override;

  Tensor sum_ ABSL_GUARDED_BY(mu_);
};

// Gradients of some rows. Rows are merged by index, both sides in rising order as TensorFlow
// expects them. The mean of a row is over the gradients that contain the row.
class SparseAccumulator final : public Accumulator {
 public:
  using Accumulator::Accumulator;
  struct Rows {
    Tensor indices;  // int64 vector
    Tensor values;   // a row for each index
    Tensor shape;    // of the dense gradient; invalid if the op does not know it
  };
  absl::Status ApplyGradient(int64_t local_step, const Rows& gradient);

 private:
  absl::Status Check(const Rows& gradient) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  absl::Status CheckShape(const Tensor& shape) const;
  absl::Status CheckValues(const Shape& values) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  absl::Status Add(const Rows& gradient) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  absl::Status Emit(KernelContext& ctx) override;

  std::vector<int64_t> indices_ ABSL_GUARDED_BY(mu_);
  std::vector<int64_t> counts_ ABSL_GUARDED_BY(mu_);  // number of gradients in each row
  Tensor values_ ABSL_GUARDED_BY(mu_);
};

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_ANY_DATA_FLOW_ACCUMULATOR_H_
