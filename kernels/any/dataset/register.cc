// SPDX-License-Identifier: Apache-2.0
#include "kernels/any/dataset/register.h"

namespace sluice::kernels {

void RegisterAnyDataset(KernelRegistry& kernels) {
  RegisterBatches(kernels);
  RegisterChoices(kernels);
  RegisterCsv(kernels);
  RegisterDistribution(kernels);
  RegisterFiles(kernels);
  RegisterGenerators(kernels);
  RegisterGroupByReducer(kernels);
  RegisterIterators(kernels);
  RegisterLmdb(kernels);
  RegisterMaps(kernels);
  RegisterMatchingFiles(kernels);
  RegisterMultiDeviceIterators(kernels);
  RegisterNested(kernels);
  RegisterOptionals(kernels);
  RegisterParallel(kernels);
  RegisterParseExamples(kernels);
  RegisterResults(kernels);
  RegisterSameElements(kernels);
  RegisterSequences(kernels);
  RegisterShuffles(kernels);
  RegisterSlidingWindows(kernels);
  RegisterSparseElements(kernels);
  RegisterSql(kernels);
  RegisterTensorSources(kernels);
  RegisterTrials(kernels);
  RegisterWindows(kernels);
}

}  // namespace sluice::kernels
