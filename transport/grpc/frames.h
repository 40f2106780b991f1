#ifndef SLUICE_TRANSPORT_GRPC_FRAMES_H_
#define SLUICE_TRANSPORT_GRPC_FRAMES_H_

#include <cstdint>
#include <string>

#include "transport/grpc/wire.h"
#include "transport/tensor_channel.h"

// What travels on a tensor stream. A gRPC message is any number of frames, one after the other;
// each is a kind (a varint) and the kind's fields in this order:
//
//   hello     sender, then answered  protocol, task, version, incarnation, to (the task it means),
//                                    credit
//   tensor    to the receiver        parcel id, flags, dtype, shape, size, then `size` bytes
//   transfer  to the receiver        parcel id, flags, dtype, shape, size, number: the content
//                                    comes in chunks
//   chunk     to the receiver        number, size, then `size` bytes
//   announce  to the receiver        parcel id, dtype, shape
//   pull      to the sender          parcel id
//   credit    to the sender          step, bytes
//   end       to the sender          step: it ended at the receiver
//
// Numbers are varints, texts a length and bytes, a step two numbers (the master's 8 bytes
// little-endian). Content is the raw bytes of plain types, EncodeContent's of the others.

namespace sluice::transport {

inline constexpr uint64_t kStreamProtocol = 1;
inline constexpr size_t kChunkBytes = 1 << 20;  // also what a message of several frames aims at

enum class FrameKind : uint8_t {
  kHello = 1,
  kTensor,
  kTransfer,
  kChunk,
  kAnnounce,
  kPull,
  kCredit,
  kEnd
};

struct Hello {
  uint64_t protocol = kStreamProtocol;
  std::string task, version;
  uint64_t incarnation = 0;
  std::string to;
  uint64_t credit = 0;
};

// Dtype and shape of a tensor; an invalid dtype is a parcel without a value (a dead one).
struct TensorHead {
  DType dtype = kInvalid;
  Shape shape;
  bool dead = false;
  bool announced = false;  // before it was sent
};

struct Frame {
  FrameKind kind = FrameKind::kHello;
  Hello hello;          // hello
  ParcelId id;          // tensor, transfer, announce, pull; of credit and end the step
  TensorHead head;      // tensor, transfer, announce
  uint64_t number = 0;  // transfer, chunk
  uint64_t bytes = 0;   // size of the content, or credit
};

void WriteHello(const Hello& hello, std::string* out);
void WriteTensor(const ParcelId& id, const TensorHead& head, uint64_t bytes,
                 std::string* out);  // content follows
void WriteTransfer(const ParcelId& id, const TensorHead& head, uint64_t bytes, uint64_t number,
                   std::string* out);
void WriteChunk(uint64_t number, uint64_t bytes, std::string* out);  // content follows
void WriteAnnounce(const ParcelId& id, const TensorHead& head, std::string* out);
void WritePull(const ParcelId& id, std::string* out);
void WriteCredit(const StepId& step, uint64_t bytes, std::string* out);
void WriteEnd(const StepId& step, std::string* out);

// Reads one frame; of a tensor or chunk not the content: `bytes` of it are next in `reader`, and
// are there. Believes nothing: INVALID_ARGUMENT for whatever is cut short, unknown, or of
// impossible size.
absl::Status ReadFrame(PieceReader& reader, Frame* frame);

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_GRPC_FRAMES_H_
