// SPDX-License-Identifier: Apache-2.0
#include "worker_service/functions.h"

#include <gmock/gmock.h>
#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

#include "absl/synchronization/notification.h"
#include "core/threads/thread_pool.h"
#include "graph/all_ops.h"
#include "kernels/register.h"
#include "proto/function.pb.h"

namespace sluice::worker {
namespace {

using testing::HasSubstr;

const char kTask[] = "/job:w/replica:0/task:0";
const char kCpu0[] = "/job:w/replica:0/task:0/device:CPU:0";
const char kCpu1[] = "/job:w/replica:0/task:0/device:CPU:1";

// count() draws numbers; cast(x) is a function of types; twice(x) is not recursive: 2x through
// another device; branch(p, x) = p ? -x : x; far(x) asks for another task; wait() waits.
const char kLibrary[] = R"(
  function {
    signature { name: 'draw' output_arg { name: 'y' type: DT_FLOAT } is_stateful: true }
    node_def { name: 's' op: 'Const' attr { key: 'dtype' value { type: DT_INT32 } } attr { key: 'value'
               value { tensor { dtype: DT_INT32 tensor_shape { dim { size: 0 } } } } } }
    node_def { name: 'r' op: 'RandomUniform' input: 's:output:0'
               attr { key: 'T' value { type: DT_INT32 } } attr { key: 'dtype' value { type: DT_FLOAT } }
               attr { key: 'seed' value { i: 7 } } attr { key: 'seed2' value { i: 1 } } }
    ret { key: 'y' value: 'r:output:0' }
  }
  function {
    signature { name: 'cast' input_arg { name: 'x' type_attr: 'S' } output_arg { name: 'y' type_attr: 'D' }
                attr { name: 'S' type: 'type' } attr { name: 'D' type: 'type' } }
    node_def { name: 'c' op: 'Cast' input: 'x' attr { key: 'SrcT' value { placeholder: 'S' } }
               attr { key: 'DstT' value { placeholder: 'D' } } }
    ret { key: 'y' value: 'c:y:0' }
  }
  function {
    signature { name: 'twice' input_arg { name: 'x' type: DT_FLOAT } output_arg { name: 'y' type: DT_FLOAT } }
    node_def { name: 'n' op: 'Neg' input: 'x' device: '/cpu:1' attr { key: 'T' value { type: DT_FLOAT } } }
    node_def { name: 's' op: 'Sub' input: 'x' input: 'n:y:0' attr { key: 'T' value { type: DT_FLOAT } } }
    ret { key: 'y' value: 's:z:0' }
  }
  function {
    signature { name: 'same' input_arg { name: 'x' type: DT_FLOAT } output_arg { name: 'y' type: DT_FLOAT } }
    ret { key: 'y' value: 'x' }
  }
  function {
    signature { name: 'square' input_arg { name: 'x' type: DT_FLOAT } output_arg { name: 'y' type: DT_FLOAT } }
    node_def { name: 'n' op: 'Neg' input: 'x' attr { key: 'T' value { type: DT_FLOAT } }
               attr { key: '_instance' value { s: 'one' } } }
    node_def { name: 's' op: 'Square' input: 'n:y:0' attr { key: 'T' value { type: DT_FLOAT } }
               attr { key: '_instance' value { s: 'one' } } }
    ret { key: 'y' value: 's:y:0' }
  }
  function {
    signature { name: 'branch' input_arg { name: 'p' type: DT_BOOL } input_arg { name: 'x' type: DT_FLOAT }
                output_arg { name: 'y' type: DT_FLOAT } }
    node_def { name: 'if' op: 'StatelessIf' input: 'p' input: 'x'
               attr { key: 'Tcond' value { type: DT_BOOL } }
               attr { key: 'Tin' value { list { type: DT_FLOAT } } }
               attr { key: 'Tout' value { list { type: DT_FLOAT } } }
               attr { key: 'then_branch' value { func { name: 'twice' } } }
               attr { key: 'else_branch' value { func { name: 'same' } } } }
    ret { key: 'y' value: 'if:output:0' }
  }
  function {
    signature { name: 'far' input_arg { name: 'x' type: DT_FLOAT } output_arg { name: 'y' type: DT_FLOAT } }
    node_def { name: 'n' op: 'Neg' input: 'x' device: '/job:ps/task:0' attr { key: 'T' value { type: DT_FLOAT } } }
    ret { key: 'y' value: 'n:y:0' }
  }
  function {
    signature { name: 'remote' input_arg { name: 't' type: DT_STRING } input_arg { name: 'x' type: DT_FLOAT }
                output_arg { name: 'y' type: DT_FLOAT } is_stateful: true }
    node_def { name: 'call' op: 'RemoteCall' input: 't' input: 'x'
               attr { key: 'Tin' value { list { type: DT_FLOAT } } }
               attr { key: 'Tout' value { list { type: DT_FLOAT } } }
               attr { key: 'f' value { func { name: 'twice' } } } }
    ret { key: 'y' value: 'call:output:0' }
  }
  function {
    signature { name: 'fails' input_arg { name: 'x' type: DT_FLOAT } output_arg { name: 'y' type: DT_FLOAT } }
    node_def { name: 'check' op: 'CheckNumerics' input: 'x' attr { key: 'T' value { type: DT_FLOAT } }
               attr { key: 'message' value { s: 'seen' } } }
    ret { key: 'y' value: 'check:output:0' }
  }
  function {
    signature { name: 'unknown' input_arg { name: 'x' type: DT_FLOAT } output_arg { name: 'y' type: DT_FLOAT } }
    node_def { name: 'n' op: 'NoSuchOp' input: 'x' }
    ret { key: 'y' value: 'n:y:0' }
  }
)";

class FunctionsTest : public testing::Test {
 protected:
  FunctionsTest() : pool_(CreateThreadPool(2, "functions_test")) {
    kernels::RegisterAllKernels(kernels_);
    site_ = std::make_shared<FunctionSite>();
    site_->task = kTask;
    for (const char* name : {kCpu0, kCpu1}) {
      devices_.push_back(CreateCpuDevice(name, nullptr));
      site_->devices.push_back(devices_.back().get());
      site_->device_names.push_back(*DeviceName::Parse(name));
      site_->resources.push_back(&devices_.back()->resources());
    }
    site_->kernels = &kernels_;
    site_->ops = &graph::AllOps();
    site_->pool = pool_.get();
    site_->rules.default_container = "w";
    proto::FunctionDefLibrary def;
    EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(kLibrary, &def));
    auto library = graph::ExtendLibrary(nullptr, def);
    EXPECT_TRUE(library.ok()) << library.status();
    site_->library = *library;
    functions_ = std::make_unique<Functions>(site_);
  }

