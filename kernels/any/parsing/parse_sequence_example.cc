// SPDX-License-Identifier: Apache-2.0
// ParseSequenceExample, ParseSequenceExampleV2.
#include <algorithm>
#include <utility>

#include "core/runtime/kernel_registry.h"
#include "kernels/any/parsing/register.h"
#include "kernels/common/parsing/sequence_parser.h"

namespace sluice::kernels {
namespace {

using Range = NodeSpec::Range;

// One kind of features: of the context, or of the lists.
struct Part {
  ExampleFeatures features;  // without keys and default values
  Range sparse_indices, sparse_values, sparse_shapes, dense_values, ragged_values;

  static absl::StatusOr<Part> Create(const NodeSpec& node, absl::string_view prefix,
                                     absl::string_view dense_types) {
    Part part;
    SLUICE_ASSIGN(const auto types, node.Get<std::vector<DType>>(dense_types));
    SLUICE_ASSIGN(const auto shapes,
                  node.Get<std::vector<PartialShape>>(Cat(prefix, "_dense_shapes")));
    if (types.size() != shapes.size()) {
      return InvalidArgument("len(", dense_types, ") != len(", prefix, "_dense_shapes)");
    }
    for (size_t i = 0; i < types.size(); ++i) {
      DenseFeature& f = part.features.dense.emplace_back();
      f.dtype = types[i];
      SLUICE_RETURN_IF_ERROR(SetShape(shapes[i], i, &f));
      if (f.variable_length) {
        return InvalidArgument(prefix, "_dense_shapes[", i, "] is not fully known: ", shapes[i]);
      }
    }
    SLUICE_ASSIGN(const auto sparse, node.Get<std::vector<DType>>(Cat(prefix, "_sparse_types")));
    for (const DType dtype : sparse) part.features.sparse.push_back({"", dtype});
    SLUICE_ASSIGN(part.sparse_indices, node.OutputRange(Cat(prefix, "_sparse_indices")));
    SLUICE_ASSIGN(part.sparse_values, node.OutputRange(Cat(prefix, "_sparse_values")));
    SLUICE_ASSIGN(part.sparse_shapes, node.OutputRange(Cat(prefix, "_sparse_shapes")));
    SLUICE_ASSIGN(part.dense_values, node.OutputRange(Cat(prefix, "_dense_values")));
    if (part.sparse_indices.size() != part.sparse_values.size()) {
      return InvalidArgument("len(", prefix, "_sparse_keys) != len(", prefix, "_sparse_types)");
    }
    return part;
  }

  absl::Status CreateRagged(const NodeSpec& node, absl::string_view prefix) {
    SLUICE_ASSIGN(const auto types,
                  node.Get<std::vector<DType>>(Cat(prefix, "_ragged_value_types")));
    SLUICE_ASSIGN(const auto splits,
                  node.Get<std::vector<DType>>(Cat(prefix, "_ragged_split_types")));
    if (types.size() != splits.size()) {
      return InvalidArgument("len(", prefix, "_ragged_value_types) != len(", prefix,
                             "_ragged_split_types)");
    }
    for (size_t i = 0; i < types.size(); ++i) {
      features.ragged.push_back({"", types[i], splits[i]});
    }
    SLUICE_ASSIGN(ragged_values, node.OutputRange(Cat(prefix, "_ragged_values")));
    return absl::OkStatus();
  }
};

void SetAll(KernelContext& ctx, Range range, std::vector<Tensor>& tensors) {
  for (int i = 0; i < range.size(); ++i) ctx.SetOutput(range.begin + i, std::move(tensors[i]));
}

void SetPart(KernelContext& ctx, const Part& part, ParsedFeatures& parsed) {
  SetAll(ctx, part.dense_values, parsed.dense);
  SetAll(ctx, part.sparse_indices, parsed.sparse_indices);
  SetAll(ctx, part.sparse_values, parsed.sparse_values);
  SetAll(ctx, part.sparse_shapes, parsed.sparse_shapes);
  SetAll(ctx, part.ragged_values, parsed.ragged_values);
}

// The attributes and outputs of both versions. Each version sets the keys.
struct SequenceOutputs {
  Part context, lists;
  Range names, defaults, lengths;
  Range context_splits, outer_splits, inner_splits;

