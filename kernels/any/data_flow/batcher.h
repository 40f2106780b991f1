// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_ANY_DATA_FLOW_BATCHER_H_
#define SLUICE_KERNELS_ANY_DATA_FLOW_BATCHER_H_

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/runtime/kernel_registry.h"
#include "core/threads/timer.h"
#include "kernels/common/waitable_resource.h"

namespace sluice::kernels {

// A Batcher collects the rows of several runs of an op, from one step or several, and computes them
// together: once a batch is full, or after its first rows have waited long enough.
//
// Owner:    its store, and its waiters.
// Threads:  any. Work begins on a run's thread or the timer's.
// Errors:   TensorFlow's: INVALID_ARGUMENT for more rows than a batch may have, UNAVAILABLE if too
//           many batches are pending.
class Batcher final : public WaitableResource {
 public:
  static constexpr absl::string_view kTypeName = "Batcher";

  struct Options {
    int64_t at_once;   // batches that are computed in parallel
    int64_t max_rows;  // of a batch
    int64_t max_task;  // rows of a run; with `splits` it may be more than max_rows
    bool splits;       // a run's rows may go to several batches
    absl::Duration timeout;
    int64_t max_waiting;                // batches
    std::vector<int64_t> padded_sizes;  // rising; if empty, batches are not padded
  };
  using Outputs = absl::StatusOr<std::vector<Tensor>>;
  // The rows of one run, or some of them if the batcher splits runs.
  struct Share {
    int64_t id;  // of one part only
    int64_t rows;
    std::vector<Tensor> inputs;
    std::optional<Outputs> outputs;
  };
  using Batch = std::vector<std::shared_ptr<Share>>;
  // Computes a batch, and calls Answer: before it returns, or later.
  using Work = std::function<void(Batch)>;

  Batcher(std::string name, Options options);
  std::string ToString() const override { return Cat("Batcher '", name_, "'"); }
  absl::string_view type_name() const override { return kTypeName; }

  // Inputs have the same number of rows. The kernel's outputs are those that Answer has for it. The
  // batch uses the work of its first part.
  void Put(KernelContext& ctx, std::vector<Tensor> inputs, Work work, Done done);
  // One element for each part of a batch.
  void Answer(const Batch& batch, std::vector<Outputs> outputs);
  // The rows of input i of all parts, padded with copies of the first row.
  absl::StatusOr<Tensor> Joined(const Batch& batch, size_t i) const;

 private:
  struct Gathered {
    Batch shares;
    int64_t rows = 0;
    int64_t number = 0;
    bool due = false;
    Work work;
  };
  // The parts of the run; one unless the batcher splits runs.
  absl::StatusOr<Batch> Enter(const std::vector<Tensor>& inputs, const Work& work)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  void Open(Work work) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  // These rows join the newest batch.
  std::shared_ptr<Share> Add(const std::vector<Tensor>& inputs, int64_t begin, int64_t end)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  void Begin();

  const std::string name_;
  const Options options_;
  std::deque<Gathered> waiting_ ABSL_GUARDED_BY(mu_);
  int64_t running_ ABSL_GUARDED_BY(mu_) = 0;
  int64_t next_number_ ABSL_GUARDED_BY(mu_) = 1;
};

// The timer of all batchers in this process; its thread starts with the first of them.
Timer& BatchTimer();
// Concatenates tensors along dimension 0. INVALID_ARGUMENT if they differ in another dimension.
absl::StatusOr<Tensor> StackRows(absl::Span<const Tensor> parts);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_ANY_DATA_FLOW_BATCHER_H_
