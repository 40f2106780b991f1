// SPDX-License-Identifier: Apache-2.0
// Mutexes of a program (CriticalSection): the lock is a value, and dropping its last reference
// unlocks.
#include <atomic>

#include "core/runtime/device.h"
#include "core/tensor/variant.h"
#include "kernels/any/state/register.h"
#include "kernels/common/resource_handle.h"
#include "kernels/common/variables.h"
#include "kernels/common/waitable_resource.h"

namespace sluice::kernels {
namespace {

// A Mutex is held by one step at a time; the others wait in a line, without a thread.
//
// Owner:    its store, its lock, and its waiters.
// Threads:  any.
class Mutex final : public WaitableResource {
 public:
  static constexpr absl::string_view kTypeName = "Mutex";
  explicit Mutex(std::string name) : WaitableResource(1), name_(std::move(name)) {}

  std::string ToString() const override { return "Mutex " + name_; }
  absl::string_view type_name() const override { return kTypeName; }

  void Lock(KernelContext& ctx, Done done) {
    waiting_.fetch_add(1);
    auto attempt = [this](absl::Status&) {
      mu_.AssertHeld();
      if (locked_) return Progress::kNone;
      locked_ = true;
      return Progress::kEnded;
    };
    auto ended = [this, self = RefPtr<Mutex>(this),
                  done = std::move(done)](absl::Status s) mutable {
      waiting_.fetch_sub(1);
      done(std::move(s));
    };
    Join(0, ctx, {"MutexLock", std::move(attempt), nullptr}, std::move(ended));
  }
  // A tensor may be destroyed on any thread, so the waiter continues on another one. The waiters'
  // steps keep `pool` alive.
  void Unlock(WorkQueue* pool) {
    {
      absl::MutexLock lock(&mu_);
      locked_ = false;
    }
    if (waiting_.load() == 0) return;
    auto wake = [self = RefPtr<Mutex>(this)] { self->Change([] {}); };
    if (pool != nullptr)
      pool->Schedule(std::move(wake));
    else
      wake();
  }

 private:
  const std::string name_;
  std::atomic<int64_t> waiting_{0};  // from before they join the line until they have left it
  bool locked_ ABSL_GUARDED_BY(mu_) = false;
};

class MutexHold final : public Variant::Object {
 public:
  MutexHold(RefPtr<Mutex> mutex, WorkQueue* pool) : mutex_(std::move(mutex)), pool_(pool) {}
  ~MutexHold() override { mutex_->Unlock(pool_); }
  absl::string_view type_name() const override { return "tensorflow::SharedLockReleaser"; }
  absl::Status Encode(std::string*, std::vector<Tensor>*) const override {
    return Unimplemented("the lock of ", *mutex_, " cannot leave its task");
  }

 private:
  const RefPtr<Mutex> mutex_;
  WorkQueue* const pool_;
};

struct NewMutex {
  NamedResource<Mutex> mutex;

  explicit NewMutex(ResourcePlace place) : mutex(std::move(place)) {}
  static absl::StatusOr<std::unique_ptr<NewMutex>> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(ResourcePlace place, ResourcePlace::Create(node, /*shared_by_node_name=*/true));
    return std::make_unique<NewMutex>(std::move(place));
  }
  absl::Status Run(KernelContext& ctx) const {
    return mutex.HandOut(ctx, [](const std::string& name) -> absl::StatusOr<RefPtr<Mutex>> {
      return MakeRefCounted<Mutex>(name);
    });
  }
};

struct MutexLock {
  void Start(KernelContext& ctx, Done done) const {
    const absl::StatusOr<RefPtr<Mutex>> mutex = ResourceOf<Mutex>(ctx, 0);
    if (!mutex.ok()) return done(mutex.status());
    (*mutex)->Lock(ctx, [&ctx, mutex = *mutex, done = std::move(done)](absl::Status s) mutable {
      if (s.ok()) {
        auto hold = MakeRefCounted<MutexHold>(mutex, ctx.device().pool());
        ctx.SetOutput(0, Tensor::Scalar<Variant>(Variant(std::move(hold))));
      }
      done(std::move(s));
    });
  }
};

struct ConsumeMutexLock {
  absl::Status Run(KernelContext& ctx) const {
    Tensor input = ctx.TakeInput(0);
    if (input.rank() != 0) {
      return InvalidArgument("Expected input to be a scalar, saw shape: ", input.shape());
    }
    auto& lock = *input.mutable_data<Variant>();
    if (lock.get_if<MutexHold>() == nullptr) {
      return InvalidArgument("Expected input to contain a SharedLockReleaser object, but saw ",
                             "variant: '", lock.empty() ? "<empty>" : lock.get()->type_name(), "'");
    }
    if (!input.unique() || lock.get_if_unique<MutexHold>() == nullptr) {
      return InvalidArgument("Expected use count of lock to be 1, but saw: more");
    }
    return absl::OkStatus();
  }
};

}  // namespace

void RegisterMutexes(KernelRegistry& kernels) {
  kernels.Add<NewMutex>("MutexV2", kCpu, {}, kCheap);
  kernels.Add<MutexLock>("MutexLock", kCpu, {}, kCheap);
  kernels.Add<ConsumeMutexLock>("ConsumeMutexLock", kCpu, {}, kCheap);
}

}  // namespace sluice::kernels
