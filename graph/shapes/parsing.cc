// SPDX-License-Identifier: Apache-2.0
// Shapes of parsing ops.
#include "graph/shapes/rules.h"

namespace sluice::graph {
namespace {

// Sets outputs one after the other.
class OutputShapes {
 public:
  explicit OutputShapes(ShapeContext& c) : c_(c) {}

  void Set(size_t count, const PartialShape& shape) {
    for (size_t i = 0; i < count && next_ < c_.outputs.size(); ++i) c_.outputs[next_++] = shape;
  }

  // Indices, values and shapes of `types` sparse tensors of this rank; -1: it is unknown.
  absl::Status Sparse(absl::string_view types, int64_t rank) {
    SLUICE_ASSIGN(const auto dtypes, c_.Get<std::vector<DType>>(types));
    Set(dtypes.size(), {-1, rank});
    Set(dtypes.size(), {-1});
    Set(dtypes.size(), {rank});
    return absl::OkStatus();
  }

  // `prefix` and the shape that the attribute states for each.
  absl::Status Dense(absl::string_view shapes, const PartialShape& prefix) {
    SLUICE_ASSIGN(const auto stated, c_.Get<std::vector<PartialShape>>(shapes));
    for (const PartialShape& shape : stated) {
      SLUICE_ASSIGN(const PartialShape joined, Concatenated(prefix, shape));
      Set(1, joined);
    }
    return absl::OkStatus();
  }

  absl::Status Vectors(absl::string_view types, int64_t size) {
    SLUICE_ASSIGN(const auto dtypes, c_.Get<std::vector<DType>>(types));
    Set(dtypes.size(), {size});
    return absl::OkStatus();
  }

