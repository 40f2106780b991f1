// SPDX-License-Identifier: Apache-2.0
#include "kernels/common/number_variant.h"

#include <cstring>

#include "absl/strings/str_cat.h"
#include "core/codec/codec.h"
#include "kernels/common/summarize.h"

namespace sluice::kernels {
namespace {

// Calls fn(the bytes, a T) if `x` holds a number; T is its type.
template <typename Fn>
std::optional<Variant> VisitNumber(const Variant& x, Fn fn) {
  const auto* object = x.get_if<OpaqueVariant>();
  if (object == nullptr) return std::nullopt;
  const std::string& bytes = object->metadata();
  const auto visit = [&]<typename T>(absl::string_view type, T zero) -> std::optional<Variant> {
    if (object->type_name() != type || bytes.size() != sizeof(T)) return std::nullopt;
    return fn(bytes, zero);
  };
  if (auto made = visit("int", int32_t{0})) return made;
  if (auto made = visit("float", 0.0f)) return made;
  if (auto made = visit("double", 0.0)) return made;
  return visit("bool", false);
}

template <typename T>
T NumberOf(const std::string& bytes) {
  T number;
  std::memcpy(&number, bytes.data(), sizeof(T));
  return number;
}

Variant Like(const Variant& x, std::string bytes) {
  return Variant(MakeRefCounted<OpaqueVariant>(std::string(x.get()->type_name()), std::move(bytes),
                                               std::vector<Tensor>{}));
}

template <typename T>
T Sum(T a, T b) {
  if constexpr (std::is_same_v<T, bool>)
    return a || b;
  else if constexpr (std::is_integral_v<T>)
    return static_cast<T>(static_cast<std::make_unsigned_t<T>>(a) +
                          static_cast<std::make_unsigned_t<T>>(b));
  else
    return a + b;
}

}  // namespace

std::optional<Variant> ZeroLikeNumber(const Variant& x) {
  return VisitNumber(
      x, [&](const std::string& bytes, auto) { return Like(x, std::string(bytes.size(), 0)); });
}

std::optional<Variant> SumOfNumbers(const Variant& a, const Variant& b) {
  const auto* other = b.get_if<OpaqueVariant>();
  if (other == nullptr || a.empty() || a.get()->type_name() != other->type_name())
    return std::nullopt;
  return VisitNumber(a, [&]<typename T>(const std::string& bytes, T) -> std::optional<Variant> {
    if (other->metadata().size() != sizeof(T)) return std::nullopt;
    const T sum = Sum(NumberOf<T>(bytes), NumberOf<T>(other->metadata()));
    return Like(a, std::string(reinterpret_cast<const char*>(&sum), sizeof(T)));
  });
}

std::string VariantText(const Variant& x) {
  if (x.empty()) return "Variant<type:  value: [empty]>";
  std::string value;
  VisitNumber(x, [&]<typename T>(const std::string& bytes, T) -> std::optional<Variant> {
    value = absl::StrCat(" value: ", Summarize(Tensor::Scalar<T>(NumberOf<T>(bytes)), 1));
    return x;
  });
  return absl::StrCat("Variant<type: ", x.get()->type_name(), value, ">");
}

}  // namespace sluice::kernels
