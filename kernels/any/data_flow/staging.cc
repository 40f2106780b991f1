// SPDX-License-Identifier: Apache-2.0
#include "kernels/any/data_flow/staging.h"

#include <algorithm>
#include <utility>

namespace sluice::kernels {
namespace {

int64_t BytesOf(const StagedTuple& tuple) {
  int64_t bytes = 0;
  for (const Tensor& tensor : tuple) {
    bytes += tensor.num_elements() * static_cast<int64_t>(Buffer::ElementBytes(tensor.dtype()));
    if (tensor.dtype() != kString) continue;
    for (const std::string& value : tensor.flat<std::string>()) {
      bytes += static_cast<int64_t>(value.size());
    }
  }
  return bytes;
}

absl::Status CheckFits(const StagingLimits& limits, int64_t bytes) {
  if (limits.memory == 0 || bytes <= limits.memory) return absl::OkStatus();
  return ResourceExhausted("Attempted to insert tensors with combined size of '", bytes,
                           "' bytes into Staging Area with a memory limit of '", limits.memory,
                           "'.");
}

absl::Status CheckOrder(absl::Span<const int64_t> indices) {
  const bool ordered = std::is_sorted(indices.begin(), indices.end(), std::less_equal<int64_t>());
  return ordered ? absl::OkStatus() : InvalidArgument("Indices are not strictly ordered");
}

}  // namespace

absl::StatusOr<StagingLimits> StagingLimits::Create(const NodeSpec& node) {
  StagingLimits limits{GetAttrOr<int64_t>(node.attrs, "capacity", 0),
                       GetAttrOr<int64_t>(node.attrs, "memory_limit", 0)};
  if (limits.capacity < 0 || limits.memory < 0) {
    return InvalidArgument("capacity and memory_limit must not be negative, got ", limits.capacity,
                           " and ", limits.memory);
  }
  return limits;
}

StagingArea::StagingArea(std::string name, StagingLimits limits)
    : WaitableResource(3), name_(std::move(name)), limits_(limits) {
  AllowBypass(kPeeks);
}

void StagingArea::Put(KernelContext& ctx, StagedTuple tuple, Done done) {
  const int64_t bytes = BytesOf(tuple);
  absl::Status fits = CheckFits(limits_, bytes);
  if (!fits.ok()) return done(std::move(fits));
  auto attempt = [this, bytes, tuple = std::move(tuple)](absl::Status&) mutable {
    mu_.AssertHeld();
    const bool full =
        limits_.capacity > 0 && static_cast<int64_t>(tuples_.size()) >= limits_.capacity;
    if (full || (limits_.memory > 0 && bytes_ + bytes > limits_.memory)) return Progress::kNone;
    tuples_.push_back(std::move(tuple));
    bytes_ += bytes;
    return Progress::kEnded;
  };
  Join(kPuts, ctx, {"Stage", std::move(attempt), nullptr}, std::move(done));
}

void StagingArea::Take(KernelContext& ctx, StagedTuple* taken, Done done) {
  auto attempt = [this, taken](absl::Status&) {
    mu_.AssertHeld();
    if (tuples_.empty()) return Progress::kNone;
    *taken = std::move(tuples_.front());
    tuples_.pop_front();
    bytes_ -= BytesOf(*taken);
    return Progress::kEnded;
  };
  Join(kTakes, ctx, {"Unstage", std::move(attempt), nullptr}, std::move(done));
}

void StagingArea::Peek(KernelContext& ctx, size_t index, StagedTuple* seen, Done done) {
  auto attempt = [this, index, seen](absl::Status&) {
    mu_.AssertHeld();
    if (index >= tuples_.size()) return Progress::kNone;
    *seen = tuples_[index];
    return Progress::kEnded;
  };
  Join(kPeeks, ctx, {"StagePeek", std::move(attempt), nullptr}, std::move(done));
}

int64_t StagingArea::size() const {
  absl::MutexLock lock(&mu_);
  return static_cast<int64_t>(tuples_.size());
}

void StagingArea::Clear() {
  std::deque<StagedTuple> freed;  // destroyed without the lock
  Change([&] {
    mu_.AssertHeld();
    freed.swap(tuples_);
    bytes_ = 0;
  });
}

StagingMap::StagingMap(std::string name, StagingLimits limits, size_t tuple_size)
    : WaitableResource(2), name_(std::move(name)), limits_(limits), tuple_size_(tuple_size) {
  AllowBypass(kPuts);
  AllowBypass(kTakes);
}

absl::Status StagingMap::CheckIndex(int64_t key, int64_t index) const {
  if (index >= 0 && index < static_cast<int64_t>(tuple_size_)) return absl::OkStatus();
  return InvalidArgument("Index '", index, "' for key '", key, "' was out of bounds '", tuple_size_,
                         "'.");
}

absl::Status StagingMap::Insert(int64_t key, absl::Span<const int64_t> indices,
                                StagedTuple& values) {
  auto found = incomplete_.find(key);
  for (int64_t index : indices) {
    SLUICE_RETURN_IF_ERROR(CheckIndex(key, index));
    if (found != incomplete_.end() && found->second[static_cast<size_t>(index)]) {
      return InvalidArgument("The tensor for index '", index, "' for key '", key,
                             "' was already initialized '", tuple_size_, "'.");
    }
  }
  Tuple tuple(tuple_size_);
  if (found != incomplete_.end()) tuple = std::move(found->second);
  bytes_ += BytesOf(values);
  for (size_t i = 0; i < indices.size(); ++i) {
    tuple[static_cast<size_t>(indices[i])] = std::move(values[i]);
  }
  const bool complete = std::all_of(tuple.begin(), tuple.end(), [](const auto& t) { return !!t; });
  if (!complete) {
    incomplete_[key] = std::move(tuple);
    return absl::OkStatus();
  }
  incomplete_.erase(key);
  if (complete_.contains(key)) {  // TensorFlow's rule: the first stays
    for (const auto& part : tuple) bytes_ -= BytesOf({*part});
    return absl::OkStatus();
  }
  complete_.emplace(key, std::move(tuple));
  return absl::OkStatus();
}

void StagingMap::Put(KernelContext& ctx, int64_t key, std::vector<int64_t> indices,
                     StagedTuple values, Done done) {
  const int64_t bytes = BytesOf(values);
  absl::Status fits = CheckOrder(indices);
  fits.Update(CheckFits(limits_, bytes));
  if (fits.ok() && indices.size() != values.size()) {
    fits = InvalidArgument("there are ", indices.size(), " indices for ", values.size(), " values");
  }
  if (!fits.ok()) return done(std::move(fits));
  // Parts that other parts may complete do not wait for room among the complete tuples.
  const bool whole = indices.size() == tuple_size_;
  auto attempt = [this, key, bytes, whole, indices = std::move(indices),
                  values = std::move(values)](absl::Status& result) mutable {
    mu_.AssertHeld();
    const bool full =
        whole && limits_.capacity > 0 && static_cast<int64_t>(complete_.size()) >= limits_.capacity;
    if (full || (limits_.memory > 0 && bytes_ + bytes > limits_.memory)) return Progress::kNone;
    result = Insert(key, indices, values);
    return Progress::kEnded;
  };
  Join(kPuts, ctx, {"MapStage", std::move(attempt), nullptr}, std::move(done));
}

absl::Status StagingMap::Extract(Tuple& tuple, bool copy, Part& part) {
  for (int64_t index : part.indices) {
    SLUICE_RETURN_IF_ERROR(CheckIndex(*part.key, index));
    if (!tuple[static_cast<size_t>(index)]) {
      return InvalidArgument("Tensor at index '", index, "' for key '", *part.key,
                             "' has already been removed.");
    }
  }
  for (int64_t index : part.indices) {
    auto& component = tuple[static_cast<size_t>(index)];
    part.values.push_back(*component);
    if (!copy) component.reset();
  }
  if (!copy) bytes_ -= BytesOf(part.values);
  return absl::OkStatus();
}

void StagingMap::Take(KernelContext& ctx, bool copy, Part* part, Done done) {
  absl::Status ordered = CheckOrder(part->indices);
  if (!ordered.ok()) return done(std::move(ordered));
  auto attempt = [this, copy, part](absl::Status& result) {
    mu_.AssertHeld();
    auto found = part->key ? complete_.find(*part->key) : complete_.begin();
    if (found == complete_.end()) return Progress::kNone;
    part->key = found->first;
    Tuple& tuple = found->second;
    result = Extract(tuple, copy, *part);
    if (std::none_of(tuple.begin(), tuple.end(), [](const auto& t) { return !!t; })) {
      complete_.erase(found);
    }
    return Progress::kEnded;
  };
  Join(kTakes, ctx, {copy ? "MapPeek" : "MapUnstage", std::move(attempt), nullptr},
       std::move(done));
}

int64_t StagingMap::size() const {
  absl::MutexLock lock(&mu_);
  return static_cast<int64_t>(complete_.size());
}

int64_t StagingMap::incomplete_size() const {
  absl::MutexLock lock(&mu_);
  return static_cast<int64_t>(incomplete_.size());
}

void StagingMap::Clear() {
  std::map<int64_t, Tuple> freed;  // destroyed without the lock
  absl::flat_hash_map<int64_t, Tuple> freed_too;
  Change([&] {
    mu_.AssertHeld();
    freed.swap(complete_);
    freed_too.swap(incomplete_);
    bytes_ = 0;
  });
}

}  // namespace sluice::kernels
