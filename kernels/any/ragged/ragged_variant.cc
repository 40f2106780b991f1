// SPDX-License-Identifier: Apache-2.0
// RaggedTensorToVariant, its gradient, and RaggedTensorFromVariant: a ragged tensor as one variant,
// or as one variant per row.
#include <algorithm>

#include "absl/strings/str_join.h"
#include "core/codec/codec.h"
#include "core/threads/cancel_scope.h"
#include "kernels/any/list/tensor_list.h"
#include "kernels/any/ragged/ragged.h"
#include "kernels/common/join_tensors.h"
#include "kernels/common/variables.h"

namespace sluice::kernels {

absl::Status RaggedVariant::Encode(std::string* metadata, std::vector<Tensor>* tensors) const {
  metadata->clear();
  *tensors = splits_;
  tensors->push_back(values_);
  return absl::OkStatus();
}

absl::StatusOr<const RaggedVariant*> RaggedIn(const Variant& variant) {
  if (const auto* ragged = variant.get_if<RaggedVariant>()) return ragged;
  const auto* opaque = variant.get_if<OpaqueVariant>();
  if (opaque == nullptr || opaque->type_name() != RaggedVariant::kTypeName ||
      opaque->tensors().empty()) {
    return InvalidArgument("not a ragged tensor");
  }
  SLUICE_ASSIGN(const Variant::Object* made, opaque->Decoded([](const OpaqueVariant& encoded) {
    std::vector<Tensor> splits = encoded.tensors();
    Tensor values = std::move(splits.back());
    splits.pop_back();
    return absl::StatusOr<RefPtr<Variant::Object>>(
        MakeRefCounted<RaggedVariant>(std::move(splits), std::move(values)));
  }));
  return static_cast<const RaggedVariant*>(made);
}

namespace {

Tensor SplitsTensor(DType dtype, absl::Span<const int64_t> splits) {
  if (dtype == kInt64) return Tensor::Vector<int64_t>(splits);
  return Tensor::Vector<int32_t>(std::vector<int32_t>(splits.begin(), splits.end()));
}

// rt_nested_splits, rt_dense_values -> encoded_ragged.
struct RaggedTensorToVariant {
  bool batched;
  DType splits_type;

  static absl::StatusOr<RaggedTensorToVariant> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const bool batched, node.Get<bool>("batched_input"));
    SLUICE_ASSIGN(const DType splits_type, node.Get<DType>("Tsplits"));
    return RaggedTensorToVariant{batched, splits_type};
  }

