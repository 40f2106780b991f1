// SPDX-License-Identifier: Apache-2.0
// Where: the coordinates of the elements that are not zero, in row-major order.
#include "kernels/common/elementwise.h"
#include "kernels/cpu/array/register.h"

namespace sluice::kernels {
namespace {

constexpr int64_t kBlock = 1 << 16;

template <typename T>
bool IsZero(T x) {
  return static_cast<ComputeType<T>>(x) == ComputeType<T>(0);
}

// The coordinates of one element after the other.
class Odometer {
 public:
  Odometer(const Shape& shape, int64_t flat) : shape_(shape), at_(shape.rank()) {
    for (int d = shape.rank() - 1; d >= 0; --d) {
      at_[d] = flat % shape.dim(d);
      flat /= shape.dim(d);
    }
  }
  const Shape::Dims& at() const { return at_; }
  int64_t left_in_row() const { return shape_.dim(shape_.rank() - 1) - at_.back(); }
  void Advance(int64_t n) {  // REQUIRES: n <= left_in_row()
    at_.back() += n;
    for (int d = shape_.rank() - 1; d > 0 && at_[d] == shape_.dim(d); --d) {
      at_[d] = 0;
      ++at_[d - 1];
    }
  }

 private:
  const Shape& shape_;
  Shape::Dims at_;
};

// Writes a row of coordinates for each element of x[0, n) that is not zero. The odometer has the
// coordinates of x[0].
template <typename T>
void WriteRows(const T* x, int64_t n, Odometer odometer, int64_t* row) {
  while (n > 0) {
    const int64_t run = std::min(n, odometer.left_in_row());
    const Shape::Dims& at = odometer.at();
    const int outer = static_cast<int>(at.size()) - 1;
    for (int64_t i = 0; i < run; ++i) {
      if (IsZero(x[i])) continue;
      for (int d = 0; d < outer; ++d) row[d] = at[d];
      row[outer] = at[outer] + i;
      row += outer + 1;
    }
    odometer.Advance(run);
    x += run;
    n -= run;
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
  SLUICE_ASSIGN(Tensor * rows, ctx.AllocateOutput(0, Shape{starts[blocks], rank}));
  int64_t* out = rows->mutable_data<int64_t>();
  ParallelFor(ctx.pool(), blocks, 2.0 * kBlock, [&](int64_t begin, int64_t end) {
    for (int64_t b = begin; b < end; ++b) {
      WriteRows(x + b * kBlock, block_end(b) - b * kBlock, Odometer(input.shape(), b * kBlock),
                out + starts[b] * rank);
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