  absl::StatusOr<std::vector<Tensor>> Call(const std::string& name, std::vector<Tensor> args,
                                           AttrMap attrs = {}, const std::string& device = "") {
    auto function = functions_->Find({name, std::make_shared<const AttrMap>(attrs)}, device);
    if (!function.ok()) return function.status();
    return Call(**function, std::move(args));
  }
  static absl::StatusOr<std::vector<Tensor>> Call(const Function& function,
                                                  std::vector<Tensor> args,
                                                  CancelToken* cancel = nullptr) {
    absl::Notification ended;
    absl::StatusOr<std::vector<Tensor>> results;
    Function::Call call;
    call.args = std::move(args);
    call.cancel = cancel;
    function.Start(std::move(call), [&](absl::StatusOr<std::vector<Tensor>> r) {
      results = std::move(r);
      ended.Notify();
    });
    ended.WaitForNotification();
    return results;
  }
  float Value(const std::string& name, std::vector<Tensor> args) {
    auto results = Call(name, std::move(args));
    EXPECT_TRUE(results.ok()) << results.status();
    return results.ok() ? (*results)[0].scalar<float>() : 0;
  }
  static Tensor Float(float value) { return Tensor::Scalar<float>(value); }

  KernelRegistry kernels_;
  std::unique_ptr<WorkQueue> pool_;
  std::vector<std::unique_ptr<Device>> devices_;
  std::shared_ptr<FunctionSite> site_;
  std::unique_ptr<Functions> functions_;
};

