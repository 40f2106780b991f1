// SPDX-License-Identifier: Apache-2.0
// The ops of queues, with handles of both kinds.
#include "kernels/any/data_flow/queue.h"
#include "kernels/any/data_flow/queue_batch.h"
#include "kernels/any/data_flow/register.h"
#include "kernels/any/data_flow/signature_text.h"
#include "kernels/common/resource_handle.h"
#include "kernels/common/variables.h"

namespace sluice::kernels {
namespace {

struct NewQueue {
  QueueOptions options;
  std::string node, op;
  NamedResource<Queue> queue;

  NewQueue(QueueOptions options, const NodeSpec& node, ResourcePlace place)
      : options(std::move(options)), node(node.name), op(node.op), queue(std::move(place)) {}

  static absl::StatusOr<std::unique_ptr<NewQueue>> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(QueueOptions options, QueueOptions::Create(node));
    SLUICE_ASSIGN(ResourcePlace place, ResourcePlace::Create(node));
    return std::make_unique<NewQueue>(std::move(options), node, std::move(place));
  }

  absl::Status Run(KernelContext& ctx) const {
    return queue.HandOut(
        ctx, [&](const std::string& name) { return Queue::Make(name, options); },
        [&](const Queue& found) { return found.CheckSame(options, node, op); });
  }
};

absl::Status CheckTaken(const KernelContext& ctx, const Queue& queue) {
  std::vector<DType> have;
  for (int i = 1; i < ctx.num_inputs(); ++i) have.push_back(ctx.input(i).dtype());
  return have == queue.types() ? absl::OkStatus()
                               : SignatureMismatch(ctx, have, queue.types(), queue);
}

// QueueEnqueue(Many)(V2): handle, components.
struct Enqueue {
  bool many;

  static absl::StatusOr<Enqueue> Create(const NodeSpec& node) {
    if (GetAttrOr<int64_t>(node.attrs, "timeout_ms", -1) != -1)
      return InvalidArgument("Timeout not supported yet.");
    return Enqueue{node.op.find("Many") != std::string::npos};
  }

  void Start(KernelContext& ctx, Done done) const {
    const absl::StatusOr<RefPtr<Queue>> queue = ResourceOf<Queue>(ctx, 0);
    if (!queue.ok()) return done(queue.status());
    absl::Status fits = CheckTaken(ctx, **queue);
    if (!fits.ok()) return done(std::move(fits));
    KeepInputs(ctx, 1, ctx.num_inputs() - 1,
               [this, &ctx, queue = *queue,
                done = std::move(done)](absl::StatusOr<QueueElement> values) mutable {
                 if (!values.ok()) return done(values.status());
                 Put(ctx, *queue, *std::move(values), std::move(done));
               });
  }

  void Put(KernelContext& ctx, Queue& queue, QueueElement values, Done done) const {
    absl::Status fits = many ? queue.CheckBatch(values) : queue.CheckElement(values);
    if (!fits.ok()) return done(std::move(fits));
    if (many)
      queue.EnqueueMany(ctx, std::move(values), std::move(done));
    else
      queue.Enqueue(ctx, std::move(values), std::move(done));
  }
};

struct Dequeue {
  void Start(KernelContext& ctx, Done done) const {
    const absl::StatusOr<RefPtr<Queue>> queue = ResourceOf<Queue>(ctx, 0);
    if (!queue.ok()) return done(queue.status());
    absl::Status fits = CheckGiven(ctx, (*queue)->types(), **queue);
    if (!fits.ok()) return done(std::move(fits));
    auto element = std::make_unique<QueueElement>();
    QueueElement* taken = element.get();
    (*queue)->Dequeue(
        ctx, taken,
        [&ctx, element = std::move(element), done = std::move(done)](absl::Status status) mutable {
          if (status.ok()) {
            for (size_t i = 0; i < element->size(); ++i)
              ctx.SetOutput(static_cast<int>(i), std::move((*element)[i]));
          }
          done(std::move(status));
        });
  }
};

// QueueDequeueMany(V2), QueueDequeueUpTo(V2): handle, n.
struct DequeueMany {
  bool up_to;

  static absl::StatusOr<DequeueMany> Create(const NodeSpec& node) {
    return DequeueMany{node.op.find("UpTo") != std::string::npos};
  }

  void Start(KernelContext& ctx, Done done) const {
    const absl::StatusOr<RefPtr<Queue>> queue = ResourceOf<Queue>(ctx, 0);
    if (!queue.ok()) return done(queue.status());
    KeepInputs(ctx, 1, 1,
               [this, &ctx, queue = *queue,
                done = std::move(done)](absl::StatusOr<std::vector<Tensor>> inputs) mutable {
                 const absl::StatusOr<int64_t> n =
                     inputs.ok() ? Count(ctx, *queue, (*inputs)[0]) : inputs.status();
                 if (!n.ok()) return done(n.status());
                 Take(ctx, queue, *n, std::move(done));
               });
  }

