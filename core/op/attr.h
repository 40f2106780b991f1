// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_CORE_OP_ATTR_H_
#define SLUICE_CORE_OP_ATTR_H_

#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "absl/container/btree_map.h"
#include "core/tensor/dtype.h"
#include "core/tensor/shape.h"
#include "core/tensor/tensor.h"

namespace sluice {

struct Attr;
// Ordered, so that printed and serialised attributes are deterministic. Heterogeneous lookup by
// string_view.
using AttrMap = absl::btree_map<std::string, Attr, std::less<>>;

// A function (or op) name with the attributes that instantiate it.
struct FunctionRef {
  std::string name;
  std::shared_ptr<const AttrMap> attrs;  // null if there are none
};

// In function bodies: the value of the calling node's attribute with this name.
struct AttrPlaceholder {
  std::string name;
};
// A `list {}` on the wire, which has no element type.
struct EmptyList {};

// The value of a node's attribute.
struct Attr {
  using Value =
      std::variant<std::monostate, std::string, int64_t, float, bool, DType, PartialShape, Tensor,
                   FunctionRef, AttrPlaceholder, EmptyList, std::vector<std::string>,
                   std::vector<int64_t>, std::vector<float>, std::vector<bool>, std::vector<DType>,
                   std::vector<PartialShape>, std::vector<Tensor>, std::vector<FunctionRef>>;
  Value value;

  Attr() = default;
  template <typename T>
  requires(!std::is_same_v<std::decay_t<T>, Attr>) Attr(T v) {  // NOLINT: a value is an attribute
    if constexpr (std::is_same_v<T, int>) {
      value = static_cast<int64_t>(v);
    } else if constexpr (std::is_convertible_v<T, absl::string_view> &&
                         !std::is_same_v<T, std::string>) {
      value = std::string(absl::string_view(v));
    } else {
      value = std::move(v);
    }
  }
  template <typename T>
  const T* get_if() const {
    return std::get_if<T>(&value);
  }
  template <typename T>
  bool is() const {
    return std::holds_alternative<T>(value);
  }
  std::string ToString() const;
};

bool operator==(const Attr& a, const Attr& b);  // tensors by value

// The attribute `name` as T (one of the alternatives of Attr::Value; vectors accept EmptyList).
// INVALID_ARGUMENT if it is missing or of another kind.
template <typename T>
absl::StatusOr<T> GetAttr(const AttrMap& attrs, absl::string_view name) {
  auto it = attrs.find(name);
  if (it == attrs.end()) return InvalidArgument("missing attribute \"", name, "\"");
  if (const T* v = it->second.get_if<T>()) return *v;
  if constexpr (requires(T v) { v.push_back(v[0]); } && !std::is_same_v<T, std::string>) {
    if (it->second.is<EmptyList>()) return T();
  }
  return InvalidArgument("attribute \"", name, "\" has the wrong type: ", it->second.ToString());
}
// The same with a default for an absent attribute.
template <typename T>
T GetAttrOr(const AttrMap& attrs, absl::string_view name, T fallback) {
  auto value = GetAttr<T>(attrs, name);
  return value.ok() ? *std::move(value) : std::move(fallback);
}

}  // namespace sluice

#endif  // SLUICE_CORE_OP_ATTR_H_
