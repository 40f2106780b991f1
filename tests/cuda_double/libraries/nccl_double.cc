// SPDX-License-Identifier: Apache-2.0
// The double of NCCL: communicators of one process. An operation is one piece of work in the stream
// of each member. They wait for one another, as NCCL's kernels do; the last one computes.
//
// Communicators that are made one by one, by several servers of the process, behave as those of
// several processes: the k-th operations of all belong together, and an abort ends one rank only.
#if __has_include(<nccl.h>)
#include <nccl.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "tests/cuda_double/libraries/libraries.h"
#include "tests/cuda_double/libraries/library_double.h"
#include "tests/cuda_double/machine.h"
#include "tests/cuda_double/stream.h"

namespace sluice::cuda_double {
namespace {

enum class Collective { kAllReduce, kReduce, kBroadcast };

// One member's call.
struct NcclCallDouble {
  Collective collective;
  const void* input;
  void* output;
  size_t count;
  ncclDataType_t type;
  ncclRedOp_t op;
  int root;
  ncclComm_t communicator;
  cudaStream_t stream;
};

}  // namespace
}  // namespace sluice::cuda_double

namespace sluice::cuda_double {
namespace {
struct OperationDouble;
}  // namespace
}  // namespace sluice::cuda_double

// The library's opaque type.
struct ncclComm {
  // Shared by the ranks of a clique.
  struct Clique {
    std::mutex mu;
    std::condition_variable changed;
    int ranks = 0;
    bool one_by_one = false;           // made by ncclCommInitRankConfig
    int connected = 0;                 // of these; guarded by mu
    bool aborted = false;              // guarded by mu
    ncclResult_t error = ncclSuccess;  // found while an operation ran; guarded by mu
    // Of communicators that are made one by one, in their order; guarded by mu.
    std::map<int64_t, std::shared_ptr<sluice::cuda_double::OperationDouble>> operations;
  };
  std::shared_ptr<Clique> clique;
  int rank = 0;
  int device = 0;
  bool ended = false;      // guarded by the clique's mu
  int64_t operations = 0;  // that it has begun
};

namespace sluice::cuda_double {
namespace {

size_t BytesOf(ncclDataType_t type) {
  switch (type) {
    case ncclInt8:
    case ncclUint8:
      return 1;
    case ncclFloat16:
    case ncclBfloat16:
      return 2;
    case ncclInt32:
    case ncclUint32:
    case ncclFloat32:
      return 4;
    case ncclInt64:
    case ncclUint64:
    case ncclFloat64:
      return 8;
    default:
      return 0;
  }
}

template <typename T>
T Combine(ncclRedOp_t op, T a, T b) {
  switch (op) {
    case ncclProd:
      return a * b;
    case ncclMax:
      return std::max(a, b);
    case ncclMin:
      return std::min(a, b);
    default:
      return a + b;
  }
}

cudaDataType_t FloatType(ncclDataType_t type) {
  switch (type) {
    case ncclFloat16:
      return CUDA_R_16F;
    case ncclBfloat16:
      return CUDA_R_16BF;
    case ncclFloat64:
      return CUDA_R_64F;
    default:
      return CUDA_R_32F;
  }
}

int64_t ReadInteger(ncclDataType_t type, const void* from, size_t i) {
  if (type == ncclInt64) return static_cast<const int64_t*>(from)[i];
  return static_cast<const int32_t*>(from)[i];
}
void WriteInteger(ncclDataType_t type, void* to, size_t i, int64_t value) {
  if (type == ncclInt64)
    static_cast<int64_t*>(to)[i] = value;
  else
    static_cast<int32_t*>(to)[i] = static_cast<int32_t>(value);
}

bool Agree(const NcclCallDouble& a, const NcclCallDouble& b) {
  return a.collective == b.collective && a.count == b.count && a.type == b.type && a.op == b.op &&
         a.root == b.root;
}

// One operation between all ranks of a clique, in their streams.
struct OperationDouble {
  std::vector<NcclCallDouble> calls;  // by rank
  size_t arrived = 0;                 // guarded by the clique's mu
  bool done = false;                  // guarded by the clique's mu

