// SPDX-License-Identifier: Apache-2.0
#include "kernels/common/array/slice_plan.h"

#include <bit>

#include "kernels/common/axis.h"

namespace sluice::kernels {
namespace {

bool Bit(int64_t mask, int64_t i) { return i < 32 && ((mask >> i) & 1) != 0; }

// The positions of a dimension that an entry selects.
struct Picked {
  int64_t begin = 0, size = 0, stride = 1;
};

// Negative `begin` and `end` count from the end, and both are clamped; a masked one is the far end.
Picked PickRange(int64_t n, int64_t begin, int64_t end, int64_t stride, bool begin_masked,
                 bool end_masked) {
  const int64_t least = stride > 0 ? 0 : -1, most = stride > 0 ? n : n - 1;
  const auto clamp = [&](int64_t x) { return std::clamp(x < 0 ? x + n : x, least, most); };
  const int64_t from = begin_masked ? (stride > 0 ? least : most) : clamp(begin);
  const int64_t to = end_masked ? (stride > 0 ? most : least) : clamp(end);
  const int64_t length = to - from;
  if (length == 0 || (length < 0) != (stride < 0)) return {0, 0, 1};
  return {from, length / stride + (length % stride != 0), stride};
}

absl::Status CheckEntries(const Tensor& begin, const Tensor& end, const Tensor& strides) {
  if (begin.rank() == 1 && begin.shape() == end.shape() && begin.shape() == strides.shape())
    return absl::OkStatus();
  return InvalidArgument(
      "Expected begin, end, and strides to be 1D equal size tensors, but got shapes ",
      begin.shape(), ", ", end.shape(), ", and ", strides.shape(), " instead.");
}

// Number of input dimensions that the entries other than the ellipsis use.
absl::StatusOr<int64_t> CountTaken(int64_t entries, const SliceMasks& masks) {
  if (std::popcount(static_cast<uint64_t>(masks.ellipsis)) > 1)
    return InvalidArgument("Multiple ellipses in slice spec not allowed");
  int64_t taken = 0;
  for (int64_t i = 0; i < entries; ++i) taken += !Bit(masks.ellipsis, i) && !Bit(masks.new_axis, i);
  return taken;
}

class Resolver {
 public:
  explicit Resolver(const Shape& input) : input_(input), strides_(DenseStrides(input)) {}

  void TakeWhole(int64_t count) {
    for (; count > 0; --count) {
      Take({0, input_.dim(dim_), 1}, true);
    }
  }

  void AddAxis() { result_.push_back(1); }

  absl::Status TakeIndex(int64_t index, int64_t stride) {
    const int64_t n = input_.dim(dim_), at = index < 0 ? index + n : index;
    if (stride <= 0) return InvalidArgument("only stride 1 allowed on non-range indexing.");
    if (at < 0 || at >= n)
      return InvalidArgument("slice index ", at, " of dimension ", dim_, " out of bounds.");
    Take({at, 1, 1}, false);
    return absl::OkStatus();
  }

  void Take(const Picked& picked, bool keep) {
    plan_.whole &= picked.begin == 0 && picked.stride == 1 && picked.size == input_.dim(dim_);
    plan_.dims.push_back({picked.size, picked.stride * strides_[dim_], 0});
    if (picked.size > 0) plan_.offset += picked.begin * strides_[dim_];
    if (keep) result_.push_back(picked.size);
    ++dim_;
  }

  int dim() const { return dim_; }
  int64_t size() const { return input_.dim(dim_); }

  absl::StatusOr<SlicePlan> Finish() {
    SLUICE_ASSIGN(plan_.shape, Shape::Create(result_));
    int64_t dense = 1;
    for (int d = static_cast<int>(plan_.dims.size()) - 1; d >= 0; --d) {
      plan_.dims[d].to = dense;
      dense *= plan_.dims[d].size;
    }
    return std::move(plan_);
  }

 private:
  const Shape& input_;
  const Shape::Dims strides_;
  SlicePlan plan_;
  Shape::Dims result_;
  int dim_ = 0;
};

}  // namespace

absl::StatusOr<SliceMasks> SliceMasks::Create(const NodeSpec& node) {
  SliceMasks masks;
  SLUICE_ASSIGN(masks.begin, node.Get<int64_t>("begin_mask"));
  SLUICE_ASSIGN(masks.end, node.Get<int64_t>("end_mask"));
  SLUICE_ASSIGN(masks.ellipsis, node.Get<int64_t>("ellipsis_mask"));
  SLUICE_ASSIGN(masks.new_axis, node.Get<int64_t>("new_axis_mask"));
  SLUICE_ASSIGN(masks.shrink_axis, node.Get<int64_t>("shrink_axis_mask"));
  return masks;
}

absl::StatusOr<SlicePlan> SlicePlan::Make(const Shape& input, const Tensor& begin,
                                          const Tensor& end, const Tensor& strides,
                                          const SliceMasks& masks) {
  SLUICE_RETURN_IF_ERROR(CheckEntries(begin, end, strides));
  const int64_t entries = begin.num_elements();
  SLUICE_ASSIGN(int64_t taken, CountTaken(entries, masks));
  if (taken > input.rank()) {
    return InvalidArgument("Index out of range using input dim ", input.rank(), "; input has only ",
                           input.rank(), " dims");
  }
  Resolver resolver(input);
  bool ellipsis = false;
  for (int64_t i = 0; i < entries; ++i) {
    if (Bit(masks.ellipsis, i)) {
      resolver.TakeWhole(input.rank() - taken);
      ellipsis = true;
      continue;
    }
    if (Bit(masks.new_axis, i)) {
      resolver.AddAxis();
      continue;
    }
    const int64_t stride = IndexAt(strides, i);
    if (stride == 0) return InvalidArgument("strides[", i, "] must be non-zero");
    if (Bit(masks.shrink_axis, i)) {
      SLUICE_RETURN_IF_ERROR(resolver.TakeIndex(IndexAt(begin, i), stride));
    } else {
      resolver.Take(PickRange(resolver.size(), IndexAt(begin, i), IndexAt(end, i), stride,
                              Bit(masks.begin, i), Bit(masks.end, i)),
                    true);
    }
  }
  if (!ellipsis) resolver.TakeWhole(input.rank() - taken);
  return resolver.Finish();
}

}  // namespace sluice::kernels