  absl::Status Run(KernelContext& ctx) const {
    const int depth = ctx.num_inputs() - 1;
    SLUICE_ASSIGN(const Tensor values, Kept(ctx, CpuPrimitives(), ctx.input(depth)));
    if (DepthOf(values) >= Variant::kMaxDepth) {
      return InvalidArgument("objects nest deeper than ", Variant::kMaxDepth);
    }
    if (!batched) {
      std::vector<Tensor> splits;
      for (int i = 0; i < depth; ++i) {
        SLUICE_ASSIGN(splits.emplace_back(), Kept(ctx, CpuPrimitives(), ctx.input(i)));
      }
      ctx.SetOutput(0, Tensor::Scalar<Variant>(
                           Variant(MakeRefCounted<RaggedVariant>(std::move(splits), values))));
      return absl::OkStatus();
    }
    if (depth == 0) return DenseRows(ctx, values);
    std::vector<Splits> nested(depth);
    for (int i = 0; i < depth; ++i) {
      SLUICE_ASSIGN(nested[i], SplitsIn(ctx.input(i)));
    }
    SLUICE_RETURN_IF_ERROR(Check(nested, values));
    const auto rows = static_cast<int64_t>(nested[0].size()) - 1;
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, {rows}));
    for (const int64_t row : Cancellable(rows)) {
      out->mutable_data<Variant>()[row] = RowOf(nested, values, row);
    }
    return absl::OkStatus();
  }

 private:
  static absl::Status Check(absl::Span<const Splits> nested, const Tensor& values) {
    for (size_t i = 0; i < nested.size(); ++i) {
      const bool last = i + 1 == nested.size();
      const int64_t most = !last               ? static_cast<int64_t>(nested[i + 1].size()) - 1
                           : values.rank() > 0 ? values.dim(0)
                                               : 0;
      const bool sound = !nested[i].empty() && nested[i].front() >= 0 &&
                         std::is_sorted(nested[i].begin(), nested[i].end()) &&
                         nested[i].back() <= most;
      if (!sound) return InvalidArgument("Invalid ragged splits of dimension ", i);
    }
    return absl::OkStatus();
  }

  // Rows that are not ragged have one dimension less.
  static absl::Status DenseRows(KernelContext& ctx, const Tensor& values) {
    if (values.rank() == 0) return InvalidArgument("Can't unbatch rank-0 tensor.");
    const Shape::Dims inner(values.shape().dims().begin() + 1, values.shape().dims().end());
    SLUICE_ASSIGN(const Shape shape, Shape::Create(inner));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, {values.dim(0)}));
    for (const int64_t row : Cancellable(values.dim(0))) {
      SLUICE_ASSIGN(Tensor one, values.Rows(row, row + 1).Reshaped(shape));
      out->mutable_data<Variant>()[row] =
          Variant(MakeRefCounted<RaggedVariant>(std::vector<Tensor>(), std::move(one)));
    }
    return absl::OkStatus();
  }

  Variant RowOf(absl::Span<const Splits> nested, const Tensor& values, int64_t row) const {
    std::vector<Tensor> splits_of_row;
    int64_t begin = nested[0][row], end = nested[0][row + 1];
    for (const Splits& splits : nested.subspan(1)) {
      Splits inner(splits.begin() + begin, splits.begin() + end + 1);
      begin = inner.front();
      end = inner.back();
      for (int64_t& split : inner) split -= begin;
      splits_of_row.push_back(SplitsTensor(splits_type, inner));
    }
    return Variant(
        MakeRefCounted<RaggedVariant>(std::move(splits_of_row), values.Rows(begin, end)));
  }
};

absl::Status JoinValues(absl::Span<const RaggedVariant* const> elements, Tensor& values) {
  std::vector<Tensor> parts;
  for (const RaggedVariant* element : elements) parts.push_back(element->values());
  return JoinTensors(parts, values);
}

// encoded_ragged -> output_nested_splits, output_dense_values. The dimensions of the encoded tensor
// become the outer dimensions of its elements.
struct RaggedTensorFromVariant {
  int64_t inner_depth;  // of each element; -1: the rest of the result's
  int64_t depth;        // of the result
  DType values_type, splits_type;

