// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_GRAPH_GRADIENTS_NODE_GRADIENT_H_
#define SLUICE_GRAPH_GRADIENTS_NODE_GRADIENT_H_

#include <initializer_list>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "graph/gradients/gradients.h"

namespace sluice::graph {

// Adds nodes. After a first failure it adds none and returns no tensors, so a gradient function
// reads as a formula and its caller checks the status once.
class Builder {
 public:
  Builder(Graph& graph, const GradientOptions& options)
      : graph_(graph), options_(options), first_id_(graph.num_ids()) {}

  Graph& graph() const { return graph_; }
  // A name that no other call of AddGradients on this graph has.
  std::string unique_scope() const { return absl::StrCat(options_.scope, ":", first_id_); }
  void set_prefix(std::string prefix) { prefix_ = std::move(prefix); }
  // Places new nodes with this one; null: without a constraint.
  void set_colocation(const Node* node) { colocation_ = node; }
  const absl::Status& status() const { return status_; }
  // A node that is to be changed, or a copy of one that cannot be changed; Undo restores the
  // original. FAILED_PRECONDITION if it can neither be changed nor run twice.
  absl::StatusOr<Node*> Changeable(const Node& node);
  void Undo();
  void Fail(absl::Status status) { status_.Update(status); }

  Output Op(absl::string_view op, absl::Span<const Output> inputs, AttrMap attrs = {});
  std::vector<Output> Ops(absl::string_view op, absl::Span<const Output> inputs,
                          AttrMap attrs = {});  // every output
  Output Const(Tensor value);
  Output Ints(absl::Span<const int64_t> values);  // an int32 vector
  Output Int(int64_t value);                      // an int32 scalar
  Output ScalarOf(DType dtype, double value);     // of a floating, complex or integer type
  Output ShapeOf(const Output& x);              // int32 vector: a constant where the shape is known
  Output SizeOf(const Output& x, DType dtype);  // number of elements as a scalar of `dtype`
  Output OnesLike(const Output& x);
  Output Sum(absl::Span<const Output> parts);  // parts on one device are added there first
  // The same tensors, each available only after all of them.
  void Gate(absl::Span<Output* const> tensors);
  Output Conj(const Output& x);                  // x itself unless complex
  Output Dense(const GradientOutput& gradient);  // rows that repeat are summed
  // d sum(ys * grad_ys) / d xs through nodes added here. An x without a gradient gets no tensor.
  std::vector<Output> Differentiate(absl::Span<const Output> ys,
                                    absl::Span<const std::optional<Output>> grad_ys,
                                    absl::Span<const Output> xs);
  const PartialShape& shape(const Output& x) const;  // as far as it is known
  // The integers of a Const; empty for any other node.
  std::optional<Shape::Dims> Known(const Output& x) const;

 private:
  Node* Add(absl::string_view op, absl::Span<const Output> inputs, AttrMap attrs);

  Graph& graph_;
  const GradientOptions& options_;
  int first_id_;
  std::string prefix_;
  const Node* colocation_ = nullptr;
  absl::Status status_;
  struct Before {
    Node* node;
    AttrMap attrs;
    std::vector<DType> input_types, output_types;
  };
  std::vector<Before> before_;
};

// The gradient of one node under construction: its inputs, outputs, the gradients of the outputs,
// and those that the gradient function sets for the inputs.
class NodeGradient {
 public:
  NodeGradient(const Node& node, Builder& builder, std::vector<GradientOutput> incoming,
               std::vector<bool> wanted);

  const Node& node;
  Builder& b;

  Output in(int i) const { return {node.input(i)->src, node.input(i)->src_output}; }
  Output out(int i) const { return {const_cast<Node*>(&node), i}; }
  int num_inputs() const { return node.num_inputs(); }
  bool has_grad(int i) const { return static_cast<bool>(incoming_[i].values); }
  Output grad(int i = 0);  // dense; zeros if no gradient came
  const GradientOutput& incoming(int i = 0) const { return incoming_[i]; }
  bool wanted(int i) const { return wanted_[i]; }  // does input i lead to an x?
  template <typename T>
  T attr(absl::string_view name, T fallback = {}) const {
    return GetAttrOr<T>(node.attrs, name, std::move(fallback));
  }
  AttrMap attrs(
      std::initializer_list<absl::string_view> names) const;  // those of the node, by name