  static absl::StatusOr<SequenceOutputs> Create(const NodeSpec& node) {
    SequenceOutputs out;
    SLUICE_ASSIGN(out.context, Part::Create(node, "context", "Tcontext_dense"));
    SLUICE_ASSIGN(out.lists, Part::Create(node, "feature_list", "feature_list_dense_types"));
    SLUICE_ASSIGN(out.names, node.InputRange("debug_name"));
    SLUICE_ASSIGN(out.defaults, node.InputRange("context_dense_defaults"));
    SLUICE_ASSIGN(out.lengths, node.OutputRange("feature_list_dense_lengths"));
    if (out.lengths.size() == out.lists.dense_values.size()) return out;
    return InvalidArgument("Nfeature_list_dense != len(feature_list_dense_types)");
  }

  absl::Status CreateRagged(const NodeSpec& node) {
    SLUICE_RETURN_IF_ERROR(context.CreateRagged(node, "context"));
    SLUICE_RETURN_IF_ERROR(lists.CreateRagged(node, "feature_list"));
    SLUICE_ASSIGN(context_splits, node.OutputRange("context_ragged_row_splits"));
    SLUICE_ASSIGN(outer_splits, node.OutputRange("feature_list_ragged_outer_splits"));
    SLUICE_ASSIGN(inner_splits, node.OutputRange("feature_list_ragged_inner_splits"));
    return absl::OkStatus();
  }

  absl::StatusOr<SequenceFeatures> Features(const KernelContext& ctx) const {
    if (ctx.input(0).rank() > 1) {
      return InvalidArgument("Expected serialized to be a scalar or vector, got shape: ",
                             ctx.input(0).shape());
    }
    SequenceFeatures features{context.features, lists.features};
    for (size_t i = 0; i < features.context.dense.size(); ++i) {
      DenseFeature& f = features.context.dense[i];
      f.default_value = ctx.input(defaults.begin + static_cast<int>(i));
      if (f.default_value.num_elements() == 0 || f.default_value.shape() == f.row) continue;
      return InvalidArgument("default_value[", i, "].shape() == ", f.default_value.shape(),
                             " != context_dense_shapes[", i, "] == ", f.shape);
    }
    return features;
  }

  absl::Status Parse(KernelContext& ctx, const SequenceFeatures& features) const {
    const Tensor& serialized = ctx.input(0);
    const auto make = [&](DType dtype, const Shape& shape) {
      return ctx.AllocateTemporary(dtype, shape);
    };
    SLUICE_ASSIGN(ParsedSequences parsed, ParseSequences(features, serialized.flat<std::string>(),
                                                         ctx.input(names.begin).flat<std::string>(),
                                                         serialized.rank() == 1, make));
    SetPart(ctx, context, parsed.context);
    SetPart(ctx, lists, parsed.lists);
    SetAll(ctx, lengths, parsed.list_lengths);
    SetAll(ctx, context_splits, parsed.context.ragged_splits);
    SetAll(ctx, outer_splits, parsed.list_outer_splits);
    SetAll(ctx, inner_splits, parsed.lists.ragged_splits);
    return absl::OkStatus();
  }
};

struct ParseSequenceExample {
  SequenceOutputs outputs;
  // By feature; of the context, then of the lists.
  std::vector<std::string> context_dense, context_sparse, list_dense, list_sparse;

  static absl::StatusOr<ParseSequenceExample> Create(const NodeSpec& node) {
    ParseSequenceExample k;
    SLUICE_ASSIGN(k.outputs, SequenceOutputs::Create(node));
    Part& context = k.outputs.context;
    Part& lists = k.outputs.lists;
    SLUICE_ASSIGN(k.context_dense, Keys(node, "context_dense_keys", context.features.dense.size()));
    SLUICE_ASSIGN(k.context_sparse,
                  Keys(node, "context_sparse_keys", context.features.sparse.size()));
    SLUICE_ASSIGN(k.list_dense, Keys(node, "feature_list_dense_keys", lists.features.dense.size()));
    SLUICE_ASSIGN(k.list_sparse,
                  Keys(node, "feature_list_sparse_keys", lists.features.sparse.size()));
    SLUICE_ASSIGN(const auto may_miss,
                  node.Get<std::vector<std::string>>("feature_list_dense_missing_assumed_empty"));
    for (size_t i = 0; i < k.list_dense.size(); ++i) {
      lists.features.dense[i].variable_length =
          std::find(may_miss.begin(), may_miss.end(), k.list_dense[i]) != may_miss.end();
    }
    return k;
  }

  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(SequenceFeatures features, outputs.Features(ctx));
    SetKeys(context_dense, features.context.dense);
    SetKeys(context_sparse, features.context.sparse);
    SetKeys(list_dense, features.lists.dense);
    SetKeys(list_sparse, features.lists.sparse);
    return outputs.Parse(ctx, features);
  }

