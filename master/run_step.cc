// SPDX-License-Identifier: Apache-2.0
#include "master/run_step.h"

#include <algorithm>

#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "absl/time/clock.h"
#include "core/log.h"
#include "master/cost_graph.h"
#include "proto/config.pb.h"
#include "proto/graph.pb.h"
#include "proto/step_stats.pb.h"
#include "transport/time_budget.h"

namespace sluice::master {

using transport::RunGraphResult;
using transport::RunStepResult;
using transport::StepId;

StepId StepNumbers::Begin(uint64_t* oldest_live) {
  absl::MutexLock lock(&mu_);
  const uint64_t number = next_++;
  live_.insert(live_.end(), number);
  *oldest_live = *live_.begin();
  return {master_, number};
}

void StepNumbers::End(const StepId& step) {
  absl::MutexLock lock(&mu_);
  live_.erase(step.number);
}

void StepNumbers::AwaitEnds() {
  absl::MutexLock lock(&mu_);
  const auto none = [this]() ABSL_SHARED_LOCKS_REQUIRED(mu_) { return live_.empty(); };
  mu_.Await(absl::Condition(&none));
}

absl::Status CheckFeed(const CompiledGraph& graph, size_t i, const Tensor& value) {
  const std::string& name = graph.signature.feeds[i];
  if (value.dtype() == kResource)
    return InvalidArgument("feed \"", name, "\": a resource handle cannot be fed");
  const DType expected = graph.feed_types[i];
  if (expected != kInvalid && value.dtype() != expected)
    return InvalidArgument("feed \"", name, "\" must be ", expected, ", got ", value.dtype());
  return absl::OkStatus();
}

namespace {

// Workers end pending work this long before the step's deadline, so that the answer can name it.
constexpr absl::Duration kBeforeDeadline = absl::Milliseconds(30);
// On a busy machine the errors of workers come later than that. They say more than the master can,
// so it waits so much longer at most, and answers before the client's own deadline passes.
constexpr absl::Duration kAfterDeadline = absl::Milliseconds(200);
constexpr absl::Duration kCleanUp =
    absl::Seconds(5);  // time limit for a failed step to stop everywhere

// The nodes of a call's body are reported as call/node: tools group names by '/', and TensorFlow
// names them so. In the graph they are call>node.
void ShowScopes(proto::StepStats& stats) {
  for (proto::DeviceStepStats& device : *stats.mutable_dev_stats()) {
    for (proto::NodeExecStats& node : *device.mutable_node_stats()) {
      for (std::string* text : {node.mutable_node_name(), node.mutable_timeline_label()})
        std::replace(text->begin(), text->end(), '>', '/');
    }
  }
}

// from      when                         to        does
// running   a partition fails            failing   cancels the others, sets a limit to their end;
//                                                  one that waited until the deadline fails too
// running   some time past the deadline  answered  answers DEADLINE_EXCEEDED naming the tasks that
//                                                  run, cancels
// running   all partitions end           answered  answers with the fetches
// failing   all partitions end, limit    answered  answers with the first root error
// answered  all partitions end           (gone)    tells the session
class StepInFlight : public std::enable_shared_from_this<StepInFlight> {
 public:
  StepInFlight(StepArgs args, transport::Reply<RunStepResult> done)
      : args_(std::move(args)),
        done_(std::move(done)),
        running_(args_.graph->partitions.size(), true),
        late_(args_.graph->partitions.size(), false),
        missing_(args_.graph->partitions.size()) {}

  void Start() {
    uint64_t oldest_live = 0;
    step_ = args_.numbers->Begin(&oldest_live);
    Follow(args_.caller, caller_id_);
    Follow(args_.session_cancel.get(), session_id_);
    // This comes last: an answer at the deadline uses the members above.
    if (args_.deadline != absl::InfiniteFuture()) {
      absl::MutexLock lock(&mu_);
      timers_.push_back(args_.timer->At(LatestAnswer(), [self = weak_from_this()] {
        if (auto step = self.lock()) step->DeadlinePassed();
      }));
    }
    const auto self = shared_from_this();
    transport::CallOptions options;
    options.cancel = &cancel_;
    if (args_.graph->partitions.empty()) return AllEnded();
    for (size_t i = 0; i < args_.graph->partitions.size(); ++i) {
      const CompiledGraph::Partition& partition = args_.graph->partitions[i];
      transport::RunGraph run;
      run.session = args_.session;
      run.graph = partition.handle;
      run.step = step_;
      run.oldest_live_step = oldest_live;
      run.trace = args_.options.trace || args_.costs;
      if (partition.task == args_.own_task && args_.client != nullptr) {
        run.client = args_.client;
      } else if (partition.task == args_.own_task) {
        run.args = std::move(args_.feeds);
        run.num_retvals = static_cast<int>(args_.graph->signature.fetches.size());
      }
      options.deadline = EndOfWaits(partition.task == args_.own_task);
      partition.worker->Run(std::move(run), options,
                            [self, i](absl::StatusOr<RunGraphResult> result) {
                              self->PartitionEnded(i, std::move(result));
                            });
    }
  }

