// SPDX-License-Identifier: Apache-2.0
// SparseToDense: fills with a default value, except at given positions.
#include "core/runtime/kernel_registry.h"
#include "core/tensor/variant.h"
#include "core/threads/cancel_scope.h"
#include "kernels/common/axis.h"
#include "kernels/common/elementwise.h"
#include "kernels/common/strided_copy.h"
#include "kernels/cpu/sparse/register.h"
#include "kernels/cpu/sparse/sparse.h"

namespace sluice::kernels {
namespace {

void CopyElement(DType dtype, const void* from, void* to) {
  (void)VisitWidth(dtype, [&]<typename T>(Type<T>) {
    *static_cast<T*>(to) = *static_cast<const T*>(from);
    return absl::OkStatus();
  });
}

struct SparseToDense {
  bool validate;

  static absl::StatusOr<SparseToDense> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(bool validate, node.Get<bool>("validate_indices"));
    return SparseToDense{validate};
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor &indices = ctx.input(0), &values = ctx.input(2), &fallback = ctx.input(3);
    if (indices.rank() > 2)
      return InvalidArgument("sparse_indices should be a scalar, vector, or matrix, got shape ",
                             indices.shape());
    if (ctx.input(1).rank() != 1) {
      return InvalidArgument("output_shape should be a vector, got shape ", ctx.input(1).shape());
    }
    SLUICE_ASSIGN(Shape shape, ShapeFrom(ctx.input(1)));
    const int64_t count = indices.rank() > 0 ? indices.dim(0) : 1,
                  depth = indices.rank() > 1 ? indices.dim(1) : 1;
    if (depth != shape.rank()) {
      return InvalidArgument("output_shape has incorrect number of elements: ", shape.rank(),
                             " should be: ", depth);
    }
    if (values.rank() > 1 || (values.rank() == 1 && values.dim(0) != count)) {
      return InvalidArgument("sparse_values has incorrect shape ", values.shape(),
                             ", should be [] or [", count, "]");
    }
    if (fallback.rank() != 0) return InvalidArgument("default_value should be a scalar.");
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, shape));
    if (shape.num_elements() > 0)
      FillElements(ctx.pool(), values.dtype(), fallback.raw(), out->raw(), shape.num_elements());
    const size_t element = ElementSize(values.dtype());
    int64_t before = -1;
    for (const int64_t i : Cancellable(count)) {
      SLUICE_ASSIGN(int64_t at, Place(indices, i, depth, shape));
      if (validate && at <= before) {
        return InvalidArgument("indices[", i, "] = ", RowText(indices, i, depth), " is ",
                               at == before ? "repeated" : kOutOfOrder);
      }
      before = at;
      CopyElement(values.dtype(), At(values.raw(), values.rank() == 0 ? 0 : i, element),
                  At(out->raw(), at, element));
    }
    return absl::OkStatus();
  }

 private:
  static std::string RowText(const Tensor& indices, int64_t i, int64_t depth) {
    std::string row;
    for (int64_t d = 0; d < depth; ++d)
      absl::StrAppend(&row, d == 0 ? "" : ",", IndexAt(indices, i * depth + d));
    return absl::StrCat("[", row, "]");
  }

  // Indices are checked even without validate_indices: an index outside would write outside the
  // tensor.
  absl::StatusOr<int64_t> Place(const Tensor& indices, int64_t i, int64_t depth,
                                const Shape& shape) const {
    int64_t at = 0;
    for (int64_t d = 0; d < depth; ++d) {
      const int64_t index = IndexAt(indices, i * depth + d), size = shape.dim(static_cast<int>(d));
      if (index < 0 || index >= size) {
        if (!validate)
          return InvalidArgument("Indices are not valid (out of bounds).  Shape: ", shape);
        return InvalidArgument("indices[", i, "] = ", RowText(indices, i, depth),
                               " is out of bounds: need 0 <= index < ", shape);
      }
      at = at * size + index;
    }
    return at;
  }
};

}  // namespace

void RegisterSparseToDense(KernelRegistry& kernels) {
  kernels.Add<SparseToDense>(
      "SparseToDense", kCpu,
      {{"T", kAnyType.Without({kResource, kVariant})}, {"Tindices", kIndex}});
}

}  // namespace sluice::kernels
