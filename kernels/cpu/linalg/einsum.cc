// SPDX-License-Identifier: Apache-2.0
// Einsum over one or two operands. A strided copy lays out each operand as [batch, rows, columns]
// (a repeated label walks the diagonal). The matrices are multiplied. A last copy orders the
// result.
#include <map>
#include <set>

#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "core/runtime/kernel_registry.h"
#include "kernels/common/strided_copy.h"
#include "kernels/cpu/common/gemm.h"
#include "kernels/cpu/linalg/register.h"

namespace sluice::kernels {
namespace {

using EinsumTypes =
    TypeList<float, double, Complex64, Complex128, Half, Bfloat16, int32_t, int64_t>;

// Labels of a subscript: letters, and kEllipsis for "...".
constexpr int kEllipsis = -1;
using Labels = std::vector<int>;

bool HasEllipsis(const Labels& labels) {
  return std::find(labels.begin(), labels.end(), kEllipsis) != labels.end();
}

absl::StatusOr<Labels> ParseLabels(absl::string_view text) {
  Labels labels;
  bool ellipsis = false;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == ' ') continue;
    if (absl::ascii_isalpha(static_cast<unsigned char>(text[i]))) {
      labels.push_back(text[i]);
      continue;
    }
    if (text.substr(i, 3) != "...")
      return InvalidArgument("Invalid character in subscript '", text,
                             "': labels are letters, and '...' stands for the others");
    if (ellipsis) return InvalidArgument("Periods found outside of ellipsis in subscript: ", text);
    ellipsis = true;
    labels.push_back(kEllipsis);
    i += 2;
  }
  return labels;
}

// One label's place in an operand.
struct Axis {
  int64_t size = 1;
  int64_t stride = 0;
};
using Axes = std::map<int, Axis>;

// Counted from the right, dimension i under an ellipsis has the label kFirstHidden + i.
constexpr int kFirstHidden = 1000;

// The labels of every dimension of an operand of this rank.
absl::StatusOr<Labels> Spread(const Labels& labels, const Shape& shape) {
  const bool ellipsis = HasEllipsis(labels);
  const int named = static_cast<int>(labels.size()) - (ellipsis ? 1 : 0);
  const int hidden = shape.rank() - named;
  if (hidden < 0 || (hidden > 0 && !ellipsis)) {
    return InvalidArgument("Expected input with rank ", ellipsis ? "at least " : "", named,
                           " but got rank ", shape.rank(), " with shape ", shape);
  }
  Labels spread;
  for (int label : labels) {
    if (label != kEllipsis) spread.push_back(label);
    for (int i = hidden - 1; label == kEllipsis && i >= 0; --i) spread.push_back(kFirstHidden + i);
  }
  return spread;
}

absl::StatusOr<Axes> AxesOf(const Labels& labels, const Shape& shape) {
  SLUICE_ASSIGN(const Labels spread, Spread(labels, shape));
  const Shape::Dims strides = DenseStrides(shape);
  Axes axes;
  for (int d = 0; d < shape.rank(); ++d) {
    const auto [it, fresh] = axes.try_emplace(spread[d], Axis{shape.dim(d), strides[d]});
    if (fresh) continue;
    if (it->second.size != shape.dim(d)) {
      return InvalidArgument("Expected dimension ", it->second.size, " at axis ", d,
                             " of the input shaped ", shape, " but got dimension ", shape.dim(d));
    }
    it->second.stride += strides[d];
  }
  return axes;
}

int64_t SizeOfAll(const Labels& group, const std::map<int, int64_t>& sizes) {
  int64_t size = 1;
  for (int label : group) size *= sizes.at(label);
  return size;
}

class Contraction {
 public:
  static absl::StatusOr<Contraction> Create(KernelContext& ctx, const std::vector<Labels>& inputs,
                                            const Labels& output) {
    Contraction c;
    int hidden = 0;
    for (size_t i = 0; i < inputs.size(); ++i) {
      SLUICE_ASSIGN(Axes axes, AxesOf(inputs[i], ctx.input(static_cast<int>(i)).shape()));
      SLUICE_RETURN_IF_ERROR(c.Meet(axes, ctx.input(static_cast<int>(i)).shape()));
      for (const auto& [label, axis] : axes) hidden = std::max(hidden, label - kFirstHidden + 1);
      c.operands_.push_back(std::move(axes));
    }
    if (hidden > 0 && !HasEllipsis(output)) {
      return InvalidArgument("Output contains ", hidden,
                             " broadcasting dimension(s) but no ellipsis (...) was found in the "
                             "output subscripts.");
    }
    for (int label : output) {
      if (label != kEllipsis) c.output_.push_back(label);
      for (int i = hidden - 1; label == kEllipsis && i >= 0; --i)
        c.output_.push_back(kFirstHidden + i);
    }
    for (int label : c.output_) {
      if (!c.sizes_.contains(label))
        return InvalidArgument("Output subscript has label '", std::string(1, char(label)),
                               "' that no input has");
    }
    c.Classify();
    return c;
  }

