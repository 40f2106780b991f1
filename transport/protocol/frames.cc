// SPDX-License-Identifier: Apache-2.0
#include "transport/protocol/frames.h"

#include <bit>
#include <cstring>

#include "core/io/coding.h"
#include "core/io/crc32c.h"
#include "core/utf8.h"

namespace sluice::transport {
namespace {

constexpr uint64_t kDead = 1, kAnnounced = 2, kSummed = 4;  // flags
constexpr size_t kMaxText = 4096, kMaxStatusText = 12 << 10;
static_assert(kMaxStatusText + 64 < kMaxFrameHead);

static_assert(std::endian::native == std::endian::little,
              "the wire is little-endian, and so are we");

// A frame's head while it is written. Its length comes first, once it is known, its sum last.
class HeadWriter {
 public:
  HeadWriter(FrameKind kind, std::string* out) : out_(out), begin_(out->size()) {
    out->append(kFramePrefix, '\0');
    out->push_back(static_cast<char>(kind));
  }
  ~HeadWriter() {
    const size_t head = begin_ + kFramePrefix;
    char sum[kSumBytes];
    WriteSum(Crc32c(absl::string_view(*out_).substr(head)), sum);
    out_->append(sum, kSumBytes);
    WritePrefix(out_->size() - head, out_->data() + begin_);
  }

  void Number(uint64_t value) { AppendVarint(value, out_); }
  void Text(absl::string_view text) {
    Number(text.size());
    out_->append(text.data(), text.size());
  }
  void Step(const StepId& step) {
    out_->append(reinterpret_cast<const char*>(&step.master), sizeof(step.master));
    Number(step.number);
  }
  void Id(const ParcelId& id) {
    Step(id.step);
    Number(id.key.edge);
    Number(id.key.frame);
    Number(static_cast<uint64_t>(id.key.iteration));
    Number(id.key.call);
  }
  void Tensor(const TensorHead& head) {
    Number((head.dead ? kDead : 0) | (head.announced ? kAnnounced : 0) |
           (head.summed ? kSummed : 0));
    Number(static_cast<uint64_t>(head.dtype));
    Number(static_cast<uint64_t>(head.shape.rank()));
    for (int64_t size : head.shape.dims()) Number(static_cast<uint64_t>(size));
  }
  void At(const Extent& at) {
    Number(at.number);
    Number(at.offset);
  }
  void Result(const absl::Status& status) {
    constexpr size_t kKept = kMaxStatusText - 32;  // a cut character may become longer
    Number(static_cast<uint64_t>(status.code()));
    Number(IsDerived(status) ? 1 : 0);
    if (status.message().size() <= kMaxStatusText)
      Text(status.message());
    else
      Text(absl::StrCat(AsUtf8(status.message().substr(0, kKept)), " ... [truncated]"));
  }

 private:
  std::string* const out_;
  const size_t begin_;
};

class HeadReader {
 public:
  explicit HeadReader(absl::string_view bytes) : bytes_(bytes) {}

