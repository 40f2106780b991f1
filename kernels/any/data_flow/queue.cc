// SPDX-License-Identifier: Apache-2.0
#include "kernels/any/data_flow/queue.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "kernels/any/data_flow/queue_batch.h"
#include "kernels/any/data_flow/signature_text.h"

namespace sluice::kernels {
namespace {

using Kind = QueueOptions::Kind;

absl::string_view NameOf(Kind kind) {
  switch (kind) {
    case Kind::kFifo:
      return "FIFOQueue";
    case Kind::kRandomShuffle:
      return "RandomShuffleQueue";
    case Kind::kPaddingFifo:
      return "PaddingFIFOQueue";
    case Kind::kPriority:
      return "PriorityQueue";
  }
  return "Queue";
}

Kind KindOf(absl::string_view op) {
  for (Kind kind : {Kind::kRandomShuffle, Kind::kPaddingFifo, Kind::kPriority}) {
    if (op.substr(0, NameOf(kind).size()) == NameOf(kind)) return kind;
  }
  return Kind::kFifo;
}

std::unique_ptr<QueueOrder> OrderOf(const QueueOptions& options) {
  switch (options.kind) {
    case Kind::kRandomShuffle:
      return Shuffled(options.seed, options.seed2);
    case Kind::kPriority:
      return LeastFirst();
    default:
      return FirstInFirstOut();
  }
}

absl::Status ShapeMismatch(size_t component, const PartialShape& expected, const Shape& shape) {
  return InvalidArgument("Shape mismatch in tuple component ", component, ". Expected ", expected,
                         ", got ", shape);
}

absl::Status CheckTypes(const std::vector<DType>& types, const QueueElement& values) {
  if (values.size() != types.size()) {
    return InvalidArgument("Wrong number of components in tuple. Expected ", types.size(), ", got ",
                           values.size());
  }
  for (size_t i = 0; i < values.size(); ++i) {
    if (values[i].dtype() == types[i]) continue;
    return InvalidArgument("Type mismatch in tuple component ", i, ". Expected ", types[i],
                           ", got ", values[i].dtype());
  }
  return absl::OkStatus();
}

bool SameShapes(Kind kind, const std::vector<PartialShape>& a, const std::vector<PartialShape>& b) {
  if (kind != Kind::kPaddingFifo) return a == b;
  return std::equal(
      a.begin(), a.end(), b.begin(), b.end(),
      [](const PartialShape& x, const PartialShape& y) { return x.CompatibleWith(y); });
}

// Of a queue without shapes: only the numbers of rows must be equal.
absl::Status CheckRows(const QueueElement& batch) {
  for (size_t i = 0; i < batch.size(); ++i) {
    if (batch[i].rank() == 0)
      return InvalidArgument("component ", i, " of a batch must have rows, got a scalar");
  }
  for (size_t i = 0; i < batch.size(); ++i) {
    if (batch[i].dim(0) == batch[0].dim(0)) continue;
    return InvalidArgument(
        "All input tensors must have the same size in the 0th dimension. Component ", i, " has ",
        batch[i].dim(0), ", and should have ", batch[0].dim(0));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<QueueOptions> QueueOptions::Create(const NodeSpec& node) {
  QueueOptions options;
  options.kind = KindOf(node.op);
  SLUICE_ASSIGN(options.types, node.Get<std::vector<DType>>("component_types"));
  SLUICE_ASSIGN(options.shapes, node.Get<std::vector<PartialShape>>("shapes"));
  SLUICE_ASSIGN(options.capacity, node.Get<int64_t>("capacity"));
  if (options.capacity < 0) options.capacity = std::numeric_limits<int32_t>::max();
  options.min_after_dequeue = GetAttrOr<int64_t>(node.attrs, "min_after_dequeue", 0);
  options.seed = GetAttrOr<int64_t>(node.attrs, "seed", 0);
  options.seed2 = GetAttrOr<int64_t>(node.attrs, "seed2", 0);
  if (options.min_after_dequeue < 0) {
    return InvalidArgument("min_after_dequeue ", options.min_after_dequeue, " must be >= 0");
  }
  if (options.kind == Kind::kRandomShuffle && options.min_after_dequeue >= options.capacity) {
    return InvalidArgument("min_after_dequeue ", options.min_after_dequeue, " must be < capacity ",
                           options.capacity);
  }
  if (options.kind == Kind::kPriority) {
    options.types.insert(options.types.begin(), kInt64);
    if (!options.shapes.empty()) options.shapes.insert(options.shapes.begin(), Shape{});
  }
  for (const PartialShape& shape : options.shapes) {
    const bool padded = options.kind == Kind::kPaddingFifo;
    if (padded ? !shape.rank_known() : !shape.fully_known())
      return InvalidArgument("the shape ", shape, " of a component of a ", NameOf(options.kind),
                             " must be known", padded ? " in rank" : "");
  }
  return options;
}

absl::StatusOr<RefPtr<Queue>> Queue::Make(std::string name, QueueOptions options) {
  const size_t types = options.types.size(), shapes = options.shapes.size();
  if (types == 0) return InvalidArgument("Empty component types for queue ", name);
  if (shapes != 0 && shapes != types) {
    return InvalidArgument("Different number of component types.  Types: ",
                           TypeNames(options.types), ", Shapes: ", ShapeNames(options.shapes));
  }
  if (options.kind == Kind::kPaddingFifo && shapes != types) {
    return InvalidArgument("Shapes must be provided for all components, but received ", types,
                           " dtypes and ", shapes, " shapes.");
  }
  return MakeRefCounted<Queue>(std::move(name), std::move(options));
}

Queue::Queue(std::string name, QueueOptions options)
    : WaitableResource(2),
      name_(std::move(name)),
      options_(std::move(options)),
      order_(OrderOf(options_)) {}

std::string Queue::ToString() const { return Cat(NameOf(options_.kind), " '", name_, "'"); }

PartialShape Queue::shape(size_t i) const {
  return options_.shapes.empty() ? PartialShape() : options_.shapes[i];
}

absl::Status Queue::CheckSame(const QueueOptions& wanted, absl::string_view node,
                              absl::string_view op) const {
  const std::string shared = Cat("Shared queue '", name_, "' has ");
  if (wanted.kind != options_.kind) {
    return InvalidArgument("Expected ", NameOf(options_.kind), ", found ", op, " of node ", node,
                           " (shared queue '", name_, "')");
  }
  if (wanted.capacity != options_.capacity) {
    return InvalidArgument(shared, "capacity ", options_.capacity, " but requested capacity was ",
                           wanted.capacity);
  }
  if (wanted.min_after_dequeue != options_.min_after_dequeue) {
    return InvalidArgument(shared, "min_after_dequeue ", options_.min_after_dequeue,
                           " but requested min_after_dequeue was ", wanted.min_after_dequeue, ".");
  }
  const auto seeds = [](const QueueOptions& o) { return std::pair(o.seed, o.seed2); };
  if (seeds(wanted) != seeds(options_) && seeds(wanted) != std::pair<int64_t, int64_t>()) {
    return InvalidArgument(shared, "random seeds (", options_.seed, ", ", options_.seed2,
                           ") but requested seeds are (", wanted.seed, ", ", wanted.seed2, ").");
  }
  if (wanted.types != options_.types) {
    return InvalidArgument(shared, "component types ", TypeNames(options_.types),
                           " but requested component types were ", TypeNames(wanted.types));
  }
  if (!SameShapes(options_.kind, wanted.shapes, options_.shapes)) {
    return InvalidArgument(shared, "component shapes ", ShapeNames(options_.shapes),
                           " but requested component shapes were ", ShapeNames(wanted.shapes));
  }
  return absl::OkStatus();
}

absl::Status Queue::CheckElement(const QueueElement& element) const {
  SLUICE_RETURN_IF_ERROR(CheckTypes(options_.types, element));
  for (size_t i = 0; i < element.size(); ++i) {
    if (!shape(i).CompatibleWith(element[i].shape()))
      return ShapeMismatch(i, shape(i), element[i].shape());
  }
  if (options_.kind == Kind::kPriority && element[0].rank() != 0) {
    return InvalidArgument("Expected the priority element to be a scalar, but received shape: ",
                           element[0].shape());
  }
  return absl::OkStatus();
}

absl::Status Queue::CheckBatch(const QueueElement& batch) const {
  SLUICE_RETURN_IF_ERROR(CheckTypes(options_.types, batch));
  if (options_.shapes.empty()) SLUICE_RETURN_IF_ERROR(CheckRows(batch));
  const int64_t rows = batch[0].rank() == 0 ? 1 : batch[0].dim(0);
  for (size_t i = 0; i < options_.shapes.size(); ++i) {
    Shape::Dims dims = {rows};
    const PartialShape row = shape(i);
    dims.insert(dims.end(), row.dims().begin(), row.dims().end());
    SLUICE_ASSIGN(const PartialShape expected, PartialShape::Create(dims));
    if (!expected.CompatibleWith(batch[i].shape()))
      return ShapeMismatch(i, expected, batch[i].shape());
  }
  if (options_.kind == Kind::kPriority && batch[0].rank() != 1) {
    Shape shape = batch[0].shape();
    shape.RemoveDim(0);
    return InvalidArgument("Expected the priority element to be a scalar, but received shape: ",
                           shape);
  }
  return absl::OkStatus();
}

absl::Status Queue::CheckBatches() const {
  if (!options_.shapes.empty()) return absl::OkStatus();
  const bool priority = options_.kind == Kind::kPriority;
  return InvalidArgument(NameOf(options_.kind), "'s DequeueMany ",
                         priority ? "requires" : "and DequeueUpTo require",
                         " the components to have specified shapes.");
}

void Queue::Enqueue(KernelContext& ctx, QueueElement element, Done done) {
  auto attempt = [this, element = std::move(element)](absl::Status& result) mutable {
    if (closed_) return result = Closed(), Progress::kEnded;
    if (!HasRoom()) return Progress::kNone;
    order_->Put(std::move(element));
    return Progress::kEnded;
  };
  Join(kEnqueues, ctx, {"Enqueue", std::move(attempt), nullptr}, std::move(done));
}

void Queue::EnqueueMany(KernelContext& ctx, QueueElement batch, Done done) {
  const int64_t rows = batch[0].dim(0);
  if (rows == 0) return done(absl::OkStatus());
  auto attempt = [this, batch = std::move(batch), rows,
                  next = int64_t{0}](absl::Status& result) mutable {
    if (closed_) return result = Closed(), Progress::kEnded;
    if (!HasRoom()) return Progress::kNone;
    while (next < rows && HasRoom()) {
      absl::StatusOr<QueueElement> row = RowOf(batch, next++);
      if (!row.ok()) return result = row.status(), Progress::kEnded;
      order_->Put(*std::move(row));
    }
    return next == rows ? Progress::kEnded : Progress::kSome;
  };
  Join(kEnqueues, ctx, {"Enqueue", std::move(attempt), nullptr}, std::move(done));
}

void Queue::Dequeue(KernelContext& ctx, QueueElement* taken, Done done) {
  auto attempt = [this, taken](absl::Status& result) {
    if (Available() > 0) return *taken = order_->Take(), Progress::kEnded;
    if (!closed_) return Progress::kNone;
    result = Insufficient(1);
    return Progress::kEnded;
  };
  Join(kDequeues, ctx, {"Dequeue", attempt, nullptr}, std::move(done));
}

void Queue::DequeueMany(KernelContext& ctx, int64_t n, bool up_to, std::vector<QueueElement>* taken,
                        Done done) {
  if (n == 0) return done(absl::OkStatus());
  Request request;
  request.operation = "Dequeue";
  if (options_.kind == Kind::kPriority) {
    request.attempt = [this, n, up_to, taken](absl::Status& result) {
      return TakeAtOnce(n, up_to, *taken, result);
    };
  } else {
    request.attempt = [this, n, up_to, taken](absl::Status& result) mutable {
      return TakeSome(&n, up_to, *taken, result);
    };
    request.give_back = [this, taken] { GiveBack(*taken); };
  }
  Join(kDequeues, ctx, std::move(request), std::move(done));
}

void Queue::Close(KernelContext& ctx, bool cancel_pending_enqueues, Done done) {
  if (cancel_pending_enqueues) {
    Change([this] {
      closed_ = true;
      CancelAll(kEnqueues);
    });
    return done(absl::OkStatus());
  }
  auto attempt = [this](absl::Status& result) {
    if (closed_) result = Cancelled("Queue '", name_, "' is already closed.");
    closed_ = true;
    return Progress::kEnded;
  };
  Join(kEnqueues, ctx, {"Enqueue", attempt, nullptr}, std::move(done));
}

int64_t Queue::size() const {
  absl::MutexLock lock(&mu_);
  return order_->size();
}

bool Queue::closed() const {
  absl::MutexLock lock(&mu_);
  return closed_;
}

int64_t Queue::Available() const {
  return order_->size() - (closed_ ? 0 : options_.min_after_dequeue);
}

absl::Status Queue::Closed() const { return Cancelled(*this, " is closed."); }

absl::Status Queue::Insufficient(int64_t wanted) const {
  return OutOfRange(*this, " is closed and has insufficient elements (requested ", wanted,
                    ", current size ", order_->size(), ")");
}

void Queue::GiveBack(std::vector<QueueElement>& taken) {
  while (!taken.empty()) {
    order_->PutBack(std::move(taken.back()));
    taken.pop_back();
  }
}

// A batch takes the available elements and continues to wait. Otherwise a batch larger than the
// capacity would never complete. `n` is the number of missing elements.
Queue::Progress Queue::TakeSome(int64_t* n, bool up_to, std::vector<QueueElement>& taken,
                                absl::Status& result) {
  if (closed_ && order_->size() < *n) {
    result = Insufficient(*n);
    GiveBack(taken);
    if (!up_to || order_->size() == 0) return Progress::kEnded;
    result = absl::OkStatus();
    *n = order_->size();
  }
  const int64_t now = std::min(*n, Available());
  if (now <= 0) return Progress::kNone;
  for (int64_t i = 0; i < now; ++i) taken.push_back(order_->Take());
  *n -= now;
  return *n == 0 ? Progress::kEnded : Progress::kSome;
}

// A batch of a priority queue is sorted, so all of it must be available.
Queue::Progress Queue::TakeAtOnce(int64_t n, bool up_to, std::vector<QueueElement>& taken,
                                  absl::Status& result) {
  const int64_t size = order_->size();
  if (size < n) {
    if (!closed_) return Progress::kNone;
    if (size == 0 || !up_to) return result = Insufficient(n), Progress::kEnded;
  }
  for (int64_t i = std::min(n, size); i > 0; --i) taken.push_back(order_->Take());
  return Progress::kEnded;
}

}  // namespace sluice::kernels
