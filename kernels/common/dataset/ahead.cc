// SPDX-License-Identifier: Apache-2.0
#include "kernels/common/dataset/ahead.h"

#include <algorithm>
#include <deque>
#include <thread>
#include <utility>

#include "absl/synchronization/mutex.h"
#include "core/threads/blocking_threads.h"
#include "kernels/common/dataset/call_limit.h"
#include "kernels/common/dataset/stage_record.h"
#include "kernels/common/dataset/stats_sink.h"
#include "kernels/common/dataset/tuning_budget.h"

namespace sluice::kernels {
namespace {

constexpr int64_t kMostTuned = 512;

// An element that is being made.
struct Slot {
  bool made = false;
  absl::StatusOr<bool> result = false;
  Element element;

  // Of a slot that is made.
  absl::Status SaveOrRestore(SavedState& state) {
    made = true;
    return state.Fields("Slot", result, element);
  }
};

int64_t BytesOf(const Element& element) {
  int64_t bytes = 0;
  for (const Tensor& part : element) bytes += static_cast<int64_t>(part.bytes());
  return bytes;
}

// The line of slots between the workers and the consumer.
//
// Owner:    the stage, its workers, and the callback of the cancellation.
// Threads:  any.
class Line : public std::enable_shared_from_this<Line> {
 public:
  Line(std::unique_ptr<Work> work, const AheadOptions& options, const Running& running)
      : work_(std::move(work)),
        record_(running.record),
        budget_(running.budget),
        buffer_stats_(StatsIf(options.stats == AheadStats::kBuffer, running)),
        call_stats_(StatsIf(options.stats == AheadStats::kCalls, running)),
        workers_(std::max<int64_t>(1, options.workers)),
        any_order_(IsAnyOrder(options.order, running)),
        grows_(options.autotune),
        tuned_(options.autotune || options.all_cpus),
        limit_(std::max<int64_t>(1, options.elements)) {
    if (record_ != nullptr) record_->AddLine(workers_);
  }

  absl::StatusOr<bool> Next(Element& element, const CancelToken& cancel) {
    if (!buffer_stats_) return Take(element, cancel, nullptr);
    Fill fill;
    absl::StatusOr<bool> result = Take(element, cancel, &fill);
    if (fill.made > 0) RecordFill(fill);
    return result;
  }
  bool MayGive() const {
    absl::MutexLock lock(&mu_);
    return begun_ && Ready();
  }
  void Cancel() {
    absl::MutexLock lock(&mu_);
    cancelled_ = true;
  }
  // The workers pause meanwhile: the elements that they make are saved too.
  absl::Status SaveOrRestore(SavedState& state, const CancelToken& cancel) {
    absl::MutexLock lock(&mu_);
    paused_ = true;
    mu_.Await(absl::Condition(this, &Line::AtRest));
    absl::Status status = cancelled_ ? cancel.status() : SaveOrRestoreSlots(state);
    paused_ = false;
    return status;
  }
  // Waits for the workers.
  void Stop() {
    absl::MutexLock lock(&mu_);
    ended_ = true;
    mu_.Await(absl::Condition(this, &Line::Idle));
    work_.reset();
    if (budget_ != nullptr) budget_->Release(std::exchange(reserved_, 0));
    if (record_ != nullptr) record_->RemoveLine(workers_);
  }

 private:
  // What was made when an element was taken.
  struct Fill {
    int64_t made = 0;
    int64_t limit = 0;
    int64_t number = 0;  // of the element
  };