 private:
  // The step ends when `token` fires. The callback holds the step weakly, because it may outlive
  // it.
  void Follow(CancelToken* token, int64_t& id) {
    if (token == nullptr) return;
    id = token->Register([self = weak_from_this()](const absl::Status& why) {
      if (auto step = self.lock()) step->Cancelled(why);
    });
    if (id == 0) Cancelled(token->status());
  }

  // The deadline of a worker's call. Another task answers some time before its deadline (5 %, at
  // least 100 ms), which is added here.
  absl::Time EndOfWaits(bool own_task) const {
    if (args_.deadline == absl::InfiniteFuture()) return args_.deadline;
    const absl::Duration left = std::max(args_.deadline - absl::Now(), absl::ZeroDuration());
    const absl::Time end = args_.deadline - std::min(kBeforeDeadline, left * 0.1);
    return own_task ? end : end + std::max(absl::Milliseconds(100), left * 0.055);
  }

  // Some time before the client's own deadline.
  absl::Time LatestAnswer() const {
    const absl::Duration left = std::max(args_.deadline - absl::Now(), absl::ZeroDuration());
    return args_.deadline + std::min(kAfterDeadline, transport::SpareTimeAfter(left) * 0.75);
  }

  void Cancelled(const absl::Status& why) {
    RecordError(why);
    cancel_.Cancel(why);
  }

  void RecordError(const absl::Status& status) {
    bool first = false;
    {
      absl::MutexLock lock(&mu_);
      first = error_.ok();
      if (first || (IsDerived(error_) && !IsDerived(status))) error_ = status;
      if (first && !answered_) {
        timers_.push_back(args_.timer->At(absl::Now() + kCleanUp, [self = weak_from_this()] {
          if (auto step = self.lock()) step->Answer();
        }));
      }
    }
    if (first) cancel_.Cancel(MarkDerived(absl::CancelledError("another part of the step failed")));
  }

  void DeadlinePassed() {
    absl::Status status;
    {
      absl::MutexLock lock(&mu_);
      status = TimedOut();
      if (error_.ok()) error_ = status;
    }
    cancel_.Cancel(status);
    Answer();
  }

  // Names the tasks that run, or ran until the deadline.
  absl::Status TimedOut() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) {
    std::vector<std::string> tasks;
    for (size_t i = 0; i < running_.size(); ++i) {
      if (running_[i] || late_[i]) tasks.push_back(args_.graph->partitions[i].task);
    }
    return DeadlineExceeded(transport::kTimedOut, " The step had not ended on ",
                            absl::StrJoin(tasks, ", "), waits_.empty() ? "" : ".", waits_);
  }

  void PartitionEnded(size_t i, absl::StatusOr<RunGraphResult> result) {
    const CompiledGraph::Partition& partition = args_.graph->partitions[i];
    bool late = false;
    if (!result.ok()) {
      absl::Status status = result.status();
      if (args_.name_task_in_errors && !IsDerived(status)) {
        status = absl::Status(status.code(),
                              absl::StrCat("From ", partition.task, ":\n", status.message()));
      }
      // This is not an error yet: another partition may report the node that it waited for.
      late = IsDerived(status) && absl::IsDeadlineExceeded(status);
      if (!late) RecordError(status);
    }
    bool last = false;
    {
      absl::MutexLock lock(&mu_);
      running_[i] = false;
      late_[i] = late;
      if (late) {
        absl::string_view why = result.status().message();
        if (absl::ConsumePrefix(&why, transport::kTimedOut)) absl::StrAppend(&waits_, why);
      }
      last = --missing_ == 0;
      if (result.ok()) {
        if (partition.task == args_.own_task) retvals_ = std::move(result->retvals);
        if (result->stats != nullptr) stats_.push_back(std::move(result->stats));
      }
    }
    if (last) AllEnded();
  }

  void AllEnded() {
    if (args_.session_cancel != nullptr && session_id_ != 0)
      args_.session_cancel->Deregister(session_id_);
    std::vector<int64_t> timers;
    {
      absl::MutexLock lock(&mu_);
      timers.swap(timers_);
      const bool any_late = std::find(late_.begin(), late_.end(), true) != late_.end();
      if (error_.ok() && any_late) error_ = TimedOut();
    }
    for (int64_t timer : timers) args_.timer->Forget(timer);
    Answer();
    args_.ended();
    args_.numbers->End(step_);  // last: the master may be destroyed then
  }

