// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_ANY_IO_READER_H_
#define SLUICE_KERNELS_ANY_IO_READER_H_

#include <memory>
#include <string>
#include <vector>

#include "core/op/node_spec.h"
#include "kernels/any/data_flow/queue.h"

namespace sluice::kernels {

// A RecordSource takes records from one piece of work, a file name as a rule.
//
// Owner:    a Reader.
// Threads:  one at a time.
class RecordSource {
 public:
  virtual ~RecordSource() = default;
  virtual absl::Status Open(const std::string& work) = 0;
  // The next record; `*produced` is false at the end. `*at_end` may come with the last record.
  virtual absl::Status Next(std::string* key, std::string* value, bool* produced, bool* at_end) = 0;
  virtual void Close() = 0;
  // True when there is nothing to remember of a piece of work that was begun.
  virtual bool restorable() const { return false; }
};

// The source that a reader's op stands for, by its attributes.
absl::StatusOr<std::unique_ptr<RecordSource>> MakeRecordSource(const NodeSpec& node);

// A Reader takes records out of the pieces of work that it takes out of a queue. One step at a time
// reads; the others wait for their turn, and whoever reads waits for work, without a thread.
//
// Owner:    its store, and whoever reads.
// Threads:  any.
// Errors:   the queue's: OUT_OF_RANGE when it is closed and empty; the source's.
class Reader final : public WaitableResource {
 public:
  static constexpr absl::string_view kTypeName = "N10tensorflow15ReaderInterfaceE";
  Reader(std::string name, std::string op, std::unique_ptr<RecordSource> source);

  std::string ToString() const override { return op_ + " '" + name_ + "'"; }
  absl::string_view type_name() const override { return kTypeName; }

  struct Records {
    std::vector<std::string> keys, values;
  };
  // One record, or up to `limit`: those of one piece of work, at least one. `records` lives until
  // `done`.
  void Read(KernelContext& ctx, RefPtr<Queue> queue, int64_t limit, Records* records, Done done);
  // Runs `change` when nobody reads.
  void Exclusively(KernelContext& ctx, absl::AnyInvocable<absl::Status()> change, Done done);

  int64_t records_produced() const;
  int64_t work_completed() const;

  // Inside Exclusively.
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
  const std::unique_ptr<RecordSource> source_;  // whose turn it is
  std::string work_;                            // whose turn it is
  bool busy_ ABSL_GUARDED_BY(mu_) = false;      // it is somebody's turn
  Counts counts_ ABSL_GUARDED_BY(mu_);
};

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_ANY_IO_READER_H_
