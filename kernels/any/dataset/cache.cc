// SPDX-License-Identifier: Apache-2.0
// Data sets whose elements are kept for later runs, in memory or in files.
#include "core/runtime/kernel_registry.h"
#include "kernels/any/dataset/register.h"
#include "kernels/common/dataset/file_cache.h"
#include "kernels/common/dataset/held_elements.h"
#include "kernels/common/dataset/owned_resource.h"

namespace sluice::kernels {
namespace {

using Input = RefPtr<const DataSet>;
using Elements = RefPtr<const HeldElements>;

// The elements that the first complete run has given.
//
// Owner:    data sets, and the handle of AnonymousMemoryCache.
// Threads:  any.
class MemoryCache final : public Resource {
 public:
  static constexpr absl::string_view kTypeName = "N10tensorflow4data11MemoryCacheE";

  std::string ToString() const override { return "MemoryCache"; }
  absl::string_view type_name() const override { return kTypeName; }

  // Null: none yet.
  Elements kept() const {
    absl::MutexLock lock(&mu_);
    return kept_;
  }
  Elements Keep(const ElementSpec& spec, std::vector<Element> elements) {
    absl::MutexLock lock(&mu_);
    if (!kept_) kept_ = MakeRefCounted<HeldElements>(spec, std::move(elements));
    return kept_;
  }

 private:
  mutable absl::Mutex mu_;
  Elements kept_ ABSL_GUARDED_BY(mu_);
};

// The input's elements; the first complete run without errors keeps them in the cache for later
// ones. State: the elements, and the next one.
class Cache final : public DataSet {
 public:
  Cache(Input input, RefPtr<MemoryCache> memory)
      : DataSet(input->spec()), input_(std::move(input)), memory_(std::move(memory)) {}
  int64_t Cardinality() const override { return input_->Cardinality(); }
  absl::StatusOr<std::unique_ptr<Stage>> BeginAt(const Running& running) const override {
    auto run = std::make_unique<Run>(*this, running);
    SLUICE_RETURN_IF_ERROR(run->Begin(memory_->kept()));
    return run;
  }

 private:
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
      const absl::StatusOr<bool> more = source_->Next(element);
      failed_ = failed_ || !more.ok();
      ended_ = more.ok() && !*more;
      if (kept_ || failed_) return more;
      if (*more)
        elements_.push_back(element);
      else
        cache_.Keep(std::move(elements_));
      return more;
    }
    absl::Status SaveOrRestore(SavedState& state) override {
      bool complete = static_cast<bool>(kept_);
      if (complete && !state.restoring()) elements_ = kept_->elements();
      SLUICE_RETURN_IF_ERROR(state.Fields("Cache", ended_, failed_, complete, elements_));
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
    bool ended_ = false, failed_ = false;
  };

  Elements Keep(std::vector<Element> elements) const {
    return memory_->Keep(spec(), std::move(elements));
  }

  const Input input_;
  const RefPtr<MemoryCache> memory_;
};

struct CacheDataset {
  bool given;  // the cache in memory

  static absl::StatusOr<CacheDataset> Create(const NodeSpec& node) {
    return CacheDataset{node.op == "CacheDatasetV2"};
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(Input input, DataSetInput(ctx, 0));
    SLUICE_ASSIGN(std::string path, ScalarInput<std::string>(ctx, 1, "filename"));
    if (!path.empty()) {
      SetDataSet(ctx, MakeFileCache(std::move(input), std::move(path)));
      return absl::OkStatus();
    }
    RefPtr<MemoryCache> memory;
    if (given && !IsDummy(ctx, 2)) {
      SLUICE_ASSIGN(memory, ResourceOf<MemoryCache>(ctx, 2));
    } else {
      memory = MakeRefCounted<MemoryCache>();
    }
    SetDataSet(ctx, MakeRefCounted<Cache>(std::move(input), std::move(memory)));
    return absl::OkStatus();
  }
};

struct AnonymousMemoryCache {
  std::string device;
  static absl::StatusOr<AnonymousMemoryCache> Create(const NodeSpec& node) {
    return AnonymousMemoryCache{node.device};
  }
  absl::Status Run(KernelContext& ctx) const {
    SetOwned(ctx, device, "AnonymousMemoryCache", MakeRefCounted<MemoryCache>());
    return absl::OkStatus();
  }
};

}  // namespace

void RegisterCaches(KernelRegistry& kernels) {
  for (auto op : {"CacheDataset", "CacheDatasetV2"}) kernels.Add<CacheDataset>(op, kCpu);
  kernels.Add<AnonymousMemoryCache>("AnonymousMemoryCache", kCpu, {}, kCheap);
  kernels.Add<DeleteOwned<MemoryCache>>("DeleteMemoryCache", kCpu, {}, kCheap);
  kernels.Add<MakeDummy>("DummyMemoryCache", kCpu, {}, kCheap);
}

}  // namespace sluice::kernels
