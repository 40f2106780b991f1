// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TESTS_KERNELS_KERNEL_RUNNER_H_
#define SLUICE_TESTS_KERNELS_KERNEL_RUNNER_H_

#include <memory>
#include <string>
#include <vector>

#include "core/op/op_registry.h"
#include "core/runtime/device.h"
#include "core/runtime/kernel_registry.h"

namespace sluice::kernels {

// One node and its kernel, without a graph. It may run any number of times.
struct TestNode {
  NodeSpec spec;
  std::unique_ptr<Kernel> kernel;
};

// A CPU device with its own stores, on which single kernels run. It has all registered ops and
// kernels.
//
//   KernelRunner runner;
//   SLUICE_ASSIGN(auto out, runner.Run("MatMul", {{"transpose_a", true}}, {a, b}));
//
// Type attributes and list lengths that follow from the inputs are optional; defaults are filled
// in.
class KernelRunner {
 public:
  KernelRunner();
  ~KernelRunner();

  absl::StatusOr<TestNode> Make(absl::string_view op, AttrMap attrs,
                                const std::vector<DType>& input_types, std::string name = "node");
  // Takes and returns values; a dead output is an invalid Tensor. Waits for kernels that finish
  // later.
  absl::StatusOr<std::vector<Tensor>> Run(absl::string_view op, AttrMap attrs,
                                          std::vector<Tensor> inputs);
  absl::StatusOr<std::vector<Tensor>> Run(const TestNode& node, std::vector<Tensor> inputs);
  // The same with references and dead values. At a value input, a reference is read, as the
  // executor does.
  absl::StatusOr<std::vector<Slot>> RunSlots(const TestNode& node, std::vector<Slot> inputs);
  absl::StatusOr<std::vector<Slot>> RunSlots(absl::string_view op, AttrMap attrs,
                                             std::vector<Slot> inputs);

  StepContext& step() { return step_; }  // to be changed between runs
  Device& device() { return *device_; }
  void EndStep();  // drops TensorArrays and stacks
  uint64_t frame = 0;
  int64_t iteration = 0;

 private:
  std::unique_ptr<WorkQueue> pool_;
  std::unique_ptr<Device> device_;
  ResourceStore step_resources_;
  CancelToken cancel_;
  StepContext step_;
};

Slot ValueSlot(Tensor value);
Slot RefSlot(RefPtr<RefVariable> ref);
Slot DeadSlot();

const OpRegistry& AllOps();

// One op on a fresh device.
absl::StatusOr<std::vector<Tensor>> RunOp(absl::string_view op, AttrMap attrs,
                                          std::vector<Tensor> inputs);

// Checks for equal dtype, shape and elements; floating elements within `tolerance` (relative to
// max(1, |b|)), NaN equal to NaN. The error describes the first difference.
absl::Status SameTensor(const Tensor& a, const Tensor& b, double tolerance = 0);

}  // namespace sluice::kernels

#endif  // SLUICE_TESTS_KERNELS_KERNEL_RUNNER_H_