  static absl::StatusOr<RaggedTensorFromVariant> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const int64_t inner_depth, node.Get<int64_t>("input_ragged_rank"));
    SLUICE_ASSIGN(const int64_t depth, node.Get<int64_t>("output_ragged_rank"));
    SLUICE_ASSIGN(const DType values_type, node.Get<DType>("Tvalues"));
    SLUICE_ASSIGN(const DType splits_type, node.Get<DType>("Tsplits"));
    return RaggedTensorFromVariant{inner_depth, depth, values_type, splits_type};
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor& encoded = ctx.input(0);
    if (depth == 0 && encoded.rank() > 0) {
      std::vector<const RaggedVariant*> elements;
      for (const int64_t i : Cancellable(encoded.num_elements())) {
        SLUICE_ASSIGN(elements.emplace_back(), Checked(encoded.data<Variant>()[i], i, 0));
      }
      return StackDense(ctx, elements);
    }
    const int64_t inner = inner_depth < 0 ? depth - encoded.rank() : inner_depth;
    if (inner < 0) {
      return InvalidArgument(
          "Inferred input_ragged_rank (output_ragged_rank - encoded_variant.dims()) must be >= 0, ",
          "found output_ragged_rank: ", depth, ", encoded_variant.dims(): ", encoded.rank(),
          ", inferred input_ragged_rank: ", inner);
    }
    if (depth != encoded.rank() + inner) {
      return InvalidArgument(
          "output_ragged_rank must be equal to input_ragged_rank + encoded_ragged.dims(); ",
          "output_ragged_rank: ", depth, ", input_ragged_rank: ", inner,
          ", encoded_ragged.dims(): ", encoded.rank());
    }
    std::vector<const RaggedVariant*> elements;
    for (const int64_t i : Cancellable(encoded.num_elements())) {
      SLUICE_ASSIGN(elements.emplace_back(), Checked(encoded.data<Variant>()[i], i, inner));
    }
    if (encoded.rank() > 0) return Stack(ctx, encoded.shape(), elements, static_cast<int>(inner));
    for (int i = 0; i < static_cast<int>(inner); ++i) ctx.SetOutput(i, elements[0]->splits()[i]);
    ctx.SetOutput(static_cast<int>(inner), elements[0]->values());
    return absl::OkStatus();
  }

 private:
  absl::StatusOr<const RaggedVariant*> Checked(const Variant& element, int64_t at,
                                               int64_t inner) const {
    const absl::StatusOr<const RaggedVariant*> ragged = RaggedIn(element);
    if (!ragged.ok()) {
      return InvalidArgument("Input Variant element at index ", at,
                             " doesn't hold a RaggedTensorVariant: ",
                             element.empty() ? "<empty>" : element.get()->type_name());
    }
    const std::vector<Tensor>& splits = (*ragged)->splits();
    if (static_cast<int64_t>(splits.size()) != inner) {
      return InvalidArgument("Encoded input RaggedTensorVariant has ragged_rank=", splits.size(),
                             ".  Expected ragged_rank=", inner, ".");
    }
    for (const Tensor& one : splits) {
      if (one.dtype() == splits_type) continue;
      return InvalidArgument("Expected row_splits Tensor dtype: ", splits_type,
                             ", found: ", one.dtype());
    }
    if ((*ragged)->values().dtype() != values_type) {
      return InvalidArgument("Expected values Tensor dtype: ", values_type,
                             ", found: ", (*ragged)->values().dtype());
    }
    return *ragged;
  }

  absl::Status Stack(KernelContext& ctx, const Shape& outer,
                     absl::Span<const RaggedVariant* const> elements, int inner) const {
    int output = 0;
    int64_t rows = 1;
    for (int d = 0; d + 1 < outer.rank(); ++d) {
      rows *= outer.dim(d);
      Splits even;
      for (int64_t row = 0; row <= rows; ++row) even.push_back(row * outer.dim(d + 1));
      SLUICE_RETURN_IF_ERROR(SetSplits(ctx, output++, splits_type, even));
    }
    Splits around{0};
    for (size_t i = 0; i < elements.size(); ++i) {
      const Tensor& values = elements[i]->values();
      if (values.rank() == 0) {
        return InvalidArgument(
            "Ragged values must have rank >= 1; encoded scalar element at index ", i,
            " has values Tensor: ", values.ToString());
      }
      const int64_t rows_in =
          inner > 0 ? elements[i]->splits()[0].num_elements() - 1 : values.dim(0);
      around.push_back(around.back() + rows_in);
    }
    SLUICE_RETURN_IF_ERROR(SetSplits(ctx, output++, splits_type, around));
    for (int i = 0; i < inner; ++i) {
      Splits joined{0};
      for (const RaggedVariant* element : elements) {
        SLUICE_ASSIGN(const Splits splits, SplitsIn(element->splits()[i]));
        const int64_t before = joined.back();
        for (size_t row = 1; row < splits.size(); ++row) joined.push_back(before + splits[row]);
      }
      SLUICE_RETURN_IF_ERROR(SetSplits(ctx, output++, splits_type, joined));
    }
    return StackValues(ctx, elements, output);
  }

  static absl::Status StackValues(KernelContext& ctx,
                                  absl::Span<const RaggedVariant* const> elements, int output) {
    Shape::Dims dims{0};
    for (size_t i = 0; i < elements.size(); ++i) {
      const Shape& shape = elements[i]->values().shape();
      const absl::Span<const int64_t> inside = shape.dims().subspan(1);
      if (i == 0) dims.insert(dims.end(), inside.begin(), inside.end());
      if (!std::equal(inside.begin(), inside.end(), dims.begin() + 1, dims.end())) {
        return Incompatible(elements[0]->values().shape().dims().subspan(1), i, inside);
      }
      dims[0] += shape.dim(0);
    }
    SLUICE_ASSIGN(const Shape shape, Shape::Create(dims));
    SLUICE_ASSIGN(Tensor * values, ctx.AllocateOutput(output, shape));
    return JoinValues(elements, *values);
  }

  // Elements that are not ragged: one more dimension.
  static absl::Status StackDense(KernelContext& ctx,
                                 absl::Span<const RaggedVariant* const> elements) {
    Shape::Dims dims{static_cast<int64_t>(elements.size())};
    for (size_t i = 0; i < elements.size(); ++i) {
      const Shape& shape = elements[i]->values().shape();
      if (i == 0) dims.insert(dims.end(), shape.dims().begin(), shape.dims().end());
      if (shape != elements[0]->values().shape()) {
        return Incompatible(elements[0]->values().shape().dims(), i, shape.dims());
      }
    }
    SLUICE_ASSIGN(const Shape shape, Shape::Create(dims));
    SLUICE_ASSIGN(Tensor * values, ctx.AllocateOutput(0, shape));
    return JoinValues(elements, *values);
  }

  static absl::Status Incompatible(absl::Span<const int64_t> first, size_t i,
                                   absl::Span<const int64_t> other) {
    return InvalidArgument("All flat_values must have compatible shapes.  Shape at index 0: [",
                           absl::StrJoin(first, ","), "].  Shape at index ", i, ": [",
                           absl::StrJoin(other, ","),
                           "].  If you are using tf.map_fn, then you may need to specify an ",
                           "explicit fn_output_signature with appropriate ragged_rank, and/or ",
                           "convert output tensors to RaggedTensors.");
  }
};

