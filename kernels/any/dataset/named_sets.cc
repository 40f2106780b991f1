// SPDX-License-Identifier: Apache-2.0
#include "kernels/any/dataset/named_sets.h"

#include <string>
#include <utility>
#include <vector>

#include "kernels/common/dataset/data_set.h"
#include "kernels/common/dataset/graph/recipe.h"
#include "kernels/common/dataset/graph/wrapped.h"
#include "kernels/common/dataset/stage_record.h"

namespace sluice::kernels {
namespace {

// The data set that a node made. Its stages are recorded under the name of the node.
class NamedSet final : public DataSet {
 public:
  NamedSet(RefPtr<const DataSet> set, std::string node, std::string op)
      : DataSet(set->spec()), set_(std::move(set)), node_(std::move(node)), op_(std::move(op)) {}

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
    if (running.record == nullptr) return begin(running);
    Running here = running;
    here.record = running.record->Input(node_, op_);
    SLUICE_ASSIGN(std::unique_ptr<Stage> stage, begin(here));
    if (stage == nullptr) return stage;
    return Recorded(std::move(stage), here.record);
  }

  const RefPtr<const DataSet> set_;
  const std::string node_, op_;
};

// A kernel whose output may be a data set.
class NamingKernel final : public Kernel {
 public:
  NamingKernel(std::unique_ptr<Kernel> kernel, const NodeSpec& node)
      : kernel_(std::move(kernel)), node_(node.name), op_(node.op) {}

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
    if (output.state != Slot::State::kValue || output.value.dtype() != kVariant) return;
    if (output.value.rank() != 0) return;
    const auto* made = output.value.scalar<Variant>().get_if<DataSet>();
    // A data set that passes through keeps its name.
    if (made == nullptr || dynamic_cast<const NamedSet*>(made) != nullptr) return;
    auto named = MakeRefCounted<NamedSet>(RefPtr<const DataSet>(made), node_, op_);
    if (made->recipe() != nullptr) named->set_recipe(std::make_shared<Recipe>(*made->recipe()));
    SetDataSet(ctx, std::move(named));
  }

  const std::unique_ptr<Kernel> kernel_;
  const std::string node_, op_;
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
