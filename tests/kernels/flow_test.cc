// SPDX-License-Identifier: Apache-2.0
#include "core/runtime/local_rendezvous.h"
#include "gtest/gtest.h"
#include "tests/kernels/kernel_runner.h"

namespace sluice::kernels {
namespace {

Tensor Floats(std::vector<float> values) { return Tensor::Vector<float>(values); }
Tensor Bool(bool value) { return Tensor::Scalar<bool>(value); }

template <typename Result>
std::string ErrorOf(const Result& result) {
  return result.ok() ? "OK" : std::string(result.status().message());
}

TEST(FlowTest, ConstGivesItsValue) {
  const auto out = RunOp("Const", {{"dtype", kFloat}, {"value", Floats({1, 2})}}, {});
  ASSERT_TRUE(out.ok()) << out.status();
  EXPECT_EQ(SameTensor((*out)[0], Floats({1, 2})), absl::OkStatus());
  const auto other = RunOp("Const", {{"dtype", kInt32}, {"value", Floats({1, 2})}}, {});
  EXPECT_EQ(other.status().message(), "Type mismatch between value (float) and dtype (int32)");
}

TEST(FlowTest, PlaceholdersAskForTheirValue) {
  KernelRunner runner;
  auto ask = [&](PartialShape shape) {
    const auto node = runner.Make("Placeholder", {{"dtype", kFloat}, {"shape", shape}}, {}, "x");
    return ErrorOf(runner.Run(*node, {}));
  };
  const std::string text = "You must feed a value for placeholder tensor 'x' with dtype float";
  EXPECT_EQ(ask({-1, 2}), text + " and shape [?,2]");
  EXPECT_EQ(ask(Shape()), text);
  EXPECT_EQ(ask(PartialShape()), text);
}

TEST(FlowTest, IdentitySharesTheBuffer) {
  const Tensor a = Floats({1}), b = Tensor::Scalar<std::string>("s");
  const auto out = RunOp("IdentityN", {}, {a, b});
  ASSERT_TRUE(out.ok()) << out.status();
  EXPECT_EQ((*out)[0].raw(), a.raw());
  EXPECT_EQ((*out)[1].raw(), b.raw());
}

TEST(FlowTest, SwitchLeavesTheOtherSideDead) {
  for (const bool pred : {false, true}) {
    const auto out = RunOp("Switch", {}, {Floats({1}), Bool(pred)});
    ASSERT_TRUE(out.ok()) << out.status();
    EXPECT_EQ((*out)[0].valid(), !pred);
    EXPECT_EQ((*out)[1].valid(), pred);
  }
  EXPECT_FALSE(RunOp("Switch", {}, {Floats({1}), Tensor::Vector<bool>({true, false})}).ok());
}

TEST(FlowTest, SwitchNTakesTheLastOutputForWildIndices) {
  for (const auto& [index, output] :
       std::vector<std::pair<int, int>>{{0, 0}, {2, 2}, {3, 2}, {-1, 2}}) {
    const auto out =
        RunOp("_SwitchN", {{"num_outs", 3}}, {Floats({1}), Tensor::Scalar<int32_t>(index)});
    ASSERT_TRUE(out.ok()) << out.status();
    for (int i = 0; i < 3; ++i) EXPECT_EQ((*out)[i].valid(), i == output);
  }
}

TEST(FlowTest, SwitchNRefusesAListOfIndices) {
  auto result = RunOp("_SwitchN", {{"num_outs", 3}}, {Floats({1}), Tensor::Vector<int32_t>({1})});
  EXPECT_EQ(result.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(result.status().message(), "The second input must be a scalar, but it has shape [1]");
}

TEST(FlowTest, MergeTakesTheLiveInput) {
  KernelRunner runner;
  const auto node = runner.Make("Merge", {}, {kFloat, kFloat});
  ASSERT_TRUE(node.ok()) << node.status();
  const auto out = runner.RunSlots(*node, {DeadSlot(), ValueSlot(Floats({5}))});
  ASSERT_TRUE(out.ok()) << out.status();
  EXPECT_EQ((*out)[0].value.scalar<float>(), 5);
  EXPECT_EQ((*out)[1].value.scalar<int32_t>(), 1);
  EXPECT_FALSE(runner.RunSlots(*node, {DeadSlot(), DeadSlot()}).ok());
}

TEST(FlowTest, ReferencesPassUnread) {
  KernelRunner runner;
  const auto a = MakeRefCounted<RefVariable>(kFloat, "a"),
             b = MakeRefCounted<RefVariable>(kFloat, "b");
  auto out = runner.RunSlots("RefSwitch", {}, {RefSlot(a), ValueSlot(Bool(true))});
  ASSERT_TRUE(out.ok()) << out.status();
  EXPECT_EQ((*out)[1].ref, a);
  EXPECT_EQ((*out)[0].state, Slot::State::kEmpty);
  out = runner.RunSlots("RefSelect", {},
                        {ValueSlot(Tensor::Scalar<int32_t>(1)), RefSlot(a), RefSlot(b)});
  ASSERT_TRUE(out.ok()) << out.status();
  EXPECT_EQ((*out)[0].ref, b);
  EXPECT_EQ(ErrorOf(runner.RunSlots(
                "RefSelect", {}, {ValueSlot(Tensor::Scalar<int32_t>(2)), RefSlot(a), RefSlot(b)})),
            "Index must be in the range [0, 2) but got 2");
}

TEST(FlowTest, ArgsAndRetvalsAreThoseOfTheStep) {
  KernelRunner runner;
  const std::vector<Tensor> args = {Floats({1}), Floats({2})};
  std::vector<Parcel> retvals(2);
  runner.step().args = args;
  runner.step().retvals = absl::MakeSpan(retvals);
  const auto out = runner.Run("_Arg", {{"T", kFloat}, {"index", 1}}, {});
  ASSERT_TRUE(out.ok()) << out.status();
  EXPECT_EQ((*out)[0].scalar<float>(), 2);
  EXPECT_FALSE(runner.Run("_Arg", {{"T", kFloat}, {"index", 2}}, {}).ok());
  EXPECT_FALSE(runner.Run("_Arg", {{"T", kInt32}, {"index", 0}}, {}).ok());

  ASSERT_TRUE(runner.Run("_Retval", {{"index", 0}}, {Floats({7})}).ok());
  EXPECT_EQ(retvals[0].tensor.scalar<float>(), 7);
  ASSERT_TRUE(runner.RunSlots("_Retval", {{"T", kFloat}, {"index", 1}}, {DeadSlot()}).ok());
  EXPECT_TRUE(retvals[1].dead);
}

TEST(FlowTest, AssertShowsItsData) {
  auto text = [](Tensor data, int summarize) {
    return ErrorOf(RunOp("Assert", {{"summarize", summarize}},
                         {Bool(false), std::move(data), Tensor::Scalar<std::string>("msg")}));
  };
  EXPECT_TRUE(RunOp("Assert", {}, {Bool(true), Floats({1})}).ok());
  EXPECT_EQ(text(Tensor::Vector<int32_t>({1, 2}), 3), "assertion failed: [1 2] [msg]");
  EXPECT_EQ(text(Floats({1.5f, 1e5f, 1e-7f, 0.1f, 1234567}), 3),
            "assertion failed: [1.5 100000 1e-07...] [msg]");
  EXPECT_EQ(text(Floats({1.5f, 1e5f, 1e-7f, 0.1f, 1234567}), -1),
            "assertion failed: [1.5 100000 1e-07 0.1 1234567] [msg]");
  EXPECT_EQ(text(Tensor::Of<int32_t>({2, 2}, {1, 2, 3, 4}), 3),
            "assertion failed: [[1 2][3...]...] [msg]");
  EXPECT_EQ(text(Tensor::Of<int32_t>({2, 2}, {1, 2, 3, 4}), -1),
            "assertion failed: [[1 2][3 4]] [msg]");
  const Tensor cube = Tensor::Of<int32_t>({2, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8});
  EXPECT_EQ(text(cube, 3), "assertion failed: [[[1 2][3...]]...] [msg]");
  EXPECT_EQ(text(cube, 5), "assertion failed: [[[1 2][3 4]][[5...]]...] [msg]");
  EXPECT_EQ(text(Tensor::Vector<std::string>({"a\n", "b'c"}), 3),
            "assertion failed: [a\\n b\\'c] [msg]");
  EXPECT_EQ(text(Bool(true), 3), "assertion failed: [1] [msg]");
  EXPECT_EQ(text(Tensor::Scalar<Complex64>({1, 2}), 3), "assertion failed: [?] [msg]");
  EXPECT_EQ(text(Floats({}), 3), "assertion failed: [] [msg]");
}

TEST(FlowTest, CheckNumericsNamesWhatItFound) {
  const float inf = std::numeric_limits<float>::infinity(),
              nan = std::numeric_limits<float>::quiet_NaN();
  auto check = [](Tensor t) {
    return ErrorOf(RunOp("CheckNumerics", {{"message", "msg"}}, {std::move(t)}));
  };
  EXPECT_EQ(check(Floats({1, 2})), "OK");
  EXPECT_EQ(check(Floats({1, nan})), "msg : Tensor had NaN values");
  EXPECT_EQ(check(Floats({inf})), "msg : Tensor had Inf values");
  EXPECT_EQ(check(Tensor::Vector<Half>({Half(inf), Half(nan)})),
            "msg : Tensor had Inf and NaN values");
}

TEST(FlowTest, EnsureShapeComparesShapes) {
  EXPECT_TRUE(RunOp("EnsureShape", {{"shape", PartialShape{-1}}}, {Floats({1, 2})}).ok());
  EXPECT_EQ(ErrorOf(RunOp("EnsureShape", {{"shape", PartialShape{3}}}, {Floats({1, 2})})),
            "Shape of tensor input0 [2] is not compatible with expected shape [3].");
}

// --- the two ends of a cut edge ---

struct Cut {
  LocalRendezvous rendezvous;
  KernelRunner runner;
  AttrMap attrs = {{"tensor_name", "edge"},
                   {"send_device", "a"},
                   {"send_device_incarnation", 1},
                   {"recv_device", "b"},
                   {"_edge", 4}};

  Cut() { runner.step().rendezvous = &rendezvous; }
  absl::StatusOr<std::vector<Slot>> Recv(DType dtype) {
    AttrMap with_type = attrs;
    with_type["tensor_type"] = dtype;
    return runner.RunSlots("_Recv", with_type, {});
  }
};

TEST(SendRecvTest, CarriesTheValue) {
  Cut cut;
  ASSERT_TRUE(cut.runner.Run("_Send", cut.attrs, {Floats({3})}).ok());
  const auto out = cut.Recv(kFloat);
  ASSERT_TRUE(out.ok()) << out.status();
  EXPECT_EQ((*out)[0].value.scalar<float>(), 3);
}

TEST(SendRecvTest, TensorsOfDifferentIterationsAreSeparate) {
  Cut cut;
  for (int64_t i = 0; i < 3; ++i) {
    cut.runner.frame = 9;
    cut.runner.iteration = i;
    ASSERT_TRUE(cut.runner.Run("_Send", cut.attrs, {Tensor::Scalar<int64_t>(i)}).ok());
  }
  for (int64_t i = 2; i >= 0; --i) {
    cut.runner.iteration = i;
    const auto out = cut.Recv(kInt64);
    ASSERT_TRUE(out.ok()) << out.status();
    EXPECT_EQ((*out)[0].value.scalar<int64_t>(), i);
  }
}

TEST(SendRecvTest, DeadnessTravels) {
  Cut cut;
  cut.attrs["T"] = kFloat;
  ASSERT_TRUE(cut.runner.RunSlots("_Send", cut.attrs, {DeadSlot()}).ok());
  cut.attrs.erase("T");
  const auto out = cut.Recv(kFloat);
  ASSERT_TRUE(out.ok()) << out.status();
  EXPECT_EQ((*out)[0].state, Slot::State::kDead);
}

TEST(SendRecvTest, RefusesAnotherDType) {
  Cut cut;
  ASSERT_TRUE(cut.runner.Run("_Send", cut.attrs, {Floats({3})}).ok());
  EXPECT_EQ(cut.Recv(kInt32).status().code(), absl::StatusCode::kInvalidArgument);
}

TEST(SendRecvTest, AVariablesMemoryLeavesAsASnapshot) {
  Cut cut;
  const auto variable = MakeRefCounted<RefVariable>(kFloat, "v");
  ASSERT_TRUE(
      cut.runner.RunSlots("Assign", {}, {RefSlot(variable), ValueSlot(Floats({1, 2}))}).ok());
  ASSERT_TRUE(cut.runner.RunSlots("_Send", cut.attrs, {RefSlot(variable)}).ok());
  ASSERT_TRUE(
      cut.runner.RunSlots("AssignAdd", {}, {RefSlot(variable), ValueSlot(Floats({1, 1}))}).ok());
  const auto out = cut.Recv(kFloat);
  ASSERT_TRUE(out.ok()) << out.status();
  EXPECT_EQ(SameTensor((*out)[0].value, Floats({1, 2})), absl::OkStatus());
}

TEST(SendRecvTest, AbortEndsTheWait) {
  Cut cut;
  cut.rendezvous.Abort(Cancelled("over"));
  EXPECT_EQ(cut.Recv(kFloat).status().code(), absl::StatusCode::kCancelled);
}

}  // namespace
}  // namespace sluice::kernels
