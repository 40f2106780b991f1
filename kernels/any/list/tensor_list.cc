// SPDX-License-Identifier: Apache-2.0
#include "kernels/any/list/tensor_list.h"

#include <utility>

#include "core/codec/codec.h"
#include "kernels/common/variables.h"
#include "proto/tensor_shape.pb.h"

namespace sluice::kernels {
namespace {

void AppendVarint(uint64_t value, std::string* out) {
  for (; value >= 0x80; value >>= 7) out->push_back(static_cast<char>(value | 0x80));
  out->push_back(static_cast<char>(value));
}

// Takes a varint off the front.
bool ReadVarint(absl::string_view* in, uint64_t* value) {
  *value = 0;
  for (int shift = 0; shift < 64 && !in->empty(); shift += 7) {
    const auto byte = static_cast<uint8_t>(in->front());
    in->remove_prefix(1);
    *value |= static_cast<uint64_t>(byte & 0x7f) << shift;
    if ((byte & 0x80) == 0) return true;
  }
  return false;
}

absl::Status Malformed(absl::string_view what) {
  return InvalidArgument("malformed tensor list: ", what);
}

// The indices of unset elements, in rising order.
absl::StatusOr<std::vector<uint64_t>> DecodeUnset(absl::string_view* in, size_t set) {
  uint64_t count;
  if (!ReadVarint(in, &count)) return Malformed("no count");
  if (count > in->size()) return Malformed("fewer indices than stated");
  if (count + set > static_cast<uint64_t>(TensorList::kMaxSize)) return Malformed("too long");
  std::vector<uint64_t> unset(count);
  for (uint64_t i = 0; i < count; ++i) {
    if (!ReadVarint(in, &unset[i])) return Malformed("an index is cut off");
    if (unset[i] >= count + set || (i > 0 && unset[i] <= unset[i - 1])) {
      return Malformed("indices must rise and be those of elements");
    }
  }
  return unset;
}

absl::StatusOr<RefPtr<Variant::Object>> Decode(const OpaqueVariant& from) {
  absl::string_view in = from.metadata();
  SLUICE_ASSIGN(const std::vector<uint64_t> unset, DecodeUnset(&in, from.tensors().size()));
  uint64_t type, limit;
  if (!ReadVarint(&in, &type) || !ReadVarint(&in, &limit)) return Malformed("no dtype or no limit");
  if (type > 1000) return Malformed("unknown dtype");
  SLUICE_ASSIGN(const DType dtype, DecodeValueType(static_cast<int>(type)));
  proto::TensorShapeProto message;
  if (!message.ParseFromArray(in.data(), static_cast<int>(in.size()))) {
    return Malformed("no element shape");
  }
  SLUICE_ASSIGN(PartialShape shape, DecodePartialShape(message));
  auto list = MakeRefCounted<TensorList>(dtype, std::move(shape));
  list->max_size = static_cast<int32_t>(limit);
  SLUICE_RETURN_IF_ERROR(list->Resize(static_cast<int64_t>(unset.size() + from.tensors().size())));
  size_t skipped = 0;
  for (const Tensor& tensor : from.tensors()) {
    if (tensor.dtype() != dtype || !list->element_shape.CompatibleWith(tensor.shape())) {
      return Malformed("an element has another dtype or shape");
    }
    const auto index = static_cast<size_t>(&tensor - from.tensors().data());
    while (skipped < unset.size() && unset[skipped] == index + skipped) ++skipped;
    SLUICE_RETURN_IF_ERROR(list->Set(static_cast<int64_t>(index + skipped), tensor));
  }
  return RefPtr<Variant::Object>(list);
}

}  // namespace

TensorList::TensorList(const TensorList& other)
    : Variant::Object(),
      dtype(other.dtype),
      element_shape(other.element_shape),
      max_size(other.max_size),
      tensors_(other.tensors_),
      depth_(other.depth_) {}

absl::Status TensorList::Encode(std::string* metadata, std::vector<Tensor>* tensors) const {
  std::vector<uint64_t> unset;
  for (size_t i = 0; i < tensors_.size(); ++i) {
    if (!tensors_[i].valid()) {
      unset.push_back(i);
    } else {
      tensors->push_back(tensors_[i]);
    }
  }
  metadata->clear();
  AppendVarint(unset.size(), metadata);
  for (uint64_t index : unset) AppendVarint(index, metadata);
  AppendVarint(static_cast<uint64_t>(dtype), metadata);
  AppendVarint(static_cast<uint64_t>(max_size), metadata);
  proto::TensorShapeProto message;
  EncodeShape(element_shape, &message);
  return message.AppendToString(metadata) ? absl::OkStatus()
                                          : Internal("cannot serialise an element shape");
}

absl::Status TensorList::NoteDepth(const Tensor& value) {
  const int depth = 1 + DepthOf(value);
  if (depth > Variant::kMaxDepth) {
    return InvalidArgument("lists in lists are nested deeper than ", Variant::kMaxDepth);
  }
  depth_ = std::max(depth_, depth);
  return absl::OkStatus();
}

absl::Status TensorList::Resize(int64_t size) {
  if (size < 0) return InvalidArgument("the size of a list must not be negative, got ", size);
  if (size > kMaxSize) {
    return ResourceExhausted("a list of ", size, " elements is beyond the limit of ", kMaxSize);
  }
  tensors_.resize(static_cast<size_t>(size));
  return absl::OkStatus();
}

absl::Status TensorList::Set(int64_t index, Tensor value) {
  SLUICE_RETURN_IF_ERROR(NoteDepth(value));
  tensors_[static_cast<size_t>(index)] = std::move(value);
  return absl::OkStatus();
}

absl::Status TensorList::PushBack(Tensor value) {
  SLUICE_RETURN_IF_ERROR(NoteDepth(value));
  if (size() >= kMaxSize) return Resize(size() + 1);  // returns the error
  tensors_.push_back(std::move(value));
  return absl::OkStatus();
}

absl::StatusOr<const TensorList*> ListIn(const Variant& variant) {
  if (const auto* list = variant.get_if<TensorList>()) return list;
  const auto* opaque = variant.get_if<OpaqueVariant>();
  if (opaque != nullptr && opaque->type_name() == TensorList::kTypeName) {
    SLUICE_ASSIGN(const Variant::Object* decoded, opaque->Decoded(Decode));
    return static_cast<const TensorList*>(decoded);
  }
  return InvalidArgument("Input handle is not a list. Saw: '",
                         variant.empty() ? "<empty>" : variant.get()->type_name(), "'");
}

absl::StatusOr<const TensorList*> ListOf(const KernelContext& ctx, int input) {
  const Tensor& handle = ctx.input(input);
  if (handle.rank() != 0) {
    return InvalidArgument("Input list must be a scalar saw: ", handle.shape());
  }
  return ListIn(handle.scalar<Variant>());
}

absl::StatusOr<const TensorList*> ListOf(const KernelContext& ctx, int input, DType dtype) {
  SLUICE_ASSIGN(const TensorList* list, ListOf(ctx, input));
  if (list->dtype == dtype) return list;
  return InvalidArgument("Invalid data types; op elements ", dtype, " but list elements ",
                         list->dtype);
}

absl::StatusOr<TensorList*> ListToChange(KernelContext& ctx) {
  SLUICE_ASSIGN(const TensorList* list, ListOf(ctx, 0));
  Tensor input = ctx.TakeInput(0);
  if (OwnsBytes(input)) {
    if (TensorList* mine = input.mutable_data<Variant>()->get_if_unique<TensorList>()) {
      ctx.SetOutput(0, std::move(input));
      return mine;
    }
  }
  auto copy = MakeRefCounted<TensorList>(*list);
  TensorList* result = copy.get();
  SetOutputList(ctx, std::move(copy));
  return result;
}

void SetOutputList(KernelContext& ctx, RefPtr<TensorList> list) {
  ctx.SetOutput(0, Tensor::Scalar<Variant>(Variant(std::move(list))));
}

absl::StatusOr<Tensor> ZerosOf(KernelContext& ctx, const Primitives& on, DType dtype,
                               const Shape& shape) {
  SLUICE_ASSIGN(Tensor zeros, ctx.AllocateTemporary(dtype, shape));
  SLUICE_RETURN_IF_ERROR(on.Zero(ctx, dtype, zeros.raw(), zeros.num_elements()));
  return zeros;
}

absl::StatusOr<PartialShape> PartialShapeFrom(const Tensor& tensor) {
  SLUICE_ASSIGN(const Shape::Dims sizes, IntVector(tensor));
  if (tensor.rank() == 0) {
    if (sizes[0] == -1) return PartialShape();
    return InvalidArgument(
        "The only valid scalar shape tensor is the fully unknown shape specified as -1.");
  }
  if (tensor.rank() != 1) {
    return InvalidArgument("an element shape must be a vector, got shape ", tensor.shape());
  }
  if (tensor.num_elements() > kMaxRank) {
    return InvalidArgument("an element shape has ", tensor.num_elements(),
                           " dimensions, the limit is ", kMaxRank);
  }
  return PartialShape::Create(sizes);
}

absl::StatusOr<PartialShape> ElementShape(const KernelContext& ctx, const TensorList& list,
                                          int input) {
  SLUICE_ASSIGN(const PartialShape stated, PartialShapeFrom(ctx.input(input)));
  return stated.MergeWith(list.element_shape);
}

absl::StatusOr<PartialShape> MergedWithElements(PartialShape shape, const TensorList& list) {
  if (list.element_shape.fully_known()) return shape;  // every element is already checked
  for (const Tensor& element : list.tensors()) {
    if (!element.valid()) continue;
    SLUICE_ASSIGN(shape, shape.MergeWith(element.shape()));
  }
  return shape;
}

}  // namespace sluice::kernels