  const NcclCallDouble& first() const { return calls.front(); }

  // Whether the calls of all ranks are there and belong together.
  bool Complete() const {
    return std::all_of(calls.begin(), calls.end(), [&](const NcclCallDouble& call) {
      return !call.communicator->ended && Agree(call, first());
    });
  }

  // Whether every buffer is memory of its rank's GPU.
  bool BuffersLive() const {
    for (const NcclCallDouble& call : calls) {
      const size_t bytes = call.count * BytesOf(call.type);
      DeviceMemory& memory = Machine::Get().device(call.communicator->device).memory;
      const bool reads = call.collective != Collective::kBroadcast || IsRoot(call);
      const bool writes = call.collective != Collective::kReduce || IsRoot(call);
      if (reads && !memory.IsLive(call.input, bytes)) return false;
      if (writes && !memory.IsLive(call.output, bytes)) return false;
    }
    return true;
  }
  static bool IsRoot(const NcclCallDouble& call) { return call.communicator->rank == call.root; }

  void Compute() const {
    const NcclCallDouble& how = first();
    const size_t bytes = how.count * BytesOf(how.type);
    std::vector<unsigned char> result(bytes);
    if (how.collective == Collective::kBroadcast) {
      std::memcpy(result.data(), calls[static_cast<size_t>(how.root)].input, bytes);
    } else {
      Reduce(result.data());
    }
    for (const NcclCallDouble& call : calls) {
      if (call.collective != Collective::kReduce || IsRoot(call))
        std::memcpy(call.output, result.data(), bytes);
    }
  }

  // In the order of ranks, each sum rounded to the type.
  void Reduce(void* result) const {
    const NcclCallDouble& how = first();
    const bool integer = how.type == ncclInt32 || how.type == ncclInt64;
    std::memcpy(result, how.input, how.count * BytesOf(how.type));
    for (size_t rank = 1; rank < calls.size(); ++rank) {
      for (size_t i = 0; i < how.count; ++i) {
        const auto at = static_cast<int64_t>(i);
        if (integer) {
          WriteInteger(how.type, result, i,
                       Combine(how.op, ReadInteger(how.type, result, i),
                               ReadInteger(how.type, calls[rank].input, i)));
        } else {
          const cudaDataType_t type = FloatType(how.type);
          WriteElement(type, result, at,
                       Combine(how.op, ReadElement(type, result, at).real(),
                               ReadElement(type, calls[rank].input, at).real()));
        }
      }
    }
    if (how.op != ncclAvg || integer) return;
    for (size_t i = 0; i < how.count; ++i) {
      const auto at = static_cast<int64_t>(i);
      const cudaDataType_t type = FloatType(how.type);
      WriteElement(type, result, at,
                   ReadElement(type, result, at).real() / static_cast<double>(calls.size()));
    }
  }

