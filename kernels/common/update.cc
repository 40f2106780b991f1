// SPDX-License-Identifier: Apache-2.0
#include "kernels/common/update.h"

#include <algorithm>
#include <functional>

#include "absl/strings/str_join.h"
#include "core/tensor/resource.h"
#include "core/tensor/variant.h"

namespace sluice::kernels {
namespace {

// Combines one element with another.
template <Combine how, typename T>
T Combined(T a, T b) {
  if constexpr (how == Combine::kMin) {
    return b < a ? b : a;
  } else if constexpr (how == Combine::kMax) {
    return a < b ? b : a;
  } else if constexpr (std::is_integral_v<T>) {
    const auto x = static_cast<uint64_t>(a), y = static_cast<uint64_t>(b);
    if constexpr (how == Combine::kAdd) return static_cast<T>(x + y);
    if constexpr (how == Combine::kSub) return static_cast<T>(x - y);
    if constexpr (how == Combine::kMul) return static_cast<T>(x * y);
    if constexpr (std::is_signed_v<T>) {
      if (b == -1) return static_cast<T>(0 - x);  // the lowest value has no positive counterpart
    }
    return static_cast<T>(a / b);
  } else {
    using C = ComputeType<T>;
    const C x = static_cast<C>(a), y = static_cast<C>(b);
    if constexpr (how == Combine::kAdd) return T(x + y);
    if constexpr (how == Combine::kSub) return T(x - y);
    if constexpr (how == Combine::kMul) return T(x * y);
    return T(x / y);
  }
}

template <Combine how>
struct Fixed {
  static constexpr Combine value = how;
};

// Calls fn(Type<T>{}, Fixed<how>{}) for arithmetic. kReplace needs no arithmetic and is not
// visited.
template <typename Fn>
absl::Status VisitArithmetic(Combine how, DType dtype, Fn&& fn) {
  switch (how) {
    case Combine::kMin:
      return VisitDType(RealTypes{}, dtype,
                        [&](auto type) { return fn(type, Fixed<Combine::kMin>{}); });
    case Combine::kMax:
      return VisitDType(RealTypes{}, dtype,
                        [&](auto type) { return fn(type, Fixed<Combine::kMax>{}); });
    case Combine::kAdd:
      return VisitDType(NumericTypes{}, dtype,
                        [&](auto type) { return fn(type, Fixed<Combine::kAdd>{}); });
    case Combine::kSub:
      return VisitDType(NumericTypes{}, dtype,
                        [&](auto type) { return fn(type, Fixed<Combine::kSub>{}); });
    case Combine::kMul:
      return VisitDType(NumericTypes{}, dtype,
                        [&](auto type) { return fn(type, Fixed<Combine::kMul>{}); });
    case Combine::kDiv:
      return VisitDType(NumericTypes{}, dtype,
                        [&](auto type) { return fn(type, Fixed<Combine::kDiv>{}); });
    case Combine::kReplace:
      break;
  }
  return Internal("no arithmetic in replacing");
}

// Integers only: a division by zero would trap, so `values` must not contain a zero.
absl::Status CheckDivisors(Combine how, const Tensor& values) {
  if (how != Combine::kDiv || !kInteger.contains(values.dtype())) return absl::OkStatus();
  return VisitDType(IntegerTypes{}, values.dtype(), [&]<typename T>(Type<T>) {
    for (const T value : values.flat<T>()) {
      if (value == 0) return InvalidArgument("Integer division by zero");
    }
    return absl::OkStatus();
  });
}

int64_t ElementsFrom(const Shape& shape, int first) {
  int64_t count = 1;
  for (int i = first; i < shape.rank(); ++i) count *= shape.dim(i);
  return count;
}

// The text "indices[1,2]" for element `flat` of indices of shape `dims`; "indices" for a scalar.
std::string Named(absl::Span<const int64_t> dims, int64_t flat) {
  if (dims.empty()) return "indices";
  std::vector<int64_t> at(dims.size());
  for (size_t i = dims.size(); i-- > 0; flat /= dims[i]) at[i] = flat % dims[i];
  return absl::StrCat("indices[", absl::StrJoin(at, ","), "]");
}

// Offsets of the slices that the rows of `indices` select (the last dimension is a position in
// `params`). Returns the first row that is out of range, or -1. With `ignore_bad`, such a row gets
// offset -1.
absl::StatusOr<int64_t> SliceOffsets(const Shape& params, const Tensor& indices, bool ignore_bad,
                                     std::vector<int64_t>* offsets) {
  const int depth = static_cast<int>(indices.dim(indices.rank() - 1));
  const int64_t slice = ElementsFrom(params, depth);
  if (depth == 0 && slice == 0)
    return -1;  // there is nothing to move; rows may still have no positions
  int64_t count = 1;
  for (int i = 0; i + 1 < indices.rank(); ++i) count *= indices.dim(i);
  offsets->resize(count);
  int64_t bad = -1;
  SLUICE_RETURN_IF_ERROR(VisitDType(IndexTypes{}, indices.dtype(), [&]<typename I>(Type<I>) {
    const I* position = indices.data<I>();
    for (int64_t i = 0; i < count; ++i, position += depth) {
      int64_t flat = 0;
      bool good = true;
      for (int d = 0; d < depth && good; ++d) {
        good = position[d] >= 0 && position[d] < params.dim(d);
        if (good) flat = flat * params.dim(d) + position[d];
      }
      (*offsets)[i] = good ? flat * slice : -1;
      if (good || ignore_bad) continue;
      bad = i;
      break;
    }
    return absl::OkStatus();
  }));
  return bad;
}

// The text "[1, 2]" for row `row` of the index tensor.
std::string PositionText(const Tensor& indices, int64_t row) {
  const int64_t depth = indices.dim(indices.rank() - 1);
  std::vector<int64_t> position(depth);
  for (int64_t d = 0; d < depth; ++d) {
    const int64_t at = row * depth + d;
    position[d] =
        indices.dtype() == kInt64 ? indices.flat<int64_t>()[at] : indices.flat<int32_t>()[at];
  }
  return absl::StrCat("[", absl::StrJoin(position, ", "), "]");
}

bool EqualFrom(const Shape& a, int a_first, const Shape& b, int b_first) {
  return std::equal(a.dims().begin() + a_first, a.dims().end(), b.dims().begin() + b_first,
                    b.dims().end());
}

}  // namespace

absl::Status RowOutOfRange(const Shape& indices, int64_t at, int64_t index, int64_t limit) {
  return InvalidArgument(Named(indices.dims(), at), " = ", index, " is not in [0, ", limit, ")");
}

absl::Status Update(Combine how, Tensor& target, const Tensor& value, WorkQueue* pool) {
  SLUICE_RETURN_IF_ERROR(CheckDivisors(how, value));
  return VisitArithmetic(how, target.dtype(), [&]<typename T, Combine kHow>(Type<T>, Fixed<kHow>) {
    T* to = target.mutable_data<T>();
    const T* from = value.data<T>();
    ParallelFor(pool, target.num_elements(), 0.5, [=](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) to[i] = Combined<kHow>(to[i], from[i]);
    });
    return absl::OkStatus();
  });
}

