// SPDX-License-Identifier: Apache-2.0
// SparseCross, its older names in tf.contrib, and the later ops that take the separator, or what
// the hash depends on, as inputs.
#include "core/runtime/kernel_registry.h"
#include "core/threads/cancel_scope.h"
#include "kernels/common/array/feature_cross.h"
#include "kernels/cpu/sparse/register.h"
#include "kernels/cpu/sparse/sparse.h"

namespace sluice::kernels {
namespace {

// Combines hashes like the first op of this kind. The shift by 4 keeps the sign.
uint64_t JoinHashesOlder(uint64_t a, uint64_t b) {
  const auto shifted = static_cast<uint64_t>(static_cast<int64_t>(a) >> 4);
  return a ^ (b + 0x9e3779b97f4a7800u + (a << 10) + shifted);
}

struct SparseCross {
  NodeSpec::Range indices, values, shapes, dense;
  NodeSpec::Range separator{};  // one input, or none
  NodeSpec::Range hashing{};    // the number of buckets, whether to use the salt, the salt; or none
  uint64_t buckets = 0, key = 0;
  uint64_t (*join)(uint64_t, uint64_t);

  static absl::StatusOr<SparseCross> Create(const NodeSpec& node) {
    SparseCross made;
    const bool first = node.op == "SparseFeatureCross", named = node.op == "SparseCrossV2";
    const bool told = node.op == "SparseCrossHashed";
    SLUICE_ASSIGN(made.indices, node.InputRange("indices"));
    SLUICE_ASSIGN(made.values, node.InputRange("values"));
    SLUICE_ASSIGN(made.shapes, node.InputRange("shapes"));
    const bool of_contrib = first || node.op == "SparseFeatureCrossV2";
    SLUICE_ASSIGN(made.dense, node.InputRange(of_contrib ? "dense" : "dense_inputs"));
    int64_t buckets = 0, key = 0xDECAFCAFFE;
    if (named) {
      SLUICE_ASSIGN(made.separator, node.InputRange("sep"));
    } else if (told) {
      SLUICE_ASSIGN(made.hashing, node.InputRange("num_buckets"));
    } else {
      SLUICE_ASSIGN(buckets, node.Get<int64_t>("num_buckets"));
    }
    if (!first && !named && !told) {
      SLUICE_ASSIGN(key, node.Get<int64_t>("hash_key"));
    }
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
    FeatureCross cross;
    cross.buckets = buckets;
    cross.key = key;
    cross.join = join;
    int64_t rows = 0;
    SLUICE_ASSIGN(cross.columns, ReadColumns(ctx, rows));
    if (separator.size() > 0) {
      const Tensor& given = ctx.input(separator.begin);
      if (given.rank() != 0)
        return InvalidArgument("Input separator should be a scalar. Received: ", given.shape());
      cross.between = given.scalar<std::string>();
    }
    if (hashing.size() > 0) SLUICE_RETURN_IF_ERROR(ReadHashing(ctx, cross));
    SLUICE_ASSIGN(const Tensor starts, cross.Starts(ctx, rows));
    const int64_t* first = starts.data<int64_t>();
    SLUICE_ASSIGN(const Shape pairs, Shape::Create({first[rows], 2}));
    SLUICE_ASSIGN(Tensor * out_indices, ctx.AllocateOutput(0, pairs));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(1, Shape{first[rows]}));
    ParallelFor(ctx.pool(), rows, 5000, [&](int64_t begin, int64_t end) {
      for (int64_t row = begin; row < end; ++row) {
        int64_t* to = out_indices->mutable_data<int64_t>() + 2 * first[row];
        for (int64_t i = 0; i < first[row + 1] - first[row]; ++i) {
          *to++ = row;
          *to++ = i;
        }
        cross.WriteRow(row, first[row], first[row + 1], *out);
      }
    });
    int64_t widest = 0;
    for (int64_t row = 0; row < rows; ++row) widest = std::max(widest, first[row + 1] - first[row]);
    return SetSizes(ctx, 2, {rows, widest});
  }

 private:
  absl::Status ReadHashing(const KernelContext& ctx, FeatureCross& cross) const {
    const Tensor &buckets_in = ctx.input(hashing.begin), &strong = ctx.input(hashing.begin + 1),
                 &salt = ctx.input(hashing.begin + 2);
    if (buckets_in.rank() != 0 || strong.rank() != 0)
      return InvalidArgument("num_buckets and strong_hash must be scalars");
    if (salt.num_elements() != 2) {
      return InvalidArgument("Input \"salt\" must have length 2 but has length ",
                             salt.num_elements());
    }
    cross.keyed = false;
    cross.buckets = static_cast<uint64_t>(std::max<int64_t>(buckets_in.scalar<int64_t>(), 0));
    cross.value_hash =
        strong.scalar<bool>() ? FeatureCross::ValueHash::kSalted : FeatureCross::ValueHash::kBytes;
    for (int i = 0; i < 2; ++i) cross.salt[i] = static_cast<uint64_t>(salt.data<int64_t>()[i]);
    return absl::OkStatus();
  }

  absl::StatusOr<std::vector<FeatureColumn>> ReadColumns(KernelContext& ctx, int64_t& rows) const {
    std::vector<FeatureColumn> columns;
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
      FeatureColumn column{x.values, Tensor()};
      SLUICE_ASSIGN(column.first, ctx.AllocateTemporary(kInt64, Shape{rows + 1}));
      int64_t* first = column.first.mutable_data<int64_t>();
      int64_t at = 0;
      first[0] = 0;
      for (const int64_t row : Cancellable(rows)) {
        while (at < x.count() && x.row(at)[0] == row) ++at;
        first[row + 1] = at;
      }
      columns.push_back(std::move(column));
    }
    for (int i = 0; i < dense.size(); ++i) {
      const Tensor& x = ctx.input(dense.begin + i);
      if (x.rank() != 2)
        return InvalidArgument("Dense inputs should be a matrix but received shape ", x.shape(),
                               " at position ", i);
      SLUICE_RETURN_IF_ERROR(agree(x.dim(0), "dense tensor", i));
      SLUICE_ASSIGN(columns.emplace_back(), DenseColumn(ctx, x));
    }
    return columns;
  }
};

}  // namespace

void RegisterSparseCross(KernelRegistry& kernels) {
  for (const char* op : {"SparseCross", "SparseFeatureCross", "SparseFeatureCrossV2"}) {
    kernels.Add<SparseCross>(
        op, kCpu, {{"out_type", {kInt64, kString}}, {"internal_type", {kInt64, kString}}});
  }
  kernels.Add<SparseCross>("SparseCrossV2", kCpu);
  kernels.Add<SparseCross>("SparseCrossHashed", kCpu);
}

}  // namespace sluice::kernels
