// SPDX-License-Identifier: Apache-2.0
#include "kernels/any/data_flow/barrier.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "kernels/any/data_flow/queue_batch.h"
#include "kernels/any/data_flow/signature_text.h"

namespace sluice::kernels {

Barrier::Barrier(std::string name, std::vector<DType> types, std::vector<PartialShape> shapes)
    : WaitableResource(1),
      name_(std::move(name)),
      types_(std::move(types)),
      shapes_(std::move(shapes)),
      next_index_(std::numeric_limits<int64_t>::min()),
      ready_(LeastFirst()) {}

PartialShape Barrier::taken_shape(size_t i) const {
  return i < 2 ? PartialShape(Shape{}) : shapes_[i - 2];
}

absl::Status Barrier::CheckSame(const std::vector<DType>& types,
                                const std::vector<PartialShape>& shapes) const {
  if (types != types_) {
    return InvalidArgument("Shared barrier '", name_, "' has component types ", TypeNames(types_),
                           " but requested component types were ", TypeNames(types));
  }
  if (shapes != shapes_) {
    return InvalidArgument("Shared barrier '", name_, "' has component shapes ",
                           ShapeNames(shapes_), " but requested component shapes were ",
                           ShapeNames(shapes));
  }
  return absl::OkStatus();
}

absl::Status Barrier::Insert(const Tensor& keys, int64_t component, const Tensor& values) {
  const int64_t n = keys.num_elements();
  if (n > 0 && values.num_elements() == 0) {
    return InvalidArgument("Tensors with no elements are not supported ", name_,
                           ": received shape ", values.shape());
  }
  if (values.rank() == 0 || values.dim(0) != n) {
    return InvalidArgument("values must have a row for each of ", n, " keys, got shape ",
                           values.shape());
  }
  absl::Status status;
  Change([&] { status = InsertLocked(keys, component, values); });
  return status;
}

absl::Status Barrier::InsertLocked(const Tensor& keys, int64_t component, const Tensor& values) {
  const int64_t n = keys.num_elements();
  if (closed_ && (cancelled_ || (n > 0 && incomplete_.empty()))) {
    return Cancelled("Barrier ", name_,
                     " is closed.  Pending enqueues cancelled: ", static_cast<int>(cancelled_),
                     ".  Number of new insertions: ", n,
                     ".  Number of incomplete keys: ", incomplete_.size(), ".");
  }
  if (next_index_ == std::numeric_limits<int64_t>::max())
    return Internal("barrier ", name_, " cannot count more insertions");
  ++next_index_;
  bool begun = false;
  absl::Status status;
  for (int64_t i = 0; status.ok() && i < n; ++i) {
    const std::string& key = keys.flat<std::string>()[i];
    begun = begun || !incomplete_.contains(key);
    status = InsertOne(key, i, component, values);
  }
  if (!begun) --next_index_;  // only inserts that begin a tuple count
  return status;
}

absl::Status Barrier::InsertOne(const std::string& key, int64_t row, int64_t component,
                                const Tensor& values) {
  auto it = incomplete_.find(key);
  if (it == incomplete_.end() && closed_) {
    return Cancelled(
        "Barrier ", name_, " is closed, but attempted to insert a brand new key: ", key,
        ".  Pending enqueues cancelled: ", static_cast<int>(cancelled_),
        ".  Insertion index: ", row, ".  Number of incomplete keys: ", incomplete_.size(), ".");
  }
  const size_t at = static_cast<size_t>(component);
  if (it != incomplete_.end() && it->second.values[at].valid()) {
    return InvalidArgument("Key ", key, " already has a value for component ", component,
                           " in barrier ", name_);
  }
  SLUICE_ASSIGN(QueueElement value, RowOf({values}, row));
  if (!shapes_[at].CompatibleWith(value[0].shape())) {
    return InvalidArgument("Shape mismatch in tuple component ", component + 2, ". Expected ",
                           shapes_[at], ", got ", value[0].shape());
  }
  if (it == incomplete_.end()) {
    it = incomplete_.emplace(key, Tuple{next_index_ - 1, {}, types_.size()}).first;
    it->second.values.resize(types_.size());
  }
  Tuple& tuple = it->second;
  tuple.values[at] = std::move(value[0]);
  if (--tuple.missing > 0) return absl::OkStatus();
  QueueElement ready = {Tensor::Scalar<int64_t>(tuple.index), Tensor::Scalar<std::string>(key)};
  for (Tensor& v : tuple.values) ready.push_back(std::move(v));
  ready_->Put(std::move(ready));
  incomplete_.erase(it);
  return absl::OkStatus();
}

void Barrier::Take(KernelContext& ctx, int64_t n, bool allow_small_batch,
                   std::vector<QueueElement>* taken, Done done) {
  // A take that begins while the barrier is open also waits for the tuples that are begun when it
  // closes.
  bool first = true, asked_open = false;
  auto attempt = [this, n, allow_small_batch, taken, first,
                  asked_open](absl::Status& result) mutable {
    if (std::exchange(first, false)) asked_open = !closed_;
    const int64_t ready = ready_->size();
    const auto begun = static_cast<int64_t>(incomplete_.size());
    int64_t wanted = n;
    // The tuples that are ready, at once; or all tuples, once those that are begun are complete.
    const bool now = allow_small_batch && (begun == 0 || !asked_open);
    if (closed_ && (now || !allow_small_batch)) {
      if (now) wanted = std::min(n, ready);
      const int64_t available = now ? ready : ready + begun;
      if (available < std::max<int64_t>(wanted, 1)) {
        result = OutOfRange(*this, " is closed and has insufficient elements (requested ", wanted,
                            ", total size ", available, ")");
        return Progress::kEnded;
      }
    }
    if (ready < wanted) return Progress::kNone;
    for (int64_t i = 0; i < wanted; ++i) taken->push_back(ready_->Take());
    return Progress::kEnded;
  };
  Join(0, ctx, {"Dequeue", std::move(attempt), nullptr}, std::move(done));
}

absl::Status Barrier::Close(bool cancel) {
  absl::Status status;
  Change([&] {
    if (closed_ && (cancelled_ || !cancel)) {
      status = Cancelled(*this, " is already closed.");
      return;
    }
    closed_ = true;
    cancelled_ = cancel;
    if (cancel) incomplete_.clear();
  });
  return status;
}

int64_t Barrier::ready() const {
  absl::MutexLock lock(&mu_);
  return ready_->size();
}

int64_t Barrier::incomplete() const {
  absl::MutexLock lock(&mu_);
  return static_cast<int64_t>(incomplete_.size());
}

}  // namespace sluice::kernels
