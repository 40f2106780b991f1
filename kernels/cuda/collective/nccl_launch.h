// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CUDA_COLLECTIVE_NCCL_LAUNCH_H_
#define SLUICE_KERNELS_CUDA_COLLECTIVE_NCCL_LAUNCH_H_

#include <cuda_runtime_api.h>

#include <cstdint>
#include <string>
#include <vector>

#include "core/status.h"
#include "core/tensor/dtype.h"

namespace sluice::kernels {

enum class NcclKind : uint8_t { kAllReduce, kReduce, kBroadcast };

// What the members of an operation agree on.
struct NcclSignature {
  NcclKind kind = NcclKind::kAllReduce;
  std::string reduction;  // "sum", "prod", "min" or "max"; empty for a broadcast
  DType dtype = kInvalid;
  int64_t count = 0;  // elements
  int members = 0;

  bool operator==(const NcclSignature&) const = default;
  std::string ToString() const;
};

// One member's GPU, its compute stream, and its buffers. They may be the same. A member without an
// output takes no result: all but the root of a reduction, and the root of a broadcast.
struct NcclPart {
  int gpu = 0;
  cudaStream_t stream = nullptr;
  const void* input = nullptr;
  void* output = nullptr;
  bool root = false;
};

// Enqueues one operation on the streams of all its members, which are on different GPUs of this
// process. Ranks are in the order of the GPUs. The first operation of a set of GPUs makes their
// communicators, which live as long as the process.
//
// All operations of the process are enqueued one after the other, so that their order is the same
// on every GPU. NCCL does not end operations that two GPUs run in different orders.
//
// Errors:   UNIMPLEMENTED without NCCL. After an error of NCCL, the communicators are aborted,
//           which also ends what is in the streams; the next operation makes new ones.
absl::Status LaunchNccl(const NcclSignature& signature, std::vector<NcclPart> parts);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_CUDA_COLLECTIVE_NCCL_LAUNCH_H_
