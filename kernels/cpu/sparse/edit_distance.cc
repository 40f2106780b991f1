// SPDX-License-Identifier: Apache-2.0
// EditDistance: the number of insertions, deletions and replacements between two sequences
// (Levenshtein).
#include <algorithm>
#include <limits>

#include "absl/strings/str_join.h"
#include "core/runtime/kernel_registry.h"
#include "core/threads/cancel_scope.h"
#include "kernels/cpu/sparse/register.h"
#include "kernels/cpu/sparse/sparse.h"

namespace sluice::kernels {
namespace {

// The values of one sequence: a run of rows that differ only in their last index.
struct Sequence {
  int64_t begin, end;
  int64_t size() const { return end - begin; }
};

std::vector<Sequence> Sequences(const SparseTensor& x) {
  std::vector<Sequence> found;
  for (const int64_t i : Cancellable(x.count())) {
    const bool same =
        !found.empty() && CompareRows(x.row(found.back().begin), x.row(i), x.rank() - 1) == 0;
    if (same)
      found.back().end = i + 1;
    else
      found.push_back({i, i + 1});
  }
  return found;
}

template <typename T>
bool Same(const T& a, const T& b) {
  if constexpr (kIsNarrowFloat<T>)
    return static_cast<float>(a) == static_cast<float>(b);
  else
    return a == b;
}

// Two rows of the table are enough (Wagner and Fischer, 1974).
template <typename T>
int64_t Distance(absl::Span<const T> a, absl::Span<const T> b) {
  std::vector<int64_t> row(b.size() + 1);
  for (size_t j = 0; j < row.size(); ++j) row[j] = static_cast<int64_t>(j);
  CancelPoints points(1 << 16);
  for (size_t i = 0; i < a.size(); ++i) {
    points.Pass(static_cast<int64_t>(b.size()));
    int64_t diagonal = row[0];
    row[0] = static_cast<int64_t>(i) + 1;
    for (size_t j = 0; j < b.size(); ++j) {
      const int64_t replaced = diagonal + (Same(a[i], b[j]) ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
    }
  }
  return row.back();
}

absl::Status CheckRank(const Tensor& x, absl::string_view name, int rank) {
  if (x.rank() == rank) return absl::OkStatus();
  return InvalidArgument(name, " should be a ", rank == 2 ? "matrix" : "vector",
                         ", but got shape: ", x.shape());
}

// A row of indices for each value, and a column for each dimension.
absl::Status CheckSizes(const Tensor& indices, const Tensor& values, const Tensor& shape,
                        absl::string_view name) {
  if (values.dim(0) != indices.dim(0)) {
    return InvalidArgument("Expected ", name, "_values.NumElements == #rows(", name,
                           "_indices), their shapes are: ", values.shape(), " and ",
                           indices.shape());
  }
  if (shape.dim(0) != indices.dim(1)) {
    return InvalidArgument("Expected ", name, "_shape.NumElements == #cols(", name,
                           "_indices), their shapes are: ", shape.shape(), " and ",
                           indices.shape());
  }
  return absl::OkStatus();
}

// In the order and words of TensorFlow.
absl::Status CheckShapes(const KernelContext& ctx) {
  const Tensor &indices = ctx.input(0), &values = ctx.input(1), &shape = ctx.input(2);
  const Tensor &real_indices = ctx.input(3), &real_values = ctx.input(4), &real = ctx.input(5);
  SLUICE_RETURN_IF_ERROR(CheckRank(indices, "hypothesis_indices", 2));
  SLUICE_RETURN_IF_ERROR(CheckRank(real_indices, "truth_indices", 2));
  SLUICE_RETURN_IF_ERROR(CheckRank(values, "hypothesis_values", 1));
  SLUICE_RETURN_IF_ERROR(CheckRank(real_values, "truth_values", 1));
  SLUICE_RETURN_IF_ERROR(CheckRank(shape, "hypothesis_shape", 1));
  SLUICE_RETURN_IF_ERROR(CheckRank(real, "truth_shape", 1));
  SLUICE_RETURN_IF_ERROR(CheckSizes(indices, values, shape, "hypothesis"));
  if (real.dim(0) < 2) {
    return InvalidArgument("Input SparseTensors must have rank at least 2, but truth_shape rank ",
                           "is: ", real.dim(0));
  }
  SLUICE_RETURN_IF_ERROR(CheckSizes(real_indices, real_values, real, "truth"));
  if (real.dim(0) == shape.dim(0)) return absl::OkStatus();
  return InvalidArgument("Expected truth and hypothesis to have matching ranks, but their ",
                         "shapes are: ", real.shape(), " and ", shape.shape());
}

struct EditDistance {
  bool normalize;

  static absl::StatusOr<EditDistance> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const bool normalize, node.Get<bool>("normalize"));
    return EditDistance{normalize};
  }

