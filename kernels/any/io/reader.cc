// SPDX-License-Identifier: Apache-2.0
#include "kernels/any/io/reader.h"

#include <utility>

#include "absl/strings/escaping.h"
#include "core/runtime/device.h"

namespace sluice::kernels {
namespace {

// The state in TensorFlow's format: a message of three int64 (work begun, work ended, records) and
// the work item, fields 1 to 4.
void AppendVarint(uint64_t value, std::string* out) {
  for (; value >= 0x80; value >>= 7) out->push_back(static_cast<char>(value | 0x80));
  out->push_back(static_cast<char>(value));
}

void AppendField(int number, int64_t value, std::string* out) {
  if (value == 0) return;
  out->push_back(static_cast<char>(number << 3));
  AppendVarint(static_cast<uint64_t>(value), out);
}

bool TakeVarint(absl::string_view* in, uint64_t* value) {
  *value = 0;
  for (int shift = 0; shift < 64 && !in->empty(); shift += 7) {
    const auto byte = static_cast<uint8_t>(in->front());
    in->remove_prefix(1);
    *value |= static_cast<uint64_t>(byte & 0x7f) << shift;
    if ((byte & 0x80) == 0) return true;
  }
  return false;
}

struct State {
  int64_t numbers[3] = {0, 0, 0};
  std::string work;

