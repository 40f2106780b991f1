// SPDX-License-Identifier: Apache-2.0
// ExtractImagePatches and ExtractVolumePatches: the elements of each window as one vector.
#include <algorithm>

#include "core/runtime/kernel_registry.h"
#include "kernels/cpu/image/register.h"

namespace sluice::kernels {
namespace {

constexpr int kMaxSpatial = 3;

// A window along one spatial dimension.
struct Span {
  int64_t in = 1, size = 1, stride = 1, rate = 1, pad = 0, out = 1;
};

struct ExtractPatches {
  std::vector<int64_t> sizes, strides, rates;  // [1, spatial..., 1]
  bool same;

  static absl::StatusOr<ExtractPatches> Create(const NodeSpec& node) {
    ExtractPatches made;
    SLUICE_ASSIGN(made.sizes, node.Get<std::vector<int64_t>>("ksizes"));
    SLUICE_ASSIGN(made.strides, node.Get<std::vector<int64_t>>("strides"));
    const size_t rank = node.op == "ExtractImagePatches" ? 4 : 5;
    made.rates = GetAttrOr(node.attrs, "rates", std::vector<int64_t>(rank, 1));
    SLUICE_ASSIGN(const std::string padding, node.Get<std::string>("padding"));
    made.same = padding == "SAME";
    for (const auto& [name, list] :
         {std::pair{"ksizes", &made.sizes}, {"strides", &made.strides}, {"rates", &made.rates}}) {
      if (list->size() != rank)
        return InvalidArgument(name, " must have ", rank, " numbers, not ", list->size());
      if (list->front() != 1 || list->back() != 1)
        return Unimplemented("Only support ", name, " across space.");
      for (int64_t value : *list) {
        if (value < 1 || value > INT32_MAX)
          return OutOfRange(name, " is out of range: ", value, " is not positive");
      }
    }
    return made;
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor& x = ctx.input(0);
    const auto rank = static_cast<int>(sizes.size());
    if (x.rank() != rank) return InvalidArgument("input must be ", rank, "-dimensional", x.shape());
    Span spans[kMaxSpatial];  // the first one is unused for images
    int64_t taps = x.dim(rank - 1);
    Shape::Dims dims = {x.dim(0)};
    for (int d = 1; d + 1 < rank; ++d) {
      SLUICE_ASSIGN(const Span span, Place(x.dim(d), d));
      spans[kMaxSpatial - (rank - 1) + d] = span;
      dims.push_back(span.out);
      if (!MulFits(taps, span.size, &taps)) return InvalidArgument("patches are too large");
    }
    dims.push_back(taps);
    SLUICE_ASSIGN(const Shape shape, Shape::Create(dims));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, shape));
    return VisitWidth(x.dtype(), [&]<typename T>(Type<T>) -> absl::Status {
      if constexpr (std::is_same_v<T, ResourceHandle> || std::is_same_v<T, Variant> ||
                    std::is_same_v<T, std::string>) {
        return Unimplemented("no patches of ", x.dtype());
      } else {
        Extract(ctx.pool(), spans, x.dim(0), x.dim(rank - 1), taps, x.data<T>(),
                out->mutable_data<T>());
        return absl::OkStatus();
      }
    });
  }

 private:
  absl::StatusOr<Span> Place(int64_t in, int d) const {
    Span span{in, sizes[d], strides[d], rates[d], 0, 0};
    const int64_t reach = (span.size - 1) * span.rate + 1;
    if (same) {
      span.out = (in + span.stride - 1) / span.stride;
      span.pad = std::max<int64_t>((span.out - 1) * span.stride + reach - in, 0) / 2;
    } else {
      if (in < reach)
        return InvalidArgument("Computed output size would be negative: input_size ", in,
                               ", effective filter size ", reach, ", stride ", span.stride);
      span.out = (in - reach) / span.stride + 1;
    }
    return span;
  }

  // Outputs are numbered over batch and windows. Elements outside the input are zero.
  template <typename T>
  static void Extract(WorkQueue* pool, const Span* s, int64_t batch, int64_t depth, int64_t taps,
                      const T* x, T* out) {
    const int64_t windows = batch * s[0].out * s[1].out * s[2].out;
    ParallelFor(pool, windows, static_cast<double>(taps), [&](int64_t begin, int64_t end) {
      for (int64_t w = begin; w < end; ++w) {
        const int64_t column = w % s[2].out, row = w / s[2].out % s[1].out,
                      plane = w / s[2].out / s[1].out % s[0].out,
                      b = w / s[2].out / s[1].out / s[0].out;
        T* to = out + w * taps;
        for (int64_t i = 0; i < s[0].size; ++i) {
          const int64_t p = plane * s[0].stride + i * s[0].rate - s[0].pad;
          for (int64_t j = 0; j < s[1].size; ++j) {
            const int64_t r = row * s[1].stride + j * s[1].rate - s[1].pad;
            for (int64_t k = 0; k < s[2].size; ++k, to += depth) {
              const int64_t c = column * s[2].stride + k * s[2].rate - s[2].pad;
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