  absl::Status Run(KernelContext& ctx) const {
    SLUICE_RETURN_IF_ERROR(CheckShapes(ctx));
    SLUICE_ASSIGN(const SparseTensor hypothesis, SparseTensor::At(ctx, 0));
    SLUICE_ASSIGN(const SparseTensor truth, SparseTensor::At(ctx, 3));
    Shape::Dims sizes;
    for (int d = 0; d + 1 < truth.rank(); ++d)
      sizes.push_back(std::max(hypothesis.shape.dim(d), truth.shape.dim(d)));
    SLUICE_ASSIGN(const Shape shape, Shape::Create(sizes));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, shape));
    return VisitDType(Join<NumericTypes, TypeList<bool, std::string>>{}, truth.values.dtype(),
                      [&]<typename T>(Type<T>) { return Compare<T>(hypothesis, truth, *out); });
  }

 private:
  // As in TensorFlow, indices may exceed the stated shapes. The last index of a row is not read;
  // the others only have to lead to an element of the output.
  static absl::StatusOr<int64_t> OutputAt(const int64_t* row, const Tensor& out) {
    int64_t at = 0;
    bool fits = true;
    for (int d = 0; d < out.rank(); ++d)
      fits = fits && MulFits(at, out.dim(d), &at) && AddFits(at, row[d], &at);
    if (fits && at >= 0 && at < out.num_elements()) return at;
    return InvalidArgument("the sequence at [", absl::StrJoin(row, row + out.rank(), ","),
                           "] is out of bounds: an inner product ", at,
                           " which would require writing to outside of the buffer for the output "
                           "tensor (max elements ",
                           out.num_elements(), ")");
  }

  // Both lists of sequences are in order. Where neither has a sequence, the distance is 0.
  template <typename T>
  absl::Status Compare(const SparseTensor& hypothesis, const SparseTensor& truth,
                       Tensor& out) const {
    std::fill_n(out.mutable_data<float>(), out.num_elements(), 0.0f);
    const std::vector<Sequence> guesses = Sequences(hypothesis), truths = Sequences(truth);
    const int rank = truth.rank() - 1;
    size_t i = 0, j = 0;
    while (i < guesses.size() || j < truths.size()) {
      const int64_t* guess = i < guesses.size() ? hypothesis.row(guesses[i].begin) : nullptr;
      const int64_t* real = j < truths.size() ? truth.row(truths[j].begin) : nullptr;
      const int order = guess == nullptr  ? 1
                        : real == nullptr ? -1
                                          : CompareRows(guess, real, rank);
      const int64_t* row = order <= 0 ? guess : real;
      SLUICE_ASSIGN(const int64_t at, OutputAt(row, out));
      const Sequence a = order <= 0 ? guesses[i++] : Sequence{0, 0},
                     b = order >= 0 ? truths[j++] : Sequence{0, 0};
      const auto distance =
          static_cast<float>(Distance(hypothesis.values.flat<T>().subspan(a.begin, a.size()),
                                      truth.values.flat<T>().subspan(b.begin, b.size())));
      out.mutable_data<float>()[at] = !normalize     ? distance
                                      : b.size() > 0 ? distance / static_cast<float>(b.size())
                                                     : std::numeric_limits<float>::infinity();
    }
    return absl::OkStatus();
  }
};

}  // namespace

void RegisterEditDistance(KernelRegistry& kernels) {
  kernels.Add<EditDistance>("EditDistance", kCpu, {{"T", kNumeric | DTypeSet{kBool, kString}}});
}

}  // namespace sluice::kernels
