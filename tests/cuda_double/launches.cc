// SPDX-License-Identifier: Apache-2.0
#include "tests/cuda_double/launches.h"

#include <atomic>
#include <mutex>

#include "absl/debugging/symbolize.h"

namespace sluice::cuda_double {
namespace {

std::atomic<int64_t> copies{0}, launches{0};

struct ByKernel {
  std::mutex mu;
  std::map<const void*, int64_t> launches;
};
ByKernel& AllKernels() {
  static ByKernel& kernels = *new ByKernel;
  return kernels;
}

}  // namespace

void CountCopy() { ++copies; }

void CountLaunch(const void* kernel) {
  ++launches;
  ByKernel& kernels = AllKernels();
  std::lock_guard lock(kernels.mu);
  ++kernels.launches[kernel];
}

int64_t CopiesCounted() { return copies.load(); }

int64_t LaunchesCounted() { return launches.load(); }

std::string NameOfKernel(const void* kernel) {
  char name[1024];
  return absl::Symbolize(kernel, name, sizeof(name)) ? name : "an unnamed kernel";
}

std::map<std::string, int64_t> LaunchesByName() {
  ByKernel& kernels = AllKernels();
  std::lock_guard lock(kernels.mu);
  std::map<std::string, int64_t> named;
  for (const auto& [kernel, count] : kernels.launches) named[NameOfKernel(kernel)] += count;
  return named;
}

void ForgetCounts() {
  copies = launches = 0;
  ByKernel& kernels = AllKernels();
  std::lock_guard lock(kernels.mu);
  kernels.launches.clear();
}

}  // namespace sluice::cuda_double
