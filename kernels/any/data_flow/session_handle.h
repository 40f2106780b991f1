// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_ANY_DATA_FLOW_SESSION_HANDLE_H_
#define SLUICE_KERNELS_ANY_DATA_FLOW_SESSION_HANDLE_H_

#include <string>

#include "core/runtime/kernel.h"

namespace sluice::kernels {

// The tensor that a GetSessionHandle on the same device kept under that name.
absl::StatusOr<Tensor> KeptTensor(KernelContext& ctx, const std::string& container,
                                  const std::string& name);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_ANY_DATA_FLOW_SESSION_HANDLE_H_