  // The work of one rank's stream.
  void Run(int device, const ncclComm& member) {
    ncclComm::Clique& clique = *member.clique;
    std::unique_lock lock(clique.mu);
    if (Machine::Get().device(device).sticky.load() != cudaSuccess) {
      // A lost GPU takes no part. NCCL reports that to the others.
      clique.error = ncclUnhandledCudaError;
      clique.aborted = true;
    } else if (++arrived == calls.size() && !clique.aborted && Complete()) {
      if (BuffersLive())
        Compute();
      else
        Machine::Get().Fault(device, cudaErrorIllegalAddress, "NCCL uses memory that is not there");
      done = true;
    }
    clique.changed.notify_all();
    clique.changed.wait(lock, [&] { return done || clique.aborted || member.ended; });
  }
};

// The calls of this thread's group, which begin at its end.
struct GroupDouble {
  int depth = 0;
  ncclResult_t error = ncclSuccess;
  std::vector<NcclCallDouble> calls;
  std::vector<ncclComm_t> aborts;
};
GroupDouble& CurrentGroup() {
  thread_local GroupDouble group;
  return group;
}

struct NcclFaults {
  std::mutex mu;
  int64_t calls = 0, at = 0;  // of operations; at 0: none
  ncclResult_t error = ncclSuccess;
  std::vector<std::unique_ptr<ncclComm>> communicators;  // all that were made
};
NcclFaults& TheFaults() {
  static NcclFaults& faults = *new NcclFaults;
  return faults;
}

ncclResult_t CountCall() {
  NcclFaults& faults = TheFaults();
  std::lock_guard lock(faults.mu);
  return ++faults.calls == faults.at ? faults.error : ncclSuccess;
}

bool IsValid(const NcclCallDouble& call) {
  const StreamRef stream = Handles::Get().Find(call.stream);
  return stream && stream->device() == call.communicator->device &&
         CurrentDevice() == call.communicator->device && !call.communicator->ended &&
         BytesOf(call.type) > 0 && call.root >= 0 && call.root < call.communicator->clique->ranks;
}

// A call of one rank, which joins those of the others in the order of each rank's calls.
void StartOne(const NcclCallDouble& call) {
  ncclComm& member = *call.communicator;
  std::shared_ptr<OperationDouble> operation;
  {
    std::lock_guard lock(member.clique->mu);
    auto& known = member.clique->operations[member.operations++];
    if (known == nullptr) {
      ++CountLibraryCalls().collectives;
      known = std::make_shared<OperationDouble>();
      known->calls.resize(static_cast<size_t>(member.clique->ranks));
    }
    known->calls[static_cast<size_t>(member.rank)] = call;
    operation = known;
  }
  Handles::Get().Find(call.stream)->Put([operation, &member](Stream& self) {
    operation->Run(self.device(), member);
  });
}

// A thread that calls for several ranks does so in one group, else the first call waits for ever.
ncclResult_t StartGroup(std::vector<NcclCallDouble> calls) {
  std::map<ncclComm::Clique*, std::vector<NcclCallDouble>> by_clique;
  for (const NcclCallDouble& call : calls)
    by_clique[call.communicator->clique.get()].push_back(call);
  for (auto& [clique, members] : by_clique) {
    if (clique->one_by_one) {
      for (const NcclCallDouble& call : members) StartOne(call);
      continue;
    }
    std::sort(members.begin(), members.end(), [](const auto& a, const auto& b) {
      return a.communicator->rank < b.communicator->rank;
    });
    if (static_cast<int>(members.size()) != clique->ranks) return ncclInvalidUsage;
    for (size_t rank = 0; rank < members.size(); ++rank) {
      if (members[rank].communicator->rank != static_cast<int>(rank) ||
          !Agree(members[rank], members.front()))
        return ncclInvalidUsage;
    }
    if (members.front().count == 0) continue;
    ++CountLibraryCalls().collectives;
    auto operation = std::make_shared<OperationDouble>();
    operation->calls = members;
    for (const NcclCallDouble& call : members) {
      Handles::Get().Find(call.stream)->Put([operation, member = call.communicator](Stream& self) {
        operation->Run(self.device(), *member);
      });
    }
  }
  return ncclSuccess;
}

ncclResult_t Enqueue(const NcclCallDouble& call) {
  GroupDouble& group = CurrentGroup();
  ncclResult_t result = CountCall();
  if (result == ncclSuccess && !IsValid(call)) result = ncclInvalidArgument;
  if (group.depth == 0) return result == ncclSuccess ? StartGroup({call}) : result;
  if (result != ncclSuccess) group.error = result;
  group.calls.push_back(call);
  return result;
}

void AbortNow(ncclComm_t communicator) {
  ncclComm::Clique& clique = *communicator->clique;
  std::lock_guard lock(clique.mu);
  communicator->ended = true;
  if (!clique.one_by_one) clique.aborted = true;
  clique.changed.notify_all();
}

}  // namespace

void FailNcclCall(int64_t k, int result) {
  NcclFaults& faults = TheFaults();
  std::lock_guard lock(faults.mu);
  faults.calls = 0;
  faults.at = k;
  faults.error = static_cast<ncclResult_t>(result);
}

void SetNcclAsyncError(int result) {
  NcclFaults& faults = TheFaults();
  std::lock_guard lock(faults.mu);
  for (const auto& communicator : faults.communicators) {
    std::lock_guard clique_lock(communicator->clique->mu);
    communicator->clique->error = static_cast<ncclResult_t>(result);
  }
}

}  // namespace sluice::cuda_double

