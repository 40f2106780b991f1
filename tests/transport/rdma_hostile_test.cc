// SPDX-License-Identifier: Apache-2.0
// A peer that has a connection offer and sends what no sender sends: a stream ends for each of it,
// and names the reason.
#include <sys/socket.h>
#include <unistd.h>

#include "core/io/coding.h"
#include "core/version.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/transport/endpoint.h"
#include "tests/verbs_double/verbs_double.h"
#include "transport/backends/rdma/link.h"
#include "transport/backends/rdma/remote_arena.h"
#include "transport/backends/rdma/transport.h"
#include "transport/backends/tcp/socket.h"

namespace sluice::transport {
namespace {

using testing::HasSubstr;

constexpr char kA[] = "/job:a/replica:0/task:0", kB[] = "/job:b/replica:0/task:0";
constexpr size_t kArena = 4 << 20;

// The sending end of a stream, which sends what the test says.
class HostileSender final : public RdmaLink::Owner {
 public:
  HostileSender(std::shared_ptr<RdmaDevice> device, PollLoop* loop, int port) {
    const auto to = *SocketAddress::Find("127.0.0.1", port);
    link_ = std::make_shared<RdmaLink>(std::move(device), loop, *ConnectTcp(to), this, &mu_);
  }
  // Opens the stream, after which `frames` are sent.
  void Start(const std::string& token) {
    {
      absl::MutexLock lock(&mu_);
      link_->Open()->Write(&hello_);
    }
    WriteHello({.task = kA, .version = kVersion, .incarnation = 1, .to = kB, .token = token},
               &hello_);
    SayHello();
    ASSERT_TRUE(link_->Start().ok());
    AwaitThat(&answered_);
  }
  void SayHello() { link_->SendPacket(ControlKind::kHello, hello_); }
  // Says that it is ready, and nothing before.
  void StartWithoutHello() {
    link_->SendPacket(ControlKind::kReady);
    ASSERT_TRUE(link_->Start().ok());
  }
  void SendFrame(const std::string& frame) {
    absl::MutexLock lock(&mu_);
    frames_ += frame;
    link_->Write();
  }
  void SendPacket(ControlKind kind, const std::string& packet) { link_->SendPacket(kind, packet); }
  void Ask(uint64_t bytes) {
    std::string packet;
    AppendVarint(bytes, &packet);
    link_->SendPacket(ControlKind::kGrow, packet);
  }
  // Why the peer does not lend what it was asked for.
  std::string AwaitRefusal() {
    AwaitThat(&refused_);
    absl::MutexLock lock(&mu_);
    return why_refused_;
  }
  // The peer lends a segment of the smallest size.
  LentSegment Borrow() {
    Ask(RemoteArena(kArena).NextSegment(1));
    AwaitThat(&lent_);
    absl::MutexLock lock(&mu_);
    return segment_;
  }
  std::string AwaitEnd() {
    AwaitThat(&closed_);
    absl::MutexLock lock(&mu_);
    return std::string(why_.message());
  }
  void Close() {
    link_->Close();
    AwaitThat(&closed_);
  }

 private:
  void AwaitThat(const bool* happened) {
    absl::MutexLock lock(&mu_);
    auto end = [&] { return *happened || closed_; };
    ASSERT_TRUE(mu_.AwaitWithTimeout(absl::Condition(&end), TestSink::kTimeout));
  }
  Message NextMessage(Message message) override {
    message.text() = std::exchange(frames_, "");
    return message;
  }
  absl::StatusOr<Content> Begin(const StreamFrame& frame) override {
    absl::MutexLock lock(&mu_);
    answered_ = answered_ || frame.kind == FrameKind::kHello;
    return Content{};
  }
  absl::Status End(const StreamFrame&) override { return absl::OkStatus(); }
  absl::Status Receive(ControlKind kind, absl::string_view rest) override {
    absl::MutexLock lock(&mu_);
    if (kind == ControlKind::kEndpoint) {
      SLUICE_ASSIGN(const QueuePairAddress peer, QueuePairAddress::Take(&rest));
      SLUICE_RETURN_IF_ERROR(link_->Connect(peer));
      link_->SendPacket(ControlKind::kReady);
      link_->Enable();
    }
    if (kind == ControlKind::kLent) {
      SLUICE_ASSIGN(segment_, LentSegment::Read(rest));
      lent_ = true;
    }
    if (kind == ControlKind::kRefused) {
      why_refused_ = std::string(rest);
      refused_ = true;
    }
    return absl::OkStatus();
  }
  void Closed(const absl::Status& why) override {
    absl::MutexLock lock(&mu_);
    why_ = why;
    closed_ = true;
  }
  bool Awaits() override { return false; }

