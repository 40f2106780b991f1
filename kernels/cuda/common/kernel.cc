// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/common/kernel.h"

#include <array>
#include <utility>

#include "absl/base/internal/raw_logging.h"
#include "core/device/cuda_device.h"
#include "core/device/cuda_status.h"

namespace sluice::kernels {
namespace {

constexpr std::array<std::pair<DType, Element>, 15> kElements{{
    {kFloat, Element::kFloat},
    {kDouble, Element::kDouble},
    {kHalf, Element::kHalf},
    {kBfloat16, Element::kBFloat16},
    {kInt8, Element::kInt8},
    {kInt16, Element::kInt16},
    {kInt32, Element::kInt32},
    {kInt64, Element::kInt64},
    {kUint8, Element::kUInt8},
    {kUint16, Element::kUInt16},
    {kUint32, Element::kUInt32},
    {kUint64, Element::kUInt64},
    {kBool, Element::kBool},
    {kComplex64, Element::kComplex64},
    {kComplex128, Element::kComplex128},
}};

const Element* Find(DType dtype) {
  for (const auto& [of, element] : kElements) {
    if (of == dtype) return &element;
  }
  return nullptr;
}

}  // namespace

cudaStream_t StreamOf(const KernelContext& ctx) { return cuda::StreamOf(ctx.device()); }

absl::Status Launched(cudaError_t error) {
  if (error == cudaSuccess) return absl::OkStatus();
  return cuda::ToStatus(error, "launching a kernel");
}

bool HasElement(DType dtype) { return Find(dtype) != nullptr; }

Element ElementOf(DType dtype) {
  const Element* element = Find(dtype);
  if (element == nullptr) ABSL_RAW_LOG(FATAL, "no element on a GPU: %s", Name(dtype).c_str());
  return *element;
}

}  // namespace sluice::kernels
