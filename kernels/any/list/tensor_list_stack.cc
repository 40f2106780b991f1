// SPDX-License-Identifier: Apache-2.0
// Whole tensors to lists, and back: Stack, Gather, Concat; FromTensor, Split, Scatter.
#include "kernels/any/list/register.h"
#include "kernels/any/list/tensor_list.h"
#include "kernels/common/variables.h"

namespace sluice::kernels {
namespace {

constexpr DTypeSet kListed = kAnyType.Without({kResource});

Shape Tail(Shape shape) {
  shape.RemoveDim(0);
  return shape;
}

PartialShape Tail(const PartialShape& shape) {
  if (shape.rank() < 1) return PartialShape();
  auto tail = PartialShape::Create(shape.dims().subspan(1));
  return tail.ok() ? *std::move(tail) : PartialShape();
}

// Checked, because values from outside may not fit.
absl::StatusOr<Shape> CheckedBehind(int64_t first, const Shape& shape) {
  Shape::Dims dims(shape.dims().begin(), shape.dims().end());
  dims.insert(dims.begin(), first);
  return Shape::Create(dims);
}

// Concatenates the elements; an unset element becomes zeros, as many as `sizes` gives.
absl::Status Join(KernelContext& ctx, const Primitives& on, absl::Span<const Tensor* const> parts,
                  absl::Span<const int64_t> sizes, Tensor& output) {
  std::vector<JoinedPart> joined;
  joined.reserve(parts.size());
  int64_t left = output.num_elements();
  for (size_t i = 0; i < parts.size(); ++i) {
    const Tensor& part = *parts[i];
    if (sizes[i] > left || (part.valid() && part.num_elements() != sizes[i]))
      return Internal("elements of a list do not fill a tensor of shape ", output.shape());
    SLUICE_RETURN_IF_ERROR(CheckMemory(ctx, part, "an element of a list"));
    left -= sizes[i];
    joined.push_back({part.raw(), sizes[i]});
  }
  return on.Join(ctx, output.dtype(), joined, 1, output.raw());
}

struct Stack {
  DType dtype;
  int64_t size;
  const Primitives* on = nullptr;

  static absl::StatusOr<Stack> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const DType dtype, node.Get<DType>("element_dtype"));
    return Stack{dtype, GetAttrOr<int64_t>(node.attrs, "num_elements", -1)};
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const TensorList* list, ListOf(ctx, 0, dtype));
    if (size != -1 && list->size() != size) {
      return InvalidArgument("Operation expected a list with ", size,
                             " elements but got a list with ", list->size(), " elements.");
    }
    SLUICE_ASSIGN(PartialShape partial, ElementShape(ctx, *list, 1));
    if (!partial.fully_known() && list->size() == 0) {
      return InvalidArgument(
          "Tried to stack elements of an empty list with non-fully-defined element_shape: ",
          partial);
    }
    SLUICE_ASSIGN(partial, MergedWithElements(std::move(partial), *list));
    if (!partial.fully_known()) {
      return InvalidArgument(
          "Tried to stack list which only contains uninitialized tensors and has a ",
          "non-fully-defined element_shape: ", partial);
    }
    SLUICE_ASSIGN(const Shape element, partial.ToShape());
    SLUICE_ASSIGN(const Shape shape, CheckedBehind(list->size(), element));
    SLUICE_ASSIGN(Tensor * output, ctx.AllocateOutput(0, shape));
    std::vector<const Tensor*> parts;
    for (const Tensor& tensor : list->tensors()) parts.push_back(&tensor);
    return Join(ctx, *on, parts, std::vector<int64_t>(parts.size(), element.num_elements()),
                *output);
  }
};

struct GatherTensorList {
  DType dtype;
  const Primitives* on = nullptr;