  void Set(int i, Output gradient) { outgoing_[i] = {gradient, {}, {}}; }
  void Set(int i, GradientOutput gradient) { outgoing_[i] = gradient; }
  // For inputs 0 and 1 that were broadcast against each other: sums over the broadcast dimensions.
  void SetBroadcast(Output x_gradient, Output y_gradient);
  const GradientOutput& outgoing(int i) const { return outgoing_[i]; }
  void Gate();  // each requested one waits for all of them

  // Shorthands.
  Output Op(absl::string_view op, absl::Span<const Output> inputs, AttrMap more = {}) {
    return b.Op(op, inputs, std::move(more));
  }
  Output Mul(const Output& x, const Output& y) { return Op("Mul", {x, y}); }
  Output Scaled(const Output& x, double by) { return Mul(x, b.ScalarOf(x.dtype(), by)); }
  Output Neg(const Output& x) { return Op("Neg", {x}); }

 private:
  std::vector<GradientOutput> incoming_;
  std::vector<GradientOutput> outgoing_;
  std::vector<bool> wanted_;
};

// `gradient` of a tensor that was broadcast from `x` against `y`, summed back to x's shape.
Output SumToShapeOf(Builder& b, const Output& gradient, const Output& x, const Output& y);

// Functions for ops of several families.
void PassThrough(NodeGradient& g);    // input 0 has the gradient of output 0
void FillEmptyRows(NodeGradient& g);  // of sparse and of ragged tensors
// For a gather of rows by input 1 from a tensor of this shape: the rows that were read.
GradientOutput SparseGradient(NodeGradient& g, const Output& dense_shape,
                              const PartialShape& known);

using GradientFunction = void (*)(NodeGradient&);
using GradientTable = absl::flat_hash_map<absl::string_view, GradientFunction>;

void AddArrayGradients(GradientTable& table);
void AddArrayIndexingGradients(GradientTable& table);
void AddArrayRearrangeGradients(GradientTable& table);
void AddControlFlowGradients(GradientTable& table);
void AddDataFlowGradients(GradientTable& table);
void AddDatasetGradients(GradientTable& table);
void AddDebugGradients(GradientTable& table);
void AddFunctionsGradients(GradientTable& table);
void AddImageGradients(GradientTable& table);
void AddLinalgGradients(GradientTable& table);
void AddListGradients(GradientTable& table);
void AddMathGradients(GradientTable& table);
void AddMathElementaryGradients(GradientTable& table);
void AddMathReductionGradients(GradientTable& table);
void AddMathSegmentsGradients(GradientTable& table);
void AddNnGradients(GradientTable& table);
void AddNnSecondOrderGradients(GradientTable& table);
void AddNnWindowGradients(GradientTable& table);
void AddQuantizedGradients(GradientTable& table);
void AddRaggedGradients(GradientTable& table);
void AddRandomGradients(GradientTable& table);
void AddRnnGradients(GradientTable& table);
void AddSignalGradients(GradientTable& table);
void AddSparseGradients(GradientTable& table);
void AddStateGradients(GradientTable& table);

// The gradients of graph/gradients/<file>.cc.
struct GradientFile {
  absl::string_view file;
  void (*add)(GradientTable& table);
};
std::vector<GradientFile> GradientFiles();
void AddNoGradients(GradientTable& table);  // after the others

// The error for a node without a gradient function. It names the op, or the loop that contains it.
absl::Status NoGradient(const Graph& graph, const Node& node);

}  // namespace sluice::graph

#endif  // SLUICE_GRAPH_GRADIENTS_NODE_GRADIENT_H_
