// SPDX-License-Identifier: Apache-2.0
// SparseCross, its older names in tf.contrib, and the later op that takes the separator as an
// input. It computes every combination of one feature from each column, per row, as text or as a
// hash.
#include <limits>

#include "core/runtime/kernel_registry.h"
#include "kernels/common/string_hash.h"
#include "kernels/cpu/sparse/register.h"
#include "kernels/cpu/sparse/sparse.h"

namespace sluice::kernels {
namespace {

// Combines two hashes into one (a step of MurmurHash64).
uint64_t JoinHashes(uint64_t a, uint64_t b) {
  constexpr uint64_t kFactor = 0xC6A4A7935BD1E995u;
  const auto mix = [](uint64_t x) { return x ^ (x >> 47); };
  const uint64_t joined = (a ^ kFactor ^ (mix(b * kFactor) * kFactor)) * kFactor;
  return mix(mix(joined) * kFactor);
}

// Combines hashes like the first op of this kind. The shift by 4 keeps the sign.
uint64_t JoinHashesOlder(uint64_t a, uint64_t b) {
  const auto shifted = static_cast<uint64_t>(static_cast<int64_t>(a) >> 4);
  return a ^ (b + 0x9e3779b97f4a7800u + (a << 10) + shifted);
}

// The features of each row, of a sparse or a dense input.
struct Column {
  Tensor values;
  std::vector<int64_t> first;  // row r has the values [first[r], first[r + 1])

  int64_t count(int64_t row) const { return first[row + 1] - first[row]; }
  std::string Text(int64_t row, int64_t i) const {
    const int64_t at = first[row] + i;
    return values.dtype() == kString ? values.data<std::string>()[at]
                                     : absl::StrCat(values.data<int64_t>()[at]);
  }
  uint64_t Hash(int64_t row, int64_t i) const {
    const int64_t at = first[row] + i;
    return values.dtype() == kString ? FarmFingerprint64(values.data<std::string>()[at])
                                     : static_cast<uint64_t>(values.data<int64_t>()[at]);
  }
};

struct SparseCross {
  NodeSpec::Range indices, values, shapes, dense;
  NodeSpec::Range separator{};  // one input, or none
  bool hashed;
  uint64_t buckets, key;
  uint64_t (*join)(uint64_t, uint64_t);

  static absl::StatusOr<SparseCross> Create(const NodeSpec& node) {
    SparseCross made;
    const bool first = node.op == "SparseFeatureCross";
    SLUICE_ASSIGN(made.indices, node.InputRange("indices"));
    SLUICE_ASSIGN(made.values, node.InputRange("values"));
    SLUICE_ASSIGN(made.shapes, node.InputRange("shapes"));
    const bool told = node.op == "SparseCrossV2";
    SLUICE_ASSIGN(made.dense,
                  node.InputRange(told || node.op == "SparseCross" ? "dense_inputs" : "dense"));
    int64_t buckets = 0, key = 0xDECAFCAFFE;
    if (told) {
      SLUICE_ASSIGN(made.separator, node.InputRange("sep"));
    } else {
      SLUICE_ASSIGN(buckets, node.Get<int64_t>("num_buckets"));
    }
    if (!first && !told) {
      SLUICE_ASSIGN(key, node.Get<int64_t>("hash_key"));
    }
    made.hashed = node.output_types[1] == kInt64;
    made.buckets = static_cast<uint64_t>(buckets);
    made.key = static_cast<uint64_t>(key);
    made.join = first ? JoinHashesOlder : JoinHashes;
    if (made.values.size() != made.indices.size() || made.shapes.size() != made.indices.size()) {
      return InvalidArgument("Expected ", made.indices.size(), " input values and shapes, got ",
                             made.values.size(), " and ", made.shapes.size());
    }
    return made;
  }

