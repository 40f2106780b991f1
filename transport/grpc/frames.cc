#include "transport/grpc/frames.h"

#include <bit>

namespace sluice::transport {
namespace {

constexpr uint64_t kDead = 1, kAnnounced = 2;  // flags

static_assert(std::endian::native == std::endian::little,
              "the wire is little-endian, and so are we");

void Begin(FrameKind kind, std::string* out) { out->push_back(static_cast<char>(kind)); }

void WriteText(const std::string& text, std::string* out) {
  WireWriter(out).Varint(text.size());
  *out += text;
}

void WriteStep(const StepId& step, std::string* out) {
  out->append(reinterpret_cast<const char*>(&step.master), sizeof(step.master));
  WireWriter(out).Varint(step.number);
}

void WriteId(const ParcelId& id, std::string* out) {
  WriteStep(id.step, out);
  WireWriter writer(out);
  writer.Varint(id.key.edge);
  writer.Varint(id.key.frame);
  writer.Varint(static_cast<uint64_t>(id.key.iteration));
  writer.Varint(id.key.call);
}

void WriteHead(const TensorHead& head, std::string* out) {
  WireWriter writer(out);
  writer.Varint((head.dead ? kDead : 0) | (head.announced ? kAnnounced : 0));
  writer.Varint(static_cast<uint64_t>(head.dtype));
  writer.Varint(static_cast<uint64_t>(head.shape.rank()));
  for (int64_t size : head.shape.dims()) writer.Varint(static_cast<uint64_t>(size));
}

absl::Status ReadText(PieceReader& reader, std::string* text) {
  constexpr size_t kMaxText = 4096;
  size_t length = 0;
  SLUICE_RETURN_IF_ERROR(reader.Length(&length));
  if (length > kMaxText)
    return InvalidArgument("a text of ", length, " bytes in a frame, the limit is ", kMaxText);
  text->resize(length);
  return reader.Copy(text->data(), length);
}

absl::Status ReadStep(PieceReader& reader, StepId* step) {
  SLUICE_RETURN_IF_ERROR(reader.Copy(&step->master, sizeof(step->master)));
  return reader.Varint(&step->number);
}

absl::Status ReadId(PieceReader& reader, ParcelId* id) {
  SLUICE_RETURN_IF_ERROR(ReadStep(reader, &id->step));
  SLUICE_RETURN_IF_ERROR(reader.Varint(&id->key.edge));
  SLUICE_RETURN_IF_ERROR(reader.Varint(&id->key.frame));
  uint64_t iteration = 0;
  SLUICE_RETURN_IF_ERROR(reader.Varint(&iteration));
  id->key.iteration = static_cast<int64_t>(iteration);
  return reader.Varint(&id->key.call);
}

absl::Status ReadHead(PieceReader& reader, TensorHead* head) {
  uint64_t flags = 0, dtype = 0, rank = 0;
  SLUICE_RETURN_IF_ERROR(reader.Varint(&flags));
  SLUICE_RETURN_IF_ERROR(reader.Varint(&dtype));
  SLUICE_RETURN_IF_ERROR(reader.Varint(&rank));
  if (flags > (kDead | kAnnounced))
    return InvalidArgument("unknown flags ", flags, " of a tensor frame");
  if (dtype != 0 && (dtype > 1000 || !IsKnown(static_cast<DType>(dtype))))
    return InvalidArgument("unknown dtype ", dtype);
  if (rank > static_cast<uint64_t>(kMaxRank))
    return InvalidArgument("rank ", rank, " is over ", kMaxRank);
  Shape::Dims dims(rank);
  for (int64_t& size : dims) {
    uint64_t value = 0;
    SLUICE_RETURN_IF_ERROR(reader.Varint(&value));
    size = static_cast<int64_t>(value);  // what does not fit turns negative, and Create refuses it
  }
  SLUICE_ASSIGN(head->shape, Shape::Create(dims));
  head->dead = (flags & kDead) != 0;
  head->announced = (flags & kAnnounced) != 0;
  head->dtype = static_cast<DType>(dtype);
  return absl::OkStatus();
}

// The content's size must be what dtype and shape say, where they say it.
absl::Status CheckSize(const TensorHead& head, uint64_t bytes) {
  int64_t expected = 0;
  if (IsPlain(head.dtype) &&
      !MulFits(head.shape.num_elements(), static_cast<int64_t>(SizeOf(head.dtype)), &expected)) {
    return InvalidArgument("a tensor of shape ", head.shape, " is too large");
  }
  const bool encoded = head.dtype != kInvalid && !IsPlain(head.dtype);
  if (encoded ? bytes > (uint64_t{1} << 40) : bytes != static_cast<uint64_t>(expected)) {
    return InvalidArgument("content of ", bytes, " bytes for ", head.dtype, head.shape);
  }
  return absl::OkStatus();
}

absl::Status ReadHello(PieceReader& reader, Hello* hello) {
  SLUICE_RETURN_IF_ERROR(reader.Varint(&hello->protocol));
  SLUICE_RETURN_IF_ERROR(ReadText(reader, &hello->task));
  SLUICE_RETURN_IF_ERROR(ReadText(reader, &hello->version));
  SLUICE_RETURN_IF_ERROR(reader.Varint(&hello->incarnation));
  SLUICE_RETURN_IF_ERROR(ReadText(reader, &hello->to));
  return reader.Varint(&hello->credit);
}

absl::Status ReadContentSize(PieceReader& reader, uint64_t* bytes) {
  size_t length = 0;
  SLUICE_RETURN_IF_ERROR(reader.Length(&length));
  *bytes = length;
  return absl::OkStatus();
}

}  // namespace

void WriteHello(const Hello& hello, std::string* out) {
  Begin(FrameKind::kHello, out);
  WireWriter writer(out);
  writer.Varint(hello.protocol);
  WriteText(hello.task, out);
  WriteText(hello.version, out);
  writer.Varint(hello.incarnation);
  WriteText(hello.to, out);
  writer.Varint(hello.credit);
}

void WriteTensor(const ParcelId& id, const TensorHead& head, uint64_t bytes, std::string* out) {
  Begin(FrameKind::kTensor, out);
  WriteId(id, out);
  WriteHead(head, out);
  WireWriter(out).Varint(bytes);
}

void WriteTransfer(const ParcelId& id, const TensorHead& head, uint64_t bytes, uint64_t number,
                   std::string* out) {
  Begin(FrameKind::kTransfer, out);
  WriteId(id, out);
  WriteHead(head, out);
  WireWriter(out).Varint(bytes);
  WireWriter(out).Varint(number);
}

void WriteChunk(uint64_t number, uint64_t bytes, std::string* out) {
  Begin(FrameKind::kChunk, out);
  WireWriter(out).Varint(number);
  WireWriter(out).Varint(bytes);
}

void WriteAnnounce(const ParcelId& id, const TensorHead& head, std::string* out) {
  Begin(FrameKind::kAnnounce, out);
  WriteId(id, out);
  WriteHead(head, out);
}

void WritePull(const ParcelId& id, std::string* out) {
  Begin(FrameKind::kPull, out);
  WriteId(id, out);
}

void WriteCredit(const StepId& step, uint64_t bytes, std::string* out) {
  Begin(FrameKind::kCredit, out);
  WriteStep(step, out);
  WireWriter(out).Varint(bytes);
}

void WriteEnd(const StepId& step, std::string* out) {
  Begin(FrameKind::kEnd, out);
  WriteStep(step, out);
}

absl::Status ReadFrame(PieceReader& reader, Frame* frame) {
  uint8_t kind = 0;
  SLUICE_RETURN_IF_ERROR(reader.Copy(&kind, 1));
  frame->kind = static_cast<FrameKind>(kind);
  switch (frame->kind) {
    case FrameKind::kHello:
      return ReadHello(reader, &frame->hello);
    case FrameKind::kTensor:
      SLUICE_RETURN_IF_ERROR(ReadId(reader, &frame->id));
      SLUICE_RETURN_IF_ERROR(ReadHead(reader, &frame->head));
      SLUICE_RETURN_IF_ERROR(ReadContentSize(reader, &frame->bytes));
      return CheckSize(frame->head, frame->bytes);
    case FrameKind::kTransfer:
      SLUICE_RETURN_IF_ERROR(ReadId(reader, &frame->id));
      SLUICE_RETURN_IF_ERROR(ReadHead(reader, &frame->head));
      SLUICE_RETURN_IF_ERROR(reader.Varint(&frame->bytes));
      SLUICE_RETURN_IF_ERROR(reader.Varint(&frame->number));
      if (frame->bytes == 0) return InvalidArgument("a transfer of nothing");
      return CheckSize(frame->head, frame->bytes);
    case FrameKind::kChunk:
      SLUICE_RETURN_IF_ERROR(reader.Varint(&frame->number));
      return ReadContentSize(reader, &frame->bytes);
    case FrameKind::kAnnounce:
      SLUICE_RETURN_IF_ERROR(ReadId(reader, &frame->id));
      return ReadHead(reader, &frame->head);
    case FrameKind::kPull:
      return ReadId(reader, &frame->id);
    case FrameKind::kCredit:
      SLUICE_RETURN_IF_ERROR(ReadStep(reader, &frame->id.step));
      return reader.Varint(&frame->bytes);
    case FrameKind::kEnd:
      return ReadStep(reader, &frame->id.step);
  }
  return InvalidArgument("unknown frame kind ", static_cast<int>(kind));
}

}  // namespace sluice::transport
