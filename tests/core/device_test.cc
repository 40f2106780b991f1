// SPDX-License-Identifier: Apache-2.0
#include "core/runtime/device.h"

#include <thread>
#include <vector>

#include "absl/synchronization/blocking_counter.h"
#include "absl/synchronization/notification.h"
#include "core/runtime/kernel.h"
#include "gtest/gtest.h"

namespace sluice {
namespace {

constexpr uint32_t kPoison = 0xA5A5A5A5;
constexpr char kName[] = "/job:a/replica:0/task:0/device:CPU:0";

uint32_t Bits(const Tensor& tensor) { return *tensor.data<uint32_t>(); }

struct Fill {
  float value;
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, Shape{4}));
    for (float& v : out->mutable_flat<float>()) v = value;
    return absl::OkStatus();
  }
};

// Computes in place if it may.
struct AddOne {
  absl::Status Run(KernelContext& ctx) const {
    const Tensor& in = ctx.input(0);
    SLUICE_ASSIGN(Tensor * out, ctx.ForwardOrAllocate({0}, 0, in.shape()));
    for (int64_t i = 0; i < in.num_elements(); ++i)
      out->mutable_data<float>()[i] = in.data<float>()[i] + 1;
    return absl::OkStatus();
  }
};

struct AssignRef {
  absl::Status Run(KernelContext& ctx) const {
    RefVariable& variable = ctx.ref_input(0);
    absl::MutexLock lock(&variable.guard->mu);
    SLUICE_ASSIGN(Tensor value, ctx.AllocateTemporary(kFloat, ctx.input(1).shape()));
    value.buffer()->set_guard(variable.guard);
    std::copy_n(ctx.input(1).data<float>(), value.num_elements(), value.mutable_data<float>());
    variable.value = value;
    return absl::OkStatus();
  }
};

struct AddToRef {
  absl::Status Run(KernelContext& ctx) const {
    RefVariable& variable = ctx.ref_input(0);
    absl::MutexLock lock(&variable.guard->mu);
    for (float& v : variable.value.mutable_flat<float>()) v += 1;
    return absl::OkStatus();
  }
};

// Updates a resource variable, in place if nobody else holds its tensor, and keeps a tensor that is
// in no slot.
struct AddToResource {
  absl::Status Run(KernelContext& ctx) const {
    auto* variable =
        static_cast<ResourceVariable*>(ctx.input(0).scalar<ResourceHandle>().object.get());
    absl::MutexLock lock(&variable->mu);
    if (!variable->value.unique()) {
      SLUICE_ASSIGN(Tensor copy, ctx.AllocateTemporary(kFloat, variable->value.shape()));
      std::copy_n(variable->value.data<float>(), copy.num_elements(), copy.mutable_data<float>());
      variable->value = copy;
    }
    for (float& v : variable->value.mutable_flat<float>()) v += 1;
    return absl::OkStatus();
  }
};

struct ReadResource {
  absl::Status Run(KernelContext& ctx) const {
    auto* variable =
        static_cast<ResourceVariable*>(ctx.input(0).scalar<ResourceHandle>().object.get());
    absl::ReaderMutexLock lock(&variable->mu);
    ctx.SetOutput(0, variable->value);
    return absl::OkStatus();
  }
};

class AsyncDeviceTest : public ::testing::Test {
 protected:
  explicit AsyncDeviceTest(int delay_us = 0)
      : device_(CreateAsyncDevice(kName, nullptr, delay_us)) {
    step_.device = device_.get();
  }

  // The stream waits until the notification.
  void Hold(absl::Notification* until) {
    device_->Sync([until](absl::Status) { until->WaitForNotification(); });
  }
  template <typename K>
  Tensor Run(K kernel, std::vector<Slot> inputs = {}) {
    Slot output;
    const DType type = kFloat;
    internal::KernelOf<K, K> held(std::move(kernel));
    KernelContext ctx(step_, absl::MakeSpan(inputs), absl::MakeSpan(&output, 1), &type, 0, 0);
    EXPECT_TRUE(device_->Run(held, ctx).ok());
    return std::move(output.value);
  }
  Tensor Fetch(const Tensor& tensor) {
    Tensor host;
    absl::Notification done;
    device_->CopyToHost(tensor, [&](absl::StatusOr<Tensor> copy) {
      host = *copy;
      done.Notify();
    });
    done.WaitForNotification();
    return host;
  }
  void Finish() {
    absl::Notification done;
    device_->Sync([&](absl::Status) { done.Notify(); });
    done.WaitForNotification();
  }
  static Slot Value(Tensor tensor) { return Slot{Slot::State::kValue, std::move(tensor), nullptr}; }

