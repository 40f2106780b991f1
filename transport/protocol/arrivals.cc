// SPDX-License-Identifier: Apache-2.0
#include "transport/protocol/arrivals.h"

#include <algorithm>

#include "core/codec/codec.h"

namespace sluice::transport {
namespace {

Content Into(const Tensor& tensor, uint64_t offset = 0) {
  if (!tensor.valid()) return {};
  return {static_cast<char*>(tensor.raw()) + offset, tensor.buffer()};
}

absl::StatusOr<Tensor> AllocateBytes(uint64_t bytes) {
  return Tensor::Allocate(CpuAllocator(), kUint8, Shape{static_cast<int64_t>(bytes)});
}

absl::string_view BytesOf(const Tensor& tensor) {
  return {static_cast<const char*>(tensor.raw()), tensor.bytes()};
}

}  // namespace

absl::StatusOr<Content> Arrivals::Begin(const StreamFrame& frame, Current& current,
                                        bool* step_ended) {
  *step_ended = false;
  switch (frame.kind) {
    case FrameKind::kTensor:
      return BeginTensor(frame, current, step_ended);
    case FrameKind::kPart:
      return BeginPart(frame, step_ended);
    case FrameKind::kAnnounce:
      // For a request of zero bytes, the sink reports whether the step is still alive.
      *step_ended = !sink_->Prepare(frame.id, kUint8, Shape{0}).ok();
      if (!*step_ended) sink_->Announce(peer_, frame.id);
      return Content{};
    default:
      return InvalidArgument("frame kind ", static_cast<int>(frame.kind),
                             " does not travel this way");
  }
}

absl::StatusOr<Content> Arrivals::BeginTensor(const StreamFrame& frame, Current& current,
                                              bool* step_ended) {
  current.dropped = false;
  if (frame.head.dtype == kInvalid) return Content{};
  if (!IsPlain(frame.head.dtype)) {
    SLUICE_ASSIGN(current.tensor, AllocateBytes(frame.bytes));
    return Into(current.tensor);
  }
  SLUICE_ASSIGN(current.tensor, Prepare(frame, step_ended));
  current.dropped = *step_ended;
  return Into(current.tensor);
}

absl::Status Arrivals::End(const StreamFrame& frame, Current& current) {
  if (frame.kind == FrameKind::kPart) return EndPart(frame);
  if (frame.head.dtype == kInvalid) {
    sink_->Deliver(peer_, frame.id, {Tensor(), frame.head.dead});
  } else if (!IsPlain(frame.head.dtype)) {
    const Tensor encoded = std::move(current.tensor);
    current.tensor = Tensor();
    return DeliverEncoded(frame, BytesOf(encoded));
  } else if (!current.dropped) {
    DeliverPlain(frame, std::move(current.tensor));
  }
  current.tensor = Tensor();
  return absl::OkStatus();
}

// Returns an invalid tensor if the step has ended.
absl::StatusOr<Tensor> Arrivals::Prepare(const StreamFrame& frame, bool* step_ended) {
  auto tensor = sink_->Prepare(frame.id, frame.head.dtype, frame.head.shape);
  if (tensor.ok()) {
    if (tensor->bytes() != frame.size)
      return Internal("the sink gave ", tensor->bytes(), " bytes for ", frame.size);
    return tensor;
  }
  // If a tensor of a live step were dropped, its Recv would wait for ever.
  if (absl::IsResourceExhausted(tensor.status())) return tensor.status();
  *step_ended = true;
  return Tensor();
}

absl::StatusOr<Content> Arrivals::BeginPart(const StreamFrame& frame, bool* step_ended) {
  auto [it, first] = transfers_.try_emplace(frame.at.number);
  Transfer& transfer = it->second;
  const bool plain = IsPlain(frame.head.dtype);
  if (first) {
    transfer.size = frame.size;
    if (plain) {
      auto tensor = Prepare(frame, step_ended);
      if (!tensor.ok()) {
        transfers_.erase(it);
        return tensor.status();
      }
      transfer.tensor = *std::move(tensor);
      transfer.dropped = *step_ended;
    }
  }
  if (transfer.size != frame.size || frame.bytes > transfer.size - transfer.begun ||
      (!transfer.dropped && transfer.tensor.dtype() != (plain ? frame.head.dtype : kInvalid))) {
    return InvalidArgument("part ", frame.at.offset, " of transfer ", frame.at.number,
                           " is not of the tensor that began it");
  }
  transfer.begun += frame.bytes;
  if (transfer.dropped) return Content{};
  if (plain) return Into(transfer.tensor, frame.at.offset);
  // Also refuses a part that begins on one connection while another brings the previous one.
  if (frame.at.offset != transfer.encoded.size() || transfer.part.valid())
    return InvalidArgument("encoded content must come in order, here ", frame.at.offset, " after ",
                           transfer.encoded.size());
  SLUICE_ASSIGN(transfer.part, AllocateBytes(frame.bytes));
  return Into(transfer.part);
}

absl::Status Arrivals::EndPart(const StreamFrame& frame) {
  auto it = transfers_.find(frame.at.number);
  if (it == transfers_.end()) return Internal("transfer ", frame.at.number, " has ended already");
  it->second.received += frame.bytes;
  if (it->second.part.valid()) {
    absl::StrAppend(&it->second.encoded, BytesOf(it->second.part));
    it->second.part = Tensor();
  }
  if (it->second.received < it->second.size) return absl::OkStatus();
  Transfer whole = std::move(it->second);
  transfers_.erase(it);
  if (whole.dropped) return absl::OkStatus();
  if (!whole.tensor.valid()) return DeliverEncoded(frame, whole.encoded);
  DeliverPlain(frame, std::move(whole.tensor));
  return absl::OkStatus();
}

bool Arrivals::DeliverPlaced(const StreamFrame& frame, Tensor tensor) {
  if (!sink_->Prepare(frame.id, kUint8, Shape{0}).ok()) return false;
  DeliverPlain(frame, std::move(tensor));
  return true;
}

absl::Status Arrivals::DeliverEncoded(const StreamFrame& frame, absl::string_view bytes) {
  SLUICE_ASSIGN(Tensor tensor, DecodeContent(frame.head.dtype, frame.head.shape, bytes));
  sink_->Deliver(peer_, frame.id, {std::move(tensor), frame.head.dead});
  return absl::OkStatus();
}

void Arrivals::DeliverPlain(const StreamFrame& frame, Tensor tensor) {
  if (tensor.dtype() == kBool) {
    // Any other byte in a bool is undefined behaviour for its readers.
    auto* bytes = static_cast<unsigned char*>(tensor.raw());
    std::transform(bytes, bytes + tensor.bytes(), bytes,
                   [](unsigned char b) { return b != 0 ? 1 : 0; });
  }
  sink_->Deliver(peer_, frame.id, {std::move(tensor), frame.head.dead});
}

}  // namespace sluice::transport