  absl::Status Run(KernelContext& ctx) const {
    int64_t rows = 0;
    SLUICE_ASSIGN(const std::vector<Column> columns, ReadColumns(ctx, rows));
    std::string between = "_X_";
    if (separator.size() > 0) {
      const Tensor& given = ctx.input(separator.begin);
      if (given.rank() != 0)
        return InvalidArgument("Input separator should be a scalar. Received: ", given.shape());
      between = given.scalar<std::string>();
    }
    std::vector<int64_t> first(rows + 1, 0);
    int64_t widest = 0;
    for (int64_t row = 0; row < rows; ++row) {
      int64_t count = columns.empty() ? 0 : 1;
      for (const Column& column : columns) {
        if (!MulFits(count, column.count(row), &count))
          return InvalidArgument("too many crosses in row ", row);
      }
      widest = std::max(widest, count);
      if (!AddFits(first[row], count, &first[row + 1])) return InvalidArgument("too many crosses");
    }
    SLUICE_ASSIGN(const Shape pairs, Shape::Create({first[rows], 2}));
    SLUICE_ASSIGN(Tensor * out_indices, ctx.AllocateOutput(0, pairs));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(1, Shape{first[rows]}));
    ParallelFor(ctx.pool(), rows, 5000, [&](int64_t begin, int64_t end) {
      for (int64_t row = begin; row < end; ++row)
        CrossRow(columns, between, row, first[row], first[row + 1], *out_indices, *out);
    });
    return SetSizes(ctx, 2, {rows, widest});
  }

 private:
  absl::StatusOr<std::vector<Column>> ReadColumns(const KernelContext& ctx, int64_t& rows) const {
    std::vector<Column> columns;
    const auto agree = [&](int64_t size, const char* what, int i) {
      if (columns.empty()) rows = size;
      return rows == size ? absl::OkStatus()
                          : InvalidArgument("Expected batch size ", rows, " got ", size, " at ",
                                            what, " ", i);
    };
    for (int i = 0; i < indices.size(); ++i) {
      SLUICE_ASSIGN(const SparseTensor x,
                    SparseTensor::Of(ctx.input(indices.begin + i), ctx.input(values.begin + i),
                                     ctx.input(shapes.begin + i)));
      if (x.rank() != 2)
        return InvalidArgument("Expected D2 of index to be 2 got ", x.rank(), " at position ", i);
      SLUICE_RETURN_IF_ERROR(agree(x.shape.dim(0), "position", i));
      if (rows > int64_t{1} << 26)
        return InvalidArgument("a batch of ", rows, " rows is too large");
      Column column{x.values, {0}};
      int64_t at = 0;
      for (int64_t row = 0; row < rows; ++row) {
        while (at < x.count() && x.row(at)[0] == row) ++at;
        column.first.push_back(at);
      }
      columns.push_back(std::move(column));
    }
    for (int i = 0; i < dense.size(); ++i) {
      const Tensor& x = ctx.input(dense.begin + i);
      if (x.rank() != 2)
        return InvalidArgument("Dense inputs should be a matrix but received shape ", x.shape(),
                               " at position ", i);
      SLUICE_RETURN_IF_ERROR(agree(x.dim(0), "dense tensor", i));
      Column column{x, {0}};
      for (int64_t row = 1; row <= rows; ++row) column.first.push_back(row * x.dim(1));
      columns.push_back(std::move(column));
    }
    return columns;
  }

  // The last column's features change fastest.
  void CrossRow(const std::vector<Column>& columns, const std::string& between, int64_t row,
                int64_t begin, int64_t end, Tensor& out_indices, Tensor& out) const {
    std::vector<int64_t> at(columns.size(), 0);
    for (int64_t k = begin; k < end; ++k) {
      out_indices.mutable_data<int64_t>()[2 * k] = row;
      out_indices.mutable_data<int64_t>()[2 * k + 1] = k - begin;
      if (hashed) {
        uint64_t hash = key;
        for (size_t c = 0; c < columns.size(); ++c) hash = join(hash, columns[c].Hash(row, at[c]));
        constexpr uint64_t kMost = std::numeric_limits<int64_t>::max();
        out.mutable_data<int64_t>()[k] =
            static_cast<int64_t>(hash % (buckets > 0 ? buckets : kMost));
      } else {
        std::string text;
        for (size_t c = 0; c < columns.size(); ++c)
          absl::StrAppend(&text, c == 0 ? "" : between, columns[c].Text(row, at[c]));
        out.mutable_data<std::string>()[k] = std::move(text);
      }
      for (size_t c = columns.size(); c-- > 0 && ++at[c] == columns[c].count(row);) at[c] = 0;
    }
  }
};

}  // namespace

void RegisterSparseCross(KernelRegistry& kernels) {
  for (const char* op : {"SparseCross", "SparseFeatureCross", "SparseFeatureCrossV2"}) {
    kernels.Add<SparseCross>(
        op, kCpu, {{"out_type", {kInt64, kString}}, {"internal_type", {kInt64, kString}}});
  }
  kernels.Add<SparseCross>("SparseCrossV2", kCpu);
}

}  // namespace sluice::kernels
