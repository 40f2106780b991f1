// SPDX-License-Identifier: Apache-2.0
#include "core/io/checkpoint/tensor_slice.h"

#include <cstring>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "core/tensor/allocator.h"
#include "core/tensor/variant.h"
#include "proto/checkpoint.pb.h"

namespace sluice {
namespace {

// Keys sort in the order of the values that they encode ("OrderedCode"): strings escape 0x00 and
// 0xff and end in 00 01; unsigned numbers are their length and bytes.
void AppendOrderedString(absl::string_view s, std::string* to) {
  for (const char c : s) {
    to->push_back(c);
    if (c == '\0') to->push_back('\xff');
    if (c == '\xff') to->push_back('\0');
  }
  to->append({'\0', '\1'});
}

void AppendOrderedUnsigned(uint64_t value, std::string* to) {
  char bytes[8];
  int size = 0;
  for (; value > 0; value >>= 8) bytes[size++] = static_cast<char>(value);
  to->push_back(static_cast<char>(size));
  while (size > 0) to->push_back(bytes[--size]);
}

// Signed: the leading ones of the header give the number of bytes; two's complement follows.
void AppendOrderedSigned(int64_t value, std::string* to) {
  const uint64_t magnitude = static_cast<uint64_t>(value < 0 ? ~value : value);
  int size = 1;
  while (size < 10 && 7 * size - 1 < 64 && (magnitude >> (7 * size - 1)) != 0) ++size;
  uint8_t bytes[10];
  for (int i = 0; i < size; ++i) {
    const int shift = 8 * (size - 1 - i);
    bytes[i] = shift >= 64 ? (value < 0 ? 0xff : 0) : static_cast<uint8_t>(value >> shift);
  }
  for (int bit = 0; bit < size; ++bit) bytes[bit / 8] ^= static_cast<uint8_t>(0x80 >> (bit % 8));
  to->append(reinterpret_cast<const char*>(bytes), size);
}

struct Range {
  int64_t begin, end;
};

Range RangeOf(const TensorSlice& slice, int dim, const Shape& whole) {
  const TensorSlice::Extent& extent = slice.extent(dim);
  if (extent.length == TensorSlice::kWhole) return {0, whole.dim(dim)};
  return {extent.start, extent.start + extent.length};
}

// The overlap of two slices, as runs of elements that are contiguous in both.
struct Overlap {
  std::vector<Range> a, b, both;

