// SPDX-License-Identifier: Apache-2.0
// RaggedTensorToTensor: rows of different lengths become rows of one length, cut or filled with a
// default value.
#include <algorithm>

#include "core/tensor/variant.h"
#include "core/threads/cancel_scope.h"
#include "kernels/any/ragged/ragged.h"
#include "kernels/common/broadcast.h"

namespace sluice::kernels {
namespace {

// Every row and value has a position in memory.
constexpr int64_t kMostPlaces = int64_t{1} << 27;

absl::Status TooMany(int64_t rows) {
  return ResourceExhausted(rows, " rows of a ragged tensor need too much memory");
}

// The partition of one dimension's rows into rows of the next.
struct Partition {
  bool by_row;  // the row of each value (VALUE_ROWIDS); else the beginnings of rows (ROW_SPLITS)
  Splits numbers;

  int64_t longest_row() const {
    int64_t longest = 0, run = 0;
    for (size_t i = 1; !by_row && i < numbers.size(); ++i) {
      longest = std::max(longest, numbers[i] - numbers[i - 1]);
    }
    for (size_t i = 0; by_row && i < numbers.size(); ++i) {
      run = i > 0 && numbers[i] == numbers[i - 1] ? run + 1 : 1;
      longest = std::max(longest, run);
    }
    return longest;
  }

  // Maps the positions of rows, in elements of the last ragged dimension, to positions of their
  // values; -1: cut off. A row has room for `width` values, each `stride` long.
  absl::StatusOr<Splits> Follow(const Splits& rows, int64_t width, int64_t stride) const {
    return by_row ? FollowIds(rows, width, stride) : FollowSplits(rows, width, stride);
  }

 private:
  static int64_t Place(int64_t row, int64_t column, int64_t width, int64_t stride) {
    return row < 0 || column >= width ? -1 : row + column * stride;
  }

  absl::StatusOr<Splits> FollowIds(const Splits& rows, int64_t width, int64_t stride) const {
    Splits places;
    int64_t column = 0;
    for (size_t i = 0; i < numbers.size(); ++i) {
      const int64_t row = numbers[i];
      const bool same = i > 0 && row == numbers[i - 1];
      if (row < 0 || row >= static_cast<int64_t>(rows.size())) {
        return InvalidArgument("Got ", i == 0 ? "current" : "next", "_value_rowid=", row,
                               " which is not less than ", rows.size());
      }
      column = same ? column + 1 : 0;
      places.push_back(Place(rows[row], column, width, stride));
    }
    return places;
  }

  absl::StatusOr<Splits> FollowSplits(const Splits& rows, int64_t width, int64_t stride) const {
    const auto held = static_cast<int64_t>(numbers.size()) - 1;
    if (held < 0 || held > static_cast<int64_t>(rows.size())) {
      return InvalidArgument("Row partition size is greater than output size: ", held, " > ",
                             rows.size());
    }
    if (numbers.back() > kMostPlaces) return TooMany(numbers.back());
    Splits places;
    for (size_t row = 0; row + 1 < numbers.size(); ++row) {
      const int64_t length = numbers[row + 1] - numbers[row];
      for (int64_t column = 0; column < length; ++column) {
        places.push_back(Place(rows[row], column, width, stride));
      }
    }
    return places;
  }
};

// shape, values, default_value, row_partition_tensors -> result.
struct RaggedTensorToTensor {
  std::vector<std::string> kinds;