  static StageStats StatsIf(bool wanted, const Running& running) {
    return wanted ? StageStats(running.stats, running.name) : StageStats();
  }
  // `fill` may be null.
  absl::StatusOr<bool> Take(Element& element, const CancelToken& cancel, Fill* fill) {
    absl::MutexLock lock(&mu_);
    if (!std::exchange(begun_, true)) StartWorker();
    if (grows_ && !HasMade() && was_full_ && limit_ < kMostTuned && Reserve(2 * limit_)) {
      limit_ *= 2;
      was_full_ = false;
    }
    mu_.Await(absl::Condition(this, &Line::Ready));
    if (cancelled_) return cancel.status();
    const auto found = FirstMade();
    if (found == slots_.end()) return false;  // the input has ended
    if (fill != nullptr) *fill = {CountMade(), limit_, given_++};
    const std::shared_ptr<Slot> slot = *found;
    slots_.erase(found);
    if (slot->result.ok() && !*slot->result) {  // the data set ends here
      ended_ = true;
      slots_.clear();
    }
    element = std::move(slot->element);
    return slot->result;
  }
  int64_t CountMade() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) {
    return std::count_if(slots_.begin(), slots_.end(), [](const auto& slot) { return slot->made; });
  }
  void RecordFill(const Fill& fill) const {
    const auto made = static_cast<float>(fill.made), limit = static_cast<float>(fill.limit);
    buffer_stats_.Add("buffer_utilization", std::min(1.0F, made / limit), fill.number);
    buffer_stats_.Set("buffer_size", made, fill.number);
    buffer_stats_.Set("buffer_capacity", limit, fill.number);
  }
  // `change`: a call begins, 1, or ends, -1. The lock keeps the values in order.
  void RecordCall(int64_t change) {
    if (!call_stats_) return;
    absl::MutexLock lock(&calls_mu_);
    calls_ += change;
    const double part = static_cast<double>(calls_) / static_cast<double>(workers_);
    call_stats_.Set("thread_utilization", part, calls_ended_);
    if (change < 0) ++calls_ended_;
  }