  absl::Status Number(uint64_t* value) {
    if (TakeVarint(&bytes_, value)) return absl::OkStatus();
    return InvalidArgument("a frame's head is cut short, or a number in it too long");
  }
  absl::Status Text(std::string* text, size_t limit = kMaxText) {
    uint64_t length = 0;
    SLUICE_RETURN_IF_ERROR(Number(&length));
    if (length > limit)
      return InvalidArgument("a text of ", length, " bytes in a frame, the limit is ", limit);
    if (length > bytes_.size()) return InvalidArgument("a frame's head is cut short");
    text->assign(bytes_.data(), length);
    bytes_.remove_prefix(length);
    return absl::OkStatus();
  }
  absl::Status Step(StepId* step) {
    if (bytes_.size() < sizeof(step->master)) return InvalidArgument("a frame's head is cut short");
    std::memcpy(&step->master, bytes_.data(), sizeof(step->master));
    bytes_.remove_prefix(sizeof(step->master));
    return Number(&step->number);
  }
  absl::Status Id(ParcelId* id) {
    SLUICE_RETURN_IF_ERROR(Step(&id->step));
    SLUICE_RETURN_IF_ERROR(Number(&id->key.edge));
    SLUICE_RETURN_IF_ERROR(Number(&id->key.frame));
    uint64_t iteration = 0;
    SLUICE_RETURN_IF_ERROR(Number(&iteration));
    id->key.iteration = static_cast<int64_t>(iteration);
    return Number(&id->key.call);
  }
  absl::Status Tensor(TensorHead* head) {
    uint64_t flags = 0, dtype = 0, rank = 0;
    SLUICE_RETURN_IF_ERROR(Number(&flags));
    SLUICE_RETURN_IF_ERROR(Number(&dtype));
    SLUICE_RETURN_IF_ERROR(Number(&rank));
    if (flags > (kDead | kAnnounced | kSummed))
      return InvalidArgument("unknown flags ", flags, " of a tensor frame");
    if (dtype != 0 && (dtype > 1000 || !IsKnown(static_cast<DType>(dtype))))
      return InvalidArgument("unknown dtype ", dtype);
    if (rank > static_cast<uint64_t>(kMaxRank))
      return InvalidArgument("rank ", rank, " is over ", kMaxRank);
    SLUICE_RETURN_IF_ERROR(Sizes(rank, &head->shape));
    head->dead = (flags & kDead) != 0;
    head->announced = (flags & kAnnounced) != 0;
    head->summed = (flags & kSummed) != 0;
    head->dtype = static_cast<DType>(dtype);
    return absl::OkStatus();
  }
  absl::Status Sizes(uint64_t rank, Shape* shape) {
    *shape = Shape();
    if (rank == 0) return absl::OkStatus();  // the usual case of small tensors
    Shape::Dims dims(rank);
    for (int64_t& size : dims) {
      uint64_t value = 0;
      SLUICE_RETURN_IF_ERROR(Number(&value));
      size = static_cast<int64_t>(value);  // too large values become negative: Create refuses them
    }
    SLUICE_ASSIGN(*shape, Shape::Create(dims));
    return absl::OkStatus();
  }
  // The size of a content must match dtype and shape, if they determine it.
  absl::Status Size(const TensorHead& head, uint64_t* size) {
    SLUICE_RETURN_IF_ERROR(Number(size));
    int64_t expected = 0;
    if (IsPlain(head.dtype) &&
        !MulFits(head.shape.num_elements(), static_cast<int64_t>(SizeOf(head.dtype)), &expected)) {
      return InvalidArgument("a tensor of shape ", head.shape, " is too large");
    }
    const bool encoded = head.dtype != kInvalid && !IsPlain(head.dtype);
    if (encoded ? *size > (uint64_t{1} << 40) : *size != static_cast<uint64_t>(expected))
      return InvalidArgument("content of ", *size, " bytes for ", head.dtype, head.shape);
    return absl::OkStatus();
  }
  absl::Status At(Extent* at) {
    SLUICE_RETURN_IF_ERROR(Number(&at->number));
    return Number(&at->offset);
  }
  absl::Status Hello(transport::Hello* hello) {
    SLUICE_RETURN_IF_ERROR(Number(&hello->protocol));
    SLUICE_RETURN_IF_ERROR(Text(&hello->task));
    SLUICE_RETURN_IF_ERROR(Text(&hello->version));
    SLUICE_RETURN_IF_ERROR(Number(&hello->incarnation));
    SLUICE_RETURN_IF_ERROR(Text(&hello->to));
    SLUICE_RETURN_IF_ERROR(Number(&hello->credit));
    return Join(hello);
  }
  absl::Status Join(transport::Hello* hello) {
    SLUICE_RETURN_IF_ERROR(Text(&hello->token));
    return Number(&hello->stream);
  }
  absl::Status Run(RunHead* run, StepId* step) {
    SLUICE_RETURN_IF_ERROR(Number(&run->call));
    SLUICE_RETURN_IF_ERROR(Text(&run->session));
    SLUICE_RETURN_IF_ERROR(Number(&run->graph));
    SLUICE_RETURN_IF_ERROR(Step(step));
    SLUICE_RETURN_IF_ERROR(Number(&run->oldest_live_step));
    return Number(&run->budget_us);
  }
  absl::Status Result(absl::Status* status) {
    uint64_t code = 0, derived = 0;
    std::string text;
    SLUICE_RETURN_IF_ERROR(Number(&code));
    SLUICE_RETURN_IF_ERROR(Number(&derived));
    SLUICE_RETURN_IF_ERROR(Text(&text, kMaxStatusText));
    if (code > static_cast<uint64_t>(absl::StatusCode::kUnauthenticated) || derived > 1)
      return InvalidArgument("unknown status ", code);
    *status = absl::Status(static_cast<absl::StatusCode>(code), text);
    if (derived != 0) *status = MarkDerived(std::move(*status));
    return absl::OkStatus();
  }
  absl::Status End() const {
    return bytes_.empty() ? absl::OkStatus()
                          : InvalidArgument(bytes_.size(), " bytes too many in a frame's head");
  }

