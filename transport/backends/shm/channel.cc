// SPDX-License-Identifier: Apache-2.0
#include "transport/backends/shm/channel.h"

#include <atomic>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "core/tensor/copy_bytes.h"
#include "transport/backends/shm/arena.h"
#include "transport/backends/shm/link.h"
#include "transport/backends/shm/shared_arena.h"
#include "transport/protocol/stream_channel.h"

namespace sluice::transport {
namespace {

constexpr size_t kPlacedFrom = 8 << 10;    // smaller contents go through the ring
constexpr size_t kCopierFrom = 512 << 10;  // larger ones are not copied by the sending thread
constexpr uint64_t kSharedSegment = uint64_t{1} << 63;  // in the number of one of the SharedArena

// A reader learns of a segment: its number, then its own bit in the heads of blocks there.
absl::Status Announce(ShmLink& link, uint64_t segment, int reader, const SharedMemory& memory) {
  const uint64_t packet[] = {segment, BlockHead::Bit(reader)};
  return link.Send({reinterpret_cast<const char*>(packet), sizeof(packet)}, {memory.descriptor()});
}

// from        when                          to          does
// idle        first Send                    connecting  makes the rings, sends the hello
// connecting  the peer's hello is right     open        writes pending data
// any         the link closed               broken      drops everything, tells the sink once
// broken      Send                          broken      fails: a new offer is needed
//
// A large tensor that may be sent is placed first. Memory is taken under the mutex, and filled
// without it by this thread or the copier's. Then its frame is queued. A tensor in memory from
// Allocate or AllocateForMany is already in place.
class ShmChannel final : public StreamChannel, private ShmLink::Owner {
 public:
  ShmChannel(const ShmTransportOptions& options, std::shared_ptr<SharedArena> shared,
             const PeerAddress& peer, const ConnectionOffer& offer, TensorSink* sink)
      : StreamChannel(options.self, peer, sink, /*reconnects=*/false,
                      [this](Outgoing&& out, bool pulled)
                          ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) { Launch(std::move(out), pulled); }),
        options_(options),
        shared_(std::move(shared)),
        offer_(offer) {}
  ~ShmChannel() override;

  absl::StatusOr<Tensor> Allocate(DType dtype, const Shape& shape) override;
  std::optional<Tensor> AllocateForMany(DType dtype, const Shape& shape) override {
    const size_t bytes = static_cast<size_t>(shape.num_elements()) * SizeOf(dtype);
    if (bytes < kPlacedFrom) return std::nullopt;
    return shared_->Allocate(dtype, shape);
  }
  void GiveUp(const absl::Status& why) override {
    if (const auto link = TheLink(); link != nullptr) link->Close(why);
  }
  std::string ToString() const override {
    return absl::StrCat("shm to ", peer_.task, " at ", peer_.address);
  }

 private:
  struct Placing {
    Outgoing out;
    bool pulled;
    Arena::Block block;
  };
  // A block in which a tensor was allocated. If the tensor is destroyed before it is sent, the
  // block is freed; if it was sent, when the receiver has released it too. The tensor refers to
  // `sent`.
  struct Lent {
    Extent at;
    std::shared_ptr<std::atomic<bool>> sent;
  };