TEST_F(FunctionsTest, RunsABodyOnDevicesOfTheTask) {
  EXPECT_EQ(Value("twice", {Float(3)}), 6);
  EXPECT_EQ(Value("same", {Float(3)}), 3);
}

TEST_F(FunctionsTest, PutsCallsAndBranchesIntoTheBody) {
  EXPECT_EQ(Value("branch", {Tensor::Scalar<bool>(true), Float(3)}), 6);
  EXPECT_EQ(Value("branch", {Tensor::Scalar<bool>(false), Float(3)}), 3);
}

TEST_F(FunctionsTest, TakesAttributes) {
  auto results = Call("cast", {Float(3.7f)}, {{"S", kFloat}, {"D", kInt32}});
  ASSERT_TRUE(results.ok()) << results.status();
  EXPECT_EQ((*results)[0].scalar<int32_t>(), 3);
}

TEST_F(FunctionsTest, OneInstanceKeepsItsState) {
  auto function = functions_->Find({"draw", nullptr}, "");
  ASSERT_TRUE(function.ok()) << function.status();
  const float first = Value("draw", {});
  EXPECT_NE(Value("draw", {}), first);
  EXPECT_EQ(functions_->Find({"draw", nullptr}, "")->get(), function->get());
  Functions others(site_);  // another graph: its own instance
  auto other = others.Find({"draw", nullptr}, "");
  ASSERT_TRUE(other.ok()) << other.status();
  EXPECT_EQ((*Call(**other, {}))[0].scalar<float>(), first);
}

// The attribute may come from a client.
TEST_F(FunctionsTest, NodesOfDifferentOpsAreNeverOneInstance) {
  EXPECT_EQ(Value("square", {Float(3)}), 9);
}

TEST_F(FunctionsTest, CallsOnADeviceThatATensorNames) {
  EXPECT_EQ(Value("remote", {Tensor::Scalar<std::string>(kCpu1), Float(2)}), 4);
  auto results = Call("remote", {Tensor::Scalar<std::string>("/job:ps/task:0"), Float(2)});
  EXPECT_EQ(results.status().code(), absl::StatusCode::kUnimplemented) << results.status();
  results = Call("remote", {Tensor::Scalar<std::string>("/cpu:7"), Float(2)});
  EXPECT_EQ(results.status().code(), absl::StatusCode::kInvalidArgument) << results.status();
}

TEST_F(FunctionsTest, OutlivesItsCaller) {
  auto function = functions_->Find({"branch", nullptr}, "");
  ASSERT_TRUE(function.ok()) << function.status();
  functions_.reset();
  EXPECT_EQ((*Call(**function, {Tensor::Scalar<bool>(true), Float(1)}))[0].scalar<float>(), 2);
}

TEST_F(FunctionsTest, ErrorsAreTheBodys) {
  const auto results = Call("fails", {Float(std::numeric_limits<float>::infinity())});
  EXPECT_EQ(results.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(results.status().message(), HasSubstr("seen"));
  EXPECT_EQ(Value("fails", {Float(1)}), 1);
}

TEST_F(FunctionsTest, ACancelledCallEnds) {
  CancelToken cancel;
  cancel.Cancel(absl::CancelledError("no longer"));
  auto function = functions_->Find({"twice", nullptr}, "");
  ASSERT_TRUE(function.ok()) << function.status();
  EXPECT_FALSE(Call(**function, {Float(1)}, &cancel).ok());
}

TEST_F(FunctionsTest, NamesWhatIsWrong) {
  EXPECT_THAT(Call("absent", {}).status().message(), HasSubstr("\"absent\""));
  EXPECT_THAT(Call("far", {Float(1)}).status().message(), HasSubstr("\"far\""));
  EXPECT_THAT(Call("unknown", {Float(1)}).status().message(), HasSubstr("'NoSuchOp'"));
  EXPECT_THAT(Call("twice", {}).status().message(), HasSubstr("arguments"));
  EXPECT_THAT(Call("twice", {Tensor::Scalar<int32_t>(1)}).status().message(), HasSubstr("int32"));
}

}  // namespace
}  // namespace sluice::worker
