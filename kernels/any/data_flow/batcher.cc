// SPDX-License-Identifier: Apache-2.0
#include "kernels/any/data_flow/batcher.h"

#include <algorithm>
#include <utility>

#include "core/tensor/allocator.h"
#include "core/tensor/variant.h"
#include "kernels/common/join_tensors.h"

namespace sluice::kernels {
namespace {

int64_t NewId() {
  static std::atomic<int64_t> last{0};
  return ++last;
}

}  // namespace

Timer& BatchTimer() {
  static Timer* const timer = new Timer;  // never destroyed: callbacks hold batchers
  return *timer;
}

absl::StatusOr<Tensor> StackRows(absl::Span<const Tensor> parts) {
  Shape::Dims dims(parts[0].shape().dims().begin(), parts[0].shape().dims().end());
  dims[0] = 0;
  for (const Tensor& part : parts) {
    const auto inner = part.shape().dims().subspan(1);
    if (!std::equal(inner.begin(), inner.end(), dims.begin() + 1, dims.end())) {
      return InvalidArgument("Dimensions of inputs should match: ", parts[0].shape(), " vs. ",
                             part.shape());
    }
    dims[0] += part.dim(0);
  }
  SLUICE_ASSIGN(const Shape shape, Shape::Create(dims));
  SLUICE_ASSIGN(Tensor all, Tensor::Allocate(CpuAllocator(), parts[0].dtype(), shape));
  SLUICE_RETURN_IF_ERROR(JoinTensors(parts, all));
  return all;
}

Batcher::Batcher(std::string name, Options options)
    : WaitableResource(1), name_(std::move(name)), options_(std::move(options)) {
  AllowBypass(0);
}

void Batcher::Put(KernelContext& ctx, std::vector<Tensor> inputs, Work work, Done done) {
  const RefPtr<Batcher> self(this);
  const int64_t rows = inputs[0].dim(0);
  auto share = std::make_shared<Share>(Share{NewId(), rows, std::move(inputs), std::nullopt});
  absl::Status entered;
  Change([&] {
    mu_.AssertHeld();
    entered = Enter(share, std::move(work));
  });
  if (!entered.ok()) return done(std::move(entered));
  auto attempt = [&ctx, share](absl::Status& result) {
    if (!share->outputs) return Progress::kNone;
    result = share->outputs->status();
    for (size_t i = 0; result.ok() && i < (*share->outputs)->size(); ++i) {
      ctx.SetOutput(static_cast<int>(i), std::move((**share->outputs)[i]));
    }
    return Progress::kEnded;
  };
  Join(0, ctx, {"Batch", std::move(attempt), nullptr}, std::move(done));
  Begin();
}

absl::Status Batcher::Enter(std::shared_ptr<Share> share, Work work) {
  if (share->rows > options_.max_rows) {
    return InvalidArgument("Task size ", share->rows, " is larger than maximum batch size ",
                           options_.max_rows);
  }
  if (waiting_.empty() || waiting_.back().rows + share->rows > options_.max_rows) {
    if (static_cast<int64_t>(waiting_.size()) >= options_.max_waiting) {
      return Unavailable(
          "The batch scheduling queue to which this task was submitted is full; currently ",
          waiting_.size(), " batches enqueued and max_enqueued_batches is ", options_.max_waiting);
    }
    Gathered& opened = waiting_.emplace_back();
    opened.number = next_number_++;
    opened.work = std::move(work);
    BatchTimer().At(absl::Now() + options_.timeout,
                    [self = RefPtr<Batcher>(this), number = opened.number] {
                      {
                        absl::MutexLock lock(&self->mu_);
                        for (Gathered& batch : self->waiting_) {
                          batch.due = batch.due || batch.number == number;
                        }
                      }
                      self->Begin();
                    });
  }
  waiting_.back().rows += share->rows;
  waiting_.back().shares.push_back(std::move(share));
  return absl::OkStatus();
}

void Batcher::Begin() {
  for (;;) {
    Gathered next;
    {
      absl::MutexLock lock(&mu_);
      if (waiting_.empty() || running_ >= options_.at_once) return;
      Gathered& first = waiting_.front();
      const bool full = waiting_.size() > 1 || first.rows == options_.max_rows;
      if (!full && !first.due) return;
      next = std::move(first);
      waiting_.pop_front();
      ++running_;
    }
    next.work(std::move(next.shares));
  }
}

void Batcher::Answer(const Batch& batch, std::vector<Outputs> outputs) {
  const RefPtr<Batcher> self(this);
  Change([&] {
    mu_.AssertHeld();
    for (size_t i = 0; i < batch.size(); ++i) batch[i]->outputs = std::move(outputs[i]);
    --running_;
  });
  Begin();
}

absl::StatusOr<Tensor> Batcher::Joined(const Batch& batch, size_t i) const {
  std::vector<Tensor> parts;
  int64_t rows = 0;
  for (const auto& share : batch) {
    parts.push_back(share->inputs[i]);
    rows += share->rows;
  }
  const std::vector<int64_t>& sizes = options_.padded_sizes;
  const auto padded = std::lower_bound(sizes.begin(), sizes.end(), rows);
  for (; padded != sizes.end() && rows > 0 && rows < *padded; ++rows) {
    const Tensor& first = *std::find_if(parts.begin(), parts.end(),
                                        [](const Tensor& part) { return part.dim(0) > 0; });
    parts.push_back(first.Rows(0, 1));
  }
  return StackRows(parts);
}

}  // namespace sluice::kernels
