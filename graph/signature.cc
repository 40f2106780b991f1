// SPDX-License-Identifier: Apache-2.0
#include "graph/signature.h"

#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "graph/import.h"
#include "graph/lowered_output.h"

namespace sluice::graph {
namespace {

using Output = std::pair<Node*, int>;

class Rewrite {
 public:
  Rewrite(const Signature& signature, const std::string& client_device, Graph& graph)
      : signature_(signature), client_device_(client_device), graph_(graph) {}

  absl::Status Run() {
    if (signature_.fetches.empty() && signature_.targets.empty()) {
      return InvalidArgument("Must specify at least one target to fetch or execute.");
    }
    SLUICE_RETURN_IF_ERROR(FindFeeds());
    SLUICE_RETURN_IF_ERROR(AddFetches());
    SLUICE_RETURN_IF_ERROR(FindTargets());
    Prune(roots_, graph_);
    return CheckFedRefs();
  }

 private:
  absl::Status FindFeeds() {
    // All are found before the first is rewired, because two feeds may be outputs of one node.
    std::vector<Output> fed;
    for (size_t i = 0; i < signature_.feeds.size(); ++i) {
      const std::string& feed = signature_.feeds[i];
      SLUICE_ASSIGN(TensorName name, ParseTensorName(feed));
      Node* node = graph_.Find(name.node);
      if (node == nullptr) return NotFound("FeedInputs: unable to find feed output ", feed);
      if (name.output < 0 || name.output >= node->num_outputs()) {
        return InvalidArgument("FeedInputs: ", feed, " should have output index < ",
                               node->num_outputs());
      }
      if (!fed_.try_emplace({node, name.output}, nullptr).second)
        return InvalidArgument("Duplicated feed: ", feed);
      fed.emplace_back(node, name.output);
    }
    for (size_t i = 0; i < fed.size(); ++i)
      SLUICE_RETURN_IF_ERROR(AddArg(fed[i], static_cast<int64_t>(i)));
    return absl::OkStatus();
  }

  absl::Status AddArg(Output fed, int64_t index) {
    auto [node, output] = fed;
    SLUICE_ASSIGN(Node * arg, AddEnd("_Arg", "_arg_", fed, index));
    const auto [made, made_output] = LoweredOutput(*node, output);
    node = made;
    output = made_output;
    const bool placeholder = node->kind() == OpKind::kPlaceholder;
    const std::vector<Edge*> out_edges = node->out_edges();
    for (Edge* edge : out_edges) {
      const Edge old = *edge;
      if (old.src_output == output) {
        graph_.RemoveEdge(edge);
        graph_.AddEdge(arg, 0, old.dst, old.dst_input);
      } else if (old.control() && placeholder) {
        graph_.RemoveEdge(edge);
        graph_.AddControlEdge(arg, old.dst);
      }
    }
    fed_[fed] = arg;
    return absl::OkStatus();
  }

  absl::Status AddFetches() {
    for (size_t i = 0; i < signature_.fetches.size(); ++i) {
      const std::string& fetch = signature_.fetches[i];
      SLUICE_ASSIGN(TensorName name, ParseTensorName(fetch));
      Node* node = graph_.Find(name.node);
      if (node == nullptr) return NotFound("FetchOutputs node ", fetch, ": not found");
      if (node->num_outputs() == 0 && node->op_def() != nullptr) {
        return InvalidArgument("Tried to fetch data for '", fetch,
                               "', which produces no output.  To run to a node but not "
                               "fetch any data, pass '",
                               fetch,
                               "' as an argument to the 'target_node_names' argument of "
                               "the Session::Run API.");
      }
      if (name.output < 0 || (name.output >= node->num_outputs() && node->op_def() != nullptr)) {
        return InvalidArgument("FetchOutputs ", fetch, ": output index too large, must be < ",
                               node->num_outputs());
      }
      SLUICE_RETURN_IF_ERROR(AddRetval({node, name.output}, static_cast<int64_t>(i)));
    }
    return absl::OkStatus();
  }

  absl::Status AddRetval(Output fetched, int64_t index) {
    auto [node, output] = fetched;
    if (output >= node->num_outputs()) {  // for an unknown op
      if (output >= kMaxUnknownOutputs)
        return InvalidArgument(node->Label(), " has no output ", output);
      node->output_types.resize(output + 1, kInvalid);
    }
    SLUICE_ASSIGN(Node * retval, AddEnd("_Retval", "_retval_", fetched, index));
    auto arg = fed_.find(fetched);
    if (arg != fed_.end()) {
      graph_.AddEdge(arg->second, 0, retval, 0);
    } else {
      graph_.AddEdge(node, output, retval, 0);
    }
    roots_.push_back(retval);
    return absl::OkStatus();
  }

  // The _Arg or _Retval of an output.
  absl::StatusOr<Node*> AddEnd(const char* op, const char* prefix, Output output, int64_t index) {
    AttrMap attrs;
    attrs["T"] = BaseOutputType(*output.first, output.second);
    attrs["index"] = index;
    const std::string name = absl::StrCat(prefix, output.first->name(), "_", output.second);
    SLUICE_ASSIGN(Node * end,
                  graph_.AddNode(graph_.UniqueName(name), op, std::move(attrs), client_device_));
    end->device = client_device_;
    return end;
  }

  absl::Status FindTargets() {
    std::vector<std::string> missing;
    for (const std::string& target : signature_.targets) {
      if (Node* node = graph_.Find(target)) {
        roots_.push_back(node);
      } else {
        missing.push_back(target);
      }
    }
    if (missing.empty()) return absl::OkStatus();
    return NotFound("PruneForTargets: Some target nodes not found: ", absl::StrJoin(missing, ", "));
  }

  // A fed value cannot replace a reference that is written.
  absl::Status CheckFedRefs() const {
    for (const Node* arg : graph_.nodes()) {
      if (arg->kind() != OpKind::kArg) continue;
      for (const Edge* edge : arg->out_edges()) {
        if (edge->control() || !IsRef(edge->dst->input_types[edge->dst_input])) continue;
        return InvalidArgument(edge->dst->Label(), " writes to \"",
                               signature_.feeds[*GetAttr<int64_t>(arg->attrs, "index")],
                               "\", which is fed: a value cannot be written to");
      }
    }
    return absl::OkStatus();
  }

  const Signature& signature_;
  const std::string& client_device_;
  Graph& graph_;
  absl::flat_hash_map<Output, Node*> fed_;
  std::vector<Node*> roots_;
};

}  // namespace

absl::Status ApplySignature(const Signature& signature, const std::string& client_device,
                            Graph& graph) {
  return Rewrite(signature, client_device, graph).Run();
}

void Prune(const std::vector<Node*>& roots, Graph& graph) {
  std::vector<bool> keep(graph.num_ids(), false);
  std::vector<Node*> reached;
  auto reach = [&](Node* node) {
    if (keep[node->id()]) return;
    keep[node->id()] = true;
    reached.push_back(node);
  };
  for (Node* root : roots) reach(root);
  for (size_t next = 0; next < reached.size(); ++next) {
    for (const Edge* edge : reached[next]->in_edges()) reach(edge->src);
  }
  for (Node* node : graph.nodes()) {
    if (!keep[node->id()]) graph.RemoveNode(node);
  }
}

}  // namespace sluice::graph
