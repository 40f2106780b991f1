// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/register.h"

#include "kernels/any/control_flow/register.h"
#include "kernels/any/debug/register.h"
#include "kernels/any/functions/register.h"
#include "kernels/any/runtime/register.h"
#include "kernels/cuda/array/register.h"
#include "kernels/cuda/collective/register.h"
#include "kernels/cuda/data_flow/register.h"
#include "kernels/cuda/debug/register.h"
#include "kernels/cuda/image/register.h"
#include "kernels/cuda/list/register.h"
#include "kernels/cuda/math/register.h"
#include "kernels/cuda/nn/register.h"
#include "kernels/cuda/quantized/register.h"
#include "kernels/cuda/random/register.h"
#include "kernels/cuda/sparse/register.h"
#include "kernels/cuda/state/register.h"
#include "kernels/cuda/training/register.h"

namespace sluice::kernels {
namespace {

// The kernels for all devices that need no code of a GPU's.
void RegisterFlowForGpus(KernelRegistry& kernels) { RegisterFlow(kernels, kGpu); }
void RegisterDebugForGpus(KernelRegistry& kernels) { RegisterMessages(kernels, kGpu); }
void RegisterCallsForGpus(KernelRegistry& kernels) { RegisterCalls(kernels, kGpu); }
void RegisterRuntimeForGpus(KernelRegistry& kernels) {
  RegisterSendRecv(kernels, kGpu);
  RegisterArguments(kernels, kGpu);
}

constexpr KernelFolder kFolders[] = {
    {"any", "control_flow", RegisterFlowForGpus}, {"any", "debug", RegisterDebugForGpus},
    {"any", "functions", RegisterCallsForGpus},   {"any", "runtime", RegisterRuntimeForGpus},
    {"cuda", "array", RegisterCudaArray},         {"cuda", "collective", RegisterCudaCollective},
    {"cuda", "data_flow", RegisterCudaDataFlow},  {"cuda", "debug", RegisterCudaDebug},
    {"cuda", "image", RegisterCudaImage},         {"cuda", "list", RegisterCudaList},
    {"cuda", "math", RegisterCudaMath},           {"cuda", "nn", RegisterCudaNn},
    {"cuda", "quantized", RegisterCudaQuantized}, {"cuda", "random", RegisterCudaRandom},
    {"cuda", "sparse", RegisterCudaSparse},       {"cuda", "state", RegisterCudaState},
    {"cuda", "training", RegisterCudaTraining},
};

}  // namespace

absl::Span<const KernelFolder> CudaKernelFolders() { return kFolders; }

}  // namespace sluice::kernels
