// SPDX-License-Identifier: Apache-2.0
// The gradient of a loop. In the forward loop, every iteration pushes the values that the gradient
// reads onto lists, which become loop variables. The backward loop pops them, and runs as often.
//
//   forward:  variables..., count, lists...                    -> body, count + 1, pushed lists
//   back:     count, gradients..., lists..., invariants...     -> count - 1, body's gradient,
//                                                                 popped lists
#include "absl/strings/str_cat.h"
#include "graph/gradients/functions.h"
#include "graph/gradients/split_body.h"
#include "graph/make_function.h"

namespace sluice::graph {
namespace {

bool IsDifferentiable(DType t) {
  return kFloating.contains(t) || kComplex.contains(t) || t == kResource || t == kVariant;
}

class LoopGradient {
 public:
  explicit LoopGradient(NodeGradient& g)
      : g_(g),
        graph_(g.b.graph()),
        node_(*graph_.by_id(g.node.id())),
        n_(node_.num_inputs()),
        cond_(g.attr<FunctionRef>("cond")),
        body_(g.attr<FunctionRef>("body")) {}

  absl::Status Run() {
    SLUICE_RETURN_IF_ERROR(FindVariables());
    SplitRequest request;
    for (int i = 0; i < n_; ++i) {
      request.with_dy.push_back(flows_[i] && !invariant_[i]);
      request.wanted.push_back(flows_[i]);
      request.invariant.push_back(invariant_[i]);
    }
    SLUICE_ASSIGN(split_, SplitGradient(graph_.library, graph_.ops(), body_, request));
    for (int i = 0; i < n_; ++i) {
      // A variable that is only passed on collects the gradients of every iteration.
      if (flows_[i] && invariant_[i] && !split_.dxs[i] && node_.input_types[i] == kResource)
        flows_[i] = false;
      if (flows_[i]) loop_.push_back(i);
    }
    SLUICE_RETURN_IF_ERROR(MakeForward());
    return MakeBackward();
  }

 private:
  static AttrMap OfType(DType type) { return {{"element_dtype", type}}; }

  // The variables on a path from a requested input to an output that has a gradient.
  absl::Status FindVariables() {
    const AttrMap attrs = body_.attrs == nullptr ? AttrMap() : *body_.attrs;
    SLUICE_ASSIGN(const FunctionBody body,
                  Instantiate(graph_.library, graph_.ops(), body_.name, attrs));
    std::vector<std::vector<bool>> leads(n_, std::vector<bool>(n_, false));  // argument to result
    for (int i = 0; i < n_; ++i) {
      std::vector<bool> seen(body.graph->num_ids(), false);
      std::vector<const Node*> pending = {body.args[i]};
      while (!pending.empty()) {
        const Node* node = pending.back();
        pending.pop_back();
        if (seen[node->id()]) continue;
        seen[node->id()] = true;
        for (const Edge* edge : node->out_edges()) {
          if (!edge->control() && IsDifferentiable(RemoveRef(node->output_types[edge->src_output])))
            pending.push_back(edge->dst);
        }
      }
      for (int k = 0; k < n_; ++k) leads[i][k] = seen[body.rets[k]->id()];
      invariant_.push_back(body.result(i).src == body.args[i]);
    }
    std::vector<bool> from(n_), to(n_);
    for (int i = 0; i < n_; ++i) {
      const bool can = IsDifferentiable(node_.input_types[i]);
      from[i] = can && g_.wanted(i);
      to[i] = can && g_.has_grad(i);
    }
    for (bool grown = true; grown;) {
      grown = false;
      for (int i = 0; i < n_; ++i) {
        for (int k = 0; k < n_; ++k) {
          if (!leads[i][k]) continue;
          if (from[i] && !from[k]) from[k] = grown = true;
          if (to[k] && !to[i]) to[i] = grown = true;
        }
      }
    }
    for (int i = 0; i < n_; ++i)
      flows_.push_back(from[i] && to[i] && IsDifferentiable(node_.input_types[i]));
    return absl::OkStatus();
  }

  // ---- The forward loop: the node gets a counter and the lists.

