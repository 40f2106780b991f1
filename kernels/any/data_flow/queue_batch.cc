// SPDX-License-Identifier: Apache-2.0
#include "kernels/any/data_flow/queue_batch.h"

#include <algorithm>
#include <cstring>

#include "kernels/common/tensor_rows.h"

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

}  // namespace

absl::StatusOr<QueueElement> RowOf(const QueueElement& batch, int64_t row) {
  QueueElement element;
  for (const Tensor& component : batch) {
    SLUICE_ASSIGN(Tensor value, CopyOfRow(component, row));
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
    CopyIntoRow(elements[row][component], static_cast<int64_t>(row), batch);
  }
  ctx.SetOutput(output, std::move(batch));
  return absl::OkStatus();
}

}  // namespace sluice::kernels
