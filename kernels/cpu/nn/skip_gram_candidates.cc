// SPDX-License-Identifier: Apache-2.0
// SkipGramGenerateCandidates: each token of a sentence with the tokens at most a random distance
// away.
#include <algorithm>
#include <string>
#include <vector>

#include "core/runtime/kernel_registry.h"
#include "kernels/common/random/node_stream.h"
#include "kernels/cpu/nn/draw_below.h"
#include "kernels/cpu/nn/register.h"

namespace sluice::kernels {
namespace {

using TokenTypes = TypeList<std::string, int64_t, int32_t, int16_t>;

struct SkipGramCandidates {
  NodeStream stream;

  explicit SkipGramCandidates(const NodeSpec& node) : stream(node) {}
  static absl::StatusOr<std::unique_ptr<SkipGramCandidates>> Create(const NodeSpec& node) {
    return std::make_unique<SkipGramCandidates>(node);
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor tokens = ctx.input(0);
    for (int i = 1; i < 6; ++i) {
      if (ctx.input(i).num_elements() != 1)
        return InvalidArgument("input ", i, " must be a scalar, got ", ctx.input(i).shape());
    }
    const int64_t least = ctx.input(1).scalar<int32_t>(), most = ctx.input(2).scalar<int32_t>();
    if (least < 0 || most < 0) return InvalidArgument("Both min_skips and max_skips must be >= 0.");
    if (least > most) return InvalidArgument("min_skips must be <= max_skips.");
    const int64_t start = ctx.input(3).scalar<int32_t>(), limit = ctx.input(4).scalar<int32_t>();
    if (start < 0) return InvalidArgument("start must be >= 0.");
    const int64_t size = tokens.num_elements();
    const int64_t end = limit < 0 ? size : std::min(size, start + limit);
    const bool with_itself = ctx.input(5).scalar<bool>();
    const int64_t used = std::max<int64_t>(0, end - start);
    PhiloxWords words(stream.Take((static_cast<uint64_t>(used) + 3) / 4), 0);
    std::vector<int64_t> skips(used);
    int64_t count = 0;
    for (int64_t i = 0; i < used; ++i) {
      skips[i] = least + DrawBelow(words, static_cast<uint32_t>(most - least + 1));
      count += std::min(i, skips[i]) + std::min(used - 1 - i, skips[i]) + (with_itself ? 1 : 0);
    }
    SLUICE_ASSIGN(Tensor * from, ctx.AllocateOutput(0, Shape{count}));
    SLUICE_ASSIGN(Tensor * to, ctx.AllocateOutput(1, Shape{count}));
    return VisitDType(TokenTypes{}, tokens.dtype(), [&]<typename T>(Type<T>) {
      const T* token = tokens.data<T>() + start;
      T* first = from->mutable_data<T>();
      T* second = to->mutable_data<T>();
      for (int64_t i = 0; i < used; ++i) {
        const int64_t last = std::min(used - 1, i + skips[i]);
        for (int64_t k = std::max<int64_t>(0, i - skips[i]); k <= last; ++k) {
          if (k == i && !with_itself) continue;
          *first++ = token[i];
          *second++ = token[k];
        }
      }
      return absl::OkStatus();
    });
  }
};

}  // namespace

void RegisterSkipGramCandidates(KernelRegistry& kernels) {
  kernels.Add<SkipGramCandidates>("SkipGramGenerateCandidates", kCpu,
                                  {{"T", {kString, kInt64, kInt32, kInt16}}});
}

}  // namespace sluice::kernels