  static absl::StatusOr<GatherTensorList> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const DType dtype, node.Get<DType>("element_dtype"));
    return GatherTensorList{dtype};
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const TensorList* list, ListOf(ctx, 0, dtype));
    SLUICE_ASSIGN(const Shape::Dims indices, IntVector(ctx.input(1)));
    SLUICE_ASSIGN(PartialShape partial, ElementShape(ctx, *list, 2));
    if (!partial.fully_known() && indices.empty()) {
      return InvalidArgument(
          "Tried to gather 0-elements from a list with non-fully-defined shape: ", partial);
    }
    std::vector<const Tensor*> parts;
    for (int64_t index : indices) {
      if (index < 0 || index >= list->size()) {
        return InvalidArgument("Trying to gather element ", index, " in a list with ", list->size(),
                               " elements.");
      }
      parts.push_back(&list->tensors()[static_cast<size_t>(index)]);
      if (!parts.back()->valid() || list->element_shape.fully_known()) continue;
      SLUICE_ASSIGN(partial, partial.MergeWith(parts.back()->shape()));
    }
    if (!partial.fully_known()) {
      return InvalidArgument("Tried to gather uninitialized tensors from a list with ",
                             "non-fully-defined element_shape: ", partial);
    }
    SLUICE_ASSIGN(const Shape element, partial.ToShape());
    SLUICE_ASSIGN(const Shape shape, CheckedBehind(static_cast<int64_t>(parts.size()), element));
    SLUICE_ASSIGN(Tensor * output, ctx.AllocateOutput(0, shape));
    return Join(ctx, *on, parts, std::vector<int64_t>(parts.size(), element.num_elements()),
                *output);
  }
};

// The first version has the element shape as an attribute. The second one also has the lengths of
// unset elements.
struct Concat {
  DType dtype;
  PartialShape rest;  // the elements' shapes, without the first dimension
  bool v2;
  const Primitives* on = nullptr;

