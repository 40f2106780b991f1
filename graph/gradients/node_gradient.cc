// SPDX-License-Identifier: Apache-2.0
#include "graph/gradients/node_gradient.h"

#include <complex>
#include <utility>

#include "absl/container/btree_map.h"
#include "absl/strings/match.h"
#include "graph/infer_attrs.h"

namespace sluice::graph {
namespace {

// The colocation groups of a node placed with `node`.
std::vector<std::string> ColocationGroups(const Node& node) {
  std::vector<std::string> groups;
  for (std::string& name : GetAttrOr<std::vector<std::string>>(node.attrs, "_class", {})) {
    if (absl::StartsWith(name, "loc:@")) groups.push_back(std::move(name));
  }
  if (groups.empty()) groups.push_back(absl::StrCat("loc:@", node.name()));
  return groups;
}

}  // namespace

Node* Builder::Add(absl::string_view op, absl::Span<const Output> inputs, AttrMap attrs) {
  if (!status_.ok()) return nullptr;
  for (const Output& input : inputs) {
    if (!input) return nullptr;
  }
  const std::string name = absl::StrCat(prefix_, "/", op);
  if (colocation_ != nullptr) attrs["_class"] = ColocationGroups(*colocation_);
  const std::string& device =
      colocation_ == nullptr ? options_.device : colocation_->requested_device;
  auto node = AddNode(graph_, op, inputs, std::move(attrs), {name, device});
  if (!node.ok()) {
    status_ = Annotate(node.status(), absl::StrCat("gradient node ", name));
    return nullptr;
  }
  return *node;
}

absl::StatusOr<Node*> Builder::Changeable(const Node& node) {
  Node* own = graph_.by_id(node.id());
  if (node.id() >= options_.frozen_ids) {
    before_.push_back({own, own->attrs, own->input_types, own->output_types});
    return own;
  }
  if (node.stateful()) {
    return FailedPrecondition(node.Label(),
                              " was sent to a session before its gradient was asked "
                              "for: make gradients first, or a new session");
  }
  Node* copy = graph_.AddCopy(node, graph_.UniqueName(absl::StrCat(prefix_, "/", node.name())));
  for (const Edge* edge : std::vector<Edge*>(own->in_edges()))
    graph_.AddEdge(edge->src, edge->src_output, copy, edge->dst_input);
  return copy;
}

void Builder::Undo() {
  for (auto it = before_.rbegin(); it != before_.rend(); ++it) {
    it->node->attrs = std::move(it->attrs);
    it->node->input_types = std::move(it->input_types);
    it->node->output_types = std::move(it->output_types);
  }
  before_.clear();
}

Output Builder::Op(absl::string_view op, absl::Span<const Output> inputs, AttrMap attrs) {
  return {Add(op, inputs, std::move(attrs)), 0};
}

std::vector<Output> Builder::Ops(absl::string_view op, absl::Span<const Output> inputs,
                                 AttrMap attrs) {
  std::vector<Output> outputs;
  Node* node = Add(op, inputs, std::move(attrs));
  for (int i = 0; node != nullptr && i < node->num_outputs(); ++i) outputs.push_back({node, i});
  return outputs;
}

Output Builder::Const(Tensor value) {
  const DType dtype = value.dtype();
  return Op("Const", {}, {{"value", std::move(value)}, {"dtype", dtype}});
}

Output Builder::Ints(absl::Span<const int64_t> values) {
  const std::vector<int32_t> narrow(values.begin(), values.end());
  return Const(Tensor::Vector<int32_t>(narrow));
}

Output Builder::Int(int64_t value) { return Const(Tensor::Scalar(static_cast<int32_t>(value))); }

Output Builder::ScalarOf(DType dtype, double value) {
  Tensor scalar(dtype, Shape{});
  absl::Status status = VisitDType(NumericTypes{}, dtype, [&]<typename T>(Type<T>) {
    if constexpr (std::is_arithmetic_v<T>) {
      *scalar.mutable_data<T>() = static_cast<T>(value);
    } else {
      *scalar.mutable_data<T>() = T(static_cast<float>(value));
    }
    return absl::OkStatus();
  });
  Fail(status);
  return Const(std::move(scalar));
}

Output Builder::ShapeOf(const Output& x) {
  if (!x) return {};
  if (shape(x).fully_known()) return Ints(shape(x).dims());
  return Op("Shape", {x});
}

Output Builder::SizeOf(const Output& x, DType dtype) {
  if (!x) return {};
  if (auto known = shape(x).ToShape(); known.ok()) {
    return ScalarOf(dtype, static_cast<double>(known->num_elements()));
  }
  return Op("Cast", {Op("Size", {x})}, {{"DstT", dtype}});
}

Output Builder::OnesLike(const Output& x) {
  if (!x) return {};
  const Output one = ScalarOf(x.dtype(), 1);
  if (shape(x).rank() == 0) return one;
  return Op("Fill", {ShapeOf(x), one});
}

Output Builder::Sum(absl::Span<const Output> parts) {
  absl::btree_map<std::string, std::vector<Output>> by_device;
  for (const Output& part : parts) {
    if (!part) return {};
    by_device[part.node->requested_device].push_back(part);
  }
  const Node* before = std::exchange(colocation_, nullptr);
  std::vector<Output> sums;
  for (const auto& [device, terms] : by_device) {
    colocation_ = terms[0].node;
    sums.push_back(terms.size() == 1 ? terms[0] : Op("AddN", terms));
  }
  colocation_ = before;
  return sums.size() == 1 ? sums[0] : Op("AddN", sums);
}

void Builder::Gate(absl::Span<Output* const> tensors) {
  const Node* before = std::exchange(colocation_, nullptr);
  Node* all = Add("NoOp", {}, {});
  for (Output* tensor : tensors) {
    if (all == nullptr || !*tensor) break;
    graph_.AddControlEdge(tensor->node, all);
    all->requested_device = tensor->node->requested_device;
  }
  for (Output* tensor : tensors) {
    if (all == nullptr || !*tensor) break;
    colocation_ = tensor->node;
    *tensor = Op("Identity", {*tensor});
    if (*tensor) graph_.AddControlEdge(all, tensor->node);
  }
  colocation_ = before;
}

Output Builder::Conj(const Output& x) { return kComplex.contains(x.dtype()) ? Op("Conj", {x}) : x; }

Output Builder::Dense(const GradientOutput& gradient) {
  if (!gradient.sparse()) return gradient.values;
  const Output rows = Op("StridedSlice", {gradient.dense_shape, Ints({0}), Ints({1}), Ints({1})},
                         {{"shrink_axis_mask", 1}});
  return Op("UnsortedSegmentSum", {gradient.values, gradient.indices, rows});
}

std::vector<Output> Builder::Differentiate(absl::Span<const Output> ys,
                                           absl::Span<const std::optional<Output>> grad_ys,
                                           absl::Span<const Output> xs) {
  std::vector<Output> found(xs.size());
  if (!status_.ok()) return found;
  GradientOptions options = options_;
  options.scope = prefix_;
  options.gate = false;  // a single sum, which is not a gradient of the program
  const auto gradients = AddGradients(graph_, ys, xs, grad_ys, options);
  if (!gradients.ok()) {
    Fail(gradients.status());
    return found;
  }
  for (size_t i = 0; i < xs.size(); ++i) {
    if ((*gradients)[i]) found[i] = Dense(*(*gradients)[i]);
  }
  return found;
}

const PartialShape& Builder::shape(const Output& x) const {
  static const auto* const kUnknown = new PartialShape;
  if (options_.shapes == nullptr || !x) return *kUnknown;
  const size_t id = static_cast<size_t>(x.node->id());
  const size_t index = static_cast<size_t>(x.index);
  if (id >= options_.shapes->size() || index >= (*options_.shapes)[id].size()) return *kUnknown;
  return (*options_.shapes)[id][index];
}

std::optional<Shape::Dims> Builder::Known(const Output& x) const {
  if (!x || x.node->kind() != OpKind::kConst) return std::nullopt;
  auto value = GetAttr<Tensor>(x.node->attrs, "value");
  if (!value.ok()) return std::nullopt;
  auto ints = IntVector(*value);
  if (!ints.ok()) return std::nullopt;
  return *std::move(ints);
}

NodeGradient::NodeGradient(const Node& n, Builder& builder, std::vector<GradientOutput> incoming,
                           std::vector<bool> wanted)
    : node(n),
      b(builder),
      incoming_(std::move(incoming)),
      outgoing_(n.num_inputs()),
      wanted_(std::move(wanted)) {}

Output NodeGradient::grad(int i) {
  if (!has_grad(i)) incoming_[i].values = b.Op("ZerosLike", {out(i)});
  if (incoming_[i].sparse()) incoming_[i] = {b.Dense(incoming_[i]), {}, {}};
  return incoming_[i].values;
}

AttrMap NodeGradient::attrs(std::initializer_list<absl::string_view> names) const {
  AttrMap some;
  for (absl::string_view name : names) {
    if (auto it = node.attrs.find(name); it != node.attrs.end()) some[it->first] = it->second;
  }
  return some;
}

void NodeGradient::Gate() {
  std::vector<Output*> parts;
  for (size_t i = 0; i < wanted_.size(); ++i) {
    if (wanted_[i] && outgoing_[i].values) parts.push_back(&outgoing_[i].values);
  }
  if (parts.size() > 1) b.Gate(parts);
}

Output SumToShapeOf(Builder& b, const Output& gradient, const Output& x, const Output& y) {
  const PartialShape& xs = b.shape(x);
  const PartialShape& ys = b.shape(y);
  if (xs.fully_known() && ys.fully_known()) {
    if (xs == ys) return gradient;
    std::vector<int64_t> axes;
    const int rank = std::max(xs.rank(), ys.rank());
    for (int i = 0; i < rank; ++i) {
      const int at = i - (rank - xs.rank());
      const int other = i - (rank - ys.rank());
      const int64_t size = at < 0 ? 1 : xs.dim(at);
      if (size == 1 && (at < 0 || (other >= 0 && ys.dim(other) != 1))) axes.push_back(i);
    }
    if (axes.empty()) return gradient;
    return b.Op("Reshape", {b.Op("Sum", {gradient, b.Ints(axes)}), b.ShapeOf(x)});
  }
  const Output shape = b.ShapeOf(x);
  const Output axes = b.Op("BroadcastGradientArgs", {shape, b.ShapeOf(y)});
  return b.Op("Reshape", {b.Op("Sum", {gradient, axes}), shape});
}

void NodeGradient::SetBroadcast(Output x_gradient, Output y_gradient) {
  if (wanted(0)) Set(0, SumToShapeOf(b, x_gradient, in(0), in(1)));
  if (wanted(1)) Set(1, SumToShapeOf(b, y_gradient, in(1), in(0)));
}

void PassThrough(NodeGradient& g) { g.Set(0, g.incoming()); }

// The rows of `dy` for a gather of rows by `indices`: [number of indices, rest of the shape].
static Output Rows(NodeGradient& g, const Output& dy, const Output& indices,
                   const Output& dense_shape, const PartialShape& known) {
  bool plain = known.rank_known();
  std::vector<int64_t> rows = {-1};
  for (int i = 1; plain && i < known.rank(); ++i) {
    rows.push_back(known.dim(i));
    plain = known.dim(i) > 0;
  }
  if (plain) return g.Op("Reshape", {dy, g.b.Ints(rows)});
  const Output row =
      g.Op("StridedSlice", {dense_shape, g.b.Ints({1}), g.b.Ints({0}), g.b.Ints({1})},
           {{"end_mask", 1}});
  const Output count = g.Op("Reshape", {g.Op("Size", {indices}), g.b.Ints({1})});
  return g.Op("Reshape", {dy, g.Op("ConcatV2", {count, row, g.b.Int(0)}, {{"N", 2}})});
}

GradientOutput SparseGradient(NodeGradient& g, const Output& dense_shape,
                              const PartialShape& known) {
  const Output indices = g.in(1);
  return {Rows(g, g.grad(), indices, dense_shape, known),
          g.Op("Reshape", {indices, g.b.Ints({-1})}), dense_shape};
}

}  // namespace sluice::graph
