// SPDX-License-Identifier: Apache-2.0
// MatrixBandPart.
#include <algorithm>
#include <cstring>

#include "kernels/common/array/band_part_plan.h"
#include "kernels/common/elementwise.h"
#include "kernels/cpu/array/register.h"

namespace sluice::kernels {
namespace {

// Sets everything to zero except the given numbers of diagonals below and above the main one; a
// negative number keeps all.
struct MatrixBandPart {
  absl::Status Run(KernelContext& ctx) const {
    const Shape shape = ctx.input(0).shape();
    SLUICE_ASSIGN(const Band band, Band::Make(shape, ctx.input(1), ctx.input(2)));
    const int64_t rows = shape.dim(shape.rank() - 2), columns = shape.dim(shape.rank() - 1);
    const int64_t lower = band.lower, upper = band.upper;
    const void* before = ctx.input(0).raw();
    const DType dtype = ctx.input(0).dtype();
    SLUICE_ASSIGN(Tensor * out, ctx.ForwardOrAllocate({0}, 0, shape));
    if (shape.num_elements() == 0) return absl::OkStatus();
    const size_t element = SizeOf(dtype);
    const bool in_place = out->raw() == before;
    ParallelFor(ctx.pool(), shape.num_elements() / columns, 0.3 * static_cast<double>(columns) + 5,
                [&](int64_t begin, int64_t end) {
                  for (int64_t row = begin; row < end; ++row) {
                    const int64_t i = row % rows;
                    const int64_t from = lower < 0 ? 0 : std::clamp<int64_t>(i - lower, 0, columns);
                    const int64_t to =
                        upper < 0 ? columns : std::clamp<int64_t>(i + upper + 1, from, columns);
                    char* y = static_cast<char*>(At(out->raw(), row * columns, element));
                    if (!in_place)
                      std::memcpy(y, At(before, row * columns, element),
                                  static_cast<size_t>(columns) * element);
                    std::memset(y, 0, static_cast<size_t>(from) * element);
                    std::memset(y + static_cast<size_t>(to) * element, 0,
                                static_cast<size_t>(columns - to) * element);
                  }
                });
    return absl::OkStatus();
  }
};

}  // namespace

void RegisterBandPart(KernelRegistry& kernels) {
  for (const char* op : {"MatrixBandPart", "BatchMatrixBandPart"})
    kernels.Add<MatrixBandPart>(op, kCpu, {{"T", kNumeric | DTypeSet(kBool)}});
}

}  // namespace sluice::kernels
