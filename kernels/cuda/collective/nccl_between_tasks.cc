// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/collective/nccl_between_tasks.h"

#include "absl/strings/str_cat.h"
#include "core/device/cuda_device.h"

#if __has_include(<nccl.h>)
#include <algorithm>
#include <cstring>
#include <map>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/clock.h"
#include "core/device/cuda_status.h"
#include "kernels/cuda/collective/nccl_types.h"
#include "kernels/cuda/common/nccl.h"
#endif

namespace sluice::kernels {
namespace {

// The bus id in the device's description.
std::string BusIdOf(const Device& device) {
  const std::string& text = device.attributes().description;
  const std::string before = "pci bus id: ";
  const size_t at = text.find(before);
  if (at == std::string::npos) return text;
  const size_t begin = at + before.size();
  return text.substr(begin, text.find(',', begin) - begin);
}

#if __has_include(<nccl.h>)

// "Add, Div" is a mean.
std::optional<ncclRedOp_t> OperatorOf(absl::string_view reduction) {
  if (reduction == "Add, Id") return ncclSum;
  if (reduction == "Add, Div") return ncclAvg;
  if (reduction == "Mul, Id") return ncclProd;
  if (reduction == "Min, Id") return ncclMin;
  if (reduction == "Max, Id") return ncclMax;
  return std::nullopt;
}

// All calls of NCCL for this communicator are made by its own thread, and none of them blocks: the
// communicator is made with blocking = 0. So an operation, or the making of the communicator, can
// be aborted while another member is missing.
//
// Operations run in a stream of their own. So a kernel of NCCL that waits for its peers does not
// hold up the kernels of the step, on which a peer may depend.
class NcclCommunicator final : public DeviceCommunicator {
 public:
  NcclCommunicator(const Nccl& lib, const Device& device, const ncclUniqueId& id, int rank,
                   int size, WorkQueue& pool)
      : lib_(lib),
        gpu_(cuda::OrdinalOf(device)),
        compute_(cuda::StreamOf(device)),
        id_(id),
        rank_(rank),
        size_(size),
        pool_(pool),
        thread_([this] { Loop(); }) {}

  ~NcclCommunicator() override {
    Abort(absl::CancelledError("the group has ended"));
    thread_.join();
  }

  void AllReduce(int64_t turn, const std::string& reduction, const Tensor& input,
                 const Tensor& output, Done done) override {
    absl::MutexLock lock(&mu_);
    operations_.emplace(turn, Operation{reduction, input, output, std::move(done)});
    if (ended_) FailAll();
  }

  void Abort(const absl::Status& why) override {
    absl::MutexLock lock(&mu_);
    if (why_.ok()) why_ = why;
  }

 private:
  struct Operation {
    std::string reduction;
    Tensor input, output;
    Done done;
  };

  void Loop() {
    absl::Status status = Connect();
    std::optional<Operation> operation;
    while (status.ok()) {
      operation = Next();
      if (!operation) break;
      status = Run(*operation);
      if (status.ok()) Report(*std::exchange(operation, std::nullopt), absl::OkStatus());
    }
    Abort(status);  // unless it was aborted before
    if (communicator_ != nullptr) (void)lib_.CommAbort(communicator_);
    if (operation) {
      Operation ended{"", {}, {}, std::move(operation->done)};
      Report(std::move(ended), why());
    }
    {
      absl::MutexLock lock(&mu_);
      ended_ = true;
      FailAll();
    }
    Drain();  // while `operation` holds its memory
  }

  absl::Status Connect() {
    SLUICE_RETURN_IF_ERROR(cuda::ToStatus(cudaSetDevice(gpu_), "choosing a GPU for NCCL"));
    SLUICE_RETURN_IF_ERROR(cuda::ToStatus(
        cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "making a stream for NCCL"));
    SLUICE_RETURN_IF_ERROR(cuda::ToStatus(cudaEventCreateWithFlags(&ready_, cudaEventDisableTiming),
                                          "making an event for NCCL"));
    ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
    config.blocking = 0;
    return Await(lib_.CommInitRankConfig(&communicator_, size_, id_, rank_, &config),
                 "connecting the members of a group");
  }

