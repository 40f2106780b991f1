// SPDX-License-Identifier: Apache-2.0
#include "tests/graph/graph_text.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "absl/strings/numbers.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "core/op/attr_text.h"
#include "graph/all_ops.h"
#include "graph/import.h"

namespace sluice::graph {
namespace {

[[noreturn]] void Die(absl::string_view statement, absl::string_view why) {
  std::fprintf(stderr, "graph text: %s: %s\n", std::string(statement).c_str(),
               std::string(why).c_str());
  std::abort();
}

struct Statement {
  std::string text;
  std::string name, op;
  AttrMap attrs;
  std::vector<TensorName> inputs;
  std::string requested, placed;
  Node* node = nullptr;
};

// Splits at `separators` outside of brackets.
std::vector<absl::string_view> SplitOutside(absl::string_view text, absl::string_view separators) {
  std::vector<absl::string_view> parts;
  int open = 0;
  size_t begin = 0;
  for (size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size() && absl::string_view("([{").find(text[i]) != absl::string_view::npos)
      ++open;
    if (i < text.size() && absl::string_view(")]}").find(text[i]) != absl::string_view::npos)
      --open;
    if (i < text.size() && (open > 0 || separators.find(text[i]) == absl::string_view::npos))
      continue;
    absl::string_view part = absl::StripAsciiWhitespace(text.substr(begin, i - begin));
    if (!part.empty()) parts.push_back(part);
    begin = i + 1;
  }
  return parts;
}

// Removes "(...)" or "[...]" from the front.
absl::string_view TakeBrackets(absl::string_view& text, char opening) {
  if (text.empty() || text[0] != opening) return "";
  int open = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (absl::string_view("([{").find(text[i]) != absl::string_view::npos) ++open;
    if (absl::string_view(")]}").find(text[i]) != absl::string_view::npos && --open == 0) {
      absl::string_view inside = text.substr(1, i - 1);
      text = absl::StripLeadingAsciiWhitespace(text.substr(i + 1));
      return inside;
    }
  }
  Die(text, "a bracket is not closed");
}

Tensor Value(absl::string_view text) {
  const bool vector = absl::ConsumePrefix(&text, "[") && absl::ConsumeSuffix(&text, "]");
  const bool real = text.find('.') != absl::string_view::npos;
  std::vector<float> floats;
  std::vector<int32_t> ints;
  for (absl::string_view number : absl::StrSplit(text, ',', absl::SkipWhitespace())) {
    if (!absl::SimpleAtof(number, &floats.emplace_back()) ||
        (!real && !absl::SimpleAtoi(number, &ints.emplace_back()))) {
      Die(number, "not a number");
    }
  }
  if (real) return vector ? Tensor::Vector<float>(floats) : Tensor::Scalar<float>(floats[0]);
  return vector ? Tensor::Vector<int32_t>(ints) : Tensor::Scalar<int32_t>(ints[0]);
}

void ParseAttrs(absl::string_view text, Statement& s) {
  const OpDef* op = AllOps().Find(s.op);
  for (absl::string_view attr : SplitOutside(text, ",")) {
    std::pair<absl::string_view, absl::string_view> pair =
        absl::StrSplit(attr, absl::MaxSplits('=', 1));
    const std::string name(absl::StripAsciiWhitespace(pair.first));
    const AttrDef* def = op == nullptr ? nullptr : op->FindAttr(name);
    TextScanner scanner("graph text", pair.second);
    scanner.NextLine();
    auto value =
        ParseAttrValue(scanner, def != nullptr ? def->type : *AttrType::Parse("list(string)"));
    if (!value.ok()) Die(s.text, value.status().message());
    s.attrs[name] = *std::move(value);
  }
}

Statement Parse(absl::string_view text) {
  Statement s;
  s.text = std::string(text);
  const size_t equals = text.find('=');
  if (equals == absl::string_view::npos) Die(text, "no =");
  s.name = std::string(absl::StripAsciiWhitespace(text.substr(0, equals)));
  text = absl::StripLeadingAsciiWhitespace(text.substr(equals + 1));
  const size_t end = std::min(text.find_first_of("[(@ "), text.size());
  s.op = std::string(text.substr(0, end));
  text = absl::StripLeadingAsciiWhitespace(text.substr(end));
  ParseAttrs(TakeBrackets(text, '['), s);
  absl::string_view inputs = TakeBrackets(text, '(');
  if (s.op == "Const" && !inputs.empty() && inputs[0] != '^') {
    std::vector<absl::string_view> parts = SplitOutside(inputs, ",");
    const Tensor value = Value(parts[0]);
    s.attrs["value"] = value;
    s.attrs["dtype"] = value.dtype();
    inputs = parts.size() > 1 ? inputs.substr(inputs.find('^')) : "";
  }
  for (absl::string_view input : SplitOutside(inputs, ",")) {
    auto name = ParseTensorName(input);
    if (!name.ok()) Die(s.text, name.status().message());
    s.inputs.push_back(*std::move(name));
  }
  if (absl::ConsumePrefix(&text, "@@")) {
    s.placed = FullDevice(absl::StripAsciiWhitespace(text));
  } else if (absl::ConsumePrefix(&text, "@")) {
    s.requested = FullDevice(absl::StripAsciiWhitespace(text));
  } else if (!text.empty()) {
    Die(s.text, "more than a statement");
  }
  return s;
}

