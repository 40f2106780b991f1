// SPDX-License-Identifier: Apache-2.0
// Data sets whose function makes a data set of each element: flat_map and interleave.
#include <algorithm>
#include <deque>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "core/op/op_def.h"
#include "core/runtime/kernel_registry.h"
#include "core/threads/blocking_threads.h"
#include "kernels/any/dataset/register.h"
#include "kernels/common/dataset/ahead.h"
#include "kernels/common/dataset/captured_function.h"
#include "kernels/common/dataset/stats_sink.h"

namespace sluice::kernels {
namespace {

using Input = RefPtr<const DataSet>;

// A data set that a function made, and the run through it.
struct Inner {
  Element args;  // that it was made of
  Input set;
  std::unique_ptr<Stage> stage;  // null: none
  bool failed = false;           // it could not be opened: it gives the failure, and ends
  absl::Status failure;

  // Of `args`; `ahead` elements are read before they are asked for.
  absl::Status Begin(const StageFunction& function, const ElementSpec& wanted, int64_t ahead,
                     const Running& running, uint64_t branch) {
    SLUICE_ASSIGN(const Element results, function.Call(args));
    SLUICE_ASSIGN(set, DataSetOf(results));
    SLUICE_RETURN_IF_ERROR(wanted.Accepts(set->spec()));
    SLUICE_ASSIGN(stage, set->Begin(running, branch));
    if (ahead > 0) stage = PrefetchOf(std::move(stage), ahead, /*autotune=*/false, running);
    return absl::OkStatus();
  }
  void End() {
    stage.reset();
    set.reset();
    args.clear();
  }
};

struct Cycle {
  int64_t length = 1;  // inner data sets at a time
  int64_t block = 1;   // elements of each in turn
  int64_t ahead = 0;   // elements of each that are read ahead; 0: none
  int64_t calls = 0;   // that TensorFlow would make at a time, for statistics; 0: they have none
  Order order = Order::kInput;
  bool passes_block = false;  // one that ends without a successor leaves its block to the next one
  bool new_places = false;    // each inner data set is a place of its own, not each turn
  bool counted = false;       // has no end if the input has none; 1.15 does not know that
};

// Records which part of the calls reads an inner data set.
//
// Threads:  one at a time.
class BusyCalls {
 public:
  BusyCalls(const Running& running, int64_t calls)
      : stats_(calls > 0 ? StageStats(running.stats, running.name) : StageStats()), calls_(calls) {}

  explicit operator bool() const { return static_cast<bool>(stats_); }
  void Record(int64_t busy) {
    const auto part = static_cast<double>(std::min(busy, calls_)) / static_cast<double>(calls_);
    stats_.Set("thread_utilization", part, given_++);
  }

 private:
  const StageStats stats_;
  const int64_t calls_;
  int64_t given_ = 0;
};

// Inner data sets that are read at once, each by a worker, and the elements that they have given.
//
// Owner:    the stage, its workers, and the callback of the cancellation.
// Threads:  any.
class OpenSets : public std::enable_shared_from_this<OpenSets> {
 public:
  OpenSets(const ElementSpec& spec, const Cycle& cycle, std::unique_ptr<Stage> input,
           StageFunction function, const Running& running)
      : spec_(spec),
        cycle_(cycle),
        running_(running.Nested()),
        input_(std::move(input)),
        function_(std::move(function)),
        places_(static_cast<size_t>(cycle.length)) {}

