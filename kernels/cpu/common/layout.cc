// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/common/layout.h"

#include <algorithm>

namespace sluice::kernels {
namespace {

// Copies [batch, rows, cols] to [batch, cols, rows].
template <typename T>
void Transpose(const T* in, int64_t batch, int64_t rows, int64_t cols, T* out, WorkQueue* pool) {
  constexpr int64_t kTile = 16;  // both sides of a tile stay in the first-level cache
  ParallelFor(pool, batch, 1.0 * rows * cols, [&](int64_t begin, int64_t end) {
    for (int64_t b = begin; b < end; ++b) {
      const T* from = in + b * rows * cols;
      T* to = out + b * rows * cols;
      for (int64_t i0 = 0; i0 < rows; i0 += kTile) {
        const int64_t i1 = std::min(rows, i0 + kTile);
        for (int64_t j0 = 0; j0 < cols; j0 += kTile) {
          const int64_t j1 = std::min(cols, j0 + kTile);
          for (int64_t j = j0; j < j1; ++j) {
            for (int64_t i = i0; i < i1; ++i) to[j * rows + i] = from[i * cols + j];
          }
        }
      }
    }
  });
}

absl::Status TransposeInto(KernelContext& ctx, const Tensor& in, int64_t rows, int64_t cols,
                           Tensor& out) {
  if (in.num_elements() == 0) return absl::OkStatus();
  const int64_t batch = in.num_elements() / (rows * cols);
  return VisitWidth(in.dtype(), [&]<typename T>(Type<T>) {
    if constexpr (requires(T & a, const T& b) { a = b; }) {
      Transpose<T>(in.data<T>(), batch, rows, cols, out.mutable_data<T>(), ctx.pool());
    }
    return absl::OkStatus();
  });
}

int64_t Spatial(const Shape& shape, int from, int to) {
  int64_t product = 1;
  for (int d = from; d < to; ++d) product *= shape.dim(d);
  return product;
}

using NarrowTypes = TypeList<Half, Bfloat16>;

}  // namespace

absl::StatusOr<Tensor> ToChannelsLast(KernelContext& ctx, const Tensor& in) {
  SLUICE_ASSIGN(const Shape shape, ChannelsLastShape(in.shape()));
  SLUICE_ASSIGN(Tensor out, ctx.AllocateTemporary(in.dtype(), shape));
  SLUICE_RETURN_IF_ERROR(TransposeInto(ctx, in, in.dim(1), Spatial(in.shape(), 2, in.rank()), out));
  return out;
}

absl::Status FromChannelsLast(KernelContext& ctx, const Tensor& in, Tensor& out) {
  return TransposeInto(ctx, in, Spatial(in.shape(), 1, in.rank() - 1), in.dim(in.rank() - 1), out);
}

absl::StatusOr<Tensor> ToFloat(KernelContext& ctx, const Tensor& in) {
  if (in.dtype() == kFloat) return in;
  SLUICE_ASSIGN(Tensor out, ctx.AllocateTemporary(kFloat, in.shape()));
  SLUICE_RETURN_IF_ERROR(VisitDType(NarrowTypes{}, in.dtype(), [&]<typename T>(Type<T>) {
    const T* from = in.data<T>();
    float* to = out.mutable_data<float>();
    ParallelFor(ctx.pool(), in.num_elements(), 0.5, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) to[i] = from[i];
    });
    return absl::OkStatus();
  }));
  return out;
}

absl::Status FromFloat(KernelContext& ctx, const Tensor& in, Tensor& out) {
  return VisitDType(NarrowTypes{}, out.dtype(), [&]<typename T>(Type<T>) {
    const float* from = in.data<float>();
    T* to = out.mutable_data<T>();
    ParallelFor(ctx.pool(), in.num_elements(), 0.5, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) to[i] = T(from[i]);
    });
    return absl::OkStatus();
  });
}

}  // namespace sluice::kernels