  static absl::StatusOr<Concat> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const DType dtype, node.Get<DType>("element_dtype"));
    return Concat{dtype, Tail(GetAttrOr(node.attrs, "element_shape", PartialShape())),
                  node.op == "TensorListConcatV2"};
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const TensorList* list, ListOf(ctx, 0, dtype));
    PartialShape tail = rest;
    int64_t first = -1;  // the length of each element, -1 if it is unknown
    if (v2) {
      SLUICE_ASSIGN(const PartialShape stated, ElementShape(ctx, *list, 1));
      if (stated.rank() == 0) {
        return InvalidArgument(
            "Concat requires elements to be at least vectors, found scalars instead.");
      }
      if (stated.rank_known()) first = stated.dim(0);
      tail = Tail(stated);
    }
    if (list->size() == 0 && !tail.fully_known()) {
      return InvalidArgument("All except the first dimension must be fully defined when concating ",
                             "an empty tensor list. element_shape: ", tail);
    }
    SLUICE_ASSIGN(tail, MergedTail(*list, std::move(tail), &first));
    if (!tail.fully_known()) {
      return InvalidArgument("Trying to concat list with only uninitialized tensors but ",
                             "element_shape_except_first_dim is not fully defined: ", tail);
    }
    SLUICE_ASSIGN(const Shape row, tail.ToShape());
    SLUICE_ASSIGN(const std::vector<int64_t> lengths, Lengths(ctx, *list, first));
    return Write(ctx, *list, row, lengths);
  }

 private:
  // Sets `first` to the common length of all elements, if there is one.
  static absl::StatusOr<PartialShape> MergedTail(const TensorList& list, PartialShape tail,
                                                 int64_t* first) {
    const int64_t stated = *first;
    bool same = true;
    for (int64_t i = 0; i < list.size(); ++i) {
      const Tensor& element = list.tensors()[static_cast<size_t>(i)];
      if (!element.valid()) continue;
      if (element.rank() == 0) {
        return InvalidArgument("Concat saw a scalar shape at index ", i,
                               " but requires at least vectors.");
      }
      SLUICE_ASSIGN(tail, tail.MergeWith(Tail(element.shape())));
      if (stated != -1 && stated != element.dim(0)) {
        return InvalidArgument("First entry of element_shape input does not match the first dim ",
                               "of list element at index: ", i, " Expected: ", stated,
                               " Actual: ", element.dim(0));
      }
      same = same && (*first == -1 || *first == element.dim(0));
      if (*first == -1) *first = element.dim(0);
    }
    if (!same) *first = -1;
    return tail;
  }
  absl::StatusOr<std::vector<int64_t>> Lengths(const KernelContext& ctx, const TensorList& list,
                                               int64_t first) const {
    Shape::Dims stated;
    if (v2) {
      SLUICE_ASSIGN(stated, IntVector(ctx.input(2)));
    }
    std::vector<int64_t> lengths;
    for (size_t i = 0; i < list.tensors().size(); ++i) {
      const Tensor& element = list.tensors()[i];
      if (element.valid()) {
        lengths.push_back(element.dim(0));
      } else if (i < stated.size()) {
        if (stated[i] < 0) return InvalidArgument("leading_dims[", i, "] is ", stated[i]);
        lengths.push_back(stated[i]);
      } else if (first != -1) {
        lengths.push_back(first);
      } else if (!v2) {
        return InvalidArgument("Concating lists with uninitialized tensors is not supported in ",
                               "this version of TensorListConcat. Consider updating your ",
                               "GraphDef to run the newer version.");
      } else {
        return InvalidArgument("List contains uninitialized tensor at index ", i,
                               " but leading_dims has only ", stated.size(), " elements.");
      }
    }
    return lengths;
  }
  absl::Status Write(KernelContext& ctx, const TensorList& list, const Shape& row,
                     const std::vector<int64_t>& lengths) const {
    int64_t total = 0;
    std::vector<const Tensor*> parts;
    std::vector<int64_t> sizes;
    for (size_t i = 0; i < lengths.size(); ++i) {
      if (!AddFits(total, lengths[i], &total)) return InvalidArgument("the lengths overflow");
      parts.push_back(&list.tensors()[i]);
      sizes.push_back(lengths[i]);
    }
    SLUICE_ASSIGN(const Shape shape, CheckedBehind(total, row));
    SLUICE_ASSIGN(Tensor * output, ctx.AllocateOutput(0, shape));
    ctx.SetOutput(1, Tensor::Vector<int64_t>(lengths));
    for (int64_t& size : sizes) size *= row.num_elements();  // each is at most the whole
    return Join(ctx, *on, parts, sizes, *output);
  }
};

// A list for the rows of a tensor. INVALID_ARGUMENT unless they fit the given shape.
absl::StatusOr<RefPtr<TensorList>> ListForRows(const Tensor& tensor, const Tensor& element_shape) {
  SLUICE_ASSIGN(PartialShape shape, PartialShapeFrom(element_shape));
  if (tensor.rank() < 1) {
    return InvalidArgument("Tensor must be at least a vector, but saw shape: ", tensor.shape());
  }
  const Shape row = Tail(tensor.shape());
  if (!shape.CompatibleWith(row)) {
    return InvalidArgument("Specified a list with shape ", shape, " from a tensor with shape ",
                           row);
  }
  return MakeRefCounted<TensorList>(tensor.dtype(), std::move(shape));
}

// list[indices[i]] = row i.
absl::Status SetRows(KernelContext& ctx, const Primitives& on, const Tensor& tensor,
                     absl::Span<const int64_t> indices, TensorList& list) {
  SLUICE_ASSIGN(const Tensor kept, Kept(ctx, on, tensor));
  const Shape row = Tail(tensor.shape());
  for (size_t i = 0; i < indices.size(); ++i) {
    const auto at = static_cast<int64_t>(i);
    SLUICE_ASSIGN(Tensor element, kept.Rows(at, at + 1).Reshaped(row));
    SLUICE_RETURN_IF_ERROR(list.Set(indices[i], std::move(element)));
  }
  return absl::OkStatus();
}

struct FromTensor {
  const Primitives* on = nullptr;