using namespace sluice::cuda_double;  // the functions below are the library's

ncclResult_t ncclGetVersion(int* version) {
  *version = NCCL_VERSION_CODE;
  return ncclSuccess;
}
const char* ncclGetErrorString(ncclResult_t result) {
  switch (result) {
    case ncclSuccess:
      return "no error";
    case ncclUnhandledCudaError:
      return "unhandled cuda error";
    case ncclSystemError:
      return "unhandled system error";
    case ncclInvalidUsage:
      return "invalid usage";
    default:
      return "an error of the double";
  }
}
ncclResult_t ncclCommInitAll(ncclComm_t* communicators, int count, const int* devices) {
  if (const ncclResult_t error = CountCall()) return error;
  auto clique = std::make_shared<ncclComm::Clique>();
  clique->ranks = count;
  for (int rank = 0; rank < count; ++rank) {
    const int device = devices != nullptr ? devices[rank] : rank;
    if (device < 0 || device >= Machine::Get().devices()) return ncclInvalidArgument;
    if (std::count(devices, devices + count, device) > 1) return ncclInvalidUsage;
    auto made = std::make_unique<ncclComm>();
    made->clique = clique;
    made->rank = rank;
    made->device = device;
    communicators[rank] = made.get();
    NcclFaults& faults = TheFaults();
    std::lock_guard lock(faults.mu);
    faults.communicators.push_back(std::move(made));
  }
  return ncclSuccess;
}
ncclResult_t ncclGetUniqueId(ncclUniqueId* id) {
  static std::atomic<int64_t> made{0};
  std::memset(id->internal, 0, sizeof(id->internal));
  const int64_t number = ++made;
  std::memcpy(id->internal, &number, sizeof(number));
  return ncclSuccess;
}
ncclResult_t ncclCommInitRankConfig(ncclComm_t* communicator, int ranks, ncclUniqueId id, int rank,
                                    ncclConfig_t* config) {
  static std::mutex& mu = *new std::mutex;
  static auto& cliques = *new std::map<std::string, std::shared_ptr<ncclComm::Clique>>;
  if (const ncclResult_t error = CountCall()) return error;
  if (config->blocking != 0 || rank < 0 || rank >= ranks) return ncclInvalidArgument;
  auto made = std::make_unique<ncclComm>();
  made->rank = rank;
  made->device = CurrentDevice();
  {
    std::lock_guard lock(mu);
    auto& clique = cliques[std::string(id.internal, sizeof(id.internal))];
    if (clique == nullptr) clique = std::make_shared<ncclComm::Clique>();
    made->clique = clique;
  }
  *communicator = made.get();
  {
    std::lock_guard lock(made->clique->mu);
    made->clique->ranks = ranks;
    made->clique->one_by_one = true;
    ++made->clique->connected;
  }
  NcclFaults& faults = TheFaults();
  std::lock_guard lock(faults.mu);
  faults.communicators.push_back(std::move(made));
  return ncclInProgress;
}
ncclResult_t ncclCommAbort(ncclComm_t communicator) {
  ++CountLibraryCalls().aborts;
  GroupDouble& group = CurrentGroup();
  if (group.depth > 0)
    group.aborts.push_back(communicator);
  else
    AbortNow(communicator);
  return ncclSuccess;
}
ncclResult_t ncclCommGetAsyncError(ncclComm_t communicator, ncclResult_t* error) {
  const ncclComm::Clique& clique = *communicator->clique;
  std::lock_guard lock(communicator->clique->mu);
  *error = clique.error;
  if (clique.error == ncclSuccess && clique.one_by_one && clique.connected < clique.ranks)
    *error = ncclInProgress;
  return ncclSuccess;
}
ncclResult_t ncclGroupStart() {
  ++CurrentGroup().depth;
  return ncclSuccess;
}
ncclResult_t ncclGroupEnd() {
  GroupDouble& group = CurrentGroup();
  if (group.depth == 0) return ncclInvalidUsage;
  if (--group.depth > 0) return ncclSuccess;
  const GroupDouble ended = std::exchange(group, {});
  for (ncclComm_t communicator : ended.aborts) AbortNow(communicator);
  if (ended.error != ncclSuccess) return ended.error;
  if (const ncclResult_t error = CountCall()) return error;
  return StartGroup(ended.calls);
}
ncclResult_t ncclAllReduce(const void* input, void* output, size_t count, ncclDataType_t type,
                           ncclRedOp_t op, ncclComm_t communicator, cudaStream_t stream) {
  return Enqueue({Collective::kAllReduce, input, output, count, type, op, 0, communicator, stream});
}
ncclResult_t ncclReduce(const void* input, void* output, size_t count, ncclDataType_t type,
                        ncclRedOp_t op, int root, ncclComm_t communicator, cudaStream_t stream) {
  return Enqueue({Collective::kReduce, input, output, count, type, op, root, communicator, stream});
}
ncclResult_t ncclBroadcast(const void* input, void* output, size_t count, ncclDataType_t type,
                           int root, ncclComm_t communicator, cudaStream_t stream) {
  return Enqueue(
      {Collective::kBroadcast, input, output, count, type, ncclSum, root, communicator, stream});
}

