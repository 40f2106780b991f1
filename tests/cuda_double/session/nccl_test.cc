// SPDX-License-Identifier: Apache-2.0
// Operations between several GPUs of a task, on the double of NCCL.
#include <algorithm>
#include <limits>
#include <vector>

#include "client/ops/array.h"
#include "client/ops/collective.h"
#include "client/ops/data_flow.h"
#include "client/ops/debug.h"
#include "client/ops/math.h"
#include "tests/cuda_double/session/mlp.h"
#include "tests/cuda_double/session/session_fixture.h"

namespace sluice::cuda_double {
namespace {

namespace ops = client::ops;
using client::Constant;
using client::Output;
using client::Scope;
using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr int kGpus = 4;
constexpr int kSystemError = 2;  // ncclSystemError

std::string Gpu(int i) { return Cat("/device:GPU:", i); }

Tensor TensorOf(DType dtype, const std::vector<double>& values) {
  Tensor made(dtype, Shape{static_cast<int64_t>(values.size())});
  (void)VisitDType(NumericTypes{}, dtype, [&]<typename T>(Type<T>) {
    std::transform(values.begin(), values.end(), made.mutable_flat<T>().begin(),
                   [](double value) { return static_cast<T>(static_cast<float>(value)); });
    return absl::OkStatus();
  });
  return made;
}

// The value of a member: small integers, so that each dtype has all results.
std::vector<double> ValuesOf(int member, int count) {
  std::vector<double> values;
  for (int i = 0; i < count; ++i) values.push_back((i * 3 + member * 7) % 5 - 1);
  return values;
}

std::vector<double> Reduced(const std::string& reduction, int members, int count) {
  std::vector<double> result = ValuesOf(0, count);
  for (int member = 1; member < members; ++member) {
    const std::vector<double> values = ValuesOf(member, count);
    for (size_t i = 0; i < result.size(); ++i) {
      result[i] = reduction == "sum"    ? result[i] + values[i]
                  : reduction == "prod" ? result[i] * values[i]
                  : reduction == "min"  ? std::min(result[i], values[i])
                                        : std::max(result[i], values[i]);
    }
  }
  return result;
}

class NcclTest : public GpuSessionTest {
 protected:
  NcclTest() { SetDevices(kGpus, 512 * kMiB); }
  void SetUp() override {
#if !__has_include(<nccl.h>)
    GTEST_SKIP() << "the build has no NCCL: nccl.h was not found";
#endif
  }
  ~NcclTest() override { FailNcclCall(0, 0); }

  // A member's value, on its GPU.
  Output Input(int member, int count = 3, DType dtype = kFloat) {
    const Output value = Constant(scope_, TensorOf(dtype, ValuesOf(member, count)));
    return ops::Identity(scope_.On(Gpu(member)), value);
  }
  Output AllReduce(const std::string& name, int member, int members, const Output& input,
                   const std::string& reduction = "sum") {
    return ops::NcclAllReduce(
        scope_.On(Gpu(member)), input,
        {.reduction = reduction, .num_devices = members, .shared_name = name});
  }
  // Two members of "pair", whose outputs are both fetched.
  std::vector<std::string> Pair(const Output& first, const Output& second) {
    return {AllReduce("pair", 0, 2, first).name(), AllReduce("pair", 1, 2, second).name()};
  }
  absl::Status Run(client::Session& session, const std::vector<std::string>& fetches,
                   const client::RunOptions& options = {}) {
    return session.Run({}, fetches, {}, options).status();
  }
  absl::Status Run(const std::vector<std::string>& fetches) {
    EXPECT_TRUE(scope_.status().ok()) << scope_.status();
    return Run(*Open(graph_), fetches);
  }
  void ExpectValues(const std::vector<std::string>& fetches, const std::vector<Tensor>& expected) {
    EXPECT_TRUE(scope_.status().ok()) << scope_.status();
    auto session = Open(graph_);
    for (const uint64_t seed : {0, 1, 2}) {
      SetSeed(seed);
      SetDelay(seed == 0 ? 0 : 50);
      const auto found = session->Run({}, fetches, {});
      ASSERT_TRUE(found.ok()) << found.status();
      for (size_t i = 0; i < expected.size(); ++i)
        EXPECT_EQ((*found)[i].ToString(), expected[i].ToString()) << fetches[i];
    }
  }

