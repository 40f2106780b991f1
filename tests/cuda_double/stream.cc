// SPDX-License-Identifier: Apache-2.0
#include "tests/cuda_double/stream.h"

#include <algorithm>
#include <thread>
#include <utility>

#include "tests/cuda_double/machine.h"

namespace sluice::cuda_double {
namespace {

// Threads of streams that live, and whether they may begin anything. Outlives all threads.
struct Threads {
  std::mutex mu;
  std::condition_variable changed;
  int alive = 0;
  bool held = false;
};
Threads& AllThreads() {
  static Threads& threads = *new Threads;
  return threads;
}

}  // namespace

void HoldAll(bool hold) {
  Threads& threads = AllThreads();
  std::lock_guard lock(threads.mu);
  threads.held = hold;
  threads.changed.notify_all();
}

void Point::Pass() {
  std::lock_guard lock(mu_);
  passed_ = true;
  when_ = std::chrono::steady_clock::now();
  changed_.notify_all();
}

bool Point::passed() const {
  std::lock_guard lock(mu_);
  return passed_;
}

void Point::Wait() {
  std::unique_lock lock(mu_);
  changed_.wait(lock, [this] { return passed_; });
}

std::chrono::steady_clock::time_point Point::when() const {
  std::lock_guard lock(mu_);
  return when_;
}

Stream::Stream(int device, bool blocking, int priority, uint64_t number)
    : device_(device),
      blocking_(blocking),
      priority_(priority),
      chance_(Machine::Get().settings.seed.load() * 1000003u + number) {}

StreamRef Stream::Create(int device, bool blocking, int priority, uint64_t number) {
  StreamRef stream(new Stream(device, blocking, priority, number));
  {
    std::lock_guard lock(AllThreads().mu);
    ++AllThreads().alive;
  }
  std::thread([stream]() mutable {
    stream->Run();
    stream.reset();
    std::lock_guard lock(AllThreads().mu);
    --AllThreads().alive;
    AllThreads().changed.notify_all();
  }).detach();
  return stream;
}

void Stream::Put(std::function<void(Stream&)> work) {
  std::lock_guard lock(mu_);
  work_.push_back(std::move(work));
  changed_.notify_one();
}

PointRef Stream::PutPoint() {
  auto point = std::make_shared<Point>();
  Put([point](Stream&) { point->Pass(); });
  return point;
}

bool Stream::idle() const {
  std::lock_guard lock(mu_);
  return work_.empty() && !busy_;
}

void Stream::Close() {
  std::lock_guard lock(mu_);
  closed_ = true;
  changed_.notify_one();
}

void Stream::Delay() {
  {
    Threads& threads = AllThreads();
    std::unique_lock lock(threads.mu);
    threads.changed.wait(lock, [&] { return !threads.held; });
  }
  const int64_t most = Machine::Get().settings.most_delay.load();
  // Half of the work is not delayed: a kernel may follow at once on another.
  if (most <= 0 || chance_.Below(2) == 0) return;
  std::this_thread::sleep_for(
      std::chrono::microseconds(chance_.Below(static_cast<uint64_t>(most) + 1)));
}

void Stream::Run() {
  for (;;) {
    std::function<void(Stream&)> work;
    {
      std::unique_lock lock(mu_);
      busy_ = false;
      changed_.wait(lock, [this] { return closed_ || !work_.empty(); });
      if (work_.empty()) return;
      work = std::move(work_.front());
      work_.pop_front();
      busy_ = true;
    }
    Delay();
    work(*this);
  }
}

Handles& Handles::Get() {
  static Handles& handles = *new Handles;
  return handles;
}

cudaStream_t Handles::Add(StreamRef stream) {
  std::lock_guard lock(mu_);
  streams_.push_back(std::move(stream));
  return reinterpret_cast<cudaStream_t>(streams_.back().get());
}

cudaEvent_t Handles::Add(EventRef event) {
  std::lock_guard lock(mu_);
  events_.push_back(std::move(event));
  return reinterpret_cast<cudaEvent_t>(events_.back().get());
}

StreamRef Handles::DefaultOf(int device) {
  const auto at = static_cast<size_t>(device);
  if (defaults_.size() <= at) defaults_.resize(at + 1);
  if (!defaults_[at]) defaults_[at] = Stream::Create(device, true, 0, ++made_);
  return defaults_[at];
}

StreamRef Handles::Find(cudaStream_t handle) {
  std::lock_guard lock(mu_);
  if (handle == nullptr || handle == cudaStreamLegacy) return DefaultOf(CurrentDevice());
  for (const StreamRef& stream : streams_)
    if (reinterpret_cast<cudaStream_t>(stream.get()) == handle) return stream;
  return nullptr;
}

EventRef Handles::Find(cudaEvent_t handle) {
  std::lock_guard lock(mu_);
  for (const EventRef& event : events_)
    if (reinterpret_cast<cudaEvent_t>(event.get()) == handle) return event;
  return nullptr;
}

StreamRef Handles::Take(cudaStream_t handle) {
  std::lock_guard lock(mu_);
  for (StreamRef& stream : streams_) {
    if (reinterpret_cast<cudaStream_t>(stream.get()) != handle) continue;
    StreamRef taken = std::exchange(stream, streams_.back());
    streams_.pop_back();
    return taken;
  }
  return nullptr;
}

EventRef Handles::Take(cudaEvent_t handle) {
  std::lock_guard lock(mu_);
  for (EventRef& event : events_) {
    if (reinterpret_cast<cudaEvent_t>(event.get()) != handle) continue;
    EventRef taken = std::exchange(event, events_.back());
    events_.pop_back();
    return taken;
  }
  return nullptr;
}

std::vector<StreamRef> Handles::StreamsOf(int device) {
  std::lock_guard lock(mu_);
  std::vector<StreamRef> found;
  for (const StreamRef& stream : streams_)
    if (stream->device() == device) found.push_back(stream);
  const auto at = static_cast<size_t>(device);
  if (at < defaults_.size() && defaults_[at]) found.push_back(defaults_[at]);
  return found;
}

int64_t Handles::streams() {
  std::lock_guard lock(mu_);
  return static_cast<int64_t>(streams_.size());
}

int64_t Handles::events() {
  std::lock_guard lock(mu_);
  return static_cast<int64_t>(events_.size());
}

PointRef Handles::LastOf(const EventRef& event) {
  std::lock_guard lock(mu_);
  return event->last;
}

void Handles::Record(const EventRef& event, PointRef point) {
  std::lock_guard lock(mu_);
  event->last = std::move(point);
}

uint64_t Handles::NextNumber() {
  std::lock_guard lock(mu_);
  return ++made_;
}

void Handles::Clear() {
  std::vector<StreamRef> ended;
  {
    std::lock_guard lock(mu_);
    ended.swap(streams_);
    for (StreamRef& stream : defaults_)
      if (stream) ended.push_back(std::move(stream));
    defaults_.clear();
    events_.clear();
    made_ = 0;
  }
  for (const StreamRef& stream : ended) stream->Close();
  ended.clear();
  Threads& threads = AllThreads();
  std::unique_lock lock(threads.mu);
  threads.changed.wait(lock, [&] { return threads.alive == 0; });
}

}  // namespace sluice::cuda_double
