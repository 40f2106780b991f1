// SPDX-License-Identifier: Apache-2.0
// For tests that run kernels on the double.
#ifndef SLUICE_TESTS_CUDA_DOUBLE_DEVICE_TEST_H_
#define SLUICE_TESTS_CUDA_DOUBLE_DEVICE_TEST_H_

#include <cuda_runtime_api.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

#include "tests/cuda_double/control.h"

namespace sluice::cuda_double {

// Device memory of n elements.
template <typename T>
class DeviceArray {
 public:
  explicit DeviceArray(size_t n) : n_(n) {
    void* memory = nullptr;
    EXPECT_EQ(cudaMalloc(&memory, n * sizeof(T)), cudaSuccess);
    data_ = static_cast<T*>(memory);
  }
  explicit DeviceArray(const std::vector<T>& values) : DeviceArray(values.size()) {
    EXPECT_EQ(cudaMemcpy(data_, values.data(), n_ * sizeof(T), cudaMemcpyHostToDevice),
              cudaSuccess);
  }
  ~DeviceArray() { cudaFree(data_); }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;

  T* data() const { return data_; }
  // Waits for nothing but its own copy.
  std::vector<T> Get() const {
    std::vector<T> values(n_);
    EXPECT_EQ(cudaMemcpy(values.data(), data_, n_ * sizeof(T), cudaMemcpyDeviceToHost),
              cudaSuccess);
    return values;
  }

 private:
  size_t n_;
  T* data_ = nullptr;
};

// Two streams on device 0 of a fresh machine. At the end nothing is left.
class DeviceTest : public testing::Test {
 protected:
  // Streams take their seed when they are made.
  void Begin(uint64_t seed) {
    Reset();
    SetSeed(seed);
    for (cudaStream_t* stream : {&stream_, &other_})
      ASSERT_EQ(cudaStreamCreateWithFlags(stream, cudaStreamNonBlocking), cudaSuccess);
  }
  void SetUp() override { Begin(0); }
  void TearDown() override { Reset(); }

  cudaError_t Wait() { return cudaStreamSynchronize(stream_); }

  cudaStream_t stream_ = nullptr, other_ = nullptr;
};

// The seeds of which each selects another order of blocks and threads.
inline constexpr uint64_t kSeeds[] = {0, 1, 2, 3};

}  // namespace sluice::cuda_double

#endif  // SLUICE_TESTS_CUDA_DOUBLE_DEVICE_TEST_H_
