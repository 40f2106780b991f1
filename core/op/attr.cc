// SPDX-License-Identifier: Apache-2.0
#include "core/op/attr.h"

#include <cstring>

#include "core/op/attr_text.h"
#include "core/tensor/resource.h"
#include "core/tensor/variant.h"

namespace sluice {
namespace {

bool Same(const AttrMap* a, const AttrMap* b) {
  const bool a_empty = a == nullptr || a->empty();
  const bool b_empty = b == nullptr || b->empty();
  if (a_empty || b_empty) return a_empty == b_empty;
  return a == b || *a == *b;
}

// Plain elements are compared by their bits, so that a NaN equals itself and an attribute equals
// its copy.
bool Same(const Tensor& a, const Tensor& b) {
  if (a.dtype() != b.dtype() || !(a.shape() == b.shape())) return false;
  if (a.buffer() == b.buffer()) return true;
  if (IsPlain(a.dtype())) return a.bytes() == 0 || std::memcmp(a.raw(), b.raw(), a.bytes()) == 0;
  if (a.dtype() == kString) return a.flat<std::string>() == b.flat<std::string>();
  return a.num_elements() == 0;  // handles and objects have no values to compare
}

bool Same(float a, float b) { return std::memcmp(&a, &b, sizeof(a)) == 0; }
bool Same(const FunctionRef& a, const FunctionRef& b) {
  return a.name == b.name && Same(a.attrs.get(), b.attrs.get());
}
bool Same(const AttrPlaceholder& a, const AttrPlaceholder& b) { return a.name == b.name; }
bool Same(EmptyList, EmptyList) { return true; }
bool Same(std::monostate, std::monostate) { return true; }

template <typename T>
concept Listed =
    std::is_same_v<T, Tensor> || std::is_same_v<T, float> || std::is_same_v<T, FunctionRef>;

template <typename T>
bool Same(const T& a, const T& b) {
  return a == b;
}
template <Listed T>
bool Same(const std::vector<T>& a, const std::vector<T>& b) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i) {
    if (!Same(a[i], b[i])) return false;
  }
  return true;
}

}  // namespace

bool operator==(const Attr& a, const Attr& b) {
  if (a.value.index() != b.value.index()) return false;
  return std::visit(
      [&](const auto& value) {
        using T = std::decay_t<decltype(value)>;
        return Same(value, std::get<T>(b.value));
      },
      a.value);
}

std::string Attr::ToString() const {
  constexpr size_t kLimit = 240;  // error texts quote attributes from outside
  std::string text = is<Tensor>() ? get_if<Tensor>()->ToString() : AttrValueText(*this);
  if (text.size() > kLimit) text.replace(kLimit, std::string::npos, "...");
  return text;
}

}  // namespace sluice
