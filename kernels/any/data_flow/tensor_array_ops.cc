// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <numeric>

#include "core/runtime/device.h"
#include "core/tensor/variant.h"
#include "kernels/any/data_flow/register.h"
#include "kernels/any/data_flow/tensor_array.h"
#include "kernels/common/join_tensors.h"
#include "kernels/common/resource_handle.h"
#include "kernels/common/variables.h"

// Handles are resources (V3), pairs of strings (V2), container and name, or references to such
// (V1). The step's resources hold all arrays of a step.

namespace sluice::kernels {
namespace {

Shape::Dims UpTo(int64_t count) {
  Shape::Dims indices(count);
  std::iota(indices.begin(), indices.end(), 0);
  return indices;
}

absl::StatusOr<RefPtr<TensorArray>> ArrayOf(KernelContext& ctx) {
  SLUICE_ASSIGN(RefPtr<TensorArray> array, ResourceIn<TensorArray>(ctx.step_resources(), ctx, 0));
  if (array->device_type() == ctx.device().type()) return array;
  return InvalidArgument("Trying to access TensorArray ", array->name(), " of a ",
                         array->device_type(), " from device ", ctx.device().name());
}

absl::Status SetHandle(KernelContext& ctx, RefPtr<TensorArray> array, bool by_reference) {
  SLUICE_ASSIGN(array, ctx.step_resources().LookupOrCreate<TensorArray>(
                           TensorArray::kContainer, array->name(),
                           [&]() -> absl::StatusOr<RefPtr<TensorArray>> { return array; }));
  if (by_reference) {
    ctx.SetOutputRef(0, RefHandle(std::string(TensorArray::kContainer), array->name(), array));
    return absl::OkStatus();
  }
  if (ctx.output_type(0) == kString) {
    ctx.SetOutput(
        0, Tensor::Vector<std::string>({std::string(TensorArray::kContainer), array->name()}));
    return absl::OkStatus();
  }
  ResourceHandle handle;
  handle.device = ctx.device().name();
  handle.container = std::string(TensorArray::kContainer);
  handle.name = array->name();
  handle.type_name = std::string(TensorArray::kTypeName);
  handle.object = array;
  ctx.SetOutput(0, Tensor::Scalar<ResourceHandle>(std::move(handle)));
  return absl::OkStatus();
}

struct NewTensorArray {
  TensorArray::Options options;
  std::string name;
  bool by_reference;
  const Primitives* on = nullptr;

  static absl::StatusOr<NewTensorArray> Create(const NodeSpec& node) {
    NewTensorArray made;
    made.by_reference = IsRef(node.output_types[0]);
    SLUICE_ASSIGN(made.options.dtype, node.Get<DType>("dtype"));
    made.options.element_shape = GetAttrOr(node.attrs, "element_shape", PartialShape());
    made.options.dynamic_size = GetAttrOr(node.attrs, "dynamic_size", false);
    made.options.clear_after_read = GetAttrOr(node.attrs, "clear_after_read", true);
    made.options.identical_element_shapes =
        GetAttrOr(node.attrs, "identical_element_shapes", false);
    made.name = GetAttrOr(node.attrs, "tensor_array_name", std::string());
    if (made.name.empty()) made.name = node.name;
    return made;
  }

  absl::Status Run(KernelContext& ctx) const {
    static std::atomic<int64_t> count{0};
    const Tensor& input = ctx.input(0);
    if (input.rank() != 0)
      return InvalidArgument("TensorArray size must be scalar, but had shape: ", input.shape());
    SLUICE_ASSIGN(const int64_t size, IntScalar(input));
    if (size < 0) return InvalidArgument("Size should be >= 0.");
    if (size > TensorArray::kMaxSize) {
      return ResourceExhausted("a TensorArray of ", size, " elements is beyond the limit of ",
                               TensorArray::kMaxSize);
    }
    auto array = MakeRefCounted<TensorArray>(absl::StrCat(name, "_", count.fetch_add(1)), options,
                                             size, *on);
    SLUICE_RETURN_IF_ERROR(SetHandle(ctx, std::move(array), by_reference));
    if (ctx.num_outputs() == 1) return absl::OkStatus();
    SLUICE_ASSIGN(Tensor * flow, ctx.AllocateOutput(1, Shape{}));
    return on->Zero(ctx, kFloat, flow->raw(), 1);
  }
};

struct Gradient {
  std::string source;
  bool with_shape, by_reference;

