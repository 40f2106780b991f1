// SPDX-License-Identifier: Apache-2.0
// Lists as values: created, resized, read and written one element at a time. tensor_list_stack.cc
// converts between whole tensors and lists.
#include "kernels/any/list/register.h"
#include "kernels/any/list/tensor_list.h"
#include "kernels/common/variables.h"

namespace sluice::kernels {
namespace {

// An int32 scalar input.
absl::StatusOr<int64_t> ScalarInput(const KernelContext& ctx, int input, absl::string_view name) {
  const Tensor& tensor = ctx.input(input);
  if (tensor.rank() != 0) {
    return InvalidArgument(name, " expected to be a scalar but got shape: ", tensor.shape());
  }
  return IntScalar(tensor);
}

// Ops that have the dtype of the elements.
struct Typed {
  DType dtype;
  const Primitives* on = nullptr;

  template <typename T>
  static absl::StatusOr<T> Make(const NodeSpec& node) {
    T made;
    SLUICE_ASSIGN(made.dtype, node.Get<DType>("element_dtype"));
    return made;
  }
};

struct EmptyList : Typed {
  static absl::StatusOr<EmptyList> Create(const NodeSpec& node) { return Make<EmptyList>(node); }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const int64_t limit, ScalarInput(ctx, 1, "max_num_elements"));
    SLUICE_ASSIGN(PartialShape shape, PartialShapeFrom(ctx.input(0)));
    auto list = MakeRefCounted<TensorList>(dtype, std::move(shape));
    list->max_size = limit;
    SetOutputList(ctx, std::move(list));
    return absl::OkStatus();
  }
};

struct Reserve : Typed {
  static absl::StatusOr<Reserve> Create(const NodeSpec& node) { return Make<Reserve>(node); }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(PartialShape shape, PartialShapeFrom(ctx.input(0)));
    SLUICE_ASSIGN(const int64_t size, ScalarInput(ctx, 1, "num_elements"));
    if (size < 0) {
      return InvalidArgument("The num_elements to reserve must be a non negative number, but got ",
                             size);
    }
    auto list = MakeRefCounted<TensorList>(dtype, std::move(shape));
    SLUICE_RETURN_IF_ERROR(list->Resize(size));
    SetOutputList(ctx, std::move(list));
    return absl::OkStatus();
  }
};

struct PushBack : Typed {
  static absl::StatusOr<PushBack> Create(const NodeSpec& node) { return Make<PushBack>(node); }
  absl::Status Run(KernelContext& ctx) const {
    const Tensor& value = ctx.input(1);
    SLUICE_ASSIGN(const TensorList* list, ListOf(ctx, 0, dtype));
    if (!list->element_shape.CompatibleWith(value.shape())) {
      return InvalidArgument(
          "Tried to append a tensor with incompatible shape to a list. Op element shape: ",
          value.shape(), " list shape: ", list->element_shape);
    }
    if (list->max_size != -1 && list->size() >= list->max_size) {
      return InvalidArgument("Tried to push item into a full list list size: ", list->size(),
                             " max_num_elements: ", list->max_size);
    }
    SLUICE_ASSIGN(Tensor kept, Kept(ctx, *on, value));
    SLUICE_ASSIGN(TensorList * changed, ListToChange(ctx));
    return changed->PushBack(std::move(kept));
  }
};

struct PopBack : Typed {
  static absl::StatusOr<PopBack> Create(const NodeSpec& node) { return Make<PopBack>(node); }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const TensorList* list, ListOf(ctx, 0, dtype));
    if (list->size() == 0) return InvalidArgument("Trying to pop from an empty list.");
    Tensor last = list->tensors().back();
    SLUICE_RETURN_IF_ERROR(CheckMemory(ctx, last, "an element of a list"));
    if (!last.valid()) {
      SLUICE_ASSIGN(const PartialShape partial, ElementShape(ctx, *list, 1));
      if (!partial.fully_known()) {
        return InvalidArgument(
            "Trying to read an uninitialized tensor but element_shape is not fully defined.",
            partial);
      }
      SLUICE_ASSIGN(const Shape shape, partial.ToShape());
      SLUICE_ASSIGN(last, ZerosOf(ctx, *on, dtype, shape));
    }
    SLUICE_ASSIGN(TensorList * changed, ListToChange(ctx));
    changed->PopBack();
    ctx.SetOutput(1, std::move(last));
    return absl::OkStatus();
  }
};

