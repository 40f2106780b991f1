// SPDX-License-Identifier: Apache-2.0
// Diagonals of tensors (Diag, DiagPart) and of batches of matrices (MatrixDiag, MatrixDiagPart,
// MatrixSetDiag in their three versions).
#include "absl/strings/match.h"
#include "core/tensor/variant.h"
#include "kernels/any/array/register.h"
#include "kernels/common/axis.h"
#include "kernels/common/elementwise.h"

namespace sluice::kernels {
namespace {

struct Diag {
  const Primitives* on = nullptr;

  absl::Status Run(KernelContext& ctx) const {
    const Tensor& x = ctx.input(0);
    if (x.rank() < 1) return InvalidArgument("Input must be at least rank 1, got 0");
    SLUICE_ASSIGN(Shape shape, JoinShapes(x.shape(), x.shape()));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, shape));
    if (shape.num_elements() == 0) return absl::OkStatus();
    SLUICE_RETURN_IF_ERROR(on->Zero(ctx, x.dtype(), out->raw(), shape.num_elements()));
    return on->StridedCopy(ctx, x.dtype(), {{x.num_elements(), 1, x.num_elements() + 1}}, x.raw(),
                           out->raw());
  }
};

struct DiagPart {
  const Primitives* on = nullptr;

  absl::Status Run(KernelContext& ctx) const {
    const Tensor& x = ctx.input(0);
    const int half = x.rank() / 2;
    if (x.rank() % 2 != 0 || x.rank() == 0)
      return InvalidArgument("The rank of the tensor should be even and positive, got shape ",
                             x.shape());
    for (int d = 0; d < half; ++d) {
      if (x.dim(d) != x.dim(d + half)) {
        return InvalidArgument("Invalid shape ", x.shape(), ": dimensions ", d, " and ", d + half,
                               " do not match.");
      }
    }
    const Shape shape = SubShape(x.shape(), 0, half);
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, shape));
    return on->StridedCopy(ctx, x.dtype(), {{shape.num_elements(), shape.num_elements() + 1, 1}},
                           x.raw(), out->raw());
  }
};

// Diagonals low..high of matrices [rows, columns], and the padding of shorter ones to the length of
// the longest.
struct Diagonals {
  int64_t low = 0, high = 0;
  int64_t rows = 0, columns = 0;
  bool right_upper = false,
       right_lower = false;  // aligned at the right: diagonals >= 0, diagonals < 0

  int64_t count() const { return high - low + 1; }
  int64_t length(int64_t d) const {
    return std::max<int64_t>(
        0, std::min(rows + std::min<int64_t>(d, 0), columns - std::max<int64_t>(d, 0)));
  }
  int64_t longest() const {
    return std::max<int64_t>(
        0, std::min(rows + std::min<int64_t>(high, 0), columns - std::max<int64_t>(low, 0)));
  }
  // The offset of diagonal d in its row of `longest()` elements.
  int64_t indent(int64_t d) const {
    return (d >= 0 ? right_upper : right_lower) ? longest() - length(d) : 0;
  }
  int64_t first(int64_t d) const { return d >= 0 ? d : -d * columns; }  // flat index in the matrix

  absl::Status CheckRange() const {
    const auto inside = [&](int64_t d) { return (-rows < d && d < columns) || d == 0; };
    if (!inside(low))
      return InvalidArgument("lower_diag_index is out of bound: ", low, ". It must be between ",
                             -rows, " and ", columns);
    if (!inside(high))
      return InvalidArgument("upper_diag_index is out of bound: ", high, " It must be between ",
                             -rows, " and ", columns);
    if (low > high)
      return InvalidArgument("lower_diag_index must not be larger than upper_diag_index: ", low,
                             " > ", high);
    return absl::OkStatus();
  }

  absl::Status ReadRange(const Tensor& k) {
    if (k.rank() > 1)
      return InvalidArgument("diag_index must be a scalar or vector, received shape: ", k.shape());
    if (k.num_elements() < 1 || k.num_elements() > 2) {
      return InvalidArgument("diag_index must have only one or two elements, received ",
                             k.num_elements(), " elements.");
    }
    low = IndexAt(k, 0);
    high = IndexAt(k, k.num_elements() - 1);
    return absl::OkStatus();
  }

  absl::Status ReadAlignment(const NodeSpec& node) {
    const std::string align = GetAttrOr<std::string>(node.attrs, "align", "LEFT_LEFT");
    if (align != "LEFT_LEFT" && align != "LEFT_RIGHT" && align != "RIGHT_LEFT" &&
        align != "RIGHT_RIGHT") {
      return InvalidArgument("unknown align \"", align, "\"");
    }
    right_upper = absl::StartsWith(align, "RIGHT");
    right_lower = absl::EndsWith(align, "RIGHT");
    return absl::OkStatus();
  }

  // The shape of `batch` sets of diagonals: a single diagonal has no dimension for the set.
  absl::StatusOr<Shape> PackedShape(const Shape& batch) const {
    return JoinShapes(batch, count() == 1 ? Shape{longest()} : Shape{count(), longest()});
  }

