// SPDX-License-Identifier: Apache-2.0
// CTCGreedyDecoder: the best class of each step, without blanks.
#include "core/runtime/kernel_registry.h"
#include "kernels/cpu/nn/ctc_sequences.h"
#include "kernels/cpu/nn/register.h"

namespace sluice::kernels {
namespace {

struct CtcGreedyDecoder {
  bool merge_repeated;
  int64_t blank_index;  // negative: from the end

  static absl::StatusOr<CtcGreedyDecoder> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const bool merge_repeated, node.Get<bool>("merge_repeated"));
    return CtcGreedyDecoder{merge_repeated, GetAttrOr<int64_t>(node.attrs, "blank_index", -1)};
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor scores = ctx.input(0), lengths = ctx.input(1);
    SLUICE_RETURN_IF_ERROR(CheckCtcInputs(scores, lengths));
    const int64_t batch = scores.dim(1), classes = scores.dim(2);
    if (blank_index < -classes || blank_index >= classes) {
      return InvalidArgument("blank_index expected to be between ", -classes, " and ", classes - 1,
                             " but was ", blank_index);
    }
    const int64_t blank = blank_index < 0 ? classes + blank_index : blank_index;
    SLUICE_ASSIGN(Tensor * log_probability, ctx.AllocateOutput(3, Shape{batch, 1}));
    CtcLabels labels(batch);
    VisitDType(TypeList<float, double>{}, scores.dtype(), [&]<typename T>(Type<T>) {
      const double cost = static_cast<double>(scores.dim(0)) * static_cast<double>(classes);
      ParallelFor(ctx.pool(), batch, cost, [&](int64_t begin, int64_t end) {
        for (int64_t b = begin; b < end; ++b) {
          log_probability->mutable_data<T>()[b] =
              Decode(scores.data<T>() + b * classes, lengths.data<int32_t>()[b], batch * classes,
                     classes, blank, labels[b]);
        }
      });
      return absl::OkStatus();
    }).IgnoreError();
    return SetCtcLabels(ctx, labels, 0, 1, 2);
  }

  // Returns minus the sum of the best scores.
  template <typename T>
  T Decode(const T* scores, int32_t steps, int64_t stride, int64_t classes, int64_t blank,
           std::vector<int32_t>& labels) const {
    T sum = 0;
    int64_t before = -1;
    for (int32_t t = 0; t < steps; ++t, scores += stride) {
      int64_t best = 0;
      for (int64_t c = 1; c < classes; ++c) {
        if (scores[c] > scores[best]) best = c;
      }
      sum += -scores[best];
      if (best != blank && !(merge_repeated && best == before))
        labels.push_back(static_cast<int32_t>(best));
      before = best;
    }
    return sum;
  }
};

}  // namespace

void RegisterCtcGreedyDecoder(KernelRegistry& kernels) {
  kernels.Add<CtcGreedyDecoder>("CTCGreedyDecoder", kCpu, {{"T", {kFloat, kDouble}}});
}

}  // namespace sluice::kernels
