#include "transport/grpc/out_queue.h"

#include <grpcpp/support/byte_buffer.h>
#include <grpcpp/support/slice.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "core/codec.h"

namespace sluice::transport {
namespace {

constexpr size_t kInlineBytes = 4096;  // below it a slice of its own costs more than a copy

// Text and content, as the slices of one message.
class Message {
 public:
  std::string& text() { return text_; }
  size_t size() const { return size_ + text_.size(); }

  void AddContent(const Tensor& content, size_t offset, size_t bytes) {
    if (bytes == 0) return;
    char* data = static_cast<char*>(content.raw()) + offset;
    if (bytes <= kInlineBytes) {
      text_.append(data, bytes);
      return;
    }
    Flush();
    auto* held = new Tensor(content);  // the slice's destroy callback lets go of it
    slices_.emplace_back(
        data, bytes, +[](void* user) { delete static_cast<Tensor*>(user); }, held);
    size_ += bytes;
  }

  grpc::ByteBuffer Finish() {
    Flush();
    return grpc::ByteBuffer(slices_.data(), slices_.size());
  }

 private:
  void Flush() {
    if (text_.empty()) return;
    slices_.emplace_back(text_);
    size_ += text_.size();
    text_.clear();
  }
  std::string text_;
  std::vector<grpc::Slice> slices_;
  size_t size_ = 0;
};

}  // namespace

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

void OutQueue::Add(Outgoing tensor, bool pulled) {
  if (tensor.bytes() <= kChunkBytes) {
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
  std::erase_if(small_, [&](const Outgoing& tensor) { return tensor.id.step == step; });
  std::erase_if(large_, [&](const Transfer& transfer) {
    return transfer.number == 0 && transfer.tensor.id.step == step;
  });
}

grpc::ByteBuffer OutQueue::Next() {
  Message message;
  message.text().swap(control_);
  while (!small_.empty() && message.size() < kChunkBytes) {
    const Outgoing& tensor = small_.front();
    WriteTensor(tensor.id, tensor.head, tensor.bytes(), &message.text());
    message.AddContent(tensor.content, 0, tensor.bytes());
    small_.pop_front();
  }
  if (large_.empty()) return message.Finish();
  Transfer transfer = std::move(large_.front());
  large_.pop_front();
  const Outgoing& tensor = transfer.tensor;
  if (transfer.number == 0) {
    transfer.number = ++last_number_;
    WriteTransfer(tensor.id, tensor.head, tensor.bytes(), transfer.number, &message.text());
  }
  const size_t bytes = std::min(kChunkBytes, tensor.bytes() - transfer.sent);
  WriteChunk(transfer.number, bytes, &message.text());
  message.AddContent(tensor.content, transfer.sent, bytes);
  transfer.sent += bytes;
  if (transfer.sent < tensor.bytes()) large_.push_back(std::move(transfer));
  return message.Finish();
}

}  // namespace sluice::transport
