// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_BENCH_TRANSPORT_CONTENDER_H_
#define SLUICE_BENCH_TRANSPORT_CONTENDER_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "bench/transport/payload.h"

namespace sluice::bench {

// What the far end does with a message.
enum class Answer : int32_t {
  kNone,     // nothing
  kReceipt,  // says in a few bytes that it, and all before it, have arrived
  kEcho,     // sends it back
};

// One way by which payloads reach the other process: a transport of ours, or a peer of it. This end
// sends and measures; a Responder is the other.
//
// Threads:  one at a time.
// Errors:   end the benchmark.
class Contender {
 public:
  virtual ~Contender() = default;
  // Whether it is made for this payload, and for streams at all.
  virtual bool Carries(const Payload& /*payload*/) const { return true; }
  virtual bool Streams() const { return true; }
  // What is sent from now on, and how many of it a Stream sends. Takes what time it needs.
  virtual void Load(const Payload& payload, int window) = 0;
  // There and back, one after the other: the seconds of each.
  virtual std::vector<double> PingPong(int times) = 0;
  // One way, as many as the window; returns when the far end has them all.
  virtual void Stream() = 0;
  // One there and back, in two calls, so that several are on their way at once.
  virtual void Post() = 0;
  virtual void Await() = 0;
};

// The far end of a Contender; answers until it is destroyed.
class Responder {
 public:
  virtual ~Responder() = default;
  // What the other end must know to connect.
  virtual std::vector<std::string> contact() const { return {}; }
};

// PingPong of whoever has Post and Await, which then do no more than that.
std::vector<double> TimedExchanges(Contender& contender, int times);

}  // namespace sluice::bench

#endif  // SLUICE_BENCH_TRANSPORT_CONTENDER_H_
