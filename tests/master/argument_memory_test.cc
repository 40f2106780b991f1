// SPDX-License-Identifier: Apache-2.0
// The memory of the arguments of nodes on a device with its own memory. The device is the
// asynchronous test device, named GPU:0. Its kernels are the CPU's; each checks the memory of its
// inputs and outputs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_split.h"
#include "core/runtime/argument_memory.h"
#include "core/runtime/device.h"
#include "kernels/any/array/register.h"
#include "kernels/any/control_flow/register.h"
#include "kernels/any/runtime/register.h"
#include "kernels/register.h"
#include "tests/master/inproc_cluster.h"

namespace sluice::master {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr char kGpu0[] = "/job:w/replica:0/task:0/device:GPU:0";

// Runs the CPU's kernel and checks the memory of its arguments.
class CheckedKernel final : public Kernel {
 public:
  CheckedKernel(std::unique_ptr<Kernel> kernel, std::string op, ArgumentsOnHost expected)
      : kernel_(std::move(kernel)), op_(std::move(op)), expected_(std::move(expected)) {}

  absl::Status Run(KernelContext& ctx) const override {
    Check(ctx.inputs(), expected_.inputs, "input");
    SLUICE_RETURN_IF_ERROR(kernel_->Run(ctx));
    Check(ctx.outputs(), expected_.outputs, "output");
    return absl::OkStatus();
  }
  void Start(KernelContext& ctx, Done done) const override {
    Check(ctx.inputs(), expected_.inputs, "input");
    kernel_->Start(ctx, std::move(done));
  }
  bool asynchronous() const override { return kernel_->asynchronous(); }

 private:
  void Check(absl::Span<const Slot> slots, const std::vector<uint8_t>& on_host,
             const char* what) const {
    for (size_t i = 0; i < slots.size(); ++i) {
      const Tensor& value = slots[i].value;
      if (slots[i].state != Slot::State::kValue || !value.buffer() || !IsPlain(value.dtype()))
        continue;
      EXPECT_EQ(value.host_readable(), on_host[i] != 0) << op_ << ": " << what << " " << i;
    }
  }

  const std::unique_ptr<Kernel> kernel_;
  const std::string op_;
  const ArgumentsOnHost expected_;
};

void AddGpu(KernelRegistry& kernels, const std::string& op, std::vector<TypeConstraint> types,
            const HostMemory& host) {
  kernels.AddWith(
      [op, host](const NodeSpec& node) -> absl::StatusOr<std::unique_ptr<Kernel>> {
        SLUICE_ASSIGN(std::unique_ptr<Kernel> kernel, kernels::AllKernels()->Make(node, kCpu));
        KernelSignature signature;
        signature.host = host;
        return std::make_unique<CheckedKernel>(
            std::move(kernel), op,
            FindArgumentsOnHost(node.op_def, node.attrs, node.input_types, node.output_types,
                                &signature));
      },
      op, kGpu, std::move(types), host);
}

std::shared_ptr<const KernelRegistry> Kernels() {
  auto kernels = std::make_shared<KernelRegistry>();
  for (const KernelSignature& kernel : kernels::AllKernels()->table().signatures()) {
    if (kernel.device_type != kCpu || !kernel.label.empty()) continue;
    kernels->AddWith([](const NodeSpec& node) { return kernels::AllKernels()->Make(node, kCpu); },
                     kernel.op, kCpu, kernel.types, kernel.host,
                     kernel.cheap ? Cost::kCheap : Cost::kExpensive);
  }
  kernels::RegisterSendRecv(*kernels, kGpu);
  kernels::RegisterArguments(*kernels, kGpu);
  kernels::RegisterFlow(*kernels, kGpu);
  kernels::RegisterIdentity(*kernels, kGpu);
  const std::vector<TypeConstraint> int32 = {{"T", {kInt32}}}, real = {{"T", {kFloat}}};
  AddGpu(*kernels, "AddV2", int32, {"x", "y", "z"});
  AddGpu(*kernels, "Less", int32, {"x", "y", "z"});
  AddGpu(*kernels, "AddV2", real, {});
  AddGpu(*kernels, "Neg", real, {});
  AddGpu(*kernels, "Mul", real, {});
  AddGpu(*kernels, "Less", real, {});
  AddGpu(*kernels, "Shape", {}, {"output"});
  AddGpu(*kernels, "Reshape", {}, {"shape"});
  AddGpu(*kernels, "Sum", real, {"reduction_indices"});
  return kernels;
}

class ArgumentMemoryTest : public testing::Test {
 protected:
  ArgumentMemoryTest() : cluster_(kW, Kernels()), client_(&cluster_.master()) {}