  absl::StatusOr<bool> Next(Element& element) {
    absl::MutexLock lock(&mu_);
    if (!std::exchange(begun_, true)) {
      for (size_t i = 0; i < places_.size(); ++i) {
        if (places_[i].inner.stage != nullptr) StartWorker(i);
      }
      StartNext();
    }
    mu_.Await(absl::Condition(this, &OpenSets::Ready));
    if (cancelled_) return cancel().status();
    if (made_.empty()) return false;
    Made next = std::move(made_.front());
    made_.pop_front();
    --places_[next.place].made;
    element = std::move(next.element);
    return next.result;
  }
  bool MayGive() const {
    absl::MutexLock lock(&mu_);
    return begun_ && Ready();
  }
  // The workers pause meanwhile.
  absl::Status SaveOrRestore(SavedState& state) {
    absl::MutexLock lock(&mu_);
    paused_ = true;
    mu_.Await(absl::Condition(this, &OpenSets::AtRest));
    absl::Status status = cancelled_ ? cancel().status() : SaveOrRestoreSets(state);
    paused_ = false;
    return status;
  }
  void Cancel() {
    absl::MutexLock lock(&mu_);
    cancelled_ = true;
  }
  // Waits for the workers.
  void Stop() {
    absl::MutexLock lock(&mu_);
    stopped_ = true;
    mu_.Await(absl::Condition(this, &OpenSets::Idle));
    places_.clear();
    input_.reset();
  }
  CancelToken& cancel() const { return running_.cancel(); }
  int64_t busy() const {
    absl::MutexLock lock(&mu_);
    return busy_;
  }

 private:
  struct Place {
    Inner inner;
    int64_t made = 0;  // of its elements that were not given yet
    bool started = false;
  };
  struct Made {
    size_t place = 0;
    absl::StatusOr<bool> result = false;
    Element element;
  };

  bool Idle() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) { return active_ == 0; }
  bool Ready() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) {
    return cancelled_ || !made_.empty() || active_ == 0;
  }
  bool AtRest() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) { return cancelled_ || busy_ == 0; }
  bool MayWork(const Place& place) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) {
    if (cancelled_ || stopped_) return true;
    if (paused_ || place.made >= cycle_.ahead) return false;
    return place.inner.stage != nullptr || input_ended_ || !taking_;
  }
  absl::Status SaveOrRestoreSets(SavedState& state) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) {
    SLUICE_RETURN_IF_ERROR(input_->SaveOrRestore(state));
    auto count = static_cast<int64_t>(made_.size());
    SLUICE_RETURN_IF_ERROR(state.Fields("OpenSets", elements_, input_ended_, count));
    for (int64_t i = 0; i < count; ++i) {
      if (state.restoring()) made_.emplace_back();
      Made& made = made_[static_cast<size_t>(i)];
      SLUICE_RETURN_IF_ERROR(state.Field(made.place));
      SLUICE_RETURN_IF_ERROR(state.Field(made.result));
      SLUICE_RETURN_IF_ERROR(state.Field(made.element));
      if (made.place >= places_.size()) return InvalidArgument("no data set is at ", made.place);
      if (state.restoring()) ++places_[made.place].made;
    }
    for (Place& place : places_) {
      bool open = place.inner.stage != nullptr;
      SLUICE_RETURN_IF_ERROR(state.Field(open));
      if (!open) continue;
      SLUICE_RETURN_IF_ERROR(state.Field(place.inner.args));
      if (state.restoring()) SLUICE_RETURN_IF_ERROR(Begin(place, elements_));
      SLUICE_RETURN_IF_ERROR(place.inner.stage->SaveOrRestore(state));
    }
    return absl::OkStatus();
  }
  absl::Status Begin(Place& place, uint64_t branch) const {
    return place.inner.Begin(function_, spec_, /*ahead=*/0, running_, branch);
  }

  void StartWorker(size_t i) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) {
    places_[i].started = true;
    ++active_;
    RunBlocking([self = shared_from_this(), i] { self->Work(i); });
  }
  // A worker for one more data set.
  void StartNext() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) {
    for (size_t i = 0; i < places_.size() && !input_ended_; ++i) {
      if (places_[i].started) continue;
      return StartWorker(i);
    }
  }
  void Work(size_t i) {
    absl::MutexLock lock(&mu_);
    Place& place = places_[i];
    const auto may_work = [this, &place] {
      mu_.AssertHeld();
      return MayWork(place);
    };
    for (;;) {
      mu_.Await(absl::Condition(&may_work));
      if (cancelled_ || stopped_) break;
      ++busy_;
      if (place.inner.stage != nullptr)
        Read(i, place);
      else if (!input_ended_)
        Open(i, place);
      --busy_;
      if (place.inner.stage == nullptr && input_ended_) break;
    }
    --active_;
  }
  void Read(size_t i, Place& place) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) {
    mu_.Unlock();
    Element element;
    const absl::StatusOr<bool> more = place.inner.stage->Next(element);
    if (more.ok() && !*more) place.inner.End();
    mu_.Lock();
    if (!more.ok() || *more) Give(i, more, std::move(element));
  }
  void Open(size_t i, Place& place) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) {
    taking_ = true;
    mu_.Unlock();
    const absl::StatusOr<bool> more = input_->Next(place.inner.args);
    mu_.Lock();
    taking_ = false;
    if (!more.ok()) return Give(i, more, {});
    if (!*more) {
      input_ended_ = true;
      return;
    }
    const uint64_t branch = ++elements_;
    StartNext();
    mu_.Unlock();
    const absl::Status status = Begin(place, branch);
    if (!status.ok()) place.inner.End();
    mu_.Lock();
    if (!status.ok()) Give(i, status, {});
  }
  void Give(size_t i, absl::StatusOr<bool> result, Element element)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) {
    ++places_[i].made;
    made_.push_back({i, std::move(result), std::move(element)});
  }

  const ElementSpec& spec_;
  const Cycle cycle_;
  const Running running_;
  std::unique_ptr<Stage> input_;  // read by the worker that set taking_
  const StageFunction function_;

  mutable absl::Mutex mu_;
  std::vector<Place> places_;  // the inner data set of each belongs to its worker
  std::deque<Made> made_ ABSL_GUARDED_BY(mu_);
  int64_t active_ ABSL_GUARDED_BY(mu_) = 0, busy_ ABSL_GUARDED_BY(mu_) = 0;  // workers
  uint64_t elements_ ABSL_GUARDED_BY(mu_) = 0;                               // of the input
  bool begun_ ABSL_GUARDED_BY(mu_) = false;
  bool taking_ ABSL_GUARDED_BY(mu_) = false;
  bool paused_ ABSL_GUARDED_BY(mu_) = false;
  bool input_ended_ ABSL_GUARDED_BY(mu_) = false;
  bool cancelled_ ABSL_GUARDED_BY(mu_) = false, stopped_ ABSL_GUARDED_BY(mu_) = false;
};

