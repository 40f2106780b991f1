// SPDX-License-Identifier: Apache-2.0
// Comparisons of two operands. Equality does not depend on the sign, so signed integers use the
// loops of the unsigned ones.
#include "kernels/cpu/common/loops.h"
#include "kernels/cpu/math/register.h"

namespace sluice::kernels {
namespace {

using EqualTypes =
    Join<Join<FloatingTypes, ComplexTypes>, Join<UnsignedTypes, TypeList<bool, std::string>>>;

constexpr auto kEquality = std::tuple{
    Binary{"Equal", EqualTypes{}, [](const auto& a, const auto& b) -> bool { return a == b; }},
    Binary{"NotEqual", EqualTypes{}, [](const auto& a, const auto& b) -> bool { return a != b; }},
};

constexpr auto kOrder = std::tuple{
    Binary{"Less", RealTypes{}, [](auto a, auto b) -> bool { return a < b; }},
    Binary{"LessEqual", RealTypes{}, [](auto a, auto b) -> bool { return a <= b; }},
    Binary{"Greater", RealTypes{}, [](auto a, auto b) -> bool { return a > b; }},
    Binary{"GreaterEqual", RealTypes{}, [](auto a, auto b) -> bool { return a >= b; }},
};

struct NearlyEqual {
  template <typename T>
  bool operator()(T a, T b, float tolerance) const {
    const T difference = a < b ? static_cast<T>(b - a) : static_cast<T>(a - b);
    return difference <= static_cast<T>(tolerance);
  }
};
constexpr auto kApproximate = std::tuple{
    Binary{"ApproximateEqual", FloatingTypes{}, NearlyEqual{}, 0.5, nullptr, "tolerance", true},
};

}  // namespace

void RegisterComparison(KernelRegistry& kernels) {
  auto add = [&](const auto& entry) {
    BinaryOp op = MakeBinaryOp(entry);
    internal::ShareSigned(op.loops, kSigned);
    op.any_shape = true;
    AddBinaryOp(kernels, op);
  };
  std::apply([&](const auto&... entry) { (add(entry), ...); }, kEquality);
  AddBinaryTable(kernels, kOrder);
  AddBinaryTable(kernels, kApproximate);
}

}  // namespace sluice::kernels
