// SPDX-License-Identifier: Apache-2.0
// Options and graphs that the GPU of a session cannot serve.
#include <cmath>

#include "client/ops/array.h"
#include "client/ops/math.h"
#include "client/ops/nn.h"
#include "client/ops/state.h"
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

class BadInputTest : public GpuSessionTest {
 protected:
  // x * x on a device, fed and fetched.
  void AddSquare(const std::string& device) {
    const Scope scope(&graph_);
    const Output x = ops::Placeholder(scope.Named("x"), {.dtype = kFloat});
    ops::Square(scope.On(device).Named("square"), x);
    EXPECT_TRUE(scope.status().ok()) << scope.status();
  }
  static absl::StatusOr<std::vector<Tensor>> Run(client::Session& session, const Shape& shape) {
    Tensor x(kFloat, shape);
    for (float& value : x.mutable_flat<float>()) value = 3;
    return session.Run({{"x:0", x}}, {"square:0"}, {});
  }
  absl::Status Refusal(const proto::ConfigProto& config) {
    client::SessionOptions options;
    options.config = config.SerializeAsString();
    return client::Session::Create(&graph_, options).status();
  }

  client::Graph graph_;
};

TEST_F(BadInputTest, AGpuThatDoesNotExistIsNamedWithThoseThatDo) {
  AddSquare("/device:GPU:7");
  auto session = Open(graph_);
  const absl::Status failed = Run(*session, Shape{2}).status();
  EXPECT_TRUE(absl::IsInvalidArgument(failed)) << failed;
  EXPECT_THAT(Message(failed), AllOf(HasSubstr("square"), HasSubstr("GPU:7"),
                                     HasSubstr("/job:localhost/replica:0/task:0/device:GPU:0")));
}

TEST_F(BadInputTest, OptionsOutOfRangeAreRefused) {
  AddSquare(kGpu);
  proto::ConfigProto config;
  config.mutable_gpu_options()->set_visible_device_list("9");
  absl::Status refused = Refusal(config);
  EXPECT_TRUE(absl::IsInvalidArgument(refused)) << refused;
  EXPECT_THAT(Message(refused), HasSubstr("there is no GPU 9: the driver shows 1"));
  for (const double fraction : {1.5, -0.5}) {
    config.Clear();
    config.mutable_gpu_options()->set_per_process_gpu_memory_fraction(fraction);
    refused = Refusal(config);
    EXPECT_TRUE(absl::IsInvalidArgument(refused)) << refused;
    EXPECT_THAT(Message(refused), AllOf(HasSubstr(Cat("GPU memory fraction ", fraction)),
                                        HasSubstr("more than 0 and at most 1")));
  }
}

TEST_F(BadInputTest, AnOldDriverLeavesTheSessionWithoutGpuAndThePinnedNodeSaysWhy) {
  AddSquare(kGpu);
  SetDriverVersion(12040);
  auto session = Open(graph_);
  const absl::Status failed = Run(*session, Shape{2}).status();
  EXPECT_TRUE(absl::IsInvalidArgument(failed)) << failed;
  EXPECT_THAT(Message(failed), AllOf(HasSubstr("the NVIDIA driver is for CUDA 12.4"),
                                     HasSubstr("update the driver")));
}

TEST_F(BadInputTest, EmptyTensorsLaunchNothing) {
  AddSquare(kGpu);
  auto session = Open(graph_);
  ASSERT_TRUE(Run(*session, Shape{2}).ok());
  const int64_t before = CountAll().launches;
  const auto empty = Run(*session, Shape{0, 5});
  ASSERT_TRUE(empty.ok()) << empty.status();
  EXPECT_EQ(empty->at(0).shape(), (Shape{0, 5}));
  EXPECT_EQ(CountAll().launches, before);
}

