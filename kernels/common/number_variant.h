// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_NUMBER_VARIANT_H_
#define SLUICE_KERNELS_COMMON_NUMBER_VARIANT_H_

#include <optional>
#include <string>

#include "core/tensor/variant.h"

namespace sluice::kernels {

// Variants that hold one plain number: "int", "float", "double" or "bool". The metadata is the
// number's bytes. Such variants arrive only as constants.

// The number 0 of the same type. Empty unless `x` holds a number.
std::optional<Variant> ZeroLikeNumber(const Variant& x);
// The sum, which wraps; for bools, the disjunction. Empty unless both hold numbers of one type.
std::optional<Variant> SumOfNumbers(const Variant& a, const Variant& b);

// The text that Assert and Print show for an element: "Variant<type: int value: 7>".
std::string VariantText(const Variant& x);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_NUMBER_VARIANT_H_