  static absl::StatusOr<Gradient> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(std::string source, node.Get<std::string>("source"));
    return Gradient{std::move(source), node.op == "TensorArrayGradWithShape",
                    IsRef(node.output_types[0])};
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const RefPtr<TensorArray> array, ArrayOf(ctx));
    Shape prepend;
    if (with_shape) {
      SLUICE_ASSIGN(prepend, ShapeFrom(ctx.input(2)));
    }
    SLUICE_ASSIGN(RefPtr<TensorArray> gradient, array->Gradient(source, prepend));
    SLUICE_RETURN_IF_ERROR(SetHandle(ctx, std::move(gradient), by_reference));
    if (ctx.num_outputs() > 1) ctx.ForwardSlot(1, 1);
    return absl::OkStatus();
  }
};

absl::StatusOr<int64_t> IndexInput(const KernelContext& ctx, int input) {
  const Tensor& index = ctx.input(input);
  if (index.rank() != 0)
    return InvalidArgument("TensorArray index must be scalar, but had shape: ", index.shape());
  return IntScalar(index);
}

struct Write {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const RefPtr<TensorArray> array, ArrayOf(ctx));
    SLUICE_ASSIGN(const int64_t index, IndexInput(ctx, 1));
    SLUICE_RETURN_IF_ERROR(array->Write(ctx, index, ctx.input(2)));
    ctx.ForwardSlot(3, 0);
    return absl::OkStatus();
  }
};

absl::Status CheckDType(const KernelContext& ctx, const TensorArray& array) {
  if (array.dtype() == ctx.output_type(0)) return absl::OkStatus();
  return InvalidArgument("TensorArray dtype is ", array.dtype(), " but Op requested dtype ",
                         ctx.output_type(0), ".");
}

struct Read {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const RefPtr<TensorArray> array, ArrayOf(ctx));
    SLUICE_ASSIGN(const int64_t index, IndexInput(ctx, 1));
    SLUICE_RETURN_IF_ERROR(CheckDType(ctx, *array));
    SLUICE_ASSIGN(Tensor value, array->Read(ctx, index));
    ctx.SetOutput(0, std::move(value));
    return absl::OkStatus();
  }
};

Shape Behind(int64_t first, const Shape& shape) {
  Shape result = shape;
  result.InsertDim(0, first);
  return result;
}

// TensorArrayPack: the elements that `indices` names, or all.
struct GatherTensorArray {
  PartialShape element_shape;
  bool all;
  const Primitives* on = nullptr;