 private:
  absl::string_view bytes_;
};

absl::Status ReadTensorHead(HeadReader& in, StreamFrame* frame) {
  SLUICE_RETURN_IF_ERROR(in.Id(&frame->id));
  return in.Tensor(&frame->head);
}

absl::Status ReadSizedHead(HeadReader& in, StreamFrame* frame) {
  SLUICE_RETURN_IF_ERROR(ReadTensorHead(in, frame));
  return in.Size(frame->head, &frame->size);
}

absl::Status ReadPart(HeadReader& in, StreamFrame* frame) {
  SLUICE_RETURN_IF_ERROR(ReadSizedHead(in, frame));
  SLUICE_RETURN_IF_ERROR(in.At(&frame->at));
  SLUICE_RETURN_IF_ERROR(in.Number(&frame->bytes));
  if (frame->bytes == 0 || frame->bytes > kChunkBytes || frame->at.offset > frame->size ||
      frame->bytes > frame->size - frame->at.offset) {
    return InvalidArgument("a part of ", frame->bytes, " bytes at ", frame->at.offset,
                           " of a tensor's ", frame->size);
  }
  return absl::OkStatus();
}

absl::Status ReadFields(HeadReader& in, StreamFrame* frame) {
  frame->bytes = 0;
  switch (frame->kind) {
    case FrameKind::kHello:
      return in.Hello(&frame->hello);
    case FrameKind::kTensor:
      SLUICE_RETURN_IF_ERROR(ReadSizedHead(in, frame));
      if (frame->size > kMaxTensorFrame)
        return InvalidArgument("a tensor of ", frame->size, " bytes that is not sent in parts");
      frame->bytes = frame->size;
      return absl::OkStatus();
    case FrameKind::kPart:
      return ReadPart(in, frame);
    case FrameKind::kPlaced:
      SLUICE_RETURN_IF_ERROR(ReadSizedHead(in, frame));
      return in.At(&frame->at);
    case FrameKind::kAnnounce:
      return ReadTensorHead(in, frame);
    case FrameKind::kPull:
      return in.Id(&frame->id);
    case FrameKind::kCredit:
      SLUICE_RETURN_IF_ERROR(in.Step(&frame->id.step));
      return in.Number(&frame->bytes);
    case FrameKind::kEnd:
      return in.Step(&frame->id.step);
    case FrameKind::kRelease:
      return in.At(&frame->at);
    case FrameKind::kJoin:
      return in.Join(&frame->hello);
    case FrameKind::kRun:
      return in.Run(&frame->run, &frame->id.step);
    case FrameKind::kCancel:
      return in.Number(&frame->run.call);
    case FrameKind::kRan:
      SLUICE_RETURN_IF_ERROR(in.Number(&frame->run.call));
      return in.Result(&frame->status);
    case FrameKind::kPing:
    case FrameKind::kPong:
      return in.Number(&frame->messages);
    case FrameKind::kFault:
      return in.Result(&frame->status);
  }
  return InvalidArgument("unknown frame kind ", static_cast<int>(frame->kind));
}

}  // namespace

void WriteHello(const Hello& hello, std::string* out) {
  HeadWriter head(FrameKind::kHello, out);
  head.Number(hello.protocol);
  head.Text(hello.task);
  head.Text(hello.version);
  head.Number(hello.incarnation);
  head.Text(hello.to);
  head.Number(hello.credit);
  head.Text(hello.token);
  head.Number(hello.stream);
}

void WriteJoin(const std::string& token, uint64_t stream, std::string* out) {
  HeadWriter head(FrameKind::kJoin, out);
  head.Text(token);
  head.Number(stream);
}

void WriteTensor(const ParcelId& id, const TensorHead& tensor, uint64_t size, std::string* out) {
  HeadWriter head(FrameKind::kTensor, out);
  head.Id(id);
  head.Tensor(tensor);
  head.Number(size);
}

void WritePart(const ParcelId& id, const TensorHead& tensor, uint64_t size, const Extent& at,
               uint64_t bytes, std::string* out) {
  HeadWriter head(FrameKind::kPart, out);
  head.Id(id);
  head.Tensor(tensor);
  head.Number(size);
  head.At(at);
  head.Number(bytes);
}

void WritePlaced(const ParcelId& id, const TensorHead& tensor, uint64_t size, const Extent& at,
                 std::string* out) {
  HeadWriter head(FrameKind::kPlaced, out);
  head.Id(id);
  head.Tensor(tensor);
  head.Number(size);
  head.At(at);
}

void WriteAnnounce(const ParcelId& id, const TensorHead& tensor, std::string* out) {
  HeadWriter head(FrameKind::kAnnounce, out);
  head.Id(id);
  head.Tensor(tensor);
}

void WritePull(const ParcelId& id, std::string* out) { HeadWriter(FrameKind::kPull, out).Id(id); }

void WriteCredit(const StepId& step, uint64_t bytes, std::string* out) {
  HeadWriter head(FrameKind::kCredit, out);
  head.Step(step);
  head.Number(bytes);
}

void WriteEnd(const StepId& step, std::string* out) { HeadWriter(FrameKind::kEnd, out).Step(step); }

void WriteRelease(const Extent& at, std::string* out) {
  HeadWriter(FrameKind::kRelease, out).At(at);
}

void WriteRun(const RunHead& run, const StepId& step, std::string* out) {
  HeadWriter head(FrameKind::kRun, out);
  head.Number(run.call);
  head.Text(run.session);
  head.Number(run.graph);
  head.Step(step);
  head.Number(run.oldest_live_step);
  head.Number(run.budget_us);
}

void WriteCancel(uint64_t call, std::string* out) {
  HeadWriter(FrameKind::kCancel, out).Number(call);
}

void WriteRan(uint64_t call, const absl::Status& status, std::string* out) {
  HeadWriter head(FrameKind::kRan, out);
  head.Number(call);
  head.Result(status);
}

void WritePing(uint64_t messages, std::string* out) {
  HeadWriter(FrameKind::kPing, out).Number(messages);
}

void WritePong(uint64_t messages, std::string* out) {
  HeadWriter(FrameKind::kPong, out).Number(messages);
}

void WriteFault(const absl::Status& status, std::string* out) {
  HeadWriter(FrameKind::kFault, out).Result(status);
}

void WriteSum(uint32_t crc, char* to) { std::memcpy(to, &crc, kSumBytes); }

uint32_t ReadSum(const char* from) {
  uint32_t crc = 0;
  std::memcpy(&crc, from, kSumBytes);
  return crc;
}

void WritePrefix(size_t length, char* to) {
  const uint16_t both[] = {static_cast<uint16_t>(length), static_cast<uint16_t>(~length)};
  static_assert(sizeof(both) == kFramePrefix);
  std::memcpy(to, both, kFramePrefix);
}

absl::StatusOr<size_t> HeadLength(const char* prefix) {
  uint16_t length = 0, complement = 0;
  std::memcpy(&length, prefix, sizeof(length));
  std::memcpy(&complement, prefix + sizeof(length), sizeof(complement));
  if ((length ^ complement) != 0xffff || length <= kSumBytes || length > kMaxFrameHead)
    return MakeStatus(absl::StatusCode::kDataLoss,
                      "the length of a frame's head was changed on its way");
  return length;
}

absl::Status ReadHead(absl::string_view bytes, StreamFrame* frame) {
  if (bytes.size() <= kSumBytes) return InvalidArgument("a frame without a kind");
  const size_t length = bytes.size() - kSumBytes;
  if (const uint32_t sum = ReadSum(bytes.data() + length), is = Crc32c(bytes.substr(0, length));
      sum != is) {
    return MakeStatus(absl::StatusCode::kDataLoss, "a frame's head of ", length,
                      " bytes was changed on its way: its CRC-32C is ", absl::Hex(is),
                      ", it should be ", absl::Hex(sum));
  }
  bytes = bytes.substr(0, length);
  frame->kind = static_cast<FrameKind>(bytes.front());
  HeadReader in(bytes.substr(1));
  SLUICE_RETURN_IF_ERROR(ReadFields(in, frame));
  return in.End();
}

}  // namespace sluice::transport
