// SPDX-License-Identifier: Apache-2.0
// Iterators whose elements are dealt out to several devices in turn.
#include <deque>

#include "core/runtime/kernel_registry.h"
#include "kernels/any/dataset/register.h"
#include "kernels/any/dataset/string_handles.h"
#include "kernels/common/dataset/iterator.h"
#include "kernels/common/dataset/owned_resource.h"
#include "kernels/common/resource_handle.h"

namespace sluice::kernels {
namespace {

// The elements of one run, and those that wait for their shard. It reads on while a shard asks and
// the shard whose turn it is has room.
//
// Owner:    its iterator, and the read in progress.
// Threads:  any.
class Deal : public std::enable_shared_from_this<Deal> {
 public:
  Deal(RefPtr<const DataSet> set, std::string iterator, size_t shards, int64_t room)
      : run_(DataSetRun::Create(std::move(set), std::move(iterator))),
        room_(static_cast<size_t>(room)),
        shards_(shards) {}

  void Next(size_t shard, CancelToken& step, ElementAnswer answer) {
    std::shared_ptr<ElementRequest> request = ElementRequest::Make(step, std::move(answer));
    if (request == nullptr) return;
    {
      absl::MutexLock lock(&mu_);
      shards_[shard].asked.push_back(std::move(request));
    }
    Advance();
  }
  void Cancel(const absl::Status& why) { run_->Cancel(why); }
  std::shared_ptr<const RunningPipelines::Pipeline> pipeline() const { return run_; }

 private:
  struct Shard {
    std::deque<NextElement> ready;
    std::deque<std::shared_ptr<ElementRequest>> asked;
  };

  void Advance() {
    std::vector<std::pair<std::shared_ptr<ElementRequest>, NextElement>> answers;
    bool read = false;
    {
      absl::MutexLock lock(&mu_);
      bool asked = false;
      for (Shard& shard : shards_) {
        while (!shard.asked.empty() && (ended_ || !shard.ready.empty())) {
          std::shared_ptr<ElementRequest> request = std::move(shard.asked.front());
          shard.asked.pop_front();
          if (!request->Take()) continue;
          if (shard.ready.empty()) {
            answers.emplace_back(std::move(request), std::optional<Element>());
          } else {
            answers.emplace_back(std::move(request), std::move(shard.ready.front()));
            shard.ready.pop_front();
          }
        }
        asked |= !shard.asked.empty();
      }
      read = asked && !reading_ && !ended_ && shards_[turn_].ready.size() < room_;
      reading_ |= read;
    }
    for (auto& [request, next] : answers) request->Answer(std::move(next));
    if (!read) return;
    run_->Next(never_,
               [self = shared_from_this()](NextElement next) { self->Read(std::move(next)); });
  }
  void Read(NextElement next) {
    {
      absl::MutexLock lock(&mu_);
      reading_ = false;
      if (next.ok() && !*next) {
        ended_ = true;
      } else {
        shards_[turn_].ready.push_back(std::move(next));
        turn_ = (turn_ + 1) % shards_.size();
      }
    }
    Advance();
  }

  const std::shared_ptr<DataSetRun> run_;
  const size_t room_;
  CancelToken never_;

  absl::Mutex mu_;
  std::vector<Shard> shards_ ABSL_GUARDED_BY(mu_);
  size_t turn_ ABSL_GUARDED_BY(mu_) = 0;
  bool reading_ ABSL_GUARDED_BY(mu_) = false, ended_ ABSL_GUARDED_BY(mu_) = false;
};

// Owner:    its store.
// Threads:  any.
class MultiDeviceIterator final : public Resource {
 public:
  static constexpr absl::string_view kTypeName =
      "N10tensorflow4data12_GLOBAL__N_119MultiDeviceIteratorE";

  MultiDeviceIterator(std::string name, ElementSpec spec, size_t shards)
      : name_(std::move(name)), spec_(std::move(spec)), shards_(shards) {}
  ~MultiDeviceIterator() override {
    if (deal_ != nullptr) deal_->Cancel(Cancelled("the iterator was deleted"));
  }
  std::string ToString() const override { return "MultiDeviceIterator " + name_; }
  absl::string_view type_name() const override { return kTypeName; }
  const ElementSpec& spec() const { return spec_; }

  // Returns the number of the run.
  absl::StatusOr<int64_t> Begin(RefPtr<const DataSet> set, int64_t room) {
    SLUICE_RETURN_IF_ERROR(spec_.Accepts(set->spec()));
    auto deal = std::make_shared<Deal>(std::move(set), name_, shards_, room);
    int64_t incarnation = 0;
    {
      absl::MutexLock lock(&mu_);
      deal_.swap(deal);
      incarnation = ++incarnation_;
    }
    if (deal != nullptr) deal->Cancel(Cancelled("the iterator was initialized again"));
    return incarnation;
  }
  // The present run, for reports.
  // REQUIRES: it has begun.
  std::shared_ptr<const RunningPipelines::Pipeline> pipeline() const {
    absl::MutexLock lock(&mu_);
    return deal_->pipeline();
  }
  void Next(int64_t shard, int64_t incarnation, CancelToken& step, ElementAnswer answer) {
    std::shared_ptr<Deal> deal;
    {
      absl::MutexLock lock(&mu_);
      if (incarnation == incarnation_) deal = deal_;
    }
    if (deal == nullptr) return answer(InvalidArgument("Invalid incarnation id"));
    if (shard < 0 || shard >= static_cast<int64_t>(shards_)) {
      return answer(InvalidArgument("Invalid shard_num: ", shard, " of ", shards_));
    }
    deal->Next(static_cast<size_t>(shard), step, std::move(answer));
  }

