// SPDX-License-Identifier: Apache-2.0
#include "kernels/any/list/tensor_map.h"

#include <algorithm>

#include "core/codec/codec.h"

namespace sluice::kernels {
namespace {

// Equal for equal keys alone: dtype, shape and elements.
std::string TextOf(const Tensor& key) {
  std::string text;
  const auto append = [&text](int64_t number) {
    text.append(reinterpret_cast<const char*>(&number), sizeof number);
  };
  append(static_cast<int64_t>(key.dtype()));
  append(key.rank());
  for (const int64_t size : key.shape().dims()) append(size);
  if (key.dtype() == kString) {
    for (const std::string& element : key.flat<std::string>()) {
      append(static_cast<int64_t>(element.size()));
      text += element;
    }
  } else {
    text.append(static_cast<const char*>(key.raw()), key.bytes());
  }
  return text;
}

bool MayBeKey(const Tensor& key) { return key.dtype() != kResource && key.dtype() != kVariant; }

absl::StatusOr<RefPtr<Variant::Object>> Decode(const OpaqueVariant& from) {
  if (from.tensors().size() % 2 != 0) return InvalidArgument("malformed tensor map: no last value");
  auto map = MakeRefCounted<TensorMap>();
  for (size_t i = 0; i < from.tensors().size(); i += 2)
    SLUICE_RETURN_IF_ERROR(map->Insert(from.tensors()[i], from.tensors()[i + 1]));
  return RefPtr<Variant::Object>(map);
}

}  // namespace

TensorMap::TensorMap(const TensorMap& other)
    : Variant::Object(), entries_(other.entries_), depth_(other.depth_) {}

absl::Status TensorMap::Encode(std::string* metadata, std::vector<Tensor>* tensors) const {
  metadata->clear();
  for (const auto& [text, entry] : entries_) {
    tensors->push_back(entry.first);
    tensors->push_back(entry.second);
  }
  return absl::OkStatus();
}

const Tensor* TensorMap::Find(const Tensor& key) const {
  if (!MayBeKey(key)) return nullptr;
  const auto found = entries_.find(TextOf(key));
  return found == entries_.end() ? nullptr : &found->second.second;
}

absl::Status TensorMap::Insert(const Tensor& key, Tensor value) {
  if (!MayBeKey(key)) return InvalidArgument("a tensor of ", key.dtype(), " cannot be a key");
  const int depth = 1 + DepthOf(value);
  if (depth > Variant::kMaxDepth) {
    return InvalidArgument("maps in maps are nested deeper than ", Variant::kMaxDepth);
  }
  if (size() >= kMaxSize) {
    return ResourceExhausted("a map of more than ", kMaxSize, " keys is beyond the limit");
  }
  depth_ = std::max(depth_, depth);
  entries_.insert_or_assign(TextOf(key), Entry(key, std::move(value)));
  return absl::OkStatus();
}

bool TensorMap::Erase(const Tensor& key) {
  return MayBeKey(key) && entries_.erase(TextOf(key)) > 0;
}

absl::StatusOr<const TensorMap*> MapIn(const Variant& variant) {
  if (const auto* map = variant.get_if<TensorMap>()) return map;
  const auto* opaque = variant.get_if<OpaqueVariant>();
  if (opaque != nullptr && opaque->type_name() == TensorMap::kTypeName) {
    SLUICE_ASSIGN(const Variant::Object* decoded, opaque->Decoded(Decode));
    return static_cast<const TensorMap*>(decoded);
  }
  return InvalidArgument("Input handle is not a map. Saw: '",
                         variant.empty() ? "<empty>" : variant.get()->type_name(), "'");
}

absl::StatusOr<const TensorMap*> MapOf(const KernelContext& ctx, int input) {
  const Tensor& handle = ctx.input(input);
  if (handle.rank() != 0)
    return InvalidArgument("Input map must be a scalar. Saw: ", handle.shape());
  return MapIn(handle.scalar<Variant>());
}

}  // namespace sluice::kernels
