// SPDX-License-Identifier: Apache-2.0
#include "kernels/common/math/matmul_plan.h"

#include <algorithm>

namespace sluice::kernels {
namespace {

// The batch of the product, whose sizes are `batch`, over operands of shapes x and y.
absl::InlinedVector<BatchDimension, 4> BatchOf(absl::Span<const int64_t> batch, const Shape& x,
                                               const Shape& y) {
  const int rank = static_cast<int>(batch.size());
  absl::InlinedVector<BatchDimension, 4> dimensions;  // the innermost first
  int64_t matrices_x = 1, matrices_y = 1;
  for (int d = rank - 1; d >= 0; --d) {
    const int in_x = d - (rank - (x.rank() - 2)), in_y = d - (rank - (y.rank() - 2));
    const int64_t size_x = in_x < 0 ? 1 : x.dim(in_x), size_y = in_y < 0 ? 1 : y.dim(in_y);
    if (batch[d] == 1) continue;
    const BatchDimension next{batch[d], size_x == 1 ? 0 : matrices_x, size_y == 1 ? 0 : matrices_y};
    matrices_x *= size_x;
    matrices_y *= size_y;
    if (!dimensions.empty()) {
      BatchDimension& inner = dimensions.back();
      if (next.matrices_a == inner.matrices_a * inner.size &&
          next.matrices_b == inner.matrices_b * inner.size) {
        inner.size *= next.size;
        continue;
      }
    }
    dimensions.push_back(next);
  }
  std::reverse(dimensions.begin(), dimensions.end());
  return dimensions;
}

}  // namespace

std::vector<int64_t> ProductPlan::Offsets(int64_t BatchDimension::*matrices) const {
  std::vector<int64_t> offsets{0};
  for (const BatchDimension& dimension : batch) {
    std::vector<int64_t> next;
    next.reserve(offsets.size() * dimension.size);
    for (int64_t offset : offsets) {
      for (int64_t i = 0; i < dimension.size; ++i) {
        next.push_back(offset + i * (dimension.*matrices));
      }
    }
    offsets = std::move(next);
  }
  return offsets;
}

absl::StatusOr<ProductOp> ProductOp::CreateMatMul(const NodeSpec& node) {
  ProductOp made;
  SLUICE_ASSIGN(made.transpose_a, node.Get<bool>("transpose_a"));
  SLUICE_ASSIGN(made.transpose_b, node.Get<bool>("transpose_b"));
  return made;
}

absl::StatusOr<ProductOp> ProductOp::CreateBatchMatMul(const NodeSpec& node) {
  ProductOp made;
  SLUICE_ASSIGN(made.transpose_a, node.Get<bool>("adj_x"));
  SLUICE_ASSIGN(made.transpose_b, node.Get<bool>("adj_y"));
  made.broadcast = node.op != "BatchMatMul";
  return made;
}

absl::StatusOr<ProductPlan> ProductOp::PlanMatMul(const Shape& a, const Shape& b) const {
  if (a.rank() != 2) {
    return InvalidArgument("In[0] is not a matrix. Instead it has shape ", a);
  }
  if (b.rank() != 2) {
    return InvalidArgument("In[1] is not a matrix. Instead it has shape ", b);
  }
  ProductPlan plan;
  plan.m = a.dim(transpose_a ? 1 : 0);
  plan.k = a.dim(transpose_a ? 0 : 1);
  plan.n = b.dim(transpose_b ? 0 : 1);
  if (plan.k != b.dim(transpose_b ? 1 : 0)) {
    return InvalidArgument("Matrix size-incompatible: In[0]: ", a, ", In[1]: ", b);
  }
  SLUICE_ASSIGN(plan.output, Shape::Create({plan.m, plan.n}));
  return plan;
}

// The batch dimensions of the product.
absl::StatusOr<Shape::Dims> ProductOp::Batch(const Shape& x, const Shape& y) const {
  if (!broadcast && x.rank() != y.rank()) {
    return InvalidArgument("In[0] and In[1] has different ndims: ", x, " vs. ", y);
  }
  if (x.rank() < 2) {
    return InvalidArgument(broadcast ? "In[0]" : "In[0] and In[1]",
                           " ndims must be >= 2: ", x.rank());
  }
  if (y.rank() < 2) return InvalidArgument("In[1] ndims must be >= 2: ", y.rank());
  const int rank = std::max(x.rank(), y.rank()) - 2;
  Shape::Dims batch(rank);
  for (int d = 0; d < rank; ++d) {
    const int in_x = d - (rank - (x.rank() - 2));
    const int in_y = d - (rank - (y.rank() - 2));
    const int64_t size_x = in_x < 0 ? 1 : x.dim(in_x);
    const int64_t size_y = in_y < 0 ? 1 : y.dim(in_y);
    if (size_x != size_y && !broadcast) {
      return InvalidArgument("In[0].dim(", d, ") and In[1].dim(", d, ") must be the same: ", x,
                             " vs ", y);
    }
    if (size_x != size_y && size_x != 1 && size_y != 1) {
      return InvalidArgument("In[0] and In[1] must have compatible batch dimensions: ", x, " vs. ",
                             y);
    }
    batch[d] = size_x == 1 ? size_y : size_x;
  }
  return batch;
}

absl::StatusOr<ProductPlan> ProductOp::PlanBatchMatMul(const Shape& x, const Shape& y) const {
  SLUICE_ASSIGN(Shape::Dims dims, Batch(x, y));
  const int64_t x_rows = x.dim(x.rank() - 2), x_cols = x.dim(x.rank() - 1);
  const int64_t y_rows = y.dim(y.rank() - 2), y_cols = y.dim(y.rank() - 1);
  ProductPlan plan;
  plan.m = transpose_a ? x_cols : x_rows;
  plan.k = transpose_a ? x_rows : x_cols;
  plan.n = transpose_b ? y_rows : y_cols;
  const int64_t y_depth = transpose_b ? y_cols : y_rows;
  if (plan.k != y_depth) {
    return InvalidArgument("In[0] mismatch In[1] shape: ", plan.k, " vs. ", y_depth, ": ", x, " ",
                           y, " ", int{transpose_a}, " ", int{transpose_b},
                           ". Matrix size-incompatible: In[0]: ", x, ", In[1]: ", y);
  }
  plan.batch = BatchOf(dims, x, y);
  dims.push_back(plan.m);
  dims.push_back(plan.n);
  SLUICE_ASSIGN(plan.output, Shape::Create(dims));
  return plan;
}

}  // namespace sluice::kernels
