// SPDX-License-Identifier: Apache-2.0
// What the kernels of collective ops ask of the groups: the fields of each call, shapes and errors.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/runtime/collectives.h"
#include "tests/kernels/kernel_runner.h"

namespace sluice::kernels {
namespace {

using testing::HasSubstr;

constexpr const char* kOps[] = {"reduce", "scatter", "gather", "broadcast", "all to all"};

// The call in one line, with its deviations from the defaults.
std::string Describe(const CollectiveCall& call) {
  std::string text = absl::StrCat(kOps[static_cast<int>(call.op)], " group ", call.group_key,
                                  " of ", call.group_size, " instance ", call.instance_key);
  if (!call.name.empty()) absl::StrAppend(&text, " name ", call.name);
  if (!call.reduction.name.empty()) absl::StrAppend(&text, " (", call.reduction.name, ")");
  if (call.hint != "auto") absl::StrAppend(&text, " hint ", call.hint);
  if (call.timeout != absl::ZeroDuration())
    absl::StrAppend(&text, " timeout ", absl::FormatDuration(call.timeout));
  if (call.source) text += " source";
  if (call.frame != 0) absl::StrAppend(&text, " frame ", call.frame, ":", call.iteration);
  if (call.input.valid())
    absl::StrAppend(&text, " ", Name(call.input.dtype()), " ", call.input.shape().ToString());
  return absl::StrCat(text, " -> ", call.output.shape().ToString());
}

// Remembers the calls, and ends each with `result`. All bytes of outputs become 1.
class FakeCollectives final : public Collectives {
 public:
  void Start(Device&, CollectiveCall call, Done done) override {
    calls.push_back(Describe(call));
    in_place = call.input.valid() && call.input.raw() == call.output.raw();
    if (!call.source)
      memset(call.output.raw(), 1,
             static_cast<size_t>(call.output.num_elements()) * SizeOf(call.output.dtype()));
    done(result);
  }
  std::vector<std::string> calls;
  bool in_place = false;
  absl::Status result;
};

// Runs the op. The last call, or the error.
struct Runner {
  Runner() { kernels.step().collectives = &groups; }

  std::string Run(absl::string_view op, AttrMap attrs, std::vector<Tensor> inputs) {
    groups.calls.clear();
    auto ran = kernels.Run(op, std::move(attrs), std::move(inputs));
    if (!ran.ok())
      return absl::StrCat(absl::StatusCodeToString(ran.status().code()), ": ",
                          ran.status().message());
    outputs = *std::move(ran);
    return groups.calls.empty() ? "no call" : groups.calls.back();
  }