  absl::Status Run(KernelContext& ctx) const {
    const Tensor& tensor = ctx.input(0);
    SLUICE_ASSIGN(RefPtr<TensorList> list, ListForRows(tensor, ctx.input(1)));
    SLUICE_RETURN_IF_ERROR(list->Resize(tensor.dim(0)));
    Shape::Dims indices(static_cast<size_t>(tensor.dim(0)));
    for (size_t i = 0; i < indices.size(); ++i) indices[i] = static_cast<int64_t>(i);
    SLUICE_RETURN_IF_ERROR(SetRows(ctx, *on, tensor, indices, *list));
    SetOutputList(ctx, std::move(list));
    return absl::OkStatus();
  }
};

struct Split {
  const Primitives* on = nullptr;

  absl::Status Run(KernelContext& ctx) const {
    const Tensor& tensor = ctx.input(0);
    SLUICE_ASSIGN(const PartialShape shape, PartialShapeFrom(ctx.input(1)));
    SLUICE_RETURN_IF_ERROR(Check(tensor.shape(), shape, ctx.input(2).shape()));
    SLUICE_ASSIGN(const Shape::Dims lengths, IntVector(ctx.input(2)));
    SLUICE_ASSIGN(const Tensor kept, Kept(ctx, *on, tensor));
    auto list = MakeRefCounted<TensorList>(tensor.dtype(), shape);
    int64_t begin = 0;
    for (int64_t length : lengths) {
      if (length < 0) return InvalidArgument("Invalid value in lengths: ", length);
      if (length > tensor.dim(0) - begin) {
        return InvalidArgument("Attempting to slice [", begin, ", ",
                               static_cast<uint64_t>(length) + begin, "] from tensor with length ",
                               tensor.dim(0));
      }
      SLUICE_RETURN_IF_ERROR(list->PushBack(kept.Rows(begin, begin + length)));
      begin += length;
    }
    if (begin != tensor.dim(0)) {
      return InvalidArgument("Unused values in tensor. Length of tensor: ", tensor.dim(0),
                             " Values used: ", begin);
    }
    SetOutputList(ctx, std::move(list));
    return absl::OkStatus();
  }
  static absl::Status Check(const Shape& tensor, const PartialShape& element,
                            const Shape& lengths) {
    if (element.rank() == 0) {
      return InvalidArgument("TensorListSplit requires element_shape to be at least of rank 1, ",
                             "but saw: ", element);
    }
    if (tensor.rank() < 1) {
      return InvalidArgument("Tensor must be at least a vector, but saw shape: ", tensor);
    }
    if (!Tail(element).CompatibleWith(Tail(tensor))) {
      return InvalidArgument("tensor shape ", tensor, " is not compatible with element_shape ",
                             element);
    }
    if (lengths.rank() != 1) {
      return InvalidArgument("Expected lengths to be a vector, received shape: ", lengths);
    }
    return absl::OkStatus();
  }
};

// Scatters into a new list. Its length follows from the largest index, or from the fourth input.
struct Scatter {
  const Primitives* on = nullptr;

  absl::Status Run(KernelContext& ctx) const {
    const Tensor& tensor = ctx.input(0);
    SLUICE_ASSIGN(const Shape::Dims indices, IntVector(ctx.input(1)));
    int64_t size = -1;
    if (ctx.num_inputs() > 3) {
      if (ctx.input(3).rank() != 0) return InvalidArgument("num_elements must be a scalar");
      SLUICE_ASSIGN(size, IntScalar(ctx.input(3)));
    }
    if (size < -1) {
      return InvalidArgument("TensorListScatter expects num_elements >= -1, found: ", size);
    }
    SLUICE_ASSIGN(RefPtr<TensorList> list, ListForRows(tensor, ctx.input(2)));
    if (static_cast<int64_t>(indices.size()) != tensor.dim(0)) {
      return InvalidArgument("Invalid number of rows in input tensor. Expected: ", indices.size(),
                             " Actual: ", tensor.dim(0));
    }
    int64_t largest = -1;
    for (int64_t index : indices) {
      if (index < 0) {
        return InvalidArgument("Indices in TensorListScatter must all be non-negative.");
      }
      if (size != -1 && index >= size) {
        return InvalidArgument("TensorListScatter: Trying to scatter at index ", index,
                               " in list with size ", size);
      }
      largest = std::max(largest, index);
    }
    SLUICE_RETURN_IF_ERROR(list->Resize(std::max(largest + 1, size)));
    SLUICE_RETURN_IF_ERROR(SetRows(ctx, *on, tensor, indices, *list));
    SetOutputList(ctx, std::move(list));
    return absl::OkStatus();
  }
};

