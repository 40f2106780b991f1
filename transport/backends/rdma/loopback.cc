// SPDX-License-Identifier: Apache-2.0
#include "transport/backends/rdma/loopback.h"

#include <cstring>
#include <string>
#include <utility>

#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "transport/backends/rdma/queue_pair.h"

namespace sluice::transport {
namespace {

constexpr size_t kBytes = 1024;  // of each transfer
constexpr absl::Duration kTime = absl::Seconds(2);

// What happened at one queue pair.
struct Probe final : RdmaDevice::User {
  absl::Status Received(absl::string_view bytes) override {
    message = std::string(bytes);
    return absl::OkStatus();
  }
  void Reposted() override {}
  void Completed(uint64_t, const absl::Status& ended) override {
    ++completed;
    if (status.ok()) status = ended;
  }
  void Broken(const absl::Status& why) override {
    if (status.ok()) status = why;
  }
  absl::Status status;
  std::string message;
  int completed = 0;
};

// A queue pair, which is disabled and destroyed with it.
class ProbedPair {
 public:
  explicit ProbedPair(std::shared_ptr<RdmaDevice> device) : device_(std::move(device)) {}
  ~ProbedPair() {
    if (qp_ == nullptr) return;
    DisableQueuePair(device_->domain(), qp_).IgnoreError();
    device_->Close(qp_);
  }
  absl::Status Open() {
    uint32_t max_inline = 0;
    SLUICE_ASSIGN(qp_, device_->Open(probe_, &max_inline));
    address_ = AddressOf(device_->domain(), *qp_);
    return absl::OkStatus();
  }
  absl::Status Connect(const ProbedPair& to) {
    return ConnectQueuePair(device_->domain(), qp_, address_, to.address_);
  }
  absl::Status Post(ibv_wr_opcode opcode, char* local, char* remote,
                    const Registration& registration) {
    ibv_sge piece = {reinterpret_cast<uint64_t>(local), kBytes, registration.lkey()};
    ibv_send_wr request = {};
    request.sg_list = &piece;
    request.num_sge = 1;
    request.opcode = opcode;
    request.send_flags = IBV_SEND_SIGNALED;
    request.wr.rdma.remote_addr = reinterpret_cast<uint64_t>(remote);
    request.wr.rdma.rkey = registration.rkey();
    ibv_send_wr* bad = nullptr;
    const int error = device_->domain().verbs().post_send(qp_, &request, &bad);
    return error == 0 ? absl::OkStatus() : device_->domain().Failed("ibv_post_send", error);
  }
  Probe& probe() const { return *probe_; }

 private:
  const std::shared_ptr<RdmaDevice> device_;
  const std::shared_ptr<Probe> probe_ = std::make_shared<Probe>();
  ibv_qp* qp_ = nullptr;
  QueuePairAddress address_;
};

}  // namespace

absl::Status TestLoopback(const std::shared_ptr<RdmaDevice>& device) {
  constexpr int kAccess = IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ;
  SLUICE_ASSIGN(const auto memory,
                RegisteredMemory::Create(device->shared_domain(), 4 * kBytes, kAccess));
  char* const source = memory->data();
  char* const written = source + kBytes;
  char* const read = written + kBytes;
  for (size_t i = 0; i < kBytes; ++i) source[i] = static_cast<char>(i % 251 + 1);
  ProbedPair from(device), to(device);
  SLUICE_RETURN_IF_ERROR(from.Open());
  SLUICE_RETURN_IF_ERROR(to.Open());
  SLUICE_RETURN_IF_ERROR(from.Connect(to));
  SLUICE_RETURN_IF_ERROR(to.Connect(from));
  const Registration& registration = memory->registration();
  SLUICE_RETURN_IF_ERROR(from.Post(IBV_WR_RDMA_WRITE, source, written, registration));
  SLUICE_RETURN_IF_ERROR(from.Post(IBV_WR_RDMA_READ, read, source, registration));
  SLUICE_RETURN_IF_ERROR(from.Post(IBV_WR_SEND, source, nullptr, registration));
  const Probe &sender = from.probe(), &receiver = to.probe();
  const auto ended = [&] { return sender.completed == 3 && !receiver.message.empty(); };
  const absl::Time deadline = absl::Now() + kTime;
  while (!ended() && sender.status.ok() && receiver.status.ok() && absl::Now() < deadline) {
    if (!device->Look()) absl::SleepFor(absl::Microseconds(50));
  }
  SLUICE_RETURN_IF_ERROR(sender.status);
  SLUICE_RETURN_IF_ERROR(receiver.status);
  const bool equal = ended() && std::memcmp(written, source, kBytes) == 0 &&
                     std::memcmp(read, source, kBytes) == 0 &&
                     receiver.message == absl::string_view(source, kBytes);
  if (equal) return absl::OkStatus();
  return Unavailable("device ", device->domain().ToString(), ": a transfer to itself ",
                     ended() ? "changed the bytes" : "did not end");
}

}  // namespace sluice::transport
