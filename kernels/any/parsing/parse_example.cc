// SPDX-License-Identifier: Apache-2.0
// ParseExample, ParseExampleV2, ParseSingleExample.
#include <utility>

#include "core/runtime/kernel_registry.h"
#include "kernels/any/parsing/register.h"
#include "kernels/common/parsing/example_parser.h"

namespace sluice::kernels {
namespace {

using Range = NodeSpec::Range;

// The attributes and outputs that the three ops share.
struct ExampleOutputs {
  std::vector<DenseFeature> dense;  // without keys and default values
  std::vector<DType> sparse_types;
  std::vector<DType> ragged_types, splits_types;
  Range defaults;
  Range sparse_indices, sparse_values, sparse_shapes, dense_values, ragged_values, ragged_splits;

  static absl::StatusOr<ExampleOutputs> Create(const NodeSpec& node) {
    ExampleOutputs out;
    SLUICE_ASSIGN(out.sparse_types, node.Get<std::vector<DType>>("sparse_types"));
    SLUICE_ASSIGN(const auto dense_types, node.Get<std::vector<DType>>("Tdense"));
    SLUICE_ASSIGN(const auto shapes, node.Get<std::vector<PartialShape>>("dense_shapes"));
    if (dense_types.size() != shapes.size()) {
      return InvalidArgument("len(dense_keys) != len(dense_shapes)");
    }
    out.dense.resize(shapes.size());
    for (size_t i = 0; i < shapes.size(); ++i) {
      out.dense[i].dtype = dense_types[i];
      SLUICE_RETURN_IF_ERROR(SetShape(shapes[i], i, &out.dense[i]));
    }
    SLUICE_ASSIGN(out.defaults, node.InputRange("dense_defaults"));
    SLUICE_ASSIGN(out.sparse_indices, node.OutputRange("sparse_indices"));
    SLUICE_ASSIGN(out.sparse_values, node.OutputRange("sparse_values"));
    SLUICE_ASSIGN(out.sparse_shapes, node.OutputRange("sparse_shapes"));
    SLUICE_ASSIGN(out.dense_values, node.OutputRange("dense_values"));
    if (out.sparse_indices.size() != out.sparse_values.size()) {
      return InvalidArgument("len(sparse_keys) != len(sparse_types)");
    }
    return out;
  }

  absl::Status CreateRagged(const NodeSpec& node) {
    SLUICE_ASSIGN(ragged_types, node.Get<std::vector<DType>>("ragged_value_types"));
    SLUICE_ASSIGN(splits_types, node.Get<std::vector<DType>>("ragged_split_types"));
    SLUICE_ASSIGN(ragged_values, node.OutputRange("ragged_values"));
    SLUICE_ASSIGN(ragged_splits, node.OutputRange("ragged_row_splits"));
    if (ragged_types.size() == splits_types.size()) return absl::OkStatus();
    return InvalidArgument("len(ragged_value_types) != len(ragged_split_types)");
  }

  // The features without their keys.
  absl::StatusOr<ExampleFeatures> Features(const KernelContext& ctx) const {
    ExampleFeatures features;
    features.dense = dense;
    for (size_t i = 0; i < dense.size(); ++i) {
      DenseFeature& f = features.dense[i];
      f.default_value = ctx.input(defaults.begin + static_cast<int>(i));
      SLUICE_RETURN_IF_ERROR(CheckDefault(f, i));
    }
    for (const DType dtype : sparse_types) features.sparse.push_back({"", dtype});
    for (size_t i = 0; i < ragged_types.size(); ++i) {
      features.ragged.push_back({"", ragged_types[i], splits_types[i]});
    }
    return features;
  }

  void Set(KernelContext& ctx, ParsedFeatures parsed) const {
    const auto set = [&](Range range, std::vector<Tensor>& tensors) {
      for (int i = 0; i < range.size(); ++i) {
        ctx.SetOutput(range.begin + i, std::move(tensors[i]));
      }
    };
    set(dense_values, parsed.dense);
    set(sparse_indices, parsed.sparse_indices);
    set(sparse_values, parsed.sparse_values);
    set(sparse_shapes, parsed.sparse_shapes);
    set(ragged_values, parsed.ragged_values);
    set(ragged_splits, parsed.ragged_splits);
  }
};

absl::Status ParseInto(KernelContext& ctx, const ExampleFeatures& features,
                       const ExampleOutputs& outputs, const Tensor& serialized,
                       const Tensor& names) {
  const auto make = [&](DType dtype, const Shape& shape) {
    return ctx.AllocateTemporary(dtype, shape);
  };
  absl::StatusOr<ParsedFeatures> parsed;
  if (serialized.rank() == 0) {
    parsed = ParseOneExample(features, serialized.scalar<std::string>(), make);
  } else {
    parsed = ParseExamples(features, serialized.flat<std::string>(), names.flat<std::string>(),
                           ctx.pool(), make);
  }
  if (!parsed.ok()) return parsed.status();
  outputs.Set(ctx, *std::move(parsed));
  return absl::OkStatus();
}

absl::Status CheckNames(const Tensor& serialized, const Tensor& names) {
  if (names.num_elements() == 0 || names.shape() == serialized.shape()) return absl::OkStatus();
  return InvalidArgument("Expected names have the same shape as serialized: name.shape=",
                         names.shape(), ", serialized.shape=", serialized.shape());
}

struct ParseExample {
  ExampleOutputs outputs;
  Range sparse_keys, dense_keys;