  client::Graph graph_;
  const Scope scope_ = Scope(&graph_);
};

TEST_F(NcclTest, ReducesInEachTypeForEachNumberOfMembers) {
  std::vector<std::string> fetches;
  std::vector<Tensor> expected;
  for (const DType dtype : {kHalf, kFloat, kDouble, kInt32, kInt64}) {
    for (const std::string reduction : {"sum", "prod", "min", "max"}) {
      for (int members = 1; members <= kGpus; ++members) {
        const int count = (members - 1) * 3;  // 0 too
        const std::string name = Cat(Name(dtype), reduction, members);
        for (int member = 0; member < members; ++member) {
          const Output input = Input(member, count, dtype);
          fetches.push_back(AllReduce(name, member, members, input, reduction).name());
          expected.push_back(TensorOf(dtype, Reduced(reduction, members, count)));
        }
      }
    }
  }
  const int64_t before = CountLibraryCalls().collectives;
  ExpectValues(fetches, expected);
  EXPECT_EQ(CountLibraryCalls().collectives, before + 3 * 5 * 4 * (kGpus - 1));
}

TEST_F(NcclTest, ReducesToOneMember) {
  std::vector<Output> inputs;
  for (int member = 0; member < 3; ++member) inputs.push_back(Input(member));
  const Output sum = ops::NcclReduce(scope_.On(Gpu(1)), inputs, {.reduction = "sum"});
  const Output most = ops::NcclReduce(scope_.On(Gpu(2)), inputs, {.reduction = "max"});
  const Output both = ops::Add(scope_.On(Gpu(1)), sum, most);
  const int64_t before = CountLibraryCalls().collectives;
  ExpectValues({sum.name(), most.name()},
               {TensorOf(kFloat, Reduced("sum", 3, 3)), TensorOf(kFloat, Reduced("max", 3, 3))});
  EXPECT_EQ(CountLibraryCalls().collectives, before + 3 * 2);
  ASSERT_TRUE(Run({both.name()}).ok());
}

TEST_F(NcclTest, BroadcastsToTheReadersOnOtherGpus) {
  const Output source = ops::NcclBroadcast(scope_.On(Gpu(2)), Input(2), {.shape = {3}});
  const Output unknown = ops::NcclBroadcast(scope_.On(Gpu(2)), Input(2), {});
  std::vector<std::string> fetches;
  for (const Output& from : {source, unknown}) {
    for (const std::string& device : {Gpu(0), Gpu(0), Gpu(1), Gpu(2), std::string("/cpu:0")})
      fetches.push_back(ops::Neg(scope_.On(device), from).name());
  }
  std::vector<double> expected = ValuesOf(2, 3);
  for (double& value : expected) value = -value;
  const int64_t before = CountLibraryCalls().collectives;
  ExpectValues(fetches, std::vector<Tensor>(fetches.size(), TensorOf(kFloat, expected)));
  EXPECT_EQ(CountLibraryCalls().collectives, before + 3);  // one in each step
}

// Members of a group, with and without NCCL.
class GroupOfGpusTest : public NcclTest {
 protected:
  static constexpr int kMembers = 3;

