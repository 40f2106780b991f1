// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_BENCH_TRANSPORT_CONTENDER_H_
#define SLUICE_BENCH_TRANSPORT_CONTENDER_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "bench/transport/payload.h"

namespace sluice::bench {

// How the far end answers a message.
enum class Answer : int32_t {
  kNone,     // nothing
  kReceipt,  // a few bytes: this message and all earlier ones have arrived
  kEcho,     // the message itself
};

// One way to send payloads to the other process: one of our transports, or a competitor. This end
// sends and measures; a Responder is the other end.
//
// Threads:  one at a time.
// Errors:   end the benchmark.
class Contender {
 public:
  virtual ~Contender() = default;
  // Whether it supports this payload, and streams at all.
  virtual bool Carries(const Payload& /*payload*/) const { return true; }
  virtual bool Streams() const { return true; }
  // Sets the payload, and the number of payloads in a Stream. May take long.
  virtual void Load(const Payload& payload, int window) = 0;
  // Round trips, one after the other: the seconds of each.
  virtual std::vector<double> PingPong(int times) = 0;
  // Sends the payloads of a window one way. Returns when the far end has them all.
  virtual void Stream() = 0;
  // One round trip in two calls, so that several can be in flight.
  virtual void Post() = 0;
  virtual void Await() = 0;
};

// The far end of a Contender; answers until it is destroyed.
class Responder {
 public:
  virtual ~Responder() = default;
  // The data that the other end needs to connect.
  virtual std::vector<std::string> contact() const { return {}; }
};

// PingPong for classes with Post and Await; it only calls the two.
std::vector<double> TimedExchanges(Contender& contender, int times);

}  // namespace sluice::bench

#endif  // SLUICE_BENCH_TRANSPORT_CONTENDER_H_