  static absl::StatusOr<GatherTensorArray> Create(const NodeSpec& node) {
    return GatherTensorArray{GetAttrOr(node.attrs, "element_shape", PartialShape()),
                             node.op == "TensorArrayPack"};
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const RefPtr<TensorArray> array, ArrayOf(ctx));
    SLUICE_RETURN_IF_ERROR(CheckDType(ctx, *array));
    SLUICE_ASSIGN(const Shape::Dims indices, all ? AllOf(*array) : Indices(ctx.input(1)));
    if (indices.empty()) return Nothing(ctx, *array);
    SLUICE_ASSIGN(const std::vector<Tensor> values, array->ReadMany(ctx, indices));
    const Shape& first = values[0].shape();
    if (!element_shape.CompatibleWith(first)) {
      return InvalidArgument("TensorArray was passed element_shape ", element_shape,
                             " which does not match the Tensor at index ", indices[0], ": ", first);
    }
    SLUICE_ASSIGN(Tensor * output,
                  ctx.AllocateOutput(0, Behind(static_cast<int64_t>(values.size()), first)));
    // like TensorFlow: later arrays are ignored
    if (first.num_elements() == 0) return absl::OkStatus();
    for (size_t i = 1; i < values.size(); ++i) {
      if (values[i].shape() == first) continue;
      return InvalidArgument("TensorArray has inconsistent shapes.  Index ", indices[0],
                             " has shape: ", first, " but index ", indices[i],
                             " has shape: ", values[i].shape());
    }
    return JoinTensors(ctx, *on, values, *output);
  }
  static absl::StatusOr<Shape::Dims> AllOf(const TensorArray& array) {
    SLUICE_ASSIGN(const int64_t size, array.JoinedSize());
    return UpTo(size);
  }
  static absl::StatusOr<Shape::Dims> Indices(const Tensor& input) {
    if (input.rank() == 1) return IntVector(input);
    return InvalidArgument("Expected indices to be a vector, but received shape: ", input.shape());
  }
  absl::Status Nothing(KernelContext& ctx, const TensorArray& array) const {
    const PartialShape known = array.element_shape();
    const auto merged = element_shape.MergeWith(known);
    if (!merged.ok() || !merged->fully_known()) {
      return Unimplemented(
          "TensorArray has size zero, but element shape ", merged.ok() ? *merged : known,
          " is not fully defined. Currently only static shapes are supported when packing ",
          "zero-size TensorArrays.");
    }
    SLUICE_ASSIGN(const Shape shape, merged->ToShape());
    return ctx.AllocateOutput(0, Behind(0, shape)).status();
  }
};

struct Concat {
  PartialShape rest;  // the elements' shapes, without the first dimension
  const Primitives* on = nullptr;

  static absl::StatusOr<Concat> Create(const NodeSpec& node) {
    return Concat{GetAttrOr(node.attrs, "element_shape_except0", PartialShape())};
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const RefPtr<TensorArray> array, ArrayOf(ctx));
    SLUICE_RETURN_IF_ERROR(CheckDType(ctx, *array));
    SLUICE_ASSIGN(const int64_t size, array->JoinedSize());
    if (size == 0) return Nothing(ctx);
    SLUICE_ASSIGN(const std::vector<Tensor> values, array->ReadMany(ctx, UpTo(size)));
    SLUICE_ASSIGN(Tensor * lengths, ctx.AllocateOutput(1, Shape{size}));
    int64_t total = 0;
    Shape shape;
    for (int64_t i = 0; i < size; ++i) {
      SLUICE_RETURN_IF_ERROR(
          CheckElement(values[i].shape(), i, i == 0 ? values[i].shape() : values[0].shape()));
      lengths->mutable_data<int64_t>()[i] = values[i].dim(0);
      total += values[i].dim(0);
    }
    Shape::Dims dims(values[0].shape().dims().begin(), values[0].shape().dims().end());
    dims[0] = total;
    SLUICE_ASSIGN(shape, Shape::Create(dims));
    SLUICE_ASSIGN(Tensor * output, ctx.AllocateOutput(0, shape));
    return JoinTensors(ctx, *on, values, *output);
  }
  absl::Status CheckElement(const Shape& shape, int64_t index, const Shape& first) const {
    if (shape.rank() == 0) {
      return InvalidArgument("Concat saw a scalar shape at index ", index,
                             " but requires at least vectors.  Did you mean to call pack?");
    }
    const Shape tail = Tail(shape);
    if (!rest.CompatibleWith(tail)) {
      return InvalidArgument("TensorArray was passed element_shape_except0 ", rest, " but index ",
                             index, " has (excepting dimension 0) shape: ", tail,
                             " which does not match.");
    }
    if (tail != Tail(first)) {
      return InvalidArgument(
          "TensorArray has inconsistent shapes.  Index 0 has (excepting dimension 0) shape: ",
          Tail(first), " but index ", index, " has (excepting dimension 0) shape: ", tail);
    }
    return absl::OkStatus();
  }
  static Shape Tail(Shape shape) {
    shape.RemoveDim(0);
    return shape;
  }
  absl::Status Nothing(KernelContext& ctx) const {
    if (!rest.fully_known()) {
      return Unimplemented(
          "TensorArray has size zero, but element_shape_except0 ", rest,
          " is not fully defined. Currently only static shapes are supported when concatenating ",
          "zero-size TensorArrays.");
    }
    SLUICE_ASSIGN(const Shape shape, rest.ToShape());
    SLUICE_RETURN_IF_ERROR(ctx.AllocateOutput(0, Behind(0, shape)).status());
    return ctx.AllocateOutput(1, Shape{0}).status();
  }
};

