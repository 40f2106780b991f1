#include "transport/shm/shm_channel.h"

#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include "core/log.h"
#include "transport/shm/arena.h"
#include "transport/shm/shm_link.h"

namespace sluice::transport {
namespace {

constexpr size_t kPlacedFrom = 8 << 10;    // smaller contents go through the ring
constexpr size_t kCopierFrom = 512 << 10;  // larger ones are not copied by whoever sends

// from        when                          to          does
// idle        first Send                    connecting  makes the rings, greets
// connecting  the peer's hello is right     open        writes what waits
// any         the link closed               broken      forgets everything, tells the sink once
// broken      Send                          broken      fails: a new invitation is needed
//
// A tensor that may leave and is large is placed first: memory is taken under the mutex, filled
// without it, by this thread or the copier's, and its frame is queued then.
class ShmChannel final : public TensorChannel, private ShmLink::Owner {
 public:
  ShmChannel(const ShmRoadOptions& options, const PeerAddress& peer, const Invitation& invitation,
             TensorSink* sink)
      : options_(options),
        peer_(peer),
        invitation_(invitation),
        sink_(sink),
        sender_(options.self, peer,
                [this](Outgoing out, bool pulled)
                    ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) { Launch(std::move(out), pulled); }) {}
  ~ShmChannel() override;