// The elements of the inner data sets as soon as they are made. State: the elements that were made,
// and the inner data sets.
class AsReady final : public Stage {
 public:
  AsReady(std::shared_ptr<OpenSets> sets, const BusyCalls& calls)
      : sets_(std::move(sets)),
        calls_(calls),
        registered_(sets_->cancel().Register([sets = sets_](const auto&) { sets->Cancel(); })) {
    if (registered_ == 0) sets_->Cancel();
  }
  ~AsReady() override {
    if (registered_ != 0) sets_->cancel().Deregister(registered_);
    sets_->Stop();
  }
  absl::StatusOr<bool> Next(Element& element) override {
    absl::StatusOr<bool> more = sets_->Next(element);
    if (calls_) calls_.Record(sets_->busy());
    return more;
  }
  bool Ready() const override { return sets_->MayGive(); }
  absl::Status SaveOrRestore(SavedState& state) override { return sets_->SaveOrRestore(state); }

 private:
  const std::shared_ptr<OpenSets> sets_;
  BusyCalls calls_;
  const int64_t registered_;
};

// The elements of the inner data sets in turn. The parallel forms give them in the same order, but
// read ahead in all that are open. FlatMapDataset has one at a time.
//
// State: the inner data sets, whose turn it is, and how many elements its block has had.
class Interleave final : public DataSet {
 public:
  Interleave(ElementSpec spec, Input input, CapturedFunction function, const Cycle& cycle)
      : DataSet(std::move(spec)),
        input_(std::move(input)),
        function_(std::move(function)),
        cycle_(cycle) {}
  int64_t Cardinality() const override {
    return cycle_.counted && input_->Cardinality() == kInfinite ? kInfinite : kUnknown;
  }
  absl::StatusOr<std::unique_ptr<Stage>> BeginAt(const Running& running) const override {
    SLUICE_ASSIGN(auto input, input_->Begin(running));
    SLUICE_ASSIGN(StageFunction function, StageFunction::Create(function_, running));
    if (cycle_.ahead > 0 && IsAnyOrder(cycle_.order, running)) {
      return std::make_unique<AsReady>(std::make_shared<OpenSets>(spec(), cycle_, std::move(input),
                                                                  std::move(function), running),
                                       BusyCalls(running, cycle_.calls));
    }
    return std::make_unique<Run>(*this, std::move(input), std::move(function), running);
  }

