// SPDX-License-Identifier: Apache-2.0
#include "kernels/common/quantized/fake_quant_plan.h"

namespace sluice::kernels {

absl::StatusOr<FakeQuantOptions> FakeQuantOptions::Create(const NodeSpec& node) {
  SLUICE_ASSIGN(const int64_t bits, node.Get<int64_t>("num_bits"));
  SLUICE_ASSIGN(const bool narrow, node.Get<bool>("narrow_range"));
  if (bits < 2 || bits > 16)
    return InvalidArgument("num_bits must be between 2 and 16, inclusive, was: ", bits);
  return FakeQuantOptions{static_cast<int>(bits), narrow};
}

absl::StatusOr<FakeQuantRange> FakeQuantRange::Create(const NodeSpec& node) {
  FakeQuantRange range;
  SLUICE_ASSIGN(range.options, FakeQuantOptions::Create(node));
  SLUICE_ASSIGN(range.min, node.Get<float>("min"));
  SLUICE_ASSIGN(range.max, node.Get<float>("max"));
  if (range.min < range.max) return range;
  return InvalidArgument("min has to be smaller than max, was: ", range.min, " >= ", range.max);
}

absl::Status CheckSameShape(const Tensor& gradient, const Tensor& x) {
  if (gradient.shape() == x.shape()) return absl::OkStatus();
  return InvalidArgument("gradient and input must be the same size, got ", gradient.shape(),
                         " and ", x.shape());
}

absl::StatusOr<int64_t> CheckRanges(const Tensor& x, const Tensor& min, const Tensor& max,
                                    bool per_channel) {
  if (per_channel && x.rank() < 1)
    return InvalidArgument("inputs must be at least a vector, got ", x.shape());
  const Shape wanted = per_channel ? Shape{x.dim(x.rank() - 1)} : Shape{};
  for (const Tensor* t : {&min, &max}) {
    // A tensor of one element is accepted as a scalar.
    if (t->shape() == wanted || (!per_channel && t->num_elements() == 1)) continue;
    const char* name = t == &min ? "min" : "max";
    if (t->rank() != wanted.rank()) {
      return InvalidArgument("`", name, "` must be rank ", wanted.rank(), " but is rank ",
                             t->rank());
    }
    return InvalidArgument(name, " has incorrect size, expected ", wanted.num_elements(), " was ",
                           t->num_elements());
  }
  return wanted.num_elements();
}

}  // namespace sluice::kernels
