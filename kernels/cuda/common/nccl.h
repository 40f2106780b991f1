// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CUDA_COMMON_NCCL_H_
#define SLUICE_KERNELS_CUDA_COMMON_NCCL_H_

#include <nccl.h>

#include "core/device/cuda_library.h"

namespace sluice::kernels {

// The functions of NCCL that we call. Only units that are left out where nccl.h is not installed
// include this header.
struct Nccl {
  static const cuda::LibraryName kName;

  decltype(&ncclGetErrorString) GetErrorString;
  decltype(&ncclGetVersion) GetVersion;
  decltype(&ncclGetUniqueId) GetUniqueId;
  decltype(&ncclCommInitAll) CommInitAll;
  decltype(&ncclCommInitRankConfig) CommInitRankConfig;
  decltype(&ncclCommAbort) CommAbort;
  decltype(&ncclCommGetAsyncError) CommGetAsyncError;
  decltype(&ncclGroupStart) GroupStart;
  decltype(&ncclGroupEnd) GroupEnd;
  decltype(&ncclAllReduce) AllReduce;
  decltype(&ncclReduce) Reduce;
  decltype(&ncclBroadcast) Broadcast;

  absl::Status Load(const cuda::Library& library);
  // Opens the library at the first call.
  static absl::StatusOr<const Nccl*> Get();

  // The result of a call as a Status that says what the call was for.
  absl::Status Check(ncclResult_t result, absl::string_view doing) const;
};

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_CUDA_COMMON_NCCL_H_
