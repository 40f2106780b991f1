// SPDX-License-Identifier: Apache-2.0
// Operations on sets: the last axis of a tensor holds the elements of one set, the other axes
// select the set.
#include <algorithm>

#include "absl/container/btree_map.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_join.h"
#include "core/runtime/kernel_registry.h"
#include "core/threads/cancel_scope.h"
#include "kernels/common/axis.h"
#include "kernels/cpu/sparse/register.h"
#include "kernels/cpu/sparse/sparse.h"

namespace sluice::kernels {
namespace {

using ElementTypes = TypeList<int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, std::string>;
inline constexpr DTypeSet kElements = SetOf(ElementTypes{});

using Group = std::vector<int64_t>;
template <typename T>
using Sets = absl::btree_map<Group, std::vector<T>>;  // distinct elements in order

template <typename T>
void MakeDistinct(std::vector<T>& elements) {
  CancelPoints points(1 << 16);
  std::sort(elements.begin(), elements.end(), CancellableOrder(points, std::less<T>()));
  elements.erase(std::unique(elements.begin(), elements.end()), elements.end());
}

// The kind of an operand: dense, or sparse.
struct Operand {
  Shape shape;
  Tensor dense;
  SparseTensor sparse;
  bool is_sparse = false;

  static absl::StatusOr<Operand> Dense(const Tensor& tensor) {
    if (tensor.rank() < 2)
      return InvalidArgument("Shape ", tensor.shape(), " has rank ", tensor.rank(), " < 2");
    return Operand{tensor.shape(), tensor, {}, false};
  }
  static absl::StatusOr<Operand> Sparse(const KernelContext& ctx, int first, bool validate) {
    SLUICE_ASSIGN(SparseTensor tensor, SparseTensor::At(ctx, first));
    if (tensor.rank() < 2) return InvalidArgument("Invalid rank ", tensor.rank(), ".");
    SLUICE_RETURN_IF_ERROR(validate ? tensor.CheckOrder() : tensor.CheckBounds());
    Shape shape = tensor.shape;
    return Operand{std::move(shape), {}, std::move(tensor), true};
  }

  Shape groups() const { return SubShape(shape, 0, shape.rank() - 1); }

  // A dense operand has a set for every group; a sparse one only for groups with elements.
  template <typename T>
  Sets<T> Read() const {
    Sets<T> sets;
    const int rank = shape.rank() - 1;
    if (is_sparse) {
      for (const int64_t i : Cancellable(sparse.count())) {
        const int64_t* row = sparse.row(i);
        sets[Group(row, row + rank)].push_back(sparse.values.data<T>()[i]);
      }
    } else {
      const int64_t size = shape.dim(rank), count = groups().num_elements();
      Group at(rank, 0);
      const T* elements = dense.data<T>();
      for (const int64_t g : Cancellable(count)) {
        sets.emplace(at, std::vector<T>(elements + g * size, elements + (g + 1) * size));
        for (int d = rank - 1; d >= 0 && ++at[d] == shape.dim(d); --d) at[d] = 0;
      }
    }
    for (auto& [group, elements] : sets) MakeDistinct(elements);
    return sets;
  }
};

enum class SetRule { kAMinusB, kBMinusA, kIntersection, kUnion };

absl::StatusOr<SetRule> ParseRule(const NodeSpec& node) {
  SLUICE_ASSIGN(std::string name, node.Get<std::string>("set_operation"));
  absl::AsciiStrToLower(&name);
  if (name == "a-b") return SetRule::kAMinusB;
  if (name == "b-a") return SetRule::kBMinusA;
  if (name == "intersection") return SetRule::kIntersection;
  if (name == "union") return SetRule::kUnion;
  return InvalidArgument("Invalid set_operation ", name, ".");
}

template <typename T>
std::vector<T> Combine(SetRule rule, const std::vector<T>& a, const std::vector<T>& b) {
  std::vector<T> out;
  const auto to = std::back_inserter(out);
  switch (rule) {
    case SetRule::kAMinusB:
      std::set_difference(a.begin(), a.end(), b.begin(), b.end(), to);
      break;
    case SetRule::kBMinusA:
      std::set_difference(b.begin(), b.end(), a.begin(), a.end(), to);
      break;
    case SetRule::kIntersection:
      std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), to);
      break;
    case SetRule::kUnion:
      std::set_union(a.begin(), a.end(), b.begin(), b.end(), to);
      break;
  }
  return out;
}

