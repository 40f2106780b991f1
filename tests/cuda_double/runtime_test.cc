// SPDX-License-Identifier: Apache-2.0
// The double behaves as the CUDA runtime documents its functions.
#include <chrono>
#include <cstring>
#include <thread>

#include "tests/cuda_double/device_test.h"
#include "tests/cuda_double/sample_kernels.h"

namespace sluice::cuda_double {
namespace {

using RuntimeTest = DeviceTest;

TEST_F(RuntimeTest, DevicesAndTheirProperties) {
  SetDevices(3, size_t{1} << 20);
  int count = 0, device = -1, value = 0, version = 0;
  ASSERT_EQ(cudaGetDeviceCount(&count), cudaSuccess);
  EXPECT_EQ(count, 3);
  EXPECT_EQ(cudaSetDevice(2), cudaSuccess);
  EXPECT_EQ(cudaGetDevice(&device), cudaSuccess);
  EXPECT_EQ(device, 2);
  EXPECT_EQ(cudaSetDevice(3), cudaErrorInvalidDevice);
  cudaDeviceProp properties;
  ASSERT_EQ(cudaGetDeviceProperties(&properties, 1), cudaSuccess);
  EXPECT_EQ(properties.totalGlobalMem, size_t{1} << 20);
  EXPECT_EQ(properties.major, 9);
  EXPECT_EQ(cudaDeviceGetAttribute(&value, cudaDevAttrMaxGridDimY, 0), cudaSuccess);
  EXPECT_EQ(value, 65535);
  char bus[16];
  ASSERT_EQ(cudaDeviceGetPCIBusId(bus, sizeof(bus), 1), cudaSuccess);
  EXPECT_STREQ(bus, "0000:02:00.0");
  EXPECT_EQ(cudaDriverGetVersion(&version), cudaSuccess);
  EXPECT_EQ(version, CUDART_VERSION);
}

TEST_F(RuntimeTest, NoDeviceAndNoDriver) {
  int count = -1, version = -1;
  SetDevices(0, 0);
  EXPECT_EQ(cudaGetDeviceCount(&count), cudaErrorNoDevice);
  Reset();
  SetDriverVersion(0);
  EXPECT_EQ(cudaGetDeviceCount(&count), cudaErrorInsufficientDriver);
  EXPECT_EQ(cudaDriverGetVersion(&version), cudaSuccess);
  EXPECT_EQ(version, 0);
  SetDriverVersion(12020);
  void* memory = nullptr;
  EXPECT_EQ(cudaMalloc(&memory, 8), cudaErrorInsufficientDriver);
}

TEST_F(RuntimeTest, MemoryIsBoundedAndCounted) {
  SetDevices(1, 10000);
  void *first = nullptr, *second = nullptr;
  size_t free = 0, total = 0;
  ASSERT_EQ(cudaMalloc(&first, 6000), cudaSuccess);
  ASSERT_EQ(cudaMemGetInfo(&free, &total), cudaSuccess);
  EXPECT_EQ(total, 10000u);
  EXPECT_EQ(free, 10000u - 6144u);
  EXPECT_EQ(cudaMalloc(&second, 6000), cudaErrorMemoryAllocation);
  EXPECT_EQ(cudaGetLastError(), cudaErrorMemoryAllocation);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  EXPECT_EQ(CountAll().device_bytes, 6144);
  EXPECT_EQ(cudaFree(first), cudaSuccess);
  EXPECT_EQ(cudaFree(first), cudaErrorInvalidValue);
  EXPECT_EQ(CountAll().device_bytes, 0);
  EXPECT_EQ(CountAll().most_device_bytes, 6144);
  SetUsedByOthers(0, 9000);
  EXPECT_EQ(cudaMalloc(&second, 6000), cudaErrorMemoryAllocation);
}

TEST_F(RuntimeTest, LargeMemoryThatNobodyWritesCostsNothing) {
#if defined(__SANITIZE_ADDRESS__)
  const size_t bytes = size_t{128} << 20;  // the sanitizer writes an eighth of it
#else
  const size_t bytes = size_t{60} << 30;
#endif
  SetDevices(1, size_t{64} << 30);
  void* memory = nullptr;
  ASSERT_EQ(cudaMalloc(&memory, bytes), cudaSuccess);
  unsigned char last = 0;
  ASSERT_EQ(cudaMemcpy(&last, static_cast<char*>(memory) + bytes - 1, 1, cudaMemcpyDeviceToHost),
            cudaSuccess);
  EXPECT_EQ(last, kPoison);
  EXPECT_EQ(cudaFree(memory), cudaSuccess);
}

TEST_F(RuntimeTest, PinnedMemoryIsRegisteredOnce) {
  std::vector<char> bytes(8192);
  EXPECT_EQ(cudaHostRegister(bytes.data(), 8192, cudaHostRegisterPortable), cudaSuccess);
  EXPECT_EQ(cudaHostRegister(bytes.data() + 100, 10, 0), cudaErrorHostMemoryAlreadyRegistered);
  EXPECT_EQ(CountAll().pinned_bytes, 8192);
  cudaPointerAttributes attributes;
  ASSERT_EQ(cudaPointerGetAttributes(&attributes, bytes.data() + 10), cudaSuccess);
  EXPECT_EQ(attributes.type, cudaMemoryTypeHost);
  EXPECT_EQ(cudaHostUnregister(bytes.data()), cudaSuccess);
  EXPECT_EQ(cudaHostUnregister(bytes.data()), cudaErrorHostMemoryNotRegistered);
  ASSERT_EQ(cudaPointerGetAttributes(&attributes, bytes.data()), cudaSuccess);
  EXPECT_EQ(attributes.type, cudaMemoryTypeUnregistered);
  const DeviceArray<int> array(4);
  ASSERT_EQ(cudaPointerGetAttributes(&attributes, array.data() + 3), cudaSuccess);
  EXPECT_EQ(attributes.type, cudaMemoryTypeDevice);
}

TEST_F(RuntimeTest, CopiesCheckKindAndRange) {
  const DeviceArray<char> device(100);
  std::vector<char> host(200);
  EXPECT_EQ(cudaMemcpyAsync(device.data(), host.data(), 100, cudaMemcpyDeviceToHost, stream_),
            cudaErrorInvalidMemcpyDirection);
  EXPECT_EQ(cudaMemcpyAsync(device.data(), host.data(), 101, cudaMemcpyHostToDevice, stream_),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemsetAsync(device.data() + 50, 0, 51, stream_), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpyAsync(device.data(), host.data(), 0, cudaMemcpyHostToDevice, stream_),
            cudaSuccess);
}

TEST_F(RuntimeTest, CopiesOfRowsAndBetweenDevices) {
  const DeviceArray<char> first(std::vector<char>{'a', 'b', '-', 'c', 'd', '-'});
  ASSERT_EQ(cudaSetDevice(1), cudaSuccess);
  const DeviceArray<char> second(6);
  ASSERT_EQ(cudaSetDevice(0), cudaSuccess);
  ASSERT_EQ(cudaMemcpyPeerAsync(second.data(), 1, first.data(), 0, 6, stream_), cudaSuccess);
  char host[4];
  ASSERT_EQ(cudaMemcpy2DAsync(host, 2, second.data(), 3, 2, 2, cudaMemcpyDeviceToHost, stream_),
            cudaSuccess);
  EXPECT_EQ(std::string(host, 4), "abcd");
}

TEST_F(RuntimeTest, EventsAreReadyWhenTheStreamHasComeToThem) {
  cudaEvent_t start = nullptr, end = nullptr, untimed = nullptr;
  ASSERT_EQ(cudaEventCreate(&start), cudaSuccess);
  ASSERT_EQ(cudaEventCreate(&end), cudaSuccess);
  ASSERT_EQ(cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming), cudaSuccess);
  EXPECT_EQ(cudaEventQuery(start), cudaSuccess) << "not recorded";
  HoldStreams(true);
  ASSERT_EQ(cudaEventRecord(start, stream_), cudaSuccess);
  ASSERT_EQ(cudaEventRecord(end, stream_), cudaSuccess);
  EXPECT_EQ(cudaEventQuery(end), cudaErrorNotReady);
  EXPECT_EQ(cudaStreamQuery(stream_), cudaErrorNotReady);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  float milliseconds = -1;
  EXPECT_EQ(cudaEventElapsedTime(&milliseconds, start, end), cudaErrorNotReady);
  HoldStreams(false);
  EXPECT_EQ(cudaEventSynchronize(end), cudaSuccess);
  EXPECT_EQ(cudaEventElapsedTime(&milliseconds, start, end), cudaSuccess);
  EXPECT_GE(milliseconds, 0);
  EXPECT_EQ(cudaEventElapsedTime(&milliseconds, start, untimed), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(CountAll().events, 3);
  for (cudaEvent_t event : {start, end, untimed}) EXPECT_EQ(cudaEventDestroy(event), cudaSuccess);
  EXPECT_EQ(cudaEventDestroy(start), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(CountAll().events, 0);
}

TEST_F(RuntimeTest, AStreamWaitsForTheRecordThatWasLastWhenItWasAsked) {
  cudaEvent_t event = nullptr;
  ASSERT_EQ(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), cudaSuccess);
  const DeviceArray<float> x(std::vector<float>{1}), y(1);
  SetDelay(500);
  for (int i = 0; i < 50; ++i) {
    ASSERT_EQ(LaunchScale(x.data(), 1, 1, x.data(), 1, stream_), cudaSuccess);
    ASSERT_EQ(cudaEventRecord(event, stream_), cudaSuccess);
    ASSERT_EQ(cudaStreamWaitEvent(other_, event, 0), cudaSuccess);
    ASSERT_EQ(LaunchScale(x.data(), 1, 0, y.data(), 1, other_), cudaSuccess);
    ASSERT_EQ(cudaEventRecord(event, other_), cudaSuccess);
    ASSERT_EQ(cudaStreamWaitEvent(stream_, event, 0), cudaSuccess);
  }
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(y.Get()[0], 51);
}

TEST_F(RuntimeTest, ADestroyedStreamFinishesItsWork) {
  const DeviceArray<float> x(std::vector<float>{1});
  HoldStreams(true);
  ASSERT_EQ(LaunchScale(x.data(), 1, 1, x.data(), 1, stream_), cudaSuccess);
  EXPECT_EQ(cudaStreamDestroy(stream_), cudaSuccess);
  EXPECT_EQ(cudaStreamQuery(stream_), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(CountAll().streams, 1);
  HoldStreams(false);
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (x.Get()[0] != 2 && std::chrono::steady_clock::now() < deadline) std::this_thread::yield();
  EXPECT_EQ(x.Get()[0], 2);
}

TEST_F(RuntimeTest, HostFunctionsRunInTheirStreamAndMayNotCall) {
  const DeviceArray<float> x(std::vector<float>{1});
  cudaError_t called = cudaSuccess;
  ASSERT_EQ(LaunchScale(x.data(), 1, 1, x.data(), 1, stream_), cudaSuccess);
  ASSERT_EQ(cudaLaunchHostFunc(
                stream_,
                [](void* result) {
                  void* memory = nullptr;
                  *static_cast<cudaError_t*>(result) = cudaMalloc(&memory, 8);
                },
                &called),
            cudaSuccess);
  ASSERT_EQ(Wait(), cudaSuccess);
  EXPECT_EQ(called, cudaErrorNotPermitted);
}

TEST_F(RuntimeTest, LimitsOfALaunch) {
  const DeviceArray<double> x(1), out(1);
  EXPECT_EQ(LaunchTranspose(x.data(), out.data(), 65536 * 16, 1, stream_),
            cudaErrorInvalidConfiguration)
      << "65,536 blocks in y";
  EXPECT_EQ(cudaSetDevice(1), cudaSuccess);
  EXPECT_EQ(LaunchScale(nullptr, 0, 0, nullptr, 1, stream_), cudaErrorInvalidResourceHandle)
      << "the stream is of another device";
}

TEST_F(RuntimeTest, TheChosenCallFails) {
  const DeviceArray<float> x(std::vector<float>{1});
  FailCall(Call::kLaunch, 2, cudaErrorLaunchOutOfResources);
  FailCall(Call::kCopy, 1, cudaErrorInvalidValue);
  EXPECT_EQ(LaunchScale(x.data(), 1, 1, x.data(), 1, stream_), cudaSuccess);
  EXPECT_EQ(LaunchScale(x.data(), 1, 1, x.data(), 1, stream_), cudaErrorLaunchOutOfResources);
  EXPECT_EQ(LaunchScale(x.data(), 1, 1, x.data(), 1, stream_), cudaSuccess);
  EXPECT_EQ(cudaMemsetAsync(x.data(), 0, 4, stream_), cudaErrorInvalidValue);
  EXPECT_EQ(Calls(Call::kLaunch), 3);
  ASSERT_EQ(Wait(), cudaSuccess);
  EXPECT_EQ(x.Get()[0], 3);
}

TEST_F(RuntimeTest, AStickyErrorStays) {
  const DeviceArray<float> x(std::vector<float>{1});
  FailCall(Call::kRun, 1, cudaErrorIllegalAddress);
  EXPECT_EQ(LaunchScale(x.data(), 1, 1, x.data(), 1, stream_), cudaSuccess) << "it comes late";
  EXPECT_EQ(Wait(), cudaErrorIllegalAddress);
  EXPECT_EQ(Wait(), cudaErrorIllegalAddress);
  EXPECT_EQ(cudaGetLastError(), cudaErrorIllegalAddress);
  EXPECT_EQ(cudaGetLastError(), cudaErrorIllegalAddress);
  void* memory = nullptr;
  EXPECT_EQ(cudaMalloc(&memory, 8), cudaErrorIllegalAddress);
  EXPECT_EQ(cudaSetDevice(1), cudaSuccess);
  EXPECT_EQ(cudaMalloc(&memory, 8), cudaSuccess) << "the other device is well";
  EXPECT_STREQ(cudaGetErrorName(cudaErrorIllegalAddress), "cudaErrorIllegalAddress");
}

TEST_F(RuntimeTest, NothingIsLeftAfterReset) {
  void* memory = nullptr;
  ASSERT_EQ(cudaHostAlloc(&memory, 100, 0), cudaSuccess);
  ASSERT_EQ(cudaMalloc(&memory, 100), cudaSuccess);
  EXPECT_EQ(CountAll().streams, 2);
  Reset();
  const Counts counts = CountAll();
  EXPECT_EQ(counts.device_bytes + counts.pinned_bytes + counts.streams + counts.events, 0);
}

}  // namespace
}  // namespace sluice::cuda_double