  bool Parse(absl::string_view in) {
    while (!in.empty()) {
      const auto tag = static_cast<uint8_t>(in.front());
      in.remove_prefix(1);
      uint64_t value;
      if (!TakeVarint(&in, &value)) return false;
      if (tag == (4 << 3 | 2)) {
        if (value > in.size()) return false;
        work.assign(in.data(), value);
        in.remove_prefix(value);
      } else if (tag == 1 << 3 || tag == 2 << 3 || tag == 3 << 3) {
        numbers[(tag >> 3) - 1] = static_cast<int64_t>(value);
      } else {
        return false;
      }
    }
    return true;
  }
};

absl::StatusOr<std::string> WorkOf(const QueueElement& element) {
  if (element.size() != 1) return InvalidArgument("Expected single component queue");
  if (element[0].dtype() != kString) {
    return InvalidArgument("Expected queue with single string component");
  }
  if (element[0].num_elements() != 1) {
    return InvalidArgument("Expected to dequeue a one-element string tensor");
  }
  return element[0].scalar<std::string>();
}

}  // namespace

// One call of Read, from the beginning to the end of its turn.
struct Reader::Reading {
  KernelContext& ctx;
  const RefPtr<Reader> reader;
  const RefPtr<Queue> queue;
  const int64_t limit;
  Records* const records;
  Done done;
  QueueElement taken;
};

Reader::Reader(std::string name, std::string op, std::unique_ptr<RecordSource> source)
    : WaitableResource(1), name_(std::move(name)), op_(std::move(op)), source_(std::move(source)) {}

void Reader::Take(KernelContext& ctx, absl::AnyInvocable<void(absl::Status)> turn) {
  auto attempt = [this](absl::Status&) {
    mu_.AssertHeld();
    if (busy_) return Progress::kNone;
    busy_ = true;
    return Progress::kEnded;
  };
  Join(0, ctx, {"ReaderRead", std::move(attempt), nullptr}, std::move(turn));
}

bool Reader::InWork() const {
  absl::MutexLock lock(&mu_);
  return counts_.work_started > counts_.work_finished;
}

void Reader::Read(KernelContext& ctx, RefPtr<Queue> queue, int64_t limit, Records* records,
                  Done done) {
  auto reading = std::shared_ptr<Reading>(new Reading{
      ctx, RefPtr<Reader>(this), std::move(queue), limit, records, std::move(done), {}});
  Take(ctx, [this, reading](absl::Status status) {
    if (!status.ok()) return std::exchange(reading->done, nullptr)(std::move(status));
    Continue(reading);
  });
}

// Releases the thread of the previous reader before files are read. The stack does not grow with
// the number of files.
void Reader::Continue(std::shared_ptr<Reading> reading) {
  auto next = [this, reading]() mutable {
    bool enough = reading->limit == 0;
    absl::Status status;
    if (InWork() && !enough) status = ReadSome(*reading, &enough);
    if (!status.ok() || enough) return End(*reading, std::move(status));
    reading->taken.clear();
    Reading& r = *reading;
    const RefPtr<Queue> queue = r.queue;  // `reading` may be destroyed inside
    queue->Dequeue(r.ctx, &r.taken, [this, reading = std::move(reading)](absl::Status dequeued) {
      Begin(reading, std::move(dequeued));
    });
  };
  WorkQueue* const pool = reading->ctx.device().pool();
  if (pool != nullptr)
    pool->Schedule(std::move(next));
  else
    next();
}

void Reader::Begin(std::shared_ptr<Reading> reading, absl::Status dequeued) {
  if (!dequeued.ok()) return End(*reading, std::move(dequeued));
  absl::StatusOr<std::string> work = WorkOf(reading->taken);
  if (!work.ok()) return End(*reading, work.status());
  work_ = *std::move(work);
  absl::Status opened = source_->Open(work_);
  if (!opened.ok()) return End(*reading, std::move(opened));
  {
    absl::MutexLock lock(&mu_);
    ++counts_.work_started;
  }
  Continue(std::move(reading));
}

// Reads until there are enough records, or the work item ends.
absl::Status Reader::ReadSome(Reading& reading, bool* enough) {
  Records& records = *reading.records;
  for (bool at_end = false; !at_end && !*enough;) {
    if (reading.ctx.cancel().cancelled()) return reading.ctx.cancel().status();
    std::string key, value;
    bool produced = false;
    SLUICE_RETURN_IF_ERROR(source_->Next(&key, &value, &produced, &at_end));
    if (produced) {
      records.keys.push_back(std::move(key));
      records.values.push_back(std::move(value));
    }
    if (at_end) source_->Close();
    absl::MutexLock lock(&mu_);
    counts_.records += produced ? 1 : 0;
    if (at_end) counts_.work_finished = counts_.work_started;
    *enough = static_cast<int64_t>(records.keys.size()) == reading.limit ||
              (at_end && !records.keys.empty());
  }
  return absl::OkStatus();
}

void Reader::End(Reading& reading, absl::Status status) {
  Done done = std::exchange(reading.done, nullptr);
  const RefPtr<Reader> self(this);
  Change([this] {
    mu_.AssertHeld();
    busy_ = false;
  });
  done(std::move(status));
}

void Reader::Exclusively(KernelContext& ctx, absl::AnyInvocable<absl::Status()> change, Done done) {
  Take(ctx, [self = RefPtr<Reader>(this), change = std::move(change),
             done = std::move(done)](absl::Status status) mutable {
    if (!status.ok()) return done(std::move(status));
    status = change();
    self->Change([&] {
      self->mu_.AssertHeld();
      self->busy_ = false;
    });
    done(std::move(status));
  });
}

int64_t Reader::records_produced() const {
  absl::MutexLock lock(&mu_);
  return counts_.records;
}

int64_t Reader::work_completed() const {
  absl::MutexLock lock(&mu_);
  return counts_.work_finished;
}

absl::Status Reader::Reset() {
  source_->Close();
  work_.clear();
  absl::MutexLock lock(&mu_);
  counts_ = Counts();
  return absl::OkStatus();
}

absl::StatusOr<std::string> Reader::SerializeState() const {
  if (!source_->restorable()) return Unimplemented("Reader SerializeState");
  absl::MutexLock lock(&mu_);
  std::string state;
  AppendField(1, counts_.work_started, &state);
  AppendField(2, counts_.work_finished, &state);
  AppendField(3, counts_.records, &state);
  if (!work_.empty()) {
    state.push_back(static_cast<char>(4 << 3 | 2));
    AppendVarint(work_.size(), &state);
    state += work_;
  }
  return state;
}

absl::Status Reader::RestoreState(const std::string& text) {
  if (!source_->restorable()) return Unimplemented("Reader RestoreState");
  State state;
  if (!state.Parse(text)) {
    return InvalidArgument("Could not parse state for ", *this, ": ", absl::CEscape(text));
  }
  const auto [started, finished, records] = state.numbers;
  if (started < 0 || finished < 0 || records < 0) {
    return InvalidArgument("Unexpected negative value when restoring in ", *this, ": ",
                           absl::CEscape(text));
  }
  if (started > finished) {
    if (started != finished + 1) {
      return InvalidArgument("Inconsistent work started vs. finished when restoring in ", *this,
                             ": ", absl::CEscape(text));
    }
    SLUICE_RETURN_IF_ERROR(source_->Open(state.work));
  } else {
    source_->Close();
  }
  work_ = state.work;
  absl::MutexLock lock(&mu_);
  counts_ = {started, finished, records};
  return absl::OkStatus();
}

}  // namespace sluice::kernels
