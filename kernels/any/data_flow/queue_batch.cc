// SPDX-License-Identifier: Apache-2.0
#include "kernels/any/data_flow/queue_batch.h"

#include <algorithm>
#include <cstring>

#include "core/tensor/variant.h"
#include "kernels/common/strided_copy.h"

namespace sluice::kernels {
namespace {

absl::StatusOr<Shape> BatchShape(absl::Span<const QueueElement> elements, size_t component,
                                 const PartialShape& shape) {
  Shape::Dims dims = {static_cast<int64_t>(elements.size())};
  for (int d = 0; d < shape.rank(); ++d) {
    int64_t size = std::max<int64_t>(shape.dim(d), 0);
    if (shape.dim(d) < 0) {
      for (const QueueElement& element : elements) {
        size = std::max(size, element[component].dim(d));
      }
    }
    dims.push_back(size);
  }
  return Shape::Create(dims);
}

char* At(const Tensor& tensor, int64_t element) {
  return static_cast<char*>(tensor.raw()) +
         static_cast<size_t>(element) * Buffer::ElementBytes(tensor.dtype());
}

// Copies an element into row `row` of a batch whose rows are at least as large in every dimension.
void CopyIntoRow(const Tensor& element, int64_t row, const Tensor& batch) {
  const int64_t row_size = batch.num_elements() / batch.dim(0);
  CopyDims dims;
  int64_t from = element.num_elements(), to = row_size;
  for (int d = 0; d < element.rank(); ++d) {
    from /= element.dim(d);
    to /= batch.dim(d + 1);
    dims.push_back({element.dim(d), from, to});
  }
  StridedCopy(nullptr, element.dtype(), std::move(dims), element.raw(), At(batch, row * row_size));
}

}  // namespace

absl::StatusOr<QueueElement> RowOf(const QueueElement& batch, int64_t row) {
  QueueElement element;
  for (const Tensor& component : batch) {
    Shape shape = component.shape();
    shape.RemoveDim(0);
    SLUICE_ASSIGN(Tensor value, Tensor::Allocate(CpuAllocator(), component.dtype(), shape));
    const int64_t n = shape.num_elements();
    if (IsPlain(component.dtype())) {
      if (n > 0) std::memcpy(value.raw(), At(component, row * n), value.bytes());
    } else {
      SLUICE_RETURN_IF_ERROR(VisitWidth(component.dtype(), [&]<typename T>(Type<T>) {
        std::copy_n(component.data<T>() + row * n, n, value.mutable_data<T>());
        return absl::OkStatus();
      }));
    }
    element.push_back(std::move(value));
  }
  return element;
}

absl::Status SetBatch(KernelContext& ctx, int output, absl::Span<const QueueElement> elements,
                      size_t component, const PartialShape& shape) {
  SLUICE_ASSIGN(const Shape batch_shape, BatchShape(elements, component, shape));
  // In host memory, the elements must exist too.
  SLUICE_ASSIGN(Tensor batch,
                Tensor::Allocate(CpuAllocator(), ctx.output_type(output), batch_shape));
  if (!shape.fully_known() && IsPlain(batch.dtype()) && batch.bytes() > 0)
    std::memset(batch.raw(), 0, batch.bytes());
  for (size_t row = 0; row < elements.size(); ++row) {
    const Tensor& value = elements[row][component];
    if (value.num_elements() > 0) CopyIntoRow(value, static_cast<int64_t>(row), batch);
  }
  ctx.SetOutput(output, std::move(batch));
  return absl::OkStatus();
}

}  // namespace sluice::kernels