// encoded_ragged_grad, row_splits, dense_values_shape -> dense_values_grad. A row without a
// gradient is empty: zeros.
struct RaggedTensorToVariantGradient {
  DType values_type;

  static absl::StatusOr<RaggedTensorToVariantGradient> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const DType values_type, node.Get<DType>("Tvalues"));
    return RaggedTensorToVariantGradient{values_type};
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor& encoded = ctx.input(0);
    SLUICE_ASSIGN(const Splits splits, SplitsIn(ctx.input(1)));
    SLUICE_ASSIGN(const Shape shape, ShapeFrom(ctx.input(2)));
    const int64_t rows = shape.rank() == 0 ? 1 : shape.dim(0);
    const int64_t width = rows == 0 ? 0 : shape.num_elements() / rows;
    SLUICE_ASSIGN(Tensor out, ZerosOf(ctx, CpuPrimitives(), values_type, shape));
    SLUICE_RETURN_IF_ERROR(Collect(encoded, splits, width, out));
    ctx.SetOutput(0, std::move(out));
    return absl::OkStatus();
  }

 private:
  absl::Status Collect(const Tensor& encoded, const Splits& splits, int64_t width,
                       Tensor& out) const {
    const int64_t size = out.num_elements();
    return VisitWidth(values_type, [&]<typename T>(Type<T>) -> absl::Status {
      int64_t to = 0;
      for (const int64_t i : Cancellable(encoded.num_elements())) {
        const Variant& element = encoded.data<Variant>()[i];
        if (element.empty()) {
          const bool known = i + 1 < static_cast<int64_t>(splits.size());
          to += known ? (splits[i + 1] - splits[i]) * width : size;
          continue;
        }
        SLUICE_ASSIGN(const RaggedVariant* ragged, RaggedIn(element));
        const Tensor& values = ragged->values();
        if (values.dtype() != values_type || to < 0 || to + values.num_elements() > size) {
          return InvalidArgument("gradient ", values.ToString(), " of row ", i,
                                 " does not fit values of shape ", out.shape());
        }
        std::copy_n(values.data<T>(), values.num_elements(), out.mutable_data<T>() + to);
        to += values.num_elements();
      }
      return absl::OkStatus();
    });
  }
};

}  // namespace

void RegisterRaggedVariants(KernelRegistry& kernels) {
  const DTypeSet index{kInt32, kInt64};
  kernels.Add<RaggedTensorToVariant>("RaggedTensorToVariant", kCpu, {{"Tsplits", index}});
  kernels.Add<RaggedTensorFromVariant>("RaggedTensorFromVariant", kCpu, {{"Tsplits", index}});
  kernels.Add<RaggedTensorToVariantGradient>("RaggedTensorToVariantGradient", kCpu,
                                             {{"Tsplits", index}});
}

}  // namespace sluice::kernels
