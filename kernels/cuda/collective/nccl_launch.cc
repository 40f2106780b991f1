// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/collective/nccl_launch.h"

#include "absl/strings/str_cat.h"

#if __has_include(<nccl.h>)
#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "core/device/cuda_status.h"
#include "kernels/cuda/collective/nccl_types.h"
#include "kernels/cuda/common/nccl.h"
#endif

namespace sluice::kernels {

std::string NcclSignature::ToString() const {
  constexpr absl::string_view kNames[] = {"all-reduce", "reduce", "broadcast"};
  return absl::StrCat(kNames[static_cast<int>(kind)], reduction.empty() ? "" : " ", reduction,
                      " of ", count, " x ", Name(dtype), " by ", members, " members");
}

#if __has_include(<nccl.h>)
namespace {

std::optional<ncclRedOp_t> OperatorOf(absl::string_view reduction) {
  if (reduction == "sum" || reduction.empty()) return ncclSum;
  if (reduction == "prod") return ncclProd;
  if (reduction == "max") return ncclMax;
  if (reduction == "min") return ncclMin;
  return std::nullopt;
}

// The communicators of a set of GPUs, by rank.
struct Clique {
  uint64_t library = 0;  // LibraryGeneration() when they were made
  std::vector<ncclComm_t> communicators;
};

// Puts the thread's current GPU back.
class KeepCurrentGpu {
 public:
  KeepCurrentGpu() { (void)cudaGetDevice(&gpu_); }
  ~KeepCurrentGpu() { (void)cudaSetDevice(gpu_); }
  KeepCurrentGpu(const KeepCurrentGpu&) = delete;
  KeepCurrentGpu& operator=(const KeepCurrentGpu&) = delete;

 private:
  int gpu_ = 0;
};

class Cliques {
 public:
  static Cliques& Get() {
    static auto* const cliques = new Cliques;
    return *cliques;
  }

  absl::Status Launch(const Nccl& lib, const NcclSignature& signature,
                      const std::vector<NcclPart>& parts) {
    std::vector<int> gpus;
    for (const NcclPart& part : parts) gpus.push_back(part.gpu);
    absl::MutexLock lock(&mu_);
    const KeepCurrentGpu keep;
    SLUICE_ASSIGN(Clique * clique, Find(lib, gpus));
    absl::Status status = CheckHealth(lib, *clique);
    if (status.ok()) status = Enqueue(lib, signature, parts, *clique);
    if (!status.ok()) {
      Abort(lib, *clique);
      cliques_.erase(gpus);
      (void)cudaGetLastError();  // the failed call's; a sticky error comes again
    }
    return status;
  }

 private:
  absl::StatusOr<Clique*> Find(const Nccl& lib, const std::vector<int>& gpus)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) {
    Clique& clique = cliques_[gpus];
    const uint64_t library = cuda::LibraryGeneration();
    if (clique.library == library) return &clique;
    clique.communicators.assign(gpus.size(), nullptr);
    const absl::Status made = lib.Check(
        lib.CommInitAll(clique.communicators.data(), static_cast<int>(gpus.size()), gpus.data()),
        "making its communicators");
    if (!made.ok()) {
      cliques_.erase(gpus);
      (void)cudaGetLastError();
      return made;
    }
    clique.library = library;
    return &clique;
  }

  // An error of an operation before, which NCCL found while it ran.
  static absl::Status CheckHealth(const Nccl& lib, const Clique& clique) {
    for (ncclComm_t communicator : clique.communicators) {
      ncclResult_t found = ncclSuccess;
      SLUICE_RETURN_IF_ERROR(
          lib.Check(lib.CommGetAsyncError(communicator, &found), "asking for errors"));
      SLUICE_RETURN_IF_ERROR(lib.Check(found, "an operation before this one"));
    }
    return absl::OkStatus();
  }

  static absl::Status Enqueue(const Nccl& lib, const NcclSignature& signature,
                              const std::vector<NcclPart>& parts, const Clique& clique) {
    SLUICE_RETURN_IF_ERROR(lib.Check(lib.GroupStart(), "beginning an operation"));
    absl::Status status;
    for (size_t rank = 0; rank < parts.size() && status.ok(); ++rank) {
      status = cuda::ToStatus(cudaSetDevice(parts[rank].gpu), "choosing a GPU for NCCL");
      if (status.ok()) {
        status = lib.Check(EnqueuePart(lib, signature, parts, rank, clique.communicators[rank]),
                           "enqueueing an operation");
      }
    }
    status.Update(lib.Check(lib.GroupEnd(), "enqueueing an operation"));
    return status;
  }

  static ncclResult_t EnqueuePart(const Nccl& lib, const NcclSignature& signature,
                                  const std::vector<NcclPart>& parts, size_t rank,
                                  ncclComm_t communicator) {
    const NcclPart& part = parts[rank];
    const auto count = static_cast<size_t>(signature.count);
    const ncclDataType_t type = *NcclTypeOf(signature.dtype);
    const ncclRedOp_t op = *OperatorOf(signature.reduction);
    const auto root = static_cast<int>(
        std::find_if(parts.begin(), parts.end(), [](const NcclPart& p) { return p.root; }) -
        parts.begin());
    switch (signature.kind) {
      case NcclKind::kAllReduce:
        return lib.AllReduce(part.input, part.output, count, type, op, communicator, part.stream);
      case NcclKind::kReduce:
        return lib.Reduce(part.input, part.output, count, type, op, root, communicator,
                          part.stream);
      case NcclKind::kBroadcast: {
        // The source's own buffer is its result.
        void* const output = part.root ? const_cast<void*>(part.input) : part.output;
        return lib.Broadcast(part.input, output, count, type, root, communicator, part.stream);
      }
    }
    return ncclInvalidArgument;
  }

  static void Abort(const Nccl& lib, const Clique& clique) {
    // One thread that aborts several communicators does so in a group.
    (void)lib.GroupStart();
    for (ncclComm_t communicator : clique.communicators) (void)lib.CommAbort(communicator);
    (void)lib.GroupEnd();
  }

  absl::Mutex mu_;
  std::map<std::vector<int>, Clique> cliques_ ABSL_GUARDED_BY(mu_);
};

}  // namespace

absl::Status LaunchNccl(const NcclSignature& signature, std::vector<NcclPart> parts) {
  SLUICE_ASSIGN(const Nccl* lib, Nccl::Get());
  if (!NcclTypeOf(signature.dtype) || !OperatorOf(signature.reduction))
    return Unimplemented("NCCL has no ", signature.ToString());
  std::sort(parts.begin(), parts.end(),
            [](const NcclPart& a, const NcclPart& b) { return a.gpu < b.gpu; });
  return Cliques::Get().Launch(*lib, signature, parts);
}

#else

absl::Status LaunchNccl(const NcclSignature& signature, std::vector<NcclPart>) {
  return Unimplemented("this build has no NCCL, which the ", signature.ToString(),
                       " needs: nccl.h was not found");
}

#endif

}  // namespace sluice::kernels