absl::StatusOr<RowSizes> CheckRows(const Shape& params, const Shape& indices,
                                   const Shape& updates) {
  if (params.rank() < 1) return InvalidArgument("params must be at least 1-D, got shape ", params);
  const int rank = indices.rank();
  const bool fits =
      updates.rank() == rank + params.rank() - 1 &&
      std::equal(indices.dims().begin(), indices.dims().end(), updates.dims().begin()) &&
      EqualFrom(updates, rank, params, 1);
  if (updates.rank() != 0 && !fits) {
    return InvalidArgument(
        "Must have updates.shape = indices.shape + params.shape[1:] or updates.shape = [], ",
        "got updates.shape ", updates, ", indices.shape ", indices, ", params.shape ", params);
  }
  return RowSizes{params.dim(0), ElementsFrom(params, 1)};
}

absl::StatusOr<Slices> RowsAt(RowSizes rows, const Tensor& indices) {
  Slices slices;
  slices.size = rows.size;
  slices.begin.resize(indices.num_elements());
  SLUICE_RETURN_IF_ERROR(VisitDType(IndexTypes{}, indices.dtype(), [&]<typename I>(Type<I>) {
    const I* row = indices.data<I>();
    for (size_t i = 0; i < slices.begin.size(); ++i) {
      if (row[i] < 0 || row[i] >= rows.limit)
        return RowOutOfRange(indices.shape(), i, row[i], rows.limit);
      slices.begin[i] = static_cast<int64_t>(row[i]) * slices.size;
    }
    return absl::OkStatus();
  }));
  return slices;
}