  // The operation whose turn it is. None after Abort.
  std::optional<Operation> Next() {
    absl::MutexLock lock(&mu_);
    mu_.Await(absl::Condition(
        +[](NcclCommunicator* self) ABSL_NO_THREAD_SAFETY_ANALYSIS {
          return !self->why_.ok() || self->operations_.contains(self->turn_);
        },
        this));
    if (!why_.ok()) return std::nullopt;
    const auto it = operations_.find(turn_++);
    Operation next = std::move(it->second);
    operations_.erase(it);
    return next;
  }

  // Returns when the result is there.
  absl::Status Run(const Operation& operation) {
    const Tensor& input = operation.input;
    if (input.num_elements() == 0) return absl::OkStatus();
    const std::optional<ncclRedOp_t> op = OperatorOf(operation.reduction);
    const std::optional<ncclDataType_t> type = NcclTypeOf(input.dtype());
    if (!op || !type)
      return Unimplemented("NCCL has no ", operation.reduction, " of ", input.dtype());
    // After the kernels that write the input, and those that used the output's memory before.
    SLUICE_RETURN_IF_ERROR(
        cuda::ToStatus(cudaEventRecord(ready_, compute_), "waiting for the input of NCCL"));
    SLUICE_RETURN_IF_ERROR(
        cuda::ToStatus(cudaStreamWaitEvent(stream_, ready_, 0), "waiting for the input of NCCL"));
    SLUICE_RETURN_IF_ERROR(
        Await(lib_.AllReduce(input.raw(), const_cast<void*>(operation.output.raw()),
                             static_cast<size_t>(input.num_elements()), *type, *op, communicator_,
                             stream_),
              "enqueueing an operation"));
    return AwaitStream();
  }

  // Waits until NCCL has done what a call began.
  absl::Status Await(ncclResult_t result, absl::string_view doing) {
    absl::Duration pause = kShortest;
    while (result == ncclInProgress) {
      SLUICE_RETURN_IF_ERROR(Pause(pause));
      SLUICE_RETURN_IF_ERROR(
          lib_.Check(lib_.CommGetAsyncError(communicator_, &result), "asking for errors"));
    }
    return lib_.Check(result, doing);
  }

  absl::Status AwaitStream() {
    absl::Duration pause = kShortest;
    while (true) {
      const cudaError_t error = cudaStreamQuery(stream_);
      if (error != cudaErrorNotReady && error != cudaSuccess)
        return cuda::ToStatus(error, "an operation of NCCL");
      // An operation that failed leaves the stream too.
      ncclResult_t found = ncclSuccess;
      SLUICE_RETURN_IF_ERROR(
          lib_.Check(lib_.CommGetAsyncError(communicator_, &found), "asking for errors"));
      SLUICE_RETURN_IF_ERROR(lib_.Check(found, "an operation between tasks"));
      if (error == cudaSuccess) return absl::OkStatus();
      (void)cudaGetLastError();  // the runtime stores cudaErrorNotReady too
      SLUICE_RETURN_IF_ERROR(Pause(pause));
    }
  }

  // Waits for a while, longer at each call, or until Abort, whose reason it returns.
  absl::Status Pause(absl::Duration& pause) {
    absl::MutexLock lock(&mu_);
    mu_.AwaitWithTimeout(absl::Condition(
                             +[](absl::Status* why) { return !why->ok(); }, &why_),
                         pause);
    pause = std::min(2 * pause, kLongest);
    return why_;
  }

  // Gives the stream back when its work has ended. After an abort NCCL's kernels end, but those of
  // a step before them may be stuck.
  void Drain() {
    for (int i = 0; i < 2000 && cudaStreamQuery(stream_) == cudaErrorNotReady; ++i) {
      (void)cudaGetLastError();
      absl::SleepFor(absl::Milliseconds(1));
    }
    if (ready_ != nullptr) (void)cudaEventDestroy(ready_);
    if (stream_ != nullptr) (void)cudaStreamDestroy(stream_);
    (void)cudaGetLastError();
  }

