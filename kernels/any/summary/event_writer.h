// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_ANY_SUMMARY_EVENT_WRITER_H_
#define SLUICE_KERNELS_ANY_SUMMARY_EVENT_WRITER_H_

#include <memory>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/clock.h"
#include "core/io/event_file.h"
#include "core/tensor/resource.h"

namespace sluice {

namespace proto {
class Event;
}  // namespace proto

namespace kernels {

// The file of a writer's handle. CreateSummaryFileWriter opens it.
//
// Threads:  any; one mutex.
class EventWriter final : public Resource {
 public:
  static constexpr absl::string_view kTypeName = "SummaryWriterInterface";

  EventWriter(std::unique_ptr<EventFile> file, int64_t most_queued, absl::Duration flush_every)
      : most_queued_(most_queued), flush_every_(flush_every), file_(std::move(file)) {}
  std::string ToString() const override { return "event file"; }
  absl::string_view type_name() const override { return kTypeName; }

  absl::Status Write(const proto::Event& event);
  absl::Status Flush() {
    absl::MutexLock lock(&mu_);
    return FlushLocked();
  }

 private:
  absl::Status FlushLocked() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);

  const int64_t most_queued_;
  const absl::Duration flush_every_;
  absl::Mutex mu_;
  const std::unique_ptr<EventFile> file_ ABSL_PT_GUARDED_BY(mu_);
  int64_t queued_ ABSL_GUARDED_BY(mu_) = 0;
  absl::Time flushed_ ABSL_GUARDED_BY(mu_) = absl::Now();
};

}  // namespace kernels
}  // namespace sluice

#endif  // SLUICE_KERNELS_ANY_SUMMARY_EVENT_WRITER_H_
