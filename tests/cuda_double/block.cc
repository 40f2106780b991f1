// SPDX-License-Identifier: Apache-2.0
// A fibre runs the threads of a block one after another, as plain calls, until one of them stops at
// a barrier or a shuffle. It keeps that thread, and the next fibre goes on with the threads that
// have not begun. So a kernel without barriers needs one fibre and no switches.
#include "tests/cuda_double/block.h"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <memory>
#include <vector>

#include "cuda_double/thread.h"
#include "tests/cuda_double/control.h"
#include "tests/cuda_double/fibre.h"
#include "tests/cuda_double/shared_memory.h"

namespace sluice::cuda_double {
namespace {

constexpr int kWarp = 32;

enum class Stop : uint8_t { kNone, kBlock, kWarp, kShuffle, kBallot };
constexpr const char* kStopNames[] = {"", "__syncthreads", "__syncwarp", "a shuffle", "a vote"};

// A thread that stands at a barrier or a shuffle.
struct Waiting {
  Fibre* fibre = nullptr;  // null: it does not wait
  Stop stop = Stop::kNone;
  Site site = {};
  unsigned mask = 0;
  int source = 0;      // the lane of a shuffle
  uint64_t bytes = 0;  // given, then received
};

std::string Where(const Waiting& at) {
  return std::string(kStopNames[static_cast<int>(at.stop)]) + " in " + at.site.file + ":" +
         std::to_string(at.site.line);
}

bool SameSite(const Site& a, const Site& b) {
  return a.line == b.line && (a.file == b.file || std::strcmp(a.file, b.file) == 0);
}

// The threads of the host that run kernels have one each.
class Runner {
 public:
  std::string Run(const Kernel& kernel, Direction direction, Chance& chance);

  // For the running thread of the kernel.
  void Wait(Stop stop, unsigned mask, Site site);
  Waiting& current() { return waiting_[current_]; }
  int lane() const { return current_ % kWarp; }
  unsigned char* shared() { return shared_.data(); }

 private:
  void RunBlock(uint64_t block);
  static void RunThreads(void* runner);
  bool BeginsMore();
  void Continue();
  void Become(int thread);
  void Ended();
  bool MeetBlock();
  void MeetLanes(int warp, int lane);
  void Deliver(int warp, unsigned group);
  void Release(int thread);
  void Fail(std::string what);
  std::string Stuck();
  Fibre* IdleFibre();

  const Kernel* kernel_ = nullptr;
  Direction direction_ = Direction::kForward;
  Chance* chance_ = nullptr;
  std::vector<std::unique_ptr<Fibre>> fibres_;
  std::vector<Fibre*> idle_;
  Context host_;