struct GetItem : Typed {
  static absl::StatusOr<GetItem> Create(const NodeSpec& node) { return Make<GetItem>(node); }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const TensorList* list, ListOf(ctx, 0, dtype));
    SLUICE_ASSIGN(const int64_t index, ScalarInput(ctx, 1, "index"));
    if (index < 0 || index >= list->size()) {
      return InvalidArgument("Trying to access element ", index, " in a list with ", list->size(),
                             " elements.");
    }
    Tensor value = list->tensors()[static_cast<size_t>(index)];
    SLUICE_RETURN_IF_ERROR(CheckMemory(ctx, value, "an element of a list"));
    if (!value.valid()) {
      SLUICE_ASSIGN(PartialShape partial, ElementShape(ctx, *list, 2));
      if (!partial.fully_known()) {
        SLUICE_ASSIGN(partial, MergedWithElements(std::move(partial), *list));
      }
      if (!partial.fully_known()) {
        return InvalidArgument(
            "Trying to read an uninitialized tensor but element_shape is not fully defined: ",
            partial, " and no list element is set.");
      }
      SLUICE_ASSIGN(const Shape shape, partial.ToShape());
      SLUICE_ASSIGN(value, ZerosOf(ctx, *on, dtype, shape));
    }
    ctx.SetOutput(0, std::move(value));
    return absl::OkStatus();
  }
};

struct SetItem : Typed {
  bool grows = false;

  static absl::StatusOr<SetItem> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(SetItem made, Make<SetItem>(node));
    made.grows = GetAttrOr(node.attrs, "resize_if_index_out_of_bounds", false);
    return made;
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const TensorList* list, ListOf(ctx, 0, dtype));
    SLUICE_ASSIGN(const int64_t index, ScalarInput(ctx, 1, "index"));
    if (index < 0 || (!grows && index >= list->size())) {
      return InvalidArgument("Trying to modify element ", index, " in a list with ", list->size(),
                             " elements.");
    }
    const Tensor& value = ctx.input(2);
    if (!list->element_shape.CompatibleWith(value.shape())) {
      return InvalidArgument(
          "Tried to set a tensor with incompatible shape at a list index. Item element shape: ",
          value.shape(), " list shape: ", list->element_shape);
    }
    SLUICE_ASSIGN(Tensor kept, Kept(ctx, *on, value));
    SLUICE_ASSIGN(TensorList * changed, ListToChange(ctx));
    if (index >= changed->size()) SLUICE_RETURN_IF_ERROR(changed->Resize(index + 1));
    return changed->Set(index, std::move(kept));
  }
};

struct Resize {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_RETURN_IF_ERROR(ListOf(ctx, 0).status());
    if (ctx.input(1).rank() != 0) return InvalidArgument("size must be a scalar");
    SLUICE_ASSIGN(const int64_t size, IntScalar(ctx.input(1)));
    if (size < 0) {
      return InvalidArgument("TensorListSlice expects size to be non-negative. Got: ", size);
    }
    SLUICE_ASSIGN(TensorList * changed, ListToChange(ctx));
    return changed->Resize(size);
  }
};

struct Length {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const TensorList* list, ListOf(ctx, 0));
    ctx.SetOutput(0, Tensor::Scalar<int32_t>(static_cast<int32_t>(list->size())));
    return absl::OkStatus();
  }
};

struct ListElementShape {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const TensorList* list, ListOf(ctx, 0));
    const PartialShape& shape = list->element_shape;
    SLUICE_ASSIGN(Tensor * output,
                  ctx.AllocateOutput(0, shape.rank_known() ? Shape{shape.rank()} : Shape{}));
    return VisitDType(IndexTypes{}, output->dtype(), [&]<typename T>(Type<T>) {
      T* to = output->mutable_data<T>();
      if (!shape.rank_known()) *to = -1;
      for (int i = 0; i < shape.rank(); ++i) to[i] = static_cast<T>(shape.dim(i));
      return absl::OkStatus();
    });
  }
};