namespace sluice::cuda_double {

void* FindNccl(const char* function) {
  static const LibraryFunction functions[] = {
      {"ncclGetVersion", reinterpret_cast<void*>(&ncclGetVersion)},
      {"ncclGetErrorString", reinterpret_cast<void*>(&ncclGetErrorString)},
      {"ncclCommInitAll", reinterpret_cast<void*>(&ncclCommInitAll)},
      {"ncclGetUniqueId", reinterpret_cast<void*>(&ncclGetUniqueId)},
      {"ncclCommInitRankConfig", reinterpret_cast<void*>(&ncclCommInitRankConfig)},
      {"ncclCommAbort", reinterpret_cast<void*>(&ncclCommAbort)},
      {"ncclCommGetAsyncError", reinterpret_cast<void*>(&ncclCommGetAsyncError)},
      {"ncclGroupStart", reinterpret_cast<void*>(&ncclGroupStart)},
      {"ncclGroupEnd", reinterpret_cast<void*>(&ncclGroupEnd)},
      {"ncclAllReduce", reinterpret_cast<void*>(&ncclAllReduce)},
      {"ncclReduce", reinterpret_cast<void*>(&ncclReduce)},
      {"ncclBroadcast", reinterpret_cast<void*>(&ncclBroadcast)},
  };
  for (const LibraryFunction& f : functions) {
    if (std::string_view(f.name) == function) return f.function;
  }
  return nullptr;
}

}  // namespace sluice::cuda_double
#else
#include "tests/cuda_double/libraries/libraries.h"

namespace sluice::cuda_double {

void* FindNccl(const char*) { return nullptr; }
void FailNcclCall(int64_t, int) {}
void SetNcclAsyncError(int) {}

}  // namespace sluice::cuda_double
#endif
