// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TRANSPORT_PROTOCOL_MESSAGE_H_
#define SLUICE_TRANSPORT_PROTOCOL_MESSAGE_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/strings/string_view.h"
#include "core/io/crc32c.h"
#include "core/tensor/tensor.h"
#include "transport/protocol/frames.h"

namespace sluice::transport {

// Outgoing frames: text and references to the content of tensors.
class Message {
 public:
  // The queue was empty behind this message when it was created.
  bool last = false;

  // The writers of frames append to it.
  std::string& text() { return text_; }
  // Bytes [offset, offset + bytes) of a tensor, which the message holds; few bytes are copied.
  // `summed`: their CRC-32C follows them.
  void AddContent(const Tensor& content, size_t offset, size_t bytes, bool summed) {
    if (bytes == 0) return;
    const char* data = static_cast<const char*>(content.raw()) + offset;
    const bool copied = bytes <= kCopied;
    if (copied) {
      text_.append(data, bytes);
    } else {
      parts_.push_back({text_.size(), size(), content, {data, bytes}, summed});
      content_bytes_ += bytes;
    }
    if (!summed) return;
    text_.append(kSumBytes, '\0');
    if (copied) WriteSum(Crc32c({data, bytes}), &text_[text_.size() - kSumBytes]);
  }
  // Computes the sums that bytes [0, end) of the message hold or depend on. It reads the content,
  // so it runs shortly before these bytes are written: they are in the cache once.
  void Sum(size_t end) {
    for (; summed_parts_ < parts_.size(); ++summed_parts_, summed_ = 0, crc_ = 0) {
      const Part& part = parts_[summed_parts_];
      if (!part.summed) continue;
      if (end <= part.offset + summed_) return;
      const absl::string_view next = part.bytes.substr(summed_, end - part.offset - summed_);
      crc_ = Crc32c(next, crc_);
      summed_ += next.size();
      if (summed_ < part.bytes.size()) return;
      WriteSum(crc_, text_.data() + part.before);
    }
  }
  // Whether Sum has work left.
  bool sums() const { return summed_parts_ < parts_.size() && parts_.back().summed; }
  // Resets the message. A small text buffer is kept for the next message.
  void Clear() {
    if (text_.capacity() > kKept) text_ = std::string();
    text_.clear();
    parts_.clear();
    summed_parts_ = summed_ = 0;
    crc_ = 0;
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
    size_t offset;  // in the message
    Tensor content;
    absl::string_view bytes;
    bool summed;  // the text after it begins with its sum
  };
  std::string text_;
  std::vector<Part> parts_;
  size_t summed_parts_ = 0, summed_ = 0;  // by Sum: whole parts, and bytes of the next one
  uint32_t crc_ = 0;                      // of these bytes
  size_t content_bytes_ = 0;
};

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_PROTOCOL_MESSAGE_H_
