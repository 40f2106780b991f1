// SPDX-License-Identifier: Apache-2.0
#include "kernels/register.h"

#include <iterator>
#include <vector>

#include "kernels/any/array/register.h"
#include "kernels/any/control_flow/register.h"
#include "kernels/any/data_flow/register.h"
#include "kernels/any/dataset/register.h"
#include "kernels/any/debug/register.h"
#include "kernels/any/functions/register.h"
#include "kernels/any/io/register.h"
#include "kernels/any/list/register.h"
#include "kernels/any/lookup/register.h"
#include "kernels/any/math/register.h"
#include "kernels/any/parsing/register.h"
#include "kernels/any/ragged/register.h"
#include "kernels/any/runtime/register.h"
#include "kernels/any/state/register.h"
#include "kernels/any/strings/register.h"
#include "kernels/any/summary/register.h"
#include "kernels/any/trees/register.h"
#include "kernels/any/xla/register.h"
#include "kernels/cpu/array/register.h"
#include "kernels/cpu/collective/register.h"
#include "kernels/cpu/image/register.h"
#include "kernels/cpu/linalg/register.h"
#include "kernels/cpu/math/register.h"
#include "kernels/cpu/nn/register.h"
#include "kernels/cpu/quantized/register.h"
#include "kernels/cpu/random/register.h"
#include "kernels/cpu/rnn/register.h"
#include "kernels/cpu/signal/register.h"
#include "kernels/cpu/sparse/register.h"
#include "kernels/cpu/training/register.h"
#include "kernels/cuda/register.h"

namespace sluice::kernels {
namespace {

constexpr KernelFolder kFolders[] = {
    {"any", "array", RegisterAnyArray},
    {"any", "control_flow", RegisterAnyControlFlow},
    {"any", "data_flow", RegisterAnyDataFlow},
    {"any", "dataset", RegisterAnyDataset},
    {"any", "debug", RegisterAnyDebug},
    {"any", "functions", RegisterAnyFunctions},
    {"any", "io", RegisterAnyIo},
    {"any", "list", RegisterAnyList},
    {"any", "lookup", RegisterAnyLookup},
    {"any", "math", RegisterAnyMath},
    {"any", "parsing", RegisterAnyParsing},
    {"any", "ragged", RegisterAnyRagged},
    {"any", "runtime", RegisterAnyRuntime},
    {"any", "state", RegisterAnyState},
    {"any", "strings", RegisterAnyStrings},
    {"any", "summary", RegisterAnySummary},
    {"any", "trees", RegisterAnyTrees},
    {"any", "xla", RegisterAnyXla},
    {"cpu", "array", RegisterCpuArray},
    {"cpu", "collective", RegisterCpuCollective},
    {"cpu", "image", RegisterCpuImage},
    {"cpu", "linalg", RegisterCpuLinalg},
    {"cpu", "math", RegisterCpuMath},
    {"cpu", "nn", RegisterCpuNn},
    {"cpu", "quantized", RegisterCpuQuantized},
    {"cpu", "random", RegisterCpuRandom},
    {"cpu", "rnn", RegisterCpuRnn},
    {"cpu", "signal", RegisterCpuSignal},
    {"cpu", "sparse", RegisterCpuSparse},
    {"cpu", "training", RegisterCpuTraining},
};

}  // namespace

absl::Span<const KernelFolder> KernelFolders() {
  static const auto* const kAll = [] {
    auto* all = new std::vector<KernelFolder>(std::begin(kFolders), std::end(kFolders));
    const auto cuda = CudaKernelFolders();
    all->insert(all->end(), cuda.begin(), cuda.end());
    return all;
  }();
  return *kAll;
}

void RegisterAllKernels(KernelRegistry& kernels) {
  for (const KernelFolder& folder : KernelFolders()) folder.enter(kernels);
}

std::shared_ptr<const KernelRegistry> AllKernels() {
  static const auto* const kAll = [] {
    auto kernels = std::make_shared<KernelRegistry>();
    RegisterAllKernels(*kernels);
    return new std::shared_ptr<const KernelRegistry>(std::move(kernels));
  }();
  return *kAll;
}

}  // namespace sluice::kernels