  Overlap(const Shape& whole, const TensorSlice& first, const TensorSlice& second) {
    for (int d = 0; d < whole.rank(); ++d) {
      a.push_back(RangeOf(first, d, whole));
      b.push_back(RangeOf(second, d, whole));
      both.push_back({std::max(a[d].begin, b[d].begin), std::min(a[d].end, b[d].end)});
    }
  }
  int64_t elements() const {
    int64_t count = 1;
    for (const Range& range : both) {
      if (range.end <= range.begin) return 0;
      count *= range.end - range.begin;
    }
    return count;
  }
  // Calls run(offset in a, offset in b, elements).
  template <typename Run>
  void ForEach(const Run& run, int dim = 0, int64_t at_a = 0, int64_t at_b = 0) const {
    const int rank = static_cast<int>(both.size());
    if (dim == rank) return run(at_a, at_b, int64_t{1});
    const Range& range = both[dim];
    const int64_t in_a = at_a * (a[dim].end - a[dim].begin), begin_a = range.begin - a[dim].begin;
    const int64_t in_b = at_b * (b[dim].end - b[dim].begin), begin_b = range.begin - b[dim].begin;
    if (dim == rank - 1) return run(in_a + begin_a, in_b + begin_b, range.end - range.begin);
    for (int64_t i = 0; i < range.end - range.begin; ++i) {
      ForEach(run, dim + 1, in_a + begin_a + i, in_b + begin_b + i);
    }
  }
};

}  // namespace

TensorSlice TensorSlice::Whole(int rank) {
  TensorSlice slice;
  slice.extents_.resize(rank);
  return slice;
}

TensorSlice TensorSlice::Of(std::initializer_list<Extent> extents) {
  TensorSlice slice;
  slice.extents_.assign(extents);
  return slice;
}

absl::StatusOr<TensorSlice> TensorSlice::Parse(absl::string_view text) {
  TensorSlice slice;
  for (const absl::string_view part : absl::StrSplit(text, ':', absl::SkipEmpty())) {
    Extent extent;
    if (part != "-") {
      const std::vector<absl::string_view> numbers = absl::StrSplit(part, ',');
      if (numbers.size() != 2 || !absl::SimpleAtoi(numbers[0], &extent.start) ||
          !absl::SimpleAtoi(numbers[1], &extent.length) || extent.start < 0 || extent.length <= 0 ||
          extent.length > INT64_MAX - extent.start) {
        return InvalidArgument("Expected a pair of numbers or '-' but got '", part,
                               "': string = ", text);
      }
    }
    slice.extents_.push_back(extent);
  }
  return slice;
}

absl::StatusOr<TensorSlice> TensorSlice::Decode(const proto::TensorSliceProto& from) {
  TensorSlice slice;
  if (from.extent_size() > kMaxRank) return InvalidArgument("a slice of too many dimensions");
  for (const auto& part : from.extent()) {
    Extent extent{part.start(), kWhole};
    if (part.has_length_case() == proto::TensorSliceProto::Extent::kLength) {
      extent.length = part.length();
    }
    const bool whole = extent.length == kWhole && extent.start == 0;
    if (!whole &&
        (extent.start < 0 || extent.length < 0 || extent.length > INT64_MAX - extent.start)) {
      return InvalidArgument("a slice from ", extent.start, " of length ", extent.length);
    }
    slice.extents_.push_back(extent);
  }
  return slice;
}

void TensorSlice::Encode(proto::TensorSliceProto* to) const {
  for (const Extent& extent : extents_) {
    auto* part = to->add_extent();
    if (extent.length == kWhole) continue;
    part->set_start(extent.start);
    part->set_length(extent.length);
  }
}

absl::StatusOr<Shape> TensorSlice::Within(const Shape& whole) const {
  if (rank() != whole.rank()) {
    return InvalidArgument("Mismatching ranks: shape = ", whole, ", slice = ", *this);
  }
  Shape::Dims dims;
  for (int d = 0; d < rank(); ++d) {
    const Range range = RangeOf(*this, d, whole);
    if (range.end > whole.dim(d)) {
      return InvalidArgument("Extent in dimension ", d, " out of bounds: shape = ", whole,
                             ", slice = ", *this);
    }
    dims.push_back(range.end - range.begin);
  }
  return Shape::Create(dims);
}

std::string TensorSlice::ToString() const {
  std::string text;
  for (const Extent& extent : extents_) {
    if (!text.empty()) text += ":";
    text += extent.length == kWhole ? "-" : absl::StrCat(extent.start, ",", extent.length);
  }
  return text;
}

std::string TensorSlice::KeyOf(absl::string_view tensor) const {
  std::string key(1, '\0');  // as the unsigned number 0
  AppendOrderedString(tensor, &key);
  AppendOrderedUnsigned(static_cast<uint64_t>(rank()), &key);
  for (const Extent& extent : extents_) {
    AppendOrderedSigned(extent.start, &key);
    AppendOrderedSigned(extent.length, &key);
  }
  return key;
}

absl::StatusOr<ShapeAndSlice> ShapeAndSlice::Parse(absl::string_view text) {
  std::vector<absl::string_view> parts = absl::StrSplit(text, ' ');
  if (parts.size() < 2) {
    return InvalidArgument("Need least two elements in shape_and_slice specification: ", text);
  }
  ShapeAndSlice parsed;
  SLUICE_ASSIGN(parsed.slice, TensorSlice::Parse(parts.back()));
  parts.pop_back();
  Shape::Dims dims;
  for (const absl::string_view part : parts) {
    int64_t size;
    if (!absl::SimpleAtoi(part, &size) || size < 0) {
      return InvalidArgument("Non numerical dimension in shape_and_slice: ", text);
    }
    dims.push_back(size);
  }
  SLUICE_ASSIGN(parsed.shape, Shape::Create(dims));
  SLUICE_ASSIGN(parsed.slice_shape, parsed.slice.Within(parsed.shape));
  return parsed;
}

int64_t OverlapOf(const Shape& whole, const TensorSlice& a, const TensorSlice& b) {
  return Overlap(whole, a, b).elements();
}

int64_t CopyOverlap(const Shape& whole, const TensorSlice& from_slice, const Tensor& from,
                    const TensorSlice& to_slice, Tensor* to) {
  const Overlap overlap(whole, from_slice, to_slice);
  const int64_t elements = overlap.elements();
  if (elements == 0) return 0;
  const size_t width = SizeOf(from.dtype());
  overlap.ForEach([&](int64_t at_from, int64_t at_to, int64_t count) {
    if (from.dtype() == kString) {
      std::copy_n(from.data<std::string>() + at_from, count,
                  to->mutable_data<std::string>() + at_to);
    } else if (from.dtype() == kVariant) {
      std::copy_n(from.data<Variant>() + at_from, count, to->mutable_data<Variant>() + at_to);
    } else {
      std::memcpy(static_cast<char*>(to->raw()) + at_to * width,
                  static_cast<const char*>(from.raw()) + at_from * width, count * width);
    }
  });
  return elements;
}

absl::StatusOr<Tensor> Assemble(
    DType dtype, const Shape& whole, absl::Span<const TensorSlice> pieces, const TensorSlice& slice,
    absl::FunctionRef<absl::StatusOr<Tensor>(const TensorSlice& piece)> read) {
  SLUICE_ASSIGN(const Shape shape, slice.Within(whole));
  for (const TensorSlice& piece : pieces) {
    SLUICE_ASSIGN(const Shape same, piece.Within(whole));
    if (piece == slice || (same == whole && shape == whole)) return read(piece);
  }
  // Before memory is allocated: whether there are enough pieces.
  int64_t covered = 0;
  for (const TensorSlice& piece : pieces) {
    covered += OverlapOf(whole, piece, slice);
    if (covered > shape.num_elements()) break;
  }
  if (covered != shape.num_elements()) {
    return InvalidArgument("slice ", slice, " of ", whole,
                           " is not covered by the slices that the checkpoint has");
  }
  Tensor result;
  for (const TensorSlice& piece : pieces) {
    if (OverlapOf(whole, piece, slice) == 0) continue;
    SLUICE_ASSIGN(const Tensor values, read(piece));
    if (!result.valid()) {
      SLUICE_ASSIGN(result, Tensor::Allocate(CpuAllocator(), dtype, shape));
      // No writer makes pieces that overlap. They would leave holes.
      if (IsPlain(dtype)) std::memset(result.raw(), 0, result.bytes());
    }
    CopyOverlap(whole, piece, values, slice, &result);
  }
  if (!result.valid()) return Tensor::Allocate(CpuAllocator(), dtype, shape);
  return result;
}

}  // namespace sluice