  // Copies between matrices and packed diagonals.
  absl::Status Copy(KernelContext& ctx, const Primitives& on, DType dtype, int64_t batch,
                    const void* from, void* to, bool to_matrix) const {
    const size_t element = ElementSize(dtype);
    for (int64_t d = low; d <= high; ++d) {
      const int64_t packed = (high - d) * longest() + indent(d);
      CopyDims dims{{batch, rows * columns, count() * longest()}, {length(d), columns + 1, 1}};
      int64_t read = first(d), write = packed;
      if (to_matrix) {
        for (CopyDim& dim : dims) std::swap(dim.from, dim.to);
        std::swap(read, write);
      }
      if (length(d) == 0 || batch == 0) continue;
      SLUICE_RETURN_IF_ERROR(
          on.StridedCopy(ctx, dtype, dims, At(from, read, element), At(to, write, element)));
    }
    return absl::OkStatus();
  }
};

absl::Status FillOrZero(KernelContext& ctx, const Primitives& on, Tensor& out, int padding_input) {
  if (out.num_elements() == 0) return absl::OkStatus();
  if (ctx.num_inputs() > padding_input) {
    const Tensor& padding = ctx.input(padding_input);
    if (padding.num_elements() != 1)
      return InvalidArgument("padding_value must have only one element, received shape ",
                             padding.shape());
    return on.Fill(ctx, out.dtype(), padding.raw(), out.raw(), out.num_elements());
  }
  return on.Zero(ctx, out.dtype(), out.raw(), out.num_elements());
}

struct MatrixDiagPart {
  Diagonals wanted;
  const Primitives* on = nullptr;

  static absl::StatusOr<MatrixDiagPart> Create(const NodeSpec& node) {
    MatrixDiagPart kernel;
    SLUICE_RETURN_IF_ERROR(kernel.wanted.ReadAlignment(node));
    return kernel;
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor& x = ctx.input(0);
    if (x.rank() < 2)
      return InvalidArgument("input must be at least 2-dim, received shape: ", x.shape());
    Diagonals diagonals = wanted;
    if (ctx.num_inputs() > 1) SLUICE_RETURN_IF_ERROR(diagonals.ReadRange(ctx.input(1)));
    diagonals.rows = x.dim(x.rank() - 2);
    diagonals.columns = x.dim(x.rank() - 1);
    SLUICE_RETURN_IF_ERROR(diagonals.CheckRange());
    const Shape batch = SubShape(x.shape(), 0, x.rank() - 2);
    SLUICE_ASSIGN(Shape shape, diagonals.PackedShape(batch));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, shape));
    SLUICE_RETURN_IF_ERROR(FillOrZero(ctx, *on, *out, 2));
    if (shape.num_elements() == 0) return absl::OkStatus();
    return diagonals.Copy(ctx, *on, x.dtype(), batch.num_elements(), x.raw(), out->raw(), false);
  }
};

struct MatrixDiag {
  Diagonals given;
  const Primitives* on = nullptr;

  static absl::StatusOr<MatrixDiag> Create(const NodeSpec& node) {
    MatrixDiag kernel;
    SLUICE_RETURN_IF_ERROR(kernel.given.ReadAlignment(node));
    return kernel;
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor& x = ctx.input(0);
    if (x.rank() < 1)
      return InvalidArgument("diagonal must be at least 1-dim, received shape: ", x.shape());
    Diagonals diagonals = given;
    if (ctx.num_inputs() > 1) SLUICE_RETURN_IF_ERROR(diagonals.ReadRange(ctx.input(1)));
    if (diagonals.low > diagonals.high) {
      return InvalidArgument("lower_diag_index must not be larger than upper_diag_index: ",
                             diagonals.low, " > ", diagonals.high);
    }
    const bool one = diagonals.count() == 1;
    if (!one && (x.rank() < 2 || x.dim(x.rank() - 2) != diagonals.count())) {
      return InvalidArgument(
          "The number of diagonals provided in the input does not match the lower_diag_index and "
          "upper_diag_index range: shape ",
          x.shape(), ", range ", diagonals.low, " to ", diagonals.high);
    }
    SLUICE_RETURN_IF_ERROR(FindSize(ctx, x.dim(x.rank() - 1), diagonals));
    const Shape batch = SubShape(x.shape(), 0, x.rank() - (one ? 1 : 2));
    SLUICE_ASSIGN(Shape shape, JoinShapes(batch, Shape{diagonals.rows, diagonals.columns}));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, shape));
    SLUICE_RETURN_IF_ERROR(FillOrZero(ctx, *on, *out, 4));
    if (shape.num_elements() == 0 || x.num_elements() == 0) return absl::OkStatus();
    return diagonals.Copy(ctx, *on, x.dtype(), batch.num_elements(), x.raw(), out->raw(), true);
  }

 private:
  // The matrix's size: the given one, or the smallest that holds the diagonals; square if no size
  // is given.
  static absl::Status FindSize(const KernelContext& ctx, int64_t longest, Diagonals& diagonals) {
    int64_t rows = -1, columns = -1;
    if (ctx.num_inputs() > 3) {
      if (ctx.input(2).num_elements() != 1) return InvalidArgument("num_rows must be a scalar");
      if (ctx.input(3).num_elements() != 1) return InvalidArgument("num_cols must be a scalar");
      rows = IndexAt(ctx.input(2), 0);
      columns = IndexAt(ctx.input(3), 0);
    }
    const int64_t least_rows = longest - std::min<int64_t>(diagonals.high, 0);
    const int64_t least_columns = longest + std::max<int64_t>(diagonals.low, 0);
    if (rows != -1 && rows < least_rows)
      return InvalidArgument("The number of rows is too small: ", rows, " < ", least_rows);
    if (columns != -1 && columns < least_columns)
      return InvalidArgument("The number of columns is too small: ", columns, " < ", least_columns);
    if (rows == -1 && columns == -1) {
      rows = columns = std::max(least_rows, least_columns);
    } else if (rows == -1) {
      rows = least_rows;
    } else if (columns == -1) {
      columns = least_columns;
    }
    if (rows != least_rows && columns != least_columns) {
      return InvalidArgument(
          "The number of rows or columns is not consistent with the specified d_lower, d_upper, "
          "and diagonal");
    }
    diagonals.rows = rows;
    diagonals.columns = columns;
    // An empty diagonal may be outside of its matrix.
    return longest == 0 ? absl::OkStatus() : diagonals.CheckRange();
  }
};

