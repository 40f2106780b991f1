// SPDX-License-Identifier: Apache-2.0
#include "kernels/any/dataset/named_sets.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "core/op/producer_version.h"
#include "kernels/any/dataset/stats/measured_stage.h"
#include "kernels/common/dataset/data_set.h"
#include "kernels/common/dataset/graph/node_names.h"
#include "kernels/common/dataset/graph/recipe.h"
#include "kernels/common/dataset/graph/wrapped.h"
#include "kernels/common/dataset/stage_record.h"
#include "kernels/common/dataset/stats_sink.h"

namespace sluice::kernels {
namespace {

// The data set that a node made. Its stages are recorded under the name of the node.
class NamedSet final : public DataSet {
 public:
  NamedSet(RefPtr<const DataSet> set, std::shared_ptr<const StageName> name)
      : DataSet(set->spec()), set_(std::move(set)), name_(std::move(name)) {}

  absl::StatusOr<std::unique_ptr<Stage>> BeginRepeated(const Running& running,
                                                       int64_t count) const override {
    return Record(running, [&](const Running& here) { return set_->BeginRepeated(here, count); });
  }
  int64_t Cardinality() const override { return set_->Cardinality(); }
  absl::Status Encode(std::string* metadata, std::vector<Tensor>* tensors) const override {
    return set_->Encode(metadata, tensors);
  }

 private:
  absl::StatusOr<std::unique_ptr<Stage>> BeginAt(const Running& running) const override {
    return Record(running, [&](const Running& here) { return set_->Begin(here); });
  }
  template <typename Begin>
  absl::StatusOr<std::unique_ptr<Stage>> Record(const Running& running, const Begin& begin) const {
    if (running.record == nullptr && running.stats == nullptr) return begin(running);
    Running here = running;
    if (running.record != nullptr) here.record = running.record->Input(name_->node, name_->op);
    if (running.stats != nullptr) here.name = &NameIn(running);
    SLUICE_ASSIGN(std::unique_ptr<Stage> stage, begin(here));
    if (stage == nullptr) return stage;
    if (here.record != nullptr) stage = Recorded(std::move(stage), here.record);
    // TensorFlow takes the ops for data sets whose names end so.
    if (running.stats == nullptr || !running.latency || !absl::EndsWith(here.name->op, "Dataset"))
      return stage;
    return MeasuredStage(std::move(stage), Measure::kLatency,
                         absl::StrCat("record_latency::", here.name->node), running.stats);
  }
  const StageName& NameIn(const Running& running) const {
    if (running.names == nullptr || recipe() == nullptr) return *name_;
    const StageName* found = running.names->Find(recipe()->node.get());
    return found == nullptr ? *name_ : *found;
  }

  const RefPtr<const DataSet> set_;
  const std::shared_ptr<const StageName> name_;  // as the client calls it
};

// A kernel whose output may be a data set.
class NamingKernel final : public Kernel {
 public:
  NamingKernel(std::unique_ptr<Kernel> kernel, const NodeSpec& node)
      : kernel_(std::move(kernel)),
        name_(std::make_shared<const StageName>(node.name, node.op, !IsFrom1x(node))) {}

  absl::Status Run(KernelContext& ctx) const override {
    SLUICE_RETURN_IF_ERROR(kernel_->Run(ctx));
    Name(ctx);
    return absl::OkStatus();
  }
  void Start(KernelContext& ctx, Done done) const override {
    kernel_->Start(ctx, [this, &ctx, done = std::move(done)](absl::Status status) mutable {
      if (status.ok()) Name(ctx);
      done(std::move(status));
    });
  }
  bool asynchronous() const override { return kernel_->asynchronous(); }

 private:
  void Name(KernelContext& ctx) const {
    const Slot& output = ctx.outputs()[0];
    const DataSet* made = output.state == Slot::State::kValue ? DataSetIn(output.value) : nullptr;
    // A data set that passes through keeps its name.
    if (made == nullptr || dynamic_cast<const NamedSet*>(made) != nullptr) return;
    auto named = MakeRefCounted<NamedSet>(RefPtr<const DataSet>(made), name_);
    if (made->recipe() != nullptr) named->set_recipe(std::make_shared<Recipe>(*made->recipe()));
    SetDataSet(ctx, std::move(named));
  }

  const std::unique_ptr<Kernel> kernel_;
  const std::shared_ptr<const StageName> name_;  // as the client calls it
};

}  // namespace

void AddWithNamedSets(std::shared_ptr<const KernelRegistry> plain, KernelRegistry& kernels) {
  AddWrapped(std::move(plain), kernels,
             [](std::unique_ptr<Kernel> made, const NodeSpec& node) -> std::unique_ptr<Kernel> {
               if (node.output_types != std::vector<DType>{kVariant}) return made;
               return std::make_unique<NamingKernel>(std::move(made), node);
             });
}

}  // namespace sluice::kernels
