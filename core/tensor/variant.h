// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_CORE_TENSOR_VARIANT_H_
#define SLUICE_CORE_TENSOR_VARIANT_H_

#include <memory>
#include <string>
#include <vector>

#include "core/tensor/ref.h"
#include "core/tensor/tensor.h"

namespace sluice {

// The element of a variant tensor: an object of some registered type (a TensorList, an Optional),
// or empty. Copies share the object; only a sole owner may change it.
class Variant {
 public:
  // The maximal depth of objects in tensors in objects. It allows recursive functions.
  static constexpr int kMaxDepth = 32;

  // The stored value of a type. Immutable once it is shared.
  class Object : public RefCounted {
   public:
    ~Object() override = default;
    virtual absl::string_view type_name() const = 0;  // e.g. "tensorflow::TensorList"
    // The wire form (VariantTensorDataProto): opaque bytes and nested tensors.
    virtual absl::Status Encode(std::string* metadata, std::vector<Tensor>* tensors) const = 0;
    // 1, or one more than that of the deepest object inside.
    virtual int depth() const { return 1; }
  };

  Variant() = default;
  explicit Variant(RefPtr<const Object> object) : object_(std::move(object)) {}
  const Object* get() const { return object_.get(); }
  template <typename T>
  const T* get_if() const {
    return dynamic_cast<const T*>(object_.get());
  }
  // The object to change in place; null unless it is a T with no other reference.
  template <typename T>
  T* get_if_unique() {
    return object_ && object_->unique() ? const_cast<T*>(get_if<T>()) : nullptr;
  }
  bool empty() const { return !object_; }

 private:
  RefPtr<const Object> object_;
};

// The depth of the deepest object in a tensor: 0 unless it holds variants.
inline int DepthOf(const Tensor& tensor) {
  int depth = 0;
  if (tensor.dtype() != kVariant) return depth;
  for (const Variant& element : tensor.flat<Variant>()) {
    if (!element.empty()) depth = std::max(depth, element.get()->depth());
  }
  return depth;
}

}  // namespace sluice

#endif  // SLUICE_CORE_TENSOR_VARIANT_H_
