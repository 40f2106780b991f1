// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TESTS_CUDA_DOUBLE_STREAM_H_
#define SLUICE_TESTS_CUDA_DOUBLE_STREAM_H_

#include <cuda_runtime_api.h>

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "tests/cuda_double/order.h"

namespace sluice::cuda_double {

// A point in a stream that others wait for: what cudaEventRecord makes.
//
// Threads:  any.
class Point {
 public:
  void Pass();
  bool passed() const;
  void Wait();
  // REQUIRES: passed().
  std::chrono::steady_clock::time_point when() const;

 private:
  mutable std::mutex mu_;
  std::condition_variable changed_;
  bool passed_ = false;
  std::chrono::steady_clock::time_point when_;
};
using PointRef = std::shared_ptr<Point>;

// A thread that does one thing after another, each after a seeded delay.
//
// Owner:    whoever holds a StreamRef, and its thread until it has done everything.
// Threads:  any.
class Stream : public std::enable_shared_from_this<Stream> {
 public:
  // `number` selects its chance of the seed's.
  static std::shared_ptr<Stream> Create(int device, bool blocking, int priority, uint64_t number);

  void Put(std::function<void(Stream&)> work);
  // The point is passed when all that was put before is done.
  PointRef PutPoint();
  bool idle() const;
  void Wait() { PutPoint()->Wait(); }
  // The thread ends after what was put.
  void Close();

  int device() const { return device_; }
  // Whether it takes turns with the default stream.
  bool blocking() const { return blocking_; }
  int priority() const { return priority_; }
  Chance& chance() { return chance_; }  // only for the stream's own work

 private:
  Stream(int device, bool blocking, int priority, uint64_t number);
  void Run();
  void Delay();

  const int device_;
  const bool blocking_;
  const int priority_;
  Chance chance_;

  mutable std::mutex mu_;
  std::condition_variable changed_;
  std::deque<std::function<void(Stream&)>> work_;
  bool busy_ = false;
  bool closed_ = false;
};
using StreamRef = std::shared_ptr<Stream>;

// The object behind a cudaEvent_t.
struct Event {
  bool timing = true;
  PointRef last;  // null before the first record; guarded by Handles
  int device = 0;
};
using EventRef = std::shared_ptr<Event>;

// The streams and events that handles name.
//
// Threads:  any.
class Handles {
 public:
  static Handles& Get();

  cudaStream_t Add(StreamRef stream);
  cudaEvent_t Add(EventRef event);
  // Null if there is none of this handle. A null stream is the default one of the current device.
  StreamRef Find(cudaStream_t handle);
  EventRef Find(cudaEvent_t handle);
  StreamRef Take(cudaStream_t handle);
  EventRef Take(cudaEvent_t handle);
  // Of the device; the default one is last.
  std::vector<StreamRef> StreamsOf(int device);
  int64_t streams();  // without the default ones
  int64_t events();
  // Ends all; returns when their threads have.
  void Clear();
  // The point that an event has passed last, or is to pass.
  PointRef LastOf(const EventRef& event);
  void Record(const EventRef& event, PointRef point);
  uint64_t NextNumber();

 private:
  StreamRef DefaultOf(int device);

  std::mutex mu_;
  std::vector<StreamRef> streams_, defaults_;
  std::vector<EventRef> events_;
  uint64_t made_ = 0;
};

// No stream begins anything while true.
void HoldAll(bool hold);

}  // namespace sluice::cuda_double

#endif  // SLUICE_TESTS_CUDA_DOUBLE_STREAM_H_
