// SPDX-License-Identifier: Apache-2.0
#include "kernels/any/dataset/register.h"

#include <memory>

#include "kernels/any/dataset/named_sets.h"
#include "kernels/common/dataset/graph/recorded.h"

namespace sluice::kernels {

void RegisterAnyDataset(KernelRegistry& kernels) {
  const auto plain = std::make_shared<KernelRegistry>();
  RegisterAssertions(*plain);
  RegisterAutoShards(*plain);
  RegisterBatches(*plain);
  RegisterCaches(*plain);
  RegisterChoices(*plain);
  RegisterCompressedElements(*plain);
  RegisterCsv(*plain);
  RegisterFastest(*plain);
  RegisterFiles(*plain);
  RegisterGenerators(*plain);
  RegisterGraphs(*plain);
  RegisterGroupByReducer(*plain);
  RegisterHandles(*plain);
  RegisterIterators(*plain);
  RegisterMapDefun(*plain);
  RegisterMaps(*plain);
  RegisterMatchingFiles(*plain);
  RegisterMultiDeviceIterators(*plain);
  RegisterNested(*plain);
  RegisterOptionals(*plain);
  RegisterOptions(*plain);
  RegisterParallel(*plain);
  RegisterParseExamples(*plain);
  RegisterPrivatePools(*plain);
  RegisterRebatches(*plain);
  RegisterResults(*plain);
  RegisterSameElements(*plain);
  RegisterSampling(*plain);
  RegisterSavedSets(*plain);
  RegisterSequences(*plain);
  RegisterShuffles(*plain);
  RegisterSnapshots(*plain);
  RegisterSparseElements(*plain);
  RegisterSql(*plain);
  RegisterStats(*plain);
  RegisterTensorSources(*plain);
  RegisterTrials(*plain);
  RegisterWindows(*plain);
  const auto named = std::make_shared<KernelRegistry>();
  AddWithNamedSets(plain, *named);
  RegisterRecorded(named, kernels);
}

}  // namespace sluice::kernels
