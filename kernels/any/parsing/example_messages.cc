// SPDX-License-Identifier: Apache-2.0
// ParseSingleSequenceExample and DecodeJSONExample, which use Protobuf's messages: TensorFlow
// accepts every encoding of the message here.
#include <google/protobuf/arena.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <google/protobuf/util/json_util.h>
#include <google/protobuf/util/type_resolver.h>
#include <google/protobuf/util/type_resolver_util.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <numeric>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "core/runtime/kernel_registry.h"
#include "core/threads/cancel_scope.h"
#include "kernels/any/parsing/register.h"
#include "kernels/common/parsing/each_element.h"
#include "proto/example.pb.h"

namespace sluice::kernels {
namespace {

using Range = NodeSpec::Range;
using FeatureTypes = TypeList<std::string, float, int64_t>;

// The values of a feature's list, if it is of that type.
template <typename T>
const auto& ValuesOf(const proto::Feature& feature) {
  if constexpr (std::is_same_v<T, std::string>) {
    return feature.bytes_list().value();
  } else if constexpr (std::is_same_v<T, float>) {
    return feature.float_list().value();
  } else {
    return feature.int64_list().value();
  }
}

bool Matches(const proto::Feature& feature, DType dtype) {
  switch (feature.kind_case()) {
    case proto::Feature::kBytesList:
      return dtype == kString;
    case proto::Feature::kFloatList:
      return dtype == kFloat;
    case proto::Feature::kInt64List:
      return dtype == kInt64;
    default:
      return false;
  }
}

// The features of one kind: their keys are inputs.
struct Keyed {
  Range keys;
  std::vector<DType> types;
  std::vector<Shape> shapes;  // of dense ones

  static absl::StatusOr<Keyed> Create(const NodeSpec& node, absl::string_view keys,
                                      absl::string_view types, absl::string_view shapes = "") {
    Keyed keyed;
    SLUICE_ASSIGN(keyed.keys, node.InputRange(keys));
    SLUICE_ASSIGN(keyed.types, node.Get<std::vector<DType>>(types));
    if (keyed.types.size() != static_cast<size_t>(keyed.keys.size())) {
      return InvalidArgument("len(", keys, ") != len(", types, ")");
    }
    if (shapes.empty()) return keyed;
    SLUICE_ASSIGN(const auto stated, node.Get<std::vector<PartialShape>>(shapes));
    if (stated.size() != keyed.types.size()) {
      return InvalidArgument("len(", keys, ") != len(", shapes, ")");
    }
    for (const PartialShape& shape : stated) {
      SLUICE_ASSIGN(Shape known, shape.ToShape());
      keyed.shapes.push_back(std::move(known));
    }
    return keyed;
  }

  absl::Status Check(const KernelContext& ctx, absl::string_view name) const {
    for (int i = 0; i < keys.size(); ++i) {
      const Tensor& key = ctx.input(keys.begin + i);
      if (key.rank() == 0) continue;
      return InvalidArgument("Expected ", name, "[", i,
                             "] to be a scalar, got shape: ", key.shape());
    }
    return absl::OkStatus();
  }

  int size() const { return keys.size(); }
  const std::string& Key(const KernelContext& ctx, int i) const {
    return ctx.input(keys.begin + i).scalar<std::string>();
  }
};

// Copies the values of a feature into row `row` of a tensor.
absl::Status CopyDense(const proto::Feature& feature, absl::string_view name, absl::string_view key,
                       DType dtype, const Shape& shape, int row, Tensor* to) {
  return VisitDType(FeatureTypes{}, dtype, [&]<typename T>(Type<T>) {
    const auto& values = ValuesOf<T>(feature);
    const int64_t size = shape.num_elements();
    if (values.size() != size) {
      const bool bytes = std::is_same_v<T, std::string>;
      return InvalidArgument("Name: ", name, bytes ? ", Key " : ", Key: ", key, ", Index: ", row,
                             ".  Number of ", bytes ? "bytes" : Name(dtype),
                             " values != expected.  ", bytes ? "Values" : "values",
                             " size: ", values.size(), " but output shape: ", shape);
    }
    std::copy(values.begin(), values.end(), to->mutable_data<T>() + row * size);
    return absl::OkStatus();
  });
}

struct ParseSingleSequenceExample {
  Keyed context_sparse, context_dense, list_sparse, list_dense;
  Range defaults, name;
  Range context_indices, context_values, context_shapes, context_outputs;
  Range list_indices, list_values, list_shapes, list_outputs;