struct ScatterIntoExistingList {
  const Primitives* on = nullptr;

  absl::Status Run(KernelContext& ctx) const {
    const Tensor tensor = ctx.input(1);
    SLUICE_ASSIGN(const TensorList* list, ListOf(ctx, 0));
    SLUICE_RETURN_IF_ERROR(Check(*list, tensor, ctx.input(2).shape()));
    SLUICE_ASSIGN(const Shape::Dims indices, IntVector(ctx.input(2)));
    int64_t size = list->size();
    for (int64_t index : indices) {
      if (index < 0) {
        return InvalidArgument("Indices in TensorListScatter must all be non-negative.");
      }
      size = std::max(size, index + 1);
    }
    SLUICE_ASSIGN(TensorList * changed, ListToChange(ctx));
    SLUICE_RETURN_IF_ERROR(changed->Resize(size));
    return SetRows(ctx, *on, tensor, indices, *changed);
  }
  static absl::Status Check(const TensorList& list, const Tensor& tensor, const Shape& indices) {
    if (tensor.dtype() != list.dtype) {
      return InvalidArgument("Invalid data types; input tensor type: ", tensor.dtype(),
                             " list element_type: ", list.dtype);
    }
    if (tensor.rank() < 1) {
      return InvalidArgument("Tensor must be at least a vector, but saw shape: ", tensor.shape());
    }
    if (indices.rank() != 1) {
      return InvalidArgument("Expected indices to be a vector, but received shape: ", indices);
    }
    if (indices.dim(0) != tensor.dim(0)) {
      return InvalidArgument("Expected len(indices) == tensor.shape[0], but saw: ", indices.dim(0),
                             " vs. ", tensor.dim(0));
    }
    if (!list.element_shape.CompatibleWith(Tail(tensor.shape()))) {
      return InvalidArgument("rows of shape ", Tail(tensor.shape()),
                             " do not fit a list with element shape ", list.element_shape);
    }
    return absl::OkStatus();
  }
};

}  // namespace

void RegisterTensorListStacks(KernelRegistry& kernels, const Primitives& on) {
  const std::vector<TypeConstraint> types = {{"element_dtype", kListed}};
  AddOn<Stack>(kernels, on, "TensorListStack", types, HostMemory{"element_shape"});
  AddOn<GatherTensorList>(kernels, on, "TensorListGather", types,
                          HostMemory{"indices", "element_shape"});
  AddOn<Concat>(kernels, on, "TensorListConcat", types, HostMemory{"lengths"});
  AddOn<Concat>(kernels, on, "TensorListConcatV2", types,
                HostMemory{"element_shape", "leading_dims", "lengths"});
  AddOn<FromTensor>(kernels, on, "TensorListFromTensor", types, HostMemory{"element_shape"});
  AddOn<Split>(kernels, on, "TensorListSplit", types, HostMemory{"element_shape", "lengths"});
  AddOn<Scatter>(kernels, on, "TensorListScatter", types, HostMemory{"indices", "element_shape"});
  AddOn<Scatter>(kernels, on, "TensorListScatterV2", types,
                 HostMemory{"indices", "element_shape", "num_elements"});
  AddOn<ScatterIntoExistingList>(kernels, on, "TensorListScatterIntoExistingList", types,
                                 HostMemory{"indices"});
}

}  // namespace sluice::kernels
