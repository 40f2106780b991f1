// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_DATASET_ITERATOR_H_
#define SLUICE_KERNELS_COMMON_DATASET_ITERATOR_H_

#include <deque>
#include <memory>
#include <optional>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/clock.h"
#include "core/runtime/pipelines.h"
#include "core/tensor/resource.h"
#include "kernels/common/dataset/data_set.h"
#include "kernels/common/dataset/element_request.h"
#include "kernels/common/dataset/stage_pause.h"
#include "kernels/common/dataset/stage_record.h"

namespace sluice::kernels {

// One run through a data set, for requests of any number of kernels. Requests are served one after
// the other, first come, first served, on a thread that may block. It has no thread while there are
// no requests. An element that is ready serves the request on the thread that asks.
//
// A request whose step is cancelled is answered at once. The element that was made for it serves
// the next request. If there is none, the stages stand still until it comes.
//
// Owner:    its iterator, the requests in progress, and the thread that serves them. It is
//           destroyed on a thread that may block, because its stages wait for their workers.
// Threads:  any.
class DataSetRun final : public RunningPipelines::Pipeline,
                         public std::enable_shared_from_this<DataSetRun> {
 public:
  ~DataSetRun() override { pause_.End(); }
  // `iterator`: a name for reports.
  static std::shared_ptr<DataSetRun> Create(RefPtr<const DataSet> set, std::string iterator = "");

  // `answer` runs once, on any thread. `step` outlives it.
  void Next(CancelToken& step, ElementAnswer answer);
  // The position. Waits for the requests before it. May block. It is restored before the first
  // request.
  absl::Status SaveOrRestore(SavedState& state);
  const RefPtr<const DataSet>& set() const { return set_; }
  // Whether its functions have state of their own, which is not part of the position.
  bool functions_have_state() { return state_.functions.have_state(); }
  // Ends all waits of the stages; requests fail.
  void Cancel(const absl::Status& why) {
    state_.cancel.Cancel(why);
    pause_.End();
  }
  PipelineReport Report() const override;

 private:
  DataSetRun(RefPtr<const DataSet> set, std::string iterator)
      : set_(std::move(set)), iterator_(std::move(iterator)) {}
  void Serve();
  bool ServeAtOnce(CancelToken& step, ElementAnswer& answer);
  absl::Status BeginStages() ABSL_EXCLUSIVE_LOCKS_REQUIRED(serving_);
  NextElement Make() ABSL_EXCLUSIVE_LOCKS_REQUIRED(serving_);

  const RefPtr<const DataSet> set_;
  const std::string iterator_;
  const absl::Time begun_ = absl::Now();
  RunState state_;
  StagePause pause_;
  StageRecord record_{&pause_};

  absl::Mutex serving_;  // held by the serving thread only
  std::unique_ptr<Stage> stage_ ABSL_GUARDED_BY(serving_);

  absl::Mutex mu_;
  std::deque<std::shared_ptr<ElementRequest>> requests_ ABSL_GUARDED_BY(mu_);
  bool served_ ABSL_GUARDED_BY(mu_) = false;  // a thread serves
  std::optional<NextElement> unread_ ABSL_GUARDED_BY(serving_);
};

// An Iterator is the resource that Session.run reads elements from. MakeIterator gives it a data
// set, and again another.
//
// Owner:    its store.
// Threads:  any.
class Iterator final : public Resource {
 public:
  static constexpr absl::string_view kTypeName = "N10tensorflow4data16IteratorResourceE";

  Iterator(std::string name, ElementSpec spec) : name_(std::move(name)), spec_(std::move(spec)) {}
  ~Iterator() override;

  std::string ToString() const override { return "Iterator " + name_; }
  absl::string_view type_name() const override { return kTypeName; }
  const ElementSpec& spec() const { return spec_; }

  // Begins anew. INVALID_ARGUMENT if the elements are others than the iterator's.
  absl::Status Begin(RefPtr<const DataSet> set);
  bool begun() const { return run() != nullptr; }
  // Null before the first Begin.
  RefPtr<const DataSet> set() const {
    const std::shared_ptr<DataSetRun> current = run();
    return current == nullptr ? nullptr : current->set();
  }
  // FAILED_PRECONDITION before the first Begin.
  void Next(CancelToken& step, ElementAnswer answer);
  // The position in the data set; restoring begins anew. May block.
  // Errors: FAILED_PRECONDITION before the first Begin, or if functions have state that would have
  // to be saved. UNIMPLEMENTED if a stage has no position. INVALID_ARGUMENT if the state is that of
  // another data set.
  absl::Status Save(SavedState& state, bool with_functions);
  absl::Status Restore(SavedState& state);

  // The present run, for reports; null before the first Begin.
  std::shared_ptr<const RunningPipelines::Pipeline> pipeline() const { return run(); }

 private:
  std::shared_ptr<DataSetRun> run() const {
    absl::MutexLock lock(&mu_);
    return run_;
  }
  // The new run takes the place of the one before.
  void Replace(std::shared_ptr<DataSetRun> run);
  const std::string name_;
  const ElementSpec spec_;
  mutable absl::Mutex mu_;
  std::shared_ptr<DataSetRun> run_ ABSL_GUARDED_BY(mu_);
};

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_DATASET_ITERATOR_H_
