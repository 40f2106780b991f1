// SPDX-License-Identifier: Apache-2.0
#include "kernels/any/dataset/register.h"

namespace sluice::kernels {

void RegisterAnyDataset(KernelRegistry& kernels) {
  RegisterBatches(kernels);
  RegisterCaches(kernels);
  RegisterChoices(kernels);
  RegisterCsv(kernels);
  RegisterDistribution(kernels);
  RegisterFastest(kernels);
  RegisterFiles(kernels);
  RegisterGenerators(kernels);
  RegisterGroupByReducer(kernels);
  RegisterHandles(kernels);
  RegisterIterators(kernels);
  RegisterMapDefun(kernels);
  RegisterMaps(kernels);
  RegisterMatchingFiles(kernels);
  RegisterMultiDeviceIterators(kernels);
  RegisterNested(kernels);
  RegisterOptionals(kernels);
  RegisterParallel(kernels);
  RegisterParseExamples(kernels);
  RegisterPrivatePools(kernels);
  RegisterResults(kernels);
  RegisterSameElements(kernels);
  RegisterSampling(kernels);
  RegisterSequences(kernels);
  RegisterShuffles(kernels);
  RegisterSparseElements(kernels);
  RegisterSql(kernels);
  RegisterStats(kernels);
  RegisterTensorSources(kernels);
  RegisterTrials(kernels);
  RegisterWindows(kernels);
}

}  // namespace sluice::kernels
