// SPDX-License-Identifier: Apache-2.0
#include "worker_service/groups/device_reduction.h"

#include <atomic>
#include <cstring>
#include <utility>

#include "worker_service/groups/algorithms.h"

namespace sluice::worker {
namespace {

// The numbers of the messages in a round.
constexpr uint32_t kReady = 1, kTurn = 2;
constexpr int64_t kTurnBytes = sizeof(int64_t) + DeviceLibrary::kIdBytes;

// co_await gives the result of a function that calls back once, on any thread. As in
// Exchange::Reception, the second of callback and function resumes.
template <typename Result>
class Callback {
 public:
  using Then = absl::AnyInvocable<void(Result)>;
  explicit Callback(absl::AnyInvocable<void(Then)> begin) : begin_(std::move(begin)) {}
  bool await_ready() const { return false; }
  bool await_suspend(std::coroutine_handle<> waiting) {
    begin_([this, waiting](Result result) {
      result_ = std::move(result);
      if (second_.exchange(true, std::memory_order_acq_rel)) waiting.resume();
    });
    return !second_.exchange(true, std::memory_order_acq_rel);
  }
  Result await_resume() { return std::move(result_); }

 private:
  absl::AnyInvocable<void(Then)> begin_;
  Result result_ = Result();
  std::atomic<bool> second_{false};
};

using Copied = Callback<absl::StatusOr<Tensor>>;
using Ended = Callback<absl::Status>;

// `done` goes to the pool: a copy ends on a thread of its device.
Copied::Then OnPool(WorkQueue& pool, Copied::Then done) {
  return [&pool, done = std::move(done)](absl::StatusOr<Tensor> tensor) mutable {
    pool.Schedule([done = std::move(done), tensor = std::move(tensor)]() mutable {
      done(std::move(tensor));
    });
  };
}

Routine OnHost(Device& device, WorkQueue& pool, Round& round) {
  CollectiveCall call = round.call();
  Copied down([&](Copied::Then done) {
    device.CopyToHost(round.call().input, OnPool(pool, std::move(done)));
  });
  SLUICE_CO_ASSIGN(call.input, co_await down);
  Allocator* const pinned = device.transfer_allocator();
  SLUICE_CO_ASSIGN(call.output, Tensor::Allocate(pinned ? *pinned : device.host_allocator(),
                                                 call.input.dtype(), call.input.shape()));
  SLUICE_CO_RETURN_IF_ERROR(co_await RunCollective(call, round));
  Copied up(
      [&](Copied::Then done) { device.CopyFromHost(call.output, OnPool(pool, std::move(done))); });
  SLUICE_CO_ASSIGN(Tensor output, co_await up);
  call.set_output(std::move(output));
  co_return absl::OkStatus();
}

absl::StatusOr<Tensor> Message(Round& round, int to, const LibraryTurn& turn) {
  SLUICE_ASSIGN(Tensor message, round.Allocate(to, kUint8, kTurnBytes));
  char* const bytes = static_cast<char*>(message.raw());
  std::memcpy(bytes, &turn.number, sizeof(turn.number));
  std::memcpy(bytes + sizeof(turn.number), turn.id.data(), DeviceLibrary::kIdBytes);
  return message;
}

LibraryTurn TurnIn(const Tensor& message) {
  LibraryTurn turn;
  const char* const bytes = static_cast<const char*>(message.raw());
  std::memcpy(&turn.number, bytes, sizeof(turn.number));
  turn.id.assign(bytes + sizeof(turn.number), DeviceLibrary::kIdBytes);
  return turn;
}

// Returns when all members are ready.
Routine AwaitTurn(const DeviceLibrary& library, Round& round, LibraryTurn& turn) {
  if (round.rank() > 0) {
    SLUICE_CO_ASSIGN(Tensor ready, round.Allocate(0, kUint8, 1));
    *static_cast<uint8_t*>(ready.raw()) = 1;
    SLUICE_CO_RETURN_IF_ERROR(round.Send(0, kReady, std::move(ready)));
    SLUICE_CO_ASSIGN(const Tensor message, co_await round.Next(0, kTurn, kUint8, kTurnBytes));
    turn = TurnIn(message);
    co_return absl::OkStatus();
  }
  for (int rank = 1; rank < round.size(); ++rank) {
    SLUICE_CO_RETURN_IF_ERROR((co_await round.Next(rank, kReady, kUint8, 1)).status());
  }
  SLUICE_CO_ASSIGN(turn, round.group().communicator().Next(library));
  for (int rank = 1; rank < round.size(); ++rank) {
    SLUICE_CO_ASSIGN(Tensor message, Message(round, rank, turn));
    SLUICE_CO_RETURN_IF_ERROR(round.Send(rank, kTurn, std::move(message)));
  }
  co_return absl::OkStatus();
}

Routine ByLibrary(Device& device, const DeviceLibrary& library, WorkQueue& pool, Round& round) {
  const CollectiveCall& call = round.call();
  // A reference variable may be written while the operation runs.
  Tensor input = call.input;
  bool shared = false;
  (void)input.Snapshot([&](DType, const Shape&) -> absl::StatusOr<Tensor> {
    shared = true;
    return absl::CancelledError();
  });
  if (shared) {
    SLUICE_CO_ASSIGN(input, device.CopyWithin(call.input));
  }
  SLUICE_CO_ASSIGN(Tensor output,
                   Tensor::Allocate(device.allocator(), input.dtype(), input.shape()));
  LibraryTurn turn;
  SLUICE_CO_RETURN_IF_ERROR(co_await AwaitTurn(library, round, turn));
  SLUICE_CO_ASSIGN(
      const std::shared_ptr<DeviceCommunicator> communicator,
      round.group().communicator().Get(library, device, turn.id, round.rank(), round.size(), pool));
  round.Watch([communicator](const absl::Status& why) { communicator->Abort(why); });
  Ended run([&](Ended::Then done) {
    communicator->AllReduce(turn.number, call.reduction.name, input, output, std::move(done));
  });
  const absl::Status status = co_await run;
  round.EndWatch(status);
  if (status.ok()) call.set_output(std::move(output));
  co_return status;
}

}  // namespace

Routine ReduceDeviceMemory(Device& device, const DeviceLibrary* library, WorkQueue& pool,
                           Round& round) {
  // Another hint is an algorithm of the host.
  const std::string& hint = round.call().hint;
  const bool any = hint.empty() || hint == "auto" || hint == "nccl";
  if (library == nullptr || !any || !round.group().why_on_host().empty())
    return OnHost(device, pool, round);
  return ByLibrary(device, *library, pool, round);
}

}  // namespace sluice::worker