// The sets as a sparse tensor; its width is the size of the largest set.
template <typename T>
absl::Status SetResult(KernelContext& ctx, const Shape& groups, const Sets<T>& sets) {
  int64_t count = 0, widest = 0;
  for (const auto& [group, elements] : sets) {
    count += static_cast<int64_t>(elements.size());
    widest = std::max(widest, static_cast<int64_t>(elements.size()));
  }
  SLUICE_ASSIGN(Tensor * indices, ctx.AllocateOutput(0, Shape{count, groups.rank() + 1}));
  SLUICE_ASSIGN(Tensor * values, ctx.AllocateOutput(1, Shape{count}));
  int64_t* row = indices->mutable_data<int64_t>();
  T* value = values->mutable_data<T>();
  for (const auto& [group, elements] : sets) {
    for (size_t i = 0; i < elements.size(); ++i) {
      row = std::copy(group.begin(), group.end(), row);
      *row++ = static_cast<int64_t>(i);
      *value++ = elements[i];
    }
  }
  Shape::Dims sizes(groups.dims().begin(), groups.dims().end());
  sizes.push_back(widest);
  return SetSizes(ctx, 2, sizes);
}

template <bool kSparseA, bool kSparseB>
struct SetOperation {
  SetRule rule;
  bool validate;

  static absl::StatusOr<SetOperation> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const SetRule rule, ParseRule(node));
    SLUICE_ASSIGN(const bool validate, node.Get<bool>("validate_indices"));
    return SetOperation{rule, validate};
  }

  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const Operand a,
                  kSparseA ? Operand::Sparse(ctx, 0, validate) : Operand::Dense(ctx.input(0)));
    constexpr int kSecond = kSparseA ? 3 : 1;
    SLUICE_ASSIGN(const Operand b, kSparseB ? Operand::Sparse(ctx, kSecond, validate)
                                            : Operand::Dense(ctx.input(kSecond)));
    if (a.groups() != b.groups()) {
      return InvalidArgument("Mismatched shapes ", a.groups(), " vs ", b.groups());
    }
    return VisitDType(ElementTypes{}, ctx.output_type(1), [&]<typename T>(Type<T>) {
      Sets<T> left = a.Read<T>();
      const Sets<T> right = b.Read<T>();
      for (const auto& [group, elements] : right) left.try_emplace(group);
      const std::vector<T> none;
      for (auto& [group, elements] : left) {
        const auto other = right.find(group);
        elements = Combine(rule, elements, other == right.end() ? none : other->second);
      }
      return SetResult<T>(ctx, a.groups(), left);
    });
  }
};

struct SetSize {
  bool validate;

  static absl::StatusOr<SetSize> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const bool validate, node.Get<bool>("validate_indices"));
    return SetSize{validate};
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const Operand a, Operand::Sparse(ctx, 0, validate));
    const Shape groups = a.groups();
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, groups));
    int32_t* sizes = out->mutable_data<int32_t>();
    std::fill_n(sizes, groups.num_elements(), 0);
    return VisitDType(ElementTypes{}, ctx.input(1).dtype(), [&]<typename T>(Type<T>) {
      for (const auto& [group, elements] : a.Read<T>()) {
        int64_t at = 0;
        for (int d = 0; d < groups.rank(); ++d) at = at * groups.dim(d) + group[d];
        sizes[at] = static_cast<int32_t>(elements.size());
      }
      return absl::OkStatus();
    });
  }
};

}  // namespace

void RegisterSets(KernelRegistry& kernels) {
  kernels.Add<SetOperation<false, false>>("DenseToDenseSetOperation", kCpu, {{"T", kElements}});
  kernels.Add<SetOperation<false, true>>("DenseToSparseSetOperation", kCpu, {{"T", kElements}});
  kernels.Add<SetOperation<true, true>>("SparseToSparseSetOperation", kCpu, {{"T", kElements}});
  kernels.Add<SetSize>("SetSize", kCpu, {{"T", kElements}});
}

}  // namespace sluice::kernels
