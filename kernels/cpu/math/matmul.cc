// SPDX-License-Identifier: Apache-2.0
// MatMul and its batched forms.
#include <algorithm>

#include "core/runtime/kernel_registry.h"
#include "kernels/cpu/common/gemm.h"
#include "kernels/cpu/common/try_each.h"
#include "kernels/cpu/math/register.h"

namespace sluice::kernels {
namespace {

using ProductTypes =
    TypeList<float, double, Half, Bfloat16, int32_t, int64_t, Complex64, Complex128>;

struct MatMul {
  bool transpose_a, transpose_b;

  static absl::StatusOr<MatMul> Create(const NodeSpec& node) {
    MatMul made;
    SLUICE_ASSIGN(made.transpose_a, node.Get<bool>("transpose_a"));
    SLUICE_ASSIGN(made.transpose_b, node.Get<bool>("transpose_b"));
    return made;
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor& a = ctx.input(0);
    const Tensor& b = ctx.input(1);
    if (a.rank() != 2) {
      return InvalidArgument("In[0] is not a matrix. Instead it has shape ", a.shape());
    }
    if (b.rank() != 2) {
      return InvalidArgument("In[1] is not a matrix. Instead it has shape ", b.shape());
    }
    const int64_t m = a.dim(transpose_a ? 1 : 0);
    const int64_t k = a.dim(transpose_a ? 0 : 1);
    const int64_t n = b.dim(transpose_b ? 0 : 1);
    if (k != b.dim(transpose_b ? 1 : 0)) {
      return InvalidArgument("Matrix size-incompatible: In[0]: ", a.shape(),
                             ", In[1]: ", b.shape());
    }
    SLUICE_ASSIGN(const Shape shape, Shape::Create({m, n}));
    SLUICE_ASSIGN(Tensor * product, ctx.AllocateOutput(0, shape));
    return VisitDType(ProductTypes{}, a.dtype(), [&]<typename T>(Type<T>) {
      return Gemm<T>(ctx.pool(), m, n, k, {a.data<T>(), a.dim(1), transpose_a},
                     {b.data<T>(), b.dim(1), transpose_b}, product->mutable_data<T>(), n);
    });
  }
};

// The flat position of a broadcast operand's matrix for each batch of the product.
std::vector<int64_t> BatchOffsets(absl::Span<const int64_t> batch, const Shape& operand) {
  const int missing = static_cast<int>(batch.size()) - (operand.rank() - 2);
  int64_t count = 1;
  for (int64_t size : batch) count *= size;
  std::vector<int64_t> offsets(count, 0);
  int64_t inner = 1;   // batches of the product per step of this dimension
  int64_t stride = 1;  // matrices of the operand per step
  for (int d = static_cast<int>(batch.size()) - 1; d >= missing; --d) {
    const int64_t size = operand.dim(d - missing);
    if (size != 1) {
      for (int64_t i = 0; i < count; ++i) offsets[i] += i / inner % batch[d] * stride;
    }
    inner *= batch[d];
    stride *= size;
  }
  return offsets;
}

struct BatchMatMul {
  bool adj_x, adj_y;
  bool broadcast;  // batch dimensions of size 1 broadcast

  static absl::StatusOr<BatchMatMul> Create(const NodeSpec& node) {
    BatchMatMul made;
    SLUICE_ASSIGN(made.adj_x, node.Get<bool>("adj_x"));
    SLUICE_ASSIGN(made.adj_y, node.Get<bool>("adj_y"));
    made.broadcast = node.op != "BatchMatMul";
    return made;
  }