// TensorArrayUnpack: row i of the value becomes the element indices[i], or element i.
struct Scatter {
  bool all;

  static absl::StatusOr<Scatter> Create(const NodeSpec& node) {
    return Scatter{node.op == "TensorArrayUnpack"};
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const RefPtr<TensorArray> array, ArrayOf(ctx));
    const int value_input = all ? 1 : 2;
    const Tensor& value = ctx.input(value_input);
    if (value.rank() < 1) {
      return InvalidArgument(
          "Input value for unpack must be at least a vector but received shape: ", value.shape());
    }
    SLUICE_ASSIGN(const Shape::Dims indices, all ? RowsOf(value, *array) : Indices(ctx, *array));
    const Shape element = Concat::Tail(value.shape());
    for (int64_t i = 0; i < value.dim(0); ++i) {
      SLUICE_ASSIGN(const Tensor row, value.Rows(i, i + 1).Reshaped(element));
      SLUICE_RETURN_IF_ERROR(array->Write(ctx, indices[i], row));
    }
    array->MarkSize();
    ctx.ForwardSlot(value_input + 1, 0);
    return absl::OkStatus();
  }
  static absl::StatusOr<Shape::Dims> RowsOf(const Tensor& value, const TensorArray& array) {
    SLUICE_ASSIGN(const int64_t size, array.Size());
    if (value.dim(0) != size && !(array.dynamic_size() && value.dim(0) > size)) {
      return InvalidArgument("Input value must have first dimension equal to the array size (",
                             value.dim(0), " vs. ", size, ")");
    }
    return UpTo(value.dim(0));
  }
  static absl::StatusOr<Shape::Dims> Indices(const KernelContext& ctx, const TensorArray& array) {
    const Tensor& input = ctx.input(1);
    const int64_t rows = ctx.input(2).dim(0);
    if (input.rank() != 1)
      return InvalidArgument("Expected indices to be a vector, but received shape: ",
                             input.shape());
    SLUICE_ASSIGN(Shape::Dims indices, IntVector(input));
    if (input.dim(0) != rows) {
      return InvalidArgument("Expected len(indices) == values.shape[0], but saw: ", input.dim(0),
                             " vs. ", rows);
    }
    SLUICE_ASSIGN(const int64_t size, array.Size());
    const int64_t largest =
        indices.empty() ? -1 : *std::max_element(indices.begin(), indices.end());
    if (largest >= size && !array.dynamic_size()) {
      return InvalidArgument("Max scatter index must be < array size (", largest, " vs. ", size,
                             ")");
    }
    return indices;
  }
};