  absl::Status Send(const ParcelId& id, Parcel parcel) override;
  void Pull(const ParcelId& id) override { sink_->returns().Pull(peer_.task, id); }
  void Consumed(const StepId& step, int64_t bytes) override {
    sink_->returns().Consumed(peer_.task, step, bytes);
  }
  void EndStep(const StepId& step) override;
  bool was_open() const override {
    absl::MutexLock lock(&mu_);
    return was_open_;
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

  // ShmLink::Owner
  Message NextMessage() override;
  absl::StatusOr<Content> Begin(const Frame& frame) override;
  absl::Status End() override { return InvalidArgument("content does not travel this way"); }
  absl::Status Receive(Packet packet) override;
  void Closed(const absl::Status& why) override;

  absl::Status Open() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  void Launch(Outgoing out, bool pulled) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  void PlaceAndWrite();
  void Place(Placing placing);
  void Write();

  const ShmRoadOptions options_;
  const PeerAddress peer_;
  const Invitation invitation_;
  TensorSink* const sink_;

  mutable absl::Mutex mu_;
  bool was_open_ ABSL_GUARDED_BY(mu_) = false;
  std::shared_ptr<ShmLink> link_ ABSL_GUARDED_BY(mu_);  // null: no stream
  std::unique_ptr<Arena> arena_ ABSL_GUARDED_BY(mu_);
  std::vector<Placing> to_place_ ABSL_GUARDED_BY(mu_);
  int copying_ ABSL_GUARDED_BY(mu_) = 0;  // by the copier
  bool telling_ ABSL_GUARDED_BY(mu_) = false, closing_ ABSL_GUARDED_BY(mu_) = false;
  absl::Status broken_ ABSL_GUARDED_BY(mu_);
  StreamSender sender_ ABSL_GUARDED_BY(mu_);
};

ShmChannel::~ShmChannel() {
  std::shared_ptr<ShmLink> link;
  {
    absl::MutexLock lock(&mu_);
    closing_ = true;
    link = link_;
  }
  if (link != nullptr) link->Close();
  absl::MutexLock lock(&mu_);
  mu_.Await(absl::Condition(
      +[](ShmChannel* self) ABSL_EXCLUSIVE_LOCKS_REQUIRED(self->mu_) {
        return self->link_ == nullptr && !self->telling_ && self->copying_ == 0;
      },
      this));
}

absl::Status ShmChannel::Send(const ParcelId& id, Parcel parcel) {
  SLUICE_ASSIGN(Outgoing out, Outgoing::Of(id, parcel));
  {
    absl::MutexLock lock(&mu_);
    if (closing_) return Unavailable("the channel to ", peer_.task, " is closed");
    if (!broken_.ok()) return broken_;
    if (link_ == nullptr) SLUICE_RETURN_IF_ERROR(Open());
    sender_.Send(std::move(out), std::move(parcel));
  }
  PlaceAndWrite();
  return absl::OkStatus();
}

void ShmChannel::EndStep(const StepId& step) {
  sink_->returns().EndStep(peer_.task, step);
  absl::MutexLock lock(&mu_);
  sender_.EndStep(step);
  if (arena_ != nullptr) arena_->Sweep();
}

absl::Status ShmChannel::Open() {
  SLUICE_ASSIGN(Descriptor socket, ConnectUnix(invitation_.address));
  SLUICE_ASSIGN(std::shared_ptr<SharedMemory> memory, SharedMemory::Create(RingPair::kBytes));
  auto link = std::make_shared<ShmLink>(options_.loop.get(), std::move(socket),
                                        static_cast<ShmLink::Owner*>(this));
  SLUICE_RETURN_IF_ERROR(link->Send(sender_.Greeting(invitation_.token),
                                    {memory->descriptor(), options_.loop->wake_descriptor()}));
  SLUICE_RETURN_IF_ERROR(link->Start());
  link->UseRings(std::move(memory), /*out=*/0);
  arena_ = std::make_unique<Arena>(
      options_.limit_bytes,
      [raw = link.get()](uint64_t segment, const SharedMemory& made) {
        return raw->Send({reinterpret_cast<const char*>(&segment), sizeof(segment)},
                         {made.descriptor()});
      },
      [this](uint64_t segment) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) {
        WriteRelease({segment, 0}, &sender_.queue().control());
      });
  link_ = std::move(link);
  return absl::OkStatus();
}

// What finds no memory goes through the ring, in parts.
void ShmChannel::Launch(Outgoing out, bool pulled) {
  if (out.bytes() >= kPlacedFrom && arena_ != nullptr) {
    if (auto block = arena_->Take(out.bytes()); block.ok()) {
      to_place_.push_back({std::move(out), pulled, *std::move(block)});
      return;
    }
  }
  sender_.queue().Add(std::move(out), pulled);
}

void ShmChannel::PlaceAndWrite() {
  std::vector<Placing> here, there;
  {
    absl::MutexLock lock(&mu_);
    for (Placing& placing : to_place_) {
      const bool large = options_.copier != nullptr && placing.out.bytes() >= kCopierFrom;
      (large ? there : here).push_back(std::move(placing));
    }
    to_place_.clear();
    copying_ += static_cast<int>(there.size());
  }
  for (Placing& placing : there) {
    options_.copier->Schedule([this, placing = std::move(placing)]() mutable {
      Place(std::move(placing));
      Write();
      absl::MutexLock lock(&mu_);
      --copying_;
    });
  }
  for (Placing& placing : here) Place(std::move(placing));
  Write();
}

void ShmChannel::Place(Placing placing) {
  Outgoing& out = placing.out;
  std::memcpy(placing.block.data, out.content.raw(), out.bytes());
  out.placed_bytes = out.bytes();
  out.placed = placing.block.at;
  const Tensor content = std::exchange(out.content, Tensor());  // dies outside the lock
  absl::MutexLock lock(&mu_);
  if (link_ != nullptr) sender_.queue().Add(std::move(out), placing.pulled);
}

void ShmChannel::Write() {
  std::shared_ptr<ShmLink> link;
  {
    absl::MutexLock lock(&mu_);
    if (!sender_.open() || sender_.queue().empty()) return;
    link = link_;
  }
  link->Write();
}

Message ShmChannel::NextMessage() {
  absl::MutexLock lock(&mu_);
  if (!sender_.open() || sender_.queue().empty()) return {};
  return sender_.queue().Next();
}

absl::StatusOr<Content> ShmChannel::Begin(const Frame& frame) {
  {
    absl::MutexLock lock(&mu_);
    SLUICE_RETURN_IF_ERROR(sender_.Take(frame));
    was_open_ = true;
  }
  PlaceAndWrite();
  return Content{};
}

// How the receiver's loop is woken.
absl::Status ShmChannel::Receive(Packet packet) {
  if (packet.descriptors.size() != 1) return InvalidArgument("a packet without its descriptor");
  std::shared_ptr<ShmLink> link;
  {
    absl::MutexLock lock(&mu_);
    link = link_;
  }
  if (link != nullptr) link->set_wake(std::move(packet.descriptors.front()));
  return absl::OkStatus();
}

void ShmChannel::Closed(const absl::Status& why) {
  std::optional<StreamSender::Held> held;  // these die outside the lock
  std::vector<Placing> to_place;
  std::unique_ptr<Arena> arena;
  std::shared_ptr<ShmLink> link;
  absl::Status status;
  {
    absl::MutexLock lock(&mu_);
    held = sender_.Forget();
    to_place.swap(to_place_);
    arena = std::move(arena_);
    link = std::move(link_);
    link_ = nullptr;
    broken_ = sender_.Lost(why.message());
    if (!closing_) status = broken_;
    telling_ = !status.ok();
  }
  if (status.ok()) return;
  Log(LogLevel::kDebug, "tensor stream ended: ", status.message());
  sink_->Broken(peer_.task, status);
  absl::MutexLock lock(&mu_);
  telling_ = false;
}

}  // namespace

std::unique_ptr<TensorChannel> CreateShmChannel(const ShmRoadOptions& options,
                                                const PeerAddress& peer,
                                                const Invitation& invitation, TensorSink* sink) {
  return std::make_unique<ShmChannel>(options, peer, invitation, sink);
}

}  // namespace sluice::transport
