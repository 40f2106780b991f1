// SPDX-License-Identifier: Apache-2.0
#include "kernels/common/dataset/graph/recorded.h"

#include <utility>

#include "absl/strings/match.h"
#include "core/op/op_def.h"
#include "core/op/producer_version.h"
#include "core/runtime/function_caller.h"
#include "kernels/common/dataset/data_set.h"
#include "kernels/common/dataset/graph/recipe.h"
#include "kernels/common/dataset/graph/wrapped.h"

namespace sluice::kernels {
namespace {

using Input = RefPtr<const DataSet>;

// The elements of `input`: what an op gives that returns its input. It has a
// recipe of its own.
class SameElements final : public DataSet {
 public:
  explicit SameElements(Input input) : DataSet(input->spec()), input_(std::move(input)) {}
  int64_t Cardinality() const override { return input_->Cardinality(); }
  absl::StatusOr<std::unique_ptr<Stage>> BeginRepeated(const Running& running,
                                                       int64_t count) const override {
    return input_->BeginRepeated(running, count);
  }
  absl::StatusOr<std::unique_ptr<Stage>> BeginAt(const Running& running) const override {
    return input_->Begin(running);
  }

 private:
  const Input input_;
};

class RecordingKernel final : public Kernel {
 public:
  RecordingKernel(std::unique_ptr<Kernel> kernel, std::shared_ptr<const MakerNode> node)
      : kernel_(std::move(kernel)), node_(std::move(node)) {}
  absl::Status Run(KernelContext& ctx) const override {
    SLUICE_ASSIGN(Element inputs, Inputs(ctx));
    SLUICE_RETURN_IF_ERROR(kernel_->Run(ctx));
    Record(ctx, std::move(inputs));
    return absl::OkStatus();
  }
  void Start(KernelContext& ctx, Done done) const override {
    absl::StatusOr<Element> inputs = Inputs(ctx);
    if (!inputs.ok()) return done(inputs.status());
    kernel_->Start(ctx, [this, &ctx, inputs = *std::move(inputs),
                         done = std::move(done)](absl::Status status) mutable {
      if (status.ok()) Record(ctx, std::move(inputs));
      done(std::move(status));
    });
  }
  bool asynchronous() const override { return kernel_->asynchronous(); }

 private:
  static absl::StatusOr<Element> Inputs(KernelContext& ctx) {
    return KeptInputs(ctx, {0, ctx.num_inputs()});
  }
  void Record(KernelContext& ctx, Element inputs) const {
    const Slot& output = ctx.outputs()[0];
    if (output.state != Slot::State::kValue) return;
    DataSet* made = UniqueDataSet(output.value, inputs);
    if (made != nullptr && made->recipe() != nullptr) return;  // a graph made it, inside the kernel
    auto recipe = std::make_shared<Recipe>();
    recipe->node = node_;
    recipe->inputs = std::move(inputs);
    if (ctx.step().functions != nullptr) recipe->functions = ctx.step().functions->definitions();
    if (made != nullptr) return made->set_recipe(std::move(recipe));
    const DataSet* same = DataSetIn(output.value);
    if (same == nullptr) return;
    auto renamed = MakeRefCounted<SameElements>(Input(same));
    renamed->set_recipe(std::move(recipe));
    SetDataSet(ctx, std::move(renamed));
  }
  // The data set that the kernel has made, unless others have it too.
  static DataSet* UniqueDataSet(const Tensor& output, const Element& inputs) {
    const DataSet* set = DataSetIn(output);
    for (const Tensor& input : inputs) {
      if (set == nullptr || DataSetIn(input) == set) return nullptr;
    }
    return set == nullptr || !set->unique() ? nullptr : const_cast<DataSet*>(set);
  }

  const std::unique_ptr<Kernel> kernel_;
  const std::shared_ptr<const MakerNode> node_;
};

// Whether a node's only output is a data set.
bool MakesDataSet(const NodeSpec& node) {
  return node.op_def->dataset && node.output_types == std::vector<DType>{kVariant};
}

}  // namespace

std::shared_ptr<const MakerNode> MakerOf(const NodeSpec& node) {
  auto made = std::make_shared<MakerNode>();
  made->name = node.name;
  made->op = node.op;
  made->producer_version = GetAttrOr<int64_t>(node.attrs, kProducerVersionAttr, kVersionOf115);
  for (const auto& [name, value] : node.attrs) {
    if (absl::StartsWith(name, "_")) continue;
    const AttrDef* def = node.op_def->FindAttr(name);
    if (def != nullptr && def->default_value && *def->default_value == value) continue;
    made->attrs.emplace(name, value);
  }
  return made;
}

void RegisterRecorded(std::shared_ptr<const KernelRegistry> plain, KernelRegistry& kernels) {
  AddWrapped(std::move(plain), kernels,
             [](std::unique_ptr<Kernel> made, const NodeSpec& node) -> std::unique_ptr<Kernel> {
               if (!MakesDataSet(node)) return made;
               return std::make_unique<RecordingKernel>(std::move(made), MakerOf(node));
             });
}

}  // namespace sluice::kernels