  static absl::StatusOr<ParseSingleSequenceExample> Create(const NodeSpec& node) {
    ParseSingleSequenceExample k;
    SLUICE_ASSIGN(k.context_sparse,
                  Keyed::Create(node, "context_sparse_keys", "context_sparse_types"));
    SLUICE_ASSIGN(k.context_dense, Keyed::Create(node, "context_dense_keys", "Tcontext_dense",
                                                 "context_dense_shapes"));
    SLUICE_ASSIGN(k.list_sparse,
                  Keyed::Create(node, "feature_list_sparse_keys", "feature_list_sparse_types"));
    SLUICE_ASSIGN(k.list_dense,
                  Keyed::Create(node, "feature_list_dense_keys", "feature_list_dense_types",
                                "feature_list_dense_shapes"));
    SLUICE_ASSIGN(k.defaults, node.InputRange("context_dense_defaults"));
    SLUICE_ASSIGN(k.name, node.InputRange("debug_name"));
    SLUICE_ASSIGN(k.context_indices, node.OutputRange("context_sparse_indices"));
    SLUICE_ASSIGN(k.context_values, node.OutputRange("context_sparse_values"));
    SLUICE_ASSIGN(k.context_shapes, node.OutputRange("context_sparse_shapes"));
    SLUICE_ASSIGN(k.context_outputs, node.OutputRange("context_dense_values"));
    SLUICE_ASSIGN(k.list_indices, node.OutputRange("feature_list_sparse_indices"));
    SLUICE_ASSIGN(k.list_values, node.OutputRange("feature_list_sparse_values"));
    SLUICE_ASSIGN(k.list_shapes, node.OutputRange("feature_list_sparse_shapes"));
    SLUICE_ASSIGN(k.list_outputs, node.OutputRange("feature_list_dense_values"));
    return k;
  }

  absl::Status Run(KernelContext& ctx) const {
    SLUICE_RETURN_IF_ERROR(CheckInputs(ctx));
    const std::string& serialized = ctx.input(0).scalar<std::string>();
    google::protobuf::Arena arena;
    auto* example = google::protobuf::Arena::CreateMessage<proto::SequenceExample>(&arena);
    if (!example->ParseFromString(serialized)) {
      return InvalidArgument("Could not parse example input, value: '", serialized, "'");
    }
    SLUICE_RETURN_IF_ERROR(ContextDense(ctx, *example));
    SLUICE_RETURN_IF_ERROR(ContextSparse(ctx, *example));
    SLUICE_RETURN_IF_ERROR(ListDense(ctx, *example));
    return ListSparse(ctx, *example);
  }

 private:
  absl::Status CheckInputs(const KernelContext& ctx) const {
    SLUICE_RETURN_IF_ERROR(context_dense.Check(ctx, "context_dense_keys"));
    SLUICE_RETURN_IF_ERROR(context_sparse.Check(ctx, "context_sparse_keys"));
    SLUICE_RETURN_IF_ERROR(list_dense.Check(ctx, "feature_list_dense_keys"));
    SLUICE_RETURN_IF_ERROR(list_sparse.Check(ctx, "feature_list_sparse_keys"));
    if (ctx.input(1).rank() != 1) {
      return InvalidArgument(
          "Expected feature_list_dense_missing_assumed_empty to be a vector, got shape: ",
          ctx.input(1).shape());
    }
    const Tensor& debug_name = ctx.input(name.begin);
    if (debug_name.num_elements() > 0 && debug_name.rank() != 0) {
      return InvalidArgument("Expected debug_name to be a scalar, got shape: ", debug_name.shape());
    }
    if (ctx.input(0).rank() != 0) {
      return InvalidArgument("Expected serialized to be a scalar, got shape: ",
                             ctx.input(0).shape());
    }
    for (int i = 0; i < defaults.size(); ++i) {
      const Tensor& value = ctx.input(defaults.begin + i);
      if (value.num_elements() == 0 || value.shape() == context_dense.shapes[i]) continue;
      return InvalidArgument("def_value[", i, "].shape() == ", value.shape(),
                             " != context_dense_shapes_[", i, "] == ", context_dense.shapes[i]);
    }
    return absl::OkStatus();
  }

  std::string NameOf(const KernelContext& ctx) const {
    const Tensor& given = ctx.input(name.begin);
    return given.num_elements() == 0 ? "<unknown>" : given.scalar<std::string>();
  }

  absl::Status Mismatch(const KernelContext& ctx, absl::string_view what, DType dtype,
                        const proto::Feature& feature) const {
    return InvalidArgument("Name: ", NameOf(ctx), ", ", what,
                           ".  Data types don't match. Expected type: ", dtype,
                           "  Feature is: ", feature.DebugString());
  }

