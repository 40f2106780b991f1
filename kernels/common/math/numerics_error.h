// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_MATH_NUMERICS_ERROR_H_
#define SLUICE_KERNELS_COMMON_MATH_NUMERICS_ERROR_H_

#include "absl/strings/string_view.h"
#include "core/status.h"

namespace sluice::kernels {

// The result of CheckNumerics on a tensor in which such elements were found.
inline absl::Status NumericsError(absl::string_view message, bool nan, bool infinity) {
  if (!nan && !infinity) return absl::OkStatus();
  return InvalidArgument(message, " : Tensor had ",
                         nan && infinity ? "Inf and NaN"
                         : nan           ? "NaN"
                                         : "Inf",
                         " values");
}

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_MATH_NUMERICS_ERROR_H_
