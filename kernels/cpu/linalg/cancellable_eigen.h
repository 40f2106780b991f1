// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CPU_LINALG_CANCELLABLE_EIGEN_H_
#define SLUICE_KERNELS_CPU_LINALG_CANCELLABLE_EIGEN_H_

#include <string_view>

#include "core/threads/cancel_scope.h"

// Each file that includes Eigen includes this first. Eigen then looks at the cancellation of its
// CancelScope at some of its assertions, so that a decomposition throws WorkCancelled after O(n^2)
// operations. Looking at every assertion would make small matrices three times as slow.

#ifdef EIGEN_CORE_H
#error "cancellable_eigen.h must come before Eigen"
#endif

namespace sluice::kernels {

// Whether this is the assertion of a product, of a block of a product that is packed, or of a
// rotation of two rows.
constexpr bool IsLongAssertion(std::string_view text) {
  for (const char* part : {"invalid matrix product", "PanelMode", "xpr_x.size() == xpr_y.size()"}) {
    if (text.find(part) != std::string_view::npos) return true;
  }
  return false;
}

}  // namespace sluice::kernels

#define eigen_assert(condition)                                                                 \
  do {                                                                                          \
    if constexpr (::sluice::kernels::IsLongAssertion(#condition)) ::sluice::ThrowIfCancelled(); \
    eigen_plain_assert(condition);                                                              \
  } while (false)

#endif  // SLUICE_KERNELS_CPU_LINALG_CANCELLABLE_EIGEN_H_
