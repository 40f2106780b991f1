// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TRANSPORT_PROTOCOL_FRAMES_H_
#define SLUICE_TRANSPORT_PROTOCOL_FRAMES_H_

#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"
#include "transport/tensor_channel.h"

// The frames of a tensor stream, the same for every transport. A frame is the length of its head
// (two bytes, little-endian, then their complement), the head, and for tensor and part the number
// of content bytes that the head gives. If the head's flags say so, the content's CRC-32C follows.
// A head is a kind (a byte), the fields of the kind in this order, and the CRC-32C of both:
//
//   hello     sender, then answered  protocol, task, version, incarnation, to (the task it means),
//                                    credit, token (of the connection offer), stream
//   join      to the receiver        token, stream: one more connection of that stream
//   tensor    to the receiver        parcel id, flags, dtype, shape, size
//   part      to the receiver        parcel id, flags, dtype, shape, size, number, offset, bytes:
//                                    that many of a larger tensor's `size`, from `offset` on
//   placed    to the receiver        parcel id, flags, dtype, shape, size, segment, offset: the
//                                    content is in shared memory
//   announce  to the receiver        parcel id, flags, dtype, shape
//   run       to the receiver        call, session, graph, step, oldest live step, budget: the
//                                    graph is to run there; ran answers
//   cancel    to the receiver        call: its answer is not wanted any more
//   ran       to the sender          call, code, whether it only follows from another error, text
//   pull      to the sender          parcel id
//   credit    to the sender          step, bytes
//   end       to the sender          step: it ended at the receiver
//   release   to the sender          segment, offset: the content there is not used any more
//   ping      both ways              messages: a tensor or a run is waited for; pong answers it
//   pong      both ways              messages
//   fault     both ways              code, text: the last frame; the stream ends for this reason
//
// `messages` is the number of messages that its side has sent on the stream before this one; 0 if
// the transport does not count them. Numbers are varints, texts a length and bytes, a step two
// numbers (the master's 8 bytes little-endian), a CRC-32C four bytes little-endian. Content is the
// raw bytes of plain types, EncodeContent's of the others.

namespace sluice::transport {

inline constexpr uint64_t kStreamProtocol = 5;
// target size of a message, and limit of a part's content
inline constexpr size_t kChunkBytes = 1 << 20;
inline constexpr size_t kMaxTensorFrame = 1 << 20;  // larger tensors are sent in parts
inline constexpr size_t kFramePrefix = 4, kMaxFrameHead = 1 << 14;
inline constexpr size_t kSumBytes = 4;  // of a CRC-32C

enum class FrameKind : uint8_t {
  kHello = 1,
  kTensor,
  kPart,
  kPlaced,
  kAnnounce,
  kPull,
  kCredit,
  kEnd,
  kRelease,
  kJoin,
  kRun,
  kCancel,
  kRan,
  kPing,
  kPong,
  kFault
};

struct Hello {
  uint64_t protocol = kStreamProtocol;
  std::string task, version;
  uint64_t incarnation = 0;
  std::string to;
  uint64_t credit = 0;
  std::string token = "";
  uint64_t stream = 0;  // the sender's number for it
};

// Dtype and shape of a tensor; an invalid dtype is a parcel without a value (a dead one).
struct TensorHead {
  DType dtype = kInvalid;
  Shape shape;
  bool dead = false;
  bool announced = false;  // before it was sent
  bool summed = false;     // tensor, part: the content's CRC-32C follows it
};

// The position of a part, or of placed content.
struct Extent {
  uint64_t number = 0;  // of the transfer, or the segment
  uint64_t offset = 0;
  bool operator==(const Extent&) const = default;
};

// Requests a run of a graph. For cancel and ran, only the call is set.
struct RunHead {
  uint64_t call = 0;  // the sender's number for it
  std::string session;
  uint64_t graph = 0;
  uint64_t oldest_live_step = 0;
  uint64_t budget_us = 0;  // time to the step's deadline; 0: there is none
};

struct StreamFrame {
  FrameKind kind = FrameKind::kHello;
  Hello hello;        // hello; of join the token and the stream
  ParcelId id;        // tensor, part, placed, announce, pull; of credit, end and run the step
  TensorHead head;    // tensor, part, placed, announce
  uint64_t size = 0;  // tensor, part, placed: of the whole tensor's content
  Extent at;          // part, placed, release
  // tensor, part: of content that follows the head; credit: the bytes
  uint64_t bytes = 0;
  uint64_t messages = 0;  // ping, pong
  RunHead run;            // run, cancel, ran
  absl::Status status;    // of ran and fault
  bool has_content() const { return kind == FrameKind::kTensor || kind == FrameKind::kPart; }
};

void WriteHello(const Hello& hello, std::string* out);
void WriteJoin(const std::string& token, uint64_t stream, std::string* out);
// Content follows. REQUIRES: size <= kMaxTensorFrame.
void WriteTensor(const ParcelId& id, const TensorHead& head, uint64_t size, std::string* out);
// Content follows. REQUIRES: bytes <= kChunkBytes.
void WritePart(const ParcelId& id, const TensorHead& head, uint64_t size, const Extent& at,
               uint64_t bytes, std::string* out);
void WritePlaced(const ParcelId& id, const TensorHead& head, uint64_t size, const Extent& at,
                 std::string* out);
void WriteAnnounce(const ParcelId& id, const TensorHead& head, std::string* out);
void WritePull(const ParcelId& id, std::string* out);
void WriteCredit(const StepId& step, uint64_t bytes, std::string* out);
void WriteEnd(const StepId& step, std::string* out);
void WriteRelease(const Extent& at, std::string* out);
void WriteRun(const RunHead& run, const StepId& step, std::string* out);
void WriteCancel(uint64_t call, std::string* out);
// A text that is too long for a frame is cut.
void WriteRan(uint64_t call, const absl::Status& status, std::string* out);
void WritePing(uint64_t messages, std::string* out);
void WritePong(uint64_t messages, std::string* out);
void WriteFault(const absl::Status& status, std::string* out);
// The CRC-32C of a content, which follows the content of a summed tensor or part.
void WriteSum(uint32_t crc, char* to);
uint32_t ReadSum(const char* from);

// Writes the kFramePrefix bytes before a head of this length.
void WritePrefix(size_t length, char* to);
// The length of the head that begins with these kFramePrefix bytes. DATA_LOSS if they are not a
// prefix.
absl::StatusOr<size_t> HeadLength(const char* prefix);
// Reads one head, without its prefix. DATA_LOSS for a head that does not match its CRC-32C,
// INVALID_ARGUMENT for one that is cut short, unknown, or of impossible size.
absl::Status ReadHead(absl::string_view bytes, StreamFrame* frame);

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_PROTOCOL_FRAMES_H_
