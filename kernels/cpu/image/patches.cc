// SPDX-License-Identifier: Apache-2.0
// ExtractImagePatches and ExtractVolumePatches: the elements of each window as one vector.
#include <algorithm>

#include "core/runtime/kernel_registry.h"
#include "kernels/common/image/patch_plan.h"
#include "kernels/cpu/image/register.h"

namespace sluice::kernels {
namespace {

struct ExtractPatches {
  PatchPlan plan;

  static absl::StatusOr<ExtractPatches> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(PatchPlan plan, PatchPlan::Create(node));
    return ExtractPatches{std::move(plan)};
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor& x = ctx.input(0);
    SLUICE_ASSIGN(const PatchPlan::Patches patches, plan.Place(x.shape()));
    const Shape& shape = patches.output;
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, shape));
    return VisitWidth(x.dtype(), [&]<typename T>(Type<T>) -> absl::Status {
      if constexpr (std::is_same_v<T, ResourceHandle> || std::is_same_v<T, Variant> ||
                    std::is_same_v<T, std::string>) {
        return Unimplemented("no patches of ", x.dtype());
      } else {
        const int last = x.rank() - 1;
        Extract(ctx.pool(), patches.spans, x.dim(0), x.dim(last), shape.dim(last), x.data<T>(),
                out->mutable_data<T>());
        return absl::OkStatus();
      }
    });
  }

 private:
  // Outputs are numbered over batch and windows. Elements outside the input are zero.
  template <typename T>
  static void Extract(WorkQueue* pool, const PatchSpan* s, int64_t batch, int64_t depth,
                      int64_t taps, const T* x, T* out) {
    const int64_t windows = batch * s[0].out * s[1].out * s[2].out;
    ParallelFor(pool, windows, static_cast<double>(taps), [&](int64_t begin, int64_t end) {
      for (int64_t w = begin; w < end; ++w) {
        const int64_t column = w % s[2].out, row = w / s[2].out % s[1].out,
                      plane = w / s[2].out / s[1].out % s[0].out,
                      b = w / s[2].out / s[1].out / s[0].out;
        T* to = out + w * taps;
        for (int64_t i = 0; i < s[0].size; ++i) {
          const int64_t p = s[0].Place(plane, i);
          for (int64_t j = 0; j < s[1].size; ++j) {
            const int64_t r = s[1].Place(row, j);
            for (int64_t k = 0; k < s[2].size; ++k, to += depth) {
              const int64_t c = s[2].Place(column, k);
              if (p < 0 || p >= s[0].in || r < 0 || r >= s[1].in || c < 0 || c >= s[2].in)
                std::fill_n(to, depth, T());
              else
                std::copy_n(x + (((b * s[0].in + p) * s[1].in + r) * s[2].in + c) * depth, depth,
                            to);
            }
          }
        }
      }
    });
  }
};

}  // namespace

void RegisterPatches(KernelRegistry& kernels) {
  kernels.Add<ExtractPatches>("ExtractImagePatches", kCpu, {{"T", kNumeric | DTypeSet{kBool}}});
  kernels.Add<ExtractPatches>("ExtractVolumePatches", kCpu, {{"T", kReal}});
}

}  // namespace sluice::kernels
