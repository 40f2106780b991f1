// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_DATASET_DATA_SET_H_
#define SLUICE_KERNELS_COMMON_DATASET_DATA_SET_H_

#include <memory>
#include <string>
#include <vector>

#include "core/op/node_spec.h"
#include "core/runtime/kernel_context.h"
#include "core/tensor/variant.h"
#include "core/threads/cancel.h"
#include "kernels/common/dataset/function_instances.h"
#include "kernels/common/dataset/kept_at_places.h"
#include "kernels/common/dataset/saved_state.h"

namespace sluice {
class WorkQueue;
}  // namespace sluice

namespace sluice::kernels {

class CallLimit;
class DataSet;
class NodeNames;
class StageRecord;
class StatsSink;
class TuningBudget;
struct Recipe;
struct StageName;

// One tuple of tensors that a data set gives.
using Element = std::vector<Tensor>;

// Rewrites of data sets that an option asks for. Each stage that it concerns reads its flag when it
// begins.
struct Rewrites {
  bool shuffle_and_repeat = false;  // a repeated shuffle becomes one, as ShuffleAndRepeatDataset
  bool any_order = false;           // for stages that leave their order to the options
};

// The state that the stages of one run share.
//
// Owner:    the run. It outlives the stages.
// Threads:  any.
struct RunState {
  CancelToken cancel;           // ends all waits of the stages
  FunctionInstances functions;  // with the run's own stateful kernels
  KeptAtPlaces kept;
  const DataSet* root = nullptr;  // the data set that began first
};

// The run that a stage belongs to.
struct Running {
  RunState* state = nullptr;
  Rewrites rewrites;
  CallLimit* limit = nullptr;      // for the calls of functions; outlives the run. Null: none
  StatsSink* stats = nullptr;      // outlives the run. Null: nothing is measured
  TuningBudget* budget = nullptr;  // of stages that tune themselves; outlives the run. Null: none
  WorkQueue* pool = nullptr;       // for parts of kernels; outlives the run. Null: the device's
  uint64_t place = 0;              // of the stage in the pipeline: the same each time it begins
  StageRecord* record = nullptr;   // of the stage; outlives it. Null: nothing is counted

  // For statistics, else null or false. They outlive the run.
  const NodeNames* names = nullptr;  // of the nodes in the graph that TensorFlow rewrites
  const StageName* name = nullptr;   // of the stage
  bool latency = false;              // that of each stage is measured

  CancelToken& cancel() const { return state->cancel; }
  absl::Status Check() const {  // CANCELLED or the like once the run is to end
    return cancel().cancelled() ? cancel().status() : absl::OkStatus();
  }
  // For data sets that functions make, which no option of the outer one concerns.
  Running Nested() const {
    Running nested = *this;
    nested.rewrites = {};
    return nested;
  }
};

// A Stage is one step of an iterator: it gives the elements of one data set, one after the other.
//
// Owner:    the stage after it, or the iterator.
// Threads:  one at a time.
class Stage {
 public:
  virtual ~Stage() = default;
  // False at the end; further calls give false too. An error takes the place of one element: the
  // next call goes on after it, unless the error Repeats. What `element` holds before is not read;
  // its memory may serve the new element. May block.
  virtual absl::StatusOr<bool> Next(Element& element) = 0;
  // Whether the next call of Next gives an element at once, as one made ahead.
  virtual bool Ready() const { return false; }
  // Writes what the next elements depend on, or reads it before the first call of Next: the stages
  // before it, then its fields.
  // Errors: UNIMPLEMENTED if the data set has no position that can be saved.
  virtual absl::Status SaveOrRestore(SavedState& state);
};

// Marks an error that the next calls of Next give again, as TensorFlow's of a file that is missing.
absl::Status MarkRepeating(absl::Status status);
bool Repeats(const absl::Status& status);

// The state of an input that may not have begun: begin() makes it where the state is restored.
template <typename Begin>
absl::Status SaveOrRestoreInput(SavedState& state, std::unique_ptr<Stage>& input,
                                const Begin& begin) {
  bool begun = input != nullptr;
  SLUICE_RETURN_IF_ERROR(state.Field(begun));
  if (!begun) return absl::OkStatus();
  if (state.restoring()) {
    SLUICE_ASSIGN(input, begin());
  }
  return input->SaveOrRestore(state);
}

// The components of the elements of a data set.
struct ElementSpec {
  std::vector<DType> types;
  std::vector<PartialShape> shapes;

