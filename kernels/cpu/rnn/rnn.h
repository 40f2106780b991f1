// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CPU_RNN_RNN_H_
#define SLUICE_KERNELS_CPU_RNN_RNN_H_

#include <cmath>
#include <initializer_list>
#include <vector>

#include "core/runtime/kernel.h"

namespace sluice::kernels {

// What an input of a recurrent cell must look like.
struct ExpectedInput {
  const char* name;
  int index;
  Shape shape;
};
absl::Status CheckInputs(const KernelContext& ctx, std::initializer_list<ExpectedInput> inputs);

// The inputs and outputs of a cell as arrays of float, whatever floating type they have: narrow
// ones are copied on the way in, and by Finish on the way out.
class FloatCell {
 public:
  // Inputs from `first_input` on, the floating ones.
  static absl::StatusOr<FloatCell> Create(KernelContext& ctx, int first_input);

  const float* in(int i) const { return inputs_[i].data<float>(); }  // counted from first_input
  absl::StatusOr<float*> Allocate(int output, const Shape& shape);
  absl::Status Finish();

 private:
  explicit FloatCell(KernelContext& ctx) : ctx_(&ctx) {}

  KernelContext* ctx_;
  std::vector<Tensor> inputs_;
  struct Result {
    Tensor wide;
    Tensor* out;
  };
  std::vector<Result> narrow_;
};

inline float Sigmoid(float x) { return 1.0F / (1.0F + std::exp(-x)); }

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_CPU_RNN_RNN_H_