  void Answer() {
    absl::StatusOr<RunStepResult> result = RunStepResult();
    {
      absl::MutexLock lock(&mu_);
      if (answered_) return;
      answered_ = true;
      if (!error_.ok())
        result = error_;
      else
        result = Result();
    }
    if (result.ok()) {
      if (absl::Status s = LeaveVariables(result->fetches); !s.ok()) result = s;
    }
    if (!result.ok()) result = WithUserLine(result.status());
    // The caller's token lives only until `done`.
    if (args_.caller != nullptr && caller_id_ != 0) args_.caller->Deregister(caller_id_);
    auto done = std::move(done_);
    done(std::move(result));
  }

  // The error, with the line of the client's program that made the node. It is also logged.
  absl::Status WithUserLine(const absl::Status& status) const {
    if (args_.lines == nullptr) return status;
    const std::string line = args_.lines->Of(status.message());
    if (line.empty()) return status;
    absl::Status told(status.code(), absl::StrCat(status.message(), "\n", line));
    if (!absl::IsOutOfRange(status) && !absl::IsCancelled(status)) {
      Log(LogLevel::kInfo, "session ", args_.session, ", step ", step_.number,
          " failed: ", told.ToString());
    }
    return told;
  }

  // The fetched value of a reference variable is its value at the end of the step. Programs that
  // fetch a global step together with the op that increments it expect the new count.
  static absl::Status LeaveVariables(std::vector<Tensor>& fetches) {
    for (Tensor& fetched : fetches) {
      SLUICE_ASSIGN(fetched, fetched.Snapshot());
    }
    return absl::OkStatus();
  }

  absl::StatusOr<RunStepResult> Result() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) {
    RunStepResult result;
    const auto& fetches = args_.graph->signature.fetches;
    const size_t given = args_.client != nullptr ? 0 : fetches.size();
    for (size_t i = 0; i < given; ++i) {
      if (i >= retvals_.size() || (!retvals_[i].tensor.valid() && !retvals_[i].dead)) {
        return Internal("fetch \"", fetches[i], "\" was not computed");
      }
      if (retvals_[i].dead) {
        return Internal("Failed to fetch outputs: The tensor returned for ", fetches[i],
                        " was not valid.");
      }
      result.fetches.push_back(std::move(retvals_[i].tensor));
    }
    if (args_.options.trace || args_.options.partition_graphs || args_.costs)
      result.metadata = Metadata();
    return result;
  }

  std::shared_ptr<proto::RunMetadata> Metadata() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) {
    auto metadata = std::make_shared<proto::RunMetadata>();
    proto::StepStats stats;
    for (const auto& part : stats_) stats.MergeFrom(*part);
    if (args_.costs) {
      std::vector<std::shared_ptr<const proto::GraphDef>> graphs;
      for (const auto& partition : args_.graph->partitions) graphs.push_back(partition.graph);
      AddCosts(graphs, stats, metadata->mutable_cost_graph());
    }
    if (args_.options.trace) {
      ShowScopes(stats);
      *metadata->mutable_step_stats() = std::move(stats);
    }
    if (args_.options.partition_graphs) {
      for (const auto& partition : args_.graph->partitions)
        *metadata->add_partition_graphs() = *partition.graph;
    }
    return metadata;
  }

  StepArgs args_;
  transport::Reply<RunStepResult> done_;
  StepId step_;
  CancelToken cancel_;
  int64_t caller_id_ = 0, session_id_ = 0;

  absl::Mutex mu_;
  std::vector<bool> running_ ABSL_GUARDED_BY(mu_);
  // ended at the deadline, without a pending node to name
  std::vector<bool> late_ ABSL_GUARDED_BY(mu_);
  std::string waits_ ABSL_GUARDED_BY(mu_);  // what late partitions waited for, sentences
  size_t missing_ ABSL_GUARDED_BY(mu_);
  bool answered_ ABSL_GUARDED_BY(mu_) = false;
  absl::Status error_ ABSL_GUARDED_BY(mu_);
  std::vector<Parcel> retvals_ ABSL_GUARDED_BY(mu_);
  std::vector<std::shared_ptr<proto::StepStats>> stats_ ABSL_GUARDED_BY(mu_);
  std::vector<int64_t> timers_ ABSL_GUARDED_BY(mu_);
};

}  // namespace

void RunStep(StepArgs args, transport::Reply<RunStepResult> done) {
  std::make_shared<StepInFlight>(std::move(args), std::move(done))->Start();
}

}  // namespace sluice::master
