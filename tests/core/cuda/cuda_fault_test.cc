// SPDX-License-Identifier: Apache-2.0
// Calls of the runtime that fail: each ends in a Status, nothing leaks, and the next step is right.
#include <gmock/gmock.h>

#include "core/tensor/allocation_label.h"
#include "tests/core/cuda/cuda_device_fixture.h"

namespace sluice::cuda {
namespace {

using cuda_double::Call;
using ::testing::AllOf;
using ::testing::HasSubstr;

class CudaFaultTest : public CudaDeviceTest {
 protected:
  // All that a step does, each part with its own error. Values are checked where there is none.
  std::vector<absl::Status> Step(int32_t first) {
    std::vector<absl::Status> errors;
    for (int64_t n : {500, 50'000, 1'200'000}) {
      absl::StatusOr<Tensor> there = Upload(Numbers(n, first));
      if (!Ok(there.status(), errors)) continue;
      absl::StatusOr<Tensor> copy = device_->CopyWithin(*there);
      if (!Ok(copy.status(), errors)) continue;
      if (!Ok(Enqueue(AddKernel, Data(*copy), n, 1), errors)) continue;
      const absl::StatusOr<Tensor> back = Fetch(*copy);
      if (!Ok(back.status(), errors)) continue;
      EXPECT_EQ(Compared(back, n, first + 1), "ok");
    }
    Ok(Finish(), errors);
    return errors;
  }

 private:
  static bool Ok(const absl::Status& status, std::vector<absl::Status>& errors) {
    if (!status.ok()) errors.push_back(status);
    return status.ok();
  }
};

struct Fault {
  Call call;
  cudaError_t error;
  const char* name;
};

class EachCallTest : public CudaFaultTest, public ::testing::WithParamInterface<Fault> {};

TEST_P(EachCallTest, EndsInAStatusAndTheNextStepIsRight) {
  const Fault& fault = GetParam();
  int failed = 0;
  for (int64_t k = 1; k <= 60; ++k) {
    cuda_double::Reset();
    ASSERT_TRUE(Make({.memory_limit = 64 << 20}).ok());
    cuda_double::FailCall(fault.call, k, fault.error);
    const std::vector<absl::Status> errors = Step(1);
    const bool reached = cuda_double::Calls(fault.call) >= k;
    EXPECT_LE(errors.size(), 1u) << k;
    for (const absl::Status& error : errors) {
      EXPECT_THAT(std::string(error.message()), HasSubstr(fault.name)) << k;
      ++failed;
    }
    cuda_double::FailCall(fault.call, 1 << 30, cudaSuccess);
    const std::vector<absl::Status> after = Step(2);
    EXPECT_TRUE(after.empty()) << k << ": " << after.front();
    EXPECT_EQ(device_->allocator().stats().live_bytes, 0) << k;
    device_.reset();
    EXPECT_EQ(cuda_double::CountAll().device_bytes, 0) << k;
    EXPECT_EQ(cuda_double::CountAll().pinned_bytes, 0) << k;
    EXPECT_EQ(cuda_double::CountAll().events, 0) << k;
    EXPECT_EQ(cuda_double::CountAll().streams, 0) << k;
    if (!reached) break;
  }
  EXPECT_GT(failed, 0);
}

INSTANTIATE_TEST_SUITE_P(Calls, EachCallTest,
                         ::testing::Values(Fault{Call::kLaunch, cudaErrorInvalidConfiguration,
                                                 "cudaErrorInvalidConfiguration"},
                                           Fault{Call::kCopy, cudaErrorInvalidValue,
                                                 "cudaErrorInvalidValue"},
                                           Fault{Call::kEvent, cudaErrorInvalidResourceHandle,
                                                 "cudaErrorInvalidResourceHandle"}),
                         [](const auto& each) {
                           return each.param.call == Call::kLaunch ? "Launch"
                                  : each.param.call == Call::kCopy ? "Copy"
                                                                   : "Event";
                         });

// Memory that the system does not give: some calls have another way, the others say what is short.
TEST_F(CudaFaultTest, AllocationsEndInAStatusAndTheNextStepIsRight) {
  for (int64_t k = 1; k < 100; ++k) {
    cuda_double::Reset();
    ASSERT_TRUE(Make({.memory_limit = 64 << 20}).ok());
    cuda_double::FailCall(Call::kAllocation, k, cudaErrorMemoryAllocation);
    const std::vector<absl::Status> errors = Step(1);
    const bool reached = cuda_double::Calls(Call::kAllocation) >= k;
    EXPECT_LE(errors.size(), 1u) << k;
    for (const absl::Status& error : errors)
      EXPECT_EQ(error.code(), absl::StatusCode::kResourceExhausted) << error;
    const std::vector<absl::Status> after = Step(2);
    EXPECT_TRUE(after.empty()) << k << ": " << after.front();
    device_.reset();
    EXPECT_EQ(cuda_double::CountAll().device_bytes, 0) << k;
    EXPECT_EQ(cuda_double::CountAll().pinned_bytes, 0) << k;
    if (!reached) break;
  }
}

TEST_F(CudaFaultTest, DevicesThatCannotBeMadeLeaveNothing) {
  for (int64_t k = 1; k < 20; ++k) {
    cuda_double::Reset();
    cuda_double::FailCall(Call::kAllocation, k, cudaErrorMemoryAllocation);
    const absl::Status status = Make();
    if (status.ok()) {
      EXPECT_GT(k, 3);  // three streams
      device_.reset();
      break;
    }
    EXPECT_THAT(std::string(status.message()),
                AllOf(HasSubstr("making a stream"), HasSubstr("cudaErrorMemoryAllocation")));
    EXPECT_EQ(cuda_double::CountAll().streams, 0);
  }
}

TEST_F(CudaFaultTest, AStickyErrorLosesTheDevice) {
  for (int64_t k = 1; k <= 3; ++k) {
    cuda_double::Reset();
    ASSERT_TRUE(Make().ok());
    cuda_double::FailCall(Call::kRun, k, cudaErrorIllegalAddress);
    std::vector<absl::Status> errors = Step(1);
    ASSERT_FALSE(errors.empty()) << k;
    const std::string first(errors.back().message());
    EXPECT_THAT(first, AllOf(HasSubstr("cudaErrorIllegalAddress"),
                             HasSubstr("the process must be restarted")));
    EXPECT_EQ(errors.back().code(), absl::StatusCode::kInternal);
    // Every later call answers with that error.
    for (const absl::Status& status :
         {Upload(Numbers(5, 1)).status(), Upload(Numbers(100'000, 1)).status(), Finish(),
          Enqueue(AddKernel, static_cast<int32_t*>(nullptr), int64_t{0}, 1)}) {
      EXPECT_THAT(std::string(status.message()), HasSubstr("cudaErrorIllegalAddress"));
    }
    device_.reset();
  }
}

TEST_F(CudaFaultTest, TheLossIsToldOnceWithTheNodeAtWhichItWasSeen) {
  std::vector<std::string> told;
  ASSERT_TRUE(
      Make({.on_lost = [&](const absl::Status& why) { told.emplace_back(why.message()); }}).ok());
  const Tensor value = *Upload(Numbers(5, 1));
  ASSERT_TRUE(Finish().ok());  // so that no thread asks for an event, and sees the loss first
  cuda_double::FailCall(Call::kLaunch, 1, cudaErrorIllegalAddress);
  {
    const AllocationLabel label("layer/weights");
    EXPECT_FALSE(Enqueue(AddKernel, Data(value), int64_t{5}, 1).ok());
  }
  EXPECT_FALSE(Enqueue(AddKernel, Data(value), int64_t{5}, 1).ok());
  EXPECT_FALSE(Finish().ok());
  ASSERT_EQ(told.size(), 1u);
  EXPECT_THAT(told[0], AllOf(HasSubstr("GPU:0 at layer/weights: "),
                             HasSubstr("cudaErrorIllegalAddress: an illegal memory access")));
}

// A library says less than the runtime does.
TEST_F(CudaFaultTest, AKernelsOwnErrorGetsThatOfTheRuntime) {
  ASSERT_TRUE(Make().ok());
  cuda_double::FailCall(Call::kLaunch, 1, cudaErrorLaunchOutOfResources);
  const absl::Status status = RunKernel([](KernelContext& ctx) {
    (void)Launch(AddKernel, dim3(1), dim3(1), 0, StreamOf(ctx.device()),
                 static_cast<int32_t*>(nullptr), int64_t{0}, 1);
    return Internal("the library failed");
  });
  EXPECT_THAT(std::string(status.message()),
              AllOf(HasSubstr("the library failed; "), HasSubstr("cudaErrorLaunchOutOfResources")));
}

TEST_F(CudaFaultTest, OutstandingCopiesEndWhenTheDeviceIsLost) {
  ASSERT_TRUE(Make().ok());
  const Tensor value = *Upload(Numbers(3 << 20, 1));
  absl::Notification go;
  ASSERT_TRUE(Enqueue(WaitKernel, &go).ok());
  // The double may have begun the first kernel already.
  cuda_double::FailCall(Call::kRun, 2, cudaErrorIllegalAddress);
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(Enqueue(AddKernel, Data(value), int64_t{5}, 1).ok());
  int ended = 0;
  for (int i = 0; i < 4; ++i) {
    device_->CopyToHost(i % 2 == 0 ? value : value.Rows(0, 100),
                        [&](absl::StatusOr<Tensor> copy) { ended += !copy.ok(); });
  }
  absl::Notification synced;
  device_->Sync([&](absl::Status status) {
    EXPECT_THAT(std::string(status.message()), HasSubstr("cudaErrorIllegalAddress"));
    synced.Notify();
  });
  go.Notify();
  synced.WaitForNotification();
  EXPECT_EQ(ended, 4);
}

// The message of an error that an event reports: so many nodes are in the stream when kernel 2
// fails.
class LateErrorTest : public CudaFaultTest {
 protected:
  std::string Fail(int nodes) {
    std::string told;
    auto on_lost = [&](const absl::Status& why) { told = std::string(why.message()); };
    EXPECT_TRUE(Make({.on_lost = on_lost}).ok());
    const Tensor value = *Upload(Numbers(5, 1));
    EXPECT_TRUE(Finish().ok());
    absl::Notification go, synced;
    for (int i = 0; i < nodes; ++i) {
      const std::string node = Cat("node", i);
      const AllocationLabel label(node);
      EXPECT_TRUE(
          (i == 0 ? Enqueue(WaitKernel, &go) : Enqueue(AddKernel, Data(value), int64_t{5}, 1))
              .ok());
    }
    cuda_double::FailCall(Call::kRun, 2, cudaErrorIllegalAddress);
    device_->Sync([&](const absl::Status&) { synced.Notify(); });
    go.Notify();
    synced.WaitForNotification();
    device_.reset();
    return told;
  }
};

TEST_F(LateErrorTest, NamesTheNodesOfTheStep) {
  EXPECT_THAT(Fail(9), HasSubstr("GPU:0 at the end of a step, after the 9 nodes from node0 to "
                                 "node8: asking for an event: cudaErrorIllegalAddress"));
}

TEST_F(LateErrorTest, NamesTheNodesUpToTheNextEvent) {
  EXPECT_THAT(Fail(300), HasSubstr("GPU:0 at a kernel, after the 128 nodes from node0 to node127: "
                                   "asking for an event: cudaErrorIllegalAddress"));
}

TEST_F(CudaFaultTest, BlockingNamesTheKernelOfALateError) {
  ASSERT_TRUE(Make({.blocking = true}).ok());
  const Tensor value = *Upload(Numbers(5, 1));
  EXPECT_TRUE(Enqueue(AddKernel, Data(value), int64_t{5}, 1).ok());
  cuda_double::FailCall(Call::kRun, 1, cudaErrorIllegalAddress);
  const absl::Status status = Enqueue(AddKernel, Data(value), int64_t{5}, 1);
  EXPECT_THAT(std::string(status.message()), HasSubstr("cudaErrorIllegalAddress"));
}

TEST(CudaStatusTest, CodesSayWhatToDo) {
  EXPECT_TRUE(ToStatus(cudaSuccess, "x").ok());
  EXPECT_TRUE(absl::IsResourceExhausted(ToStatus(cudaErrorMemoryAllocation, "x")));
  EXPECT_TRUE(absl::IsUnavailable(ToStatus(cudaErrorNoDevice, "x")));
  EXPECT_TRUE(absl::IsInternal(ToStatus(cudaErrorInvalidValue, "x")));
  const absl::Status lost = ToStatus(cudaErrorIllegalAddress, "running");
  EXPECT_TRUE(absl::IsInternal(lost));
  EXPECT_THAT(std::string(lost.message()),
              AllOf(HasSubstr("running: cudaErrorIllegalAddress: "), HasSubstr("restart")));
  EXPECT_TRUE(IsSticky(cudaErrorIllegalAddress));
  EXPECT_FALSE(IsSticky(cudaErrorMemoryAllocation));
}

}  // namespace
}  // namespace sluice::cuda