 private:
  const std::string name_;
  const ElementSpec spec_;
  const size_t shards_;
  mutable absl::Mutex mu_;
  std::shared_ptr<Deal> deal_ ABSL_GUARDED_BY(mu_);
  int64_t incarnation_ ABSL_GUARDED_BY(mu_) = 0;
};

struct MakeHandle {
  NamedResource<MultiDeviceIterator> kept;
  ElementSpec spec;
  size_t shards;

  MakeHandle(ResourcePlace place, ElementSpec of, size_t count)
      : kept(std::move(place)), spec(std::move(of)), shards(count) {}
  static absl::StatusOr<std::unique_ptr<MakeHandle>> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(ElementSpec spec, ElementSpec::Create(node));
    SLUICE_ASSIGN(const auto devices, node.Get<std::vector<std::string>>("devices"));
    SLUICE_ASSIGN(ResourcePlace place, ResourcePlace::Create(node));
    return std::make_unique<MakeHandle>(std::move(place), std::move(spec), devices.size());
  }
  absl::Status Run(KernelContext& ctx) const {
    return kept.HandOut(
        ctx, [&](const std::string& name) -> absl::StatusOr<RefPtr<MultiDeviceIterator>> {
          return MakeRefCounted<MultiDeviceIterator>(name, spec, shards);
        });
  }
};

// A new iterator in each step, which lives as long as its handle.
struct Anonymous {
  ElementSpec spec;
  size_t shards;
  std::string device;

  static absl::StatusOr<Anonymous> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(ElementSpec spec, ElementSpec::Create(node));
    SLUICE_ASSIGN(const auto devices, node.Get<std::vector<std::string>>("devices"));
    return Anonymous{std::move(spec), devices.size(), node.device};
  }
  absl::Status Run(KernelContext& ctx) const {
    SetOwned(ctx, device, "AnonymousMultiDeviceIterator",
             MakeRefCounted<MultiDeviceIterator>("", spec, shards));
    return absl::OkStatus();
  }
};

struct Init {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(RefPtr<const DataSet> set, DataSetInput(ctx, 0));
    SLUICE_ASSIGN(const auto iterator, ResourceOf<MultiDeviceIterator>(ctx, 1));
    SLUICE_ASSIGN(const int64_t room, ScalarInput<int64_t>(ctx, 2, "max_buffer_size"));
    if (room < 1) return InvalidArgument("max_buffer_size must be greater than zero, got ", room);
    SLUICE_ASSIGN(const int64_t incarnation, iterator->Begin(std::move(set), room));
    SLUICE_RETURN_IF_ERROR(RunningPipelines::Add(ctx.resources(), iterator->pipeline()));
    ctx.SetOutput(0, Tensor::Scalar<int64_t>(incarnation));
    return absl::OkStatus();
  }
};

struct GetNextFromShard {
  ElementSpec spec;

  static absl::StatusOr<GetNextFromShard> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(ElementSpec spec, ElementSpec::Create(node));
    return GetNextFromShard{std::move(spec)};
  }
  absl::Status Give(KernelContext& ctx, NextElement next) const {
    if (!next.ok()) return next.status();
    if (!*next) return OutOfRange("End of sequence");
    return SetElement(ctx, spec, **std::move(next));
  }
  void Start(KernelContext& ctx, Done done) const {
    const auto iterator = ResourceOf<MultiDeviceIterator>(ctx, 0);
    const auto shard = ScalarInput<int32_t>(ctx, 1, "shard_num");
    const auto incarnation = ScalarInput<int64_t>(ctx, 2, "incarnation_id");
    for (const absl::Status& status : {iterator.status(), shard.status(), incarnation.status()}) {
      if (!status.ok()) return done(status);
    }
    (*iterator)->Next(*shard, *incarnation, ctx.cancel(),
                      [this, &ctx, kept = *iterator, done = std::move(done)](
                          NextElement next) mutable { done(Give(ctx, std::move(next))); });
  }
};

}  // namespace

void RegisterMultiDeviceIterators(KernelRegistry& kernels) {
  for (auto op : {"AnonymousMultiDeviceIterator", "AnonymousMultiDeviceIteratorV3"})
    kernels.Add<Anonymous>(op, kCpu, {}, kCheap);
  kernels.Add<DeleteOwned<MultiDeviceIterator>>("DeleteMultiDeviceIterator", kCpu, {}, kCheap);
  kernels.Add<MakeHandle>("MultiDeviceIterator", kCpu, {}, kCheap);
  kernels.Add<Init>("MultiDeviceIteratorInit", kCpu);
  kernels.Add<GetNextFromShard>("MultiDeviceIteratorGetNextFromShard", kCpu);
  kernels.Add<ToStringHandle<MultiDeviceIterator>>("MultiDeviceIteratorToStringHandle", kCpu);
  kernels.Add<FromStringHandle<MultiDeviceIterator>>("MultiDeviceIteratorFromStringHandle", kCpu);
}

}  // namespace sluice::kernels
