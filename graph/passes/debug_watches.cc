// SPDX-License-Identifier: Apache-2.0
#include "graph/passes/debug_watches.h"

#include <algorithm>
#include <map>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "core/device_name.h"
#include "core/log.h"

namespace sluice::graph {
namespace {

// The parts of "DebugNumericSummary(mute_if_healthy=true; lower_bound=-100)".
struct DebugOp {
  std::string name;
  std::map<std::string, std::string> attrs;  // as text
};

absl::StatusOr<DebugOp> ParseDebugOp(const std::string& text) {
  const size_t open = text.find('('), close = text.find(')');
  if (open == std::string::npos && close == std::string::npos) return DebugOp{text, {}};
  if (open == std::string::npos || open == 0 || close != text.size() - 1 || close < open)
    return InvalidArgument("Malformed debug op name \"", text, "\"");
  DebugOp op{text.substr(0, open), {}};
  for (absl::string_view piece : absl::StrSplit(text.substr(open + 1, close - open - 1), ';')) {
    piece = absl::StripAsciiWhitespace(piece);
    if (piece.empty()) continue;
    const std::pair<std::string, std::string> attr = absl::StrSplit(piece, absl::MaxSplits('=', 1));
    if (attr.first.empty() || attr.second.empty())
      return InvalidArgument("Malformed attributes in debug op name \"", text, "\"");
    if (!op.attrs.insert(attr).second) {
      return InvalidArgument("Duplicate attribute name \"", attr.first,
                             "\" found in the debug op: \"", text, "\"");
    }
  }
  return op;
}

absl::StatusOr<Attr> ParseAttrValue(const AttrDef& def, const std::string& text) {
  const Attr& like = *def.default_value;
  float number = 0;
  int64_t integer = 0;
  bool flag = false;
  if (like.is<std::string>()) return Attr(text);
  if (like.is<float>() && absl::SimpleAtof(text, &number)) return Attr(number);
  if (like.is<int64_t>() && absl::SimpleAtoi(text, &integer)) return Attr(integer);
  if (like.is<bool>() && absl::SimpleAtob(text, &flag)) return Attr(flag);
  return InvalidArgument("Invalid value string for attribute ", def.name, ": \"", text, "\"");
}

class Insertion {
 public:
  Insertion(absl::Span<const DebugWatch> watches, const KernelTable& kernels, Graph& graph)
      : kernels_(kernels), graph_(graph) {
    for (const DebugWatch& watch : watches) {
      if (watch.node == "*")
        others_ = Joined(others_, watch);
      else
        by_tensor_[absl::StrCat(watch.node, ":", watch.output)] = &watch;
    }
  }

  absl::Status Run() {
    for (Node* node : graph_.nodes()) {
      if (node->flow() == Flow::kEnter) node->attrs["parallel_iterations"] = int64_t{1};
      for (int output = 0; output < node->num_outputs(); ++output)
        SLUICE_RETURN_IF_ERROR(Watch(*node, output));
    }
    return absl::OkStatus();
  }

 private:
  static DebugWatch Joined(DebugWatch watch, const DebugWatch& more) {
    watch.ops.insert(watch.ops.end(), more.ops.begin(), more.ops.end());
    watch.urls.insert(watch.urls.end(), more.urls.begin(), more.urls.end());
    watch.tolerates_failures |= more.tolerates_failures;
    return watch;
  }

  absl::Status Watch(Node& node, int output) {
    const std::string tensor = absl::StrCat(node.name(), ":", output);
    auto named = by_tensor_.find(tensor);
    if (named == by_tensor_.end() && others_.ops.empty()) return absl::OkStatus();
    const DebugWatch& watch = named == by_tensor_.end() ? others_ : *named->second;
    const DType type = node.output_types[output];
    if (type == kInvalid) return absl::OkStatus();
    const std::vector<Edge*> readers = ReadersOf(node, output);
    SLUICE_ASSIGN(Node * copy, AddDebuggersCopy(node, output, watch));
    SLUICE_ASSIGN(const std::vector<Node*> debuggers, AddDebuggers(tensor, watch, *copy));
    for (Edge* edge : readers) {
      Node* const reader = edge->dst;
      if (!IsRef(type) && node.flow() != Flow::kNextIteration) {
        const int input = edge->dst_input;
        graph_.RemoveEdge(edge);
        graph_.AddEdge(copy, 0, reader, input);
      }
      if (node.flow() == Flow::kEnter || node.flow() == Flow::kNextIteration) continue;
      for (Node* debugger : debuggers) graph_.AddControlEdge(debugger, reader);
    }
    return absl::OkStatus();
  }

  static std::vector<Edge*> ReadersOf(const Node& node, int output) {
    std::vector<Edge*> readers;
    for (Edge* edge : node.out_edges()) {
      if (edge->src_output == output) readers.push_back(edge);
    }
    return readers;
  }

