// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_BENCH_TRANSPORT_CONVERSATION_H_
#define SLUICE_BENCH_TRANSPORT_CONVERSATION_H_

#include <sys/uio.h>

#include <algorithm>
#include <vector>

#include "bench/transport/contender.h"
#include "transport/poll/poll_loop.h"

namespace sluice::bench {

// The description of a run of messages on a socket. It is sent as raw bytes.
struct Order {
  static constexpr int kMostBuffers = 16;
  Answer answer = Answer::kNone;  // kReceipt: once, after the last
  int32_t count = 0;
  int32_t serialised = 0;
  int32_t buffers = 0;
  int64_t sizes[kMostBuffers] = {};

  bool SameMessages(const Order& other) const {
    return serialised == other.serialised && buffers == other.buffers &&
           std::equal(sizes, sizes + buffers, other.sizes);
  }
};

// One end of one connection: whole orders and messages, blocking.
//
// Threads:  one at a time.
// Errors:   false when the other end is gone.
class Conversation {
 public:
  explicit Conversation(transport::Descriptor socket) : socket_(std::move(socket)) {}

  // Sets the memory that messages are sent from and read into. `source` outlives this; if it is
  // empty, received bytes are sent.
  void Load(const Order& order, std::vector<iovec> source);
  // Sent with the next message: `count` such messages follow, and how they are answered.
  void AddOrder(Answer answer, int count);
  bool SendMessage();
  bool ReadOrder(Order* order);
  bool ReadMessage();
  bool SendReceipt();
  bool ReadReceipt();
  void ShutDown();  // from any thread; blocked calls return

 private:
  bool Write(std::vector<iovec> parts);
  bool Read(std::vector<iovec> parts);
  void Pack();
  void Unpack();

  const transport::Descriptor socket_;
  Order order_;
  bool ordering_ = false;  // it goes with the next message
  std::vector<iovec> source_, target_;
  std::vector<std::vector<char>> memory_;  // of target_
  std::vector<char> packed_;               // of a message that is serialised
};

}  // namespace sluice::bench

#endif  // SLUICE_BENCH_TRANSPORT_CONVERSATION_H_
