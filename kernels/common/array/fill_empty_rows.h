// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_ARRAY_FILL_EMPTY_ROWS_H_
#define SLUICE_KERNELS_COMMON_ARRAY_FILL_EMPTY_ROWS_H_

#include "core/runtime/kernel_context.h"

namespace sluice::kernels {

// The gradient of SparseFillEmptyRows and RaggedFillEmptyRows:
// reverse_index_map, grad_values -> d_values, d_default_value.
struct FillEmptyRowsGrad {
  absl::Status Run(KernelContext& ctx) const;
};

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_ARRAY_FILL_EMPTY_ROWS_H_