  // The batch dimensions of the product.
  absl::StatusOr<Shape::Dims> Batch(const Shape& x, const Shape& y) const {
    if (!broadcast && x.rank() != y.rank()) {
      return InvalidArgument("In[0] and In[1] has different ndims: ", x, " vs. ", y);
    }
    if (x.rank() < 2) return InvalidArgument("In[0] ndims must be >= 2: ", x.rank());
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
        return InvalidArgument("In[0] and In[1] must have compatible batch dimensions: ", x,
                               " vs. ", y);
      }
      batch[d] = size_x == 1 ? size_y : size_x;
    }
    return batch;
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor& x = ctx.input(0);
    const Tensor& y = ctx.input(1);
    SLUICE_ASSIGN(Shape::Dims dims, Batch(x.shape(), y.shape()));
    const int64_t x_rows = x.dim(x.rank() - 2), x_cols = x.dim(x.rank() - 1);
    const int64_t y_rows = y.dim(y.rank() - 2), y_cols = y.dim(y.rank() - 1);
    const int64_t m = adj_x ? x_cols : x_rows, k = adj_x ? x_rows : x_cols;
    const int64_t n = adj_y ? y_rows : y_cols;
    if (k != (adj_y ? y_cols : y_rows)) {
      return InvalidArgument("In[0] mismatch In[1] shape: ", k, " vs. ", adj_y ? y_cols : y_rows,
                             ": ", x.shape(), " ", y.shape(), " ", int{adj_x}, " ", int{adj_y},
                             ". Matrix size-incompatible: In[0]: ", x.shape(),
                             ", In[1]: ", y.shape());
    }
    const int batch_rank = static_cast<int>(dims.size());
    dims.push_back(m);
    dims.push_back(n);
    SLUICE_ASSIGN(const Shape shape, Shape::Create(dims));
    SLUICE_ASSIGN(Tensor * product, ctx.AllocateOutput(0, shape));
    if (shape.num_elements() == 0) return absl::OkStatus();
    const auto batch = absl::MakeConstSpan(dims).first(batch_rank);
    const std::vector<int64_t> from_x = BatchOffsets(batch, x.shape());
    const std::vector<int64_t> from_y = BatchOffsets(batch, y.shape());
    return VisitDType(ProductTypes{}, x.dtype(), [&]<typename T>(Type<T>) {
      auto one = [&](WorkQueue* pool, int64_t i) {
        return Gemm<T>(pool, m, n, k,
                       {x.data<T>() + from_x[i] * x_rows * x_cols, x_cols, adj_x, adj_x},
                       {y.data<T>() + from_y[i] * y_rows * y_cols, y_cols, adj_y, adj_y},
                       product->mutable_data<T>() + i * m * n, n);
      };
      return RunBatch(ctx.pool(), static_cast<int64_t>(from_x.size()),
                      static_cast<double>(m * n) * static_cast<double>(k), one);
    });
  }

  // A few products are sharded one by one; many products are distributed over the threads.
  template <typename One>
  static absl::Status RunBatch(WorkQueue* pool, int64_t count, double multiplications,
                               const One& one) {
    if (pool == nullptr || count <= pool->num_threads()) {
      for (int64_t i = 0; i < count; ++i) SLUICE_RETURN_IF_ERROR(one(pool, i));
      return absl::OkStatus();
    }
    return TryEach(pool, count, 300 + multiplications / 16,
                   [&](int64_t i) { return one(nullptr, i); });
  }
};

// The hint that operands have many zeros is ignored: oneDNN on full matrices is faster.
struct SparseMatMul {
  bool transpose_a, transpose_b;

  static absl::StatusOr<SparseMatMul> Create(const NodeSpec& node) {
    SparseMatMul made;
    SLUICE_ASSIGN(made.transpose_a, node.Get<bool>("transpose_a"));
    SLUICE_ASSIGN(made.transpose_b, node.Get<bool>("transpose_b"));
    return made;
  }

  static absl::StatusOr<Tensor> AsFloat(const Tensor& x) {
    if (x.dtype() == kFloat) return x;
    SLUICE_ASSIGN(Tensor wide, Tensor::Allocate(CpuAllocator(), kFloat, x.shape()));
    std::copy_n(x.data<Bfloat16>(), x.num_elements(), wide.mutable_data<float>());
    return wide;
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor& a = ctx.input(0);
    const Tensor& b = ctx.input(1);
    if (a.rank() != 2) return InvalidArgument("a is not a matrix");
    if (b.rank() != 2) return InvalidArgument("b is not a matrix");
    const int64_t m = a.dim(transpose_a ? 1 : 0), k = a.dim(transpose_a ? 0 : 1);
    const int64_t n = b.dim(transpose_b ? 0 : 1);
    if (k != b.dim(transpose_b ? 1 : 0)) {
      return InvalidArgument("Matrix size incompatible: a: ", a.shape(), ", b: ", b.shape());
    }
    SLUICE_ASSIGN(const Tensor left, AsFloat(a));
    SLUICE_ASSIGN(const Tensor right, AsFloat(b));
    SLUICE_ASSIGN(const Shape shape, Shape::Create({m, n}));
    SLUICE_ASSIGN(Tensor * product, ctx.AllocateOutput(0, shape));
    return Gemm<float>(ctx.pool(), m, n, k, {left.data<float>(), a.dim(1), transpose_a},
                       {right.data<float>(), b.dim(1), transpose_b}, product->mutable_data<float>(),
                       n);
  }
};

}  // namespace

void RegisterMatMul(KernelRegistry& kernels) {
  constexpr DTypeSet types = SetOf(ProductTypes{});
  kernels.Add<MatMul>("MatMul", kCpu, {{"T", types}});
  kernels.Add<BatchMatMul>("BatchMatMul", kCpu, {{"T", types}});
  kernels.Add<BatchMatMul>("BatchMatMulV2", kCpu, {{"T", types}});
  constexpr DTypeSet narrow{kFloat, kBfloat16};
  kernels.Add<SparseMatMul>("SparseMatMul", kCpu, {{"Ta", narrow}, {"Tb", narrow}});
}

}  // namespace sluice::kernels