  // Whether the budget has memory for so many elements of the largest size so far.
  bool Reserve(int64_t elements) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) {
    const int64_t more = elements * element_bytes_ - reserved_;
    if (budget_ == nullptr || more <= 0) return true;
    if (!budget_->Reserve(more)) return false;
    reserved_ += more;
    return true;
  }
  // Fewer elements are made if the budget has no memory for larger ones. One is always made.
  void Measure(const Element& element) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) {
    const int64_t bytes = BytesOf(element);
    if (bytes <= element_bytes_) return;
    element_bytes_ = bytes;
    while (!Reserve(limit_) && limit_ > 1) limit_ /= 2;
  }
  bool Idle() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) { return active_ == 0; }
  bool AtRest() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) {
    const auto made = [](const std::shared_ptr<Slot>& slot) { return slot->made; };
    return cancelled_ || (!taking_ && std::all_of(slots_.begin(), slots_.end(), made));
  }
  absl::Status SaveOrRestoreSlots(SavedState& state) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) {
    SLUICE_RETURN_IF_ERROR(work_->SaveOrRestore(state));
    auto count = static_cast<int64_t>(slots_.size());
    SLUICE_RETURN_IF_ERROR(state.Fields("Ahead", ended_, limit_, count));
    for (int64_t i = 0; i < count; ++i) {
      if (state.restoring()) slots_.push_back(std::make_shared<Slot>());
      SLUICE_RETURN_IF_ERROR(slots_[static_cast<size_t>(i)]->SaveOrRestore(state));
    }
    return absl::OkStatus();
  }
  bool HasMade() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) {
    return !slots_.empty() && slots_.front()->made;
  }
  std::deque<std::shared_ptr<Slot>>::iterator FirstMade() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) {
    const auto made = [](const std::shared_ptr<Slot>& slot) { return slot->made; };
    if (any_order_) return std::find_if(slots_.begin(), slots_.end(), made);
    return HasMade() ? slots_.begin() : slots_.end();
  }
  bool Ready() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) {
    if (cancelled_ || (slots_.empty() && ended_)) return true;
    if (!any_order_) return HasMade();
    return std::any_of(slots_.begin(), slots_.end(), [](const auto& slot) { return slot->made; });
  }
  // A single worker that has filled the line rests until half of it is empty: it is woken less
  // often.
  int64_t TakesBelow() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) {
    return rests_ && workers_ == 1 ? limit_ / 2 + 1 : limit_;
  }
  bool MayTake() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) {
    return ended_ || cancelled_ ||
           (!taking_ && !paused_ && static_cast<int64_t>(slots_.size()) < TakesBelow());
  }
  void StartWorker() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) {
    ++active_;
    ++free_;
    RunBlocking([self = shared_from_this()] { self->WorkUntilTheEnd(); });
  }

  // Adds the time of a worker to one of the record's sums.
  class Counted {
   public:
    Counted(StageRecord* record, TickSum StageRecord::*sum)
        : sum_(record == nullptr ? nullptr : &(record->*sum)) {
      if (sum_ != nullptr) sum_->Begin();
    }
    ~Counted() {
      if (sum_ != nullptr) sum_->End();
    }
    Counted(const Counted&) = delete;
    Counted& operator=(const Counted&) = delete;

   private:
    TickSum* const sum_;
  };

  absl::StatusOr<bool> Make(Element& element) {
    const Counted making(record_, &StageRecord::making);
    RecordCall(1);
    absl::StatusOr<bool> made = work_->Make(element);
    RecordCall(-1);
    return made;
  }
  void AwaitTurn() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) {
    if (MayTake()) return;
    const bool full = static_cast<int64_t>(slots_.size()) >= limit_;
    const Counted waiting(full ? record_ : nullptr, &StageRecord::no_room);
    mu_.Await(absl::Condition(this, &Line::MayTake));
  }
  void WorkUntilTheEnd() {
    absl::MutexLock lock(&mu_);
    for (;;) {
      AwaitTurn();
      rests_ = false;
      if (ended_ || cancelled_) break;
      const TickClock::User clock;
      auto slot = std::make_shared<Slot>();
      taking_ = true;
      --free_;
      mu_.Unlock();
      {
        const Counted reading(record_, &StageRecord::reading);
        slot->result = work_->Take(slot->element);
      }
      mu_.Lock();
      taking_ = false;
      if (slot->result.ok() && !*slot->result) {
        ended_ = true;
        ++free_;
        break;
      }
      slots_.push_back(slot);
      if (static_cast<int64_t>(slots_.size()) >= limit_) was_full_ = rests_ = true;
      // While this one makes its element, another takes the next.
      if (free_ == 0 && active_ < std::min(workers_, limit_) && !ended_) StartWorker();
      if (slot->result.ok()) {
        mu_.Unlock();
        absl::StatusOr<bool> result = Make(slot->element);
        mu_.Lock();
        slot->result = std::move(result);
      }
      if (tuned_) Measure(slot->element);
      slot->made = true;
      ++free_;
    }
    --free_;
    --active_;
  }

  std::unique_ptr<Work> work_;
  StageRecord* const record_;
  TuningBudget* const budget_;  // null: none
  const StageStats buffer_stats_, call_stats_;
  const int64_t workers_;
  const bool any_order_;
  const bool grows_;  // limit_ grows
  const bool tuned_;  // limit_ follows the budget

  mutable absl::Mutex mu_;
  std::deque<std::shared_ptr<Slot>> slots_ ABSL_GUARDED_BY(mu_);  // in the order of the input
  int64_t limit_ ABSL_GUARDED_BY(mu_);
  int64_t active_ ABSL_GUARDED_BY(mu_) = 0;
  int64_t free_ ABSL_GUARDED_BY(mu_) = 0;           // workers without an element
  int64_t element_bytes_ ABSL_GUARDED_BY(mu_) = 0;  // of the largest element
  int64_t reserved_ ABSL_GUARDED_BY(mu_) = 0;       // of the budget
  int64_t given_ ABSL_GUARDED_BY(mu_) = 0;          // elements, if the buffer has statistics
  bool begun_ ABSL_GUARDED_BY(mu_) = false;
  bool taking_ ABSL_GUARDED_BY(mu_) = false;    // a worker reads the input
  bool was_full_ ABSL_GUARDED_BY(mu_) = false;  // since `limit_` grew
  bool rests_ ABSL_GUARDED_BY(mu_) = false;     // full, and not yet half empty
  bool ended_ ABSL_GUARDED_BY(mu_) = false;     // no worker takes more
  bool cancelled_ ABSL_GUARDED_BY(mu_) = false;
  bool paused_ ABSL_GUARDED_BY(mu_) = false;  // no worker takes more for now

  absl::Mutex calls_mu_;
  int64_t calls_ ABSL_GUARDED_BY(calls_mu_) = 0;  // now
  int64_t calls_ended_ ABSL_GUARDED_BY(calls_mu_) = 0;
};

