// SPDX-License-Identifier: Apache-2.0
#include "kernels/any/dataset/register.h"

#include <memory>

#include "kernels/any/dataset/named_sets.h"

namespace sluice::kernels {

void RegisterAnyDataset(KernelRegistry& kernels) {
  const auto plain = std::make_shared<KernelRegistry>();
  RegisterBatches(*plain);
  RegisterCaches(*plain);
  RegisterChoices(*plain);
  RegisterCsv(*plain);
  RegisterDistribution(*plain);
  RegisterFastest(*plain);
  RegisterFiles(*plain);
  RegisterGenerators(*plain);
  RegisterGroupByReducer(*plain);
  RegisterHandles(*plain);
  RegisterIterators(*plain);
  RegisterMapDefun(*plain);
  RegisterMaps(*plain);
  RegisterMatchingFiles(*plain);
  RegisterMultiDeviceIterators(*plain);
  RegisterNested(*plain);
  RegisterOptionals(*plain);
  RegisterParallel(*plain);
  RegisterParseExamples(*plain);
  RegisterPrivatePools(*plain);
  RegisterResults(*plain);
  RegisterSameElements(*plain);
  RegisterSampling(*plain);
  RegisterSequences(*plain);
  RegisterShuffles(*plain);
  RegisterSparseElements(*plain);
  RegisterSql(*plain);
  RegisterStats(*plain);
  RegisterTensorSources(*plain);
  RegisterTrials(*plain);
  RegisterWindows(*plain);
  AddWithNamedSets(plain, kernels);
}

}  // namespace sluice::kernels
