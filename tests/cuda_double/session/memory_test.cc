// SPDX-License-Identifier: Apache-2.0
// The memory that sessions may take, and steps that need more than the GPU has.
#include <algorithm>
#include <thread>
#include <vector>

#include "absl/strings/str_split.h"
#include "client/ops/array.h"
#include "client/ops/state.h"
#include "tests/cuda_double/session/mlp.h"
#include "tests/cuda_double/session/session_fixture.h"

namespace sluice::cuda_double {
namespace {

namespace ops = client::ops;
using client::Constant;
using client::Scope;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class GpuMemoryTest : public GpuSessionTest {
 protected:
  GpuMemoryTest() {
    SetDevices(1, 64 * kMiB);
    all_.mutable_gpu_options()->set_per_process_gpu_memory_fraction(1);
    ops::Fill(scope_.Named("fill"),
              ops::Placeholder(scope_.On("").Named("dims"), {.dtype = kInt32}),
              Constant(scope_, 1.0f));
    EXPECT_TRUE(scope_.status().ok()) << scope_.status();
  }

  // Variables layer1/weights to layer12/weights, of 1 to 12 times 256 KiB.
  std::vector<std::string> AddVariables() {
    std::vector<std::string> init;
    for (int i = 1; i <= 12; ++i) {
      const Scope layer = scope_.In(Cat("layer", i));
      const Shape shape{i * 65536};
      const auto variable =
          ops::VariableV2(layer.Named("weights"), {.shape = PartialShape(shape), .dtype = kFloat});
      Tensor value(kFloat, shape);
      std::fill_n(value.mutable_data<float>(), value.num_elements(), 1.0f);
      init.push_back(
          ops::Assign(layer.Named("init"), variable, Constant(layer.Named("first"), value))
              .node->name());
    }
    EXPECT_TRUE(scope_.status().ok()) << scope_.status();
    return init;
  }

  static absl::StatusOr<std::vector<Tensor>> Fill(client::Session& session,
                                                  const std::vector<int32_t>& dims) {
    return session.Run({{"dims:0", Tensor::Vector<int32_t>(dims)}}, {"fill:0"}, {});
  }

  client::Graph graph_;
  const Scope scope_ = Scope(&graph_).On(kGpu);
  proto::ConfigProto all_;
};

TEST_F(GpuMemoryTest, AStepThatNeedsMoreSaysWhatIsLiveAndASmallerOneIsRight) {
  const std::vector<std::string> init = AddVariables();
  auto session = Open(graph_, all_);
  ASSERT_TRUE(session->Run({}, {}, init).ok());
  const absl::Status failed = Fill(*session, {12, 1 << 20}).status();
  EXPECT_TRUE(absl::IsResourceExhausted(failed)) << failed;
  const std::string message = Message(failed);
  EXPECT_THAT(
      message,
      AllOf(HasSubstr("OOM when allocating tensor with shape[12,1048576] and type float"),
            HasSubstr("12582912 x 4 bytes requested, limit 67108864, in use "),
            HasSubstr("[[{{node fill}}]] (Fill on "), HasSubstr("3145728 bytes of layer12/")));
  // The ten largest: each variable and its constant.
  const std::string largest = message.substr(message.find("largest:"));
  EXPECT_EQ(std::count(largest.begin(), largest.begin() + largest.find('\n'), ','), 9) << largest;
  EXPECT_THAT(largest,
              AllOf(HasSubstr("layer8/"), Not(HasSubstr("layer7/")), Not(HasSubstr("(no node)"))));
  const auto smaller = Fill(*session, {10, 100});
  ASSERT_TRUE(smaller.ok()) << smaller.status();
  EXPECT_EQ(smaller->at(0).data<float>()[999], 1);
}

TEST_F(GpuMemoryTest, ATensorLargerThanTheMemoryFailsAtOnce) {
  auto session = Open(graph_, all_);
  ASSERT_TRUE(Fill(*session, {10}).ok());
  const int64_t before = CountAll().device_bytes;
  for (const std::vector<int32_t>& dims :
       {std::vector<int32_t>{100, 1 << 20}, std::vector<int32_t>{1 << 16, 1 << 16, 1 << 10}}) {
    const absl::Status failed = Fill(*session, dims).status();
    EXPECT_TRUE(absl::IsResourceExhausted(failed)) << failed;
    EXPECT_THAT(Message(failed), AllOf(HasSubstr("bytes requested, limit 67108864"),
                                       HasSubstr("[[{{node fill}}]] (Fill on ")));
  }
  EXPECT_EQ(CountAll().device_bytes, before);
  EXPECT_TRUE(Fill(*session, {10}).ok());
}

TEST_F(GpuMemoryTest, AConstantLargerThanTheMemoryIsNamed) {
  const auto large = Constant(scope_.Named("large"), Tensor(kUint8, Shape{65 * kMiB}));
  const auto first = ops::Identity(scope_.Named("copy"), large);
  ASSERT_TRUE(scope_.status().ok());
  auto session = Open(graph_, all_);
  const absl::Status failed = session->Run({}, {}, {first.node->name()}).status();
  EXPECT_TRUE(absl::IsResourceExhausted(failed)) << failed;
  EXPECT_THAT(Message(failed), AllOf(HasSubstr("copying 68157440 bytes from the host: OOM"),
                                     HasSubstr("[[{{node large}}]]")));
}

TEST_F(GpuMemoryTest, MemoryThatOthersTakeIsMissing) {
  auto session = Open(graph_, all_);
  ASSERT_TRUE(session != nullptr);
  SetUsedByOthers(0, 60 * kMiB);
  const absl::Status failed = Fill(*session, {5, 1 << 20}).status();
  EXPECT_TRUE(absl::IsResourceExhausted(failed)) << failed;
  EXPECT_THAT(Message(failed), AllOf(HasSubstr("limit 67108864"), HasSubstr("left on the GPU "),
                                     HasSubstr("[[{{node fill}}]]")));
  SetUsedByOthers(0, 0);
  EXPECT_TRUE(Fill(*session, {100}).ok());
}

// Two tasks, each with all of the GPU as its limit: what one keeps, the other lacks.
TEST_F(GpuMemoryTest, TwoTasksShareAGpu) {
  all_.mutable_gpu_options()->set_allow_growth(true);
  auto first = Open(graph_, all_), second = Open(graph_, all_);
  const std::vector<int32_t> large = {10, 1 << 20}, small = {10};
  ASSERT_TRUE(Fill(*first, large).ok());
  const absl::Status failed = Fill(*second, large).status();
  EXPECT_TRUE(absl::IsResourceExhausted(failed)) << failed;
  EXPECT_THAT(Message(failed), AllOf(HasSubstr("limit 67108864"), HasSubstr("left on the GPU "),
                                     HasSubstr("[[{{node fill}}]]")));
  EXPECT_TRUE(Fill(*second, small).ok());
  EXPECT_TRUE(Fill(*first, large).ok());
  first.reset();
  EXPECT_TRUE(Fill(*second, large).ok());
}

TEST_F(GpuSessionTest, TwoTasksTrainOnOneGpuAtOnce) {
  const Mlp mlp;
  const auto alone = mlp.Losses(*Open(mlp.graph()), 20);
  ASSERT_TRUE(alone.ok()) << alone.status();
  SetDelay(100);
  auto first = Open(mlp.graph()), second = Open(mlp.graph());
  absl::StatusOr<std::vector<float>> beside;
  std::thread other([&] { beside = mlp.Losses(*second, 20); });
  const auto losses = mlp.Losses(*first, 20);
  other.join();
  ASSERT_TRUE(losses.ok()) << losses.status();
  ASSERT_TRUE(beside.ok()) << beside.status();
  EXPECT_EQ(*losses, *alone);
  EXPECT_EQ(*beside, *alone);
}

// What a session without a target makes of its gpu_options and device_count.
TEST_F(GpuSessionTest, TheConfigBoundsTheMemory) {
  const client::Graph graph;
  const auto limit = [&](const proto::ConfigProto& config) -> int64_t {
    const auto devices = Open(graph, config)->ListDevices();
    EXPECT_TRUE(devices.ok()) << devices.status();
    for (const DeviceAttributes& device : devices->local)
      if (device.type == "GPU") return device.memory_limit;
    return -1;
  };
  proto::ConfigProto config;
  config.mutable_gpu_options()->set_per_process_gpu_memory_fraction(0);  // as if it were not set
  EXPECT_EQ(limit(config), 212 * kMiB);
  config.mutable_gpu_options()->set_per_process_gpu_memory_fraction(0.25);
  config.mutable_gpu_options()->set_visible_device_list("0");
  EXPECT_EQ(limit(config), 128 * kMiB);
  auto* part = config.mutable_gpu_options()->mutable_experimental()->add_virtual_devices();
  part->add_memory_limit_mb(100);
  EXPECT_EQ(limit(config), 100 * kMiB);
  (*config.mutable_device_count())["GPU"] = 0;
  EXPECT_EQ(limit(config), -1);
}

TEST_F(GpuMemoryTest, AllowGrowthTakesMemoryInTheSizesOfRequests) {
  all_.mutable_gpu_options()->set_allow_growth(true);
  auto session = Open(graph_, all_);
  ASSERT_TRUE(Fill(*session, {10}).ok());
  EXPECT_LE(CountAll().device_bytes, 4 * kMiB);
}

TEST_F(GpuMemoryTest, AGpuThatOthersFillIsNotUsedAndThePinnedNodeSaysWhy) {
  SetDevices(1, 1024 * kMiB);
  SetUsedByOthers(0, 1000 * kMiB);
  auto session = Open(graph_);
  const absl::Status failed = Fill(*session, {10}).status();
  EXPECT_THAT(Message(failed), AllOf(HasSubstr("GPU 0: only "), HasSubstr("end other processes")));
}

}  // namespace
}  // namespace sluice::cuda_double
