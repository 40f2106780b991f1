// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_ANY_DATA_FLOW_QUEUE_H_
#define SLUICE_KERNELS_ANY_DATA_FLOW_QUEUE_H_

#include <memory>
#include <string>
#include <vector>

#include "core/op/node_spec.h"
#include "kernels/any/data_flow/queue_order.h"
#include "kernels/common/waitable_resource.h"

namespace sluice::kernels {

// The attributes of a queue in its op.
struct QueueOptions {
  enum class Kind { kFifo, kRandomShuffle, kPaddingFifo, kPriority };
  static absl::StatusOr<QueueOptions> Create(const NodeSpec& node);

  Kind kind = Kind::kFifo;
  int64_t capacity = 0;
  std::vector<DType> types;          // for a priority queue, the priority comes first
  std::vector<PartialShape> shapes;  // empty: every element may have its own
  int64_t min_after_dequeue = 0;     // for a shuffling queue, like the seeds
  int64_t seed = 0, seed2 = 0;
};

// A Queue passes elements from enqueues to dequeues, within a task or, depending on the ops'
// placement, between tasks. Both sides wait without a thread: for room, or for elements.
//
// Owner:    its store, and its waiters.
// Threads:  any.
// Errors:   TensorFlow's: CANCELLED for an enqueue and OUT_OF_RANGE for a dequeue once it is
//           closed, INVALID_ARGUMENT for elements of other types or shapes.
class Queue final : public WaitableResource {
 public:
  static constexpr absl::string_view kTypeName = "N10tensorflow14QueueInterfaceE";
  static absl::StatusOr<RefPtr<Queue>> Make(std::string name, QueueOptions options);
  Queue(std::string name, QueueOptions options);

  std::string ToString() const override;
  absl::string_view type_name() const override { return kTypeName; }
  const std::vector<DType>& types() const { return options_.types; }
  // The shape of component i; of unknown rank if elements may have any.
  PartialShape shape(size_t i) const;

  // INVALID_ARGUMENT unless a node that shares this queue has the same attributes.
  absl::Status CheckSame(const QueueOptions& wanted, absl::string_view node,
                         absl::string_view op) const;
  absl::Status CheckElement(const QueueElement& element) const;
  absl::Status CheckBatch(const QueueElement& batch) const;
  // Batches require shapes.
  absl::Status CheckBatches() const;

  // `done` is called once the element, or every row of the batch, has been added.
  void Enqueue(KernelContext& ctx, QueueElement element, Done done);
  void EnqueueMany(KernelContext& ctx, QueueElement batch, Done done);
  // `taken` is filled before `done`; it lives until then.
  void Dequeue(KernelContext& ctx, QueueElement* taken, Done done);
  // Takes `n` elements; if the queue is closed and `up_to` is set, the remaining ones, at least
  // one.
  void DequeueMany(KernelContext& ctx, int64_t n, bool up_to, std::vector<QueueElement>* taken,
                   Done done);
  // Closes the queue after the pending enqueues, or cancels them.
  void Close(KernelContext& ctx, bool cancel_pending_enqueues, Done done);
  int64_t size() const;
  bool closed() const;

 private:
  enum Line { kEnqueues, kDequeues };

  bool HasRoom() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) {
    return order_->size() < options_.capacity;
  }
  int64_t Available() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  absl::Status Closed() const;
  absl::Status Insufficient(int64_t wanted) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  void GiveBack(std::vector<QueueElement>& taken) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  Progress TakeSome(int64_t* n, bool up_to, std::vector<QueueElement>& taken, absl::Status& result)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  Progress TakeAtOnce(int64_t n, bool up_to, std::vector<QueueElement>& taken, absl::Status& result)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);

  const std::string name_;
  const QueueOptions options_;
  const std::unique_ptr<QueueOrder> order_ ABSL_PT_GUARDED_BY(mu_);
  bool closed_ ABSL_GUARDED_BY(mu_) = false;
};

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_ANY_DATA_FLOW_QUEUE_H_
