// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/codec/codec.h"
#include "graph/functions.h"
#include "graph/import.h"
#include "proto/graph.pb.h"

namespace sluice::graph {
namespace {

std::string InputName(const Edge& edge) {
  if (edge.control()) return absl::StrCat("^", edge.src->name());
  return edge.src_output == 0 ? edge.src->name()
                              : absl::StrCat(edge.src->name(), ":", edge.src_output);
}

absl::Status ExportNode(const Node& node, proto::NodeDef* def) {
  def->set_name(node.name());
  def->set_op(node.op());
  def->set_device(node.device.empty() ? node.requested_device : node.device);
  for (int i = 0; i < node.num_inputs(); ++i) {
    if (const Edge* edge = node.input(i)) def->add_input(InputName(*edge));
  }
  const int data = def->input_size();
  for (const Edge* edge : node.in_edges()) {
    if (edge->control()) def->add_input(InputName(*edge));
  }
  std::sort(def->mutable_input()->begin() + data, def->mutable_input()->end());
  return Annotate(EncodeAttrs(node.attrs, def->mutable_attr()), node.Label());
}

}  // namespace

absl::Status Export(const Graph& graph, proto::GraphDef* def) {
  def->mutable_node()->Reserve(graph.num_nodes());
  for (const Node* node : graph.nodes()) SLUICE_RETURN_IF_ERROR(ExportNode(*node, def->add_node()));
  proto::VersionDef& versions = *def->mutable_versions();
  versions.set_producer(graph.producer_version);
  versions.set_min_consumer(graph.min_consumer);
  versions.mutable_bad_consumers()->Add(graph.bad_consumers.begin(), graph.bad_consumers.end());
  proto::FunctionDefLibrary library;
  AddReachable(graph, &library);
  if (library.function_size() > 0) *def->mutable_library() = std::move(library);
  return absl::OkStatus();
}

}  // namespace sluice::graph