class AheadStage final : public Stage {
 public:
  AheadStage(std::unique_ptr<Work> work, const AheadOptions& options, const Running& running)
      : running_(running),
        line_(std::make_shared<Line>(std::move(work), options, running)),
        registered_(running.cancel().Register([line = line_](const auto&) { line->Cancel(); })) {
    if (registered_ == 0) line_->Cancel();
  }
  ~AheadStage() override {
    if (registered_ != 0) running_.cancel().Deregister(registered_);
    line_->Stop();
  }
  absl::StatusOr<bool> Next(Element& element) override {
    return line_->Next(element, running_.cancel());
  }
  bool Ready() const override { return line_->MayGive(); }
  absl::Status SaveOrRestore(SavedState& state) override {
    return line_->SaveOrRestore(state, running_.cancel());
  }

 private:
  const Running running_;
  const std::shared_ptr<Line> line_;
  const int64_t registered_;
};

constexpr int64_t kAllCores = -1;
constexpr int64_t kMostCalls = int64_t{1} << 30;

int64_t ScalarOf(const Tensor& tensor) {
  return tensor.dtype() == kInt32 ? tensor.scalar<int32_t>() : tensor.scalar<int64_t>();
}

}  // namespace

std::unique_ptr<Stage> WorkAhead(std::unique_ptr<Work> work, const AheadOptions& options,
                                 const Running& running) {
  AheadOptions tuned = options;
  if (options.all_cpus && running.budget != nullptr)
    tuned.workers = tuned.elements = running.budget->cpus();
  // One more reads the input.
  if (running.limit != nullptr) tuned.workers = std::min(tuned.workers, running.limit->most() + 1);
  return std::make_unique<AheadStage>(std::move(work), tuned, running);
}

std::unique_ptr<Stage> PrefetchOf(std::unique_ptr<Stage> input, int64_t elements, bool autotune,
                                  const Running& running, AheadStats stats) {
  AheadOptions options;
  options.stats = stats;
  options.elements = elements;
  options.autotune = autotune;
  return WorkAhead(std::make_unique<Work>(std::move(input)), options, running);
}

Order OrderOf(const NodeSpec& node) {
  if (GetAttrOr<bool>(node.attrs, "sloppy", false)) return Order::kAny;
  const auto stated = GetAttrOr<std::string>(node.attrs, "deterministic", "default");
  if (stated == "true") return Order::kInput;
  return stated == "false" ? Order::kAny : Order::kByOption;
}

bool IsAnyOrder(Order order, const Running& running) {
  return order == Order::kAny || (order == Order::kByOption && running.rewrites.any_order);
}

int64_t NumCores() { return std::max<int64_t>(1, std::thread::hardware_concurrency()); }

absl::StatusOr<int64_t> CallsInput(const KernelContext& ctx, int i) {
  const Tensor& input = ctx.input(i);
  if (input.rank() != 0) return InvalidArgument("num_parallel_calls must be a scalar");
  if (IsAutotuned(ctx, i)) return NumCores();
  const int64_t calls = ScalarOf(input);
  if (calls > 0) return std::min(calls, kMostCalls);
  return InvalidArgument("num_parallel_calls must be greater than zero.");
}

bool IsAutotuned(const KernelContext& ctx, int i) {
  return ctx.input(i).rank() == 0 && ScalarOf(ctx.input(i)) == kAllCores;
}

}  // namespace sluice::kernels