  absl::Mutex mu_;
  std::shared_ptr<RdmaLink> link_;
  std::string hello_, frames_, why_refused_;
  LentSegment segment_;
  absl::Status why_;
  bool answered_ = false, lent_ = false, refused_ = false, closed_ = false;
};

class RdmaHostileTest : public testing::Test {
 protected:
  RdmaHostileTest() {
    VerbsDouble::Reset();
    transport_ = *CreateRdmaTransport({.self = {kB, 2, 64 << 20},
                                       .loop = loop_,
                                       .arena_bytes = kArena,
                                       .verbs = &VerbsDouble::Table()});
    transport_->Attach(&sink_);
    device_ = *RdmaDevice::Create(*RdmaDomain::Open(VerbsDouble::Table(), {}), loop_.get(), kArena);
    EXPECT_TRUE(device_->Start(absl::Seconds(10)).ok());
    Open();
  }
  ~RdmaHostileTest() override {
    sender_->Close();
    transport_->Stop();
    transport_.reset();
    device_->Stop();
    device_.reset();
    sender_.reset();
    EXPECT_EQ(VerbsDouble::Live(), "");
    EXPECT_EQ(VerbsDouble::Misuse(), "");
  }
  void Open(bool greets = true) {
    if (sender_ != nullptr) sender_->Close();
    const ConnectionOffer offer = *transport_->Offer({kA, 1, HostId()});
    int port = 0;
    EXPECT_TRUE(absl::SimpleAtoi(
        offer.address.substr(offer.address.find(':') + 1,
                             offer.address.find('/') - offer.address.find(':') - 1),
        &port));
    sender_ = std::make_unique<HostileSender>(device_, loop_.get(), port);
    if (greets)
      sender_->Start(offer.token);
    else
      sender_->StartWithoutHello();
  }
  static std::string Placed(uint64_t number, uint64_t offset, uint64_t size) {
    std::string frame;
    const Shape shape{static_cast<int64_t>(size)};
    WritePlaced({{7, 1}, EdgeKey{1, 0, 0, 0}}, {.dtype = kUint8, .shape = shape}, size,
                {number, offset}, &frame);
    return frame;
  }

