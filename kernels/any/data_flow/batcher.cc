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

absl::Status SetOutputs(KernelContext& ctx, const Batcher::Batch& parts) {
  for (const auto& part : parts) SLUICE_RETURN_IF_ERROR(part->outputs->status());
  for (size_t i = 0; i < (*parts[0]->outputs)->size(); ++i) {
    std::vector<Tensor> rows;
    for (const auto& part : parts) rows.push_back(std::move((**part->outputs)[i]));
    if (rows.size() > 1) {
      SLUICE_ASSIGN(rows[0], StackRows(rows));
    }
    ctx.SetOutput(static_cast<int>(i), std::move(rows[0]));
  }
  return absl::OkStatus();
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
  absl::StatusOr<Batch> entered;
  Change([&] {
    mu_.AssertHeld();
    entered = Enter(inputs, work);
  });
  if (!entered.ok()) return done(entered.status());
  auto attempt = [&ctx, parts = *std::move(entered)](absl::Status& result) {
    for (const auto& part : parts) {
      if (!part->outputs) return Progress::kNone;
    }
    result = SetOutputs(ctx, parts);
    return Progress::kEnded;
  };
  Join(0, ctx, {"Batch", std::move(attempt), nullptr}, std::move(done));
  Begin();
}

absl::StatusOr<Batcher::Batch> Batcher::Enter(const std::vector<Tensor>& inputs, const Work& work) {
  const int64_t rows = inputs[0].dim(0), most = options_.max_rows;
  if (rows > options_.max_task) {
    return InvalidArgument("Task size ", rows, " is larger than maximum batch size ",
                           options_.max_task);
  }
  const int64_t room = waiting_.empty() ? 0 : most - waiting_.back().rows;
  int64_t joining = rows <= room ? rows : 0;  // the batch that is open
  if (options_.splits) joining = std::min(rows, room);
  int64_t batches = (rows - joining + most - 1) / most;
  if (waiting_.empty()) batches = std::max<int64_t>(batches, 1);
  if (batches > 0 && static_cast<int64_t>(waiting_.size()) + batches > options_.max_waiting) {
    return Unavailable(
        "The batch scheduling queue to which this task was submitted is full; currently ",
        waiting_.size(), " batches enqueued and max_enqueued_batches is ", options_.max_waiting);
  }
  Batch parts;
  if (joining > 0 || batches == 0) parts.push_back(Add(inputs, 0, joining));
  for (int64_t begin = joining; batches > 0; --batches, begin += most) {
    Open(work);
    parts.push_back(Add(inputs, begin, std::min(rows, begin + most)));
  }
  return parts;
}

void Batcher::Open(Work work) {
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

std::shared_ptr<Batcher::Share> Batcher::Add(const std::vector<Tensor>& inputs, int64_t begin,
                                             int64_t end) {
  auto share = std::make_shared<Share>(Share{NewId(), end - begin, {}, std::nullopt});
  for (const Tensor& input : inputs) share->inputs.push_back(input.Rows(begin, end));
  waiting_.back().rows += share->rows;
  waiting_.back().shares.push_back(share);
  return share;
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
