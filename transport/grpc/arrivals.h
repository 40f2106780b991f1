#ifndef SLUICE_TRANSPORT_GRPC_ARRIVALS_H_
#define SLUICE_TRANSPORT_GRPC_ARRIVALS_H_

#include <string>

#include "absl/container/flat_hash_map.h"
#include "transport/grpc/frames.h"

namespace sluice::transport {

// Puts together the tensors that arrive on one stream and hands them to the sink. Bytes of plain
// types are copied once, from the message into the memory the sink gave.
//
// Threads:  one.
class Arrivals {
 public:
  Arrivals(TensorSink* sink, std::string peer) : sink_(sink), peer_(std::move(peer)) {}

  // A tensor, transfer, chunk or announce frame; `reader` stands at its content and ends behind it.
  // `*step_ended` is set when the sink no longer wants the step. An error is the peer's, or memory
  // is short: the stream cannot go on.
  absl::Status Take(const Frame& frame, PieceReader& reader, bool* step_ended);

 private:
  struct Transfer {
    ParcelId id;
    TensorHead head;
    Tensor tensor;        // plain types
    std::string encoded;  // others
    uint64_t bytes = 0, received = 0;
    bool dropped = false;
  };
  absl::StatusOr<Tensor> Prepare(const Frame& frame, bool* step_ended);
  absl::Status TakeTensor(const Frame& frame, PieceReader& reader, bool* step_ended);
  absl::Status BeginTransfer(const Frame& frame, bool* step_ended);
  absl::Status TakeChunk(const Frame& frame, PieceReader& reader);
  absl::Status DeliverEncoded(const ParcelId& id, const TensorHead& head, const std::string& bytes);
  void DeliverPlain(const ParcelId& id, bool dead, Tensor tensor);

  TensorSink* const sink_;
  const std::string peer_;
  absl::flat_hash_map<uint64_t, Transfer> transfers_;
};

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_GRPC_ARRIVALS_H_