  // Three steps; the value is the same in each.
  std::vector<float> Fetch(const std::string& text, const std::string& fetch,
                           Client::Feeds feeds = {}) {
    std::vector<float> values;
    const absl::Status created = client_.Create(text);
    EXPECT_TRUE(created.ok()) << created;
    for (int step = 0; step < 3; ++step) {
      auto fetched = client_.Run(feeds, {fetch});
      EXPECT_TRUE(fetched.ok()) << fetched.status();
      if (!fetched.ok()) return {};
      const Tensor& value = (*fetched)[0];
      EXPECT_TRUE(value.host_readable());
      const auto flat = value.flat<float>();
      EXPECT_TRUE(values.empty() || std::equal(flat.begin(), flat.end(), values.begin()));
      values.assign(flat.begin(), flat.end());
    }
    return values;
  }

  static std::string OnGpu(absl::string_view text) {
    std::string placed;
    for (absl::string_view line : absl::StrSplit(text, '\n', absl::SkipWhitespace()))
      absl::StrAppend(&placed, line, " @", kGpu0, "\n");
    return placed;
  }

  InprocCluster cluster_;
  Client client_;
};

TEST_F(ArgumentMemoryTest, ShapesStayOnTheHost) {
  EXPECT_THAT(Fetch(OnGpu(R"(x = Const([1.0, 2.0, 3.0, 4.0])
                             n = Neg(x)
                             s = Shape[out_type=int32](n)
                             r = Reshape(n, s)
                             i = Identity(r))"),
                    "i:0"),
              ElementsAre(-1, -2, -3, -4));
}

TEST_F(ArgumentMemoryTest, AConstantIsInBothMemories) {
  // The host reads the axis; a kernel, the CPU and an Identity read `x`.
  EXPECT_THAT(Fetch(OnGpu(R"(x = Const([1.0, 2.0])
                             axis = Const([0])
                             n = Neg(x)
                             sum = Sum[keep_dims=true](n, axis)
                             y = Identity(x)
                             z = Mul(sum, y))") +
                        "w = Mul(z, x) @w:0",
                    "w:0"),
              ElementsAre(-3, -12));
}

TEST_F(ArgumentMemoryTest, ValuesCrossBetweenDevices) {
  const Tensor fed = Tensor::Of<float>(Shape{2}, {3, 5});
  EXPECT_THAT(Fetch(absl::StrCat("x = Placeholder[dtype=float] @w:0\na = Neg(x) @", kGpu0,
                                 "\nb = Neg(a) @w:0\nc = Mul(b, a) @", kGpu0, "\n"),
                    "c:0", {{"x:0", fed}}),
              ElementsAre(-9, -25));
}

TEST_F(ArgumentMemoryTest, APredInDeviceMemoryComesToTheHost) {
  EXPECT_THAT(Fetch(OnGpu(R"(x = Const(2.0)
                             y = Const(3.0)
                             p = Less(x, y)
                             s = Switch(x, p)
                             t = Neg(s:1)
                             f = Mul(s:0, y)
                             m = Merge(f, t))"),
                    "m:0"),
              ElementsAre(-2));
}

// The counter and the limit are int32 and stay on the host; the value is in the device's memory.
TEST_F(ArgumentMemoryTest, LoopVariablesKeepTheirMemory) {
  const std::string text = OnGpu(R"(zero = Const(0)
      one = Const(1)
      ten = Const(10)
      x = Const([1.0, 2.0])
      i0 = Enter[frame_name="f", parallel_iterations=10](zero)
      x0 = Enter[frame_name="f", parallel_iterations=10](x)
      step = Enter[frame_name="f", is_constant=true, parallel_iterations=10](one)
      limit = Enter[frame_name="f", is_constant=true, parallel_iterations=10](ten)
      i = Merge(i0, i_next)
      v = Merge(x0, v_next)
      less = Less(i, limit)
      more = LoopCond(less)
      i_switch = Switch(i, more)
      v_switch = Switch(v, more)
      i_body = Identity(i_switch:1)
      i_sum = AddV2(i_body, step)
      v_sum = AddV2(v_switch:1, v_switch:1)
      i_next = NextIteration(i_sum)
      v_next = NextIteration(v_sum)
      v_exit = Exit(v_switch)
      result = Neg(v_exit))");
  EXPECT_THAT(Fetch(text, "result:0"), ElementsAre(-1024, -2048));
}

TEST_F(ArgumentMemoryTest, AStepWithTargetsOnlyEndsWhenTheDeviceHasDoneIt) {
  ASSERT_TRUE(client_.Create(OnGpu("x = Const([1.0, 2.0])\nn = Neg(x)")).ok());
  for (int step = 0; step < 3; ++step) {
    const auto ran = client_.Run({}, {}, {"n"});
    EXPECT_TRUE(ran.ok()) << ran.status();
  }
}

TEST_F(ArgumentMemoryTest, AnErrorNamesTheNodeOnTheDevice) {
  ASSERT_TRUE(client_
                  .Create(OnGpu(R"(x = Const([1.0, 2.0])
                                      bad = Const([3])
                                      r = Reshape(x, bad))"))
                  .ok());
  const auto ran = client_.Run({}, {"r:0"});
  EXPECT_EQ(ran.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(ran.status().message(), HasSubstr("GPU:0"));
}

}  // namespace
}  // namespace sluice::master