 private:
  class Run final : public Stage {
   public:
    Run(const Interleave& set, std::unique_ptr<Stage> input, StageFunction function,
        const Running& running)
        : set_(set),
          input_(std::move(input)),
          function_(std::move(function)),
          running_(running.Nested()),
          calls_(running, set.cycle_.calls),
          inner_(static_cast<size_t>(set.cycle_.length)) {}

    absl::StatusOr<bool> Next(Element& element) override {
      absl::StatusOr<bool> more = Read(element);
      if (calls_) calls_.Record(CountBusy());
      return more;
    }
    absl::Status SaveOrRestore(SavedState& state) override {
      SLUICE_RETURN_IF_ERROR(input_->SaveOrRestore(state));
      SLUICE_RETURN_IF_ERROR(
          state.Fields("Interleave", opened_, turn_, in_block_, elements_, input_ended_));
      if (turn_ >= inner_.size()) return InvalidArgument("no data set has the turn ", turn_);
      for (Inner& inner : inner_) {
        bool open = inner.stage != nullptr;
        SLUICE_RETURN_IF_ERROR(state.Field(open));
        SLUICE_RETURN_IF_ERROR(state.Field(inner.failed));
        if (inner.failed) {
          SLUICE_RETURN_IF_ERROR(state.Field(inner.failure));
          if (state.restoring()) ++open_;
        }
        if (!open) continue;
        SLUICE_RETURN_IF_ERROR(state.Field(inner.args));
        if (state.restoring()) SLUICE_RETURN_IF_ERROR(Begin(inner));
        SLUICE_RETURN_IF_ERROR(inner.stage->SaveOrRestore(state));
      }
      return absl::OkStatus();
    }