  FakeCollectives groups;
  KernelRunner kernels;
  std::vector<Tensor> outputs;
};

AttrMap Keys(AttrMap more = {}, int64_t size = 3) {
  more.emplace("group_size", size);
  more.emplace("group_key", int64_t{7});
  more.emplace("instance_key", int64_t{9});
  return more;
}

AttrMap Sum(AttrMap more = {}) {
  more.emplace("merge_op", std::string("Add"));
  more.emplace("final_op", std::string("Id"));
  return more;
}

AttrMap SumV1(int64_t size = 3) {
  AttrMap attrs = Keys(Sum(), size);
  attrs.emplace("subdiv_offsets", std::vector<int64_t>{0});
  return attrs;
}

Tensor Key(int32_t value) { return Tensor::Scalar<int32_t>(value); }
Tensor Floats(const Shape& shape) { return Tensor(kFloat, shape); }

// `input` and the keys of a group of three.
std::vector<Tensor> Keyed(Tensor input, int32_t size = 3) {
  return {std::move(input), Key(size), Key(7), Key(9)};
}

TEST(CollectiveTest, AttributesBecomeACall) {
  Runner run;
  EXPECT_EQ(run.Run("CollectiveReduce", SumV1(), {Floats(Shape{4, 2})}),
            "reduce group 7 of 3 instance 9 (Add, Id) float [4,2] -> [4,2]");
  EXPECT_FALSE(run.groups.in_place);
  AttrMap attrs = SumV1();
  attrs["merge_op"] = std::string("Max");
  attrs["final_op"] = std::string("Div");
  attrs["communication_hint"] = std::string("ring");
  attrs["timeout_seconds"] = 1.5f;
  attrs["wait_for"] = std::vector<int64_t>{3, 4};
  attrs["_collective_name"] = std::string("gradient");
  EXPECT_EQ(run.Run("CollectiveReduce", attrs, {Tensor::Scalar<int64_t>(2)}),
            "reduce group 7 of 3 instance 9 name gradient (Max, Div) hint ring timeout 1.5s int64 "
            "[] -> []");
  EXPECT_EQ(run.Run("CollectiveGather", Keys({{"shape", PartialShape{0}}}), {Floats(Shape{2, 5})}),
            "gather group 7 of 3 instance 9 float [2,5] -> [6,5]");
  EXPECT_EQ(run.Run("CollectiveBcastSend", Keys({{"shape", PartialShape{2}}}), {Floats(Shape{2})}),
            "broadcast group 7 of 3 instance 9 source float [2] -> [2]");
  EXPECT_TRUE(run.groups.in_place);
  EXPECT_EQ(run.Run("CollectiveBcastRecv", Keys({{"shape", PartialShape{2, 0}}, {"T", kBool}}), {}),
            "broadcast group 7 of 3 instance 9 -> [2,0]");
}

TEST(CollectiveTest, InputsBecomeACall) {
  Runner run;
  EXPECT_EQ(run.Run("CollectiveReduceV2", Sum(), Keyed(Floats(Shape{0, 2}))),
            "reduce group 7 of 3 instance 9 (Add, Id) float [0,2] -> [0,2]");
  EXPECT_EQ(run.Run("CollectiveReduceV2", Sum({{"timeout_seconds", 2.0f}}),
                    Keyed(Tensor::Scalar<int32_t>(1))),
            "reduce group 7 of 3 instance 9 (Add, Id) timeout 2s int32 [] -> []");
  EXPECT_EQ(run.Run("CollectiveGatherV2", {{"communication_hint", std::string("ring")}},
                    Keyed(Floats(Shape{1}))),
            "gather group 7 of 3 instance 9 hint ring float [1] -> [3]");
  EXPECT_EQ(run.Run("CollectiveReduceScatterV2", Sum(), Keyed(Floats(Shape{6, 2}))),
            "scatter group 7 of 3 instance 9 (Add, Id) float [6,2] -> [2,2]");
  EXPECT_EQ(run.Run("CollectiveAllToAllV2", {}, Keyed(Floats(Shape{6, 2}))),
            "all to all group 7 of 3 instance 9 float [6,2] -> [6,2]");
  EXPECT_EQ(run.Run("CollectiveBcastSendV2", {}, Keyed(Floats(Shape{}))),
            "broadcast group 7 of 3 instance 9 source float [] -> []");
  for (const Tensor& shape : {Tensor::Vector<int32_t>({2, 3}), Tensor::Vector<int64_t>({2, 3})}) {
    EXPECT_EQ(run.Run("CollectiveBcastRecvV2", {{"T", kHalf}}, {Key(3), Key(7), Key(9), shape}),
              "broadcast group 7 of 3 instance 9 -> [2,3]");
    EXPECT_EQ(run.outputs[0].dtype(), kHalf);
  }
}

TEST(CollectiveTest, ACallHasThePositionWithinLoops) {
  Runner run;
  run.kernels.frame = 5;
  run.kernels.iteration = 12;
  EXPECT_EQ(run.Run("CollectiveReduce", SumV1(), {Floats(Shape{1})}),
            "reduce group 7 of 3 instance 9 (Add, Id) frame 5:12 float [1] -> [1]");
}

TEST(CollectiveTest, ACommunicatorNumbersItsOperations) {
  Runner run;
  const std::string joined =
      run.Run("CollectiveInitializeCommunicator",
              {{"communication_hint", std::string("ring")}, {"timeout_seconds", 4.0f}},
              {Key(7), Key(1), Key(2)});
  EXPECT_EQ(joined, "gather group 7 of 2 instance 4294967296 timeout 4s int32 [0] -> [0]");
  const Tensor group = run.outputs[0], no_assignment = Tensor(kInt32, Shape{0, 0});
  EXPECT_EQ(run.Run("CollectiveReduceV3", {{"reduction", std::string("Mul")}},
                    {Floats(Shape{3}), group, no_assignment}),
            "reduce group 7 of 2 instance 4294967297 (Mul, Id) hint ring timeout 4s float [3] -> "
            "[3]");
  EXPECT_EQ(run.Run("CollectiveAllToAllV3", {{"timeout_seconds", 1.0f}},
                    {Floats(Shape{2}), group, no_assignment}),
            "all to all group 7 of 2 instance 4294967298 hint ring timeout 1s float [2] -> [2]");
  EXPECT_EQ(
      run.Run("CollectiveAllToAllV3", {}, {Floats(Shape{2}), group, Tensor(kInt32, Shape{1, 2})}),
      "UNIMPLEMENTED: Group assignments are not supported yet.");
  // A program that starts again begins with the first number.
  EXPECT_EQ(run.Run("CollectiveInitializeCommunicator", {}, {Key(7), Key(1), Key(2)}),
            "gather group 7 of 2 instance 4294967296 int32 [0] -> [0]");
}

TEST(CollectiveTest, AGroupIsARowOfTheAssignment) {
  KernelRunner run;
  const Tensor groups = Tensor::Of<int32_t>(Shape{2, 2}, {0, 2, 1, 3});
  auto of = [&](const Tensor& assignment, int32_t device, int32_t base) {
    auto out = run.Run("CollectiveAssignGroupV2", {}, {assignment, Key(device), Key(base)});
    return out.ok() ? absl::StrCat((*out)[0].scalar<int32_t>(), " with key ",
                                   (*out)[1].scalar<int32_t>())
                    : std::string(out.status().message());
  };
  EXPECT_EQ(of(groups, 2, 10), "2 with key 10");
  EXPECT_EQ(of(groups, 1, 10), "2 with key 11");
  EXPECT_THAT(of(groups, 4, 10), HasSubstr("device_index 4 is not found in group_assignment"));
  EXPECT_THAT(of(groups, 1, -1), HasSubstr("the reserved group_key = 0 is not allowed"));
  EXPECT_THAT(of(Tensor::Of<int32_t>(Shape{1, 2}, {0, 7}), 1, 1),
              HasSubstr("is within [0, number of devices)"));
  EXPECT_THAT(of(Tensor::Vector<int32_t>({0, 1}), 1, 1),
              HasSubstr("group_assignment must be a 2-d Tensor"));
}

struct Mistake {
  const char* op;
  AttrMap attrs;
  std::vector<Tensor> inputs;
  const char* error;
};

TEST(CollectiveTest, MistakesAreNamed) {
  const Tensor two = Tensor::Vector<int32_t>({1, 2}), x = Floats(Shape{3});
  const Mistake mistakes[] = {
      {"CollectiveReduce", SumV1(0), {x}, "group_size must be positive integer but got 0"},
      {"CollectiveReduce", SumV1(int64_t{1} << 32), {x}, "group_size must be positive integer"},
      {"CollectiveGather",
       Keys({{"shape", PartialShape{5}}}),
       {x},
       "INTERNAL: Inconsistent output shapes, got [9], but expected is [5]."},
      {"CollectiveGather",
       Keys({{"shape", PartialShape{0}}}),
       {Floats(Shape{})},
       "input should have rank > 0, received 0"},
      {"CollectiveBcastSend",
       Keys({{"shape", PartialShape{5}}}),
       {x},
       "INTERNAL: Declared shape of op node: Broadcast(1) does not match shape of input"},
      {"CollectiveReduceV2", Sum(), Keyed(x, -1), "group_size must be positive integer but got -1"},
      {"CollectiveReduceV2",
       Sum(),
       {x, two, Key(1), Key(1)},
       "Unexpected dimensions on input group_size, got [2]"},
      {"CollectiveGatherV2",
       {},
       {x, Key(1), two, Key(1)},
       "Unexpected dimensions on input group_key, got [2]"},
      {"CollectiveBcastSendV2",
       {},
       {x, Key(1), Key(1), two},
       "Unexpected dimensions on input instance_key, got [2]"},
      {"CollectiveBcastRecvV2",
       {{"T", kFloat}},
       {Key(1), Key(1), Key(1), Key(-2)},
       "INVALID_ARGUMENT"},
      {"CollectiveBcastRecvV2",
       {{"T", kFloat}},
       {Key(1), Key(1), Key(1), Tensor::Vector<int32_t>({-2})},
       "INVALID_ARGUMENT"},
      {"CollectiveGatherV2", {}, Keyed(Floats(Shape{})), "input should have rank > 0, received 0"},
      {"CollectiveGatherV2", {}, Keyed(Floats(Shape{int64_t{1} << 62, 0})), "is too large"},
      {"CollectiveReduceScatterV2", Sum(), Keyed(Floats(Shape{4})),
       "must be a multiple of the group's size, 3"},
      {"CollectiveAllToAllV2",
       {},
       Keyed(Floats(Shape{4})),
       "must be a multiple of the group's size, 3"},
      {"CollectiveInitializeCommunicator",
       {},
       {Key(1), Key(2), Key(2)},
       "rank must be less than group size but got 2 >= 2"},
      {"CollectiveInitializeCommunicator",
       {},
       {Key(1), Key(-1), Key(2)},
       "rank must be non-negative integer but got -1"},
      {"CollectiveInitializeCommunicator",
       {},
       {Key(1), Key(0), Key(0)},
       "group_size must be positive integer but got 0"},
      {"CollectiveInitializeCommunicator",
       {},
       {two, Key(0), Key(1)},
       "Unexpected dimensions on input group_key"},
  };
  Runner run;
  for (const Mistake& mistake : mistakes) {
    EXPECT_THAT(run.Run(mistake.op, mistake.attrs, mistake.inputs), HasSubstr(mistake.error))
        << mistake.op;
  }
}

TEST(CollectiveTest, AFailedOperationFailsTheKernel) {
  Runner run;
  run.groups.result = Unavailable("task 3 went away");
  EXPECT_THAT(run.Run("CollectiveReduce", SumV1(), {Floats(Shape{1})}),
              HasSubstr("UNAVAILABLE: task 3 went away"));
  run.kernels.step().collectives = nullptr;
  EXPECT_THAT(run.Run("CollectiveReduce", SumV1(), {Floats(Shape{1})}),
              HasSubstr("UNIMPLEMENTED: this worker has no collective groups"));
}

}  // namespace
}  // namespace sluice::kernels
