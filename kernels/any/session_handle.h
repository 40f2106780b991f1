// Tensors that a session keeps on its devices from run to run, by their handles.
#pragma once

#include <string>

#include "core/kernel.h"

namespace sluice::kernels {

// The tensor that a GetSessionHandle of the same device kept under that name.
absl::StatusOr<Tensor> KeptTensor(KernelContext& ctx, const std::string& container,
                                  const std::string& name);

}  // namespace sluice::kernels
