// SPDX-License-Identifier: Apache-2.0
#include "kernels/any/dataset/batches.h"

#include <algorithm>
#include <utility>

#include "kernels/common/tensor_rows.h"

namespace sluice::kernels {
namespace {

constexpr int64_t kLargeRow = 64 << 10;  // bytes
// Bytes that a batch has at first, if it does not end earlier. Those of strings are written at once.
constexpr int64_t kFirstBytes = 4 << 20, kFirstBytesOfStrings = 256 << 10;

// Whether row `row` may follow the first one.
absl::Status CheckShape(const Shape& first, const Shape& shape, size_t component, int64_t row,
                        RowShapes shapes) {
  if (shape == first) return absl::OkStatus();
  if (shapes == RowShapes::kEqualCounts) {
    if (shape.num_elements() == first.num_elements()) return absl::OkStatus();
    return InvalidArgument(
        "Cannot add tensor to the batch: number of elements does not match. Shapes are: "
        "[tensor]: ",
        shape, ", [batch]: ", first);
  }
  return InvalidArgument("Cannot batch tensors with different shapes in component ", component,
                         ". First element had shape ", first, " and element ", row, " had shape ",
                         shape, ".");
}

absl::StatusOr<Shape> CommonShape(const std::vector<Element>& rows, size_t component,
                                  RowShapes shapes) {
  const Shape& first = rows[0][component].shape();
  for (size_t i = 1; i < rows.size(); ++i) {
    SLUICE_RETURN_IF_ERROR(
        CheckShape(first, rows[i][component].shape(), component, static_cast<int64_t>(i), shapes));
  }
  return first;
}

int64_t BytesOf(const Tensor& row) {
  return row.num_elements() * static_cast<int64_t>(Buffer::ElementBytes(row.dtype()));
}

// So many rows like `row`, which are not set.
absl::StatusOr<Tensor> RowsLike(const Tensor& row, int64_t count) {
  Shape::Dims dims = {count};
  for (const int64_t size : row.shape().dims()) dims.push_back(size);
  SLUICE_ASSIGN(const Shape shape, Shape::Create(dims));
  return Tensor::Allocate(CpuAllocator(), row.dtype(), shape);
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
      MoveIntoRow(element, static_cast<int64_t>(row), made);
    }
    batch.push_back(std::move(made));
  }
  return batch;
}

void GrowingBatch::Add(Element& row) {
  if (rows_ == 0) {
    const auto large = [](const Tensor& value) { return BytesOf(value) > kLargeRow; };
    holds_ = options_.padding || std::any_of(row.begin(), row.end(), large);
    parts_.resize(row.size());
  }
  if (holds_) {
    held_.push_back(std::exchange(row, {}));
  } else {
    for (size_t i = 0; i < parts_.size(); ++i) {
      Part& part = parts_[i];
      if (part.failed.ok()) part.failed = AddTo(part, i, row[i]);
    }
  }
  ++rows_;
}

absl::Status GrowingBatch::AddTo(Part& part, size_t component, Tensor& value) {
  if (rows_ == 0) part.shape = value.shape();
  if (value.shape() != part.shape) {
    SLUICE_RETURN_IF_ERROR(
        CheckShape(part.shape, value.shape(), component, rows_, options_.shapes));
    SLUICE_ASSIGN(value, value.Reshaped(part.shape));
  }
  if (rows_ == part.space) {
    const int64_t first = IsPlain(value.dtype()) ? kFirstBytes : kFirstBytesOfStrings;
    const int64_t space = rows_ == 0 ? first / std::max<int64_t>(1, BytesOf(value)) : 2 * rows_;
    part.space = std::min(options_.size, space);
    SLUICE_ASSIGN(part.values, rows_ == 0 ? RowsLike(value, part.space)
                                          : WithRows(std::move(part.values), part.space));
  }
  MoveIntoRow(value, rows_, part.values);
  return absl::OkStatus();
}

absl::StatusOr<Element> GrowingBatch::Finish() && {
  if (holds_)
    return BatchOf(std::move(held_), options_.padding ? &*options_.padding : nullptr,
                   options_.shapes);
  Element batch;
  for (Part& part : parts_) {
    SLUICE_RETURN_IF_ERROR(part.failed);
    if (rows_ < part.space) {
      SLUICE_ASSIGN(part.values, WithRows(std::move(part.values), rows_));
    }
    batch.push_back(std::move(part.values));
  }
  return batch;
}

}  // namespace sluice::kernels
