#include "transport/grpc/arrivals.h"

#include <algorithm>

#include "core/codec.h"

namespace sluice::transport {

absl::Status Arrivals::Take(const Frame& frame, PieceReader& reader, bool* step_ended) {
  *step_ended = false;
  switch (frame.kind) {
    case FrameKind::kTensor:
      return TakeTensor(frame, reader, step_ended);
    case FrameKind::kTransfer:
      return BeginTransfer(frame, step_ended);
    case FrameKind::kChunk:
      return TakeChunk(frame, reader);
    case FrameKind::kAnnounce:
      // Asked for no bytes, the sink tells whether it still wants the step.
      *step_ended = !sink_->Prepare(frame.id, kUint8, Shape{0}).ok();
      if (!*step_ended) sink_->Announce(peer_, frame.id);
      return absl::OkStatus();
    default:
      return InvalidArgument("frame kind ", static_cast<int>(frame.kind),
                             " does not travel this way");
  }
}

// An invalid tensor when the step has ended.
absl::StatusOr<Tensor> Arrivals::Prepare(const Frame& frame, bool* step_ended) {
  auto tensor = sink_->Prepare(frame.id, frame.head.dtype, frame.head.shape);
  if (tensor.ok()) {
    if (tensor->bytes() != frame.bytes)
      return Internal("the sink gave ", tensor->bytes(), " bytes for ", frame.bytes);
    return tensor;
  }
  // Dropping a tensor of a step that lives would leave somebody waiting for it.
  if (absl::IsResourceExhausted(tensor.status())) return tensor.status();
  *step_ended = true;
  return Tensor();
}

absl::Status Arrivals::TakeTensor(const Frame& frame, PieceReader& reader, bool* step_ended) {
  if (frame.head.dtype == kInvalid) {
    sink_->Deliver(peer_, frame.id, {Tensor(), frame.head.dead});
    return absl::OkStatus();
  }
  if (!IsPlain(frame.head.dtype)) {
    std::string bytes(frame.bytes, '\0');  // as many are there
    SLUICE_RETURN_IF_ERROR(reader.Copy(bytes.data(), bytes.size()));
    return DeliverEncoded(frame.id, frame.head, bytes);
  }
  SLUICE_ASSIGN(Tensor tensor, Prepare(frame, step_ended));
  if (*step_ended) return reader.Skip(frame.bytes);
  SLUICE_RETURN_IF_ERROR(reader.Copy(tensor.raw(), frame.bytes));
  DeliverPlain(frame.id, frame.head.dead, std::move(tensor));
  return absl::OkStatus();
}

absl::Status Arrivals::BeginTransfer(const Frame& frame, bool* step_ended) {
  Transfer transfer{frame.id, frame.head, {}, {}, frame.bytes};
  if (IsPlain(frame.head.dtype)) {
    SLUICE_ASSIGN(transfer.tensor, Prepare(frame, step_ended));
    transfer.dropped = *step_ended;
  }
  if (!transfers_.try_emplace(frame.number, std::move(transfer)).second) {
    return InvalidArgument("transfer ", frame.number, " began twice");
  }
  return absl::OkStatus();
}

absl::Status Arrivals::TakeChunk(const Frame& frame, PieceReader& reader) {
  auto it = transfers_.find(frame.number);
  if (it == transfers_.end())
    return InvalidArgument("a chunk of transfer ", frame.number, ", which has not begun");
  Transfer& transfer = it->second;
  if (frame.bytes == 0 || frame.bytes > transfer.bytes - transfer.received) {
    return InvalidArgument("a chunk of ", frame.bytes, " bytes, transfer ", frame.number, " has ",
                           transfer.bytes - transfer.received, " left");
  }
  if (transfer.dropped) {
    SLUICE_RETURN_IF_ERROR(reader.Skip(frame.bytes));
  } else if (transfer.tensor.valid()) {
    SLUICE_RETURN_IF_ERROR(
        reader.Copy(static_cast<char*>(transfer.tensor.raw()) + transfer.received, frame.bytes));
  } else {
    transfer.encoded.resize(transfer.received + frame.bytes);
    SLUICE_RETURN_IF_ERROR(reader.Copy(transfer.encoded.data() + transfer.received, frame.bytes));
  }
  transfer.received += frame.bytes;
  if (transfer.received < transfer.bytes) return absl::OkStatus();
  const Transfer whole = std::move(transfer);
  transfers_.erase(it);
  if (whole.dropped) return absl::OkStatus();
  if (!whole.tensor.valid()) return DeliverEncoded(whole.id, whole.head, whole.encoded);
  DeliverPlain(whole.id, whole.head.dead, whole.tensor);
  return absl::OkStatus();
}

absl::Status Arrivals::DeliverEncoded(const ParcelId& id, const TensorHead& head,
                                      const std::string& bytes) {
  SLUICE_ASSIGN(Tensor tensor, DecodeContent(head.dtype, head.shape, bytes));
  sink_->Deliver(peer_, id, {std::move(tensor), head.dead});
  return absl::OkStatus();
}

void Arrivals::DeliverPlain(const ParcelId& id, bool dead, Tensor tensor) {
  if (tensor.dtype() == kBool) {
    // Any other byte in a bool is undefined behaviour for whoever reads it.
    auto* bytes = static_cast<unsigned char*>(tensor.raw());
    std::transform(bytes, bytes + tensor.bytes(), bytes,
                   [](unsigned char b) { return b != 0 ? 1 : 0; });
  }
  sink_->Deliver(peer_, id, {std::move(tensor), dead});
}

}  // namespace sluice::transport
