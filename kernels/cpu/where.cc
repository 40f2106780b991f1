// Where: the coordinates of the elements that are not zero, in row-major order.
#include "kernels/cpu/elementwise.h"
#include "kernels/register.h"

namespace sluice::kernels {
namespace {

constexpr int64_t kBlock = 1 << 16;

template <typename T>
bool IsZero(T x) { return static_cast<ComputeType<T>>(x) == ComputeType<T>(0); }

// Writes the coordinates of element `flat` to `row`.
void Coordinates(const Shape& shape, int64_t flat, int64_t* row) {
  for (int d = shape.rank() - 1; d >= 0; --d) {
    row[d] = flat % shape.dim(d);
    flat /= shape.dim(d);
  }
}

template <typename T>
absl::Status FindNonZero(KernelContext& ctx) {
  const Tensor& input = ctx.input(0);
  const T* x = input.data<T>();
  const int64_t total = input.num_elements(), blocks = (total + kBlock - 1) / kBlock;
  std::vector<int64_t> starts(blocks + 1, 0);
  const auto block_end = [&](int64_t b) { return std::min(total, (b + 1) * kBlock); };
  ParallelFor(ctx.pool(), blocks, 0.3 * kBlock, [&](int64_t begin, int64_t end) {
    for (int64_t b = begin; b < end; ++b) {
      for (int64_t i = b * kBlock; i < block_end(b); ++i) starts[b + 1] += !IsZero(x[i]);
    }
  });
  for (int64_t b = 0; b < blocks; ++b) starts[b + 1] += starts[b];

  const int rank = input.rank();
  SLUICE_ASSIGN(Tensor* rows, ctx.AllocateOutput(0, Shape{starts[blocks], rank}));
  int64_t* out = rows->mutable_data<int64_t>();
  ParallelFor(ctx.pool(), blocks, 2.0 * kBlock, [&](int64_t begin, int64_t end) {
    for (int64_t b = begin; b < end; ++b) {
      int64_t* row = out + starts[b] * rank;
      for (int64_t i = b * kBlock; i < block_end(b); ++i) {
        if (IsZero(x[i])) continue;
        Coordinates(input.shape(), i, row);
        row += rank;
      }
    }
  });
  return absl::OkStatus();
}

struct Where {
  absl::Status Run(KernelContext& ctx) const {
    if (ctx.input(0).rank() == 0) return InvalidArgument("WhereOp : Unhandled input dimensions: 0");
    return VisitDType(Join<NumericTypes, TypeList<bool>>{}, ctx.input(0).dtype(),
                      [&]<typename T>(Type<T>) { return FindNonZero<T>(ctx); });
  }
};

}  // namespace

void RegisterWhere(KernelRegistry& kernels) {
  kernels.Add<Where>("Where", kCpu, {{"T", kNumeric | DTypeSet(kBool)}});
}

}  // namespace sluice::kernels