  // StreamChannel
  bool connected() const override ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) { return link_ != nullptr; }
  absl::Status Connect() override ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  void Flush() override;
  void StepEnded() override ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) {
    if (arena_ != nullptr) arena_->Sweep();
    ForgetSegments();
  }

  // ShmLink::Owner
  Message NextMessage(Message cleared) override ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) {
    if (!sender_.open() || sender_.queue().empty()) return cleared;
    return sender_.queue().Next(std::move(cleared));
  }
  absl::StatusOr<Content> Begin(const StreamFrame& frame) override;
  absl::Status End(const StreamFrame&) override {
    return InvalidArgument("content does not travel this way");
  }
  absl::Status Receive(Packet packet) override;
  void Closed(const absl::Status& why) override;

  void Launch(Outgoing&& out, bool pulled) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  bool LaunchLent(Outgoing& out, bool pulled) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  bool LaunchShared(Outgoing& out, bool pulled) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  void AddPlaced(Outgoing&& out, bool pulled, const Extent& at) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  void ForgetSegments() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  void Place(Placing placing);
  void Write() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) {
    if (link_ != nullptr) link_->Write();
  }
  std::shared_ptr<ShmLink> TheLink() const {
    absl::MutexLock lock(&mu_);
    return link_;
  }

  const ShmTransportOptions options_;
  const std::shared_ptr<SharedArena> shared_;
  const ConnectionOffer offer_;
  std::shared_ptr<ShmLink> link_ ABSL_GUARDED_BY(mu_);  // null: no stream
  std::unique_ptr<Arena> arena_ ABSL_GUARDED_BY(mu_);
  std::optional<int> reader_ ABSL_GUARDED_BY(mu_);  // of shared_
  // Segments of shared_ that the peer knows.
  absl::flat_hash_map<uint64_t, std::weak_ptr<SharedMemory>> known_ ABSL_GUARDED_BY(mu_);
  std::vector<Placing> to_place_ ABSL_GUARDED_BY(mu_);
  // by the address of the tensors
  absl::flat_hash_map<const void*, Lent> lent_ ABSL_GUARDED_BY(mu_);
  int copying_ ABSL_GUARDED_BY(mu_) = 0;  // contents that the copier still copies
};

ShmChannel::~ShmChannel() {
  Close();
  GiveUp(absl::OkStatus());
  AwaitEnd();
  absl::MutexLock lock(&mu_);
  mu_.Await(absl::Condition(
      +[](int* copying) { return *copying == 0; }, &copying_));
}

absl::Status ShmChannel::Connect() {
  SLUICE_ASSIGN(Descriptor socket, ConnectUnix(offer_.address));
  SLUICE_ASSIGN(std::shared_ptr<SharedMemory> memory, SharedMemory::Create(RingPair::kBytes));
  auto link = std::make_shared<ShmLink>(options_.loop.get(), std::move(socket),
                                        static_cast<ShmLink::Owner*>(this), &mu_);
  SLUICE_RETURN_IF_ERROR(link->Send(sender_.Greeting(offer_.token),
                                    {memory->descriptor(), options_.loop->wake_descriptor()}));
  SLUICE_RETURN_IF_ERROR(link->Start());
  link->UseRings(std::move(memory), /*out=*/0);
  arena_ = std::make_unique<Arena>(
      options_.limit_bytes,
      [raw = link.get()](uint64_t segment, const SharedMemory& made) {
        return Announce(*raw, segment, 0, made);
      },
      [this](uint64_t segment) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) {
        WriteRelease({segment, 0}, &sender_.queue().control());
      });
  link_ = std::move(link);
  reader_ = shared_->Join();
  return absl::OkStatus();
}

absl::StatusOr<Tensor> ShmChannel::Allocate(DType dtype, const Shape& shape) {
  const size_t bytes = static_cast<size_t>(shape.num_elements()) * SizeOf(dtype);
  absl::MutexLock lock(&mu_);
  if (bytes < kPlacedFrom || arena_ == nullptr) return TensorChannel::Allocate(dtype, shape);
  absl::erase_if(lent_, [](const auto& item) { return item.second.sent.use_count() == 1; });
  auto sent = std::make_shared<std::atomic<bool>>(false);
  auto block = arena_->Take(bytes, sent);
  if (!block.ok()) return TensorChannel::Allocate(dtype, shape);
  lent_[block->data] = {block->at, sent};
  auto* head = BlockHead::Of(block->data);
  return Tensor(dtype, shape,
                Buffer::Borrow(block->data, bytes, [memory = block->memory, head, sent] {
                  if (!sent->load()) head->readers.store(0, std::memory_order_release);
                }));
}

// Returns false if the content is not where Allocate put it.
bool ShmChannel::LaunchLent(Outgoing& out, bool pulled) {
  if (lent_.empty() || !out.content.valid()) return false;
  auto it = lent_.find(out.content.raw());
  if (it == lent_.end()) return false;
  it->second.sent->store(true);
  AddPlaced(std::move(out), pulled, it->second.at);
  lent_.erase(it);
  return true;
}

// Returns false if the content is not in memory from AllocateForMany.
bool ShmChannel::LaunchShared(Outgoing& out, bool pulled) {
  if (!reader_ || !out.content.valid() || out.bytes() < kPlacedFrom) return false;
  auto loan = shared_->Lend(out.content, *reader_);
  if (!loan) return false;
  loan->at.number |= kSharedSegment;
  std::weak_ptr<SharedMemory>& known = known_[loan->at.number];
  if (known.expired()) {
    if (!Announce(*link_, loan->at.number, *reader_, *loan->memory).ok()) return false;
    known = loan->memory;
  }
  AddPlaced(std::move(out), pulled, loan->at);
  return true;
}

