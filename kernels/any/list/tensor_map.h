// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_ANY_LIST_TENSOR_MAP_H_
#define SLUICE_KERNELS_ANY_LIST_TENSOR_MAP_H_

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/runtime/kernel_context.h"
#include "core/tensor/variant.h"

namespace sluice::kernels {

// A TensorMap maps tensors to tensors and is itself a value: a change makes a new map. Two keys are
// equal if their dtypes, shapes and elements are.
//
// Owner:    the variants that hold it; a sole owner may change it.
// Threads:  immutable once shared.
class TensorMap final : public Variant::Object {
 public:
  static constexpr absl::string_view kTypeName = "tensorflow::TensorMap";
  static constexpr int64_t kMaxSize = 1 << 24;
  using Entry = std::pair<Tensor, Tensor>;  // key, value

  TensorMap() = default;
  TensorMap(const TensorMap& other);

  absl::string_view type_name() const override { return kTypeName; }
  // TensorFlow's format: keys and values in turn.
  absl::Status Encode(std::string* metadata, std::vector<Tensor>* tensors) const override;
  int depth() const override { return depth_; }

  // By the text of the key, so the order is always the same.
  const std::map<std::string, Entry>& entries() const { return entries_; }
  int64_t size() const { return static_cast<int64_t>(entries_.size()); }
  // Null if there is none.
  const Tensor* Find(const Tensor& key) const;
  // Replaces the value of an equal key. INVALID_ARGUMENT if the key is a resource or a variant, or
  // if maps are nested too deeply.
  absl::Status Insert(const Tensor& key, Tensor value);
  bool Erase(const Tensor& key);

 private:
  std::map<std::string, Entry> entries_;
  int depth_ = 1;
};

// The map in a scalar variant input, or in a variant; lives as long as they do. INVALID_ARGUMENT if
// there is none.
absl::StatusOr<const TensorMap*> MapOf(const KernelContext& ctx, int input);
absl::StatusOr<const TensorMap*> MapIn(const Variant& variant);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_ANY_LIST_TENSOR_MAP_H_