  static absl::StatusOr<RaggedTensorToTensor> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(auto kinds, node.Get<std::vector<std::string>>("row_partition_types"));
    for (const std::string& kind : kinds) {
      if (kind != "FIRST_DIM_SIZE" && kind != "VALUE_ROWIDS" && kind != "ROW_SPLITS") {
        return InvalidArgument("Unsupported row partition type: ", kind);
      }
    }
    if (kinds.empty()) return InvalidArgument("No row_partition_types given.");
    if (kinds[0] == "VALUE_ROWIDS") {
      return InvalidArgument("Cannot handle VALUE_ROWIDS in first dimension.");
    }
    return RaggedTensorToTensor{std::move(kinds)};
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor& values = ctx.input(1);
    if (values.rank() == 0) return InvalidArgument("values must have at least one dimension");
    if (ctx.num_inputs() != static_cast<int>(kinds.size()) + 3) {
      return InvalidArgument("there are ", kinds.size(), " types of row partitions for ",
                             ctx.num_inputs() - 3, " tensors");
    }
    if (ctx.input(3).num_elements() == 0) {
      return InvalidArgument(
          "Invalid first partition input. Tensor requires at least one element.");
    }
    SLUICE_ASSIGN(const std::vector<Partition> partitions, PartitionsIn(ctx));
    SLUICE_ASSIGN(const int64_t rows, NumRows(ctx.input(3)));
    const int depth = static_cast<int>(partitions.size());
    SLUICE_ASSIGN(Shape::Dims dims, Wanted(ctx.input(0), values.shape(), depth));
    SLUICE_RETURN_IF_ERROR(CheckDefault(ctx.input(2).shape(), values.shape()));
    if (dims[0] < 0) dims[0] = rows;
    for (int i = 0; i < depth; ++i) {
      if (dims[i + 1] < 0) dims[i + 1] = partitions[i].longest_row();
    }
    SLUICE_ASSIGN(const Shape shape, Shape::Create(dims));
    SLUICE_ASSIGN(Tensor * result, ctx.AllocateOutput(0, shape));
    if (shape.num_elements() == 0) return absl::OkStatus();
    SLUICE_ASSIGN(const Splits places, Places(partitions, rows, shape));
    if (static_cast<int64_t>(places.size()) > values.dim(0)) {
      return InvalidArgument("the row partitions hold ", places.size(), " values, but there are ",
                             values.dim(0));
    }
    return Fill(values, ctx.input(2), places, *result);
  }

 private:
  absl::StatusOr<std::vector<Partition>> PartitionsIn(const KernelContext& ctx) const {
    std::vector<Partition> partitions;
    for (size_t i = kinds[0] == "FIRST_DIM_SIZE" ? 1 : 0; i < kinds.size(); ++i) {
      if (kinds[i] == "FIRST_DIM_SIZE") {
        return InvalidArgument("Cannot handle partition type ", kinds[i]);
      }
      SLUICE_ASSIGN(Splits numbers, SplitsIn(ctx.input(static_cast<int>(i) + 3)));
      const bool by_row = kinds[i] == "VALUE_ROWIDS";
      const bool rises = std::is_sorted(numbers.begin(), numbers.end());
      if (!by_row && !numbers.empty() && (numbers[0] != 0 || !rises)) {
        return InvalidArgument("Invalid row split size.");
      }
      partitions.push_back({by_row, std::move(numbers)});
    }
    return partitions;
  }

  absl::StatusOr<int64_t> NumRows(const Tensor& first) const {
    if (kinds[0] == "FIRST_DIM_SIZE") return IntScalar(first);
    if (first.rank() == 0) return InvalidArgument("row splits must be a vector");
    return first.dim(0) - 1;
  }

  // The result's dimensions, from the caller and the values; -1: the length of the longest row.
  static absl::StatusOr<Shape::Dims> Wanted(const Tensor& shape, const Shape& values, int depth) {
    if (shape.rank() > 1) {
      return InvalidArgument("Shape must be at most rank 1 but is rank ", shape.rank());
    }
    SLUICE_ASSIGN(Shape::Dims dims, IntVector(shape));
    if (shape.rank() == 0) {
      if (dims[0] != -1) {
        return InvalidArgument(
            "The only valid scalar shape tensor is the fully unknown shape specified as -1.");
      }
      dims.assign(depth + values.rank(), -1);
    }
    SLUICE_ASSIGN(const PartialShape wanted, PartialShape::Create(dims));
    const auto refused = [&](const auto&... why) {
      return InvalidArgument("rt_input.shape and shape=", wanted, " are incompatible: ", why...);
    };
    if (static_cast<int>(dims.size()) != depth + values.rank()) {
      return refused("rt_input.rank = ", depth + values.rank(), " but shape.rank = ", dims.size());
    }
    for (int i = 1; i < values.rank(); ++i) {
      int64_t& dim = dims[depth + i];
      if (dim >= 0 && dim != values.dim(i)) {
        return refused("rt_input.shape[", depth + i, "] = ", values.dim(i), " but shape[",
                       depth + i, "] = ", dim);
      }
      dim = values.dim(i);
    }
    return dims;
  }