  std::unique_ptr<Device> device_;
  StepContext step_;
};

TEST_F(AsyncDeviceTest, OutputIsPoisonUntilTheStreamIsThere) {
  absl::Notification go;
  Hold(&go);
  const Tensor out = Run(Fill{3});
  EXPECT_EQ(Bits(out), kPoison);
  go.Notify();
  Finish();
  EXPECT_EQ(out.ToString(), "float [4] {3, 3, 3, 3}");
}

TEST_F(AsyncDeviceTest, LaterKernelsSeeEarlierResults) {
  absl::Notification go;
  Hold(&go);
  const Tensor a = Run(Fill{3});
  const Tensor b = Run(AddOne{}, {Value(a)});
  EXPECT_EQ(Bits(a), kPoison);
  EXPECT_EQ(Bits(b), kPoison);
  go.Notify();
  EXPECT_EQ(*Fetch(b).data<float>(), 4);
  EXPECT_EQ(*Fetch(a).data<float>(), 3);
}

TEST_F(AsyncDeviceTest, CopyShowsTheValueOfItsPlaceInTheStream) {
  auto variable = MakeRefCounted<RefVariable>(kFloat, "v");
  const Slot ref{Slot::State::kRef, Tensor(), variable};
  absl::Notification go;
  Hold(&go);
  Run(AssignRef{}, {ref, Value(Run(Fill{1}))});
  std::vector<float> seen;
  auto watch = [&] {
    device_->CopyToHost(variable->value,
                        [&](absl::StatusOr<Tensor> t) { seen.push_back(*t->data<float>()); });
  };
  watch();
  Run(AddToRef{}, {ref});
  watch();
  Run(AddToRef{}, {ref});
  Run(AddToRef{}, {ref});
  watch();
  EXPECT_EQ(Bits(variable->value), kPoison);
  go.Notify();
  Finish();
  EXPECT_EQ(seen, (std::vector<float>{1, 2, 4}));
  EXPECT_EQ(*variable->value.data<float>(), 4);

  absl::Notification again;
  Hold(&again);
  Run(AddToRef{}, {ref});
  EXPECT_EQ(*variable->value.data<float>(), 4);  // the stream has not written it yet
  again.Notify();
  Finish();
  EXPECT_EQ(*variable->value.data<float>(), 5);
}

TEST_F(AsyncDeviceTest, ForwardedMemoryShowsItsOldValueUntilThen) {
  Tensor a = Run(Fill{1});
  Finish();
  absl::Notification go;
  Hold(&go);
  const void* const raw = a.raw();
  std::vector<Slot> inputs(1);
  inputs[0] = Value(std::move(a));
  const Tensor b = Run(AddOne{}, std::move(inputs));
  EXPECT_EQ(b.raw(), raw);
  EXPECT_EQ(*b.data<float>(), 1);
  go.Notify();
  EXPECT_EQ(*Fetch(b).data<float>(), 2);
}

TEST_F(AsyncDeviceTest, ResourceVariablesFollowTheStream) {
  Tensor handle(kResource, Shape{});
  auto variable = MakeRefCounted<ResourceVariable>(kFloat);
  handle.mutable_data<ResourceHandle>()->object = variable;
  variable->value = Run(Fill{1});
  absl::Notification go;
  Hold(&go);
  const Tensor before = Run(ReadResource{}, {Value(handle)});
  Run(AddToResource{}, {Value(handle)});  // copies, because `before` is held
  Run(AddToResource{}, {Value(handle)});  // in place
  const Tensor after = Run(ReadResource{}, {Value(handle)});
  EXPECT_EQ(Bits(after), kPoison);
  go.Notify();
  EXPECT_EQ(*Fetch(after).data<float>(), 3);
  EXPECT_EQ(*Fetch(before).data<float>(), 1);
}

TEST_F(AsyncDeviceTest, CopyFromHostIsAWriteInTheStream) {
  absl::Notification go;
  Hold(&go);
  Tensor there;
  absl::Notification copied;
  device_->CopyFromHost(Tensor::Vector<float>({1, 2}), [&](absl::StatusOr<Tensor> t) {
    there = *t;
    copied.Notify();
  });
  EXPECT_FALSE(copied.HasBeenNotified());
  go.Notify();
  copied.WaitForNotification();
  EXPECT_EQ(there.buffer()->allocator(), &device_->allocator());
  EXPECT_EQ(Fetch(Run(AddOne{}, {Value(there)})).ToString(), "float [2] {2, 3}");
}

