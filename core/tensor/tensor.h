// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_CORE_TENSOR_TENSOR_H_
#define SLUICE_CORE_TENSOR_TENSOR_H_

#include <algorithm>
#include <string>
#include <utility>

#include "absl/functional/function_ref.h"
#include "absl/types/span.h"
#include "core/tensor/buffer.h"
#include "core/tensor/dtype.h"
#include "core/tensor/shape.h"

namespace sluice {

// A Tensor is a dtype, a shape and a shared buffer; a copy shares the bytes. By convention, shared
// tensors are not written: writers make their own, or hold the only reference (unique()).
class Tensor {
 public:
  Tensor() = default;  // dtype kInvalid: it has no value
  // Allocates in host memory, for trusted sizes: throws std::bad_alloc if memory is short.
  Tensor(DType dtype, const Shape& shape);
  Tensor(DType dtype, const Shape& shape, RefPtr<Buffer> buffer)
      : dtype_(dtype), shape_(shape), buffer_(std::move(buffer)) {}
  // RESOURCE_EXHAUSTED if memory is short.
  static absl::StatusOr<Tensor> Allocate(Allocator& allocator, DType dtype, const Shape& shape);

  template <typename T>
  static Tensor Scalar(T value) {
    Tensor t(kDTypeOf<T>, Shape{});
    *t.mutable_data<T>() = std::move(value);
    return t;
  }
  template <typename T>
  static Tensor Of(const Shape& shape,
                   absl::Span<const T> values);  // REQUIRES: as many values as elements
  template <typename T>
  static Tensor Vector(absl::Span<const T> values) {
    return Of<T>(Shape{static_cast<int64_t>(values.size())}, values);
  }

  DType dtype() const { return dtype_; }
  const Shape& shape() const { return shape_; }
  int rank() const { return shape_.rank(); }
  int64_t dim(int i) const { return shape_.dim(i); }
  int64_t num_elements() const { return shape_.num_elements(); }
  size_t bytes() const {
    return static_cast<size_t>(num_elements()) * SizeOf(dtype_);
  }  // plain types
  bool valid() const { return dtype_ != kInvalid; }

  // REQUIRES: T is the element type (or a type of VisitWidth with the same width). Ends the program
  // if host code may not access the device's memory.
  template <typename T>
  const T* data() const {
    return static_cast<const T*>(HostBytes());
  }
  template <typename T>
  T* mutable_data() {
    return static_cast<T*>(HostBytes());
  }
  template <typename T>
  absl::Span<const T> flat() const {
    return absl::Span<const T>(data<T>(), static_cast<size_t>(num_elements()));
  }
  template <typename T>
  absl::Span<T> mutable_flat() {
    return absl::Span<T>(mutable_data<T>(), static_cast<size_t>(num_elements()));
  }
  template <typename T>
  const T& scalar() const {
    return *data<T>();
  }  // REQUIRES: at least one element
  // The address, in any kind of memory.
  void* raw() const { return buffer_ ? buffer_->data() : nullptr; }
  // Whether the host may read the bytes now, without a call to a device. True for a tensor without
  // bytes.
  bool host_readable() const { return !buffer_ || buffer_->host_readable(); }

  const RefPtr<Buffer>& buffer() const { return buffer_; }
  bool unique() const { return buffer_ && buffer_->unique(); }
  // Releases the bytes.
  // REQUIRES: there are some; see RefPtr::reset_twin.
  void DropTwin() { buffer_.reset_twin(); }

  // The same bytes with another shape. INVALID_ARGUMENT unless the element counts agree.
  absl::StatusOr<Tensor> Reshaped(const Shape& shape) const;
  // Rows [begin, end) of dimension 0, sharing the bytes. REQUIRES: rank >= 1, 0 <= begin <= end <=
  // dim(0).
  Tensor Rows(int64_t begin, int64_t end) const;
  // A copy with its own bytes in host memory. INTERNAL if the bytes are in a device's memory, which
  // the device copies (core/runtime/device.h).
  absl::StatusOr<Tensor> Copy() const;
  // A tensor that may leave the task: this one, or a copy if a reference variable may still write
  // its bytes. `make` allocates memory for a plain dtype.
  using Making = absl::FunctionRef<absl::StatusOr<Tensor>(DType, const Shape&)>;
  absl::StatusOr<Tensor> Snapshot() const { return Snapshot(OnHost); }
  absl::StatusOr<Tensor> Snapshot(Making make) const;

  std::string ToString(int max_values = 8) const;  // "float [2,2] {1, 2, 3, 4}"

 private:
  void* HostBytes() const {
    if (!buffer_) return nullptr;
    if (buffer_->device_only()) EndOfHostAccess();
    return buffer_->data();
  }
  [[noreturn]] void EndOfHostAccess() const;
  static absl::StatusOr<Tensor> OnHost(DType dtype, const Shape& shape);
  absl::Status CopyElements(Tensor& to) const;

  DType dtype_ = kInvalid;
  Shape shape_;
  RefPtr<Buffer> buffer_;
};

// An index tensor (int32 or int64, any shape) as int64 values.
absl::StatusOr<Shape::Dims> IntVector(const Tensor& tensor);
// A shape given as a 1-D int32 or int64 tensor, checked.
absl::StatusOr<Shape> ShapeFrom(const Tensor& tensor);
// An int32 or int64 scalar (or one-element tensor).
absl::StatusOr<int64_t> IntScalar(const Tensor& tensor);

template <typename T>
Tensor Tensor::Of(const Shape& shape, absl::Span<const T> values) {
  Tensor t(kDTypeOf<T>, shape);
  std::copy(values.begin(), values.end(), t.mutable_data<T>());
  return t;
}

}  // namespace sluice

#endif  // SLUICE_CORE_TENSOR_TENSOR_H_