// Sets the properties that follow from the inputs. Returns false while a necessary input is
// missing.
bool Complete(const Graph& graph, Statement& s) {
  const OpDef* op = AllOps().Find(s.op);
  if (op == nullptr) return true;
  std::vector<const TensorName*> data;
  for (const TensorName& input : s.inputs) {
    if (input.output != kControl) data.push_back(&input);
  }
  auto missing = [&](const std::string& attr) {
    return !attr.empty() && !s.attrs.contains(attr) && !op->FindAttr(attr)->default_value;
  };
  const int others = static_cast<int>(op->inputs.size()) - 1;
  size_t at = 0;
  bool complete = true;
  for (const ArgDef& arg : op->inputs) {
    const bool list = !arg.number_attr.empty() || !arg.type_list_attr.empty();
    const size_t count = list ? data.size() - others : 1;
    if (!arg.number_attr.empty() && !s.attrs.contains(arg.number_attr))
      s.attrs[arg.number_attr] = static_cast<int64_t>(count);
    std::vector<DType> types;
    bool typed = false;
    for (size_t i = at; i < at + count && i < data.size(); ++i) {
      const Node* src = graph.Find(data[i]->node);
      const bool there = src != nullptr && data[i]->output < src->num_outputs();
      types.push_back(there ? RemoveRef(src->output_types[data[i]->output]) : kInvalid);
      if (there && missing(arg.type_attr)) s.attrs[arg.type_attr] = types.back();
      typed = typed || there;
    }
    at += count;
    if (missing(arg.type_attr)) complete = false;
    if (missing(arg.type_list_attr)) {
      if (std::count(types.begin(), types.end(), kInvalid) > 0)
        complete = false;
      else
        s.attrs[arg.type_list_attr] = types;
    }
  }
  return complete;
}

}  // namespace

std::string FullDevice(absl::string_view text) {
  if (text.empty() || text[0] == '/') return std::string(text);
  std::vector<absl::string_view> parts = absl::StrSplit(text, ':');
  return absl::StrCat("/job:", parts[0], "/replica:0/task:", parts.at(1),
                      "/device:CPU:", parts.size() > 2 ? parts[2] : "0");
}

std::unique_ptr<Graph> FromText(absl::string_view text) {
  auto graph = std::make_unique<Graph>(&AllOps());
  graph->producer_version = 134;
  std::vector<Statement> statements;
  for (absl::string_view part : SplitOutside(text, ";\n")) {
    if (part[0] != '#') statements.push_back(Parse(part));
  }
  size_t made = 0;
  for (bool progress = true; progress;) {
    progress = false;
    for (Statement& s : statements) {
      if (s.node != nullptr || !Complete(*graph, s)) continue;
      auto node = graph->AddNode(s.name, s.op, s.attrs, s.requested);
      if (!node.ok()) Die(s.text, node.status().message());
      s.node = *node;
      s.node->device = s.placed;
      progress = true;
      ++made;
    }
  }
  for (Statement& s : statements) {
    if (made != statements.size() && s.node == nullptr) Die(s.text, "its types are not known");
    int index = 0;
    for (const TensorName& input : s.inputs) {
      Node* src = graph->Find(input.node);
      if (src == nullptr) Die(s.text, absl::StrCat("there is no ", input.node));
      if (input.output == kControl) {
        graph->AddControlEdge(src, s.node);
        continue;
      }
      if (src->op_def() == nullptr && input.output >= src->num_outputs())
        src->output_types.resize(input.output + 1, kInvalid);
      if (s.node->op_def() == nullptr)
        s.node->input_types.push_back(src->output_types[input.output]);
      if (index >= s.node->num_inputs() || input.output >= src->num_outputs())
        Die(s.text, "no such input or output");
      graph->AddEdge(src, input.output, s.node, index++);
    }
  }
  return graph;
}

std::string ToText(const Graph& graph) {
  std::vector<std::string> lines;
  for (const Node* node : graph.nodes()) {
    std::vector<std::string> inputs;
    for (int i = 0; i < node->num_inputs(); ++i) {
      const Edge* edge = node->input(i);
      inputs.push_back(edge == nullptr ? "?"
                       : edge->src_output == 0
                           ? edge->src->name()
                           : absl::StrCat(edge->src->name(), ":", edge->src_output));
    }
    std::vector<std::string> controls;
    for (const Edge* edge : node->in_edges()) {
      if (edge->control()) controls.push_back(absl::StrCat("^", edge->src->name()));
    }
    std::sort(controls.begin(), controls.end());
    inputs.insert(inputs.end(), controls.begin(), controls.end());
    lines.push_back(absl::StrCat(node->name(), " = ", node->op(), "(", absl::StrJoin(inputs, ", "),
                                 ")", node->device.empty() ? "" : " @", node->device));
  }
  std::sort(lines.begin(), lines.end());
  return absl::StrJoin(lines, "\n");
}

std::vector<PlaceableDevice> Devices(const std::vector<std::string>& names,
                                     const KernelTable* kernels) {
  std::vector<PlaceableDevice> devices;
  for (const std::string& name : names) {
    PlaceableDevice device{.name = FullDevice(name), .parsed = {}, .type = "", .kernels = kernels};
    device.parsed = DeviceName::Parse(device.name).value();
    device.type = *device.parsed.type;
    devices.push_back(std::move(device));
  }
  return devices;
}

}  // namespace sluice::graph