  static absl::Status CheckDefault(const Shape& one, const Shape& values) {
    const auto refused = [&](const auto&... why) {
      return InvalidArgument("default_value.shape=", one,
                             " and rt_input.flat_values.shape=", values,
                             " are incompatible: default_value.", why...);
    };
    if (one.rank() >= values.rank()) {
      return refused("rank = ", one.rank(),
                     "  must be less than rt_input.flat_values.rank = ", values.rank());
    }
    for (int i = 1; i <= one.rank(); ++i) {
      const int64_t dim = one.dim(one.rank() - i), of_values = values.dim(values.rank() - i);
      if (dim == 1 || dim == of_values) continue;
      return refused("shape[-", i, "] = ", dim, " but rt_input.flat_values.shape[-", i,
                     "] = ", of_values);
    }
    return absl::OkStatus();
  }

  // The position of each value, counted in values.
  static absl::StatusOr<Splits> Places(const std::vector<Partition>& partitions, int64_t rows,
                                       const Shape& shape) {
    int64_t stride = 1;
    for (size_t i = 1; i <= partitions.size(); ++i) stride *= shape.dim(static_cast<int>(i));
    if (rows > kMostPlaces) return TooMany(rows);
    Splits places;
    for (int64_t row = 0; row < rows; ++row) {
      places.push_back(row < shape.dim(0) ? row * stride : -1);
    }
    for (size_t i = 0; i < partitions.size(); ++i) {
      const int64_t width = shape.dim(static_cast<int>(i) + 1);
      stride /= width;
      SLUICE_ASSIGN(places, partitions[i].Follow(places, width, stride));
    }
    return places;
  }

  static absl::Status Fill(const Tensor& values, const Tensor& one, const Splits& places,
                           Tensor& result) {
    const Shape::Dims inner(values.shape().dims().begin() + 1, values.shape().dims().end());
    SLUICE_ASSIGN(const Shape element, Shape::Create(inner));
    const Shape* const operands[] = {&one.shape(), &element};
    SLUICE_ASSIGN(const BroadcastPlan plan, PlanBroadcast(operands));
    const int64_t size = element.num_elements();
    return VisitWidth(values.dtype(), [&]<typename T>(Type<T>) {
      std::vector<T> filling(size);
      WalkRuns(plan, 0, size, [&](int64_t out, const Offsets& from, int64_t n) {
        for (int64_t i = 0; i < n; ++i) {
          filling[out + i] = one.data<T>()[from[0] + i * plan.dims.back().stride[0]];
        }
      });
      T* const to = result.mutable_data<T>();
      for (int64_t i = 0; i < result.num_elements(); i += size) {
        std::copy(filling.begin(), filling.end(), to + i);
      }
      CancelPoints points(1 << 14);
      for (size_t i = 0; i < places.size(); ++i) {
        points.Pass(size);
        if (places[i] < 0) continue;
        std::copy_n(values.data<T>() + static_cast<int64_t>(i) * size, size, to + places[i] * size);
      }
      return absl::OkStatus();
    });
  }
};

}  // namespace

void RegisterRaggedToTensor(KernelRegistry& kernels) {
  const DTypeSet index{kInt32, kInt64};
  kernels.Add<RaggedTensorToTensor>("RaggedTensorToTensor", kCpu,
                                    {{"Tshape", index}, {"Tindex", index}});
}

}  // namespace sluice::kernels