  absl::StatusOr<Node*> AddDebuggersCopy(Node& node, int output, const DebugWatch& watch) {
    std::vector<std::string> specs;
    for (const std::string& text : watch.ops) {
      auto op = ParseDebugOp(text);
      if (!op.ok()) continue;  // AddDebuggers reports the error
      auto gated = op->attrs.find("gated_grpc");
      const bool is_gated =
          gated != op->attrs.end() && absl::EqualsIgnoreCase(gated->second, "true");
      for (const std::string& url : watch.urls)
        specs.push_back(absl::StrCat(op->name, ";", url, ";", is_gated ? "1" : "0"));
    }
    AttrMap attrs;
    attrs["T"] = RemoveRef(node.output_types[output]);
    attrs["tensor_name"] = absl::StrCat(node.name(), ":", output);
    attrs["debug_ops_spec"] = std::move(specs);
    SLUICE_ASSIGN(Node * copy, graph_.AddNode(absl::StrCat("__copy_", node.name(), "_", output),
                                              "Copy", std::move(attrs), node.device));
    copy->device = node.device;
    graph_.AddEdge(&node, output, copy, 0);
    return copy;
  }

  absl::StatusOr<std::vector<Node*>> AddDebuggers(const std::string& tensor,
                                                  const DebugWatch& watch, Node& copy) {
    std::vector<Node*> debuggers;
    for (size_t i = 0; i < watch.ops.size(); ++i) {
      absl::StatusOr<Node*> debugger = AddDebugger(tensor, watch, i, copy);
      if (debugger.ok()) {
        debuggers.push_back(*debugger);
      } else if (!watch.tolerates_failures) {
        return debugger.status();
      } else {
        Log(LogLevel::kInfo, "no ", watch.ops[i], " for ", tensor, ": ",
            debugger.status().message());
      }
    }
    return debuggers;
  }

  absl::StatusOr<Node*> AddDebugger(const std::string& tensor, const DebugWatch& watch,
                                    size_t index, Node& copy) {
    SLUICE_ASSIGN(const DebugOp op, ParseDebugOp(watch.ops[index]));
    const OpDef* def = graph_.ops().Find(op.name);
    if (def == nullptr || !def->debug) {
      return FailedPrecondition("Failed to create node definition for debug op ", op.name,
                                " on watched tensor ", tensor);
    }
    const std::string name = absl::StrCat("__dbg_", tensor, "_", index, "_", op.name);
    AttrMap attrs;
    SLUICE_RETURN_IF_ERROR(SetAttrs(op, *def, name, attrs));
    attrs["T"] = copy.output_types[0];
    attrs["device_name"] = copy.device;
    attrs["tensor_name"] = tensor;
    attrs["debug_urls"] = watch.urls;
    SLUICE_ASSIGN(const DeviceName device, DeviceName::Parse(copy.device));
    if (!kernels_.Has(op.name, *device.type, attrs)) {
      return FailedPrecondition("Failed to find kernel definition for debug op ", op.name,
                                " on watched tensor ", tensor, " (", copy.output_types[0], ")");
    }
    SLUICE_ASSIGN(Node * debugger, graph_.AddNode(name, op.name, std::move(attrs), copy.device));
    debugger->device = copy.device;
    graph_.AddEdge(&copy, 0, debugger, 0);
    return debugger;
  }

  static absl::Status SetAttrs(const DebugOp& op, const OpDef& def, const std::string& node,
                               AttrMap& attrs) {
    std::vector<std::string> unknown;
    for (const auto& [name, text] : op.attrs) {
      auto it = std::find_if(def.attrs.begin(), def.attrs.end(), [&name = name](const AttrDef& a) {
        return a.name == name && a.default_value.has_value();
      });
      if (it == def.attrs.end()) {
        unknown.push_back(name);
        continue;
      }
      auto value = ParseAttrValue(*it, text);
      if (!value.ok())
        return FailedPrecondition("debug node ", node, ": ", value.status().message());
      attrs[name] = *std::move(value);
    }
    if (unknown.empty()) return absl::OkStatus();
    return FailedPrecondition(unknown.size(), " attribute key(s) were not valid for debug node ",
                              node, ": ", absl::StrJoin(unknown, ", "));
  }

  const KernelTable& kernels_;
  Graph& graph_;
  absl::flat_hash_map<std::string, const DebugWatch*> by_tensor_;
  DebugWatch others_;  // the watch of "*"
};

}  // namespace

absl::Status InsertDebugWatches(Graph& graph, const PassContext& context) {
  if (context.watches.empty()) return absl::OkStatus();
  return Insertion(context.watches, *context.kernels, graph).Run();
}

}  // namespace sluice::graph
