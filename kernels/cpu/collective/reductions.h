// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CPU_COLLECTIVE_REDUCTIONS_H_
#define SLUICE_KERNELS_CPU_COLLECTIVE_REDUCTIONS_H_

#include "absl/strings/string_view.h"
#include "core/runtime/collectives.h"

namespace sluice::kernels {

// The arithmetic of a collective reduction: `merge_op` is Add, Mul, Min or Max, `final_op` is Id or
// Div (by the number of members). Values are combined in the order of the inputs.
//
//   integers     wrap; Div truncates
//   half types   are computed in float and rounded once
//   Min, Max     give NaN if an input is NaN. So the result does not depend on the order.
//
// INVALID_ARGUMENT for other names, UNIMPLEMENTED for other dtypes than the real ones.
absl::StatusOr<Reduction> FindReduction(absl::string_view merge_op, absl::string_view final_op,
                                        DType dtype);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_CPU_COLLECTIVE_REDUCTIONS_H_
