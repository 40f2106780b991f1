// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TRANSPORT_PROTOCOL_OUT_QUEUE_H_
#define SLUICE_TRANSPORT_PROTOCOL_OUT_QUEUE_H_

#include <cstdint>
#include <deque>
#include <optional>
#include <string>

#include "transport/protocol/frames.h"
#include "transport/protocol/message.h"

namespace sluice::transport {

// An outgoing tensor: its head, and its content as bytes or as a place in shared memory.
struct Outgoing {
  ParcelId id;
  TensorHead head;
  Tensor content;  // a plain tensor itself, else the encoded bytes
  std::optional<Extent> placed = std::nullopt;
  size_t placed_bytes = 0;

  static absl::StatusOr<Outgoing> Of(const ParcelId& id, const Parcel& parcel);
  size_t bytes() const { return content.valid() ? content.bytes() : placed_bytes; }
};

// The queue of one stream. It groups frames into messages: first frames without content, then small
// tensors, then one part of one large tensor. Large tensors take turns. So a small tensor waits for
// at most one part, and a large tensor does not wait for the end of another.
//
// Threads:  one at a time; the channel's mutex.
class OutQueue {
 public:
  // `summed`: content carries its CRC-32C.
  explicit OutQueue(bool summed = false) : summed_(summed) {}

  // Writers append frames without content here.
  std::string& control() { return control_; }
  // `pulled`: a Recv waits for it, so it goes before others of its kind.
  void Add(Outgoing&& tensor, bool pulled);
  // Drops the tensors in this task's own memory that have not begun to leave.
  void DropStep(const StepId& step);
  bool empty() const { return control_.empty() && small_.empty() && large_.empty(); }
  bool has_part() const;
  // The next message, of about kChunkBytes, in the memory of a cleared one.
  // REQUIRES: not empty.
  Message Next(Message message = {});
  // Only one part of a large tensor, for a connection that carries nothing else.
  // REQUIRES: has_part.
  Message NextPart();

 private:
  struct Transfer {
    Outgoing tensor;
    uint64_t number = 0;  // 0: not begun
    size_t sent = 0;
  };
  void AddPart(Message& message);

  bool summed_;
  std::string control_;
  std::deque<Outgoing> small_;
  std::deque<Transfer> large_;
  uint64_t last_number_ = 0;
};

// The number of messages that the queues of this process have given out, for tests.
int64_t MessagesGiven();

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_PROTOCOL_OUT_QUEUE_H_
