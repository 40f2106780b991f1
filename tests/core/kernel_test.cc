// SPDX-License-Identifier: Apache-2.0
// Attributes, kernel table and registry, kernel context.
#include <gmock/gmock.h>

#include "core/op/op_def.h"
#include "core/runtime/device.h"
#include "core/runtime/kernel_registry.h"
#include "gtest/gtest.h"

namespace sluice {
namespace {

using ::testing::HasSubstr;

TEST(AttrTest, GetChecksPresenceAndKind) {
  const AttrMap attrs = {{"T", kFloat}, {"n", 3}, {"s", "x"}, {"empty", EmptyList{}}};
  EXPECT_EQ(*GetAttr<DType>(attrs, "T"), kFloat);
  EXPECT_EQ(*GetAttr<int64_t>(attrs, "n"), 3);
  EXPECT_EQ(*GetAttr<std::string>(attrs, "s"), "x");
  EXPECT_TRUE(GetAttr<std::vector<int64_t>>(attrs, "empty")->empty());
  EXPECT_THAT(std::string(GetAttr<bool>(attrs, "n").status().message()), HasSubstr("\"n\""));
  EXPECT_EQ(GetAttr<bool>(attrs, "none").status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_TRUE(GetAttrOr(attrs, "none", true));
}

TEST(AttrTest, EqualByValue) {
  const Tensor nan = Tensor::Scalar<float>(std::numeric_limits<float>::quiet_NaN());
  EXPECT_TRUE(Attr(nan) == Attr(*nan.Copy()));
  EXPECT_FALSE(Attr(nan) == Attr(Tensor::Scalar<float>(0)));
  EXPECT_FALSE(Attr(int64_t{1}) == Attr(1.0f));
  auto empty = std::make_shared<AttrMap>();
  EXPECT_TRUE(Attr(FunctionRef{"f", empty}) == Attr(FunctionRef{"f", nullptr}));
}

struct Twice {
  bool negate = false;
  static absl::StatusOr<Twice> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const bool negate, node.Get<bool>("negate"));
    return Twice{negate};
  }
  absl::Status Run(KernelContext& ctx) const {
    const Tensor& in = ctx.input(0);
    SLUICE_ASSIGN(Tensor * out, ctx.ForwardOrAllocate({0}, 0, in.shape()));
    const float sign = negate ? -2 : 2;
    for (int64_t i = 0; i < in.num_elements(); ++i)
      out->mutable_data<float>()[i] = sign * in.data<float>()[i];
    return absl::OkStatus();
  }
};

struct Later {
  void Start(KernelContext& ctx, Done done) const {
    ctx.SetOutput(0, Tensor::Scalar<float>(5));
    done(absl::OkStatus());
  }
};

NodeSpec Spec(AttrMap attrs) {
  NodeSpec spec;
  spec.op = "Twice";
  spec.attrs = std::move(attrs);
  return spec;
}

TEST(KernelRegistryTest, ChoosesByTypesAndLabel) {
  KernelRegistry kernels;
  kernels.Add<Twice>("Twice", kCpu, {{"T", kFloating}});
  kernels.Add<Later>("Twice", kCpu, {{"T", {kInt32}}}, kCheap);
  EXPECT_TRUE(kernels.table().HasOp("Twice"));
  EXPECT_FALSE((*kernels.Make(Spec({{"T", kFloat}, {"negate", true}}), kCpu))->asynchronous());
  EXPECT_TRUE((*kernels.Make(Spec({{"T", kInt32}}), kCpu))->asynchronous());
  EXPECT_TRUE(kernels.Find(Spec({{"T", kInt32}}), kCpu)->cheap);
  EXPECT_EQ(kernels.Make(Spec({{"T", kFloat}}), kCpu).status().code(),
            absl::StatusCode::kInvalidArgument);
  const absl::Status none = kernels.Make(Spec({{"T", kString}}), kCpu).status();
  EXPECT_EQ(none.code(), absl::StatusCode::kUnimplemented);
  EXPECT_EQ(none.message(), "no kernel for op Twice on CPU with T=string");
  NodeSpec cast = Spec({{"DstT", kString}, {"SrcT", kInt64}});
  cast.input_types = {kInt64};
  EXPECT_EQ(kernels.Make(cast, kCpu).status().message(),
            "no kernel for op Twice on CPU with SrcT=int64, DstT=string");
  EXPECT_FALSE(kernels.table().Has("Twice", kGpu, {{"T", kFloat}}));
  EXPECT_FALSE(kernels.table().Has("Twice", kCpu, {{"T", kFloat}, {"_kernel", "mkl"}}));
  EXPECT_FALSE(kernels.table().Has("Twice", kCpu, {}));
  EXPECT_TRUE(kernels.table().Has("Twice", kCpu, {{"T", std::vector<DType>{kFloat, kHalf}}}));
  EXPECT_FALSE(kernels.table().Has("Twice", kCpu, {{"T", std::vector<DType>{kFloat, kString}}}));
}

class KernelContextTest : public ::testing::Test {
 protected:
  KernelContextTest() : device_(CreateCpuDevice("/job:a/replica:0/task:0/device:CPU:0", nullptr)) {
    step_.device = device_.get();
  }
  KernelContext Context(std::vector<Tensor> values) {
    inputs_.clear();
    for (Tensor& value : values)
      inputs_.push_back(Slot{Slot::State::kValue, std::move(value), nullptr});
    outputs_.assign(1, Slot());
    return KernelContext(step_, absl::MakeSpan(inputs_), absl::MakeSpan(outputs_), &type_, 0, 0);
  }