struct MatrixSetDiag {
  Diagonals given;
  const Primitives* on = nullptr;

  static absl::StatusOr<MatrixSetDiag> Create(const NodeSpec& node) {
    MatrixSetDiag kernel;
    SLUICE_RETURN_IF_ERROR(kernel.given.ReadAlignment(node));
    return kernel;
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor diagonal = ctx.input(1);
    const Shape shape = ctx.input(0).shape();
    if (shape.rank() < 2)
      return InvalidArgument("input must be at least 2-dim, received shape: ", shape);
    if (diagonal.rank() < 1)
      return InvalidArgument("diagonal must be at least 1-dim, received shape: ", diagonal.shape());
    Diagonals diagonals = given;
    if (ctx.num_inputs() > 2) SLUICE_RETURN_IF_ERROR(diagonals.ReadRange(ctx.input(2)));
    diagonals.rows = shape.dim(shape.rank() - 2);
    diagonals.columns = shape.dim(shape.rank() - 1);
    SLUICE_RETURN_IF_ERROR(diagonals.CheckRange());
    const Shape batch = SubShape(shape, 0, shape.rank() - 2);
    SLUICE_ASSIGN(Shape expected, diagonals.PackedShape(batch));
    if (!(diagonal.shape() == expected)) {
      return InvalidArgument(
          "Either first dimensions of diagonal don't match input.shape[:-2], or "
          "diagonal.shape[:-1] is not equal to the longests diagonal in range "
          "[lower_diag_index:upper_diag_index].\nInput shape: ",
          shape, "\nDiagonal shape: ", diagonal.shape(), "\nExpected diagonal shape: ", expected);
    }
    const void* before = ctx.input(0).raw();
    const DType dtype = ctx.input(0).dtype();
    SLUICE_ASSIGN(Tensor * out, ctx.ForwardOrAllocate({0}, 0, shape));
    if (shape.num_elements() == 0) return absl::OkStatus();
    if (out->raw() != before)
      SLUICE_RETURN_IF_ERROR(on->Copy(ctx, dtype, before, out->raw(), shape.num_elements()));
    return diagonals.Copy(ctx, *on, dtype, batch.num_elements(), diagonal.raw(), out->raw(), true);
  }
};

}  // namespace

void RegisterDiagonal(KernelRegistry& kernels, const Primitives& on) {
  const DTypeSet values = kNumeric | DTypeSet(kBool);
  const std::vector<TypeConstraint> types = {{"T", values}};
  AddOn<Diag>(kernels, on, "Diag", {{"T", kNumeric}});
  AddOn<DiagPart>(kernels, on, "DiagPart", {{"T", kNumeric}});
  for (const char* op : {"MatrixDiag", "BatchMatrixDiag"})
    AddOn<MatrixDiag>(kernels, on, op, types);
  for (const char* op : {"MatrixDiagV2", "MatrixDiagV3"}) {
    AddOn<MatrixDiag>(kernels, on, op, types,
                      HostMemory{"k", "num_rows", "num_cols", "padding_value"});
  }
  for (const char* op : {"MatrixDiagPart", "BatchMatrixDiagPart"})
    AddOn<MatrixDiagPart>(kernels, on, op, types);
  for (const char* op : {"MatrixDiagPartV2", "MatrixDiagPartV3"})
    AddOn<MatrixDiagPart>(kernels, on, op, types, HostMemory{"k", "padding_value"});
  for (const char* op : {"MatrixSetDiag", "BatchMatrixSetDiag"})
    AddOn<MatrixSetDiag>(kernels, on, op, types);
  for (const char* op : {"MatrixSetDiagV2", "MatrixSetDiagV3"})
    AddOn<MatrixSetDiag>(kernels, on, op, types, HostMemory{"k"});
}

}  // namespace sluice::kernels
