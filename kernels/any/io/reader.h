// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_ANY_IO_READER_H_
#define SLUICE_KERNELS_ANY_IO_READER_H_

#include <memory>
#include <string>
#include <vector>

#include "core/op/node_spec.h"
#include "kernels/any/data_flow/queue.h"

namespace sluice::kernels {

// A RecordSource reads the records of one work item, usually a file name.
//
// Owner:    a Reader.
// Threads:  one at a time.
class RecordSource {
 public:
  virtual ~RecordSource() = default;
  virtual absl::Status Open(const std::string& work) = 0;
  // Reads the next record; `*produced` is false at the end. `*at_end` may be set with the last
  // record.
  virtual absl::Status Next(std::string* key, std::string* value, bool* produced, bool* at_end) = 0;
  virtual void Close() = 0;
  // True if it keeps no state of a work item that was begun.
  virtual bool restorable() const { return false; }
};

// The source of a reader op, by its attributes.
absl::StatusOr<std::unique_ptr<RecordSource>> MakeRecordSource(const NodeSpec& node);

// A Reader takes work items out of a queue and reads their records. One step at a time reads. The
// others wait for their turn, and the reading one waits for work, without a thread.
//
// Owner:    its store, and its waiters.
// Threads:  any.
// Errors:   the queue's: OUT_OF_RANGE once it is closed and empty; the source's.
class Reader final : public WaitableResource {
 public:
  static constexpr absl::string_view kTypeName = "N10tensorflow15ReaderInterfaceE";
  Reader(std::string name, std::string op, std::unique_ptr<RecordSource> source);

  std::string ToString() const override { return op_ + " '" + name_ + "'"; }
  absl::string_view type_name() const override { return kTypeName; }

  struct Records {
    std::vector<std::string> keys, values;
  };
  // Reads one record, or up to `limit` records of one work item, at least one. `records` lives
  // until `done`.
  void Read(KernelContext& ctx, RefPtr<Queue> queue, int64_t limit, Records* records, Done done);
  // Runs `change` while no step reads.
  void Exclusively(KernelContext& ctx, absl::AnyInvocable<absl::Status()> change, Done done);

  int64_t records_produced() const;
  int64_t work_completed() const;

  // Call it inside Exclusively.
  absl::Status Reset();
  absl::StatusOr<std::string> SerializeState() const;
  absl::Status RestoreState(const std::string& state);

 private:
  struct Reading;
  struct Counts {
    int64_t work_started = 0, work_finished = 0, records = 0;
  };

  void Take(KernelContext& ctx, absl::AnyInvocable<void(absl::Status)> turn);
  void Continue(std::shared_ptr<Reading> reading);
  void Begin(std::shared_ptr<Reading> reading, absl::Status dequeued);
  absl::Status ReadSome(Reading& reading, bool* enough);
  void End(Reading& reading, absl::Status status);
  bool InWork() const;

  const std::string name_, op_;
  const std::unique_ptr<RecordSource> source_;  // used only by the reading step
  std::string work_;                            // used only by the reading step
  bool busy_ ABSL_GUARDED_BY(mu_) = false;      // some step is reading
  Counts counts_ ABSL_GUARDED_BY(mu_);
};

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_ANY_IO_READER_H_
