// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_CORE_CPU_FEATURES_H_
#define SLUICE_CORE_CPU_FEATURES_H_

// The instruction sets that this build needs, and a check whether the processor has them. These
// functions run before all others. cpu_features.cc is compiled for every x86-64 processor. It must
// not use a template or an inline function that another file could have compiled for newer
// processors.

namespace sluice {

// The instruction sets that the compiler was allowed to use ("AVX2"), the best known first; a null
// pointer ends them.
extern const char* const kBuildCpuFeatures[];

// Whether this processor and its system have an instruction set; true for an unknown name.
bool CpuHas(const char* feature);
// The first of `needed` for which `has` returns false, or null.
const char* MissingCpuFeature(const char* const* needed, bool (*has)(const char*));

}  // namespace sluice

// An instruction set that this build needs and this processor lacks, or null. The Python client
// calls it before it loads its module.
extern "C" const char* sluice_missing_cpu_feature();

#endif  // SLUICE_CORE_CPU_FEATURES_H_
