// SPDX-License-Identifier: Apache-2.0
// Doubles of NVIDIA's libraries: plain loops, in the stream, behind the functions we call. They
// refuse what the libraries refuse: descriptors that do not fit, a workspace that is too small.
#ifndef SLUICE_TESTS_CUDA_DOUBLE_LIBRARIES_LIBRARIES_H_
#define SLUICE_TESTS_CUDA_DOUBLE_LIBRARIES_LIBRARIES_H_

#include <atomic>
#include <cstdint>

#include "core/device/cuda_library.h"

namespace sluice::cuda_double {

// A function of the double, or null.
void* FindCublasLt(const char* function);
void* FindCudnn(const char* function);
void* FindNccl(const char* function);

// The calls of the doubles in this process.
struct LibraryCalls {
  std::atomic<int64_t> products = 0, heuristics = 0;           // cuBLASLt
  std::atomic<int64_t> convolutions = 0, algorithm_lists = 0;  // cuDNN
  std::atomic<int64_t> random_algorithms = 0;        // runs of those that are not deterministic
  std::atomic<int64_t> collectives = 0, aborts = 0;  // NCCL
};
LibraryCalls& CountLibraryCalls();

// While true, the library has no algorithm for anything.
void SetUnsupported(bool unsupported);

// The k-th call of NCCL from now, from 1, fails with this ncclResult_t and does nothing: of those
// that make communicators, begin an operation for one member, or end a group.
void FailNcclCall(int64_t k, int result);
// The error that an operation before has met, in all communicators that live.
void SetNcclAsyncError(int result);

// Puts the doubles behind the libraries' names. A program on the double of the runtime calls it
// once at its start.
inline void UseLibraryDoubles() {
  cuda::UseLibraryForTest("cuBLASLt", [] { return cuda::Library::Find(&FindCublasLt); });
  cuda::UseLibraryForTest("cuDNN", [] { return cuda::Library::Find(&FindCudnn); });
  cuda::UseLibraryForTest("NCCL", [] { return cuda::Library::Find(&FindNccl); });
}

}  // namespace sluice::cuda_double

#endif  // SLUICE_TESTS_CUDA_DOUBLE_LIBRARIES_LIBRARIES_H_
