// SPDX-License-Identifier: Apache-2.0
#include "kernels/common/waitable_resource.h"

#include <utility>

#include "core/runtime/device.h"
#include "kernels/common/variables.h"

namespace sluice::kernels {

struct WaitableResource::Waiter : RefCounted {
  Waiter(RefPtr<WaitableResource> resource, const KernelContext& ctx, Request request, Done done)
      : resource(std::move(resource)),
        cancel(&ctx.cancel()),
        pool(ctx.pool()),
        request(std::move(request)),
        done(std::move(done)) {}

  // The last code that uses the step.
  void End() {
    if (cancel_id != 0) cancel->Deregister(cancel_id);
    request = Request();
    std::exchange(done, nullptr)(std::move(result));
  }

  const RefPtr<WaitableResource> resource;
  CancelToken* const cancel;  // lives until `done`
  WorkQueue* const pool;      // null if there is none
  Request request;
  Done done;
  int64_t cancel_id = 0;
  bool in_line = false;
  Line* line = nullptr;
  Line::iterator place;
  absl::Status result;
};

WaitableResource::WaitableResource(int num_lines) : lines_(static_cast<size_t>(num_lines)) {}

WaitableResource::~WaitableResource() = default;

void WaitableResource::Join(int line, KernelContext& ctx, Request request, Done done) {
  auto waiter = MakeRefCounted<Waiter>(RefPtr<WaitableResource>(this), ctx, std::move(request),
                                       std::move(done));
  Ended ended;
  {
    absl::MutexLock lock(&mu_);
    waiter->line = &lines_[static_cast<size_t>(line)];
    waiter->place = waiter->line->insert(waiter->line->end(), waiter);
    waiter->in_line = true;
    Advance();
    if (waiter->in_line) {
      // The token runs callbacks without its lock, so this code may call it under ours.
      waiter->cancel_id = waiter->cancel->Register(
          [waiter](const absl::Status& why) { waiter->resource->StepCancelled(waiter, why); });
      if (waiter->cancel_id == 0) {
        Leave(waiter, CancelledWait(*waiter, ""));
        Advance();
      }
    }
    ended.swap(ended_);
  }
  Deliver(std::move(ended));
}

void WaitableResource::Change(absl::FunctionRef<void()> change) {
  // a request that ends may hold the last reference to it
  const RefPtr<WaitableResource> self(this);
  Ended ended;
  {
    absl::MutexLock lock(&mu_);
    change();
    Advance();
    ended.swap(ended_);
  }
  Deliver(std::move(ended));
}

void WaitableResource::CancelAll(int line) {
  Line& all = lines_[static_cast<size_t>(line)];
  while (!all.empty()) {
    const RefPtr<Waiter> waiter = all.front();
    Leave(waiter, CancelledWait(*waiter, ""));
  }
}

void WaitableResource::Advance() {
  bool moved = true;
  while (moved) {
    moved = false;
    for (Line& line : lines_) moved = AdvanceLine(line) || moved;
  }
}

bool WaitableResource::AdvanceLine(Line& line) {
  bool moved = false;
  for (auto place = line.begin(); place != line.end();) {
    const RefPtr<Waiter> next = *place++;
    absl::Status result;
    const Progress progress = next->request.attempt(result);
    moved = moved || progress != Progress::kNone;
    if (progress == Progress::kEnded) {
      next->request.give_back = nullptr;
      Leave(next, std::move(result));
    } else if (!line.bypass) {
      break;
    }
  }
  return moved;
}

void WaitableResource::Leave(const RefPtr<Waiter>& waiter, absl::Status result) {
  waiter->line->erase(waiter->place);
  waiter->in_line = false;
  waiter->result = std::move(result);
  if (waiter->request.give_back) waiter->request.give_back();
  ended_.push_back(waiter);
}

void WaitableResource::StepCancelled(const RefPtr<Waiter>& waiter, const absl::Status& why) {
  Ended ended;
  {
    absl::MutexLock lock(&mu_);
    if (!waiter->in_line) return;  // it ended in the meantime
    absl::Status result = CancelledWait(*waiter, why.message());
    if (absl::IsDeadlineExceeded(why)) result = DeadlineExceeded(result.message());
    // Only the first request of a line blocks others. Ten thousand may be cancelled at once.
    const bool others_may_go_on =
        waiter->request.give_back || (!waiter->line->bypass && waiter->line->front() == waiter);
    Leave(waiter, IsDerived(why) ? MarkDerived(std::move(result)) : std::move(result));
    if (others_may_go_on) Advance();
    ended.swap(ended_);
  }
  Deliver(std::move(ended));
}

absl::Status WaitableResource::CancelledWait(const Waiter& waiter, absl::string_view why) const {
  return Cancelled(waiter.request.operation, " operation was cancelled", why.empty() ? "" : ": ",
                   why, " (it waited for ", ToString(), ")");
}

// A `done` may end other waiters, and their `done` others in turn. Each thread has a list of them.
// Otherwise ten thousand kernels that each wake the next would need as many stack frames. The
// thread belongs to others: two loops that wake each other for ever continue in the pool.
void WaitableResource::Deliver(Ended ended) {
  constexpr size_t kOnThisThread = 100;
  static thread_local Ended* pending = nullptr;
  if (pending != nullptr) {
    for (RefPtr<Waiter>& waiter : ended) pending->push_back(std::move(waiter));
    return;
  }
  pending = &ended;
  for (size_t i = 0; i < ended.size(); ++i) {
    RefPtr<Waiter> next = std::exchange(ended[i], nullptr);
    WorkQueue* const pool = next->pool;
    if (i < kOnThisThread || pool == nullptr)
      next->End();
    else
      pool->Schedule([next = std::move(next)] { next->End(); });
  }
  pending = nullptr;
}

namespace {

absl::StatusOr<Tensor> Kept(const Tensor& value) {
  const RefPtr<Buffer>& buffer = value.buffer();
  if (!buffer || !IsPlain(value.dtype())) return value;
  if (buffer->guard()) return value.Snapshot();
  // Part of a larger buffer, or foreign memory: keeping it would keep the whole buffer.
  return buffer->allocator() == nullptr ? value.Copy() : value;
}

struct Gathered {
  KernelContext& ctx;
  int at, end;
  absl::AnyInvocable<void(absl::StatusOr<std::vector<Tensor>>)> next;
  std::vector<Tensor> values;
};

void GatherFromDevice(std::unique_ptr<Gathered> all) {
  if (all->at == all->end) return all->next(std::move(all->values));
  KernelContext& ctx = all->ctx;
  const Tensor& input = ctx.input(all->at);
  ctx.device().CopyToHost(input, [all = std::move(all)](absl::StatusOr<Tensor> value) mutable {
    if (!value.ok()) return all->next(value.status());
    all->values.push_back(*std::move(value));
    ++all->at;
    GatherFromDevice(std::move(all));
  });
}

}  // namespace

void KeepInputs(KernelContext& ctx, int first, int count,
                absl::AnyInvocable<void(absl::StatusOr<std::vector<Tensor>>)> next) {
  if (ctx.device().has_own_memory()) {
    return GatherFromDevice(
        std::unique_ptr<Gathered>(new Gathered{ctx, first, first + count, std::move(next), {}}));
  }
  std::vector<Tensor> values;
  for (int i = first; i < first + count; ++i) {
    absl::StatusOr<Tensor> value = Kept(ctx.input(i));
    if (!value.ok()) return next(value.status());
    values.push_back(*std::move(value));
  }
  next(std::move(values));
}

}  // namespace sluice::kernels