   private:
    absl::StatusOr<bool> Read(Element& element) {
      // All begin to read ahead. In turn, each would be opened with the same element.
      for (; set_.cycle_.ahead > 0 && !input_ended_ && opened_ < inner_.size(); ++opened_)
        SLUICE_RETURN_IF_ERROR(Open(inner_[opened_]));
      while (open_ > 0 || !input_ended_) {
        SLUICE_RETURN_IF_ERROR(running_.Check());
        Inner& inner = inner_[turn_];
        if (inner.failed) {
          if (in_block_ < set_.cycle_.block) {
            ++in_block_;
            if (!inner.failure.ok()) return std::exchange(inner.failure, absl::OkStatus());
            inner.failed = false;
            --open_;
          }
          MoveOn(inner);
          continue;
        }
        if (inner.stage != nullptr) {
          if (in_block_ == set_.cycle_.block) {
            MoveOn(inner);
            continue;
          }
          const absl::StatusOr<bool> more = inner.stage->Next(element);
          if (!more.ok() || *more) {
            // As in TensorFlow, an error keeps the turn, unless it was made ahead.
            if (more.ok() || set_.cycle_.ahead > 0) ++in_block_;
            return more;
          }
          inner.End();
          --open_;
          if (set_.cycle_.passes_block && !input_ended_) SLUICE_RETURN_IF_ERROR(Open(inner));
          MoveOn(inner);
          continue;
        }
        if (input_ended_) {
          MoveOn(inner);
          continue;
        }
        SLUICE_RETURN_IF_ERROR(Open(inner));
      }
      return false;
    }
    // Inner data sets whose next element is being made.
    int64_t CountBusy() const {
      return std::count_if(inner_.begin(), inner_.end(), [](const Inner& inner) {
        return inner.stage != nullptr && !inner.stage->Ready();
      });
    }
    // The next one's turn: with a block of its own, or with what is left of the block.
    void MoveOn(const Inner& from) {
      if (from.stage != nullptr || !set_.cycle_.passes_block) in_block_ = 0;
      turn_ = (turn_ + 1) % inner_.size();
    }
    // In a parallel form, as in TensorFlow, a failure waits for the turn of the one that it opens.
    absl::Status Open(Inner& inner) {
      absl::Status status = OpenNow(inner);
      const bool waits = set_.cycle_.ahead > 0 && !set_.cycle_.passes_block;
      if (status.ok() || !waits || absl::IsCancelled(status)) return status;
      inner.failed = true;
      inner.failure = std::move(status);
      ++open_;
      return absl::OkStatus();
    }
    absl::Status OpenNow(Inner& inner) {
      SLUICE_ASSIGN(const bool more, input_->Next(inner.args));
      if (!more) {
        input_ended_ = true;
        return absl::OkStatus();
      }
      ++elements_;
      return Begin(inner);
    }
    absl::Status Begin(Inner& inner) {
      const uint64_t branch =
          set_.cycle_.new_places ? elements_ : static_cast<uint64_t>(&inner - inner_.data());
      const absl::Status status =
          inner.Begin(function_, set_.spec(), set_.cycle_.ahead, running_, branch);
      if (status.ok())
        ++open_;
      else
        inner.End();
      return status;
    }

    const Interleave& set_;
    const std::unique_ptr<Stage> input_;
    const StageFunction function_;
    const Running running_;
    BusyCalls calls_;
    std::vector<Inner> inner_;
    int64_t open_ = 0;
    size_t opened_ = 0, turn_ = 0;
    int64_t in_block_ = 0;
    uint64_t elements_ = 0;  // of the input
    bool input_ended_ = false;
  };
  const Input input_;
  const CapturedFunction function_;
  const Cycle cycle_;
};

struct InterleaveDataset {
  static constexpr int64_t kMostInner = 1 << 12, kMostAhead = 1 << 16, kAutotune = -1;
  enum class Form { kFlatMap, kOneAtATime, kParallel, kBuffered };

  ElementSpec spec;
  FunctionAttr function;
  Form form;
  Order order;
  bool by_calls;  // a length of -1 follows the number of calls

