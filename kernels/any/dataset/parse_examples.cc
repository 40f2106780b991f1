// SPDX-License-Identifier: Apache-2.0
// Data sets of the features in batches of serialised Examples.
#include <atomic>
#include <map>

#include "core/runtime/kernel_registry.h"
#include "kernels/any/dataset/register.h"
#include "kernels/any/ragged/ragged.h"
#include "kernels/common/dataset/ahead.h"
#include "kernels/common/dataset/stats_sink.h"
#include "kernels/common/parsing/example_parser.h"
#include "kernels/common/tensor_variant.h"

namespace sluice::kernels {
namespace {

using Input = RefPtr<const DataSet>;
using Keys = std::vector<std::string>;

// The keys of the features, by kind.
struct FeatureKeys {
  Keys dense, sparse, ragged;
};

// ParseExampleDataset: the components are the features, sorted by key. A sparse one is a vector of
// three variants, a ragged one a variant. It has no state of its own.
class ParsedExamples final : public DataSet {
 public:
  // `features` without keys.
  ParsedExamples(ElementSpec spec, Input input, FeatureKeys keys, ExampleFeatures features,
                 const AheadOptions& options)
      : DataSet(std::move(spec)),
        input_(std::move(input)),
        keys_(std::move(keys)),
        features_(std::move(features)),
        options_(options) {
    SetKeys(keys_.dense, features_.dense);
    SetKeys(keys_.sparse, features_.sparse);
    SetKeys(keys_.ragged, features_.ragged);
    size_t next = 0;
    for (auto& [key, component] : component_of_) component = next++;
  }
  int64_t Cardinality() const override { return input_->Cardinality(); }
  size_t components() const { return component_of_.size(); }
  absl::StatusOr<std::unique_ptr<Stage>> BeginAt(const Running& running) const override {
    SLUICE_ASSIGN(auto input, input_->Begin(running));
    const StageStats stats(running.stats, running.name);
    return WorkAhead(std::make_unique<Parsing>(*this, std::move(input), stats), options_, running);
  }

 private:
  class Parsing final : public Work {
   public:
    Parsing(const ParsedExamples& set, std::unique_ptr<Stage> input, const StageStats& stats)
        : Work(std::move(input)), set_(set), stats_(stats) {}
    absl::StatusOr<bool> Make(Element& element) const override {
      const Tensor serialized = std::move(element[0]);
      if (serialized.rank() != 1) {
        return InvalidArgument("Expected serialized to be a vector, got shape: ",
                               serialized.shape());
      }
      const auto make = [](DType dtype, const Shape& shape) {
        return Tensor::Allocate(CpuAllocator(), dtype, shape);
      };
      std::vector<ExampleCounts> counts;
      SLUICE_ASSIGN(ParsedFeatures parsed,
                    ParseExamples(set_.features_, serialized.flat<std::string>(), {}, nullptr, make,
                                  stats_ ? &counts : nullptr));
      if (stats_) Record(counts);
      return set_.Arrange(std::move(parsed), element);
    }

   private:
    void Record(const std::vector<ExampleCounts>& counts) const {
      const int64_t number = parsed_.fetch_add(1, std::memory_order_relaxed);
      for (const ExampleCounts& example : counts) {
        stats_.Add("features_count", static_cast<double>(example.features), number);
        stats_.Add("feature_values_count", static_cast<double>(example.values), number);
      }
    }

    const ParsedExamples& set_;
    const StageStats stats_;
    mutable std::atomic<int64_t> parsed_{0};  // elements, if the stage has statistics
  };

  template <typename Feature>
  void SetKeys(const Keys& keys, std::vector<Feature>& features) {
    for (size_t i = 0; i < keys.size(); ++i) {
      features[i].key = keys[i];
      component_of_[keys[i]] = 0;
    }
  }
  Tensor& Component(Element& element, const std::string& key) const {
    return element[component_of_.find(key)->second];
  }

  absl::StatusOr<bool> Arrange(ParsedFeatures parsed, Element& element) const {
    element.assign(component_of_.size(), Tensor());
    for (size_t i = 0; i < keys_.dense.size(); ++i)
      Component(element, keys_.dense[i]) = std::move(parsed.dense[i]);
    for (size_t i = 0; i < keys_.sparse.size(); ++i) {
      Tensor parts(kVariant, Shape{3});
      const Tensor* const from[] = {&parsed.sparse_indices[i], &parsed.sparse_values[i],
                                    &parsed.sparse_shapes[i]};
      for (size_t part = 0; part < 3; ++part) {
        SLUICE_ASSIGN(parts.mutable_data<Variant>()[part], VariantOf(*from[part]));
      }
      Component(element, keys_.sparse[i]) = std::move(parts);
    }
    for (size_t i = 0; i < keys_.ragged.size(); ++i) {
      Component(element, keys_.ragged[i]) =
          Tensor::Scalar<Variant>(Variant(MakeRefCounted<RaggedVariant>(
              std::vector<Tensor>{parsed.ragged_splits[i]}, parsed.ragged_values[i])));
    }
    return true;
  }

