// SPDX-License-Identifier: Apache-2.0
// A training step with each call of the runtime failing in turn: it ends in a Status that names the
// node or the copy, nothing leaks, and the next step is right.
#include <atomic>
#include <memory>
#include <vector>

#include "client/ops/math.h"
#include "core/log.h"
#include "tests/cuda_double/session/mlp.h"
#include "tests/cuda_double/session/session_fixture.h"

namespace sluice::cuda_double {
namespace {

using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::HasSubstr;

constexpr int64_t kMostCalls = 2000;

struct Fault {
  const char* name;
  Call call;
  cudaError_t error;
  const char* error_name;
};
std::string NameOf(const ::testing::TestParamInfo<Fault>& each) { return each.param.name; }

// An error that is seen when all nodes have run belongs to none of them.
auto NamesWhere() {
  return AnyOf(HasSubstr("[[{{node "), HasSubstr("copying "),
               HasSubstr("at the end of the step on /job:localhost/replica:0/task:0/device:GPU:0"));
}

class FaultTest : public GpuSessionTest, public ::testing::WithParamInterface<Fault> {
 protected:
  FaultTest() {
    auto session = Open(mlp_.graph());
    const auto losses = mlp_.Losses(*session, 2);
    EXPECT_TRUE(losses.ok()) << losses.status();
    if (losses.ok()) losses_ = *losses;
  }

  // The streams' delays differ, and so does what is in flight at the fault.
  void Inject(int64_t k) const {
    SetDelay(k % 3 * 40);
    FailCall(GetParam().call, k, GetParam().error);
  }
  // The k-th call has been made, and failed.
  bool Reached(int64_t k) const { return Calls(GetParam().call) >= k; }
  void Disarm() const { FailCall(GetParam().call, 0, cudaSuccess); }

  // A failure names its cause. Where the runtime has an alternative to the failed call, the step is
  // right.
  void ExpectStatus(const absl::StatusOr<float>& loss, int64_t k) {
    if (loss.ok()) {
      EXPECT_EQ(*loss, losses_[0]) << k;
      return;
    }
    ++failed_;
    EXPECT_EQ(absl::IsResourceExhausted(loss.status()), GetParam().call == Call::kAllocation) << k;
    EXPECT_THAT(Message(loss.status()), AllOf(HasSubstr(GetParam().error_name), NamesWhere())) << k;
  }
  void ExpectRight(client::Session& session, int64_t k) {
    const auto losses = mlp_.Losses(session, 2);
    ASSERT_TRUE(losses.ok()) << k << ": " << losses.status();
    EXPECT_EQ(*losses, losses_) << k;
  }

