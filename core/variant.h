#ifndef SLUICE_CORE_VARIANT_H_
#define SLUICE_CORE_VARIANT_H_

#include <memory>
#include <string>
#include <vector>

#include "core/tensor.h"

namespace sluice {

// The element of a variant tensor: an immutable object of some registered type (a TensorList, an
// Optional), or empty.
class Variant {
 public:
  // What a type stores. Shared and immutable: a writer makes a new one.
  class Object {
   public:
    virtual ~Object() = default;
    virtual absl::string_view type_name() const = 0;  // e.g. "tensorflow::TensorList"
    // The wire form (VariantTensorDataProto): opaque bytes and nested tensors.
    virtual absl::Status Encode(std::string* metadata, std::vector<Tensor>* tensors) const = 0;
  };

  Variant() = default;
  explicit Variant(std::shared_ptr<const Object> object) : object_(std::move(object)) {}
  const Object* get() const { return object_.get(); }
  template <typename T>
  const T* get_if() const {
    return dynamic_cast<const T*>(object_.get());
  }
  bool empty() const { return object_ == nullptr; }

 private:
  std::shared_ptr<const Object> object_;
};

}  // namespace sluice

#endif  // SLUICE_CORE_VARIANT_H_