 private:
  ShapeContext& c_;
  size_t next_ = 0;
};

absl::Status CheckSameLength(const ShapeContext& c, absl::string_view types,
                             absl::string_view shapes) {
  SLUICE_ASSIGN(const auto dtypes, c.Get<std::vector<DType>>(types));
  SLUICE_ASSIGN(const auto stated, c.Get<std::vector<PartialShape>>(shapes));
  if (dtypes.size() == stated.size()) return absl::OkStatus();
  return InvalidArgument("len(", types, ") != len(", shapes, ")");
}

absl::Status CheckDenseShapes(const ShapeContext& c) {
  SLUICE_RETURN_IF_ERROR(CheckSameLength(c, "Tdense", "dense_shapes"));
  SLUICE_ASSIGN(const auto shapes, c.Get<std::vector<PartialShape>>("dense_shapes"));
  for (size_t i = 0; i < shapes.size(); ++i) {
    bool known = shapes[i].rank_known();
    for (int d = 1; d < shapes[i].rank(); ++d) known &= shapes[i].dim(d) >= 0;
    if (known) continue;
    return InvalidArgument("dense_shapes[", i,
                           "] has unknown rank or unknown inner dimensions: ", shapes[i]);
  }
  return absl::OkStatus();
}

// A scalar or a vector, perhaps of an unknown rank.
absl::Status CheckBatch(const PartialShape& batch) {
  if (batch.rank() <= 1) return absl::OkStatus();
  return InvalidArgument("Shape must be at most rank 1 but is rank ", batch.rank());
}

int64_t RankBeyond(const PartialShape& batch, int64_t more) {
  return batch.rank_known() ? batch.rank() + more : -1;
}

// The size of the splits of a batch.
int64_t SplitsOf(const PartialShape& batch) {
  return batch.rank() == 1 ? SizeSum(batch.dim(0), 1) : -1;
}

// The counts of outputs are attributes of their own.
absl::Status CheckCount(const ShapeContext& c, absl::string_view count, absl::string_view types) {
  SLUICE_ASSIGN(const int64_t stated, c.Get<int64_t>(count));
  SLUICE_ASSIGN(const auto dtypes, c.Get<std::vector<DType>>(types));
  if (stated == static_cast<int64_t>(dtypes.size())) return absl::OkStatus();
  return InvalidArgument(count, " (", stated, ") must match the size of ", types, " (",
                         dtypes.size(), ")");
}

absl::Status ParseExample(ShapeContext& c) {
  SLUICE_RETURN_IF_ERROR(CheckDenseShapes(c));
  SLUICE_ASSIGN(const PartialShape batch, c.OfRank(0, 1));
  SLUICE_RETURN_IF_ERROR(c.OfRank(1, 1).status());
  OutputShapes out(c);
  SLUICE_RETURN_IF_ERROR(out.Sparse("sparse_types", 2));
  return out.Dense("dense_shapes", batch);
}

absl::Status ParseExampleV2(ShapeContext& c) {
  SLUICE_RETURN_IF_ERROR(CheckDenseShapes(c));
  SLUICE_RETURN_IF_ERROR(CheckCount(c, "num_sparse", "sparse_types"));
  const PartialShape& batch = c.inputs[0];
  SLUICE_RETURN_IF_ERROR(CheckBatch(batch));
  SLUICE_RETURN_IF_ERROR(CheckBatch(c.inputs[1]));
  OutputShapes out(c);
  SLUICE_RETURN_IF_ERROR(out.Sparse("sparse_types", RankBeyond(batch, 1)));
  SLUICE_RETURN_IF_ERROR(out.Dense("dense_shapes", batch));
  SLUICE_RETURN_IF_ERROR(out.Vectors("ragged_value_types", -1));
  return out.Vectors("ragged_split_types", SplitsOf(batch));
}

absl::Status ParseSingleExample(ShapeContext& c) {
  SLUICE_RETURN_IF_ERROR(CheckDenseShapes(c));
  SLUICE_RETURN_IF_ERROR(CheckCount(c, "num_sparse", "sparse_types"));
  SLUICE_RETURN_IF_ERROR(c.OfRank(0, 0).status());
  OutputShapes out(c);
  SLUICE_RETURN_IF_ERROR(out.Sparse("sparse_types", 1));
  return out.Dense("dense_shapes", Shape{});
}

absl::Status CheckSequenceShapes(const ShapeContext& c) {
  SLUICE_RETURN_IF_ERROR(CheckSameLength(c, "Tcontext_dense", "context_dense_shapes"));
  return CheckSameLength(c, "feature_list_dense_types", "feature_list_dense_shapes");
}

absl::Status ParseSingleSequenceExample(ShapeContext& c) {
  SLUICE_RETURN_IF_ERROR(CheckSequenceShapes(c));
  SLUICE_RETURN_IF_ERROR(c.OfRank(0, 0).status());
  SLUICE_RETURN_IF_ERROR(c.OfRank(1, 1).status());
  OutputShapes out(c);
  SLUICE_RETURN_IF_ERROR(out.Sparse("context_sparse_types", 1));
  SLUICE_RETURN_IF_ERROR(out.Dense("context_dense_shapes", Shape{}));
  SLUICE_RETURN_IF_ERROR(out.Sparse("feature_list_sparse_types", 2));
  return out.Dense("feature_list_dense_shapes", PartialShape{-1});
}

absl::Status CheckSequences(const ShapeContext& c) {
  SLUICE_RETURN_IF_ERROR(CheckSequenceShapes(c));
  SLUICE_RETURN_IF_ERROR(CheckCount(c, "Ncontext_sparse", "context_sparse_types"));
  SLUICE_RETURN_IF_ERROR(CheckCount(c, "Nfeature_list_sparse", "feature_list_sparse_types"));
  SLUICE_RETURN_IF_ERROR(CheckCount(c, "Nfeature_list_dense", "feature_list_dense_types"));
  SLUICE_RETURN_IF_ERROR(CheckBatch(c.inputs[0]));
  return CheckBatch(c.inputs[1]);
}

// Rows of a list of features: of each example, or of the one.
absl::StatusOr<PartialShape> ListPrefix(const PartialShape& batch) {
  return Concatenated(batch, PartialShape{-1});
}

// One length per example for each dense feature list.
absl::Status Lengths(ShapeContext& c, const PartialShape& batch, OutputShapes& out) {
  SLUICE_ASSIGN(const auto lists, c.Get<std::vector<DType>>("feature_list_dense_types"));
  out.Set(lists.size(), batch);
  return absl::OkStatus();
}

absl::Status ParseSequenceExample(ShapeContext& c) {
  SLUICE_RETURN_IF_ERROR(CheckSequences(c));
  SLUICE_RETURN_IF_ERROR(CheckCount(c, "Ncontext_dense", "Tcontext_dense"));
  if (c.inputs[0].rank() == 1) SLUICE_RETURN_IF_ERROR(c.OfRank(1, 1).status());
  const PartialShape& batch = c.inputs[0];
  SLUICE_ASSIGN(const PartialShape rows, ListPrefix(batch));
  OutputShapes out(c);
  SLUICE_RETURN_IF_ERROR(out.Sparse("context_sparse_types", RankBeyond(batch, 1)));
  SLUICE_RETURN_IF_ERROR(out.Dense("context_dense_shapes", batch));
  SLUICE_RETURN_IF_ERROR(out.Sparse("feature_list_sparse_types", RankBeyond(batch, 2)));
  SLUICE_RETURN_IF_ERROR(out.Dense("feature_list_dense_shapes", rows));
  return Lengths(c, batch, out);
}

absl::Status ParseSequenceExampleV2(ShapeContext& c) {
  SLUICE_RETURN_IF_ERROR(CheckSequences(c));
  const PartialShape& batch = c.inputs[0];
  SLUICE_ASSIGN(const PartialShape rows, ListPrefix(batch));
  OutputShapes out(c);
  SLUICE_RETURN_IF_ERROR(out.Sparse("context_sparse_types", RankBeyond(batch, 1)));
  SLUICE_RETURN_IF_ERROR(out.Dense("context_dense_shapes", batch));
  SLUICE_RETURN_IF_ERROR(out.Vectors("context_ragged_value_types", -1));
  SLUICE_ASSIGN(const auto context_splits, c.Get<std::vector<DType>>("context_ragged_split_types"));
  const PartialShape outer =
      batch.rank() == 0 ? PartialShape(Shape{}) : PartialShape{SplitsOf(batch)};
  out.Set(context_splits.size(), batch.rank_known() ? outer : PartialShape());
  SLUICE_RETURN_IF_ERROR(out.Sparse("feature_list_sparse_types", RankBeyond(batch, 2)));
  SLUICE_RETURN_IF_ERROR(out.Dense("feature_list_dense_shapes", rows));
  SLUICE_RETURN_IF_ERROR(Lengths(c, batch, out));
  SLUICE_RETURN_IF_ERROR(out.Vectors("feature_list_ragged_value_types", -1));
  SLUICE_ASSIGN(const auto splits, c.Get<std::vector<DType>>("feature_list_ragged_split_types"));
  out.Set(splits.size(), batch.rank_known() ? outer : PartialShape());
  out.Set(splits.size(), PartialShape{-1});
  return absl::OkStatus();
}

// Every column has the shape of the records.
absl::Status DecodeCsv(ShapeContext& c) {
  for (int i = 1; i < c.num_inputs(); ++i) {
    const PartialShape& value = c.inputs[i];
    if (value.rank() > 1) {
      return InvalidArgument("Shape must be at most rank 1 but is rank ", value.rank());
    }
    if (value.rank() == 1 && value.dim(0) > 1) {
      return InvalidArgument(
          "Shape of a default must be a length-0 or length-1 vector, or a scalar.");
    }
  }
  for (PartialShape& output : c.outputs) output = c.inputs[0];
  return absl::OkStatus();
}

// bytes -> the number of values of each field, and the values
absl::Status DecodeProto(ShapeContext& c) {
  if (!c.inputs[0].rank_known()) return absl::OkStatus();
  SLUICE_ASSIGN(const auto names, c.Get<std::vector<std::string>>("field_names"));
  SLUICE_ASSIGN(c.outputs[0],
                Concatenated(c.inputs[0], PartialShape{static_cast<int64_t>(names.size())}));
  for (size_t i = 1; i < c.outputs.size(); ++i) {
    SLUICE_ASSIGN(c.outputs[i], Concatenated(c.inputs[0], PartialShape{-1}));
  }
  return absl::OkStatus();
}

// The sizes of the batch, which all values have before their last one.
absl::Status EncodeProto(ShapeContext& c) {
  for (int i = 1; i < c.num_inputs(); ++i) {  // input 0: the number of values of each field
    SLUICE_ASSIGN(const PartialShape input, c.OfRankAtLeast(i, 2));
    if (!input.rank_known()) continue;
    SLUICE_ASSIGN(c.outputs[0], c.outputs[0].MergeWith(SubShape(input, 0, input.rank() - 1)));
  }
  return absl::OkStatus();
}

constexpr ShapeRule kRules[] = {
    {"DecodeCSV", DecodeCsv},
    {"DecodeCompressed", Unchanged},
    {"DecodeJSONExample", Unchanged},
    {"DecodeProtoV2", DecodeProto},
    {"EncodeProto", EncodeProto},
    {"ParseExample", ParseExample},
    {"ParseExampleV2", ParseExampleV2},
    {"ParseSequenceExample", ParseSequenceExample},
    {"ParseSequenceExampleV2", ParseSequenceExampleV2},
    {"ParseSingleExample", ParseSingleExample},
    {"ParseSingleSequenceExample", ParseSingleSequenceExample},
    {"ParseTensor", NothingKnown},
    {"SerializeTensor", AllScalars},
};

}  // namespace

absl::Span<const ShapeRule> ParsingRules() { return kRules; }

}  // namespace sluice::graph