  Mlp mlp_;
  std::vector<float> losses_;
  int failed_ = 0;
};

class PassingFaultTest : public FaultTest {};

TEST_P(PassingFaultTest, AWarmStepEndsInAStatusAndTheNextIsRight) {
  auto session = Open(mlp_.graph());
  ExpectRight(*session, 0);
  int64_t k = 1;
  for (bool reached = true; reached && k < kMostCalls; ++k) {
    ASSERT_TRUE(mlp_.Init(*session).ok());
    Inject(k);
    const auto loss = mlp_.Step(*session);
    reached = Reached(k);
    Disarm();
    ExpectStatus(loss, k);
    ExpectRight(*session, k);
    if (HasFailure()) break;
  }
  RecordProperty("calls", static_cast<int>(k - 1));
  RecordProperty("failed", failed_);
  EXPECT_LT(k, kMostCalls);
  // A warm step takes no memory from the runtime.
  if (GetParam().call != Call::kAllocation) {
    EXPECT_GT(failed_, 0);
  }
}

TEST_P(PassingFaultTest, TheFirstStepEndsInAStatusAndTheNextIsRight) {
  int64_t k = 1;
  for (bool reached = true; reached && k < kMostCalls; ++k) {
    auto session = Open(mlp_.graph());
    Inject(k);
    const absl::Status init = mlp_.Init(*session);
    ExpectStatus(init.ok() ? mlp_.Step(*session) : init, k);
    reached = Reached(k);
    Disarm();
    ExpectRight(*session, k);
    session.reset();
    ExpectNothingLeft(Cat("call ", k));
    if (HasFailure()) break;
  }
  RecordProperty("calls", static_cast<int>(k - 1));
  RecordProperty("failed", failed_);
  EXPECT_LT(k, kMostCalls);
  // Each allocation that fails once has an alternative.
  if (GetParam().call != Call::kAllocation) {
    EXPECT_GT(failed_, 0);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Each, PassingFaultTest,
    ::testing::Values(Fault{"Launch", Call::kLaunch, cudaErrorInvalidConfiguration,
                            "cudaErrorInvalidConfiguration"},
                      Fault{"Allocation", Call::kAllocation, cudaErrorMemoryAllocation, ""},
                      Fault{"Copy", Call::kCopy, cudaErrorInvalidValue, "cudaErrorInvalidValue"},
                      Fault{"Event", Call::kEvent, cudaErrorInvalidResourceHandle,
                            "cudaErrorInvalidResourceHandle"}),
    NameOf);

class StickyFaultTest : public FaultTest {
 protected:
  StickyFaultTest() { SetLogLevel(LogLevel::kOff); }  // each fault has its line
  ~StickyFaultTest() override { SetLogLevel(LogLevel::kWarning); }

  // The error that lost the GPU, without the step that reports it.
  static std::string Cause(const absl::Status& status) {
    const std::string text = Message(status);
    const size_t begin = text.find("GPU:0 ");
    return begin == std::string::npos ? text : text.substr(begin, text.find('\n') - begin);
  }

  // The step's error names the cause, which all later steps of the process repeat.
  void ExpectLost(client::Session& session, const absl::Status& status, int64_t k) {
    ++failed_;
    EXPECT_EQ(status.code(), absl::StatusCode::kInternal) << k << status;
    EXPECT_THAT(Message(status), AllOf(HasSubstr(GetParam().error_name), NamesWhere(),
                                       HasSubstr("the process must be restarted")))
        << k;
    const std::string cause = Cause(status);
    EXPECT_THAT(cause, HasSubstr("GPU:0 at ")) << k;
    for (int i = 0; i < 2; ++i) {
      EXPECT_EQ(Cause(mlp_.Step(session).status()), cause) << k;
    }
    // Another session of this process has no GPU.
    EXPECT_THAT(Message(mlp_.Init(*Open(mlp_.graph()))),
                AllOf(HasSubstr("no task has one"), HasSubstr(GetParam().error_name)))
        << k;
  }
};

TEST_P(StickyFaultTest, EndsAWarmStepAndAllLaterOnes) {
  int64_t k = 1;
  for (bool reached = true; reached && k < kMostCalls; ++k) {
    SetDevices(1, 512 * kMiB);
    auto session = Open(mlp_.graph());
    ASSERT_TRUE(mlp_.Losses(*session, 1).ok());
    Inject(k);
    const auto loss = mlp_.Step(*session);
    reached = Reached(k);
    if (reached) ExpectLost(*session, loss.status(), k);
    session.reset();
    ExpectNothingLeft(Cat("call ", k));
    if (HasFailure()) break;
  }
  RecordProperty("calls", static_cast<int>(k - 1));
  EXPECT_LT(k, kMostCalls);
  // A warm step takes no memory from the runtime, and seldom an event.
  if (GetParam().call != Call::kAllocation) {
    EXPECT_GT(failed_, 0);
  }
}

TEST_P(StickyFaultTest, EndsTheFirstStepAndAllLaterOnes) {
  int64_t k = 1;
  for (bool reached = true; reached && k < kMostCalls; ++k) {
    SetDevices(1, 512 * kMiB);
    auto session = Open(mlp_.graph());
    Inject(k);
    absl::Status status = mlp_.Init(*session);
    if (status.ok()) status = mlp_.Step(*session).status();
    reached = Reached(k);
    if (reached) ExpectLost(*session, status, k);
    session.reset();
    ExpectNothingLeft(Cat("call ", k));
    if (HasFailure()) break;
  }
  RecordProperty("calls", static_cast<int>(k - 1));
  EXPECT_LT(k, kMostCalls);
  EXPECT_GT(failed_, 0);
}

INSTANTIATE_TEST_SUITE_P(
    Each, StickyFaultTest,
    ::testing::Values(
        Fault{"Run", Call::kRun, cudaErrorIllegalAddress, "cudaErrorIllegalAddress"},
        Fault{"Launch", Call::kLaunch, cudaErrorLaunchFailure, "cudaErrorLaunchFailure"},
        Fault{"Allocation", Call::kAllocation, cudaErrorLaunchTimeout, "cudaErrorLaunchTimeout"},
        Fault{"Copy", Call::kCopy, cudaErrorIllegalAddress, "cudaErrorIllegalAddress"},
        Fault{"Event", Call::kEvent, cudaErrorECCUncorrectable, "cudaErrorECCUncorrectable"}),
    NameOf);

// No fetch waits for the kernel: the step ends after the event behind its last node.
TEST_F(GpuSessionTest, AStepOfTargetsOnlyEndsWithItsOwnError) {
  client::Graph graph;
  const client::Scope scope = client::Scope(&graph).On(kGpu);
  const auto value = client::Constant(scope, Tensor::Vector<float>({1, 2}));
  client::ops::Neg(scope.Named("negated"), value);
  ASSERT_TRUE(scope.status().ok()) << scope.status();
  auto session = Open(graph);
  ASSERT_TRUE(session->Run({}, {}, {"negated"}).ok());
  SetLogLevel(LogLevel::kOff);
  SetDelay(20'000);
  FailCall(Call::kRun, 1, cudaErrorIllegalAddress);
  const absl::Status failed = session->Run({}, {}, {"negated"}).status();
  SetLogLevel(LogLevel::kWarning);
  EXPECT_TRUE(absl::IsInternal(failed)) << failed;
  EXPECT_THAT(Message(failed), AllOf(HasSubstr("cudaErrorIllegalAddress"), HasSubstr("negated")));
}

// The device's streams are made.
TEST_F(GpuSessionTest, AnErrorAtCreationLeavesTheSessionWithoutGpu) {
  const Mlp mlp;
  for (int64_t k = 1; k <= 3; ++k) {
    SetDevices(1, 512 * kMiB);
    FailCall(Call::kAllocation, k, cudaErrorLaunchTimeout);
    auto session = Open(mlp.graph());
    ASSERT_EQ(Calls(Call::kAllocation), k);
    EXPECT_THAT(Message(mlp.Init(*session)),
                AllOf(HasSubstr("no task has one: /job:localhost/replica:0/task:0: GPU 0: "),
                      HasSubstr("cudaErrorLaunchTimeout")));
    session.reset();
    ExpectNothingLeft(Cat("call ", k));
  }
}

// --- libraries ---

class LibraryFaultTest : public GpuSessionTest {
 protected:
  // A step fails with such an error; once the library is there, the next step is right.
  void ExpectFailure(const ::testing::Matcher<std::string>& message) {
    auto session = Open(mlp_.graph());
    ASSERT_TRUE(mlp_.Init(*session).ok());
    for (int i = 0; i < 2; ++i) {  // a failure is not kept
      const absl::Status failed = mlp_.Step(*session).status();
      EXPECT_TRUE(absl::IsUnimplemented(failed)) << failed;
      EXPECT_THAT(Message(failed), AllOf(message, HasSubstr("[[{{node layer1}}]] (MatMul on ")));
    }
    UseLibraryDoubles();
    const auto losses = mlp_.Losses(*session, 2);
    ASSERT_TRUE(losses.ok()) << losses.status();
    EXPECT_LT((*losses)[1], (*losses)[0]);
  }

  Mlp mlp_;
};

TEST_F(LibraryFaultTest, AMissingLibraryIsNamedWithWhereItWasLookedFor) {
  cuda::UseLibraryForTest("cuBLASLt", nullptr);
  auto session = Open(mlp_.graph());  // sets the path of its options
  cuda::SetLibraryPath("/no/such/folder");
  ASSERT_TRUE(mlp_.Init(*session).ok());
  const absl::Status failed = mlp_.Step(*session).status();
  EXPECT_TRUE(absl::IsUnimplemented(failed)) << failed;
  EXPECT_THAT(Message(failed),
              AllOf(HasSubstr("this op needs cuBLASLt "),
                    HasSubstr(", which cannot be opened. Looked for "), HasSubstr("libcublasLt.so"),
                    HasSubstr("/no/such/folder"), HasSubstr("[[{{node layer1}}]] (MatMul on ")));
  UseLibraryDoubles();
  EXPECT_TRUE(mlp_.Losses(*session, 1).ok());
  cuda::SetLibraryPath("");
}

TEST_F(LibraryFaultTest, ALibraryThatDoesNotOpenFailsTheStep) {
  cuda::UseLibraryForTest("cuBLASLt", []() -> absl::StatusOr<cuda::Library::Find> {
    return Unimplemented("cuBLASLt cannot be opened");
  });
  ExpectFailure(HasSubstr("cuBLASLt cannot be opened"));
}

TEST_F(LibraryFaultTest, ALibraryOfAnotherVersionIsNamedWithBothVersions) {
  cuda::UseLibraryForTest("cuBLASLt", [] {
    return cuda::Library::Find([](const char* function) -> void* {
      if (std::string(function) != "cublasLtGetVersion") return FindCublasLt(function);
      return reinterpret_cast<void*>(+[]() -> size_t { return 990403; });
    });
  });
  ExpectFailure(HasSubstr(", but a double has version 990403"));
}

// Each lookup of a function fails in turn.
TEST_F(LibraryFaultTest, ALibraryWithoutAFunctionIsNamedWithTheFunction) {
  int lookups = 1;
  for (int k = 1; k <= lookups; ++k) {
    auto lookup = std::make_shared<std::atomic<int>>(0);
    auto missing = std::make_shared<std::string>();
    cuda::UseLibraryForTest("cuBLASLt", [=] {
      *lookup = 0;
      return cuda::Library::Find([=](const char* function) -> void* {
        if (++*lookup != k) return FindCublasLt(function);
        *missing = function;
        return nullptr;
      });
    });
    auto session = Open(mlp_.graph());
    ASSERT_TRUE(mlp_.Init(*session).ok());
    const absl::Status failed = mlp_.Step(*session).status();
    if (*lookup < k) {
      EXPECT_TRUE(failed.ok()) << failed;
      break;
    }
    lookups = k + 1;
    EXPECT_TRUE(absl::IsUnimplemented(failed)) << failed;
    EXPECT_THAT(Message(failed), AllOf(HasSubstr(Cat("a double has no function ", *missing)),
                                       HasSubstr("[[{{node layer1}}]] (MatMul on ")));
    UseLibraryDoubles();
    EXPECT_TRUE(mlp_.Losses(*session, 1).ok());
  }
  EXPECT_GT(lookups, 10);
}

}  // namespace
}  // namespace sluice::cuda_double
