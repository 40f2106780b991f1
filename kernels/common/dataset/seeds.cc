// SPDX-License-Identifier: Apache-2.0
#include "kernels/common/dataset/seeds.h"

#include <random>

namespace sluice::kernels {

absl::Status SaveOrRestore(SavedState& state, PhiloxWords& words) {
  uint64_t drawn = words.drawn();
  SLUICE_RETURN_IF_ERROR(state.Fields("Numbers", drawn));
  if (state.restoring()) words.MoveTo(drawn);
  return absl::OkStatus();
}

absl::StatusOr<Seeds> SeedInputs(const KernelContext& ctx, int i) {
  Seeds seeds;
  SLUICE_ASSIGN(seeds.first, ScalarInput<int64_t>(ctx, i, "seed"));
  SLUICE_ASSIGN(seeds.second, ScalarInput<int64_t>(ctx, i + 1, "seed2"));
  if (seeds.first != 0 || seeds.second != 0) return seeds;
  std::random_device device;
  const auto draw = [&] { return static_cast<int64_t>(uint64_t{device()} << 32 | device()); };
  return Seeds{draw(), draw()};
}

}  // namespace sluice::kernels
