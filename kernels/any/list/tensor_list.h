// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_ANY_LIST_TENSOR_LIST_H_
#define SLUICE_KERNELS_ANY_LIST_TENSOR_LIST_H_

#include <string>
#include <vector>

#include "core/runtime/kernel_context.h"
#include "core/tensor/variant.h"
#include "kernels/common/primitives.h"

namespace sluice::kernels {

// A TensorList is a list of tensors of one dtype that is itself a value: a change makes a new list.
// Unset elements are invalid tensors; they read as zeros of the element shape.
//
// Owner:    the variants that hold it; a sole owner may change it.
// Threads:  immutable once shared.
class TensorList final : public Variant::Object {
 public:
  static constexpr absl::string_view kTypeName = "tensorflow::TensorList";
  // limit of the memory that a number from a client can request
  static constexpr int64_t kMaxSize = 1 << 24;

  TensorList(DType dtype, PartialShape element_shape)
      : dtype(dtype), element_shape(std::move(element_shape)) {}
  TensorList(const TensorList& other);

  absl::string_view type_name() const override { return kTypeName; }
  // TensorFlow's format: the number of unset elements (a varint) and their indices, the dtype, the
  // maximal number of elements, the element shape as a message.
  absl::Status Encode(std::string* metadata, std::vector<Tensor>* tensors) const override;
  int depth() const override { return depth_; }

  const std::vector<Tensor>& tensors() const { return tensors_; }
  int64_t size() const { return static_cast<int64_t>(tensors_.size()); }
  // RESOURCE_EXHAUSTED beyond kMaxSize, INVALID_ARGUMENT below 0.
  absl::Status Resize(int64_t size);
  // INVALID_ARGUMENT if lists are nested too deeply.
  // REQUIRES: index < size().
  absl::Status Set(int64_t index, Tensor value);
  absl::Status PushBack(Tensor value);
  void PopBack() { tensors_.pop_back(); }

  const DType dtype;
  PartialShape element_shape;
  int64_t max_size = -1;  // limit for PushBack; -1: none

 private:
  absl::Status NoteDepth(const Tensor& value);

  std::vector<Tensor> tensors_;
  int depth_ = 1;
};

// The list in a scalar variant input, or in a variant; lives as long as they do. INVALID_ARGUMENT
// if there is none.
absl::StatusOr<const TensorList*> ListOf(const KernelContext& ctx, int input);
absl::StatusOr<const TensorList*> ListIn(const Variant& variant);
// The same with the dtype of the op. "Invalid data types; ..." if it differs.
absl::StatusOr<const TensorList*> ListOf(const KernelContext& ctx, int input, DType dtype);

// Makes output 0 a list like that of input 0, to be changed. It is the same object if nothing else
// refers to it. Input 0 is moved from.
absl::StatusOr<TensorList*> ListToChange(KernelContext& ctx);
void SetOutputList(KernelContext& ctx, RefPtr<TensorList> list);

absl::StatusOr<Tensor> ZerosOf(KernelContext& ctx, const Primitives& on, DType dtype,
                               const Shape& shape);

// A shape that may be partly unknown: a vector of sizes with -1, or the scalar -1.
absl::StatusOr<PartialShape> PartialShapeFrom(const Tensor& tensor);
// The element shape that input `input` gives, merged with the list's.
absl::StatusOr<PartialShape> ElementShape(const KernelContext& ctx, const TensorList& list,
                                          int input);
// Merges `shape` with the shapes of the set elements.
absl::StatusOr<PartialShape> MergedWithElements(PartialShape shape, const TensorList& list);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_ANY_LIST_TENSOR_LIST_H_
