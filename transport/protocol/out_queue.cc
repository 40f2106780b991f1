// SPDX-License-Identifier: Apache-2.0
#include "transport/protocol/out_queue.h"

#include <algorithm>
#include <atomic>
#include <memory>

#include "core/codec/codec.h"

namespace sluice::transport {
namespace {

constexpr size_t kOneSmallTensor = 128;  // a head and its content, in most cases

std::atomic<int64_t> messages_given{0};

}  // namespace

int64_t MessagesGiven() { return messages_given.load(std::memory_order_relaxed); }

absl::StatusOr<Outgoing> Outgoing::Of(const ParcelId& id, const Parcel& parcel) {
  Outgoing out{id, {parcel.tensor.dtype(), parcel.tensor.shape(), parcel.dead, false}, {}};
  if (!parcel.tensor.valid()) return out;
  if (IsPlain(parcel.tensor.dtype())) {
    out.content = parcel.tensor;
    return out;
  }
  auto bytes = std::make_shared<std::string>();
  SLUICE_RETURN_IF_ERROR(EncodeContent(parcel.tensor, bytes.get()));
  const Shape shape{static_cast<int64_t>(bytes->size())};
  void* data = bytes->data();
  out.content = Tensor(kUint8, shape, Buffer::Borrow(data, bytes->size(), [bytes] {}));
  return out;
}

void OutQueue::Add(Outgoing&& tensor, bool pulled) {
  tensor.head.summed = summed_ && !tensor.placed.has_value() && tensor.bytes() > 0;
  if (tensor.placed.has_value() || tensor.bytes() <= kMaxTensorFrame) {
    if (pulled)
      small_.push_front(std::move(tensor));
    else
      small_.push_back(std::move(tensor));
  } else if (pulled) {
    large_.push_front({std::move(tensor)});
  } else {
    large_.push_back({std::move(tensor)});
  }
}

void OutQueue::DropStep(const StepId& step) {
  std::erase_if(small_, [&](const Outgoing& tensor) {
    return tensor.id.step == step && !tensor.placed.has_value();
  });
  std::erase_if(large_, [&](const Transfer& transfer) {
    return transfer.number == 0 && transfer.tensor.id.step == step;
  });
}

bool OutQueue::has_part() const {
  // Encoded content is sent in order, by the connection that carries everything.
  return std::any_of(large_.begin(), large_.end(),
                     [](const Transfer& transfer) { return IsPlain(transfer.tensor.head.dtype); });
}

Message OutQueue::Next(Message message) {
  messages_given.fetch_add(1, std::memory_order_relaxed);
  message.text().swap(control_);
  message.text().reserve(kOneSmallTensor);
  while (!small_.empty() && message.size() < kChunkBytes) {
    const Outgoing& tensor = small_.front();
    if (tensor.placed.has_value()) {
      WritePlaced(tensor.id, tensor.head, tensor.bytes(), *tensor.placed, &message.text());
    } else {
      WriteTensor(tensor.id, tensor.head, tensor.bytes(), &message.text());
      message.AddContent(tensor.content, 0, tensor.bytes(), tensor.head.summed);
    }
    small_.pop_front();
  }
  if (!large_.empty()) AddPart(message);
  message.last = empty();
  return message;
}

Message OutQueue::NextPart() {
  messages_given.fetch_add(1, std::memory_order_relaxed);
  Message message;
  while (!IsPlain(large_.front().tensor.head.dtype)) {
    large_.push_back(std::move(large_.front()));
    large_.pop_front();
  }
  AddPart(message);
  return message;
}

void OutQueue::AddPart(Message& message) {
  Transfer transfer = std::move(large_.front());
  large_.pop_front();
  const Outgoing& tensor = transfer.tensor;
  if (transfer.number == 0) transfer.number = ++last_number_;
  const size_t bytes = std::min(kChunkBytes, tensor.bytes() - transfer.sent);
  WritePart(tensor.id, tensor.head, tensor.bytes(), {transfer.number, transfer.sent}, bytes,
            &message.text());
  message.AddContent(tensor.content, transfer.sent, bytes, tensor.head.summed);
  transfer.sent += bytes;
  if (transfer.sent < tensor.bytes()) large_.push_back(std::move(transfer));
}

}  // namespace sluice::transport
