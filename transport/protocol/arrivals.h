// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TRANSPORT_PROTOCOL_ARRIVALS_H_
#define SLUICE_TRANSPORT_PROTOCOL_ARRIVALS_H_

#include <string>

#include "absl/container/flat_hash_map.h"
#include "transport/protocol/frame_reader.h"

namespace sluice::transport {

// Assembles the tensors that arrive on one stream and hands them to the sink. Content of plain
// types goes straight into the sink's memory. A stream may be several connections. Each has its own
// Current, and parts of one tensor come by any of them.
//
// Threads:  one.
class Arrivals {
 public:
  // The tensor of one connection whose content is coming.
  struct Current {
    Tensor tensor;  // of other types than plain ones the encoded bytes
    bool dropped = false;
  };

  Arrivals(TensorSink* sink, std::string peer) : sink_(sink), peer_(std::move(peer)) {}

  // Handles a tensor, part or announce frame. Sets `*step_ended` if the sink has ended the step.
  // After an error (of the peer, or out of memory) the stream cannot continue.
  absl::StatusOr<Content> Begin(const StreamFrame& frame, Current& current, bool* step_ended);
  // `frame` has arrived completely.
  absl::Status End(const StreamFrame& frame, Current& current);
  // Handles a tensor whose content is already in memory. Returns false if the sink has ended the
  // step.
  bool DeliverPlaced(const StreamFrame& frame, Tensor tensor);
  absl::Status DeliverEncoded(const StreamFrame& frame, absl::string_view bytes);
  // Whether parts of a tensor are missing. The peer sends them without a pause.
  bool awaits_parts() const { return !transfers_.empty(); }

 private:
  struct Transfer {
    Tensor tensor;        // plain types
    std::string encoded;  // others: the parts that have arrived, which come in order
    Tensor part;          // others: the part that is arriving
    uint64_t size = 0, begun = 0, received = 0;
    bool dropped = false;
  };
  absl::StatusOr<Tensor> Prepare(const StreamFrame& frame, bool* step_ended);
  absl::StatusOr<Content> BeginTensor(const StreamFrame& frame, Current& current, bool* step_ended);
  absl::StatusOr<Content> BeginPart(const StreamFrame& frame, bool* step_ended);
  absl::Status EndPart(const StreamFrame& frame);
  void DeliverPlain(const StreamFrame& frame, Tensor tensor);

  TensorSink* const sink_;
  const std::string peer_;
  absl::flat_hash_map<uint64_t, Transfer> transfers_;
};

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_PROTOCOL_ARRIVALS_H_