  absl::StatusOr<int64_t> Count(const KernelContext& ctx, const Queue& queue,
                                const Tensor& input) const {
    SLUICE_ASSIGN(const int64_t n, IntScalar(input));
    if (n < 0) {
      return InvalidArgument(up_to ? "DequeueUpToOp" : "DequeueManyOp", " requested ", n,
                             " < 0 elements");
    }
    SLUICE_RETURN_IF_ERROR(CheckGiven(ctx, queue.types(), queue));
    SLUICE_RETURN_IF_ERROR(queue.CheckBatches());
    return n;
  }

  void Take(KernelContext& ctx, const RefPtr<Queue>& queue, int64_t n, Done done) const {
    auto elements = std::make_unique<std::vector<QueueElement>>();
    std::vector<QueueElement>* taken = elements.get();
    queue->DequeueMany(ctx, n, up_to, taken,
                       [&ctx, queue, elements = std::move(elements),
                        done = std::move(done)](absl::Status status) mutable {
                         for (int i = 0; status.ok() && i < ctx.num_outputs(); ++i) {
                           status = SetBatch(ctx, i, *elements, static_cast<size_t>(i),
                                             queue->shape(static_cast<size_t>(i)));
                         }
                         done(std::move(status));
                       });
  }
};

struct CloseQueue {
  bool cancel_pending_enqueues;

  static absl::StatusOr<CloseQueue> Create(const NodeSpec& node) {
    return CloseQueue{GetAttrOr(node.attrs, "cancel_pending_enqueues", false)};
  }
  void Start(KernelContext& ctx, Done done) const {
    const absl::StatusOr<RefPtr<Queue>> queue = ResourceOf<Queue>(ctx, 0);
    if (!queue.ok()) return done(queue.status());
    (*queue)->Close(ctx, cancel_pending_enqueues, std::move(done));
  }
};

struct QueueSize {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const RefPtr<Queue> queue, ResourceOf<Queue>(ctx, 0));
    ctx.SetOutput(0, Tensor::Scalar<int32_t>(static_cast<int32_t>(queue->size())));
    return absl::OkStatus();
  }
};

struct QueueIsClosed {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const RefPtr<Queue> queue, ResourceOf<Queue>(ctx, 0));
    ctx.SetOutput(0, Tensor::Scalar<bool>(queue->closed()));
    return absl::OkStatus();
  }
};

// A V1 handle for a V2 queue.
struct FakeQueue {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const ResourceHandle* handle, HandleOf(ctx, 0));
    SLUICE_ASSIGN(const RefPtr<Queue> queue, ResourceOf<Queue>(ctx, 0));
    ctx.SetOutputRef(0, RefHandle(handle->container, handle->name, queue));
    return absl::OkStatus();
  }
};

}  // namespace

void RegisterQueues(KernelRegistry& kernels) {
  for (const char* op :
       {"FIFOQueue", "RandomShuffleQueue", "PaddingFIFOQueue", "PriorityQueue", "FIFOQueueV2",
        "RandomShuffleQueueV2", "PaddingFIFOQueueV2", "PriorityQueueV2"}) {
    kernels.Add<NewQueue>(op, kCpu, {}, kCheap);
  }
  for (const char* op :
       {"QueueEnqueue", "QueueEnqueueV2", "QueueEnqueueMany", "QueueEnqueueManyV2"}) {
    kernels.Add<Enqueue>(op, kCpu, {}, kCheap);
  }
  for (const char* op :
       {"QueueDequeueMany", "QueueDequeueManyV2", "QueueDequeueUpTo", "QueueDequeueUpToV2"}) {
    kernels.Add<DequeueMany>(op, kCpu, {}, kCheap);
  }
  for (const char* version : {"", "V2"}) {
    const auto op = [&](absl::string_view name) { return absl::StrCat(name, version); };
    kernels.Add<Dequeue>(op("QueueDequeue"), kCpu, {}, kCheap);
    kernels.Add<CloseQueue>(op("QueueClose"), kCpu, {}, kCheap);
    kernels.Add<QueueSize>(op("QueueSize"), kCpu, {}, kCheap);
    kernels.Add<QueueIsClosed>(op("QueueIsClosed"), kCpu, {}, kCheap);
  }
  kernels.Add<FakeQueue>("FakeQueue", kCpu, {}, kCheap);
}

}  // namespace sluice::kernels
