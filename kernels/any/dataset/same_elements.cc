// SPDX-License-Identifier: Apache-2.0
// Data sets with the elements of their input: options and hints, a cache, without errors.
#include <algorithm>

#include "core/runtime/kernel_registry.h"
#include "kernels/any/dataset/register.h"
#include "kernels/common/dataset/file_cache.h"
#include "kernels/common/dataset/held_elements.h"
#include "kernels/common/dataset/one_input.h"

namespace sluice::kernels {
namespace {

using Input = RefPtr<const DataSet>;

// Options and hints that change no element. Rewriting and tuning have nothing to do here, and the
// threads of a data set are the process's.
struct Same {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(Input input, DataSetInput(ctx, 0));
    SetDataSet(ctx, std::move(input));
    return absl::OkStatus();
  }
};

// OptimizeDataset. Of TensorFlow's rewrites, one changes the elements: that of shuffle and repeat.
class Optimized final : public DataSet {
 public:
  explicit Optimized(Input input) : DataSet(input->spec()), input_(std::move(input)) {}
  int64_t Cardinality() const override { return input_->Cardinality(); }
  absl::StatusOr<std::unique_ptr<Stage>> Begin(const Running& running) const override {
    Running rewritten = running;
    rewritten.rewrites.shuffle_and_repeat = true;
    return input_->Begin(rewritten);
  }

 private:
  const Input input_;
};

struct OptimizeDataset {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(Input input, DataSetInput(ctx, 0));
    const auto names = ctx.input(1).flat<std::string>();
    if (std::find(names.begin(), names.end(), "shuffle_and_repeat_fusion") != names.end())
      input = MakeRefCounted<Optimized>(std::move(input));
    SetDataSet(ctx, std::move(input));
    return absl::OkStatus();
  }
};

// IgnoreErrorsDataset: without the elements that were errors. It has no state.
class IgnoreErrors final : public Stage {
 public:
  IgnoreErrors(std::unique_ptr<Stage> input, const Running& running)
      : input_(std::move(input)), running_(running) {}
  absl::StatusOr<bool> Next(Element& element) override {
    for (;;) {
      SLUICE_RETURN_IF_ERROR(running_.Check());
      const absl::StatusOr<bool> more = input_->Next(element);
      if (more.ok()) return more;
    }
  }
  absl::Status SaveOrRestore(SavedState& state) override { return input_->SaveOrRestore(state); }

 private:
  const std::unique_ptr<Stage> input_;
  const Running running_;
};

struct IgnoreErrorsDataset {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(Input input, DataSetInput(ctx, 0));
    ElementSpec spec = input->spec();
    SetDataSet(ctx, MakeRefCounted<OneInput<IgnoreErrors>>(std::move(spec), std::move(input)));
    return absl::OkStatus();
  }
};

// CacheDataset in memory: the first complete run keeps the elements for later ones. State: the
// elements, and the next one.
class Cache final : public DataSet {
 public:
  explicit Cache(Input input) : DataSet(input->spec()), input_(std::move(input)) {}
  int64_t Cardinality() const override { return input_->Cardinality(); }
  absl::StatusOr<std::unique_ptr<Stage>> Begin(const Running& running) const override {
    auto run = std::make_unique<Run>(*this, running);
    SLUICE_RETURN_IF_ERROR(run->Begin(Kept()));
    return run;
  }

 private:
  using Elements = RefPtr<const HeldElements>;

  class Run final : public Stage {
   public:
    Run(const Cache& cache, const Running& running) : cache_(cache), running_(running) {}
    // Reads the elements that are kept, or the input if there are none.
    absl::Status Begin(Elements kept) {
      kept_ = std::move(kept);
      SLUICE_ASSIGN(source_, (kept_ ? kept_.get() : cache_.input_.get())->Begin(running_));
      return absl::OkStatus();
    }
    absl::StatusOr<bool> Next(Element& element) override {
      if (ended_) return false;
      SLUICE_ASSIGN(const bool more, source_->Next(element));
      ended_ = !more;
      if (kept_) return more;
      if (more)
        elements_.push_back(element);
      else
        cache_.Keep(std::move(elements_));
      return more;
    }
    absl::Status SaveOrRestore(SavedState& state) override {
      bool complete = static_cast<bool>(kept_);
      if (complete && !state.restoring()) elements_ = kept_->elements();
      SLUICE_RETURN_IF_ERROR(state.Fields("Cache", ended_, complete, elements_));
      if (state.restoring())
        SLUICE_RETURN_IF_ERROR(Begin(complete ? cache_.Keep(std::move(elements_)) : Elements()));
      if (complete) elements_.clear();
      return source_->SaveOrRestore(state);
    }

   private:
    const Cache& cache_;
    const Running running_;
    Elements kept_;  // null: this run reads the input
    std::unique_ptr<Stage> source_;
    std::vector<Element> elements_;  // read from the input
    bool ended_ = false;
  };

  Elements Kept() const {
    absl::MutexLock lock(&mu_);
    return kept_;
  }
  Elements Keep(std::vector<Element> elements) const {
    absl::MutexLock lock(&mu_);
    if (!kept_) kept_ = MakeRefCounted<HeldElements>(spec(), std::move(elements));
    return kept_;
  }

  const Input input_;
  mutable absl::Mutex mu_;
  mutable Elements kept_ ABSL_GUARDED_BY(mu_);
};

struct CacheDataset {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(Input input, DataSetInput(ctx, 0));
    SLUICE_ASSIGN(const std::string file, ScalarInput<std::string>(ctx, 1, "filename"));
    if (file.empty())
      SetDataSet(ctx, MakeRefCounted<Cache>(std::move(input)));
    else
      SetDataSet(ctx, MakeFileCache(std::move(input), file));
    return absl::OkStatus();
  }
};

}  // namespace

void RegisterSameElements(KernelRegistry& kernels) {
  kernels.Add<OptimizeDataset>("OptimizeDataset", kCpu, {}, kCheap);
  for (auto op : {"ModelDataset", "OptionsDataset", "MaxIntraOpParallelismDataset",
                  "ExperimentalMaxIntraOpParallelismDataset", "PrivateThreadPoolDataset",
                  "ExperimentalPrivateThreadPoolDataset", "NonSerializableDataset",
                  "ExperimentalNonSerializableDataset", "RewriteDataset"})
    kernels.Add<Same>(op, kCpu, {}, kCheap);
  for (auto op : {"IgnoreErrorsDataset", "ExperimentalIgnoreErrorsDataset"})
    kernels.Add<IgnoreErrorsDataset>(op, kCpu);
  kernels.Add<CacheDataset>("CacheDataset", kCpu);
}

}  // namespace sluice::kernels