  static absl::StatusOr<ParseExample> Create(const NodeSpec& node) {
    ParseExample kernel;
    SLUICE_ASSIGN(kernel.outputs, ExampleOutputs::Create(node));
    SLUICE_ASSIGN(kernel.sparse_keys, node.InputRange("sparse_keys"));
    SLUICE_ASSIGN(kernel.dense_keys, node.InputRange("dense_keys"));
    if (kernel.dense_keys.size() == kernel.outputs.defaults.size()) return kernel;
    return InvalidArgument("len(dense_keys) != len(dense_types)");
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor& serialized = ctx.input(0);
    const Tensor& names = ctx.input(1);
    if (serialized.rank() != 1) {
      return InvalidArgument("Expected serialized to be a vector, got shape: ", serialized.shape());
    }
    SLUICE_RETURN_IF_ERROR(CheckNames(serialized, names));
    SLUICE_ASSIGN(ExampleFeatures features, outputs.Features(ctx));
    for (size_t i = 0; i < features.dense.size(); ++i) {
      SLUICE_ASSIGN(features.dense[i].key, Key(ctx, dense_keys, static_cast<int>(i)));
    }
    for (size_t i = 0; i < features.sparse.size(); ++i) {
      SLUICE_ASSIGN(features.sparse[i].key, Key(ctx, sparse_keys, static_cast<int>(i)));
    }
    return ParseInto(ctx, features, outputs, serialized, names);
  }

 private:
  static absl::StatusOr<absl::string_view> Key(const KernelContext& ctx, Range range, int i) {
    const Tensor& key = ctx.input(range.begin + i);
    if (key.num_elements() == 1) return key.scalar<std::string>();
    return InvalidArgument("a key must be a scalar, got shape: ", key.shape());
  }
};

struct ParseExampleV2 {
  ExampleOutputs outputs;

  static absl::StatusOr<ParseExampleV2> Create(const NodeSpec& node) {
    ParseExampleV2 kernel;
    SLUICE_ASSIGN(kernel.outputs, ExampleOutputs::Create(node));
    SLUICE_RETURN_IF_ERROR(kernel.outputs.CreateRagged(node));
    return kernel;
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor& serialized = ctx.input(0);
    const Tensor& names = ctx.input(1);
    if (serialized.rank() > 1) {
      return InvalidArgument("Expected serialized to be a scalar or vector, got shape: ",
                             serialized.shape());
    }
    SLUICE_RETURN_IF_ERROR(CheckNames(serialized, names));
    const Tensor& sparse = ctx.input(2);
    const Tensor& dense = ctx.input(3);
    const Tensor& ragged = ctx.input(4);
    SLUICE_RETURN_IF_ERROR(
        CheckCount(dense, outputs.dense.size(), "len(dense_keys) == len(dense_types)"));
    SLUICE_RETURN_IF_ERROR(
        CheckCount(sparse, outputs.sparse_types.size(), "len(sparse_keys) == num_sparse"));
    SLUICE_RETURN_IF_ERROR(CheckCount(ragged, outputs.ragged_types.size(),
                                      "len(ragged_keys) == len(ragged_value_types)"));
    SLUICE_ASSIGN(ExampleFeatures features, outputs.Features(ctx));
    SetKeys(dense, features.dense);
    SetKeys(sparse, features.sparse);
    SetKeys(ragged, features.ragged);
    return ParseInto(ctx, features, outputs, serialized, names);
  }

 private:
  static absl::Status CheckCount(const Tensor& keys, size_t count, absl::string_view rule) {
    if (keys.num_elements() == static_cast<int64_t>(count)) return absl::OkStatus();
    return InvalidArgument("Expected ", rule, " but got: ", keys.num_elements(), " vs. ", count);
  }

  template <typename Feature>
  static void SetKeys(const Tensor& keys, std::vector<Feature>& features) {
    for (size_t i = 0; i < features.size(); ++i) features[i].key = keys.data<std::string>()[i];
  }
};

struct ParseSingleExample {
  ExampleOutputs outputs;
  std::vector<std::string> sparse_keys, dense_keys;

  static absl::StatusOr<ParseSingleExample> Create(const NodeSpec& node) {
    ParseSingleExample kernel;
    SLUICE_ASSIGN(kernel.outputs, ExampleOutputs::Create(node));
    SLUICE_ASSIGN(kernel.sparse_keys, node.Get<std::vector<std::string>>("sparse_keys"));
    SLUICE_ASSIGN(kernel.dense_keys, node.Get<std::vector<std::string>>("dense_keys"));
    if (kernel.sparse_keys.size() != kernel.outputs.sparse_types.size()) {
      return InvalidArgument("len(sparse_keys) != len(sparse_types)");
    }
    if (kernel.dense_keys.size() == kernel.outputs.dense.size()) return kernel;
    return InvalidArgument("len(dense_keys) != len(dense_types)");
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor& serialized = ctx.input(0);
    if (serialized.rank() != 0) {
      return InvalidArgument("Expected serialized to be a scalar, got shape: ", serialized.shape());
    }
    SLUICE_ASSIGN(ExampleFeatures features, outputs.Features(ctx));
    for (size_t i = 0; i < dense_keys.size(); ++i) features.dense[i].key = dense_keys[i];
    for (size_t i = 0; i < sparse_keys.size(); ++i) features.sparse[i].key = sparse_keys[i];
    return ParseInto(ctx, features, outputs, serialized, Tensor(kString, Shape{0}));
  }
};

}  // namespace

void RegisterParseExample(KernelRegistry& kernels) {
  kernels.Add<ParseExample>("ParseExample", kCpu);
  kernels.Add<ParseExampleV2>("ParseExampleV2", kCpu);
  kernels.Add<ParseSingleExample>("ParseSingleExample", kCpu);
}

}  // namespace sluice::kernels