void ShmChannel::AddPlaced(Outgoing&& out, bool pulled, const Extent& at) {
  out.placed_bytes = out.bytes();
  out.placed = at;
  out.content = Tensor();
  sender_.queue().Add(std::move(out), pulled);
}

// The peer may drop segments that are not used any more.
void ShmChannel::ForgetSegments() {
  if (link_ == nullptr) return;
  absl::erase_if(known_, [this](const auto& item) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) {
    if (!item.second.expired()) return false;
    WriteRelease({item.first, 0}, &sender_.queue().control());
    return true;
  });
}

// A tensor that gets no memory goes through the ring, in parts.
void ShmChannel::Launch(Outgoing&& out, bool pulled) {
  if (LaunchLent(out, pulled) || LaunchShared(out, pulled)) return;
  if (out.bytes() >= kPlacedFrom && arena_ != nullptr) {
    if (auto block = arena_->Take(out.bytes()); block.ok()) {
      to_place_.push_back({std::move(out), pulled, *std::move(block)});
      return;
    }
  }
  sender_.queue().Add(std::move(out), pulled);
}

void ShmChannel::Flush() {
  std::vector<Placing> here, there;
  {
    absl::MutexLock lock(&mu_);
    for (Placing& placing : to_place_) {
      const bool large = options_.copier != nullptr && placing.out.bytes() >= kCopierFrom;
      (large ? there : here).push_back(std::move(placing));
    }
    to_place_.clear();
    copying_ += static_cast<int>(there.size());
    if (here.empty()) Write();
  }
  for (Placing& placing : there) {
    options_.copier->Schedule([this, placing = std::move(placing)]() mutable {
      Place(std::move(placing));
      absl::MutexLock lock(&mu_);
      Write();
      --copying_;
    });
  }
  if (here.empty()) return;
  for (Placing& placing : here) Place(std::move(placing));
  absl::MutexLock lock(&mu_);
  Write();
}

void ShmChannel::Place(Placing placing) {
  Outgoing& out = placing.out;
  CopyBytes(placing.block.data, out.content.raw(), out.bytes());
  out.placed_bytes = out.bytes();
  out.placed = placing.block.at;
  const Tensor content = std::exchange(out.content, Tensor());  // destroyed outside the lock
  absl::MutexLock lock(&mu_);
  if (link_ != nullptr) sender_.queue().Add(std::move(out), placing.pulled);
}

absl::StatusOr<Content> ShmChannel::Begin(const StreamFrame& frame) {
  SLUICE_RETURN_IF_ERROR(Take(frame));
  Flush();
  return Content{};
}

// The descriptor that wakes the receiver's loop.
absl::Status ShmChannel::Receive(Packet packet) {
  if (packet.descriptors.size() != 1) return InvalidArgument("a packet without its descriptor");
  if (const auto link = TheLink(); link != nullptr)
    link->set_wake(std::move(packet.descriptors.front()));
  return absl::OkStatus();
}

void ShmChannel::Closed(const absl::Status& why) {
  std::optional<Ending> ending;  // destroyed outside the lock, like the next
  std::vector<Placing> to_place;
  std::unique_ptr<Arena> arena;
  std::shared_ptr<ShmLink> link;
  {
    absl::MutexLock lock(&mu_);
    to_place.swap(to_place_);
    lent_.clear();
    known_.clear();
    if (reader_) shared_->Leave(*std::exchange(reader_, std::nullopt));
    arena = std::move(arena_);
    link = std::exchange(link_, nullptr);
    ending = Lose(why);
  }
  Tell(*ending);
}

}  // namespace

std::unique_ptr<TensorChannel> CreateShmChannel(const ShmTransportOptions& options,
                                                std::shared_ptr<SharedArena> shared,
                                                const PeerAddress& peer,
                                                const ConnectionOffer& offer, TensorSink* sink) {
  return std::make_unique<ShmChannel>(options, std::move(shared), peer, offer, sink);
}

}  // namespace sluice::transport