 private:
  static absl::StatusOr<std::vector<std::string>> Keys(const NodeSpec& node, absl::string_view attr,
                                                       size_t count) {
    SLUICE_ASSIGN(auto keys, node.Get<std::vector<std::string>>(attr));
    if (keys.size() == count) return keys;
    return InvalidArgument("len(", attr, ") is ", keys.size(), ", but there are ", count, " types");
  }

  template <typename Feature>
  static void SetKeys(const std::vector<std::string>& keys, std::vector<Feature>& features) {
    for (size_t i = 0; i < features.size(); ++i) features[i].key = keys[i];
  }
};

struct ParseSequenceExampleV2 {
  SequenceOutputs outputs;

  static absl::StatusOr<ParseSequenceExampleV2> Create(const NodeSpec& node) {
    ParseSequenceExampleV2 k;
    SLUICE_ASSIGN(k.outputs, SequenceOutputs::Create(node));
    SLUICE_RETURN_IF_ERROR(k.outputs.CreateRagged(node));
    return k;
  }

  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(SequenceFeatures f, outputs.Features(ctx));
    ExampleFeatures& context = f.context;
    ExampleFeatures& lists = f.lists;
    SLUICE_RETURN_IF_ERROR(
        SetKeys(ctx.input(3), "context_dense_keys", "len(Tcontext_dense)", context.dense));
    SLUICE_RETURN_IF_ERROR(
        SetKeys(ctx.input(2), "context_sparse_keys", "Ncontext_sparse", context.sparse));
    SLUICE_RETURN_IF_ERROR(SetKeys(ctx.input(4), "context_ragged_keys",
                                   "len(context_ragged_value_types)", context.ragged));
    SLUICE_RETURN_IF_ERROR(
        SetKeys(ctx.input(6), "feature_list_dense_keys", "Nfeature_list_dense", lists.dense));
    const Tensor& may_miss = ctx.input(8);
    if (may_miss.num_elements() != static_cast<int64_t>(lists.dense.size())) {
      return InvalidArgument(
          "Expected len(feature_list_dense_missing_assumed_empty to match Nfeature_list_dense");
    }
    for (size_t i = 0; i < lists.dense.size(); ++i) {
      lists.dense[i].variable_length = may_miss.data<bool>()[i];
    }
    SLUICE_RETURN_IF_ERROR(
        SetKeys(ctx.input(5), "feature_list_sparse_keys", "Nfeature_list_sparse", lists.sparse));
    SLUICE_RETURN_IF_ERROR(SetKeys(ctx.input(7), "feature_list_ragged_keys",
                                   "len(feature_list_ragged_value_types)", lists.ragged));
    return outputs.Parse(ctx, f);
  }

 private:
  template <typename Feature>
  static absl::Status SetKeys(const Tensor& keys, absl::string_view name, absl::string_view count,
                              std::vector<Feature>& features) {
    if (keys.num_elements() != static_cast<int64_t>(features.size())) {
      return InvalidArgument("Expected len(", name, ") to match ", count);
    }
    for (size_t i = 0; i < features.size(); ++i) features[i].key = keys.data<std::string>()[i];
    return absl::OkStatus();
  }
};

}  // namespace

void RegisterParseSequenceExample(KernelRegistry& kernels) {
  kernels.Add<ParseSequenceExample>("ParseSequenceExample", kCpu);
  kernels.Add<ParseSequenceExampleV2>("ParseSequenceExampleV2", kCpu);
}

}  // namespace sluice::kernels