  absl::Status MakeForward() {
    FunctionBody& body = split_.forward;
    GradientOptions options;
    Builder builder(*body.graph, options);
    builder.set_prefix("gradients");
    FunctionSource source{body.graph.get(), {}, {}, body.control_rets};
    std::vector<DType> types = {kInt32};
    for (Node* arg : body.args) source.args.push_back({arg, 0});
    for (int k = 0; k < n_; ++k)
      source.rets.push_back({body.result(k).src, body.result(k).src_output});
    SLUICE_ASSIGN(const Output count, graph::AddInput(*body.graph, kInt32));
    source.args.push_back(count);
    source.rets.push_back(builder.Op("AddV2", {count, builder.Int(1)}));
    for (const Output& saved : split_.saved) {
      SLUICE_ASSIGN(const Output list, graph::AddInput(*body.graph, kVariant));
      source.args.push_back(list);
      source.rets.push_back(builder.Op("TensorListPushBack", {list, saved}, OfType(saved.dtype())));
      types.push_back(kVariant);
    }
    SLUICE_RETURN_IF_ERROR(builder.status());
    SLUICE_ASSIGN(std::string body_name,
                  AddFunction(graph_, absl::StrCat(body_.name, "_forward"), source));
    SLUICE_ASSIGN(std::string cond_name, ForwardCond(types));

    std::vector<Output> initial = {g_.b.Int(0)};
    for (const Output& saved : split_.saved) {
      AttrMap attrs = OfType(saved.dtype());
      attrs["shape_type"] = kInt32;
      initial.push_back(g_.b.Op("EmptyTensorList", {g_.b.Int(-1), g_.b.Int(-1)}, std::move(attrs)));
    }
    SLUICE_RETURN_IF_ERROR(g_.b.status());
    SLUICE_ASSIGN(forward_, g_.b.Changeable(node_));
    forward_->attrs["body"] = FunctionRef{std::move(body_name), nullptr};
    forward_->attrs["cond"] = FunctionRef{std::move(cond_name), nullptr};
    ExtendOutputs(*forward_, "T", types);
    forward_->input_types = forward_->output_types;
    for (size_t i = 0; i < initial.size(); ++i) {
      graph_.AddEdge(initial[i].node, initial[i].index, forward_, n_ + static_cast<int>(i));
    }
    return absl::OkStatus();
  }

  absl::StatusOr<std::string> ForwardCond(absl::Span<const DType> more) {
    const AttrMap attrs = cond_.attrs == nullptr ? AttrMap() : *cond_.attrs;
    SLUICE_ASSIGN(const FunctionBody cond,
                  Instantiate(graph_.library, graph_.ops(), cond_.name, attrs));
    FunctionSource source{cond.graph.get(), {}, {}, cond.control_rets};
    for (Node* arg : cond.args) source.args.push_back({arg, 0});
    for (DType type : more) {
      SLUICE_ASSIGN(const Output in, graph::AddInput(*cond.graph, type));
      source.args.push_back(in);
    }
    source.rets.push_back({cond.result(0).src, cond.result(0).src_output});
    return AddFunction(graph_, absl::StrCat(cond_.name, "_forward"), source);
  }

  // ---- The backward loop.