  Output Reduce(int member, int64_t instance, const Output& input, const std::string& final_op) {
    return ops::CollectiveReduce(scope_.On(Gpu(member)), input,
                                 {.group_size = kMembers,
                                  .group_key = 1,
                                  .instance_key = instance,
                                  .merge_op = "Add",
                                  .final_op = final_op,
                                  .subdiv_offsets = {0}});
  }
  // Sums, means, a broadcast from the first member, and a gather.
  void AddAll() {
    std::vector<double> sums = Reduced("sum", kMembers, 3), means = sums;
    for (double& mean : means) mean /= kMembers;
    std::vector<double> gathered;
    for (int member = 0; member < kMembers; ++member) {
      for (const double value : ValuesOf(member, 3)) gathered.push_back(value);
    }
    for (int member = 0; member < kMembers; ++member) {
      const Scope scope = scope_.On(Gpu(member));
      Expect(Reduce(member, 1, Input(member), "Id"), TensorOf(kFloat, sums));
      Expect(Reduce(member, 2, Input(member, 3, kDouble), "Div"), TensorOf(kDouble, means));
      Expect(member == 0
                 ? ops::CollectiveBcastSend(
                       scope, Input(0),
                       {.group_size = kMembers, .group_key = 1, .instance_key = 3, .shape = {3}})
                 : ops::CollectiveBcastRecv(scope, {.T = kFloat,
                                                    .group_size = kMembers,
                                                    .group_key = 1,
                                                    .instance_key = 3,
                                                    .shape = {3}}),
             TensorOf(kFloat, ValuesOf(0, 3)));
      Expect(ops::CollectiveGather(
                 scope, Input(member),
                 {.group_size = kMembers, .group_key = 1, .instance_key = 4, .shape = {9}}),
             TensorOf(kFloat, gathered));
    }
  }
  void Expect(const Output& output, Tensor value) {
    fetches_.push_back(output.name());
    expected_.push_back(std::move(value));
  }
  // The operations of NCCL in a step.
  int64_t RunAll(bool use_nccl) {
    EXPECT_TRUE(scope_.status().ok()) << scope_.status();
    proto::ConfigProto config;
    config.mutable_experimental()->set_collective_nccl(use_nccl);
    auto session = Open(graph_, config);
    const int64_t before = CountLibraryCalls().collectives;
    for (int i = 0; i < 2; ++i) {
      const auto found = session->Run({}, fetches_, {});
      EXPECT_TRUE(found.ok()) << found.status();
      for (size_t k = 0; found.ok() && k < expected_.size(); ++k)
        EXPECT_EQ((*found)[k].ToString(), expected_[k].ToString()) << fetches_[k];
    }
    return (CountLibraryCalls().collectives - before) / 2;
  }

