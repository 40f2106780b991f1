// SPDX-License-Identifier: Apache-2.0
#if __has_include(<nccl.h>)
#include "kernels/cuda/common/nccl.h"

namespace sluice::kernels {

const cuda::LibraryName Nccl::kName{.name = "NCCL",
                                    .files = {"libnccl.so.2", "libnccl.so"},
                                    .major = NCCL_MAJOR,
                                    .version_function = "ncclGetVersion",
                                    .version_unit = 10000,
                                    .writes_version = true};

absl::Status Nccl::Load(const cuda::Library& library) {
  // clang-format off
  return library.Load(
      "ncclGetErrorString", GetErrorString,
      "ncclGetVersion", GetVersion,
      "ncclGetUniqueId", GetUniqueId,
      "ncclCommInitAll", CommInitAll,
      "ncclCommInitRankConfig", CommInitRankConfig,
      "ncclCommAbort", CommAbort,
      "ncclCommGetAsyncError", CommGetAsyncError,
      "ncclGroupStart", GroupStart,
      "ncclGroupEnd", GroupEnd,
      "ncclAllReduce", AllReduce,
      "ncclReduce", Reduce,
      "ncclBroadcast", Broadcast);
  // clang-format on
}

absl::StatusOr<const Nccl*> Nccl::Get() {
  static auto* const table = new cuda::LibraryTable<Nccl>;
  return table->Get();
}

absl::Status Nccl::Check(ncclResult_t result, absl::string_view doing) const {
  if (result == ncclSuccess) return absl::OkStatus();
  return Internal("NCCL failed in ", doing, ": ", GetErrorString(result));
}

}  // namespace sluice::kernels
#endif
