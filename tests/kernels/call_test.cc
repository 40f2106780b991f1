// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "core/runtime/function_caller.h"
#include "core/runtime/host_functions.h"
#include "gtest/gtest.h"
#include "tests/kernels/kernel_runner.h"

namespace sluice::kernels {
namespace {

absl::StatusOr<bool> Truth(Tensor value) {
  SLUICE_ASSIGN(const auto out, RunOp("ToBool", {}, {std::move(value)}));
  return out[0].scalar<bool>();
}

TEST(CallTest, AScalarIsTrueUnlessItIsZeroOrEmpty) {
  EXPECT_TRUE(*Truth(Tensor::Scalar<float>(0.5f)));
  EXPECT_FALSE(*Truth(Tensor::Scalar<float>(-0.0f)));
  EXPECT_TRUE(*Truth(Tensor::Scalar<int64_t>(-1)));
  EXPECT_FALSE(*Truth(Tensor::Scalar<uint8_t>(0)));
  EXPECT_TRUE(*Truth(Tensor::Scalar<bool>(true)));
  EXPECT_TRUE(*Truth(Tensor::Scalar<std::string>("0")));
  EXPECT_FALSE(*Truth(Tensor::Scalar<std::string>("")));
}

TEST(CallTest, OtherTensorsAreTrueWhenTheyHaveElements) {
  EXPECT_TRUE(*Truth(Tensor::Vector<float>({0, 0})));
  EXPECT_FALSE(*Truth(Tensor(kInt32, Shape{0, 2})));
}

TEST(CallTest, AStandInHasTheKnownSizes) {
  const auto out = RunOp("FakeParam", {{"dtype", kFloat}, {"shape", PartialShape{2, -1}}}, {});
  ASSERT_TRUE(out.ok()) << out.status();
  EXPECT_EQ((*out)[0].shape(), (Shape{2, 0}));
  EXPECT_TRUE(RunOp("FakeParam", {{"dtype", kVariant}, {"shape", PartialShape()}}, {}).ok());
}

// Answers any call with its arguments.
class Echo final : public Function {
 public:
  void Start(Call call, Results done) const override { done(std::move(call.args)); }
  const std::vector<DType>& arg_types() const override { return types_; }
  const std::vector<DType>& result_types() const override { return types_; }

 private:
  const std::vector<DType> types_ = {kFloat};
};

class Echoes final : public FunctionCaller {
 public:
  absl::StatusOr<std::shared_ptr<const Function>> Find(const FunctionRef& function,
                                                       absl::string_view device) override {
    if (function.name != "echo") return NotFound("no function \"", function.name, "\"");
    asked.push_back(std::string(device));
    return std::make_shared<Echo>();
  }
  std::vector<std::string> asked;
};

TEST(CallTest, RemoteCallAsksForItsTarget) {
  KernelRunner runner;
  Echoes echoes;
  const auto call = [&](const char* name, std::vector<DType> types) {
    const AttrMap attrs = {{"f", FunctionRef{name, nullptr}}, {"Tout", types}};
    return runner.Run("RemoteCall", attrs,
                      {Tensor::Scalar<std::string>("/cpu:1"), Tensor::Scalar<float>(2)});
  };
  EXPECT_EQ(call("echo", {kFloat}).status().code(), absl::StatusCode::kFailedPrecondition);
  runner.step().functions = &echoes;
  const auto out = call("echo", {kFloat});
  ASSERT_TRUE(out.ok()) << out.status();
  EXPECT_EQ((*out)[0].scalar<float>(), 2);
  EXPECT_EQ(echoes.asked, std::vector<std::string>{"/job:localhost/replica:0/task:0/device:CPU:1"});
  EXPECT_EQ(call("absent", {kFloat}).status().code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(call("echo", {kFloat, kFloat}).status().code(), absl::StatusCode::kInvalidArgument);
}

TEST(CallTest, ARemoteCallWithTasksSaysWhichIsMeant) {
  KernelRunner runner;
  const auto which = [&](const char* target) {
    const AttrMap attrs = {
        {"f", FunctionRef{"echo", nullptr}},
        {"Tout", std::vector<DType>{kInt32}},
        {"_tasks", std::vector<std::string>{"/job:w/replica:0/task:0", "/job:w/replica:0/task:1"}},
        {"_asks_task", true}};
    const Tensor name = Tensor::Scalar<std::string>(target);
    return runner.Run("RemoteCall", attrs, {name, name});
  };
  const auto second = which("/job:w/task:1/cpu:0");
  ASSERT_TRUE(second.ok()) << second.status();
  EXPECT_EQ((*second)[0].scalar<int32_t>(), 1);
  for (const char* target : {"/job:w/task:2", "/job:w/task:x", "/job:v/task:0"})
    EXPECT_EQ(which(target).status().code(), absl::StatusCode::kInvalidArgument) << target;
}

// Functions of this process that give the sum of their arguments.
class Sums final : public HostFunctions {
 public:
  Sums() { SetHostFunctions(this); }
  ~Sums() override { SetHostFunctions(nullptr); }
  void Start(Call call) override {
    if (call.name != "sum") return call.done(NotFound(call.name));
    float sum = 0;
    for (const Tensor& arg : call.args) sum += arg.scalar<float>();
    call.done(std::vector<Tensor>(call.results.size(), Tensor::Scalar<float>(sum)));
  }
};

TEST(CallTest, PythonFunctionsRunInTheProcessThatHasThem) {
  const Sums sums;
  const Tensor x = Tensor::Scalar<float>(2), y = Tensor::Scalar<float>(3);
  const std::vector<DType> results = {kFloat, kFloat};
  for (const char* op : {"PyFunc", "PyFuncStateless", "EagerPyFunc"}) {
    const auto found = RunOp(op, {{"token", "sum"}, {"Tout", results}}, {x, y});
    ASSERT_TRUE(found.ok()) << found.status();
    ASSERT_EQ(found->size(), 2);
    EXPECT_EQ((*found)[1].scalar<float>(), 5);
    EXPECT_TRUE(absl::IsNotFound(RunOp(op, {{"token", "no"}, {"Tout", results}}, {x}).status()));
  }
}

TEST(CallTest, CallsWithoutCodeReportTheReason) {
  KernelRunner runner;
  const Tensor x = Tensor::Scalar<float>(1);
  const auto python =
      runner.Run("PyFunc", {{"token", "pyfunc_7"}, {"Tout", std::vector<DType>{kFloat}}}, {x});
  EXPECT_EQ(python.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(python.status().message(), testing::HasSubstr("callback pyfunc_7 is not found"));
  for (const char* op : {"SymbolicGradient", "PartitionedCall", "RemoteCall"}) {
    const Tensor first =
        absl::string_view(op) == "RemoteCall" ? Tensor::Scalar<std::string>("") : x;
    const auto refused =
        runner.Run(op,
                   {{"f", FunctionRef{"f", nullptr}},
                    {"_refused", "no way back"},
                    {"_refused_code", static_cast<int64_t>(absl::StatusCode::kUnimplemented)},
                    {"Tout", std::vector<DType>{kFloat}}},
                   {first, x});
    EXPECT_EQ(refused.status().code(), absl::StatusCode::kUnimplemented) << op;
    EXPECT_THAT(refused.status().message(), testing::HasSubstr("no way back"));
  }
}

}  // namespace
}  // namespace sluice::kernels
