// SPDX-License-Identifier: Apache-2.0
#include "core/tensor/tensor.h"

#include "absl/base/internal/raw_logging.h"
#include "core/tensor/copy_bytes.h"
#include "core/tensor/resource.h"
#include "core/tensor/variant.h"

namespace sluice {
namespace {

template <typename T>
void AppendValue(std::string* out, const T& value) {
  if constexpr (std::is_same_v<T, bool>) {
    absl::StrAppend(out, value ? "true" : "false");
  } else if constexpr (std::is_same_v<T, int8_t> || std::is_same_v<T, uint8_t>) {
    absl::StrAppend(out, static_cast<int>(value));
  } else if constexpr (kIsNarrowFloat<T>) {
    absl::StrAppend(out, static_cast<float>(value));
  } else if constexpr (std::is_same_v<T, Complex64> || std::is_same_v<T, Complex128>) {
    absl::StrAppend(out, "(", value.real(), ",", value.imag(), ")");
  } else if constexpr (std::is_same_v<T, std::string>) {
    absl::StrAppend(out, "\"", value, "\"");
  } else if constexpr (std::is_same_v<T, ResourceHandle>) {
    absl::StrAppend(out, value.container, "/", value.name);
  } else if constexpr (std::is_same_v<T, Variant>) {
    absl::StrAppend(out, value.empty() ? "empty" : value.get()->type_name());
  } else if constexpr (std::is_arithmetic_v<T>) {
    absl::StrAppend(out, value);
  } else {
    absl::StrAppend(out, static_cast<int64_t>(value.value));  // quantised
  }
}

using QuantizedTypes = TypeList<Qint8, Quint8, Qint16, Quint16, Qint32>;
using PrintedTypes =
    Join<NumericTypes, Join<QuantizedTypes, TypeList<bool, std::string, ResourceHandle, Variant>>>;

std::string NoMemory(DType dtype, const Shape& shape) {
  return Cat("OOM when allocating tensor with shape", shape, " and type ", dtype);
}

}  // namespace

Tensor::Tensor(DType dtype, const Shape& shape)
    : Tensor(dtype, shape, Buffer::Allocate(CpuAllocator(), dtype, shape.num_elements())) {
  if (!buffer_) throw std::bad_alloc();
}

absl::StatusOr<Tensor> Tensor::Allocate(Allocator& allocator, DType dtype, const Shape& shape) {
  RefPtr<Buffer> buffer = Buffer::Allocate(allocator, dtype, shape.num_elements());
  if (!buffer)
    return ResourceExhausted(NoMemory(dtype, shape), " on ", allocator.name(),
                             allocator.Shortage(shape.num_elements(), SizeOf(dtype)));
  return Tensor(dtype, shape, std::move(buffer));
}

absl::StatusOr<Tensor> Tensor::Reshaped(const Shape& shape) const {
  if (shape.num_elements() != num_elements()) {
    return InvalidArgument("a tensor of shape ", shape_, " cannot take shape ", shape);
  }
  return Tensor(dtype_, shape, buffer_);
}

Tensor Tensor::Rows(int64_t begin, int64_t end) const {
  if (begin == 0 && end == dim(0)) return *this;
  Shape shape = shape_;
  shape.SetDim(0, end - begin);
  const int64_t row_elements = num_elements() == 0 ? 0 : num_elements() / dim(0);
  const size_t row = Buffer::ElementBytes(dtype_) * static_cast<size_t>(row_elements);
  return Tensor(dtype_, shape,
                Buffer::Slice(buffer_, static_cast<size_t>(begin) * row,
                              static_cast<size_t>(end - begin) * row));
}

absl::StatusOr<Tensor> Tensor::OnHost(DType dtype, const Shape& shape) {
  return Allocate(CpuAllocator(), dtype, shape);
}

void Tensor::EndOfHostAccess() const {
  ABSL_RAW_LOG(FATAL, "host code touches a tensor %s in the memory \"%s\"",
               Cat(dtype_, " ", shape_).c_str(),
               buffer_->allocator() != nullptr ? buffer_->allocator()->name().c_str() : "slice");
  std::abort();
}

absl::Status Tensor::CopyElements(Tensor& to) const {
  if (buffer_ && buffer_->device_only())
    return Internal("a tensor ", dtype_, " ", shape_, " in device memory is copied by the host");
  if (IsPlain(dtype_)) {
    CopyBytes(to.raw(), raw(), bytes());
    return absl::OkStatus();
  }
  return VisitDType(TypeList<std::string, ResourceHandle, Variant>{}, dtype_,
                    [&]<typename T>(Type<T>) {
                      std::copy_n(data<T>(), num_elements(), to.mutable_data<T>());
                      return absl::OkStatus();
                    });
}

absl::StatusOr<Tensor> Tensor::Copy() const {
  if (!valid()) return *this;
  SLUICE_ASSIGN(Tensor copy, OnHost(dtype_, shape_));
  SLUICE_RETURN_IF_ERROR(CopyElements(copy));
  return copy;
}

absl::StatusOr<Tensor> Tensor::Snapshot(Making make) const {
  if (!buffer_ || !buffer_->guard()) return *this;
  SLUICE_ASSIGN(Tensor copy, IsPlain(dtype_) ? make(dtype_, shape_) : OnHost(dtype_, shape_));
  absl::ReaderMutexLock lock(&buffer_->guard()->mu);
  SLUICE_RETURN_IF_ERROR(CopyElements(copy));
  return copy;
}

std::string Tensor::ToString(int max_values) const {
  std::string text = Cat(dtype_, " ", shape_, " {");
  if (buffer_ && buffer_->device_only()) return text + "in device memory}";
  if (buffer_) {
    const int64_t shown = std::min<int64_t>(num_elements(), max_values);
    (void)VisitDType(PrintedTypes{}, dtype_, [&]<typename T>(Type<T>) {
      for (int64_t i = 0; i < shown; ++i) {
        if (i > 0) text += ", ";
        AppendValue(&text, data<T>()[i]);
      }
      return absl::OkStatus();
    });
    if (shown < num_elements()) text += shown > 0 ? ", ..." : "...";
  }
  return text + "}";
}

absl::StatusOr<Shape::Dims> IntVector(const Tensor& tensor) {
  if (tensor.dtype() == kInt64) {
    const auto values = tensor.flat<int64_t>();
    return Shape::Dims(values.begin(), values.end());
  }
  if (tensor.dtype() == kInt32) {
    const auto values = tensor.flat<int32_t>();
    return Shape::Dims(values.begin(), values.end());
  }
  return InvalidArgument("expected int32 or int64, got ", tensor.dtype());
}

absl::StatusOr<Shape> ShapeFrom(const Tensor& tensor) {
  if (tensor.rank() != 1)
    return InvalidArgument("shape must be a vector of {int32,int64}, got shape ", tensor.shape());
  if (tensor.num_elements() > kMaxRank) {
    return InvalidArgument("shape has ", tensor.num_elements(), " dimensions, the limit is ",
                           kMaxRank);
  }
  SLUICE_ASSIGN(const Shape::Dims dims, IntVector(tensor));
  return Shape::Create(dims);
}

absl::StatusOr<int64_t> IntScalar(const Tensor& tensor) {
  if (tensor.num_elements() != 1)
    return InvalidArgument("expected one integer, got shape ", tensor.shape());
  if (tensor.dtype() == kInt64) return tensor.scalar<int64_t>();
  if (tensor.dtype() == kInt32) return tensor.scalar<int32_t>();
  return InvalidArgument("expected int32 or int64, got ", tensor.dtype());
}

}  // namespace sluice