  absl::Status ContextDense(KernelContext& ctx, const proto::SequenceExample& example) const {
    const auto& features = example.context().feature();
    for (int i = 0; i < context_dense.size(); ++i) {
      const std::string& key = context_dense.Key(ctx, i);
      const DType dtype = context_dense.types[i];
      const Tensor& given = ctx.input(defaults.begin + i);
      const auto found = features.find(key);
      if (found == features.end()) {
        if (given.num_elements() == 0) {
          return InvalidArgument("Name: ", NameOf(ctx), ", Context feature '", key,
                                 "' is required but could not be found.");
        }
        ctx.SetOutput(context_outputs.begin + i, given);
        continue;
      }
      if (!Matches(found->second, dtype)) {
        return Mismatch(ctx, Cat("Context feature: ", key), dtype, found->second);
      }
      const Shape& shape = context_dense.shapes[i];
      SLUICE_ASSIGN(Tensor * to, ctx.AllocateOutput(context_outputs.begin + i, shape));
      SLUICE_RETURN_IF_ERROR(CopyDense(found->second, NameOf(ctx), key, dtype, shape, 0, to));
    }
    return absl::OkStatus();
  }

  absl::Status ContextSparse(KernelContext& ctx, const proto::SequenceExample& example) const {
    const auto& features = example.context().feature();
    for (int i = 0; i < context_sparse.size(); ++i) {
      const std::string& key = context_sparse.Key(ctx, i);
      const DType dtype = context_sparse.types[i];
      const auto found = features.find(key);
      const proto::Feature& feature =
          found == features.end() ? proto::Feature::default_instance() : found->second;
      if (feature.kind_case() != proto::Feature::KIND_NOT_SET && !Matches(feature, dtype)) {
        return Mismatch(ctx, Cat("Context feature: ", key), dtype, feature);
      }
      SLUICE_RETURN_IF_ERROR(VisitDType(FeatureTypes{}, dtype, [&]<typename T>(Type<T>) {
        const auto& values = ValuesOf<T>(feature);
        const int64_t n = values.size();
        SLUICE_ASSIGN(Tensor * to, ctx.AllocateOutput(context_values.begin + i, {n}));
        SLUICE_ASSIGN(Tensor * indices, ctx.AllocateOutput(context_indices.begin + i, {n, 1}));
        SLUICE_ASSIGN(Tensor * shape, ctx.AllocateOutput(context_shapes.begin + i, {1}));
        std::copy(values.begin(), values.end(), to->mutable_data<T>());
        const auto numbers = indices->mutable_flat<int64_t>();
        std::iota(numbers.begin(), numbers.end(), 0);
        *shape->mutable_data<int64_t>() = n;
        return absl::OkStatus();
      }));
    }
    return absl::OkStatus();
  }

  absl::Status ListDense(KernelContext& ctx, const proto::SequenceExample& example) const {
    const auto& lists = example.feature_lists().feature_list();
    const auto may_miss = ctx.input(1).flat<std::string>();
    for (int i = 0; i < list_dense.size(); ++i) {
      const std::string& key = list_dense.Key(ctx, i);
      const DType dtype = list_dense.types[i];
      const auto found = lists.find(key);
      if (found == lists.end() &&
          std::find(may_miss.begin(), may_miss.end(), key) == may_miss.end()) {
        return InvalidArgument("Name: ", NameOf(ctx), ", Feature list '", key,
                               "' is required but could not be found.  Did you mean to include "
                               "it in feature_list_dense_missing_assumed_empty or "
                               "feature_list_dense_defaults?");
      }
      const proto::FeatureList& list =
          found == lists.end() ? proto::FeatureList::default_instance() : found->second;
      const Shape& row = list_dense.shapes[i];
      Shape::Dims dims{list.feature_size()};
      dims.insert(dims.end(), row.dims().begin(), row.dims().end());
      SLUICE_ASSIGN(const Shape shape, Shape::Create(dims));
      SLUICE_ASSIGN(Tensor * to, ctx.AllocateOutput(list_outputs.begin + i, shape));
      for (int t = 0; t < list.feature_size(); ++t) {
        const proto::Feature& feature = list.feature(t);
        if (!Matches(feature, dtype)) {
          return Mismatch(ctx, Cat("Feature list: ", key, ", Index: ", t), dtype, feature);
        }
        SLUICE_RETURN_IF_ERROR(CopyDense(feature, NameOf(ctx), key, dtype, row, t, to));
      }
    }
    return absl::OkStatus();
  }