  static absl::StatusOr<InterleaveDataset> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(ElementSpec spec, ElementSpec::Create(node));
    SLUICE_ASSIGN(FunctionAttr function, FunctionAttr::Create(node));
    const Form form = node.op == "FlatMapDataset"                               ? Form::kFlatMap
                      : node.op == "InterleaveDataset"                          ? Form::kOneAtATime
                      : node.op_def->inputs.back().name == "num_parallel_calls" ? Form::kParallel
                                                                                : Form::kBuffered;
    return InterleaveDataset{std::move(spec), std::move(function), form, OrderOf(node),
                             node.op == "ParallelInterleaveDatasetV4"};
  }

  // The length of -1, as in TensorFlow: as many as there are cores, or fewer for fewer calls. If
  // the number of calls is -1 too, those that are prefetched, two for each, need cores as well.
  int64_t AutotunedLength(int64_t calls) const {
    if (!by_calls) return NumCores();
    return calls == kAutotune ? (NumCores() + 2) / 3 : std::min(calls, NumCores());
  }

  // The last two inputs of the buffered form. It has no numbers that are tuned.
  static absl::Status ReadBuffers(const KernelContext& ctx, Cycle& cycle) {
    const int last = ctx.num_inputs() - 1;
    SLUICE_ASSIGN(cycle.ahead, ScalarInput<int64_t>(ctx, last - 1, "buffer_output_elements"));
    SLUICE_ASSIGN(const int64_t more, ScalarInput<int64_t>(ctx, last, "prefetch_input_elements"));
    if (cycle.length < 1) return InvalidArgument("`cycle_length` must be > 0");
    if (cycle.block < 1) return InvalidArgument("`block_length` must be > 0");
    if (cycle.ahead < 1) return InvalidArgument("`buffer_output_elements` must be > 0");
    if (more < 0) return InvalidArgument("`prefetch_input_elements` must be >= 0");
    return absl::OkStatus();
  }

  absl::StatusOr<Cycle> CycleOf(const KernelContext& ctx) const {
    Cycle cycle;
    cycle.new_places = form == Form::kFlatMap;
    cycle.passes_block = form == Form::kBuffered;
    cycle.order = order;
    cycle.counted = by_calls;
    if (form == Form::kFlatMap) return cycle;
    const int first = function.captures.end;
    SLUICE_ASSIGN(cycle.length, ScalarInput<int64_t>(ctx, first, "cycle_length"));
    SLUICE_ASSIGN(cycle.block, ScalarInput<int64_t>(ctx, first + 1, "block_length"));
    if (form == Form::kBuffered) SLUICE_RETURN_IF_ERROR(ReadBuffers(ctx, cycle));
    int64_t calls = 1;
    if (form == Form::kParallel) {
      SLUICE_ASSIGN(calls, ScalarInput<int64_t>(ctx, ctx.num_inputs() - 1, "num_parallel_calls"));
    }
    if (cycle.length == kAutotune) cycle.length = AutotunedLength(calls);
    if (cycle.length < 1) {
      return InvalidArgument("cycle_length must be greater than zero.");
    }
    if (cycle.block < 1) return InvalidArgument("block_length must be greater than zero.");
    if (cycle.length > kMostInner) {
      return InvalidArgument("cycle_length is ", cycle.length, ", the largest is ", kMostInner);
    }
    if (form == Form::kOneAtATime) return cycle;
    // The forms of 1.15 have an input for the order.
    if (ctx.input(first + 2).dtype() == kBool) {
      SLUICE_ASSIGN(const bool sloppy, ScalarInput<bool>(ctx, first + 2, "sloppy"));
      if (sloppy) cycle.order = Order::kAny;
    }
    if (form != Form::kBuffered) {
      if (calls <= 0 && calls != kAutotune) {
        return InvalidArgument("num_parallel_calls must be greater than zero.");
      }
      if (calls > cycle.length) {
        return InvalidArgument("num_parallel_calls must less than or equal to cycle_length.");
      }
    }
    if (form == Form::kParallel)
      cycle.calls = calls == kAutotune ? std::min(NumCores(), cycle.length) : calls;
    cycle.ahead = std::clamp<int64_t>(std::max(cycle.ahead, 2 * cycle.block), 1, kMostAhead);
    return cycle;
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(Input input, DataSetInput(ctx, 0));
    SLUICE_ASSIGN(const Cycle cycle, CycleOf(ctx));
    SLUICE_ASSIGN(CapturedFunction captured, CapturedFunction::Create(ctx, function));
    SLUICE_RETURN_IF_ERROR(captured.CheckResults({kVariant}));
    SetDataSet(ctx, MakeRefCounted<Interleave>(spec, std::move(input), std::move(captured), cycle));
    return absl::OkStatus();
  }
};

}  // namespace

void RegisterNested(KernelRegistry& kernels) {
  for (auto op :
       {"FlatMapDataset", "InterleaveDataset", "ParallelInterleaveDatasetV2",
        "ParallelInterleaveDatasetV3", "ParallelInterleaveDatasetV4", "ParallelInterleaveDataset",
        "ExperimentalParallelInterleaveDataset", "LegacyParallelInterleaveDatasetV2"})
    kernels.Add<InterleaveDataset>(op, kCpu);
}

}  // namespace sluice::kernels