  const Input input_;
  const FeatureKeys keys_;
  ExampleFeatures features_;
  const AheadOptions options_;
  std::map<std::string, size_t> component_of_;  // by key
};

struct ParseExampleDataset {
  ElementSpec spec;
  FeatureKeys keys;
  ExampleFeatures features;  // without keys and default values
  NodeSpec::Range defaults;
  Order order;

  static absl::StatusOr<ParseExampleDataset> Create(const NodeSpec& node) {
    ParseExampleDataset made;
    SLUICE_ASSIGN(made.spec, ElementSpec::Create(node));
    SLUICE_ASSIGN(made.keys.dense, node.Get<Keys>("dense_keys"));
    SLUICE_ASSIGN(made.keys.sparse, node.Get<Keys>("sparse_keys"));
    SLUICE_ASSIGN(const auto types, node.Get<std::vector<DType>>("Tdense"));
    SLUICE_ASSIGN(const auto shapes, node.Get<std::vector<PartialShape>>("dense_shapes"));
    SLUICE_ASSIGN(const auto sparse_types, node.Get<std::vector<DType>>("sparse_types"));
    made.keys.ragged = GetAttrOr<Keys>(node.attrs, "ragged_keys", {});
    const auto ragged_types = GetAttrOr<std::vector<DType>>(node.attrs, "ragged_value_types", {});
    const auto splits_types = GetAttrOr<std::vector<DType>>(node.attrs, "ragged_split_types", {});
    if (types.size() != made.keys.dense.size() || shapes.size() != types.size()) {
      return InvalidArgument("dense_keys, Tdense and dense_shapes must be of one length");
    }
    if (sparse_types.size() != made.keys.sparse.size()) {
      return InvalidArgument("sparse_keys and sparse_types must be of one length");
    }
    if (ragged_types.size() != made.keys.ragged.size() ||
        splits_types.size() != ragged_types.size()) {
      return InvalidArgument(
          "ragged_keys, ragged_value_types and ragged_split_types must be of one length");
    }
    made.features.dense.resize(types.size());
    for (size_t i = 0; i < types.size(); ++i) {
      made.features.dense[i].dtype = types[i];
      SLUICE_RETURN_IF_ERROR(SetShape(shapes[i], i, &made.features.dense[i]));
    }
    for (const DType dtype : sparse_types) made.features.sparse.push_back({"", dtype});
    for (size_t i = 0; i < ragged_types.size(); ++i)
      made.features.ragged.push_back({"", ragged_types[i], splits_types[i]});
    SLUICE_ASSIGN(made.defaults, node.InputRange("dense_defaults"));
    made.order = OrderOf(node);
    return made;
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(Input input, DataSetInput(ctx, 0));
    if (input->spec().types != std::vector<DType>{kString}) {
      return InvalidArgument("the input of a data set of Examples must be vectors of strings");
    }
    AheadOptions options;
    SLUICE_ASSIGN(options.workers, CallsInput(ctx, 1));
    options.elements = options.workers;
    options.all_cpus = IsAutotuned(ctx, 1);
    options.order = order;
    options.stats = AheadStats::kCalls;
    ExampleFeatures with_defaults = features;
    SLUICE_ASSIGN(const Element values, KeptInputs(ctx, defaults));
    for (size_t i = 0; i < values.size(); ++i) {
      with_defaults.dense[i].default_value = values[i];
      SLUICE_RETURN_IF_ERROR(CheckDefault(with_defaults.dense[i], i));
    }
    auto set = MakeRefCounted<ParsedExamples>(spec, std::move(input), keys,
                                              std::move(with_defaults), options);
    if (set->components() != spec.types.size()) {
      return InvalidArgument("the data set has ", spec.types.size(), " components, but ",
                             set->components(), " features are parsed");
    }
    SetDataSet(ctx, std::move(set));
    return absl::OkStatus();
  }
};

}  // namespace

void RegisterParseExamples(KernelRegistry& kernels) {
  for (auto op :
       {"ParseExampleDataset", "ParseExampleDatasetV2", "ExperimentalParseExampleDataset"})
    kernels.Add<ParseExampleDataset>(op, kCpu);
}

}  // namespace sluice::kernels
