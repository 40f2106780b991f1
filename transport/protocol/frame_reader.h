// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TRANSPORT_PROTOCOL_FRAME_READER_H_
#define SLUICE_TRANSPORT_PROTOCOL_FRAME_READER_H_

#include <string>

#include "absl/types/span.h"
#include "core/tensor/buffer.h"
#include "transport/protocol/frames.h"

namespace sluice::transport {

// The destination of a frame's content. Without memory the content is skipped.
struct Content {
  char* to = nullptr;
  RefPtr<Buffer> owner;  // holds the memory while the reader writes it
};

// Receives the frames of a FrameReader. An error ends the stream.
class FrameSink {
 public:
  virtual ~FrameSink() = default;
  // A frame's head has arrived. If it has content, returns the destination; End follows.
  virtual absl::StatusOr<Content> Begin(const StreamFrame& frame) = 0;
  // The content of the last one, `frame`, has come.
  virtual absl::Status End(const StreamFrame& frame) = 0;
};

// Splits the bytes of a stream into frames. The bytes arrive in pieces of any size. What is
// summed reaches the sink only if it matches its sum.
//
// Threads:  one.
class FrameReader {
 public:
  explicit FrameReader(FrameSink* sink) : sink_(sink) {}

  // Handles the next bytes. An error is the sink's, or INVALID_ARGUMENT for a malformed head.
  // DATA_LOSS names the tensor whose content was changed on its way.
  absl::Status Take(absl::string_view bytes);

  // The destination of the rest of a content that has begun. The caller may write the bytes there
  // and call Filled, instead of calling Take. Empty if there is no such memory.
  absl::Span<char> Direct() const {
    return content_.to == nullptr ? absl::Span<char>() : absl::MakeSpan(content_.to, left_);
  }
  absl::Status Filled(size_t bytes);

  // Whether it computes the sum of the content that has begun.
  bool sums() const { return awaits_sum_; }
  // Whether the last frame is incomplete.
  bool in_frame() const { return left_ > 0 || awaits_sum_ || !partial_.empty(); }

 private:
  // The content's next bytes are in place.
  absl::Status Arrived(absl::string_view bytes);
  absl::Status TakeHead(absl::string_view head);
  absl::Status TakeSum();
  absl::Status EndIfComplete();

  FrameSink* const sink_;
  std::string partial_;  // an incomplete prefix and head, or an incomplete sum
  StreamFrame frame_;
  Content content_;
  size_t left_ = 0;   // missing bytes of the content
  uint32_t crc_ = 0;  // of the content so far
  bool awaits_sum_ = false;
};

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_PROTOCOL_FRAME_READER_H_
