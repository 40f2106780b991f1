// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_CORE_IO_CHECKPOINT_TENSOR_SLICE_H_
#define SLUICE_CORE_IO_CHECKPOINT_TENSOR_SLICE_H_

#include <cstdint>
#include <initializer_list>
#include <string>

#include "absl/container/inlined_vector.h"
#include "absl/functional/function_ref.h"
#include "core/tensor/shape.h"
#include "core/tensor/tensor.h"

namespace sluice {

namespace proto {
class TensorSliceProto;
}  // namespace proto

// A TensorSlice is a box within a tensor: a range, or everything, in each dimension.
class TensorSlice {
 public:
  static constexpr int64_t kWhole = -1;
  struct Extent {
    int64_t start = 0;
    int64_t length = kWhole;
    bool operator==(const Extent&) const = default;
  };

  TensorSlice() = default;
  static TensorSlice Whole(int rank);
  static TensorSlice Of(std::initializer_list<Extent> extents);  // from trusted values
  // "0,10:-:3,4": start and length, or - for a whole dimension. INVALID_ARGUMENT for others.
  static absl::StatusOr<TensorSlice> Parse(absl::string_view text);
  static absl::StatusOr<TensorSlice> Decode(const proto::TensorSliceProto& from);
  void Encode(proto::TensorSliceProto* to) const;

  int rank() const { return static_cast<int>(extents_.size()); }
  const Extent& extent(int i) const { return extents_[i]; }
  // The shape of this slice of a tensor of that shape. INVALID_ARGUMENT if it exceeds the tensor.
  absl::StatusOr<Shape> Within(const Shape& whole) const;
  bool operator==(const TensorSlice& other) const { return extents_ == other.extents_; }
  std::string ToString() const;

  // The key of a slice in the tables of checkpoints.
  std::string KeyOf(absl::string_view tensor) const;

 private:
  absl::InlinedVector<Extent, 4> extents_;
};

// Parses "d0 d1 ... slice": a tensor's full shape and a slice of it. Checks slice_shape.
struct ShapeAndSlice {
  Shape shape, slice_shape;
  TensorSlice slice;
  static absl::StatusOr<ShapeAndSlice> Parse(absl::string_view text);
};

// Reads a slice of a tensor that is stored in pieces. `read` is called for the pieces that overlap
// the slice. INVALID_ARGUMENT if they do not cover it, or overlap each other.
// REQUIRES: the pieces lie within `whole`; the tensor from `read` has the piece's shape.
absl::StatusOr<Tensor> Assemble(
    DType dtype, const Shape& whole, absl::Span<const TensorSlice> pieces, const TensorSlice& slice,
    absl::FunctionRef<absl::StatusOr<Tensor>(const TensorSlice& piece)> read);

// Copies the overlap of two slices of one tensor. `from` holds the elements of `from_slice`, `to`
// those of `to_slice`. Returns the number of elements.
// REQUIRES: both lie within `whole`; from.dtype() == to->dtype().
int64_t CopyOverlap(const Shape& whole, const TensorSlice& from_slice, const Tensor& from,
                    const TensorSlice& to_slice, Tensor* to);
// The number of elements of the overlap.
int64_t OverlapOf(const Shape& whole, const TensorSlice& a, const TensorSlice& b);

}  // namespace sluice

#endif  // SLUICE_CORE_IO_CHECKPOINT_TENSOR_SLICE_H_