  std::unique_ptr<Device> device_;
  StepContext step_;
  std::vector<Slot> inputs_, outputs_;
  DType type_ = kFloat;
};

TEST_F(KernelContextTest, ForwardsOnlyTensorsWithoutOtherReferences) {
  Tensor shared = Tensor::Scalar<float>(1);
  Tensor borrowed(kFloat, Shape{}, Buffer::Borrow(shared.raw(), 4, nullptr));
  Tensor guarded = Tensor::Scalar<float>(1);
  guarded.buffer()->set_guard(MakeRefCounted<BufferGuard>());
  const void* const guarded_raw = guarded.raw();
  auto forwards = [&](std::vector<Tensor> values, const Shape& shape) {
    const void* raw = values[0].raw();
    KernelContext ctx = Context(std::move(values));
    return (*ctx.ForwardOrAllocate({0}, 0, shape))->raw() == raw;
  };
  std::vector<Tensor> one(1);
  one[0] = Tensor::Scalar<float>(1);
  EXPECT_TRUE(forwards(std::move(one), Shape{1}));
  EXPECT_FALSE(forwards({shared}, Shape{}));
  EXPECT_FALSE(forwards({Tensor(borrowed)}, Shape{}));
  one.assign(1, Tensor());
  one[0] = std::move(guarded);
  EXPECT_FALSE(forwards(std::move(one), Shape{}));
  EXPECT_NE(guarded_raw, nullptr);
  one.assign(1, Tensor());
  one[0] = Tensor::Scalar<float>(1);
  EXPECT_FALSE(forwards(std::move(one), Shape{2}));
  one.assign(1, Tensor());
  one[0] = Tensor::Scalar<double>(1);
  EXPECT_FALSE(forwards(std::move(one), Shape{}));
  // Same width, another type.
  one.assign(1, Tensor());
  one[0] = Tensor::Scalar<int32_t>(1);
  EXPECT_TRUE(forwards(std::move(one), Shape{}));
}

TEST_F(KernelContextTest, AnInputIsForwardedOnceAndStaysReadable) {
  std::vector<Tensor> values(1);
  values[0] = Tensor::Scalar<float>(7);
  (void)Context(std::move(values));
  outputs_.assign(2, Slot());
  const DType types[] = {kFloat, kFloat};
  KernelContext two(step_, absl::MakeSpan(inputs_), absl::MakeSpan(outputs_), types, 0, 0);
  const Tensor* first = *two.ForwardOrAllocate({0}, 0, Shape{});
  const Tensor* second = *two.ForwardOrAllocate({0}, 1, Shape{});
  EXPECT_EQ(two.input(0).scalar<float>(), 7);
  EXPECT_EQ(first->raw(), two.input(0).raw());
  EXPECT_NE(first->raw(), second->raw());
}

TEST_F(KernelContextTest, RunsAKernel) {
  auto kernel = *CreateKernel<Twice>(Spec({{"negate", true}}));
  KernelContext ctx = Context({Tensor::Vector<float>({1, 2})});
  ASSERT_TRUE(device_->Run(*kernel, ctx).ok());
  EXPECT_EQ(outputs_[0].value.ToString(), "float [2] {-2, -4}");
}

TEST_F(KernelContextTest, TooLargeAnOutputIsResourceExhausted) {
  KernelContext ctx = Context({});
  EXPECT_EQ(ctx.AllocateOutput(0, Shape{int64_t{1} << 60}).status().code(),
            absl::StatusCode::kResourceExhausted);
}

TEST_F(KernelContextTest, SteadyStateScalarsTakeNothingFromTheSystem) {
  auto kernel = *CreateKernel<Twice>(Spec({{"negate", false}}));
  for (int i = 0; i < 10; ++i) {
    KernelContext ctx = Context({Tensor::Scalar<float>(1)});
    ASSERT_TRUE(device_->Run(*kernel, ctx).ok());
  }
  const int64_t peak = CpuAllocator().stats().peak_bytes;
  for (int i = 0; i < 1000; ++i) {
    KernelContext ctx = Context({Tensor::Scalar<float>(1)});
    ASSERT_TRUE(device_->Run(*kernel, ctx).ok());
  }
  EXPECT_EQ(CpuAllocator().stats().peak_bytes, peak);
}

}  // namespace
}  // namespace sluice
