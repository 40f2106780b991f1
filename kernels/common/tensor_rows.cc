// SPDX-License-Identifier: Apache-2.0
#include "kernels/common/tensor_rows.h"

#include <algorithm>
#include <cstring>

#include "core/tensor/resource.h"
#include "core/tensor/variant.h"
#include "kernels/common/strided_copy.h"
#include "kernels/common/variables.h"

namespace sluice::kernels {
namespace {

char* At(const Tensor& tensor, int64_t element) {
  return static_cast<char*>(tensor.raw()) +
         static_cast<size_t>(element) * Buffer::ElementBytes(tensor.dtype());
}

}  // namespace

absl::Status MakeWritable(Tensor& tensor, DType type, const Shape& shape) {
  const bool fits = tensor.dtype() == type && tensor.shape() == shape && OwnsBytes(tensor);
  if (fits && tensor.buffer()->allocator() == &CpuAllocator()) return absl::OkStatus();
  SLUICE_ASSIGN(tensor, Tensor::Allocate(CpuAllocator(), type, shape));
  return absl::OkStatus();
}

absl::Status CopyRow(const Tensor& tensor, int64_t row, Tensor& to) {
  Shape shape = tensor.shape();
  shape.RemoveDim(0);
  SLUICE_RETURN_IF_ERROR(MakeWritable(to, tensor.dtype(), shape));
  const int64_t n = shape.num_elements();
  if (n == 0) return absl::OkStatus();
  if (IsPlain(tensor.dtype())) {
    std::memcpy(to.raw(), At(tensor, row * n), to.bytes());
    return absl::OkStatus();
  }
  return VisitWidth(tensor.dtype(), [&]<typename T>(Type<T>) {
    std::copy_n(tensor.data<T>() + row * n, n, to.mutable_data<T>());
    return absl::OkStatus();
  });
}

absl::StatusOr<Tensor> CopyOfRow(const Tensor& tensor, int64_t row) {
  Tensor copy;
  SLUICE_RETURN_IF_ERROR(CopyRow(tensor, row, copy));
  return copy;
}

void CopyIntoRow(const Tensor& element, int64_t row, const Tensor& batch) {
  if (element.num_elements() == 0) return;
  const int64_t row_size = batch.num_elements() / batch.dim(0);
  if (element.num_elements() == row_size && IsPlain(batch.dtype())) {
    std::memcpy(At(batch, row * row_size), element.raw(), element.bytes());
    return;
  }
  CopyDims dims;
  int64_t from = element.num_elements(), to = row_size;
  for (int d = 0; d < element.rank(); ++d) {
    from /= element.dim(d);
    to /= batch.dim(d + 1);
    dims.push_back({element.dim(d), from, to});
  }
  StridedCopy(nullptr, element.dtype(), std::move(dims), element.raw(), At(batch, row * row_size));
}

void MoveIntoRow(Tensor& element, int64_t row, const Tensor& batch) {
  const int64_t count = element.num_elements();
  if (element.dtype() != kString || count * batch.dim(0) != batch.num_elements() ||
      !OwnsBytes(element)) {
    return CopyIntoRow(element, row, batch);
  }
  std::string* const from = element.mutable_data<std::string>();
  std::move(from, from + count, static_cast<std::string*>(batch.raw()) + row * count);
}

absl::StatusOr<Tensor> WithRows(Tensor from, int64_t rows) {
  Shape::Dims dims(from.shape().dims().begin(), from.shape().dims().end());
  dims[0] = rows;
  SLUICE_ASSIGN(const Shape shape, Shape::Create(dims));
  SLUICE_ASSIGN(Tensor to, Tensor::Allocate(CpuAllocator(), from.dtype(), shape));
  const int64_t count = std::min(from.num_elements(), to.num_elements());
  SLUICE_RETURN_IF_ERROR(VisitWidth(from.dtype(), [&]<typename T>(Type<T>) {
    T* const begin = from.mutable_data<T>();
    std::move(begin, begin + count, to.mutable_data<T>());
    return absl::OkStatus();
  }));
  return to;
}

}  // namespace sluice::kernels