  absl::Status Run(KernelContext& ctx) const {
    Shape::Dims dims;
    for (int label : output_) dims.push_back(sizes_.at(label));
    SLUICE_ASSIGN(const Shape shape, Shape::Create(dims));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, shape));
    if (shape.num_elements() == 0) return absl::OkStatus();
    return VisitDType(EinsumTypes{}, out->dtype(), [&]<typename T>(Type<T>) -> absl::Status {
      SLUICE_ASSIGN(Tensor left, Gather<T>(ctx, 0, {&batch_, &left_, &common_}));
      if (operands_.size() == 1) return Scatter(ctx, left, *out);
      SLUICE_ASSIGN(const Tensor right, Gather<T>(ctx, 1, {&batch_, &common_, &right_}));
      const int64_t count = SizeOfAll(batch_, sizes_), m = SizeOfAll(left_, sizes_),
                    n = SizeOfAll(right_, sizes_), k = SizeOfAll(common_, sizes_);
      SLUICE_ASSIGN(const Shape product_shape, Shape::Create({count, m, n}));
      SLUICE_ASSIGN(Tensor product, ctx.AllocateTemporary(kDTypeOf<T>, product_shape));
      for (int64_t i = 0; i < count; ++i) {
        SLUICE_RETURN_IF_ERROR(Gemm<T>(ctx.pool(), m, n, k, {left.data<T>() + i * m * k, k},
                                       {right.data<T>() + i * k * n, n},
                                       product.mutable_data<T>() + i * m * n, n));
      }
      return Scatter(ctx, product, *out);
    });
  }

 private:
  // Sizes must agree; under an ellipsis, a size of one broadcasts.
  absl::Status Meet(Axes& axes, const Shape& shape) {
    for (auto& [label, axis] : axes) {
      const auto [it, fresh] = sizes_.try_emplace(label, axis.size);
      if (fresh || it->second == axis.size) continue;
      if (label >= kFirstHidden && it->second == 1) {
        it->second = axis.size;
      } else if (label < kFirstHidden || axis.size != 1) {
        return InvalidArgument("Expected dimension ", it->second,
                               " for a label of the input shaped ", shape, " but got dimension ",
                               axis.size);
      }
    }
    return absl::OkStatus();
  }

  void Classify() {
    const std::set<int> kept(output_.begin(), output_.end());
    for (const auto& [label, size] : sizes_) {
      const bool in_left = operands_[0].contains(label);
      const bool in_right = operands_.size() > 1 && operands_[1].contains(label);
      if (!kept.contains(label)) {
        if (in_left && in_right) common_.push_back(label);
        continue;  // summed over when its operand is gathered
      }
      (in_left && in_right ? batch_ : in_left ? left_ : right_).push_back(label);
    }
  }

  // The operand as a dense array of the groups' labels, summed over the labels that only it has.
  template <typename T>
  absl::StatusOr<Tensor> Gather(KernelContext& ctx, int i,
                                std::initializer_list<const Labels*> groups) const {
    const Axes& axes = operands_[i];
    Labels order;
    for (const Labels* group : groups) order.insert(order.end(), group->begin(), group->end());
    const size_t kept = order.size();
    const std::set<int> present(order.begin(), order.end());
    for (const auto& [label, axis] : axes) {
      if (!present.contains(label)) order.push_back(label);
    }
    Shape::Dims dims;
    int64_t inner = 1, outer = 1;
    for (size_t d = 0; d < order.size(); ++d) {
      dims.push_back(d < kept ? sizes_.at(order[d]) : axes.at(order[d]).size);
      (d < kept ? outer : inner) *= dims.back();
    }
    // All summed labels become one dimension: a tensor's rank is limited, the number of labels is
    // not.
    SLUICE_ASSIGN(const int64_t total, CheckedProduct(dims));
    SLUICE_ASSIGN(const Shape flat, Shape::Create({total}));
    SLUICE_ASSIGN(Tensor dense, ctx.AllocateTemporary(kDTypeOf<T>, flat));
    CopyDims copy(order.size());
    int64_t stride = 1;
    for (size_t d = order.size(); d-- > 0; stride *= dims[d]) {
      const Axis axis = axes.contains(order[d]) ? axes.at(order[d]) : Axis{};
      copy[d] = {dims[d], axis.size == 1 ? 0 : axis.stride, stride};
    }
    if (total > 0) StridedCopy(ctx.pool(), dense.dtype(), copy, ctx.input(i).raw(), dense.raw());
    if (order.size() == kept) return dense;
    return SumRows<T>(ctx, dense, outer, inner);
  }

  static absl::StatusOr<int64_t> CheckedProduct(const Shape::Dims& dims) {
    int64_t total = 1;
    for (int64_t size : dims) {
      if (__builtin_mul_overflow(total, size, &total))
        return InvalidArgument("einsum's operands are too large when they are broadcast");
    }
    return total;
  }

  template <typename T>
  static absl::StatusOr<Tensor> SumRows(KernelContext& ctx, const Tensor& x, int64_t rows,
                                        int64_t n) {
    using S = std::conditional_t<sizeof(T) == 2, float, T>;
    SLUICE_ASSIGN(const Shape shape, Shape::Create({rows}));
    SLUICE_ASSIGN(Tensor sums, ctx.AllocateTemporary(kDTypeOf<T>, shape));
    ParallelFor(ctx.pool(), rows, 0.5 * static_cast<double>(n) + 2,
                [&](int64_t begin, int64_t end) {
                  for (int64_t row = begin; row < end; ++row) {
                    S sum(0);
                    for (int64_t i = 0; i < n; ++i) sum += static_cast<S>(x.data<T>()[row * n + i]);
                    sums.mutable_data<T>()[row] = static_cast<T>(sum);
                  }
                });
    return sums;
  }

  // Permutes from the order of batch, left and right labels to that of the output.
  absl::Status Scatter(KernelContext& ctx, const Tensor& product, Tensor& out) const {
    const Shape::Dims strides = DenseStrides(out.shape());
    std::map<int, int64_t> to;
    for (size_t d = 0; d < output_.size(); ++d) to[output_[d]] += strides[d];
    if (to.size() != output_.size()) std::memset(out.raw(), 0, out.bytes());
    CopyDims copy;
    for (const Labels* group : {&batch_, &left_, &right_}) {
      for (int label : *group) copy.push_back({sizes_.at(label), 0, to.at(label)});
    }
    int64_t stride = 1;
    for (size_t d = copy.size(); d-- > 0; stride *= copy[d].size) copy[d].from = stride;
    if (copy.empty()) copy.push_back({1, 1, 1});
    StridedCopy(ctx.pool(), out.dtype(), copy, product.raw(), out.raw());
    return absl::OkStatus();
  }

  std::vector<Axes> operands_;
  Labels output_;
  std::map<int, int64_t> sizes_;
  // Labels of both operands and the output; of one operand and the output; of both operands, which
  // are summed over.
  Labels batch_, left_, right_, common_;
};