  const std::shared_ptr<PollLoop> loop_ = std::make_shared<PollLoop>("hostile");
  TestSink sink_;
  std::unique_ptr<Transport> transport_;
  std::shared_ptr<RdmaDevice> device_;
  std::unique_ptr<HostileSender> sender_;
};

TEST_F(RdmaHostileTest, PlacesOutsideOfWhatWasLentEndTheStream) {
  struct Case {
    uint64_t number, offset, size;
    const char* why;
  };
  const uint64_t bytes = RemoteArena(kArena).NextSegment(1);
  for (const Case& one : std::vector<Case>{{7, 0, 64, "no segment 7"},
                                           {uint64_t{1} << 31, 0, 64, "no segment"},
                                           {0, 0, bytes + 1, "of a segment of"},
                                           {0, bytes, 64, "of a segment of"},
                                           {0, bytes - 64, 128, "of a segment of"},
                                           {0, UINT64_MAX - 63, 128, "of a segment of"},
                                           {0, 1, 64, "of a segment of"}}) {
    SCOPED_TRACE(absl::StrCat(one.number, " ", one.offset, " ", one.size));
    Open();
    EXPECT_EQ(sender_->Borrow().bytes, bytes);
    sender_->SendFrame(Placed(one.number, one.offset, one.size));
    EXPECT_THAT(sender_->AwaitEnd(), HasSubstr(one.why));
  }
}

TEST_F(RdmaHostileTest, ASourceThatIsNotAnnouncedEndsTheStream) {
  sender_->SendFrame(Placed(kRdmaSource | 12345, 0x1000, 1 << 20));
  EXPECT_THAT(sender_->AwaitEnd(), HasSubstr("remote access error"));
  Open();
  sender_->SendFrame(Placed(kRdmaSource | 12345, 0x1000, 0));
  EXPECT_THAT(sender_->AwaitEnd(), HasSubstr("an empty content to read"));
}

TEST_F(RdmaHostileTest, RequestsForMemoryAreLimited) {
  struct Case {
    uint64_t bytes;
    const char* why;
  };
  for (const uint64_t bytes : {uint64_t{0}, uint64_t{1}, UINT64_MAX}) {
    SCOPED_TRACE(bytes);
    Open();
    sender_->Ask(bytes);
    EXPECT_THAT(sender_->AwaitEnd(), HasSubstr("a malformed request for memory"));
  }
  Open();
  const LentSegment lent = sender_->Borrow();
  sender_->Ask(uint64_t{1} << 40);
  EXPECT_THAT(sender_->AwaitRefusal(), HasSubstr("one peer is lent at most"));
  sender_->SendPacket(ControlKind::kLent, "");  // the stream went on until here
  EXPECT_THAT(sender_->AwaitEnd(), HasSubstr("does not travel this way"));
  EXPECT_GT(lent.bytes, 0u);
}

TEST_F(RdmaHostileTest, TheNumberOfSegmentsIsLimited) {
  for (int i = 0; i < 513; ++i) sender_->Ask(FreeSpace::kGrain);
  EXPECT_THAT(sender_->AwaitRefusal(), HasSubstr("in 512 segments"));
}

// The queue pair of the first hello is destroyed: see ~RdmaHostileTest.
TEST_F(RdmaHostileTest, ASecondHelloEndsTheStream) {
  sender_->SayHello();
  EXPECT_THAT(sender_->AwaitEnd(), HasSubstr("a second hello"));
}

TEST_F(RdmaHostileTest, AStreamBeginsWithItsHello) {
  Open(/*greets=*/false);
  EXPECT_THAT(sender_->AwaitEnd(), HasSubstr("after its hello"));
}

// The owner of a control socket whose peer does not read.
class Unread final : public ControlSocket::Owner {
 public:
  absl::Status ReceivePacket(absl::string_view) override { return absl::OkStatus(); }
  void SocketEnded(const absl::Status& why) override {
    absl::MutexLock lock(&mu_);
    why_ = why;
    ended_ = true;
  }
  absl::Status Await() {
    absl::MutexLock lock(&mu_);
    mu_.AwaitWithTimeout(absl::Condition(&ended_), TestSink::kTimeout);
    return why_;
  }

 private:
  absl::Mutex mu_;
  absl::Status why_;
  bool ended_ = false;
};

TEST(ControlSocketTest, APeerThatDoesNotReadIsEnded) {
  PollLoop loop("unread");
  int ends[2];
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends), 0);
  const Descriptor peer(ends[1]);
  Unread owner;
  const auto socket = std::make_shared<ControlSocket>(&loop, Descriptor(ends[0]), &owner);
  ASSERT_TRUE(socket->Start().ok());
  for (int i = 0; i < 200; ++i) socket->Send(std::string(ControlSocket::kMaxPacket, 'x'));
  ASSERT_EQ(write(peer.get(), "\0\0", 2), 2);
  EXPECT_THAT(owner.Await().message(), HasSubstr("No buffer space"));
  absl::Notification closed;
  loop.Run([&] {
    socket->Close();
    closed.Notify();
  });
  closed.WaitForNotification();
}

TEST_F(RdmaHostileTest, MalformedPacketsEndTheStream) {
  for (const std::string& packet : {std::string("junk"), std::string(40, '\xff'), std::string()}) {
    Open();
    sender_->SendPacket(ControlKind::kHello, packet);
    EXPECT_THAT(sender_->AwaitEnd(), HasSubstr("a malformed endpoint"));
  }
}

}  // namespace
}  // namespace sluice::transport
