// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_NUMBER_VARIANT_H_
#define SLUICE_KERNELS_COMMON_NUMBER_VARIANT_H_

#include <optional>
#include <string>

#include "core/tensor/variant.h"

namespace sluice::kernels {

// Variants that hold one plain number: "int", "float", "double" or "bool", with its bytes as
// metadata. They arrive as constants only.

// The number 0 of the same type. Empty unless `x` holds a number.
std::optional<Variant> ZeroLikeNumber(const Variant& x);
// The sum, which wraps; of bools their disjunction. Empty unless both hold numbers of one type.
std::optional<Variant> SumOfNumbers(const Variant& a, const Variant& b);

// As Assert and Print show an element: "Variant<type: int value: 7>".
std::string VariantText(const Variant& x);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_NUMBER_VARIANT_H_