struct Einsum {
  std::vector<Labels> inputs;
  Labels output;

  static absl::StatusOr<Einsum> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const std::string equation, node.Get<std::string>("equation"));
    const std::vector<std::string> sides = absl::StrSplit(equation, "->");
    if (sides.size() != 2)
      return InvalidArgument("Expecting exactly one '->' in einsum equation: ", equation);
    Einsum made;
    for (absl::string_view text : absl::StrSplit(sides[0], ',')) {
      SLUICE_ASSIGN(Labels labels, ParseLabels(text));
      made.inputs.push_back(std::move(labels));
    }
    if (made.inputs.size() != 1 && made.inputs.size() != 2)
      return InvalidArgument("Expecting 1 or 2 input subscripts in equation '", equation,
                             "' but got: ", made.inputs.size());
    if (made.inputs.size() != node.input_types.size())
      return InvalidArgument("Expected ", made.inputs.size(), " inputs for equation ", equation,
                             " but got: ", node.input_types.size());
    SLUICE_ASSIGN(made.output, ParseLabels(sides[1]));
    return made;
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const Contraction contraction, Contraction::Create(ctx, inputs, output));
    return contraction.Run(ctx);
  }
};

}  // namespace

void RegisterEinsum(KernelRegistry& kernels) {
  kernels.Add<Einsum>("Einsum", kCpu, {{"T", SetOf(EinsumTypes{})}});
}

}  // namespace sluice::kernels
