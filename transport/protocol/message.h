// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TRANSPORT_PROTOCOL_MESSAGE_H_
#define SLUICE_TRANSPORT_PROTOCOL_MESSAGE_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/strings/string_view.h"
#include "core/tensor/tensor.h"

namespace sluice::transport {

// Outgoing frames: text and references to the content of tensors.
class Message {
 public:
  // The queue was empty behind this message when it was created.
  bool last = false;

  // The writers of frames append to it.
  std::string& text() { return text_; }
  // Bytes [offset, offset + bytes) of a tensor, which the message holds; few bytes are copied.
  void AddContent(const Tensor& content, size_t offset, size_t bytes) {
    if (bytes == 0) return;
    const char* data = static_cast<const char*>(content.raw()) + offset;
    if (bytes <= kCopied) {
      text_.append(data, bytes);
      return;
    }
    parts_.push_back({text_.size(), content, {data, bytes}});
    content_bytes_ += bytes;
  }
  // Resets the message. A small text buffer is kept for the next message.
  void Clear() {
    if (text_.capacity() > kKept) text_ = std::string();
    text_.clear();
    parts_.clear();
    content_bytes_ = 0;
    last = false;
  }
  size_t size() const { return text_.size() + content_bytes_; }
  bool empty() const { return size() == 0; }

  // Calls `visit` with each piece in order. For text, the tensor is null; text lives as long as the
  // message.
  void Visit(absl::FunctionRef<void(absl::string_view, const Tensor*)> visit) const {
    size_t at = 0;
    for (const Part& part : parts_) {
      if (part.before > at) visit(absl::string_view(text_).substr(at, part.before - at), nullptr);
      at = part.before;
      visit(part.bytes, &part.content);
    }
    if (text_.size() > at) visit(absl::string_view(text_).substr(at), nullptr);
  }

 private:
  static constexpr size_t kCopied = 4096;  // below it, a separate piece costs more than a copy
  static constexpr size_t kKept = 64 << 10;
  struct Part {
    size_t before;  // length of the text before it
    Tensor content;
    absl::string_view bytes;
  };
  std::string text_;
  std::vector<Part> parts_;
  size_t content_bytes_ = 0;
};

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_PROTOCOL_MESSAGE_H_