TEST_F(AsyncDeviceTest, HostTensorsPassThrough) {
  const Tensor text = Tensor::Scalar<std::string>("x");
  EXPECT_EQ(Fetch(text).scalar<std::string>(), "x");
  const Tensor strings = *Tensor::Allocate(device_->allocator(), kString, Shape{2});
  EXPECT_EQ(strings.buffer()->allocator(), &CpuAllocator());
  EXPECT_FALSE(device_->allocator().host_readable());
}

TEST_F(AsyncDeviceTest, TensorsMayOutliveTheDevice) {
  const int64_t before = CpuAllocator().stats().live_bytes;
  {
    Tensor kept = Run(Fill{2});
    auto variable = device_->resources().LookupOrCreate<ResourceVariable>(
        "", "v", []() -> absl::StatusOr<RefPtr<ResourceVariable>> {
          return MakeRefCounted<ResourceVariable>(kFloat);
        });
    (*variable)->value = Run(Fill{3});
    variable = absl::NotFoundError("");
    device_.reset();
    EXPECT_EQ(*kept.data<float>(), 2);
  }
  EXPECT_LE(CpuAllocator().stats().live_bytes, before);
}

// A kernel that runs another kernel on the same device while it runs, as a callback may.
struct Nested {
  absl::Notification* seen;
  Tensor* inner;
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, Shape{4}));
    for (float& v : out->mutable_flat<float>()) v = 10;
    Slot input{Slot::State::kValue, *out, nullptr}, output;
    const DType type = kFloat;
    internal::KernelOf<AddOne, AddOne> kernel{AddOne{}};
    KernelContext nested(ctx.step(), absl::MakeSpan(&input, 1), absl::MakeSpan(&output, 1), &type,
                         0, 0);
    SLUICE_RETURN_IF_ERROR(ctx.device().Run(kernel, nested));
    *inner = output.value;
    out->mutable_data<float>()[0] += 5;
    return absl::OkStatus();
  }
};

TEST_F(AsyncDeviceTest, KernelsNest) {
  Tensor inner;
  const Tensor outer = Run(Nested{nullptr, &inner});
  EXPECT_EQ(Fetch(inner).ToString(), "float [4] {11, 11, 11, 11}");
  EXPECT_EQ(Fetch(outer).ToString(), "float [4] {15, 10, 10, 10}");
}

class SlowAsyncDeviceTest : public AsyncDeviceTest {
 protected:
  SlowAsyncDeviceTest() : AsyncDeviceTest(50) {}
};

TEST_F(SlowAsyncDeviceTest, ManyThreadsChainKernels) {
  constexpr int kThreads = 4, kLength = 200;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      Tensor value = Run(Fill{static_cast<float>(t)});
      for (int i = 0; i < kLength; ++i) {
        std::vector<Slot> inputs(1);
        inputs[0] = Value(i % 3 == 0 ? value : std::move(value));
        value = Run(AddOne{}, std::move(inputs));
        if (i % 50 == 0) {
          EXPECT_EQ(*Fetch(value).data<float>(), static_cast<float>(t + i + 1));
        }
      }
      EXPECT_EQ(*Fetch(value).data<float>(), static_cast<float>(t + kLength));
    });
  }
  for (auto& thread : threads) thread.join();
}

TEST(DeviceTest, AttributesComeFromTheName) {
  auto a = CreateCpuDevice(kName, nullptr);
  auto b = CreateCpuDevice(kName, nullptr);
  EXPECT_EQ(a->type(), "CPU");
  EXPECT_EQ(a->attributes().memory_limit, 268435456);
  EXPECT_NE(a->attributes().incarnation, 0u);
  EXPECT_NE(a->attributes().incarnation, b->attributes().incarnation);
  EXPECT_EQ(*a->parsed_name().task, 0);
  EXPECT_FALSE(a->has_own_memory());
}

TEST(DeviceTest, NullDeviceGivesZeros) {
  auto device = CreateNullDevice("/job:a/replica:0/task:0/device:NULL:0");
  EXPECT_EQ(device->type(), "NULL");
  StepContext step;
  step.device = device.get();
  Slot output;
  const DType type = kFloat;
  internal::KernelOf<Fill, Fill> kernel(Fill{3});
  KernelContext ctx(step, {}, absl::MakeSpan(&output, 1), &type, 0, 0);
  ASSERT_TRUE(device->Run(kernel, ctx).ok());
  EXPECT_EQ(output.value.ToString(), "float [] {0}");
}

}  // namespace
}  // namespace sluice
