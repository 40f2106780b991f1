// SPDX-License-Identifier: Apache-2.0
#include "client/session.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "absl/time/clock.h"
#include "core/codec/codec.h"
#include "server/server.h"

namespace sluice::client {
namespace {

using testing::HasSubstr;

// Builds a graph; an error ends the test's program.
struct Builder {
  Output Add(absl::string_view op, std::vector<Output> inputs, AttrMap attrs = {},
             std::string name = "", std::string device = "") {
    auto node =
        graph.AddNode(op, inputs, std::move(attrs), {std::move(name), std::move(device), {}});
    if (!node.ok()) {
      std::fprintf(stderr, "%s\n", node.status().ToString().c_str());
      std::abort();
    }
    return {*node, 0};
  }
  Output Const(Tensor value, std::string name = "") {
    const DType dtype = value.dtype();
    return Add("Const", {}, {{"value", std::move(value)}, {"dtype", dtype}}, std::move(name));
  }
  Graph graph;
};

Tensor Floats(std::vector<float> values) { return Tensor::Vector<float>(values); }

std::unique_ptr<Session> Open(const Graph& graph, const SessionOptions& options = {}) {
  auto session = Session::Create(&graph, options);
  EXPECT_TRUE(session.ok()) << session.status();
  return session.ok() ? *std::move(session) : nullptr;
}

TEST(SessionTest, RunsHere) {
  Builder b;
  const Output x = b.Add("Placeholder", {}, {{"dtype", kFloat}}, "x");
  const Output y = b.Add("Mul", {x, b.Const(Floats({1, 2, 3}))}, {}, "y");
  auto session = Open(b.graph);
  auto out = session->Run({{"x:0", Floats({2, 2, 2})}}, {y.name()}, {});
  ASSERT_TRUE(out.ok()) << out.status();
  EXPECT_EQ((*out)[0].ToString(), "float [3] {2, 4, 6}");
  // Nodes added later are sent with the next run.
  const Output z = b.Add("Neg", {y}, {}, "z");
  out = session->Run({{"x:0", Floats({1, 1, 1})}}, {z.name(), y.name()}, {});
  ASSERT_TRUE(out.ok()) << out.status();
  EXPECT_EQ((*out)[0].ToString(), "float [3] {-1, -2, -3}");
  EXPECT_TRUE(session->Close().ok());
  EXPECT_TRUE(session->Close().ok());
  EXPECT_FALSE(session->Run({}, {y.name()}, {}).ok());
}

TEST(SessionTest, VariablesLiveAsLongAsTheSession) {
  Builder b;
  const Output v =
      b.Add("VariableV2", {}, {{"shape", PartialShape(Shape{})}, {"dtype", kFloat}}, "v");
  b.Add("Assign", {v, b.Const(Tensor::Scalar<float>(1))}, {}, "init");
  b.Add("AssignAdd", {v, b.Const(Tensor::Scalar<float>(2))}, {}, "inc");
  auto session = Open(b.graph);
  EXPECT_EQ(session->Run({}, {"v:0"}, {}).status().code(), absl::StatusCode::kFailedPrecondition);
  ASSERT_TRUE(session->Run({}, {}, {"init"}).ok());
  for (int i = 0; i < 10; ++i) ASSERT_TRUE(session->Run({}, {}, {"inc"}).ok());
  EXPECT_EQ(session->Run({}, {"v:0"}, {})->at(0).scalar<float>(), 21);
  EXPECT_FALSE(Open(b.graph)->Run({}, {"v:0"}, {}).ok()) << "another local session has its own";
}

// A small training step over `devices`: y = sum((x w - 1)^2), and a gradient step on w.
std::vector<float> Losses(const SessionOptions& options, const std::vector<std::string>& devices) {
  Builder b;
  auto device = [&](size_t i) { return devices[i % devices.size()]; };
  const Output x = b.Add("Placeholder", {}, {{"dtype", kFloat}}, "x", device(0));
  const Output w = b.Add("VariableV2", {},
                         {{"shape", PartialShape(Shape{2, 2})}, {"dtype", kFloat}}, "w", device(1));
  b.Add("Assign", {w, b.Const(Tensor::Of<float>(Shape{2, 2}, {0.5f, -1, 2, 0.25f}))}, {}, "init",
        device(1));
  const Output read = b.Add("Identity", {w}, {}, "read", device(1));
  const Output y = b.Add("MatMul", {x, read}, {}, "y", device(0));
  const Output error = b.Add("Sub", {y, b.Const(Tensor::Scalar<float>(1))}, {}, "error", device(1));
  const Output square = b.Add("Square", {error}, {}, "square", device(0));
  const Output axes = b.Const(Tensor::Vector<int32_t>({0, 1}));
  const Output loss = b.Add("Sum", {square, axes}, {}, "loss", device(0));
  const Output gradient =
      b.Add("MatMul", {x, error}, {{"transpose_a", true}}, "gradient", device(0));
  b.Add("ApplyGradientDescent", {w, b.Const(Tensor::Scalar<float>(0.01f)), gradient}, {}, "train",
        device(1));
  auto session = Open(b.graph, options);
  EXPECT_TRUE(session->Run({}, {}, {"init"}).ok());
  std::vector<float> losses;
  for (int i = 0; i < 20; ++i) {
    const Tensor batch = Tensor::Of<float>(Shape{2, 2}, {1.f + i, 2, 3, 0.5f * i});
    auto out = session->Run({{"x:0", batch}}, {loss.name()}, {"train"});
    EXPECT_TRUE(out.ok()) << out.status();
    if (!out.ok()) break;
    losses.push_back((*out)[0].scalar<float>());
  }
  return losses;
}

TEST(SessionTest, TheSameValuesOnOneDeviceTwoDevicesAndAsynchronousOnes) {
  const std::vector<float> one = Losses({}, {""});
  ASSERT_EQ(one.size(), 20u);
  EXPECT_GT(one[0], 0);
  SessionOptions two;
  two.cpu_devices = 2;
  EXPECT_EQ(Losses(two, {"/device:CPU:0", "/device:CPU:1"}), one);
  SessionOptions late;
  late.asynchronous_devices = true;
  EXPECT_EQ(Losses(late, {""}), one);
  late.cpu_devices = 2;
  EXPECT_EQ(Losses(late, {"/device:CPU:0", "/device:CPU:1"}), one);
}

TEST(SessionTest, TheSameValuesOverGrpc) {
  server::ServerOptions options;
  options.cluster = *server::ClusterSpec::Parse(R"({"worker": ["localhost:0"]})");
  options.job = "worker";
  options.cpu_devices = 2;
  auto server = server::Server::Start(options);
  ASSERT_TRUE(server.ok()) << server.status();
  SessionOptions remote;
  remote.target = (*server)->target();
  EXPECT_EQ(Losses(remote, {"/device:CPU:0", "/device:CPU:1"}), Losses({}, {""}));
}

TEST(SessionTest, LocalStepsBuildNoProtobuf) {
  Builder b;
  const Output x = b.Add("Placeholder", {}, {{"dtype", kFloat}}, "x", "/device:CPU:0");
  const Output y = b.Add("Neg", {x}, {}, "y", "/device:CPU:1");
  SessionOptions options;
  options.cpu_devices = 2;
  auto session = Open(b.graph, options);
  const Tensor value = Floats(std::vector<float>(1000, 1));
  const int64_t before = CodecBytes();
  ASSERT_TRUE(session->Run({{"x:0", value}}, {y.name()}, {}).ok());
  const int64_t after_first = CodecBytes();
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(session->Run({{"x:0", value}}, {y.name()}, {}).ok());
  EXPECT_EQ(CodecBytes() - after_first, 0);
  // The counter works: a constant is sent once, with the graph.
  b.Add("Const", {}, {{"value", value}, {"dtype", kFloat}}, "c");
  ASSERT_TRUE(session->Run({{"x:0", value}}, {y.name()}, {}).ok());
  EXPECT_GT(CodecBytes(), before);
}

TEST(SessionTest, ErrorsNameTheNode) {
  Builder b;
  const Output x = b.Add("Placeholder", {}, {{"dtype", kFloat}}, "x");
  auto session = Open(b.graph);
  const absl::Status status = session->Run({}, {"x:0"}, {}).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("You must feed a value for placeholder tensor 'x'"));
  EXPECT_FALSE(session->Run({}, {"nobody:0"}, {}).ok());
  b.Add("Neg", {x}, {}, "y");
  EXPECT_FALSE(session->Run({{"x:0", Tensor::Scalar<int32_t>(1)}}, {"y:0"}, {}).ok());
  // The client answers a fetch of a fed tensor; a master refuses it.
  auto fed = session->Run({{"x:0", Tensor::Scalar<float>(2)}}, {"y:0", "x:0"}, {});
  ASSERT_TRUE(fed.ok()) << fed.status();
  EXPECT_EQ((*fed)[0].scalar<float>(), -2);
  EXPECT_EQ((*fed)[1].scalar<float>(), 2);
}

TEST(SessionTest, ManyThreadsRunOneSession) {
  Builder b;
  const Output x = b.Add("Placeholder", {}, {{"dtype", kFloat}}, "x");
  const Output y = b.Add("Neg", {x}, {}, "y");
  auto session = Open(b.graph);
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 100; ++i) {
        auto out = session->Run({{"x:0", Tensor::Scalar<float>(t + i)}}, {y.name()}, {});
        if (!out.ok() || (*out)[0].scalar<float>() != -(t + i)) ++wrong;
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(wrong.load(), 0);
}

TEST(SessionTest, ListsItsDevices) {
  Builder b;
  b.Const(Floats({1}), "a");
  SessionOptions options;
  options.cpu_devices = 3;
  auto devices = Open(b.graph, options)->ListDevices();
  ASSERT_TRUE(devices.ok()) << devices.status();
  EXPECT_EQ(devices->local.size() + devices->remote.size(), 3u);
}

// x + y, and that times z, of three placeholders.
struct SumAndProduct : Builder {
  Output x = Add("Placeholder", {}, {{"dtype", kFloat}}, "x");
  Output y = Add("Placeholder", {}, {{"dtype", kFloat}}, "y");
  Output z = Add("Placeholder", {}, {{"dtype", kFloat}}, "z");
  Output sum = Add("Add", {x, y}, {}, "sum");
  Output product = Add("Mul", {sum, z}, {}, "product");
};

TEST(SessionTest, APartialRunTakesItsFeedsInParts) {
  SumAndProduct b;
  auto session = Open(b.graph);
  auto handle = session->SetUpPartialRun({"x:0", "y:0", "z:0"}, {"sum:0", "product:0"}, {});
  ASSERT_TRUE(handle.ok()) << handle.status();
  RunOptions options;
  options.partial_run = *handle;
  auto sum = session->Run({{"x:0", Floats({1})}, {"y:0", Floats({2})}}, {"sum:0"}, {}, options);
  ASSERT_TRUE(sum.ok()) << sum.status();
  EXPECT_EQ((*sum)[0].ToString(), "float [1] {3}");
  auto product = session->Run({{"z:0", (*sum)[0]}}, {"product:0"}, {}, options);
  ASSERT_TRUE(product.ok()) << product.status();
  EXPECT_EQ((*product)[0].ToString(), "float [1] {9}");
  EXPECT_FALSE(session->Run({}, {"sum:0"}, {}, options).ok());  // it is over
}

TEST(SessionTest, ACallableRunsUntilItIsReleased) {
  SumAndProduct b;
  auto session = Open(b.graph);
  auto callable = session->MakeCallable({"y:0", "x:0"}, {"sum:0"}, {});
  ASSERT_TRUE(callable.ok()) << callable.status();
  for (float i : {1.0f, 2.0f}) {
    auto sum = session->RunCallable(*callable, {Floats({i}), Floats({10})});
    ASSERT_TRUE(sum.ok()) << sum.status();
    EXPECT_EQ((*sum)[0].flat<float>()[0], 10 + i);
  }
  EXPECT_TRUE(session->ReleaseCallable(*callable).ok());
  EXPECT_FALSE(session->RunCallable(*callable, {Floats({1}), Floats({2})}).ok());
}

TEST(SessionTest, ATracedRunReportsItsNodes) {
  SumAndProduct b;
  auto session = Open(b.graph);
  RunOptions options;
  std::string metadata;
  options.trace = true;
  options.metadata = &metadata;
  auto sum = session->Run({{"x:0", Floats({1})}, {"y:0", Floats({2})}}, {"sum:0"}, {}, options);
  ASSERT_TRUE(sum.ok()) << sum.status();
  EXPECT_THAT(metadata, HasSubstr("sum = Add"));
}

TEST(GraphTest, ImportsWhatAnotherOneSerialised) {
  SumAndProduct b;
  auto bytes = b.graph.Serialize();
  ASSERT_TRUE(bytes.ok()) << bytes.status();
  Graph again;
  ASSERT_TRUE(again.Import(*bytes).ok());
  auto product = again.Find("product:0");
  ASSERT_TRUE(product.ok()) << product.status();
  EXPECT_FALSE(again.Import(*bytes).ok());  // the names are taken
  EXPECT_FALSE(again.Import("no graph").ok());
  again.set_shape(*product, *PartialShape::Create({2, -1}));
  auto twice = again.AddNode("Add", {*product, *product}, {}, {});
  ASSERT_TRUE(twice.ok()) << twice.status();
  EXPECT_EQ(again.shape({*twice, 0}).ToString(), "[2,?]");
}

}  // namespace
}  // namespace sluice::client