struct Split {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const RefPtr<TensorArray> array, ArrayOf(ctx));
    const Tensor& value = ctx.input(1);
    if (ctx.input(2).rank() != 1) {
      return InvalidArgument("Expected lengths to be a vector, received shape: ",
                             ctx.input(2).shape());
    }
    SLUICE_ASSIGN(const Shape::Dims lengths, IntVector(ctx.input(2)));
    if (value.rank() < 1) {
      return InvalidArgument("Expected value to be at least a vector, but received shape: ",
                             value.shape());
    }
    SLUICE_RETURN_IF_ERROR(CheckLengths(lengths, value.shape()));
    SLUICE_ASSIGN(const int64_t size, array->Size());
    const auto n = static_cast<int64_t>(lengths.size());
    if (n != size && !(array->dynamic_size() && n > size)) {
      return InvalidArgument("TensorArray's size is not equal to the size of lengths (", size,
                             " vs. ", n,
                             "), and the TensorArray is not marked as dynamically resizeable");
    }
    int64_t begin = 0;
    for (int64_t i = 0; i < n; begin += lengths[i], ++i) {
      SLUICE_RETURN_IF_ERROR(array->Write(ctx, i, value.Rows(begin, begin + lengths[i])));
    }
    array->MarkSize();
    ctx.ForwardSlot(3, 0);
    return absl::OkStatus();
  }
  static absl::Status CheckLengths(const Shape::Dims& lengths, const Shape& value) {
    int64_t total = 0;
    for (int64_t length : lengths) {
      if (length < 0) return InvalidArgument("Invalid value in lengths: ", length);
      if (!AddFits(total, length, &total))
        return InvalidArgument("lengths add up to more than an int64");
    }
    if (total == value.dim(0)) return absl::OkStatus();
    return InvalidArgument(
        "Expected sum of lengths to be equal to values.shape[0], but sum of lengths is ", total,
        " and value's shape is: ", value);
  }
};

struct Size {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const RefPtr<TensorArray> array, ArrayOf(ctx));
    SLUICE_ASSIGN(const int64_t size, array->Size());
    ctx.SetOutput(0, Tensor::Scalar<int32_t>(static_cast<int32_t>(size)));
    return absl::OkStatus();
  }
};

struct Close {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const RefPtr<TensorArray> array, ArrayOf(ctx));
    array->Close();
    return absl::OkStatus();
  }
};

}  // namespace

void RegisterTensorArrays(KernelRegistry& kernels, const Primitives& on) {
  const auto typed = [&](const char* attr) { return AnyButInt32On(on, attr); };
  for (const std::string v : {"", "V2", "V3"}) {
    AddOn<NewTensorArray>(kernels, on, "TensorArray" + v, typed("dtype"),
                          HostMemory{"handle", "size"}, kCheap);
    AddOn<Gradient>(kernels, on, "TensorArrayGrad" + v, {}, HostMemory{"handle", "grad_handle"},
                    kCheap);
    AddOn<Write>(kernels, on, "TensorArrayWrite" + v, typed("T"), HostMemory{"handle", "index"});
    AddOn<Read>(kernels, on, "TensorArrayRead" + v, typed("dtype"), HostMemory{"handle", "index"},
                kCheap);
    AddOn<GatherTensorArray>(kernels, on, "TensorArrayGather" + v, typed("dtype"),
                             HostMemory{"handle", "indices"});
    AddOn<Concat>(kernels, on, "TensorArrayConcat" + v, typed("dtype"),
                  HostMemory{"handle", "lengths"});
    AddOn<Scatter>(kernels, on, "TensorArrayScatter" + v, typed("T"),
                   HostMemory{"handle", "indices"});
    AddOn<Split>(kernels, on, "TensorArraySplit" + v, typed("T"), HostMemory{"handle", "lengths"});
    AddOn<Size>(kernels, on, "TensorArraySize" + v, {}, HostMemory{"handle", "size"}, kCheap);
    AddOn<Close>(kernels, on, "TensorArrayClose" + v, {}, HostMemory{"handle"}, kCheap);
  }
  AddOn<Gradient>(kernels, on, "TensorArrayGradWithShape", {},
                  HostMemory{"handle", "grad_handle", "shape_to_prepend"}, kCheap);
  AddOn<GatherTensorArray>(kernels, on, "TensorArrayPack", typed("dtype"), HostMemory{"handle"});
  AddOn<Scatter>(kernels, on, "TensorArrayUnpack", typed("T"), HostMemory{"handle"});
}

}  // namespace sluice::kernels
