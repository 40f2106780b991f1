// SPDX-License-Identifier: Apache-2.0
#include "bench/transport/memory.h"

#include <sys/mman.h>

#include <cstring>
#include <new>
#include <thread>

#include "bench/transport/check.h"
#include "core/status.h"

namespace sluice::bench {
namespace {

// Polls until `side` has that number; yields sometimes, for machines with one core.
bool LookFor(const SpinSlot::Side& side, uint32_t number, const std::atomic<bool>& over) {
  for (uint32_t turns = 1; side.number.load(std::memory_order_acquire) != number; ++turns) {
    if (turns % (1 << 14) != 0) continue;
    if (over.load()) return false;
    std::this_thread::yield();
  }
  return true;
}

void Say(SpinSlot::Side* side, const char* bytes, int64_t size, uint32_t number) {
  std::memcpy(side->bytes, bytes, static_cast<size_t>(size));
  side->number.store(number, std::memory_order_release);
}

class Spin final : public Contender {
 public:
  Spin(FarEnd far, SpinSlot* slot) : far_(std::move(far)), slot_(slot) {}
  bool Carries(const Payload& payload) const override {
    return payload.buffers.size() == 1 && !payload.serialised &&
           payload.bytes() <= SpinSlot::kLimit;
  }
  bool Streams() const override { return false; }
  void Load(const Payload& payload, int) override {
    source_ = SourceTensors(payload)[0];
    target_.resize(source_.bytes());
  }
  std::vector<double> PingPong(int times) override {
    slot_->count = times;
    slot_->size = static_cast<int32_t>(source_.bytes());
    sem_post(&slot_->order);
    return TimedExchanges(*this, times);
  }
  void Stream() override { Check(false, "a stream by spinning"); }
  void Post() override { Say(&slot_->ping, source_.data<char>(), slot_->size, ++number_); }
  void Await() override {
    Check(LookFor(slot_->pong, number_, slot_->over), "spinning");
    std::memcpy(target_.data(), slot_->pong.bytes, target_.size());
  }

 private:
  const FarEnd far_;
  SpinSlot* const slot_;
  Tensor source_;
  std::vector<char> target_;
  uint32_t number_ = 0;
};

class SpinResponder final : public Responder {
 public:
  explicit SpinResponder(SpinSlot* slot) : slot_(slot), thread_([this] { AnswerAll(); }) {}
  ~SpinResponder() override {
    slot_->over.store(true);
    sem_post(&slot_->order);
    thread_.join();
  }

 private:
  void AnswerAll() {
    std::vector<char> target;
    for (uint32_t number = 0; sem_wait(&slot_->order) == 0 && !slot_->over.load();) {
      const int32_t count = slot_->count;
      target.resize(static_cast<size_t>(slot_->size));
      for (int i = 0; i < count; ++i) {
        if (!LookFor(slot_->ping, ++number, slot_->over)) return;
        std::memcpy(target.data(), slot_->ping.bytes, target.size());
        Say(&slot_->pong, target.data(), static_cast<int64_t>(target.size()), number);
      }
    }
  }
  SpinSlot* const slot_;
  std::thread thread_;
};

class Memcpy final : public Contender {
 public:
  bool Carries(const Payload& payload) const override { return !payload.serialised; }
  void Load(const Payload& payload, int window) override {
    source_ = SourceTensors(payload);
    window_ = window;
    target_.assign(static_cast<size_t>(payload.bytes()), 0);
    target_.shrink_to_fit();
  }
  std::vector<double> PingPong(int times) override { return TimedExchanges(*this, times); }
  void Stream() override {
    for (int i = 0; i < window_; ++i) Copy();
  }
  void Post() override { Copy(); }
  void Await() override { Copy(); }

 private:
  void Copy() {
    char* at = target_.data();
    for (const Tensor& tensor : source_) {
      std::memcpy(at, tensor.raw(), tensor.bytes());
      at += tensor.bytes();
    }
    // keeps the copy, whose result is not read
    asm volatile("" : : "r"(target_.data()) : "memory");
  }
  std::vector<Tensor> source_;
  std::vector<char> target_;
  int window_ = 1;
};

}  // namespace

SpinSlot* CreateSpinSlot() {
  void* memory =
      mmap(nullptr, sizeof(SpinSlot), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  Check(memory != MAP_FAILED, "mapping memory");
  auto* slot = new (memory) SpinSlot;
  Check(sem_init(&slot->order, /*pshared=*/1, 0) == 0, "making a semaphore");
  return slot;
}

absl::StatusOr<std::unique_ptr<Contender>> CreateSpin(FarProcess& far) {
  if (far.slot() == nullptr) return Unavailable("needs memory that both processes have from birth");
  SLUICE_ASSIGN(FarEnd opened, far.Open("spin", {}));
  return std::make_unique<Spin>(std::move(opened), far.slot());
}

std::unique_ptr<Responder> CreateSpinResponder(SpinSlot* slot) {
  return std::make_unique<SpinResponder>(slot);
}

std::unique_ptr<Contender> CreateMemcpy() { return std::make_unique<Memcpy>(); }

}  // namespace sluice::bench