  absl::Status why() {
    absl::MutexLock lock(&mu_);
    return why_;
  }
  void Report(Operation operation, absl::Status status) {
    pool_.Schedule([operation = std::move(operation), status = std::move(status)]() mutable {
      Done done = std::move(operation.done);
      operation = {};
      done(std::move(status));
    });
  }
  void FailAll() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) {
    for (auto& [turn, operation] : operations_) Report(std::move(operation), why_);
    operations_.clear();
  }

  static constexpr absl::Duration kShortest = absl::Microseconds(20);
  static constexpr absl::Duration kLongest = absl::Milliseconds(1);

  const Nccl& lib_;
  const int gpu_;
  const cudaStream_t compute_;
  const ncclUniqueId id_;
  const int rank_, size_;
  WorkQueue& pool_;

  // Of the thread.
  cudaStream_t stream_ = nullptr;
  cudaEvent_t ready_ = nullptr;
  ncclComm_t communicator_ = nullptr;

  absl::Mutex mu_;
  absl::Status why_ ABSL_GUARDED_BY(mu_);  // OK until Abort
  bool ended_ ABSL_GUARDED_BY(mu_) = false;
  int64_t turn_ ABSL_GUARDED_BY(mu_) = 0;  // the next
  std::map<int64_t, Operation> operations_ ABSL_GUARDED_BY(mu_);
  std::thread thread_;  // last: it uses the members above
};

class NcclLibrary final : public DeviceLibrary {
 public:
  absl::StatusOr<std::string> Version() const override {
    SLUICE_ASSIGN(const Nccl* lib, Nccl::Get());
    int version = 0;
    SLUICE_RETURN_IF_ERROR(lib->Check(lib->GetVersion(&version), "asking for its version"));
    return absl::StrCat("NCCL ", version / 10000, ".", version / 100 % 100, ".", version % 100);
  }
  std::string HardwareOf(const Device& device) const override { return BusIdOf(device); }
  absl::StatusOr<std::string> NewId() const override {
    SLUICE_ASSIGN(const Nccl* lib, Nccl::Get());
    ncclUniqueId id;
    SLUICE_RETURN_IF_ERROR(lib->Check(lib->GetUniqueId(&id), "making an id for a group"));
    static_assert(sizeof(id.internal) == kIdBytes);
    return std::string(id.internal, sizeof(id.internal));
  }
  absl::StatusOr<std::unique_ptr<DeviceCommunicator>> Connect(Device& device,
                                                              const std::string& text, int rank,
                                                              int size,
                                                              WorkQueue& pool) const override {
    SLUICE_ASSIGN(const Nccl* lib, Nccl::Get());
    ncclUniqueId id;
    if (text.size() != sizeof(id.internal)) return Internal("an id of ", text.size(), " bytes");
    std::memcpy(id.internal, text.data(), text.size());
    return std::make_unique<NcclCommunicator>(*lib, device, id, rank, size, pool);
  }
};

#else

class NcclLibrary final : public DeviceLibrary {
 public:
  absl::StatusOr<std::string> Version() const override { return Absent(); }
  std::string HardwareOf(const Device& device) const override { return BusIdOf(device); }
  absl::StatusOr<std::string> NewId() const override { return Absent(); }
  absl::StatusOr<std::unique_ptr<DeviceCommunicator>> Connect(Device&, const std::string&, int, int,
                                                              WorkQueue&) const override {
    return Absent();
  }

 private:
  static absl::Status Absent() {
    return Unimplemented("its build has no NCCL: nccl.h was not found");
  }
};

#endif

}  // namespace

const DeviceLibrary* NcclBetweenTasks() {
  static const auto* const library = new NcclLibrary;
  return library;
}

}  // namespace sluice::kernels