  // Of the block that runs.
  int threads_ = 0;
  std::vector<int> to_begin_;  // in reverse order
  std::deque<int> ready_;      // met the others, and can go on
  std::vector<Waiting> waiting_;
  std::vector<unsigned> alive_;  // by warp: the lanes that have not ended
  int count_ended_ = 0;
  int count_at_block_ = 0;  // threads that wait for the block
  int count_at_warps_ = 0;  // threads that wait for their warp
  int current_ = 0;
  Fibre* running_ = nullptr;
  SharedMemory shared_;
  std::string failure_;
};

thread_local Runner* runner = nullptr;

void Runner::Fail(std::string what) {
  if (failure_.empty()) failure_ = std::move(what);
}

void Runner::Become(int thread) {
  const dim3& block = kernel_->block;
  const unsigned t = static_cast<unsigned>(thread);
  current_ = thread;
  threadIdx = {t % block.x, t / block.x % block.y, t / (block.x * block.y)};
}

Fibre* Runner::IdleFibre() {
  if (idle_.empty()) {
    fibres_.push_back(std::make_unique<Fibre>());
    idle_.push_back(fibres_.back().get());
  }
  Fibre* fibre = idle_.back();
  idle_.pop_back();
  return fibre;
}

// A fibre runs threads that have not begun, until none is left.
void Runner::RunThreads(void* argument) {
  auto* self = static_cast<Runner*>(argument);
  for (;;) {
    while (self->failure_.empty() && self->BeginsMore()) {
      const int thread = self->to_begin_.back();
      self->to_begin_.pop_back();
      self->Become(thread);
      self->kernel_->thread();
      self->Ended();
    }
    self->idle_.push_back(self->running_);
    Switch(self->running_->context(), self->host_);
  }
}

// Whether a thread begins that has not, rather than one goes on that has met others.
bool Runner::BeginsMore() {
  if (to_begin_.empty()) return false;
  if (ready_.empty() || direction_ == Direction::kForward) return true;
  return direction_ == Direction::kShuffled && chance_->Below(2) == 0;
}

void Runner::Ended() {
  ++count_ended_;
  MeetBlock();
  const int warp = current_ / kWarp;
  alive_[static_cast<size_t>(warp)] &= ~(1u << lane());
  if (count_at_warps_ == 0) return;
  for (int other = 0; other < kWarp && warp * kWarp + other < threads_; ++other) {
    const Stop stop = waiting_[static_cast<size_t>(warp * kWarp + other)].stop;
    if (stop != Stop::kNone && stop != Stop::kBlock) MeetLanes(warp, other);
  }
}

void Runner::Wait(Stop stop, unsigned mask, Site site) {
  Waiting& at = waiting_[current_];
  at.fibre = running_;
  at.stop = stop;
  at.mask = mask;
  at.site = site;
  if (stop == Stop::kBlock) {
    ++count_at_block_;
    MeetBlock();
  } else {
    ++count_at_warps_;
    if (!(mask >> lane() & 1)) Fail("a thread is not in the mask of its own " + Where(at));
    MeetLanes(current_ / kWarp, lane());
  }
  Switch(running_->context(), host_);
}

void Runner::Release(int thread) {
  waiting_[thread].stop = Stop::kNone;
  ready_.push_back(thread);
}

// True when the last thread has arrived. A thread that has ended never arrives: what a GPU does then
// is not defined.
bool Runner::MeetBlock() {
  if (count_at_block_ == 0 || count_at_block_ + count_ended_ < threads_) return false;
  const Waiting* first = nullptr;
  for (const Waiting& at : waiting_) {
    if (at.stop != Stop::kBlock) continue;
    if (!first) first = &at;
    if (!SameSite(at.site, first->site)) {
      Fail("threads of a block wait at different barriers: " + Where(*first) + " and " + Where(at));
      return false;
    }
  }
  if (count_ended_ > 0) {
    Fail(std::to_string(count_ended_) + " threads ended before the others reached " +
         Where(*first));
    return false;
  }
  count_at_block_ = 0;
  for (int t = 0; t < threads_; ++t) Release(t);
  return true;
}

// Continues the lanes that the mask of `lane` names, if all have arrived at the same place. Lanes that
// have ended are not waited for.
void Runner::MeetLanes(int warp, int lane) {
  const Waiting* lanes = &waiting_[static_cast<size_t>(warp * kWarp)];
  const Waiting& at = lanes[lane];
  const unsigned group = at.mask & alive_[static_cast<size_t>(warp)];
  for (unsigned rest = group; rest; rest &= rest - 1) {
    const Waiting& other = lanes[std::countr_zero(rest)];
    if (other.stop != at.stop || other.mask != at.mask || !SameSite(other.site, at.site)) return;
  }
  Deliver(warp, group);
}

void Runner::Deliver(int warp, unsigned group) {
  Waiting* lanes = &waiting_[warp * kWarp];
  uint64_t given[kWarp] = {};
  unsigned votes = 0;
  for (unsigned rest = group; rest; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    given[lane] = lanes[lane].bytes;
    if (given[lane]) votes |= 1u << lane;
  }
  for (unsigned rest = group; rest; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    Waiting& at = lanes[lane];
    if (at.stop == Stop::kBallot) at.bytes = votes;
    if (at.stop == Stop::kShuffle) {
      const bool there = at.source >= 0 && at.source < kWarp && (group >> at.source & 1);
      at.bytes = there ? given[at.source] : 0x0101010101010101u * kPoison;
    }
    --count_at_warps_;
    Release(warp * kWarp + lane);
  }
}

// Switches to a thread that can go on, or to a fibre that begins more.
void Runner::Continue() {
  if (ready_.empty() || BeginsMore()) {
    running_ = IdleFibre();
    if (!running_->begun()) running_->Begin(&Runner::RunThreads, this);
  } else {
    if (direction_ == Direction::kShuffled)
      std::swap(ready_.front(), ready_[chance_->Below(ready_.size())]);
    const bool first = direction_ != Direction::kBackward;
    const int thread = first ? ready_.front() : ready_.back();
    first ? ready_.pop_front() : ready_.pop_back();
    running_ = waiting_[thread].fibre;
    waiting_[thread].fibre = nullptr;
    Become(thread);
  }
  Switch(host_, running_->context());
}

std::string Runner::Stuck() {
  std::string text = "threads of a block wait for ever:";
  int named = 0;
  for (int t = 0; t < threads_ && named < 3; ++t) {
    if (waiting_[t].stop == Stop::kNone) continue;
    text += (named++ ? "; thread " : " thread ") + std::to_string(t) + " at " + Where(waiting_[t]);
  }
  return text;
}

void Runner::RunBlock(uint64_t block) {
  const dim3& grid = kernel_->grid;
  blockIdx = {static_cast<unsigned>(block % grid.x), static_cast<unsigned>(block / grid.x % grid.y),
              static_cast<unsigned>(block / grid.x / grid.y)};
  count_ended_ = count_at_block_ = count_at_warps_ = 0;
  alive_.clear();
  for (int left = threads_; left > 0; left -= kWarp)
    alive_.push_back(left >= kWarp ? ~0u : (1u << left) - 1);
  waiting_.assign(static_cast<size_t>(threads_), Waiting());
  to_begin_.clear();
  ready_.clear();
  Order order(static_cast<uint64_t>(threads_), direction_, *chance_);
  for (int i = 0; i < threads_; ++i) to_begin_.push_back(static_cast<int>(order.Next()));
  std::reverse(to_begin_.begin(), to_begin_.end());
  shared_.Poison();
  while (failure_.empty() && (count_ended_ < threads_)) {
    if (ready_.empty() && to_begin_.empty()) {
      Fail(Stuck());
      break;
    }
    Continue();
  }
  if (const char* fault = shared_.Check(); fault && failure_.empty()) Fail(fault);
}

std::string Runner::Run(const Kernel& kernel, Direction direction, Chance& chance) {
  kernel_ = &kernel;
  direction_ = direction;
  chance_ = &chance;
  failure_.clear();
  gridDim = kernel.grid;
  blockDim = kernel.block;
  threads_ = static_cast<int>(kernel.block.x * kernel.block.y * kernel.block.z);
  shared_.Resize(kernel.shared_bytes);
  const uint64_t blocks = uint64_t{kernel.grid.x} * kernel.grid.y * kernel.grid.z;
  Order order(blocks, direction, chance);
  for (uint64_t i = 0; i < blocks && failure_.empty(); ++i) RunBlock(order.Next());
  if (!failure_.empty()) {
    // Fibres of threads that were left in the middle.
    idle_.clear();
    for (const auto& fibre : fibres_) {
      fibre->Abandon();
      idle_.push_back(fibre.get());
    }
  }
  return failure_;
}

// A program's fault: a barrier in code that no kernel runs.
Runner& Current() {
  if (!runner) {
    std::fprintf(stderr, "cuda double: device code outside of a kernel\n");
    std::abort();
  }
  return *runner;
}

}  // namespace

void SyncBlock(Site site) { Current().Wait(Stop::kBlock, 0, site); }

void SyncWarp(unsigned mask, Site site) { Current().Wait(Stop::kWarp, mask, site); }

uint64_t Shuffle(unsigned mask, uint64_t bytes, int lane, Site site) {
  Waiting& at = Current().current();
  at.bytes = bytes;
  at.source = lane;
  runner->Wait(Stop::kShuffle, mask, site);
  return at.bytes;
}

unsigned Ballot(unsigned mask, bool predicate, Site site) {
  Waiting& at = Current().current();
  at.bytes = predicate;
  runner->Wait(Stop::kBallot, mask, site);
  return static_cast<unsigned>(at.bytes);
}

int CurrentLane() { return Current().lane(); }

unsigned char* BlockSharedMemory() { return Current().shared(); }

std::string RunKernel(const Kernel& kernel, Direction direction, Chance& chance) {
  thread_local Runner own;
  runner = &own;
  std::string failure = own.Run(kernel, direction, chance);
  runner = nullptr;
  return failure;
}

}  // namespace sluice::cuda_double