absl::Status CheckSlices(const Shape& params, const Shape& indices, const Shape& updates) {
  if (indices.rank() < 1)
    return InvalidArgument("Indices shape must have rank at least one. Found:", indices);
  if (updates.rank() < 1)
    return InvalidArgument("Updates shape must have rank at least one. Found:", updates);
  const bool nothing = indices.num_elements() == 0 && updates.num_elements() == 0;
  if (!nothing &&
      (params.num_elements() == 0 || indices.num_elements() == 0 || updates.num_elements() == 0)) {
    return InvalidArgument("Indices and updates specified for empty output.  indices shape: ",
                           indices, ", updates shape: ", updates, ", output shape: ", params);
  }
  const int batch = std::max(indices.rank() - 1, 1);
  const int64_t depth = indices.rank() == 1 ? 1 : indices.dim(batch);
  const auto rule = [&] {
    if (updates.dim(0) != indices.dim(0)) {
      return Cat("The outermost dimension of updates and indices must match. Got indices.shape ",
                 indices, ", updates.shape ", updates);
    }
    return Cat("Must have updates.shape = indices.shape[:batch_dim] + params_shape[slice_dim:], ",
               "got updates.shape: ", updates, ", indices.shape: ", indices,
               ", params_shape: ", params, ", slice_dim: ", depth, ", and batch_dim: ", batch);
  };
  bool alike = updates.rank() >= batch;
  for (int i = 0; alike && i < batch; ++i) alike = updates.dim(i) == indices.dim(i);
  // If the vector is longer, TensorFlow reads only the first index.
  if (!alike || (indices.rank() == 1 && indices.dim(0) > 1)) {
    return InvalidArgument(rule(), ". Dimensions [0,", batch, ") of indices[shape=", indices,
                           "] must match dimensions [0,", batch, ") of updates[shape=", updates,
                           "]");
  }
  if (depth <= params.rank() && EqualFrom(updates, batch, params, static_cast<int>(depth)))
    return absl::OkStatus();
  return InvalidArgument(rule(), ". Dimensions [", depth, ",", params.rank(),
                         ") of input[shape=", params, "] must match dimensions [", batch, ",",
                         updates.rank(), ") of updates[shape=", updates, "]");
}

absl::Status CheckNoVector(const Shape& indices, const Shape& updates, const Shape& output) {
  if (indices.rank() != 1 || (indices.dim(0) == 0 && updates == output)) return absl::OkStatus();
  return InvalidArgument(
      "Inner dimensions of output shape must match inner dimensions of updates shape. Output: ",
      output, " updates: ", updates);
}

absl::StatusOr<bool> IgnoresBadIndices(const NodeSpec& node) {
  const std::string policy = GetAttrOr<std::string>(node.attrs, "bad_indices_policy", "");
  if (policy.empty() || policy == "DEFAULT" || policy == "ERROR") return false;
  if (policy == "IGNORE") return true;
  return InvalidArgument("Unknown bad indices handling attribute: ", policy);
}

absl::StatusOr<Slices> SlicesAt(const Shape& params, const Tensor& indices, bool ignore_bad) {
  Slices slices;
  slices.size = ElementsFrom(params, static_cast<int>(indices.dim(indices.rank() - 1)));
  SLUICE_ASSIGN(const int64_t bad, SliceOffsets(params, indices, ignore_bad, &slices.begin));
  if (bad >= 0) {
    const auto rows = indices.shape().dims().first(indices.rank() - 1);
    return InvalidArgument(Named(rows, bad), " = ", PositionText(indices, bad),
                           " does not index into shape ", params);
  }
  return slices;
}

absl::Status UpdateSlices(Combine how, Tensor& target, const Slices& slices,
                          const Tensor& updates) {
  const bool scalar = updates.rank() == 0;
  const int64_t n = slices.size;
  if (slices.begin.empty() || n == 0) return absl::OkStatus();  // even if the update is a scalar
  if (how == Combine::kReplace) {
    return VisitWidth(target.dtype(), [&]<typename T>(Type<T>) {
      T* to = target.mutable_data<T>();
      const T* from = updates.data<T>();
      for (size_t i = 0; i < slices.begin.size(); ++i) {
        if (slices.begin[i] < 0) continue;
        if (scalar)
          std::fill_n(to + slices.begin[i], n, *from);
        else
          std::copy_n(from + static_cast<int64_t>(i) * n, n, to + slices.begin[i]);
      }
      return absl::OkStatus();
    });
  }
  SLUICE_RETURN_IF_ERROR(CheckDivisors(how, updates));
  return VisitArithmetic(how, target.dtype(), [&]<typename T, Combine kHow>(Type<T>, Fixed<kHow>) {
    const T* from = updates.data<T>();
    for (size_t i = 0; i < slices.begin.size(); ++i, from += scalar ? 0 : n) {
      if (slices.begin[i] < 0) continue;
      T* to = target.mutable_data<T>() + slices.begin[i];
      if (scalar) {
        for (int64_t j = 0; j < n; ++j) to[j] = Combined<kHow>(to[j], *from);
      } else {
        for (int64_t j = 0; j < n; ++j) to[j] = Combined<kHow>(to[j], from[j]);
      }
    }
    return absl::OkStatus();
  });
}

}  // namespace sluice::kernels
