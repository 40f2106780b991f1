#include "kernels/register.h"

#include "kernels/any/control_flow/register.h"
#include "kernels/any/data_flow/register.h"
#include "kernels/any/dataset/register.h"
#include "kernels/any/debug/register.h"
#include "kernels/any/functions/register.h"
#include "kernels/any/io/register.h"
#include "kernels/any/list/register.h"
#include "kernels/any/math/register.h"
#include "kernels/any/ragged/register.h"
#include "kernels/any/runtime/register.h"
#include "kernels/any/state/register.h"
#include "kernels/any/strings/register.h"
#include "kernels/any/summary/register.h"
#include "kernels/cpu/array/register.h"
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

namespace sluice::kernels {

void RegisterAllKernels(KernelRegistry& kernels) {
  RegisterAnyControlFlow(kernels);
  RegisterAnyDataFlow(kernels);
  RegisterAnyDataset(kernels);
  RegisterAnyDebug(kernels);
  RegisterAnyFunctions(kernels);
  RegisterAnyIo(kernels);
  RegisterAnyList(kernels);
  RegisterAnyMath(kernels);
  RegisterAnyRagged(kernels);
  RegisterAnyRuntime(kernels);
  RegisterAnyState(kernels);
  RegisterAnyStrings(kernels);
  RegisterAnySummary(kernels);

  RegisterCpuArray(kernels);
  RegisterCpuImage(kernels);
  RegisterCpuLinalg(kernels);
  RegisterCpuMath(kernels);
  RegisterCpuNn(kernels);
  RegisterCpuQuantized(kernels);
  RegisterCpuRandom(kernels);
  RegisterCpuRnn(kernels);
  RegisterCpuSignal(kernels);
  RegisterCpuSparse(kernels);
  RegisterCpuTraining(kernels);
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
