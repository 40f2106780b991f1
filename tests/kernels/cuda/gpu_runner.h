// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TESTS_KERNELS_CUDA_GPU_RUNNER_H_
#define SLUICE_TESTS_KERNELS_CUDA_GPU_RUNNER_H_

#include <memory>
#include <vector>

#include "tests/kernels/kernel_runner.h"

namespace sluice::kernels {

// Runs single kernels on a GPU's device, and beside it those of the CPU, with which it compares.
//
//   GpuRunner gpu(RegisterCudaNn);
//   EXPECT_OK(gpu.Compare("AvgPool", {{"ksize", ...}, ...}, {images}, 1e-6));
class GpuRunner {
 public:
  explicit GpuRunner(void (*enter)(KernelRegistry&));
  ~GpuRunner();

  // Values in host memory in and out. Arguments that the kernel has in host memory stay there.
  absl::StatusOr<std::vector<Tensor>> Run(absl::string_view op, const AttrMap& attrs,
                                          const std::vector<Tensor>& inputs);
  // OK if both devices give the same values, within `tolerance` as SameTensor has it, or fail with
  // the same error.
  absl::Status Compare(absl::string_view op, const AttrMap& attrs,
                       const std::vector<Tensor>& inputs, double tolerance);

  KernelRunner& cpu() { return cpu_; }

 private:
  absl::Status RunOrStart(const Kernel& kernel, KernelContext& ctx);
  bool IsHost(const TestNode& node, const std::string& argument) const;
  absl::StatusOr<Tensor> ToDevice(const Tensor& tensor);
  absl::StatusOr<Tensor> ToHost(const Tensor& tensor);

  KernelRegistry kernels_;
  KernelRunner cpu_;
  std::unique_ptr<Device> device_;
  StepContext step_;
};

// Numbers in [low, high], rounded to the dtype; the same for the same seed.
Tensor RandomTensor(DType dtype, const Shape& shape, int seed, double low = -2, double high = 2);

}  // namespace sluice::kernels

#endif  // SLUICE_TESTS_KERNELS_CUDA_GPU_RUNNER_H_
