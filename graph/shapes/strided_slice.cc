// SPDX-License-Identifier: Apache-2.0
#include "graph/shapes/strided_slice.h"

#include <algorithm>

namespace sluice::graph {
namespace {

struct Masks {
  uint64_t begin, end, ellipsis, new_axis, shrink;
};

bool Bit(uint64_t mask, int i) { return i < 64 && (mask >> i & 1) != 0; }

absl::StatusOr<Masks> ReadMasks(const ShapeContext& c) {
  Masks masks;
  for (auto [name, mask] : {std::pair{"begin_mask", &masks.begin},
                            {"end_mask", &masks.end},
                            {"ellipsis_mask", &masks.ellipsis},
                            {"new_axis_mask", &masks.new_axis},
                            {"shrink_axis_mask", &masks.shrink}}) {
    SLUICE_ASSIGN(int64_t value, c.Get<int64_t>(name));
    *mask = static_cast<uint64_t>(value);
  }
  return masks;
}

// One spec entry applied to a dimension of `size` (-1: unknown).
struct Cut {
  int64_t begin = 0, stride = 1, count = -1;
};

absl::StatusOr<Cut> CutDimension(const ShapeContext& c, const Masks& masks, int i, int64_t size) {
  const auto begin = c.Int(1, i), end = c.Int(2, i), stride = c.Int(3, i);
  Cut cut;
  if (stride && *stride == 0) return InvalidArgument("strides[", i, "] must be non-zero");
  if (Bit(masks.shrink, i)) {
    if (stride && *stride < 0)
      return InvalidArgument("only stride 1 allowed on non-range indexing.");
    cut.count = 1;
    if (!begin) return Cut{.begin = kUnknownInt, .stride = 1, .count = 1};
    cut.begin = *begin;
    if (size < 0) {
      if (*begin < 0) cut.begin = kUnknownInt;
      return cut;
    }
    if (*begin < -size || *begin >= size)
      return InvalidArgument("slice index ", *begin, " of dimension ", i, " out of bounds.");
    if (*begin < 0) cut.begin += size;
    return cut;
  }
  if (!stride || size < 0) return cut;
  const int64_t low = *stride > 0 ? 0 : -1, high = *stride > 0 ? size : size - 1;
  auto place = [&](std::optional<int64_t> at, bool masked, int64_t open) -> std::optional<int64_t> {
    if (masked) return open;
    if (!at) return std::nullopt;
    const int64_t from_front = *at < 0 ? *at + size : *at;
    return std::clamp(from_front, low, high);
  };
  const auto first = place(begin, Bit(masks.begin, i), *stride > 0 ? low : high);
  const auto last = place(end, Bit(masks.end, i), *stride > 0 ? high : low);
  if (!first || !last) return cut;
  const int64_t distance = *stride > 0 ? *last - *first : *first - *last;
  const uint64_t step =
      *stride > 0 ? static_cast<uint64_t>(*stride) : -static_cast<uint64_t>(*stride);
  cut.begin = *first;
  cut.stride = *stride;
  cut.count =
      distance <= 0 ? 0 : static_cast<int64_t>((static_cast<uint64_t>(distance) + step - 1) / step);
  return cut;
}

}  // namespace

absl::StatusOr<std::optional<StridedSlice>> ReadStridedSlice(const ShapeContext& c) {
  const PartialShape& input = c.inputs[0];
  SLUICE_ASSIGN(Masks masks, ReadMasks(c));
  int64_t entries = -1;
  for (int i : {1, 2, 3}) {
    SLUICE_ASSIGN(PartialShape spec, c.OfRank(i, 1));
    if (entries >= 0 && spec.dim(0) >= 0 && entries != spec.dim(0)) {
      return InvalidArgument("Expected begin, end, and strides to be 1D equal size tensors");
    }
    entries = std::max(entries, spec.dim(0));
  }
  if (entries < 0 || entries > 64 || !input.rank_known()) return std::nullopt;
  if (masks.ellipsis & (masks.ellipsis - 1))
    return InvalidArgument("Multiple ellipses in slice spec not allowed");
  int consumed = 0;  // input dimensions that the entries name
  for (int i = 0; i < entries; ++i) consumed += !Bit(masks.ellipsis, i) && !Bit(masks.new_axis, i);
  if (consumed > input.rank()) {
    return InvalidArgument("Index out of range using input dim ", consumed - 1, "; input has only ",
                           input.rank(), " dims");
  }
  StridedSlice slice;
  Shape::Dims dims;
  int at = 0;
  for (int i = 0; i < entries; ++i) {
    if (Bit(masks.ellipsis, i)) {
      for (int rest = input.rank() - consumed; rest > 0; --rest) dims.push_back(input.dim(at++));
    } else if (Bit(masks.new_axis, i)) {
      dims.push_back(1);
    } else {
      SLUICE_ASSIGN(Cut cut, CutDimension(c, masks, i, input.dim(at++)));
      if (!Bit(masks.shrink, i)) dims.push_back(cut.count);
      slice.begin = cut.begin;
      slice.stride = cut.stride;
      slice.count = cut.count;
    }
  }
  while (at < input.rank()) dims.push_back(input.dim(at++));
  if (consumed == 0 && input.rank() == 1) {
    slice.begin = 0;
    slice.stride = 1;
    slice.count = input.dim(0);
  }
  SLUICE_ASSIGN(slice.shape, PartialShape::Create(dims));
  return std::optional<StridedSlice>(std::move(slice));
}

}  // namespace sluice::graph
