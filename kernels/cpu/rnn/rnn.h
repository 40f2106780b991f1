// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CPU_RNN_RNN_H_
#define SLUICE_KERNELS_CPU_RNN_RNN_H_

#include <cmath>
#include <initializer_list>
#include <vector>

#include "core/runtime/kernel.h"

namespace sluice::kernels {

// The required shape of an input of a recurrent cell.
struct ExpectedInput {
  const char* name;
  int index;
  Shape shape;
};
absl::Status CheckInputs(const KernelContext& ctx, std::initializer_list<ExpectedInput> inputs);

// The inputs and outputs of a cell as float arrays, whatever their floating type. Narrow inputs are
// copied at construction; Finish copies narrow outputs back.
class FloatCell {
 public:
  // Takes the floating inputs, from `first_input` on.
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
