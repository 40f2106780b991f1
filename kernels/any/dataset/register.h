// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_ANY_DATASET_REGISTER_H_
#define SLUICE_KERNELS_ANY_DATASET_REGISTER_H_

#include "core/runtime/kernel_registry.h"

namespace sluice::kernels {

// Enters every kernel of this folder.
void RegisterAnyDataset(KernelRegistry& kernels);

// One function per file, at its end.
void RegisterAssertions(KernelRegistry& kernels);
void RegisterAutoShards(KernelRegistry& kernels);
void RegisterBatches(KernelRegistry& kernels);
void RegisterCaches(KernelRegistry& kernels);
void RegisterChoices(KernelRegistry& kernels);
void RegisterCompressedElements(KernelRegistry& kernels);
void RegisterCsv(KernelRegistry& kernels);
void RegisterFastest(KernelRegistry& kernels);
void RegisterFiles(KernelRegistry& kernels);
void RegisterGenerators(KernelRegistry& kernels);
void RegisterGraphs(KernelRegistry& kernels);
void RegisterGroupByReducer(KernelRegistry& kernels);
void RegisterHandles(KernelRegistry& kernels);
void RegisterIterators(KernelRegistry& kernels);
void RegisterMapDefun(KernelRegistry& kernels);
void RegisterMaps(KernelRegistry& kernels);
void RegisterMatchingFiles(KernelRegistry& kernels);
void RegisterMultiDeviceIterators(KernelRegistry& kernels);
void RegisterNested(KernelRegistry& kernels);
void RegisterOptionals(KernelRegistry& kernels);
void RegisterOptions(KernelRegistry& kernels);
void RegisterParallel(KernelRegistry& kernels);
void RegisterParseExamples(KernelRegistry& kernels);
void RegisterPrivatePools(KernelRegistry& kernels);
void RegisterRebatches(KernelRegistry& kernels);
void RegisterResults(KernelRegistry& kernels);
void RegisterSameElements(KernelRegistry& kernels);
void RegisterSampling(KernelRegistry& kernels);
void RegisterSavedSets(KernelRegistry& kernels);
void RegisterSequences(KernelRegistry& kernels);
void RegisterShuffles(KernelRegistry& kernels);
void RegisterSnapshots(KernelRegistry& kernels);
void RegisterSparseElements(KernelRegistry& kernels);
void RegisterSql(KernelRegistry& kernels);
void RegisterStats(KernelRegistry& kernels);
void RegisterTensorSources(KernelRegistry& kernels);
void RegisterTrials(KernelRegistry& kernels);
void RegisterWindows(KernelRegistry& kernels);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_ANY_DATASET_REGISTER_H_