  absl::Status MakeBackward() {
    if (loop_.empty()) return absl::OkStatus();
    Graph& back = *split_.backward;
    back.library = graph_.library;
    GradientOptions options;
    Builder builder(back, options);
    builder.set_prefix("gradients");
    FunctionSource source{&back, {}, {}, {}};
    std::vector<Output> inputs;  // of the loop in the outer graph
    auto variable = [&](const Output& in, const Output& out, const Output& initial) {
      source.args.push_back(in);
      source.rets.push_back(out);
      inputs.push_back(initial);
    };
    SLUICE_ASSIGN(const Output count, graph::AddInput(back, kInt32));
    variable(count, builder.Op("Sub", {count, builder.Int(1)}), {forward_, n_});
    for (int i : loop_) {
      Output dx = split_.dxs[i];
      Output dy = split_.dys[i];
      const DType type = dx ? dx.dtype() : node_.input_types[i];
      if (!dy) {
        SLUICE_ASSIGN(dy, graph::AddInput(back, type));
      }
      if (!dx) {
        dx = invariant_[i] ? dy : builder.Op("ZerosLike", {dy});
      } else if (invariant_[i]) {
        dx = builder.Op("AddN", {dy, dx});
      }
      variable(dy, dx, Incoming(i, type));
    }
    for (size_t s = 0; s < split_.saved.size(); ++s) {
      SLUICE_ASSIGN(const Output list, graph::AddInput(back, kVariant));
      const auto popped = builder.Ops("TensorListPopBack", {list, builder.Int(-1)},
                                      OfType(split_.saved[s].dtype()));
      SLUICE_RETURN_IF_ERROR(builder.status());
      Read(back, split_.saved_in[s], popped[1], source.rets);
      variable(list, popped[0], {forward_, n_ + 1 + static_cast<int>(s)});
    }
    for (const auto& [arg, in] : split_.args_in) variable(in, in, g_.in(arg));
    SLUICE_RETURN_IF_ERROR(builder.status());
    return AddLoop(source, inputs);
  }

  // The gradient of the loop's outputs.
  Output Incoming(int i, DType type) {
    if (g_.has_grad(i)) return g_.grad(i);
    return node_.input_types[i] == kResource ? ZerosOf(g_.b, g_.in(i), type) : g_.grad(i);
  }

  // Consumers of the placeholder read the popped tensor.
  static void Read(Graph& back, const Output& in, const Output& popped, std::vector<Output>& rets) {
    for (Edge* edge : std::vector<Edge*>(in.node->out_edges())) {
      Node* dst = edge->dst;
      const int input = edge->dst_input;
      back.RemoveEdge(edge);
      back.AddEdge(popped.node, popped.index, dst, input);
    }
    for (Output& ret : rets) {
      if (ret == in) ret = popped;
    }
  }

  absl::Status AddLoop(const FunctionSource& source, const std::vector<Output>& inputs) {
    SLUICE_ASSIGN(std::string body,
                  AddFunction(graph_, absl::StrCat(body_.name, "_backward"), source));
    Graph test(&graph_.ops());
    test.library = graph_.library;
    GradientOptions options;
    Builder builder(test, options);
    builder.set_prefix("gradients");
    FunctionSource cond{&test, {}, {}, {}};
    for (const Output& arg : source.args) {
      SLUICE_ASSIGN(const Output in, graph::AddInput(test, arg.dtype()));
      cond.args.push_back(in);
    }
    cond.rets.push_back(builder.Op("Greater", {cond.args[0], builder.Int(0)}));
    SLUICE_RETURN_IF_ERROR(builder.status());
    SLUICE_ASSIGN(std::string cond_name,
                  AddFunction(graph_, absl::StrCat(cond_.name, "_backward"), cond));
    AttrMap attrs;
    attrs["cond"] = FunctionRef{std::move(cond_name), nullptr};
    attrs["body"] = FunctionRef{std::move(body), nullptr};
    attrs["parallel_iterations"] = g_.attr<int64_t>("parallel_iterations", 10);
    attrs["_lower_using_switch_merge"] = true;
    const std::vector<Output> outputs = g_.b.Ops(node_.op(), inputs, std::move(attrs));
    SLUICE_RETURN_IF_ERROR(g_.b.status());
    for (size_t k = 0; k < loop_.size(); ++k) {
      if (g_.wanted(loop_[k])) g_.Set(loop_[k], outputs[k + 1]);
    }
    return absl::OkStatus();
  }

  NodeGradient& g_;
  Graph& graph_;
  Node& node_;
  Node* forward_ = nullptr;  // the node, with the values that it saves
  const int n_;              // number of the loop's original variables
  const FunctionRef cond_, body_;
  std::vector<bool> invariant_;  // passed on unchanged
  std::vector<bool> flows_;      // gradients flow through them
  std::vector<int> loop_;        // those variables
  SplitBody split_;
};

}  // namespace

void WhileGradient(NodeGradient& g) { g.b.Fail(LoopGradient(g).Run()); }

}  // namespace sluice::graph
