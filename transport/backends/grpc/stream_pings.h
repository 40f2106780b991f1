// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TRANSPORT_BACKENDS_GRPC_STREAM_PINGS_H_
#define SLUICE_TRANSPORT_BACKENDS_GRPC_STREAM_PINGS_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "transport/protocol/frames.h"

namespace sluice::transport {

// The pings of one end of a gRPC stream.
//
// A byte of HTTP/2's or gRPC's own framing that was changed on its way does not always end the
// stream: gRPC may wait for bytes that do not come, or drop a message. Its own pings belong to the
// connection and do not find that. So an end that waits for the other pings it on the stream. If
// nothing arrives for kLooks looks, the stream is dead. Pings and pongs say how many messages came
// before them, so that a lost one is found.
//
// Threads:  one at a time.
class StreamPings {
 public:
  static constexpr int kLooks = 4;

  // A message of the other end has been handled.
  void Arrived() {
    ++arrived_;
    ++progress_;
  }
  // Handles a ping or pong, before Arrived for its message. DATA_LOSS if a message was lost.
  absl::Status Take(const StreamFrame& frame) {
    pong_ = pong_ || frame.kind == FrameKind::kPing;
    if (frame.messages == arrived_) return absl::OkStatus();
    return DataLoss("of ", frame.messages, " messages ", arrived_, " arrived");
  }

  // A message with other frames leaves. A large one shows that the other end reads.
  void Left(size_t bytes) {
    ++sent_;
    if (bytes >= kLarge) ++progress_;
  }
  // The next message, if there are pings or pongs to send; else empty.
  std::string TakeMessage() {
    std::string frames;
    if (std::exchange(ping_, false)) WritePing(sent_, &frames);
    if (std::exchange(pong_, false)) WritePong(sent_, &frames);
    if (!frames.empty()) ++sent_;
    return frames;
  }

  // To be called at intervals. `waits`: for the other end. True if that is silent for too long.
  bool Look(bool waits) {
    silent_looks_ = waits && progress_ == seen_ ? silent_looks_ + 1 : 0;
    seen_ = progress_;
    ping_ = silent_looks_ > 0;
    return silent_looks_ >= kLooks;
  }

 private:
  static constexpr size_t kLarge = 64 << 10;

  uint64_t arrived_ = 0, sent_ = 0, progress_ = 0, seen_ = 0;
  int silent_looks_ = 0;
  bool ping_ = false, pong_ = false;
};

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_BACKENDS_GRPC_STREAM_PINGS_H_
