// SPDX-License-Identifier: Apache-2.0
#include "core/cpu_features.h"

#include <string.h>

namespace sluice {

bool CpuHas(const char* feature) {
#if defined(__x86_64__)
  __builtin_cpu_init();
  // The builtin takes only literals.
#define SLUICE_IF_NAMED(name, gcc_name) \
  if (strcmp(feature, name) == 0) return __builtin_cpu_supports(gcc_name) != 0;
  SLUICE_IF_NAMED("AVX2", "avx2")
  SLUICE_IF_NAMED("FMA", "fma")
  SLUICE_IF_NAMED("AVX", "avx")
  SLUICE_IF_NAMED("F16C", "f16c")
  SLUICE_IF_NAMED("BMI2", "bmi2")
  SLUICE_IF_NAMED("BMI1", "bmi")
  SLUICE_IF_NAMED("LZCNT", "lzcnt")
  SLUICE_IF_NAMED("MOVBE", "movbe")
  SLUICE_IF_NAMED("SSE4.2", "sse4.2")
  SLUICE_IF_NAMED("AVX512F", "avx512f")
  SLUICE_IF_NAMED("AVX512BW", "avx512bw")
  SLUICE_IF_NAMED("AVX512DQ", "avx512dq")
  SLUICE_IF_NAMED("AVX512VL", "avx512vl")
  SLUICE_IF_NAMED("AVX512VNNI", "avx512vnni")
  SLUICE_IF_NAMED("AVX512VBMI", "avx512vbmi")
  SLUICE_IF_NAMED("AVX512BF16", "avx512bf16")
#undef SLUICE_IF_NAMED
#else
  static_cast<void>(feature);
#endif
  return true;
}

const char* MissingCpuFeature(const char* const* needed, bool (*has)(const char*)) {
  for (; *needed != nullptr; ++needed) {
    if (!has(*needed)) return *needed;
  }
  return nullptr;
}

}  // namespace sluice

extern "C" const char* sluice_missing_cpu_feature() {
  return sluice::MissingCpuFeature(sluice::kBuildCpuFeatures, sluice::CpuHas);
}
