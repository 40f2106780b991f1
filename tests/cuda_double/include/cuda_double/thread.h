// SPDX-License-Identifier: Apache-2.0
// The thread, block and warp of device code, with CUDA's names. Barriers and shuffles stop the
// thread until the others have arrived.
#ifndef SLUICE_TESTS_CUDA_DOUBLE_THREAD_H_
#define SLUICE_TESTS_CUDA_DOUBLE_THREAD_H_

#include <cuda_runtime.h>

#include <cstdint>
#include <cstring>
#include <type_traits>

// The double sets it before it continues a thread. All threads of a block run on one host thread,
// in turns.
#define SLUICE_CURRENT thread_local constinit __attribute__((tls_model("initial-exec")))
extern SLUICE_CURRENT uint3 threadIdx;
extern SLUICE_CURRENT uint3 blockIdx;
extern SLUICE_CURRENT dim3 blockDim;
extern SLUICE_CURRENT dim3 gridDim;
inline constexpr int warpSize = 32;

namespace sluice::cuda_double {

// The source line of a barrier. All threads of a block must wait at the same one.
struct Site {
  const char* file;
  unsigned line;
};

// The threads of a warp that have arrived: the same mask and the same site.
void SyncBlock(Site site);
void SyncWarp(unsigned mask, Site site);
// The bytes of `lane`. Poison if that lane is not in the mask, or has ended.
uint64_t Shuffle(unsigned mask, uint64_t bytes, int lane, Site site);
unsigned Ballot(unsigned mask, bool predicate, Site site);

// The lane of the running thread in its warp.
int CurrentLane();
unsigned char* BlockSharedMemory();

template <typename T>
T ShuffleValue(unsigned mask, T value, int lane, Site site) {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= sizeof(uint64_t));
  uint64_t bytes = 0;
  std::memcpy(&bytes, &value, sizeof(T));
  bytes = Shuffle(mask, bytes, lane, site);
  std::memcpy(static_cast<void*>(&value), &bytes, sizeof(T));
  return value;
}

}  // namespace sluice::cuda_double

#define SLUICE_SITE const char *file = __builtin_FILE(), unsigned line = __builtin_LINE()

inline void __syncthreads(SLUICE_SITE) { sluice::cuda_double::SyncBlock({file, line}); }
inline void __syncwarp(unsigned mask = 0xffffffffu, SLUICE_SITE) {
  sluice::cuda_double::SyncWarp(mask, {file, line});
}

template <typename T>
T __shfl_sync(unsigned mask, T value, int source, int width = 32, SLUICE_SITE) {
  const int first = sluice::cuda_double::CurrentLane() & ~(width - 1);
  return sluice::cuda_double::ShuffleValue(mask, value, first | (source & (width - 1)),
                                           {file, line});
}
template <typename T>
T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32, SLUICE_SITE) {
  const int lane = sluice::cuda_double::CurrentLane(), first = lane & ~(width - 1);
  const int source = lane - static_cast<int>(delta);
  return sluice::cuda_double::ShuffleValue(mask, value, source < first ? lane : source,
                                           {file, line});
}
template <typename T>
T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32, SLUICE_SITE) {
  const int lane = sluice::cuda_double::CurrentLane(), last = lane | (width - 1);
  const int source = lane + static_cast<int>(delta);
  return sluice::cuda_double::ShuffleValue(mask, value, source > last ? lane : source,
                                           {file, line});
}
template <typename T>
T __shfl_xor_sync(unsigned mask, T value, int bits, int width = 32, SLUICE_SITE) {
  const int lane = sluice::cuda_double::CurrentLane(), last = lane | (width - 1);
  const int source = lane ^ bits;
  return sluice::cuda_double::ShuffleValue(mask, value, source > last ? lane : source,
                                           {file, line});
}

inline unsigned __ballot_sync(unsigned mask, int predicate, SLUICE_SITE) {
  return sluice::cuda_double::Ballot(mask, predicate != 0, {file, line});
}
inline int __any_sync(unsigned mask, int predicate, SLUICE_SITE) {
  return sluice::cuda_double::Ballot(mask, predicate != 0, {file, line}) != 0;
}
inline int __all_sync(unsigned mask, int predicate, SLUICE_SITE) {
  return sluice::cuda_double::Ballot(mask, predicate == 0, {file, line}) == 0;
}
#undef SLUICE_SITE

#endif  // SLUICE_TESTS_CUDA_DOUBLE_THREAD_H_