  absl::Status ListSparse(KernelContext& ctx, const proto::SequenceExample& example) const {
    const auto& lists = example.feature_lists().feature_list();
    for (int i = 0; i < list_sparse.size(); ++i) {
      const std::string& key = list_sparse.Key(ctx, i);
      const DType dtype = list_sparse.types[i];
      const auto found = lists.find(key);
      const proto::FeatureList& list =
          found == lists.end() ? proto::FeatureList::default_instance() : found->second;
      for (int t = 0; t < list.feature_size(); ++t) {
        const proto::Feature& feature = list.feature(t);
        if (feature.kind_case() == proto::Feature::KIND_NOT_SET || Matches(feature, dtype)) {
          continue;
        }
        return Mismatch(ctx, Cat("Feature List: ", key, ", Index: ", t), dtype, feature);
      }
      SLUICE_RETURN_IF_ERROR(VisitDType(FeatureTypes{}, dtype, [&]<typename T>(Type<T>) {
        return CopySparseList<T>(ctx, list, i);
      }));
    }
    return absl::OkStatus();
  }

  template <typename T>
  absl::Status CopySparseList(KernelContext& ctx, const proto::FeatureList& list, int i) const {
    int64_t total = 0, most = 0;
    for (const proto::Feature& feature : list.feature()) {
      const int64_t n = ValuesOf<T>(feature).size();
      total += n;
      most = std::max(most, n);
    }
    SLUICE_ASSIGN(Tensor * values, ctx.AllocateOutput(list_values.begin + i, {total}));
    SLUICE_ASSIGN(Tensor * indices, ctx.AllocateOutput(list_indices.begin + i, {total, 2}));
    SLUICE_ASSIGN(Tensor * shape, ctx.AllocateOutput(list_shapes.begin + i, {2}));
    shape->mutable_data<int64_t>()[0] = list.feature_size();
    shape->mutable_data<int64_t>()[1] = most;
    T* to = values->mutable_data<T>();
    int64_t* index = indices->mutable_data<int64_t>();
    for (int t = 0; t < list.feature_size(); ++t) {
      const auto& from = ValuesOf<T>(list.feature(t));
      to = std::copy(from.begin(), from.end(), to);
      for (int64_t j = 0; j < from.size(); ++j) {
        *index++ = t;
        *index++ = j;
      }
    }
    return absl::OkStatus();
  }
};

// A text in blocks. It ends early if the step is cancelled. Protobuf joins the blocks of one value
// again and again, so long texts have longer blocks.
class TextInBlocks final : public google::protobuf::io::ZeroCopyInputStream {
 public:
  explicit TextInBlocks(const std::string& text)
      : blocks_(text.data(), static_cast<int>(text.size()),
                std::max(kBlock, static_cast<int>(text.size() / 64))) {}
  bool Next(const void** data, int* size) override {
    return !CancelScope::Cancelled() && blocks_.Next(data, size);
  }
  void BackUp(int count) override { blocks_.BackUp(count); }
  bool Skip(int count) override { return blocks_.Skip(count); }
  int64_t ByteCount() const override { return blocks_.ByteCount(); }

 private:
  static constexpr int kBlock = 4 << 20;

  google::protobuf::io::ArrayInputStream blocks_;
};

struct DecodeJsonExample {
  std::shared_ptr<google::protobuf::util::TypeResolver> types;

  static absl::StatusOr<DecodeJsonExample> Create(const NodeSpec&) {
    return DecodeJsonExample{std::shared_ptr<google::protobuf::util::TypeResolver>(
        google::protobuf::util::NewTypeResolverForDescriptorPool(
            "type.googleapis.com", google::protobuf::DescriptorPool::generated_pool()))};
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor& texts = ctx.input(0);
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, texts.shape()));
    constexpr double kCost = 10e3;  // ns of a small text
    return EachElement(ctx.pool(), texts.num_elements(), kCost, [&] {
      return [&](int64_t i) {
        return Decode(texts.data<std::string>()[i], &out->mutable_data<std::string>()[i]);
      };
    });
  }

 private:
  absl::Status Decode(const std::string& text, std::string* to) const {
    if (text.size() > std::numeric_limits<int>::max()) {
      return InvalidArgument("Error while parsing JSON: the text is too long");
    }
    TextInBlocks in(text);
    google::protobuf::io::StringOutputStream out(to);
    const auto status = google::protobuf::util::JsonToBinaryStream(
        types.get(), "type.googleapis.com/sluice.proto.Example", &in, &out);
    ThrowIfCancelled();
    if (status.ok()) return absl::OkStatus();
    const absl::string_view why(status.message().data(), status.message().size());
    return InvalidArgument("Error while parsing JSON: ", why);
  }
};

}  // namespace

void RegisterExampleMessages(KernelRegistry& kernels) {
  kernels.Add<DecodeJsonExample>("DecodeJSONExample", kCpu);
  kernels.Add<ParseSingleSequenceExample>("ParseSingleSequenceExample", kCpu);
}

}  // namespace sluice::kernels
