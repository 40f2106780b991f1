// SPDX-License-Identifier: Apache-2.0
// This file holds only data. It is compiled like the rest of the build, so that the compiler
// reports the instruction sets that it may use.
#include "core/cpu_features.h"

namespace sluice {

const char* const kBuildCpuFeatures[] = {
#ifdef __AVX512F__
    "AVX512F",
#endif
#ifdef __AVX2__
    "AVX2",
#endif
#ifdef __FMA__
    "FMA",
#endif
#ifdef __AVX__
    "AVX",
#endif
#ifdef __F16C__
    "F16C",
#endif
#ifdef __BMI2__
    "BMI2",
#endif
#ifdef __BMI__
    "BMI1",
#endif
#ifdef __LZCNT__
    "LZCNT",
#endif
#ifdef __MOVBE__
    "MOVBE",
#endif
#ifdef __SSE4_2__
    "SSE4.2",
#endif
#ifdef __AVX512BW__
    "AVX512BW",
#endif
#ifdef __AVX512DQ__
    "AVX512DQ",
#endif
#ifdef __AVX512VL__
    "AVX512VL",
#endif
#ifdef __AVX512VNNI__
    "AVX512VNNI",
#endif
#ifdef __AVX512VBMI__
    "AVX512VBMI",
#endif
#ifdef __AVX512BF16__
    "AVX512BF16",
#endif
    nullptr,
};

}  // namespace sluice
