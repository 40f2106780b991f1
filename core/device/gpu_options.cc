// SPDX-License-Identifier: Apache-2.0
#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "core/device/gpu_devices.h"

namespace sluice {
namespace {

constexpr int kMostGpus = 256;

absl::StatusOr<std::vector<int>> ParseGpus(absl::string_view text) {
  std::vector<int> gpus;
  for (absl::string_view word : absl::StrSplit(text, ',')) {
    int gpu = 0;
    if (!absl::SimpleAtoi(word, &gpu) || gpu < 0 || gpu >= kMostGpus) {
      return InvalidArgument("visible GPUs: \"", text,
                             "\" must be all, none, or numbers of GPUs with commas in between");
    }
    for (int other : gpus) {
      if (other == gpu) return InvalidArgument("visible GPUs: \"", text, "\" has ", gpu, " twice");
    }
    gpus.push_back(gpu);
  }
  return gpus;
}

}  // namespace

absl::Status CheckGpuOptions(const GpuOptions& options) {
  if (options.listed()) SLUICE_RETURN_IF_ERROR(ParseGpus(options.visible).status());
  // This form also refuses NaN.
  if (!(options.memory_fraction >= 0 && options.memory_fraction <= 1)) {
    return InvalidArgument("GPU memory fraction ", options.memory_fraction,
                           " is out of range: it must be more than 0 and at most 1");
  }
  if (options.memory_limit < 0)
    return InvalidArgument("GPU memory limit ", options.memory_limit, " is negative");
  if (options.pinned_limit < 0)
    return InvalidArgument("limit of pinned memory ", options.pinned_limit, " is negative");
  return absl::OkStatus();
}

std::vector<int> VisibleGpus(const GpuOptions& options) {
  return ParseGpus(options.visible).value_or(std::vector<int>());
}

}  // namespace sluice