// As TensorFlow documents for its GPUs.
TEST_F(BadInputTest, RowsOutOfRangeAreZerosOrDroppedAndLabelsGiveNan) {
  const Scope scope = Scope(&graph_).On(kGpu);
  const Output rows = ops::Placeholder(scope.Named("rows"), {.dtype = kInt32});
  const Output column = ops::ExpandDims(scope, rows, Constant(scope, 1));
  const Output values = Constant(scope, Tensor::Vector<float>({10, 20, 30}));
  const Output three = Constant(scope, 3);
  const Output logits =
      Constant(scope, Tensor::Of<float>(Shape{3, 3}, {0, 0, 0, 0, 0, 0, 0, 0, 0}));
  const Output variable = ops::VarHandleOp(
      scope, {.dtype = kFloat, .shape = PartialShape(Shape{3}), .shared_name = "v"});
  const auto* init = ops::AssignVariableOp(scope, variable, values);
  const auto* update = ops::ResourceScatterAdd(scope.Named("update"), variable, rows, values);
  const std::vector<Output> fetches = {
      ops::Gather(scope, values, rows),
      ops::GatherV2(scope, values, rows, Constant(scope, 0)),
      ops::GatherNd(scope, values, column),
      ops::ResourceGather(scope, variable, rows, {.dtype = kFloat}),
      ops::ScatterNd(scope, column, values, Constant(scope, Tensor::Vector<int32_t>({3}))),
      ops::UnsortedSegmentSum(scope, values, rows, three),
      ops::SparseSoftmaxCrossEntropyWithLogits(scope, logits, rows).loss,
      ops::ReadVariableOp(scope.Named("read"), variable, {.dtype = kFloat})};
  ASSERT_TRUE(scope.status().ok()) << scope.status();
  auto session = Open(graph_);
  std::vector<std::string> names;
  for (const Output& fetch : fetches) names.push_back(fetch.name());
  const client::Session::Feeds feeds = {{"rows:0", Tensor::Vector<int32_t>({2, 3, -1})}};
  ASSERT_TRUE(session->Run({}, {}, {init->name()}).ok());
  const auto got = session->Run(feeds, names, {});
  ASSERT_TRUE(got.ok()) << got.status();
  for (int i = 0; i < 4; ++i) EXPECT_EQ((*got)[i].ToString(), "float [3] {30, 0, 0}") << names[i];
  for (int i = 4; i < 6; ++i) EXPECT_EQ((*got)[i].ToString(), "float [3] {0, 0, 10}") << names[i];
  const float* losses = (*got)[6].data<float>();
  EXPECT_NEAR(losses[0], std::log(3), 1e-6);
  EXPECT_TRUE(std::isnan(losses[1]) && std::isnan(losses[2]));
  ASSERT_TRUE(session->Run(feeds, {}, {update->name()}).ok());
  EXPECT_EQ(session->Run({}, {names[7]}, {})->at(0).ToString(), "float [3] {10, 20, 40}");
}

TEST_F(BadInputTest, CudnnOfAnotherVersionIsNamedWithBothVersions) {
  const Scope scope = Scope(&graph_).On(kGpu);
  const Output image = ops::Placeholder(scope.Named("image"), {.dtype = kFloat});
  const Output filter = ops::Placeholder(scope.Named("filter"), {.dtype = kFloat});
  ops::Conv2D(scope.Named("conv"), image, filter, {.strides = {1, 1, 1, 1}, .padding = "SAME"});
  ASSERT_TRUE(scope.status().ok()) << scope.status();
  auto session = Open(graph_);
  const client::Session::Feeds feeds = {{"image:0", Tensor(kFloat, Shape{1, 8, 8, 3})},
                                        {"filter:0", Tensor(kFloat, Shape{3, 3, 3, 4})}};
  cuda::UseLibraryForTest("cuDNN", [] {
    return cuda::Library::Find([](const char* function) -> void* {
      if (std::string(function) != "cudnnGetVersion") return FindCudnn(function);
      return reinterpret_cast<void*>(+[]() -> size_t { return 990'000; });
    });
  });
  const absl::Status failed = session->Run(feeds, {"conv:0"}, {}).status();
  EXPECT_TRUE(absl::IsUnimplemented(failed)) << failed;
  EXPECT_THAT(Message(failed),
              AllOf(HasSubstr("this op needs cuDNN "), HasSubstr("has version 990000"),
                    HasSubstr("[[{{node conv}}]] (Conv2D on ")));
  UseLibraryDoubles();
  EXPECT_TRUE(session->Run(feeds, {"conv:0"}, {}).ok());
}

}  // namespace
}  // namespace sluice::cuda_double
