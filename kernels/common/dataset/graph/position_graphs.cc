// SPDX-License-Identifier: Apache-2.0
#include "kernels/common/dataset/graph/position_graphs.h"

#include <utility>

#include "absl/functional/function_ref.h"
#include "core/codec/codec.h"
#include "kernels/common/dataset/data_set.h"
#include "kernels/common/dataset/graph/data_set_graph.h"
#include "proto/graph.pb.h"

namespace sluice::kernels {
namespace {

constexpr absl::string_view kGraph = "sluice::DataSetGraph";  // its metadata is a GraphDef

// Replaces the objects for which `replacement` is not empty.
absl::StatusOr<std::vector<Tensor>> Replaced(
    std::vector<Tensor> values,
    absl::FunctionRef<absl::StatusOr<Variant>(const Variant&)> replacement) {
  for (Tensor& value : values) {
    if (value.dtype() != kVariant) continue;
    SLUICE_ASSIGN(Tensor changed, Tensor::Allocate(CpuAllocator(), kVariant, value.shape()));
    for (int64_t i = 0; i < value.num_elements(); ++i) {
      const Variant& old = value.data<Variant>()[i];
      SLUICE_ASSIGN(Variant made, replacement(old));
      changed.mutable_data<Variant>()[i] = made.empty() ? old : std::move(made);
    }
    value = std::move(changed);
  }
  return values;
}

}  // namespace

absl::StatusOr<std::vector<Tensor>> DataSetsToGraphs(std::vector<Tensor> values) {
  return Replaced(std::move(values), [](const Variant& object) -> absl::StatusOr<Variant> {
    const auto* set = object.get_if<DataSet>();
    if (set == nullptr || set->recipe() == nullptr) return Variant();
    SLUICE_ASSIGN(const DataSetGraph graph, DataSetGraph::Of(*set));
    proto::GraphDef def;
    SLUICE_RETURN_IF_ERROR(graph.Write(&def));
    SLUICE_ASSIGN(std::string bytes, Serialize(def));
    return Variant(MakeRefCounted<OpaqueVariant>(std::string(kGraph), std::move(bytes),
                                                 std::vector<Tensor>()));
  });
}

absl::StatusOr<std::vector<Tensor>> GraphsToDataSets(KernelContext& ctx, const std::string& device,
                                                     std::vector<Tensor> values) {
  return Replaced(std::move(values), [&](const Variant& object) -> absl::StatusOr<Variant> {
    const auto* graph = object.get_if<OpaqueVariant>();
    if (graph == nullptr || graph->type_name() != kGraph) return Variant();
    proto::GraphDef def;
    if (!def.ParseFromString(graph->metadata()))
      return InvalidArgument("the graph of a data set in the saved state is damaged");
    SLUICE_ASSIGN(RefPtr<const DataSet> made, RunGraph(ctx, device, std::move(def)));
    return Variant(std::move(made));
  });
}

}  // namespace sluice::kernels