  // From the attributes output_types (or Toutput_types) and output_shapes.
  static absl::StatusOr<ElementSpec> Create(const NodeSpec& node);
  // INVALID_ARGUMENT, in TensorFlow's words, unless `given` can stand where this is expected.
  absl::Status Accepts(const ElementSpec& given) const;
  absl::Status AcceptsElement(const Element& element) const;
  // The same without the shapes.
  absl::Status AcceptsTypes(const Element& element) const;
};

// A DataSet is the recipe of a sequence of elements. Its tensor is a scalar of a variant.
//
// Threads:  immutable.
class DataSet : public Variant::Object {
 public:
  static constexpr absl::string_view kTypeName = "tensorflow::DatasetVariantWrapper";
  static constexpr int64_t kInfinite = -1, kUnknown = -2;  // cardinalities

  explicit DataSet(ElementSpec spec) : spec_(std::move(spec)) {}

  const ElementSpec& spec() const { return spec_; }
  // A new run through the elements, for the stage after it. The run keeps the data set. Inputs of
  // one stage have different branches. The elements have the types of the spec: others, which a
  // graph or a saved state can lead here, are errors.
  absl::StatusOr<std::unique_ptr<Stage>> Begin(const Running& next, uint64_t branch = 0) const;
  // A run through `count` repetitions, if the data set has a form of its own for them; else null.
  virtual absl::StatusOr<std::unique_ptr<Stage>> BeginRepeated(const Running&, int64_t) const {
    return std::unique_ptr<Stage>();
  }
  // The number of elements, kInfinite or kUnknown, without a run.
  virtual int64_t Cardinality() const { return kUnknown; }

  // Null for a data set that no node has made: one that is an element, or was received.
  const Recipe* recipe() const { return recipe_.get(); }
  // REQUIRES: no other thread has this data set.
  void set_recipe(std::shared_ptr<const Recipe> recipe) { recipe_ = std::move(recipe); }

  absl::string_view type_name() const override { return kTypeName; }
  // UNIMPLEMENTED: a data set stays in its process.
  absl::Status Encode(std::string* metadata, std::vector<Tensor>* tensors) const override;

 private:
  // `running.place` is that of the new stage.
  virtual absl::StatusOr<std::unique_ptr<Stage>> BeginAt(const Running& running) const = 0;

  const ElementSpec spec_;
  std::shared_ptr<const Recipe> recipe_;
};

// The data set in a scalar of a variant. Null if it has none, or one that another process encoded.
const DataSet* DataSetIn(const Tensor& tensor);
// The data set in an input of the kernel. INVALID_ARGUMENT if it has none.
absl::StatusOr<RefPtr<const DataSet>> DataSetInput(const KernelContext& ctx, int i);
// The data set that a function returned.
absl::StatusOr<RefPtr<const DataSet>> DataSetOf(const Element& results);
// Sets the outputs to the element's components. INVALID_ARGUMENT unless the spec accepts it.
absl::Status SetElement(KernelContext& ctx, const ElementSpec& spec, Element element);
// Sets output 0.
void SetDataSet(KernelContext& ctx, RefPtr<const DataSet> made);

// The values of these inputs, which stay as they are.
absl::StatusOr<Element> KeptInputs(KernelContext& ctx, NodeSpec::Range inputs);

// The value of an input that must be a scalar. INVALID_ARGUMENT names it.
template <typename T>
absl::StatusOr<T> ScalarInput(const KernelContext& ctx, int i, absl::string_view name) {
  const Tensor& input = ctx.input(i);
  if (input.rank() != 0) return InvalidArgument(name, " must be a scalar");
  return input.scalar<T>();
}

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_DATASET_DATA_SET_H_