// Appends row i of a tensor to list i.
struct PushBackBatch : Typed {
  static absl::StatusOr<PushBackBatch> Create(const NodeSpec& node) {
    return Make<PushBackBatch>(node);
  }
  absl::Status Run(KernelContext& ctx) const {
    const Tensor& handles = ctx.input(0);
    const Tensor& values = ctx.input(1);
    if (values.rank() < 1) {
      return InvalidArgument("Expected tensor to be at least a vector, but saw shape: ",
                             values.shape());
    }
    if (handles.rank() != 1) {
      return InvalidArgument("Expected input_handles to be a vector, but saw shape: ",
                             handles.shape());
    }
    if (values.dim(0) != handles.dim(0)) {
      return InvalidArgument("Expected tensor.shape[0] == input_handles.size, but saw ",
                             values.dim(0), " vs. ", handles.dim(0));
    }
    SLUICE_ASSIGN(const Tensor kept, Kept(ctx, *on, values));
    Shape element = values.shape();
    element.RemoveDim(0);
    SLUICE_ASSIGN(Tensor * output, ctx.AllocateOutput(0, handles.shape()));
    for (int64_t i = 0; i < handles.dim(0); ++i) {
      SLUICE_ASSIGN(const TensorList* list, ListIn(handles.flat<Variant>()[i]));
      if (!list->element_shape.CompatibleWith(element)) {
        return InvalidArgument("Tried to append a tensor with incompatible shape to a list at ",
                               "index ", i, ". Op element shape: ", element,
                               " list shape: ", list->element_shape);
      }
      if (list->dtype != dtype) {
        return InvalidArgument("Invalid data type at index ", i, "; op elements ", dtype,
                               " but list elements ", list->dtype);
      }
      auto longer = MakeRefCounted<TensorList>(*list);
      SLUICE_ASSIGN(Tensor row, kept.Rows(i, i + 1).Reshaped(element));
      SLUICE_RETURN_IF_ERROR(longer->PushBack(std::move(row)));
      output->mutable_data<Variant>()[i] = Variant(std::move(longer));
    }
    return absl::OkStatus();
  }
};

// Appends each list of input 1 to the list of input 0.
struct ConcatLists : Typed {
  static absl::StatusOr<ConcatLists> Create(const NodeSpec& node) {
    return Make<ConcatLists>(node);
  }
  absl::Status Run(KernelContext& ctx) const {
    const Tensor& a = ctx.input(0);
    const Tensor& b = ctx.input(1);
    if (a.shape() != b.shape()) {
      return InvalidArgument("Incompatible input TensorList tensor shapes: ", a.shape(), " vs. ",
                             b.shape());
    }
    SLUICE_ASSIGN(Tensor * output, ctx.AllocateOutput(0, a.shape()));
    for (int64_t i = 0; i < a.num_elements(); ++i) {
      SLUICE_ASSIGN(const TensorList* first, Checked(a, "input_a", i));
      SLUICE_ASSIGN(const TensorList* second, Checked(b, "input_b", i));
      if (!(first->element_shape == second->element_shape)) {
        return InvalidArgument(
            "input_a and input_b TensorList element shapes are not identical at index ", i,
            ".  Saw ", first->element_shape, " vs. ", second->element_shape);
      }
      auto joined = MakeRefCounted<TensorList>(*first);
      for (const Tensor& element : second->tensors()) {
        SLUICE_RETURN_IF_ERROR(joined->PushBack(element));
      }
      output->mutable_data<Variant>()[i] = Variant(std::move(joined));
    }
    return absl::OkStatus();
  }
  absl::StatusOr<const TensorList*> Checked(const Tensor& handles, absl::string_view name,
                                            int64_t i) const {
    const absl::StatusOr<const TensorList*> list = ListIn(handles.flat<Variant>()[i]);
    if (!list.ok()) {
      return InvalidArgument(name, " is not a TensorList at index ", i, ".  ",
                             list.status().message());
    }
    if ((*list)->dtype != dtype) {
      return InvalidArgument(name, "[", i, "].dtype != element_dtype.  Saw: ", (*list)->dtype,
                             " vs. ", dtype);
    }
    return list;
  }
};

}  // namespace

// Elements of int32 are on the device too: a list does not know the devices of its readers.
void RegisterTensorLists(KernelRegistry& kernels, const Primitives& on) {
  AddOn<EmptyList>(kernels, on, "EmptyTensorList", {},
                   HostMemory{"element_shape", "max_num_elements"}, kCheap);
  AddOn<Reserve>(kernels, on, "TensorListReserve", {}, HostMemory{"element_shape", "num_elements"},
                 kCheap);
  AddOn<PushBack>(kernels, on, "TensorListPushBack", {}, {}, kCheap);
  AddOn<PopBack>(kernels, on, "TensorListPopBack", {}, HostMemory{"element_shape"}, kCheap);
  AddOn<GetItem>(kernels, on, "TensorListGetItem", {}, HostMemory{"index", "element_shape"},
                 kCheap);
  AddOn<SetItem>(kernels, on, "TensorListSetItem", {}, HostMemory{"index"}, kCheap);
  AddOn<Resize>(kernels, on, "TensorListResize", {}, HostMemory{"size"}, kCheap);
  AddOn<Length>(kernels, on, "TensorListLength", {}, HostMemory{"length"}, kCheap);
  AddOn<ListElementShape>(kernels, on, "TensorListElementShape", {}, HostMemory{"element_shape"},
                          kCheap);
  AddOn<PushBackBatch>(kernels, on, "TensorListPushBackBatch");
  AddOn<ConcatLists>(kernels, on, "TensorListConcatLists");
}

}  // namespace sluice::kernels
