// SPDX-License-Identifier: Apache-2.0
#include "kernels/any/dataset/batches.h"

#include <algorithm>

#include "kernels/common/tensor_rows.h"

namespace sluice::kernels {
namespace {

absl::StatusOr<Shape> CommonShape(const std::vector<Element>& rows, size_t component,
                                  RowShapes shapes) {
  const Shape& first = rows[0][component].shape();
  for (size_t i = 1; i < rows.size(); ++i) {
    const Shape& shape = rows[i][component].shape();
    if (shape == first) continue;
    if (shapes == RowShapes::kEqualCounts) {
      if (shape.num_elements() == first.num_elements()) continue;
      return InvalidArgument(
          "Cannot add tensor to the batch: number of elements does not match. Shapes are: "
          "[tensor]: ",
          shape, ", [batch]: ", first);
    }
    return InvalidArgument("Cannot batch tensors with different shapes in component ", component,
                           ". First element had shape ", first, " and element ", i, " had shape ",
                           shape, ".");
  }
  return first;
}

absl::StatusOr<Shape> PaddedShape(const std::vector<Element>& rows, size_t component,
                                  const PartialShape& wanted) {
  Shape::Dims dims;
  for (int d = 0; d < wanted.rank(); ++d) dims.push_back(std::max<int64_t>(0, wanted.dim(d)));
  for (const Element& row : rows) {
    const Tensor& element = row[component];
    if (element.rank() != wanted.rank()) {
      return InvalidArgument(
          "All elements in a batch must have the same rank as the padded shape "
          "for component",
          component, ": expected rank ", wanted.rank(), " but got element with rank ",
          element.rank());
    }
    for (int d = 0; d < wanted.rank(); ++d) {
      if (wanted.dim(d) < 0) {
        dims[static_cast<size_t>(d)] = std::max(dims[static_cast<size_t>(d)], element.dim(d));
      } else if (element.dim(d) > wanted.dim(d)) {
        return DataLoss("Attempted to pad to a smaller size than the input element.");
      }
    }
  }
  return Shape::Create(dims);
}

absl::Status Fill(const Tensor& value, Tensor& batch) {
  return VisitWidth(batch.dtype(), [&]<typename T>(Type<T>) {
    std::fill_n(batch.mutable_data<T>(), batch.num_elements(), *value.data<T>());
    return absl::OkStatus();
  });
}

}  // namespace

absl::StatusOr<Element> BatchOf(std::vector<Element> rows, const Padding* padding,
                                RowShapes shapes) {
  Element batch;
  for (size_t component = 0; component < rows[0].size(); ++component) {
    absl::StatusOr<Shape> shape = padding == nullptr
                                      ? CommonShape(rows, component, shapes)
                                      : PaddedShape(rows, component, padding->shapes[component]);
    if (!shape.ok()) return shape.status();
    Shape::Dims dims = {static_cast<int64_t>(rows.size())};
    for (int d = 0; d < shape->rank(); ++d) dims.push_back(shape->dim(d));
    SLUICE_ASSIGN(const Shape whole, Shape::Create(dims));
    SLUICE_ASSIGN(Tensor made, Tensor::Allocate(CpuAllocator(), rows[0][component].dtype(), whole));
    const auto fits = [&](const Element& row) { return row[component].shape() == *shape; };
    if (padding != nullptr && !std::all_of(rows.begin(), rows.end(), fits))
      SLUICE_RETURN_IF_ERROR(Fill(padding->values[component], made));
    for (size_t row = 0; row < rows.size(); ++row) {
      Tensor element = std::move(rows[row][component]);
      if (padding == nullptr && element.shape() != *shape) {
        SLUICE_ASSIGN(element, element.Reshaped(*shape));
      }
      MoveIntoRow(std::move(element), static_cast<int64_t>(row), made);
    }
    batch.push_back(std::move(made));
  }
  return batch;
}

}  // namespace sluice::kernels