  std::vector<std::string> fetches_;
  std::vector<Tensor> expected_;
};

TEST_F(GroupOfGpusTest, ComputesOnTheHost) {
  AddAll();
  EXPECT_EQ(RunAll(/*use_nccl=*/false), 0);
}

TEST_F(GroupOfGpusTest, UsesNcclIfTheSessionAsks) {
  AddAll();
  EXPECT_EQ(RunAll(/*use_nccl=*/true), 3);  // all but the gather
}

TEST_F(NcclTest, SaysThatTheLibraryIsMissingOrTooOld) {
  const auto fetches = Pair(Input(0), Input(1));
  auto session = Open(graph_);
  cuda::UseLibraryForTest("NCCL", nullptr);
  cuda::SetLibraryPath("/nowhere");
  absl::Status status = Run(*session, fetches);
  EXPECT_TRUE(absl::IsUnimplemented(status)) << status;
  EXPECT_THAT(Message(status),
              AllOf(HasSubstr("needs NCCL 2"), HasSubstr("/nowhere/libnccl.so.2")));
  cuda::SetLibraryPath("");
  cuda::UseLibraryForTest("NCCL", [] {
    return cuda::Library::Find([](const char*) {
      return reinterpret_cast<void*>(+[](int* version) { return *version = 1308, 0; });
    });
  });
  status = Run(*session, fetches);
  EXPECT_TRUE(absl::IsUnimplemented(status)) << status;
  EXPECT_THAT(Message(status), HasSubstr("has version 1308"));
}

TEST_F(NcclTest, AfterAFailingCallTheNextStepIsRight) {
  const auto fetches = Pair(Input(0), Input(1));
  auto session = Open(graph_);
  int failures = 0;
  for (int k = 1; k <= 4; ++k) {
    UseLibraryDoubles();  // forgets the communicators
    FailNcclCall(k, kSystemError);
    const absl::Status status = Run(*session, fetches);
    EXPECT_TRUE(absl::IsInternal(status)) << k << status;
    EXPECT_THAT(Message(status),
                AllOf(HasSubstr("NCCL failed in "), HasSubstr("unhandled system error"),
                      HasSubstr("NcclAllReduce")));
    failures += status.ok() ? 0 : 1;
    EXPECT_TRUE(Run(*session, fetches).ok()) << k;
  }
  EXPECT_EQ(failures, 4);
  const int64_t aborts = CountLibraryCalls().aborts;
  SetNcclAsyncError(kSystemError);
  EXPECT_THAT(Message(Run(*session, fetches)), HasSubstr("an operation before this one"));
  EXPECT_EQ(CountLibraryCalls().aborts, aborts + 2);
  EXPECT_TRUE(Run(*session, fetches).ok());
}

// A member that waits when its step ends.
TEST_F(NcclTest, EndsWithTheStepIfAMemberDoesNotCome) {
  const Output queue = ops::FIFOQueueV2(scope_.On("/cpu:0"), {.component_types = {kFloat}});
  const Output late =
      ops::QueueDequeueV2(scope_.On("/cpu:0"), queue, {.component_types = {kFloat}})[0];
  const auto fetches = Pair(Input(0), ops::Identity(scope_.On(Gpu(1)), late));
  auto session = Open(graph_);
  client::RunOptions options;
  options.timeout_ms = 50;
  for (int i = 0; i < 3; ++i) {
    const absl::Status status = Run(*session, fetches, options);
    EXPECT_TRUE(absl::IsDeadlineExceeded(status)) << status;
  }
}

TEST_F(NcclTest, EndsIfTheStepFailsBeforeAMemberComes) {
  const Output wrong = ops::CheckNumerics(
      scope_.On("/cpu:0"),
      Constant(scope_, TensorOf(kFloat, {std::numeric_limits<double>::infinity()})),
      {.message = "not a number"});
  const absl::Status status = Run(Pair(Input(0), ops::Identity(scope_.On(Gpu(1)), wrong)));
  EXPECT_TRUE(absl::IsInvalidArgument(status)) << status;
  EXPECT_THAT(Message(status), HasSubstr("not a number"));
}

TEST_F(NcclTest, RefusesMembersThatDisagree) {
  const auto sizes = Run(Pair(Input(0, 3), Input(1, 4)));
  EXPECT_TRUE(absl::IsInvalidArgument(sizes)) << sizes;
  EXPECT_THAT(Message(sizes), HasSubstr("members of NcclAllReduce \"pair\" disagree: one has "));
}

TEST_F(NcclTest, RefusesTwoMembersOnOneGpu) {
  const absl::Status status =
      Run({AllReduce("same", 1, 2, Input(1)).name(), AllReduce("same", 1, 2, Input(1)).name()});
  EXPECT_TRUE(absl::IsInvalidArgument(status)) << status;
  EXPECT_THAT(Message(status), HasSubstr("are on one GPU, number 1"));
}

TEST_F(NcclTest, RefusesAStepWithoutAllMembers) {
  const absl::Status status = Run({Pair(Input(0), Input(1))[0]});
  EXPECT_TRUE(absl::IsInvalidArgument(status)) << status;
  EXPECT_THAT(Message(status), HasSubstr("waits for 2 members, but only 1 with shared_name"));
}

TEST_F(NcclTest, RefusesInputsThatAreNotOnDifferentGpus) {
  const Output here = Input(0), there = Input(1);
  const Output host = ops::Identity(scope_.On("/cpu:0"), here);
  const auto reduce = [&](const std::vector<Output>& inputs) {
    return Message(Run({ops::NcclReduce(scope_.On(Gpu(0)), inputs, {.reduction = "sum"}).name()}));
  };
  EXPECT_THAT(reduce({there}), HasSubstr("No input tensor uses the same device as the NcclReduce"));
  EXPECT_THAT(reduce({here, here}), HasSubstr("two inputs are on /job:localhost"));
  EXPECT_THAT(reduce({here, host}), HasSubstr("is not a GPU of the task of"));
}

}  // namespace
}  // namespace sluice::cuda_double
